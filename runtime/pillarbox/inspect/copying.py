"""A copy of a box that was looked at before it has its name.

Depends on: stored, findings, verify, storage.  Never on: generated packages.

Law: under the name there is a copy in which everything reads, or nothing that was not there before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import uuid4

from pillarbox.errors import FileDamaged, PillarboxError, UsageError
from pillarbox.inspect.findings import Findings
from pillarbox.inspect.stored import Stored, opened
from pillarbox.inspect.verify import verify
from pillarbox.storage.places import absolute, give_name, refuse_taken, synced

#: What SQLite may lay beside a file that it reads.
_BESIDE: Final = ("", "-wal", "-shm", "-journal")


def copied(stored: Stored, path: str, findings: Findings) -> bool:
    """Copy a box to a new file, unless anything is found that is wrong; tell whether it was.

    Damaged pages are found in the box: in a copy they are not there any more, and neither is what they held.
    What does not read is found in the copy. Raises UsageError where the name is taken, and StoreError.
    """
    if not path:
        raise UsageError("the name of the copy is empty; name a file that is to be made")
    target = absolute(path)
    refuse_taken(target)
    verify(stored.engine, "quick", None, findings)
    if findings.total:
        return False
    part = f"{target}.{uuid4().hex[:12]}.part"
    try:
        with _told(part, stored.engine.path, target):
            stored.engine.backup(part)
            with opened(part) as engine:
                verify(engine, "records", None, findings)
        if findings.total:
            return False
        give_name(part, target)
    finally:
        for ending in _BESIDE:
            with suppress(OSError):  # under some names there can be no file at all
                os.unlink(part + ending)
    synced(os.path.dirname(target))
    return True


@contextmanager
def _told(part: str, box: str, target: str) -> Iterator[None]:
    """Have errors name what somebody has heard of: the box that is damaged, else the copy as it is to be."""
    try:
        yield
    except PillarboxError as error:
        name = box if isinstance(error, FileDamaged) else target
        error.args = tuple(str(argument).replace(part, name) for argument in error.args)
        if "path" in vars(error):
            vars(error)["path"] = name
        raise
