# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""A transaction of the schema 'messenger', and the readers of its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pillarbox import transaction
from pillarbox.maintainers import Count, Identity, Index, Top, UniqueIndex
from pillarbox.storage import Engine
from pillarbox.tables import TableReader
from pillarbox_messenger import packed, rules, tables


class Transaction(transaction.Transaction):
    """What `box.transaction()` yields: every table, with this transaction's writes in it."""

    __slots__ = (
        "account",
        "associated_peers",
        "cached_peers",
        "channel",
        "chat_interface",
        "chat_list",
        "chat_pins",
        "chat_top",
        "chats_by_group",
        "collection_by_id",
        "collection_infos",
        "collection_items",
        "collection_keywords",
        "contacts",
        "contacts_by_name",
        "failed",
        "global_tags",
        "inclusions",
        "item_cache",
        "item_cache_ages",
        "local_ids",
        "local_tags",
        "message",
        "message_by_global_id",
        "message_by_unique_id",
        "message_ids",
        "message_tags",
        "metadata",
        "notices",
        "notification_settings",
        "peer_counts",
        "peer_timeouts",
        "peer_usernames",
        "peers",
        "pending_settings",
        "pin_of_chat",
        "preferences",
        "presence",
        "presence_until",
        "read_states",
        "read_totals",
        "stable_ids",
        "tag_counts",
        "thread_list",
        "thread_messages",
        "thread_tags",
        "thread_top",
        "threads",
        "threads_summary",
        "unread_chats",
        "unsent",
    )

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        log = self._log
        self.chat_top = tables.ChatTopDerived(engine, log)
        self.chat_list = tables.ChatListDerived(engine, log)
        self.chats_by_group = tables.ChatsByGroupDerived(engine, log)
        self.pin_of_chat = tables.PinOfChatDerived(engine, log)
        self.unread_chats = tables.UnreadChatsDerived(engine, log)
        self.read_totals = tables.ReadTotalsDerived(engine, log)
        self.message_ids = tables.MessageIdsDerived(engine, log)
        self.message_by_global_id = tables.MessageByGlobalIdDerived(engine, log)
        self.message_by_unique_id = tables.MessageByUniqueIdDerived(engine, log)
        self.unsent = tables.UnsentDerived(engine, log)
        self.failed = tables.FailedDerived(engine, log)
        self.message_tags = tables.MessageTagsDerived(engine, log)
        self.global_tags = tables.GlobalTagsDerived(engine, log)
        self.local_tags = tables.LocalTagsDerived(engine, log)
        self.tag_counts = tables.TagCountsDerived(engine, log)
        self.thread_messages = tables.ThreadMessagesDerived(engine, log)
        self.thread_tags = tables.ThreadTagsDerived(engine, log)
        self.thread_top = tables.ThreadTopDerived(engine, log)
        self.thread_list = tables.ThreadListDerived(engine, log)
        self.threads_summary = tables.ThreadsSummaryDerived(engine, log)
        self.peer_usernames = tables.PeerUsernamesDerived(engine, log)
        self.contacts = tables.ContactsDerived(engine, log)
        self.contacts_by_name = tables.ContactsByNameDerived(engine, log)
        self.associated_peers = tables.AssociatedPeersDerived(engine, log)
        self.peer_timeouts = tables.PeerTimeoutsDerived(engine, log)
        self.peer_counts = tables.PeerCountsDerived(engine, log)
        self.presence_until = tables.PresenceUntilDerived(engine, log)
        self.pending_settings = tables.PendingSettingsDerived(engine, log)
        self.collection_by_id = tables.CollectionByIdDerived(engine, log)
        self.collection_keywords = tables.CollectionKeywordsDerived(engine, log)
        self.item_cache_ages = tables.ItemCacheAgesDerived(engine, log)
        self.stable_ids = tables.StableIdsSequence(engine, log)
        self.local_ids = tables.LocalIdsSequence(engine, log)
        message_ids_identity = Identity(
            self.message_ids,
            rules.message_ids_identity_key,
            rules.message_ids_identity_cell,
            rules.message_ids_identity_owner,
        )
        self.inclusions = tables.InclusionsTable(engine, log)
        self.chat_pins = tables.ChatPinsTable(engine, log)
        self.chat_interface = tables.ChatInterfaceTable(engine, log)
        self.read_states = tables.ReadStatesTable(engine, log)
        self.message = tables.MessageTable(engine, log, message_ids_identity, self.local_ids, self.stable_ids)
        self.threads = tables.ThreadsTable(engine, log)
        self.peers = tables.PeersTable(engine, log)
        self.cached_peers = tables.CachedPeersTable(engine, log)
        self.presence = tables.PresenceTable(engine, log)
        self.notification_settings = tables.NotificationSettingsTable(engine, log)
        self.metadata = tables.MetadataTable(engine, log)
        self.preferences = tables.PreferencesTable(engine, log)
        self.notices = tables.NoticesTable(engine, log)
        self.collection_infos = tables.CollectionInfosTable(engine, log)
        self.collection_items = tables.CollectionItemsTable(engine, log)
        self.item_cache = tables.ItemCacheTable(engine, log)
        self.account = tables.AccountTable(engine, log)
        self.channel = tables.ChannelTable(engine, log)
        self._wire(
            identities=[(self.message, message_ids_identity)],
            rules=[
                Top(self.message, self.chat_top, rules.CHAT_TOP),
                Index(self.chat_top, self.chat_list, rules.chat_list_rows),
                Index(self.inclusions, self.chats_by_group, rules.chats_by_group_rows),
                UniqueIndex(self.chat_pins, self.pin_of_chat, rules.pin_of_chat_rows),
                Index(self.read_states, self.unread_chats, rules.unread_chats_rows),
                Count(self.read_states, self.read_totals, rules.read_totals_sums, packed.READ_TOTALS),
                Index(self.message, self.message_by_global_id, rules.message_by_global_id_rows),
                Index(self.message, self.message_by_unique_id, rules.message_by_unique_id_rows),
                Index(self.message, self.unsent, rules.unsent_rows),
                Index(self.message, self.failed, rules.failed_rows),
                Index(self.message, self.message_tags, rules.message_tags_rows),
                Index(self.message, self.global_tags, rules.global_tags_rows),
                Index(self.message, self.local_tags, rules.local_tags_rows),
                Count(self.message, self.tag_counts, rules.tag_counts_sums, packed.TAG_COUNTS),
                Index(self.message, self.thread_messages, rules.thread_messages_rows),
                Index(self.message, self.thread_tags, rules.thread_tags_rows),
                Top(self.thread_messages, self.thread_top, rules.THREAD_TOP),
                Index(self.thread_top, self.thread_list, rules.thread_list_rows),
                Top(self.thread_list, self.threads_summary, rules.THREADS_SUMMARY),
                Index(self.peers, self.peer_usernames, rules.peer_usernames_rows),
                Index(self.peers, self.contacts, rules.contacts_rows),
                Index(self.peers, self.contacts_by_name, rules.contacts_by_name_rows),
                Index(self.peers, self.associated_peers, rules.associated_peers_rows),
                Index(self.peers, self.peer_timeouts, rules.peer_timeouts_rows),
                Count(self.peers, self.peer_counts, rules.peer_counts_sums, packed.PEER_COUNTS),
                Index(self.presence, self.presence_until, rules.presence_until_rows),
                Index(self.notification_settings, self.pending_settings, rules.pending_settings_rows),
                UniqueIndex(self.collection_infos, self.collection_by_id, rules.collection_by_id_rows),
                Index(self.collection_items, self.collection_keywords, rules.collection_keywords_rows),
                Index(self.item_cache, self.item_cache_ages, rules.item_cache_ages_rows),
            ],
            sequences=[self.stable_ids, self.local_ids],
            derived=[
                self.chat_top,
                self.chat_list,
                self.chats_by_group,
                self.pin_of_chat,
                self.unread_chats,
                self.read_totals,
                self.message_by_global_id,
                self.message_by_unique_id,
                self.unsent,
                self.failed,
                self.message_tags,
                self.global_tags,
                self.local_tags,
                self.tag_counts,
                self.thread_messages,
                self.thread_tags,
                self.thread_top,
                self.thread_list,
                self.threads_summary,
                self.peer_usernames,
                self.contacts,
                self.contacts_by_name,
                self.associated_peers,
                self.peer_timeouts,
                self.peer_counts,
                self.presence_until,
                self.pending_settings,
                self.collection_by_id,
                self.collection_keywords,
                self.item_cache_ages,
            ],
        )


class Tables:
    """Every table as of the last commit."""

    __slots__ = (
        "_by_id",
        "account",
        "associated_peers",
        "cached_peers",
        "channel",
        "chat_interface",
        "chat_list",
        "chat_pins",
        "chat_top",
        "chats_by_group",
        "collection_by_id",
        "collection_infos",
        "collection_items",
        "collection_keywords",
        "contacts",
        "contacts_by_name",
        "failed",
        "global_tags",
        "inclusions",
        "item_cache",
        "item_cache_ages",
        "local_ids",
        "local_tags",
        "message",
        "message_by_global_id",
        "message_by_unique_id",
        "message_ids",
        "message_tags",
        "metadata",
        "notices",
        "notification_settings",
        "peer_counts",
        "peer_timeouts",
        "peer_usernames",
        "peers",
        "pending_settings",
        "pin_of_chat",
        "preferences",
        "presence",
        "presence_until",
        "read_states",
        "read_totals",
        "stable_ids",
        "tag_counts",
        "thread_list",
        "thread_messages",
        "thread_tags",
        "thread_top",
        "threads",
        "threads_summary",
        "unread_chats",
        "unsent",
    )

    def __init__(self, engine: Engine) -> None:
        self.chat_top = tables.ChatTopReader(engine)
        self.chat_list = tables.ChatListReader(engine)
        self.inclusions = tables.InclusionsReader(engine)
        self.chats_by_group = tables.ChatsByGroupReader(engine)
        self.chat_pins = tables.ChatPinsReader(engine)
        self.pin_of_chat = tables.PinOfChatReader(engine)
        self.chat_interface = tables.ChatInterfaceReader(engine)
        self.read_states = tables.ReadStatesReader(engine)
        self.unread_chats = tables.UnreadChatsReader(engine)
        self.read_totals = tables.ReadTotalsReader(engine)
        self.message = tables.MessageReader(engine)
        self.message_ids = tables.MessageIdsReader(engine)
        self.message_by_global_id = tables.MessageByGlobalIdReader(engine)
        self.message_by_unique_id = tables.MessageByUniqueIdReader(engine)
        self.unsent = tables.UnsentReader(engine)
        self.failed = tables.FailedReader(engine)
        self.message_tags = tables.MessageTagsReader(engine)
        self.global_tags = tables.GlobalTagsReader(engine)
        self.local_tags = tables.LocalTagsReader(engine)
        self.tag_counts = tables.TagCountsReader(engine)
        self.thread_messages = tables.ThreadMessagesReader(engine)
        self.thread_tags = tables.ThreadTagsReader(engine)
        self.threads = tables.ThreadsReader(engine)
        self.thread_top = tables.ThreadTopReader(engine)
        self.thread_list = tables.ThreadListReader(engine)
        self.threads_summary = tables.ThreadsSummaryReader(engine)
        self.peers = tables.PeersReader(engine)
        self.peer_usernames = tables.PeerUsernamesReader(engine)
        self.contacts = tables.ContactsReader(engine)
        self.contacts_by_name = tables.ContactsByNameReader(engine)
        self.associated_peers = tables.AssociatedPeersReader(engine)
        self.peer_timeouts = tables.PeerTimeoutsReader(engine)
        self.peer_counts = tables.PeerCountsReader(engine)
        self.cached_peers = tables.CachedPeersReader(engine)
        self.presence = tables.PresenceReader(engine)
        self.presence_until = tables.PresenceUntilReader(engine)
        self.notification_settings = tables.NotificationSettingsReader(engine)
        self.pending_settings = tables.PendingSettingsReader(engine)
        self.metadata = tables.MetadataReader(engine)
        self.preferences = tables.PreferencesReader(engine)
        self.notices = tables.NoticesReader(engine)
        self.collection_infos = tables.CollectionInfosReader(engine)
        self.collection_by_id = tables.CollectionByIdReader(engine)
        self.collection_items = tables.CollectionItemsReader(engine)
        self.collection_keywords = tables.CollectionKeywordsReader(engine)
        self.item_cache = tables.ItemCacheReader(engine)
        self.item_cache_ages = tables.ItemCacheAgesReader(engine)
        self.stable_ids = tables.StableIdsReader(engine)
        self.local_ids = tables.LocalIdsReader(engine)
        self.account = tables.AccountReader(engine)
        self.channel = tables.ChannelReader(engine)
        self._by_id: dict[int, TableReader[Any]] = {
            120: self.chat_top,
            9: self.chat_list,
            8: self.inclusions,
            121: self.chats_by_group,
            123: self.chat_pins,
            124: self.pin_of_chat,
            67: self.chat_interface,
            14: self.read_states,
            125: self.unread_chats,
            126: self.read_totals,
            7: self.message,
            4: self.message_ids,
            3: self.message_by_global_id,
            32: self.message_by_unique_id,
            11: self.unsent,
            49: self.failed,
            12: self.message_tags,
            39: self.global_tags,
            52: self.local_tags,
            44: self.tag_counts,
            62: self.thread_messages,
            71: self.thread_tags,
            73: self.threads,
            122: self.thread_top,
            72: self.thread_list,
            75: self.threads_summary,
            2: self.peers,
            26: self.peer_usernames,
            16: self.contacts,
            27: self.contacts_by_name,
            40: self.associated_peers,
            64: self.peer_timeouts,
            127: self.peer_counts,
            18: self.cached_peers,
            20: self.presence,
            128: self.presence_until,
            19: self.notification_settings,
            48: self.pending_settings,
            0: self.metadata,
            35: self.preferences,
            43: self.notices,
            21: self.collection_infos,
            129: self.collection_by_id,
            22: self.collection_items,
            36: self.collection_keywords,
            25: self.item_cache,
            24: self.item_cache_ages,
            301: self.stable_ids,
            302: self.local_ids,
            310: self.account,
            13: self.channel,
        }

    def by_id(self) -> Mapping[int, TableReader[Any]]:
        """Every table under its permanent number."""
        return self._by_id
