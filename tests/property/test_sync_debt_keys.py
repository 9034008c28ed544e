"""Keys of any cursor as bytes of one table: what comes back is the key, and no two are packed alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbox.storage import StoredKey
from pillarbox.sync.debt_keys import packed_key, stored_key

Pack = Callable[[StoredKey], bytes]

NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 300)
KEYS = NUMBERS | st.binary(max_size=9) | NUMBERS.map(lambda number: number.to_bytes(8, "big", signed=True))


def check(packed: Pack, one: StoredKey, other: StoredKey) -> None:
    assert stored_key(packed(one)) == one
    assert type(stored_key(packed(one))) is type(one)
    assert (packed(one) == packed(other)) is (one == other)


@given(KEYS, KEYS)
def test_a_key_comes_back_and_is_packed_like_no_other(one: StoredKey, other: StoredKey) -> None:
    """K-13: a debt is of one instance, whatever its cursor counts by."""
    check(packed_key, one, other)


def test_a_number_that_is_packed_as_its_bytes_is_noticed() -> None:
    def faulty(key: StoredKey) -> bytes:
        return packed_key(key.to_bytes(8, "big", signed=True) if isinstance(key, int) else key)

    with pytest.raises(AssertionError):
        check(faulty, 5, 5)
