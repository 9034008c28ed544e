"""Law: ranges that a transaction holds, since a step on several spaces read them, are those that stand.

One table of (group, space, upper edge) -> lower edge, points 1 to 9, against sets of points.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.property.mutants import Fault

from pillarbox.codec import Packed, PackedField
from pillarbox.maintainers import ranges
from pillarbox.maintainers.ranges import Edges, RangesTable
from pillarbox.storage import MemoryEngine, StoredKey, TableLayout
from pillarbox.tables import TableSpec, TableWriter, TouchLog

LAST: Final = 9
SPACES: Final = (0, 1, 2)


class Stretch(NamedTuple):
    group: int
    space: int
    upper: int
    lower: int


class Step(NamedTuple):
    """What is done to a stretch in some spaces of a group; `ends` the transaction, and how."""

    adds: bool
    group: int
    spaces: tuple[int, ...]
    low: int
    high: int
    ends: str


Points: TypeAlias = dict[tuple[int, int], frozenset[int]]
steps = st.lists(
    st.builds(
        Step,
        st.booleans(),
        st.sampled_from((1, 2)),
        st.sampled_from(((0,), (0, 1), SPACES)),
        st.integers(1, LAST),
        st.integers(1, LAST),
        st.sampled_from(("", "", "", "commit", "rollback")),
    ),
    max_size=20,
)
#: Cuts within the last one and beyond it, after others, after something was added, and after the end.
CUTS: Final = [
    Step(True, 1, SPACES, 1, 9, "commit"),
    Step(False, 1, SPACES, 5, 7, ""),
    Step(False, 1, SPACES, 6, 6, ""),
    Step(False, 1, SPACES, 6, 8, ""),
    Step(False, 1, SPACES, 4, 8, ""),
    Step(False, 1, (0,), 1, 9, ""),
    Step(False, 1, (0, 1), 1, 9, ""),
    Step(True, 1, (1,), 5, 5, ""),
    Step(False, 1, SPACES, 4, 8, "rollback"),
    Step(False, 1, SPACES, 4, 8, ""),
]
_PACKED: Final = Packed("stretches", (PackedField("lower", "int64"),))
_SPEC: Final = TableSpec[Stretch](
    layout=TableLayout(id=1, name="stretches", int_key=False, key_width=3, heap=False),
    role="kept",
    key_of=lambda row: bytes(row[:3]),
    cell_of=lambda row: _PACKED.encode(row.lower),
    row=lambda key, cell: Stretch(*key, *_PACKED.decode(cell)),
    key_fields=lambda key: tuple(key),
)


class Stretches(RangesTable[Stretch]):
    __slots__ = ()
    SPEC = _SPEC
    EDGES = Edges(_SPEC, lambda edge: bytes((edge,)), _PACKED, start=(1,), end=(LAST,))

    def step(self, step: Step) -> None:
        prefixes = [bytes((step.group, space)) for space in step.spaces]
        change = self._add_all if step.adds else self._cut_all
        change(prefixes, bytes((step.low,)), bytes((step.high,)))


def expected(points: Points, step: Step) -> Points:
    stretch = frozenset(range(step.low, step.high + 1))
    changed = {
        (step.group, space): points.get((step.group, space), frozenset()) | stretch
        if step.adds
        else points.get((step.group, space), frozenset()) - stretch
        for space in step.spaces
    }
    return points | changed


def found(table: Stretches) -> Points:
    return points_of(table.scan_cells(None, None))


def points_of(cells: Iterable[tuple[StoredKey, Any]]) -> Points:
    points: Points = {}
    for key, cell in cells:
        assert isinstance(key, bytes)
        group, space, upper = key
        (lower,) = _PACKED.decode(cell)
        points[group, space] = points.get((group, space), frozenset()) | frozenset(range(lower, upper + 1))
    return points


def runs(points: Points) -> int:
    """How many ranges these points need."""
    return sum(point - 1 not in its for its in points.values() for point in its)


def opened() -> tuple[MemoryEngine, Stretches]:
    """An engine with an open transaction, and its empty table."""
    engine = MemoryEngine()
    engine.begin()
    engine.create(_SPEC.layout)
    engine.commit()
    engine.begin()
    log = TouchLog()
    log.open = True
    return engine, Stretches(engine, log)


def check(history: Iterable[Step]) -> None:
    engine, table = opened()
    world: Points = {}
    committed: Points = {}
    #: What those who follow found, each time that they did.
    followed: list[Points] = []
    table.settle_with(lambda: followed.append(points_of(TableWriter.scan_cells(table, None, None))))
    for step in history:
        before = {key: points for key, points in world.items() if points}
        followed.clear()
        table.step(step)
        world = expected(world, step)
        stands = {key: points for key, points in world.items() if points}
        # Further on in the step there is nothing left to follow.
        assert followed[:1] in ([], [before]), "what was heard is followed before a step"
        assert followed or stands == before, "nobody followed what was heard"
        assert found(table) == stands
        assert len(table.scan_cells(None, None)) == runs(world)
        if step.ends:
            if step.ends == "commit":
                table.end_settle()
                table.flush()
                engine.commit()
                committed = world
            else:
                engine.rollback()
                world = committed
            table.forget()
            engine.begin()
    engine.rollback()


@example(CUTS)
@given(steps)
def test_what_is_held_is_what_stands(history: list[Step]) -> None:
    check(history)


@given(steps)
def test_a_group_of_too_many_is_read_where_it_is_touched(history: list[Step]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "_HELD_MAX", 2)
        check(history)


@pytest.mark.parametrize(("adds", "low"), [(False, 1), (True, 5)])
def test_what_was_heard_before_a_step_is_followed_by_the_ranges_as_they_were(adds: bool, low: int) -> None:
    _, table = opened()
    table.step(Step(True, 1, SPACES, 1, 3, ""))
    seen: list[int] = []
    table.settle_with(lambda: seen.append(sum(cell is not None for cell in table._cells.values())))

    table.step(Step(adds, 1, SPACES, low, 9, ""))

    assert seen[:1] == [len(SPACES)]


def test_a_cut_that_meets_nothing_lets_what_was_heard_gather() -> None:
    _, table = opened()
    table.step(Step(True, 1, SPACES, 1, 3, ""))
    seen: list[None] = []
    table.settle_with(lambda: seen.append(None))

    table.step(Step(False, 1, SPACES, 4, 9, ""))

    assert not seen


@pytest.mark.parametrize(
    "fault",
    [
        Fault(
            "what is held is not kept up",
            RangesTable,
            "put_known",
            "held[place : place + stands] = [] if cell is None else [(key, cell)]",
            "pass",
        ),
        Fault("what was heard is followed behind a cut", RangesTable, "_cut_all", "self._settle()", "pass"),
        Fault("an edge is beyond it", RangesTable, "_between", "[1]) <= high", "[1]) < high"),
        Fault("it outlives its transaction", RangesTable, "forget", "self._held.clear()", "pass"),
        Fault("what was added is not cut again", RangesTable, "_add", "self._last_cuts.clear()", "pass"),
        Fault("what was cut outlives it", RangesTable, "forget", "self._last_cuts.clear()", "pass"),
        Fault("what was cut begins anywhere", RangesTable, "_cut_all", "last[0] <= low and", ""),
        Fault("what was cut ends anywhere", RangesTable, "_cut_all", "and high <= last[1]", ""),
        Fault("half of a group is all of it", RangesTable, "_read_whole", "limit=_HELD_MAX + 1", "limit=1"),
    ],
    ids=str,
)
def test_planted_faults_are_found(fault: Fault) -> None:
    search = settings(max_examples=200, report_multiple_bugs=False)(example(CUTS)(given(steps)(check)))
    with fault.planted(), pytest.raises((AssertionError, LookupError)):
        search()
