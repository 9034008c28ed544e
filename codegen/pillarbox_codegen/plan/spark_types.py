"""Plans Spark's types for the types of a schema, and how values become what columns of these hold.

Depends on: model, names, frame (imports), python_code.  Never on: tables, templates.

Law: what the converted value holds is what the type says, nothing more is copied than that needs, and a
value that needs no change is given as it is. Enum values are ints already.

Unsigned integers become the next wider signed type, the widest a decimal. A union is a struct with one
nullable struct per case, of which one is there; of a case that only newer schemas have, none is. A struct
without fields, which Parquet cannot hold, is true. A record or union within itself stays msgpack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.python_code import Code, Level

_TYPES: Final = {
    "bool": "BooleanType", "int8": "ByteType", "int16": "ShortType", "int32": "IntegerType",
    "int64": "LongType", "uint8": "ShortType", "uint16": "IntegerType", "uint32": "LongType",
    "float64": "DoubleType", "text": "StringType", "bytes": "BinaryType",
}  # fmt: skip
_DECIMAL: Final = "DecimalType(20, 0)"

#: From the text of a value, which may be written several times, to that of what a column holds.
Change: TypeAlias = Callable[[Code], Code]


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """What a value is in a column; `change` is none where that is the value itself."""

    type: str
    nullable: bool
    change: Change | None

    def of(self, value: str) -> Code:
        """The text of what the column holds."""
        return Code(value) if self.change is None else self.change(Code(value))


@dataclass(frozen=True, slots=True)
class StructTypePlan:
    """One constant."""

    name: str
    comment: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValuePlan:
    """The function that turns a record, or a case of a union, into a dictionary."""

    name: str
    parameter: str
    annotation: str
    text: str


@dataclass(frozen=True, slots=True)
class ChoicePlan:
    """The function that turns a value of a union into a dictionary, by the class of its case."""

    name: str
    annotation: str
    #: Class -> function of the case; a `match` would try one class after the other.
    constant: str
    comment: str
    cases: tuple[tuple[str, str], ...]


class TypePlanner:
    """Plans the columns of types; in `nested`, `values` and `codecs` what these need, in order of use."""

    def __init__(self, schema: model.Schema, imports: Imports, taken: set[str]) -> None:
        """`taken` are the names of the module; it grows."""
        self._schema, self._imports, self._taken = schema, imports, taken
        #: (constant, function) of a record or union; None while it is being planned.
        self._begun: dict[str, tuple[str, str] | None] = {}
        self.nested: list[StructTypePlan] = []
        self.values: list[ValuePlan | ChoicePlan] = []
        #: Type -> (constant, what it is made with).
        self.codecs: dict[str, tuple[str, str]] = {}

    def field(self, field: model.Field, metadata: str) -> str:
        """`StructField(..)`"""
        column = self.column(field.type)
        return f"StructField({printing.literal(field.name)}, {column.type}, {column.nullable}, {metadata})"

    def column(self, type_: model.Type, depth: int = 1) -> ColumnPlan:
        """What a value of the type becomes; `depth` counts the loops around it."""
        match type_:
            case model.Optional(item):
                inner = self.column(item, depth)
                return ColumnPlan(inner.type, True, _if_there(inner.change))
            case model.ListOf(item):
                inner = self.column(item, depth + 1)
                type_text = f"{self._use('ArrayType')}({inner.type}, {inner.nullable})"
                return ColumnPlan(type_text, False, _of_each(inner, depth))
            case model.MapOf(key, value):
                keys, values = self.column(key, depth + 1), self.column(value, depth + 1)
                type_text = f"{self._use('MapType')}({keys.type}, {values.type}, {values.nullable})"
                return ColumnPlan(type_text, False, _of_pairs(keys, values, depth))
            case model.Named(name):
                return self._named(self._schema.types[name])
            case _:
                return self._scalar(type_)

    def _named(self, definition: model.TypeDef) -> ColumnPlan:
        match definition:
            case model.RecordType(fields=()):
                return ColumnPlan(f"{self._use('BooleanType')}()", False, lambda _: Code("True"))
            case model.RecordType(name) | model.UnionType(name):
                return self._compound(name)
            case _:
                return self._scalar(model.Named(definition.name))

    def _scalar(self, type_: model.Type) -> ColumnPlan:
        scalar = names.base(self._schema, type_)
        assert scalar is not None, f"{type_} is not stored"
        if scalar.name == "uint64":
            self._use("DecimalType")
            decimal = self._imports.use("decimal", "Decimal")
            return ColumnPlan(_DECIMAL, False, lambda value: Code(f"{decimal}({value.text})"))
        return ColumnPlan(f"{self._use(_TYPES[scalar.name])}()", False, None)

    def _use(self, name: str) -> str:
        return self._imports.use("pyspark.sql.types", name)

    # ------------------------------------------------------------------------- records and unions

    def _compound(self, name: str) -> ColumnPlan:
        if name not in self._begun:
            self._begun[name] = None
            self._begun[name] = self._plan(name)
        planned = self._begun[name]
        if planned is None:
            codec = self._codec(name)
            return ColumnPlan("BinaryType()", False, lambda value: Code(f"{codec}.encode({value.text})"))
        constant, function = planned
        return ColumnPlan(constant, False, lambda value: Code(f"{function}({value.text})"))

    def _plan(self, name: str) -> tuple[str, str]:
        """The constant and the function of a record or union."""
        definition = self._schema.types[name]
        lines: list[str] = []
        match definition:
            case model.RecordType(_, fields):
                lines, text = self._numbered(fields)
                function = self._value(name, text)
            case model.UnionType(_, cases):
                found = [self._case(case) for case in cases]
                lines = [line for line, _, _ in found]
                function = self._choice(name, [(class_, maker) for _, class_, maker in found])
            case _:
                raise TypeError(f"{name} has no fields")
        constant = names.fresh(f"_{names.snake(name).upper()}", self._taken)
        self.nested.append(StructTypePlan(constant, f"Values of `{name}`.", tuple(lines)))
        return constant, function

    def _value(self, name: str, text: str) -> str:
        """The function of a record or case; `text` is the dictionary that is made of `value`."""
        function = names.fresh(f"_{names.snake(name)}", self._taken)
        annotation = self._imports.use(".types", names.type_class(name))
        parameter = "value" if "value." in text else "_value"
        self.values.append(ValuePlan(function, parameter, annotation, text))
        return function

    def _case(self, case: model.UnionCase) -> tuple[str, str, str]:
        """(StructField, class, function) of a case."""
        inside, dictionary = self._numbered(case.fields)
        inner = f"StructType([{', '.join(inside)}])"
        if not inside:
            inner, dictionary = f"{self._use('BooleanType')}()", "True"
        shown = printing.literal(case.name)
        line = f'StructField({shown}, {inner}, True, {{"number": {case.number}}})'
        function = self._value(case.name, f"{{{shown}: {dictionary}}}")
        return line, self._imports.use(".types", names.type_class(case.name)), function

    def _choice(self, name: str, cases: Sequence[tuple[str, str]]) -> str:
        """The function of a union."""
        function = names.fresh(f"_{names.snake(name)}", self._taken)
        constant = names.fresh(f"{function.upper()}_CASES", self._taken)
        annotation = self._imports.use(".types", names.type_class(name))
        self._imports.use("collections.abc", "Callable")
        self._imports.use_all("typing", ["Any", "TypeAlias"])
        comment = f"The cases of `{name}`."
        self.values.append(ChoicePlan(function, annotation, constant, comment, tuple(cases)))
        return function

    def _numbered(self, fields: Sequence[model.Field]) -> tuple[list[str], str]:
        """The StructFields, and the text of the dictionary of a `value`."""
        lines = [self.field(field, f'{{"number": {field.number}}}') for field in fields]
        items = []
        for field in fields:
            changed = self.column(field.type).of(f"value.{names.field(field.name)}")
            items.append(f"{printing.literal(field.name)}: {changed.text}")
        return lines, f"{{{', '.join(items)}}}"

    def _codec(self, name: str) -> str:
        """The constant that encodes values of a type that contains itself."""
        if name not in self.codecs:
            annotation = self._imports.use(".types", names.type_class(name))
            if isinstance(self._schema.types[name], model.UnionType):
                codec = f"{self._imports.use('pillarbox.codec', 'TaggedCodec')}[{annotation}]"
            else:
                codec = self._imports.use("pillarbox.codec", "RecordCodec")
            constant = names.fresh(f"_{names.snake(name).upper()}_CODEC", self._taken)
            self.codecs[name] = constant, f"{codec}({annotation}, {printing.literal(name)})"
        return self.codecs[name][0]


# ------------------------------------------------------------------------------------------- changes


def _if_there(change: Change | None) -> Change | None:
    if change is None:
        return None
    return lambda value: Code(
        f"None if {value.text} is None else {change(value).at(Level.OR)}", Level.TERNARY
    )


def _of_each(inner: ColumnPlan, depth: int) -> Change | None:
    if inner.change is None:
        return None
    item = _numbered_name("item", depth)

    def changed(value: Code) -> Code:
        return Code(
            f"[{inner.of(item).text} for {item} in {value.text}] if {value.text} else ()", Level.TERNARY
        )

    return changed


def _of_pairs(keys: ColumnPlan, values: ColumnPlan, depth: int) -> Change | None:
    if keys.change is None and values.change is None:
        return None
    key, item = _numbered_name("key", depth), _numbered_name("item", depth)

    def changed(value: Code) -> Code:
        pair = f"({keys.of(key).text}, {values.of(item).text})"
        return Code(f"[{pair} for {key}, {item} in {value.text}] if {value.text} else ()", Level.TERNARY)

    return changed


def _numbered_name(name: str, depth: int) -> str:
    return name if depth == 1 else f"{name}_{depth}"
