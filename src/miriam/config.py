"""Settings: typed, frozen, closed structs, read from TOML and from `--set path=value`.

A choice between algorithms is a union of structs tagged by `kind`; the union is the registry.
A wrong key or value is refused with its path, the value, and the nearest right name.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from miriam.errors import ConfigError, InputError

__all__ = ["Config", "dump", "load", "load_file", "nearest"]

BARE = re.compile(r"[A-Za-z0-9_-]+")


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every settings struct: immutable, keyword only, no unknown keys.

    A subclass repeats `frozen=True, kw_only=True`; a member of a union adds
    `tag="name", tag_field="kind"`.
    """


C = TypeVar("C", bound=Config)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name: the nearest known one, else all of them.

    >>> nearest("epoch", ["epochs", "batch"])
    "did you mean 'epochs'?"
    >>> nearest("zzz", ["epochs", "batch"])
    "it must be one of 'batch', 'epochs'"
    """
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return "it must be one of " + ", ".join(map(repr, known)) if known else "no name is known here"


def load(
    kind: type[C],
    text: str = "",
    *,
    bases: Iterable[str] = (),
    overrides: Iterable[str] = (),
    name: str = "settings",
) -> C:
    """The settings that a TOML text describes, changed by `path=value` overrides.

    `bases` are ready TOML texts on which this one lies: what it does not say is taken from the last
    of them that does.
    `name` stands for the text in messages: usually the file's name.

    >>> class Run(Config, frozen=True, kw_only=True):
    ...     epochs: int = 10
    >>> load(Run, "epochs = 3").epochs
    3
    >>> load(Run, overrides=["epochs=4"]).epochs
    4
    >>> load(Run, "epoch = 3")
    Traceback (most recent call last):
    ...
    miriam.errors.ConfigError: settings: unknown setting 'epoch' (= 3); did you mean 'epochs'?
    """
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: not valid TOML: {error}") from None
    bases = list(bases)
    for base in reversed(bases):
        tree = _laid(tree, on=tomllib.loads(base))
    overrides = sorted(overrides, key=lambda override: not _of_kind(override))
    for override in overrides:
        _override(tree, override)
    _refuse_unknown(kind, tree, (), name)
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        plain = [o for o in overrides if _wants_text(str(error), o)]
        if plain:  # a word such as `true`, or a number, where a name is wanted
            quoted = [f"{o.partition('=')[0]}={_quoted(o)}" if o in plain else o for o in overrides]
            return load(kind, text, bases=bases, overrides=quoted, name=name)
        raise ConfigError(f"{name}: {_explain(str(error), tree)}") from None


def load_file(
    kind: type[C],
    path: Path | str | None,
    *,
    bases: Iterable[str] = (),
    overrides: Iterable[str] = (),
) -> C:
    """The settings of a TOML file (none: the defaults), changed by `path=value` overrides.

    `bases` are as in `load`.

    >>> import tempfile
    >>> class Learner(Config, frozen=True):
    ...     epochs: int = 5
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "learner.toml")
    ...     _ = path.write_text("epochs = 7")
    ...     load_file(Learner, path), load_file(Learner, None, overrides=["epochs=9"])
    (Learner(epochs=7), Learner(epochs=9))
    """
    if path is None:
        return load(kind, bases=bases, overrides=overrides, name="--set")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start + 1}", path=path) from None
    return load(kind, text, bases=bases, overrides=overrides, name=str(path))


def dump(config: Config) -> str:
    """The settings as TOML, defaults included: what is saved beside a model.

    >>> class Run(Config, frozen=True, kw_only=True):
    ...     epochs: int = 10
    >>> print(dump(Run()), end="")
    epochs = 10
    """
    lines: list[str] = []
    _dump_table(msgspec.to_builtins(config), (), lines)
    return "\n".join(lines) + "\n"


def _dump_table(table: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    tables = {key: value for key, value in table.items() if isinstance(value, dict)}
    if path:
        head = f"[{'.'.join(map(_key, path))}]"
        lines.extend(["", head] if lines else [head])
    # TOML has no null: a setting that is None is left out, and is None when it is read again.
    lines.extend(
        f"{_key(key)} = {_dump_value(value)}"
        for key, value in table.items()
        if key not in tables and value is not None
    )
    for key, value in tables.items():
        _dump_table(value, (*path, key), lines)


def _key(name: str) -> str:
    """A key of TOML: bare, or quoted where its characters ask for it."""
    return name if BARE.fullmatch(name) else msgspec.json.encode(name).decode()


def _dump_value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_dump_value, value)) + "]"
    if isinstance(value, dict):
        pairs = [f"{_key(key)} = {_dump_value(v)}" for key, v in value.items() if v is not None]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, float):
        return repr(value)  # `inf` and `nan` are spelt the same in TOML
    return msgspec.json.encode(value).decode()


def _laid(tree: dict[str, Any], *, on: dict[str, Any]) -> dict[str, Any]:
    """A tree of settings on another one; a table of another `kind` replaces the one below."""
    found = dict(on)
    for key, value in tree.items():
        below = found.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            same = value.get("kind", below.get("kind")) == below.get("kind")
            found[key] = _laid(value, on=below) if same else value
        else:
            found[key] = value
    return found


def _wants_text(error: str, override: str) -> bool:
    """Whether msgspec's message asks for text where this override gave something else."""
    path = override.partition("=")[0].strip()
    return error.startswith("Expected `str`") and error.endswith(f"at `$.{path}`")


def _quoted(override: str) -> str:
    return msgspec.json.encode(override.partition("=")[2].strip()).decode()


def _of_kind(override: str) -> bool:
    """Whether it chooses a kind, which comes first: the settings of a kind go with it."""
    return override.partition("=")[0].strip().endswith(".kind")


def _override(tree: dict[str, Any], override: str) -> None:
    """Set one `a.b.c=value`; the value is read as TOML, or else as a plain string.

    Another kind takes the settings of the one that was there with it.
    """
    path, equals, text = override.partition("=")
    keys = path.strip().split(".")
    if not equals or not all(keys):
        raise ConfigError(f"--set {override}: expected path=value, as in --set tune.epochs=5")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    for key in keys[:-1]:
        inner = tree.setdefault(key, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"--set {override}: {key!r} is a value, not a table of settings")
        tree = inner
    if keys[-1] == "kind" and tree.get("kind", value) != value:
        tree.clear()
    tree[keys[-1]] = value


def _refuse_unknown(kind: Any, tree: Any, path: tuple[str, ...], name: str) -> None:
    """Refuse a key that no field answers to, or a `kind` that no struct of the union has."""
    if not isinstance(tree, dict):
        return
    struct = _struct_for(kind, tree, path, name)
    if struct is None:
        return
    known = {field.encode_name: field.type for field in msgspec.structs.fields(struct)}
    tag_field = struct.__struct_config__.tag_field
    for key, value in tree.items():
        here = ".".join((*path, key))
        if key in known:
            _refuse_unknown(known[key], value, (*path, key), name)
        elif key != tag_field:
            raise ConfigError(
                f"{name}: unknown setting {here!r} (= {value!r}); {nearest(key, known)}"
            )


def _struct_for(kind: Any, tree: dict[str, Any], path: tuple[str, ...], name: str) -> Any:
    """The struct that a table is read as: `kind` itself, or the tagged member of a union."""
    info = msgspec.inspect.type_info(kind)
    members = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    structs = [m for m in members if isinstance(m, msgspec.inspect.StructType)]
    tagged = {m.tag: m.cls for m in structs if m.tag is not None}
    field = next((m.tag_field for m in structs if m.tag_field), None)
    if not tagged or field is None or (field not in tree and len(structs) == 1):
        return structs[0].cls if structs else None
    if field not in tree:
        options = ", ".join(repr(tag) for tag in tagged)
        raise ConfigError(f"{name}: {'.'.join(path)!r} needs a {field!r}: one of {options}")
    tag = tree[field]
    if tag not in tagged:
        here = ".".join((*path, field))
        raise ConfigError(
            f"{name}: {here} = {tag!r} is not known; {nearest(str(tag), map(str, tagged))}"
        )
    return tagged[tag]


def _explain(message: str, tree: Any) -> str:
    """Msgspec's message with the path in front and the value that was refused."""
    what, _, where = message.partition(" - at `$")
    path = where.strip("`").lstrip(".")
    value = tree
    for key in path.split(".") if path else ():
        value = value.get(key) if isinstance(value, dict) else None
    what = what[:1].lower() + what[1:]
    return f"{path} = {value!r}: {what}" if path else what
