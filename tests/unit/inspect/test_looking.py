"""stat, ls, get, scan and keys: what they print, and what they say of wrong input."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.inspect.conftest import Run

from pillarbox.storage import open_engine
from pillarbox_tracker import open_box
from pillarbox_tracker.layout import LAYOUT_HASH
from pillarbox_tracker.operations import PutUsers
from pillarbox_tracker.specs import BY_STATE
from pillarbox_tracker.types import Login, UserId, Users


def test_stat_tells_rows_and_bytes_of_each_table(path: Path, run: Run) -> None:
    ran = run("stat", path)

    lines = [line.split() for line in ran.out.splitlines()]
    assert ran.code == 0
    assert lines[0] == ["schema", "tracker,", "layout", LAYOUT_HASH]
    assert ["20", "issues", "primary", "3", "36"] in [line[:5] for line in lines]
    assert ["21", "by_state", "index", "3", "63", "0", "4,096"] in lines
    assert ["101", "issue_numbers", "sequence", "1", "8", "5", "4,096"] in lines


def test_names_that_differ_at_their_end_are_told_apart(path: Path, run: Run) -> None:
    long = "a_name_of_sixty_characters_which_is_as_long_as_a_name_may_be"
    with closing(open_engine(str(path), durability="relaxed")) as engine:
        layout = json.loads(engine.meta("layout") or b"")
        layout["tables"]["20"]["name"], layout["tables"]["21"]["name"] = f"{long}1", f"{long}2"
        layout["tables"]["21"]["key"][0]["name"], layout["tables"]["21"]["key"][1]["name"] = long, f"{long}3"
        engine.begin()
        engine.set_meta("layout", json.dumps(layout).encode())
        engine.commit()

    assert {f"{long}1", f"{long}2"} <= set(run("stat", path).out.split())
    assert run("scan", path, 21).out.split()[:2] == [long, f"{long}3"]


def test_ls_lists_keys_and_records_in_words_of_the_schema(path: Path, run: Run) -> None:
    ran = run("ls", path)

    assert (
        "   23  by_priority  (index, packed)\n"
        "       key     {project_id: ProjectId, priority: Priority, created_at: int64 desc, number: int32}\n"
        "       record  {state: [1, State], late: [2, bool], updated_at: [3, int64]}\n"
    ) in ran.out
    assert (
        "    9  stars  (primary, empty)\n       key     {user_id: UserId, project_id: ProjectId}\n" in ran.out
    )


def test_ls_names_the_words_of_the_schema(path: Path, run: Run) -> None:
    kinds = dict(line.split("  (") for line in run("ls", path).out.splitlines() if "  (" in line)
    words = {table.split()[1]: told.partition(",")[0] for table, told in kinds.items()}

    assert (words["board"], words["issue_totals"], words["comment_holes_seeded"]) == (
        "list",
        "count",
        "seeded",
    )


def test_get_prints_a_row_by_the_names_of_the_layout(path: Path, run: Run) -> None:
    ran = run("get", path, "users", 7)

    assert ran.code == 0
    assert ran.out == (
        "field    value\n"
        "user_id  7\n"
        "login    ada\n"
        'name     "Ada\\u001b[31m\\u202e"\n'
        "email    -\n"
        "role     member\n"
        "avatar   remote:-5\n"
        "seen_at  0\n"
    )


def test_get_as_json_holds_the_whole_row(path: Path, run: Run) -> None:
    ran = run("get", path, "comments", 1, 1, 102, 1, "--json")

    assert json.loads(ran.out) == {
        "project_id": 1,
        "number": 1,
        "posted_at": 102,
        "comment": 1,
        "author_id": 7,
        "body": "Where?",
        "edited_at": None,
        "attachments": [{"Picture": {"file": "remote:-5", "width": 3, "height": 4}}],
        "reactions": [],
    }


def test_get_takes_enums_by_name_and_tables_by_number(path: Path, run: Run) -> None:
    by_name = run("get", path, "by_state", 1, "open", 1, 2)
    by_number = run("get", path, 21, 1, 0, 1, 2)

    assert by_name == by_number
    assert by_name.code == 0


def test_get_of_a_row_that_is_not_there_ends_with_1(path: Path, run: Run) -> None:
    assert run("get", path, "issues", 1, -5) == (1, "", "table issues has no row 1 -5\n")
    assert run("get", path, "users_by_login", "") == (1, "", "table users_by_login has no row '\"\"'\n")


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        ((), [1, 2, 3]),
        (("--prefix", 1), [1, 2, 3]),
        (("--prefix", 2), []),
        (("--prefix", 1, "--from", 2), [2, 3]),
        (("--prefix", 1, "--to", 3), [1, 2]),
        (("--from", 1, "--from", 2, "--to", 1, "--to", 3), [2]),
        (("--newest-first",), [3, 2, 1]),
        (("--newest-first", "--limit", 2), [3, 2]),
        (("--limit", 0), []),
    ],
)
def test_scan_keeps_within_its_bounds(
    path: Path, run: Run, arguments: tuple[object, ...], numbers: list[int]
) -> None:
    ran = run("scan", path, "issues", "--json", *arguments)

    assert ran.code == 0
    assert [json.loads(line)["number"] for line in ran.out.splitlines()] == numbers


def test_scan_of_integer_keys_keeps_within_its_bounds(path: Path, run: Run) -> None:
    for arguments, rows in ((("--prefix", 7), 1), (("--from", 7), 1), (("--from", 8), 0), (("--to", 7), 0)):
        assert len(run("scan", path, "users", "--json", *arguments).out.splitlines()) == rows


def test_scan_prints_aligned_columns(path: Path, run: Run) -> None:
    assert run("scan", path, "by_state", "--prefix", 1, "--prefix", "open", "--limit", 2).out == (
        "project_id  state  updated_at  number\n"
        "1           open   1           2\n"
        "1           open   2           3\n"
    )


def test_a_scan_of_more_rows_than_a_page_holds_comes_whole(path: Path, run: Run) -> None:
    engine = open_engine(str(path), durability="relaxed")
    rows = [((1 << 63) + 2).to_bytes(8) + b"\0" + bytes(8) + number.to_bytes(4) for number in range(2_345)]
    engine.begin()
    engine.put_many(BY_STATE.layout, rows, [b""] * len(rows))
    engine.commit()
    engine.close()

    for more in ((), ("--newest-first",)):
        assert len(run("scan", path, "by_state", "--prefix", 2, "--json", *more).out.splitlines()) == 2_345
    assert len(run("scan", path, "by_state", "--limit", 1_500).out.splitlines()) == 1_501


def test_keys_explains_each_part(path: Path, run: Run) -> None:
    ran = run("keys", path, "by_priority", "--explain", "0x8000000000000001000a7fffffffffffff9b80000001")

    assert ran.code == 0
    assert ran.out == (
        "bytes   hex               part        type        value\n"
        "0..8    8000000000000001  project_id  ProjectId   1\n"
        "8..10   000a              priority    Priority    normal\n"
        "10..18  7fffffffffffff9b  created_at  int64 desc  100\n"
        "18..22  80000001          number      int32       1\n"
    )


@pytest.mark.parametrize(
    ("table", "key", "wrong"),
    [
        ("by_priority", "8000000000000001000b", "bytes 8..10, part 'priority': 11 is no Priority"),
        ("issues", "800000000000000180", "part 'number' is bytes 8..12, the key ends at byte 9"),
        ("issues", "800000000000000180000001ff", "the parts end at byte 12, the key at byte 13"),
        ("users", "07", "the key is stored as an integer of 8 bytes, these are 1"),
        ("project_slugs", "6100", "bytes 0.., part 'slug': the part at offset 0 does not end"),
        ("project_slugs", "ff0000", "bytes 0..3, part 'slug': text that is no UTF-8 (invalid start byte)"),
        ("board_cells", "8000000000000001800080000000" + "02", "0x02 is no bool"),
    ],
)
def test_keys_says_which_bytes_are_wrong(path: Path, run: Run, table: str, key: str, wrong: str) -> None:
    ran = run("keys", path, table, "--explain", key)

    assert ran.code == 1
    assert wrong in ran.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("get", "{}", "issus", 1), "has no table 'issus'; did you mean 'issues'?"),
        (("get", "{}", "9" * 5_000, 1), "999'; `pillarbox ls` lists them"),
        (("scan", "{}", "zzz"), "has no table 'zzz'; `pillarbox ls` lists them"),
        (("get", "{}", "issues", 1), "a key of table 'issues' is project_id, number; give number as well"),
        (("get", "{}", "issues"), "is project_id, number; give project_id, number as well"),
        (("get", "{}", "issues", 1, 2, 3), "is project_id, number; 3 values were given"),
        (("get", "{}", "account", 1), "a key of table 'account' is nothing; 1 value was given"),
        (("get", "{}", "issues", 1, "x"), "issues.number: 'x' is no int32: it is a decimal number"),
        (("get", "{}", "issues", 1, 1 << 40), "issues.number is 1099511627776, which is not an int32"),
        (("scan", "{}", "by_state", "--prefix", 1, "--prefix", "shut"), "one of closed, open, waiting"),
        (("scan", "{}", "board_cells", *["--prefix", 1] * 3, "--prefix", "no"), "it is `true` or `false`"),
        (("keys", "{}", "issues", "--explain", "0x123"), "'0x123' is no hex"),
    ],
)
def test_wrong_use_is_explained_and_ends_with_2(
    path: Path, run: Run, arguments: tuple[object, ...], told: str
) -> None:
    ran = run(*(path if argument == "{}" else argument for argument in arguments))

    assert ran.code == 2
    assert told in ran.err


@pytest.mark.parametrize("verb", ["stat", "ls", "verify"])
def test_what_is_no_box_ends_with_3(tmp_path: Path, run: Run, verb: str) -> None:
    (tmp_path / "text").write_text("no box at all, but long enough to be read as the head of one" * 9)

    (tmp_path / "empty").touch()

    names = ("missing", "text", ".", "empty")
    missing, other, folder, empty = (run(verb, tmp_path / name) for name in names)

    assert (missing.code, other.code, folder.code, empty.code) == (3, 3, 3, 3)
    assert "the file is empty; check that this is the file you meant" in empty.err
    assert "this is a folder" in folder.err
    assert "there is no such file" in missing.err
    assert "this is no SQLite database" in other.err
    assert not (tmp_path / "missing").exists()


def test_a_box_of_a_newer_layout_is_read(path: Path, run: Run) -> None:
    engine = open_engine(str(path), durability="relaxed")
    tree = json.loads(engine.meta("layout") or b"")
    tree["types"]["State"]["enum"]["reopened"] = 3
    tree["tables"]["20"]["fields"].append({"number": 15, "name": "votes", "type": "int32", "default": 5})
    engine.begin()
    engine.set_meta("layout", json.dumps(tree).encode())
    engine.commit()
    engine.close()

    assert run("get", path, "issues", 1, 1).out.endswith("votes        5\n")
    assert run("get", path, "by_state", 1, "reopened", 0, 1).code == 1


@pytest.mark.parametrize(
    "login", ["", "a\nb", r"a\nb", '"a', '"a"', "-", " a", "a  b", "--json", "\x9b2J", "é"]
)
def test_a_text_key_as_it_is_printed_is_a_key(tmp_path: Path, run: Run, login: str) -> None:
    path = tmp_path / "odd.box"
    with open_box(path, durability="relaxed") as box:
        box.replay([PutUsers((Users(UserId(7), Login(login), "Ada"),))])

    printed = run("scan", path, "users_by_login").out.splitlines()[1].split("  ")[0]
    if "  " in login:
        printed = '"a  b"'
    assert printed.isprintable()
    assert run("get", path, "users_by_login", "--", printed).code == 0
    assert run("get", path, "users_by_login", "--json", "--", printed).out.strip().isprintable()
