"""Values of any checked type, and operations of any schema, out of tiny domains so that they collide.

Depends on: the checked schema, its generated package, hypothesis.  Never on: what is tested with them, or on
what any shipped schema is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st

from pillarbox.box import Package
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.plan import names

SCHEMAS: Final = Path(__file__).parents[2] / "schema"

_SCALARS: Final[dict[str, st.SearchStrategy[Any]]] = {
    "bool": st.booleans(),
    "float64": st.sampled_from((0.0, -1.5, 2.0)),
    "text": st.sampled_from(("", "a", "b", "Zoë a")),
    "bytes": st.sampled_from((b"", b"\0", b"a\xff")),
}
_NUMBERS: Final = st.integers(0, 3)


class RandomStore:
    """Strategies for one schema and its generated package."""

    def __init__(self, schema: model.Schema) -> None:
        self.schema = schema
        self.package: Package[Any, Any] = self._module("").PACKAGE
        self._types = self._module(".types")
        self._made: dict[model.Type, st.SearchStrategy[Any]] = {}

    def _module(self, name: str) -> Any:
        return import_module(f"pillarbox_{self.schema.name}{name}")

    # --------------------------------------------------------------------------------- operations

    def operation(self) -> st.SearchStrategy[Any]:
        """Any operation with any arguments that its types allow."""
        module = self._module(".operations")
        return st.one_of(
            [
                self._struct(getattr(module, names.class_name(operation.name)), operation.params)
                for operation in self.schema.operations.values()
            ]
        )

    def operations(self, most: int) -> st.SearchStrategy[list[Any]]:
        """What one transaction does."""
        return st.lists(self.operation(), min_size=1, max_size=most)

    def view_keys(self) -> st.SearchStrategy[Any]:
        """The key of any view."""
        module = self._module(".views")
        return st.one_of(
            [
                self._struct(getattr(module, names.class_name(view.name)), view.key)
                for view in self.schema.views.values()
            ]
        )

    def encode_operation(self, operation: Any) -> bytes:
        """The bytes of an operation."""
        data: bytes = self._module(".operations").encode_operation(operation)
        return data

    def decode_operation(self, data: bytes) -> Any:
        """The operation of these bytes."""
        return self._module(".operations").decode_operation(data)

    # ------------------------------------------------------------------------------------- values

    def value(self, type_: model.Type) -> st.SearchStrategy[Any]:
        """A value of a type; types may hold themselves."""
        if type_ not in self._made:
            self._made[type_] = st.deferred(lambda: self._value(type_))
        return self._made[type_]

    def _value(self, type_: model.Type) -> st.SearchStrategy[Any]:
        match type_:
            case model.Scalar(name):
                return _SCALARS.get(name, _NUMBERS)
            case model.Optional(item):
                return st.none() | self.value(item)
            case model.BagOf(item):
                return self._bag(item)
            case model.ListOf(item):
                return st.lists(self.value(item), max_size=2).map(tuple)
            case model.MapOf(key, value):
                pairs = st.dictionaries(self.value(key), self.value(value), max_size=2)
                return pairs.map(lambda found: tuple(sorted(found.items())))
            case model.RowOf(table):
                return self._row(self.schema.tables[table])
            case model.CaseOf(union, case):
                definition = self.schema.types[union]
                assert isinstance(definition, model.UnionType)
                return self._case(next(it for it in definition.cases if it.name == case))
            case model.Named(name):
                return self._named(self.schema.types[name])
        raise TypeError(f"{type_} has no values")

    def _named(self, definition: model.TypeDef) -> st.SearchStrategy[Any]:
        match definition:
            case model.IdType(base=base):
                return self.value(base)
            case model.PackedId(name, parts):
                pack = getattr(self._types, names.pack_function(name))
                return st.builds(pack, *(self.value(part.type) for part in parts))
            case model.EnumType(name):
                return st.sampled_from(list(getattr(self._types, names.type_class(name))))
            case model.FlagsType(bits=bits):
                few = st.sets(st.sampled_from([1 << bit for _, bit in bits]), max_size=2)
                return few.map(sum)
            case model.RecordType(name, fields):
                return self._struct(getattr(self._types, names.type_class(name)), fields)
            case model.UnionType(cases=cases):
                return st.one_of([self._case(case) for case in cases])
            case model.PatchType(name):
                return st.builds(getattr(self._types, names.type_class(name)))

    def _bag(self, item: model.Type) -> st.SearchStrategy[Any]:
        """Values of different cases, in the order of the cases' numbers."""
        values = st.lists(self.value(item), max_size=2, unique_by=type)
        return values.map(lambda found: tuple(sorted(found, key=lambda one: one.__struct_config__.tag)))

    def _case(self, case: model.UnionCase) -> st.SearchStrategy[Any]:
        return self._struct(getattr(self._types, names.type_class(case.name)), case.fields)

    def _row(self, table: model.Table) -> st.SearchStrategy[Any]:
        key = {names.field(part.name): self.value(part.type) for part in table.key}
        row = getattr(self._types, names.class_name(table.name))
        return st.builds(row, **key, **self._fields(table.fields))

    def _struct(self, kind: Any, fields: Sequence[model.Field]) -> st.SearchStrategy[Any]:
        return st.builds(kind, **self._fields(fields))

    def _fields(self, fields: Sequence[model.Field]) -> dict[str, st.SearchStrategy[Any]]:
        return {names.field(field.name): self.value(field.type) for field in fields}


@cache
def random_store(name: str) -> RandomStore:
    """The strategies of a shipped schema."""
    return RandomStore(load_schema(SCHEMAS / name))
