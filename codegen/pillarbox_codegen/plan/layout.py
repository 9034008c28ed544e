"""Plans `layout.py`: what stored bytes mean, as canonical JSON, and its hash.

Depends on: model, frame, packed.  Never on: docs, views, operations; none of them change what bytes mean.

Law: two schemas print the same layout exactly when boxes written under one mean the same under the other.
Rules of derived tables are part of it, since their rows follow from them; so is what each sequence numbers,
since numbers that rows hold are not given again, and of which kind each part of a cursor is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan.frame import Frame
from pillarbox_codegen.plan.packed import packed_default
from pillarbox_codegen.type_rules import changes_of, present

FORMAT: Final = 1
#: Options of rules that are said only where they are used, or that no row depends on.
_UNSAID: Final = frozenset({"default", "due", "drivers", "further", "holes", "lookups", "over", "stale"})
#: Characters of the text in one line of the module.
_PIECE: Final = 100


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`layout.py`."""
    tree = layout_tree(schema)
    text = canonical(tree)
    imports = frame.imports(".layout")
    imports.use("typing", "Final")
    module = frame.module(
        doc=(
            f"What the bytes in a box of the schema {schema.name!r} mean.\n\n"
            f"Every box holds the layout it was written under; opening it checks that one against this."
        ),
        imports=imports,
        template="layout.py.j2",
        lines=_lines(tree, text),
        hash=hashlib.sha256(text.encode()).hexdigest()[:16],
    )
    return {"layout.py": module}


def canonical(tree: object) -> str:
    """JSON with sorted keys and no spaces."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def layout_tree(schema: model.Schema) -> dict[str, Any]:
    """The layout as data: numbers decide, names are there to be read."""
    types: dict[str, Any] = {}
    for table in schema.tables.values():
        for type_ in (*(part.type for part in table.key), *(field.type for field in table.fields)):
            _reach(schema, type_, types)
    return {
        "format": FORMAT,
        **({"reserved": list(schema.reserved)} if schema.reserved else {}),
        "schema": schema.name,
        "tables": {str(table.id): _table(schema, table) for table in schema.tables.values()},
        "types": types,
    }


def _lines(tree: dict[str, Any], text: str) -> list[str]:
    """The statement that holds the text."""
    whole = f"LAYOUT: Final = {printing.literal(text)}"
    if printing.width(whole) <= printing.WIDTH:
        return [whole]
    return [
        "LAYOUT: Final = (", *(f"    {printing.literal(piece)}" for piece in _pieces(tree, text)), ")",
    ]  # fmt: skip


def _pieces(tree: dict[str, Any], text: str) -> Iterator[str]:
    """The text in lines: one begins at each table and each type, so that a change shows where it is."""
    head = canonical({word: value for word, value in tree.items() if word not in ("tables", "types")})
    entries = [f'{head[:-1]},"tables":{{']
    for kind, end in (("tables", '},"types":{'), ("types", "}}")):
        names = sorted(tree[kind])
        entries += [
            f"{canonical(name)}:{canonical(tree[kind][name])}{',' if name != names[-1] else ''}"
            for name in names
        ]
        entries.append(end)
    assert "".join(entries) == text, "the lines are not the text"
    for entry in entries:
        rest = entry
        while rest:
            piece = rest[:_PIECE]
            while len(printing.literal(piece)) > _PIECE + 6:  # Escapes take room.
                piece = piece[:-1]
            yield piece
            rest = rest[len(piece) :]


# -------------------------------------------------------------------------------------------- tables


def _table(schema: model.Schema, table: model.Table) -> dict[str, Any]:
    return {
        **({"fills": _fills(schema, table.name)} if table.name in schema.sequences else {}),
        **_whole(schema, table),
        "name": table.name,
        "role": table.role,
        "key": [{"name": part.name, "type": type_text(part.type), "desc": part.desc} for part in table.key],
        "layout": table.layout,
        "storage": table.storage,
        "fields": _fields(schema, table.fields) if table.role != "cursor" else _parts(schema, table),
        "reserved": sorted(table.reserved),
        "rule": None if table.rule is None else _rule(schema, table.rule) | _besides(schema, table),
    }


def _fills(schema: model.Schema, sequence: str) -> list[list[Any]]:
    """What a sequence numbers: (table, 0, the place of a key part) or (table, 1, the number of a field)."""
    found = []
    for table in schema.tables.values():
        found += [[table.id, 0, place] for place, part in enumerate(table.key) if part.fill == sequence]
        for field in table.fields:
            interned = None if field.computed is None else field.computed.intern
            if sequence in (field.fill, interned):
                found.append([table.id, 1, field.number])
    return sorted(found)


def _whole(schema: model.Schema, table: model.Table) -> dict[str, Any]:
    """Of packed tables, the fields that each row has, also where a new one may be made without them."""
    if table.layout != "packed":
        return {}
    said = {entry["number"] for entry in _fields(schema, table.fields) if "default" in entry}
    fields_ = [it for it in table.fields if it.number in said and not isinstance(it.type, model.Optional)]
    whole = [it.number for it in fields_ if packed_default(schema, table, it) is None]
    return {"whole": sorted(whole)} if fields_ else {}


def _parts(schema: model.Schema, cursor: model.Table) -> list[dict[str, Any]]:
    """Those of a cursor; a moment that was never checked is no place to count on from."""
    kinds = {part.number: part.kind for part in schema.cursors[cursor.name].parts}
    return [entry | {"kind": kinds[entry["number"]]} for entry in _fields(schema, cursor.fields)]


def _fields(schema: model.Schema, fields_: Sequence[model.Field]) -> list[dict[str, Any]]:
    found = []
    for field in sorted(fields_, key=lambda field: field.number):
        entry: dict[str, Any] = {"number": field.number, "name": field.name, "type": type_text(field.type)}
        if field.has_default and field.default is not None and field.default != ():
            entry["default"] = _value(schema, field.type, field.default)
        elif isinstance(field.type, model.Optional):
            entry["default"] = None
        elif isinstance(field.type, model.ListOf | model.MapOf):
            entry["default"] = []
        elif field.fill is not None or field.computed is not None:
            entry["default"] = 0
        found.append(entry)
    return found


def _value(schema: model.Schema, type_: model.Type, value: object) -> object:
    """A default as it is stored: enum values and flags as numbers."""
    inner = present(type_)
    definition = schema.types[inner.name] if isinstance(inner, model.Named) else None
    match definition:
        case model.EnumType(values=values):
            return next(number for name, number in values if value in (name, number))
        case model.FlagsType(bits=bits) if isinstance(value, str):
            return next(1 << bit for name, bit in bits if name == value)
        case _:
            return value


def type_text(type_: model.Type) -> str:
    """`list<opt<Link>>`."""
    match type_:
        case model.Scalar(name) | model.Named(name):
            return name
        case model.RowOf(table):
            return f"row<{table}>"
        case model.BagOf(item):
            return f"bag<{type_text(item)}>"
        case model.ListOf(item):
            return f"list<{type_text(item)}>"
        case model.Optional(item):
            return f"opt<{type_text(item)}>"
        case model.MapOf(key, value):
            return f"map<{type_text(key)},{type_text(value)}>"
        case _:
            raise ValueError(f"{type_} is not stored")


# --------------------------------------------------------------------------------------------- types


def _reach(schema: model.Schema, type_: model.Type, types: dict[str, Any]) -> None:
    """Enter the named types that a stored type is made of."""
    match type_:
        case model.ListOf(item) | model.Optional(item):
            _reach(schema, item, types)
        case model.MapOf(key, value):
            _reach(schema, key, types)
            _reach(schema, value, types)
        case model.Named(name) if name not in types:
            definition = schema.types[name]
            if isinstance(definition, model.PatchType):
                _reach_patch(schema, definition, types)
                return
            types[name] = _definition(schema, definition)
            for field in _held(definition):
                _reach(schema, field.type, types)


def _reach_patch(schema: model.Schema, patch: model.PatchType, types: dict[str, Any]) -> None:
    """A patch as the record that it is, and the union of changes for each of its fields."""
    held = []
    for field in patch.fields:
        union = f"{patch.name}_{field.name}"
        held.append({"number": field.number, "name": field.name, "type": f"opt<{union}>", "default": None})
        types[union] = {"union": _changes(schema, field)}
    types[patch.name] = {"record": held, "reserved": sorted(patch.reserved)}
    for field in patch.fields:
        _reach(schema, field.type, types)


def _changes(schema: model.Schema, field: model.Field) -> dict[str, Any]:
    """The cases of a change of the field, by their numbers."""
    value, inner = type_text(field.type), type_text(present(field.type))
    flags = {"type": value, "default": 0}
    held: dict[str, list[dict[str, Any]]] = {
        "set": [{"number": 1, "name": "value", "type": value}],
        "unset": [],
        "max": [{"number": 1, "name": "value", "type": inner}],
        "min": [{"number": 1, "name": "value", "type": inner}],
        "add": [{"number": 1, "name": "amount", "type": "int64"}],
        "flags": [{"number": 1, "name": "set", **flags}, {"number": 2, "name": "clear", **flags}],
    }
    allowed = changes_of(field, schema.types)
    return {
        str(number): {"name": how.capitalize(), "fields": held[how], "reserved": []}
        for number, how in enumerate(held, start=1)
        if how in allowed
    }


def _held(definition: model.TypeDef) -> Sequence[model.Field | model.PackedPart]:
    match definition:
        case model.PackedId(_, parts):
            return parts
        case model.RecordType(_, held):
            return held
        case model.UnionType(_, cases):
            return [field for case in cases for field in case.fields]
        case _:
            return ()


def _definition(schema: model.Schema, definition: model.TypeDef) -> dict[str, Any]:
    match definition:
        case model.PatchType():
            raise TypeError("patches are laid out as records")
        case model.IdType(_, base):
            return {"id": base.name}
        case model.PackedId(_, parts):
            return {
                "packed": [
                    {"name": part.name, "type": type_text(part.type), "bits": part.bits} for part in parts
                ]
            }
        case model.EnumType(_, base, values):
            return {"enum": dict(values), "base": base.name}
        case model.FlagsType(_, base, bits):
            return {"flags": dict(bits), "base": base.name}
        case model.RecordType(_, held, reserved):
            return {"record": _fields(schema, held), "reserved": sorted(reserved)}
        case model.UnionType(_, cases):
            return {
                "union": {
                    str(case.number): {
                        "name": case.name,
                        "fields": _fields(schema, case.fields),
                        "reserved": sorted(case.reserved),
                    }
                    for case in cases
                }
            }


# --------------------------------------------------------------------------------------------- rules


def _besides(schema: model.Schema, table: model.Table) -> dict[str, Any]:
    """What others say of a rule: the last upgrade that makes the table again, whose doubts stand in it."""
    number = schema.rebuilds.get(table.name)
    said: dict[str, Any] = {} if number is None else {"rebuild": number}
    if isinstance(table.rule, model.Stale):
        said["for"] = sorted(
            it.id
            for it in schema.tables.values()
            if isinstance(it.rule, model.Marker | model.AnchoredCount) and it.rule.stale == table.name
        )
    return said


def _rule(schema: model.Schema, rule: model.Rule) -> dict[str, Any]:
    """A rule by its words; its source by number, its expressions as trees."""
    said: dict[str, Any] = {"word": type(rule).__name__.lower()}
    for field in fields(rule):
        if field.name not in _UNSAID:
            said[field.name] = _tree(schema, getattr(rule, field.name))
    match rule:
        case model.Index(lookups=lookups) if lookups:
            said["lookups"] = _tree(schema, lookups)
        case model.Marker(default=default):
            said["default"] = _tree(schema, default)
        case model.Count(further=further) if further:
            said["further"] = [_rule(schema, count) for count in further]
        case model.Join(drivers=drivers):
            said["drivers"] = [schema.tables[name].id for name in drivers]
            said["lookups"] = _tree(schema, rule.lookups)
    if rule.sources:
        said["source"] = schema.tables[rule.sources[0]].id
    return said


def _tree(schema: model.Schema, node: object) -> Any:
    """An expression as nested lists: what decides its value, without its type, and constants by value."""
    match node:
        case tuple():
            return [_tree(schema, item) for item in node]
        case model.Constant(value=value):
            return ["Constant", _tree(schema, value)]
        case model.EnumValue(enum, value):
            definition = schema.types[enum]
            if isinstance(definition, model.FlagsType):
                return ["EnumValue", 1 << dict(definition.bits)[value]]
            assert isinstance(definition, model.EnumType), f"{enum} is an enum"
            return ["EnumValue", dict(definition.values)[value]]
        case model.With():
            via = None if node.via is None else schema.tables[node.via].id
            found = [schema.tables[node.table].id, via, node.all, node.name]
            return ["With", *found, *(_tree(schema, part) for part in (node.key, node.value, node.back))]
        case model.Has(of, bit):
            return ["Has", _tree(schema, of), bit]
        case model.Path() if (answer := _facet_of(schema, node)) is not None:
            union, facet = answer
            numbers = {case.name: case.number for case in union.cases}
            answers = [[numbers[case], _tree(schema, expr)] for case, expr in sorted(facet.of)]
            # What the other cases answer follows from this.
            is_optional = isinstance(facet.type, model.Optional)
            return ["Facet", _tree(schema, node.of), answers, node.lifted, node.mapped, is_optional]
        case _ if is_dataclass(node):
            held = [field.name for field in fields(node) if field.name != "type"]
            return [type(node).__name__, *(_tree(schema, getattr(node, name)) for name in held)]
        case _:
            return node


def _facet_of(schema: model.Schema, path: model.Path) -> tuple[model.UnionType, model.Facet] | None:
    """The facet that a path ends in, and the union that answers, or None."""
    of = present(path.of.type)
    inner = present(of.item) if isinstance(of, model.ListOf) and path.mapped else of
    union = schema.types.get(inner.name) if isinstance(inner, model.Named) else None
    if not isinstance(union, model.UnionType):
        return None
    facet = next((facet for facet in union.facets if facet.name == path.field), None)
    return None if facet is None else (union, facet)
