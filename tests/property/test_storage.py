"""Both engines against a dict, under any order of transactions, readers and reopenings."""

from __future__ import annotations

import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.native_support import batches_go

from pillarbox.storage import Engine, StoredKey, TableLayout, open_engine

#: Few keys, so that they collide; the last of each is one that only a wrong cut or cast would miss.
KEYS: dict[TableLayout, list[StoredKey]] = {
    TableLayout(1, "fixed", False, 2, False): [b"\0\0", b"\0\1", b"aa", b"00", b"\xff\xff"],
    TableLayout(2, "varying", False, None, False): [
        b"",
        b"\0",
        b"a",
        b"a\0",
        b"ab",
        b"00000001",
        b"\xff" * 40,
    ],
    TableLayout(3, "numbered", True, None, False): [-(2**63), -1, 0, 1, 10, 2**63 - 1],
    TableLayout(4, "heap", False, 2, True): [b"\0\0", b"\0\1", b"aa", b"00", b"\xff\xff"],
    TableLayout(5, "words", False, 2, False, words=True): [b"\0\0", b"\0\1", b"aa", b"00", b"\xff\xff"],
    TableLayout(6, "numbered words", True, None, False, words=True): [-(2**63), -1, 0, 1, 10, 2**63 - 1],
}
VALUES = [b"", b"\0", b"v", b"w" * 300]

tables = st.sampled_from(list(KEYS))
Model = dict[int, dict[Any, bytes]]


def keys_of(table: TableLayout) -> st.SearchStrategy[list[StoredKey]]:
    return st.lists(st.sampled_from(KEYS[table]), unique=True).map(lambda keys: sorted(keys))


def copied(model: Model) -> Model:
    return {id_: dict(rows) for id_, rows in model.items()}


def scanned(rows: dict[Any, bytes], low: Any, high: Any, newest_first: bool, limit: int | None) -> list[Any]:
    """What a scan must answer."""
    wanted = sorted(
        (
            (key, value)
            for key, value in rows.items()
            if (low is None or low <= key) and (high is None or key < high)
        ),
        reverse=newest_first,
    )
    return wanted[:limit]


class EngineMachine(RuleBasedStateMachine):
    """A writer and a reader on one store. The model is a dict per table, copied at each begin."""

    PATH: str | None = None
    BATCHES = "carray"

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.committed: Model = {table.id: {} for table in KEYS}
        self.draft: Model | None = None
        self.pinned: Model | None = None
        self.version: int | None = None
        self.changed = False

    @initialize()
    def open(self) -> None:
        self.engine: Engine = self._opened(self.PATH or str(Path(self.folder.name) / "a.box"))
        self.engine.begin()
        for table in KEYS:
            self.engine.create(table)
        self.engine.commit()
        self.reader = self.engine.reader()

    def _opened(self, path: str) -> Engine:
        with batches_go(self.BATCHES):
            return open_engine(path, durability="relaxed", busy_ms=0)

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.reader.close()
            self.engine.close()
        self.folder.cleanup()

    # ------------------------------------------------------------------------------------ the writer

    @precondition(lambda self: self.draft is None)
    @rule()
    def begin(self) -> None:
        self.engine.begin()
        self.draft = copied(self.committed)

    @precondition(lambda self: self.draft is not None)
    @rule()
    def commit(self) -> None:
        assert self.draft is not None
        self.engine.commit()
        self.changed = self.changed or self.draft != self.committed
        self.committed, self.draft = self.draft, None

    @precondition(lambda self: self.draft is not None)
    @rule()
    def rollback(self) -> None:
        self.engine.rollback()
        self.draft = None

    @precondition(lambda self: self.draft is not None)
    @rule(table=tables, data=st.data())
    def put(self, table: TableLayout, data: st.DataObject) -> None:
        assert self.draft is not None
        keys = data.draw(keys_of(table))
        values = [data.draw(st.sampled_from(VALUES)) for _ in keys]
        self.engine.put_many(table, keys, values)
        self.draft[table.id].update(zip(keys, values, strict=True))

    @precondition(lambda self: self.draft is not None)
    @rule(table=tables, data=st.data())
    def add(self, table: TableLayout, data: st.DataObject) -> None:
        assert self.draft is not None
        keys, rows = data.draw(keys_of(table)), self.draft[table.id]
        values = [data.draw(st.sampled_from(VALUES)) for _ in keys]
        are_new = rows.keys().isdisjoint(keys)
        assert self.engine.add_many(table, keys, values) == are_new
        if are_new:
            rows.update(zip(keys, values, strict=True))

    @precondition(lambda self: self.draft is not None)
    @rule(table=tables, call=st.sampled_from(["put_one", "add_one", "remove_one"]), data=st.data())
    def one(self, table: TableLayout, call: str, data: st.DataObject) -> None:
        """One row does as a batch of one."""
        assert self.draft is not None
        rows = self.draft[table.id]
        for key in data.draw(keys_of(table))[:1]:
            value = data.draw(st.sampled_from(VALUES))
            if call == "remove_one":
                self.engine.remove_one(table, key)
                rows.pop(key, None)
            elif call == "put_one":
                self.engine.put_one(table, key, value)
                rows[key] = value
            else:
                assert self.engine.add_one(table, key, value) == (key not in rows)
                rows.setdefault(key, value)

    @precondition(lambda self: self.draft is not None)
    @rule(table=tables, data=st.data())
    def remove(self, table: TableLayout, data: st.DataObject) -> None:
        assert self.draft is not None
        keys = data.draw(keys_of(table))
        self.engine.remove_many(table, keys)
        for key in keys:
            self.draft[table.id].pop(key, None)

    @precondition(lambda self: self.draft is not None)
    @rule(table=tables, drop=st.booleans())
    def clear(self, table: TableLayout, drop: bool) -> None:
        assert self.draft is not None
        if drop:
            self.engine.drop(table)
            self.engine.create(table)
        else:
            self.engine.clear(table)
        self.draft[table.id] = {}

    @precondition(lambda self: self.draft is None)
    @rule()
    def checkpoint(self) -> None:
        self.engine.checkpoint()

    @precondition(lambda self: self.draft is None)
    @rule()
    def checkpoint_beside(self) -> None:
        """It goes on while the next rules commit."""
        self.engine.checkpoint_beside()

    @precondition(lambda self: self.PATH is None)
    @rule()
    def reopen(self) -> None:
        self.reader.close()
        self.engine.close()
        self.draft = self.pinned = self.version = None
        self.engine = self._opened(self.engine.path)
        self.reader = self.engine.reader()

    # ------------------------------------------------------------------------------------ the reader

    @precondition(lambda self: self.pinned is None)
    @rule()
    def begin_read(self) -> None:
        self.reader.begin_read()
        self.pinned = copied(self.committed)

    @precondition(lambda self: self.pinned is not None)
    @rule()
    def end_read(self) -> None:
        self.reader.end_read()
        self.pinned = None

    @precondition(lambda self: self.pinned is None)
    @rule()
    def ask_version(self) -> None:
        version = self.reader.data_version()
        if self.version is not None and self.changed:
            assert version != self.version
        self.version, self.changed = version, False

    # ------------------------------------------------------------------------------------- the laws

    @rule(table=tables, data=st.data(), by_reader=st.booleans())
    def read(self, table: TableLayout, data: st.DataObject, by_reader: bool) -> None:
        engine = self.reader if by_reader else self.engine
        rows = self._seen(by_reader)[table.id]
        keys = data.draw(keys_of(table))
        newest_first, limit = data.draw(st.booleans()), data.draw(st.none() | st.integers(0, 4))

        assert engine.get_many(table, keys) == {key: rows[key] for key in keys if key in rows}
        for key in KEYS[table]:
            assert engine.get(table, key) == rows.get(key)
        for low, high in product([None, *KEYS[table]], repeat=2):
            found = engine.scan(table, low, high, newest_first=newest_first, limit=limit)
            assert found == scanned(rows, low, high, newest_first, limit)

    @invariant()
    def both_see_what_the_model_says(self) -> None:
        for by_reader, engine in ((True, self.reader), (False, self.engine)):
            for table in KEYS:
                rows = self._seen(by_reader)[table.id]
                assert engine.scan(table, None, None) == sorted(rows.items())

    def _seen(self, by_reader: bool) -> Model:
        seen = self.pinned if by_reader else self.draft
        return self.committed if seen is None else seen


class PageMachine(EngineMachine):
    BATCHES = "page"


class MemoryMachine(EngineMachine):
    PATH = ":memory:"


TestSqliteEngineByCarray = EngineMachine.TestCase
TestSqliteEngineByPage = PageMachine.TestCase
TestMemoryEngine = MemoryMachine.TestCase
