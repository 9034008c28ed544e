"""Key parts of a cursor that are called as what stands around them in the generated code."""

from __future__ import annotations

from pathlib import Path

from tests.unit.codegen_ops.making import imported

from pillarbox.sync import Around

SCHEMA = """
schema: {name: names_of_cursors, doc: Parts of keys and variables.}
tables:
  things: {id: 1, key: {n: int32}, record: {v: [1, int64]}}
cursors:
  line: {id: 10, per: {around: int32, parts: int32}, parts: {rev: {kind: counter, number: 1}}}
operations:
  keep: {code: 1, params: {n: [1, int32], v: [2, int64]}, idempotent: true, steps: [{put: {into: things, row: {n: n, v: v}}}]}
updates:
  thing:
    code: 1
    fields: {around: [1, int32], parts: [2, int32]}
    emits: [{keep: {n: around, v: "line([around, parts]).rev // 0"}}]
"""  # noqa: E501


def test_a_key_part_may_be_called_as_a_variable(tmp_path: Path) -> None:
    package = imported(tmp_path, SCHEMA)
    around = Around(position=lambda cursor, key: (7,) if cursor == 10 and key else None)

    (made,) = package.updates.emit(package.updates.Thing(around=1, parts=2), around)

    assert made == package.operations.Keep(n=1, v=7)
    row = package.around.line_of(around, 1, 2)
    assert (row.around, row.parts, row.rev) == (1, 2, 7)
