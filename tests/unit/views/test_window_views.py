"""Windows of the tracker's views, from the schema to what is told of a commit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pillarbox.views import Gap, Hole, Subscription, Why
from pillarbox_tracker import open_box
from pillarbox_tracker import operations as o
from pillarbox_tracker.box import Box
from pillarbox_tracker.types import (
    CommentRef,
    Comments,
    Issues,
    Login,
    Priority,
    ProjectId,
    Role,
    Start,
    State,
    UserId,
    Users,
)
from pillarbox_tracker.views import (
    Activity,
    Agenda,
    AgendaIssuesEntry,
    Followed,
    Thread,
    ThreadCommentsEntry,
    ThreadSnapshot,
    Trail,
)

PROJECT, OTHER = ProjectId(2), ProjectId(3)
ME, ADA = UserId(1), UserId(7)
LAST = 2147483647


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A box with an issue of a project on a server, of which no comment was fetched."""
    with open_box(tmp_path / "a.box", durability="relaxed") as box:
        box.replay([o.PutIssue(issue(1))])
        yield box


def issue(
    number: int,
    *,
    project: ProjectId = PROJECT,
    at: int = 1,
    state: State = State.OPEN,
    who: UserId | None = None,
    milestone: int | None = None,
) -> Issues:
    return Issues(
        project_id=project, number=number, title=f"T{number}", state=state, author_id=ADA, assignee_id=who,
        milestone=milestone, created_at=1, updated_at=at, priority=Priority.NORMAL,
    )  # fmt: skip


def comment(number: int, *, project: ProjectId = PROJECT, body: str = "!", at: int | None = None) -> Comments:
    return Comments(
        project_id=project, number=1, posted_at=100 + number if at is None else at, comment=number,
        author_id=ADA, body=body,
    )  # fmt: skip


def fill(lower: int, upper: int, *numbers: int, project: ProjectId = PROJECT, at: int | None = None) -> Any:
    """What the server has from one number to another."""
    rows = tuple(comment(number, project=project, at=at) for number in numbers)
    return o.FillComments(project_id=project, number=1, comments=rows, lower=lower, upper=upper)


def thread(
    count: int = 2, comment: int | None = None, start: Start = Start.NEWEST, *, whole: bool = False
) -> Thread:
    return Thread(project_id=PROJECT, number=1, comment=comment, start=start, count=count, whole=whole)


def numbers(subscription: Subscription[ThreadSnapshot]) -> list[int]:
    return [one.row.comment for one in shown(subscription)]


def shown(subscription: Subscription[ThreadSnapshot]) -> list[ThreadCommentsEntry]:
    return list(subscription.latest.snapshot.comments.entries)


def hole(start: int | None, end: int | None, count: int = 2) -> Hole:
    return Hole("comments_to_fetch", "comment_holes", (PROJECT, 1), start, end, count)


# ------------------------------------------------------------------------------------ holes by number


def test_what_was_never_fetched_is_loading(box: Box) -> None:
    with box.watch(thread()) as subscription:
        window = subscription.latest.snapshot.comments

    assert (window.entries, window.loading) == ((), True)
    assert window.hole == hole(LAST, 1)


def test_filling_a_hole_is_told_once_and_as_that(box: Box) -> None:
    with box.watch(thread()) as subscription:
        told: list[Why] = []
        subscription.listen(lambda emission: told.append(emission.why))
        box.replay([fill(5, LAST, 5, 6)])
        after = subscription.latest

    assert told == [Why.INITIAL, Why.FILL_HOLE]
    assert [one.row.comment for one in after.snapshot.comments.entries] == [5, 6]
    assert (after.snapshot.comments.hole, after.snapshot.comments.loading) == (hole(4, 1), False)
    assert after.snapshot.comments.hole_before


def test_a_filled_hole_makes_the_window_grow(box: Box) -> None:
    box.replay([fill(5, LAST, 5)])
    with box.watch(thread()) as subscription:
        before = numbers(subscription)
        box.replay([fill(1, 4, 2, 3)])

        assert (before, numbers(subscription)) == ([5], [3, 5])
        assert subscription.latest.why is Why.FILL_HOLE
        window = subscription.latest.snapshot.comments
        assert (window.hole, window.hole_before, window.earlier) == (None, False, (PROJECT, 1, 102, 2))


def test_a_hole_ends_what_is_shown_unless_all_is_wanted(box: Box) -> None:
    box.replay([fill(5, LAST, 5), fill(1, 2, 1, 2)])

    with box.watch(thread()) as clipped, box.watch(thread(whole=True)) as whole:
        assert (numbers(clipped), numbers(whole)) == ([5], [2, 5])


def test_a_comment_within_a_hole_is_waited_for(box: Box) -> None:
    box.replay([fill(8, LAST, 8)])

    with box.watch(thread(1, comment=3)) as subscription:
        waiting = subscription.latest.snapshot.comments
        box.replay([fill(2, 4, 2, 3, 4)])
        there = subscription.latest

    assert (waiting.loading, waiting.hole) == (True, hole(3, None, 1))
    assert [one.row.comment for one in there.snapshot.comments.entries] == [3, 4]
    assert there.why is not Why.GENERIC


def test_the_first_that_was_not_seen_is_where_a_thread_is_opened(box: Box) -> None:
    box.replay([fill(1, LAST, 1, 2, 3, 4), o.AnswerUnseen(PROJECT, 1, seen=2, unseen=2, known=4, rev=1)])

    with box.watch(thread(1, start=Start.UNSEEN)) as subscription:
        first = subscription.latest

        assert numbers(subscription) == [3, 4]
        assert (first.why, first.at) == (Why.INITIAL_UNREAD, (PROJECT, 1, 103, 3))


def test_who_moves_before_the_first_emission_was_taken_is_told_of_where_it_stands_now(box: Box) -> None:
    box.replay([fill(1, LAST, 1, 2, 3, 4), o.AnswerUnseen(PROJECT, 1, seen=2, unseen=2, known=4, rev=1)])
    unseen, newest = thread(1, start=Start.UNSEEN), thread(1)

    with box.watch(unseen) as left, box.watch(newest) as back:
        left.move(newest)
        back.move(unseen)
        box.replay([fill(5, LAST, 5)])
        told = [next(it) for it in (left, back)]

        assert [(it.why, it.at) for it in told] == [
            (Why.INITIAL, None),
            (Why.INITIAL_UNREAD, (PROJECT, 1, 103, 3)),
        ]


def test_a_move_to_what_was_not_read_tells_where_that_is(box: Box) -> None:
    box.replay([fill(1, LAST, 1, 2, 3, 4), o.AnswerUnseen(PROJECT, 1, seen=2, unseen=2, known=4, rev=1)])

    with box.watch(thread(1)) as subscription:
        next(subscription)
        subscription.move(thread(1, start=Start.UNSEEN))
        box.replay([fill(5, LAST, 5)])
        moved = next(subscription)

        assert (moved.why, moved.at) == (Why.UPDATE_VISIBLE, (PROJECT, 1, 103, 3))


def test_an_anchor_stays_where_it_was_found(box: Box) -> None:
    box.replay([fill(1, LAST, 1, 2, 3, 4), o.AnswerUnseen(PROJECT, 1, seen=2, unseen=2, known=4, rev=1)])

    with box.watch(thread(1, start=Start.UNSEEN)) as subscription:
        box.replay([o.SeeComments(PROJECT, 1, comment=3)])

        assert numbers(subscription) == [3, 4]


def test_the_rank_counts_what_is_older(box: Box) -> None:
    box.replay([fill(1, LAST, 1, 2, 3, 4)])

    with box.watch(thread(2)) as subscription, box.watch(thread(2, comment=2)) as unranked:
        assert subscription.latest.snapshot.comments.rank == (2, 4)
        assert unranked.latest.snapshot.comments.rank is None


def test_entries_of_a_window_have_children(box: Box) -> None:
    box.replay([fill(1, LAST, 1, 2)])

    with box.watch(thread()) as subscription:
        first = shown(subscription)[0]
        box.replay([o.PutUsers((Users(user_id=ADA, login=Login("ada"), name="Ada"),))])
        author = shown(subscription)[1].author

    assert first.author is None
    assert author is not None
    assert author.name == "Ada"


# ------------------------------------------------------------------------------------- several lanes


def watching(*projects: ProjectId) -> list[o.Watch]:
    return [o.Watch(project_id=project, number=1, user_id=ME, now=5) for project in projects]


def followed(subscription: Any) -> list[tuple[int, int]]:
    rows = subscription.latest.snapshot.comments.entries
    return [(entry.row.project_id, entry.row.comment) for entry in rows]


def test_lanes_are_merged_by_what_follows_their_prefixes(box: Box) -> None:
    box.replay([o.PutIssue(issue(1, project=OTHER)), *watching(PROJECT, OTHER)])
    box.replay([fill(1, LAST, 1, 3), fill(1, LAST, 2, 4, project=OTHER)])

    with box.watch(Followed(user_id=ME, comment=None, since=None, count=3)) as subscription:
        assert followed(subscription) == [(OTHER, 2), (PROJECT, 3), (OTHER, 4)]


def test_a_hole_of_one_lane_cuts_all(box: Box) -> None:
    box.replay([o.PutIssue(issue(1, project=OTHER)), *watching(PROJECT, OTHER)])
    box.replay([fill(1, LAST, 1, 2, 3, 4), fill(3, LAST, 3, project=OTHER)])

    with box.watch(Followed(user_id=ME, comment=None, since=None, count=9)) as subscription:
        cut = followed(subscription)
        reported = subscription.latest.snapshot.comments.hole
        box.replay([fill(1, 2, 1, project=OTHER)])

        assert cut == [(OTHER, 3), (PROJECT, 3), (PROJECT, 4)]
        assert reported == Hole("comments_to_fetch", "comment_holes", (OTHER, 1), 2, 1, 9)
        assert len(followed(subscription)) == 6


def test_a_lane_that_opens_is_told_as_what_is_visible(box: Box) -> None:
    box.replay([o.PutIssue(issue(1, project=OTHER)), *watching(PROJECT)])
    box.replay([fill(1, LAST, 1), fill(1, LAST, 2, project=OTHER)])

    with box.watch(Followed(user_id=ME, comment=None, since=None, count=3)) as subscription:
        box.replay(watching(OTHER))

        assert followed(subscription) == [(PROJECT, 1), (OTHER, 2)]
        assert subscription.latest.why is Why.UPDATE_VISIBLE


def test_an_id_tells_its_lane(box: Box) -> None:
    box.replay([o.PutIssue(issue(1, project=OTHER)), *watching(PROJECT, OTHER)])
    box.replay([fill(1, LAST, 1, 3), fill(1, LAST, 2, 4, project=OTHER)])
    about = CommentRef(project_id=OTHER, number=1, comment=2)

    with box.watch(Followed(user_id=ME, comment=about, since=None, count=1)) as subscription:
        assert followed(subscription) == [(OTHER, 2), (PROJECT, 3)]


def test_a_condition_may_ask_what_hangs_on_rows(box: Box) -> None:
    box.replay([*watching(PROJECT), fill(1, LAST, 1, 2)])

    with box.watch(Followed(user_id=ME, comment=None, since=None, count=3)) as subscription:
        box.replay([o.PutUsers((Users(user_id=ADA, login=Login("ada"), name="Ada", role=Role.GUEST),))])
        hidden = followed(subscription)
        box.replay([o.PutUsers((Users(user_id=ADA, login=Login("ada"), name="Ada"),))])

        assert (hidden, followed(subscription)) == ([], [(PROJECT, 1), (PROJECT, 2)])


def test_a_lane_gives_up_after_many_rows_that_do_not_count(
    box: Box, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("pillarbox.views.where.SCAN_MAX", 8)
    guest = Users(user_id=ADA, login=Login("ada"), name="Ada", role=Role.GUEST)
    box.replay([*watching(PROJECT), fill(1, LAST, *range(2, 20)), o.PutUsers((guest,))])
    box.replay([o.AddComments((replace(comment(1), author_id=ME),))])

    with box.watch(Followed(user_id=ME, comment=None, since=None, count=1)) as subscription:
        assert followed(subscription) == []
    assert "a list of comments is incomplete" in caplog.text


# --------------------------------------------------------------------- markers, chains, boundaries


def test_markers_cut_or_stand_among_the_entries(box: Box) -> None:
    box.replay([o.PutIssue(issue(number, at=number * 10, who=UserId(number))) for number in (1, 2, 3)])
    box.replay([o.MarkGap(PROJECT, State.OPEN, 25, 0)])
    ids = (PROJECT,)

    with (
        box.watch(Activity(project_ids=ids, state=State.OPEN, count=5, whole=False)) as clipped,
        box.watch(Activity(project_ids=ids, state=State.OPEN, count=5, whole=True)) as whole,
    ):
        window = clipped.latest.snapshot.issues
        among = whole.latest.snapshot.issues.entries
        box.replay([o.FillGap(PROJECT, State.OPEN, 25, 0, issues=())])
        filled = clipped.latest

    assert [one if isinstance(one, Gap) else one.title for one in window.entries] == ["T3"]
    assert window.hole is not None
    assert (window.hole.name, window.hole.table) == ("issues_to_fetch", "activity_gaps")
    assert [type(one) is Gap for one in among] == [False, False, True, False]
    assert (filled.why, len(filled.snapshot.issues.entries)) == (Why.FILL_HOLE, 3)


def test_each_value_of_a_distinct_field_is_shown_once(box: Box) -> None:
    box.replay([o.PutIssue(issue(number, at=number, who=ADA)) for number in (1, 2)])
    box.replay([o.PutIssue(issue(3, at=3, who=ME))])

    with box.watch(Activity(project_ids=(PROJECT,), state=State.OPEN, count=5, whole=False)) as subscription:
        entries = subscription.latest.snapshot.issues.entries

    assert [one.title for one in entries if not isinstance(one, Gap)] == ["T2", "T3"]


def agenda(picked: tuple[int, ...] = (), at: int | None = None, count: int = 9) -> Agenda:
    states = (State.OPEN, State.WAITING)
    return Agenda(project_id=PROJECT, picked=picked, states=states, at=at, count=count)


def titles(subscription: Any) -> list[str]:
    entries: tuple[AgendaIssuesEntry, ...] = subscription.latest.snapshot.issues.entries
    return [entry.row.title for entry in entries]


def test_a_chain_is_lane_after_lane(box: Box) -> None:
    box.replay([o.PutIssue(issue(1, at=9)), o.PutIssue(issue(2, at=5)), o.PutIssue(issue(4, at=7))])
    box.replay([o.PutIssue(issue(3, at=1, state=State.WAITING))])

    with box.watch(agenda()) as plain, box.watch(agenda(picked=(3, 2))) as picked:
        assert titles(plain) == ["T2", "T4", "T1", "T3"]
        assert titles(picked) == ["T3", "T2", "T2", "T4", "T1", "T3"]


def test_an_anchor_in_a_chain_is_a_whole_key(box: Box) -> None:
    box.replay([o.PutIssue(issue(number, at=number)) for number in (1, 2, 3)])

    with box.watch(agenda(at=3, count=1)) as subscription:
        assert titles(subscription) == ["T2", "T3"]


def test_nothing_is_known_below_a_boundary(box: Box) -> None:
    box.replay([o.CloseIssue(PROJECT, 1, now=5), o.PutIssue(issue(1, at=2))])

    with box.watch(Trail(project_id=PROJECT, number=1, count=5, all=False)) as subscription:
        unknown = subscription.latest.snapshot.audit
        box.replay([o.KnowAudit(PROJECT, 1, entry=1)])
        known = subscription.latest

    assert (unknown.entries, unknown.loading) == ((), True)
    assert [row.entry for row in known.snapshot.audit.entries] == [1]
    assert known.why is Why.FILL_HOLE


def test_a_row_stands_for_those_of_a_scan(box: Box) -> None:
    box.replay([o.PutIssue(issue(1, at=5, milestone=1)), o.PutIssue(issue(2, at=4))])
    box.replay([o.PutIssue(issue(3, at=1, state=State.WAITING, milestone=1))])

    with (
        box.watch(Trail(project_id=PROJECT, number=1, count=5, all=True)) as expanded,
        box.watch(Trail(project_id=PROJECT, number=1, count=5, all=False)) as plain,
    ):
        assert [row.title for row in expanded.latest.snapshot.goals.entries] == ["T2", "T1", "T3"]
        assert [row.title for row in plain.latest.snapshot.goals.entries] == ["T2", "T1"]
