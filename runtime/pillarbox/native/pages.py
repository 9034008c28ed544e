"""Pages in Python: the specification of `native/pillarbox_page.c`, and what runs where no object is.

Depends on: interface, faults.  Never on: cffi, tables, storage.

Law: `open_page` takes exactly the bytes that `build_page` writes for some rows.

A page is `u32 count`, the keys, and in a page of rows `u32` offsets (count + 1) and the values; numbers are
little-endian. Keys of one width lie back to back; others follow offsets (count + 1) of their own. Offsets
count from the first byte behind them, begin with 0 and never decrease. A key's width is not in the page: its
table knows it.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, repeat
from struct import Struct, unpack_from
from typing import Final, TypeAlias

from pillarbox.errors import UsageError
from pillarbox.native.faults import PageCorrupt
from pillarbox.native.interface import Status

_U32: Final = Struct("<I")
#: What a page lies in. It is never written to again.
Packed: TypeAlias = bytes | bytearray


@dataclass(frozen=True, slots=True)
class Page:
    """A page whose offsets were checked. `key_width` 0: keys vary; `values_at` 0: it has keys alone."""

    data: Packed
    count: int
    key_width: int
    key_offsets_at: int
    keys_at: int
    value_offsets_at: int
    values_at: int

    def key(self, row: int) -> bytes:
        """The key of one row, 0 <= row < count."""
        if self.key_width:
            at = self.keys_at + row * self.key_width
            return bytes(self.data[at : at + self.key_width])
        begin, end = unpack_from("<2I", self.data, self.key_offsets_at + 4 * row)
        return bytes(self.data[self.keys_at + begin : self.keys_at + end])

    def keys(self) -> tuple[bytes, ...]:
        """All keys, in the order of the page."""
        if self.key_width == 0:
            return self._spans(self.key_offsets_at, self.keys_at)
        return unpack_from(f"{self.key_width}s" * self.count, self.data, self.keys_at)

    def values(self) -> tuple[bytes, ...]:
        """All values, in the order of the page; none in a page of keys alone."""
        return self._spans(self.value_offsets_at, self.values_at) if self.values_at else ()

    def _spans(self, offsets_at: int, base: int) -> tuple[bytes, ...]:
        offsets = unpack_from(f"<{self.count + 1}I", self.data, offsets_at)
        data = bytes(memoryview(self.data)[base : base + offsets[-1]])  # slices of which are the fastest way
        return tuple([data[begin:end] for begin, end in pairwise(offsets)])


def build_page(keys: Sequence[bytes], values: Sequence[bytes] | None, key_width: int) -> bytes:
    """A page of rows, or of keys alone (`values` None). `key_width` 0: keys vary.

    Raises UsageError when a key has another width, the sequences differ in length, or the keys or the values
    together pass 4 GiB.
    """
    if values is not None and len(values) != len(keys):
        raise UsageError(f"{len(keys)} keys and {len(values)} values; pass one value for each key")
    pieces = [_U32.pack(len(keys))]
    if key_width == 0:
        pieces.append(_offsets(keys))
    elif keys and set(map(len, keys)) != {key_width}:
        raise UsageError(f"a key is not {key_width} bytes wide; pass the keys of one table")
    pieces.append(b"".join(keys))
    if values is not None:
        pieces += (_offsets(values), *values)  # not joined twice: the page may be large
    return b"".join(pieces)


def with_values(keys: Packed, values: Packed) -> bytes:
    """The page of rows out of a page of their keys and a page of their values, both of spans alone.

    A page of values is one of keys that vary: `build_page(values, None, 0)`. Raises UsageError when one holds
    more than the other.
    """
    if keys[:4] != values[:4]:
        counts = [*_U32.unpack_from(keys), *_U32.unpack_from(values)]
        raise UsageError(f"{counts[0]} keys and {counts[1]} values; pass one value for each key")
    return b"".join((keys, memoryview(values)[4:]))


def too_large() -> UsageError:
    """The error for keys or values that offsets cannot count."""
    return UsageError("a page holds at most 4 GiB of keys and 4 GiB of values; build several")


def _offsets(spans: Sequence[bytes]) -> bytes:
    try:
        offsets = array("I", accumulate(map(len, spans), initial=0))
    except OverflowError:
        raise too_large() from None
    if sys.byteorder == "big":
        offsets.byteswap()
    return offsets.tobytes()


def open_page(data: Packed, key_width: int) -> Page:
    """The page that these bytes are. Raises PageCorrupt."""
    size = len(data)
    if size < 4:
        raise PageCorrupt(Status.PAGE_SHORT, size)
    (count,) = _U32.unpack_from(data)
    key_offsets_at, at = 0, 4
    if key_width == 0:
        key_offsets_at, keys_at = at, at + 4 * (count + 1)
        at = _check_offsets(data, count, at)
    else:
        keys_at, at = at, at + count * key_width
        if at > size:
            raise PageCorrupt(Status.PAGE_SHORT, size)
    if at == size:
        return Page(data, count, key_width, key_offsets_at, keys_at, 0, 0)
    end = _check_offsets(data, count, at)
    if end != size:
        raise PageCorrupt(Status.PAGE_TRAILING, end)
    return Page(data, count, key_width, key_offsets_at, keys_at, at, at + 4 * (count + 1))


def _check_offsets(data: Packed, count: int, at: int) -> int:
    """The offset behind the bytes that the offsets at `at` cut up."""
    base = at + 4 * (count + 1)
    if base > len(data):
        raise PageCorrupt(Status.PAGE_SHORT, len(data))
    before = 0
    for row, offset in enumerate(unpack_from(f"<{count + 1}I", data, at)):
        if offset < before or (row == 0 and offset != 0):
            raise PageCorrupt(Status.PAGE_OFFSETS, at + 4 * row)
        before = offset
    if base + before > len(data):
        raise PageCorrupt(Status.PAGE_SHORT, len(data))
    return base + before


def check_ascending(page: Page) -> None:
    """Raise PageCorrupt at the first key that is not above the one before it."""
    keys = page.keys()
    at = page.keys_at
    for before, key in pairwise(keys):
        at += len(before)
        if before >= key:
            raise PageCorrupt(Status.PAGE_ORDER, at)


def slice_page(page: Page, begin: int, end: int) -> bytes:
    """Rows begin .. end - 1 as a page of their own. Raises UsageError unless 0 <= begin <= end <= count."""
    check_slice(page, begin, end)
    values = page.values()[begin:end] if page.values_at else None
    return build_page(page.keys()[begin:end], values, page.key_width)


def check_slice(page: Page, begin: int, end: int) -> None:
    """Raise UsageError unless 0 <= begin <= end <= count."""
    if not 0 <= begin <= end <= page.count:
        raise UsageError(f"rows {begin} .. {end} of a page of {page.count}; pass 0 <= begin <= end <= count")


def sort_pages(pages: Sequence[Page]) -> bytes:
    """The rows of all pages as one page whose keys ascend; of rows with one key the last one stays.

    Raises UsageError for pages that are not of one table, and above 4 GiB of keys or of values.
    """
    check_alike(pages)
    rows: dict[bytes, bytes] = {}
    for page in pages:
        rows.update(zip(page.keys(), page.values() or repeat(b""), strict=False))
    keys = sorted(rows)
    return build_page(keys, [rows[key] for key in keys] if pages[0].values_at else None, pages[0].key_width)


def check_alike(pages: Sequence[Page]) -> None:
    """Raise UsageError unless there are pages, all of one key width, and all with values or all without."""
    shapes = {(page.key_width, page.values_at > 0) for page in pages}
    if len(shapes) != 1:
        raise UsageError(f"{len(shapes)} kinds of pages; pass pages of one table, at least one")


# --------------------------------------------------------------------------------------------- XXH64

_MASK: Final = (1 << 64) - 1
_PRIME1: Final = 0x9E3779B185EBCA87
_PRIME2: Final = 0xC2B2AE3D27D4EB4F
_PRIME3: Final = 0x165667B19E3779F9
_PRIME4: Final = 0x85EBCA77C2B2AE63
_PRIME5: Final = 0x27D4EB2F165667C5


def _rotated(number: int, bits: int) -> int:
    number &= _MASK
    return (number << bits | number >> (64 - bits)) & _MASK


def _round(lane: int, word: int) -> int:
    return _rotated(lane + word * _PRIME2, 31) * _PRIME1 & _MASK


def hash64(data: bytes, seed: int = 0) -> int:
    """XXH64, the published one. For checksums, not against an adversary. `seed`: 0 .. 2**64 - 1."""
    at, size = 0, len(data)
    if size >= 32:
        lanes = [seed + _PRIME1 + _PRIME2, seed + _PRIME2, seed, seed - _PRIME1]
        for at in range(0, size - 31, 32):
            lanes = list(map(_round, lanes, unpack_from("<4Q", data, at)))
        at += 32
        number = sum(map(_rotated, lanes, (1, 7, 12, 18)))
        for lane in lanes:
            number = (number ^ _round(0, lane)) * _PRIME1 + _PRIME4 & _MASK
    else:
        number = seed + _PRIME5
    return _avalanche(_hash_rest(number + size & _MASK, data[at:]))


def _hash_rest(number: int, rest: bytes) -> int:
    at = 0
    while len(rest) - at >= 8:
        (word,) = unpack_from("<Q", rest, at)
        number = _rotated(number ^ _round(0, word), 27) * _PRIME1 + _PRIME4 & _MASK
        at += 8
    if len(rest) - at >= 4:
        number = _rotated(number ^ _U32.unpack_from(rest, at)[0] * _PRIME1, 23) * _PRIME2 + _PRIME3 & _MASK
        at += 4
    for byte in rest[at:]:
        number = _rotated(number ^ byte * _PRIME5, 11) * _PRIME1 & _MASK
    return number


def _avalanche(number: int) -> int:
    number = (number ^ number >> 33) * _PRIME2 & _MASK
    number = (number ^ number >> 29) * _PRIME3 & _MASK
    return number ^ number >> 32
