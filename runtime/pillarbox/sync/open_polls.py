"""Instances that somebody looks at, asked about again and again.

Depends on: inquiry, jobs, decide, drafts.  Never on: clocks, transports, boxes.

Law: one question at a time about an instance, each the time after the last that its answer says; none after
the last one looked away, nor, where it was refused for good, before a new session (sync.md K-9, K-12, Q6).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from pillarbox.sync.claims import Instance
from pillarbox.sync.cursor_parts import OpenPoll
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import Reading, RoundDraft, Snapshot, Wrote
from pillarbox.sync.inquiry import Ending, Found, Inquiry
from pillarbox.sync.jobs import Adopt, Core
from pillarbox.sync.signals import CommitFailed, Draft, Facts, Id

#: The longest wait that a server is believed to mean.
_DAY_MS: Final = 86_400_000
OWNER: Final = "open"


@dataclass(slots=True)
class _Open:
    """One instance that somebody looks at."""

    spec: OpenPoll
    #: The least time between two questions.
    step_ms: int
    lookers: int = 0
    timer: Id | None = None
    inquiry: Inquiry | None = None
    #: Refused in a way that forbids to ask again in this session.
    is_stopped: bool = False


class OpenPolls:
    """All instances that somebody looks at. It asks only in the master (sync.md P-3)."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._master = False
        self._open: dict[Instance, _Open] = {}

    def role(self, master: bool) -> None:
        """Whether it asks."""
        self._master = master
        for instance, one in self._open.items():
            self._stop(one)
            # Another one: what is being read, or written, for the one before asks nothing more.
            again = self._open[instance] = replace(one)
            if master:
                self._wait(instance, again, one.spec.first_ms)

    def session(self) -> None:
        """A new one: what was refused may be asked again."""
        for instance, one in self._open.items():
            if one.is_stopped and self._master:
                self._wait(instance, one, one.spec.first_ms)

    def look(self, instance: Instance, opened: bool) -> None:
        """Somebody looks, or looks away."""
        spec = self._core.protocol.cursors[instance[0]]
        if spec.open_poll is None or not spec.keyed or spec.difference is None:
            return
        one = self._open.get(instance)
        if opened:
            if one is None:
                one = self._open[instance] = _Open(spec.open_poll, spec.difference.backoff.step_ms)
                if self._master:
                    self._wait(instance, one, spec.open_poll.first_ms)
            one.lookers += 1
        elif one is not None:
            one.lookers -= 1
            if one.lookers <= 0:
                self._stop(one)
                del self._open[instance]

    def _stop(self, one: _Open) -> None:
        if one.timer is not None:
            self._core.flight.forget(one.timer)
            one.timer = None
        if one.inquiry is not None:
            one.inquiry.stop()
            one.inquiry = None

    def _wait(self, instance: Instance, one: _Open, wait_ms: int) -> None:
        one.is_stopped = False
        flight = self._core.flight
        one.timer = flight.timer(OWNER, flight.now + wait_ms, lambda _: self._look_up(instance, one))

    def _look_up(self, instance: Instance, one: _Open) -> None:
        """It is polled only once it and the box-wide cursors have a position."""
        one.timer = None
        wanted = {(spec.id, b"") for spec in self._core.protocol.cursors.values() if not spec.keyed}
        what = Reading(frozenset({instance, *wanted}))
        self._core.flight.load(OWNER, what, lambda found: self._ask(instance, one, found))

    def _ask(self, instance: Instance, one: _Open, snapshot: Snapshot) -> None:
        if not self._is_open(instance, one):
            return
        if any(position is None for position in snapshot.positions.values()):
            self._wait(instance, one, one.spec.missing_ms)
            return
        one.inquiry = Inquiry(
            self._core.flight,
            OWNER,
            instance,
            lambda found: self._answered(one, found),
            tries_max=self._core.flight.limits.debt_tries_max,
        )

    def _answered(self, one: _Open, found: Found) -> None:
        """It enters the queue as a finished draft; if the instance moved meanwhile, it is thrown away."""
        one.inquiry = None
        session = self._core.flight.sessions
        if found.draft is None:
            self._done(one, found, session)
            return
        draft: Draft = RoundDraft((found.draft,))

        def written(outcome: Facts | CommitFailed) -> None:
            wrote = outcome.result if isinstance(outcome, Facts) else None
            if isinstance(wrote, Wrote) and not wrote.stale:
                self._follow(found, wrote)
            self._done(one, found, session)

        self._core.queue.last(Adopt(self._core, lambda: draft, written))

    def _follow(self, found: Found, wrote: Wrote) -> None:
        core = self._core
        core.publish(wrote.unhandled)
        for ready in found.readies:
            core.publish(ready.unhandled)
            core.wrote(ready)
            core.replace(ready.polls)
        for act in wrote.acts:
            core.act(act)
        core.owe(Owed(debt) for debt in wrote.owed)

    def _done(self, one: _Open, found: Found, session: int) -> None:
        """`session`: in which it was found."""
        for act in found.acts:
            self._core.ask(act)
        if not self._is_open(found.instance, one):
            return
        if found.ending is Ending.STOPPED:
            one.is_stopped = True
            if session != self._core.flight.sessions:  # It was written in another one.
                self._wait(found.instance, one, one.spec.first_ms)
            return
        self._wait(found.instance, one, max(self._wait_ms(one, found), found.wait_ms))

    def _wait_ms(self, one: _Open, found: Found) -> int:
        """As the server says, where it says a time that passes; it is asked no faster than tries are."""
        if found.answer is not None:
            try:
                wait_ms = int(one.spec.every_ms(found.answer))
                if 0 < wait_ms <= _DAY_MS:
                    return max(wait_ms, one.step_ms)
                self._core.flight.log("K-9", "an answer says to ask again at no such time", wait_ms=wait_ms)
            except Exception as error:  # Made of what a server sent.
                self._core.flight.log("K-9", "an answer does not say when to ask again", error=repr(error))
        return max(one.spec.missing_ms, 1)

    def _is_open(self, instance: Instance, one: _Open) -> bool:
        return self._master and self._open.get(instance) is one
