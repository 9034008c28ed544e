"""What `make run` shows, over an archive of a few conversations."""

from __future__ import annotations

import io
import json
import re
from bisect import insort
from itertools import count
from pathlib import Path

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from examples import demo, session
from rich.console import Console

from pillarbox_messenger import open_box

ADA, BO, CY = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "abc")
FIRST, SECOND, THIRD = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "123")


class Eager:
    """Goes on when everybody waits: the same session, however slow the machine is."""

    def __init__(self) -> None:
        self._now = 1_700_000_000_000
        self._count = count()
        #: When who sleeps is due, the next one first.
        self._due: list[tuple[int, int]] = []
        self._moved = anyio.Event()

    def now(self) -> int:
        """As `Clock.now`."""
        return self._now

    async def sleep(self, milliseconds: int, /) -> None:
        """As `Clock.sleep`."""
        mine = (self._now + milliseconds, next(self._count))
        insort(self._due, mine)
        try:
            while True:
                if self._due[0] != mine:
                    await self._moved.wait()
                    continue
                await wait_all_tasks_blocked()
                if self._due[0] == mine:
                    self._now = mine[0]
                    return
        finally:
            self._due.remove(mine)
            moved, self._moved = self._moved, anyio.Event()
            moved.set()


def utterance(text: str, sender: str, at: str) -> dict[str, str]:
    return {"text": text, "sender": sender, "timestamp": at}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Three conversations, the second in two turns and the longest."""
    conversations = {
        FIRST: [[utterance("hello", ADA, "2018-05-02T10:00:00Z")]],
        SECOND: [
            [utterance("[bold]hi", BO, "2018-05-02T09:00:00Z"), utterance("", BO, "2018-05-02T09:00:01Z")],
            [utterance("who is there?", ADA, "2018-05-02T09:00:05Z")],
        ],
        THIRD: [[utterance("later", CY, "2018-05-03T00:00:00Z")]],
    }
    path = tmp_path / "dataset.json"
    path.write_text(
        json.dumps(
            {key: {"start": "?", "prompt": "?", "messages": turns} for key, turns in conversations.items()}
        )
    )
    return path


def test_the_demo_ingests_shows_and_watches_and_does_so_again(tmp_path: Path, archive: Path) -> None:
    box = tmp_path / "build" / "demo.box"
    for _ in range(2):
        page = io.StringIO()
        demo.run_demo(box, archive, Console(file=page, width=100), "inline", clock=Eager())

    shown = page.getvalue()
    assert shown.startswith("messenger.chitchat  ")
    assert re.search(r"^written +5$", shown, re.MULTILINE)
    assert shown.index("later") < shown.index("hello") < shown.index("who is there?")
    assert "Newest messages of Conversation 222222, the longest" in shown
    assert "Participant bbbbbb │ [bold]hi" in shown
    assert "2,000 │ emissions: each affected view once" in shown
    assert "2.0 │ views left alone by a commit, on average" in shown
    with open_box(box) as opened, opened.reading() as tables:
        in_session, page_of_channel = 12, 2 * session.SHOWN
        assert len(tables.message.all()) >= 5 + demo.INCOMING + in_session + page_of_channel


def test_the_demo_shows_a_session_with_each_kind_of_trouble(tmp_path: Path, archive: Path) -> None:
    page = io.StringIO()
    demo.run_demo(tmp_path / "demo.box", archive, Console(file=page, width=100), "inline", clock=Eager())

    said = page.getvalue()
    late = said.index("what was held up arrives")
    lost = said.index("8 messages get lost")
    assert "GetDifference" not in said[late:lost], "what came late needs no question"
    for asked in (
        "GetDifference(from 3): DifferenceSlice of 4",
        "GetDifference(from 7): DifferenceSlice of 4",
        "GetDifference(from 11): Difference of 1",
        "GetChannelDifference(from 1): ChannelDifferenceTooLong",
        "view    channel: fill_hole",
        "GetChannelDifference(from 701): ChannelDifference of 2",
        "Nothing is missing, nothing came twice.",
    ):
        assert asked in said


def test_the_demo_ends_with_an_error_when_a_view_emits_without_need() -> None:
    live = demo.Live(views=3, affected=1, emissions=2, waits=[0.001])

    with pytest.raises(SystemExit, match="1 emissions were due, 2 came"):
        demo.show_live(live, Console(file=io.StringIO()))
