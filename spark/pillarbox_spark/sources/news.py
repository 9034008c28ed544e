"""The source `news`: posts of public channels, one JSON object a line.

A line is `{"message_id", "sender_id", "text", "date", "channel", "category"}`: `sender_id` is the channel's
id behind the prefix -100, `date` has a zone, `category` may be missing.

Depends on: json_lines, msgspec.  Never on: Spark, any generated package.

Law: a post is a row, and equal lines are equal rows.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from math import floor
from typing import Annotated, Final

import msgspec

from pillarbox_spark.adapters import Row
from pillarbox_spark.sources.json_lines import JsonLines

#: What stands before the digits of a channel's id, as a number: -100 and ten digits.
CHANNEL_PREFIX: Final = -1_000_000_000_000
#: Ids of channels that such a number has room for; below it other kinds of ids begin.
CHANNEL_ID_MAX: Final = 997_852_516_352


class Post(msgspec.Struct, frozen=True, gc=False):
    """One line."""

    message_id: Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
    sender_id: Annotated[int, msgspec.Meta(lt=CHANNEL_PREFIX, ge=CHANNEL_PREFIX - CHANNEL_ID_MAX)]
    text: str
    date: Annotated[datetime, msgspec.Meta(tz=True)]
    channel: str
    category: str | None = None


def row_of(post: Post, row: Callable[..., Row]) -> Row:
    """The row of a post."""
    return row(
        channel_id=CHANNEL_PREFIX - post.sender_id,
        message_id=post.message_id,
        timestamp=floor(post.date.timestamp()),
        channel=post.channel,
        category=post.category,
        text=post.text,
    )


ADAPTER: Final = JsonLines(Post, row_of)
