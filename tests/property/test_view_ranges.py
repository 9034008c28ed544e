"""Views of ranges: what is there is shown as the world of `ranges_world` has it, a seed before it is written.

Law. After each commit a view of ranges shows those of its group and space, and was told of exactly if they
differ from before. A commit that only writes what a seed shows tells nobody.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.ranges_machine import SCHEMA
from tests.property.ranges_world import POINTS, At, Point, World, blocks
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.box import Box
from pillarbox.maintainers import SeededReader, SeededTable
from pillarbox.storage import MEMORY
from pillarbox.views import First, PartColumn, Scan

VIEWS: Final = """
views:
  holes:
    key: {shelf: uint8, side: int64, label: int32, tag: uint8}
    parts:
      all: {ranges: holes, at: [shelf, side, label, tag]}
      last: {ranges: holes, at: [shelf, side, label, tag], pick: latest, show: [upper]}
      sizes:
        ranges: holes
        at: [shelf, side, label, tag]
        pick: all
        with: {size: {value: row.upper - row.lower}}
      many: {aggregate: {count: n}, of: all}
      next: {scan: holes, prefix: [shelf, side, label, tag, last.upper], all: true}
  shelves:
    key: {wanted: list<int64>}
    parts:
      shelves:
        each: wanted
        with:
          first: {ranges: spots, at: [item], pick: earliest}
          last: {ranges: spots, at: [item], pick: latest, with: {m: {value: row.upper_m}}}
          all: {ranges: spots, at: [item]}
          place: {value: first.upper_n // 0}
"""
#: What is stepped on and watched: seeded groups, touched by steps on each other's spaces.
HOLES: Final[tuple[At, ...]] = (
    (2, -1, 0, 0), (1, -1, 0, 0), (1, -1, 0, 1), (3, -1, 1, 9), (3, -1, 0, 2), (2, -1, 2, 9),
)  # fmt: skip
SPOTS: Final[tuple[At, ...]] = ((-5,), (4,))


@cache
def package() -> Package:
    text = SCHEMA.read_text().replace("name: law_of_ranges", "name: law_of_viewed_ranges")
    return imported(Path(tempfile.mkdtemp()), text + VIEWS)


def _steps(table: str, ats: tuple[At, ...]) -> st.SearchStrategy[tuple[bool, str, At, Point, Point]]:
    edge = st.sampled_from(POINTS[table])
    return st.tuples(st.booleans(), st.just(table), st.sampled_from(ats), edge, edge)


commits = st.lists(_steps("holes", HOLES) | _steps("spots", SPOTS), min_size=1, max_size=3)
History = list[tuple[list[tuple[bool, str, At, Point, Point]], bool]]
histories: st.SearchStrategy[History] = st.lists(
    st.tuples(commits, st.sampled_from((True, True, False))), max_size=6
)


def check_history(history: History) -> None:
    """Every law, over one history."""
    made = package()
    box = Box(MEMORY, made.box.PACKAGE)
    keys = [made.views.Holes(*at) for at in HOLES] + [made.views.Shelves((4, -5, 4))]
    told: dict[Any, list[Any]] = {key: [] for key in keys}
    for key in keys:
        box.watch(key, every=True).listen(told[key].append)
    world = World()
    shown = {key: told[key].pop().snapshot for key in keys}
    for key in keys:
        assert plain_of(key, shown[key]) == expected(key, world)
    for steps, keep in history:
        world = play(box, world, steps, keep)
        for key in keys:
            differs = plain_of(key, shown[key]) != expected(key, world)
            assert len(told[key]) == differs, f"{key} was told {len(told[key])} times"
            if differs:
                shown[key] = told[key].pop().snapshot
            assert plain_of(key, shown[key]) == expected(key, world)
            assert shown[key] == box.get(key)
    box.close()


def play(
    box: Box[Any, Any], world: World, steps: list[tuple[bool, str, At, Point, Point]], keep: bool
) -> World:
    """A transaction, which is kept or rolled back."""
    after = world.copy()
    try:
        with box.transaction() as tx:
            for adds, table, at, low, high in steps:
                written = getattr(tx, table)
                (written.add_range if adds else written.cut_range)(*at, *low, *high)
                after.step(adds, table, at, low, high)
            if not keep:
                raise InterruptedError
    except InterruptedError:
        return world
    return after


def plain_of(key: Any, snapshot: Any) -> Any:
    """What a snapshot shows, as edges."""
    if type(key).__name__ == "Holes":
        last = None if snapshot.last is None else snapshot.last.upper
        sizes = [entry.size for entry in snapshot.sizes]
        return (
            [(row.lower, row.upper) for row in snapshot.all],
            last,
            sizes,
            snapshot.many,
            len(snapshot.next),
        )
    return [
        (
            entry.item,
            [(row.lower_n, row.lower_m, row.upper_n, row.upper_m) for row in entry.all],
            entry.first is None or entry.first == entry.all[0],
            entry.last is None or (entry.last.row, entry.last.m) == (entry.all[-1], entry.all[-1].upper_m),
            entry.place,
        )
        for entry in snapshot.shelves
    ]


def expected(key: Any, world: World) -> Any:
    """What it must show."""
    if type(key).__name__ == "Holes":
        found = blocks("holes", world.sets["holes"][key.shelf, key.side, key.label, key.tag])
        edges = [(low[0], high[0]) for low, high in found]
        last = edges[-1][1] if edges else None
        return edges, last, [high - low for low, high in edges], len(edges), int(bool(edges))
    shelves = []
    for item in dict.fromkeys(key.wanted):
        spots = [(*low, *high) for low, high in blocks("spots", world.sets["spots"][item,])]
        shelves.append((item, spots, True, True, spots[0][2] if spots else 0))
    return shelves


@given(histories)
def test_views_of_ranges_show_them_as_they_are_read(history: History) -> None:
    check_history(history)


def test_a_seed_that_is_written_as_it_was_shown_tells_nobody() -> None:
    made = package()
    box = Box(MEMORY, made.box.PACKAGE)
    told: list[Any] = []
    box.watch(made.views.Holes(2, -1, 0, 0), every=True).listen(told.append)

    with box.transaction() as tx:
        tx.holes.add_range(2, -1, 0, 0, 2, 3)

    (first,) = told
    assert [(row.lower, row.upper) for row in first.snapshot.all] == [(1, 5)]
    assert box.get(made.views.Holes(2, -1, 0, 0)) == first.snapshot
    box.close()


FAULTS: Final = (
    Fault("a seed is not shown", SeededReader, "_group_between", "return group if", "return None if"),
    Fault(
        "a seed that is written is told",
        SeededTable,
        "touch",
        "self.put_known(each, shown, shown)",
        "self.put_known(each, stored, shown)",
    ),
    Fault("the other end is picked", First, "__init__", "=newest_first", "=not newest_first"),
    Fault("one range is taken for good", First, "_take", "scan.rows[0] if", "self.row or scan.rows[0] if"),
    Fault("one range of a row is a list", PartColumn, "_show_slot", "isinstance(part, First)", "False"),
    Fault("a prefix is not looked at", Scan, "replay", "self._at() != self._prefix", "False"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    law = settings(HARD)(given(histories)(check_history))

    with fault.planted(), pytest.raises((AssertionError, AttributeError, TypeError)):
        law()
