"""Lists of chats of the messenger: the requests that the reference makes, and what it takes from pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.hole_drafts import Look, Page
from pillarbox.sync.hole_notes import Notes
from pillarbox.sync.hole_specs import asking
from pillarbox.sync.signals import Stale
from pillarbox.views import Hole
from pillarbox_messenger import Box, open_box
from pillarbox_messenger.answers import Dialogs
from pillarbox_messenger.holes import HOLES
from pillarbox_messenger.operations import (
    ReadInbox,
)
from pillarbox_messenger.protocol import PROTOCOL
from pillarbox_messenger.requests import (
    GetDialogs,
)
from pillarbox_messenger.types import (
    Dialog,
    Message,
    MessageNamespace,
    PeerNamespace,
    Peers,
    UserData,
    peer_id,
)

CHATS = HOLES["chat_holes"]
TOP = (2_147_483_647, 2**63 - 1)
AUTHOR = Author(1, 1)
CLOUD = MessageNamespace.CLOUD


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(":memory:") as box:
        yield box


def chat_hole(start: tuple[int, int] = TOP, end: tuple[int, int] | None = (0, 0)) -> Hole:
    return Hole("chat_holes", "chat_list_holes", (0,), start, end, 100)


def chats(*ids: int, pinned: int = 0) -> Dialogs:
    """Chats with users that wrote at the times of their numbers."""
    peers = [peer_id(PeerNamespace.USER, id) for id in ids]
    return Dialogs(
        dialogs=tuple(
            Dialog(
                peer_id=peer, folder_id=0, top_message=id, read_in=0, read_out=0, unread=0, marked=False,
                mentions=0, reactions=0, votes=0, pinned=id == pinned,
            )
            for id, peer in zip(ids, peers, strict=True)
        ),
        messages=tuple(
            Message(peer_id=peer, namespace=CLOUD, timestamp=1_000 + id, id=id, text=str(id))
            for id, peer in zip(ids, peers, strict=True)
        ),
        chats=(),
        users=tuple(
            Peers(peer_id=peer, name=str(id), data=UserData()) for id, peer in zip(ids, peers, strict=True)
        ),
        presences=(),
    )  # fmt: skip


def list_holes(box: Box) -> list[int]:
    """The times up to which the list is not known."""
    with box.reading() as tables:
        return [row.upper_timestamp for row in tables.chat_list_holes.of_group(0)]


def fill_chats(box: Box, of: Hole, answer: Dialogs) -> Any:
    before = box.transact(lambda tx: Look(CHATS, of).apply(tx, PROTOCOL))
    box.transact(lambda tx: Page(CHATS, before, answer, Notes(), AUTHOR).apply(tx, PROTOCOL))
    return before.request


def test_a_list_of_chats_is_asked_for_from_above() -> None:
    """8.6: one fetch at a time, the highest first, 100 in a page; what vanishes is cancelled."""
    limits = CHATS.limits

    assert (limits.parallel, limits.page, limits.recycle_ms, CHATS.highest_first) == (1, 100, 0, True)


def test_what_was_read_meanwhile_is_not_unread_again(box: Box) -> None:
    """E-21: a page of chats says how far each is read, so what is older than a word on that is no good."""
    page = chats(9, 8)
    before = box.transact(lambda tx: Look(CHATS, chat_hole()).apply(tx, PROTOCOL))
    notes, read = Notes(), ReadInbox(peer_id=page.dialogs[0].peer_id, namespace=CLOUD, read_in=9)
    notes.add(CHATS, (0,), [read], {})
    box.replay([read])

    with pytest.raises(Stale):
        box.transact(lambda tx: Page(CHATS, before, page, notes, AUTHOR).apply(tx, PROTOCOL))


def test_a_page_of_chats_replaces_the_hole_by_its_lower_end(box: Box) -> None:
    """8.6."""
    request = fill_chats(box, chat_hole(), chats(*range(900, 800, -1)))

    assert request == GetDialogs(folder_id=0, below=None, below_date=None, limit=100)
    assert list_holes(box) == [1_801]
    with box.reading() as tables:
        [left] = tables.chat_list_holes.of_group(0)
    rest = chat_hole((left.upper_timestamp, left.upper_peer_id))
    assert fill_chats(box, rest, chats(7)).below_date == 1_802
    assert list_holes(box) == []


def test_a_pinned_chat_proves_nothing(box: Box) -> None:
    """8.6: it comes first whenever it was written to."""
    fill_chats(box, chat_hole(), chats(5, *range(900, 801, -1), pinned=5))

    assert list_holes(box) == [1_802]
    with box.reading() as tables:
        written = tables.message.of_namespace(peer_id(PeerNamespace.USER, 5), CLOUD)
    assert [row.id for row in written] == [5]


def test_upwards_no_server_is_asked_for_chats(box: Box) -> None:
    """8.6."""
    hole = chat_hole((10, 0), (20, 0))

    assert box.transact(lambda tx: CHATS.request(tx, asking(hole, CHATS))) is None
