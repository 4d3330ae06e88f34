"""Ready settings of `miriam train`: a TOML file a preset, on which one's own settings lie."""

from __future__ import annotations

from pathlib import Path

from miriam.config import nearest
from miriam.errors import ConfigError

__all__ = ["PRESETS", "preset_text"]

_FOLDER = Path(__file__).parent
PRESETS = sorted(path.stem for path in _FOLDER.glob("*.toml"))


def preset_text(name: str) -> str:
    """The TOML text of a preset.

    >>> print(preset_text("hierarchical").splitlines()[2])
    kind = "hierarchical"
    """
    if name not in PRESETS:
        raise ConfigError(f"preset {name!r} is not known; {nearest(name, PRESETS)}")
    return (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")
