# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""Refuses integers out of the ranges that the schema 'messenger' gives them."""

from __future__ import annotations

from struct import Struct
from struct import error as StructError
from typing import Final

from pillarbox.codec import key_range_error
from pillarbox_messenger.types import (
    Attribute,
    Autoremove,
    CachedChannel,
    CachedData,
    CachedGroup,
    CachedPeers,
    CachedUser,
    Call,
    ChannelData,
    ChatInterface,
    CollectionInfos,
    CollectionItems,
    ContactCard,
    Document,
    Draft,
    Edited,
    Forward,
    Forwards,
    GeoPoint,
    GroupData,
    Media,
    Message,
    MessageId,
    NotificationSettings,
    Outgoing,
    PeerData,
    Peers,
    PeerSettings,
    Photo,
    PhotoSize,
    Poll,
    PollOption,
    ReactionCount,
    Reactions,
    Reply,
    ReplyThread,
    SecretChatData,
    ServiceAction,
    TextEntity,
    Threads,
    ViaBot,
    Views,
    WebPage,
)

_PACK_IIIIIqqqq: Final = Struct("<IIIIIqqqq").pack
_PACK_QqqI: Final = Struct("<QqqI").pack
_PACK_i: Final = Struct("<i").pack
_PACK_ii: Final = Struct("<ii").pack
_PACK_iii: Final = Struct("<iii").pack
_PACK_iiq: Final = Struct("<iiq").pack
_PACK_iiqi: Final = Struct("<iiqi").pack
_PACK_iiqq: Final = Struct("<iiqq").pack
_PACK_iq: Final = Struct("<iq").pack
_PACK_iqi: Final = Struct("<iqi").pack
_PACK_iqii: Final = Struct("<iqii").pack
_PACK_q: Final = Struct("<q").pack
_PACK_qi: Final = Struct("<qi").pack
_PACK_qq: Final = Struct("<qq").pack
_PACK_qqii: Final = Struct("<qqii").pack


def check_message_id(row: MessageId) -> None:
    """Refuse integers out of range in `MessageId`. Raises RangeError."""
    try:
        _PACK_qi(row.peer_id, row.id)
    except StructError:
        raise key_range_error(
            "MessageId",
            (("peer_id", "int64", row.peer_id), ("id", "int32", row.id)),
        ) from None


def check_forward(row: Forward) -> None:
    """Refuse integers out of range in `Forward`. Raises RangeError."""
    try:
        _PACK_qqii(row.author_id or 0, row.source_id or 0, row.source_message_id or 0, row.date)
    except StructError:
        raise key_range_error(
            "Forward",
            (
                ("author_id", "int64", row.author_id or 0),
                ("source_id", "int64", row.source_id or 0),
                ("source_message_id", "int32", row.source_message_id or 0),
                ("date", "int32", row.date),
            ),
        ) from None


def check_text_entity(row: TextEntity) -> None:
    """Refuse integers out of range in `TextEntity`. Raises RangeError."""
    try:
        _PACK_iiqq(row.start, row.end, row.peer_id or 0, row.file_id or 0)
    except StructError:
        raise key_range_error(
            "TextEntity",
            (
                ("start", "int32", row.start),
                ("end", "int32", row.end),
                ("peer_id", "int64", row.peer_id or 0),
                ("file_id", "int64", row.file_id or 0),
            ),
        ) from None


def check_reaction_count(row: ReactionCount) -> None:
    """Refuse integers out of range in `ReactionCount`. Raises RangeError."""
    try:
        _PACK_i(row.count)
    except StructError:
        raise key_range_error("ReactionCount", (("count", "int32", row.count),)) from None


def check_reply(row: Reply) -> None:
    """Refuse integers out of range in `Reply`. Raises RangeError."""
    try:
        _PACK_q(row.thread_id or 0)
    except StructError:
        raise key_range_error("Reply", (("thread_id", "int64", row.thread_id or 0),)) from None
    check_message_id(row.to)


def check_reply_thread(row: ReplyThread) -> None:
    """Refuse integers out of range in `ReplyThread`. Raises RangeError."""
    try:
        _PACK_ii(row.count, row.read_in or 0)
        for item in row.latest_ids:
            _PACK_q(item)
    except StructError:
        raise key_range_error(
            "ReplyThread",
            (
                ("count", "int32", row.count),
                *(("latest_ids", "int64", item) for item in row.latest_ids),
                ("read_in", "int32", row.read_in or 0),
            ),
        ) from None


def check_reactions(row: Reactions) -> None:
    """Refuse integers out of range in `Reactions`. Raises RangeError."""
    for item in row.counts:
        check_reaction_count(item)


def check_views(row: Views) -> None:
    """Refuse integers out of range in `Views`. Raises RangeError."""
    try:
        _PACK_i(row.count)
    except StructError:
        raise key_range_error("Views", (("count", "int32", row.count),)) from None


def check_forwards(row: Forwards) -> None:
    """Refuse integers out of range in `Forwards`. Raises RangeError."""
    try:
        _PACK_i(row.count)
    except StructError:
        raise key_range_error("Forwards", (("count", "int32", row.count),)) from None


def check_edited(row: Edited) -> None:
    """Refuse integers out of range in `Edited`. Raises RangeError."""
    try:
        _PACK_i(row.date)
    except StructError:
        raise key_range_error("Edited", (("date", "int32", row.date),)) from None


def check_via_bot(row: ViaBot) -> None:
    """Refuse integers out of range in `ViaBot`. Raises RangeError."""
    try:
        _PACK_q(row.peer_id or 0)
    except StructError:
        raise key_range_error("ViaBot", (("peer_id", "int64", row.peer_id or 0),)) from None


def check_autoremove(row: Autoremove) -> None:
    """Refuse integers out of range in `Autoremove`. Raises RangeError."""
    try:
        _PACK_ii(row.timeout, row.begins_at or 0)
    except StructError:
        raise key_range_error(
            "Autoremove",
            (("timeout", "int32", row.timeout), ("begins_at", "int32", row.begins_at or 0)),
        ) from None


def check_outgoing(row: Outgoing) -> None:
    """Refuse integers out of range in `Outgoing`. Raises RangeError."""
    try:
        _PACK_q(row.unique_id)
    except StructError:
        raise key_range_error("Outgoing", (("unique_id", "int64", row.unique_id),)) from None


def check_attribute(value: Attribute) -> None:
    """Refuse integers out of range in `Attribute`. Raises RangeError."""
    match value:
        case Reply():
            check_reply(value)
        case ReplyThread():
            check_reply_thread(value)
        case Reactions():
            check_reactions(value)
        case Views():
            check_views(value)
        case Forwards():
            check_forwards(value)
        case Edited():
            check_edited(value)
        case ViaBot():
            check_via_bot(value)
        case Autoremove():
            check_autoremove(value)
        case Outgoing():
            check_outgoing(value)


def check_photo_size(row: PhotoSize) -> None:
    """Refuse integers out of range in `PhotoSize`. Raises RangeError."""
    try:
        _PACK_iiqi(row.width, row.height, row.file_id, row.bytes_size or 0)
    except StructError:
        raise key_range_error(
            "PhotoSize",
            (
                ("width", "int32", row.width),
                ("height", "int32", row.height),
                ("file_id", "int64", row.file_id),
                ("bytes_size", "int32", row.bytes_size or 0),
            ),
        ) from None


def check_poll_option(row: PollOption) -> None:
    """Refuse integers out of range in `PollOption`. Raises RangeError."""
    try:
        _PACK_i(row.voters or 0)
    except StructError:
        raise key_range_error("PollOption", (("voters", "int32", row.voters or 0),)) from None


def check_photo(row: Photo) -> None:
    """Refuse integers out of range in `Photo`. Raises RangeError."""
    try:
        _PACK_q(row.file_id)
    except StructError:
        raise key_range_error("Photo", (("file_id", "int64", row.file_id),)) from None
    for item in row.sizes:
        check_photo_size(item)


def check_document(row: Document) -> None:
    """Refuse integers out of range in `Document`. Raises RangeError."""
    try:
        _PACK_qq(row.file_id, row.size or 0)
    except StructError:
        raise key_range_error(
            "Document",
            (("file_id", "int64", row.file_id), ("size", "int64", row.size or 0)),
        ) from None


def check_web_page(row: WebPage) -> None:
    """Refuse integers out of range in `WebPage`. Raises RangeError."""
    try:
        _PACK_q(row.photo_id or 0)
    except StructError:
        raise key_range_error("WebPage", (("photo_id", "int64", row.photo_id or 0),)) from None


def check_geo_point(row: GeoPoint) -> None:
    """Refuse integers out of range in `GeoPoint`. Raises RangeError."""
    try:
        _PACK_i(row.live_until or 0)
    except StructError:
        raise key_range_error("GeoPoint", (("live_until", "int32", row.live_until or 0),)) from None


def check_contact_card(row: ContactCard) -> None:
    """Refuse integers out of range in `ContactCard`. Raises RangeError."""
    try:
        _PACK_q(row.peer_id or 0)
    except StructError:
        raise key_range_error("ContactCard", (("peer_id", "int64", row.peer_id or 0),)) from None


def check_poll(row: Poll) -> None:
    """Refuse integers out of range in `Poll`. Raises RangeError."""
    try:
        _PACK_q(row.poll_id)
    except StructError:
        raise key_range_error("Poll", (("poll_id", "int64", row.poll_id),)) from None
    for item in row.options:
        check_poll_option(item)


def check_call(row: Call) -> None:
    """Refuse integers out of range in `Call`. Raises RangeError."""
    try:
        _PACK_i(row.duration or 0)
    except StructError:
        raise key_range_error("Call", (("duration", "int32", row.duration or 0),)) from None


def check_service_action(row: ServiceAction) -> None:
    """Refuse integers out of range in `ServiceAction`. Raises RangeError."""
    try:
        _PACK_i(row.kind)
        for item in row.peer_ids:
            _PACK_q(item)
    except StructError:
        raise key_range_error(
            "ServiceAction",
            (("kind", "int32", row.kind), *(("peer_ids", "int64", item) for item in row.peer_ids)),
        ) from None


def check_media(value: Media) -> None:
    """Refuse integers out of range in `Media`. Raises RangeError."""
    match value:
        case Photo():
            check_photo(value)
        case Document():
            check_document(value)
        case WebPage():
            check_web_page(value)
        case GeoPoint():
            check_geo_point(value)
        case ContactCard():
            check_contact_card(value)
        case Poll():
            check_poll(value)
        case Call():
            check_call(value)
        case ServiceAction():
            check_service_action(value)


def check_group_data(row: GroupData) -> None:
    """Refuse integers out of range in `GroupData`. Raises RangeError."""
    try:
        _PACK_iqi(row.participants, row.migrated_to or 0, row.version)
    except StructError:
        raise key_range_error(
            "GroupData",
            (
                ("participants", "int32", row.participants),
                ("migrated_to", "int64", row.migrated_to or 0),
                ("version", "int32", row.version),
            ),
        ) from None


def check_channel_data(row: ChannelData) -> None:
    """Refuse integers out of range in `ChannelData`. Raises RangeError."""
    try:
        _PACK_iiq(row.created_at, row.subscribers or 0, row.linked_id or 0)
    except StructError:
        raise key_range_error(
            "ChannelData",
            (
                ("created_at", "int32", row.created_at),
                ("subscribers", "int32", row.subscribers or 0),
                ("linked_id", "int64", row.linked_id or 0),
            ),
        ) from None


def check_secret_chat_data(row: SecretChatData) -> None:
    """Refuse integers out of range in `SecretChatData`. Raises RangeError."""
    try:
        _PACK_qi(row.regular_peer_id, row.timeout or 0)
    except StructError:
        raise key_range_error(
            "SecretChatData",
            (("regular_peer_id", "int64", row.regular_peer_id), ("timeout", "int32", row.timeout or 0)),
        ) from None


def check_peer_data(value: PeerData) -> None:
    """Refuse integers out of range in `PeerData`. Raises RangeError."""
    match value:
        case GroupData():
            check_group_data(value)
        case ChannelData():
            check_channel_data(value)
        case SecretChatData():
            check_secret_chat_data(value)


def check_cached_user(row: CachedUser) -> None:
    """Refuse integers out of range in `CachedUser`. Raises RangeError."""
    try:
        _PACK_ii(row.common_groups, row.birthday or 0)
    except StructError:
        raise key_range_error(
            "CachedUser",
            (("common_groups", "int32", row.common_groups), ("birthday", "int32", row.birthday or 0)),
        ) from None


def check_cached_group(row: CachedGroup) -> None:
    """Refuse integers out of range in `CachedGroup`. Raises RangeError."""
    try:
        for item in row.participant_ids:
            _PACK_q(item)
    except StructError:
        raise key_range_error(
            "CachedGroup",
            (*(("participant_ids", "int64", item) for item in row.participant_ids),),
        ) from None


def check_cached_channel(row: CachedChannel) -> None:
    """Refuse integers out of range in `CachedChannel`. Raises RangeError."""
    try:
        _PACK_iii(row.members or 0, row.admins or 0, row.slow_mode or 0)
    except StructError:
        raise key_range_error(
            "CachedChannel",
            (
                ("members", "int32", row.members or 0),
                ("admins", "int32", row.admins or 0),
                ("slow_mode", "int32", row.slow_mode or 0),
            ),
        ) from None


def check_cached_data(value: CachedData) -> None:
    """Refuse integers out of range in `CachedData`. Raises RangeError."""
    match value:
        case CachedUser():
            check_cached_user(value)
        case CachedGroup():
            check_cached_group(value)
        case CachedChannel():
            check_cached_channel(value)


def check_peer_settings(row: PeerSettings) -> None:
    """Refuse integers out of range in `PeerSettings`. Raises RangeError."""
    try:
        _PACK_iq(row.muted_until or 0, row.sound or 0)
    except StructError:
        raise key_range_error(
            "PeerSettings",
            (("muted_until", "int32", row.muted_until or 0), ("sound", "int64", row.sound or 0)),
        ) from None


def check_draft(row: Draft) -> None:
    """Refuse integers out of range in `Draft`. Raises RangeError."""
    try:
        _PACK_i(row.date)
    except StructError:
        raise key_range_error("Draft", (("date", "int32", row.date),)) from None
    for item in row.entities:
        check_text_entity(item)
    if row.reply_to is not None:
        check_message_id(row.reply_to)


def check_chat_interface(row: ChatInterface) -> None:
    """Refuse integers out of range in `ChatInterface`. Raises RangeError."""
    try:
        _PACK_i(row.override_timestamp or 0)
    except StructError:
        raise key_range_error(
            "chat_interface",
            (("override_timestamp", "int32", row.override_timestamp or 0),),
        ) from None
    if row.draft is not None:
        check_draft(row.draft)
    if row.scroll_to is not None:
        check_message_id(row.scroll_to)


def check_message(row: Message) -> None:
    """Refuse integers out of range in `Message`. Raises RangeError."""
    try:
        _PACK_IIIIIqqqq(
            row.stable_id,
            row.flags,
            row.tags,
            row.global_tags,
            row.local_tags,
            row.author_id or 0,
            row.grouping_key or 0,
            row.thread_id or 0,
            row.unique_id or 0,
        )
    except StructError:
        raise key_range_error(
            "message",
            (
                ("stable_id", "uint32", row.stable_id),
                ("flags", "uint32", row.flags),
                ("tags", "uint32", row.tags),
                ("global_tags", "uint32", row.global_tags),
                ("local_tags", "uint32", row.local_tags),
                ("author_id", "int64", row.author_id or 0),
                ("grouping_key", "int64", row.grouping_key or 0),
                ("thread_id", "int64", row.thread_id or 0),
                ("unique_id", "int64", row.unique_id or 0),
            ),
        ) from None
    if row.forward is not None:
        check_forward(row.forward)
    for item in row.entities:
        check_text_entity(item)
    for item_2 in row.attributes:
        check_attribute(item_2)
    for item_3 in row.media:
        check_media(item_3)


def check_threads(row: Threads) -> None:
    """Refuse integers out of range in `Threads`. Raises RangeError."""
    try:
        _PACK_iqii(row.created_at, row.author_id or 0, row.read_in, row.unread)
    except StructError:
        raise key_range_error(
            "threads",
            (
                ("created_at", "int32", row.created_at),
                ("author_id", "int64", row.author_id or 0),
                ("read_in", "int32", row.read_in),
                ("unread", "int32", row.unread),
            ),
        ) from None
    if row.settings is not None:
        check_peer_settings(row.settings)


def check_peers(row: Peers) -> None:
    """Refuse integers out of range in `Peers`. Raises RangeError."""
    try:
        _PACK_QqqI(row.flags, row.access_hash or 0, row.associated_id or 0, row.timeout_at or 0)
    except StructError:
        raise key_range_error(
            "peers",
            (
                ("flags", "uint64", row.flags),
                ("access_hash", "int64", row.access_hash or 0),
                ("associated_id", "int64", row.associated_id or 0),
                ("timeout_at", "uint32", row.timeout_at or 0),
            ),
        ) from None
    for item in row.photo:
        check_photo_size(item)
    check_peer_data(row.data)


def check_cached_peers(row: CachedPeers) -> None:
    """Refuse integers out of range in `CachedPeers`. Raises RangeError."""
    try:
        _PACK_i(row.fetched_at)
    except StructError:
        raise key_range_error("cached_peers", (("fetched_at", "int32", row.fetched_at),)) from None
    check_cached_data(row.data)
    if row.pinned_message_id is not None:
        check_message_id(row.pinned_message_id)


def check_notification_settings(row: NotificationSettings) -> None:
    """Refuse integers out of range in `NotificationSettings`. Raises RangeError."""
    if row.current is not None:
        check_peer_settings(row.current)
    if row.pending is not None:
        check_peer_settings(row.pending)


def check_collection_infos(row: CollectionInfos) -> None:
    """Refuse integers out of range in `CollectionInfos`. Raises RangeError."""
    try:
        _PACK_ii(row.count, row.hash)
    except StructError:
        raise key_range_error(
            "collection_infos",
            (("count", "int32", row.count), ("hash", "int32", row.hash)),
        ) from None


def check_collection_items(row: CollectionItems) -> None:
    """Refuse integers out of range in `CollectionItems`. Raises RangeError."""
    check_media(row.file)
