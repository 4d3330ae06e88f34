"""The model directory: its files, and the manifest by which a damaged one is known.

`manifest.json` has the format version, each file's size and checksum, and the build id: a hash of
all tables' content, which every table repeats in its header. A directory appears under its name
when all of it is written. Opening one compares sizes, build ids and the checksums of small files,
in milliseconds; `verify` reads everything.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from miriam.container import copy_container, read_metadata
from miriam.errors import InputError, ModelError
from miriam.progress import Report, silent
from miriam.version import __version__

__all__ = ["FORMAT", "MANIFEST", "ModelDirectory", "changed_model", "new_model", "open_model"]

FORMAT = 1
MANIFEST = "manifest.json"
TABLE_SUFFIX = ".safetensors"
SMALL = 1 << 20  # bytes; the checksums of files up to this size are compared at once
CURE = "copy or build the model again"


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the manifest says of a file."""

    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model directory holds."""

    format: int
    miriam: str  # the version that wrote it
    build: str
    files: dict[str, FileEntry]


class _AnyManifest(msgspec.Struct, frozen=True):
    """A manifest of any version."""

    format: int


@dataclass(frozen=True)
class ModelDirectory:
    """A model directory whose files are all there."""

    path: Path
    manifest: Manifest

    def __contains__(self, name: str) -> bool:
        return name in self.manifest.files

    def __getitem__(self, name: str) -> Path:
        """The path of a file."""
        if name not in self.manifest.files:
            raise ModelError(f"{self.path / MANIFEST}: it does not list {name}; {CURE}")
        return self.path / name

    def text(self, name: str) -> str:
        """The content of a text file."""
        return self[name].read_text(encoding="utf-8")

    def verify(self, report: Report = silent) -> int:
        """The number of bytes, after every file has been compared with its checksum."""
        total = sum(entry.bytes for entry in self.manifest.files.values())
        done = 0
        for name, entry in self.manifest.files.items():
            _check_sum(self.path / name, entry)
            done += entry.bytes
            report("checking", done, total)
        return total


def open_model(path: Path | str) -> ModelDirectory:
    """The model in a directory, refused with a sentence if it is not a whole one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_model(f"{folder}/toy", {}) as inside:
    ...         _ = (inside / "weights.txt").write_text("LM 0.5")
    ...     open_model(f"{folder}/toy").text("weights.txt")
    'LM 0.5'
    """
    path = Path(path)
    manifest = _read_manifest(path)
    for name, entry in manifest.files.items():
        file = path / name
        if not file.is_file():
            raise ModelError(f"{file}: the file is missing; {CURE}")
        size = file.stat().st_size
        if size != entry.bytes:
            raise ModelError(
                f"{file}: the file has {size:,} bytes and should have {entry.bytes:,}; {CURE}"
            )
        if name.endswith(TABLE_SUFFIX):
            build = read_metadata(file).get("build")
            if build != manifest.build:
                raise ModelError(
                    f"{file}: the table is of build {build}, and the model of build "
                    f"{manifest.build}; {CURE}"
                )
        elif size <= SMALL:
            _check_sum(file, entry)
    return ModelDirectory(path, manifest)


def _read_manifest(path: Path) -> Manifest:
    file = path / MANIFEST
    if not file.is_file():
        raise ModelError(f"{path}: not a model, for it has no {MANIFEST}; `miriam train` makes one")
    data = file.read_bytes()
    try:
        found = msgspec.json.decode(data, type=_AnyManifest).format
        if found == FORMAT:
            return msgspec.json.decode(data, type=Manifest)
    except msgspec.MsgspecError:
        raise ModelError(f"{file}: cut short or damaged; {CURE}") from None
    raise ModelError(
        f"{file}: a model of format version {found}, and this Miriam reads version {FORMAT}; "
        "train it again"
    )


def _check_sum(file: Path, entry: FileEntry) -> None:
    if _sha256(file) != entry.sha256:
        raise ModelError(f"{file}: not the content that the manifest has a checksum of; {CURE}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def new_model(path: Path | str, tables: Mapping[str, Path]) -> Iterator[Path]:
    """A folder to write the small files of a model into; the model is whole when the block ends.

    `tables` are copied, under the names given, which end in `.safetensors`. A model that is there
    already is replaced; any other file or full folder is refused.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_model(f"{folder}/model", tables={}) as small:
    ...         _ = (small / "weights.txt").write_text("LM 0.5")
    ...     sorted(path.name for path in Path(folder, "model").iterdir())
    ['manifest.json', 'weights.txt']
    """
    path = Path(path)
    refuse_other(path)
    temporary = _temporary(path)
    temporary.mkdir()
    try:
        digest = hashlib.sha256()
        for name, table in sorted(tables.items()):
            digest.update(f"{name} {_sha256(table)}\n".encode())
        build = digest.hexdigest()[:16]
        for name, table in tables.items():
            copy_container(table, temporary / name, metadata={"build": build})
        yield temporary
        _write_manifest(temporary, build, {})
        _put_in_place(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def changed_model(model: ModelDirectory, path: Path | str) -> Iterator[Path]:
    """A folder with all files of a model, to change the small ones of, by new files in their place.

    It is whole under the name `path`, which may be the model's own, when the block ends. Tables are
    linked, not copied, where the file system allows it; a table must not be changed. Folders of the
    model, such as its runs, come along.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_model(f"{folder}/toy", {}) as inside:
    ...         _ = (inside / "weights.txt").write_text("LM 0.5")
    ...     with changed_model(open_model(f"{folder}/toy"), f"{folder}/toy") as inside:
    ...         _ = (inside / "tuning.toml").write_text("rounds = 1")
    ...     sorted(open_model(f"{folder}/toy").manifest.files)
    ['tuning.toml', 'weights.txt']
    """
    path = Path(path)
    refuse_other(path)
    temporary = _temporary(path)
    temporary.mkdir()
    try:
        for name in model.manifest.files:
            link = _link if name.endswith(TABLE_SUFFIX) else shutil.copyfile
            link(model[name], temporary / name)
        for inner in filter(Path.is_dir, model.path.iterdir()):
            shutil.copytree(inner, temporary / inner.name)
        yield temporary
        known = {n: e for n, e in model.manifest.files.items() if n.endswith(TABLE_SUFFIX)}
        _write_manifest(temporary, model.manifest.build, known)
        _put_in_place(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _link(file: Path, copy: Path) -> None:
    try:
        copy.hardlink_to(file)
    except OSError:  # another disk, or a file system without links
        shutil.copyfile(file, copy)


def _temporary(path: Path) -> Path:
    whole = path.absolute()
    return whole.with_name(f".{whole.name[:50]}.{os.getpid()}")


def _write_manifest(folder: Path, build: str, known: Mapping[str, FileEntry]) -> None:
    """The manifest of the files in a folder, but not in folders of it; some are `known`."""
    files = {
        file.name: known.get(file.name) or FileEntry(file.stat().st_size, _sha256(file))
        for file in sorted(filter(Path.is_file, folder.iterdir()))
    }
    text = msgspec.json.format(msgspec.json.encode(Manifest(FORMAT, __version__, build, files)))
    (folder / MANIFEST).write_bytes(text + b"\n")


def refuse_other(path: Path) -> None:
    """Refuse to write a model where something else is, or where there is no folder for it."""
    if not path.absolute().parent.is_dir():
        raise InputError(f"there is no folder {path.parent} to write it to", path=path)
    if path.exists() and not path.is_dir():
        raise InputError("a file, where a model directory is to be written", path=path)
    if path.is_dir() and any(path.iterdir()) and not (path / MANIFEST).exists():
        raise InputError("a folder with other files in it; give the model a new name", path=path)


def _put_in_place(temporary: Path, path: Path) -> None:
    if not path.exists():
        temporary.replace(path)
        return
    old = temporary.with_name(f"{temporary.name}.old")
    path.replace(old)
    try:
        temporary.replace(path)
    except BaseException:
        old.replace(path)
        raise
    shutil.rmtree(old)
