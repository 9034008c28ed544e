"""Rows that are known by one thing and numbered by another: a label by its name, a copy by a token."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.codegen_ops.making import Bench, Package, imported

TEXT = """
schema: {name: numbered_identities, doc: Numbers that rows keep.}
sequences:
  label_numbers: {id: 101, type: int32, per: {}, start: 1}
  copy_numbers: {id: 102, type: int32, per: {shelf: int32}, start: 1}
tables:
  labels:
    id: 1
    key: {label: {type: int32, fill: label_numbers}}
    record: {name: [1, text], color: [2, int32]}
  label_names: {id: 2, index: {from: labels, unique: identity, key: [name], value: {label: label}}}
  copies:
    id: 3
    key: {shelf: int32, at: int32, n: {type: int32, fill: copy_numbers}}
    record: {token: [1, text]}
  copy_tokens:
    id: 4
    index: {from: copies, unique: identity, key: [token], value: {shelf: shelf, at: at, n: n}}
operations:
  new_labels:
    code: 1
    params: {names: [1, list<text>], color: [2, int32]}
    steps:
      - {put: {into: labels, row: {name: name, color: color}, only: new}, each: names as name}
"""


@cache
def package() -> Package:
    return imported(Path(mkdtemp()), TEXT)


@pytest.fixture
def bench() -> Bench:
    return Bench(package())


def label(name: str, color: int = 0, label: int = 0) -> Any:
    return package().types.Labels(label=label, name=name, color=color)


def copy(token: str, shelf: int, at: int, n: int = 0) -> Any:
    return package().types.Copies(shelf=shelf, at=at, n=n, token=token)


def test_a_row_that_is_known_keeps_its_number(bench: Bench) -> None:
    work = bench.tx.labels.put(label("work"))
    bench.tx.labels.put(label("home"))

    again = bench.tx.labels.put_was(label("work", 7))

    assert (again.was, again.row) == (work, label("work", 7, work.label))
    assert [(row.label, row.name) for row in bench.tx.labels.all()] == [(1, "work"), (2, "home")]


def test_a_row_that_is_known_is_the_one_that_would_be_replaced(bench: Bench) -> None:
    work = bench.tx.labels.put(label("work"))

    told = [bench.tx.labels.replaced_by(label(name)) for name in ("work", "home")]

    assert told == [work, None]


def test_what_is_put_only_if_new_leaves_a_known_row_alone(bench: Bench) -> None:
    new_labels = package().operations.NewLabels
    bench.replay(new_labels(names=("work", "home"), color=1))

    bench.replay(new_labels(names=("home", "rest"), color=2))

    assert [(row.label, row.name, row.color) for row in bench.tx.labels.all()] == [
        (1, "work", 1),
        (2, "home", 1),
        (3, "rest", 2),
    ]


def test_a_row_that_moves_within_its_group_keeps_its_number(bench: Bench) -> None:
    bench.tx.copies.put(copy("a", 1, 10))
    bench.tx.copies.put(copy("b", 1, 10))

    bench.tx.copies.put(copy("a", 1, 20))

    assert list(bench.tx.copies.all()) == [copy("b", 1, 10, 2), copy("a", 1, 20, 1)]


def test_a_row_that_moves_to_another_group_gets_a_number_there(bench: Bench) -> None:
    bench.tx.copies.put(copy("x", 2, 10))
    bench.tx.copies.put(copy("a", 1, 10))

    bench.tx.copies.put(copy("a", 2, 10))

    assert list(bench.tx.copies.all()) == [copy("x", 2, 10, 1), copy("a", 2, 10, 2)]


def test_a_row_that_moves_onto_the_number_of_another_takes_the_next_and_leaves_that_one(bench: Bench) -> None:
    bench.tx.copies.put(copy("a", 1, 10, 1))
    bench.tx.copies.put(copy("b", 1, 20, 1))

    moved = bench.tx.copies.put_was(copy("a", 1, 20))

    assert (moved.was, moved.row.n) == (copy("a", 1, 10, 1), 2)
    assert list(bench.tx.copies.all()) == [copy("b", 1, 20, 1), copy("a", 1, 20, 2)]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 2), st.integers(0, 1), st.integers(0, 2))))
def test_each_token_is_one_row_whose_number_changes_only_with_its_group(
    puts: list[tuple[str, int, int, int]],
) -> None:
    bench = Bench(package())
    known: dict[str, Any] = {}

    for token, shelf, at, n in puts:
        row = bench.tx.copies.put(copy(token, shelf, at, n))
        was = known.pop(token, None)
        others = {(it.shelf, it.at, it.n): name for name, it in known.items()}
        if n:
            known.pop(others.get((shelf, at, n), ""), None)
            assert row.n == n
        elif was is not None and was.shelf == shelf and (shelf, at, was.n) not in others:
            assert row.n == was.n
        else:
            assert (shelf, at, row.n) not in others
        known[token] = row

        assert row.n > 0
        assert {it.token: it for it in bench.tx.copies.all()} == known
