"""Faults for the laws of views: what hangs on rows."""

from __future__ import annotations

from typing import Final

from tests.property.mutants_views import planted

from pillarbox.views.columns import EachColumn, PartColumn
from pillarbox.views.keyed_columns import GetColumn, _Keyed
from pillarbox.views.nest import Column, Nest
from pillarbox.views.parts import Each, Entries

CHILD_FAULTS: Final = (
    planted("entries", "an equal entry is made anew", Nest, "step", "if entry != slot.entry:", "if True:"),
    planted("entries", "a newer row is not taken", Nest, "hold", "slot.row = row", "pass"),
    planted("entries", "a changed row wakes no child", Nest, "hold", "self._changed[slot] = None", "pass"),
    planted("entries", "a child wakes no other", Column, "bind", "self.inputs |= 2 << other", "pass"),
    planted("entries", "a part wakes no child", Nest, "_woken", "column.depends & moved", "False"),
    planted("entries", "a gone row is still looked for", Nest, "_drop_loose", "gone.append(slot)", "pass"),
    planted(
        "entries",
        "a key that nobody looks for is listened to",
        _Keyed,
        "_let_go",
        "self.interests.remove(self._table, key, self)",
        "pass",
    ),
    planted("entries", "a key goes with one of its rows", _Keyed, "_let_go", "found.slots", "False"),
    planted("entries", "a found row is not followed", _Keyed, "step", "routed.get(self, ())", "()"),
    planted(
        "entries",
        "children of children are not shown",
        _Keyed,
        "step",
        "asking.update(self.users_of(self._spec.key_of(nested.row)))",
        "pass",
    ),
    planted("entries", "an old row keeps its children", _Keyed, "_replace", "old is not None", "False"),
    planted("children", "no default", GetColumn, "_show_slot", "self._default is None", "True"),
    planted(
        "entries",
        "what stands in is not let go",
        GetColumn,
        "_let_stand",
        "nest.release(before, _stands(key))",
        "pass",
    ),
    planted(
        "entries",
        "what stands in stays",
        GetColumn,
        "_let_stand",
        "if row == before or nest is None:",
        "if before is not None or row == before or nest is None:",
    ),
    planted(
        "entries",
        "what hangs on what stands in is not shown",
        GetColumn,
        "users_of",
        "key in self._users",
        "False",
    ),
    planted(
        "entries",
        "what stands in is taken for stored",
        GetColumn,
        "_let_stand",
        "nest.hold(row, _stands(key))",
        "nest.hold(row)",
    ),
    planted("entries", "a part is not replayed", PartColumn, "step", "self._follow(held.part)", "pass"),
    planted("entries", "a part is not closed", PartColumn, "_let_go", "held.part.close()", "pass"),
    planted(
        "entries", "children of a part are not shown", PartColumn, "_ask_for_dirty", "not nest.dirty", "True"
    ),
    planted("entries", "a value stays listed", EachColumn, "_swap", "self._nest.release(item)", "pass"),
    planted("entries", "children of values are not shown", EachColumn, "step", "self._nest.dirty", "()"),
    planted("entries", "an anchor moves unseen", Entries, "replay", "of.value is not self._seen", "False"),
    planted("entries", "a refresh makes all anew", Nest, "load", "slot.entry = was", "pass"),
    planted("each", "values are not listed anew", Each, "replay", "self.depends & moved", "0"),
    planted("each", "a value is held for good", Each, "_swap", "self.nest.release(item)", "pass"),
    planted("each", "an entry of a value stays", Each, "replay", "swapped or self.nest.moved", "swapped"),
    planted("each", "a reload forgets the values", Each, "reload", "self.items = ()", "pass"),
    planted(
        "each", "other values tell nobody", Each, "_take", "MOVED if moved else", "UNCHANGED if moved else"
    ),
    planted(
        "values",
        "doubles are two",
        Each,
        "_swap",
        "dict.fromkeys(self._items_of() or ())",
        "self._items_of() or ()",
    ),
)
