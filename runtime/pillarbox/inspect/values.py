"""Values as people read and write them: enums, flags and packed ids by the names that the layout has.

Depends on: shape, codec, errors.  Never on: how values were stored.

Law: `parsed(type, text_of(type, value)) == value` for the scalars of every key; shown values are plain JSON,
and no control character of a stored text reaches a terminal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pillarbox.codec import INT_RANGES, Unknown
from pillarbox.errors import UsageError
from pillarbox.inspect.shape import FieldsShape, NamedShape, StoredLayout, Type


class Values:
    """The values of one layout's types."""

    def __init__(self, layout: StoredLayout) -> None:
        self._layout = layout

    # ------------------------------------------------------------------------------------- shown

    def shown(self, type_: Type, value: Any) -> Any:
        """As JSON: bytes as `0x..`, enums by name, flags as names, a case as `{name: fields}`."""
        if value is None:
            return None
        match type_.head:
            case "opt":
                return self.shown(type_.arguments[0], value)
            case "list" | "bag":
                return [self.shown(type_.arguments[0], item) for item in value]
            case "map":
                key, held = type_.arguments
                return [[self.shown(key, one), self.shown(held, other)] for one, other in value]
        named = self._layout.types.get(type_.head)
        if named is None or named.kind == "id":
            return _scalar(value)
        match named.kind:
            case "enum":
                return named.names.get(value, f"unknown {int(value)}")
            case "flags":
                return _flags(named, value)
            case "packed":
                return self._packed(named, value)
            case "union":
                return self._case(named, value)
        return {} if named.record is None else self._fields(named.record, value)

    def text_of(self, type_: Type, value: Any) -> str:
        """In a table: as JSON where it is nested, or a text that would be taken for another; else bare."""
        shown = self.shown(type_, value)
        named = self._layout.types.get(type_.head)
        if named is not None and named.kind == "flags" and shown is not None:
            return "|".join(shown) or "0"
        if shown is None:
            return "-"
        if isinstance(shown, str) and _is_plain(shown):
            return shown
        return as_json(shown, (",", ":"))

    def _packed(self, named: NamedShape, value: int) -> str:
        """The parts with colons between them, the highest first."""
        pieces, shift = [], sum(bits for _, _, bits in named.parts)
        for _, type_, bits in named.parts:
            shift -= bits
            number = value >> shift & (1 << bits) - 1
            if self._is_signed(type_) and number >> bits - 1:
                number -= 1 << bits
            text = self.text_of(type_, number == 1 if type_.head == "bool" else number)
            pieces.append(str(number) if text.startswith("unknown ") else text)
        return ":".join(pieces)

    def _is_signed(self, type_: Type) -> bool:
        """Of a part of a packed id: an enum is not, whatever it is stored as elsewhere."""
        named = self._layout.types.get(type_.head)
        is_enum = named is not None and named.kind == "enum"
        return not is_enum and str(self._layout.scalar(type_)).startswith("int")

    def _case(self, named: NamedShape, value: Any) -> Any:
        if isinstance(value, Unknown):
            return {f"unknown case {value.tag}": f"0x{value.raw.hex()}"}
        name, fields = named.cases[type(value).__struct_config__.tag]
        return {name: self._fields(fields, value)}

    def _fields(self, shape: FieldsShape, value: Any) -> dict[str, Any]:
        return {
            field.name: self.shown(field.type, getattr(value, f"f{field.number}")) for field in shape.fields
        }

    # ------------------------------------------------------------------------------------ parsed

    def parsed(self, type_: Type, text: str) -> Any:
        """The stored scalar that somebody wrote. Raises UsageError that says what would be read."""
        named = self._layout.types.get(type_.head)
        scalar = str(self._layout.scalar(type_))
        try:
            return self._named(named, scalar, text)
        except ValueError as error:
            raise UsageError(f"{text!r} is no {type_}: {error}") from None

    def _named(self, named: NamedShape | None, scalar: str, text: str) -> Any:
        if named is None or named.kind == "id" or (scalar in INT_RANGES and _is_int(text)):
            return _parsed_scalar(scalar, text)
        if named.kind == "packed":
            return self._parsed_packed(named, text)
        numbers = {name: number for number, name in named.names.items()}
        if named.kind == "enum":
            number = text.removeprefix("unknown ")
            return int(number) if _is_int(number) else _looked_up(numbers, text)
        return sum(1 << _looked_up(numbers, name) for name in dict.fromkeys(text.split("|")))

    def _parsed_packed(self, named: NamedShape, text: str) -> int:
        pieces = text.split(":")
        if len(pieces) != len(named.parts):
            names = ":".join(name for name, _, _ in named.parts)
            raise ValueError(f"write it as {names}, or as one number")
        value = 0
        for (name, type_, bits), piece in zip(named.parts, pieces, strict=True):
            number = int(self.parsed(type_, piece))
            low = -(1 << bits - 1) if self._is_signed(type_) else 0
            if not low <= number < low + (1 << bits):
                raise ValueError(f"{name} has {bits} bits ({low} .. {low + (1 << bits) - 1})")
            value = value << bits | number & (1 << bits) - 1
        return value


def as_json(shown: Any, separators: tuple[str, str] = (", ", ": ")) -> str:
    """A shown value as JSON on one line, in which all is printable."""
    return _escaped(json.dumps(shown, ensure_ascii=False, separators=separators), _by_json)


def bare(text: str) -> str:
    """What somebody says, on one line."""
    return _escaped(text, lambda character: character.encode("unicode_escape").decode())


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else escape(character) for character in text)


def _by_json(character: str) -> str:
    return json.dumps(character)[1:-1]


def _is_plain(text: str) -> bool:
    """Whether a text can stand in a table as it is: it is seen where it begins and ends, and is no mark."""
    spaced = text != text.strip() or "  " in text
    return text.isprintable() and not spaced and text not in ("", "-") and text[0] != '"'


def _scalar(value: Any) -> Any:
    if isinstance(value, bytes):
        return f"0x{value.hex()}"
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value


def _flags(named: NamedShape, value: int) -> list[str]:
    """Names of the set bits; a bit without a name by its number."""
    bits = [bit for bit in range(value.bit_length()) if value >> bit & 1] if value >= 0 else []
    if value < 0:
        return [str(value)]
    return [named.names.get(bit, f"bit {bit}") for bit in bits]


def _looked_up(numbers: dict[str, int], name: str) -> int:
    if name.startswith("bit ") and name[4:].isdecimal() and len(name) <= len("bit 63"):
        return int(name[4:])
    if name not in numbers:
        raise ValueError(f"it is a number or one of {', '.join(numbers)}")
    return numbers[name]


def _unquoted(text: str) -> str:
    """A text as it was shown: within quotes it is JSON, where it can be."""
    if text.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(text))
    return text


def _is_int(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _parsed_scalar(scalar: str, text: str) -> Any:
    if scalar == "text":
        return _unquoted(text)
    if scalar == "bytes":
        return bytes.fromhex(text.removeprefix("0x"))
    if scalar == "bool":
        if text not in ("true", "false"):
            raise ValueError("it is `true` or `false`")
        return text == "true"
    if not _is_int(text):
        raise ValueError("it is a decimal number")
    return int(text)
