"""What answers that lead nowhere ask for, where whoever they ask about was answered so as well.

Depends on: build, claims, decide, jobs.  Never on: the queue, clocks, transports, boxes.

Law: answers that ask for one another, and move nothing, do so once in a while; all else that an answer asks
for is asked at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pillarbox.sync.build import Ready
from pillarbox.sync.claims import Instance
from pillarbox.sync.decide import Owed
from pillarbox.sync.jobs import Core


class Circles:
    """Whose answers led nowhere of late, and asked for something all the same."""

    def __init__(self, core: Core, put_off: Callable[[Owed], None]) -> None:
        self._core = core
        self._put_off = put_off
        #: When it was answered so. Of a recipe of a box-wide cursor: when it was run.
        self._vain: dict[Instance, int] = {}

    def at_once(self, of: Instance, ready: Ready, *, leads_on: bool) -> Ready:
        """What is to be asked for now of what an answer about `of` asks for; the rest rests."""
        flight = self._core.flight
        since = flight.now - flight.limits.debt_rest_ms
        self._vain = {it: at for it, at in self._vain.items() if at > since and it != of}
        asks = {*((cursor, b"") for cursor in ready.polls), *(one.debt.instance for one in ready.owed)}
        if leads_on or not asks:
            return ready
        circle = asks & self._vain.keys()
        self._vain[of] = flight.now
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
