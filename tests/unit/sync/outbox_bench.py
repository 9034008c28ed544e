"""An outbox whose rows are a dict, fed by hand: what its tests have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from pillarbox.sync.debt_rows import Author, Debt, DebtTable
from pillarbox.sync.outbox import Outbox
from pillarbox.sync.outbox_specs import OutboxKind, OutboxSpec
from pillarbox.sync.protocol import Act, Container, CursorSpec, Difference, Operation, ResetSpec, SyncProtocol
from pillarbox.sync.signals import (
    Answered,
    Commit,
    Committed,
    Facts,
    Failed,
    Failure,
    Id,
    Input,
    Load,
    Loaded,
    Output,
    Poke,
    Send,
    SetTimer,
    Started,
    Ticked,
)

#: Kinds of these tests: at once; after a delay; such as are marked before they are sent.
PLAIN, SLOW, MARKED = 1, 2, 3
#: The run of the process.
RUN = 99


class Row(NamedTuple):
    """A row of the outbox."""

    number: int
    payload: str = "a"
    kind: int = PLAIN
    group: bytes = b"g"
    revision: int = 0


class Pushed(NamedTuple):
    """An answer that goes where pushes go."""

    what: str


_ACCOUNT = CursorSpec(9, "account", keyed=False, parts=(), difference=Difference(lambda *_: "changes", {}))
#: With a key.
CHAT = 5
_CHAT = CursorSpec(CHAT, "chat", keyed=True, parts=())
_ALL = ResetSpec("all", 9, (), lambda *_: (), lambda *_: {})


@dataclass
class Bench:
    """The outbox, its rows and what it asked of others."""

    rows: dict[tuple[int, int], Row] = field(default_factory=dict)
    marked: list[int] = field(default_factory=list)
    replayed: list[Any] = field(default_factory=list)
    owed: list[Debt] = field(default_factory=list)
    received: list[Container] = field(default_factory=list)
    #: What came with them.
    did: tuple[Operation, ...] = ()
    acts: list[Act] = field(default_factory=list)
    refused: list[Any] = field(default_factory=list)
    answered: list[Any] = field(default_factory=list)
    #: What follows on answers and refusals.
    follows: tuple[Any, ...] | Exception = ()
    now: int = 0

    def __post_init__(self) -> None:
        kinds = {
            PLAIN: OutboxKind("plain", str.upper, limit=3, containers=(Pushed,), answered=self._answered,
                              refused=self._refused, retry=frozenset({"BUSY"})),
            SLOW: OutboxKind("slow", str.upper, delay_ms=2_000),
            MARKED: OutboxKind("marked", str.upper, marks=True),
        }  # fmt: skip
        spec = OutboxSpec(
            kinds=kinds,
            view="rows",
            shown=lambda rows: cast(Sequence[Row], rows),
            row=lambda _, kind, number: self.rows.get((kind, number)),
            mark=lambda _, _kind, number: self.marked.append(number),
            remove=lambda _, kind, number: self._remove(kind, number),
        )
        nothing = cast(Any, None)
        debts = DebtTable(all=lambda _: self.owed, owe=lambda _, debt: self.owed.append(debt), pay=nothing)
        self.protocol = SyncProtocol(
            updates=nothing, open=nothing, cursors={9: _ACCOUNT, CHAT: _CHAT}, resets={"all": _ALL},
            debts=debts, position=nothing, advance=nothing, row=nothing, outbox=spec,
            replay=lambda _, operations: self.replayed.extend(operations),
        )  # fmt: skip
        self.outbox = Outbox(spec, cast(Any, self))
        self.step(Started(0, RUN))

    def _remove(self, kind: int, number: int) -> None:
        del self.rows[kind, number]

    def _answered(self, payload: str, answer: Any) -> Sequence[Any]:
        self.answered.append((payload, answer))
        return self._follows()

    def _refused(self, payload: str, code: str) -> Sequence[Any]:
        self.refused.append((payload, code))
        return self._follows()

    def _follows(self) -> tuple[Any, ...]:
        if isinstance(self.follows, Exception):
            raise self.follows
        return self.follows

    def receive(self, container: Container, did: tuple[Operation, ...] = ()) -> None:
        self.received.append(container)
        self.did += did

    def author(self) -> Author:
        return Author(RUN, 5)

    def act(self, act: Act) -> None:
        self.acts.append(act)

    # ------------------------------------------------------------------------------------- feeding it

    def step(self, given: Input) -> tuple[Output, ...]:
        return tuple(self.outbox.step(given))

    def put(self, *rows: Row) -> None:
        """Write rows; nobody is told yet."""
        self.rows |= {(row.kind, row.number): row for row in rows}

    def poke(self) -> tuple[Output, ...]:
        """Tell what stands."""
        return self.step(Poke(self.now, "outbox", tuple(self.rows.values())))

    def wish(self, *rows: Row) -> tuple[Output, ...]:
        self.put(*rows)
        return self.poke()

    def work(self, outputs: Sequence[Output]) -> tuple[Output, ...]:
        """Do the one read or write that was asked for, and tell the result."""
        given = only(outputs, Load | Commit)
        if isinstance(given, Load):
            return self.step(Loaded(self.now, given.id, given.plan.read(None, self.protocol)))
        before = len(self.replayed)
        result = given.draft.apply(None, self.protocol)
        facts = Facts(tuple(self.replayed[before:]), result)
        return self.step(Committed(self.now, given.id, facts))

    def sent(self, *rows: Row) -> Send:
        """The request of a row of one group, written, shown and read."""
        sent: Send = only(self.work(self.wish(*rows)), Send)
        return sent

    def answer(self, id: Id, answer: Any = "yes") -> tuple[Output, ...]:
        return self.step(Answered(self.now, id, answer))

    def fail(self, id: Id, failure: Failure) -> tuple[Output, ...]:
        return self.step(Failed(self.now, id, failure))

    def tick(self, timer: SetTimer) -> tuple[Output, ...]:
        self.now = timer.due
        return self.step(Ticked(self.now, timer.id))


def only(outputs: Sequence[Output], kind: Any) -> Any:
    """The one output of a kind."""
    found = [output for output in outputs if isinstance(output, kind)]
    assert len(found) == 1, outputs
    return found[0]
