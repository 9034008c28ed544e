"""Pages: their bytes, and what is said about bytes that are none."""

from __future__ import annotations

import pytest
from tests.native_support import native

from pillarbox.errors import UsageError
from pillarbox.native.faults import PageCorrupt
from pillarbox.native.interface import Status
from pillarbox.native.loader import Library, PythonLibrary
from pillarbox.native.pages import build_page


@pytest.fixture(params=["python", "native"])
def library(request: pytest.FixtureRequest) -> Library:
    """Each path in turn."""
    return PythonLibrary() if request.param == "python" else native()


def test_a_page_of_rows_has_these_bytes() -> None:
    page = build_page([b"ab", b"cd"], [b"x", b""], 2)

    assert page == b"\2\0\0\0abcd\0\0\0\0\1\0\0\0\1\0\0\0x"


def test_a_page_of_varying_keys_alone_has_these_bytes() -> None:
    assert build_page([b"", b"abc"], None, 0) == b"\2\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0abc"


@pytest.mark.parametrize(
    ("data", "width", "status", "offset"),
    [
        (b"", 2, Status.PAGE_SHORT, 0),
        (b"\1\0\0", 2, Status.PAGE_SHORT, 3),
        (b"\1\0\0\0a", 2, Status.PAGE_SHORT, 5),
        (b"\xff\xff\xff\xff", 8, Status.PAGE_SHORT, 4),
        (b"\xff\xff\xff\xff", 0, Status.PAGE_SHORT, 4),
        (b"\0\0\0\0\1\0\0\0", 0, Status.PAGE_OFFSETS, 4),
        (b"\1\0\0\0ab\0\0\0\0\1\0\0", 2, Status.PAGE_SHORT, 13),
        (b"\1\0\0\0ab\0\0\0\0\2\0\0\0x", 2, Status.PAGE_SHORT, 15),
        (b"\2\0\0\0abcd\0\0\0\0\2\0\0\0\1\0\0\0xx", 2, Status.PAGE_OFFSETS, 16),
        (b"\1\0\0\0ab\0\0\0\0\1\0\0\0xy", 2, Status.PAGE_TRAILING, 15),
    ],
)
def test_a_torn_page_is_refused_where_it_is_torn(
    library: Library, data: bytes, width: int, status: Status, offset: int
) -> None:
    with pytest.raises(PageCorrupt, match=f"torn at byte {offset}") as caught:
        library.open_page(data, width)

    assert (caught.value.status, caught.value.offset) == (status, offset)


@pytest.mark.parametrize("keys", [[b"b", b"a"], [b"a", b"a"], [b"ab", b"a"], [b"a", b""]])
def test_keys_that_do_not_ascend_are_found(library: Library, keys: list[bytes]) -> None:
    page = library.open_page(build_page(keys, None, 0), 0)

    with pytest.raises(PageCorrupt) as caught:
        library.check_ascending(page)

    assert (caught.value.status, caught.value.offset) == (Status.PAGE_ORDER, page.keys_at + len(keys[0]))


@pytest.mark.parametrize(
    ("keys", "values", "width", "said"),
    [
        ([b"a"], [], 1, "1 keys and 0 values"),
        ([b"a", b"bcd"], None, 2, "a key is not 2 bytes wide"),
        ([b"a"], None, 2, "a key is not 2 bytes wide"),
    ],
)
def test_rows_that_make_no_page_are_refused(
    keys: list[bytes], values: list[bytes] | None, width: int, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        build_page(keys, values, width)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"abc", 0x44BC2CF5AD770999),
        (b"The quick brown fox jumps over the lazy dog", 0x0B242D361FDA71BC),
    ],
)
def test_the_hash_is_the_published_one(library: Library, data: bytes, expected: int) -> None:
    assert library.hash64(data) == expected
