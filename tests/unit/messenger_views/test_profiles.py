"""What a profile shows, and only what was asked for of it."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
    NEWS,
    PEOPLE,
    SECRET,
    TEAM,
    Case,
    add,
    check,
    message,
    muted,
    presence,
    rename,
)

from pillarbox_messenger import open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

PARTS = t.ProfileParts
ALL = PARTS.DETAILS | PARTS.OTHERS | PARTS.MESSAGES | PARTS.PLACE | PARTS.STORIES
MEMBERS = o.PutCachedPeer(TEAM, t.CachedGroup(participant_ids=(ANN, BOB)), 5, t.MessageId(TEAM, CLOUD, 2))
CASES = [
    Case(v.Profile(ANN, 0), [], [rename(ANN)], "own", [rename(BOB), presence(BOB)]),
    Case(
        v.Profile(ANN, 0),
        [presence(ANN)],
        [presence(ANN, 70)],
        "presences",
        [o.SawActivity(ANN, 8), presence(BOB)],
    ),
    Case(
        v.Profile(SECRET, 0), [], [o.PutSettings(ANN, muted())], "settings", [o.PutSettings(SECRET, muted())]
    ),
    Case(
        v.Profile(SECRET, 0),
        [],
        [o.SetContact(ANN, True, False)],
        "is_contact",
        [o.SetContact(BOB, True, False)],
    ),
    Case(v.Profile(TEAM, PARTS.OTHERS | PARTS.DETAILS), [MEMBERS], [rename(BOB)], "others", [rename(EVE)]),
    Case(
        v.Profile(TEAM, PARTS.DETAILS),
        [presence(BOB)],
        [MEMBERS],
        "cached presences",
        [o.PutCachedPeer(NEWS, t.CachedChannel(), 5, None)],
    ),
    Case(
        v.Profile(TEAM, ALL),
        [MEMBERS, add(message(TEAM, 1))],
        [add(message(TEAM, 2))],
        "pinned",
        [add(message(TEAM, 3)), add(message(ANN, 2))],
    ),
    Case(
        v.Profile(TEAM, ALL),
        [MEMBERS, add(message(TEAM, 1))],
        [o.SetInclusion(TEAM, 1, None)],
        "place",
        [o.SetPins(0, (TEAM,)), o.SetInclusion(BOB, 1, None)],
    ),
    Case(v.Profile(TEAM, ALL), [MEMBERS], [o.TellStoryMax(BOB, 3)], "stories", [o.TellStoryMax(EVE, 3)]),
    Case(v.Profile(TEAM), [MEMBERS], [o.TellStoryMax(TEAM, 3)], "stories", [o.TellStoryMax(NEWS, 3)]),
    Case(
        v.Profile(TEAM, 0),
        [],
        [rename(TEAM)],
        "own",
        [MEMBERS, rename(BOB), add(message(TEAM, 2)), o.TellStoryMax(BOB, 3), o.SetInclusion(TEAM, 1, None)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)


def test_a_profile_of_nobody_is_empty() -> None:
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, o.PutSettings(t.peer_id(t.PeerNamespace.USER, 99), muted())])

        snapshot = box.get(v.Profile(t.peer_id(t.PeerNamespace.USER, 99), ALL))

    assert snapshot.own is None
    assert snapshot.settings is None
