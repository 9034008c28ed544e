"""The engine and a box: what a view misses comes, and what comes by itself meanwhile is not undone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pillarbox.sync import Machine
from pillarbox.sync.drafts import BatchDraft, RoundDraft
from pillarbox.sync.outbox_drafts import Finished
from pillarbox.sync.signals import (
    Answered,
    Commit,
    CommitFailed,
    Committed,
    Facts,
    Id,
    Input,
    Load,
    Output,
    Poke,
    Publish,
    Received,
    Send,
    SetTimer,
    Started,
    Ticked,
    Woken,
)
from pillarbox.sync.store import Store
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.answers import CommentPage, Standing, Unchanged
from pillarbox_tracker.containers import PushOne
from pillarbox_tracker.keys import project_key
from pillarbox_tracker.operations import PutIssue, PutProjects, RemoveComments
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetChanges, GetComments, GetStanding, Request
from pillarbox_tracker.types import (
    CommentRef,
    Comments,
    Issues,
    ProjectId,
    Projects,
    Start,
    UserId,
)
from pillarbox_tracker.updates import CommentEdited, CommentsRemoved
from pillarbox_tracker.views import Thread

PROJECT, ISSUE, AUTHOR = ProjectId(2), 1, UserId(1)
OWNER = "holes.comments_to_fetch"


class World:
    """A machine on a box, whose requests wait for the test."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.machine = Machine(PROTOCOL)
        self.store = Store(box, PROTOCOL)
        self.asked: dict[type[Any], tuple[Id, Request]] = {}
        self.published: list[object] = []
        self.count = 0
        box.transact(lambda tx: PROTOCOL.advance(tx, 110, b"", {0: 0, 1: 0, 2: 0}))
        box.transact(lambda tx: PROTOCOL.advance(tx, 111, project_key(PROJECT), {0: 0}))
        self.feed(Started(0, 1))

    def hold(self, input: Input) -> list[Any]:
        """Its commits, which are not done."""
        held: list[Any] = []
        self.feed(input, held)
        return held

    def feed(self, input: Input, held: list[Any] | None = None) -> None:
        waiting: list[Output] = list(self.machine.step(input))
        while waiting:
            output = waiting.pop(0)
            match output:
                case Commit() if held is not None:
                    held.append(output)
                case Load() | Commit():
                    waiting += self.machine.step(self.store.run(output)(0))
                case Send(id=id, request=request):
                    self.asked[type(request)] = (id, request)
                    self.count += 1
                    assert self.count < 1_000, "it asks without end"
                case SetTimer(id=id, due=0):
                    waiting += self.machine.step(Ticked(0, id))
                case Publish(events=events):
                    self.published += events

    def poke(self) -> None:
        self.feed(Poke(0, OWNER, self.box.get(self.machine.views[OWNER])))

    def answer(self, to: type[Any], answer: Any) -> Any:
        id, request = self.asked.pop(to)
        self.feed(Answered(0, id, answer))
        return request

    def shown(self) -> list[int]:
        return [entry.row.comment for entry in self.box.get(VIEW).comments.entries]


VIEW = Thread(project_id=PROJECT, number=ISSUE, start=Start.NEWEST, count=10, whole=False)


@pytest.fixture
def world() -> Iterator[World]:
    with open_box(":memory:") as box:
        project = Projects(project_id=PROJECT, name="Two", slug="two", owner_id=AUTHOR)
        issue = Issues(
            project_id=PROJECT, number=ISSUE, title="One", author_id=AUTHOR, created_at=1, updated_at=1
        )
        box.replay([PutProjects(projects=(project,)), PutIssue(issue=issue)])
        yield World(box)


def page(*ids: int, rev: int = 0) -> CommentPage:
    return CommentPage(
        issue=None,
        comments=tuple(
            Comments(
                project_id=PROJECT, number=ISSUE, posted_at=id, comment=id, author_id=AUTHOR, body=str(id)
            )
            for id in ids
        ),
        users=(),
        rev=rev,
    )


def ref(id: int) -> CommentRef:
    return CommentRef(project_id=PROJECT, number=ISSUE, comment=id)


def test_what_a_view_misses_comes_page_after_page(world: World) -> None:
    """8.3, 8.5, E-15: until the window ends where the discussion does."""
    with world.box.watch(VIEW):
        world.poke()
        first = world.answer(GetComments, page(9, 8))
        half = world.shown()
        world.poke()
        second = world.answer(GetComments, page())
        world.poke()

    assert (first.hi, second.hi) == (2_147_483_647, 7)
    assert half == [8, 9]
    assert world.shown() == [8, 9]
    assert GetComments not in world.asked


def test_a_poll_that_takes_long_holds_no_page_up(world: World) -> None:
    """8.5: what sets no cursor is written at once."""
    with world.box.watch(VIEW):
        world.poke()
        assert {GetChanges, GetComments} <= world.asked.keys()
        world.answer(GetComments, page(9))

    assert world.shown() == [9]


def test_what_is_removed_while_its_page_is_on_its_way_stays_away(world: World) -> None:
    """E-21: the engine tells of its commits, and asks nothing again."""
    with world.box.watch(VIEW):
        settle(world)
        world.poke()
        gone = CommentsRemoved(project_id=PROJECT, refs=(ref(8),), rev=1, count=1)
        world.feed(Received(0, PushOne(update=gone, at=1)))
        before = world.count
        world.answer(GetComments, page(9, 8))

    assert world.shown() == [9]
    assert world.count == before


def test_what_is_edited_while_its_page_is_on_its_way_is_asked_for_again(world: World) -> None:
    """E-21."""
    with world.box.watch(VIEW):
        settle(world)
        world.poke()
        edited = CommentEdited(project_id=PROJECT, ref=ref(8), body="new", at=1, rev=1, count=1)
        world.feed(Received(0, PushOne(update=edited, at=1)))
        world.answer(GetComments, page(9, 8))
        nothing = world.shown()
        world.answer(GetComments, page(9, 8, rev=1))

    assert nothing == []
    assert world.shown() == [8, 9]


@pytest.mark.parametrize("is_written", [True, False], ids=["after its page", "before its page"])
def test_what_a_failed_commit_was_to_settle_is_taken_from_the_page(world: World, is_written: bool) -> None:
    """E-21, E-15: it counts nothing, so no cursor shows that it was not done, and nobody tells it again."""
    world.box.transact(lambda tx: PROTOCOL.advance(tx, 111, project_key(PROJECT), {0: 1}))
    with world.box.watch(VIEW):
        settle(world)
        world.poke()
        gone = CommentsRemoved(project_id=PROJECT, refs=(ref(8),), rev=1, count=0)
        held = world.hold(Received(0, PushOne(update=gone, at=1)))
        assert [output.draft.operations for output in held] == [(RemoveComments(refs=(ref(8),)),)]
        if is_written:
            held += world.hold(Answered(0, world.asked.pop(GetComments)[0], page(9, 8, rev=1)))
        world.feed(CommitFailed(0, held.pop(0).id, "the disk is full", False))
        for output in held:
            world.feed(world.store.run(output)(0))
        settle(world)
        while GetComments in world.asked:
            world.answer(GetComments, page(9, 8, rev=1))

    assert world.shown() == [8, 9]


@pytest.mark.parametrize(
    "end",
    [
        CommitFailed(0, Id("outbox", 7), "the disk is full", False),
        Committed(0, Id("outbox", 7), Facts(result=Finished(None, happened=False))),
    ],
    ids=["it failed", "it was refused, and wanted otherwise by then"],
)
def test_what_the_end_of_a_wish_was_to_settle_and_has_not_is_taken_from_the_page(
    world: World, end: CommitFailed | Committed
) -> None:
    """E-21: its commit goes past the queue."""
    with world.box.watch(VIEW):
        settle(world)
        world.poke()
        gone = CommentsRemoved(project_id=PROJECT, refs=(ref(7),), rev=1, count=1)
        world.feed(Received(0, PushOne(update=gone, at=1)))
        before = world.count
        world.feed(end)
        world.answer(GetComments, page(9, 8, rev=1))

        assert world.shown() == []
        assert world.count == before + 1


@pytest.mark.parametrize("why", ["forgotten", "moved"])
def test_what_a_round_was_to_settle_and_has_left_out_is_taken_from_the_page(world: World, why: str) -> None:
    """E-21, E-15: what it was to do is of a cursor that the page does not go by."""
    other = (111, project_key(ProjectId(3)))
    gone = BatchDraft((RemoveComments(refs=(ref(8),)),), expects={other: (7,)} if why == "moved" else {})
    with world.box.watch(VIEW):
        settle(world)
        world.poke()
        draft = RoundDraft((gone,), ((other, 1),) if why == "forgotten" else ())
        world.machine.flight.commit("test", draft, lambda _: None, lambda _: None)
        world.feed(Woken(0))
        world.answer(GetComments, page(9, 8))
        while GetComments in world.asked:
            world.answer(GetComments, page(9, 8))

    assert world.shown() == [8, 9]


def settle(world: World) -> None:
    """The polls at the beginning bring nothing."""
    while GetStanding in world.asked or GetChanges in world.asked:
        if GetStanding in world.asked:
            world.answer(GetStanding, Standing(rev=0, seq=0, at=0))
        else:
            world.answer(GetChanges, Unchanged(seq=0, at=0))
