"""The connection to a box's file: found or made, and refused where it can be neither.

Depends on: places, faults, inherited, apsw.  Never on: what is in the file.

Law: what is connected to is a regular file, made for its owner alone where none was; a refusal touches none.
"""

from __future__ import annotations

import os
from typing import Final

import apsw

from pillarbox.storage.faults import translated
from pillarbox.storage.inherited import uncount
from pillarbox.storage.places import create_private, no_file, refuse_lone_log

#: Statements that were used last, which are kept prepared. A commit of dozens of tables uses about a hundred;
#: more are no gain, for every statement that is run is searched for among all that are kept.
_STATEMENTS_MAX: Final = 256


def connect(path: str, *, read_only: bool, busy_ms: int, vfs: str | None) -> apsw.Connection:
    """Open the file, or create it for its owner only. Raises StoreMissing and the other errors of stores."""
    refuse_lone_log(path)
    uncount(path)
    if not read_only:
        create_private(path)
    if not os.path.isfile(path):  # to read a pipe would be to wait for ever
        raise no_file(path)
    try:
        connection = apsw.Connection(
            path,
            flags=apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE,
            vfs=vfs,
            statementcachesize=_STATEMENTS_MAX,
        )
    except apsw.Error as error:
        raise translated(error, path, busy_ms) from error
    connection.set_busy_timeout(busy_ms)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    # Else every scan is prepared anew, twice the time of the scan, as if its limit could change the plan.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    return connection
