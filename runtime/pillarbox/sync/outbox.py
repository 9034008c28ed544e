"""The outbox: rows that say what is wanted done on the server, each sent until it is done.

Depends on: build, host, outbox_specs, outbox_drafts, protocol, signals.  Never on: boxes, transports, clocks.

Law: at most one row of a group is on its way, the lowest, and it is read again before every try (sync.md
L-3). A row is removed only after its request ended, so a crash means that it is sent again (L-4), and only
in the revision that was sent (E-17).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from pillarbox.sync.build import polled
from pillarbox.sync.host import Host, Taken
from pillarbox.sync.outbox_drafts import Finish, Finished, Mark, ReadAgain
from pillarbox.sync.outbox_specs import OutboxKind, OutboxRow, OutboxSpec
from pillarbox.sync.protocol import Poll, ResetAsk
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    Commit,
    CommitFailed,
    Committed,
    DropTimer,
    Failed,
    Flood,
    Id,
    Input,
    Load,
    Loaded,
    Log,
    Output,
    Poke,
    Publish,
    Refused,
    RoleChanged,
    Send,
    SessionChanged,
    SessionLost,
    SetTimer,
    Started,
    Ticked,
)

OWNER: Final = "outbox"
#: So often a row is sent again since its answer was dropped, where neither an ill store nor others that were
#: first are why; one that can never be written stops no others.
AGAIN_MAX: Final = 10


class Phase(Enum):
    """Where a row is on its way."""

    #: Waits for others that change it.
    DELAYED = "delayed"
    READING = "reading"
    ASKING = "asking"
    #: Waits before the next try.
    RESTING = "resting"
    #: Its request has ended; what was answered is being written, and would be lost with the process.
    TAKING = "taking"
    #: Its request has ended; its removal is being written.
    REMOVING = "removing"
    #: That could not be written, and waits before it is tried again.
    HELD_UP = "held up"


class Lane(NamedTuple):
    """A group of a kind: its rows go one after the other."""

    kind: int
    group: bytes


@dataclass(slots=True)
class _Job:
    """The row of a lane that is on its way."""

    row: OutboxRow
    phase: Phase
    #: What it waits for.
    id: Id
    tries: int = 0
    #: Whether a new session ends the rest.
    until_session: bool = False
    finish: Finish | None = None
    #: What is to be written before it is removed; how often that was dropped instead, and so by no ill store.
    unwritten: object = None
    dropped: int = 0
    refused: int = 0


class Outbox:
    """A side machine of the engine. It is fed pokes with snapshots of `spec.view` while it is the master."""

    owner: Final = OWNER

    def __init__(self, spec: OutboxSpec, host: Host) -> None:
        self._spec = spec
        self._host = host
        self._master = False
        self._numbers = 0
        self._jobs: dict[Lane, _Job] = {}
        #: The first row of each lane as the last poke shows it.
        self._first: dict[Lane, OutboxRow] = {}
        self._out: list[Output] = []

    def step(self, given: Input) -> Sequence[Output]:
        """What follows on one given. Inputs that are none of its business change nothing."""
        self._out = []
        match given:
            case Poke():
                self._poked(given)
            case Loaded():
                self._loaded(given)
            case Answered():
                self._answered(given)
            case Failed():
                self._failed(given)
            case Committed():
                self._committed(given)
            case CommitFailed():
                self._commit_failed(given)
            case Ticked():
                self._ticked(given)
            case SessionChanged():
                self._session_changed()
            case Started(master=master):
                self._master = master
            case RoleChanged(master=master):
                self._role_changed(master)
        return tuple(self._out)

    # --------------------------------------------------------------------------------- the selection

    def _role_changed(self, master: bool) -> None:
        """Only the master sends (sync.md P-3). What is not being removed yet, the next one will send."""
        self._master = master
        if not master:
            self._first = {}
            for lane, job in list(self._jobs.items()):
                if job.phase not in (Phase.TAKING, Phase.REMOVING):
                    self._stop(lane)

    def _poked(self, given: Poke) -> None:
        if isinstance(given.what, Taken):
            for lane, job in list(self._jobs.items()):
                if job.phase is Phase.TAKING and job.unwritten is given.what.of:
                    self._taken(given.now, lane, job, given.what)
        elif self._master:
            self._first = first_of_lanes(self._spec.shown(given.what), self._spec.kinds)
            self._select(given.now)

    def _select(self, now: int) -> None:
        """Let go of what left the selection, and start what nobody is at (sync.md L-3)."""
        for lane, job in list(self._jobs.items()):
            row = self._first.get(lane)
            ends_by_itself = job.phase in (Phase.TAKING, Phase.REMOVING, Phase.HELD_UP)
            if not ends_by_itself and (row is None or row.number != job.row.number):
                self._stop(lane)
        for lane, row in self._first.items():
            if lane not in self._jobs:
                self._start(now, lane, row)

    def _start(self, now: int, lane: Lane, row: OutboxRow) -> None:
        delay = self._spec.kinds[lane.kind].delay_ms
        job = self._jobs[lane] = _Job(row, Phase.DELAYED, self._new_id())
        if delay:
            self._out.append(SetTimer(job.id, now + delay))
        else:
            self._read(job)

    def _stop(self, lane: Lane) -> None:
        """Whether a request that is let go of had its effect is not known; its answer is not wanted."""
        job = self._jobs.pop(lane)
        if job.phase is Phase.ASKING:
            self._out.append(Cancel(job.id))
        elif job.phase in (Phase.DELAYED, Phase.RESTING, Phase.HELD_UP):
            self._out.append(DropTimer(job.id))

    # ----------------------------------------------------------------------------------- the request

    def _read(self, job: _Job) -> None:
        """The row is sent as it stands now, or not at all."""
        job.phase, job.id = Phase.READING, self._new_id()
        kind, number = job.row.kind, job.row.number
        if self._kind(job).marks:
            self._out.append(Commit(job.id, Mark(kind, number)))
        else:
            self._out.append(Load(job.id, ReadAgain(kind, number)))

    def _was_read(self, now: int, lane: Lane, job: _Job, row: OutboxRow | None) -> None:
        if row is None:
            self._ended(now, lane)
            return
        job.row, job.phase, job.id = row, Phase.ASKING, self._new_id()
        self._out.append(Send(job.id, self._kind(job).request(row.payload)))

    def _answered(self, given: Answered) -> None:
        found = self._waiting(given.id, Phase.ASKING)
        if found is None:
            return
        _, job = found
        kind = self._kind(job)
        follows = self._follows(job, kind.answered, given.answer)
        if isinstance(given.answer, kind.containers):
            # What its counters count is written with them, and not before: decision 0034.
            did = tuple(it for it in follows if not isinstance(it, Poll))
            job.unwritten = self._host.receive(given.answer, did)
            follows = tuple(it for it in follows if isinstance(it, Poll))
        self._finish(job, follows, refused=False)

    def _follows(
        self, job: _Job, rule: Callable[[Any, Any], Sequence[Any]] | None, said: Any
    ) -> Sequence[Any]:
        """What the schema says of it; where that cannot be read, what changed is asked for."""
        if rule is None:
            return ()
        try:
            return rule(job.row.payload, said)
        except Exception as error:  # Made of what a server sent.
            self._log("L-4", f"an answer cannot be read: {error!r}", job)
            return tuple(Poll(cursor) for cursor in polled(self._host.protocol))

    def _failed(self, given: Failed) -> None:
        found = self._waiting(given.id, Phase.ASKING)
        if found is None:
            return
        _, job = found
        kind = self._kind(job)
        match given.failure:
            case Refused(code=code) if code not in kind.retry:
                text = f"{kind.name} was refused with {code}: it counts as done"
                self._log("L-4", text, job)
                self._finish(job, self._follows(job, kind.refused, code), True)
            case Flood(wait_ms=wait):
                self._rest(given.now, job, Phase.RESTING, wait)
            case failure:
                self._rest(given.now, job, Phase.RESTING)
                job.until_session = isinstance(failure, SessionLost)

    def _rest(self, now: int, job: _Job, phase: Phase, at_least: int = 0) -> None:
        """Wait longer each time, but never for ever (sync.md 12)."""
        job.tries += 1
        job.until_session = False
        kind = self._kind(job)
        wait = max(min(kind.step_ms * job.tries, kind.cap_ms), at_least)
        job.phase, job.id = phase, self._new_id()
        self._out.append(SetTimer(job.id, now + wait))

    def _session_changed(self) -> None:
        for job in self._jobs.values():
            if job.phase is Phase.RESTING and job.until_session:
                self._out.append(DropTimer(job.id))
                self._read(job)

    def _ticked(self, given: Ticked) -> None:
        found = self._waiting(given.id, Phase.DELAYED, Phase.RESTING, Phase.HELD_UP)
        if found is None:
            return
        _, job = found
        if job.phase is Phase.HELD_UP:
            self._remove(job)
        else:
            self._read(job)

    # --------------------------------------------------------------------------------------- the end

    def _finish(self, job: _Job, follows: Sequence[Any], refused: bool) -> None:
        acts = tuple(it for it in follows if isinstance(it, Poll | ResetAsk))
        operations = tuple(it for it in follows if not isinstance(it, Poll | ResetAsk))
        job.finish = Finish(job.row, operations, acts, refused, self._host.author())
        job.tries = 0
        if job.unwritten is None:
            self._remove(job)
        else:
            job.phase, job.id = Phase.TAKING, self._new_id()

    def _taken(self, now: int, lane: Lane, job: _Job, what: Taken) -> None:
        """What was dropped nobody tells again, but for who answers it again. A full disk may get room."""
        if what.is_written or (job.refused == AGAIN_MAX and not what.is_ill):
            self._remove(job)
            return
        self._log("L-4", f"an answer to {self._kind(job).name} was dropped before it was written", job)
        if not self._master:
            del self._jobs[lane]
            return
        job.unwritten = None
        job.tries = job.dropped
        job.dropped += 1
        job.refused += not what.is_ill
        self._rest(now, job, Phase.RESTING)

    def _remove(self, job: _Job) -> None:
        assert job.finish is not None, "what is removed has ended"
        job.phase, job.id = Phase.REMOVING, self._new_id()
        self._out.append(Commit(job.id, job.finish))

    def _loaded(self, given: Loaded) -> None:
        found = self._waiting(given.id, Phase.READING)
        if found is not None:
            self._was_read(given.now, *found, given.snapshot)

    def _committed(self, given: Committed) -> None:
        found = self._waiting(given.id, Phase.READING, Phase.REMOVING)
        if found is None:
            return
        lane, job = found
        result = given.facts.result
        if job.phase is Phase.READING:
            self._was_read(given.now, lane, job, result)
            return
        assert isinstance(result, Finished), "a removal tells what became of its row"
        if given.facts.events:
            self._out.append(Publish(given.facts.events))
        if result.happened and job.finish is not None:
            for act in job.finish.acts:
                self._host.act(act)
        self._ended(given.now, lane, result.left)

    def _commit_failed(self, given: CommitFailed) -> None:
        """Nothing was written: what was to be read or removed still is."""
        found = self._waiting(given.id, Phase.READING, Phase.REMOVING)
        if found is None:
            return
        lane, job = found
        self._log("L-4", f"a row of {self._kind(job).name} waits for the store: {given.reason}", job)
        if not self._master:
            del self._jobs[lane]
            return
        self._rest(given.now, job, Phase.RESTING if job.phase is Phase.READING else Phase.HELD_UP)

    def _ended(self, now: int, lane: Lane, left: OutboxRow | None = None) -> None:
        """The next of its lane; a row that changed while its request ran is sent again (E-17).

        The poke that shows what became of the row may be on its way still, or have come already.
        """
        number = self._jobs.pop(lane).row.number
        first = self._first.get(lane)
        if not self._master:
            return
        if left is not None:
            self._start(now, lane, left)
        elif first is not None and first.number == number:
            del self._first[lane]
        elif first is not None:
            self._start(now, lane, first)

    # ----------------------------------------------------------------------------------------- small

    def _kind(self, job: _Job) -> OutboxKind:
        return self._spec.kinds[job.row.kind]

    def _new_id(self) -> Id:
        self._numbers += 1
        return Id(OWNER, self._numbers)

    def _waiting(self, id: Id, *phases: Phase) -> tuple[Lane, _Job] | None:
        """The job that waits for this; what nobody waits for any more is let go."""
        for lane, job in self._jobs.items():
            if job.id == id and job.phase in phases:
                return lane, job
        return None

    def _log(self, rule: str, text: str, job: _Job) -> None:
        self._out.append(Log(rule, text, {"kind": job.row.kind, "number": job.row.number}))


def first_of_lanes(rows: Iterable[OutboxRow], kinds: Mapping[int, OutboxKind]) -> dict[Lane, OutboxRow]:
    """The lowest row of each group among the first rows of its kind (sync.md L-2, L-3)."""
    first: dict[Lane, OutboxRow] = {}
    seen: dict[int, int] = {}
    for row in sorted(rows, key=lambda it: it.number):
        seen[row.kind] = seen.get(row.kind, 0) + 1
        if row.kind in kinds and seen[row.kind] <= kinds[row.kind].limit:
            first.setdefault(Lane(row.kind, row.group), row)
    return first
