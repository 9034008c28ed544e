"""Writing and reading a batch of rows: ways to say it in SQL, alone and beside a thread busy in Python.

A way that goes back to Python for every row gives the GIL away each time, and the busy thread then keeps
it for up to 5 ms. Alone: the best of many; beside the busy thread: the median, and the worst.
"""

from __future__ import annotations

import random
import statistics
import struct
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from pillarbox.storage import SqliteEngine, TableLayout

ROWS = 1_000
FIXED = TableLayout(1, "fixed", int_key=False, key_width=20, heap=False)
VARYING = TableLayout(2, "varying", int_key=False, key_width=None, heap=False)
NUMBERED = TableLayout(3, "numbered", int_key=True, key_width=None, heap=False)
HEAP = TableLayout(4, "heap", int_key=False, key_width=20, heap=True)
SMALL = tuple(TableLayout(5 + n, f"small{n}", int_key=False, key_width=20, heap=False) for n in range(3))
VALUE = random.Random(1).randbytes(100)
UPSERT = "ON CONFLICT(k) DO UPDATE SET v=excluded.v"
JOINED = (
    "INSERT INTO t1(k,v) SELECT a.value,b.value FROM carray(?) a JOIN carray(?) b ON a.rowid=b.rowid "
    f"WHERE true {UPSERT}"
)

Write = Callable[[list[Any], list[bytes]], object]
Commit = Callable[[list[bytes], bytes], None]


def main(quick: bool) -> None:
    """Print milliseconds for a batch, alone and beside a busy thread, and microseconds of the small calls."""
    times = 5 if quick else 30
    with tempfile.TemporaryDirectory() as folder:
        engine = SqliteEngine(str(Path(folder) / "bench.box"), durability="relaxed")
        engine.begin()
        for table in (FIXED, VARYING, NUMBERED, HEAP, *SMALL):
            engine.create(table)
        engine.commit()
        title = f"{ROWS:,} rows of 20 + 100 bytes in one transaction"
        print(f"{title:<54}{'ms alone':>10}{'beside busy':>13}{'worst':>8}")
        for name, table, write in _ways(engine):
            alone = min(_batches(engine, table, write, times))
            with _Busy():
                beside = [_batches(engine, table, write, 1)[0] for _ in range(times)]
            median, worst = statistics.median(beside), max(beside)
            print(f"{name:<54}{alone * 1e3:>10.2f}{median * 1e3:>13.2f}{worst * 1e3:>8.2f}")
        _reads(engine, times)
        _commits(engine, times * 100)
        engine.close()


def _ways(engine: SqliteEngine) -> list[tuple[str, TableLayout, Write]]:
    run = engine._connection
    by_row = f"INSERT INTO t1(k,v) VALUES(?,?) {UPSERT}"

    def put(table: TableLayout, *, pages: bool) -> Write:
        def write(keys: list[Any], values: list[bytes]) -> None:
            engine._takes_pages = pages
            engine.put_many(table, keys, values)

        return write

    tables = {"page": FIXED, "page, heap": HEAP, "page, varying keys": VARYING, "page, int keys": NUMBERED}
    loaded = engine._takes_pages
    pages = [(name, table, put(table, pages=True)) for name, table in tables.items() if loaded]
    return [
        ("executemany", FIXED, lambda keys, values: run.executemany(by_row, zip(keys, values, strict=True))),
        (
            "two carrays joined on rowid",
            FIXED,
            lambda keys, values: run.execute(JOINED, (apsw.carray(tuple(keys)), apsw.carray(tuple(values)))),
        ),
        ("carray, cut at the key's width", FIXED, put(FIXED, pages=False)),
        ("carray, heap", HEAP, put(HEAP, pages=False)),
        ("carray, varying keys: cut behind a decimal length", VARYING, put(VARYING, pages=False)),
        ("carray, int keys: cut behind a decimal key", NUMBERED, put(NUMBERED, pages=False)),
        *pages,
    ]


def _keys(table: TableLayout, count: int) -> list[Any]:
    if table.int_key:
        return sorted({random.getrandbits(62) for _ in range(count)})
    return sorted(
        struct.pack(">QIII", random.getrandbits(6), random.getrandbits(31), 0, n) for n in range(count)
    )


def _batches(engine: SqliteEngine, table: TableLayout, write: Write, times: int) -> list[float]:
    """Seconds of each transaction that writes a batch, into a table that begins empty."""
    engine.begin()
    engine.clear(table)
    engine.commit()
    seconds = []
    for _ in range(times):
        keys = _keys(table, ROWS)
        values = [VALUE] * len(keys)
        began = time.perf_counter()
        engine.begin()
        write(keys, values)
        engine.commit()
        seconds.append(time.perf_counter() - began)
        engine.checkpoint()
    return seconds


def _reads(engine: SqliteEngine, times: int) -> None:
    keys = [key for key, _ in engine.scan(FIXED, None, None)]
    engine.begin_read()
    picked = sorted(random.sample(keys, ROWS))

    def get_each() -> None:
        for key in picked:
            engine.get(FIXED, key)

    one = min(_seconds(get_each, times)) / ROWS
    many = min(_seconds(lambda: engine.get_many(FIXED, picked), times))
    window = min(_seconds(lambda: engine.scan(FIXED, None, picked[-1], newest_first=True, limit=50), times))
    with _Busy():
        beside = statistics.median(_seconds(lambda: engine.get_many(FIXED, picked), times))
    engine.end_read()
    print(f"get {one * 1e6:.2f} us; a window of 50 rows {window * 1e6:.1f} us; ", end="")
    print(f"get_many of {ROWS:,} {many * 1e3:.2f} ms alone, {beside * 1e3:.2f} ms beside busy")


def _commits(engine: SqliteEngine, times: int) -> None:
    """One row in each of three tables and one remove, by the engine and by hand in turns."""
    cursor = engine._connection.cursor()
    puts = [f"INSERT INTO t{table.id}(k,v) VALUES(?,?) {UPSERT}" for table in SMALL]

    def by_engine(keys: list[bytes], gone: bytes) -> None:
        engine.begin()
        for table, key in zip(SMALL, keys, strict=True):
            engine.put_many(table, [key], [VALUE])
        engine.remove_many(SMALL[0], [gone])
        engine.commit()

    def by_hand(keys: list[bytes], gone: bytes) -> None:
        cursor.execute("BEGIN IMMEDIATE")
        for sql, key in zip(puts, keys, strict=True):
            cursor.execute(sql, (key, VALUE))
        cursor.execute(f"DELETE FROM t{SMALL[0].id} WHERE k=?", (gone,))
        cursor.execute("COMMIT")

    seconds: dict[Commit, list[float]] = {by_engine: [], by_hand: []}
    gone = b""
    for turn in range(times):
        for commit in seconds:
            keys = _keys(SMALL[0], len(SMALL))
            began = time.perf_counter()
            commit(keys, gone)
            seconds[commit].append(time.perf_counter() - began)
            gone = keys[0]
        if turn % 100 == 0:
            engine.checkpoint()
    medians = [statistics.median(of_commit) * 1e6 for of_commit in seconds.values()]
    print(f"commit of three rows and a remove {medians[0]:.1f} us, by hand {medians[1]:.1f} us")


def _seconds(call: Callable[[], object], times: int) -> list[float]:
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - began)
    return seconds


class _Busy:
    """A thread that counts in Python as long as the block lasts."""

    def __enter__(self) -> None:
        self._stop = False
        self._thread = threading.Thread(target=self._count)
        self._thread.start()

    def _count(self) -> None:
        count = 0
        while not self._stop:
            count += 1

    def __exit__(self, *_: object) -> None:
        self._stop = True
        self._thread.join()


if __name__ == "__main__":
    main(quick=False)
