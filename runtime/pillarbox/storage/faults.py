"""What SQLite says went wrong, as one of our errors: who must act, where, and what to do.

Depends on: places, errors, apsw.  Never on: the engine.

Law: no error of SQLite leaves `storage` under its own name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Final

import apsw

from pillarbox.errors import (
    FileDamaged,
    NotABox,
    PillarboxError,
    StoreBusy,
    StoreFailed,
    StoreFull,
    StoreMissing,
    StoreReadOnly,
    UsageError,
)
from pillarbox.storage.places import ran_out

_BY_CLASS: Final[dict[type[apsw.Error], Callable[[str, str], PillarboxError]]] = {
    apsw.FullError: lambda path, reason: StoreFull(path),
    apsw.ReadOnlyError: StoreReadOnly,
    apsw.PermissionsError: StoreReadOnly,
    apsw.CantOpenError: StoreMissing,
    apsw.NotADBError: lambda path, reason: NotABox(path, "this is no SQLite database"),
    apsw.CorruptError: FileDamaged,
    # Of our tables none has a type or a rule that what we put could break.
    apsw.ConstraintError: FileDamaged,
    apsw.MismatchError: FileDamaged,
    apsw.TooBigError: lambda path, reason: UsageError(f"{path}: {reason}; store smaller values"),
    apsw.ConnectionClosedError: lambda path, reason: UsageError(
        f"{path}: the store is closed; open it again"
    ),
    apsw.CursorClosedError: lambda path, reason: UsageError(f"{path}: the store is closed; open it again"),
    apsw.ThreadingViolationError: lambda path, reason: UsageError(
        f"{path}: {reason}; let one thread at a time use a connection"
    ),
}

#: What SQLite calls a key that is there, by the kind of the table.
_TAKEN: Final = frozenset(
    (apsw.SQLITE_CONSTRAINT_PRIMARYKEY, apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_ROWID)
)
_LACKING: Final = re.compile(r"no such table: t([0-9]+)")
#: Tables that no layout names, and the named value of a box that has one: see journal.
_BESIDE: Final = {str(1 << 16): "journal"}
_IS_NAMED: Final = "SELECT 1 FROM pillarbox_meta WHERE name=?"
#: Whether the layout that a box holds has the table of that number.
_IN_LAYOUT: Final = (
    "SELECT 1 FROM pillarbox_meta AS meta, json_each(CAST(meta.value AS TEXT), '$.tables') AS tables"
    " WHERE meta.name='layout' AND tables.key=?"
)


def without_shared_memory(path: str) -> StoreFailed:
    """The error of a file system, such as a network drive, on which SQLite keeps no write-ahead log."""
    reason = "this file system cannot share memory, which a write-ahead log needs"
    return StoreFailed(path, reason, remedy="put the box on a disk of this machine")


def is_taken(error: apsw.Error) -> bool:
    """Whether it says no more than that a key which was to be added is there."""
    return getattr(error, "extendedresult", 0) in _TAKEN


def translated(
    error: apsw.Error | UnicodeDecodeError,
    path: str,
    busy_ms: int,
    connection: apsw.Connection | None = None,
) -> PillarboxError:
    """Our error for one of SQLite's; the `connection` that it comes from knows what the system said.

    What apsw cannot decode stands on a damaged page, which makes text of what was written as bytes.
    """
    if isinstance(error, UnicodeDecodeError):
        return FileDamaged(path, "text that is no UTF-8 is stored in the place of bytes")
    if isinstance(error, apsw.BusyError):
        return StoreBusy(path, waited_ms=busy_ms)
    if isinstance(error, (apsw.IOError, apsw.CantOpenError)):
        if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHORT_READ:
            return FileDamaged(path, "the file ends too early")
        try:
            number = _refused() if connection is None else connection.system_errno
        except apsw.ConnectionClosedError:  # it was closing that failed
            number = None
        out = ran_out(path, number)
        if out is not None:
            return out
    if isinstance(error, apsw.SQLError):
        return _of_statement(path, str(error), connection)
    make = _BY_CLASS.get(type(error), StoreFailed)
    return make(path, str(error))


def _of_statement(path: str, reason: str, connection: apsw.Connection | None) -> PillarboxError:
    """A table that nobody has created is named too early; else the schema of the file is not what it was."""
    lacking = _LACKING.fullmatch(reason)
    if lacking is None:
        return FileDamaged(path, reason)
    if connection is not None:
        try:
            if connection.execute(_IN_LAYOUT, lacking.groups()).fetchall():
                return FileDamaged(path, f"{reason}, which its layout has")
            if connection.execute(_IS_NAMED, (_BESIDE.get(lacking[1]),)).fetchall():
                return FileDamaged(path, f"{reason}, which it has had")
        except apsw.Error:
            return FileDamaged(path, reason)  # not even that can be read
    return UsageError(f"{path}: {reason}; create the table before it is used")


def _refused() -> int | None:
    """The number of the system's error for who opens a file, where nobody has kept it.

    Not for the box: to close it again would let go of the locks that connections of this process have on it.
    """
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error.errno
    return None
