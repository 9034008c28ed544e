"""Views of the account itself: streams, settings, notices, jobs."""

from __future__ import annotations

import pytest
from tests.unit.messenger_views.cases import ANN, BOB, FORUM, NEWS, SECRET, Case, add, check, message, rename

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

STORIES, NETWORK = t.PreferenceItem.STORIES, t.PreferenceItem.NETWORK
APPLICATION = t.PreferenceItem.APPLICATION
GIFT = t.NoticeNamespace.BIRTHDAY_GIFT
DRAFTS, GIFS = t.LogTag.DRAFTS, t.LogTag.GIFS


def kept(kind: t.CacheKind, entry: bytes, value: bytes, at: int) -> o.PutCache:
    return o.PutCache(collection=kind, entry=entry, value=value, at=at)


CASES = [
    Case(v.State(), [], [o.SetState(5, 0, 0, 0)], "account", [o.SetChannelState(NEWS, 5), rename(ANN)]),
    Case(
        v.State(),
        [],
        [o.SetAccount(t.AccountState(account=0, peer_id=ANN, datacenter=2))],
        "own",
        [o.SetAccount(t.AccountState(account=1, peer_id=BOB, datacenter=2))],
    ),
    Case(
        v.State(),
        [],
        [o.SetMetadata(t.MetadataItem.VERSION, 2, None)],
        "version",
        [o.SetMetadata(t.MetadataItem.MASTER_CLIENT, 2, None)],
    ),
    Case(
        v.ChatStream(NEWS),
        [],
        [o.SetChannelState(NEWS, 7)],
        "channel",
        [o.SetChannelState(FORUM, 7), o.SetState(5, 0, 0, 0), add(message(NEWS, 1))],
    ),
    Case(v.ChatStream(SECRET), [], [o.SetSecretState(SECRET, b"k")], "secret", [o.SetSecretState(ANN, b"k")]),
    Case(
        v.Preferences((STORIES, NETWORK)),
        [],
        [o.SetPreference(NETWORK, b"wifi")],
        "values",
        [o.SetPreference(t.PreferenceItem.LINKS, b"x"), o.SetPreference(NETWORK, b"x", 1)],
    ),
    Case(
        v.PreferenceParts(APPLICATION),
        [],
        [o.SetPreference(APPLICATION, b"x", 3)],
        "parts",
        [o.SetPreference(t.PreferenceItem.WEB_BROWSER, b"x", 3)],
    ),
    Case(
        v.Notice(GIFT, b"ann"),
        [],
        [o.SetNotice(GIFT, b"ann", b"1", None)],
        "told",
        [
            o.SetNotice(GIFT, b"bob", b"1", None),
            o.SetNotice(t.NoticeNamespace.DISMISSED_GIFT, b"ann", b"1", None),
        ],
    ),
    Case(
        v.CachedItem(t.CacheKind.PHONES, b"1"),
        [kept(t.CacheKind.PHONES, b"1", b"x", 10)],
        [kept(t.CacheKind.PHONES, b"1", b"y", 30)],
        "item",
        [
            kept(t.CacheKind.PHONES, b"1", b"x", 20),
            kept(t.CacheKind.PHONES, b"2", b"x", 10),
            kept(t.CacheKind.SOUNDS, b"1", b"x", 10),
        ],
    ),
    Case(
        v.Jobs(DRAFTS, 2),
        [o.AddLog(ANN, DRAFTS, b"1"), o.AddLog(BOB, DRAFTS, b"2")],
        [o.RemoveLog(ANN, DRAFTS, 1)],
        "jobs",
        [o.AddLog(ANN, DRAFTS, b"beyond"), o.AddLog(ANN, GIFS, b"3"), o.AddLog(ANN, DRAFTS, b"4", 0, True)],
    ),
    Case(
        v.Jobs(DRAFTS, 2, ANN),
        [o.AddLog(ANN, DRAFTS, b"1")],
        [o.UpdateLog(peer_id=ANN, tag=DRAFTS, local=1, job=b"more", again=False)],
        "jobs",
        [o.AddLog(BOB, DRAFTS, b"2")],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
