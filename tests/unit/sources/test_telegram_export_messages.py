"""The adapter of chat exports: what becomes of each kind of message."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.unit.sources.exports import read_data

from pillarbox_messenger.sources import TelegramExportRow
from pillarbox_messenger.types import (
    ContactCard,
    Document,
    EntityKind,
    ExportedFile,
    FileId,
    Forward,
    Game,
    GeoPoint,
    Invoice,
    KeptMedia,
    PeerFlags,
    PeerNamespace,
    Photo,
    PhotoSize,
    Poll,
    PollOption,
    ReactionCount,
    ReactionKind,
    RecentReaction,
    TagFlags,
    peer_id,
)

ANA, BEN = peer_id(PeerNamespace.USER, 500000001), peer_id(PeerNamespace.USER, 500000002)
CHANNEL = PeerNamespace.CHANNEL
CLUB, NEWS = peer_id(CHANNEL, 1700000001), peer_id(CHANNEL, 1700000003)
START = 1_700_000_000
NO_FILE = FileId(0)
LEFT_OUT = "(File not included. Change data exporting settings to download.)"

ONE = read_data("one_chat.json")


def test_a_plain_message() -> None:
    row = ONE.message(1)

    assert row == TelegramExportRow(
        peer_id=CLUB,
        is_chat=False,
        id=1,
        timestamp=START + 60,
        incoming=True,
        local_time=False,
        tags=0,
        global_tags=0,
        text="Good morning, harbour.",
        who_flags=PeerFlags.MIN,
        who_id=ANA,
        who_name="Ana Horvat",
    )


@pytest.mark.parametrize(
    ("number", "facts"),
    [
        (2, {"reply_to": 1, "reply_peer_id": None}),
        (3, {"reply_to": 9, "reply_peer_id": peer_id(CHANNEL, 1700000002)}),
        (5, {"edited": START + 400}),
        (6, {"edited": None}),
        (7, {"signature": "Editor", "who_id": NEWS, "who_name": "Harbour News"}),
        (8, {"forward": Forward(date=0, name="Cleo Dahl")}),
        (9, {"forward": Forward(date=0)}),
        (10, {"forward": Forward(date=0, name="Harbour News", author_id=NEWS)}),
        (11, {"forward": Forward(date=0, saved_from="Ben Okafor")}),
        (12, {"via_bot": "@tide_bot"}),
        (15, {"who_name": "", "who_flags": PeerFlags.MIN | PeerFlags.DELETED}),
        (17, {"self_destruct": 10}),
        (22, {"self_destruct": 30}),
        (30, {"media": (), "kept": b'{"location_information":null}'}),
        (36, {"kept": b'{"paid_stars_amount":50}', "tags": TagFlags.PHOTO_OR_VIDEO | TagFlags.PHOTO}),
        (37, {"text": "A poet's name is [Okafor] and \u2028 a line."}),
    ],
)
def test_what_a_message_is_besides_its_text(number: int, facts: dict[str, Any]) -> None:
    row = ONE.message(number)

    assert {name: getattr(row, name) for name in facts} == facts


def test_buttons_are_kept_as_they_are() -> None:
    kept = ONE.message(13).kept

    assert kept is not None
    buttons = msgspec.json.decode(kept)["inline_bot_buttons"]
    assert buttons[0][0] == {"type": "callback", "text": "Yes", "data": "", "dataBase64": "eWVz"}


def test_reactions_are_counted_and_say_who_gave_the_latest() -> None:
    row = ONE.message(14)

    assert row.reactions == (
        ReactionCount("👍", 2),
        ReactionCount("stickers/shell.webp", 1, kind=ReactionKind.CUSTOM_EMOJI),
        ReactionCount("", 5, kind=ReactionKind.PAID),
    )
    emoji = ReactionKind.EMOJI
    assert row.recent_reactions == (
        RecentReaction("👍", emoji, peer_id=ANA, name="Ana Horvat", date=START + 900 + 7200),
        RecentReaction("👍", emoji, peer_id=peer_id(PeerNamespace.USER, 500000003), date=START + 901 + 7200),
    )


def test_entities_of_every_type_count_utf_16_units() -> None:
    row = ONE.message(4)

    units = row.text.encode("utf-16-le")
    found = [
        (entity.kind, units[2 * entity.start : 2 * entity.end].decode("utf-16-le"), entity)
        for entity in row.entities
    ]
    assert [(kind, text) for kind, text, _ in found] == [
        (EntityKind.MENTION, "@ana_horvat"),
        (EntityKind.HASHTAG, "#tide"),
        (EntityKind.CASHTAG, "$SEA"),
        (EntityKind.BOT_COMMAND, "/start"),
        (EntityKind.URL, "https://example.org/a"),
        (EntityKind.TEXT_URL, "here"),
        (EntityKind.EMAIL, "ana@example.org"),
        (EntityKind.PHONE, "+1 555 0100"),
        (EntityKind.BANK_CARD, "4242 4242 4242 4242"),
        (EntityKind.BOLD, "bold"),
        (EntityKind.ITALIC, "italic"),
        (EntityKind.UNDERLINE, "underline"),
        (EntityKind.STRIKETHROUGH, "gone"),
        (EntityKind.SPOILER, "hidden"),
        (EntityKind.CODE, "x = 1"),
        (EntityKind.PRE, "print(1)"),
        (EntityKind.PRE, "raw"),
        (EntityKind.BLOCK_QUOTE, "as she said"),
        (EntityKind.BLOCK_QUOTE, "as he said"),
        (EntityKind.TEXT_MENTION, "Ben"),
        (EntityKind.CUSTOM_EMOJI, "🐚"),
        (EntityKind.CUSTOM_EMOJI, "⛵"),
        (EntityKind.UNKNOWN, "?"),
    ]
    by_text = {text: entity for _, text, entity in found}
    assert by_text["here"].argument == "https://example.org/b"
    assert (by_text["print(1)"].argument, by_text["raw"].argument) == ("python", "")
    assert (by_text["as she said"].collapsed, by_text["as he said"].collapsed) == (True, False)
    assert by_text["Ben"].peer_id == BEN
    assert by_text["🐚"].file == ExportedFile(path="stickers/shell.webp")
    assert by_text["⛵"].file == ExportedFile(note=LEFT_OUT)
    assert row.tags == TagFlags.WEB_PAGE


@pytest.mark.parametrize(
    ("number", "media", "tags"),
    [
        (
            16,
            Photo(
                file_id=NO_FILE,
                sizes=(PhotoSize(1280, 960, NO_FILE),),
                file=ExportedFile(path="photos/photo_1@15-11-2023.jpg", size=40960),
            ),
            TagFlags.PHOTO_OR_VIDEO | TagFlags.PHOTO,
        ),
        (
            17,
            Photo(
                file_id=NO_FILE,
                sizes=(PhotoSize(10, 20, NO_FILE),),
                spoiler=True,
                file=ExportedFile(note=LEFT_OUT, size=1),
            ),
            TagFlags.PHOTO_OR_VIDEO | TagFlags.PHOTO,
        ),
        (
            18,
            Document(
                file_id=NO_FILE,
                mime_type="",
                size=2048,
                name="sticker.webp",
                kind="sticker",
                file=ExportedFile(path="stickers/sticker.webp"),
                thumbnail_file=ExportedFile(path="stickers/sticker.webp_thumb.jpg", size=512),
                width=512,
                height=512,
                emoji="🐟",
            ),
            0,
        ),
        (
            19,
            Document(
                file_id=NO_FILE,
                mime_type="video/mp4",
                size=99999,
                duration=12.0,
                kind="video_message",
                file=ExportedFile(path="round_video_messages/file_1.mp4"),
                thumbnail_file=ExportedFile(path="round_video_messages/file_1.mp4_thumb.jpg"),
                width=240,
                height=240,
            ),
            TagFlags.VOICE,
        ),
        (
            20,
            Document(
                file_id=NO_FILE,
                mime_type="audio/ogg",
                size=5000,
                duration=7.0,
                kind="voice_message",
                file=ExportedFile(path="voice_messages/audio_1.ogg"),
            ),
            TagFlags.VOICE,
        ),
        (
            21,
            Document(
                file_id=NO_FILE,
                mime_type="video/mp4",
                size=70000,
                name="a.gif.mp4",
                duration=2.0,
                kind="animation",
                file=ExportedFile(path="video_files/a.gif.mp4"),
                width=320,
                height=180,
            ),
            TagFlags.GIF,
        ),
        (
            22,
            Document(
                file_id=NO_FILE,
                mime_type="video/mp4",
                size=8000000,
                name="tide.mp4",
                duration=61.5,
                kind="video_file",
                file=ExportedFile(path="video_files/tide.mp4"),
                thumbnail_file=ExportedFile(note=LEFT_OUT),
                width=1920,
                height=1080,
                spoiler=True,
            ),
            TagFlags.PHOTO_OR_VIDEO | TagFlags.VIDEO,
        ),
        (
            23,
            Document(
                file_id=NO_FILE,
                mime_type="audio/mpeg",
                size=3000000,
                name="song.mp3",
                duration=180.0,
                kind="audio_file",
                file=ExportedFile(path="files/song.mp3"),
                performer="The Gulls",
                title="Low Water",
            ),
            TagFlags.MUSIC,
        ),
        (
            24,
            Document(
                file_id=NO_FILE,
                mime_type="application/pdf",
                size=5368709120,
                name="tides.pdf",
                file=ExportedFile(
                    note="(File exceeds maximum size. Change data exporting settings to download.)"
                ),
            ),
            TagFlags.FILE,
        ),
        (
            25,
            ContactCard(
                "Cleo", "Dahl", "+1 555 0102", card=ExportedFile(path="contacts/contact_1.vcard", size=120)
            ),
            0,
        ),
        (26, GeoPoint(43.5081, 16.4402), 0),
        (27, GeoPoint(-43.5, -16.0, live_until=START + 27 * 60 + 900), TagFlags.LIVE_LOCATION),
        (28, GeoPoint(1.5, 2.5, live_until=2**31 - 1), TagFlags.LIVE_LOCATION),
        (29, GeoPoint(43.5, 16.5, place="The Pier", address="Harbour Road 1"), 0),
        (31, Game("Sink It", summary="Ships.", link="https://example.org/game"), 0),
        (32, Invoice("A berth", summary="For one night.", amount=2500, currency="EUR", receipt_id=33), 0),
        (
            33,
            Poll(
                poll_id=FileId(0),
                question="High or low?",
                options=(PollOption("High", b"", 2, chosen=True), PollOption("Low", b"", 1)),
                closed=True,
                voters=3,
            ),
            TagFlags.POLL,
        ),
        (
            35,
            KeptMedia(
                "giveaway_results", b'{"channel":1700000003,"winners":[500000002],"unclaimed_count":0}'
            ),
            0,
        ),
    ],
)
def test_media(number: int, media: Any, tags: int) -> None:
    row = ONE.message(number)

    assert (row.media, row.tags, row.kept) == ((media,), tags, None)
