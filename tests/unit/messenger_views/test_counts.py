"""Views of what is unread, of counts and of what is in doubt."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
    FORUM,
    LOCAL,
    SECRET,
    TEAM,
    Case,
    add,
    check,
    message,
    rename,
)

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

GIF, FILE, MENTION = t.TagFlags.GIF, t.TagFlags.FILE, t.TagFlags.UNSEEN_MENTION
CONSUME, REACT = t.PendingKind.CONSUME_MENTION, t.PendingKind.UPDATE_REACTION


def read(
    chat: t.PeerId, count: int, up_to: int = 10, namespace: t.MessageNamespace = CLOUD
) -> o.PutReadStates:
    return o.PutReadStates((t.ReadBase(chat, namespace, up_to, up_to, 20, count),))


def count(chat: t.PeerId, tag: int, number: int, thread: int = 0, label: int = 0) -> o.PutTagCount:
    return o.PutTagCount(chat, CLOUD, tag, thread, label, number, 20)


def thread(chat: t.PeerId, id_: int, unread: int) -> o.PutThreads:
    found = t.Threads(peer_id=chat, thread_id=id_, title="Plans", created_at=1, unread=unread)
    return o.PutThreads((found,))


def labelled(chat: t.PeerId, id_: int, label: bytes, **fields: object) -> o.AddMessages:
    return add(message(chat, id_, filed_under=(label,), **fields))


ALL = t.AllUnread(t.PreferenceItem.GLOBAL_NOTIFICATIONS)
IN_FORUM = add(message(FORUM, 1, thread_id=5))
CASES = [
    Case(
        v.Unread(),
        [read(ANN, 2)],
        [read(BOB, 3)],
        "messages chats",
        [rename(ANN), o.ReadOutbox(ANN, CLOUD, 15)],
    ),
    Case(v.Unread(), [read(ANN, 0)], [o.MarkUnread(ANN, True)], "chats any_marked", [add(message(BOB, 1))]),
    Case(v.Unread(), [read(ANN, 2), read(BOB, 3)], [add(message(ANN, 1))], "totals", [add(message(EVE, 1))]),
    Case(
        v.UnreadCounts((ALL, t.ChatUnread(BOB))),
        [add(message(ANN, 1)), read(ANN, 2)],
        [read(ANN, 3)],
        "counts",
        [rename(ANN), read(TEAM, 4), o.SetPreference(t.PreferenceItem.NETWORK, b"x")],
    ),
    Case(
        v.UnreadCounts((ALL,)),
        [],
        [o.SetPreference(t.PreferenceItem.GLOBAL_NOTIFICATIONS, b"x")],
        "counts",
        [o.SetPreference(t.PreferenceItem.GLOBAL_NOTIFICATIONS, b"x", 1)],
    ),
    Case(
        v.UnreadCounts((t.ListUnread(1),)),
        [add(message(ANN, 1), message(BOB, 1)), o.SetInclusion(ANN, 1, None)],
        [read(ANN, 3)],
        "counts",
        [read(BOB, 4)],
    ),
    Case(v.UnreadCounts((t.ChatUnread(ANN),)), [], [read(ANN, 3)], "counts", [read(BOB, 3), rename(ANN)]),
    Case(
        v.UnreadCounts((t.ChatUnread(FORUM, True),)),
        [IN_FORUM],
        [thread(FORUM, 5, 2)],
        "counts",
        [read(FORUM, 3), rename(FORUM), thread(TEAM, 5, 2)],
    ),
    Case(
        v.ReadState(ANN, False),
        [read(ANN, 2)],
        [o.ReadOutbox(ANN, CLOUD, 15)],
        "states",
        [o.ReadOutbox(BOB, CLOUD, 15), rename(ANN), add(message(ANN, 3)), read(BOB, 2)],
    ),
    Case(
        v.ReadState(FORUM, True),
        [IN_FORUM],
        [thread(FORUM, 5, 2)],
        "summary",
        [read(FORUM, 3), thread(TEAM, 5, 2)],
    ),
    Case(
        v.ReadState(SECRET, False),
        [],
        [o.ReadSecretOutbox(SECRET, 9, 9)],
        "secret",
        [o.ReadSecretOutbox(ANN, 9, 9)],
    ),
    Case(v.ReadMarks(), [read(ANN, 2)], [o.WantReadState(BOB, CLOUD)], "marks", [read(BOB, 2), rename(ANN)]),
    Case(
        v.ReadMarks(),
        [read(ANN, 2), read(BOB, 2), o.WantReadState(ANN, CLOUD)],
        [o.ReadOutbox(ANN, CLOUD, 15)],
        "marks",
        [o.ReadOutbox(BOB, CLOUD, 15), read(ANN, 2, 10, LOCAL)],
    ),
    Case(
        v.TagCount(ANN, CLOUD, MENTION),
        [count(ANN, MENTION, 2)],
        [count(ANN, MENTION, 3)],
        "count",
        [
            count(BOB, MENTION, 3),
            count(ANN, GIF, 3),
            count(ANN, MENTION, 3, thread=5),
            count(ANN, MENTION, 3, label=1),
            o.WantTagCount(ANN, CLOUD, MENTION, 0, 0),
        ],
    ),
    Case(
        v.TagCount(ANN, CLOUD, MENTION, 5),
        [count(ANN, MENTION, 2, thread=5)],
        [count(ANN, MENTION, 3, thread=5)],
        "count",
        [count(ANN, MENTION, 3, thread=6), count(ANN, MENTION, 3)],
    ),
    Case(
        v.TagCount(peer_id=ANN, namespace=CLOUD, tag=0, label=b"red"),
        [labelled(ANN, 1, b"red"), labelled(ANN, 2, b"blue")],
        [labelled(ANN, 3, b"red")],
        "count",
        [labelled(ANN, 4, b"blue"), labelled(BOB, 5, b"red"), add(message(ANN, 6))],
    ),
    Case(
        v.LabelCounts(ANN, CLOUD),
        [labelled(ANN, 1, b"red")],
        [labelled(ANN, 2, b"blue")],
        "counts",
        [
            add(message(ANN, 3)),
            labelled(BOB, 4, b"blue"),
            count(ANN, GIF, 3, label=1),
            count(ANN, 0, 3, thread=5, label=1),
        ],
    ),
    Case(
        v.TagsOfChat(ANN, (GIF, FILE)),
        [count(ANN, GIF, 2)],
        [count(ANN, FILE, 1)],
        "counts",
        [count(ANN, MENTION, 1), count(BOB, FILE, 1), count(ANN, MENTION, 3, thread=5)],
    ),
    Case(
        v.TagDoubts(GIF, CLOUD),
        [],
        [o.WantTagCount(ANN, CLOUD, GIF, 0, 0)],
        "doubts",
        [o.WantTagCount(ANN, CLOUD, FILE, 0, 0), o.WantTagCount(ANN, LOCAL, GIF, 0, 0)],
    ),
    Case(
        v.TagDoubts(MENTION, CLOUD, ANN, 5),
        [],
        [o.WantTagCount(ANN, CLOUD, MENTION, 5, 0)],
        "doubts",
        [o.WantTagCount(BOB, CLOUD, MENTION, 5, 0), o.WantTagCount(ANN, CLOUD, MENTION, 6, 0)],
    ),
    Case(
        v.GroupDoubts(),
        [o.WantGroupStats(0, CLOUD)],
        [o.WantGroupStats(1, CLOUD)],
        "doubts",
        [o.WantGroupStats(0, CLOUD), o.ResetGroupStats(2, CLOUD, 5, 1)],
    ),
    Case(
        v.PendingActionCount(ANN, CLOUD, REACT),
        [add(message(ANN, 1), message(ANN, 2)), add(message(BOB, 1))],
        [o.SetPendingAction(t.MessageId(ANN, CLOUD, 1), REACT, b"x")],
        "count",
        [
            o.SetPendingAction(t.MessageId(ANN, CLOUD, 1), CONSUME, b"x"),
            o.SetPendingAction(t.MessageId(BOB, CLOUD, 1), REACT, b"x"),
        ],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
