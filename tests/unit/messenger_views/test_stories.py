"""Views of stories."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import ANN, BOB, EVE, Case, check, rename

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

HIDDEN, FILTERED = t.StoryListKind.HIDDEN, t.StoryListKind.FILTERED


def body(text: str = "") -> t.StoryItem:
    return t.StoryItem(timestamp=1, expires=90, media=t.Photo(t.FileId(1)), text=text)


def put(peer_id: t.PeerId, id_: int, expires: int | None = None, *, close: bool = False) -> o.PutStory:
    return o.PutStory(story_id=t.StoryId(peer_id, id_), body=body(), expires=expires, close_friends=close)


def known(peer_id: t.PeerId, *ids: int) -> o.ReplaceStories:
    return o.ReplaceStories(peer_id, tuple(t.StoryItems(peer_id=peer_id, id=id_, body=body()) for id_ in ids))


def listed(kind: t.StoryListKind, *peer_ids: t.PeerId) -> o.ReplaceStoryList:
    return o.ReplaceStoryList(kind, peer_ids, None)


CASES = [
    Case(
        v.Stories(HIDDEN), [listed(HIDDEN, ANN)], [listed(HIDDEN, BOB, ANN)], "peers", [listed(FILTERED, BOB)]
    ),
    Case(
        v.Stories(HIDDEN),
        [listed(HIDDEN, ANN), o.TellStoryMax(ANN, 3)],
        [o.TellStoryMax(ANN, 4)],
        "newest",
        [o.TellStoryMax(BOB, 4)],
    ),
    Case(
        v.StorySubscriptions(HIDDEN),
        [listed(HIDDEN, ANN, BOB)],
        [listed(HIDDEN, BOB, ANN)],
        "peers",
        [listed(FILTERED, BOB), o.TellStoryMax(ANN, 4)],
    ),
    Case(
        v.StoryState(t.OwnStories()),
        [],
        [o.SetStoryGeneral(-1, b"x")],
        "general",
        [o.SetStoryGeneral(0, b"x"), o.SetStoryState(peer_id=ANN, data=b"x", max_seen=1)],
    ),
    Case(
        v.StoryState(t.ListedStories(FILTERED)),
        [],
        [o.SetStoryGeneral(1, b"x")],
        "general",
        [o.SetStoryGeneral(0, b"x"), o.SetStoryGeneral(-1, b"x")],
    ),
    Case(
        v.StoryState(t.PeerStories(ANN)),
        [],
        [o.ReadStories(ANN, 3)],
        "peer",
        [o.ReadStories(BOB, 3), o.SetStoryGeneral(-1, b"x")],
    ),
    Case(
        v.StoryItems(ANN),
        [known(ANN, 1)],
        [put(ANN, 2)],
        "items",
        [put(BOB, 2), o.ReadStories(ANN, 1), o.SetStory(t.StoryId(ANN, 3), body())],
    ),
    Case(
        v.NextStoryEnd(),
        [put(ANN, 1, 90)],
        [put(BOB, 1, 80)],
        "stories",
        [put(BOB, 2, 95), put(BOB, 3), o.ReactToStory(t.StoryId(ANN, 1), t.Reaction("+"))],
    ),
    Case(
        v.StoryStats((ANN, BOB)),
        [known(ANN, 1, 2)],
        [o.ReadStories(ANN, 1)],
        "peers",
        [o.ReadStories(EVE, 1), put(EVE, 3), o.ReactToStory(t.StoryId(ANN, 1), t.Reaction("+"))],
    ),
    Case(
        v.StoryStats((ANN,)), [known(ANN, 1)], [put(ANN, 2, close=True)], "peers", [put(BOB, 2), rename(ANN)]
    ),
    Case(
        v.Story(t.StoryId(ANN, 1)),
        [],
        [o.SetStory(t.StoryId(ANN, 1), body("hi"))],
        "story",
        [o.SetStory(t.StoryId(ANN, 2), body()), o.SetStory(t.StoryId(BOB, 1), body()), o.ReadStories(ANN, 1)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
