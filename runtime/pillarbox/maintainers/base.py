"""What the words with a base of the server share: gaps in what is known, and what goes stale.

Depends on: codec, stale.  Never on: the words themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from pillarbox.codec import keys_under, one_key
from pillarbox.maintainers.stale import StaleTable
from pillarbox.storage import StoredKey

#: Where a row stands in its group: integers that compare as its key does.
Position: TypeAlias = tuple[int, ...]


class Keys:
    """The keys of a table, out of the values of the parts that begin them."""

    __slots__ = ("_bare", "_key", "_prefixes")

    def __init__(
        self, key: Callable[..., StoredKey], *prefixes: Callable[..., bytes], bare: bool = False
    ) -> None:
        """`prefixes` encode the first part, the first two, .. up to all but the last. `bare`: no parts."""
        self._key = key
        self._prefixes = prefixes
        self._bare = bare

    def under(self, *parts: Any) -> tuple[StoredKey | None, StoredKey | None]:
        """(low, high) of the keys that begin so: low <= key < high, None is open-ended."""
        if self._bare or len(parts) > len(self._prefixes):
            return one_key(self._key(*parts))
        return keys_under(self._prefixes[len(parts) - 1](*parts)) if parts else (None, None)


class Holes(Protocol):
    """A ranges table, as far as a base needs to know it. All keys are encoded."""

    def intersects(self, group_prefix: bytes, low: bytes, high: bytes) -> bool:
        """Whether something in the closed range was never fetched."""


@dataclass(frozen=True)
class HolesShape:
    """The generated half of what ties a word to the holes of its source."""

    #: A key of the word -> the encoded group and space of its holes.
    prefix_of: Callable[[Any], bytes]
    #: A position -> the encoded parts of it that the holes are over, all of one width.
    point_of: Callable[[Position], bytes]
    #: The encoded group and space of a hole -> the parts that begin the word's keys; None where the word
    #: has nothing to do with it.
    parts_of: Callable[[bytes], Sequence[Any] | None]


@dataclass(frozen=True)
class MissedShape:
    """How much of a word's key can be told of a row that is not stored, by the names of what is known."""

    #: For each part of the word's key the field of the source that it is; None where it is none.
    key: tuple[str | None, ...]
    #: For each part of the position likewise.
    position: tuple[str | None, ...] = ()

    def known(self, fields: Mapping[str, Any]) -> list[Any]:
        """The values of the parts that begin the word's key, as many as are known."""
        found = []
        for name in self.key:
            if name is None or name not in fields:
                break
            found.append(fields[name])
        return found

    def place(self, fields: Mapping[str, Any]) -> Position | None:
        """The position, where all of it is known."""
        if not self.position or any(name is None or name not in fields for name in self.position):
            return None
        return tuple(fields[name] for name in self.position if name is not None)


@dataclass(frozen=True)
class Doubt:
    """Where a word writes down that a base cannot be trusted."""

    table: StaleTable[Any]
    #: A key of the word -> the key to be asked for.
    key_of: Callable[[Any], StoredKey]

    def mark(self, keys: Sequence[StoredKey]) -> None:
        """Mark each once."""
        if keys:
            self.table.mark_keys(list(dict.fromkeys(map(self.key_of, keys))))


def after(point: bytes) -> bytes | None:
    """The least encoding of the same width above `point`; None above the greatest."""
    number = int.from_bytes(point) + 1
    return None if number >> (8 * len(point)) else number.to_bytes(len(point))


def always(_key: Any) -> bool:
    """Of every group."""
    return True


def never(_key: Any) -> bool:
    """Of no group."""
    return False
