"""A poll that is refused for good: what the engine says of that, who takes it back, and who hears of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import RESETS, A, State, TooLong, protocol
from tests.unit.sync.test_engine_polls import ASKED, polling

from pillarbox.sync.protocol import AnswerKind
from pillarbox.sync.signals import Asked, Flush, Refusal, Resync, SessionChanged


def test_a_refusal_that_says_stop_ends_the_poll_and_is_told() -> None:
    """Q6, D-4, section 12: nothing more is asked, so it is not updating, and says why."""
    rig = polling().refuse("difference", "STOP").wait(60_000)

    assert rig.sent == {}
    assert rig.machine.stopped == Refusal("STOP", ASKED)
    assert not rig.machine.updating
    assert rig.settled[1].error == "STOP"


def test_who_waits_where_it_has_stopped_is_told_why_and_nothing_is_asked() -> None:
    """Q10, Q6: also who began to wait before."""
    rig = polling().ask(2, Flush()).refuse("difference", "STOP").ask(3, Flush())

    assert rig.sent == {}
    assert rig.settled[2].error == rig.settled[3].error == Refusal("STOP", ASKED)


def state(rig: Rig) -> tuple[Refusal | None, bool]:
    """As a program sees it."""
    return rig.machine.stopped, rig.machine.updating


@pytest.mark.parametrize("again", [SessionChanged(0), Asked(0, 7, Resync())])
def test_a_new_session_or_a_resync_lets_it_go_on(again: SessionChanged | Asked) -> None:
    """Q5, Q6: the first answer takes the refusal back, and who waits hears what comes of that."""
    rig = polling().refuse("difference", "STOP")
    rig.step(again)
    rig.ask(2, Flush()).work()

    assert state(rig) == (Refusal("STOP", ASKED), False), "nobody has said anything else yet"
    rig.answer("difference", A(AnswerKind.SLICE, {0: 11}))
    assert state(rig) == (None, True)
    rig.answer("difference", A(AnswerKind.EMPTY)).answer("state", State((0,)))
    assert (rig.settled[2].error, rig.machine.updating) == (None, False)
    rig.ask(3, Flush()).answer("state", State((0,)))
    assert rig.settled[3].error is None


def test_a_long_silence_asks_and_until_that_is_answered_it_has_stopped() -> None:
    """Q6, G-20: a ban that ends is told to nobody, and one that stands is told once."""
    rig = polling().refuse("difference", "STOP")
    for _ in range(3):
        rig.wait(900_000)
        assert rig.waiting("difference") == [ASKED]
        assert state(rig) == (Refusal("STOP", ASKED), False)
        rig.refuse("difference", "STOP")
        assert state(rig) == (Refusal("STOP", ASKED), False)

    rig.wait(900_000).answer("difference", A(AnswerKind.EMPTY))

    assert state(rig) == (None, False)


def test_another_refusal_than_that_takes_it_back() -> None:
    """Q6: what follows on that is something else than to stop."""
    rig = polling().refuse("difference", "STOP").ask(2, Resync()).refuse("difference", "DONE")

    assert rig.machine.stopped is None


def test_it_has_not_stopped_while_another_question_waits() -> None:
    """Q6: asked for after what is refused was sent, as when somebody has signed in."""
    rig = polling()
    rig.step(Asked(rig.now, 2, Resync()))
    rig.refuse("difference", "STOP")

    assert rig.machine.stopped is None
    assert rig.waiting("difference") == [ASKED]
    rig.answer("difference", A(AnswerKind.EMPTY))
    assert (rig.settled[1].error, rig.settled[2].error) == (None, None)


def test_a_flush_whose_own_question_is_refused_so_has_stopped_it() -> None:
    """Q10, section 12: as where nothing is missing, and nobody else asks."""
    rig = Rig().start().ask(1, Flush()).refuse("state", "STOP")

    assert rig.settled[1].error == rig.machine.stopped == Refusal("STOP", ("state",))


def test_a_flush_whose_own_question_is_refused_otherwise_is_done() -> None:
    """Q10: errors of the round trip count as done."""
    rig = Rig().start().ask(1, Flush()).refuse("state", "ODD")

    assert (rig.settled[1].error, rig.machine.stopped) == (None, None)


@pytest.mark.parametrize("retry", [True, False])
def test_a_recipe_that_is_refused_so_has_stopped_it(retry: bool) -> None:
    """D-7, section 12: it would else be asked for ever, or given up for no reason that anybody sees."""
    spec = protocol(resets={**RESETS, "everything": replace(RESETS["everything"], retry=retry)})
    rig = Rig(spec=spec).start().ask(1, Resync()).answer("difference", TooLong())

    rig.refuse("state", "STOP").wait(60_000)

    assert rig.sent == {}
    assert rig.machine.stopped == Refusal("STOP", ("state",))
