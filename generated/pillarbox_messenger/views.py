# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The views of the schema 'messenger'.

A view is named by its key: `box.watch(key)` gives snapshots, one for each commit that changes what is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pillarbox.views import (
    Aggregate,
    AnyOf,
    Builder,
    Count,
    Get,
    GetEach,
    Max,
    Readers,
    Scan,
    Sum,
    View,
    Window,
    WindowAt,
)
from pillarbox_messenger import specs
from pillarbox_messenger import types as _types
from pillarbox_messenger.keys import (
    ReadStatesKey,
    ThreadsKey,
    account_key,
    cached_peers_key,
    chat_interface_key,
    chat_pins_prefix_1,
    chat_top_key,
    collection_infos_prefix_1,
    collection_items_prefix_2,
    inclusions_key,
    message_ids_key,
    message_key,
    message_prefix_2,
    message_tags_prefix_3,
    metadata_key,
    notification_settings_key,
    peers_key,
    preferences_key,
    presence_key,
    read_states_key,
    read_totals_key,
    tag_counts_key,
    thread_list_prefix_1,
    thread_messages_prefix_3,
    threads_key,
    threads_summary_key,
)
from pillarbox_messenger.rules import (
    chat_list_source_key,
    contacts_by_name_source_key,
    message_tags_source_key,
    pending_settings_source_key,
    thread_list_source_key,
    thread_messages_source_key,
    unread_chats_source_key,
    unsent_source_key,
)
from pillarbox_messenger.types import (
    Account,
    CachedPeers,
    ChatInterface,
    ChatPins,
    ChatTop,
    CollectionId,
    CollectionInfos,
    CollectionItems,
    Draft,
    Inclusions,
    MessageNamespace,
    Metadata,
    MetadataItem,
    NotificationSettings,
    PeerId,
    Peers,
    PeerSettings,
    PhotoSize,
    Presence,
    PresenceStatus,
    ReadStates,
    ReadTotals,
    TagCounts,
    Threads,
    ThreadsSummary,
    ThreadTop,
)


class History(Struct, frozen=True, array_like=True, gc=False):
    """The end of a chat, with who wrote it."""

    peer_id: PeerId

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[HistorySnapshot]: ...


class HistoryAuthors(Struct, frozen=True, array_like=True, gc=False):
    """What `History` shows of a row of `peers`."""

    name: str
    photo: tuple[PhotoSize, ...]


class HistorySnapshot(Struct, frozen=True, gc=False):
    """What `History` shows."""

    peer: Peers | None
    messages: Window[_types.Message]
    authors: Mapping[PeerId, HistoryAuthors]
    read: ReadStates
    pending: tuple[_types.Message, ...]
    draft: ChatInterface | None


def _history_view(key: History, readers: Readers) -> View[HistorySnapshot]:
    """The parts of `History`, not yet loaded."""
    peer = Get(specs.PEERS, at=lambda: peers_key(key.peer_id))
    messages = WindowAt(
        specs.MESSAGE,
        prefix=lambda: message_prefix_2(key.peer_id, MessageNamespace.CLOUD),
        anchor="newest",
        before_max=lambda: 50,
        after_max=lambda: 0,
    )
    authors = GetEach(
        specs.PEERS,
        name=lambda row: row.peer_id,
        of=messages,
        keys=lambda row: (peers_key(row.author_id),) if row.author_id is not None else (),
        show=lambda row: HistoryAuthors(name=row.name, photo=row.photo),
    )
    read = Get(
        specs.READ_STATES,
        at=lambda: read_states_key(key.peer_id, MessageNamespace.CLOUD),
        default=lambda: ReadStates(peer_id=key.peer_id, namespace=MessageNamespace.CLOUD),
    )
    pending = Scan(specs.MESSAGE, prefix=lambda: message_prefix_2(key.peer_id, MessageNamespace.LOCAL))
    draft = Get(specs.CHAT_INTERFACE, at=lambda: chat_interface_key(key.peer_id))
    return View(
        key,
        (peer, messages, authors, read, pending, draft),
        lambda: HistorySnapshot(
            peer.value,
            messages.value,
            authors.value,
            read.value,
            pending.value,
            draft.value,
        ),
        names=("peer", "messages", "authors", "read", "pending", "draft"),
    )


class HistoryAround(Struct, frozen=True, array_like=True, gc=False):
    """The messages around one of them."""

    peer_id: PeerId
    namespace: MessageNamespace
    timestamp: int
    id: int
    before: int
    after: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[HistoryAroundSnapshot]: ...


class HistoryAroundAuthors(Struct, frozen=True, array_like=True, gc=False):
    """What `HistoryAround` shows of a row of `peers`."""

    name: str
    photo: tuple[PhotoSize, ...]


class HistoryAroundSnapshot(Struct, frozen=True, gc=False):
    """What `HistoryAround` shows."""

    messages: Window[_types.Message]
    authors: Mapping[PeerId, HistoryAroundAuthors]


def _history_around_view(key: HistoryAround, readers: Readers) -> View[HistoryAroundSnapshot]:
    """The parts of `HistoryAround`, not yet loaded."""
    messages = WindowAt(
        specs.MESSAGE,
        prefix=lambda: message_prefix_2(key.peer_id, key.namespace),
        anchor=lambda: message_key(key.peer_id, key.namespace, key.timestamp, key.id),
        before_max=lambda: key.before,
        after_max=lambda: key.after,
    )
    authors = GetEach(
        specs.PEERS,
        name=lambda row: row.peer_id,
        of=messages,
        keys=lambda row: (peers_key(row.author_id),) if row.author_id is not None else (),
        show=lambda row: HistoryAroundAuthors(name=row.name, photo=row.photo),
    )
    return View(
        key,
        (messages, authors),
        lambda: HistoryAroundSnapshot(messages.value, authors.value),
        names=("messages", "authors"),
    )


class Latest(Struct, frozen=True, array_like=True, gc=False):
    """The newest messages of a chat, as a plain list."""

    peer_id: PeerId
    namespace: MessageNamespace
    limit: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[LatestSnapshot]: ...


class LatestAuthors(Struct, frozen=True, array_like=True, gc=False):
    """What `Latest` shows of a row of `peers`."""

    name: str


class LatestSnapshot(Struct, frozen=True, gc=False):
    """What `Latest` shows."""

    messages: tuple[_types.Message, ...]
    authors: Mapping[PeerId, LatestAuthors]


def _latest_view(key: Latest, readers: Readers) -> View[LatestSnapshot]:
    """The parts of `Latest`, not yet loaded."""
    messages = Scan(
        specs.MESSAGE,
        prefix=lambda: message_prefix_2(key.peer_id, key.namespace),
        newest_first=True,
        limit=lambda: key.limit,
    )
    authors = GetEach(
        specs.PEERS,
        name=lambda row: row.peer_id,
        of=messages,
        keys=lambda row: (peers_key(row.author_id),) if row.author_id is not None else (),
        show=lambda row: LatestAuthors(name=row.name),
    )
    return View(
        key,
        (messages, authors),
        lambda: LatestSnapshot(messages.value, authors.value),
        names=("messages", "authors"),
    )


class Message(Struct, frozen=True, array_like=True, gc=False):
    """One message by its id, wherever it stands."""

    peer_id: PeerId
    namespace: MessageNamespace
    id: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[MessageSnapshot]: ...


class MessageSnapshot(Struct, frozen=True, gc=False):
    """What `Message` shows."""

    message: _types.Message | None
    author: Peers | None


def _message_view(key: Message, readers: Readers) -> View[MessageSnapshot]:
    """The parts of `Message`, not yet loaded."""
    known = Get(
        specs.MESSAGE_IDS,
        at=lambda: message_ids_key(key.peer_id, key.namespace, key.id),
        hidden=True,
    )
    message = Get(
        specs.MESSAGE,
        at=lambda: (
            message_key(key.peer_id, key.namespace, known.row.timestamp, key.id)
            if known.row is not None
            else None
        ),
        after=(known,),
    )
    author = Get(
        specs.PEERS,
        at=lambda: (
            peers_key(message.row.author_id)
            if message.row is not None and message.row.author_id is not None
            else None
        ),
        after=(message,),
    )
    return View(
        key,
        (known, message, author),
        lambda: MessageSnapshot(message.value, author.value),
        names=("known", "message", "author"),
    )


class Tagged(Struct, frozen=True, array_like=True, gc=False):
    """The messages of a chat under one tag, newest first."""

    peer_id: PeerId
    tag: int
    limit: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[TaggedSnapshot]: ...


class TaggedCount_(Struct, frozen=True, array_like=True, gc=False):
    """What `Tagged` shows of a row of `tag_counts`."""

    count: int


class TaggedSnapshot(Struct, frozen=True, gc=False):
    """What `Tagged` shows."""

    messages: tuple[_types.Message, ...]
    count: TaggedCount_


def _tagged_view(key: Tagged, readers: Readers) -> View[TaggedSnapshot]:
    """The parts of `Tagged`, not yet loaded."""
    messages = Scan(
        specs.MESSAGE_TAGS,
        prefix=lambda: message_tags_prefix_3(key.peer_id, key.tag, MessageNamespace.CLOUD),
        source=specs.MESSAGE,
        source_key=message_tags_source_key,
        newest_first=True,
        limit=lambda: key.limit,
    )
    count = Get(
        specs.TAG_COUNTS,
        at=lambda: tag_counts_key(key.peer_id, MessageNamespace.CLOUD, key.tag),
        default=lambda: TagCounts(
            peer_id=key.peer_id,
            namespace=MessageNamespace.CLOUD,
            tag=key.tag,
            count=0,
            incoming=0,
        ),
        show=lambda row: TaggedCount_(count=row.count),
    )
    return View(
        key,
        (messages, count),
        lambda: TaggedSnapshot(messages.value, count.value),
        names=("messages", "count"),
    )


class Thread(Struct, frozen=True, array_like=True, gc=False):
    """The view `thread`."""

    peer_id: PeerId
    thread_id: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[ThreadSnapshot]: ...


class ThreadAuthors(Struct, frozen=True, array_like=True, gc=False):
    """What `Thread` shows of a row of `peers`."""

    name: str


class ThreadSnapshot(Struct, frozen=True, gc=False):
    """What `Thread` shows."""

    thread: Threads | None
    messages: Window[_types.Message]
    authors: Mapping[PeerId, ThreadAuthors]


def _thread_view(key: Thread, readers: Readers) -> View[ThreadSnapshot]:
    """The parts of `Thread`, not yet loaded."""
    thread = Get(specs.THREADS, at=lambda: threads_key(key.peer_id, key.thread_id))
    messages = WindowAt(
        specs.THREAD_MESSAGES,
        prefix=lambda: thread_messages_prefix_3(key.peer_id, key.thread_id, MessageNamespace.CLOUD),
        source=specs.MESSAGE,
        source_key=thread_messages_source_key,
        anchor="newest",
        before_max=lambda: 50,
        after_max=lambda: 0,
    )
    authors = GetEach(
        specs.PEERS,
        name=lambda row: row.peer_id,
        of=messages,
        keys=lambda row: (peers_key(row.author_id),) if row.author_id is not None else (),
        show=lambda row: ThreadAuthors(name=row.name),
    )
    return View(
        key,
        (thread, messages, authors),
        lambda: ThreadSnapshot(thread.value, messages.value, authors.value),
        names=("thread", "messages", "authors"),
    )


class ThreadList(Struct, frozen=True, array_like=True, gc=False):
    """The view `thread_list`."""

    peer_id: PeerId
    limit: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[ThreadListSnapshot]: ...


class ThreadListSnapshot(Struct, frozen=True, gc=False):
    """What `ThreadList` shows."""

    tops: tuple[ThreadTop, ...]
    threads: Mapping[ThreadsKey, Threads]
    summary: ThreadsSummary | None


def _thread_list_view(key: ThreadList, readers: Readers) -> View[ThreadListSnapshot]:
    """The parts of `ThreadList`, not yet loaded."""
    tops = Scan(
        specs.THREAD_LIST,
        prefix=lambda: thread_list_prefix_1(key.peer_id),
        source=specs.THREAD_TOP,
        source_key=thread_list_source_key,
        newest_first=True,
        limit=lambda: key.limit,
    )
    threads = GetEach(
        specs.THREADS,
        name=lambda row: ThreadsKey(row.peer_id, row.thread_id),
        of=tops,
        keys=lambda row: (threads_key(key.peer_id, row.thread_id),),
    )
    summary = Get(specs.THREADS_SUMMARY, at=lambda: threads_summary_key(key.peer_id))
    return View(
        key,
        (tops, threads, summary),
        lambda: ThreadListSnapshot(tops.value, threads.value, summary.value),
        names=("tops", "threads", "summary"),
    )


class Unsent(Struct, frozen=True, array_like=True, gc=False):
    """What waits to be sent."""

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[UnsentSnapshot]: ...


class UnsentSnapshot(Struct, frozen=True, gc=False):
    """What `Unsent` shows."""

    messages: tuple[_types.Message, ...]


def _unsent_view(key: Unsent, readers: Readers) -> View[UnsentSnapshot]:
    """The parts of `Unsent`, not yet loaded."""
    messages = Scan(specs.UNSENT, prefix=lambda: b"", source=specs.MESSAGE, source_key=unsent_source_key)
    return View(key, (messages,), lambda: UnsentSnapshot(messages.value), names=("messages",))


class ChatList(Struct, frozen=True, array_like=True, gc=False):
    """The chats written to last, with what a list shows of each."""

    limit: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[ChatListSnapshot]: ...


class ChatListPeers(Struct, frozen=True, array_like=True, gc=False):
    """What `ChatList` shows of a row of `peers`."""

    name: str
    flags: int
    photo: tuple[PhotoSize, ...]


class ChatListAuthors(Struct, frozen=True, array_like=True, gc=False):
    """What `ChatList` shows of a row of `peers`."""

    name: str


class ChatListReads(Struct, frozen=True, array_like=True, gc=False):
    """What `ChatList` shows of a row of `read_states`."""

    read_out: int
    count: int
    marked: bool


class ChatListSettings(Struct, frozen=True, array_like=True, gc=False):
    """What `ChatList` shows of a row of `notification_settings`."""

    current: PeerSettings | None
    pending: PeerSettings | None


class ChatListDrafts(Struct, frozen=True, array_like=True, gc=False):
    """What `ChatList` shows of a row of `chat_interface`."""

    draft: Draft | None


class ChatListSnapshot(Struct, frozen=True, gc=False):
    """What `ChatList` shows."""

    chats: tuple[ChatTop, ...]
    peers: Mapping[PeerId, ChatListPeers]
    authors: Mapping[PeerId, ChatListAuthors]
    reads: Mapping[ReadStatesKey, ChatListReads]
    settings: Mapping[PeerId, ChatListSettings]
    drafts: Mapping[PeerId, ChatListDrafts]
    pins: tuple[ChatPins, ...]


def _chat_list_view(key: ChatList, readers: Readers) -> View[ChatListSnapshot]:
    """The parts of `ChatList`, not yet loaded."""
    chats = Scan(
        specs.CHAT_LIST,
        prefix=lambda: b"",
        source=specs.CHAT_TOP,
        source_key=chat_list_source_key,
        newest_first=True,
        limit=lambda: key.limit,
    )
    peers = GetEach(
        specs.PEERS,
        name=lambda row: row.peer_id,
        of=chats,
        keys=lambda row: (peers_key(row.peer_id),),
        show=lambda row: ChatListPeers(name=row.name, photo=row.photo, flags=row.flags),
    )
    authors = GetEach(
        specs.PEERS,
        name=lambda row: row.peer_id,
        of=chats,
        keys=lambda row: (peers_key(row.author_id),) if row.author_id is not None else (),
        show=lambda row: ChatListAuthors(name=row.name),
    )
    reads = GetEach(
        specs.READ_STATES,
        name=lambda row: ReadStatesKey(row.peer_id, row.namespace),
        of=chats,
        keys=lambda row: (read_states_key(row.peer_id, MessageNamespace.CLOUD),),
        show=lambda row: ChatListReads(count=row.count, marked=row.marked, read_out=row.read_out),
    )
    settings = GetEach(
        specs.NOTIFICATION_SETTINGS,
        name=lambda row: row.peer_id,
        of=chats,
        keys=lambda row: (notification_settings_key(row.peer_id),),
        show=lambda row: ChatListSettings(current=row.current, pending=row.pending),
    )
    drafts = GetEach(
        specs.CHAT_INTERFACE,
        name=lambda row: row.peer_id,
        of=chats,
        keys=lambda row: (chat_interface_key(row.peer_id),),
        show=lambda row: ChatListDrafts(draft=row.draft),
    )
    pins = Scan(specs.CHAT_PINS, prefix=lambda: chat_pins_prefix_1(0))
    return View(
        key,
        (chats, peers, authors, reads, settings, drafts, pins),
        lambda: ChatListSnapshot(
            chats.value,
            peers.value,
            authors.value,
            reads.value,
            settings.value,
            drafts.value,
            pins.value,
        ),
        names=("chats", "peers", "authors", "reads", "settings", "drafts", "pins"),
    )


class Unread(Struct, frozen=True, array_like=True, gc=False):
    """How much there is to read."""

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[UnreadSnapshot]: ...


class UnreadSnapshot(Struct, frozen=True, gc=False):
    """What `Unread` shows."""

    messages: int
    chats: int
    any_marked: bool
    most: int | None


def _unread_view(key: Unread, readers: Readers) -> View[UnreadSnapshot]:
    """The parts of `Unread`, not yet loaded."""
    messages = Aggregate(Sum(lambda row: row.count), specs.READ_STATES, prefix=lambda: b"")
    chats = Aggregate(
        Count(),
        specs.READ_STATES,
        prefix=lambda: b"",
        where=lambda row: row.count > 0 or row.marked,
    )
    any_marked = Aggregate(AnyOf(lambda row: row.marked), specs.READ_STATES, prefix=lambda: b"")
    most_rows = Scan(
        specs.UNREAD_CHATS,
        prefix=lambda: b"",
        source=specs.READ_STATES,
        source_key=unread_chats_source_key,
        hidden=True,
    )
    most = Aggregate(Max(lambda row: row.count), most_rows)
    return View(
        key,
        (messages, chats, any_marked, most_rows, most),
        lambda: UnreadSnapshot(messages.value, chats.value, any_marked.value, most.value),
        names=("messages", "chats", "any_marked", "most_rows", "most"),
    )


class Peer(Struct, frozen=True, array_like=True, gc=False):
    """Everything a profile shows."""

    peer_id: PeerId

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[PeerSnapshot]: ...


class PeerPresence(Struct, frozen=True, array_like=True, gc=False):
    """What `Peer` shows of a row of `presence`."""

    status: PresenceStatus
    until: int | None


class PeerSnapshot(Struct, frozen=True, gc=False):
    """What `Peer` shows."""

    peer: Peers | None
    associated: Peers | None
    cached: CachedPeers | None
    presence: PeerPresence
    settings: NotificationSettings | None
    inclusion: Inclusions | None
    top: ChatTop | None
    unread: ReadTotals


def _peer_view(key: Peer, readers: Readers) -> View[PeerSnapshot]:
    """The parts of `Peer`, not yet loaded."""
    peer = Get(specs.PEERS, at=lambda: peers_key(key.peer_id))
    associated = Get(
        specs.PEERS,
        at=lambda: (
            peers_key(peer.row.associated_id)
            if peer.row is not None and peer.row.associated_id is not None
            else None
        ),
        after=(peer,),
    )
    cached = Get(specs.CACHED_PEERS, at=lambda: cached_peers_key(key.peer_id))
    presence = Get(
        specs.PRESENCE,
        at=lambda: presence_key(key.peer_id),
        default=lambda: Presence(peer_id=key.peer_id, status=PresenceStatus.UNKNOWN),
        show=lambda row: PeerPresence(status=row.status, until=row.until),
    )
    settings = Get(
        specs.NOTIFICATION_SETTINGS,
        at=lambda: notification_settings_key(
            peer.row.associated_id
            if peer.row is not None and peer.row.associated_id is not None
            else key.peer_id,
        ),
        after=(peer,),
    )
    inclusion = Get(specs.INCLUSIONS, at=lambda: inclusions_key(key.peer_id))
    top = Get(specs.CHAT_TOP, at=lambda: chat_top_key(key.peer_id))
    unread = Get(
        specs.READ_TOTALS,
        at=lambda: read_totals_key(key.peer_id),
        default=lambda: ReadTotals(peer_id=key.peer_id, count=0, marked=0),
    )
    return View(
        key,
        (peer, associated, cached, presence, settings, inclusion, top, unread),
        lambda: PeerSnapshot(
            peer.value,
            associated.value,
            cached.value,
            presence.value,
            settings.value,
            inclusion.value,
            top.value,
            unread.value,
        ),
        names=("peer", "associated", "cached", "presence", "settings", "inclusion", "top", "unread"),
    )


class Contacts(Struct, frozen=True, array_like=True, gc=False):
    """Contacts by name, and whether they are there."""

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[ContactsSnapshot]: ...


class ContactsPresences(Struct, frozen=True, array_like=True, gc=False):
    """What `Contacts` shows of a row of `presence`."""

    status: PresenceStatus
    until: int | None


class ContactsSnapshot(Struct, frozen=True, gc=False):
    """What `Contacts` shows."""

    contacts: tuple[Peers, ...]
    presences: Mapping[PeerId, ContactsPresences]


def _contacts_view(key: Contacts, readers: Readers) -> View[ContactsSnapshot]:
    """The parts of `Contacts`, not yet loaded."""
    contacts = Scan(
        specs.CONTACTS_BY_NAME,
        prefix=lambda: b"",
        source=specs.PEERS,
        source_key=contacts_by_name_source_key,
    )
    presences = GetEach(
        specs.PRESENCE,
        name=lambda row: row.peer_id,
        of=contacts,
        keys=lambda row: (presence_key(row.peer_id),),
        show=lambda row: ContactsPresences(status=row.status, until=row.until),
    )
    return View(
        key,
        (contacts, presences),
        lambda: ContactsSnapshot(contacts.value, presences.value),
        names=("contacts", "presences"),
    )


class Preferences(Struct, frozen=True, array_like=True, gc=False):
    """The view `preferences`."""

    items: tuple[int, ...] = ()

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[PreferencesSnapshot]: ...


class PreferencesSnapshot(Struct, frozen=True, gc=False):
    """What `Preferences` shows."""

    values: Mapping[int, _types.Preferences]


def _preferences_view(key: Preferences, readers: Readers) -> View[PreferencesSnapshot]:
    """The parts of `Preferences`, not yet loaded."""
    values = GetEach(
        specs.PREFERENCES,
        name=lambda row: row.item,
        at=lambda: [preferences_key(item) for item in key.items],
    )
    return View(key, (values,), lambda: PreferencesSnapshot(values.value), names=("values",))


class Collections(Struct, frozen=True, array_like=True, gc=False):
    """The collections of one kind, and the items of one of them."""

    namespace: int
    collection_id: CollectionId

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[CollectionsSnapshot]: ...


class CollectionsSnapshot(Struct, frozen=True, gc=False):
    """What `Collections` shows."""

    infos: tuple[CollectionInfos, ...]
    items: tuple[CollectionItems, ...]


def _collections_view(key: Collections, readers: Readers) -> View[CollectionsSnapshot]:
    """The parts of `Collections`, not yet loaded."""
    infos = Scan(specs.COLLECTION_INFOS, prefix=lambda: collection_infos_prefix_1(key.namespace))
    items = Scan(
        specs.COLLECTION_ITEMS,
        prefix=lambda: collection_items_prefix_2(key.namespace, key.collection_id),
        limit=lambda: 200,
    )
    return View(
        key,
        (infos, items),
        lambda: CollectionsSnapshot(infos.value, items.value),
        names=("infos", "items"),
    )


class PendingSettings(Struct, frozen=True, array_like=True, gc=False):
    """Settings the server does not have yet."""

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[PendingSettingsSnapshot]: ...


class PendingSettingsSnapshot(Struct, frozen=True, gc=False):
    """What `PendingSettings` shows."""

    settings: tuple[NotificationSettings, ...]


def _pending_settings_view(key: PendingSettings, readers: Readers) -> View[PendingSettingsSnapshot]:
    """The parts of `PendingSettings`, not yet loaded."""
    settings = Scan(
        specs.PENDING_SETTINGS,
        prefix=lambda: b"",
        source=specs.NOTIFICATION_SETTINGS,
        source_key=pending_settings_source_key,
    )
    return View(key, (settings,), lambda: PendingSettingsSnapshot(settings.value), names=("settings",))


class State(Struct, frozen=True, array_like=True, gc=False):
    """How far the streams are applied."""

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[StateSnapshot]: ...


class StateSnapshot(Struct, frozen=True, gc=False):
    """What `State` shows."""

    account: Account
    version: Metadata | None


def _state_view(key: State, readers: Readers) -> View[StateSnapshot]:
    """The parts of `State`, not yet loaded."""
    account = Get(specs.ACCOUNT, at=lambda: account_key(), default=lambda: Account())
    version = Get(specs.METADATA, at=lambda: metadata_key(MetadataItem.VERSION))
    return View(
        key,
        (account, version),
        lambda: StateSnapshot(account.value, version.value),
        names=("account", "version"),
    )


#: View key -> what makes the view; in the order in which views tell of one commit.
VIEWS: Final[Mapping[type, Builder]] = {
    History: _history_view,
    HistoryAround: _history_around_view,
    Latest: _latest_view,
    Message: _message_view,
    Tagged: _tagged_view,
    Thread: _thread_view,
    ThreadList: _thread_list_view,
    Unsent: _unsent_view,
    ChatList: _chat_list_view,
    Unread: _unread_view,
    Peer: _peer_view,
    Contacts: _contacts_view,
    Preferences: _preferences_view,
    Collections: _collections_view,
    PendingSettings: _pending_settings_view,
    State: _state_view,
}
