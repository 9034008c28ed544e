"""The layout stored in a box, as shapes of tables and types that tools can walk.

Depends on: codec (ranges of scalars), storage (how tables lie), errors.  Never on: generated packages.

Law: a layout is either read whole, every type in it resolved, or refused with a DataError that says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from pillarbox.codec import INT_RANGES
from pillarbox.errors import DataError
from pillarbox.layout import FORMAT
from pillarbox.layout_types import default_of
from pillarbox.storage import TableLayout

Json: TypeAlias = Any
SCALARS: Final = frozenset({"bool", "float64", "text", "bytes", *INT_RANGES})
_WRAPPERS: Final = {"opt": 1, "list": 1, "bag": 1, "map": 2}
_KINDS: Final = ("record", "union", "enum", "flags", "packed", "id")
_ROLES: Final = frozenset({"primary", "derived", "kept", "sequence", "cursor"})
_LAYOUTS: Final = frozenset({"record", "packed", "empty"})
#: Nesting of stored types; the schema checker allows less.
_DEPTH_MAX: Final = 64


@dataclass(frozen=True, slots=True)
class Type:
    """A stored type such as `opt<list<Link>>`: its head is a scalar, a wrapper or the name of a type."""

    head: str
    arguments: tuple[Type, ...] = ()

    def __str__(self) -> str:
        inner = ",".join(map(str, self.arguments))
        return f"{self.head}<{inner}>" if inner else self.head


@dataclass(frozen=True, slots=True)
class PartShape:
    """One part of a key."""

    name: str
    type: Type
    desc: bool


@dataclass(frozen=True, slots=True)
class FieldShape:
    """One field of a record. Rows may lack it exactly when `has_default`."""

    number: int
    name: str
    type: Type
    has_default: bool
    default: Json


@dataclass(frozen=True, slots=True)
class FieldsShape:
    """The fields of a record, a union case or a table, and the numbers that nothing may take."""

    fields: tuple[FieldShape, ...]
    reserved: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NamedShape:
    """What stands behind the name of a type; only the attributes of its kind say anything."""

    name: str
    kind: str
    #: Scalar of `id`, `enum` and `flags`; int64 of `packed`; None of records and unions.
    base: str | None
    #: `enum`: number -> name. `flags`: bit -> name.
    names: Mapping[int, str]
    #: `packed`: (name, type, bits) from the highest bits down.
    parts: tuple[tuple[str, Type, int], ...]
    record: FieldsShape | None
    #: `union`: number -> (name, fields).
    cases: Mapping[int, tuple[str, FieldsShape]]


#: What layouts call otherwise than schemas do.
_SCHEMA_WORDS: Final = {"itemlist": "list", "anchoredcount": "count", "seedmarks": "seeded"}


@dataclass(frozen=True, slots=True)
class TableShape:
    """One table as the layout describes it."""

    id: int
    name: str
    role: str
    #: The word of a derived table's rule, else None.
    word: str | None
    #: `record`, `packed` or `empty`.
    layout: str
    key: tuple[PartShape, ...]
    record: FieldsShape
    stored: TableLayout

    @property
    def kind(self) -> str:
        """Its word as schemas have it, or its role."""
        return _SCHEMA_WORDS.get(self.word or "", self.word) or self.role

    @property
    def may_lack(self) -> bool:
        """Whether rows may lack fields that have a default; those that only the store makes are whole."""
        return self.role in ("primary", "cursor") or (self.role == "kept" and self.layout == "record")


class StoredLayout:
    """All that a box says of itself."""

    def __init__(self, tree: Json) -> None:
        """Raises ValueError, KeyError, TypeError or AttributeError, all of which `read_layout` explains."""
        if tree["format"] != FORMAT:
            raise ValueError(f"it has format {tree['format']!r}, and this pillarbox reads format {FORMAT}")
        self.schema = _text(tree["schema"])
        types = tree["types"]
        self.types = {name: _named(name, entry, types) for name, entry in types.items()}
        for type_ in self._mentioned():
            self._resolve(type_)
        tables = [self._table(int(number), entry, types) for number, entry in tree["tables"].items()]
        self.tables = {table.id: table for table in sorted(tables, key=lambda table: table.id)}
        #: Of tables whose rows share values: the table that holds them, and the field they are left out of.
        self.shared = {
            int(entry["rule"]["source"]): (int(number), _text(entry["rule"]["field"]))
            for number, entry in tree["tables"].items()
            if entry["rule"] and entry["rule"]["word"] == "refs"
        }

    def scalar(self, type_: Type) -> str | None:
        """The scalar that a type is stored as; None for records, unions, lists, maps and optionals."""
        named = self.types.get(type_.head)
        if named is not None:
            return named.base
        return type_.head if type_.head in SCALARS else None

    def _mentioned(self) -> Iterator[Type]:
        for named in self.types.values():
            yield from (type_ for _, type_, _ in named.parts)
            shapes = [named.record] if named.record else [fields for _, fields in named.cases.values()]
            yield from (field.type for shape in shapes for field in shape.fields)

    def _resolve(self, type_: Type) -> None:
        if type_.head not in self.types and not type_.arguments and type_.head not in SCALARS:
            raise ValueError(f"it has no type {type_.head!r}")
        for argument in type_.arguments:
            self._resolve(argument)

    def _table(self, number: int, entry: Json, types: Mapping[str, Json]) -> TableShape:
        key = tuple(
            PartShape(_text(part["name"]), parse_type(part["type"]), bool(part["desc"]))
            for part in entry["key"]
        )
        record = _fields(entry, types)
        for type_ in (*(part.type for part in key), *(field.type for field in record.fields)):
            self._resolve(type_)
        name = _text(entry["name"])
        if entry["role"] not in _ROLES or entry["layout"] not in _LAYOUTS:
            raise ValueError(f"table {name!r} is {entry['role']!r} and lies as {entry['layout']!r}")
        return TableShape(
            id=number,
            name=name,
            role=entry["role"],
            word=_text(entry["rule"]["word"]) if entry["rule"] else None,
            layout=entry["layout"],
            key=key,
            record=record,
            stored=self._stored(number, name, key, entry["storage"]),
        )

    def _stored(self, number: int, name: str, key: tuple[PartShape, ...], storage: str) -> TableLayout:
        scalars = [self.scalar(part.type) for part in key]
        widths = [key_width(scalar) for scalar in scalars]
        named = self.types.get(key[0].type.head) if key else None
        is_int = scalars == ["int64"] and not key[0].desc
        is_int = is_int and (named is None or named.kind in ("id", "packed"))
        fixed = [width for width in widths if width]
        whole = sum(fixed) if len(fixed) == len(widths) and not is_int else None
        heap, words = storage == "heap", storage == "words"
        return TableLayout(id=number, name=name, int_key=is_int, key_width=whole, heap=heap, words=words)


def read_layout(path: str, text: bytes) -> StoredLayout:
    """The layout that the box at `path` stores. Raises DataError when it cannot be read."""
    try:
        return StoredLayout(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise DataError(
            f"{path}: the stored layout cannot be read ({reason}); restore the file from a backup, or update "
            f"pillarbox if a newer one wrote it"
        ) from error


def key_width(scalar: str | None) -> int | None:
    """Bytes of a key part of this scalar; None where values differ. Raises ValueError where it is no part."""
    if scalar == "bool":
        return 1
    if scalar in ("text", "bytes"):
        return None
    if scalar not in INT_RANGES:
        raise ValueError(f"a key part is stored as {scalar}")
    return int(scalar.removeprefix("u").removeprefix("int")) // 8


def parse_type(text: str, depth: int = 0) -> Type:
    """`map<int32,opt<X>>` as a tree. Raises ValueError for text that is no type."""
    head, opened, inner = text.partition("<")
    if not opened:
        return Type(text)
    if depth > _DEPTH_MAX or not inner.endswith(">") or head not in _WRAPPERS:
        raise ValueError(f"{text!r} is no type")
    arguments, nesting, start = [], 0, 0
    for at, character in enumerate(inner):
        nesting += (character == "<") - (character == ">")
        if nesting < 0 or (character == "," and nesting == 0):
            arguments.append(parse_type(inner[start:at].strip(), depth + 1))
            start = at + 1
    if len(arguments) != _WRAPPERS[head] or start != len(inner):
        raise ValueError(f"{text!r} is no type")
    return Type(head, tuple(arguments))


def _named(name: str, entry: Json, types: Mapping[str, Json]) -> NamedShape:
    kind = next((kind for kind in _KINDS if kind in entry), None)
    name = _text(name)
    if kind is None:
        raise ValueError(f"type {name!r} is of no known kind")
    base = {"id": entry.get("id"), "packed": "int64"}.get(kind, entry.get("base"))
    if kind in ("id", "enum", "flags") and base not in SCALARS:
        raise ValueError(f"type {name!r} stands for {base!r}")
    names = {int(number): _text(value) for value, number in entry[kind].items()} if _has_names(kind) else {}
    parts = [(_text(it["name"]), parse_type(it["type"]), int(it["bits"])) for it in entry.get("packed", ())]
    return NamedShape(
        name=name,
        kind=kind,
        base=base,
        names=names,
        parts=tuple(parts),
        record=_fields({"fields": entry["record"], **entry}, types) if kind == "record" else None,
        cases={
            int(number): (_text(case["name"]), _fields(case, types))
            for number, case in entry["union"].items()
        }
        if kind == "union"
        else {},
    )


def _has_names(kind: str) -> bool:
    return kind in ("enum", "flags")


def _fields(entry: Json, types: Mapping[str, Json]) -> FieldsShape:
    whole = entry.get("whole", ())  # a new row may be made without these, a stored one has them
    said = [("default" in it and it["number"] not in whole, it) for it in entry["fields"]]
    found = [
        FieldShape(
            number=int(it["number"]),
            name=_text(it["name"]),
            type=parse_type(it["type"]),
            has_default=has_default,
            default=default_of(it, types) if has_default else None,
        )
        for has_default, it in said
    ]
    numbers = [field.number for field in found]
    if numbers != sorted(set(numbers)) or any(number < 1 for number in numbers):
        raise ValueError(f"fields are numbered {numbers}")
    return FieldsShape(tuple(found), tuple(int(number) for number in entry.get("reserved", ())))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} stands where a name belongs")
    if not value.isprintable():  # names are printed as they are
        raise ValueError(f"{value!r} is no name")
    return value
