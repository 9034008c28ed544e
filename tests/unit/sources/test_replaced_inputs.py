"""An input that is no file any more when it is read is told; nobody waits for who writes into a pipe."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.unit.sources.reading import fields, index

from pillarbox.errors import DataError
from pillarbox_messenger.sources import TelegramExportRow
from pillarbox_spark.adapters import Adapter, Piece, resolve
from pillarbox_spark.sources import chitchat, news, telegram_export

POST = b'{"message_id": 1, "sender_id": -1001234567890, "text": "", "date": "2024-01-01T00:00:00Z"}\n'
EXPORT = {"type": "private_group", "id": 42, "messages": [{"id": 1, "type": "message", "date_unixtime": "1"}]}
ARCHIVE = {"00000000-0000-4000-8000-000000000001": {"messages": [[{"text": "hi"}]]}}
#: How long whoever hangs is waited for; who does not is done at once.
HANGS_S = 20


def lines(path: Path, row: Callable[..., Any]) -> Iterator[Any]:
    with path.open() as file:
        yield from (row(text=line) for line in file)


INPUTS: dict[str, tuple[Adapter, str, bytes]] = {
    "telegram": (telegram_export.ADAPTER, "result.json", json.dumps(EXPORT).encode()),
    "chitchat": (chitchat.ADAPTER, "dataset.json", json.dumps(ARCHIVE).encode()),
    "news": (news.ADAPTER, "posts.ndjson", POST),
    "packed news": (news.ADAPTER, "posts.ndjson.gz", gzip.compress(POST)),
    "a function": (resolve(f"{__name__}:lines"), "lines.txt", b"one\ntwo\n"),
}
STEPS = [(name, step) for name in INPUTS for step in ("index", "read", "raws")]
STEPS.remove(("a function", "raws"))  # of which it reads nothing


def in_time(act: Callable[[], object], pipe: Path) -> object:
    """What comes of `act`; where it hangs at a pipe, it is let go, and that is told."""
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(act)
        try:
            return done.result(HANGS_S)
        except TimeoutError:
            while not done.done():
                with suppress(OSError):  # nobody opens it just now
                    os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
            pytest.fail("it hangs")


@pytest.mark.parametrize("kind", ["pipe", "folder"])
@pytest.mark.parametrize(("name", "step"), STEPS)
def test_an_input_that_is_no_file_any_more_is_told(name: str, step: str, kind: str, tmp_path: Path) -> None:
    adapter, file, data = INPUTS[name]
    path = tmp_path / file
    path.write_bytes(data)
    (piece, *_), _ = index(adapter, path)
    path.unlink()
    os.mkfifo(path) if kind == "pipe" else path.mkdir()

    steps: dict[str, Callable[[Piece], Iterator[Any]]] = {
        "index": lambda piece: adapter.index(0, path, 1 << 30),
        "read": lambda piece: adapter.read(path, piece, TelegramExportRow if name == "telegram" else fields),
        "raws": lambda piece: adapter.raws(path, piece),
    }

    with pytest.raises(DataError, match=rf"{file} is a {kind} .*; put the file back, and run again"):
        in_time(lambda: list(steps[step](piece)), path)
