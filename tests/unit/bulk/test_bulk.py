"""Shards: what goes wrong with them, and what is left behind then."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import apsw
import pytest
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import PACKAGE, PutIssue, Say, issue, layout_tree, package
from tests.unit.runtime.tracker_tables import TrackerTransaction
from tests.unit.storage.faulty_vfs import FaultyVfs

from pillarbox.box import Box
from pillarbox.bulk import ShardBuilder, differences, merge
from pillarbox.errors import (
    DataError,
    NotABox,
    RangeError,
    ShardsOverlap,
    StoreFull,
    StoreMissing,
    StoreReadOnly,
    UsageError,
)
from pillarbox.maintainers import Count
from pillarbox.tables import flushed


@pytest.fixture
def vfs() -> Iterator[FaultyVfs]:
    faulty = FaultyVfs()
    yield faulty
    faulty.unregister()


def build(path: Path, *operations: Any) -> Path:
    """A shard of one record for each operation."""
    with ShardBuilder(PACKAGE, path) as builder:
        for operation in operations:
            builder.add(operation, [operation])
        assert builder.finish().refused == ()
    return path


# ------------------------------------------------------------------------------------ the builder


def test_a_built_box_is_one_file_for_its_owner_only_that_opens_as_any(tmp_path: Path) -> None:
    path = build(tmp_path / "a.box", PutIssue(issue(1, 1)))

    assert os.listdir(tmp_path) == ["a.box"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with Box(path, PACKAGE) as box:
        assert box.opened == "same"
        box.replay([PutIssue(issue(1, 2))])


def test_a_record_that_fails_is_refused_whole_and_tells_why(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    with ShardBuilder(PACKAGE, path) as builder:
        builder.add("first", [PutIssue(issue(1, 1, slug=7))])
        builder.add("second", [PutIssue(issue(1, 2)), PutIssue(issue(1, 3, slug=7))])
        builder.add("third", [PutIssue(issue(1, 4, title="\ud800"))])
        builder.add("fourth", [PutIssue(issue(1, 5))])
        built = builder.finish()

    assert [(it.record, type(it.error).__name__) for it in built.refused] == [
        ("second", "UniqueViolation"),
        ("third", "RangeError"),
    ]
    assert all(it.error.__traceback__ is None for it in built.refused)
    assert built.tables[t.ISSUES.id].rows == 2
    same = build(tmp_path / "b.box", PutIssue(issue(1, 1, slug=7)), PutIssue(issue(1, 5)))
    assert differences(PACKAGE, path, same) == []


@pytest.mark.parametrize("slice_records", [1, 2, 20])
def test_a_bad_row_that_another_record_replaces_keeps_out_its_record(
    tmp_path: Path, slice_records: int
) -> None:
    bad, good = PutIssue(issue(1, 4, title="\ud800")), PutIssue(issue(1, 4))
    path = tmp_path / "a.box"
    with ShardBuilder(PACKAGE, path, slice_records=slice_records) as builder:
        builder.add("bad", [bad])
        builder.add("good", [good])
        builder.add("replaced by itself, which replaying takes", [bad, good])
        built = builder.finish()

    assert [it.record for it in built.refused] == ["bad"]
    assert differences(PACKAGE, path, build(tmp_path / "b.box", good)) == []


def test_a_row_that_no_store_takes_keeps_out_its_record_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flushed, "VALUE_BYTES_MAX", 1_000)  # stands for the gigabyte
    path = tmp_path / "a.box"
    with ShardBuilder(PACKAGE, path) as builder:
        builder._engine._connection.limit(apsw.SQLITE_LIMIT_LENGTH, 1_100)
        for number, letters in enumerate([1, 900, 1_200, 2], 1):
            builder.add(number, [PutIssue(issue(1, number, title="x" * letters))])
        built = builder.finish()

    (refused,) = built.refused
    assert (refused.record, str(refused.error)) == (
        3,
        "the row (1, 3) of 'issues' has 1,211 bytes, above the 1,000 that a store takes; "
        "store smaller values",
    )
    assert built.tables[t.ISSUES.id].rows == 3


def test_the_error_of_a_refused_record_holds_nothing_of_its_slice(tmp_path: Path) -> None:
    with ShardBuilder(PACKAGE, tmp_path / "a.box") as builder:
        builder.add(1, [PutIssue(issue(1, 1, title="\ud800"))])
        (refused,) = builder.finish().refused

    assert isinstance(refused.error, RangeError)
    assert refused.error.__context__ is None


def test_rows_are_given_in_key_order_and_slices(tmp_path: Path) -> None:
    with ShardBuilder(PACKAGE, tmp_path / "a.box") as builder:
        for number in (3, 1, 2):
            builder.add(number, [PutIssue(issue(1, number))])
        rows = list(builder.rows(t.ISSUES.id, 2))
        builder.finish()

    assert rows == [[issue(1, 1), issue(1, 2)], [issue(1, 3)]]


def test_a_box_is_not_built_over_another_file(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    path.write_text("mine")

    with pytest.raises(UsageError, match=r"a\.box exists; name a file that does not"):
        ShardBuilder(PACKAGE, path)

    assert path.read_text() == "mine"


def test_an_abandoned_box_is_removed(tmp_path: Path) -> None:
    with ShardBuilder(PACKAGE, tmp_path / "a.box", slice_records=1) as builder:
        builder.add(1, [PutIssue(issue(1, 1))])
        builder.close()

    assert os.listdir(tmp_path) == []


def test_a_bug_in_an_operation_is_no_refusal(tmp_path: Path) -> None:
    with ShardBuilder(PACKAGE, tmp_path / "a.box") as builder:
        builder.add(1, ["no operation"])
        with pytest.raises(AttributeError):
            builder.finish()

    assert os.listdir(tmp_path) == []


def test_events_of_many_records_are_no_limit_for_a_slice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pillarbox.transaction._MAX_EVENTS", 3)

    build(tmp_path / "a.box", *[Say(number) for number in range(10)])


@pytest.mark.parametrize("moment", ["slice", "finish"])
def test_a_full_disk_refuses_no_record_and_leaves_nothing(
    tmp_path: Path, vfs: FaultyVfs, moment: str
) -> None:
    large = [PutIssue(issue(1, 2, title="t" * 100_000_000))]
    with ShardBuilder(PACKAGE, tmp_path / "a.box", slice_records=1, vfs="faulty") as builder:
        builder.add(1, [PutIssue(issue(1, 1))])
        vfs.error = apsw.FullError
        with pytest.raises(StoreFull):
            builder.add(2, large) if moment == "slice" else builder.finish()
        vfs.error = None

    assert os.listdir(tmp_path) == []


# ------------------------------------------------------------------------------------- the merge


def test_a_merged_box_is_one_file_for_its_owner_only(tmp_path: Path) -> None:
    shards = [build(tmp_path / f"{project}.box", PutIssue(issue(project, 1))) for project in (1, 2)]

    rows = merge(PACKAGE, shards, tmp_path / "all.box")

    assert sorted(os.listdir(tmp_path)) == ["1.box", "2.box", "all.box"]
    assert stat.S_IMODE((tmp_path / "all.box").stat().st_mode) == 0o600
    assert rows[t.ISSUES.id] == 2
    assert rows[t.CURSORS.id] == 1


def test_no_shards_make_a_new_box(tmp_path: Path) -> None:
    merge(PACKAGE, [], tmp_path / "all.box")

    assert differences(PACKAGE, tmp_path / "all.box", build(tmp_path / "new.box")) == []


def test_a_folder_that_is_not_there_is_told_by_the_name_that_was_given(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match="cannot be created") as raised:
        merge(PACKAGE, [], tmp_path / "nowhere" / "all.box")

    assert raised.value.path == str(tmp_path / "nowhere" / "all.box")
    assert ".part" not in str(raised.value)


def test_a_row_of_two_shards_is_refused_by_name(tmp_path: Path) -> None:
    shards = [
        build(tmp_path / "a.box", PutIssue(issue(1, 1)), PutIssue(issue(1, 2))),
        build(tmp_path / "b.box", PutIssue(issue(1, 3))),
        build(tmp_path / "c.box", PutIssue(issue(1, 2)), PutIssue(issue(1, 4))),
    ]

    with pytest.raises(
        ShardsOverlap, match=r"'issues', key \(1, 2\): two groups .*a\.box.*c\.box.*`by`.*`by: \[\]`"
    ) as raised:
        merge(PACKAGE, shards, tmp_path / "all.box")

    assert (raised.value.table, raised.value.key) == ("issues", (1, 2))
    assert sorted(os.listdir(tmp_path)) == ["a.box", "b.box", "c.box"]


def test_sums_that_are_too_great_together_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shards = [
        build(tmp_path / "a.box", PutIssue(issue(1, 1, labels=(7,)))),
        build(tmp_path / "b.box", PutIssue(issue(1, 2, labels=(7,)))),
    ]
    too_great = RangeError("label_counts.count", 2**63, "an int64")
    monkeypatch.setattr(Count, "total", Mock(side_effect=too_great))

    told = (
        r"label_counts\.count of the row \(1, 7\) is 9223372036854775808 with what .*b\.box adds .*an int64; "
    )
    with pytest.raises(DataError, match=told):
        merge(PACKAGE, shards, tmp_path / "all.box")

    assert sorted(os.listdir(tmp_path)) == ["a.box", "b.box"]


def test_a_seeded_row_that_two_shards_changed_is_refused(tmp_path: Path) -> None:
    def seed(tx: TrackerTransaction) -> None:
        tx.issues.put(issue(1, 1))

    seeded = replace(PACKAGE, seed=seed)
    shards = []
    for rank in (2, 3):
        shards.append(tmp_path / f"{rank}.box")
        with ShardBuilder(seeded, shards[-1]) as builder:
            builder.add(1, [PutIssue(issue(1, 1, rank))])
            builder.finish()

    with pytest.raises(ShardsOverlap, match=r"'issues', key \(1, 1\)"):
        merge(seeded, shards, tmp_path / "all.box")


def test_nothing_is_merged_over_another_file(tmp_path: Path) -> None:
    target = tmp_path / "all.box"
    target.write_text("mine")

    with pytest.raises(UsageError, match=r"all\.box exists"):
        merge(PACKAGE, [], target)

    assert target.read_text() == "mine"
    assert os.listdir(tmp_path) == ["all.box"]


def test_where_no_file_can_be_made_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(path: str, *_: int) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    shard = build(tmp_path / "a.box")
    with pytest.raises(StoreMissing, match=r"cannot be created .*File name too long"):
        merge(PACKAGE, [shard], tmp_path / ("x" * 240))
    monkeypatch.setattr("pillarbox.storage.places.os.open", read_only)
    monkeypatch.setattr("pillarbox.storage.places.os.unlink", read_only)
    with pytest.raises(StoreReadOnly, match=r"cannot be created \(Read-only file system\); make"):
        merge(PACKAGE, [shard], tmp_path / "b.box")


def test_a_file_that_came_in_between_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "all.box"
    link = os.link

    def late(source: str, name: str) -> None:
        target.write_text("mine")
        link(source, name)

    monkeypatch.setattr(os, "link", late)

    with pytest.raises(UsageError, match=r"all\.box exists"):
        merge(PACKAGE, [], target)

    assert target.read_text() == "mine"
    assert os.listdir(tmp_path) == ["all.box"]


def test_where_a_file_has_one_name_only_the_box_gets_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(source: str, name: str) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)

    merge(PACKAGE, [], tmp_path / "all.box")

    assert os.listdir(tmp_path) == ["all.box"]
    Box(tmp_path / "all.box", PACKAGE).close()


def strange(path: Path) -> Sequence[Path]:
    """A box of another layout."""
    tree = layout_tree()
    tree["schema"] = "other"
    with ShardBuilder(package(tree), path) as builder:
        builder.finish()
    return [path]


def test_shards_of_another_layout_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"strange\.box was not built by the package 'tracker'"):
        merge(PACKAGE, strange(tmp_path / "strange.box"), tmp_path / "all.box")


@pytest.mark.parametrize(
    ("content", "error"), [(None, StoreMissing), (b"no database" * 500, NotABox), (b"", UsageError)]
)
def test_what_is_no_shard_is_told_by_its_name(
    tmp_path: Path, content: bytes | None, error: type[Exception]
) -> None:
    if content is not None:
        (tmp_path / "b.box").write_bytes(content)

    with pytest.raises(error, match=r"b\.box"):
        merge(PACKAGE, [build(tmp_path / "a.box"), tmp_path / "b.box"], tmp_path / "all.box")

    assert not (tmp_path / "all.box").exists()


# -------------------------------------------------------------------------------- the comparison


def test_differences_name_table_key_and_bytes(tmp_path: Path) -> None:
    one = build(tmp_path / "one.box", PutIssue(issue(1, 1, title="a")), PutIssue(issue(1, 2)))
    other = build(tmp_path / "other.box", PutIssue(issue(1, 1, title="b" * 100)))

    found = differences(PACKAGE, one, other)

    assert found[0].startswith("table 'issues', key (1, 1): 0x980101010000")
    assert "... in " in found[0]
    assert found[1].startswith("table 'issues', key (1, 2): 0x")
    assert found[1].endswith(f"no row in {other}")
    assert len(differences(PACKAGE, one, other, limit=1)) == 1


def test_boxes_of_two_layouts_are_not_compared_further(tmp_path: Path) -> None:
    (other,) = strange(tmp_path / "strange.box")

    (found,) = differences(PACKAGE, build(tmp_path / "one.box"), other)

    assert found.startswith("the layouts differ")


@pytest.mark.parametrize("every", [1, 2, 7])
def test_refusals_take_work_in_proportion_to_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    replayed = 0
    attempt = ShardBuilder._attempt

    def counted(self: ShardBuilder[Any, Any], records: Sequence[Any]) -> Any:
        nonlocal replayed
        replayed += len(records)
        return attempt(self, records)

    monkeypatch.setattr(ShardBuilder, "_attempt", counted)
    records = 200  # a number is one byte here
    with ShardBuilder(PACKAGE, tmp_path / "a.box") as builder:
        for number in range(records):
            title = "\ud800" if number % every == 0 else "fine"
            builder.add(number, [PutIssue(issue(1, number + 1, title=title))])
        built = builder.finish()

    assert [refused.record for refused in built.refused] == list(range(0, records, every))
    assert built.tables[t.ISSUES.id].rows == records - len(built.refused)
    assert replayed <= 8 * records
