"""Generated packages on disk: compared with what they should be, and written.

Depends on: plan.frame (the mark of our files).  Never on: schemas.

Law: after `write` each folder holds the outputs and nothing else that the generator ever wrote; when it
raises, every file is as it was. `compare` says nothing exactly when `write` would change nothing.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pillarbox_codegen.plan.frame import MARK

_CACHE: Final = "__pycache__"


class ForeignFile(Exception):
    """A file that the generator did not write is in the place of one that it would."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{path} was not generated; move it away, or name another folder with --out")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a folder differs from the outputs. Paths are relative to the folder that holds the packages."""

    missing: tuple[str, ...]
    stale: tuple[str, ...]
    #: Files beside the outputs: generated under another schema, or not by us at all.
    orphans: tuple[str, ...]

    def lines(self) -> list[str]:
        """One line for each file, in order."""
        kinds = {"missing": self.missing, "stale": self.stale, "orphan": self.orphans}
        found = [(path, kind) for kind, paths in kinds.items() for path in paths]
        return [f"{kind}: {path}" for path, kind in sorted(found)]


def compare(outputs: Mapping[str, str], folder: Path) -> Comparison:
    """Hold the outputs' packages in `folder` against the outputs, every file of any kind."""
    found = {path.relative_to(folder).as_posix(): path for path in _files(outputs, folder)}
    return Comparison(
        missing=tuple(sorted(outputs.keys() - found.keys())),
        stale=tuple(
            sorted(
                name for name, path in found.items() if name in outputs and not _holds(path, outputs[name])
            )
        ),
        orphans=tuple(sorted(found.keys() - outputs.keys())),
    )


def write(outputs: Mapping[str, str], folder: Path) -> Comparison:
    """Make the packages in `folder` equal to the outputs; tells what was changed.

    Files without our mark are never touched: in the place of an output they raise ForeignFile, elsewhere
    they stay. Everything is written beside the folder first and put in place when all of it is there.
    """
    difference = compare(outputs, folder)
    for name in difference.stale:
        if not is_ours(folder / name):
            raise ForeignFile(folder / name)
    orphans = [name for name in difference.orphans if is_ours(folder / name)]
    folder.mkdir(parents=True, exist_ok=True)
    waiting = Path(tempfile.mkdtemp(prefix=".pillarbox-", dir=folder))
    try:
        changed = (*difference.missing, *difference.stale)
        for name in changed:
            (waiting / name).parent.mkdir(parents=True, exist_ok=True)
            (waiting / name).write_text(outputs[name], encoding="utf-8", newline="\n")
        for name in changed:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(waiting / name, folder / name)
        for name in orphans:
            (folder / name).unlink()
            _remove_emptied((folder / name).parent)
    finally:
        shutil.rmtree(waiting, ignore_errors=True)
    return Comparison(difference.missing, difference.stale, tuple(orphans))


def is_ours(path: Path) -> bool:
    """Whether the generator wrote this file; an empty one may be replaced as well."""
    with path.open("rb") as file:
        head = file.read(len(MARK))
    return head in (b"", MARK.encode())


def _remove_emptied(folder: Path) -> None:
    """Remove a folder in which nothing but Python's cache is left."""
    if all(path.name == _CACHE for path in folder.iterdir()):
        shutil.rmtree(folder)


def _holds(path: Path, text: str) -> bool:
    return path.read_bytes() == text.encode()


def _files(outputs: Mapping[str, str], folder: Path) -> list[Path]:
    """Every file in the folders of the outputs' packages; caches of Python are none."""
    found = []
    for package in sorted({name.partition("/")[0] for name in outputs}):
        for root, folders, names in os.walk(folder / package):
            folders[:] = sorted(set(folders) - {_CACHE})
            found += [Path(root, name) for name in sorted(names)]
    return found
