"""What a box forgets of an instance, nothing that was under way brings back; who begins anew asks anew."""

from __future__ import annotations

from tests.unit.sync.engine_rig import rig_at
from tests.unit.sync.engine_world import CHANNEL, COVERED, A, U, body, channel, push, rev

from pillarbox.sync.signals import Woken

LEFT = "-5"


def left() -> U:
    """An update of the account that says so."""
    return U("left", rev(11), acts=(LEFT,))


def test_what_a_batch_forgets_is_not_set_by_it() -> None:
    """C-6: whoever joins again begins anew."""
    rig = rig_at().receive(push(U("51", channel(51)), left()))

    assert rig.position(CHANNEL, 5) is None
    rig.receive(push(U("60", channel(60))))
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, None)]


def test_what_answers_a_question_about_what_was_forgotten_meanwhile_is_not_written() -> None:
    """D-2: it was not known when it was asked about either."""
    rig = rig_at(None).receive(push(U("52", channel(52)))).receive(push(left()))

    rig.answer("difference", A(set={0: 52}, body=body(U("of before", channel(52)), covered=COVERED)))

    assert rig.position(CHANNEL, 5) is None
    assert "of before" not in rig.tables.done
    assert (rig.tables.debts, rig.sent) == ({}, {})


def test_what_was_forgotten_and_is_owed_once_more_is_asked_about_once_more() -> None:
    """D-2, E-13."""
    rig = rig_at(None).receive(push(U("52", channel(52)))).receive(push(left()))
    rig.receive(push(U("60", channel(60))))

    rig.answer("difference", A(set={0: 52}, body=body(U("of before", channel(52)), covered=COVERED)))

    assert "of before" not in rig.tables.done
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, None)]
    rig.answer("difference", A(set={0: 60}))
    assert (rig.position(CHANNEL, 5), rig.tables.debts) == ((60,), {})


def test_what_the_answer_about_another_forgets_is_not_written_with_it() -> None:
    """A-7, D-2: the answers of a round are written one after the other."""
    rig = rig_at(None).receive(push(U("52", channel(52)), U("62", channel(62, key=6))))
    rig.answer("difference", A(set={0: 52}, body=body(U("left", acts=("-6",)), covered=COVERED)))

    rig.answer("difference", A(set={0: 62}, body=body(U("of before", channel(62, key=6)), covered=COVERED)))

    assert (rig.position(CHANNEL, 5), rig.position(CHANNEL, 6)) == ((52,), None)
    assert "of before" not in rig.tables.done
    assert (rig.tables.debts, rig.sent) == ({}, {})


def test_what_the_program_forgot_meanwhile_is_not_written_either() -> None:
    """P-4: nobody is owed it."""
    rig = rig_at(None).receive(push(U("52", channel(52))))
    rig.tables.debts.clear()

    rig.answer("difference", A(set={0: 52}))

    assert rig.position(CHANNEL, 5) is None
    assert (rig.tables.debts, rig.sent) == ({}, {})


def test_what_the_program_forgot_and_is_owed_once_more_is_asked_about_once_more() -> None:
    """D-2, P-4: its debt is a new one."""
    rig = rig_at(None).receive(push(U("52", channel(52))))
    rig.tables.debts.clear()
    rig.receive(push(U("60", channel(60))))

    rig.answer("difference", A(set={0: 52}, body=body(U("of before", channel(52)), covered=COVERED)))

    assert "of before" not in rig.tables.done
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, None)]


def test_what_rests_and_was_forgotten_is_not_asked_about() -> None:
    """K-13: it is owed to nobody."""
    rig = rig_at().receive(push(U("x", channel(52))))
    for _ in range(4):
        rig.fail("difference").wait(1_000)
    assert list(rig.tables.debts) == [(CHANNEL, 5)]

    rig.tables.debts.clear()
    rig.step(Woken(rig.now))
    rig.work()

    assert rig.wait(60_000).waiting("difference") == []


def test_an_answer_may_say_that_an_instance_is_gone() -> None:
    """What a refusal cannot, which writes nothing: its rows go, and nobody is owed anything of it."""
    rig = rig_at().receive(push(U("x", channel(52))))

    rig.answer("difference", A(body=body(covered=COVERED, tail=(LEFT,))))

    assert rig.tables.done == [LEFT]
    assert (rig.position(CHANNEL, 5), rig.tables.debts) == (None, {})
    assert rig.wait(60_000).sent == {}
