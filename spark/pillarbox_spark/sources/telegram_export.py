"""The JSON export of Telegram Desktop: of one chat, or of a whole account.

Depends on: packing, telegram_index, telegram_rows, telegram_chats, telegram_members.  Never on: any
generated package.

Law: each chat and each element of a chat's messages is one record, which `read` gives as a row or refuses.

What is taken as the format leaves it open:

- The key of a chat is its kind, which `type` tells, and its bare id. A type that is null or new makes a kind
  of its own, `unknown`, so such messages are neither lost nor mixed with another chat's. Without an id no
  chat can be told from another: it and its messages are refused.
- `date_unixtime` is the time. Where it is missing, `date` is taken as UTC, and the row's `local_time` tells.
- A message that we wrote: its author is the export's owner, if the export names one, else, in a chat with one
  other, whoever is not the other. All else is incoming.
- A plain number in `from_id`, as before 2021, is a user's.
- Members without a meaning, or whose value is not of their type, are kept as JSON.
- Sections other than chats are not loaded, and the index says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from inspect import unwrap
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from pillarbox_spark.adapters import Found, Piece, Refused, Row, files_of, opened
from pillarbox_spark.sources.packing import refuse_packed
from pillarbox_spark.sources.telegram_chats import Chat, row_of
from pillarbox_spark.sources.telegram_index import index
from pillarbox_spark.sources.telegram_members import deep_of, elements_of, places_of
from pillarbox_spark.sources.telegram_rows import Rows, Unfit
from pillarbox_spark.sources.telegram_schema import records_of


class TelegramExport:
    """An `Adapter`. An input is a result.json, or a folder with files `result*.json`."""

    def inputs(self, path: Path) -> Sequence[Path]:
        found = files_of(path, "result*.json")
        refuse_packed(found)
        return found

    def index(self, file: int, path: Path, piece_bytes: int) -> Iterator[Found]:
        return index(file, path, piece_bytes)

    def read(self, path: Path, piece: Piece, row: Callable[..., Row]) -> Iterator[Row | Refused]:
        """Raises DataError when the file changed after the index, UsageError for a row of another kind."""
        chat = msgspec.json.decode(piece.context, type=Chat)
        row = unwrap(row)  # which takes these columns whatever they hold
        records = records_of(row)
        if chat.opens:
            yield row_of(chat, row, records) if chat.id is not None else self._refused_chat(path, chat)
        if chat.id is None:
            yield from self._refused_messages(path, piece, chat)
            return
        self_id = records.peer_id("USER", chat.self_id) if chat.self_id is not None else None
        rows = Rows(row, records, records.peer_id(chat.kind, chat.id), self_id, chat.one_to_one)
        make = rows.row
        stretch = _bytes(path, piece.begin, piece.end)
        deep = deep_of(stretch) if chat.deep else ()
        for at, element in enumerate(elements_of(stretch, piece.records - chat.opens)):
            try:
                made = make(element) if at not in deep else _refused_deep(path, piece, at)
            except Unfit as unfit:
                made = Refused(unfit.reason, unfit.detail, *_message(path, piece, at))
            yield made

    def raws(self, path: Path, piece: Piece) -> Iterator[tuple[int, bytes]]:
        chat = msgspec.json.decode(piece.context, type=Chat)
        if chat.opens:
            yield chat.begin, _bytes(path, chat.begin, chat.end)
        stretch = _bytes(path, piece.begin, piece.end)
        for begin, end in _places(path, piece, path.stat().st_mtime_ns):
            yield begin, stretch[begin - piece.begin : end - piece.begin]

    def _refused_chat(self, path: Path, chat: Chat) -> Refused:
        why = f"it cannot be read: {chat.broken}" if chat.broken else "it has no id that can be used"
        raw = _bytes(path, chat.begin, chat.end)
        return Refused("chat-without-id", f"{why}; give the chat its id", chat.begin, raw)

    def _refused_messages(self, path: Path, piece: Piece, chat: Chat) -> Iterator[Refused]:
        for begin, raw in islice(self.raws(path, piece), chat.opens, None):
            yield Refused("chat-without-id", "its chat has no id; give the chat its id", begin, raw)


def _refused_deep(path: Path, piece: Piece, number: int) -> Refused:
    why = "it is nested too deep to be read; mend it, or take it out"
    return Refused("deep-message", why, *_message(path, piece, number))


def _message(path: Path, piece: Piece, number: int) -> tuple[int, bytes]:
    """Where a message of a piece begins, and the message."""
    begin, end = _places(path, piece, path.stat().st_mtime_ns)[number]
    return begin, _bytes(path, begin, end)


def _bytes(path: Path, begin: int, end: int) -> bytes:
    with opened(path) as file:
        file.seek(begin)
        return file.read(end - begin)


@lru_cache(maxsize=4)
def _places(path: Path, piece: Piece, changed: int) -> list[tuple[int, int]]:
    """Where the messages of a piece lie in the file, as of its last change."""
    chat = msgspec.json.decode(piece.context, type=Chat)
    places = places_of(_bytes(path, piece.begin, piece.end), piece.records - chat.opens)
    return [(piece.begin + begin, piece.begin + end) for begin, end in places]


ADAPTER: Final = TelegramExport()
