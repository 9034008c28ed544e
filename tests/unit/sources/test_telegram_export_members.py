"""The law of rows of chat exports: no member of a message is lost, whatever its value is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pillarbox_messenger import types
from pillarbox_messenger.sources import TelegramExportRow
from pillarbox_spark.sources import telegram_schema
from pillarbox_spark.sources.telegram_rows import Rows, Unfit
from pillarbox_spark.sources.telegram_schema import records_of

ROWS = Rows(TelegramExportRow, records_of(TelegramExportRow), 42, None, False)

#: Values that fit no member, or one that means something else.
ODD: list[Any] = [
    None,
    True,
    7,
    -1,
    2**40,
    2**70,
    1.5,
    "x",
    "7",
    "(left out)",
    [],
    [7],
    {},
    {"depth": [None]},
]
ENTITIES: list[Any] = [
    [{"type": "plain", "text": "a"}],
    [{"type": "bold", "text": "a"}, {"type": "plain", "text": "🌊"}],
    [{"type": "shouted", "text": "a"}],
    [{"type": "text_link", "text": "a", "href": "b", "target": 7}],
    [{"type": "mention_name", "text": "a", "user_id": "x"}],
    [{"type": "plain"}],
    [{"type": "custom_emoji", "text": "a", "document_id": 2**40}],
]
#: Of a reaction it is one or the other.
TWO_NAMES: list[Any] = [{"type": "emoji", "count": 1, "emoji": "👍", "document_id": "a"}]
#: What fits each member, beside what is odd.
FITTING: dict[str, list[Any]] = {
    "from": ["Ana"],
    "from_id": ["user7", "channel7", "planet7", 4294967303],
    "edited": ["2024-01-01T00:00:00", "later"],
    "edited_unixtime": ["1700000001"],
    "author": ["Editor"],
    "forwarded_from": ["Ben"],
    "forwarded_from_id": ["user8"],
    "saved_from": ["Ben"],
    "reply_to_message_id": [3],
    "reply_to_peer_id": ["chat7", "planet"],
    "via_bot": ["@bot"],
    "text": ["plain", [{"type": "bold", "text": "a"}, "b"], ["a", 7]],
    "text_entities": ENTITIES,
    "inline_bot_buttons": [[[{"type": "url", "text": "a"}]]],
    "reactions": [
        [{"type": "emoji", "count": 1, "emoji": "👍", "recent": [{"from": None, "from_id": "user7"}]}],
        [{"type": "paid", "count": 1, "glow": 7}],
        TWO_NAMES,
        [{"type": "emoji", "count": "many"}],
        [[{"type": "emoji", "count": 1, "emoji": "👍"}], [{"type": "paid", "count": 1, "glow": 7}]],
        [{"type": "emoji", "count": 1, "recent": [{"from_id": "planet7", "date": "later"}]}],
    ],
    "photo": ["photos/a.jpg"],
    "photo_file_size": [5],
    "width": [5],
    "height": [5],
    "media_spoiler": [True],
    "self_destruct_period_seconds": [5],
    "file": ["files/a"],
    "file_name": ["a"],
    "file_size": [5],
    "thumbnail": ["a.jpg"],
    "thumbnail_file_size": [5],
    "media_type": ["sticker", "hologram"],
    "mime_type": ["text/plain"],
    "duration_seconds": [5],
    "performer": ["a"],
    "title": ["a"],
    "sticker_emoji": ["🐟"],
    "contact_information": [{"first_name": "a", "last_name": "b", "phone_number": "c"}, {"nick": "a"}],
    "contact_vcard": ["a.vcard"],
    "contact_vcard_file_size": [5],
    "location_information": [{"latitude": 1, "longitude": 2}, {"latitude": 1}],
    "live_location_period_seconds": [5],
    "place_name": ["a"],
    "address": ["a"],
    "game_title": ["a"],
    "game_description": ["a"],
    "game_link": ["a"],
    "invoice_information": [{"title": "a", "amount": 5}, {"tax": 5}, '{"title": "a"}', '{"tax": 5}'],
    "poll": [{"question": "a", "answers": [{"text": "b", "voters": 1, "chosen": True}]}, {"quiz": 1}],
    "giveaway_information": [{"months": 3}],
    "giveaway_results": [{"winners": [7]}],
    "paid_stars_amount": [5],
    "lighthouse": [{"on": True}],
    # Of services.
    "actor": ["Ana"],
    "actor_id": ["user7"],
    "action": ["phone_call", "sail"],
    "discard_reason": ["missed"],
    "members": [["Ana", None]],
}
#: What means the same as nothing, and so makes no difference.
NOTHING: dict[str, list[Any]] = {
    "text": [[], ""],
    "text_entities": [[]],
    "reactions": [[]],
    "edited_unixtime": [7, "7", -1],  # the epoch: never edited
}
#: Which of two members is asked first; the second then says the same once more.
TWICE = {"edited": "edited_unixtime", "text": "text_entities"}


@st.composite
def members(draw: st.DrawFn) -> dict[str, Any]:
    """An element's members, some of them odd."""
    names = draw(st.lists(st.sampled_from(sorted(FITTING)), min_size=1, max_size=20, unique=True))
    return {
        name: draw(st.one_of(st.sampled_from(FITTING[name]), st.sampled_from(FITTING[name] + ODD)))
        for name in names
    }


def row(element: dict[str, Any]) -> TelegramExportRow:
    made = ROWS.row(json.dumps(element).encode())
    assert isinstance(made, TelegramExportRow)
    return made


@settings(deadline=None)
@given(members(), st.sampled_from(["message", "service", "proclamation"]))
def test_a_member_that_is_taken_away_is_missed(element: dict[str, Any], kind: str) -> None:
    whole = {"id": 5, "type": kind, "date_unixtime": "1700000000"} | element

    for name, value in element.items():
        if value not in NOTHING.get(name, []) and TWICE.get(name) not in element:
            assert row(whole) != row({other: whole[other] for other in whole if other != name}), name


@settings(deadline=None)
@given(members(), st.sampled_from(["message", "service"]))
def test_the_careful_path_makes_the_row_of_the_fast_one(element: dict[str, Any], kind: str) -> None:
    text = json.dumps({"id": 5, "type": kind, "date_unixtime": "1700000000"} | element).encode()

    assert ROWS._careful(text) == ROWS.row(text)


def test_a_reaction_that_two_things_name_is_kept_as_it_came() -> None:
    made = row({"id": 5, "type": "message", "date_unixtime": "1700000000", "reactions": TWO_NAMES})

    assert (made.reactions, made.recent_reactions) == ((), ())
    assert json.loads(made.kept or b"") == {"reactions": TWO_NAMES}


def test_no_more_names_are_remembered_than_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telegram_schema, "_KNOWN_MAX", 2)
    records = telegram_schema.Records(types)

    for _ in range(2):
        found = [records.named_peer_id("from_id", f"user{number}") for number in range(3)]
        assert found == [records.peer_id("USER", number) for number in range(3)]

    assert len(records._known) == 2


def test_of_members_of_one_name_the_last_counts() -> None:
    text = b'{"id": 5, "type": "message", "date_unixtime": "7", "text": "a", "text": "b", "odd": 1, "odd": 2}'

    made = ROWS.row(text)

    assert (made.text, made.kept) == ("b", b'{"odd":2}')


def test_what_has_no_date_has_no_row() -> None:
    with pytest.raises(Unfit, match="no date"):
        row({"id": 5, "type": "unsupported"})


@pytest.mark.parametrize(
    ("members", "timestamp"),
    [
        ({"date_unixtime": "-5"}, -5),
        ({"date_unixtime": -7.0}, -7),
        ({"date_unixtime": "-2147483648"}, -(2**31)),
        ({"date": "1960-02-29T12:00:00"}, -310_478_400),
        ({"date": "1969-12-31T23:59:59.5"}, -1),
        ({"date": "1901-12-13T20:45:52"}, -(2**31)),
    ],
)
def test_dates_before_1970_are_seconds_before_it(members: dict[str, Any], timestamp: int) -> None:
    assert row({"id": 5, "type": "message", "text": "", **members}).timestamp == timestamp


@pytest.mark.parametrize(
    "members",
    [
        {"date": "1901-12-13T20:45:51.9"},
        {"date": "0001-01-01T00:00:00"},
        {"date": "-1960-01-01T00:00:00"},
        {"date_unixtime": "-2147483649"},
        {"date_unixtime": "2147483648", "date": "2038-01-19T03:14:08"},
    ],
)
def test_a_date_that_is_out_of_range_is_not_told_to_be_missing(members: dict[str, Any]) -> None:
    with pytest.raises(Unfit, match=r"its date is none, or not of 1901 \.\. 2038; correct the date"):
        row({"id": 5, "type": "message", "text": "", **members})
