"""Views of the threads of a chat."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
    FORUM,
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


def thread(chat: t.PeerId, id_: int, title: str = "Plans", unread: int = 0) -> o.PutThreads:
    found = t.Threads(peer_id=chat, thread_id=id_, title=title, created_at=1, unread=unread)
    return o.PutThreads((found,))


MENTION = t.TagFlags.UNSEEN_MENTION
TWO = [
    thread(FORUM, 5),
    thread(FORUM, 6),
    add(message(FORUM, 1, thread_id=5), message(FORUM, 2, thread_id=6)),
]
LISTED = [*TWO, o.SetCombined(FORUM, b"", t.ThreadBoundary(0, 0, 1))]


def index(count: int = 2) -> v.ThreadIndex:
    return v.ThreadIndex(
        peer_id=FORUM,
        tags=(MENTION,),
        actions=(t.PendingKind.READ_REACTION,),
        count=count,
    )


def known(chat: t.PeerId) -> o.SetCombined:
    return o.SetCombined(chat, b"", t.ThreadBoundary(0, 0, 1))


def draft(thread_id: int) -> o.SetDraft:
    return o.SetDraft(FORUM, t.Draft(text="soon", date=1), thread_id)


def mentions(thread_id: int, count: int, tag: int = MENTION) -> o.PutTagCount:
    return o.PutTagCount(FORUM, CLOUD, tag, thread_id, 0, count, 20)


SAVED = [thread(ANN, BOB), add(message(ANN, 1, thread_id=BOB)), known(ANN)]
CASES = [
    Case(
        v.Thread(FORUM, 5),
        TWO,
        [add(message(FORUM, 3, thread_id=5))],
        "messages",
        [add(message(FORUM, 4, thread_id=6)), add(message(FORUM, 5)), add(message(TEAM, 3, thread_id=5))],
    ),
    Case(v.Thread(FORUM, 5), TWO, [thread(FORUM, 5, "Other")], "thread", [thread(FORUM, 6, "Other")]),
    Case(
        v.Thread(FORUM, 5),
        [*TWO, add(message(FORUM, 3, thread_id=5, author_id=ANN))],
        [rename(ANN)],
        "authors",
        [rename(BOB), presence(ANN)],
    ),
    Case(
        v.ThreadList(FORUM, 2),
        TWO,
        [add(message(FORUM, 3, thread_id=5))],
        "tops",
        [add(message(TEAM, 3, thread_id=5)), thread(FORUM, 7), thread(TEAM, 5)],
    ),
    Case(v.ThreadList(FORUM, 2), TWO, [thread(FORUM, 5, "Other")], "threads", [thread(TEAM, 5, "Other")]),
    Case(
        v.ThreadInfo(FORUM, 5),
        TWO,
        [thread(FORUM, 5, "Other")],
        "thread",
        [thread(FORUM, 6, "Other"), thread(TEAM, 5), add(message(FORUM, 3, thread_id=5))],
    ),
    Case(
        index(),
        LISTED,
        [add(message(FORUM, 3, thread_id=5))],
        "threads",
        [add(message(TEAM, 3, thread_id=5)), thread(TEAM, 5), add(message(FORUM, 4)), rename(BOB)],
    ),
    Case(
        index(), LISTED, [thread(FORUM, 5, "Other")], "threads", [thread(TEAM, 5, "Other"), thread(FORUM, 7)]
    ),
    Case(index(), LISTED, [draft(5)], "threads", [draft(7), o.SetDraft(FORUM, t.Draft(text="soon", date=1))]),
    Case(
        index(),
        LISTED,
        [mentions(5, 2)],
        "threads",
        [mentions(7, 2), mentions(0, 2), mentions(5, 2, t.TagFlags.UNSEEN_REACTION)],
    ),
    Case(index(), LISTED, [o.PinThread(FORUM, 6, True)], "pinned", [o.PinThread(TEAM, 6, True)]),
    Case(index(), LISTED, [o.PutSettings(FORUM, muted())], "settings", [o.PutSettings(TEAM, muted())]),
    Case(index(), LISTED, [rename(FORUM)], "peer threads", [rename(TEAM)]),
    Case(index(), TWO, [known(FORUM)], "threads", [known(TEAM)]),
    Case(
        v.SavedIndex(ANN, 2),
        SAVED,
        [add(message(ANN, 3, thread_id=BOB))],
        "threads",
        [add(message(ANN, 4)), add(message(BOB, 4, thread_id=BOB)), thread(BOB, BOB), thread(ANN, EVE)],
    ),
    Case(
        v.SavedIndex(ANN, 2),
        SAVED,
        [o.ReplaceSavedPins((BOB,))],
        "pinned",
        [o.SetPins(0, (BOB,)), o.PinThread(ANN, BOB, True)],
    ),
    Case(v.SavedIndex(ANN, 2), SAVED, [rename(BOB)], "threads", [rename(EVE)]),
    Case(v.SavedIndex(ANN, 2), SAVED[:2], [known(ANN)], "threads", [known(BOB)]),
    Case(
        v.SavedStats(ANN),
        [],
        [add(message(ANN, 1, thread_id=5)), thread(ANN, 5)],
        "chats",
        [add(message(BOB, 1, thread_id=5)), thread(BOB, 5), thread(ANN, 6)],
    ),
    Case(v.SavedStats(ANN), [], [known(ANN)], "is_loading", [known(BOB)]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
