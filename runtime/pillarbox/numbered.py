"""What sequences number in two layouts, of which a sequence may come to rows that have their numbers.

Depends on: nothing.  Never on: storage or tables; a layout is plain data, as the generator prints it.

Law: each place that stored rows have and that another sequence numbers now, or a sequence for the first
time, or by other groups, is told; of a layout that was written before this was in any, nothing. What stands
in the table of a sequence is read as what it was written as.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

Json: TypeAlias = Any
#: Number of a table, whether it is a field, which: the number of the field, or the place of the key part.
_Place: TypeAlias = tuple[int, int, int]


class Renumbered(NamedTuple):
    """A sequence, and the place in rows of a table whose numbers it did not give."""

    sequence: int
    table: int
    #: The field or key part, as the wanted layout calls it.
    field: str
    #: What the numbers are told apart by, as names of the same row.
    per: tuple[str, ...]
    #: What stands behind these in the key of the next number: of one that interns, the empty value.
    rest: tuple[str | bytes, ...]

    def numbers(self, row: Any) -> tuple[tuple[Any, ...], int]:
        """The key of the next number for this row, and the greatest number that it has; 0 is none."""
        value = _value(row, self.field)
        key = (*(_value(row, name) for name in self.per), *self.rest)
        return key, max(filter(None, value), default=0) if isinstance(value, tuple) else value

    def told(self, tables: Mapping[str, Json]) -> str:
        """A sentence about it, for who reads."""
        sequence, table = tables[str(self.sequence)]["name"], tables[str(self.table)]["name"]
        return (
            f"sequence {sequence!r} ({self.sequence}) begins beyond the numbers that {self.field!r} of "
            f"table {table!r} ({self.table}) has"
        )


def _value(row: Any, name: str) -> Any:
    """What a row has under a name of the schema, which has an underscore more where Python has the name."""
    return getattr(row, name if hasattr(row, name) else f"{name}_")


def renumbered(stored: Mapping[str, Json], wanted: Mapping[str, Json]) -> Iterator[Renumbered]:
    """The places that a sequence takes over."""
    if not all("fills" in table for table in stored["tables"].values() if table["role"] == "sequence"):
        return
    before = dict(_fills(stored))
    for place, (sequence, groups) in _fills(wanted):
        number, kind, at = place
        table = stored["tables"].get(str(number))
        if table is None or before.get(place) == (sequence, groups):
            continue
        if kind == 1 and at not in {field["number"] for field in table["fields"]}:
            continue  # all rows have none there
        now = wanted["tables"][str(number)]
        fields = {field["number"]: field["name"] for field in now["fields"]}
        name = fields[at] if kind == 1 else now["key"][at]["name"]
        yield Renumbered(sequence, number, name, *_group(wanted["tables"][str(sequence)]))


def misread(stored: Mapping[str, Json], wanted: Mapping[str, Json]) -> Iterator[str]:
    """Why the table of a sequence would be read as what it is not; each a sentence."""
    before, after = dict(_fills(stored)), dict(_fills(wanted))
    for number, now in wanted["tables"].items():
        old = stored["tables"].get(number)
        if old is None or not now["role"] == old["role"] == "sequence":
            continue
        place = f"sequence {now['name']!r} ({number})"
        if not _interns(now) and _interns(old):
            yield f"{place} counts, and the box has numbers of values in it: give it another id"
        elif _interns(now) and not _interns(old):
            yield f"{place} gives numbers to values, and the box counted by it: give it another id"
        elif _interns(now) and any(
            before[it] != after[it] and before[it][0] == after[it][0] == int(number)
            for it in before.keys() & after.keys()
        ):
            yield f"{place} gives numbers to values by other groups than in the box: give it another id"


def _interns(sequence: Json) -> bool:
    return [field["name"] for field in sequence["fields"]] == ["number"]


def _group(sequence: Json) -> tuple[tuple[str, ...], tuple[str | bytes, ...]]:
    """The names of the parts by which a sequence counts, and what its key has behind them."""
    names = tuple(part["name"] for part in sequence["key"])
    if not _interns(sequence):
        return names, ()
    return names[:-1], ("" if sequence["key"][-1]["type"] == "text" else b"",)


def _fills(layout: Mapping[str, Json]) -> Iterator[tuple[_Place, tuple[int, list[_Place | None]]]]:
    """Each place that a sequence numbers, the number of the sequence, and the places that it counts by."""
    for number, table in layout["tables"].items():
        for of, kind, at in table.get("fills", ()):
            filled = layout["tables"][str(of)]
            places = {field["name"]: (of, 1, field["number"]) for field in filled["fields"]}
            places |= {part["name"]: (of, 0, place) for place, part in enumerate(filled["key"])}
            yield (of, kind, at), (int(number), [places.get(name) for name in _group(table)[0]])
