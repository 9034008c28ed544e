"""A question that waits at the server, beside the queue; and a cursor that is a token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import A, Tables, TooLong, U, body, protocol, push

from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Claim
from pillarbox.sync.cursor_parts import Confirm, PartKind, PartSpec
from pillarbox.sync.protocol import (
    AnswerKind,
    AnswerRule,
    CursorSpec,
    Difference,
    Fetch,
    First,
    Poll,
    Remedy,
    ResetAsk,
    ResetSpec,
    SyncProtocol,
)
from pillarbox.sync.signals import (
    Answered,
    Flood,
    Flush,
    Refusal,
    Resync,
    RoleChanged,
    SessionChanged,
    SessionLost,
    Woken,
)

STREAM: Final = 7
_RULES: Final[dict[type[Any], AnswerRule]] = {
    A: AnswerRule(
        kind=lambda it: it.kind,
        set=lambda it: it.set,
        body=lambda it, _key: it.body,
        again=lambda it: it.again,
    ),
    TooLong: AnswerRule(kind=lambda _: AnswerKind.TOO_LONG, reset="anew"),
}
SPEC: Final = CursorSpec(
    STREAM,
    "stream",
    False,
    (PartSpec("token", PartKind.TOKEN, confirm=Confirm(lambda value: ("confirm", value))), PartSpec("rev")),
    Difference(
        lambda _key, position: ("difference", STREAM, position),
        _RULES,
        {"STOP": Remedy.STOP, "DONE": Remedy.DONE, "SELF": Poll(STREAM), "GONE": ResetAsk("anew")},
    ),
    loop=lambda position: ("wait", STREAM, position),
)


def _advance(tables: Tables, cursor: int, key: StoredKey, parts: Mapping[int, Any]) -> None:
    known = list(tables.positions.get((cursor, key), SPEC.zero))
    for part, value in parts.items():
        known[part] = value
    tables.positions[cursor, key] = tuple(known)


def endless() -> SyncProtocol:
    anew = ResetSpec(
        "anew",
        STREAM,
        (Fetch("all", lambda _key, _answers: ("all",), (A,)),),
        lambda _tables, _key, _answers: ["anew"],
        lambda _key, _answers: {0: "z", 1: 0},
    )
    return replace(protocol(cursors={STREAM: SPEC}, resets={"anew": anew}), advance=_advance)


def rig(*, master: bool = True) -> Rig:
    """One that has begun at the token `a`, and has heard that nothing is missing."""
    made = Rig(Tables({(STREAM, b""): ("a", 0)}), endless())
    return made.start(master=master)


def news(name: str, token: str, **more: Any) -> A:
    return A(set={0: token}, body=body(U(name)), **more)


def test_a_question_waits_from_where_the_cursor_stands_once_nothing_is_missing() -> None:
    it = rig()

    assert it.waiting("wait") == [("wait", STREAM, ("a", 0))]
    assert it.waiting("difference") == []
    assert not it.machine.updating
    assert it.machine.is_resting


def test_its_answer_is_applied_and_the_next_question_waits_from_there() -> None:
    """D-1: as the answer of a poll; no other is asked."""
    it = rig().answer("wait", news("one", "b"))

    assert it.tables.done == ["one"]
    assert it.position(STREAM) == ("b", 0)
    assert it.events == ["one"]
    assert it.waiting("wait") == [("wait", STREAM, ("b", 0))]
    assert it.waiting("difference") == []


def test_it_holds_up_nothing() -> None:
    """Q1: what is pushed and a flush go on while it waits."""
    it = rig().receive(push(U("pushed")))

    it.ask(1, Flush())

    assert it.tables.done == ["pushed"]
    assert it.settled[1].error is None
    assert len(it.waiting("wait")) == 1


@pytest.mark.parametrize("what", [SessionChanged(), Resync()])
def test_a_poll_takes_its_place(what: object) -> None:
    """Q4: a new session asks at once, and only one of both questions is under way."""
    it = rig()

    if isinstance(what, Resync):
        it.ask(1, what)
    else:
        it.step(SessionChanged(it.now))
        it.work()

    assert it.waiting("wait") == []
    assert it.waiting("difference") == [("difference", STREAM, ("a", 0))]
    it.answer("difference", news("missed", "b"))
    assert it.waiting("wait") == [("wait", STREAM, ("b", 0))]


def test_an_answer_from_another_place_is_asked_for_anew() -> None:
    """D-2: a push moved the cursor while the question waited."""
    it = rig().receive(push(U("pushed", Claim(STREAM, b"", 1, 0, 1))))
    assert it.position(STREAM) == ("a", 1)

    it.answer("wait", news("one", "b"))

    assert it.tables.done == ["pushed"]
    assert it.waiting("difference") == [("difference", STREAM, ("a", 1))]


def test_an_answer_that_the_store_does_not_take_is_news_until_it_does() -> None:
    """D-4, A-11: the server has told what the box has not."""
    it = rig().answer("wait", news("!one", "b"))
    assert it.machine.updating

    it.wait(100).answer("difference", news("one", "b"))

    assert not it.machine.updating
    assert it.waiting("wait") == [("wait", STREAM, ("b", 0))]


def test_a_slice_is_followed_by_a_question_that_does_not_wait() -> None:
    """D-3: there is more, which is asked for at once."""
    it = rig().answer("wait", news("one", "b", kind=AnswerKind.SLICE))

    assert it.waiting("wait") == []
    it.answer("difference", news("two", "c"))
    assert it.events == ["one", "two"]
    assert it.waiting("wait") == [("wait", STREAM, ("c", 0))]


def test_what_fails_is_asked_again_after_a_while() -> None:
    """12: the same question, later each time."""
    it = rig().fail("wait", SessionLost())

    assert it.waiting("wait") == []
    it.wait(200)
    assert len(it.waiting("wait")) == 1


@pytest.mark.parametrize("code", ["UNKNOWN", "DONE", "SELF"])
def test_a_refusal_that_asks_for_nothing_else_is_no_reason_to_hurry(code: str) -> None:
    it = rig().refuse("wait", code)

    assert it.sent == {}
    it.wait(200)
    assert len(it.waiting("wait")) == 1


def test_a_refusal_for_good_ends_it_until_the_next_poll() -> None:
    """Q6: nothing is asked again by itself."""
    it = rig()
    (asked,) = it.waiting("wait")
    it.refuse("wait", "STOP").wait(60_000)

    assert it.sent == {}
    assert it.machine.stopped == Refusal("STOP", asked)
    assert not it.machine.updating
    it.ask(1, Resync()).answer("difference", A(AnswerKind.EMPTY))
    assert len(it.waiting("wait")) == 1
    assert not it.machine.updating


def test_a_question_that_waits_is_given_up_where_another_is_refused_for_good() -> None:
    """Q6, Q10: what is refused by a flush holds for all."""
    first = First(lambda: ("state",), {})
    spec = replace(endless(), cursors={STREAM: replace(SPEC, first=first)})
    it = Rig(Tables({(STREAM, b""): ("a", 0)}), spec).start()
    assert len(it.waiting("wait")) == 1

    it.ask(1, Flush()).refuse("state", "STOP")

    assert it.sent == {}
    assert it.machine.stopped == Refusal("STOP", ("state",))


@pytest.mark.parametrize("how", ["refused", "too long"])
def test_a_recipe_follows_where_the_token_is_known_no_more(how: str) -> None:
    """D-6: and a poll follows the recipe."""
    it = rig()

    if how == "refused":
        it.refuse("wait", "GONE")
    else:
        it.answer("wait", TooLong())
    it.answer("all", A())

    assert it.position(STREAM) == ("z", 0)
    it.answer("difference", A(AnswerKind.EMPTY))
    assert it.waiting("wait") == [("wait", STREAM, ("z", 0))]


def test_an_answer_that_cannot_be_read_is_asked_for_as_a_poll() -> None:
    it = rig().answer("wait", "what is this")

    assert it.waiting("difference") == []
    assert len(it.wait(200).waiting("difference")) == 1


def test_a_server_that_does_not_wait_is_not_asked_without_end() -> None:
    it = rig()

    it.answer("wait", A(AnswerKind.EMPTY))
    assert it.waiting("wait") == []
    it.wait(200)
    assert len(it.waiting("wait")) == 1
    it.answer("wait", news("one", "b"))
    assert len(it.waiting("wait")) == 1


def test_only_the_master_waits() -> None:
    """P-3."""
    it = rig(master=False)
    assert it.waiting("wait") == []

    it.step(RoleChanged(it.now, True))
    it.work()
    assert len(it.waiting("wait")) == 1

    it.step(RoleChanged(it.now, False))
    it.work()
    assert it.sent == {}


def test_a_role_taken_while_a_poll_is_under_way_waits_for_its_end() -> None:
    it = Rig(Tables({(STREAM, b""): ("a", 0)}), endless())
    it.start(master=False)
    it.step(SessionChanged(it.now))
    it.work()

    it.step(RoleChanged(it.now, True))
    it.work()

    assert it.waiting("wait") == []
    it.answer("difference", A(AnswerKind.EMPTY))
    assert len(it.waiting("wait")) == 1


def test_what_is_read_for_a_question_that_was_given_up_asks_nothing() -> None:
    it = rig()
    it.answer("wait", news("one", "b"), work=False)
    while not it.tables.done:
        it.work_one()

    it.ask(1, Resync())

    assert it.asked == [("confirm", "b"), ("difference", STREAM, ("b", 0))]


def test_a_question_that_has_time_is_given_up_for_a_poll() -> None:
    it = rig().answer("wait", A(AnswerKind.EMPTY))

    it.ask(1, Resync()).answer("difference", news("one", "b")).wait(1_000)

    assert it.waiting("wait") == [("wait", STREAM, ("b", 0))]


def test_one_question_at_a_time() -> None:
    """However often nothing more is missing."""
    it = rig()

    it.machine.polled(STREAM)
    it.step(Woken(it.now))
    it.work()
    it.wait(1_000)

    assert len(it.waiting("wait")) == 1


def test_a_token_is_confirmed_once_it_is_durable() -> None:
    """G-10: as any value."""
    it = rig().answer("wait", news("one", "b"))

    assert it.waiting("confirm") == [("confirm", "b")]


def test_a_late_answer_of_a_question_that_was_given_up_changes_nothing() -> None:
    """Q12."""
    it = rig()
    old = next(iter(it.sent))
    it.step(SessionChanged(it.now))
    it.work()

    it.step(Answered(it.now, old, news("late", "y")))
    it.work()

    assert it.tables.done == []
    assert "Q12" in it.rules()


def test_a_hint_is_about_what_counts() -> None:
    """K-3: a token is never compared with a number."""
    assert SPEC.counter == 1
    assert SPEC.zero == ("", 0)
    assert replace(SPEC, parts=SPEC.parts[:1]).counter is None
    marks = (PartSpec("at", PartKind.STAMP), PartSpec("seen", PartKind.WATERMARK))
    assert replace(SPEC, parts=marks).counter == 1

    it = rig().receive(push(U("it", acts=(Poll(STREAM, b"", 3),))))

    assert len(it.waiting("difference")) == 1


def test_a_stamp_that_moves_is_no_news() -> None:
    """It may be what time it is there: who says nothing else, and does not wait, is not asked without end."""
    parts = (SPEC.parts[0], PartSpec("date", PartKind.STAMP))
    spec = replace(endless(), cursors={STREAM: replace(SPEC, parts=parts)})
    it = Rig(Tables({(STREAM, b""): ("a", 0)}), spec).start()

    it.answer("wait", A(set={1: 5})).wait(199)
    assert (it.position(STREAM), it.waiting("wait")) == (("a", 5), [])
    it.wait(1)
    assert it.waiting("wait") == [("wait", STREAM, ("a", 5))]


def test_a_refusal_after_which_it_is_asked_again_is_followed_later_each_time() -> None:
    """Section 12: as where the schema says to try it again."""
    it = rig()
    waits = []
    for _ in range(4):
        before = it.refuse("wait", "DONE").now
        while not it.waiting("wait"):
            it.wait(1)
        waits.append(it.now - before)
    it.answer("wait", A(AnswerKind.EMPTY)).wait(200).refuse("wait", "DONE").wait(200)

    assert waits == [200, 400, 600, 800]
    assert it.waiting("wait"), "it was answered meanwhile"


def test_news_that_lead_back_are_waited_for_again_after_a_while() -> None:
    """As where two servers answer by turns, one of which is behind, and neither waits."""
    it = rig()
    for _ in range(30):
        while not it.waiting("wait"):
            it.wait(1)
        ((_, _, (token, _)),) = it.waiting("wait")
        it.answer("wait", news("it", {"a": "b", "b": "c", "c": "a"}[token]))
    assert it.now == 1_000 + 8 * 200, "once in each round, as soon as that is known"
    it.wait(200)
    for token in "defghijklmn":
        it.answer("wait", news("on", token))
    assert it.now == 1_000 + 9 * 200, "that leads on"


def test_the_server_has_more_for_as_long_as_an_answer_that_says_so_is_followed_up() -> None:
    """D-4: also where what follows may not be asked for a while."""
    it = rig().answer("wait", news("1", "b", again=True))
    assert it.machine.updating

    it.fail("difference", Flood(60_000))
    assert it.machine.updating
    it.wait(60_000).answer("difference", A(AnswerKind.EMPTY))
    assert not it.machine.updating

    it.answer("wait", TooLong())
    assert len(it.waiting("all")) == 1
    assert it.machine.updating
