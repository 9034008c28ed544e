"""Stores in a process that was forked after they were opened."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.storage.files import TABLE, filled

from pillarbox.errors import BoxClosed
from pillarbox.storage import SqliteEngine
from pillarbox.storage.presence import Presence


def in_child(work: Callable[[], object]) -> None:
    """Do it in a fork of this process."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def test_a_child_can_do_nothing_with_what_its_parent_opened(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")

    def child() -> None:
        for use in (engine.begin, engine.begin_read, engine.data_version, lambda: engine.get(TABLE, b"aa")):
            with pytest.raises(BoxClosed, match="was opened before the process was forked; open it again"):
                use()
        engine.close()
        own = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed")
        assert own.get(TABLE, b"aa") == b"kept"
        own.close()

    in_child(child)

    engine.begin()
    engine.put_many(TABLE, [b"bb"], [b"new"])
    engine.commit()
    other = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed")
    assert other.get(TABLE, b"bb") == b"new"
    other.close()
    engine.close()


def test_a_child_neither_takes_the_locks_of_its_parent_nor_keeps_them(tmp_path: Path) -> None:
    one, other = Presence.meet(str(tmp_path / "a.box")), Presence.meet(str(tmp_path / "a.box"))
    assert one is not None
    assert other is not None
    assert one.register()

    def child() -> None:
        assert not one.register()
        one.close()
        other.close()

    in_child(child)

    assert other.somebody_listens()
    assert len(os.listdir(tmp_path)) == 1
    one.close()
    assert not other.somebody_listens()
    other.close()
    assert os.listdir(tmp_path) == []
