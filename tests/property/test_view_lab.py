# ruff: noqa: E501 -- a schema is shown as it is written
"""Views of a small schema, as generated: after every commit they are as if loaded, whatever they are made of."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import Phase, example, given, settings
from tests.property.lab_world import check_lab, commits, items, lab, operation
from tests.property.mutants import Fault

from pillarbox.views import Each, Entries, GetColumn, GetEach, Nest, PartColumn


@settings(max_examples=60)
@given(commits)
def test_a_generated_view_is_as_if_loaded_after_every_commit(history: Any) -> None:
    check_lab(history)


#: Somebody is named by a row that comes before those which named others.
SELDOM: Final = [
    [("job", 1, 2, "x", 1, 1), ("person", 1, "a", 2), ("person", 2, "a", 2)],
    [("job", 1, 1, "x", 1, 2)],
]
FAULTS: Final = (
    Fault("what hangs on rows moves unseen", Entries, "replay", "MOVED if nest.moved", "MOVED if False"),
    Fault("hidden children move unseen", Nest, "step", "bool(came or touched or gone)", "bool(came or gone)"),
    Fault("children of values move unseen", Each, "replay", "swapped or self.nest.moved", "swapped"),
    Fault("the first of many is the first that came", GetEach, "in_order", "dict.fromkeys(self._wanted_keys())", "found"),
    Fault("a row of zeros stays", GetColumn, "_let_stand", "if row == before or nest is None:", "if before is not None or row == before or nest is None:"),
    Fault("bounds differ unseen", PartColumn, "_look", "if arguments == before:", "if before is not None and type(arguments) is tuple and arguments[:1] == before[:1]:"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    hard = settings(
        max_examples=500,
        phases=[Phase.explicit, Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
    )

    with fault.planted(), pytest.raises((AssertionError, KeyError, TypeError)):
        hard(example(SELDOM)(given(commits)(check_lab)))()


def jobs_of(snapshot: Any) -> list[int]:
    return [entry.row.n for entry in snapshot.jobs]


def put(box: Any, *changes: Any) -> None:
    box.replay([operation(change) for change in changes])


def test_what_hangs_on_a_row_brings_it_in_and_takes_it_out() -> None:
    with lab().box.open_box(":memory:") as box:
        put(box, ("job", 1, 1, "x", 0, 2), ("job", 1, 2, "x", 0, 3), ("person", 3, "b", 2))
        key = lab().views.List(group=1, limit=5, mark=None, room="a")
        subscription = box.watch(key)
        first = jobs_of(subscription.latest.snapshot)

        put(box, ("person", 2, "a", 2))
        both = jobs_of(subscription.latest.snapshot)
        put(box, ("drop person", 3))

        assert (first, both, jobs_of(subscription.latest.snapshot)) == ([2], [1, 2], [1])


def test_bounds_and_beginnings_are_of_the_rest_of_the_key() -> None:
    with lab().box.open_box(":memory:") as box:
        put(box, *(("job", 1, n, "x", 0, None) for n in range(1, 9)))
        put(box, ("person", 1, "ab", 0), ("person", 2, "a", 0), ("person", 3, "b", 0))

        snapshot = box.get(lab().views.Lanes(groups=(1,), limit=2, since=3, name="a"))

    assert [row.n for row in snapshot.some] == [3, 4, 5, 6]
    assert [row.who for row in snapshot.named] == [2, 1]


def test_a_row_that_asks_for_less_than_none_has_none_and_ends_no_view() -> None:
    key = lab().views.Lanes(groups=(1,), limit=1, since=None, name="")
    with lab().box.open_box(":memory:") as box, box.watch(key) as subscription:
        put(box, ("job", 1, 1, "x", 0, 1), ("person", 1, "a", 1))
        before = [len(entry.tasks) for entry in subscription.latest.snapshot.deep]
        put(box, ("person", 1, "a", -1))

        assert (before, [len(entry.tasks) for entry in subscription.latest.snapshot.deep]) == ([1], [0])
        assert box.get(key) == subscription.latest.snapshot


def test_lanes_are_merged_by_what_follows_or_chained() -> None:
    with lab().box.open_box(":memory:") as box:
        put(box, ("job", 2, 3, "a", 1, None), ("job", 2, 1, "b", 4, None), ("job", 1, 2, "c", 3, None))

        snapshot = box.get(lab().views.Lanes(groups=(2, 1), limit=3, since=None, name="-"))

    assert [row.n for row in snapshot.jobs] == [3, 2, 1]
    assert [shown.text for shown in snapshot.chained] == ["a", "b", "c"]


def test_the_first_rows_and_what_hangs_on_rows_are_summed_up() -> None:
    with lab().box.open_box(":memory:") as box:
        put(
            box,
            ("job", 1, 1, "x", 3, 2),
            ("job", 1, 2, "y", 2, 1),
            ("person", 1, "a", 2),
            ("person", 2, "b", 0),
        )
        put(box, ("mark", 1, 1, 1), ("mark", 1, 1, 3))

        snapshot = box.get(lab().views.Firsts(group=1, most=1, whos=(2, 1)))

    assert (snapshot.room_sum, snapshot.first_roomy.n, snapshot.first_person.who) == (2, 2, 1)
    assert [entry.top and entry.top.mark for entry in snapshot.jobs] == [3, None]
    assert [len(entry.few) for entry in snapshot.jobs] == [1, 0]
    assert [shown.text for shown in snapshot.first_few] == ["x"]
    assert (snapshot.first_of_table.n, [row.n for row in snapshot.few_of_table]) == (2, [1])
    assert (snapshot.rooms_known, snapshot.first_room, list(snapshot.owners)) == (2, None, [2])


def test_entries_of_one_shape_are_of_one_class_in_all_views() -> None:
    with lab().box.open_box(":memory:") as box:
        put(box, ("job", 1, 1, "x", 3, 2), ("person", 2, "b", 3))
        views = lab().views

        snapshots = [
            box.get(views.Others(group=1)),
            box.get(views.List(group=1, limit=1, mark=None, room="")),
        ]
        (around,) = box.get(views.Around(group=1, n=1, more=())).jobs.entries

    assert type(around) is views.WithOwnerEntry
    assert [type(snapshot.jobs[0]) for snapshot in snapshots] == [views.WithOwnerEntry] * 2
    assert [type(snapshot.jobs[0].owner) for snapshot in snapshots] == [views.WithOwnerOwner] * 2


def test_a_row_of_zeros_has_what_hangs_on_it() -> None:
    with lab().box.open_box(":memory:") as box:
        put(box, ("job", 1, 1, "x", 3, 2), ("job", 1, 2, "y", 3, None), ("room", 2, "a"), ("mark", 1, 1, 2))
        subscription = box.watch(lab().views.Deep(group=1))
        zeros = [entry.who for entry in subscription.latest.snapshot.jobs]

        put(box, ("person", 2, "b", 2))

        known, nobody = (entry.who for entry in subscription.latest.snapshot.jobs)
    assert [(who.row.who, who.row.name, len(who.tasks)) for who in zeros] == [(2, "", 1), (0, "", 0)]
    assert zeros[0].tasks[0].marks[0].room.name == "a"
    assert (known.row.name, known.room.name, nobody is zeros[1]) == ("b", "a", True)


def test_items_of_a_union_and_filters_say_what_is_read() -> None:
    with lab().box.open_box(":memory:") as box:
        put(
            box,
            ("job", 1, 1, "x", 3, 2),
            ("job", 1, 2, "y", 1, 1),
            ("job", 2, 1, "z", 1, None),
            ("person", 2, "b", 0),
        )
        types, views = lab().types, lab().views

        snapshot = box.get(views.Items(items=items(), asked=types.Asked(score=(3, 5)), group=1))
        by_owner = box.get(views.Items(items=(), asked=types.Asked(score=(), owner=1), group=1))
        by_bits = box.get(views.Items(items=(), asked=types.Asked(score=(), bits=types.Bits.HIGH), group=1))

    assert [(key.group, key.n) for key in snapshot.jobs] == [(1, 2), (2, 1)]
    assert (list(snapshot.owners), snapshot.whole, by_owner.whole) == ([2], True, False)
    assert [[row.n for row in shown.scored] for shown in (snapshot, by_owner, by_bits)] == [[1], [2], [1]]
    assert [entry.job.text for entry in snapshot.each_one] == ["y", "z"]
    assert [(entry.item.n, entry.owner and entry.owner.name) for entry in snapshot.best] == [(1, "b")]
    assert [(key.group, key.n) for key in snapshot.twins] == [(2, 1)]
