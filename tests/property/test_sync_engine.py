"""The engine under a hostile world: whatever is lost, repeated, reordered, failed or killed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.property.seeds import SEEDS
from tests.property.sync_laws import check, check_again, check_rest, check_told
from tests.property.sync_world import ACTIONS, World
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, HOLD_MS, A, Tables, U, channel, push, rev

from pillarbox.sync import claims, decide
from pillarbox.sync.debts import Debts
from pillarbox.sync.drafts import BatchDraft, RoundDraft
from pillarbox.sync.inquiry import Inquiry
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.job_process import Collect, Process
from pillarbox.sync.job_reset import ResetJob
from pillarbox.sync.jobs import FlushJob
from pillarbox.sync.machine import Machine
from pillarbox.sync.making import Making
from pillarbox.sync.protocol import Absent, Body, Need
from pillarbox.sync.queue import Queue
from pillarbox.sync.signals import Answered, Received

#: What happens often is named often.
NAMES = (
    *ACTIONS,
    *("happen",) * 4,
    *("deliver",) * 6,
    *("work",) * 6,
    *("settle",) * 3,
    *("answer",) * 5,
    *("tick",) * 3,
    *("enemy",) * 2,
)
#: Where nobody asks and nothing dies, nothing but the engine itself brings back what it drops.
CALM = ("happen", "happen", "deliver", "deliver", "free", "work", "work", "work", "settle")
STARTED = [("settle", 0), ("answer", 1), ("settle", 0)]
actions = st.tuples(st.sampled_from(NAMES), st.integers(0, 23))
histories = st.lists(actions, min_size=20, max_size=120)
polite = st.lists(st.tuples(st.integers(0, 23), st.integers(0, 2)), min_size=1, max_size=12)


def run(history: Sequence[tuple[str, int]]) -> World:
    """A whole run, to what was shown, and to its rest."""
    world = World(check)
    for name, choice in history:
        world.act(name, choice)
    world.rest(hint=False)
    check_told(world)
    world.rest()
    check_rest(world)
    return world


def run_polite(moments: Sequence[tuple[int, int]], order: Sequence[int]) -> None:
    """Nothing is lost and all comes in time, but in any order, some of it twice: nothing is asked for."""
    world = World(check)
    world.rest()
    world.rig.asked.clear()
    for choice, _ in moments:
        world.server.happen(choice % 21)
    told = [it for place, (_, times) in enumerate(moments) for it in [place] * (1 + times)]
    for turn, place in enumerate(sorted(told, key=lambda place: order[place % len(order)])):
        world.rig.step(Received(world.rig.now, world.server.container(place, 0)))
        if turn % 2:
            world.rig.work()
            check(world)
    world.rig.work()
    check(world)
    world.rig.wait(HOLD_MS)
    # Where nothing was known of a channel, or its updates came in another order, it is asked about.
    asked = [request for request in world.rig.asked if request[1] == 1]
    assert asked == [], "N-10: a poll without need"


@settings(max_examples=150, deadline=None)
@given(histories)
def test_whatever_happens_every_step_keeps_the_laws_and_rest_is_the_server(
    history: list[tuple[str, int]],
) -> None:
    """E-1, E-2, E-3, E-5, E-6, E-7, E-8, E-9, E-10, E-13, E-18, E-19, E-20."""
    run(history)


@settings(max_examples=50, deadline=None)
@given(histories)
def test_the_same_inputs_give_the_same_outputs(history: list[tuple[str, int]]) -> None:
    """E-11."""
    check_again(run(history))


def box_after(order: Sequence[int]) -> Tables:
    """Three instances are asked about and three rows, and answered in this order."""
    rig = Rig(Tables({(ACCOUNT, b""): (10, 5, 7, 0), **{(CHANNEL, key): (0,) for key in range(3)}})).start()
    needs = tuple(Need((9, b"%d" % it), Absent.IGNORE, ("row", it)) for it in range(3))
    rig.receive(push(*(U(f"gap {key}", channel(2, key=key)) for key in range(3))))
    rig.receive(push(U("needy", rev(11), needs=needs)))
    for place in order:
        found = next((it for it in rig.sent if _place(rig.sent[it]) == place), None)
        assert found is not None, "K-7: it is not asked about"
        rig.step(Answered(rig.now, found, _answer(rig.sent.pop(found))))
        rig.work()
    assert rig.machine.is_resting
    # Which of the two jobs was first is for the answers to say; within each the order is fixed.
    rig.tables.done.sort(key=lambda name: not name.startswith("of"))
    return rig.tables


@given(st.permutations(range(6)))
def test_answers_in_any_order_give_the_same_box(order: list[int]) -> None:
    """E-12, E-14, A-7: answers about instances, and to needs, count in a fixed order."""
    assert box_after(order) == box_after(range(6))


def _place(request: tuple[object, ...]) -> object:
    """Three questions about instances, three about rows."""
    return request[2] if request[0] == "difference" else 3 + int(str(request[1]))


def _answer(request: tuple[object, ...]) -> A:
    if request[0] == "row":
        return A(body=Body((f"row {request[1]}",)))
    return A(set={0: 9}, body=Body((f"of {request[2]}",)))


@settings(deadline=None)
@given(polite, st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_what_only_comes_in_another_order_is_never_asked_for(
    moments: list[tuple[int, int]], order: list[int]
) -> None:
    """G-15, N-10: late repair costs no request."""
    run_polite(moments, order)


# -------------------------------------------------------------------------------------- planted faults

_REPLACE = "self.core.replace((self.cursor,))"
_COMMIT = "self.core.flight.commit(OWNER, ready.draft, lambda"

FAULTS = (
    Fault("what is old is applied again", claims, "check",
          "claim.start == position", "claim.start <= position"),
    Fault("a gap for what follows", claims, "check", "claim.start > position", "claim.start >= position"),
    Fault("a gap is applied", claims, "check", "or claim.start > position", ""),
    Fault("sorted by end alone", decide, "plan", "item[0].start, item[0].end", "item[0].end"),
    Fault("a deadline moves", decide, "_hold", "if piece.deadline is None else piece.deadline", ""),
    Fault("whole groups are put back", Process, "_done",
          "self.core.collect(ready.held)", "self.core.collect(self.pieces)"),
    Fault("what is held is lost", Process, "_done", "if ready.held:", "if False:"),
    Fault("polls of a batch are lost", Process, "_done", "if ready.polls:", "if False:"),
    Fault("a batch that failed is lost", Process, "_give_up", "give_up(self.core, self.pieces)", "pass"),
    Fault("a gap waits though it is passed", decide, "_hold_keyed", "and not piece.origin.claimed", ""),
    Fault("a keyed deadline moves", decide, "_hold_keyed", "if piece.deadline is None else piece.deadline",
          ""),
    Fault("a gap inside an answer is forgotten", decide, "_hold_keyed", "decision.owed.append(", "str("),
    Fault("an unknown instance is forgotten", decide, "_keyed", "if found.unknown:", "if False:"),
    Fault("events before the commit", Process, "_made",
          _COMMIT, f"self.core.publish(ready.draft.operations); {_COMMIT}"),
    Fault("what joins a gap replaces it", Collect, "add",
          "self.pieces += pieces", "self.pieces = list(pieces)"),
    Fault("a slice is the end", PollJob, "_done", "if taken.again:", "if False:"),
    Fault("an answer from another place", PollJob, "_build",
          "if snapshot.positions[self._instance] != self._asked:", "if False:"),
    Fault("a stale answer is not asked for again", PollJob, "_repeat",
          _REPLACE, "self.core.polled(self.cursor)"),
    Fault("nothing is verified", BatchDraft, "apply",
          "if stale := self.stale(tx, protocol):", "if stale := ():"),
    Fault("a round is not verified", RoundDraft, "apply",
          "if moved := part.stale(tx, protocol):", "if moved := ():"),
    Fault("the cursor in a commit of its own", BatchDraft, "write",
          "protocol.advance(tx, cursor, key, parts)", "pass"),
    Fault("a debt in memory alone", BatchDraft, "write", "owe(tx, protocol, self.owes)", "((), ())"),
    Fault("debts of another run are not seen", Machine, "found", "self._debts.found(debts)", "pass"),
    Fault("what is owed once more is paid", Debts, "_pays",
          "if again is None or reaches(found, again):", "if True:"),
    Fault("parts are merged as they came", Debts, "_draft", "sorted(one.found)", "one.found"),
    Fault("answers to needs count as they came", Making, "_ask", "self._fetched[request] = None", "pass"),
    Fault("a stale part is forgotten", Debts, "_ended", "elif instance in stale or", "elif"),
    Fault("a debt asked for in vain is forgotten", Debts, "_ended", "rest += (owed, *found.anew)", "pass"),
    Fault("the first answer is the last", Inquiry, "_made",
          "gathered = self._gathered", "gathered, taken = self._gathered, replace(taken, again=False)"),
    Fault("no poll after a reset", ResetJob, "_done",
          "self.core.poll_next(self.cursor, self.spec.name)", "pass"),
    Fault("one flush is settled", FlushJob, "_settle", "in self.tickets:", "in self.tickets[:1]:"),
    Fault("a job is put before the one that runs", Queue, "sort", "if job.running]", "if False]"),
)  # fmt: skip


def check_many(first: int) -> None:
    """Fixed histories, so that a fault is always found by the same one."""
    for seed in range(first, first + 800):
        random = Random(seed)
        moments = [(random.randrange(24), random.randrange(3)) for _ in range(random.randrange(1, 12))]
        run_polite(moments, [random.randrange(10) for _ in range(12)])
        assert box_after(random.sample(range(6), 6)) == box_after(range(6)), "E-14"
        for begin, names in (([], NAMES), (STARTED, CALM)):
            steps = [(random.choice(names), random.randrange(24)) for _ in range(random.randrange(10, 120))]
            run([*begin, *steps])


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, KeyError, RuntimeError, TypeError)):
        check_many(SEEDS.get(fault.name, 0))
