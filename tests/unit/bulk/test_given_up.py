"""Shards that are given up, or finished: nothing more is taken then, so that nothing is lost unheard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import PACKAGE, PutIssue, issue

from pillarbox.bulk import ShardBuilder
from pillarbox.errors import UsageError

GIVEN_UP = r"not all that was added is in it, after an error or an interrupt, .*; build it anew"


@pytest.mark.parametrize("kind", [KeyboardInterrupt, ValueError])
def test_a_builder_whose_slice_was_torn_takes_nothing_more(kind: type[BaseException], tmp_path: Path) -> None:
    def told(rows: Sequence[Any], gone: bool) -> None:
        raise kind

    first, other = [PutIssue(issue(1, 1))], [PutIssue(issue(1, 2))]
    with ShardBuilder(PACKAGE, tmp_path / "a.box", slice_records=1, told={t.ISSUES.id: told}) as builder:
        with pytest.raises(kind):
            builder.add(1, first)

        with pytest.raises(UsageError, match=GIVEN_UP):
            builder.add(2, other)
        with pytest.raises(UsageError, match=GIVEN_UP):
            builder.finish()

    assert list(tmp_path.iterdir()) == []


def test_a_builder_that_is_finished_or_closed_takes_nothing_more(tmp_path: Path) -> None:
    finished = ShardBuilder(PACKAGE, tmp_path / "a.box")
    finished.finish()
    closed = ShardBuilder(PACKAGE, tmp_path / "b.box")
    closed.close()

    for builder, told in ((finished, "it is finished"), (closed, "it is closed")):
        with pytest.raises(UsageError, match=told):
            builder.add(1, [PutIssue(issue(1, 1))])
        with pytest.raises(UsageError, match=told):
            builder.flush()
        builder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["a.box"]


def test_what_is_no_sequence_is_not_added(tmp_path: Path) -> None:
    with ShardBuilder(PACKAGE, tmp_path / "a.box") as builder:
        with pytest.raises(TypeError):
            builder.add(1, 5)  # type: ignore[arg-type]
        builder.add(2, [PutIssue(issue(1, 1))])

        assert builder.finish().tables[t.ISSUES.id].rows == 1
