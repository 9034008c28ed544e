# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""What the rows of the schema 'messenger' mean for its derived tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pillarbox.expr import bits
from pillarbox.maintainers import TopShape
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell
from pillarbox_messenger import packed, specs
from pillarbox_messenger.keys import (
    associated_peers_key,
    chat_list_key,
    chat_pins_key,
    chat_top_key,
    chats_by_group_key,
    collection_by_id_key,
    collection_infos_key,
    collection_items_key,
    collection_keywords_key,
    contacts_by_name_key,
    contacts_key,
    failed_key,
    global_tags_key,
    inclusions_key,
    item_cache_ages_key,
    item_cache_key,
    local_tags_key,
    message_by_global_id_key,
    message_by_unique_id_key,
    message_ids_key,
    message_key,
    message_prefix_2,
    message_tags_key,
    notification_settings_key,
    peer_counts_key,
    peer_timeouts_key,
    peer_usernames_key,
    peers_key,
    pending_settings_key,
    pin_of_chat_key,
    presence_key,
    presence_until_key,
    read_states_key,
    read_totals_key,
    tag_counts_key,
    thread_list_key,
    thread_list_prefix_1,
    thread_messages_key,
    thread_messages_prefix_3,
    thread_tags_key,
    thread_top_key,
    threads_summary_key,
    unread_chats_key,
    unsent_key,
)
from pillarbox_messenger.types import (
    AssociatedPeers,
    ChatList,
    ChatPins,
    ChatsByGroup,
    ChatTop,
    CollectionById,
    CollectionInfos,
    CollectionItems,
    CollectionKeywords,
    Contacts,
    ContactsByName,
    Failed,
    GlobalTags,
    Inclusions,
    ItemCache,
    ItemCacheAges,
    LocalTags,
    Message,
    MessageByGlobalId,
    MessageByUniqueId,
    MessageIds,
    MessageNamespace,
    MessageTags,
    NotificationSettings,
    PeerNamespace,
    Peers,
    PeerTimeouts,
    PeerUsernames,
    PendingSettings,
    PinOfChat,
    Presence,
    PresenceStatus,
    PresenceUntil,
    ReadStates,
    ThreadList,
    ThreadMessages,
    ThreadTags,
    ThreadTop,
    UnreadChats,
    Unsent,
    peer_id_namespace,
)


def _chat_top_group(row: Message) -> int | None:
    if row.namespace not in (MessageNamespace.CLOUD, MessageNamespace.LOCAL, MessageNamespace.SECRET_IN):
        return None
    return chat_top_key(row.peer_id)


def _chat_top_prefixes(row: Message) -> tuple[bytes, ...]:
    return (
        message_prefix_2(row.peer_id, MessageNamespace.CLOUD),
        message_prefix_2(row.peer_id, MessageNamespace.LOCAL),
        message_prefix_2(row.peer_id, MessageNamespace.SECRET_IN),
    )


def _chat_top_order(row: Message) -> tuple[Any, ...]:
    return (row.timestamp, row.namespace, row.id)


def _chat_top_fold(rows: Sequence[Message]) -> bytes:
    row = rows[0]
    return packed.CHAT_TOP.encode(row.namespace, row.timestamp, row.id, row.author_id, row.flags, row.text)


def _chat_top_stored_order(key: Any, cell: bytes) -> tuple[Any, ...]:
    row = specs.chat_top_row(key, cell)
    return (row.timestamp, row.namespace, row.id)


CHAT_TOP: Final = TopShape[Message](
    first=1,
    group_of=_chat_top_group,
    prefixes_of=_chat_top_prefixes,
    order_of=_chat_top_order,
    fold=_chat_top_fold,
    stored_order=_chat_top_stored_order,
)


def chat_list_rows(row: ChatTop) -> list[tuple[StoredKey, Cell]]:
    """The rows of `chat_list` that a row of `chat_top` stands for."""
    return [(chat_list_key(row.timestamp, row.peer_id), b"")]


def chat_list_source_key(row: ChatList) -> int:
    """The stored key of the row of `chat_top` that a row here stands for."""
    return chat_top_key(row.peer_id)


def chats_by_group_rows(row: Inclusions) -> list[tuple[StoredKey, Cell]]:
    """The rows of `chats_by_group` that a row of `inclusions` stands for."""
    if row.group_id is None:
        return []
    return [(chats_by_group_key(row.group_id, row.peer_id), b"")]


def chats_by_group_source_key(row: ChatsByGroup) -> int:
    """The stored key of the row of `inclusions` that a row here stands for."""
    return inclusions_key(row.peer_id)


def pin_of_chat_rows(row: ChatPins) -> list[tuple[StoredKey, Cell]]:
    """The rows of `pin_of_chat` that a row of `chat_pins` stands for."""
    return [(pin_of_chat_key(row.peer_id), packed.PIN_OF_CHAT.encode(row.group_id, row.position))]


def pin_of_chat_source_key(row: PinOfChat) -> bytes:
    """The stored key of the row of `chat_pins` that a row here stands for."""
    return chat_pins_key(row.group_id, row.position)


def unread_chats_rows(row: ReadStates) -> list[tuple[StoredKey, Cell]]:
    """The rows of `unread_chats` that a row of `read_states` stands for."""
    if row.count <= 0 and not row.marked:
        return []
    return [(unread_chats_key(row.peer_id, row.namespace), packed.UNREAD_CHATS.encode(row.count))]


def unread_chats_source_key(row: UnreadChats) -> bytes:
    """The stored key of the row of `read_states` that a row here stands for."""
    return read_states_key(row.peer_id, row.namespace)


def read_totals_sums(row: ReadStates) -> list[tuple[StoredKey, tuple[int, ...]]]:
    """What a row of `read_states` adds to the groups of `read_totals`."""
    return [(read_totals_key(row.peer_id), (row.count, 1 if row.marked else 0))]


def message_ids_identity_key(row: Message) -> bytes:
    """The stored key of a row's identity in `message_ids`."""
    return message_ids_key(row.peer_id, row.namespace, row.id)


def message_ids_identity_cell(row: Message) -> bytes:
    """The stored value of a row's identity in `message_ids`."""
    return packed.MESSAGE_IDS.encode(row.timestamp, row.flags & 4 != 0)


def message_ids_identity_owner(key: bytes, cell: bytes) -> bytes:
    """The stored key of the row that has an identity in `message_ids`."""
    return message_ids_source_key(specs.message_ids_row(key, cell))


def message_ids_source_key(row: MessageIds) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def message_by_global_id_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `message_by_global_id` that a row of `message` stands for."""
    if (
        peer_id_namespace(row.peer_id) not in (PeerNamespace.USER, PeerNamespace.GROUP)
        or row.namespace != MessageNamespace.CLOUD
    ):
        return []
    return [(message_by_global_id_key(row.id, row.peer_id, row.namespace, row.timestamp), b"")]


def message_by_global_id_source_key(row: MessageByGlobalId) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def message_by_unique_id_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `message_by_unique_id` that a row of `message` stands for."""
    if row.unique_id is None:
        return []
    return [(message_by_unique_id_key(row.peer_id, row.unique_id, row.namespace, row.timestamp, row.id), b"")]


def message_by_unique_id_source_key(row: MessageByUniqueId) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def unsent_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `unsent` that a row of `message` stands for."""
    if not row.flags & 1 or row.flags & 2:
        return []
    return [(unsent_key(row.namespace, row.id, row.peer_id, row.timestamp), b"")]


def unsent_source_key(row: Unsent) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def failed_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `failed` that a row of `message` stands for."""
    if not row.flags & 2:
        return []
    return [(failed_key(row.peer_id, row.namespace, row.id, row.timestamp), b"")]


def failed_source_key(row: Failed) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def message_tags_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `message_tags` that a row of `message` stands for."""
    return [
        (message_tags_key(row.peer_id, tag, row.namespace, row.timestamp, row.id), b"")
        for tag in bits(row.tags)
    ]


def message_tags_source_key(row: MessageTags) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def global_tags_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `global_tags` that a row of `message` stands for."""
    return [
        (global_tags_key(tag, row.timestamp, row.namespace, row.id, row.peer_id), b"")
        for tag in bits(row.global_tags)
    ]


def global_tags_source_key(row: GlobalTags) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def local_tags_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `local_tags` that a row of `message` stands for."""
    return [
        (local_tags_key(tag, row.namespace, row.id, row.peer_id, row.timestamp), b"")
        for tag in bits(row.local_tags)
    ]


def local_tags_source_key(row: LocalTags) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def tag_counts_sums(row: Message) -> list[tuple[StoredKey, tuple[int, ...]]]:
    """What a row of `message` adds to the groups of `tag_counts`."""
    return [
        (tag_counts_key(row.peer_id, row.namespace, tag), (1, 1 if row.flags & 4 else 0))
        for tag in (0, *bits(row.tags))
        if tag == 0 or tag in (1, 2, 4, 8, 16, 128, 32, 1024, 2048)
    ]


def thread_messages_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `thread_messages` that a row of `message` stands for."""
    if row.thread_id is None:
        return []
    return [
        (
            thread_messages_key(row.peer_id, row.thread_id, row.namespace, row.timestamp, row.id),
            packed.THREAD_MESSAGES.encode(row.flags & 4 != 0),
        ),
    ]


def thread_messages_source_key(row: ThreadMessages) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def thread_tags_rows(row: Message) -> list[tuple[StoredKey, Cell]]:
    """The rows of `thread_tags` that a row of `message` stands for."""
    if row.thread_id is None:
        return []
    return [
        (thread_tags_key(row.peer_id, row.thread_id, tag, row.namespace, row.timestamp, row.id), b"")
        for tag in bits(row.tags)
    ]


def thread_tags_source_key(row: ThreadTags) -> bytes:
    """The stored key of the row of `message` that a row here stands for."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


def _thread_top_group(row: ThreadMessages) -> bytes | None:
    if row.namespace not in (MessageNamespace.CLOUD, MessageNamespace.LOCAL, MessageNamespace.SECRET_IN):
        return None
    return thread_top_key(row.peer_id, row.thread_id)


def _thread_top_prefixes(row: ThreadMessages) -> tuple[bytes, ...]:
    return (
        thread_messages_prefix_3(row.peer_id, row.thread_id, MessageNamespace.CLOUD),
        thread_messages_prefix_3(row.peer_id, row.thread_id, MessageNamespace.LOCAL),
        thread_messages_prefix_3(row.peer_id, row.thread_id, MessageNamespace.SECRET_IN),
    )


def _thread_top_order(row: ThreadMessages) -> tuple[Any, ...]:
    return (row.timestamp, row.namespace, row.id)


def _thread_top_fold(rows: Sequence[ThreadMessages]) -> bytes:
    row = rows[0]
    return packed.THREAD_TOP.encode(row.namespace, row.timestamp, row.id)


def _thread_top_stored_order(key: Any, cell: bytes) -> tuple[Any, ...]:
    row = specs.thread_top_row(key, cell)
    return (row.timestamp, row.namespace, row.id)


THREAD_TOP: Final = TopShape[ThreadMessages](
    first=1,
    group_of=_thread_top_group,
    prefixes_of=_thread_top_prefixes,
    order_of=_thread_top_order,
    fold=_thread_top_fold,
    stored_order=_thread_top_stored_order,
)


def thread_list_rows(row: ThreadTop) -> list[tuple[StoredKey, Cell]]:
    """The rows of `thread_list` that a row of `thread_top` stands for."""
    return [(thread_list_key(row.peer_id, row.timestamp, row.thread_id), b"")]


def thread_list_source_key(row: ThreadList) -> bytes:
    """The stored key of the row of `thread_top` that a row here stands for."""
    return thread_top_key(row.peer_id, row.thread_id)


def _threads_summary_group(row: ThreadList) -> int:
    return threads_summary_key(row.peer_id)


def _threads_summary_prefixes(row: ThreadList) -> tuple[bytes, ...]:
    return (thread_list_prefix_1(row.peer_id),)


def _threads_summary_order(row: ThreadList) -> tuple[Any, ...]:
    return (row.timestamp, row.thread_id)


def _threads_summary_fold(rows: Sequence[ThreadList]) -> bytes:
    return packed.THREADS_SUMMARY.encode(
        sum(1 for row in rows if True),
        max(row.timestamp for row in rows),
        min(row.timestamp for row in rows),
    )


THREADS_SUMMARY: Final = TopShape[ThreadList](
    first=20,
    group_of=_threads_summary_group,
    prefixes_of=_threads_summary_prefixes,
    order_of=_threads_summary_order,
    fold=_threads_summary_fold,
    stored_order=None,
)


def peer_usernames_rows(row: Peers) -> list[tuple[StoredKey, Cell]]:
    """The rows of `peer_usernames` that a row of `peers` stands for."""
    return [(peer_usernames_key(username, row.peer_id), b"") for username in row.usernames]


def peer_usernames_source_key(row: PeerUsernames) -> int:
    """The stored key of the row of `peers` that a row here stands for."""
    return peers_key(row.peer_id)


def contacts_rows(row: Peers) -> list[tuple[StoredKey, Cell]]:
    """The rows of `contacts` that a row of `peers` stands for."""
    if not row.flags & 2:
        return []
    return [(contacts_key(row.peer_id), b"")]


def contacts_source_key(row: Contacts) -> int:
    """The stored key of the row of `peers` that a row here stands for."""
    return peers_key(row.peer_id)


def contacts_by_name_rows(row: Peers) -> list[tuple[StoredKey, Cell]]:
    """The rows of `contacts_by_name` that a row of `peers` stands for."""
    if not row.flags & 2:
        return []
    return [(contacts_by_name_key(row.name, row.peer_id), b"")]


def contacts_by_name_source_key(row: ContactsByName) -> int:
    """The stored key of the row of `peers` that a row here stands for."""
    return peers_key(row.peer_id)


def associated_peers_rows(row: Peers) -> list[tuple[StoredKey, Cell]]:
    """The rows of `associated_peers` that a row of `peers` stands for."""
    if row.associated_id is None:
        return []
    return [(associated_peers_key(row.associated_id, row.peer_id), b"")]


def associated_peers_source_key(row: AssociatedPeers) -> int:
    """The stored key of the row of `peers` that a row here stands for."""
    return peers_key(row.peer_id)


def peer_timeouts_rows(row: Peers) -> list[tuple[StoredKey, Cell]]:
    """The rows of `peer_timeouts` that a row of `peers` stands for."""
    if row.timeout_at is None:
        return []
    return [(peer_timeouts_key(row.timeout_at, row.peer_id), b"")]


def peer_timeouts_source_key(row: PeerTimeouts) -> int:
    """The stored key of the row of `peers` that a row here stands for."""
    return peers_key(row.peer_id)


def peer_counts_sums(row: Peers) -> list[tuple[StoredKey, tuple[int, ...]]]:
    """What a row of `peers` adds to the groups of `peer_counts`."""
    return [(peer_counts_key(peer_id_namespace(row.peer_id)), (1, 1 if row.flags & 2 else 0))]


def presence_until_rows(row: Presence) -> list[tuple[StoredKey, Cell]]:
    """The rows of `presence_until` that a row of `presence` stands for."""
    if row.status != PresenceStatus.PRESENT or row.until is None:
        return []
    return [(presence_until_key(row.until, row.peer_id), b"")]


def presence_until_source_key(row: PresenceUntil) -> int:
    """The stored key of the row of `presence` that a row here stands for."""
    return presence_key(row.peer_id)


def pending_settings_rows(row: NotificationSettings) -> list[tuple[StoredKey, Cell]]:
    """The rows of `pending_settings` that a row of `notification_settings` stands for."""
    if row.pending is None:
        return []
    return [(pending_settings_key(row.peer_id), b"")]


def pending_settings_source_key(row: PendingSettings) -> int:
    """The stored key of the row of `notification_settings` that a row here stands for."""
    return notification_settings_key(row.peer_id)


def collection_by_id_rows(row: CollectionInfos) -> list[tuple[StoredKey, Cell]]:
    """The rows of `collection_by_id` that a row of `collection_infos` stands for."""
    return [
        (
            collection_by_id_key(row.namespace, row.collection_id),
            packed.COLLECTION_BY_ID.encode(row.position),
        ),
    ]


def collection_by_id_source_key(row: CollectionById) -> bytes:
    """The stored key of the row of `collection_infos` that a row here stands for."""
    return collection_infos_key(row.namespace, row.position, row.collection_id)


def collection_keywords_rows(row: CollectionItems) -> list[tuple[StoredKey, Cell]]:
    """The rows of `collection_keywords` that a row of `collection_items` stands for."""
    return [
        (collection_keywords_key(row.namespace, keyword, row.collection_id, row.position, row.item_id), b"")
        for keyword in row.keywords
    ]


def collection_keywords_source_key(row: CollectionKeywords) -> bytes:
    """The stored key of the row of `collection_items` that a row here stands for."""
    return collection_items_key(row.namespace, row.collection_id, row.position, row.item_id)


def item_cache_ages_rows(row: ItemCache) -> list[tuple[StoredKey, Cell]]:
    """The rows of `item_cache_ages` that a row of `item_cache` stands for."""
    return [(item_cache_ages_key(row.collection, row.used_at, row.entry), b"")]


def item_cache_ages_source_key(row: ItemCacheAges) -> bytes:
    """The stored key of the row of `item_cache` that a row here stands for."""
    return item_cache_key(row.collection, row.entry)
