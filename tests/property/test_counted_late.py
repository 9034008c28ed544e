"""Words with a base that come to rows which are there: a box that gets them by an upgrade is as a new one.

Laws. What counts on from a server's base, and is new in a package, counts the rows that a box has, and is in
doubt, as it would be had it been there when they came. By another rule, what no server gives is what the
rows give by that; and every group that rows count in is in doubt or has what a new box has.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.test_verify import found_in
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box, opening

NAME: Final = "pillarbox_counted_late"
TABLES: Final = """
schema: {name: counted_late}
tables:
  notes: {id: 1, key: {room: int32, note: int32}, record: {loud: [1, bool], size: [2, int32]}}
  all_notes: {id: 2, index: {from: notes, when: size > 0, key: [room, note], value: {loud: loud}}}
"""
COUNTING: Final = """
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
      default: room == 8
      stale: stale_seen
  stale_seen: {id: 4, stale: {of: seen}}
  totals:
    id: 5
    count:
      from: all_notes
      group: [room]
      sum: {loud: if loud then 1 else 0, here: 1}
      anchor: {when: room != 9, given: loud, stale: stale_totals}
  stale_totals: {id: 6, stale: {of: totals}}
  most: {id: 7, index: {from: totals, key: [{here: {of: here, desc: true}}, room]}}
"""
TELLING: Final = """
operations:
  tell: {code: 1, params: {room: [1, int32], n: [2, int64]}, steps: [{anchor: {table: seen, at: "[room]", set: {read: 1, unseen: n}}}, {anchor: {table: totals, at: "[room]", set: {loud: n}}}]}
"""  # noqa: E501
RULES: Final = {
    "counts": ("counts: loud", "counts: not loud"),
    "marked": ("when: room != 9\n", "when: room != 1\n"),
    "sums": ("sum: {loud: if loud then 1 else 0, here: 1}", "sum: {loud: if loud then 0 else 1, here: 2}"),
    "anchored": ("anchor: {when: room != 9", "anchor: {when: room != 1"),
    "over": ("when: size > 0", "when: size > 1"),
}
ROOMS: Final = (1, 2, 8, 9)
Notes: TypeAlias = dict[tuple[int, int], tuple[bool, int]]
_rooms: Final = st.sampled_from(ROOMS)
notes_of: Final = st.dictionaries(
    st.tuples(_rooms, st.integers(1, 4)), st.tuples(st.booleans(), st.integers(0, 2)), max_size=10
)


@cache
def package(text: str) -> ModuleType:
    """The package of a schema, under a name of its own."""
    alias = f"{NAME}_{package.cache_info().misses}"
    return version(Path(tempfile.mkdtemp()), text, alias)


def put(box: Box[Any, Any], package: ModuleType, notes: Notes) -> None:
    with box.transaction() as tx:
        for (room, note), (loud, size) in notes.items():
            tx.notes.put(package.types.Notes(room=room, note=note, loud=loud, size=size))


def counted(box: Box[Any, Any]) -> dict[str, dict[int, Any]]:
    """The rows of each table by their rooms; of doubts, that they are there."""
    with box.reading() as tables:
        found = {
            name: {row.room: row for row in getattr(tables, name).all()}
            for name in ("seen", "totals", "most")
        }
        stale = ("stale_seen", "stale_totals")
        return found | {name: {row.room: True for row in getattr(tables, name).all()} for name in stale}


@pytest.mark.parametrize("rows", [1, 1000])
@settings(max_examples=20)
@given(notes=notes_of, more=notes_of)
def test_what_is_new_counts_what_is_there(rows: int, notes: Notes, more: Notes) -> None:
    first, then = package(TABLES), package(TABLES + COUNTING + TELLING)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_SLICE_ROWS", rows)
        late, fresh = Path(folder, "late.box"), Path(folder, "fresh.box")
        with Box(late, first.PACKAGE) as box:
            put(box, first, notes)
        with Box(late, then.PACKAGE) as upgraded, Box(fresh, then.PACKAGE) as new:
            assert upgraded.opened == "upgraded"
            put(new, then, notes)
            assert counted(upgraded) == counted(new)
            put(upgraded, then, more)
            put(new, then, more)
            assert counted(upgraded) == counted(new)
        assert found_in(late, then.PACKAGE, "derived") == []


@pytest.mark.parametrize("rows", [1, 1000])
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@settings(max_examples=10)
@given(notes=notes_of, told=st.sets(_rooms))
def test_by_another_rule_it_is_counted_again_or_in_doubt(
    rows: int, rule: tuple[str, str], notes: Notes, told: set[int]
) -> None:
    text = TABLES + COUNTING + TELLING
    assert text.count(rule[0]) == 1
    first, then = package(text), package(text.replace(*rule))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_SLICE_ROWS", rows)
        late, fresh = Path(folder, "late.box"), Path(folder, "fresh.box")
        with Box(late, first.PACKAGE) as box:
            put(box, first, notes)
            box.replay([first.operations.Tell(room=room, n=3) for room in sorted(told)])
            with box.transaction() as tx:
                for room in ROOMS:
                    tx.stale_seen.confirm(room)
                    tx.stale_totals.confirm(room)
        with Box(late, then.PACKAGE) as box, Box(fresh, then.PACKAGE) as new:
            assert box.opened == "upgraded"
            put(new, then, notes)
            found, wanted = counted(box), counted(new)
        changed = {"seen"} if rule[0].startswith(("counts", "when: room")) else {"totals"}
        for name in {"seen", "totals"} if rule is RULES["over"] else changed:
            for room in ROOMS:
                if not found[f"stale_{name}"].get(room):
                    assert found[name].get(room) == wanted[name].get(room)
                elif name == "totals" and room in wanted[name]:
                    assert found[name][room].here == wanted[name][room].here
        assert found_in(late, then.PACKAGE, "derived") == []
