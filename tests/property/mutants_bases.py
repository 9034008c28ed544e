"""Planted faults in the words that hold a base: one for each rule by which it is counted or in doubt."""

from __future__ import annotations

from tests.property.base_machine import BaseMachine
from tests.property.mutants import Fault

from pillarbox.maintainers import AnchoredCountTable, MarkerTable, StaleTable, Through, anchored_count, marker
from pillarbox.maintainers.kept import Between
from pillarbox.maintainers.ranges import RangesTable
from pillarbox.tables import FollowedTable, LateTable

#: Instead of a call: it takes what it is given, and does nothing.
NOTHING = "(lambda *_: None)("

#: What both words stand on.
SHARED_FAULTS = (
    Fault("a base is set before what was heard", LateTable, "cell", "self._settle()", "pass"),
    Fault(
        "rows that are not stored are not missed", FollowedTable, "missed", "follower.missed(fields)", "pass"
    ),
    Fault("an index hides what is missed", Between, "missed", "self._misser.missed(fields)", "pass"),
    Fault(
        "entering an index is news",
        Through,
        "_compare",
        "Entered(change) if lost is None else change",
        "change",
    ),
    Fault("holes come unheard", RangesTable, "_add", "follower.hole_added(prefix, *added)", "pass"),
    Fault(
        "an answer confirms what came after it",
        StaleTable,
        "confirm_key",
        "version in (None, self.PACKED.decode(was)[0])",
        "True",
    ),
    Fault("a second doubt is the first", StaleTable, "_marked", "version % _LAST + 1", "1"),
    Fault("an older answer is trusted", BaseMachine, "anchor", "as_of == self", "as_of <= self"),
    Fault("a newer answer is trusted", BaseMachine, "anchor", "as_of == self", "as_of >= self"),
    Fault("a page from ahead is trusted", BaseMachine, "accept", "table.mark_key(key)", "pass"),
)

MARKER_FAULTS = (
    *SHARED_FAULTS,
    Fault("without a state nobody asks", marker._Work, "_state", "self._stale.append(key)", "pass"),
    Fault("what goes below zero is sure", marker._Work, "less", "self._stale.append(key)", "pass"),
    Fault("what passes below zero is sure", MarkerTable, "_pass", "left < 0 or ", ""),
    Fault("a surprise is none", MarkerTable, "_pass", "state.count, doubt = 0, True", "state.count = 0"),
    Fault("some are left when all is seen", MarkerTable, "_pass", "state.count, doubt = 0, True", "pass"),
    Fault("nothing is forgotten", MarkerTable, "remove_at", "self.put_cell(key, None)", "pass"),
    Fault("what is forgotten is nothing", MarkerTable, "remove_at", "self.doubt([key])", "pass"),
    Fault("a part of a base is enough", MarkerTable, "anchor_at", "current and whole", "current"),
    Fault("new rows are not counted", marker._Work, "more", "state.count += 1", "pass"),
    Fault("what the base has is counted again", marker._Work, "more", "position <= state.known:", "False:"),
    Fault(
        "what is seen is counted",
        marker._Work,
        "more",
        "state is None or position <= state.marks[table.SHAPE.counted]",
        "state is None",
    ),
    Fault("rows that go stay counted", marker._Work, "less", "state.count -= 1", "pass"),
    Fault(
        "what is seen is counted when it goes",
        marker._Work,
        "less",
        "position <= state.marks[self._table.SHAPE.counted]",
        "False",
    ),
    Fault("what was fetched late is sure", marker._Work, "more", "self._stale.append(key)", "pass"),
    Fault("no row is counted below zero", marker._Work, "less", "if state.count > 0:", "if True:"),
    Fault(
        "a change is news",
        MarkerTable,
        "follow",
        "news=old is None and not isinstance(change, Entered)",
        "news=True",
    ),
    Fault("a change takes nothing away", MarkerTable, "follow", "if was is not None:", "if new is None:"),
    Fault("every row counts", MarkerTable, "follow", " or not counts(change[2])", ""),
    Fault("every new row counts", MarkerTable, "follow_new", "counts(row) and ", ""),
    Fault(
        "of new rows one counts",
        MarkerTable,
        "follow_new",
        "work.news(key, found)",
        "work.news(key, found[:1])",
    ),
    Fault("the base knows no new rows", marker._Work, "news", "news=True", "news=False"),
    Fault("unknown rows go unnoticed", MarkerTable, "missed", "self.doubt(stale)", "pass"),
    Fault("unknown rows are seen ones", MarkerTable, "missed", "place > self", "place < self"),
    Fault("new holes go unnoticed", MarkerTable, "hole_added", "self.doubt([key])", "pass"),
    Fault("new holes are below", MarkerTable, "hole_added", "high > point_of", "low > point_of"),
    Fault(
        "what is passed over stays counted",
        MarkerTable,
        "_pass",
        "state.count - self.",
        "state.count - 0 * self.",
    ),
    Fault("holes are passed over", MarkerTable, "_pass", " or self._is_hole(key, start, to)", ""),
    Fault("below zero nothing ends", MarkerTable, "_pass", "max(left, 0)", "left"),
    Fault("a mark moves back", MarkerTable, "advance_at", "max(state.marks[mark], to)", "to"),
    Fault("an answer from elsewhere is trusted", MarkerTable, "anchor_at", "current and whole", "whole"),
    Fault(
        "the count of a base is lost",
        MarkerTable,
        "anchor_at",
        "state.count if count is None else max(count, 0)",
        "state.count",
    ),
    Fault("the mark of a base is lost", MarkerTable, "anchor_at", "state.marks[mark] = position", "pass"),
    Fault(
        "what a base knows is lost",
        MarkerTable,
        "anchor_at",
        "state.known if known is None else known",
        "state.known",
    ),
)

COUNT_FAULTS = (
    *SHARED_FAULTS,
    Fault("what falls below zero is sure", AnchoredCountTable, "doubt", "self._doubt.mark(keys)", "pass"),
    Fault("a part of a base is enough", AnchoredCountTable, "anchor_at", "current and whole", "current"),
    Fault(
        "new rows are not counted",
        anchored_count._Work,
        "news",
        "group, sums, times - known",
        "group, sums, 0",
    ),
    Fault("first rows are not counted", anchored_count._Work, "news", "self._add(key, group, sums)", "pass"),
    Fault("a first row is counted twice", anchored_count._Work, "news", "times -= 1", "pass"),
    Fault(
        "what an anchored base has is counted again", anchored_count._Work, "news", "if known:", "if False:"
    ),
    Fault("what the base has of more is not counted", anchored_count._Work, "news", "times - known", "times"),
    Fault("rows that are alike are one", anchored_count._Work, "_add_times", "one * times", "one"),
    Fault("all rows are alike", AnchoredCountTable, "_alike", "alike[facts]", "alike[None]"),
    Fault("the base has what no server gives", anchored_count._Work, "news", "0 if given else one", "0"),
    Fault("without a base all is sure", anchored_count._Work, "_add", "if group.anchored:", "if False:"),
    Fault("less is more", anchored_count._Work, "_add", "map(add,", "map(sub,"),
    Fault("sums fall below zero", anchored_count._Work, "_add", "max(one, 0) if given else one", "one"),
    Fault(
        "a change takes nothing away",
        AnchoredCountTable,
        "follow",
        "before.get(key, nothing)",
        "nothing",
    ),
    Fault("a change adds nothing", AnchoredCountTable, "follow", "after.get(key, nothing)", "nothing"),
    Fault("a change is news", AnchoredCountTable, "follow", " and not isinstance(change, Entered)", ""),
    Fault("unknown rows go unnoticed", AnchoredCountTable, "missed", "self._doubt_under(", NOTHING),
    Fault("new holes go unnoticed", AnchoredCountTable, "hole_added", "self._doubt_under(", NOTHING),
    Fault(
        "new holes are below", AnchoredCountTable, "hole_added", "group_prefix, high)", "group_prefix, low)"
    ),
    Fault(
        "an answer from elsewhere is trusted", AnchoredCountTable, "anchor_at", "current and whole", "whole"
    ),
    Fault(
        "the sums of a base are lost",
        AnchoredCountTable,
        "anchor_at",
        "max(sums[at], 0) if at in sums else value",
        "value",
    ),
    Fault("nothing is forgotten", AnchoredCountTable, "remove_at", "self.put_cell(key, None)", "pass"),
    Fault("what is here is forgotten", AnchoredCountTable, "remove_at", "if not given", "if False"),
    Fault("what is forgotten is sure", AnchoredCountTable, "remove_at", "self._doubt.mark([key])", "pass"),
    Fault("the place of a base is lost", AnchoredCountTable, "anchor_at", "base.get(at, value)", "value"),
)

GUESS_FAULTS = (Fault("a guess is sure", anchored_count._Work, "news", "self._stale.append(key)", "pass"),)
