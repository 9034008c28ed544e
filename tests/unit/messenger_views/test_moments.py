"""Views of a moment: what a commit deleted, and what all open views ask for."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    FORUM,
    LAST,
    PEOPLE,
    TEAM,
    Case,
    add,
    check,
    delete,
    message,
    rename,
)
from tests.unit.messenger_views.test_chat_lists import chats
from tests.unit.messenger_views.test_message_history import cut, history
from tests.unit.messenger_views.test_threads import index

from pillarbox.views import Hole
from pillarbox_messenger import Box, open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

TOLD = {v.Deleted, v.WantedHistory, v.WantedChats, v.WantedThreads, v.WantedTagged}
CALLS, MISSED = t.GlobalTagFlags.CALLS, t.GlobalTagFlags.MISSED_CALLS


def tagged(tag: int) -> v.GlobalTagged:
    return v.GlobalTagged(tag, 5)


def test_what_a_commit_deletes_is_told_once_and_never_again() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, add(message(ANN, 1), message(ANN, 2), message(BOB, 3))])
        with box.watch(v.Deleted(ANN), every=True) as watching:
            told: list[list[int]] = []
            watching.listen(lambda emission: told.append([row.id for row in emission.snapshot.ids]))
            box.replay([delete(BOB, 3), rename(ANN)])
            box.replay([add(message(ANN, 2, timestamp=5), message(ANN, 4))])

            box.replay([delete(ANN, 1, 2)])

        assert told == [[], [1, 2]]
        assert box.get(v.Deleted(ANN)).ids == ()


@pytest.mark.parametrize(
    ("key", "wanting", "filled", "missed"),
    [
        (v.WantedHistory(), history(TEAM, track=True), cut(TEAM, 1, LAST), cut(BOB, 1, LAST)),
        (
            v.WantedChats(),
            chats(),
            o.ReplaceChatListHole(0, 0, 2**31 - 1),
            o.ReplaceChatListHole(1, 0, 2**31 - 1),
        ),
        (
            v.WantedThreads(),
            index(),
            o.SetCombined(FORUM, b"", t.ThreadBoundary(0, 0, 1)),
            o.SetCombined(TEAM, b"", t.ThreadBoundary(0, 0, 1)),
        ),
        (
            v.WantedTagged(),
            tagged(CALLS),
            o.FillGlobalTag(tag=CALLS, lower=0, upper=2**31 - 1),
            o.FillGlobalTag(tag=MISSED, lower=0, upper=2**31 - 1),
        ),
    ],
    ids=("history", "chats", "threads", "tagged"),
)
def test_holes_are_wanted_while_a_view_is_open_and_until_they_are_filled(
    key: v.WantedHistory, wanting: v.MessageHistory, filled: object, missed: object
) -> None:
    with open_box(":memory:") as box:
        box.replay(PEOPLE)
        with box.watch(key) as watching:
            assert wanted(box, key) == 0
            with box.watch(wanting):
                assert len(watching.latest.snapshot.holes) == 1
                box.replay([missed])
                assert len(watching.latest.snapshot.holes) == 1
                box.replay([filled])
                assert not watching.latest.snapshot.holes


def wanted(box: Box, key: v.WantedHistory) -> int:
    return len(box.get(key).holes)


def test_a_history_that_does_not_track_wants_nothing() -> None:
    with open_box(":memory:") as box:
        box.replay(PEOPLE)
        with box.watch(v.WantedHistory()) as watching, box.watch(history(TEAM)):
            assert not watching.latest.snapshot.holes


def test_a_hole_that_is_wanted_says_of_what_it_is() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, add(message(TEAM, 7)), cut(TEAM, 7, LAST)])
        with box.watch(history(TEAM, track=True)):
            (hole,) = box.get(v.WantedHistory()).holes

    assert isinstance(hole, Hole)
    assert hole.at == (TEAM, 0, CLOUD, 0, 0)
    assert (hole.start, hole.end, hole.count) == (6, 1, 6)


CASES = [
    Case(
        tagged(CALLS),
        [add(message(ANN, 1, global_tags=CALLS))],
        [add(message(BOB, 2, global_tags=CALLS))],
        "messages",
        [add(message(BOB, 3, global_tags=MISSED)), add(message(ANN, 4))],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
