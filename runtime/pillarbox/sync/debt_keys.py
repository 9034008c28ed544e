"""Keys of any cursor as bytes, for the one table that holds what is owed to all of them.

Depends on: storage (key types only).  Never on: boxes.

Law: `stored_key(packed_key(key)) == key`, and no two keys are packed alike.
"""

from __future__ import annotations

from pillarbox.storage import StoredKey

_NUMBER = b"i"
_BYTES = b"b"


def packed_key(key: StoredKey) -> bytes:
    """A key of a cursor as bytes that tell whether it was a number."""
    if isinstance(key, int):
        return _NUMBER + key.to_bytes(8, "big", signed=True)
    return _BYTES + key


def stored_key(packed: bytes) -> StoredKey:
    """The key of such bytes."""
    if packed[:1] == _NUMBER:
        return int.from_bytes(packed[1:], "big", signed=True)
    return packed[1:]
