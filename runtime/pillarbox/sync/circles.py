"""What answers that lead nowhere, or round, ask for, where whoever they ask about was answered so as well.

Depends on: build, claims, decide, drafts, jobs, trails.  Never on: the queue, clocks, transports, boxes.

Law: answers that ask for one another, and move nothing or lead back to where they led, do so once in a while;
all else that an answer asks for is asked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import replace

from pillarbox.sync.build import Ready
from pillarbox.sync.claims import Instance
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.jobs import Core
from pillarbox.sync.trails import Trail


class Circles:
    """Whose answers led nowhere of late, and asked for something all the same."""

    def __init__(self, core: Core, put_off: Callable[[Owed], None]) -> None:
        self._core = core
        self._put_off = put_off
        #: When it was answered so. Of a recipe of a box-wide cursor: when it was run.
        self._vain: dict[Instance, int] = {}
        #: Of those whose answers asked for something, where they led of late, and when the last one came.
        self._trails: dict[Instance, tuple[Trail, int]] = {}

    def goes_round(self, of: Instance, draft: BatchDraft) -> bool:
        """Whether an answer that asks for something, which is written, has led to where `of` was of late."""
        flight, spec = self._core.flight, self._core.protocol.cursors[of[0]]
        since = flight.now - flight.limits.debt_rest_ms
        self._trails = {it: trail for it, trail in self._trails.items() if trail[1] > since}
        here = draft.expects.get(of)
        trail, _ = self._trails.get(of) or (Trail(spec.parts, here), 0)
        self._trails[of] = trail, flight.now
        there = list(here or spec.zero)
        for part, value in draft.sets.get(of, {}).items():
            there[part] = value
        return trail.is_back(tuple(there))

    def at_once(self, of: Instance, readies: Sequence[Ready], *, leads_on: bool) -> list[Ready]:
        """What is to be asked for now of what the answers to one inquiry about `of` ask for; the rest rests.

        Of slices, which are several answers, any one may lead round: they are judged together.
        """
        since = self._core.flight.now - self._core.flight.limits.debt_rest_ms
        self._vain = {it: at for it, at in self._vain.items() if at > since and it != of}
        if leads_on:
            return list(readies)
        known = frozenset(self._vain)
        if any(ready.polls or ready.owed for ready in readies):
            self._vain[of] = self._core.flight.now
        return [self._out_of(known, ready) for ready in readies]

    def _out_of(self, circle: Set[Instance], ready: Ready) -> Ready:
        """What is asked for of nobody in the circle; the rest rests."""
        for cursor in ready.polls:
            if (cursor, b"") in circle:
                self._core.resting.put_off(cursor)
        for one in ready.owed:
            if one.debt.instance in circle:
                self._put_off(one)
        return replace(
            ready,
            polls=tuple(it for it in ready.polls if (it, b"") not in circle),
            owed=tuple(it for it in ready.owed if it.debt.instance not in circle),
        )
