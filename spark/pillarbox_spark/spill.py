"""Spills: entries at positions of the input, written in order by one task and merged by another.

Depends on: files, msgspec, pillarbox.errors.  Never on: what the entries hold.

Law: merging spills gives the entries of all of them in the order of their positions, or an error.

A spill is a run of blocks: a header (kind, bytes, CRC-32), then msgpack of a list of entries. Its last
block is of the other kind and tells how many entries there are, so that a torn spill is known as one.
"""

from __future__ import annotations

import heapq
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from operator import lt
from pathlib import Path
from struct import Struct
from types import TracebackType
from typing import BinaryIO, Final, Self, TypeAlias

import msgspec

from pillarbox.errors import DataError, UsageError
from pillarbox_spark.files import errors_of_store

#: File, record, emission: as numbered in the input, and unlike those of any other entry; then the data.
Entry: TypeAlias = tuple[int, int, int, list[bytes]]

_HEADER: Final = Struct(">4sQI")
_ENTRIES: Final = b"PBXe"
_END: Final = b"PBXz"
#: A block is written when it has so many entries, or so many bytes of data.
_BLOCK_ENTRIES: Final = 256
_BLOCK_BYTES: Final = 1 << 20
_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODE_ENTRIES: Final = msgspec.msgpack.Decoder(list[Entry]).decode
_DECODE_COUNT: Final = msgspec.msgpack.Decoder(int).decode


class SpillTorn(DataError):
    """A spill is not what was written."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; run again, and check the disk that this folder is on")


class SpillWriter:
    """Writes one spill. Entries come in the order of their positions; `finish` makes it whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: list[Entry] = []
        self._bytes = 0
        self._last: Entry | None = None
        #: How many entries were added.
        self.count = 0
        with errors_of_store(path):
            self._file: BinaryIO = path.open("wb")

    def add(self, entry: Entry) -> None:
        """One more entry. Raises UsageError, perhaps some entries later, when it is out of order."""
        self._entries.append(entry)
        self._bytes += sum(map(len, entry[3]))
        if len(self._entries) == _BLOCK_ENTRIES or self._bytes >= _BLOCK_BYTES:
            self._flush()

    def finish(self) -> None:
        """Write what is left and the end, and close."""
        self._flush()
        self._write(_END, _ENCODE(self.count))
        self.close()

    def close(self) -> None:
        """Close the file as it is: torn, unless it was finished."""
        with errors_of_store(self._path):
            self._file.close()

    def _flush(self) -> None:
        entries = self._entries
        if not entries:
            return
        before = self._last or entries[0]
        if not (before is entries[0] or before < entries[0]) or not all(map(lt, entries, entries[1:])):
            raise UsageError(
                f"{self._path}: entries came out of order, from {entries[0][:3]} on; "
                f"the adapter must give the records of a file in order, each once"
            )
        self._last = entries[-1]
        self.count += len(entries)
        self._write(_ENTRIES, _ENCODE(entries))
        self._entries, self._bytes = [], 0

    def _write(self, kind: bytes, payload: bytes) -> None:
        with errors_of_store(self._path):
            self._file.write(_HEADER.pack(kind, len(payload), zlib.crc32(payload)))
            self._file.write(payload)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_spill(path: Path) -> Iterator[Entry]:
    """The entries of a spill, in order. Raises SpillTorn.

    The file is open for a block at a time only, so that thousands may be read side by side.
    """
    begin = count = 0
    while True:
        with errors_of_store(path), path.open("rb") as file:
            file.seek(begin)
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size:
                raise SpillTorn(path, f"it ends at byte {begin + len(header):,}, without its last block")
            kind, size, crc = _HEADER.unpack(header)
            payload = file.read(min(size, os.fstat(file.fileno()).st_size))
        if len(payload) != size or zlib.crc32(payload) != crc or kind not in (_ENTRIES, _END):
            raise SpillTorn(path, f"the block at byte {begin:,} is damaged")
        if kind == _END:
            if _DECODE_COUNT(payload) != count:
                raise SpillTorn(path, f"it holds {count:,} entries, not {_DECODE_COUNT(payload):,}")
            return
        entries = _DECODE_ENTRIES(payload)
        count += len(entries)
        yield from entries
        begin += _HEADER.size + size


def merged(paths: Sequence[Path]) -> Iterator[Entry]:
    """The entries of all spills in the order of their positions. Raises SpillTorn; UsageError on twins."""
    return distinct(heapq.merge(*map(read_spill, paths)))


def distinct(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The same entries; raises UsageError when two are at one position or out of order."""
    last: tuple[int, int, int] = (-1, -1, -1)
    for entry in entries:
        position = entry[:3]
        if position <= last:
            raise UsageError(
                f"record {position[1]} of file {position[0]} was read twice; "
                f"the adapter must index each record in one piece only"
            )
        last = position
        yield entry
