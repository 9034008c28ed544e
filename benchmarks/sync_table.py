"""The sync engine: how many updates it applies in a second, and how soon a container is a snapshot.

Updates go through everything: the container is taken apart, counters are checked, needs are read, operations
are merged, replayed and committed with the cursor. Once the machine is stepped and its transactions are run
in this thread, a container after the other; once all are given to the engine on an event loop, which makes
one batch of what has gathered. The floor replays the very operations of the same updates, merged, in
transactions of the same size, and writes the cursor: what the store alone takes.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread

from benchmarks.aims import at_share, print_aim
from benchmarks.sync_sides import CHATS, MESSENGER, TRACKER, Side, chat
from pillarbox.box import Box
from pillarbox.sync import Engine, Machine, optimise
from pillarbox.sync.engine import Place
from pillarbox.sync.protocol import Around
from pillarbox.sync.signals import Answered, Commit, Load, Received, Send, SetTimer, Started, Stopped, Ticked
from pillarbox.sync.store import Store
from pillarbox_messenger import views as messenger_views

#: Updates of a container -> updates in all; an engine takes in fewer than 10,000 at once.
BATCHES: Final = {1: 500, 50: 5_000, 1_000: 5_000}
VIEWS: Final = 100
#: Containers whose way is timed, and how far apart they come.
TIMED: Final = 500
APART_SECONDS: Final = 0.005


def main(quick: bool) -> None:
    """Print updates per second at each size of container; then how soon one is a snapshot."""
    share = 5 if quick else 1
    print("the sync engine: updates/s through grouping, checks, dispatch and commit (file-backed, relaxed)")
    print(f"{'':<11}{'batch':>7}{'one by one':>12}{'floor':>10}{'x floor':>9}{'engine, at once':>17}")
    for side in (TRACKER, MESSENGER):
        for batch, count in BATCHES.items():
            _line(side, batch, max(5 * batch, count // share))
    _print_latency(TIMED // share)


def _line(side: Side, batch: int, count: int) -> None:
    updates = [side.updates(start, batch) for start in range(0, count, batch)]
    containers = [side.container(some, number) for number, some in enumerate(updates, 1)]
    stepped = min(_stepped(side, containers) for _ in range(3))
    floor = min(_floor(side, updates) for _ in range(3))
    driven = min(_driven(side, containers) for _ in range(3))
    print(
        f"{side.name:<11}{batch:>7,}{count / stepped:>12,.0f}{count / floor:>10,.0f}{stepped / floor:>9.2f}"
        f"{count / driven:>17,.0f}"
    )


# ------------------------------------------------------------------------------------ updates a second


@contextmanager
def _prepared(side: Side) -> Iterator[Box[Any, Any]]:
    with (
        tempfile.TemporaryDirectory(prefix="pillarbox-bench-") as folder,
        side.open_box(Path(folder) / "a.box") as box,
    ):
        box.transact(side.prepare)
        gc.collect()
        yield box


def _stepped(side: Side, containers: Sequence[Any]) -> float:
    """The machine and the store, one after the other."""
    with _prepared(side) as box:
        machine, store = Machine(side.protocol), Store(box, side.protocol)

        def feed(input: Any) -> None:
            waiting = deque([input])
            while waiting:
                for output in machine.step(waiting.popleft()):
                    if isinstance(output, Load | Commit):
                        waiting.append(store.run(output)(0))
                    elif isinstance(output, SetTimer) and output.due <= 0:
                        waiting.append(Ticked(0, output.id))
                    elif isinstance(output, Send):
                        waiting.append(Answered(0, output.id, side.answer(output.request)))

        feed(Started(0, 1, master=False))
        began = time.perf_counter()
        for container in containers:
            feed(Received(0, container))
        seconds = time.perf_counter() - began
        _check(side, box, containers)
        feed(Stopped(0))
    return seconds


def _driven(side: Side, containers: Sequence[Any]) -> float:
    """The engine on an event loop, to which all is said at once."""

    async def run(box: Box[Any, Any]) -> float:
        pipe = _Pipe(side.answer)
        async with Engine(box, side.protocol, pipe, master="leave") as engine:
            await engine.flush()
            began = time.perf_counter()
            pipe.say(*containers)
            await engine.flush()
            seconds = time.perf_counter() - began
        _check(side, box, containers)
        return seconds

    with _prepared(side) as box:
        return anyio.run(run, box)


def _floor(side: Side, updates: Sequence[Sequence[Any]]) -> float:
    """The operations and the cursor alone, made before the watch starts."""
    protocol = side.protocol
    batches = []
    for some in updates:
        operations = [operation for update in some for operation in protocol.updates.emit(update, Around())]
        claim = protocol.updates.claim(some[-1])
        assert claim is not None, "every update of these is counted"
        merged = operations if protocol.merges is None else optimise(operations, protocol.merges)
        batches.append((merged, claim))
    with _prepared(side) as box:
        began = time.perf_counter()
        for operations, claim in batches:
            with box.transaction() as tx:
                protocol.replay(tx, operations)
                protocol.advance(tx, claim.cursor, claim.key, {claim.part: claim.end})
        return time.perf_counter() - began


def _check(side: Side, box: Box[Any, Any], containers: Sequence[Any]) -> None:
    claim = side.protocol.updates.claim(containers[-1].updates[-1])
    assert claim is not None
    with box.reading() as tables:
        position = side.protocol.position(tables, claim.cursor, claim.key)
    assert position is not None
    assert position[claim.part] == claim.end, f"{side.name} stands at {position}, not at {claim.end}"


class _Pipe:
    """A transport that says what it is told."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._said: deque[Any] = deque()
        self._news = anyio.Event()

    def say(self, *containers: Any) -> None:
        self._said += containers
        self._news.set()

    async def send(self, request: Any, /) -> Any:
        return self._answer(request)

    async def listen(self) -> AsyncIterator[Any]:
        while True:
            while not self._said:
                self._news = anyio.Event()
                await self._news.wait()
            yield self._said.popleft()


# ----------------------------------------------------------------------------- container to snapshot


def _print_latency(count: int) -> None:
    print(f"a container of one message to the snapshot of its history, {VIEWS} views live (messenger)")
    print(f"{'':<34}{'p50 ms':>8}{'p99 ms':>8}")
    ways = {place: _latency(count, place) for place in ("thread", "loop")}
    floors = {place: _floor_latency(count, place) for place in ("thread", "loop")}
    for place in ("thread", "loop"):
        for name, way in ((f"engine, transactions in a {place}", ways), ("  floor: replay there", floors)):
            print(f"{name:<34}{at_share(way[place], 0.5):>8.2f}{at_share(way[place], 0.99):>8.2f}")
        print_aim(f"container to snapshot p50, ms, {place}", at_share(ways[place], 0.5), most=1)


def _latency(count: int, place: Place) -> list[float]:
    """From the moment at which the transport hands it over."""
    seen: dict[int, int] = {}
    handed: dict[int, int] = {}

    async def run(box: Box[Any, Any]) -> None:
        pipe = _Pipe(MESSENGER.answer)
        async with Engine(box, MESSENGER.protocol, pipe, transactions=place) as engine:
            await engine.flush()
            for number in range(count):
                container = MESSENGER.container(MESSENGER.updates(number, 1), number + 1)
                handed[number + 1] = time.perf_counter_ns()
                pipe.say(container)
                await anyio.sleep(APART_SECONDS)
            await engine.flush()

    with _prepared(MESSENGER) as box, _watching(box, seen):
        anyio.run(run, box)
    return sorted((seen[number] - at) / 1e6 for number, at in handed.items())


def _floor_latency(count: int, place: Place) -> list[float]:
    """What the store and the views take: the operations alone, in the loop or in a thread."""
    seen: dict[int, int] = {}
    handed: dict[int, int] = {}
    emit = MESSENGER.protocol.updates.emit

    async def run(box: Box[Any, Any]) -> None:
        for number in range(count):
            operations = emit(MESSENGER.updates(number, 1)[0], Around())
            handed[number + 1] = time.perf_counter_ns()
            if place == "thread":
                await anyio.to_thread.run_sync(box.replay, operations)
            else:
                box.replay(operations)
            await anyio.sleep(APART_SECONDS)

    with _prepared(MESSENGER) as box, _watching(box, seen):
        anyio.run(run, box)
    return sorted((seen[number] - at) / 1e6 for number, at in handed.items())


@contextmanager
def _watching(box: Box[Any, Any], seen: dict[int, int]) -> Iterator[None]:
    """Views of histories, which note when they show a message, and as many others as there are to be."""

    def show(emission: Any) -> None:
        now = time.perf_counter_ns()
        for entry in reversed(emission.snapshot.messages.entries):
            if entry.id in seen:
                break
            seen[entry.id] = now

    keys: list[Any] = [messenger_views.History(chat(n)) for n in range(CHATS)]
    keys += [messenger_views.ChatList(limit=30)]
    for kind in (messenger_views.ChatIndex, messenger_views.Peer):
        keys += [kind(chat(n)) for n in range(CHATS)]
    subscriptions = [box.watch(key) for key in keys[:VIEWS]]
    for subscription in subscriptions[:CHATS]:
        subscription.listen(show)
    try:
        yield
    finally:
        for subscription in subscriptions:
            subscription.close()
