"""A box of a drawn schema, opened by a drawn other version of it, and by the first one again.

Laws. What becomes of the box is what the docs say of the change. Who refuses it, or may only read it, changes
no byte. Else each row is there, each field that is kept has its value and each new one its default; derived
tables are those that a new box has of these rows; a group that counts on from a server's base is in doubt, or
has what it would have had under this version from the beginning; where no rule is another, what is kept is as
before. An end before the commit leaves the box as it was. The first version then reads what it wrote, and
writes where it may.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias
from unittest.mock import patch

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from tests.property.drawn_schemas import Tree, drawn_schema
from tests.property.drawn_versions import UNKNOWN, Plain, Version, version_of
from tests.property.mutants import HARD, Fault
from tests.property.schema_edits import (
    EDITS,
    Edit,
    Fate,
    change_default,
    drawn_edit,
)
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_verify import found_in

from pillarbox import layout
from pillarbox.box import Box, opening
from pillarbox.errors import LayoutConflict, LayoutNewer, PillarboxError, RecordCorrupt, UniqueViolation
from pillarbox.inspect.stored import opened
from pillarbox_codegen import model

#: Number of a table -> its rows by their keys, without names.
Model: TypeAlias = dict[int, dict[Any, Plain]]
#: What rows of these say hangs on their rules.
_COUNTED: Final = (model.Marker, model.AnchoredCount, model.Stale)


class House:
    """A box, who wrote it last, and what was done to it."""

    def __init__(self, folder: Path, tree: Tree, version: Version) -> None:
        self.folder = folder
        self.path = folder / "a.box"
        self.tree = tree
        self.version = version
        self.history: list[tuple[Version, Any]] = []

    def write(self, data: st.DataObject, most: int) -> None:
        """Do operations; those that are refused are no part of the history."""
        kinds = sorted(self.version.schema.operations)
        kinds += ["put_papers", *(it for it in kinds if it.startswith("tell_"))] * 2
        with Box(self.path, self.version.package, durability="relaxed") as box:
            for operation in data.draw(self.version.operations(kinds, most)):
                try:
                    box.replay([operation])
                except PillarboxError:
                    continue
                self.history.append((self.version, operation))

    def move(self, tree: Tree, version: Version, fates: list[Fate]) -> str:
        """Have another version open the box; what became of it."""
        before, rows, kept = self.path.read_bytes(), self.rows(self.version), self.bytes_of(self.version)
        image = self.folder / "image.box"
        try:
            with imaged(self.path, image), Box(self.path, version.package, durability="relaxed") as box:
                became = str(box.opened)
        except (LayoutConflict, UniqueViolation) as error:
            became = "refused" if isinstance(error, LayoutConflict) else "not unique"
        event(became)
        assert became in _expected(fates), (became, fates)
        if became in ("refused", "not unique"):
            assert self.path.read_bytes() == before
            assert self.rows(self.version) == rows
            return became
        if became == "newer":
            self._read_only(version, rows)
            assert self.path.read_bytes() == before
            return became
        if image.exists():  # as of an end right before the commit
            assert self._read(image, self.version) == rows
        self.tree, self.version = tree, version
        self._check(rows)
        if {*fates} <= {"names", "quiet", "none"}:
            now = self.bytes_of(version)
            assert {number: now[number] for number in kept} == kept
        return became

    def _check(self, rows: Model) -> None:
        """That all is there, and what follows follows."""
        wanted, found = self._carried(rows), self.rows(self.version)
        assert {number: found[number] for number in wanted} == wanted
        assert found_in(self.path, self.version.package, "derived") == []
        assert found_in(self.path, self.version.package, "records") == []
        self._check_afresh()
        self._check_counted()

    def _carried(self, rows: Model) -> Model:
        """What this version should have of the rows of another."""
        new, found = self.version, dict[int, dict[Any, Plain]]()
        tables = {it.id: it for it in new.schema.tables.values()}
        for number in self.rows(new):
            rule = tables[number].rule
            if isinstance(rule, _COUNTED):
                continue
            found[number] = {}
            for plain in rows.get(number, {}).values():
                row = new.plain_row(tables[number], new.row_of(tables[number], plain))
                if isinstance(rule, model.Ranges) and not _clip(row, rule):
                    continue
                found[number][_key(row)] = row
        return found

    def _check_afresh(self) -> None:
        """Derived tables against those of a new box that has these rows written."""
        fresh, tables = self.folder / "fresh.box", self.version.schema.tables
        fresh.unlink(missing_ok=True)
        specs = self.version.package.specs
        primary = [it for it in specs if it.role == "primary"]
        primary.sort(key=lambda it: tables[it.name].owned is not None)  # owners first
        with Box(fresh, self.version.package, durability="relaxed") as box, self._opened() as held:
            with box.transaction() as tx:
                for spec in primary:
                    for row in held[spec.id]:
                        tx.table_at(spec.id).put(row)
            with box.reading() as readers:
                if any([*_rows(readers, spec)] != held[spec.id] for spec in primary):
                    return  # what is filled by writing is otherwise by now
        with opened(str(self.path)) as one, opened(str(fresh)) as other:
            for spec in specs:
                if spec.role == "derived":
                    there, here = one.scan(spec.layout, None, None), other.scan(spec.layout, None, None)
                    assert there == here, spec.name

    @contextmanager
    def _opened(self) -> Iterator[dict[int, list[Any]]]:
        with Box(self.path, self.version.package, durability="relaxed") as box, box.reading() as readers:
            yield {
                spec.id: [*_rows(readers, spec)]
                for spec in self.version.package.specs
                if spec.role == "primary"
            }

    def _check_counted(self) -> None:
        """Groups that are not in doubt against a box that this version had from the beginning."""
        fresh = self.folder / "counted.box"
        fresh.unlink(missing_ok=True)
        version = self.version
        with Box(fresh, version.package, durability="relaxed") as box:
            for other, operation in self.history:
                if (done := version.operation_from(other, operation)) is None:
                    continue
                try:
                    box.replay([done])
                except PillarboxError:
                    return  # what was done once is not done now
        there, then = self._read(self.path, version), self._read(fresh, version)
        tables = version.schema.tables
        for counted, asked in (("seen", "unsure"), ("told", "doubted")):
            name, doubted = (version.named(it) for it in (counted, asked))
            if name not in tables:
                continue
            number, doubt = tables[name].id, tables[doubted].id
            if then.keys() != there.keys():
                return
            for group in (there[number].keys() | then[number].keys()) - there[doubt].keys():
                one, other = (it[number].get(group, {}) for it in (there, then))
                assert _counts(one) == _counts(other), (name, group, one, other)

    def rows(self, version: Version) -> Model:
        """All rows that do not follow from others."""
        return self._read(self.path, version)

    def _read(self, path: Path, version: Version) -> Model:
        found: Model = {}
        tables = version.schema.tables
        with Box(path, version.package, durability="relaxed") as box, box.reading() as readers:
            for spec in version.package.specs:
                if spec.role in ("primary", "kept"):
                    rows = [version.plain_row(tables[spec.name], it) for it in _rows(readers, spec)]
                    found[spec.id] = {_key(row): row for row in rows}
        return found

    def _read_only(self, version: Version, rows: Model) -> None:
        """What may only be read is read as it was written, or told to be of a newer package."""
        tables = version.schema.tables
        with Box(self.path, version.package, durability="relaxed") as box:
            with box.reading() as readers:
                for spec in version.package.specs:
                    if spec.role != "primary":
                        continue
                    with _newer():
                        for row in _rows(readers, spec):
                            plain = version.plain_row(tables[spec.name], row)
                            was = rows[spec.id][_key(plain)]
                            assert {
                                at for at in plain if plain[at] != was[at] and not _has_unknown(plain[at])
                            } == set()
            with pytest.raises(LayoutNewer), box.transaction() as tx:
                tx.begin_write() if hasattr(tx, "begin_write") else tx.crates.put(None)

    def bytes_of(self, version: Version) -> dict[int, Any]:
        """What is stored of tables that follow from others, or are kept."""
        with opened(str(self.path)) as engine:
            return {
                spec.id: list(engine.scan(spec.layout, None, None))
                for spec in version.package.specs
                if spec.role in ("derived", "kept")
            }


@contextmanager
def _newer() -> Iterator[None]:
    try:
        yield
    except RecordCorrupt as error:
        if "a newer package wrote the row" not in str(error):
            raise


def _has_unknown(plain: Plain) -> bool:
    return repr(UNKNOWN[0]) in repr(plain)


def _key(plain: Plain) -> Any:
    return tuple(value for at, value in plain.items() if at < 0)


def _counts(plain: Plain) -> dict[int, Any]:
    """What is not zero: a group that is not there has nothing."""
    return {at: value for at, value in plain.items() if at > 0 and value}


def _clip(row: Plain, rule: model.Ranges) -> bool:
    """Leave of a range what lies where it may go; whether that is anything."""
    (upper,) = (at for at in row if at < 0 and at != min(row))
    low, high = (edge[0] if edge else other for edge, other in ((rule.start, None), (rule.end, None)))
    row[1] = row[1] if low is None else max(row[1], low)
    row[upper] = row[upper] if high is None else min(row[upper], high)
    return bool(row[1] <= row[upper])


def _rows(readers: Any, spec: Any) -> Iterator[Any]:
    reader = readers.by_id()[spec.id]
    return (reader.SPEC.row(key, cell) for key, cell in reader.scan_cells(None, None))


def _expected(fates: list[Fate]) -> set[str]:
    """What may become of a box by all these changes."""
    if "refused" in fates:
        return {"refused"}
    if "newer" in fates:
        return {"newer"} if {*fates} <= {"newer", "names", "none"} else {"newer", "refused"}
    if {*fates} <= {"names", "none"}:
        return {"same"}
    return {"same", "upgraded", "not unique"}


@contextmanager
def imaged(path: Path, image: Path) -> Iterator[None]:
    """Copy the files of a box when all of an upgrade is done but the commit."""
    real = opening._remember

    def remember(engine: Any, package: Any) -> None:
        real(engine, package)
        for suffix in ("", "-wal"):
            if (part := Path(f"{path}{suffix}")).exists():
                shutil.copy(part, f"{image}{suffix}")

    for suffix in ("", "-wal", "-shm"):
        Path(f"{image}{suffix}").unlink(missing_ok=True)
    with patch.object(opening, "_remember", remember):
        yield


def law_of(hard: settings, has: Collection[str] = (), edits: Sequence[Edit] = EDITS) -> None:
    """The laws, over pairs and triples of versions: of schemas with these tables, by these changes."""

    @hard
    @given(data=st.data(), moves=st.integers(1, 2))
    def law(data: st.DataObject, moves: int) -> None:
        tree = drawn_schema(data.draw, has)
        version = version_of(tree)
        assume(version is not None)
        assert version is not None
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            house = House(Path(folder), tree, version)
            house.write(data, 14)
            for _ in range(moves):
                visit(house, data, edits)

    law()


def visit(house: House, data: st.DataObject, edits: Sequence[Edit] = EDITS) -> None:
    """Another version opens the box and writes to it, and the one of before opens it again."""
    tree, fates = house.tree, list[Fate]()
    for _ in range(data.draw(st.integers(1, 3))):
        after, fate = drawn_edit(data.draw, tree, edits)
        if fate != "none" and version_of(after) is not None:
            tree, fates = after, [*fates, fate]
    version = version_of(tree)
    assert version is not None
    before = house.tree, house.version
    if house.move(tree, version, fates) in ("same", "upgraded"):
        house.write(data, 5)
        assert found_in(house.path, version.package, "derived") == []
        back(house, before[1])


def back(house: House, old: Version) -> None:
    """The version of before opens what another has taken on: it reads it rightly, or refuses it."""
    before = house.path.read_bytes()
    copy = house.folder / "back.box"
    copy.write_bytes(before)
    rows = house.rows(house.version)
    try:
        with Box(copy, old.package, durability="relaxed") as box:
            became = box.opened
            tables = old.schema.tables
            with box.reading() as readers:
                for spec in old.package.specs:
                    if spec.role == "primary":
                        with _newer():
                            for row in _rows(readers, spec):
                                plain = old.plain_row(tables[spec.name], row)
                                now = rows[spec.id][_key(plain)]
                                wrong = {
                                    at
                                    for at in plain.keys() & now.keys()
                                    if not _has_unknown(plain[at]) and not _within(plain[at], now[at])
                                }
                                assert not wrong, (spec.name, plain, now)
    except (LayoutConflict, UniqueViolation):
        assert copy.read_bytes() == before
        return
    event(f"back: {became}")
    if became == "newer":
        assert copy.read_bytes() == before
    else:
        assert found_in(copy, old.package, "derived") == []


def _within(older: Plain, newer: Plain) -> bool:
    """Whether all that the older value tells is what the newer one tells."""
    if isinstance(older, dict) and isinstance(newer, dict):
        return all(_within(older[at], newer[at]) for at in older.keys() & newer.keys())
    if isinstance(older, list | tuple) and isinstance(newer, list | tuple):
        return len(older) == len(newer) and all(map(_within, older, newer))
    return bool(older == newer)


def test_what_a_drawn_change_makes_of_a_box() -> None:
    law_of(settings(max_examples=max(20, settings().max_examples // 3)))


#: A fault, the tables that show it, and the changes that do.
FAULTS: Final[tuple[tuple[Fault, Collection[str], Sequence[Edit]], ...]] = (
    (
        Fault("defaults are not compared", layout._Comparison, "_default", "was != now", "False"),
        (),
        (change_default,),
    ),
)


@pytest.mark.parametrize(("fault", "has", "edits"), FAULTS, ids=[str(fault) for fault, *_ in FAULTS])
def test_a_planted_fault_is_found(fault: Fault, has: Collection[str], edits: Sequence[Edit]) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError)):
        law_of(settings(HARD, max_examples=150), has, edits)
