"""How one part of a key becomes bytes: the Python text that encodes and decodes it.

Depends on: model, names, hints.  Never on: which functions use it.

A part of fixed width is an unsigned big-endian number: signed ones are biased, so that the sign bit flips
and negative numbers come first; descending ones count down from the greatest. Text and bytes are escaped
and ended, and inverted when descending.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.plan import hints, names, reserved

_FORMATS: Final = {"8": "B", "16": "H", "32": "I", "64": "Q"}
_SIZES: Final = {"B": 1, "H": 2, "I": 4, "Q": 8}
#: Local names of decoders.
_LOCALS: Final = reserved.PARAMETERS | {
    "cell",
    "end",
    "error",
    "flipped",
    "key",
    "key_corrupt",
    "len",
    "unescape",
}


@dataclass(frozen=True, slots=True)
class PartCode:
    """The text for one part."""

    name: str
    scalar: str
    desc: bool
    #: The parameter of encoders, and what it is annotated with.
    parameter: str
    base: str
    #: The local variable of decoders that holds what was unpacked.
    local: str
    #: One letter of `struct`; empty for text and bytes.
    format: str
    #: Whether the part is text rather than bytes, of those without a format.
    text: bool
    #: From `parameter` to what is packed, or to bytes.
    encoded: str
    #: The condition under which it would be packed and not be read again; empty where there is none.
    unreadable: str
    #: From `local` to what is stored of the value.
    decoded: str
    #: Whether a value is made of that: an enum, which refuses numbers that it has no name for, or an id.
    made: bool
    #: The members of an enum by number; None of any other type.
    members: str | None
    #: Names of `pillarbox.codec` in both.
    uses: tuple[str, ...]


def mark_function(schema: model.Schema, table: model.Table) -> str:
    """The encoder of keys at which a mark may stand: one at zero stands at no member of an enum."""
    marked = {it.rule.over for it in schema.tables.values() if isinstance(it.rule, model.Marker)}
    is_named = any(hints.members_of(schema, part.type) for part in table.key)
    return (names.between_function if is_named and table.name in marked else names.key_function)(table.name)


def part_code(schema: model.Schema, table: model.Table, part: model.KeyPart) -> PartCode:
    """The text for a part of this type and direction."""
    scalar = hints.base(schema, part.type)
    assert scalar is not None, f"{part.name}: a key part is a scalar, as the checker proves"
    parameter = names.parameter(part.name, table.name)
    local = names.safe(part.name, _LOCALS)
    if scalar.name in ("text", "bytes"):
        raw = f"{parameter}.encode()" if scalar.name == "text" else parameter
        format_, encoded, uses = "", f"escape({raw})", ["escape"]
        if part.desc:
            encoded, uses = f"invert({encoded})", ["escape", "invert"]
        decoded = f"{local}.decode()" if scalar.name == "text" else local
    else:
        bits = "8" if scalar.name == "bool" else scalar.name.removeprefix("u").removeprefix("int")
        format_, (encoded, decoded) = _FORMATS[bits], _number(scalar.name, bits, part.desc, parameter, local)
        uses = [f"INT{bits}_BIAS"] if scalar.name.startswith("int") else []
    members = hints.members_of(schema, part.type)
    readable = "(False, True)" if scalar.name == "bool" else members
    return PartCode(
        name=part.name,
        scalar=scalar.name,
        desc=part.desc,
        parameter=parameter,
        base=hints.scalar_annotation(scalar.name),
        local=local,
        format=format_,
        text=scalar.name == "text",
        encoded=encoded,
        unreadable=f"{parameter} not in {readable}" if readable else "",
        decoded=decoded,
        made=_is_made(schema, part, format_),
        members=members,
        uses=tuple(uses),
    )


def _number(scalar: str, bits: str, desc: bool, parameter: str, local: str) -> tuple[str, str]:
    """Text of encoding and decoding. Descending: all bits flipped, which is `~`."""
    if scalar == "bool":
        return (
            (f"not {parameter}", f"(True, False)[{local}]")
            if desc
            else (parameter, f"(False, True)[{local}]")
        )
    if scalar.startswith("int"):
        bias = f"INT{bits}_BIAS"
        if desc:
            return f"{bias} + ~{parameter}", f"{bias} + ~{local}"
        return f"{parameter} + {bias}", f"{local} - {bias}"
    if desc:
        greatest = f"0x{(1 << int(bits)) - 1:X}"
        return f"{greatest} - {parameter}", f"{greatest} - {local}"
    return parameter, local


def _is_made(schema: model.Schema, part: model.KeyPart, format_: str) -> bool:
    """Enums are made, and ids of text; an unpacked number is of type Any and passes as an id."""
    definition = schema.types[part.type.name] if isinstance(part.type, model.Named) else None
    return isinstance(definition, model.EnumType) or (isinstance(definition, model.IdType) and not format_)


def runs(codes: Iterable[PartCode]) -> list[list[PartCode]]:
    """Neighbours of fixed width together, text and bytes each alone."""
    found: list[list[PartCode]] = []
    for code in codes:
        if code.format and found and found[-1][0].format:
            found[-1].append(code)
        else:
            found.append([code])
    return found


def width(codes: Sequence[PartCode]) -> int | None:
    """Bytes of a key of these parts; None where it has text or bytes."""
    if all(code.format for code in codes):
        return sum(_SIZES[code.format] for code in codes)
    return None
