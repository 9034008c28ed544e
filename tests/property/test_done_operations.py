"""The step `do`: what another operation does, with what is given to it, is what it does by itself.

Law. An operation whose steps do others leaves the tables, and tells the events, that the others leave and
tell one after the other; what they name is their own, and their `require` ends nothing but themselves.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.codegen_ops.making import Bench, Package, imported

from pillarbox_codegen import check_do
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.check_merges import _Batch
from pillarbox_codegen.diagnostics import SchemaErrors
from pillarbox_codegen.plan import prefetch
from pillarbox_codegen.repeats import doubt

SCHEMA: Final = """
schema: {name: NAME}
tables:
  sums:
    id: 1
    key: {n: int32}
    record: {total: [1, int64]}
  seen: {id: 2, key: {n: int32, total: int64}, record: {often: [1, int32]}}
events:
  told: {code: 1, fields: {n: [1, int32], total: [2, int64]}}
operations:
  add_all:
    code: 1
    params: {ns: [1, list<int32>], by: [2, int64], most: [3, opt<int64>]}
    steps:
      - let: {row: sums(0)}
      - {do: {add: {n: one, by: by, most: most}}, each: ns as one, when: one > 0}
      - {emit: {event: told, n: 0, total: row.total // 0}}
  add:
    code: 2
    params: {n: [1, int32], by: [2, int64], most: [3, opt<int64>]}
    steps:
      - let: {row: sums(n)}
      - require: most is none or (row.total // 0) < most
        else: [{emit: {event: told, n: n, total: -1}}]
      - {put: {into: sums, row: {n: n, total: "(row.total // 0) + by"}}, as: put}
      - {do: {see: {n: n, total: put.row.total}}}
  see:
    code: 3
    params: {n: [1, int32], total: [2, int64]}
    steps:
      - {patch: {table: seen, at: "[n, total]", add: {often: 1}, create: {often: 0}}}
      - {emit: {event: told, n: n, total: total}}
  add_many:
    code: 6
    params: {n: [1, list<int32>]}
    merge: {batch: n}
    steps: [{do: {add: {n: one, by: 1}}, each: n as one}]
  set_twice:
    code: 4
    params: {n: [1, int32]}
    steps: [{do: {set_one: {n: n}}}, {do: {set_one: {n: n}}}]
  set_one:
    code: 5
    params: {n: [1, int32]}
    steps: [{put: {into: sums, row: {n: n, total: 1}}, as: put}]
"""
#: The name of a package is used once.
_NAMES: Final = count(1)
_FOLDER: Final = tempfile.TemporaryDirectory(prefix="pillarbox-")
numbers = st.integers(-1, 3)
calls = st.lists(st.tuples(st.lists(numbers, max_size=3), numbers, st.none() | numbers), max_size=3)


Calls: TypeAlias = list[tuple[list[int], int, int | None]]


def package() -> Package:
    """Made anew each time, as a fault may be planted."""
    return imported(
        Path(tempfile.mkdtemp(dir=_FOLDER.name)), SCHEMA.replace("NAME", f"done_operations_{next(_NAMES)}")
    )


sound = cache(package)


def outcome(bench: Bench) -> tuple[Any, ...]:
    """All rows, and all events in their order."""
    tables = (bench.tx.sums, bench.tx.seen)
    told = [(event.n, event.total) for event in bench.tx._events]
    return *(tuple(map(repr, table.all())) for table in tables), told


class Meaning:
    """What the operations mean, told in plain Python."""

    def __init__(self) -> None:
        self.sums: dict[int, int] = {}
        self.seen: dict[tuple[int, int], int] = {}
        self.told: list[tuple[int, int]] = []

    def add_all(self, ns: Sequence[int], by: int, most: int | None) -> None:
        before = self.sums.get(0, 0)
        for n in ns:
            if n > 0:
                self.add(n, by, most)
        self.told.append((0, before))

    def add(self, n: int, by: int, most: int | None) -> None:
        total = self.sums.get(n, 0)
        if most is not None and total >= most:
            self.told.append((n, -1))
            return
        self.sums[n] = total + by
        self.seen[n, total + by] = self.seen.get((n, total + by), 0) + 1
        self.told.append((n, total + by))


def law(made: Package, several: Calls) -> None:
    bench, meaning = Bench(made), Meaning()

    for ns, by, most in several:
        bench.replay(made.operations.AddAll(ns=tuple(ns), by=by, most=most))
        meaning.add_all(ns, by, most)

    sums = tuple(repr(made.types.Sums(n=n, total=it)) for n, it in sorted(meaning.sums.items()))
    seen = tuple(
        repr(made.types.Seen(n=n, total=total, often=often))
        for (n, total), often in sorted(meaning.seen.items())
    )
    assert outcome(bench) == (sums, seen, meaning.told)
    assert ahead(made, 7) == {"keys of sums": [7]}


def ahead(made: Package, n: int) -> dict[str, list[int]]:
    """What replay reads before it does anything, for one number."""
    tx = Bench(made).tx
    collected = made.replay.Prefetch(tx)
    made.operations.AddAll(ns=(n,), by=1).accept(collected)
    keys = collected._asked[tx.sums.preload]
    return {"keys of sums": sorted({made.specs.SUMS.key_fields(it)[0] for it in keys} - {0})}


@given(calls)
def test_what_others_do_is_done_as_they_do_it(several: Calls) -> None:
    law(sound(), several)


def test_whether_it_may_be_done_twice_follows_from_what_is_done(tmp_path: Path) -> None:
    (tmp_path / "schema.yaml").write_text(SCHEMA.replace("NAME", "done").strip())
    schema = load_schema(tmp_path)

    found = {name: doubt(operation, schema.tables) for name, operation in schema.operations.items()}

    assert found["add_all"] is not None
    assert found["set_twice"] is None


# -------------------------------------------------------------------------------------- planted faults
FAULTS: Final = (
    Fault("nothing is read ahead", prefetch.Collector, "inside", "known[named.name] = text", "pass"),
    Fault("names of the other are its own", prefetch.Collector, "inside", "names=known", "names=scope.names"),
    Fault("who is done is checked behind", check_do, "done_by", "yield from value.keys.values()", "pass"),
    Fault("names of others are read here", _Batch, "_loop", '("mods", "does")', '("mods",)'),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    def played() -> None:
        made = package()
        HARD(given(calls)(lambda several: law(made, several)))()

    with (
        fault.planted(),
        pytest.raises((AssertionError, AttributeError, KeyError, NameError, SchemaErrors, TypeError)),
    ):
        played()
