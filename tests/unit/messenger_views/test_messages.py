"""Views of single messages, of some of them, and of what is listed of messages."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
    LOCAL,
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
OUT, DELIVERED = t.LocalTagFlags.LIVE_LOCATION_OUT, t.LocalTagFlags.DELIVERED
UNSENT, FAILED = t.MessageFlags.UNSENT, t.MessageFlags.FAILED
CONSUME, REACT = t.PendingKind.CONSUME_MENTION, t.PendingKind.UPDATE_REACTION


def named(chat: t.PeerId, id_: int, namespace: t.MessageNamespace = CLOUD) -> t.MessageId:
    return t.MessageId(chat, namespace, id_)


def ends(timeout: int) -> tuple[t.Attribute, ...]:
    return (t.Autoremove(timeout, 1_000),)


ALBUM = add(*(message(TEAM, id_, grouping_key=8) for id_ in (2, 3)))
PHOTO, SEEN = t.Photo(t.FileId(77)), t.Photo(t.FileId(77), spoiler=True)
SHARED = add(
    message(ANN, 1, media=(PHOTO,)),
    message(BOB, 2, media=(PHOTO,)),
    message(TEAM, 4, media=(t.Photo(t.FileId(9)),)),
)
CASES = [
    Case(
        v.Message(TEAM, CLOUD, 2),
        [add(message(TEAM, 2, author_id=ANN))],
        [o.CountViews(named(TEAM, 2), 5), delete(TEAM, 2)],
        "message author",
        [add(message(TEAM, 3)), add(message(ANN, 2)), add(message(TEAM, 2, namespace=LOCAL)), presence(ANN)],
    ),
    Case(
        v.Message(ANN, CLOUD, 1), [SHARED], [o.RewriteMedia(t.FileId(77), SEEN)], "message", [delete(BOB, 2)]
    ),
    Case(
        v.Messages((named(ANN, 1), named(TEAM, 4))),
        [SHARED],
        [o.RewriteMedia(t.FileId(77), SEEN)],
        "messages",
        [add(message(ANN, 3)), delete(BOB, 2), add(message(ANN, 1, namespace=LOCAL)), rename(EVE)],
    ),
    Case(
        v.Messages((named(ANN, 1), named(ANN, 2))),
        [add(message(ANN, 1, author_id=EVE))],
        [add(message(ANN, 2))],
        "messages",
        [presence(EVE), rename(BOB), add(message(BOB, 2))],
    ),
    Case(
        v.Messages((named(TEAM, 1),)),
        [add(message(TEAM, 1, author_id=EVE))],
        [rename(EVE)],
        "messages",
        [rename(BOB)],
    ),
    Case(
        v.MessageGroup(named(TEAM, 3)),
        [ALBUM],
        [add(message(TEAM, 4, grouping_key=8))],
        "messages",
        [add(message(TEAM, 5, grouping_key=9)), add(message(ANN, 3, grouping_key=8))],
    ),
    Case(
        v.MessageGroup(named(TEAM, 7)),
        [ALBUM, add(message(TEAM, 7))],
        [delete(TEAM, 7)],
        "single",
        [add(message(TEAM, 4, grouping_key=8)), add(message(TEAM, 8))],
    ),
    Case(
        v.TopMessages((ANN, TEAM)),
        [add(message(ANN, 5), message(BOB, 5))],
        [add(message(ANN, 6))],
        "chats",
        [add(message(ANN, 4)), add(message(BOB, 6)), rename(EVE)],
    ),
    Case(
        v.LocalTagged(OUT),
        [add(message(ANN, 1))],
        [add(message(BOB, 2, local_tags=OUT))],
        "messages",
        [add(message(BOB, 3, local_tags=DELIVERED)), add(message(ANN, 4))],
    ),
    Case(
        v.LocalTagged(OUT), [add(message(ANN, 1, local_tags=OUT))], [rename(ANN)], "messages", [rename(BOB)]
    ),
    Case(
        v.Unsent(),
        [add(message(ANN, 1, namespace=LOCAL, flags=UNSENT))],
        [add(message(BOB, 2, namespace=LOCAL, flags=UNSENT))],
        "messages",
        [add(message(BOB, 3, namespace=LOCAL)), add(message(BOB, 4, namespace=LOCAL, flags=UNSENT | FAILED))],
    ),
    Case(
        v.UnsentIds(),
        [add(message(ANN, 1, namespace=LOCAL, flags=UNSENT))],
        [o.SetMessageFlags(named(ANN, 1, LOCAL), 0, UNSENT)],
        "ids",
        [
            add(message(ANN, 1, namespace=LOCAL, flags=UNSENT, text="other")),
            add(message(BOB, 3, namespace=LOCAL)),
        ],
    ),
    Case(
        v.FailedIds(ANN),
        [add(message(ANN, 1, namespace=LOCAL, flags=FAILED))],
        [add(message(ANN, 2, namespace=LOCAL, flags=FAILED))],
        "ids",
        [
            add(message(BOB, 2, namespace=LOCAL, flags=FAILED)),
            add(message(ANN, 3, namespace=LOCAL, flags=UNSENT)),
            add(message(ANN, 1, namespace=LOCAL, flags=FAILED, text="other")),
        ],
    ),
    Case(
        v.NextMessageEnd(0),
        [add(message(ANN, 1, attributes=ends(100)))],
        [add(message(BOB, 2, attributes=ends(90)))],
        "due",
        [
            add(message(BOB, 3, attributes=ends(110))),
            add(message(BOB, 4, attributes=(t.Autoclear(10, 1_000),))),
            add(message(ANN, 1, attributes=ends(100), text="other")),
        ],
    ),
    Case(
        v.PendingActions(REACT),
        [add(message(ANN, 1), message(ANN, 2))],
        [o.SetPendingAction(named(ANN, 2), REACT, b"x")],
        "actions",
        [o.SetPendingAction(named(ANN, 1), CONSUME, b"x"), add(message(ANN, 3))],
    ),
    Case(
        v.HasTagged(ANN, GIF),
        [add(message(ANN, 1))],
        [add(message(ANN, 2, tags=GIF))],
        "is_empty",
        [add(message(ANN, 3, tags=FILE)), add(message(BOB, 2, tags=GIF))],
    ),
    Case(
        v.HasTagged(ANN, GIF),
        [add(message(ANN, 1, tags=GIF), message(ANN, 2, tags=GIF))],
        [delete(ANN, 1)],
        "is_empty",
        [delete(ANN, 2), add(message(ANN, 4, tags=GIF)), delete(ANN, 4)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
