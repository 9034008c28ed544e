"""A session that was recorded runs again into the same tables, byte for byte, or says where it cannot."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest
from msgspec.structs import replace
from tests.sim.tracker_server import TrackerServer
from tests.unit.sync_driver.killed import KNOBS, Connection
from tests.unit.sync_driver.small_server import PROJECT, Cable, SmallServer
from tests.waiting import until

from pillarbox.errors import DataError, ReplayDiverged, UsageError
from pillarbox.sync import Engine, SessionChanged
from pillarbox.sync.limits import Limits
from pillarbox.sync.record_entries import (
    Beside,
    Broke,
    Header,
    Mumbled,
    RecordWriter,
    Said,
    Sent,
    Tick,
    read_record,
)
from pillarbox.sync.recording import Recorder
from pillarbox.sync.replaying import Replayed, replay_record
from pillarbox.sync.signals import Received, Started
from pillarbox.views import Hole, holes_as_bytes, holes_of_bytes
from pillarbox_tracker import PACKAGE, Box, open_box
from pillarbox_tracker.answers import Unchanged
from pillarbox_tracker.containers import Done
from pillarbox_tracker.operations import PutProjects
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetChanges, encode_request
from pillarbox_tracker.types import ProjectId, Projects, UserId

pytestmark = pytest.mark.anyio
HEADER = Header("tracker", PACKAGE.layout_hash)


def dumped(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table of the schema, byte for byte."""
    connection = apsw.Connection(str(path))
    names = [f"t{spec.id}" for spec in PACKAGE.specs]
    tables = {name: list(connection.execute(f"SELECT * FROM {name} ORDER BY 1")) for name in names}
    connection.close()
    return tables


async def follow(box: Box, transport: Any, record: Path, **options: Any) -> None:
    async with Engine(box, PROTOCOL, transport, record=record, **options) as engine:
        await transport.said()
        await engine.flush()


def replayed(record: Path, into: Path) -> Replayed:
    with open_box(into) as box:
        return replay_record(read_record(record), box, PROTOCOL)


async def small_session(folder: Path, name: str = "a") -> tuple[Path, Path]:
    """A box and its record, of three things that happened."""
    path, record = folder / f"{name}.box", folder / f"{name}.record"
    server = SmallServer()
    cable = Cable(server.answer)
    with open_box(path, durability="relaxed") as box:
        async with Engine(box, PROTOCOL, cable, record=record) as engine:
            await engine.flush()
            cable.push(server.rename("one"), SessionChanged(), server.say("hello"))
            await cable.said()
            await engine.flush()
    return path, record


@pytest.mark.parametrize("seed", range(3))
async def test_a_session_runs_again_into_the_same_tables(tmp_path: Path, seed: int) -> None:
    """E-11: the same inputs give the same outputs, and so the same box."""
    server, random = TrackerServer(KNOBS, Random(seed)), Random(seed)
    path, record = tmp_path / "a.box", tmp_path / "a.record"
    with open_box(path, durability="relaxed") as box:
        await follow(box, Connection(server, (), Random(seed), 0.0), record)
        for _ in range(3):
            pushes = [container for _ in range(30) for container in server.change(random)]
            await follow(box, Connection(server, pushes, Random(seed), 0.3), record)

    done = replayed(record, tmp_path / "b.box")

    assert dumped(tmp_path / "b.box") == dumped(path)
    assert done.sessions == 4
    assert done.commits > 4
    assert done.left_out == 0


async def test_what_a_transport_and_a_server_get_wrong_is_in_the_record(tmp_path: Path) -> None:
    path, record = tmp_path / "a.box", tmp_path / "a.record"
    server = SmallServer()
    answers: list[Any] = [OSError("cut"), "no answer at all"]

    def answer(request: Any) -> Any:
        if answers:
            wrong = answers.pop()
            if isinstance(wrong, Exception):
                raise wrong
            return wrong
        return server.answer(request)

    cable = Cable(answer)
    with open_box(path, durability="relaxed") as box:
        async with Engine(box, PROTOCOL, cable, record=record) as engine:
            cable.push("no container")  # type: ignore[arg-type]
            await until(lambda: not answers and not engine.updating)
            cable.push(server.rename("one"))
            await cable.said()
            await engine.flush()
    entries = read_record(record).entries
    replayed(record, tmp_path / "b.box")

    assert [it.text for it in entries if isinstance(it, Mumbled)] == ["'no container'"]
    assert [it.value for it in entries if isinstance(it, Broke)] == [
        "an answer of the type str",
        "OSError: cut",
    ]
    assert any(isinstance(it, Tick) for it in entries)
    assert dumped(tmp_path / "b.box") == dumped(path)


async def test_what_has_a_field_of_another_type_is_heard_as_it_is_in_the_record(tmp_path: Path) -> None:
    """E-11: an answer counts as lost, and a container as none."""
    path, record = tmp_path / "a.box", tmp_path / "a.record"
    server = SmallServer()
    wrong = [Unchanged(seq=0, at="now")]  # type: ignore[arg-type]

    def answer(request: Any) -> Any:
        return wrong.pop() if wrong and isinstance(request, GetChanges) else server.answer(request)

    cable = Cable(answer)
    with open_box(path, durability="relaxed") as box:
        async with Engine(box, PROTOCOL, cable, record=record) as engine:
            await engine.flush()
            cable.push(Done(rev="1", count=1))  # type: ignore[arg-type]
            cable.push(server.rename("one"))
            await cable.said()
            await engine.flush()

    replayed(record, tmp_path / "b.box")

    entries = read_record(record).entries
    assert [it.value for it in entries if isinstance(it, Broke)] == [
        "no answer of the schema: Unchanged(seq=0, at='now')"
    ]
    assert [it.text for it in entries if isinstance(it, Mumbled)] == ["Done(rev='1', count=1)"]
    assert dumped(tmp_path / "b.box") == dumped(path)


async def test_a_record_that_was_torn_is_read_up_to_there_and_goes_on_from_there(tmp_path: Path) -> None:
    path, record = await small_session(tmp_path)
    whole = record.read_bytes()
    before = read_record(record)
    for cut in (1, 7, 9, 12):
        record.write_bytes(whole[:-cut])
        torn = read_record(record)
        assert torn.entries == before.entries[: len(torn.entries)]
        assert len(before.entries) - len(torn.entries) <= 2
        assert torn.torn
    with open_box(path, durability="relaxed") as box:
        await follow(box, Cable(SmallServer().answer), record)

    after = read_record(record)

    assert not after.torn
    assert after.entries[: len(torn.entries)] == torn.entries
    assert len(after.entries) > len(torn.entries)


async def test_damage_amid_a_record_is_an_error_and_never_a_shorter_record(tmp_path: Path) -> None:
    _, record = await small_session(tmp_path)
    data = bytearray(record.read_bytes())
    data[data.index(b"hello")] ^= 1
    record.write_bytes(data)

    with pytest.raises(DataError, match="the entry at byte"):
        read_record(record)


def test_a_record_of_another_box_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "a.record"
    RecordWriter(path, Header("other", "1234")).close()

    with pytest.raises(UsageError, match="is a record of other, layout 1234"):
        RecordWriter(path, HEADER)


@pytest.mark.parametrize("data", [b"", b"something else", b"pillarbox record 9\n"])
def test_a_file_that_is_no_record_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.record"
    path.write_bytes(data)

    with pytest.raises(UsageError, match="is no record of a session"):
        read_record(path)
    with pytest.raises(UsageError, match="name a file"):
        read_record(tmp_path / "none")


def test_who_would_wait_for_a_writer_of_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.record")

    with pytest.raises(UsageError, match="is no regular file"):
        read_record(tmp_path / "a.record")


async def test_a_record_is_replayed_with_its_own_package_alone(tmp_path: Path) -> None:
    _, record = await small_session(tmp_path)
    read = read_record(record)._replace(header=Header("tracker", "beef"))

    with open_box(tmp_path / "b.box") as box, pytest.raises(UsageError, match="layout beef"):
        replay_record(read, box, PROTOCOL)


async def test_a_replay_into_another_box_says_where_it_cannot_go_on(tmp_path: Path) -> None:
    path, record = await small_session(tmp_path)
    shutil.copy(path, tmp_path / "b.box")

    with pytest.raises(ReplayDiverged, match=r"entry \d+ of the record"):
        replayed(record, tmp_path / "b.box")


async def test_a_replay_that_asks_something_else_says_so(tmp_path: Path) -> None:
    _, record = await small_session(tmp_path)
    read = read_record(record)
    number, sent = next((n, it) for n, it in enumerate(read.entries, 1) if isinstance(it, Sent))
    other = encode_request(GetChanges(since=7, seq=7))
    entries = tuple(replace(it, request=other) if it is sent else it for it in read.entries)

    with open_box(tmp_path / "b.box") as box, pytest.raises(ReplayDiverged) as caught:
        replay_record(read._replace(entries=entries), box, PROTOCOL)

    assert caught.value.entry == number
    assert caught.value.reason == "GetChanges(since=7, seq=7) was asked, and now it is GetStanding()"


async def test_work_of_the_program_is_counted_as_left_out(tmp_path: Path) -> None:
    path, record = tmp_path / "a.box", tmp_path / "a.record"
    with open_box(path, durability="relaxed") as box:
        async with Engine(box, PROTOCOL, Cable(SmallServer().answer), record=record) as engine:
            await engine.run_custom(lambda tx: tx.projects.put(Projects(PROJECT, "mine", "m", UserId(1))))

    assert replayed(record, tmp_path / "b.box").left_out == 1
    with open_box(tmp_path / "b.box") as box, box.reading() as tables:
        assert tables.projects.get(PROJECT) is None


async def test_what_others_write_is_marked_in_the_record(tmp_path: Path) -> None:
    """The program, at any time: its own commits are not the engine's; and another process."""
    path, record = tmp_path / "a.box", tmp_path / "a.record"
    server = SmallServer()
    cable = Cable(server.answer)

    def mine(name: str) -> PutProjects:
        return PutProjects(projects=(Projects(ProjectId(9), name, "m", UserId(1)),))

    with open_box(path, durability="relaxed") as box, open_box(path, durability="relaxed") as other:
        box.replay([mine("before it began")])
        async with Engine(box, PROTOCOL, cable, record=record) as engine:
            await engine.flush()
            box.replay([mine("one")])
            box.replay([mine("one")])  # which changes nothing
            cable.push(server.rename("told"))
            await engine.flush()
            other.replay([mine("two")])
            cable.push(server.rename("told again"))
            await engine.flush()
            box.replay([mine("three")])

    read = read_record(record)
    places = [number for number, it in enumerate(read.entries, 1) if isinstance(it, Beside)]
    assert [read.entries[place - 1] for place in places] == [Beside(1), Beside(1), Beside(1)]
    done = replayed(record, tmp_path / "b.box")
    assert (done.beside, done.first_beside) == (3, places[0])
    said = [number for number, it in enumerate(read.entries, 1) if isinstance(it, Said)]
    assert places[0] <= said[0] < places[1] < places[2]


async def test_what_the_program_handed_over_is_in_the_record(tmp_path: Path) -> None:
    """G-19, E-11."""
    path, record = tmp_path / "a.box", tmp_path / "a.record"
    server = SmallServer()
    with open_box(path, durability="relaxed") as box:
        async with Engine(box, PROTOCOL, Cable(server.answer), record=record) as engine:
            await engine.flush()
            server.rename("own")
            own = PutProjects(projects=(Projects(PROJECT, "own", "p5", UserId(1)),))
            await engine.did(Done(rev=1, count=1), [own])
            await engine.flush()

    done = replayed(record, tmp_path / "b.box")

    assert (done.left_out, done.beside) == (0, 0)
    assert dumped(tmp_path / "b.box") == dumped(path)


async def test_a_session_in_which_nobody_else_writes_is_not_marked(tmp_path: Path) -> None:
    _, record = await small_session(tmp_path)

    assert replayed(record, tmp_path / "b.box").beside == 0


def test_a_disk_that_is_full_ends_the_record_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(tmp_path / "a.record", PACKAGE, PROTOCOL, Limits())
    recorder.heard(Started(1, 2))

    def full(writer: RecordWriter, entry: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(RecordWriter, "write", full)
        recorder.heard(Received(3, "x"))
    recorder.heard(Received(4, "y"))
    recorder.close()

    assert "the record of this session ends here" in caplog.text
    assert len(read_record(tmp_path / "a.record").entries) == 1


def test_nothing_is_written_behind_an_entry_that_was_torn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = [0]
    recorder = Recorder(tmp_path / "a.record", PACKAGE, PROTOCOL, Limits(), lambda: commits[0])
    written: list[Any] = []

    def tears(writer: RecordWriter, entry: Any) -> None:
        commits[0] += 1  # somebody else, meanwhile
        written.append(entry)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(RecordWriter, "write", tears)
    recorder.heard(Started(1, 2))
    recorder.close()

    assert len(written) == 1


def test_holes_come_out_of_a_record_as_they_went_in() -> None:
    holes = frozenset(
        {
            Hole("comments", "comment_holes", (1, 2), 9, 4, 50),
            Hole("comments", "comment_holes", (1, 3), 7, None),
            Hole(None, "marks", (), (1, b"k", "t"), ()),
        }
    )

    assert holes_of_bytes(holes_as_bytes(holes)) == holes


@pytest.mark.parametrize("entry", [Said(5, b"\x00\x01"), Tick(5, "queue", 1)])
def test_entries_are_read_as_they_were_written(tmp_path: Path, entry: Any) -> None:
    writer = RecordWriter(tmp_path / "a.record", HEADER)
    writer.write(entry)
    writer.close()

    assert read_record(tmp_path / "a.record") == (HEADER, (entry,), 0)
