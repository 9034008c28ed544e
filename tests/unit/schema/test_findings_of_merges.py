# ruff: noqa: E501 -- a table reads best with one case a line
"""How operations are merged: what is taken, and each finding with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case

from pillarbox_codegen.model import BatchMerge, RowFold, TailMerge

_PARAMS = "rows: [1, list<row<projects>>], id: [2, ProjectId], rev: [3, int64], loud: [4, bool], r: {number: 5, type: int32, default: 0}"


def operation(merge: str, steps: str, params: str = _PARAMS) -> str:
    """One operation with this merge, its steps each on a line of its own."""
    lines = "".join(f"\n      - {line}" for line in steps.split("\n"))
    return f"operations:\n  act:\n    code: 90\n    params: {{{params}}}\n    merge: {merge}\n    steps:{lines}\n"


EACH = "{put: {into: projects, row: p}, each: rows as p}"
SET = "{set_cursor: {cursor: project, at: id, set: {rev: rev}}}"

CASES = (
    Case("merge", operation("«batch", EACH), "write `{batch: LIST}`"),
    Case("merge", operation("«tail", SET), "write `{tail: [KEYS]}`"),
    Case("merge", operation("«barrier", SET), "leave `merge` out"),
    Case("unknown-key", operation("{«last: rows}", EACH), "a merge has no key `last`"),
    Case("one-of", operation("«{batch: rows, tail: [id]}", EACH), "several keys"),
    Case("merge", operation("{batch: «row}", EACH), "did you mean `rows`?"),
    Case("merge", operation("{batch: «id}", EACH), "name a parameter that is a list"),
    Case("merge", operation("{batch: «rows}", EACH, "rows: [1, list<row<projects>>], ratio: [2, float64]"), "`ratio` is float64"),
    Case("merge", operation("{batch: «rows}", f"{EACH}\n{{emit: {{event: closed, number: 1}}}}"), "`emit` of `closed` is not done for each"),
    Case("merge", operation("{batch: «rows}", f"{EACH}\n{{require: size(rows) > 1}}"), "looks at `rows` as a whole"),
    Case("merge", operation("{batch: «rows}", "{put: {into: projects, row: p}, each: rows as p, when: size(rows) > 1}"), "looks at `rows` as a whole"),
    Case("merge", operation("{batch: «rows}", f"{EACH}\n{{require: projects(id) is present}}"), "reads what the operation writes"),
    Case("merge", operation("{batch: «rows}", f"{EACH}\n{{remove: {{from: projects, at: p.project_id}}, each: rows as p, when: loud}}"), "meet in `projects`"),
    Case("merge", operation("{batch: «rows}", "{emit: {event: closed, number: 1}, each: rows as p}\n{emit: {event: closed, number: 2}, each: rows as p}"), "meet in `event closed`"),
    Case("merge", operation("{batch: «rows}", "{if: loud, each: rows as p, then: [{require: rev > 1}, {put: {into: projects, row: p}}]}"), "`require` inside"),
    Case("merge", operation("{tail: [«idd]}", SET), "did you mean `id`?"),
    Case("merge", operation("{tail: [id, «id]}", SET), "named twice"),
    Case("merge", operation("{tail: [«rows]}", SET), "cannot be told to belong together"),
    Case("merge", operation("{tail: «[]}", SET), "name the parameters of the key"),
    Case("merge", operation("{tail: «[id]}", EACH), "done for each of a list"),
    Case("merge", operation("{tail: «[id]}", "{set_cursor: {cursor: project, at: id, set: {rev: rev}}, when: loud}"), "not always done"),
    Case("merge", operation("{tail: «[id]}", "{put: {into: projects, row: {project_id: id, name: \"projects(id).name // 'a'\", owner_id: 1}}}"), "of `projects` makes its values of what was there"),
    Case("merge", operation("{tail: «[id]}", "{let: {old: projects(id)}}\n{put: {into: projects, row: {project_id: id, name: \"old.name // 'a'\", owner_id: 1}}}"), "`let` reads what the operation writes"),
    Case("merge", operation("{tail: «[id]}", "{patch: {table: issues, at: \"[id, 1]\", max: {updated: rev}}}"), "changes a value by what it was"),
    Case("merge", operation("{tail: «[id]}", f"{SET}\n{{emit: {{event: closed, number: 1}}}}"), "`emit` of `closed` does not write a whole value"),
    Case("merge", operation("{tail: «[id]}", "{if: loud, then: [{set_cursor: {cursor: project, at: id, set: {rev: rev}}}]}"), "both branches write the same"),
    Case("merge", operation("{tail: «[id]}", "{set_cursor: {cursor: project, at: id, set: {rev: \"(projects(id)).owner_id // 0\"}}}\n{patch: {table: projects, at: id, set: {owner_id: 1}}}"), "makes its values of what was there"),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.told)
def test_a_merge_that_would_change_something_is_refused(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_batch_goes_by_all_other_parameters(tmp_path: Path) -> None:
    found = accepted(tmp_path, operation("{batch: rows}", EACH)).operations["act"]

    assert found.merge == BatchMerge("rows", ("id", "rev", "loud", "r"))


def test_steps_for_one_item_may_meet_in_one_step(tmp_path: Path) -> None:
    steps = "{if: true, each: rows as p, then: [{put: {into: projects, row: p}}, {remove: {from: projects, at: p.project_id}, when: loud}]}"

    found = accepted(tmp_path, operation("{batch: rows}", steps)).operations["act"]

    assert isinstance(found.merge, BatchMerge)


@pytest.mark.parametrize(
    "steps",
    [
        SET,
        "{if: loud, then: [{remove: {from: projects, at: id}}], else: [{put: {into: projects, row: {project_id: id, name: \"'a'\", owner_id: 1}}}]}",
        "{patch: {table: projects, at: id, set: {parent_id: id}}}",
        "{if: id > 1, then: [{set_cursor: {cursor: project, at: id, set: {rev: rev}}}]}",
    ],
)
def test_a_tail_writes_whole_values(tmp_path: Path, steps: str) -> None:
    found = accepted(tmp_path, operation("{tail: [id]}", steps)).operations["act"]

    assert found.merge == TailMerge(("id",))


def test_an_operation_without_a_merge_is_a_barrier(tmp_path: Path) -> None:
    found = accepted(tmp_path, operation("{tail: [id]}", SET).replace("    merge: {tail: [id]}\n", ""))

    assert found.operations["act"].merge is None


PUT = "{put: {into: projects, row: p}, each: rows as p}"
PATCH = "{patch: {table: projects, at: id, set: {name: name, parent_id: id}}}"
REMOVE = "{remove: {from: projects, at: id}}"


def folding(
    steps: str,
    *,
    into: str = "«put_rows",
    earlier: str = PUT,
    merge: str = "merge: {batch: rows}",
    more: str = "",
    own: str = "",
) -> str:
    """Two operations, of which the second folds into the first."""
    return f"""operations:
  put_rows:
    code: 90
    params: {{rows: [1, list<row<projects>>]{more}}}
    {merge or "idempotent: true"}
    steps: [{earlier}]
  act:
    code: 91
    params: {{id: [1, ProjectId], name: [2, text], owner: [3, opt<UserId>], number: [4, int64], tags: [5, list<int32>]}}
    folds: {into}
    {own or "idempotent: true"}
    steps: [{steps}]
"""


HEARS = "tables:\n  extra:\n    id: 50\n    %s\n" + folding(REMOVE)

FOLDS = (
    Case("merge", folding(REMOVE, into="«put_row"), "did you mean `put_rows`?"),
    Case("merge", folding(REMOVE, merge=""), "`put_rows` has no list that could hold what becomes of a row"),
    Case("merge", folding(REMOVE, earlier="{put: {into: projects, row: {project_id: id, name: \"'a'\", owner_id: 1}}}", more=", id: [2, ProjectId]", merge="merge: {tail: [id]}"), "has no list"),
    Case("merge", folding(REMOVE, more=", loud: [2, bool]"), "fold into one that has only `rows`"),
    Case("merge", folding(REMOVE, own="merge: {tail: [id]}"), "leave `merge` or `folds` out"),
    Case("merge", folding(f"{REMOVE}, {{emit: {{event: closed, number: 1}}}}"), "does not only change or remove the row at a key"),
    Case("merge", folding("{remove: {from: projects, at: id}, when: number > 1}"), "does not only change or remove"),
    Case("merge", folding("{patch: {table: projects, at: id, set: {name: name}, create: {name: name, owner_id: 1}}}"), "does not only change or remove"),
    Case("merge", folding("{remove: {from: issues, under: id}}"), "does not only change or remove"),
    Case("merge", folding("{remove: {from: issues, at: \"[id, 1]\"}}"), "`number` may take a number"),
    Case("merge", folding(REMOVE, earlier="{put: {into: projects, row: p, only: new}, each: rows as p}"), "`{put: {into: projects, row: x}, each: rows as x}`"),
    Case("merge", folding(REMOVE, earlier="{put: {into: projects, row: p}, each: rows as p, when: p.owner_id > 1}"), "does not only put each row"),
    Case("merge", folding(REMOVE, earlier="{if: true, each: rows as p, then: [{put: {into: projects, row: p}}, {emit: {event: closed, number: 1}}]}"), "and reaches `event closed`"),
    Case("merge", folding("{remove: {from: projects, at: \"if number > 1 then id else id\"}}"), "the key of a row of `projects` is not made of parameters as they are"),
    Case("merge", folding("{patch: {table: projects, at: id, set: {name: \"concat(name, 'x')\"}}}"), "what `name` is set to is not made of parameters"),
    Case("merge", folding("{patch: {table: projects, at: id, set: {name: name}, max: {owner_id: owner // 1}}}"), "`owner_id` is changed by what it was"),
    Case("merge", HEARS % "index: {from: projects, unique: true, key: [name], value: {project_id: project_id}}", "`extra` has each key once"),
    Case("merge", HEARS % "key: {project_id: ProjectId}\n    owned: {by: projects, key: [project_id], orphans: skip}", "rows of `extra` go with them"),
    Case("merge", HEARS % "count: {from: projects, group: [owner_id], sum: {all: 1}, anchor: {given: all, base: {upto: int64}, covers: unknown, stale: doubts}}\n  doubts: {id: 51, stale: {of: extra}}", "`extra` hears of each write"),
)  # fmt: skip


@pytest.mark.parametrize("case", FOLDS, ids=lambda case: case.told)
def test_a_fold_that_would_change_something_is_refused(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_fold_into_an_operation_with_a_finding_has_none_of_its_own(tmp_path: Path) -> None:
    check_case(tmp_path, Case("merge", folding(REMOVE, into="put_rows", merge="merge: {batch: «row}")))


@pytest.mark.parametrize(
    ("steps", "changes"),
    [(PATCH, (("name", "name"), ("parent_id", "id"))), (REMOVE, None)],
    ids=["changes", "removes"],
)
def test_one_row_folds(tmp_path: Path, steps: str, changes: tuple[tuple[str, str], ...] | None) -> None:
    found = accepted(tmp_path, folding(steps, into="put_rows")).operations["act"]

    assert found.fold == RowFold("put_rows", ("project_id",), ("id",), changes)


def test_functions_of_the_rows_that_are_left_do_not_keep_them_from_folding(tmp_path: Path) -> None:
    derived = "tables:\n  extra: {id: 50, index: {from: projects, key: [name, project_id]}}\n  counted: {id: 51, count: {from: extra, group: [name], sum: {all: 1}}}\n"

    found = accepted(tmp_path, derived + folding(REMOVE, into="put_rows")).operations["act"]

    assert found.fold is not None
