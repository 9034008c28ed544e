"""What is asked for once it is seen where cursors and rows stand, and what has to be read for that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    HOLD_MS,
    A,
    Tables,
    U,
    body,
    channel,
    channel_at,
    protocol,
    push,
    rev,
    seq,
)

from pillarbox.storage import StoredKey
from pillarbox.sync.drafts import Reading
from pillarbox.sync.fold import Fold
from pillarbox.sync.protocol import Act, Around, Body, Poll, spread
from pillarbox.sync.signals import Load

#: A row that says whether somebody is a member.
MEMBER = (9, b"member")


def members() -> Tables:
    """A box whose channel 5 stands at 50, and the row."""
    tables = channel_at()
    tables.rows[MEMBER] = "yes"
    return tables


def told(key: StoredKey = 5) -> Callable[[Around], Sequence[Act]]:
    """Asks about an instance that has no position, or stands below 60."""

    def asks(around: Around) -> list[Act]:
        position = around.position(CHANNEL, key)
        return [Poll(CHANNEL, key)] if position is None or position[0] < 60 else []

    return asks


def joined(around: Around) -> list[Act]:
    """Asks about the channel if the row was not there."""
    return [] if around.row(MEMBER) else [Poll(CHANNEL, 5)]


def rig(tables: Tables) -> Rig:
    """One whose updates ask as `told` does."""
    spec = protocol()

    def emit(update: U, around: Around) -> list[Any]:
        return [update.name, *told()(around)]

    return Rig(tables, replace(spec, updates=replace(spec.updates, emit=emit))).start()


def loads(rig: Rig) -> int:
    """How often something was read for the queue since it began."""
    return sum(isinstance(output, Load) for output in rig.outputs)


@pytest.mark.parametrize(("position", "asked"), [(None, True), (50, True), (60, False)])
def test_an_update_sees_where_a_cursor_stands_that_it_is_not_about(position: int | None, asked: bool) -> None:
    """K-5: what no claim of the batch had read is read, and the batch is built again."""
    found = rig(channel_at(position)).receive(push(U("free")))

    assert found.tables.done == ["free"]
    assert bool(found.asked) is asked


def test_it_fails_when_what_was_not_read_passes_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: an instance that was not read looks like one without a position."""
    monkeypatch.setattr(Fold, "unread", Reading())

    assert rig(channel_at(60)).receive(push(U("free"))).asked != []


def test_what_is_read_already_is_not_read_twice() -> None:
    """An update that claims the counter has had it read."""
    one, other = rig(channel_at(60)), rig(channel_at(60))
    first = loads(one)

    one.receive(push(U("claims", channel(61))))
    other.receive(push(U("free")))

    assert loads(one) == first + 1
    assert loads(other) == first + 2


def test_a_hint_about_an_instance_that_is_there_already_asks_nothing() -> None:
    """K-3: nobody had read where it stands."""
    found = Rig(channel_at(60)).start().receive(push(U("free", acts=(Poll(CHANNEL, 5, 60),))))
    assert found.asked == []
    assert found.tables.debts == {}

    found.receive(push(U("again", acts=(Poll(CHANNEL, 5, 61),))))
    assert found.asked == [("difference", CHANNEL, 5, (60,))]


# ------------------------------------------------------------------------------------ rows that come along


@pytest.mark.parametrize("member", [False, True])
def test_a_row_that_comes_along_is_asked_about_as_it_stood_before(member: bool) -> None:
    """K-5: the batch itself writes the row."""
    found = Rig(members() if member else channel_at()).start()
    found.receive(push(U("free"), side=["+member"], brought=joined))

    assert found.tables.rows[MEMBER]
    assert bool(found.asked) is not member


def test_the_commit_that_writes_the_row_asks() -> None:
    """K-5, G-6: though the container itself waits at a gap, and only one update of it applies."""
    found = Rig(channel_at()).start()
    found.receive(push(U("late"), claim=seq(9), side=["+member"], brought=joined))
    assert found.tables.done == []
    assert found.asked == []

    found.receive(push(U("rev", rev(11)), U("later"), claim=seq(9), side=["+member"], brought=joined))

    assert found.tables.done == ["+member", "rev"]
    assert found.asked == [("difference", CHANNEL, 5, (50,))]


@pytest.mark.parametrize("member", [False, True])
def test_an_answer_asks_about_the_rows_that_it_brings(member: bool) -> None:
    """K-5, K-7: in a difference as in a push; there the cure is the recipe."""
    found = Rig(members() if member else channel_at()).start().receive(push(U("gap", rev(13)))).wait(HOLD_MS)
    brought = body(U("new"), side=["+member"], brought=joined)

    found.answer("difference", A(set={0: 13}, body=brought))

    assert found.tables.done == ["+member", "new"]
    cures = [debt.cure for debt in found.tables.debts.values()]
    assert cures == ([] if member else ["channel"])


def test_a_container_asks_once_its_updates_are_interpreted() -> None:
    """A-1: it sees the counter where they have moved it."""
    found = Rig(channel_at(59)).start().receive(push(U("new", channel(60)), asks=told()))
    assert found.asked == []

    found = Rig(channel_at(58)).start().receive(push(U("new", channel(59)), asks=told()))
    assert found.asked == [("difference", CHANNEL, 5, (59,))]


def test_what_cannot_be_asked_discards_a_push_and_is_left_out_of_an_answer() -> None:
    """A-9: as an update that cannot be interpreted."""

    def broken(_around: Around) -> Sequence[Act]:
        raise ValueError("a field is missing")

    found = Rig(channel_at()).start().receive(push(U("free"), asks=broken))
    assert found.tables.done == []
    assert [kind for kind, *_ in found.asked] == ["difference"]

    found.answer("difference", A(set={0: 11}, body=body(U("there"), asks=broken)))
    assert found.tables.done == ["there"]
    assert [log.rule for log in found.logs] == ["A-9", "A-9"]


def test_without_a_batch_all_of_a_body_comes_in_its_order() -> None:
    """D-6, 8.5: as recipes and pages of holes bring it; cursors stand as the tables say."""
    around = Around(position=lambda cursor, key: (50,) if (cursor, key) == (CHANNEL, 5) else None)
    found = spread(
        Body(("side",), (U("one"), U("two")), ("tail",), acts=(Poll(ACCOUNT),), brought=told(6), asks=told()),
        lambda update, seen: [update.name, seen.position(CHANNEL, 5)],
        around,
    )

    assert found == [
        "side",
        "one",
        (50,),
        "two",
        (50,),
        "tail",
        Poll(ACCOUNT),
        Poll(CHANNEL, 6),
        Poll(CHANNEL, 5),
    ]
