"""How the parts of views are wired: what they show of the stored rows, and what they follow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Package, imported

TEXT = """
schema: {name: lab_of_views, doc: Every part of views in several ways.}
types:
  Who: {id: int64}
  Marks: {flags: {seen: 0, pinned: 1}}
  Kind: {enum: {small: 1, large: 2}, type: uint8}
tables:
  jobs:
    id: 1
    key: {group: int32, n: int32}
    record:
      text: [1, text]
      score: {number: 2, type: int32, default: 0}
      owner: [3, opt<Who>]
      marks: {number: 4, type: Marks, default: 0}
      helpers: [5, list<Who>]
  by_score: {id: 2, index: {from: jobs, when: score > 0, key: [group, score, n], value: {text: text}}}
  people:
    id: 3
    key: {who: Who}
    record: {name: [1, text], room: [2, opt<int32>], limit: {number: 3, type: int32, default: 2}}
  rooms: {id: 4, key: {room: int32, kind: Kind}, record: {name: [1, text]}}
  totals: {id: 5, count: {from: jobs, group: [group], sum: {score: score}}}
operations:
  put_job: {code: 1, params: {job: [1, row<jobs>]}, steps: [{put: {into: jobs, row: job}}]}
  put_person: {code: 2, params: {person: [1, row<people>]}, steps: [{put: {into: people, row: person}}]}
  put_room: {code: 3, params: {room: [1, row<rooms>]}, steps: [{put: {into: rooms, row: room}}]}
views:
  one:
    key: {group: int32, n: opt<int32>, kind: Kind}
    parts:
      job: {get: jobs, at: "[group, n]"}
      owner: {get: people, at: job.owner, show: [name]}
      room: {get: rooms, at: "[owner.room, kind]", when: job is present and job.score > 0}
      fallback: {get: rooms, at: "[owner.room, kind]", or: default}
      total: {get: totals, at: group, or: default, show: [score]}
      helpers: {get_each: people, at: job.helpers}
  many:
    key: {group: int32, limit: int32, more: list<Who>}
    parts:
      chief: {get: people, at: first(more), show: none}
      best: {scan: by_score, prefix: [group], newest_first: true, limit: limit}
      bare: {scan: by_score, prefix: [group], all: true, bare: true}
      few: {scan: jobs, prefix: [group], limit: chief.limit, when: chief is present}
      mine: {scan: jobs, prefix: [group], all: true, where: row.owner == chief.who and row.marks has pinned}
      owners: {get_each: people, at: best.owner, show: [name]}
      both: {get_each: people, at: "join(best.owner, more)"}
      rooms: {get_each: rooms, at: "[best.score, small]"}
      sum: {aggregate: {sum: row.score}, of: best}
      top: {aggregate: {max: row.text}, of: by_score, prefix: [group], where: row.score < 50}
      least: {aggregate: {min: row.owner}, of: jobs, prefix: [group]}
      count: {aggregate: {count: n}, of: jobs, prefix: [], when: limit > 1}
  window:
    key: {group: int32, n: int32, before: int32}
    parts:
      jobs: {window: {of: jobs, prefix: [group]}, anchor: {at: n}, before: before, after: 1}
      late: {window: {of: by_score, prefix: [group]}, anchor: newest, before: 1, after: 0}
      every: {aggregate: {every: "row.text != ''"}, of: jobs}
""".replace(
    '      rooms: {get_each: rooms, at: "[best.score, small]"}\n',
    '      rooms: {get_each: rooms, at: "[best.score, small]"}\n',
)


@cache
def lab() -> Package:
    return imported(Path(mkdtemp()), TEXT)


@pytest.fixture
def box() -> Iterator[Any]:
    with lab().box.open_box(":memory:") as opened:
        yield opened


def job(n: int, text: str = "t", group: int = 1, **fields: Any) -> Any:
    return lab().types.Jobs(group=group, n=n, text=text, **fields)


def person(who: int, name: str, **fields: Any) -> Any:
    return lab().types.People(who=who, name=name, **fields)


def room(number: int, name: str, kind: int = 1) -> Any:
    return lab().types.Rooms(room=number, kind=lab().types.Kind(kind), name=name)


def put(box: Any, *rows: Any) -> None:
    names = {"Jobs": ("PutJob", "job"), "People": ("PutPerson", "person"), "Rooms": ("PutRoom", "room")}
    operations = []
    for row in rows:
        name, parameter = names[type(row).__name__]
        operations.append(getattr(lab().operations, name)(**{parameter: row}))
    box.replay(operations)


def one(n: int | None, kind: int = 1) -> Any:
    return lab().views.One(group=1, n=n, kind=lab().types.Kind(kind))


def test_a_get_follows_the_path_to_its_key(box: Any) -> None:
    subscription = box.watch(one(1))
    empty = subscription.latest.snapshot

    put(box, job(1, owner=7), person(7, "Ann", room=3), room(3, "hall"))
    without_score = subscription.latest.snapshot
    put(box, job(1, owner=7, score=5))
    with_score = subscription.latest.snapshot

    assert (empty.job, empty.owner, empty.room) == (None, None, None)
    assert (without_score.owner.name, without_score.room) == ("Ann", None)
    assert with_score.room == room(3, "hall")


def test_a_default_has_the_key_asked_for_and_zeroes(box: Any) -> None:
    snapshot = box.watch(one(None)).latest.snapshot

    assert snapshot.fallback == lab().types.Rooms(room=0, kind=lab().types.Kind.SMALL, name="")
    assert snapshot.total == lab().views.OneTotal(score=0)


def test_a_list_in_one_row_gives_the_keys_of_many(box: Any) -> None:
    subscription = box.watch(one(1))

    put(box, job(1, helpers=(2, 3)), person(2, "B"), person(3, "C"))
    both = dict(subscription.latest.snapshot.helpers)
    put(box, job(1, helpers=(3, 4)))

    assert list(both) == [2, 3]
    assert list(subscription.latest.snapshot.helpers) == [3]


def many(limit: int = 10, more: tuple[int, ...] = ()) -> Any:
    return lab().views.Many(group=1, limit=limit, more=more)


def test_a_scan_of_an_index_shows_source_rows_or_bare_ones(box: Any) -> None:
    subscription = box.watch(many(limit=2))

    put(box, job(1, "a", score=5), job(2, "b", score=9), job(3, "c"), job(4, "d", score=7))

    assert [row.text for row in subscription.latest.snapshot.best] == ["b", "d"]
    assert [(row.score, row.text) for row in subscription.latest.snapshot.bare] == [
        (5, "a"),
        (7, "d"),
        (9, "b"),
    ]


def test_limits_and_conditions_follow_an_earlier_part(box: Any) -> None:
    subscription = box.watch(many(more=(7,)))
    put(box, *(job(n, owner=7 if n % 2 else None, marks=2 if n < 4 else 0) for n in range(1, 6)))
    nobody = subscription.latest.snapshot

    put(box, person(7, "Ann"))
    two = subscription.latest.snapshot
    put(box, person(7, "Ann", limit=3))

    assert (nobody.few, nobody.mine) == ((), ())
    assert [row.n for row in two.few] == [1, 2]
    assert [row.n for row in two.mine] == [1, 3]
    assert [row.n for row in subscription.latest.snapshot.few] == [1, 2, 3]


def test_keys_come_from_rows_from_parameters_and_from_both(box: Any) -> None:
    subscription = box.watch(many(more=(8,)))

    put(box, job(1, score=1, owner=7), job(2, score=2), person(7, "Ann"), person(8, "Bob"))
    put(box, room(1, "small"), room(2, "large", kind=2))

    snapshot = subscription.latest.snapshot
    assert {who: shown.name for who, shown in snapshot.owners.items()} == {7: "Ann"}
    assert set(snapshot.both) == {7, 8}
    assert dict(snapshot.rooms) == {lab().keys.RoomsKey(1, lab().types.Kind.SMALL): room(1, "small")}


def test_aggregates_of_parts_tables_and_indexes(box: Any) -> None:
    subscription = box.watch(many(limit=2))
    empty = subscription.latest.snapshot

    put(box, job(1, "a", score=5, owner=9), job(2, "z", score=60), job(3, "y"), job(4, "b", score=7, owner=8))

    snapshot = subscription.latest.snapshot
    assert (empty.sum, empty.top, empty.least, empty.count) == (0, None, None, 0)
    assert (snapshot.sum, snapshot.top, snapshot.least, snapshot.count) == (67, "b", 8, 4)
    assert box.watch(many(limit=1)).latest.snapshot.count == 0


def test_a_window_stands_at_the_rest_of_the_key(box: Any) -> None:
    put(box, *(job(n, score=n) for n in range(1, 7)))

    snapshot = box.watch(lab().views.Window_(group=1, n=3, before=2)).latest.snapshot

    assert [row.n for row in snapshot.jobs.entries] == [2, 3, 4]
    assert snapshot.jobs.earlier == lab().keys.JobsKey(1, 1)
    assert [row.n for row in snapshot.late.entries] == [6]
    assert snapshot.every is True


def test_nothing_is_told_where_what_is_shown_stays_the_same(box: Any) -> None:
    put(box, job(1, owner=7), person(7, "Ann", room=3))
    subscription = box.watch(many())
    emissions: list[Any] = []
    subscription.listen(emissions.append)

    put(box, person(7, "Ann", room=4))

    assert len(emissions) == 1
