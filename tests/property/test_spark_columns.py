"""Rows of every table as Arrow columns of the types that Spark is told, into Parquet and back."""

from __future__ import annotations

import io
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql.types import ArrayType, BinaryType, BooleanType, DataType, DecimalType, MapType, StructType
from tests.property.test_specs import SCHEMAS, Rows
from tests.unit.codegen_ops.making import imported

from pillarbox.codec import Unknown
from pillarbox.codec.records import RecordCodec
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.structs import row_fields
from pillarbox_spark.columns import Seen
from pillarbox_spark.job import ParquetTable
from pillarbox_spark.parquet import arrow_schema, batch_of

ROOT = Path(__file__).parents[2]
#: A schema with what the shipped ones lack: 64 bits without a sign, types within themselves.
THIRD = ROOT / "tests/golden/generated/routed_sources"

NEWER = Unknown(250, msgspec.msgpack.encode([250, "x"]))


@cache
def third() -> Any:
    text = (THIRD / "schema.yaml").read_text(encoding="utf-8").replace("routed_sources", "third_of_columns")
    return imported(Path(mkdtemp()), text)


def module(name: str, part: str) -> Any:
    return getattr(third(), part) if name == "third" else import_module(f"pillarbox_{name}.{part}")


@cache
def schema(name: str) -> model.Schema:
    return load_schema(THIRD) if name == "third" else SCHEMAS[name]


def held(value: Any, field: model.Field) -> Any:
    return getattr(value, names.field(field.name))


class DeepRows(Rows):
    """Rows that may hold cases of newer schemas, and values within themselves up to a depth."""

    def module(self, name: str) -> Any:
        return third().types if self.schema is schema("third") else super().module(name)

    def _named(self, definition: model.TypeDef, depth: int) -> st.SearchStrategy[Any]:
        found = super()._named(definition, depth)
        return found | st.just(NEWER) if isinstance(definition, model.UnionType) else found


@cache
def deep_rows(name: str, table: str) -> st.SearchStrategy[Any]:
    return DeepRows(schema(name)).row(schema(name).tables[table])


class Meaning:
    """What a value is, read back: told by the type that Spark has of it and the type of the schema."""

    def __init__(self, schema_: model.Schema) -> None:
        self._schema = schema_

    def of(self, kind: DataType, type_: model.Type, value: Any) -> Any:
        if value is None:
            return None
        match type_:
            case model.Optional(item):
                return self.of(kind, item, value)
            case model.ListOf(item):
                assert isinstance(kind, ArrayType)
                return [self.of(kind.elementType, item, one) for one in value]
            case model.MapOf(key, item):
                assert isinstance(kind, MapType)
                return [(self.of(kind.keyType, key, k), self.of(kind.valueType, item, v)) for k, v in value]
            case model.Named(name):
                return self._named(kind, self._schema.types[name], value)
        return Decimal(value) if isinstance(kind, DecimalType) else value

    def _named(self, kind: DataType, definition: model.TypeDef, value: Any) -> Any:
        compound = isinstance(definition, model.RecordType | model.UnionType)
        if compound and isinstance(kind, BinaryType):
            return RecordCodec[Any](type(value), "a value").encode_unread(value)
        match definition:
            case model.RecordType(_, fields):
                return self._struct(kind, fields, value)
            case model.UnionType(_, cases):
                assert isinstance(kind, StructType)
                return {
                    case.name: self._struct(kind[case.name].dataType, case.fields, value)
                    if type(value).__name__ == names.type_class(case.name)
                    else None
                    for case in cases
                }
        return int(value) if isinstance(value, int) else value

    def _struct(self, kind: DataType, fields: tuple[model.Field, ...], value: Any) -> Any:
        if not fields:
            assert isinstance(kind, BooleanType)
            return True
        assert isinstance(kind, StructType)
        return {
            field.name: self.of(
                kind[field.name].dataType, field.type, getattr(value, names.field(field.name))
            )
            for field in fields
        }


def written_and_read(table: ParquetTable, rows: list[Any], first: int = 0) -> dict[str, list[Any]]:
    """The columns of the rows, by way of two Parquet files; the `first` so many are in a file before."""
    declared, seen = arrow_schema(table), Seen()
    read = []
    for slice_rows in (rows[:first], rows[first:]):
        written = pa.Table.from_batches([batch_of(table, declared, slice_rows, seen)])
        written.validate(full=True)
        file = io.BytesIO()
        pq.write_table(written, file)
        read.append(pq.read_table(file, schema=declared))
    found: dict[str, list[Any]] = pa.concat_tables(read).to_pydict()
    return found


def fields_of(kind: pa.DataType, way: str = "") -> Iterator[tuple[str, bool]]:
    """Each field within, however deep: its way, and whether it can be left out, being null and not alone."""
    if pa.types.is_list(kind):
        yield from fields_of(kind.value_type, way)
    elif pa.types.is_map(kind):
        yield from fields_of(kind.key_type, f"{way} key")
        yield from fields_of(kind.item_type, f"{way} item")
    elif pa.types.is_struct(kind):
        for field in kind:
            yield f"{way}.{field.name}", field.nullable and len(list(kind)) > 1
            yield from fields_of(field.type, f"{way}.{field.name}")


def held_within(array: pa.Array, way: str = "") -> Iterator[str]:
    """The ways of the fields, however deep, of which there is any value."""
    if pa.types.is_list(array.type):
        yield from held_within(array.flatten(), way)
    elif pa.types.is_map(array.type):
        yield from held_within(array.keys, f"{way} key")
        yield from held_within(array.items, f"{way} item")
    elif pa.types.is_struct(array.type):
        for field, inner in zip(array.type, array.flatten(), strict=True):
            if inner.null_count < len(inner):
                yield f"{way}.{field.name}"
            yield from held_within(inner, f"{way}.{field.name}")


TABLES = [
    (name, table.name)
    for name in ("messenger", "tracker", "third")
    for table in schema(name).tables.values()
    if table.role == "primary"
]


@pytest.mark.parametrize(("name", "table"), TABLES)
@settings(max_examples=25)
@given(data=st.data())
def test_rows_come_back_from_parquet(name: str, table: str, data: st.DataObject) -> None:
    (parquet,) = (one for one in module(name, "spark").PARQUET if one.name == table)
    rows_come_back(name, parquet, data)


@pytest.mark.parametrize("name", ["messenger", "tracker", "third"])
@settings(max_examples=200)
@given(data=st.data())
def test_rows_of_the_other_tables_come_back_as_well(name: str, data: st.DataObject) -> None:
    rows_come_back(name, data.draw(st.sampled_from(module(name, "spark").FOLLOWING)), data)


def rows_come_back(name: str, parquet: ParquetTable, data: st.DataObject) -> None:
    declared = schema(name).tables[parquet.name]
    rows = data.draw(st.lists(deep_rows(name, declared.name), max_size=3))
    first = data.draw(st.integers(0, len(rows)))
    meaning = Meaning(schema(name))

    read = written_and_read(parquet, rows, first)

    assert read == {
        field.name: [
            meaning.of(parquet.schema[field.name].dataType, field.type, held(row, field)) for row in rows
        ]
        for field in row_fields(declared)
    }


@pytest.mark.parametrize(("name", "table"), TABLES)
@settings(max_examples=10)
@given(data=st.data())
def test_what_may_be_null_is_a_column_once_it_is_not(name: str, table: str, data: st.DataObject) -> None:
    (parquet,) = (one for one in module(name, "spark").PARQUET if one.name == table)
    rows = data.draw(st.lists(deep_rows(name, table), min_size=1, max_size=3))
    declared, seen = arrow_schema(parquet), Seen()
    held: set[str] = set()

    for row in rows:
        batch = batch_of(parquet, declared, [row], seen)
        held |= set(held_within(batch.to_struct_array()))

        ways = dict(fields_of(batch.to_struct_array().type))
        assert held <= ways.keys() <= dict(fields_of(pa.struct(list(declared)))).keys()
        assert [way for way, optional in ways.items() if optional and way not in held] == []


@pytest.mark.parametrize("name", ["messenger", "tracker", "third"])
@pytest.mark.parametrize("is_primary", [True, False])
def test_every_table_is_there_once_in_order(name: str, is_primary: bool) -> None:
    spark = module(name, "spark")

    assert [(one.id, one.name, one.schema) for one in (spark.PARQUET if is_primary else spark.FOLLOWING)] == [
        (table.id, table.name, spark.TABLES[table.name])
        for table in schema(name).tables.values()
        if (table.role == "primary") == is_primary
    ]


def test_what_arrow_takes_as_it_is_has_no_shape() -> None:
    types, (_, orders, *_rest) = third().types, third().spark.PARQUET
    row = types.Orders(
        shop_id=1, number=2, customer_id="c", marks=0, parcel=types.Parcel(weight=0.5), last=types.Lost(),
        prices=(("a", 1),), notes=("n", None),
    )  # fmt: skip

    columns = dict(zip(orders.schema.names, orders.rows.columns([row]), strict=True))

    assert columns["prices"][0] is row.prices
    assert columns["notes"][0] is row.notes
    assert {"number", "parcel", "last"} <= orders.rows.shapes.keys() <= columns.keys() - {"prices", "notes"}


def test_a_case_of_a_newer_schema_is_a_struct_of_which_nothing_is_there() -> None:
    types, (_, orders, *_rest) = third().types, third().spark.PARQUET
    row = types.Orders(
        shop_id=1, number=2, customer_id="c", marks=0, parcel=types.Parcel(weight=0.5), last=NEWER
    )

    assert written_and_read(orders, [row])["last"] == [{"Packed": None, "Lost": None, "Split": None}]


@pytest.mark.parametrize("count", [1, 127, 128, 129, 256, 300])
def test_however_many_rows_there_are_each_is_in_every_column(count: int) -> None:
    types, (_, orders, *_rest) = third().types, third().spark.PARQUET
    rows = [
        types.Orders(
            shop_id=1, number=number, customer_id=str(number), marks=0,
            parcel=types.Parcel(weight=number / 2), last=types.Lost(),
        )
        for number in range(count)
    ]  # fmt: skip

    found = written_and_read(orders, rows)

    assert found["number"] == list(range(count))
    assert found["customer_id"] == [str(number) for number in range(count)]
    assert [one["weight"] for one in found["parcel"]] == [number / 2 for number in range(count)]
