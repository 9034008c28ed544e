"""A child that is forked while a box is open leaves the files and the locks of its parent as they are.

Law. Whatever a child does with what it did not open itself: no file changes, the parent is still seen by
others, and whether it is in a transaction or not, its commits land.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY
from tests.unit.runtime.tracker_package import PACKAGE, Board, One, PutIssue, TrackerBox, issue
from tests.unit.storage.test_forked import in_child
from tests.waiting import SECONDS_MAX

from pillarbox.box import Box
from pillarbox.errors import BoxClosed, UsageError
from pillarbox.storage import forked
from pillarbox.storage.presence import Presence

ACTS: Final[dict[str, Callable[[TrackerBox], object]]] = {
    "replay": lambda box: box.replay([PutIssue(issue(1, 9, 9))]),
    "get": lambda box: box.get(Board(1)),
    "watch": lambda box: box.watch(One(1, 1)),
    "poll": lambda box: box.poll(),
    "checkpoint": lambda box: box._engine.checkpoint(),
    "commit": lambda box: box._engine.commit(),
    "rollback": lambda box: box._engine.rollback(),
    "leave": lambda box: box._others.close(),
    "let go": lambda box: box._engine.close() or gc.collect(),  # type: ignore[func-returns-value]
    "close": lambda box: box.close(),
}


def seen(folder: Path) -> dict[str, bytes]:
    """The files, but for the index of the log, which SQLite writes to whenever it looks."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def law_of(hard: settings) -> None:
    @hard
    @given(st.lists(st.sampled_from(sorted(ACTS)), min_size=1, max_size=4), st.booleans())
    def law(acts: list[str], is_amid: bool) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
            path = Path(name, "a.box")
            other = None
            with Box(path, PACKAGE, durability="relaxed") as box:
                box._watcher.stop()
                box.replay([PutIssue(issue(1, 1, 1))])
                box.watch(Board(1))
                other = Presence.meet(str(path))
                assert other is not None

                def child() -> None:
                    for act in acts:
                        with suppress(BoxClosed, UsageError):
                            ACTS[act](box)

                def fork() -> None:
                    before = seen(Path(name))
                    in_child(child)
                    assert seen(Path(name)) == before, "a file has changed"
                    assert other.somebody_listens(), "the parent is not seen any more"

                if is_amid:
                    with box.transaction() as tx:
                        PutIssue(issue(1, 2, 2)).apply(tx)
                        fork()
                else:
                    fork()
                    box.replay([PutIssue(issue(1, 2, 2))])
                assert [row.number for row in box.get(Board(1)).issues] == [2, 1]
            other.close()
            with Box(path, PACKAGE) as again:
                assert [row.number for row in again.get(Board(1)).issues] == [2, 1]

    law()


def test_a_child_changes_no_file_and_no_lock_of_its_parent() -> None:
    law_of(settings(max_examples=15))


def test_a_child_that_awaits_a_write_is_told_as_well(tmp_path: Path) -> None:
    with Box(tmp_path / "a.box", PACKAGE, durability="relaxed") as box:
        box._watcher.stop()
        asyncio.run(box.replay_async([PutIssue(issue(1, 1, 1))]))  # from here on there is a writer thread

        def child() -> None:
            with pytest.raises(BoxClosed):
                asyncio.run(asyncio.wait_for(box.replay_async([PutIssue(issue(1, 2, 2))]), SECONDS_MAX))

        in_child(child)


FAULTS: Final[tuple[Fault, ...]] = (
    Fault("what is open is carried on", forked, "_in_child", "opened.carried()", "pass"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Any = forked._in_child
    with fault.planted():
        faulty: Any = forked._in_child
    monkeypatch.setattr(real, "__code__", faulty.__code__)  # it is known to the system by itself, not by name
    with pytest.raises(AssertionError):
        law_of(settings(HARD, max_examples=60))
