"""The adapter of chat exports: chats, and who wrote in them."""

from __future__ import annotations

import pytest
from tests.unit.sources.exports import read_data

from pillarbox_messenger.types import (
    PeerFlags,
    PeerNamespace,
    peer_id,
)

USER, GROUP, CHANNEL, UNKNOWN = (
    PeerNamespace.USER,
    PeerNamespace.GROUP,
    PeerNamespace.CHANNEL,
    PeerNamespace.UNKNOWN,
)
BEN = peer_id(USER, 500000002)

ONE = read_data("one_chat.json")
ACCOUNT = read_data("account.json")


def test_chats_that_share_a_bare_number_stay_apart() -> None:
    found = [
        (row.peer_id, row.chat_type, row.who_name)
        for row in ACCOUNT.chats
        if row.peer_id & 0xFFFFFFFFFFFFFF == 777
    ]

    assert found == [
        (peer_id(USER, 777), "personal_chat", "Seven, a user"),
        (peer_id(GROUP, 777), "private_group", "Seven, a group"),
        (peer_id(CHANNEL, 777), "public_channel", "Seven, a channel"),
        (peer_id(UNKNOWN, 777), None, "Of no kind"),
    ]
    assert len({piece.group for piece in ACCOUNT.pieces}) == len(ACCOUNT.pieces)


@pytest.mark.parametrize(
    ("kind", "number", "name", "flags"),
    [
        (USER, 500000001, "Ana Horvat", 0),  # saved messages: the name is that of who exported
        (USER, 500000005, "Replies", 0),
        (USER, 500000006, "Verification Codes", 0),
        (USER, 500000004, "", PeerFlags.DELETED),
        (USER, 500000009, "Tide", PeerFlags.BOT),
        (CHANNEL, 777, "Seven, a channel", PeerFlags.BROADCAST),
        (CHANNEL, 1700000004, "Harbour Master", 0),
        (CHANNEL, 1700000007, "Harbour Gossip", PeerFlags.BROADCAST | PeerFlags.LEFT),
    ],
)
def test_what_a_chat_says_of_itself(kind: PeerNamespace, number: int, name: str, flags: int) -> None:
    (row,) = [row for row in ACCOUNT.chats if row.peer_id == peer_id(kind, number)]

    assert (row.who_id, row.who_name, row.who_flags) == (row.peer_id, name, flags)


def test_we_wrote_what_the_owner_of_an_account_wrote() -> None:
    assert (ACCOUNT.message(905).incoming, ACCOUNT.message(906).incoming) == (True, False)
    assert (ACCOUNT.message(901).incoming, ACCOUNT.message(902).incoming) == (False, True)
    assert ACCOUNT.message(101).incoming is False


def test_without_an_owner_we_wrote_what_the_other_did_not() -> None:
    export = read_data("overlap_earlier.json")

    assert [export.message(number).incoming for number in (1, 2, 3)] == [True, True, False]


def test_without_an_owner_all_is_incoming_in_a_group() -> None:
    assert {row.incoming for row in ONE.messages} == {True}


def test_a_chat_of_a_new_type_is_of_unknown_kind_and_keeps_what_it_says() -> None:
    (chat,) = read_data("unknown.json").chats

    assert (chat.peer_id, chat.chat_type) == (peer_id(UNKNOWN, 500000002), "houseboat")
    assert chat.kept == b'{"anchor":{"weight":3}}'


def test_the_members_of_a_chat_may_follow_its_messages() -> None:
    export = read_data("members_behind.json")

    (chat,) = export.chats
    assert (chat.peer_id, chat.who_name, chat.kept) == (BEN, "Ben Okafor", b'{"draft":"x"}')
    assert [row.incoming for row in export.messages] == [True, False]


def test_a_chat_without_an_id_is_refused_with_its_messages() -> None:
    assert read_data("without_id.json").reasons == ["chat-without-id"] * 3
