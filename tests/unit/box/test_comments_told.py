"""How many comments an issue has: each is counted once, whatever brought it before it was told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pillarbox_tracker import open_box
from pillarbox_tracker import operations as o
from pillarbox_tracker.types import Comments, Issues, ProjectId, UserId

PROJECT = ProjectId(5)


def issue(comments: int, at: int) -> Issues:
    return Issues(
        project_id=PROJECT, number=1, title="It rains in", author_id=UserId(7), labels=(),
        created_at=1, updated_at=at, comments=comments,
    )  # fmt: skip


def said(*numbers: int) -> tuple[Comments, ...]:
    return tuple(
        Comments(project_id=PROJECT, number=1, posted_at=10 * n, comment=n, author_id=UserId(7), body="!")
        for n in numbers
    )


def told(rev: int, *numbers: int) -> Any:
    return o.TellComments(comments=said(*numbers), rev=rev)


def page(rev: int, *numbers: int) -> Any:
    return o.PutCommentPage(issue=None, comments=said(*numbers), users=(), rev=rev)


@pytest.mark.parametrize(
    "happened",
    [
        pytest.param([told(2, 1), told(3, 2, 3)], id="told"),
        pytest.param(
            [page(3, 1, 2, 3), told(2, 1), told(3, 2, 3)],
            id="on a page before",
        ),
        pytest.param([told(3, 1, 2, 3), told(3, 1, 2, 3)], id="told twice"),
        pytest.param(
            [o.PutActivity((issue(3, 30),), 3), told(2, 1), told(3, 2, 3)],
            id="counted by the server before",
        ),
        pytest.param(
            [o.PutActivity((issue(3, 30),), 3), o.PutIssue(issue(1, 10), 2), told(3, 2, 3)],
            id="put again as it was before",
        ),
    ],
)
def test_a_comment_is_counted_once(happened: list[Any], tmp_path: Path) -> None:
    with open_box(tmp_path / "a.box", durability="relaxed") as box:
        box.replay([o.PutIssue(issue(0, 1), 1)])

        for one in happened:
            box.replay([one])

        with box.reading() as tables:
            row = tables.issues.get(PROJECT, 1)
    assert row is not None
    assert (row.comments, row.updated_at) == (3, 30)
