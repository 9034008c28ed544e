# ruff: noqa: E501 -- a table reads best with one case a line
"""What hangs on the rows of parts: each finding has its place, and what is in order is as written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, parts

from pillarbox_codegen.model import EachPart, GetPart, Local, ScanPart, ValuePart
from pillarbox_codegen.model import Path as PathTo


def child(body: str, of: str = "p: {scan: issues, prefix: [project_id], limit: limit, ") -> str:
    """A part whose rows have these children."""
    return parts(f"{of}with: {{{body}}}}}")


CASES = [
    Case("unknown-field", child("own: {get: projects, at: row.«projct_id}"), "did you mean `project_id`?"),
    Case(
        "unknown-name", child("a: {get: projects, at: «b.parent_id}, b: {get: projects, at: row.project_id}")
    ),
    Case("name-taken", child("«limit: {get: projects, at: row.project_id}"), "key parameter"),
    Case(
        "name-taken",
        parts(
            "q: {get: projects, at: project_id}\np: {scan: issues, prefix: [], limit: 1, with: {«q: {get: projects, at: row.project_id}}}"
        ),
        "`q` is a part already",
    ),
    Case("name", child("«row: {get: projects, at: row.project_id}")),
    Case(
        "part",
        child("w: {«window: {of: issues, prefix: [row.project_id]}, anchor: newest, before: 1, after: 0}"),
        "cannot hang on a row",
    ),
    Case(
        "part",
        child(
            "x: {get: projects, at: row.project_id}", "p: {scan: issues, prefix: [], all: true, show: none, «"
        ).replace("«with", "«with"),
        "nobody sees",
    ),
    Case(
        "part",
        child(
            "own: {get: projects, at: row.project_id}, s: {scan: issues, prefix: [row.project_id], all: true, where: «row.title == own.name}"
        ),
        "differs from row to row",
    ),
    Case(
        "part",
        child("v: {value: row.number}, n: {aggregate: «{sum: v}, of: issues, prefix: [row.project_id]}"),
        "`aggregate` reads `v`, which differs from row to row",
    ),
    Case(
        "part",
        child("n: {aggregate: {count: n}, of: «by_state, prefix: [row.project_id]}"),
        "add a `scan` of it",
    ),
    Case("unknown-part", child("n: {aggregate: {count: n}, of: «other}")),
    Case("type", child("v: {value: «none}"), "no value that a view can show"),
    Case("unknown-key", child("v: {value: row.number, «at: 1}"), "has no key `at`"),
    Case(
        "unknown-name",
        child("n: {value: row.number}, own: {get: projects, at: row.project_id, with: {m: {value: «n}}}"),
    ),
    Case("type", parts("e: {each: «limit, with: {own: {get: projects, at: item}}}"), "int32 is no list"),
    Case("part", parts("p: {ranges: «issues, at: [project_id]}"), "no table of ranges"),
    Case("part", parts("p: {search: «issues, match: 'a', limit: limit}"), "no table of words"),
    Case("missing-key", parts("e: «{each: [limit]}"), "`with`"),
    Case(
        "name-taken",
        parts("e: {«each: [item], with: {own: {value: item}}}", "{item: int32}"),
        "`item` is a key parameter already",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text.strip().splitlines()[-1].strip()[:80])
def test_each_finding_has_its_place(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_children_see_their_row_their_elder_siblings_and_the_view(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path,
        child(
            "own: {get: projects, at: row.project_id, with: {above: {get: projects, at: row.parent_id}}}, "
            "most: {value: limit}, twin: {scan: issues, prefix: [own.parent_id], limit: limit}"
        ),
    )

    (part,) = schema.views["page"].parts
    own, most, twin = part.common.children

    assert isinstance(own, GetPart)
    assert [nested.common.name for nested in own.common.children] == ["above"]
    assert isinstance(most, ValuePart)
    assert isinstance(most.of, Local)
    assert isinstance(twin, ScanPart)
    assert isinstance(twin.prefix[0], PathTo)


def test_children_of_a_value_see_it_and_not_the_row_around(tmp_path: Path) -> None:
    schema = accepted(tmp_path, child("e: {each: [row.project_id], with: {own: {get: projects, at: item}}}"))

    (part,) = schema.views["page"].parts
    (each,) = part.common.children

    assert isinstance(each, EachPart)
    (own,) = each.common.children
    assert isinstance(own, GetPart)
    assert own.at[0] == Local("item", "row", each.item)
