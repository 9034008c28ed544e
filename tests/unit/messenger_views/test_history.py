"""Views of the messages of one chat, in order."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
    LAST,
    LOCAL,
    SECRET,
    TEAM,
    Case,
    add,
    check,
    delete,
    message,
    presence,
    rename,
)

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

GIF, FILE = t.TagFlags.GIF, t.TagFlags.FILE
SAID = add(*(message(TEAM, id_, author_id=ANN) for id_ in (1, 2, 3)))


def cut(chat: t.PeerId, lower: int, upper: int, thread: int = 0) -> o.CutHole:
    return o.CutHole(chat, thread, CLOUD, 0, 0, lower, upper)


CASES = [
    Case(
        v.History(TEAM),
        [SAID],
        [add(message(TEAM, 4, author_id=ANN))],
        "messages",
        [add(message(BOB, 4)), add(message(TEAM, 5, namespace=t.MessageNamespace.SCHEDULED)), presence(ANN)],
    ),
    Case(v.History(TEAM), [SAID], [rename(TEAM)], "peer", [rename(BOB)]),
    Case(v.History(TEAM), [SAID], [rename(ANN)], "authors", [rename(EVE), presence(ANN)]),
    Case(
        v.History(TEAM),
        [o.PutReadStates((t.ReadBase(TEAM, CLOUD, 1, 1, 9, 0), t.ReadBase(BOB, CLOUD, 1, 1, 9, 0)))],
        [o.ReadOutbox(TEAM, CLOUD, 5)],
        "read",
        [o.ReadOutbox(BOB, CLOUD, 5)],
    ),
    Case(
        v.History(TEAM),
        [SAID],
        [add(message(TEAM, 4, namespace=LOCAL))],
        "pending",
        [add(message(BOB, 4, namespace=LOCAL))],
    ),
    Case(
        v.History(TEAM),
        [SAID],
        [o.SetDraft(TEAM, t.Draft(text="soon", date=1))],
        "draft",
        [o.SetDraft(BOB, t.Draft(text="soon", date=1))],
    ),
    Case(
        v.HistoryAround(TEAM, CLOUD, 1_002, 2, 1, 1),
        [SAID, add(message(TEAM, 4))],
        [delete(TEAM, 3)],
        "messages",
        [add(message(TEAM, 5)), add(message(BOB, 2)), delete(TEAM, 5)],
    ),
    Case(v.HistoryAround(TEAM, CLOUD, 1_002, 2, 1, 1), [SAID], [rename(ANN)], "authors", [rename(BOB)]),
    Case(
        v.Latest(TEAM, CLOUD, 2),
        [SAID],
        [add(message(TEAM, 4, author_id=ANN))],
        "messages",
        [delete(TEAM, 1), add(message(TEAM, 4, namespace=LOCAL)), add(message(BOB, 4)), presence(ANN)],
    ),
    Case(v.Latest(TEAM, CLOUD, 2), [SAID], [rename(ANN)], "authors", [rename(TEAM)]),
    Case(
        v.Tagged(TEAM, GIF, 5),
        [add(message(TEAM, 1, tags=GIF))],
        [add(message(TEAM, 2, tags=GIF))],
        "messages count",
        [add(message(TEAM, 3, tags=FILE)), add(message(BOB, 2, tags=GIF)), add(message(TEAM, 4))],
    ),
    Case(
        v.Missing(TEAM, 0),
        [cut(TEAM, 50, 60)],
        [cut(TEAM, 70, LAST)],
        "holes newest",
        [cut(BOB, 70, LAST), cut(TEAM, 70, LAST, 5), add(message(TEAM, 55))],
    ),
    Case(
        v.Missing(TEAM, 0), [cut(TEAM, 2, LAST)], [cut(TEAM, 1, 1)], "holes newest whole", [cut(BOB, 1, LAST)]
    ),
    Case(
        v.Found(SECRET, "plans", 5),
        [add(message(SECRET, 1, text="our plans"))],
        [add(message(SECRET, 2, text="more plans"))],
        "messages",
        [add(message(SECRET, 3, text="nothing")), add(message(TEAM, 2, text="more plans"))],
    ),
    Case(
        v.Found(SECRET, "plans", 5),
        [add(message(SECRET, 1, text="our plans", author_id=ANN))],
        [rename(ANN)],
        "authors",
        [rename(BOB), presence(ANN)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
