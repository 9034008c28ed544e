"""What stands in a record of a session: one struct for each kind of entry, and the file they are framed in.

Depends on: errors.  Never on: the machine, boxes.

Laws. An entry is written by one call, behind all that was written before. What a crash tore off at the end is
left out, and cut off before more is written; damage anywhere else is an error, never a shorter record.
"""

from __future__ import annotations

import errno
import os
import struct
import zlib
from io import FileIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import msgspec

from pillarbox.errors import DataError, UsageError

_MAGIC: Final = b"pillarbox record 1\n"
#: Length of an entry, and the CRC-32 of it.
_FRAME: Final = struct.Struct("<II")


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    """Common to all."""

    #: As it is called where records are shown.
    word: ClassVar[str]


class Header(_Entry, frozen=True, tag=0):
    """The first entry of a file."""

    word = "header"
    package: str
    layout_hash: str


class Began(_Entry, frozen=True, tag=1):
    """An engine started."""

    word = "began"
    now: int
    marker: int
    master: bool
    limits: dict[str, Any]


class Said(_Entry, frozen=True, tag=2):
    """A container."""

    word = "said"
    now: int
    container: bytes
    #: The operations that the program handed over with it.
    did: tuple[bytes, ...] = ()


class Mumbled(_Entry, frozen=True, tag=3):
    """Something that is no container of the schema; `text` shows it."""

    word = "mumbled"
    now: int
    text: str


class Replied(_Entry, frozen=True, tag=4):
    """An answer."""

    word = "answered"
    now: int
    owner: str
    number: int
    answer: bytes


class Broke(_Entry, frozen=True, tag=5):
    """A failure: the name of its class, and what it holds."""

    word = "failed"
    now: int
    owner: str
    number: int
    kind: str
    value: str | int | None


class NewSession(_Entry, frozen=True, tag=6):
    """The session changed."""

    word = "session"
    now: int


class Tick(_Entry, frozen=True, tag=7):
    """A timer was due."""

    word = "ticked"
    now: int
    owner: str
    number: int


class Role(_Entry, frozen=True, tag=8):
    """This process became master, or was it no more."""

    word = "role"
    now: int
    master: bool


class Awoke(_Entry, frozen=True, tag=9):
    """Another process wrote."""

    word = "woken"
    now: int


class Demanded(_Entry, frozen=True, tag=10):
    """The program asked for something; `what` is resync, flush, custom, open or close."""

    word = "asked"
    now: int
    ticket: int
    what: str
    cursor: int
    key: int | bytes


class Poked(_Entry, frozen=True, tag=11):
    """What a side machine follows is another; of holes, which."""

    word = "poked"
    now: int
    owner: str
    holes: bytes | None


class Stored(_Entry, frozen=True, tag=12):
    """A transaction was over. `events` are those of a commit, None after one that read."""

    word = "stored"
    now: int
    owner: str
    number: int
    events: int | None


class Unstored(_Entry, frozen=True, tag=13):
    """A transaction came to nothing."""

    word = "unstored"
    now: int
    owner: str
    number: int
    reason: str
    stale: bool
    ill: bool = False


class Ended(_Entry, frozen=True, tag=14):
    """The engine ended."""

    word = "ended"
    now: int


class Sent(_Entry, frozen=True, tag=15):
    """A request was about to be asked: it follows from what was heard, so that a replay can be compared."""

    word = "sent"
    owner: str
    number: int
    request: bytes


class Beside(_Entry, frozen=True, tag=16):
    """Others wrote, the program itself or another process; so often, and what is in no record."""

    word = "beside"
    times: int


Entry: TypeAlias = (
    Header
    | Began
    | Said
    | Mumbled
    | Replied
    | Broke
    | NewSession
    | Tick
    | Role
    | Awoke
    | Demanded
    | Poked
    | Stored
    | Unstored
    | Ended
    | Sent
    | Beside
)
_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Entry)


class Record(NamedTuple):
    """A file of entries, read."""

    header: Header
    #: Without the header.
    entries: tuple[Entry, ...]
    #: Bytes at the end that are no whole entry.
    torn: int


class RecordWriter:
    """Appends to a file, which is made if it is not there.

    Raises UsageError where it is another box's, OSError where nothing can be written to it.
    """

    def __init__(self, path: str | PathLike[str], header: Header) -> None:
        self._path = fspath(path)
        torn = 0
        is_new = not os.path.exists(self._path) or not os.path.getsize(self._path)
        if not is_new:
            found = read_record(self._path)
            torn = found.torn
            if found.header != header:
                raise UsageError(
                    f"{self._path} is a record of {found.header.package}, layout {found.header.layout_hash}, "
                    f"not of {header.package}, layout {header.layout_hash}; name another file to record to"
                )
        try:
            self._file = FileIO(self._path, "a")
        except OSError as error:
            raise UsageError(f"{self._path}: {error.strerror}; name a file that can be written") from error
        try:
            if torn:
                self._file.truncate(os.path.getsize(self._path) - torn)
            if is_new:
                self._file.write(_MAGIC)
                self.write(header)
        except OSError:
            self.close()
            raise

    def write(self, entry: Entry) -> None:
        """At the end. Raises OSError; then nothing more must be written."""
        data = _ENCODER.encode(entry)
        frame = _FRAME.pack(len(data), zlib.crc32(data)) + data
        if self._file.write(frame) != len(frame):
            raise OSError(errno.ENOSPC, "only a part of an entry could be written", self._path)

    def close(self) -> None:
        """Nothing more is written."""
        self._file.close()


def read_record(path: str | PathLike[str]) -> Record:
    """All of a record. Raises UsageError where it is none, DataError where it is damaged."""
    name = fspath(path)
    if os.path.exists(name) and not os.path.isfile(name):  # to read a pipe would be to wait for ever
        raise UsageError(f"{name} is no regular file; name a file that a session was recorded to")
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}; name a file that a session was recorded to") from error
    if not data.startswith(_MAGIC):
        raise UsageError(f"{name} is no record of a session, or one of a newer version; name another file")
    entries: list[Entry] = []
    at = len(_MAGIC)
    while (found := _entry_at(data, at, name)) is not None:
        entry, at = found
        entries.append(entry)
    if not entries or not isinstance(entries[0], Header):
        raise DataError(f"{name}: the record has no header; it was torn at its beginning: record anew")
    return Record(entries[0], tuple(entries[1:]), len(data) - at)


def _entry_at(data: bytes, at: int, name: str) -> tuple[Entry, int] | None:
    """An entry and where it ends; None where nothing whole is left."""
    begin = at + _FRAME.size
    if begin > len(data):
        return None
    length, crc = _FRAME.unpack_from(data, at)
    end = begin + length
    if end > len(data):
        return None
    try:
        if zlib.crc32(data[begin:end]) != crc:
            raise ValueError("its bytes are not those that were written")
        return _DECODER.decode(data[begin:end]), end
    except ValueError as error:
        if end == len(data):
            return None
        raise DataError(
            f"{name}: the entry at byte {at} is damaged: {error}; get the file from where it was recorded"
        ) from error
