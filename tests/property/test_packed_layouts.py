"""Packed values of random tables: `packed` writes and reads what `layouts` declares, errors included."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.property.test_keys import DEPTH, ENUMS, SCALARS, STATE, bounds, misfits, refused, torn, values
from tests.unit.codegen.builders import field, part, schema, table
from tests.unit.codegen.loading import key_modules, loaded

from pillarbox.errors import RangeError, RecordCorrupt
from pillarbox_codegen import model
from pillarbox_codegen.plan.packed import item_of

TYPES = (STATE, DEPTH)
FIELD_TYPES: list[model.Scalar | model.Named] = [
    *map(model.Scalar, SCALARS),
    model.Scalar("float64"),
    *map(model.Named, ENUMS),
]
DEFAULTS: dict[str, Any] = {
    "bool": True,
    "text": "ab",
    "bytes": None,
    "float64": 1.5,
    "State": 3,
    "Depth": -5,
}


@st.composite
def packed_tables(draw: st.DrawFn) -> model.Table:
    fields = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        named = draw(st.sampled_from(FIELD_TYPES))
        type_: model.Type = named
        kind = draw(st.sampled_from(["plain", "optional", "defaulted"]))
        default = None
        if kind == "optional":
            type_ = model.Optional(named)
        elif kind == "defaulted":
            default = DEFAULTS[named.name] if named.name in DEFAULTS else bounds(named.name)[1]
        fields.append(field(number, f"field_{number}", type_, default=default))
    return table("probe", 1, [part("k", "int32")], fields, layout="packed")


def field_values(field: model.Field) -> st.SearchStrategy[Any]:
    if isinstance(field.type, model.Optional):
        return st.none() | _present(field.type.item)
    return _present(field.type) | (st.just(field.default) if field.has_default else st.nothing())


def _present(type_: model.Type) -> st.SearchStrategy[Any]:
    if type_ == model.Scalar("float64"):
        return st.floats(allow_nan=False)
    return values(type_)


def field_misfits(field: model.Field) -> st.SearchStrategy[Any]:
    type_ = item_of(field.type)
    if isinstance(type_, model.Scalar) and type_.name in ("bool", "bytes", "float64"):
        return field_values(field)
    # Of None `construct` makes what it likes, where a field has a default.
    return field_values(field) | misfits(type_).filter(lambda value: value is not None)


def nameless(type_: model.Type, value: Any) -> bool:
    """Whether it is a number that names no member of the enum that the type is."""
    enum = ENUMS.get(getattr(item_of(type_), "name", ""))
    return enum is not None and value is not None and value not in dict(enum.values).values()


def check_same_value(modules: Any, probe: model.Table, row: tuple[Any, ...]) -> None:
    built = refused(
        modules.layouts.PROBE_VALUE.build, {f.name: v for f, v in zip(probe.fields, row, strict=True)}
    )
    if any(nameless(field_.type, value) for field_, value in zip(probe.fields, row, strict=True)):
        built = "refused"  # It declares enums as the numbers they are.
    try:
        encoded = modules.packed.PROBE.encode(*row)
    except RangeError:
        encoded = "refused"
    assert encoded == built


def check_same_row(modules: Any, probe: model.Table, data: bytes) -> None:
    parsed = refused(modules.layouts.PROBE_VALUE.parse, data)
    try:
        decoded = modules.packed.PROBE.decode(data)
    except RecordCorrupt:
        decoded = "refused"
    assert (decoded == "refused") == (parsed == "refused")
    if decoded != "refused":
        for field_, value in zip(probe.fields, decoded, strict=True):
            assert value == parsed[field_.name] or (math.isnan(value) and math.isnan(parsed[field_.name]))


@given(data=st.data(), probe=packed_tables())
def test_packed_values_are_what_the_declaration_says(data: st.DataObject, probe: model.Table) -> None:
    declared = schema("probe", types=TYPES, tables=[probe])
    with loaded(declared, key_modules(declared)) as modules:
        for _ in range(4):
            row = data.draw(st.tuples(*map(field_values, probe.fields)), label="row")
            check_same_value(modules, probe, row)
            encoded = modules.packed.PROBE.encode(*row)
            assert modules.packed.PROBE.decode(encoded) == row
            check_same_row(modules, probe, data.draw(torn(encoded), label="torn"))
            for flags in range(64):  # All that the flags can say of these fields, and more.
                check_same_row(modules, probe, bytes([flags]) + encoded[1:])


@given(data=st.data(), probe=packed_tables())
def test_packed_values_out_of_range_are_refused_by_both_declarations(
    data: st.DataObject, probe: model.Table
) -> None:
    declared = schema("probe", types=TYPES, tables=[probe])
    with loaded(declared, key_modules(declared)) as modules:
        for _ in range(4):
            row = data.draw(st.tuples(*map(field_misfits, probe.fields)), label="row")
            check_same_value(modules, probe, row)


def test_a_default_that_is_written_out_is_refused_by_both_declarations() -> None:
    probe = table("probe", 1, [part("k", "int32")], [field(1, "f", "uint8", default=7)], layout="packed")
    declared = schema("probe", tables=[probe])

    with loaded(declared, key_modules(declared)) as modules:
        check_same_row(modules, probe, b"\x01\x07")
        check_same_row(modules, probe, b"\x01\x08")
        decoded = modules.packed.PROBE.decode(b"\x01\x08")

    assert decoded == (8,)
