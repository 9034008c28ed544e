"""How rows of an outbox end: answers, refusals, failures, and what follows on them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.sync.outbox_bench import CHAT, RUN, SLOW, Bench, Pushed, Row, only

from pillarbox.sync.debt_rows import NO_RUN, Debt
from pillarbox.sync.protocol import Poll, ResetAsk
from pillarbox.sync.signals import (
    Commit,
    CommitFailed,
    DropTimer,
    Failure,
    Flood,
    Load,
    Log,
    Publish,
    Refused,
    Send,
    SessionChanged,
    SessionLost,
    SetTimer,
    Transient,
)


def test_a_row_goes_when_its_request_has_ended_and_not_before() -> None:
    """L-4, mutant 21."""
    bench = Bench()

    asked = bench.sent(Row(1))
    assert bench.rows
    bench.work(bench.answer(asked.id))

    assert bench.rows == {}
    assert bench.answered == [("a", "yes")]


def test_what_follows_on_an_answer_is_in_the_commit_that_removes() -> None:
    """L-3, E-8: told and done only when that is durable."""
    bench = Bench(follows=("saved", Poll(9), ResetAsk("all")))
    removal = bench.answer(bench.sent(Row(1)).id)

    assert (bench.replayed, bench.acts) == ([], [])
    outputs = bench.work(removal)

    assert bench.replayed == ["saved"]
    assert bench.acts == [Poll(9), ResetAsk("all")]
    assert outputs == (Publish(("saved",)),)


def test_a_poll_of_one_instance_is_owed_from_that_commit_on() -> None:
    """K-13: a crash does not lose it."""
    bench = Bench(follows=(Poll(CHAT, b"k", 7),))

    bench.work(bench.answer(bench.sent(Row(1)).id))

    assert bench.owed == [Debt(CHAT, b"k", 7, run=RUN, since=RUN + 5)]
    assert bench.acts == [Poll(CHAT, b"k", 7)]


def test_a_recipe_is_owed_from_that_commit_on() -> None:
    """E-13: so, too, is one of a cursor that is one in the box."""
    bench = Bench(follows=(ResetAsk("all"),))

    bench.work(bench.answer(bench.sent(Row(1)).id))

    assert bench.owed == [Debt(9, b"all", 5, "all", RUN, RUN + 5)]


def test_what_is_owed_already_is_not_written_over() -> None:
    """K-13: the lower hint counts, and a recipe before none."""
    bench = Bench(follows=(Poll(CHAT, b"k", 7),), owed=[Debt(CHAT, b"k", 3, "anew", 1)])

    bench.work(bench.answer(bench.sent(Row(1)).id))

    assert bench.owed[-1] == Debt(CHAT, b"k", 3, "anew", NO_RUN), "of two runs: neither pays for it"


def test_an_answer_that_is_a_container_goes_where_pushes_go() -> None:
    """L-3, G-19."""
    bench = Bench()

    removal = bench.answer(bench.sent(Row(1)).id, Pushed("news"))
    bench.work(removal)

    assert (bench.received, bench.did) == ([Pushed("news")], ())
    assert bench.rows == {}


def test_what_the_counters_of_an_answer_count_goes_with_it_and_is_not_done_besides() -> None:
    """G-19, E-1."""
    bench = Bench(follows=("starred",))

    removal = bench.answer(bench.sent(Row(1)).id, Pushed("counted"))
    bench.work(removal)

    assert (bench.received, bench.did) == ([Pushed("counted")], ("starred",))
    assert (bench.rows, bench.replayed) == ({}, [])


@pytest.mark.parametrize("answer", [Pushed("news"), "done", Refused("NO")])
def test_an_answer_that_cannot_be_read_counts_and_what_changed_is_asked_for(answer: Any) -> None:
    """L-4: whatever a server sends must not stop the engine."""
    bench = Bench(follows=IndexError("nothing is first"))
    asked = bench.sent(Row(1)).id

    said = bench.fail(asked, answer) if isinstance(answer, Refused) else bench.answer(asked, answer)
    bench.work([it for it in said if isinstance(it, Commit)])

    assert bench.rows == {}
    assert bench.acts == [Poll(9)]
    assert any(isinstance(it, Log) and "cannot be read" in it.text for it in said)


def test_a_payload_replaced_while_its_request_ran_is_sent_again() -> None:
    """E-17, mutant 22."""
    bench = Bench(follows=("saved",))
    asked = bench.sent(Row(1, "a"))

    bench.wish(Row(1, "b", revision=1))
    read = bench.work(bench.answer(asked.id))

    assert bench.rows == {(1, 1): Row(1, "b", revision=1)}
    assert bench.replayed == ["saved"]
    assert only(bench.work([only(read, Load)]), Send).request == "B"


def test_a_refusal_is_the_end_and_has_its_consequences() -> None:
    """L-4: a permanent error counts as done."""
    bench = Bench(follows=("undone",))

    outputs = bench.fail(bench.sent(Row(1)).id, Refused("NEVER"))
    bench.work([only(outputs, Commit)])

    assert bench.refused == [("a", "NEVER")]
    assert (bench.rows, bench.replayed) == ({}, ["undone"])
    assert only(outputs, Log).rule == "L-4"


def test_a_refusal_of_what_was_replaced_has_none() -> None:
    """E-17: what is wanted now was not refused, and is sent."""
    bench = Bench(follows=("undone", Poll(5)))
    asked = bench.sent(Row(1, "a"))

    bench.put(Row(1, "b", revision=1))
    read = bench.work([only(bench.fail(asked.id, Refused("NEVER")), Commit)])

    assert (bench.replayed, bench.acts) == ([], [])
    assert only(bench.work(read), Send).request == "B"


def test_a_refusal_that_passes_is_tried_again() -> None:
    """L-4: such as the schema names."""
    bench = Bench()

    timer = only(bench.fail(bench.sent(Row(1)).id, Refused("BUSY")), SetTimer)

    assert only(bench.work(bench.tick(timer)), Send).request == "A"
    assert bench.refused == []


@pytest.mark.parametrize("failure", [Transient(), SessionLost()], ids=str)
def test_each_try_waits_longer_but_never_for_ever(failure: Failure) -> None:
    """L-4, section 12: 0.2 s more each time, at most 5 s."""
    bench = Bench()
    asked = bench.sent(Row(1))

    waits = []
    for _ in range(30):
        timer = only(bench.fail(asked.id, failure), SetTimer)
        waits.append(timer.due - bench.now)
        asked = only(bench.work(bench.tick(timer)), Send)

    assert waits[:3] == [200, 400, 600]
    assert waits[-1] == max(waits) == 5_000


def test_a_flood_is_waited_out() -> None:
    """L-4, section 12."""
    bench = Bench()

    timer = only(bench.fail(bench.sent(Row(1)).id, Flood(30_000)), SetTimer)

    assert timer.due == 30_000
    assert bench.step(SessionChanged(0)) == ()


def test_a_flood_is_waited_out_by_who_has_waited_for_a_session_before() -> None:
    """L-4, section 12: what ends is the wait for a session, and that is over."""
    bench = Bench()
    timer = only(bench.fail(bench.sent(Row(1)).id, SessionLost()), SetTimer)
    asked = only(bench.work(bench.tick(timer)), Send)

    bench.fail(asked.id, Flood(30_000))

    assert bench.step(SessionChanged(bench.now)) == ()


def test_a_new_session_ends_the_wait_for_one() -> None:
    """L-4, section 12."""
    bench = Bench()
    timer = only(bench.fail(bench.sent(Row(1)).id, SessionLost()), SetTimer)

    outputs = bench.step(SessionChanged(0))

    assert DropTimer(timer.id) in outputs
    assert only(bench.work([only(outputs, Load)]), Send).request == "A"


def test_a_removal_that_fails_is_written_again_and_the_request_is_not_sent_again() -> None:
    """L-4: what ended has ended."""
    bench = Bench()
    removal = only(bench.answer(bench.sent(Row(1)).id), Commit)

    timer = only(bench.step(CommitFailed(0, removal.id, "disk full", stale=False)), SetTimer)
    assert bench.rows
    bench.work(bench.tick(timer))

    assert bench.rows == {}
    assert len(bench.answered) == 1


def test_what_comes_for_nobody_changes_nothing() -> None:
    """Q12, E-11: an answer that comes twice, and one after its row was let go."""
    bench = Bench()
    asked = bench.sent(Row(1))
    removal = bench.answer(asked.id)

    assert bench.answer(asked.id) == ()
    assert bench.fail(asked.id, Transient()) == ()
    bench.work(removal)
    assert bench.answer(asked.id) == ()


def test_a_row_taken_back_while_it_is_removed_is_no_harm() -> None:
    """L-4: its answer is true all the same."""
    bench = Bench(follows=("saved",))
    removal = bench.answer(bench.sent(Row(1)).id)

    bench.rows.clear()
    bench.work(removal)

    assert bench.replayed == ["saved"]


def test_the_wait_of_a_kind_begins_again_with_what_replaced_it() -> None:
    """L-5, E-17."""
    bench = Bench()
    timer = only(bench.wish(Row(1, "a", SLOW)), SetTimer)
    asked = only(bench.work(bench.tick(timer)), Send)

    bench.put(Row(1, "b", SLOW, revision=1))
    again = only(bench.work(bench.answer(asked.id)), SetTimer)

    assert again.due == bench.now + 2_000
