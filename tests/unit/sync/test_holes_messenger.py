"""Histories of the messenger: the requests that the reference makes, and what it takes from pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.hole_drafts import Before, Look, Page
from pillarbox.sync.hole_notes import Notes
from pillarbox.sync.hole_specs import asking
from pillarbox.sync.signals import Stale
from pillarbox.views import Hole
from pillarbox_messenger import Box, open_box
from pillarbox_messenger.answers import HistoryPage
from pillarbox_messenger.holes import HOLES
from pillarbox_messenger.operations import (
    AddHole,
    AddMessages,
    CutHole,
    DeleteByGlobalIds,
    DeleteMessages,
    EditMessage,
    UpdatePeers,
)
from pillarbox_messenger.protocol import PROTOCOL
from pillarbox_messenger.requests import (
    GetHistory,
    GetRecentLocations,
    GetReplies,
    GetSavedHistory,
    GetUnreadMentions,
    GetUnreadPollVotes,
    GetUnreadReactions,
    Search,
)
from pillarbox_messenger.types import (
    ChannelData,
    ChannelVersion,
    Message,
    MessageId,
    MessageNamespace,
    PeerFlags,
    PeerId,
    PeerNamespace,
    Peers,
    TagFlags,
    peer_id,
)

SPEC = HOLES["history_holes"]
AUTHOR = Author(1, 1)
MAX = 2_147_483_647
CLOUD = MessageNamespace.CLOUD
USER = peer_id(PeerNamespace.USER, 7)
CHANNEL = peer_id(PeerNamespace.CHANNEL, 8)
LABEL = b"\x01heart"


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(":memory:") as box:
        yield box


def hole(
    start: int, end: int | None, *, peer: PeerId = USER, thread: int = 0, label: int = 0, tag: int = 0,
    count: int | None = 200, namespace: MessageNamespace = CLOUD,
) -> Hole:  # fmt: skip
    return Hole("history_holes", "message_holes", (peer, thread, namespace, label, tag), start, end, count)


def asked(box: Box, of: Hole) -> Any:
    return box.transact(lambda tx: SPEC.request(tx, asking(of, SPEC)))


@pytest.mark.parametrize(
    ("start", "end", "offset_id", "add_offset", "max_id", "min_id"),
    [
        (10, 90, 9, -100, 91, 9),
        (1, 90, 1, -100, 91, 0),
        (90, 10, 91, 0, 91, 9),
        (90, 1, 91, 0, 91, 0),
        (MAX - 1, 1, MAX, 0, MAX, 0),
        (MAX, 5, MAX, 0, MAX, 4),
        (50, None, 50, -50, MAX, 0),
    ],
)
def test_a_direction_becomes_these_numbers(
    box: Box, start: int, end: int | None, offset_id: int, add_offset: int, max_id: int, min_id: int
) -> None:
    """8.4: the table of directions; the limit is min(100, count). Both edges of the hole are asked for."""
    assert asked(box, hole(start, end)) == GetHistory(
        peer_id=USER, offset_id=offset_id, add_offset=add_offset, limit=100, max_id=max_id, min_id=min_id
    )


def test_fewer_are_asked_for_where_fewer_are_wanted(box: Box) -> None:
    """8.4."""
    request = asked(box, hole(50, None, count=30))

    assert (request.limit, request.add_offset) == (30, -15)


@pytest.mark.parametrize("where", [{"thread": 5}, {"tag": TagFlags.FILE}, {"tag": TagFlags.UNSEEN_MENTION}])
def test_a_page_of_anything_goes_down_to_the_first_message(box: Box, where: dict[str, Any]) -> None:
    """8.4: `min_id` itself is left out by the server."""
    assert asked(box, hole(90, 1, **where)).min_id == 0


@pytest.mark.parametrize(
    ("where", "request_type"),
    [
        ({}, GetHistory),
        ({"thread": 5}, GetReplies),
        ({"tag": TagFlags.UNSEEN_MENTION}, GetUnreadMentions),
        ({"tag": TagFlags.UNSEEN_REACTION}, GetUnreadReactions),
        ({"tag": TagFlags.UNSEEN_POLL_VOTE}, GetUnreadPollVotes),
        ({"tag": TagFlags.LIVE_LOCATION}, GetRecentLocations),
        ({"tag": TagFlags.PHOTO_OR_VIDEO}, Search),
        ({"tag": TagFlags.FILE}, Search),
        ({"tag": TagFlags.MUSIC}, Search),
        ({"tag": TagFlags.WEB_PAGE}, Search),
        ({"tag": TagFlags.GIF}, Search),
        ({"tag": TagFlags.PINNED, "thread": 5}, Search),
    ],
)
def test_a_space_has_its_method(box: Box, where: dict[str, Any], request_type: type[Any]) -> None:
    """8.4: the table of spaces."""
    request = asked(box, hole(90, 10, **where))

    assert type(request) is request_type
    if request_type is Search:
        assert (request.tag, request.thread_id) == (where["tag"], where.get("thread", 0))


def test_what_is_filed_under_a_label_is_searched_by_it(box: Box) -> None:
    """8.4: custom tag: search with the reaction, plus the regular filter if given."""
    box.replay([AddMessages(messages=(message(5, filed_under=(LABEL,)),))])
    with box.reading() as tables:
        row = tables.labels.get(LABEL)
    assert row is not None

    request = asked(box, hole(90, 10, label=row.number, tag=TagFlags.FILE))

    assert (type(request), request.label, request.tag) == (Search, LABEL, TagFlags.FILE)


def test_a_chat_of_saved_peers_is_asked_for_as_one(box: Box) -> None:
    """8.4: everywhere, sub-dialog of a monoforum."""
    peer = Peers(peer_id=CHANNEL, name="Us", flags=PeerFlags.MONOFORUM, data=ChannelData(created_at=1))
    box.replay([UpdatePeers(peers=(peer,))])

    assert type(asked(box, hole(90, 10, peer=CHANNEL, thread=5))) is GetSavedHistory


def test_what_no_server_has_is_not_asked_for(box: Box) -> None:
    """8.1: only messages of the cloud have holes that a server can fill."""
    assert asked(box, hole(90, 10, namespace=MessageNamespace.LOCAL)) is None


# --------------------------------------------------------------------------------------------- pages


def message(id: int, peer: PeerId = USER, **fields: Any) -> Message:
    given = {"text": str(id), "timestamp": 1_000 + id, "namespace": CLOUD, **fields}
    return Message(peer_id=peer, id=id, **given)


def page(*ids: int, pts: int | None = None, peer: PeerId = USER, **fields: Any) -> HistoryPage:
    return HistoryPage(messages=tuple(message(id, peer, **fields) for id in ids), peers=(), pts=pts)


def fill(box: Box, of: Hole, answer: HistoryPage, notes: Notes | None = None) -> Before:
    before = box.transact(lambda tx: Look(SPEC, of).apply(tx, PROTOCOL))
    box.transact(lambda tx: Page(SPEC, before, answer, notes or Notes(), AUTHOR).apply(tx, PROTOCOL))
    return before


def holes(box: Box, *, peer: PeerId = USER, thread: int = 0, label: int = 0, tag: int = 0) -> list[Any]:
    with box.reading() as tables:
        found = tables.message_holes.intersecting(peer, thread, CLOUD, label, tag, 0, MAX)
    return [(row.lower, row.upper) for row in found]


def stored(box: Box, peer: PeerId = USER) -> list[int]:
    with box.reading() as tables:
        return [row.id for row in tables.message.of_namespace(peer, CLOUD)]


@pytest.mark.parametrize(
    ("start", "end", "ids", "left"),
    [
        (MAX - 1, 1, (90, 80), [(1, 79)]),
        (MAX - 1, 1, (), []),
        (1, MAX - 1, (10, 20), [(21, MAX - 1)]),
        (50, None, (40, 60), [(1, 39), (61, MAX - 1)]),
        (50, None, (55, 60), [(1, 49), (61, MAX - 1)]),
        (50, None, (), []),
        (90, 80, (85,), [(1, 84), (91, MAX - 1)]),
        (90, 80, (), [(1, 79), (91, MAX - 1)]),
    ],
)
def test_a_page_leaves_these_holes(
    box: Box, start: int, end: int | None, ids: tuple[int, ...], left: list[tuple[int, int]]
) -> None:
    """8.5, E-15; S-1: a chat begins with one hole from 1 to MAX - 1."""
    fill(box, hole(start, end), page(*ids))

    assert holes(box) == left
    assert stored(box) == sorted(ids)


def test_what_is_known_of_all_is_known_of_each_tag(box: Box) -> None:
    """H-2: removing from everywhere removes from every tag; 8.5."""
    fill(box, hole(MAX - 1, 1), page(90, 80))

    assert holes(box, tag=TagFlags.PINNED) == [(1, 79)]


def test_a_tag_is_filled_for_itself(box: Box) -> None:
    """H-2, 8.5: only messages that have the tag prove anything."""
    answer = HistoryPage(messages=(message(90, tags=TagFlags.FILE), message(40)), peers=(), pts=None)

    fill(box, hole(MAX - 1, 1, tag=TagFlags.FILE), answer)

    assert holes(box, tag=TagFlags.FILE) == [(1, 89)]
    assert holes(box) == [(1, MAX - 1)]


def test_live_locations_are_always_whole(box: Box) -> None:
    """8.5: live location: the whole requested range."""
    fill(box, hole(MAX - 1, 1, tag=TagFlags.LIVE_LOCATION), page(90, tags=TagFlags.LIVE_LOCATION))

    assert holes(box, tag=TagFlags.LIVE_LOCATION) == []


@pytest.mark.parametrize(("rows", "left"), [(49, []), (50, [(1, 9), (60, MAX - 1)])])
def test_around_in_a_thread_a_short_page_is_all_there_is(box: Box, rows: int, left: list[Any]) -> None:
    """8.5: around, in a thread: if len(ids) <= limit/2 - 1: 1..MAX-1."""
    fill(box, hole(30, None, thread=5), page(*range(10, 10 + rows), thread_id=5))

    assert holes(box, thread=5) == left


def test_holes_that_touch_become_one_and_parts_of_them_stay(box: Box) -> None:
    """H-1, H-2: union with what overlaps or touches; a removal may split; a range inside is a no-op."""
    whole: dict[str, Any] = {"peer_id": USER, "thread_id": 0, "namespace": CLOUD, "label": 0, "tag": 0}
    box.replay([CutHole(**whole, lower=1, upper=MAX)])
    box.replay([AddHole(**whole, lower=10, upper=19), AddHole(**whole, lower=20, upper=30)])
    box.replay([AddHole(**whole, lower=12, upper=15)])
    touching = holes(box)
    box.replay([CutHole(**whole, lower=15, upper=25)])

    assert touching == [(10, 30)]
    assert holes(box) == [(10, 14), (26, 30)]


def test_what_is_looked_at_is_initialised(box: Box) -> None:
    """H-3, S-1, S-3: any access makes sure of the chat, and of the thread for itself."""
    fill(box, hole(MAX - 1, 1), page(90))

    assert holes(box, thread=5) == [(1, MAX - 1)]
    assert holes(box, peer=CHANNEL) == [(1, MAX - 1)]


# -------------------------------------------------------------------------------------------- changes


def noted(*operations: Any) -> Notes:
    notes = Notes()
    notes.add(SPEC, (USER, 0, CLOUD, 0, 0), operations, {})
    return notes


REF = MessageId(peer_id=USER, namespace=CLOUD, id=90)
OTHER = MessageId(peer_id=CHANNEL, namespace=CLOUD, id=90)


def test_a_message_deleted_meanwhile_stays_away(box: Box) -> None:
    """E-21."""
    fill(box, hole(MAX - 1, 1), page(90, 80), noted(DeleteMessages(ids=(REF,))))

    assert stored(box) == [80]
    assert holes(box) == [(1, 79)]


def test_what_is_deleted_elsewhere_is_no_matter(box: Box) -> None:
    """E-21."""
    fill(box, hole(MAX - 1, 1), page(90, 80), noted(DeleteMessages(ids=(OTHER,))))

    assert stored(box) == [80, 90]


@pytest.mark.parametrize(
    "operation",
    [DeleteByGlobalIds(ids=(90,)), EditMessage(message=message(90))],
    ids=lambda operation: type(operation).__name__,
)
def test_a_page_with_what_may_have_changed_is_asked_for_again(box: Box, operation: Any) -> None:
    """E-21: nothing of it is written."""
    with pytest.raises(Stale):
        fill(box, hole(MAX - 1, 1), page(90, 80), noted(operation))

    assert stored(box) == []
    assert holes(box) == [(1, MAX - 1)]


def test_a_channels_page_says_of_when_it_is(box: Box) -> None:
    """E-21, C-5: it is as new as what is stored, so nothing that was noted makes it older."""
    fill(
        box, hole(MAX - 1, 1, peer=CHANNEL), page(90, pts=5, peer=CHANNEL),
        noted(EditMessage(message=message(90))),
    )  # fmt: skip

    assert stored(box, CHANNEL) == [90]
    with box.reading() as tables:
        assert [row.attributes for row in tables.message.all()] == [(ChannelVersion(pts=5),)]
