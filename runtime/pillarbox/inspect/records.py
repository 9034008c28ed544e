"""Records by the stored layout: packed rows, msgpack rows and rows without a value, as raw field values.

Depends on: shape, codec, errors, msgspec.  Never on: generated packages, which it is held against in tests.

Law: it accepts exactly the values that the codecs generated from the same schema accept, and finds the same
field values in them. How is no secret: it makes the same structs, at run time, out of the layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum
from typing import Any, Final

import msgspec

from pillarbox.codec import Packed, PackedField, RecordCodec
from pillarbox.errors import DataError, RecordCorrupt
from pillarbox.inspect.shape import FieldShape, FieldsShape, NamedShape, StoredLayout, TableShape, Type

#: What `Structs` calls the classes of a layout.
_ALIAS: Final = re.compile(r"\btype_[0-9_]+")
_PYTHON: Final = {"bool": "bool", "float64": "float", "text": "str", "bytes": "bytes"}


class Structs:
    """The classes of a layout's records, called after numbers: no name of a stored layout becomes code."""

    def __init__(self, layout: StoredLayout, *, strict: bool) -> None:
        """`strict`: enums take only the numbers that the layout names."""
        self._layout = layout
        self._strict = strict
        names = list(layout.types)
        self._aliases = {name: f"type_{at}" for at, name in enumerate(names)}
        self._known: dict[str, Any] = {}
        made = []
        for name in names:
            made += self._define(name)
        for struct in made:
            self._acquaint(struct)

    def row(self, table: TableShape) -> Any:
        """The class of a table's rows: the parts of its key first, then its fields, numbered on."""
        keys = len(table.key)
        may_lack = table.may_lack
        shape = FieldsShape(
            (
                *(FieldShape(at, part.name, part.type, False, None) for at, part in enumerate(table.key, 1)),
                *(
                    replace(field, number=keys + field.number, has_default=may_lack and field.has_default)
                    for field in table.record.fields
                ),
            ),
            tuple(keys + number for number in table.record.reserved),
        )
        struct = _defined("Row", self._slots(shape), None)
        self._acquaint(struct)
        return struct

    def _acquaint(self, struct: Any) -> None:
        """Let the annotations of a class find the classes that they name, wherever they were made."""
        texts = [text for text in struct.__annotations__.values() if isinstance(text, str)]
        for alias in _ALIAS.findall(" ".join(texts)):
            if alias in self._known:
                setattr(struct, alias, self._known[alias])

    def _define(self, name: str) -> list[Any]:
        named, alias = self._layout.types[name], self._aliases[name]
        if named.kind == "enum":
            members = {f"v{at}": number for at, number in enumerate(named.names)}
            self._known[alias] = IntEnum(alias, members)
            return []
        if named.record is not None:
            self._known[alias] = struct = _defined(alias, self._slots(named.record), None)
            return [struct]
        made = []
        for number, (_, fields) in named.cases.items():
            case = f"{alias}_{number}"
            self._known[case] = struct = _defined(case, self._slots(fields), number)
            made.append(struct)
        return made

    def _slots(self, shape: FieldsShape) -> list[Any]:
        """The places of the array. A reserved one may hold anything: rows older than that still do."""
        found: dict[int, Any] = {number: (f"_reserved_{number}", Any, None) for number in shape.reserved}
        for field in shape.fields:
            found[field.number] = (f"f{field.number}", self._annotation(field.type), _default(field))
        return [found[number] for number in sorted(found)]

    def _annotation(self, type_: Type) -> str:
        """The Python text of a type, made of numbered names alone."""
        inner = [self._annotation(argument) for argument in type_.arguments]
        match type_.head:
            case "opt":
                return f"{inner[0]} | None"
            case "list" | "bag":
                return f"tuple[{inner[0]}, ...]"
            case "map":
                return f"tuple[tuple[{inner[0]}, {inner[1]}], ...]"
        named = self._layout.types.get(type_.head)
        if named is None or named.kind in ("id", "flags", "packed") or (named.base and not self._strict):
            return _PYTHON.get(str(self._layout.scalar(type_)), "int")
        if named.kind == "union":
            return " | ".join(self._case_names(type_.head))
        return self._aliases[type_.head]

    def _case_names(self, union: str) -> list[str]:
        """Also of a union that is defined only later: types may hold each other."""
        alias = self._aliases[union]
        return [f"{alias}_{number}" for number in self._layout.types[union].cases]


class RowCodec:
    """The values of one table."""

    def __init__(self, layout: StoredLayout, table: TableShape, structs: Structs, *, strict: bool) -> None:
        """`strict` as for `structs`."""
        self._layout = layout
        self._table = table
        self._record: RecordCodec[Any] | None = None
        self._packed: Packed | None = None
        #: What a struct calls its key, and its fields by their numbers.
        self._key_names = [f"f{at}" for at in range(1, len(table.key) + 1)]
        self._names = [f"f{len(table.key) + field.number}" for field in table.record.fields]
        #: Places of the packed fields that take nothing but what their enum names.
        self._enums = [*self._named()] if strict and table.layout == "packed" else []
        if table.layout == "record":
            self._record = RecordCodec(structs.row(table), table.name)
        elif table.layout == "packed":
            self._packed = Packed(table.name, tuple(map(self._packed_field, table.record.fields)))

    def decode(self, key: tuple[Any, ...], value: bytes) -> list[Any]:
        """The field values of the row under `key`, in number order. Raises RecordCorrupt.

        Enums are numbers, records and cases are structs whose fields are called after their numbers, a case
        that the layout does not know is an `Unknown`.
        """
        if self._record is not None:
            return self._decode_record(self._record, key, value)
        if self._packed is not None:
            return self._decode_packed(self._packed, value)
        if value:
            held = value if isinstance(value, bytes) else repr(value).encode()  # as of a damaged page
            raise RecordCorrupt(self._table.name, "a row of this table has no value", value=held)
        return []

    def _decode_record(self, codec: RecordCodec[Any], key: tuple[Any, ...], value: bytes) -> list[Any]:
        row = codec.decode(value)
        held = tuple([getattr(row, name) for name in self._key_names])
        if held != key:
            raise RecordCorrupt(self._table.name, f"the row says that its key is {held}", value=value)
        return [getattr(row, name) for name in self._names]

    def _named(self) -> Iterator[tuple[int, FieldShape, NamedShape]]:
        for place, field in enumerate(self._table.record.fields):
            type_ = field.type.arguments[0] if field.type.head == "opt" else field.type
            named = self._layout.types.get(type_.head)
            if named and named.kind == "enum":
                yield place, field, named

    def _packed_field(self, field: FieldShape) -> PackedField:
        optional = field.type.head == "opt"
        type_ = field.type.arguments[0] if optional else field.type
        scalar = self._layout.scalar(type_)
        if scalar is None:
            raise DataError(
                f"table {self._table.name!r}: a packed field holds {type_}, which is no scalar; restore the "
                f"file from a backup, or update pillarbox if a newer one wrote it"
            )
        may_lack = self._table.may_lack and not optional
        return PackedField(field.name, scalar, optional, field.default if may_lack else None)

    def _decode_packed(self, codec: Packed, value: bytes) -> list[Any]:
        values = list(codec.decode(value))
        for place, field, named in self._enums:
            found = values[place]
            if found is not None and found not in named.names:
                reason = f"field {field.name!r}: {found} is no {named.name}"
                raise RecordCorrupt(self._table.name, reason, value=value)
        return values


def _default(field: FieldShape) -> Any:
    if not field.has_default:
        return msgspec.NODEFAULT
    return () if isinstance(field.default, list) else field.default


def _defined(name: str, fields: list[Any], tag: int | None) -> Any:
    """A class as generated ones are. Keyword-only: fields with defaults may come before others."""
    return msgspec.defstruct(
        name, fields, module=__name__, tag=tag, frozen=True, array_like=True, gc=False, kw_only=True
    )
