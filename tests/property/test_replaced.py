"""What a put would replace, where rows go with their owners and are known by an identity beside their key.

Law: `replaced_by(row)` is the row that `put(row)` takes away or writes over, also right after an owner went
and before anybody has read.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.codegen_ops.making import Package, imported, new_engine

from pillarbox_codegen.plan.writers import _Writer

TEXT: Final = """
schema: {name: replaced, doc: Apples of trees.}
tables:
  trees: {id: 1, key: {tree: int32}}
  apples:
    id: 2
    key: {tree: int32, apple: int32}
    record: {code: [1, int32]}
    owned: {by: trees, key: [tree]}
  by_code: {id: 3, index: {from: apples, unique: identity, key: [code], value: {tree: tree, apple: apple}}}
"""
FAULT: Final = Fault(
    "what is replaced is looked up unfollowed", _Writer, "replaced", 'lines.append("self._settle()")', "pass"
)
few = st.integers(1, 2)
apples = st.tuples(few, few, few)


@cache
def package(*, faulty: bool) -> Package:
    folder = Path(tempfile.mkdtemp())
    if not faulty:
        return imported(folder, TEXT)
    with FAULT.planted():
        return imported(folder, TEXT.replace("name: replaced", "name: replaced_wrongly"))


def law_of(made: Package, hard: settings) -> None:
    """Apples hang, a tree is felled, and then one is asked about."""

    @hard
    @given(st.lists(apples, max_size=3), st.lists(few, max_size=2), apples)
    def law(hung: list[tuple[int, int, int]], felled: list[int], asked: tuple[int, int, int]) -> None:
        engine = new_engine(made)
        tx: Any = made.transaction.Transaction(engine)
        tx.begin()
        model: dict[tuple[int, int], int] = {}
        for tree in (1, 2):
            tx.trees.put(made.types.Trees(tree))
        for tree, apple, code in hung:
            tx.apples.put(made.types.Apples(tree, apple, code))
            model = {key: known for key, known in model.items() if known != code}
            model[tree, apple] = code
        tx.seal()
        tx.commit()
        tx.begin()

        for tree in felled:
            tx.trees.remove(tree)
        model = {key: code for key, code in model.items() if key[0] not in felled}

        same = [key for key, code in model.items() if code == asked[2]]
        place = same[0] if same else asked[:2]
        row = made.types.Apples(*place, model[place]) if place in model else None
        assert tx.apples.replaced_by(made.types.Apples(*asked)) == row
        tx.rollback()
        engine.close()

    law()


def test_what_a_put_would_replace_is_what_is_there() -> None:
    law_of(package(faulty=False), settings())


def test_the_planted_fault_is_found() -> None:
    with pytest.raises(AssertionError):
        law_of(package(faulty=True), HARD)
