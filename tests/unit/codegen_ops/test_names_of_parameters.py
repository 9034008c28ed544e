"""Names of parts, marks, sums and views that are those which the code around them uses itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported, mypy, ruff

from pillarbox.errors import UsageError

SCHEMA = """
schema: {name: parameters_named}
types:
  Shelf: {enum: {case: 0, dict: 1}}
  Marks: {flags: {mark: 0, bits: 1}}
tables:
  jobs: {id: 1, key: {dict: text, flag: text, n: int32}, record: {sums: [1, int32]}}
  sizes: {id: 2, count: {from: jobs, group: [dict, flag], sum: {sums: sums, marks: 1}, anchor: {given: sums, base: base, covers: n <= base, stale: old_sizes}}}
  old_sizes: {id: 3, stale: {of: sizes}}
  seen: {id: 4, marker: {over: jobs, group: [dict, flag], by: n, marks: [marks], counted: marks, base: {count: sums, known: base}, flag: muted, stale: old_seen}}
  old_seen: {id: 5, stale: {of: seen}}
  board: {id: 6, list: {group: {list: text}, item: {n: int32}, places: {id: 7}}}
  words: {id: 8, key: {n: int32}, record: {mark: [1, Shelf], bits: [2, Marks], text: [3, text]}}
  find: {id: 9, text: {from: words, of: text, filter: [mark, bits]}}
  owned: {id: 10, key: {owner: text, key: text, count: text}, record: {v: [1, int32]}}
  by_owner: {id: 11, index: {from: owned, unique: identity, key: [owner, key], value: {count: count}}}
operations:
  answer: {code: 1, params: {n: [1, int32]}, steps: [{anchor: {table: sizes, at: "['d', 'f']", set: {sums: n, base: n}}}]}
  see: {code: 2, params: {n: [1, int32]}, steps: [{anchor: {table: seen, at: "['d', 'f']", set: {marks: n, sums: 3, base: n, muted: true}}}]}
  go_on: {code: 3, params: {n: [1, int32]}, steps: [{advance: {table: seen, at: "['d', 'f']", mark: marks, to: n}}]}
  fill: {code: 4, params: {ns: [1, list<int32>]}, steps: [{replace: {table: board, under: "['l']", rows: ns}}]}
  put_words: {code: 5, params: {all: [1, list<row<words>>]}, steps: [{put: {into: words, row: case}, each: all as case, when: case.n > 0}]}
  put_cases: {code: 6, params: {all: [1, list<int32>]}, steps: [{put: {into: words, row: {n: match, mark: dict, bits: "flags()", text: "'t'"}}, each: all as match, when: match > 3}]}
  own: {code: 7, params: {key: [1, text]}, steps: [{put: {into: owned, row: {owner: key, key: key, count: key, v: 1}}}, {patch: {table: owned, at: "[key, key]", add: {v: 1}}}]}
  disown: {code: 8, params: {key: [1, text]}, steps: [{remove: {from: owned, at: "[key, key]"}}, {remove: {from: owned, at: "[key, key, key]"}}, {remove: {from: owned, under: "[key]"}}]}
  put_job: {code: 9, params: {job: [1, row<jobs>]}, steps: [{put: {into: jobs, row: job}}]}
views:
  each: {key: {n: int32}, parts: {lines: {each: "[1, n]", with: {line: {get: words, at: item}}}}}
"""  # noqa: E501


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parameters")


@pytest.fixture(scope="module")
def package(folder: Path) -> Package:
    return imported(folder, SCHEMA)


def test_bases_are_set_by_names_that_their_methods_use(package: Package) -> None:
    bench, ops, t = Bench(package), package.operations, package.types
    bench.replay(
        ops.Answer(n=5),
        ops.See(n=4),
        *(ops.PutJob(t.Jobs("d", "f", n, sums=2)) for n in (3, 6, 7)),
        ops.GoOn(n=6),
    )
    bench.commit()

    (size,), (seen,) = bench.tx.sizes.all(), bench.tx.seen.all()
    assert (size.sums, size.marks, size.base) == (5 + 2 + 2, 3, 5)
    assert (seen.marks, seen.sums, seen.base, seen.muted) == (6, 3 + 2 - 1, 4, False)


def test_a_list_may_be_in_groups_called_list(package: Package) -> None:
    bench = Bench(package)

    bench.replay(package.operations.Fill(ns=(3, 1, 3, 2)))

    assert [row.n for row in bench.tx.board.all()] == [3, 1, 2]


def test_words_are_searched_for_by_names_of_functions(package: Package) -> None:
    bench, ops, t = Bench(package), package.operations, package.types
    bench.replay(
        ops.PutWords(all=tuple(t.Words(n, t.Shelf.CASE, n, "a t") for n in (0, 1, 2))),
        ops.PutCases(all=(2, 3, 4)),
    )
    bench.commit()

    find = bench.tx.find
    assert [row.n for row in bench.tx.words.rows_at(find.search("t"))] == [4, 2, 1]
    assert len(find.search("t", bits_=t.Marks.MARK)) == len(find.search("t", bits_=t.Marks.BITS)) == 1
    assert len(find.search("t", mark_=t.Shelf.CASE)) == 2
    with pytest.raises(UsageError, match="limit is -1"):
        find.search("t", limit=-1)


def test_rows_are_found_and_removed_by_names_that_their_methods_use(package: Package) -> None:
    bench, ops = Bench(package), package.operations
    bench.replay(ops.Own(key="a"), ops.Own(key="b"))
    assert [(row.key, row.v) for row in bench.tx.owned.all()] == [("a", 2), ("b", 2)]

    bench.replay(ops.Disown(key="a"))

    assert [row.key for row in bench.tx.owned.all()] == ["b"]


def test_type_checker_and_linter_find_nothing(package: Package, folder: Path) -> None:
    assert package.replay is not None
    assert mypy(folder) == ""
    assert ruff(folder, "check", "--ignore", "I001") == ""
