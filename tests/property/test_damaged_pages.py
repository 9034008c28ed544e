"""Whatever became of a page of a box, every verb and the package end in success or in an error of ours.

Laws. Nothing that looks changes the file. A repair that ends with 0 leaves a box at which `verify` finds
nothing; one that refused has changed nothing.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.property.random_values import RandomValues
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_specs import SCHEMAS

from pillarbox import cli
from pillarbox.errors import PillarboxError
from pillarbox.storage import open_engine
from pillarbox.storage.sqlite_file import PAGE_SIZE
from pillarbox_codegen import model

ROWS_A_TABLE: Final = 12


class Small(RandomValues):
    """Few values, so that rows of one table name those of another."""

    def scalar(self, name: str) -> st.SearchStrategy[Any]:
        plain: dict[str, st.SearchStrategy[Any]] = {
            "bool": st.booleans(),
            "text": st.text("abc é", max_size=20),
            "bytes": st.binary(max_size=9),
            "float64": st.floats(allow_nan=False),
        }
        return plain[name] if name in plain else st.integers(0, 12)

    def packed(self, definition: model.PackedId) -> st.SearchStrategy[Any]:
        return st.integers(0, 40)


def drawn(rows: st.SearchStrategy[Any]) -> list[Any]:
    """The same rows each time."""
    found: list[Any] = []

    @settings(
        max_examples=3, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.lists(rows, min_size=ROWS_A_TABLE, max_size=ROWS_A_TABLE))
    def draw(rows: list[Any]) -> None:
        found[:] = rows

    draw()
    return found


@cache
def whole_box(name: str) -> bytes:
    """A box of a schema with rows in each table that may be written, and what follows from them."""
    package = import_module(f"pillarbox_{name}")
    small = Small(SCHEMAS[name])
    with TemporaryDirectory(dir=IN_MEMORY) as folder:
        path = Path(folder, "whole.box")
        with package.open_box(path, durability="relaxed") as box:
            for table in SCHEMAS[name].tables.values():
                put(box, table.name, drawn(small.row(table)))
        return path.read_bytes()


def put(box: Any, table: str, rows: list[Any]) -> None:
    for row in rows:
        try:
            with box.transaction() as tx:
                writer: Any = getattr(tx, table, None)
                if not hasattr(writer, "put"):
                    return
                writer.put(row)
        except PillarboxError:  # it breaks a rule of its table
            continue


def cut(whole: bytes, at: int, random: Random) -> bytes:
    return whole[: at + random.randrange(PAGE_SIZE)]


def paged(page: Callable[[bytes, int, Random], bytes]) -> Callable[[bytes, int, Random], bytes]:
    """What makes a file of a whole one, out of what makes a page."""

    def damaged(whole: bytes, at: int, random: Random) -> bytes:
        return whole[:at] + page(whole, at, random) + whole[at + PAGE_SIZE :]

    return damaged


def flipped(whole: bytes, at: int, random: Random) -> bytes:
    page = bytearray(whole[at : at + PAGE_SIZE])
    for _ in range(12):
        page[random.randrange(PAGE_SIZE)] ^= 1 << random.randrange(8)
    return bytes(page)


def another(whole: bytes, at: int, random: Random) -> bytes:
    other = PAGE_SIZE * random.randrange(len(whole) // PAGE_SIZE)
    return whole[other : other + PAGE_SIZE]


DAMAGES: Final[dict[str, Callable[[bytes, int, Random], bytes]]] = {
    "zeroed": paged(lambda whole, at, random: bytes(PAGE_SIZE)),
    "random": paged(lambda whole, at, random: random.randbytes(PAGE_SIZE)),
    "flipped": paged(flipped),
    "another": paged(another),
    "cut": cut,
}


def run(*arguments: object) -> tuple[int, str]:
    """How a verb ends, and what it says. Raises what no verb may raise."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said), pytest.raises(SystemExit) as caught:
        cli.main([str(argument) for argument in arguments])
    assert isinstance(caught.value.code, int)
    return caught.value.code, said.getvalue()


def check_damaged(name: str, damage: str, page: int) -> None:
    whole = whole_box(name)
    file = DAMAGES[damage](whole, PAGE_SIZE * page, Random(f"{damage} {page}"))
    with TemporaryDirectory(dir=IN_MEMORY) as folder:
        path = Path(folder, "damaged.box")
        path.write_bytes(file)
        for arguments in looks(name, page):
            code, said = run(arguments[0], path, *arguments[1:])
            assert code in (cli.ExitCode.FINE, cli.ExitCode.FINDINGS, cli.ExitCode.STORE), said
            assert path.read_bytes() == file, f"{arguments} changed the file"
        code, said = run("repair", path, "--derived")
        if code == cli.ExitCode.FINE:
            assert run("verify", path, "--level", "derived") == (0, f"{path}: nothing wrong (derived)\n"), (
                said
            )
        elif code != cli.ExitCode.FINDINGS:
            assert code == cli.ExitCode.STORE, said
            assert path.read_bytes() == file, "who refuses to repair has changed the file"
        path.write_bytes(file)
        use(name, path)


def looks(name: str, page: int) -> Iterator[tuple[object, ...]]:
    yield from (("verify",), ("verify", "--level", "derived"), ("stat",), ("ls",))
    tables = sorted(import_module(f"pillarbox_{name}").PACKAGE.specs_by_id)
    for table in (tables[page % len(tables)], tables[-1 - page % len(tables)]):
        yield "scan", table
        yield "scan", table, "--newest-first", "--limit", 2, "--json"


def use(name: str, path: Path) -> None:
    """Open it, read all that it holds, write into each table."""
    try:
        with import_module(f"pillarbox_{name}").open_box(path, durability="relaxed", busy_ms=0) as box:
            for spec in box.package.specs:
                rows = read(box, spec.id)
                if spec.role == "primary":
                    put(box, spec.name, rows[-1:])
    except PillarboxError:
        pass


def read(box: Any, table: int) -> list[Any]:
    try:
        with box.reading() as reading:
            rows: list[Any] = reading.by_id()[table].rows_between(None, None)
            return rows
    except PillarboxError:
        return []


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_damaged_page_ends_in_an_error_of_ours_or_does_no_harm(name: str, damage: str) -> None:
    pages = len(whole_box(name)) // PAGE_SIZE
    tried = min(pages, max(4, settings().max_examples // 15))
    offset = list(DAMAGES).index(damage)
    for at in range(tried):
        check_damaged(name, damage, (offset + at * pages // tried) % pages)


def test_the_boxes_are_worth_damaging() -> None:
    for name in SCHEMAS:
        with TemporaryDirectory(dir=IN_MEMORY) as folder:
            path = Path(folder, "whole.box")
            path.write_bytes(whole_box(name))
            assert run("verify", path, "--level", "derived")[0] == cli.ExitCode.FINE
            with closing(open_engine(str(path), durability="relaxed")) as engine:
                specs = import_module(f"pillarbox_{name}").PACKAGE.specs
                rows = {spec.name: len(engine.scan(spec.layout, None, None)) for spec in specs}
        assert sum(rows.values()) > 300
        assert sum(map(bool, rows.values())) > len(rows) // 2, rows
