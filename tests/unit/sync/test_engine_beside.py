"""What side machines write beside the queue may owe what a round pays for: which is first, and who waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from tests.property.mutants import Fault
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_wishes import Wish, show, wishing
from tests.unit.sync.engine_world import CHANNEL, COVERED, A, U, body, channel, channel_at, push, rev

from pillarbox.sync.protocol import AnswerKind, Poll
from pillarbox.sync.sides import Sides
from pillarbox.sync.signals import Load, RoleChanged, Stopped


def test_what_a_wish_owes_while_a_round_is_written_is_not_paid_by_it() -> None:
    """E-13: the answer is older than what the wish was told, whose commit is before that of the round."""
    rig = Rig(channel_at(), wishing(Poll(CHANNEL, 5))).start().receive(push(U("x", channel(52))))
    show(rig, Wish())
    rig.work()
    rig.push(push(U("11", rev(11))))
    found = body(U("52", channel(52)), covered=COVERED)
    rig.answer("difference", A(set={0: 52}, body=found), cursor=CHANNEL, work=False)
    rig.work_one()
    rig.work_one()
    rig.answer("wish", "done", work=False)

    rig.work()

    found = body(U("53", channel(53)), covered=COVERED)
    rig.answer("difference", A(set={0: 53}, body=found), cursor=CHANNEL)
    while rig.waiting("difference"):
        rig.answer("difference", A(AnswerKind.EMPTY))
    assert rig.tables.done == ["11", "52", "53"]
    assert rig.tables.debts == {}


def wishes_end(*entries: Any) -> Rig:
    """A round waits for commits of wishes; the others are answered meanwhile, each before the next commit."""
    wishes = [Wish(number, group=b"%d" % number) for number in range(1, 9)]
    rig = Rig(channel_at(), wishing(*entries, wishes=wishes)).start().receive(push(U("x", channel(52))))
    show(rig, *wishes)
    rig.work()
    found = body(U("52", channel(52)), covered=COVERED)
    rig.answer("wish", "done", work=False)
    rig.answer("difference", A(set={0: 52}, body=found), cursor=CHANNEL, work=False)
    while rig.waiting("wish"):
        rig.answer("wish", "done", work=False)
        rig.work_one()
    return rig


def test_a_round_does_not_wait_for_wishes_that_end_one_behind_the_other() -> None:
    """K-12, E-4: for what was being written when it was its turn, and nothing more."""
    rig = wishes_end("wished")

    assert rig.tables.done[:4] == ["wished", "wished", "wished", "52"]
    rig.work()
    assert rig.tables.done == rig.events == [*["wished"] * 3, "52", *["wished"] * 5]
    assert rig.machine.is_resting


def test_what_wishes_owe_that_end_while_a_round_waits_is_not_paid_by_it() -> None:
    """E-13: they are written behind it."""
    rig = wishes_end(Poll(CHANNEL, 5))
    rig.work()

    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    while rig.waiting("difference"):
        rig.answer("difference", A(AnswerKind.EMPTY))
    assert rig.tables.debts == {}


def test_what_a_side_machine_hears_of_last_is_told_though_a_round_waits() -> None:
    """E-9: what is committed is told, whatever ends then."""
    rig = Rig(channel_at(), wishing("wished")).start().receive(push(U("x", channel(52))))
    show(rig, Wish())
    rig.work()
    rig.answer("wish", "done", work=False)
    rig.answer("difference", A(set={0: 52}), cursor=CHANNEL, work=False)
    while rig.events == [] and rig.store and rig.tables.done == []:
        rig.work_one()

    rig.step(Stopped(rig.now))

    assert rig.events == rig.tables.done == ["wished"]


def test_a_round_does_not_wait_for_a_store_that_reads_again() -> None:
    """K-12: what side machines hear of meanwhile is kept, so there must not be any amount of it."""
    rig = Rig(channel_at(), wishing("wished")).start().receive(push(U("x", channel(52))))
    show(rig, Wish())
    rig.work()
    rig.answer("difference", A(set={0: 52}), cursor=CHANNEL, work=False)
    rig.answer("wish", "done", work=False)
    while not rig.tables.done:
        rig.work_one()
    assert list(map(type, rig.store)) == [Load]
    rig.work_one(failure="the disk is slow")

    rig.work()

    assert rig.position(CHANNEL, 5) == (52,)


def test_what_side_machines_hear_of_behind_a_round_comes_in_order() -> None:
    """P-3: what was shown to who was not the master then it has not seen."""
    assert sent_behind_a_round(False, True, Wish(2)) == [("wish", "a")]
    assert sent_behind_a_round(False, Wish(2), True) == []


def sent_behind_a_round(*told: bool | Wish) -> list[Any]:
    """What is sent once a round is over that waited, where roles came and wishes were shown meanwhile."""
    spec = wishing("wished", wishes=(Wish(), Wish(2)))
    rig = Rig(channel_at(), spec).start().receive(push(U("x", channel(52))))
    show(rig, Wish())
    rig.work()
    rig.answer("difference", A(set={0: 52}), cursor=CHANNEL, work=False)
    rig.answer("wish", "done", work=False)
    rig.work_one()
    assert rig.machine.beside.writes
    for one in told:
        if isinstance(one, Wish):
            show(rig, one)
        else:
            rig.step(RoleChanged(rig.now, one))
    rig.work()
    assert rig.tables.done == ["wished"]
    return rig.waiting("wish")


TESTS: Final[tuple[Callable[[], None], ...]] = (
    test_what_a_wish_owes_while_a_round_is_written_is_not_paid_by_it,
    test_a_round_does_not_wait_for_wishes_that_end_one_behind_the_other,
    test_what_wishes_owe_that_end_while_a_round_waits_is_not_paid_by_it,
    test_what_a_side_machine_hears_of_last_is_told_though_a_round_waits,
    test_what_side_machines_hear_of_behind_a_round_comes_in_order,
)
FAULTS: Final = (
    Fault("nothing is waited for", Sides, "_take", "self._writing.add(output.id)", "pass"),
    Fault("what is over is waited for", Sides, "own", "self._writing.discard(given.id)", "pass"),
    Fault("nothing is held", Sides, "own", "self._unheard is not None and not", "False and not"),
    Fault(
        "ends of commits are held too",
        Sides,
        "own",
        "and not isinstance(given, Committed | CommitFailed)",
        "",
    ),
    Fault("what was held is lost", Sides, "let_go", "self._unheard or (), None", "(), None"),
    Fault("what was held comes backwards", Sides, "let_go", "in unheard", "in reversed(unheard)"),
    Fault("what concerns all is not held", Sides, "all", "self._unheard is not None", "False"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted():
        assert any(map(_fails, TESTS)), f"{fault} lives"


def _fails(test: Callable[[], None]) -> bool:
    try:
        test()
    except (AssertionError, IndexError):
        return True
    return False
