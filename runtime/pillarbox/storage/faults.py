"""What SQLite says went wrong, as one of our errors: who must act, where, and what to do.

Depends on: errors, apsw.  Never on: the engine.

Law: no error of SQLite leaves `storage` under its own name.
"""

from __future__ import annotations

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

_BY_CLASS: Final[dict[type[apsw.Error], Callable[[str, str], PillarboxError]]] = {
    apsw.FullError: lambda path, reason: StoreFull(path),
    apsw.ReadOnlyError: StoreReadOnly,
    apsw.PermissionsError: StoreReadOnly,
    apsw.CantOpenError: StoreMissing,
    apsw.NotADBError: lambda path, reason: NotABox(path, "this is no SQLite database"),
    apsw.CorruptError: FileDamaged,
    apsw.SQLError: lambda path, reason: UsageError(f"{path}: {reason}; create the table before it is used"),
    apsw.TooBigError: lambda path, reason: UsageError(f"{path}: {reason}; store smaller values"),
    apsw.ConnectionClosedError: lambda path, reason: UsageError(
        f"{path}: the store is closed; open it again"
    ),
    apsw.CursorClosedError: lambda path, reason: UsageError(f"{path}: the store is closed; open it again"),
    apsw.ThreadingViolationError: lambda path, reason: UsageError(
        f"{path}: {reason}; let one thread at a time use a connection"
    ),
}


def translated(error: apsw.Error, path: str, busy_ms: int) -> PillarboxError:
    """Our error for one of SQLite's."""
    if isinstance(error, apsw.BusyError):
        return StoreBusy(path, waited_ms=busy_ms)
    make = _BY_CLASS.get(type(error), StoreFailed)
    return make(path, str(error))
