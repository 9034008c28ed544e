"""How windows are wired: keys of all kinds in lanes and anchors, and what is absent in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Package, imported

TEXT = """
schema: {name: lab_of_windows, doc: Windows over keys of every kind.}
types:
  Kind: {enum: {small: 1, large: 2}, type: uint8}
tables:
  jobs:
    id: 1
    key: {job: int64}
    record: {room: [1, opt<int32>], name: [2, text], at: [3, int64], kind: {number: 4, type: Kind, default: small}, next: [5, opt<int64>]}
  by_room: {id: 2, index: {from: jobs, when: room is present, key: [room, {at: {of: at, desc: true}}, name, job]}}
  by_name: {id: 3, index: {from: jobs, unique: true, key: [name], value: {job: job}}}
  by_kind: {id: 4, index: {from: jobs, key: [kind, at, job]}}
  rooms: {id: 5, key: {room: int32}, record: {begin: [1, opt<int64>], shown: {number: 2, type: bool, default: true}}}
  names: {id: 7, key: {name: text}, record: {job: [1, int64]}}
  unknown: {id: 6, ranges: {group: {kind: Kind}, over: {at: int64, job: int64}}}
operations:
  put_jobs: {code: 1, params: {jobs: [1, list<row<jobs>>]}, steps: [{put: {into: jobs, row: j}, each: jobs as j}]}
  put_room: {code: 2, params: {room: [1, row<rooms>]}, steps: [{put: {into: rooms, row: room}}]}
  put_name: {code: 4, params: {row: [1, row<names>]}, steps: [{put: {into: names, row: row}}]}
  lose: {code: 3, params: {kind: [1, Kind], at: [2, int64]}, steps: [{add_range: {table: unknown, at: kind, range: "[[0, 0], [at, 0]]"}}]}
views:
  rooms:
    key: {rooms: list<int32>, job: opt<int64>, at: opt<int64>, name: text}
    parts:
      jobs:
        window: {of: by_room, each: rooms, prefix: [item]}
        anchor: [{when: at is present, at: "[at, name, 0]"}, newest]
        around: 1
  room:
    key: {room: opt<int32>, job: opt<int64>}
    parts:
      place: {get: rooms, at: room, show: none}
      jobs:
        window: {of: by_room, prefix: [room]}
        ids: jobs
        when: place is present and place.shown
        anchor: [{when: job is present, id: job}, {when: place.begin is present, at: "[place.begin, '', 0]"}, oldest]
        around: 1
        where: row.next is none or row.next != place.begin
  kinds:
    key: {kinds: list<Kind>}
    parts:
      jobs:
        window: {of: by_kind, each: kinds, prefix: [item]}
        anchor: newest
        around: 9
        holes: {ranges: unknown, at: item, by: [at, job]}
  listed:
    key: {names: list<text>, ids: list<int64>, from_job: int64}
    parts:
      jobs:
        window: {lanes: [{of: jobs, keys: names, via: by_name}, {of: jobs, keys: ids}]}
        combine: chain
        anchor: oldest
        around: 9
      named: {window: {lanes: [{of: by_room, keys: names, via: names}]}, combine: chain, anchor: oldest, around: 9}
      all: {window: {of: jobs, prefix: []}, anchor: {at: [from_job]}, around: 1, distinct: kind}
"""  # noqa: E501  # as a schema is written


@cache
def lab() -> Package:
    return imported(Path(mkdtemp()), TEXT)


@pytest.fixture
def box() -> Iterator[Any]:
    with lab().box.open_box(":memory:") as opened:
        yield opened


def put(box: Any, *jobs: tuple[int, int | None, str, int], **fields: Any) -> None:
    """Jobs by number, room, name and time."""
    rows = tuple(
        lab().types.Jobs(job=job, room=room, name=name, at=at, **fields) for job, room, name, at in jobs
    )
    box.replay([lab().operations.PutJobs(rows)])


def shown(box: Any, key: Any, part: str = "jobs") -> list[int]:
    return [row.job for row in getattr(box.get(key), part).entries]


def rooms(*numbers: int, at: int | None = None, name: str = "") -> Any:
    return lab().views.Rooms(rooms=numbers, job=None, at=at, name=name)


def room(number: int | None, job: int | None = None) -> Any:
    return lab().views.Room(room=number, job=job)


def test_lanes_with_times_that_descend_and_names_are_merged_by_both(box: Any) -> None:
    put(box, (1, 1, "a", 5), (2, 2, "b", 5), (3, 2, "aa", 9), (4, None, "c", 9))

    assert shown(box, rooms(1, 2)) == [2]
    assert shown(box, rooms(1, 2, at=5, name="aa")) == [1, 2]
    assert shown(box, rooms(1, 2, at=9, name="z")) == [3, 1]


def test_a_lane_named_twice_is_one(box: Any) -> None:
    put(box, (1, 1, "a", 5), (2, 1, "b", 5))

    assert shown(box, rooms(1, 1, at=5, name="a~")) == [1, 2]


def test_an_absent_prefix_or_a_condition_that_fails_reads_nothing(box: Any) -> None:
    put(box, (1, 1, "a", 5))
    box.replay([lab().operations.PutRoom(lab().types.Rooms(room=2, shown=False))])

    found = [box.get(room(number)).jobs for number in (None, 1, 2)]

    assert [(window.entries, window.anchor) for window in found] == [((), None)] * 3


def test_ids_may_be_those_of_the_rows_themselves(box: Any) -> None:
    put(box, (1, 1, "a", 5), (2, 1, "b", 5), (4, 1, "c", 1))
    box.replay([lab().operations.PutRoom(lab().types.Rooms(room=1))])

    assert shown(box, room(1, job=2)) == [2, 4]
    assert shown(box, room(1, job=3)) == [4]
    assert shown(box, room(1, job=9)) == [4]
    assert shown(box, room(1)) == [1]


def test_what_a_condition_and_an_anchor_read_may_change(box: Any) -> None:
    put(box, (1, 1, "a", 5), (2, 1, "b", 4), (3, 1, "c", 3))
    box.replay([lab().operations.PutRoom(lab().types.Rooms(room=1))])
    subscription = box.watch(room(1))

    box.replay([lab().operations.PutRoom(lab().types.Rooms(room=1, begin=4))])

    assert [row.job for row in subscription.latest.snapshot.jobs.entries] == [1, 2]
    assert subscription.latest.why.name == "UPDATE_VISIBLE"


def test_holes_may_be_over_several_numbers(box: Any) -> None:
    put(box, (1, None, "a", 1), (2, None, "b", 5), (3, None, "c", 9))
    small = lab().types.Kind.SMALL
    box.replay([lab().operations.Lose(small, 5)])

    window = box.get(lab().views.Kinds(kinds=(small,))).jobs

    assert [row.job for row in window.entries] == [2, 3]
    assert (window.hole.at, window.hole.start, window.hole.end) == ((small,), (5, 0), (0, 0))


def test_rows_come_in_the_order_of_their_keys_in_a_list(box: Any) -> None:
    put(box, (1, None, "a", 1), (2, None, "b", 5), (3, None, "c", 9))
    listed = lab().views.Listed

    assert shown(box, listed(names=("c", "x", "a", "c"), ids=(2, 7), from_job=0)) == [3, 1, 2]


def test_rows_may_be_found_through_another_table(box: Any) -> None:
    put(box, (1, None, "a", 1), (2, None, "b", 5))
    box.replay(
        [
            lab().operations.PutName(lab().types.Names(name=name, job=job))
            for name, job in (("x", 2), ("y", 1))
        ]
    )

    assert shown(box, lab().views.Listed(names=("y", "x"), ids=(), from_job=0), "named") == [1, 2]


def test_a_table_of_numbers_is_a_lane_of_its_own(box: Any) -> None:
    put(box, (-1, None, "a", 1), (2, None, "b", 5), (3, None, "c", 9))
    put(box, (5, None, "d", 1), kind=lab().types.Kind.LARGE)

    assert shown(box, lab().views.Listed(names=(), ids=(), from_job=2), "all") == [2, 5]
