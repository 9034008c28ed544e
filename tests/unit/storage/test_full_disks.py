"""What is in a box, and what its program is told, where the disk is full or fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.unit.storage.faulty_vfs import FaultyVfs
from tests.unit.storage.files import TABLE, filled

from pillarbox.errors import StoreFailed, StoreFull
from pillarbox.storage import SqliteEngine


@pytest.fixture
def vfs() -> Iterator[FaultyVfs]:
    faulty = FaultyVfs()
    yield faulty
    faulty.unregister()


def test_a_full_disk_at_commit_leaves_the_last_commit_readable(tmp_path: Path, vfs: FaultyVfs) -> None:
    engine = filled(tmp_path / "a.box", vfs="faulty")
    engine.begin()
    engine.put_many(TABLE, [b"aa", b"bb"], [b"new", b"new"])
    vfs.error = apsw.FullError

    with pytest.raises(StoreFull, match=r"a\.box: the disk \(or the quota\) is full; .* Free some room"):
        engine.commit()
    engine.rollback()

    assert engine.scan(TABLE, None, None) == [(b"aa", b"kept")]
    vfs.error = None
    engine.begin()
    engine.put_many(TABLE, [b"bb"], [b"room"])
    engine.commit()
    assert engine.scan(TABLE, None, None) == [(b"aa", b"kept"), (b"bb", b"room")]
    engine.close()


def test_a_full_disk_in_the_middle_of_a_batch_leaves_the_last_commit_readable(
    tmp_path: Path, vfs: FaultyVfs
) -> None:
    # More than the cache holds, so that pages are written before the commit.
    filled(tmp_path / "a.box").close()
    engine = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed", cache_mb=1, vfs="faulty")
    engine.begin()
    vfs.error = apsw.FullError

    with pytest.raises(StoreFull):
        engine.put_many(TABLE, [bytes((1, low)) for low in range(256)], [b"v" * 20_000] * 256)
    engine.rollback()

    assert engine.scan(TABLE, None, None) == [(b"aa", b"kept")]
    vfs.error = None
    engine.close()


def test_a_full_disk_at_a_checkpoint_loses_nothing(tmp_path: Path, vfs: FaultyVfs) -> None:
    engine = filled(tmp_path / "a.box", vfs="faulty")
    vfs.error = apsw.FullError

    with pytest.raises(StoreFull):
        engine.checkpoint()

    assert engine.get(TABLE, b"aa") == b"kept"
    assert engine.wal_bytes() > 0
    vfs.error = None
    engine.checkpoint()
    assert engine.wal_bytes() == 0
    engine.close()


def test_a_disk_that_fails_is_told_apart_from_a_full_one(tmp_path: Path, vfs: FaultyVfs) -> None:
    engine = filled(tmp_path / "a.box", vfs="faulty")
    engine.begin()
    engine.put_many(TABLE, [b"bb"], [b"new"])
    vfs.error = apsw.IOError

    with pytest.raises(StoreFailed, match=r"a\.box: .*check the disk"):
        engine.commit()
    engine.rollback()

    assert engine.get(TABLE, b"bb") is None
    vfs.error = None
    engine.close()
