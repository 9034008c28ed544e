"""Holes that are marks: an open end with rows missing from there down to what is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.hole_drafts import Look, Page
from pillarbox.sync.hole_notes import Moves, Notes
from pillarbox.sync.holes import Holes
from pillarbox.sync.protocol import Act
from pillarbox.sync.signals import Cancel, Commit, Committed, Facts, Poke, Send, Stale, Started
from pillarbox.views import Hole, WantedHoles
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.answers import ActivityPage
from pillarbox_tracker.holes import HOLES
from pillarbox_tracker.keys import project_key
from pillarbox_tracker.operations import Assign, MarkGap, PutIssue, PutProjects, RemoveIssue
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetActivity
from pillarbox_tracker.types import Issues, ProjectId, Projects, State, UserId
from pillarbox_tracker.views import Activity

SPEC = HOLES["issues_to_fetch"]
AUTHOR = Author(1, 1)
PROJECT = ProjectId(2)
KEY = project_key(PROJECT)
#: A time after which nothing was touched.
END = 1_000


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(":memory:") as box:
        project = Projects(project_id=PROJECT, name="Two", slug="two", owner_id=UserId(1))
        box.replay([PutProjects(projects=(project,))])
        yield box


def issue(number: int, updated_at: int) -> Issues:
    return Issues(
        project_id=PROJECT, number=number, title=str(number), author_id=UserId(1), created_at=1,
        updated_at=updated_at,
    )  # fmt: skip


def mark(box: Box, updated_at: int = END, number: int = 0) -> Hole:
    box.replay([MarkGap(project_id=PROJECT, state=State.OPEN, updated_at=updated_at, number=number)])
    return Hole("issues_to_fetch", "activity_gaps", (), (PROJECT, State.OPEN, updated_at, number), (), 20)


def fill(box: Box, hole: Hole, answer: ActivityPage, notes: Notes | None = None) -> None:
    before = box.transact(lambda tx: Look(SPEC, hole).apply(tx, PROTOCOL))
    box.transact(lambda tx: Page(SPEC, before, answer, notes or Notes(), AUTHOR).apply(tx, PROTOCOL))


def page(*issues: Issues, more: bool = True, rev: int = 0) -> ActivityPage:
    return ActivityPage(issues=issues, more=more, rev=rev)


def marks(box: Box) -> list[tuple[int, int]]:
    with box.reading() as tables:
        return [(row.updated_at, row.number) for row in tables.activity_gaps.all()]


def stored(box: Box) -> list[int]:
    with box.reading() as tables:
        return [row.number for row in tables.issues.of_project(PROJECT)]


def test_what_is_asked_for_lies_below_the_mark(box: Box) -> None:
    """8.6: an open end is asked for from there down."""
    hole = mark(box, 500, 7)

    before = box.transact(lambda tx: Look(SPEC, hole).apply(tx, PROTOCOL))

    assert before.request == GetActivity(
        project_id=PROJECT, state=State.OPEN, updated_at=500, number=7, limit=20
    )


def test_a_page_moves_the_mark_to_its_lower_end(box: Box) -> None:
    """8.6, E-15: the answer replaces the hole by the lower end of the page."""
    fill(box, mark(box), page(issue(9, 90), issue(8, 80)))

    assert stored(box) == [8, 9]
    assert marks(box) == [(80, 8)]


@pytest.mark.parametrize("answer", [page(issue(9, 90), more=False), page(more=True)])
def test_a_page_to_the_end_removes_the_mark(box: Box, answer: ActivityPage) -> None:
    """8.6: .. or removes it."""
    fill(box, mark(box), answer)

    assert marks(box) == []


@pytest.mark.parametrize(("known_at", "left"), [(85, []), (80, []), (70, [(80, 8)])])
def test_a_page_that_meets_what_is_known_removes_the_mark(
    box: Box, known_at: int, left: list[tuple[int, int]]
) -> None:
    """8.6: below the next row that is stored nothing was missing."""
    known = 8 if known_at == 80 else 5
    box.replay([PutIssue(issue=issue(known, known_at))])

    fill(box, mark(box), page(issue(9, 90), issue(8, 80)))

    assert marks(box) == left


def test_a_page_from_above_the_mark_leaves_it_where_it_is(box: Box) -> None:
    """E-15: what lies above is no proof of what lies below; a mark that went up might go on so for ever."""
    fill(box, mark(box, 80, 8), page(issue(9, 90)))

    assert stored(box) == [9]
    assert marks(box) == [(80, 8)]


def test_a_mark_that_moved_meanwhile_makes_its_page_useless(box: Box) -> None:
    """E-21: it was filled by somebody else."""
    hole = mark(box)
    before = box.transact(lambda tx: Look(SPEC, hole).apply(tx, PROTOCOL))
    fill(box, hole, page(issue(9, 90)))

    with pytest.raises(Stale):
        box.transact(lambda tx: Page(SPEC, before, page(issue(8, 80)), Notes(), AUTHOR).apply(tx, PROTOCOL))

    assert stored(box) == [9]
    with pytest.raises(Stale):
        box.transact(lambda tx: Look(SPEC, hole).apply(tx, PROTOCOL))


def test_issues_written_or_removed_meanwhile_are_left_out(box: Box) -> None:
    """E-21."""
    notes = Notes()
    put, removed = PutIssue(issue=issue(9, 95)), RemoveIssue(project_id=PROJECT, number=8)
    notes.add(SPEC, (PROJECT, State.OPEN), [put, removed], {})
    box.replay([put])

    fill(box, mark(box), page(issue(9, 90), issue(8, 80), issue(7, 70)), notes)

    assert stored(box) == [7, 9]
    with box.reading() as tables:
        row = tables.issues.get(PROJECT, 9)
    assert row is not None
    assert row.updated_at == 95


def test_an_issue_changed_in_part_is_asked_for_again_unless_the_page_is_newer(box: Box) -> None:
    """E-21."""
    notes = Notes()
    moves: Moves = {(111, KEY): ((0,), (1,))}
    operation = Assign(project_id=PROJECT, number=9, user_id=UserId(1))
    notes.add(SPEC, (PROJECT, State.OPEN), [operation], moves)
    hole = mark(box)
    box.transact(lambda tx: PROTOCOL.advance(tx, 111, KEY, {0: 0}))
    before = box.transact(lambda tx: Look(SPEC, hole).apply(tx, PROTOCOL))
    box.transact(lambda tx: PROTOCOL.advance(tx, 111, KEY, {0: 1}))

    with pytest.raises(Stale):
        box.transact(
            lambda tx: Page(SPEC, before, page(issue(9, 90), rev=0), notes, AUTHOR).apply(tx, PROTOCOL)
        )
    box.transact(lambda tx: Page(SPEC, before, page(issue(9, 90), rev=1), notes, AUTHOR).apply(tx, PROTOCOL))

    assert stored(box) == [9]


def test_a_view_of_marks_is_filled_by_the_machine(box: Box) -> None:
    """8.6: one fetch at a time; a hole that vanishes from the wanted set cancels its fetch."""
    mark(box)
    asked: list[Act] = []
    holes = Holes(SPEC, asked.append, lambda: AUTHOR)
    holes.step(Started(0, 1))
    activity = box.watch(Activity(project_ids=(PROJECT,), state=State.OPEN, count=5, whole=False))
    wanted = box.get(WantedHoles("issues_to_fetch"))

    [look] = holes.step(Poke(0, holes.owner, wanted))
    assert isinstance(look, Commit)
    found = box.transact(lambda tx: look.draft.apply(tx, PROTOCOL))
    [send] = holes.step(Committed(0, look.id, Facts(result=found)))
    activity.close()
    [cancel] = holes.step(Poke(1, holes.owner, box.get(WantedHoles("issues_to_fetch"))))

    assert isinstance(send, Send)
    assert cancel == Cancel(send.id)


@pytest.mark.parametrize(
    ("known_at", "left"),
    [(None, [(50, 5), (30, 3)]), (10, [(50, 5), (30, 3)]), (35, [(50, 5)]), (30, [(50, 5)])],
)
def test_a_page_that_reaches_into_what_another_mark_misses_leaves_a_mark_there(
    box: Box, known_at: int | None, left: list[tuple[int, int]]
) -> None:
    """E-15: the lower mark says that rows are missing down to the first that stands below it."""
    box.replay([PutIssue(issue=issue(5, 50))])
    if known_at is not None:
        box.replay([PutIssue(issue=issue(3 if known_at == 30 else 1, known_at))])
    mark(box, 50, 5)

    fill(box, mark(box), page(issue(5, 50), issue(4, 40), issue(3, 30)))

    assert sorted(marks(box), reverse=True) == left


def test_a_page_may_end_at_another_mark(box: Box) -> None:
    """E-15: what is missing below that one is asked for from there."""
    box.replay([PutIssue(issue=issue(5, 50)), PutIssue(issue=issue(1, 10))])
    mark(box, 50, 5)

    fill(box, mark(box), page(issue(9, 90), issue(5, 50)))

    assert marks(box) == [(50, 5)]
