"""Running a recorded session again: the same machine, the same inputs, a box.

Depends on: machine, record_entries, recording, store.  Never on: transports, clocks, event loops.

Law: from the same box a replay makes the same tables, byte for byte, or says at which entry it cannot.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from pillarbox.box import Box
from pillarbox.errors import DataError, ReplayDiverged, UsageError
from pillarbox.sync import record_entries as entries
from pillarbox.sync.limits import Limits
from pillarbox.sync.machine import Machine
from pillarbox.sync.news import followed
from pillarbox.sync.protocol import SyncProtocol, Tables
from pillarbox.sync.record_entries import Entry, Record
from pillarbox.sync.recording import Unreadable
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Commit,
    CommitFailed,
    Custom,
    Failed,
    Failure,
    Flood,
    Flush,
    Id,
    Input,
    Load,
    Look,
    Poke,
    Publish,
    Received,
    Refused,
    Resync,
    RoleChanged,
    Send,
    SessionChanged,
    SessionLost,
    Started,
    Stopped,
    Ticked,
    Transient,
    Woken,
)
from pillarbox.sync.store import Store
from pillarbox.views import holes_of_bytes


@dataclass(slots=True)
class Replayed:
    """What a replay did."""

    sessions: int = 0
    entries: int = 0
    commits: int = 0
    events: int = 0
    #: Drafts of the program's own, which no record holds: they were run as if they did nothing.
    left_out: int = 0
    #: Commits of others, the program itself or other processes, and the entry that tells of the first.
    beside: int = 0
    first_beside: int | None = None


class _Nothing:
    """Stands for a draft of the program's own."""

    def apply(self, tx: Tables, protocol: SyncProtocol, /) -> None:
        """As `Draft.apply`."""


def replay_record(record: Record, box: Box[Any, Any], protocol: SyncProtocol) -> Replayed:
    """Run all sessions of a record into `box`, which must be as it was when the record began.

    Raises UsageError where the record is that of another schema, ReplayDiverged where it runs otherwise than
    it ran. What the program wrote by itself meanwhile is in no record.
    """
    header = record.header
    if header.layout_hash != box.package.layout_hash:
        raise UsageError(
            f"the record is one of {header.package}, layout {header.layout_hash}, and the box one of "
            f"{box.package.name}, layout {box.package.layout_hash}; take the package that recorded it"
        )
    replay = _Replay(box, protocol)
    for number, entry in enumerate(record.entries, 1):
        replay.take(number, entry)
    return replay.done


class _Replay:
    def __init__(self, box: Box[Any, Any], protocol: SyncProtocol) -> None:
        self._box = box
        self._protocol = protocol
        self._store = Store(box, protocol)
        self._machine: Machine | None = None
        self._works: dict[Id, Load | Commit] = {}
        self._sends: deque[Send] = deque()
        self._number = 0
        self.done = Replayed()

    def take(self, number: int, entry: Entry) -> None:
        """The next entry."""
        self._number = number
        self.done.entries += 1
        match entry:
            case entries.Began(now, marker, master, limits):
                self._begin(limits)
                self._hear(Started(now, marker, master))
            case entries.Sent(owner, of, request):
                self._compare(Id(owner, of), request)
            case entries.Stored(now, owner, of, events):
                self._hear(self._stored(now, Id(owner, of), events))
            case entries.Unstored(now, owner, of, reason, stale, ill):
                self._work(Id(owner, of))
                self._hear(CommitFailed(now, Id(owner, of), reason, stale, ill))
            case entries.Beside(times):
                self.done.beside += times
                self.done.first_beside = self.done.first_beside or number
            case entries.Header():
                raise self._diverged("a second header")
            case _:
                self._hear(self._input(entry))

    def _begin(self, limits: dict[str, Any]) -> None:
        try:
            self._machine = Machine(self._protocol, limits=msgspec.convert(limits, Limits))
        except msgspec.ValidationError as error:
            raise self._diverged(f"its limits are not those of this engine: {error}") from error
        self._works.clear()
        self._sends.clear()  # a process that was killed wrote down less than it did
        self.done.sessions += 1

    def _hear(self, input: Input) -> None:
        if self._machine is None:
            raise self._diverged("it comes before an engine began")
        if self._sends:
            raise self._diverged(f"{self._sends[0].request!r} is asked now, and was not")
        for output in self._machine.step(input):
            match output:
                case Load(id) | Commit(id):
                    self._works[id] = output
                case Send():
                    self._sends.append(output)
                case Publish(events):
                    self.done.events += len(events)

    def _compare(self, id: Id, request: bytes) -> None:
        encode, decode = self._protocol.encode_request, self._protocol.decode_request
        if encode is None or decode is None:
            raise UsageError("this protocol has no wire forms; give its requests codes in the schema")
        if not self._sends:
            raise self._diverged(f"{decode(request)!r} was asked, and is not now")
        now = self._sends.popleft()
        if (now.id, encode(now.request)) != (id, request):
            raise self._diverged(f"{decode(request)!r} was asked, and now it is {now.request!r}")

    def _stored(self, now: int, id: Id, events: int | None) -> Input:
        work = self._work(id)
        outcome = self._store.run(work)(now)
        if isinstance(outcome, CommitFailed):
            raise self._diverged(f"a transaction fails that did not: {outcome.reason}")
        if isinstance(work, Commit) == (events is None):
            raise self._diverged("it wrote where it only reads now, or the other way round")
        if isinstance(work, Commit):
            self.done.commits += 1
        return outcome

    def _work(self, id: Id) -> Load | Commit:
        work = self._works.pop(id, None)
        if work is None:
            raise self._diverged(f"transaction {id} is not begun now")
        return work

    def _input(self, entry: Entry) -> Input:
        match entry:
            case entries.Said(now, container, did):
                effect = tuple(self._decoded(self._protocol.decode_operation, one) for one in did)
                return Received(now, self._decoded(self._protocol.decode_container, container), effect)
            case entries.Mumbled(now, text):
                return Received(now, Unreadable(text))
            case entries.Replied(now, owner, of, answer):
                return Answered(now, Id(owner, of), self._decoded(self._protocol.decode_answer, answer))
            case entries.Broke(now, owner, of, kind, value):
                return Failed(now, Id(owner, of), self._failure(kind, value))
            case entries.NewSession(now):
                return SessionChanged(now)
            case entries.Tick(now, owner, of):
                return Ticked(now, Id(owner, of))
            case entries.Role(now, master):
                return RoleChanged(now, master)
            case entries.Awoke(now):
                return Woken(now)
            case entries.Demanded(now, ticket, what, cursor, key):
                return Asked(now, ticket, self._demand(what, cursor, key))
            case entries.Poked(now, owner, holes):
                return Poke(now, owner, self._followed(owner) if holes is None else holes_of_bytes(holes))
            case entries.Ended(now):
                return Stopped(now)
        raise self._diverged("an entry of no known kind")

    def _decoded(self, decode: Callable[[bytes], Any] | None, data: bytes) -> Any:
        if decode is None:
            raise UsageError("this protocol has no wire forms; give its containers and answers codes")
        try:
            return decode(data)
        except DataError as error:
            raise self._diverged(str(error)) from error

    def _failure(self, kind: str, value: str | int | None) -> Failure:
        match kind, value:
            case "Transient", str(reason):
                return Transient(reason)
            case "Flood", int(wait_ms):
                return Flood(wait_ms)
            case "Refused", str(code):
                return Refused(code)
            case "SessionLost", None:
                return SessionLost()
        raise self._diverged(f"a failure of no known kind, {kind}")

    def _demand(self, what: str, cursor: int, key: int | bytes) -> Resync | Flush | Custom | Look:
        match what:
            case "resync":
                return Resync()
            case "flush":
                return Flush()
            case "custom":
                self.done.left_out += 1
                return Custom(_Nothing())
            case "open" | "close":
                return Look(cursor, key, what == "open")
        raise self._diverged(f"the program asked for {what}, which nobody knows")

    def _followed(self, owner: str) -> Any:
        views = followed(self._protocol)
        if owner not in views:
            raise self._diverged(f"this protocol has no {owner}")
        return self._box.get(views[owner])

    def _diverged(self, reason: str) -> ReplayDiverged:
        if (first := self.done.first_beside) is not None:
            reason += f"; others wrote to the box before entry {first}, which is in no record"
        return ReplayDiverged(self._number, reason)
