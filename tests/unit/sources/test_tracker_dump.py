"""A user's own adapter, the plain kind: dumps of a tracker, replayed in order into a box."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.sources.reading import read, reasons

from pillarbox_spark.adapters import Adapter, Refused, resolve
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.sources import ISSUE_DUMP, IssueDumpRow, issue_dump_operations
from pillarbox_tracker.types import ProjectId, State, UserId

DUMPS = Path(__file__).resolve().parents[2] / "data/tracker"
KETTLE = ProjectId(7)


@pytest.fixture
def adapter() -> Adapter:
    return resolve(ISSUE_DUMP.adapter)


@pytest.fixture
def box(adapter: Adapter) -> Box:
    """A box with all dumps in it, in order."""
    box = open_box(":memory:")
    for path in adapter.inputs(DUMPS):
        for row in read(adapter, path, row=IssueDumpRow):
            if isinstance(row, IssueDumpRow):
                box.replay([*issue_dump_operations(row)])
    return box


def test_every_line_of_the_dumps_is_an_issue_or_refused(adapter: Adapter) -> None:
    taken = [read(adapter, path, row=IssueDumpRow) for path in adapter.inputs(DUMPS)]

    assert [len(of_file) for of_file in taken] == [6, 4]
    assert [reasons(of_file) for of_file in taken] == [["bad-issue"], ["bad-issue"]]


def test_a_refused_line_is_told_with_its_place_and_text(adapter: Adapter) -> None:
    path = DUMPS / "2024-11.ndjson"

    refused = read(adapter, path)[-1]

    assert isinstance(refused, Refused)
    assert "Invalid enum value 'someday' - at `$.state`" in refused.detail
    assert path.read_bytes()[refused.begin :].strip() == refused.raw


@given(at=st.integers(0, 2_000), other=st.sampled_from([b"", b"{", b'"', b"\xff", b"\n", b"1"]))
def test_mutilated_lines_are_still_issues_or_refused(
    tmp_path_factory: pytest.TempPathFactory, at: int, other: bytes
) -> None:
    text = (DUMPS / "2024-11.ndjson").read_bytes()
    path = tmp_path_factory.mktemp("dump") / "issues.ndjson"
    path.write_bytes(text[:at] + other + text[at + 1 :])

    taken = read(resolve(ISSUE_DUMP.adapter), path)

    assert len(taken) == sum(bool(line.strip()) for line in path.read_bytes().split(b"\n"))


def test_the_later_dump_wins_and_what_it_does_not_tell_stays(box: Box) -> None:
    with box.reading() as tables:
        issue = tables.issues.get(KETTLE, 1)
        comments = tables.comments.of_number(KETTLE, 1)
        watchers = tables.watchers.of_number(KETTLE, 1)

    assert issue is not None
    assert (issue.title, issue.state, issue.labels) == (
        "Boils over when the lid is open or missing",
        State.WAITING,
        (1, 3),
    )
    assert issue.assignee_id == UserId(13)
    assert [(one.comment, one.body) for one in comments] == [
        (1, "Which mark, the upper one?"),
        (2, "Yes."),  # a comment that is known stays as it is
        (4, "Recalled. Waiting for the factory."),
    ]
    assert [one.user_id for one in watchers] == [UserId(11), UserId(13)]


def test_comments_without_a_number_get_one(box: Box) -> None:
    with box.reading() as tables:
        comments = tables.comments.of_number(ProjectId(8), 1)

    assert [(one.comment, one.body) for one in comments] == [
        (1, "> обрезан\nУ меня тоже."),
        (2, "И у меня."),
        (9, "Чиню."),
    ]


def test_people_were_seen_when_they_last_said_something(box: Box) -> None:
    with box.reading() as tables:
        mira, jo = tables.users.get(UserId(12)), tables.users.get(UserId(13))

    assert mira is not None
    assert (mira.name, mira.seen_at) == ("Mira Olsen-Hart", 1_730_538_221)
    assert jo is not None
    assert jo.seen_at == 1_733_184_600
