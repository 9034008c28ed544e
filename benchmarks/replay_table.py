"""Replaying added messages: the whole of a commit, beside the same rows by bare statements.

The floor writes exactly the rows that the replay wrote, in the same transactions, with `executemany` on
a connection of the same settings: what SQLite alone takes. The busy thread counts in Python meanwhile.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

from pillarbox.storage import StoredKey, TableLayout
from pillarbox_messenger import open_box
from pillarbox_messenger.operations import AddMessages
from pillarbox_messenger.types import Message, MessageFlags, MessageNamespace, PeerNamespace, peer_id

#: messages per transaction -> messages in all.
BATCHES = {1: 1_000, 100: 20_000, 1_000: 40_000}
CHATS = 500

#: (table, keys, values) of each statement; None for values: removed.
Writes = list[tuple[TableLayout, Sequence[StoredKey], Sequence[bytes] | None]]


def main(quick: bool) -> None:
    """Print messages per second at each batch size, with the floor, and once beside a busy thread."""
    print("replay of added messages (messenger schema, every derived table, file-backed, relaxed)")
    print(f"{'batch':>7}{'messages/s':>12}{'floor/s':>12}{'x floor':>9}{'rows/message':>14}")
    for batch, count in BATCHES.items():
        total = max(batch, count // 5 if quick else count)
        _line(batch, total)
    print(f"1,000 messages in one transaction: {_batch_seconds(busy=False) * 1e3:.1f} ms alone, ", end="")
    print(f"{_batch_seconds(busy=True) * 1e3:.1f} ms beside a thread that is busy in Python")


def _line(batch: int, total: int) -> None:
    batches = [_operations(start, batch) for start in range(0, total, batch)]
    writes = _recorded(batches)
    seconds = min(_replay_seconds(batches) for _ in range(3))
    floor = min(_floor_seconds(writes) for _ in range(3))
    rows = sum(len(keys) for transaction in writes for _, keys, _ in transaction) / total
    print(f"{batch:>7,}{total / seconds:>12,.0f}{total / floor:>12,.0f}{seconds / floor:>9.1f}{rows:>14.1f}")


def _operations(start: int, count: int) -> list[Any]:
    """One operation a message, as a follower of a server would replay them."""
    random_ = random.Random(start)
    return [AddMessages(messages=(_message(start + n, random_),)) for n in range(count)]


def _message(number: int, random_: random.Random) -> Any:
    chat = peer_id(PeerNamespace.USER, 1 + random_.randrange(CHATS))
    return Message(
        peer_id=chat,
        namespace=MessageNamespace.CLOUD,
        timestamp=1_700_000_000 + number,
        id=1 + number,
        stable_id=0,
        flags=MessageFlags.INCOMING,
        tags=1 << random_.randrange(4) if number % 5 == 0 else 0,
        author_id=chat,
        text="lorem ipsum dolor sit amet " * random_.randrange(1, 5),
    )


def _replay_seconds(batches: list[list[Any]]) -> float:
    with _folder() as folder, open_box(folder / "replay.box", durability="relaxed") as box:
        started = time.perf_counter()
        for operations in batches:
            box.replay(operations)
        return time.perf_counter() - started


def _recorded(batches: list[list[Any]]) -> list[Writes]:
    """What the replay writes, statement by statement."""
    with open_box(":memory:") as box:
        recorder = _Recorder(box._engine)
        for operations in batches:
            recorder.transactions.append([])
            box.replay(operations)
        recorder.stop()
        return recorder.transactions


class _Recorder:
    """Stands before an engine's two write calls and keeps what passes."""

    def __init__(self, engine: Any) -> None:
        self.transactions: list[Writes] = []
        self._engine = engine
        self._put, self._remove = engine.put_many, engine.remove_many
        self._engine.put_many, self._engine.remove_many = self._on_put, self._on_remove

    def stop(self) -> None:
        self._engine.put_many, self._engine.remove_many = self._put, self._remove

    def _on_put(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> None:
        self.transactions[-1].append((table, list(keys), list(values)))
        self._put(table, keys, values)

    def _on_remove(self, table: TableLayout, keys: Sequence[StoredKey]) -> None:
        self.transactions[-1].append((table, list(keys), None))
        self._remove(table, keys)


def _floor_seconds(transactions: list[Writes]) -> float:
    with _folder() as folder:
        connection = apsw.Connection(str(folder / "floor.db"))
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "normal")
        connection.pragma("cache_size", -65536)
        for table in {table.id: table for writes in transactions for table, _, _ in writes}.values():
            key = "k INTEGER PRIMARY KEY" if table.int_key else "k BLOB PRIMARY KEY"
            rows = "" if table.int_key else "WITHOUT ROWID, "
            connection.execute(f"CREATE TABLE t{table.id}({key}, v BLOB) {rows}STRICT")
        started = time.perf_counter()
        for writes in transactions:
            connection.execute("BEGIN IMMEDIATE")
            for table, keys, values in writes:
                if values is None:
                    connection.executemany(f"DELETE FROM t{table.id} WHERE k=?", [(key,) for key in keys])
                else:
                    connection.executemany(
                        f"INSERT INTO t{table.id} VALUES(?,?) ON CONFLICT(k) DO UPDATE SET v=excluded.v",
                        list(zip(keys, values, strict=True)),
                    )
            connection.execute("COMMIT")
        seconds = time.perf_counter() - started
        connection.close()
        return seconds


def _batch_seconds(*, busy: bool) -> float:
    operations = _operations(1_000_000, 1_000)
    stop = threading.Event()

    def spin() -> None:
        number = 0
        while not stop.is_set():
            number += 1

    thread = threading.Thread(target=spin, daemon=True)
    with _folder() as folder, open_box(folder / "busy.box", durability="relaxed") as box:
        if busy:
            thread.start()
        started = time.perf_counter()
        box.replay(operations)
        seconds = time.perf_counter() - started
        stop.set()
        if busy:
            thread.join()
        return seconds


class _folder:
    """A temporary folder beside the working directory's disk, gone afterwards."""

    def __enter__(self) -> Path:
        self._path = Path(tempfile.mkdtemp(prefix="pillarbox-bench-"))
        return self._path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._path, ignore_errors=True)
