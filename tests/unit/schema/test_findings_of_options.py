# ruff: noqa: E501 -- a table reads best with one case a line
"""runs, text, owned and bound: each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, table

from pillarbox_codegen.model import Bound, Owned, Runs, Text


def runs(body: str) -> str:
    return table("{id: 50, runs: {of: issues, " + body + "}}")


def text(body: str) -> str:
    return table("{id: 50, text: {from: issues, " + body + "}}")


def owned(body: str, key: str = "project_id: ProjectId, number: int32, c: int32", more: str = "") -> str:
    return table("{id: 50, key: {" + key + "}, owned: {" + body + "}}") + more


def bound(body: str) -> str:
    return table(
        "{id: 50, key: {a: int32, b: int32}, record: {at: [1, int64], maybe: [2, opt<int64>], all: [3, list<int32>]}, bound: {"
        + body
        + "}}"
    )


def refs(body: str, users: str = ", users: {id: 51}", more: str = "") -> str:
    posts = "  posts: {id: 60, key: {a: int32, b: int32}, record: {labels: [1, list<int32>], media: [2, list<Media>], one: [3, opt<Media>]}}"
    return table("{id: 50, refs: {" + body + users + "}}") + posts + "\n" + more


IDENTITY = (
    "  names: {id: 52, index: {from: posts, unique: identity, key: «[{n: size(media)}], value: {a: a, b: b}}}"
)
INDEX = "  by_owner: {id: 51, index: {from: extra, "

CASES = [
    # runs
    Case(
        "unknown-table",
        table("{id: 50, runs: {of: «isues, group: [], same: state}}"),
        "did you mean `issues`?",
    ),
    Case("group-key", runs("group: [«number], same: state"), "does not go on with `number`"),
    Case("group-key", runs("group: «[project_id, number], same: state"), "a group of its own"),
    Case("bad-type", runs("group: [project_id], same: «labels"), "part of a key"),
    Case("unknown-name", runs("group: [project_id], same: «stat"), "did you mean `state`?"),
    Case("range", runs("group: [], same: state, longest: «0"), "out of range"),
    Case("missing-key", runs("group: []").replace("{of", "«{of"), "needs `same`"),
    Case(
        "name-taken",
        "tables:\n  odd: {id: 51, key: {a: int32, first_b: int32, b: int32}}\n  extra: {id: 50, runs: {of: «odd, group: [a], same: b}}",
        "`first_b`",
    ),
    # text
    Case("unknown-table", table("{id: 50, text: {from: «isues, of: title}}"), "did you mean `issues`?"),
    Case("type", text("of: «number"), "text"),
    Case("type", text("of: title, when: «number")),
    Case("type", text("of: [title, «number]"), "text"),
    Case("glued", text('of: "«concat(title, title)"'), "`[a, b]`"),
    Case("glued", text("""of: [title, "«concat(title, ' ', title)"]"""), "`[a, b]`"),
    Case("wrong-shape", text("of: «[]"), "`[title]`"),
    Case("bad-type", text("of: title, filter: [«labels]"), "part of a key"),
    Case("bad-type", text("of: title, filter: [«assignee_id]"), "never absent"),
    Case("filter", text("of: title, filter: «[{n: {of: number, desc: true}}]"), "leave `desc` out"),
    Case("name-taken", text("of: title, filter: «[{limit: number}]"), "what a search has"),
    Case("name-taken", text("of: title, filter: «[number, {number: updated}]"), "two parts of the filter"),
    Case(
        "name-taken",
        "tables:\n  odd: {id: 51, key: {words: int32}, record: {t: [1, text]}}\n  extra: {id: 50, text: {from: «odd, of: t}}",
    ),
    # owned
    Case("unknown-table", owned("by: «isues, key: [project_id, number]"), "did you mean `issues`?"),
    Case("owner", owned("by: «by_state, key: [project_id, number]"), "when a transaction ends"),
    Case("owner", owned("by: «account, key: []").replace("key: []", "key: [c]"), "tells nobody"),
    Case("key-parts", owned("by: issues, key: «[project_id]"), "has 2 parts, found 1"),
    Case("key-parts", owned("by: projects, key: «[project_id, number]"), "has one part, found 2"),
    Case("unknown-field", owned("by: issues, key: [project_id, «numbr]"), "did you mean `number`?"),
    Case("type", owned("by: projects, key: [«c]"), "make both the same type"),
    Case(
        "owner",
        owned("by: issues, key: «[project_id, number]", "c: int32, project_id: ProjectId, number: int32"),
        "begin the key with project_id, number",
    ),
    Case(
        "owner",
        owned(
            "by: issues, key: «[project_id, number]",
            "project_id: ProjectId, number: {type: int32, desc: true}, c: int32",
        ),
        "run the same way",
    ),
    Case(
        "no-default",
        "types:\n  Span: {record: {a: [1, int32]}}\n"
        + table("{id: 50, key: {c: int32}, record: {s: {number: 1, type: Span, fill: «'make(Span, a: c)'}}}"),
        "opt<Span>",
    ),
    Case(
        "owner",
        table(
            "{id: 50, key: {c: int32}, record: {at: [1, ProjectId], p: {number: 2, type: ProjectId, fill: if c > 0 then at else at}}, owned: {by: projects, key: [«p], via: x}}"
        ),
        "its owner is looked up before",
    ),
    Case(
        "owner",
        table(
            "{id: 50, key: {project_id: ProjectId, number: {type: int32, fill: numbers}, c: int32}, owned: {by: issues, key: [project_id, «number]}}"
        ),
        "its owner is looked up before",
    ),
    Case(
        "step",
        table(
            "{id: 50, key: {c: int32}, record: {p: [1, ProjectId]}, upsert: [{keep: [«p]}], owned: {by: projects, key: [p], via: x}}"
        )
        + "  x: {id: 51, index: {from: extra, key: [p, c]}}",
        "cannot be kept",
    ),
    Case("unknown-word", owned("by: projects, key: [project_id], orphans: «keep")),
    Case("owner", owned("by: issues, key: [project_id, number], via: «by_state"), "is no index of extra"),
    Case(
        "owner",
        owned(
            "by: projects, key: [project_id], via: «by_owner",
            "c: int32, project_id: ProjectId",
            INDEX + "key: [c, project_id]}}",
        ),
        "does not begin with the owner's key",
    ),
    Case(
        "owner",
        owned(
            "by: projects, key: [project_id], via: «by_owner",
            "c: int32, project_id: ProjectId",
            INDEX + "when: c > 0, key: [project_id, c]}}",
        ),
        "exactly one row",
    ),
    Case("cycle", owned("by: «extra, key: [project_id, number, c]"), "extra <- extra"),
    # refs
    Case("unknown-table", refs("from: «isues, each: media as m, id: 1"), "did you mean `issues`?"),
    Case("refs", refs("from: «by_state, each: media as m, id: 1"), "no primary table of records"),
    Case("refs", refs("from: posts, each: «labels as m, id: m"), "not a list of a union"),
    Case("refs", refs("from: posts, each: «'media + media as m', id: 1"), "not a list of a union"),
    Case("maybe-none", refs("from: posts, each: «one as m, id: 1"), "of a field that is a list of a union"),
    Case("refs", refs("from: posts, each: «'[one] as m', id: 1"), "of a field that is a list of a union"),
    Case("bad-type", refs("from: posts, each: media as m, id: «m"), "part of a key"),
    Case("unknown-name", refs("from: posts, each: media as m, id: «n")),
    Case("identity", refs("from: posts, each: media as m, id: 1", more=IDENTITY), "a put may make others"),
    Case("syntax", refs("from: posts, each: «media, id: 1"), "LIST as name"),
    Case("name-taken", refs("from: posts, each: media as «labels, id: 1"), "already"),
    Case(
        "missing-key",
        refs("from: posts, each: media as m, id: 1, users: {}", "").replace("users: {", "users: «{"),
        "needs `id`",
    ),
    Case(
        "refs",
        refs(
            "from: «posts, each: media as m, id: size(media)",
            more="  third: {id: 61, refs: {from: posts, each: media as m, id: 1, users: {id: 62}}}",
        )
        .replace("from: «posts", "from: posts")
        .replace("third: {id: 61, refs: {from: posts", "third: {id: 61, refs: {from: «posts"),
        "shares its values by `extra`",
    ),
    # bound
    Case("group-key", bound("group: [«b], order: at, keep: 5"), "does not go on with `b`"),
    Case("group-key", bound("group: «[a, b], order: at, keep: 5"), "a group of its own"),
    Case("unknown-field", bound("group: [a], order: «att, keep: 5"), "did you mean `at`?"),
    Case("bound", bound("group: [a], order: «maybe, keep: 5"), "has no order"),
    Case("bound", bound("group: [a], order: [at, «all], keep: 5"), "has no order"),
    Case("range", bound("group: [a], order: at, keep: «0"), "out of range"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text.splitlines()[-1][:70]}")
def test_each_finding_has_its_place(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_circle_of_owners_is_told_once_for_each_table(tmp_path: Path) -> None:
    body = "  {}: {{id: {}, key: {{a: int32}}, owned: {{by: {}{}, key: [a]}}}}\n"

    check_case(tmp_path, Case("cycle", "tables:\n" + body.format("one", 50, "«", "one"), "one <- one"))


def test_sound_options_are_read(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path,
        "tables:\n"
        "  a: {id: 50, runs: {of: issues, group: [project_id], same: assignee_id}}\n"
        "  b: {id: 51, text: {from: issues, of: title, filter: [state, flags]}}\n"
        "  c: {id: 52, key: {x: int32, project_id: ProjectId}, owned: {by: projects, key: [project_id], via: d, orphans: skip}}\n"
        "  d: {id: 53, index: {from: c, key: [project_id, x]}}\n"
        "  e: {id: 54, key: {x: int32, y: text}, bound: {group: [], order: [y, x], keep: 9}}\n",
    )

    tables = schema.tables
    assert isinstance(tables["a"].rule, Runs)
    assert tables["a"].rule.longest == 100
    assert [field.name for field in tables["a"].fields] == ["first_number"]
    assert isinstance(tables["b"].rule, Text)
    assert (tables["b"].storage, [item.name for item in tables["b"].rule.filters]) == (
        "words",
        ["state", "flags"],
    )
    assert tables["c"].owned == Owned("projects", ("project_id",), "d", "skip")
    assert tables["e"].bound == Bound((), ("y", "x"), 9)
