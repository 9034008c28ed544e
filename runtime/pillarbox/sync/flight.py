"""What is in flight: requests, transactions and timers, each with what to do when it comes back.

Depends on: limits, protocol, signals.  Never on: the queue, jobs, clocks.

Law: whatever comes back is handed on once, and only to the one who waits for it; an id that nobody waits
for changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.limits import Limits
from pillarbox.sync.protocol import Act, Backoff, Remedy, Request, SyncProtocol
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    Commit,
    CommitFailed,
    Committed,
    Draft,
    DropTimer,
    Facts,
    Failed,
    Flood,
    Id,
    Load,
    Loaded,
    Log,
    Output,
    ReadPlan,
    Refusal,
    Refused,
    Send,
    SessionLost,
    SetTimer,
    Ticked,
)

#: Given an answer; `Refused` where the server will not; None where the tries are used up.
OnAnswer: TypeAlias = Callable[[Any], None]
#: What comes back to an id.
Reply: TypeAlias = Answered | Failed | Ticked | Loaded | Committed | CommitFailed


class Asking:
    """A request that is sent again until it is answered, refused, or tried often enough.

    However often it is sent while there is no connection, that is one try.
    """

    def __init__(
        self,
        flight: Flight,
        owner: str,
        request: Request,
        backoff: Backoff,
        then: OnAnswer,
        tries_max: int,
        tries: int,
        flood_max_ms: int | None,
        counts_floods: bool,
        parts: Sequence[Request],
    ) -> None:
        self._flight = flight
        self._owner = owner
        self._request = request
        self._backoff = backoff
        self._then = then
        self._tries_max = tries_max
        #: What it counts as tries, and how often it was in vain: a flood may be of no time at all.
        self._tries = self._failures = tries
        self._flood_max_ms = flood_max_ms
        self._counts_floods = counts_floods
        #: What it asks for, of which others may ask for the same.
        self._parts = parts
        #: Where it was given up: for how long nothing of it may be asked, and whether there is no connection.
        self.wait_ms = 0
        self.is_lost = False
        #: Of these such as learnt nothing but that there is still no connection.
        self._idle_tries = 0
        #: The session that it was lost with.
        self._lost_with: int | None = None
        self._id: Id | None = None
        self._send()

    def stop(self) -> None:
        """Nothing comes of it any more."""
        if self._id is not None:
            self._flight.forget(self._id)
            self._id = None

    def again(self, request: Request = None) -> None:
        """What came is not accepted: as if it had failed. It may be asked for by another request."""
        if request is not None:
            self._request = request
        self._later(None)

    def _send(self) -> None:
        self._id = self._flight.send(self._owner, self._request, self._come)

    def _come(self, reply: Reply) -> None:
        self._id = None
        if isinstance(reply, Answered):
            self._then(reply.answer)
        elif isinstance(reply, Failed):
            if isinstance(reply.failure, Refused):
                self._then(reply.failure)
            else:
                self._later(reply.failure)

    def _later(self, failure: object) -> None:
        flood_ms = failure.wait_ms if isinstance(failure, Flood) else 0
        self._flight.flood(self._parts, flood_ms)
        self._tries += self._counts_floods or not isinstance(failure, Flood)
        if isinstance(failure, SessionLost):
            self._idle_tries += self._lost_with == self._flight.sessions
            self._lost_with = self._flight.sessions
        is_over = 0 < self._tries_max <= self._tries - self._idle_tries
        if is_over or (self._flood_max_ms is not None and flood_ms > self._flood_max_ms):
            self.wait_ms, self.is_lost = flood_ms, isinstance(failure, SessionLost)
            self._then(None)
            return
        self._failures += 1
        wait = max(min(self._backoff.step_ms * self._failures, self._backoff.cap_ms), flood_ms)
        self._id = self._flight.timer(self._owner, self._flight.now + wait, lambda _: self._send())


class Flight:
    """Numbers ids, gathers the outputs of a step, and remembers who waits for what."""

    def __init__(self, protocol: SyncProtocol, limits: Limits) -> None:
        self.protocol = protocol
        self.limits = limits
        #: Of the input that is being worked on, in milliseconds.
        self.now = 0
        #: Of this run of the process (sync.md P-5).
        self.marker = 0
        #: Told of every commit, right before it goes out.
        self.on_commit: list[Callable[[Draft], None]] = []
        #: Told of every commit that wrote nothing, before who began it.
        self.on_failed: list[Callable[[], None]] = []
        #: Told what every commit brought, before who began it.
        self.on_written: list[Callable[[Facts], None]] = []
        #: Until when the server wants not to be asked these.
        self._flooded: dict[Request, int] = {}
        #: How many new ones there were.
        self.sessions = 0
        self._number = 0
        self._drafts = 0
        self._waiting: dict[Id, tuple[type[Output], Callable[[Any], None]]] = {}
        self._outputs: list[Output] = []

    def take(self) -> tuple[Output, ...]:
        """What came out since the last call."""
        outputs = tuple(self._outputs)
        self._outputs.clear()
        return outputs

    def put(self, *outputs: Output) -> None:
        """Let these out."""
        self._outputs += outputs

    def author(self) -> Author:
        """Of one more draft."""
        self._drafts += 1
        return Author(self.marker, self._drafts)

    def log(self, rule: str, text: str, **fields: Any) -> None:
        """Let a person know."""
        self.put(Log(rule, text, fields))

    def send(self, owner: str, request: Request, then: Callable[[Reply], None]) -> Id:
        """One request; what comes back, failures too, goes to `then`."""
        found = self._id(owner, Send, then)
        self.put(Send(found, request))
        return found

    def ask(
        self,
        owner: str,
        request: Request,
        backoff: Backoff,
        then: OnAnswer,
        *,
        tries_max: int = 0,
        tries: int = 0,
        flood_max_ms: int | None = None,
        counts_floods: bool = True,
        parts: Sequence[Request] = (),
    ) -> Asking:
        """A request with retries, of which there were `tries`; `tries_max` 0: for ever (sync.md 12).

        It waits out any flood; where there is a `flood_max_ms` a longer one ends it, as its last try does. A
        flood is a try unless it is said that it is none; it is one of all `parts`, whoever asks for them.
        """
        return Asking(
            self, owner, request, backoff, then, tries_max, tries, flood_max_ms, counts_floods, parts
        )

    def flood(self, requests: Iterable[Request], wait_ms: int) -> None:
        """They may not be asked for so long, whoever wants them next."""
        if wait_ms:
            self._flooded = {one: until for one, until in self._flooded.items() if until > self.now}
            self._flooded |= dict.fromkeys(requests, self.now + wait_ms)

    def flooded(self, requests: Iterable[Request]) -> int:
        """For how long some of them may not be asked."""
        return max((0, *(self._flooded.get(one, 0) - self.now for one in requests)))

    def refusal(self, cursor: int, request: Request, answer: object) -> Refusal | None:
        """What an answer is where the schema answers it with `stop`, for that cursor (sync.md Q6, 12)."""
        if isinstance(answer, Refused) and self.remedy(cursor, answer) is Remedy.STOP:
            return Refusal(answer.code, request)
        return None

    def remedy(self, cursor: int, refused: Refused) -> Remedy | Act:
        """What the schema says to do about a refusal that has to do with a cursor (sync.md K-10, 12)."""
        difference = self.protocol.cursors[cursor].difference
        return Remedy.RETRY if difference is None else difference.errors.get(refused.code, Remedy.RETRY)

    def timer(self, owner: str, due: int, then: Callable[[Reply], None]) -> Id:
        """At `due`, not before."""
        found = self._id(owner, SetTimer, then)
        self.put(SetTimer(found, due))
        return found

    def load(self, owner: str, plan: ReadPlan, then: Callable[[Any], None], tries: int = 0) -> None:
        """Read; a read that fails is done again, later each time."""

        def come(reply: Reply) -> None:
            if isinstance(reply, Loaded):
                then(reply.snapshot)
            elif isinstance(reply, CommitFailed):
                self.log("A-11", "a read failed and is done again", reason=reply.reason, owner=owner)
                self.rest(owner, tries + 1, lambda: self.load(owner, plan, then, tries + 1))

        self.put(Load(self._id(owner, Load, come), plan))

    def behind(self, owner: str, plan: ReadPlan, then: Callable[[], None]) -> None:
        """When the store has done all that it was given so far, and this read, whatever came of that."""
        self.put(Load(self._id(owner, Load, lambda _: then()), plan))

    def commit(
        self, owner: str, draft: Draft, done: Callable[[Facts], None], failed: Callable[[CommitFailed], None]
    ) -> None:
        """Write, or be told why nothing was written: it may only be stale (sync.md 6.5)."""

        def come(reply: Reply) -> None:
            if isinstance(reply, Committed):
                for hears in self.on_written:
                    hears(reply.facts)
                done(reply.facts)
            elif isinstance(reply, CommitFailed):
                rule = "D-3" if reply.stale else "A-11"
                self.log(rule, "a commit wrote nothing", reason=reply.reason, stale=reply.stale, owner=owner)
                for told in self.on_failed:
                    told()
                failed(reply)

        for sees in self.on_commit:
            sees(draft)
        self.put(Commit(self._id(owner, Commit, come), draft))

    def rest(self, owner: str, tries: int, then: Callable[[], None]) -> None:
        """Wait after the store failed for the so manieth time."""
        self.timer(owner, self.now + self.store_wait_ms(tries), lambda _: then())

    def store_wait_ms(self, tries: int) -> int:
        """How long the store is left alone after it failed for the so manieth time."""
        backoff = self.limits.store_backoff
        return min(backoff.step_ms * tries, backoff.cap_ms)

    def forget(self, found: Id) -> None:
        """A request or a timer is not wanted any more."""
        kind, _ = self._waiting.pop(found, (None, None))
        if kind is Send:
            self.put(Cancel(found))
        elif kind is SetTimer:
            self.put(DropTimer(found))

    def come(self, reply: Reply) -> None:
        """Something came back."""
        _, then = self._waiting.pop(reply.id, (None, None))
        if then is None:
            self.log(
                "Q12", "something came back that nobody waits for", id=reply.id, what=type(reply).__name__
            )
        else:
            then(reply)

    def works(self, but: str) -> bool:
        """Whether anything but timers is in flight, and but for requests of that owner."""
        return any(
            kind is not SetTimer and (found.owner != but or kind is not Send)
            for found, (kind, _) in self._waiting.items()
        )

    def stop(self) -> None:
        """Nothing is waited for any more."""
        for found in list(self._waiting):
            self.forget(found)
        self._waiting.clear()

    def _id(self, owner: str, kind: type[Output], then: Callable[[Any], None]) -> Id:
        self._number += 1
        found = Id(owner, self._number)
        self._waiting[found] = kind, then
        return found
