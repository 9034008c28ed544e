"""What `breaking` says of a drawn change of a schema is what opening a box then does.

Laws. It says the same of a box, of the package that wrote it last, and of a revision of that one. A box that
is said to be refused is refused, for these reasons; one that can only be read is only read; of one that is
brought along the tables that are said to be new, dropped or made again are so, and no others. Where rows keep
it from that, a table does that was told, and the box stays as it was.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Final, TypeAlias

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.evolving import UNIQUE, Version, folder_of, package_of, versions_near
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_evolving import House
from tests.unit.inspect.conftest import written
from tests.unit.inspect.test_breaking import git

from pillarbox.box import Box, opening
from pillarbox.errors import LayoutConflict, UniqueViolation
from pillarbox.inspect import verbs_versions, versions
from pillarbox.inspect.verbs_versions import breaking

#: What is said of a box, how it is then found, and with what the verb ends.
_SAID: Final = {
    "opens as it is": ("same", 0),
    "is brought along when it is opened:": ("upgraded", 0),
    "can be read and not written, since the package lacks:": ("newer", 1),
    "is refused:": ("refused", 1),
}


@dataclass(frozen=True)
class Fate:
    """What becomes of a box, tables by their numbers."""

    found: str
    reasons: tuple[str, ...] = ()
    new: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    again: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Told:
    """What is said of a box."""

    fate: Fate
    #: The tables of which it depends on rows whether it is brought along.
    strict: frozenset[int] = frozenset()


def told_of(package: Path, against: str) -> Told:
    """What the verb says."""
    done = CliRunner().invoke(breaking, [str(package), "--against", against], catch_exceptions=False)
    head, *lines = done.output.splitlines()
    found, code = _SAID[head.removeprefix(f"a box of {against} ")]
    assert done.exit_code == code, done.output
    if found == "refused":
        return Told(Fate(found, tuple(line.removeprefix("  ") for line in lines)))
    if found != "upgraded":
        return Told(Fate(found))

    def numbers(said: str) -> frozenset[int]:
        return frozenset(int(it[1]) for line in lines if (it := re.fullmatch(f"  {said}", line)))

    fate = Fate(
        found,
        new=numbers(r"the package has table '\w+' \((\d+)\)"),
        dropped=numbers(r"table '\w+' \((\d+)\) is dropped with all its rows"),
        again=numbers(r"derived table '\w+' \((\d+)\) is made again"),
    )
    return Told(fate, numbers(r"unique table '\w+' \((\d+)\) is filled: .*"))


def met(path: Path, package: ModuleType) -> tuple[Fate, int | None]:
    """What opening a box does; and the table that its rows do not fit, if there is one."""
    mark(path)
    before, were = path.read_bytes(), tables_of(path)
    found, reasons, broken = "refused", tuple[str, ...](), None
    try:
        with Box(path, package.PACKAGE, durability="relaxed") as box:
            found = box.opened
    except LayoutConflict as error:
        reasons = error.reasons
    except UniqueViolation as error:
        broken = next(spec.id for spec in package.PACKAGE.specs if spec.name == error.table)
    if found in ("refused", "newer"):
        assert path.read_bytes() == before
    are = tables_of(path)
    unmarked = {number for number, is_marked in are.items() if not is_marked}
    return Fate(
        found,
        reasons,
        new=frozenset(are.keys() - were.keys()),
        dropped=frozenset(were.keys() - are.keys()),
        again=frozenset(unmarked & were.keys()),
    ), broken


def mark(path: Path) -> None:
    """Hang a trigger on each table, which goes with it: one that is made again has none."""
    does_nothing = "CREATE TRIGGER mark{0} AFTER INSERT ON t{0} BEGIN SELECT 1; END"
    written(path, *(does_nothing.format(number) for number in tables_of(path)))


def tables_of(path: Path) -> dict[int, bool]:
    """The number of each table in the file, and whether it is marked."""
    with closing(sqlite3.connect(path)) as file:
        names = {name for (name,) in file.execute("SELECT name FROM sqlite_schema")}
    numbers = [int(name[1:]) for name in names if re.fullmatch(r"t\d+", name)]
    return {number: f"mark{number}" in names for number in numbers}


def revised(folder: Path, before: Path, now: Path) -> Path:
    """A package of which the state before is the revision HEAD."""
    folder.mkdir()
    shutil.copy(before / "layout.py", folder)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "before")
    shutil.copy(now / "layout.py", folder)
    return folder


def packages_for(box: Version) -> st.SearchStrategy[Version]:
    """Versions that open a box of this one; some want what rows may not allow."""
    more = st.sampled_from((frozenset[str](), frozenset((UNIQUE,))))
    return st.builds(lambda near, it: replace(near, grown=near.grown | it), versions_near(box), more)


#: From the version of a box, or of none so far, to versions that visit it.
Visits: TypeAlias = Callable[[Version], st.SearchStrategy[Version]]


def law_of(hard: settings, writers: Visits = versions_near, packages: Visits = packages_for) -> None:
    """The laws, over boxes with a history."""

    @hard
    @given(data=st.data(), visits=st.integers(1, 2))
    def law(data: st.DataObject, visits: int) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
            house = House(Path(name))
            for _ in range(visits):
                house.visit(data.draw(writers(house.version or Version())), data)
            assert house.version is not None
            check(house.path, house.version, data.draw(packages(house.version)))

    law()


def check(box: Path, before: Version, now: Version) -> None:
    """Hold what is said of a box against what the package of a version does with it."""
    was, package = folder_of(before), folder_of(now)
    told = told_of(package, str(box))

    fate, broken = met(box, package_of(now))

    if broken is None:
        assert told.fate == fate
    else:
        assert (told.fate.found, fate) == ("upgraded", Fate("refused"))
        assert broken in told.strict
    assert told_of(package, str(was)) == told
    assert told_of(revised(box.with_name("package"), was, package), "HEAD") == told


def test_what_is_said_of_a_box_is_what_opening_it_does() -> None:
    law_of(settings(max_examples=max(20, settings().max_examples // 2)))


_FIRST: Final = Version()
_LOUDER: Final = Version(rule=1)
_GIVEN_UP: Final = Version(frozenset(("given_up",)))
_JOINED, _LOUDER_JOINED = (Version(frozenset(("join",)), rule) for rule in (0, 1))

#: A fault, who writes the box, and who opens it.
FAULTS: Final = (
    (
        Fault(
            "the states change places", versions, "foretold", "compare(before, now)", "compare(now, before)"
        ),
        _FIRST,
        _GIVEN_UP,
    ),
    (
        Fault(
            "the package is held against itself",
            versions,
            "foretold",
            "_layout_before(package, against)",
            "_layout_of(package)",
        ),
        _FIRST,
        _LOUDER,
    ),
    (Fault("what follows is not told", versions, "_followers", "found |= more", "break"), _FIRST, _LOUDER),
    (Fault("all is told to follow", versions, "_followers", "of & found", "True"), _FIRST, _LOUDER),
    (
        Fault(
            "what is new is told as made again", versions, "foretold", "not in found.create", "is not None"
        ),
        _FIRST,
        _JOINED,
    ),
    (
        Fault("a join follows its drivers alone", versions, "_sources", "found.update", "frozenset"),
        _JOINED,
        _LOUDER_JOINED,
    ),
    (
        Fault("uniqueness is not told", versions, "_is_unique", '!= "no"', "is None"),
        _FIRST,
        Version(frozenset((UNIQUE,))),
    ),
    (
        Fault("what is dropped is not told", verbs_versions, "_steps", "told.difference.drop", "()"),
        _FIRST,
        _GIVEN_UP,
    ),
    (
        Fault(
            "what is given up stays",
            opening,
            "_upgrade",
            "engine.drop(_whatever(number))\n    f",
            "pass\n    f",
        ),
        _FIRST,
        _GIVEN_UP,
    ),
    (
        Fault("what follows is not made again", opening, "_upgrade", "tx.followers_of(", "set("),
        _FIRST,
        _LOUDER,
    ),
)


@pytest.mark.parametrize(("fault", "box", "package"), FAULTS, ids=[str(fault) for fault, *_ in FAULTS])
def test_a_planted_fault_is_found(fault: Fault, box: Version, package: Version) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law_of(HARD, lambda _: st.just(box), lambda _: st.just(package))
