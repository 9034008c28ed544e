"""Plans `spark.py`: the StructType of every table's rows and of its stored pairs, and rows as columns.

Depends on: model, spark_types, structs, frame.  Never on: jobs.
"""

from __future__ import annotations

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.spark_types import ColumnsPlan, StructTypePlan, TypePlanner
from pillarbox_codegen.plan.structs import row_fields


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`spark.py`."""
    taken = {names.constant(name) for name in schema.tables}
    taken |= {"FOLLOWING", "PARQUET", "STORED", "STORED_INT", "TABLES", "_SCHEMA_HASH"}
    imports = frame.imports(".spark", taken)
    imports.use("typing", "Final")
    imports.use_all("pyspark.sql.types", ["BinaryType", "LongType", "StructField", "StructType"])
    imports.use_all("pillarbox_spark.job", ["ParquetTable"])
    types = TypePlanner(schema, imports, taken)
    rows = [_row(table, types) for table in schema.tables.values()]
    tables = list(schema.tables.values())
    if tables:
        imports.use("collections.abc", "Sequence")
        imports.use("typing", "Any")
    parquet = [_parquet(table, types, imports) for table in tables if table.role == "primary"]
    following = [_parquet(table, types, imports) for table in tables if table.role != "primary"]
    text = frame.module(
        doc=(
            f"The rows of the schema {schema.name!r} as Spark sees them.\n\n"
            f"Unsigned integers are widened. Metadata tells which part of the key or which number a field "
            f"is, and the schema it is from. A union is a struct with a field per case, of which one is "
            f"there, or none where the case is newer than this schema; what has no fields is true. A record "
            f"within itself stays msgpack."
        ),
        imports=imports,
        template="spark.py.j2",
        schema_hash=frame.schema_hash,
        nested=types.nested,
        rows=rows,
        tables=[(printing.literal(name), names.constant(name)) for name in schema.tables],
        codecs=list(types.codecs.values()),
        functions=[value for value in types.values if isinstance(value, ColumnsPlan)],
        shapes=[value for value in types.values if not isinstance(value, ColumnsPlan)],
        parquet=parquet,
        following=following,
    )
    return {"spark.py": text}


def _row(table: model.Table, types: TypePlanner) -> StructTypePlan:
    """The constant of a table's rows."""
    lines = []
    for field in row_fields(table):
        place = field.number - len(table.key)
        where = f'"number": {place}' if place > 0 else f'"key": {field.number - 1}'
        lines.append(types.field(field, f'{{{where}, "schema_hash": _SCHEMA_HASH}}'))
    return StructTypePlan(names.constant(table.name), f"Rows of `{table.name}`.", tuple(lines))


def _parquet(table: model.Table, types: TypePlanner, imports: Imports) -> str:
    """`ParquetTable(..)`"""
    row = imports.use(".types", names.row_class(table.name))
    shape = types.fields(f"_{table.name}_columns", row, "row", row_fields(table))
    name, constant = printing.literal(table.name), names.constant(table.name)
    return f"ParquetTable({table.id}, {name}, {constant}, {shape})"
