# ruff: noqa: E501 -- a table reads best with one case a line
"""marker, anchored count, stale and their steps: each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case

from pillarbox_codegen.model import AnchoredCount, AnchorStep, Holes, Marker, Stale

TABLES = """\
tables:
  gaps: {id: 60, ranges: {group: {project_id: ProjectId, side: int32}, space: {tag: int32}, over: {number: int32}}}
  doubts: {id: 61, stale: {by: {project_id: ProjectId}}}
  names: {id: 62, key: {name: text, n: int32}, record: {size: [1, int32]}}
"""
SEEN = "over: issues, group: [project_id], by: number, counts: state == open, marks: [seen, told], counted: seen, base: {count: unseen, known: known}, flag: muted, stale: doubts"

#: A position of two parts, so that no field is called as the mark; and what may be in doubt of it.
PLACES = "over: issues, group: [], by: [project_id, number], marks: [seen], counted: seen, stale: few"
FEW = "  few: {id: 64, stale: {of: extra}}\n"


def marker(body: str = SEEN) -> str:
    return f"{TABLES}  extra: {{id: 50, marker: {{{body}}}}}\n"


def but(old: str, new: str) -> str:
    """The marker with a word changed; it is there once."""
    assert SEEN.count(old) == 1
    return marker(SEEN.replace(old, new))


def anchored(anchor: str, source: str = "from: issues, group: [project_id], sum: {issues: 1, all: 1}") -> str:
    return f"{TABLES}  extra: {{id: 50, count: {{{source}, anchor: {{{anchor}}}}}}}\n"


def stale(body: str) -> str:
    return f"tables:\n  extra: {{id: 50, stale: {{{body}}}}}\n"


def step(text: str) -> str:
    params = "params: {p: [1, ProjectId], n: [2, int32], b: [3, bool], rev: [4, int64]}"
    return f"{marker()}operations:\n  try_it: {{code: 9, {params}, steps: [{{{text}}}]}}\n"


CASES = [
    # marker
    Case("unknown-table", but("over: issues", "over: «isues"), "did you mean `issues`?"),
    Case("marker-key", but("[project_id]", "[«number]"), "does not go on with `number`"),
    Case("marker-key", but("by: number", "by: «state"), "does not go on with `state`"),
    Case("marker-key", marker("over: by_state, group: [project_id], by: «state, marks: [seen], counted: seen, base: {count: unseen}, stale: doubts"), "lie by `updated` as well"),
    Case("marker-key", marker("over: names, group: [], by: [«name, n], marks: [seen], counted: seen, base: {count: unseen}, stale: doubts"), "`name` is text"),
    Case("type", but("counts: state == open", "counts: «state"), "condition"),
    Case("unknown-name", but("flag: muted", "flag: muted, when: «state == open")),
    Case("unknown-name", but("flag: muted", "flag: muted, default: «number == 1")),
    Case("unknown-field", but("counted: seen", "counted: «sen"), "did you mean `seen`?"),
    Case("name-taken", but("marks: [seen, told]", "marks: «[seen, seen]"), "two parts called `seen`"),
    Case("name-taken", but("[seen, told]", "«[seen, project_id]"), "two parts called `project_id`"),
    Case("name-taken", marker(f"{PLACES}, base: «{{count: seen}}") + FEW, "two things of the marker called `seen`"),
    Case("name-taken", marker(f"{PLACES}, base: «{{count: unseen}}, flag: seen") + FEW, "two things of the marker called `seen`"),
    Case("missing-key", but("base: {count: unseen, known: known}", "base: «{known: known}"), "needs `count`"),
    Case("unknown-table", but("stale: doubts", "stale: «doubt"), "did you mean `doubts`?"),
    Case("stale", but("stale: doubts", "stale: «gaps"), "no table of what is stale"),
    # holes
    Case("holes", but("flag: muted", "flag: muted, holes: «gaps"), "write `RANGES([group], [space])`"),
    Case("unknown-table", but("flag: muted", "flag: muted, holes: '«gap([project_id, 0], 0)'"), "did you mean `gaps`?"),
    Case("holes", but("flag: muted", "flag: muted, holes: '«issues([project_id, 0], 0)'"), "no table of ranges"),
    Case("holes", but("flag: muted", "flag: muted, holes: «'gaps([1, 0], 0)'"), "`project_id` cannot be told"),
    Case("holes", but("flag: muted", "flag: muted, holes: «'gaps([project_id, if project_id == 1 then 0 else 1], 0)'"), "a part of the group by its name, or a constant"),
    Case("key-parts", but("flag: muted", "flag: muted, holes: 'gaps(«[project_id], 0)'")),
    Case("holes", marker("over: names_by, group: [n], by: size, marks: [seen], counted: seen, base: {count: unseen}, holes: «'gaps([n, 0], 0)', stale: few") + "  names_by: {id: 63, key: {n: ProjectId, size: int32}}\n  few: {id: 64, stale: {of: extra}}\n", "is no part of a position"),
    # anchored count
    Case("unknown-field", anchored("given: «isues, stale: doubts"), "did you mean `issues`?"),
    Case("missing-key", anchored("given: issues").replace("{given", "«{given"), "needs `stale`"),
    Case("bad-type", anchored("given: issues, base: {upto: «text}, stale: doubts"), "`text` is none"),
    Case("name-taken", anchored("given: issues, base: «all, stale: doubts"), "is a sum or a part of the group"),
    Case("name-taken", anchored("given: issues, base: «number, covers: number <= 3, stale: doubts"), "is a field of the row"),
    Case("type", anchored("given: issues, base: upto, covers: «upto, stale: doubts"), "condition"),
    Case("unknown-name", anchored("given: issues, when: «state == open, stale: doubts")),
    Case("holes", anchored("given: issues, base: upto, covers: «updated <= upto, holes: 'gaps([project_id, 0], 0)', stale: doubts"), "of a hole `updated` is not known"),
    Case("stale", anchored("given: issues, stale: «doubts", "from: issues, group: [state], sum: {issues: 1}"), "which no group of `extra` tells"),
    Case("anchor", anchored("given: n, stale: doubts", "from: [issues, «by_state], group: [project_id], sum: {n: 1}"), "of the rows of one table"),
    # stale
    Case("one-of", stale("record: none").replace("{record", "«{record"), "write `of: TABLE`"),
    Case("one-of", stale("of: issues, by: {a: int32}").replace("{of", "«{of")),
    Case("unknown-table", stale("of: «isues"), "did you mean `issues`?"),
    Case("default", stale("of: issues, record: {«how: [1, text]}"), "give it a default"),
    Case("name-taken", stale("of: issues, record: {«version: [1, opt<int32>]}"), "has `version` already"),
    Case("name-taken", stale("of: issues, record: {«number: [1, opt<int32>]}"), "has `number` already"),
    Case("unknown-word", stale("of: issues, record: «nothing")),
    # steps
    Case("word", step("anchor: {table: «issues, at: p, set: {seen: n}}"), "no marker or count"),
    Case("key-parts", step("anchor: «{table: extra, set: {seen: n}}"), "add `at:`"),
    Case("anchor", step("anchor: {table: extra, at: p, set: {«sen: n}}"), "did you mean `seen`?"),
    Case("anchor", step("anchor: {table: extra, at: p, set: «{}}"), "this sets nothing"),
    Case("type", step("anchor: {table: extra, at: p, set: {muted: «n}}")),
    Case("step", step("remove: «{from: extra, under: p}"), "`at:`, with `each:"),
    Case("key-parts", step("remove: {from: extra, at: '«[p, n]'}"), "1"),
    Case("read-only", step("put: {into: «extra, row: {project_id: p}}"), "`anchor`, `advance` or `remove`"),
    Case("read-only", step("remove: {from: «doubts, at: p}"), "`mark` or `confirm`"),
    Case("claim", step("anchor: {table: extra, at: p, set: {seen: n}, as_of: {domain: «account.at, end: rev}}"), "is a stamp"),
    Case("claim", step("anchor: {table: extra, at: p, set: {seen: n}, as_of: «{domain: project.rev, end: rev}}"), "give `key:`"),
    Case("word", step("advance: {table: «doubts, at: p, mark: seen, to: n}"), "is no marker"),
    Case("unknown-field", step("advance: {table: extra, at: p, mark: «sen, to: n}"), "did you mean `seen`?"),
    Case("type", step("advance: {table: extra, at: p, mark: seen, to: «b}")),
    Case("type", step("advance: {table: extra, at: p, mark: seen, to: n, flag: «n}")),
    Case("word", step("mark: {table: «extra, at: p}"), "no table of what is stale"),
    Case("unknown-field", step("mark: {table: doubts, at: p, record: {«how: n}}")),
    Case("word", step("confirm: {table: «extra, at: p}")),
    Case("type", step("confirm: {table: doubts, at: p, version: «b}")),
    Case("step", step("advance: {table: extra, at: p, mark: seen, to: n, «flag: true}").replace(", flag: muted", ""), "has no flag"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text[-60:]}")
def test_the_finding_is_at_its_token(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_marker_has_the_fields_of_its_marks_and_its_base(tmp_path: Path) -> None:
    schema = accepted(tmp_path, but("flag: muted", "flag: muted, holes: 'gaps([project_id, 0], 0)'"))

    table = schema.tables["extra"]
    assert isinstance(table.rule, Marker)
    assert isinstance(table.rule.holes, Holes)
    assert (table.role, table.layout) == ("kept", "packed")
    assert [part.name for part in table.key] == ["project_id"]
    assert [field.name for field in table.fields] == ["seen", "told", "unseen", "known", "muted"]


def test_a_position_of_several_parts_has_a_field_for_each(tmp_path: Path) -> None:
    text = "over: by_state, group: [project_id], by: [state, updated, number], marks: [seen], counted: seen, base: {count: unseen}, stale: doubts"

    fields = accepted(tmp_path, marker(text)).tables["extra"].fields

    assert [field.name for field in fields] == ["seen_state", "seen_updated", "seen_number", "unseen"]


def test_an_anchored_count_is_kept_and_has_its_base_behind_the_sums(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path, anchored("given: issues, base: {upto: int32}, covers: number <= upto, stale: doubts")
    )

    table = schema.tables["extra"]
    assert isinstance(table.rule, AnchoredCount)
    assert table.role == "kept"
    assert [field.name for field in table.fields] == ["issues", "all", "upto"]


def test_the_version_of_what_is_stale_comes_before_its_record(tmp_path: Path) -> None:
    table = accepted(tmp_path, stale("of: issues, record: {how: [1, opt<int32>]}")).tables["extra"]

    assert isinstance(table.rule, Stale)
    assert [(field.number, field.name) for field in table.fields] == [(1, "version"), (2, "how")]


def test_a_step_knows_the_counter_of_its_answer(tmp_path: Path) -> None:
    text = step(
        "anchor: {table: extra, at: p, set: {seen: n}, as_of: {domain: project.rev, key: p, end: rev}}"
    )

    (found,) = accepted(tmp_path, text).operations["try_it"].steps

    assert isinstance(found, AnchorStep)
    assert found.as_of is not None
    assert (found.as_of.cursor, found.as_of.part) == ("project", "rev")
