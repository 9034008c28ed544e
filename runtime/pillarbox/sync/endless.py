"""Questions that a server answers once it has something to tell, asked again and again.

Depends on: flight, job_poll, drafts, trails.  Never on: clocks, transports, boxes.

Law: while nothing else asks about such a cursor one question about it waits at the server, from where the
cursor stands, and it holds up nothing; its answer is applied as that of a poll is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from pillarbox.sync.claims import Position
from pillarbox.sync.cursor_parts import leads_on
from pillarbox.sync.drafts import Reading, Snapshot
from pillarbox.sync.flight import Asking
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.jobs import Core
from pillarbox.sync.protocol import Answer, Difference, Poll, Remedy, Request
from pillarbox.sync.signals import Id, Refused
from pillarbox.sync.trails import Trail

OWNER: Final = "endless"


@dataclass(slots=True)
class _Loop:
    """The question about one cursor."""

    cursor: int
    difference: Difference
    request: Callable[[Position], Request]
    #: Tells a question from those that were given up; of the one that is prepared or asked.
    turn: int = 0
    begun: bool = False
    asking: Asking | None = None
    timer: Id | None = None
    #: From where, and when, it was asked last.
    asked: Position = None
    at: int | None = None
    #: Where its answers have led.
    trail: Trail | None = None
    #: How often in a row it was refused.
    refused: int = 0


class Endless:
    """One question a cursor. It asks only in the master: others see what that one writes (sync.md P-3)."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._master = False
        self._loops = {
            spec.id: _Loop(spec.id, spec.difference, spec.loop)
            for spec in core.protocol.cursors.values()
            if spec.loop is not None and spec.difference is not None and not spec.keyed
        }

    @property
    def cursors(self) -> tuple[int, ...]:
        """Those that are asked about so."""
        return tuple(self._loops)

    def role(self, master: bool) -> None:
        """Whether it asks."""
        self._master = master
        for cursor in self._loops:
            self.stop(cursor)

    def stop(self, cursor: int) -> None:
        """Something else is about to move the cursor: an answer from where it stands now is of no use."""
        one = self._loops.get(cursor)
        if one is None or not one.begun:
            return
        one.turn += 1
        one.begun = False
        if one.asking is not None:
            one.asking.stop()
            one.asking = None
        if one.timer is not None:
            self._core.flight.forget(one.timer)
            one.timer = None

    def begin(self, cursor: int) -> None:
        """Nothing more is known to be missing: wait for what comes."""
        one = self._loops.get(cursor)
        if one is None or one.begun or not self._master:
            return
        one.begun = True
        what = Reading(frozenset({(cursor, b"")}))
        self._core.flight.load(OWNER, what, partial(self._loaded, one, one.turn))

    def _loaded(self, one: _Loop, turn: int, snapshot: Snapshot) -> None:
        if turn != one.turn:
            return
        position = snapshot.positions[one.cursor, b""]
        flight, due = self._core.flight, 0
        if one.at is not None and not self._leads_on(one, position):
            # A server that has nothing to tell and does not wait either is not asked without end.
            backoff = one.difference.backoff
            due = one.at + min(backoff.step_ms * max(one.refused, 1), backoff.cap_ms)
        if due > flight.now:
            one.timer = flight.timer(OWNER, due, lambda _: self._ask(one, position))
        else:
            self._ask(one, position)

    def _leads_on(self, one: _Loop, there: Position) -> bool:
        if one.asked is None or there is None:
            return one.asked != there
        parts = self._core.protocol.cursors[one.cursor].parts
        one.trail = one.trail or Trail(parts, one.asked)
        is_back = one.trail.is_back(there)
        return leads_on(parts, one.asked, dict(enumerate(there))) and not is_back

    def _ask(self, one: _Loop, position: Position) -> None:
        flight = self._core.flight
        one.timer = None
        one.asked, one.at = position, flight.now
        then = partial(self._come, one)
        one.asking = flight.ask(OWNER, one.request(position), one.difference.backoff, then)

    def _come(self, one: _Loop, answer: Answer) -> None:
        one.refused = one.refused + 1 if isinstance(answer, Refused) else 0
        if isinstance(answer, Refused) and self._passes(one, answer):
            assert one.asking is not None
            one.asking.again()
            return
        one.asking = None
        one.begun = False
        came = (one.asked, one.request(one.asked), answer)
        self._core.queue.first(PollJob(self._core, one.cursor, came=came))

    def _passes(self, one: _Loop, refused: Refused) -> bool:
        """Whether nothing follows on it but the same question, after a while."""
        remedy = one.difference.errors.get(refused.code, Remedy.RETRY)
        if isinstance(remedy, Poll):
            return remedy.cursor == one.cursor
        return remedy is Remedy.RETRY
