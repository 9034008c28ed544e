"""Law of what pages of holes write beside their rows: where nothing is found, an older page undoes nothing.

What an operation wrote while a page was on its way is still there when the page has been applied: a row that
it changed is as it left it, and one that it removed is not there again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.unit.codegen_ops.making import Bench, Package, imported, loaded_schema

from pillarbox_codegen import check_hole_beside, model

#: Tables that pages may write beside their rows. Rows of `kids` go with their `folk`.
TABLES: Final = ("folk", "kids", "tools")
ROW: Final = "{n: n, k: k, v: v}"
STEPS: Final = {
    "put": f"{{put: {{into: TABLE, row: {ROW}}}}}",
    "put_new": f"{{put: {{into: TABLE, row: {ROW}, only: new}}}}",
    "put_old": f"{{put: {{into: TABLE, row: {ROW}, only: old}}}}",
    "patch": '{patch: {table: TABLE, at: "[n, k]", set: {v: v}}}',
    "create": '{patch: {table: TABLE, at: "[n, k]", set: {v: v}, create: {v: v}}}',
    "remove": '{remove: {from: TABLE, at: "[n, k]"}}',
    "empty": "{remove: {from: TABLE, under: [n]}}",
}
PARAMS: Final = "{n: [1, int32], k: [2, int32], v: [3, int32]}"
KEY: Final = "key: {n: int32, k: int32}, record: {v: [1, int32]}"


def _schema() -> str:
    lines = ["schema: {name: hole_beside, doc: What pages write beside their rows.}", "tables:"]
    lines += [f"  folk: {{id: 1, {KEY}}}", f"  tools: {{id: 2, {KEY}}}"]
    lines += [f"  kids: {{id: 3, {KEY}, owned: {{by: folk, key: [n, k], orphans: skip}}}}", "operations:"]
    for code, (table, (word, step)) in enumerate(product(TABLES, STEPS.items()), 1):
        steps = step.replace("TABLE", table)
        lines.append(f"  {word}_{table}: {{code: {code}, params: {PARAMS}, steps: [{steps}]}}")
    return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class Made:
    """What is not told of a failing example."""

    package: Package
    schema: model.Schema


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("hole_beside")
    return Made(imported(folder, _schema()), loaded_schema(folder / "again", _schema()))


Done: TypeAlias = Sequence[tuple[str, int, int, int]]


def some_of(*tables: str) -> st.SearchStrategy[tuple[Done, Done, Done]]:
    """What was done before, by a page, and meanwhile, all of it to one key of each table."""
    nothing, value = st.just(0), st.integers(0, 1)
    words = [f"{word}_{name}" for word in STEPS for name in tables]
    step = st.tuples(st.sampled_from(words), nothing, nothing, value)
    put = st.tuples(st.sampled_from([f"put_{name}" for name in tables]), nothing, nothing, value)
    steps = st.lists(step, min_size=1, max_size=2)
    return st.tuples(st.lists(put, max_size=2), steps, steps)


histories = some_of("tools") | some_of("folk", "kids")


def state(bench: Bench) -> dict[tuple[str, int, int], int]:
    return {(name, row.n, row.k): row.v for name in TABLES for row in getattr(bench.tx, name).all()}


def joined(schema: model.Schema, name: str, steps: Done) -> model.Operation:
    operations = [schema.operations[step] for step, *_ in steps]
    return replace(operations[0], name=name, steps=tuple(step for one in operations for step in one.steps))


def applied(package: Package, steps: Done) -> list[Any]:
    made = {step: getattr(package.operations, step.title().replace("_", "")) for step, *_ in steps}
    return [made[step](n=n, k=k, v=v) for step, n, k, v in steps]


def check_history(made: Made, history: tuple[Done, Done, Done]) -> None:
    before, page, meanwhile = history
    bench = Bench(made.package)
    bench.replay(*applied(made.package, before))
    first = state(bench)
    bench.replay(*applied(made.package, meanwhile))
    left = state(bench)
    bench.replay(*applied(made.package, page))
    last = state(bench)

    lost = {key[0] for key in {*first, *left} if first.get(key) != left.get(key) != last.get(key)}
    late, others = joined(made.schema, "page", page), [joined(made.schema, "other", meanwhile)]
    found = check_hole_beside.undone(late, others, (), made.schema.tables)

    assert lost <= set(found)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=histories)
@example(history=([("put_folk", 0, 0, 0)], [("remove_folk", 0, 0, 0)], [("put_kids", 0, 0, 1)]))
def test_what_an_older_page_undoes_is_found(made: Made, history: tuple[Done, Done, Done]) -> None:
    check_history(made, history)


FAULTS = [
    Fault(name, check_hole_beside, *rest)
    for name, *rest in (
        ("rows that come again", "undone", "_going(other, tables) & new", "set()"),
        ("what a page takes with it", "undone", "over |= _going(operation, tables)", "pass"),
        ("what is patched", "_writes", "| PatchStep(table=name)", ""),
        ("what goes with an owner", "_going", "gone_with(removing, tables)", "removing"),
    )
]


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(made: Made, fault: Fault) -> None:
    @settings(max_examples=1000, derandomize=True, phases=[Phase.generate], database=None, deadline=None)
    @given(history=histories)
    def law(history: tuple[Done, Done, Done]) -> None:
        check_history(made, history)

    with fault.planted(), pytest.raises(AssertionError):
        law()
