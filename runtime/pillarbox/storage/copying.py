"""A copy of a box, as of its last commit.

Depends on: places, faults, apsw.  Never on: what is in the file.

Law: under the name of a copy lies a whole one or nothing, and the box that it is of stays as it is.
"""

from __future__ import annotations

import os
from contextlib import suppress
from uuid import uuid4

import apsw

from pillarbox.storage.faults import translated
from pillarbox.storage.places import absolute, create_private, give_name, refuse_taken, synced


def copy_to(path: str, source: apsw.Connection, busy_ms: int) -> None:
    """Write what a connection reads to a new file. Raises UsageError where there is one, and StoreError."""
    target = absolute(path)
    refuse_taken(target)
    # Under another name until it is whole, so that no half of a backup can be taken for one.
    part = f"{target}.{uuid4().hex[:12]}.part"
    create_private(part, target)
    try:
        source.execute("VACUUM INTO ?", (part,))
        synced(part)
        give_name(part, target)
    except apsw.Error as error:
        raise translated(error, target, busy_ms, source) from error
    finally:
        with suppress(OSError):
            os.unlink(part)
    synced(os.path.dirname(target))
