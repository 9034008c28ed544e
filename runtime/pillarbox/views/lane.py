"""The keys of one range nearest to one of its ends, kept up to date without reading.

Depends on: reads, interests (what a change is).  Never on: parts, who is interested.

Law: the *zone*, the `count` keys nearest to the end, is what a fresh read would give, and so is the key
that follows it, where `spare` asks for that. Beyond the zone some slack is held, so that a removal
rarely has to read. `complete` says that nothing is stored beyond what is held.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import starmap
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pillarbox.views.interests import Delta
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import Cell, TableSpec

Item = TypeVar("Item")

_INT64_MAX: Final = (1 << 63) - 1
_ALL: Final = sys.maxsize
_SLACK_MIN: Final = 8
_key: Final = itemgetter(0)
_cell: Final = itemgetter(1)
#: Came and left, where nothing did; it is never changed.
_NOTHING: Final[dict[Any, Any]] = {}


def slack_of(count: int) -> int:
    """How many keys are held beyond the zone: a quarter, at least 8."""
    return max(_SLACK_MIN, count >> 2)


def next_key(key: StoredKey) -> StoredKey | None:
    """The least key greater than `key`; None if there cannot be one."""
    if isinstance(key, int):
        return None if key == _INT64_MAX else key + 1
    return key + b"\0"


def cell_itself(key: StoredKey, cell: Cell) -> Cell:
    """Where cells are held as they are."""
    return cell


class Lane(Generic[Item]):
    """An ordered window on one range of one table.

    `item_of(key, cell)` makes what is held under a key; None means that the key does not count. Keys are
    held in ascending order whichever end is near. After `load`, `fold` and `resize`, `entered` and
    `left` are what came into the zone and left it, by key; a key whose cell changed is in both.
    """

    __slots__ = (
        "_held_max",
        "_item_of",
        "_newest_first",
        "_range",
        "_size",
        "_spare",
        "_wanted",
        "complete",
        "count",
        "entered",
        "incomplete",
        "items",
        "keys",
        "left",
        "spec",
        "tests_max",
    )

    def __init__(
        self,
        spec: TableSpec[Any],
        item_of: Callable[[StoredKey, Cell], Item | None],
        *,
        newest_first: bool,
        spare: int = 0,
    ) -> None:
        self.spec = spec
        self._item_of = item_of
        self._newest_first = newest_first
        self._spare = spare
        self._range: tuple[StoredKey | None, StoredKey | None] = (None, None)
        #: How many keys are wanted; None is all of them, and `_wanted` is then more than there can be.
        self.count: int | None = 0
        self._wanted = 0
        self.complete = True
        #: How many are held at most: those, what is spare, and slack.
        self._held_max = 0
        #: How many keys are looked at, at most, for those that are lacking; None is all. `incomplete`: it was
        #: not enough, and more is shown only as it changes.
        self.tests_max: int | None = None
        self.incomplete = False
        #: How many there are in the zone.
        self._size = 0
        self.keys: list[Any] = []
        self.items: list[Item] = []
        self.entered: dict[Any, Item] = _NOTHING
        self.left: dict[Any, Item] = _NOTHING

    # ------------------------------------------------------------------------------------- state

    def zone_items(self) -> tuple[Item, ...]:
        """The items of the zone, the nearest first."""
        if not self._newest_first:
            return tuple(self.items[: self._size])
        nearest = self.items[len(self.items) - self._size :]
        nearest.reverse()
        return tuple(nearest)

    def zone_keys(self) -> list[Any]:
        """The keys of the zone, the nearest first."""
        if not self._newest_first:
            return self.keys[: self._size]
        nearest = self.keys[len(self.keys) - self._size :]
        nearest.reverse()
        return nearest

    def _zone(self) -> dict[Any, Item]:
        """What is in the zone, by key."""
        return dict(zip(self.zone_keys(), self.zone_items(), strict=True))

    def span(self) -> tuple[StoredKey | None, StoredKey | None] | None:
        """low <= key < high of which all that is stored is held; None if that is not known of anything."""
        low, high = self._range
        if not self.keys or not self._counts_all():
            return None
        if self.complete:
            return low, high
        return (self.keys[0], high) if self._newest_first else (low, next_key(self.keys[-1]))

    def cells(self) -> list[Cell]:
        """What is stored under the keys of the span."""
        items: list[Any] = self.items
        return items if self._item_of is cell_itself else list(map(self.spec.cell_of, items))

    def beyond(self) -> StoredKey | None:
        """The key that follows the zone, if `spare` keys are asked for and there is one."""
        held, size = len(self.keys), self._size
        if size == held:
            return None
        key: StoredKey = self.keys[held - size - 1 if self._newest_first else size]
        return key

    def _counts_all(self) -> bool:
        """Whether there is no key that does not count."""
        return self._item_of is self.spec.row or self._item_of is cell_itself

    def reaches(self, key: StoredKey) -> bool:
        """Whether a key is in the range."""
        low, high = self._range
        return (low is None or key >= low) and (high is None or key < high)  # type: ignore[operator]

    # ----------------------------------------------------------------------------------- changes

    def rest(self) -> None:
        """Tell no more what the last change was."""
        self.entered = self.left = _NOTHING

    def clear(self) -> None:
        """Hold nothing, of a range that has nothing."""
        self.entered, self.left = _NOTHING, self._zone()
        self.keys, self.items, self.complete, self._size = [], [], True, 0
        self._want(0)

    def load(self, reads: Reads, low: StoredKey | None, high: StoredKey | None, count: int | None) -> None:
        """Read the range from its near end."""
        self.clear()
        self._range = (low, high)
        self._want(count)
        self.complete = self.incomplete = False
        self._read_on(reads)
        self._size = min(self._wanted, len(self.keys))
        if len(self.keys) > self._held_max:
            self._drop_overflow()
        self.entered = self._zone()

    def resize(self, reads: Reads, count: int) -> None:
        """Want another number of keys."""
        self._want(count)
        self.fold(reads, ())

    def _want(self, count: int | None) -> None:
        self.count = count
        self._wanted = _ALL if count is None else count
        self._held_max = _ALL if count is None else count + self._spare + slack_of(count)

    def fold(self, reads: Reads, deltas: Sequence[Delta]) -> None:
        """Fold in changes within the range. Reads only if too few keys are left."""
        keys, items, item_of = self.keys, self.items, self._item_of
        newest_first, complete = self._newest_first, self.complete
        self.entered, self.left = entered, left = {}, {}
        if len(deltas) > self._held_max and newest_first and keys and self._counts_all():
            deltas, complete = self._cut(deltas)
        # Beyond the outermost key held, unless all is held, rows in between are unknown.
        outermost = (keys[0] if newest_first else keys[-1]) if keys else None
        size = self._size
        for key, _, after in deltas:
            item = None if after is None else item_of(key, after)
            at = bisect_left(keys, key)
            # A new key next to the edge may count as inside: if there is no room, `_tell` takes it back.
            is_inside = len(keys) - at <= size if newest_first else at < size
            if at < len(keys) and keys[at] == key:
                if is_inside:
                    left[key] = items[at]
                    if item is None:
                        size -= 1
                    else:
                        entered[key] = item
                if item is None:
                    del keys[at], items[at]
                else:
                    items[at] = item
            elif item is not None and (
                complete or (outermost is not None and (key > outermost if newest_first else key < outermost))
            ):
                if is_inside:
                    entered[key] = item
                    size += 1
                keys.insert(at, key)
                items.insert(at, item)
        held, wanted = len(keys), self._wanted
        if held < wanted + self._spare and not self.complete:
            self._read_on(reads)
            held = len(keys)
        self._size = held if held < wanted else wanted
        if self._size != size:
            self._tell(size)
        if held > self._held_max:
            self._drop_overflow()

    def _cut(self, deltas: Sequence[Delta]) -> tuple[Sequence[Delta], bool]:
        """Where more newest come than there is room for: hold nothing below those that fill it.

        What is further away need not come in to be pushed out. The changes that are left, and whether all is
        held as far as these go.
        """
        keys, items, most = self.keys, self.items, self._held_max
        coming = sorted([key for key, _, after in deltas if after is not None])
        if len(coming) <= most or (coming[-most] < keys[0] and not self.complete):
            return deltas, self.complete
        first = coming[-most]
        zone, end = len(keys) - self._size, bisect_left(keys, first)
        self.left.update(zip(keys[zone:end], items[zone:end], strict=True))
        del keys[:end], items[:end]
        self._size = min(self._size, len(keys))
        self.complete = False
        return [delta for delta in deltas if delta[0] >= first], True  # type: ignore[operator]

    def _tell(self, reached: int) -> None:
        """Tell of what comes into the zone and leaves it, which has reached over another number of keys."""
        keys, items, entered = self.keys, self.items, self.entered
        # From `first` to `last` the zone has shrunk, or the other way round it has grown.
        if self._newest_first:
            first, last = len(keys) - reached, len(keys) - self._size
        else:
            first, last = self._size, reached
        if last < first:
            entered.update(zip(keys[last:first], items[last:first], strict=True))
        for at in range(first, last):
            key = keys[at]
            if entered.pop(key, None) is None:  # else it has but come in, or changed
                self.left[key] = items[at]

    def _drop_overflow(self) -> None:
        """Hold no more than the zone and its slack, of which there is too much."""
        most = self._held_max
        cut = slice(0, len(self.keys) - most) if self._newest_first else slice(most, None)
        del self.keys[cut], self.items[cut]
        self.complete = False

    def _read_on(self, reads: Reads) -> None:
        """Read from the outermost key held until zone and slack are full, or nothing more is stored."""
        wanted, newest_first = self._held_max, self._newest_first
        low, high = self._range
        last = None if not self.keys else self.keys[0 if newest_first else -1]
        asked: int | None = 0
        looked_at = 0
        while not self.complete:
            if last is not None:
                if newest_first:
                    high = last
                else:
                    low = next_key(last)
                    if low is None:
                        self.complete = True
                        return
            if wanted == _ALL:
                asked = None
            else:
                missing = wanted - len(self.keys)
                if missing <= 0:
                    return
                # Where few rows count, ask for more each time.
                asked = max(missing, 2 * (asked or 0))
                if self.tests_max is not None:
                    asked = min(asked, self.tests_max - looked_at)
            keys, items = self._page(reads, low, high, asked)
            size = len(keys)
            if asked is None or size < asked:
                self.complete = True
            if keys:
                last = keys[-1]
            if None in items:  # some do not count
                keys = [key for key, item in zip(keys, items, strict=True) if item is not None]
                items = [item for item in items if item is not None]
            if newest_first:
                self.keys[:0], self.items[:0] = keys[::-1], items[::-1]
            else:
                self.keys += keys
                self.items += items
            looked_at += size
            if not self.complete and looked_at == self.tests_max:
                self.incomplete = self.complete = len(self.keys) < (self.count or 0) + self._spare
                return

    def _page(
        self, reads: Reads, low: StoredKey | None, high: StoredKey | None, limit: int | None
    ) -> tuple[list[Any], list[Any]]:
        """The first `limit` keys of low <= key < high from the near end, and what is held under each."""
        cells = reads.cells(self.spec, low, high, newest_first=self._newest_first, limit=limit)
        keys, item_of = list(map(_key, cells)), self._item_of
        return keys, list(map(_cell, cells) if item_of is cell_itself else starmap(item_of, cells))
