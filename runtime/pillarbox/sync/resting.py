"""Polls that wait, since server or store want time; and the flush that waits for them.

Depends on: flight, job_poll, jobs.  Never on: clocks, transports, boxes.

Law: such a poll holds up nothing but flushes, and is not asked before it may be, whoever wants it; then it is
asked from where its cursor stands by that time (sync.md 12, Q1, Q10). A flush that learns of a refusal for
good waits no longer (Q6).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from pillarbox.sync.flight import Reply
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.jobs import Core, FlushJob

OWNER: Final = "resting"


class Resting:
    """The box-wide cursors that may not be asked about for a while."""

    def __init__(self, core: Core) -> None:
        self._core = core
        #: Those, and how often the poll of each had doubts (sync.md A-9) and was not written (A-11) before.
        self.cursors: dict[int, tuple[int, int]] = {}
        self._waiting: FlushJob | None = None

    def __contains__(self, cursor: int) -> bool:
        return cursor in self.cursors

    def put(self, cursor: int, wait_ms: int, doubted: int, failures: int) -> None:
        """Its poll has ended in vain, and there is none before that time."""
        for poll in self._core.queue.waiting(PollJob):
            if poll.cursor == cursor:
                self._core.queue.jobs.remove(poll)
        self.cursors[cursor] = doubted, failures
        flight = self._core.flight
        flight.timer(OWNER, flight.now + wait_ms, partial(self._is_over, cursor))

    def _is_over(self, cursor: int, _reply: Reply) -> None:
        doubted, failures = self.cursors.pop(cursor)
        self._core.replace((cursor,))
        for poll in self._core.queue.waiting(PollJob):
            if poll.cursor == cursor:
                poll.doubted, poll.failures = doubted, failures
        self.look()

    # ------------------------------------------------------------------------------------------- the flush

    @property
    def flush(self) -> FlushJob | None:
        """The one that all share who wait for a flush."""
        queued = (job for job in self._core.queue.jobs if isinstance(job, FlushJob))
        return next(queued, self._waiting)

    def join(self, ticket: int) -> None:
        """Who waits for one."""
        flush = self.flush
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
        """Whether there are any; then it has left the queue, and comes back behind the first of them."""
        if not self.cursors:
            return False
        flush.end()
        flush.started = False
        self._waiting = flush
        return True
