"""Items of both packages: what each form gives, as a strict type checker and as Python see it.

Every `assert_type` is checked twice: the type by the checker (tests/unit/test_typing.py runs it over this
file, as `make types` does), what comes by the tests here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import assert_type

import pillarbox_messenger as messenger
import pillarbox_tracker as tracker
from pillarbox.views import Emission, Item, ItemMap, Subscription
from pillarbox_messenger import items as mi
from pillarbox_messenger import types as mt
from pillarbox_tracker import items as ti
from pillarbox_tracker import types as tt
from pillarbox_tracker import views as tv

INBOX, ADA = tt.ProjectId(1), tt.UserId(7)
EVE = mt.peer_id(mt.PeerNamespace.USER, 5)


def test_an_item_gives_its_value(box: tracker.Box, post: messenger.Box) -> None:
    assert_type(box.data.get(ti.ProjectName(INBOX)), str | None)
    assert_type(box.data.get(ti.Late(INBOX)), bool)
    assert_type(box.data.get(ti.IssueTitle(INBOX, 1)), str)
    assert_type(box.data.get(ti.LastSaid(INBOX, 1)), tt.Comments | None)
    assert_type(box.data.get(ti.Assigned(ADA)), int)
    assert_type(box.data.get(ti.Person(ADA)), tv.WorkloadPeopleEntry | None)
    assert_type(box.data.get(ti.InFront(INBOX)), tuple[str, ...])
    assert_type(box.data.get(ti.IsNext(INBOX, ADA)), bool)
    assert_type(post.data.get(mi.PeerName(EVE)), str | None)
    assert_type(post.data.get(mi.IsContact(EVE)), bool)
    assert_type(post.data.get(mi.UnreadCount(EVE)), int)
    assert_type(post.data.get(mi.TotalUnread()), int)
    assert_type(post.data.get(mi.LastMessage(EVE)), mt.Message | None)
    assert_type(post.data.get(mi.AllSent()), bool)
    assert box.data.get(ti.ProjectName(INBOX)) == "Inbox"
    assert post.data.get(mi.PeerName(EVE)) is None


def test_up_to_eight_items_give_a_tuple_of_their_values(box: tracker.Box, post: messenger.Box) -> None:
    assert_type(box.data.get(ti.ProjectName(INBOX), ti.Late(INBOX)), tuple[str | None, bool])
    assert_type(
        box.data.get(ti.ProjectName(INBOX), ti.Late(INBOX), ti.IssueTitle(INBOX, 1)),
        tuple[str | None, bool, str],
    )
    assert_type(
        box.data.get(ti.ProjectName(INBOX), ti.Late(INBOX), ti.IssueTitle(INBOX, 1), ti.LastSaid(INBOX, 1)),
        tuple[str | None, bool, str, tt.Comments | None],
    )
    assert_type(
        box.data.get(
            ti.ProjectName(INBOX),
            ti.Late(INBOX),
            ti.IssueTitle(INBOX, 1),
            ti.LastSaid(INBOX, 1),
            ti.Assigned(ADA),
        ),
        tuple[str | None, bool, str, tt.Comments | None, int],
    )
    assert_type(
        box.data.get(
            ti.ProjectName(INBOX),
            ti.Late(INBOX),
            ti.IssueTitle(INBOX, 1),
            ti.LastSaid(INBOX, 1),
            ti.Assigned(ADA),
            ti.Person(ADA),
        ),
        tuple[str | None, bool, str, tt.Comments | None, int, tv.WorkloadPeopleEntry | None],
    )
    assert_type(
        box.data.get(
            ti.ProjectName(INBOX),
            ti.Late(INBOX),
            ti.IssueTitle(INBOX, 1),
            ti.LastSaid(INBOX, 1),
            ti.Assigned(ADA),
            ti.Person(ADA),
            ti.InFront(INBOX),
        ),
        tuple[str | None, bool, str, tt.Comments | None, int, tv.WorkloadPeopleEntry | None, tuple[str, ...]],
    )
    assert_type(
        box.data.get(
            ti.ProjectName(INBOX),
            ti.Late(INBOX),
            ti.IssueTitle(INBOX, 1),
            ti.LastSaid(INBOX, 1),
            ti.Assigned(ADA),
            ti.Person(ADA),
            ti.InFront(INBOX),
            ti.IsNext(INBOX, ADA),
        ),
        tuple[
            str | None,
            bool,
            str,
            tt.Comments | None,
            int,
            tv.WorkloadPeopleEntry | None,
            tuple[str, ...],
            bool,
        ],
    )
    assert_type(post.data.get(mi.PeerName(EVE), mi.IsContact(EVE)), tuple[str | None, bool])
    assert_type(
        post.data.get(mi.PeerName(EVE), mi.IsContact(EVE), mi.UnreadCount(EVE)), tuple[str | None, bool, int]
    )
    assert_type(
        post.data.get(mi.PeerName(EVE), mi.IsContact(EVE), mi.UnreadCount(EVE), mi.TotalUnread()),
        tuple[str | None, bool, int, int],
    )
    assert_type(
        post.data.get(
            mi.PeerName(EVE), mi.IsContact(EVE), mi.UnreadCount(EVE), mi.TotalUnread(), mi.LastMessage(EVE)
        ),
        tuple[str | None, bool, int, int, mt.Message | None],
    )
    assert_type(
        post.data.get(
            mi.PeerName(EVE),
            mi.IsContact(EVE),
            mi.UnreadCount(EVE),
            mi.TotalUnread(),
            mi.LastMessage(EVE),
            mi.AllSent(),
        ),
        tuple[str | None, bool, int, int, mt.Message | None, bool],
    )
    assert_type(
        post.data.get(
            mi.PeerName(EVE),
            mi.IsContact(EVE),
            mi.UnreadCount(EVE),
            mi.TotalUnread(),
            mi.LastMessage(EVE),
            mi.AllSent(),
            mi.IsContact(EVE),
        ),
        tuple[str | None, bool, int, int, mt.Message | None, bool, bool],
    )
    assert_type(
        post.data.get(
            mi.PeerName(EVE),
            mi.IsContact(EVE),
            mi.UnreadCount(EVE),
            mi.TotalUnread(),
            mi.LastMessage(EVE),
            mi.AllSent(),
            mi.IsContact(EVE),
            mi.PeerName(EVE),
        ),
        tuple[str | None, bool, int, int, mt.Message | None, bool, bool, str | None],
    )
    name, is_contact = post.data.get(mi.PeerName(EVE), mi.IsContact(EVE))
    assert_type(name, str | None)
    assert_type(is_contact, bool)
    assert (name, is_contact) == (None, False)


def test_items_are_watched_alike(box: tracker.Box, post: messenger.Box) -> None:
    assert_type(box.data.watch(ti.ProjectName(INBOX)), Subscription[str | None])
    assert_type(box.data.watch(ti.ProjectName(INBOX), ti.Late(INBOX)), Subscription[tuple[str | None, bool]])
    assert_type(
        box.data.watch(ti.ProjectName(INBOX), ti.Late(INBOX), ti.IssueTitle(INBOX, 1)),
        Subscription[tuple[str | None, bool, str]],
    )
    assert_type(
        box.data.watch(ti.ProjectName(INBOX), ti.Late(INBOX), ti.IssueTitle(INBOX, 1), ti.LastSaid(INBOX, 1)),
        Subscription[tuple[str | None, bool, str, tt.Comments | None]],
    )
    assert_type(
        box.data.watch(
            ti.ProjectName(INBOX),
            ti.Late(INBOX),
            ti.IssueTitle(INBOX, 1),
            ti.LastSaid(INBOX, 1),
            ti.Assigned(ADA),
        ),
        Subscription[tuple[str | None, bool, str, tt.Comments | None, int]],
    )
    assert_type(
        box.data.watch(
            ti.ProjectName(INBOX),
            ti.Late(INBOX),
            ti.IssueTitle(INBOX, 1),
            ti.LastSaid(INBOX, 1),
            ti.Assigned(ADA),
            ti.Person(ADA),
        ),
        Subscription[tuple[str | None, bool, str, tt.Comments | None, int, tv.WorkloadPeopleEntry | None]],
    )
    assert_type(
        box.data.watch(
            ti.ProjectName(INBOX),
            ti.Late(INBOX),
            ti.IssueTitle(INBOX, 1),
            ti.LastSaid(INBOX, 1),
            ti.Assigned(ADA),
            ti.Person(ADA),
            ti.InFront(INBOX),
        ),
        Subscription[
            tuple[
                str | None, bool, str, tt.Comments | None, int, tv.WorkloadPeopleEntry | None, tuple[str, ...]
            ]
        ],
    )
    assert_type(
        box.data.watch(
            ti.ProjectName(INBOX),
            ti.Late(INBOX),
            ti.IssueTitle(INBOX, 1),
            ti.LastSaid(INBOX, 1),
            ti.Assigned(ADA),
            ti.Person(ADA),
            ti.InFront(INBOX),
            ti.IsNext(INBOX, ADA),
        ),
        Subscription[
            tuple[
                str | None,
                bool,
                str,
                tt.Comments | None,
                int,
                tv.WorkloadPeopleEntry | None,
                tuple[str, ...],
                bool,
            ]
        ],
    )
    assert_type(post.data.watch(mi.PeerName(EVE)), Subscription[str | None])
    assert_type(post.data.watch(mi.PeerName(EVE), mi.IsContact(EVE)), Subscription[tuple[str | None, bool]])
    assert_type(
        post.data.watch(mi.PeerName(EVE), mi.IsContact(EVE), mi.UnreadCount(EVE)),
        Subscription[tuple[str | None, bool, int]],
    )
    assert_type(
        post.data.watch(mi.PeerName(EVE), mi.IsContact(EVE), mi.UnreadCount(EVE), mi.TotalUnread()),
        Subscription[tuple[str | None, bool, int, int]],
    )
    assert_type(
        post.data.watch(
            mi.PeerName(EVE), mi.IsContact(EVE), mi.UnreadCount(EVE), mi.TotalUnread(), mi.LastMessage(EVE)
        ),
        Subscription[tuple[str | None, bool, int, int, mt.Message | None]],
    )
    assert_type(
        post.data.watch(
            mi.PeerName(EVE),
            mi.IsContact(EVE),
            mi.UnreadCount(EVE),
            mi.TotalUnread(),
            mi.LastMessage(EVE),
            mi.AllSent(),
        ),
        Subscription[tuple[str | None, bool, int, int, mt.Message | None, bool]],
    )
    assert_type(
        post.data.watch(
            mi.PeerName(EVE),
            mi.IsContact(EVE),
            mi.UnreadCount(EVE),
            mi.TotalUnread(),
            mi.LastMessage(EVE),
            mi.AllSent(),
            mi.IsContact(EVE),
        ),
        Subscription[tuple[str | None, bool, int, int, mt.Message | None, bool, bool]],
    )
    assert_type(
        post.data.watch(
            mi.PeerName(EVE),
            mi.IsContact(EVE),
            mi.UnreadCount(EVE),
            mi.TotalUnread(),
            mi.LastMessage(EVE),
            mi.AllSent(),
            mi.IsContact(EVE),
            mi.PeerName(EVE),
        ),
        Subscription[tuple[str | None, bool, int, int, mt.Message | None, bool, bool, str | None]],
    )
    with box.data.watch(ti.ProjectName(INBOX), ti.Late(INBOX), every=True, queue_max=9) as both:
        name, late = both.latest.snapshot
        assert_type(name, str | None)
        assert_type(late, bool)


def test_items_under_names_give_a_mapping_of_their_values(box: tracker.Box, post: messenger.Box) -> None:
    titles = {number: ti.IssueTitle(INBOX, number) for number in (1, 2)}
    assert_type(box.data.get_map(titles), dict[int, str])
    assert_type(post.data.get_map({"eve": mi.PeerName(EVE)}), dict[str, str | None])
    assert_type(post.data.get_map({1: mi.PeerName(EVE), 2: mi.TotalUnread()}), dict[int, object])
    assert_type(
        box.data.watch_map({"late": ti.Late(INBOX), "name": ti.ProjectName(INBOX)}),
        Subscription[Mapping[str, object]],
    )
    with box.data.watch_map(titles) as watched:
        assert_type(watched, Subscription[Mapping[int, str]])
        assert watched.latest.snapshot == box.data.get_map(titles)


def test_a_map_of_items_is_an_item_among_others(box: tracker.Box, post: messenger.Box) -> None:
    titles = ItemMap({number: ti.IssueTitle(INBOX, number) for number in (1, 2)})
    assert_type(titles, ItemMap[int, str])
    assert_type(box.data.get(titles), Mapping[int, str])
    assert_type(box.data.get(ti.Late(INBOX), titles), tuple[bool, Mapping[int, str]])
    assert_type(box.data.get(ItemMap({"all": titles})), Mapping[str, Mapping[int, str]])
    assert_type(
        post.data.watch(ItemMap({"eve": mi.IsContact(EVE)}), mi.TotalUnread()),
        Subscription[tuple[Mapping[str, bool], int]],
    )
    late, found = box.data.get(ti.Late(INBOX), titles)
    assert (late, found) == (False, {1: "no such issue", 2: "no such issue"})


class OpenCount:
    """An item written by hand: what a term cannot say."""

    def __view__(self) -> tuple[tv.Inbox, tv.Project]:
        return tv.Inbox(ADA), tv.Project(INBOX)

    def __take__(self, snapshots: tuple[tv.InboxSnapshot, tv.ProjectSnapshot], /) -> float:
        inbox, project = snapshots
        return len(inbox.issues) / 2 if project.project else 0.0


def test_an_item_may_be_written_by_hand(box: tracker.Box) -> None:
    item: Item[float] = OpenCount()
    assert_type(box.data.get(OpenCount()), float)
    assert_type(box.data.watch(item, ti.Late(INBOX)), Subscription[tuple[float, bool]])
    assert box.data.get(item) == 0.0


# ----------------------------------------------------------------------------------------------- delivery


def test_loops_and_callbacks_know_the_type(box: tracker.Box) -> None:
    heard: list[tuple[str | None, bool]] = []

    def hear(emission: Emission[tuple[str | None, bool]]) -> None:
        heard.append(emission.snapshot)

    async def follow() -> None:
        read = await asyncio.to_thread(box.data.get, ti.Late(INBOX), ti.Assigned(ADA))
        assert_type(read, tuple[bool, int])
        assert_type(await box.get_async(tv.Project(INBOX)), tv.ProjectSnapshot)
        both = await asyncio.to_thread(box.watch_all, tv.Project(INBOX), tv.Issue(INBOX, 1))
        assert_type(both, Subscription[tuple[tv.ProjectSnapshot, tv.IssueSnapshot]])
        async for emission in box.data.watch(ti.ProjectName(INBOX), ti.Late(INBOX)):
            assert_type(emission, Emission[tuple[str | None, bool]])
            break

    with box.data.watch(ti.ProjectName(INBOX), ti.Late(INBOX)) as watched:
        assert_type(watched.listen(hear), Subscription[tuple[str | None, bool]])
    asyncio.run(follow())

    assert heard == [("Inbox", False)]
