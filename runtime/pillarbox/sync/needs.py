"""The rows that updates need: which to read, which to ask for, and what becomes of an update without one.

Depends on: pieces, protocol.  Never on: cursors, the queue, clocks.

Law: an update that needs a row is applied only where the row stands, or comes along (sync.md A-9, A-3). What
was asked for and not answered is not known to be absent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from pillarbox.sync.claims import Instance
from pillarbox.sync.drafts import Reading
from pillarbox.sync.pieces import OnLog, relation
from pillarbox.sync.protocol import Absent, Body, Need, Request, Row, SyncProtocol, Update

#: What requests of needs brought; None: nothing.
Fetched: TypeAlias = Mapping[Request, Body | None]
#: Instead of what one brought that was never answered.
UNANSWERED: Final = Body()


class Before(NamedTuple):
    """What the answers before one bring, where all of them are written as one, and what they asked for."""

    brings: frozenset[Row] = frozenset()
    asked: frozenset[Request] = frozenset()
    #: Of these such as were not asked in vain.
    given: frozenset[Request] = frozenset()

    def written(self) -> Before:
        """The same once they are written: what they bring stands then, and may go."""
        return Before(asked=self.asked - self.given)


ALONE: Final = Before()

_GRAVITY: Final = (Absent.IGNORE, Absent.SKIP, Absent.POLL, Absent.DISCARD)


def reading(protocol: SyncProtocol, updates: Iterable[Update], log: OnLog) -> Reading:
    """What building of these updates may read: all box-wide cursors, theirs, and the rows that they need."""
    instances: set[Instance] = set()
    placed: list[Update] = []
    for update in updates:
        try:
            _, instance = relation(protocol, update)
        except Exception as error:  # Building leaves it out; here it only must not stop the others.
            log("U-1", "an update that cannot be placed", update=update, error=repr(error))
            continue
        placed.append(update)
        if instance is not None:
            instances.add(instance)
    return reading_of(protocol, placed, instances, log)


def reading_of(
    protocol: SyncProtocol, updates: Iterable[Update], instances: Iterable[Instance], log: OnLog
) -> Reading:
    """The same, where it is known which cursors of a key they are about."""
    rows: set[Row] = set()
    for update in updates:
        try:
            rows.update([need.row for need in protocol.updates.needs(update)])
        except Exception as error:  # As above.
            log("U-1", "an update that cannot be placed", update=update, error=repr(error))
    box_wide = {(spec.id, b"") for spec in protocol.cursors.values() if not spec.keyed}
    return Reading(frozenset(box_wide.union(instances)), frozenset(rows))


class Needs:
    """Holds updates against the rows that stand, that come along and that were fetched."""

    def __init__(
        self,
        protocol: SyncProtocol,
        rows: Mapping[Row, Any],
        brings: Iterable[Row],
        fetched: Fetched,
        before: Before = ALONE,
    ) -> None:
        self._protocol = protocol
        self._rows = rows
        self._along = frozenset(brings)
        self._fetched = fetched
        self._before = before
        self._written: set[Row] = set()
        self._brings = self._along.union(*(body.brings for body in fetched.values() if body))
        self._wants: dict[Request, None] = {}
        #: Rows that stood and are relied on.
        self.relied: set[Row] = set()
        #: Rows that did not stand, and were fetched: what was fetched is written over none that came since.
        self.lacked: set[Row] = set()
        #: Whether an update is held for lacking a row that the server may have.
        self.doubts = False
        #: Looked at, though nobody had read them.
        self.unread: set[Row] = set()
        #: Asked for, and the row was not there.
        self._used: dict[Request, None] = {}
        #: Asked for, and the row is there now, or comes.
        self._given: set[Request] = set()
        #: Requests for rows that stand by now.
        self._late: set[Request] = set()

    def along(self, updates: Iterable[Update]) -> None:
        """What these write is there for the others, but for those that are left out themselves."""
        if self._protocol.updates.brings is None:
            return
        each = list(updates)
        rows = [self._rows_of(update) for update in each]
        writers = Counter(row for some in rows for row in some)
        needed_by: dict[Row, list[int]] = {}
        for place, update in enumerate(each):
            for need in self._of(update) or ():
                needed_by.setdefault(need.row, []).append(place)
        self._written = set(writers)
        left_out: set[int] = set()
        doubted = list(range(len(each)))
        while doubted:
            place = doubted.pop()
            if place in left_out or not self._is_left_out(each[place]):
                continue
            left_out.add(place)
            for row in rows[place]:
                writers[row] -= 1
                if not writers[row]:
                    self._written.remove(row)
                    doubted += needed_by.get(row, ())

    def _rows_of(self, update: Update) -> frozenset[Row]:
        brings = self._protocol.updates.brings
        try:
            return frozenset(() if brings is None else brings(update))
        except Exception:  # Whoever interprets it says what is wrong with it.
            return frozenset()

    def check(self, update: Update) -> Absent | None:
        """What becomes of it; None: it is applied. For one that cannot be asked nothing is written."""
        needs = self._of(update)
        if needs is None:
            return Absent.DISCARD
        for need in needs:
            self._note(need)
        gravest = max(map(self._gravity, needs), default=0)
        self.doubts |= any(self._is_doubted(need) and self._gravity(need) for need in needs)
        return _GRAVITY[gravest] if gravest else None

    def _is_left_out(self, update: Update) -> bool:
        """As `check`, of one that may be none of those that count: nothing is noted for it."""
        needs = self._of(update)
        return needs is None or any(map(self._gravity, needs))

    def _of(self, update: Update) -> Sequence[Need] | None:
        try:
            return tuple(self._protocol.updates.needs(update))
        except Exception:  # Made of what a server sent; the read before has told of it.
            return None

    def row(self, row: Row) -> Any:
        """As it stood before the batch; that it was not read is found out."""
        if row not in self._rows:
            self.unread.add(row)
        return self._rows.get(row)

    def asks(self) -> tuple[Request, ...]:
        """To be asked for, before anything can be said.

        Again, too, what came in one answer with rows that stand by now: these may not be written over.
        """
        late = {id(self._fetched[request]) for request in self._late}
        again = (it for it in self._used if it not in self._late and id(self._fetched[it]) in late)
        return (*self._wants, *again)

    def used(self) -> list[Body]:
        """What was fetched for a row that is still missing; by the rest nothing may be written over.

        It is as old as the question, and whoever wrote the row meanwhile may have gone on from there.
        """
        bodies = (body for request, body in self._fetched.items() if request in self._used)
        return list({id(body): body for body in bodies if body is not None}.values())

    def after(self) -> Before:
        """What this one brings besides, and asked for: what the server had not then it has not now."""
        brings = self._along.union(self._written, *(body.brings for body in self.used()))
        before = self._before
        asked = {request for request, body in self._fetched.items() if body is not UNANSWERED}
        return Before(before.brings | brings, before.asked | asked, before.given | self._given)

    def _note(self, need: Need) -> None:
        """What follows on it for the draft, and what is to be asked for."""
        request, stands = need.request, self._rows.get(need.row) is not None
        if request in self._fetched and (stands or self._comes(need.row)):
            self._given.add(request)
        if stands:
            if need.absent is not Absent.IGNORE:
                self.relied.add(need.row)
            if request is not None and self._came(request):
                self._late.add(request)
        elif request is not None and need.row not in self._before.brings:
            if request in self._fetched:
                self._used[request] = None
                if self._came(request):
                    self.lacked.add(need.row)
            elif not self._comes(need.row) and request not in self._before.asked:
                self._wants[request] = None

    def _gravity(self, need: Need) -> int:
        """0: it is there, or it is asked for. What may be there must not be left out for good."""
        if self._rows.get(need.row) is not None or self._comes(need.row):
            return 0
        asked = need.request in self._fetched or need.request in self._before.asked
        absent = Absent.POLL if self._is_doubted(need) and need.absent is Absent.SKIP else need.absent
        return _GRAVITY.index(absent) if need.request is None or asked else 0

    def _is_doubted(self, need: Need) -> bool:
        """Whether it was asked for and nobody answered."""
        return need.request is not None and self._fetched.get(need.request) is UNANSWERED

    def _came(self, request: Request) -> bool:
        """Whether it brought something."""
        body = self._fetched.get(request)
        return body is not None and body is not UNANSWERED

    def _comes(self, row: Row) -> bool:
        return row in self._before.brings or row in self._brings or row in self._written
