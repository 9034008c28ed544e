"""What the tracker's server counts: unseen comments of an issue, open issues of a project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pillarbox_tracker import open_box
from pillarbox_tracker import operations as o
from pillarbox_tracker.box import Box
from pillarbox_tracker.types import CommentRef, Comments, Issues, IssueTotals, ProjectId, State, UserId
from pillarbox_tracker.views import Doubts, Unseen

PROJECT, INBOX = ProjectId(2), ProjectId(1)
ME, ADA = UserId(1), UserId(7)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A box with an issue here and one of a project on a server."""
    with open_box(tmp_path / "a.box", durability="relaxed") as box:
        box.replay([o.PutIssue(issue(1)), o.PutIssue(issue(1, project=INBOX))])
        yield box


def issue(number: int, *, project: ProjectId = PROJECT, state: State = State.OPEN) -> Issues:
    return Issues(
        project_id=project, number=number, title="It rains in", state=state, author_id=ADA, created_at=1,
        updated_at=1,
    )  # fmt: skip


def comments(*numbers: int, author: UserId = ADA, project: ProjectId = PROJECT) -> o.AddComments:
    return o.AddComments(
        comments=tuple(
            Comments(
                project_id=project, number=1, posted_at=100 + number, comment=number, author_id=author,
                body="!",
            )
            for number in numbers
        )
    )  # fmt: skip


def answer(box: Box, *, seen: int = 0, unseen: int = 0, known: int = 0, rev: int = 0) -> None:
    stale = box.get(Unseen(PROJECT, 1)).stale
    version = None if stale is None else stale.version
    box.replay([o.AnswerUnseen(PROJECT, 1, seen=seen, unseen=unseen, known=known, rev=rev, version=version)])


def test_unseen_comments_follow_the_servers_number(box: Box) -> None:
    answer(box, seen=2, unseen=3, known=5)
    box.replay([comments(4, 6), comments(7, author=ME)])

    shown = box.get(Unseen(PROJECT, 1))

    assert shown.state.unseen == 4
    assert shown.stale is None


def test_what_is_seen_and_muted(box: Box) -> None:
    """Nothing of the issue was ever fetched, so what is passed over may hide more."""
    answer(box, seen=2, unseen=3, known=5)
    box.replay([o.Mute(PROJECT, 1), comments(6)])
    assert (box.get(Unseen(PROJECT, 1)).state.muted, box.get(Unseen(PROJECT, 1)).stale) == (True, None)

    box.replay([o.SeeComments(PROJECT, 1, comment=6)])

    shown = box.get(Unseen(PROJECT, 1))
    assert (shown.state.muted, shown.stale is not None) == (False, True)


def test_a_comment_that_was_never_fetched_goes(box: Box) -> None:
    answer(box, seen=2, unseen=3, known=5)

    box.replay([o.RemoveComments(refs=(CommentRef(project_id=PROJECT, number=1, comment=4),))])

    assert [row.number for row in box.get(Doubts()).unseen] == [1]
    answer(box, seen=2, unseen=2, known=5)
    assert box.get(Doubts()).unseen == ()


def test_an_answer_of_a_later_revision_is_in_doubt(box: Box) -> None:
    answer(box, unseen=3, known=5, rev=1)

    assert box.get(Unseen(PROJECT, 1)).stale is not None
    box.replay([o.RestartProject(PROJECT, rev=1)])
    answer(box, unseen=3, known=5, rev=1)
    assert box.get(Unseen(PROJECT, 1)).stale is None


def test_what_is_in_the_inbox_needs_no_server(box: Box) -> None:
    box.replay([comments(1, 2, project=INBOX), o.SeeComments(INBOX, 1, comment=1)])

    shown = box.get(Unseen(INBOX, 1))

    assert (shown.state.unseen, shown.stale) == (1, None)


def test_open_issues_are_those_of_the_server(box: Box) -> None:
    box.replay([o.AnswerTotals(PROJECT, open=40, upto=90, rev=0)])
    box.replay([o.PutIssue(issue(91)), o.CloseIssue(PROJECT, 1, now=5)])

    with box.reading() as tables:
        assert tables.issue_totals.get(PROJECT) == IssueTotals(PROJECT, open=40, here=1, upto=90)
        assert tables.issue_totals.get(INBOX) == IssueTotals(INBOX, open=1, here=1, upto=0)


def test_an_issue_that_the_server_counted_and_nobody_fetched_is_asked_about(box: Box) -> None:
    box.replay([o.AnswerTotals(PROJECT, open=40, upto=90, rev=0)])
    (before,) = box.get(Doubts()).totals  # the first issue had come without a base

    box.replay([o.PutIssue(issue(50, state=State.CLOSED))])

    (after,) = box.get(Doubts()).totals
    assert after.version == before.version + 1
    box.replay([o.AnswerTotals(PROJECT, open=39, upto=91, rev=0, version=after.version)])
    assert box.get(Doubts()).totals == ()
