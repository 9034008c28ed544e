"""Views of chats and of the lists they stand in."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
    SCHEDULED,
    TEAM,
    Case,
    add,
    check,
    message,
    muted,
    presence,
    rename,
)

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

THREE = add(message(ANN, 1, author_id=EVE), message(BOB, 2), message(TEAM, 3))
CASES = [
    Case(
        v.ChatList(2),
        [THREE],
        [add(message(ANN, 4, author_id=EVE))],
        "chats tops peers authors",
        [add(message(ANN, 2, namespace=SCHEDULED)), rename(ANN)],
    ),
    Case(v.ChatList(2), [THREE], [rename(BOB)], "peers", [rename(ANN), presence(BOB), o.SawActivity(BOB, 8)]),
    Case(v.ChatList(3), [THREE], [rename(EVE)], "authors", [presence(EVE)]),
    Case(
        v.ChatList(2),
        [THREE, o.PutReadStates((t.ReadBase(BOB, CLOUD, 1, 1, 2, 0),))],
        [o.ReadOutbox(BOB, CLOUD, 2)],
        "reads",
        [o.PutReadStates((t.ReadBase(ANN, CLOUD, 1, 1, 1, 0),))],
    ),
    Case(
        v.ChatList(2),
        [THREE],
        [o.PutSettings(BOB, t.PeerSettings())],
        "settings",
        [o.PutSettings(ANN, muted())],
    ),
    Case(
        v.ChatList(2),
        [THREE],
        [o.SetDraft(BOB, t.Draft(text="soon", date=1))],
        "drafts",
        [o.SetDraft(ANN, t.Draft(text="soon", date=1)), o.SetDraft(BOB, t.Draft(text="soon", date=1), 5)],
    ),
    Case(
        v.ChatInclusion(ANN),
        [],
        [o.SetInclusion(ANN, 1, None)],
        "inclusion",
        [o.SetInclusion(BOB, 1, None), add(message(ANN, 1))],
    ),
    Case(
        v.ChatIndex(ANN),
        [THREE],
        [o.SetDraft(ANN, t.Draft(text="soon", date=5_000))],
        "place",
        [
            o.SetDraft(ANN, t.Draft(text="old", date=5)),
            o.PutSettings(ANN, muted()),
            add(message(BOB, 9)),
            o.SetPins(0, (BOB,)),
        ],
    ),
    Case(
        v.ChatIndex(ANN), [THREE], [o.SetInclusion(ANN, 0, None)], "inclusion", [o.SetInclusion(BOB, 0, None)]
    ),
    Case(
        v.ChatInterface(ANN),
        [],
        [o.SetInterface(t.ChatInterface(peer_id=ANN, data=b"x"))],
        "state",
        [
            o.SetInterface(t.ChatInterface(peer_id=BOB, data=b"x")),
            o.SetDraft(ANN, t.Draft(text="soon", date=1), 5),
        ],
    ),
    Case(
        v.AdditionalChats(),
        [],
        [o.ReplaceAdditionalChats(peer_ids=(ANN,), kind=b"ad", without_history=False)],
        "chats",
        [o.SetPins(0, (ANN,)), rename(ANN)],
    ),
    Case(
        v.ChatListHole(0),
        [],
        [o.ReplaceChatListHole(0, 900, 2**31 - 1)],
        "latest",
        [o.ReplaceChatListHole(0, 100, 200), o.ReplaceChatListHole(1, 900, 2**31 - 1)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
