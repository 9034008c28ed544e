"""What a case of an update is: it goes in, and this comes out.

Depends on: the generated `pillarbox_messenger`.  Never on: how it comes about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pillarbox.sync import Around, Position
from pillarbox_messenger import types as t
from pillarbox_messenger import updates as u

CLOUD: Final = t.MessageNamespace.CLOUD
ANN: Final = t.peer_id(t.PeerNamespace.USER, 1)
BOB: Final = t.peer_id(t.PeerNamespace.USER, 2)
TEAM: Final = t.peer_id(t.PeerNamespace.GROUP, 4)
NEWS: Final = t.peer_id(t.PeerNamespace.CHANNEL, 5)
SECRET: Final = t.peer_id(t.PeerNamespace.SECRET_CHAT, 7)
#: When the container was sent, in seconds, and now, in milliseconds.
DATE: Final = 1_000
NOW: Final = 1_010_000
#: Where the channel stands within the batch, and where it stands when the update is applied.
CHANNEL_PTS: Final = 50
CLAIM_END: Final = 77
#: The ids of cursors.
ACCOUNT_CURSOR: Final = 310
CHANNEL_CURSOR: Final = 13


def position(cursor: int, _key: object) -> Position:
    return (CHANNEL_PTS, 0, 0) if cursor == CHANNEL_CURSOR else None


AROUND: Final = Around(date=DATE, now=NOW, end=CLAIM_END, position=position)
LATE: Final = Around(date=DATE, now=NOW + 60_000, end=CLAIM_END, position=position)
UNDATED: Final = Around(date=0, now=NOW, end=CLAIM_END, position=position)


@dataclass(frozen=True)
class Case:
    """An update and all that it becomes."""

    update: u.Update
    becomes: tuple[Any, ...]
    around: Around = AROUND

    def __str__(self) -> str:
        return type(self.update).__name__


def case(update: u.Update, *becomes: Any, around: Around = AROUND) -> Case:
    return Case(update, becomes, around)


def message(peer_id: t.PeerId = ANN, id_: int = 5, **given: Any) -> t.Message:
    namespace = given.pop("namespace", CLOUD)
    return t.Message(
        peer_id=peer_id, namespace=namespace, timestamp=900, id=id_, text=f"message {id_}", **given
    )


def cloud(peer_id: t.PeerId, id_: int) -> t.MessageId:
    return t.MessageId(peer_id, CLOUD, id_)
