"""Plans `spark.py`: for every table the StructType of its rows, and of its stored pairs.

Depends on: model, structs, frame.  Never on: jobs.

Unsigned integers become the next wider signed type, the widest a decimal. A union is a struct with one
nullable struct per case, of which one is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.structs import row_fields

_TYPES: Final = {
    "bool": "BooleanType", "int8": "ByteType", "int16": "ShortType", "int32": "IntegerType",
    "int64": "LongType", "uint8": "ShortType", "uint16": "IntegerType", "uint32": "LongType",
    "float64": "DoubleType", "text": "StringType", "bytes": "BinaryType",
}  # fmt: skip


_DECIMAL: Final = "DecimalType(20, 0)"


@dataclass(frozen=True, slots=True)
class StructTypePlan:
    """One constant."""

    name: str
    comment: str
    fields: tuple[str, ...]


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`spark.py`."""
    imports = frame.imports(".spark")
    imports.use("typing", "Final")
    imports.use_all("pyspark.sql.types", ["BinaryType", "LongType", "StructField", "StructType"])
    planner = _Planner(schema, imports)
    rows = [planner.row(table) for table in schema.tables.values()]
    text = frame.module(
        doc=(
            f"The rows of the schema {schema.name!r} as Spark sees them.\n\n"
            f"Unsigned integers are widened. Metadata tells which part of the key or which number a field "
            f"is, and the schema it is from. A union is a struct with a field per case, of which one is "
            f"there; a record within itself stays msgpack."
        ),
        imports=imports,
        template="spark.py.j2",
        schema_hash=frame.schema_hash,
        nested=planner.nested,
        rows=rows,
        tables=[(printing.literal(name), names.constant(name)) for name in schema.tables],
    )
    return {"spark.py": text}


class _Planner:
    """Plans the types of rows, and in `nested` those of the records and unions in them, in order of use."""

    def __init__(self, schema: model.Schema, imports: Imports) -> None:
        self._schema, self._imports = schema, imports
        self._begun: dict[str, str | None] = {}
        self.nested: list[StructTypePlan] = []

    def row(self, table: model.Table) -> StructTypePlan:
        """The constant of a table's rows."""
        lines = []
        for field in row_fields(table):
            place = field.number - len(table.key)
            where = f'"number": {place}' if place > 0 else f'"key": {field.number - 1}'
            lines.append(self._field(field, f'{{{where}, "schema_hash": _SCHEMA_HASH}}'))
        return StructTypePlan(names.constant(table.name), f"Rows of `{table.name}`.", tuple(lines))

    def _field(self, field: model.Field, metadata: str) -> str:
        type_, nullable = self._type(field.type)
        return f"StructField({printing.literal(field.name)}, {type_}, {nullable}, {metadata})"

    def _type(self, type_: model.Type) -> tuple[str, bool]:
        """(text of the type, whether it may be null)."""
        match type_:
            case model.Optional(item):
                return self._type(item)[0], True
            case model.ListOf(item):
                inner, nullable = self._type(item)
                return f"{self._use('ArrayType')}({inner}, {nullable})", False
            case model.MapOf(key, value):
                inner, nullable = self._type(value)
                return f"{self._use('MapType')}({self._type(key)[0]}, {inner}, {nullable})", False
            case model.Named(name) if isinstance(
                self._schema.types[name], model.RecordType | model.UnionType
            ):
                return self._compound(name), False
            case _:
                return self._scalar(type_), False

    def _scalar(self, type_: model.Type) -> str:
        scalar = names.base(self._schema, type_)
        assert scalar is not None, f"{type_} is not stored"
        if scalar.name == "uint64":
            self._use("DecimalType")
            return _DECIMAL
        return f"{self._use(_TYPES[scalar.name])}()"

    def _use(self, name: str) -> str:
        return self._imports.use("pyspark.sql.types", name)

    def _compound(self, name: str) -> str:
        """The constant of a record or union; msgpack where it is inside itself."""
        if name in self._begun:
            return self._begun[name] or "BinaryType()"
        self._begun[name] = None
        definition = self._schema.types[name]
        lines: list[str] = []
        match definition:
            case model.RecordType(_, fields):
                lines = self._numbered(fields)
            case model.UnionType(_, cases):
                for case in cases:
                    inner = f"StructType([{', '.join(self._numbered(case.fields))}])"
                    metadata = f'{{"number": {case.number}}}'
                    lines.append(f"StructField({printing.literal(case.name)}, {inner}, True, {metadata})")
        constant = f"_{names.snake(name).upper()}"
        self._begun[name] = constant
        self.nested.append(StructTypePlan(constant, f"Values of `{name}`.", tuple(lines)))
        return constant

    def _numbered(self, fields: Sequence[model.Field]) -> list[str]:
        return [self._field(field, f'{{"number": {field.number}}}') for field in fields]
