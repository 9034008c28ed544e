"""A schema with every word of updates, imported once for all tests of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.unit.codegen_ops.making import Package, imported

TEXT = """
schema: {name: told_updates, doc: Every word of updates.}
types:
  Level: {enum: {low: 0, middle: 1, high: 2}}
  Where:
    union:
      Room: [1, {room: [1, int64]}]
      Desk: [2, {room: [1, int64], desk: [2, int32]}]
      Nowhere: [3, {}]
  Held: {record: {where: [1, Where], level: [2, Level], also: [3, list<Where>]}}
tables:
  rooms: {id: 1, key: {room: int64}, record: {name: [1, text], seats: [2, opt<int32>]}}
  desks: {id: 2, key: {room: int64, desk: int32}, record: {text: [1, text]}}
cursors:
  house:
    id: 101
    parts: {rev: {kind: counter, number: 1, claim: {end: rev, count: count}}, at: {kind: stamp, number: 2}}
  storey:
    id: 102
    per: {room: int64}
    parts:
      at: {kind: stamp, number: 2}
      rev: {kind: counter, number: 1, claim: {key: room, end: rev, count: count, unless: rev == 0}}
operations:
  put_room: {code: 1, params: {room: [1, row<rooms>]}, steps: [{put: {into: rooms, row: room}}]}
  name_room:
    code: 2
    params: {room: [1, int64], name: [2, text]}
    steps: [{patch: {table: rooms, at: room, set: {name: name}}}]
  note: {code: 3, params: {room: [1, int64], number: [2, int64]}, steps: []}
answers:
  rooms_found: {code: 1, fields: {rooms: [1, list<row<rooms>>]}, body: found}
requests:
  find_rooms:
    code: 1
    fields: {ids: [1, list<int64>], deep: {number: 2, type: bool, default: false}}
    answers: [rooms_found]
bodies:
  found: {side: [{put_room: {room: r}, each: rooms as r}]}
resets:
  all_rooms: {of: house, failure: retry, fetch: [], commit: [], set: {rev: 1}}
  one_room: {of: storey, failure: retry, fetch: [], commit: [], set: {rev: 1}}
updates:
  renamed:
    code: 1
    fields: {room: [1, int64], name: [2, text], rev: [3, int64], count: [4, int32]}
    claims: {domain: house.rev, when_old: apply}
    emits:
      - {name_room: {room: room, name: name}}
      - {note: {room: room, number: claim_end}}
  came:
    code: 2
    doc: Rooms that came.
    fields: {room: [1, int64], rev: [2, int64], count: [3, int32]}
    claims: storey.rev
    emits:
      - {note: {room: room, number: "claim_end // (-1)"}, when: batch_date > 0}
      - {note: {room: room, number: server_now - batch_date}}
  looked:
    code: 3
    fields: {room: [1, int64], rev: [2, int64], level: [3, Level]}
    observes: {domain: storey.rev, key: room}
    emits:
      - {note: {room: room, number: storey(room).rev // 0}, when: storey(room) is present}
      - {poll: storey, key: room, hint: rev, when: rev > (storey(room).rev // 0)}
  passed:
    code: 4
    fields: {room: [1, int64], hint: [2, opt<int64>]}
    rides: {cursor: storey, key: room}
    emits: [{poll: storey, key: room, hint: hint}]
  moved:
    code: 5
    fields: {held: [1, Held], to: [2, opt<Where>], rooms: [3, list<int64>]}
    emits:
      - switch: held.where
        cases:
          Room: [{note: {room: held.where.room, number: 1}}]
          Desk:
            - {note: {room: held.where.room, number: 2}}
            - {note: {room: r, number: held.where.desk}, each: rooms as r, when: r > 0}
          Nowhere: []
      - switch: held.level
        cases:
          low: []
          high: [{poll: house}]
        other: [{reset: all_rooms}, {reset: one_room, key: r, each: rooms as r}]
        when: size(rooms) > 0
      - switch: w
        each: held.also as w
        cases: {Room: [{poll: storey, key: w.room}], Desk: [], Nowhere: []}
      - switch: to
        cases: {none: [{poll: house, hint: size(rooms)}], Room: [], Desk: [], Nowhere: []}
  seated:
    code: 6
    fields: {room: [1, int64], desk: [2, opt<int32>], others: [3, list<int32>]}
    needs:
      - {row: rooms, key: room, absent: discard}
      - {row: desks, key: "[room, desk]", when: desk is present, absent: ignore}
      - {row: desks, key: "[room, d]", each: others as d, absent: skip}
    emits:
      - {name_room: {room: room, name: "rooms(room).name // '?'"}, when: rooms(room).seats is present}
      - {note: {room: room, number: d}, each: others as d, when: "desks([room, d]).text == 'free'"}
      - {note: {room: room, number: -1}, when: "desks([room, desk]) is none"}
  many:
    code: 7
    fields: {rooms: [1, list<int64>]}
    needs: [{row: rooms, each: rooms as r, key: r, absent: poll, fetch: {find_rooms: {ids: "[r]"}}}]
    emits: []
  strange: {code: 8, doc: Nobody knows what it is for., fields: {held: [1, Held]}}
  lost: {code: 9, fields: {}, emits: [{poll: house}, {poll: house, hint: house.rev}]}
"""


@cache
def told() -> Package:
    """The package."""
    return imported(Path(mkdtemp()), TEXT)
