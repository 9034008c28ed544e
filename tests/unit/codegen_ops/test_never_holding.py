"""Conditions that never hold, as the schema is written: nothing of them is left that nobody uses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Package, imported, ruff

from pillarbox.sync import Around

SCHEMA = """
schema: {name: never_holding, doc: What is asked about never holds.}
tables:
  things: {id: 1, key: {n: int32}, record: {v: [1, int32]}}
  many: {id: 2, index: {from: things, when: false and v > 1, key: [v, n]}}
cursors:
  line: {id: 10, parts: {rev: {kind: counter, number: 1, claim: {end: rev, count: count}}}}
events: {seen: {code: 1, fields: {n: [1, int32]}}}
operations:
  keep: {code: 1, params: {t: [1, row<things>]}, idempotent: true, steps: [{put: {into: things, row: t}}]}
  look:
    code: 2
    params: {n: [1, int32], more: [2, list<int32>]}
    steps:
      - let: {old: things(n)}
      - {emit: {event: seen, n: old.v}, when: false and old is present}
      - {emit: {event: seen, n: m}, each: more as m, when: false}
      - if: false and n > 1
        then: [{emit: {event: seen, n: n}}]
      - {remove: {from: things, at: m}, each: more as m, when: false}
      - {remove: {from: things, at: "m + 1"}, each: more as m, when: m > 1 and false}
updates:
  thing:
    code: 1
    fields: {t: [1, row<things>], rev: [2, int64], count: [3, int64]}
    claims: line.rev
    emits:
      - {keep: {t: t}, when: "false and line([]).rev == claim_end"}
      - {keep: {t: t}, when: "false and batch_date > 1"}
containers:
  event: {code: 10, fields: {updates: [1, list<update>]}, items: updates}
views:
  page: {key: {n: int32}, parts: {all: {scan: things, prefix: [], all: true, where: false and row.v > n}, one: {get: things, at: n, when: false and n > 1}, sum: {aggregate: {sum: row.v}, of: all, where: false}}}
"""  # noqa: E501


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("never_holding")


@pytest.fixture(scope="module")
def package(folder: Path) -> Package:
    return imported(folder, SCHEMA)


def test_linters_find_nothing_in_it(package: Package, folder: Path) -> None:
    assert package.views is not None
    assert ruff(folder, "check") == ""


def test_there_is_no_module_that_nobody_imports(package: Package, folder: Path) -> None:
    assert package.updates is not None
    assert not (folder / "generated/pillarbox_never_holding/around.py").exists()


def test_emissions_are_none(package: Package) -> None:
    u, t = package.updates, package.types
    assert [*u.emit(u.Thing(t=t.Things(1, 2), rev=1, count=1), Around())] == []
