# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The updates of the schema 'messenger': what a server tells, as plain data.

`claim` says which span of a counter an update covers, `emit` which operations it stands for; `accept` calls
the method of a visitor that has the update's name.
"""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from pillarbox.codec import TaggedCodec
from pillarbox.sync import Claim
from pillarbox_messenger.keys import account_key, channel_key
from pillarbox_messenger.operations import (
    AddMessages,
    ClearHistory,
    DeleteMessages,
    EditMessage,
    Operation,
    PinMessages,
    PutSettings,
    ReadInbox,
    ReadOutbox,
    RenamePeer,
    SawActivity,
    SeeMentions,
    SentMessage,
    SetContact,
    SetDraft,
    SetPins,
    SetPresence,
    UpdatePeers,
)
from pillarbox_messenger.types import (
    ChatPins,
    Draft,
    Message,
    MessageId,
    MessageNamespace,
    PeerId,
    Peers,
    PeerSettings,
    Presence,
    PresenceStatus,
)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class UpdateVisitor(Protocol[T_co]):
    """One method for each update; a type checker tells when one is missing."""

    def new_message(self, update: NewMessage) -> T_co:
        """The update `new_message`."""

    def message_edited(self, update: MessageEdited) -> T_co:
        """The update `message_edited`."""

    def messages_deleted(self, update: MessagesDeleted) -> T_co:
        """The update `messages_deleted`."""

    def inbox_read(self, update: InboxRead) -> T_co:
        """The update `inbox_read`."""

    def outbox_read(self, update: OutboxRead) -> T_co:
        """The update `outbox_read`."""

    def contents_read(self, update: ContentsRead) -> T_co:
        """The update `contents_read`."""

    def messages_pinned(self, update: MessagesPinned) -> T_co:
        """The update `messages_pinned`."""

    def history_cleared(self, update: HistoryCleared) -> T_co:
        """The update `history_cleared`."""

    def message_sent(self, update: MessageSent) -> T_co:
        """Our own message, as the server numbered it."""

    def secret_message(self, update: SecretMessage) -> T_co:
        """The update `secret_message`."""

    def channel_message(self, update: ChannelMessage) -> T_co:
        """The update `channel_message`."""

    def channel_messages_deleted(self, update: ChannelMessagesDeleted) -> T_co:
        """The update `channel_messages_deleted`."""

    def user_status(self, update: UserStatus) -> T_co:
        """The update `user_status`."""

    def user_active(self, update: UserActive) -> T_co:
        """The update `user_active`."""

    def peer_renamed(self, update: PeerRenamed) -> T_co:
        """The update `peer_renamed`."""

    def settings_changed(self, update: SettingsChanged) -> T_co:
        """The update `settings_changed`."""

    def contacts_changed(self, update: ContactsChanged) -> T_co:
        """The update `contacts_changed`."""

    def draft_changed(self, update: DraftChanged) -> T_co:
        """The update `draft_changed`."""

    def pins_changed(self, update: PinsChanged) -> T_co:
        """The update `pins_changed`."""


class NewMessage(Struct, frozen=True, array_like=True, gc=False, tag=1, kw_only=True):
    """The update `new_message`."""

    message: Message
    peers: tuple[Peers, ...] = ()
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.new_message(self)`."""
        return visitor.new_message(self)


class MessageEdited(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """The update `message_edited`."""

    message: Message
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.message_edited(self)`."""
        return visitor.message_edited(self)


class MessagesDeleted(Struct, frozen=True, array_like=True, gc=False, tag=3, kw_only=True):
    """The update `messages_deleted`."""

    ids: tuple[MessageId, ...] = ()
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.messages_deleted(self)`."""
        return visitor.messages_deleted(self)


class InboxRead(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """The update `inbox_read`."""

    peer_id: PeerId
    up_to: int
    left: int
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.inbox_read(self)`."""
        return visitor.inbox_read(self)


class OutboxRead(Struct, frozen=True, array_like=True, gc=False, tag=5):
    """The update `outbox_read`."""

    peer_id: PeerId
    up_to: int
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.outbox_read(self)`."""
        return visitor.outbox_read(self)


class ContentsRead(Struct, frozen=True, array_like=True, gc=False, tag=6, kw_only=True):
    """The update `contents_read`."""

    ids: tuple[MessageId, ...] = ()
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.contents_read(self)`."""
        return visitor.contents_read(self)


class MessagesPinned(Struct, frozen=True, array_like=True, gc=False, tag=7, kw_only=True):
    """The update `messages_pinned`."""

    peer_id: PeerId
    ids: tuple[int, ...] = ()
    pinned: bool
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.messages_pinned(self)`."""
        return visitor.messages_pinned(self)


class HistoryCleared(Struct, frozen=True, array_like=True, gc=False, tag=8):
    """The update `history_cleared`."""

    peer_id: PeerId
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.history_cleared(self)`."""
        return visitor.history_cleared(self)


class MessageSent(Struct, frozen=True, array_like=True, gc=False, tag=9):
    """Our own message, as the server numbered it."""

    peer_id: PeerId
    local_id: int
    message: Message
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `account.pts` that it covers."""
        return Claim(310, account_key(), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.message_sent(self)`."""
        return visitor.message_sent(self)


class SecretMessage(Struct, frozen=True, array_like=True, gc=False, tag=10):
    """The update `secret_message`."""

    message: Message
    qts: int

    def claim(self) -> Claim | None:
        """The span of `account.qts` that it covers."""
        return Claim(310, account_key(), 1, self.qts - 1, self.qts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.secret_message(self)`."""
        return visitor.secret_message(self)


class ChannelMessage(Struct, frozen=True, array_like=True, gc=False, tag=11, kw_only=True):
    """The update `channel_message`."""

    peer_id: PeerId
    messages: tuple[Message, ...] = ()
    peers: tuple[Peers, ...] = ()
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `channel.pts` that it covers."""
        return Claim(13, channel_key(self.peer_id), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.channel_message(self)`."""
        return visitor.channel_message(self)


class ChannelMessagesDeleted(Struct, frozen=True, array_like=True, gc=False, tag=12, kw_only=True):
    """The update `channel_messages_deleted`."""

    peer_id: PeerId
    ids: tuple[int, ...] = ()
    pts: int
    pts_count: int

    def claim(self) -> Claim | None:
        """The span of `channel.pts` that it covers."""
        return Claim(13, channel_key(self.peer_id), 0, self.pts - self.pts_count, self.pts)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.channel_messages_deleted(self)`."""
        return visitor.channel_messages_deleted(self)


class UserStatus(Struct, frozen=True, array_like=True, gc=False, tag=20):
    """The update `user_status`."""

    peer_id: PeerId
    status: PresenceStatus
    until: int | None = None

    def claim(self) -> Claim | None:
        """It claims nothing."""
        return None

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.user_status(self)`."""
        return visitor.user_status(self)


class UserActive(Struct, frozen=True, array_like=True, gc=False, tag=21, kw_only=True):
    """The update `user_active`."""

    peer_ids: tuple[PeerId, ...] = ()
    at: int

    def claim(self) -> Claim | None:
        """It claims nothing."""
        return None

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.user_active(self)`."""
        return visitor.user_active(self)


class PeerRenamed(Struct, frozen=True, array_like=True, gc=False, tag=22):
    """The update `peer_renamed`."""

    peer_id: PeerId
    name: str
    usernames: tuple[str, ...] = ()

    def claim(self) -> Claim | None:
        """It claims nothing."""
        return None

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.peer_renamed(self)`."""
        return visitor.peer_renamed(self)


class SettingsChanged(Struct, frozen=True, array_like=True, gc=False, tag=23):
    """The update `settings_changed`."""

    peer_id: PeerId
    settings: PeerSettings

    def claim(self) -> Claim | None:
        """It claims nothing."""
        return None

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.settings_changed(self)`."""
        return visitor.settings_changed(self)


class ContactsChanged(Struct, frozen=True, array_like=True, gc=False, tag=24, kw_only=True):
    """The update `contacts_changed`."""

    peer_ids: tuple[PeerId, ...] = ()
    contact: bool

    def claim(self) -> Claim | None:
        """It claims nothing."""
        return None

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.contacts_changed(self)`."""
        return visitor.contacts_changed(self)


class DraftChanged(Struct, frozen=True, array_like=True, gc=False, tag=25):
    """The update `draft_changed`."""

    peer_id: PeerId
    draft: Draft | None = None

    def claim(self) -> Claim | None:
        """It claims nothing."""
        return None

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.draft_changed(self)`."""
        return visitor.draft_changed(self)


class PinsChanged(Struct, frozen=True, array_like=True, gc=False, tag=26):
    """The update `pins_changed`."""

    group_id: int
    pins: tuple[ChatPins, ...] = ()

    def claim(self) -> Claim | None:
        """It claims nothing."""
        return None

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.pins_changed(self)`."""
        return visitor.pins_changed(self)


Update: TypeAlias = (
    NewMessage
    | MessageEdited
    | MessagesDeleted
    | InboxRead
    | OutboxRead
    | ContentsRead
    | MessagesPinned
    | HistoryCleared
    | MessageSent
    | SecretMessage
    | ChannelMessage
    | ChannelMessagesDeleted
    | UserStatus
    | UserActive
    | PeerRenamed
    | SettingsChanged
    | ContactsChanged
    | DraftChanged
    | PinsChanged
)


class Emit:
    """What updates stand for: operations, each update's in a method of its own."""

    __slots__ = ()

    def new_message(self, update: NewMessage) -> list[Operation]:
        """The operations of `new_message`."""
        operations: list[Operation] = []
        if len(update.peers) > 0:
            operations.append(UpdatePeers(peers=update.peers))
        operations.append(AddMessages(messages=(update.message,)))
        return operations

    def message_edited(self, update: MessageEdited) -> list[Operation]:
        """The operations of `message_edited`."""
        return [EditMessage(message=update.message)]

    def messages_deleted(self, update: MessagesDeleted) -> list[Operation]:
        """The operations of `messages_deleted`."""
        return [DeleteMessages(ids=update.ids)]

    def inbox_read(self, update: InboxRead) -> list[Operation]:
        """The operations of `inbox_read`."""
        return [
            ReadInbox(
                peer_id=update.peer_id,
                namespace=MessageNamespace.CLOUD,
                read_in=update.up_to,
                left=update.left,
            ),
        ]

    def outbox_read(self, update: OutboxRead) -> list[Operation]:
        """The operations of `outbox_read`."""
        return [ReadOutbox(peer_id=update.peer_id, namespace=MessageNamespace.CLOUD, read_out=update.up_to)]

    def contents_read(self, update: ContentsRead) -> list[Operation]:
        """The operations of `contents_read`."""
        return [SeeMentions(ids=update.ids)]

    def messages_pinned(self, update: MessagesPinned) -> list[Operation]:
        """The operations of `messages_pinned`."""
        return [PinMessages(peer_id=update.peer_id, ids=update.ids, pinned=update.pinned)]

    def history_cleared(self, update: HistoryCleared) -> list[Operation]:
        """The operations of `history_cleared`."""
        return [
            ClearHistory(peer_id=update.peer_id, namespaces=(MessageNamespace.CLOUD, MessageNamespace.LOCAL)),
        ]

    def message_sent(self, update: MessageSent) -> list[Operation]:
        """The operations of `message_sent`."""
        return [SentMessage(peer_id=update.peer_id, local_id=update.local_id, message=update.message)]

    def secret_message(self, update: SecretMessage) -> list[Operation]:
        """The operations of `secret_message`."""
        return [AddMessages(messages=(update.message,))]

    def channel_message(self, update: ChannelMessage) -> list[Operation]:
        """The operations of `channel_message`."""
        operations: list[Operation] = []
        if len(update.peers) > 0:
            operations.append(UpdatePeers(peers=update.peers))
        operations.append(AddMessages(messages=update.messages))
        return operations

    def channel_messages_deleted(self, update: ChannelMessagesDeleted) -> list[Operation]:
        """The operations of `channel_messages_deleted`."""
        return [
            DeleteMessages(ids=(MessageId(peer_id=update.peer_id, namespace=MessageNamespace.CLOUD, id=i),))
            for i in update.ids
        ]

    def user_status(self, update: UserStatus) -> list[Operation]:
        """The operations of `user_status`."""
        return [
            SetPresence(
                presences=(Presence(peer_id=update.peer_id, status=update.status, until=update.until),),
            ),
        ]

    def user_active(self, update: UserActive) -> list[Operation]:
        """The operations of `user_active`."""
        return [SawActivity(peer_id=p, at=update.at) for p in update.peer_ids]

    def peer_renamed(self, update: PeerRenamed) -> list[Operation]:
        """The operations of `peer_renamed`."""
        return [RenamePeer(peer_id=update.peer_id, name=update.name, usernames=update.usernames)]

    def settings_changed(self, update: SettingsChanged) -> list[Operation]:
        """The operations of `settings_changed`."""
        return [PutSettings(peer_id=update.peer_id, settings=update.settings)]

    def contacts_changed(self, update: ContactsChanged) -> list[Operation]:
        """The operations of `contacts_changed`."""
        return [SetContact(peer_id=p, contact=update.contact, mutual=False) for p in update.peer_ids]

    def draft_changed(self, update: DraftChanged) -> list[Operation]:
        """The operations of `draft_changed`."""
        return [SetDraft(peer_id=update.peer_id, draft=update.draft)]

    def pins_changed(self, update: PinsChanged) -> list[Operation]:
        """The operations of `pins_changed`."""
        return [SetPins(group_id=update.group_id, pins=update.pins)]


_EMIT: Final = Emit()
_CODEC: Final = TaggedCodec[Update](Update, "update")


def emit(update: Update) -> list[Operation]:
    """The operations that an update stands for, in order."""
    return update.accept(_EMIT)


def claim(update: Update) -> Claim | None:
    """The span of a counter that an update covers; None: it may always be applied."""
    return update.claim()


def encode_update(update: Update) -> bytes:
    """One update as bytes, its code first. Raises RangeError."""
    return _CODEC.encode(update)


def decode_update(data: bytes) -> Update:
    """The update of such bytes. Raises DataError where they are none."""
    return _CODEC.decode(data)
