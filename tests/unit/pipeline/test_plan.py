"""How a plan cuts: sizes, buckets, and what it refuses to cut by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.pipeline.history import ADAPTER

from pillarbox.errors import DataError, UsageError
from pillarbox_spark.adapters import Found, Piece, Skipped
from pillarbox_spark.plan import (
    Input,
    Plan,
    PlanOptions,
    check_unchanged,
    find_inputs,
    left_out,
    look_at,
    make_plan,
)

INPUTS = (Input("one", 1_000, 0), Input("two", 1_000, 0))


class Index:
    """An adapter of which only the index is there."""

    def __init__(self, *found: Found) -> None:
        self._found = found

    def index(self, file: int, path: Path, piece_bytes: int) -> Iterator[Found]:
        for found in self._found:
            if isinstance(found, Skipped) or found.file == file:  # type: ignore[union-attr]
                yield found


def piece(file: int, begin: int, end: int, group: str | None) -> Piece:
    """A piece of a record a byte."""
    return Piece(file, begin, end, begin, end - begin, group)


def plan_of(options: PlanOptions, *found: Found) -> Plan:
    return make_plan(Index(*found), INPUTS, options, lambda file, refused: None)  # type: ignore[arg-type]


def dealt(plan: Plan) -> list[list[tuple[str | None, bool]]]:
    return [[(load.piece.group, load.spills) for load in loads] for loads in plan.tasks]


def test_groups_share_a_task_up_to_the_size_of_a_shard() -> None:
    plan = plan_of(
        PlanOptions(shard_bytes=100), *(piece(0, at, at + 40, f"g{at}") for at in range(0, 200, 40))
    )

    assert [len(loads) for loads in plan.tasks] == [2, 2, 1]


@pytest.mark.parametrize(
    ("parallel", "sizes"),
    [
        (1, [60, 60, 60, 60, 60]),  # at most 70 in each would be 70, 70, 70, 70, 20
        (2, [50] * 6),
        (4, [40, 40, 40, 40, 40, 40, 40, 20]),
        (100, [30] * 10),
    ],
)
def test_tasks_are_alike_and_fill_the_last_round(parallel: int, sizes: list[int]) -> None:
    plan = plan_of(
        PlanOptions(shard_bytes=70, parallel=parallel),
        *(piece(0, at, at + 10, f"g{at}") for at in range(0, 300, 10)),
    )

    assert [sum(load.piece.end - load.piece.begin for load in loads) for loads in plan.tasks] == sizes


def test_a_shard_of_input_is_one_task_however_many_may_run() -> None:
    plan = plan_of(
        PlanOptions(shard_bytes=100, parallel=8),
        *(piece(0, at, at + 10, f"g{at}") for at in range(0, 100, 10)),
    )

    assert [len(loads) for loads in plan.tasks] == [10]


def test_a_group_of_two_files_is_in_one_task_in_the_order_of_the_input() -> None:
    plan = plan_of(
        PlanOptions(shard_bytes=100),
        piece(0, 0, 10, "a"),
        piece(0, 10, 90, "b"),
        piece(1, 0, 20, "b"),
        piece(1, 20, 30, "a"),
    )

    assert dealt(plan) == [[("a", False), ("a", False)], [("b", False), ("b", False)]]


def test_a_group_above_the_limit_is_cut_and_spills_and_others_do_not() -> None:
    plan = plan_of(
        PlanOptions(shard_bytes=100, whole_bytes=150),
        *(piece(0, at, at + 50, "large") for at in range(0, 200, 50)),
        piece(0, 200, 340, "whole"),
    )

    assert dealt(plan) == [[("large", True)] * 2, [("large", True)] * 2, [("whole", False)]]


def test_one_piece_of_an_unknown_group_makes_all_groups_spill() -> None:
    plan = plan_of(PlanOptions(), piece(0, 0, 10, "a"), piece(1, 0, 10, None))

    assert dealt(plan) == [[("a", True), (None, True)]]


@pytest.mark.parametrize(
    ("shard_bytes", "group", "buckets"),
    [(1_000, "a", 1), (100, "a", 2), (100, None, 12), (1, None, 64), (100_000, None, 1)],
)
def test_there_are_as_many_buckets_as_what_is_spilled_needs(
    shard_bytes: int, group: str | None, buckets: int
) -> None:
    plan = plan_of(PlanOptions(shard_bytes=shard_bytes, whole_bytes=10_000), piece(0, 0, 1_000, group))

    assert plan.buckets == buckets


def test_what_is_skipped_is_counted_by_what_and_why() -> None:
    plan = plan_of(PlanOptions(), Skipped("remarks", "unread"), piece(0, 0, 1, "a"), Skipped("notes", "old"))

    assert plan.skipped == {"remarks: unread": 2, "notes: old": 2}


@pytest.mark.parametrize("second", [piece(0, 5, 15, "b"), Piece(0, 10, 20, 9, 1, "b"), piece(0, 0, 5, "b")])
def test_pieces_that_overlap_are_refused(second: Piece) -> None:
    with pytest.raises(UsageError, match="pieces must come in order and must not overlap"):
        plan_of(PlanOptions(), piece(0, 0, 10, "a"), second)


@pytest.mark.parametrize("name", ["shard_bytes", "parallel", "piece_bytes", "whole_bytes", "buckets"])
def test_a_size_that_cuts_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} is 0; pass 1 or more"):
        PlanOptions(**{name: 0})


def test_a_folder_is_its_files_by_name_and_inputs_come_in_the_order_given(tmp_path: Path) -> None:
    for name in ("b", "a", "c", ".a", "._b"):
        (tmp_path / name).touch()

    inputs = find_inputs(ADAPTER, [tmp_path / "c", tmp_path, tmp_path / ".a"])

    assert [Path(file.path).name for file in inputs] == ["c", "a", "b", "c", ".a"]


def test_a_link_is_read_by_its_own_name_and_watched_by_what_it_leads_to(tmp_path: Path) -> None:
    target, link, folder = tmp_path / "blob-3f", tmp_path / "in" / "a.json", tmp_path / "folder"
    target.write_text("12345")
    link.parent.mkdir()
    link.symlink_to("../blob-3f")
    folder.symlink_to("in")

    (of_file,) = find_inputs(ADAPTER, [link])
    (of_folder,) = find_inputs(ADAPTER, [folder])

    assert (of_file.path, of_file.bytes) == (str(link), 5)
    assert of_folder.path == str(folder / "a.json")
    assert left_out([tmp_path / "in"], [of_folder]) == {}
    check_unchanged([of_file])
    target.write_text("1234")
    with pytest.raises(DataError, match=r"a\.json changed while it was read"):
        check_unchanged([of_file])


@pytest.mark.parametrize("to", ["nowhere", "stray"])
def test_a_link_that_leads_nowhere_is_told_by_its_name(to: str, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "stray").symlink_to(to)

    for path in (tmp_path / "stray", tmp_path):
        with pytest.raises(UsageError, match="stray is a link that leads nowhere; mend it, or take it away"):
            find_inputs(ADAPTER, [path])


def test_what_lies_in_a_folder_and_is_not_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "read.json").touch()
    for name in ("july", "march"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "read.json").touch()
    for name in ("a.json.gz", "b\udcff", "c", "d", ".hidden"):
        (tmp_path / name).touch()
    inputs = [look_at(tmp_path / name) for name in ("read.json", "july/read.json")]

    left = left_out([tmp_path, tmp_path / "july", tmp_path / "read.json"], inputs)

    [(what, count)] = left.items()
    assert count == 5
    assert what.isprintable()
    assert f"in {str(tmp_path)!r}: 'a.json.gz', 'b\\udcff', 'c', ..; " in what


def test_a_link_that_leads_back_to_itself_is_counted_where_nobody_takes_it(tmp_path: Path) -> None:
    (tmp_path / "read.json").touch()
    (tmp_path / "loop").symlink_to("loop")

    [(what, count)] = left_out([tmp_path], [look_at(tmp_path / "read.json")]).items()

    assert count == 1
    assert "'loop'" in what


def test_nothing_to_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is nothing to read; name a file or a folder"):
        find_inputs(ADAPTER, [])
    with pytest.raises(UsageError, match="there is no such file; name what is to be read"):
        find_inputs(ADAPTER, [tmp_path / "absent"])
    with pytest.raises(UsageError, match="neither a file nor a folder; name"):
        find_inputs(ADAPTER, [Path("/dev/null")])
    (tmp_path / "july").mkdir()
    with pytest.raises(
        UsageError, match="no file in this folder; name what is to be read, of folders in it each"
    ):
        find_inputs(ADAPTER, [tmp_path])
