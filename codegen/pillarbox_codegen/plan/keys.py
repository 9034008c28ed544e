"""Plans `keys.py`: for every table a Key class, an encoder, a decoder, and the encoders of its prefixes.

Depends on: model, names, hints, key_parts, window_kinds, frame.  Never on: rows.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from pillarbox_codegen import model, printing
from pillarbox_codegen.diagnostics import all_of
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.key_parts import PartCode, mark_function, part_code, runs, width
from pillarbox_codegen.plan.window_kinds import rests

_MODULE = ".keys"


@dataclass(frozen=True, slots=True)
class EncoderPlan:
    """A function from the values of some parts to bytes."""

    name: str
    doc: str
    parameters: str
    #: The conditions under which the bytes would not be read again; empty where there are none.
    unreadable: str
    encoded: str
    #: What a bad value raises, and the error that tells which one it was.
    errors: str
    told: str


@dataclass(frozen=True, slots=True)
class DecoderPlan:
    """The statements that take a stored key apart."""

    name: str
    statements: tuple[str, ...]
    decoded: str
    errors: str


@dataclass(frozen=True, slots=True)
class KeyPlan:
    """One table's key. `template` prints its functions."""

    template: str
    table: str
    class_name: str
    doc: str
    fields: tuple[str, ...]
    #: The parts, as errors tell them: a statement; none where there is nothing to tell.
    parts: tuple[str, ...]
    encoder: EncoderPlan
    #: That of the key, those of its prefixes, and of what follows some of them.
    encoders: tuple[EncoderPlan, ...]
    decoder: DecoderPlan
    #: Of a table of ranges, that of an edge.
    edges: tuple[EncoderPlan, ...]


@dataclass(slots=True)
class _Module:
    """What the functions of the module share: its imports, and the formats it packs and unpacks."""

    schema: model.Schema
    imports: Imports
    packs: set[str]
    unpacks: set[str]
    takes: set[str]


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`keys.py`."""
    imports = frame.imports(_MODULE, {names.key_class(table) for table in schema.tables})
    module = _Module(schema, imports, set(), set(), set())
    starts = rests(schema)
    keys = [_plan_key(module, table, starts) for table in schema.tables.values()]
    structs = [(f"_PACK_{format_}", format_, "pack") for format_ in sorted(module.packs)]
    structs += [(f"_UNPACK_{format_}", format_, "unpack") for format_ in sorted(module.unpacks)]
    structs += [(f"_TAKE_{format_}", format_, "unpack_from") for format_ in sorted(module.takes)]
    if structs:
        imports.use_all("struct", ["Struct", "error as StructError"])
    if any(key.parts for key in keys):
        imports.use("pillarbox.codec", "KeyParts")
        imports.use("typing", "Final")
    if keys:
        imports.use("typing", "NamedTuple")
    text = frame.module(
        doc=(
            f"The keys of the schema {schema.name!r}: as their fields, and as they are stored.\n\n"
            f"Stored keys compare as their fields do, in order: numbers are big-endian with the sign bit "
            f"flipped, descending parts are inverted, text and bytes are escaped and ended."
        ),
        imports=imports,
        template="keys.py.j2",
        structs=structs,
        keys=keys,
    )
    return {"keys.py": text}


def _plan_key(module: _Module, table: model.Table, starts: Set[tuple[str, int]]) -> KeyPlan:
    schema, imports = module.schema, module.imports
    codes = [part_code(schema, table, part) for part in table.key]
    int_key = hints.is_int_key(schema, table)
    fields = tuple(
        f"{names.key_field(part.name)}: {hints.annotation(schema, imports, part.type)}" for part in table.key
    )
    encoder = _plan_encoder(module, table, codes, names.key_function(table.name))
    prefixes = tuple(_plan_prefix(module, table, codes[:length]) for length in range(1, len(codes)))
    more = tuple(
        _plan_rest(module, table, codes, start)
        for start in range(1, len(codes))
        if (table.name, start) in starts
    )
    statements: tuple[str, ...] = ()
    if int_key:
        module.packs.add("q")
        template, decoded = "key_int.j2", _int_decoded(module, table)
    elif not codes:
        imports.use("pillarbox.codec", "key_corrupt")
        template, decoded = "key_none.j2", f"{names.key_class(table.name)}()"
    else:
        imports.use("pillarbox.codec", "key_corrupt")
        fixed = all(code.format for code in codes)
        template, decoded = "key_bytes.j2", _decoded(module, table, codes)
        statements = _fixed_statements(module, codes) if fixed else _loose_statements(module, codes)
    decoder = DecoderPlan(names.key_fields_function(table.name), statements, decoded, _decoding_errors(codes))
    return KeyPlan(
        template=template,
        table=printing.literal(table.name),
        class_name=names.key_class(table.name),
        doc=printing.docstring(_key_doc(table, codes, int_key), 4),
        fields=fields,
        parts=_parts(table, codes),
        encoder=encoder,
        encoders=(encoder, *prefixes, *more, *_plan_between(module, table, codes)),
        decoder=decoder,
        edges=_plan_edges(module, table, codes),
    )


def _parts(table: model.Table, codes: Sequence[PartCode]) -> tuple[str, ...]:
    named = "".join(f", {code.name}={_kind(code)}" for code in codes)
    constant = names.key_parts(table.name)
    return (f"{constant}: Final = KeyParts({printing.literal(table.name)}{named})",) if codes else ()


def _kind(code: PartCode) -> str:
    scalar = printing.literal(code.scalar)
    return scalar if code.members is None else f"({scalar}, {code.members})"


def _key_doc(table: model.Table, codes: Sequence[PartCode], int_key: bool) -> str:
    if int_key:
        return f"Key of `{table.name}`: stored as the integer it is."
    if not codes:
        return f"Key of `{table.name}`, which has at most one row: no bytes."
    size = width(codes)
    bytes_ = f"{size} byte{'s' if size != 1 else ''}" if size is not None else "bytes of any length"
    down = [part.name for part in table.key if part.desc]
    order = f"; {' and '.join(down)} descending" if down else ""
    return f"Key of `{table.name}`: {bytes_}, ordered as the fields are{order}."


# -------------------------------------------------------------------------------------------- encode


def _plan_encoder(
    module: _Module, table: model.Table, codes: Sequence[PartCode], function: str, start: int = 0
) -> EncoderPlan:
    """The encoder of neighbouring parts of a key, the first of which is that at `start`."""
    errors = ["TypeError"]
    if any(code.format for code in codes):
        errors.insert(0, "StructError")
    if not all(code.format for code in codes):
        errors.insert(0, "AttributeError")
    if any(code.text for code in codes):
        errors.append("UnicodeEncodeError")
    values = [code.parameter for code in codes]
    told = ", ".join([*values, *([f"start={start}"] if start else [])])
    # Only of a key that is stored; what others say may lie between members.
    is_whole = function == names.key_function(table.name)
    is_int = is_whole and hints.is_int_key(module.schema, table)
    return EncoderPlan(
        name=function,
        doc=printing.docstring("Encode so that comparing stored keys compares keys. Raises RangeError.", 4),
        parameters=", ".join(f"{code.parameter}: {code.base}" for code in codes),
        unreadable=" or ".join(
            code.unreadable for code in codes if code.unreadable and (is_whole or code.members is None)
        ),
        encoded=values[0] if is_int else _encoded(module, codes),
        errors=", ".join(errors),
        told=f"{names.key_parts(table.name)}.range_error({told})",
    )


def _plan_prefix(module: _Module, table: model.Table, codes: Sequence[PartCode]) -> EncoderPlan:
    """The encoder of the first parts of a key."""
    plan = _plan_encoder(module, table, codes, names.prefix_function(table.name, len(codes)))
    named = all_of([code.name for code in codes])
    doc = f"What stored keys with this {named} begin with. Raises RangeError."
    return replace(plan, doc=printing.docstring(doc, 4))


def _plan_edges(module: _Module, table: model.Table, codes: Sequence[PartCode]) -> tuple[EncoderPlan, ...]:
    """Of a table of ranges, the encoder of the last parts of a key, those of an edge."""
    if not isinstance(table.rule, model.Ranges):
        return ()
    start = len(codes) - len(table.rule.over)
    plan = _plan_encoder(module, table, codes[start:], names.edge_function(table.name), start)
    doc = printing.docstring("What the stored keys of ranges up to this edge end with. Raises RangeError.", 4)
    return (replace(plan, doc=doc),)


def _plan_between(module: _Module, table: model.Table, codes: Sequence[PartCode]) -> tuple[EncoderPlan, ...]:
    """The encoder of keys at which a mark may stand, where the one of stored keys refuses some."""
    function = mark_function(module.schema, table)
    if function == names.key_function(table.name):
        return ()
    doc = printing.docstring(
        "As the key, also where a number is no member of its enum. Raises RangeError.", 4
    )
    return (replace(_plan_encoder(module, table, codes, function), doc=doc),)


def _plan_rest(module: _Module, table: model.Table, codes: Sequence[PartCode], start: int) -> EncoderPlan:
    """The encoder of the last parts of a key."""
    plan = _plan_encoder(module, table, codes[start:], names.rest_function(table.name, start), start)
    doc = f"What the stored keys end with after `{codes[start - 1].name}`. Raises RangeError."
    return replace(plan, doc=printing.docstring(doc, 4))


def _encoded(module: _Module, codes: Sequence[PartCode]) -> str:
    pieces = []
    for run in runs(codes):
        for code in run:
            _use_all(module, code)
        if run[0].format:
            format_ = "".join(code.format for code in run)
            module.packs.add(format_)
            pieces.append(f"_PACK_{format_}({', '.join(code.encoded for code in run)})")
        else:
            pieces.append(run[0].encoded)
    return " + ".join(pieces)


def _use_all(module: _Module, code: PartCode) -> None:
    module.imports.use_all("pillarbox.codec", code.uses)


# -------------------------------------------------------------------------------------------- decode


def _fixed_statements(module: _Module, codes: Sequence[PartCode]) -> tuple[str, ...]:
    format_ = "".join(code.format for code in codes)
    module.unpacks.add(format_)
    return (f"{printing.targets([code.local for code in codes])} = _UNPACK_{format_}(key)",)


def _loose_statements(module: _Module, codes: Sequence[PartCode]) -> tuple[str, ...]:
    """Of a key with text or bytes in it: from offset to offset."""
    statements = []
    if any(code.desc for code in codes if not code.format):
        module.imports.use("pillarbox.codec", "invert")
        statements.append("flipped = invert(key)")
    module.imports.use("pillarbox.codec", "unescape")
    start, beyond = "", 0
    for run in runs(codes):
        place = _place(start, beyond)
        if run[0].format:
            format_ = "".join(code.format for code in run)
            module.takes.add(format_)
            statements.append(
                f"{printing.targets([code.local for code in run])} = _TAKE_{format_}(key, {place})"
            )
            beyond += width(run) or 0
        else:
            data = "flipped" if run[0].desc else "key"
            statements.append(f"{run[0].local}, end = unescape({data}, {place})")
            start, beyond = "end", 0
    place = _place(start, beyond)
    statements.append(f"if {place} != len(key):")
    statements.append(f'    raise ValueError(f"it has {{len(key)}} bytes, its parts end at {{{place}}}")')
    return tuple(statements)


def _place(start: str, beyond: int) -> str:
    """An offset: some bytes beyond a variable, or beyond the beginning."""
    if start and beyond:
        return f"{start} + {beyond}"
    return start or str(beyond)


def _decoding_errors(codes: Sequence[PartCode]) -> str:
    """The exceptions that torn bytes raise, as an `except` clause names them."""
    errors = []
    if any(code.scalar == "bool" for code in codes):
        errors.append("IndexError")
    if any(code.format for code in codes):
        errors.append("StructError")
    if not all(code.format for code in codes) or any(code.made for code in codes):
        errors.append("ValueError")
    # Of a damaged page SQLite may read keys that hold no bytes.
    return f"({', '.join(sorted([*errors, 'TypeError']))})"


def _int_decoded(module: _Module, table: model.Table) -> str:
    type_ = table.key[0].type
    plain = hints.annotation(module.schema, module.imports, type_) == "int"
    made = "key" if plain else hints.made(module.schema, module.imports, type_, "key")
    return f"{names.key_class(table.name)}({made})"


def _decoded(module: _Module, table: model.Table, codes: Sequence[PartCode]) -> str:
    values = []
    for part, code in zip(table.key, codes, strict=True):
        _use_all(module, code)
        made = hints.made(module.schema, module.imports, part.type, code.decoded)
        values.append(made if code.made else code.decoded)
    return f"{names.key_class(table.name)}({', '.join(values)})"
