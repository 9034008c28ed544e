"""Faults planted into views, and the law that has to find each."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from tests.property.mutants import Fault

from pillarbox.views import Interests, lane
from pillarbox.views.lane import Lane
from pillarbox.views.parts import Aggregate, Get, GetEach, Min, Scan, Sum, WindowAt
from pillarbox.views.parts.projection import Projection
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, TableRows
from pillarbox.views.view import View

#: What looks for a fault: `check_replay` over these trees, or else `check_load` or `check_reads`.
Law: TypeAlias = Literal[
    "get", "get_each", "scan", "edge", "where", "twins", "window", "aggregate", "tree", "entries", "load",
    "children", "reads", "each", "values", "search", "found",
]  # fmt: skip


class Planted(NamedTuple):
    """A fault, and the law that must find it."""

    law: Law
    fault: Fault

    def __str__(self) -> str:
        return self.fault.name


def planted(law: Law, *fault: object) -> Planted:
    """A fault for the law that must find it."""
    return Planted(law, Fault(*fault))  # type: ignore[arg-type]  # checked when it is planted


FAULTS: Final = (
    # The lane: an ordered window that is kept without reading.
    planted("edge", "an insert beyond the edge is kept", Lane, "fold", "complete or (", "True or ("),
    planted("edge", "complete after an overflow", Lane, "_drop_overflow", "self.complete = False", "pass"),
    planted("edge", "complete after a full page", Lane, "_read_on", "size < asked", "size <= asked"),
    planted("scan", "what does not count is held", Lane, "_read_on", "if None in items:", "if False:"),
    planted("edge", "no refill", Lane, "fold", " and not self.complete:", " and False:"),
    planted("edge", "the refill begins at the edge", lane, "next_key", 'key + b"\\0"', "key"),
    planted(
        "edge",
        "one too many is shown",
        Lane,
        "fold",
        "held if held < wanted else wanted",
        "held if held < wanted else wanted + 1",
    ),
    planted(
        "tree", "what slack gives is not told", Lane, "_tell", "keys[last:first], items[last:first]", "(), ()"
    ),
    planted("tree", "what slack takes is not told", Lane, "_tell", "range(first, last)", "range(0)"),
    planted("tree", "a changed row has not gone", Lane, "fold", "left[key] = items[at]", "pass"),
    planted("edge", "a zone that is full grows", Lane, "fold", "held if held < wanted else wanted", "held"),
    planted("tree", "what only passes is told", Lane, "_tell", "entered.pop(key, None) is None", "True"),
    planted("edge", "what is beyond is passed over", Lane, "fold", "complete or (", "("),
    planted(
        "edge", "what comes in between is newest", Lane, "fold", "keys.insert(at, key)", "keys.append(key)"
    ),
    planted("tree", "an edge moves unseen", Lane, "fold", "if self._size != size:", "if False:"),
    planted("reads", "slack off", lane, "slack_of", "max(_SLACK_MIN, count >> 2)", "0"),
    planted("reads", "slack is kept in the zone only", Lane, "_want", " + slack_of(count)", ""),
    # Interest.
    planted(
        "scan",
        "prefixes are looked up one byte longer",
        Interests,
        "route",
        "key[:length]",
        "key[: length + 1]",
    ),
    planted(
        "scan",
        "prefixes are looked up one byte shorter",
        Interests,
        "route",
        "key[:length]",
        "key[: length - 1]",
    ),
    planted(
        "scan",
        "the whole table is told of one row",
        Interests,
        "route",
        "routed[sink].append(delta)",
        "length and routed[sink].append(delta)",
    ),
    planted(
        "tree",
        "only the first sink is told",
        Interests,
        "route",
        "in prefixes[prefix]:",
        "in list(prefixes[prefix])[:1]:",
    ),
    planted(
        "scan",
        "many registered keys are not met",
        Interests,
        "route",
        "[key for key in prefixes if key in changes]",
        "[]",
    ),
    planted(
        "get",
        "a key is not registered",
        Get,
        "_move_to",
        "self.interests.add(self._table, key, self)",
        "pass",
    ),
    planted(
        "get",
        "a key left is still registered",
        Get,
        "close",
        "self.interests.remove(self._table, self._key, self)",
        "pass",
    ),
    planted(
        "scan",
        "a source row is not registered",
        SourceRows,
        "_enter",
        "unheard.append(source)",
        "pass",
    ),
    planted(
        "scan",
        "a source row stays registered",
        SourceRows,
        "_end",
        "self._interests.remove_all(self._table, self._gone, self)",
        "pass",
    ),
    planted(
        "scan",
        "a prefix stays registered",
        Scan,
        "_unregister",
        "self.interests.remove_prefix(self._table, self._prefix, self)",
        "pass",
    ),
    # Keys that enter and leave.
    planted(
        "tree",
        "an entered prefix is folded once more",
        Aggregate,
        "replay",
        "self._prefix:\n        return self.reload(reads)",
        "self._prefix:\n        self.reload(reads)",
    ),
    planted("tree", "a key that left is folded", GetEach, "_fold", "continue", "pass"),
    planted("tree", "a key that is there is new", GetEach, "_count_up", "key in found or", ""),
    planted("tree", "a key named again is not counted", GetEach, "_count_up", ") + 1", ")"),
    planted("tree", "a leaving key counts twice", GetEach, "_count_down", "more[key] > 1", "more[key] > 2"),
    planted(
        "tree",
        "keys are not looked at when their part moves",
        GetEach,
        "replay",
        "rekey = self.depends & moved",
        "rekey = False",
    ),
    planted("tree", "a new key is not read", GetEach, "replay", "self._take_in(reads, came, {})", "()"),
    planted(
        "tree",
        "a key is not looked at when its part moves",
        Get,
        "replay",
        "if self.depends & moved:",
        "if False:",
    ),
    planted(
        "tree",
        "a prefix is not looked at when its part moves",
        Scan,
        "replay",
        "if self.depends & moved:",
        "if False:",
    ),
    planted(
        "tree",
        "a limit is not looked at when its part moves",
        Scan,
        "replay",
        "self._count() != self._limited_to or self._look()",
        "self._look()",
    ),
    planted(
        "where",
        "a condition is not run again when its part moves",
        Scan,
        "replay",
        "self.row_depends & moved or",
        "",
    ),
    planted(
        "scan",
        "an entering row is not the one committed",
        Reads,
        "rows",
        "if changes and key in changes:",
        "if changes and key in changes and not held:",
    ),
    planted("twins", "rows that changed are shared", Reads, "row", "if key in changes:", "if False:"),
    planted("twins", "a default is shared", Get, "row_of", "self.stored and ", ""),
    # Source rows behind an index.
    planted(
        "scan",
        "a rejected row is never shown",
        SourceRows,
        "_replace",
        "self._rows[at] = counted",
        "self._rows[at] = counted and old",
    ),
    planted(
        "scan",
        "only one key of a source row is looked at",
        SourceRows,
        "_replace",
        "holders if isinstance(holders, tuple) else (holders,)",
        "holders[:1] if isinstance(holders, tuple) else (holders,)",
    ),
    planted(
        "load",
        "rejected rows are not made up for",
        SourceRows,
        "_settle",
        "wanted = self._rejected + limit",
        "wanted = limit",
    ),
    planted(
        "edge", "the zone never shrinks", SourceRows, "_settle", "if wanted != self.lane.count:", "if False:"
    ),
    planted(
        "edge",
        "rows that come back are read again",
        SourceRows,
        "_enter",
        "known: Mapping[StoredKey, Row] = gone",
        "known = {}",
    ),
    planted(
        "window",
        "what it shows on the other side is read again",
        WindowAt,
        "_load",
        "**self._newer.held()",
        "**{}",
    ),
    planted("scan", "equal rows are new objects after a refresh", TableRows, "load", "if old:", "if False:"),
    # Windows.
    planted(
        "load",
        "the anchor is not before itself",
        WindowAt,
        "_load",
        "boundary = next_key(place.anchor)",
        "boundary = place.anchor",
    ),
    planted("load", "an anchor below the prefix", WindowAt, "_load", "boundary < low:", "False:"),
    planted("load", "an anchor above the prefix", WindowAt, "_load", "boundary > high)", "False)"),
    planted(
        "window",
        "both sides fold the row after the anchor",
        WindowAt,
        "replay",
        "delta[0] < boundary",
        "delta[0] <= boundary",
    ),
    planted(
        "window",
        "what follows is not looked at",
        WindowAt,
        "_take",
        "value == self.value",
        "value.entries == self.value.entries",
    ),
    planted(
        "window",
        "nothing spare is held",
        Lane,
        "fold",
        "held < wanted + self._spare",
        "held < wanted",
    ),
    # Folds.
    planted("aggregate", "a row that goes is not subtracted", Sum, "remove", "-=", "+="),
    planted(
        "aggregate",
        "where is not asked of what goes",
        Aggregate,
        "_fold_rows",
        "for row in left:\n        if where is None or where(row):",
        "for row in left:\n        if True:",
    ),
    planted("aggregate", "the extreme is never lost", Min, "remove", "self.lost = True", "pass"),
    planted("aggregate", "one extreme of many is lost", Min, "add", "self._equals += 1", "pass"),
    planted(
        "aggregate",
        "a lost extreme is not read again",
        Aggregate,
        "replay",
        "if self._fold.lost:",
        "if False:",
    ),
    # Snapshots.
    planted(
        "get",
        "the snapshot is not rebuilt",
        View,
        "replay",
        "self._snapshot = self._make()",
        "self._snapshot",
    ),
    planted("tree", "hidden parts emit", View, "replay", "verdict & part.shows", "verdict & 2"),
    planted("tree", "a moved part tells nobody", View, "replay", "moved |= part.bit", "pass"),
    planted("get", "fields that are not shown emit", Get, "_take", "value == self.value", "False"),
    planted(
        "get_each",
        "fields that are not shown emit in mappings",
        GetEach,
        "_show_rows",
        "if not shown and not gone:",
        "if False:",
    ),
    planted(
        "scan",
        "fields that are not shown emit in lists",
        Projection,
        "take",
        "if value != self.value:",
        "if True:",
    ),
    planted(
        "scan", "entries that show the same are rebuilt", Projection, "_project", "was[1] == shown", "False"
    ),
)
