"""A small schema with words that count on from a server's base, other versions of it, and short histories.

Depends on: the generator.  Never on: how layouts are compared, or on what is told to be in doubt.

A version is what each of some places of the schema says. A history is what comes and goes, what is told, what
is read and what is missing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, TypeAlias

import msgspec
from hypothesis import strategies as st
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box

NAME: Final = "pillarbox_drawn_doubts"
ROOMS: Final = (1, 2, 8, 9)
#: What each place of the schema may say; the first ones are those of the simplest version.
PLACES: Final[dict[str, tuple[str, ...]]] = {
    "filter": ("size > 0", "size > 1", "true"),
    "over": ("all_notes", "other_notes"),
    "counts": ("loud", "not loud", "size > 1"),
    "seen_when": ("room != 9", "room != 1"),
    "default": ("room == 8", "false", "room < 9"),
    "seen_stale": ("own", "moved", "ask", "other"),
    "from": ("all_notes", "notes"),
    "sum": ("if loud then 1 else 0", "size"),
    "here": ("1", "size"),
    "totals_when": ("room != 9", "room != 1"),
    "covers": ("note <= upto", "note < upto"),
    "totals_stale": ("own", "moved", "ask", "other"),
}
#: By what is said of the doubts of a marker and of a count: the table that they stand in, and its number.
_STALE: Final = {
    "seen_stale": {
        "own": ("stale_seen", 10),
        "moved": ("stale_seen", 11),
        "ask": ("ask", 20),
        "other": ("other", 21),
    },
    "totals_stale": {
        "own": ("stale_totals", 12),
        "moved": ("stale_totals", 13),
        "ask": ("ask", 20),
        "other": ("other", 21),
    },
}
#: Rooms that a condition on them leaves in, for those that are written above.
_IN: Final = {
    "room != 9": frozenset(ROOMS) - {9},
    "room != 1": frozenset(ROOMS) - {1},
    "room == 8": frozenset({8}),
    "false": frozenset[int](),
    "room < 9": frozenset(ROOMS) - {9},
}

Kind: TypeAlias = Literal["put", "drop", "tell", "read", "miss"]
#: By word, and by `doubts of` a word: what is said of rooms.
Said: TypeAlias = dict[str, dict[int, Any]]


@dataclass(frozen=True)
class Event:
    """What happens in a room: to a note, or with numbers that are told."""

    kind: Kind
    room: int
    note: int
    loud: bool
    size: int


@dataclass(frozen=True)
class Version:
    """What a version says at each place, in the order of `PLACES`."""

    said: tuple[str, ...] = tuple(it[0] for it in PLACES.values())

    def __getitem__(self, place: str) -> str:
        return self.said[[*PLACES].index(place)]

    def has(self, place: str, room: int) -> bool:
        """Whether a condition on rooms leaves it in."""
        return room in _IN[self[place]]

    def stale(self, word: str) -> str:
        """The name of the table in which the doubts of a word stand."""
        return _STALE[f"{word}_stale"][self[f"{word}_stale"]][0]

    def numbers(self) -> dict[int, str]:
        """Of the tables of doubts."""
        found = [stale[self[place]] for place, stale in _STALE.items()]
        return {number: name for name, number in found}


def versions() -> st.SearchStrategy[Version]:
    """Any; mostly the simplest one, or near it."""
    return others(Version(), most=2)


def others(version: Version, most: int = 2) -> st.SearchStrategy[Version]:
    """Versions that say something else at some places."""
    places = st.lists(st.sampled_from([*PLACES]), max_size=most, unique=True)
    return places.flatmap(
        lambda some: st.tuples(*(st.sampled_from(PLACES[it]) for it in some)).map(
            lambda said: changed(version, **dict(zip(some, said, strict=True)))
        )
    )


def changed(version: Version, **said: str) -> Version:
    """The same but for what it says at these places."""
    return Version(tuple(said.get(place, was) for place, was in zip(PLACES, version.said, strict=True)))


def text_of(version: Version, given_up: Sequence[int]) -> str:
    """The schema as it is written."""
    said = dict(zip(PLACES, version.said, strict=True))
    stale = "\n".join(
        f"  {name}: {{id: {number}, stale: {{{_key_of(name)}}}}}"
        for number, name in version.numbers().items()
    )
    seen, totals = version.stale("seen"), version.stale("totals")
    confirms = ", ".join(
        f'{{confirm: {{table: {it}, at: "[room]"}}}}' for it in dict.fromkeys((seen, totals))
    )
    return f"""\
schema: {{name: drawn_doubts, reserved: {[99, *given_up]}}}
tables:
  notes: {{id: 1, key: {{room: int32, note: int32}}, record: {{loud: [1, bool], size: [2, int32]}}}}
  all_notes: {{id: 2, index: {{from: notes, when: {said["filter"]}, key: [room, note], value: {{loud: loud, size: size}}}}}}
  other_notes: {{id: 3, index: {{from: notes, when: size < 2, key: [room, note], value: {{loud: loud, size: size}}}}}}
  gaps: {{id: 4, ranges: {{group: {{room: int32}}, over: {{note: int32}}}}}}
  seen:
    id: 5
    marker:
      over: {said["over"]}
      group: [room]
      by: note
      when: {said["seen_when"]}
      counts: {said["counts"]}
      marks: [read]
      counted: read
      base: {{count: unseen}}
      holes: gaps([room])
      default: {said["default"]}
      stale: {seen}
  totals:
    id: 6
    count:
      from: {said["from"]}
      group: [room]
      sum: {{told: {said["sum"]}, here: {said["here"]}}}
      anchor:
        when: {said["totals_when"]}
        given: told
        base: {{upto: int32}}
        covers: {said["covers"]}
        holes: gaps([room])
        stale: {totals}
  most: {{id: 7, index: {{from: totals, key: [told, room], value: {{here: here}}}}}}
  asked: {{id: 8, index: {{from: {totals}, key: [version, room]}}}}
{stale}
operations:
  tell_seen: {{code: 1, params: {{room: [1, int32], at: [2, int32], n: [3, int64]}}, steps: [{{anchor: {{table: seen, at: "[room]", set: {{read: at, unseen: n}}}}}}]}}
  tell_total: {{code: 2, params: {{room: [1, int32], at: [2, int32], n: [3, int64]}}, steps: [{{anchor: {{table: totals, at: "[room]", set: {{told: n, upto: at}}}}}}]}}
  look: {{code: 3, params: {{room: [1, int32], at: [2, int32]}}, steps: [{{advance: {{table: seen, at: "[room]", mark: read, to: at}}}}]}}
  miss: {{code: 4, params: {{room: [1, int32], low: [2, int32], high: [3, int32]}}, steps: [{{add_range: {{table: gaps, at: "[room]", range: "[low, high]"}}}}]}}
  write: {{code: 5, params: {{it: [1, row<notes>]}}, steps: [{{put: {{into: notes, row: it}}}}]}}
  erase: {{code: 6, params: {{room: [1, int32], note: [2, int32]}}, steps: [{{remove: {{from: notes, at: "[room, note]"}}}}]}}
  settle: {{code: 7, params: {{room: [1, int32]}}, steps: [{confirms}]}}
"""  # noqa: E501


def _key_of(name: str) -> str:
    return f"of: {name.removeprefix('stale_')}" if name.startswith("stale_") else "by: {room: int32}"


@cache
def package_of(version_: Version, given_up: tuple[int, ...] = ()) -> ModuleType:
    """The package of a version, under a name of its own."""
    alias = f"{NAME}_{package_of.cache_info().misses}"
    with tempfile.TemporaryDirectory() as folder:
        return version(Path(folder), text_of(version_, given_up), alias)


def package_after(first: Version, then: Version) -> ModuleType:
    """The package of a version that comes after another: it reserves what that one had more."""
    return package_of(then, tuple(sorted(first.numbers().keys() - then.numbers().keys())))


def events(rooms: Sequence[int] = ROOMS, least: int = 1) -> st.SearchStrategy[list[Event]]:
    """What happens in some rooms, in its order."""
    kinds: tuple[Kind, ...] = ("put", "put", "put", "tell", "tell", "drop", "read", "miss")
    one = st.builds(
        Event,
        st.sampled_from(kinds),
        st.sampled_from(rooms),
        st.integers(1, 3),
        st.booleans(),
        st.integers(0, 2),
    )
    return st.lists(one, min_size=least, max_size=10)


def operations_of(event: Event, package: ModuleType, heard_by: Version) -> Iterator[Any]:
    """What an event does in a package. Of groups that are left out nobody asks, and nobody tells."""
    o, room, note = package.operations, event.room, event.note
    is_seen, is_told = (heard_by.has(f"{word}_when", room) for word in ("seen", "totals"))
    if event.kind == "put":
        yield o.Write(it=package.types.Notes(room=room, note=note, loud=event.loud, size=event.size))
    elif event.kind == "drop":
        yield o.Erase(room=room, note=note)
    elif event.kind == "miss":
        yield o.Miss(room=room, low=note, high=note + event.size)
    elif event.kind == "read":
        if is_seen:
            yield o.Look(room=room, at=note)
    else:
        yield o.Settle(room=room)
        if is_seen:
            yield o.TellSeen(room=room, at=note, n=event.size)
        if is_told:
            yield o.TellTotal(room=room, at=note, n=event.size)


def said_in(box: Box[Any, Any], version: Version) -> Said:
    """By word, what its rows say of rooms: all that is not zero, without the key."""
    found: Said = {}
    with box.reading() as tables:
        for word in ("seen", "totals"):
            rows = {row.room: msgspec.structs.asdict(row) for row in getattr(tables, word).all()}
            found[word] = {
                room: {name: value for name, value in row.items() if name != "room" and value}
                for room, row in rows.items()
            }
            found[f"doubts of {word}"] = {
                row.room: True for row in getattr(tables, version.stale(word)).all()
            }
    return found
