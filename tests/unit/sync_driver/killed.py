"""A process that starts syncing processes and kills them: `python -m tests.unit.sync_driver.killed`.

It holds the server, and forks: a child needs no start of Python, and has a copy of the server as it is. A
child keeps the one box in step, over a connection that loses a part of what is pushed, until it is killed: at
a random moment, or right behind a commit. After each kill the box is opened and verified; each tenth time a
child is let through, and the box compared with the server. What came of it is printed as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import anyio
from tests.sim.tracker_server import TrackerServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.inspect.findings import Findings
from pillarbox.inspect.stored import opened
from pillarbox.inspect.verify import verify
from pillarbox.sync import Engine
from pillarbox.testing import Knobs
from pillarbox_tracker import PACKAGE, open_box
from pillarbox_tracker.protocol import PROTOCOL

#: Every container has a number, so that whatever is lost is told again to who asks.
KNOBS = Knobs(bundle=0.3, ranged=0.2, shuffled=0.3, counts=3, page=7)
BACKENDS = ("asyncio", "trio")
#: How long a child lives at least and at most, in seconds; it opens the box and takes in what is pushed.
LIFE = 0.01, 0.12


class Connection:
    """To a copy of the server; `lost` is the chance that something pushed does not arrive."""

    def __init__(self, server: TrackerServer, pushes: Sequence[Any], random: Random, lost: float) -> None:
        self.server = server
        self._pushes = pushes
        self._random = random
        self._lost = lost
        self._is_all_said = False

    async def said(self) -> None:
        """Wait until all that is pushed has been said."""
        await until(lambda: self._is_all_said)

    async def send(self, request: Any, /) -> Any:
        """As `Transport.send`."""
        await anyio.sleep(self._random.random() / 1_000)
        return self.server.answer(request)

    async def listen(self) -> AsyncIterator[Any]:
        """As `Transport.listen`."""
        for container in self._pushes:
            if self._random.random() >= self._lost:
                yield container
            if self._random.random() < 0.3:
                await anyio.sleep(self._random.random() / 500)
        self._is_all_said = True
        await anyio.sleep_forever()


def positions(path: Path) -> dict[tuple[int, Any], Any]:
    """Where the cursors of the box stand."""
    with open_box(path) as box, box.reading() as tables:
        account, projects = tables.account.get(), list(tables.project.all())
    return {
        (110, b""): (0, 0) if account is None else (account.rev, account.seq),
        **{(111, row.project_id): row.rev for row in projects},
    }


def faults(path: Path) -> list[str]:
    """What is wrong with the box."""
    found: list[str] = []
    with opened(str(path)) as engine:
        verify(engine, "derived", PACKAGE, Findings(lambda finding: found.append(str(finding))))
    return found


def dies(box: Any, commits: int) -> None:
    """Have this process killed right behind so many commits, before anybody hears of the last."""
    apply, left = box.apply, [commits]

    def apply_and_die(work: Any) -> Any:
        applied = apply(work)
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        return applied

    box.apply = apply_and_die


def child(path: Path, connection: Connection, number: int, *, until_done: bool, commits: int = 0) -> None:
    """Sync, for ever or until nothing is left; never comes back. With `commits` it dies."""

    async def main() -> None:
        with open_box(path, durability="relaxed") as box:
            if commits:
                dies(box, commits)
            async with Engine(box, PROTOCOL, connection) as engine:
                if not until_done and not commits:
                    await anyio.sleep_forever()
                with anyio.fail_after(SECONDS_MAX):
                    if commits:  # so many may never come
                        await connection.said()
                        await engine.flush()
                        os.kill(os.getpid(), signal.SIGKILL)
                    await engine.flush()
                    engine.resync()
                    await engine.flush()
                await until(lambda: not engine.updating)

    code = 1
    try:
        anyio.run(main, backend=BACKENDS[number % 2])
        code = 0
    finally:
        os._exit(code)


class Kills:
    """The server, the box, and what was wrong."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.path = folder / "killed.box"
        self.random = Random(seed)
        self.server = TrackerServer(KNOBS, Random(seed))
        self.wrong: list[str] = []
        self.moved = 0

    def kill(self, number: int) -> None:
        """Begin a child, push to it, kill it, and look at what it leaves."""
        random, before = self.random, positions(self.path)
        pushes = [it for _ in range(random.randint(5, 40)) for it in self.server.change(random)]
        if number % 10 == 7:  # so much is forgotten that a difference cannot be told
            for (cursor, _, part), log in self.server.logs.items():
                log.horizon = log.end if (cursor, part) == (110, 0) else log.horizon
        commits = random.randint(1, 6) if number % 2 else 0
        pid = self._begin(pushes, number, until_done=False, commits=commits)
        life = random.uniform(*LIFE)
        if not commits:  # those die by themselves: some of them move, however slow the machine is
            time.sleep(life)
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        self._verify(f"kill {number}")
        after = positions(self.path)
        self.moved += after != before
        if after[110, b""][0] < before[110, b""][0]:
            self.wrong.append(f"kill {number}: the account went back from {before} to {after}")

    def let_through(self, number: int) -> None:
        """Begin a child and wait for its end; the box then holds what the server has."""
        pushes = self.server.finish()
        _, status = os.waitpid(self._begin(pushes, number, until_done=True), 0)
        if status:
            self.wrong.append(f"after kill {number}: a child that was let through ended with {status}")
        self._verify(f"after kill {number}")
        with open_box(self.path) as box, box.reading() as tables:
            self.wrong += [f"after kill {number}: {text}" for text in self.server.wrong(tables)]
            if debts := list(tables.debts.all()):
                self.wrong.append(f"after kill {number}: it is still owed {debts}")

    def _begin(self, pushes: Sequence[Any], number: int, *, until_done: bool, commits: int = 0) -> int:
        pid = os.fork()
        if not pid:
            lost = 0.0 if until_done else 0.2
            connection = Connection(self.server, pushes, Random(number), lost)
            child(self.path, connection, number, until_done=until_done, commits=commits)
        return pid

    def _verify(self, when: str) -> None:
        self.wrong += [f"{when}: {fault}" for fault in faults(self.path)]


def main(folder: Path, kills: int, seed: int) -> None:
    """Kill so often, and tell."""
    for backend in BACKENDS:
        anyio.run(anyio.sleep, 0, backend=backend)  # so that no child has to load it
    open_box(folder / "warm.box").close()
    killing = Kills(folder, seed)
    killing.let_through(0)
    for number in range(kills):
        killing.kill(number)
        if number % 10 == 9:
            killing.let_through(number)
    killing.let_through(kills)
    print(json.dumps({"wrong": killing.wrong[:20], "moved": killing.moved}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
