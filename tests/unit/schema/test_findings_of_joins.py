# ruff: noqa: E501 -- a table reads best with one case a line
"""Joins, lookups in rules, due times and counts of several tables: each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, index

from pillarbox_codegen.model import Count, Index, Join

#: Leads from a user to the issues that are assigned to them.
ASSIGNED = """\
  users: {id: 51, key: {user_id: UserId}, record: {name: [1, text], boss_id: [2, opt<UserId>]}}
  settings: {id: 52, key: {n: int64}, record: {least: [1, int64]}}
  assigned: {id: 53, index: {from: issues, when: assignee_id is present, key: [{user_id: assignee_id}, project_id, number]}}
  by_update: {id: 54, index: {from: issues, key: [updated, project_id, number]}}
  readers: {id: 55, key: {user_id: UserId, project_id: ProjectId}}
  renamed: {id: 56, index: {from: issues, when: assignee_id is present, key: [{user_id: assignee_id}, {project_id: project_id}, number, {other: number}]}}
"""
GOOD = "owner: {row: users(assignee_id), via: assigned}"


def join(body: str) -> str:
    return f"tables:\n{ASSIGNED}  extra:\n    id: 50\n    join: {body}\n"


def with_(lookups: str, rest: str = "row: {state: state}") -> str:
    return join("{by: [project_id, number], rows: issues, with: {" + lookups + "}, " + rest + "}")


def several(via: str, key: str = "user_id") -> str:
    """Rows of two drivers, which look up who they are of, and the ways back that there are."""
    lookup = f"by: [user_id, project_id], rows: [readers, writers], with: {{it: {{row: users({key}), via: «{via}}}}}, row: {{name: it.name}}"
    more = (
        "  writers: {id: 57, key: {user_id: UserId, project_id: ProjectId}}\n"
        "  by_user: {id: 58, index: {from: readers, key: [user_id, project_id]}}\n"
        "  everybody: {id: 59, count: {from: [readers, writers], group: [user_id, project_id], sum: {n: 1}}}\n"
        "  by_boss: {id: 60, index: {from: readers, with: {it: {row: users(user_id), via: by_user}}, when: it.boss_id is present, key: [{boss: it.boss_id}, user_id, project_id]}}\n"
    )
    return join("{" + lookup + "}") + more


#: Looked up by what is looked up by the own key.
BOSS = "boss: {row: users(it.boss_id), via: «by_boss}"

CASES = [
    # the key and the drivers
    Case("join-key", join("{by: «[number, project_id], rows: issues, row: {}}"), "in this order"),
    Case("join-key", join("{by: «[project_id], rows: issues, row: {}}"), "[project_id, number]"),
    Case("join-key", join("{by: [project_id], rows: [projects, «settings], row: {}}"), "key of `settings` is [n]"),
    Case("unknown-table", join("{by: [project_id], rows: «projcts, row: {}}"), "did you mean `projects`?"),
    Case("derived-source", join("{by: [project_id], rows: «numbers, row: {}}"), "table of a sequence"),
    Case("cycle", join("{by: [project_id, number], rows: issues, with: {it: «\"extra([project_id, number])\"}, row: {}}"), "made from itself"),
    Case("name-taken", join("{by: [project_id], rows: [projects, «projects], row: {}}"), "name each table once"),
    # names and rows
    Case("name-taken", with_("«state: \"issues([project_id, number])\""), "has a meaning here"),
    Case("name-taken", with_("«rows: \"issues([project_id, number])\""), "has a meaning here"),
    Case("name-taken", join("{by: [project_id], rows: projects, row: {«project_id: name}}"), "key part already"),
    Case("type", with_(GOOD, "row: {owner: «owner}"), "name the fields"),
    Case("unknown-name", with_(GOOD, "row: {name: «ownr.name}"), "did you mean `owner`?"),
    Case("unknown-name", with_(GOOD, "row: {state: «issues.state}"), "its row is called `rows` here"),
    Case("unknown-field", with_("owner: {row: users(assignee_id).«nam, via: assigned}"), "did you mean `name`?"),
    # lookups
    Case("lookup", with_("owner: «assignee_id"), "write `table(key)`"),
    Case("lookup", with_("owner: «size(labels)"), "write `table(key)`"),
    Case("lookup", with_("owner: \"«users(users(assignee_id).boss_id)\""), "before this one"),
    Case("lookup", with_(GOOD, "row: {name: «users(assignee_id).name}"), "give the row a name in `with`"),
    Case("lookup", with_(GOOD, "when: «users(assignee_id) is present, row: {}"), "give the row a name in `with`"),
    Case("unknown-function", with_("owner: {row: «user(assignee_id), via: assigned}"), "did you mean `users`?"),
    Case("key-parts", with_("owner: {row: \"issues(«number)\", via: assigned}"), "2 parts"),
    Case("unknown-key", with_("owner: {row: users(assignee_id), «by: assigned}"), "`row` and `via`"),
    Case("missing-key", with_("owner: «{via: assigned}"), "add `row"),
    # the way back
    Case("via", with_("owner: «users(assignee_id)"), "via: TABLE"),
    Case("via", with_("owner: «users(assignee_id)"), "key is looked up without `project_id`"),
    Case("via", with_("other: {row: \"issues([project_id, number])\", via: «assigned}"), "leads back by itself"),
    Case("via", with_("owner: {row: users(assignee_id), via: «by_update}"), "begins with [int64], that of `users` is [UserId]"),
    Case("via", with_("owner: {row: users(assignee_id), via: «readers}"), "does not hold `number` (int32)"),
    Case("via", with_("owner: {row: users(assignee_id), via: «numbers}"), "table of a sequence"),
    Case("unknown-table", with_("owner: {row: users(assignee_id), via: «asigned}"), "did you mean `assigned`?"),
    Case("via", with_(GOOD + ", boss: {row: users(owner.boss_id), via: «assigned}"), "made of other things"),
    Case("via", with_("owner: {row: users(assignee_id), via: «[assigned, readers]}"), "`via` is one table, or `all`"),
    Case("via", several("by_user"), "leads back to rows of `readers` alone"),
    Case("via", several("readers"), "leads back to rows of `readers` alone"),
    Case("via", several("everybody").replace("«", "").replace("}, row: {name: it.name}", f", {BOSS}}}, row: {{name: boss.name}}"), "leads back to rows of `readers` alone"),
    # indexes with lookups
    Case("lookup", "tables:\n" + ASSIGNED + "  extra:\n    id: 50\n    index: {from: issues, with: {" + GOOD + "}, «unique: true, key: [project_id, number]}\n", "leave `unique` or `with` out"),
    Case("via", index("{from: issues, with: {it: «projects(project_id)}, key: [project_id, number]}"), "without `number`"),
    # due
    Case("due", index("{from: issues, key: [updated, project_id, number], due: «updatd}"), "did you mean `updated`?"),
    Case("due", index("{from: issues, key: [state, project_id, number], due: «state}"), "a whole number that grows"),
    Case("due", index("{from: issues, key: [{at: {of: updated, desc: true}}, project_id, number], due: «at}"), "int64, descending"),
    Case("due", index("{from: issues, key: [title, project_id, number], due: «title}"), "or an id of one"),
    # counts of several tables
    Case("name-taken", "tables:\n  extra:\n    id: 50\n    count: {from: [issues, «issues], group: [project_id], sum: {n: 1}}\n", "name each table once"),
    Case("unknown-name", "tables:\n  extra:\n    id: 50\n    count: {from: [issues, projects], group: [project_id], sum: {n: «number}}\n"),
    Case("type", "tables:\n  other: {id: 57, key: {project_id: UserId}}\n  extra:\n    id: 50\n    count: {from: [projects, «other], group: [project_id], sum: {n: 1}}\n", "groups of one type"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.told[:30]}")
def test_the_finding_is_told_at_its_place(case: Case, tmp_path: Path) -> None:
    check_case(tmp_path, case)


def test_lookups_come_level_by_level(tmp_path: Path) -> None:
    text = with_(
        f'{GOOD}, set: {{row: settings(0), via: all}}, same: "issues([project_id, number])"',
        "when: owner is present, row: {name: owner.name, least: set.least // 0}",
    )

    rule = accepted(tmp_path, text).tables["extra"].rule

    assert isinstance(rule, Join)
    assert rule.sources == ("issues", "users", "assigned", "settings")
    assert [(one.name, one.via, one.all, one.back, one.level) for one in rule.lookups] == [
        ("owner", "assigned", False, ("project_id", "number"), 0),
        ("set", None, True, (), 0),
        ("same", None, False, ("project_id", "number"), 0),
    ]


def test_rows_that_fit_no_packed_layout_are_records(tmp_path: Path) -> None:
    schema = accepted(tmp_path, with_(GOOD, "row: {labels: labels, name: owner.name}"))

    assert schema.tables["extra"].layout == "record"


def test_a_count_of_two_tables_reads_the_fields_of_each(tmp_path: Path) -> None:
    text = "tables:\n  extra:\n    id: 50\n    count: {from: [issues, projects], group: [project_id], sum: {n: 1}}\n"

    rule = accepted(tmp_path, text).tables["extra"].rule

    assert isinstance(rule, Count)
    assert rule.sources == ("issues", "projects")


def test_the_part_that_is_due_may_stand_behind_others(tmp_path: Path) -> None:
    text = index("{from: issues, key: [project_id, updated, number], due: updated}")

    rule = accepted(tmp_path, text).tables["extra"].rule

    assert isinstance(rule, Index)
    assert rule.due == "updated"


@pytest.mark.parametrize(
    ("via", "key"), [("everybody", "user_id"), ("all", "user_id"), ("readers", "readers.user_id")]
)
def test_rows_of_several_drivers_are_led_back_to(tmp_path: Path, via: str, key: str) -> None:
    assert isinstance(accepted(tmp_path, several(via, key).replace("«", "")).tables["extra"].rule, Join)
