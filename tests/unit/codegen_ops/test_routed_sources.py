# ruff: noqa: E501 -- schemas are shown as they are written
"""A generated source: what becomes of a row, which of it is kept in order, and what a repetition may skip."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Package, imported, loaded_schema

from pillarbox.bulk import Emit, Source, route_of
from pillarbox_codegen.expr_python import Scope
from pillarbox_codegen.generate import generate_package
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.names import fresh
from pillarbox_codegen.plan.routes import Routes
from pillarbox_spark.job import load_job

TEXT = (Path(__file__).parents[2] / "golden/generated/routed_sources/schema.yaml").read_text(encoding="utf-8")


@cache
def package() -> Package:
    return imported(Path(mkdtemp()), TEXT)


def ledger() -> Source:
    source: Source = package().sources.LEDGER
    return source


def line(**changes: Any) -> Any:
    plain = {
        "shop_id": 7, "year": 2024, "number": 3, "customer": "ann", "customer_name": "Ann", "gold": True,
        "stars": (1, 2), "cancelled": False, "note": "n", "floor": 0, "temperature": 0.0,
    }  # fmt: skip
    return package().sources.LedgerRow(**{**plain, **changes})


def emission(operation: str) -> Emit:
    """The emission that makes these operations."""
    (found,) = (emit for emit in ledger().emits if emit.make.__name__ == f"_ledger_{operation}")
    return found


def test_a_source_knows_its_name_its_adapter_and_its_row() -> None:
    assert ledger().name == "ledger"
    assert ledger().adapter == "warehouse.ledgers:ADAPTER"
    assert ledger().row is package().sources.LedgerRow


def test_emissions_in_order_make_the_operations_of_a_row() -> None:
    row = line()

    made = [operation for emit in ledger().emits for operation in emit.make(row)]

    assert made == list(package().sources.ledger_operations(row))
    assert [type(operation).__name__ for operation in made] == [
        "PutCustomer", "PutOrder", "Star", "Star", "Note", "Measure",
    ]  # fmt: skip


def test_a_lone_emission_is_made_by_the_function_of_all() -> None:
    census: Source = package().sources.CENSUS

    assert [emit.make for emit in census.emits] == [package().sources.census_operations]
    assert census.group is None


def test_the_group_is_the_route_of_what_has_no_other() -> None:
    group = ledger().group
    assert group is not None

    assert group(line()) == route_of(7, 2024)
    assert emission("put_order").route is None
    assert emission("drop_order").route is None


@pytest.mark.parametrize(
    ("operation", "route"),
    [
        ("put_customer", route_of("ann")),
        ("star", route_of(4, "ann")),
        ("measure", route_of(4, "ann")),
        ("note", route_of()),
    ],
)
def test_the_route_of_an_emission_is_its_by(operation: str, route: bytes) -> None:
    found = emission(operation).route
    assert found is not None

    assert found(line()) == route


def test_emissions_with_one_by_share_one_function() -> None:
    assert emission("star").route is emission("measure").route


def test_a_memo_is_what_the_operations_are_made_of() -> None:
    memo = emission("put_customer").memo
    assert memo is not None

    assert memo(line()) == memo(line(shop_id=8, year=1, number=9, stars=(), note="other"))
    for change in ({"customer": "bob"}, {"customer_name": None}, {"gold": False}):
        assert memo(line()) != memo(line(**change))


def test_what_each_goes_over_is_part_of_a_memo() -> None:
    memo = emission("star").memo
    assert memo is not None

    assert memo(line()) != memo(line(stars=(1,)))


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        ("put_order", "another emission writes its table"),
        ("drop_order", "another emission writes its table"),
        ("note", "it takes a number each time"),
        ("measure", "0.0 and -0.0 are equal"),
    ],
)
def test_there_is_no_memo_where_a_repetition_may_do_something(operation: str, why: str) -> None:
    assert emission(operation).memo is None, why


def test_there_is_no_memo_of_what_is_not_declared_idempotent(tmp_path: Path) -> None:
    text = """
schema: {name: memo_of_steps}
tables: {counts: {id: 1, key: {n: int32}, record: {count: [1, int32]}}}
operations:
  add: {code: 1, params: {n: [1, int32]}, IDEMPOTENT steps: [{patch: {table: counts, at: n, max: {count: 1}, create: {count: 0}}}]}
sources: {rows: {adapter: a:b, group: [n], columns: {n: int32}, emits: [{add: {n: n}}, {add: {n: 1}, when: false}]}}
"""
    once = text.replace(", {add: {n: 1}, when: false}", "")
    plain = imported(tmp_path / "1", once.replace("memo_of_steps", "memo_one").replace("IDEMPOTENT", ""))
    declared = imported(
        tmp_path / "2", once.replace("memo_of_steps", "memo_two").replace("IDEMPOTENT", "idempotent: true,")
    )
    twice = imported(
        tmp_path / "3", text.replace("memo_of_steps", "memo_three").replace("IDEMPOTENT", "idempotent: true,")
    )

    assert plain.sources.ROWS.emits[0].memo is None
    assert declared.sources.ROWS.emits[0].memo(declared.sources.RowsRow(n=5)) == 5
    assert [emit.memo for emit in twice.sources.ROWS.emits] == [None, None]


def test_there_is_no_memo_of_a_base_that_another_emission_sets(tmp_path: Path) -> None:
    text = """
schema: {name: memo_of_bases}
tables:
  issues: {id: 1, key: {project: int32, n: int32}}
  totals: {id: 2, count: {from: issues, group: [project], sum: {known: 1}, anchor: {given: known, stale: doubts}}}
  doubts: {id: 3, stale: {of: totals}}
operations: {tell: {code: 1, params: {project: [1, int32], known: [2, int32]}, idempotent: true, steps: [{anchor: {table: totals, at: project, set: {known: known}}}]}}
sources: {rows: {adapter: a:b, group: [n], columns: {n: int32, more: bool}, emits: [{tell: {project: n, known: 1}}, {tell: {project: n, known: 2}, when: more}]}}
"""
    assert [emit.memo for emit in imported(tmp_path, text).sources.ROWS.emits] == [None, None]


@pytest.mark.parametrize("unique", ["no", "true", "identity"])
def test_there_is_no_memo_of_rows_that_others_may_keep_out(tmp_path: Path, unique: str) -> None:
    text = """
schema: {name: memo_of_unique}
tables:
  users: {id: 1, key: {n: int32}, record: {login: [1, text]}}
  by_login: {id: 2, index: {from: users, UNIQUE key: [login, n]}}
operations: {put: {code: 1, params: {n: [1, int32]}, idempotent: true, steps: [{put: {into: users, row: {n: n, login: "'x'"}}}]}}
sources: {rows: {adapter: a:b, columns: {n: int32}, emits: [{put: {n: n}, by: []}]}}
""".replace("memo_of", f"memo_{unique}").replace("UNIQUE", "" if unique == "no" else f"unique: {unique},")
    (emit,) = imported(tmp_path, text).sources.ROWS.emits

    assert (emit.memo is None) == (unique != "no"), "each of them is refused, and told"


def test_a_memo_of_nothing_is_always_the_same(tmp_path: Path) -> None:
    text = """
schema: {name: memo_of_nothing}
tables: {things: {id: 1, key: {n: int32}}}
operations: {put: {code: 1, params: {n: [1, int32]}, idempotent: true, steps: [{put: {into: things, row: {n: n}}}]}}
sources: {rows: {adapter: a:b, columns: {n: int32}, emits: [{put: {n: 1}, by: []}]}}
"""
    sources = imported(tmp_path, text).sources
    (emit,) = sources.ROWS.emits

    assert emit.memo(sources.RowsRow(n=1)) == emit.memo(sources.RowsRow(n=2))


def test_routes_of_other_values_have_other_functions(tmp_path: Path) -> None:
    text = """
schema: {name: routes_of_routes}
operations: {nothing: {code: 1, params: {}, steps: []}}
sources:
  rows:
    adapter: a:b
    columns: {n: int32, LONG: int32}
    emits:
      - {nothing: {}, by: [n]}
      - {nothing: {}, by: [n + 1]}
      - {nothing: {}, by: [n]}
      - {nothing: {}, by: [n, LONG]}
      - {nothing: {}, by: [1]}
      - {nothing: {}, by: []}
""".replace("LONG", "x" * 60)
    schema = loaded_schema(tmp_path, text)
    source = schema.sources["rows"]
    names = {column.name: f"row.{column.name}" for column in source.columns}
    routes = Routes(source, Scope(schema, Imports("p", ".m"), names, set()), {"_rows_in_one_order_2"})

    found = [routes.of(emission) for emission in source.emits]

    assert found == [
        "_rows_by_n", "_rows_by_n_2", "_rows_by_n", "_rows_route", "_rows_in_one_order", "_rows_in_one_order_3",
    ]  # fmt: skip
    assert routes.functions["_rows_by_n_2"] == "route_of(row.n + 1)"


def test_a_fresh_name_is_new_and_taken_from_then_on() -> None:
    taken = {"a", "a_2"}

    assert [fresh("a", taken), fresh("a", taken), fresh("b", taken)] == ["a_3", "a_4", "b"]


def test_a_job_holds_all_that_its_tasks_need() -> None:
    made = package()  # importable from now on, whichever tests this process runs
    name = "pillarbox_routed_sources.jobs.ledger"

    job = load_job(name)

    assert job is importlib.import_module(name).JOB
    assert job.module == name
    assert job.source is made.sources.LEDGER
    assert job.package is made.box.PACKAGE
    assert job.parquet is made.spark.PARQUET
    operation = made.operations.Note(text="n")
    assert job.decode(job.encode(operation)) == operation


@pytest.mark.parametrize(
    "text",
    [
        "schema: {name: jobs_without_sources}\noperations: {nothing: {code: 1, params: {}, steps: []}}",
        "schema: {name: jobs_without_operations}\nsources: {rows: {adapter: a:b, columns: {n: int32}, emits: []}}",
    ],
    ids=["no source", "no operation"],
)
def test_there_are_no_jobs_of_a_schema_that_has_nothing_to_do(tmp_path: Path, text: str) -> None:
    assert not [path for path in generate_package(loaded_schema(tmp_path, text)) if "/jobs/" in path]
