"""What happens in a messenger: random changes, each counted by its log and folded by plain dicts.

Depends on: pillarbox.testing, the generated rows and updates.  Never on: containers, requests, operations.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from msgspec.structs import replace
from tests.sim.counting import Counting
from tests.sim.messenger_fold import Fold, is_channel

from pillarbox.sync.protocol import Update
from pillarbox.testing import Domain, SpanLog
from pillarbox_messenger.keys import account_key, channel_key
from pillarbox_messenger.types import (
    Attribute,
    ChannelData,
    EncryptedMessage,
    GroupData,
    Message,
    MessageFlags,
    MessageNamespace,
    PeerId,
    PeerNamespace,
    Peers,
    PresenceStatus,
    UserData,
    UserStatus,
    peer_id,
)
from pillarbox_messenger.updates import (
    UpdateDeleteChannelMessages,
    UpdateDeleteMessages,
    UpdateEditChannelMessage,
    UpdateEditMessage,
    UpdateNewChannelMessage,
    UpdateNewEncryptedMessage,
    UpdateNewMessage,
    UpdatePinnedChannelMessages,
    UpdatePinnedMessages,
    UpdateReadChannelInbox,
    UpdateReadChannelOutbox,
    UpdateReadHistoryInbox,
    UpdateReadHistoryOutbox,
    UpdateUserStatus,
)

ACCOUNT: Final = 310
CHANNEL: Final = 13
PTS: Final[Domain] = (ACCOUNT, account_key(), 0)
QTS: Final[Domain] = (ACCOUNT, account_key(), 1)
SEQ: Final[Domain] = (ACCOUNT, account_key(), 2)

OWN: Final = peer_id(PeerNamespace.USER, 1)
USERS: Final = tuple(peer_id(PeerNamespace.USER, number) for number in (2, 3, 4))
GROUP: Final = peer_id(PeerNamespace.GROUP, 5)
CHANNELS: Final = tuple(peer_id(PeerNamespace.CHANNEL, number) for number in (6, 7))
SECRET: Final = peer_id(PeerNamespace.SECRET_CHAT, 8)
PEOPLE: Final = tuple(Peers(peer_id=user, name=f"User {user}", data=UserData()) for user in (OWN, *USERS))
CHATS: Final = (
    Peers(peer_id=GROUP, name="Group", data=GroupData(participants=3, version=1)),
    *(Peers(peer_id=channel, name="Channel", data=ChannelData(created_at=1)) for channel in CHANNELS),
)


def channel_pts(channel: PeerId) -> Domain:
    """The counter of a channel."""
    return CHANNEL, channel_key(channel), 0


@dataclass
class MessengerHistory(Counting, ABC):
    """What happened, and what is true because of it."""

    fold: Fold = field(default_factory=Fold, init=False)
    #: Seconds; goes on by one whenever something happens.
    at: int = field(default=1_000, init=False)
    #: Messages that the client sent: these nobody touches, since it writes them when it hears of them.
    _sent: set[tuple[PeerId, int]] = field(default_factory=set, init=False)

    #: Of what is said next.
    _attributes: tuple[Attribute, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        for domain in (PTS, QTS, SEQ):
            self.log(domain)

    # -------------------------------------------------------------------------------- one change

    def _next(self, random: Random) -> Update:
        kind = random.random()
        if kind < 0.1:
            until = self.at + 300
            return UpdateUserStatus(random.choice(USERS), UserStatus(PresenceStatus.PRESENT, until))
        if kind < 0.2:
            return self._secret(random)
        chat = random.choice((*USERS, GROUP, *CHANNELS, *CHANNELS))
        if not self.fold.chats.get(chat) or kind < 0.55:
            return self._said(random, chat)
        if kind < 0.7:
            return self._read(random, chat)
        message = self._message(random, chat)
        if message is None:
            return self._said(random, chat)
        if kind < 0.8:
            return self._edited(random, message)
        if kind < 0.9:
            return self._deleted(random, message)
        return self._pinned(random, message)

    def _said(self, random: Random, chat: PeerId, *, is_own: bool | None = None) -> Update:
        out = random.random() < 0.25 if is_own is None else is_own
        author = OWN if out else chat if chat in USERS else random.choice(USERS)
        message = Message(
            peer_id=chat,
            namespace=MessageNamespace.CLOUD,
            timestamp=self.at,
            id=self.fold.next_id(chat) + random.choice((0, 0, 0, 4)),
            flags=0 if out else MessageFlags.INCOMING,
            author_id=author,
            text=f"said {self.at}",
            attributes=self._attributes,
        )
        if is_channel(chat):
            return self._counted(
                random, chat, lambda pts, n: UpdateNewChannelMessage(message=message, pts=pts, pts_count=n)
            )
        return self._counted(
            random, chat, lambda pts, n: UpdateNewMessage(message=message, pts=pts, pts_count=n)
        )

    def _secret(self, random: Random) -> Update:
        number = len(self.fold.secrets) + 1
        message = EncryptedMessage(
            random_id=number, chat_id=SECRET, date=self.at, data=random.randbytes(4), service=False
        )
        return self._log(QTS, 1, lambda qts, _count: UpdateNewEncryptedMessage(message=message, qts=qts))

    def _read(self, random: Random, chat: PeerId) -> Update:
        ids = sorted(self.fold.chats[chat])
        top = random.choice(ids[-3:])
        if random.random() < 0.5:
            if is_channel(chat):
                return self._unchecked(UpdateReadChannelOutbox(chat, top))
            return self._counted(random, chat, lambda pts, n: UpdateReadHistoryOutbox(chat, top, pts, n))
        top = max(top, self.fold.read_in.get(chat, 0))
        left = self.fold.unread(chat, top)
        if is_channel(chat):
            pts = self.log(channel_pts(chat)).end
            return self._unchecked(
                UpdateReadChannelInbox(channel_id=chat, max_id=top, still_unread_count=left, pts=pts)
            )
        return self._counted(
            random,
            chat,
            lambda pts, n: UpdateReadHistoryInbox(
                peer=chat, max_id=top, still_unread_count=left, pts=pts, pts_count=n
            ),
        )

    def _edited(self, random: Random, message: Message) -> Update:
        chat, domain = message.peer_id, self._domain(message.peer_id)
        is_counted = not self._counts_nothing(random, domain)
        # Of a channel that is just being asked about nobody tells it again.
        if is_counted or (self._is_sure and not is_channel(chat)):
            message = replace(message, text=f"edited {self.at}")
        make: Any = UpdateEditChannelMessage if is_channel(chat) else UpdateEditMessage
        if is_counted:
            return self._counted(random, chat, lambda pts, n: make(message=message, pts=pts, pts_count=n))
        return self._uncounted(domain, lambda pts: make(message=message, pts=pts, pts_count=0))

    def _deleted(self, random: Random, message: Message) -> Update:
        chat, ids = message.peer_id, (message.id,)
        if is_channel(chat):
            return self._counted(
                random,
                chat,
                lambda pts, n: UpdateDeleteChannelMessages(
                    channel_id=chat, messages=ids, pts=pts, pts_count=n
                ),
            )
        return self._counted(
            random, chat, lambda pts, n: UpdateDeleteMessages(messages=ids, pts=pts, pts_count=n)
        )

    def _pinned(self, random: Random, message: Message) -> Update:
        chat, ids, pinned = message.peer_id, (message.id,), random.random() < 0.7
        if is_channel(chat):
            return self._counted(
                random,
                chat,
                lambda pts, n: UpdatePinnedChannelMessages(
                    pinned=pinned, channel_id=chat, messages=ids, pts=pts, pts_count=n
                ),
            )
        return self._counted(
            random,
            chat,
            lambda pts, n: UpdatePinnedMessages(pinned=pinned, peer=chat, messages=ids, pts=pts, pts_count=n),
        )

    def _message(self, random: Random, chat: PeerId) -> Message | None:
        some = [it for it in self.fold.chats[chat].values() if (chat, it.id) not in self._sent]
        return random.choice(some) if some else None

    # ------------------------------------------------------------------------------------- counters

    def _domain(self, chat: PeerId) -> Domain:
        return channel_pts(chat) if is_channel(chat) else PTS

    def _counted(self, random: Random, chat: PeerId, make: Any) -> Update:
        domain = self._domain(chat)
        if domain not in self.logs:
            self.logs[domain] = SpanLog(start=1)  # A channel stands at 1 when it is made.
        return self._log(domain, random.randint(1, self.knobs.counts), make)

    def _unchecked(self, update: Update) -> Update:
        self.fold.apply(update)
        return update

    def mark(self, update: Update) -> Hashable | None:
        """A message is the same one in a difference, which does not say where it was counted."""
        match update:
            case UpdateNewMessage(message=message) | UpdateNewChannelMessage(message=message):
                return "new", message.peer_id, message.id
            case UpdateNewEncryptedMessage(message=message):
                return "secret", message.random_id
            case UpdateUserStatus():
                return "status", update.user_id, update.status.until
        return super().mark(update)
