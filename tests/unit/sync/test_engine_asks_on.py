"""Answers that ask for what they answer: where nothing moves, that is asked after a while, or without end."""

from __future__ import annotations

from typing import Any

from tests.property.test_sync_resting import OTHER, SPEC
from tests.unit.sync.engine_rig import Rig, rig_at
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    COVERED,
    A,
    Page,
    State,
    Tables,
    TooLong,
    U,
    body,
    channel,
    channel_at,
    push,
)
from tests.unit.sync.test_engine_polls import polling

from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.protocol import Poll, ResetAsk
from pillarbox.sync.signals import Custom, Resync, Started

POLLS = body(U("again", acts=(Poll(ACCOUNT),)))
RECIPE = body(U("again", acts=(ResetAsk("everything"),)))
ITSELF = body(U("again", acts=(Poll(CHANNEL, 5),)), covered=COVERED)


def waited(rig: Rig) -> int:
    """How long it takes until something is asked."""
    before = rig.now
    while not rig.sent:
        rig.wait(1)
    return rig.now - before


def remade(rig: Rig, **page: Any) -> Rig:
    return rig.answer("state", State((10, 5, 7, 0))).answer("pages", Page(("page",), **page))


def owed() -> Rig:
    """Something of channel 5 is missing."""
    return rig_at().receive(push(U("lost", channel(52))))


def test_an_answer_that_asks_for_a_poll_and_leads_nowhere_is_followed_later_each_time() -> None:
    """Section 5, G-18: nothing else had its turn."""
    rig = polling().ask(2, Custom(BatchDraft(operations=("custom",))))
    waits = []
    for _ in range(3):
        rig.answer("difference", A(body=POLLS))
        waits.append(waited(rig))

    assert waits == [200, 400, 600]
    assert rig.tables.done == ["again", "custom", "again", "again"]
    assert rig.machine.updating


def test_an_answer_that_asks_for_a_poll_and_leads_on_is_followed_at_once() -> None:
    """G-18: there is more from there on."""
    rig = polling().answer("difference", A(set={0: 11}, body=POLLS))

    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 5, 7, 0))]


def test_an_answer_that_always_asks_for_a_reset_is_followed_later_each_time() -> None:
    """D-6, E-13: as where the server says each time that too much is missing."""
    rig = polling().ask(2, Custom(BatchDraft(operations=("custom",))))
    waits = []
    for _ in range(4):
        remade(rig.answer("difference", A(body=RECIPE)))
        waits.append(waited(rig))

    assert waits == [0, 100, 200, 300]
    assert rig.tables.done[:5] == ["again", "page", "again", "page", "custom"]
    remade(rig.answer("difference", A()).ask(3, Resync()).answer("difference", A(body=RECIPE)))
    assert waited(rig) == 0, "one of them asked for none"


def test_a_reset_that_asks_for_itself_is_run_again_after_a_while() -> None:
    """D-6, E-13: it stays owed."""
    rig = polling().answer("difference", TooLong())
    for _ in range(3):
        remade(rig, acts=(ResetAsk("everything"),)).answer("difference", A())
        assert list(rig.tables.debts) == [(ACCOUNT, b"everything")]
        assert waited(rig) == 5_000
        assert rig.waiting("state") == [("state",)]

    remade(rig).answer("difference", A())

    assert rig.tables.debts == {}
    assert rig.wait(60_000).sent == {}


def test_an_answer_that_owes_its_own_instance_and_leads_nowhere_is_followed_after_a_while() -> None:
    """K-8, K-13: what is missing stays owed."""
    rig = owed().answer("difference", A(set={0: 52}, body=ITSELF))
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (52,))], "it led on"
    for _ in range(3):
        rig.answer("difference", A(set={0: 52}, body=ITSELF))
        assert list(rig.tables.debts) == [(CHANNEL, 5)]
        assert waited(rig) == 5_000

    rig.answer("difference", A(set={0: 52}))

    assert rig.tables.debts == {}
    assert rig.wait(60_000).sent == {}


def test_what_such_an_answer_owes_is_what_is_asked_then() -> None:
    """K-7: a recipe, though what was owed before was none."""
    ask = U("anew", acts=(ResetAsk("channel", 5),))
    rig = owed().answer("difference", A(set={0: 50}, body=body(ask, covered=COVERED)))

    assert waited(rig) == 5_000

    assert rig.waiting("pages") == [("pages", 5, 0)]


def test_a_recipe_of_an_instance_that_owes_it_again_is_run_again_after_a_while() -> None:
    """K-13, D-6."""
    rig = owed()
    for _ in range(3):
        rig.answer("difference", TooLong()).answer("pages", Page(("page",), at=52, acts=(Poll(CHANNEL, 5),)))
        assert list(rig.tables.debts) == [(CHANNEL, 5)]
        assert waited(rig) == 5_000

    rig.answer("difference", A(set={0: 52}))

    assert rig.tables.debts == {}
    assert rig.wait(60_000).sent == {}


def test_what_the_recipe_of_an_instance_owes_of_another_is_asked_at_once() -> None:
    """K-13: nobody has asked for that."""
    rig = Rig(channel_at()).start().receive(push(U("lost", channel(52)))).answer("difference", TooLong())

    rig.answer("pages", Page(("page",), at=52, acts=(Poll(CHANNEL, 6),)))

    assert rig.waiting("difference") == [("difference", CHANNEL, 6, None)]


def both_polled() -> Rig:
    """Two box-wide cursors are being polled, and nothing is polled for silence."""
    rig = Rig(Tables({(cursor, b""): (10, 5, 7, 0) for cursor in (ACCOUNT, OTHER)}), SPEC)
    rig.step(Started(rig.now, 7))
    rig.work()
    return rig


def test_answers_that_ask_for_the_polls_of_each_other_do_so_after_a_while() -> None:
    """Section 5: each leads nowhere, and nothing else had its turn."""
    rig = both_polled().ask(2, Custom(BatchDraft(operations=("custom",))))
    waits = []
    for cursor, other in ((ACCOUNT, OTHER), (OTHER, ACCOUNT)) * 3:
        rig.answer("difference", A(body=body(U("it", acts=(Poll(other),)))), cursor=cursor)
        waits.append(waited(rig))

    assert waits == [0, 5_000, 0, 5_000, 0, 5_000]
    assert "custom" in rig.tables.done
    rig.answer("difference", A(), cursor=ACCOUNT)
    assert rig.wait(60_000).sent == {}, "who asks for nothing ends it"


def test_an_answer_that_leads_on_asks_for_others_at_once() -> None:
    """Section 5: and so does one of which nobody asks anything in return."""
    rig = both_polled().answer("difference", A(body=body(U("it", acts=(Poll(OTHER),)))), cursor=ACCOUNT)
    for rev in range(11, 20):
        rig.answer("difference", A(set={0: rev}, body=POLLS), cursor=OTHER)
        rig.answer("difference", A(body=body(U("it", acts=(Poll(OTHER),)))), cursor=ACCOUNT)

    assert [request[1] for request in rig.waiting("difference")] == [OTHER]
    assert rig.now == 1_000


def test_instances_that_owe_each_other_are_asked_about_after_a_while() -> None:
    """K-13: what is missing stays owed, and what is pushed of one meanwhile is asked for at once."""
    rig = owed()
    rig.tables.positions[CHANNEL, 6] = (1,)
    waits = []
    for key, other, at in ((5, 6, 50), (6, 5, 1)) * 3:
        ask = U("it", acts=(Poll(CHANNEL, other),))
        rig.answer("difference", A(set={0: at}, body=body(ask, covered=COVERED)))
        assert list(rig.tables.debts) == [(CHANNEL, other)], key
        waits.append(waited(rig))

    assert waits == [0, 5_000, 0, 5_000, 0, 5_000]
    rig.answer("difference", A(set={0: 50}, body=body(U("it", acts=(Poll(CHANNEL, 6),)), covered=COVERED)))
    rig.answer("difference", A(set={0: 1}, body=body(U("it", acts=(Poll(CHANNEL, 5),)), covered=COVERED)))
    rig.receive(push(U("60", channel(60))))
    assert [request[2] for request in rig.waiting("difference")] == [5]


def test_an_account_and_an_instance_that_ask_for_each_other_do_so_after_a_while() -> None:
    """K-7, K-10, K-13."""
    rig = owed()
    ask = U("it", acts=(Poll(ACCOUNT),))
    rig.answer("difference", A(set={0: 50}, body=body(ask, covered=COVERED)))
    for _ in range(3):
        rig.answer("difference", A(body=body(U("it", acts=(Poll(CHANNEL, 5),)))), cursor=ACCOUNT)
        assert waited(rig) == 5_000
        rig.answer("pages", Page(("page",), at=50, acts=(Poll(ACCOUNT),)))
        assert waited(rig) == 0

    rig.answer("difference", A(), cursor=ACCOUNT)

    assert rig.tables.debts == {}
    assert rig.wait(60_000).sent == {}
