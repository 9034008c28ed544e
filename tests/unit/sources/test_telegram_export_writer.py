"""The adapter of chat exports: what versions of the writer are known to do, and no reader of JSON expects."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.sources.exports import DATA, read_data

from pillarbox_messenger.jobs.telegram_export import JOB
from pillarbox_messenger.types import (
    EntityKind,
    ExportedFile,
    Forward,
    GeoPoint,
    Invoice,
    PeerNamespace,
    ReactionCount,
    ReactionKind,
    RecentReaction,
    ServiceAction,
    TextEntity,
    peer_id,
)
from pillarbox_spark.adapters import Refused
from pillarbox_spark.pipeline import Options, run

BEN = peer_id(PeerNamespace.USER, 500000002)
NEWS = peer_id(PeerNamespace.CHANNEL, 1700000003)
LEFT_OUT = "(File not included. Change data exporting settings to download.)"

EXPORT = read_data("writer_traits.json")


def test_escapes_in_capital_letters_are_control_characters() -> None:
    assert EXPORT.message(1).text == "a tab of old \x0b, a unit separator \x1f"


def test_bytes_that_stray_behind_an_escaped_line_separator_are_dropped() -> None:
    assert EXPORT.message(2).text == "one line\u2028another\u2029a paragraph"
    assert EXPORT.message(3).text == "a backslash and a line \\\u2028."
    assert EXPORT.message(18).kept == rb'{"inline_bot_buttons":[[{"type":"url","text":"a\u2028b"}]]}'
    assert [row.who_name for row in EXPORT.chats] == ["Ben\u2028Okafor"]
    assert [EXPORT.message(number).kept for number in (1, 2, 3)] == [None] * 3


def test_reactions_may_lie_a_list_deeper() -> None:
    row = EXPORT.message(4)

    assert row.reactions == (
        ReactionCount("👍", 2),
        ReactionCount("5368324170671202286", 1, kind=ReactionKind.CUSTOM_EMOJI),
    )
    assert row.recent_reactions == (RecentReaction("👍", ReactionKind.EMOJI, BEN, "Ben Okafor", 1700007560),)
    assert row.kept is None


def test_what_is_unknown_of_a_deeper_reaction_is_kept_beside_what_is_known() -> None:
    row = EXPORT.message(5)

    assert row.reactions == (ReactionCount("👍", 1),)
    assert row.kept == '{"reactions":[[{"type":"emoji","count":1,"emoji":"👍","speed":3}]]}'.encode()


def test_an_invoice_may_be_json_in_a_text() -> None:
    whole, part, none = (EXPORT.message(number) for number in (6, 7, 8))

    assert whole.media == (Invoice('A "boat"\x1f', "Eight metres", 150000, "EUR"),)
    assert whole.kept is None
    assert part.media == (Invoice("A boat"),)
    assert b"tax" in (part.kept or b"")
    assert (none.media, none.kept) == ((), b'{"invoice_information":"no object"}')


@pytest.mark.parametrize(
    ("number", "file"),
    [
        (9, ExportedFile(note="5368324170671202286")),
        (10, ExportedFile(path="video_files/sticker (2).webm")),
        (11, ExportedFile(note=LEFT_OUT)),
    ],
)
def test_a_document_without_quotes_is_what_it_says(number: int, file: ExportedFile) -> None:
    row = EXPORT.message(number)

    assert row.text == "🐚!"
    assert row.entities == (TextEntity(0, 2, EntityKind.CUSTOM_EMOJI, file=file),)
    assert row.kept is None


def test_a_document_that_is_null_stays_null() -> None:
    kept = msgspec.json.decode(EXPORT.message(12).kept or b"")

    assert kept["text_entities"][0]["document_id"] is None


def test_members_of_later_years_are_used_or_kept() -> None:
    assert EXPORT.message(13).forward == Forward(author_id=NEWS, date=0, name="Harbour News")
    assert EXPORT.message(14).kept == (
        b'{"todo_list":{"title":"Before we sail","answers":[{"text":"water","id":1}]}}'
    )
    assert EXPORT.message(15).kept == b'{"rich_message":{"blocks":[{"type":"heading","text":"Tides"}]}}'
    assert EXPORT.message(16).media == (GeoPoint(43.508133, -16.440193),)


def test_json_in_a_text_of_a_service_is_kept_as_it_stands() -> None:
    (service,) = EXPORT.message(17).media

    assert isinstance(service, ServiceAction)
    kept = msgspec.json.decode(service.kept or b"")
    assert msgspec.json.decode(kept["peers"]) == [{"peer_id": 500000001}]


def test_an_empty_list_may_have_a_line_of_its_own() -> None:
    export = read_data("no_messages.json")

    assert [row.who_name for row in export.taken if not isinstance(row, Refused)] == ["Ben Okafor"]
    assert EXPORT.message(16).text == ""


def test_what_is_neither_utf_8_nor_json_is_quarantined_and_nothing_else_is(tmp_path: Path) -> None:
    path = DATA / "writer_traits.json"

    report = run(JOB, [path], tmp_path / "out", Options(parquet=False))

    refused = [one for one in EXPORT.taken if isinstance(one, Refused)]
    assert [one.raw.partition(b",")[0] for one in refused] == [
        b'{\n   "id": %d' % number for number in (19, 20, 21, 22)
    ]
    assert {one.reason for one in refused} == {"broken-json"}
    assert all(path.read_bytes()[one.begin :].startswith(one.raw) for one in refused)
    assert report.quarantined == {"broken-json": 4}
    assert report.read == report.written + 4 == 24
