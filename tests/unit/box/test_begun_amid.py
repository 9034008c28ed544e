"""Law: what is begun in the midst of what its own thread does with a box is done or refused, and never waits.

So a finalizer begins it, which runs where garbage is collected, and a handler of signals.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from tests.unit.box.moments import files_of
from tests.unit.box.test_closed_amid import Amid
from tests.unit.runtime.tracker_package import PACKAGE, One, PutIssue, TrackerBox, issue

from pillarbox.box import Box, locks, writing
from pillarbox.box import box as box_module
from pillarbox.errors import BoxClosed, UsageError

FILES: Final = files_of(box_module, writing, locks)
PUT: Final = [PutIssue(issue(1, 1, 5))]
BEGUN: Final[dict[str, Callable[[TrackerBox], object]]] = {
    "writing": lambda box: box.replay([PutIssue(issue(1, 3, 6))]),
    "watching": lambda box: box.watch(One(1, 2)).close(),
    "closing": lambda box: box.close(),
}


def look(box: TrackerBox, path: Path) -> Callable[[], object]:
    with Box(path, PACKAGE) as other:
        other.replay(PUT)
    return box.poll


def commit(box: TrackerBox, path: Path) -> Callable[[], object]:
    return lambda: box.replay(PUT)


@pytest.mark.parametrize("begun", list(BEGUN))
@pytest.mark.parametrize("amid", [look, commit])
def test_what_is_begun_amid_something_never_waits_for_it(
    amid: Callable[[TrackerBox, Path], Callable[[], object]], begun: str, tmp_path: Path
) -> None:
    for moment in count(1):
        path = tmp_path / f"{moment}.box"
        with Box(path, PACKAGE) as box:
            box._watcher.stop()  # whose looks are not those that are meant
            told: list[Any] = []
            box.watch(One(1, 1)).listen(told.append)
            work = amid(box, path)

            def begin(box: TrackerBox = box) -> None:
                with suppress(UsageError):  # it is inside a transaction
                    BEGUN[begun](box)

            moments = Amid(moment, begin, FILES)
            with suppress(BoxClosed), moments:
                work()
            if begun != "closing":
                box.replay(PUT)
                assert [emission.snapshot.issue for emission in told] == [None, issue(1, 1, 5)]
        if not moments.came:
            assert moment > 10
            return
