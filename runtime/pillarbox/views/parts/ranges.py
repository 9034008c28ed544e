"""From a key prefix to the bounds of a read.

Depends on: codec.  Never on: parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pillarbox.codec import successor
from pillarbox.views.lane import next_key

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey


def bounds(prefix: StoredKey, *, int_key: bool) -> tuple[StoredKey | None, StoredKey | None]:
    """(low, high) of the keys that begin with `prefix`: low <= key < high, None is open-ended.

    A table with int keys knows the whole table (b"") and single keys only.
    """
    if not isinstance(prefix, bytes):
        return prefix, next_key(prefix)
    if int_key or not prefix:
        return None, None
    return prefix, successor(prefix)
