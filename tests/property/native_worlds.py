"""What the laws of the native path share: both answers to a call, and bytes with damage done to them."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from tests.native_support import native, outcome

from pillarbox.native.loader import Library, PythonLibrary

PYTHON: Library = PythonLibrary()


def both(call: Callable[[Library], object]) -> list[object]:
    """What each path answers, or everything that its error tells."""
    return [outcome(lambda: call(PYTHON)), outcome(lambda: call(native()))]


numbers32 = st.sampled_from([0, 1, 2, 3, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """The bytes with up to two things wrong: cut, longer, a byte or a number changed, a gap."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(data)))
        how = draw(st.sampled_from(["cut", "short", "append", "byte", "nudge", "nudge", "number", "gap"]))
        if how == "cut":
            del data[at:]
        elif how == "short":
            del data[-draw(st.integers(1, 4)) :]
        elif how == "append":
            data += draw(st.binary(min_size=1, max_size=5))
        elif how == "byte" and at < len(data):
            data[at] = draw(st.sampled_from([0, 1, 2, 0x7F, 0x80, 0xC3, 0xFE, 0xFF]))
        elif how == "nudge" and at < len(data):
            data[at] = data[at] + draw(st.sampled_from([-1, 1])) & 0xFF
        elif how == "number":
            data[at // 4 * 4 : at // 4 * 4 + 4] = draw(numbers32).to_bytes(4, "little")
        else:
            del data[at : at + draw(st.integers(1, 4))]
    return bytes(data)
