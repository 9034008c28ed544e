# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The values of the packed tables of the schema 'messenger': a few scalars each."""

from __future__ import annotations

from typing import Final

from pillarbox.codec import Packed, PackedField

CHAT_TOP: Final = Packed(
    "chat_top",
    (
        PackedField("namespace", "int32"),
        PackedField("timestamp", "int32"),
        PackedField("id", "int32"),
        PackedField("author_id", "int64", optional=True),
        PackedField("flags", "uint32"),
        PackedField("text", "text"),
    ),
)
INCLUSIONS: Final = Packed(
    "inclusions",
    (PackedField("group_id", "int32", optional=True), PackedField("min_timestamp", "int32", optional=True)),
)
CHAT_PINS: Final = Packed("chat_pins", (PackedField("peer_id", "int64"),))
PIN_OF_CHAT: Final = Packed(
    "pin_of_chat",
    (PackedField("group_id", "int32"), PackedField("position", "int32")),
)
READ_STATES: Final = Packed(
    "read_states",
    (
        PackedField("read_in", "int32", default=0),
        PackedField("read_out", "int32", default=0),
        PackedField("known_to", "int32", default=0),
        PackedField("count", "int32", default=0),
        PackedField("marked", "bool", default=False),
    ),
)
UNREAD_CHATS: Final = Packed("unread_chats", (PackedField("count", "int32"),))
READ_TOTALS: Final = Packed("read_totals", (PackedField("count", "int64"), PackedField("marked", "int64")))
MESSAGE_IDS: Final = Packed(
    "message_ids",
    (PackedField("timestamp", "int32"), PackedField("incoming", "bool")),
)
TAG_COUNTS: Final = Packed("tag_counts", (PackedField("count", "int64"), PackedField("incoming", "int64")))
THREAD_MESSAGES: Final = Packed("thread_messages", (PackedField("incoming", "bool"),))
THREAD_TOP: Final = Packed(
    "thread_top",
    (PackedField("namespace", "int32"), PackedField("timestamp", "int32"), PackedField("id", "int32")),
)
THREADS_SUMMARY: Final = Packed(
    "threads_summary",
    (PackedField("shown", "int64"), PackedField("newest", "int32"), PackedField("oldest", "int32")),
)
PEER_COUNTS: Final = Packed("peer_counts", (PackedField("peers", "int64"), PackedField("contacts", "int64")))
PRESENCE: Final = Packed(
    "presence",
    (
        PackedField("status", "uint8"),
        PackedField("until", "int32", optional=True),
        PackedField("last_activity", "int32", default=0),
    ),
)
METADATA: Final = Packed(
    "metadata",
    (PackedField("number", "int64", optional=True), PackedField("data", "bytes", optional=True)),
)
PREFERENCES: Final = Packed("preferences", (PackedField("value", "bytes"),))
NOTICES: Final = Packed(
    "notices",
    (PackedField("value", "bytes"), PackedField("until", "int32", optional=True)),
)
COLLECTION_BY_ID: Final = Packed("collection_by_id", (PackedField("position", "int32"),))
ITEM_CACHE: Final = Packed("item_cache", (PackedField("value", "bytes"), PackedField("used_at", "int32")))
STABLE_IDS: Final = Packed("stable_ids", (PackedField("next", "uint32"),))
LOCAL_IDS: Final = Packed("local_ids", (PackedField("next", "int32"),))
ACCOUNT: Final = Packed(
    "account",
    (
        PackedField("pts", "int64", default=0),
        PackedField("qts", "int64", default=0),
        PackedField("seq", "int64", default=0),
        PackedField("date", "int64", default=0),
    ),
)
CHANNEL: Final = Packed("channel", (PackedField("pts", "int64", default=0),))
