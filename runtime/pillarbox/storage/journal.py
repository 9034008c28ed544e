"""The journal: what the last commits did, as bytes, for other processes that have the box open.

Depends on: engine, sqlite, errors.  Never on: what an entry says, or who reads it.

Laws. Entries are numbered without a gap, and each lies in the transaction it tells of. Since any version,
`since` gives every entry or says that it cannot. However much is written, a bounded number of entries and
bytes stays. A box in which nobody ever journaled has no journal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from pillarbox.errors import DataError, StoreError
from pillarbox.storage.engine import Engine, TableLayout
from pillarbox.storage.sqlite import SqliteEngine

#: A table like any other, under a number that no schema can give. Keys are versions.
JOURNAL: Final = TableLayout(id=1 << 16, name="pillarbox_journal", int_key=True, key_width=None, heap=False)
#: Named value of boxes that have the table.
_PRESENT: Final = "journal"
#: The entry that says: load everything anew. msgpack's nil, so that all entries are msgpack.
REFRESH: Final = b"\xc0"
#: Beyond this many bytes, loading anew is no more work than replaying.
ENTRY_BYTES_MAX: Final = 256 << 10
#: A reader that is further behind loads anew.
ENTRIES_KEPT: Final = 4_096
#: What one writer keeps of its own, and whatever is older.
BYTES_KEPT: Final = 4 << 20
#: Old entries are removed in lumps, for a removal costs a page of the log like any write.
_LUMP: Final = 8
#: The last number that SQLite can store. Only damage leads there.
_VERSION_MAX: Final = (1 << 63) - 1


class Journal:
    """The journal as one writing connection keeps it. Ask `head` only between `look` and the next commit of
    others.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_there = False
        #: (version, bytes) of the entries that this connection appended and that are still kept.
        self._own: deque[tuple[int, int]] = deque()
        self._own_bytes = 0
        #: The first version that may still be there; None: not looked for yet.
        self._first: int | None = None
        #: Version of the newest entry; 0 where there is none.
        self.head = 0

    def look(self) -> None:
        """See what others appended."""
        self.head = self.newest()

    def newest(self) -> int:
        """What `head` will be after a look."""
        if not self._is_there:
            self._is_there = self._engine.meta(_PRESENT) is not None
        if not self._is_there:
            return 0
        newest = self._engine.scan(JOURNAL, None, None, newest_first=True, limit=1)
        return _version(newest[0][0]) if newest else 0

    def since(self, version: int) -> list[bytes] | None:
        """The entries behind a version up to `head`, in order; None where they do not tell everything.

        That is so where some are gone, where one says so, and where there are none, though there was news.
        """
        behind = self.head - version
        if not 0 < behind <= ENTRIES_KEPT:
            return None
        found = self._engine.scan(JOURNAL, version + 1, None)
        entries = [entry for _, entry in found]
        return entries if len(entries) == behind and REFRESH not in entries else None

    def append(self, entry: bytes) -> int:
        """Enter what the open transaction does; its version, which is `head` once that has landed."""
        engine = self._engine
        if not self._is_there:
            engine.create(JOURNAL)
            engine.set_meta(_PRESENT, b"1")
        if len(entry) > ENTRY_BYTES_MAX:
            entry = REFRESH
        version = self.head + 1
        if version > _VERSION_MAX:  # numbers begin anew, which is news that no entry tells of
            engine.clear(JOURNAL)
            self.undone()
            version = 1
        engine.put_one(JOURNAL, version, entry)
        self._own.append((version, len(entry)))
        self._own_bytes += len(entry)
        if version % (ENTRIES_KEPT // _LUMP) == 0:
            self._remove_to(version - ENTRIES_KEPT)
        if self._own_bytes > BYTES_KEPT + BYTES_KEPT // _LUMP:
            self._remove_to(min(self._last_beyond(BYTES_KEPT), version - 1))  # its number is to stay
        return version

    def landed(self, version: int) -> None:
        """The transaction that appended `version` is committed."""
        self._is_there = True
        self.head = version

    def undone(self) -> None:
        """A transaction that appended something is rolled back, or nobody knows."""
        self._own.clear()
        self._own_bytes = 0
        self._first = None

    def mark(self) -> None:
        """Tell that the open transaction did what no entry says, also where this is the first one."""
        self.look()
        self.append(REFRESH)

    @property
    def is_long(self) -> bool:
        """Whether `shorten` would remove something."""
        return self._is_there and (self._first is None or self._first < self.head)

    def shorten(self) -> None:
        """Keep the newest entry alone, for the sake of its number: nobody reads the others any more."""
        self.undone()
        self._remove_to(self.head - 1)

    def _last_beyond(self, size: int) -> int:
        """The version up to which entries go, so that at most `size` bytes of this connection's stay."""
        beyond = self._own_bytes - size
        for version, length in self._own:
            beyond -= length
            if beyond <= 0:
                return version
        return self.head

    def _remove_to(self, last: int) -> None:
        """Remove the entries up to a version. What others removed meanwhile is not there, which is fine."""
        while self._own and self._own[0][0] <= last:
            self._own_bytes -= self._own.popleft()[1]
        if self._first is None:
            oldest = self._engine.scan(JOURNAL, None, None, limit=1)
            self._first = _version(oldest[0][0]) if oldest else self.head
        if self._first <= last:
            gone: Sequence[int] = range(self._first, last + 1)
            if self._first < last - 2 * ENTRIES_KEPT:  # one far from the others, as damage leaves it
                gone = [_version(key) for key, _ in self._engine.scan(JOURNAL, None, last + 1)]
            self._engine.remove_many(JOURNAL, gone)
            self._first = last + 1


def _version(key: int | bytes) -> int:
    if not isinstance(key, int):
        raise DataError(
            f"table {JOURNAL.name!r}: the key {key!r} is no version; put a backup of the box in its place"
        )
    return key


def nobody_writes(engine: Engine) -> bool:
    """Whether no connection is in a write transaction now; False where only waiting would tell."""
    if not isinstance(engine, SqliteEngine) or engine.read_only:
        return False
    try:
        engine.begin(waits=False)
        engine.rollback()
    except StoreError:
        return False
    return True
