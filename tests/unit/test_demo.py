"""What `make run` shows, over an archive of a few conversations."""

from __future__ import annotations

import io
import json
from pathlib import Path

import msgspec
import pytest
from examples import demo
from examples.chitchat import installed_archive, rows
from rich.console import Console

from pillarbox_messenger import open_box
from pillarbox_messenger.sources import ChitchatRow


def utterance(text: str, sender: str, at: str) -> dict[str, str]:
    return {"text": text, "sender": sender, "timestamp": at}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Three conversations, the second in two turns and the longest."""
    first = [[utterance("hello", "u-ada", "2018-05-02T10:00:00Z")]]
    second = [
        [
            utterance("[bold]hi", "u-bo", "2018-05-02T09:00:00Z"),
            utterance("", "u-bo", "2018-05-02T09:00:01Z"),
        ],
        [utterance("who is there?", "u-ada", "2018-05-02T09:00:05Z")],
    ]
    third = [[utterance("later", "u-cy", "2018-05-03T00:00:00Z")]]
    conversations = {"c-1": first, "c-2": second, "c-3": third}
    path = tmp_path / "dataset.json"
    path.write_text(
        json.dumps(
            {key: {"start": "?", "prompt": "?", "messages": turns} for key, turns in conversations.items()}
        )
    )
    return path


def test_conversations_and_senders_are_numbered_as_they_appear(archive: Path) -> None:
    assert list(rows(archive)) == [
        ChitchatRow(1, 1, 1, 1525255200, "hello"),
        ChitchatRow(2, 2, 1, 1525251600, "[bold]hi"),
        ChitchatRow(2, 2, 2, 1525251601, ""),
        ChitchatRow(2, 1, 3, 1525251605, "who is there?"),
        ChitchatRow(3, 3, 1, 1525305600, "later"),
    ]


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text('{"c-1": {"messages": [["hello"]]}}')

    with pytest.raises(msgspec.ValidationError, match="Expected `object`, got `str`"):
        list(rows(path))


def test_the_installed_archive_is_found() -> None:
    assert installed_archive().read_bytes()[:2] == b'{"'


def test_the_demo_loads_shows_and_watches_and_does_so_again(tmp_path: Path, archive: Path) -> None:
    box = tmp_path / "build" / "demo.box"
    for _ in range(2):
        page = io.StringIO()
        demo.main(box, archive, Console(file=page, width=100))

    shown = page.getvalue()
    assert "5 messages of 3 conversations, 1,000 in a transaction" in shown
    assert shown.index("later") < shown.index("hello") < shown.index("who is there?")
    assert "Newest messages of Conversation 2, the longest" in shown
    assert "Participant 2 │ [bold]hi" in shown
    assert "2,000 │ emissions: each affected view once" in shown
    assert "2.0 │ views left alone by a commit, on average" in shown
    with open_box(box) as opened, opened.reading() as tables:
        assert len(tables.message.all()) == 5 + demo.INCOMING


def test_the_demo_ends_with_an_error_when_a_view_emits_without_need() -> None:
    live = demo.Live(views=3, affected=1, emissions=2, waits=[0.001])

    with pytest.raises(SystemExit, match="1 emissions were due, 2 came"):
        demo.show_live(live, Console(file=io.StringIO()))
