"""What became of a commit, also of one that reported an error.

Depends on: tables, errors.  Never on: the box.

Law: one changed row tells, for a commit is atomic and no row of a record ended as it began.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from pillarbox.errors import CommitUnknown, StoreError
from pillarbox.tables import ChangeRecord, TableReader

R = TypeVar("R")


class Commit(msgspec.Struct, frozen=True):
    """What a replay did."""

    #: False when nothing differed from before; nothing was then written.
    changed: bool
    #: Event structs emitted by the operations, in order.
    events: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Applied(Generic[R]):
    """What work in a transaction of its own did."""

    #: False when nothing differed from before; nothing was then written.
    changed: bool
    #: Event structs that it published, in order.
    events: tuple[object, ...]
    #: What the work returned.
    result: R


def landed(
    path: str, tables: Mapping[int, TableReader[Any]], record: ChangeRecord, error: BaseException
) -> bool:
    """Whether a commit landed that reported an error or was interrupted.

    Raises CommitUnknown where the file does not tell.
    """
    number, changes = next(iter(record.tables.items()))
    key, (before, after) = next(iter(changes.items()))
    try:
        stored = tables[number].cell(key)
    except StoreError as second:
        raise CommitUnknown(path, error, second) from error
    if stored == after:
        return True
    if stored == before:
        return False
    raise CommitUnknown(path, error, None) from error
