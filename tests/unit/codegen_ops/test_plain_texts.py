"""What is printed says nothing twice: no test that always holds, no needless variable."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from tests.unit.codegen_ops.making import loaded_schema

from pillarbox_codegen.generate import generate_package

SCHEMA: Final = """
schema: {name: plain_texts}
types:
  Level: {enum: {low: 0, high: 1}}
  Answer: {union: {Yes: [1, {n: [1, int32]}]}, facets: {n: {type: int32, of: {Yes: n}}}}
sequences:
  lot_numbers: {id: 90, type: int32, per: {}}
cursors:
  stream: {id: 91, parts: {rev: {kind: counter, number: 1}}}
tables:
  bins:
    id: 1
    key: {level: Level, n: int32}
    record:
      qty: [1, int64]
      note: [2, opt<text>]
      answer: [3, opt<Answer>]
      writes: {number: 4, type: uint32, default: 0}
    upsert: [{keep: [answer]}, {keep: [note], when: new.note is none}, {bump: writes}]
  best: {id: 2, top: {of: bins, group: [level], first: 3, fold: {n: count(true), big: count(qty > 1)}}}
  totals:
    id: 3
    count: {from: bins, group: [level], sum: {n: 1}, anchor: {given: n, covers: unknown, stale: doubt}}
  doubt: {id: 4, stale: {of: totals}}
  lots: {id: 5, key: {lot: {type: int32, fill: lot_numbers}}, record: {code: [1, text]}}
operations:
  tell:
    code: 1
    params: {level: [1, Level], n: [2, int64], rev: [3, int64], since: [4, int64]}
    steps: [{anchor: {table: totals, at: level, set: {n: n}, as_of: {domain: stream.rev, end: rev + since}}}]
  tell_now:
    code: 2
    params: {level: [1, Level], n: [2, int64], rev: [3, int64]}
    steps: [{anchor: {table: totals, at: level, set: {n: n}, as_of: {domain: stream.rev, end: rev}}}]
views:
  shelf:
    key: {limit: int32}
    parts:
      bins: {scan: bins, prefix: [low], all: true}
      first: {aggregate: {first: 2}, of: bins, where: row.qty > 1}
      some: {aggregate: {first: limit}, of: bins, where: row.qty > 1}
      nobody: {aggregate: {first: 1 - 2}, of: bins, where: row.qty > 1}
      best: {get_each: best, at: "[Level.low, Level.high]"}
"""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Module -> what stands in it, each run of space as one blank."""
    schema = loaded_schema(tmp_path_factory.mktemp("plain"), SCHEMA)
    return {Path(path).stem: " ".join(text.split()) for path, text in generate_package(schema).items()}


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("rules", "len(rows), sum(1 for row in rows if row.qty > 1)"),
        ("views", "[row for row in bins.rows if row.qty > 1][:2]"),
        ("views", "[row for row in bins.rows if row.qty > 1][: max(0, key.limit)]"),
        ("views", "[row for row in bins.rows if row.qty > 1][: max(0, 1 - 2)]"),
        ("views", "[best_key(level) for level in (Level.LOW, Level.HIGH)]"),
        ("replay", "current=(0 if held is None else held.rev) == operation.rev"),
        ("replay", "current=(0 if held is None else held.rev) == operation.rev + operation.since"),
        ("tables", "row = replace(new, answer=old.answer) if new.note is None: row = replace(row,"),
        ("tables", "return replace(new, writes=old.writes + 1 if old.writes < 4294967295 else 0)"),
        ("tables", "# A row that does not fit takes no number. lots_key(row.lot) group"),
        ("facets", '"""`n` of any `Answer`."""'),
    ],
)  # fmt: skip
def test_what_is_printed_is_plain(texts: dict[str, str], module: str, text: str) -> None:
    assert text in texts[module]
