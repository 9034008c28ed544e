"""One process commits, another one watches: is every view right, how soon, and what does the journal cost?

The messenger schema, every derived table, file-backed, relaxed. The reader is a process of its own with 100
views; a commit counts as noticed when a history that shows it has been handed to its subscriber. What the
journal costs is measured with a listener that never reads, in blocks that alternate with blocks without it.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.aims import at_share, print_aim
from pillarbox.storage.presence import Presence
from pillarbox_messenger import open_box, views
from pillarbox_messenger.operations import AddMessages
from pillarbox_messenger.types import Message, MessageFlags, MessageNamespace, PeerId, PeerNamespace, peer_id

CHATS: Final = 50
VIEWS: Final = 100
COMMITS: Final = 10_000
#: Commits of the paced part, and how far apart they begin.
PACED: Final = 1_000
PACE_SECONDS: Final = 0.005
#: Commits of a block, and blocks of each kind, where the journal's cost is measured.
BLOCK, BLOCKS = 100, 40
NOTICE_MS: Final = 5.0


def main(quick: bool) -> None:
    """Print notice times, refreshes and wrong snapshots; then what the journal costs a commit."""
    share = 5 if quick else 1
    print(f"two processes: one commits single messages, {VIEWS} views are live in the other")
    print(
        f"{'':<22}{'commits':>9}{'commits/s':>11}{'notice p50 ms':>15}{'p99 ms':>9}{'replays':>9}"
        f"{'refreshes':>11}{'wrong':>7}"
    )
    with tempfile.TemporaryDirectory(prefix="pillarbox-bench-") as folder:
        paced = _part(Path(folder) / "paced.box", "one each 5 ms", PACED // share, PACE_SECONDS)
        flat = _part(Path(folder) / "flat.box", "as fast as it goes", COMMITS // share, 0)
        alone = _flat_out(Path(folder) / "alone.box", COMMITS // share)
        print(f"{'without a reader':<22}{COMMITS // share:>9,}{COMMITS // share / alone:>11,.0f}")
        print_aim("notice p50, one each 5 ms, ms", paced["p50"], most=NOTICE_MS)
        print_aim("notice p50, as fast as it goes, ms", flat["p50"], most=NOTICE_MS)
        print_aim("refreshes while the journal reaches", paced["refreshes"] + flat["refreshes"], most=0)
        print_aim("wrong snapshots", paced["wrong"] + flat["wrong"], most=0)
        _print_cost(Path(folder) / "cost.box", BLOCKS // share)


# -------------------------------------------------------------------------------------------- writer


def _part(path: Path, name: str, count: int, apart: float) -> dict[str, Any]:
    numbers = iter(range(1, 1 << 30))
    committed: dict[int, int] = {}
    with open_box(path, durability="relaxed") as box:
        box.replay([_added(next(numbers)) for _ in range(CHATS)])
        with _reader(path) as reader:
            started = time.perf_counter()
            for at in range(count):
                while apart and time.perf_counter() < started + at * apart:
                    time.sleep(apart / 20)
                number = next(numbers)
                box.replay([_added(number)])
                committed[number] = time.monotonic_ns()
            seconds = time.perf_counter() - started
            told = _ask(reader, number)
    waits = sorted((told["seen"][str(number)] - at) / 1e6 for number, at in committed.items())
    found = {**told, "p50": at_share(waits, 0.5), "p99": at_share(waits, 0.99)}
    print(
        f"{name:<22}{count:>9,}{count / seconds:>11,.0f}{found['p50']:>15.2f}{found['p99']:>9.2f}"
        f"{found['replays']:>9,}{found['refreshes']:>11}{found['wrong']:>7}"
    )
    return found


def _flat_out(path: Path, count: int) -> float:
    numbers = iter(range(1, 1 << 30))
    with open_box(path, durability="relaxed") as box:
        box.replay([_added(next(numbers)) for _ in range(CHATS)])
        started = time.perf_counter()
        for _ in range(count):
            box.replay([_added(next(numbers))])
        return time.perf_counter() - started


def _print_cost(path: Path, blocks: int) -> None:
    numbers = iter(range(1, 1 << 30))
    spent: dict[str, list[float]] = {"nobody": [], "listener": []}
    with open_box(path, durability="relaxed") as box:
        box.replay([_added(next(numbers)) for _ in range(CHATS)])
        for block in range(2 * max(blocks, 3) + 2):
            kind = ("nobody", "listener")[block % 2]
            listener = Presence.meet(str(path)) if kind == "listener" else None
            if listener is not None:
                listener.register()
            box.replay([_added(next(numbers))])  # which notices who is there
            began = time.thread_time()
            for _ in range(BLOCK):
                box.replay([_added(next(numbers))])
            if block > 1:
                spent[kind].append((time.thread_time() - began) / BLOCK * 1e6)
            if listener is not None:
                listener.close()
    nobody, journaled = (sorted(times)[len(times) // 4] for times in spent.values())
    print(
        f"a commit of one message, CPU in the better blocks: {nobody:.0f} us while nobody listens, "
        f"{journaled:.0f} us with the journal ({journaled - nobody:+.0f} us)"
    )


def _added(number: int) -> AddMessages:
    random_ = random.Random(number)
    chat = _chat(number)
    return AddMessages(
        messages=(
            Message(
                peer_id=chat,
                namespace=MessageNamespace.CLOUD,
                timestamp=1_700_000_000 + number,
                id=number,
                stable_id=0,
                flags=MessageFlags.INCOMING,
                tags=1 << random_.randrange(4) if number % 5 == 0 else 0,
                author_id=chat,
                text="lorem ipsum dolor sit amet " * random_.randrange(1, 5),
            ),
        )
    )


def _chat(number: int) -> PeerId:
    return peer_id(PeerNamespace.USER, 1 + number % CHATS)


# -------------------------------------------------------------------------------------------- reader


@contextmanager
def _reader(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "benchmarks.processes_table", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "READY\n", "the reader did not come up"
        yield reader


def _ask(reader: subprocess.Popen[str], last: int) -> dict[str, Any]:
    out, _ = reader.communicate(f"{last}\n")
    told: dict[str, Any] = json.loads(out)
    return told


def read(path: str) -> None:
    """The other process: watch, say READY, and when told the last number, tell how it went."""
    seen: dict[int, int] = {}
    with open_box(path, durability="relaxed") as box:

        def show(emission: Any) -> None:
            now = time.monotonic_ns()
            for message in reversed(emission.snapshot.messages.entries):
                if message.id in seen:
                    break
                seen[message.id] = now

        subscriptions = []
        for key in _keys():
            subscription = box.watch(key)
            subscriptions.append(subscription)
            if isinstance(key, views.History):
                subscription.listen(show)
        print("READY", flush=True)
        last = int(sys.stdin.readline())
        deadline = time.monotonic() + 30
        while last not in seen and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
        wrong = sum(it.latest.snapshot != box.get(it.key) for it in subscriptions)
        met = box.met
        print(json.dumps({"seen": seen, "wrong": wrong, "refreshes": met.refreshes, "replays": met.replays}))


def _keys() -> list[Any]:
    """A history of each chat, every view without parameters, and of others until there are enough."""
    keys: list[Any] = [views.History(_chat(n)) for n in range(CHATS)]
    keys.append(views.ChatList(limit=30))
    keys += [kind() for kind in views.VIEWS if not kind.__annotations__]
    kinds = (views.ChatIndex, views.Peer, views.ChatStream, views.SavedStats)
    keys += [kind(_chat(n)) for n in range(CHATS) for kind in kinds]
    return keys[:VIEWS]


if __name__ == "__main__":
    read(sys.argv[1])
