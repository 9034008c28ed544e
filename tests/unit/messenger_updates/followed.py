"""A box that follows updates, and what of it is looked at.

Depends on: told, the generated `pillarbox_messenger`.  Never on: how an update becomes operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.unit.messenger_updates.told import ANN, AROUND, NEWS, SECRET, TEAM

from pillarbox.sync import Poll, Unhandled
from pillarbox_messenger import Box, open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import updates as u


@contextmanager
def known_chats() -> Iterator[Box]:
    """A user, a group, a channel, and a secret chat with the user."""
    with open_box(":memory:") as found:
        found.replay(
            [
                o.UpdatePeers(
                    (
                        t.Peers(peer_id=ANN, name="Ann", data=t.UserData()),
                        t.Peers(peer_id=TEAM, name="Team", data=t.GroupData(participants=2, version=3)),
                        t.Peers(peer_id=NEWS, name="News", data=t.ChannelData(created_at=1)),
                        t.Peers(peer_id=SECRET, name="Ann", data=t.UnknownData(), associated_id=ANN),
                    )
                )
            ]
        )
        yield found


def follow(box: Box, *updates: u.Update) -> tuple[Any, ...]:
    """Apply what the updates become; the events of it."""
    emitted = [one for update in updates for one in u.emit(update, AROUND)]
    return box.replay([one for one in emitted if not isinstance(one, Poll | Unhandled)]).events


def profile(box: Box, peer_id: t.PeerId) -> Any:
    with box.reading() as tables:
        found = tables.cached_peers.get(peer_id)
    return None if found is None else found.data


def known_as(box: Box, peer_id: t.PeerId) -> Any:
    with box.reading() as tables:
        return tables.peers.get(peer_id)
