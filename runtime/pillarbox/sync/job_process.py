"""Collecting what the server says, and processing it as one batch.

Depends on: jobs, making, build, pieces, decide.  Never on: clocks, transports, boxes.

Law: only what lies beyond a gap comes back into a collect, under the deadline it was first given (sync.md
G-14, G-15, E-7, E-19).
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox.sync.build import Ready, Wants, build_pushed, polled
from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.decide import Situation
from pillarbox.sync.drafts import Snapshot
from pillarbox.sync.jobs import OWNER, Base, Core
from pillarbox.sync.making import Making
from pillarbox.sync.needs import Fetched, reading_of
from pillarbox.sync.pieces import Piece
from pillarbox.sync.protocol import Poll, Update
from pillarbox.sync.queue import Kind
from pillarbox.sync.signals import CommitFailed, Facts, Id


class Collect:
    """Pieces that wait: for the step to end, or for what closes a gap (sync.md Q3)."""

    kind = Kind.COLLECT
    #: It only waits, so whatever is put first goes before it.
    running = False

    def __init__(self, core: Core, pieces: Sequence[Piece]) -> None:
        self._core = core
        self.pieces = list(pieces)
        self.started = False
        self._timer: Id | None = None

    @property
    def fresh(self) -> bool:
        """Whether some of it was never checked; then it waits for nothing but its turn."""
        return any(piece.deadline is None for piece in self.pieces)

    def asks(self, cursor: int) -> bool:
        """Whether some of it has that polled, whatever the counters say by then."""
        return _asks(self.pieces, cursor)

    def start(self) -> None:
        """Yield once, so that a burst becomes one batch; or wait for the rest of the deadline."""
        self.started = True
        now = self._core.flight.now
        due = now if self.fresh else min(piece.deadline or now for piece in self.pieces)
        self._timer = self._core.flight.timer(OWNER, max(due, now), lambda _: self.process())

    def pause(self) -> None:
        """Something goes before it."""
        if self._timer is not None:
            self._core.flight.forget(self._timer)
            self._timer = None
        self.started = False

    def add(self, pieces: Sequence[Piece]) -> None:
        """More of it. A gap that was being waited for is looked at again at once (sync.md G-15)."""
        waited = self.started and not self.fresh
        self.pieces += pieces
        if waited and self.fresh:
            self.pause()
            self.process()

    def process(self) -> None:
        """It becomes a batch."""
        self._core.queue.finish(self)
        self._core.queue.first(Process(self._core, tuple(self.pieces)))


class Process(Base):
    """One batch through the three phases (sync.md 6, Q7)."""

    kind = Kind.PROCESS

    def __init__(self, core: Core, pieces: tuple[Piece, ...]) -> None:
        super().__init__(core)
        self.pieces = pieces

    def asks(self, cursor: int) -> bool:
        """As those that it was made of."""
        return _asks(self.pieces, cursor)

    def begin(self) -> None:
        """Read what the batch speaks of."""
        flight = self.core.flight
        instances = {it.instance for piece in self.pieces for it in piece.keyed}
        what = reading_of(self.core.protocol, updates_of(self.pieces), instances, flight.log)
        Making(flight, OWNER, what, self._build, self._made)

    def _build(self, snapshot: Snapshot, fetched: Fetched) -> Ready | Wants:
        flight = self.core.flight
        situation = Situation(self.core.protocol, snapshot.positions, flight.now, flight.author())
        return build_pushed(situation, self.pieces, snapshot.rows, fetched)

    def _made(self, ready: Ready) -> None:
        if ready.discard:
            self._give_up()
        elif ready.draft.empty:
            self._done(ready, Facts())
        else:
            self.core.flight.commit(OWNER, ready.draft, lambda it: self._done(ready, it), self._give_up)

    def _done(self, ready: Ready, facts: Facts) -> None:
        """What was applied is told; what is held goes back; what is missing is asked for (A-10)."""
        self.end()
        self.core.publish((*facts.events, *ready.unhandled))
        self.core.wrote(ready, self.pieces)
        if ready.held:
            self.core.collect(ready.held)
        if ready.polls:
            self.core.replace(ready.polls)

    def _give_up(self, _failed: CommitFailed | None = None) -> None:
        """Nothing was written: the polls bring it, and debts what polls do not (sync.md Q7)."""
        self.end()
        give_up(self.core, self.pieces)


def _asks(pieces: Sequence[Piece], cursor: int) -> bool:
    """What has a claim may be old, and asks for nothing then: who waited for that might wait for ever."""
    return any(piece.claim is None and Poll(cursor) in piece.acts for piece in pieces)


def updates_of(pieces: Sequence[Piece]) -> list[Update]:
    """All updates of a batch."""
    keyed = [it.update for piece in pieces for it in piece.keyed if it.update is not None]
    return [update for piece in pieces for update in piece.updates] + keyed


def give_up(core: Core, pieces: Sequence[Piece]) -> None:
    """These are dropped, and what they brought is asked for."""
    core.replace(polled(core.protocol))
    instances = {it.instance for piece in pieces for it in piece.keyed}
    author = core.flight.author()
    core.owe_alone(Debt(*instance, run=author.run, since=author.number) for instance in sorted(instances))
