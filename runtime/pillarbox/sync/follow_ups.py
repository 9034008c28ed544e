"""What refusals about instances ask for, each not at once after the one before.

Depends on: build, inquiry, jobs, protocol.  Never on: debts, transports, boxes.

Law: all of it is asked for, though nothing of it stands in the box: what waits when the role of the master
goes, or a session begins, is asked for then (sync.md K-10, P-3).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from pillarbox.sync.build import polled
from pillarbox.sync.claims import Instance
from pillarbox.sync.inquiry import Found
from pillarbox.sync.jobs import Core
from pillarbox.sync.protocol import Act, Poll
from pillarbox.sync.signals import Id

OWNER: Final = "debts"


class FollowUps:
    """Acts by the instance that was refused."""

    def __init__(self, core: Core) -> None:
        self._core = core
        #: When it was asked for last what its refusals ask for.
        self._asked: dict[Instance, int] = {}
        #: What they ask for meanwhile, until a timer.
        self._waiting: dict[Instance, tuple[Id, dict[Act, None]]] = {}

    def follow(self, found: Found) -> None:
        """What a refusal asks for; after another one not at once, since its answer may owe the same anew."""
        flight, instance = self._core.flight, found.instance
        if not found.acts:
            return
        if instance in self._waiting:
            self._waiting[instance][1].update(dict.fromkeys(found.acts))
            return
        last = self._asked.get(instance)
        if last is None or last + flight.limits.debt_rest_ms <= flight.now:
            self._ask(instance, found.acts)
            return
        timer = flight.timer(OWNER, last + flight.limits.debt_rest_ms, partial(self._ticked, instance))
        self._waiting[instance] = timer, dict.fromkeys(found.acts)

    def session(self) -> None:
        """A new one: it begins with the polls of all box-wide cursors, and the rest is asked for now."""
        self._asked.clear()
        self._ask_now(polled(self._core.protocol))

    def hand_over(self) -> None:
        """The role of the master goes: nobody else knows of what waits."""
        self._ask_now()

    def _ask_now(self, but: tuple[int, ...] = ()) -> None:
        waiting, self._waiting = self._waiting, {}
        for instance, (timer, acts) in waiting.items():
            self._core.flight.forget(timer)
            self._ask(instance, [act for act in acts if not isinstance(act, Poll) or act.cursor not in but])

    def _ticked(self, instance: Instance, _reply: object) -> None:
        _, acts = self._waiting.pop(instance)
        self._ask(instance, acts)

    def _ask(self, instance: Instance, acts: Iterable[Act]) -> None:
        self._asked[instance] = self._core.flight.now
        for act in acts:
            self._core.ask(act)
