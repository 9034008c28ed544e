"""The history of a chat: its lanes, anchors, holes, tags, and what its entries show."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
    FORUM,
    LAST,
    LOCAL,
    NEWS,
    PEOPLE,
    SCHEDULED,
    TEAM,
    Case,
    add,
    check,
    delete,
    message,
    presence,
    rename,
    whole,
)

from pillarbox.views import Why
from pillarbox_messenger import open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

GIF, FILE = t.TagFlags.GIF, t.TagFlags.FILE
PHOTO = t.Photo(t.FileId(77))
VISIBLE = t.MessageFlags.TOP_INDEXABLE


def history(chat: t.PeerId, **fields: Any) -> v.MessageHistory:
    return v.MessageHistory(chat, **{"count": 3, "track": False, **fields})


def cut(chat: t.PeerId, lower: int, upper: int, *, thread: int = 0, tag: int = 0) -> o.CutHole:
    return o.CutHole(chat, thread, CLOUD, 0, tag, lower, upper)


def said(chat: t.PeerId, *ids: int, **fields: Any) -> o.AddMessages:
    return add(*(message(chat, id_, author_id=ANN, **fields) for id_ in ids))


def read(chat: t.PeerId, up_to: int, count: int) -> o.PutReadStates:
    return o.PutReadStates((t.ReadBase(chat, CLOUD, up_to, up_to, 20, count),))


def was_group(channel: t.PeerId, group: t.PeerId) -> o.PutCachedPeer:
    data = t.CachedChannel(migrated_from=t.MessageId(group, CLOUD, 9))
    return o.PutCachedPeer(channel, data, 5, None)


KNOWN = [whole(TEAM), said(TEAM, 1, 2, 3, 4, 5)]
CASES = [
    Case(
        history(TEAM),
        KNOWN,
        [said(TEAM, 6)],
        "messages",
        [delete(TEAM, 1), said(BOB, 6), said(TEAM, 6, namespace=SCHEDULED), presence(ANN), rename(EVE)],
    ),
    Case(
        history(TEAM),
        KNOWN,
        [said(TEAM, 9, namespace=LOCAL)],
        "reads messages",
        [said(BOB, 9, namespace=LOCAL)],
    ),
    Case(history(TEAM), KNOWN, [rename(ANN)], "messages", [rename(BOB)]),
    Case(history(TEAM), KNOWN, [rename(TEAM)], "peer messages", [rename(NEWS)]),
    Case(
        history(TEAM), KNOWN, [o.SetContact(ANN, True, False)], "messages", [o.SetContact(BOB, True, False)]
    ),
    Case(
        history(TEAM),
        [said(TEAM, 1, 4, 5), cut(TEAM, 4, LAST)],
        [cut(TEAM, 2, 3)],
        "messages",
        [cut(NEWS, 2, 3), cut(TEAM, 2, 3, thread=5), cut(TEAM, 2, 3, tag=GIF)],
    ),
    Case(
        history(TEAM, anchor=t.AtMessage(t.MessageId(TEAM, CLOUD, 2)), count=1),
        KNOWN,
        [delete(TEAM, 3)],
        "messages",
        [said(TEAM, 8), said(BOB, 2)],
    ),
    Case(
        history(TEAM, anchor=t.AtPlace(1_002, 2), count=1),
        KNOWN,
        [delete(TEAM, 2)],
        "messages",
        [said(TEAM, 8), said(BOB, 2)],
    ),
    Case(history(TEAM, anchor=t.AtOldest(), count=2), KNOWN, [delete(TEAM, 1)], "messages", [said(TEAM, 8)]),
    Case(
        history(TEAM, tag=GIF),
        [whole(TEAM), said(TEAM, 1, tags=GIF), said(TEAM, 2)],
        [said(TEAM, 3, tags=GIF)],
        "messages",
        [said(TEAM, 4), said(TEAM, 5, tags=FILE), said(BOB, 3, tags=GIF)],
    ),
    Case(
        history(FORUM, thread_id=5),
        [whole(FORUM, 5), said(FORUM, 1, thread_id=5)],
        [said(FORUM, 2, thread_id=5)],
        "messages",
        [said(FORUM, 3), said(FORUM, 4, thread_id=6), said(TEAM, 2, thread_id=5)],
    ),
    Case(
        history(FORUM, thread_id=5, tag=GIF),
        [o.CutHole(FORUM, 5, CLOUD, 0, GIF, 1, LAST), said(FORUM, 1, thread_id=5, tags=GIF)],
        [said(FORUM, 2, thread_id=5, tags=GIF)],
        "messages",
        [said(FORUM, 3, thread_id=5), said(FORUM, 4, thread_id=6, tags=GIF), said(FORUM, 7, tags=GIF)],
    ),
    Case(
        history(TEAM, label=b"red"),
        [whole(TEAM), said(TEAM, 1, filed_under=(b"red",))],
        [said(TEAM, 2, filed_under=(b"red",))],
        "messages",
        [said(TEAM, 3, filed_under=(b"blue",)), said(TEAM, 4), said(BOB, 2, filed_under=(b"red",))],
    ),
    Case(
        history(NEWS),
        [whole(TEAM), whole(NEWS), was_group(NEWS, TEAM)],
        [said(TEAM, 3)],
        "messages",
        [said(BOB, 3), said(TEAM, 3, namespace=SCHEDULED)],
    ),
    Case(
        history(NEWS),
        [whole(TEAM), whole(NEWS), said(TEAM, 1)],
        [was_group(NEWS, TEAM)],
        "messages",
        [was_group(FORUM, TEAM)],
    ),
    Case(history(TEAM, ignore_ids=(6,)), KNOWN, [said(TEAM, 7)], "messages", [said(TEAM, 6)]),
    Case(
        history(TEAM, ignore_from=1_005, ignore_to=1_007), KNOWN, [said(TEAM, 8)], "messages", [said(TEAM, 6)]
    ),
    Case(
        history(TEAM),
        [whole(TEAM), read(TEAM, 1, 0), read(BOB, 1, 0)],
        [o.ReadOutbox(TEAM, CLOUD, 3)],
        "reads",
        [o.ReadOutbox(BOB, CLOUD, 3)],
        held=True,
    ),
    Case(
        v.Interest(TEAM, CLOUD, 2),
        [*KNOWN, said(TEAM, 6), read(TEAM, 3, 2)],
        [delete(TEAM, 4)],
        "messages",
        [rename(ANN), said(BOB, 6), said(TEAM, 7), said(TEAM, 3, text="other")],
        held=True,
    ),
    Case(
        v.Interest(TEAM, CLOUD, 2),
        [said(TEAM, 1, 4, 5), cut(TEAM, 4, LAST)],
        [cut(TEAM, 2, 3)],
        "messages",
        [cut(NEWS, 2, 3), cut(TEAM, 2, 3, thread=5)],
    ),
    Case(
        v.Interest(TEAM, CLOUD, 3),
        [*KNOWN, said(TEAM, 4, media=(PHOTO,)), read(TEAM, 3, 2)],
        [said(TEAM, 5, media=(PHOTO,))],
        "media",
        [said(TEAM, 5, text="other"), said(TEAM, 2, media=(PHOTO,)), said(BOB, 5, media=(PHOTO,))],
        held=True,
    ),
    Case(
        v.Interest(FORUM, CLOUD, 2, 5),
        [whole(FORUM, 5)],
        [said(FORUM, 2, thread_id=5)],
        "messages",
        [said(FORUM, 3), said(FORUM, 4, thread_id=6)],
    ),
    Case(history(TEAM), [], [o.SetInclusion(TEAM, 0, 5)], "listed", [o.SetInclusion(BOB, 0, 5)]),
    Case(
        history(TEAM),
        [whole(TEAM), said(TEAM, 1), said(TEAM, 4, flags=VISIBLE)],
        [said(TEAM, 5, 6, 7, flags=VISIBLE)],
        "messages newest_visible",
        [said(BOB, 8, flags=VISIBLE)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)


def shown(snapshot: v.MessageHistorySnapshot) -> list[int]:
    return [entry.row.id for entry in snapshot.messages.entries]


def test_a_history_is_cut_off_where_messages_were_never_fetched() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, said(TEAM, 1, 2, 3, 7, 8), cut(TEAM, 7, LAST)])
        with box.watch(history(TEAM, track=True)) as watching:
            window = watching.latest.snapshot.messages
            assert [entry.row.id for entry in window.entries] == [7, 8]
            assert window.hole is not None
            assert (window.hole.start, window.hole.end) == (6, 1)

            box.replay([cut(TEAM, 1, 6)])

            assert watching.latest.why is Why.UPDATE_VISIBLE or watching.latest.why is Why.FILL_HOLE
            assert shown(watching.latest.snapshot) == [3, 7, 8]


def test_a_chat_of_which_nothing_is_known_is_loading() -> None:
    with open_box(":memory:") as box:
        box.replay(PEOPLE)

        window = box.get(history(TEAM, track=True)).messages

        assert window.entries == ()
        assert window.loading
        assert window.hole is not None


def test_the_first_unread_message_is_told_to_be_the_anchor() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, *KNOWN, read(TEAM, 2, 2)])
        with box.watch(history(TEAM, anchor=t.AtFirstUnread(), count=1)) as watching:
            assert shown(watching.latest.snapshot) == [2, 3]
            assert watching.latest.snapshot.first_new == 3

            box.replay([o.ReadInbox(TEAM, CLOUD, 4)])

            assert shown(watching.latest.snapshot) == [2, 3], "the anchor is that of the moment of opening"
            assert watching.latest.snapshot.first_new == 3, "so is the line above what is new"


def test_an_album_is_shown_whole_under_a_tag_of_one_of_its_messages() -> None:
    with open_box(":memory:") as box:
        album = add(message(TEAM, 1, grouping_key=8, tags=GIF), message(TEAM, 2, grouping_key=8))
        box.replay([*PEOPLE, whole(TEAM), album, said(TEAM, 3, tags=GIF)])

        assert shown(box.get(history(TEAM, tag=GIF, albums=True))) == [1, 2, 3]
        assert shown(box.get(history(TEAM, tag=GIF))) == [1, 3]


def test_entries_are_counted_if_that_is_asked_for() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, *KNOWN])

        assert box.get(history(TEAM, ranks=True, count=2)).messages.rank == (3, 5)
        assert box.get(history(TEAM, count=2)).messages.rank is None
