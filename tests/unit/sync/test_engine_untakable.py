"""Answers that the store does not take, however often they come: what goes on meanwhile, and what waits."""

from __future__ import annotations

from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import ACCOUNT, A, State, U, body, channel, channel_at, push, rev

from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.signals import Custom, Flush, Resync

FREE = Custom(BatchDraft(operations=("custom",)))
#: No operation of it can be done.
UNTAKABLE = A(set={0: 11}, body=body(U("!11", rev(11)), covered=((ACCOUNT, 0),)))


def refused() -> Rig:
    """The account was asked about, and nothing of the answer could be written."""
    return Rig(channel_at(50)).start().ask(1, Resync()).answer("difference", UNTAKABLE)


def test_nothing_that_can_go_on_waits_for_an_answer_that_is_not_taken() -> None:
    """A-11, E-4: what was pushed of something else is applied, and the program has its turn."""
    rig = refused()

    rig.receive(push(U("free"), U("51", channel(51)))).ask(2, FREE).ask(3, Flush())

    assert rig.tables.done == ["51", "free", "custom"]
    assert rig.position() == (10, 5, 7, 0)
    assert rig.machine.updating
    assert 3 not in rig.settled


def test_it_is_asked_again_later_each_time_and_for_ever() -> None:
    """A-11, section 12: 0.1 s more each time, at most 5 s, from where the cursor stands."""
    rig = refused()
    waits = []
    for _ in range(60):
        before = rig.now
        while not rig.sent:
            rig.wait(1)
        assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]
        waits.append(rig.now - before)
        rig.answer("difference", UNTAKABLE)

    assert waits[:3] == [100, 200, 300]
    assert waits[-1] == 5_000


def test_a_flush_waits_until_it_is_taken() -> None:
    """Q10: the server has told what the box has not."""
    rig = refused().ask(3, Flush()).wait(100)
    assert rig.settled == {}

    rig.answer("difference", A(set={0: 11}, body=body(U("11", rev(11)), covered=((ACCOUNT, 0),))))
    rig.answer("state", State((11, 5, 7, 0)))

    assert rig.tables.done == ["11"]
    assert sorted(rig.settled) == [1, 3]
