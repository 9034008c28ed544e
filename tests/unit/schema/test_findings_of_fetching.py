# ruff: noqa: E501 -- a table reads best with one case a line
"""How holes are fetched: requests, pages, guards and changes; each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, findings, write

from pillarbox_codegen.model import WireOf

VIEWS = """\
tables:
  posts: {id: 10, key: {project_id: ProjectId, post: int32}, record: {text: [1, text]}}
  post_holes: {id: 11, ranges: {group: {project_id: ProjectId}, over: {post: int32}, from: 1, to: 99}}
  marks: {id: 12, key: {project_id: ProjectId, post: int32}, record: {token: {number: 1, type: text, default: ""}}}
  down_holes: {id: 13, ranges: {group: {project_id: ProjectId}, over: {post: {type: int32, desc: true}}}}
  limit_holes: {id: 14, ranges: {group: {limit: int32}, over: {post: int32}}}
  up_holes: {id: 45, ranges: {group: {up: int32}, over: {post: int32}}}
  lo_holes: {id: 46, ranges: {group: {lo: int32}, over: {post: int32}}}
operations:
  put_posts: {code: 20, params: {posts: [1, list<row<posts>>]}, steps: [{put: {into: posts, row: p}, each: posts as p}]}
  cut_post: {code: 21, params: {project_id: [1, ProjectId], post: [2, int32]}, steps: [{remove: {from: posts, at: "[project_id, post]"}}]}
answers:
  page: {code: 30, fields: {posts: [1, list<row<posts>>], ids: [2, list<int32>], rev: [3, int64], more: [4, bool]}}
  other: {code: 31}
requests:
  ask: {code: 1, fields: {project_id: [1, ProjectId], since: [2, int32], name: {number: 3, type: text, default: ""}}, answers: [page]}
views:
  board:
    key: {project_id: ProjectId}
    parts:
      posts: {window: {of: posts, prefix: [project_id]}, anchor: newest, around: 5, holes: {ranges: post_holes, at: project_id, by: post}, want: {name: wanted, count: 5}}
      marked: {window: {of: posts, prefix: [project_id]}, anchor: newest, around: 5, holes: {markers: marks, prefix: [project_id]}, want: {name: marked, count: 5}}
      known: {window: {of: posts, prefix: [project_id]}, anchor: newest, around: 5, holes: {boundary: 5}, want: {name: known, count: 5}}
"""
ASK = "{request: ask, with: {project_id: project_id, since: lo}}"
PAGE = "rows: posts, id: row.post, emits: [{put_posts: {posts: posts}}]"


def holes(
    words: str = "", *, name: str = "wanted", table: str = "post_holes", ask: str = ASK, page: str = PAGE
) -> str:
    """One entry of `holes` with more words."""
    rest = f"    {words}\n" if words else ""
    return f"{VIEWS}holes:\n  {name}:\n    table: {table}\n    ask: {ask}\n    answers: {{page: {{{page}}}}}\n{rest}"


def marks(words: str = "", *, page: str = PAGE, base: str = "group: [project_id], order: posts") -> str:
    ask = "{request: ask, with: {project_id: project_id, since: post}}"
    entry = ", ".join(
        filter(None, [f"table: marks, ask: {ask}", base, f"answers: {{page: {{{page}}}}}", words])
    )
    return f"{VIEWS}holes:\n  marked: {{{entry}}}\n"


GONE = f"{PAGE}, absent: [{{cut_post: {{project_id: project_id, post: n}}, each: absent as n}}]"
STORED = "stored: {in: posts, at: project_id}"
WAYS = "ways: {up: {n: lo}, down: {n: hi}, around: {n: lo}}"

CASES = [
    Case("fetching", holes(name="«wante"), "did you mean `wanted`?"),
    Case("fetching", holes(table="«down_holes"), "write `post_holes`"),
    Case("unknown-table", holes(table="«post_hole"), "post_holes"),
    *(
        Case("name-taken", holes(table=f"«{name}_holes").replace("ranges: post_holes, at: project_id", f"ranges: {name}_holes, at: 1"), told)
        for name, told in {"limit": "how many rows", "up": "a way in which a range", "lo": "an end of what"}.items()
    ),
    Case("missing-key", f"{VIEWS}holes:\n  wanted: «{{table: post_holes, ask: {ASK}}}\n", "answers"),
    Case("fetching", holes("group: «[project_id]"), "leave `group` out"),
    Case("fetching", holes("order: «posts"), "leave `order` out"),
    Case("unknown-request", holes(ask="{request: «aks}"), "did you mean `ask`?"),
    Case("missing-key", holes(ask="{request: «ask}"), "and `since`"),
    Case("unknown-name", holes(ask="{request: ask, with: {project_id: project_id, since: «low}}"), "lo"),
    Case("type", holes(ask="{request: ask, with: {project_id: project_id, since: «up}}"), "int32"),
    Case("fetching", holes(ask="[«{request: ask, with: {project_id: project_id, since: lo}, when: up}]"), "leave its `when` out"),
    Case("fetching", holes(ask=f"[«{ASK}, {ASK}]"), "put it last"),
    Case("missing-key", holes("ways: «{up: {n: lo}, down: {n: hi}}"), "`around`"),
    Case("fetching", holes("ways: {up: {n: lo}, down: «{m: hi}, around: {n: lo}}"), "`up`, `down` and `around`"),
    Case("type", holes("ways: {up: {n: lo}, down: {n: «up}, around: {n: lo}}"), "`n` is bool here, and int32 in `up`"),
    Case("name-taken", holes("ways: {up: {«lo: 1}, down: {n: hi}, around: {n: lo}}"), "something else"),
    Case("unknown-answer", holes().replace("answers: {page:", "answers: {«pag:"), "did you mean `page`?"),
    Case("unknown-answer", holes().replace("answers: [page]", "answers: [other]").replace("answers: {page:", "answers: {«page:"), "they are with `other`"),
    Case("unknown-field", holes(page="rows: «post, id: row.post, emits: []"), "did you mean `posts`?"),
    Case("type", holes(page="rows: «ids, id: row.post, emits: []"), "list<row<TABLE>>"),
    Case("unknown-field", holes(page="rows: posts, id: row.«pos, emits: []"), "did you mean `post`?"),
    Case("missing-key", holes(page="rows: posts, id: row.post").replace("{page: {rows", "{page: «{rows"), "how the rows are written is not said"),
    Case("unknown-body", holes(page="rows: posts, id: row.post, body: «posts"), "posts"),
    Case("fetching", holes(page=f"{PAGE}, absent: «[{{cut_post: {{project_id: project_id, post: n}}, each: absent as n}}]"), "add `stored"),
    Case("fetching", holes("«stored: {in: posts, at: project_id}"), "add `absent:`"),
    Case("unknown-name", holes(STORED, page=f"{PAGE}, absent: [{{cut_post: {{project_id: project_id, post: n}}, each: «absen as n}}]"), "did you mean `absent`?"),
    Case("key-parts", holes("stored: {in: «projects, at: project_id}", page=GONE), "does not end in what the holes are over"),
    Case("key-parts", holes("stored: «{in: posts}", page=GONE), "write `at: [project_id]`"),
    Case("type", holes("stored: {in: posts, at: project_id, when: «project_id}", page=GONE), "bool"),
    Case("unknown-name", holes("stored: {in: posts, at: «lo}", page=GONE), "lo"),
    Case("fetching", marks("stored: «{in: posts, at: project_id}"), "leave `stored` out"),
    Case("type", holes(page=f"{PAGE}, belongs: «row.text"), "bool"),
    Case("type", holes(page=f"{PAGE}, whole: «rev"), "bool"),
    Case("fetching", holes(page=f"{PAGE}, «as_of: rev"), "add `guards`"),
    Case("fetching", "cursors: {line: {id: 15, parts: {next: {kind: token, number: 1}}}}\n" + holes("guards: line.next", page=f"{PAGE}, «as_of: rev"), "nobody can say which of two comes first"),
    Case("fetching", holes(page=f"{PAGE}, «rest: {{post: 1}}"), "say `whole`"),
    Case("fetching", holes(page=f"{PAGE}, «joins: row.post == 1"), "leave `joins` out"),
    Case("type", marks(page=f"{PAGE}, joins: «row.post"), "bool"),
    Case("unknown-operation", holes(page="rows: posts, id: row.post, emits: [{«put_post: {posts: posts}}]"), "did you mean `put_posts`?"),
    Case("unknown-cursor", holes("guards: {domain: «project.re, key: project_id}"), "project.rev"),
    Case("key-parts", holes("guards: «{domain: project.rev}"), "give `key:`"),
    Case("key-parts", holes("guards: «{domain: account.rev, key: project_id}"), "leave `key` out"),
    Case("unknown-name", holes("one_per: [«projec]"), "did you mean `project_id`?"),
    Case("unknown-operation", holes("changes: [{«cut_pos: {id: post}}]"), "did you mean `cut_post`?"),
    Case("step", holes("changes: [«{cut_post: {id: post}, put_posts: {}}]"), "one operation"),
    Case("unknown-name", holes("changes: [{cut_post: {«projec: project_id, id: post}}]"), "did you mean `project_id`?"),
    Case("wrong-shape", holes("changes: [{cut_post: {id: post, part: «yes}}]"), "write `true` or `false`, without quotes"),
    Case("wrong-shape", holes("changes: [{cut_post: {id: post, part: «[]}}]"), "write `true` or `false`"),
    Case("wrong-shape", holes("changes: [{cut_post: {id: post, part: «'true'}}]"), "without quotes"),
    Case("type", holes("changes: [{put_posts: {id: «p.text}, each: posts as p}]"), "int32"),
    Case("range", holes("limits: {page: «0}"), "1"),
    Case("missing-key", marks(base="order: posts").replace("marked: {table", "marked: «{table"), "add `group: [part, ..]`"),
    Case("key-parts", marks(base="group: «[post], order: posts"), "[project_id, post]"),
    Case("missing-key", marks(base="group: [project_id]").replace("marked: {table", "marked: «{table"), "`order: TABLE`"),
    Case("key-parts", marks(base="group: [project_id], order: «issues_by").replace("issues_by", "by_state"), "[project_id, post]"),
    Case("fetching", marks("ways: «{up: {n: 1}, down: {n: 1}, around: {n: 1}}"), "downwards"),
    Case("missing-key", marks(page=f"{PAGE}, rest: «{{project_id: project_id}}"), "post"),
    Case("type", marks(page=f"{PAGE}, rest: {{when: «rev, project_id: project_id, post: post}}"), "bool"),
]  # fmt: skip


NAMED = """\
tables:
  names: {id: 60, key: {project_id: ProjectId, user_id: UserId}, record: {name: [1, text]}}
operations:
  name_one: {code: 60, params: {name: [1, row<names>]}, steps: [{put: {into: names, row: name}}]}
  name_new: {code: 61, params: {name: [1, row<names>]}, steps: [{put: {into: names, row: name, only: new}}]}
  put_all: {code: 62, params: {posts: [1, list<row<posts>>], names: [2, list<row<names>>]}, steps: [{put: {into: posts, row: p}, each: posts as p}, {put: {into: names, row: n}, each: names as n}]}
  put_with_new: {code: 63, params: {posts: [1, list<row<posts>>], names: [2, list<row<names>>]}, steps: [{put: {into: posts, row: p}, each: posts as p}, {put: {into: names, row: n, only: new}, each: names as n}]}
"""
ALL = "rows: posts, id: row.post, emits: [{put_all: {posts: posts, names: []}}]"
OF_NEW = "rows: posts, id: row.post, emits: [{put_with_new: {posts: posts, names: []}}]"
FORGET = '  forget: {code: 64, params: {project_id: [1, ProjectId], user_id: [2, UserId]}, steps: [{remove: {from: names, at: "[project_id, user_id]"}}]}\n'


def named(words: str = "", *, page: str = ALL, more: str = "") -> str:
    """Pages that write names besides."""
    tables, _, operations = NAMED.partition("operations:\n")
    text = holes(words, page=page).replace("tables:\n", tables, 1)
    return text.replace("operations:\n", f"operations:\n{operations}{more}", 1)


BESIDE_CASES = [
    Case("fetching", named(page=ALL.replace("{put_all", "{«put_all")), "`put_all` writes `names`, which `name_one` or `name_new` may change while a page is on its way"),
    Case("fetching", named(page=ALL.replace("{put_all", "{«put_all")), "say `also: [names]`"),
    Case("fetching", named(page=OF_NEW.replace("{put_with", "{«put_with"), more=FORGET), "`forget` may change"),
    Case("fetching", named(page="rows: posts, id: row.post, body: «paged") + "bodies:\n  paged: {side: [{put_all: {posts: posts, names: []}}]}\n", "`put_all` writes `names`"),
]  # fmt: skip


@pytest.mark.parametrize("case", BESIDE_CASES, ids=lambda case: f"{case.code} {case.told[:30]}")
def test_what_pages_write_besides_is_not_older_than_what_was_said_meanwhile(
    tmp_path: Path, case: Case
) -> None:
    """What stands in no hole, and nothing is said of, would be overwritten by a page that was made before."""
    text = case.text.replace("page: {code: 30, fields:", "page: {code: 30, body: paged, fields:")
    check_case(tmp_path, Case(case.code, text, case.told) if "bodies:" in case.text else case)


@pytest.mark.parametrize(
    "text",
    [
        named("also: [names]"),
        named("also: []"),
        named("changes: [{name_one: {project_id: name.project_id}}, {name_new: {}}]"),
        named(page=OF_NEW),
        named(page=PAGE),
    ],
)
def test_what_pages_write_besides_may_be_said_to_do_no_harm(tmp_path: Path, text: str) -> None:
    accepted(tmp_path, text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} {case.told[:30]}")
def test_a_finding_has_its_place(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_holes_are_read_as_they_are_written(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path,
        holes(
            "guards: {domain: project.rev, key: project_id}\n    changes: [{cut_post: {project_id: project_id, id: post}}]\n"
            f"    {WAYS}\n    limits: {{page: 7, tries: 2}}\n    highest_first: true",
            ask="{request: ask, with: {project_id: project_id, since: n}}",
            page=f"{PAGE}, as_of: rev, whole: not more",
        ),
    )

    [rule] = schema.holes

    assert (rule.name, rule.table, rule.width, rule.order, rule.one_per) == (
        "wanted",
        "post_holes",
        None,
        None,
        (0,),
    )
    assert [way for way, _ in rule.ways] == ["up", "down", "around"]
    assert [(page.answer, page.rows, page.of) for page in rule.pages] == [
        (WireOf("answer", "page"), "posts", "posts")
    ]
    assert [(change.operation, change.part) for change in rule.changes] == [("cut_post", False)]
    assert rule.spoiling == ("put_posts",)
    assert rule.limits == (("page", 7), ("tries", 2))
    assert rule.highest_first


def test_operations_that_may_write_the_rows_spoil_pages_unless_it_is_said_what_they_do(
    tmp_path: Path,
) -> None:
    """E-21."""
    schema = accepted(tmp_path, marks())

    assert schema.holes[0].spoiling == ("put_posts", "cut_post")
    assert schema.holes[0].width == 1


def test_what_a_view_wants_in_which_something_is_wrong_is_not_missed(tmp_path: Path) -> None:
    text = holes().replace("want: {name: wanted", "want: {nam: wanted")
    assert text != holes()
    write(tmp_path, text)

    assert "fetching" not in [one.code for one in findings(tmp_path)]


def test_what_a_page_does_not_have_may_go(tmp_path: Path) -> None:
    found = accepted(tmp_path, holes(STORED, page=GONE)).holes

    assert found[0].stored is not None
    assert found[0].stored.table == "posts"
    assert [entry.operation for entry in found[0].pages[0].absent] == ["cut_post"]
