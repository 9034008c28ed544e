"""What fetching holes writes: where the counters stand before it is asked, and a page with what it proves.

Depends on: drafts, hole_notes, hole_specs, protocol, signals.  Never on: timers, requests in flight.

Law: a hole shrinks in the commit that stores the rows which prove it (E-15). A page writes no row that
may have been changed or removed since it was asked for (E-21): a row outside of all holes is known, or
known to be gone, and is left alone; so is one that a commit was noted to settle; and a page is asked for
again that may be older than what is stored and unnoted. What is stored in a hole that a page closes, and not
on the page, is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.drafts import acts_owed, owe, run, split
from pillarbox.sync.hole_notes import Notes, Value, part_of
from pillarbox.sync.hole_specs import (
    Asking,
    EdgeStore,
    Guard,
    HoleSpec,
    PageRule,
    RangeStore,
    Way,
    asking,
    covered,
)
from pillarbox.sync.protocol import Act, Request, SyncProtocol, Tables, Unhandled
from pillarbox.sync.signals import Stale
from pillarbox.views import Hole


class Stood(NamedTuple):
    """The rows that are stored in what is asked for, as far as they are known: all from `low` to `high`.

    Only of these a page can say that they are gone: what is written later by the program may be newer.
    """

    low: Any
    high: Any
    ids: frozenset[Any]


class Before(NamedTuple):
    """What stands at the moment a hole is asked for."""

    asking: Asking
    request: Request | None
    #: In the order of `HoleSpec.guards`.
    values: tuple[Value, ...]
    #: None: pages do not say what is gone.
    stood: Stood | None = None


class Asked(NamedTuple):
    """What a page asks for besides, and updates in it that nothing is said of."""

    acts: tuple[Act, ...] = ()
    unhandled: tuple[Unhandled, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """Writes nothing. It is a draft, not a read, so that no commit begun before it ends after it."""

    spec: HoleSpec
    hole: Hole

    def apply(self, tx: Tables, protocol: SyncProtocol) -> Before:
        """What to ask for. Raises Stale where nothing is missing any more."""
        store, hole = self.spec.store, self.hole
        mark = store.mark(tx, hole.start) if isinstance(store, EdgeStore) else None
        missing = store.has(tx, hole.at, hole.start) if isinstance(store, RangeStore) else mark is not None
        if not missing:
            raise Stale("nothing is missing there any more")
        values = tuple(value_of(protocol, tx, guard) for guard in self.spec.guards(hole))
        asked = asking(hole, self.spec, mark)
        return Before(asked, self.spec.request(tx, asked), values, _stood(self.spec, tx, asked))


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of an answer, then what they prove, in one transaction."""

    spec: HoleSpec
    before: Before
    answer: Any
    #: Of what was given out before it. Some of that may be on its way still, and fail: that is noted here as
    #: well, since the machine hears of each transaction before the next one begins.
    notes: Notes
    #: Of what is owed.
    author: Author

    def apply(self, tx: Tables, protocol: SyncProtocol) -> Asked:
        """Gives what is to be asked. Raises Stale where the page is out of date."""
        asked, store = self.before.asking, self.spec.store
        rule = self.spec.answers[type(self.answer)]
        rows = rule.rows(self.answer)
        if not self._is_current(rule, tx, protocol):
            self._check(rule, rows)
        joined = self._joined(rule, tx, rows)
        rows = rows[:joined]
        kept = [row for row in rows if not self.notes.settles(rule.id(row))]
        if isinstance(store, RangeStore):
            kept = [row for row in kept if self._is_missing(rule, store, tx, row)]
            ids = [rule.id(row) for row in rows if rule.belongs(asked, self.answer, row)]
            low, high = covered(asked, ids, rule.covers(asked, self.answer), store)
            absent: Sequence[Any] = ()
            if rule.absent is not None and (stood := self.before.stood) is not None:
                low, high = max(low, stood.low), min(high, stood.high)
                gone = self._gone(store, tx, stood, low, high, {rule.id(row) for row in rows})
                absent = rule.absent(tx, asked, self.answer, tuple(gone)) if gone else ()
            found = self._write(rule, protocol, tx, kept, absent)
            store.cut(tx, asked.hole.at, low, high)
            return found
        if store.mark(tx, asked.hole.start) != asked.mark:
            raise Stale("the mark has changed")
        # What is left is found before the rows of the page stand among the others.
        rest = None if joined is not None else self._rest(rule, store, tx)
        found = self._write(rule, protocol, tx, kept)
        store.move(tx, asked.hole.start, rest)
        return found

    def _gone(
        self, store: RangeStore, tx: Tables, stood: Stood, low: Any, high: Any, page: set[Any]
    ) -> list[Any]:
        """Which rows the page shows to be no more: those that it would have (sync.md 8.5, D-6)."""
        assert store.stored is not None, "it was asked what stood"
        at = self.before.asking.hole.at
        return [
            id
            for id in store.stored(tx, at, low, high, None, False)
            if id in stood.ids and id not in page
            if store.has(tx, at, id)
        ]

    def _write(
        self,
        rule: PageRule,
        protocol: SyncProtocol,
        tx: Tables,
        rows: Sequence[Any],
        absent: Sequence[Any] = (),
    ) -> Asked:
        """The rows, and debts for what the page asks."""
        entries = (*absent, *rule.emit(tx, self.before.asking, rule.keep(self.answer, rows)))
        operations, acts, unhandled = split(entries)
        run(tx, protocol, operations)
        owe(tx, protocol, acts_owed(protocol, acts, self.author))
        return Asked(tuple(acts), unhandled)

    def _joined(self, rule: PageRule, tx: Tables, rows: Sequence[Any]) -> int | None:
        """The place of the first row that is known."""
        if rule.joins is None:
            return None
        return next((place for place, row in enumerate(rows) if rule.joins(tx, row)), None)

    def _rest(self, rule: PageRule, store: EdgeStore, tx: Tables) -> Any:
        """The mark that is left; none where the page meets what is known below (sync.md 8.6).

        A page from above it, which nobody has asked for, leaves it where it is: a mark only goes down.
        One that reaches into what is missing below another mark leaves one at its end, since that other says
        no more than that rows are missing down to the first one of the page.
        """
        asked = self.before.asking
        rest = None if rule.rest is None else rule.rest(asked, self.answer)
        if rest is None:
            return None
        if store.key(rest) > store.key(asked.mark):
            return asked.mark
        last = store.lowest(tx, asked.hole.start, rest) or asked.hole.start
        below = store.below(tx, last)
        return rest if below is None or store.key(rest) > below else None

    def _is_current(self, rule: PageRule, tx: Tables, protocol: SyncProtocol) -> bool:
        """Whether the page was made after all that is stored; raises Stale where that must be, and is not."""
        guards = self.spec.guards(self.before.asking.hole)
        values = [value_of(protocol, tx, guard) for guard in guards]
        if self.notes.unknown:
            raise Stale("something was written of which nothing is known")
        explained = all(map(self.notes.explain, guards, self.before.values, values))
        made = None if rule.as_of is None else rule.as_of(self.answer)
        if made is not None and len(values) == 1 and made < (self.before.values[0] or 0):
            raise Stale("the page is older than what was here when it was asked for")
        if made is not None and len(values) == 1 and made >= (values[0] or 0):
            # A commit that was noted and not done after all has settled nothing.
            if not explained and any(self.notes.settles(rule.id(row)) for row in rule.rows(self.answer)):
                raise Stale("rows of the page were to be written by a commit that was not done")
            return True
        if not explained:
            raise Stale("somebody else has moved a cursor")
        return False

    def _check(self, rule: PageRule, rows: Sequence[Any]) -> None:
        """Raises Stale where the page may have rows as they are no more, and nobody can say how they are."""
        if self.notes.any_row or any(self.notes.changes(rule.id(row)) for row in rows):
            raise Stale("rows that were asked for have changed")

    def _is_missing(self, rule: PageRule, store: RangeStore, tx: Tables, row: Any) -> bool:
        """Rows of the space that are not missing are stored or gone; of others the space tells nothing."""
        asked = self.before.asking
        return not rule.belongs(asked, self.answer, row) or store.has(tx, asked.hole.at, rule.id(row))


def _stood(spec: HoleSpec, tx: Tables, asked: Asking) -> Stood | None:
    """What is stored near to where it is asked from, so many rows on each side."""
    store = spec.store
    if not isinstance(store, RangeStore) or store.stored is None:
        return None
    if all(rule.absent is None for rule in spec.answers.values()):
        return None
    low, high = (store.first, store.last) if asked.way is Way.AROUND else (asked.lo, asked.hi)
    ids: list[Any] = []
    most = spec.limits.stood
    if asked.way is not Way.UP:
        below = store.stored(tx, asked.hole.at, low, asked.hi, most, True)
        low = below[-1] if len(below) >= most else low
        ids += below
    if asked.way is not Way.DOWN:
        above = store.stored(tx, asked.hole.at, asked.lo, high, most, False)
        high = above[-1] if len(above) >= most else high
        ids += above
    return Stood(low, high, frozenset(ids))


def value_of(protocol: SyncProtocol, tx: Tables, guard: Guard) -> Value:
    """Where a guard stands."""
    (cursor, key), part = guard
    return part_of(protocol.position(tx, cursor, key), part)
