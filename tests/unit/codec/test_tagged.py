"""What has a code, as bytes of both forms."""

from __future__ import annotations

import math
from typing import TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbox.codec import TaggedCodec, Unknown
from pillarbox.errors import DataError, RangeError


class Link(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=1):
    url: str


class Image(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=2):
    width: int


class Shown(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=7):
    what: Link | Image
    rank: float = 0.0
    data: bytes = b""
    of: int | None = None


class Hidden(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=9):
    ids: tuple[int, ...] = ()


Said: TypeAlias = Shown | Hidden
CODEC: TaggedCodec[Said] = TaggedCodec(Said, "saying")

SAID = st.one_of(
    st.builds(
        Shown,
        st.one_of(st.builds(Link, st.text()), st.builds(Image, st.integers(-(2**63), 2**63 - 1))),
        st.floats(allow_nan=False, allow_infinity=False),
        st.binary(),
        st.none() | st.integers(-5, 5),
    ),
    st.builds(Hidden, st.lists(st.integers(-(2**63), 2**63 - 1)).map(tuple)),
)


@given(SAID)
def test_what_is_said_survives_both_forms(said: Said) -> None:
    assert CODEC.decode(CODEC.encode(said)) == said
    assert CODEC.decode_json(CODEC.encode_json(said)) == said


def test_json_is_one_line_that_begins_with_the_code() -> None:
    assert CODEC.encode_json(Shown(Link("a\nb"), of=3)) == b'[7,[1,"a\\nb"],0.0,"",3]'


@pytest.mark.parametrize(
    "said",
    [
        Shown(Link("x"), math.nan),
        Shown(Link("x"), math.inf),
        Shown(Link("\ud800")),
        Shown(Unknown(77, b"\x91\x4d")),  # type: ignore[arg-type]
    ],
    ids=["nan", "infinite", "surrogate", "case of a newer package"],
)
def test_what_json_cannot_hold_is_refused(said: Said) -> None:
    with pytest.raises(RangeError, match="what JSON can hold"):
        CODEC.encode_json(said)


@pytest.mark.parametrize("data", [b"", b"[", b"[8]", b"[7]", b"{}", b"[" * 9_000, b"\xff"])
def test_json_that_is_nothing_said_is_refused(data: bytes) -> None:
    with pytest.raises(DataError, match="no saying of this schema"):
        CODEC.decode_json(data)
