"""Planted faults of the words `ranges` and `list`, and of the seeds of groups."""

from __future__ import annotations

from tests.property.mutants import Fault

from pillarbox.maintainers import (
    Edges,
    ListTable,
    RangesReader,
    RangesTable,
    SeededReader,
    SeededTable,
    Seeds,
)

RANGES_FAULTS = (
    Fault("ranges do not join what ends before", RangesTable, "_add", "edges.before(low) or low", "low"),
    Fault("ranges do not join what begins after", RangesTable, "_add", "edges.after(high) or high", "high"),
    Fault("ranges that grow stay", RangesTable, "_add", "and first <= low and high <= last", ""),
    Fault("ranges joined stay beside", RangesTable, "_add", "self.put_known(other, cell, None)", "pass"),
    Fault("ranges lose what they joined", RangesTable, "_add", "min(low, first)", "low"),
    Fault("ranges added are not clipped", RangesTable, "_add", "max(low, edges.first)", "low"),
    Fault("a cut takes the rest above", RangesTable, "_cut", "if upper > high:", "if False:"),
    Fault("a cut takes the rest below", RangesTable, "_cut", "if lower < low:", "if False:"),
    Fault(
        "a cut leaves its last point",
        RangesTable,
        "_cut",
        "edges.cell(prefix, behind)",
        "edges.cell(prefix, high)",
    ),
    Fault(
        "steps do not spread",
        RangesTable,
        "_clipped",
        "tuple(dict.fromkeys(prefixes))",
        "tuple(prefixes)[:1]",
    ),
    Fault("a step about nothing touches", RangesTable, "_clipped", "return ()", "pass"),
    Fault("an edge is beyond a range", RangesReader, "_between", "<= high]", "< high]"),
    Fault("above is what begins inside", RangesReader, "_closest", "max(last, high)", "high"),
    Fault("edges do not end", Edges, "after", "None if number >> (8 * self.width) else", ""),
    Fault("edges have no beginning", Edges, "before", "None if number < 0 else", ""),
    Fault("ranges removed are not touched", RangesTable, "_remove_under", "self.touch(prefix)", "pass"),
    Fault("ranges removed stay", RangesTable, "_remove_under", "self.put_known(key, cell, None)", "pass"),
)

SEED_FAULTS = (
    Fault("a seed is not shown", SeededReader, "_shown", "if seeds.behind(version)", "if False"),
    Fault(
        "an upgrade is not shown", SeededReader, "_shown", "if seeds.behind(version)", "if version is None"
    ),
    Fault(
        "points of a seed are not shown", SeededReader, "cell", "if shown is None else shown.cell(key)", ""
    ),
    Fault(
        "batches of a seed are not shown",
        SeededReader,
        "cells_at",
        "found.update(shown.cells_at(its))",
        "pass",
    ),
    Fault(
        "a scan to the end of a group is one of many",
        SeededReader,
        "_group_between",
        "high <= end",
        "high < end",
    ),
    Fault("a mark is not written", SeededTable, "touch", "self._marks.put_known(", "(lambda *_: None)("),
    Fault("an upgrade comes again", SeededTable, "touch", "seeds.mark(seeds.version)", "seeds.mark(0)"),
    Fault(
        "an upgrade never comes",
        Seeds,
        "behind",
        "version is None or version < self.version",
        "version is None",
    ),
    Fault(
        "a seed changes what was shown",
        SeededTable,
        "touch",
        "self.put_known(each, shown, shown)",
        "self.put_known(each, stored, shown)",
    ),
    Fault("a seed is marked and not written", SeededTable, "touch", "self._planted[each] = stored", "pass"),
    Fault(
        "a seed is written of what changes alone", SeededTable, "batch", "{**others, **differing}", "others"
    ),
    Fault("a seed that was only shown went", SeededTable, "all_changes", "and key not in self._planted", ""),
    Fault("what a seed replaced did not go", SeededTable, "all_changes", "gone += [", "[] + ["),
    Fault("a seed is kept beyond its transaction", SeededTable, "forget", "self._planted.clear()", "pass"),
)

LIST_FAULTS = (
    Fault("an item stands twice", ListTable, "_place", "count - (standing is not None)", "count"),
    Fault(
        "a list is longer than its limit",
        ListTable,
        "_place",
        "max(0, others + 1 - limit) if limit else 0",
        "0",
    ),
    Fault("at the end the last one goes", ListTable, "_place", "if over and at is None:", "if False:"),
    Fault("before the first is nowhere", ListTable, "_place", "max(index(at), 0)", "at"),
    Fault(
        "what moves on shifts too little",
        ListTable,
        "_place",
        "max(target, standing) + 1",
        "max(target, standing)",
    ),
    Fault("what moves back shifts too little", ListTable, "_place", "min(target, standing)", "target"),
    Fault("a move forgets the record", ListTable, "_move", "row if held is None else held", "row"),
    Fault("a hole is left", ListTable, "_unplace", "rows, rows[1:]", "rows, []"),
    Fault("any set is the same", ListTable, "_reorder", "by_place.keys() != set(places)", "False"),
    Fault("items named twice are the same set", ListTable, "_reorder", "len(places) != len(rows) or", ""),
    Fault("the others do not follow", ListTable, "_reorder", "*by_place.values()", ""),
    Fault(
        "of two alike the last counts",
        ListTable,
        "_replace",
        "wanted.setdefault(self._place_of(row), row)",
        "wanted[self._place_of(row)] = row",
    ),
    Fault(
        "a list is filled beyond its limit", ListTable, "_replace", "kept[:limit] if limit else kept", "kept"
    ),
    Fault(
        "places of emptied lists stay",
        ListTable,
        "_clear",
        "self._places.put_cell(self._place_of(self.spec.row(key, cell)), None)",
        "pass",
    ),
    Fault("rows of emptied lists stay", ListTable, "_clear", "self.put_known(key, cell, None)", "pass"),
    Fault(
        "places do not follow",
        ListTable,
        "_write",
        "places.put_cell(place, places.PACKED.encode(first + at))",
        "pass",
    ),
    Fault("places of items gone stay", ListTable, "_write", "places.put_cell(place, None)", "pass"),
    Fault(
        "the last rows stay",
        ListTable,
        "_write",
        "spec.cell_of(old[at]), None)",
        "spec.cell_of(old[at]), spec.cell_of(old[at]))",
    ),
    Fault(
        "rows keep the position they had",
        ListTable,
        "_write",
        "moved = replace(row, position=first + at)",
        "moved = row",
    ),
)
