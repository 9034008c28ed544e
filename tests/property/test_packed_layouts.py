"""Packed values of random tables: `packed` writes and reads what `layouts` declares, errors included."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.property.test_keys import SCALARS, bounds, misfits, refused, torn, values
from tests.unit.codegen.builders import field, part, schema, table
from tests.unit.codegen.loading import key_modules, loaded

from pillarbox.errors import RangeError, RecordCorrupt
from pillarbox_codegen import model

DEFAULTS: dict[str, Any] = {"bool": True, "text": "ab", "bytes": None, "float64": 1.5}


@st.composite
def packed_tables(draw: st.DrawFn) -> model.Table:
    fields = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        scalar = draw(st.sampled_from([*SCALARS, "float64"]))
        kind = draw(st.sampled_from(["plain", "optional", "defaulted"]))
        type_: model.Type = model.Scalar(scalar)
        default = None
        if kind == "optional":
            type_ = model.Optional(type_)
        elif kind == "defaulted":
            default = DEFAULTS[scalar] if scalar in DEFAULTS else bounds(scalar)[1]
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
    type_ = field.type.item if isinstance(field.type, model.Optional) else field.type
    return field_values(field) if type_ == model.Scalar("float64") else field_values(field) | misfits(type_)


def check_same_value(modules: Any, probe: model.Table, row: tuple[Any, ...]) -> None:
    built = refused(
        modules.layouts.PROBE_VALUE.build, {f.name: v for f, v in zip(probe.fields, row, strict=True)}
    )
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
    declared = schema("probe", tables=[probe])
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
    declared = schema("probe", tables=[probe])
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
