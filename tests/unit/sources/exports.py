"""What the tests of the adapter of chat exports share.

Depends on: the adapter, the generated messenger.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from pillarbox_messenger.sources import TelegramExportRow
from pillarbox_spark.adapters import Piece, Refused, Skipped
from pillarbox_spark.sources.telegram_export import ADAPTER

DATA = Path(__file__).resolve().parents[2] / "data" / "telegram_export"
#: Every export in the folder.
EXPORTS = sorted(path.name for path in DATA.iterdir())
#: Above every piece of these tests.
WHOLE = 1 << 30


@dataclass(frozen=True, slots=True)
class Export:
    """A file that was read: what came out of it, record by record."""

    path: Path
    pieces: list[Piece]
    #: Of each piece.
    records: list[list[TelegramExportRow | Refused]]
    refused_by_index: list[Refused]
    skipped: list[Skipped]

    @property
    def taken(self) -> list[TelegramExportRow | Refused]:
        return [*(record for records in self.records for record in records), *self.refused_by_index]

    @property
    def rows(self) -> list[TelegramExportRow]:
        return [one for one in self.taken if isinstance(one, TelegramExportRow)]

    @property
    def messages(self) -> list[TelegramExportRow]:
        return [row for row in self.rows if not row.is_chat]

    @property
    def chats(self) -> list[TelegramExportRow]:
        return [row for row in self.rows if row.is_chat]

    @property
    def reasons(self) -> list[str]:
        return [one.reason for one in self.taken if isinstance(one, Refused)]

    def message(self, number: int) -> TelegramExportRow:
        """The one message that has this id."""
        (found,) = [row for row in self.messages if row.id == number]
        return found


def read(path: Path, piece_bytes: int = WHOLE) -> Export:
    """Read a whole file, piece by piece."""
    found = list(ADAPTER.index(0, path, piece_bytes))
    pieces = [one for one in found if isinstance(one, Piece)]
    return Export(
        path,
        pieces,
        [list(ADAPTER.read(path, piece, TelegramExportRow)) for piece in pieces],
        [one for one in found if isinstance(one, Refused)],
        [one for one in found if isinstance(one, Skipped)],
    )


def read_data(name: str, piece_bytes: int = WHOLE) -> Export:
    return read(DATA / name, piece_bytes)


def check(path: Path, piece_bytes: int = WHOLE) -> Export:
    """Read a file, and check what holds of every file: each record once, where it says it lies."""
    export = read(path, piece_bytes)
    text = path.read_bytes()
    first = 0
    for piece, records in zip(export.pieces, export.records, strict=True):
        assert (piece.first, piece.records) == (first, len(records))
        first += len(records)
        for record, (begin, raw) in zip(records, ADAPTER.raws(path, piece), strict=True):
            assert text[begin : begin + len(raw)] == raw
            if isinstance(record, Refused):
                assert (record.begin, record.raw) == (begin, raw)
    for before, after in pairwise(export.pieces):
        assert before.begin <= before.end <= after.begin
    for refused in export.refused_by_index:
        assert text[refused.begin : refused.begin + len(refused.raw)] == refused.raw
    assert (
        msgspec.convert(msgspec.to_builtins(export.rows), list[TelegramExportRow]) == export.rows
    )  # every value is of its column's type
    return export


def records_of(text: bytes) -> int:
    """How many chats and messages a JSON text has: the slow and plain way. Raises ValueError for no JSON."""
    mended = re.sub(rb"(?<!\\)((?:\\\\)*)\\x([0-9A-Fa-f]{2})", rb"\1\\u00\2", text)
    return sum(1 + len(messages) for messages in _chats_of(json.loads(mended)))


def _chats_of(root: Any) -> list[list[Any]]:
    lists = [root.get(name, {}).get("list", []) for name in ("chats", "left_chats")]
    found = [chat["messages"] for chats in lists for chat in chats]
    return [*([root["messages"]] if "messages" in root else []), *found]
