# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The types of the schema 'messenger', and the row of each of its tables."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, NewType, TypeAlias

from msgspec import Struct

from pillarbox.codec import Unknown
from pillarbox.errors import RangeError

#: Who one talks to. The kind is in the high bits, so peers sort by kind, then by number.
PeerId = NewType("PeerId", int)
#: A file on the server.
FileId = NewType("FileId", int)
CollectionId = NewType("CollectionId", int)


class PeerNamespace(IntEnum):
    """Stored as uint8."""

    USER = 0
    GROUP = 1
    CHANNEL = 2
    SECRET_CHAT = 3
    EMPTY = 7


class MessageNamespace(IntEnum):
    """Where a message's number comes from; numbers of two namespaces have nothing to do with each other."""

    CLOUD = 0
    LOCAL = 1
    SECRET_IN = 2
    SCHEDULED = 3
    SCHEDULED_LOCAL = 4
    QUICK_REPLY = 5
    QUICK_REPLY_LOCAL = 6


class MessageFlags(IntFlag):
    """Fields of this type are plain ints; these are their bits."""

    UNSENT = 1 << 0
    FAILED = 1 << 1
    INCOMING = 1 << 2
    TOP_INDEXABLE = 1 << 4
    SENDING = 1 << 5
    WAS_SCHEDULED = 1 << 7
    COUNTED_AS_INCOMING = 1 << 8
    COPY_PROTECTED = 1 << 9


class TagFlags(IntFlag):
    """What a message is listed under within its chat.

    Fields of this type are plain ints; these are their bits.
    """

    PHOTO_OR_VIDEO = 1 << 0
    FILE = 1 << 1
    MUSIC = 1 << 2
    WEB_PAGE = 1 << 3
    VOICE = 1 << 4
    UNSEEN_MENTION = 1 << 5
    LIVE_LOCATION = 1 << 6
    GIF = 1 << 7
    PHOTO = 1 << 8
    VIDEO = 1 << 9
    PINNED = 1 << 10
    UNSEEN_REACTION = 1 << 11
    POLL = 1 << 14


class GlobalTagFlags(IntFlag):
    """What a message is listed under across all chats.

    Fields of this type are plain ints; these are their bits.
    """

    CALLS = 1 << 0
    MISSED_CALLS = 1 << 1


class LocalTagFlags(IntFlag):
    """Fields of this type are plain ints; these are their bits."""

    LIVE_LOCATION_OUT = 1 << 0
    DELIVERED = 1 << 1


class EntityKind(IntEnum):
    """Stored as uint8."""

    UNKNOWN = 0
    MENTION = 1
    HASHTAG = 2
    BOT_COMMAND = 3
    URL = 4
    EMAIL = 5
    BOLD = 6
    ITALIC = 7
    CODE = 8
    PRE = 9
    TEXT_URL = 10
    TEXT_MENTION = 11
    PHONE = 12
    STRIKETHROUGH = 13
    BLOCK_QUOTE = 14
    UNDERLINE = 15
    BANK_CARD = 16
    SPOILER = 17
    CUSTOM_EMOJI = 18


class CallOutcome(IntEnum):
    """Stored as uint8."""

    UNKNOWN = 0
    MISSED = 1
    DISCONNECTED = 2
    HUNG_UP = 3
    BUSY = 4


class PeerFlags(IntFlag):
    """Fields of this type are plain ints; these are their bits."""

    MIN = 1 << 0
    CONTACT = 1 << 1
    MUTUAL_CONTACT = 1 << 2
    VERIFIED = 1 << 3
    BOT = 1 << 4
    PREMIUM = 1 << 5
    SCAM = 1 << 6
    FORUM = 1 << 7
    BLOCKED = 1 << 8
    BROADCAST = 1 << 9
    LEFT = 1 << 10


class PresenceStatus(IntEnum):
    """Stored as uint8."""

    UNKNOWN = 0
    PRESENT = 1
    RECENTLY = 2
    LAST_WEEK = 3
    LAST_MONTH = 4


class MetadataItem(IntEnum):
    """Stored as int32."""

    VERSION = 1
    STATE = 2
    REMOTE_CONTACTS = 6


def peer_id(namespace: PeerNamespace, id: int) -> PeerId:
    """Put a `PeerId` together, its first part highest. Raises RangeError."""
    if not 0 <= namespace < 0x80:
        raise RangeError("PeerId.namespace", namespace, "an integer of 7 bits (0 .. 127)")
    if not -0x80000000000000 <= id < 0x80000000000000:
        raise RangeError("PeerId.id", id, "an integer of 56 bits (-36028797018963968 .. 36028797018963967)")
    return PeerId((namespace << 56) | (id & 0xFFFFFFFFFFFFFF))


def peer_id_namespace(value: PeerId) -> PeerNamespace:
    """The part `namespace` of a `PeerId`."""
    return PeerNamespace(value >> 56 & 0x7F)


def peer_id_id(value: PeerId) -> int:
    """The part `id` of a `PeerId`."""
    return ((value & 0xFFFFFFFFFFFFFF) ^ 0x80000000000000) - 0x80000000000000


class MessageId(Struct, frozen=True, array_like=True, gc=False):
    """Names a message without knowing when it was sent."""

    peer_id: PeerId
    namespace: MessageNamespace
    id: int


class Forward(Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """Where a forwarded message was first."""

    author_id: PeerId | None = None
    source_id: PeerId | None = None
    source_message_id: int | None = None
    date: int
    signature: str | None = None


class TextEntity(Struct, frozen=True, array_like=True, gc=False):
    """A stretch of the text, in UTF-16 units, that is more than plain."""

    start: int
    end: int
    kind: EntityKind
    argument: str | None = None
    peer_id: PeerId | None = None
    file_id: FileId | None = None


class ReactionCount(Struct, frozen=True, array_like=True, gc=False):
    """A value of type `ReactionCount`."""

    value: str
    count: int
    chosen: bool = False


class Reply(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """A case of `Attribute`."""

    to: MessageId
    quote: str | None = None
    thread_id: int | None = None


class ReplyThread(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """A case of `Attribute`."""

    count: int
    latest_ids: tuple[PeerId, ...] = ()
    read_in: int | None = None


class Reactions(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """A case of `Attribute`."""

    counts: tuple[ReactionCount, ...] = ()
    is_tags: bool = False


class Views(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """A case of `Attribute`."""

    count: int


class Forwards(Struct, frozen=True, array_like=True, gc=False, tag=5):
    """A case of `Attribute`."""

    count: int


class Edited(Struct, frozen=True, array_like=True, gc=False, tag=6):
    """A case of `Attribute`."""

    date: int
    hidden: bool = False


class ViaBot(Struct, frozen=True, array_like=True, gc=False, tag=7):
    """A case of `Attribute`."""

    peer_id: PeerId | None = None
    title: str | None = None


class AuthorSignature(Struct, frozen=True, array_like=True, gc=False, tag=8):
    """A case of `Attribute`."""

    signature: str


class Autoremove(Struct, frozen=True, array_like=True, gc=False, tag=9):
    """A case of `Attribute`."""

    timeout: int
    begins_at: int | None = None


class Mention(Struct, frozen=True, array_like=True, gc=False, tag=10):
    """A case of `Attribute`."""

    consumed: bool
    pending: bool


class Outgoing(Struct, frozen=True, array_like=True, gc=False, tag=11):
    """A case of `Attribute`."""

    unique_id: int
    acknowledged: bool = False


class Category(Struct, frozen=True, array_like=True, gc=False, tag=12):
    """A case of `Attribute`."""

    name: str


class PhotoSize(Struct, frozen=True, array_like=True, gc=False):
    """A value of type `PhotoSize`."""

    width: int
    height: int
    file_id: FileId
    bytes_size: int | None = None


class PollOption(Struct, frozen=True, array_like=True, gc=False):
    """A value of type `PollOption`."""

    text: str
    data: bytes
    voters: int | None = None


class Photo(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """A case of `Media`."""

    file_id: FileId
    sizes: tuple[PhotoSize, ...] = ()
    spoiler: bool = False


class Document(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """A case of `Media`."""

    file_id: FileId
    mime_type: str
    size: int | None = None
    name: str | None = None
    _reserved_5: Any = None
    duration: float | None = None
    thumbnail: bytes | None = None


class WebPage(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """A case of `Media`."""

    url: str
    title: str | None = None
    summary: str | None = None
    photo_id: FileId | None = None


class GeoPoint(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """A case of `Media`."""

    latitude: float
    longitude: float
    live_until: int | None = None


class ContactCard(Struct, frozen=True, array_like=True, gc=False, tag=5):
    """A case of `Media`."""

    first_name: str
    last_name: str
    phone: str
    peer_id: PeerId | None = None


class Poll(Struct, frozen=True, array_like=True, gc=False, tag=6, kw_only=True):
    """A case of `Media`."""

    poll_id: int
    question: str
    options: tuple[PollOption, ...] = ()
    closed: bool


class Call(Struct, frozen=True, array_like=True, gc=False, tag=7, kw_only=True):
    """A case of `Media`."""

    duration: int | None = None
    outcome: CallOutcome


class ServiceAction(Struct, frozen=True, array_like=True, gc=False, tag=8):
    """A case of `Media`."""

    kind: int
    title: str | None = None
    peer_ids: tuple[PeerId, ...] = ()


class ExpiredMedia(Struct, frozen=True, array_like=True, gc=False, tag=9):
    """A case of `Media`."""


class UserData(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """A case of `PeerData`."""

    first_name: str | None = None
    last_name: str | None = None
    phone: str | None = None
    bot_placeholder: str | None = None


class GroupData(Struct, frozen=True, array_like=True, gc=False, tag=2, kw_only=True):
    """A case of `PeerData`."""

    participants: int
    migrated_to: PeerId | None = None
    version: int


class ChannelData(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """A case of `PeerData`."""

    created_at: int
    subscribers: int | None = None
    linked_id: PeerId | None = None


class SecretChatData(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """A case of `PeerData`."""

    regular_peer_id: PeerId
    created_by_me: bool
    timeout: int | None = None


class CachedUser(Struct, frozen=True, array_like=True, gc=False, tag=1, kw_only=True):
    """A case of `CachedData`."""

    about: str | None = None
    common_groups: int
    birthday: int | None = None


class CachedGroup(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """A case of `CachedData`."""

    about: str | None = None
    invitation: str | None = None
    participant_ids: tuple[PeerId, ...] = ()


class CachedChannel(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """A case of `CachedData`."""

    about: str | None = None
    members: int | None = None
    admins: int | None = None
    slow_mode: int | None = None


class PeerSettings(Struct, frozen=True, array_like=True, gc=False):
    """A value of type `PeerSettings`."""

    muted_until: int | None = None
    sound: int | None = None
    previews: bool = True


class Draft(Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A value of type `Draft`."""

    text: str
    entities: tuple[TextEntity, ...] = ()
    reply_to: MessageId | None = None
    date: int


if TYPE_CHECKING:
    # A newer package may have written cases that this one does not know.
    Attribute: TypeAlias = (
        Reply
        | ReplyThread
        | Reactions
        | Views
        | Forwards
        | Edited
        | ViaBot
        | AuthorSignature
        | Autoremove
        | Mention
        | Outgoing
        | Category
        | Unknown
    )
    Media: TypeAlias = (
        Photo
        | Document
        | WebPage
        | GeoPoint
        | ContactCard
        | Poll
        | Call
        | ServiceAction
        | ExpiredMedia
        | Unknown
    )
    PeerData: TypeAlias = UserData | GroupData | ChannelData | SecretChatData | Unknown
    CachedData: TypeAlias = CachedUser | CachedGroup | CachedChannel | Unknown
else:
    Attribute = (
        Reply
        | ReplyThread
        | Reactions
        | Views
        | Forwards
        | Edited
        | ViaBot
        | AuthorSignature
        | Autoremove
        | Mention
        | Outgoing
        | Category
    )
    Media = Photo | Document | WebPage | GeoPoint | ContactCard | Poll | Call | ServiceAction | ExpiredMedia
    PeerData = UserData | GroupData | ChannelData | SecretChatData
    CachedData = CachedUser | CachedGroup | CachedChannel


class ChatTop(Struct, frozen=True, array_like=True, gc=False):
    """One row of `chat_top`.

    The newest message of each chat, with what a list shows of it.
    """

    peer_id: PeerId
    namespace: MessageNamespace
    timestamp: int
    id: int
    author_id: PeerId | None
    flags: int
    text: str


class ChatList(Struct, frozen=True, array_like=True, gc=False):
    """One row of `chat_list`.

    Chats in the order of their newest message; read it from the end.
    """

    timestamp: int
    peer_id: PeerId


class Inclusions(Struct, frozen=True, array_like=True, gc=False):
    """One row of `inclusions`. Which list a chat is in, when that is known."""

    peer_id: PeerId
    group_id: int | None = None
    min_timestamp: int | None = None


class ChatsByGroup(Struct, frozen=True, array_like=True, gc=False):
    """One row of `chats_by_group`."""

    group_id: int
    peer_id: PeerId


class ChatPins(Struct, frozen=True, array_like=True, gc=False):
    """One row of `chat_pins`. Pinned chats of a list, the first at position 0."""

    group_id: int
    position: int
    peer_id: PeerId


class PinOfChat(Struct, frozen=True, array_like=True, gc=False):
    """One row of `pin_of_chat`."""

    peer_id: PeerId
    group_id: int
    position: int


class ChatInterface(Struct, frozen=True, array_like=True, gc=False):
    """One row of `chat_interface`. What is being written, and where the reader was."""

    peer_id: PeerId
    draft: Draft | None = None
    override_timestamp: int | None = None
    scroll_to: MessageId | None = None


class ReadStates(Struct, frozen=True, array_like=True, gc=False):
    """One row of `read_states`.

    Up to where the messages of a chat were read, here and by the others.
    """

    peer_id: PeerId
    namespace: MessageNamespace
    read_in: int = 0
    read_out: int = 0
    known_to: int = 0
    count: int = 0
    marked: bool = False


class UnreadChats(Struct, frozen=True, array_like=True, gc=False):
    """One row of `unread_chats`."""

    peer_id: PeerId
    namespace: MessageNamespace
    count: int


class ReadTotals(Struct, frozen=True, array_like=True, gc=False):
    """One row of `read_totals`."""

    peer_id: PeerId
    count: int
    marked: int


class Message(Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """One row of `message`.

    One message; within a chat and namespace the oldest comes first.
    """

    peer_id: PeerId
    namespace: MessageNamespace
    timestamp: int
    id: int = 0
    stable_id: int = 0
    flags: int = 0
    tags: int = 0
    global_tags: int = 0
    local_tags: int = 0
    author_id: PeerId | None = None
    text: str
    forward: Forward | None = None
    #: Messages of one album share it.
    grouping_key: int | None = None
    thread_id: int | None = None
    #: A random number the sender chose, to know its own message again.
    unique_id: int | None = None
    entities: tuple[TextEntity, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    media: tuple[Media, ...] = ()


class MessageIds(Struct, frozen=True, array_like=True, gc=False):
    """One row of `message_ids`. A message keeps its id when the server corrects its time."""

    peer_id: PeerId
    namespace: MessageNamespace
    id: int
    timestamp: int
    incoming: bool


class MessageByGlobalId(Struct, frozen=True, array_like=True, gc=False):
    """One row of `message_by_global_id`."""

    id: int
    peer_id: PeerId
    namespace: MessageNamespace
    timestamp: int


class MessageByUniqueId(Struct, frozen=True, array_like=True, gc=False):
    """One row of `message_by_unique_id`."""

    peer_id: PeerId
    unique_id: int
    namespace: MessageNamespace
    timestamp: int
    id: int


class Unsent(Struct, frozen=True, array_like=True, gc=False):
    """One row of `unsent`."""

    namespace: MessageNamespace
    id: int
    peer_id: PeerId
    timestamp: int


class Failed(Struct, frozen=True, array_like=True, gc=False):
    """One row of `failed`."""

    peer_id: PeerId
    namespace: MessageNamespace
    id: int
    timestamp: int


class MessageTags(Struct, frozen=True, array_like=True, gc=False):
    """One row of `message_tags`."""

    peer_id: PeerId
    tag: int
    namespace: MessageNamespace
    timestamp: int
    id: int


class GlobalTags(Struct, frozen=True, array_like=True, gc=False):
    """One row of `global_tags`."""

    tag: int
    timestamp: int
    namespace: MessageNamespace
    id: int
    peer_id: PeerId


class LocalTags(Struct, frozen=True, array_like=True, gc=False):
    """One row of `local_tags`."""

    tag: int
    namespace: MessageNamespace
    id: int
    peer_id: PeerId
    timestamp: int


class TagCounts(Struct, frozen=True, array_like=True, gc=False):
    """One row of `tag_counts`.

    How many messages of a chat carry a tag; tag 0 counts them all.
    """

    peer_id: PeerId
    namespace: MessageNamespace
    tag: int
    count: int
    incoming: int


class ThreadMessages(Struct, frozen=True, array_like=True, gc=False):
    """One row of `thread_messages`."""

    peer_id: PeerId
    thread_id: int
    namespace: MessageNamespace
    timestamp: int
    id: int
    incoming: bool


class ThreadTags(Struct, frozen=True, array_like=True, gc=False):
    """One row of `thread_tags`."""

    peer_id: PeerId
    thread_id: int
    tag: int
    namespace: MessageNamespace
    timestamp: int
    id: int


class Threads(Struct, frozen=True, array_like=True, gc=False):
    """One row of `threads`. What the server says about a thread."""

    peer_id: PeerId
    thread_id: int
    title: str
    created_at: int
    author_id: PeerId | None = None
    closed: bool = False
    read_in: int = 0
    unread: int = 0
    settings: PeerSettings | None = None


class ThreadTop(Struct, frozen=True, array_like=True, gc=False):
    """One row of `thread_top`. The newest message of each thread."""

    peer_id: PeerId
    thread_id: int
    namespace: MessageNamespace
    timestamp: int
    id: int


class ThreadList(Struct, frozen=True, array_like=True, gc=False):
    """One row of `thread_list`.

    The threads of a chat, the one written to last being the last.
    """

    peer_id: PeerId
    timestamp: int
    thread_id: int


class ThreadsSummary(Struct, frozen=True, array_like=True, gc=False):
    """One row of `threads_summary`."""

    peer_id: PeerId
    shown: int
    newest: int
    oldest: int


class Peers(Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """One row of `peers`. A user, group, channel or secret chat, as last seen."""

    peer_id: PeerId
    name: str
    usernames: tuple[str, ...] = ()
    flags: int = 0
    access_hash: int | None = None
    photo: tuple[PhotoSize, ...] = ()
    data: PeerData
    #: The regular peer of a secret chat, or a linked channel.
    associated_id: PeerId | None = None
    timeout_at: int | None = None


class PeerUsernames(Struct, frozen=True, array_like=True, gc=False):
    """One row of `peer_usernames`."""

    username: str
    peer_id: PeerId


class Contacts(Struct, frozen=True, array_like=True, gc=False):
    """One row of `contacts`."""

    peer_id: PeerId


class ContactsByName(Struct, frozen=True, array_like=True, gc=False):
    """One row of `contacts_by_name`."""

    name: str
    peer_id: PeerId


class AssociatedPeers(Struct, frozen=True, array_like=True, gc=False):
    """One row of `associated_peers`."""

    associated_id: PeerId
    peer_id: PeerId


class PeerTimeouts(Struct, frozen=True, array_like=True, gc=False):
    """One row of `peer_timeouts`. Peers something of which ends by itself, soonest first."""

    timeout_at: int
    peer_id: PeerId


class PeerCounts(Struct, frozen=True, array_like=True, gc=False):
    """One row of `peer_counts`."""

    kind: PeerNamespace
    peers: int
    contacts: int


class CachedPeers(Struct, frozen=True, array_like=True, gc=False):
    """One row of `cached_peers`. What a profile shows; fetched when somebody looks."""

    peer_id: PeerId
    data: CachedData
    fetched_at: int
    pinned_message_id: MessageId | None = None


class Presence(Struct, frozen=True, array_like=True, gc=False):
    """One row of `presence`."""

    peer_id: PeerId
    status: PresenceStatus
    until: int | None = None
    last_activity: int = 0


class PresenceUntil(Struct, frozen=True, array_like=True, gc=False):
    """One row of `presence_until`. Who is there now, soonest to leave first."""

    until: int
    peer_id: PeerId


class NotificationSettings(Struct, frozen=True, array_like=True, gc=False):
    """One row of `notification_settings`. As the server has them, and as they should become."""

    peer_id: PeerId
    current: PeerSettings | None = None
    pending: PeerSettings | None = None


class PendingSettings(Struct, frozen=True, array_like=True, gc=False):
    """One row of `pending_settings`."""

    peer_id: PeerId


class Metadata(Struct, frozen=True, array_like=True, gc=False):
    """One row of `metadata`. Single facts about the store itself."""

    item: MetadataItem
    number: int | None = None
    data: bytes | None = None


class Preferences(Struct, frozen=True, array_like=True, gc=False):
    """One row of `preferences`.

    Settings of the account; each feature has a number and encodes its value itself.
    """

    item: int
    value: bytes


class Notices(Struct, frozen=True, array_like=True, gc=False):
    """One row of `notices`. What the user has been told already."""

    namespace: int
    notice: bytes
    value: bytes
    until: int | None = None


class CollectionInfos(Struct, frozen=True, array_like=True, gc=False):
    """One row of `collection_infos`."""

    namespace: int
    position: int
    collection_id: CollectionId
    title: str
    short_name: str
    count: int
    hash: int = 0


class CollectionById(Struct, frozen=True, array_like=True, gc=False):
    """One row of `collection_by_id`."""

    namespace: int
    collection_id: CollectionId
    position: int


class CollectionItems(Struct, frozen=True, array_like=True, gc=False):
    """One row of `collection_items`."""

    namespace: int
    collection_id: CollectionId
    position: int
    item_id: int
    file: Media
    keywords: tuple[str, ...] = ()


class CollectionKeywords(Struct, frozen=True, array_like=True, gc=False):
    """One row of `collection_keywords`."""

    namespace: int
    keyword: str
    collection_id: CollectionId
    position: int
    item_id: int


class ItemCache(Struct, frozen=True, array_like=True, gc=False):
    """One row of `item_cache`. Answers worth keeping for a while."""

    collection: int
    entry: bytes
    value: bytes
    used_at: int


class ItemCacheAges(Struct, frozen=True, array_like=True, gc=False):
    """One row of `item_cache_ages`."""

    collection: int
    used_at: int
    entry: bytes


class StableIds(Struct, frozen=True, array_like=True, gc=False):
    """The next number that the sequence `stable_ids` gives.

    Numbers that follow a message through its life, whatever its id becomes.
    """

    peer_id: PeerId
    next: int


class LocalIds(Struct, frozen=True, array_like=True, gc=False):
    """The next number that the sequence `local_ids` gives. Ids of messages that the server has not
    numbered.
    """

    peer_id: PeerId
    namespace: MessageNamespace
    next: int


class Account(Struct, frozen=True, array_like=True, gc=False):
    """How much is applied: the cursor `account`. Up to where the account's streams are applied."""

    pts: int = 0
    qts: int = 0
    seq: int = 0
    date: int = 0


class Channel(Struct, frozen=True, array_like=True, gc=False):
    """How much is applied: the cursor `channel`. The same for each channel, which counts for itself."""

    peer_id: PeerId
    pts: int = 0
