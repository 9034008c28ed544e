"""A process that starts syncing processes and kills them: `python -m tests.unit.sync_driver.killed`.

It holds the server, and forks: a child needs no start of Python, and has a copy of the server as it is. A
child keeps the one box in step, over a connection that loses a part of what is pushed, until it is killed at
a random moment. After each the box is opened and verified; the last child is let through to the end. What
came of it is printed as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import anyio
from tests.sim.tracker_server import TrackerServer

from pillarbox.inspect.findings import Findings
from pillarbox.inspect.stored import opened
from pillarbox.inspect.verify import verify
from pillarbox.sync import Engine
from pillarbox.testing import Knobs
from pillarbox_tracker import PACKAGE, open_box
from pillarbox_tracker.protocol import PROTOCOL

KNOBS = Knobs(bundle=0.3, unnumbered=0.2, ranged=0.2, shuffled=0.3, counts=3, page=7)
BACKENDS = ("asyncio", "trio")
#: How long a child lives at least and at most, in seconds; it opens the box and takes in what is pushed.
LIFE = 0.005, 0.1
#: How long the last one may take.
LAST = 30


class Connection:
    """To a copy of the server; `lost` is the chance that something pushed does not arrive."""

    def __init__(self, server: TrackerServer, pushes: Sequence[Any], random: Random, lost: float) -> None:
        self.server = server
        self._pushes = pushes
        self._random = random
        self._lost = lost

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


def child(path: Path, connection: Connection, seed: int, *, until_done: bool) -> None:
    """Sync, for ever or until nothing is left; never comes back."""

    async def main() -> None:
        with open_box(path, durability="relaxed") as box:
            async with Engine(box, PROTOCOL, connection) as engine:
                if not until_done:
                    await anyio.sleep_forever()
                with ExitStack() as looks, anyio.fail_after(LAST):
                    for cursor, key in connection.server.watched():  # nothing else tells that a push was lost
                        looks.enter_context(engine.look(cursor, key))
                    await anyio.sleep(1.5)
                    engine.resync()
                    await engine.flush()
                    while engine.updating:
                        await anyio.sleep(0.01)

    code = 1
    try:
        anyio.run(main, backend=BACKENDS[seed % 2])
        code = 0
    finally:
        os._exit(code)


def main(folder: Path, kills: int, seed: int) -> None:
    """Kill so often, then finish, and tell."""
    path, random = folder / "killed.box", Random(seed)
    server = TrackerServer(KNOBS, Random(seed))
    wrong: list[str] = []

    def begin(pushes: Sequence[Any], number: int, lost: float, *, until_done: bool) -> int:
        pid = os.fork()
        if not pid:
            child(path, Connection(server, pushes, Random(number), lost), number, until_done=until_done)
        return pid

    def finish(pushes: Sequence[Any], number: int) -> None:
        _, status = os.waitpid(begin(pushes, number, 0.0, until_done=True), 0)
        if status:
            wrong.append(f"a child that was let through ended with {status}")

    for backend in BACKENDS:
        anyio.run(anyio.sleep, 0, backend=backend)  # so that no child has to load it
    open_box(folder / "warm.box").close()
    finish((), 0)
    before, moved = positions(path), 0
    for number in range(kills):
        pushes = [container for _ in range(random.randint(5, 40)) for container in server.change(random)]
        if random.random() < 0.2:
            server.refuse(random)
        elif random.random() < 0.5:
            server.allow()
        if number % 10 == 7:  # so much is forgotten that a difference cannot be told
            for log in [log for (cursor, _, part), log in server.logs.items() if (cursor, part) == (110, 0)]:
                log.horizon = log.end
        pid = begin(pushes, number, 0.2, until_done=False)
        time.sleep(random.uniform(*LIFE))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        wrong += [f"kill {number}: {fault}" for fault in faults(path)]
        after = positions(path)
        moved += after != before
        if after[110, b""][0] < before[110, b""][0]:
            wrong.append(f"kill {number}: the account went back from {before} to {after}")
        before = after
    server.allow()
    finish(list(server.finish()), kills)
    wrong += faults(path)
    with open_box(path) as box, box.reading() as tables:
        wrong += [f"in the end: {text}" for text in server.wrong(tables)]
        owed = len(list(tables.debts.all()))
    ends = {domain: log.end for domain, log in server.logs.items()}
    print(json.dumps({"wrong": wrong, "moved": moved, "owed": owed, "rev": max(ends.values())}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
