"""The small examples do what they say. ReactiveX runs where it is installed; its adapter is tried alone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from examples import async_for, behind_reactivex, over_tcp
from examples.chats import ADA, said
from tests.waiting import SECONDS_MAX

from pillarbox.views import Emission, Subscription, deliver
from pillarbox_messenger import open_box
from pillarbox_messenger.items import LastMessage
from pillarbox_messenger.types import Message

ROOT = Path(__file__).resolve().parents[2]


def test_loops_follow_what_a_task_beside_them_writes() -> None:
    lines: list[str] = []

    asyncio.run(asyncio.wait_for(async_for.main(lines.append), SECONDS_MAX))

    assert [line for line in lines if line.startswith("history")] == [
        "history, initial: []",
        "history, generic: ['It rains in.']",
        "history, generic: ['It rains in.', 'Bye.']",
    ]
    assert [line for line in lines if line.startswith("last")] == [
        "last: nothing",
        "last: It rains in.",
        "last: Bye.",
    ]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_what_is_cut_on_its_way_comes_and_is_done_once(
    backend: str, caplog: pytest.LogCaptureFixture
) -> None:
    lines: list[str] = []

    async def session() -> None:
        with anyio.fail_after(SECONDS_MAX):
            await over_tcp.main(lines.append)

    anyio.run(session, backend=backend)

    assert lines == [
        "House: nothing was said",
        "House with a leak: nothing was said",
        "House with a leak: It rains in.",
        "asked for it 2 times, done 1 time",
    ]
    assert "Traceback" not in caplog.text


class Recorder:
    """An observer that writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def on_next(self, value: Emission[Message | None]) -> None:
        self.told.append(value.snapshot.text if value.snapshot else "nothing")

    def on_error(self, error: Exception) -> None:
        self.told.append(f"error: {error}")

    def on_completed(self) -> None:
        self.told.append("completed")


def test_an_observer_is_told_of_emissions_and_of_the_end() -> None:
    observer = Recorder()

    with open_box(":memory:") as box:
        behind_reactivex.attach(box.data.watch(LastMessage(ADA)), observer)
        box.replay([said(1, "It rains in.")])

    assert observer.told == ["nothing", "It rains in.", "completed"]


def test_an_observer_is_told_of_the_error_that_ends_a_view() -> None:
    observer = Recorder()

    with open_box(":memory:") as box:
        watched: Subscription[Message | None] = box.data.watch(LastMessage(ADA))
        behind_reactivex.attach(watched, observer)
        deliver([(watched, ValueError("a row is damaged"))])

    assert observer.told == ["nothing", "error: a row is damaged"]


def test_who_has_stopped_hears_nothing_and_keeps_no_view_alive() -> None:
    observer = Recorder()

    with open_box(":memory:") as box:
        watched = box.data.watch(LastMessage(ADA))
        behind_reactivex.attach(watched, observer)()
        box.replay([said(1, "It rains in.")])

        assert watched.closed
    assert observer.told == ["nothing", "completed"]


def test_without_reactivex_the_example_says_what_to_install() -> None:
    hidden = (
        "import sys; sys.modules['reactivex'] = None; "
        "from examples import behind_reactivex; sys.exit(behind_reactivex.main())"
    )

    done = subprocess.run(
        [sys.executable, "-c", hidden],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert "run `pip install reactivex`" in done.stderr


def test_behind_reactivex_operators_see_the_emissions() -> None:
    pytest.importorskip("reactivex", reason="an example for those who have reactivex")
    lines: list[str] = []

    assert behind_reactivex.main(lines.append) == 0

    assert lines == ["0 -> 1", "last: It rains in.", "1 -> 2", "end"]
