"""Drawn changes of what counts on from a server's base: what is said without a doubt is said rightly.

Law. Another version opens a box in which nothing is in doubt, or as it is. What a group then says is in
doubt, or is what it would say had this version heard the same history from the beginning; nor is it in doubt
there. A group that has no row says nothing, unless it stands at zero by `default`. What no server gives is
always right.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.doubt_world import (
    PLACES,
    ROOMS,
    Event,
    Said,
    Version,
    changed,
    events,
    operations_of,
    others,
    package_after,
    package_of,
    said_in,
    versions,
)
from tests.property.mutants import Fault
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_verify import found_in

from pillarbox import doubts, layout
from pillarbox.box import Box, opening


def hold(history: list[Event], first: Version, then: Version, *, is_settled: bool = True) -> None:
    """The law for one history and two versions; `is_settled`: the server answers before the second one comes.

    What was read of a group of which nobody says anything is lost, whatever is said of it later: a version by
    which others say something comes when all is settled.
    """
    is_settled |= any(first[place] != then[place] for place in ("default", "seen_when", "totals_when"))
    old, new = package_of(first), package_after(first, then)
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        path, fresh = Path(folder, "a.box"), Path(folder, "fresh.box")
        with Box(path, old.PACKAGE, durability="relaxed") as box:
            play(box, history, old, first)
            if is_settled:
                history = [*history, *(answers := answers_to(said_in(box, first)))]
                play(box, answers, old, first)
                assert answers_to(said_in(box, first)) == [], "all is settled"
        with Box(fresh, new.PACKAGE, durability="relaxed") as box:
            play(box, history, new, first)
            wanted = said_in(box, then)
        with Box(path, new.PACKAGE, durability="relaxed") as box:
            found = said_in(box, then)
        assert found_in(path, new.PACKAGE, "derived") == []
    for room in ROOMS:
        check_seen(room, then, found, wanted)
        check_totals(room, then, found, wanted)


def play(box: Box[Any, Any], history: list[Event], package: ModuleType, heard_by: Version) -> None:
    """Have all that happens happen in a box."""
    for event in history:
        if operations := [*operations_of(event, package, heard_by)]:
            box.replay(operations)


def answers_to(said: Said) -> list[Event]:
    """What a server tells of all that is in doubt."""
    rooms = sorted({*said["doubts of seen"], *said["doubts of totals"]})
    return [Event("tell", room, 1, loud=True, size=2) for room in rooms]


def check_seen(room: int, version: Version, found: Said, wanted: Said) -> None:
    """A marker has no row of what is left out, and says nothing of a group without a row and a default."""
    if not version.has("seen_when", room):
        assert room not in found["seen"]
    elif room not in found["doubts of seen"] and (room in found["seen"] or version.has("default", room)):
        assert found["seen"].get(room, {}) == wanted["seen"].get(room, {}), (room, found, wanted)
        assert room not in wanted["doubts of seen"], (room, found, wanted)


def check_totals(room: int, version: Version, found: Said, wanted: Said) -> None:
    """Sums that no server gives are those of the rows; the others say nothing of a group without a row."""
    one, other = (it["totals"].get(room, {}) for it in (found, wanted))
    assert one.get("here") == other.get("here"), (room, found, wanted)
    if not version.has("totals_when", room):
        assert one == other, (room, found, wanted)
    elif room not in found["doubts of totals"] and room in found["totals"]:
        assert one == other, (room, found, wanted)
        assert room not in wanted["doubts of totals"], (room, found, wanted)


@given(history=events(), is_settled=st.booleans(), first=versions(), data=st.data())
@settings(max_examples=min(40, settings().max_examples))
def test_what_is_said_without_a_doubt_is_as_if_it_had_always_been_counted_so(
    history: list[Event], is_settled: bool, first: Version, data: st.DataObject
) -> None:
    hold(history, first, data.draw(others(first)), is_settled=is_settled)


#: A hole in a room where nobody has said anything.
MISSED: Final = Event("miss", 1, 1, loud=True, size=2)
TOLD: Final = Event("tell", 1, 1, loud=True, size=2)
#: Each with whether the server answers then: what came after a base differs by each rule; a base is in doubt
#: that nobody has asked for; something is missing of what has no base.
HISTORIES: Final = (
    ([TOLD, Event("put", 1, 2, loud=True, size=2), Event("put", 1, 3, loud=True, size=1)], True),
    ([TOLD, replace(MISSED, note=2)], False),
    ([MISSED], True),
)


def hold_all(first: Version, **said: str) -> None:
    """The law for short histories, each for one way in which a rule may be missing."""
    for history, is_settled in HISTORIES:
        hold(history, first, changed(first, **said), is_settled=is_settled)


CHANGES: Final = [(place, text) for place, texts in PLACES.items() for text in texts[1:]]


@pytest.mark.parametrize(("place", "text"), CHANGES)
def test_each_change_for_itself(place: str, text: str) -> None:
    hold_all(Version(), **{place: text})


@pytest.mark.parametrize("rows", [1, 1000])
@pytest.mark.parametrize(
    ("was", "now"),
    [
        ({"default": "false"}, {"default": "room < 9"}),
        ({"default": "room < 9", "seen_when": "room != 1"}, {"seen_when": "room != 9"}),
    ],
    ids=["by a default", "by a condition"],
)
def test_what_stands_at_zero_from_now_on_is_in_doubt_over_a_hole(
    was: dict[str, str], now: dict[str, str], rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_SLICE_ROWS", rows)
    first = changed(Version(), **was)
    hold([MISSED, replace(MISSED, room=2, note=3)], first, changed(first, **now))


def planted(name: str, owner: ModuleType, function: str, old: str, new: str, **said: str) -> Any:
    """A fault, and the change that shows it."""
    return pytest.param(Fault(name, owner, function, old, new), said, id=name)


FAULTS: Final = (
    planted("no count counts on", doubts, "counts_on", ', "anchoredcount")', ",)", sum="size"),
    planted("no marker counts on", doubts, "counts_on", '"marker"', '"marked"', counts="not loud"),
    planted("rules are not told", opening, "doubtful", "{*doubt, *", "{*", counts="not loud"),
    planted("nor those they are over", opening, "doubtful", "source in filled", "False", filter="size > 1"),
    planted("doubts go over", layout, "begun_anew", "sorted(of - known)", "()", seen_stale="moved"),
    planted("new doubts are known", layout, "begun_anew", "else set()", "else None", seen_stale="ask"),
    planted(
        "holes are not heard of", opening, "_tell_holes", "not isinstance", "isinstance", default="room < 9"
    ),
    planted("words of a key are not told", doubts, "_doubted", '{*rule["for"]}', "set()", totals_stale="ask"),
)


@pytest.mark.parametrize(("fault", "said"), FAULTS)
def test_a_planted_fault_is_found(fault: Fault, said: dict[str, str]) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        hold_all(Version(), **said)
