# ruff: noqa: E501 -- a table reads best with one case a line
"""Facets, bags, patches, upserts, computed fields, and the plain steps: each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, index, steps, value, when

from pillarbox_codegen.model import (
    BagOf,
    Bump,
    IfStep,
    Keep,
    KeepCase,
    KeepFlags,
    MatchStep,
    PatchStep,
    PatchType,
    RemoveStep,
    Scan,
    UnionType,
)


def facet(body: str) -> str:
    return f"types:\n  Mark:\n    union: {{Round: [1, {{size: [1, int32], name: [2, text]}}], Flat: [2, {{}}]}}\n    facets: {{{body}}}\n"


def marked(body: str, more: str = "") -> str:
    """A table with a bag and rules."""
    return (
        "types:\n  Mark: {union: {Round: [1, {size: [1, int32]}], Flat: [2, {}]}}\n"
        "  PatchExtra: {patch: extra}\n"
        "tables:\n  extra:\n    id: 50\n    key: {a: int32}\n"
        "    record: {marks: [1, bag<Mark>], flags: {number: 2, type: Flags, default: 0}, n: [3, opt<int32>], state: [4, State], mark: [5, Mark], count: [6, uint8], link: [7, opt<Link>]}\n"
        f"    {body}\n{more}"
    )


def rules(body: str) -> str:
    return marked(f"upsert: [{body}]")


def on_marks(body: str) -> str:
    """Steps over that table."""
    return marked(
        "",
        steps(
            body,
            "{a: [1, int32], m: [2, Mark], o: [3, opt<Mark>], changes: [4, PatchExtra], s: [5, State], all: [6, list<int32>]}",
        ),
    )


def on_many(body: str) -> str:
    """Steps over a value of fourteen."""
    values = ", ".join(f"v{number}: {number}" for number in range(14))
    return f"types:\n  Wide: {{enum: {{{values}}}}}\n" + steps(body, "{w: [1, Wide]}")


def put_keeps(body: str) -> str:
    return on_marks(f"{{put: {{into: extra, row: {{a: a, state: s, mark: m, count: 1}}, keep: [{body}]}}}}")


def patch(body: str) -> str:
    return on_marks(f"{{patch: {{table: extra, at: a, {body}}}}}")


def filled(body: str, more: str = "") -> str:
    return (
        "sequences:\n  names: {id: 60, type: int32, intern: text, per: {}}\n"
        f"tables:\n  extra: {{id: 50, key: {{a: int32}}, record: {{t: [1, text], ts: [2, list<text>], {body}}}}}\n{more}"
    )


CASES = [
    # facets
    Case("name-taken", facet("«flat: {type: bool, of: {}}"), "a case of Mark"),
    Case("name-taken", facet("name: {type: text, «of: {}}"), "a field `name` of its own"),
    Case("unknown-name", facet("big: {type: int32, of: {«Rond: size}}"), "did you mean `Round`?"),
    Case("type", facet("big: {type: int32, of: {Round: «name}}"), "expected int32"),
    Case("no-default", facet("other: {type: «Mark, of: {}}"), "opt<Mark>"),
    Case("unknown-name", facet("big: {type: int32, of: {Flat: «size}}"), "there is no `size`"),
    # bags, patches
    Case("bad-type", "types:\n  Odd: {record: {a: [1, bag<«Link>]}}\n", "a union"),
    Case("unknown-type", "types:\n  Odd: {record: {a: [1, «Row]}}\n", "did you mean `row<..>`?"),
    Case("unknown-type", "types:\n  Odd: {record: {a: [1, bag<«Lnk>]}}\n", "did you mean `Link`?"),
    Case("unknown-table", "types:\n  Odd: {patch: «isues}\n", "did you mean `issues`?"),
    Case("unknown-table", "types:\n  Odd: {patch: «zz}\n", "declare it"),
    Case("bad-type", "types:\n  Odd: {patch: «Media}\n", "no record"),
    Case("read-only", "types:\n  Odd: {patch: «by_state}\n", "not written"),
    # paths
    Case("unknown-field", when("media.«width == 1"), "ask `is Picture` before"),
    Case("unknown-field", when("media is Document and media.«width == 1"), "Picture"),
    Case("unknown-field", when("not media is Picture and media.«width == 1"), "Picture"),
    # upsert
    Case("unknown-field", rules("{keep: [«mark_s]}"), "did you mean `marks`?"),
    Case("step", rules("{keep: [«a]}"), "both rows share"),
    Case("type", rules("{bump: «n}"), "counts in a number"),
    Case("fill", rules("{fill: «count}"), "no sequence"),
    Case("unknown-name", rules("{flags: «[lock]}"), "no fields"),
    Case("unknown-name", rules("{flags_of: flags, bits: [«lockd]}"), "did you mean `locked`?"),
    Case("type", rules("{flags_of: «n}"), "not flags"),
    Case("syntax", rules("{case: «marks}"), "field.case_name"),
    Case("unknown-name", rules("{case: marks.«rond}"), "did you mean `round`?"),
    Case("type", rules("{case: «n.round}"), "no cases"),
    Case("type", rules("{keep: [n], when: «new.n}"), "expected bool"),
    Case("lookup", rules("{keep: [n], when: «projects(1) is present}"), "the two rows only"),
    Case("one-of", rules("{keep: [n], «bump: count}"), "keep and bump"),
    Case("unknown-name", put_keeps("{case: mark.«rund}"), "did you mean `round`?"),
    Case("unknown-key", put_keeps("{«keep: [n]}"), "it has one of `fields`"),
    # match
    Case("step", on_marks("{«match: m, round: []}"), "said of `flat`"),
    Case("step", on_many("{«match: w, v0: []}"), "`v11`, `v12` and 1 more"),
    Case("step", on_marks("{match: s, open: [], waiting: [], closed: [], «other: []}"), "leave `other` out"),
    Case("step", on_marks("{«match: o, round: [], flat: []}"), "said of `none`"),
    Case("unknown-name", on_marks("{match: m, «rond: [], other: []}"), "did you mean `round`?"),
    Case("type", on_marks("{match: «a, other: []}"), "found int32"),
    Case("unknown-field", on_marks("{match: m, flat: [{require: m.«size > 1}], other: []}"), "Round"),
    Case("wrong-shape", on_marks("{match: m, round: «3, other: []}"), "a list"),
    # patches
    Case("one-of", patch("with: changes, «set: {n: 1}"), "the whole patch"),
    Case("type", patch("with: «a"), "expected PatchExtra"),
    Case("unknown-field", patch("set: {marks.«rond: none}"), "did you mean `round`?"),
    Case("unknown-field", patch("set: {link.«ul: \"'x'\"}"), "did you mean `url`?"),
    Case("unknown-field", patch("set: {n.«x: 1}"), "has no part"),
    Case("name-taken", patch("set: {link: none, «link.url: \"'x'\"}"), "changed twice"),
    Case("unknown-field", patch('with: "make(PatchExtra, «nn: 1)"'), "to change"),
    Case("type", patch('with: "make(PatchExtra, mark: max(«1))"'), ""),
    Case("type", patch('with: "make(PatchExtra, state: «unset)"'), "has no `unset`"),
    # remove
    Case("step", on_marks("{remove: «{from: extra, at: a, under: a}}"), "one of `at`, `under` and `between`"),
    Case("key-parts", on_marks('{remove: {from: extra, between: «["[]", a]}}'), "two ends"),
    Case("wrong-shape", on_marks("{remove: {from: extra, between: «[a]}}"), ""),
    Case("type", on_marks("{remove: {from: projects, at: «all}}"), "ProjectId"),
    # scans
    Case("unknown-table", on_marks("{let: {x: '«a.prefix([])'}}"), "by its name"),
    Case("key-parts", on_marks("{let: {x: 'extra.prefix(«[a])'}}"), "the whole key"),
    Case("arguments", on_marks("{let: {x: '«extra.prefix()'}}"), "first parts of a key"),
    Case("lookup", when("size(«projects.prefix([])) > 1"), "cannot be read here"),
    Case("type", on_marks("{let: {x: 'floor(«all, 1)'}}"), "rows under a prefix"),
    Case("key-parts", on_marks("{let: {x: 'floor(extra.prefix([]), «[])'}}"), "nothing to look near"),
    Case("arguments", on_marks("{let: {x: «spans(all)}}"), "by: [fields]"),
    Case("type", on_marks("{let: {x: 'spans(«all, by: a, of: a)'}}"), "rows or records"),
    Case("type", value("tokens(«number)"), "expected text"),
    Case("arguments", value("«encoded()"), "has 0 arguments"),
    Case("arguments", value("«changed(number)"), "takes one value, then named ones"),
    Case("type", value("changed(«number, a: 1)"), "a row, record, case or bag"),
    Case("type", value("having(«number, a: 1)"), "a list of what has fields"),
    Case(
        "unknown-field",
        on_marks("{let: {x: 'without(projects.prefix([]), «nope: 1)'}}"),
        "has no field `nope`",
    ),
    # each, fill
    Case(
        "step",
        on_marks(
            "{put: {into: extra, row: {a: a, state: s, mark: m, count: 1}}, each: 'all as x, all as y', «as: z}"
        ),
        "more than one loop",
    ),
    Case("fill", filled("x: {number: 3, type: int32, fill: «names}"), "say to which"),
    Case("fill", filled("x: {number: 3, type: int64, fill: «names(t)}"), "make both the same type"),
    Case("fill", filled("x: {number: 3, type: int32, fill: «names(each ts)}"), "a list of int32"),
    Case("type", filled("x: {number: 3, type: int32, fill: names(«a)}"), "expected text"),
    Case("unknown-name", filled("x: {number: 3, type: int32, fill: «b + 1}"), "there is no `b`"),
    Case(
        "unknown-name",
        filled("x: {number: 3, type: int32, fill: a + 1}, y: {number: 4, type: int32, fill: «x + 1}"),
        "there is no `x`",
    ),
    Case(
        "step",
        filled(
            "x: {number: 3, type: int32, fill: a + 1}",
            steps("{patch: {table: extra, at: number, set: {«x: 1}}}"),
        ),
        "follows from",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text[-70:]}")
def test_the_finding_is_at_its_mark(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_what_the_types_say_is_in_the_schema(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path,
        rules(
            "{keep: [n], when: old is present and new.n is none}, {flags: [locked]}, {case: marks.round}, {bump: count}"
        ),
    )

    union, patch_type = schema.types["Mark"], schema.types["PatchExtra"]
    assert isinstance(union, UnionType)
    assert isinstance(patch_type, PatchType)
    assert [field.name for field in patch_type.fields] == [
        "marks",
        "flags",
        "n",
        "state",
        "mark",
        "count",
        "link",
    ]
    assert isinstance(schema.tables["extra"].fields[0].type, BagOf)
    kept, flags, case, bump = schema.tables["extra"].upsert
    assert isinstance(kept, Keep)
    assert kept.when is not None
    assert flags == Keep((KeepFlags("flags", 1),))
    assert case == Keep((KeepCase("marks", "Round"),))
    assert bump == Bump("count")


def test_a_step_with_two_lists_is_a_step_in_a_step(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path, on_marks("{remove: {from: extra, at: y}, each: 'all as x, [x, 7] as y', when: x > y}")
    )

    (outer,) = schema.operations["act"].steps
    assert isinstance(outer, IfStep)
    (inner,) = outer.then
    assert isinstance(inner, RemoveStep)
    assert inner.mods.each is not None
    assert (outer.mods.each and outer.mods.each.name, inner.mods.each.name) == ("x", "y")


def test_a_case_opens_its_fields_in_a_branch_and_behind_a_condition(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path,
        on_marks(
            "{match: m, round: [{require: m.size > 1}], flat: []}\n"
            "{if: o is Round and o.size > 1, then: [{patch: {table: extra, at: o.size, set: {mark: o}}}]}\n"
            "{require: m is Round}\n"
            "{patch: {table: extra, at: m.size, with: changes}}\n"
            "{remove: {from: extra, between: ['1', m.size]}}\n"
            "{let: {x: 'last(extra.prefix([]))', y: 'floor(extra.prefix([]), a)'}}"
        ),
    )

    match, _, _, patch_step, remove, let = schema.operations["act"].steps
    assert isinstance(match, MatchStep)
    assert isinstance(patch_step, PatchStep)
    assert patch_step.given is not None
    assert isinstance(remove, RemoveStep)
    assert remove.upper is not None
    assert [one.expr.end for one in let.names if isinstance(one.expr, Scan)] == ["last", "floor"]  # type: ignore[union-attr]


def test_what_may_be_more_than_all_that_is_known_may_have_another_branch(tmp_path: Path) -> None:
    """A newer package may know more cases of a union; of flags several may be set, or none."""
    body = "{match: m, round: [], flat: [], other: []}\n{match: f, locked: [], pinned: [], other: []}"

    schema = accepted(tmp_path, marked("", steps(body, "{m: [1, Mark], f: [2, Flags]}")))

    one, two = schema.operations["act"].steps
    assert isinstance(one, MatchStep)
    assert isinstance(two, MatchStep)
    assert (one.other, two.other) == ((), ())


def test_facets_and_cases_make_keys(tmp_path: Path) -> None:
    accepted(
        tmp_path, index("{from: issues, when: media is Picture, key: [project_id, number, {w: media.width}]}")
    )
    accepted(
        tmp_path,
        index(
            "{from: issues, when: media.picture is present, key: [project_id, number, {w: media.picture.width}]}"
        ),
    )
