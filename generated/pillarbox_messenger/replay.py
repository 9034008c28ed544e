# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""What the operations of the schema 'messenger' do, and what a new box starts with."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pillarbox.errors import RangeError, UsageError
from pillarbox.expr import join
from pillarbox.storage import StoredKey
from pillarbox_messenger.events import MessageAdded, MessagesDeleted, SettingsConfirmed
from pillarbox_messenger.keys import (
    chat_interface_key,
    collection_by_id_key,
    message_ids_key,
    notification_settings_key,
    peers_key,
    presence_key,
    read_states_key,
)
from pillarbox_messenger.operations import (
    OPERATIONS,
    AddMessages,
    ChangeSettings,
    ClearCache,
    ClearHistory,
    DeleteMessages,
    EditMessage,
    MarkUnread,
    Operation,
    PinMessages,
    PutCache,
    PutCachedPeer,
    PutReadStates,
    PutSettings,
    PutThreads,
    ReadInbox,
    ReadOutbox,
    RenamePeer,
    ReplaceCollection,
    SawActivity,
    SeeMentions,
    SentMessage,
    SetChannelState,
    SetContact,
    SetDraft,
    SetInclusion,
    SetMessageFlags,
    SetMetadata,
    SetNotice,
    SetPins,
    SetPreference,
    SetPresence,
    SetState,
    UpdatePeers,
)
from pillarbox_messenger.transaction import Transaction
from pillarbox_messenger.types import (
    Account,
    CachedPeers,
    Channel,
    ChatInterface,
    Inclusions,
    ItemCache,
    Message,
    MessageNamespace,
    Metadata,
    MetadataItem,
    Notices,
    NotificationSettings,
    Preferences,
    Presence,
    PresenceStatus,
    ReadStates,
)


class Replay:
    """Does inside a transaction what operations say, each in a method of its own."""

    __slots__ = ("_tx",)

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def add_messages(self, operation: AddMessages) -> None:
        """Store messages as given; one that is known under its id is replaced, wherever it stood."""
        tx = self._tx
        message = tx.message
        stored = [message.put_was(m) for m in operation.messages]
        for s in stored:
            if s.was is None:
                tx.emit(
                    MessageAdded(
                        peer_id=s.row.peer_id,
                        namespace=s.row.namespace,
                        id=s.row.id,
                        incoming=s.row.flags & 4 != 0,
                    ),
                )

    def edit_message(self, operation: EditMessage) -> None:
        """Write over what can be edited; what the store itself knows of the message stays."""
        tx = self._tx
        known = tx.message_ids.get(
            operation.message.peer_id,
            operation.message.namespace,
            operation.message.id,
        )
        if known is None:
            return
        old = tx.message.get(
            operation.message.peer_id,
            operation.message.namespace,
            known.timestamp,
            operation.message.id,
        )
        if old is not None:
            tx.message.put(
                replace(
                    old,
                    text=operation.message.text,
                    entities=operation.message.entities,
                    attributes=operation.message.attributes,
                    media=operation.message.media,
                    tags=operation.message.tags,
                ),
            )

    def delete_messages(self, operation: DeleteMessages) -> None:
        """Apply `delete_messages`."""
        tx = self._tx
        message_ids = tx.message_ids
        message = tx.message
        for k in operation.ids:
            if message_ids.get(k.peer_id, k.namespace, k.id) is not None:
                known = message_ids.get(k.peer_id, k.namespace, k.id)
                if known is not None:
                    message.remove(k.peer_id, k.namespace, known.timestamp, k.id)
        if len(operation.ids) > 0:
            tx.emit(MessagesDeleted(ids=operation.ids))

    def clear_history(self, operation: ClearHistory) -> None:
        """Apply `clear_history`."""
        message = self._tx.message
        for n in operation.namespaces:
            message.remove_of_namespace(operation.peer_id, n)

    def sent_message(self, operation: SentMessage) -> None:
        """The server took our message and gave it a number of its own."""
        tx = self._tx
        ours = tx.message_ids.get(operation.peer_id, MessageNamespace.LOCAL, operation.local_id)
        if ours is not None:
            tx.message.remove(operation.peer_id, MessageNamespace.LOCAL, ours.timestamp, operation.local_id)
        tx.message.put(operation.message)

    def set_message_flags(self, operation: SetMessageFlags) -> None:
        """Apply `set_message_flags`."""
        tx = self._tx
        known = tx.message_ids.get(operation.id.peer_id, operation.id.namespace, operation.id.id)
        if known is None:
            return
        old = tx.message.get(operation.id.peer_id, operation.id.namespace, known.timestamp, operation.id.id)
        if old is not None:
            tx.message.put(replace(old, flags=(old.flags | operation.set) & ~operation.clear))

    def see_mentions(self, operation: SeeMentions) -> None:
        """Mentions and reactions of these messages have been on screen."""
        tx = self._tx
        message_ids = tx.message_ids
        message = tx.message
        for k in operation.ids:
            if message_ids.get(k.peer_id, k.namespace, k.id) is not None:
                known = message_ids.get(k.peer_id, k.namespace, k.id)
                if known is not None:
                    old = message.get(k.peer_id, k.namespace, known.timestamp, k.id)
                    if old is not None:
                        message.put(replace(old, tags=old.tags & ~(32 | 2048)))

    def pin_messages(self, operation: PinMessages) -> None:
        """Apply `pin_messages`."""
        tx = self._tx
        message_ids = tx.message_ids
        message = tx.message
        for i in operation.ids:
            if message_ids.get(operation.peer_id, MessageNamespace.CLOUD, i) is not None:
                known = message_ids.get(operation.peer_id, MessageNamespace.CLOUD, i)
                if known is not None:
                    old = message.get(operation.peer_id, MessageNamespace.CLOUD, known.timestamp, i)
                    if old is not None:
                        message.put(
                            replace(
                                old,
                                tags=(old.tags | (1024 if operation.pinned else 0))
                                & ~(1024 if not operation.pinned else 0),
                            ),
                        )

    def read_inbox(self, operation: ReadInbox) -> None:
        """Messages up to an id have been read here; the server says how many are left."""
        tx = self._tx
        old = tx.read_states.get(operation.peer_id, operation.namespace)
        if old is None:
            old = ReadStates(peer_id=operation.peer_id, namespace=operation.namespace)
        tx.read_states.put(
            replace(old, count=operation.left, marked=False, read_in=max(old.read_in, operation.read_in)),
        )

    def read_outbox(self, operation: ReadOutbox) -> None:
        """Apply `read_outbox`."""
        tx = self._tx
        old = tx.read_states.get(operation.peer_id, operation.namespace)
        if old is None:
            old = ReadStates(peer_id=operation.peer_id, namespace=operation.namespace)
        tx.read_states.put(replace(old, read_out=max(old.read_out, operation.read_out)))

    def mark_unread(self, operation: MarkUnread) -> None:
        """Apply `mark_unread`."""
        tx = self._tx
        old = tx.read_states.get(operation.peer_id, MessageNamespace.CLOUD)
        if old is None:
            old = ReadStates(peer_id=operation.peer_id, namespace=MessageNamespace.CLOUD)
        tx.read_states.put(replace(old, marked=operation.marked))

    def put_read_states(self, operation: PutReadStates) -> None:
        """Apply `put_read_states`."""
        read_states = self._tx.read_states
        for s in operation.states:
            read_states.put(s)

    def set_inclusion(self, operation: SetInclusion) -> None:
        """Apply `set_inclusion`."""
        self._tx.inclusions.put(
            Inclusions(
                peer_id=operation.peer_id,
                group_id=operation.group_id,
                min_timestamp=operation.min_timestamp,
            ),
        )

    def set_pins(self, operation: SetPins) -> None:
        """The pins of a list become exactly these."""
        chat_pins = self._tx.chat_pins
        chat_pins.remove_of_group(operation.group_id)
        for p in operation.pins:
            if p.group_id == operation.group_id:
                chat_pins.put(p)

    def set_draft(self, operation: SetDraft) -> None:
        """Apply `set_draft`."""
        tx = self._tx
        override_timestamp = operation.draft.date if operation.draft is not None else None
        old = tx.chat_interface.get(operation.peer_id)
        if old is None:
            old = ChatInterface(peer_id=operation.peer_id)
        tx.chat_interface.put(replace(old, draft=operation.draft, override_timestamp=override_timestamp))

    def put_threads(self, operation: PutThreads) -> None:
        """Apply `put_threads`."""
        threads = self._tx.threads
        for t in operation.threads:
            threads.put(t)

    def update_peers(self, operation: UpdatePeers) -> None:
        """Take peers over. One that came along with something else (min) never overwrites what only a full
        one has.
        """
        peers = self._tx.peers
        for p in operation.peers:
            if p.flags & 1 and peers.get(p.peer_id) is not None:
                old = peers.get(p.peer_id)
                if old is not None:
                    peers.put(replace(old, name=p.name, data=p.data))
            else:
                peers.put(p)

    def rename_peer(self, operation: RenamePeer) -> None:
        """Apply `rename_peer`."""
        tx = self._tx
        old = tx.peers.get(operation.peer_id)
        if old is not None:
            tx.peers.put(replace(old, name=operation.name, usernames=join(operation.usernames, ())))

    def set_contact(self, operation: SetContact) -> None:
        """Apply `set_contact`."""
        tx = self._tx
        old = tx.peers.get(operation.peer_id)
        if old is not None:
            tx.peers.put(
                replace(
                    old,
                    flags=(
                        old.flags
                        | (2 if operation.contact else 0)
                        | (4 if operation.contact and operation.mutual else 0)
                    )
                    & ~(
                        (2 if not operation.contact else 0)
                        | (4 if not operation.contact or not operation.mutual else 0)
                    ),
                ),
            )

    def set_presence(self, operation: SetPresence) -> None:
        """Apply `set_presence`."""
        presence = self._tx.presence
        for p in operation.presences:
            presence.put(p)

    def saw_activity(self, operation: SawActivity) -> None:
        """Apply `saw_activity`."""
        tx = self._tx
        old = tx.presence.get(operation.peer_id)
        if old is None:
            old = Presence(peer_id=operation.peer_id, status=PresenceStatus.UNKNOWN)
        tx.presence.put(replace(old, last_activity=max(old.last_activity, operation.at)))

    def put_cached_peer(self, operation: PutCachedPeer) -> None:
        """Apply `put_cached_peer`."""
        self._tx.cached_peers.put(
            CachedPeers(
                peer_id=operation.peer_id,
                data=operation.data,
                fetched_at=operation.at,
                pinned_message_id=operation.pinned,
            ),
        )

    def put_settings(self, operation: PutSettings) -> None:
        """The settings of a peer as the server has them."""
        tx = self._tx
        old = tx.notification_settings.get(operation.peer_id)
        if old is not None and old.pending is not None and old.pending == operation.settings:
            old_notification_settings = tx.notification_settings.get(operation.peer_id)
            if old_notification_settings is not None:
                tx.notification_settings.put(
                    replace(old_notification_settings, current=operation.settings, pending=None),
                )
            tx.emit(SettingsConfirmed(peer_id=operation.peer_id))
        else:
            old_notification_settings = tx.notification_settings.get(operation.peer_id)
            if old_notification_settings is None:
                old_notification_settings = NotificationSettings(peer_id=operation.peer_id)
            tx.notification_settings.put(replace(old_notification_settings, current=operation.settings))

    def change_settings(self, operation: ChangeSettings) -> None:
        """The settings of a peer as somebody here wants them; they are pending until the server agrees."""
        tx = self._tx
        old = tx.notification_settings.get(operation.peer_id)
        if old is None:
            old = NotificationSettings(peer_id=operation.peer_id)
        tx.notification_settings.put(replace(old, pending=operation.settings))

    def set_preference(self, operation: SetPreference) -> None:
        """Apply `set_preference`."""
        tx = self._tx
        if operation.value is not None:
            tx.preferences.put(Preferences(item=operation.item, value=operation.value))
        if operation.value is None:
            tx.preferences.remove(operation.item)

    def set_notice(self, operation: SetNotice) -> None:
        """Apply `set_notice`."""
        tx = self._tx
        if operation.value is not None:
            tx.notices.put(
                Notices(
                    namespace=operation.namespace,
                    notice=operation.notice,
                    value=operation.value,
                    until=operation.until,
                ),
            )
        if operation.value is None:
            tx.notices.remove(operation.namespace, operation.notice)

    def set_metadata(self, operation: SetMetadata) -> None:
        """Apply `set_metadata`."""
        self._tx.metadata.put(Metadata(item=operation.item, number=operation.number, data=operation.data))

    def replace_collection(self, operation: ReplaceCollection) -> None:
        """A collection and its items become exactly these."""
        tx = self._tx
        collection_items = tx.collection_items
        known = tx.collection_by_id.get(operation.info.namespace, operation.info.collection_id)
        if known is not None:
            tx.collection_infos.remove(operation.info.namespace, known.position, operation.info.collection_id)
        collection_items.remove_of_collection(operation.info.namespace, operation.info.collection_id)
        tx.collection_infos.put(operation.info)
        for i in operation.items:
            if i.namespace == operation.info.namespace and i.collection_id == operation.info.collection_id:
                collection_items.put(i)

    def put_cache(self, operation: PutCache) -> None:
        """Apply `put_cache`."""
        tx = self._tx
        if operation.value is not None:
            tx.item_cache.put(
                ItemCache(
                    collection=operation.collection,
                    entry=operation.entry,
                    value=operation.value,
                    used_at=operation.at,
                ),
            )
        if operation.value is None:
            tx.item_cache.remove(operation.collection, operation.entry)

    def clear_cache(self, operation: ClearCache) -> None:
        """Apply `clear_cache`."""
        self._tx.item_cache.remove_of_collection(operation.collection)

    def set_state(self, operation: SetState) -> None:
        """Begin at a state the server names; the old one is not mixed in."""
        self._tx.account.put(
            Account(pts=operation.pts, qts=operation.qts, seq=operation.seq, date=operation.date),
        )

    def set_channel_state(self, operation: SetChannelState) -> None:
        """Apply `set_channel_state`."""
        self._tx.channel.put(Channel(peer_id=operation.peer_id, pts=operation.pts))


class Prefetch:
    """Collects what operations will read by their parameters alone, so that each table is asked once."""

    __slots__ = (
        "_keys_of_chat_interface",
        "_keys_of_collection_by_id",
        "_keys_of_message_ids",
        "_keys_of_notification_settings",
        "_keys_of_peers",
        "_keys_of_presence",
        "_keys_of_read_states",
        "_rows_of_message",
        "_tx",
    )

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._keys_of_chat_interface: list[StoredKey] = []
        self._keys_of_collection_by_id: list[StoredKey] = []
        self._keys_of_message_ids: list[StoredKey] = []
        self._keys_of_notification_settings: list[StoredKey] = []
        self._keys_of_peers: list[StoredKey] = []
        self._keys_of_presence: list[StoredKey] = []
        self._keys_of_read_states: list[StoredKey] = []
        self._rows_of_message: list[Message] = []

    def add_messages(self, operation: AddMessages) -> None:
        """Collect what `Replay.add_messages` reads first."""
        self._rows_of_message += operation.messages

    def edit_message(self, operation: EditMessage) -> None:
        """Collect what `Replay.edit_message` reads first."""
        self._keys_of_message_ids.append(
            message_ids_key(operation.message.peer_id, operation.message.namespace, operation.message.id),
        )

    def delete_messages(self, operation: DeleteMessages) -> None:
        """Collect what `Replay.delete_messages` reads first."""
        for k in operation.ids:
            self._keys_of_message_ids.append(message_ids_key(k.peer_id, k.namespace, k.id))

    def clear_history(self, operation: ClearHistory) -> None:
        """Nothing to read ahead."""

    def sent_message(self, operation: SentMessage) -> None:
        """Collect what `Replay.sent_message` reads first."""
        self._keys_of_message_ids.append(
            message_ids_key(operation.peer_id, MessageNamespace.LOCAL, operation.local_id),
        )
        self._rows_of_message.append(operation.message)

    def set_message_flags(self, operation: SetMessageFlags) -> None:
        """Collect what `Replay.set_message_flags` reads first."""
        self._keys_of_message_ids.append(
            message_ids_key(operation.id.peer_id, operation.id.namespace, operation.id.id),
        )

    def see_mentions(self, operation: SeeMentions) -> None:
        """Collect what `Replay.see_mentions` reads first."""
        for k in operation.ids:
            self._keys_of_message_ids.append(message_ids_key(k.peer_id, k.namespace, k.id))

    def pin_messages(self, operation: PinMessages) -> None:
        """Collect what `Replay.pin_messages` reads first."""
        for i in operation.ids:
            self._keys_of_message_ids.append(message_ids_key(operation.peer_id, MessageNamespace.CLOUD, i))

    def read_inbox(self, operation: ReadInbox) -> None:
        """Collect what `Replay.read_inbox` reads first."""
        self._keys_of_read_states.append(read_states_key(operation.peer_id, operation.namespace))

    def read_outbox(self, operation: ReadOutbox) -> None:
        """Collect what `Replay.read_outbox` reads first."""
        self._keys_of_read_states.append(read_states_key(operation.peer_id, operation.namespace))

    def mark_unread(self, operation: MarkUnread) -> None:
        """Collect what `Replay.mark_unread` reads first."""
        self._keys_of_read_states.append(read_states_key(operation.peer_id, MessageNamespace.CLOUD))

    def put_read_states(self, operation: PutReadStates) -> None:
        """Nothing to read ahead."""

    def set_inclusion(self, operation: SetInclusion) -> None:
        """Nothing to read ahead."""

    def set_pins(self, operation: SetPins) -> None:
        """Nothing to read ahead."""

    def set_draft(self, operation: SetDraft) -> None:
        """Collect what `Replay.set_draft` reads first."""
        self._keys_of_chat_interface.append(chat_interface_key(operation.peer_id))

    def put_threads(self, operation: PutThreads) -> None:
        """Nothing to read ahead."""

    def update_peers(self, operation: UpdatePeers) -> None:
        """Collect what `Replay.update_peers` reads first."""
        for p in operation.peers:
            self._keys_of_peers.append(peers_key(p.peer_id))

    def rename_peer(self, operation: RenamePeer) -> None:
        """Collect what `Replay.rename_peer` reads first."""
        self._keys_of_peers.append(peers_key(operation.peer_id))

    def set_contact(self, operation: SetContact) -> None:
        """Collect what `Replay.set_contact` reads first."""
        self._keys_of_peers.append(peers_key(operation.peer_id))

    def set_presence(self, operation: SetPresence) -> None:
        """Nothing to read ahead."""

    def saw_activity(self, operation: SawActivity) -> None:
        """Collect what `Replay.saw_activity` reads first."""
        self._keys_of_presence.append(presence_key(operation.peer_id))

    def put_cached_peer(self, operation: PutCachedPeer) -> None:
        """Nothing to read ahead."""

    def put_settings(self, operation: PutSettings) -> None:
        """Collect what `Replay.put_settings` reads first."""
        self._keys_of_notification_settings.append(notification_settings_key(operation.peer_id))

    def change_settings(self, operation: ChangeSettings) -> None:
        """Collect what `Replay.change_settings` reads first."""
        self._keys_of_notification_settings.append(notification_settings_key(operation.peer_id))

    def set_preference(self, operation: SetPreference) -> None:
        """Nothing to read ahead."""

    def set_notice(self, operation: SetNotice) -> None:
        """Nothing to read ahead."""

    def set_metadata(self, operation: SetMetadata) -> None:
        """Nothing to read ahead."""

    def replace_collection(self, operation: ReplaceCollection) -> None:
        """Collect what `Replay.replace_collection` reads first."""
        self._keys_of_collection_by_id.append(
            collection_by_id_key(operation.info.namespace, operation.info.collection_id),
        )

    def put_cache(self, operation: PutCache) -> None:
        """Nothing to read ahead."""

    def clear_cache(self, operation: ClearCache) -> None:
        """Nothing to read ahead."""

    def set_state(self, operation: SetState) -> None:
        """Nothing to read ahead."""

    def set_channel_state(self, operation: SetChannelState) -> None:
        """Nothing to read ahead."""

    def read(self) -> None:
        """Read all that was collected into the transaction's tables."""
        tx = self._tx
        if self._keys_of_chat_interface:
            tx.chat_interface.preload(self._keys_of_chat_interface)
        if self._keys_of_collection_by_id:
            tx.collection_by_id.preload(self._keys_of_collection_by_id)
        if self._keys_of_message_ids:
            tx.message_ids.preload(self._keys_of_message_ids)
        if self._keys_of_notification_settings:
            tx.notification_settings.preload(self._keys_of_notification_settings)
        if self._keys_of_peers:
            tx.peers.preload(self._keys_of_peers)
        if self._keys_of_presence:
            tx.presence.preload(self._keys_of_presence)
        if self._keys_of_read_states:
            tx.read_states.preload(self._keys_of_read_states)
        if self._rows_of_message:
            tx.message.probe(self._rows_of_message)


def replay(tx: Transaction, operations: Sequence[Operation]) -> None:
    """Apply operations one after the other. Raises UsageError for what is none of this schema, before any."""
    for operation in operations:
        if type(operation) not in OPERATIONS:
            raise UsageError(
                f"{type(operation).__name__} is no operation of this schema; take a class of `operations`",
            )
    prefetch = Prefetch(tx)
    for operation in operations:
        try:
            operation.accept(prefetch)
        except RangeError:
            continue  # Told when it is applied, if that key is needed at all.
    prefetch.read()
    visitor = Replay(tx)
    for operation in operations:
        operation.accept(visitor)


def seed_box(tx: Transaction) -> None:
    """Write what every new box holds; runs in the transaction that creates it."""
    tx.metadata.put(Metadata(item=MetadataItem.VERSION, number=1))
