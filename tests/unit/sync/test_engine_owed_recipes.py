"""Recipes of cursors that are one in the box, where something that was written asks for them."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import ANY

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    RESETS,
    A,
    Page,
    State,
    TooLong,
    U,
    body,
    channel,
    channel_at,
    protocol,
    push,
    rev,
)

from pillarbox.storage import StoredKey
from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.protocol import AnswerKind, Poll, ResetAsk, SyncProtocol
from pillarbox.sync.signals import Flood, Flush, Refusal, Resync, RoleChanged, SessionChanged, Untaken, Woken

EVERYTHING = (ACCOUNT, b"everything")
ASK = push(U("it", acts=(ResetAsk("everything"),)))
#: Of this nothing is confirmed.
STATE = State((90, 77, 70, 60))
GIVEN_UP_AT_ONCE = protocol(resets={**RESETS, "everything": replace(RESETS["everything"], retry=False)})


def rows(rig: Rig) -> list[tuple[StoredKey, str, int]]:
    """The recipes that are owed, and the runs that asked for them last."""
    return [(debt.key, debt.cure, debt.run) for debt in rig.tables.debts.values()]


ROW = (b"everything", "everything", 99)


def asked(spec: SyncProtocol | None = None) -> Rig:
    """Something asked for everything, and where the server is is asked for."""
    rig = Rig(spec=spec).start().receive(ASK)
    assert rig.waiting("state") == [("state",)]
    return rig


def followed(rig: Rig) -> Rig:
    """The recipe is answered, and the poll behind it."""
    return rig.answer("state", STATE).answer("pages", Page(("all",))).answer("difference", A())


def again(rig: Rig, *, master: bool = True) -> Rig:
    """Another process, or the same one once more, on what was written."""
    other = Rig(rig.tables)
    other.now = rig.now
    return other.start(77, master=master)


def test_a_recipe_is_owed_by_the_commit_that_asks_and_paid_by_its_own() -> None:
    """E-13, D-6."""
    rig = asked()
    assert (rig.tables.done, rows(rig)) == (["it"], [ROW])
    assert rig.machine.updating, "D-4"

    rig.answer("state", STATE)
    assert rows(rig) == [ROW]
    commits = rig.commits
    rig.answer("pages", Page(("all",)))

    assert rig.commits == commits + 1
    assert (rig.tables.done, rig.tables.debts) == (["it", "all"], {})
    rig.answer("difference", A())
    assert rig.machine.is_resting
    assert not rig.machine.updating, "D-4"


@pytest.mark.parametrize("answers", [0, 1])
def test_a_crash_before_its_end_does_not_lose_it(answers: int) -> None:
    """E-13, K-14: it is followed as if there had been no crash."""
    rig = asked()
    if answers:
        rig.answer("state", STATE)

    rig = followed(again(rig))

    assert (rig.tables.done, rig.tables.debts) == (["it", "all"], {})
    assert rig.position() == (90, 77, 70, 60)


def test_a_crash_after_its_end_does_not_repeat_it() -> None:
    """D-6."""
    rig = asked().answer("state", STATE).answer("pages", Page(("all",)))

    rig = again(rig)

    assert rig.asked == []
    assert rig.machine.is_resting


def test_a_commit_that_fails_owes_nothing() -> None:
    """E-1: what asks for it comes again, and so does the asking."""
    rig = Rig().start().receive(push(U("!it", acts=(ResetAsk("everything"),))))

    assert rig.tables.debts == {}
    assert rig.waiting("state") == []


@pytest.mark.parametrize(
    "spec",
    [
        replace(protocol(), open=lambda _: replace(push().opened, acts=(ResetAsk("everything"),))),
        replace(
            protocol(), open=lambda _: replace(push().opened, asks=lambda _around: (ResetAsk("everything"),))
        ),
        protocol(),
    ],
    ids=["a container", "what a container asks", "an update"],
)
def test_whatever_asks_for_it_owes_it(spec: SyncProtocol) -> None:
    """E-13."""
    assert rows(asked(spec)) == [ROW]


def test_an_answer_owes_it() -> None:
    """E-13."""
    rig = Rig().start().ask(1, Resync())

    rig.answer("difference", A(body=body(U("11", rev(11), acts=(ResetAsk("everything"),)), covered=[(1, 0)])))

    assert rows(rig) == [ROW]
    assert rig.waiting("state") == [("state",)]


def test_an_answer_about_an_instance_owes_it() -> None:
    """E-13, E-14: the round that pays for the one owes the other."""
    rig = Rig(channel_at()).start().receive(push(U("x", channel(52))))

    told = body(U("52", channel(52), acts=(ResetAsk("everything"),)), covered=[(CHANNEL, 0)])
    rig.answer("difference", A(set={0: 52}, body=told), cursor=CHANNEL)

    assert rows(rig) == [ROW]
    assert rig.waiting("state") == [("state",)]


def test_a_recipe_that_asks_for_another_owes_that() -> None:
    """E-13: and pays for itself."""
    other = replace(RESETS["everything"], name="other")
    rig = asked(protocol(resets={**RESETS, "other": other}))

    rig.answer("state", STATE).answer("pages", Page(("all",), acts=(ResetAsk("other"), Poll(ACCOUNT))))

    assert rows(rig) == [(b"other", "other", 99)]
    assert rig.waiting("state") == [("state",)]
    followed(rig)
    assert rig.tables.debts == {}


def test_two_recipes_of_one_cursor_are_both_followed() -> None:
    """E-13: neither brings what the other does."""
    spec = protocol(resets={**RESETS, "other": replace(RESETS["everything"], name="other")})
    acts = (ResetAsk("everything"), ResetAsk("other"))
    rig = Rig(spec=spec).start().receive(push(U("it", acts=acts)))
    assert set(rig.tables.debts) == {EVERYTHING, (ACCOUNT, b"other")}

    for names in ("one", "two"):
        rig.answer("state", STATE).answer("pages", Page((names,))).answer("difference", A())

    assert rig.tables.done == ["it", "one", "two"]
    assert rig.tables.debts == {}


def test_one_that_is_asked_for_while_it_runs_is_run_once_more() -> None:
    """E-13: its pages may be older than what asked."""
    rig = asked().answer("state", STATE)
    BatchDraft(owes=(Debt(*EVERYTHING, None, "everything", 5),)).apply(rig.tables, rig.protocol)
    rig.step(Woken(rig.now))
    rig.work()
    assert rig.waiting("state") == []

    rig.answer("pages", Page(("all",)))
    assert rows(rig) == [(b"everything", "everything", 5)]
    rig.answer("difference", A())
    followed(rig)

    assert rig.tables.done == ["it", "all", "all"]
    assert rig.tables.debts == {}


def test_what_another_has_paid_and_was_asked_for_anew_is_not_paid_once_more() -> None:
    """E-13, P-4: two processes run it at a time, and the cursor ends where it was for both."""
    here = State((10, 5, 7, 0))
    rig = asked()
    other = again(rig).answer("state", here)
    rig.answer("state", here).answer("pages", Page(("all",))).answer("difference", A()).receive(ASK)
    other.tables = rig.tables

    other.answer("pages", Page(("older",)))

    assert other.tables.done == ["it", "all", "it", "older"], "6.5: it is written, as nothing has moved"
    assert rows(other) == [ROW], "but what asked since is as it was"
    followed(other.answer("difference", A()))
    assert rows(other) == []


def test_without_a_table_it_is_run_all_the_same() -> None:
    """D-6: by a protocol that was written by hand."""
    rig = asked(protocol(debts=False)).answer("state", STATE).answer("pages", Page(("all",)))

    assert rig.tables.done == ["it", "all"]


def test_one_that_another_process_has_run_is_not_run_again() -> None:
    """P-3: it has waited for its turn, and is looked at once more."""
    rig = Rig().start().ask(1, Resync())
    rig.tables.debts[EVERYTHING] = Debt(*EVERYTHING, 1, "everything", 99)
    rig.step(Woken(rig.now))
    rig.work()
    del rig.tables.debts[EVERYTHING]

    rig.answer("difference", A())

    assert rig.waiting("state") == []
    assert rig.machine.is_resting
    assert not rig.machine.updating, "D-4"


def test_only_the_master_runs_it() -> None:
    """P-3, P-4: whoever is finds it."""
    rig = Rig().start(master=False).receive(ASK)
    assert rows(rig) == [ROW]
    assert rig.asked == []

    rig.step(RoleChanged(rig.now, True))
    rig.work()
    followed(rig)

    assert rig.tables.debts == {}


def test_what_another_process_asked_for_is_found() -> None:
    """P-4."""
    other = Rig().start(master=False).receive(ASK)
    rig = Rig().start(5)
    rig.tables = other.tables

    rig.step(Woken(rig.now))
    rig.work()

    assert rig.waiting("state") == [("state",)]


def test_one_that_comes_to_nothing_is_run_again_after_a_while() -> None:
    """D-7: it is owed as before, however it ended, and holds up nothing meanwhile."""
    rig = asked(GIVEN_UP_AT_ONCE).fail("state")
    assert rig.machine.is_resting
    rig.step(Woken(rig.now))
    rig.work()
    assert rig.waiting("state") == []

    followed(rig.wait(5_000))

    assert (rig.tables.done, rig.tables.debts) == (["it", "all"], {})


def test_one_that_asked_too_often_is_not_run_again_before_it_may() -> None:
    """Section 12."""
    rig = asked(GIVEN_UP_AT_ONCE).fail("state", Flood(60_000)).receive(ASK).wait(59_999)
    assert rig.sent == {}

    followed(rig.wait(1))

    assert rows(rig) == []


def test_one_that_comes_to_nothing_where_another_is_the_master_is_left_to_it() -> None:
    """P-3."""
    rig = asked(GIVEN_UP_AT_ONCE)
    rig.step(RoleChanged(rig.now, False))

    rig.fail("state").wait(60_000)

    assert rig.sent == {}
    assert rows(rig) == [ROW]


def test_one_that_is_refused_for_good_waits_for_a_new_session() -> None:
    """Q6, E-13: nobody asks meanwhile, whatever others write."""
    rig = asked().refuse("state", "STOP")
    rig.step(Woken(rig.now))
    rig.wait(60_000)
    assert rig.sent == {}
    assert rig.machine.stopped is not None

    rig.step(SessionChanged(rig.now))
    rig.work()
    rig.answer("difference", A())
    assert rig.machine.stopped is None
    followed(rig)

    assert rig.tables.debts == {}


def test_who_is_still_refused_is_asked_once() -> None:
    """Q6: the recipe is not asked for after the poll that found it."""
    rig = asked().refuse("state", "STOP").ask(1, Resync())

    rig.refuse("difference", "STOP")

    assert rig.sent == {}
    assert rig.machine.stopped is not None
    assert rows(rig) == [ROW]


def test_one_that_was_overtaken_is_run_again_behind_the_poll() -> None:
    """6.5, E-10: where the cursor stands says nothing of what was asked for."""
    rig = asked().answer("state", STATE)
    rig.tables.positions[ACCOUNT, b""] = (91, 80, 70, 60)

    rig.answer("pages", Page(("late",))).answer("difference", A())
    followed(rig)

    assert rig.tables.done == ["it", "all"]
    assert rig.tables.debts == {}


def test_one_that_cannot_be_written_is_run_again_after_a_while() -> None:
    """A-11."""
    rig = asked().answer("state", STATE).answer("pages", Page(("!",)))
    assert rows(rig) == [ROW]

    followed(rig.wait(100))

    assert rig.tables.debts == {}


def test_polls_go_on_beside_one_that_is_never_taken() -> None:
    """A-11, E-4: it is owed, run later each time, and told, until another process has paid for it."""
    rig = asked()
    for tries in range(1, 4):
        rig.answer("state", STATE).answer("pages", Page(("!",)))
        rig.receive(push(U(str(10 + tries), rev(10 + tries)))).ask(tries, Resync())
        rig.answer("difference", A(AnswerKind.EMPTY)).ask(10 + tries, Flush())
        assert rig.waiting("state") == []
        rig.wait(100 * tries)

    assert rig.tables.done == ["it", "11", "12", "13"]
    assert rig.machine.untaken == Untaken("account", b"", "the operation cannot be done")
    assert {rig.settled[10 + tries].error for tries in (1, 2, 3)} == {rig.machine.untaken}
    rig.answer("state", STATE).answer("pages", Page(("!",)))
    rig.tables.debts.clear()
    rig.wait(400)
    assert rig.machine.untaken is None
    assert not rig.machine.updating


def test_one_that_rests_may_be_run_by_what_a_poll_is_answered() -> None:
    """D-6, A-11: it rests anew, and is run once when it may be."""
    rig = asked().answer("state", STATE).answer("pages", Page(("!",)))
    rig.ask(1, Resync()).answer("difference", TooLong())
    rig.answer("state", STATE).answer("pages", Page(("!",)))

    assert rig.wait(199).sent == {}
    followed(rig.wait(1)).wait(60_000)

    assert (rig.tables.done, rig.tables.debts, rig.sent) == (["it", "all"], {}, {})


def test_one_that_rests_is_asked_nothing_while_the_server_refuses_its_cursor() -> None:
    """Q6: the first poll after that finds it."""
    rig = asked().answer("state", STATE).answer("pages", Page(("!",)))

    rig.ask(1, Resync()).refuse("difference", "STOP").wait(60_000)
    assert (rig.machine.stopped, rig.sent) == (Refusal("STOP", ANY), {})

    rig.step(SessionChanged(rig.now))
    rig.work()
    followed(rig.answer("difference", A(AnswerKind.EMPTY)))
    assert rig.tables.debts == {}


def test_an_answer_that_runs_the_recipe_by_itself_pays_for_it() -> None:
    """D-6: it is run once."""
    rig = Rig(spec=GIVEN_UP_AT_ONCE).start().receive(ASK).fail("state").ask(1, Resync())
    rig.answer("difference", TooLong())

    followed(rig).wait(60_000)

    assert (rig.tables.done, rig.tables.debts, rig.sent) == (["it", "all"], {}, {})
