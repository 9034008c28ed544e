"""The laws of what an emission tells beside its snapshot: what a commit did, and by which rows it differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from tests.property.mutants import HARD, Fault
from tests.property.view_laws import Step, starts, steps
from tests.unit.views.fakes import BY_RANK, ISSUES, PEOPLE, FakeStore, Issue, Person, issue_key

from pillarbox.views import (
    Changes,
    Column,
    Emission,
    Entries,
    Get,
    GetColumn,
    GetEach,
    Nest,
    QueueFull,
    Readers,
    Scan,
    Subscription,
    Tracker,
    View,
    Why,
    deliver,
)
from pillarbox.views import touched as touched_module
from pillarbox.views import tracker as tracker_module
from pillarbox.views.parts import Part

KINDS = ("any", "inserted", "removed", "updated")


class Log(msgspec.Struct, frozen=True):
    """Key of a view of one person's projects: what happened there, and who is it."""

    person_id: int
    kind: str
    small: bool


def log(key: Log, readers: Readers) -> View[Any]:
    """What is looked at goes with the person's team, so that the prefix moves."""
    person = Get(PEOPLE, at=lambda: key.person_id)

    def prefix() -> bytes | None:
        return None if person.row is None else b"" if person.row.team == 3 else bytes((person.row.team,))

    changes = Changes(
        ISSUES,
        prefix=prefix,
        kind=key.kind,  # type: ignore[arg-type]  # one of the words
        where=(lambda row: row.rank < 2) if key.small else None,
        after=(person,),
    )
    return View(
        key,  # type: ignore[arg-type]  # made without `__snapshot__`, which only types need
        (person, changes),
        lambda: {"person": person.value, "changes": changes.value},
        names=("person", "changes"),
    )


class Reader:
    """A model subscriber."""

    def __init__(self, key: Log, subscription: Subscription[Any], heard: list[Any]) -> None:
        self.key = key
        self.subscription = subscription
        subscription.listen(lambda emission: heard.append((self, emission)))


class ChangesMachine(RuleBasedStateMachine):
    """Subscribes and commits at random; readers by callback, and one that reads late."""

    def __init__(self) -> None:
        super().__init__()
        self.store = FakeStore()
        self.tracker = Tracker({Log: log}, self.store.readers)
        self.readers: list[Reader] = []
        self.heard: list[tuple[Reader, Emission[Any]]] = []

    @rule(key=st.builds(Log, st.integers(0, 2), st.sampled_from(KINDS), st.booleans()))
    def subscribe(self, key: Log) -> None:
        reader = Reader(key, self.tracker.subscribe(key), self.heard)  # type: ignore[arg-type]
        [(_, first)] = self.heard
        self.heard.clear()
        assert first.snapshot == {"person": self.store.people.get(key.person_id), "changes": ()}
        assert self.tracker.load_once(key, self.store.readers) == first.snapshot  # type: ignore[arg-type]
        self.readers.append(reader)

    @rule(step=starts | steps)
    def commit(self, step: Step) -> None:
        before = dict(self.store.people)
        record = step.commit(self.store)

        deliver(self.tracker.replay(record) if step.replayed else self.tracker.refresh_all())

        heard = dict(self.heard)
        assert len(heard) == len(self.heard), "told twice"
        self.heard.clear()
        for reader in self.readers:
            person = self.store.people.get(reader.key.person_id)
            told: tuple[Issue, ...] = ()
            if step.replayed:
                told = _told(reader.key, person.team if person else None, record.tables.get(ISSUES.id, {}))
            differs = bool(told) or person != before.get(reader.key.person_id)
            assert differs == (reader in heard), "not every change was told, or what was none"
            if differs:
                assert heard[reader].snapshot == {"person": person, "changes": told}
                if told:
                    keys = heard[reader].keys
                    assert keys is not None
                    assert keys["changes"] == tuple((row.project, row.number) for row in told)


def _told(key: Log, team: int | None, changes: Mapping[Any, Any]) -> tuple[Issue, ...]:
    rows = []
    for _, (before, after) in sorted(changes.items()):
        row = before if after is None else after
        kind = "removed" if after is None else "inserted" if before is None else "updated"
        inside = team is not None and (team == 3 or row.project == team)
        if inside and key.kind in ("any", kind) and (row.rank < 2 or not key.small):
            rows.append(row)
    return tuple(rows)


TestChanges = ChangesMachine.TestCase

CHANGES_FAULTS = (
    Fault(
        "removed rows are told as they are", Changes, "_rows", "before if after is None else after", "after"
    ),
    Fault("any kind is told", Changes, "_rows", 'not in ("any",', 'not in ("any", *_KINDS.values(),'),
    Fault("a moved prefix is not followed", Changes, "replay", "self._listen(prefix)", "pass"),
    Fault(
        "what comes under a moved prefix is not told",
        Changes,
        "replay",
        "deltas = _under(prefix, reads.changes_of(self.spec.id))",
        "deltas = ()",
    ),
    Fault("changes are kept for those who come later", View, "forget", "part.forget()", "pass"),
    Fault("the snapshot is kept for those who come later", View, "forget", "self._snapshot = None", "pass"),
    Fault("nothing is forgotten", tracker_module, "replay_round", "live.forget()", "pass"),
)


@pytest.mark.parametrize("fault", CHANGES_FAULTS, ids=str)
def test_a_planted_fault_in_changes_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, AttributeError)):
        run_state_machine_as_test(ChangesMachine, settings=HARD)


def test_a_subscription_to_changes_gets_every_emission_or_ends() -> None:
    store = FakeStore()
    tracker = Tracker({Log: log}, store.readers)
    store.commit(people=[Person(1, "ann", 3)])
    subscription: Subscription[Any] = tracker.subscribe(Log(1, "any", False), queue_max=3)  # type: ignore[arg-type]

    for rank in (1, 2):
        deliver(tracker.replay(store.commit(issues=[Issue(1, 1, rank)])))
    told = [next(subscription).snapshot["changes"] for _ in range(3)]

    assert told == [(), (Issue(1, 1, 1),), (Issue(1, 1, 2),)]
    for rank in (3, 0, 1, 2):
        deliver(tracker.replay(store.commit(issues=[Issue(1, 1, rank)])))
    with pytest.raises(QueueFull):
        list(subscription)


# ------------------------------------------------------------------------------------ by which rows


class Wall(msgspec.Struct, frozen=True):
    """Key of a view with rows of many kinds."""

    project: int
    limit: int


def wall(key: Wall, readers: Readers) -> View[Any]:
    first = Get(ISSUES, at=lambda: issue_key(key.project, 1))
    who = Get(PEOPLE, at=lambda: None if first.row is None else first.row.assignee, after=(first,))
    ranked = Scan(
        BY_RANK,
        prefix=lambda: bytes((key.project,)),
        limit=lambda: key.limit,
        source=ISSUES,
        source_key=lambda row: issue_key(row.project, row.number),
        hidden=True,
    )
    column: Column = GetColumn(PEOPLE, key=lambda row: row.assignee)
    cards: Entries[Any] = Entries(
        ranked, Nest([column], name=lambda row: (row.project, row.number), make=lambda *shown: shown)
    )
    people = GetEach(
        PEOPLE,
        name=lambda row: row.person_id,
        of=ranked,
        keys=lambda row: () if row.assignee is None else (row.assignee,),
    )
    parts: tuple[Part, ...] = (first, who, ranked, cards, people)
    names = ("first", "who", "ranked", "cards", "people")
    return View(
        key,  # type: ignore[arg-type]
        parts,
        lambda: {name: part.value for name, part in zip(names, parts, strict=True) if part.shows},
        names=names,
    )


def _held(snapshot: Any) -> dict[str, dict[Any, Any]]:
    """Part -> key -> what is shown under it."""
    first, who = snapshot["first"], snapshot["who"]
    return {
        "first": {} if first is None else {(first.project, first.number): first},
        "who": {} if who is None else {(who.person_id,): who},
        "cards": {(row.project, row.number): (row, person) for row, person in snapshot["cards"]},
        "people": {(key,): row for key, row in snapshot["people"].items()},
    }


def check_keys(key: Wall, start: Step, history: list[Step], taken: list[bool]) -> None:
    """What an emission tells by keys is what differs between two snapshots, also if several are merged."""
    store = FakeStore()
    start.commit(store)
    tracker = Tracker({Wall: wall}, store.readers)
    subscription: Subscription[Any] = tracker.subscribe(key)  # type: ignore[arg-type]
    emission = next(subscription)
    assert emission.why is Why.INITIAL
    assert emission.keys is None
    has, waits = _held(emission.snapshot), False
    for step, take in zip(history, taken, strict=False):
        record = step.commit(store)
        deliveries = tracker.replay(record) if step.replayed else tracker.refresh_all()
        deliver(deliveries)
        waits = waits or bool(deliveries)
        if take and waits:
            waits, emission = False, next(subscription)
            now, keys = _held(emission.snapshot), emission.keys
            assert keys is not None
            for part, rows in now.items():
                differ = {name for name in {*rows, *has[part]} if rows.get(name) != has[part].get(name)}
                told = set(keys.get(part, ()))
                assert differ <= told, f"a difference of {part} is not told"
                assert all(len(keys[name]) == len(set(keys[name])) for name in keys), "told twice"
                assert (part in emission.parts) == (part in keys)
            has = now


histories = st.lists(steps, min_size=1, max_size=6)
keys = st.builds(Wall, st.integers(1, 2), st.integers(0, 3))
takes = st.lists(st.booleans(), min_size=6, max_size=6)


@given(keys, starts, histories, takes)
def test_an_emission_tells_by_which_rows_its_parts_differ(
    key: Wall, start: Step, history: list[Step], taken: list[bool]
) -> None:
    check_keys(key, start, history, taken)


def check_untold(key: Wall, start: Step, history: list[Step], known: list[bool]) -> None:
    """Where nobody could say at once what became of a commit, all that differs since is told later."""
    store = FakeStore()
    start.commit(store)
    tracker = Tracker({Wall: wall}, store.readers)
    subscription: Subscription[Any] = tracker.subscribe(key)  # type: ignore[arg-type]
    has = _held(next(subscription).snapshot)
    untold: list[Any] = []
    for step, is_known in zip(history, known, strict=False):
        record = step.commit(store)
        if is_known or untold:
            deliveries, untold = tracker.refresh_all(untold), []
        else:
            deliveries, untold = [], tracker.replay(record)
        deliver(deliveries)
        now = _held(subscription.latest.snapshot)
        if not deliveries:
            assert untold or now == _held(tracker.load_once(key, store.readers))  # type: ignore[arg-type]
            continue
        emission = next(subscription)
        assert now == _held(tracker.load_once(key, store.readers))  # type: ignore[arg-type]
        for part, rows in now.items():
            differ = {name for name in {*rows, *has[part]} if rows.get(name) != has[part].get(name)}
            assert emission.keys is not None
            assert differ <= set(emission.keys.get(part, ())), f"a difference of {part} is not told"
        has = now


@given(keys, starts, histories, takes)
def test_what_nobody_could_tell_at_once_is_told_later(
    key: Wall, start: Step, history: list[Step], known: list[bool]
) -> None:
    check_untold(key, start, history, known)


UNTOLD_FAULTS = (
    Fault(
        "only what differs since is told", Tracker, "refresh_all", "last_of(heard_not.get(one), what)", "what"
    ),
    Fault("what was not told is forgotten", Tracker, "refresh_all", "missed + deliveries", "deliveries"),
)


@pytest.mark.parametrize("fault", UNTOLD_FAULTS, ids=str)
def test_a_planted_fault_in_what_is_told_later_is_found(fault: Fault) -> None:
    law = HARD(given(keys, starts, histories, takes)(check_untold))
    with fault.planted(), pytest.raises(AssertionError):
        law()


def check_exact(key: Wall, start: Step, history: list[Step]) -> None:
    """Of one commit that is replayed, exactly what differs is told."""
    store = FakeStore()
    start.commit(store)
    tracker = Tracker({Wall: wall}, store.readers)
    got: list[Emission[Any]] = []
    tracker.subscribe(key).listen(got.append)  # type: ignore[arg-type]
    has = _held(got.pop().snapshot)
    for step in history:
        record = step.commit(store)
        deliver(tracker.replay(record) if step.replayed else tracker.refresh_all())
        for emission in got:
            now = _held(emission.snapshot)
            assert emission.keys is not None
            for part, rows in now.items():
                differ = {name for name in {*rows, *has[part]} if rows.get(name) != has[part].get(name)}
                assert set(emission.keys.get(part, ())) == differ, part
            has = now
        got.clear()


@given(keys, starts, histories)
def test_of_one_commit_exactly_what_differs_is_told(key: Wall, start: Step, history: list[Step]) -> None:
    check_exact(key, start, history)


KEYS_FAULTS = (
    Fault("children are not told", Entries, "mark", "(spec, (), (), self.nest.dirty)", "(spec, (), (), ())"),
    Fault(
        "what went is left out", touched_module, "_keys_of", "[key for key in old if key not in new]", "[]"
    ),
    Fault("rows that stay are told", touched_module, "_keys_of", "if old.get(key) != row", ""),
    Fault("rows of old moves are told", Entries, "mark", "if of.bit & moved else", "if True else"),
    Fault("what was is left out", Get, "mark", "() if self.was is None else", "() if True else"),
)


@pytest.mark.parametrize("fault", KEYS_FAULTS, ids=str)
def test_a_planted_fault_in_keys_is_found(fault: Fault) -> None:
    hard = settings(HARD, max_examples=3_000)
    with fault.planted(), pytest.raises(AssertionError):
        hard(given(keys, starts, histories)(check_exact))()


def test_a_merge_that_forgets_the_missed_rows_is_found() -> None:
    fault = Fault(
        "merging forgets what was missed",
        touched_module.Touched,
        "and_then",
        "self.parts + later.parts, self.marks + later.marks",
        "later.parts, later.marks",
    )
    with fault.planted(), pytest.raises(AssertionError):
        settings(HARD, max_examples=3_000)(given(keys, starts, histories, takes)(check_keys))()


def test_after_many_emissions_that_nobody_took_rows_are_not_told() -> None:
    store = FakeStore()
    store.commit(issues=[Issue(1, 1)])
    tracker = Tracker({Wall: wall}, store.readers)
    subscription: Subscription[Any] = tracker.subscribe(Wall(1, 3))  # type: ignore[arg-type]
    next(subscription)

    for rank in range(64):
        deliver(tracker.replay(store.commit(issues=[Issue(1, 1, 1 + rank % 3)])))
    assert next(subscription).keys is not None
    for rank in range(66):
        deliver(tracker.replay(store.commit(issues=[Issue(1, 1, 1 + rank % 3)])))

    emission = next(subscription)
    assert emission.keys is None
    assert emission.parts == ("first", "cards")
