"""Four servers that nobody had in mind: each is a schema, an adapter, and the engine.

A to-do list with one counter; mailboxes with a change mark that shows no gaps, and ids that may begin anew;
rooms whose server names its place by a token, keeps a question until there is news, and cuts long timelines;
issues of which hooks tell late, twice or never, under names that the generated code wants for itself.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from tests.unit.codegen_ops.making import Package, imported
from tests.unit.sync.strangers.servers import ForgeServer, Line, MailServer, RoomServer, Todos, flushed
from tests.waiting import SECONDS_MAX, until

from pillarbox.sync import Engine
from pillarbox.sync.record_entries import read_record
from pillarbox.sync.replaying import replay_record

pytestmark = pytest.mark.anyio
HERE = Path(__file__).parent
NAMES = ("todos", "mail", "rooms", "forge")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("strangers")


@pytest.fixture(scope="module")
def packages(folder: Path) -> dict[str, Package]:
    """What is generated from each schema."""
    return {name: imported(folder, (HERE / f"{name}.yaml").read_text()) for name in NAMES}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def follow(
    package: Package, path: Path, server: Any, random: Random, views: tuple[Any, ...] = ()
) -> AsyncIterator[tuple[Any, Engine[Any, Any]]]:
    """Five runs of a program, one after the other; at the end of the last nothing more happens."""
    for run in range(5):
        line = Line(server.answer, random)
        with package.box.open_box(path, durability="relaxed") as box, ExitStack() as looking:
            for view in views:
                looking.enter_context(box.watch(view))
            async with Engine(box, package.protocol.PROTOCOL, line) as engine:
                for _ in range(30):
                    line.push(*server.act())
                    await anyio.sleep(random.choice((0, 0.002, 0.01)))
                if run == 4:
                    yield box, engine
                    await flushed(engine)


@pytest.mark.parametrize("seed", range(3))
async def test_one_counter_is_enough(packages: dict[str, Package], tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    server = Todos(packages["todos"], random)

    async with follow(packages["todos"], tmp_path / "a.box", server, random) as (box, engine):

        def rows() -> Any:
            with box.reading() as tables:
                return {row.todo_id: row for row in tables.todos.all()}, tables.account.get().rev

        engine.resync()
        await until(lambda: rows() == (server.rows, len(server.log)))


@pytest.mark.parametrize("seed", range(3))
async def test_a_mark_without_gaps_is_enough(
    packages: dict[str, Package], tmp_path: Path, seed: int
) -> None:  # fmt: skip
    random = Random(seed)
    package = packages["mail"]
    server = MailServer(package, random)
    views = tuple(package.views.Mailbox(number) for number in (1, 2))

    async with follow(package, tmp_path / "a.box", server, random, views) as (box, engine):

        def differs() -> list[Any]:
            """Mails that are neither as on the server nor in a hole; the first 20 are in none."""
            found: list[Any] = []
            with box.reading() as tables:
                for number, folder in server.folders.items():
                    rows = {row.uid: row for row in tables.mails.all() if row.mailbox_id == number}
                    holes = [hole for hole in tables.mail_holes.all() if hole.mailbox_id == number]
                    newest = sorted(folder.mails)[-20:]
                    found += [uid for uid in rows if uid not in folder.mails]
                    for uid, (subject, flags, _) in folder.mails.items():
                        row = rows.get(uid)
                        if row is None:
                            missing = any(hole.lower <= uid <= hole.upper for hole in holes)
                            found += [uid] if uid in newest or not missing else []
                        elif (row.subject, row.flags) != (subject, flags):
                            found.append(uid)
            return found

        engine.resync()
        await until(lambda: not differs())


@pytest.mark.parametrize("seed", range(3))
async def test_a_token_is_enough(packages: dict[str, Package], tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    package = packages["rooms"]
    server = RoomServer(package, random)
    views = tuple(package.views.Room(number) for number in (1, 2))

    async with follow(package, tmp_path / "a.box", server, random, views) as (box, engine):

        def shown() -> bool:
            """The newest 30 of each room, in the order in which they were said."""
            with box.reading() as tables:
                rows = list(tables.timeline.all())
            return all(
                [row.message_id for row in rows if row.room_id == room][-30:]
                == [message.message_id for message in server.messages(room)[-30:]]
                for room in (1, 2)
            )

        await until(shown)
        await until(lambda: server.waiting == 1)
        asked = server.asked
        await anyio.sleep(0.1)
        assert server.most == 1
        assert server.asked == asked, "it is asked though a question waits"
        assert not engine.updating
        server.act()
        await until(shown)


async def test_a_page_ends_where_it_meets_what_is_known(packages: dict[str, Package], tmp_path: Path) -> None:
    """8.6: two timelines were cut before anybody looked; each message gets its place all the same."""
    package = packages["rooms"]
    server = RoomServer(package, Random(1))
    for _ in range(2):
        server.log += [
            (1, package.types.Messages(f"${len(server.log) + n}", 1, "@ada", "")) for n in range(10)
        ]
        with package.box.open_box(tmp_path / "a.box") as box:
            async with Engine(box, package.protocol.PROTOCOL, Line(server.answer, Random(2))):
                await until(lambda: server.waiting == 1)

    with package.box.open_box(tmp_path / "a.box") as box, box.watch(package.views.Room(1)):
        async with Engine(box, package.protocol.PROTOCOL, Line(server.answer, Random(2))):

            def shown() -> list[str]:
                with box.reading() as tables:
                    return [row.message_id for row in tables.timeline.all()]

            await until(lambda: len(shown()) == 20)
            assert shown() == [f"${number}" for number in range(20)]


async def test_a_session_without_containers_is_recorded(packages: dict[str, Package], tmp_path: Path) -> None:
    """What the schema has none of cannot be in the record; all else is, the questions that wait too."""
    package = packages["rooms"]
    server = RoomServer(package, Random(3))
    record = tmp_path / "a.record"
    with package.box.open_box(tmp_path / "a.box") as box:
        line = Line(server.answer, Random(4))
        async with Engine(box, package.protocol.PROTOCOL, line, record=record):
            for _ in range(10):
                server.act()
                await anyio.sleep(0.005)
            await until(lambda: server.waiting == 1)

        with package.box.open_box(tmp_path / "b.box") as again:
            replay_record(read_record(record), again, package.protocol.PROTOCOL)
            with box.reading() as one, again.reading() as other:
                assert one.stream.get() == other.stream.get() is not None
                assert list(one.timeline.all()) == list(other.timeline.all()) != []


@pytest.mark.parametrize("seed", range(4))
async def test_hooks_that_nothing_counts_are_enough(
    packages: dict[str, Package], tmp_path: Path, seed: int
) -> None:  # fmt: skip
    random = Random(seed)
    package = packages["forge"]
    server = ForgeServer(package, random)
    views = tuple(package.views.Body(number) for number in (1, 2))

    async with follow(package, tmp_path / "a.box", server, random, views) as (box, engine):
        for repo in server.repos.values():
            repo.taken = False
        server.time += 1

        def differs() -> list[Any]:
            """Issues that are neither as on the server nor in a hole; the last 20 are in none."""
            found: list[Any] = []
            with box.reading() as tables:
                for number, repo in server.repos.items():
                    rows = {row.key: row for row in tables.poll.all() if row.self_ == number}
                    holes = [hole for hole in tables.asked.all() if hole.self_ == number]
                    newest = sorted(repo.issues)[-20:]
                    for key in rows.keys() | repo.issues.keys():
                        missing = any(hole.lower <= key <= hole.upper for hole in holes)
                        if rows.get(key) != repo.issues.get(key) and (key in newest or not missing):
                            found.append((number, key, rows.get(key), repo.issues.get(key), holes))
            return found

        engine.resync()
        await until(lambda: not differs())
    assert max(server.gathered) <= 3


def test_a_type_checker_finds_nothing(packages: dict[str, Package], folder: Path) -> None:
    code = [word for name in NAMES for word in ("-p", f"pillarbox_{name}")]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *code],
        cwd=Path(__file__).parents[4],
        env={"MYPYPATH": f"{folder / 'generated'}:runtime:spark", "PATH": ""},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=5 * SECONDS_MAX,
    )
    assert found.stdout.startswith("Success"), found.stdout + found.stderr
