"""Prints what Miriam needs at run time, extras included, for the development environment."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
extras = [
    r for name, group in project["optional-dependencies"].items() if name != "all" for r in group
]
print(" ".join(project["dependencies"] + extras))
