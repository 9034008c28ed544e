"""The native path: ns per key and record, MB/s of JSON, commits of 1,000 rows alone and beside a busy thread.

Keys, records and JSON are measured in processor time, the best of several runs, so that other work on the
machine counts little; commits in wall time (alone the best, beside a busy thread median and worst), for
waiting is what that thread costs. Without an object only the Python path is shown.
"""

from __future__ import annotations

import random
import struct
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any, Final

import apsw
import construct

from pillarbox.codec import INT32_BIAS, INT64_BIAS, Packed, PackedField
from pillarbox.native import (
    KeyLayout,
    KeyPart,
    Library,
    OptionalColumn,
    RecordLayout,
    TailColumn,
    build_page,
    library,
    status,
)
from pillarbox.native.loader import PythonLibrary
from pillarbox.storage import SqliteEngine, TableLayout

KEY: Final = KeyLayout(
    "events",
    (KeyPart("group", "int64"), KeyPart("space", "int32"), KeyPart("at", "int32"), KeyPart("id", "int32")),
)
PACK: Final = struct.Struct(">QIII").pack
DECLARED: Final = construct.Struct(
    "group" / construct.Int64ub,
    "space" / construct.Int32ub,
    "at" / construct.Int32ub,
    "id" / construct.Int32ub,
)
CHUNK_BYTES: Final = 4 << 20


def main(quick: bool) -> None:
    """Print the four tables."""
    print(f"native path: {status()}")
    keys_table(quick)
    records_table(quick)
    json_table(quick)
    commit_table(quick)


# ------------------------------------------------------------------------------------------- keys


def event_key(group: int, space: int, at: int, id_: int) -> bytes:
    """What generated code does for one key."""
    try:
        return PACK(group + INT64_BIAS, space + INT32_BIAS, at + INT32_BIAS, id_ + INT32_BIAS)
    except struct.error:
        raise ValueError from None


def best_ns(call: Callable[[], object], items: int, quick: bool) -> float:
    """Nanoseconds of processor time per item, the best of several runs of about 10 ms."""
    begin = time.process_time()
    call()
    calls = max(1, int(0.01 / max(time.process_time() - begin, 1e-6)))
    runs = []
    for _ in range(5 if quick else 25):
        begin = time.process_time()
        for _ in range(calls):
            call()
        runs.append(time.process_time() - begin)
    return min(runs) / calls / items * 1e9


def keys_table(quick: bool) -> None:
    """Ways to encode 20-byte keys, in batches."""
    ways: dict[str, Callable[[list[array[int]]], object]] = {
        "floor: struct.pack of ready numbers": lambda columns: list(map(PACK, *columns)),
        "generated code, a call a key": lambda columns: list(map(event_key, *columns)),
        "Python page with bytes": lambda columns: with_bytes(PythonLibrary(), columns),
    }
    if status().active:
        ways["native page"] = lambda columns: library().encode_keys(KEY, columns)
        ways["native page with bytes"] = lambda columns: with_bytes(library(), columns)
        ways["native page, decoded to columns"] = decoded
    ways["construct"] = lambda columns: [DECLARED.build(fields) for fields in records(columns)]
    sizes = (100, 1_000, 10_000)
    print(f"\n{'20-byte key (int64, 3 x int32), ns per key':<44}" + "".join(f"{size:>10,}" for size in sizes))
    for name, way in ways.items():
        cells = []
        for size in sizes:
            count = min(size, 200) if name == "construct" else size
            columns = [array("q", range(base, base + count)) for base in (1 << 40, 0, 1 << 30, 1 << 20)]
            cells.append(best_ns(lambda way=way, columns=columns: way(columns), count, quick))  # type: ignore[misc]
        print(f"{name:<44}" + "".join(f"{cell:>10.1f}" for cell in cells))


def with_bytes(paths: Library, columns: list[array[int]]) -> object:
    """The page, and each key of it as an object."""
    return paths.open_page(paths.encode_keys(KEY, columns), KEY.width).keys()


def decoded(columns: list[array[int]]) -> object:
    """There and back."""
    return library().decode_keys(KEY, library().open_page(library().encode_keys(KEY, columns), KEY.width))


def records(columns: list[array[int]]) -> Iterator[dict[str, int]]:
    """Rows as construct takes them."""
    for group, space, at, id_ in zip(*columns, strict=True):
        yield {"group": group, "space": space, "at": at, "id": id_}


# ---------------------------------------------------------------------------------------- records

RECORD: Final = Packed(
    "watchers",
    (
        PackedField("since", "int64"),
        PackedField("muted_until", "int64", optional=True),
        PackedField("wants", "uint8", default=128),
        PackedField("note", "text"),
    ),
)


def records_table(quick: bool) -> None:
    """Packed records of four fields to bytes and back, and pages sorted, in batches."""
    sizes = (100, 1_000, 10_000)
    table: dict[str, list[float]] = {}
    for size in sizes:
        for name, way in record_ways(size).items():
            table.setdefault(name, []).append(best_ns(way, size, quick))
    print(f"\n{'packed record (four fields), ns per record':<44}" + "".join(f"{size:>10,}" for size in sizes))
    for name, cells in table.items():
        print(f"{name:<44}" + "".join(f"{cell:>10.1f}" for cell in cells))


def record_ways(size: int) -> dict[str, Callable[[], object]]:
    """What is done to so many records."""
    layout = RecordLayout(RECORD)
    rows = [(at, at if at % 2 else None, 128 if at % 3 else 1, "a short note") for at in range(size)]
    records = [RECORD.encode(*row) for row in rows]
    muted = OptionalColumn(array("q", range(size)), bytes(at % 2 for at in range(size)))
    notes = TailColumn.of([b"a short note"] * size)
    columns = (array("q", range(size)), muted, array("B", [row[2] for row in rows]), notes)
    source = random.Random(3)
    shuffled = PythonLibrary().open_page(build_page([source.randbytes(20) for _ in rows], records, 20), 20)
    ways: dict[str, Callable[[], object]] = {
        "Packed.encode, a call a record": lambda: [RECORD.encode(*row) for row in rows],
        "Packed.decode, a call a record": lambda: list(map(RECORD.decode, records)),
        "20-byte keys sorted, Python page": lambda: PythonLibrary().sort_pages([shuffled]),
    }
    if status().active:
        page = library().open_page(library().encode_records(layout, columns), 0)
        ways["20-byte keys sorted, native page"] = lambda: library().sort_pages([shuffled])
        ways["native page"] = lambda: library().encode_records(layout, columns)
        ways["native page, decoded to columns"] = lambda: library().decode_records(layout, page)
    return ways


# ------------------------------------------------------------------------------------------- JSON


def export_pieces(total: int) -> Iterator[bytes]:
    """Chunks of one JSON value of about `total` bytes, indented by one space, as exporters write it."""
    element = (
        ' {\n  "id": 104729,\n  "type": "note",\n  "date": "2021-05-14T09:26:53",\n'
        '  "author": "Ana \\"the owl\\" M",\n  "text": "%s",\n'
        '  "spans": [\n   {\n    "type": "plain",\n    "text": "%s"\n   }\n  ]\n },\n'
    )
    texts = [random.Random(7).choice(["a short one", "words and more words " * 8]) for _ in range(2000)]
    body = "".join([element % (text, text) for text in texts]).encode() * 16
    yield b'{\n"name": "x",\n"items": [\n'
    for _ in range(max(1, total // len(body))):
        for at in range(0, len(body), CHUNK_BYTES):
            yield body[at : at + CHUNK_BYTES]
    yield b" {}\n]\n}\n"


def json_table(quick: bool) -> None:
    """The splitter over one large value, and Python's over a small one."""
    print(f"\n{'JSON splitter, one value':<44}{'MB':>10}{'elements':>12}{'MB/s':>10}")
    for paths, total in ((library(), (256 if quick else 3_072) << 20), (PythonLibrary(), 8 << 20)):
        splitter = paths.splitter([("items",)])
        seconds, size, elements = 0.0, 0, 0
        for piece in export_pieces(total if paths.name == "native" else 8 << 20):
            begin = time.process_time()
            elements += len(splitter.feed(piece))
            seconds += time.process_time() - begin
            size += len(piece)
        splitter.finish()
        print(f"{paths.name:<44}{size / 1e6:>10,.0f}{elements:>12,}{size / 1e6 / seconds:>10,.0f}")


# ---------------------------------------------------------------------------------------- commits

ROWS: Final = 1_000
UPSERT: Final = "ON CONFLICT(k) DO UPDATE SET v=excluded.v"
Commit = Callable[[list[bytes], list[bytes]], None]


@contextmanager
def busy_thread() -> Iterator[None]:
    """A thread that never waits, for as long as the block runs."""
    stop = Event()

    def spin() -> None:
        while not stop.is_set():
            sum(range(1000))

    thread = Thread(target=spin, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def connect(path: Path) -> apsw.Connection:
    """A connection set up as the engine sets up its own, relaxed."""
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "NORMAL")
    connection.pragma("cache_size", -65536)
    connection.wal_autocheckpoint(0)
    connection.execute("CREATE TABLE t(k BLOB PRIMARY KEY NOT NULL, v BLOB NOT NULL) STRICT, WITHOUT ROWID")
    return connection


def by_executemany(path: Path) -> Commit:
    """A row a step of the statement."""
    connection = connect(path)
    sql = f"INSERT INTO t(k,v) VALUES(?,?) {UPSERT}"

    def commit(keys: list[bytes], values: list[bytes]) -> None:
        with connection:
            connection.executemany(sql, zip(keys, values, strict=True))

    return commit


def by_engine(path: Path, *, pages: bool) -> Commit:
    """What a box does: one statement over a page, or over a carray where there is no table function."""
    engine = SqliteEngine(str(path), durability="relaxed")
    engine._takes_pages = pages
    table = TableLayout(id=1, name="events", int_key=False, key_width=20, heap=False)
    engine.begin()
    engine.create(table)
    engine.commit()

    def commit(keys: list[bytes], values: list[bytes]) -> None:
        engine.begin()
        engine.put_many(table, keys, values)
        engine.commit()

    return commit


def batches(seed: int) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Rows of random 20-byte keys, sorted, with values of 100 bytes."""
    source = random.Random(seed)
    while True:
        yield sorted(source.randbytes(20) for _ in range(ROWS)), [source.randbytes(100) for _ in range(ROWS)]


def commit_seconds(commit: Commit, times: int) -> list[float]:
    """How long each of some commits of new rows took."""
    taken = []
    for keys, values in islice(batches(11), times):
        begin = time.perf_counter()
        commit(keys, values)
        taken.append(time.perf_counter() - begin)
    return taken


def commit_table(quick: bool) -> None:
    """Ways to commit 1,000 rows."""
    ways: dict[str, Callable[[Path], Commit]] = {
        "executemany": by_executemany,
        "carray": partial(by_engine, pages=False),
    }
    if status().has_table_function:
        ways["table-valued function"] = partial(by_engine, pages=True)
    interval = f"switch interval {sys.getswitchinterval() * 1000:.0f} ms"
    title = f"commit of {ROWS:,} rows, ms ({interval})"
    print(f"\n{title:<44}{'alone':>10}{'beside a busy thread':>22}{'worst':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name, way in ways.items():
            commit: Any = way(Path(folder) / f"{name}.box")
            alone = min(commit_seconds(commit, 20 if quick else 100)) * 1000
            with busy_thread():
                beside = [second * 1000 for second in commit_seconds(commit, 5 if quick else 20)]
            print(f"{name:<44}{alone:>10.2f}{median(beside):>22.1f}{max(beside):>10.1f}")


if __name__ == "__main__":
    main(quick="--quick" in sys.argv)
