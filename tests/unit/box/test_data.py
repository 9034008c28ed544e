"""Items, and views together, at their edges: what is given, sharing, one emission, failing, other boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from pillarbox.errors import UsageError
from pillarbox.views import ItemMap, QueueFull, Subscription, Why
from pillarbox_messenger.items import TotalUnread
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.items import IsNext, IssueTitle, Late, ProjectName
from pillarbox_tracker.operations import AddComments, OpenIssue
from pillarbox_tracker.types import Comments, ProjectId, UserId
from pillarbox_tracker.views import Inbox, Issue, IssueSnapshot, Project, Triage, Withdrawn, WithdrawnSnapshot

INBOX, ADA = ProjectId(1), UserId(7)


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(":memory:") as opened:
        yield opened


def open_issue(box: Box, title: str) -> None:
    box.replay([OpenIssue(project_id=INBOX, title=title, author_id=ADA, now=100)])


def live_views(box: Box) -> int:
    return len(list(box._tracker._views))


# ------------------------------------------------------------------------------------------- what is given


WRONG: list[Callable[[Any], object]] = [
    lambda box: box.data.get(),
    lambda box: box.data.watch(),
    lambda box: box.watch_all(),
    lambda box: box.data.get(Project(INBOX)),
    lambda box: box.data.get(ProjectName),
    lambda box: box.data.get(ProjectName(INBOX), None),
    lambda box: box.data.get_map({1: Project(INBOX)}),
    lambda box: box.data.watch(ItemMap({1: cast("Any", "name")})),
    lambda box: box.data.watch(ProjectName(INBOX), queue_max=0),
    lambda box: box.watch_all(ProjectName(INBOX)),
    lambda box: box.watch_all([Project(INBOX)]),
    lambda box: box.data.get(TotalUnread()),
    lambda box: box.data.watch(ProjectName(INBOX), TotalUnread()),
]


@pytest.mark.parametrize("use", WRONG)
def test_what_cannot_be_read_is_refused_and_nothing_stays(box: Box, use: Callable[[Any], object]) -> None:
    with pytest.raises(UsageError):
        use(box)

    assert live_views(box) == 0
    assert not box._tracker.has_subscriptions


LIST_GIVEN = Triage(projects=cast(Any, [INBOX]), limit=3)
LISTED: list[Callable[[Box], object]] = [
    lambda box: box.watch(LIST_GIVEN),
    lambda box: box.watch_all(Project(INBOX), LIST_GIVEN),
    lambda box: box.watch_all({"one": LIST_GIVEN}),
    lambda box: box.watch(Triage(projects=(INBOX,), limit=3)).move(LIST_GIVEN),
    lambda box: box.data.get(ProjectName(cast(Any, [INBOX]))),
    lambda box: box.data.watch(ProjectName(cast(Any, [INBOX]))),
    lambda box: box.data.watch_map({"one": ProjectName(cast(Any, [INBOX]))}),
]


@pytest.mark.parametrize("use", LISTED, ids=range(len(LISTED)))
def test_a_list_in_a_key_is_refused_where_views_are_found_by_it(
    box: Box, use: Callable[[Box], object]
) -> None:
    with pytest.raises(UsageError, match=r"\[1\].*write tuples for lists"):
        use(box)


def test_a_view_given_for_an_item_is_told_apart(box: Box) -> None:
    data: Any = box.data

    with pytest.raises(
        UsageError, match=r"Project\(project_id=1\) is no item; .* A view is read by `box.get`"
    ):
        data.get(Project(INBOX))


def test_nothing_under_names_is_an_empty_mapping(box: Box) -> None:
    assert box.data.get_map({}) == {}
    assert box.data.watch_map({}).latest.snapshot == {}
    assert box.watch_all({}).latest.snapshot == {}


# ------------------------------------------------------------------------------------------------- sharing


def test_items_of_one_view_and_its_other_readers_share_it(box: Box) -> None:
    with (
        box.watch(Project(INBOX)),
        box.data.watch(ProjectName(INBOX), Late(INBOX)),
        box.data.watch(Late(INBOX)),
        box.watch_all(Project(INBOX), Project(INBOX)) as twice,
    ):
        assert live_views(box) == 1
        one, other = twice.latest.snapshot
        assert one is other
    assert live_views(box) == 0


def test_equal_keys_have_the_same_snapshots(box: Box) -> None:
    one, other = (box.data.watch(ProjectName(INBOX), Late(INBOX)) for _ in range(2))

    assert one.latest.snapshot is other.latest.snapshot


# ------------------------------------------------------------------------------------- one emission a commit


def test_a_commit_that_changes_several_is_told_once_and_whole(box: Box) -> None:
    told: list[tuple[tuple[str, ...], Why, tuple[str, str]]] = []
    with box.data.watch(IssueTitle(INBOX, 1), IssueTitle(INBOX, 2)) as watched:
        watched.listen(lambda emission: told.append((emission.parts, emission.why, emission.snapshot)))
        with box.transaction() as tx:
            for number in (1, 2):
                box.package.replay(
                    tx, [OpenIssue(project_id=INBOX, title=f"issue {number}", author_id=ADA, now=100)]
                )
        open_issue(box, "a third, which nobody asked for")

    assert told == [
        ((), Why.INITIAL, ("no such issue", "no such issue")),
        (("0", "1"), Why.GENERIC, ("issue 1", "issue 2")),
    ]


def test_a_view_that_differs_where_nothing_is_taken_is_not_told(box: Box) -> None:
    with (
        box.data.watch(ProjectName(INBOX), every=True) as name,
        box.watch(Project(INBOX), every=True) as project,
    ):
        open_issue(box, "newest of the project")

        assert project.latest.why is Why.GENERIC
        assert name.latest.why is Why.INITIAL


TOGETHER: list[Callable[[Box], Subscription[Any]]] = [
    lambda box: box.watch_all(Inbox(ADA), Issue(INBOX, 9), every=True, queue_max=2),
    lambda box: box.watch_all({"inbox": Inbox(ADA), "issue": Issue(INBOX, 9)}, every=True, queue_max=2),
]


@pytest.mark.parametrize("watch", TOGETHER, ids=["places", "names"])
def test_of_views_together_every_emission_may_be_asked_for(
    box: Box, watch: Callable[[Box], Subscription[Any]]
) -> None:
    watched = watch(box)
    assert next(watched).why is Why.INITIAL

    for title in ("one", "two"):
        open_issue(box, title)
    assert live_views(box) == 2
    open_issue(box, "three")
    assert live_views(box) == 0, "that is one too many, and ends it"

    with pytest.raises(QueueFull):
        list(watched)


def test_names_stand_for_places(box: Box) -> None:
    with (
        box.watch_all({"first": Issue(INBOX, 1), "second": Issue(INBOX, 2)}) as views,
        box.data.watch_map({"first": IssueTitle(INBOX, 1), "second": IssueTitle(INBOX, 2)}) as titles,
    ):
        open_issue(box, "It rains in")

        assert {part.partition(".")[0] for part in views.latest.parts} == {"first"}
        assert titles.latest.parts == ("first",)


def test_emissions_that_nobody_takes_are_bounded(box: Box) -> None:
    watched = box.data.watch_map({n: IssueTitle(INBOX, n) for n in range(1, 9)}, every=True, queue_max=2)
    for number in range(3):
        open_issue(box, f"issue {number}")
    assert live_views(box) == 0, "that is one too many, and ends it"

    with pytest.raises(QueueFull):
        for _ in watched:
            pass


def test_a_callback_may_read_and_watch_items(box: Box) -> None:
    heard: list[Any] = []

    def hear(emission: Any) -> None:
        heard.append(box.data.get(IssueTitle(INBOX, 1)))
        box.data.watch(IsNext(INBOX, ADA)).listen(lambda inner: heard.append(inner.snapshot)).close()

    with box.data.watch(IssueTitle(INBOX, 1)) as watched:
        watched.listen(hear)
        open_issue(box, "It rains in")

    assert heard == ["no such issue", False, "It rains in", False]


# -------------------------------------------------------------------------------------------- what goes wrong


class Fragile:
    """An item that cannot take a second issue."""

    def __view__(self) -> Issue:
        return Issue(INBOX, 2)

    def __take__(self, snapshot: IssueSnapshot, /) -> int:
        return 1 // (snapshot.issue is None)


def test_an_item_that_fails_ends_its_subscription_and_no_other(box: Box) -> None:
    fragile, sound = box.data.watch(Fragile()), box.data.watch(IssueTitle(INBOX, 2))
    open_issue(box, "first")
    open_issue(box, "second")

    assert next(fragile).snapshot == 1
    with pytest.raises(ZeroDivisionError):
        next(fragile)
    assert sound.latest.snapshot == "second"
    with pytest.raises(ZeroDivisionError):
        box.data.get(Fragile())


def test_items_follow_what_another_box_commits(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    told: list[Any] = []
    with open_box(path) as here, open_box(path) as there:
        watched = here.data.watch(IssueTitle(INBOX, 1), ProjectName(INBOX))
        watched.listen(lambda emission: told.append((emission.snapshot[0], emission.parts)))
        open_issue(there, "from there")
        here.poll()
        open_issue(there, "of no concern")
        here.poll()

    assert told == [("no such issue", ()), ("from there", ("0",))]


def test_what_is_read_is_of_one_commit_in_a_block_of_reads(box: Box) -> None:
    with box.reading():
        before = box.data.get(IssueTitle(INBOX, 1))
        assert box.data.get_map({1: IssueTitle(INBOX, 1)}) == {1: before}


# ------------------------------------------------------------------------------- views of their own kinds


class TakenBack:
    """An item of a view that is no state: the comments that the last commit took back."""

    def __view__(self) -> Withdrawn:
        return Withdrawn(INBOX)

    def __take__(self, snapshot: WithdrawnSnapshot, /) -> tuple[int, ...]:
        return tuple(row.comment for row in snapshot.comments)


def test_what_a_commit_did_is_told_each_time_through_items_too(box: Box) -> None:
    told: list[Any] = []
    together: list[Any] = []
    open_issue(box, "It rains in")
    for at in (1, 2, 3):
        said = Comments(project_id=INBOX, number=1, posted_at=at, author_id=ADA, body="said")
        box.replay([AddComments((said,))])
    with box.data.watch(TakenBack()) as item, box.watch_all(Withdrawn(INBOX), Issue(INBOX, 1)) as both:
        item.listen(lambda emission: told.append(emission.snapshot))
        both.listen(lambda emission: together.append([row.comment for row in emission.snapshot[0].comments]))
        for at in (1, 2):
            with box.transaction() as tx:
                tx.comments.remove(INBOX, 1, at, at)
        open_issue(box, "of no concern")

    assert told == [(), (1,), (2,)]
    assert together == [[], [1], [2]]
