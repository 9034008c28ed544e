"""The queue of jobs: positions, replacement, and what callers ask for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    CURSORS,
    HOLD_MS,
    PROJECT,
    A,
    State,
    Tables,
    U,
    body,
    channel,
    channel_at,
    keyed,
    protocol,
    push,
    qts,
    rev,
)

from pillarbox.errors import UsageError
from pillarbox.sync import Limits, Machine
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.protocol import AnswerKind
from pillarbox.sync.queue import Kind, Queue
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Custom,
    Flush,
    Id,
    Load,
    Look,
    Received,
    Refused,
    Resync,
    SetTimer,
    Started,
    Stopped,
    Ticked,
)

FREE = Custom(BatchDraft(operations=("custom",)))


class Stub:
    """A job that runs until it is told to end."""

    def __init__(self, kind: Kind, *, runs: bool = True) -> None:
        self.kind = kind
        self.started = False
        self.running = False
        self._runs = runs
        self.paused = 0

    def asks(self, cursor: int) -> bool:
        return False

    def start(self) -> None:
        self.started, self.running = True, self._runs

    def pause(self) -> None:
        self.started = False
        self.paused += 1


def test_the_first_position_is_directly_behind_the_one_that_runs() -> None:
    """Q1."""
    queue, running, waiting, urgent = Queue(), Stub(Kind.PROCESS), Stub(Kind.ADOPT), Stub(Kind.POLL)
    queue.last(running)
    queue.last(waiting)
    queue.pump()

    queue.first(urgent)

    assert queue.jobs == [running, urgent, waiting]


def test_the_first_position_is_the_head_when_that_only_waits() -> None:
    """Q1, Q2: what waited for a timer stops waiting."""
    queue, waiting, urgent = Queue(), Stub(Kind.COLLECT, runs=False), Stub(Kind.POLL)
    queue.last(waiting)
    queue.pump()

    queue.first(urgent)
    queue.pump()

    assert queue.jobs == [urgent, waiting]
    assert (waiting.paused, waiting.started, urgent.running) == (1, False, True)


def test_starting_a_head_that_runs_changes_nothing() -> None:
    """Q2, E-5."""
    queue, running, next_one = Queue(), Stub(Kind.PROCESS), Stub(Kind.ADOPT)
    queue.last(running)
    queue.last(next_one)

    queue.pump()
    queue.pump()

    assert (running.running, next_one.started) == (True, False)


def test_polls_take_the_place_of_polls_and_the_kinds_keep_their_order() -> None:
    """Q4."""
    queue = Queue()
    running, kinds = Stub(Kind.CUSTOM), (Kind.CUSTOM, Kind.COLLECT, Kind.ADOPT, Kind.FLUSH, Kind.POLL)
    jobs = [Stub(kind) for kind in (*kinds, Kind.PROCESS, Kind.ADOPT)]
    queue.last(running)
    queue.pump()
    for job in jobs:
        queue.last(job)
    custom, collect, adopt, flush, _, process, adopt_too = jobs
    poll = Stub(Kind.POLL)

    queue.sort([poll])

    assert queue.jobs == [running, process, poll, flush, adopt, adopt_too, custom, collect]


def test_a_job_that_is_not_the_head_cannot_end() -> None:
    """Q12: a bug, told as one."""
    queue = Queue()
    queue.last(Stub(Kind.POLL))

    with pytest.raises(RuntimeError, match="the head of the queue"):
        queue.finish(Stub(Kind.POLL))


def test_ids_grow_and_what_nobody_waits_for_is_ignored() -> None:
    """Q12, E-11: an answer to a question that nobody asked."""
    rig = Rig().start()
    numbers = [output.id.number for output in rig.outputs if isinstance(output, Load | SetTimer)]
    assert numbers == sorted(set(numbers))

    for owner in ("queue", "debts", "nobody"):
        rig.step(Answered(rig.now, Id(owner, 3), A(set={0: 99})))

    assert rig.rules() == ["Q12"] * 3
    assert rig.position() == (10, 5, 7, 0)


def test_a_burst_becomes_one_batch() -> None:
    """Q3: a wait of 0 yields once."""
    rig = Rig().start()
    commits = rig.commits

    rig.receive(push(U("12", rev(12))), push(U("11", rev(11))), push(U("6", qts(6))))

    assert rig.tables.done == ["11", "12", "6"]
    assert rig.commits == commits + 1


def test_what_comes_while_a_gap_is_waited_for_is_looked_at_at_once() -> None:
    """Q3, G-15: the collect becomes a batch in the same step."""
    rig = Rig().start().receive(push(U("12", rev(12))))

    rig.step(Received(rig.now, push(U("free"))))

    assert len(rig.store) == 1


def test_a_gap_that_is_put_back_waits_for_the_rest_of_its_deadline() -> None:
    """Q3, E-7, Q1: another job went before it."""
    rig = Rig(Tables({(ACCOUNT, b""): (10, 5, 7, 0), (PROJECT, 1): (3,)})).start()
    rig.receive(push(U("5", keyed(PROJECT, 1, 5)))).wait(1_500).ask(1, Resync())
    rig.answer("difference", A())
    assert rig.machine.held == 1

    rig.wait(499)
    assert rig.sent == {}
    rig.wait(1)

    assert rig.waiting("difference") == [("difference", PROJECT, 1, (3,))]


def test_what_is_put_last_waits_for_a_gap_too() -> None:
    """Q1: last is behind all."""
    rig = Rig().start().receive(push(U("12", rev(12)))).ask(1, FREE)
    assert rig.tables.done == []

    rig.receive(push(U("11", rev(11))))

    assert rig.tables.done == ["11", "12", "custom"]


def test_a_poll_drops_what_it_brings_and_keeps_the_rest() -> None:
    """Q4, G-16."""
    rig = Rig().start().receive(push(U("12", rev(12))))

    rig.ask(1, Resync())
    assert rig.machine.held == 0
    rig.receive(push(U("free")))
    rig.answer("difference", A(set={0: 12}))

    assert rig.tables.done == ["free"]


def test_a_resync_waits_for_the_one_that_runs_and_is_settled_when_all_is_there() -> None:
    """Q5, E-18, D-4."""
    rig = Rig().start().push(push(U("11", rev(11))))

    rig.step(Asked(rig.now, 1, Resync()))
    rig.work()
    assert rig.tables.done == ["11"]
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 5, 7, 0))]
    assert 1 not in rig.settled
    rig.answer("difference", A(AnswerKind.SLICE, {0: 12})).answer("difference", A())

    assert rig.settled[1].error is None


def test_events_of_earlier_batches_come_first_and_each_once() -> None:
    """Q8, Q6, E-9, Q-12: those of a batch that ends with a poll too."""
    rig = Rig().start().receive(push(U("11", rev(11)), U("7", qts(7)))).wait(HOLD_MS)
    assert rig.events == ["11"]

    rig.answer("difference", A(set={1: 7}, body=body(U("6", qts(6)), U("7", qts(7))))).receive(
        push(U("free"))
    )

    assert rig.events == ["11", "6", "7", "free"] == rig.tables.done


def test_a_discarded_batch_is_followed_by_a_poll() -> None:
    """Q7: not replayed."""
    rig = Rig().start().receive(push(U("!", rev(11))))

    assert rig.tables.done == []
    assert len(rig.waiting("difference")) == 1


def test_a_flush_is_settled_when_all_that_was_sent_before_is_applied() -> None:
    """Q10, Q9, E-18: one round trip when it is alone; events published meanwhile go along."""
    rig = Rig().start().push(push(U("11", rev(11))))

    rig.ask(1, Flush()).ask(2, Flush())
    assert rig.asked == [("state",)]
    rig.receive(push(U("12", rev(12))))
    rig.answer("state", State((0,)))
    assert rig.tables.done == ["11", "12"]
    assert rig.settled == {}
    rig.answer("state", State((0,)))

    assert rig.settled[1].result == rig.settled[2].result == ("11", "12")


def test_a_flush_waits_for_a_gap_and_for_a_poll() -> None:
    """Q10: if anything else is queued, it moves behind it."""
    rig = Rig().start().receive(push(U("12", rev(12)))).ask(1, Flush())
    assert rig.asked == []

    rig.wait(HOLD_MS)
    rig.answer("difference", A(set={0: 12}))
    rig.fail("state")

    assert rig.settled[1].error is None, "errors of the round trip count as done"


def test_a_custom_job_sees_a_cursor_that_does_not_move() -> None:
    """Q11: nothing else runs meanwhile; its error goes to who asked and frees the queue."""
    rig = Rig().start().push(push(U("11", rev(11))))

    rig.step(Asked(rig.now, 1, Custom(BatchDraft(operations=("!",)))))
    rig.step(Asked(rig.now, 2, FREE))
    rig.work()

    assert rig.tables.done == ["11", "custom"]
    assert rig.settled[1].error is not None
    assert rig.settled[2].error is None


def test_a_stale_custom_job_says_so() -> None:
    """Q11, 6.5."""
    rig = Rig().start().ask(1, Custom(BatchDraft(operations=("x",), expects={(CHANNEL, 5): (3,)})))

    assert rig.settled[1].error == "stale"
    assert rig.tables.done == []


def test_everything_asked_is_settled_when_the_engine_stops() -> None:
    """E-18."""
    rig = Rig().start().ask(1, Resync()).ask(2, Flush()).ask(3, FREE).ask(4, Look(CHANNEL, 5, True))

    rig.step(Stopped(rig.now))

    assert {ticket: it.error for ticket, it in rig.settled.items()} == {
        1: "stopped",
        2: "stopped",
        3: "stopped",
        4: None,
    }
    assert rig.sent == {}
    assert rig.timers == {}
    before = list(rig.outputs)
    rig.step(Received(rig.now, push(U("late"))))
    assert rig.outputs == before


def test_callers_beyond_the_limit_are_told() -> None:
    """Every list has a limit."""
    rig = Rig(limits=Limits(queue_max=2)).start().push(push(U("11", rev(11))))

    for ticket in (1, 2, 3):
        rig.step(Asked(rig.now, ticket, FREE))
    assert rig.settled[3].error == "too many are waiting"
    rig.work()

    assert rig.settled[1].error is rig.settled[2].error is None


def test_too_much_that_waits_is_dropped_and_asked_for() -> None:
    """G-16: one past the limit."""
    limits = Limits(held_max=4)
    rig = Rig(Tables({(ACCOUNT, b""): (10, 5, 7, 0)}), limits=limits).start()
    rig.receive(push(U("13", rev(13)), U("14", rev(14)), U("15", rev(15))))
    assert (rig.machine.held, rig.asked) == (3, [])

    rig.receive(push(U("17", rev(17)), U("9", channel(9))))

    assert rig.machine.held == 0
    assert len(rig.waiting("difference")) == 1
    rig.answer("difference", A(set={0: 17}))
    assert list(rig.tables.debts) == [(CHANNEL, 5)]


def test_what_is_held_of_one_container_has_the_limit_too() -> None:
    """G-16: a container of any size is worked on, but not held."""
    rig = Rig(limits=Limits(held_max=4)).start()
    rig.receive(push(*(U(str(end), rev(end)) for end in range(11, 20))))
    assert rig.position() == (19, 5, 7, 0)

    rig.receive(push(*(U(str(end), rev(end)) for end in range(21, 26))))

    assert rig.machine.held == 0
    assert len(rig.waiting("difference")) == 1


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(UsageError, match="held_max is 0"):
        Limits(held_max=0)


def test_the_same_inputs_give_the_same_outputs() -> None:
    """E-11."""

    def told() -> list[str]:
        rig = Rig(channel_at()).start()
        rig.receive(push(U("gap", channel(53)), U("13", rev(13)))).wait(HOLD_MS)
        return [repr(output) for output in rig.outputs if not isinstance(output, Load)]

    assert told() == told()


def test_a_timer_that_was_dropped_does_nothing_when_it_comes_all_the_same() -> None:
    """Q12: a stale timer."""
    rig = Rig().start().receive(push(U("12", rev(12))))
    timer = next(found for found in rig.timers if found.owner == "queue")
    rig.receive(push(U("11", rev(11))))

    rig.step(Ticked(rig.now, timer))

    assert rig.rules() == ["Q12"]
    assert rig.asked == []


def test_a_machine_without_a_box_wide_cursor_looks_for_debts_when_it_starts() -> None:
    """K-14."""
    machine = Machine(protocol(cursors={CHANNEL: replace(CURSORS[CHANNEL], travels=None)}))

    outputs = machine.step(Started(0, 1))

    assert [type(output) for output in outputs] == [Load]


def test_a_refused_round_trip_counts_as_done() -> None:
    """Q10."""
    rig = Rig().start().ask(1, Flush()).fail("state", Refused("ANY"))

    assert rig.settled[1].error is None
