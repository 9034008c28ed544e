"""Views of the threads of a chat."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    FORUM,
    TEAM,
    Case,
    add,
    check,
    message,
    presence,
    rename,
)

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v


def thread(chat: t.PeerId, id_: int, title: str = "Plans", unread: int = 0) -> o.PutThreads:
    found = t.Threads(peer_id=chat, thread_id=id_, title=title, created_at=1, unread=unread)
    return o.PutThreads((found,))


TWO = [
    thread(FORUM, 5),
    thread(FORUM, 6),
    add(message(FORUM, 1, thread_id=5), message(FORUM, 2, thread_id=6)),
]
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
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
