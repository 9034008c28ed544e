"""Servers that tell no updates: the pages of one are fetched, one is told what to do, one tells rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Package, imported
from tests.unit.sync.strangers.servers import flushed
from tests.unit.sync.strangers.test_small_strangers import Line
from tests.waiting import until

from pillarbox.errors import UsageError
from pillarbox.sync import Engine, Refused, Transient
from pillarbox.sync.protocol import NO_UPDATES

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent
#: Its protocol is read by a person, too.
WEATHER = Path(__file__).parents[3] / "golden/generated/told_by_rows/schema.yaml"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Package]:
    """What is generated from each schema."""
    folder = tmp_path_factory.mktemp("quiet")
    schemas = {"shelf": HERE / "shelf.yaml", "orders": HERE / "orders.yaml", "weather": WEATHER}
    return {name: imported(folder / name, path.read_text()) for name, path in schemas.items()}


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def rows(box: Any, table: Callable[[Any], Any]) -> list[Any]:
    """All rows of a table."""
    with box.reading() as tables:
        return list(table(tables).all())


def do(p: Package, box: Any, *operations: Any) -> None:
    with box.transaction() as tx:
        p.replay.replay(tx, operations)


async def test_holes_are_filled_where_nothing_is_counted(
    packages: dict[str, Package], tmp_path: Path
) -> None:
    p = packages["shelf"]
    asked = []

    def answer(request: Any) -> Any:
        asked.append(request)
        first = max(1, request.last - request.limit + 1)
        found = [p.types.Posts(request.room, n, f"post {n}") for n in range(first, request.last + 1)]
        return p.answers.Page(posts=tuple(found))

    with p.box.open_box(tmp_path / "a.box") as box:
        do(p, box, p.operations.OpenRoom(room=1, last=30))
        async with Engine(box, p.protocol.PROTOCOL, Line(answer)) as engine:
            await flushed(engine)
            assert asked == []
            with box.watch(p.views.Room(room=1)):
                await until(lambda: len(rows(box, lambda t: t.posts)) >= 8)

        stored = [row.n for row in rows(box, lambda t: t.posts)]
    assert stored == list(range(31 - len(stored), 31))
    assert [request.last for request in asked] == [30 - 4 * n for n in range(len(asked))]


async def test_wishes_are_sent_where_nothing_is_told(packages: dict[str, Package], tmp_path: Path) -> None:
    p = packages["orders"]
    said = [Transient("no network"), p.answers.Taken(state="taken"), Refused("SOLD_OUT")]
    with p.box.open_box(tmp_path / "a.box") as box:
        async with Engine(box, p.protocol.PROTOCOL, Line(lambda _request: said.pop(0))) as engine:
            do(p, box, p.operations.EnqueueOrder(number=1, what="tea"))
            await until(lambda: not rows(box, lambda t: t.outbox))
            do(p, box, p.operations.EnqueueOrder(number=2, what="cake"))
            await until(lambda: not rows(box, lambda t: t.outbox))
            await flushed(engine)
            assert not engine.updating

        assert [row.state for row in rows(box, lambda t: t.orders)] == ["taken", "SOLD_OUT"]


async def test_answers_and_pushes_of_rows_alone_are_followed(
    packages: dict[str, Package], tmp_path: Path
) -> None:
    p = packages["weather"]
    place = p.types.Places
    forgotten = False

    def answer(request: Any) -> Any:
        match request:
            case p.requests.GetAll():
                return p.answers.PlacesNow(places=(place(4, 8),), tag="c")
            case p.requests.GetPlaces(tag=""):
                return p.answers.PlacesNow(places=(place(1, 20), place(2, 7)), tag="a")
            case p.requests.GetPlaces(tag="a") if forgotten:
                return Refused("LOST")
        return p.answers.Same()

    with p.box.open_box(tmp_path / "a.box") as box:
        line = Line(answer)
        async with Engine(box, p.protocol.PROTOCOL, line) as engine:
            await flushed(engine)
            assert rows(box, lambda t: t.places) == [place(1, 20), place(2, 7)]
            line.push(p.containers.Storm(places=(place(2, 3), place(3, 1))))
            await until(lambda: rows(box, lambda t: t.places) == [place(1, 20), place(2, 3), place(3, 1)])
            forgotten = True
            engine.resync()
            await until(lambda: rows(box, lambda t: t.places) == [place(4, 8)])
            await until(lambda: not engine.updating)

        assert p.protocol.PROTOCOL.cursors.keys() == {5}
        with box.reading() as tables:
            assert p.protocol.PROTOCOL.position(tables, 5, b"") == ("c",)


async def test_what_pushes_something_where_nothing_is_pushed_is_heard_and_left(
    packages: dict[str, Package], tmp_path: Path
) -> None:
    p = packages["shelf"]
    line = Line(lambda _request: p.answers.Page(posts=()))
    with p.box.open_box(tmp_path / "a.box") as box:
        async with Engine(box, p.protocol.PROTOCOL, line) as engine:
            line.push("no container")
            await flushed(engine)


def test_there_is_no_update_of_which_anything_is_known() -> None:
    for ask in (NO_UPDATES.claim, NO_UPDATES.beside, NO_UPDATES.needs):
        with pytest.raises(UsageError, match="has no updates"):
            ask("told")
