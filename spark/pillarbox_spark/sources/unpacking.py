"""What a file of gzip holds, up to where it is damaged, if it is.

Depends on: nothing.  Never on: how files are opened, any format of records.

Law: what stands before the damage is read, but for one byte at most, however much is asked for at a time. An
unpacker that meets damage throws away what it had unpacked by then: so it is copied before each step, and the
copy unpacks less.
"""

from __future__ import annotations

import zlib
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: Packed bytes that are read at a time.
_BLOCK: Final = 1 << 16
#: Tells zlib of the header and the checksum of gzip.
_GZIP: Final = 16 + zlib.MAX_WBITS


class Unpacked(RawIOBase):
    """The bytes of a file, which is closed with it; what is wrong behind the last of them is `damage`."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._packed = file.read(_BLOCK)
        self._is_empty = not self._packed
        self._member: Any = zlib.decompressobj(_GZIP)
        self.damage = ""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        found = b""
        while not found and not self.damage and self._has_more():
            found = self._unpack(len(view))
        view[: len(found)] = found
        return len(found)

    def _has_more(self) -> bool:
        """Whether there is something to unpack; between two members lie zero bytes at most."""
        if self._member.eof:
            while not (rest := self._packed.lstrip(b"\0")):
                self._packed = self._file.read(_BLOCK)
                if not self._packed:
                    return False
            self._packed, self._member = rest, zlib.decompressobj(_GZIP)
        return not self._is_empty

    def _unpack(self, size: int) -> bytes:
        """Some bytes, `size` at most."""
        before = self._member.copy()
        try:
            found: bytes = self._member.decompress(self._packed, size)
        except zlib.error as error:
            self.damage = str(error)
            return _up_to_damage(before, self._packed, size)
        self._packed = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
        if not self._packed and not self._member.eof:
            self._packed = self._file.read(_BLOCK)
            if not self._packed and len(found) < size:
                self.damage = "the file ends before what is packed in it does"
        return found

    def close(self) -> None:
        self._file.close()
        super().close()


def _up_to_damage(member: Any, packed: bytes, size: int) -> bytes:
    """What comes before an error, which is met within `size` bytes."""
    begin, end = 0, len(packed)  # so much does not lead to it, and so much does
    while end - begin > 1:
        middle = (begin + end) // 2
        try:
            member.copy().decompress(packed[:middle], size)
            begin = middle
        except zlib.error:
            end = middle
    found: bytes = member.decompress(packed[:begin], size) if begin else b""
    while size := size // 2:  # what the byte that leads to it holds besides
        attempt = member.copy()
        try:
            part = attempt.decompress(packed[begin:], size)
        except zlib.error:
            continue
        member, packed, begin = attempt, attempt.unconsumed_tail, 0
        found += part
    return found
