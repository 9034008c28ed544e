"""Three more servers that nobody had in mind, each with what it alone does.

Posts that are named by a second and a number in it, of which some go unsaid; calendars whose answers name the
next page or the next time to ask, and forget both; events behind a tag, with a word on how long to wait.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from tests.unit.codegen_ops.making import Package, imported
from tests.unit.sync.strangers.servers import flushed
from tests.waiting import until

from pillarbox.sync import Engine, Refused, Transient

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Package]:
    """What is generated from each schema."""
    folder = tmp_path_factory.mktemp("strangers")
    names = ("posts", "agenda", "feed")
    return {name: imported(folder / name, (HERE / f"{name}.yaml").read_text()) for name in names}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Line:
    """A connection to what answers, and what it says by itself."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._send, self._receive = anyio.create_memory_object_stream[Any](1_000)

    async def send(self, request: Any) -> Any:
        await anyio.sleep(0.001)
        return self._answer(request)

    async def listen(self) -> AsyncIterator[Any]:
        with self._send, self._receive:
            async for said in self._receive:
                yield said

    def push(self, said: Any) -> None:
        self._send.send_nowait(said)


# -------------------------------------------------------------------------------------- ids of two parts


async def test_what_a_page_of_ids_of_two_parts_does_not_have_goes(
    packages: dict[str, Package], tmp_path: Path
) -> None:
    p = packages["posts"]
    stored = {(100 + n // 2, n % 2): p.types.Posts(1, 100 + n // 2, n % 2, f"post {n}") for n in range(30)}

    def answer(request: Any) -> Any:
        if isinstance(request, p.requests.ListChannels):
            return p.answers.ChannelsNow(channels=(p.types.Channels(1, "general"),), at=1)
        low, high = (request.oldest_ts, request.oldest_n), (request.latest_ts, request.latest_n)
        found = sorted((at for at in stored if low <= at <= high), reverse=True)
        part = found[: request.limit]
        return p.answers.PostsPage(
            posts=tuple(map(stored.__getitem__, part)), has_more=len(found) > len(part)
        )

    async def seen() -> None:
        with p.box.open_box(tmp_path / "a.box") as box, box.watch(p.views.Channel(1)):

            def newest() -> list[tuple[int, int]]:
                with box.reading() as tables:
                    return [(row.ts, row.n) for row in tables.posts.all()][-10:]

            async with Engine(box, p.protocol.PROTOCOL, Line(answer)):
                await until(lambda: newest() == sorted(stored)[-10:])

    await seen()
    for at in ((114, 1), (113, 0), (112, 0), (111, 1)):
        del stored[at]
    await seen()


# ---------------------------------------------------------------------------- the next page, or the next time


class Calendars:
    """Of each calendar what became of its entries. A token is when it was made anew last, and a place."""

    def __init__(self, package: Package, random: Random) -> None:
        self.p, self.random = package, random
        #: Which came or went, the last one last.
        self.listed = ["a", "b"]
        self.names = {"a", "b"}
        self.logs: dict[str, list[tuple[str, str | None]]] = {name: [] for name in self.listed}
        self.made = dict.fromkeys(self.listed, 0)
        self.forgets = 0.0

    def rows(self, name: str) -> dict[str, Any]:
        now = dict(self.logs[name])
        return {entry: self.p.types.Entries(name, entry, title, 0) for entry, title in now.items() if title}

    def act(self) -> Any:
        if self.random.random() < 0.1:
            self.listed.append("b")
            self.names ^= {"b"}
        name, entry = self.random.choice(sorted(self.names)), f"entry {self.random.randint(1, 9)}"
        log = self.logs[name]
        log.append((entry, None if self.random.random() < 0.3 else f"title {len(log)}"))
        return self.p.containers.ChannelNotice(update=self.p.updates.Changed(calendar=name))

    def answer(self, request: Any) -> Any:
        answers = self.p.answers
        if self.random.random() < 0.1:
            return Transient("cut")
        if isinstance(request, self.p.requests.ListCalendars):
            return self._listed(request)
        name = request.calendar
        if name not in self.names:
            return Refused("NOT_FOUND")
        if self.random.random() < self.forgets:
            self.made[name] += 1
        made, place = map(int, (request.page or request.sync or f"{self.made[name]}:0").split(":"))
        if made != self.made[name]:
            return (
                self.random.choice((answers.Gone(), Refused("PAGE_UNKNOWN")))
                if request.page
                else answers.Gone()
            )
        part, now = self.logs[name][place : place + 3], self.rows(name)
        token, more = f"{made}:{place + len(part)}", place + len(part) < len(self.logs[name])
        told = dict(part)
        return answers.EntriesPage(
            entries=tuple(now[entry] for entry in told if entry in now),
            cancelled=tuple(entry for entry in told if entry not in now),
            next_page=token if more else None,
            next_sync=None if more else token,
        )

    def _listed(self, request: Any) -> Any:
        place = int(request.page or request.sync or 0)
        part, more = self.listed[place : place + 1], place + 1 < len(self.listed)
        token = str(place + len(part))
        return self.p.answers.CalendarsNow(
            calendars=tuple(self.p.types.Calendars(name, name) for name in part if name in self.names),
            removed=tuple(name for name in part if name not in self.names),
            next_page=token if more else None,
            next_sync=None if more else token,
        )


@pytest.mark.parametrize("seed", range(2))
async def test_an_answer_names_the_next_page_or_the_next_time(
    packages: dict[str, Package], tmp_path: Path, seed: int
) -> None:
    """What it does not name stays as it is; what is forgotten, or comes again, begins anew."""
    p = packages["agenda"]
    server = Calendars(p, Random(seed))

    async def run(forgets: float) -> None:
        server.forgets = forgets
        line = Line(server.answer)
        with p.box.open_box(tmp_path / "a.box", durability="relaxed") as box:

            def differs() -> bool:
                made, logs = server.made, server.logs
                with box.reading() as tables:
                    tokens = {row.calendar: (row.sync, row.page) for row in tables.calendar_cursor.all()}
                    if any(tokens[name] != (f"{made[name]}:{len(logs[name])}", "") for name in server.names):
                        return True
                    rows = [row for name in server.names for row in server.rows(name).values()]
                    return list(tables.entries.all()) != sorted(
                        rows, key=lambda row: (row.calendar, row.entry)
                    )

            async with Engine(box, p.protocol.PROTOCOL, line) as engine:
                await flushed(engine)
                for _ in range(30):
                    line.push(server.act())
                    await anyio.sleep(0.003)
                server.forgets = 0.0
                engine.resync()
                await flushed(engine)
                for name in server.names:
                    line.push(p.containers.ChannelNotice(update=p.updates.Changed(calendar=name)))
                await until(lambda: not differs())

    await run(0.0)
    await run(0.2)
    await run(0.0)


# --------------------------------------------------------------------------------------- how long to wait


async def test_a_server_says_how_long_to_wait_or_leaves_it_at_that(
    packages: dict[str, Package], tmp_path: Path
) -> None:
    p = packages["feed"]
    event = p.types.Events(1, 5, "ada")
    said = [
        p.answers.News(events=(event, event), etag="one", tenths=2),
        p.answers.NotModified(tenths=None),
        p.answers.News(events=(p.types.Events(2, 5, "eve"), event), etag="two", tenths=1),
        p.answers.NotModified(tenths=250),
    ]
    asked: list[tuple[Any, float]] = []

    def answer(request: Any) -> Any:
        asked.append((request.etag, anyio.current_time()))
        return said[len(asked) - 1]

    with p.box.open_box(tmp_path / "a.box") as box:
        async with Engine(box, p.protocol.PROTOCOL, Line(answer)):
            await until(lambda: len(asked) == 4)
            await anyio.sleep(0.5)
        with box.reading() as tables:
            assert tables.repos.get(5).events == 2

    assert [etag for etag, _ in asked] == [None, "one", "one", "two"]
    waits = [after - before for (_, before), (_, after) in pairwise(asked)]
    assert all(wait > least - 0.01 for wait, least in zip(waits, (0.2, 0.2, 0.1), strict=True)), waits
