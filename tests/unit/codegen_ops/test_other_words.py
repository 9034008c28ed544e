"""Another word keeps a derived table by a later schema: the file is as one that never had the word before."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from itertools import permutations
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from tests.property.test_verify import found_in
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box

NAME: Final = "pillarbox_other_words"
SCHEMA: Final = """
schema: {name: other_words}
tables:
  notes: {id: 1, key: {room: int32, n: int32}, record: {body: [1, text], at: [2, opt<int32>]}}
  made: {id: 2, %s}
  counted: {id: 3, count: {from: made, group: [room], sum: {n: 1}}}
"""
WORDS: Final = {
    "text": "text: {from: notes, of: body, filter: [room]}",
    "index": "index: {from: notes, key: [body, room, n]}",
    "count": "count: {from: notes, group: [room, at // 0], sum: {sum: 1}}",
    "top": "top: {of: notes, group: [room]}",
    "runs": "runs: {of: notes, group: [room], same: at}",
    "join": "join: {by: [room, n], rows: notes, row: {body: body}}",
    "identity": "index: {from: notes, unique: identity, key: [n, body], value: {room: room}}",
}


@cache
def package(word: str) -> ModuleType:
    """The package of the schema with this word, under a name of its own."""
    text = SCHEMA % WORDS[word].replace("[room, at // 0]", "[room, {late: at // 0}]")
    if word == "text":
        text = (
            text.partition("  counted:")[0]
            + "  counted: {id: 3, count: {from: notes, group: [room], sum: {n: 1}}}\n"
        )
    return version(Path(tempfile.mkdtemp()), text, f"{NAME}_{word}")


def fill(box: Box[Any, Any], package: ModuleType) -> None:
    with box.transaction() as tx:
        for room in (1, 2):
            for n in range(3):
                tx.notes.put(package.types.Notes(room=room, n=n, body=f"ab {room} {n}", at=n // 2))


def change(box: Box[Any, Any], package: ModuleType) -> None:
    with box.transaction() as tx:
        tx.notes.put(package.types.Notes(room=1, n=9, body="zz", at=1))
        tx.notes.put(package.types.Notes(room=2, n=1, body="qq", at=None))
        tx.notes.remove(1, 0)


def content(path: Path, package: ModuleType) -> tuple[list[str], list[str]]:
    """The names of all that the file has, and the rows that follow."""
    with closing(sqlite3.connect(path)) as file:
        names = sorted(name for (name,) in file.execute("SELECT name FROM sqlite_schema"))
    with Box(path, package.PACKAGE) as box, box.reading() as tables:
        return names, [*map(str, tables.made.all()), *map(str, tables.counted.all())]


@pytest.mark.parametrize(("old", "new"), list(permutations(WORDS, 2)))
def test_nothing_of_the_word_before_is_left(tmp_path: Path, old: str, new: str) -> None:
    before, now = package(old), package(new)
    late, fresh = tmp_path / "late.box", tmp_path / "fresh.box"
    with Box(late, before.PACKAGE) as box:
        fill(box, before)
    with Box(late, now.PACKAGE) as box:
        assert box.opened == "upgraded"
        change(box, now)
    with Box(fresh, now.PACKAGE) as box:
        fill(box, now)
        change(box, now)

    assert content(late, now) == content(fresh, now)
    assert found_in(late, now.PACKAGE, "derived") == []
