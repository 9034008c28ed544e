# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""How keys and packed values of the schema 'messenger' lie in bytes, to be read.

The modules `keys` and `packed` do the same and are fast; tests hold the two together, and tools take stored
bytes apart with these. Nothing imports this module when a box is used.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from construct import (
    Byte,
    Computed,
    Const,
    Construct,
    ExprAdapter,
    ExprValidator,
    GreedyBytes,
    IfThenElse,
    Int8ub,
    Int8ul,
    Int32sl,
    Int32ub,
    Int32ul,
    Int64sb,
    Int64sl,
    Int64ub,
    Mapping,
    PascalString,
    Prefixed,
    Rebuild,
    Struct,
    Terminated,
    stream_read,
    stream_write,
)

from pillarbox_messenger.types import MessageNamespace, MetadataItem, PeerNamespace

if TYPE_CHECKING:
    _Base = Construct[bytes, bytes]
else:
    _Base = Construct


class _Ended(_Base):
    """Bytes in which 0x00 is written 0x00 0xFF, ended by 0x00 0x00; all inverted where the mask is 0xFF."""

    def __init__(self, mask: int) -> None:
        super().__init__()
        self.mask = mask

    def _parse(self, stream: Any, context: Any, path: Any) -> bytes:
        found = bytearray()
        while True:
            (byte,) = stream_read(stream, 1, path)
            if byte ^ self.mask == 0:
                (byte,) = stream_read(stream, 1, path)
                if byte ^ self.mask == 0:
                    return bytes(found)
                if byte ^ self.mask != 0xFF:
                    raise ValueError(f"0x00 0x{byte ^ self.mask:02x} is no escape")
                found.append(0)
            else:
                found.append(byte ^ self.mask)

    def _build(self, obj: bytes, stream: Any, context: Any, path: Any) -> Any:
        for byte in obj:
            stream_write(stream, bytes([byte ^ self.mask]), 1, path)
            if byte == 0:
                stream_write(stream, bytes([0xFF ^ self.mask]), 1, path)
        stream_write(stream, bytes([self.mask, self.mask]), 2, path)
        return obj


def _text(subcon: Construct[bytes, bytes]) -> Construct[str, str]:
    """Bytes that are UTF-8."""
    return ExprAdapter(subcon, lambda raw, _: raw.decode(), lambda text, _: text.encode())


def _signed(subcon: Construct[int, int], bits: int) -> Construct[int, int]:
    """A number with its sign bit flipped, so that negative ones come first."""
    bias = 1 << (bits - 1)
    return ExprAdapter(subcon, lambda raw, _: raw - bias, lambda number, _: number + bias)


def _falling(subcon: Construct[int, int], bits: int) -> Construct[int, int]:
    """A number counted down from the greatest, so that greater ones come first."""
    greatest = (1 << bits) - 1
    return ExprAdapter(subcon, lambda raw, _: greatest - raw, lambda number, _: greatest - number)


def _enum(subcon: Construct[int, int], enum: type[IntEnum]) -> Construct[Any, Any]:
    """A number that has a name."""
    return Mapping(subcon, {member: member.value for member in enum})


def _flags(count: int, present: Callable[[Any], list[bool]]) -> Construct[Any, Any]:
    """A byte of which each bit tells whether a field is written."""
    known = ExprValidator(Byte, lambda flags, _: flags < 1 << count)
    return Rebuild(known, lambda row: sum(there << bit for bit, there in enumerate(present(row))))


def _present(bit: int, subcon: Construct[Any, Any], default: object) -> Construct[Any, Any]:
    """A field that is written when it differs from its default, which a bit of the flags tells."""
    other = ExprValidator(subcon, lambda value, _: value != default)
    return IfThenElse(lambda row: row["_flags"] >> bit & 1, other, Computed(default))


_BOOL: Final = Mapping(Byte, {False: 0, True: 1})
_BOOL_FALLING: Final = Mapping(Byte, {False: 1, True: 0})

CHAT_TOP_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
CHAT_LIST_KEY: Final = Struct(
    "timestamp" / _signed(Int32ub, 32),
    "peer_id" / _signed(Int64ub, 64),
    Terminated,
)
INCLUSIONS_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
CHATS_BY_GROUP_KEY: Final = Struct(
    "group_id" / _signed(Int32ub, 32),
    "peer_id" / _signed(Int64ub, 64),
    Terminated,
)
CHAT_PINS_KEY: Final = Struct(
    "group_id" / _signed(Int32ub, 32),
    "position" / _signed(Int32ub, 32),
    Terminated,
)
PIN_OF_CHAT_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
CHAT_INTERFACE_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
READ_STATES_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    Terminated,
)
UNREAD_CHATS_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    Terminated,
)
READ_TOTALS_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
MESSAGE_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "timestamp" / _signed(Int32ub, 32),
    "id" / _signed(Int32ub, 32),
    Terminated,
)
MESSAGE_IDS_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "id" / _signed(Int32ub, 32),
    Terminated,
)
MESSAGE_BY_GLOBAL_ID_KEY: Final = Struct(
    "id" / _signed(Int32ub, 32),
    "peer_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "timestamp" / _signed(Int32ub, 32),
    Terminated,
)
MESSAGE_BY_UNIQUE_ID_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "unique_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "timestamp" / _signed(Int32ub, 32),
    "id" / _signed(Int32ub, 32),
    Terminated,
)
UNSENT_KEY: Final = Struct(
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "id" / _signed(Int32ub, 32),
    "peer_id" / _signed(Int64ub, 64),
    "timestamp" / _signed(Int32ub, 32),
    Terminated,
)
FAILED_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "id" / _signed(Int32ub, 32),
    "timestamp" / _signed(Int32ub, 32),
    Terminated,
)
MESSAGE_TAGS_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "tag" / Int32ub,
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "timestamp" / _signed(Int32ub, 32),
    "id" / _signed(Int32ub, 32),
    Terminated,
)
GLOBAL_TAGS_KEY: Final = Struct(
    "tag" / Int32ub,
    "timestamp" / _signed(Int32ub, 32),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "id" / _signed(Int32ub, 32),
    "peer_id" / _signed(Int64ub, 64),
    Terminated,
)
LOCAL_TAGS_KEY: Final = Struct(
    "tag" / Int32ub,
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "id" / _signed(Int32ub, 32),
    "peer_id" / _signed(Int64ub, 64),
    "timestamp" / _signed(Int32ub, 32),
    Terminated,
)
TAG_COUNTS_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "tag" / Int32ub,
    Terminated,
)
THREAD_MESSAGES_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "thread_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "timestamp" / _signed(Int32ub, 32),
    "id" / _signed(Int32ub, 32),
    Terminated,
)
THREAD_TAGS_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "thread_id" / _signed(Int64ub, 64),
    "tag" / Int32ub,
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    "timestamp" / _signed(Int32ub, 32),
    "id" / _signed(Int32ub, 32),
    Terminated,
)
THREADS_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "thread_id" / _signed(Int64ub, 64),
    Terminated,
)
THREAD_TOP_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "thread_id" / _signed(Int64ub, 64),
    Terminated,
)
THREAD_LIST_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "timestamp" / _signed(Int32ub, 32),
    "thread_id" / _signed(Int64ub, 64),
    Terminated,
)
THREADS_SUMMARY_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
PEERS_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
PEER_USERNAMES_KEY: Final = Struct(
    "username" / _text(_Ended(0)),
    "peer_id" / _signed(Int64ub, 64),
    Terminated,
)
CONTACTS_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
CONTACTS_BY_NAME_KEY: Final = Struct(
    "name" / _text(_Ended(0)),
    "peer_id" / _signed(Int64ub, 64),
    Terminated,
)
ASSOCIATED_PEERS_KEY: Final = Struct(
    "associated_id" / _signed(Int64ub, 64),
    "peer_id" / _signed(Int64ub, 64),
    Terminated,
)
PEER_TIMEOUTS_KEY: Final = Struct(
    "timeout_at" / Int32ub,
    "peer_id" / _signed(Int64ub, 64),
    Terminated,
)
PEER_COUNTS_KEY: Final = Struct(
    "kind" / _enum(Int8ub, PeerNamespace),
    Terminated,
)
CACHED_PEERS_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
PRESENCE_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
PRESENCE_UNTIL_KEY: Final = Struct(
    "until" / _signed(Int32ub, 32),
    "peer_id" / _signed(Int64ub, 64),
    Terminated,
)
NOTIFICATION_SETTINGS_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
PENDING_SETTINGS_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
METADATA_KEY: Final = Struct(
    "item" / _enum(_signed(Int32ub, 32), MetadataItem),
    Terminated,
)
PREFERENCES_KEY: Final = Struct(
    "item" / _signed(Int32ub, 32),
    Terminated,
)
NOTICES_KEY: Final = Struct(
    "namespace" / _signed(Int32ub, 32),
    "notice" / _Ended(0),
    Terminated,
)
COLLECTION_INFOS_KEY: Final = Struct(
    "namespace" / _signed(Int32ub, 32),
    "position" / _signed(Int32ub, 32),
    "collection_id" / _signed(Int64ub, 64),
    Terminated,
)
COLLECTION_BY_ID_KEY: Final = Struct(
    "namespace" / _signed(Int32ub, 32),
    "collection_id" / _signed(Int64ub, 64),
    Terminated,
)
COLLECTION_ITEMS_KEY: Final = Struct(
    "namespace" / _signed(Int32ub, 32),
    "collection_id" / _signed(Int64ub, 64),
    "position" / _signed(Int32ub, 32),
    "item_id" / _signed(Int64ub, 64),
    Terminated,
)
COLLECTION_KEYWORDS_KEY: Final = Struct(
    "namespace" / _signed(Int32ub, 32),
    "keyword" / _text(_Ended(0)),
    "collection_id" / _signed(Int64ub, 64),
    "position" / _signed(Int32ub, 32),
    "item_id" / _signed(Int64ub, 64),
    Terminated,
)
ITEM_CACHE_KEY: Final = Struct(
    "collection" / Int8ub,
    "entry" / _Ended(0),
    Terminated,
)
ITEM_CACHE_AGES_KEY: Final = Struct(
    "collection" / Int8ub,
    "used_at" / _signed(_falling(Int32ub, 32), 32),
    "entry" / _Ended(0),
    Terminated,
)
STABLE_IDS_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
LOCAL_IDS_KEY: Final = Struct(
    "peer_id" / _signed(Int64ub, 64),
    "namespace" / _enum(_signed(Int32ub, 32), MessageNamespace),
    Terminated,
)
ACCOUNT_KEY: Final = Struct(
    Terminated,
)
CHANNEL_KEY: Final = Struct(
    "peer_id" / Int64sb,
    Terminated,
)
CHAT_TOP_VALUE: Final = Struct(
    "_flags" / _flags(1, lambda row: [row["author_id"] is not None]),
    "namespace" / Int32sl,
    "timestamp" / Int32sl,
    "id" / Int32sl,
    "author_id" / _present(0, Int64sl, None),
    "flags" / Int32ul,
    "text" / PascalString(Int32ul, "utf8"),
    Terminated,
)
INCLUSIONS_VALUE: Final = Struct(
    "_flags" / _flags(2, lambda row: [row["group_id"] is not None, row["min_timestamp"] is not None]),
    "group_id" / _present(0, Int32sl, None),
    "min_timestamp" / _present(1, Int32sl, None),
    Terminated,
)
CHAT_PINS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "peer_id" / Int64sl,
    Terminated,
)
PIN_OF_CHAT_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "group_id" / Int32sl,
    "position" / Int32sl,
    Terminated,
)
READ_STATES_VALUE: Final = Struct(
    "_flags"
    / _flags(
        5,
        lambda row: [
            row["read_in"] != 0,
            row["read_out"] != 0,
            row["known_to"] != 0,
            row["count"] != 0,
            row["marked"],
        ],
    ),
    "read_in" / _present(0, Int32sl, 0),
    "read_out" / _present(1, Int32sl, 0),
    "known_to" / _present(2, Int32sl, 0),
    "count" / _present(3, Int32sl, 0),
    "marked" / _present(4, _BOOL, False),
    Terminated,
)
UNREAD_CHATS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "count" / Int32sl,
    Terminated,
)
READ_TOTALS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "count" / Int64sl,
    "marked" / Int64sl,
    Terminated,
)
MESSAGE_IDS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "timestamp" / Int32sl,
    "incoming" / _BOOL,
    Terminated,
)
TAG_COUNTS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "count" / Int64sl,
    "incoming" / Int64sl,
    Terminated,
)
THREAD_MESSAGES_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "incoming" / _BOOL,
    Terminated,
)
THREAD_TOP_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "namespace" / Int32sl,
    "timestamp" / Int32sl,
    "id" / Int32sl,
    Terminated,
)
THREADS_SUMMARY_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "shown" / Int64sl,
    "newest" / Int32sl,
    "oldest" / Int32sl,
    Terminated,
)
PEER_COUNTS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "peers" / Int64sl,
    "contacts" / Int64sl,
    Terminated,
)
PRESENCE_VALUE: Final = Struct(
    "_flags" / _flags(2, lambda row: [row["until"] is not None, row["last_activity"] != 0]),
    "status" / Int8ul,
    "until" / _present(0, Int32sl, None),
    "last_activity" / _present(1, Int32sl, 0),
    Terminated,
)
METADATA_VALUE: Final = Struct(
    "_flags" / _flags(2, lambda row: [row["number"] is not None, row["data"] is not None]),
    "number" / _present(0, Int64sl, None),
    "data" / _present(1, Prefixed(Int32ul, GreedyBytes), None),
    Terminated,
)
PREFERENCES_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "value" / Prefixed(Int32ul, GreedyBytes),
    Terminated,
)
NOTICES_VALUE: Final = Struct(
    "_flags" / _flags(1, lambda row: [row["until"] is not None]),
    "until" / _present(0, Int32sl, None),
    "value" / Prefixed(Int32ul, GreedyBytes),
    Terminated,
)
COLLECTION_BY_ID_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "position" / Int32sl,
    Terminated,
)
ITEM_CACHE_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "used_at" / Int32sl,
    "value" / Prefixed(Int32ul, GreedyBytes),
    Terminated,
)
STABLE_IDS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "next" / Int32ul,
    Terminated,
)
LOCAL_IDS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "next" / Int32sl,
    Terminated,
)
ACCOUNT_VALUE: Final = Struct(
    "_flags" / _flags(4, lambda row: [row["pts"] != 0, row["qts"] != 0, row["seq"] != 0, row["date"] != 0]),
    "pts" / _present(0, Int64sl, 0),
    "qts" / _present(1, Int64sl, 0),
    "seq" / _present(2, Int64sl, 0),
    "date" / _present(3, Int64sl, 0),
    Terminated,
)
CHANNEL_VALUE: Final = Struct(
    "_flags" / _flags(1, lambda row: [row["pts"] != 0]),
    "pts" / _present(0, Int64sl, 0),
    Terminated,
)
