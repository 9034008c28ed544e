"""Four servers that nobody had in mind: each is a schema, an adapter, and the engine.

A to-do list with one counter; mailboxes with a change mark that shows no gaps, and ids that may begin anew;
rooms whose server names its place by a token, keeps a question until there is news, and cuts long timelines;
issues of which hooks tell late, twice or never, under names that the generated code wants for itself.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from tests.unit.codegen_ops.making import Package, imported
from tests.waiting import until

from pillarbox.sync import Engine, Flood, Refused, SessionChanged, SessionLost, Transient
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


class Line:
    """A connection that loses some of what is pushed, and fails at times."""

    def __init__(self, answer: Callable[[Any], Any], random: Random) -> None:
        self._answer = answer
        self._random = random
        self._send, self._receive = anyio.create_memory_object_stream[Any](1_000)

    async def send(self, request: Any) -> Any:
        await anyio.sleep(self._random.random() / 200)
        answer = self._answer(request)
        found = await answer if hasattr(answer, "__await__") else answer
        if self._random.random() < 0.1:
            return self._random.choice((Transient("cut"), Flood(10), SessionLost()))
        return found

    async def listen(self) -> AsyncIterator[Any]:
        with self._send, self._receive:
            async for said in self._receive:
                yield said

    def push(self, *said: Any) -> None:
        for one in said:
            if self._random.random() < 0.7:
                self._send.send_nowait(one)
        if self._random.random() < 0.05:
            self._send.send_nowait(SessionChanged())


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
                    await engine.flush()


# ------------------------------------------------------------------------------------------ one counter


class Todos:
    """A list, and a log of what happened to it."""

    def __init__(self, package: Package, random: Random) -> None:
        self.p, self.random = package, random
        self.log: list[Any] = []
        self.rows: dict[int, Any] = {}

    def act(self) -> list[Any]:
        rev, todo = len(self.log) + 1, self.random.randint(1, 9)
        if self.random.random() < 0.3:
            self.rows.pop(todo, None)
            self.log.append(self.p.updates.TodoRemoved(todo_id=todo, rev=rev))
        else:
            self.rows[todo] = self.p.types.Todos(todo, f"text {rev}", done=False)
            self.log.append(self.p.updates.TodoChanged(todo=self.rows[todo], rev=rev))
        return [self.p.containers.One(update=self.log[-1])]

    def answer(self, request: Any) -> Any:
        part = self.log[request.since : request.since + 3]
        rev = request.since + len(part)
        return self.p.answers.Changed(updates=tuple(part), rev=rev, more=rev < len(self.log))


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


# ------------------------------------------------------------------------------- a mark that shows no gaps


class Folder:
    """One mailbox: uid -> (subject, flags, when they changed)."""

    def __init__(self, uidvalidity: int) -> None:
        self.uidvalidity, self.uidnext, self.mark = uidvalidity, 1, 1
        self.mails: dict[int, tuple[str, int, int]] = {}
        self.gone: list[tuple[int, int]] = []


class MailServer:
    """Two mailboxes, which are made anew now and then."""

    def __init__(self, package: Package, random: Random) -> None:
        self.p, self.random, self.epochs = package, random, 0
        self.folders = {number: self._folder() for number in (1, 2)}

    def _folder(self) -> Folder:
        self.epochs += 1
        return Folder(self.epochs)

    def act(self) -> list[Any]:
        number, chance = self.random.randint(1, 2), self.random.random()
        if chance < 0.03:
            self.folders[number] = self._folder()
            return []
        folder, updates = self.folders[number], self.p.updates
        folder.mark += self.random.randint(1, 5)
        uid = self.random.choice([0, *folder.mails])
        if chance < 0.5 or uid == 0:
            for _ in range(self.random.randint(1, 4)):
                folder.mails[folder.uidnext] = f"subject {folder.uidnext}", 0, folder.mark
                folder.uidnext += self.random.randint(1, 3)
            update = updates.Exists(mailbox_id=number)
        elif chance < 0.7:
            del folder.mails[uid]
            folder.gone.append((uid, folder.mark))
            update = updates.Vanished(mailbox_id=number, uids=(uid,))
        else:
            flags = self.random.randint(1, 99)
            folder.mails[uid] = folder.mails[uid][0], flags, folder.mark
            item = self.p.types.FlagItem(uid=uid, flags=flags)
            update = updates.FlagsChanged(mailbox_id=number, item=item, modseq=folder.mark)
        return [self.p.containers.Untagged(items=(update,))]

    def answer(self, request: Any) -> Any:
        answers, types = self.p.answers, self.p.types
        match type(request).__name__:
            case "ListStatus":
                found = [
                    types.Status(
                        types.Mailboxes(number, f"box {number}"), it.uidvalidity, it.uidnext, it.mark
                    )
                    for number, it in self.folders.items()
                ]
                return answers.Statuses(statuses=tuple(found), at=1)
            case "SelectResync":
                folder = self.folders[request.mailbox_id]
                same = request.uidvalidity == folder.uidvalidity
                since = request.modseq if same else folder.mark
                changed = [
                    types.FlagItem(uid, flags) for uid, (_, flags, at) in folder.mails.items() if at > since
                ]
                return answers.Selected(
                    uidvalidity=folder.uidvalidity,
                    uidnext=folder.uidnext,
                    highestmodseq=folder.mark,
                    vanished=tuple(uid for uid, at in folder.gone if at > since),
                    changed=tuple(changed),
                )
        assert type(request).__name__ == "UidFetch"
        mails = self.folders[request.mailbox_id].mails
        rows = [
            types.Mails(request.mailbox_id, uid, *mails[uid][:2])
            for uid in sorted(mails)
            if request.lo <= uid <= request.hi
        ]
        return answers.Fetched(mails=tuple(rows), modseq=0)


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


# --------------------------------------------------------------------- a token, and questions that wait


class RoomServer:
    """Rooms, of which only the last messages are told at once; a token is good for one epoch."""

    def __init__(self, package: Package, random: Random) -> None:
        self.p, self.random = package, random
        self.log: list[tuple[int, Any]] = []
        self.epoch = 1
        self.waiting = self.most = self.asked = 0

    def act(self) -> list[Any]:
        if self.random.random() < 0.01:
            self.epoch += 1
        room = self.random.randint(1, 2)
        self.log.append((room, self.p.types.Messages(f"${len(self.log)}", room, "@ada", "hello")))
        return []

    def messages(self, room: int) -> list[Any]:
        return [message for of, message in self.log if of == room]

    async def answer(self, request: Any) -> Any:
        if type(request).__name__ == "GetMessages":
            return self._page(request)
        self.asked += 1
        epoch, place = map(int, request.since.split("|")) if request.since else (self.epoch, 0)
        if epoch != self.epoch:
            return Refused("UNKNOWN_TOKEN")
        if request.wait_ms:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            try:
                while place == len(self.log) and epoch == self.epoch:
                    await anyio.sleep(0.002)
            finally:
                self.waiting -= 1
        return self._news(place)

    def _news(self, place: int) -> Any:
        joined = []
        for room in sorted({room for room, _ in self.log[place:]}):
            new = [message for of, message in self.log[place:] if of == room]
            told = new[-3:]
            before = f"{self.messages(room).index(told[0])}"
            row = self.p.types.Rooms(room, f"room {room}", len(new))
            joined.append(self.p.types.JoinedRoom(row, len(new) > 3, before, tuple(told)))
        return self.p.answers.Synced(next=f"{self.epoch}|{len(self.log)}", joined=tuple(joined), left=())

    def _page(self, request: Any) -> Any:
        end = int(request.token)
        start = max(end - min(request.limit, 4), 0)
        rows = tuple(reversed(self.messages(request.room_id)[start:end]))
        return self.p.answers.Page(messages=rows, end=f"{start}" if start else None)


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


# ---------------------------------------------------------------------------- hooks that nothing counts


class Repo:
    """Issues, and which are gone, each with the time of that."""

    def __init__(self, at: int) -> None:
        self.pushed, self.last, self.oldest = at, 0, 0
        self.taken = False
        self.issues: dict[int, Any] = {}
        self.gone: dict[int, int] = {}


class ForgeServer:
    """Two repositories. It sends hooks in any order, and tells nothing of what is long ago."""

    def __init__(self, package: Package, random: Random) -> None:
        self.p, self.random, self.time = package, random, 1
        self.repos = {number: Repo(0) for number in (1, 2)}
        self.late: list[Any] = []
        self.gathered: list[int] = []

    def row(self, number: int) -> Any:
        repo, access = self.repos[number], self.p.types.Access
        return self.p.types.Spread(
            number, f"repo {number}", repo.pushed, access.TAKEN if repo.taken else access.GIVEN
        )

    def act(self) -> list[Any]:
        number, chance = self.random.randint(1, 2), self.random.random()
        repo, updates = self.repos[number], self.p.updates
        self.time += 1
        repo.pushed = self.time
        if chance < 0.05:
            repo.taken = not repo.taken
        if 0.05 < chance < 0.09:  # What was before is not told one by one any more.
            repo.oldest = self.time
            repo.gone.clear()
        key = self.random.choice([*repo.issues, 0])
        if chance < 0.4 and key:
            del repo.issues[key]
            repo.gone[key] = self.time
            update = updates.PollRemoved(self_=number, key=key, at=self.time)
        else:
            if not key:
                repo.last += self.random.randint(1, 2)
                key = repo.last
            author = f"user{self.random.randint(1, 9)}"
            repo.issues[key] = self.p.types.Poll(number, key, f"title {self.time}", author, self.time)
            update = updates.PollChanged(poll=repo.issues[key])
        self.late += [self.p.containers.Hook(update=update, spread=self.row(number))] * self.random.choice(
            (1, 1, 2)
        )
        self.random.shuffle(self.late)
        sent, self.late = self.late[2:], self.late[:2]
        return sent

    def answer(self, request: Any) -> Any:
        answers, types = self.p.answers, self.p.types
        match type(request).__name__:
            case "ListSpread":
                if request.standing == f"etag {self.time}":
                    return answers.NotModified()
                return answers.Defs(spread=tuple(map(self.row, self.repos)), standing=f"etag {self.time}")
            case "ListPoll":
                return self._listed(request)
            case "GetAround":
                self.gathered.append(len(request.answer))
                return answers.Withs(
                    around=tuple(types.Around(name, name.upper()) for name in request.answer)
                )
        assert type(request).__name__ == "PageOf"
        issues = self.repos[request.self_].issues
        found = sorted(key for key in issues if request.lo <= key <= request.hi)
        if not request.up:
            found.reverse()
        return answers.Page(poll=tuple(issues[key] for key in found[: request.limit]))

    def _listed(self, request: Any) -> Any:
        repo, answers = self.repos[request.self_], self.p.answers
        if repo.taken:
            return answers.NoSpread()
        if request.brought < repo.oldest:
            return answers.TooOld(last=repo.last, at=self.time)
        changed = sorted(
            (it for it in repo.issues.values() if it.updated > request.brought), key=lambda it: it.updated
        )
        part, more = changed[:4], len(changed) > 4
        at = part[-1].updated if more else self.time
        gone = tuple(key for key, when in repo.gone.items() if request.brought < when <= at)
        return answers.Listed(poll=tuple(part), key=gone, at=at, more=more)


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


# ------------------------------------------------------------------------------------------------- types


def test_a_type_checker_finds_nothing(packages: dict[str, Package], folder: Path) -> None:
    code = [word for name in NAMES for word in ("-p", f"pillarbox_{name}")]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *code],
        cwd=Path(__file__).parents[4],
        env={"MYPYPATH": f"{folder / 'generated'}:runtime:spark", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout.startswith("Success"), found.stdout + found.stderr
