"""What a commit did, told once: also by another process, whose commits gather into one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pillarbox_tracker import open_box
from pillarbox_tracker import operations as o
from pillarbox_tracker.types import CommentRef, Comments, ProjectId, UserId
from pillarbox_tracker.views import Withdrawn

INBOX = ProjectId(1)


def add(*numbers: int) -> o.AddComments:
    return o.AddComments(
        tuple(
            Comments(project_id=INBOX, number=1, posted_at=n, comment=n, author_id=UserId(7), body="!")
            for n in numbers
        )
    )


def withdraw(number: int) -> o.RemoveComments:
    return o.RemoveComments((CommentRef(project_id=INBOX, number=1, comment=number),))


def test_what_others_removed_is_told_once_for_all_that_gathered(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    with open_box(path, durability="relaxed") as box, open_box(path, durability="relaxed") as other:
        box.replay(
            [o.OpenIssue(project_id=INBOX, title="It rains in", author_id=UserId(7), now=1), add(1, 2, 3)]
        )
        other._watcher.stop()
        told: list[Any] = []
        other.watch(Withdrawn(INBOX), every=True).listen(told.append)
        told.clear()

        box.replay([withdraw(1)])
        box.replay([add(9)])
        box.replay([withdraw(3)])
        box.replay([withdraw(9)])
        assert other.poll()
        box.replay([withdraw(2)])
        assert other.poll()

        assert other.met.refreshes == 0
    assert [[row.comment for row in emission.snapshot.comments] for emission in told] == [[1, 3], [2]]
