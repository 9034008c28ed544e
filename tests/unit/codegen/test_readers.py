"""Reading tables between edges: where stored keys are integers up to the ends of what an integer holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from pillarbox_tracker import Box, open_box
from pillarbox_tracker.keys import StarsKey
from pillarbox_tracker.types import ProjectId, Projects, Stars, UserId

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1


@pytest.fixture(params=["memory", "file"])
def box(request: pytest.FixtureRequest, tmp_path: Path) -> Box:
    box = open_box(":memory:" if request.param == "memory" else tmp_path / "box", durability="relaxed")
    with box.transaction() as tx:
        tx.projects.remove(ProjectId(1))  # What a new box of this schema begins with.
        for number in (LEAST, -1, 7, GREATEST):
            tx.projects.put(
                Projects(project_id=ProjectId(number), name="", slug=str(number), owner_id=UserId(0))
            )
    return box


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [
        (None, None, [LEAST, -1, 7, GREATEST]),
        (LEAST, None, [-1, 7, GREATEST]),
        (-1, GREATEST, [7]),
        (GREATEST, None, []),
        (None, LEAST, []),
        (7, 7, []),
    ],
)
def test_edges_of_integer_keys_are_left_out(
    box: Box, after: int | None, before: int | None, expected: list[int]
) -> None:
    edges = [None if edge is None else ProjectId(edge) for edge in (after, before)]

    with box.reading() as tables:
        forward = tables.projects.all(after=edges[0], before=edges[1])
        backward = tables.projects.all(after=edges[0], before=edges[1], newest_first=True, limit=2)

    assert [row.project_id for row in forward] == expected
    assert [row.project_id for row in backward] == expected[::-1][:2]


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [
        (None, None, [-2, 0, 5]),
        ((1, -2), (1, 5), [0]),
        ((1, 5), None, []),
        ((0, 9), (2, -9), [-2, 0, 5]),
        ((2, -2), None, []),
    ],
)
def test_edges_of_keys_of_several_parts_are_left_out_and_never_lead_beyond_the_prefix(
    box: Box, after: tuple[int, int] | None, before: tuple[int, int] | None, expected: list[int]
) -> None:
    first, last = (
        None if edge is None else StarsKey(UserId(edge[0]), ProjectId(edge[1])) for edge in (after, before)
    )
    with box.transaction() as tx:
        for user, project in ((0, 9), (1, -2), (1, 0), (1, 5), (2, -9)):
            tx.stars.put(Stars(UserId(user), ProjectId(project)))

        inside = tx.stars.of_user(UserId(1), after=first, before=last)

    with box.reading() as tables:
        stored = tables.stars.of_user(UserId(1), after=first, before=last, newest_first=True)

    assert [row.project_id for row in inside] == expected
    assert [row.project_id for row in stored] == expected[::-1]
