# ruff: noqa: E501 -- a table reads best with one case a line
"""`hold`, `changes` and `wanted`: each finding has its place, and what is in order is as written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, parts

from pillarbox_codegen.model import ChangesPart, WantedPart

KEY = "{project_id: ProjectId, limit: int32}"
ISSUES = "scan: issues, prefix: [project_id], all: true"
PAGES = """\
tables:
  gaps: {id: 64, ranges: {group: {project_id: ProjectId}, over: {number: int32}}}
views:
  page:
    key: {project_id: ProjectId}
    parts: {p: {window: {of: issues, prefix: [project_id]}, anchor: newest, around: 5, holes: {ranges: gaps, at: [project_id], by: number}, want: {name: missing, count: 9}}}
  list:
    key: {}
    parts: """

CASES = [
    Case(
        "part",
        parts(f"i: {{{ISSUES}, with: {{o: {{get: projects, at: project_id, «hold: true}}}}}}", KEY),
        "hold a part of the view",
    ),
    Case("unknown-word", parts(f"i: {{{ISSUES}, hold: «false}}", KEY)),
    Case("unknown-key", parts("c: {changes: issues, prefix: [project_id], «hold: true}", KEY)),
    Case("missing-key", parts("c: «{changes: issues}", KEY), "needs `prefix`"),
    Case("unknown-table", parts("c: {changes: «issue, prefix: []}", KEY), "did you mean `issues`?"),
    Case("unknown-word", parts("c: {changes: issues, prefix: [], kind: «deleted}", KEY), "removed"),
    Case("type", parts("c: {changes: issues, prefix: [«true]}", KEY)),
    Case("type", parts("c: {changes: issues, prefix: [], where: «row.number}", KEY)),
    Case("part", parts("c: {changes: issues, prefix: [], show: «none}", KEY), "leave `show: none` out"),
    Case(
        "unknown-field",
        parts("c: {changes: issues, prefix: [], show: [«titel]}", KEY),
        "did you mean `title`?",
    ),
    Case("unknown-name", parts("c: {changes: issues, prefix: []}\nv: {value: «c.number}", KEY)),
    Case(
        "unknown-key",
        parts("c: {changes: issues, prefix: [], «with: {o: {get: projects, at: project_id}}}", KEY),
    ),
    Case(
        "part",
        parts(f"i: {{{ISSUES}, with: {{c: {{«changes: issues, prefix: []}}}}}}", KEY),
        "cannot hang on a row",
    ),
    Case("unknown-name", parts("w: {wanted: «missing}", KEY), "give a window `want: {name, count}`"),
    Case("unknown-name", PAGES + "{w: {wanted: «mising}}", "did you mean `missing`?"),
    Case("unknown-table", PAGES.replace("of: issues", "of: «issue") + "{w: {wanted: missing}}"),
    Case("unknown-name", PAGES + "{w: {wanted: missing}, v: {value: «w}}"),
    Case(
        "part",
        PAGES.replace("  list:\n    key: {}\n    parts: ", "").replace(
            "count: 9}}}", "count: 9}}, w: {wanted: «missing}}"
        ),
        "make a view of its own",
    ),
    Case("unknown-key", PAGES + "{w: {wanted: missing, «hold: true}}"),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_finding_has_its_place(case: Case, tmp_path: Path) -> None:
    check_case(tmp_path, case)


def test_parts_of_a_moment_are_as_written(tmp_path: Path) -> None:
    text = parts(
        f"i: {{{ISSUES}, hold: true}}\n"
        "n: {aggregate: {count: n}, of: i}\n"
        "c: {changes: issues, prefix: [project_id], kind: removed, where: row.number < limit, show: [title]}",
        KEY,
    )

    held, counted, changes = accepted(tmp_path, text).views["page"].parts

    assert held.common.held
    assert not counted.common.held
    assert isinstance(changes, ChangesPart)
    assert (changes.table, changes.kind, changes.common.show) == ("issues", "removed", ("title",))
    assert changes.where is not None
    assert len(changes.prefix) == 1


def test_what_is_wanted_is_named_by_a_window(tmp_path: Path) -> None:
    [part] = accepted(tmp_path, PAGES + "{w: {wanted: missing}}").views["list"].parts

    assert isinstance(part, WantedPart)
    assert part.want == "missing"
