"""A session with a simulated server, after an archive was read in: pushes, gaps, slices, channels, holes.

Depends on: the generated `pillarbox_messenger`, anyio, rich.  Never on: networks, Spark.

The server is a `Transport` of one page: it has a few chats, counts what happens in them as the service does,
and loses what it should not. The engine makes good for it; views print what changes of it.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import anyio
from msgspec.structs import replace
from rich.console import Console

from pillarbox.sync import Clock, Engine, Failure, Refused, SessionChanged
from pillarbox.sync.transport import SystemClock
from pillarbox.views import Emission, ViewKey
from pillarbox_messenger import Box
from pillarbox_messenger.answers import (
    Answer,
    ChannelDifference,
    ChannelDifferenceTooLong,
    Dialogs,
    Difference,
    DifferenceSlice,
    HistoryPage,
    State,
)
from pillarbox_messenger.containers import Container, Updates
from pillarbox_messenger.protocol import PROTOCOL
from pillarbox_messenger.requests import (
    GetChannelDifference,
    GetDifference,
    GetHistory,
    GetPeerDialogs,
    GetState,
    Request,
)
from pillarbox_messenger.types import (
    ChannelData,
    Dialog,
    Message,
    MessageNamespace,
    PeerId,
    PeerNamespace,
    Peers,
    PeerSettings,
    peer_id,
    peer_id_id,
)
from pillarbox_messenger.updates import UpdateNewChannelMessage, UpdateNewMessage
from pillarbox_messenger.views import ChatList, Latest, MessageHistory

#: The channel has so many messages, none of which the archive knows; its first ones are not asked for.
POSTS: Final = 400
#: While nobody follows it, it goes on by so many.
MISSED: Final = 300
CHANNEL: Final = peer_id(PeerNamespace.CHANNEL, 77)
#: Messages to each side that a history shows, and chats of the list.
SHOWN, CHATS_SHOWN = 60, 10
#: Messages that one answer to a difference holds at most.
SLICE: Final = 4
#: Who waits longer than this for the session to come to rest waits in vain.
PATIENCE_S: Final = 60.0


@dataclass
class Server:
    """What happened so far, and what of it was never said."""

    box: Box
    console: Console
    busy: PeerId
    quiet: PeerId
    #: Of what is said in the session; above all that the archive has.
    first_id: int
    clock: Clock
    began: int = field(init=False)
    #: All that the account's counter counts; it stands at their number.
    told: list[Message] = field(default_factory=list)
    posts: list[Message] = field(default_factory=list)
    #: The histories of its other chats, oldest first.
    chats: dict[PeerId, list[Message]] = field(default_factory=dict)
    #: Set when the client has come to know where the server stands: what comes from now on must arrive.
    met: anyio.Event = field(default_factory=anyio.Event)
    #: Set when there is nothing more to be pushed.
    silent: anyio.Event = field(default_factory=anyio.Event)

    def __post_init__(self) -> None:
        self.began = self.clock.now()
        for chat in (self.busy, self.quiet):
            self.chats[chat] = _stored(self.box, chat)
        last = self.chats[self.busy][-1]
        for number in range(1, POSTS + 1):
            time = last.timestamp + number - POSTS
            self.posts.append(replace(last, peer_id=CHANNEL, id=number, timestamp=time, stable_id=0))
        self.posts = [replace(post, text=f"Post {post.id}", author_id=None) for post in self.posts]

    # ------------------------------------------------------------------------------------ what it pushes

    async def listen(self) -> AsyncIterator[Container | SessionChanged]:
        """As `Transport.listen`: the whole session."""
        await self.met.wait()
        await self.clock.sleep(300)
        yield self._pushed(self._said(self.busy), "a message")
        late = self._pushed(self._said(self.quiet), "a message, which is held up on its way", wait=True)
        yield self._pushed(self._said(self.busy), "the one after it")
        await self.clock.sleep(500)
        self._note("server", "what was held up arrives")
        yield late
        await self.clock.sleep(200)
        for _ in range(2 * SLICE):
            self._pushed(self._said(self.quiet), "", wait=True)
        self._note("server", f"{2 * SLICE} messages get lost")
        yield self._pushed(self._said(self.busy), "the one after them")
        await self.clock.sleep(2_500)
        for _ in range(MISSED):
            self._posted()
        yield self._pushed(
            self._posted(), f"post {len(self.posts) + 1} of the channel, the first that it tells of"
        )
        await self.clock.sleep(1_500)
        self._posted()
        self._note("server", "a post gets lost")
        yield self._pushed(self._posted(), "the one after it")
        self.silent.set()
        await anyio.sleep_forever()

    def _said(self, chat: PeerId) -> UpdateNewMessage:
        """Somebody writes in a chat."""
        last = self.chats[chat][-1]
        number = self.first_id + len(self.told)
        message = replace(last, id=number, timestamp=self._date(), stable_id=0, text=f"Message {number}")
        self.chats[chat].append(message)
        self.told.append(message)
        return UpdateNewMessage(message, len(self.told), 1)

    def _posted(self) -> UpdateNewChannelMessage:
        number = len(self.posts) + 1
        text = f"Post {number}"
        self.posts.append(replace(self.posts[-1], id=number, timestamp=self._date(), text=text))
        return UpdateNewChannelMessage(self.posts[-1], number, 1)

    def _pushed(
        self, update: UpdateNewMessage | UpdateNewChannelMessage, what: str, *, wait: bool = False
    ) -> Updates:
        if what:
            self._note("server", f"{'holds back' if wait else 'pushes'} {what}")
        chats = (self._channel(),) if update.message.peer_id == CHANNEL else ()
        # It claims nothing itself: what gets lost is missed by one counter only.
        return Updates(updates=(update,), chats=chats, date=self._date(), seq=0)

    def _channel(self) -> Peers:
        return Peers(peer_id=CHANNEL, name="The channel", data=ChannelData(created_at=1))

    def _date(self) -> int:
        return self.chats[self.busy][0].timestamp + 10_000_000 + len(self.told) + len(self.posts)

    # ------------------------------------------------------------------------------------ what it answers

    async def send(self, request: Request) -> Answer | Failure:
        """As `Transport.send`, after as long as a near server takes."""
        await self.clock.sleep(50)
        answer = self._answer(request)
        self._note("client", f"asks {_shown(request)}: {_shown(answer)}")
        return answer

    def _answer(self, request: Request) -> Answer | Failure:
        match request:
            case GetState():
                return State(len(self.told), 0, self._date(), 0, 0)
            case GetDifference(pts):
                self.met.set()
                return self._difference(pts)
            case GetChannelDifference(_, pts):
                return self._channel_difference(pts)
            case GetPeerDialogs(peers):
                return Dialogs(tuple(self._dialog(peer) for peer in peers))
            case GetHistory():
                return self._page(request)
            case _:
                return Refused("NOT_HERE")

    def _difference(self, pts: int) -> Difference | DifferenceSlice:
        new = tuple(self.told[pts : pts + SLICE])
        end = pts + len(new)
        if end < len(self.told):
            return DifferenceSlice(new_messages=new, pts=end, qts=0, date=self._date(), seq=0)
        return Difference(new_messages=new, pts=end, qts=0, date=self._date(), seq=0)

    def _channel_difference(self, pts: int) -> ChannelDifference | ChannelDifferenceTooLong:
        if pts > 1:
            return ChannelDifference(final=True, pts=len(self.posts), new_messages=tuple(self.posts[pts:]))
        return ChannelDifferenceTooLong(
            final=True,
            dialog=self._dialog(CHANNEL),
            messages=tuple(self.posts[-1:]),
            chats=(self._channel(),),
        )

    def _dialog(self, chat: PeerId) -> Dialog:
        history = self.posts if chat == CHANNEL else self.chats[chat]
        top = history[-1].id
        pts = len(self.posts) if chat == CHANNEL else None
        return Dialog(
            peer_id=chat,
            top_message=top,
            read_in=top,
            read_out=top,
            unread=0,
            mentions=0,
            reactions=0,
            votes=0,
            pts=pts,
            settings=PeerSettings(),
        )

    def _page(self, asked: GetHistory) -> HistoryPage:
        history = self.posts if asked.peer_id == CHANNEL else self.chats[asked.peer_id]
        newest_first = sorted(history, key=lambda message: -message.id)
        newer = sum(message.id >= asked.offset_id for message in newest_first)
        start = newer + asked.add_offset
        page = newest_first[max(start, 0) : max(start + asked.limit, 0)]
        found = tuple(message for message in page if asked.min_id < message.id < asked.max_id)
        return HistoryPage(found, pts=len(self.posts) if asked.peer_id == CHANNEL else None)

    # ---------------------------------------------------------------------------------------- what is shown

    def _note(self, who: str, what: str) -> None:
        after = self.clock.now() - self.began
        self.console.print(
            f"{after / 1_000:6.2f} s  {who:7} {what}", markup=False, highlight=False, soft_wrap=True
        )

    def printer(self, name: str) -> Callable[[Emission[Any]], None]:
        """Prints what of a view changed, and why."""

        def told(emission: Emission[Any]) -> None:
            keys = emission.keys or {}
            parts = ", ".join(
                f"{part} ({len(keys[part])})" if part in keys else part for part in emission.parts
            )
            self._note("view", f"{name}: {emission.why.value}: {parts}")

        return told


def _shown(thing: object) -> str:
    """A request with its arguments, or what kind of answer it is and how much it holds."""
    if isinstance(thing, Difference | DifferenceSlice | ChannelDifference):
        return f"{type(thing).__name__} of {len(thing.new_messages)}"
    if isinstance(thing, HistoryPage):
        return f"{len(thing.messages)} messages"
    if isinstance(thing, GetHistory):
        return f"GetHistory(below {thing.offset_id}, {thing.limit})"
    if isinstance(thing, GetDifference | GetChannelDifference):
        return f"{type(thing).__name__}(from {thing.pts})"
    return type(thing).__name__


# -------------------------------------------------------------------------------------------- the session


def run_session(
    box: Box, busy: PeerId, quiet: PeerId, first_id: int, console: Console, clock: Clock | None = None
) -> None:
    """Follow a server for some seconds while views watch. Ends with an error if anything is missing."""
    console.print("A session with a simulated server, views watching", style="italic")
    server = Server(box, console, busy, quiet, first_id, SystemClock() if clock is None else clock)
    watched: dict[str, ViewKey[Any]] = {
        "chat list": ChatList(CHATS_SHOWN),
        "busy chat": MessageHistory(busy, SHOWN),
        "channel": MessageHistory(CHANNEL, SHOWN),
    }
    subscriptions = [box.watch(key).listen(server.printer(name)) for name, key in watched.items()]
    try:
        anyio.run(_follow, box, server)
    finally:
        for subscription in subscriptions:
            subscription.close()
    wrong = [*_missing(box, server)]
    console.print("Nothing is missing, nothing came twice." if not wrong else "; ".join(wrong))
    if wrong:
        sys.exit(f"demo: {'; '.join(wrong)}")


async def _follow(box: Box, server: Server) -> None:
    with anyio.move_on_after(PATIENCE_S):  # who looks then says what is missing
        # Nobody but it lives in this loop, so its commits need no other thread.
        async with Engine(box, PROTOCOL, server, clock=server.clock, transactions="loop") as engine:
            await server.silent.wait()
            await server.clock.sleep(1_000)
            await engine.flush()
            while _missing(box, server):  # what a chat misses is asked for behind everything else
                await server.clock.sleep(100)


def _stored(box: Box, chat: PeerId) -> list[Message]:
    """All of a chat that is in the box, oldest first."""
    return sorted(box.get(Latest(chat, MessageNamespace.CLOUD, 100_000)).messages, key=lambda it: it.id)


def _missing(box: Box, server: Server) -> list[str]:
    """What of the server is not in the box, and what of the box is not as on the server."""
    wrong = []
    with box.reading() as tables:
        account = tables.account.row_at(b"")
        if account is None or account.pts != len(server.told):
            wrong.append(f"the account stands at {account}, the server at {len(server.told)}")
    for chat, sent in {**server.chats, CHANNEL: server.posts[-SHOWN:]}.items():
        here = _stored(box, chat)
        if [message.id for message in here[-len(sent) :]] != [message.id for message in sent]:
            wrong.append(f"chat {peer_id_id(chat)} holds {len(here)} messages, the server {len(sent)}")
    return wrong
