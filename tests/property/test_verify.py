"""A box that only its package wrote is clean; what was changed behind its back is found, and repaired."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.property.bulk_worlds import WORLDS, Record, World
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY, replayed

from pillarbox.box import Package
from pillarbox.bulk import differences
from pillarbox.errors import DataError
from pillarbox.inspect import derived, repair, verify
from pillarbox.inspect.findings import Finding, Findings
from pillarbox.inspect.stored import opened
from pillarbox.storage import Engine, open_engine
from pillarbox.tables import TableSpec

#: Those with layouts of their own; the ones wired by hand store none that could be read.
GENERATED = WORLDS[2:]
Damage = Literal["value", "key", "gone", "more"]
damages: st.SearchStrategy[Damage] = st.sampled_from(("value", "key", "gone", "more"))


def found_in(path: Path, package: Package[Any, Any], level: verify.Level) -> list[Finding]:
    """All that verifying a box finds."""
    found: list[Finding] = []
    findings = Findings(found.append, shown_max=1_000)
    with opened(str(path)) as engine:
        verify.verify(engine, level, package, findings)
    assert findings.total == len(found)
    return found


def repaired(path: Path, package: Package[Any, Any]) -> repair.Outcome:
    engine = open_engine(str(path), durability="relaxed")
    try:
        return repair.repair_derived(engine, package)
    finally:
        engine.close()


def damaged(
    path: Path, package: Package[Any, Any], data: st.DataObject, *, of_derived: bool
) -> tuple[TableSpec[Any], Any]:
    """Change one row of one table behind the package's back; the table, and the key that was touched."""
    engine = open_engine(str(path), durability="relaxed")
    try:
        held = {
            spec: rows
            for spec in package.specs
            if (spec.role == "derived") == of_derived and (rows := engine.scan(spec.layout, None, None))
        }
        assume(held)
        spec = data.draw(st.sampled_from(list(held)))
        key, value = data.draw(st.sampled_from(held[spec]))
        engine.begin()
        touched = _damage(engine, spec, key, value, data)
        engine.commit()
    finally:
        engine.close()
    return spec, touched


def _damage(engine: Engine, spec: TableSpec[Any], key: Any, value: bytes, data: st.DataObject) -> Any:
    damage = data.draw(damages)
    other = key + 1 if isinstance(key, int) else _flipped(key, data)
    assume(damage not in ("key", "more") or engine.get(spec.layout, other) is None)
    if damage in ("key", "gone"):
        engine.remove_many(spec.layout, [key])
    if damage in ("key", "more"):
        engine.put_many(spec.layout, [other], [value])
    if damage == "value":
        engine.put_many(spec.layout, [key], [_flipped(value, data)])
    return other if damage in ("key", "more") else key


def _flipped(raw: bytes, data: st.DataObject) -> bytes:
    """The bytes with one of them changed; something where there was nothing."""
    if not raw:
        return b"\1"
    at = data.draw(st.integers(0, len(raw) - 1))
    return raw[:at] + bytes((raw[at] ^ data.draw(st.integers(1, 255)),)) + raw[at + 1 :]


def check_derived(world: World, records: Sequence[Record], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        path, before = Path(folder, "a.box"), Path(folder, "before.box")
        replayed(world.package, path, records)
        shutil.copy(path, before)
        assert found_in(path, world.package, "derived") == []

        spec, _ = damaged(path, world.package, data, of_derived=True)
        assert spec.name in {finding.table for finding in found_in(path, world.package, "derived")}

        outcome = repaired(path, world.package)
        assert [it.table for it in outcome.repaired] == [spec.name]
        assert outcome.failed == {}
        assert found_in(path, world.package, "derived") == []
        assert differences(world.package, before, path) == []
        assert repaired(path, world.package).repaired == []


@pytest.mark.parametrize("world", GENERATED, ids=str)
def test_damage_to_a_derived_table_is_found_and_repaired(world: World) -> None:
    @settings(max_examples=max(10, settings().max_examples // 4))
    @given(records=world.records(), data=st.data())
    def law(records: list[Record], data: st.DataObject) -> None:
        check_derived(world, records, data)

    law()


@pytest.mark.parametrize("world", GENERATED, ids=str)
def test_a_row_of_another_table_is_found_or_reads_and_repair_leaves_it(world: World) -> None:
    @settings(max_examples=max(10, settings().max_examples // 4))
    @given(records=world.records(), data=st.data())
    def law(records: list[Record], data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            path, before = Path(folder, "a.box"), Path(folder, "before.box")
            replayed(world.package, path, records)
            spec, key = damaged(path, world.package, data, of_derived=False)
            shutil.copy(path, before)

            found = [it for it in found_in(path, world.package, "records") if it.table == spec.name]
            assert reads(path, spec, key) or found

            failed = repaired(path, world.package).failed
            left = [spec for spec in world.package.specs if spec.role != "derived"]
            assert rows(before, left) == rows(path, left)
            if not failed:
                assert not [
                    it
                    for it in found_in(path, world.package, "derived")
                    if it.table is None or world_role(world, it.table) == "derived"
                ]

    law()


def world_role(world: World, table: str) -> str:
    return next(spec.role for spec in world.package.specs if spec.name == table)


def reads(path: Path, spec: TableSpec[Any], key: Any) -> bool:
    """Whether generated code reads the row, or it is not there."""
    with opened(str(path)) as engine:
        value = engine.get(spec.layout, key)
    if value is None:
        return True
    try:
        spec.key_fields(key)
        spec.row(key, spec.cell_from(value))
    except DataError:
        return False
    return True


def rows(path: Path, specs: Sequence[TableSpec[Any]]) -> dict[str, list[tuple[Any, bytes]]]:
    with opened(str(path)) as engine:
        return {spec.name: engine.scan(spec.layout, None, None) for spec in specs}


FAULTS = (
    Fault("rows that are missing are not seen", derived, "paired", "elif first is None", "elif True"),
    Fault("only keys are compared", derived, "paired", "if first[1] != second[1]:", "if False:"),
    Fault("rows too many stay", repair, "_put_right", "gone.append(key)", "pass"),
    Fault("the last slice is not written", repair, "_put_right", "counts = flush()\n    return", "return"),
    Fault("twins are not looked at", verify, "_derived", "in twins.differences(spec, box.engine)", "in ()"),
    Fault("a twin is not made", derived.Twins, "_make", "fill(tx, {target.id})", "pass"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_breaks_the_law(fault: Fault) -> None:
    world = GENERATED[0]

    @settings(HARD, max_examples=200)
    @given(records=world.records(), data=st.data())
    def law(records: list[Record], data: st.DataObject) -> None:
        check_derived(world, records, data)

    with fault.planted(), pytest.raises((AssertionError, UnboundLocalError)):
        law()
