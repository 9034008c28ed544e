"""Plans Spark's types for the types of a schema, and the shapes by which values become columns of these.

Depends on: model, names, hints, frame (imports).  Never on: tables, templates.

Law: what the column holds is what the type says; values that Arrow takes as they are have no shape. Enum
values are ints already.

Unsigned integers become the next wider signed type, the widest a decimal. A union is a struct with one
nullable struct per case, of which one is there; of a case that only newer schemas have, none is. A struct
without fields, which Parquet cannot hold, is true. A union within a union stays msgpack, as does a record
or union within itself: else the columns of a few large unions would be their product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.walk import nodes

_TYPES: Final = {
    "bool": "BooleanType", "int8": "ByteType", "int16": "ShortType", "int32": "IntegerType",
    "int64": "LongType", "uint8": "ShortType", "uint16": "IntegerType", "uint32": "LongType",
    "float64": "DoubleType", "text": "StringType", "bytes": "BinaryType",
}  # fmt: skip
_DECIMAL: Final = "DecimalType(20, 0)"


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """What a value is in a column."""

    type: str
    nullable: bool
    #: The text of its shape; none where Arrow takes the values as they are.
    shape: str | None


@dataclass(frozen=True, slots=True)
class StructTypePlan:
    """One constant."""

    name: str
    comment: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ColumnsPlan:
    """The function that gives the fields of many values: a list for each."""

    name: str
    #: What it takes: the class of the values, and what one of them is called.
    annotation: str
    value: str
    #: How the code calls the fields.
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShapePlan:
    """The constant with the shape of a record or a union."""

    constant: str
    comment: str
    text: str


class TypePlanner:
    """Plans the columns of types; in `nested`, `values` and `codecs` what these need, in order of use."""

    def __init__(self, schema: model.Schema, imports: Imports, taken: set[str]) -> None:
        """`taken` are the names of the module; it grows."""
        self._schema, self._imports, self._taken = schema, imports, taken
        #: Whether what is planned is within a union.
        self._within = False
        #: By name, and whether that is within a union and holds one: (type constant, shape constant), or None
        #: while it is planned.
        self._begun: dict[tuple[str, bool], tuple[str, str] | None] = {}
        self.nested: list[StructTypePlan] = []
        self.values: list[ColumnsPlan | ShapePlan] = []
        #: Type -> (constant, what it is made with).
        self.codecs: dict[str, tuple[str, str]] = {}

    def field(self, field: model.Field, metadata: str) -> str:
        """`StructField(..)`"""
        column = self.column(field.type)
        return f"StructField({printing.literal(field.name)}, {column.type}, {column.nullable}, {metadata})"

    def fields(self, function: str, annotation: str, value: str, fields: Sequence[model.Field]) -> str:
        """`Fields(..)`, the shape of what has these fields; its function is named as `function` or alike."""
        name = names.fresh(function, self._taken)
        self.values.append(
            ColumnsPlan(name, annotation, value, tuple(names.field(field.name) for field in fields))
        )
        shapes = [(printing.literal(field.name), self.column(field.type).shape) for field in fields]
        items = ", ".join(f"{field}: {shape}" for field, shape in shapes if shape is not None)
        return f"{self._shape('Fields')}({name}, {{{items}}})"

    def column(self, type_: model.Type) -> ColumnPlan:
        """What a value of the type becomes."""
        match type_:
            case model.Optional(item):
                inner = self.column(item)
                return ColumnPlan(inner.type, True, self._around("Maybe", inner))
            case model.ListOf(item):
                inner = self.column(item)
                text = f"{self._use('ArrayType')}({inner.type}, {inner.nullable})"
                return ColumnPlan(text, False, self._around("Many", inner))
            case model.MapOf(key, value):
                keys, values = self.column(key), self.column(value)
                text = f"{self._use('MapType')}({keys.type}, {values.type}, {values.nullable})"
                return ColumnPlan(text, False, self._around("Pairs", keys, values))
            case model.Named(name):
                return self._named(self._schema.types[name])
            case _:
                return self._scalar(type_)

    def _around(self, shape: str, *inner: ColumnPlan) -> str | None:
        """The shape around others; none where all of these are plain."""
        if all(column.shape is None for column in inner):
            return None
        texts = [column.shape or self._shape("PLAIN") for column in inner]
        return f"{self._shape(shape)}({', '.join(texts)})"

    def _named(self, definition: model.TypeDef) -> ColumnPlan:
        match definition:
            case model.RecordType(fields=()):
                return ColumnPlan(f"{self._use('BooleanType')}()", False, self._shape("FLAG"))
            case model.RecordType(name) | model.UnionType(name):
                return self._compound(name)
            case model.PatchType(name):
                self._use("BinaryType")
                return ColumnPlan(
                    "BinaryType()", False, f"{self._shape('Changed')}({self._codec(name)}.encode)"
                )
            case _:
                return self._scalar(model.Named(definition.name))

    def _scalar(self, type_: model.Type) -> ColumnPlan:
        scalar = hints.base(self._schema, type_)
        assert scalar is not None, f"{type_} is not stored"
        if scalar.name == "uint64":
            self._use("DecimalType")
            decimal = self._imports.use("decimal", "Decimal")
            return ColumnPlan(_DECIMAL, False, f"{self._shape('Changed')}({decimal})")
        return ColumnPlan(f"{self._use(_TYPES[scalar.name])}()", False, None)

    def _use(self, name: str) -> str:
        return self._imports.use("pyspark.sql.types", name)

    def _shape(self, name: str) -> str:
        return self._imports.use("pillarbox_spark.columns", name)

    # ------------------------------------------------------------------------- records and unions

    def _compound(self, name: str) -> ColumnPlan:
        key = name, self._within and self._reaches_union(name, set())
        if key not in self._begun:
            self._begun[key] = None
            if not (self._within and isinstance(self._schema.types[name], model.UnionType)):
                self._begun[key] = self._plan(name)
        planned = self._begun[key]
        if planned is None:
            return ColumnPlan("BinaryType()", False, f"{self._shape('Changed')}({self._codec(name)}.encode)")
        constant, shape = planned
        return ColumnPlan(constant, False, shape)

    def _reaches_union(self, name: str, seen: set[str]) -> bool:
        """Whether values of a type are or hold those of a union."""
        definition = self._schema.types[name]
        if isinstance(definition, model.UnionType):
            return True
        if not isinstance(definition, model.RecordType) or name in seen:
            return False
        seen.add(name)
        inner = [node.name for node in nodes(definition) if isinstance(node, model.Named)]
        return any(self._reaches_union(other, seen) for other in inner)

    def _plan(self, name: str) -> tuple[str, str]:
        """The type constant and the shape constant of a record or union."""
        definition = self._schema.types[name]
        match definition:
            case model.RecordType(_, fields):
                lines = self._numbered(fields)
                text = self._fields_of(name, fields)
            case model.UnionType(_, cases):
                self._within = True
                lines = [self._case(case) for case in cases]
                text = f"{self._shape('Cases')}({{{', '.join(map(self._case_shape, cases))}}})"
                self._within = False
            case _:
                raise TypeError(f"{name} has no fields")
        constant = names.fresh(f"_{names.snake(name).upper()}", self._taken)
        shape = names.fresh(f"{constant}_SHAPE", self._taken)
        self.nested.append(StructTypePlan(constant, f"Values of `{name}`.", tuple(lines)))
        self.values.append(ShapePlan(shape, f"How values of `{name}` become columns.", text))
        return constant, shape

    def _fields_of(self, name: str, fields: Sequence[model.Field]) -> str:
        """The shape of a record or a case."""
        annotation = self._imports.use(".types", names.type_class(name))
        return self.fields(f"_{names.snake(name)}", annotation, "value", fields)

    def _case(self, case: model.UnionCase) -> str:
        """The StructField of a case."""
        inner = f"StructType([{', '.join(self._numbered(case.fields))}])"
        if not case.fields:
            inner = f"{self._use('BooleanType')}()"
        return f'StructField({printing.literal(case.name)}, {inner}, True, {{"number": {case.number}}})'

    def _case_shape(self, case: model.UnionCase) -> str:
        """The class of a case, and its shape."""
        class_ = self._imports.use(".types", names.type_class(case.name))
        return f"{class_}: {self._fields_of(case.name, case.fields) if case.fields else self._shape('FLAG')}"

    def _numbered(self, fields: Sequence[model.Field]) -> list[str]:
        """The StructFields of a record or a case."""
        return [self.field(field, f'{{"number": {field.number}}}') for field in fields]

    def _codec(self, name: str) -> str:
        """The constant that encodes values of a type without columns of its own."""
        if name not in self.codecs:
            annotation = self._imports.use(".types", names.type_class(name))
            if isinstance(self._schema.types[name], model.UnionType):
                codec = f"{self._imports.use('pillarbox.codec', 'TaggedCodec')}[{annotation}]"
            else:
                codec = self._imports.use("pillarbox.codec", "RecordCodec")
            constant = names.fresh(f"_{names.snake(name).upper()}_CODEC", self._taken)
            self.codecs[name] = constant, f"{codec}({annotation}, {printing.literal(name)})"
        return self.codecs[name][0]
