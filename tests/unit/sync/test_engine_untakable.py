"""Answers that the store does not take, however often they come: what goes on meanwhile, and what waits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    A,
    Page,
    State,
    TooLong,
    U,
    body,
    channel,
    channel_at,
    push,
    rev,
)

from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.protocol import AnswerKind, ResetAsk
from pillarbox.sync.signals import Custom, Flush, Resync, SessionChanged, Untaken

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


def test_what_is_never_taken_is_told_and_so_is_who_waits_for_it() -> None:
    """A-11, Q10: at the third time in a row, until it is taken."""
    rig = refused().ask(3, Flush()).wait(100).answer("difference", UNTAKABLE).ask(4, Flush())
    assert (rig.machine.untaken, sorted(rig.settled)) == (None, [])

    rig.wait(200).answer("difference", UNTAKABLE).ask(5, Flush())

    untaken = Untaken("account", b"", "the operation cannot be done")
    assert rig.machine.untaken == untaken
    assert {ticket: it.error for ticket, it in rig.settled.items()} == {3: untaken, 4: untaken, 5: untaken}
    assert rig.machine.updating
    rig.wait(300).answer("difference", A(set={0: 11}, body=body(U("11", rev(11)), covered=((ACCOUNT, 0),))))
    assert rig.machine.untaken is None
    assert rig.ask(6, Flush()).answer("state", State((11, 5, 7, 0))).settled[6].error is None


def test_of_a_disk_that_is_full_nobody_says_that_it_takes_something_never() -> None:
    """A-11: it would have taken nothing else either."""
    rig = Rig(channel_at(50)).start().ask(1, Resync())
    for tries in range(1, 9):
        rig.answer("difference", UNTAKABLE, work=False).work_one()
        rig.work_one(failure="disk full")
        rig.wait(100 * tries)

    assert rig.machine.untaken is None
    assert rig.ask(3, Flush()).settled == {}


def test_a_flush_waits_until_it_is_taken() -> None:
    """Q10: the server has told what the box has not."""
    rig = refused().ask(3, Flush()).wait(100)
    assert rig.settled == {}

    rig.answer("difference", A(set={0: 11}, body=body(U("11", rev(11)), covered=((ACCOUNT, 0),))))
    rig.answer("state", State((11, 5, 7, 0)))

    assert rig.tables.done == ["11"]
    assert sorted(rig.settled) == [1, 3]


# ---------------------------------------------------------------------------------------------- recipes


def run(rig: Rig, name: str = "!") -> Rig:
    """The recipe brings what the store does not take, or this."""
    return rig.answer("state", State((10, 5, 7, 0))).answer("pages", Page((name,)))


def untaken(rig: Rig) -> Rig:
    """The recipe that was asked for was refused so often that it is told, and is run once more."""
    for tries in (1, 2, 3):
        run(rig).wait(100 * tries)
    assert rig.machine.untaken is not None
    return rig


def _refuse(rig: Rig) -> None:
    rig.refuse("state", "STOP")


def _move(rig: Rig) -> None:
    rig.tables.positions[ACCOUNT, b""] = (11, 5, 7, 0)
    run(rig, "good")


@pytest.mark.parametrize("end", [_refuse, _move])
def test_a_recipe_that_is_run_no_more_is_told_no_more(end: Callable[[Rig], None]) -> None:
    """A-11: nobody would take it back, and each flush would end with it."""
    rig = untaken(Rig(channel_at(50)).start().ask(1, Resync()).answer("difference", TooLong()))

    end(rig)
    rig.step(SessionChanged(rig.now))
    rig.work()
    while rig.waiting("difference"):
        rig.answer("difference", A(AnswerKind.EMPTY))

    assert rig.machine.untaken is None
    assert rig.ask(3, Flush()).answer("state", State((10, 5, 7, 0))).settled[3].error is None


def test_a_recipe_that_another_process_has_run_while_nothing_was_asked_is_told_no_more() -> None:
    """A-11, Q6."""
    rig = untaken(Rig(channel_at(50)).start().receive(push(U("it", acts=(ResetAsk("everything"),)))))
    run(rig).ask(1, Resync()).refuse("difference", "STOP")
    rig.tables.debts.clear()

    rig.step(SessionChanged(rig.now))
    rig.work()
    rig.answer("difference", A(AnswerKind.EMPTY))

    assert rig.machine.untaken is None
    assert rig.wait(60_000).sent == {}


def test_a_recipe_that_an_answer_has_run_while_it_rested_is_not_run_again() -> None:
    """A-11, D-6: the server would tell everything once more, and what came since would wait for that."""
    rig = Rig(channel_at(50)).start().ask(1, Resync()).answer("difference", TooLong()).ask(2, Resync())
    run(rig).ask(3, Flush())

    run(rig.answer("difference", TooLong()), "good")

    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]
    rig.answer("difference", A(AnswerKind.EMPTY)).answer("state", State((10, 5, 7, 0)))
    assert rig.wait(60_000).sent == {}
    assert rig.tables.done == ["good"]
    assert set(rig.settled) == {1, 2, 3}
