"""Small stories of views: what is there, which view watches, what makes it tell, what leaves it silent.

Depends on: the generated `pillarbox_messenger`.  Never on: how views are kept.

Law: what touches a shown part is told once, with the parts that differ, and shows what a view that is opened
now shows; what touches a neighbour, or a field that is not shown, is told to nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from pillarbox.views import Emission, ViewKey
from pillarbox_messenger import Box, open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t

Operation: TypeAlias = Any

CLOUD: Final = t.MessageNamespace.CLOUD
LOCAL: Final = t.MessageNamespace.LOCAL
SCHEDULED: Final = t.MessageNamespace.SCHEDULED
INCOMING: Final = t.MessageFlags.INCOMING
ANN: Final = t.peer_id(t.PeerNamespace.USER, 1)
BOB: Final = t.peer_id(t.PeerNamespace.USER, 2)
EVE: Final = t.peer_id(t.PeerNamespace.USER, 3)
TEAM: Final = t.peer_id(t.PeerNamespace.GROUP, 4)
NEWS: Final = t.peer_id(t.PeerNamespace.CHANNEL, 5)
FORUM: Final = t.peer_id(t.PeerNamespace.CHANNEL, 6)
SECRET: Final = t.peer_id(t.PeerNamespace.SECRET_CHAT, 7)
LAST: Final = 2**31 - 2


@dataclass(frozen=True)
class Case:
    """One view with what is there before, and two kinds of changes.

    `parts` are the names of the parts that differ after `touch`. Each of `misses` is one commit.
    """

    key: ViewKey[Any]
    seed: Sequence[Operation]
    touch: Sequence[Operation]
    parts: str
    misses: Sequence[Operation]
    #: Whether what is opened later holds other values.
    held: bool = False

    def __str__(self) -> str:
        return f"{type(self.key).__name__}-{self.parts.replace(' ', '-')}"


def check(case: Case) -> None:
    """The misses are told to nobody, then the touch is told once."""
    emissions: list[Emission[Any]] = []
    with open_box(":memory:") as box:
        box.replay([*PEOPLE, *case.seed])
        with box.watch(case.key, every=True) as watching:
            watching.listen(emissions.append)
            for miss in case.misses:
                _silent(box, emissions, miss)
            before = emissions.pop().snapshot
            box.replay(case.touch)
            told = [" ".join(emission.parts) for emission in emissions]
            assert told == [case.parts], f"told were {told}, not {case.parts}"
            assert emissions[0].snapshot != before, "the same was told again"
            shown = emissions[0].snapshot
        assert case.held or box.get(case.key) == shown


def _silent(box: Box, emissions: list[Emission[Any]], miss: Operation) -> None:
    told = len(emissions)
    assert box.replay([miss]).changed, f"{miss} changed nothing, so it is no miss"
    assert len(emissions) == told, f"{miss} was told: {emissions[told:]}"


# ------------------------------------------------------------------------------------------------- builders


def peer(id_: t.PeerId, name: str, **fields: Any) -> t.Peers:
    return t.Peers(peer_id=id_, name=name, **{"data": t.UserData(), **fields})


def peers(*found: t.Peers) -> o.UpdatePeers:
    return o.UpdatePeers(found)


def rename(id_: t.PeerId, name: str = "Other") -> o.RenamePeer:
    return o.RenamePeer(id_, name, ())


def message(chat: t.PeerId, id_: int, **fields: Any) -> t.Message:
    """A message that came in at 1,000 seconds plus its id."""
    given = {
        "flags": INCOMING,
        "text": f"message {id_}",
        "namespace": CLOUD,
        "timestamp": 1_000 + id_,
        **fields,
    }
    return t.Message(peer_id=chat, id=id_, **given)


def add(*messages: t.Message) -> o.AddMessages:
    return o.AddMessages(messages)


def newest(*messages: t.Message) -> o.AddMessages:
    """Messages that leave nothing unknown behind them."""
    return o.AddMessages(messages, t.MessagePlace.NEWEST)


def delete(chat: t.PeerId, *ids: int) -> o.DeleteMessages:
    return o.DeleteMessages(tuple(t.MessageId(chat, CLOUD, id_) for id_ in ids))


def whole(chat: t.PeerId, thread: int = 0) -> o.CutHole:
    """Nothing of a chat or thread was left unfetched."""
    return o.CutHole(chat, thread, CLOUD, 0, 0, 1, LAST)


def presence(id_: t.PeerId, until: int = 50, **fields: Any) -> o.SetPresence:
    return o.SetPresence((t.Presence(id_, t.PresenceStatus.PRESENT, until, **fields),))


def muted(until: int | None = None) -> t.PeerSettings:
    return t.PeerSettings(mute=t.MuteState.MUTED, muted_until=until)


PEOPLE: Final = (
    o.UpdatePeers(
        (
            peer(ANN, "Ann"),
            peer(BOB, "Bob"),
            peer(EVE, "Eve"),
            peer(TEAM, "Team", data=t.GroupData(participants=3, version=1)),
            peer(NEWS, "News", data=t.ChannelData(1), flags=t.PeerFlags.BROADCAST),
            peer(FORUM, "Forum", data=t.ChannelData(1), flags=t.PeerFlags.FORUM),
            peer(
                SECRET,
                "Ann",
                data=t.SecretChatData(regular_peer_id=ANN, created_by_me=True),
                associated_id=ANN,
            ),
        )
    ),
)
