# ruff: noqa: E501 -- a table reads best with one case a line
"""Lists, ranges, `replace` and seeds of groups: each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, parts, steps

from pillarbox_codegen.model import ItemList, Ranges

TABLES = """\
tables:
  board: {id: 60, list: {group: {project_id: ProjectId, column: int16}, item: {number: int32}, record: {note: [1, text], stars: {number: 2, type: uint8, default: 0}}, places: {id: 61}}}
  recent: {id: 62, list: {group: {}, item: {project_id: ProjectId, number: int32}, places: {id: 63}}}
  holes: {id: 64, ranges: {group: {project_id: ProjectId, number: int32}, space: {tag: uint8}, over: {comment: int32}, seeded: {id: 65}}}
  stretches: {id: 66, ranges: {group: {}, over: {at: int64, number: int32}}}
"""


def list_(body: str) -> str:
    return f"tables:\n  extra: {{id: 50, list: {body}}}\n"


def ranges(body: str) -> str:
    return f"tables:\n  extra: {{id: 50, ranges: {body}}}\n"


def step(body: str) -> str:
    return TABLES + steps(
        body,
        "{project_id: [1, ProjectId], number: [2, int32], numbers: [3, list<int32>], issues: [4, list<row<issues>>]}",
    )


def seeds(body: str) -> str:
    return TABLES + f"seeds:\n  {body}\n"


AT = "at: '[project_id, number]', space: 1"
CARD = "list: board, group: '[project_id, 1]'"

CASES = [
    Case("range", list_("{group: {}, item: {n: int32}, places: {id: 51}, limit: «-1}"), "write 0 or more"),
    Case("bad-type", ranges("{group: {}, over: {name: «text}}"), "ranges are of numbers"),
    Case("bad-type", ranges("{group: {}, over: {late: «bool}}"), "`late` is bool"),
    Case("fill", ranges("{group: {}, over: «{n: {type: int32, fill: numbers}}}"), "means nothing here"),
    Case("range", ranges("{group: {}, over: {n: int32}, from: 5, to: «4}"), "comes after `to`"),
    Case(
        "range",
        ranges("{group: {}, over: {n: {type: int32, desc: true}}, from: 4, to: «5}"),
        "comes after `to`",
    ),
    Case("range", ranges("{group: {}, over: {n: int8}, to: «200}"), "does not fit"),
    Case("type", ranges("{group: {}, over: {n: int32}, from: «1 + 1}"), "not a constant"),
    Case("key-parts", ranges("{group: {}, over: {n: int32, m: int32}, from: «1}"), "2 parts"),
    Case("step", ranges("{group: {p: int32}, over: {n: int32}, spread: «{from: 0, into: 1}}"), "no space"),
    Case(
        "lookup",
        ranges(
            "{group: {p: ProjectId}, space: {s: int32}, over: {n: int32}, spread: {from: 0, into: 1, when: «projects(p) is present}}"
        ),
        "from the group alone",
    ),
    Case("bad-type", ranges("{group: {slug: «Slug}, over: {n: int32}, seeded: {id: 51}}"), "fixed width"),
    Case("name-taken", ranges("{group: {«upper: int32}, over: {n: int32}}"), "`upper` and `lower`"),
    Case("name-taken", ranges("{group: {p: int32}, space: {«p: int32}, over: {n: int32}}")),
    Case("number-taken", ranges("{group: {}, over: {n: int32}, seeded: {id: «50}}"), "table id 50"),
    Case(
        "name-taken", list_("{group: {«position: int32}, item: {n: int32}, places: {id: 51}}"), "side by side"
    ),
    Case("name-taken", list_("{group: {n: int32}, item: {«n: int32}, places: {id: 51}}")),
    Case("name-taken", list_("{group: {}, item: {n: int32}, record: {«n: [1, text]}, places: {id: 51}}")),
    Case(
        "type",
        list_("{group: {name: text}, item: {n: int32}, limit: «name, places: {id: 51}}"),
        "expected int64",
    ),
    Case(
        "name-taken",
        "tables:\n  extra: {id: 50, list: {group: {}, item: {n: int32}, places: {id: 51}}}\n  «extra_places: {id: 52, key: {n: int32}}\n",
        "rename one",
    ),
    Case("word", step("{place: {list: «issues, item: 1, at: end}}"), "no list"),
    Case(
        "key-parts",
        step("{place: «{list: board, item: 1, at: end, record: {note: \"'x'\"}}}"),
        "project_id, column",
    ),
    Case(
        "key-parts", step("{place: {list: recent, «group: 1, item: '[project_id, 1]', at: end}}"), "one list"
    ),
    Case("key-parts", step("{place: {list: recent, item: «number, at: end}}"), "2 parts"),
    Case("missing-key", step(f"{{place: «{{{CARD}, item: number, at: end}}}}"), "needs `note`"),
    Case(
        "missing-key",
        step(f"{{place: {{{CARD}, item: number, at: end, record: «{{stars: 1}}}}}}"),
        "need `note`",
    ),
    Case(
        "unknown-field",
        step(f"{{place: {{{CARD}, item: number, at: end, record: {{note: \"'x'\", «star: 1}}}}}}"),
        "did you mean `stars`?",
    ),
    Case(
        "type",
        step(f"{{place: {{{CARD}, item: number, at: number «== 1, record: {{note: \"'x'\"}}}}}}"),
        "expected int64",
    ),
    Case("step", step(f"{{reorder: {{{CARD}, items: numbers, «else: []}}}}"), "same_set"),
    Case("one-of", step(f"{{reorder: {{{CARD}, items: numbers, same_set: true, «first: true}}}}")),
    Case("key-parts", step("{reorder: {list: recent, items: «numbers}}"), "each: LIST as name"),
    Case("missing-key", step("{reorder: {list: recent, items: «{item: '[project_id, 1]'}}}"), "`each`"),
    Case(
        "unknown-key",
        step("{reorder: {list: recent, items: {each: numbers as n, «row: {number: n}}}}"),
        "`item:`",
    ),
    Case(
        "missing-key",
        step("{replace: {table: board, under: '[project_id, 1]', rows: «numbers}}"),
        "need `note`",
    ),
    Case(
        "wrong-shape",
        step("{replace: {table: recent, rows: {each: issues as i, row: «i}}}"),
        "names its fields",
    ),
    Case(
        "read-only",
        step("{replace: {table: «by_state, under: project_id, rows: issues}}"),
        "plain tables and lists",
    ),
    Case("missing-key", step("{replace: «{table: issues, rows: issues}}"), "`under:`"),
    Case(
        "key-parts",
        step("{replace: {table: issues, under: «'[project_id, number]', rows: issues}}"),
        "first parts",
    ),
    Case("type", step("{replace: {table: issues, under: project_id, rows: «numbers}}"), "list<row<issues>>"),
    Case("word", step("{add_range: {table: «issues, range: all}}"), "no table of ranges"),
    Case("key-parts", step("{add_range: «{table: holes, space: 1, range: all}}"), "project_id, number"),
    Case(
        "key-parts", step("{cut_range: «{table: holes, at: '[project_id, number]', range: all}}"), "`space:`"
    ),
    Case("key-parts", step("{cut_range: {table: stretches, «at: 1, range: all}}"), "no group"),
    Case("step", step(f"{{add_range: {{table: holes, {AT}, range: «number}}}}"), "[lower, upper]"),
    Case("key-parts", step("{add_range: {table: stretches, range: '[«1, 2]'}}"), "2 parts"),
    Case("type", step(f"{{add_range: {{table: holes, {AT}, range: '[1, «numbers]'}}}}")),
    Case("step", step("{remove: {from: board, «at: '[project_id, 1, 1]'}}"), "`unplace`"),
    Case("step", step("{remove: «{from: stretches}}"), "`cut_range`"),
    Case("key-parts", step("{remove: {from: holes, under: «project_id}}"), "one by one"),
    Case("key-parts", step("{remove: {from: board, under: «'[project_id, 1, 1]'}}")),
    Case(
        "derived-source",
        TABLES + "  counts: {id: 70, count: {from: «holes, group: [project_id], sum: {n: 1}}}\n",
        "without a seed",
    ),
    Case(
        "part",
        TABLES + parts("all_holes: {scan: holes, prefix: «[project_id], all: true}"),
        "project_id, number",
    ),
    Case("word", seeds("group: {«issues: []}"), "no table of ranges"),
    Case("missing-key", seeds("group: {«stretches: []}"), "`seeded: {id: NUMBER}`"),
    Case("unknown-name", seeds("group: {holes: [{when: «tag == 1, do: []}]}")),
    Case("lookup", seeds("group: {holes: [{when: «projects(project_id) is present, do: []}]}")),
    Case("unknown-key", seeds("group: {holes: [{do: [{«range: all}]}]}"), "a step of a seed"),
    Case("key-parts", seeds("group: {holes: [{do: [{add_range: «{range: all}}]}]}"), "`space:`"),
    Case(
        "number-taken",
        seeds("upgrade: [{number: 2, table: holes, do: []}, {number: «2, table: holes, do: []}]"),
        "greatest number",
    ),
    Case("missing-key", seeds("upgrade: [«{number: 1, table: holes}]"), "`do`"),
    Case("one-of", seeds("upgrade: [{number: 1, rebuild: by_state, «table: holes}]"), "its number"),
    Case("word", seeds("upgrade: [{number: 1, rebuild: «issues}]"), "made again"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text[-120:]!r}")
def test_the_finding_is_at_its_mark(case: Case, tmp_path: Path) -> None:
    check_case(tmp_path, case)


def test_an_edge_of_an_enum_is_stored_as_its_number(tmp_path: Path) -> None:
    schema = accepted(tmp_path, ranges("{group: {}, over: {state: State}, from: waiting}"))

    table = schema.tables["extra"]

    assert isinstance(table.rule, Ranges)
    assert table.rule.start == (1,)
    assert str(table.key[0].type) == "Scalar(name='uint8')"


def test_an_item_comes_before_the_record_of_its_row(tmp_path: Path) -> None:
    schema = accepted(tmp_path, TABLES)

    fields = schema.tables["board"].fields

    assert [(field.number, field.name) for field in fields] == [(1, "number"), (2, "note"), (3, "stars")]
    assert isinstance(schema.tables["board"].rule, ItemList)
    assert schema.tables["board_places"].id == 61
