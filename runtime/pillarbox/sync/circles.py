"""What answers that lead nowhere, or round, ask for, where whoever they ask about was answered so as well.

Depends on: build, claims, decide, drafts, jobs, trails.  Never on: the queue, clocks, transports, boxes.

Law: answers that ask for one another, and move nothing or lead back to where they led, do so once in a while;
all else that an answer asks for is asked at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from pillarbox.sync.build import Ready
from pillarbox.sync.claims import Instance
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.flight import Flight
from pillarbox.sync.jobs import Core
from pillarbox.sync.trails import Trail

T = TypeVar("T")


class _OfLate(Generic[T]):
    """A value for each instance that got one of late. What is older is forgotten, the oldest first."""

    def __init__(self, flight: Flight) -> None:
        self._flight = flight
        #: In the order in which they came.
        self._values: OrderedDict[Instance, tuple[int, T]] = OrderedDict()

    def __contains__(self, instance: object) -> bool:
        return instance in self._values

    def put(self, instance: Instance, value: T) -> None:
        self.pop(instance)
        self._values[instance] = self._flight.now, value

    def pop(self, instance: Instance) -> T | None:
        since = self._flight.now - self._flight.limits.debt_rest_ms
        while self._values and (first := next(iter(self._values.items())))[1][0] <= since:
            del self._values[first[0]]
        _, value = self._values.pop(instance, (0, None))
        return value


class Circles:
    """Whose answers led nowhere of late, and asked for something all the same."""

    def __init__(self, core: Core, put_off: Callable[[Owed], None]) -> None:
        self._core = core
        self._put_off = put_off
        #: Who was answered so. Of a recipe of a box-wide cursor: whose was run.
        self._vain = _OfLate[bool](core.flight)
        #: Of those whose answers asked for something, where they led.
        self._trails = _OfLate[Trail](core.flight)

    def goes_round(self, of: Instance, draft: BatchDraft) -> bool:
        """Whether an answer that asks for something, which is written, has led to where `of` was of late."""
        spec, here = self._core.protocol.cursors[of[0]], draft.expects.get(of)
        trail = self._trails.pop(of) or Trail(spec.parts, here)
        self._trails.put(of, trail)
        there = list(here or spec.zero)
        for part, value in draft.sets.get(of, {}).items():
            there[part] = value
        return trail.is_back(tuple(there))

    def at_once(self, of: Instance, readies: Sequence[Ready], *, leads_on: bool) -> list[Ready]:
        """What is to be asked for now of what the answers to one inquiry about `of` ask for; the rest rests.

        Of slices, which are several answers, any one may lead round: they are judged together.
        """
        self._vain.pop(of)
        if leads_on:
            return list(readies)
        out_of = [self._out_of(self._vain, ready) for ready in readies]
        if any(ready.polls or ready.owed for ready in readies):
            self._vain.put(of, True)
        return out_of

    def _out_of(self, circle: Container[Instance], ready: Ready) -> Ready:
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
