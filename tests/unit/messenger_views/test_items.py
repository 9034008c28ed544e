"""The items of the messenger: each of them says what happened, and is silent about what is next to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pillarbox.views import Subscription
from pillarbox_messenger import Box, open_box
from pillarbox_messenger import items as it
from pillarbox_messenger.operations import (
    AddMessages,
    FillHole,
    PutReadStates,
    ReplaceContacts,
    UpdatePeers,
)
from pillarbox_messenger.types import (
    Message,
    MessageFlags,
    MessageNamespace,
    PeerId,
    PeerNamespace,
    Peers,
    ReadBase,
    UserData,
    peer_id,
)

ADA, EVE = peer_id(PeerNamespace.USER, 7), peer_id(PeerNamespace.USER, 8)
CLOUD = MessageNamespace.CLOUD


def person(who: PeerId, name: str) -> Peers:
    return Peers(peer_id=who, name=name, data=UserData())


def said(chat: PeerId, number: int, text: str, **fields: Any) -> Message:
    return Message(
        peer_id=chat,
        namespace=CLOUD,
        timestamp=1_000 + number,
        id=number,
        text=text,
        author_id=chat,
        **fields,
    )


def filled(chat: PeerId) -> FillHole:
    return FillHole(peer_id=chat, thread_id=0, namespace=CLOUD, label=0, tag=0, lower=1, upper=2**31 - 1)


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(":memory:") as opened:
        yield opened


def heard(subscription: Subscription[Any]) -> list[Any]:
    values: list[Any] = []
    subscription.listen(lambda emission: values.append(emission.snapshot))
    return values


def test_what_a_peer_is_called(box: Box) -> None:
    names = heard(box.data.watch(it.PeerName(ADA)))

    box.replay([UpdatePeers((person(EVE, "Eve"),))])
    box.replay([UpdatePeers((person(ADA, "Ada"),))])
    box.replay([ReplaceContacts((ADA,))])

    assert names == [None, "Ada"]


def test_who_is_a_contact(box: Box) -> None:
    known = heard(box.data.watch(it.IsContact(ADA), it.IsContact(EVE)))

    box.replay([ReplaceContacts((EVE,))])
    box.replay([UpdatePeers((person(ADA, "Ada"),))])
    box.replay([ReplaceContacts((ADA,))])

    assert known == [(False, False), (False, True), (True, False)]


def test_how_much_is_unread(box: Box) -> None:
    counts = heard(box.data.watch(it.UnreadCount(ADA), it.TotalUnread()))

    for chat, count in ((ADA, 3), (EVE, 4)):
        state = ReadBase(peer_id=chat, namespace=CLOUD, read_in=1, read_out=1, known_to=9, count=count)
        box.replay([PutReadStates((state,))])

    assert counts == [(0, 0), (3, 3), (3, 7)]


def test_the_end_of_a_chat(box: Box) -> None:
    ends = heard(box.data.watch(it.LastMessage(ADA), it.LastAuthor(ADA)))

    box.replay([filled(ADA), AddMessages((said(ADA, 1, "It rains in."),))])
    box.replay([AddMessages((said(EVE, 1, "No tea."),))])
    box.replay([UpdatePeers((person(ADA, "Ada"),))])

    assert [(end and end.text, author and author.name) for end, author in ends] == [
        (None, None),
        ("It rains in.", None),
        ("It rains in.", "Ada"),
    ]


def test_whether_a_chat_is_loading(box: Box) -> None:
    loading = heard(box.data.watch(it.IsLoading(ADA)))

    box.replay([AddMessages((said(EVE, 1, "No tea."),))])
    box.replay([filled(ADA)])
    box.replay([AddMessages((said(ADA, 1, "It rains in."),))])

    assert loading == [True, False]


def test_whether_all_is_sent(box: Box) -> None:
    sent = heard(box.data.watch(it.AllSent()))

    box.replay([AddMessages((said(ADA, 1, "sent"),))])
    box.replay([AddMessages((said(ADA, 2, "waits", flags=MessageFlags.UNSENT),))])
    box.replay([AddMessages((said(ADA, 3, "waits too", flags=MessageFlags.UNSENT),))])

    assert sent == [True, False]
