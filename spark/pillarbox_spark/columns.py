"""Values as Arrow arrays: a field of all of them at a time, never a dictionary a value.

Depends on: pyarrow.  Never on: schemas, which say what shape their values have; files.

Law: `array` gives one element a value, as `pyarrow.array` would of the same values as dictionaries.

A value that is not there is null, and what is within it is what Arrow holds where nothing was set (zero, no
text, no elements): a field that is never null has no null then either, which Parquet insists on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any, Final, Protocol, TypeAlias

import pyarrow
from pyarrow import DataType

_INDEX: Final = pyarrow.int32()

#: Values to one list per field, in the order of the fields.
Columns: TypeAlias = Callable[[Sequence[Any]], list[list[Any]]]


class Shape(Protocol):
    """What must be known of values, besides their type, to make an array of them."""

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        """The values, none of which is None, as an array of the type."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Scalars, and lists and maps of them: Arrow takes them as they are, None as well."""

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        return pyarrow.array(values, type_)


PLAIN: Final = Plain()


@dataclass(frozen=True, slots=True)
class Changed:
    """What Arrow takes once it is changed, one by one."""

    change: Callable[[Any], Any]

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        return pyarrow.array(list(map(self.change, values)), type_)


@dataclass(frozen=True, slots=True)
class Flag:
    """Values without fields, which are true."""

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        return pyarrow.repeat(pyarrow.scalar(True, type_), len(values))


FLAG: Final = Flag()


@dataclass(frozen=True, slots=True)
class Maybe:
    """Values some of which may be None."""

    item: Shape

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        places = [place for place, value in enumerate(values) if value is not None]
        there = [values[place] for place in places]
        return _spread(self.item, there, places, len(values), type_)


@dataclass(frozen=True, slots=True)
class Many:
    """Lists."""

    item: Shape

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        items = self.item.array(list(chain.from_iterable(values)), type_.value_type)
        return pyarrow.ListArray.from_arrays(_offsets(values), items, type=type_)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Maps, as pairs of key and item."""

    key: Shape
    item: Shape

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        pairs = list(chain.from_iterable(values))
        keys = self.key.array([key for key, _ in pairs], type_.key_type)
        items = self.item.array([item for _, item in pairs], type_.item_type)
        return pyarrow.MapArray.from_arrays(_offsets(values), keys, items, type=type_)


@dataclass(frozen=True, slots=True)
class Fields:
    """Structs."""

    columns: Columns
    #: Of the fields that are not plain, by name.
    shapes: Mapping[str, Shape]

    def arrays(self, values: Sequence[Any], fields: Sequence[pyarrow.Field]) -> list[pyarrow.Array]:
        """One array a field."""
        shapes = self.shapes
        return [
            shapes.get(field.name, PLAIN).array(column, field.type)
            for column, field in zip(self.columns(values), fields, strict=True)
        ]

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        fields = list(type_)
        return pyarrow.StructArray.from_arrays(self.arrays(values, fields), fields=fields)


@dataclass(frozen=True, slots=True)
class Cases:
    """Values of a union, as structs with a field a case; those of other classes are of no case."""

    #: In the order of the fields.
    cases: Mapping[type, Shape]

    def array(self, values: Sequence[Any], type_: DataType) -> pyarrow.Array:
        places: defaultdict[type, list[int]] = defaultdict(list)
        for place, value in enumerate(values):
            places[type(value)].append(place)
        fields = list(type_)
        arrays = []
        for (kind, shape), field in zip(self.cases.items(), fields, strict=True):
            there = [values[place] for place in places[kind]]
            arrays.append(_spread(shape, there, places[kind], len(values), field.type))
        return pyarrow.StructArray.from_arrays(arrays, fields=fields)


def _spread(
    shape: Shape, there: Sequence[Any], places: Sequence[int], length: int, type_: DataType
) -> pyarrow.Array:
    """So many elements: the values that are there, each at its place, and nulls.

    `pyarrow.nulls` would have nulls in fields that are never null.
    """
    if len(there) == length:
        return shape.array(there, type_)
    absent = pyarrow.array([None], type_)
    if not there:
        return absent.take(pyarrow.repeat(pyarrow.scalar(0, _INDEX), length))
    found = pyarrow.concat_arrays([shape.array(there, type_), absent])
    numbers = [len(there)] * length
    for number, place in enumerate(places):
        numbers[place] = number
    return found.take(pyarrow.array(numbers, _INDEX))


def _offsets(values: Sequence[Any]) -> pyarrow.Array:
    return pyarrow.array([0, *accumulate(map(len, values))], _INDEX)
