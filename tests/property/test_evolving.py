"""A box that one version of a schema wrote, opened by others in any order: no row is lost.

Laws. Opening says what the versions alone say (`evolving.outcome`). After an upgrade each row holds what was
written, new fields their defaults; derived tables are what a new box makes of the same rows; the box
verifies. No number is given twice. Who is refused, or may only read, changes no byte, and is told which file
it is and what to do.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.evolving import Row, Version, outcome, package_of, versions_near
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_verify import found_in

from pillarbox.box import Box, opening
from pillarbox.errors import LayoutConflict, LayoutNewer, PillarboxError, RecordCorrupt
from pillarbox.inspect.stored import opened
from pillarbox.layout import _Comparison

#: Table -> key -> what was ever written of the row.
Model: TypeAlias = dict[str, dict[tuple[int, ...], Row]]
_KEYS: Final = {
    "items": ("shelf", "number"),
    "boxes": ("box",),
    "labels": ("label",),
    "extra": ("n",),
    "spare": ("n",),
}
#: What a field has that was not written; None: it was always there.
_DEFAULTS: Final[Mapping[str, Row]] = {"items": {"rank": 7}, "labels": {"colour": 5}}
_tiny: Final = st.integers(0, 2)


def fields_of(version: Version) -> dict[str, dict[str, st.SearchStrategy[Any]]]:
    """The tables of a version, and values of their fields; types of the schema as plain tuples."""
    grown = version.grown
    photo = st.tuples(st.just("Photo"), _tiny, _tiny if "case_field" in grown else st.just(4))
    media = [photo, st.tuples(st.just("Sound"), _tiny)]
    if "case" in grown:
        media.append(st.tuples(st.just("Film"), st.just("f")))
    urgent = st.booleans() if "nested_field" in grown else st.just(True)
    names = st.sampled_from(("a", "b"))
    tables: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "items": {
            "name": names,
            "kind": st.integers(0, 2 if "value" in grown else 1),
            "media": st.lists(st.one_of(media), max_size=2).map(tuple),
            "note": st.none() | st.tuples(names, urgent),
        },
        "boxes": {"size": _tiny},
        "labels": {"weight": _tiny},
    }
    if "field" in grown:
        tables["items"]["rank"] = _tiny
    if "removed" not in grown:
        tables["boxes"]["old"] = _tiny
    if "packed_field" in grown:
        tables["labels"]["colour"] = _tiny
    if "table" in grown:
        tables["extra"] = {"at": _tiny}
    if "given_up" not in grown:
        tables["spare"] = {"at": _tiny}
    return tables


def struct_of(package: ModuleType, version: Version, table: str, key: tuple[int, ...], row: Row) -> Any:
    """A row as the package of a version has it."""
    types, grown = package.types, version.grown
    values: Row = {
        name: row.get(name, _DEFAULTS.get(table, {}).get(name)) for name in fields_of(version)[table]
    }
    if table == "items":
        sound = types.Noise if version.renamed else types.Sound
        made = []
        for case, first, *more in values["media"]:
            kind = sound if case == "Sound" else getattr(types, case)
            made.append(kind(first, *(more if "case_field" in grown else ())))
        values["media"] = tuple(made)
        values["kind"] = types.Kind(values["kind"])
        if values["note"] is not None:
            body, urgent = values["note"]
            values["note"] = types.Note(body, urgent) if "nested_field" in grown else types.Note(body)
    if table == "boxes":
        values["serial"] = row.get("serial", 0)
    if table == "boxes" and "removed" in grown:
        values["_reserved_2"] = row.get("old")  # what was written is kept, and nobody sees it
    return getattr(types, table.capitalize())(**dict(zip(_KEYS[table], key, strict=True)), **values)


def unknown(version: Version, row: Row) -> bool:
    """Whether a newer version wrote what this one cannot read: a value, or a field of a packed row."""
    is_packed = version.broken != "layout"
    is_longer = is_packed and "packed_field" not in version.grown and row.get("colour", 5) != 5
    return is_longer or (row.get("kind") == 2 and "value" not in version.grown)


class House:
    """One box, and what should be in it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "a.box"
        self._fresh = folder / "fresh.box"
        self.version: Version | None = None
        self.model: Model = {table: {} for table in _KEYS}
        self._given: set[int] = set()

    def visit(self, version: Version, data: st.DataObject) -> None:
        """Open the box by a version, look at it, write to it where that may be done."""
        package = package_of(version)
        expected = "created" if self.version is None else outcome(self.version, version)
        before = self.path.read_bytes() if self.path.exists() else b""
        if expected == "refused":
            with pytest.raises(LayoutConflict, match="Open it with the package that wrote it") as refused:
                Box(self.path, package.PACKAGE, durability="relaxed")
            assert str(self.path) in str(refused.value)
            assert refused.value.reasons
            assert self.path.read_bytes() == before
            return
        with Box(self.path, package.PACKAGE, durability="relaxed") as box:
            assert box.opened == expected
            self._look(package, version, box)
            if expected == "newer":
                with pytest.raises(LayoutNewer, match="Update the package"), box.transaction() as tx:
                    tx.boxes.put(struct_of(package, version, "boxes", (9,), {"size": 1, "old": 1}))
            else:
                self._write(package, version, box, data)
                self._look(package, version, box)
        if expected == "newer":
            assert self.path.read_bytes() == before
            return
        self.version = version
        self._check_derived(package, version)

    def _write(self, package: ModuleType, version: Version, box: Box[Any, Any], data: st.DataObject) -> None:
        with box.transaction() as tx:
            for table, fields in fields_of(version).items():
                part = st.integers(0, 8) if table == "boxes" else _tiny  # so that some are new at each visit
                keys = st.lists(st.tuples(*[part] * len(_KEYS[table])), max_size=4, unique=True)
                for key in data.draw(keys):
                    row = data.draw(st.fixed_dictionaries(fields))
                    stored = getattr(tx, table).put(struct_of(package, version, table, key, row))
                    if table == "boxes":
                        row = self._numbered(key, row, stored.serial)
                    self.model[table][key] = row

    def _numbered(self, key: tuple[int, ...], row: Row, serial: int) -> Row:
        """The row with the number that it was given, or has kept."""
        if (was := self.model["boxes"].get(key)) is not None:
            assert serial == was["serial"]
        else:
            assert serial not in self._given
        self._given.add(serial)
        return {**row, "serial": serial}

    def _look(self, package: ModuleType, version: Version, box: Box[Any, Any]) -> None:
        with box.reading() as tables:
            for table, reader in self._tables(tables, version):
                for key, row in self.model[table].items():
                    if unknown(version, row):
                        with pytest.raises(RecordCorrupt, match="a newer package wrote the row: update this"):
                            reader.get(*key)
                    elif any(case == "Film" for case, *_ in row.get("media", ())) and (
                        "case" not in version.grown
                    ):
                        assert len(reader.get(*key).media) == len(row["media"])
                    else:
                        assert reader.get(*key) == struct_of(package, version, table, key, row)

    def _tables(self, tables: Any, version: Version) -> Iterator[tuple[str, Any]]:
        for table in fields_of(version):
            yield table, getattr(tables, table)

    def _check_derived(self, package: ModuleType, version: Version) -> None:
        assert found_in(self.path, package.PACKAGE, "derived") == []
        assert found_in(self.path, package.PACKAGE, "records") == []
        self._fresh.unlink(missing_ok=True)
        with Box(self._fresh, package.PACKAGE, durability="relaxed") as box, box.transaction() as tx:
            for table, written in self._tables(tx, version):
                for key, row in self.model[table].items():
                    written.put(struct_of(package, version, table, key, row))
        specs = [spec for spec in package.PACKAGE.specs if spec.role == "derived"]
        with opened(str(self.path)) as one, opened(str(self._fresh)) as other:
            for spec in specs:
                assert one.scan(spec.layout, None, None) == other.scan(spec.layout, None, None), spec.name


def law_of(hard: settings) -> None:
    """The laws, over histories of one box."""

    @hard
    @given(data=st.data(), visits=st.integers(2, 5))
    def law(data: st.DataObject, visits: int) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            house = House(Path(folder))
            for _ in range(visits):
                house.visit(data.draw(versions_near(house.version or Version())), data)

    law()


def test_a_box_outlives_what_a_schema_may_become() -> None:
    law_of(settings(max_examples=max(10, settings().max_examples // 3)))


#: For new tables; the line is there once more, for those that are made again.
_CREATES = "engine.create(package.specs_by_id[number].layout)\n    stale"

FAULTS = (
    Fault("tables are not filled", opening, "_upgrade", "fill(tx, stale)", "pass"),
    Fault(
        "what follows from a table made again is not", opening, "_upgrade", "tx.followers_of(", "set("
    ),
    Fault(
        "what a table held by its old rule stays",
        opening,
        "_upgrade",
        "engine.drop(_whatever(number))\n        engine",
        "engine",
    ),
    Fault("new tables are not made", opening, "_upgrade", _CREATES, "pass\n    stale"),
    Fault("what it is now is not remembered", opening, "_remember", "engine.set_meta(LAYOUT, ", "id("),
    Fault("an older package takes a newer box", opening, "_in_transaction", "difference.lacks:", "False:"),
    Fault("a sequence begins anew", opening, "_upgrade", "in difference.renumbered", "in ()"),
    Fault("rules are not compared", _Comparison, "rules", "if old is None", "if True"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError)):
        law_of(settings(HARD, max_examples=200))
