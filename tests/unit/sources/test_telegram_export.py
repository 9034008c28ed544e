"""The adapter of chat exports: what bites, item by item."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.unit.sources.exports import DATA, read_data

from pillarbox.errors import UsageError
from pillarbox_messenger.sources import NewsRow, TelegramExportRow
from pillarbox_messenger.types import (
    EntityKind,
    ExportedFile,
    FileId,
    GeoPoint,
    PeerNamespace,
    Photo,
    PhotoSize,
    Poll,
    ReactionCount,
    ReactionKind,
    ServiceAction,
    TextEntity,
    peer_id,
)
from pillarbox_spark.adapters import Piece
from pillarbox_spark.sources.telegram_export import ADAPTER

USER = PeerNamespace.USER
ANA, BEN = peer_id(USER, 500000001), peer_id(USER, 500000002)
START = 1_700_000_000
NO_FILE = FileId(0)

ONE = read_data("one_chat.json")
ACCOUNT = read_data("account.json")


def test_hex_escapes_are_control_characters() -> None:
    export = read_data("hex_escapes.json")

    assert export.message(1).text == "bell \x07 in it"
    assert export.message(2).text == "a backslash \\x07, no escape"
    assert export.message(3).text == "a backslash and \\\x07 an escape"
    assert export.message(4).kept == b'{"newer":"\\u0007"}'
    assert export.message(6).text == "fine"


def test_a_message_that_is_no_json_is_refused_alone() -> None:
    export = read_data("hex_escapes.json")

    (refused,) = [one for one in export.taken if not isinstance(one, TelegramExportRow)]
    assert refused.reason == "broken-json"
    assert b"an escape of nothing: \\xZZ" in refused.raw


@pytest.mark.parametrize(
    ("number", "text", "kept"),
    [
        (1, "", None),
        (2, "plain", None),
        (3, "[1, 2] looks like an array", None),
        (4, "one two three four", None),
        (5, "", None),
        (6, "Ben", None),
        (7, "", b'{"text":5}'),
        (8, "", b'{"text":null}'),
        (9, "", b'{"text":[1,"x"]}'),
        (10, "", b'{"text":{"type":"bold","text":"alone"}}'),
        (11, "", None),
        (12, "said by text alone", None),
        (13, "said by both", b'{"text_entities":null}'),
    ],
)
def test_text_of_any_type(number: int, text: str, kept: bytes | None) -> None:
    row = read_data("mixed_text.json").message(number)

    assert (row.text, row.kept) == (text, kept)


def test_entities_come_from_text_where_there_is_nothing_else() -> None:
    row = read_data("mixed_text.json").message(4)

    assert row.entities == (
        TextEntity(4, 7, EntityKind.BOLD),
        TextEntity(14, 18, EntityKind.TEXT_URL, argument="https://example.org"),
    )


def test_numbers_in_strings_and_strings_in_numbers() -> None:
    export = read_data("numbers_in_strings.json")

    assert [row.peer_id for row in export.rows] == [BEN] * 5
    assert export.message(1).media == (
        Photo(
            file_id=NO_FILE,
            sizes=(PhotoSize(100, 50, NO_FILE),),
            file=ExportedFile(path="photos/p.jpg", size=10),
        ),
    )
    assert (export.message(1).reply_to, export.message(1).timestamp) == (7, START)
    assert getattr(export.message(2).media[0], "size", None) == 5368709120
    assert export.message(3).media == (GeoPoint(1.5, 2.0),)
    assert export.message(3).edited == START + 5
    assert [export.message(number).who_id for number in (2, 3, 4)] == [BEN, BEN, ANA]
    assert export.message(4).kept == b'{"width":"wide"}'
    assert export.reasons == ["no-id", "no-id"]


def test_negative_ids_are_ids() -> None:
    export = read_data("negative_ids.json")

    assert [row.id for row in export.messages] == [-999999995, -999999994, 1, 2]
    assert export.message(-999999994).reply_to == -999999995


def test_a_date_of_no_zone_is_taken_as_utc_and_says_so() -> None:
    export = read_data("old_dates.json")

    found = {row.id: (row.timestamp, row.edited, row.local_time) for row in export.messages}
    assert found == {
        1: (1525176000, None, True),
        2: (1525176005, 1525177800, True),
        6: (1525176000 - 7200, None, False),
        8: (1525262400, None, True),
    }


def test_a_message_without_a_date_is_refused() -> None:
    assert read_data("old_dates.json").reasons == ["no-date"] * 4
    assert ONE.reasons == ["no-date"]


def test_the_layout_of_a_file_does_not_matter() -> None:
    for name in ("one_chat_reindented.json", "one_chat_minified.json", "one_chat_crlf.json"):
        assert read_data(name).rows == ONE.rows
    assert read_data("account_minified.json").rows == ACCOUNT.rows


@pytest.mark.parametrize(
    ("number", "kept"),
    [
        (1, {"lighthouse": {"on": True}, "beams": [1, 2]}),
        (3, {"hologram": "holograms/h_1.holo", "hologram_size": 5}),
        (4, {"frames": 3}),
        (6, {"type": "proclamation"}),
        (8, {"width": 5, "thumbnail": "t.jpg"}),
        (9, {"from": "Planet", "from_id": "planet5", "reply_to_peer_id": "planet6"}),
        (10, {"via_bot": None, "reply_to_message_id": None, "saved_from": None}),
        (13, {"poll": 5}),
    ],
)
def test_what_is_unknown_is_kept(number: int, kept: dict[str, Any]) -> None:
    row = read_data("unknown.json").message(number)

    assert msgspec.json.decode(row.kept or b"") == kept


def test_an_unknown_entity_is_plain_and_kept() -> None:
    row = read_data("unknown.json").message(2)

    assert row.text == "AHOY there you"
    assert row.entities == (TextEntity(11, 14, EntityKind.BOLD),)
    kept = msgspec.json.decode(row.kept or b"")
    assert kept["text_entities"][0] == {"type": "shouted", "text": "AHOY", "volume": 11}
    assert list(kept) == ["text_entities"]


def test_what_is_known_of_reactions_polls_and_media_of_a_new_kind_is_used() -> None:
    export = read_data("unknown.json")

    assert export.message(5).reactions == (
        ReactionCount("💃", 2, kind=ReactionKind.UNKNOWN),
        ReactionCount("👍", 1),
    )
    assert b'"dance"' in (export.message(5).kept or b"")
    assert export.message(7).media == (Poll(poll_id=FileId(0), question="Q", closed=False, voters=0),)
    assert b'"quiz":true' in (export.message(7).kept or b"")
    assert getattr(export.message(4).media[0], "kind", None) == "hologram"


def test_a_new_member_of_a_service_is_kept_with_its_action() -> None:
    (service,) = read_data("unknown.json").message(12).media

    assert service == ServiceAction(kind=0, action="sail", kept=b'{"boat":{"name":"Gull"},"lighthouse":1}')


def test_what_is_no_object_is_refused() -> None:
    export = read_data("odd_elements.json")

    assert export.reasons == ["not-an-object"] * 5 + ["no-id"]
    assert [row.text for row in export.messages] == ["one", "three"]


def test_a_row_of_another_source_is_told_what_to_do() -> None:
    piece = Piece(0, 0, 0, 0, 1, "user 1", '{"begin":0,"end":0,"id":1}')

    with pytest.raises(UsageError, match="copy the source telegram_export"):
        list(ADAPTER.read(DATA / "one_chat.json", piece, NewsRow))
