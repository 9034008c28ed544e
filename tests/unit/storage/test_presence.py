"""Who is seen beside a box, and the journal by itself."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.waiting import SECONDS_MAX

from pillarbox.box.bell import Bell
from pillarbox.storage import MemoryEngine, SqliteEngine
from pillarbox.storage import journal as journal_module
from pillarbox.storage.journal import JOURNAL, Journal, nobody_writes
from pillarbox.storage.presence import Presence


def met(path: Path) -> Presence:
    presence = Presence.meet(str(path))
    assert presence is not None
    return presence


def test_who_registers_is_seen_by_all_others_until_it_closes(tmp_path: Path) -> None:
    one, other, third = (met(tmp_path / "a.box") for _ in range(3))
    assert not one.somebody_listens()

    assert other.register()
    assert other.register(), "again is fine"

    assert one.somebody_listens()
    assert third.somebody_listens()
    assert not other.somebody_listens(), "it does not see itself"
    other.close()
    assert not one.somebody_listens()
    one.close()
    one.close()
    third.close()


def test_who_is_let_go_without_being_closed_is_not_seen_any_more(tmp_path: Path) -> None:
    one, other = met(tmp_path / "a.box"), met(tmp_path / "a.box")
    assert other.register()
    handle = int(other.bell.rpartition("/")[2])
    assert one.somebody_listens()

    del other
    gc.collect()

    assert not one.somebody_listens()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handle)
    one.close()


def test_nobody_is_asked_about_while_nobody_came(tmp_path: Path) -> None:
    one = met(tmp_path / "a.box")
    one.somebody_listens()
    with patch("pillarbox.storage.presence._is_locked", side_effect=AssertionError):
        assert not one.somebody_listens()
    one.close()


def test_the_last_to_close_removes_the_file_and_a_stranger_in_its_place_stays(tmp_path: Path) -> None:
    one, other = met(tmp_path / "a.box"), met(tmp_path / "a.box")
    name = tmp_path / "a.box-presence"
    one.close()
    assert name.exists()
    name.unlink()
    name.touch()

    other.close()

    assert name.exists()
    met(tmp_path / "a.box").close()
    assert not name.exists()


def test_who_comes_while_the_last_one_leaves_gets_a_file_that_stays(tmp_path: Path) -> None:
    leaving = met(tmp_path / "a.box")
    real = os.open

    def late(*arguments: object) -> int:
        handle = real(*arguments)  # type: ignore[arg-type]  # as it was called
        leaving.close()
        return handle

    with patch.object(os, "open", late):
        came = met(tmp_path / "a.box")

    assert (tmp_path / "a.box-presence").exists()
    came.close()


@pytest.mark.parametrize("why", ["no folder", "no locks", "another system"])
def test_where_nobody_can_be_seen_there_is_no_handle(tmp_path: Path, why: str) -> None:
    if why == "no folder":
        assert Presence.meet(str(tmp_path / "none" / "a.box")) is None
    elif why == "no locks":
        with patch("pillarbox.storage.presence._lock", side_effect=OSError):
            assert Presence.meet(str(tmp_path / "a.box")) is None
    else:
        with patch("sys.platform", "win32"):
            assert Presence.meet(str(tmp_path / "a.box")) is None


def test_a_bell_is_heard_at_once_and_a_wait_ends_by_itself(tmp_path: Path) -> None:
    one, other = met(tmp_path / "a.box"), met(tmp_path / "a.box")
    bell = Bell()
    bell.listen(one.bell)
    assert bell.is_heard
    other.ring()

    assert bell.wait(SECONDS_MAX)

    assert not bell.wait(0.001)
    bell.wake()
    began = time.monotonic()
    assert not bell.wait(SECONDS_MAX)
    assert time.monotonic() - began < SECONDS_MAX / 2
    bell.close()
    bell.wake()
    one.close()
    other.close()


def test_without_inotify_time_passes(tmp_path: Path) -> None:
    bell = Bell()
    bell.listen(str(tmp_path / "none"))

    assert not bell.is_heard
    assert not bell.wait(0.001)
    bell.close()


# ------------------------------------------------------------------------------------------ journal


def test_a_journal_is_numbered_without_a_gap_and_stays_bounded() -> None:
    engine = MemoryEngine()
    journal = Journal(engine)
    with patch.object(journal_module, "BYTES_KEPT", 1_000):
        for number in range(1, 500):
            engine.begin()
            version = journal.append(b"\x80" * 100)
            engine.commit()
            journal.landed(version)
            assert version == number
            kept = engine.scan(JOURNAL, None, None)
            assert [key for key, _ in kept] == list(range(number - len(kept) + 1, number + 1))
            assert sum(len(entry) for _, entry in kept) <= 1_200

    assert journal.since(499) is None
    assert journal.since(495) == [b"\x80" * 100] * 4
    assert journal.since(10) is None


def test_a_journal_is_shortened_to_the_entry_that_keeps_its_number() -> None:
    engine = MemoryEngine()
    journal = Journal(engine)
    assert not journal.is_long
    for _ in range(3):
        engine.begin()
        journal.landed(journal.append(b"\x80"))
        engine.commit()
    assert journal.is_long
    engine.begin()
    journal.shorten()
    engine.commit()

    assert engine.scan(JOURNAL, None, None) == [(3, b"\x80")]
    assert not journal.is_long
    late = Journal(engine)
    late.look()
    assert late.head == 3


@pytest.mark.parametrize("far", [-(1 << 63), -(10**12), (1 << 63) - 1])
def test_a_journal_goes_on_where_damage_left_a_number_far_away(tmp_path: Path, far: int) -> None:
    engine = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed")
    engine.begin()
    Journal(engine).append(b"\x80")
    engine.put_many(JOURNAL, sorted([far, 7]), [b"\x80", b"\x80"])
    engine.commit()
    journal = Journal(engine)
    journal.look()
    stood = journal.head

    engine.begin()
    version = journal.append(b"\x90")
    engine.commit()
    journal.landed(version)

    assert journal.head == (1 if far > 0 else 8)
    assert journal.since(stood) == (None if far > 0 else [b"\x90"])
    engine.begin()
    journal.shorten()
    engine.commit()
    assert engine.scan(JOURNAL, None, None) == [(version, b"\x90")]
    engine.close()


def test_whether_somebody_writes_is_asked_without_waiting(tmp_path: Path) -> None:
    one = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed", busy_ms=1_000 * SECONDS_MAX)
    other = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed", busy_ms=1_000 * SECONDS_MAX)
    assert nobody_writes(one)
    other.begin()
    began = time.monotonic()

    assert not nobody_writes(one)

    assert time.monotonic() - began < SECONDS_MAX / 2
    other.rollback()
    assert nobody_writes(one)
    one.close()
    other.close()


# --------------------------------------------------------------------------------- what is said


def test_what_each_says_last_is_heard_by_all_others_until_it_closes(tmp_path: Path) -> None:
    one, other, third = (met(tmp_path / "a.box") for _ in range(3))
    assert not one.say(b"too early"), "who is not registered is not heard"
    for presence in (one, other, third):
        presence.register()
    assert one.hear() == {}

    assert other.say(b"bread")
    assert third.say(b"salt" * 1_000)
    assert sorted(one.hear().values()) == [b"bread", b"salt" * 1_000]
    assert list(third.hear().values()) == [b"bread"], "nobody hears itself"
    heard = one.hear()
    assert one.hear() is heard
    assert other.say(b"butter")
    assert sorted(one.hear().values()) == [b"butter", b"salt" * 1_000]
    third.close()
    assert list(one.hear().values()) == [b"butter"]
    assert other.say(b"")
    assert one.hear() == {}
    one.close()
    other.close()
    assert list(tmp_path.iterdir()) == []
    assert one.hear() == {}


def test_who_takes_the_seat_of_one_who_left_says_nothing_yet(tmp_path: Path) -> None:
    one, other = met(tmp_path / "a.box"), met(tmp_path / "a.box")
    other.register()
    other.say(b"bread")
    other.close()

    late = met(tmp_path / "a.box")
    late.register()

    assert one.hear() == {}
    late.say(b"salt")
    assert list(one.hear().values()) == [b"salt"]
    one.close()
    late.close()


def test_what_is_half_written_is_what_it_was_until_it_is_whole(tmp_path: Path) -> None:
    one, other = met(tmp_path / "a.box"), met(tmp_path / "a.box")
    other.register()
    other.say(b"bread")
    assert list(one.hear().values()) == [b"bread"]
    real = os.pwrite

    def half(handle: int, what: bytes, at: int) -> int:
        return real(handle, what[: len(what) // 2] if len(what) > 9 else what, at)

    with patch.object(os, "pwrite", half):
        other.say(b"a lot of butter")
    assert list(one.hear().values()) == [b"bread"]

    other.say(b"butter")
    assert list(one.hear().values()) == [b"butter"]
    one.close()
    other.close()


def test_what_does_not_fit_is_not_heard_and_who_comes_keeps_what_was_said(tmp_path: Path) -> None:
    one = met(tmp_path / "a.box")
    one.register()
    assert one.say(b"bread")

    late = met(tmp_path / "a.box")
    assert list(late.hear().values()) == [b"bread"]
    assert not one.say(b"x" * (1 << 20))
    assert late.hear() == {}
    with patch.object(os, "pwrite", side_effect=OSError):
        assert not one.say(b"salt")
    with patch.object(os, "pwrite", return_value=3):
        assert not one.say(b"salt"), "the disk took the beginning"
    with patch("pillarbox.storage.presence._lock_in", side_effect=OSError):
        one.register()
        assert one.say(b"salt")
        assert late.hear() == {}, "nobody can tell who is there"
    one.close()
    late.close()


def test_a_process_that_was_forked_says_and_hears_nothing(tmp_path: Path) -> None:
    one, other = met(tmp_path / "a.box"), met(tmp_path / "a.box")
    one.register()
    other.register()
    other.say(b"bread")

    one.carried()

    assert one.hear() == {}
    assert not one.say(b"salt")
    other.close()


def test_who_has_a_box_that_nobody_may_write_to_can_still_be_seen(tmp_path: Path) -> None:
    """The file is its owner's: the next who opens it must be able to write to it."""
    path = tmp_path / "a.box"
    path.touch()
    path.chmod(0o444)

    presence = met(path)

    assert (tmp_path / "a.box-presence").stat().st_mode & 0o777 == 0o644
    presence.close()
