"""The manifest: the one file that says what a folder holds. Its rename is the commit.

Depends on: files, plan, msgspec, pillarbox.errors.  Never on: how shards are made.

Laws. Whoever reads a manifest finds all that it names, whole; nothing else in the folder is anybody's.
A run replaces none but one of its own source.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from pillarbox.errors import DataError, PillarboxError, StoreMissing, UsageError
from pillarbox_spark.files import FileFigures, errors_of_store, figures_of, store_error, sync, write_whole
from pillarbox_spark.plan import Input

MANIFEST: Final = "manifest.json"
VERSION: Final = 1

#: What every manifest has, of whatever version.
_OURS: Final = {"version", "package", "source"}
#: How the folder of a run is called.
RUN: Final = re.compile(r"run-[0-9a-f]{12}")


class TableSum(msgspec.Struct, frozen=True):
    """What one table of a shard holds; the checksum is that of `pillarbox.bulk.TableFigures`."""

    rows: int
    checksum: int


class ShardFile(msgspec.Struct, frozen=True):
    """One shard: its path, and its tables by id."""

    box: str
    tables: dict[int, TableSum]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder holds. All paths are from that folder on."""

    version: int = VERSION
    package: str
    source: str
    layout_hash: str
    #: The folder that everything named here is in.
    run: str
    inputs: tuple[Input, ...]
    shards: tuple[ShardFile, ...]
    #: By table.
    parquet: dict[str, list[str]]
    quarantine: list[str]
    #: Size and checksum of each file that is named above.
    files: dict[str, FileFigures]
    report: dict[str, Any]


def settle(out: Path, run: str, files: Mapping[str, FileFigures]) -> None:
    """Make what a manifest is going to name last. Raises DataError when a file is not as told."""
    check_files(out, files)
    folders = {folder for name in files for folder in Path(name).parents}
    with errors_of_store(out):
        for folder in sorted(folders | {Path(run)}):
            sync(out / folder)


def commit(out: Path, manifest: Manifest) -> None:
    """Write the manifest: from here on readers see its run, and no longer the one before."""
    text = json.dumps(msgspec.to_builtins(manifest, str_keys=True), indent=1)
    write_whole(out / MANIFEST, text.encode())


def check_files(out: Path, files: Mapping[str, FileFigures]) -> None:
    """Raises DataError when a file is not there, or not with the bytes that its task told."""
    for name, told in files.items():
        path = out / name
        found = figures_of(path) if path.exists() else None
        if found != told:
            seen = f"it has {found.bytes:,} bytes, CRC-32 {found.crc32}" if found else "it is not there"
            raise DataError(
                f"{path} should have {told.bytes:,} bytes, CRC-32 {told.crc32}, but {seen}; "
                f"run again, and let nothing else write to this folder"
            )


def read_manifest(out: Path) -> Manifest:
    """What a folder holds. Raises StoreMissing where no run was committed, DataError where it is damaged."""
    path = out / MANIFEST
    with errors_of_store(path):
        text = path.read_bytes()
    try:
        tree = json.loads(text)
        if tree["version"] != VERSION:
            raise DataError(
                f"{path} is of version {tree['version']!r}, and this is pillarbox for version {VERSION}; "
                f"update pillarbox, or ingest again"
            )
        return msgspec.convert(tree, Manifest, str_keys=True)
    except (ValueError, KeyError, TypeError, RecursionError, msgspec.ValidationError) as error:
        raise DataError(f"{path} is damaged ({error!r}); ingest again") from error


def refuse_others(out: Path, package: str, source: str) -> None:
    """Raises UsageError where a folder is not for runs of that source: what is there would be written over.

    One that is damaged may be ours, and says nothing any more: the next run replaces it.
    """
    path = out / MANIFEST
    try:
        tree = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return
    except OSError as error:
        raise store_error(path, error) from error
    if not isinstance(tree, dict) or not tree.keys() >= _OURS:
        raise UsageError(f"{path} is no manifest of a run, and would be written over; name another folder")
    version = tree["version"]
    if version != VERSION:
        raise UsageError(
            f"{path} is of version {version!r}, and this is pillarbox for version {VERSION}; update "
            f"pillarbox, or name another folder"
        )
    if (tree["package"], tree["source"]) != (package, source):
        raise UsageError(
            f"{out} holds a run of {tree['package']}.{tree['source']}, which this one of {package}.{source} "
            f"would replace; name another folder, or remove that one first"
        )


def clear(out: Path) -> None:
    """Remove what killed runs have left, so that a disk which they filled has room again.

    Only where it is sure what is committed: beside a damaged manifest everything stays.
    """
    try:
        keep = read_manifest(out).run
    except StoreMissing:
        keep = None
    except PillarboxError:
        return
    _remove_runs(out, keep)


def sweep(out: Path, keep: Manifest) -> None:
    """Remove what the manifest does not name: folders of other runs, and the rest of its own.

    What cannot be removed stays: the next run tries again.
    """
    _remove_runs(out, keep.run)
    named = {out / name for name in keep.files}
    kept = {folder for path in named for folder in path.parents}
    _remove_but(out / keep.run, named, kept)


def _remove_runs(out: Path, keep: str | None) -> None:
    for entry in out.iterdir():
        if RUN.fullmatch(entry.name) and entry.name != keep:
            shutil.rmtree(entry, ignore_errors=True)


def _remove_but(folder: Path, named: set[Path], kept: set[Path]) -> None:
    for entry in folder.iterdir():
        if entry in kept:
            _remove_but(entry, named, kept)
        elif entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry not in named:
            with suppress(OSError):  # as where a twin of a task has it open, on a network drive
                entry.unlink()
