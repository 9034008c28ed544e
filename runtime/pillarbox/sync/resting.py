"""Polls and recipes that wait, since server or store want time; and the flush that waits for them.

Depends on: flight, job_poll, job_reset, jobs.  Never on: clocks, transports, boxes.

Law: what rests holds up nothing but flushes, and is not asked before it may be, whoever wants it; then it is
asked from where its cursor stands by that time (sync.md 12, Q1, Q10). What the store has not taken so often
that it may never do is told, and no flush waits for it any more, nor for what the server refuses (A-11, Q6).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final, TypeAlias

from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.job_reset import ResetJob
from pillarbox.sync.jobs import Core, FlushJob
from pillarbox.sync.protocol import Backoff
from pillarbox.sync.signals import CommitFailed, Id, Untaken
from pillarbox.sync.untakens import Untakens

OWNER: Final = "resting"
#: A box-wide cursor, and which recipe of it; "": its poll.
_What: TypeAlias = tuple[int, str]


class Resting:
    """What box-wide cursors may not be asked for a while."""

    def __init__(self, core: Core) -> None:
        self._core = core
        #: Until when each of their polls rests, and which of these such as there was no connection for.
        self._polls: dict[int, Id] = {}
        self._lost: set[int] = set()
        #: How often in a row nothing came of each that could be used, and how often there were doubts.
        self._tries: dict[int, int] = {}
        self._doubted: dict[int, int] = {}
        #: Of recipes, which row asks for it, if one does, and until when each rests.
        self._recipes: dict[_What, tuple[Debt | None, Id]] = {}
        #: How often in a row each recipe was run, and no answer to a poll was written between but such as
        #: ask for it again.
        self._remade: dict[_What, int] = {}
        self._untakens = Untakens[_What](core.protocol, core.flight.limits)
        self._waiting: FlushJob | None = None

    @property
    def works(self) -> bool:
        """Whether anything rests."""
        return bool(self._polls or self._recipes)

    @property
    def untaken(self) -> Untaken | None:
        """What the store does not take, however often it comes: the first of it."""
        return self._untakens.first

    def forbids(self, cursor: int) -> bool:
        """Whether it is not to be polled now: its poll rests, or a recipe that a poll would ask for again."""
        return cursor in self._polls or any(
            cursor == of and debt is None for (of, _), (debt, _) in self._recipes.items()
        )

    def holds(self, cursor: int, recipe: str | None = None) -> bool:
        """Whether anything of it rests; or such a recipe."""
        if recipe is not None:
            return (cursor, recipe) in self._recipes
        return cursor in self._polls or any(cursor == of for of, _ in self._recipes)

    # --------------------------------------------------------------------------------------- what rests

    def put(self, cursor: int, wait_ms: int, /) -> None:
        """Its poll has ended in vain, and there is none before that time. It is asked about (D-4), also where
        the answer that came was one that had waited at the server.
        """
        self._core.asks(cursor)
        self._rest(cursor, wait_ms)

    def put_off(self, cursor: int, /) -> None:
        """What asks for its poll asks without end; unless somebody else waits for it."""
        if self._is_unasked(cursor):
            self.put(cursor, self._core.flight.limits.debt_rest_ms)

    def gave_up(self, cursor: int, wait_ms: int, /) -> None:
        """A recipe that its poll had asked for came to nothing, which is told; the poll asks for it again, at
        once where somebody else waits for one, and the server does not want time.
        """
        if self._is_unasked(cursor) or (wait_ms and not self.forbids(cursor)):
            self._rest(cursor, max(wait_ms, self._core.flight.limits.debt_rest_ms))

    def _is_unasked(self, cursor: int) -> bool:
        """Whether it may be polled, and nobody waits for that."""
        return not self.forbids(cursor) and all(
            it.cursor != cursor for it in self._core.queue.waiting(PollJob)
        )

    def _rest(self, cursor: int, wait_ms: int) -> None:
        for poll in self._core.queue.waiting(PollJob):
            if poll.cursor == cursor:
                self._core.queue.jobs.remove(poll)
        self._polls[cursor] = self._wait(wait_ms, lambda: self._poll(cursor))

    def again(self, cursor: int, backoff: Backoff, /, *, is_lost: bool = False) -> None:
        """Nothing came of its poll that could be used; where it `is_lost`, for want of a connection."""
        tries = self._tries[cursor] = self._tries.get(cursor, 0) + 1
        self.put(cursor, min(backoff.step_ms * tries, backoff.cap_ms))
        if is_lost:
            self._lost.add(cursor)

    def session(self) -> None:
        """A new one, in which nothing was tried yet. It begins with polls, of what waited for it too."""
        self._tries.clear()
        for cursor in self._lost:
            self._core.flight.forget(self._polls.pop(cursor))
        self._lost.clear()
        self.look()

    def doubts(self, cursor: int, /) -> bool:
        """Nobody knows whether the server has what an answer needs: whether to ask anew for that."""
        doubted = self._doubted[cursor] = self._doubted.get(cursor, 0) + 1
        return doubted <= self._core.flight.limits.need_tries_max

    def told(self, cursor: int, /) -> None:
        """Whatever was tried in vain, the server has said something."""
        self._tries.pop(cursor, None)
        self._doubted.pop(cursor, None)

    def refused(self, cursor: int, why: CommitFailed, /) -> None:
        """The store did not take what its poll brought."""
        self.put(cursor, self._count((cursor, ""), why))

    def refused_recipe(self, cursor: int, why: CommitFailed, recipe: str, debt: Debt | None, /) -> None:
        """The same, of a recipe. Polls go on, but where they would only ask for it again."""
        self._core.asks(cursor)
        self._drop((cursor, recipe))  # An answer to a poll may run one that rests.
        until = self._wait(self._count((cursor, recipe), why), lambda: self._run(cursor, recipe))
        self._recipes[cursor, recipe] = debt, until

    def poll(self, cursor: int, recipe: str) -> None:
        """Of one that was made anew by that, before anything else. A server that is never content with it is
        asked later each time, or nothing else would have its turn (sync.md D-6).
        """
        times = self._remade[cursor, recipe] = self._remade.get((cursor, recipe), 0) + 1
        if times > 1:
            self.put(cursor, self._core.flight.store_wait_ms(times - 1))
        else:
            self._core.queue.first(PollJob(self._core, cursor))

    def stop(self, cursor: int) -> None:
        """It is refused for good: its next poll finds the recipes that are owed by then."""
        for job in self._core.queue.waiting(ResetJob):
            if job.cursor == cursor and job.is_owed:
                self._core.queue.jobs.remove(job)
                self.took(cursor, job.spec.name)
        for _, recipe in [
            it for it, (debt, _) in self._recipes.items() if it[0] == cursor and debt is not None
        ]:
            self.took(cursor, recipe)

    def _drop(self, what: _What) -> None:
        _, until = self._recipes.pop(what, (None, None))
        if until is not None:
            self._core.flight.forget(until)

    def took(self, cursor: int, recipe: str = "", /, *, but: Container[str] = ()) -> None:
        """What that brought is written, or nobody waits for it any more. `but`: recipes it asks for."""
        self._untakens.took((cursor, recipe))
        if recipe:
            self._drop((cursor, recipe))  # What has rested since may be done by now.
            self.look()
        else:
            remade = self._remade.items()
            self._remade = {what: times for what, times in remade if what[0] != cursor or what[1] in but}

    def _count(self, what: _What, why: CommitFailed) -> int:
        """For how long it rests, in milliseconds."""
        return self._core.flight.store_wait_ms(self._untakens.refused(what, (what[0], b""), why))

    def _wait(self, wait_ms: int, then: Callable[[], None]) -> Id:
        flight = self._core.flight
        return flight.timer(OWNER, flight.now + wait_ms, lambda _: then())

    def _poll(self, cursor: int) -> None:
        del self._polls[cursor]
        self._lost.discard(cursor)
        self._core.replace((cursor,))
        self.look()

    def _run(self, cursor: int, recipe: str) -> None:
        debt, _ = self._recipes.pop((cursor, recipe))
        if debt is None:
            self._core.queue.first(ResetJob(self._core, recipe))
        else:
            self._core.remake(debt)
        self.look()

    # ------------------------------------------------------------------------------------------- the flush

    @property
    def _flush(self) -> FlushJob | None:
        """The one that all share who wait for a flush."""
        queued = (job for job in self._core.queue.jobs if isinstance(job, FlushJob))
        return next(queued, self._waiting)

    def hear(self, events: Sequence[object]) -> None:
        """They were published while it waits."""
        if (flush := self._flush) is not None:
            flush.take(events)

    def join(self, ticket: int) -> None:
        """Who waits for one."""
        flush = self._flush
        if flush is None:
            firsts = (spec for spec in self._core.protocol.cursors.values() if spec.first is not None)
            flush = FlushJob(self._core, next(firsts, None))
            self._core.queue.last(flush)
        flush.tickets.append(ticket)

    def look(self) -> None:
        """What it waits for is over, or refused."""
        if self._waiting is not None:
            flush, self._waiting = self._waiting, None
            self._core.queue.last(flush)

    def keeps(self, flush: FlushJob) -> bool:
        """Whether anything rests; then it has left the queue, and comes back behind the first of that."""
        if not self.works:
            return False
        flush.end()
        flush.started = False
        self._waiting = flush
        return True
