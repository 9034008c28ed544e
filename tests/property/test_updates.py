"""Laws of updates: what generated code makes of one is what its schema says, read off the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.expr_meaning import World, meaning
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore
from tests.unit.codegen_ops.told import SCHEMA, told

from pillarbox.errors import PillarboxError
from pillarbox.sync import Absent, Around, Claim, Need, Poll, ResetAsk, Unhandled
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.names import class_name


@cache
def schema() -> model.Schema:
    return load_schema(SCHEMA.parent)


@cache
def store() -> RandomStore:
    assert told() is not None
    return RandomStore(schema())


@dataclass(frozen=True)
class Told:
    """An update, and what is around it: rows by table and key, those of cursors among them."""

    name: str
    update: Any
    date: int
    now: int
    end: int | None
    rows: Mapping[str, Mapping[tuple[Any, ...], Any]]


@st.composite
def tellings(draw: st.DrawFn) -> Told:
    name = draw(st.sampled_from(sorted(schema().updates)))
    declared = schema().updates[name]
    update = draw(store().struct(getattr(told().updates, class_name(name)), declared.fields))
    tables = {
        table.name: {
            tuple(getattr(row, part.name) for part in table.key): row
            for row in draw(st.lists(store().row(table), max_size=3))
        }
        for table in schema().tables.values()
    }
    few = st.integers(-1, 3)
    return Told(name, update, draw(few), draw(few), draw(st.none() | few), tables)


# ------------------------------------------------------------------------------------ read off the page


def stored(table: str, parts: Sequence[Any]) -> Any:
    """The stored key."""
    return getattr(told().keys, f"{table}_key")(*parts)


def world_of(telling: Told) -> World:
    declared = schema().updates[telling.name]
    end = telling.end
    if declared.claim is not None and declared.claim.unless is None:
        end = telling.end if telling.end is not None else 0
    names = {field.name: getattr(telling.update, field.name) for field in declared.fields}
    names |= {"batch_date": telling.date, "server_now": telling.now, "claim_end": end}
    return World(names, telling.rows, told().types)


def each_of(rule: Any, world: World) -> Iterator[World]:
    """The worlds in which a rule holds, one for each item of its list."""
    items = [None] if rule.each is None else meaning(rule.each.items, world)
    for item in items:
        inner = world if rule.each is None else replace(world, names={**world.names, rule.each.name: item})
        if rule.when is None or meaning(rule.when, inner):
            yield inner


def key_of(table: str, key: Sequence[model.Expr], world: World) -> Any:
    return stored(table, [meaning(part, world) for part in key])


def meant(entries: Sequence[model.Emitted], world: World) -> Iterator[object]:
    for entry in entries:
        for inner in each_of(entry, world):
            match entry:
                case model.Emission(operation, arguments):
                    given_ = {one.name: meaning(one.expr, inner) for one in arguments}
                    yield getattr(told().operations, class_name(operation))(**given_)
                case model.PollEntry(cursor, key, hint):
                    value = None if hint is None else meaning(hint, inner)
                    yield Poll(schema().tables[cursor].id, key_of(cursor, key, inner), value)
                case model.ResetEntry(reset, cursor, key):
                    yield ResetAsk(reset, key_of(cursor, key, inner))
                case model.SwitchEntry(of, cases, other):
                    yield from meant(chosen(meaning(of, inner), cases, other), inner)


def chosen(
    value: Any, cases: Sequence[model.SwitchCase], other: Sequence[model.Emitted] | None
) -> Sequence[model.Emitted]:
    match value:
        case None:
            name = None
        case IntEnum():
            name = value.name.lower()
        case _:
            name = type(value).__name__
    found = [case.emits for case in cases if case.name == name]
    return found[0] if found else other or ()


def needed(needs: Sequence[model.NeedRule], world: World) -> Iterator[Need]:
    for need in needs:
        for inner in each_of(need, world):
            row = schema().tables[need.table].id, key_of(need.table, need.key, inner)
            request = None
            if need.request is not None:
                given_ = {one.name: meaning(one.expr, inner) for one in need.arguments}
                request = getattr(told().requests, class_name(need.request))(**given_)
            yield Need(row, Absent(need.absent), request)


def claimed(telling: Told) -> Claim | None:
    rule, world = schema().updates[telling.name].claim, world_of(telling)
    if rule is None or (rule.unless is not None and meaning(rule.unless, world)):
        return None
    table = schema().tables[rule.cursor]
    part = [field.name for field in table.fields].index(rule.part)
    end = meaning(rule.end, world)
    count = 1 if rule.count is None else meaning(rule.count, world)
    return Claim(table.id, key_of(rule.cursor, rule.key, world), part, end - count, end)


# --------------------------------------------------------------------------------------------- the laws


def around(telling: Told) -> Around:
    tables = {table.id: table for table in schema().tables.values()}
    by_key = {
        (schema().tables[name].id, stored(name, key)): row
        for name, rows in telling.rows.items()
        for key, row in rows.items()
    }

    def position(cursor: int, key: Any) -> Any:
        row = by_key.get((cursor, key))
        return None if row is None else tuple(getattr(row, field.name) for field in tables[cursor].fields)

    return Around(telling.date, telling.now, telling.end, position, by_key.get)


def is_as_it_is_written(telling: Told) -> None:
    updates, declared = told().updates, schema().updates[telling.name]
    world = world_of(telling)

    emitted = updates.emit(telling.update, around(telling))

    wanted = [Unhandled(telling.update)] if declared.emits is None else list(meant(declared.emits, world))
    assert emitted == wanted
    assert updates.claim(telling.update) == claimed(telling)
    assert list(updates.needs(telling.update)) == list(needed(declared.needs, world))
    beside = declared.beside
    group = beside and (schema().tables[beside.cursor].id, key_of(beside.cursor, beside.key, world))
    assert updates.beside(telling.update) == group
    assert declared.when_old == (type(telling.update) in updates.WHEN_OLD)


@given(tellings())
def test_an_update_is_what_its_schema_says(telling: Told) -> None:
    """G-1, G-5, G-9, A-9, K-1: claims, relations, needs and emissions, against a plain reading of them."""
    is_as_it_is_written(telling)


@given(tellings())
def test_an_update_survives_its_bytes_and_its_line_of_json(telling: Told) -> None:
    updates = told().updates

    assert updates.decode_update(updates.encode_update(telling.update)) == telling.update
    assert updates.decode_update_json(updates.encode_update_json(telling.update)) == telling.update


FAULTS = [
    ("a claim is one too long", "Renamed", "claim", "self.rev - self.count", "self.rev - self.count - 1"),
    ("unless is left out", "Came", "claim", "self.rev == 0", "self.rev == -77"),
    ("what observes is beside another", "Looked", "beside", "102", "101"),
    ("a need is not asked for", "Seated", "needs", "self.desk is not None", "self.desk is None"),
    ("a row that is not there is skipped", "Many", "needs", "Absent.POLL", "Absent.SKIP"),
    ("claim_end is that of the server", "Emit", "renamed", "end or 0", "date"),
    ("a condition is turned round", "Emit", "came", "around.date > 0", "around.date <= 0"),
    ("a hint is dropped", "Emit", "passed", "update.hint", "None"),
    ("a case does nothing", "Emit", "moved", "update.held.where.room, number=1", "0, number=1"),
    ("a value goes to other", "Emit", "moved", "case Level.HIGH", "case Level.MIDDLE"),
    ("an absent value is no case", "Emit", "moved", "case None", "case False"),
    ("rows are read of another key", "Emit", "seated", "update.room, update.desk", "update.room, 77"),
    ("a position is not read", "Emit", "lost", "is not None", "is None"),
]


@pytest.mark.parametrize(("name", "owner", "function", "old", "new"), FAULTS, ids=[one[0] for one in FAULTS])
def test_a_planted_fault_is_found(name: str, owner: str, function: str, old: str, new: str) -> None:
    fault = Fault(name, getattr(told().updates, owner), function, old, new)

    @HARD
    @given(tellings())
    def law(telling: Told) -> None:
        is_as_it_is_written(telling)

    with fault.planted(), pytest.raises((AssertionError, AttributeError, PillarboxError)):
        law()
