"""Faults for the laws of windows: what lanes hold, alone, merged and in chains."""

from __future__ import annotations

from typing import Final

from tests.property.mutants_windows import (
    CHAIN,
    CHAIN_RANGES,
    PLAIN,
    RANGES,
    planted,
)

from pillarbox.views import lane_set, walk
from pillarbox.views.gaps import StoredGaps
from pillarbox.views.key_rows import KeyRows, _Sources
from pillarbox.views.lane import Lane
from pillarbox.views.lane_rows import LaneRows
from pillarbox.views.lane_set import LaneSet
from pillarbox.views.parts import LaneWindow

LANE_FAULTS: Final = (
    # What lanes hold.
    planted("replay", PLAIN, "what is beyond is passed over", Lane, "fold", "complete or (", "("),
    planted(
        "replay", PLAIN, "complete past an overflow", Lane, "_drop_overflow", "self.complete = False", "pass"
    ),
    planted("replay", PLAIN, "no refill", Lane, "fold", " and not self.complete:", " and False:"),
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
)
