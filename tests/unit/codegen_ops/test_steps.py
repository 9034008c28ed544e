"""What steps do, one operation at a time, in a transaction over an engine in memory."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from tests.unit.codegen_ops.lab import lab
from tests.unit.codegen_ops.making import Bench

from pillarbox.errors import RangeError, UsageError


@pytest.fixture
def bench() -> Bench:
    return Bench(lab())


def job(n: int, *, group: int = 1, text: str = "t", **fields: Any) -> Any:
    return lab().types.Jobs(group=group, n=n, text=text, **fields)


def op(name: str, **params: Any) -> Any:
    return getattr(lab().operations, name)(**params)


def told(bench: Bench) -> list[tuple[str, int]]:
    """The events `told` so far."""
    return [(event.text, event.n) for event in bench.tx._events if type(event).__name__ == "Told"]


def jobs(bench: Bench) -> dict[int, str]:
    return {row.n: row.text for row in bench.tx.jobs.all()}


# ---------------------------------------------------------------------------------- require, if, each


def test_a_require_that_fails_runs_its_else_and_ends_the_operation(bench: Bench) -> None:
    bench.replay(op("RequireText", text="", n=1), op("RequireText", text="x", n=2))

    assert told(bench) == [("no text", 0)]
    assert [row.n for row in bench.tx.plain.all()] == [2]


def test_a_require_inside_a_loop_ends_the_operation_at_the_first_that_fails(bench: Bench) -> None:
    bench.replay(op("RequireEach", ns=(1, -2, -3)), op("RequireEach", ns=(1,)))

    assert told(bench) == [("bad", -2), ("all good", 0)]


def test_a_require_counts_only_where_its_when_holds(bench: Bench) -> None:
    bench.replay(op("RequireEach", ns=()), op("RequireEach", ns=(1,) * 9))

    assert told(bench) == [("all good", 0)]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [(True, True, []), (True, False, ["a only", "end"]), (False, True, ["no a", "end"])],
)
def test_a_require_inside_a_branch_ends_the_whole_operation(
    a: bool, b: bool, expected: list[str], bench: Bench
) -> None:
    bench.replay(op("Nested", a=a, b=b))

    assert [text for text, _ in told(bench)] == expected


# ---------------------------------------------------------------------------------------------- put


def test_a_put_over_a_list_names_what_it_wrote_and_replaced(bench: Bench) -> None:
    bench.replay(op("PutJob", job=job(2)))

    bench.replay(op("PutJobs", jobs=(job(1, score=5), job(2, score=5), job(3, score=1)), least=5))

    seen = [(event.n, event.was) for event in bench.tx._events]
    assert seen == [(1, False), (2, True)]
    assert jobs(bench) == {1: "t", 2: "t"}


def test_a_put_of_new_rows_leaves_known_ones_and_does_not_name_them(bench: Bench) -> None:
    bench.replay(op("PutJob", job=job(1, text="old")))

    bench.replay(op("PutNew", jobs=(job(1, text="new"), job(2, text="new"), job(2, text="newer"))))

    assert jobs(bench) == {1: "old", 2: "new"}
    assert told(bench) == [("new", 1)]


def test_a_put_of_known_rows_writes_nothing_else(bench: Bench) -> None:
    bench.replay(op("PutOld", job=job(1)), op("PutJob", job=job(1)), op("PutOld", job=job(1, text="new")))

    assert jobs(bench) == {1: "new"}
    assert told(bench) == [("none", 0), ("t", 0)]


@pytest.mark.parametrize(("wanted", "text"), [(True, "t"), (False, "none")])
def test_what_a_put_names_is_none_where_it_was_not_wanted(wanted: bool, text: str, bench: Bench) -> None:
    bench.replay(op("PutIf", job=job(1), wanted=wanted))

    assert told(bench) == [(text, 0)]


def test_numbers_are_filled_in_and_seen_by_later_steps(bench: Bench) -> None:
    bench.replay(
        *(op("Order", group=1, at=at, text="o") for at in (5, 6)), op("Order", group=2, at=5, text="o")
    )

    assert told(bench) == [("o", 1), ("o", 2), ("o", 1)]


def test_new_means_new_by_identity(bench: Bench) -> None:
    order = lab().types.Orders
    bench.replay(op("Order", group=1, at=5, text="first"))

    bench.replay(
        op("OrderNew", orders=(order(group=1, at=9, n=1, text="moved"), order(group=1, at=9, text="new")))
    )

    assert told(bench)[1:] == [("new", 2)]
    assert [(row.at, row.text) for row in bench.tx.orders.all()] == [(5, "first"), (9, "new")]


def test_a_lookup_in_a_derived_table_sees_earlier_steps(bench: Bench) -> None:
    bench.replay(op("CountOrders", group=1, at=1), op("CountOrders", group=1, at=2))

    assert told(bench) == [("orders", 1), ("orders", 2)]


# --------------------------------------------------------------------------------------------- patch


def test_a_patch_changes_the_row_as_it_was(bench: Bench) -> None:
    bench.replay(op("PutJob", job=job(1, marks=0b110, score=3, best=9)))

    bench.replay(op("PatchJob", group=1, n=1, by=4, set=0b011, clear=0b010))

    row = bench.tx.jobs.get(1, 1)
    assert (row.score, row.best, row.marks) == (7, 9, 0b101)


def test_the_greatest_of_nothing_and_a_number_is_the_number(bench: Bench) -> None:
    bench.replay(op("PutJob", job=job(1)), op("PatchJob", group=1, n=1, by=-4, set=0, clear=0))

    assert bench.tx.jobs.get(1, 1).best == -4


def test_a_patch_of_an_absent_row_does_nothing(bench: Bench) -> None:
    bench.replay(op("PatchJob", group=1, n=1, by=4, set=0, clear=0))

    assert bench.tx.jobs.all() == []


def test_a_patch_that_creates_starts_from_that(bench: Bench) -> None:
    bench.replay(op("OwnJob", group=1, n=1, owner=7, text="mine"))
    made = bench.tx.jobs.get(1, 1)

    bench.replay(op("OwnJob", group=1, n=1, owner=None, text="yours"))
    changed = bench.tx.jobs.get(1, 1)

    assert (made.owner, made.text, made.score) == (7, "mine", 11)
    assert (changed.owner, changed.text, changed.score) == (None, "yours", 12)


def test_a_patch_that_only_creates_leaves_what_is_there(bench: Bench) -> None:
    bench.replay(
        op("PutJob", job=job(1, text="old")), op("MakeJob", group=1, n=1), op("MakeJob", group=1, n=2)
    )

    assert jobs(bench) == {1: "old", 2: "made"}


def test_a_patch_that_changes_nothing_is_no_change(bench: Bench) -> None:
    bench.replay(op("PutJob", job=job(1, best=5)))
    bench.commit()

    bench.replay(op("PatchJob", group=1, n=1, by=0, set=0, clear=0b111))

    assert not bench.commit()


def test_the_least_is_taken_where_there_is_one(bench: Bench) -> None:
    bench.replay(
        op("PutJob", job=job(1, best=5)), op("PutJob", job=job(2)), op("TakeBest", group=1, ns=(1, 2))
    )

    assert [row.best for row in bench.tx.jobs.all()] == [1, 2]
    assert told(bench) == [("many", 0)]


def test_a_row_that_was_looked_up_is_not_read_again_until_something_is_written(bench: Bench) -> None:
    bench.replay(op("PutJob", job=job(1)), op("RaiseJob", group=1, n=1, times=(1, 2)))
    bench.replay(op("PutJob", job=job(2)), op("RaiseJob", group=1, n=2, times=()))
    bench.replay(op("RaiseJob", group=1, n=3, times=(1,)))

    assert [row.score for row in bench.tx.jobs.all()] == [114, 101]
    assert told(bench) == [("nothing", 0)]
    # Looked up twice; patched in the loop, behind it, and at the end: not where `raised` is known.
    assert inspect.getsource(lab().replay.Replay.raise_job).count("jobs.get(") == 5


# ------------------------------------------------------------------------------- remove, cursors, let


def test_remove_takes_one_row_or_all_under_a_prefix(bench: Bench) -> None:
    bench.replay(*(op("PutJob", job=job(n)) for n in (1, 2, 3)), op("PutJob", job=job(9, group=2)))

    bench.replay(op("RemoveJob", group=1, n=2))
    after_one = jobs(bench)
    bench.replay(op("RemoveJob", group=1, n=None))

    assert after_one == {1: "t", 3: "t", 9: "t"}
    assert jobs(bench) == {9: "t"}


def test_remove_under_nothing_takes_everything(bench: Bench) -> None:
    bench.replay(
        op("PutJob", job=job(1)), op("PutJob", job=job(9, group=2)), op("RequireText", text="x", n=2)
    )

    bench.replay(op("ClearJobs"), op("ClearPlain"))

    assert bench.tx.jobs.all() == []
    assert bench.tx.plain.all() == []


def test_setting_a_part_of_a_cursor_keeps_the_others(bench: Bench) -> None:
    bench.replay(op("SetRev", group=1, rev=4))
    first = bench.tx.stream.get(1)

    bench.replay(op("SetBoth", group=1, rev=5, at=50), op("SetRev", group=1, rev=6))

    assert (first.rev, first.at) == (4, 0)
    assert (bench.tx.stream.get(1).rev, bench.tx.stream.get(1).at) == (6, 50)


def test_a_lookup_with_an_absent_part_of_its_key_finds_nothing(bench: Bench) -> None:
    bench.replay(op("PutJob", job=job(1)), op("Look", group=1, n=1), op("Look", group=1, n=None))

    assert told(bench) == [("t", 0), ("nothing", 0)]


# ------------------------------------------------------------------------------------------- replay


def test_what_is_no_operation_is_refused_before_anything_is_applied(bench: Bench) -> None:
    with pytest.raises(UsageError, match="int is no operation of this schema"):
        bench.replay(op("PutJob", job=job(1)), 3)

    assert bench.tx.jobs.all() == []


def test_a_key_out_of_range_is_told_only_where_it_is_used(bench: Bench) -> None:
    bench.replay(op("TakeBest", group=1 << 40, ns=()))

    with pytest.raises(RangeError, match="group"):
        bench.replay(op("TakeBest", group=1 << 40, ns=(1,)))


def test_operations_survive_their_bytes() -> None:
    operations = lab().operations
    given = op("PutJobs", jobs=(job(1, owner=7, best=None),), least=-3)

    assert operations.decode_operation(operations.encode_operation(given)) == given
