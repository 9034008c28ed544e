"""Every error that is raised on purpose, grouped by who must act.

Depends on: nothing.  Never on: anything else.

Law: the text of each says where, what, and what to do; the facts in it are attributes too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar, Final

#: What plain code raises that is handed values of other types than it was written for, `assert_never` too.
MISTYPED: Final = (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class PillarboxError(Exception):
    """Base of all errors raised on purpose; anything else is a bug in pillarbox."""


# ------------------------------------------------------------------------ the calling code must change


class UsageError(PillarboxError):
    """The calling code is wrong. Fix the call; retrying cannot help."""


class RangeError(UsageError):
    """A value does not fit the type that the schema gives its field."""

    def __init__(self, field: str, value: object, range_: str) -> None:
        self.field, self.value, self.range = field, value, range_
        super().__init__(
            f"{field} is {_shown(value)}, which is not {range_}; "
            f"pass a value that fits, or widen the type in the schema"
        )


class UniqueViolation(UsageError):
    """Two rows of one source have the same key in a unique index."""

    def __init__(self, table: str, *, source: str, key: tuple[object, ...]) -> None:
        self.table, self.source, self.key = table, source, key
        super().__init__(
            f"two rows of {source!r} share the key {key!r} in the unique index {table!r}, so nothing was "
            f"committed; remove or change one of them in the same transaction"
        )


class OwnerMissing(UsageError):
    """A row was put into an owned table, and its owner is not there."""

    def __init__(self, table: str, *, owner: str, key: tuple[object, ...]) -> None:
        self.table, self.owner, self.key = table, owner, key
        super().__init__(
            f"a row of {table!r} belongs to {key!r} of {owner!r}, which is not there, so it was not written; "
            f"put the owner first, or say `orphans: skip` in the schema"
        )


class RowTooLong(UsageError):
    """A row has more bytes than a store takes."""

    def __init__(self, table: str, *, key: tuple[object, ...], size: int, limit: int) -> None:
        self.table, self.key, self.size, self.limit = table, key, size, limit
        super().__init__(
            f"the row {_shown(key)} of {table!r} has {size:,} bytes, above the {limit:,} that a store takes; "
            f"store smaller values"
        )


class SequenceExhausted(UsageError):
    """A sequence has given out the greatest number of its type."""

    def __init__(self, table: str, *, group: tuple[object, ...], limit: int) -> None:
        self.table, self.group, self.limit = table, group, limit
        super().__init__(
            f"sequence {table!r} has given out its last number, {limit:,}, in group {group!r}; "
            f"give the sequence a wider type in the schema"
        )


class ShardsOverlap(UsageError):
    """Two shards have written one row, or rows of `source` that have one key in a unique index."""

    def __init__(
        self,
        table: str,
        *,
        key: tuple[object, ...],
        one: str = "",
        other: str = "",
        source: str | None = None,
        rows: Sequence[object] = (),
    ) -> None:
        self.table, self.key, self.one, self.other = table, key, one, other
        self.source, self.rows = source, tuple(rows)
        what = f"two groups wrote this row, one in {one}, one in {other}, so that nobody knows which was last"
        if source is not None:
            found = [f"{_shown(row)} in {place}" for row, place in zip(rows, (one, other), strict=False)]
            what = f"rows of {source!r} that two groups wrote share this key of a unique index"
            what += f": {' and '.join(found)}" if found else ""
        super().__init__(
            f"table {table!r}, key {key!r}: {what}; in the source, give the emission that writes "
            f"{'it' if source is None else 'them'} `by`, with the columns that the row's key is made of, or "
            f"`by: []` where none has them, as of a list or of what is unique; or take one of the two out of "
            f"what is read"
        )


class InterfaceDiffers(UsageError):
    """A generated package was written for another version of the runtime."""

    def __init__(self, package: str, *, wanted: int, offered: int) -> None:
        self.package, self.wanted, self.offered = package, wanted, offered
        remedy = f"generate it again: pillarbox generate SCHEMA --out {os.path.dirname(package)}"
        if wanted > offered:
            remedy = f"update pillarbox, which is the older one; or {remedy}"
        super().__init__(
            f"{package} was generated for interface {wanted} of pillarbox, and the one that is installed has "
            f"interface {offered}; {remedy}"
        )


class BoxClosed(UsageError):
    """The box was used after it was closed, or in a process that was forked after it was opened."""

    def __init__(self, path: str, reason: str = "this box is closed") -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; open it again to use it")


class ChangeUntaken(UsageError):
    """A store refuses what a sync engine is to write, however often the server says it."""

    def __init__(self, cursor: str, reason: str) -> None:
        self.cursor, self.reason = cursor, reason
        super().__init__(
            f"the store does not take what the server says of {cursor!r}: {reason}; it is asked for again "
            f"and again, so let the schema bear it, or put right the row that is in its way"
        )


class EngineStopped(UsageError):
    """A sync engine was asked for something before it ran, or after."""

    def __init__(self) -> None:
        super().__init__("this engine does not run; use it inside its `async with` block")


# --------------------------------------------------------------------------- the bytes must be mended


class DataError(PillarboxError):
    """Bytes on disk or on the wire are not what the schema says. Repair or refetch them."""


class NotABox(DataError):
    """The file is something else than a box."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path}: {reason}; check that this is the file you meant, else put a backup in its place"
        )


class FileDamaged(DataError):
    """SQLite finds the file inconsistent."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path}: {reason}; put a backup in its place, and check the disk and memory of this machine"
        )


class KeyCorrupt(DataError):
    """A stored key does not decode."""

    def __init__(self, table: str, key: bytes, reason: str) -> None:
        self.table, self.key, self.reason = table, key, reason
        super().__init__(f"table {table!r}, key {_hex(key)}: {reason}; {_NOT_THIS_LAYOUT}")


class RecordCorrupt(DataError):
    """A stored value does not decode. `key` is None where the codec was not told it."""

    def __init__(self, table: str, reason: str, *, value: bytes, key: bytes | int | None = None) -> None:
        self.table, self.key, self.reason, self.value = table, key, reason, value
        where = "" if key is None else f", key {key if isinstance(key, int) else _hex(key)}"
        super().__init__(
            f"table {table!r}{where}: {reason}, in the {len(value)} bytes {_hex(value)}; {_NOT_THIS_LAYOUT}"
        )

    def at(self, key: bytes | int) -> RecordCorrupt:
        """The same error, telling the key of the row as well."""
        return RecordCorrupt(self.table, self.reason, value=self.value, key=key)


class NotAMember(DataError, ValueError):
    """A stored number names no member of its enum; who knows in which row says more."""

    def __init__(self, number: int, enum: str) -> None:
        self.number, self.enum = number, enum
        super().__init__(f"{number} is not a valid {enum}")

    def put_into(self, table: str) -> RangeError:
        """What it is where a row was just put: a packed id was made of a number that no part of it can be."""
        what = f"a part of a packed id in a row of {table!r}"
        return RangeError(what, self.number, f"a member of {self.enum}")

    def among(self, table: str) -> DataError:
        """The same, telling of which table the row is."""
        return DataError(f"table {table!r}: {self}, in one of its rows; {_NOT_THIS_LAYOUT}")


class LayoutConflict(DataError):
    """The box was written under a layout that this package would misread."""

    def __init__(self, path: str, reasons: Sequence[str], remedy: str = "") -> None:
        self.path, self.reasons = path, tuple(reasons)
        remedy = remedy or (
            "Open it with the package that wrote it; or in the schema give what is another thing now a new "
            "number, and leave its own to what is not"
        )
        super().__init__(f"{path} was written under another layout: {'; '.join(reasons)}. {remedy}")


class LayoutNewer(DataError):
    """The box was written by a newer package: it can be read, not written."""

    def __init__(self, path: str, reasons: Sequence[str]) -> None:
        self.path, self.reasons = path, tuple(reasons)
        super().__init__(
            f"{path} was written by a newer package: {'; '.join(reasons)}. "
            f"Update the package to write it, or open it read-only"
        )


class ReplayDiverged(DataError):
    """A recorded session does not run again as it ran: the box, the package or the program is another."""

    def __init__(self, entry: int, reason: str) -> None:
        self.entry, self.reason = entry, reason
        super().__init__(
            f"entry {entry} of the record: {reason}; replay it into a box as it was when the record began, "
            f"with the package that recorded it"
        )


# ------------------------------------------------------- the disk, its permissions, or other processes


class StoreError(PillarboxError):
    """The place where the box lives does not do what was asked. Mend it and try again."""


class StoreFull(StoreError):
    """There is no room for what is to be written; everything was rolled back."""

    def __init__(
        self, path: str, reason: str = "the disk (or the quota) is full", *, remedy: str = "Free some room"
    ) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; nothing was committed. {remedy} and retry")


class StoreBusy(StoreError):
    """Another connection keeps the file locked."""

    def __init__(self, path: str, *, waited_ms: int) -> None:
        self.path, self.waited_ms = path, waited_ms
        super().__init__(
            f"{path}: another connection has held the lock for more than {waited_ms} ms; "
            f"end its transaction, or close the other program that uses this box (`fuser {path}` names it)"
        )


class StoreReadOnly(StoreError):
    """The file, its folder or this connection cannot be written."""

    #: What to do where that was asked for.
    OPENED_SO: ClassVar = "to write, open it without `read_only`"

    def __init__(
        self,
        path: str,
        reason: str,
        *,
        remedy: str = "make the file and its folder writable, or open the box read-only",
    ) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; {remedy}")


class StoreMissing(StoreError):
    """The file or its folder cannot be opened."""

    def __init__(
        self,
        path: str,
        reason: str,
        *,
        remedy: str = "check the path, and that the folder exists and may be entered",
    ) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; {remedy}")


class StoreFailed(StoreError):
    """The operating system or SQLite refused for a reason of its own."""

    def __init__(
        self,
        path: str,
        reason: str,
        *,
        remedy: str = "check the disk (`dmesg`, free space, network mounts), then reopen the box",
    ) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; {remedy}")


class CommitUnknown(StoreError):
    """A commit failed, and whether it landed could not be found out."""

    def __init__(self, path: str, error: BaseException, second: Exception | None) -> None:
        self.path, self.error, self.second = path, error, second
        why = "the file holds neither what was before nor what was written" if second is None else str(second)
        super().__init__(
            f"{path}: a commit failed ({error}), and looking whether it landed did not tell: {why}; "
            f"reopen the box and look before you repeat the transaction"
        )


# ------------------------------------------------------------------ the user of the program must act


class AccountError(PillarboxError):
    """The server serves this user no more. Let the user sign in again; retrying cannot help."""


class AccountRefused(AccountError):
    """What a sync engine asks is refused with a code that the schema answers with `stop`."""

    def __init__(self, code: str, request: object) -> None:
        self.code, self.request = code, request
        super().__init__(
            f"the server refused {_shown(request)} with {code}, and nothing more is asked; let the user sign "
            f"in again, or ask who runs the server: with a new session, or a `resync`, the engine goes on"
        )


# --------------------------------------------------------------------------------- nobody needs to act


class TransientError(PillarboxError):
    """Nobody is wrong: the outside world failed. Retry with backoff."""


class Unsettled(TransientError):
    """What was asked of a sync engine came to nothing."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"what was asked of the engine came to nothing: {reason}; ask again later")


_SHOWN_MAX = 40
_NOT_THIS_LAYOUT = (
    "either a newer package wrote the row: update this one; or it is damaged: restore a backup, or fetch it "
    "again"
)


def _hex(data: bytes) -> str:
    return f"0x{data.hex()}" if len(data) <= _SHOWN_MAX else f"0x{data[:_SHOWN_MAX].hex()}..."


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 2 * _SHOWN_MAX else f"{text[: 2 * _SHOWN_MAX]}..."
