"""Joins of several drivers whose lookups depend on rows of one of them: what follows that one leads back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported, loaded_schema

from pillarbox_codegen.diagnostics import SchemaErrors

SCHEMA = """
schema: {name: several_drivers, doc: Two drivers and one way back.}
tables:
  base: {id: 1, key: {g: int32, n: int32}, record: {near: [1, opt<int64>]}}
  more: {id: 2, key: {g: int32, n: int32}, record: {v: [1, int32]}}
  names: {id: 3, key: {n: int64}, record: {name: [1, text], also: [2, opt<int64>]}}
  totals: {id: 4, key: {g: int32}, record: {t: [1, int32]}}
  by_near: {id: 5, index: {from: base, when: near is present, key: [{near: near // 0}, g, n]}}
  state: {id: 6, join: {by: [g, n], rows: base, row: {x: near // 0}}}
  lone: {id: 7, join: {by: [g, n], rows: [base, more], with: {b: "base([g, n])", nm: {row: names(b.near), via: by_near}}, row: {name: "nm.name // ''"}}}
  named: {id: 8, join: {by: [g, n], rows: [base, more], with: {nm: {row: names(base.near), via: by_near}}, row: {name: "nm.name // ''"}}}
  within: {id: 9, join: {by: [g, n], rows: [base, state], with: {t: {row: totals(g), via: base}}, row: {t: "t.t // 0"}}}
operations:
  put: {code: 1, params: {base: [1, list<row<base>>], more: [2, list<row<more>>], names: [3, list<row<names>>], totals: [4, list<row<totals>>]}, steps: [{put: {into: base, row: x}, each: base as x}, {put: {into: more, row: x}, each: more as x}, {put: {into: names, row: x}, each: names as x}, {put: {into: totals, row: x}, each: totals as x}]}
"""  # noqa: E501


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(tmp_path_factory.mktemp("several_drivers"), SCHEMA)


def test_a_changed_row_is_heard_of_by_all_that_look_it_up(package: Package) -> None:
    bench, t, put = Bench(package), package.types, package.operations.Put_
    bench.replay(
        put(
            base=(t.Base(1, 1, 7), t.Base(1, 2)), more=(t.More(1, 1, 0), t.More(1, 3, 0)), names=(), totals=()
        )
    )
    bench.commit()
    assert [row.name for row in bench.tx.lone.all()] == ["", "", ""]

    bench.replay(put(base=(), more=(), names=(t.Names(n=7, name="seven"),), totals=(t.Totals(g=1, t=5),)))
    bench.commit()

    assert [(row.n, row.name) for row in bench.tx.lone.all()] == [(1, "seven"), (2, ""), (3, "")]
    assert [(row.n, row.name) for row in bench.tx.named.all()] == [(1, "seven"), (2, ""), (3, "")]
    assert [(row.n, row.t) for row in bench.tx.within.all()] == [(1, 5), (2, 5)]


@pytest.mark.parametrize("key", ["b.near // 0", "g"])
def test_what_rows_of_other_drivers_look_up_as_well_is_a_finding(tmp_path: Path, key: str) -> None:
    text = SCHEMA.replace("row: names(b.near)", f'row: "names({key})"')
    assert text != SCHEMA
    with pytest.raises(SchemaErrors, match="leads back to rows of `base` alone"):
        loaded_schema(tmp_path, text)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("base.near // 0", "leads back to rows of `base` alone"),
        ("if more is present then 1 else 2", "leads back to rows of `base` alone"),
        ("base.n", "is made of other things"),
    ],
)
def test_a_field_of_a_driver_leads_back_where_it_has_a_row(tmp_path: Path, key: str, told: str) -> None:
    text = SCHEMA.replace("row: names(base.near)", f'row: "names({key})"')
    assert text != SCHEMA
    with pytest.raises(SchemaErrors, match=told):
        loaded_schema(tmp_path, text)
