# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The tables of the schema 'messenger'.

A reader reads the last commit. Inside a transaction its table sees the transaction's own writes as well; what
derived tables hold is brought up to date when they are read.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pillarbox.codec import successor
from pillarbox.maintainers import Identity, SequenceTable
from pillarbox.storage import Engine
from pillarbox.tables import DerivedTable, Put, TableReader, TableWriter, TouchLog
from pillarbox_messenger import packed, specs
from pillarbox_messenger.checks import (
    check_cached_peers,
    check_chat_interface,
    check_collection_infos,
    check_collection_items,
    check_message,
    check_notification_settings,
    check_peers,
    check_threads,
)
from pillarbox_messenger.keys import (
    AssociatedPeersKey,
    ChatListKey,
    ChatPinsKey,
    ChatsByGroupKey,
    CollectionByIdKey,
    CollectionInfosKey,
    CollectionItemsKey,
    CollectionKeywordsKey,
    ContactsByNameKey,
    FailedKey,
    GlobalTagsKey,
    ItemCacheAgesKey,
    ItemCacheKey,
    LocalIdsKey,
    LocalTagsKey,
    MessageByGlobalIdKey,
    MessageByUniqueIdKey,
    MessageIdsKey,
    MessageKey,
    MessageTagsKey,
    NoticesKey,
    PeerTimeoutsKey,
    PeerUsernamesKey,
    PresenceUntilKey,
    ReadStatesKey,
    TagCountsKey,
    ThreadListKey,
    ThreadMessagesKey,
    ThreadsKey,
    ThreadTagsKey,
    ThreadTopKey,
    UnreadChatsKey,
    UnsentKey,
    account_key,
    associated_peers_key,
    associated_peers_prefix_1,
    cached_peers_key,
    channel_key,
    chat_interface_key,
    chat_list_key,
    chat_list_prefix_1,
    chat_pins_key,
    chat_pins_prefix_1,
    chat_top_key,
    chats_by_group_key,
    chats_by_group_prefix_1,
    collection_by_id_key,
    collection_by_id_prefix_1,
    collection_infos_key,
    collection_infos_prefix_1,
    collection_infos_prefix_2,
    collection_items_key,
    collection_items_prefix_1,
    collection_items_prefix_2,
    collection_items_prefix_3,
    collection_keywords_key,
    collection_keywords_prefix_1,
    collection_keywords_prefix_2,
    collection_keywords_prefix_3,
    collection_keywords_prefix_4,
    contacts_by_name_key,
    contacts_by_name_prefix_1,
    contacts_key,
    failed_key,
    failed_prefix_1,
    failed_prefix_2,
    failed_prefix_3,
    global_tags_key,
    global_tags_prefix_1,
    global_tags_prefix_2,
    global_tags_prefix_3,
    global_tags_prefix_4,
    inclusions_key,
    item_cache_ages_key,
    item_cache_ages_prefix_1,
    item_cache_ages_prefix_2,
    item_cache_key,
    item_cache_prefix_1,
    local_ids_key,
    local_ids_prefix_1,
    local_tags_key,
    local_tags_prefix_1,
    local_tags_prefix_2,
    local_tags_prefix_3,
    local_tags_prefix_4,
    message_by_global_id_key,
    message_by_global_id_prefix_1,
    message_by_global_id_prefix_2,
    message_by_global_id_prefix_3,
    message_by_unique_id_key,
    message_by_unique_id_prefix_1,
    message_by_unique_id_prefix_2,
    message_by_unique_id_prefix_3,
    message_by_unique_id_prefix_4,
    message_ids_key,
    message_ids_prefix_1,
    message_ids_prefix_2,
    message_key,
    message_prefix_1,
    message_prefix_2,
    message_prefix_3,
    message_tags_key,
    message_tags_prefix_1,
    message_tags_prefix_2,
    message_tags_prefix_3,
    message_tags_prefix_4,
    metadata_key,
    notices_key,
    notices_prefix_1,
    notification_settings_key,
    peer_counts_key,
    peer_timeouts_key,
    peer_timeouts_prefix_1,
    peer_usernames_key,
    peer_usernames_prefix_1,
    peers_key,
    pending_settings_key,
    pin_of_chat_key,
    preferences_key,
    presence_key,
    presence_until_key,
    presence_until_prefix_1,
    read_states_key,
    read_states_prefix_1,
    read_totals_key,
    stable_ids_key,
    tag_counts_key,
    tag_counts_prefix_1,
    tag_counts_prefix_2,
    thread_list_key,
    thread_list_prefix_1,
    thread_list_prefix_2,
    thread_messages_key,
    thread_messages_prefix_1,
    thread_messages_prefix_2,
    thread_messages_prefix_3,
    thread_messages_prefix_4,
    thread_tags_key,
    thread_tags_prefix_1,
    thread_tags_prefix_2,
    thread_tags_prefix_3,
    thread_tags_prefix_4,
    thread_tags_prefix_5,
    thread_top_key,
    thread_top_prefix_1,
    threads_key,
    threads_prefix_1,
    threads_summary_key,
    unread_chats_key,
    unread_chats_prefix_1,
    unsent_key,
    unsent_prefix_1,
    unsent_prefix_2,
    unsent_prefix_3,
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
    CollectionId,
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
    MetadataItem,
    Notices,
    NotificationSettings,
    PeerCounts,
    PeerId,
    PeerNamespace,
    Peers,
    PeerTimeouts,
    PeerUsernames,
    PendingSettings,
    PinOfChat,
    Preferences,
    Presence,
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


class ChatTopReader(TableReader[ChatTop]):
    """Reads `chat_top`. The newest message of each chat, with what a list shows of it."""

    __slots__ = ()
    SPEC = specs.CHAT_TOP

    def get(self, peer_id: PeerId) -> ChatTop | None:
        """The row with this key, or None."""
        return self.row_at(chat_top_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[ChatTop]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else chat_top_key(after) + 1,
            None if before is None else chat_top_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class ChatTopDerived(DerivedTable[ChatTop], ChatTopReader):
    """`chat_top` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ChatListReader(TableReader[ChatList]):
    """Reads `chat_list`. Chats in the order of their newest message; read it from the end."""

    __slots__ = ()
    SPEC = specs.CHAT_LIST

    def get(self, timestamp: int, peer_id: PeerId) -> ChatList | None:
        """The row with this key, or None."""
        return self.row_at(chat_list_key(timestamp, peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ChatListKey | None = None,
        before: ChatListKey | None = None,
        limit: int | None = None,
    ) -> list[ChatList]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else chat_list_key(*after),
            before=None if before is None else chat_list_key(*before),
            limit=limit,
        )

    def of_timestamp(
        self,
        timestamp: int,
        *,
        newest_first: bool = False,
        after: ChatListKey | None = None,
        before: ChatListKey | None = None,
        limit: int | None = None,
    ) -> list[ChatList]:
        """The rows with this `timestamp`; the options are those of `all`."""
        return self.rows_under(
            chat_list_prefix_1(timestamp),
            newest_first=newest_first,
            after=None if after is None else chat_list_key(*after),
            before=None if before is None else chat_list_key(*before),
            limit=limit,
        )


class ChatListDerived(DerivedTable[ChatList], ChatListReader):
    """`chat_list` inside a transaction. Only the store writes it."""

    __slots__ = ()


class InclusionsReader(TableReader[Inclusions]):
    """Reads `inclusions`. Which list a chat is in, when that is known."""

    __slots__ = ()
    SPEC = specs.INCLUSIONS

    def get(self, peer_id: PeerId) -> Inclusions | None:
        """The row with this key, or None."""
        return self.row_at(inclusions_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[Inclusions]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else inclusions_key(after) + 1,
            None if before is None else inclusions_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class InclusionsTable(TableWriter[Inclusions], InclusionsReader):
    """`inclusions` inside a transaction."""

    __slots__ = ()

    def put(self, row: Inclusions) -> Inclusions:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(inclusions_key(row.peer_id), packed.INCLUSIONS.encode(row.group_id, row.min_timestamp))
        return row

    def put_was(self, row: Inclusions) -> Put[Inclusions]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Inclusions) -> Inclusions | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(inclusions_key(row.peer_id))

    def remove(self, peer_id: PeerId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(inclusions_key(peer_id), None)


class ChatsByGroupReader(TableReader[ChatsByGroup]):
    """Reads `chats_by_group`."""

    __slots__ = ()
    SPEC = specs.CHATS_BY_GROUP

    def get(self, group_id: int, peer_id: PeerId) -> ChatsByGroup | None:
        """The row with this key, or None."""
        return self.row_at(chats_by_group_key(group_id, peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ChatsByGroupKey | None = None,
        before: ChatsByGroupKey | None = None,
        limit: int | None = None,
    ) -> list[ChatsByGroup]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else chats_by_group_key(*after),
            before=None if before is None else chats_by_group_key(*before),
            limit=limit,
        )

    def of_group(
        self,
        group_id: int,
        *,
        newest_first: bool = False,
        after: ChatsByGroupKey | None = None,
        before: ChatsByGroupKey | None = None,
        limit: int | None = None,
    ) -> list[ChatsByGroup]:
        """The rows with this `group_id`; the options are those of `all`."""
        return self.rows_under(
            chats_by_group_prefix_1(group_id),
            newest_first=newest_first,
            after=None if after is None else chats_by_group_key(*after),
            before=None if before is None else chats_by_group_key(*before),
            limit=limit,
        )


class ChatsByGroupDerived(DerivedTable[ChatsByGroup], ChatsByGroupReader):
    """`chats_by_group` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ChatPinsReader(TableReader[ChatPins]):
    """Reads `chat_pins`. Pinned chats of a list, the first at position 0."""

    __slots__ = ()
    SPEC = specs.CHAT_PINS

    def get(self, group_id: int, position: int) -> ChatPins | None:
        """The row with this key, or None."""
        return self.row_at(chat_pins_key(group_id, position))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ChatPinsKey | None = None,
        before: ChatPinsKey | None = None,
        limit: int | None = None,
    ) -> list[ChatPins]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else chat_pins_key(*after),
            before=None if before is None else chat_pins_key(*before),
            limit=limit,
        )

    def of_group(
        self,
        group_id: int,
        *,
        newest_first: bool = False,
        after: ChatPinsKey | None = None,
        before: ChatPinsKey | None = None,
        limit: int | None = None,
    ) -> list[ChatPins]:
        """The rows with this `group_id`; the options are those of `all`."""
        return self.rows_under(
            chat_pins_prefix_1(group_id),
            newest_first=newest_first,
            after=None if after is None else chat_pins_key(*after),
            before=None if before is None else chat_pins_key(*before),
            limit=limit,
        )


class ChatPinsTable(TableWriter[ChatPins], ChatPinsReader):
    """`chat_pins` inside a transaction."""

    __slots__ = ()

    def put(self, row: ChatPins) -> ChatPins:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(chat_pins_key(row.group_id, row.position), packed.CHAT_PINS.encode(row.peer_id))
        return row

    def put_was(self, row: ChatPins) -> Put[ChatPins]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: ChatPins) -> ChatPins | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(chat_pins_key(row.group_id, row.position))

    def remove(self, group_id: int, position: int) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(chat_pins_key(group_id, position), None)

    def remove_of_group(self, group_id: int) -> int:
        """Remove the rows with this `group_id`; gives how many there were."""
        return self._remove_under(chat_pins_prefix_1(group_id))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class PinOfChatReader(TableReader[PinOfChat]):
    """Reads `pin_of_chat`."""

    __slots__ = ()
    SPEC = specs.PIN_OF_CHAT

    def get(self, peer_id: PeerId) -> PinOfChat | None:
        """The row with this key, or None."""
        return self.row_at(pin_of_chat_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[PinOfChat]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else pin_of_chat_key(after) + 1,
            None if before is None else pin_of_chat_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class PinOfChatDerived(DerivedTable[PinOfChat], PinOfChatReader):
    """`pin_of_chat` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ChatInterfaceReader(TableReader[ChatInterface]):
    """Reads `chat_interface`. What is being written, and where the reader was."""

    __slots__ = ()
    SPEC = specs.CHAT_INTERFACE

    def get(self, peer_id: PeerId) -> ChatInterface | None:
        """The row with this key, or None."""
        return self.row_at(chat_interface_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[ChatInterface]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else chat_interface_key(after) + 1,
            None if before is None else chat_interface_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class ChatInterfaceTable(TableWriter[ChatInterface], ChatInterfaceReader):
    """`chat_interface` inside a transaction."""

    __slots__ = ()

    def put(self, row: ChatInterface) -> ChatInterface:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_chat_interface(row)
        self.put_cell(chat_interface_key(row.peer_id), row)
        return row

    def put_was(self, row: ChatInterface) -> Put[ChatInterface]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: ChatInterface) -> ChatInterface | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(chat_interface_key(row.peer_id))

    def remove(self, peer_id: PeerId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(chat_interface_key(peer_id), None)


class ReadStatesReader(TableReader[ReadStates]):
    """Reads `read_states`. Up to where the messages of a chat were read, here and by the others."""

    __slots__ = ()
    SPEC = specs.READ_STATES

    def get(self, peer_id: PeerId, namespace: MessageNamespace) -> ReadStates | None:
        """The row with this key, or None."""
        return self.row_at(read_states_key(peer_id, namespace))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ReadStatesKey | None = None,
        before: ReadStatesKey | None = None,
        limit: int | None = None,
    ) -> list[ReadStates]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else read_states_key(*after),
            before=None if before is None else read_states_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: ReadStatesKey | None = None,
        before: ReadStatesKey | None = None,
        limit: int | None = None,
    ) -> list[ReadStates]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            read_states_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else read_states_key(*after),
            before=None if before is None else read_states_key(*before),
            limit=limit,
        )


class ReadStatesTable(TableWriter[ReadStates], ReadStatesReader):
    """`read_states` inside a transaction."""

    __slots__ = ()

    def put(self, row: ReadStates) -> ReadStates:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(
            read_states_key(row.peer_id, row.namespace),
            packed.READ_STATES.encode(row.read_in, row.read_out, row.known_to, row.count, row.marked),
        )
        return row

    def put_was(self, row: ReadStates) -> Put[ReadStates]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: ReadStates) -> ReadStates | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(read_states_key(row.peer_id, row.namespace))

    def remove(self, peer_id: PeerId, namespace: MessageNamespace) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(read_states_key(peer_id, namespace), None)

    def remove_of_peer(self, peer_id: PeerId) -> int:
        """Remove the rows with this `peer_id`; gives how many there were."""
        return self._remove_under(read_states_prefix_1(peer_id))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class UnreadChatsReader(TableReader[UnreadChats]):
    """Reads `unread_chats`."""

    __slots__ = ()
    SPEC = specs.UNREAD_CHATS

    def get(self, peer_id: PeerId, namespace: MessageNamespace) -> UnreadChats | None:
        """The row with this key, or None."""
        return self.row_at(unread_chats_key(peer_id, namespace))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: UnreadChatsKey | None = None,
        before: UnreadChatsKey | None = None,
        limit: int | None = None,
    ) -> list[UnreadChats]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else unread_chats_key(*after),
            before=None if before is None else unread_chats_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: UnreadChatsKey | None = None,
        before: UnreadChatsKey | None = None,
        limit: int | None = None,
    ) -> list[UnreadChats]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            unread_chats_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else unread_chats_key(*after),
            before=None if before is None else unread_chats_key(*before),
            limit=limit,
        )


class UnreadChatsDerived(DerivedTable[UnreadChats], UnreadChatsReader):
    """`unread_chats` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ReadTotalsReader(TableReader[ReadTotals]):
    """Reads `read_totals`."""

    __slots__ = ()
    SPEC = specs.READ_TOTALS

    def get(self, peer_id: PeerId) -> ReadTotals | None:
        """The row with this key, or None."""
        return self.row_at(read_totals_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[ReadTotals]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else read_totals_key(after) + 1,
            None if before is None else read_totals_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class ReadTotalsDerived(DerivedTable[ReadTotals], ReadTotalsReader):
    """`read_totals` inside a transaction. Only the store writes it."""

    __slots__ = ()


class MessageReader(TableReader[Message]):
    """Reads `message`. One message; within a chat and namespace the oldest comes first."""

    __slots__ = ()
    SPEC = specs.MESSAGE

    def get(self, peer_id: PeerId, namespace: MessageNamespace, timestamp: int, id: int) -> Message | None:
        """The row with this key, or None."""
        return self.row_at(message_key(peer_id, namespace, timestamp, id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: MessageKey | None = None,
        before: MessageKey | None = None,
        limit: int | None = None,
    ) -> list[Message]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else message_key(*after),
            before=None if before is None else message_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: MessageKey | None = None,
        before: MessageKey | None = None,
        limit: int | None = None,
    ) -> list[Message]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            message_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else message_key(*after),
            before=None if before is None else message_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        peer_id: PeerId,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: MessageKey | None = None,
        before: MessageKey | None = None,
        limit: int | None = None,
    ) -> list[Message]:
        """The rows with this `peer_id` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            message_prefix_2(peer_id, namespace),
            newest_first=newest_first,
            after=None if after is None else message_key(*after),
            before=None if before is None else message_key(*before),
            limit=limit,
        )

    def of_timestamp(
        self,
        peer_id: PeerId,
        namespace: MessageNamespace,
        timestamp: int,
        *,
        newest_first: bool = False,
        after: MessageKey | None = None,
        before: MessageKey | None = None,
        limit: int | None = None,
    ) -> list[Message]:
        """The rows with this `peer_id`, `namespace` and `timestamp`; the options are those of `all`."""
        return self.rows_under(
            message_prefix_3(peer_id, namespace, timestamp),
            newest_first=newest_first,
            after=None if after is None else message_key(*after),
            before=None if before is None else message_key(*before),
            limit=limit,
        )


class MessageTable(TableWriter[Message], MessageReader):
    """`message` inside a transaction."""

    __slots__ = ("_identity", "_next_local_ids", "_next_stable_ids")

    def __init__(
        self,
        engine: Engine,
        log: TouchLog,
        identity: Identity[Message],
        next_local_ids: LocalIdsSequence,
        next_stable_ids: StableIdsSequence,
    ) -> None:
        super().__init__(engine, log)
        self._identity = identity
        self._next_local_ids = next_local_ids
        self._next_stable_ids = next_stable_ids

    def put(self, row: Message) -> Message:
        """Write a row; gives it as stored, numbers filled in. Raises RangeError, having written nothing."""
        return self.put_was(row).row

    def put_was(self, row: Message) -> Put[Message]:
        """As `put`; gives the row that it replaced as well."""
        check_message(row)
        if row.id == 0:
            row = self._numbered_id(row)
        key = message_key(row.peer_id, row.namespace, row.timestamp, row.id)
        owner = self._identity.owner(row)
        was = None if owner is None else self.cell(owner)
        if row.stable_id == 0:
            row = replace(
                row,
                stable_id=self._next_stable_ids.take(stable_ids_key(row.peer_id))
                if was is None
                else was.stable_id,
            )
        self._identity.take(row)
        if owner is None:
            self.put_known(key, None, row)
        else:
            if owner != key:
                self.put_cell(owner, None)
            self.put_cell(key, row)
        return Put(was, row)

    def probe(self, rows: Sequence[Message]) -> None:
        """Read at once what putting each of these rows will ask for."""
        named = [row for row in rows if row.id != 0]
        self.preload(self._identity.preload(named))
        self._next_local_ids.preload(
            [local_ids_key(row.peer_id, row.namespace) for row in rows if row.id == 0],
        )
        self._next_stable_ids.preload([stable_ids_key(row.peer_id) for row in rows if row.stable_id == 0])

    def _numbered_id(self, row: Message) -> Message:
        """The row under the next `id` that no other row has."""
        message_key(
            row.peer_id,
            row.namespace,
            row.timestamp,
            row.id,
        )  # A row that does not fit takes no number.
        group = local_ids_key(row.peer_id, row.namespace)
        while True:
            row = replace(row, id=self._next_local_ids.take(group))
            if self._identity.owner(row) is None:
                return row

    def replaced_by(self, row: Message) -> Message | None:
        """The row that putting this one would replace, or None."""
        if row.id == 0:
            return None
        owner = self._identity.owner(row)
        return None if owner is None else self.row_at(owner)

    def remove(self, peer_id: PeerId, namespace: MessageNamespace, timestamp: int, id: int) -> None:
        """Remove the row with this key, if there is one."""
        key = message_key(peer_id, namespace, timestamp, id)
        old = self.cell(key)
        if old is not None:
            self._identity.release(old)
            self.put_known(key, old, None)

    def remove_of_peer(self, peer_id: PeerId) -> int:
        """Remove the rows with this `peer_id`; gives how many there were."""
        return self._remove_under(message_prefix_1(peer_id))

    def remove_of_namespace(self, peer_id: PeerId, namespace: MessageNamespace) -> int:
        """Remove the rows with this `peer_id` and `namespace`; gives how many there were."""
        return self._remove_under(message_prefix_2(peer_id, namespace))

    def remove_of_timestamp(self, peer_id: PeerId, namespace: MessageNamespace, timestamp: int) -> int:
        """Remove the rows with this `peer_id`, `namespace` and `timestamp`; gives how many there were."""
        return self._remove_under(message_prefix_3(peer_id, namespace, timestamp))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self._identity.release(cell)
            self.put_known(key, cell, None)
        return len(found)


class MessageIdsReader(TableReader[MessageIds]):
    """Reads `message_ids`. A message keeps its id when the server corrects its time."""

    __slots__ = ()
    SPEC = specs.MESSAGE_IDS

    def get(self, peer_id: PeerId, namespace: MessageNamespace, id: int) -> MessageIds | None:
        """The row with this key, or None."""
        return self.row_at(message_ids_key(peer_id, namespace, id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: MessageIdsKey | None = None,
        before: MessageIdsKey | None = None,
        limit: int | None = None,
    ) -> list[MessageIds]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else message_ids_key(*after),
            before=None if before is None else message_ids_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: MessageIdsKey | None = None,
        before: MessageIdsKey | None = None,
        limit: int | None = None,
    ) -> list[MessageIds]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            message_ids_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else message_ids_key(*after),
            before=None if before is None else message_ids_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        peer_id: PeerId,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: MessageIdsKey | None = None,
        before: MessageIdsKey | None = None,
        limit: int | None = None,
    ) -> list[MessageIds]:
        """The rows with this `peer_id` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            message_ids_prefix_2(peer_id, namespace),
            newest_first=newest_first,
            after=None if after is None else message_ids_key(*after),
            before=None if before is None else message_ids_key(*before),
            limit=limit,
        )


class MessageIdsDerived(DerivedTable[MessageIds], MessageIdsReader):
    """`message_ids` inside a transaction. Only the store writes it."""

    __slots__ = ()


class MessageByGlobalIdReader(TableReader[MessageByGlobalId]):
    """Reads `message_by_global_id`."""

    __slots__ = ()
    SPEC = specs.MESSAGE_BY_GLOBAL_ID

    def get(
        self,
        id: int,
        peer_id: PeerId,
        namespace: MessageNamespace,
        timestamp: int,
    ) -> MessageByGlobalId | None:
        """The row with this key, or None."""
        return self.row_at(message_by_global_id_key(id, peer_id, namespace, timestamp))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: MessageByGlobalIdKey | None = None,
        before: MessageByGlobalIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByGlobalId]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else message_by_global_id_key(*after),
            before=None if before is None else message_by_global_id_key(*before),
            limit=limit,
        )

    def of_id(
        self,
        id: int,
        *,
        newest_first: bool = False,
        after: MessageByGlobalIdKey | None = None,
        before: MessageByGlobalIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByGlobalId]:
        """The rows with this `id`; the options are those of `all`."""
        return self.rows_under(
            message_by_global_id_prefix_1(id),
            newest_first=newest_first,
            after=None if after is None else message_by_global_id_key(*after),
            before=None if before is None else message_by_global_id_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        id: int,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: MessageByGlobalIdKey | None = None,
        before: MessageByGlobalIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByGlobalId]:
        """The rows with this `id` and `peer_id`; the options are those of `all`."""
        return self.rows_under(
            message_by_global_id_prefix_2(id, peer_id),
            newest_first=newest_first,
            after=None if after is None else message_by_global_id_key(*after),
            before=None if before is None else message_by_global_id_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        id: int,
        peer_id: PeerId,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: MessageByGlobalIdKey | None = None,
        before: MessageByGlobalIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByGlobalId]:
        """The rows with this `id`, `peer_id` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            message_by_global_id_prefix_3(id, peer_id, namespace),
            newest_first=newest_first,
            after=None if after is None else message_by_global_id_key(*after),
            before=None if before is None else message_by_global_id_key(*before),
            limit=limit,
        )


class MessageByGlobalIdDerived(DerivedTable[MessageByGlobalId], MessageByGlobalIdReader):
    """`message_by_global_id` inside a transaction. Only the store writes it."""

    __slots__ = ()


class MessageByUniqueIdReader(TableReader[MessageByUniqueId]):
    """Reads `message_by_unique_id`."""

    __slots__ = ()
    SPEC = specs.MESSAGE_BY_UNIQUE_ID

    def get(
        self,
        peer_id: PeerId,
        unique_id: int,
        namespace: MessageNamespace,
        timestamp: int,
        id: int,
    ) -> MessageByUniqueId | None:
        """The row with this key, or None."""
        return self.row_at(message_by_unique_id_key(peer_id, unique_id, namespace, timestamp, id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: MessageByUniqueIdKey | None = None,
        before: MessageByUniqueIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByUniqueId]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else message_by_unique_id_key(*after),
            before=None if before is None else message_by_unique_id_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: MessageByUniqueIdKey | None = None,
        before: MessageByUniqueIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByUniqueId]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            message_by_unique_id_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else message_by_unique_id_key(*after),
            before=None if before is None else message_by_unique_id_key(*before),
            limit=limit,
        )

    def of_unique(
        self,
        peer_id: PeerId,
        unique_id: int,
        *,
        newest_first: bool = False,
        after: MessageByUniqueIdKey | None = None,
        before: MessageByUniqueIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByUniqueId]:
        """The rows with this `peer_id` and `unique_id`; the options are those of `all`."""
        return self.rows_under(
            message_by_unique_id_prefix_2(peer_id, unique_id),
            newest_first=newest_first,
            after=None if after is None else message_by_unique_id_key(*after),
            before=None if before is None else message_by_unique_id_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        peer_id: PeerId,
        unique_id: int,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: MessageByUniqueIdKey | None = None,
        before: MessageByUniqueIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByUniqueId]:
        """The rows with this `peer_id`, `unique_id` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            message_by_unique_id_prefix_3(peer_id, unique_id, namespace),
            newest_first=newest_first,
            after=None if after is None else message_by_unique_id_key(*after),
            before=None if before is None else message_by_unique_id_key(*before),
            limit=limit,
        )

    def of_timestamp(
        self,
        peer_id: PeerId,
        unique_id: int,
        namespace: MessageNamespace,
        timestamp: int,
        *,
        newest_first: bool = False,
        after: MessageByUniqueIdKey | None = None,
        before: MessageByUniqueIdKey | None = None,
        limit: int | None = None,
    ) -> list[MessageByUniqueId]:
        """The rows with this `peer_id`, `unique_id`, `namespace` and `timestamp`; the options are those of
        `all`.
        """
        return self.rows_under(
            message_by_unique_id_prefix_4(peer_id, unique_id, namespace, timestamp),
            newest_first=newest_first,
            after=None if after is None else message_by_unique_id_key(*after),
            before=None if before is None else message_by_unique_id_key(*before),
            limit=limit,
        )


class MessageByUniqueIdDerived(DerivedTable[MessageByUniqueId], MessageByUniqueIdReader):
    """`message_by_unique_id` inside a transaction. Only the store writes it."""

    __slots__ = ()


class UnsentReader(TableReader[Unsent]):
    """Reads `unsent`."""

    __slots__ = ()
    SPEC = specs.UNSENT

    def get(self, namespace: MessageNamespace, id: int, peer_id: PeerId, timestamp: int) -> Unsent | None:
        """The row with this key, or None."""
        return self.row_at(unsent_key(namespace, id, peer_id, timestamp))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: UnsentKey | None = None,
        before: UnsentKey | None = None,
        limit: int | None = None,
    ) -> list[Unsent]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else unsent_key(*after),
            before=None if before is None else unsent_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: UnsentKey | None = None,
        before: UnsentKey | None = None,
        limit: int | None = None,
    ) -> list[Unsent]:
        """The rows with this `namespace`; the options are those of `all`."""
        return self.rows_under(
            unsent_prefix_1(namespace),
            newest_first=newest_first,
            after=None if after is None else unsent_key(*after),
            before=None if before is None else unsent_key(*before),
            limit=limit,
        )

    def of_id(
        self,
        namespace: MessageNamespace,
        id: int,
        *,
        newest_first: bool = False,
        after: UnsentKey | None = None,
        before: UnsentKey | None = None,
        limit: int | None = None,
    ) -> list[Unsent]:
        """The rows with this `namespace` and `id`; the options are those of `all`."""
        return self.rows_under(
            unsent_prefix_2(namespace, id),
            newest_first=newest_first,
            after=None if after is None else unsent_key(*after),
            before=None if before is None else unsent_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        namespace: MessageNamespace,
        id: int,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: UnsentKey | None = None,
        before: UnsentKey | None = None,
        limit: int | None = None,
    ) -> list[Unsent]:
        """The rows with this `namespace`, `id` and `peer_id`; the options are those of `all`."""
        return self.rows_under(
            unsent_prefix_3(namespace, id, peer_id),
            newest_first=newest_first,
            after=None if after is None else unsent_key(*after),
            before=None if before is None else unsent_key(*before),
            limit=limit,
        )


class UnsentDerived(DerivedTable[Unsent], UnsentReader):
    """`unsent` inside a transaction. Only the store writes it."""

    __slots__ = ()


class FailedReader(TableReader[Failed]):
    """Reads `failed`."""

    __slots__ = ()
    SPEC = specs.FAILED

    def get(self, peer_id: PeerId, namespace: MessageNamespace, id: int, timestamp: int) -> Failed | None:
        """The row with this key, or None."""
        return self.row_at(failed_key(peer_id, namespace, id, timestamp))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: FailedKey | None = None,
        before: FailedKey | None = None,
        limit: int | None = None,
    ) -> list[Failed]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else failed_key(*after),
            before=None if before is None else failed_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: FailedKey | None = None,
        before: FailedKey | None = None,
        limit: int | None = None,
    ) -> list[Failed]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            failed_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else failed_key(*after),
            before=None if before is None else failed_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        peer_id: PeerId,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: FailedKey | None = None,
        before: FailedKey | None = None,
        limit: int | None = None,
    ) -> list[Failed]:
        """The rows with this `peer_id` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            failed_prefix_2(peer_id, namespace),
            newest_first=newest_first,
            after=None if after is None else failed_key(*after),
            before=None if before is None else failed_key(*before),
            limit=limit,
        )

    def of_id(
        self,
        peer_id: PeerId,
        namespace: MessageNamespace,
        id: int,
        *,
        newest_first: bool = False,
        after: FailedKey | None = None,
        before: FailedKey | None = None,
        limit: int | None = None,
    ) -> list[Failed]:
        """The rows with this `peer_id`, `namespace` and `id`; the options are those of `all`."""
        return self.rows_under(
            failed_prefix_3(peer_id, namespace, id),
            newest_first=newest_first,
            after=None if after is None else failed_key(*after),
            before=None if before is None else failed_key(*before),
            limit=limit,
        )


class FailedDerived(DerivedTable[Failed], FailedReader):
    """`failed` inside a transaction. Only the store writes it."""

    __slots__ = ()


class MessageTagsReader(TableReader[MessageTags]):
    """Reads `message_tags`."""

    __slots__ = ()
    SPEC = specs.MESSAGE_TAGS

    def get(
        self,
        peer_id: PeerId,
        tag: int,
        namespace: MessageNamespace,
        timestamp: int,
        id: int,
    ) -> MessageTags | None:
        """The row with this key, or None."""
        return self.row_at(message_tags_key(peer_id, tag, namespace, timestamp, id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: MessageTagsKey | None = None,
        before: MessageTagsKey | None = None,
        limit: int | None = None,
    ) -> list[MessageTags]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else message_tags_key(*after),
            before=None if before is None else message_tags_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: MessageTagsKey | None = None,
        before: MessageTagsKey | None = None,
        limit: int | None = None,
    ) -> list[MessageTags]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            message_tags_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else message_tags_key(*after),
            before=None if before is None else message_tags_key(*before),
            limit=limit,
        )

    def of_tag(
        self,
        peer_id: PeerId,
        tag: int,
        *,
        newest_first: bool = False,
        after: MessageTagsKey | None = None,
        before: MessageTagsKey | None = None,
        limit: int | None = None,
    ) -> list[MessageTags]:
        """The rows with this `peer_id` and `tag`; the options are those of `all`."""
        return self.rows_under(
            message_tags_prefix_2(peer_id, tag),
            newest_first=newest_first,
            after=None if after is None else message_tags_key(*after),
            before=None if before is None else message_tags_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        peer_id: PeerId,
        tag: int,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: MessageTagsKey | None = None,
        before: MessageTagsKey | None = None,
        limit: int | None = None,
    ) -> list[MessageTags]:
        """The rows with this `peer_id`, `tag` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            message_tags_prefix_3(peer_id, tag, namespace),
            newest_first=newest_first,
            after=None if after is None else message_tags_key(*after),
            before=None if before is None else message_tags_key(*before),
            limit=limit,
        )

    def of_timestamp(
        self,
        peer_id: PeerId,
        tag: int,
        namespace: MessageNamespace,
        timestamp: int,
        *,
        newest_first: bool = False,
        after: MessageTagsKey | None = None,
        before: MessageTagsKey | None = None,
        limit: int | None = None,
    ) -> list[MessageTags]:
        """The rows with this `peer_id`, `tag`, `namespace` and `timestamp`; the options are those of
        `all`.
        """
        return self.rows_under(
            message_tags_prefix_4(peer_id, tag, namespace, timestamp),
            newest_first=newest_first,
            after=None if after is None else message_tags_key(*after),
            before=None if before is None else message_tags_key(*before),
            limit=limit,
        )


class MessageTagsDerived(DerivedTable[MessageTags], MessageTagsReader):
    """`message_tags` inside a transaction. Only the store writes it."""

    __slots__ = ()


class GlobalTagsReader(TableReader[GlobalTags]):
    """Reads `global_tags`."""

    __slots__ = ()
    SPEC = specs.GLOBAL_TAGS

    def get(
        self,
        tag: int,
        timestamp: int,
        namespace: MessageNamespace,
        id: int,
        peer_id: PeerId,
    ) -> GlobalTags | None:
        """The row with this key, or None."""
        return self.row_at(global_tags_key(tag, timestamp, namespace, id, peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: GlobalTagsKey | None = None,
        before: GlobalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[GlobalTags]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else global_tags_key(*after),
            before=None if before is None else global_tags_key(*before),
            limit=limit,
        )

    def of_tag(
        self,
        tag: int,
        *,
        newest_first: bool = False,
        after: GlobalTagsKey | None = None,
        before: GlobalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[GlobalTags]:
        """The rows with this `tag`; the options are those of `all`."""
        return self.rows_under(
            global_tags_prefix_1(tag),
            newest_first=newest_first,
            after=None if after is None else global_tags_key(*after),
            before=None if before is None else global_tags_key(*before),
            limit=limit,
        )

    def of_timestamp(
        self,
        tag: int,
        timestamp: int,
        *,
        newest_first: bool = False,
        after: GlobalTagsKey | None = None,
        before: GlobalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[GlobalTags]:
        """The rows with this `tag` and `timestamp`; the options are those of `all`."""
        return self.rows_under(
            global_tags_prefix_2(tag, timestamp),
            newest_first=newest_first,
            after=None if after is None else global_tags_key(*after),
            before=None if before is None else global_tags_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        tag: int,
        timestamp: int,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: GlobalTagsKey | None = None,
        before: GlobalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[GlobalTags]:
        """The rows with this `tag`, `timestamp` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            global_tags_prefix_3(tag, timestamp, namespace),
            newest_first=newest_first,
            after=None if after is None else global_tags_key(*after),
            before=None if before is None else global_tags_key(*before),
            limit=limit,
        )

    def of_id(
        self,
        tag: int,
        timestamp: int,
        namespace: MessageNamespace,
        id: int,
        *,
        newest_first: bool = False,
        after: GlobalTagsKey | None = None,
        before: GlobalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[GlobalTags]:
        """The rows with this `tag`, `timestamp`, `namespace` and `id`; the options are those of `all`."""
        return self.rows_under(
            global_tags_prefix_4(tag, timestamp, namespace, id),
            newest_first=newest_first,
            after=None if after is None else global_tags_key(*after),
            before=None if before is None else global_tags_key(*before),
            limit=limit,
        )


class GlobalTagsDerived(DerivedTable[GlobalTags], GlobalTagsReader):
    """`global_tags` inside a transaction. Only the store writes it."""

    __slots__ = ()


class LocalTagsReader(TableReader[LocalTags]):
    """Reads `local_tags`."""

    __slots__ = ()
    SPEC = specs.LOCAL_TAGS

    def get(
        self,
        tag: int,
        namespace: MessageNamespace,
        id: int,
        peer_id: PeerId,
        timestamp: int,
    ) -> LocalTags | None:
        """The row with this key, or None."""
        return self.row_at(local_tags_key(tag, namespace, id, peer_id, timestamp))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: LocalTagsKey | None = None,
        before: LocalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[LocalTags]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else local_tags_key(*after),
            before=None if before is None else local_tags_key(*before),
            limit=limit,
        )

    def of_tag(
        self,
        tag: int,
        *,
        newest_first: bool = False,
        after: LocalTagsKey | None = None,
        before: LocalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[LocalTags]:
        """The rows with this `tag`; the options are those of `all`."""
        return self.rows_under(
            local_tags_prefix_1(tag),
            newest_first=newest_first,
            after=None if after is None else local_tags_key(*after),
            before=None if before is None else local_tags_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        tag: int,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: LocalTagsKey | None = None,
        before: LocalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[LocalTags]:
        """The rows with this `tag` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            local_tags_prefix_2(tag, namespace),
            newest_first=newest_first,
            after=None if after is None else local_tags_key(*after),
            before=None if before is None else local_tags_key(*before),
            limit=limit,
        )

    def of_id(
        self,
        tag: int,
        namespace: MessageNamespace,
        id: int,
        *,
        newest_first: bool = False,
        after: LocalTagsKey | None = None,
        before: LocalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[LocalTags]:
        """The rows with this `tag`, `namespace` and `id`; the options are those of `all`."""
        return self.rows_under(
            local_tags_prefix_3(tag, namespace, id),
            newest_first=newest_first,
            after=None if after is None else local_tags_key(*after),
            before=None if before is None else local_tags_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        tag: int,
        namespace: MessageNamespace,
        id: int,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: LocalTagsKey | None = None,
        before: LocalTagsKey | None = None,
        limit: int | None = None,
    ) -> list[LocalTags]:
        """The rows with this `tag`, `namespace`, `id` and `peer_id`; the options are those of `all`."""
        return self.rows_under(
            local_tags_prefix_4(tag, namespace, id, peer_id),
            newest_first=newest_first,
            after=None if after is None else local_tags_key(*after),
            before=None if before is None else local_tags_key(*before),
            limit=limit,
        )


class LocalTagsDerived(DerivedTable[LocalTags], LocalTagsReader):
    """`local_tags` inside a transaction. Only the store writes it."""

    __slots__ = ()


class TagCountsReader(TableReader[TagCounts]):
    """Reads `tag_counts`. How many messages of a chat carry a tag; tag 0 counts them all."""

    __slots__ = ()
    SPEC = specs.TAG_COUNTS

    def get(self, peer_id: PeerId, namespace: MessageNamespace, tag: int) -> TagCounts | None:
        """The row with this key, or None."""
        return self.row_at(tag_counts_key(peer_id, namespace, tag))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: TagCountsKey | None = None,
        before: TagCountsKey | None = None,
        limit: int | None = None,
    ) -> list[TagCounts]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else tag_counts_key(*after),
            before=None if before is None else tag_counts_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: TagCountsKey | None = None,
        before: TagCountsKey | None = None,
        limit: int | None = None,
    ) -> list[TagCounts]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            tag_counts_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else tag_counts_key(*after),
            before=None if before is None else tag_counts_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        peer_id: PeerId,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: TagCountsKey | None = None,
        before: TagCountsKey | None = None,
        limit: int | None = None,
    ) -> list[TagCounts]:
        """The rows with this `peer_id` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            tag_counts_prefix_2(peer_id, namespace),
            newest_first=newest_first,
            after=None if after is None else tag_counts_key(*after),
            before=None if before is None else tag_counts_key(*before),
            limit=limit,
        )


class TagCountsDerived(DerivedTable[TagCounts], TagCountsReader):
    """`tag_counts` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ThreadMessagesReader(TableReader[ThreadMessages]):
    """Reads `thread_messages`."""

    __slots__ = ()
    SPEC = specs.THREAD_MESSAGES

    def get(
        self,
        peer_id: PeerId,
        thread_id: int,
        namespace: MessageNamespace,
        timestamp: int,
        id: int,
    ) -> ThreadMessages | None:
        """The row with this key, or None."""
        return self.row_at(thread_messages_key(peer_id, thread_id, namespace, timestamp, id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ThreadMessagesKey | None = None,
        before: ThreadMessagesKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadMessages]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else thread_messages_key(*after),
            before=None if before is None else thread_messages_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: ThreadMessagesKey | None = None,
        before: ThreadMessagesKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadMessages]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            thread_messages_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else thread_messages_key(*after),
            before=None if before is None else thread_messages_key(*before),
            limit=limit,
        )

    def of_thread(
        self,
        peer_id: PeerId,
        thread_id: int,
        *,
        newest_first: bool = False,
        after: ThreadMessagesKey | None = None,
        before: ThreadMessagesKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadMessages]:
        """The rows with this `peer_id` and `thread_id`; the options are those of `all`."""
        return self.rows_under(
            thread_messages_prefix_2(peer_id, thread_id),
            newest_first=newest_first,
            after=None if after is None else thread_messages_key(*after),
            before=None if before is None else thread_messages_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        peer_id: PeerId,
        thread_id: int,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: ThreadMessagesKey | None = None,
        before: ThreadMessagesKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadMessages]:
        """The rows with this `peer_id`, `thread_id` and `namespace`; the options are those of `all`."""
        return self.rows_under(
            thread_messages_prefix_3(peer_id, thread_id, namespace),
            newest_first=newest_first,
            after=None if after is None else thread_messages_key(*after),
            before=None if before is None else thread_messages_key(*before),
            limit=limit,
        )

    def of_timestamp(
        self,
        peer_id: PeerId,
        thread_id: int,
        namespace: MessageNamespace,
        timestamp: int,
        *,
        newest_first: bool = False,
        after: ThreadMessagesKey | None = None,
        before: ThreadMessagesKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadMessages]:
        """The rows with this `peer_id`, `thread_id`, `namespace` and `timestamp`; the options are those of
        `all`.
        """
        return self.rows_under(
            thread_messages_prefix_4(peer_id, thread_id, namespace, timestamp),
            newest_first=newest_first,
            after=None if after is None else thread_messages_key(*after),
            before=None if before is None else thread_messages_key(*before),
            limit=limit,
        )


class ThreadMessagesDerived(DerivedTable[ThreadMessages], ThreadMessagesReader):
    """`thread_messages` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ThreadTagsReader(TableReader[ThreadTags]):
    """Reads `thread_tags`."""

    __slots__ = ()
    SPEC = specs.THREAD_TAGS

    def get(
        self,
        peer_id: PeerId,
        thread_id: int,
        tag: int,
        namespace: MessageNamespace,
        timestamp: int,
        id: int,
    ) -> ThreadTags | None:
        """The row with this key, or None."""
        return self.row_at(thread_tags_key(peer_id, thread_id, tag, namespace, timestamp, id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ThreadTagsKey | None = None,
        before: ThreadTagsKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadTags]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else thread_tags_key(*after),
            before=None if before is None else thread_tags_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: ThreadTagsKey | None = None,
        before: ThreadTagsKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadTags]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            thread_tags_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else thread_tags_key(*after),
            before=None if before is None else thread_tags_key(*before),
            limit=limit,
        )

    def of_thread(
        self,
        peer_id: PeerId,
        thread_id: int,
        *,
        newest_first: bool = False,
        after: ThreadTagsKey | None = None,
        before: ThreadTagsKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadTags]:
        """The rows with this `peer_id` and `thread_id`; the options are those of `all`."""
        return self.rows_under(
            thread_tags_prefix_2(peer_id, thread_id),
            newest_first=newest_first,
            after=None if after is None else thread_tags_key(*after),
            before=None if before is None else thread_tags_key(*before),
            limit=limit,
        )

    def of_tag(
        self,
        peer_id: PeerId,
        thread_id: int,
        tag: int,
        *,
        newest_first: bool = False,
        after: ThreadTagsKey | None = None,
        before: ThreadTagsKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadTags]:
        """The rows with this `peer_id`, `thread_id` and `tag`; the options are those of `all`."""
        return self.rows_under(
            thread_tags_prefix_3(peer_id, thread_id, tag),
            newest_first=newest_first,
            after=None if after is None else thread_tags_key(*after),
            before=None if before is None else thread_tags_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        peer_id: PeerId,
        thread_id: int,
        tag: int,
        namespace: MessageNamespace,
        *,
        newest_first: bool = False,
        after: ThreadTagsKey | None = None,
        before: ThreadTagsKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadTags]:
        """The rows with this `peer_id`, `thread_id`, `tag` and `namespace`; the options are those of
        `all`.
        """
        return self.rows_under(
            thread_tags_prefix_4(peer_id, thread_id, tag, namespace),
            newest_first=newest_first,
            after=None if after is None else thread_tags_key(*after),
            before=None if before is None else thread_tags_key(*before),
            limit=limit,
        )

    def of_timestamp(
        self,
        peer_id: PeerId,
        thread_id: int,
        tag: int,
        namespace: MessageNamespace,
        timestamp: int,
        *,
        newest_first: bool = False,
        after: ThreadTagsKey | None = None,
        before: ThreadTagsKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadTags]:
        """The rows with this `peer_id`, `thread_id`, `tag`, `namespace` and `timestamp`; the options are
        those of `all`.
        """
        return self.rows_under(
            thread_tags_prefix_5(peer_id, thread_id, tag, namespace, timestamp),
            newest_first=newest_first,
            after=None if after is None else thread_tags_key(*after),
            before=None if before is None else thread_tags_key(*before),
            limit=limit,
        )


class ThreadTagsDerived(DerivedTable[ThreadTags], ThreadTagsReader):
    """`thread_tags` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ThreadsReader(TableReader[Threads]):
    """Reads `threads`. What the server says about a thread."""

    __slots__ = ()
    SPEC = specs.THREADS

    def get(self, peer_id: PeerId, thread_id: int) -> Threads | None:
        """The row with this key, or None."""
        return self.row_at(threads_key(peer_id, thread_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ThreadsKey | None = None,
        before: ThreadsKey | None = None,
        limit: int | None = None,
    ) -> list[Threads]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else threads_key(*after),
            before=None if before is None else threads_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: ThreadsKey | None = None,
        before: ThreadsKey | None = None,
        limit: int | None = None,
    ) -> list[Threads]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            threads_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else threads_key(*after),
            before=None if before is None else threads_key(*before),
            limit=limit,
        )


class ThreadsTable(TableWriter[Threads], ThreadsReader):
    """`threads` inside a transaction."""

    __slots__ = ()

    def put(self, row: Threads) -> Threads:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_threads(row)
        self.put_cell(threads_key(row.peer_id, row.thread_id), row)
        return row

    def put_was(self, row: Threads) -> Put[Threads]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Threads) -> Threads | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(threads_key(row.peer_id, row.thread_id))

    def remove(self, peer_id: PeerId, thread_id: int) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(threads_key(peer_id, thread_id), None)

    def remove_of_peer(self, peer_id: PeerId) -> int:
        """Remove the rows with this `peer_id`; gives how many there were."""
        return self._remove_under(threads_prefix_1(peer_id))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class ThreadTopReader(TableReader[ThreadTop]):
    """Reads `thread_top`. The newest message of each thread."""

    __slots__ = ()
    SPEC = specs.THREAD_TOP

    def get(self, peer_id: PeerId, thread_id: int) -> ThreadTop | None:
        """The row with this key, or None."""
        return self.row_at(thread_top_key(peer_id, thread_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ThreadTopKey | None = None,
        before: ThreadTopKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadTop]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else thread_top_key(*after),
            before=None if before is None else thread_top_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: ThreadTopKey | None = None,
        before: ThreadTopKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadTop]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            thread_top_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else thread_top_key(*after),
            before=None if before is None else thread_top_key(*before),
            limit=limit,
        )


class ThreadTopDerived(DerivedTable[ThreadTop], ThreadTopReader):
    """`thread_top` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ThreadListReader(TableReader[ThreadList]):
    """Reads `thread_list`. The threads of a chat, the one written to last being the last."""

    __slots__ = ()
    SPEC = specs.THREAD_LIST

    def get(self, peer_id: PeerId, timestamp: int, thread_id: int) -> ThreadList | None:
        """The row with this key, or None."""
        return self.row_at(thread_list_key(peer_id, timestamp, thread_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ThreadListKey | None = None,
        before: ThreadListKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadList]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else thread_list_key(*after),
            before=None if before is None else thread_list_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: ThreadListKey | None = None,
        before: ThreadListKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadList]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            thread_list_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else thread_list_key(*after),
            before=None if before is None else thread_list_key(*before),
            limit=limit,
        )

    def of_timestamp(
        self,
        peer_id: PeerId,
        timestamp: int,
        *,
        newest_first: bool = False,
        after: ThreadListKey | None = None,
        before: ThreadListKey | None = None,
        limit: int | None = None,
    ) -> list[ThreadList]:
        """The rows with this `peer_id` and `timestamp`; the options are those of `all`."""
        return self.rows_under(
            thread_list_prefix_2(peer_id, timestamp),
            newest_first=newest_first,
            after=None if after is None else thread_list_key(*after),
            before=None if before is None else thread_list_key(*before),
            limit=limit,
        )


class ThreadListDerived(DerivedTable[ThreadList], ThreadListReader):
    """`thread_list` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ThreadsSummaryReader(TableReader[ThreadsSummary]):
    """Reads `threads_summary`."""

    __slots__ = ()
    SPEC = specs.THREADS_SUMMARY

    def get(self, peer_id: PeerId) -> ThreadsSummary | None:
        """The row with this key, or None."""
        return self.row_at(threads_summary_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[ThreadsSummary]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else threads_summary_key(after) + 1,
            None if before is None else threads_summary_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class ThreadsSummaryDerived(DerivedTable[ThreadsSummary], ThreadsSummaryReader):
    """`threads_summary` inside a transaction. Only the store writes it."""

    __slots__ = ()


class PeersReader(TableReader[Peers]):
    """Reads `peers`. A user, group, channel or secret chat, as last seen."""

    __slots__ = ()
    SPEC = specs.PEERS

    def get(self, peer_id: PeerId) -> Peers | None:
        """The row with this key, or None."""
        return self.row_at(peers_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[Peers]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else peers_key(after) + 1,
            None if before is None else peers_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class PeersTable(TableWriter[Peers], PeersReader):
    """`peers` inside a transaction."""

    __slots__ = ()

    def put(self, row: Peers) -> Peers:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_peers(row)
        self.put_cell(peers_key(row.peer_id), row)
        return row

    def put_was(self, row: Peers) -> Put[Peers]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Peers) -> Peers | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(peers_key(row.peer_id))

    def remove(self, peer_id: PeerId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(peers_key(peer_id), None)


class PeerUsernamesReader(TableReader[PeerUsernames]):
    """Reads `peer_usernames`."""

    __slots__ = ()
    SPEC = specs.PEER_USERNAMES

    def get(self, username: str, peer_id: PeerId) -> PeerUsernames | None:
        """The row with this key, or None."""
        return self.row_at(peer_usernames_key(username, peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerUsernamesKey | None = None,
        before: PeerUsernamesKey | None = None,
        limit: int | None = None,
    ) -> list[PeerUsernames]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else peer_usernames_key(*after),
            before=None if before is None else peer_usernames_key(*before),
            limit=limit,
        )

    def of_username(
        self,
        username: str,
        *,
        newest_first: bool = False,
        after: PeerUsernamesKey | None = None,
        before: PeerUsernamesKey | None = None,
        limit: int | None = None,
    ) -> list[PeerUsernames]:
        """The rows with this `username`; the options are those of `all`."""
        return self.rows_under(
            peer_usernames_prefix_1(username),
            newest_first=newest_first,
            after=None if after is None else peer_usernames_key(*after),
            before=None if before is None else peer_usernames_key(*before),
            limit=limit,
        )


class PeerUsernamesDerived(DerivedTable[PeerUsernames], PeerUsernamesReader):
    """`peer_usernames` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ContactsReader(TableReader[Contacts]):
    """Reads `contacts`."""

    __slots__ = ()
    SPEC = specs.CONTACTS

    def get(self, peer_id: PeerId) -> Contacts | None:
        """The row with this key, or None."""
        return self.row_at(contacts_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[Contacts]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else contacts_key(after) + 1,
            None if before is None else contacts_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class ContactsDerived(DerivedTable[Contacts], ContactsReader):
    """`contacts` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ContactsByNameReader(TableReader[ContactsByName]):
    """Reads `contacts_by_name`."""

    __slots__ = ()
    SPEC = specs.CONTACTS_BY_NAME

    def get(self, name: str, peer_id: PeerId) -> ContactsByName | None:
        """The row with this key, or None."""
        return self.row_at(contacts_by_name_key(name, peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ContactsByNameKey | None = None,
        before: ContactsByNameKey | None = None,
        limit: int | None = None,
    ) -> list[ContactsByName]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else contacts_by_name_key(*after),
            before=None if before is None else contacts_by_name_key(*before),
            limit=limit,
        )

    def of_name(
        self,
        name: str,
        *,
        newest_first: bool = False,
        after: ContactsByNameKey | None = None,
        before: ContactsByNameKey | None = None,
        limit: int | None = None,
    ) -> list[ContactsByName]:
        """The rows with this `name`; the options are those of `all`."""
        return self.rows_under(
            contacts_by_name_prefix_1(name),
            newest_first=newest_first,
            after=None if after is None else contacts_by_name_key(*after),
            before=None if before is None else contacts_by_name_key(*before),
            limit=limit,
        )


class ContactsByNameDerived(DerivedTable[ContactsByName], ContactsByNameReader):
    """`contacts_by_name` inside a transaction. Only the store writes it."""

    __slots__ = ()


class AssociatedPeersReader(TableReader[AssociatedPeers]):
    """Reads `associated_peers`."""

    __slots__ = ()
    SPEC = specs.ASSOCIATED_PEERS

    def get(self, associated_id: PeerId, peer_id: PeerId) -> AssociatedPeers | None:
        """The row with this key, or None."""
        return self.row_at(associated_peers_key(associated_id, peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: AssociatedPeersKey | None = None,
        before: AssociatedPeersKey | None = None,
        limit: int | None = None,
    ) -> list[AssociatedPeers]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else associated_peers_key(*after),
            before=None if before is None else associated_peers_key(*before),
            limit=limit,
        )

    def of_associated(
        self,
        associated_id: PeerId,
        *,
        newest_first: bool = False,
        after: AssociatedPeersKey | None = None,
        before: AssociatedPeersKey | None = None,
        limit: int | None = None,
    ) -> list[AssociatedPeers]:
        """The rows with this `associated_id`; the options are those of `all`."""
        return self.rows_under(
            associated_peers_prefix_1(associated_id),
            newest_first=newest_first,
            after=None if after is None else associated_peers_key(*after),
            before=None if before is None else associated_peers_key(*before),
            limit=limit,
        )


class AssociatedPeersDerived(DerivedTable[AssociatedPeers], AssociatedPeersReader):
    """`associated_peers` inside a transaction. Only the store writes it."""

    __slots__ = ()


class PeerTimeoutsReader(TableReader[PeerTimeouts]):
    """Reads `peer_timeouts`. Peers something of which ends by itself, soonest first."""

    __slots__ = ()
    SPEC = specs.PEER_TIMEOUTS

    def get(self, timeout_at: int, peer_id: PeerId) -> PeerTimeouts | None:
        """The row with this key, or None."""
        return self.row_at(peer_timeouts_key(timeout_at, peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerTimeoutsKey | None = None,
        before: PeerTimeoutsKey | None = None,
        limit: int | None = None,
    ) -> list[PeerTimeouts]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else peer_timeouts_key(*after),
            before=None if before is None else peer_timeouts_key(*before),
            limit=limit,
        )

    def of_timeout_at(
        self,
        timeout_at: int,
        *,
        newest_first: bool = False,
        after: PeerTimeoutsKey | None = None,
        before: PeerTimeoutsKey | None = None,
        limit: int | None = None,
    ) -> list[PeerTimeouts]:
        """The rows with this `timeout_at`; the options are those of `all`."""
        return self.rows_under(
            peer_timeouts_prefix_1(timeout_at),
            newest_first=newest_first,
            after=None if after is None else peer_timeouts_key(*after),
            before=None if before is None else peer_timeouts_key(*before),
            limit=limit,
        )


class PeerTimeoutsDerived(DerivedTable[PeerTimeouts], PeerTimeoutsReader):
    """`peer_timeouts` inside a transaction. Only the store writes it."""

    __slots__ = ()


class PeerCountsReader(TableReader[PeerCounts]):
    """Reads `peer_counts`."""

    __slots__ = ()
    SPEC = specs.PEER_COUNTS

    def get(self, kind: PeerNamespace) -> PeerCounts | None:
        """The row with this key, or None."""
        return self.row_at(peer_counts_key(kind))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerNamespace | None = None,
        before: PeerNamespace | None = None,
        limit: int | None = None,
    ) -> list[PeerCounts]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else peer_counts_key(after),
            before=None if before is None else peer_counts_key(before),
            limit=limit,
        )


class PeerCountsDerived(DerivedTable[PeerCounts], PeerCountsReader):
    """`peer_counts` inside a transaction. Only the store writes it."""

    __slots__ = ()


class CachedPeersReader(TableReader[CachedPeers]):
    """Reads `cached_peers`. What a profile shows; fetched when somebody looks."""

    __slots__ = ()
    SPEC = specs.CACHED_PEERS

    def get(self, peer_id: PeerId) -> CachedPeers | None:
        """The row with this key, or None."""
        return self.row_at(cached_peers_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[CachedPeers]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else cached_peers_key(after) + 1,
            None if before is None else cached_peers_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class CachedPeersTable(TableWriter[CachedPeers], CachedPeersReader):
    """`cached_peers` inside a transaction."""

    __slots__ = ()

    def put(self, row: CachedPeers) -> CachedPeers:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_cached_peers(row)
        self.put_cell(cached_peers_key(row.peer_id), row)
        return row

    def put_was(self, row: CachedPeers) -> Put[CachedPeers]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: CachedPeers) -> CachedPeers | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(cached_peers_key(row.peer_id))

    def remove(self, peer_id: PeerId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(cached_peers_key(peer_id), None)


class PresenceReader(TableReader[Presence]):
    """Reads `presence`."""

    __slots__ = ()
    SPEC = specs.PRESENCE

    def get(self, peer_id: PeerId) -> Presence | None:
        """The row with this key, or None."""
        return self.row_at(presence_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[Presence]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else presence_key(after) + 1,
            None if before is None else presence_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class PresenceTable(TableWriter[Presence], PresenceReader):
    """`presence` inside a transaction."""

    __slots__ = ()

    def put(self, row: Presence) -> Presence:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(
            presence_key(row.peer_id),
            packed.PRESENCE.encode(row.status, row.until, row.last_activity),
        )
        return row

    def put_was(self, row: Presence) -> Put[Presence]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Presence) -> Presence | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(presence_key(row.peer_id))

    def remove(self, peer_id: PeerId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(presence_key(peer_id), None)


class PresenceUntilReader(TableReader[PresenceUntil]):
    """Reads `presence_until`. Who is there now, soonest to leave first."""

    __slots__ = ()
    SPEC = specs.PRESENCE_UNTIL

    def get(self, until: int, peer_id: PeerId) -> PresenceUntil | None:
        """The row with this key, or None."""
        return self.row_at(presence_until_key(until, peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PresenceUntilKey | None = None,
        before: PresenceUntilKey | None = None,
        limit: int | None = None,
    ) -> list[PresenceUntil]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else presence_until_key(*after),
            before=None if before is None else presence_until_key(*before),
            limit=limit,
        )

    def of_until(
        self,
        until: int,
        *,
        newest_first: bool = False,
        after: PresenceUntilKey | None = None,
        before: PresenceUntilKey | None = None,
        limit: int | None = None,
    ) -> list[PresenceUntil]:
        """The rows with this `until`; the options are those of `all`."""
        return self.rows_under(
            presence_until_prefix_1(until),
            newest_first=newest_first,
            after=None if after is None else presence_until_key(*after),
            before=None if before is None else presence_until_key(*before),
            limit=limit,
        )


class PresenceUntilDerived(DerivedTable[PresenceUntil], PresenceUntilReader):
    """`presence_until` inside a transaction. Only the store writes it."""

    __slots__ = ()


class NotificationSettingsReader(TableReader[NotificationSettings]):
    """Reads `notification_settings`. As the server has them, and as they should become."""

    __slots__ = ()
    SPEC = specs.NOTIFICATION_SETTINGS

    def get(self, peer_id: PeerId) -> NotificationSettings | None:
        """The row with this key, or None."""
        return self.row_at(notification_settings_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[NotificationSettings]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else notification_settings_key(after) + 1,
            None if before is None else notification_settings_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class NotificationSettingsTable(TableWriter[NotificationSettings], NotificationSettingsReader):
    """`notification_settings` inside a transaction."""

    __slots__ = ()

    def put(self, row: NotificationSettings) -> NotificationSettings:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_notification_settings(row)
        self.put_cell(notification_settings_key(row.peer_id), row)
        return row

    def put_was(self, row: NotificationSettings) -> Put[NotificationSettings]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: NotificationSettings) -> NotificationSettings | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(notification_settings_key(row.peer_id))

    def remove(self, peer_id: PeerId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(notification_settings_key(peer_id), None)


class PendingSettingsReader(TableReader[PendingSettings]):
    """Reads `pending_settings`."""

    __slots__ = ()
    SPEC = specs.PENDING_SETTINGS

    def get(self, peer_id: PeerId) -> PendingSettings | None:
        """The row with this key, or None."""
        return self.row_at(pending_settings_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[PendingSettings]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else pending_settings_key(after) + 1,
            None if before is None else pending_settings_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class PendingSettingsDerived(DerivedTable[PendingSettings], PendingSettingsReader):
    """`pending_settings` inside a transaction. Only the store writes it."""

    __slots__ = ()


class MetadataReader(TableReader[Metadata]):
    """Reads `metadata`. Single facts about the store itself."""

    __slots__ = ()
    SPEC = specs.METADATA

    def get(self, item: MetadataItem) -> Metadata | None:
        """The row with this key, or None."""
        return self.row_at(metadata_key(item))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: MetadataItem | None = None,
        before: MetadataItem | None = None,
        limit: int | None = None,
    ) -> list[Metadata]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else metadata_key(after),
            before=None if before is None else metadata_key(before),
            limit=limit,
        )


class MetadataTable(TableWriter[Metadata], MetadataReader):
    """`metadata` inside a transaction."""

    __slots__ = ()

    def put(self, row: Metadata) -> Metadata:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(metadata_key(row.item), packed.METADATA.encode(row.number, row.data))
        return row

    def put_was(self, row: Metadata) -> Put[Metadata]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Metadata) -> Metadata | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(metadata_key(row.item))

    def remove(self, item: MetadataItem) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(metadata_key(item), None)


class PreferencesReader(TableReader[Preferences]):
    """Reads `preferences`. Settings of the account; each feature has a number and encodes its value
    itself.
    """

    __slots__ = ()
    SPEC = specs.PREFERENCES

    def get(self, item: int) -> Preferences | None:
        """The row with this key, or None."""
        return self.row_at(preferences_key(item))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: int | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Preferences]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else preferences_key(after),
            before=None if before is None else preferences_key(before),
            limit=limit,
        )


class PreferencesTable(TableWriter[Preferences], PreferencesReader):
    """`preferences` inside a transaction."""

    __slots__ = ()

    def put(self, row: Preferences) -> Preferences:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(preferences_key(row.item), packed.PREFERENCES.encode(row.value))
        return row

    def put_was(self, row: Preferences) -> Put[Preferences]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Preferences) -> Preferences | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(preferences_key(row.item))

    def remove(self, item: int) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(preferences_key(item), None)


class NoticesReader(TableReader[Notices]):
    """Reads `notices`. What the user has been told already."""

    __slots__ = ()
    SPEC = specs.NOTICES

    def get(self, namespace: int, notice: bytes) -> Notices | None:
        """The row with this key, or None."""
        return self.row_at(notices_key(namespace, notice))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: NoticesKey | None = None,
        before: NoticesKey | None = None,
        limit: int | None = None,
    ) -> list[Notices]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else notices_key(*after),
            before=None if before is None else notices_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        namespace: int,
        *,
        newest_first: bool = False,
        after: NoticesKey | None = None,
        before: NoticesKey | None = None,
        limit: int | None = None,
    ) -> list[Notices]:
        """The rows with this `namespace`; the options are those of `all`."""
        return self.rows_under(
            notices_prefix_1(namespace),
            newest_first=newest_first,
            after=None if after is None else notices_key(*after),
            before=None if before is None else notices_key(*before),
            limit=limit,
        )


class NoticesTable(TableWriter[Notices], NoticesReader):
    """`notices` inside a transaction."""

    __slots__ = ()

    def put(self, row: Notices) -> Notices:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(notices_key(row.namespace, row.notice), packed.NOTICES.encode(row.value, row.until))
        return row

    def put_was(self, row: Notices) -> Put[Notices]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Notices) -> Notices | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(notices_key(row.namespace, row.notice))

    def remove(self, namespace: int, notice: bytes) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(notices_key(namespace, notice), None)

    def remove_of_namespace(self, namespace: int) -> int:
        """Remove the rows with this `namespace`; gives how many there were."""
        return self._remove_under(notices_prefix_1(namespace))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class CollectionInfosReader(TableReader[CollectionInfos]):
    """Reads `collection_infos`."""

    __slots__ = ()
    SPEC = specs.COLLECTION_INFOS

    def get(self, namespace: int, position: int, collection_id: CollectionId) -> CollectionInfos | None:
        """The row with this key, or None."""
        return self.row_at(collection_infos_key(namespace, position, collection_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: CollectionInfosKey | None = None,
        before: CollectionInfosKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionInfos]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else collection_infos_key(*after),
            before=None if before is None else collection_infos_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        namespace: int,
        *,
        newest_first: bool = False,
        after: CollectionInfosKey | None = None,
        before: CollectionInfosKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionInfos]:
        """The rows with this `namespace`; the options are those of `all`."""
        return self.rows_under(
            collection_infos_prefix_1(namespace),
            newest_first=newest_first,
            after=None if after is None else collection_infos_key(*after),
            before=None if before is None else collection_infos_key(*before),
            limit=limit,
        )

    def of_position(
        self,
        namespace: int,
        position: int,
        *,
        newest_first: bool = False,
        after: CollectionInfosKey | None = None,
        before: CollectionInfosKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionInfos]:
        """The rows with this `namespace` and `position`; the options are those of `all`."""
        return self.rows_under(
            collection_infos_prefix_2(namespace, position),
            newest_first=newest_first,
            after=None if after is None else collection_infos_key(*after),
            before=None if before is None else collection_infos_key(*before),
            limit=limit,
        )


class CollectionInfosTable(TableWriter[CollectionInfos], CollectionInfosReader):
    """`collection_infos` inside a transaction."""

    __slots__ = ()

    def put(self, row: CollectionInfos) -> CollectionInfos:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_collection_infos(row)
        self.put_cell(collection_infos_key(row.namespace, row.position, row.collection_id), row)
        return row

    def put_was(self, row: CollectionInfos) -> Put[CollectionInfos]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: CollectionInfos) -> CollectionInfos | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(collection_infos_key(row.namespace, row.position, row.collection_id))

    def remove(self, namespace: int, position: int, collection_id: CollectionId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(collection_infos_key(namespace, position, collection_id), None)

    def remove_of_namespace(self, namespace: int) -> int:
        """Remove the rows with this `namespace`; gives how many there were."""
        return self._remove_under(collection_infos_prefix_1(namespace))

    def remove_of_position(self, namespace: int, position: int) -> int:
        """Remove the rows with this `namespace` and `position`; gives how many there were."""
        return self._remove_under(collection_infos_prefix_2(namespace, position))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class CollectionByIdReader(TableReader[CollectionById]):
    """Reads `collection_by_id`."""

    __slots__ = ()
    SPEC = specs.COLLECTION_BY_ID

    def get(self, namespace: int, collection_id: CollectionId) -> CollectionById | None:
        """The row with this key, or None."""
        return self.row_at(collection_by_id_key(namespace, collection_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: CollectionByIdKey | None = None,
        before: CollectionByIdKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionById]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else collection_by_id_key(*after),
            before=None if before is None else collection_by_id_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        namespace: int,
        *,
        newest_first: bool = False,
        after: CollectionByIdKey | None = None,
        before: CollectionByIdKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionById]:
        """The rows with this `namespace`; the options are those of `all`."""
        return self.rows_under(
            collection_by_id_prefix_1(namespace),
            newest_first=newest_first,
            after=None if after is None else collection_by_id_key(*after),
            before=None if before is None else collection_by_id_key(*before),
            limit=limit,
        )


class CollectionByIdDerived(DerivedTable[CollectionById], CollectionByIdReader):
    """`collection_by_id` inside a transaction. Only the store writes it."""

    __slots__ = ()


class CollectionItemsReader(TableReader[CollectionItems]):
    """Reads `collection_items`."""

    __slots__ = ()
    SPEC = specs.COLLECTION_ITEMS

    def get(
        self,
        namespace: int,
        collection_id: CollectionId,
        position: int,
        item_id: int,
    ) -> CollectionItems | None:
        """The row with this key, or None."""
        return self.row_at(collection_items_key(namespace, collection_id, position, item_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: CollectionItemsKey | None = None,
        before: CollectionItemsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionItems]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else collection_items_key(*after),
            before=None if before is None else collection_items_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        namespace: int,
        *,
        newest_first: bool = False,
        after: CollectionItemsKey | None = None,
        before: CollectionItemsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionItems]:
        """The rows with this `namespace`; the options are those of `all`."""
        return self.rows_under(
            collection_items_prefix_1(namespace),
            newest_first=newest_first,
            after=None if after is None else collection_items_key(*after),
            before=None if before is None else collection_items_key(*before),
            limit=limit,
        )

    def of_collection(
        self,
        namespace: int,
        collection_id: CollectionId,
        *,
        newest_first: bool = False,
        after: CollectionItemsKey | None = None,
        before: CollectionItemsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionItems]:
        """The rows with this `namespace` and `collection_id`; the options are those of `all`."""
        return self.rows_under(
            collection_items_prefix_2(namespace, collection_id),
            newest_first=newest_first,
            after=None if after is None else collection_items_key(*after),
            before=None if before is None else collection_items_key(*before),
            limit=limit,
        )

    def of_position(
        self,
        namespace: int,
        collection_id: CollectionId,
        position: int,
        *,
        newest_first: bool = False,
        after: CollectionItemsKey | None = None,
        before: CollectionItemsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionItems]:
        """The rows with this `namespace`, `collection_id` and `position`; the options are those of `all`."""
        return self.rows_under(
            collection_items_prefix_3(namespace, collection_id, position),
            newest_first=newest_first,
            after=None if after is None else collection_items_key(*after),
            before=None if before is None else collection_items_key(*before),
            limit=limit,
        )


class CollectionItemsTable(TableWriter[CollectionItems], CollectionItemsReader):
    """`collection_items` inside a transaction."""

    __slots__ = ()

    def put(self, row: CollectionItems) -> CollectionItems:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_collection_items(row)
        self.put_cell(collection_items_key(row.namespace, row.collection_id, row.position, row.item_id), row)
        return row

    def put_was(self, row: CollectionItems) -> Put[CollectionItems]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: CollectionItems) -> CollectionItems | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(collection_items_key(row.namespace, row.collection_id, row.position, row.item_id))

    def remove(self, namespace: int, collection_id: CollectionId, position: int, item_id: int) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(collection_items_key(namespace, collection_id, position, item_id), None)

    def remove_of_namespace(self, namespace: int) -> int:
        """Remove the rows with this `namespace`; gives how many there were."""
        return self._remove_under(collection_items_prefix_1(namespace))

    def remove_of_collection(self, namespace: int, collection_id: CollectionId) -> int:
        """Remove the rows with this `namespace` and `collection_id`; gives how many there were."""
        return self._remove_under(collection_items_prefix_2(namespace, collection_id))

    def remove_of_position(self, namespace: int, collection_id: CollectionId, position: int) -> int:
        """Remove the rows with this `namespace`, `collection_id` and `position`; gives how many there
        were.
        """
        return self._remove_under(collection_items_prefix_3(namespace, collection_id, position))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class CollectionKeywordsReader(TableReader[CollectionKeywords]):
    """Reads `collection_keywords`."""

    __slots__ = ()
    SPEC = specs.COLLECTION_KEYWORDS

    def get(
        self,
        namespace: int,
        keyword: str,
        collection_id: CollectionId,
        position: int,
        item_id: int,
    ) -> CollectionKeywords | None:
        """The row with this key, or None."""
        return self.row_at(collection_keywords_key(namespace, keyword, collection_id, position, item_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: CollectionKeywordsKey | None = None,
        before: CollectionKeywordsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionKeywords]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else collection_keywords_key(*after),
            before=None if before is None else collection_keywords_key(*before),
            limit=limit,
        )

    def of_namespace(
        self,
        namespace: int,
        *,
        newest_first: bool = False,
        after: CollectionKeywordsKey | None = None,
        before: CollectionKeywordsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionKeywords]:
        """The rows with this `namespace`; the options are those of `all`."""
        return self.rows_under(
            collection_keywords_prefix_1(namespace),
            newest_first=newest_first,
            after=None if after is None else collection_keywords_key(*after),
            before=None if before is None else collection_keywords_key(*before),
            limit=limit,
        )

    def of_keyword(
        self,
        namespace: int,
        keyword: str,
        *,
        newest_first: bool = False,
        after: CollectionKeywordsKey | None = None,
        before: CollectionKeywordsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionKeywords]:
        """The rows with this `namespace` and `keyword`; the options are those of `all`."""
        return self.rows_under(
            collection_keywords_prefix_2(namespace, keyword),
            newest_first=newest_first,
            after=None if after is None else collection_keywords_key(*after),
            before=None if before is None else collection_keywords_key(*before),
            limit=limit,
        )

    def of_collection(
        self,
        namespace: int,
        keyword: str,
        collection_id: CollectionId,
        *,
        newest_first: bool = False,
        after: CollectionKeywordsKey | None = None,
        before: CollectionKeywordsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionKeywords]:
        """The rows with this `namespace`, `keyword` and `collection_id`; the options are those of `all`."""
        return self.rows_under(
            collection_keywords_prefix_3(namespace, keyword, collection_id),
            newest_first=newest_first,
            after=None if after is None else collection_keywords_key(*after),
            before=None if before is None else collection_keywords_key(*before),
            limit=limit,
        )

    def of_position(
        self,
        namespace: int,
        keyword: str,
        collection_id: CollectionId,
        position: int,
        *,
        newest_first: bool = False,
        after: CollectionKeywordsKey | None = None,
        before: CollectionKeywordsKey | None = None,
        limit: int | None = None,
    ) -> list[CollectionKeywords]:
        """The rows with this `namespace`, `keyword`, `collection_id` and `position`; the options are those
        of `all`.
        """
        return self.rows_under(
            collection_keywords_prefix_4(namespace, keyword, collection_id, position),
            newest_first=newest_first,
            after=None if after is None else collection_keywords_key(*after),
            before=None if before is None else collection_keywords_key(*before),
            limit=limit,
        )


class CollectionKeywordsDerived(DerivedTable[CollectionKeywords], CollectionKeywordsReader):
    """`collection_keywords` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ItemCacheReader(TableReader[ItemCache]):
    """Reads `item_cache`. Answers worth keeping for a while."""

    __slots__ = ()
    SPEC = specs.ITEM_CACHE

    def get(self, collection: int, entry: bytes) -> ItemCache | None:
        """The row with this key, or None."""
        return self.row_at(item_cache_key(collection, entry))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ItemCacheKey | None = None,
        before: ItemCacheKey | None = None,
        limit: int | None = None,
    ) -> list[ItemCache]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else item_cache_key(*after),
            before=None if before is None else item_cache_key(*before),
            limit=limit,
        )

    def of_collection(
        self,
        collection: int,
        *,
        newest_first: bool = False,
        after: ItemCacheKey | None = None,
        before: ItemCacheKey | None = None,
        limit: int | None = None,
    ) -> list[ItemCache]:
        """The rows with this `collection`; the options are those of `all`."""
        return self.rows_under(
            item_cache_prefix_1(collection),
            newest_first=newest_first,
            after=None if after is None else item_cache_key(*after),
            before=None if before is None else item_cache_key(*before),
            limit=limit,
        )


class ItemCacheTable(TableWriter[ItemCache], ItemCacheReader):
    """`item_cache` inside a transaction."""

    __slots__ = ()

    def put(self, row: ItemCache) -> ItemCache:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(
            item_cache_key(row.collection, row.entry),
            packed.ITEM_CACHE.encode(row.value, row.used_at),
        )
        return row

    def put_was(self, row: ItemCache) -> Put[ItemCache]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: ItemCache) -> ItemCache | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(item_cache_key(row.collection, row.entry))

    def remove(self, collection: int, entry: bytes) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(item_cache_key(collection, entry), None)

    def remove_of_collection(self, collection: int) -> int:
        """Remove the rows with this `collection`; gives how many there were."""
        return self._remove_under(item_cache_prefix_1(collection))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class ItemCacheAgesReader(TableReader[ItemCacheAges]):
    """Reads `item_cache_ages`."""

    __slots__ = ()
    SPEC = specs.ITEM_CACHE_AGES

    def get(self, collection: int, used_at: int, entry: bytes) -> ItemCacheAges | None:
        """The row with this key, or None."""
        return self.row_at(item_cache_ages_key(collection, used_at, entry))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ItemCacheAgesKey | None = None,
        before: ItemCacheAgesKey | None = None,
        limit: int | None = None,
    ) -> list[ItemCacheAges]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else item_cache_ages_key(*after),
            before=None if before is None else item_cache_ages_key(*before),
            limit=limit,
        )

    def of_collection(
        self,
        collection: int,
        *,
        newest_first: bool = False,
        after: ItemCacheAgesKey | None = None,
        before: ItemCacheAgesKey | None = None,
        limit: int | None = None,
    ) -> list[ItemCacheAges]:
        """The rows with this `collection`; the options are those of `all`."""
        return self.rows_under(
            item_cache_ages_prefix_1(collection),
            newest_first=newest_first,
            after=None if after is None else item_cache_ages_key(*after),
            before=None if before is None else item_cache_ages_key(*before),
            limit=limit,
        )

    def of_used_at(
        self,
        collection: int,
        used_at: int,
        *,
        newest_first: bool = False,
        after: ItemCacheAgesKey | None = None,
        before: ItemCacheAgesKey | None = None,
        limit: int | None = None,
    ) -> list[ItemCacheAges]:
        """The rows with this `collection` and `used_at`; the options are those of `all`."""
        return self.rows_under(
            item_cache_ages_prefix_2(collection, used_at),
            newest_first=newest_first,
            after=None if after is None else item_cache_ages_key(*after),
            before=None if before is None else item_cache_ages_key(*before),
            limit=limit,
        )


class ItemCacheAgesDerived(DerivedTable[ItemCacheAges], ItemCacheAgesReader):
    """`item_cache_ages` inside a transaction. Only the store writes it."""

    __slots__ = ()


class StableIdsReader(TableReader[StableIds]):
    """Reads `stable_ids`. Numbers that follow a message through its life, whatever its id becomes."""

    __slots__ = ()
    SPEC = specs.STABLE_IDS

    def get(self, peer_id: PeerId) -> StableIds | None:
        """The row with this key, or None."""
        return self.row_at(stable_ids_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[StableIds]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else stable_ids_key(after) + 1,
            None if before is None else stable_ids_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class StableIdsSequence(SequenceTable[StableIds], StableIdsReader):
    """Gives the numbers of `stable_ids`, from 1 to 4294967294, each once."""

    __slots__ = ()
    PACKED = packed.STABLE_IDS
    START = 1
    LIMIT = 4294967294


class LocalIdsReader(TableReader[LocalIds]):
    """Reads `local_ids`. Ids of messages that the server has not numbered."""

    __slots__ = ()
    SPEC = specs.LOCAL_IDS

    def get(self, peer_id: PeerId, namespace: MessageNamespace) -> LocalIds | None:
        """The row with this key, or None."""
        return self.row_at(local_ids_key(peer_id, namespace))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: LocalIdsKey | None = None,
        before: LocalIdsKey | None = None,
        limit: int | None = None,
    ) -> list[LocalIds]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else local_ids_key(*after),
            before=None if before is None else local_ids_key(*before),
            limit=limit,
        )

    def of_peer(
        self,
        peer_id: PeerId,
        *,
        newest_first: bool = False,
        after: LocalIdsKey | None = None,
        before: LocalIdsKey | None = None,
        limit: int | None = None,
    ) -> list[LocalIds]:
        """The rows with this `peer_id`; the options are those of `all`."""
        return self.rows_under(
            local_ids_prefix_1(peer_id),
            newest_first=newest_first,
            after=None if after is None else local_ids_key(*after),
            before=None if before is None else local_ids_key(*before),
            limit=limit,
        )


class LocalIdsSequence(SequenceTable[LocalIds], LocalIdsReader):
    """Gives the numbers of `local_ids`, from 1 to 2147483646, each once."""

    __slots__ = ()
    PACKED = packed.LOCAL_IDS
    START = 1
    LIMIT = 2147483646


class AccountReader(TableReader[Account]):
    """Reads `account`. Up to where the account's streams are applied."""

    __slots__ = ()
    SPEC = specs.ACCOUNT

    def get(self) -> Account | None:
        """The row with this key, or None."""
        return self.row_at(account_key())


class AccountTable(TableWriter[Account], AccountReader):
    """`account` inside a transaction."""

    __slots__ = ()

    def put(self, row: Account) -> Account:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(account_key(), packed.ACCOUNT.encode(row.pts, row.qts, row.seq, row.date))
        return row

    def put_was(self, row: Account) -> Put[Account]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Account) -> Account | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(account_key())

    def remove(self) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(account_key(), None)


class ChannelReader(TableReader[Channel]):
    """Reads `channel`. The same for each channel, which counts for itself."""

    __slots__ = ()
    SPEC = specs.CHANNEL

    def get(self, peer_id: PeerId) -> Channel | None:
        """The row with this key, or None."""
        return self.row_at(channel_key(peer_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PeerId | None = None,
        before: PeerId | None = None,
        limit: int | None = None,
    ) -> list[Channel]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else channel_key(after) + 1,
            None if before is None else channel_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class ChannelTable(TableWriter[Channel], ChannelReader):
    """`channel` inside a transaction."""

    __slots__ = ()

    def put(self, row: Channel) -> Channel:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(channel_key(row.peer_id), packed.CHANNEL.encode(row.pts))
        return row

    def put_was(self, row: Channel) -> Put[Channel]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Channel) -> Channel | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(channel_key(row.peer_id))

    def remove(self, peer_id: PeerId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(channel_key(peer_id), None)
