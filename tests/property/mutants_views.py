"""Faults planted into views, and the law that has to find each."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from tests.property.mutants import Fault

from pillarbox.views import interests, lane
from pillarbox.views.columns import EachColumn, GetColumn, PartColumn, _Keyed
from pillarbox.views.lane import Lane
from pillarbox.views.nest import Column, Nest
from pillarbox.views.parts import Aggregate, Each, Entries, Get, GetEach, Min, Scan, Sum, WindowAt
from pillarbox.views.parts.projection import Projection
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, TableRows
from pillarbox.views.view import View

#: What looks for a fault: `check_replay` over these trees, or else `check_load` or `check_reads`.
Law: TypeAlias = Literal[
    "get", "get_each", "scan", "edge", "where", "twins", "window", "aggregate", "tree", "entries", "load",
    "children", "reads", "each", "values",
]  # fmt: skip


class Planted(NamedTuple):
    """A fault, and the law that must find it."""

    law: Law
    fault: Fault

    def __str__(self) -> str:
        return self.fault.name


def _planted(law: Law, *fault: object) -> Planted:
    return Planted(law, Fault(*fault))  # type: ignore[arg-type]  # checked when it is planted


FAULTS: Final = (
    # The lane: an ordered window that is kept without reading.
    _planted("edge", "an insert beyond the edge is kept", Lane, "fold", "complete or (", "True or ("),
    _planted("edge", "complete after an overflow", Lane, "_drop_overflow", "self.complete = False", "pass"),
    _planted(
        "edge", "complete after a full page", Lane, "_read_on", "len(page) < asked", "len(page) <= asked"
    ),
    _planted("edge", "no refill", Lane, "_settle", "if not self.complete and", "if False and"),
    _planted("edge", "the refill begins at the edge", lane, "next_key", 'key + b"\\0"', "key"),
    _planted(
        "edge",
        "one too many is shown",
        Lane,
        "_settle",
        "count > held else count",
        "count > held else count + 1",
    ),
    _planted("tree", "what slack gives is not told", Lane, "_settle", "range(first, last)", "range(0)"),
    _planted("tree", "what slack takes is not told", Lane, "_settle", "range(last, first)", "range(0)"),
    _planted("tree", "a changed row has not gone", Lane, "fold", "self.left.append(items[at])", "pass"),
    _planted("reads", "slack off", lane, "slack_of", "max(_SLACK_MIN, count >> 2)", "0"),
    _planted("reads", "slack is kept in the zone only", Lane, "_read_on", " + slack_of(self.count)", ""),
    # Interest.
    _planted(
        "scan",
        "prefixes are looked up one byte longer",
        interests,
        "_route_prefixes",
        "key[:length]",
        "key[: length + 1]",
    ),
    _planted(
        "scan",
        "prefixes are looked up one byte shorter",
        interests,
        "_route_prefixes",
        "key[:length]",
        "key[: length - 1]",
    ),
    _planted("tree", "only the first sink is told", interests, "_hand", "in held:", "in list(held)[:1]:"),
    _planted(
        "scan", "many registered keys are not met", interests, "_route_exact", "change is not None", "False"
    ),
    _planted(
        "get",
        "a key is not registered",
        Get,
        "_move_to",
        "self.interests.add(self._table, key, self)",
        "pass",
    ),
    _planted(
        "get",
        "a key left is still registered",
        Get,
        "close",
        "self.interests.remove(self._table, self._key, self)",
        "pass",
    ),
    _planted(
        "scan",
        "a source row is not registered",
        SourceRows,
        "_hold",
        "self._interests.add(self._table, source, self)",
        "pass",
    ),
    _planted(
        "scan", "a source row stays registered", SourceRows, "_release", "self._orphans.add(source)", "pass"
    ),
    _planted(
        "scan",
        "a prefix stays registered",
        Scan,
        "_unregister",
        "self.interests.remove_prefix(self._table, self._prefix, self)",
        "pass",
    ),
    # Keys that enter and leave.
    _planted(
        "tree",
        "an entered prefix is folded once more",
        Aggregate,
        "replay",
        "self._prefix:\n        return self.reload(reads)",
        "self._prefix:\n        self.reload(reads)",
    ),
    _planted("tree", "a key that left is folded", GetEach, "_fold", "if key not in found:", "if False:"),
    _planted("tree", "an entered key counts twice", GetEach, "_count_up", "return\n", "pass\n"),
    _planted("tree", "a key named again is not counted", GetEach, "_count_up", ") + 1", ")"),
    _planted("tree", "a leaving key counts twice", GetEach, "_count_down", "more > 1", "more > 2"),
    _planted(
        "tree",
        "keys are not looked at when their part moves",
        GetEach,
        "replay",
        "rekey = self.depends & moved",
        "rekey = False",
    ),
    _planted("tree", "a new key is not read", GetEach, "replay", "self._found.update(rows)", "pass"),
    _planted(
        "tree",
        "a key is not looked at when its part moves",
        Get,
        "replay",
        "if self.depends & moved:",
        "if False:",
    ),
    _planted(
        "tree",
        "a prefix is not looked at when its part moves",
        Scan,
        "replay",
        "if self.depends & moved:",
        "if False:",
    ),
    _planted(
        "tree",
        "a limit is not looked at when its part moves",
        Scan,
        "replay",
        "self._prefix is not None and self._count() != self._limited_to",
        "False",
    ),
    _planted(
        "where",
        "a condition is not run again when its part moves",
        Scan,
        "replay",
        "self.row_depends & moved or",
        "",
    ),
    _planted(
        "scan",
        "an entering row is not the one committed",
        Reads,
        "rows",
        "if key in changes:",
        "if key in changes and not held:",
    ),
    _planted("twins", "rows that changed are shared", Reads, "row", "if key in changes:", "if False:"),
    _planted("twins", "a default is shared", Get, "row_of", "self._stored and ", ""),
    # Source rows behind an index.
    _planted(
        "scan",
        "a rejected row is never shown",
        SourceRows,
        "_replace",
        "self._rows[at] = counted",
        "self._rows[at] = counted and old",
    ),
    _planted(
        "scan",
        "only one key of a source row is looked at",
        SourceRows,
        "_replace",
        "holders if isinstance(holders, tuple) else (holders,)",
        "holders[:1] if isinstance(holders, tuple) else (holders,)",
    ),
    _planted(
        "load",
        "rejected rows are not made up for",
        SourceRows,
        "_settle",
        "wanted = self._rejected + limit",
        "wanted = limit",
    ),
    _planted(
        "edge", "the zone never shrinks", SourceRows, "_settle", "if wanted != self.lane.count:", "if False:"
    ),
    _planted(
        "edge", "rows that come back are read again", SourceRows, "_leave", "gone[source] = row", "pass"
    ),
    _planted(
        "window",
        "what it shows on the other side is read again",
        WindowAt,
        "_load",
        "**self._newer.held()",
        "**{}",
    ),
    _planted("scan", "equal rows are new objects after a refresh", TableRows, "load", "if old:", "if False:"),
    # Windows.
    _planted(
        "load",
        "the anchor is not before itself",
        WindowAt,
        "_load",
        "boundary = next_key(place.anchor)",
        "boundary = place.anchor",
    ),
    _planted("load", "an anchor below the prefix", WindowAt, "_load", "boundary < low:", "False:"),
    _planted("load", "an anchor above the prefix", WindowAt, "_load", "boundary > high)", "False)"),
    _planted(
        "window",
        "both sides fold the row after the anchor",
        WindowAt,
        "replay",
        "delta[0] < boundary",
        "delta[0] <= boundary",
    ),
    _planted(
        "window",
        "what follows is not looked at",
        WindowAt,
        "_take",
        "value == self.value",
        "value.entries == self.value.entries",
    ),
    _planted(
        "window",
        "nothing spare is held",
        Lane,
        "_settle",
        "len(keys) < count + self._spare",
        "len(keys) < count",
    ),
    # Folds.
    _planted("aggregate", "a row that goes is not subtracted", Sum, "remove", "-=", "+="),
    _planted(
        "aggregate",
        "where is not asked of what goes",
        Aggregate,
        "_fold_rows",
        "for row in left:\n        if where is None or where(row):",
        "for row in left:\n        if True:",
    ),
    _planted("aggregate", "the extreme is never lost", Min, "remove", "self.lost = True", "pass"),
    _planted("aggregate", "one extreme of many is lost", Min, "add", "self._equals += 1", "pass"),
    _planted(
        "aggregate",
        "a lost extreme is not read again",
        Aggregate,
        "replay",
        "if self._fold.lost:",
        "if False:",
    ),
    # Snapshots.
    _planted(
        "get",
        "the snapshot is not rebuilt",
        View,
        "replay",
        "self._snapshot, self.changed, self.why = None,",
        "_, self.changed, self.why = None,",
    ),
    _planted(
        "tree", "hidden parts emit", View, "replay", "verdict & SHOWN and not part.hidden", "verdict & SHOWN"
    ),
    _planted("tree", "a moved part tells nobody", View, "replay", "moved |= part.bit", "pass"),
    _planted("get", "fields that are not shown emit", Get, "_take", "value == self.value", "False"),
    _planted(
        "get_each",
        "fields that are not shown emit in mappings",
        GetEach,
        "_show_rows",
        "value == self.value",
        "False",
    ),
    _planted(
        "scan",
        "fields that are not shown emit in lists",
        Projection,
        "take",
        "if value != self.value:",
        "if True:",
    ),
    _planted(
        "scan", "entries that show the same are rebuilt", Projection, "_project", "was[1] == shown", "False"
    ),
    # Children of rows.
    _planted("entries", "an equal entry is made anew", Nest, "step", "if entry != slot.entry:", "if True:"),
    _planted("entries", "a newer row is not taken", Nest, "hold", "slot.row = row", "pass"),
    _planted("entries", "a changed row wakes no child", Nest, "hold", "self._changed[slot] = None", "pass"),
    _planted("entries", "a child wakes no other", Column, "bind", "self.inputs |= 2 << other", "pass"),
    _planted("entries", "a part wakes no child", Nest, "_woken", "column.depends & moved", "False"),
    _planted("entries", "a gone row is still looked for", Nest, "_drop_loose", "gone.append(slot)", "pass"),
    _planted(
        "entries",
        "a key that nobody looks for is listened to",
        _Keyed,
        "_let_go",
        "self.interests.remove(self._table, key, self)",
        "pass",
    ),
    _planted("entries", "a key goes with one of its rows", _Keyed, "_let_go", "found.slots", "False"),
    _planted("entries", "a found row is not followed", _Keyed, "step", "routed.get(self, ())", "()"),
    _planted(
        "entries",
        "children of children are not shown",
        _Keyed,
        "step",
        "asking.update(self._found[self._spec.key_of(nested.row)].slots)",
        "pass",
    ),
    _planted("entries", "an old row keeps its children", _Keyed, "_replace", "old is not None", "False"),
    _planted("children", "no default", GetColumn, "_show_slot", "self._default is None", "True"),
    _planted("entries", "a part is not replayed", PartColumn, "step", "self._follow(held.part)", "pass"),
    _planted("entries", "a part is not closed", PartColumn, "_let_go", "held.part.close()", "pass"),
    _planted(
        "entries", "children of a part are not shown", PartColumn, "_ask_for_dirty", "not nest.dirty", "True"
    ),
    _planted("entries", "a value stays listed", EachColumn, "_swap", "self._nest.release(item)", "pass"),
    _planted("entries", "children of values are not shown", EachColumn, "step", "self._nest.dirty", "()"),
    _planted("entries", "an anchor moves unseen", Entries, "replay", "of.value is not self._seen", "False"),
    _planted("entries", "a refresh makes all anew", Nest, "keep", "slot.entry = was", "pass"),
    _planted("each", "values are not listed anew", Each, "replay", "self.depends & moved", "0"),
    _planted("each", "a value is held for good", Each, "_swap", "self._nest.release(item)", "pass"),
    _planted("each", "an entry of a value stays", Each, "replay", "swapped or self._nest.dirty", "swapped"),
    _planted(
        "each", "a reload forgets the values", Each, "reload", "= self.items, ()", "= self.items, self.items"
    ),
    _planted(
        "each", "other values tell nobody", Each, "_take", "MOVED if moved else", "UNCHANGED if moved else"
    ),
    _planted(
        "values",
        "doubles are two",
        Each,
        "_swap",
        "dict.fromkeys(self._items_of() or ())",
        "self._items_of() or ()",
    ),
)
