"""What cannot be shown, or is no text of a file, ends no engine and no record, whoever sends it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.unit.sync_driver.engines import name
from tests.unit.sync_driver.scripted import Unshown
from tests.unit.sync_driver.small_server import Cable, SmallServer
from tests.unit.sync_driver.test_recording import dumped, replayed
from tests.waiting import SECONDS_MAX, until

from pillarbox.sync import Engine, Refused, SessionChanged, SessionLost, Transient
from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.record_entries import RecordWriter
from pillarbox_tracker import Box
from pillarbox_tracker.containers import Done
from pillarbox_tracker.protocol import PROTOCOL

pytestmark = pytest.mark.anyio
QUICK = DriverLimits(listen_ms=(10, 10))


class Mute(Exception):
    """Says nothing, and fails at that."""

    def __str__(self) -> str:
        raise RuntimeError("no")


class MuteCut(OSError):
    """As a connection raises it."""

    __str__ = Mute.__str__


class OwnSession(SessionChanged):
    """One of an adapter that adds what it needs itself."""


class OwnLost(SessionLost):
    """Such a failure."""


def raising(error: Exception) -> Callable[[], Any]:
    def work() -> Any:
        raise error

    return work


ANSWERS: dict[str, Callable[[], Any]] = {
    "mute": raising(Mute()),
    "mute connection": raising(MuteCut()),
    "a name of a file that is no text": raising(OSError("no \udcff")),
    "half a character": lambda: Refused("\ud800"),
    "half a character to try again": lambda: Transient("\ud800"),
    "nothing to show": Unshown,
    "a failure of its own": OwnLost,
}


async def followed(box: Box, server: SmallServer, cable: Any, record: Path, then: Any = None) -> None:
    with anyio.fail_after(SECONDS_MAX):
        async with Engine(box, PROTOCOL, cable, record=record, driver_limits=QUICK) as engine:
            await until(lambda: bool(cable.asked) and not engine.updating)
            if then is not None:
                await then(engine)
            cable.push(server.rename("last"))
            await until(lambda: name(box) == "last")


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
async def test_odd_answers_are_asked_again_and_stand_in_the_record(
    box: Box, path: Path, tmp_path: Path, server: SmallServer, answer: Callable[[], Any]
) -> None:
    odd = [answer]
    cable = Cable(lambda request: odd.pop()() if odd else server.answer(request))
    await followed(box, server, cable, tmp_path / "a.record")
    assert not odd
    replayed(tmp_path / "a.record", tmp_path / "b.box")
    assert dumped(tmp_path / "b.box") == dumped(path)


@pytest.mark.parametrize("said", [Unshown(), OwnSession()], ids=["nothing to show", "a session of its own"])
async def test_odd_things_that_are_said_stand_in_the_record(
    box: Box, path: Path, tmp_path: Path, server: SmallServer, said: Any
) -> None:
    cable = Cable(server.answer)
    cable.push(said)
    await followed(box, server, cable, tmp_path / "a.record")
    replayed(tmp_path / "a.record", tmp_path / "b.box")
    assert dumped(tmp_path / "b.box") == dumped(path)


@pytest.mark.parametrize("error", [Mute, MuteCut])
async def test_listening_that_fails_without_a_word_begins_anew(
    box: Box, tmp_path: Path, server: SmallServer, error: type[Exception]
) -> None:
    class Failing(Cable):
        fails = True

        def listen(self) -> AsyncIterator[Any]:
            if self.fails:
                self.fails = False
                raise error
            return super().listen()

    await followed(box, server, Failing(server.answer), tmp_path / "a.record")


@pytest.mark.parametrize("work", [raising(Mute())], ids=["mute"])
async def test_work_of_the_program_fails_with_its_own_error(
    box: Box, tmp_path: Path, server: SmallServer, work: Callable[[], Any]
) -> None:
    async def fail(engine: Any) -> None:
        with pytest.raises((Mute, ValueError)):
            await engine.run_custom(lambda tx: work())

    await followed(box, server, Cable(server.answer), tmp_path / "a.record", fail)


async def test_what_a_program_did_and_cannot_be_written_down_is_told(
    box: Box, tmp_path: Path, server: SmallServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def do(engine: Any) -> None:
        await engine.did(Done(rev=1, count=1), [Unshown()])

    await followed(box, server, Cable(server.answer), tmp_path / "a.record", do)
    assert "what the program did is not recorded, nor done" in caplog.text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such disk")
async def test_a_disk_that_is_full_from_the_beginning_hinders_no_engine(
    box: Box, server: SmallServer, caplog: pytest.LogCaptureFixture
) -> None:
    await followed(box, server, Cable(server.answer), Path("/dev/full"))
    assert "this session is not recorded: [Errno 28]" in caplog.text


async def test_a_disk_that_takes_no_end_of_a_record_is_told(
    box: Box, tmp_path: Path, server: SmallServer, caplog: pytest.LogCaptureFixture
) -> None:
    close = RecordWriter.close

    def closed(writer: RecordWriter) -> None:
        close(writer)
        raise OSError(5, "the disk is gone")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RecordWriter, "close", closed)
        await followed(box, server, Cable(server.answer), tmp_path / "a.record")
    assert "the record of this session may lack its end: [Errno 5]" in caplog.text
