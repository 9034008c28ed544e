# ruff: noqa: E501 -- a table reads best with one case a line
"""Expressions: each finding is at the token at fault, and what is in order has its type."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import MARK, Case, accepted, check_case, findings, steps, value, when, write

from pillarbox_codegen.model import Index
from pillarbox_codegen.type_rules import show

#: A table with an identity that is as long as its key.
TEAMS = """\
tables:
  teams: {id: 70, key: {a: int32, b: int32}, record: {label: [1, text], state: [2, State]}}
  team_names: {id: 71, index: {from: teams, unique: identity, key: [label, state], value: {a: a, b: b}}}
"""
NAMED = "{label: [1, text], state: [2, State]}"


def counted(changes: str, when: str = "true") -> str:
    """A step for each value of a constant, of which nothing says that it is of an enum."""
    patch = f'patch: {{table: issues, at: "[project_id, number]", {changes}}}'
    return steps(
        f'{{{patch}, each: seeds.counted as s, when: "{when}"}}',
        "{project_id: [1, ProjectId], number: [2, int32], title: [3, text]}",
    )


#: A part of a view that is called like a value; where a list of these may stand.
SHADOWED = """\
views:
  board:
    key: {project_id: ProjectId}
    parts:
      open: {scan: issues, prefix: [project_id], all: true}
      more: {scan: by_state, prefix: [project_id, «open], all: true}
"""


CASES = [
    # syntax
    Case("syntax", when("state «= open"), "compare with `==`"),
    Case("syntax", when("state == open «&& true"), "write `and`"),
    Case("syntax", when("«"), "empty"),
    Case("syntax", when("(state == open«"), "expected `)`, found the end"),
    Case("syntax", when("1 < updated «< 3"), "do not chain"),
    Case("syntax", when("assignee_id is «not none"), "`not x is none`"),
    Case("syntax", when("title == «'abc"), "close the text"),
    Case("syntax", when("title == 'a«\\\\x'"), "each backslash is written twice"),
    Case("syntax", when("title == «'a\\\\'"), r"stands for itself is `\\`"),
    Case("syntax", when("updated «% 2 == 4"), "write `mod(a, 60)`"),
    Case("syntax", when("updated *«* 2 == 4")),
    Case("syntax", when("updated «updated"), "operator missing"),
    Case("syntax", when("state «not in [open]"), "write `not x in list`"),
    Case("syntax", when("state == open «not"), "`not` stands in front"),
    Case("syntax", when("updated == 1 «if true else 2"), "write `if CONDITION then A else B`"),
    Case("unknown-function", when("«len(title) > 0"), "write `size`"),
    Case("unknown-function", when("updated < «now()"), "whoever calls gives the time"),
    Case("unknown-name", when("size([«open]) > 0"), "write `State.open`"),
    Case("syntax", when("updated == 1 + «if true then 1 else 2"), "parentheses"),
    Case("syntax", when("state == open or« "), "ends too early"),
    Case("too-deep", when("(" * 40 + "«(true" + ")" * 41)),
    Case("too-deep", when("«" + " and ".join(["true"] * 60))),
    Case("too-big", when("").replace('""', '«"' + "true or " * 300 + 'true"'), "2,000"),
    Case("range", when("updated == «123456789012345678901234567890"), "declare what is longer as a text"),
    Case("syntax", when("updated «/ 2 == 1"), "write `div(a, 60)`"),
    Case("syntax", when("updated == 1.«5"), "whole numbers only"),
    Case("type", when("div(updated, «0) == 1"), "a number from 1 on"),
    Case("type", when("mod(updated, «number) == 1"), "a number from 1 on"),
    Case("type", when("mod(updated, «seeds.less) == 1"), "a number from 1 on"),
    Case("type", when("div(«title, 2) == 1"), "expected int64, found text"),
    Case("maybe-none", steps("{let: {a: «\"issues([project_id, number]).updated\"}}").replace("a: «\"", "a: \"div(«").replace("updated\"", "updated, 2)\"")),
    Case("arguments", when("«div(updated) == 1"), "div(number, by)"),
    # types
    Case("type", steps("{put: {into: projects, row: {project_id: 1, name: «number, owner_id: 1}}}"), "nothing is written out as text"),
    Case("type", steps("{put: {into: projects, row: {project_id: «name, name: name, owner_id: 1}}}", "{name: [1, text]}"), "it is an id of int64: give a number"),
    Case("type", steps("{put: {into: projects, row: {project_id: «slug, name: name, owner_id: 1}}}".replace("slug", "number"), "{name: [1, text], number: [2, Slug]}"), "it is an id of int64"),
    Case("type", value("make(FileId, store: open, number: «title)"), "comes from the type int64"),
    Case("type", when("title «== updated"), "declare both of one type"),
    # names
    Case("unknown-name", when("«stat == open"), "did you mean `state`?"),
    Case("unknown-name", when("state == «opne"), "did you mean `open`?"),
    Case("unknown-name", when("state == «red"), "State has `open`"),
    Case("unknown-name", when("title == «hello"), "quotes of its own"),
    Case("unknown-name", when("flags has «lokced"), "did you mean `locked`?"),
    Case("unknown-name", when("media is «Pictur"), "did you mean `Picture`?"),
    Case("unknown-name", when("updated == «null"), "write `none`"),
    Case("unknown-name", when("media == «Picture"), "ask `is Picture`"),
    Case("unknown-name", when("number in «issues"), "no rows are looked up here"),
    Case("type", when("state «== 'open'"), "write `open`, without quotes"),
    Case("type", when("«state is open"), "compare with `==`"),
    Case("unknown-field", when("state == open and title.«size == 1"), "has no fields"),
    Case("unknown-field", when("any([first(links).«uri == 'x'])"), "did you mean `url`?"),
    Case("unknown-field", when("media.«width == 1"), "ask `is Picture` before"),
    Case("unknown-function", when("«siz(title) > 0"), "did you mean `size`?"),
    Case("unknown-function", when("«sum(updated) > 0"), "first in a `fold`"),
    Case("unknown-constant", when("updated > seeds.«limt"), "did you mean `limit`?"),
    # arguments
    Case("arguments", when("«max(updated) > 1"), "max(a, b, ..)"),
    Case("arguments", when("size(«a: labels) > 1"), "named"),
    Case("arguments", when("«size() > 1"), "size(list)"),
    Case("arguments", when("case(media, «'Picture') is present")),
    Case("arguments", when("make(«State, open: 1) == state"), "has no fields"),
    Case("arguments", when("make(«State, 1) == state"), "is no id"),
    Case("type", when("make(ProjectId, «title) == project_id"), "expected int64"),
    Case("arguments", when("flags == flags(locked: true, «locked: false)"), "twice"),
    Case("missing-key", when("first(links) == «make(Link, title: 'x')"), "needs `url`"),
    Case("unknown-field", when("first(links) == make(Link, «uri: 'x', url: 'y')"), "did you mean `url`?"),
    Case("unknown-type", when("first(links) == make(«Lnk, url: 'y')"), "did you mean `Link`?"),
    Case("unknown-type", when("first(links) == make(«Zzz, url: 'y')"), "a record, a case, a packed id, a table or a patch"),
    # types
    Case("type", when("«updated"), "expected bool, found int64"),
    Case("type", when("title «== 5")),
    Case("type", when("number «== project_id"), "cannot compare int32 with ProjectId"),
    Case("type", when("number «== project_id"), "`make(ProjectId, ..)` makes an id of a number"),
    Case("type", when("state «== 1"), "declare both of one type"),
    # a value that is called like what is in scope, which it is taken for
    Case("type", steps("{require: state «== open}", "{state: [1, State], open: [2, int32]}"), "the value is written `State.open`"),
    Case("type", steps("{require: open «!= state}", "{state: [1, State], open: [2, text]}"), "the value is written `State.open`"),
    Case("type", steps('{patch: {table: issues, at: "[p, n]", set: {state: «open}}}', "{p: [1, ProjectId], n: [2, int32], open: [3, bool]}"), "the value is written `State.open`"),
    Case("type", SHADOWED, "the value is written `State.open`"),
    Case("type", when("flags «< 3"), "have no order"),
    Case("type", when("«title + 1 == 2"), "numbers, flags or lists"),
    Case("type", when("«title * 2 == 2"), "`*` takes numbers"),
    Case("type", when("2 * 3 «* updated == 2"), "`6 * a` for `2 * 3 * a`"),
    Case("type", when("updated «* updated == 2"), "a number or a constant"),
    Case("maybe-none", when("2 * «case(media, Picture).width == 2"), "which may be absent"),
    Case("maybe-none", steps("{let: {a: \"join([1], «some)\"}}", "{some: [1, opt<list<int32>>]}"), "with `//`"),
    Case("range", when("updated * «9223372036854775808 == 2"), "does not fit int64"),
    Case("type", when("1 in «title"), "must be a list"),
    Case("type", when("title «in labels"), "never in"),
    Case("type", when("«updated has locked"), "tests flags"),
    Case("type", when("«title is Picture"), "not a union"),
    Case("type", when("media is Picture and case(media, «Document) is present"), "never `Document`"),
    Case("type", when("assignee_id «== none"), "`is none`"),
    Case("type", when("size(«updated) > 0")),
    Case("syntax", when("labels.size«() > 1"), "`last(x)`, not `x.last()`"),
    Case("type", when("updated == («if true then 1 else 'x')"), "branches are"),
    Case("type", when("(«[] + []) == labels"), "empty list"),
    Case("type", when("labels == [1, «'x']"), "expected int32"),
    Case("type", value("«[1, 'x']"), "no one type"),
    Case("type", when("bits(«updated) == []"), "takes flags"),
    Case("type", value("«flags(locked: true)"), "not expected here"),
    Case("type", when("title == concat(title, «state)"), "expected text"),
    Case("type", value("size(«state)")),
    Case("type", when("any(«labels)"), "list<bool>"),
    Case("maybe-none", when("«case(media, Picture).width + 1 == 2"), "which may be absent"),
    Case("maybe-none", when("«first(links.title) and true").replace("links.title", "[true]")),
    Case("maybe-none", when("max(1, «case(media, Picture).width) == 2")),
    Case("never-none", when("«updated is none"), "never absent"),
    Case("never-none", when("«updated // 1 == 1"), "never absent"),
    Case("range", when("small == «256"), "0 to 255"),
    Case("range", when("small == «-1"), "0 to 255"),
    Case("range", value("«9223372036854775808"), "does not fit int64"),
    Case("constant-type", when("state in seeds.counted and title in seeds.«counted"), "use two constants"),
    Case("type", when("title in seeds.«words"), "constant holds"),
    Case("unknown-name", when("state in seeds.«loud"), "there is no `locked` here the constant holds it; values of State are `open`, `waiting` and `closed`"),
    # names of an enum that a constant holds as texts
    Case("type", counted("set: {state: «s}"), "write `[State.open, State.closed]`"),
    Case("type", counted("set: {title: title}", "s «== State.open"), "write `[State.open, State.closed]`"),
    Case("type", counted("set: {title: title}", "State.open in [«s]"), "write `[State.open, State.closed]`"),
    Case("type", counted('set: {state: "first([«s]) // State.open"}'), "write `[State.open, State.closed]`"),
    Case("unknown-name", counted("set: {title: title}", "s == «waiting"), "write `State.waiting`"),
    # lookups
    Case("type", TEAMS + steps('{remove: {from: teams, at: "«[label, state]"}}', NAMED), "the identity [label, state]"),
    Case(
        "type",
        TEAMS + steps('{let: {it: "teams(«[label, state])"}}', NAMED),
        "`Named: {record: {label: [1, text], state: [2, State]}}`",
    ),
    Case(
        "type",
        "types: {Called: {record: {label: [1, text], state: [2, State]}}}\n"
        + TEAMS
        + steps('{let: {it: "teams(«[label, state])"}}', NAMED),
        'write `let: {it: "make(Called, label: .., state: ..)"}` before, and `it` here',
    ),
    Case("lookup", steps("{let: {n: «numbers(project_id)}}"), "it is not read"),
    Case("key-parts", steps("{let: {i: issues(«project_id)}}"), "the parts are [project_id, number]"),
    Case("key-parts", steps('{let: {i: "issues(«[project_id, number, 1])"}}')),
    Case("arguments", steps('{let: {i: "«issues(project_id, number)"}}'), "issues([project_id, number])"),
    Case("type", steps('{let: {i: "issues([project_id, «true])"}}')),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text[38:110]!r}")
def test_the_finding_is_at_its_token(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


TYPES = [
    ("updated + 1", "int64"),
    ("small + 1000", "int64"),
    ("1 - small", "int64"),
    ("small * 1000", "int64"),
    ("seeds.limit * small", "int64"),
    ("small", "uint8"),
    ("assignee_id", "opt<UserId>"),
    ("assignee_id // 0", "UserId"),
    ("if state == open then assignee_id else none", "opt<UserId>"),
    ("if state == open then 1 else small", "uint8"),
    ("if small > 1 then state else open", "State"),
    ("if small > 1 then closed else state", "State"),
    ("if small > 1 then none else assignee_id", "opt<UserId>"),
    ("case(media, Picture).width", "opt<int32>"),
    ("if media is Picture then case(media, Picture).width else 0", "int32"),
    ("case(media, Picture).width // 0", "int32"),
    ("case(media, Picture).width // -1", "int32"),
    ("first(labels) // 0", "int32"),
    ("first(links.url) // 'none'", "text"),
    ("size(bits(flags))", "int64"),
    ("max(1, small)", "uint8"),
    ("max(updated, number)", "int64"),
    ("State.closed", "State"),
    ("make(FileId, store: open, number: 7)", "FileId"),
    ("make(FileId, number)", "FileId"),
    ("make(ProjectId, 5)", "ProjectId"),
    ("make(FileId, store: open, number: 7).store", "State"),
    ("concat(title, ' ', 'x')", "text"),
    ("seeds.limit", "int64"),
    ("flags has locked", "bool"),
    ("media is Picture", "bool"),
    ("-5", "int64"),
]


@pytest.mark.parametrize(("expression", "type"), TYPES)
def test_an_expression_has_its_type(tmp_path: Path, expression: str, type: str) -> None:
    rule = accepted(tmp_path, value(expression)).tables["extra"].rule

    assert isinstance(rule, Index)
    assert show(rule.value[0].expr.type) == type


FINE = [
    "labels == [1, 2]",
    "labels == [0] + labels + [1]",
    "13 in labels",
    "open == state",
    "[open, closed] == [state]",
    "flags == flags(locked: small > 3, pinned: true)",
    "bits(flags) == [locked]",
    "not (assignee_id is none) and assignee_id == 4",
    "assignee_id is none or assignee_id > 4",
    "state in [open, waiting] or state in seeds.counted",
    "join(labels, [], [1]) == []",
    "any([true, flags has locked])",
    "first(links) == make(Link, url: 'it\\\\'s */ \\\\\\\"quoted\\\\\\\"')",
    "(if true then 1 else 2) == 1",
    "size(if small > 1 then labels else []) == 1",
    "concat('x', if small > 1 then links.url else [], if small > 2 then [] else links.url) == ''",
    "13 in (if small > 1 then [] else if small > 2 then [] else labels)",
    "bits(if small > 1 then flags(locked: true) else flags) == []",
    "-updated == 1",
    "(first(labels) // -number) - 1 == - -1",
]


@pytest.mark.parametrize("expression", FINE)
def test_a_condition_in_order_has_no_finding(tmp_path: Path, expression: str) -> None:
    write(tmp_path, when(expression))

    assert findings(tmp_path) == ()


PLACES = [
    "x: \"title == '\\u0041' and «opne\"",
    "x: 'title == ''A'' and «opne'",
    "x: title == 'A'\n        and\n\n        «opne",
    "x: >\n        title == 'A'\n        and «opne",
    "x: |\n        title == 'A'\n        and «opne",
    "x: \"title == \\\n      'A' and «opne\"",
]


@pytest.mark.parametrize("scalar", PLACES)
def test_a_finding_points_into_scalars_of_every_style(tmp_path: Path, scalar: str) -> None:
    text = f"tables:\n  extra:\n    id: 50\n    index:\n      from: issues\n      key: [project_id, number]\n      {scalar}"
    check_case(tmp_path, Case("unknown-name", text.replace("x: ", "when: ")))


@pytest.mark.parametrize(
    ("step", "whole"),
    [
        ("{let: {a: «min(1, b: 2)}}", "min(1, b: 2)"),
        ("{let: {a: «max(number, 3) + 1, b: 1}}", "max(number, 3) + 1"),
        ("{let: {a: «concat('(', 'b')}}", "concat('(', 'b')"),
        ("{remove: {from: issues, at: [project_id, «max(number, 3)]}}", "max(number, 3)"),
        ("{let: {a: number}, when: «max(number, 1) in [1, 2]}", "max(number, 1) in [1, 2]"),
    ],
)
def test_a_text_that_ends_at_a_comma_of_yaml_says_so_and_no_more(
    tmp_path: Path, step: str, whole: str
) -> None:
    check_case(tmp_path, Case("cut-text", steps(step), f'quote the whole text: "{whole}"'))

    assert len(findings(tmp_path)) == 1


def test_every_text_that_ends_at_a_comma_is_told(tmp_path: Path) -> None:
    write(tmp_path, steps("{let: {a: min(1, 2)}}\n{let: {b: min(3, 4)}}"))

    assert [found.code for found in findings(tmp_path)] == ["cut-text", "cut-text"]


def test_a_bracket_in_a_text_opens_nothing(tmp_path: Path) -> None:
    write(tmp_path, steps("{let: {a: projects(project_id).name == '(', b: 1}}"))

    assert [found.code for found in findings(tmp_path)] == []


def test_text_with_quotes_and_comment_signs_survives(tmp_path: Path) -> None:
    text = "*/ \"\"\" ''' \\ {{ }} {% raw %} \n \t é 𝄞 # __import__('os')"
    quoted = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    escaped = quoted.replace("\\", "\\\\").replace('"', '\\"')
    yaml = (
        value(f"'{escaped}'")
        + f'    doc: "{text.replace(chr(92), chr(92) * 2).replace(chr(34), chr(92) + chr(34))}"\n'
    )

    extra = accepted(tmp_path, yaml.replace("\n \t", "\\n \\t")).tables["extra"]

    assert isinstance(extra.rule, Index)
    assert extra.rule.value[0].expr.value == text  # type: ignore[union-attr]
    assert extra.doc == " ".join(text.split())


def test_the_mark_of_the_cases_is_no_part_of_the_language() -> None:
    assert not MARK.isascii()
