"""Boxes on one file: what is fetched for all is what live windows of all miss, whoever comes and goes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.one_file import play_all
from tests.unit.box.test_fetching import NAME, PROJECT, Log, page, thread

import pillarbox_tracker
from pillarbox.box import Fetching
from pillarbox.box.box import Box
from pillarbox.box.wants import Wants
from pillarbox.storage import presence as presence_module
from pillarbox.storage.presence import Presence
from pillarbox.views import Hole, Subscription
from pillarbox.views.demand import Demand
from pillarbox_tracker import operations as o
from pillarbox_tracker.types import Projects, UserId

ISSUES, BOXES = 4, 3


class Step(NamedTuple):
    """One of the boxes does something: what of it, about an issue."""

    box: int
    what: str
    issue: int


steps = st.builds(
    Step,
    st.integers(0, BOXES - 1),
    st.sampled_from(["watch", "watch", "watch", "close", "move", "fill", "leave", "fetch", "nothing"]),
    st.integers(1, ISSUES),
)


class Place:
    """A box that is open, and what it watches; it looks when it is told to."""

    def __init__(self, path: Path) -> None:
        self.box = pillarbox_tracker.open_box(path, durability="relaxed")
        self.box._watcher.stop()
        self.windows: list[Subscription[Any]] = []
        #: For its own windows.
        self.fetching: Fetching | None = None

    def holes(self) -> set[Hole]:
        found = {window.latest.snapshot.comments.hole for window in self.windows}
        return {hole for hole in found if hole is not None}

    def play(self, step: Step) -> None:
        match step.what:
            case "watch":
                self.windows.append(self.box.watch(thread(step.issue)))
            case "close" if self.windows:
                self.windows.pop().close()
            case "move" if self.windows:
                self.windows[0].move(thread(step.issue))
            case "fill":
                hole = next(iter(sorted(self.holes(), key=repr)), None)
                if hole is not None:
                    self.box.replay([page(max(hole.end, hole.start - 20), hole.start, hole.at[1])])
            case "fetch":
                if self.fetching is None:
                    self.fetching = self.box.fetch(NAME, Log())
                else:
                    self.fetching.close()
                    self.fetching = None


class World:
    """Boxes on one file, one of which fetches for all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.main = Place(path)
        self.main.box.replay([o.PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
        self.main.box.replay([o.OpenIssue(PROJECT, "it leaks", UserId(1), 100) for _ in range(ISSUES)])
        self.log = Log()
        self.fetching = self.main.box.fetch(NAME, self.log, everywhere=True)
        self.others: dict[int, Place] = {}

    def play(self, step: Step) -> None:
        if not step.box:
            if step.what not in ("leave", "fetch"):
                self.main.play(step)
        elif step.what == "leave":
            if (place := self.others.pop(step.box, None)) is not None:
                place.box.close()
        else:
            if step.box not in self.others:
                self.others[step.box] = Place(self.path)
            self.others[step.box].play(step)
        self.check()

    def check(self) -> None:
        """All look: at what was committed, then at what others want."""
        places = [*self.others.values(), self.main]
        for place in places:
            place.box.poll()
        for place in places:
            place.box.poll()
        wanted = self.main.holes().union(
            *(place.holes() for place in self.others.values() if place.fetching is None)
        )
        assert self.fetching.started == wanted
        running: list[Hole] = []
        for what, hole in self.log.told:
            running.append(hole) if what == "start" else running.remove(hole)
        assert len(running) == len(set(running)) == len(wanted)
        for place in self.others.values():
            if place.fetching is not None:
                assert place.fetching.started == place.holes()

    def close(self) -> None:
        for place in [*self.others.values(), self.main]:
            place.box.close()


def all_that_is_wanted_is_fetched(hard: settings) -> None:
    """The law."""

    @hard
    @given(history=st.lists(steps, max_size=12))
    def law(history: Sequence[Step]) -> None:
        play_all(World, history)

    law()


def test_all_that_is_wanted_is_fetched() -> None:
    all_that_is_wanted_is_fetched(settings())


FAULTS = (
    Fault("nothing is said", Wants, "say", "if said != self._said:", "if False:"),
    Fault("it is said but once", Wants, "say", "if said != self._said:", "if not self._said:"),
    Fault(
        "it is said but when it grows", Wants, "say", 'if untended else b""', "if untended else self._said"
    ),
    Fault("what is fetched here is told as well", Demand, "untended", "if not any(", "if True or any("),
    Fault(
        "the first who speaks is heard alone",
        Presence,
        "hear",
        "heard[seat] = said",
        "heard = heard or {seat: said}",
    ),
    Fault("who left is still heard", Presence, "hear", "or not all(", "or False and not all("),
    Fault("the seats above are not looked at", presence_module, "_seats", "(seat + 1, high)", "(high, high)"),
    Fault("a room is another's", Presence, "_read", "seat * _ROOM + _SAID.size", "_SAID.size"),
    Fault("who comes is not asked", Box, "_look", "self._others.wants.say()", "pass"),
    Fault("nobody hears", Box, "_look", "is_free and self._others.wants.hear()", "False"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        all_that_is_wanted_is_fetched(HARD)
