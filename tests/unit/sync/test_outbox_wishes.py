"""Wishes of the tracker: how operations write them, and what programs see of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pillarbox.errors import RangeError
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.operations import (
    CancelOutgoing,
    EnqueueLabelIssue,
    EnqueuePostComment,
    EnqueueSavePreference,
    EnqueueSeeIssues,
    EnqueueStarProject,
    Operation,
    PutIssue,
)
from pillarbox_tracker.outbox import OUTBOX
from pillarbox_tracker.replay import replay
from pillarbox_tracker.requests import LabelIssue, PostComment, SeeIssues
from pillarbox_tracker.types import (
    Issues,
    Outbox,
    OutgoingLabelIssue,
    OutgoingPostComment,
    OutgoingSeeIssues,
    OutgoingStarProject,
    ProjectId,
    UserId,
)
from pillarbox_tracker.views import OutboxRows

ME, HERE, THERE = UserId(1), ProjectId(1), ProjectId(2)


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(":memory:") as box:
        yield box


def do(box: Box, *operations: Operation) -> None:
    with box.transaction() as tx:
        replay(tx, operations)


def rows(box: Box) -> list[Outbox]:
    with box.reading() as tables:
        return list(tables.outbox.all())


def comment(token: int, project: ProjectId = HERE) -> EnqueuePostComment:
    return EnqueuePostComment(project_id=project, number=1, token=token, body=f"no {token}")


def label(labels: tuple[int, ...], was: tuple[int, ...] = ()) -> EnqueueLabelIssue:
    return EnqueueLabelIssue(project_id=HERE, number=1, labels=labels, was=was, now=5)


def star(starred: bool) -> EnqueueStarProject:
    return EnqueueStarProject(user_id=ME, project_id=HERE, starred=starred)


def see(*numbers: int, at: int) -> EnqueueSeeIssues:
    return EnqueueSeeIssues(user_id=ME, project_id=HERE, numbers=numbers, at=at)


def test_what_is_seen_here_at_once_and_the_row_are_one_commit(box: Box) -> None:
    """L-1, paper 1.9: `local`."""
    issue = Issues(project_id=HERE, number=1, title="t", author_id=ME, created_at=1, updated_at=1)
    do(box, PutIssue(issue=issue))

    do(box, label((3, 4)))

    with box.reading() as tables:
        found = tables.issues.get(HERE, 1)
    assert found is not None
    assert tuple(found.labels) == (3, 4)
    assert [row.payload for row in rows(box)] == [
        OutgoingLabelIssue(project_id=HERE, number=1, labels=(3, 4), was=(), now=5)
    ]


def test_a_transaction_that_fails_wishes_nothing(box: Box) -> None:
    """L-1."""
    with pytest.raises(RangeError):
        do(box, star(True), EnqueueStarProject(user_id=UserId(1 << 70), project_id=HERE, starred=True))

    assert rows(box) == []


def test_wishes_that_append_stand_in_the_order_of_all(box: Box) -> None:
    """L-2: one number for all groups."""
    do(box, comment(7), comment(8, THERE), comment(9))

    assert [(row.number, row.payload.token) for row in rows(box)] == [(1, 7), (2, 8), (3, 9)]  # type: ignore[union-attr]
    groups = [row.group for row in rows(box)]
    assert groups[0] == groups[2] != groups[1]


def test_a_number_is_never_given_twice(box: Box) -> None:
    """L-1: also when the last row is gone."""
    do(box, comment(7), comment(8))
    do(box, CancelOutgoing(kind=41, number=2), CancelOutgoing(kind=41, number=1))
    do(box, comment(9))

    assert [row.number for row in rows(box)] == [3]


def test_the_newest_replaces_what_waits_and_is_another_revision(box: Box) -> None:
    """L-1, E-17: it keeps its place."""
    wishes = [EnqueueSavePreference(user_id=ME, name=name, value=value) for name, value in ("ax", "by", "az")]
    do(box, *wishes)

    found = [(row.number, row.revision, row.payload.value) for row in rows(box)]  # type: ignore[union-attr]
    assert found == [(1, 1, "z"), (2, 0, "y")]


def test_folded_wishes_are_one_with_all_that_was_wanted(box: Box) -> None:
    """L-6: at most one of a group is active, what comes later waits in the same row."""
    do(box, see(1, 2, at=9), see(2, 3, at=5))

    (row,) = rows(box)
    assert row.revision == 1
    assert row.payload == OutgoingSeeIssues(user_id=ME, project_id=HERE, numbers=(1, 2, 3), at=9)


def test_a_fold_may_keep_what_the_first_said(box: Box) -> None:
    """L-1: what is put back after a refusal is what was there before all of them."""
    do(box, label((2,), was=(1,)), label((3,), was=(2,)))

    (row,) = rows(box)
    assert row.payload == OutgoingLabelIssue(project_id=HERE, number=1, labels=(3,), was=(1,), now=5)


def test_a_wish_that_is_taken_back_is_sent_as_the_opposite(box: Box) -> None:
    """L-1, paper 1.9: `replace`. Another device may have done meanwhile what was wished first."""
    do(box, star(True), star(True))
    assert [row.revision for row in rows(box)] == [1]

    do(box, star(False))

    assert [row.payload for row in rows(box)] == [
        OutgoingStarProject(user_id=ME, project_id=HERE, starred=False)
    ]
    with box.reading() as tables:
        assert tables.stars.get(ME, HERE) is None


def test_an_opposite_wish_does_not_take_back_what_may_have_been_sent(box: Box) -> None:
    """L-1: the server may have done it; it has to be told the opposite."""
    do(box, star(True))
    with box.transaction() as tx:
        OUTBOX.mark(tx, 43, 1)

    do(box, star(False))
    do(box, star(True))
    do(box, star(False))

    (row,) = rows(box)
    assert (row.number, row.revision) == (1, 3)
    assert row.payload == OutgoingStarProject(user_id=ME, project_id=HERE, starred=False)


def test_a_view_shows_what_waits_and_a_row_of_it_can_be_taken_back(box: Box) -> None:
    """L-2: live, each kind for itself."""
    seen = []
    subscription = box.watch(OutboxRows(limit=2))
    seen.append(next(iter(subscription)).snapshot)
    do(box, comment(7), comment(8), comment(9), star(True))
    seen.append(next(iter(subscription)).snapshot)
    first = seen[1].post_comment[0]
    do(box, CancelOutgoing(kind=first.kind, number=first.number))
    seen.append(next(iter(subscription)).snapshot)

    assert [[row.number for row in it.post_comment] for it in seen] == [[], [1, 2], [2, 3]]
    assert [len(it.star_project) for it in seen] == [0, 1, 1]


def test_a_request_is_made_of_the_payload_alone(box: Box) -> None:
    """L-4: so it is the same each time it is sent, its token included."""
    do(box, comment(7), label((3,)), see(1, at=2))

    made = [OUTBOX.kinds[row.kind].request(row.payload) for row in rows(box)]

    assert made == [
        PostComment(project_id=HERE, number=1, token=7, body="no 7"),
        LabelIssue(project_id=HERE, number=1, labels=(3,)),
        SeeIssues(project_id=HERE, numbers=(1,), at=2),
    ]


def test_a_row_is_found_marked_and_removed_by_its_number(box: Box) -> None:
    """L-3: what the engine does with it."""
    do(box, comment(7))

    with box.transaction() as tx:
        OUTBOX.mark(tx, 41, 1)
        OUTBOX.mark(tx, 41, 99)
    with box.reading() as tables:
        found = OUTBOX.row(tables, 41, 1)
    with box.transaction() as tx:
        OUTBOX.remove(tx, 41, 1)

    assert found is not None
    assert found.payload == OutgoingPostComment(project_id=HERE, number=1, token=7, body="no 7")
    assert rows(box) == []
