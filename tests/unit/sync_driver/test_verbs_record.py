"""`pillarbox record` and `pillarbox replay`: what they do, what they print, how they end."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest
from tests.unit.sync_driver.small_server import PROJECT, SmallServer
from tests.unit.sync_driver.test_recording import dumped

from pillarbox.cli import main
from pillarbox_tracker import open_box
from pillarbox_tracker.requests import ConfirmKept


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process."""

    def run(*arguments: object) -> Done:
        with pytest.raises(SystemExit) as ended:
            main([str(it) for it in arguments])
        return Done(int(str(ended.value.code)), *capsys.readouterr())

    return run


class Told:
    """A connection over which two things are said."""

    def __init__(self) -> None:
        self._server = SmallServer()
        #: Set when the box has both, and the server hears of it.
        self.kept = anyio.Event()

    async def send(self, request: Any, /) -> Any:
        """As `Transport.send`."""
        if isinstance(request, ConfirmKept) and request.rev == 2:
            self.kept.set()
        return self._server.answer(request)

    async def listen(self) -> AsyncIterator[Any]:
        """As `Transport.listen`."""
        yield self._server.rename("one")
        yield self._server.rename("two")
        await anyio.sleep_forever()


class Ending(Told):
    """One that lets `--seconds` be over when both are kept: how long that takes is nobody's business."""

    scope: anyio.CancelScope

    async def send(self, request: Any, /) -> Any:
        """As `Transport.send`."""
        answer = await super().send(request)
        if self.kept.is_set():
            self.scope.cancel()
        return answer


@pytest.fixture
def recorded(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record, and the box beside it, made by the command line."""
    by_the_clock = anyio.move_on_after

    def move_on_after(seconds: float | None, shield: bool = False) -> anyio.CancelScope:
        if seconds != 0.4:
            return by_the_clock(seconds, shield)
        Ending.scope = anyio.CancelScope()
        return Ending.scope

    monkeypatch.setattr(anyio, "move_on_after", move_on_after)
    monkeypatch.setattr(sys.modules[__name__], "transport", Ending, raising=False)
    monkeypatch.setitem(sys.modules, "told_here", sys.modules[__name__])
    path = tmp_path / "a.record"
    options = ["--package", "pillarbox_tracker", "--transport", "told_here:transport", "--seconds", "0.4"]
    assert run("record", "run", path, "--into", tmp_path / "a.box", *options) == (0, "", "")
    return path


def test_a_session_is_recorded_shown_and_replayed(recorded: Path, tmp_path: Path, run: Run) -> None:
    shown = run("record", "show", recorded)
    done = run("replay", recorded, "--into", tmp_path / "b.box")

    assert shown.code == 0
    first, *lines = shown.out.splitlines()
    assert first.startswith("tracker, layout ")
    assert first.endswith(f"{len(lines):,} entries")
    words = [line[10:].split()[0] for line in lines]
    assert words[0] == "began"
    assert words[-1] == "ended"
    assert {"said", "sent", "answered", "stored"} <= set(words)
    assert "sent      queue" in shown.out
    assert "GetStanding()" in shown.out
    assert done.code == 0
    assert done.out.startswith(f"{tmp_path / 'b.box'}: 1 session, {len(lines):,} entries, ")
    assert dumped(tmp_path / "b.box") == dumped(tmp_path / "a.box")
    with open_box(tmp_path / "b.box") as box, box.reading() as tables:
        project = tables.projects.get(PROJECT)
    assert project is not None
    assert project.name == "two"


def test_a_torn_record_says_what_was_left_out(recorded: Path, tmp_path: Path, run: Run) -> None:
    recorded.write_bytes(recorded.read_bytes()[:-3])

    shown = run("record", "show", recorded)
    done = run("replay", recorded, "--into", tmp_path / "b.box")

    assert shown.out.splitlines()[-1].endswith("bytes at the end are no whole entry")
    assert done.out.splitlines()[-1].endswith("bytes at the end are no whole entry, and were left out")
    assert done.code == 0


def test_a_replay_that_diverges_ends_as_a_problem_of_data(recorded: Path, tmp_path: Path, run: Run) -> None:
    done = run("replay", recorded, "--into", tmp_path / "a.box")

    assert done.code == 3
    assert "of the record: " in done.err
    assert "replay it into a box as it was when the record began" in done.err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["record", "show", "none"], "none: No such file or directory"),
        (["replay", "none", "--into", "x.box"], "none: No such file or directory"),
        (
            ["record", "run", "a", "--into", "b", "--package", "pillarbox_tracker", "--transport", "nothing"],
            "--transport nothing: there is nothing to call; give it as module:name",
        ),
        (
            ["record", "run", "a", "--into", "b", "--package", "no_such", "--transport", "json:loads"],
            "there is no package 'no_such",
        ),
        (
            ["record", "run", "a", "--into", "b", "--package", "json", "--transport", "json:loads"],
            "json is no generated package",
        ),
    ],
)
def test_wrong_use_says_what_to_do(
    arguments: list[str], text: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    done = run(*arguments)

    assert done.code == 2
    assert text in done.err
    assert list(tmp_path.iterdir()) == []
