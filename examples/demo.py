"""What `make run` shows: a real archive loaded and read through views, then a thousand messages watched live.

    python -m examples.demo [BOX]        BOX is build/demo.box by default, and is written anew each time

Depends on: the generated `pillarbox_messenger`, the archive's adapter, rich.  Never on: terminals, networks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from textwrap import shorten
from time import perf_counter
from typing import Any, Final

from examples.chitchat import Archive, installed_archive, rows
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from pillarbox.views import Emission, ViewKey
from pillarbox_messenger import Box, open_box
from pillarbox_messenger.operations import Operation, UpdatePeers
from pillarbox_messenger.sources import ChitchatRow, chitchat_operations
from pillarbox_messenger.types import GroupData, PeerId, PeerNamespace, Peers, UserData, peer_id
from pillarbox_messenger.views import ChatList, History, Peer

BOX: Final = Path("build/demo.box")
#: Messages per transaction while loading.
BATCH: Final = 1_000
#: Messages that come in one by one while views watch.
INCOMING: Final = 1_000
#: Views that watch: the chat list, the histories of the longest chats, the profiles of the next ones.
HISTORIES, PROFILES = 100, 99
#: The incoming messages go to this many of the longest chats, so some land where nobody watches.
BUSY_CHATS: Final = 300
#: Rows of the two tables, and characters of a text in the first.
CHATS_SHOWN, MESSAGES_SHOWN, TEXT_SHOWN = 10, 12, 40


def main(path: Path, source: Archive, console: Console) -> None:
    """Load, show, watch."""
    archive = tuple(rows(source))
    with new_box(path) as box:
        load(box, archive, console)
        show_chats(box, console)
        show_history(box, longest_chats(archive)[0], console)
        show_live(watch_incoming(box, archive), console)


def new_box(path: Path) -> Box:
    """An empty box. Its commits survive a crash of this process, the last ones perhaps no power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        old.unlink(missing_ok=True)
    return open_box(path, durability="relaxed")


# ------------------------------------------------------------------------------------------------ loading


def load(box: Box, archive: Sequence[ChitchatRow], console: Console) -> None:
    """Put the people and chats into the box, then all messages, a thousand in each transaction."""
    box.replay([UpdatePeers(tuple(people_and_chats(archive)))])
    began = perf_counter()
    columns = (TextColumn("Loading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=len(archive))
        for start in range(0, len(archive), BATCH):
            batch = archive[start : start + BATCH]
            box.replay([operation for row in batch for operation in chitchat_operations(row)])
            progress.advance(task, len(batch))
    seconds = perf_counter() - began
    chats = len({row.conversation_id for row in archive})
    console.print(f"{len(archive):,} messages of {chats:,} conversations, {BATCH:,} in a transaction:")
    console.print(f"{seconds:.1f} s, {len(archive) / seconds:,.0f} messages a second")


def people_and_chats(archive: Sequence[ChitchatRow]) -> Iterator[Peers]:
    """A peer for each sender and each conversation; the archive knows no names."""
    for number in sorted({row.sender_id for row in archive}):
        yield Peers(
            peer_id=peer_id(PeerNamespace.USER, number), name=f"Participant {number}", data=UserData()
        )
    for number in sorted({row.conversation_id for row in archive}):
        group = GroupData(participants=2, version=0)
        yield Peers(peer_id=chat_id(number), name=f"Conversation {number}", data=group)


def chat_id(conversation_id: int) -> PeerId:
    """The chat that holds a conversation."""
    return peer_id(PeerNamespace.GROUP, conversation_id)


def longest_chats(archive: Sequence[ChitchatRow]) -> list[int]:
    """Conversations by their number of messages, the longest first."""
    sizes = {row.conversation_id: row.n for row in archive}
    return sorted(sizes, key=lambda conversation: (-sizes[conversation], conversation))


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
        text = Text(shorten(chat.text, TEXT_SHOWN))
        table.add_row(moment(chat.timestamp), snapshot.peers[chat.peer_id].name, author, text)
    console.print(table)


def show_history(box: Box, conversation: int, console: Console) -> None:
    """The end of one chat."""
    snapshot = box.get(History(chat_id(conversation)))
    shown = snapshot.messages.entries[-MESSAGES_SHOWN:]
    table = Table(title=f"Newest messages of Conversation {conversation}, the longest", title_justify="left")
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


def watch_incoming(box: Box, archive: Sequence[ChitchatRow]) -> Live:
    """Commit messages one by one while views watch."""
    chats = longest_chats(archive)
    histories, profiles = chats[:HISTORIES], chats[HISTORIES : HISTORIES + PROFILES]
    keys: list[ViewKey[Any]] = [ChatList(CHATS_SHOWN)]
    keys += [History(chat_id(chat)) for chat in histories]
    keys += [Peer(chat_id(chat)) for chat in profiles]
    watched = {*histories, *profiles}
    live, receiver = Live(views=len(keys)), Receiver()
    with ExitStack() as subscriptions:
        for key in keys:
            subscriptions.enter_context(box.watch(key)).listen(receiver)
        receiver.emissions = 0
        for row in incoming(archive):
            operations: list[Operation] = [*chitchat_operations(row)]
            began = perf_counter()
            box.replay(operations)
            live.waits.append(receiver.delivered_at - began)
            live.affected += 2 if row.conversation_id in watched else 1
    live.emissions = receiver.emissions
    return live


def incoming(archive: Sequence[ChitchatRow]) -> Iterator[ChitchatRow]:
    """Messages as they might go on: by those who wrote last, in their chats, with words of the archive."""
    last = {row.conversation_id: row for row in archive}
    busy = longest_chats(archive)[:BUSY_CHATS]
    now = max(row.timestamp for row in archive)
    chance = Random(1)
    for second in range(1, INCOMING + 1):
        before = last[chance.choice(busy)]
        row = replace(before, n=before.n + 1, timestamp=now + second, text=chance.choice(archive).text)
        last[row.conversation_id] = row
        yield row


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
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else BOX, installed_archive(), Console())
