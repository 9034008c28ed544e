# ruff: noqa: E501 -- a table reads best with one case a line
"""Windows: each finding has its place, and what is in order is as written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import BASE, Case, accepted, check_case, findings, parts, write

from pillarbox_codegen.model import (
    BoundaryHole,
    KeysLane,
    Lane,
    MarkerHoles,
    RangeHoles,
    Want,
    WindowPart,
)

#: Tables that windows need, beside the view of a case.
TABLES = """\
tables:
  steps: {id: 60, key: {project_id: ProjectId, number: int32, at: int64, n: int32}, record: {text: [1, text], state: [2, State]}}
  by_when: {id: 61, index: {from: steps, key: [project_id, {kind: state}, at, n, number]}}
  step_ids: {id: 62, index: {from: steps, unique: identity, key: [project_id, number, n], value: {at: at}}}
  other_ids: {id: 63, key: {n: int32, project_id: ProjectId, number: int32}, record: {at: [1, int64]}}
  gaps: {id: 64, ranges: {group: {project_id: ProjectId, number: int32}, over: {n: int32}}}
  wide: {id: 65, ranges: {group: {project_id: ProjectId}, over: {at: int64, n: int32}}}
  down: {id: 66, ranges: {group: {project_id: ProjectId}, over: {n: {type: int32, desc: true}}}}
  marks: {id: 67, key: {project_id: ProjectId, number: int32, at: int64, n: int32}}
  twins: {id: 68, index: {from: issues, key: [project_id, updated, number]}}
"""
KEY = "{project_id: ProjectId, numbers: list<int32>, n: int32, m: opt<int32>, limit: int32}"
OF = "window: {of: steps, prefix: [project_id, n]}"
EACH = "window: {of: steps, each: numbers, prefix: [project_id, item]}"
END = "anchor: newest, around: limit"


def page(body: str, more: str = "") -> str:
    """A view with one part, beside the tables."""
    return TABLES + parts(f"{more}p: {{{body}}}", KEY)


CASES = [
    # where rows come from
    Case("missing-key", page(f"window: «{{of: steps}}, {END}"), "needs `prefix`"),
    Case("missing-key", page(f"window: «{{prefix: [project_id]}}, {END}"), "`of` or `lanes`"),
    Case("one-of", page(f"window: {{of: steps, «lanes: [{{of: steps, prefix: [n]}}], prefix: [project_id]}}, {END}"), "keep one"),
    Case("unknown-table", page(f"window: {{of: «step, prefix: []}}, {END}"), "did you mean `steps`?"),
    Case("unknown-key", page(f"window: {{of: steps, prefix: [], «echo: numbers}}, {END}"), "did you mean `each`?"),
    Case("wrong-shape", page(f"window: «steps, {END}"), "a mapping or a list"),
    Case("wrong-shape", page(f"window: «[], {END}")),
    Case("key-parts", page(f"window: {{of: projects, prefix: «[project_id]}}, {END}"), "a whole key"),
    Case("type", page(f"window: {{of: steps, each: «limit, prefix: [project_id, item]}}, {END}"), "int32 is no list"),
    Case("unknown-name", page(f"window: {{of: steps, prefix: [project_id, «item]}}, {END}")),
    Case("type", page(f"window: {{of: steps, each: numbers, prefix: [«item]}}, {END}"), "give the field"),
    Case(
        "name-taken",
        TABLES + parts(f"p: {{window: {{of: steps, «each: numbers, prefix: [item]}}, {END}}}", "{item: ProjectId, numbers: list<int32>, limit: int32}"),
        "`item` is a key parameter already",
    ),
    Case("type", page(f"window: {{of: steps, each: «i.links, prefix: [project_id, n]}}, {END}", "i: {get: issues, at: '[project_id, n]'}\n").replace("links", "media"), "is no list"),
    Case("part", page(f"window: {{«when: limit > 1, of: steps, prefix: [project_id]}}, {END}"), "write `when` beside `window`"),
    Case("part", page(f"window: [«{{of: steps, prefix: [project_id]}}, {{of: steps, prefix: [project_id]}}], {END}"), "those after it never do"),
    Case("part", page(f"window: [{{«when: limit > 1, of: steps, prefix: [project_id]}}], {END}"), "the last case"),
    Case("part", page(f"window: [{{when: limit > 1, of: steps, prefix: [project_id]}}, {{of: «issues, prefix: [project_id]}}], {END}"), "rows of one table"),
    Case("part", page(f"window: {{lanes: [{{of: steps, prefix: [project_id]}}], «prefix: [project_id]}}, {END}"), "say `prefix` in the lanes"),
    # several lanes
    Case("part", page(f"window: {{lanes: [{{of: steps, prefix: [project_id]}}, {{of: «by_when, prefix: [project_id]}}]}}, {END}"), "no common order"),
    Case("part", page(f"window: {{lanes: [{{of: steps, prefix: [project_id]}}, {{of: «steps, prefix: [project_id, n]}}]}}, {END}"), "different lengths"),
    Case("part", page(f"window: {{lanes: [{{of: steps, prefix: [project_id]}}, {{of: «projects, keys: numbers}}]}}, {END}").replace("keys: numbers", "keys: '[project_id]'"), "rows of one table"),
    Case("part", page("window: {lanes: [{of: «projects, keys: '[project_id]'}]}, anchor: newest, around: limit"), "add `combine: chain`"),
    Case("part", page(f"{OF}, «combine: chain, {END}"), "combined with nothing"),
    Case("unknown-word", page(f"{EACH}, combine: «mix, {END}")),
    Case("missing-key", page(f"window: {{lanes: [«{{of: projects, via: projects}}]}}, combine: chain, {END}"), "needs `keys`"),
    Case("part", page(f"window: {{lanes: [{{of: projects, keys: '[project_id]', «prefix: []}}]}}, combine: chain, {END}"), "under no prefix"),
    Case("type", page(f"window: {{lanes: [{{of: projects, keys: «limit}}]}}, combine: chain, {END}")),
    Case("unknown-field", page(f"window: {{lanes: [{{of: issues, keys: '[project_id]', via: «projects}}]}}, combine: chain, {END}"), "has no `number`"),
    # counts
    Case("missing-key", page(f"{OF}, anchor: newest, before: 3").replace("  p: {", "  p: «{"), "needs `after`"),
    Case("one-of", page(f"{OF}, anchor: newest, around: 3, «after: 1"), "both sides"),
    Case("missing-key", page(f"{OF}, around: 3").replace("  p: {", "  p: «{"), "`anchor`"),
    # anchors
    Case("unknown-word", page(f"{OF}, anchor: «middle, around: 3"), "newest"),
    Case("missing-key", page(f"{OF}, anchor: «{{unread: true}}, around: 3"), "`newest`, `oldest`, `at` or `id`"),
    Case("unknown-word", page(f"{OF}, anchor: {{newest: «false}}, around: 3")),
    Case("part", page(f"{OF}, anchor: {{«when: limit > 1, newest: true}}, around: 3"), "only anchor"),
    Case("part", page(f"{OF}, anchor: [«newest, oldest], around: 3"), "add `when:`"),
    Case("part", page(f"{OF}, anchor: [{{«when: limit > 1, oldest: true}}], around: 3"), "the last anchor"),
    Case("key-parts", page(f"{OF}, anchor: {{at: «[n]}}, around: 3"), "[at, n]"),
    Case("maybe-none", page(f"{OF}, anchor: {{at: [3, «m]}}, around: 3")),
    Case("part", page(f"{OF}, anchor: {{«id: '[project_id, n, n]'}}, around: 3"), "add `ids:`"),
    Case("part", page(f"{OF}, «ids: step_ids, {END}"), "anchor by `id`"),
    Case("unknown-table", page(f"{OF}, ids: «steps_ids, anchor: {{id: '[project_id, n, n]'}}, around: 3")),
    Case("key-parts", page("window: {of: steps, prefix: [project_id]}, ids: «step_ids, anchor: {id: '[project_id, n, n]'}, around: 3"), "`number`"),
    Case("key-parts", page(f"{EACH}, ids: «other_ids, anchor: {{id: '[n, project_id, n]'}}, around: 3"), "`n`"),
    Case("unknown-field", page(f"{OF}, ids: «marks_of, anchor: {{id: '[project_id, n, 4]'}}, around: 3").replace("  marks:", "  marks_of: {id: 69, key: {project_id: ProjectId, number: int32, n: int32}}\n  marks:"), "no `at`"),
    Case("key-parts", page(f"{OF}, ids: step_ids, anchor: {{id: «[project_id, n]}}, around: 3"), "[project_id, number, n]"),
    Case("key-parts", page("window: [{when: limit > 1, of: by_when, prefix: [project_id]}, {of: steps, prefix: [project_id, n]}], anchor: {«at: [open, 2, 3, 4]}, around: 3"), "end in parts of the same types"),
    Case("key-parts", page("window: {lanes: [{of: steps, prefix: [project_id]}, {of: by_when, prefix: [project_id]}]}, combine: chain, anchor: {«at: [project_id, 2, 3, 4]}, around: 3"), "begin at `newest`"),
    Case("part", page("window: {lanes: [{of: projects, keys: '[project_id]'}]}, combine: chain, anchor: {«at: project_id}, around: 3"), "no place"),
    Case("part", page(f"{OF}, anchor: {{newest: true, «unread: true}}, around: 3"), "say it of an `id`"),
    Case("key-parts", page(f"{OF}, holes: {{ranges: wide, at: project_id, by: [at, n]}}, ids: «projects, anchor: {{id: project_id}}, around: 3"), "less than an id"),
    Case("part", page("window: {lanes: [{of: projects, keys: '[project_id]'}]}, combine: chain, ids: «projects, anchor: {id: project_id}, around: 3"), "in no lane"),
    Case("key-parts", page("window: {of: steps, each: numbers, prefix: [project_id, item]}, ids: «short_ids, anchor: {id: '[project_id, n]'}, around: 3").replace("  marks:", "  short_ids: {id: 69, key: {project_id: ProjectId, n: int32}, record: {at: [1, int64]}}\n  marks:"), "does not say which lane"),
    Case("key-parts", page("window: {lanes: [{of: steps, prefix: [project_id]}, {of: steps, prefix: [project_id, n]}]}, combine: chain, anchor: {«at: [project_id, 2, 3, 4]}, around: 3"), "different lengths"),
    Case("type", page(f"window: {{of: steps, each: «lists, prefix: [project_id, 1]}}, {END}").replace("numbers: list<int32>", "numbers: list<int32>, lists: list<list<int32>>"), "tells lanes apart"),
    # holes
    Case("part", page("window: {lanes: [{of: projects, keys: '[project_id]'}]}, combine: chain, anchor: newest, around: 3, «holes: {boundary: project_id}"), "in no order"),
    Case("part", page(f"{OF}, «clip: true, {END}"), "add `holes:`"),
    Case("missing-key", page(f"{OF}, holes: «{{at: [n]}}, {END}"), "`ranges`, `markers` or `boundary`"),
    Case("missing-key", page(f"{OF}, holes: «{{ranges: gaps, at: [project_id, n]}}, {END}"), "`by`"),
    Case("part", page(f"{OF}, holes: {{ranges: «marks, at: [project_id, n], by: n}}, {END}"), "no table of ranges"),
    Case("key-parts", page(f"{OF}, holes: {{ranges: gaps, at: «[project_id], by: n}}, {END}"), "[project_id, number]"),
    Case("unknown-field", page(f"{OF}, holes: {{ranges: gaps, at: [project_id, n], by: «m}}, {END}")),
    Case("type", page(f"{OF}, holes: {{ranges: gaps, at: [project_id, n], by: «at}}, {END}"), "ranges over int32"),
    Case("key-parts", page(f"{OF}, holes: {{ranges: wide, at: project_id, by: «n}}, {END}"), "2 numbers, 1 given"),
    Case("part", page(f"{OF}, holes: {{ranges: down, at: project_id, by: «n}}, {END}"), "downwards"),
    Case("unknown-name", page(f"{OF}, holes: {{ranges: gaps, at: [project_id, «item], by: n}}, {END}")),
    Case("key-parts", page(f"{OF}, holes: {{markers: «marks, prefix: [project_id]}}, {END}"), "[at: int64, n: int32]"),
    Case("key-parts", page(f"{OF}, holes: {{boundary: «[n]}}, {END}"), "[at, n]"),
    Case("key-parts", page(f"window: [{{when: limit > 1, of: by_when, prefix: [project_id]}}, {{of: steps, prefix: [project_id, n]}}], holes: {{«boundary: [1, 2]}}, {END}"), "a boundary is of one order"),
    # what is asked for, and options
    Case("part", page(f"{OF}, «want: {{name: holes, count: 3}}, {END}"), "nothing is wanted"),
    Case("missing-key", page(f"{OF}, holes: {{markers: marks, prefix: [project_id, n]}}, want: «{{name: a_hole}}, {END}"), "`count`"),
    Case("name", page(f"{OF}, holes: {{markers: marks, prefix: [project_id, n]}}, want: {{name: «AHole, count: 3}}, {END}")),
    Case("unknown-field", page(f"{OF}, distinct: «txt, {END}"), "did you mean `text`?"),
    Case("type", page(f"{OF}, where: «row.n, {END}")),
    Case("type", page(f"{OF}, rank: «limit, {END}")),
    Case("part", page(f"{OF}, expand: {{scan: «issues, prefix: [project_id], limit: 3}}, {END}"), "hang on these by `with`"),
    Case("part", page(f"{OF}, expand: {{scan: by_when, prefix: [row.project_id], limit: «1 + 2}}, {END}"), "is a constant"),
    Case("range", page(f"{OF}, expand: {{scan: by_when, prefix: [row.project_id], limit: «-1}}, {END}"), "write 0 or more"),
    Case("range", page(f"{OF}, anchor: newest, around: «-1"), "write 0 or more"),
    Case("range", page(f"{OF}, anchor: newest, before: «-1, after: 1"), "write 0 or more"),
    Case("unknown-name", page(f"{OF}, expand: {{scan: by_when, prefix: [row.project_id], limit: «limit}}, {END}")),
    Case("missing-key", page(f"{OF}, expand: «{{scan: by_when, limit: 4}}, {END}"), "`prefix`"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.text.split('p: {')[-1][:60]}")
def test_a_finding_has_its_place(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_name_of_wanted_holes_is_that_of_one_table(tmp_path: Path) -> None:
    wanted = "want: {name: steps_to_fetch, count: 3}"
    ranges = "holes: {ranges: gaps, at: [project_id, n], by: n}"
    markers = "holes: {markers: marks, prefix: [project_id, n]}"
    body = f"p: {{{OF}, {ranges}, {wanted}, {END}}}\nq: {{{OF}, {ranges}, {wanted}, {END}}}\n"

    write(tmp_path, TABLES + parts(f"{body}r: {{{OF}, {markers}, {wanted}, {END}}}", KEY))
    found = findings(tmp_path)

    assert [(one.code, one.text) for one in found] == [
        ("name-taken", "`steps_to_fetch` are holes of `gaps` (case.yaml:15:121), these are of `marks`")
    ]


def part(folder: Path, body: str, more: str = "") -> WindowPart:
    found = accepted(folder, page(body, more), BASE).views["page"].parts[-1]
    assert isinstance(found, WindowPart)
    return found


def test_cases_lanes_and_anchors_stay_in_order(tmp_path: Path) -> None:
    found = part(
        tmp_path,
        """window: [{when: m is present, of: steps, prefix: [project_id, m]}, {of: steps, each: numbers, prefix: [project_id, item]}],
        ids: step_ids, holes: {ranges: gaps, at: [project_id, n], by: n}, clip: limit > 3, around: limit, distinct: state, rank: m is present,
        anchor: [{when: m is present, id: "[project_id, m, n]", unread: true}, {when: limit > 1, at: [3, 4]}, oldest],
        want: {name: step_holes, when: m is present, count: m}, expand: {scan: by_when, prefix: [row.project_id, row.state], limit: 9, when: limit > 2}""",
    )

    lanes = [lane for lane in found.lanes if isinstance(lane, Lane)]
    assert [(lane.table, lane.each is None, len(lane.prefix)) for lane in lanes] == [
        ("steps", True, 2),
        ("steps", False, 2),
    ]
    assert [(one.at, len(one.key), one.unread) for one in found.anchors] == [
        ("id", 3, True),
        ("at", 2, False),
        ("oldest", 0, False),
    ]
    assert isinstance(found.holes, RangeHoles)
    assert (found.ids, found.holes.by, found.distinct, found.chain) == ("step_ids", ("n",), "state", False)
    assert isinstance(found.want, Want)
    assert found.expand is not None


def test_a_chain_has_lanes_of_several_tables(tmp_path: Path) -> None:
    found = part(
        tmp_path,
        "window: {lanes: [{of: issues, keys: '[project_id, numbers]'}, {of: issues, keys: '[project_id, limit, n, numbers]', via: steps}, "
        f"{{of: twins, each: numbers, prefix: [project_id]}}]}}, combine: chain, {END}",
    )

    kinds = [type(lane) for lane in found.lanes]
    assert (found.chain, found.rows, kinds) == (True, "issues", [KeysLane, KeysLane, Lane])


def test_holes_are_of_three_kinds(tmp_path: Path) -> None:
    kinds = {
        "{ranges: wide, at: project_id, by: [at, n]}": RangeHoles,
        "{markers: marks, prefix: [project_id, item]}": MarkerHoles,
        "{boundary: '[n, m]'}": BoundaryHole,
    }

    found = [type(part(tmp_path, f"{EACH}, holes: {text}, {END}").holes) for text in kinds]

    assert found == list(kinds.values())


def test_gaps_among_the_rows_have_no_fields_that_an_item_could_take(tmp_path: Path) -> None:
    body = f"p: {{{OF}, holes: {{markers: marks, prefix: [project_id, n]}}, clip: limit > 3, {END}}}"
    key = "project_id: project_id, numbers: '[]', n: 1, m: none, limit: 3"
    items = f"items:\n  one: {{view: page, key: {{project_id: ProjectId}}, at: {{{key}}}, take: p.entries.text}}\n"

    write(tmp_path, TABLES + parts(body, KEY) + items)
    found = findings(tmp_path)

    assert [(one.code, one.text) for one in found] == [("unknown-field", "there is no field `entries`")]
