"""By which rows the parts of an emission differ, worked out only if somebody asks.

Depends on: parts (what they remember of their last change).  Never on: views, trackers, subscriptions.

Law: the keys told of a part are those of the rows that it shows and did not show before, or the reverse, or
shows otherwise. Remembering costs a few references a part; working it out follows the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pillarbox.views.parts import Changes, Each, Entries, First, Get, GetEach, ListPart, Part, Scan

#: So many emissions are merged into one that nobody has taken yet; beyond, it is not known any more.
_MERGED_MAX: Final = 64
#: Parts that are lists of rows and nothing else.
_LISTS: Final = frozenset({GetEach, Scan})


class Mark(NamedTuple):
    """What one part remembers: rows of a table that came and went, and things with children that differ."""

    part: str
    spec: Any = None
    came: Sequence[Any] = ()
    went: Sequence[Any] = ()
    #: Slots of a nest: their rows, or items where there is no `spec`.
    slots: Iterable[Any] = ()


class Touched:
    """Part -> keys, of one emission or of several that were merged."""

    __slots__ = ("_keys", "_marks", "_merged")

    def __init__(self, marks: Sequence[Mark], merged: int = 1) -> None:
        self._marks = tuple(marks)
        self._merged = merged
        self._keys: Mapping[str, tuple[Any, ...]] | None = None

    @property
    def keys(self) -> Mapping[str, tuple[Any, ...]]:
        """The keys, as tuples of their fields; an `each` tells its values."""
        if self._keys is None:
            found: dict[str, dict[Any, None]] = {}
            for mark in self._marks:
                found.setdefault(mark.part, {}).update(dict.fromkeys(_keys_of(mark)))
            self._keys = MappingProxyType({part: tuple(keys) for part, keys in found.items()})
            self._marks = ()
        return self._keys

    def and_then(self, later: Touched) -> Touched | None:
        """That of both emissions; None when they are too many."""
        merged = self._merged + later._merged
        if merged > _MERGED_MAX:
            return None
        both = Touched((), merged)
        if self._keys is None and later._keys is None:
            both._marks = self._marks + later._marks
            return both
        found = {part: dict.fromkeys(keys) for part, keys in self.keys.items()}
        for part, keys in later.keys.items():
            found.setdefault(part, {}).update(dict.fromkeys(keys))
        both._keys = MappingProxyType({part: tuple(keys) for part, keys in found.items()})
        return both

    def of_member(self, member: str) -> tuple[Mark, ...]:
        """The marks under the names that they have in a view that follows this one."""
        return tuple([mark._replace(part=f"{member}.{mark.part}") for mark in self._marks])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Touched) and self.keys == other.keys

    __hash__ = None  # type: ignore[assignment]  # compared by what is worked out


def mark_of(name: str, part: Part, moved: int) -> Mark:
    """What a part that differs remembers of it; `moved` has the bits of the parts whose rows moved."""
    if type(part) in _LISTS:  # most by far, and spared the questions
        return Mark(name, part.row_spec, part.entered, part.left)  # type: ignore[attr-defined]
    match part:
        case Entries():
            nest, of = part.nest, part.of
            mark = mark_of(name, of, moved) if of.bit & moved else Mark(name, _spec_of(of))
            return mark._replace(slots=nest.dirty)
        case Each():
            return Mark(name, None, slots=part.nest.dirty)
        case Changes():
            return Mark(name, part.spec, came=part.rows)
        case Get():
            row = part.row if part.stored else None
            return Mark(
                name, part.spec, () if row is None else (row,), () if part.was is None else (part.was,)
            )
        case First() | ListPart():
            return Mark(name, part.row_spec, part.entered, part.left)
    return Mark(name)


def _spec_of(part: Part) -> Any:
    return part.row_spec if isinstance(part, ListPart) else getattr(part, "spec", None)


def _keys_of(mark: Mark) -> Iterable[Any]:
    spec = mark.spec
    if spec is None:
        return [slot.row for slot in mark.slots]
    key_of = spec.key_of
    came = {key_of(row): row for row in mark.came}
    went = {key_of(row): row for row in mark.went}
    touched = dict.fromkeys(
        [key for key, row in came.items() if went.get(key) != row] + [key for key in went if key not in came]
    )
    touched.update(dict.fromkeys([key_of(slot.row) for slot in mark.slots]))
    return [spec.key_fields(key) for key in touched]
