"""Windows at places where no row stands, over holes in what they are ordered by: calendars."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Package, imported

SCHEMA = """
schema: {name: window_points, doc: Events by time.}
tables:
  events:
    id: 1
    key: {event: int32}
    record: {start: [1, int32], room: {number: 2, type: int32, default: 0}}
  by_start: {id: 2, index: {from: events, key: [room, start, event]}}
  computed_start: {id: 3, index: {from: events, key: [{start: start + 0}, event]}}
  upside_down: {id: 4, index: {from: events, key: [{start: {of: start, desc: true}}, event]}}
  holes: {id: 5, ranges: {group: {}, over: {start: int32}, from: 0, to: 20}}
operations:
  set_events:
    code: 1
    params: {events: [1, list<row<events>>], holes: [2, list<int32>]}
    steps:
      - {remove: {from: events, under: []}}
      - {put: {into: events, row: e}, each: events as e}
      - {cut_range: {table: holes, range: all}}
      - {add_range: {table: holes, range: "[h, h]"}, each: holes as h}
views:
  agenda:
    key: {at: int32, event: int32, before: int32, after: int32}
    parts:
      events:
        window: {of: by_start, prefix: [0]}
        anchor: {at: "[at, event]"}
        before: before
        after: after
        holes: {ranges: holes, at: [], by: start}
  backwards:
    key: {at: int32}
    parts:
      events:
        window: {of: upside_down, prefix: []}
        anchor: {at: "[at, 0]"}
        around: 9
        holes: {ranges: holes, at: [], by: start}
  by_computed:
    key: {at: int32}
    parts:
      events:
        window: {of: computed_start, prefix: []}
        anchor: {at: "[at, 0]"}
        around: 9
        holes: {ranges: holes, at: [], by: start}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(Path(tmp_path_factory.mktemp("window_points")), SCHEMA)


def _side(
    nearest_first: Sequence[tuple[int, int]], holes: set[int], at: int, end: int, most: int
) -> tuple[list[int], bool]:
    """The events of one side that may be shown, and whether it ends at a hole."""
    shown: list[int] = []
    for start, event in (*nearest_first, (end, 0)):
        if holes.intersection(range(min(at, start), max(at, start) + 1)):
            return shown, True
        if len(shown) == most or (start, event) == (end, 0):
            break
        shown.append(event)
        at = start
    return shown, False


def _expected(key: Any, rows: Sequence[tuple[int, int]], holes: set[int]) -> tuple[list[int], bool, bool]:
    """As the sentence says: what is shown has nothing between itself and the place that was never fetched."""
    place, stored = (key.at, key.event), sorted(rows)
    older = [row for row in stored if row <= place][::-1]
    newer = [row for row in stored if row > place]
    before, cut_before = _side(older, holes, older[0][0] if older[:1] == [place] else key.at, -1, key.before)
    after, cut_after = _side(newer, holes, key.at, 21, key.after)
    return [*before[::-1], *after], cut_before, cut_after


@pytest.mark.parametrize("seed", range(12))
def test_a_hole_on_one_side_of_a_place_leaves_the_other_side_alone(package: Package, seed: int) -> None:
    random = Random(seed)
    o, t, v = package.operations, package.types, package.views
    with package.box.open_box(":memory:") as box:
        keys = [
            v.Agenda(at, random.choice((0, 3)), random.randrange(4), random.randrange(4))
            for at in range(0, 21, 2)
        ]
        live = [box.watch(key) for key in keys]
        for _ in range(25):
            rows = [(random.randrange(21), event) for event in range(1, random.randrange(1, 7))]
            holes = set(random.sample(range(21), random.choice((0, 1, 1, 2, 3))))
            box.replay([o.SetEvents(tuple(t.Events(event, start) for start, event in rows), tuple(holes))])
            for key, subscription in zip(keys, live, strict=True):
                for shown in (box.get(key).events, subscription.latest.snapshot.events):
                    found = [row.event for row in shown.entries], shown.hole_before, shown.hole_after
                    assert found == _expected(key, rows, holes), (key, rows, holes)


@pytest.mark.parametrize("name", ["Backwards", "ByComputed"])
def test_where_the_order_is_another_a_hole_between_neighbours_is_on_both_sides(
    package: Package, name: str
) -> None:
    o, t = package.operations, package.types
    with package.box.open_box(":memory:") as box:
        box.replay([o.SetEvents((t.Events(1, 5), t.Events(2, 15)), (7,))])
        window = box.get(getattr(package.views, name)(10)).events
        assert (window.entries, window.hole_before, window.hole_after) == ((), True, True)
