"""The law of callbacks that subscribe, move, close, write and raise: one documented order, whatever they do.

A real box and a model run the same script: whoever is called next does the next thing in it. The model is
the documented order and nothing else: rounds in the order of commits, each whole; in a round by kind of view,
then creation of the view, then of the subscription; what follows views last; those closed meanwhile left out.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.runtime.tracker_package import PACKAGE, Board, One, PutIssue, RemoveIssue, issue

from pillarbox.box import Box
from pillarbox.box.rounds import Rounds
from pillarbox.views import Emission, Subscription, Tracker, Why
from pillarbox.views import subscription as subscription_module
from pillarbox.views import tracker as tracker_module

#: ("put", number, rank) | ("remove", number) | ("both", number, rank) | ("subscribe", key) |
#: ("follow", keys) | ("close", reader) | ("move", reader, key) | ("raise",) | ("nothing",)
Action: TypeAlias = tuple[Any, ...]
KINDS: Final = (Board, One)

_keys = st.builds(Board, st.just(1), st.integers(1, 2)) | st.builds(One, st.just(1), st.just(1))
_numbers = st.integers(1, 2)
actions: st.SearchStrategy[Action] = st.one_of(
    st.tuples(st.just("put"), _numbers, st.integers(0, 3)),
    st.tuples(st.just("put"), _numbers, st.integers(0, 3)),
    st.tuples(st.just("remove"), _numbers),
    st.tuples(st.just("subscribe"), _keys),
    st.tuples(st.just("follow"), st.lists(_keys, min_size=1, max_size=2).map(tuple)),
    st.tuples(st.just("close"), st.integers(0, 5)),
    st.tuples(st.just("move"), st.integers(0, 3), _keys),
    st.tuples(st.just("move"), st.integers(0, 3), _keys),
    st.just(("raise",)),
    st.just(("nothing",)),
)
outer = st.lists(actions, min_size=1, max_size=12)
scripts = st.lists(actions, max_size=12)
#: (reader, reason, snapshot), in the order in which callbacks were called.
Heard: TypeAlias = list[tuple[int, Why, Any]]


class Real:
    """A box; callbacks take their deeds from the script."""

    def __init__(self, script: list[Action]) -> None:
        self.box = Box(":memory:", PACKAGE, durability="relaxed")
        self.script = deque(script)
        self.readers: list[Subscription[Any]] = []
        self.heard: Heard = []

    def do(self, action: Action) -> None:
        match action:
            case ("put", number, rank):
                self.box.replay([PutIssue(issue(1, number, rank))])
            case ("remove", number):
                self.box.replay([RemoveIssue(1, number)])
            case ("subscribe", key):
                self.listen(self.box.watch(key))
            case ("follow", keys):
                self.listen(self.box.watch_all(*keys))
            case ("close", number):
                if number < len(self.readers):
                    self.readers[number].close()
            case ("move", number, key):
                if number < len(self.readers):
                    reader = self.readers[number]
                    if not reader.closed and type(reader.key) is type(key):
                        reader.move(key)
            case ("raise",):
                raise ValueError("a callback fails")

    def listen(self, subscription: Subscription[Any]) -> None:
        number = len(self.readers)
        self.readers.append(subscription)

        def hear(emission: Emission[Any]) -> None:
            self.heard.append((number, emission.why, emission.snapshot))
            if emission.why is not Why.INITIAL and self.script:
                self.do(self.script.popleft())

        subscription.listen(hear)


class Live:
    """A view of the model."""

    def __init__(self, key: Any, born: int, value: Any) -> None:
        self.key, self.born, self.value = key, born, value
        self.readers: list[int] = []

    @property
    def place(self) -> tuple[int, int, int]:
        return (
            (2, 0, self.born) if isinstance(self.key, tuple) else (0, KINDS.index(type(self.key)), self.born)
        )


class Model:
    """What the documented order says."""

    def __init__(self, script: list[Action]) -> None:
        self.script = deque(script)
        self.ranks: dict[int, int] = {}
        self.lives: dict[Any, Live] = {}
        self.readers: list[Any] = []
        self.born = 0
        self.heard: Heard = []
        self.rounds: deque[list[tuple[int, Why, Any]]] = deque()
        self.delivering = False

    def value(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return tuple(map(self.value, key))
        if isinstance(key, One):
            return self.ranks.get(key.number)
        ranked = sorted(((rank, number) for number, rank in self.ranks.items()), reverse=True)
        return tuple(ranked[: key.limit])

    def live(self, key: Any) -> Live:
        if isinstance(key, tuple):
            if key in self.lives:
                return self.lives[key]
            for each in key:
                self.live(each)
        if key not in self.lives:
            self.lives[key] = Live(key, self.born, self.value(key))
            self.born += 1
        return self.lives[key]

    def let_go(self) -> None:
        """Views go with the last who looks at them."""
        for follows in (True, False):
            followed = {each for key in self.lives if isinstance(key, tuple) for each in key}
            for key, live in list(self.lives.items()):
                if isinstance(key, tuple) is follows and not live.readers and key not in followed:
                    del self.lives[key]

    def do(self, action: Action) -> None:
        match action:
            case ("put", number, rank):
                self.ranks[number] = rank
                self.commit()
            case ("remove", number):
                self.ranks.pop(number, None)
                self.commit()
            case ("subscribe", key) | ("follow", key):
                live = self.live(key)
                self.heard.append((len(self.readers), Why.INITIAL, live.value))
                live.readers.append(len(self.readers))
                self.readers.append(key)
            case ("close", number):
                if number < len(self.readers) and self.readers[number] is not None:
                    self.lives[self.readers[number]].readers.remove(number)
                    self.readers[number] = None
                    self.let_go()
            case ("move", number, key):
                if number < len(self.readers) and type(self.readers[number]) is type(key):
                    self.move(number, key)
            case ("raise",):
                return

    def move(self, number: int, key: Any) -> None:
        if self.readers[number] == key:
            return
        live = self.live(key)
        self.lives[self.readers[number]].readers.remove(number)
        live.readers.append(number)
        self.readers[number] = key
        self.let_go()
        self.deliver([(number, Why.UPDATE_VISIBLE, live.value)])

    def commit(self) -> None:
        emitted = []
        for live in sorted(self.lives.values(), key=lambda it: it.place):
            value = self.value(live.key)
            if value != live.value:
                live.value = value
                emitted += [(number, Why.GENERIC, value) for number in live.readers]
        self.deliver(emitted)

    def deliver(self, emitted: list[tuple[int, Why, Any]]) -> None:
        self.rounds.append(emitted)
        if self.delivering:
            return
        self.delivering = True
        while self.rounds:
            for number, why, value in self.rounds.popleft():
                if self.readers[number] is None:
                    continue
                self.heard.append((number, why, value))
                if self.script:
                    self.do(self.script.popleft())
        self.delivering = False


def plain(snapshot: Any) -> Any:
    """What the model knows of a snapshot."""
    if isinstance(snapshot, tuple):
        return tuple(map(plain, snapshot))
    if hasattr(snapshot, "issue"):
        return None if snapshot.issue is None else snapshot.issue.rank
    # The newest is the first of them, and nothing has a slug.
    return tuple((row.rank, row.number) for row in snapshot.issues)


def check_callbacks(acts: list[Action], script: list[Action]) -> None:
    """A box and the model hear the same in the same order, and end alike."""
    real, model = Real(script), Model(script)
    for act in acts:
        if act != ("raise",):
            real.do(act)
            model.do(act)
        assert [(number, why, plain(snapshot)) for number, why, snapshot in real.heard] == model.heard
    assert [reader.closed for reader in real.readers] == [key is None for key in model.readers]
    assert real.box._tracker.has_subscriptions == bool(model.lives)
    counters = [counters.key for counters in real.box.view_counters()]
    assert len(counters) == len(model.lives)
    real.box.close()


@given(outer, scripts)
def test_callbacks_may_do_anything_in_one_documented_order(acts: list[Action], script: list[Action]) -> None:
    check_callbacks(acts, script)


FAULTS = (
    Fault("a round is told at once", Rounds, "drain", "if self._delivering:", "if False:"),
    Fault(
        "those closed meanwhile are told",
        subscription_module.Subscription,
        "receive",
        "or self._closed",
        "or False",
    ),
    Fault(
        "views that follow come first",
        tracker_module,
        "replay_round",
        "_replay_followers(followed, momentary, deliveries, end)",
        "_replay_followers(followed, momentary, deliveries, end); deliveries.reverse()",
    ),
    Fault(
        "views come in no order",
        tracker_module,
        "replay_round",
        "sorted(views, key=by_order)",
        "sorted(views, key=by_order, reverse=True)",
    ),
    Fault(
        "what raises stops the others",
        subscription_module.Subscription,
        "receive",
        "self._on_error(error)",
        "raise",
    ),
    Fault(
        "a moved subscription is the first",
        Tracker,
        "move",
        "view.subscriptions += (subscription,)",
        "view.subscriptions[:0] = (subscription,)",
    ),
    Fault(
        "a snapshot is frozen late",
        Rounds,
        "drain",
        "taker.receive(what)",
        "taker.receive(taker.live.whole() if hasattr(taker, 'live') else what)",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    hard = settings(HARD, max_examples=3_000)
    with fault.planted(), pytest.raises((AssertionError, ValueError, RuntimeError, IndexError)):
        hard(given(outer, scripts)(check_callbacks))()
