"""What a messenger's tables should hold, folded from updates by plain dicts.

Depends on: the generated rows and updates, as data.  Never on: operations, boxes, merging.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec.structs import replace

from pillarbox_messenger.types import (
    ChannelVersion,
    EncryptedMessage,
    Message,
    MessageFlags,
    MessageNamespace,
    PeerId,
    PeerNamespace,
    TagFlags,
    peer_id_namespace,
)
from pillarbox_messenger.updates import (
    Update,
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
)

#: What of a message is compared: the store fills in the rest.
Seen: TypeAlias = tuple[Any, ...]


class Fold:
    """Everything that is true."""

    def __init__(self) -> None:
        #: Chat -> id -> message.
        self.chats: dict[PeerId, dict[int, Message]] = {}
        self.read_in: dict[PeerId, int] = {}
        self.read_out: dict[PeerId, int] = {}
        self.secrets: list[EncryptedMessage] = []
        #: Ids that were ever given, of a channel or of all other chats (0).
        self._ids: dict[int, int] = {}

    def next_id(self, chat: PeerId) -> int:
        """The id of the next message of a chat; none is given twice."""
        return self._ids.get(counted_with(chat), 0) + 1

    def unread(self, chat: PeerId, above: int | None = None) -> int:
        """How many messages of others stand above what was read, or above an id."""
        mark = self.read_in.get(chat, 0) if above is None else above
        return sum(is_incoming(it) for it in self.chats.get(chat, {}).values() if it.id > mark)

    def top(self, chat: PeerId) -> int:
        """The newest message of a chat, 0 where it has none."""
        return max(self.chats.get(chat, {}), default=0)

    def apply(self, update: Update) -> None:
        """Something happened."""
        match update:
            case UpdateNewMessage(message=message) | UpdateNewChannelMessage(message=message):
                self.chats.setdefault(message.peer_id, {})[message.id] = message
                self._ids[counted_with(message.peer_id)] = message.id
            case UpdateEditMessage(message=message) | UpdateEditChannelMessage(message=message):
                self.chats[message.peer_id][message.id] = message
            case UpdateDeleteMessages():
                for chat, messages in self.chats.items():
                    if not is_channel(chat):
                        _drop(messages, update.messages)
            case UpdateDeleteChannelMessages():
                _drop(self.chats[update.channel_id], update.messages)
            case UpdatePinnedMessages(peer=chat) | UpdatePinnedChannelMessages(channel_id=chat):
                for id in update.messages:
                    self._pin(chat, id, update.pinned)
            case UpdateReadHistoryInbox(peer=chat) | UpdateReadChannelInbox(channel_id=chat):
                self.read_in[chat] = max(update.max_id, self.read_in.get(chat, 0))
            case UpdateReadHistoryOutbox(peer=chat) | UpdateReadChannelOutbox(channel_id=chat):
                self.read_out[chat] = max(update.max_id, self.read_out.get(chat, 0))
            case UpdateNewEncryptedMessage():
                self.secrets.append(update.message)

    def _pin(self, chat: PeerId, id: int, is_pinned: bool) -> None:
        message = self.chats[chat].get(id)
        if message is not None:
            tags = message.tags | TagFlags.PINNED if is_pinned else message.tags & ~TagFlags.PINNED
            self.chats[chat][id] = replace(message, tags=tags)

    # ----------------------------------------------------------------------------------- comparing

    def wrong_messages(self, tables: Any, chats: Iterable[PeerId]) -> Iterator[str]:
        """Where what a box holds of these chats differs, but for what it says to be missing or old."""
        holes = _holes(tables)
        stored: dict[PeerId, dict[int, Message]] = {}
        for row in tables.message.all():
            stored.setdefault(row.peer_id, {})[row.id] = row
        for chat in chats:
            here, there = stored.get(chat, {}), self.chats.get(chat, {})
            trusted = tables.channel.get(chat).invalidated if is_channel(chat) else 0
            for id in sorted(here.keys() | there.keys()):
                row = here.get(id)
                if any(low <= id <= high for low, high in holes.get(chat, ())) or (
                    row is not None and _version(row) < trusted
                ):
                    continue
                if _seen(row) != _seen(there.get(id)):
                    yield f"message {id} of {chat} is {_seen(row)}, not {_seen(there.get(id))}"

    def wrong_marks(self, tables: Any, chats: Iterable[PeerId]) -> Iterator[str]:
        """Where these chats are not read up to where they should be."""
        for row in tables.read_states.all():
            there = self.read_in.get(row.peer_id, 0), self.read_out.get(row.peer_id, 0)
            if row.peer_id in chats and (row.read_in, row.read_out) != there:
                yield f"{row.peer_id} is read up to {row.read_in}, {row.read_out}, not {there}"

    def wrong_counts(self, tables: Any, chats: Iterable[PeerId]) -> Iterator[str]:
        """Where what is left to read is another number, and nothing says that it may be."""
        doubted = {row.peer_id for row in tables.read_sync.all()}
        for row in tables.read_states.all():
            left = self.unread(row.peer_id, row.read_in)
            if row.peer_id in chats and row.peer_id not in doubted and row.count != left:
                yield f"{row.peer_id} has {row.count} unread, not {left}: {row}"


def counted_with(chat: PeerId) -> int:
    """Chats with users and groups share their ids."""
    return chat if is_channel(chat) else 0


def is_channel(chat: PeerId) -> bool:
    """Whether it counts for itself."""
    return peer_id_namespace(chat) == PeerNamespace.CHANNEL


def is_incoming(message: Message) -> bool:
    """Whether somebody else wrote it."""
    return bool(message.flags & MessageFlags.INCOMING)


def _drop(messages: dict[int, Message], ids: Iterable[int]) -> None:
    for id in ids:
        messages.pop(id, None)


def _holes(tables: Any) -> dict[PeerId, list[tuple[int, int]]]:
    found: dict[PeerId, list[tuple[int, int]]] = {}
    for row in tables.message_holes.all():
        if (row.thread_id, row.namespace, row.label, row.tag) == (0, MessageNamespace.CLOUD, 0, 0):
            found.setdefault(row.peer_id, []).append((row.lower, row.upper))
    return found


def _version(message: Message) -> int:
    """Where the channel stood when this was told; of other chats 0."""
    return next((it.pts for it in message.attributes if isinstance(it, ChannelVersion)), 0)


def _seen(message: Message | None) -> Seen | None:
    if message is None:
        return None
    return (
        message.text,
        message.timestamp,
        message.author_id,
        is_incoming(message),
        bool(message.tags & TagFlags.PINNED),
    )
