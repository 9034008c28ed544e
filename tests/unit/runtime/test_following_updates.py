"""A follower with what is generated for it: updates of the tracker, into a box of the tracker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pillarbox.sync import Follower, Gap, Poll, ResetAsk, Unhandled
from pillarbox_tracker.box import Box, open_box
from pillarbox_tracker.keys import account_key, project_key
from pillarbox_tracker.sync import UPDATES
from pillarbox_tracker.types import Access, Login, ProjectId, Projects, UserId, Users
from pillarbox_tracker.updates import (
    AccessChanged,
    NoticeShown,
    ProjectBehind,
    ProjectsChanged,
    UserChanged,
)

PROJECT = Projects(ProjectId(5), "Five", "five", UserId(1))


@pytest.fixture
def box() -> Iterator[Box]:
    """A box whose account stands at revision 3."""
    with open_box(":memory:") as opened:
        with opened.transaction() as tx:
            UPDATES.advance(tx, 110, account_key(), {0: 3})
        yield opened


def test_operations_are_applied_and_the_rest_is_handed_back_in_order(box: Box) -> None:
    """A-10: what an update asks of the server besides is asked once it is applied."""
    notice = NoticeShown(text="Down for an hour.")
    behind = ProjectBehind(project_id=ProjectId(5), rev=9)

    outcome = Follower(box, UPDATES).receive(
        [
            notice,
            behind,
            AccessChanged(project_id=ProjectId(5), access=Access.RENEWED),
            ProjectsChanged(projects=(PROJECT,), rev=4, count=1),
        ]
    )

    assert outcome.asks == (
        Unhandled(notice), Poll(111, project_key(ProjectId(5)), 9), ResetAsk("everything"),
    )  # fmt: skip
    with box.reading() as tables:
        assert tables.projects.get(ProjectId(5)) == PROJECT


def test_a_gap_is_told_and_nothing_of_it_is_applied(box: Box) -> None:
    """G-2, G-3"""
    user = Users(UserId(4), Login("ada"), "Ada")

    outcome = Follower(box, UPDATES).receive([UserChanged(user=user, rev=6, count=1)])

    assert outcome.gaps == (Gap(110, account_key(), 0, have=3, next=5),)
    with box.reading() as tables:
        assert tables.users.get(UserId(4)) is None
