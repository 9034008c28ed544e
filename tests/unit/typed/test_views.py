"""Views of both packages: what each form gives, as a strict type checker and as Python see it.

Every `assert_type` is checked twice: the type by the checker (tests/unit/test_typing.py runs it over this
file, as `make types` does), what comes by the tests here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_type

import pillarbox_messenger as messenger
import pillarbox_tracker as tracker
from pillarbox.views import Emission, Subscription, Why, Window
from pillarbox_messenger import types as mt
from pillarbox_messenger import views as mv
from pillarbox_tracker import types as tt
from pillarbox_tracker import views as tv

INBOX, ADA = tt.ProjectId(1), tt.UserId(7)
EVE = mt.peer_id(mt.PeerNamespace.USER, 5)


def test_a_view_gives_its_own_snapshot(box: tracker.Box, post: messenger.Box) -> None:
    assert_type(box.get(tv.Issue(INBOX, 1)), tv.IssueSnapshot)
    assert_type(box.get(tv.Issue(INBOX, 1)).comments, Window[tt.Comments])
    assert_type(box.get(tv.Issue(INBOX, 1)).issue, tt.Issues | None)
    assert_type(box.get(tv.Cards(INBOX, 3)).cards, tuple[tv.CardsCardsEntry, ...])
    assert_type(box.get(tv.Project(INBOX)).owner, tv.ProjectOwner | None)
    assert_type(post.get(mv.BasicPeer(EVE)), mv.BasicPeerSnapshot)
    assert_type(post.get(mv.BasicPeer(EVE)).peer, mt.Peers | None)
    with box.watch(tv.Issue(INBOX, 1)) as issue, post.watch(mv.BasicPeer(EVE), every=True) as eve:
        assert_type(issue, Subscription[tv.IssueSnapshot])
        assert_type(eve.latest, Emission[mv.BasicPeerSnapshot])
        issue.move(tv.Issue(INBOX, 2))
        for emission in issue:
            assert_type(emission, Emission[tv.IssueSnapshot])
            assert_type(emission.snapshot, tv.IssueSnapshot)
            assert_type(emission.why, Why)
            assert_type(emission.parts, tuple[str, ...])
            break


def test_views_together_give_a_tuple_of_their_snapshots(box: tracker.Box, post: messenger.Box) -> None:
    a, b = tv.Issue(INBOX, 1), tv.Project(INBOX)
    with (
        box.watch_all(a) as lone,
        box.watch_all(a, b) as both,
        post.watch_all(mv.Unread(), mv.BasicPeer(EVE)) as two,
    ):
        assert_type(lone, Subscription[tuple[tv.IssueSnapshot]])
        assert_type(both, Subscription[tuple[tv.IssueSnapshot, tv.ProjectSnapshot]])
        assert_type(both.latest.snapshot[1], tv.ProjectSnapshot)
        assert_type(two.latest.snapshot, tuple[mv.UnreadSnapshot, mv.BasicPeerSnapshot])
        issue, project = both.latest.snapshot
        assert_type(issue, tv.IssueSnapshot)
        assert_type(project, tv.ProjectSnapshot)


def test_up_to_eight_views_keep_their_types(box: tracker.Box) -> None:
    assert_type(
        box.watch_all(tv.Issue(INBOX, 1), tv.Project(INBOX), tv.People()),
        Subscription[tuple[tv.IssueSnapshot, tv.ProjectSnapshot, tv.PeopleSnapshot]],
    )
    assert_type(
        box.watch_all(tv.Issue(INBOX, 1), tv.Project(INBOX), tv.People(), tv.Inbox(ADA)),
        Subscription[tuple[tv.IssueSnapshot, tv.ProjectSnapshot, tv.PeopleSnapshot, tv.InboxSnapshot]],
    )
    assert_type(
        box.watch_all(tv.Issue(INBOX, 1), tv.Project(INBOX), tv.People(), tv.Inbox(ADA), tv.Issue(INBOX, 2)),
        Subscription[
            tuple[tv.IssueSnapshot, tv.ProjectSnapshot, tv.PeopleSnapshot, tv.InboxSnapshot, tv.IssueSnapshot]
        ],
    )
    assert_type(
        box.watch_all(
            tv.Issue(INBOX, 1),
            tv.Project(INBOX),
            tv.People(),
            tv.Inbox(ADA),
            tv.Issue(INBOX, 2),
            tv.Cards(INBOX, 3),
        ),
        Subscription[
            tuple[
                tv.IssueSnapshot,
                tv.ProjectSnapshot,
                tv.PeopleSnapshot,
                tv.InboxSnapshot,
                tv.IssueSnapshot,
                tv.CardsSnapshot,
            ]
        ],
    )
    assert_type(
        box.watch_all(
            tv.Issue(INBOX, 1),
            tv.Project(INBOX),
            tv.People(),
            tv.Inbox(ADA),
            tv.Issue(INBOX, 2),
            tv.Cards(INBOX, 3),
            tv.Speakers(INBOX, 1),
        ),
        Subscription[
            tuple[
                tv.IssueSnapshot,
                tv.ProjectSnapshot,
                tv.PeopleSnapshot,
                tv.InboxSnapshot,
                tv.IssueSnapshot,
                tv.CardsSnapshot,
                tv.SpeakersSnapshot,
            ]
        ],
    )
    assert_type(
        box.watch_all(
            tv.Issue(INBOX, 1),
            tv.Project(INBOX),
            tv.People(),
            tv.Inbox(ADA),
            tv.Issue(INBOX, 2),
            tv.Cards(INBOX, 3),
            tv.Speakers(INBOX, 1),
            tv.Unread(5),
        ),
        Subscription[
            tuple[
                tv.IssueSnapshot,
                tv.ProjectSnapshot,
                tv.PeopleSnapshot,
                tv.InboxSnapshot,
                tv.IssueSnapshot,
                tv.CardsSnapshot,
                tv.SpeakersSnapshot,
                tv.UnreadSnapshot,
            ]
        ],
    )


def test_views_under_names_give_a_mapping(box: tracker.Box, post: messenger.Box) -> None:
    with box.watch_all({number: tv.Issue(INBOX, number) for number in (1, 2)}) as issues:
        assert_type(issues, Subscription[Mapping[int, tv.IssueSnapshot]])
        assert_type(issues.latest.snapshot[2].issue, tt.Issues | None)
        assert list(issues.latest.snapshot) == [1, 2]
    with post.watch_all({"eve": mv.BasicPeer(EVE)}) as peers:
        assert_type(peers.latest.snapshot, Mapping[str, mv.BasicPeerSnapshot])
    with box.watch_all({"issue": tv.Issue(INBOX, 1), "people": tv.People()}) as several:
        assert_type(several.latest.snapshot, Mapping[str, object])
        issue = several.latest.snapshot["issue"]
        assert isinstance(issue, tv.IssueSnapshot)
        assert issue.issue is None
