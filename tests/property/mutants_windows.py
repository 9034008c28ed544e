"""Faults planted into windows of lanes, and the law that has to find each."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from tests.property.mutants import Fault
from tests.property.window_world import Recipe

from pillarbox.views import lane_set, walk
from pillarbox.views.expanded import Expansion
from pillarbox.views.lane_rows import LaneRows
from pillarbox.views.lane_set import LaneSet
from pillarbox.views.looks import Look
from pillarbox.views.parts import LaneWindow
from pillarbox.views.rows import SourceRows
from pillarbox.views.stretch import TableRows

Law: TypeAlias = Literal["sentence", "replay", "reads"]

RANGES: Final = Recipe(holes="ranges")
MARKS: Final = Recipe(holes="marks")
BOUNDARY: Final = Recipe(holes="boundary")
CHAIN: Final = Recipe(chain=True)
CHAIN_RANGES: Final = Recipe(chain=True, holes="ranges")
DISTINCT: Final = Recipe(distinct=True)
WHERE: Final = Recipe(where=True)
EXPAND: Final = Recipe(expand=True)
WANTS: Final = Recipe(holes="ranges", wants=True)
PLAIN: Final = Recipe()


class Planted(NamedTuple):
    """A fault, and the law that must find it, over one kind of window."""

    law: Law
    recipe: Recipe
    fault: Fault

    def __str__(self) -> str:
        return self.fault.name


def planted(law: Law, recipe: Recipe, *fault: object) -> Planted:
    """A fault for the law that must find it."""
    return Planted(law, recipe, Fault(*fault))  # type: ignore[arg-type]  # checked when it is planted


FAULTS: Final = (
    # Anchors.
    planted(
        "sentence",
        RANGES,
        "an anchor in a hole is found",
        LaneSet,
        "around",
        "lane.gaps.around(asked.id)",
        "None",
    ),
    planted(
        "replay",
        RANGES,
        "a pending anchor stays so",
        LaneWindow,
        "_fold",
        "if self.resolved is None:",
        "if False:",
    ),
    planted(
        "replay",
        RANGES,
        "a refresh finds the anchor anew",
        LaneWindow,
        "_begin",
        "was is None or was.anchor != look.anchor",
        "True",
    ),
    planted(
        "replay",
        RANGES,
        "another anchor is not found",
        LaneWindow,
        "_begin",
        "or was.anchor != look.anchor",
        "",
    ),
    planted(
        "replay",
        RANGES,
        "while it waits it listens to all lanes",
        LaneSet,
        "wait_for",
        "lane.close()",
        "pass",
    ),
    planted(
        "sentence",
        RANGES,
        "the id of the anchor is forgotten",
        LaneSet,
        "_split",
        "resolved.id if is_here else None",
        "None",
    ),
    planted(
        "sentence",
        RANGES,
        "the id of the anchor is in all lanes",
        LaneSet,
        "_split",
        "resolved.id if is_here else None",
        "resolved.id",
    ),
    # What is reported and shown.
    planted(
        "sentence",
        RANGES,
        "both sides report",
        Look,
        "reported",
        "if most and side.hole is not None",
        "if side.hole is not None",
    ),
    planted("sentence", RANGES, "the fuller side reports", Look, "reported", "min(ends", "max(ends"),
    planted(
        "sentence",
        RANGES,
        "of equal sides the older one reports",
        Look,
        "reported",
        "[(self.after_max, newer), (self.before_max, older)]",
        "[(self.before_max, older), (self.after_max, newer)]",
    ),
    planted(
        "sentence",
        RANGES,
        "a hole is reported while more is known",
        lane_set,
        "take",
        "beyond is None or",
        "True or",
    ),
    planted("sentence", WANTS, "a hole has no name", Look, "named", "self.want is None", "True"),
    planted("sentence", WHERE, "where is not asked", TableRows, "__init__", "where(row)", "True"),
    planted(
        "sentence",
        WHERE,
        "rejected rows are not made up for",
        SourceRows,
        "_settle",
        "wanted = self._rejected + limit",
        "wanted = limit",
    ),
    planted(
        "sentence",
        DISTINCT,
        "equal values are shown",
        walk,
        "_first_of_equals",
        "if value in met:",
        "if False:",
    ),
    planted(
        "sentence",
        DISTINCT,
        "distinct without doubling",
        LaneSet,
        "side",
        "if size is None or not taken.is_short:",
        "if True:",
    ),
    planted(
        "replay",
        DISTINCT,
        "what was doubled stays",
        LaneSet,
        "side",
        "if size != held and size is not None:",
        "if False:",
    ),
    planted(
        "sentence",
        DISTINCT,
        "the sides do not know of each other",
        LaneWindow,
        "_sides",
        "distinct=distinct, seen=seen",
        "distinct=distinct",
    ),
    planted(
        "sentence",
        EXPAND,
        "a row is shown twice",
        Expansion,
        "replace",
        "shown.setdefault(key_of(one), one)",
        "shown[len(shown), key_of(one)] = one",
    ),
    planted(
        "replay",
        EXPAND,
        "what belongs together is not followed",
        Expansion,
        "fold",
        "group.stretch.fold(reads, deltas, routed)",
        "pass",
    ),
    planted(
        "replay",
        EXPAND,
        "what nobody names is listened to",
        Expansion,
        "_drop",
        "self._interests.remove_prefix(self._expand.spec.id, prefix, group)",
        "pass",
    ),
    planted("replay", PLAIN, "rank is not counted", LaneRows, "fold", "self.counts[side] +=", "_ ="),
    planted(
        "sentence", PLAIN, "rank counts from the anchor", LaneWindow, "_sides", "below - older.span", "below"
    ),
    planted(
        "sentence",
        DISTINCT,
        "rank passes over equals",
        walk,
        "_first_of_equals",
        "span = rows",
        "span = len(shown)",
    ),
    planted(
        "sentence",
        MARKS,
        "rank passes over gaps",
        lane_set,
        "take",
        "sum(item.number >= 0 for item in shown)",
        "reached",
    ),
    planted(
        "replay",
        EXPAND,
        "a row read again is another one",
        LaneWindow,
        "_swap",
        "swapped(self.rows, rows, self.row_spec.key_of)",
        "(tuple(rows), rows, was)",
    ),
)
