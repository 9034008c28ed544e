"""Texts and fields that are called as functions call their own: nothing is set up for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Package, imported, ruff

SCHEMA = """
schema: {name: words_in_texts, doc: Texts that name what functions call their own.}
tables:
  things: {id: 1, key: {n: int32}, record: {v: [1, int32], t: [2, text]}}
cursors:
  line: {id: 10, parts: {rev: {kind: counter, number: 1, claim: {end: rev, count: count}}}}
events: {seen: {code: 1, fields: {n: [1, int32], t: [2, text]}}}
operations:
  keep: {code: 1, params: {t: [1, row<things>]}, idempotent: true, steps: [{put: {into: things, row: t}}]}
  told: {code: 3, params: {n: [1, int32], t: [2, text]}, steps: [{emit: {event: seen, n: n, t: t}}]}
  look:
    code: 2
    params: {n: [1, int32], more: [2, list<int32>], v: [3, int32]}
    steps:
      - let: {old: things(n), w: v + 1}
      - {emit: {event: seen, n: old.v, t: "'w'"}, when: false and old is present}
      - {emit: {event: seen, n: w, t: "'old'"}, when: false}
      - {emit: {event: seen, n: n, t: "'the m of w: old'"}, each: more as m}
      - {emit: {event: seen, n: n, t: "'tx'"}, when: "false and things(n) is present"}
updates:
  thing:
    code: 1
    fields: {t: [1, row<things>], rev: [2, int64], count: [3, int64]}
    claims: line.rev
    emits:
      - {told: {n: 1, t: "'around claim_end'"}}
containers:
  event: {code: 10, fields: {updates: [1, list<update>]}, items: updates}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("words_in_texts")


@pytest.fixture(scope="module")
def package(folder: Path) -> Package:
    return imported(folder, SCHEMA)


def test_linters_find_nothing_in_it(package: Package, folder: Path) -> None:
    assert package.updates is not None
    assert ruff(folder, "check") == ""


def test_nothing_is_read_for_a_name_that_stands_in_a_text_only(package: Package, folder: Path) -> None:
    assert package.replay is not None
    lines = (folder / "generated/pillarbox_words_in_texts/replay.py").read_text()

    assert "old =" not in lines
    assert "for _m in" in lines
