"""Law: who gets no subscription leaves none behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.unit.runtime.tracker_package import PACKAGE, Board, One, PutIssue, TrackerBox, issue

from pillarbox.box import Box
from pillarbox.box.watcher import Watcher
from pillarbox.errors import PillarboxError, UsageError
from pillarbox.views import Tracker


def test_who_is_interrupted_while_others_are_told_leaves_no_subscription(
    filed: TrackerBox, path: Path
) -> None:
    filed._watcher.stop()
    early = filed.watch(One(1, 1))
    heard: list[Any] = []

    def listen(emission: Any) -> None:
        heard.append(emission)
        if len(heard) == 2:
            raise KeyboardInterrupt

    early.listen(listen)
    with Box(path, PACKAGE) as other:
        other.replay([PutIssue(issue(1, 1, 5))])

    with pytest.raises(KeyboardInterrupt):
        filed.watch(Board(1))

    assert len(filed.view_counters()) == 1
    early.close()
    assert filed.view_counters() == ()


def test_who_is_interrupted_as_the_subscription_is_there_leaves_none(filed: TrackerBox) -> None:
    real = Tracker.subscribe

    def interrupted(*given: Any, **more: Any) -> None:
        real(*given, **more)
        raise KeyboardInterrupt

    with filed.watch(One(1, 1)), filed.watch(Board(1)):
        with patch.object(Tracker, "subscribe", interrupted):
            for key in (Board(1), Board(2)):
                with pytest.raises(KeyboardInterrupt):
                    filed.watch(key)
        with pytest.raises(UsageError):
            filed.watch(None)  # type: ignore[arg-type]  # what no view is of closes nothing of before
        assert len(filed.view_counters()) == 2
    assert filed.view_counters() == ()


def test_who_cannot_hear_of_others_leaves_no_subscription(filed: TrackerBox) -> None:
    with patch.object(Watcher, "start", side_effect=OSError(24, "too many open files")):
        for watch in (lambda: filed.watch(Board(1)), lambda: filed.watch_all(Board(1), One(1, 1))):
            with pytest.raises(PillarboxError):
                watch()

    assert filed.view_counters() == ()
