"""A machine of the protocol of `engine_world`, its store, and a world that does only what a test says."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final, TypeVar

from tests.unit.sync.engine_world import ACCOUNT, A, C, Tables, channel_at, protocol

from pillarbox.storage import StoredKey
from pillarbox.sync import Limits, Machine
from pillarbox.sync.claims import Position
from pillarbox.sync.protocol import AnswerKind, SyncProtocol
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Cancel,
    Commit,
    CommitFailed,
    Committed,
    DropTimer,
    Facts,
    Failed,
    Failure,
    Id,
    Input,
    Load,
    Loaded,
    Log,
    Output,
    Publish,
    Received,
    Refused,
    Send,
    SetTimer,
    Settled,
    Stale,
    Started,
    Ticked,
    Transient,
)

T = TypeVar("T")
#: After so many inputs and waits a test, or the machine, goes round in a circle.
STEPS_MAX: Final = 200_000


class Rig:
    """A machine, its store, and a world that does only what a test says."""

    def __init__(
        self, tables: Tables | None = None, spec: SyncProtocol | None = None, limits: Limits | None = None
    ) -> None:
        self.protocol = spec or protocol()
        self.machine = Machine(self.protocol, limits)
        self.tables = tables or Tables({(ACCOUNT, b""): (10, 5, 7, 0)})
        self.now = 1_000
        #: Reads and writes that wait to be done, the first first.
        self.store: list[Load | Commit] = []
        self.sent: dict[Id, Any] = {}
        self.timers: dict[Id, int] = {}
        self.events: list[object] = []
        self.settled: dict[int, Settled] = {}
        self.logs: list[Log] = []
        self.commits = 0
        #: Everything that came out, in order.
        self.outputs: list[Output] = []
        self.asked: list[Any] = []
        self._steps = 0

    # ------------------------------------------------------------------------------------------- inputs

    def step(self, given: Input) -> None:
        """One input."""
        self._tire()
        for output in self.machine.step(given):
            self.outputs.append(output)
            self._see(output)

    def start(self, marker: int = 99, *, master: bool = True) -> Rig:
        """Begin, and answer the first poll: there is nothing new."""
        self.step(Started(self.now, marker, master))
        self.work()
        if any(it[0] == "difference" for it in self.sent.values()):
            self.answer("difference", A(AnswerKind.EMPTY))
        self.asked.clear()
        return self

    def receive(self, *containers: C) -> Rig:
        """Pushed in one burst, and worked on."""
        for container in containers:
            self.step(Received(self.now, container))
        self.work()
        return self

    def did(self, answer: C, *operations: Any) -> Rig:
        """The program did something, and hands over what it was answered."""
        self.step(Received(self.now, answer, operations))
        self.work()
        return self

    def push(self, *containers: C) -> Rig:
        """Pushed in one burst; its read waits."""
        for container in containers:
            self.step(Received(self.now, container))
        for found in [it for it, due in self.timers.items() if due <= self.now]:
            del self.timers[found]
            self.step(Ticked(self.now, found))
        return self

    def answer(self, kind: str, answer: Any, *, cursor: int | None = None, work: bool = True) -> Rig:
        """Answer the first request of a kind that waits."""
        self.step(Answered(self.now, self._take(kind, cursor), answer))
        if work:
            self.work()
        return self

    def fail(self, kind: str, failure: Failure | None = None, *, cursor: int | None = None) -> Rig:
        """The first request of a kind comes to nothing."""
        self.step(Failed(self.now, self._take(kind, cursor), failure or Transient()))
        self.work()
        return self

    def refuse(self, kind: str, code: str, *, cursor: int | None = None) -> Rig:
        """The server will not."""
        return self.fail(kind, Refused(code), cursor=cursor)

    def wait(self, milliseconds: int) -> Rig:
        """Let time pass, timer by timer."""
        self._tire()
        until = self.now + milliseconds
        while due := [it for it in self.timers.items() if it[1] <= until]:
            found, at = min(due, key=lambda it: (it[1], it[0]))
            del self.timers[found]
            self.now = max(self.now, at)
            self.step(Ticked(self.now, found))
            self.work()
        self.now = until
        return self

    def ask(self, ticket: int, what: Any) -> Rig:
        """A caller wants something."""
        self.step(Asked(self.now, ticket, what))
        self.work()
        return self

    # -------------------------------------------------------------------------------------------- store

    def work(self) -> None:
        """Do what the store has to do, and the timers that are due now."""
        for _ in range(1_000):
            if self.store:
                self.work_one()
            elif due := [it for it, at in self.timers.items() if at <= self.now]:
                del self.timers[due[0]]
                self.step(Ticked(self.now, due[0]))
            else:
                return
        raise AssertionError("the store never has a rest")

    def work_one(self, *, failure: str | None = None) -> None:
        """The first read or write; with a failure it writes nothing, as no other would."""
        output = self.store.pop(0)
        if failure is not None:
            self.step(CommitFailed(self.now, output.id, failure, False, ill=True))
        elif isinstance(output, Load):
            self.step(Loaded(self.now, output.id, output.plan.read(self.tables, self.protocol)))
        else:
            self._commit(output)

    def _commit(self, output: Commit) -> None:
        trial = deepcopy(self.tables)
        try:
            result = output.draft.apply(trial, self.protocol)
        except Stale as error:
            assert trial == self.tables, "a stale draft has written"
            self.step(CommitFailed(self.now, output.id, str(error), True))
            return
        except RuntimeError as error:
            self.step(CommitFailed(self.now, output.id, str(error), False))
            return
        new = tuple(trial.done[len(self.tables.done) :])
        self.__dict__["tables"] = trial
        self.commits += 1
        self.step(Committed(self.now, output.id, Facts(new, result)))

    # ------------------------------------------------------------------------------------------ looking

    def position(self, cursor: int = ACCOUNT, key: StoredKey = b"") -> Position:
        """Where a cursor stands in the store."""
        return self.tables.positions.get((cursor, key))

    def waiting(self, kind: str) -> list[Any]:
        """The requests of a kind that wait for an answer."""
        return [request for request in self.sent.values() if request[0] == kind]

    def rules(self) -> list[str]:
        """The rules that the log names."""
        return [log.rule for log in self.logs]

    def of(self, kind: type[T]) -> list[T]:
        """The outputs of one kind."""
        return [output for output in self.outputs if isinstance(output, kind)]

    def _take(self, kind: str, cursor: int | None) -> Id:
        for found, request in self.sent.items():
            if request[0] == kind and (cursor is None or request[1] == cursor):
                del self.sent[found]
                return found
        raise AssertionError(f"no {kind} waits: {self.sent}")

    def _tire(self) -> None:
        """Tests wait for what a fault may never bring, and answer what it may ask for without end."""
        self._steps += 1
        assert self._steps < STEPS_MAX, "it never has a rest"

    def _see(self, output: Output) -> None:
        if isinstance(output, Load | Commit):
            self.store.append(output)
        elif isinstance(output, Send):
            self.sent[output.id] = output.request
            self.asked.append(output.request)
        elif isinstance(output, Cancel):
            del self.sent[output.id]
        elif isinstance(output, SetTimer):
            self.timers[output.id] = output.due
        elif isinstance(output, DropTimer):
            del self.timers[output.id]
        elif isinstance(output, Publish):
            self.events += output.events
        elif isinstance(output, Settled):
            assert output.ticket not in self.settled, "E-18: settled twice"
            self.settled[output.ticket] = output
        else:
            self.logs.append(output)


def rig_at(value: int | None = 50) -> Rig:
    """One whose channel 5 stands there."""
    return Rig(channel_at(value)).start()
