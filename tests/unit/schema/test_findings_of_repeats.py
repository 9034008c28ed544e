# ruff: noqa: E501 -- a table reads best with one case a line
"""What may come twice: which operations bear it, which are said to, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case

from pillarbox_codegen.repeats import Fault, doubt

#: Steps of an operation -> what speaks against doing them twice; none: nothing does.
STEPS: dict[str, str | None] = {
    "{put: {into: points, row: {n: n, total: total}}}": None,
    "{put: {into: points, row: point}}": None,
    "{put: {into: others, row: {n: n, total: total}}}": None,
    "{remove: {from: points, at: n}}": None,
    "{patch: {table: points, at: n, set: {total: total}}}": None,
    "{patch: {table: points, at: n, max: {total: total}}}": None,
    "{set_cursor: {cursor: feed, set: {rev: total}}}": None,
    "{emit: {event: told, n: n}}": None,
    "{add_range: {table: gaps, range: '[n, n]'}}": None,
    "{put: {into: points, row: point, only: new}}, {patch: {table: points, at: n, set: {total: total}}}": None,
    "{let: {other: others(n)}}, {put: {into: points, row: point}, when: other is none}": None,
    "{put: {into: points, row: point, only: new}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.row is present}": None,
    "{put: {into: points, row: point}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": None,
    "{put: {into: points, row: point}, as: it}, {if: it.was is none, then: [{patch: {table: others, at: n, add: {total: 1}}}]}": None,
    "{place: {list: ranks, item: n, at: front}}": None,
    "{unplace: {list: ranks, item: n}}": None,
    "{patch: {table: points, at: n, add: {total: 1}}}": "adds to `points.total`",
    "{if: n > 5, then: [{patch: {table: points, at: n, add: {total: 1}}}]}": "adds to `points.total`",
    "{put: {into: lines, row: {total: total}}}": "takes a number for `lines`",
    "{put: {into: points, row: point, only: new}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.row is none}": "more than once what hangs on `it`",
    "{put: {into: points, row: point}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is present}": "more than once what hangs on `it`",
    # A row that goes again, or is not put, is new again.
    "{remove: {from: points, at: n}}, {put: {into: points, row: point}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": "more than once what hangs on `it`",
    "{put: {into: points, row: point}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}, {remove: {from: points, at: n}}": "more than once what hangs on `it`",
    "{put: {into: points, row: point, only: old}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": "more than once what hangs on `it`",
    "{put: {into: points, row: point}, as: it, when: n > 5}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": "more than once what hangs on `it`",
    "{put: {into: points, row: point, only: new}, as: it, when: n > 5}, {patch: {table: others, at: n, add: {total: 1}}, when: it.row is present}": None,
    "{put: {into: points, row: point}, as: it}, {if: it.was is none, then: [], else: [{patch: {table: others, at: n, set: {total: total}}}]}": "more than once what hangs on `it`",
    "{let: {was: points(n)}}, {put: {into: points, row: point}, when: was is none}": "looks at `points`",
    "{require: points(n) is none}, {put: {into: points, row: point}}": "looks at `points`",
    "{let: {was: 'by_total([total, n])'}}, {put: {into: points, row: point}, when: was is none}": "looks at `by_total`",
    "{patch: {table: points, at: n, set: {total: total}}}, {put: {into: points, row: point, only: new}}": "changes rows of `points` before",
    "{put: {into: points, row: point, only: old}}, {remove: {from: points, at: n}}": "changes rows of `points` before",
    "{put: {into: counted, row: {n: n, total: total}}}": None,
    "{put: {into: counted, row: {n: n, total: 1}}}, {patch: {table: counted, at: n, set: {total: total}}}": "in several steps, which `version` counts",
    "{unplace: {list: ranks, item: n, else: [{emit: {event: told, n: n}}]}}": "where `ranks` has the item no more",
}
TABLES = """\
sequences:
  line_numbers: {id: 70, type: int32, per: {}}
tables:
  points: {id: 71, key: {n: int32}, record: {total: [1, int64]}}
  others: {id: 72, key: {n: int32}, record: {total: [1, int64]}}
  lines: {id: 73, key: {line: {type: int32, fill: line_numbers}}, record: {total: [1, int64]}}
  counted: {id: 79, key: {n: int32}, record: {total: [1, int64], version: {number: 2, type: uint32, default: 0}}, upsert: [{bump: version}]}
  gaps: {id: 74, ranges: {group: {}, over: {n: int32}, from: 1, to: 99}}
  by_total: {id: 75, index: {from: points, key: [total, n]}}
  ranks: {id: 76, list: {group: {}, item: {n: int32}, places: {id: 78}}}
cursors:
  feed: {id: 77, parts: {rev: {kind: counter, number: 1}}}
events:
  told: {code: 70, fields: {n: [1, int32]}}
operations:
"""
PUSHED = "containers:\n  push: {code: 1, fields: {updates: [1, list<update>]}, items: updates}\n"


PARAMS = "n: [1, int32], total: [2, int64], point: [3, row<points>]"


def operation(steps: str, words: str = "") -> str:
    return f"{TABLES}  act:\n    code: 70\n    params: {{{PARAMS}}}\n{words}    steps: [{steps}]\n"


def pushed(steps: str, words: str = "", claims: str = "", rest: str = PUSHED, name: str = "«act") -> str:
    """An update that becomes the operation."""
    fields = "fields: {n: [1, int32], total: [2, int64], point: [3, row<points>], rev: [4, int64]}"
    emits = f"emits: [{{{name}: {{n: n, total: total, point: point}}}}]"
    return f"{operation(steps, words)}updates:\n  moved: {{code: 1, {fields}, {claims}{emits}}}\n{rest}"


ADD = "{patch: {table: points, at: n, add: {total: 1}}}"
NEW = "{let: {was: points(n)}}, {put: {into: points, row: point}, when: was is none}"
SAID = "    idempotent: true\n"
CASES = [
    Case("repeat", pushed(ADD), "no counter guards `moved`, so it may come twice, and `act` adds to `points.total`"),
    Case("repeat", pushed(ADD), "`because:`"),
    Case("repeat", pushed(NEW), "say `idempotent: true` of it"),
    Case("repeat", pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: 1, unless: rev == 0}, "), "may come twice"),
    Case("repeat", pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: 1, when_old: apply}, "), "may come twice"),
    Case("repeat", operation(ADD, "    «idempotent: true\n"), "is said to be idempotent, but it adds to `points.total`"),
    Case("repeat", operation(ADD, "    «because: It is never seen.\n"), "add `idempotent: true`"),
    Case("repeat", operation("{remove: {from: points, at: n}}", "    idempotent: true\n    «because: It goes once.\n"), "leave `because` out"),
    Case("repeat", operation(ADD) + "containers:\n  one: {code: 1, fields: {point: [1, row<points>]}, side: [{«act: {n: 1, total: 1, point: point}}]}\n", "comes with each part of it that applies"),
]  # fmt: skip
ACCEPTED = [
    pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: 1}, ", name="act"),
    pushed(ADD, f"{SAID}    because: The points are never shown.\n", name="act"),
    pushed(NEW, SAID, name="act"),
    # What no container has comes in answers alone, which are written once.
    pushed(ADD, rest="", name="act"),
]


@pytest.mark.parametrize("case", CASES)
def test_what_may_come_twice_has_to_bear_it(case: Case, tmp_path: Path) -> None:
    check_case(tmp_path, case)


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_is_guarded_shown_or_said_is_accepted(text: str, tmp_path: Path) -> None:
    accepted(tmp_path, text)


@pytest.mark.parametrize(("steps", "expected"), STEPS.items())
def test_steps_show_whether_a_second_time_does_nothing(
    steps: str, expected: str | None, tmp_path: Path
) -> None:
    schema = accepted(tmp_path, operation(steps))

    found = doubt(schema.operations["act"], schema.tables)

    assert (found is None) is (expected is None), found
    assert expected is None or (found is not None and expected in found)
    assert isinstance(found, Fault) is (expected is not None and expected.split()[0] in ("adds", "takes"))
