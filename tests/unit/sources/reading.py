"""What tests of adapters share: a whole file read piece by piece, and what must hold of every adapter.

Depends on: adapters.  Never on: any one adapter.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from pillarbox_spark.adapters import Adapter, Piece, Refused

#: Rows, which may be anything, and Refused.
Taken: TypeAlias = list[Any]

#: Above every file of these tests.
WHOLE = 1 << 30


def fields(**columns: object) -> dict[str, object]:
    """A row as a mapping."""
    return columns


def index(adapter: Adapter, path: Path, piece_bytes: int = WHOLE) -> tuple[list[Piece], list[Refused]]:
    """The pieces of a file, and what the index refuses."""
    found = list(adapter.index(0, path, piece_bytes))
    pieces = [one for one in found if isinstance(one, Piece)]
    refused = [one for one in found if isinstance(one, Refused)]
    assert len(pieces) + len(refused) == len(found)
    return pieces, refused


def read(adapter: Adapter, path: Path, piece_bytes: int = WHOLE, row: Callable[..., Any] = fields) -> Taken:
    """Every record of a file, those that the index refuses last."""
    pieces, refused = index(adapter, path, piece_bytes)
    return [*(one for piece in pieces for one in adapter.read(path, piece, row)), *refused]


def rows(adapter: Adapter, path: Path, row: Callable[..., Any] = fields) -> Taken:
    """The same of a file in which nothing is wrong."""
    taken = read(adapter, path, row=row)
    assert reasons(taken) == []
    return taken


def reasons(taken: Taken) -> list[str]:
    """Why records were refused, in order."""
    return [one.reason for one in taken if isinstance(one, Refused)]


def check(adapter: Adapter, path: Path, piece_bytes: int) -> Taken:
    """Read a file in pieces, and check what every adapter promises of them. What was read."""
    pieces, _ = index(adapter, path, piece_bytes)
    taken = read(adapter, path, piece_bytes)
    assert taken == read(adapter, path)
    assert [one.begin for one in pieces] == sorted(one.begin for one in pieces)
    assert all(one.end <= after.begin for one, after in pairwise(pieces))
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    first = 0
    for piece in pieces:
        records = list(adapter.read(path, piece, fields))
        assert piece.first == first
        assert piece.records in (len(records), -1)
        for record, (begin, text) in zip(records, adapter.raws(path, piece), strict=True):
            assert raw[begin : begin + len(text)] == text
            assert not isinstance(record, Refused) or (record.begin, record.raw) == (begin, text)
        first += len(records)
    return taken
