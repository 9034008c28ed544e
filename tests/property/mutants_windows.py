"""Faults planted into windows of lanes, and the law that has to find each."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from tests.property.mutants import Fault
from tests.property.window_world import Recipe

from pillarbox.views import lane_set, walk
from pillarbox.views.expanded import Expansion
from pillarbox.views.gaps import BoundaryGaps, MarkerGaps, RangeGaps, StoredGaps
from pillarbox.views.key_rows import KeyRows, _Sources
from pillarbox.views.lane import Lane
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
    # What lanes hold.
    planted("replay", PLAIN, "what is beyond is passed over", Lane, "fold", "> 1 and not complete:", "> 1:"),
    planted(
        "replay", PLAIN, "complete after an overflow", Lane, "_drop_overflow", "self.complete = False", "pass"
    ),
    planted("replay", PLAIN, "no refill", Lane, "_settle", "if not self.complete and", "if False and"),
    planted(
        "reads",
        RANGES,
        "holes are read again",
        StoredGaps,
        "fold",
        "self._lane.fold(reads, deltas)",
        "self.load(reads)",
    ),
    planted("replay", PLAIN, "both sides fold all", LaneRows, "fold", "delta[0] < boundary", "True"),
    planted("sentence", PLAIN, "a row at the anchor is newer", LaneRows, "_load", "next_key(key)", "key"),
    # Lanes together.
    planted(
        "sentence",
        PLAIN,
        "lanes are not merged",
        lane_set,
        "merged",
        "items.sort(key=_place, reverse=not newer)",
        "pass",
    ),
    planted(
        "sentence",
        RANGES,
        "cuts are not shared by lanes",
        lane_set,
        "merged",
        "if cut is None:",
        "if cut is None or len(lanes) > 1:",
    ),
    planted(
        "sentence",
        RANGES,
        "the farthest cut counts",
        walk,
        "_is_nearer",
        "suffix < other if newer else suffix > other",
        "suffix > other if newer else suffix < other",
    ),
    planted(
        "sentence",
        RANGES,
        "a cut at the anchor cuts nothing",
        walk,
        "_is_nearer",
        "other is not None",
        "False",
    ),
    planted("sentence", PLAIN, "two lanes are one", lane_set, "name_of", "at.prefix,", 'b"",'),
    planted(
        "replay",
        PLAIN,
        "a closed lane is registered",
        LaneRows,
        "close",
        "self._interests.remove_prefix(self.at.spec.id, self.at.prefix, self)",
        "pass",
    ),
    planted(
        "replay",
        RANGES,
        "holes of a closed lane are registered",
        StoredGaps,
        "close",
        "self._interests.remove_prefix(self._spec.id, self._prefix, self)",
        "pass",
    ),
    planted(
        "replay",
        PLAIN,
        "lanes are not looked at",
        LaneWindow,
        "replay",
        "look.names[0] != was.names[0]",
        "False",
    ),
    planted(
        "replay",
        PLAIN,
        "lanes keep their old numbers",
        LaneSet,
        "arrange",
        "lane.number = number",
        "lane.number = lane.number or number",
    ),
    planted("replay", PLAIN, "a lane that went stays open", LaneSet, "arrange", "lane.close()", "pass"),
    planted(
        "sentence", PLAIN, "one of several lanes is taken for all", LaneSet, "_only", "len(full) > 1", "False"
    ),
    planted(
        "sentence",
        RANGES,
        "a lane that has but holes is bare",
        LaneRows,
        "is_bare",
        "self.gaps.is_empty and ",
        "",
    ),
    # Chains.
    planted("replay", CHAIN, "lanes stay open", LaneSet, "close_unused", "lane.close()", "pass"),
    planted(
        "sentence",
        CHAIN_RANGES,
        "a chain goes on behind a hole",
        lane_set,
        "chained",
        "or (clip and gap is not None)",
        "",
    ),
    planted(
        "sentence",
        CHAIN,
        "a chain is asked in the wrong order",
        LaneSet,
        "_outwards",
        "lanes if newer else lanes[::-1]",
        "lanes",
    ),
    planted("replay", CHAIN, "a lane stays on its side", LaneSet, "_ensure", "or lane.split != split", ""),
    planted(
        "sentence", CHAIN, "listed rows are all older", KeyRows, "sides", "place <= split.suffix", "True"
    ),
    planted(
        "replay",
        CHAIN,
        "a listed key is not followed",
        KeyRows,
        "fold",
        "self._named[key] = self._name(key,",
        "self._name(key,",
    ),
    planted(
        "replay",
        CHAIN,
        "a listed row is not followed",
        KeyRows,
        "fold",
        "if key in self._sources.rows and key not in new:",
        "if False:",
    ),
    planted(
        "replay",
        CHAIN,
        "a row that is listed no more is registered",
        _Sources,
        "settle",
        "self._interests.remove_all(self._table, gone, self)",
        "pass",
    ),
    planted(
        "replay",
        CHAIN,
        "a closed list is registered",
        KeyRows,
        "close",
        "self._interests.remove_all(self.at.via.id, self._keys, self)",
        "pass",
    ),
    # Holes.
    planted(
        "sentence", RANGES, "an open end is ignored", RangeGaps, "cut", "len(ids) + near.complete", "len(ids)"
    ),
    planted(
        "sentence",
        RANGES,
        "a hole at the anchor is ignored",
        RangeGaps,
        "cut",
        "at, end = 0,",
        "at, end = 1,",
    ),
    planted(
        "sentence",
        RANGES,
        "the row at the anchor is no neighbour",
        RangeGaps,
        "cut",
        "near.suffixes[0] == sides.anchor",
        "False",
    ),
    planted(
        "sentence",
        RANGES,
        "the other side is no neighbour",
        RangeGaps,
        "cut",
        "if far.rows else None",
        "if False else None",
    ),
    planted("replay", RANGES, "changed ranges are not followed", StoredGaps, "fold", "self._index()", "pass"),
    planted(
        "sentence",
        RANGES,
        "a row below in doubt is shown",
        RangeGaps,
        "_between",
        "highs[at] < low",
        "highs[at] <= low",
    ),
    planted(
        "sentence",
        RANGES,
        "a row above in doubt is shown",
        RangeGaps,
        "_between",
        "lows[at] > high",
        "lows[at] >= high",
    ),
    planted(
        "sentence",
        RANGES,
        "doubt needs no walk",
        RangeGaps,
        "_is_whole",
        "[at] > high",
        "[at] >= high",
    ),
    planted(
        "sentence",
        RANGES,
        "the nearest hole is the farthest",
        RangeGaps,
        "_between",
        "bisect_right(lows, high) - 1",
        "0 * bisect_right(lows, high)",
    ),
    planted(
        "sentence",
        RANGES,
        "a hole is fetched from its far end",
        RangeGaps,
        "_between",
        "min(highs[at], high), lows[at])",
        "lows[at], min(highs[at], high))",
    ),
    planted(
        "sentence",
        MARKS,
        "a row at a marker is not known",
        MarkerGaps,
        "_older_cut",
        "bisect_right(self._suffixes, inner)",
        "bisect_left(self._suffixes, inner)",
    ),
    planted(
        "sentence",
        MARKS,
        "the newest marker hides what is above",
        MarkerGaps,
        "_older_cut",
        "found = min(found, anchor)",
        "found = anchor",
    ),
    planted(
        "sentence",
        MARKS,
        "a marker above the anchor cuts nothing",
        MarkerGaps,
        "_newer_cut",
        "self._suffixes[mark] <= outer",
        "self._suffixes[mark] < outer",
    ),
    planted(
        "sentence",
        MARKS,
        "a marker twice",
        walk,
        "_marks",
        " and lane.shows_marks",
        "",
    ),
    planted(
        "sentence",
        MARKS,
        "a marker is above the row at its place",
        walk,
        "_marks",
        "Item(suffix, -1, gap, lane)",
        "Item(suffix, 9, gap, lane)",
    ),
    planted(
        "sentence",
        MARKS,
        "markers are on both sides",
        walk,
        "_marks",
        "if anchor is None or (suffix > anchor if newer else suffix <= anchor):",
        "if True:",
    ),
    planted(
        "sentence",
        MARKS,
        "a marker that is shown cuts",
        lane_set,
        "merged",
        "if clip or not lane.gaps.marks() else None",
        "",
    ),
    planted(
        "sentence",
        BOUNDARY,
        "nothing is known to the end",
        BoundaryGaps,
        "cut",
        "known is None or",
        "known is not None and",
    ),
    planted(
        "sentence",
        BOUNDARY,
        "a boundary above the anchor cuts one side",
        BoundaryGaps,
        "cut",
        "if newer:\n        return None",
        "if True:\n        return None",
    ),
    planted(
        "replay",
        BOUNDARY,
        "a boundary is not looked at",
        LaneWindow,
        "_look",
        "self._holes.suffix() if",
        "None if",
    ),
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
