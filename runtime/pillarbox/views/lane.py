"""The keys of one range nearest to one of its ends, kept up to date without reading.

Depends on: reads, interests (what a change is).  Never on: parts, who is interested.

Law: the *zone*, the `count` keys nearest to the end, is what a fresh read would give, and so is the key
that follows it, where `spare` asks for that. Beyond the zone some slack is held, so that a removal
rarely has to read. `complete` says that nothing is stored beyond what is held.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
_SLACK_MIN: Final = 8
_key: Final = itemgetter(0)


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
    `left` are the items that came into the zone and left it, `entered_keys` and `left_keys` their keys;
    a key whose cell changed is in both.
    """

    __slots__ = (
        "_held_max",
        "_item_of",
        "_newest_first",
        "_range",
        "_size",
        "_spare",
        "complete",
        "count",
        "entered",
        "entered_keys",
        "incomplete",
        "items",
        "keys",
        "left",
        "left_keys",
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
        #: How many keys are wanted; None is all of them.
        self.count: int | None = 0
        self.complete = True
        #: How many are held at most: those, what is spare, and slack.
        self._held_max: int | None = 0
        #: How many keys are looked at, at most, for those that are lacking; None is all. `incomplete`: it was
        #: not enough, and more is shown only as it changes.
        self.tests_max: int | None = None
        self.incomplete = False
        #: How many there are in the zone.
        self._size = 0
        self.keys: list[Any] = []
        self.items: list[Item] = []
        self.entered: Sequence[Item] = ()
        self.left: Sequence[Item] = ()
        self.entered_keys: Sequence[StoredKey] = ()
        self.left_keys: Sequence[StoredKey] = ()

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

    def _edge(self) -> StoredKey | None:
        """The outermost key of the zone, None if it is empty."""
        size = self._size
        return self.keys[-size if self._newest_first else size - 1] if size else None

    def reaches(self, key: StoredKey) -> bool:
        """Whether a key is in the range."""
        low, high = self._range
        return (low is None or key >= low) and (high is None or key < high)  # type: ignore[operator]

    # ----------------------------------------------------------------------------------- changes

    def rest(self) -> None:
        """Tell no more what the last change was."""
        self.entered = self.left = self.entered_keys = self.left_keys = ()

    def clear(self) -> None:
        """Hold nothing, of a range that has nothing."""
        self.left_keys, self.left = self.zone_keys(), self.zone_items()
        self.entered_keys = self.entered = ()
        self.keys, self.items, self.complete, self._size = [], [], True, 0
        self._want(0)

    def load(self, reads: Reads, low: StoredKey | None, high: StoredKey | None, count: int | None) -> None:
        """Read the range from its near end."""
        self.clear()
        self._range = (low, high)
        self._want(count)
        self.complete = self.incomplete = False
        self._read_on(reads)
        self._size = len(self.keys) if count is None else min(count, len(self.keys))
        self._drop_overflow()
        self.entered_keys, self.entered = self.zone_keys(), self.zone_items()

    def resize(self, reads: Reads, count: int) -> None:
        """Want another number of keys."""
        edge = self._edge()
        self._want(count)
        self._settle(reads, edge, {}, [], [])

    def _want(self, count: int | None) -> None:
        self.count = count
        self._held_max = None if count is None else count + self._spare + slack_of(count)

    def fold(self, reads: Reads, deltas: Sequence[Delta]) -> None:
        """Fold in changes within the range. Reads only if too few keys are left."""
        keys, items, item_of = self.keys, self.items, self._item_of
        newest_first, complete = self._newest_first, self.complete
        left_keys: list[StoredKey] = []
        left: list[Item] = []
        if newest_first and self._size:
            if len(deltas) > 1 and not complete:
                # Beyond the outermost key rows are unknown. Most of what moves to the front comes from there.
                outermost = keys[0]
                deltas = [delta for delta in deltas if delta[0] >= outermost]
            if not deltas:
                self.entered = self.left = self.entered_keys = self.left_keys = ()
                return
            newest = keys[-1]
            if deltas[0][0] > newest:
                if len(deltas) == 1:
                    self._append(deltas)
                    return
                if min(map(_key, deltas)) > newest:
                    self._append(sorted(deltas, key=_key))
                    return
        edge = self._edge()
        most = self._held_max
        if newest_first and self._size and most is not None and len(deltas) > 2 * most and self._counts_all():
            # Where more come than there is room for, the nearest of these fill it, and what is further away
            # need not come in to be pushed out. That is always so, but where it is `incomplete`.
            coming = sorted([key for key, _, after in deltas if after is not None])
            if len(coming) > most:
                deltas = self._cut(coming[-most], deltas, left_keys, left)
                complete = True  # as far as that goes
        # Beyond the outermost key held, unless all is held, rows in between are unknown.
        outermost = (keys[0] if newest_first else keys[-1]) if keys else None
        fresh: dict[StoredKey, Item] = {}
        for key, _, after in deltas:
            item = None if after is None else item_of(key, after)
            at = bisect_left(keys, key)
            if at < len(keys) and keys[at] == key:
                if edge is not None and (key >= edge if newest_first else key <= edge):  # type: ignore[operator]
                    left_keys.append(key)
                    left.append(items[at])
                if item is None:
                    del keys[at], items[at]
                else:
                    items[at] = fresh[key] = item
            elif item is not None and (
                complete or (outermost is not None and (key > outermost if newest_first else key < outermost))
            ):
                keys.insert(at, key)
                items.insert(at, item)
                fresh[key] = item
        self._settle(reads, edge, fresh, left_keys, left)

    def _cut(
        self, first: StoredKey, deltas: Sequence[Delta], left_keys: list[StoredKey], left: list[Item]
    ) -> Sequence[Delta]:
        """Hold nothing below `first`; what leaves the zone by that, and the changes that are left."""
        keys, items = self.keys, self.items
        zone, end = len(keys) - self._size, bisect_left(keys, first)
        left_keys += keys[zone:end]
        left += items[zone:end]
        del keys[:end], items[:end]
        self.complete = False
        return [delta for delta in deltas if delta[0] >= first]  # type: ignore[operator]

    def _append(self, deltas: Sequence[Delta]) -> None:
        """Fold in keys, in ascending order, that are nearer than all that are held: what most commits do.

        It does what `fold` does for them, without looking for where they belong.
        """
        keys, items, item_of = self.keys, self.items, self._item_of
        entered_keys: list[StoredKey] = []
        entered: list[Item] = []
        for key, _, after in deltas:
            if after is not None and (item := item_of(key, after)) is not None:
                entered_keys.append(key)
                entered.append(item)
        keys += entered_keys
        items += entered
        held, count, came = len(keys), self.count, len(entered)
        self.left = self.left_keys = ()
        if count is None or held <= count:
            self._size = held
        else:
            first, was_first = held - count, held - came - self._size
            self._size = count
            if came > count:
                del entered_keys[:-count], entered[:-count]
            if was_first < first:
                last = min(first, held - came)
                self.left, self.left_keys = items[was_first:last], keys[was_first:last]
            over = held - self._held_max  # type: ignore[operator]  # as long as there is a count
            if over > 0:
                del keys[:over], items[:over]
                self.complete = False
        self.entered, self.entered_keys = entered, entered_keys

    def _settle(
        self,
        reads: Reads,
        edge: StoredKey | None,
        fresh: dict[StoredKey, Item],
        left_keys: list[StoredKey],
        left: list[Item],
    ) -> None:
        """Refill, and find what came into the zone and left it. `edge` is the zone's edge from before, `left`
        what was changed or removed inside it.
        """
        keys, items, count = self.keys, self.items, self.count
        if not self.complete and (count is None or len(keys) < count + self._spare):
            self._read_on(reads)
        held = len(keys)
        self._size = size = held if count is None or count > held else count
        inside = keys[held - size if self._newest_first else size - 1] if size else None
        entered_keys: list[StoredKey] = []
        entered: list[Item] = []
        if edge is None or inside != edge:
            # From `first` to `last` the zone has grown, or the other way round it has shrunk.
            if self._newest_first:
                first, last = held - size, held if edge is None else bisect_left(keys, edge)
            else:
                first, last = 0 if edge is None else bisect_right(keys, edge), size
            for at in range(first, last):
                if keys[at] not in fresh:
                    entered_keys.append(keys[at])
                    entered.append(items[at])
            for at in range(last, first):
                if keys[at] not in fresh:
                    left_keys.append(keys[at])
                    left.append(items[at])
        if inside is not None and fresh:
            for key, item in fresh.items():
                if key >= inside if self._newest_first else key <= inside:
                    entered_keys.append(key)
                    entered.append(item)
        self.entered_keys, self.entered, self.left_keys, self.left = entered_keys, entered, left_keys, left
        if self._held_max is not None and held > self._held_max:
            self._drop_overflow()

    def _drop_overflow(self) -> None:
        """Hold no more than the zone and its slack."""
        most = self._held_max
        if most is not None and (over := len(self.keys) - most) > 0:
            cut = slice(0, over) if self._newest_first else slice(most, None)
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
            if wanted is None:
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
        return list(map(_key, cells)), list(starmap(self._item_of, cells))
