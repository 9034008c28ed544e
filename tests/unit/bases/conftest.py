"""A box of the schema `bases`, by what tests do to it, and the package of the schema `lag`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.box import Box

SCHEMAS = Path(__file__).parents[2] / "data/schemas"
THREAD = 7


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(tmp_path_factory.mktemp("bases"), (SCHEMAS / "bases/schema.yaml").read_text())


class Forum:
    """A box of the schema, by what the tests do to it."""

    def __init__(self, package: Package, path: Path) -> None:
        self.o, self.t = package.operations, package.types
        self.box: Box[Any, Any] = package.box.open_box(path)
        self.open, self.kept, self.local = self.t.Shelf.OPEN, self.t.Shelf.KEPT, self.t.Shelf.LOCAL

    def apply(self, *operations: Any) -> None:
        self.box.replay(list(operations))

    def post(self, number: int, at: int | None = None, shelf: Any = None, **fields: Any) -> Any:
        place = self.open if shelf is None else shelf
        return self.t.Posts(
            thread=THREAD, shelf=place, at=100 + number if at is None else at, post=number,
            **{"marks": 1, **fields},
        )  # fmt: skip

    def add(self, *numbers: int, **fields: Any) -> None:
        self.apply(self.o.Add(posts=tuple(self.post(number, **fields) for number in numbers)))

    def answer(self, *, seen: int = 0, at: int = 0, unseen: int = 0, known: int = 0, rev: int = 0) -> None:
        version = self.asked.version if self.asked is not None else 0
        self.apply(self.o.Answer(
            thread=THREAD, shelf=self.open, seen=seen, at=at, unseen=unseen, known=known, rev=rev,
            version=version,
        ))  # fmt: skip

    def row(self, table: str, *key: Any) -> Any:
        """A row of the last commit."""
        with self.box.reading() as tables:
            return getattr(tables, table).get(*key)

    @property
    def asked(self) -> Any:
        return self.row("ask", THREAD)

    def seen(self, shelf: Any = None) -> Any:
        return self.row("seen", THREAD, self.open if shelf is None else shelf)

    def seen_at(self) -> Any:
        return self.row("seen_at", THREAD, self.open)


@pytest.fixture
def forum(bases: Package, tmp_path: Path) -> Iterator[Forum]:
    made = Forum(bases, tmp_path / "a.box")
    yield made
    made.box.close()


@pytest.fixture(scope="module")
def lag(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(tmp_path_factory.mktemp("lag"), (SCHEMAS / "lag/schema.yaml").read_text())
