"""Following a server into a box: cursor and effects in one commit, gaps held and told."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import (
    PACKAGE,
    One,
    Operation,
    PutIssue,
    TrackerBox,
    issue,
    replay,
    stored_rows,
)
from tests.unit.runtime.tracker_tables import TrackerTransaction

from pillarbox.box import Box
from pillarbox.errors import UsageError
from pillarbox.storage import StoredKey
from pillarbox.sync import Around, Claim, Follower, Gap, Outcome, Poll, Position, UpdateProtocol

#: The rank that stands for a question.
ASKING = 1_000


class Update(NamedTuple):
    """Revision `end` of a project says what rank its issue 1 has.

    `size` below 0 makes no claim; a rank below 0 cannot be applied.
    """

    end: int
    rank: int = 0
    size: int = 1
    project: int = 0

    def claim(self) -> Claim | None:
        if self.size < 0:
            return None
        return Claim(t.CURSORS.id, self.project, 0, self.end - self.size, self.end)

    def emit(self, around: Around) -> list[Operation | Poll]:
        if self.rank < 0:
            raise ValueError("planted")
        if self.rank == ASKING:
            known = around.position(t.CURSORS.id, self.project)
            return [Poll(t.CURSORS.id, self.project, around.end if known is None else known[0])]
        return [PutIssue(issue(self.project, 1, self.rank))]


def position(tx: TrackerTransaction, cursor: int, key: StoredKey) -> Position:
    assert isinstance(key, int)
    row = tx.cursors.get(key)
    return None if row is None else (row.revision, row.comments)


def advance(tx: TrackerTransaction, cursor: int, key: StoredKey, parts: Mapping[int, int]) -> None:
    assert isinstance(key, int)
    row = tx.cursors.get(key)
    assert row is not None
    tx.cursors.put(row._replace(revision=parts.get(0, row.revision), comments=parts.get(1, row.comments)))


PROTOCOL = UpdateProtocol[TrackerTransaction, Update, Operation](
    claim=Update.claim, emit=Update.emit, replay=replay, position=position, advance=advance
)


@pytest.fixture
def box() -> Iterator[TrackerBox]:
    """A box whose cursor of project 0 stands at revision 1."""
    with Box(":memory:", PACKAGE) as opened:
        yield opened


@pytest.fixture
def follower(box: TrackerBox) -> Follower[TrackerTransaction, Update, Operation]:
    return Follower(box, PROTOCOL)


Following = Follower[TrackerTransaction, Update, Operation]


def cursors(box: TrackerBox) -> set[tuple[object, ...]]:
    return stored_rows(box)["cursors"]


def test_what_follows_is_applied_in_order_and_the_cursor_moves_with_it(
    box: TrackerBox, follower: Following
) -> None:
    outcome = follower.receive([Update(3, rank=30), Update(2, rank=20)])

    assert outcome == Outcome(applied=2, old=0, held=0, malformed=0, gaps=())
    assert box.get(One(0, 1)).issue == issue(0, 1, 30)
    assert cursors(box) == {(0, 3, 0)}


def test_what_an_update_asks_for_besides_is_handed_back(box: TrackerBox, follower: Following) -> None:
    outcome = follower.receive([Update(2, rank=ASKING), Update(3, rank=30)])

    assert outcome.asks == (Poll(t.CURSORS.id, 0, 1),)
    assert cursors(box) == {(0, 3, 0)}


def test_what_was_applied_before_is_old(box: TrackerBox, follower: Following) -> None:
    follower.receive([Update(2, rank=20)])

    outcome = follower.receive([Update(2, rank=99)])

    assert (outcome.applied, outcome.old) == (0, 1)
    assert box.get(One(0, 1)).issue == issue(0, 1, 20)


def test_what_lies_beyond_a_gap_waits_until_the_gap_is_filled(box: TrackerBox, follower: Following) -> None:
    beyond = follower.receive([Update(4, rank=40)])
    assert beyond.gaps == (Gap(t.CURSORS.id, 0, 0, have=1, next=3),)
    assert follower.held == (Update(4, rank=40),)
    assert box.get(One(0, 1)).issue is None

    outcome = follower.receive([Update(3, rank=30), Update(2, rank=20)])

    assert (outcome.applied, outcome.held, outcome.gaps) == (3, 0, ())
    assert box.get(One(0, 1)).issue == issue(0, 1, 40)
    assert cursors(box) == {(0, 4, 0)}


def test_an_unknown_cursor_holds_and_one_without_a_claim_is_applied(
    box: TrackerBox, follower: Following
) -> None:
    outcome = follower.receive([Update(2, project=5), Update(0, rank=7, size=-1, project=6)])

    assert outcome.gaps == (Gap(t.CURSORS.id, 5, 0, have=None, next=1),)
    assert (outcome.applied, outcome.held) == (1, 1)
    assert box.get(One(6, 1)).issue == issue(6, 1, 7)


def test_an_update_that_cannot_be_applied_moves_no_cursor_and_loses_none_that_waits(
    box: TrackerBox, follower: Following
) -> None:
    follower.receive([Update(4, rank=40)])
    before = stored_rows(box)

    with pytest.raises(ValueError, match="planted"):
        follower.receive([Update(2, rank=20), Update(3, rank=-1)])

    assert stored_rows(box) == before
    assert follower.held == (Update(4, rank=40),)
    follower.receive([Update(2, rank=20), Update(3, rank=30)])
    assert box.get(One(0, 1)).issue == issue(0, 1, 40)


def test_impossible_counters_are_dropped_and_told(
    follower: Following, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "pillarbox.sync"):
        outcome = follower.receive([Update(0, size=0)])

    assert outcome.malformed == 1
    assert "G-7: dropped an update with impossible counters: Update(end=0" in caplog.text


def test_only_so_many_wait_and_those_nearest_to_the_gap_stay(
    box: TrackerBox, caplog: pytest.LogCaptureFixture
) -> None:
    follower: Following = Follower(box, PROTOCOL, held_max=2)

    outcome = follower.receive([Update(6), Update(4), Update(5)])

    assert follower.held == (Update(4), Update(5))
    assert outcome.held == 2
    assert "dropped 1 held updates beyond the limit of 2" in caplog.text


def test_a_follower_that_could_hold_nothing_is_refused(box: TrackerBox) -> None:
    with pytest.raises(UsageError, match="held_max is 0"):
        Follower(box, PROTOCOL, held_max=0)


def test_what_waits_can_be_dropped(follower: Following) -> None:
    follower.receive([Update(4)])

    follower.drop_held()

    assert follower.held == ()


def test_a_callback_may_receive_and_nothing_that_waits_is_lost(box: TrackerBox, follower: Following) -> None:
    received: list[Outcome] = []

    def callback(emission: object) -> None:
        if len(received) == 1:
            received.append(follower.receive([Update(9)]))

    received.append(follower.receive([Update(7)]))
    with box.watch(One(0, 1)) as subscription:
        subscription.listen(callback)
        follower.receive([Update(2, rank=20), Update(5)])

    assert sorted(follower.held) == [Update(5), Update(7), Update(9)]
