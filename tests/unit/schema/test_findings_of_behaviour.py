# ruff: noqa: E501 -- a table reads best with one case a line
"""Operations, updates, views and seeds: each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, findings, parts, steps, update, write

from pillarbox_codegen.model import (
    AggregatePart,
    GetEachPart,
    IfStep,
    LetStep,
    ListOf,
    Optional,
    PatchStep,
    PutStep,
    RequireStep,
    ScanPart,
)
from pillarbox_codegen.type_rules import show

ROW = "{project_id: project_id, title: \"'x'\", updated: 1}"

STEPS = [
    Case("unknown-table", steps("{remove: {from: «isues, under: [project_id]}}"), "did you mean `issues`?"),
    Case("read-only", steps("{remove: {from: «by_state, under: [project_id]}}"), "write `issues`"),
    Case("read-only", steps("{patch: {table: «account, at: [], set: {rev: 1}}}"), "set_cursor"),
    Case("read-only", steps("{put: {into: «numbers, row: {project_id: 1, next: 1}}}"), "fill"),
    Case("unknown-name", steps("{require: «account.rev > 1}"), "where the cursor stands is read as `account([])`"),
    Case("unknown-name", steps("{require: «old is present}")),
    Case("name-taken", steps("{let: {«number: 1}}"), "something else here"),
    Case("name-taken", steps("{remove: {from: projects, at: p}, each: «[project_id] as p}").replace("«[project_id] as p", '"[project_id] as «number"')),
    Case("name-taken", steps("{let: {a: 1}}\n{let: {«a: 2}}")),
    Case("name-taken", steps("{patch: {table: projects, at: project_id, set: {name: \"'x'\"}, max: {«name: \"'y'\"}}}"), "twice"),
    Case("syntax", steps('{remove: {from: projects, at: p}, each: «"[project_id]"}'), "LIST as name"),
    Case("name", steps('{remove: {from: projects, at: project_id}, each: "[project_id] as «P"}')),
    Case("type", steps("{remove: {from: projects, at: project_id}, each: «number as n}"), "takes a list"),
    Case("step", steps("{patch: «{table: projects, at: project_id}}"), "changes nothing"),
    Case("step", steps("{patch: {table: projects, at: project_id, set: {«project_id: 1}}}"), "part of the key"),
    Case("step", steps("{patch: {table: projects, at: project_id, set: {name: \"'x'\"}, create: {«project_id: 1, owner_id: 1}}}")),
    Case("step", steps('{patch: {table: issues, at: "[project_id, number]", flags: {flags: «{}}}}'), "no flag"),
    Case("step", steps("{remove: «{from: projects}}"), "`at`, `under` and `between`"),
    Case("missing-key", steps("{patch: {table: projects, at: project_id, set: {name: \"'x'\"}, create: «{}}}"), "needs `owner_id`"),
    Case("unknown-field", steps("{patch: {table: projects, at: project_id, set: {«nam: \"'x'\"}}}"), "did you mean `name`?"),
    Case("unknown-field", steps("{put: {into: projects, row: {project_id: project_id, name: \"'x'\", owner_id: 1, «ower: 1}}}")),
    Case("missing-key", steps("{put: {into: projects, row: «{project_id: project_id, name: \"'x'\"}}}"), "needs `owner_id`"),
    Case("type", steps("{put: {into: projects, row: «number}}"), "expected row<projects>"),
    Case("type", steps("{put: {into: projects, row: {project_id: «number, name: \"'x'\", owner_id: 1}}}"), "expected ProjectId"),
    Case("type", steps("{patch: {table: projects, at: project_id, add: {«name: 1}}}"), "needs a number"),
    Case("type", steps('{patch: {table: issues, at: "[project_id, number]", flags: {«title: {set: 1}}}}'), "changes flags"),
    Case("type", steps('{patch: {table: issues, at: "[project_id, number]", max: {«labels: []}}}'), "no order"),
    Case("key-parts", steps("{remove: {from: issues, at: «project_id}}"), "2 parts"),
    Case("key-parts", steps("{remove: {from: projects, under: «[project_id]}}"), "whole key"),
    Case("maybe-none", steps("{let: {p: projects(project_id)}}\n{remove: {from: projects, at: «p.parent_id}}")),
    Case("maybe-none", steps("{put: {into: issues, row: " + ROW + ", only: new}, as: x}\n{let: {y: «x.row.number + 1}}")),
    Case("read-only", steps("{remove: {from: «account, at: []}}"), "a recipe makes it anew"),
    Case("step", steps("{remove: «{from: project}}"), "`at` a key, or `under` the beginning of keys"),
    Case("step", steps("{remove: «{from: project, at: 1, under: []}}"), "write one of the two"),
    Case("key-parts", steps("{remove: {from: project, under: «[1]}}"), "write `at` instead of `under`"),
    Case("key-parts", steps("{remove: {from: project, at: «[1, 2]}}"), "project_id"),
    Case("unknown-cursor", steps("{set_cursor: {cursor: «acount, set: {rev: 1}}}"), "did you mean `account`?"),
    Case("unknown-cursor", steps("{set_cursor: {cursor: account, set: {«rve: 1}}}"), "did you mean `rev`?"),
    Case("key-parts", steps("{set_cursor: «{cursor: project, set: {rev: 1}}}"), "a row for each project_id"),
    Case("unknown-event", steps("{emit: {event: «close, number: 1}}"), "did you mean `closed`?"),
    Case("unknown-field", steps("{emit: {event: closed, number: 1, «number2: 1}}"), "did you mean `number`?"),
    Case("missing-key", steps("{emit: «{event: closed}}"), "needs `number`"),
    Case("type", steps("{emit: {event: closed, number: \"«'x'\"}}"), "expected int32"),
    Case("unknown-key", steps("{let: {a: 1}, «each: labels as l}")),
    Case("unknown-name", "seeds:\n  box: [{put: {into: projects, row: {project_id: 1, name: «name, owner_id: 1}}}]"),
    Case("unknown-name", steps("{patch: {table: projects, at: project_id, set: {name: «old.name}}}"), "`let: {old: TABLE(KEY)}`"),
    Case("type", steps("{if: «{number: 1}, then: []}"), "write one expression"),
    Case("unknown-operation", steps("{do: {«renam: {}}}"), "did you mean `rename`?"),
    Case("missing-key", steps("{do: {rename: «{project_id: project_id}}}"), "needs `name`"),
    Case("type", steps("{do: {rename: {project_id: project_id, name: «number}}}"), "expected text"),
    Case("step", steps("{do: {rename: {project_id: project_id, name: \"'x'\"}, «work: {}}}"), "names one operation"),
    Case("step", steps("{do: {«act: {}}}"), "`act` does itself"),
    Case("step", steps("{do: {work: {}}}", "{}") + "  work: {code: 10, params: {}, steps: [{if: 1 == 1, then: [{do: {«act: {}}}]}]}\n", "`act` does itself, by way of `work`"),
    Case("step", "seeds:\n  box: [{«do: {rename: {project_id: 1, name: \"'x'\"}}}]", "does no operation"),
]  # fmt: skip

FIELDS = "fields: {project_id: [1, ProjectId], name: [2, text], rev: [3, int64], count: [4, int32]}\n"
UPDATES = [
    Case("unknown-operation", update(FIELDS + "emits: [{«renam: {}}]"), "did you mean `rename`?"),
    Case("missing-key", update(FIELDS + "emits: [{rename: «{name: name}}]"), "needs `project_id`"),
    Case("unknown-field", update(FIELDS + "emits: [{rename: {project_id: project_id, «nam: name, name: name}}]")),
    Case("type", update(FIELDS + "emits: [{rename: {project_id: «name, name: name}}]"), "expected ProjectId"),
    Case("step", update(FIELDS + "emits: [«{when: true}]"), "names one operation"),
    Case("lookup", update(FIELDS + "emits: [{rename: {project_id: project_id, name: name}, when: «projects(project_id) is present}]")),
    Case("unknown-cursor", update(FIELDS + "claims: «acount.rev"), "did you mean `account`?"),
    Case("unknown-cursor", update(FIELDS + "claims: «account.rve"), "claim `account.rev`"),
    Case("unknown-cursor", update(FIELDS + "claims: «account"), "no counter"),
    Case("claim", update(FIELDS + "claims: «account.at"), "a stamp"),
    Case("claim", update(FIELDS + "claims: «project.rev"), "give `end:`"),
    Case("claim", update(FIELDS + "claims: «{domain: project.rev, end: rev}"), "counts for each project_id"),
    Case("type", update(FIELDS + "claims: {domain: account.rev, end: «name}"), "expected int64"),
    Case("unknown-name", update("fields: {rev: [1, int64]}\nclaims: «account.rev"), "`count`"),
]  # fmt: skip

VIEWS = [
    Case("unknown-table", parts("p: {get: «project_s, at: project_id}"), "did you mean"),
    Case("part", parts("p: {get: «numbers, at: project_id}"), "it is not read"),
    Case("key-parts", parts("p: {get: issues, at: «project_id}"), "2 parts"),
    Case("unknown-name", parts("p: {get: projects, at: «projct_id}"), "did you mean `project_id`?"),
    Case("unknown-name", parts("a: {get: projects, at: «b.parent_id}\nb: {get: projects, at: project_id}")),
    Case("name-taken", parts("«limit: {get: projects, at: project_id}"), "key parameter"),
    Case("name", parts("«row: {get: projects, at: project_id}")),
    Case("unknown-field", parts("p: {get: projects, at: project_id, show: [name, «ower_id]}"), "did you mean `owner_id`?"),
    Case("part", parts("p: {get: projects, at: project_id, show: «all}"), "or `none`"),
    Case("part", parts("p: {scan: issues, prefix: [], «bare: true, all: true}"), "no index"),
    Case("part", parts("p: «{scan: issues, prefix: []}"), "`limit` and `all: true`"),
    Case("part", parts("p: «{scan: issues, prefix: [], limit: 1, all: true}"), "`limit` and `all: true`"),
    Case("type", parts('q: {scan: issues, prefix: [project_id], all: true}\np: {get_each: projects, at: «"[q.project_id]"}').replace('«"[', '"«['), "leave the brackets out"),
    Case("part", parts('p: {get_each: issues, at: «"[project_id, 1]"}').replace('«"[', '"«['), "none of the parts is a list"),
    Case("key-parts", parts("p: {get_each: issues, at: «project_id}"), "some of them lists"),
    Case("type", parts("p: {get_each: projects, at: «project_id}"), "expected opt<list<opt<ProjectId>>>"),
    Case("key-parts", parts("p: {scan: issues, prefix: «[project_id, 1, 2], all: true}"), "at most 2"),
    Case("type", parts("p: {scan: issues, prefix: [project_id], limit: \"«'x'\"}")),
    Case("lookup", parts("p: {scan: issues, prefix: [project_id], all: true, where: «projects(row.project_id) is present}"), "`get` part"),
    Case("unknown-field", parts("p: {scan: issues, prefix: [project_id], all: true, where: row.«stat == open}")),
    Case("unknown-field", parts("p: {scan: by_state, prefix: [project_id], all: true, bare: true, where: row.«title == \"'x'\"}")),
    Case("key-parts", parts("p: {window: {of: issues, prefix: [project_id]}, anchor: {at: «'[1, 2]'}, before: 1, after: 1}").replace("«'[", "'«[")),
    Case("maybe-none", parts("q: {get: projects, at: project_id}\np: {scan: issues, prefix: [], limit: «q.parent_id}").replace("parent_id", "owner_id")),
    Case("part", parts("p: {aggregate: {sum: row.updated}, of: «issues}"), "add `prefix:`"),
    Case("unknown-part", parts("p: {aggregate: {sum: row.updated}, of: «isues}"), "earlier list part"),
    Case("part", parts("p: {aggregate: {count: «rows}, of: issues, prefix: []}"), "{count: n}"),
    Case("unknown-name", parts("p: {get: issues, at: '[project_id, 1]'}\nq: {scan: issues, prefix: [], limit: 5, where: «title == 'a'}"), "`row.title`"),
    Case("part", parts("p: {aggregate: {count: n}, of: issues, prefix: [], show: «[n]}"), "show: none"),
    Case("type", parts("p: {aggregate: {sum: «row.title}, of: issues, prefix: []}")),
    Case("no-default", "types:\n  A: {record: {media: [1, Media]}}\ntables:\n  extra: {id: 50, key: {a: int32}, record: {b: [1, A]}}\n"
         + parts("p: {get: extra, at: limit, or: «default}"), "no zero value"),
    Case("bad-type", parts("p: {get: projects, at: project_id}", key="{project_id: ProjectId, r: «row<issues>}"), "not by a row"),
    Case("default", parts("p: {get: projects, at: project_id}", key="{project_id: ProjectId, n: {type: int32, default: «many}}"), "no int32"),
    Case("unknown-key", parts("p: {get: projects, at: project_id}", key="{project_id: {type: ProjectId, «fill: x}}")),
]  # fmt: skip


@pytest.mark.parametrize(
    "case", [*STEPS, *UPDATES, *VIEWS], ids=lambda case: f"{case.code}: {case.text[-70:]!r}"
)
def test_the_finding_is_at_its_mark(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_required_row_is_present_in_the_steps_that_follow(tmp_path: Path) -> None:
    text = steps(
        '{let: {old: "issues([project_id, number])"}}\n'
        "{require: old is present and old.assignee_id is present}\n"
        "{emit: {event: closed, number: old.number, by: old.assignee_id}}"
    )

    operation = accepted(tmp_path, text).operations["act"]

    assert isinstance(operation.steps[0], LetStep)
    assert isinstance(operation.steps[1], RequireStep)


def test_what_a_put_gives_has_a_type_that_says_how_often_it_is_there(tmp_path: Path) -> None:
    text = steps(
        "{put: {into: issues, row: " + ROW + "}, as: plain}\n"
        "{put: {into: issues, row: " + ROW + "}, when: number > 1, as: perhaps}\n"
        "{put: {into: issues, row: " + ROW + '}, each: "[1, 2] as n", as: several}\n'
        "{let: {a: plain.row.number, b: perhaps.row.number, c: several.row.number}}"
    )

    step = accepted(tmp_path, text).operations["act"].steps[3]

    assert isinstance(step, LetStep)
    assert [show(name.expr.type) for name in step.names] == ["int32", "opt<int32>", "list<int32>"]


def test_a_row_may_leave_out_what_has_a_default_or_a_sequence(tmp_path: Path) -> None:
    step = accepted(tmp_path, steps("{put: {into: issues, row: " + ROW + "}}")).operations["act"].steps[0]

    assert isinstance(step, PutStep)


def test_a_patch_of_flags_without_set_sets_none(tmp_path: Path) -> None:
    text = steps('{patch: {table: issues, at: "[project_id, number]", flags: {flags: {clear: locked}}}}')

    step = accepted(tmp_path, text).operations["act"].steps[0]

    assert isinstance(step, PatchStep)
    assert step.changes[0].value.value == 0  # type: ignore[union-attr]
    assert step.changes[0].clear is not None


def test_names_of_a_branch_end_with_it(tmp_path: Path) -> None:
    write(tmp_path, steps("{if: number > 1, then: [{let: {a: 1}}], else: [{let: {a: 2}}]}\n{let: {b: a}}"))

    assert [one.code for one in findings(tmp_path)] == ["unknown-name"]


def test_an_if_with_each_is_a_loop_of_several_steps(tmp_path: Path) -> None:
    text = steps(
        '{if: n > 1, then: [{let: {a: n}}, {emit: {event: closed, number: a}}], each: "[1, 2] as n"}'
    )

    step = accepted(tmp_path, text).operations["act"].steps[0]

    assert isinstance(step, IfStep)
    assert step.mods.each is not None


def test_a_faulty_let_silences_only_what_uses_its_names(tmp_path: Path) -> None:
    write(tmp_path, steps("{let: {a: nothing}}\n{require: a is present}\n{require: nothing2}"))

    assert [(one.line, one.code) for one in findings(tmp_path)] == [(6, "unknown-name"), (8, "unknown-name")]


def test_a_faulty_part_silences_only_what_uses_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        parts("a: {get: nothing, at: 1}\nb: {get: projects, at: a.parent_id}\nc: {get: nothing2, at: 1}"),
    )

    assert [(one.line, one.code) for one in findings(tmp_path)] == [
        (5, "unknown-table"),
        (7, "unknown-table"),
    ]


def test_a_part_of_a_views_key_may_have_a_default(tmp_path: Path) -> None:
    key = "{project_id: ProjectId, n: {type: int32, default: 5}, labels: list<int32>}"

    found = accepted(tmp_path, parts("p: {get: projects, at: project_id}", key=key)).views["page"].key

    assert [(field.default, field.has_default) for field in found] == [
        (None, False),
        (5, True),
        (None, False),
    ]


def test_a_scan_of_an_index_yields_the_rows_of_its_source(tmp_path: Path) -> None:
    text = parts(
        "rows: {scan: by_state, prefix: [project_id, open], newest_first: true, limit: limit}\n"
        "bare: {scan: by_state, prefix: [project_id, open], limit: limit, bare: true}\n"
        "sum: {aggregate: {max: row.assignee_id}, of: rows}\n"
        "some: {get_each: projects, at: [project_id, 7]}\n"
        'pairs: {get_each: issues, at: "[project_id, rows.number]"}'
    )

    view = accepted(tmp_path, text).views["page"]

    rows, bare, greatest, some, pairs = view.parts
    assert isinstance(rows, ScanPart)
    assert isinstance(bare, ScanPart)
    assert (rows.rows, bare.rows) == ("issues", "by_state")
    assert isinstance(greatest, AggregatePart)
    assert isinstance(greatest.type, Optional)
    assert isinstance(some, GetEachPart)
    assert isinstance(pairs, GetEachPart)
    assert isinstance(pairs.at[1].type, ListOf)


def test_a_claim_comes_from_the_part_where_the_update_says_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, update(FIELDS + "claims: account.rev"))

    assert findings(tmp_path) == ()
