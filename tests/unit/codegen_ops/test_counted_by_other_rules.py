"""A schema by which what a server counted is counted on by another rule: all of it is in doubt."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import count, permutations
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from click.testing import CliRunner
from tests.property.test_verify import found_in
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box, opening
from pillarbox.doubts import doubtful
from pillarbox.errors import LayoutConflict
from pillarbox.inspect.verbs_versions import breaking
from pillarbox.layout import compare

NAME: Final = "pillarbox_counted_on"
SCHEMA: Final = """
schema: {name: counted_on}
types:
  State: {enum: {open: 0, closed: 1}}
tables:
  notes: {id: 1, key: {room: int32, note: int32}, record: {loud: [1, bool], state: [2, State]}}
  all_notes: {id: 2, index: {from: notes, when: state != closed, unique: true, key: [room, note], value: {loud: loud}}}
  seen:
    id: 3
    marker:
      over: all_notes
      group: [room]
      by: note
      when: room != 9
      counts: loud
      marks: [read]
      counted: read
      base: {count: unseen}
      stale: stale_seen
  stale_seen: {id: 4, stale: {of: seen}}
  totals:
    id: 5
    count:
      from: notes
      group: [room]
      sum: {open: if state == open then 1 else 0, here: 1}
      anchor: {when: room != 9, given: open, stale: stale_totals}
  stale_totals: {id: 6, stale: {of: totals}}
  urgent: {id: 7, index: {from: stale_seen, key: [version, room]}}
  per_room: {id: 8, count: {from: notes, group: [room], sum: {n: 1}}}
operations:
  tell_seen: {code: 1, params: {room: [1, int32], unseen: [2, int64]}, steps: [{anchor: {table: seen, at: "[room]", set: {read: 0, unseen: unseen}}}]}
  tell_total: {code: 2, params: {room: [1, int32], open: [2, int64]}, steps: [{anchor: {table: totals, at: "[room]", set: {open: open}}}]}
"""  # noqa: E501
_made: Final = count()
#: What is put in doubt by which change.
CHANGES: Final = {
    "a marker": ([("counts: loud", "counts: not loud")], {"seen"}),
    "sums": ([("{open: if state == open", "{open: if state == closed")], {"totals"}),
    "what is anchored": ([("anchor: {when: room != 9", "anchor: {when: room != 8")], {"totals"}),
    "what a marker is over": ([("when: state != closed", "when: state == closed")], {"seen"}),
    "values": ([("{open: 0, closed: 1}", "{closed: 0, open: 1}")], {"seen", "totals"}),
    "a plain count": ([("sum: {n: 1}", "sum: {n: 2}")], set()),
    "names": (
        [("loud", "noisy"), ("room", "hall"), ("notes", "papers"), ("unseen", "fresh"), ("open", "new")],
        set(),
    ),
}


def package(folder: Path, *changes: tuple[str, str]) -> ModuleType:
    """The package of the schema with these texts changed, under a name of its own."""
    text = SCHEMA
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    alias = f"{NAME}_{next(_made)}"
    return version(folder / alias, text, alias)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A box with rooms of which a server has told, of one only half, and one that is here alone."""
    path, first = tmp_path / "a.box", package(tmp_path)
    t, o = first.types, first.operations
    with Box(path, first.PACKAGE) as box:
        for room in (1, 2, 3, 9):
            with box.transaction() as tx:
                tx.notes.put(t.Notes(room=room, note=1, loud=True, state=t.State.OPEN))
            if room < 3:
                box.replay([o.TellSeen(room=room, unseen=4), o.TellTotal(room=room, open=5)])
            with box.transaction() as tx:
                tx.stale_seen.confirm(room) if room < 3 else None
                tx.stale_totals.confirm(room) if room < 3 else None
    return path


def doubts(path: Path, package: ModuleType) -> dict[str, list[int]]:
    """The rooms that are in doubt, of each table, once the package has opened the box."""
    with Box(path, package.PACKAGE) as box, box.reading() as tables:
        by_name = {"seen": tables.stale_seen, "totals": tables.stale_totals}
        return {
            name: [number for key, _ in table.scan_cells(None, None) for number in table.spec.key_fields(key)]
            for name, table in by_name.items()
        }


@pytest.mark.parametrize("rows", [1, 1000])
@pytest.mark.parametrize(("changes", "wanted"), CHANGES.values(), ids=CHANGES)
def test_what_is_counted_by_another_rule_is_in_doubt(
    tmp_path: Path,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changes: list[tuple[str, str]],
    wanted: set[str],
    rows: int,
) -> None:
    monkeypatch.setattr(opening, "_SLICE_ROWS", rows)
    before, then = doubts(path, package(tmp_path)), package(tmp_path, *changes)
    told = CliRunner().invoke(breaking, [str(Path(then.__file__ or "").parent), "--against", str(path)])

    after = doubts(path, then)

    assert {name for name in after if after[name] != before[name]} == wanted
    assert all({1, 2} <= set(after[name]) for name in wanted)
    assert all(9 not in after[name] or changes[0][0].startswith("anchor") for name in wanted)
    said = {line.split("'")[1] for line in told.output.splitlines() if line.endswith("are put in doubt")}
    assert said == wanted
    assert found_in(path, then.PACKAGE, "derived") == []
    assert doubts(path, then) == after


@pytest.mark.parametrize(("changes", "wanted"), CHANGES.values(), ids=CHANGES)
def test_for_reading_only_the_box_is_refused_until_it_is_brought_up(
    tmp_path: Path, path: Path, changes: list[tuple[str, str]], wanted: set[str]
) -> None:
    then = package(tmp_path, *changes)

    if not wanted and changes[0][1] != "sum: {n: 2}":
        with Box(path, then.PACKAGE, read_only=True) as box:
            assert box.opened == "same"
        return
    with pytest.raises(LayoutConflict, match="is older than the package, and it is opened read-only"):
        Box(path, then.PACKAGE, read_only=True)


def test_tables_that_are_new_are_not_told_to_be_in_doubt(path: Path, tmp_path: Path) -> None:
    now = json.loads(package(tmp_path).PACKAGE.layout)
    before = deepcopy(now)
    for number in ("2", "3", "4", "7"):
        del before["tables"][number]

    found = compare(before, now)

    assert doubtful(now["tables"], found.doubt, found.create, found.rebuild) == set()


def test_where_the_doubts_begin_anew_all_groups_are_in_doubt(tmp_path: Path, path: Path) -> None:
    changes = (
        ("name: counted_on", "name: counted_on, reserved: [4]"),
        ("stale_seen: {id: 4", "stale_seen: {id: 14"),
    )
    then = package(tmp_path, *changes)

    assert set(doubts(path, then)["seen"]) == {1, 2, 3}
    assert found_in(path, then.PACKAGE, "derived") == []


ASKED: Final = """
schema: {name: counted_on, reserved: [90]}
tables:
  notes: {id: 1, key: {room: int32, note: int32}, record: {loud: [1, bool]}}
  seen: {id: 3, marker: {over: notes, group: [room], by: note, counts: loud, marks: [read], counted: read, base: {count: unseen}, stale: ask}}
  totals: {id: 5, count: {from: notes, group: [room], sum: {here: 1}, anchor: {given: here, stale: ask}}}
  ask: {id: 6, stale: {by: {room: int32}}}
  other: {id: 7, stale: {by: {room: int32}}}
operations:
  tell: {code: 1, params: {room: [1, int32]}, steps: [{anchor: {table: seen, at: "[room]", set: {read: 0, unseen: 5}}}, {anchor: {table: totals, at: "[room]", set: {here: 5}}}]}
"""  # noqa: E501
#: Where doubts stand that stood elsewhere.
ELSEWHERE: Final = {
    "by another id": (("reserved: [90]", "reserved: [90, 6]"), ("ask: {id: 6", "ask: {id: 16")),
    "in another table": (
        ("unseen}, stale: ask", "unseen}, stale: other"),
        ("here, stale: ask", "here, stale: other"),
    ),
}


@pytest.mark.parametrize("changes", ELSEWHERE.values(), ids=ELSEWHERE)
def test_where_doubts_of_a_key_of_their_own_begin_anew_all_groups_are_in_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: tuple[tuple[str, str], ...]
) -> None:
    monkeypatch.setitem(globals(), "SCHEMA", ASKED)
    first, then, path = package(tmp_path), package(tmp_path, *changes), tmp_path / "b.box"
    with Box(path, first.PACKAGE) as box:
        box.replay([first.operations.Tell(room=room) for room in (1, 2)])
        with box.transaction() as tx:
            tx.notes.put(first.types.Notes(room=3, note=1, loud=True))
    told = CliRunner().invoke(breaking, [str(Path(then.__file__ or "").parent), "--against", str(path)])

    with Box(path, then.PACKAGE) as box, box.reading() as tables:
        asked = tables.other if "other" in changes[0][1] else tables.ask
        assert [row.room for row in asked.all()] == [1, 2, 3]
    assert told.output.count("are put in doubt") == 2
    with Box(path, then.PACKAGE) as box:
        assert box.opened == "same"


def test_where_doubts_stand_was_not_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "SCHEMA", ASKED)
    now = json.loads(package(tmp_path).PACKAGE.layout)
    before = deepcopy(now)
    for table in before["tables"].values():
        (table["rule"] or {}).pop("for", None)
        (table["rule"] or {}).pop("default", None)

    assert compare(before, now).same
    assert compare(now, before).same


@pytest.mark.parametrize("is_back", [False, True], ids=["there", "and back"])
def test_what_stands_at_zero_before_anybody_says_so_is_part_of_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_back: bool
) -> None:
    monkeypatch.setitem(globals(), "SCHEMA", ASKED)
    first, then = (
        package(tmp_path),
        package(tmp_path, ("unseen}, stale", "unseen}, default: room > 1, stale")),
    )
    first, then = (then, first) if is_back else (first, then)
    with Box(tmp_path / "b.box", first.PACKAGE) as box:
        with box.transaction() as tx:
            for room in (1, 2):
                tx.notes.put(first.types.Notes(room=room, note=1, loud=True))
        with box.transaction() as tx:
            tx.ask.confirm(1)
            tx.ask.confirm(2)

    with Box(tmp_path / "b.box", then.PACKAGE) as box, box.reading() as tables:
        assert box.opened == "upgraded"
        assert [row.room for row in tables.ask.all()] == [1, 2]


KEPT: Final = """
schema: {name: counted_on}
tables: {held: %s}
operations: {hold: {code: 1, params: {a: [1, int32]}, steps: [%s]}}
"""
WORDS: Final = {
    "ranges": (
        "{id: 3, ranges: {group: {room: int32}, over: {p: uint32}}}",
        "{add_range: {table: held, at: '[a]', range: '[1, 5]'}}",
    ),
    "stale": (
        "{id: 3, stale: {by: {room: int32, p: uint32}}}",
        "{mark: {table: held, at: '[a, 1]'}}",
    ),
    "list": (
        "{id: 3, list: {group: {room: int32}, item: {n: uint32}, places: {id: 4}}}",
        "{place: {list: held, group: '[a]', item: 7, at: end}}",
    ),
}


@pytest.mark.parametrize(("old", "new"), list(permutations(WORDS, 2)))
def test_what_one_word_kept_another_does_not_go_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    monkeypatch.setitem(globals(), "SCHEMA", KEPT % WORDS[old])
    first = package(tmp_path)
    monkeypatch.setitem(globals(), "SCHEMA", KEPT % WORDS[new])
    then = package(tmp_path)
    with Box(tmp_path / "b.box", first.PACKAGE) as box:
        box.replay([first.operations.Hold(a=1)])

    with pytest.raises(LayoutConflict, match="is kept by another word than in the box: give it another id"):
        Box(tmp_path / "b.box", then.PACKAGE)
