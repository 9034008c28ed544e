"""Answers that lead nowhere, and always ask for others of which the same is true, or for themselves.

Whether an answer comes at once or in slices that go there and back, which leads nowhere as well; or is a
refusal that the schema answers with a poll of another cursor.

Law. However they ask for one another, time passes: nothing is asked without a pause, and what the program
wants has its turn. Nothing of it is forgotten: what is owed is asked about as long as that stands, and when
answers ask for nothing more all of it ends.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.property.seeds import SEEDS
from tests.property.test_sync_resting import BOTH, two_cursors
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import CHANNEL, DATE, A, Page, State, Tables, U, body, protocol, push

from pillarbox.sync.circles import Circles, _OfLate
from pillarbox.sync.debts import Debts
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.inquiry import Inquiry
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.job_reset import ResetJob
from pillarbox.sync.protocol import Act, AnswerKind, Poll, ResetAsk, SyncProtocol
from pillarbox.sync.signals import Custom, Started
from pillarbox.sync.trails import Trail

#: Who is asked about, and what for: each always says the same.
Who: TypeAlias = tuple[Any, ...]
KEYS: Final = (5, 6)
WHO: Final[tuple[Who, ...]] = (
    *(("difference", cursor, b"") for cursor in BOTH),
    *(("difference", CHANNEL, key) for key in KEYS),
    ("pages", b""),
    *(("pages", key) for key in KEYS),
)
ACTS: Final[tuple[Act, ...]] = (
    *(Poll(cursor) for cursor in BOTH),
    *(Poll(CHANNEL, key) for key in KEYS),
    ResetAsk("everything"),
    *(ResetAsk("channel", key) for key in KEYS),
)
Says: TypeAlias = dict[Who, tuple[Act, ...]]
Sliced: TypeAlias = frozenset[int]
Refused: TypeAlias = frozenset[int]
#: The channels that are answered in two slices, of which the first one asks.
sliced: Final[st.SearchStrategy[Sliced]] = st.frozensets(st.sampled_from(KEYS))
says: Final = st.fixed_dictionaries(
    {who: st.lists(st.sampled_from(ACTS), max_size=2, unique=True).map(tuple) for who in WHO}
)
#: The cursors that are refused, each so that the other one is to be polled.
refused: Final[st.SearchStrategy[Refused]] = st.frozensets(st.sampled_from(BOTH))
#: In a minute each thing is asked about a dozen times for each that asks for it, of which there may be five;
#: in the first one sooner, while it is not known yet who asks in vain, and what rests may end early.
MINUTE_MS: Final = 60_000
MOST: Final = 60
MOST_AT_FIRST: Final = 90
#: Before any time passes.
MOST_AT_ONCE: Final = 20


def each_sends_to_the_other() -> SyncProtocol:
    cursors = two_cursors()
    for cursor, other in zip(BOTH, reversed(BOTH), strict=True):
        errors = {**cursors[cursor].difference.errors, "ELSEWHERE": Poll(other)}
        difference = replace(cursors[cursor].difference, errors=errors)
        cursors[cursor] = replace(cursors[cursor], difference=difference)
    return protocol(cursors=cursors)


SPEC: Final = each_sends_to_the_other()


class World:
    """A server that says of each thing always the same, and a client that begins with what is owed of one."""

    def __init__(self, says: Says, sliced: Sliced, refused: Refused) -> None:
        self.says = says
        self.sliced = sliced
        self.refused = refused
        self.asked: Counter[Who] = Counter()
        self.most = MOST_AT_FIRST
        tables = Tables({(cursor, b""): (10, 5, 7, 0) for cursor in BOTH})
        tables.positions.update({(CHANNEL, key): (50,) for key in KEYS})
        self.rig = Rig(tables, SPEC)
        self.rig.step(Started(self.rig.now, 7))
        self.rig.receive(push(U("lost", acts=(Poll(CHANNEL, 5), Poll(CHANNEL, 6)))))

    def settle(self) -> None:
        """All that is asked now is answered."""
        at_once: Counter[Who] = Counter()
        while self.rig.sent:
            request = next(iter(self.rig.sent.values()))
            who = request[:3] if request[0] == "difference" else request[:2]
            self.asked[who] += 1
            at_once[who] += 1
            assert at_once[who] < MOST_AT_ONCE, f"{who} is asked without a pause"
            assert self.asked[who] < self.most, f"{who} is asked too often"
            if who[-1] == b"" and who[1] in self.refused:
                self.rig.refuse("difference", "ELSEWHERE", cursor=who[1])
                continue
            answer = self._answer(who, request[3:])
            self.rig.answer(request[0], answer, cursor=request[1] if len(request) > 1 else None)

    def _answer(self, who: Who, position: tuple[Any, ...]) -> Any:
        acts = self.says.get(who, ())
        if who[0] == "state":
            return State((10, 5, 7, 0))
        if who[0] == "pages":
            return Page(("page",), at=50, acts=acts)
        if who[1] == CHANNEL and who[2] in self.sliced:
            return self._slice(acts, first=position == ((50,),))
        covered = ((CHANNEL, 0),) if who[1] == CHANNEL else ()
        return A(set={0: 50} if who[1] == CHANNEL else {}, body=body(U("it", acts=acts), covered=covered))

    def _slice(self, acts: tuple[Act, ...], *, first: bool) -> A:
        brought = body(U("it", acts=acts if first else ()), covered=((CHANNEL, 0),))
        kind = AnswerKind.SLICE if first else AnswerKind.FULL
        return A(kind, {0: 51 if first else 50}, brought, again=first)

    def wait(self, milliseconds: int) -> None:
        until = self.rig.now + milliseconds
        while due := [at for at in self.rig.timers.values() if at <= until]:
            self.rig.wait(max(0, min(due) - self.rig.now))
            self.settle()
        self.rig.wait(until - self.rig.now)


NOBODY: Final[Refused] = frozenset()


def check(says: Says, sliced: Sliced, refused: Refused = NOBODY) -> None:
    world = World(says, sliced, refused)
    world.settle()
    world.rig.ask(1, Custom(BatchDraft(operations=("custom",))))
    for _ in range(3):
        world.asked.clear()
        world.wait(MINUTE_MS)
        world.most = MOST
    assert 1 in world.rig.settled, "the program has its turn"
    world.says, world.refused = {}, NOBODY
    world.wait(MINUTE_MS)
    assert world.rig.tables.debts == {}
    assert world.rig.machine.is_resting
    assert not world.rig.machine.updating
    world.asked.clear()
    world.wait(MINUTE_MS)
    assert not world.asked


@given(says, sliced, refused)
def test_answers_that_ask_for_one_another_do_so_once_in_a_while(
    says: Says, sliced: Sliced, refused: Refused
) -> None:
    check(says, sliced, refused)


def test_two_that_are_refused_for_each_other_are_asked_about_once_in_a_while() -> None:
    check({}, frozenset(), frozenset(BOTH))


SMALLEST: Final[tuple[Says, ...]] = (
    {("difference", BOTH[0], b""): (ACTS[1],), ("difference", BOTH[1], b""): (ACTS[0],)},
    {("difference", CHANNEL, 5): (ACTS[3],), ("difference", CHANNEL, 6): (ACTS[2],)},
    {("difference", CHANNEL, 5): (ACTS[2],)},
)


@pytest.mark.parametrize("says", SMALLEST)
def test_the_smallest_circles_turn_once_in_a_while(says: Says) -> None:
    for sliced in (frozenset[int](), frozenset(KEYS)):
        check(says, sliced)


def check_later() -> None:
    """Who asked in vain for another, and long after is asked for by that one."""
    one, other = WHO[2:4]
    world = World({one: (Poll(*other[1:]),)}, frozenset(), NOBODY)
    world.settle()
    world.wait(MINUTE_MS)
    assert world.rig.machine.is_resting
    world.says = {other: (Poll(*one[1:]),)}
    world.asked.clear()
    world.rig.receive(push(U("lost", acts=(Poll(*other[1:]),))))
    world.settle()
    assert world.asked == {one: 1, other: 1}


def test_who_asked_in_vain_long_ago_is_asked_for_at_once() -> None:
    check_later()


# ------------------------------------------------------------------------------- answers that lead round

#: What each answers besides that it leads to the next place; and who comes in slices, so that there is more.
ROUNDS: Final[dict[str, tuple[Says, frozenset[Who]]]] = {
    "slices": ({WHO[0]: ()}, frozenset(WHO[:1])),
    "slices of instances": ({WHO[2]: (), WHO[3]: ()}, frozenset(WHO[2:4])),
    "one has itself polled": ({WHO[0]: (Poll(BOTH[0]),)}, frozenset()),
    "two have each other polled": ({WHO[0]: (Poll(BOTH[1]),), WHO[1]: (Poll(BOTH[0]),)}, frozenset()),
    "one owes itself": ({WHO[2]: (Poll(CHANNEL, 5),)}, frozenset()),
    "two owe each other": ({WHO[2]: (Poll(CHANNEL, 6),), WHO[3]: (Poll(CHANNEL, 5),)}, frozenset()),
    "one owes, the other's recipe polls": (
        {WHO[0]: (Poll(CHANNEL, 5),), ("pages", 5): (Poll(BOTH[0]),)},
        frozenset(),
    ),
}


class Round(World):
    """Each answer leads to another place, and all places lie in one round; stamps are new each time."""

    def __init__(self, says: Says, sliced: frozenset[Who], places: int) -> None:
        self.places, self.slices = places, sliced
        super().__init__(says, frozenset(), NOBODY)
        self.most = 60 * places

    def _answer(self, who: Who, position: tuple[Any, ...]) -> Any:
        if who[0] != "difference" or who not in self.says:
            return super()._answer(who, position)
        ((value, *_),) = position
        base = 50 if who[1] == CHANNEL else 10
        sets = {0: base + (value - base + 1) % self.places}
        if who[1] != CHANNEL:
            sets[DATE] = self.asked.total()
        covered = ((CHANNEL, 0),) if who[1] == CHANNEL else ()
        again = who in self.slices
        brought = body(U("it", acts=self.says[who]), covered=covered)
        return A(AnswerKind.SLICE if again else AnswerKind.FULL, sets, brought, again=again)


def check_round(name: str, places: int) -> None:
    world = Round(*ROUNDS[name], places)
    world.settle()
    world.rig.ask(1, Custom(BatchDraft(operations=("custom",))))
    for _ in range(3):
        world.asked.clear()
        world.wait(MINUTE_MS)
        assert all(world.asked[who] > places for who in world.says if who[0] != "pages"), (
            "it may lead on by then"
        )
    assert 1 in world.rig.settled, "the program has its turn"
    world.says = {}
    world.wait(MINUTE_MS)
    assert world.rig.tables.debts == {}
    assert world.rig.machine.is_resting
    assert not world.rig.machine.updating


@pytest.mark.parametrize("places", [2, 3, 5])
@pytest.mark.parametrize("name", ROUNDS)
def test_answers_that_lead_round_do_so_once_in_a_while(name: str, places: int) -> None:
    check_round(name, places)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("nobody is known to have asked in vain", Circles, "at_once",
          "self._vain.put(of, True)", "pass"),
    Fault("who asked in vain is remembered", _OfLate, "pop", "<= since", "<= since - 10**9"),
    Fault("what is newer is forgotten too", _OfLate, "pop", "<= since", "< since + 10**9"),
    Fault("only the last slice counts", Circles, "at_once", "for ready in readies)",
          "for ready in readies[-1:])"),
    Fault("slices that ask for themselves go round", Inquiry, "_made",
          "for it in gathered.readies)", "for it in gathered.readies[-1:])"),
    Fault("a poll goes round", Circles, "at_once", "ready.polls or ready.owed", "ready.owed"),
    Fault("a debt goes round", Circles, "_out_of", "if it.debt.instance not in circle", "if True"),
    Fault("what is put off is forgotten", Debts, "put_off", "self._rest((owed,))", "pass"),
    Fault("what is put off while it is asked is asked at once", Debts, "put_off",
          "asked.put_off.add(instance)", "pass"),
    Fault("what an instance asks for goes round", Debts, "_ended",
          "leads_on=leads_on", "leads_on=True"),
    Fault("what a refusal asks for goes round", PollJob, "_ask_for", "leads_on=False", "leads_on=True"),
    Fault("what a poll asks for goes round", PollJob, "_done", "leads_on=leads and not turns)",
          "leads_on=True)"),
    Fault("what the recipe of an instance asks for goes round", Debts, "_remade",
          "leads_on=False", "leads_on=True"),
    Fault("what a recipe asks for goes round", ResetJob, "_done", "leads_on=False", "leads_on=True"),
    Fault("nobody is back", Trail, "is_back", "return True", "return False"),
    Fault("the place that is kept is always the last but one", Trail, "is_back", "2 * self._most", "1"),
    Fault("a stamp is a place", Trail, "_place", "if part.kind is not PartKind.STAMP", ""),
    Fault("slices that lead round", Inquiry, "_made", "moves and not self._trail.is_back(there)", "moves"),
    Fault("a poll that leads round", PollJob, "_done", "(turns or not leads)", "not leads"),
    Fault("what a poll that leads round asks for", PollJob, "_done", "leads and not turns)", "leads)"),
    Fault("an instance that leads round", Debts, "_ended", "turns and (found.more or found.anew)", "False"),
    Fault("what an instance that leads round asks for", Debts, "_ended", "found.leads_on and not turns",
          "found.leads_on"),
    Fault("that an instance leads round is not asked", Debts, "_goes_round", "found.leads_on and found.asks",
          "False"),
)  # fmt: skip


def check_many(first: int) -> None:
    """Fixed servers, so that a fault is always found by the same one."""
    for asking in SMALLEST:
        check(asking, frozenset(KEYS))
    check_later()
    for name in ROUNDS:
        check_round(name, 2)
        check_round(name, 3)
    for seed in range(first, first + 100):
        random = Random(seed)
        says = {who: tuple(random.sample(ACTS, random.randrange(3))) for who in WHO}
        check(says, frozenset(KEYS[: seed % 3]), frozenset(BOTH[: seed % 4]) if seed % 2 else NOBODY)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        check_many(SEEDS.get(fault.name, 0))
