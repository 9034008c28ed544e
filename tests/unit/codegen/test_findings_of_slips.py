# ruff: noqa: E501 -- a table reads best with one case a line
"""A slip of the pen is told once, where it is, with what to do; nothing that follows from it is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from tests.unit.schema.cases import Case, check_case, parts, steps, table
from tests.unit.schema.test_findings_once import texts, told

from pillarbox_codegen.check import KINDS

PLACE: Final = "types:\n  Place: {union: {Room: [1, {name: [1, text]}], Hall: [2, {}]}, facets: {shown: {type: text, of: {Room: name}}}}\n"
CALL: Final = "operations:\n  act: {code: 9, params: {place: [1, Place], room: [2, opt<text>]}, steps: [{let: {a: place.shown}}, {let: {b: place.room.name // ''}}]}\n"
DRUGS: Final = "sequences:\n  drugs: {id: 60, type: int32, intern: text, per: {}}\n"
MARKED: Final = table("{id: 50, key: {a: int32}, record: {places: [1, bag<Place>]}}")
FILLED: Final = table(
    "{id: 50, key: {a: int32}, record: {names: [1, list<text>], ids: {number: 2, type: list<int32>, fill: drugs(each names)}}}"
)
REPEAT: Final = "operations:\n  twice: {code: 9, idempotent: true, «because: It is so., steps: []}\n"

CASES: Final = [
    # a key that is needed, under another spelling
    Case("unknown-key", parts("s: {scan: issues, «prfeix: [], all: true}"), "did you mean `prefix`?"),
    Case("unknown-key", table("{«idd: 50, key: {a: int32}}"), "did you mean `id`?"),
    Case("unknown-key", steps("{patch: {«tabel: projects, at: project_id, set: {name: \"'x'\"}}}"), "did you mean `table`?"),
    Case("unknown-key", "operations:\n  act: {code: 9, «setps: []}\n", "did you mean `steps`?"),
    Case("missing-key", table("{id: 50, index: «{from: issues}}"), "needs `key`"),
    Case("unknown-field", steps("{put: {into: projects, row: {project_id: project_id, «naem: \"'x'\", owner_id: 1}}}"), "did you mean `name`?"),
    Case("unknown-field", steps("{do: {rename: {project_id: project_id, «nmae: \"'x'\", tags: []}}}"), "did you mean `name`?"),
    Case("unknown-field", steps("{emit: {event: closed, «numbr: number}}"), "did you mean `number`?"),
    Case("unknown-field", steps("{patch: {table: projects, at: project_id, set: {owner_id: 1}, create: {«naem: \"'x'\"}}}"), "did you mean `name`?"),
    Case("missing-key", steps("{put: {into: projects, row: «{project_id: project_id, owner_id: 1}}}"), "needs `name`"),
    # what is faulty is known by its name
    Case("unknown-type", PLACE.replace("type: text", "type: «tetx") + CALL, "did you mean `text`?"),
    Case("unknown-word", DRUGS.replace("int32", "«bytes") + FILLED),
    # what to do
    Case("wrong-shape", "operations:\n  act: {code: «, steps: []}\n", "write one behind it"),
    Case("unknown-name", steps("{require: «nobody_2 == number}"), "there is `project_id`, `number` and `user`"),
    Case("unknown-name", steps("{require: «nobody == number}"), "`number` and `user`; a text has quotes of its own"),
    Case("syntax", steps('{require: "number«] == 1"}'), "nothing is open that it closes"),
    Case("syntax", steps('{require: "number ==«"}'), "write what it goes on with"),
    Case("unknown-field", steps("{require: number.«low == 1}"), "name the value as it is"),
    Case("type", PLACE + MARKED + "operations:\n  act: {code: 9, params: {a: [1, int32], place: [2, Place]}, steps: [{patch: {table: extra, at: a, set: {places.room: «place}}}]}\n", "`case(VALUE, Room)`"),
    Case("repeat", REPEAT, "leave `because` out"),
    Case("wrong-shape", "tables:\n  extra: {id: 50, key: «}\n", "write one behind it, within { }"),
    # a word that is not there, beside one that is spelled like another
    Case("unknown-key", steps("{«qqqq: {into: projects}, each: labels as l}"), "a step has no key `qqqq`"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.told[:30]}")
def test_the_finding_is_told_at_its_place(case: Case, tmp_path: Path) -> None:
    check_case(tmp_path, case)


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"brings"}))  # the tracker has all others
def test_a_misspelt_kind_is_told_once(tmp_path: Path, kind: str) -> None:
    """Nothing below it is read, and would be unknown wherever it is used."""
    file, begin = next(
        (file, match.start(1))
        for file, text in texts().items()
        if (match := re.search(rf"^({kind}):", text, re.MULTILINE))
    )

    (finding,) = told(tmp_path, file, begin, begin + len(kind), f"{kind}_x")

    assert f"[unknown-key] a schema file has no key `{kind}_x`" in finding


#: What is named elsewhere: the file, what stands before the fault, the fault, and what is told of it.
FAULTS: Final = {
    "recipe": (r"\nresets:\n  everything:(?:\n    .*)*?\n    (of): ", "off_", "no key `off_`"),
    "its cursor": (r"\nresets:\n  everything:(?:\n    .*)*?\n    of: (account)\n", "nobody", "no cursor `nobody`"),
    "operation": (r"\n  put_labels:\n    code: (\d+)", "none", "expected a whole number"),
    "wish": (r"\n  label_issue:\n    code: (\d+)", "none", "expected a whole number"),
    "outbox": (r"\noutbox:\n  table: \{id: (\d+)", "none", "expected a whole number"),
}  # fmt: skip


@pytest.mark.parametrize(("pattern", "fault", "says"), FAULTS.values(), ids=FAULTS)
def test_what_is_named_elsewhere_is_told_once(tmp_path: Path, pattern: str, fault: str, says: str) -> None:
    found = {file: match for file, text in texts().items() if (match := re.search(pattern, text))}
    ((file, place),) = found.items()

    (finding,) = told(tmp_path, file, *place.span(1), fault)

    assert says in finding


#: Faults in the claim of `account.rev`, and where they are told.
CLAIMS: Final = {
    "name": ("{end: nobody, count: count}", "nobody"),
    "syntax": ("{end: rev +, count: count}", ", count"),
    "type": ("{end: rev, count: \"'a'\"}", "'a'"),
    "key": ("{key: rev, end: rev, count: count}", "rev, end"),
}


@pytest.mark.parametrize(("claim", "at"), CLAIMS.values(), ids=CLAIMS)
def test_a_faulty_claim_of_a_cursor_is_told_once_where_it_is(tmp_path: Path, claim: str, at: str) -> None:
    text, plain = texts()["sync.yaml"], "{end: rev, count: count}"
    begin = text.index(plain)
    column = begin - text.rindex("\n", 0, begin) + claim.index(at)

    (finding,) = told(tmp_path, "sync.yaml", begin, begin + len(plain), claim)

    assert finding.startswith(f"sync.yaml:{text.count(chr(10), 0, begin) + 1}:{column}: ")


def test_what_one_update_lacks_for_a_claim_is_told_of_that_one(tmp_path: Path) -> None:
    text = texts()["sync.yaml"]
    match = re.search(r"claims: account\.rev", text)
    assert match is not None
    begin = text.rindex("count: [", 0, match.start())

    (finding,) = told(tmp_path, "sync.yaml", begin, begin + len("count"), "counted")

    assert "there is no `count` here" in finding
    assert finding.startswith(f"sync.yaml:{text.count(chr(10), 0, match.start()) + 1}:")
