"""The law of `breaking`: what it says of a package and a box is what happens when the one opens the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.evolution.changes import (
    CONFLICTS,
    NEW_RULE,
    NEW_TABLES,
    RESERVED,
    UNCHANGED,
    WELCOME,
    Change,
)
from tests.evolution.conftest import House, Told

from pillarbox.inspect import versions


def foretold(package: Path, against: Path) -> str:
    """What a package is said to make of the boxes of another state."""
    found = versions.foretold(package, str(against)).difference
    if found.reasons():
        return "LayoutConflict"
    return "newer" if found.lacks else "same" if found.same else "upgraded"


def outcome(told: Told) -> str:
    """How a box was found, or the error that refused it."""
    return str(told["error"][0] if "error" in told else told["opened"])


@pytest.mark.parametrize(
    "change",
    [UNCHANGED, *WELCOME, NEW_RULE, NEW_TABLES, RESERVED, *(conflict.change for conflict in CONFLICTS)],
    ids=lambda change: change.name,
)
def test_what_becomes_of_a_box_is_foretold(house: House, change: Change) -> None:
    before, after = house.package(UNCHANGED), house.package(change)

    forth, back = foretold(after, before), foretold(before, after)

    assert foretold(after, house.box) == forth == outcome(house.visit(change))
    if forth != "LayoutConflict":
        assert foretold(before, house.box) == back == outcome(house.visit(UNCHANGED))
