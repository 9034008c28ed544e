"""By which rows the parts of an emission differ, worked out only if somebody asks.

Depends on: nothing (parts hand in what they remember).  Never on: views, trackers, subscriptions.

Law: the keys told of a part are those of the rows that it shows and did not show before, or the reverse, or
shows otherwise. Remembering costs a few references a part; working it out follows the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

#: What one part remembers of its last change: the table of its rows, those that came, those that went, and
#: the slots of a nest that differ. Without a table the rows of the slots are told as they are.
Mark: TypeAlias = tuple[Any, Iterable[Any], Iterable[Any], Iterable[Any]]

NO_MARK: Final[Mark] = (None, (), (), ())
#: So many emissions are merged into one that nobody has taken yet; beyond, it is not known any more.
_MERGED_MAX: Final = 64


class Touched(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Names of parts and a mark for each, of one emission or of several that were merged."""

    parts: tuple[str, ...]
    marks: tuple[Mark, ...]
    merged: int = 1

    @property
    def keys(self) -> Mapping[str, tuple[tuple[Any, ...], ...]]:
        """Part -> keys."""
        found: dict[str, dict[tuple[Any, ...], None]] = {}
        for part, mark in zip(self.parts, self.marks, strict=True):
            found.setdefault(part, {}).update(dict.fromkeys(_keys_of(mark)))
        return {part: tuple(keys) for part, keys in found.items()}

    def __repr__(self) -> str:
        """The keys: a printed emission tells what came, not how tables are read."""
        return repr(self.keys)

    def and_then(self, later: Touched) -> Touched | None:
        """That of both emissions; None when they are too many."""
        merged = self.merged + later.merged
        if merged > _MERGED_MAX:
            return None
        return Touched(self.parts + later.parts, self.marks + later.marks, merged)


def _keys_of(mark: Mark) -> Iterable[tuple[Any, ...]]:
    spec, came, went, slots = mark
    if spec is None:
        return [slot.row for slot in slots]
    key_of = spec.key_of
    new = {key_of(row): row for row in came}
    old = {key_of(row): row for row in went}
    touched = dict.fromkeys(
        [key for key, row in new.items() if old.get(key) != row] + [key for key in old if key not in new]
    )
    touched.update(dict.fromkeys([key_of(slot.row) for slot in slots]))
    return [spec.key_fields(key) for key in touched]
