"""Connections of a parent in a forked child, where SQLite takes their locks for its own.

It counts by files what a process has locked, and a child takes the counts along, while no lock of the system
comes with it. Who opened the same file there would be told of locks that nobody has: the parent, when it
closes, would find nobody there and take the log away, with all later commits of the child in it, and would
write over what the child reads.

Depends on: errors, apsw, ctypes.  Never on: engines.

Law: when a child opens a file, nothing counts that its parent had locked. The connections are never used
otherwise, and never closed: that would end their transactions, in memory that the parent uses.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import apsw

from pillarbox.errors import StoreFailed

if TYPE_CHECKING:
    from ctypes import c_void_p

#: Where SQLite has calls of an open file, counted from their version, which is the first.
_UNLOCK_AT, _UNMAP_AT = 8, 16
#: The version from which on there is a log's index.
_WITH_INDEX: Final = 2
_NO_LOCK: Final = 0

#: Paths, and connections whose locks still count.
_counted: Final[list[tuple[str, apsw.Connection]]] = []


def inherit(path: str, connection: apsw.Connection, cursor: apsw.Cursor) -> None:
    """This is a child, and its parent has that open. Here not even the end of the process lets go of it."""
    import ctypes

    for held in (connection, cursor):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))
    _counted.append((path, connection))


def uncount(path: str) -> None:
    """To be called before a file is opened.

    Raises StoreFailed where another thread of the parent was using the file in the moment of the fork: what
    that was amid of, SQLite waits for in the child as well, and nobody ends it.
    """
    if not _counted:
        return
    files = [(other, _file_of(connection)) for other, connection in _counted]
    busy = {other for other, file in files if file is None}
    for other, file in files:
        if file and other not in busy:
            _let_go(file)
    _counted[:] = [each for each in _counted if each[0] in busy]
    for other in busy:
        with suppress(OSError):
            if os.path.samefile(path, other):
                raise StoreFailed(
                    path,
                    "this process was forked while another thread was using the box",
                    remedy="start processes by `spawn`, or before there are threads",
                )


def _file_of(connection: apsw.Connection) -> c_void_p | None:
    """SQLite's own handle of the open file; null where there is none, None where that cannot be asked."""
    import ctypes

    file = ctypes.c_void_p()
    try:
        connection.file_control("main", apsw.SQLITE_FCNTL_FILE_POINTER, ctypes.addressof(file))
    except apsw.ConnectionClosedError:
        pass
    except apsw.ThreadingViolationError:
        return None
    return file


def _let_go(file: c_void_p) -> None:
    """Of the log's index and of all locks, below all that knows of transactions."""
    from ctypes import CFUNCTYPE, POINTER, addressof, c_int, c_void_p, cast

    calls: Any = cast(file, POINTER(POINTER(c_void_p))).contents
    call = CFUNCTYPE(c_int, c_void_p, c_int)
    if c_int.from_address(addressof(calls.contents)).value >= _WITH_INDEX:
        call(calls[_UNMAP_AT])(file, 0)
    call(calls[_UNLOCK_AT])(file, _NO_LOCK)
