# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""What is imported into the schema 'messenger': rows of other formats, as operations."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pillarbox_messenger.operations import AddMessages, Operation, UpdatePeers
from pillarbox_messenger.types import (
    Category,
    ChannelData,
    Message,
    MessageNamespace,
    PeerNamespace,
    Peers,
    peer_id,
)


class ChitchatRow(Struct, frozen=True, array_like=True, gc=False):
    """One row of `chitchat`, as the adapter `examples.chitchat:rows` reads it.

    Conversations of two people; ids are made from theirs by the adapter.
    """

    conversation_id: int
    sender_id: int
    n: int
    timestamp: int
    text: str


def chitchat_operations(row: ChitchatRow) -> Iterator[Operation]:
    """What a row of `chitchat` does."""
    yield AddMessages(
        messages=(
            Message(
                peer_id=peer_id(PeerNamespace.GROUP, row.conversation_id),
                namespace=MessageNamespace.CLOUD,
                timestamp=row.timestamp,
                id=row.n,
                flags=4,
                author_id=peer_id(PeerNamespace.USER, row.sender_id),
                text=row.text,
            ),
        ),
    )


class NewsRow(Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """One row of `news`, as the adapter `examples.news:rows` reads it.

    Posts of public channels.
    """

    channel_id: int
    message_id: int
    timestamp: int
    channel: str
    category: str | None = None
    text: str


def news_operations(row: NewsRow) -> Iterator[Operation]:
    """What a row of `news` does."""
    yield UpdatePeers(
        peers=(
            Peers(
                peer_id=peer_id(PeerNamespace.CHANNEL, row.channel_id),
                name=row.channel,
                flags=512,
                data=ChannelData(created_at=0),
            ),
        ),
    )
    yield AddMessages(
        messages=(
            Message(
                peer_id=peer_id(PeerNamespace.CHANNEL, row.channel_id),
                namespace=MessageNamespace.CLOUD,
                timestamp=row.timestamp,
                id=row.message_id,
                flags=4,
                text=row.text,
                attributes=(Category(name=row.category),) if row.category is not None else (),
            ),
        ),
    )
