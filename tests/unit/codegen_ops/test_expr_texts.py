"""The Python text of expressions: short, plain, and as fast as one would write it by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import compiler

DECLARATIONS = """
types:
  UserId: {id: int64}
  State: {enum: {open: 0, closed: 1}}
  Tags: {flags: {seen: 0, pinned: 2}}
  Place: {packed: int64, parts: {zone: {type: uint8, bits: 7}, number: {type: int64, bits: 56}}}
  Shape: {union: {Dot: [1, {n: [1, int32]}], Line: [2, {n: [1, int32], end: [2, opt<int32>]}]}}
  Note: {record: {text: [1, text], by: [2, opt<UserId>]}}
seeds: {constants: {loud: [closed], limit: 50}}
tables:
  rows:
    id: 1
    key: {user: UserId, n: int32}
    record: {state: [1, State], tags: [2, Tags], note: [3, opt<Note>], notes: [4, list<Note>]}
"""
PARAMS = (
    "a: [1, int64], b: [2, opt<int64>], c: [3, opt<int64>], state: [4, State], tags: [5, Tags], "
    "row: [6, row<rows>], rows_: [7, int32], list: [8, list<int64>], maybe_row: [9, opt<row<rows>>], "
    "notes: [10, list<Note>], shape: [11, Shape], place: [12, Place], t: [13, text], ok: [14, bool], "
    "user: [15, opt<UserId>], id: [16, UserId], some: [17, opt<list<Note>>]"
).replace("rows_: [7, int32], ", "number: [7, int32], ")

TEXTS = [
    # Comparisons: what may be absent is asked only where Python would answer otherwise.
    ("row.state == open", "row.state == State.OPEN"),
    ("closed == state", "state == State.CLOSED"),
    ("b == 3", "b == 3"),
    ("b == c", "b is not None and b == c"),
    ("b != 3", "b is not None and b != 3"),
    ("b < a", "b is not None and b < a"),
    ("3 > b", "b is not None and b < 3"),
    ("not b == 3", "b != 3"),
    ("not a < 3", "a >= 3"),
    ("not (b < a)", "b is None or b >= a"),
    ("id == 5", "id == 5"),
    ("ok == false", "not ok"),
    ("seeds.limit == 50", "True"),
    # Arithmetic with the brackets that it needs.
    ("a - 2 * (a + 1) - (a - 1)", "a - 2 * (a + 1) - (a - 1)"),
    ("-a * 2 + -(a * 2)", "-a * 2 + -(a * 2)"),
    ("(b // 0) * 1000", "(b or 0) * 1000"),
    ("if b is present then b * seeds.limit else none", "b * 50 if b is not None else None"),
    ("div(a, 60) * 60 + mod(a, 60)", "a // 60 * 60 + a % 60"),
    ("div(a + 1, seeds.limit) - mod(-a, 7)", "(a + 1) // 50 - -a % 7"),
    ("mod(div(a, 60), 24)", "a // 60 % 24"),
    ("div(a * 2, 3)", "a * 2 // 3"),
    ("div(a, 2) * 3 == mod(a, 5) * 2", "a // 2 * 3 == a % 5 * 2"),
    ("2 * div(a, 3)", "2 * (a // 3)"),
    # Presence and narrowing.
    ("b is present", "b is not None"),
    ("b is present and b > 3", "b is not None and b > 3"),
    ("b is none or b > 3", "b is None or b > 3"),
    ("row.note.by is present", "row.note is not None and row.note.by is not None"),
    ("maybe_row.state == open", "maybe_row is not None and maybe_row.state == State.OPEN"),
    ("maybe_row.state is none", "maybe_row is None"),
    # A text keeps what is in it, whatever stands around it.
    (
        """concat(having(notes, text: "a' 'b").text)""",
        """" ".join([item_2.text for item_2 in tuple([item for item in notes if item.text == "a' 'b"])])""",
    ),
    # Items of a list, and copies.
    ("size(having(notes, by: id)) > 0", "len(tuple([item for item in notes if item.by == id])) > 0"),
    ("size(without(notes, text: t, by: id)) > 0",
     "len(tuple([item for item in notes if item.text != t or item.by != id])) > 0"),
    (
        "size(having(rows([id, 1]).notes // [], text: t)) > 0",
        "len(let(found.notes if (found := rows.get(id, 1)) is not None else (), "
        "lambda items: tuple([item for item in items if item.text == t]))) > 0",
    ),
    ("changed(row, state: closed) == row", "replace(row, state=State.CLOSED) == row"),
    # What is held as bytes.
    ("encoded(a) == encoded(user // id)", "encoded(a) == encoded(user if user is not None else id)"),
    # Conditions.
    ("ok and a == 1 or a == 2", "(ok and a == 1) or a == 2"),
    ("ok and (a == 1 or a == 2)", "ok and (a == 1 or a == 2)"),
    ("not (ok and a == 1)", "not ok or a != 1"),
    ("if ok then a == 1 else false", "ok and a == 1"),
    ("row.tags has pinned", "row.tags & 4 != 0"),
    ("not row.tags has pinned", "not row.tags & 4"),
    ("maybe_row.tags has pinned", "maybe_row is not None and maybe_row.tags & 4 != 0"),
    ("shape is Dot", "isinstance(shape, Dot)"),
    ("shape is Dot or shape is Line", "isinstance(shape, (Dot, Line))"),
    ("not (shape is Line or (ok or shape is Dot))", "not isinstance(shape, (Line, Dot)) and not ok"),
    ("a in [1, 2]", "a in (1, 2)"),
    ("not a in list", "a not in list"),
    ("state in seeds.loud", "state in (State.CLOSED,)"),
    ("any([ok, a == 1])", "ok or a == 1"),
    # Values.
    ("b // 0", "b or 0"),
    ("b // 5", "b if b is not None else 5"),
    ("b // c // 5", "found if (found := b if b is not None else c) is not None else 5"),
    ("maybe_row.n // 0", "maybe_row.n if maybe_row is not None else 0"),
    ("a - (a - 1)", "a - (a - 1)"),
    ("-(a + 1)", "-(a + 1)"),
    ("- -a", "a"),
    ("if ok then a else 0", "a if ok else 0"),
    ("min(a, 3)", "min(a, 3)"),
    ("concat(t, 'x', t)", 't + "x" + t'),
    ("flags(seen: ok, pinned: a == 1) == tags", "(1 if ok else 0) | (4 if a == 1 else 0) == tags"),
    ("place.zone", "place_zone(place)"),
    ("make(Place, zone: 1, number: a)", "place(1, a)"),
    ("make(Note, text: t)", "Note(text=t)"),
    ("case(shape, Line).end", "shape.end if isinstance(shape, Line) else None"),
    ("case(shape, Dot).n // 0", "shape.n if isinstance(shape, Dot) else 0"),
    ("if shape is Dot then case(shape, Dot).n else 0", "shape.n if isinstance(shape, Dot) else 0"),
    ("if shape is Dot then shape is Line else ok", "not isinstance(shape, Dot) and ok"),
    # Lists.
    ("[0] + list", "(0, *list)"),
    ("list - [a]", "tuple([item for rest in [(a,)] for item in list if item not in rest])"),
    ("list - list + [a]", "(*tuple([item for rest in [list] for item in list if item not in rest]), a)"),
    ("size(list)", "len(list)"),
    ("bits(tags)", "bits(tags)"),
    ("join(list, [])", "join(list, ())"),
    ("first(list) // 0", "first(list) or 0"),
    ("notes.text", "tuple([item.text for item in notes])"),
    ("notes.by", "tuple([item.by for item in notes if item.by is not None])"),
    ("size(notes.by)", "len([item.by for item in notes if item.by is not None])"),
    ("[id] + notes.by", "(id, *[item.by for item in notes if item.by is not None])"),
    ("some.text", "tuple([item.text for item in some]) if some is not None else None"),
    # Lookups: with an absent part of the key nothing is read, and what is read is read once.
    ("rows([id, 1])", "rows.get(id, 1)"),
    ("rows([user, 1])", "rows.get(user, 1) if user is not None else None"),
    ("rows([id, 1]) is present", "rows.get(id, 1) is not None"),
    ("rows([id, 1]).state == open", "(found := rows.get(id, 1)) is not None and found.state == State.OPEN"),
    ("rows([id, 1]).n is none", "rows.get(id, 1) is None"),
    ("rows([id, 1]).n // a", "found.n if (found := rows.get(id, 1)) is not None else a"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "text"), TEXTS, ids=[expression for expression, _ in TEXTS])
def test_expression_reads_as_written_by_hand(expression: str, text: str, tmp_path: Path) -> None:
    compiled = compiler(tmp_path, DECLARATIONS, PARAMS)

    assert compiled(expression) == text


def test_a_list_that_needs_a_name_inside_a_loop_gets_it_from_a_function(tmp_path: Path) -> None:
    compiled = compiler(tmp_path, DECLARATIONS, f"{PARAMS}, other: [18, opt<list<Note>>]")

    text = compiled("(some // other // []).text")

    assert text == "tuple([item.text for item in (some if some is not None else other) or ()])"
