"""The laws of views that follow views: one emission a commit, after those followed; nothing stays."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.property.mutants import HARD, Fault
from tests.property.test_view_tracker import BUILDERS, keys
from tests.property.view_laws import Step, plain, starts, steps
from tests.unit.views.fakes import FakeStore

from pillarbox.views import Emission, Over, Subscription, Tracker, Why, deliver

follows = st.lists(keys, min_size=0, max_size=3).map(tuple)


def _all(snapshots: tuple[Any, ...]) -> Any:
    return snapshots


def _sizes(snapshots: tuple[Any, ...]) -> Any:
    """What seldom differs though its views do."""
    return tuple(len(snapshot.get("issues", ())) for snapshot in snapshots)


MAKERS = {"all": _all, "sizes": _sizes}


class Reader:
    """A model subscriber of one view (no `how`) or of several."""

    def __init__(self, how: str, keys: Any, subscription: Subscription[Any], heard: list[Any]) -> None:
        self.how, self.keys = how, keys
        self.subscription = subscription
        self.has: Any = None

        def hear(emission: Emission[Any]) -> None:
            heard.append((self, emission))

        subscription.listen(hear)


class OverMachine(RuleBasedStateMachine):
    """Subscribes to views and to what follows them, closes and commits at random."""

    def __init__(self) -> None:
        super().__init__()
        self.store = FakeStore()
        self.tracker = Tracker(BUILDERS, self.store.readers)
        self.readers: list[Reader] = []
        self.heard: list[tuple[Reader, Emission[Any]]] = []
        self.born = count()

    def opened(self, how: str, keys: Any, subscription: Subscription[Any]) -> None:
        reader = Reader(how, keys, subscription, self.heard)
        [(_, first)] = self.heard
        self.heard.clear()
        assert first.why is Why.INITIAL
        assert plain(first.snapshot) == plain(self.fresh(reader))
        twins = [other.has for other in self.readers if (other.how, other.keys) == (how, keys)]
        assert not twins or twins[0] is first.snapshot, "equal keys do not share"
        reader.has = first.snapshot
        self.readers.append(reader)

    @rule(key=keys)
    def subscribe(self, key: Any) -> None:
        self.opened("", (key,), self.tracker.subscribe(key))

    @rule(how=st.sampled_from(sorted(MAKERS)), follows=follows)
    def follow(self, how: str, follows: tuple[Any, ...]) -> None:
        self.opened(how, follows, self.tracker.subscribe_over((how, follows), follows, MAKERS[how]))

    @precondition(lambda self: self.readers)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        reader = data.draw(st.sampled_from(self.readers))
        self.readers.remove(reader)

        reader.subscription.close()

    @rule(step=starts | steps)
    def commit(self, step: Step) -> None:
        record = step.commit(self.store)

        deliver(self.tracker.replay(record) if step.replayed else self.tracker.refresh_all())

        told = [reader for reader, _ in self.heard]
        assert len({id(reader) for reader in told}) == len(told), "told twice"
        assert [bool(reader.how) for reader in told] == sorted(bool(reader.how) for reader in told), (
            "a view that follows came before one that it may follow"
        )
        heard = dict(self.heard)
        self.heard.clear()
        for reader in self.readers:
            fresh = self.fresh(reader)
            assert (plain(fresh) != plain(reader.has)) == (reader in heard), "not one emission a difference"
            if reader in heard:
                emission = heard[reader]
                assert plain(emission.snapshot) == plain(fresh)
                assert emission.why is Why.GENERIC
                if reader.how == "all":
                    assert [name.split(".")[0] for name in emission.parts] == [
                        str(at) for at in range(len(reader.keys)) if plain(fresh[at]) != plain(reader.has[at])
                    ]
                reader.has = emission.snapshot

    def fresh(self, reader: Reader) -> Any:
        """The snapshot as it should be."""
        loaded = tuple([self.tracker.load_once(key, self.store.readers) for key in reader.keys])
        return MAKERS[reader.how](loaded) if reader.how else loaded[0]

    @invariant()
    def nothing_lives_that_nobody_looks_at(self) -> None:
        followed = {key for reader in self.readers for key in reader.keys}
        assert {view.key for view in self.tracker._views} == followed
        assert set(self.tracker._overs) == {(it.how, it.keys) for it in self.readers if it.how}
        assert bool(self.tracker.interests) == bool(followed)
        for view in self.tracker._views:
            over = {(it.how, it.keys) for it in self.readers if it.how and view.key in it.keys}
            assert {follower.key for follower in view.followers} == over


TestOver = OverMachine.TestCase

FAULTS = (
    Fault("an equal snapshot is emitted", Over, "replay", "if snapshot == self._snapshot:", "if False:"),
    Fault("members are mixed up", Over, "replay", "told.append((at, what))", "told.append((0, what))"),
    Fault("followers are forgotten", Tracker, "_follow", "view.followers += (over,)", "pass"),
    Fault("a followed view dies with its subscriber", Tracker, "_let_go", "and not view.followers", ""),
    Fault("followed views are not let go", Tracker, "_forget_over", "self._let_go(view)", "pass"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, KeyError)):
        run_state_machine_as_test(OverMachine, settings=HARD)
