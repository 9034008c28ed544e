"""Shards that count rows of one group of which no server has told: each says that its count is in doubt."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.property.mutants import Fault

from pillarbox.bulk import ShardBuilder, differences, merge
from pillarbox.bulk.merge import _Merger
from pillarbox.errors import DataError, RangeError, ShardsOverlap
from pillarbox.maintainers import AnchoredCountTable
from pillarbox_messenger import PACKAGE, open_box
from pillarbox_messenger.operations import AddMessages
from pillarbox_messenger.types import Message, MessageFlags, MessageNamespace, PeerNamespace, peer_id

CHAT = peer_id(PeerNamespace.USER, 5)


def added(number: int) -> AddMessages:
    """A message of the one chat, which is in one thread or another."""
    message = Message(
        peer_id=CHAT,
        namespace=MessageNamespace.CLOUD,
        timestamp=1_700_000_000 + number,
        id=number,
        stable_id=number,
        flags=MessageFlags.INCOMING,
        tags=number % 4,
        author_id=CHAT,
        thread_id=number % 2 or None,
        text="x",
    )
    return AddMessages(messages=(message,))


def shard(path: Path, numbers: range) -> Path:
    with ShardBuilder(PACKAGE, path) as builder:
        for number in numbers:
            builder.add(number, [added(number)])
        builder.finish()
    return path


@pytest.mark.parametrize("upward", [True, False])
def test_groups_that_two_shards_doubt_are_doubted_and_added_up(tmp_path: Path, upward: bool) -> None:
    shards = [shard(tmp_path / "1.box", range(1, 9)), shard(tmp_path / "2.box", range(9, 14))]
    with open_box(tmp_path / "replayed.box") as box:
        box.replay([added(number) for number in range(1, 14)])

    merge(PACKAGE, shards if upward else shards[::-1], tmp_path / "merged.box")

    assert differences(PACKAGE, tmp_path / "merged.box", tmp_path / "replayed.box") == []


def test_counts_that_are_too_great_together_are_told_by_their_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = [shard(tmp_path / "1.box", range(1, 3)), shard(tmp_path / "2.box", range(3, 5))]
    too_great = RangeError("a.count", 2**31, "an int32")
    monkeypatch.setattr(AnchoredCountTable, "together", Mock(side_effect=too_great))

    told = rf"a\.count of the row \w+\(peer_id={CHAT}, .* is 2147483648 with what .*2\.box adds"
    with pytest.raises(DataError, match=told):
        merge(PACKAGE, shards, tmp_path / "merged.box")


def test_an_index_of_doubts_that_is_taken_for_another_is_noticed(tmp_path: Path) -> None:
    fault = Fault("indexes of doubts are of one shard", _Merger, "__init__", "self._doubts.add(id_)", "pass")

    with fault.planted(), pytest.raises(ShardsOverlap, match="stale_by_tag"):
        test_groups_that_two_shards_doubt_are_doubted_and_added_up(tmp_path, True)
