# ruff: noqa: E501 -- a table reads best with one case a line
"""Keys, words, names and numbers: each finding has its place."""

from __future__ import annotations

import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, findings, parts, steps, table, write
from tests.waiting import SECONDS_MAX

from pillarbox_codegen import shape
from pillarbox_codegen.diagnostics import DIAGNOSTICS_MAX
from pillarbox_codegen.shape import ERRORS_MAX

CASES = [
    # keys and values
    Case("unknown-key", "«tabels: {}", "did you mean `tables`?"),
    Case("unknown-key", table("{id: 50, key: {a: int32}, «recrod: {b: [1, text]}}"), "did you mean `record`?"),
    Case("wrong-shape", table("{id: 50, index: {from: issues, each: «labels as label, key: [label, project_id, number]}}"), "write `{label: labels}`; only steps say"),
    Case("wrong-shape", "types:\n  Sum: {record: {amount: «[int32, 2]}}", "write [2, int32]"),
    Case("wrong-shape", "types:\n  Sum: {union: {Some: «[{amount: [1, int32]}, 7]}}", "write [7, {..}]"),
    Case("wrong-shape", "types:\n  Sum: {record: {amount: [«int32, text]}}", "write a decimal number"),
    Case("wrong-shape", steps("{replace: {table: projects, under: [], rows: «[number]}}"), "that of a list stands in quotes"),
    Case("unknown-key", "types:\n  A: {«enums: {a: 0}}", "did you mean `enum`?"),
    Case("unknown-key", "types:\n  A: {id: int64, doc: One, «and more}", "quote the text before it"),
    Case("cut-text", table("{id: 50, index: {from: issues, when: «min(updated, 0) > 1, key: [state, project_id, number]}}"), 'quote the whole text: "min(updated, 0) > 1"'),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: bool, default: «yes}}}"), "write `true` or `false`"),
    Case("type-syntax", table("{id: 50, key: {a: int32}, record: {b: [1, text«?]}}"), "`opt<..>`"),
    Case("type-syntax", table("{id: 50, key: {a: int32}, record: {b: [1, 'text«[]']}}"), "`list<..>`"),
    Case("unknown-key", steps("{put: {into: projects, «rows: {project_id: 1}, row: {project_id: 1, name: name, owner_id: 1}}}")),
    Case("unknown-key", steps("{«delete: {from: projects, at: project_id}}"), "did you mean `remove`?"),
    Case("unknown-key", steps("{«call_off: {project_id: project_id}}"), "an operation is a step as `do: {call_off: {..}}`"),
    Case("unknown-key", parts("n: {«number: issues}"), "it has one of `get`, "),
    Case("unknown-key", parts("a: {«fetch: projects, at: project_id}"), "did you mean `get`?"),
    Case("missing-key", table("«{key: {a: int32}}"), "needs `id`"),
    Case("missing-key", "requests:\n  ask: «{doc: One}\n", "needs `code` and `answers` add `code:`, `answers:`"),
    Case("missing-key", "types:\n  A: «{doc: Nothing else}", "one of `id`"),
    Case("missing-key", "updates:\n  a: «{code: 1}", "needs `fields`"),
    Case("missing-key", "views:\n  a: {key: {}, parts: «{}}", "is empty"),
    Case("one-of", table("{id: 50, key: {a: int32}, «index: {from: issues, key: [project_id, number]}}")),
    Case("one-of", steps("{let: {a: 1}, «require: true}")),
    Case("one-of", parts("n: {aggregate: «{count: n, sum: row.updated}, of: issues, prefix: []}")),
    Case("wrong-shape", "tables: «[]", "expected a mapping, found a list"),
    Case("wrong-shape", "types:\n  ShopId: «int64", "write `ShopId: {id: int64}`; what is no id is written where it is used"),
    Case("wrong-shape", "tables:«", "found nothing"),
    Case("wrong-shape", "tables:\n  extra:«", "found nothing"),
    Case("wrong-shape", table("{id: 50, count: {from: issues, group: [project], sum: «n}}"), "`name: value`"),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, record: {b: [1, «[text]]}}"), "write it without [ ]; a type that holds several is `list<text>`"),
    Case("wrong-shape", table('{id: «"50", key: {a: int32}}'), "without quotes"),
    Case("wrong-shape", table("{id: «1.0, key: {a: int32}}"), "expected a whole number"),
    Case("wrong-shape", table("{id: «99999999999999999999.0, key: {a: int32}}"), "expected a whole number"),
    Case("wrong-shape", table("{id: 50, key: {a: {type: int32, desc: «yes}}}"), "write `true` or `false`"),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, record: {b: «[1]}}"), "its number, then its type"),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, record: {b: «[1, text, 3]}}"), "such as [1, text]"),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, record: {b: «[1, map<text, int32>]}}"), 'quote the type: [1, "map<text, int32>"]'),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, record: {b: «text}}"), "such as [1, text]"),
    Case("wrong-shape", table("{id: 50, count: {from: issues, group: [project], sum: {n: 1, or more«}}}"), "quote the text before it"),
    Case("wrong-shape", "operations:\n  a: {code: 7, steps: «{emit: {event: closed, number: 1}}}", "put [ ] around it"),
    Case("wrong-shape", parts('a: {scan: issues, prefix: «"[project_id]", all: true}'), "take the quotes off"),
    Case("wrong-shape", "types:\n  A: {enum: «[a, b]}", "`name: value`"),
    # the word stands where its mapping should: what it means there is told
    Case("wrong-shape", steps("{do: «add}"), "write `do: {add: {..}}`"),
    Case("wrong-shape", steps("{do: {add: «x, name: {}}}"), "write `name: value`"),
    Case("wrong-shape", steps("{put: «issues}"), "write `put: {into: issues, ..}`"),
    Case("wrong-shape", steps("{remove: «issues}"), "write `remove: {from: issues}`"),
    Case("wrong-shape", table("{id: 50, index: «issues}"), "write `index: {from: issues, ..}`"),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, record: {b: [1, «2]}}"), "what is meant as text stands in quotes"),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: int32, default: «010}}}"), "in decimal digits"),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: bytes, default: «abc}}}"), "leave `default` out"),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: float64, default: «" + "9" * 400 + ".0}}}"), "it cannot be infinite"),
    Case("default", table("{id: 50, key: {a: int32}, record: {b: {number: 1, type: float64, default: «" + "9" * 400 + "}}}"), "it cannot be infinite"),
    # of a name that is near no other, where it would stand is told
    Case("unknown-table", table("{id: 50, index: {from: «zz, key: [a]}}"), "declare it in `tables:`"),
    Case("unknown-table", table("{id: 50, key: {a: int32}, record: {b: [1, row<«zz>]}}"), "declare it in `tables:`"),
    Case("unknown-type", table("{id: 50, key: {a: «Zz}}"), "declare it in `types:`"),
    Case("unknown-operation", steps("{do: {«zz: {}}}"), "declare it in `operations:`"),
    Case("unknown-constant", steps("{let: {a: seeds.«zz}}"), "declare it in `seeds: {constants: {..}}`"),
    Case("wrong-shape", table("{id: «[], key: {a: int32}}"), "write a decimal number"),
    Case("wrong-shape", table("{id: 50, key: {a: int32}, doc: «{}}"), "write one word, or one expression in quotes"),
    # so long that Python reads them by no other way than one that takes long
    Case("range", table("{id: «" + "9" * 5000 + ", key: {a: int32}}"), "numbers here go from 0 to 65535"),
    # what is no YAML: the hint is about what is likely
    Case("yaml", "tables:\n«\textra: {id: 50}", "indent with blanks"),
    Case("yaml", "tables:\n  extra:\n    id: 50\n   «key: {a: int32}", "begin in one column"),
    Case("duplicate-key", "types: {}\n«types: {}", "keep one of the two, with what both hold"),
    Case("yaml", 'tables:\n  extra: {id: 50, doc: "«\\d"}', "a backslash is written twice"),
    Case("yaml", "types:\n  A: {enum: {a: 0}\n  «B: {id: int64}", "close each bracket"),
    Case("unknown-word", table("{id: 50, key: {a: int32}, storage: «heaps}"), "it must be `clustered` or `heap`"),
    Case("unknown-word", parts("a: {get: projects, at: project_id, or: «nothing}"), "it must be `default`"),
    Case("unknown-word", parts("a: {window: {of: issues, prefix: []}, anchor: «newst, before: 1, after: 1}"), "newest"),
    # kept for later
    Case("not-yet", table("{id: 50, count: {from: issues, group: [project_id], sum: {n: 1}, «with: {}}}")),
    # names
    Case("name", "tables:\n  «Issues2: {id: 50, key: {a: int32}}", "snake_case"),
    Case("name", "tables:\n  «two__parts: {id: 50, key: {a: int32}}", "single underscores"),
    Case("name", "tables:\n  «_hidden: {id: 50, key: {a: int32}}"),
    Case("name", "tables:\n  «first: {id: 50, key: {a: int32}}", "function of expressions"),
    Case("name", "tables:\n  «__import__('os'): {id: 50, key: {a: int32}}"),
    Case("name", "operations:\n  «class: {code: 7, steps: []}", "word of the language"),
    Case("name", "operations:\n  «when: {code: 7, steps: []}", "modifier"),
    Case("name", "types:\n  «issue: {id: int64}", "CamelCase"),
    Case("name", "types:\n  «Exception: {id: int64}", "class of Python"),
    Case("name", table("{id: 50, key: {«on: int32}}"), "YAML readers"),
    Case("name", table("{id: 50, key: {«then: int32}}"), "word of the language"),
    Case("name", table("{id: 50, key: {a: int32}, record: {«é: [1, text]}}")),
    Case("name", table("{id: 50, key: {«" + "a" * 61 + ": int32}}"), "61 characters"),
    Case("name", "events:\n  e: {code: 5, fields: {«event: [1, text]}}"),
    Case("name", "views:\n  a: {key: {}, parts: {n: {value: 1}}}\nitems:\n  b: {view: «A, take: n}", "snake_case"),
    Case("name-taken", "tables:\n  «issues: {id: 50, key: {a: int32}}", "base.yaml:19:3"),
    Case("name-taken", "sequences:\n  «issues: {id: 50, type: int32, per: {}}", "share their names"),
    Case("name-taken", table("{id: 50, key: {a: int32}, record: {«a: [1, text]}}"), "part of the key"),
    Case("class-taken", "tables:\n  «media: {id: 50, key: {a: int32}}", "class Media"),
    Case("class-taken", "operations:\n  «link: {code: 7, steps: []}", "class Link"),
    # numbers
    Case("number-taken", table("{id: «2, key: {a: int32}}"), "that of `issues` (base.yaml:20:9)"),
    Case("number-taken", "sequences:\n  more: {id: 50, type: int32, per: {}}\ncursors:\n  c: {id: «50, parts: {n: {kind: stamp, number: 1}}}"),
    Case("number-taken", table("{id: 50, key: {a: int32}, record: {b: [1, text], c: [«1, text]}}"), "permanent"),
    Case("number-taken", table("{id: 50, key: {a: int32}, record: {b: [1, text], c: [«2, text]}, reserved: [2]}"), "reserved"),
    Case("number-taken", "types:\n  A: {enum: {a: 0, b: «0}}"),
    Case("number-taken", "types:\n  A: {union: {One: [1, {}], Two: [«1, {}]}}"),
    Case("number-taken", "operations:\n  again: {code: «1, steps: []}", "code 1"),
    Case("number-taken", "cursors:\n  c: {id: 50, parts: {a: {kind: stamp, number: 1}, b: {kind: stamp, number: «1}}}"),
    Case("number-gap", table("{id: 50, key: {a: int32}, record: {b: [1, text], c: [«3, text]}}"), "number 2"),
    Case("number-gap", "types:\n  A: {record: {b: [1, text]}, reserved: [«3]}", "number 2"),
    Case("number-taken", "types:\n  A: {record: {b: [1, text]}, reserved: [2, 3, «2]}", "`2` is named twice"),
    Case("number-taken", table("{id: 50, key: {a: int32}, record: {b: [1, text]}, reserved: [2, «2]}"), "name it once"),
    Case("name-taken", "views:\n  v: {key: {}, parts: {all_of_them: {scan: issues, prefix: [], all: true, show: [title, updated, «title]}}}", "`title` is named twice"),
    Case("name-taken", table("{id: 50, top: {of: by_state, group: [project_id], across: {state: [open]}, order: [state, «state, updated, number]}}"), "`state` is named twice"),
    Case("range", table("{id: «65536, key: {a: int32}}"), "0 to 65535"),
    Case("range", table("{id: 50, key: {a: int32}, record: {b: [«0, text]}}")),
    Case("range", "types:\n  A: {enum: {a: «256}}", "does not fit uint8"),
    Case("range", "types:\n  A: {enum: {a: 9223372036854775807, b: «9223372036854775808}, type: uint64}", "does not fit"),
    Case("range", "types:\n  A: {flags: {a: «32}, type: uint32}", "does not fit uint32"),
    Case("range", "sequences:\n  s: {id: 50, type: int8, per: {}, start: «200}"),
    Case("schema-name", "«schema: {name: again}", "base.yaml:1:1"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text[:60]!r}")
def test_the_finding_is_at_its_mark(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


@pytest.mark.parametrize("text", ["tables:\n  a: {id: 1, key: {b: int32}}\n", "# nothing yet\n", ""])
def test_a_schema_without_a_name_is_told_so(tmp_path: Path, text: str) -> None:
    write(tmp_path, text, base="")

    found = findings(tmp_path)

    assert [(one.file, one.line, one.column, one.code) for one in found] == [
        ("case.yaml", 1, 1, "schema-name")
    ]


def test_another_schema_in_the_folder_is_told_once(tmp_path: Path) -> None:
    """Not for each name that both have."""
    both = "types: {A: {id: int64}}\ntables: {a: {id: 1, key: {b: A}}}\n"
    write(tmp_path, f"schema: {{name: two}}\n{both}", base="")
    (tmp_path / "first.yaml").write_text(f"schema: {{name: one}}\n{both}")
    (tmp_path / "third.yaml").write_text("views: {a: {key: {b: A}, parts: {c: {get: a, at: b}}}}\n")

    found = findings(tmp_path)

    assert [(one.file, one.line, one.code) for one in found] == [("first.yaml", 1, "schema-name")]
    assert "each has a folder" in (found[0].suggestion or "")


def test_a_schema_of_nothing_is_a_schema(tmp_path: Path) -> None:
    schema = accepted(tmp_path, "schema: {name: empty}", base="")

    assert (schema.name, schema.tables, schema.files) == ("empty", {}, {"schema": "case.yaml"})


def test_all_findings_come_at_once_and_sorted(tmp_path: Path) -> None:
    write(
        tmp_path, "views:\n  a: {key: {}}\ntypes:\n  b: {id: int64}\ntables:\n  c: {id: 2, key: {d: intt}}\n"
    )

    found = findings(tmp_path)

    assert [(one.line, one.code) for one in found] == [
        (2, "missing-key"), (4, "name"), (6, "number-taken"), (6, "unknown-type"),
    ]  # fmt: skip


def test_a_faulty_entry_hides_no_finding_of_another_and_causes_none(tmp_path: Path) -> None:
    broken = "tables:\n  a: {id: 50, key: {b: intt}}\n"
    write(tmp_path, broken + "  c: {id: 51, index: {from: a, key: [b]}}\n  d: {id: 52, key: {e: nothing}}\n")

    found = findings(tmp_path)

    assert [(one.line, one.code) for one in found] == [(2, "unknown-type"), (4, "unknown-type")]


def test_a_flood_of_findings_ends_the_check_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    report = shape._report

    def count(*error: Any) -> None:
        told.append(error)
        report(*error)

    monkeypatch.setattr(shape, "_report", count)
    words = "".join(f"  a{number}: {{b: 1, c: 2, d: 3}}\n" for number in range(3 * ERRORS_MAX))
    write(tmp_path, f"tables:\n{words}")

    found = findings(tmp_path)

    assert len(found) == DIAGNOSTICS_MAX
    assert len(told) <= ERRORS_MAX


def test_a_megabyte_of_space_in_a_type_or_an_each_takes_no_time(tmp_path: Path) -> None:
    space = " " * 400_000
    text = f'types:\n  A: {{record: {{b: [1, "text{space}x"]}}}}\n'
    text += steps(f'{{remove: {{from: projects, at: 1}}, each: "a{space}b"}}')
    write(tmp_path, text)
    begun = time.process_time()

    found = findings(tmp_path)

    assert [one.code for one in found] == ["too-big", "syntax"]
    assert time.process_time() - begun < SECONDS_MAX


@pytest.mark.parametrize(
    ("step", "hint"),
    [
        ("{do: add, name: x}", "it stands inside: `do: {add: {name: ..}}`"),
        ("{put: issues, row: issue}", "it stands inside: `put: {.., row: ..}`"),
    ],
)
def test_what_stands_beside_the_word_of_a_step_is_shown_its_place(
    tmp_path: Path, step: str, hint: str
) -> None:
    write(tmp_path, steps(step))

    shape, key = findings(tmp_path)

    assert (shape.code, key.code) == ("wrong-shape", "unknown-key")
    assert key.suggestion == hint


def test_the_name_of_a_schema_is_judged(tmp_path: Path) -> None:
    write(tmp_path, "", base="schema: {name: My schema}\n")

    assert [(one.code, one.text) for one in findings(tmp_path)] == [
        ("name", "`My schema` is not a name in snake_case")
    ]


def test_the_id_of_a_table_that_was_given_up_is_not_given_again(tmp_path: Path) -> None:
    base = "schema: {name: shop, reserved: [7, 9]}\nsequences:\n  numbers: {id: 9, type: int32, per: {}}\n"
    write(tmp_path, table("{id: 7, key: {a: int32}}"), base=base)

    assert [(one.code, one.text.partition(" (")[0]) for one in findings(tmp_path)] == [
        ("number-taken", "number 9 of `numbers` is reserved"),
        ("number-taken", "number 7 of `extra` is reserved"),
    ]


def test_an_id_is_given_up_once(tmp_path: Path) -> None:
    write(tmp_path, "", base="schema: {name: shop, reserved: [7, 9, 7]}\n")

    assert [(one.code, one.text, one.column) for one in findings(tmp_path)] == [
        ("number-taken", "`7` is named twice", 39)
    ]


def test_no_choice_of_the_grammar_hides_what_is_wrong() -> None:
    """Where nothing of an `anyOf` fits, jsonschema does not say why."""
    assert "anyOf" not in files("pillarbox_codegen").joinpath("pillarbox.schema.json").read_text()
