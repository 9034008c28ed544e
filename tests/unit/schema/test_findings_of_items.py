# ruff: noqa: E501 -- a table reads best with one case a line
"""Items: each finding has its place, and what is in order is typed by what the view shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case

from pillarbox_codegen.model import Item, ListOf, Local, Named, Optional, RowOf, Scalar, ShownOf, Type

VIEWS = """\
views:
  page:
    key: {project_id: ProjectId, limit: int32, labels: list<int32>}
    parts:
      project: {get: projects, at: project_id}
      owner: {get: projects, at: project.parent_id, show: [name]}
      top: {get: projects, at: project_id, or: default}
      secret: {get: projects, at: project_id, show: none}
      issues:
        scan: issues
        prefix: [project_id]
        limit: limit
        show: [title, state, assignee_id]
        with: {own: {get: projects, at: row.project_id, show: [name]}, loud: {value: row.flags has pinned}, inner: {value: limit, show: none}}
      named: {get_each: projects, at: issues.project_id}
      recent: {window: {of: issues, prefix: [project_id]}, anchor: newest, before: 5, after: 0}
      values: {each: labels, with: {twice: {value: item}}}
      count: {aggregate: {count: n}, of: issues}
      size: {value: size(labels)}
"""
WHOLE_KEY = "at: {limit: 1, labels: '[]'}, key: {project_id: ProjectId}"


def item(body: str) -> str:
    return f"{VIEWS}items:\n  one: {{{body}}}\n"


def take(term: str) -> str:
    return item(f'view: page, {WHOLE_KEY}, take: "{term}"')


CASES = [
    Case("missing-key", "items:\n  one: «{take: project}\n" + VIEWS, "needs `view`"),
    Case("missing-key", item("view: page").replace("one: {", "one: «{"), "needs `take`"),
    Case("unknown-key", item("view: page, take: count, «of: page"), "has no key `of`"),
    Case("unknown-view", item("view: «pge, take: count"), "did you mean `page`?"),
    Case("unknown-name", take("«nothing")),
    Case("unknown-name", take("«row.title")),
    Case("unknown-field", take("project.«nme"), "did you mean `name`?"),
    Case("unknown-field", take("owner.«owner_id"), "there is no field `owner_id`"),
    Case("unknown-field", take("issues.«title"), "there is no field `title`"),
    Case("unknown-field", take("issues.row.«number"), "there is no field `number`"),
    Case("unknown-field", take("issues.«inner"), "there is no field `inner`"),
    Case("unknown-field", take("recent.«title"), "there is no field `title`"),
    Case("part", take("«secret.name"), "nobody sees"),
    Case("lookup", take("«projects(1).name"), "add a `get` part to the view"),
    Case("type", take("none").replace('"none"', '«"none"'), "no value that an item can have"),
    Case("type", take("size(«top.owner_id)"), "takes a list"),
    Case("type", take("«owner + 1"), "what `page` shows of `owner`"),
    Case("unknown-field", take("named.«name"), "there is no field"),
    Case("unknown-field", item("view: page, at: {«lmit: 1}, take: count"), "did you mean `limit`?"),
    Case("type", item("view: page, at: {limit: «true}, take: count"), "expected int32"),
    Case("unknown-name", item("view: page, key: {}, at: {project_id: «project_id, limit: 1}, take: count")),
    Case(
        "key-parts", item("«view: page, key: {project_id: ProjectId}, take: count"), "add `at: {limit: ..}`"
    ),
    Case(
        "key-parts",
        item("«view: page, key: {project_id: ProjectId, limit: text}, take: count"),
        "`limit` is int32 in the key of `page`, here it is text",
    ),
    Case(
        "name-taken",
        item("view: page, «key: {project_id: ProjectId, limit: int32, count: int32}, take: count"),
        "rename that part of the key",
    ),
    Case(
        "bad-type",
        item("view: page, key: {project_id: «row<projects>}, at: {project_id: 1, limit: 1}, take: count"),
        "not by a row",
    ),
    Case("name", item("view: page, take: count").replace("one:", "«One:")),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text.strip().splitlines()[-1].strip()[-80:])
def test_each_finding_has_its_place(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def the_item(folder: Path, text: str) -> Item:
    (found,) = accepted(folder, text).items
    return found


TEXT, BOOL, INT = Scalar("text"), Scalar("bool"), Scalar("int64")
TYPES: list[tuple[str, Type]] = [
    ("project", Optional(RowOf("projects"))),
    ("top", RowOf("projects")),
    ("owner.name", Optional(TEXT)),
    ("top.owner_id", Named("UserId")),
    ("issues.row.title", ListOf(TEXT)),
    ("issues.own.name", ListOf(TEXT)),
    ("first(issues).loud", Optional(BOOL)),
    ("first(recent.entries).assignee_id", Optional(Named("UserId"))),
    ("recent.entries", ListOf(RowOf("issues"))),
    ("recent.loading", BOOL),
    ("values.twice", ListOf(Scalar("int32"))),
    ("count", INT),
    ("size(named)", INT),
    ("project_id", Named("ProjectId")),
    ("project is present and project.owner_id == top.owner_id", BOOL),
]


@pytest.mark.parametrize(("term", "type"), TYPES, ids=[term for term, _ in TYPES])
def test_a_term_is_typed_by_what_the_view_shows(tmp_path: Path, term: str, type: Type) -> None:
    assert the_item(tmp_path, take(term)).take.type == type


def test_whole_parts_are_taken_as_the_view_shows_them(tmp_path: Path) -> None:
    rows = the_item(tmp_path, take("issues")).take.type

    assert isinstance(rows, ListOf)
    assert isinstance(rows.item, ShownOf)
    assert (rows.item.path, rows.item.what) == ("issues", "entry")
    assert [name for name, _ in rows.item.members] == ["row", "own", "loud"]


def test_without_a_key_an_item_has_that_of_its_view(tmp_path: Path) -> None:
    found = the_item(tmp_path, item("view: page, take: count"))

    assert [field.name for field in found.key] == ["project_id", "limit", "labels"]
    assert found.at == tuple((field.name, Local(field.name, "param", field.type)) for field in found.key)


def test_parts_of_a_view_s_key_that_have_a_default_need_no_term(tmp_path: Path) -> None:
    text = item("view: page, key: {project_id: ProjectId}, take: count")

    found = the_item(tmp_path, text.replace("limit: int32", "limit: {type: int32, default: 9}"))

    assert [name for name, _ in found.at] == ["project_id"]


def test_parts_of_a_view_s_key_that_may_be_absent_need_no_term(tmp_path: Path) -> None:
    found = the_item(tmp_path, item("view: page, key: {project_id: ProjectId, limit: int32}, take: count"))

    assert [name for name, _ in found.at] == ["project_id", "limit"]
