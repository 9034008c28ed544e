"""The adapter of chat exports: what the index finds in a file, and what it leaves out or refuses."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.sources.exports import DATA, WHOLE, check, read, read_data

from pillarbox.errors import DataError, UsageError
from pillarbox.native import status
from pillarbox_messenger.sources import TelegramExportRow
from pillarbox_spark.adapters import Adapter, Piece, Refused
from pillarbox_spark.sources import telegram_index, telegram_scan
from pillarbox_spark.sources.telegram_export import ADAPTER
from pillarbox_spark.sources.telegram_scan import Scan


def _write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def _message(number: int, text: str = "") -> dict[str, Any]:
    return {"id": number, "type": "message", "date_unixtime": "1700000000", "text": text}


def test_it_is_an_adapter() -> None:
    assert isinstance(ADAPTER, Adapter)


# ---------------------------------------------------------------------------------------- inputs


def test_an_input_is_a_file_or_the_results_in_a_folder(tmp_path: Path) -> None:
    for name in ("result.json", "result2.json", "other.json", "messages.html"):
        (tmp_path / name).touch()

    assert ADAPTER.inputs(tmp_path) == (tmp_path / "result.json", tmp_path / "result2.json")
    assert ADAPTER.inputs(tmp_path / "other.json") == (tmp_path / "other.json",)


def test_a_folder_without_results_is_no_input(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"result\*\.json"):
        ADAPTER.inputs(tmp_path)


# ---------------------------------------------------------------------------------------- pieces


def test_a_piece_holds_messages_of_one_chat_up_to_the_bytes_given() -> None:
    export = read_data("account.json", 2000)

    assert len(export.pieces) > len({piece.group for piece in export.pieces}) > 1
    assert all(piece.end - piece.begin <= 2000 for piece in export.pieces)
    for piece, records in zip(export.pieces, export.records, strict=True):
        (chat,) = {record.peer_id for record in records if isinstance(record, TelegramExportRow)}
        assert piece.group is not None
        assert piece.group.endswith(f" {chat & 0xFFFFFFFFFFFFFF}")


def test_the_chat_itself_is_the_first_record_of_its_first_piece_and_of_no_other() -> None:
    export = read_data("one_chat.json", 2000)

    opening = [
        number for number, records in enumerate(export.records) if getattr(records[0], "is_chat", False)
    ]
    assert len(export.pieces) > 2
    assert opening == [0]
    assert len(export.chats) == 1


def test_chats_without_messages_are_not_lost() -> None:
    names = [row.who_name for row in read_data("odd_chats.json").chats]

    assert names == ["No array", "Null", "Ben Okafor"]
    assert "Harbour Master" in [row.who_name for row in read_data("account.json").chats]


def test_an_export_of_one_chat_without_messages_is_that_chat(tmp_path: Path) -> None:
    path = _write(tmp_path / "result.json", {"name": "Crew", "type": "private_group", "id": 42})

    (row,) = check(path).taken

    assert isinstance(row, TelegramExportRow)
    assert (row.is_chat, row.who_name) == (True, "Crew")


def test_a_second_array_of_messages_belongs_to_the_same_chat(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    first, second = json.dumps([_message(1), _message(2)]), json.dumps([_message(3)])
    path.write_text(f'{{"type": "private_group", "id": 42, "messages": {first}, "messages": {second}}}')

    export = check(path)

    assert [row.id for row in export.messages] == [1, 2, 3]
    assert len({row.peer_id for row in export.rows}) == 1


def test_what_is_no_chat_is_refused_where_it_stands() -> None:
    export = read_data("odd_chats.json")

    assert [one.raw for one in export.refused_by_index] == [b"7", b"null", b"null", b'"none"']
    assert {one.reason for one in export.refused_by_index} == {"odd-value"}


# -------------------------------------------------------------------------------- what is left out


def test_other_sections_are_named_with_what_they_hold() -> None:
    skipped = {one.what: one.why for one in read_data("account.json").skipped}

    assert list(skipped) == [
        "personal_information (1)",
        "profile_pictures (1)",
        "stories (1)",
        "contacts (2)",
        "frequent_contacts (1)",
        "sessions (1)",
        "other_data (1)",
    ]
    assert skipped["sessions (1)"] == "what it says of people is not loaded"
    assert skipped["stories (1)"] == "no table holds it"


def test_a_section_that_is_not_known_is_named(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "result.json",
        {"lighthouses": [], "chats": {"about": "", "list": [], "lisp": [1]}, "contacts": {"lost": []}},
    )

    assert [one.what for one in read(path).skipped] == [
        "chats.lisp: it is not known",
        "contacts.lost: it is not known",
        "lighthouses: it is not known",
    ]


@pytest.mark.parametrize("text", ["", " ", "5", "[]", "{}", '{"rows": []}', "<html>", '"text"', "\x00"])
def test_what_is_no_export_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "result.json"
    path.write_text(text)

    export = check(path)

    assert len(export.refused_by_index) == len(export.taken) == 1


def test_a_file_that_breaks_off_in_its_sections_is_refused_from_there() -> None:
    export = read_data("account_cut_in_contacts.json")

    (refused,) = export.refused_by_index
    assert refused.reason == "truncated"
    assert refused.begin + len(refused.raw) == (DATA / "account_cut_in_contacts.json").stat().st_size


def test_broken_syntax_refuses_what_follows() -> None:
    export = read_data("broken_between.json")

    (refused,) = export.refused_by_index
    assert (refused.reason, refused.raw[:1]) == ("broken-syntax", b";")
    assert str(refused.begin) in refused.detail
    assert [row.id for row in export.messages] == [1, 2]


_HEAD = '"type": "private_group", "id": 42'
_SAID = '"messages": [{"id": 1, "type": "message", "date_unixtime": "1700000000", "text": "Ahoy"}]'


@pytest.mark.parametrize(
    ("text", "reasons", "rows"),
    [
        # A chat behind one that breaks: refused with it, not taken for a chat without messages.
        (
            f'{{"chats": {{"list": [{{{_HEAD} "name": "?"}}, {{{_HEAD}, {_SAID}}}]}}}}',
            ["broken-syntax"],
            0,
        ),
        # What is no list of messages, and then no JSON: the chat itself is refused as well.
        (f'{{"name": "Ahoy", {_HEAD}, "messages":$[1]}}', ["odd-value", "broken-syntax"], 0),
        (f'{{"name": "Ahoy", {_HEAD}, "messages": {{"a": 1', ["truncated"], 0),
        # Quotes that do not fit, so that a section goes on where chats are.
        (
            f'{{"contacts": {{"list": [{{"us"chats": {{"list": [{{{_HEAD}, {_SAID}}}]}} "}}]}}}}',
            ["broken-section"],
            0,
        ),
        # A chat whose end cannot be read has messages all the same.
        (f'{{{_HEAD}, {_SAID}, "name": {{"Ahoy}}}}', ["truncated"], 2),
        (f'{{{_HEAD}, {_SAID}, "name": {{"Ahoy"]}}}}', ["broken-syntax"], 2),
        (f'{{{_HEAD}, {_SAID}, "name": {{"Ahoy"}}}}', ["broken-chat"], 2),
        # A chat without an id, which says more behind its messages.
        (f'{{"type": "private_group", {_SAID}, "name": "Ahoy"}}', ["chat-without-id"] * 3, 0),
        # A bracket that lacks makes a list of chats a member of something else; without, nothing is unknown.
        (
            f'{{"contacts": {{"list": [], "chats": {{"list": [{{{_HEAD}, {_SAID}}}]}}}}',
            ["broken-rest", "truncated"],
            0,
        ),
        (
            f'{{"contacts": {{"list": [{{}}], "said": "Ahoy"}}, "chats": {{"list": [{{{_HEAD}]}}}}',
            ["broken-rest", "broken-rest", "broken-syntax"],
            0,
        ),
        (f'{{"contacts": {{"list": [{{}}]}}, "chats": {{"list": [{{{_HEAD}, {_SAID}}}', ["truncated"], 2),
        # A chat without messages that can be told.
        (f'{{{_HEAD}, "mess\nages": ["Ahoy"]}}', ["broken-rest"], 0),
    ],
)
def test_what_breaks_is_refused_with_all_that_is_in_it(
    tmp_path: Path, text: str, reasons: list[str], rows: int
) -> None:
    path = tmp_path / "result.json"
    path.write_text(text)

    export = check(path)

    assert (export.reasons, len(export.rows)) == (reasons, rows)
    kept = [row.text for row in export.rows]
    kept += [one.raw.decode() for one in export.taken if isinstance(one, Refused)]
    assert sum(one.count("Ahoy") for one in kept) == text.count("Ahoy")


def test_an_account_behind_a_byte_order_mark_is_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(f'{{"lighthouses": [], "chats": {{"list": [{{{_HEAD}}}]}}}}', encoding="utf-8-sig")

    export = check(path)

    assert [row.is_chat for row in export.rows] == [True]
    assert [one.what for one in export.skipped] == ["lighthouses: it is not known"]


def test_a_message_that_is_too_long_is_refused_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telegram_scan, "MESSAGE_MAX", 300)
    path = _write(
        tmp_path / "result.json",
        {"type": "private_group", "id": 42, "messages": [_message(1), _message(2, "x" * 300), _message(3)]},
    )

    export = check(path)

    assert [row.id for row in export.messages] == [1, 3]
    assert export.reasons == ["long-message"]


def test_what_is_refused_is_kept_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telegram_index, "RAW_MAX", 10)
    path = tmp_path / "result.json"
    path.write_text("?" * 100)

    (refused,) = read(path).refused_by_index

    assert refused.raw == b"?" * 11


def test_too_much_around_the_chats_is_refused_and_the_chats_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telegram_index, "TEXT_MAX", 200)
    chats = {"list": [{"type": "private_group", "id": 42, "messages": [_message(1)]}]}
    path = _write(tmp_path / "result.json", {"about": "a" * 300, "chats": chats})

    export = read(path)

    assert [row.id for row in export.messages] == [1]
    assert export.reasons == ["long-rest"]


def test_a_file_that_changed_after_the_index_is_noticed(tmp_path: Path) -> None:
    path = _write(tmp_path / "result.json", {"id": 1, "type": "private_group", "messages": [_message(1)]})
    (piece,) = read(path).pieces
    path.write_text(path.read_text().replace('"id": 1,', '"id" ] 1,'))

    with pytest.raises(DataError, match="run it again"):
        list(ADAPTER.read(path, piece, TelegramExportRow))


# ------------------------------------------------------------------------------------------- size


#: The Python twin of the scan takes a minute for what C takes a second for.
SCALE = 1 if status().active else 30


class _Streamed(io.RawIOBase):
    """One chat of any size, which is never anywhere as a whole."""

    def __init__(self, messages: int, message: bytes) -> None:
        self._parts = self._text(messages, message)
        self._left = b""

    @staticmethod
    def _text(messages: int, message: bytes) -> Iterator[bytes]:
        yield b'{"name":"Crew","type":"private_group","id":42,"messages":['
        yield message
        for _ in range(messages):
            yield b"," + message
        yield b"]}"

    def read(self, size: int = -1) -> bytes:
        parts = [self._left]
        length = len(self._left)
        while length < size and (part := next(self._parts, b"")):
            parts.append(part)
            length += len(part)
        text = b"".join(parts)
        self._left = text[size:]
        return text[:size]


def _memory(messages: int, message: bytes) -> tuple[int, Scan]:
    tracemalloc.start()
    try:
        scan = Scan(_Streamed(messages, message), 4 << 20)  # type: ignore[arg-type]  # all that a scan needs
        return tracemalloc.get_traced_memory()[1], scan
    finally:
        tracemalloc.stop()


def test_a_chat_of_three_gigabytes_takes_no_more_memory_than_one_of_a_tenth() -> None:
    message = json.dumps(_message(1, "x" * 100_000)).encode()

    small, _ = _memory(3_000 // SCALE, message)
    large, scan = _memory(30_000 // SCALE, message)

    (chat,) = scan.chats
    assert scan.end > 3_000_000_000 // SCALE
    assert sum(run.count for run in chat.runs) == 30_000 // SCALE + 1
    assert max(run.end - run.begin for run in chat.runs) <= 4 << 20
    assert large < small + (1 << 20) < 32 << 20


def test_a_message_behind_what_31_bits_count_is_read(tmp_path: Path) -> None:
    """A real file, of which the disk holds next to nothing."""
    path = tmp_path / "result.json"
    far = (1 << 31) // SCALE
    head = b'{"type":"private_group","id":42,"messages":[' + json.dumps(_message(1)).encode() + b',{"text":"'
    with path.open("wb") as file:
        file.write(head)
        file.seek(far)
        file.write(b'"},' + json.dumps(_message(3, "far away")).encode() + b"]}")

    found = list(ADAPTER.index(0, path, WHOLE))

    pieces = [one for one in found if isinstance(one, Piece)]
    rows = [row for piece in pieces for row in ADAPTER.read(path, piece, TelegramExportRow)]
    assert [row.text for row in rows if isinstance(row, TelegramExportRow)] == ["", "", "far away"]
    (refused,) = [one for one in found if isinstance(one, Refused)]
    assert (refused.reason, len(refused.raw)) == ("long-message", telegram_index.RAW_MAX + 1)
    assert pieces[1].begin > far
