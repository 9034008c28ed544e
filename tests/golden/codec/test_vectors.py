"""Bytes that boxes already hold: what wrote them once must be written so, and read so, forever.

`PILLARBOX_ACCEPT=1` rewrites vectors.json; a changed line in it is a box that can no longer be read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pillarbox.codec import Packed, PackedField, RecordCodec, Unknown, escape, invert, unescape

VECTORS = Path(__file__).with_name("vectors.json")


class State(IntEnum):
    OPEN = 0
    CLOSED = 300


class Link(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=1):
    url: str


class Image(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=200):
    width: int
    inner: tuple[Link | Image, ...] = ()


class Issue(msgspec.Struct, frozen=True, array_like=True, gc=False):
    project_id: int
    number: int
    title: str = ""
    state: State = State.OPEN
    _reserved_3: None = None
    attached: Link | Image | None = None
    links: tuple[Link | Image, ...] = ()
    votes: tuple[tuple[int, float], ...] = ()
    data: bytes = b""
    late: bool = False


ISSUES = RecordCodec(Issue, "issues")
COUNTS = Packed("counts", (PackedField("open", "uint32"), PackedField("late", "int64")))
LABELS = Packed(
    "labels",
    (
        PackedField("name", "text"),
        PackedField("color", "uint32", default=7),
        PackedField("hidden", "bool"),
        PackedField("weight", "float64", optional=True),
        PackedField("icon", "bytes", optional=True),
        PackedField("a", "int8", default=0),
        PackedField("b", "int16", default=0),
        PackedField("c", "uint8", default=0),
        PackedField("d", "uint16", default=0),
        PackedField("e", "uint64", default=0),
    ),
)

#: name -> (value, encode, decode)
Vector = tuple[Any, Callable[[Any], bytes], Callable[[bytes], Any]]


def record(row: Issue) -> Vector:
    return row, ISSUES.encode, ISSUES.decode


def packed(codec: Packed, *values: object) -> Vector:
    return values, lambda row: codec.encode(*row), codec.decode


def part(raw: bytes) -> Vector:
    return raw, escape, lambda data: unescape(data, 0)[0]


CASES: dict[str, Vector] = {
    "record with nothing but its key": record(Issue(0, 0)),
    "record at the ends of its integers": record(Issue(-(2**63), 2**64 - 1, state=State.CLOSED)),
    "record with every integer width": record(
        Issue(-33, 127, votes=tuple((number, 0.0) for number in (-32, 128, -129, 256, -32769, 65536, 2**32)))
    ),
    "record with text, bytes, floats, a bool": record(
        Issue(1, 2, "größer " + "x" * 40, votes=((1, -0.5), (2, 1e300)), data=b"\0\xff" * 3, late=True)
    ),
    "record with a union case in a case": record(Issue(1, 2, attached=Image(640, (Link("u"),)))),
    "record with a case nobody knows": record(
        Issue(1, 2, attached=Unknown(77, b"\x93\x4d\xcd\0\x05\xa1x"), links=(Link("u"),))  # type: ignore[arg-type]
    ),
    "packed integers": packed(COUNTS, 2**32 - 1, -(2**63)),
    "packed with everything absent": packed(LABELS, "", 7, False, None, None, 0, 0, 0, 0, 0),
    "packed with everything present": packed(
        LABELS, "rot\0", 0, True, -1.5, b"", -128, -32768, 255, 65535, 2**64 - 1
    ),
    "packed with something present": packed(LABELS, "blau", 7, False, None, b"\0\xff", 0, 1, 0, 0, 0),
    "escaped empty part": part(b""),
    "escaped part with zeros": part(b"a\0\0b\xff\0"),
    "escaped text part": part("größer".encode()),
    "inverted escaped part": (
        b"a\0b",
        lambda raw: invert(escape(raw)),
        lambda data: unescape(invert(data), 0)[0],
    ),
}


def test_vectors_are_what_is_written_today() -> None:
    written = {name: encode(value).hex() for name, (value, encode, _) in CASES.items()}

    if os.environ.get("PILLARBOX_ACCEPT"):
        VECTORS.write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n")
    assert written == json.loads(VECTORS.read_text())


@pytest.mark.parametrize("name", CASES)
def test_a_vector_is_read_back(name: str) -> None:
    value, _, decode = CASES[name]

    assert decode(bytes.fromhex(json.loads(VECTORS.read_text())[name])) == value
