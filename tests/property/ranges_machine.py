"""Whatever may happen to tables of ranges, step by step, compared with sets of points.

The schema is `tests/data/schemas/ranges`, and a second version of it with upgrades.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule
from msgspec.structs import astuple
from tests.property.law_machine import EngineMachine
from tests.property.ranges_world import (
    ATS,
    GROUP_PARTS,
    POINTS,
    SEEDED,
    At,
    Point,
    World,
    between,
    blocks,
    order,
)
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.tables import ChangeRecord

SCHEMA = Path(__file__).parents[1] / "data/schemas/ranges/schema.yaml"
UPGRADED = (
    ("name: law_of_ranges", "name: law_of_upgraded_ranges"),
    ("constants: {tags: [1, 2]}", "constants: {tags: [1, 2, 3]}"),
    (
        "    spots: [{when: shelf > 0, do: [{add_range: {range: all}}]}]\n",
        "    spots:\n"
        "      - {when: shelf > 0, do: [{add_range: {range: all}}]}\n"
        '      - {do: [{cut_range: {range: "[[1, 1], [1, 0]]"}}]}\n'
        "  upgrade:\n"
        "    - {number: 2, table: holes, when: shelf == 3, "
        'do: [{add_range: {space: "[0, 3]", range: all}}]}\n'
        '    - {number: 5, table: spots, do: [{cut_range: {range: "[[1, 1], [1, 0]]"}}]}\n',
    ),
)

tables = st.sampled_from(sorted(POINTS))
some_tables = st.sampled_from(("holes", "spots", "pages"))


def edges(table: str) -> st.SearchStrategy[Point]:
    """Points, those that clipping takes away among them."""
    beyond: dict[str, list[Point]] = {
        "pages": [(-128,), (0,), (7,), (127,)],
        "days": [(-(1 << 63),), (4,), ((1 << 63) - 1,)],
        "holes": [(0,), (6,), (65535,)],
        "spots": [(0, 0), (1, 2), (2, 253), (255, 0)],
        "lines": [(4, 0, 0), (3, 0, 2), (3, 2, 253), (-5, 2, 9)],
        "ends": [],
    }
    near = POINTS[table][:4] + POINTS[table][-4:]
    return st.sampled_from(near + near + beyond[table])


stretches = tables.flatmap(
    lambda name: st.tuples(st.just(name), st.sampled_from(ATS[name]), edges(name), edges(name))
)


@cache
def package(upgraded: bool) -> Package:
    text = SCHEMA.read_text()
    for old, new in UPGRADED if upgraded else ():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return imported(Path(tempfile.mkdtemp()), text)


class RangesMachine(EngineMachine):
    """Transactions of random length, with reads, rollbacks, reopenings and one upgrade."""

    def __init__(self) -> None:
        super().__init__()
        self.made = package(False)
        self.committed = World()
        self.model = World()
        self.open_new(self.made.specs.ALL)

    def open_package(self) -> None:
        self.tx = self.made.transaction.Transaction(self.engine)
        self.tables = self.made.transaction.Tables(self.engine)

    # ------------------------------------------------------------------------------------- steps

    @rule(adds=st.booleans(), stretch=stretches)
    def step_somewhere(self, adds: bool, stretch: tuple[str, At, Point, Point]) -> None:
        self.step(adds, stretch)

    def step(self, adds: bool, stretch: tuple[str, At, Point, Point]) -> None:
        table, at, low, high = stretch
        self.begin()
        written = getattr(self.tx, table)
        (written.add_range if adds else written.cut_range)(*at, *low, *high)
        self.model.step(adds, table, at, low, high)

    @rule(table=some_tables, which=st.integers(0, 99), longer=st.booleans())
    def remove_under(self, table: str, which: int, longer: bool) -> None:
        self.begin()
        at = ATS[table][which % len(ATS[table])]
        under = at if longer else at[: GROUP_PARTS[table]]
        method = {
            ("pages", 1): "remove_of_book", ("spots", 1): "remove_of_shelf",
            ("holes", 2): "remove_of_side", ("holes", 4): "remove_of_tag",
        }[table, len(under)]  # fmt: skip
        gone = [each for each in ATS[table] if each[: len(under)] == under]

        count = getattr(getattr(self.tx, table), method)(*under)

        assert count == sum(len(blocks(table, self.model.sets[table][each])) for each in gone)
        self.model.touch(table, at)
        for each in gone:
            self.model.sets[table][each] = frozenset()

    # ------------------------------------------------------------------------------------- reads

    @precondition(lambda self: self.is_open)
    @rule(stretch=stretches)
    def look(self, stretch: tuple[str, At, Point, Point]) -> None:
        self.look_at(getattr(self.tx, stretch[0]), self.model, *stretch)

    @precondition(lambda self: not self.is_open)
    @rule(stretch=stretches)
    def look_from_outside(self, stretch: tuple[str, At, Point, Point]) -> None:
        """Reading writes nothing: the check that follows finds the same marks."""
        self.look_at(getattr(self.tables, stretch[0]), self.committed, *stretch)
        self.check()

    def look_at(self, reader: Any, world: World, table: str, at: At, low: Point, high: Point) -> None:
        points = world.sets[table][at]
        asked = between(table, low, high)
        assert reader.covers(*at, *low) == (low in points)
        found = [self.edges_of(row, table) for row in reader.intersecting(*at, *low, *high)]
        ranges = blocks(table, points)
        expected = [each for each in ranges if between(table, *each) & asked]
        assert found == expected
        if order(table, low) <= order(table, high):
            closest = reader.closest(*at, *low, *high)
            below = [each for each in ranges if order(table, each[1]) < order(table, low)]
            above = [each for each in ranges if order(table, each[0]) > order(table, high)]
            assert [self.edges_of(row, table) for row in closest.intersecting] == expected
            assert closest.below == self.row_of(reader, at, below[-1:])
            assert closest.above == self.row_of(reader, at, above[:1])

    def edges_of(self, row: Any, table: str) -> tuple[Point, Point]:
        """(lower, upper) of a row."""
        parts = astuple(row)
        count = len(POINTS[table][0])
        return tuple(map(int, parts[-count:])), tuple(map(int, parts[-2 * count : -count]))

    def row_of(self, reader: Any, at: At, ranges: list[tuple[Point, Point]]) -> Any:
        for lower, upper in ranges:
            return reader.spec.row(
                reader.spec.key_of(self.row(reader, at, lower, upper)), self.cell(reader, lower)
            )
        return None

    def row(self, reader: Any, at: At, lower: Point, upper: Point) -> Any:
        row_class = getattr(self.made.types, reader.spec.name.capitalize())
        return row_class(*at, *upper, *lower)

    def cell(self, reader: Any, lower: Point) -> bytes:
        cell: bytes = getattr(self.made.packed, reader.spec.name.upper()).encode(*lower)
        return cell

    @rule(which=st.integers(0, 99), table=st.sampled_from(SEEDED))
    def read_rows(self, which: int, table: str) -> None:
        """Scans, points and batches of one group show the same."""
        reader = getattr(self.tx if self.is_open else self.tables, table)
        world = self.model if self.is_open else self.committed
        at = ATS[table][which % len(ATS[table])]
        group = at[: GROUP_PARTS[table]]
        rows = sorted(row for row in world.rows(table) if row[: len(group)] == group)
        method = {"holes": "of_side", "spots": "of_shelf"}[table]
        found = getattr(reader, method)(*group)
        assert sorted(map(astuple, found)) == rows
        assert getattr(reader, method)(*group, newest_first=True, limit=2) == found[::-1][:2]
        keys = [reader.spec.key_of(row) for row in found]
        assert reader.rows_at(keys) == found
        assert [reader.row_at(key) for key in keys] == found
        rows_at = [self.row(reader, at, point, point) for point in POINTS[table]]
        every = [reader.spec.key_of(row) for row in rows_at]
        expected = [row for row in found if reader.spec.key_of(row) in every]
        assert reader.rows_at(every) == expected
        assert [row for key in every if (row := reader.row_at(key)) is not None] == expected

    # -------------------------------------------------------------------------------------- ends

    @precondition(lambda self: self.is_open)
    @rule()
    def commit(self) -> None:
        record = self.tx.seal()
        self.tx.commit()
        self.check_record(record)
        self.committed = self.model
        self.check()

    @precondition(lambda self: self.is_open)
    @rule()
    def pour(self) -> None:
        """As a build of archives commits: it is told what went."""
        stored = {spec.id: dict(self.engine.scan(spec.layout, None, None)) for spec in self.made.specs.ALL}
        poured = self.tx.pour()
        self.tx.commit()
        for table, batch, gone in poured:
            before = stored[table.spec.id]
            left = {key: before[key] for key in before.keys() - {key for key, _ in gone}}
            assert {key: before[key] for key, _ in gone} == {
                key: table.spec.bytes_of(cell) for key, cell in gone
            }
            assert left.keys().isdisjoint(batch.puts)
            now = {**left, **dict(zip(batch.puts, batch.values, strict=True))}
            assert now == dict(self.engine.scan(table.spec.layout, None, None))
        self.committed = self.model
        self.check()

    @precondition(lambda self: not self.is_open and not self.committed.upgraded)
    @rule(adds=st.booleans(), at=st.sampled_from(ATS["spots"]), low=edges("spots"), high=edges("spots"))
    def upgrade(self, adds: bool, at: At, low: Point, high: Point) -> None:
        """The same box, with a package that has upgrades."""
        self.made = package(True)
        self.committed.upgrade()
        self.open_package()
        self.check()
        self.step(adds, ("spots", at, low, high))

    # ------------------------------------------------------------------------------------- checks

    def check_record(self, record: ChangeRecord) -> None:
        """The change record is the difference of what was and what is, as it was read."""
        before, after = self.committed, self.model
        for table in POINTS:
            old, new = self.sides(table, record)
            assert old == before.rows(table) - after.rows(table), table
            assert new == after.rows(table) - before.rows(table), table
        for table in SEEDED:
            old, new = self.sides(f"{table}_seeded", record)
            was, now = ({(*at, n) for at, n in world.marks[table].items()} for world in (before, after))
            assert (old, new) == (was - now, now - was)

    def sides(self, table: str, record: ChangeRecord) -> tuple[set[Any], set[Any]]:
        spec = getattr(self.made.specs, table.upper())
        changes = record.tables.get(spec.id, {})
        old, new = (
            {
                astuple(spec.row(key, change[side]))
                for key, change in changes.items()
                if change[side] is not None
            }
            for side in (0, 1)
        )
        return old, new

    def check(self) -> None:
        """The transaction is over: the file holds what it must, and every group reads as it must."""
        self.is_open = False
        world = self.committed
        for table in POINTS:
            reader = getattr(self.tables, table)
            stored = {astuple(row) for row in reader.all()}
            rows = world.rows(table)
            if table not in SEEDED:
                assert stored == rows, table
                continue
            width = GROUP_PARTS[table]
            touched = {row for row in rows if row[:width] in world.marks[table]}
            current = {at for at, n in world.marks[table].items() if n or not world.upgraded}
            assert {row for row in stored if row[:width] in current} == {
                row for row in touched if row[:width] in current
            }
            assert {row[:width] for row in stored} <= world.marks[table].keys()
            marks = getattr(self.tables, f"{table}_seeded").all()
            assert {astuple(row) for row in marks} == {(*at, n) for at, n in world.marks[table].items()}
            method = {"holes": "of_side", "spots": "of_shelf"}[table]
            groups = {at[:width] for at in ATS[table]}
            assert {astuple(row) for group in groups for row in getattr(reader, method)(*group)} == rows


class FileMachine(RangesMachine):
    """The same, in a file that is closed and opened again."""

    in_file = True


class SpreadingMachine(RangesMachine):
    """Two in 45 spaces spread what is done to them: these more often."""

    @rule(
        adds=st.booleans(),
        at=st.sampled_from([at for at in ATS["holes"] if at[0] != 2 and at[2:] == (0, 0)]),
        low=edges("holes"),
        high=edges("holes"),
    )
    def step_that_spreads(self, adds: bool, at: At, low: Point, high: Point) -> None:
        self.step(adds, ("holes", at, low, high))
