"""Boards, holes and their seeds in a whole box, seen through views."""

from __future__ import annotations

from pathlib import Path

import pytest

import pillarbox_tracker
from pillarbox.errors import UsageError
from pillarbox_tracker import operations as o
from pillarbox_tracker import views
from pillarbox_tracker.transaction import Transaction
from pillarbox_tracker.types import CommentHoles, Labels, ProjectId

PROJECT = ProjectId(2)
INBOX = ProjectId(1)
MAX = 2147483647


@pytest.fixture
def box() -> pillarbox_tracker.Box:
    return pillarbox_tracker.open_box(":memory:")


def holes(box: pillarbox_tracker.Box, project: ProjectId = PROJECT) -> list[tuple[int, int]]:
    rows = box.get(views.MissingComments(project_id=project, number=7)).holes
    return [(row.lower, row.upper) for row in rows]


def fetched(lower: int, upper: int) -> o.FillComments:
    return o.FillComments(project_id=PROJECT, number=7, comments=(), lower=lower, upper=upper)


def test_a_hole_over_everything_splits_at_500_to_600_and_then_at_200_to_400(
    box: pillarbox_tracker.Box,
) -> None:
    assert holes(box) == [(1, MAX)]

    box.replay([fetched(500, 600)])
    assert holes(box) == [(1, 499), (601, MAX)]

    box.replay([fetched(200, 400)])
    assert holes(box) == [(1, 199), (401, 499), (601, MAX)]


def test_what_is_lost_joins_the_holes_it_touches(box: pillarbox_tracker.Box) -> None:
    box.replay([fetched(1, MAX), o.LoseComments(project_id=PROJECT, number=7, lower=50)])
    box.replay([fetched(60, MAX), o.LoseComments(project_id=PROJECT, number=7, lower=60)])

    assert holes(box) == [(50, MAX)]


def test_reading_a_group_that_was_never_touched_writes_nothing(box: pillarbox_tracker.Box) -> None:
    assert holes(box) == [(1, MAX)]

    with box.reading() as tables:
        assert tables.comment_holes.all() == []
        assert tables.comment_holes_seeded.all() == []
        assert tables.comment_holes.covers(PROJECT, 7, 1)
        assert tables.comment_holes.get(PROJECT, 7, MAX) == CommentHoles(PROJECT, 7, MAX, 1)


def test_the_first_touch_writes_the_seed_and_its_mark(box: pillarbox_tracker.Box) -> None:
    with box.transaction() as tx:
        tx.comment_holes.add_range(PROJECT, 7, 3, 4)

    with box.reading() as tables:
        assert [(row.lower, row.upper) for row in tables.comment_holes.all()] == [(1, MAX)]
        assert [(row.number, row.version) for row in tables.comment_holes_seeded.all()] == [(7, 0)]


def test_a_view_that_showed_the_seed_is_told_of_what_changes_alone(box: pillarbox_tracker.Box) -> None:
    told: list[int] = []
    with box.watch(views.MissingComments(project_id=PROJECT, number=7)) as subscription:
        subscription.listen(lambda emission: told.append(len(emission.snapshot.holes)))
        box.replay([o.LoseComments(project_id=PROJECT, number=7, lower=9)])
        box.replay([fetched(5, 5)])
        box.replay([fetched(1, MAX)])

    assert told == [1, 2, 0]


def test_a_group_that_was_emptied_is_not_seeded_again(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    with pillarbox_tracker.open_box(path) as box:
        box.replay([o.ForgetHoles(project_id=PROJECT, number=7)])
    with pillarbox_tracker.open_box(path) as box:
        assert holes(box) == []
        box.replay([o.LoseComments(project_id=PROJECT, number=7, lower=MAX)])
        assert holes(box) == [(MAX, MAX)]


def test_a_group_whose_seed_is_nothing_has_no_hole(box: pillarbox_tracker.Box) -> None:
    assert holes(box, INBOX) == []


def test_a_rollback_leaves_the_group_as_if_seeded(box: pillarbox_tracker.Box) -> None:
    def fail(tx: Transaction) -> None:
        tx.comment_holes.cut_range(PROJECT, 7, 1, 9)
        raise KeyError

    with pytest.raises(KeyError):
        box.transact(fail)

    assert holes(box) == [(1, MAX)]


def test_a_card_takes_its_note_to_another_column(box: pillarbox_tracker.Box) -> None:
    box.replay(
        [
            o.SetColumn(project_id=PROJECT, column=1, numbers=(4, 5)),
            o.SetColumn(project_id=PROJECT, column=2, numbers=(6, 8)),
        ]
    )
    with box.transaction() as tx:
        card = tx.board.get(PROJECT, 1, 1)
        assert card is not None
        tx.board.place(type(card)(PROJECT, 1, 0, 5, "soon"), 0)

    box.replay([o.MoveCard(project_id=PROJECT, column=1, number=5, to_column=2, at=1)])

    cards = box.get(views.Column(project_id=PROJECT, column=2)).cards
    assert [(card.number, card.note) for card in cards] == [(6, ""), (5, "soon"), (8, "")]
    assert [card.number for card in box.get(views.Column(project_id=PROJECT, column=1)).cards] == [4]


def test_a_column_is_sorted_only_as_it_was_seen(box: pillarbox_tracker.Box) -> None:
    box.replay([o.SetColumn(project_id=PROJECT, column=1, numbers=(4, 5, 6))])

    refused = box.replay([o.SortColumn(project_id=PROJECT, column=1, numbers=(6, 5))]).events
    done = box.replay([o.SortColumn(project_id=PROJECT, column=1, numbers=(6, 4, 5))]).events

    assert (len(refused), len(done)) == (1, 0)
    cards = box.get(views.Column(project_id=PROJECT, column=1)).cards
    assert [card.number for card in cards] == [6, 4, 5]


def test_a_row_of_another_prefix_cannot_replace(box: pillarbox_tracker.Box) -> None:
    strange = Labels(INBOX, 9, "strange", 0)

    with pytest.raises(UsageError, match="the row with the key"):
        box.replay([o.NameLabels(project_id=PROJECT, labels=(strange,))])

    with box.reading() as tables:
        assert [row.label for row in tables.labels.of_project(INBOX)] == [1, 2]


def test_rows_that_are_replaced_by_themselves_are_no_change(box: pillarbox_tracker.Box) -> None:
    named = o.NameLabels(project_id=PROJECT, labels=(Labels(PROJECT, 1, "a", 0), Labels(PROJECT, 2, "b", 0)))
    box.replay([named])

    again = box.replay([named])
    fewer = box.replay([o.NameLabels(project_id=PROJECT, labels=named.labels[:1])])

    assert (again.changed, fewer.changed) == (False, True)
    with box.reading() as tables:
        assert tables.labels.of_project(PROJECT) == [named.labels[0]]
