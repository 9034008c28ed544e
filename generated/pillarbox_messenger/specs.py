# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""What the store knows of each table of the schema 'messenger'."""

from __future__ import annotations

from typing import Any, Final

from pillarbox.codec import RecordCodec
from pillarbox.storage import TableLayout
from pillarbox.tables import TableSpec
from pillarbox_messenger import packed
from pillarbox_messenger.keys import (
    account_key,
    account_key_fields,
    associated_peers_key,
    associated_peers_key_fields,
    cached_peers_key,
    cached_peers_key_fields,
    channel_key,
    channel_key_fields,
    chat_interface_key,
    chat_interface_key_fields,
    chat_list_key,
    chat_list_key_fields,
    chat_pins_key,
    chat_pins_key_fields,
    chat_top_key,
    chat_top_key_fields,
    chats_by_group_key,
    chats_by_group_key_fields,
    collection_by_id_key,
    collection_by_id_key_fields,
    collection_infos_key,
    collection_infos_key_fields,
    collection_items_key,
    collection_items_key_fields,
    collection_keywords_key,
    collection_keywords_key_fields,
    contacts_by_name_key,
    contacts_by_name_key_fields,
    contacts_key,
    contacts_key_fields,
    failed_key,
    failed_key_fields,
    global_tags_key,
    global_tags_key_fields,
    inclusions_key,
    inclusions_key_fields,
    item_cache_ages_key,
    item_cache_ages_key_fields,
    item_cache_key,
    item_cache_key_fields,
    local_ids_key,
    local_ids_key_fields,
    local_tags_key,
    local_tags_key_fields,
    message_by_global_id_key,
    message_by_global_id_key_fields,
    message_by_unique_id_key,
    message_by_unique_id_key_fields,
    message_ids_key,
    message_ids_key_fields,
    message_key,
    message_key_fields,
    message_tags_key,
    message_tags_key_fields,
    metadata_key,
    metadata_key_fields,
    notices_key,
    notices_key_fields,
    notification_settings_key,
    notification_settings_key_fields,
    peer_counts_key,
    peer_counts_key_fields,
    peer_timeouts_key,
    peer_timeouts_key_fields,
    peer_usernames_key,
    peer_usernames_key_fields,
    peers_key,
    peers_key_fields,
    pending_settings_key,
    pending_settings_key_fields,
    pin_of_chat_key,
    pin_of_chat_key_fields,
    preferences_key,
    preferences_key_fields,
    presence_key,
    presence_key_fields,
    presence_until_key,
    presence_until_key_fields,
    read_states_key,
    read_states_key_fields,
    read_totals_key,
    read_totals_key_fields,
    stable_ids_key,
    stable_ids_key_fields,
    tag_counts_key,
    tag_counts_key_fields,
    thread_list_key,
    thread_list_key_fields,
    thread_messages_key,
    thread_messages_key_fields,
    thread_tags_key,
    thread_tags_key_fields,
    thread_top_key,
    thread_top_key_fields,
    threads_key,
    threads_key_fields,
    threads_summary_key,
    threads_summary_key_fields,
    unread_chats_key,
    unread_chats_key_fields,
    unsent_key,
    unsent_key_fields,
)
from pillarbox_messenger.types import (
    Account,
    AssociatedPeers,
    CachedPeers,
    Channel,
    ChatInterface,
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
    LocalIds,
    LocalTags,
    Message,
    MessageByGlobalId,
    MessageByUniqueId,
    MessageIds,
    MessageNamespace,
    MessageTags,
    Metadata,
    Notices,
    NotificationSettings,
    PeerCounts,
    Peers,
    PeerTimeouts,
    PeerUsernames,
    PendingSettings,
    PinOfChat,
    Preferences,
    Presence,
    PresenceStatus,
    PresenceUntil,
    ReadStates,
    ReadTotals,
    StableIds,
    TagCounts,
    ThreadList,
    ThreadMessages,
    Threads,
    ThreadsSummary,
    ThreadTags,
    ThreadTop,
    UnreadChats,
    Unsent,
)


def _whole(row: Any) -> Any:
    """The cell of a `record` table is the row."""
    return row


def _cell(key: Any, cell: Any) -> Any:
    """The row of a `record` table is the cell."""
    return cell


def _no_bytes(row: Any) -> bytes:
    """The cell of an `empty` table."""
    return b""


_CHAT_INTERFACE: Final = RecordCodec(ChatInterface, "chat_interface")
_MESSAGE: Final = RecordCodec(Message, "message")
_THREADS: Final = RecordCodec(Threads, "threads")
_PEERS: Final = RecordCodec(Peers, "peers")
_CACHED_PEERS: Final = RecordCodec(CachedPeers, "cached_peers")
_NOTIFICATION_SETTINGS: Final = RecordCodec(NotificationSettings, "notification_settings")
_COLLECTION_INFOS: Final = RecordCodec(CollectionInfos, "collection_infos")
_COLLECTION_ITEMS: Final = RecordCodec(CollectionItems, "collection_items")


def chat_top_key_of(row: ChatTop) -> int:
    """The stored key of a row. Raises RangeError."""
    return chat_top_key(row.peer_id)


def chat_top_cell_of(row: ChatTop) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.CHAT_TOP.encode(row.namespace, row.timestamp, row.id, row.author_id, row.flags, row.text)


def chat_top_row(key: int, cell: bytes) -> ChatTop:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    (peer_id,) = chat_top_key_fields(key)
    namespace, timestamp, id, author_id, flags, text = packed.CHAT_TOP.decode(cell)
    return ChatTop(
        peer_id=peer_id,
        namespace=MessageNamespace(namespace),
        timestamp=timestamp,
        id=id,
        author_id=author_id,
        flags=flags,
        text=text,
    )


CHAT_TOP: Final = TableSpec[ChatTop](
    layout=TableLayout(id=120, name="chat_top", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=chat_top_key_of,
    cell_of=chat_top_cell_of,
    row=chat_top_row,
    key_fields=chat_top_key_fields,
)


def chat_list_key_of(row: ChatList) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return chat_list_key(row.timestamp, row.peer_id)


def chat_list_row(key: bytes, cell: bytes) -> ChatList:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ChatList(*chat_list_key_fields(key))


CHAT_LIST: Final = TableSpec[ChatList](
    layout=TableLayout(id=9, name="chat_list", int_key=False, key_width=12, heap=False),
    role="derived",
    key_of=chat_list_key_of,
    cell_of=_no_bytes,
    row=chat_list_row,
    key_fields=chat_list_key_fields,
)


def inclusions_key_of(row: Inclusions) -> int:
    """The stored key of a row. Raises RangeError."""
    return inclusions_key(row.peer_id)


def inclusions_cell_of(row: Inclusions) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.INCLUSIONS.encode(row.group_id, row.min_timestamp)


def inclusions_row(key: int, cell: bytes) -> Inclusions:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Inclusions(*inclusions_key_fields(key), *packed.INCLUSIONS.decode(cell))


INCLUSIONS: Final = TableSpec[Inclusions](
    layout=TableLayout(id=8, name="inclusions", int_key=True, key_width=None, heap=False),
    role="primary",
    key_of=inclusions_key_of,
    cell_of=inclusions_cell_of,
    row=inclusions_row,
    key_fields=inclusions_key_fields,
)


def chats_by_group_key_of(row: ChatsByGroup) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return chats_by_group_key(row.group_id, row.peer_id)


def chats_by_group_row(key: bytes, cell: bytes) -> ChatsByGroup:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ChatsByGroup(*chats_by_group_key_fields(key))


CHATS_BY_GROUP: Final = TableSpec[ChatsByGroup](
    layout=TableLayout(id=121, name="chats_by_group", int_key=False, key_width=12, heap=False),
    role="derived",
    key_of=chats_by_group_key_of,
    cell_of=_no_bytes,
    row=chats_by_group_row,
    key_fields=chats_by_group_key_fields,
)


def chat_pins_key_of(row: ChatPins) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return chat_pins_key(row.group_id, row.position)


def chat_pins_cell_of(row: ChatPins) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.CHAT_PINS.encode(row.peer_id)


def chat_pins_row(key: bytes, cell: bytes) -> ChatPins:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return ChatPins(*chat_pins_key_fields(key), *packed.CHAT_PINS.decode(cell))


CHAT_PINS: Final = TableSpec[ChatPins](
    layout=TableLayout(id=123, name="chat_pins", int_key=False, key_width=8, heap=False),
    role="primary",
    key_of=chat_pins_key_of,
    cell_of=chat_pins_cell_of,
    row=chat_pins_row,
    key_fields=chat_pins_key_fields,
)


def pin_of_chat_key_of(row: PinOfChat) -> int:
    """The stored key of a row. Raises RangeError."""
    return pin_of_chat_key(row.peer_id)


def pin_of_chat_cell_of(row: PinOfChat) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.PIN_OF_CHAT.encode(row.group_id, row.position)


def pin_of_chat_row(key: int, cell: bytes) -> PinOfChat:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return PinOfChat(*pin_of_chat_key_fields(key), *packed.PIN_OF_CHAT.decode(cell))


PIN_OF_CHAT: Final = TableSpec[PinOfChat](
    layout=TableLayout(id=124, name="pin_of_chat", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=pin_of_chat_key_of,
    cell_of=pin_of_chat_cell_of,
    row=pin_of_chat_row,
    key_fields=pin_of_chat_key_fields,
)


def chat_interface_key_of(row: ChatInterface) -> int:
    """The stored key of a row. Raises RangeError."""
    return chat_interface_key(row.peer_id)


CHAT_INTERFACE: Final = TableSpec[ChatInterface](
    layout=TableLayout(id=67, name="chat_interface", int_key=True, key_width=None, heap=False),
    role="primary",
    key_of=chat_interface_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_CHAT_INTERFACE.encode,
    decode=_CHAT_INTERFACE.decode,
    key_fields=chat_interface_key_fields,
)


def read_states_key_of(row: ReadStates) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return read_states_key(row.peer_id, row.namespace)


def read_states_cell_of(row: ReadStates) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.READ_STATES.encode(row.read_in, row.read_out, row.known_to, row.count, row.marked)


def read_states_row(key: bytes, cell: bytes) -> ReadStates:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return ReadStates(*read_states_key_fields(key), *packed.READ_STATES.decode(cell))


READ_STATES: Final = TableSpec[ReadStates](
    layout=TableLayout(id=14, name="read_states", int_key=False, key_width=12, heap=False),
    role="primary",
    key_of=read_states_key_of,
    cell_of=read_states_cell_of,
    row=read_states_row,
    key_fields=read_states_key_fields,
)


def unread_chats_key_of(row: UnreadChats) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return unread_chats_key(row.peer_id, row.namespace)


def unread_chats_cell_of(row: UnreadChats) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.UNREAD_CHATS.encode(row.count)


def unread_chats_row(key: bytes, cell: bytes) -> UnreadChats:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return UnreadChats(*unread_chats_key_fields(key), *packed.UNREAD_CHATS.decode(cell))


UNREAD_CHATS: Final = TableSpec[UnreadChats](
    layout=TableLayout(id=125, name="unread_chats", int_key=False, key_width=12, heap=False),
    role="derived",
    key_of=unread_chats_key_of,
    cell_of=unread_chats_cell_of,
    row=unread_chats_row,
    key_fields=unread_chats_key_fields,
)


def read_totals_key_of(row: ReadTotals) -> int:
    """The stored key of a row. Raises RangeError."""
    return read_totals_key(row.peer_id)


def read_totals_cell_of(row: ReadTotals) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.READ_TOTALS.encode(row.count, row.marked)


def read_totals_row(key: int, cell: bytes) -> ReadTotals:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return ReadTotals(*read_totals_key_fields(key), *packed.READ_TOTALS.decode(cell))


READ_TOTALS: Final = TableSpec[ReadTotals](
    layout=TableLayout(id=126, name="read_totals", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=read_totals_key_of,
    cell_of=read_totals_cell_of,
    row=read_totals_row,
    key_fields=read_totals_key_fields,
)


def message_key_of(row: Message) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return message_key(row.peer_id, row.namespace, row.timestamp, row.id)


MESSAGE: Final = TableSpec[Message](
    layout=TableLayout(id=7, name="message", int_key=False, key_width=20, heap=True),
    role="primary",
    key_of=message_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_MESSAGE.encode,
    decode=_MESSAGE.decode,
    key_fields=message_key_fields,
)


def message_ids_key_of(row: MessageIds) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return message_ids_key(row.peer_id, row.namespace, row.id)


def message_ids_cell_of(row: MessageIds) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.MESSAGE_IDS.encode(row.timestamp, row.incoming)


def message_ids_row(key: bytes, cell: bytes) -> MessageIds:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return MessageIds(*message_ids_key_fields(key), *packed.MESSAGE_IDS.decode(cell))


MESSAGE_IDS: Final = TableSpec[MessageIds](
    layout=TableLayout(id=4, name="message_ids", int_key=False, key_width=16, heap=False),
    role="derived",
    key_of=message_ids_key_of,
    cell_of=message_ids_cell_of,
    row=message_ids_row,
    key_fields=message_ids_key_fields,
)


def message_by_global_id_key_of(row: MessageByGlobalId) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return message_by_global_id_key(row.id, row.peer_id, row.namespace, row.timestamp)


def message_by_global_id_row(key: bytes, cell: bytes) -> MessageByGlobalId:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return MessageByGlobalId(*message_by_global_id_key_fields(key))


MESSAGE_BY_GLOBAL_ID: Final = TableSpec[MessageByGlobalId](
    layout=TableLayout(id=3, name="message_by_global_id", int_key=False, key_width=20, heap=False),
    role="derived",
    key_of=message_by_global_id_key_of,
    cell_of=_no_bytes,
    row=message_by_global_id_row,
    key_fields=message_by_global_id_key_fields,
)


def message_by_unique_id_key_of(row: MessageByUniqueId) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return message_by_unique_id_key(row.peer_id, row.unique_id, row.namespace, row.timestamp, row.id)


def message_by_unique_id_row(key: bytes, cell: bytes) -> MessageByUniqueId:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return MessageByUniqueId(*message_by_unique_id_key_fields(key))


MESSAGE_BY_UNIQUE_ID: Final = TableSpec[MessageByUniqueId](
    layout=TableLayout(id=32, name="message_by_unique_id", int_key=False, key_width=28, heap=False),
    role="derived",
    key_of=message_by_unique_id_key_of,
    cell_of=_no_bytes,
    row=message_by_unique_id_row,
    key_fields=message_by_unique_id_key_fields,
)


def unsent_key_of(row: Unsent) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return unsent_key(row.namespace, row.id, row.peer_id, row.timestamp)


def unsent_row(key: bytes, cell: bytes) -> Unsent:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return Unsent(*unsent_key_fields(key))


UNSENT: Final = TableSpec[Unsent](
    layout=TableLayout(id=11, name="unsent", int_key=False, key_width=20, heap=False),
    role="derived",
    key_of=unsent_key_of,
    cell_of=_no_bytes,
    row=unsent_row,
    key_fields=unsent_key_fields,
)


def failed_key_of(row: Failed) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return failed_key(row.peer_id, row.namespace, row.id, row.timestamp)


def failed_row(key: bytes, cell: bytes) -> Failed:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return Failed(*failed_key_fields(key))


FAILED: Final = TableSpec[Failed](
    layout=TableLayout(id=49, name="failed", int_key=False, key_width=20, heap=False),
    role="derived",
    key_of=failed_key_of,
    cell_of=_no_bytes,
    row=failed_row,
    key_fields=failed_key_fields,
)


def message_tags_key_of(row: MessageTags) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return message_tags_key(row.peer_id, row.tag, row.namespace, row.timestamp, row.id)


def message_tags_row(key: bytes, cell: bytes) -> MessageTags:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return MessageTags(*message_tags_key_fields(key))


MESSAGE_TAGS: Final = TableSpec[MessageTags](
    layout=TableLayout(id=12, name="message_tags", int_key=False, key_width=24, heap=False),
    role="derived",
    key_of=message_tags_key_of,
    cell_of=_no_bytes,
    row=message_tags_row,
    key_fields=message_tags_key_fields,
)


def global_tags_key_of(row: GlobalTags) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return global_tags_key(row.tag, row.timestamp, row.namespace, row.id, row.peer_id)


def global_tags_row(key: bytes, cell: bytes) -> GlobalTags:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return GlobalTags(*global_tags_key_fields(key))


GLOBAL_TAGS: Final = TableSpec[GlobalTags](
    layout=TableLayout(id=39, name="global_tags", int_key=False, key_width=24, heap=False),
    role="derived",
    key_of=global_tags_key_of,
    cell_of=_no_bytes,
    row=global_tags_row,
    key_fields=global_tags_key_fields,
)


def local_tags_key_of(row: LocalTags) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return local_tags_key(row.tag, row.namespace, row.id, row.peer_id, row.timestamp)


def local_tags_row(key: bytes, cell: bytes) -> LocalTags:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return LocalTags(*local_tags_key_fields(key))


LOCAL_TAGS: Final = TableSpec[LocalTags](
    layout=TableLayout(id=52, name="local_tags", int_key=False, key_width=24, heap=False),
    role="derived",
    key_of=local_tags_key_of,
    cell_of=_no_bytes,
    row=local_tags_row,
    key_fields=local_tags_key_fields,
)


def tag_counts_key_of(row: TagCounts) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return tag_counts_key(row.peer_id, row.namespace, row.tag)


def tag_counts_cell_of(row: TagCounts) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.TAG_COUNTS.encode(row.count, row.incoming)


def tag_counts_row(key: bytes, cell: bytes) -> TagCounts:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return TagCounts(*tag_counts_key_fields(key), *packed.TAG_COUNTS.decode(cell))


TAG_COUNTS: Final = TableSpec[TagCounts](
    layout=TableLayout(id=44, name="tag_counts", int_key=False, key_width=16, heap=False),
    role="derived",
    key_of=tag_counts_key_of,
    cell_of=tag_counts_cell_of,
    row=tag_counts_row,
    key_fields=tag_counts_key_fields,
)


def thread_messages_key_of(row: ThreadMessages) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return thread_messages_key(row.peer_id, row.thread_id, row.namespace, row.timestamp, row.id)


def thread_messages_cell_of(row: ThreadMessages) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.THREAD_MESSAGES.encode(row.incoming)


def thread_messages_row(key: bytes, cell: bytes) -> ThreadMessages:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return ThreadMessages(*thread_messages_key_fields(key), *packed.THREAD_MESSAGES.decode(cell))


THREAD_MESSAGES: Final = TableSpec[ThreadMessages](
    layout=TableLayout(id=62, name="thread_messages", int_key=False, key_width=28, heap=False),
    role="derived",
    key_of=thread_messages_key_of,
    cell_of=thread_messages_cell_of,
    row=thread_messages_row,
    key_fields=thread_messages_key_fields,
)


def thread_tags_key_of(row: ThreadTags) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return thread_tags_key(row.peer_id, row.thread_id, row.tag, row.namespace, row.timestamp, row.id)


def thread_tags_row(key: bytes, cell: bytes) -> ThreadTags:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ThreadTags(*thread_tags_key_fields(key))


THREAD_TAGS: Final = TableSpec[ThreadTags](
    layout=TableLayout(id=71, name="thread_tags", int_key=False, key_width=32, heap=False),
    role="derived",
    key_of=thread_tags_key_of,
    cell_of=_no_bytes,
    row=thread_tags_row,
    key_fields=thread_tags_key_fields,
)


def threads_key_of(row: Threads) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return threads_key(row.peer_id, row.thread_id)


THREADS: Final = TableSpec[Threads](
    layout=TableLayout(id=73, name="threads", int_key=False, key_width=16, heap=False),
    role="primary",
    key_of=threads_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_THREADS.encode,
    decode=_THREADS.decode,
    key_fields=threads_key_fields,
)


def thread_top_key_of(row: ThreadTop) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return thread_top_key(row.peer_id, row.thread_id)


def thread_top_cell_of(row: ThreadTop) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.THREAD_TOP.encode(row.namespace, row.timestamp, row.id)


def thread_top_row(key: bytes, cell: bytes) -> ThreadTop:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    peer_id, thread_id = thread_top_key_fields(key)
    namespace, timestamp, id = packed.THREAD_TOP.decode(cell)
    return ThreadTop(
        peer_id=peer_id,
        thread_id=thread_id,
        namespace=MessageNamespace(namespace),
        timestamp=timestamp,
        id=id,
    )


THREAD_TOP: Final = TableSpec[ThreadTop](
    layout=TableLayout(id=122, name="thread_top", int_key=False, key_width=16, heap=False),
    role="derived",
    key_of=thread_top_key_of,
    cell_of=thread_top_cell_of,
    row=thread_top_row,
    key_fields=thread_top_key_fields,
)


def thread_list_key_of(row: ThreadList) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return thread_list_key(row.peer_id, row.timestamp, row.thread_id)


def thread_list_row(key: bytes, cell: bytes) -> ThreadList:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ThreadList(*thread_list_key_fields(key))


THREAD_LIST: Final = TableSpec[ThreadList](
    layout=TableLayout(id=72, name="thread_list", int_key=False, key_width=20, heap=False),
    role="derived",
    key_of=thread_list_key_of,
    cell_of=_no_bytes,
    row=thread_list_row,
    key_fields=thread_list_key_fields,
)


def threads_summary_key_of(row: ThreadsSummary) -> int:
    """The stored key of a row. Raises RangeError."""
    return threads_summary_key(row.peer_id)


def threads_summary_cell_of(row: ThreadsSummary) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.THREADS_SUMMARY.encode(row.shown, row.newest, row.oldest)


def threads_summary_row(key: int, cell: bytes) -> ThreadsSummary:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return ThreadsSummary(*threads_summary_key_fields(key), *packed.THREADS_SUMMARY.decode(cell))


THREADS_SUMMARY: Final = TableSpec[ThreadsSummary](
    layout=TableLayout(id=75, name="threads_summary", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=threads_summary_key_of,
    cell_of=threads_summary_cell_of,
    row=threads_summary_row,
    key_fields=threads_summary_key_fields,
)


def peers_key_of(row: Peers) -> int:
    """The stored key of a row. Raises RangeError."""
    return peers_key(row.peer_id)


PEERS: Final = TableSpec[Peers](
    layout=TableLayout(id=2, name="peers", int_key=True, key_width=None, heap=False),
    role="primary",
    key_of=peers_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_PEERS.encode,
    decode=_PEERS.decode,
    key_fields=peers_key_fields,
)


def peer_usernames_key_of(row: PeerUsernames) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return peer_usernames_key(row.username, row.peer_id)


def peer_usernames_row(key: bytes, cell: bytes) -> PeerUsernames:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return PeerUsernames(*peer_usernames_key_fields(key))


PEER_USERNAMES: Final = TableSpec[PeerUsernames](
    layout=TableLayout(id=26, name="peer_usernames", int_key=False, key_width=None, heap=False),
    role="derived",
    key_of=peer_usernames_key_of,
    cell_of=_no_bytes,
    row=peer_usernames_row,
    key_fields=peer_usernames_key_fields,
)


def contacts_key_of(row: Contacts) -> int:
    """The stored key of a row. Raises RangeError."""
    return contacts_key(row.peer_id)


def contacts_row(key: int, cell: bytes) -> Contacts:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return Contacts(*contacts_key_fields(key))


CONTACTS: Final = TableSpec[Contacts](
    layout=TableLayout(id=16, name="contacts", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=contacts_key_of,
    cell_of=_no_bytes,
    row=contacts_row,
    key_fields=contacts_key_fields,
)


def contacts_by_name_key_of(row: ContactsByName) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return contacts_by_name_key(row.name, row.peer_id)


def contacts_by_name_row(key: bytes, cell: bytes) -> ContactsByName:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ContactsByName(*contacts_by_name_key_fields(key))


CONTACTS_BY_NAME: Final = TableSpec[ContactsByName](
    layout=TableLayout(id=27, name="contacts_by_name", int_key=False, key_width=None, heap=False),
    role="derived",
    key_of=contacts_by_name_key_of,
    cell_of=_no_bytes,
    row=contacts_by_name_row,
    key_fields=contacts_by_name_key_fields,
)


def associated_peers_key_of(row: AssociatedPeers) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return associated_peers_key(row.associated_id, row.peer_id)


def associated_peers_row(key: bytes, cell: bytes) -> AssociatedPeers:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return AssociatedPeers(*associated_peers_key_fields(key))


ASSOCIATED_PEERS: Final = TableSpec[AssociatedPeers](
    layout=TableLayout(id=40, name="associated_peers", int_key=False, key_width=16, heap=False),
    role="derived",
    key_of=associated_peers_key_of,
    cell_of=_no_bytes,
    row=associated_peers_row,
    key_fields=associated_peers_key_fields,
)


def peer_timeouts_key_of(row: PeerTimeouts) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return peer_timeouts_key(row.timeout_at, row.peer_id)


def peer_timeouts_row(key: bytes, cell: bytes) -> PeerTimeouts:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return PeerTimeouts(*peer_timeouts_key_fields(key))


PEER_TIMEOUTS: Final = TableSpec[PeerTimeouts](
    layout=TableLayout(id=64, name="peer_timeouts", int_key=False, key_width=12, heap=False),
    role="derived",
    key_of=peer_timeouts_key_of,
    cell_of=_no_bytes,
    row=peer_timeouts_row,
    key_fields=peer_timeouts_key_fields,
)


def peer_counts_key_of(row: PeerCounts) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return peer_counts_key(row.kind)


def peer_counts_cell_of(row: PeerCounts) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.PEER_COUNTS.encode(row.peers, row.contacts)


def peer_counts_row(key: bytes, cell: bytes) -> PeerCounts:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return PeerCounts(*peer_counts_key_fields(key), *packed.PEER_COUNTS.decode(cell))


PEER_COUNTS: Final = TableSpec[PeerCounts](
    layout=TableLayout(id=127, name="peer_counts", int_key=False, key_width=1, heap=False),
    role="derived",
    key_of=peer_counts_key_of,
    cell_of=peer_counts_cell_of,
    row=peer_counts_row,
    key_fields=peer_counts_key_fields,
)


def cached_peers_key_of(row: CachedPeers) -> int:
    """The stored key of a row. Raises RangeError."""
    return cached_peers_key(row.peer_id)


CACHED_PEERS: Final = TableSpec[CachedPeers](
    layout=TableLayout(id=18, name="cached_peers", int_key=True, key_width=None, heap=False),
    role="primary",
    key_of=cached_peers_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_CACHED_PEERS.encode,
    decode=_CACHED_PEERS.decode,
    key_fields=cached_peers_key_fields,
)


def presence_key_of(row: Presence) -> int:
    """The stored key of a row. Raises RangeError."""
    return presence_key(row.peer_id)


def presence_cell_of(row: Presence) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.PRESENCE.encode(row.status, row.until, row.last_activity)


def presence_row(key: int, cell: bytes) -> Presence:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    (peer_id,) = presence_key_fields(key)
    status, until, last_activity = packed.PRESENCE.decode(cell)
    return Presence(peer_id=peer_id, status=PresenceStatus(status), until=until, last_activity=last_activity)


PRESENCE: Final = TableSpec[Presence](
    layout=TableLayout(id=20, name="presence", int_key=True, key_width=None, heap=False),
    role="primary",
    key_of=presence_key_of,
    cell_of=presence_cell_of,
    row=presence_row,
    key_fields=presence_key_fields,
)


def presence_until_key_of(row: PresenceUntil) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return presence_until_key(row.until, row.peer_id)


def presence_until_row(key: bytes, cell: bytes) -> PresenceUntil:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return PresenceUntil(*presence_until_key_fields(key))


PRESENCE_UNTIL: Final = TableSpec[PresenceUntil](
    layout=TableLayout(id=128, name="presence_until", int_key=False, key_width=12, heap=False),
    role="derived",
    key_of=presence_until_key_of,
    cell_of=_no_bytes,
    row=presence_until_row,
    key_fields=presence_until_key_fields,
)


def notification_settings_key_of(row: NotificationSettings) -> int:
    """The stored key of a row. Raises RangeError."""
    return notification_settings_key(row.peer_id)


NOTIFICATION_SETTINGS: Final = TableSpec[NotificationSettings](
    layout=TableLayout(id=19, name="notification_settings", int_key=True, key_width=None, heap=False),
    role="primary",
    key_of=notification_settings_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_NOTIFICATION_SETTINGS.encode,
    decode=_NOTIFICATION_SETTINGS.decode,
    key_fields=notification_settings_key_fields,
)


def pending_settings_key_of(row: PendingSettings) -> int:
    """The stored key of a row. Raises RangeError."""
    return pending_settings_key(row.peer_id)


def pending_settings_row(key: int, cell: bytes) -> PendingSettings:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return PendingSettings(*pending_settings_key_fields(key))


PENDING_SETTINGS: Final = TableSpec[PendingSettings](
    layout=TableLayout(id=48, name="pending_settings", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=pending_settings_key_of,
    cell_of=_no_bytes,
    row=pending_settings_row,
    key_fields=pending_settings_key_fields,
)


def metadata_key_of(row: Metadata) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return metadata_key(row.item)


def metadata_cell_of(row: Metadata) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.METADATA.encode(row.number, row.data)


def metadata_row(key: bytes, cell: bytes) -> Metadata:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Metadata(*metadata_key_fields(key), *packed.METADATA.decode(cell))


METADATA: Final = TableSpec[Metadata](
    layout=TableLayout(id=0, name="metadata", int_key=False, key_width=4, heap=False),
    role="primary",
    key_of=metadata_key_of,
    cell_of=metadata_cell_of,
    row=metadata_row,
    key_fields=metadata_key_fields,
)


def preferences_key_of(row: Preferences) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return preferences_key(row.item)


def preferences_cell_of(row: Preferences) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.PREFERENCES.encode(row.value)


def preferences_row(key: bytes, cell: bytes) -> Preferences:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Preferences(*preferences_key_fields(key), *packed.PREFERENCES.decode(cell))


PREFERENCES: Final = TableSpec[Preferences](
    layout=TableLayout(id=35, name="preferences", int_key=False, key_width=4, heap=False),
    role="primary",
    key_of=preferences_key_of,
    cell_of=preferences_cell_of,
    row=preferences_row,
    key_fields=preferences_key_fields,
)


def notices_key_of(row: Notices) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return notices_key(row.namespace, row.notice)


def notices_cell_of(row: Notices) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.NOTICES.encode(row.value, row.until)


def notices_row(key: bytes, cell: bytes) -> Notices:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Notices(*notices_key_fields(key), *packed.NOTICES.decode(cell))


NOTICES: Final = TableSpec[Notices](
    layout=TableLayout(id=43, name="notices", int_key=False, key_width=None, heap=False),
    role="primary",
    key_of=notices_key_of,
    cell_of=notices_cell_of,
    row=notices_row,
    key_fields=notices_key_fields,
)


def collection_infos_key_of(row: CollectionInfos) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return collection_infos_key(row.namespace, row.position, row.collection_id)


COLLECTION_INFOS: Final = TableSpec[CollectionInfos](
    layout=TableLayout(id=21, name="collection_infos", int_key=False, key_width=16, heap=False),
    role="primary",
    key_of=collection_infos_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_COLLECTION_INFOS.encode,
    decode=_COLLECTION_INFOS.decode,
    key_fields=collection_infos_key_fields,
)


def collection_by_id_key_of(row: CollectionById) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return collection_by_id_key(row.namespace, row.collection_id)


def collection_by_id_cell_of(row: CollectionById) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.COLLECTION_BY_ID.encode(row.position)


def collection_by_id_row(key: bytes, cell: bytes) -> CollectionById:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return CollectionById(*collection_by_id_key_fields(key), *packed.COLLECTION_BY_ID.decode(cell))


COLLECTION_BY_ID: Final = TableSpec[CollectionById](
    layout=TableLayout(id=129, name="collection_by_id", int_key=False, key_width=12, heap=False),
    role="derived",
    key_of=collection_by_id_key_of,
    cell_of=collection_by_id_cell_of,
    row=collection_by_id_row,
    key_fields=collection_by_id_key_fields,
)


def collection_items_key_of(row: CollectionItems) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return collection_items_key(row.namespace, row.collection_id, row.position, row.item_id)


COLLECTION_ITEMS: Final = TableSpec[CollectionItems](
    layout=TableLayout(id=22, name="collection_items", int_key=False, key_width=24, heap=True),
    role="primary",
    key_of=collection_items_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_COLLECTION_ITEMS.encode,
    decode=_COLLECTION_ITEMS.decode,
    key_fields=collection_items_key_fields,
)


def collection_keywords_key_of(row: CollectionKeywords) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return collection_keywords_key(row.namespace, row.keyword, row.collection_id, row.position, row.item_id)


def collection_keywords_row(key: bytes, cell: bytes) -> CollectionKeywords:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return CollectionKeywords(*collection_keywords_key_fields(key))


COLLECTION_KEYWORDS: Final = TableSpec[CollectionKeywords](
    layout=TableLayout(id=36, name="collection_keywords", int_key=False, key_width=None, heap=False),
    role="derived",
    key_of=collection_keywords_key_of,
    cell_of=_no_bytes,
    row=collection_keywords_row,
    key_fields=collection_keywords_key_fields,
)


def item_cache_key_of(row: ItemCache) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return item_cache_key(row.collection, row.entry)


def item_cache_cell_of(row: ItemCache) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.ITEM_CACHE.encode(row.value, row.used_at)


def item_cache_row(key: bytes, cell: bytes) -> ItemCache:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return ItemCache(*item_cache_key_fields(key), *packed.ITEM_CACHE.decode(cell))


ITEM_CACHE: Final = TableSpec[ItemCache](
    layout=TableLayout(id=25, name="item_cache", int_key=False, key_width=None, heap=False),
    role="primary",
    key_of=item_cache_key_of,
    cell_of=item_cache_cell_of,
    row=item_cache_row,
    key_fields=item_cache_key_fields,
)


def item_cache_ages_key_of(row: ItemCacheAges) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return item_cache_ages_key(row.collection, row.used_at, row.entry)


def item_cache_ages_row(key: bytes, cell: bytes) -> ItemCacheAges:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ItemCacheAges(*item_cache_ages_key_fields(key))


ITEM_CACHE_AGES: Final = TableSpec[ItemCacheAges](
    layout=TableLayout(id=24, name="item_cache_ages", int_key=False, key_width=None, heap=False),
    role="derived",
    key_of=item_cache_ages_key_of,
    cell_of=_no_bytes,
    row=item_cache_ages_row,
    key_fields=item_cache_ages_key_fields,
)


def stable_ids_key_of(row: StableIds) -> int:
    """The stored key of a row. Raises RangeError."""
    return stable_ids_key(row.peer_id)


def stable_ids_cell_of(row: StableIds) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.STABLE_IDS.encode(row.next)


def stable_ids_row(key: int, cell: bytes) -> StableIds:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return StableIds(*stable_ids_key_fields(key), *packed.STABLE_IDS.decode(cell))


STABLE_IDS: Final = TableSpec[StableIds](
    layout=TableLayout(id=301, name="stable_ids", int_key=True, key_width=None, heap=False),
    role="sequence",
    key_of=stable_ids_key_of,
    cell_of=stable_ids_cell_of,
    row=stable_ids_row,
    key_fields=stable_ids_key_fields,
)


def local_ids_key_of(row: LocalIds) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return local_ids_key(row.peer_id, row.namespace)


def local_ids_cell_of(row: LocalIds) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.LOCAL_IDS.encode(row.next)


def local_ids_row(key: bytes, cell: bytes) -> LocalIds:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return LocalIds(*local_ids_key_fields(key), *packed.LOCAL_IDS.decode(cell))


LOCAL_IDS: Final = TableSpec[LocalIds](
    layout=TableLayout(id=302, name="local_ids", int_key=False, key_width=12, heap=False),
    role="sequence",
    key_of=local_ids_key_of,
    cell_of=local_ids_cell_of,
    row=local_ids_row,
    key_fields=local_ids_key_fields,
)


def account_key_of(row: Account) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return account_key()


def account_cell_of(row: Account) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.ACCOUNT.encode(row.pts, row.qts, row.seq, row.date)


def account_row(key: bytes, cell: bytes) -> Account:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Account(*account_key_fields(key), *packed.ACCOUNT.decode(cell))


ACCOUNT: Final = TableSpec[Account](
    layout=TableLayout(id=310, name="account", int_key=False, key_width=0, heap=False),
    role="cursor",
    key_of=account_key_of,
    cell_of=account_cell_of,
    row=account_row,
    key_fields=account_key_fields,
)


def channel_key_of(row: Channel) -> int:
    """The stored key of a row. Raises RangeError."""
    return channel_key(row.peer_id)


def channel_cell_of(row: Channel) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.CHANNEL.encode(row.pts)


def channel_row(key: int, cell: bytes) -> Channel:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Channel(*channel_key_fields(key), *packed.CHANNEL.decode(cell))


CHANNEL: Final = TableSpec[Channel](
    layout=TableLayout(id=13, name="channel", int_key=True, key_width=None, heap=False),
    role="cursor",
    key_of=channel_key_of,
    cell_of=channel_cell_of,
    row=channel_row,
    key_fields=channel_key_fields,
)


ALL: Final[tuple[TableSpec[Any], ...]] = (
    CHAT_TOP,
    CHAT_LIST,
    INCLUSIONS,
    CHATS_BY_GROUP,
    CHAT_PINS,
    PIN_OF_CHAT,
    CHAT_INTERFACE,
    READ_STATES,
    UNREAD_CHATS,
    READ_TOTALS,
    MESSAGE,
    MESSAGE_IDS,
    MESSAGE_BY_GLOBAL_ID,
    MESSAGE_BY_UNIQUE_ID,
    UNSENT,
    FAILED,
    MESSAGE_TAGS,
    GLOBAL_TAGS,
    LOCAL_TAGS,
    TAG_COUNTS,
    THREAD_MESSAGES,
    THREAD_TAGS,
    THREADS,
    THREAD_TOP,
    THREAD_LIST,
    THREADS_SUMMARY,
    PEERS,
    PEER_USERNAMES,
    CONTACTS,
    CONTACTS_BY_NAME,
    ASSOCIATED_PEERS,
    PEER_TIMEOUTS,
    PEER_COUNTS,
    CACHED_PEERS,
    PRESENCE,
    PRESENCE_UNTIL,
    NOTIFICATION_SETTINGS,
    PENDING_SETTINGS,
    METADATA,
    PREFERENCES,
    NOTICES,
    COLLECTION_INFOS,
    COLLECTION_BY_ID,
    COLLECTION_ITEMS,
    COLLECTION_KEYWORDS,
    ITEM_CACHE,
    ITEM_CACHE_AGES,
    STABLE_IDS,
    LOCAL_IDS,
    ACCOUNT,
    CHANNEL,
)
