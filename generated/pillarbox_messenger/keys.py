# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The keys of the schema 'messenger': as their fields, and as they are stored.

Stored keys compare as their fields do, in order: numbers are big-endian with the sign bit flipped, descending
parts are inverted, text and bytes are escaped and ended.
"""

from __future__ import annotations

from struct import Struct
from struct import error as StructError
from typing import Final, NamedTuple

from pillarbox.codec import INT32_BIAS, INT64_BIAS, escape, key_corrupt, key_range_error, unescape
from pillarbox_messenger.types import CollectionId, MessageNamespace, MetadataItem, PeerId, PeerNamespace

_PACK_B: Final = Struct(">B").pack
_PACK_BI: Final = Struct(">BI").pack
_PACK_I: Final = Struct(">I").pack
_PACK_II: Final = Struct(">II").pack
_PACK_III: Final = Struct(">III").pack
_PACK_IIII: Final = Struct(">IIII").pack
_PACK_IIIIQ: Final = Struct(">IIIIQ").pack
_PACK_IIIQ: Final = Struct(">IIIQ").pack
_PACK_IIIQI: Final = Struct(">IIIQI").pack
_PACK_IIQ: Final = Struct(">IIQ").pack
_PACK_IIQI: Final = Struct(">IIQI").pack
_PACK_IQ: Final = Struct(">IQ").pack
_PACK_IQI: Final = Struct(">IQI").pack
_PACK_IQII: Final = Struct(">IQII").pack
_PACK_IQIQ: Final = Struct(">IQIQ").pack
_PACK_Q: Final = Struct(">Q").pack
_PACK_QI: Final = Struct(">QI").pack
_PACK_QII: Final = Struct(">QII").pack
_PACK_QIII: Final = Struct(">QIII").pack
_PACK_QIIII: Final = Struct(">QIIII").pack
_PACK_QIQ: Final = Struct(">QIQ").pack
_PACK_QQ: Final = Struct(">QQ").pack
_PACK_QQI: Final = Struct(">QQI").pack
_PACK_QQII: Final = Struct(">QQII").pack
_PACK_QQIII: Final = Struct(">QQIII").pack
_PACK_QQIIII: Final = Struct(">QQIIII").pack
_PACK_q: Final = Struct(">q").pack
_UNPACK_B: Final = Struct(">B").unpack
_UNPACK_I: Final = Struct(">I").unpack
_UNPACK_II: Final = Struct(">II").unpack
_UNPACK_IIIIQ: Final = Struct(">IIIIQ").unpack
_UNPACK_IIIQI: Final = Struct(">IIIQI").unpack
_UNPACK_IIQ: Final = Struct(">IIQ").unpack
_UNPACK_IIQI: Final = Struct(">IIQI").unpack
_UNPACK_IQ: Final = Struct(">IQ").unpack
_UNPACK_IQII: Final = Struct(">IQII").unpack
_UNPACK_IQIQ: Final = Struct(">IQIQ").unpack
_UNPACK_QI: Final = Struct(">QI").unpack
_UNPACK_QII: Final = Struct(">QII").unpack
_UNPACK_QIII: Final = Struct(">QIII").unpack
_UNPACK_QIIII: Final = Struct(">QIIII").unpack
_UNPACK_QIQ: Final = Struct(">QIQ").unpack
_UNPACK_QQ: Final = Struct(">QQ").unpack
_UNPACK_QQIII: Final = Struct(">QQIII").unpack
_UNPACK_QQIIII: Final = Struct(">QQIIII").unpack
_TAKE_B: Final = Struct(">B").unpack_from
_TAKE_BI: Final = Struct(">BI").unpack_from
_TAKE_I: Final = Struct(">I").unpack_from
_TAKE_Q: Final = Struct(">Q").unpack_from
_TAKE_QIQ: Final = Struct(">QIQ").unpack_from


class ChatTopKey(NamedTuple):
    """Key of `chat_top`: stored as the integer it is."""

    peer_id: PeerId


def chat_top_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("chat_top", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def chat_top_key_fields(key: int) -> ChatTopKey:
    """The key's one field, by its name."""
    return ChatTopKey(PeerId(key))


class ChatListKey(NamedTuple):
    """Key of `chat_list`: 12 bytes, ordered as the fields are."""

    timestamp: int
    peer_id: PeerId


def chat_list_key(timestamp: int, peer_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IQ(timestamp + INT32_BIAS, peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "chat_list",
            (("timestamp", "int32", timestamp), ("peer_id", "int64", peer_id)),
        ) from None


def chat_list_prefix_1(timestamp: int) -> bytes:
    """What the stored keys with this `timestamp` begin with. Raises RangeError."""
    try:
        return _PACK_I(timestamp + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("chat_list", (("timestamp", "int32", timestamp),)) from None


def chat_list_key_fields(key: bytes) -> ChatListKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        timestamp, peer_id = _UNPACK_IQ(key)
        return ChatListKey(timestamp - INT32_BIAS, peer_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("chat_list", key, str(error)) from None


class InclusionsKey(NamedTuple):
    """Key of `inclusions`: stored as the integer it is."""

    peer_id: PeerId


def inclusions_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("inclusions", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def inclusions_key_fields(key: int) -> InclusionsKey:
    """The key's one field, by its name."""
    return InclusionsKey(PeerId(key))


class ChatsByGroupKey(NamedTuple):
    """Key of `chats_by_group`: 12 bytes, ordered as the fields are."""

    group_id: int
    peer_id: PeerId


def chats_by_group_key(group_id: int, peer_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IQ(group_id + INT32_BIAS, peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "chats_by_group",
            (("group_id", "int32", group_id), ("peer_id", "int64", peer_id)),
        ) from None


def chats_by_group_prefix_1(group_id: int) -> bytes:
    """What the stored keys with this `group_id` begin with. Raises RangeError."""
    try:
        return _PACK_I(group_id + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("chats_by_group", (("group_id", "int32", group_id),)) from None


def chats_by_group_key_fields(key: bytes) -> ChatsByGroupKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        group_id, peer_id = _UNPACK_IQ(key)
        return ChatsByGroupKey(group_id - INT32_BIAS, peer_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("chats_by_group", key, str(error)) from None


class ChatPinsKey(NamedTuple):
    """Key of `chat_pins`: 8 bytes, ordered as the fields are."""

    group_id: int
    position: int


def chat_pins_key(group_id: int, position: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_II(group_id + INT32_BIAS, position + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "chat_pins",
            (("group_id", "int32", group_id), ("position", "int32", position)),
        ) from None


def chat_pins_prefix_1(group_id: int) -> bytes:
    """What the stored keys with this `group_id` begin with. Raises RangeError."""
    try:
        return _PACK_I(group_id + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("chat_pins", (("group_id", "int32", group_id),)) from None


def chat_pins_key_fields(key: bytes) -> ChatPinsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        group_id, position = _UNPACK_II(key)
        return ChatPinsKey(group_id - INT32_BIAS, position - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("chat_pins", key, str(error)) from None


class PinOfChatKey(NamedTuple):
    """Key of `pin_of_chat`: stored as the integer it is."""

    peer_id: PeerId


def pin_of_chat_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("pin_of_chat", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def pin_of_chat_key_fields(key: int) -> PinOfChatKey:
    """The key's one field, by its name."""
    return PinOfChatKey(PeerId(key))


class ChatInterfaceKey(NamedTuple):
    """Key of `chat_interface`: stored as the integer it is."""

    peer_id: PeerId


def chat_interface_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("chat_interface", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def chat_interface_key_fields(key: int) -> ChatInterfaceKey:
    """The key's one field, by its name."""
    return ChatInterfaceKey(PeerId(key))


class ReadStatesKey(NamedTuple):
    """Key of `read_states`: 12 bytes, ordered as the fields are."""

    peer_id: PeerId
    namespace: MessageNamespace


def read_states_key(peer_id: int, namespace: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "read_states",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace)),
        ) from None


def read_states_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("read_states", (("peer_id", "int64", peer_id),)) from None


def read_states_key_fields(key: bytes) -> ReadStatesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, namespace = _UNPACK_QI(key)
        return ReadStatesKey(peer_id - INT64_BIAS, MessageNamespace(namespace - INT32_BIAS))
    except (StructError, ValueError) as error:
        raise key_corrupt("read_states", key, str(error)) from None


class UnreadChatsKey(NamedTuple):
    """Key of `unread_chats`: 12 bytes, ordered as the fields are."""

    peer_id: PeerId
    namespace: MessageNamespace


def unread_chats_key(peer_id: int, namespace: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "unread_chats",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace)),
        ) from None


def unread_chats_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("unread_chats", (("peer_id", "int64", peer_id),)) from None


def unread_chats_key_fields(key: bytes) -> UnreadChatsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, namespace = _UNPACK_QI(key)
        return UnreadChatsKey(peer_id - INT64_BIAS, MessageNamespace(namespace - INT32_BIAS))
    except (StructError, ValueError) as error:
        raise key_corrupt("unread_chats", key, str(error)) from None


class ReadTotalsKey(NamedTuple):
    """Key of `read_totals`: stored as the integer it is."""

    peer_id: PeerId


def read_totals_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("read_totals", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def read_totals_key_fields(key: int) -> ReadTotalsKey:
    """The key's one field, by its name."""
    return ReadTotalsKey(PeerId(key))


class MessageKey(NamedTuple):
    """Key of `message`: 20 bytes, ordered as the fields are."""

    peer_id: PeerId
    namespace: MessageNamespace
    timestamp: int
    id: int


def message_key(peer_id: int, namespace: int, timestamp: int, id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QIII(
            peer_id + INT64_BIAS,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
            id + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "message",
            (
                ("peer_id", "int64", peer_id),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
                ("id", "int32", id),
            ),
        ) from None


def message_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("message", (("peer_id", "int64", peer_id),)) from None


def message_prefix_2(peer_id: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace)),
        ) from None


def message_prefix_3(peer_id: int, namespace: int, timestamp: int) -> bytes:
    """What the stored keys with this `timestamp` begin with. Raises RangeError."""
    try:
        return _PACK_QII(peer_id + INT64_BIAS, namespace + INT32_BIAS, timestamp + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message",
            (
                ("peer_id", "int64", peer_id),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def message_key_fields(key: bytes) -> MessageKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, namespace, timestamp, id = _UNPACK_QIII(key)
        return MessageKey(
            peer_id - INT64_BIAS,
            MessageNamespace(namespace - INT32_BIAS),
            timestamp - INT32_BIAS,
            id - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("message", key, str(error)) from None


class MessageIdsKey(NamedTuple):
    """Key of `message_ids`: 16 bytes, ordered as the fields are."""

    peer_id: PeerId
    namespace: MessageNamespace
    id: int


def message_ids_key(peer_id: int, namespace: int, id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QII(peer_id + INT64_BIAS, namespace + INT32_BIAS, id + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message_ids",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace), ("id", "int32", id)),
        ) from None


def message_ids_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("message_ids", (("peer_id", "int64", peer_id),)) from None


def message_ids_prefix_2(peer_id: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message_ids",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace)),
        ) from None


def message_ids_key_fields(key: bytes) -> MessageIdsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, namespace, id = _UNPACK_QII(key)
        return MessageIdsKey(peer_id - INT64_BIAS, MessageNamespace(namespace - INT32_BIAS), id - INT32_BIAS)
    except (StructError, ValueError) as error:
        raise key_corrupt("message_ids", key, str(error)) from None


class MessageByGlobalIdKey(NamedTuple):
    """Key of `message_by_global_id`: 20 bytes, ordered as the fields are."""

    id: int
    peer_id: PeerId
    namespace: MessageNamespace
    timestamp: int


def message_by_global_id_key(id: int, peer_id: int, namespace: int, timestamp: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IQII(
            id + INT32_BIAS,
            peer_id + INT64_BIAS,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "message_by_global_id",
            (
                ("id", "int32", id),
                ("peer_id", "int64", peer_id),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def message_by_global_id_prefix_1(id: int) -> bytes:
    """What the stored keys with this `id` begin with. Raises RangeError."""
    try:
        return _PACK_I(id + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("message_by_global_id", (("id", "int32", id),)) from None


def message_by_global_id_prefix_2(id: int, peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_IQ(id + INT32_BIAS, peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message_by_global_id",
            (("id", "int32", id), ("peer_id", "int64", peer_id)),
        ) from None


def message_by_global_id_prefix_3(id: int, peer_id: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_IQI(id + INT32_BIAS, peer_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message_by_global_id",
            (("id", "int32", id), ("peer_id", "int64", peer_id), ("namespace", "int32", namespace)),
        ) from None


def message_by_global_id_key_fields(key: bytes) -> MessageByGlobalIdKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        id, peer_id, namespace, timestamp = _UNPACK_IQII(key)
        return MessageByGlobalIdKey(
            id - INT32_BIAS,
            peer_id - INT64_BIAS,
            MessageNamespace(namespace - INT32_BIAS),
            timestamp - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("message_by_global_id", key, str(error)) from None


class MessageByUniqueIdKey(NamedTuple):
    """Key of `message_by_unique_id`: 28 bytes, ordered as the fields are."""

    peer_id: PeerId
    unique_id: int
    namespace: MessageNamespace
    timestamp: int
    id: int


def message_by_unique_id_key(peer_id: int, unique_id: int, namespace: int, timestamp: int, id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQIII(
            peer_id + INT64_BIAS,
            unique_id + INT64_BIAS,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
            id + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "message_by_unique_id",
            (
                ("peer_id", "int64", peer_id),
                ("unique_id", "int64", unique_id),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
                ("id", "int32", id),
            ),
        ) from None


def message_by_unique_id_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("message_by_unique_id", (("peer_id", "int64", peer_id),)) from None


def message_by_unique_id_prefix_2(peer_id: int, unique_id: int) -> bytes:
    """What the stored keys with this `unique_id` begin with. Raises RangeError."""
    try:
        return _PACK_QQ(peer_id + INT64_BIAS, unique_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message_by_unique_id",
            (("peer_id", "int64", peer_id), ("unique_id", "int64", unique_id)),
        ) from None


def message_by_unique_id_prefix_3(peer_id: int, unique_id: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_QQI(peer_id + INT64_BIAS, unique_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message_by_unique_id",
            (
                ("peer_id", "int64", peer_id),
                ("unique_id", "int64", unique_id),
                ("namespace", "int32", namespace),
            ),
        ) from None


def message_by_unique_id_prefix_4(peer_id: int, unique_id: int, namespace: int, timestamp: int) -> bytes:
    """What the stored keys with this `timestamp` begin with. Raises RangeError."""
    try:
        return _PACK_QQII(
            peer_id + INT64_BIAS,
            unique_id + INT64_BIAS,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "message_by_unique_id",
            (
                ("peer_id", "int64", peer_id),
                ("unique_id", "int64", unique_id),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def message_by_unique_id_key_fields(key: bytes) -> MessageByUniqueIdKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, unique_id, namespace, timestamp, id = _UNPACK_QQIII(key)
        return MessageByUniqueIdKey(
            peer_id - INT64_BIAS,
            unique_id - INT64_BIAS,
            MessageNamespace(namespace - INT32_BIAS),
            timestamp - INT32_BIAS,
            id - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("message_by_unique_id", key, str(error)) from None


class UnsentKey(NamedTuple):
    """Key of `unsent`: 20 bytes, ordered as the fields are."""

    namespace: MessageNamespace
    id: int
    peer_id: PeerId
    timestamp: int


def unsent_key(namespace: int, id: int, peer_id: int, timestamp: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IIQI(
            namespace + INT32_BIAS,
            id + INT32_BIAS,
            peer_id + INT64_BIAS,
            timestamp + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "unsent",
            (
                ("namespace", "int32", namespace),
                ("id", "int32", id),
                ("peer_id", "int64", peer_id),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def unsent_prefix_1(namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_I(namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("unsent", (("namespace", "int32", namespace),)) from None


def unsent_prefix_2(namespace: int, id: int) -> bytes:
    """What the stored keys with this `id` begin with. Raises RangeError."""
    try:
        return _PACK_II(namespace + INT32_BIAS, id + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("unsent", (("namespace", "int32", namespace), ("id", "int32", id))) from None


def unsent_prefix_3(namespace: int, id: int, peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_IIQ(namespace + INT32_BIAS, id + INT32_BIAS, peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "unsent",
            (("namespace", "int32", namespace), ("id", "int32", id), ("peer_id", "int64", peer_id)),
        ) from None


def unsent_key_fields(key: bytes) -> UnsentKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        namespace, id, peer_id, timestamp = _UNPACK_IIQI(key)
        return UnsentKey(
            MessageNamespace(namespace - INT32_BIAS),
            id - INT32_BIAS,
            peer_id - INT64_BIAS,
            timestamp - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("unsent", key, str(error)) from None


class FailedKey(NamedTuple):
    """Key of `failed`: 20 bytes, ordered as the fields are."""

    peer_id: PeerId
    namespace: MessageNamespace
    id: int
    timestamp: int


def failed_key(peer_id: int, namespace: int, id: int, timestamp: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QIII(
            peer_id + INT64_BIAS,
            namespace + INT32_BIAS,
            id + INT32_BIAS,
            timestamp + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "failed",
            (
                ("peer_id", "int64", peer_id),
                ("namespace", "int32", namespace),
                ("id", "int32", id),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def failed_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("failed", (("peer_id", "int64", peer_id),)) from None


def failed_prefix_2(peer_id: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "failed",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace)),
        ) from None


def failed_prefix_3(peer_id: int, namespace: int, id: int) -> bytes:
    """What the stored keys with this `id` begin with. Raises RangeError."""
    try:
        return _PACK_QII(peer_id + INT64_BIAS, namespace + INT32_BIAS, id + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "failed",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace), ("id", "int32", id)),
        ) from None


def failed_key_fields(key: bytes) -> FailedKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, namespace, id, timestamp = _UNPACK_QIII(key)
        return FailedKey(
            peer_id - INT64_BIAS,
            MessageNamespace(namespace - INT32_BIAS),
            id - INT32_BIAS,
            timestamp - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("failed", key, str(error)) from None


class MessageTagsKey(NamedTuple):
    """Key of `message_tags`: 24 bytes, ordered as the fields are."""

    peer_id: PeerId
    tag: int
    namespace: MessageNamespace
    timestamp: int
    id: int


def message_tags_key(peer_id: int, tag: int, namespace: int, timestamp: int, id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QIIII(
            peer_id + INT64_BIAS,
            tag,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
            id + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "message_tags",
            (
                ("peer_id", "int64", peer_id),
                ("tag", "uint32", tag),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
                ("id", "int32", id),
            ),
        ) from None


def message_tags_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("message_tags", (("peer_id", "int64", peer_id),)) from None


def message_tags_prefix_2(peer_id: int, tag: int) -> bytes:
    """What the stored keys with this `tag` begin with. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, tag)
    except (StructError, TypeError):
        raise key_range_error(
            "message_tags",
            (("peer_id", "int64", peer_id), ("tag", "uint32", tag)),
        ) from None


def message_tags_prefix_3(peer_id: int, tag: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_QII(peer_id + INT64_BIAS, tag, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message_tags",
            (("peer_id", "int64", peer_id), ("tag", "uint32", tag), ("namespace", "int32", namespace)),
        ) from None


def message_tags_prefix_4(peer_id: int, tag: int, namespace: int, timestamp: int) -> bytes:
    """What the stored keys with this `timestamp` begin with. Raises RangeError."""
    try:
        return _PACK_QIII(peer_id + INT64_BIAS, tag, namespace + INT32_BIAS, timestamp + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "message_tags",
            (
                ("peer_id", "int64", peer_id),
                ("tag", "uint32", tag),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def message_tags_key_fields(key: bytes) -> MessageTagsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, tag, namespace, timestamp, id = _UNPACK_QIIII(key)
        return MessageTagsKey(
            peer_id - INT64_BIAS,
            tag,
            MessageNamespace(namespace - INT32_BIAS),
            timestamp - INT32_BIAS,
            id - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("message_tags", key, str(error)) from None


class GlobalTagsKey(NamedTuple):
    """Key of `global_tags`: 24 bytes, ordered as the fields are."""

    tag: int
    timestamp: int
    namespace: MessageNamespace
    id: int
    peer_id: PeerId


def global_tags_key(tag: int, timestamp: int, namespace: int, id: int, peer_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IIIIQ(
            tag,
            timestamp + INT32_BIAS,
            namespace + INT32_BIAS,
            id + INT32_BIAS,
            peer_id + INT64_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "global_tags",
            (
                ("tag", "uint32", tag),
                ("timestamp", "int32", timestamp),
                ("namespace", "int32", namespace),
                ("id", "int32", id),
                ("peer_id", "int64", peer_id),
            ),
        ) from None


def global_tags_prefix_1(tag: int) -> bytes:
    """What the stored keys with this `tag` begin with. Raises RangeError."""
    try:
        return _PACK_I(tag)
    except (StructError, TypeError):
        raise key_range_error("global_tags", (("tag", "uint32", tag),)) from None


def global_tags_prefix_2(tag: int, timestamp: int) -> bytes:
    """What the stored keys with this `timestamp` begin with. Raises RangeError."""
    try:
        return _PACK_II(tag, timestamp + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "global_tags",
            (("tag", "uint32", tag), ("timestamp", "int32", timestamp)),
        ) from None


def global_tags_prefix_3(tag: int, timestamp: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_III(tag, timestamp + INT32_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "global_tags",
            (("tag", "uint32", tag), ("timestamp", "int32", timestamp), ("namespace", "int32", namespace)),
        ) from None


def global_tags_prefix_4(tag: int, timestamp: int, namespace: int, id: int) -> bytes:
    """What the stored keys with this `id` begin with. Raises RangeError."""
    try:
        return _PACK_IIII(tag, timestamp + INT32_BIAS, namespace + INT32_BIAS, id + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "global_tags",
            (
                ("tag", "uint32", tag),
                ("timestamp", "int32", timestamp),
                ("namespace", "int32", namespace),
                ("id", "int32", id),
            ),
        ) from None


def global_tags_key_fields(key: bytes) -> GlobalTagsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        tag, timestamp, namespace, id, peer_id = _UNPACK_IIIIQ(key)
        return GlobalTagsKey(
            tag,
            timestamp - INT32_BIAS,
            MessageNamespace(namespace - INT32_BIAS),
            id - INT32_BIAS,
            peer_id - INT64_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("global_tags", key, str(error)) from None


class LocalTagsKey(NamedTuple):
    """Key of `local_tags`: 24 bytes, ordered as the fields are."""

    tag: int
    namespace: MessageNamespace
    id: int
    peer_id: PeerId
    timestamp: int


def local_tags_key(tag: int, namespace: int, id: int, peer_id: int, timestamp: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IIIQI(
            tag,
            namespace + INT32_BIAS,
            id + INT32_BIAS,
            peer_id + INT64_BIAS,
            timestamp + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "local_tags",
            (
                ("tag", "uint32", tag),
                ("namespace", "int32", namespace),
                ("id", "int32", id),
                ("peer_id", "int64", peer_id),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def local_tags_prefix_1(tag: int) -> bytes:
    """What the stored keys with this `tag` begin with. Raises RangeError."""
    try:
        return _PACK_I(tag)
    except (StructError, TypeError):
        raise key_range_error("local_tags", (("tag", "uint32", tag),)) from None


def local_tags_prefix_2(tag: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_II(tag, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "local_tags",
            (("tag", "uint32", tag), ("namespace", "int32", namespace)),
        ) from None


def local_tags_prefix_3(tag: int, namespace: int, id: int) -> bytes:
    """What the stored keys with this `id` begin with. Raises RangeError."""
    try:
        return _PACK_III(tag, namespace + INT32_BIAS, id + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "local_tags",
            (("tag", "uint32", tag), ("namespace", "int32", namespace), ("id", "int32", id)),
        ) from None


def local_tags_prefix_4(tag: int, namespace: int, id: int, peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_IIIQ(tag, namespace + INT32_BIAS, id + INT32_BIAS, peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "local_tags",
            (
                ("tag", "uint32", tag),
                ("namespace", "int32", namespace),
                ("id", "int32", id),
                ("peer_id", "int64", peer_id),
            ),
        ) from None


def local_tags_key_fields(key: bytes) -> LocalTagsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        tag, namespace, id, peer_id, timestamp = _UNPACK_IIIQI(key)
        return LocalTagsKey(
            tag,
            MessageNamespace(namespace - INT32_BIAS),
            id - INT32_BIAS,
            peer_id - INT64_BIAS,
            timestamp - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("local_tags", key, str(error)) from None


class TagCountsKey(NamedTuple):
    """Key of `tag_counts`: 16 bytes, ordered as the fields are."""

    peer_id: PeerId
    namespace: MessageNamespace
    tag: int


def tag_counts_key(peer_id: int, namespace: int, tag: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QII(peer_id + INT64_BIAS, namespace + INT32_BIAS, tag)
    except (StructError, TypeError):
        raise key_range_error(
            "tag_counts",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace), ("tag", "uint32", tag)),
        ) from None


def tag_counts_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("tag_counts", (("peer_id", "int64", peer_id),)) from None


def tag_counts_prefix_2(peer_id: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "tag_counts",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace)),
        ) from None


def tag_counts_key_fields(key: bytes) -> TagCountsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, namespace, tag = _UNPACK_QII(key)
        return TagCountsKey(peer_id - INT64_BIAS, MessageNamespace(namespace - INT32_BIAS), tag)
    except (StructError, ValueError) as error:
        raise key_corrupt("tag_counts", key, str(error)) from None


class ThreadMessagesKey(NamedTuple):
    """Key of `thread_messages`: 28 bytes, ordered as the fields are."""

    peer_id: PeerId
    thread_id: int
    namespace: MessageNamespace
    timestamp: int
    id: int


def thread_messages_key(peer_id: int, thread_id: int, namespace: int, timestamp: int, id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQIII(
            peer_id + INT64_BIAS,
            thread_id + INT64_BIAS,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
            id + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "thread_messages",
            (
                ("peer_id", "int64", peer_id),
                ("thread_id", "int64", thread_id),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
                ("id", "int32", id),
            ),
        ) from None


def thread_messages_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("thread_messages", (("peer_id", "int64", peer_id),)) from None


def thread_messages_prefix_2(peer_id: int, thread_id: int) -> bytes:
    """What the stored keys with this `thread_id` begin with. Raises RangeError."""
    try:
        return _PACK_QQ(peer_id + INT64_BIAS, thread_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "thread_messages",
            (("peer_id", "int64", peer_id), ("thread_id", "int64", thread_id)),
        ) from None


def thread_messages_prefix_3(peer_id: int, thread_id: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_QQI(peer_id + INT64_BIAS, thread_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "thread_messages",
            (
                ("peer_id", "int64", peer_id),
                ("thread_id", "int64", thread_id),
                ("namespace", "int32", namespace),
            ),
        ) from None


def thread_messages_prefix_4(peer_id: int, thread_id: int, namespace: int, timestamp: int) -> bytes:
    """What the stored keys with this `timestamp` begin with. Raises RangeError."""
    try:
        return _PACK_QQII(
            peer_id + INT64_BIAS,
            thread_id + INT64_BIAS,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "thread_messages",
            (
                ("peer_id", "int64", peer_id),
                ("thread_id", "int64", thread_id),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def thread_messages_key_fields(key: bytes) -> ThreadMessagesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, thread_id, namespace, timestamp, id = _UNPACK_QQIII(key)
        return ThreadMessagesKey(
            peer_id - INT64_BIAS,
            thread_id - INT64_BIAS,
            MessageNamespace(namespace - INT32_BIAS),
            timestamp - INT32_BIAS,
            id - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("thread_messages", key, str(error)) from None


class ThreadTagsKey(NamedTuple):
    """Key of `thread_tags`: 32 bytes, ordered as the fields are."""

    peer_id: PeerId
    thread_id: int
    tag: int
    namespace: MessageNamespace
    timestamp: int
    id: int


def thread_tags_key(peer_id: int, thread_id: int, tag: int, namespace: int, timestamp: int, id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQIIII(
            peer_id + INT64_BIAS,
            thread_id + INT64_BIAS,
            tag,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
            id + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "thread_tags",
            (
                ("peer_id", "int64", peer_id),
                ("thread_id", "int64", thread_id),
                ("tag", "uint32", tag),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
                ("id", "int32", id),
            ),
        ) from None


def thread_tags_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("thread_tags", (("peer_id", "int64", peer_id),)) from None


def thread_tags_prefix_2(peer_id: int, thread_id: int) -> bytes:
    """What the stored keys with this `thread_id` begin with. Raises RangeError."""
    try:
        return _PACK_QQ(peer_id + INT64_BIAS, thread_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "thread_tags",
            (("peer_id", "int64", peer_id), ("thread_id", "int64", thread_id)),
        ) from None


def thread_tags_prefix_3(peer_id: int, thread_id: int, tag: int) -> bytes:
    """What the stored keys with this `tag` begin with. Raises RangeError."""
    try:
        return _PACK_QQI(peer_id + INT64_BIAS, thread_id + INT64_BIAS, tag)
    except (StructError, TypeError):
        raise key_range_error(
            "thread_tags",
            (("peer_id", "int64", peer_id), ("thread_id", "int64", thread_id), ("tag", "uint32", tag)),
        ) from None


def thread_tags_prefix_4(peer_id: int, thread_id: int, tag: int, namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_QQII(peer_id + INT64_BIAS, thread_id + INT64_BIAS, tag, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "thread_tags",
            (
                ("peer_id", "int64", peer_id),
                ("thread_id", "int64", thread_id),
                ("tag", "uint32", tag),
                ("namespace", "int32", namespace),
            ),
        ) from None


def thread_tags_prefix_5(peer_id: int, thread_id: int, tag: int, namespace: int, timestamp: int) -> bytes:
    """What the stored keys with this `timestamp` begin with. Raises RangeError."""
    try:
        return _PACK_QQIII(
            peer_id + INT64_BIAS,
            thread_id + INT64_BIAS,
            tag,
            namespace + INT32_BIAS,
            timestamp + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "thread_tags",
            (
                ("peer_id", "int64", peer_id),
                ("thread_id", "int64", thread_id),
                ("tag", "uint32", tag),
                ("namespace", "int32", namespace),
                ("timestamp", "int32", timestamp),
            ),
        ) from None


def thread_tags_key_fields(key: bytes) -> ThreadTagsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, thread_id, tag, namespace, timestamp, id = _UNPACK_QQIIII(key)
        return ThreadTagsKey(
            peer_id - INT64_BIAS,
            thread_id - INT64_BIAS,
            tag,
            MessageNamespace(namespace - INT32_BIAS),
            timestamp - INT32_BIAS,
            id - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("thread_tags", key, str(error)) from None


class ThreadsKey(NamedTuple):
    """Key of `threads`: 16 bytes, ordered as the fields are."""

    peer_id: PeerId
    thread_id: int


def threads_key(peer_id: int, thread_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQ(peer_id + INT64_BIAS, thread_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "threads",
            (("peer_id", "int64", peer_id), ("thread_id", "int64", thread_id)),
        ) from None


def threads_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("threads", (("peer_id", "int64", peer_id),)) from None


def threads_key_fields(key: bytes) -> ThreadsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, thread_id = _UNPACK_QQ(key)
        return ThreadsKey(peer_id - INT64_BIAS, thread_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("threads", key, str(error)) from None


class ThreadTopKey(NamedTuple):
    """Key of `thread_top`: 16 bytes, ordered as the fields are."""

    peer_id: PeerId
    thread_id: int


def thread_top_key(peer_id: int, thread_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQ(peer_id + INT64_BIAS, thread_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "thread_top",
            (("peer_id", "int64", peer_id), ("thread_id", "int64", thread_id)),
        ) from None


def thread_top_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("thread_top", (("peer_id", "int64", peer_id),)) from None


def thread_top_key_fields(key: bytes) -> ThreadTopKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, thread_id = _UNPACK_QQ(key)
        return ThreadTopKey(peer_id - INT64_BIAS, thread_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("thread_top", key, str(error)) from None


class ThreadListKey(NamedTuple):
    """Key of `thread_list`: 20 bytes, ordered as the fields are."""

    peer_id: PeerId
    timestamp: int
    thread_id: int


def thread_list_key(peer_id: int, timestamp: int, thread_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QIQ(peer_id + INT64_BIAS, timestamp + INT32_BIAS, thread_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "thread_list",
            (
                ("peer_id", "int64", peer_id),
                ("timestamp", "int32", timestamp),
                ("thread_id", "int64", thread_id),
            ),
        ) from None


def thread_list_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("thread_list", (("peer_id", "int64", peer_id),)) from None


def thread_list_prefix_2(peer_id: int, timestamp: int) -> bytes:
    """What the stored keys with this `timestamp` begin with. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, timestamp + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "thread_list",
            (("peer_id", "int64", peer_id), ("timestamp", "int32", timestamp)),
        ) from None


def thread_list_key_fields(key: bytes) -> ThreadListKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, timestamp, thread_id = _UNPACK_QIQ(key)
        return ThreadListKey(peer_id - INT64_BIAS, timestamp - INT32_BIAS, thread_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("thread_list", key, str(error)) from None


class ThreadsSummaryKey(NamedTuple):
    """Key of `threads_summary`: stored as the integer it is."""

    peer_id: PeerId


def threads_summary_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("threads_summary", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def threads_summary_key_fields(key: int) -> ThreadsSummaryKey:
    """The key's one field, by its name."""
    return ThreadsSummaryKey(PeerId(key))


class PeersKey(NamedTuple):
    """Key of `peers`: stored as the integer it is."""

    peer_id: PeerId


def peers_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("peers", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def peers_key_fields(key: int) -> PeersKey:
    """The key's one field, by its name."""
    return PeersKey(PeerId(key))


class PeerUsernamesKey(NamedTuple):
    """Key of `peer_usernames`: bytes of any length, ordered as the fields are."""

    username: str
    peer_id: PeerId


def peer_usernames_key(username: str, peer_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return escape(username.encode()) + _PACK_Q(peer_id + INT64_BIAS)
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "peer_usernames",
            (("username", "text", username), ("peer_id", "int64", peer_id)),
        ) from None


def peer_usernames_prefix_1(username: str) -> bytes:
    """What the stored keys with this `username` begin with. Raises RangeError."""
    try:
        return escape(username.encode())
    except (AttributeError, TypeError, UnicodeEncodeError):
        raise key_range_error("peer_usernames", (("username", "text", username),)) from None


def peer_usernames_key_fields(key: bytes) -> PeerUsernamesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        username, end = unescape(key, 0)
        (peer_id,) = _TAKE_Q(key, end)
        if end + 8 != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end + 8}")
        return PeerUsernamesKey(username.decode(), peer_id - INT64_BIAS)
    except (StructError, ValueError) as error:
        raise key_corrupt("peer_usernames", key, str(error)) from None


class ContactsKey(NamedTuple):
    """Key of `contacts`: stored as the integer it is."""

    peer_id: PeerId


def contacts_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("contacts", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def contacts_key_fields(key: int) -> ContactsKey:
    """The key's one field, by its name."""
    return ContactsKey(PeerId(key))


class ContactsByNameKey(NamedTuple):
    """Key of `contacts_by_name`: bytes of any length, ordered as the fields are."""

    name: str
    peer_id: PeerId


def contacts_by_name_key(name: str, peer_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return escape(name.encode()) + _PACK_Q(peer_id + INT64_BIAS)
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "contacts_by_name",
            (("name", "text", name), ("peer_id", "int64", peer_id)),
        ) from None


def contacts_by_name_prefix_1(name: str) -> bytes:
    """What the stored keys with this `name` begin with. Raises RangeError."""
    try:
        return escape(name.encode())
    except (AttributeError, TypeError, UnicodeEncodeError):
        raise key_range_error("contacts_by_name", (("name", "text", name),)) from None


def contacts_by_name_key_fields(key: bytes) -> ContactsByNameKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        name, end = unescape(key, 0)
        (peer_id,) = _TAKE_Q(key, end)
        if end + 8 != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end + 8}")
        return ContactsByNameKey(name.decode(), peer_id - INT64_BIAS)
    except (StructError, ValueError) as error:
        raise key_corrupt("contacts_by_name", key, str(error)) from None


class AssociatedPeersKey(NamedTuple):
    """Key of `associated_peers`: 16 bytes, ordered as the fields are."""

    associated_id: PeerId
    peer_id: PeerId


def associated_peers_key(associated_id: int, peer_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQ(associated_id + INT64_BIAS, peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "associated_peers",
            (("associated_id", "int64", associated_id), ("peer_id", "int64", peer_id)),
        ) from None


def associated_peers_prefix_1(associated_id: int) -> bytes:
    """What the stored keys with this `associated_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(associated_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("associated_peers", (("associated_id", "int64", associated_id),)) from None


def associated_peers_key_fields(key: bytes) -> AssociatedPeersKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        associated_id, peer_id = _UNPACK_QQ(key)
        return AssociatedPeersKey(associated_id - INT64_BIAS, peer_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("associated_peers", key, str(error)) from None


class PeerTimeoutsKey(NamedTuple):
    """Key of `peer_timeouts`: 12 bytes, ordered as the fields are."""

    timeout_at: int
    peer_id: PeerId


def peer_timeouts_key(timeout_at: int, peer_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IQ(timeout_at, peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "peer_timeouts",
            (("timeout_at", "uint32", timeout_at), ("peer_id", "int64", peer_id)),
        ) from None


def peer_timeouts_prefix_1(timeout_at: int) -> bytes:
    """What the stored keys with this `timeout_at` begin with. Raises RangeError."""
    try:
        return _PACK_I(timeout_at)
    except (StructError, TypeError):
        raise key_range_error("peer_timeouts", (("timeout_at", "uint32", timeout_at),)) from None


def peer_timeouts_key_fields(key: bytes) -> PeerTimeoutsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        timeout_at, peer_id = _UNPACK_IQ(key)
        return PeerTimeoutsKey(timeout_at, peer_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("peer_timeouts", key, str(error)) from None


class PeerCountsKey(NamedTuple):
    """Key of `peer_counts`: 1 byte, ordered as the fields are."""

    kind: PeerNamespace


def peer_counts_key(kind: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_B(kind)
    except (StructError, TypeError):
        raise key_range_error("peer_counts", (("kind", "uint8", kind),)) from None


def peer_counts_key_fields(key: bytes) -> PeerCountsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        (kind,) = _UNPACK_B(key)
        return PeerCountsKey(PeerNamespace(kind))
    except (StructError, ValueError) as error:
        raise key_corrupt("peer_counts", key, str(error)) from None


class CachedPeersKey(NamedTuple):
    """Key of `cached_peers`: stored as the integer it is."""

    peer_id: PeerId


def cached_peers_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("cached_peers", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def cached_peers_key_fields(key: int) -> CachedPeersKey:
    """The key's one field, by its name."""
    return CachedPeersKey(PeerId(key))


class PresenceKey(NamedTuple):
    """Key of `presence`: stored as the integer it is."""

    peer_id: PeerId


def presence_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("presence", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def presence_key_fields(key: int) -> PresenceKey:
    """The key's one field, by its name."""
    return PresenceKey(PeerId(key))


class PresenceUntilKey(NamedTuple):
    """Key of `presence_until`: 12 bytes, ordered as the fields are."""

    until: int
    peer_id: PeerId


def presence_until_key(until: int, peer_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IQ(until + INT32_BIAS, peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "presence_until",
            (("until", "int32", until), ("peer_id", "int64", peer_id)),
        ) from None


def presence_until_prefix_1(until: int) -> bytes:
    """What the stored keys with this `until` begin with. Raises RangeError."""
    try:
        return _PACK_I(until + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("presence_until", (("until", "int32", until),)) from None


def presence_until_key_fields(key: bytes) -> PresenceUntilKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        until, peer_id = _UNPACK_IQ(key)
        return PresenceUntilKey(until - INT32_BIAS, peer_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("presence_until", key, str(error)) from None


class NotificationSettingsKey(NamedTuple):
    """Key of `notification_settings`: stored as the integer it is."""

    peer_id: PeerId


def notification_settings_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("notification_settings", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def notification_settings_key_fields(key: int) -> NotificationSettingsKey:
    """The key's one field, by its name."""
    return NotificationSettingsKey(PeerId(key))


class PendingSettingsKey(NamedTuple):
    """Key of `pending_settings`: stored as the integer it is."""

    peer_id: PeerId


def pending_settings_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("pending_settings", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def pending_settings_key_fields(key: int) -> PendingSettingsKey:
    """The key's one field, by its name."""
    return PendingSettingsKey(PeerId(key))


class MetadataKey(NamedTuple):
    """Key of `metadata`: 4 bytes, ordered as the fields are."""

    item: MetadataItem


def metadata_key(item: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_I(item + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("metadata", (("item", "int32", item),)) from None


def metadata_key_fields(key: bytes) -> MetadataKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        (item,) = _UNPACK_I(key)
        return MetadataKey(MetadataItem(item - INT32_BIAS))
    except (StructError, ValueError) as error:
        raise key_corrupt("metadata", key, str(error)) from None


class PreferencesKey(NamedTuple):
    """Key of `preferences`: 4 bytes, ordered as the fields are."""

    item: int


def preferences_key(item: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_I(item + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("preferences", (("item", "int32", item),)) from None


def preferences_key_fields(key: bytes) -> PreferencesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        (item,) = _UNPACK_I(key)
        return PreferencesKey(item - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("preferences", key, str(error)) from None


class NoticesKey(NamedTuple):
    """Key of `notices`: bytes of any length, ordered as the fields are."""

    namespace: int
    notice: bytes


def notices_key(namespace: int, notice: bytes) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_I(namespace + INT32_BIAS) + escape(notice)
    except (AttributeError, StructError, TypeError):
        raise key_range_error(
            "notices",
            (("namespace", "int32", namespace), ("notice", "bytes", notice)),
        ) from None


def notices_prefix_1(namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_I(namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("notices", (("namespace", "int32", namespace),)) from None


def notices_key_fields(key: bytes) -> NoticesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        (namespace,) = _TAKE_I(key, 0)
        notice, end = unescape(key, 4)
        if end != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end}")
        return NoticesKey(namespace - INT32_BIAS, notice)
    except (StructError, ValueError) as error:
        raise key_corrupt("notices", key, str(error)) from None


class CollectionInfosKey(NamedTuple):
    """Key of `collection_infos`: 16 bytes, ordered as the fields are."""

    namespace: int
    position: int
    collection_id: CollectionId


def collection_infos_key(namespace: int, position: int, collection_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IIQ(namespace + INT32_BIAS, position + INT32_BIAS, collection_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "collection_infos",
            (
                ("namespace", "int32", namespace),
                ("position", "int32", position),
                ("collection_id", "int64", collection_id),
            ),
        ) from None


def collection_infos_prefix_1(namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_I(namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("collection_infos", (("namespace", "int32", namespace),)) from None


def collection_infos_prefix_2(namespace: int, position: int) -> bytes:
    """What the stored keys with this `position` begin with. Raises RangeError."""
    try:
        return _PACK_II(namespace + INT32_BIAS, position + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "collection_infos",
            (("namespace", "int32", namespace), ("position", "int32", position)),
        ) from None


def collection_infos_key_fields(key: bytes) -> CollectionInfosKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        namespace, position, collection_id = _UNPACK_IIQ(key)
        return CollectionInfosKey(namespace - INT32_BIAS, position - INT32_BIAS, collection_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("collection_infos", key, str(error)) from None


class CollectionByIdKey(NamedTuple):
    """Key of `collection_by_id`: 12 bytes, ordered as the fields are."""

    namespace: int
    collection_id: CollectionId


def collection_by_id_key(namespace: int, collection_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IQ(namespace + INT32_BIAS, collection_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "collection_by_id",
            (("namespace", "int32", namespace), ("collection_id", "int64", collection_id)),
        ) from None


def collection_by_id_prefix_1(namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_I(namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("collection_by_id", (("namespace", "int32", namespace),)) from None


def collection_by_id_key_fields(key: bytes) -> CollectionByIdKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        namespace, collection_id = _UNPACK_IQ(key)
        return CollectionByIdKey(namespace - INT32_BIAS, collection_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("collection_by_id", key, str(error)) from None


class CollectionItemsKey(NamedTuple):
    """Key of `collection_items`: 24 bytes, ordered as the fields are."""

    namespace: int
    collection_id: CollectionId
    position: int
    item_id: int


def collection_items_key(namespace: int, collection_id: int, position: int, item_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IQIQ(
            namespace + INT32_BIAS,
            collection_id + INT64_BIAS,
            position + INT32_BIAS,
            item_id + INT64_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "collection_items",
            (
                ("namespace", "int32", namespace),
                ("collection_id", "int64", collection_id),
                ("position", "int32", position),
                ("item_id", "int64", item_id),
            ),
        ) from None


def collection_items_prefix_1(namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_I(namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("collection_items", (("namespace", "int32", namespace),)) from None


def collection_items_prefix_2(namespace: int, collection_id: int) -> bytes:
    """What the stored keys with this `collection_id` begin with. Raises RangeError."""
    try:
        return _PACK_IQ(namespace + INT32_BIAS, collection_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "collection_items",
            (("namespace", "int32", namespace), ("collection_id", "int64", collection_id)),
        ) from None


def collection_items_prefix_3(namespace: int, collection_id: int, position: int) -> bytes:
    """What the stored keys with this `position` begin with. Raises RangeError."""
    try:
        return _PACK_IQI(namespace + INT32_BIAS, collection_id + INT64_BIAS, position + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "collection_items",
            (
                ("namespace", "int32", namespace),
                ("collection_id", "int64", collection_id),
                ("position", "int32", position),
            ),
        ) from None


def collection_items_key_fields(key: bytes) -> CollectionItemsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        namespace, collection_id, position, item_id = _UNPACK_IQIQ(key)
        return CollectionItemsKey(
            namespace - INT32_BIAS,
            collection_id - INT64_BIAS,
            position - INT32_BIAS,
            item_id - INT64_BIAS,
        )
    except StructError as error:
        raise key_corrupt("collection_items", key, str(error)) from None


class CollectionKeywordsKey(NamedTuple):
    """Key of `collection_keywords`: bytes of any length, ordered as the fields are."""

    namespace: int
    keyword: str
    collection_id: CollectionId
    position: int
    item_id: int


def collection_keywords_key(
    namespace: int,
    keyword: str,
    collection_id: int,
    position: int,
    item_id: int,
) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return (
            _PACK_I(namespace + INT32_BIAS)
            + escape(keyword.encode())
            + _PACK_QIQ(collection_id + INT64_BIAS, position + INT32_BIAS, item_id + INT64_BIAS)
        )
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "collection_keywords",
            (
                ("namespace", "int32", namespace),
                ("keyword", "text", keyword),
                ("collection_id", "int64", collection_id),
                ("position", "int32", position),
                ("item_id", "int64", item_id),
            ),
        ) from None


def collection_keywords_prefix_1(namespace: int) -> bytes:
    """What the stored keys with this `namespace` begin with. Raises RangeError."""
    try:
        return _PACK_I(namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error("collection_keywords", (("namespace", "int32", namespace),)) from None


def collection_keywords_prefix_2(namespace: int, keyword: str) -> bytes:
    """What the stored keys with this `keyword` begin with. Raises RangeError."""
    try:
        return _PACK_I(namespace + INT32_BIAS) + escape(keyword.encode())
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "collection_keywords",
            (("namespace", "int32", namespace), ("keyword", "text", keyword)),
        ) from None


def collection_keywords_prefix_3(namespace: int, keyword: str, collection_id: int) -> bytes:
    """What the stored keys with this `collection_id` begin with. Raises RangeError."""
    try:
        return (
            _PACK_I(namespace + INT32_BIAS) + escape(keyword.encode()) + _PACK_Q(collection_id + INT64_BIAS)
        )
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "collection_keywords",
            (
                ("namespace", "int32", namespace),
                ("keyword", "text", keyword),
                ("collection_id", "int64", collection_id),
            ),
        ) from None


def collection_keywords_prefix_4(namespace: int, keyword: str, collection_id: int, position: int) -> bytes:
    """What the stored keys with this `position` begin with. Raises RangeError."""
    try:
        return (
            _PACK_I(namespace + INT32_BIAS)
            + escape(keyword.encode())
            + _PACK_QI(collection_id + INT64_BIAS, position + INT32_BIAS)
        )
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "collection_keywords",
            (
                ("namespace", "int32", namespace),
                ("keyword", "text", keyword),
                ("collection_id", "int64", collection_id),
                ("position", "int32", position),
            ),
        ) from None


def collection_keywords_key_fields(key: bytes) -> CollectionKeywordsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        (namespace,) = _TAKE_I(key, 0)
        keyword, end = unescape(key, 4)
        collection_id, position, item_id = _TAKE_QIQ(key, end)
        if end + 20 != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end + 20}")
        return CollectionKeywordsKey(
            namespace - INT32_BIAS,
            keyword.decode(),
            collection_id - INT64_BIAS,
            position - INT32_BIAS,
            item_id - INT64_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("collection_keywords", key, str(error)) from None


class ItemCacheKey(NamedTuple):
    """Key of `item_cache`: bytes of any length, ordered as the fields are."""

    collection: int
    entry: bytes


def item_cache_key(collection: int, entry: bytes) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_B(collection) + escape(entry)
    except (AttributeError, StructError, TypeError):
        raise key_range_error(
            "item_cache",
            (("collection", "uint8", collection), ("entry", "bytes", entry)),
        ) from None


def item_cache_prefix_1(collection: int) -> bytes:
    """What the stored keys with this `collection` begin with. Raises RangeError."""
    try:
        return _PACK_B(collection)
    except (StructError, TypeError):
        raise key_range_error("item_cache", (("collection", "uint8", collection),)) from None


def item_cache_key_fields(key: bytes) -> ItemCacheKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        (collection,) = _TAKE_B(key, 0)
        entry, end = unescape(key, 1)
        if end != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end}")
        return ItemCacheKey(collection, entry)
    except (StructError, ValueError) as error:
        raise key_corrupt("item_cache", key, str(error)) from None


class ItemCacheAgesKey(NamedTuple):
    """Key of `item_cache_ages`: bytes of any length, ordered as the fields are; used_at descending."""

    collection: int
    used_at: int
    entry: bytes


def item_cache_ages_key(collection: int, used_at: int, entry: bytes) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_BI(collection, INT32_BIAS + ~used_at) + escape(entry)
    except (AttributeError, StructError, TypeError):
        raise key_range_error(
            "item_cache_ages",
            (("collection", "uint8", collection), ("used_at", "int32", used_at), ("entry", "bytes", entry)),
        ) from None


def item_cache_ages_prefix_1(collection: int) -> bytes:
    """What the stored keys with this `collection` begin with. Raises RangeError."""
    try:
        return _PACK_B(collection)
    except (StructError, TypeError):
        raise key_range_error("item_cache_ages", (("collection", "uint8", collection),)) from None


def item_cache_ages_prefix_2(collection: int, used_at: int) -> bytes:
    """What the stored keys with this `used_at` begin with. Raises RangeError."""
    try:
        return _PACK_BI(collection, INT32_BIAS + ~used_at)
    except (StructError, TypeError):
        raise key_range_error(
            "item_cache_ages",
            (("collection", "uint8", collection), ("used_at", "int32", used_at)),
        ) from None


def item_cache_ages_key_fields(key: bytes) -> ItemCacheAgesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        collection, used_at = _TAKE_BI(key, 0)
        entry, end = unescape(key, 5)
        if end != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end}")
        return ItemCacheAgesKey(collection, INT32_BIAS + ~used_at, entry)
    except (StructError, ValueError) as error:
        raise key_corrupt("item_cache_ages", key, str(error)) from None


class StableIdsKey(NamedTuple):
    """Key of `stable_ids`: stored as the integer it is."""

    peer_id: PeerId


def stable_ids_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("stable_ids", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def stable_ids_key_fields(key: int) -> StableIdsKey:
    """The key's one field, by its name."""
    return StableIdsKey(PeerId(key))


class LocalIdsKey(NamedTuple):
    """Key of `local_ids`: 12 bytes, ordered as the fields are."""

    peer_id: PeerId
    namespace: MessageNamespace


def local_ids_key(peer_id: int, namespace: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QI(peer_id + INT64_BIAS, namespace + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "local_ids",
            (("peer_id", "int64", peer_id), ("namespace", "int32", namespace)),
        ) from None


def local_ids_prefix_1(peer_id: int) -> bytes:
    """What the stored keys with this `peer_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(peer_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("local_ids", (("peer_id", "int64", peer_id),)) from None


def local_ids_key_fields(key: bytes) -> LocalIdsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        peer_id, namespace = _UNPACK_QI(key)
        return LocalIdsKey(peer_id - INT64_BIAS, MessageNamespace(namespace - INT32_BIAS))
    except (StructError, ValueError) as error:
        raise key_corrupt("local_ids", key, str(error)) from None


class AccountKey(NamedTuple):
    """Key of `account`, which has at most one row: no bytes."""


def account_key() -> bytes:
    """The stored key of the one row."""
    return b""


def account_key_fields(key: bytes) -> AccountKey:
    """The empty key. Raises KeyCorrupt when there are bytes."""
    if key:
        raise key_corrupt("account", key, "the key of the only row has no bytes")
    return AccountKey()


class ChannelKey(NamedTuple):
    """Key of `channel`: stored as the integer it is."""

    peer_id: PeerId


def channel_key(peer_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(peer_id)
    except (StructError, TypeError):
        raise key_range_error("channel", (("peer_id", "int64", peer_id),)) from None
    return peer_id


def channel_key_fields(key: int) -> ChannelKey:
    """The key's one field, by its name."""
    return ChannelKey(PeerId(key))
