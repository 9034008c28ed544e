"""verify and repair: what they find, what they print, how they end."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

import apsw
import pytest
from msgspec.msgpack import encode as msgpack
from tests.unit.inspect.conftest import Run, in_the_place_of_bytes, written

from pillarbox.box.opening import LAYOUT
from pillarbox.box.opening import LAYOUT_HASH as LAYOUT_HASH_OF_BOX
from pillarbox.errors import LayoutConflict
from pillarbox.inspect.derived import twins_of
from pillarbox.inspect.repair import repair_derived
from pillarbox.inspect.stored import opened
from pillarbox.storage import Engine, open_engine
from pillarbox_messenger import open_box as open_chats
from pillarbox_messenger import specs as chats
from pillarbox_messenger.operations import UpdatePeers
from pillarbox_messenger.types import PeerNamespace, Peers, UserData, peer_id
from pillarbox_tracker import specs
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.layout import LAYOUT_HASH
from pillarbox_tracker.tables import IssueNumbersSequence


def writing(path: Path) -> Engine:
    engine = open_engine(str(path), durability="relaxed")
    engine.begin()
    return engine


@pytest.mark.parametrize("level", ["quick", "records", "derived"])
def test_a_sound_box_has_no_findings(path: Path, run: Run, level: str) -> None:
    assert run("verify", path, "--level", level) == (0, f"{path}: nothing wrong ({level})\n", "")


def test_a_row_that_does_not_follow_is_told_with_its_key_and_repaired(path: Path, run: Run) -> None:
    written(path, "DELETE FROM t21 WHERE k IN (SELECT min(k) FROM t21)")
    written(path, "UPDATE t34 SET v=CAST(substr(v,1,1)||x'ff'||substr(v,3) AS BLOB)")

    assert run("verify", path, "--level", "records").code == 0
    found = run("verify", path, "--level", "derived")
    done = run("repair", path, "--derived")

    assert found.code == 1
    *told, last = found.out.splitlines()
    state, comment = sorted(told)
    assert state == (
        "table by_state, key 1 open 1 2: it holds no row, from its sources follows a row without a value"
    )
    assert comment.startswith("table latest_comment, key 1 1: it holds 0x00ff")
    assert last == f"{path}: 2 findings (derived)"
    assert (done.code, sorted(done.out.splitlines()), done.err) == (
        0,
        ["table by_state: 1 rows written, 0 removed", "table latest_comment: 1 rows written, 0 removed"],
        "",
    )
    assert run("verify", path, "--level", "derived").code == 0
    assert run("repair", path, "--derived").out == f"{path}: nothing to repair\n"


def test_findings_of_one_table_are_bounded_and_counted(path: Path, run: Run) -> None:
    engine = writing(path)
    keys = [(5 << 60).to_bytes(8) + bytes(9) + number.to_bytes(4) for number in range(30)]
    engine.put_many(specs.BY_STATE.layout, keys, [b""] * 30)
    engine.commit()
    engine.close()

    ran = run("verify", path, "--level", "derived")

    assert ran.out.count("table by_state, key ") == 20
    assert ran.out.endswith(f"table by_state: and 10 more\n{path}: 30 findings (derived)\n")
    assert "0 written, 30 removed" in run("repair", path, "--derived").out.replace(" rows", "")


def test_a_torn_record_and_a_torn_key_are_told_where_they_are(path: Path, run: Run) -> None:
    written(
        path,
        "UPDATE t20 SET v=substr(v,1,length(v)-2) WHERE k=x'800000000000000180000002'",
        "UPDATE t31 SET k=substr(k,1,9)",
    )

    lines = run("verify", path).out.splitlines()

    assert lines[0] == "table issues, key 1 2: Input data was truncated"
    assert lines[1].startswith("table comments, key 0x800000000000000180: part 'number' is bytes 8..12")
    assert lines[2:] == [f"{path}: 2 findings (records)"]


def test_an_enum_number_nobody_knows_is_shown_by_scan_and_found_by_verify(path: Path, run: Run) -> None:
    written(path, "UPDATE t21 SET k=CAST(substr(k,1,8)||x'63'||substr(k,10) AS BLOB)")

    assert "unknown 99" in run("scan", path, "by_state").out
    assert "bytes 8..9, part 'state': 99 is no State" in run("verify", path).out
    assert run("repair", path, "--derived").code == 0
    assert run("verify", path, "--level", "derived").code == 0


def test_what_cannot_be_made_anew_is_said_and_the_rest_is_repaired(path: Path, run: Run) -> None:
    written(path, "UPDATE t20 SET v=x'ff' WHERE k=x'800000000000000180000002'", "DELETE FROM t2")

    found = run("verify", path, "--level", "derived")
    done = run("repair", path, "--derived")

    assert found.code == 1
    assert "table by_state: it cannot be made anew: table 'issues', key 0x8000000000000001" in found.out
    assert "table newest_active: it cannot be made anew: it follows from 'by_state'" in found.out
    assert done.code == 1
    assert done.out == "table project_slugs: 1 rows written, 0 removed\n"
    assert "table by_state: it cannot be made anew" in done.err


def test_a_part_of_a_packed_id_that_names_no_member_is_a_finding(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "chats.box"
    with open_chats(path) as box:
        box.replay(
            [UpdatePeers((Peers(peer_id=peer_id(PeerNamespace.USER, 7), name="Ada", data=UserData()),))]
        )
    engine = writing(path)
    ((key, value),) = engine.scan(chats.PEERS.layout, None, None)
    strange = 127 << 56 | 7
    engine.put_many(chats.PEERS.layout, [strange], [value.replace(msgpack(key), msgpack(strange))])
    engine.commit()
    engine.close()

    assert run("verify", path).code == 0
    found = run("verify", path, "--level", "derived")

    assert found.code == 1
    assert (
        "table peers_by_settings: it cannot be made anew: table 'peers': 127 is not a valid PeerNamespace"
        in found.out
    )
    assert run("repair", path, "--derived").code == 1


def test_a_box_that_is_upgraded_before_it_can_be_repaired_is_left_alone(path: Path) -> None:
    written(path, "DELETE FROM t21 WHERE k IN (SELECT min(k) FROM t21)")
    engine = writing(path)
    engine.set_meta(LAYOUT_HASH_OF_BOX, b"a later one")
    engine.commit()
    before = engine.scan(specs.BY_STATE.layout, None, None)

    with pytest.raises(LayoutConflict, match="another process has upgraded the box"):
        repair_derived(engine, PACKAGE)

    assert engine.scan(specs.BY_STATE.layout, None, None) == before
    engine.close()


def test_what_is_made_anew_has_no_file_that_a_kill_would_leave(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    monkeypatch.setattr("pillarbox.storage.sqlite_file._STANDS_SECONDS", 0)  # as where it takes long

    with opened(str(path)) as engine, twins_of(engine, PACKAGE) as twins:
        assert list((tmp_path / "scratch").iterdir()) == []
        assert twins.specs
        assert not any(list(twins.differences(spec, engine)) for spec in twins.specs)


def test_two_rows_with_one_identity_are_a_finding(path: Path, run: Run) -> None:
    engine = writing(path)
    ((key, value),) = engine.scan(specs.COMMENTS.layout, None, None)
    assert isinstance(key, bytes)
    later = key[:19] + b"\x70" + key[20:]
    row = json.loads(run("get", path, "comments", 1, 1, 102, 1, "--json").out)
    assert row["posted_at"] == 102
    engine.put_many(specs.COMMENTS.layout, [later], [value.replace(b"\x66", b"\x70", 1)])
    engine.commit()
    engine.close()

    assert (
        "table comment_ids: it cannot be made anew: two rows of 'comments'"
        in run("verify", path, "--level", "derived").out
    )


def test_a_number_that_a_sequence_cannot_have_come_to_is_a_finding(path: Path, run: Run) -> None:
    written(path, "UPDATE t101 SET v=x'00ffffffff'")

    assert run("verify", path, "--level", "derived").out.startswith(
        "table issue_numbers, key 1: its next number is -1, and the sequence gives 1 .. 2147483646\n"
    )


def test_a_number_from_before_the_start_was_raised_is_no_finding(
    path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IssueNumbersSequence, "START", 1000)

    assert run("verify", path, "--level", "derived").out == f"{path}: nothing wrong (derived)\n"


def test_missing_and_surplus_tables_and_a_foreign_hash_are_findings(path: Path, run: Run) -> None:
    written(
        path,
        "DROP TABLE t21",
        "DROP TABLE t103",
        "CREATE TABLE t999(k BLOB PRIMARY KEY NOT NULL, v BLOB NOT NULL) STRICT, WITHOUT ROWID",
    )

    lines = run("verify", path, "--level", "derived").out.splitlines()
    done = run("repair", path, "--derived")
    written(path, "UPDATE pillarbox_meta SET value=CAST('feedfeedfeedfeed' AS BLOB) WHERE name='layout_hash'")

    assert lines[:3] == [
        "table by_state: the file lacks the table t21",
        "table audit_entries: the file lacks the table t103",
        "the file: it holds a table t999 that its layout does not know",
    ]
    assert done.out == "table by_state: 3 rows written, 0 removed\n"
    assert (done.code, done.err.splitlines()) == (
        1,
        [f"{line} (a repair leaves this as it is)" for line in lines[1:3]],
    )
    assert "is not the one that its hash 'feedfeedfeedfeed' names" in run("verify", path).out


@pytest.mark.parametrize("filler", [b"\xab", b"\0"])
def test_a_damaged_page_is_a_finding_and_nothing_is_repaired(path: Path, run: Run, filler: bytes) -> None:
    connection = apsw.Connection(str(path))
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name='t20'").get
    connection.close()
    assert isinstance(page, int)
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(filler * 4096)
    damaged = path.read_bytes()

    for level in ("quick", "records", "derived"):
        ran = run("verify", path, "--level", level)
        assert ran.code == 1
        assert "the file: SQLite: " in ran.out or "malformed" in ran.out
    done = run("repair", path, "--derived")

    assert (done.code, done.out) == (3, "")
    assert "put a backup in its place" in done.err
    assert path.read_bytes() == damaged


def test_a_row_without_a_value_that_has_one_which_is_no_bytes_is_a_finding(path: Path, run: Run) -> None:
    written(path, *in_the_place_of_bytes("t21", "k IN (SELECT min(k) FROM t21)"))

    ran = run("verify", path)

    assert ran.code == 1
    assert "table by_state, key 1 open 1 2: a row of this table has no value" in ran.out


def test_an_index_of_words_that_sqlite_cannot_read_is_damage(path: Path, run: Run) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA writable_schema=ON")
    ((name,),) = connection.execute("SELECT name FROM sqlite_schema WHERE name LIKE 't%_words_config'")
    connection.execute(f"UPDATE {name} SET v=99 WHERE k='version'")
    connection.close()

    ran, done = run("verify", path), run("repair", path, "--derived")

    assert (ran.code, done.code) == (1, 3)
    assert "invalid fts5 file format" in ran.out
    assert "put a backup in its place" in ran.out
    assert "put a backup in its place" in done.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "the stored layout cannot be read (Expecting"),
        ('{"format":2}', "it has format 2, and this pillarbox reads format 1"),
        ('{"format":1}', "'schema' is missing"),
        ('{"format":1,"schema":"x","types":{"A":{"record":[{"number":1,"name":"a","type":"B"}]}},"tables":{}}',
         "it has no type 'B'"),
        ('{"format":1,"schema":"x","types":{},"tables":{"1":{"name":"\\u001b[2J","role":"primary","key":[],'
         '"layout":"empty","storage":"clustered","fields":[],"rule":null}}}', "is no name"),
    ],
)  # fmt: skip
def test_a_layout_that_cannot_be_read_is_a_finding_of_verify_and_stops_the_others(
    path: Path, run: Run, text: str, told: str
) -> None:
    engine = writing(path)
    engine.set_meta("layout", text.encode())
    engine.commit()
    engine.close()

    found, derived, listed = run("verify", path), run("verify", path, "--level", "derived"), run("ls", path)

    assert (found.code, derived.code, listed.code) == (1, 1, 3)
    assert told in found.out
    assert told in derived.out
    assert told in listed.err


def test_the_package_must_be_the_one_that_wrote_the_box(
    path: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    verify = ("verify", path, "--level", "derived", "--package")

    other, nothing, no_package = (
        run(*verify, name) for name in ("pillarbox_messenger", "no_such_package", "json")
    )
    no_names = [run(*verify, name) for name in ("", "..", ".json", "no_such.package", "json.no_such")]

    assert (other.code, nothing.code, no_package.code) == (2, 2, 2)
    assert {ran.code for ran in no_names} == {2}
    assert all("there is no package '" in ran.err for ran in no_names)
    assert f"has the layout {LAYOUT_HASH}, the package pillarbox_messenger" in other.err
    assert "the box belongs to schema 'tracker', the package to 'messenger': name the package" in other.err
    assert "there is no package 'no_such_package'; install it" in nothing.err
    assert "json is no generated package" in no_package.err
    assert run(*verify, "pillarbox_tracker").code == 0


@pytest.mark.parametrize(
    ("number", "told"),
    [
        ("5000", "the box has table 'gone' (5000), which the package lacks: put that back into the schema"),
        (None, "open the box once with the package to bring it up, or name the package"),
    ],
)
def test_who_has_another_layout_is_told_what_helps(
    path: Path, run: Run, number: str | None, told: str
) -> None:
    engine = writing(path)
    layout = json.loads(engine.meta(LAYOUT) or b"")
    table = layout["tables"].pop("34")
    layout["tables"] |= {"34": table, number: {**table, "name": "gone"}} if number else {}
    text = json.dumps(layout).encode()
    engine.set_meta(LAYOUT, text)
    engine.set_meta(LAYOUT_HASH_OF_BOX, sha256(text).hexdigest()[:16].encode())
    engine.commit()
    engine.close()

    ran = run("verify", path, "--level", "derived")

    assert ran.code == 2
    assert told in ran.err


def test_repair_does_nothing_unasked_and_makes_no_file(path: Path, run: Run, tmp_path: Path) -> None:
    assert run("repair", path).code == 2
    assert run("repair", tmp_path / "missing", "--derived").code == 3
    assert not (tmp_path / "missing").exists()
