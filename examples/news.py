"""The adapter of the source `news`: posts of public channels, one JSON object a line, as rows.

A line is `{"message_id", "sender_id", "text", "date", "channel", "category"}`: `sender_id` is the channel's
id behind the prefix -100, `date` has a zone. A file whose name ends in `.gz` is unpacked while it is read.

Depends on: the generated `pillarbox_messenger`.  Never on: a box.

Law: one row a line, in the order of the file; a line that is no post ends with its number in the error.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final

import msgspec

from pillarbox.errors import DataError
from pillarbox_messenger.sources import NewsRow

#: What stands before the digits of a channel's id, as a number: -100 and ten digits and more.
_CHANNEL_PREFIX: Final = -1_000_000_000_000


class Post(msgspec.Struct, frozen=True, gc=False):
    """One line of the file."""

    message_id: int
    sender_id: Annotated[int, msgspec.Meta(lt=_CHANNEL_PREFIX)]
    text: str
    date: Annotated[datetime, msgspec.Meta(tz=True)]
    channel: str
    category: str | None = None


def rows(path: Path) -> Iterator[NewsRow]:
    """Every post of a file. Raises DataError, naming the line, for one that cannot be read."""
    decoder = msgspec.json.Decoder(Post)
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                post = decoder.decode(line)
            except msgspec.MsgspecError as error:
                raise DataError(f"{path}, line {number}: {error}; mend or remove the line") from error
            yield NewsRow(
                channel_id=_CHANNEL_PREFIX - post.sender_id,
                message_id=post.message_id,
                timestamp=int(post.date.timestamp()),
                channel=post.channel,
                category=post.category,
                text=post.text,
            )
