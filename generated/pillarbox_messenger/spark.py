# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The rows of the schema 'messenger' as Spark sees them.

Unsigned integers are widened. Metadata tells which part of the key or which number a field is, and the schema
it is from. A union is a struct with a field per case, of which one is there; a record within itself stays
MessagePack.
"""

from __future__ import annotations

from typing import Final

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DecimalType,
    DoubleType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    StructField,
    StructType,
)

_SCHEMA_HASH: Final = "ee35c98f0108"

#: A table as it is stored: encoded keys, whose order is key order, and encoded values.
STORED: Final = StructType([StructField("k", BinaryType(), False), StructField("v", BinaryType(), False)])
#: The same of a table whose key is one integer.
STORED_INT: Final = StructType([StructField("k", LongType(), False), StructField("v", BinaryType(), False)])

#: Values of `TextEntity`.
_TEXT_ENTITY: Final = StructType(
    [
        StructField("start", IntegerType(), False, {"number": 1}),
        StructField("end", IntegerType(), False, {"number": 2}),
        StructField("kind", ShortType(), False, {"number": 3}),
        StructField("argument", StringType(), True, {"number": 4}),
        StructField("peer_id", LongType(), True, {"number": 5}),
        StructField("file_id", LongType(), True, {"number": 6}),
    ]
)

#: Values of `MessageId`.
_MESSAGE_ID: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"number": 1}),
        StructField("namespace", IntegerType(), False, {"number": 2}),
        StructField("id", IntegerType(), False, {"number": 3}),
    ]
)

#: Values of `Draft`.
_DRAFT: Final = StructType(
    [
        StructField("text", StringType(), False, {"number": 1}),
        StructField("entities", ArrayType(_TEXT_ENTITY, False), False, {"number": 2}),
        StructField("reply_to", _MESSAGE_ID, True, {"number": 3}),
        StructField("date", IntegerType(), False, {"number": 4}),
    ]
)

#: Values of `Forward`.
_FORWARD: Final = StructType(
    [
        StructField("author_id", LongType(), True, {"number": 1}),
        StructField("source_id", LongType(), True, {"number": 2}),
        StructField("source_message_id", IntegerType(), True, {"number": 3}),
        StructField("date", IntegerType(), False, {"number": 4}),
        StructField("signature", StringType(), True, {"number": 5}),
    ]
)

#: Values of `ReactionCount`.
_REACTION_COUNT: Final = StructType(
    [
        StructField("value", StringType(), False, {"number": 1}),
        StructField("count", IntegerType(), False, {"number": 2}),
        StructField("chosen", BooleanType(), False, {"number": 3}),
    ]
)

#: Values of `Attribute`.
_ATTRIBUTE: Final = StructType(
    [
        StructField(
            "Reply",
            StructType(
                [
                    StructField("to", _MESSAGE_ID, False, {"number": 1}),
                    StructField("quote", StringType(), True, {"number": 2}),
                    StructField("thread_id", LongType(), True, {"number": 3}),
                ],
            ),
            True,
            {"number": 1},
        ),
        StructField(
            "ReplyThread",
            StructType(
                [
                    StructField("count", IntegerType(), False, {"number": 1}),
                    StructField("latest_ids", ArrayType(LongType(), False), False, {"number": 2}),
                    StructField("read_in", IntegerType(), True, {"number": 3}),
                ],
            ),
            True,
            {"number": 2},
        ),
        StructField(
            "Reactions",
            StructType(
                [
                    StructField("counts", ArrayType(_REACTION_COUNT, False), False, {"number": 1}),
                    StructField("is_tags", BooleanType(), False, {"number": 2}),
                ],
            ),
            True,
            {"number": 3},
        ),
        StructField(
            "Views",
            StructType([StructField("count", IntegerType(), False, {"number": 1})]),
            True,
            {"number": 4},
        ),
        StructField(
            "Forwards",
            StructType([StructField("count", IntegerType(), False, {"number": 1})]),
            True,
            {"number": 5},
        ),
        StructField(
            "Edited",
            StructType(
                [
                    StructField("date", IntegerType(), False, {"number": 1}),
                    StructField("hidden", BooleanType(), False, {"number": 2}),
                ],
            ),
            True,
            {"number": 6},
        ),
        StructField(
            "ViaBot",
            StructType(
                [
                    StructField("peer_id", LongType(), True, {"number": 1}),
                    StructField("title", StringType(), True, {"number": 2}),
                ],
            ),
            True,
            {"number": 7},
        ),
        StructField(
            "AuthorSignature",
            StructType([StructField("signature", StringType(), False, {"number": 1})]),
            True,
            {"number": 8},
        ),
        StructField(
            "Autoremove",
            StructType(
                [
                    StructField("timeout", IntegerType(), False, {"number": 1}),
                    StructField("begins_at", IntegerType(), True, {"number": 2}),
                ],
            ),
            True,
            {"number": 9},
        ),
        StructField(
            "Mention",
            StructType(
                [
                    StructField("consumed", BooleanType(), False, {"number": 1}),
                    StructField("pending", BooleanType(), False, {"number": 2}),
                ],
            ),
            True,
            {"number": 10},
        ),
        StructField(
            "Outgoing",
            StructType(
                [
                    StructField("unique_id", LongType(), False, {"number": 1}),
                    StructField("acknowledged", BooleanType(), False, {"number": 2}),
                ],
            ),
            True,
            {"number": 11},
        ),
        StructField(
            "Category",
            StructType([StructField("name", StringType(), False, {"number": 1})]),
            True,
            {"number": 12},
        ),
    ]
)

#: Values of `PhotoSize`.
_PHOTO_SIZE: Final = StructType(
    [
        StructField("width", IntegerType(), False, {"number": 1}),
        StructField("height", IntegerType(), False, {"number": 2}),
        StructField("file_id", LongType(), False, {"number": 3}),
        StructField("bytes_size", IntegerType(), True, {"number": 4}),
    ]
)

#: Values of `PollOption`.
_POLL_OPTION: Final = StructType(
    [
        StructField("text", StringType(), False, {"number": 1}),
        StructField("data", BinaryType(), False, {"number": 2}),
        StructField("voters", IntegerType(), True, {"number": 3}),
    ]
)

#: Values of `Media`.
_MEDIA: Final = StructType(
    [
        StructField(
            "Photo",
            StructType(
                [
                    StructField("file_id", LongType(), False, {"number": 1}),
                    StructField("sizes", ArrayType(_PHOTO_SIZE, False), False, {"number": 2}),
                    StructField("spoiler", BooleanType(), False, {"number": 3}),
                ],
            ),
            True,
            {"number": 1},
        ),
        StructField(
            "Document",
            StructType(
                [
                    StructField("file_id", LongType(), False, {"number": 1}),
                    StructField("mime_type", StringType(), False, {"number": 2}),
                    StructField("size", LongType(), True, {"number": 3}),
                    StructField("name", StringType(), True, {"number": 4}),
                    StructField("duration", DoubleType(), True, {"number": 6}),
                    StructField("thumbnail", BinaryType(), True, {"number": 7}),
                ],
            ),
            True,
            {"number": 2},
        ),
        StructField(
            "WebPage",
            StructType(
                [
                    StructField("url", StringType(), False, {"number": 1}),
                    StructField("title", StringType(), True, {"number": 2}),
                    StructField("summary", StringType(), True, {"number": 3}),
                    StructField("photo_id", LongType(), True, {"number": 4}),
                ],
            ),
            True,
            {"number": 3},
        ),
        StructField(
            "GeoPoint",
            StructType(
                [
                    StructField("latitude", DoubleType(), False, {"number": 1}),
                    StructField("longitude", DoubleType(), False, {"number": 2}),
                    StructField("live_until", IntegerType(), True, {"number": 3}),
                ],
            ),
            True,
            {"number": 4},
        ),
        StructField(
            "ContactCard",
            StructType(
                [
                    StructField("first_name", StringType(), False, {"number": 1}),
                    StructField("last_name", StringType(), False, {"number": 2}),
                    StructField("phone", StringType(), False, {"number": 3}),
                    StructField("peer_id", LongType(), True, {"number": 4}),
                ],
            ),
            True,
            {"number": 5},
        ),
        StructField(
            "Poll",
            StructType(
                [
                    StructField("poll_id", LongType(), False, {"number": 1}),
                    StructField("question", StringType(), False, {"number": 2}),
                    StructField("options", ArrayType(_POLL_OPTION, False), False, {"number": 3}),
                    StructField("closed", BooleanType(), False, {"number": 4}),
                ],
            ),
            True,
            {"number": 6},
        ),
        StructField(
            "Call",
            StructType(
                [
                    StructField("duration", IntegerType(), True, {"number": 1}),
                    StructField("outcome", ShortType(), False, {"number": 2}),
                ],
            ),
            True,
            {"number": 7},
        ),
        StructField(
            "ServiceAction",
            StructType(
                [
                    StructField("kind", IntegerType(), False, {"number": 1}),
                    StructField("title", StringType(), True, {"number": 2}),
                    StructField("peer_ids", ArrayType(LongType(), False), False, {"number": 3}),
                ],
            ),
            True,
            {"number": 8},
        ),
        StructField("ExpiredMedia", StructType([]), True, {"number": 9}),
    ]
)

#: Values of `PeerSettings`.
_PEER_SETTINGS: Final = StructType(
    [
        StructField("muted_until", IntegerType(), True, {"number": 1}),
        StructField("sound", LongType(), True, {"number": 2}),
        StructField("previews", BooleanType(), False, {"number": 3}),
    ]
)

#: Values of `PeerData`.
_PEER_DATA: Final = StructType(
    [
        StructField(
            "UserData",
            StructType(
                [
                    StructField("first_name", StringType(), True, {"number": 1}),
                    StructField("last_name", StringType(), True, {"number": 2}),
                    StructField("phone", StringType(), True, {"number": 3}),
                    StructField("bot_placeholder", StringType(), True, {"number": 4}),
                ],
            ),
            True,
            {"number": 1},
        ),
        StructField(
            "GroupData",
            StructType(
                [
                    StructField("participants", IntegerType(), False, {"number": 1}),
                    StructField("migrated_to", LongType(), True, {"number": 2}),
                    StructField("version", IntegerType(), False, {"number": 3}),
                ],
            ),
            True,
            {"number": 2},
        ),
        StructField(
            "ChannelData",
            StructType(
                [
                    StructField("created_at", IntegerType(), False, {"number": 1}),
                    StructField("subscribers", IntegerType(), True, {"number": 2}),
                    StructField("linked_id", LongType(), True, {"number": 3}),
                ],
            ),
            True,
            {"number": 3},
        ),
        StructField(
            "SecretChatData",
            StructType(
                [
                    StructField("regular_peer_id", LongType(), False, {"number": 1}),
                    StructField("created_by_me", BooleanType(), False, {"number": 2}),
                    StructField("timeout", IntegerType(), True, {"number": 3}),
                ],
            ),
            True,
            {"number": 4},
        ),
    ]
)

#: Values of `CachedData`.
_CACHED_DATA: Final = StructType(
    [
        StructField(
            "CachedUser",
            StructType(
                [
                    StructField("about", StringType(), True, {"number": 1}),
                    StructField("common_groups", IntegerType(), False, {"number": 2}),
                    StructField("birthday", IntegerType(), True, {"number": 3}),
                ],
            ),
            True,
            {"number": 1},
        ),
        StructField(
            "CachedGroup",
            StructType(
                [
                    StructField("about", StringType(), True, {"number": 1}),
                    StructField("invitation", StringType(), True, {"number": 2}),
                    StructField("participant_ids", ArrayType(LongType(), False), False, {"number": 3}),
                ],
            ),
            True,
            {"number": 2},
        ),
        StructField(
            "CachedChannel",
            StructType(
                [
                    StructField("about", StringType(), True, {"number": 1}),
                    StructField("members", IntegerType(), True, {"number": 2}),
                    StructField("admins", IntegerType(), True, {"number": 3}),
                    StructField("slow_mode", IntegerType(), True, {"number": 4}),
                ],
            ),
            True,
            {"number": 3},
        ),
    ]
)

#: Rows of `chat_top`.
CHAT_TOP: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("author_id", LongType(), True, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("flags", LongType(), False, {"number": 5, "schema_hash": _SCHEMA_HASH}),
        StructField("text", StringType(), False, {"number": 6, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `chat_list`.
CHAT_LIST: Final = StructType(
    [
        StructField("timestamp", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `inclusions`.
INCLUSIONS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("group_id", IntegerType(), True, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("min_timestamp", IntegerType(), True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `chats_by_group`.
CHATS_BY_GROUP: Final = StructType(
    [
        StructField("group_id", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `chat_pins`.
CHAT_PINS: Final = StructType(
    [
        StructField("group_id", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("position", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `pin_of_chat`.
PIN_OF_CHAT: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("group_id", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("position", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `chat_interface`.
CHAT_INTERFACE: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("draft", _DRAFT, True, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("override_timestamp", IntegerType(), True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("scroll_to", _MESSAGE_ID, True, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `read_states`.
READ_STATES: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("read_in", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("read_out", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("known_to", IntegerType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("count", IntegerType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("marked", BooleanType(), False, {"number": 5, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `unread_chats`.
UNREAD_CHATS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("count", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `read_totals`.
READ_TOTALS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("count", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("marked", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `message`.
MESSAGE: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("stable_id", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("flags", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("tags", LongType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("global_tags", LongType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("local_tags", LongType(), False, {"number": 5, "schema_hash": _SCHEMA_HASH}),
        StructField("author_id", LongType(), True, {"number": 6, "schema_hash": _SCHEMA_HASH}),
        StructField("text", StringType(), False, {"number": 7, "schema_hash": _SCHEMA_HASH}),
        StructField("forward", _FORWARD, True, {"number": 8, "schema_hash": _SCHEMA_HASH}),
        StructField("grouping_key", LongType(), True, {"number": 9, "schema_hash": _SCHEMA_HASH}),
        StructField("thread_id", LongType(), True, {"number": 10, "schema_hash": _SCHEMA_HASH}),
        StructField("unique_id", LongType(), True, {"number": 11, "schema_hash": _SCHEMA_HASH}),
        StructField(
            "entities",
            ArrayType(_TEXT_ENTITY, False),
            False,
            {"number": 12, "schema_hash": _SCHEMA_HASH},
        ),
        StructField(
            "attributes",
            ArrayType(_ATTRIBUTE, False),
            False,
            {"number": 13, "schema_hash": _SCHEMA_HASH},
        ),
        StructField("media", ArrayType(_MEDIA, False), False, {"number": 14, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `message_ids`.
MESSAGE_IDS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("incoming", BooleanType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `message_by_global_id`.
MESSAGE_BY_GLOBAL_ID: Final = StructType(
    [
        StructField("id", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `message_by_unique_id`.
MESSAGE_BY_UNIQUE_ID: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("unique_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `unsent`.
UNSENT: Final = StructType(
    [
        StructField("namespace", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `failed`.
FAILED: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `message_tags`.
MESSAGE_TAGS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("tag", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `global_tags`.
GLOBAL_TAGS: Final = StructType(
    [
        StructField("tag", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `local_tags`.
LOCAL_TAGS: Final = StructType(
    [
        StructField("tag", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `tag_counts`.
TAG_COUNTS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("tag", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("count", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("incoming", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `thread_messages`.
THREAD_MESSAGES: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("thread_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("incoming", BooleanType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `thread_tags`.
THREAD_TAGS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("thread_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("tag", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"key": 5, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `threads`.
THREADS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("thread_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("title", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("created_at", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("author_id", LongType(), True, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("closed", BooleanType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("read_in", IntegerType(), False, {"number": 5, "schema_hash": _SCHEMA_HASH}),
        StructField("unread", IntegerType(), False, {"number": 6, "schema_hash": _SCHEMA_HASH}),
        StructField("settings", _PEER_SETTINGS, True, {"number": 7, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `thread_top`.
THREAD_TOP: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("thread_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("id", IntegerType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `thread_list`.
THREAD_LIST: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("timestamp", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("thread_id", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `threads_summary`.
THREADS_SUMMARY: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("shown", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("newest", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("oldest", IntegerType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `peers`.
PEERS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("name", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField(
            "usernames",
            ArrayType(StringType(), False),
            False,
            {"number": 2, "schema_hash": _SCHEMA_HASH},
        ),
        StructField("flags", DecimalType(20, 0), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("access_hash", LongType(), True, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField(
            "photo",
            ArrayType(_PHOTO_SIZE, False),
            False,
            {"number": 5, "schema_hash": _SCHEMA_HASH},
        ),
        StructField("data", _PEER_DATA, False, {"number": 6, "schema_hash": _SCHEMA_HASH}),
        StructField("associated_id", LongType(), True, {"number": 7, "schema_hash": _SCHEMA_HASH}),
        StructField("timeout_at", LongType(), True, {"number": 8, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `peer_usernames`.
PEER_USERNAMES: Final = StructType(
    [
        StructField("username", StringType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `contacts`.
CONTACTS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `contacts_by_name`.
CONTACTS_BY_NAME: Final = StructType(
    [
        StructField("name", StringType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `associated_peers`.
ASSOCIATED_PEERS: Final = StructType(
    [
        StructField("associated_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `peer_timeouts`.
PEER_TIMEOUTS: Final = StructType(
    [
        StructField("timeout_at", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `peer_counts`.
PEER_COUNTS: Final = StructType(
    [
        StructField("kind", ShortType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peers", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("contacts", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `cached_peers`.
CACHED_PEERS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("data", _CACHED_DATA, False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("fetched_at", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("pinned_message_id", _MESSAGE_ID, True, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `presence`.
PRESENCE: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("status", ShortType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("until", IntegerType(), True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("last_activity", IntegerType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `presence_until`.
PRESENCE_UNTIL: Final = StructType(
    [
        StructField("until", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("peer_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `notification_settings`.
NOTIFICATION_SETTINGS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("current", _PEER_SETTINGS, True, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("pending", _PEER_SETTINGS, True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `pending_settings`.
PENDING_SETTINGS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `metadata`.
METADATA: Final = StructType(
    [
        StructField("item", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("number", LongType(), True, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("data", BinaryType(), True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `preferences`.
PREFERENCES: Final = StructType(
    [
        StructField("item", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("value", BinaryType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `notices`.
NOTICES: Final = StructType(
    [
        StructField("namespace", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("notice", BinaryType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("value", BinaryType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("until", IntegerType(), True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `collection_infos`.
COLLECTION_INFOS: Final = StructType(
    [
        StructField("namespace", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("position", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("collection_id", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("title", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("short_name", StringType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("count", IntegerType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("hash", IntegerType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `collection_by_id`.
COLLECTION_BY_ID: Final = StructType(
    [
        StructField("namespace", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("collection_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("position", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `collection_items`.
COLLECTION_ITEMS: Final = StructType(
    [
        StructField("namespace", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("collection_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("position", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("item_id", LongType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("file", _MEDIA, False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField(
            "keywords",
            ArrayType(StringType(), False),
            False,
            {"number": 2, "schema_hash": _SCHEMA_HASH},
        ),
    ]
)

#: Rows of `collection_keywords`.
COLLECTION_KEYWORDS: Final = StructType(
    [
        StructField("namespace", IntegerType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("keyword", StringType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("collection_id", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("position", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("item_id", LongType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `item_cache`.
ITEM_CACHE: Final = StructType(
    [
        StructField("collection", ShortType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("entry", BinaryType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("value", BinaryType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("used_at", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `item_cache_ages`.
ITEM_CACHE_AGES: Final = StructType(
    [
        StructField("collection", ShortType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("used_at", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("entry", BinaryType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `stable_ids`.
STABLE_IDS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("next", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `local_ids`.
LOCAL_IDS: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("namespace", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("next", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `account`.
ACCOUNT: Final = StructType(
    [
        StructField("pts", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("qts", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("seq", LongType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("date", LongType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `channel`.
CHANNEL: Final = StructType(
    [
        StructField("peer_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("pts", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of every table, by its name.
TABLES: Final[dict[str, StructType]] = {
    "chat_top": CHAT_TOP,
    "chat_list": CHAT_LIST,
    "inclusions": INCLUSIONS,
    "chats_by_group": CHATS_BY_GROUP,
    "chat_pins": CHAT_PINS,
    "pin_of_chat": PIN_OF_CHAT,
    "chat_interface": CHAT_INTERFACE,
    "read_states": READ_STATES,
    "unread_chats": UNREAD_CHATS,
    "read_totals": READ_TOTALS,
    "message": MESSAGE,
    "message_ids": MESSAGE_IDS,
    "message_by_global_id": MESSAGE_BY_GLOBAL_ID,
    "message_by_unique_id": MESSAGE_BY_UNIQUE_ID,
    "unsent": UNSENT,
    "failed": FAILED,
    "message_tags": MESSAGE_TAGS,
    "global_tags": GLOBAL_TAGS,
    "local_tags": LOCAL_TAGS,
    "tag_counts": TAG_COUNTS,
    "thread_messages": THREAD_MESSAGES,
    "thread_tags": THREAD_TAGS,
    "threads": THREADS,
    "thread_top": THREAD_TOP,
    "thread_list": THREAD_LIST,
    "threads_summary": THREADS_SUMMARY,
    "peers": PEERS,
    "peer_usernames": PEER_USERNAMES,
    "contacts": CONTACTS,
    "contacts_by_name": CONTACTS_BY_NAME,
    "associated_peers": ASSOCIATED_PEERS,
    "peer_timeouts": PEER_TIMEOUTS,
    "peer_counts": PEER_COUNTS,
    "cached_peers": CACHED_PEERS,
    "presence": PRESENCE,
    "presence_until": PRESENCE_UNTIL,
    "notification_settings": NOTIFICATION_SETTINGS,
    "pending_settings": PENDING_SETTINGS,
    "metadata": METADATA,
    "preferences": PREFERENCES,
    "notices": NOTICES,
    "collection_infos": COLLECTION_INFOS,
    "collection_by_id": COLLECTION_BY_ID,
    "collection_items": COLLECTION_ITEMS,
    "collection_keywords": COLLECTION_KEYWORDS,
    "item_cache": ITEM_CACHE,
    "item_cache_ages": ITEM_CACHE_AGES,
    "stable_ids": STABLE_IDS,
    "local_ids": LOCAL_IDS,
    "account": ACCOUNT,
    "channel": CHANNEL,
}
