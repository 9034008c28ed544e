"""What a storage engine is: ordered maps from keys to bytes, written in transactions.

Depends on: words, for what a search is; errors.  Never on: SQLite or anything else that an engine is made of.

Law: every engine answers every call as `dict`s would that are copied at `begin` and at `begin_read`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias

from pillarbox.errors import FileDamaged
from pillarbox.storage.words import Search

#: Bytes compare as the key's fields do. An int only in tables whose `int_key` is set: -2**63 .. 2**63-1.
StoredKey: TypeAlias = bytes | int
#: `durable`: a commit survives power loss. `relaxed`: it survives the end of the process, and after
#: power loss the box is as of some earlier commit.
Durability: TypeAlias = Literal["durable", "relaxed"]
#: As many as a table can have: SQLite and Python count to here, while callers may ask for more.
ROWS_MAX: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class TableLayout:
    """How one table lies in the file."""

    #: Permanent number; SQLite knows the table as `t{id}`.
    id: int
    name: str
    #: Keys are ints, and the table's rowid.
    int_key: bool
    #: Bytes of a key where all keys have one width, else None.
    key_width: int | None
    #: Rows in order of arrival beside an index of the keys, instead of inside the tree of the keys.
    heap: bool
    #: Values are packed rows of one text, and an index of their words lies beside the table.
    words: bool = False


class Engine(Protocol):
    """One connection to one store. Not for two threads at the same time.

    Raises the errors of `pillarbox.errors` only: StoreError for what disk, locks and permissions do,
    DataError for damaged files, UsageError for calls out of turn.
    """

    path: str
    read_only: bool

    def create(self, table: TableLayout) -> None:
        """Create the table unless it is there. Like `drop` and `clear`, inside a write transaction."""

    def drop(self, table: TableLayout) -> None:
        """Remove the table and its rows, if it is there."""

    def clear(self, table: TableLayout) -> None:
        """Remove all rows."""

    def begin(self) -> None:
        """Open a write transaction: no other connection can. Raises StoreBusy after the busy timeout."""

    def commit(self) -> None:
        """Make the transaction's writes visible to others. After an error it is open still: roll it back."""

    def rollback(self) -> None:
        """Undo everything since `begin`, also where an error has undone it already."""

    def begin_read(self) -> int:
        """Until `end_read`, see the store as of now, whatever others commit. Does not nest.

        The number is another one than that of the read before if anybody has committed since.
        """

    def end_read(self) -> None:
        """See the last commit again."""

    def get(self, table: TableLayout, key: StoredKey) -> bytes | None:
        """The value under `key`, or None."""

    def get_many(self, table: TableLayout, keys: Sequence[StoredKey]) -> dict[StoredKey, bytes]:
        """The values under these keys; absent ones are missing from the answer."""

    def scan(
        self,
        table: TableLayout,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, bytes]]:
        """Rows with low <= key < high in key order, or its reverse; None is an open end.

        `limit` is 0 or more, however great.
        """

    def search(
        self,
        table: TableLayout,
        search: Search,
        low: StoredKey | None = None,
        high: StoredKey | None = None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[StoredKey]:
        """Keys of the rows of a table of words whose text is found, as `scan` orders and bounds them."""

    def put_one(self, table: TableLayout, key: StoredKey, value: bytes) -> None:
        """Insert or replace one row."""

    def add_one(self, table: TableLayout, key: StoredKey, value: bytes) -> bool:
        """As `put_one` where the key is not there; else False, and nothing is written."""

    def remove_one(self, table: TableLayout, key: StoredKey) -> None:
        """Remove one row, if it is there."""

    def put_many(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> None:
        """Insert or replace rows. `keys` ascend without repeats, and have the table's `key_width`."""

    def add_many(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> bool:
        """As `put_many` where none of the keys is there; else False, and nothing is written."""

    def remove_many(self, table: TableLayout, keys: Sequence[StoredKey]) -> None:
        """Remove rows, those that are there. `keys` ascend without repeats."""

    def meta(self, name: str) -> bytes | None:
        """A named value of the store itself, or None."""

    def set_meta(self, name: str, value: bytes) -> None:
        """Write a named value, inside a write transaction."""

    def data_version(self) -> int:
        """A number that differs from its last answer if another connection has changed the store since.

        It stays while no other commits. Inside `begin_read` only a file tells it, of the commit that is seen.
        """

    def refuse_moved(self) -> None:
        """Raises StoreMissing where the file is not there any more: it was moved, removed or replaced.

        Looks once a second at most; who begins to write or to read looks as well.
        """

    def reader(self) -> Engine:
        """A read-only engine on the same store, which sees the last commit."""

    def backup(self, path: str) -> None:
        """Write the last commit as a new file. Raises UsageError when `path` exists."""

    def wal_bytes(self) -> int:
        """How much this engine has committed that nobody has begun to move into the main file.

        All that is in the log where that is too long: then somebody has to wait for it.
        """

    def checkpoint(self) -> None:
        """Move committed pages into the main file, as far as readers allow. Waits for nobody."""

    def checkpoint_beside(self) -> bool:
        """Do the same beside the commits to come, now and then; False where that cannot be, or the log has
        outgrown it.

        Then little is left for `checkpoint`, after which the log begins anew.
        """

    def close(self) -> None:
        """Give everything back. An open transaction is rolled back. Closing twice is fine."""


def check_rising(key: object, low: StoredKey | None, path: str, table: str) -> None:
    """Raise FileDamaged for a key that no scan from `low` on could give, with which one may never end."""
    damaged = f"table {table!r} is damaged: the key {key!r}"
    if not isinstance(key, int | bytes):
        raise FileDamaged(path, f"{damaged} is none")
    if low is not None and (type(key) is not type(low) or key < low):  # type: ignore[operator]
        raise FileDamaged(path, f"{damaged} lies where keys from {low!r} on do")


def in_slices(scan: Callable[..., list[Any]], rows: int, path: str, table: str) -> Iterator[list[Any]]:
    """All that `scan(low, high, limit=)` finds, in lists of at most `rows`; entries begin with their key.

    Raises FileDamaged, of the file and the table that are named, where a damaged file does not get on to
    higher keys, which would be to read it for ever.
    """
    low: Any = None
    while True:
        found = scan(low, None, limit=rows)
        if found:
            yield found
        if len(found) < rows:
            return
        last = found[-1][0]
        check_rising(last, low, path, table)
        low = last + 1 if isinstance(last, int) else last + b"\0"
