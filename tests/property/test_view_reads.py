"""The law of what views read: rows are as of the commit, and none that is known is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.views.fakes import PEOPLE, FakeReader, Person

from pillarbox.storage import StoredKey
from pillarbox.tables import Cell
from pillarbox.views import Interests
from pillarbox.views.interests import Sink
from pillarbox.views.reads import Reads

_SOME = st.sets(st.integers(0, 5))
_CELLS = st.dictionaries(st.integers(0, 5), st.integers(0, 2).map(str))


class Asked(FakeReader):
    """Remembers which keys it was asked for."""

    __slots__ = ("keys",)

    keys: list[StoredKey]

    def cell(self, key: StoredKey) -> Cell | None:
        self.keys.append(key)
        return super().cell(key)

    def cells_at(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        self.keys += keys
        return super().cells_at(keys)


class Shows(Sink):
    """Holds one row, if there is one."""

    __slots__ = ("row",)

    def __init__(self, row: Person | None) -> None:
        self.row = row

    def row_of(self, key: StoredKey) -> Person | None:
        return self.row


def check(
    before: dict[int, str],
    changed: dict[int, str],
    gone: set[int],
    held: set[int],
    shown: set[int],
    asked: set[int],
) -> None:
    """`changed` and `gone` are what the commit did; `held` is handed in, and `shown` is what views have."""
    now = {key: name for key, name in {**before, **changed}.items() if key not in gone}
    stored: dict[StoredKey, Any] = {
        key: PEOPLE.bytes_of(PEOPLE.cell_of(Person(key, name))) for key, name in now.items()
    }
    reader = Asked(PEOPLE, stored, [])
    reader.keys = []
    touched = {key for key in changed.keys() | gone if before.get(key) != now.get(key)}
    rows = {key: Person(key, name) for key, name in before.items()}
    changes: dict[StoredKey, Any] = {
        key: (_cell(rows.get(key)), _cell(Person(key, now[key]) if key in now else None)) for key in touched
    }
    interests = Interests()
    for key in sorted(shown):
        interests.add(PEOPLE.id, key, Shows(rows.get(key)))
        interests.add(PEOPLE.id, key, Sink())
    reads = Reads({PEOPLE.id: reader}, {PEOPLE.id: changes} if changes else {}, interests)

    found = reads.rows(PEOPLE, asked, {key: rows[key] for key in held if key in rows})

    assert found == {key: Person(key, now[key]) for key in asked if key in now}
    known = touched | (rows.keys() & (held | shown))
    assert sorted(reader.keys) == sorted(asked - known)
    assert all(reads.row(PEOPLE, key) == found.get(key) for key in asked)


def _cell(row: Person | None) -> Cell | None:
    return None if row is None else PEOPLE.cell_of(row)


LAW: Callable[..., Any] = given(_CELLS, _CELLS, _SOME, _SOME, _SOME, _SOME)

FAULTS = (
    Fault("what only some views show is not read", Reads, "rows", "len(known) == len(unknown)", "known"),
    Fault("what views show is read all the same", Reads, "rows", "elif known:", "elif False:"),
    Fault(
        "what was found is lost where views show more", Reads, "rows", "{**found, **known} if found else ", ""
    ),
    Fault(
        "what is handed in is taken though it changed",
        Reads,
        "rows",
        "if changes and key in changes:",
        "if False:",
    ),
    Fault("what views show is taken though it changed", Reads, "row", "if key in changes:", "if False:"),
    Fault("a sink that knows no row hides one", Interests, "rows", "if row is not None:", "if True:"),
)


def test_rows_are_as_of_the_commit_and_none_that_is_known_is_read() -> None:
    LAW(check)()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        HARD(LAW(check))()
