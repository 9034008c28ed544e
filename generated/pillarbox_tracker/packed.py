# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The values of the packed tables of the schema 'tracker': a few scalars each."""

from __future__ import annotations

from typing import Final

from pillarbox.codec import Packed, PackedField

BY_LABEL: Final = Packed("by_label", (PackedField("title", "text"),))
BY_PRIORITY: Final = Packed(
    "by_priority",
    (PackedField("state", "uint8"), PackedField("late", "bool"), PackedField("updated_at", "int64")),
)
STATE_COUNTS: Final = Packed(
    "state_counts",
    (PackedField("issues", "int64"), PackedField("comments", "int64")),
)
LABEL_COUNTS: Final = Packed("label_counts", (PackedField("open", "int64"), PackedField("all", "int64")))
NEWEST_ACTIVE: Final = Packed(
    "newest_active",
    (PackedField("state", "uint8"), PackedField("updated_at", "int64"), PackedField("number", "int32")),
)
FRONT: Final = Packed(
    "front",
    (
        PackedField("waiting", "int64"),
        PackedField("newest", "int64"),
        PackedField("any_late", "bool"),
        PackedField("all_late", "bool"),
        PackedField("oldest", "int64"),
    ),
)
COMMENT_IDS: Final = Packed(
    "comment_ids",
    (PackedField("posted_at", "int64"), PackedField("author_id", "int64")),
)
LATEST_COMMENT: Final = Packed(
    "latest_comment",
    (PackedField("posted_at", "int64"), PackedField("comment", "int32"), PackedField("at", "int64")),
)
WATCHERS: Final = Packed(
    "watchers",
    (
        PackedField("since", "int64"),
        PackedField("muted_until", "int64", optional=True),
        PackedField("wants", "uint8", default=128),
    ),
)
PROJECT_SLUGS: Final = Packed("project_slugs", (PackedField("project_id", "int64"),))
USERS_BY_LOGIN: Final = Packed("users_by_login", (PackedField("user_id", "int64"),))
USERS_BY_NAME: Final = Packed("users_by_name", (PackedField("avatar", "int64", optional=True),))
LABELS: Final = Packed("labels", (PackedField("name", "text"), PackedField("colour", "uint32")))
STAR_COUNTS: Final = Packed("star_counts", (PackedField("stars", "int64"),))
PREFERENCES: Final = Packed(
    "preferences",
    (PackedField("value", "text"), PackedField("raw", "bytes", optional=True)),
)
ISSUE_NUMBERS: Final = Packed("issue_numbers", (PackedField("next", "int32"),))
COMMENT_NUMBERS: Final = Packed("comment_numbers", (PackedField("next", "int32"),))
AUDIT_ENTRIES: Final = Packed("audit_entries", (PackedField("next", "int64"),))
ACCOUNT: Final = Packed(
    "account",
    (PackedField("rev", "int64", default=0), PackedField("at", "int64", default=0)),
)
PROJECT: Final = Packed("project", (PackedField("rev", "int64", default=0),))
