"""Views of peers, one by one."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    EVE,
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

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

USER = t.CachedUser(common_groups=1)
CASES = [
    Case(
        v.Peer(ANN),
        [presence(ANN), o.PutCachedPeer(ANN, USER, 5, None)],
        [rename(ANN)],
        "peer",
        [rename(BOB), o.SawActivity(ANN, 9), presence(BOB), o.PutCachedPeer(BOB, USER, 5, None)],
    ),
    Case(v.Peer(ANN), [], [add(message(ANN, 1))], "top", [add(message(BOB, 1))]),
    Case(v.Peer(SECRET), [], [rename(ANN)], "associated", [rename(EVE)]),
    Case(
        v.BasicPeer(SECRET),
        [],
        [o.PutSettings(ANN, muted())],
        "settings",
        [o.PutSettings(SECRET, muted()), o.PutSettings(BOB, muted()), rename(ANN), presence(SECRET)],
    ),
    Case(
        v.BasicPeer(ANN),
        [],
        [o.SetContact(ANN, True, False)],
        "peer is_contact",
        [o.SetContact(BOB, True, False)],
    ),
    Case(
        v.BasicPeer(ANN),
        [add(message(ANN, 1))],
        [o.SetInclusion(ANN, 1, None)],
        "place",
        [add(message(ANN, 2)), add(message(BOB, 1)), o.SetPins(0, (ANN,))],
    ),
    Case(v.Peers((ANN, BOB)), [], [rename(BOB)], "peers", [rename(EVE), presence(EVE)]),
    Case(
        v.Peers((ANN, BOB)),
        [presence(ANN)],
        [presence(ANN, 60)],
        "presences",
        [o.SawActivity(ANN, 8), presence(EVE)],
    ),
    Case(
        v.Presences((ANN, BOB)),
        [presence(ANN)],
        [presence(BOB)],
        "presences",
        [presence(EVE), o.SawActivity(ANN, 8), rename(ANN)],
    ),
    Case(
        v.CachedPeer(ANN),
        [],
        [o.PutCachedPeer(ANN, USER, 5, None)],
        "cached",
        [o.PutCachedPeer(BOB, USER, 5, None), rename(ANN)],
    ),
    Case(
        v.Contacts(True, BOB),
        [o.SetContact(ANN, True, False), o.SetContact(BOB, True, False), presence(ANN)],
        [o.SetContact(EVE, True, False)],
        "contacts",
        [rename(TEAM), presence(EVE), presence(BOB), o.SawActivity(ANN, 9)],
    ),
    Case(
        v.Contacts(True),
        [o.SetContact(ANN, True, False), presence(ANN)],
        [presence(ANN, 70)],
        "contacts",
        [presence(BOB)],
    ),
    Case(
        v.Contacts(False),
        [o.SetContact(ANN, True, False)],
        [rename(ANN)],
        "contacts",
        [rename(BOB), presence(ANN)],
    ),
    Case(v.Contacts(False, BOB), [], [rename(BOB)], "account", [rename(EVE)]),
    Case(v.ContactIds(), [], [o.ReplaceContacts((ANN, BOB))], "contacts", [rename(ANN)]),
    Case(
        v.ContactIds(),
        [o.SetContact(ANN, True, False)],
        [o.SetMetadata(t.MetadataItem.REMOTE_CONTACTS, 7, None)],
        "remote",
        [o.SetMetadata(t.MetadataItem.MASTER_CLIENT, 7, None)],
    ),
    Case(
        v.IsContact(ANN),
        [],
        [o.SetContact(ANN, True, False)],
        "is_contact",
        [o.SetContact(BOB, True, False), rename(ANN)],
    ),
    Case(
        v.NotificationSettings((SECRET, BOB)),
        [o.PutSettings(ANN, t.PeerSettings())],
        [o.ChangeSettings(ANN, muted())],
        "settings",
        [o.PutSettings(EVE, muted()), o.PutSettings(SECRET, muted()), rename(BOB)],
    ),
    Case(
        v.NotificationSettings((ANN,)),
        [o.PutSettings(ANN, t.PeerSettings()), o.ChangeSettings(ANN, muted())],
        [o.ChangeSettings(ANN, muted(9))],
        "settings",
        [o.PutSettings(ANN, t.PeerSettings(previews=False))],
    ),
    Case(
        v.PendingSettings(),
        [],
        [o.ChangeSettings(ANN, muted())],
        "settings",
        [o.PutSettings(ANN, muted()), rename(ANN)],
    ),
    Case(
        v.NextUnmute(),
        [o.PutSettings(ANN, muted(100))],
        [o.PutSettings(BOB, muted(90))],
        "until",
        [
            o.PutSettings(BOB, muted(110)),
            o.PutSettings(EVE, muted(100)),
            o.PutSettings(TEAM, muted(2**31 - 1)),
        ],
    ),
    Case(
        v.NextTimeout(),
        [peers(peer(ANN, "Ann", timeout_at=100))],
        [peers(peer(BOB, "Bob", timeout_at=90))],
        "timeouts",
        [peers(peer(BOB, "Bob", timeout_at=110)), rename(ANN), peers(peer(ANN, "A", timeout_at=100))],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)


def test_a_message_makes_nobody_a_contact() -> None:
    check(
        Case(
            v.IsContact(ANN),
            [],
            [o.ReplaceContacts((ANN,))],
            "is_contact",
            [add(message(ANN, 1, namespace=CLOUD))],
        )
    )
