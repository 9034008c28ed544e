"""Engines and tables for the storage tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.native_support import batches_go

from pillarbox.storage import Engine, TableLayout, open_engine

TABLES = (
    TableLayout(id=1, name="fixed", int_key=False, key_width=2, heap=False),
    TableLayout(id=2, name="varying", int_key=False, key_width=None, heap=False),
    TableLayout(id=3, name="numbered", int_key=True, key_width=None, heap=False),
    TableLayout(id=4, name="heap", int_key=False, key_width=2, heap=True),
)


@pytest.fixture
def fixed() -> TableLayout:
    return TABLES[0]


@pytest.fixture(params=TABLES, ids=lambda table: table.name)
def table(request: pytest.FixtureRequest) -> TableLayout:
    layout: TableLayout = request.param
    return layout


@pytest.fixture(params=["page", "carray", "memory"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An engine of each kind that has all tables. SQLite takes batches in two ways."""
    in_memory = request.param == "memory"
    with nullcontext() if in_memory else batches_go(request.param):
        path = ":memory:" if in_memory else str(tmp_path / "a.box")
        opened = open_engine(path, durability="relaxed", busy_ms=20)
    opened.begin()
    for layout in TABLES:
        opened.create(layout)
    opened.commit()
    yield opened
    opened.close()
