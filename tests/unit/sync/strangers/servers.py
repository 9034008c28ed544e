"""Models of servers of the four strangers, and a connection to them that loses some and at times fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import anyio
from tests.unit.codegen_ops.making import Package
from tests.waiting import SECONDS_MAX

from pillarbox.sync import Engine, Flood, Refused, SessionChanged, SessionLost, Transient


async def flushed(engine: Engine[Any, Any]) -> None:
    """Its flush, which comes; or the test fails."""
    with anyio.fail_after(SECONDS_MAX):
        await engine.flush()


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
