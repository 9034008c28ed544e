# ruff: noqa: E501 -- a table reads best with one case a line
"""Scans with bounds and lanes, conditions on children, shapes, aggregates: each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import BASE, Case, accepted, findings, parts, write

from pillarbox_codegen.model import AggregatePart, Back, BackHop, GetEachPart, ScanPart

#: Tables that lead back, beside those of the base.
MORE = """
  by_assignee: {id: 4, index: {from: issues, when: assignee_id is present, key: [{assignee_id: assignee_id // 0}, project_id, number]}}
  other_assignee: {id: 11, index: {from: issues, when: assignee_id is present, key: [{assignee_id: "if number > 1 then assignee_id // 0 else 0"}, project_id, number]}}
  names: {id: 5, index: {from: projects, key: [name, project_id]}}
  users: {id: 6, key: {user_id: UserId}, record: {name: [1, text], role: [2, text]}}
  teams: {id: 7, key: {role: text}, record: {lead: [1, UserId]}}
  by_role: {id: 8, index: {from: users, key: [role, user_id]}}
  marks: {id: 9, key: {project_id: ProjectId, number: int32, mark: int32}}
  titles: {id: 12, key: {title_id: int32}, record: {title: [1, text]}}
  by_label: {id: 13, index: {from: issues, each: {label: labels}, key: [label, project_id, number]}}
"""
WORLD = BASE.replace("cursors:\n", MORE.strip("\n") + "\ncursors:\n")


def asking(where: str, children: str) -> str:
    return parts(
        f"p: {{scan: issues, prefix: [project_id], limit: limit, where: {where}, with: {{{children}}}}}"
    )


USER = "user: {get: users, at: row.assignee_id"
CASES = [
    Case("part", asking("user is present", "«" + USER + "}"), "add `back: [tables]`: such as [by_assignee]"),
    Case(
        "part",
        asking("team is present", USER + ", back: [by_assignee]}, «team: {get: teams, at: user.role}"),
        "add `back: [tables]`",
    ),
    Case(
        "part",
        asking(
            "size(own) > 0",
            "«" + USER + "}, own: {get_each: marks, back: [], "
            "at: {each: row.labels, key: [row.project_id, row.number, item], where: user is present}}",
        ),
        "add `back: [tables]`: such as [by_assignee]",
    ),
    Case("part", asking("user is present", USER + ", back: [«names]}"), "known are `assignee_id`"),
    Case("part", asking("user is present", USER + ", back: [«other_assignee]}"), "which is not known here"),
    Case(
        "part",
        asking(
            "size(own) > 1",
            "«own: {scan: issues, prefix: [row.project_id], limit: 3, back: [], where: m is present, with: {m: {get: users, at: row.assignee_id, back: [by_assignee]}}}",
        ),
        "ask that another way",
    ),
    Case("part", asking("user is present", USER + ", back: «[]}"), "does not lead to `project_id`"),
    Case(
        "unknown-table",
        asking("user is present", USER + ", back: [«by_asignee]}"),
        "did you mean `by_assignee`?",
    ),
    Case("part", asking("row.number > 1", USER + ", «back: [by_assignee]}"), "no `where` reads `user`"),
    Case(
        "unknown-key",
        asking("name is present", USER + ", back: [by_assignee]}, name: {value: user.name, «back: []}"),
        "has no key `back`",
    ),
    Case("part", parts("p: {get: projects, at: project_id, «back: []}"), "leads from what hangs on a row"),
    Case(
        "part", asking("size(e) > 0", "«e: {each: row.labels, with: {v: {value: item}}}"), "cannot read `e`"
    ),
    Case(
        "part",
        parts("p: {scan: issues, prefix: [], all: true, starts_with: «'a'}"),
        "`project_id` is ProjectId",
    ),
    Case(
        "part",
        parts("p: {scan: projects, prefix: [project_id], all: true, starts_with: «'a'}"),
        "the whole key is in the prefix",
    ),
    Case(
        "one-of",
        parts("p: {scan: names, prefix: [], all: true, starts_with: \"'a'\", «from: \"'a'\"}"),
        "keep one of them",
    ),
    Case(
        "part",
        parts("p: {scan: issues, prefix: [[project_id]], all: true, «from: 1}"),
        "a stretch of its own",
    ),
    Case(
        "part",
        parts("p: {scan: issues, prefix: [project_id], all: true, «combine: chain}"),
        "one stretch only",
    ),
    Case(
        "key-parts",
        parts("p: {scan: issues, prefix: [project_id], all: true, to: «[1, 2]}"),
        "at most 1 part",
    ),
    Case(
        "unknown-name",
        parts(
            "owner: {get: projects, at: «issues.project_id}\nissues: {scan: issues, prefix: [], all: true}"
        ),
        "a part reads the key and the parts before it: add a `get` part there",
    ),
    Case(
        "unknown-name",
        parts("p: {scan: issues, prefix: [project_id], all: true, where: «state == open}"),
        "did you mean `row.state`?",
    ),
    Case(
        "unknown-word",
        parts("p: {scan: issues, prefix: [project_id], all: true, combine: «chian}"),
        "it must be `merge` or `chain`",
    ),
    Case("type", parts("p: {scan: issues, prefix: [«[1, limit == 1]], all: true}"), "has no one type"),
    Case(
        "part",
        parts(
            "p: {scan: issues, prefix: [], all: true, with: {f: {aggregate: «{first: 1}, of: marks, prefix: [row.project_id]}}}"
        ),
        "write `scan` and `limit`",
    ),
    Case(
        "part",
        parts(
            "p: {scan: issues, prefix: [], all: true, with: {m: {scan: marks, prefix: [row.project_id], all: true, with: {v: {value: row.mark}}}, f: {aggregate: {sum: v}, of: «m}}}"
        ),
        "hangs on a row itself",
    ),
    Case(
        "key-parts",
        parts(
            "p: {scan: by_state, prefix: [project_id], all: true, bare: true}\nq: {get_each: marks, at: «p}"
        ),
        "does not have",
    ),
    Case(
        "missing-key",
        parts("p: {scan: issues, prefix: [], all: true}\nq: {get_each: marks, at: «{each: p}}"),
        "add `key:`",
    ),
    Case(
        "unknown-key",
        parts(
            "p: {scan: issues, prefix: [], all: true}\nq: {get_each: marks, at: {each: p, «at: 1, key: item}}"
        ),
        "keys have no `at`",
    ),
    Case("range", parts("p: {scan: issues, prefix: [], limit: «-1}"), "write 0 or more"),
    Case("range", parts("p: {scan: issues, prefix: [], limit: «seeds.less}"), "-1 is no number of rows"),
    Case(
        "unknown-field",
        parts(
            "p: {scan: issues, prefix: [], limit: 3, with: {all: {aggregate: {count: n}, of: marks, prefix: [row.project_id]}}}\n"
            "s: {aggregate: {sum: row.«all}, of: p}"
        ),
        "write `all`",
    ),
    Case("range", parts("p: {aggregate: {first: «-1}, of: marks, prefix: []}"), "write 0 or more"),
    Case("type", parts("p: {get_each: projects, at: {each: «limit, key: item}}"), "int32 is no list"),
    Case(
        "unknown-field",
        parts("p: {get_each: projects, at: '[1, 2]'}\nq: {get_each: users, at: p.«owner_id}"),
        "`{scan: projects, prefix: [LIST], all: true}`",
    ),
    Case(
        "unknown-name",
        parts(
            "p: {scan: issues, prefix: [], limit: 1, with: {shape: «crad}}\nq: {scan: issues, prefix: [], limit: 1, with: {shape: card}}"
        )
        + "shapes: {card: {own: {get: projects, at: row.project_id}}}\n",
        "did you mean `card`?",
    ),
    Case(
        "part",
        parts("p: {scan: issues, prefix: [], limit: 1}")
        + "shapes: {«card: {own: {get: projects, at: row.project_id}}}\n",
        "no part uses the shape",
    ),
    Case(
        "name-taken",
        parts("p: {scan: issues, prefix: [], limit: 1, with: {shape: card, «own: {value: 1}}}")
        + "shapes: {card: {own: {get: projects, at: row.project_id}}}\n",
        "in the shape `card` already",
    ),
    Case(
        "part",
        parts("p: {scan: issues, prefix: [], limit: 1, with: {shape: card}}")
        + "shapes: {card: {shape: «card, own: {get: projects, at: row.project_id}}}\n",
        "would be in itself",
    ),
    Case(
        "unknown-field",
        parts("p: {scan: issues, prefix: [], limit: 1, with: {shape: card}}")
        + "shapes: {card: {own: {get: projects, at: row.«project}}}\n",
        "(as used at case.yaml:",
    ),
    Case("type", parts('v: {value: "matches(«limit, limit)"}'), "a filter is a record"),
    Case("type", parts('v: {value: "size(cases(«limit, Picture)) > 1"}'), "`cases` takes a list"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text.strip().splitlines()[-1].strip()[:90])
def test_each_finding_has_its_place(tmp_path: Path, case: Case) -> None:
    before, _, after = case.text.partition("«")
    write(tmp_path, before + after, WORLD)

    found = findings(tmp_path)

    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert [(one.file, one.line, one.column, one.code) for one in found] == [
        ("case.yaml", line, column, case.code)
    ], "\n".join(f"{one.line}:{one.column} {one.headline()}" for one in found) or "nothing was found"
    assert case.told in found[0].text + " " + (found[0].suggestion or "")


def page(tmp_path: Path, text: str) -> tuple[object, ...]:
    return accepted(tmp_path, text, WORLD).views["page"].parts


def test_a_way_back_goes_by_the_names_that_are_known(tmp_path: Path) -> None:
    text = asking(
        "team is present and size(marks) > 0",
        USER + ", back: [by_assignee]}, team: {get: teams, at: user.role, back: [by_role, by_assignee]}, "
        "marks: {scan: marks, prefix: [row.project_id, row.number], limit: 3, back: []}",
    )

    (part,) = page(tmp_path, text)

    assert isinstance(part, ScanPart)
    assert part.common.back == (
        Back("users", (BackHop("by_assignee", ((0, "user_id"),)),), ((1, "project_id"), (1, "number"))),
        Back(
            "teams",
            (BackHop("by_role", ((0, "role"),)), BackHop("by_assignee", ((1, "user_id"),))),
            ((2, "project_id"), (2, "number")),
        ),
        Back("marks", (), ((0, "project_id"), (0, "number"))),
    )


def test_a_way_back_goes_through_a_list_of_the_row(tmp_path: Path) -> None:
    text = asking("size(named) > 0", "named: {get_each: titles, at: row.labels, back: [by_label]}")

    (part,) = page(tmp_path, text)

    assert isinstance(part, ScanPart)
    key = ((1, "project_id"), (1, "number"))
    assert part.common.back == (Back("titles", (BackHop("by_label", ((0, "title_id"),)),), key),)


def test_the_rows_that_an_index_stands_for_lead_back_too(tmp_path: Path) -> None:
    text = asking(
        "size(own) > 1", "own: {scan: by_assignee, prefix: [row.assignee_id], limit: 3, back: [by_assignee]}"
    )

    (part,) = page(tmp_path, text)

    assert isinstance(part, ScanPart)
    steps = (BackHop("by_assignee", ((0, "assignee_id"),)),)
    key = ((1, "project_id"), (1, "number"))
    assert part.common.back == (
        Back("by_assignee", steps, key),
        Back("issues", steps, key, maybe=("assignee_id",)),
    )


def test_a_shape_is_checked_for_each_row_that_it_hangs_on(tmp_path: Path) -> None:
    text = parts(
        "p: {scan: issues, prefix: [project_id], limit: 1, with: {shape: card, more: {value: own.name}}}\n"
        "q: {scan: marks, prefix: [project_id], limit: 1, with: {shape: card}}"
    )

    one, other = page(tmp_path, text + "shapes: {card: {own: {get: projects, at: row.project_id}}}\n")

    assert isinstance(one, ScanPart)
    assert isinstance(other, ScanPart)
    assert [child.common.name for child in one.common.children] == ["own", "more"]
    assert (one.common.shape, other.common.shape) == (None, "card")


def test_the_group_of_ranges_is_a_text_or_a_list(tmp_path: Path) -> None:
    gaps = (
        "tables:\n  gaps: {id: 60, ranges: {group: {project_id: ProjectId, side: int32}, over: {n: int32}}}\n"
    )

    a, b, c = page(
        tmp_path,
        gaps
        + parts(
            "a: {ranges: gaps, at: [project_id, limit], show: none}\n"
            'b: {ranges: gaps, at: "[project_id, limit]", show: none}\n'
            "c: {ranges: gaps, at: spot, show: none}",
            "{project_id: ProjectId, limit: int32, spot: Spot}",
        )
        + "types:\n  Spot: {record: {project_id: [1, ProjectId], side: [2, int32]}}\n",
    )

    assert isinstance(a, ScanPart)
    assert isinstance(b, ScanPart)
    assert isinstance(c, ScanPart)
    assert a.prefix == b.prefix
    assert len(c.prefix) == 2


def test_the_first_row_is_one_and_the_first_rows_are_a_list(tmp_path: Path) -> None:
    one, some, keys = page(
        tmp_path,
        parts(
            "f: {aggregate: {first: 1}, of: marks, prefix: [project_id]}\n"
            "g: {aggregate: {first: limit}, of: marks, prefix: [project_id]}\n"
            "h: {get_each: issues, at: g}"
        ),
    )

    assert isinstance(one, AggregatePart)
    assert isinstance(some, AggregatePart)
    assert (one.of, some.of is None) == (None, False)
    assert isinstance(keys, GetEachPart)
    assert keys.over is not None
