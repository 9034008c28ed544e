"""Tools see rows whole, and say where values lie wrongly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.property.law_machine import package_of

from pillarbox.box import Box
from pillarbox.inspect.findings import Finding, Findings
from pillarbox.inspect.stored import looked_at
from pillarbox.inspect.verify import verify
from pillarbox.storage import open_engine

PACKAGE: Any = package_of("refs")
TYPES = PACKAGE.types


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two letters with one stamp, and a third with a stamp of its own."""
    path = tmp_path / "a.box"
    shared, lone = TYPES.Printed(number=1, face="cat"), TYPES.Printed(number=2, face="dog")
    with Box(path, PACKAGE.box.PACKAGE) as box:
        for n, stamp in enumerate((shared, shared, lone)):
            letter = TYPES.Letters(box=1, at=5, n=n, text="hi", stamps=(stamp, TYPES.Drawn(face="sun")))
            box.replay([PACKAGE.operations.PutLetter(letter=letter)])
    return path


def found(path: Path) -> list[str]:
    told: list[Finding] = []
    engine = open_engine(str(path), durability="relaxed", read_only=True)
    verify(engine, "derived", PACKAGE.box.PACKAGE, Findings(told.append))
    engine.close()
    return [f"{one.table} {one.key}: {one.text}" for one in told]


def test_rows_are_read_whole_by_the_layout_in_the_box(path: Path) -> None:
    with looked_at(str(path)) as box:
        shape = box.named("letters")
        table = box.table(shape)
        rows = [table.row(key, value) for key, value in box.engine.scan(shape.stored, None, None)]

    faces = [[stamp.f2 if hasattr(stamp, "f2") else stamp.f1 for stamp in row.fields[1]] for row in rows]
    assert faces == [["cat", "sun"], ["cat", "sun"], ["dog", "sun"]]


def test_a_sound_box_has_no_findings(path: Path) -> None:
    assert found(path) == []


def test_a_shared_value_that_is_missing_is_told_for_each_row_and_by_itself(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("DELETE FROM t3")
    connection.close()

    told = found(path)

    assert sum(line.startswith("letters") and "which is not there" in line for line in told) == 2
    assert "stamps 1: it has more than one user, and is not here" in told


def test_a_value_with_one_user_is_told(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("DELETE FROM t4 WHERE k IN (SELECT min(k) FROM t4)")
    connection.close()

    assert "stamps 1: it has one user, and is not held" in found(path)
