# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The rows of the schema 'tracker' as Spark sees them.

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
    DoubleType,
    IntegerType,
    LongType,
    MapType,
    ShortType,
    StringType,
    StructField,
    StructType,
)

_SCHEMA_HASH: Final = "514826db26ca"

#: A table as it is stored: encoded keys, whose order is key order, and encoded values.
STORED: Final = StructType([StructField("k", BinaryType(), False), StructField("v", BinaryType(), False)])
#: The same of a table whose key is one integer.
STORED_INT: Final = StructType([StructField("k", LongType(), False), StructField("v", BinaryType(), False)])

#: Values of `Link`.
_LINK: Final = StructType(
    [
        StructField("url", StringType(), False, {"number": 1}),
        StructField("title", StringType(), False, {"number": 2}),
        StructField("weight", DoubleType(), False, {"number": 4}),
    ]
)

#: Values of `Attachment`.
_ATTACHMENT: Final = StructType(
    [
        StructField(
            "Picture",
            StructType(
                [
                    StructField("file", LongType(), False, {"number": 1}),
                    StructField("width", IntegerType(), False, {"number": 2}),
                    StructField("height", IntegerType(), False, {"number": 3}),
                ],
            ),
            True,
            {"number": 1},
        ),
        StructField(
            "Document",
            StructType(
                [
                    StructField("file", LongType(), False, {"number": 1}),
                    StructField("name", StringType(), False, {"number": 2}),
                    StructField("digest", StringType(), True, {"number": 3}),
                ],
            ),
            True,
            {"number": 2},
        ),
        StructField(
            "Reference",
            StructType(
                [
                    StructField("project_id", LongType(), False, {"number": 1}),
                    StructField("number", IntegerType(), False, {"number": 2}),
                    StructField("links", ArrayType(_LINK, False), False, {"number": 3}),
                ],
            ),
            True,
            {"number": 3},
        ),
    ]
)

#: Values of `Change`.
_CHANGE: Final = StructType(
    [
        StructField(
            "Opened",
            StructType([StructField("title", StringType(), False, {"number": 1})]),
            True,
            {"number": 1},
        ),
        StructField(
            "Moved",
            StructType(
                [
                    StructField("was", ShortType(), False, {"number": 1}),
                    StructField("now", ShortType(), False, {"number": 2}),
                ],
            ),
            True,
            {"number": 2},
        ),
        StructField(
            "Relabelled",
            StructType(
                [
                    StructField("added", ArrayType(IntegerType(), False), False, {"number": 1}),
                    StructField("taken", ArrayType(IntegerType(), False), False, {"number": 2}),
                ],
            ),
            True,
            {"number": 3},
        ),
    ]
)

#: Rows of `issues`.
ISSUES: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("title", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("body", StringType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("state", ShortType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("priority", IntegerType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("flags", LongType(), False, {"number": 5, "schema_hash": _SCHEMA_HASH}),
        StructField("author_id", LongType(), False, {"number": 6, "schema_hash": _SCHEMA_HASH}),
        StructField("assignee_id", LongType(), True, {"number": 7, "schema_hash": _SCHEMA_HASH}),
        StructField(
            "labels",
            ArrayType(IntegerType(), False),
            False,
            {"number": 8, "schema_hash": _SCHEMA_HASH},
        ),
        StructField("milestone", ShortType(), True, {"number": 9, "schema_hash": _SCHEMA_HASH}),
        StructField("created_at", LongType(), False, {"number": 10, "schema_hash": _SCHEMA_HASH}),
        StructField("updated_at", LongType(), False, {"number": 11, "schema_hash": _SCHEMA_HASH}),
        StructField("comments", LongType(), False, {"number": 12, "schema_hash": _SCHEMA_HASH}),
        StructField("estimate", DoubleType(), True, {"number": 13, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `by_state`.
BY_STATE: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("state", ShortType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("updated_at", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `by_label`.
BY_LABEL: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("label", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("updated_at", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("title", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `by_priority`.
BY_PRIORITY: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("priority", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("created_at", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("state", ShortType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("late", BooleanType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("updated_at", LongType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `by_assignee`.
BY_ASSIGNEE: Final = StructType(
    [
        StructField("assignee_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("updated_at", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("project_id", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `by_flag`.
BY_FLAG: Final = StructType(
    [
        StructField("flag", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("project_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `board_cells`.
BOARD_CELLS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("column", ShortType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("label", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("loud", BooleanType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `state_counts`.
STATE_COUNTS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("state", ShortType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("issues", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("comments", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `label_counts`.
LABEL_COUNTS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("label", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("open", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("all", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `newest_active`.
NEWEST_ACTIVE: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("state", ShortType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("updated_at", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `front`.
FRONT: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("waiting", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("newest", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("any_late", BooleanType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("all_late", BooleanType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("oldest", LongType(), False, {"number": 5, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `comments`.
COMMENTS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("posted_at", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("comment", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("author_id", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("body", StringType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("edited_at", LongType(), True, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField(
            "attachments",
            ArrayType(_ATTACHMENT, False),
            False,
            {"number": 4, "schema_hash": _SCHEMA_HASH},
        ),
        StructField(
            "reactions",
            MapType(StringType(), IntegerType(), False),
            False,
            {"number": 5, "schema_hash": _SCHEMA_HASH},
        ),
    ]
)

#: Rows of `comment_ids`.
COMMENT_IDS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("comment", IntegerType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("posted_at", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("author_id", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `by_author`.
BY_AUTHOR: Final = StructType(
    [
        StructField("author_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("posted_at", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("project_id", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("comment", IntegerType(), False, {"key": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `latest_comment`.
LATEST_COMMENT: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("posted_at", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("comment", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("at", LongType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `watchers`.
WATCHERS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("user_id", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("since", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("muted_until", LongType(), True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("wants", ShortType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `watching`.
WATCHING: Final = StructType(
    [
        StructField("user_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("since", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("project_id", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `audit`.
AUDIT: Final = StructType(
    [
        StructField("entry", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("project_id", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("at", LongType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("what", _CHANGE, False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `audit_by_issue`.
AUDIT_BY_ISSUE: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("entry", LongType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `projects`.
PROJECTS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("name", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("slug", StringType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("owner_id", LongType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("board_limit", IntegerType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("archived", BooleanType(), False, {"number": 5, "schema_hash": _SCHEMA_HASH}),
        StructField("homepage", _LINK, True, {"number": 7, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `project_slugs`.
PROJECT_SLUGS: Final = StructType(
    [
        StructField("slug", StringType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("project_id", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `users`.
USERS: Final = StructType(
    [
        StructField("user_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("login", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("name", StringType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("email", StringType(), True, {"number": 3, "schema_hash": _SCHEMA_HASH}),
        StructField("role", ShortType(), False, {"number": 4, "schema_hash": _SCHEMA_HASH}),
        StructField("avatar", LongType(), True, {"number": 5, "schema_hash": _SCHEMA_HASH}),
        StructField("seen_at", LongType(), False, {"number": 6, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `users_by_login`.
USERS_BY_LOGIN: Final = StructType(
    [
        StructField("login", StringType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("user_id", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `users_by_name`.
USERS_BY_NAME: Final = StructType(
    [
        StructField("name", StringType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("user_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("avatar", LongType(), True, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `labels`.
LABELS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("label", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("name", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("colour", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `milestones`.
MILESTONES: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("milestone", ShortType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("title", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("due_at", LongType(), True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("done", BooleanType(), False, {"number": 3, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `milestones_due`.
MILESTONES_DUE: Final = StructType(
    [
        StructField("due_at", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("project_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("milestone", ShortType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `stars`.
STARS: Final = StructType(
    [
        StructField("user_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("project_id", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `star_counts`.
STAR_COUNTS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("stars", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `preferences`.
PREFERENCES: Final = StructType(
    [
        StructField("user_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("name", StringType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("value", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("raw", BinaryType(), True, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `notices`.
NOTICES: Final = StructType(
    [
        StructField("user_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("at", LongType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("digest", StringType(), False, {"key": 2, "schema_hash": _SCHEMA_HASH}),
        StructField("text", StringType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField(
            "counters",
            MapType(StringType(), IntegerType(), False),
            False,
            {"number": 2, "schema_hash": _SCHEMA_HASH},
        ),
    ]
)

#: Rows of `issue_numbers`.
ISSUE_NUMBERS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("next", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `comment_numbers`.
COMMENT_NUMBERS: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("number", IntegerType(), False, {"key": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("next", IntegerType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `audit_entries`.
AUDIT_ENTRIES: Final = StructType(
    [
        StructField("next", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `account`.
ACCOUNT: Final = StructType(
    [
        StructField("rev", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
        StructField("at", LongType(), False, {"number": 2, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of `project`.
PROJECT: Final = StructType(
    [
        StructField("project_id", LongType(), False, {"key": 0, "schema_hash": _SCHEMA_HASH}),
        StructField("rev", LongType(), False, {"number": 1, "schema_hash": _SCHEMA_HASH}),
    ]
)

#: Rows of every table, by its name.
TABLES: Final[dict[str, StructType]] = {
    "issues": ISSUES,
    "by_state": BY_STATE,
    "by_label": BY_LABEL,
    "by_priority": BY_PRIORITY,
    "by_assignee": BY_ASSIGNEE,
    "by_flag": BY_FLAG,
    "board_cells": BOARD_CELLS,
    "state_counts": STATE_COUNTS,
    "label_counts": LABEL_COUNTS,
    "newest_active": NEWEST_ACTIVE,
    "front": FRONT,
    "comments": COMMENTS,
    "comment_ids": COMMENT_IDS,
    "by_author": BY_AUTHOR,
    "latest_comment": LATEST_COMMENT,
    "watchers": WATCHERS,
    "watching": WATCHING,
    "audit": AUDIT,
    "audit_by_issue": AUDIT_BY_ISSUE,
    "projects": PROJECTS,
    "project_slugs": PROJECT_SLUGS,
    "users": USERS,
    "users_by_login": USERS_BY_LOGIN,
    "users_by_name": USERS_BY_NAME,
    "labels": LABELS,
    "milestones": MILESTONES,
    "milestones_due": MILESTONES_DUE,
    "stars": STARS,
    "star_counts": STAR_COUNTS,
    "preferences": PREFERENCES,
    "notices": NOTICES,
    "issue_numbers": ISSUE_NUMBERS,
    "comment_numbers": COMMENT_NUMBERS,
    "audit_entries": AUDIT_ENTRIES,
    "account": ACCOUNT,
    "project": PROJECT,
}
