"""Asking for what is missing of a box-wide cursor.

Depends on: jobs, making, answers, drafts.  Never on: clocks, transports, boxes.

Law: an answer is applied only while the cursor stands where it was asked from, and a slice that moves it is
followed by another poll at once (sync.md 5, D-2, D-3, E-10). Events of each are told once it is
written: others may write between two slices, and the engine may end there (E-9).
"""

from __future__ import annotations

from functools import partial

from pillarbox.sync.answers import Taken, build_answer, take
from pillarbox.sync.build import Ready, Wants
from pillarbox.sync.claims import Position
from pillarbox.sync.cursor_parts import leads_on
from pillarbox.sync.decide import Situation
from pillarbox.sync.drafts import BatchDraft, Reading, Snapshot
from pillarbox.sync.flight import OnAnswer
from pillarbox.sync.job_reset import ResetJob
from pillarbox.sync.jobs import OWNER, Base, Core
from pillarbox.sync.making import Making
from pillarbox.sync.needs import ALONE, Before, Fetched, reading
from pillarbox.sync.protocol import (
    Answer,
    AnswerKind,
    Backoff,
    Difference,
    First,
    Poll,
    Remedy,
    Request,
    ResetAsk,
)
from pillarbox.sync.queue import Kind
from pillarbox.sync.signals import CommitFailed, Facts, Refusal, Refused


class PollJob(Base):
    """One question about one cursor."""

    kind = Kind.POLL

    def __init__(
        self,
        core: Core,
        cursor: int,
        came: tuple[Position, Request, Answer] | None = None,
        before: Before = ALONE,
    ) -> None:
        super().__init__(core)
        #: An answer that is here already, from where it was asked, and what.
        self._came = came
        self.cursor = cursor
        #: What the slices before this one asked for in vain; what they brought stands by now.
        self._before = before
        self._spec = core.protocol.cursors[cursor]
        self._instance = (cursor, b"")
        self._asked: Position = None
        self._request: Request = None

    @property
    def _backoff(self) -> Backoff:
        return Backoff() if self._spec.difference is None else self._spec.difference.backoff

    def asks(self, cursor: int) -> bool:
        """That is what it does."""
        return cursor == self.cursor

    def end(self) -> None:
        """It leaves the queue, and what comes next begins anew."""
        super().end()
        self.core.resting.told(self.cursor)

    def begin(self) -> None:
        """With the answer that is here, or with a question."""
        if self._came is not None and self._spec.difference is not None:
            self._asked, self._request, answer = self._came
            self._answered(self._spec.difference, answer)
        else:
            self._read()

    def _read(self) -> None:
        self.core.flight.load(OWNER, Reading(frozenset({self._instance}), debts=True), self._ask)

    def _ask(self, snapshot: Snapshot) -> None:
        self.core.found(snapshot.debts)
        self._asked = snapshot.positions[self._instance]
        difference = self._spec.difference
        if self._asked is None and self._spec.first is not None:
            self._send(self._spec.first.request(), partial(self._first, self._spec.first))
        elif difference is None:
            self.core.resting.took(self.cursor)
            self._finish()
        else:
            self._send(difference.request(b"", self._asked), partial(self._answered, difference))

    def _send(self, request: Request, then: OnAnswer) -> None:
        """Once: nothing that can go on waits for a server that says nothing (sync.md 12)."""

        def come(answer: Answer) -> None:
            if answer is not None:
                then(answer)
            elif asking.wait_ms:
                super(PollJob, self).end()
                self.core.resting.put(self.cursor, max(asking.wait_ms, self._backoff.step_ms))
            else:
                self._again(is_lost=asking.is_lost)

        self._request = request
        asking = self.core.flight.ask(OWNER, request, self._backoff, come, tries_max=1)

    # ------------------------------------------------------------------------------ a cursor not there yet

    def _first(self, first: First, answer: Answer) -> None:
        """Where the server is now; then it is polled from there (sync.md C-7). Refused: as a poll is."""
        if isinstance(answer, Refused) and self._spec.difference is not None:
            self._refused(answer)
            return
        self.core.answered(self.cursor)
        read = first.set.get(type(answer))
        try:
            sets = None if read is None else dict(read(answer))
        except Exception as error:  # Whatever a server sends must not stop the engine.
            self.core.flight.log("C-7", "an answer that cannot be read", answer=answer, error=repr(error))
            self._again()
            return
        if sets is None:
            self.core.flight.log("C-7", "no answer to begin with", answer=answer)
            self._again()
            return
        draft = BatchDraft(sets={self._instance: sets}, expects={self._instance: None})
        self.core.flight.commit(OWNER, draft, lambda _: self._begun(), self._failed)

    def _begun(self) -> None:
        self.core.resting.took(self.cursor)
        self._repeat()

    # --------------------------------------------------------------------------------------- its answers

    def _answered(self, difference: Difference, answer: Answer) -> None:
        if isinstance(answer, Refused):
            self._refused(answer)
            return
        self.core.answered(self.cursor, answer)
        taken = take(difference, self._instance, answer, self.core.flight.log)
        if taken is None or (taken.reset is not None and taken.reset not in self.core.protocol.resets):
            self._again()
        elif taken.kind is AnswerKind.TOO_LONG and taken.reset is not None:
            self.core.asks(self.cursor)
            self.end()
            self.core.queue.first(ResetJob(self.core, taken.reset))
        else:
            what = reading(self.core.protocol, taken.body.updates, self.core.flight.log)
            Making(self.core.flight, OWNER, what, partial(self._build, taken), partial(self._made, taken))

    def _refused(self, refused: Refused) -> None:
        remedy = self.core.flight.remedy(self.cursor, refused)
        self.core.flight.log("12", "a poll was refused", code=refused.code, cursor=self._spec.name)
        if remedy is Remedy.RETRY or (isinstance(remedy, Poll) and remedy.cursor == self.cursor):
            self._again()
        elif remedy is Remedy.DONE:
            self.core.resting.took(self.cursor)
            self._finish()
        elif remedy is Remedy.STOP:
            self.end()
            self.core.polled(self.cursor, Refusal(refused.code, self._request))
        elif isinstance(remedy, Poll | ResetAsk):
            self.end()
            self.core.polled(self.cursor)
            self._ask_for(remedy)

    def _ask_for(self, remedy: Poll | ResetAsk) -> None:
        """What the refusal asks for. Two cursors may be refused so, each of which asks for the other."""
        if isinstance(remedy, Poll) and not self.core.protocol.cursors[remedy.cursor].keyed:
            asks = Ready(BatchDraft(), polls=(remedy.cursor,))
            (asks,) = self.core.circles.at_once(self._instance, (asks,), leads_on=False)
            self.core.replace(asks.polls)
        else:
            self.core.ask(remedy)

    def _build(self, taken: Taken, snapshot: Snapshot, fetched: Fetched) -> Ready | Wants | None:
        """The cursor has to stand where it was asked from (sync.md D-2)."""
        if snapshot.positions[self._instance] != self._asked:
            self.core.flight.log("D-2", "an answer was asked for at another place", cursor=self._spec.name)
            self._repeat()
            return None
        flight = self.core.flight
        situation = Situation(
            self.core.protocol, snapshot.positions, flight.now, flight.author(), inside=self.cursor
        )
        return build_answer(situation, taken, snapshot.rows, fetched, self._before)

    def _made(self, taken: Taken, ready: Ready) -> None:
        if ready.doubts and self.core.resting.doubts(self.cursor):
            self._again()
        elif ready.draft.empty:
            self._done(taken, ready, Facts())
        else:
            self.core.flight.commit(OWNER, ready.draft, lambda it: self._done(taken, ready, it), self._failed)

    def _done(self, taken: Taken, ready: Ready, facts: Facts) -> None:
        recipes = frozenset(one.debt.cure for one in ready.owed if one.debt.cursor == self.cursor)
        self.core.resting.took(self.cursor, but=recipes)
        self.core.publish((*facts.events, *ready.unhandled))
        leads = leads_on(self._spec.parts, self._asked, ready.draft.sets.get(self._instance, {}))
        asks = bool(taken.again or ready.polls or ready.owed)
        turns = leads and asks and self.core.circles.goes_round(self._instance, ready.draft)
        asks_on = taken.again or self.cursor in ready.polls
        (ready,) = self.core.circles.at_once(self._instance, (ready,), leads_on=leads and not turns)
        self.core.wrote(ready)
        # Where the cursor stands where it was asked from, or was before, asked at once, it would be without
        # end.
        if asks_on and (turns or not leads):
            self.core.flight.log(
                "5", "there is said to be more, and none of it comes", cursor=self._spec.name
            )
            self._again(is_round=turns)
        elif taken.again:
            self.core.asks(self.cursor)
            self.end()
            self.core.queue.first(PollJob(self.core, self.cursor, before=ready.after.written()))
        else:
            self._finish()
        if ready.polls:
            self.core.replace(ready.polls)

    # ------------------------------------------------------------------------------------------- its ends

    def _again(self, *, is_lost: bool = False, is_round: bool = False) -> None:
        """The same question after a while, later each time. `is_lost`: there was no connection. `is_round`:
        there are several, of which each but the last led on.
        """
        super().end()
        if is_round:
            self.core.resting.put(self.cursor, self.core.flight.limits.debt_rest_ms)
        else:
            self.core.resting.again(self.cursor, self._backoff, is_lost=is_lost)

    def _repeat(self) -> None:
        """Ask anew, from where the cursor stands now (sync.md Q6)."""
        self.end()
        self.core.replace((self.cursor,))

    def _failed(self, why: CommitFailed) -> None:
        """Nothing was written (sync.md D-3); of some answers nothing ever is, however often they come."""
        if why.stale:
            self._repeat()
            return
        super().end()
        self.core.resting.refused(self.cursor, why)

    def _finish(self) -> None:
        self.end()
        self.core.polled(self.cursor)
