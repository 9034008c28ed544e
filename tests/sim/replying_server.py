"""The messenger's server once more: many messages answer others, and channels are left and joined.

Depends on: messenger_server, the generated structs.  Never on: what operations do, how the client asks.

What a message answers may be here, elsewhere, or gone; a client that lacks it asks for it (A-3). Of a channel
that was left nothing is told; that it was joined again is said by the row that comes along alone, and brings
a client to ask for what it has missed (K-5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from msgspec.structs import replace
from tests.sim.messenger_fold import is_channel
from tests.sim.messenger_history import CHANNELS, CHATS, PEOPLE, USERS, channel_pts
from tests.sim.messenger_server import CLOUD, MessengerServer

from pillarbox.sync.claims import Instance
from pillarbox.sync.protocol import Tables, Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.views import ViewKey
from pillarbox_messenger.answers import Answer, MessagesFound
from pillarbox_messenger.containers import Container
from pillarbox_messenger.requests import GetMessages, Request
from pillarbox_messenger.types import (
    ChannelData,
    Membership,
    Message,
    MessageId,
    PeerId,
    PeerNamespace,
    Peers,
    PresenceStatus,
    Reply,
    UserStatus,
    peer_id,
)
from pillarbox_messenger.updates import UpdateUserStatus
from pillarbox_messenger.views import ChatList, MessageHistory

#: A channel that the client is in no part of, and what stands there since long ago.
ELSEWHERE: Final = peer_id(PeerNamespace.CHANNEL, 9)
ARCHIVE: Final = {
    number: Message(
        peer_id=ELSEWHERE,
        namespace=CLOUD,
        timestamp=number,
        id=number,
        author_id=None,
        text=f"long ago {number}",
    )
    for number in range(1, 6)
}
#: Chances that a message answers another, and that somebody joins or leaves.
_REPLIES: Final = 0.5
_MOVES: Final = 0.12


@dataclass
class ReplyingServer(MessengerServer):
    """The same service; `left` are the channels that the client is in no more."""

    left: set[PeerId] = field(default_factory=lambda: {CHANNELS[1]}, init=False)
    #: Whether somebody joined or left since the last container, which then must not be lost unseen.
    _has_moved: bool = field(default=False, init=False)
    #: Channels that were ever joined.
    _moved: set[Instance] = field(default_factory=set, init=False)

    # ------------------------------------------------------------------------------- what happens

    def change(self, random: Random) -> Sequence[Container]:
        if random.random() < _MOVES:
            self.at += 1
            self._move(random, self.left ^ {random.choice(CHANNELS)})
            return self._flushed(random)
        return super().change(random)

    def finish(self) -> Sequence[Container]:
        """In the end the client is in every channel; what was said there before shows by nothing else."""
        found = [*super().finish()]
        if not self.left:
            return found
        self.at += 1
        self._move(self.random, set())
        return [*found, *self._flushed(self.random)]

    def _move(self, random: Random, left: set[PeerId]) -> None:
        """Join or leave. It is no update that says so, but there is none without a reason."""
        self._moved.update(channel_pts(channel)[:2] for channel in self.left - left)
        self.left = left
        self._has_moved = True
        until = self.at + 300
        self._pending.append(
            UpdateUserStatus(random.choice(USERS), UserStatus(PresenceStatus.PRESENT, until))
        )

    def _flushed(self, random: Random, *, numbered: bool = False) -> list[Container]:
        found = super()._flushed(random, numbered=numbered or self._has_moved)
        self._has_moved = self._has_moved and not found
        return found

    def _peers(self, random: Random, updates: Sequence[Update]) -> tuple[Any, Any]:
        return (PEOPLE, self._chats()) if self._has_moved else super()._peers(random, updates)

    def _untold(self) -> set[PeerId]:
        return super()._untold() | self.left

    def _chats(self) -> tuple[Peers, ...]:
        return tuple(self._as_it_is(chat) for chat in CHATS)

    def _as_it_is(self, chat: Peers) -> Peers:
        if chat.peer_id not in self.left or not isinstance(chat.data, ChannelData):
            return chat
        return replace(chat, data=replace(chat.data, membership=Membership.LEFT))

    # ------------------------------------------------------------------------------------ replies

    def _said(self, random: Random, chat: PeerId, *, is_own: bool | None = None) -> Update:
        self._attributes = () if is_own or random.random() >= _REPLIES else (self._reply(random),)
        return super()._said(random, chat, is_own=is_own)

    def _reply(self, random: Random) -> Reply:
        return Reply(MessageId(ELSEWHERE, CLOUD, random.choice((*ARCHIVE, len(ARCHIVE) + 1))))

    def answer(self, request: Request) -> Answer | Failure:
        if not isinstance(request, GetMessages):
            return super().answer(request)
        if request.peer_id != ELSEWHERE:
            return Refused("NOT_HERE")
        found = tuple(ARCHIVE[id] for id in request.ids if id in ARCHIVE)
        return MessagesFound(found, **self._all_peers())

    # ------------------------------------------------------------------------------- what is true

    def views(self) -> Sequence[ViewKey[Any]]:
        """No channels: who looks at one asks about it, whether it was joined or not."""
        return [
            ChatList(20),
            *(MessageHistory(chat, 100) for chat in self.fold.chats if not is_channel(chat)),
        ]

    def asks_about(self, request: Request) -> Instance | None:
        instance = super().asks_about(request)
        return None if instance in self._moved else instance  # to have joined is a reason to ask

    def _hears_all(self, channel: PeerId) -> bool:
        return super()._hears_all(channel) and channel_pts(channel)[:2] not in self._moved

    def wrong(self, tables: Tables) -> Iterator[str]:
        yield from super().wrong(tables)
        here = {row.id: row.text for row in tables.message.all() if row.peer_id == ELSEWHERE}
        yield from (f"{id} is {text!r}" for id, text in here.items() if text != ARCHIVE[id].text)
        knobs = self.knobs
        if any(
            (knobs.expiries, knobs.refusals, knobs.lag, knobs.looks, knobs.fails, knobs.floods, knobs.cuts)
        ):
            return  # some came by pages, which ask for nothing, or was asked for too often in vain
        wanted = {
            reply.to.id
            for row in tables.message.all()
            if not is_channel(row.peer_id)
            for reply in row.attributes
            if isinstance(reply, Reply) and reply.to.id in ARCHIVE
        }
        yield from (f"{id} was answered, and nobody has it" for id in sorted(wanted - here.keys()))
