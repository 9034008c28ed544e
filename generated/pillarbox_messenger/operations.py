# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The operations of the schema 'messenger': what may be done to a box, as plain data.

`replay` applies them; `accept` calls the method of a visitor that has the operation's name.
"""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from pillarbox.codec import TaggedCodec
from pillarbox_messenger.types import (
    CachedData,
    ChatPins,
    CollectionInfos,
    CollectionItems,
    Draft,
    Message,
    MessageId,
    MessageNamespace,
    MetadataItem,
    PeerId,
    Peers,
    PeerSettings,
    Presence,
    ReadStates,
    Threads,
)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class OperationVisitor(Protocol[T_co]):
    """One method for each operation; a type checker tells when one is missing."""

    def add_messages(self, operation: AddMessages) -> T_co:
        """Store messages as given; one that is known under its id is replaced, wherever it stood."""

    def edit_message(self, operation: EditMessage) -> T_co:
        """Write over what can be edited; what the store itself knows of the message stays."""

    def delete_messages(self, operation: DeleteMessages) -> T_co:
        """The operation `delete_messages`."""

    def clear_history(self, operation: ClearHistory) -> T_co:
        """The operation `clear_history`."""

    def sent_message(self, operation: SentMessage) -> T_co:
        """The server took our message and gave it a number of its own."""

    def set_message_flags(self, operation: SetMessageFlags) -> T_co:
        """The operation `set_message_flags`."""

    def see_mentions(self, operation: SeeMentions) -> T_co:
        """Mentions and reactions of these messages have been on screen."""

    def pin_messages(self, operation: PinMessages) -> T_co:
        """The operation `pin_messages`."""

    def read_inbox(self, operation: ReadInbox) -> T_co:
        """Messages up to an id have been read here; the server says how many are left."""

    def read_outbox(self, operation: ReadOutbox) -> T_co:
        """The operation `read_outbox`."""

    def mark_unread(self, operation: MarkUnread) -> T_co:
        """The operation `mark_unread`."""

    def put_read_states(self, operation: PutReadStates) -> T_co:
        """The operation `put_read_states`."""

    def set_inclusion(self, operation: SetInclusion) -> T_co:
        """The operation `set_inclusion`."""

    def set_pins(self, operation: SetPins) -> T_co:
        """The pins of a list become exactly these."""

    def set_draft(self, operation: SetDraft) -> T_co:
        """The operation `set_draft`."""

    def put_threads(self, operation: PutThreads) -> T_co:
        """The operation `put_threads`."""

    def update_peers(self, operation: UpdatePeers) -> T_co:
        """Take peers over. One that came along with something else (min) never overwrites what only a full
        one has.
        """

    def rename_peer(self, operation: RenamePeer) -> T_co:
        """The operation `rename_peer`."""

    def set_contact(self, operation: SetContact) -> T_co:
        """The operation `set_contact`."""

    def set_presence(self, operation: SetPresence) -> T_co:
        """The operation `set_presence`."""

    def saw_activity(self, operation: SawActivity) -> T_co:
        """The operation `saw_activity`."""

    def put_cached_peer(self, operation: PutCachedPeer) -> T_co:
        """The operation `put_cached_peer`."""

    def put_settings(self, operation: PutSettings) -> T_co:
        """The settings of a peer as the server has them."""

    def change_settings(self, operation: ChangeSettings) -> T_co:
        """The settings of a peer as somebody here wants them; they are pending until the server agrees."""

    def set_preference(self, operation: SetPreference) -> T_co:
        """The operation `set_preference`."""

    def set_notice(self, operation: SetNotice) -> T_co:
        """The operation `set_notice`."""

    def set_metadata(self, operation: SetMetadata) -> T_co:
        """The operation `set_metadata`."""

    def replace_collection(self, operation: ReplaceCollection) -> T_co:
        """A collection and its items become exactly these."""

    def put_cache(self, operation: PutCache) -> T_co:
        """The operation `put_cache`."""

    def clear_cache(self, operation: ClearCache) -> T_co:
        """The operation `clear_cache`."""

    def set_state(self, operation: SetState) -> T_co:
        """Begin at a state the server names; the old one is not mixed in."""

    def set_channel_state(self, operation: SetChannelState) -> T_co:
        """The operation `set_channel_state`."""


class AddMessages(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """Store messages as given; one that is known under its id is replaced, wherever it stood."""

    messages: tuple[Message, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.add_messages(self)`."""
        return visitor.add_messages(self)


class EditMessage(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """Write over what can be edited; what the store itself knows of the message stays."""

    message: Message

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.edit_message(self)`."""
        return visitor.edit_message(self)


class DeleteMessages(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """The operation `delete_messages`."""

    ids: tuple[MessageId, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.delete_messages(self)`."""
        return visitor.delete_messages(self)


class ClearHistory(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """The operation `clear_history`."""

    peer_id: PeerId
    namespaces: tuple[MessageNamespace, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.clear_history(self)`."""
        return visitor.clear_history(self)


class SentMessage(Struct, frozen=True, array_like=True, gc=False, tag=5):
    """The server took our message and gave it a number of its own."""

    peer_id: PeerId
    local_id: int
    message: Message

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.sent_message(self)`."""
        return visitor.sent_message(self)


class SetMessageFlags(Struct, frozen=True, array_like=True, gc=False, tag=6):
    """The operation `set_message_flags`."""

    id: MessageId
    set: int
    clear: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_message_flags(self)`."""
        return visitor.set_message_flags(self)


class SeeMentions(Struct, frozen=True, array_like=True, gc=False, tag=7):
    """Mentions and reactions of these messages have been on screen."""

    ids: tuple[MessageId, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.see_mentions(self)`."""
        return visitor.see_mentions(self)


class PinMessages(Struct, frozen=True, array_like=True, gc=False, tag=8, kw_only=True):
    """The operation `pin_messages`."""

    peer_id: PeerId
    ids: tuple[int, ...] = ()
    pinned: bool

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.pin_messages(self)`."""
        return visitor.pin_messages(self)


class ReadInbox(Struct, frozen=True, array_like=True, gc=False, tag=10):
    """Messages up to an id have been read here; the server says how many are left."""

    peer_id: PeerId
    namespace: MessageNamespace
    read_in: int
    left: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.read_inbox(self)`."""
        return visitor.read_inbox(self)


class ReadOutbox(Struct, frozen=True, array_like=True, gc=False, tag=11):
    """The operation `read_outbox`."""

    peer_id: PeerId
    namespace: MessageNamespace
    read_out: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.read_outbox(self)`."""
        return visitor.read_outbox(self)


class MarkUnread(Struct, frozen=True, array_like=True, gc=False, tag=12):
    """The operation `mark_unread`."""

    peer_id: PeerId
    marked: bool

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.mark_unread(self)`."""
        return visitor.mark_unread(self)


class PutReadStates(Struct, frozen=True, array_like=True, gc=False, tag=13):
    """The operation `put_read_states`."""

    states: tuple[ReadStates, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_read_states(self)`."""
        return visitor.put_read_states(self)


class SetInclusion(Struct, frozen=True, array_like=True, gc=False, tag=14):
    """The operation `set_inclusion`."""

    peer_id: PeerId
    group_id: int | None = None
    min_timestamp: int | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_inclusion(self)`."""
        return visitor.set_inclusion(self)


class SetPins(Struct, frozen=True, array_like=True, gc=False, tag=15):
    """The pins of a list become exactly these."""

    group_id: int
    pins: tuple[ChatPins, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_pins(self)`."""
        return visitor.set_pins(self)


class SetDraft(Struct, frozen=True, array_like=True, gc=False, tag=16):
    """The operation `set_draft`."""

    peer_id: PeerId
    draft: Draft | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_draft(self)`."""
        return visitor.set_draft(self)


class PutThreads(Struct, frozen=True, array_like=True, gc=False, tag=17):
    """The operation `put_threads`."""

    threads: tuple[Threads, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_threads(self)`."""
        return visitor.put_threads(self)


class UpdatePeers(Struct, frozen=True, array_like=True, gc=False, tag=20):
    """Take peers over. One that came along with something else (min) never overwrites what only a full one
    has.
    """

    peers: tuple[Peers, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.update_peers(self)`."""
        return visitor.update_peers(self)


class RenamePeer(Struct, frozen=True, array_like=True, gc=False, tag=21):
    """The operation `rename_peer`."""

    peer_id: PeerId
    name: str
    usernames: tuple[str, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.rename_peer(self)`."""
        return visitor.rename_peer(self)


class SetContact(Struct, frozen=True, array_like=True, gc=False, tag=22):
    """The operation `set_contact`."""

    peer_id: PeerId
    contact: bool
    mutual: bool

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_contact(self)`."""
        return visitor.set_contact(self)


class SetPresence(Struct, frozen=True, array_like=True, gc=False, tag=23):
    """The operation `set_presence`."""

    presences: tuple[Presence, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_presence(self)`."""
        return visitor.set_presence(self)


class SawActivity(Struct, frozen=True, array_like=True, gc=False, tag=24):
    """The operation `saw_activity`."""

    peer_id: PeerId
    at: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.saw_activity(self)`."""
        return visitor.saw_activity(self)


class PutCachedPeer(Struct, frozen=True, array_like=True, gc=False, tag=25):
    """The operation `put_cached_peer`."""

    peer_id: PeerId
    data: CachedData
    at: int
    pinned: MessageId | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_cached_peer(self)`."""
        return visitor.put_cached_peer(self)


class PutSettings(Struct, frozen=True, array_like=True, gc=False, tag=26):
    """The settings of a peer as the server has them."""

    peer_id: PeerId
    settings: PeerSettings

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_settings(self)`."""
        return visitor.put_settings(self)


class ChangeSettings(Struct, frozen=True, array_like=True, gc=False, tag=27):
    """The settings of a peer as somebody here wants them; they are pending until the server agrees."""

    peer_id: PeerId
    settings: PeerSettings

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.change_settings(self)`."""
        return visitor.change_settings(self)


class SetPreference(Struct, frozen=True, array_like=True, gc=False, tag=30):
    """The operation `set_preference`."""

    item: int
    value: bytes | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_preference(self)`."""
        return visitor.set_preference(self)


class SetNotice(Struct, frozen=True, array_like=True, gc=False, tag=31):
    """The operation `set_notice`."""

    namespace: int
    notice: bytes
    value: bytes | None = None
    until: int | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_notice(self)`."""
        return visitor.set_notice(self)


class SetMetadata(Struct, frozen=True, array_like=True, gc=False, tag=32):
    """The operation `set_metadata`."""

    item: MetadataItem
    number: int | None = None
    data: bytes | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_metadata(self)`."""
        return visitor.set_metadata(self)


class ReplaceCollection(Struct, frozen=True, array_like=True, gc=False, tag=33):
    """A collection and its items become exactly these."""

    info: CollectionInfos
    items: tuple[CollectionItems, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.replace_collection(self)`."""
        return visitor.replace_collection(self)


class PutCache(Struct, frozen=True, array_like=True, gc=False, tag=34, kw_only=True):
    """The operation `put_cache`."""

    collection: int
    entry: bytes
    value: bytes | None = None
    at: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_cache(self)`."""
        return visitor.put_cache(self)


class ClearCache(Struct, frozen=True, array_like=True, gc=False, tag=35):
    """The operation `clear_cache`."""

    collection: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.clear_cache(self)`."""
        return visitor.clear_cache(self)


class SetState(Struct, frozen=True, array_like=True, gc=False, tag=40):
    """Begin at a state the server names; the old one is not mixed in."""

    pts: int
    qts: int
    seq: int
    date: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_state(self)`."""
        return visitor.set_state(self)


class SetChannelState(Struct, frozen=True, array_like=True, gc=False, tag=41):
    """The operation `set_channel_state`."""

    peer_id: PeerId
    pts: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_channel_state(self)`."""
        return visitor.set_channel_state(self)


Operation: TypeAlias = (
    AddMessages
    | EditMessage
    | DeleteMessages
    | ClearHistory
    | SentMessage
    | SetMessageFlags
    | SeeMentions
    | PinMessages
    | ReadInbox
    | ReadOutbox
    | MarkUnread
    | PutReadStates
    | SetInclusion
    | SetPins
    | SetDraft
    | PutThreads
    | UpdatePeers
    | RenamePeer
    | SetContact
    | SetPresence
    | SawActivity
    | PutCachedPeer
    | PutSettings
    | ChangeSettings
    | SetPreference
    | SetNotice
    | SetMetadata
    | ReplaceCollection
    | PutCache
    | ClearCache
    | SetState
    | SetChannelState
)

#: Every class of operation.
OPERATIONS: Final[frozenset[type[Operation]]] = frozenset(
    {
        AddMessages,
        EditMessage,
        DeleteMessages,
        ClearHistory,
        SentMessage,
        SetMessageFlags,
        SeeMentions,
        PinMessages,
        ReadInbox,
        ReadOutbox,
        MarkUnread,
        PutReadStates,
        SetInclusion,
        SetPins,
        SetDraft,
        PutThreads,
        UpdatePeers,
        RenamePeer,
        SetContact,
        SetPresence,
        SawActivity,
        PutCachedPeer,
        PutSettings,
        ChangeSettings,
        SetPreference,
        SetNotice,
        SetMetadata,
        ReplaceCollection,
        PutCache,
        ClearCache,
        SetState,
        SetChannelState,
    },
)
_CODEC: Final = TaggedCodec[Operation](Operation, "operation")


def encode_operation(operation: Operation) -> bytes:
    """One operation as bytes, its code first. Raises RangeError."""
    return _CODEC.encode(operation)


def decode_operation(data: bytes) -> Operation:
    """The operation of such bytes. Raises DataError where they are none."""
    return _CODEC.decode(data)
