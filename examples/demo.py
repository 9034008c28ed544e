"""What `make run` shows: a real archive read in and looked at through views, live views, a session.

    python -m examples.demo [BOX]        BOX is build/demo.box by default, and is written anew each time

Depends on: the generated `pillarbox_messenger` and its job `chitchat`, rich.  Never on: terminals, networks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from textwrap import shorten
from time import perf_counter
from typing import Any, Final, Literal

from examples.session import run_session
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pillarbox.cli import end_with
from pillarbox.sync import Clock
from pillarbox.views import Emission, ViewKey
from pillarbox_messenger import Box, open_box
from pillarbox_messenger.jobs.chitchat import JOB
from pillarbox_messenger.operations import AddMessages
from pillarbox_messenger.types import Message, MessageNamespace, PeerId
from pillarbox_messenger.views import ChatList, History, Latest, Peer
from pillarbox_spark.engines import SILENT, Progress
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.progress import progress_on
from pillarbox_spark.sources.chitchat import installed_archive

BOX: Final = Path("build/demo.box")
#: About how much of the archive makes one shard: a few of them, so that all cores have something to do.
SHARD_BYTES: Final = 6 << 20
#: Messages that come in one by one while views watch.
INCOMING: Final = 1_000
#: Views that watch: the chat list, the histories of the longest chats, the profiles of the next ones.
HISTORIES, PROFILES = 100, 99
#: The incoming messages go to this many of the longest chats, so some land where nobody watches.
BUSY_CHATS: Final = 300
#: Their ids are above this one, and so above all of the archive's.
FIRST_ID: Final = 1_000_000
#: What they say is what was said last in the longest chat.
TEXTS: Final = 1_000
#: Rows of the two tables, and characters of a text in the first.
CHATS_SHOWN, MESSAGES_SHOWN, TEXT_SHOWN = 10, 12, 40


def main() -> int:
    """The demo on the real archive, by Spark."""
    box = Path(sys.argv[1]) if len(sys.argv) > 1 else BOX
    run_demo(box, installed_archive(), Console(), "spark", progress_on())
    return 0


def run_demo(
    path: Path,
    source: Path,
    console: Console,
    engine: Literal["spark", "inline"],
    progress: Progress = SILENT,
    clock: Clock | None = None,
) -> None:
    """Ingest, show, watch, follow a server by `clock`."""
    ingest(path, source, console, engine, progress)
    with open_box(path, durability="relaxed") as box:
        chats = longest_chats(box)
        show_chats(box, console)
        show_history(box, chats[0], console)
        show_live(watch_incoming(box, chats), console)
        run_session(box, chats[0], chats[1], FIRST_ID + INCOMING + 1, console, clock)


def ingest(
    path: Path, source: Path, console: Console, engine: Literal["spark", "inline"], progress: Progress
) -> None:
    """Run the generated job on the archive: its shards go into a folder beside the box, and into the box."""
    path.parent.mkdir(parents=True, exist_ok=True)
    options = Options(engine=engine, into=path, replace=True, shard_bytes=SHARD_BYTES)
    report = run(JOB, [source], path.with_suffix(".parts"), options, progress=progress)
    console.print(report.to_text(), markup=False, highlight=False, soft_wrap=True)


def longest_chats(box: Box) -> list[PeerId]:
    """Chats by their number of messages, the longest first."""
    with box.reading() as tables:
        counts = [row for row in tables.tag_counts.all() if row.tag == 0]
    return [row.peer_id for row in sorted(counts, key=lambda row: (-row.count, row.peer_id))]


# ------------------------------------------------------------------------------------------------- tables


def show_chats(box: Box, console: Console) -> None:
    """The chats written to last."""
    snapshot = box.get(ChatList(CHATS_SHOWN))
    table = Table(title="Chat list", title_justify="left")
    table.add_column("Last message", no_wrap=True)
    table.add_column("Chat", no_wrap=True)
    table.add_column("From", no_wrap=True)
    table.add_column("Text")
    for chat in snapshot.chats:
        author = "" if chat.author_id is None else snapshot.authors[chat.author_id].name
        text = Text(shorten(snapshot.tops[chat.peer_id].text, TEXT_SHOWN), no_wrap=True, overflow="ellipsis")
        table.add_row(moment(chat.timestamp), snapshot.peers[chat.peer_id].name, author, text)
    console.print(table)


def show_history(box: Box, chat: PeerId, console: Console) -> None:
    """The end of one chat."""
    snapshot = box.get(History(chat))
    assert snapshot.peer is not None
    shown = snapshot.messages.entries[-MESSAGES_SHOWN:]
    table = Table(title=f"Newest messages of {snapshot.peer.name}, the longest", title_justify="left")
    table.add_column("Sent", no_wrap=True)
    table.add_column("From", no_wrap=True)
    table.add_column("Text")
    for message in shown:
        author = "" if message.author_id is None else snapshot.authors[message.author_id].name
        table.add_row(moment(message.timestamp), author, Text(message.text))
    console.print(table)


def moment(timestamp: int) -> str:
    """Seconds since 1970 as a date and time."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d %H:%M")


# --------------------------------------------------------------------------------------------------- live


@dataclass(slots=True)
class Receiver:
    """Counts emissions and notes when the last one was handed over."""

    emissions: int = 0
    delivered_at: float = 0.0

    def __call__(self, emission: Emission[Any]) -> None:
        self.emissions += 1
        self.delivered_at = perf_counter()


@dataclass(slots=True)
class Live:
    """What came of commits under watching views."""

    views: int
    #: Emissions that had to come: one for each view that shows the chat of a message.
    affected: int = 0
    emissions: int = 0
    #: Per commit, from its start to the last snapshot handed over, in seconds.
    waits: list[float] = field(default_factory=list)


def watch_incoming(box: Box, chats: list[PeerId]) -> Live:
    """Commit messages one by one while views watch."""
    histories, profiles = chats[:HISTORIES], chats[HISTORIES : HISTORIES + PROFILES]
    keys: list[ViewKey[Any]] = [ChatList(CHATS_SHOWN), *map(History, histories), *map(Peer, profiles)]
    watched = {*histories, *profiles}
    live, receiver = Live(views=len(keys)), Receiver()
    messages = list(incoming(box, chats))
    with ExitStack() as subscriptions:
        for key in keys:
            subscriptions.enter_context(box.watch(key)).listen(receiver)
        receiver.emissions = 0
        for message in messages:
            began = perf_counter()
            box.replay([AddMessages((message,))])
            live.waits.append(receiver.delivered_at - began)
            live.affected += 2 if message.peer_id in watched else 1
    live.emissions = receiver.emissions
    return live


def incoming(box: Box, chats: list[PeerId]) -> Iterator[Message]:
    """Messages as they might go on: by those who wrote last, in their chats, with words of the longest."""
    busy = chats[:BUSY_CHATS]
    last = {chat: box.get(Latest(chat, MessageNamespace.CLOUD, 1)).messages[0] for chat in busy}
    said = box.get(Latest(chats[0], MessageNamespace.CLOUD, TEXTS)).messages
    now = box.get(ChatList(1)).chats[0].timestamp
    chance = Random(1)
    for second in range(1, INCOMING + 1):
        before = last[chance.choice(busy)]
        text = chance.choice(said).text
        message = replace(before, id=FIRST_ID + second, timestamp=now + second, stable_id=0, text=text)
        last[message.peer_id] = message
        yield message


def show_live(live: Live, console: Console) -> None:
    """The figures. Ends with an error if any view emitted without need, or did not."""
    commits, waits = len(live.waits), sorted(live.waits)
    table = Table(title="Live", title_justify="left", show_header=False)
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    for figure, what in (
        (f"{commits:,}", f"messages committed one by one, {live.views:,} views watching"),
        (f"{live.emissions:,}", "emissions: each affected view once"),
        (f"{live.views - live.emissions / commits:.1f}", "views left alone by a commit, on average"),
        (f"{waits[commits // 2] * 1e3:.2f} ms", "p50 from the start of the commit to the last snapshot"),
        (f"{waits[commits * 99 // 100] * 1e3:.2f} ms", "p99"),
    ):
        table.add_row(figure, what)
    console.print(table)
    if live.emissions != live.affected:
        sys.exit(f"demo: {live.affected:,} emissions were due, {live.emissions:,} came")


if __name__ == "__main__":
    end_with(main)
