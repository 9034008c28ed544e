"""diff and backup: two boxes side by side, and a second one made of the first."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import apsw
import msgspec
import pytest
from tests.unit.inspect.conftest import ADA, INBOX, Run

from pillarbox.bulk import differences
from pillarbox.errors import DataError, FileDamaged, StoreFailed
from pillarbox.inspect import copying
from pillarbox.inspect.findings import Findings
from pillarbox.inspect.scanning import Bounds, rows_within
from pillarbox.inspect.stored import stored
from pillarbox.storage import Engine, open_engine
from pillarbox_tracker import open_box
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.layout import LAYOUT_HASH
from pillarbox_tracker.operations import DoubtTotals, OpenIssue, PutUsers
from pillarbox_tracker.specs import USERS
from pillarbox_tracker.types import Login, UserId, Users


@pytest.fixture
def copy(path: Path, run: Run) -> Path:
    """A backup of the box, made by the verb."""
    copy = path.with_name("b.box")
    assert run("backup", path, copy).code == 0
    return copy


def test_a_backup_is_the_last_commit_of_a_box_that_others_write_to(path: Path, run: Run) -> None:
    copy = path.with_name("b.box")
    with open_box(path, durability="relaxed") as box, box.transaction() as tx:
        tx.users.put(Users(UserId(8), Login("bob"), "Bob"))
        done = run("backup", path, copy)

    assert done == (0, f"{copy}: {copy.stat().st_size:,} bytes\n", "")
    assert run("get", copy, "users", 7).code == 0
    assert run("get", copy, "users", 8).code == 1
    assert run("verify", copy, "--level", "derived").code == 0
    assert run("diff", path, copy).out.startswith(f"table users, key 8: only in {path}\n")


def test_a_backup_replaces_nothing_and_makes_nothing_where_it_fails(path: Path, run: Run) -> None:
    (path.parent / "taken").write_text("mine")

    taken, itself = run("backup", path, path.parent / "taken"), run("backup", path, path)
    nowhere = run("backup", path, path.parent / "no" / "b.box")
    missing = run("backup", path.parent / "missing", path.parent / "b.box")
    other = run("backup", path.parent / "taken", path.parent / "b.box")

    assert [ran.code for ran in (taken, itself, nowhere, missing, other)] == [2, 2, 3, 3, 3]
    assert f"{path.parent / 'taken'} exists; name a file that does not" in taken.err
    assert (path.parent / "taken").read_text() == "mine"
    kept = {entry.name for entry in path.parent.iterdir()} - {
        "a.box-wal",
        "a.box-shm",
    }  # which who reads leaves
    assert kept == {"a.box", "taken"}


@pytest.mark.parametrize("name", ["x" * 300, "taken/b.box"])
def test_a_name_under_which_nothing_can_be_made_is_told(path: Path, run: Run, name: str) -> None:
    (path.parent / "taken").write_text("mine")

    ran = run("backup", path, path.parent / name)

    assert ran.code == 3
    assert "b.box: the file cannot be created" in ran.err or "xxx: the file cannot be created" in ran.err


def test_a_copy_is_not_laid_beside_the_log_of_another_box(path: Path, run: Run) -> None:
    log = path.parent / "b.box-wal"
    with open_box(path, durability="relaxed") as box:
        box.replay([PutUsers((Users(UserId(8), Login("eve"), "Eve"),))])
        shutil.copy(f"{path}-wal", log)

        ran = run("backup", path, path.parent / "b.box")
        with pytest.raises(DataError, match="holds the last commits of a box that is not beside it"):
            box.backup(path.parent / "b.box")

    assert ran.code == 3
    assert f"{log} holds the last commits of a box that is not beside it" in ran.err
    assert not (path.parent / "b.box").exists()


def damage(path: Path, was: bytes, now: bytes) -> None:
    """Change bytes of the main file, behind the back of SQLite."""
    with closing(apsw.Connection(str(path))) as connection:
        connection.pragma("wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    assert was in data
    path.write_bytes(data.replace(was, now))


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (b"ada", b"\xff\xfe\xfd", "table users, key 7: "),
        (b"\x0d\x00\x00\x00\x01", b"\x0d\x00\x00\xff\xff", "the file: "),
    ],
    ids=["a record", "a page"],
)
def test_a_damaged_box_is_not_copied(was: bytes, now: bytes, told: str, path: Path, run: Run) -> None:
    damage(path, was, now)
    copy = path.with_name("b.box")

    ran = run("backup", path, copy)

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(told)
    assert ran.err.endswith("put an earlier backup in its place, or copy its files as they are\n")
    assert {entry.name for entry in path.parent.iterdir()} <= {"a.box", "a.box-wal", "a.box-shm"}


def test_what_goes_wrong_while_it_is_copied_leaves_nothing(
    path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(part: str, target: str) -> None:
        raise StoreFailed(target, "the file cannot be given its name")

    monkeypatch.setattr(copying, "give_name", torn)

    assert run("backup", path, path.with_name("b.box")).code == 3
    assert {entry.name for entry in path.parent.iterdir()} <= {"a.box", "a.box-wal", "a.box-shm"}


def test_errors_name_the_box_or_the_copy_as_it_was_to_be_called(
    path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = run("backup", path, path.parent / "no" / "b.box")

    def torn(engine: Engine, level: str, package: None, findings: Findings) -> None:
        if engine.path.endswith(".part"):
            raise FileDamaged(engine.path, "a page is torn")

    monkeypatch.setattr(copying, "verify", torn)
    damaged = run("backup", path, path.with_name("b.box"))

    assert nowhere.err.startswith(f"pillarbox: {path.parent / 'no' / 'b.box'}: ")
    assert damaged.err.startswith(f"pillarbox: {path}: a page is torn; ")


def test_a_copy_without_a_name_is_refused(path: Path, run: Run) -> None:
    ran = run("backup", path, "")

    assert (ran.code, ran.err) == (
        2,
        "pillarbox: the name of the copy is empty; name a file that is to be made\n",
    )


def test_boxes_that_hold_the_same_do_not_differ(path: Path, copy: Path, run: Run) -> None:
    assert run("diff", path, copy) == (0, "no difference\n", "")
    assert differences(PACKAGE, path, copy) == []


def test_what_differs_is_told_by_keys_and_fields(path: Path, copy: Path, run: Run) -> None:
    with open_box(path, durability="relaxed") as box:
        box.replay([PutUsers((Users(UserId(8), Login("bob"), "Bob"),))])
    with open_box(copy, durability="relaxed") as box:
        box.replay([OpenIssue(project_id=INBOX, title="Cold", author_id=ADA, now=9)])
        box.replay([PutUsers((Users(ADA, Login("ada"), "Ada L.", seen_at=5),))])

    ran = run("diff", path, copy)
    told = ran.out.splitlines()

    assert ran.code == 1
    assert f"table users, key 8: only in {path}" in told
    assert f"table issues, key 1 4: only in {copy}" in told
    assert any(
        line.startswith('table users, key 7: name "Ada\\u001b[31m\\u202e" -> Ada L., ')
        and line.endswith("seen_at 0 -> 5")
        for line in told
    )
    assert len(told) == len(differences(PACKAGE, path, copy, limit=1_000))
    assert run("diff", copy, path).out.count("\n") == len(told)


def test_of_each_table_the_first_rows_are_told_and_all_are_counted(path: Path, copy: Path, run: Run) -> None:
    with open_box(copy, durability="relaxed") as box:
        box.replay([PutUsers(tuple(Users(UserId(n), Login(f"u{n}"), "") for n in range(100, 1_600)))])

    told = run("diff", path, copy, "--limit", 2).out.splitlines()
    none = run("diff", path, copy, "--limit", 0)

    assert [line for line in told if line.startswith(("table users,", "table users:"))] == [
        f"table users, key 100: only in {copy}",
        f"table users, key 101: only in {copy}",
        "table users: and 1,498 more",
    ]
    assert none.code == 1
    assert "table users: and 1,500 more\n" in none.out


def test_how_often_something_was_doubted_is_no_difference(path: Path, copy: Path, run: Run) -> None:
    for of, times in ((path, 1), (copy, 2)):
        with open_box(of, durability="relaxed") as box:
            for _ in range(times):
                box.replay([DoubtTotals(INBOX)])

    assert run("scan", path, "stale_totals", "--json").out != run("scan", copy, "stale_totals", "--json").out
    assert run("diff", path, copy).out == "no difference\n"


def test_rows_that_say_the_same_by_other_bytes_differ_only_where_bytes_are_asked_for(
    path: Path, copy: Path, run: Run
) -> None:
    with closing(apsw.Connection(str(copy))) as connection:
        value: Any = connection.execute(f"SELECT v FROM t{USERS.id}").fetchall()[0][0]
        fields = msgspec.msgpack.decode(value)
        assert fields[-1] == 0  # the default of `seen_at`, which older rows lack
        older = msgspec.msgpack.encode(fields[:-1])
        connection.execute(f"UPDATE t{USERS.id} SET v=?", (older,))

    assert run("diff", path, copy) == (0, "no difference\n", "")
    assert run("diff", path, copy, "--bytes") == (
        1,
        f"table users, key 7: 0x{value.hex()} -> 0x{older.hex()}\n",
        "",
    )


def test_rows_that_do_not_read_are_told_by_their_bytes(path: Path, copy: Path, run: Run) -> None:
    with closing(apsw.Connection(str(copy))) as connection:
        connection.execute(f"UPDATE t{USERS.id} SET v=x'c1'")

    ran = run("diff", path, copy)

    assert ran.code == 1
    assert ran.out.startswith("table users, key 7: 0x")
    assert ran.out.endswith(" -> 0xc1\n")


@pytest.mark.parametrize("keys", [[b"a", None], [b"b", b"a"], [b"a", b"a"], [7]])
@pytest.mark.parametrize("newest_first", [False, True])
def test_rows_of_a_damaged_page_are_no_rows(keys: list[Any], newest_first: bool, path: Path) -> None:
    class Damaged:
        def __init__(self) -> None:
            self.path = str(path)

        def scan(self, *_: object, **__: object) -> list[tuple[Any, bytes]]:
            return [(key, b"") for key in (keys[::-1] if newest_first and None not in keys else keys)]

    with closing(open_engine(str(path), durability="relaxed", read_only=True)) as engine:
        shape = stored(engine).named("labels")
    found = rows_within(
        cast("Engine", Damaged()), shape, Bounds(None, None), newest_first=newest_first, limit=None
    )

    with pytest.raises(DataError, match=r"table 'labels' .* put a backup in its place"):
        list(found)


def test_boxes_of_two_schemas_are_told_apart_by_name(path: Path, copy: Path, run: Run) -> None:
    with closing(open_engine(str(copy), durability="relaxed")) as engine:
        layout = json.loads(engine.meta("layout") or b"")
        layout["schema"] = "bakery"
        engine.begin()
        engine.set_meta("layout", json.dumps(layout).encode())
        engine.commit()

    ran = run("diff", path, copy)

    assert ran.code == 1
    assert ran.out == (
        "the file: one is of the schema tracker, the other of bakery; name two boxes of one schema\n"
    )


def test_boxes_of_other_layouts_are_not_compared(path: Path, copy: Path, run: Run) -> None:
    with closing(open_engine(str(copy), durability="relaxed")) as engine:
        layout = json.loads(engine.meta("layout") or b"")
        layout["tables"]["20"]["name"] = "tasks"
        engine.begin()
        engine.set_meta("layout", json.dumps(layout).encode())
        engine.set_meta("layout_hash", b"0123456789abcdef")
        engine.commit()

    ran = run("diff", path, copy)

    assert ran.code == 1
    assert ran.out == (
        f"the file: the layouts differ: tracker {LAYOUT_HASH}, tracker 0123456789abcdef; open both with one "
        f"package, which brings an older one up, then compare\n"
    )
