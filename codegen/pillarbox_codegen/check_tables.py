"""Primary tables, and the tables of sequences and cursors.

Depends on: context, check_fields.  Never on: rules of derived tables, expressions.

Law: a checked table has one id, a key with ordered bytes, and a layout that can hold its fields.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, Literal

from pillarbox_codegen.check_fields import (
    check_fields,
    check_key_parts,
    check_numbers,
    numbers_at,
    refuse_reserved,
    reserved_numbers,
    text_value,
)
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.diagnostics import did_you_mean
from pillarbox_codegen.findings import place_of
from pillarbox_codegen.model import Cursor, CursorPart, Field, KeyPart, Scalar, Sequence, Table, Type
from pillarbox_codegen.type_rules import INT_RANGES, base, fits_packed, present, show
from pillarbox_codegen.type_text import SCALARS
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

#: The flags byte of a packed row has one bit for each field that may be missing.
PACKED_OPTIONAL_MAX: Final = 8

_PART_KINDS: Final[dict[str, Literal["counter", "stamp", "watermark", "token"]]] = {
    "counter": "counter", "stamp": "stamp", "watermark": "watermark", "token": "token",
}  # fmt: skip


def check_tables(context: Context) -> None:
    """Fill in the primary tables, sequences and cursors; ids are unique over every kind of table."""
    _check_ids(context)
    for name, entry in context.sound("sequences"):
        context.findings.attempt(_check_sequence, context, name, entry)
    for name, entry in context.sound("cursors"):
        context.findings.attempt(_check_cursor, context, name, entry)
    for name, entry in context.sound("tables"):
        if "key" in entry.body.values:
            table = context.findings.attempt(_check_primary, context, name, entry)
            if table is not None:
                context.tables[name] = table
    for table in [table for table in context.tables.values() if table.role == "primary"]:
        if context.findings.attempt(_check_fills, context, table) is None:
            del context.tables[table.name]


def _check_ids(context: Context) -> None:
    numbered: list[tuple[YamlNode, str, int]] = []
    for kind in ("tables", "sequences", "cursors", "debts"):
        for name, entry in context.entries(kind).items():
            numbered += numbers_at(entry.body.values.get("id"), name)
            for word, node in _second_ids(entry):
                numbered += numbers_at(node, f"{name}.{word}")
    context.findings.attempt(check_numbers, context.findings, numbered, "table id")
    head = context.entries("schema").get("schema")
    reserved = reserved_numbers(head.body) if head is not None and head.sound else {}
    for node, name, number in numbered:
        if number in reserved:
            context.findings.attempt(refuse_reserved, context.findings, node, name, reserved[number])


def _second_ids(entry: Entry) -> Iterable[tuple[str, YamlNode | None]]:
    """The ids of the tables that a word keeps beside the one that is declared, by their keys."""
    for body in entry.body.values.values():
        for word, node in body.values.items() if isinstance(body, YamlMap) else ():
            if isinstance(node, YamlMap):
                yield word, node.values.get("id")


def doc_of(entry: Entry) -> str:
    return text_value(entry.body.values.get("doc"))


def id_of(entry: Entry) -> int:
    return int(text_value(entry.body.values["id"]))


# ------------------------------------------------------------------------------------ primary tables


def _check_primary(context: Context, name: str, entry: Entry) -> Table:
    values = entry.body.values
    with context.findings.together() as block:
        key = block.attempt(_key_of, context, entry)
        found = block.attempt(_fields_of, context, entry)
    assert key is not None
    assert found is not None
    fields, reserved = found
    _refuse_shared_names(context, entry, key, fields)
    layout = _layout(context, entry, fields)
    storage: Literal["clustered", "heap"] = (
        "heap" if text_value(values.get("storage")) == "heap" else "clustered"
    )
    return Table(
        name, id_of(entry), doc_of(entry), key, fields, reserved, layout, storage, "primary", None,
        place_of(entry.name),
    )  # fmt: skip


def _key_of(context: Context, entry: Entry) -> tuple[KeyPart, ...]:
    return check_key_parts(context, entry.body.values["key"], fills=True)


def _fields_of(context: Context, entry: Entry) -> tuple[tuple[Field, ...], tuple[int, ...]]:
    return check_fields(context, entry.body.values.get("record"), entry.body, fills=True)


def _refuse_shared_names(
    context: Context, entry: Entry, key: Iterable[KeyPart], fields: Iterable[Field]
) -> None:
    names = {part.name for part in key}
    record = entry.body.values.get("record")
    for field in fields:
        if field.name in names:
            assert isinstance(record, YamlMap)
            text = f"`{field.name}` is a part of the key already"
            raise context.findings.add(
                record.keys[field.name], "name-taken", text, "a row has both side by side"
            )


def _layout(
    context: Context, entry: Entry, fields: tuple[Field, ...]
) -> Literal["record", "packed", "empty"]:
    node = entry.body.values.get("layout")
    given = text_value(node)
    if not fields:
        if given not in ("", "empty"):
            assert node is not None
            text = f"a table without a record is `empty`, not `{given}`"
            raise context.findings.add(node, "layout", text, "leave `layout` out")
        return "empty"
    if given == "packed":
        assert node is not None
        check_packed(context, fields, node)
        return "packed"
    if given == "empty":
        assert node is not None
        raise context.findings.add(
            node, "layout", "a table with a record is not `empty`", "remove one of the two"
        )
    return "record"


def is_packed(context: Context, fields: Iterable[Field]) -> bool:
    """Whether a packed layout holds these fields."""
    fields = list(fields)
    fitting = all(fits_packed(field.type, context.types) for field in fields)
    return fitting and sum(field.has_default for field in fields) <= PACKED_OPTIONAL_MAX


def check_packed(context: Context, fields: Iterable[Field], node: YamlNode) -> None:
    """Raises Invalid, with a finding at `node`, where the fields do not fit a packed layout."""
    fields = list(fields)
    for field in fields:
        context.definition(present(field.type))
        if not fits_packed(field.type, context.types):
            text = f"`{field.name}` is {show(field.type)}, which a packed layout cannot hold"
            hint = "it holds numbers, ids, enums, flags, text, bytes, and `opt<..>` of these"
            raise context.findings.add(node, "layout", text, hint)
    missing = [field.name for field in fields if field.has_default]
    if len(missing) > PACKED_OPTIONAL_MAX:
        text = f"{len(missing)} fields may be missing, a packed layout has room for {PACKED_OPTIONAL_MAX}"
        raise context.findings.add(node, "layout", text, "use `layout: record`, or drop a default")


# ---------------------------------------------------------------------------- sequences and cursors


def _check_sequence(context: Context, name: str, entry: Entry) -> None:
    values = entry.body.values
    scalar = Scalar(SCALARS[text_value(values["type"])])
    per = check_key_parts(context, values["per"])
    start = int(text_value(values["start"])) if "start" in values else 1
    low, high = INT_RANGES[scalar.name]
    if not low <= start <= high or start == 0:
        text = f"a sequence of {scalar.name} cannot start at {start}"
        hint = f"it holds {low} to {high}, and 0 stands for a field without a number"
        raise context.findings.add(values["start"], "range", text, hint)
    intern = interned(values, "intern")
    key, field = per, "next"
    if intern is not None:
        key, field = (*per, KeyPart("value", intern)), "number"
    _check_beside(context, values["per"], [field] if intern is None else ["value", field])
    context.sequences[name] = Sequence(name, scalar, per, start, intern)
    context.tables[name] = Table(
        name, id_of(entry), doc_of(entry), key, (Field(1, field, scalar),), (), "packed", "clustered",
        "sequence", None, place_of(entry.name),
    )  # fmt: skip


def _check_cursor(context: Context, name: str, entry: Entry) -> None:
    values = entry.body.values
    per = check_key_parts(context, values.get("per"))
    node = values["parts"]
    assert isinstance(node, YamlMap)
    parts = [_cursor_part(context, key.value, value) for key, value in node]
    numbers = [(_part_number(value), key.value, int(text_value(_part_number(value)))) for key, value in node]
    check_numbers(context.findings, numbers, "number")
    _check_beside(context, values.get("per"), list(node.keys))
    made = [Field(p.number, p.name, p.type, "", "" if p.kind == "token" else 0, True) for p in parts]
    fields = tuple(sorted(made, key=lambda field: field.number))
    check_packed(context, fields, node)
    context.cursors[name] = Cursor(name, per, tuple(sorted(parts, key=lambda part: part.number)))
    context.tables[name] = Table(
        name, id_of(entry), doc_of(entry), per, fields, (), "packed", "clustered", "cursor", None,
        place_of(entry.name),
    )  # fmt: skip


def _check_beside(context: Context, per: YamlNode | None, fields: Collection[str]) -> None:
    """Refuse parts of a key that are called as a field beside them. Raises Invalid."""
    for name, key in per.keys.items() if isinstance(per, YamlMap) else ():
        if name in fields:
            text = f"a row has a field `{name}` already"
            raise context.findings.add(key, "name-taken", text, "choose another name for the part of its key")


def _part_number(node: YamlNode) -> YamlNode:
    assert isinstance(node, YamlMap)
    return node.values["number"]


def _cursor_part(context: Context, name: str, node: YamlNode) -> CursorPart:
    assert isinstance(node, YamlMap)
    values = node.values
    kind = _PART_KINDS[text_value(values["kind"])]
    for word in ("hold_ms", "zero", "claim"):
        if word in values and kind == "stamp":
            text = f"`{name}` is a stamp, nothing is missing of it"
            raise context.findings.add(node.keys[word], "claim", text, f"leave `{word}` out")
    if "hold_ms" in values and kind == "watermark":
        text = f"`{name}` is a watermark, of which no gap can be seen"
        raise context.findings.add(node.keys["hold_ms"], "claim", text, "leave `hold_ms` out")
    hold_ms = int(text_value(values["hold_ms"])) if "hold_ms" in values else 0
    return CursorPart(int(text_value(values["number"])), name, kind, hold_ms, "zero" in values)


# ------------------------------------------------------------------------------------------- fill


def _check_fills(context: Context, table: Table) -> bool:
    """Every `fill` names a sequence of the field's own type whose groups the row can name."""
    entry = context.entries("tables")[table.name]
    filled = [(part.name, part.type, part.fill) for part in table.key]
    filled += [(field.name, field.type, field.fill) for field in table.fields]
    plain: dict[str, Type] = {name: type for name, type, fill in filled if fill is None}
    with context.findings.together() as block:
        for name, type, fill in filled:
            if fill is not None:
                block.attempt(_check_fill, context, _fill_node(entry, name), type, fill, plain)
    return True


def _fill_node(entry: Entry, name: str) -> YamlNode:
    for word in ("key", "record"):
        holder = entry.body.values.get(word)
        if isinstance(holder, YamlMap) and name in holder.values:
            field = holder.values[name]
            if isinstance(field, YamlMap):
                return field.values["fill"]
    return entry.name


def _check_fill(context: Context, node: YamlNode, type: Type, fill: str, plain: dict[str, Type]) -> None:
    if fill not in context.entries("sequences"):
        copies = f"for what the field `{fill}` has, write `fill: ({fill})`"
        near = did_you_mean(fill, context.entries("sequences")) or "declare it in `sequences:`"
        hint = copies if fill in plain else near
        raise context.findings.add(node, "unknown-sequence", f"there is no sequence `{fill[:60]}`", hint)
    sequence = context.sequences.get(fill)
    if sequence is None:
        return
    context.definition(type)
    scalar = base(type, context.types)
    if sequence.intern is not None:
        text = f"`{fill}` gives numbers to values"
        raise context.findings.add(node, "fill", text, f"say to which: `fill: {fill}(field)`")
    if scalar != sequence.type:
        text = f"`{fill}` gives {sequence.type.name}, the field is {show(type)}"
        raise context.findings.add(node, "fill", text, "make both the same type")
    for part in sequence.per:
        if plain.get(part.name) != part.type:
            have = show(plain[part.name]) if part.name in plain else "not a field of the row that is given"
            text = f"`{fill}` counts per `{part.name}` ({show(part.type)}), which is {have}"
            raise context.findings.add(
                node, "fill", text, "the row must have such a field, and not a filled one"
            )


def interned(values: dict[str, YamlNode], word: str) -> Scalar | None:
    """What a sequence interns, if it does."""
    node = values.get(word)
    return Scalar("text" if node.value == "text" else "bytes") if isinstance(node, YamlScalar) else None
