"""What operations change of rows that pages bring, where lists of several types are gone over."""

from __future__ import annotations

from pathlib import Path

from tests.unit.codegen_ops.making import imported, mypy, ruff

SCHEMA = """
schema: {name: noted_changes, doc: What operations change of rows that pages bring.}
types:
  Ref: {record: {room: [1, int32], note: [2, int32]}}
tables:
  notes: {id: 1, key: {room: int32, note: int32}, record: {text: [1, text]}}
  note_holes: {id: 2, ranges: {group: {room: int32}, over: {note: int32}, from: 1, to: 1000, seeded: {id: 3}}}
seeds:
  group: {note_holes: [{do: [{add_range: {range: all}}]}]}
operations:
  put_notes:
    code: 1
    params: {some: [1, list<row<notes>>], rest: [2, list<row<notes>>], all: [3, bool]}
    steps: [{put: {into: notes, row: n}, each: if all then some else rest as n}]
  take_notes:
    code: 2
    params: {some: [1, list<Ref>], rest: [2, list<Ref>], all: [3, bool]}
    steps: [{remove: {from: notes, at: "[n.room, n.note]"}, each: if all then some else rest as n}]
  take_rooms:
    code: 3
    params: {rooms: [1, list<int32>]}
    steps: [{remove: {from: notes, under: r}, each: rooms as r}]
requests: {ask: {code: 1, fields: {room: [1, int32], lo: [2, int32], limit: [3, int32]}, answers: [page]}}
answers: {page: {code: 1, fields: {notes: [1, list<row<notes>>]}}}
holes:
  notes_to_fetch:
    table: note_holes
    ask: {request: ask, with: {room: room, lo: lo, limit: limit}}
    answers: {page: {rows: notes, id: row.note, emits: [{put_notes: {some: notes, rest: [], all: true}}]}}
    changes:
      - put_notes: {room: n.room, id: n.note}
        each: if all then some else rest as n
        when: "(first([n.note]) // 1) > 0"
      - {put_notes: {room: n.room, id: n.note + 1}, each: rest as n}
      - take_notes: {room: n.room, id: n.note}
        each: if all then some else rest as n
        when: "(first([n.room]) // 1) > 0"
      - {take_notes: {room: n.room, id: n.note}, each: rest as n, when: n.note > 0}
      - {take_rooms: {room: "first([r]) // r"}, each: rooms as r}
views:
  room:
    key: {room: int32}
    parts:
      notes:
        window: {of: notes, prefix: [room]}
        anchor: newest
        around: 5
        holes: {ranges: note_holes, at: "[room]", by: note}
        want: {name: notes_to_fetch, count: 5}
"""


def test_each_is_noted_and_a_type_checker_follows(tmp_path: Path) -> None:
    package = imported(tmp_path, SCHEMA)
    o, t = package.operations, package.types
    one, two = (t.Notes(room=1, note=number, text="") for number in (1, 2))
    told = package.holes.HOLES["notes_to_fetch"].notes

    put = told(o.PutNotes(some=(one,), rest=(two,), all=False))
    taken = told(o.TakeNotes(some=(t.Ref(room=1, note=5),), rest=(), all=True))

    assert [(note.group, note.id) for note in put] == [(((0, 1),), 2), (((0, 1),), 3)]
    assert [(note.group, note.id) for note in taken] == [(((0, 1),), 5)]
    assert [note.group for note in told(o.TakeRooms(rooms=(7,)))] == [((0, 7),)]
    assert (ruff(tmp_path, "format", "--check"), mypy(tmp_path)) == ("", "")
