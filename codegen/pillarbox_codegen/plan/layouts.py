"""Plans `layouts.py`: every key and packed value once more, as `construct` declarations.

Depends on: model, hints, packed, frame.  Never on: keys' own plan; the two must agree without sharing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.packed import item_of, packed_default
from pillarbox_codegen.reads import reads

#: Little-endian numbers of packed values.
_FIXED: Final = {
    "bool": "_BOOL", "int8": "Int8sl", "int16": "Int16sl", "int32": "Int32sl", "int64": "Int64sl",
    "uint8": "Int8ul", "uint16": "Int16ul", "uint32": "Int32ul", "uint64": "Int64ul", "float64": "Float64l",
}  # fmt: skip
_TAILS: Final = {"text": 'PascalString(Int32ul, "utf8")', "bytes": "Prefixed(Int32ul, GreedyBytes)"}


@dataclass(frozen=True, slots=True)
class LayoutPlan:
    """One declaration."""

    name: str
    members: tuple[str, ...]


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`layouts.py`."""
    imports = frame.imports(".layouts")
    tables = list(schema.tables.values())
    keys = [_plan_key(schema, imports, table) for table in tables]
    values = [_plan_value(schema, imports, table) for table in tables if table.layout == "packed"]
    text = frame.module(
        doc=(
            f"How keys and packed values of the schema {schema.name!r} lie in bytes, to be read.\n\n"
            f"The modules `keys` and `packed` do the same and are fast; tests hold the two together, and "
            f"tools take stored bytes apart with these. Nothing imports this module when a box is used."
        ),
        imports=imports,
        template="layouts.py.j2",
        layouts=[*keys, *values],
        **_needed([*keys, *values], imports),
    )
    return {"layouts.py": text}


def _needed(layouts: list[LayoutPlan], imports: Imports) -> dict[str, bool]:
    """Which helpers the declarations call; and the imports of those."""
    read = reads([member for layout in layouts for member in layout.members])
    needed = {
        "numbers": "_signed" in read or "_falling" in read,
        "ended": "_Ended" in read or "_text" in read,
        "enums": "_enum" in read,
        "bools": "_BOOL" in read or "_BOOL_FALLING" in read,
        "flagged": "_present" in read,
        "texts": "_text" in read,
    }
    numbers, ended, enums, bools, flagged, texts = needed.values()
    uses = {
        ("typing", "Final"): bool(layouts),
        ("construct", "Struct"): bool(layouts),
        ("construct", "Terminated"): bool(layouts),
        ("construct", "Byte"): bools or flagged or "Byte" in read,
        ("construct", "Construct"): numbers or ended or enums or flagged,
        ("construct", "Mapping"): bools or enums,
        ("construct", "ExprAdapter"): numbers or texts,
        ("construct", "stream_read"): ended,
        ("construct", "stream_write"): ended,
        ("construct", "Computed"): flagged,
        ("construct", "ExprValidator"): flagged,
        ("construct", "IfThenElse"): flagged,
        ("construct", "Rebuild"): flagged,
        ("typing", "Any"): ended or enums or flagged,
        ("typing", "TYPE_CHECKING"): ended,
        ("enum", "IntEnum"): enums,
        ("collections.abc", "Callable"): flagged,
    }
    for (module, name), used in uses.items():
        if used:
            imports.use(module, name)
    return needed


# ---------------------------------------------------------------------------------------------- keys


def _plan_key(schema: model.Schema, imports: Imports, table: model.Table) -> LayoutPlan:
    members = [f"{printing.literal(part.name)} / {_part(schema, imports, table, part)}" for part in table.key]
    return LayoutPlan(f"{table.name.upper()}_KEY", (*members, "Terminated"))


def _part(schema: model.Schema, imports: Imports, table: model.Table, part: model.KeyPart) -> str:
    scalar = hints.base(schema, part.type)
    assert scalar is not None, f"{table.name}.{part.name}: a key part is a scalar"
    mask = "0xFF" if part.desc else "0"
    if scalar.name == "text":
        return f"_text(_Ended({mask}))"
    if scalar.name == "bytes":
        return f"_Ended({mask})"
    if scalar.name == "bool":
        return "_BOOL_FALLING" if part.desc else "_BOOL"
    if hints.is_int_key(schema, table):
        return imports.use("construct", "Int64sb")
    bits = int(scalar.name.removeprefix("u").removeprefix("int"))
    declared = imports.use("construct", f"Int{bits}ub")
    if part.desc:
        declared = f"_falling({declared}, {bits})"
    if scalar.name.startswith("int"):
        declared = f"_signed({declared}, {bits})"
    if isinstance(part.type, model.Named) and isinstance(schema.types[part.type.name], model.EnumType):
        declared = f"_enum({declared}, {hints.annotation(schema, imports, part.type)})"
    return declared


# -------------------------------------------------------------------------------------------- values


def _plan_value(schema: model.Schema, imports: Imports, table: model.Table) -> LayoutPlan:
    fixed: list[str] = []
    tails: list[str] = []
    flags: list[str] = []
    for field in table.fields:
        scalar = hints.base(schema, item_of(field.type))
        assert scalar is not None, f"{table.name}.{field.name}: a packed field is a scalar"
        default = packed_default(schema, table, field)
        declared = _value(imports, scalar.name)
        if isinstance(field.type, model.Optional) or default is not None:
            text = printing.literal(default)
            declared = f"_present({len(flags)}, {declared}, {text})"
            flags.append(_differs(f"row[{printing.literal(field.name)}]", default))
        member = f"{printing.literal(field.name)} / {declared}"
        (tails if scalar.name in _TAILS else fixed).append(member)
    first = "Const(0, Byte)"
    first = f"_flags({len(flags)}, lambda row: [{', '.join(flags)}])" if flags else "Const(0, Byte)"
    if not flags:
        imports.use("construct", "Const")
    return LayoutPlan(f"{table.name.upper()}_VALUE", (f'"_flags" / {first}', *fixed, *tails, "Terminated"))


def _differs(value: str, default: object) -> str:
    """The condition that a value is not its default."""
    if isinstance(default, bool):
        return f"not {value}" if default else value
    return f"{value} {'is not' if default is None else '!='} {printing.literal(default)}"


def _value(imports: Imports, scalar: str) -> str:
    if scalar == "bool":
        return "_BOOL"
    if scalar == "text":
        imports.use_all("construct", ["Int32ul", "PascalString"])
    elif scalar == "bytes":
        imports.use_all("construct", ["GreedyBytes", "Int32ul", "Prefixed"])
    else:
        imports.use("construct", _FIXED[scalar])
    return _TAILS.get(scalar) or _FIXED[scalar]
