"""A protocol written by hand and a store of dicts: what the tests of the engine run it with.

An update says itself what it claims and asks; an operation is the name of the update that gave it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Claim, Instance, Position
from pillarbox.sync.cursor_parts import Confirm, OpenPoll, PartKind, PartSpec, Unknown
from pillarbox.sync.debt_rows import Debt, DebtTable
from pillarbox.sync.protocol import (
    Act,
    AnswerKind,
    AnswerRule,
    Around,
    Body,
    CursorSpec,
    Difference,
    Fetch,
    First,
    Need,
    Opened,
    Poll,
    Remedy,
    ResetSpec,
    Row,
    SyncProtocol,
    Unhandled,
    UpdateRules,
)

#: Box-wide: values and counts, steps of one, containers, a stamp.
ACCOUNT: Final = 1
REV, QTS, SEQ, DATE = range(4)
#: Keyed: travels with containers, a gap is asked about at once.
CHANNEL: Final = 2
#: Keyed: travels alone, a gap waits.
PROJECT: Final = 3
#: Keyed: begins where its first claim does.
ADOPTED: Final = 4
#: Keyed: nothing is done about what is not known.
DROPPED: Final = 5
#: Keyed: a watermark.
MAILBOX: Final = 6

HOLD_MS: Final = 2_000
#: What the difference of an instance covers.
COVERED: Final = ((CHANNEL, 0),)


@dataclass(frozen=True)
class U:
    """An update."""

    name: str
    claim: Claim | None = None
    beside: Instance | None = None
    needs: tuple[Need, ...] = ()
    acts: tuple[Act | str, ...] = ()
    broken: bool = False


class Web(U):
    """One that is applied though it is old."""


class Bare(U):
    """One that the schema says nothing of."""


@dataclass(frozen=True)
class C:
    """A container, taken apart already."""

    opened: Opened


@dataclass(frozen=True)
class A:
    """An answer that says itself what it is."""

    kind: AnswerKind = AnswerKind.FULL
    set: Mapping[int, Any] = field(default_factory=dict)
    body: Body = field(default_factory=Body)
    again: bool = False
    timeout_ms: int = 30_000
    pause_ms: int | None = None


@dataclass(frozen=True)
class TooLong:
    """One that asks for the recipe of its cursor."""


@dataclass(frozen=True)
class State:
    """Where the server is."""

    at: tuple[int, ...]


@dataclass(frozen=True)
class Page:
    """A page of a recipe."""

    names: tuple[str, ...]
    more: bool = False
    at: int = 0
    acts: tuple[Act, ...] = ()


@dataclass
class Tables:
    """Everything that is durable."""

    positions: dict[Instance, tuple[Any, ...]] = field(default_factory=dict)
    rows: dict[Row, Any] = field(default_factory=dict)
    debts: dict[Instance, Debt] = field(default_factory=dict)
    #: Names of operations, in the order in which they were replayed.
    done: list[str] = field(default_factory=list)


def rev(end: int, count: int = 1) -> Claim:
    return Claim(ACCOUNT, b"", REV, end - count, end)


def qts(end: int) -> Claim:
    return Claim(ACCOUNT, b"", QTS, end - 1, end)


def seq(first: int, last: int | None = None) -> Claim:
    return Claim(ACCOUNT, b"", SEQ, first - 1, first if last is None else last)


def keyed(cursor: int, key: StoredKey, end: int, count: int = 1) -> Claim:
    return Claim(cursor, key, 0, end - count, end)


def channel(end: int, count: int = 1, key: StoredKey = 5) -> Claim:
    return keyed(CHANNEL, key, end, count)


def channel_at(value: int | None = 50) -> Tables:
    """A box whose channel 5 stands there."""
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0)})
    if value is not None:
        tables.positions[CHANNEL, 5] = (value,)
    return tables


def push(*updates: U, claim: Claim | None = None, side: Sequence[str] = (), **more: Any) -> C:
    """A container of these."""
    return C(Opened(updates, claim, side=tuple(side), **more))


def body(*updates: U, side: Sequence[str] = (), covered: Sequence[tuple[int, int]] = (), **more: Any) -> Body:
    """What an answer brings; it covers the counters of the account unless it is said otherwise."""
    return Body(tuple(side), updates, covered=frozenset(covered or {(ACCOUNT, REV), (ACCOUNT, QTS)}), **more)


# ------------------------------------------------------------------------------------------ the protocol


def _emit(update: U, around: Around) -> list[Any]:
    if update.broken:
        raise ValueError("a field is missing")
    if isinstance(update, Bare):
        return [Unhandled(update)]
    found: list[Any] = [update.name]
    if "@" in update.name:  # Tell what it saw.
        place = None if update.claim is None else around.position(update.claim.cursor, update.claim.key)
        found = [f"{update.name} end={around.end} date={around.date} at={place}"]
    return found + list(update.acts)


def _replay(tables: Tables, operations: Sequence[str]) -> None:
    for operation in operations:
        if operation.startswith("!"):
            raise RuntimeError("the operation cannot be done")
        if operation.startswith("-"):
            instance = (CHANNEL, int(operation[1:]))
            tables.positions.pop(instance, None)
            tables.debts.pop(instance, None)
        if operation.startswith("+"):
            tables.rows[9, operation[1:].encode()] = operation
        tables.done.append(operation)


def _advance(tables: Tables, cursor: int, key: StoredKey, parts: Mapping[int, Any]) -> None:
    count = len(CURSORS.get(cursor, CURSORS[ACCOUNT]).parts)
    known = list(tables.positions.get((cursor, key), (0,) * count))
    for part, value in parts.items():
        known[part] = value
    tables.positions[cursor, key] = tuple(known)


def _asks(cursor: int) -> Callable[[StoredKey, Position], Any]:
    return lambda key, position: ("difference", cursor, key, position)


def _difference(cursor: int, reset: str | None, **errors: Any) -> Difference:
    rules: dict[type[Any], AnswerRule] = {
        A: AnswerRule(
            kind=lambda it: it.kind,
            set=lambda it: it.set,
            body=lambda it, _key: it.body,
            again=lambda it: it.again,
        ),
        TooLong: AnswerRule(kind=lambda _: AnswerKind.TOO_LONG, reset=reset),
    }
    return Difference(_asks(cursor), rules, {**errors, "STOP": Remedy.STOP, "DONE": Remedy.DONE})


_OPEN: Final = OpenPoll(1_000, lambda it: it.timeout_ms, 30_000)

CURSORS: Final = {
    ACCOUNT: CursorSpec(
        ACCOUNT,
        "account",
        False,
        (
            PartSpec("rev", hold_ms=HOLD_MS),
            PartSpec(
                "qts",
                hold_ms=HOLD_MS,
                confirm=Confirm(lambda value: ("confirm", value), lambda value: bool(value != 77)),
            ),
            PartSpec("seq", hold_ms=HOLD_MS, zero_refused=True),
            PartSpec("date", PartKind.STAMP),
        ),
        _difference(ACCOUNT, "everything"),
        First(lambda: ("state",), {State: lambda it: dict(enumerate(it.at))}),
        idle_poll_ms=900_000,
    ),
    CHANNEL: CursorSpec(
        CHANNEL,
        "channel",
        True,
        (PartSpec("rev"),),
        _difference(CHANNEL, "channel", PRIVATE=Poll(ACCOUNT)),
        travels=(ACCOUNT, SEQ),
        inside="channel",
        open_poll=_OPEN,
    ),
    PROJECT: CursorSpec(
        PROJECT, "project", True, (PartSpec("rev", hold_ms=HOLD_MS),), _difference(PROJECT, None)
    ),
    ADOPTED: CursorSpec(
        ADOPTED, "adopted", True, (PartSpec("rev"),), _difference(ADOPTED, None), unknown=Unknown.ADOPT
    ),
    DROPPED: CursorSpec(
        DROPPED, "dropped", True, (PartSpec("rev"),), _difference(DROPPED, None), unknown=Unknown.DROP
    ),
    MAILBOX: CursorSpec(
        MAILBOX, "mailbox", True, (PartSpec("modseq", PartKind.WATERMARK),), _difference(MAILBOX, None)
    ),
}


def _first_page(names: str) -> Fetch:
    return Fetch(
        names,
        lambda key, answers: (names, key, len(answers.get(names, ()))),
        (Page,),
        lambda answers: bool(answers[names][-1].more),
    )


def _commit(_tables: Tables, _key: StoredKey, answers: Mapping[str, Any]) -> list[Any]:
    pages = answers["pages"]
    return [name for page in pages for name in page.names] + [act for page in pages for act in page.acts]


RESETS: Final = {
    "everything": ResetSpec(
        "everything",
        ACCOUNT,
        (Fetch("state", lambda _key, _answers: ("state",), (State,)), _first_page("pages")),
        _commit,
        lambda _key, answers: dict(enumerate(answers["state"].at)),
    ),
    "channel": ResetSpec(
        "channel",
        CHANNEL,
        (_first_page("pages"),),
        _commit,
        lambda _key, answers: {0: answers["pages"][0].at},
        retry=False,
    ),
}


def protocol(
    *,
    cursors: Mapping[int, CursorSpec] = CURSORS,
    resets: Mapping[str, ResetSpec] = RESETS,
    debts: bool = True,
) -> SyncProtocol:
    """The protocol of these tests."""
    table = DebtTable(
        all=lambda tables: list(tables.debts.values()),
        owe=lambda tables, debt: tables.debts.__setitem__(debt.instance, debt),
        pay=lambda tables, instance: tables.debts.pop(instance, None),
    )
    return SyncProtocol(
        updates=UpdateRules(
            claim=lambda update: update.claim,
            emit=_emit,
            beside=lambda update: update.beside,
            needs=lambda update: update.needs,
            when_old=frozenset({Web}),
        ),
        open=lambda container: container.opened,
        cursors=cursors,
        resets=resets,
        debts=table if debts else None,
        replay=_replay,
        position=lambda tables, cursor, key: tables.positions.get((cursor, key)),
        advance=_advance,
        row=lambda tables, row: tables.rows.get(row),
        fetched=lambda _request, answer: answer.body,
    )
