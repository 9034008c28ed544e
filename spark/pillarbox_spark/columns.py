"""Values as Arrow arrays: a field of all of them at a time, never a dictionary a value.

Depends on: pyarrow.  Never on: schemas, which say what shape their values have; files.

Law: `array` gives one element a value, as `pyarrow.array` would of the same values as dictionaries, but
for fields that may be null and are null in all values: they are left out, if they were so far.

A value that is not there is null, and what is within it is what Arrow holds where nothing was set (zero, no
text, no elements): a field that is never null has no null then either, which Parquet insists on.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any, Final, Protocol, TypeAlias

import pyarrow
from pyarrow import DataType

_INDEX: Final = pyarrow.int32()
#: Values that are taken apart at a time.
_AT_HAND: Final = 128
#: What Python's arrays call the integers whose bytes Arrow takes as they are, in half the time.
_CODES: Final[Mapping[DataType, str]] = {
    pyarrow.int8(): "b",
    pyarrow.int16(): "h",
    pyarrow.int32(): "i",
    pyarrow.int64(): "q",
}

#: Values to one list per field, in the order of the fields.
Columns: TypeAlias = Callable[[Sequence[Any]], list[list[Any]]]


class Seen(dict[str, "Seen"]):
    """The fields of a struct that were there so far, by name, each with those within it; it grows."""

    def __missing__(self, field: str) -> Seen:
        found = self[field] = Seen()
        return found


class Shape(Protocol):
    """What must be known of values, besides their type, to make an array of them."""

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        """The values, none of which is None, as an array of the type without what was not seen so far."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Scalars, and lists and maps of them: Arrow takes them as they are, None as well."""

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        code = _CODES.get(type_)
        if code is not None:
            with suppress(TypeError):  # where None is among them
                return _integers(array(code, values), type_)
        return pyarrow.array(values, type_)


PLAIN: Final = Plain()


@dataclass(frozen=True, slots=True)
class Changed:
    """What Arrow takes once it is changed, one by one."""

    change: Callable[[Any], Any]

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        return pyarrow.array(list(map(self.change, values)), type_)


@dataclass(frozen=True, slots=True)
class Flag:
    """Values without fields, which are true."""

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        return pyarrow.repeat(pyarrow.scalar(True, type_), len(values))


FLAG: Final = Flag()


@dataclass(frozen=True, slots=True)
class Maybe:
    """Values some of which may be None."""

    item: Shape

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        places = [place for place, value in enumerate(values) if value is not None]
        there = [values[place] for place in places]
        return _spread(self.item, there, places, len(values), type_, seen)


@dataclass(frozen=True, slots=True)
class Many:
    """Lists."""

    item: Shape

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        items = self.item.array(list(chain.from_iterable(values)), type_.value_type, seen)
        own = pyarrow.list_(type_.value_field.with_type(items.type))
        return pyarrow.ListArray.from_arrays(_offsets(values), items, type=own)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Maps, as pairs of key and item."""

    key: Shape
    item: Shape

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        pairs = list(chain.from_iterable(values))
        keys = self.key.array([key for key, _ in pairs], type_.key_type, seen["key"])
        items = self.item.array([item for _, item in pairs], type_.item_type, seen["item"])
        own = pyarrow.map_(type_.key_field.with_type(keys.type), type_.item_field.with_type(items.type))
        return pyarrow.MapArray.from_arrays(_offsets(values), keys, items, type=own)


@dataclass(frozen=True, slots=True)
class Fields:
    """Structs."""

    columns: Columns
    #: Of the fields that are not plain, by name.
    shapes: Mapping[str, Shape]

    def arrays(
        self, values: Sequence[Any], fields: Sequence[pyarrow.Field], seen: Seen
    ) -> dict[str, pyarrow.Array]:
        """One array a field, by name; of the first alone where all are left out."""
        nothing = [None] * len(values)
        columns = self._taken_apart(values)
        # Lists are compared up to the first that differs, so that what is there is found at once.
        there = [
            (column, field, seen[field.name])
            for column, field in zip(columns, fields, strict=True)
            if not field.nullable or field.name in seen or column != nothing
        ]
        return {
            field.name: self.shapes.get(field.name, PLAIN).array(column, field.type, within)
            for column, field, within in there or [(nothing, fields[0], Seen())]
        }

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        fields = list(type_)
        return _struct(self.arrays(values, fields, seen), fields)

    def _taken_apart(self, values: Sequence[Any]) -> list[list[Any]]:
        """As `columns`, of so few at a time that they stay in the processor's cache from field to field."""
        columns = self.columns(values[:_AT_HAND])
        for begin in range(_AT_HAND, len(values), _AT_HAND):
            more = self.columns(values[begin : begin + _AT_HAND])
            for column, rest in zip(columns, more, strict=True):
                column += rest
        return columns


@dataclass(frozen=True, slots=True)
class Cases:
    """Values of a union, as structs with a field a case; those of other classes are of no case."""

    #: In the order of the fields.
    cases: Mapping[type, Shape]

    def array(self, values: Sequence[Any], type_: DataType, seen: Seen) -> pyarrow.Array:
        places: defaultdict[type, list[int]] = defaultdict(list)
        for place, value in enumerate(values):
            places[type(value)].append(place)
        fields = list(type_)
        cases = [
            (kind, shape, field, seen[field.name])
            for (kind, shape), field in zip(self.cases.items(), fields, strict=True)
            if kind in places or field.name in seen
        ]
        if not cases:
            cases = [(kind, shape, fields[0], Seen()) for kind, shape in list(self.cases.items())[:1]]
        arrays = {}
        for kind, shape, field, within in cases:
            there = [values[place] for place in places[kind]]
            arrays[field.name] = _spread(shape, there, places[kind], len(values), field.type, within)
        return _struct(arrays, fields)


def narrowed(fields: Iterable[pyarrow.Field], arrays: Mapping[str, pyarrow.Array]) -> list[pyarrow.Field]:
    """The fields that there are arrays of, with the types that these have."""
    return [field.with_type(arrays[field.name].type) for field in fields if field.name in arrays]


def _struct(arrays: Mapping[str, pyarrow.Array], fields: Sequence[pyarrow.Field]) -> pyarrow.Array:
    return pyarrow.StructArray.from_arrays(list(arrays.values()), fields=narrowed(fields, arrays))


def _spread(
    shape: Shape, there: Sequence[Any], places: Sequence[int], length: int, type_: DataType, seen: Seen
) -> pyarrow.Array:
    """So many elements: the values that are there, each at its place, and nulls.

    `pyarrow.nulls` would have nulls in fields that are never null.
    """
    found = shape.array(there, type_, seen)
    if len(there) == length:
        return found
    absent = pyarrow.array([None], found.type)
    if not there:
        return absent.take(pyarrow.repeat(pyarrow.scalar(0, _INDEX), length))
    numbers = array(_CODES[_INDEX], [len(there)]) * length
    for number, place in enumerate(places):
        numbers[place] = number
    return pyarrow.concat_arrays([found, absent]).take(_integers(numbers, _INDEX))


def _offsets(values: Sequence[Any]) -> pyarrow.Array:
    return _integers(array(_CODES[_INDEX], accumulate(map(len, values), initial=0)), _INDEX)


def _integers(numbers: array[int], type_: DataType) -> pyarrow.Array:
    """These very bytes as an array, none of which is null."""
    return pyarrow.Array.from_buffers(type_, len(numbers), [None, pyarrow.py_buffer(numbers)])
