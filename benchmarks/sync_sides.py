"""Two servers for the table of the sync engine: the tracker and the messenger, as their protocols say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pillarbox_messenger as messenger
import pillarbox_tracker as tracker
from pillarbox.box import Box
from pillarbox.sync import SyncProtocol
from pillarbox_messenger import answers as messenger_answers
from pillarbox_messenger import containers as messenger_containers
from pillarbox_messenger import protocol as messenger_protocol
from pillarbox_messenger import requests as messenger_requests
from pillarbox_messenger import updates as messenger_updates
from pillarbox_messenger.types import (
    Message,
    MessageFlags,
    MessageNamespace,
    NotificationSettings,
    PeerNamespace,
    Peers,
    PeerSettings,
    UserData,
    peer_id,
)
from pillarbox_tracker import answers as tracker_answers
from pillarbox_tracker import containers as tracker_containers
from pillarbox_tracker import protocol as tracker_protocol
from pillarbox_tracker import requests as tracker_requests
from pillarbox_tracker import updates as tracker_updates
from pillarbox_tracker.types import Comments, Issues, ProjectId, Projects, UserId

CHATS: Final = 50


@dataclass(frozen=True)
class Side:
    """One protocol, and what happens on its server."""

    name: str
    open_box: Callable[[Path], Box[Any, Any]]
    protocol: SyncProtocol
    #: Puts what updates speak of into a new box.
    prepare: Callable[[Any], None]
    #: The updates of a container, from a number on, and the container of them.
    updates: Callable[[int, int], Sequence[Any]]
    container: Callable[[Sequence[Any], int], Any]
    answer: Callable[[Any], Any]


def chat(number: int) -> Any:
    """One of as many chats as there are."""
    return peer_id(PeerNamespace.USER, 1 + number % CHATS)


def _message(number: int) -> Any:
    return messenger_updates.UpdateNewMessage(
        message=Message(
            peer_id=chat(number),
            namespace=MessageNamespace.CLOUD,
            timestamp=1_700_000_000 + number,
            id=number + 1,
            stable_id=0,
            flags=MessageFlags.INCOMING,
            author_id=chat(number),
            text="lorem ipsum dolor sit amet " * (1 + number % 4),
        ),
        pts=number + 1,
        pts_count=1,
    )


def _prepare_messenger(tx: Any) -> None:
    for number in range(CHATS):
        tx.peers.put(Peers(peer_id=chat(number), name=f"Peer {number}", data=UserData()))
        tx.notification_settings.put(NotificationSettings(chat(number), PeerSettings()))


def _answer_messenger(request: Any) -> Any:
    match request:
        case messenger_requests.GetState():
            return messenger_answers.State(pts=0, qts=0, date=0, seq=0, unread_count=0)
        case messenger_requests.GetDifference():
            return messenger_answers.DifferenceEmpty(date=0, seq=0)
    raise NotImplementedError(request)


def _comment(number: int) -> Any:
    project, comment = ProjectId(2), number + 1
    row = Comments(
        project_id=project,
        number=1 + number % CHATS,
        posted_at=comment,
        comment=comment,
        author_id=UserId(1),
        body="lorem ipsum dolor sit amet " * (1 + number % 4),
    )
    return tracker_updates.CommentsAdded(
        project_id=project, comments=(row,), authors=(), rev=comment, count=1
    )


def _prepare_tracker(tx: Any) -> None:
    tx.projects.put(Projects(ProjectId(2), "Roof", "roof", UserId(1)))
    for number in range(CHATS):
        tx.issues.put(
            Issues(
                project_id=ProjectId(2),
                number=1 + number,
                title="it leaks",
                author_id=UserId(1),
                created_at=0,
                updated_at=0,
            )
        )
    claim = _comment(0).claim()
    tracker_protocol.PROTOCOL.advance(tx, claim.cursor, claim.key, {claim.part: 0})


def _answer_tracker(request: Any) -> Any:
    match request:
        case tracker_requests.GetStanding():
            return tracker_answers.Standing(rev=0, seq=0, at=0)
        case tracker_requests.GetChanges():
            return tracker_answers.Unchanged(seq=0, at=0)
        case tracker_requests.ConfirmKept():
            return tracker_containers.Done(rev=0, count=0)
    raise NotImplementedError(request)


TRACKER: Final = Side(
    name="tracker",
    open_box=lambda path: tracker.open_box(path, durability="relaxed"),
    protocol=tracker_protocol.PROTOCOL,
    prepare=_prepare_tracker,
    updates=lambda start, count: tuple(_comment(start + n) for n in range(count)),
    container=lambda updates, number: tracker_containers.Push(
        updates=tuple(updates), first=number, last=number, at=number
    ),
    answer=_answer_tracker,
)
MESSENGER: Final = Side(
    name="messenger",
    open_box=lambda path: messenger.open_box(path, durability="relaxed"),
    protocol=messenger_protocol.PROTOCOL,
    prepare=_prepare_messenger,
    updates=lambda start, count: tuple(_message(start + n) for n in range(count)),
    container=lambda updates, number: messenger_containers.Updates(
        updates=tuple(updates), date=1_700_000_000, seq=0
    ),
    answer=_answer_messenger,
)
