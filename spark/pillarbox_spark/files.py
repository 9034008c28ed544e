"""Files that appear whole or not at all: attempt-unique names, rename, checksums, one writer a folder.

Depends on: pillarbox.errors, pillarbox.storage (forked, places).  Never on: what the files hold.

Law: under a final name there only ever is a whole file; what a killed writer leaves is named by nobody.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final
from uuid import uuid4

from pillarbox.errors import PillarboxError, StoreError, StoreFailed, StoreMissing, StoreReadOnly
from pillarbox.storage.forked import leave_at_fork
from pillarbox.storage.places import ran_out

#: Folders of a run.
WORK: Final = "work"
BOXES: Final = "boxes"
TABLES: Final = "tables"
QUARANTINE: Final = "quarantine"

_CHUNK: Final = 1 << 20
_DENIED: Final = frozenset({"EACCES", "EPERM", "EROFS"})
_MISSING: Final = frozenset({"ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR"})


class RunBusy(StoreError):
    """Another run is writing to the same folder."""

    def __init__(self, out: Path, who: str) -> None:
        self.out, self.who = out, who
        super().__init__(
            f"{out}: another run is writing here ({who}); wait for it to end, or give another folder"
        )


@dataclass(frozen=True, slots=True)
class FileFigures:
    """What a published file must look like."""

    bytes: int
    crc32: str


class Attempt:
    """One attempt at a task: the names of what it writes, which no other attempt has."""

    def __init__(self, run: Path, stage: str, task: int) -> None:
        self._run = run
        self._name = f"{stage}-{task:05d}-{uuid4().hex}"

    def part(self, suffix: str) -> Path:
        """Where a file is written until it is whole; `suffix` tells the attempt's files apart."""
        return self._run / WORK / f"{self._name}.{suffix}.part"

    def publish(self, suffix: str, folder: str, *, lasting: bool) -> str:
        """Give a file its final name, in a folder of the run; that name, from the run's folder on.

        `lasting`: it must survive a loss of power once the run is committed.
        """
        part = self.part(suffix)
        final = self._run / folder / f"{self._name}.{suffix}"
        publish(part, final, lasting=lasting)
        return final.relative_to(self._run).as_posix()


def publish(part: Path, final: Path, *, lasting: bool = True) -> None:
    """Rename a finished file. Raises StoreError."""
    with errors_of_store(final):
        final.parent.mkdir(exist_ok=True)  # no more: where the run was given up its folder stays away
        if lasting:
            sync(part)
        rename(part, final)


def rename(part: Path, final: Path) -> None:
    """The one place where files get their final names, so that tests can stop a run there."""
    os.replace(part, final)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, reach the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes) -> None:
    """Write or replace a small file so that readers see the old bytes or the new. Raises StoreError.

    For one writer at a time, which also takes away what a killed one has left.
    """
    part = path.with_name(f"{path.name}.part")
    with errors_of_store(path):
        try:
            part.write_bytes(data)
            sync(part)
            rename(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        sync(path.parent)


def figures_of(path: Path) -> FileFigures:
    """Size and checksum of a file. Raises StoreError."""
    size = crc = 0
    with errors_of_store(path), path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            crc = zlib.crc32(chunk, crc)
    return FileFigures(size, f"{crc:08x}")


@contextmanager
def locked(out: Path) -> Iterator[None]:
    """Be the only run that writes to `out`, which is made if need be. Raises RunBusy; never waits."""
    with errors_of_store(out):
        out.mkdir(parents=True, exist_ok=True)
        lock = _Lock(out / ".lock")
    try:
        with errors_of_store(out):
            if not lock.take():
                raise RunBusy(out, lock.who() or "it has just begun")
            lock.say(f"process {os.getpid()} on {socket.gethostname()}")
        yield
    finally:
        lock.close()


class _Lock:
    """A file that is locked as long as it is open here. What is forked meanwhile has no part in it."""

    def __init__(self, path: Path) -> None:
        self._file = FileIO(path, "r+", opener=lambda name, flags: os.open(name, flags | os.O_CREAT, 0o600))
        leave_at_fork(self)

    def take(self) -> bool:
        """Lock it, unless another one has; tell whether."""
        with suppress(BlockingIOError):
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    def who(self) -> str:
        """What was said last."""
        return os.pread(self._file.fileno(), 200, 0).decode(errors="replace")

    def say(self, text: str) -> None:
        self._file.truncate(0)
        os.pwrite(self._file.fileno(), text.encode(), 0)

    def close(self) -> None:
        """Let go of it, whoever else has it open. Closing twice is fine."""
        with suppress(OSError, ValueError):  # the latter of one that is closed
            fcntl.flock(self._file, fcntl.LOCK_UN)
        with suppress(OSError):
            self._file.close()

    def carried(self) -> None:
        """See `leave_at_fork`: a child would hold the lock as long as it lives."""
        self._file.close()


@contextmanager
def errors_of_store(path: Path) -> Iterator[None]:
    """Turn the errors of the operating system into ours, telling which file."""
    try:
        yield
    except OSError as error:
        raise store_error(path, error) from error


def store_error(path: Path, error: OSError) -> PillarboxError:
    """What an error of the operating system means to whoever must act."""
    where = str(error.filename or path)
    reason = error.strerror or str(error)
    code = errno.errorcode.get(error.errno or 0, "")
    if out := ran_out(where, error.errno):
        return out
    if code in _DENIED:
        return StoreReadOnly(where, reason, remedy="make it readable and its folder writable")
    if code in _MISSING:
        return StoreMissing(where, reason)
    remedy = "check the disk (`dmesg`, free space, network mounts), then run again"
    return StoreFailed(where, reason, remedy=remedy)
