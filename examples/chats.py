"""A chat of two for the examples beside this file: who they are, and one saying something.

Depends on: the generated `pillarbox_messenger`.  Never on: boxes.
"""

from __future__ import annotations

from typing import Final

from pillarbox_messenger.operations import AddMessages
from pillarbox_messenger.types import Message, MessageNamespace, PeerNamespace, peer_id

ADA: Final = peer_id(PeerNamespace.USER, 7)


def said(number: int, text: str) -> AddMessages:
    """What Ada says: message `number` of the chat with her."""
    message = Message(
        peer_id=ADA, namespace=MessageNamespace.CLOUD, timestamp=1_000 + number, id=number, text=text
    )
    return AddMessages((message,))
