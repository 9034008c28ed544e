"""Rows removed and replaced by the beginning of their keys, which are known by an identity as well.

Laws: removing many is removing each, and its identity is free again; after replacing, exactly the rows given
are there, as if they had been put, and one that was stored as it is has not been written.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.codegen_ops.making import Package, imported, new_engine

from pillarbox.tables import PrimaryWriter
from pillarbox_codegen.plan.writers import _Writer

TEXT: Final = """
schema: {name: rows_under, doc: Apples of trees.}
tables:
  apples:
    id: 1
    key: {tree: int32, apple: int32}
    record: {code: [1, int32], color: [2, int32]}
  by_code: {id: 2, index: {from: apples, unique: identity, key: [code], value: {tree: tree, apple: apple}}}
  by_color: {id: 3, index: {from: apples, key: [color, tree, apple]}}
operations:
  pick:
    code: 1
    params: {tree: [1, int32], low: [2, int32], high: [3, int32], apples: [4, list<row<apples>>]}
    steps:
      - {remove: {from: apples, under: tree}}
      - {remove: {from: apples, between: ["[tree, low]", "[tree, high]"]}}
      - {replace: {table: apples, under: tree, rows: apples}}
"""
FAULTS: Final = (
    Fault(
        "removing many keeps the identities",
        PrimaryWriter,
        "_remove_from",
        "self.drop(key, cell)",
        "self.put_known(key, cell, None)",
    ),
    Fault(
        "replacing keeps the identities of what goes",
        PrimaryWriter,
        "_replace_under",
        "self.drop(key, cell)",
        "self.put_known(key, cell, None)",
    ),
    Fault(
        "replacing writes what is there already",
        PrimaryWriter,
        "_replace_under",
        "row if identical(self.row_at(self.key_under(prefix, row)), row) else self.put(row)",
        "self.put(row)",
    ),
    Fault("replacing removes nothing", PrimaryWriter, "_replace_under", "if key not in kept:", "if False:"),
    Fault(
        "replacing removes what it put", PrimaryWriter, "_replace_under", "if key not in kept:", "if True:"
    ),
)
#: What the generated class says of it.
UNRELEASED: Final = Fault(
    "a row goes without its identity", _Writer, "release", "if self.identity is None:", "if True:"
)
few = st.integers(1, 3)
Apple: TypeAlias = tuple[int, int, int, int]
apples = st.tuples(st.integers(1, 2), few, few, st.integers(1, 2))


@cache
def package(*, faulty: bool = False) -> Package:
    folder = Path(tempfile.mkdtemp())
    if not faulty:
        return imported(folder, TEXT)
    with UNRELEASED.planted():
        return imported(folder, TEXT.replace("name: rows_under", "name: rows_under_wrongly"))


class Orchard:
    """Apples as they should be: the place of each, by what is known of it."""

    def __init__(self) -> None:
        self.rows: dict[tuple[int, int], tuple[int, int]] = {}

    def put(self, apple: Apple) -> None:
        tree, at, code, color = apple
        self.rows = {place: row for place, row in self.rows.items() if row[0] != code}
        self.rows[tree, at] = code, color

    def remove(self, tree: int, low: int = 0, high: int = 9) -> int:
        gone = [place for place in self.rows if place[0] == tree and low <= place[1] <= high]
        for place in gone:
            del self.rows[place]
        return len(gone)


def law_of(made: Package, hard: settings) -> None:
    """Apples are hung, and then picked in one transaction."""

    @hard
    @given(
        st.lists(apples, max_size=6),
        st.lists(
            st.one_of(
                apples,
                st.tuples(st.integers(1, 2)),
                st.tuples(st.integers(1, 2), few, few),
                st.tuples(st.integers(1, 2), st.lists(apples, max_size=4)),
            ),
            max_size=4,
        ),
    )
    def law(hung: list[Apple], steps: list[Any]) -> None:
        engine = new_engine(made)
        tx: Any = made.transaction.Transaction(engine)
        orchard = Orchard()
        tx.begin()
        for apple in hung:
            tx.apples.put(made.types.Apples(*apple))
            orchard.put(apple)
        tx.seal()
        tx.commit()
        tx.begin()
        for step in steps:
            untouched = take(made, tx, orchard, step)
            assert [(row.tree, row.apple) for row in tx.apples.all()] == sorted(orchard.rows)
            assert untouched.isdisjoint(tx.apples.unsettled)
        tx.seal()
        shown = [(row.tree, row.apple, row.code, row.color) for row in tx.apples.all()]
        assert shown == [(*place, *row) for place, row in sorted(orchard.rows.items())]
        codes = [(row.code, row.tree, row.apple) for row in tx.by_code.all()]
        assert codes == sorted((code, *place) for place, (code, _) in orchard.rows.items())
        colors = [(row.color, row.tree, row.apple) for row in tx.by_color.all()]
        assert colors == sorted((color, *place) for place, (_, color) in orchard.rows.items())
        tx.rollback()
        engine.close()

    law()


def take(made: Package, tx: Any, orchard: Orchard, step: Any) -> set[bytes]:
    """Take a step in both; the keys that it must not have written."""
    match step:
        case (tree, [*given]):
            rows = [(tree, *apple[1:]) for apple in given]
            before = dict(orchard.rows)
            tx.settle()
            tx.apples.replace_of_tree(tree, [made.types.Apples(*row) for row in rows])
            for row in rows:
                orchard.put(row)
            places = {row[:2] for row in rows}
            for place in [place for place in orchard.rows if place[0] == tree and place not in places]:
                del orchard.rows[place]
            if len({row[2] for row in rows}) < len(rows) or len(places) < len(rows):
                return set()  # one takes what another has
            return {made.keys.apples_key(*row[:2]) for row in rows if before.get(row[:2]) == row[2:]}
        case (tree, low, high):
            count = tx.apples.remove_between(
                made.keys.apples_key(tree, low), made.keys.apples_key(tree, high)
            )
            assert count == orchard.remove(tree, low, high)
        case (tree,):
            assert tx.apples.remove_of_tree(tree) == orchard.remove(tree)
        case _:
            tx.apples.put(made.types.Apples(*step))
            orchard.put(step)
    return set()


def test_rows_go_and_come_with_their_identities() -> None:
    law_of(package(), settings())


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law_of(package(), HARD)


def test_an_identity_that_stays_is_found() -> None:
    with pytest.raises(AssertionError):
        law_of(package(faulty=True), HARD)
