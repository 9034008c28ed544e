"""The job of chat exports: the box is the one that replaying in order makes, and the later export wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.sources.exports import DATA, EXPORTS, check, read

from pillarbox.box import Box
from pillarbox.bulk import differences
from pillarbox_messenger import views
from pillarbox_messenger.box import open_box
from pillarbox_messenger.jobs.telegram_export import JOB
from pillarbox_messenger.types import (
    AuthorSignature,
    Autoremove,
    Edited,
    Kept,
    LocalTime,
    Message,
    MessageId,
    MessageNamespace,
    PeerFlags,
    PeerId,
    PeerNamespace,
    Peers,
    ReactionCount,
    Reactions,
    Reply,
    UnknownData,
    UserData,
    ViaBot,
    peer_id,
)
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.report import Report

PIECES = Options(engine="inline", parquet=False, shard_bytes=4000, piece_bytes=1500, buckets=3)
CLOUD = MessageNamespace.CLOUD
BEN = peer_id(PeerNamespace.USER, 500000002)
CLUB = peer_id(PeerNamespace.CHANNEL, 1700000001)
EARLIER, LATER = DATA / "overlap_earlier.json", DATA / "overlap_later.json"


def ingested(inputs: Sequence[Path], folder: Path) -> tuple[Path, Report]:
    """Run the job in pieces; the box, and what came of it."""
    box = folder / "one.box"
    return box, run(JOB, inputs, folder / "out", replace(PIECES, into=box))


def message(box: Path, chat: PeerId, number: int) -> Message:
    with open_box(box) as opened:
        found = opened.get(views.Message(chat, CLOUD, number)).message
    assert found is not None
    return found


def peer(box: Path, who: PeerId) -> Peers:
    with open_box(box) as opened:
        found = opened.get(views.Peer(who)).peer
    assert found is not None
    return found


def test_a_box_of_all_these_exports_is_the_one_that_replaying_in_order_makes(tmp_path: Path) -> None:
    inputs = [DATA / name for name in EXPORTS]
    replayed = tmp_path / "replayed.box"
    with Box(replayed, JOB.package, durability="relaxed") as box:
        for path in inputs:
            for row in read(path).rows:
                box.replay([operation for emit in JOB.source.emits for operation in emit.make(row)])

    one, report = ingested(inputs, tmp_path)

    assert differences(JOB.package, replayed, one) == []
    assert report.shards > 2
    exports = [check(path) for path in inputs]
    assert report.read == sum(len(export.taken) for export in exports)
    assert report.written == sum(len(export.rows) for export in exports)
    assert sum(report.quarantined.values()) == sum(len(export.reasons) for export in exports)


@pytest.mark.parametrize(
    ("inputs", "text", "name"),
    [
        ([EARLIER, LATER], "second, after the edit", "Ben O."),
        ([LATER, EARLIER], "second, before the edit", "Ben Okafor"),
    ],
)
def test_the_later_of_two_overlapping_exports_wins(
    tmp_path: Path, inputs: list[Path], text: str, name: str
) -> None:
    box, report = ingested(inputs, tmp_path)

    assert message(box, BEN, 2).text == text
    assert peer(box, BEN).name == name
    assert report.tables["message"] == 4
    assert (report.read, report.quarantined) == (8, {})


@pytest.mark.parametrize(
    ("number", "attributes"),
    [
        (1, ()),
        (2, (Reply(MessageId(CLUB, CLOUD, 1)),)),
        (3, (Reply(MessageId(peer_id(PeerNamespace.CHANNEL, 1700000002), CLOUD, 9)),)),
        (5, (Edited(1_700_000_400),)),
        (7, (AuthorSignature("Editor"),)),
        (12, (ViaBot(title="@tide_bot"),)),
        (17, (Autoremove(10),)),
        (30, (Kept(b'{"location_information":null}'),)),
    ],
)
def test_what_a_message_is_besides_its_text_is_an_attribute(
    box_of_one_chat: Path, number: int, attributes: tuple[object, ...]
) -> None:
    assert message(box_of_one_chat, CLUB, number).attributes == attributes


@pytest.fixture(scope="module")
def box_of_one_chat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ingested([DATA / "one_chat.json"], tmp_path_factory.mktemp("one_chat"))[0]


def test_reactions_are_an_attribute(box_of_one_chat: Path) -> None:
    (reactions,) = message(box_of_one_chat, CLUB, 14).attributes

    assert isinstance(reactions, Reactions)
    assert reactions.counts[0] == ReactionCount("👍", 2)
    assert len(reactions.recent) == 2


def test_a_time_of_no_zone_is_marked(tmp_path: Path) -> None:
    box, _ = ingested([DATA / "old_dates.json"], tmp_path)

    assert message(box, BEN, 2).attributes == (Edited(1525177800), LocalTime())
    assert message(box, BEN, 6).attributes == ()


def test_an_author_does_not_take_from_a_chat_what_that_says_of_itself(tmp_path: Path) -> None:
    box, _ = ingested([DATA / "account.json"], tmp_path)

    tide = peer(box, peer_id(PeerNamespace.USER, 500000009))
    assert (tide.name, tide.flags, tide.export_type, tide.data) == (
        "Tide",
        PeerFlags.BOT,
        "bot_chat",
        UserData(),
    )
    gone = peer(box, peer_id(PeerNamespace.USER, 500000004))
    assert (gone.name, gone.flags) == ("", PeerFlags.DELETED)


def test_a_chat_of_an_unknown_kind_keeps_what_it_says(tmp_path: Path) -> None:
    box, _ = ingested([DATA / "unknown.json"], tmp_path)

    boat = peer(box, peer_id(PeerNamespace.UNKNOWN, 500000002))
    assert (boat.export_type, boat.export_kept, boat.data) == (
        "houseboat",
        b'{"anchor":{"weight":3}}',
        UnknownData(),
    )
