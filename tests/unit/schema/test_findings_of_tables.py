# ruff: noqa: E501 -- a table reads best with one case a line
"""Types, tables and derived tables: each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, index, steps, table

from pillarbox_codegen.model import Count, Index, Top

MANY = ", ".join(f"f{number}: [{number}, opt<int8>]" for number in range(1, 10))
FLOAT = "tables: {{extra: {{id: 50, key: {{a: int32}}, record: {{b: {{number: 1, type: float64, default: {}}}}}}}}}"

CASES = [
    # types
    Case("type-syntax", table("{id: 50, key: {a: int32}, record: {b: [1, list«]}}"), "expected `<`"),
    Case("type-syntax", table("{id: 50, key: {a: int32}, record: {b: [1, 'list<text>«>']}}"), "cannot follow"),
    Case("type-syntax", table("{id: 50, key: {a: int32}, record: {b: [1, 'list<«>']}}"), "name of a type"),
    Case("type-syntax", table("{id: 50, key: {a: int32}, record: {b: [1, 'list<«>']}}"), "such as `int64`"),
    Case("type-syntax", table("{id: 50, key: {a: int32}, record: {b: [1, 'list<text«']}}"), "`list` is written as list<text>"),
    Case("type-syntax", table("{id: 50, key: {a: int32}, record: {b: [1, 'map<text«>']}}"), '"map<text, int64>"'),
    Case("range", table("{id: «9999999999999999999999, key: {a: int32}}"), "numbers here go from 0 to 65535"),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, record: {b: [«1.5, text]}}"), "write a decimal number"),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, record: {b: [«true, text]}}"), "write a decimal number"),
    Case("unknown-type", table("{id: 50, key: {a: «userid}, record: {b: [1, text]}}"), "did you mean `UserId`?"),
    Case("unknown-type", table("{id: 50, key: {a: int32}, record: {b: [1, list<«Staet>]}}"), "did you mean `State`?"),
    Case("unknown-type", table("{id: 50, key: {a: int32}, record: {b: [1, «string]}}"), "did you mean `text`?"),
    Case("unknown-type", table("{id: 50, key: {a: int32}, record: {b: [1, «Picture]}}"), "case of Media"),
    Case("unknown-type", table("{id: 50, key: {a: int32}, record: {b: [1, «issues]}}"), "row<issues>"),
    Case("unknown-table", table("{id: 50, key: {a: int32}, record: {b: [1, row<«isues>]}}"), "did you mean `issues`?"),
    Case("bad-type", table("{id: 50, key: {a: int32}, record: {b: [1, «opt<opt<text>>]}}"), "write `opt` once"),
    Case("bad-type", table("{id: 50, key: {a: int32}, record: {b: [1, «'map<float64, text>']}}"), "key of a map"),
    Case("bad-type", table("{id: 50, key: {a: «float64}}"), "part of a key"),
    Case("bad-type", table("{id: 50, key: {a: «opt<int32>}}"), "never absent"),
    Case("bad-type", table("{id: 50, key: {a: «Link}}"), "part of a key"),
    Case("bad-type", "types:\n  P: {packed: int64, parts: {a: {type: «text, bits: 3}}}", "packed id"),
    Case("too-deep", table("{id: 50, key: {a: int32}, record: {b: [1, «" + "list<" * 9 + "text" + ">" * 9 + "]}}")),
    Case("endless-type", "types:\n  «A: {record: {b: [1, B]}}\n  B: {record: {a: [1, A]}}", "A holds B holds A"),
    Case("endless-type", "types:\n  «A: {record: {b: [1, B]}}\n  B: {union: {C: [1, {a: [1, A]}]}}", "A holds B holds A"),
    Case("endless-type", "types:\n  «B: {union: {C: [1, {b: [1, B]}], D: [2, {b: [1, B]}]}}", "B holds B"),
    Case("endless-type", "types:\n  X: {record: {a: [1, A]}}\n  «A: {record: {a: [1, A]}}", "A holds A"),
    Case("bad-type", "tables:\n  «extra: {id: 50, key: {a: int32}, record: {b: [1, row<extra>]}}", "`b` is stored in `extra`"),
    Case("bad-type", "types:\n  «A: {union: {C: [1, {c: [1, list<row<issues>>]}]}}\ntables:\n  extra: {id: 50, key: {a: int32}, record: {b: [1, opt<A>]}}", "`c` is stored in `extra`"),
    Case("packed-id", "types:\n  P: {packed: int64, parts: «{a: {type: int64, bits: 60}, b: {type: int8, bits: 4}}}"),
    Case("packed-id", "types:\n  P: {packed: int64, parts: {a: {type: State, bits: «1}}}", "give it 2"),
    Case("packed-id", "types:\n  Sign: {enum: {minus: -1, plus: 1}, type: int8}\n  P: {packed: int64, parts: {a: {type: Sign, bits: «4}}}", "negative ones never fit: take an int"),
    Case("packed-id", "types:\n  P: {packed: int64, parts: {a: {type: int8, bits: «9}}}", "never fills"),
    Case("packed-id", "types:\n  P: {packed: int64, parts: {a: {type: uint8, bits: «9}}}", "never fills 9 bits"),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: State, default: «shut}}}"), "closed"),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: text, default: «5}}}"), "quotes"),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: Flags, default: [locked, «x]}}}")),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: list<text>, default: «[a]}}}"), "[]"),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: Link, default: «{}}}}"), "literal"),
    Case("range", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: int8, default: «128}}}"), "-128 to 127"),
    Case("default", FLOAT.format("«.nan"), "in digits with a point"),
    Case("default", FLOAT.format("«.NaN"), "nor NaN"),
    Case("default", FLOAT.format("«.inf"), "cannot be infinite"),
    Case("default", FLOAT.format("«-.inf"), "cannot be infinite"),
    Case("default", FLOAT.format("«1e400"), "0.5"),
    # layouts and sequences
    Case("layout", table("{id: 50, key: {a: int32}, record: {b: [1, list<text>]}, layout: «packed}"), "cannot hold"),
    Case("layout", table("{id: 50, key: {a: int32}, record: {" + MANY + "}, layout: «packed}"), "room for 8"),
    Case("layout", table("{id: 50, key: {a: int32}, layout: «packed}"), "without a record"),
    Case("layout", table("{id: 50, key: {a: int32}, record: {b: [1, text]}, layout: «empty}")),
    Case("layout", "tables:\n  extra:\n    id: 50\n    «index: {from: issues, key: [project_id, number], value: {all: labels}}"),
    Case("unknown-sequence", table("{id: 50, key: {a: {type: int32, fill: «number}}}"), "did you mean `numbers`?"),
    Case("unknown-sequence", table("{id: 50, key: {a: {type: int32, fill: «qwertz}}}"), "declare it in `sequences:`"),
    Case("unknown-sequence", table("{id: 50, key: {a: int32}, record: {b: [1, text], c: {number: 2, type: text, fill: «b}}}"), "write `fill: (b)`"),
    Case("fill", table("{id: 50, key: {project_id: ProjectId, a: {type: int64, fill: «numbers}}}"), "gives int32"),
    Case("fill", table("{id: 50, key: {a: {type: int32, fill: «numbers}}}"), "counts per `project_id`"),
    Case("fill", "types:\n  A: {record: {b: {number: 1, type: int32, «fill: numbers}}}", "only fields of tables"),
    Case("name-taken", "sequences:\n  s: {id: 50, type: int32, per: {a: int32, «next: int32}}", "a field `next`"),
    Case("name-taken", "sequences:\n  s: {id: 50, type: int32, intern: text, per: {«number: int32}}", "a field `number`"),
    Case("name-taken", "sequences:\n  s: {id: 50, type: int32, intern: text, per: {«value: int32}}", "a field `value`"),
    Case("name-taken", "cursors:\n  s: {id: 50, per: {«seq: int32}, parts: {seq: {kind: counter, number: 1}}}", "a field `seq`"),
    Case("fill", "sequences:\n  s: {id: 50, type: int32, per: {a: {type: int32, «fill: numbers}}}", "means nothing here"),
    # what derived tables are made from
    Case("unknown-table", index("{from: «isues, key: [number]}"), "did you mean `issues`?"),
    Case("derived-source", index("{from: «numbers, key: [project_id]}"), "table of a sequence"),
    Case("derived-source", index("{from: «account, key: [rev]}"), "table of a cursor"),
    Case(
        "cycle",
        "tables:\n  a: {id: 50, index: {from: b, key: [number]}}\n  b: {id: 51, index: {from: «a, key: [number]}}",
        "a <- b <- a",
    ),
    Case("cycle", index("{from: «extra, key: [number]}"), "extra <- extra"),
    # index
    Case("index-key", index("{from: issues, key: «[number, state]}"), "lacks `project_id` of issues"),
    Case("index-key", index("{from: issues, unique: true, key: «[title]}"), "add it to `value`"),
    Case("identity", index("{from: issues, unique: identity, «when: state == open, key: [project_id, number]}")),
    Case("identity", index("{from: issues, unique: identity, «each: {l: labels}, key: [project_id, number]}")),
    Case(  # what names a row by it is not told that it names no key
        "identity",
        "types: {Named: {record: {label: [1, text]}}}\n"
        "tables:\n  a: {id: 50, key: {n: ProjectId}, record: {label: [1, text]}}\n"
        "  b: {id: 51, index: {from: a, unique: identity, «when: label != '', key: [label], value: {n: n}}}\n"
        + steps("{remove: {from: a, at: who}}", "{who: [1, Named]}"),
    ),
    Case("identity", index("{from: «by_state, unique: identity, key: [project_id, number], value: {state: state, updated: updated}}")),
    Case(
        "identity",
        "tables:\n  a: {id: 50, key: {n: int32}, record: {name: [1, text], "
        "folded: {number: 2, type: text, fill: concat(tokens(name))}}}\n"
        "  b: {id: 51, index: {from: a, unique: identity, key: «[folded], value: {n: n}}}",
        "`folded` is computed",
    ),
    Case(
        "identity",
        "tables:\n  a: {id: 50, index: {from: issues, unique: identity, key: [project_id, number]}}\n"
        "  b: {id: 51, index: {from: issues, «unique: identity, key: [number, project_id]}}",
        "`a` already",
    ),
    Case("bad-type", index("{from: issues, key: [project_id, «assignee_id, number]}"), "leave such rows out"),
    Case("bad-type", index("{from: issues, key: [project_id, number, {all: «links}]}")),
    Case("missing-key", index("{from: issues, key: [project_id, number, «updated + 1]}"), "{name: expression}"),
    Case("missing-key", index("{from: issues, key: [project_id, number, {n: «{desc: true}}]}"), "needs `of`"),
    Case("wrong-shape", index("{from: issues, key: [project_id, number, {n: {of: updated, desc: «[]}}]}"), "write `true` or `false`"),
    Case("wrong-shape", index("{from: issues, key: [project_id, number, {n: {of: updated, desc: «'true'}}]}"), "without quotes"),
    Case("wrong-shape", index("{from: issues, key: [project_id, number, {n: {of: updated, desc: «no}}]}"), "write `true` or `false`"),
    Case("unknown-key", index("{from: issues, key: [project_id, number, {n: {of: updated, «dsc: true}}]}"), "`desc`"),
    Case("wrong-shape", index("{from: issues, key: [project_id, «{number: number, state: state}]}"), "one name"),
    Case("wrong-shape", index("{from: issues, key: [project_id, «{number: number, desc: true}]}"), "{name: {of: expression, desc: true}}"),
    Case("name-taken", index("{from: issues, key: «[project_id, number, number]}"), "two key parts"),
    Case("name-taken", index("{from: issues, key: [project_id, number], value: {«number: updated}}"), "key part"),
    Case("name-taken", index("{from: issues, each: {«labels: labels}, key: [project_id, number]}"), "field of the row"),
    Case("type", index("{from: issues, each: {t: «title}, key: [project_id, number]}"), "takes a list"),
    Case("maybe-none", "tables:\n  p: {id: 50, key: {a: int32}, record: {b: [1, opt<list<text>>]}}\n"
         "  extra: {id: 51, index: {from: p, each: {t: «b}, key: [a]}}"),
    Case("lookup", index("{from: issues, when: «projects(project_id) is present, key: [project_id, number]}"), "one row"),
    # count
    Case("type", table("{id: 50, count: {from: issues, group: [project_id], sum: {n: «title}}}"), "expected int64"),
    Case("type", table("{id: 50, count: {from: issues, group: [project_id], sum: {n: number «> 5}}}"), "write `if CONDITION then 1 else 0`"),
    Case("name-taken", table("{id: 50, count: {from: issues, group: [project_id], sum: {«project_id: 1}}}")),
    # top
    Case("top-key", table("{id: 50, top: {of: issues, group: [«number]}}"), "does not go on with"),
    Case("top-key", table("{id: 50, top: {of: issues, group: «[project_id, number]}}"), "group of its own"),
    Case("top-key", table("{id: 50, top: {of: by_state, group: [project_id], «across: {state: [open]}}}"), "`order`"),
    Case("top-key", table("{id: 50, top: {of: by_state, group: [project_id], across: {«updated: [1]}, order: [number]}}")),
    Case("top-key", table("{id: 50, top: {of: by_state, group: [project_id], across: {state: [open]}, order: «[number, updated]}}")),
    Case("top-key", table("{id: 50, top: {of: by_state, group: [project_id], across: {state: [open]}, order: [«title]}}"), "name updated, number, in this order"),
    Case("top-key", table("{id: 50, top: {of: issues, group: [project_id], «first: 3}}"), "`fold`"),
    Case("type", table("{id: 50, top: {of: by_state, group: [project_id], across: {state: «[]}, order: [updated, number]}}")),
    Case("unknown-name", table("{id: 50, top: {of: by_state, group: [project_id], across: {state: [«opn]}, order: [updated, number]}}")),
    Case("one-of", table("{id: 50, top: {of: issues, group: [project_id], first: 2, fold: {n: count(true)}, «value: {t: title}}}")),
    Case("name-taken", table("{id: 50, top: {of: issues, group: [project_id], first: 2, fold: {«project_id: count(true)}}}")),
    Case("syntax", table("{id: 50, top: {of: issues, group: [project_id], first: 2, fold: {n: «updated}}}"), "a fold is a call"),
    Case("type", table("{id: 50, top: {of: issues, group: [project_id], first: 2, fold: {n: sum(«title)}}}")),
    Case("type", table("{id: 50, top: {of: issues, group: [project_id], first: 2, fold: {n: max(«flags)}}}"), "no order"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text[:70]!r}")
def test_the_finding_is_at_its_mark(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_derived_table_gets_its_key_and_fields_from_its_rule(tmp_path: Path) -> None:
    text = index(
        "{from: issues, each: {l: labels}, key: [project_id, {label: l}, {updated: {of: updated, desc: true}}, number], value: {assignee: assignee_id}}"
    )

    extra = accepted(tmp_path, text).tables["extra"]

    assert [(part.name, part.desc) for part in extra.key] == [
        ("project_id", False), ("label", False), ("updated", True), ("number", False),
    ]  # fmt: skip
    assert [(field.number, field.name, field.has_default) for field in extra.fields] == [
        (1, "assignee", True)
    ]
    assert (extra.layout, extra.role) == ("packed", "derived")
    assert isinstance(extra.rule, Index)
    assert extra.rule.unique == "no"


def test_a_condition_that_a_value_is_present_makes_it_fit_for_a_key(tmp_path: Path) -> None:
    text = index("{from: issues, when: assignee_id is present, key: [assignee_id, project_id, number]}")

    extra = accepted(tmp_path, text).tables["extra"]

    assert extra.key[0].type.name == "UserId"  # type: ignore[union-attr]
    assert extra.layout == "empty"


def test_a_count_sums_int64(tmp_path: Path) -> None:
    text = table("{id: 50, count: {from: issues, group: [], sum: {n: 1, tiny: small}}}")

    extra = accepted(tmp_path, text).tables["extra"]

    assert isinstance(extra.rule, Count)
    assert extra.key == ()
    assert [field.name for field in extra.fields] == ["n", "tiny"]


def test_a_top_keeps_the_rest_of_the_key_of_its_first_row(tmp_path: Path) -> None:
    text = table(
        "{id: 50, top: {of: by_state, group: [project_id], across: {state: seeds.counted}, order: [updated, number], value: {twice: number + number}}}"
    )

    extra = accepted(tmp_path, text).tables["extra"]

    assert isinstance(extra.rule, Top)
    assert len(extra.rule.across[0].values) == 2
    assert [field.name for field in extra.fields] == ["state", "updated", "number", "twice"]


def test_derived_tables_come_after_their_sources_whatever_the_order_of_files(tmp_path: Path) -> None:
    text = "tables:\n  a: {id: 50, index: {from: b, key: [number, project_id]}}\n  b: {id: 51, index: {from: issues, key: [project_id, number]}}"

    tables = accepted(tmp_path, text).tables

    assert [part.name for part in tables["a"].key] == ["number", "project_id"]
