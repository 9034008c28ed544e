"""Opening a file: new, the same, older, newer, of another kind, read-only, torn."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.property.oracles import derived_rows
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import (
    PACKAGE,
    Board,
    One,
    PutIssue,
    TrackerBox,
    issue,
    layout_tree,
    package,
    stored_rows,
)

from pillarbox.box import Box, Package, opening
from pillarbox.errors import (
    DataError,
    LayoutConflict,
    LayoutNewer,
    StoreMissing,
    StoreReadOnly,
    UniqueViolation,
    UsageError,
)
from pillarbox.maintainers import Top
from pillarbox.storage import TableLayout, open_engine

ROWS = [
    issue(project, number, rank=number % 3, lane=number % 3, labels=(1, number % 2 + 1), slug=number)
    for project in (1, 2)
    for number in range(1, 8)
]
#: The file after its last connection was closed: all there is.
Bytes = dict[str, bytes]


def files(path: Path) -> Bytes:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


def filled(path: Path, made_by: Package[Any, Any] = PACKAGE) -> None:
    with Box(path, made_by) as box:
        box.replay([PutIssue(row) for row in ROWS])


def changed(change: Callable[[dict[str, Any]], object]) -> Package[Any, Any]:
    tree = layout_tree()
    change(tree)
    return package(tree)


def new_table(tree: dict[str, Any]) -> None:
    tree["tables"]["99"] = {**tree["tables"]["18"], "name": "later"}


def other_rule(number: int) -> Callable[[dict[str, Any]], None]:
    def change(tree: dict[str, Any]) -> None:
        tree["tables"][str(number)]["rule"] = {"word": "something else"}

    return change


def other_key(tree: dict[str, Any]) -> None:
    tree["tables"]["1"]["key"][0]["type"] = "uint16"


def assert_all_derived(box: TrackerBox) -> None:
    stored = stored_rows(box)
    for name, expected in derived_rows(ROWS).items():
        assert stored[name] == expected, name


# ------------------------------------------------------------------------------------ new and the same


def test_a_new_box_has_its_tables_its_seed_and_is_its_owners_alone(path: Path) -> None:
    with Box(path, PACKAGE) as box:
        assert box.opened == "created"
        assert stored_rows(box)["cursors"] == {(0, 1, 0)}
        box.replay([PutIssue(issue(1, 1))])
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}

    beside = ["-wal", "-shm", *(["-presence"] if sys.platform == "linux" else [])]
    assert modes == {"a.box": 0o600, **{f"a.box{suffix}": 0o600 for suffix in beside}}
    assert [each.name for each in path.parent.iterdir()] == ["a.box"]


def test_a_box_is_opened_again_as_it_was_and_not_seeded_again(path: Path) -> None:
    filled(path)
    with Box(path, PACKAGE) as box, box.transaction() as tx:
        tx.cursors.put(t.Cursor(0, 7, 7))

    with Box(path, PACKAGE) as box:
        assert box.opened == "same"
        assert stored_rows(box)["cursors"] == {(0, 7, 7)}
        assert_all_derived(box)


def test_a_layout_that_differs_in_names_only_is_the_same(path: Path) -> None:
    filled(path)
    renamed = changed(lambda tree: tree["tables"]["1"].update(name="tickets"))

    with Box(path, renamed) as box:
        assert box.opened == "same"
        box.replay([PutIssue(issue(1, 1, 9))])
    with Box(path, PACKAGE) as box:
        assert box.opened == "same"


# ----------------------------------------------------------------------------------------------- older


@pytest.mark.parametrize("slice_rows", [1, 3, 10_000])
@pytest.mark.parametrize(
    "missing",
    [
        {t.BY_LABEL.id, t.LABELLED_COUNTS.id},
        {t.SLUGS.id, t.SLUG_COUNTS.id},
        {t.LABEL_COUNTS.id, t.BY_COUNT.id},
        {t.NEWEST.id, t.NEWEST_ACROSS.id, t.BEST.id, t.BEST_ACROSS.id, t.LATEST.id},
        {spec.id for spec in t.SPECS if spec.role == "derived"} - {t.ISSUE_IDS.id},
    ],
    ids=["index and count", "unique index and count", "count and index", "tops", "everything"],
)
def test_new_derived_tables_are_filled_from_their_sources(
    path: Path, missing: set[int], slice_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_SLICE_ROWS", slice_rows)
    filled(path, package(without=missing))

    with Box(path, PACKAGE) as box:
        assert box.opened == "upgraded"
        assert_all_derived(box)
        box.replay([PutIssue(row) for row in ROWS])
        assert_all_derived(box)


FOLLOWERS = {
    t.BY_RANK.id: (t.NEWEST.id, t.BEST.id),
    t.SLUGS.id: (t.SLUG_COUNTS.id,),
    t.LABEL_COUNTS.id: (t.BY_COUNT.id,),
}


@pytest.mark.parametrize("slice_rows", [2, 10_000])
@pytest.mark.parametrize("number", [t.ISSUE_IDS.id, t.BY_RANK.id, t.SLUGS.id, t.LABEL_COUNTS.id, t.BEST.id])
def test_a_derived_table_with_another_rule_is_made_anew_with_all_that_follow_it(
    path: Path, number: int, slice_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_SLICE_ROWS", slice_rows)
    filled(path)
    for each in (number, *FOLLOWERS.get(number, ())):
        spoil(path, each)

    with Box(path, changed(other_rule(number))) as box:
        assert box.opened == "upgraded"
        assert_all_derived(box)


def spoil(path: Path, number: int) -> None:
    """Leave rows in a table that no rule of today would make."""
    spec = PACKAGE.specs_by_id[number]
    engine = open_engine(str(path), durability="relaxed")
    engine.begin()
    engine.put_many(spec.layout, [b"\7" * (spec.layout.key_width or 1)], [b"old"])
    engine.commit()
    engine.close()


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older = package(without={t.BY_LABEL.id, t.LABELLED_COUNTS.id, t.NEWEST.id})
    filled(path, older)
    before = files(path)

    def fail(self: object, net: object) -> None:
        raise RuntimeError("planted")

    with monkeypatch.context() as patch:
        patch.setattr(Top, "add", fail)
        with pytest.raises(RuntimeError):
            Box(path, PACKAGE)

    with Box(path, older) as box:
        assert box.opened == "same"
    assert files(path) == before


def test_stored_rows_that_break_a_new_unique_rule_refuse_the_upgrade(path: Path) -> None:
    older = package(without={t.SLUGS.id, t.SLUG_COUNTS.id})
    with Box(path, older) as box:
        box.replay([PutIssue(issue(1, 1, slug=4)), PutIssue(issue(1, 2, slug=4))])

    with pytest.raises(UniqueViolation, match=r"two rows of 'issues' share the key \(1, 4\)") as refused:
        Box(path, PACKAGE)
    assert refused.value.__notes__ == [f"{path} stays as it is: mend the rows with the package that wrote it"]

    with Box(path, older) as box:
        assert box.opened == "same"


def test_stored_rows_that_share_an_identity_refuse_a_new_identity(path: Path) -> None:
    filled(path)
    engine = open_engine(str(path), durability="relaxed")
    engine.begin()
    twin = issue(1, 200, uid=1)
    engine.put_many(t.ISSUES.layout, [t.ISSUES.key_of(twin)], [t.ISSUES.bytes_of(twin)])
    engine.commit()
    engine.close()

    with pytest.raises(UniqueViolation, match=r"share the key \(1, 1\) in the unique index 'issue_ids'"):
        Box(path, changed(other_rule(t.ISSUE_IDS.id)))


# ------------------------------------------------------------------------------ newer, and conflicting


def test_a_newer_box_can_be_read_and_watched_and_is_not_written(path: Path) -> None:
    filled(path, changed(new_table))
    before = files(path)

    with Box(path, PACKAGE) as box:
        assert (box.opened, box.read_only) == ("newer", True)
        assert_all_derived(box)
        with box.watch(Board(1)) as subscription:
            assert subscription.latest.snapshot.newest is not None
        with pytest.raises(
            LayoutNewer, match=r"newer package: it has table 'later' \(99\), which this package lacks, and is"
        ):
            box.replay([])
        with pytest.raises(LayoutNewer, match="Update the package"):  # not of the file
            box.take_master(now=True)

    assert files(path) == before


def test_a_table_that_was_given_up_goes_with_its_rows_or_not_at_all(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = TableLayout(99, "later", int_key=False, key_width=None, heap=False)
    filled(path, changed(new_table))
    engine = open_engine(str(path), durability="relaxed")
    engine.begin()
    engine.create(later)
    engine.put_many(later, [b"k"], [b"v"])
    engine.commit()
    engine.close()
    before = files(path)

    def give_up(tree: dict[str, Any]) -> None:
        other_rule(t.NEWEST.id)(tree)
        tree["reserved"] = [later.id]

    with monkeypatch.context() as patch:
        patch.setattr(Top, "add", None)
        with pytest.raises(TypeError):
            Box(path, changed(give_up))
    assert files(path) == before

    with Box(path, changed(give_up)) as box:
        assert box.opened == "upgraded"
        assert_all_derived(box)
    engine = open_engine(str(path), durability="relaxed")
    with pytest.raises(UsageError, match="no such table: t99"):
        engine.get(later, b"k")
    engine.close()


def test_a_conflicting_box_is_refused_with_every_reason_and_not_touched(path: Path) -> None:
    filled(path)
    before = files(path)

    def conflict(tree: dict[str, Any]) -> None:
        other_key(tree)
        tree["tables"]["18"]["layout"] = "record"

    with pytest.raises(LayoutConflict) as caught:
        Box(path, changed(conflict))

    assert caught.value.reasons == (
        "key part 'part_0' of table 'issues' (1) is uint16, the box wrote uint8",
        "table 'cursors' (18) has layout 'record', the box wrote 'packed'",
    )
    assert str(path) in str(caught.value)
    assert "Open it with the package that wrote it" in str(caught.value)
    assert files(path) == before


def test_a_box_and_a_package_that_both_moved_on_are_kept_apart(path: Path) -> None:
    filled(path, changed(new_table))

    def grow(tree: dict[str, Any]) -> None:
        tree["tables"]["98"] = {**tree["tables"]["18"], "name": "other"}

    with pytest.raises(
        LayoutConflict, match=r"the box has table 'later' \(99\); the package has table 'other'"
    ):
        Box(path, changed(grow))


@pytest.mark.parametrize("torn", [b"", b"{", b"[]", b'{"format":1}', b"\xff"])
def test_a_torn_layout_is_told_as_such(path: Path, torn: bytes) -> None:
    filled(path)
    engine = open_engine(str(path), durability="relaxed")
    engine.begin()
    engine.set_meta(opening.LAYOUT, torn)
    engine.set_meta(opening.LAYOUT_HASH, b"other")
    engine.commit()
    engine.close()

    with pytest.raises(DataError, match=r"a\.box.*(restore the file from a backup|layout format None)"):
        Box(path, PACKAGE)


# ------------------------------------------------------------------------------------------- read-only


def test_a_box_can_be_opened_for_reading_only(path: Path) -> None:
    filled(path)

    with Box(path, PACKAGE, read_only=True) as box:
        assert box.opened == "same"
        assert box.get(One(1, 1)).issue == ROWS[0]
        with pytest.raises(StoreReadOnly, match="read-only; to write, open it without `read_only`"):
            box.replay([])


def test_reading_a_box_that_is_not_there_creates_nothing(path: Path) -> None:
    with pytest.raises(StoreMissing, match="there is no such file"):
        Box(path, PACKAGE, read_only=True)

    assert files(path) == {}


def test_an_older_box_cannot_be_upgraded_read_only(path: Path) -> None:
    filled(path, package(without={t.NEWEST.id}))

    with pytest.raises(LayoutConflict, match=r"older than the package.*Open it once for writing"):
        Box(path, PACKAGE, read_only=True)


def test_a_box_whose_derived_tables_follow_other_rules_is_not_misread(path: Path) -> None:
    filled(path)

    with pytest.raises(LayoutConflict, match="Open it once for writing"):
        Box(path, changed(other_rule(t.NEWEST.id)), read_only=True)


def test_a_newer_box_opened_read_only_is_newer(path: Path) -> None:
    filled(path, changed(new_table))

    with Box(path, PACKAGE, read_only=True) as box:
        assert box.opened == "newer"
        assert_all_derived(box)


def test_a_conflicting_box_is_refused_read_only_as_well(path: Path) -> None:
    filled(path)

    with pytest.raises(LayoutConflict, match="the box wrote uint8"):
        Box(path, changed(other_key), read_only=True)


# --------------------------------------------------------------------------------------------- backup


def test_a_backup_is_a_box_as_of_the_last_commit(box: TrackerBox, tmp_path: Path) -> None:
    box.replay([PutIssue(row) for row in ROWS])

    with box.transaction() as tx:
        tx.issues.remove(1, 1)
        box.backup(tmp_path / "copy.box")

    with Box(tmp_path / "copy.box", PACKAGE) as copy:
        assert copy.opened == "same"
        assert_all_derived(copy)


def test_importing_a_package_loads_no_event_loop() -> None:
    """It would take as long as all of the package's tables, for programs that have none."""
    code = "import sys, pillarbox_tracker; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "pillarbox.views.subscription" in done.stdout.split()
    assert "asyncio" not in done.stdout.split()
