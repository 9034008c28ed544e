"""Operations that wish for something: a step puts it into the outbox, as who applies it by hand does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported, ruff

SCHEMA = """
schema: {name: ring_log, doc: Wishes that operations make.}
tables:
  calls: {id: 1, key: {n: int32}, record: {done: [1, bool]}}
events: {seen: {code: 1, fields: {n: [1, int32]}}}
requests:
  call: {code: 10, fields: {n: [1, int32]}, answers: [done]}
answers:
  done: {code: 20, fields: {n: [1, int32]}}
cursors:
  line: {id: 10, parts: {rev: {kind: counter, number: 1, zero: refused, claim: {end: rev, count: count}}}}
updates:
  thing:
    code: 1
    fields: {n: [1, int32], rev: [2, int64], count: [3, int64]}
    claims: line.rev
    emits: [{ring_all: {ns: "[n, n]"}}]
containers:
  event: {code: 10, fields: {updates: [1, list<update>]}, items: updates}
outbox:
  table: {id: 140, groups: 141, numbers: 142, cancel: 40}
  call:
    code: 41
    payload: {n: [1, int32]}
    per: n
    same: replace
    unique: none
    request: call
    with: {n: n}
    local: [{begin: {n: n}}]
  again:
    code: 43
    payload: {n: [1, int32]}
    per: n
    unique: none
    request: call
    with: {n: n}
    local: [{enqueue_call: {n: n}}]
operations:
  begin:
    code: 1
    params: {n: [1, int32]}
    idempotent: true
    steps: [{put: {into: calls, row: {n: n, done: true}}}]
  ring_all:
    code: 2
    params: {ns: [1, list<int32>]}
    steps:
      - {do: {enqueue_call: {n: n}}, each: ns as n}
      - do: {cancel_outgoing: {kind: 41, number: 99}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ring_log")


@pytest.fixture(scope="module")
def package(folder: Path) -> Package:
    return imported(folder, SCHEMA)


def test_a_step_puts_a_wish_into_the_outbox(package: Package, folder: Path) -> None:
    bench, by_hand = Bench(package), Bench(package)
    ops = package.operations

    bench.replay(ops.RingAll(ns=[1, 2, 1]))
    by_hand.replay(*(ops.EnqueueCall(n=n) for n in (1, 2, 1)))

    rows = list(bench.tx.outbox.all())
    assert [(row.payload.n, row.revision) for row in rows] == [(1, 1), (2, 0)]
    assert rows == list(by_hand.tx.outbox.all())
    assert bench.tx.calls.get(2).done
    assert ruff(folder, "check") == ""


def test_a_wish_makes_another(package: Package) -> None:
    bench = Bench(package)

    bench.replay(package.operations.EnqueueAgain(n=5))

    assert [(row.kind, row.payload.n) for row in bench.tx.outbox.all()] == [(41, 5), (43, 5)]
