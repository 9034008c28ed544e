"""Peers, messages and chats of the messenger as its server says them, and what a box then misses."""

from __future__ import annotations

from typing import Any, Final

from pillarbox_messenger import box, types

ACCOUNT, CHANNEL, PEERS = 310, 13, 2
PTS, QTS, SEQ, DATE = 0, 1, 2, 3
TOP = 2_147_483_646


ANNA = types.peer_id(types.PeerNamespace.USER, 5)
OWN = types.peer_id(types.PeerNamespace.USER, 1)
GROUP = types.peer_id(types.PeerNamespace.GROUP, 7)
NEWS = types.peer_id(types.PeerNamespace.CHANNEL, 9)
SECRET = types.peer_id(types.PeerNamespace.SECRET_CHAT, 3)
USER = types.Peers(peer_id=ANNA, name="Anna", data=types.UserData())
CHAT = types.Peers(peer_id=GROUP, name="Group", data=types.GroupData(participants=2, version=1))


def chat(membership: str) -> types.Peers:
    """The channel, and what we are in it."""
    data = types.ChannelData(created_at=1, membership=types.Membership[membership.upper()])
    return types.Peers(peer_id=NEWS, name="News", data=data)


def message(peer_id: types.PeerId, id: int, **said: Any) -> types.Message:
    cloud = types.MessageNamespace.CLOUD
    return types.Message(peer_id=peer_id, namespace=cloud, timestamp=70, id=id, text="hello", **said)


def dialog(peer_id: types.PeerId, top: int, pts: int | None = None) -> types.Dialog:
    return types.Dialog(
        peer_id=peer_id, top_message=top, read_in=top, read_out=top, unread=0,
        mentions=0, reactions=0, votes=0, pts=pts,
    )  # fmt: skip


def holes(store: box.Box, peer_id: types.PeerId) -> list[tuple[int, int]]:
    """What may be missing of all messages of a chat."""
    with store.reading() as tables:
        group = (peer_id, 0, types.MessageNamespace.CLOUD, 0, 0)
        rows = [
            row
            for row in tables.message_holes.all()
            if (row.peer_id, row.thread_id, row.namespace, row.label, row.tag) == group
        ]
    return [(row.lower, row.upper) for row in rows]


STATE: Final[dict[str, Any]] = {"pts": 40, "qts": 6, "date": 70, "seq": 12}
