"""The list of chats: its order, filters, holes, and what it shows of each chat."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
    FORUM,
    LOCAL,
    NEWS,
    PEOPLE,
    SECRET,
    TEAM,
    Case,
    add,
    check,
    message,
    muted,
    peer,
    peers,
    presence,
    rename,
)

from pillarbox_messenger import open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

MENTION = t.TagFlags.UNSEEN_MENTION
REACT = t.PendingKind.UPDATE_REACTION
EVER = 2**31 - 1


def chats(group: int = 0, count: int = 2, **fields: Any) -> v.Chats:
    given = {"tags": (MENTION,), "actions": (REACT,), **fields}
    return v.Chats(group_id=group, count=count, **given)


def known(group: int = 0) -> o.ReplaceChatListHole:
    return o.ReplaceChatListHole(group, 0, EVER)


def draft(chat: t.PeerId) -> o.SetDraft:
    return o.SetDraft(chat, t.Draft(text="soon", date=1))


def mentions(chat: t.PeerId, tag: int = MENTION) -> o.PutTagCount:
    return o.PutTagCount(chat, CLOUD, tag, 0, 0, 3, 20)


def read(chat: t.PeerId, count: int) -> o.PutReadStates:
    return o.PutReadStates((t.ReadBase(chat, CLOUD, 1, 1, 20, count),))


FOUR = [
    known(),
    known(1),
    add(message(ANN, 1, author_id=EVE), message(TEAM, 2), message(NEWS, 3), message(BOB, 4)),
]
UNREAD = t.ChatFilter(kinds=t.ChatKinds.OTHERS | t.ChatKinds.CONTACTS, without_read=True)
GROUPS = t.ChatFilter(kinds=t.ChatKinds.GROUPS, include_ids=(ANN,), exclude_ids=(TEAM,), groups=(1,))
PINNED = t.ChatFilter(kinds=t.ChatKinds.GROUPS, pinned_ids=(ANN,))
CASES = [
    Case(
        chats(),
        FOUR,
        [add(message(TEAM, 5))],
        "chats",
        [
            rename(ANN),
            add(message(TEAM, 5, namespace=t.MessageNamespace.SCHEDULED)),
            presence(EVE),
            draft(ANN),
        ],
    ),
    Case(chats(), FOUR, [rename(BOB)], "chats", [rename(EVE)]),
    Case(
        chats(count=3),
        [*FOUR, presence(BOB)],
        [presence(BOB, 70)],
        "chats",
        [presence(ANN), o.SawActivity(BOB, 8)],
    ),
    Case(
        chats(),
        FOUR,
        [o.PutSettings(NEWS, t.PeerSettings())],
        "chats",
        [o.PutSettings(ANN, t.PeerSettings())],
    ),
    Case(chats(), FOUR, [draft(BOB)], "chats", [draft(ANN), o.SetDraft(BOB, t.Draft(text="x", date=1), 5)]),
    Case(chats(), FOUR, [mentions(BOB)], "chats", [mentions(ANN), mentions(BOB, t.TagFlags.UNSEEN_REACTION)]),
    Case(
        chats(),
        FOUR,
        [o.SetPendingAction(t.MessageId(BOB, CLOUD, 4), REACT, b"x")],
        "chats",
        [
            o.SetPendingAction(t.MessageId(BOB, CLOUD, 4), t.PendingKind.CONSUME_MENTION, b"x"),
            o.SetPendingAction(t.MessageId(ANN, CLOUD, 1), REACT, b"x"),
        ],
    ),
    Case(chats(), FOUR, [read(BOB, 5)], "chats", [read(ANN, 5)]),
    Case(
        chats(),
        FOUR,
        [add(message(BOB, 1, namespace=LOCAL, timestamp=1, flags=t.MessageFlags.FAILED))],
        "chats",
        [add(message(ANN, 1, namespace=LOCAL, timestamp=1, flags=t.MessageFlags.FAILED))],
    ),
    Case(chats(), FOUR, [o.SetContact(BOB, True, False)], "chats", [o.SetContact(EVE, True, False)]),
    Case(chats(), FOUR, [o.TellStoryMax(BOB, 4)], "chats", [o.TellStoryMax(ANN, 4)]),
    Case(
        chats(),
        FOUR,
        [o.SetPins(0, (BOB,))],
        "pinned chats",
        [o.ReplaceSavedPins((BOB,))],
    ),
    Case(chats(), FOUR, [o.HideChat(BOB, 1)], "chats", [o.HideChat(EVE, 1)]),
    Case(
        chats(),
        [*FOUR, o.HideChat(BOB, 1), o.HideChat(BOB, 2)],
        [o.ShowChat(BOB, 1)],
        "chats",
        [o.ShowChat(BOB, 2)],
    ),
    Case(
        chats(),
        [
            add(message(ANN, 1), message(BOB, 4)),
            o.ReplaceChatListHole(0, 1_004, EVER),
            o.ReplaceChatListHole(1, 1_004, EVER),
        ],
        [known()],
        "chats",
        [known(1)],
    ),
    Case(
        chats(),
        [*FOUR, o.SetInclusion(ANN, 1, None)],
        [rename(ANN)],
        "others",
        [rename(EVE)],
    ),
    Case(
        chats(),
        FOUR,
        [o.ReplaceAdditionalChats(peer_ids=(EVE,), kind=b"ad", without_history=False)],
        "additional",
        [o.SetPreference(t.PreferenceItem.STORIES, b"x")],
    ),
    Case(
        chats(),
        FOUR,
        [o.SetPreference(t.PreferenceItem.SAVED_AS_TOPICS, b"x")],
        "as_topics",
        [o.SetPreference(t.PreferenceItem.SAVED_AS_TOPICS, b"x", 1)],
    ),
    Case(chats(), [*FOUR, o.SetPins(0, (BOB,))], [mentions(BOB)], "pinned", [mentions(EVE)]),
    Case(chats(filter=PINNED), FOUR, [mentions(ANN)], "filter_pins", [mentions(BOB)]),
    Case(chats(account_id=EVE), FOUR, [rename(EVE)], "account", [rename(FORUM)]),
    Case(
        chats(filter=UNREAD),
        [*FOUR, read(ANN, 0), read(BOB, 0)],
        [read(ANN, 2)],
        "chats",
        [read(TEAM, 2), o.PutSettings(BOB, muted())],
    ),
    Case(
        chats(filter=GROUPS),
        [*FOUR, o.SetInclusion(BOB, 1, None)],
        [peers(peer(FORUM, "Forum", data=t.ChannelData(1))), add(message(FORUM, 9))],
        "chats",
        [add(message(TEAM, 6)), add(message(BOB, 7)), o.SetPins(0, (BOB,))],
    ),
    Case(chats(filter=PINNED), FOUR, [rename(ANN)], "filter_pins", [rename(BOB)]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)


def shown(snapshot: v.ChatsSnapshot) -> list[t.PeerId]:
    return [entry.row.peer_id for entry in snapshot.chats.entries]


def test_a_list_is_cut_off_where_chats_were_never_fetched() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, *FOUR[2:], o.ReplaceChatListHole(0, 1_003, EVER)])

        found = box.get(chats(count=4)).chats

        assert [entry.row.peer_id for entry in found.entries] == [NEWS, BOB]
        assert found.hole is not None
        assert found.hole.start == (1_003, -1)


def test_pinned_chats_are_apart_and_in_their_order() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, *FOUR, o.SetPins(0, (TEAM, ANN))])

        snapshot = box.get(chats(count=4))

        assert [entry.row.peer_id for entry in snapshot.pinned] == [TEAM, ANN]
        assert shown(snapshot) == [NEWS, BOB]


def test_a_folder_shows_what_its_filter_says() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, *FOUR, add(message(SECRET, 1)), o.SetInclusion(BOB, 1, None)])
        box.replay([peers(peer(FORUM, "Forum", data=t.ChannelData(1))), add(message(FORUM, 9))])

        assert shown(box.get(chats(count=9, filter=GROUPS))) == [ANN, FORUM]
        assert shown(box.get(chats(count=9, filter=t.ChatFilter(kinds=t.ChatKinds.OTHERS, groups=(1,))))) == [
            ANN,
            SECRET,
            BOB,
        ]
