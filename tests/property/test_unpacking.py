"""Law: of a packed file all that stands before its damage is read, whatever is asked for at a time."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import Fault

from pillarbox_spark.sources import unpacking
from pillarbox_spark.sources.unpacking import Unpacked

members = st.lists(
    st.binary(max_size=200) | st.text("ab\n", max_size=2_000).map(str.encode), min_size=1, max_size=3
)


@st.composite
def packed_files(draw: st.DrawFn) -> bytes:
    """Files of gzip, some of them cut off or with a byte that is another."""
    data = b"".join(gzip.compress(member, draw(st.integers(0, 9)), mtime=0) for member in draw(members))
    place = draw(st.integers(0, len(data) - 1))
    match draw(st.sampled_from(["whole", "cut", "changed"])):
        case "cut":
            return data[:place]
        case "changed":
            return data[:place] + bytes([data[place] ^ draw(st.integers(1, 255))]) + data[place + 1 :]
        case _:
            return data


def by_single_bytes(data: bytes) -> bytes:
    """What an unpacker gives that is handed one byte at a time, up to the one that it cannot take."""
    found, member = b"", zlib.decompressobj(16 + zlib.MAX_WBITS)
    for at in range(len(data)):
        if member.eof:
            if not data[at]:
                continue
            member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            found += member.decompress(data[at : at + 1])
        except zlib.error:
            return found
    return found


def read(data: bytes, size: int) -> bytes:
    """What is read of such a file, so much at a time."""
    with TemporaryDirectory() as name:
        path = Path(name) / "a.gz"
        path.write_bytes(data)
        with Unpacked(path.open("rb")) as file:
            return b"".join(iter(lambda: file.read(size), b""))


def check(data: bytes, size: int, block: int) -> None:
    with patch.object(unpacking, "_BLOCK", block):
        found = read(data, size)
    before = by_single_bytes(data)
    # The byte of the file that leads to the damage may hold some of what comes before it.
    assert found.startswith(before)


@given(packed_files(), st.integers(1, 3_000), st.sampled_from([1, 7, 64, 1 << 16]))
def test_all_that_stands_before_the_damage_is_read(data: bytes, size: int, block: int) -> None:
    check(data, size, block)


@given(members, st.integers(1, 3_000))
def test_what_is_whole_is_read_whole(data: list[bytes], size: int) -> None:
    assert read(b"".join(map(gzip.compress, data)), size) == b"".join(data)


FAULTS = (
    Fault("what was unpacked is lost", unpacking, "_up_to_damage", "return found", 'return b""'),
    Fault("the search stops early", unpacking, "_up_to_damage", "end - begin > 1", "end - begin > 9"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_seen(fault: Fault) -> None:
    text = bytes(range(97, 123)) * 40
    data = gzip.compress(text, 0, mtime=0) + gzip.compress(bytes(range(256)) * 3, mtime=0)
    with fault.planted(), pytest.raises(AssertionError):  # noqa: PT012
        for place in range(len(data) - 1):
            check(data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :], 5_000, 1 << 16)
