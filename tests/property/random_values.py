"""Strategies for values of any checked type, as the generated classes of its schema.

Depends on: the checked schema, its generated package, hypothesis.  Never on: what is tested with them, or on
what any shipped schema is about.

Subclasses say what scalars are like: wide, to find the edges, or tiny, so that keys collide.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from hypothesis import strategies as st

from pillarbox.codec import Unknown
from pillarbox_codegen import model
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.structs import row_fields

#: Below so many values within values nothing more is there that may be absent.
DEEP: Final = 2


class RandomValues:
    """Strategies for one schema."""

    def __init__(self, schema: model.Schema) -> None:
        self.schema = schema
        self.types = self.module(".types")
        self._known: dict[tuple[str, int], st.SearchStrategy[Any]] = {}

    def module(self, name: str) -> Any:
        """A module of the generated package."""
        return import_module(f"pillarbox_{self.schema.name}{name}")

    def scalar(self, name: str) -> st.SearchStrategy[Any]:
        """Values of a scalar type."""
        raise NotImplementedError

    def packed(self, definition: model.PackedId) -> st.SearchStrategy[Any]:
        """Ids of several parts."""
        raise NotImplementedError

    def row(self, table: model.Table, depth: int = 0) -> st.SearchStrategy[Any]:
        """Rows of a table."""
        kind = getattr(self.types, names.row_class(table.name))
        return st.builds(kind, **self.fields(row_fields(table), depth))

    def struct(self, kind: Any, fields: Sequence[model.Field], depth: int = 0) -> st.SearchStrategy[Any]:
        """Values of a class with these fields."""
        return st.builds(kind, **self.fields(fields, depth))

    def value(self, type_: model.Type, depth: int = 0) -> st.SearchStrategy[Any]:
        """Values of a type; what is deep is mostly not there."""
        match type_:
            case model.Optional() if depth > DEEP:
                return st.none()
            case model.ListOf() | model.MapOf() if depth > DEEP:
                return st.just(())
            case model.Optional(item):
                absent = [st.none()] * (1 if depth == 0 else 3)
                return st.one_of(*absent, self.value(item, depth))
            case model.BagOf(item):
                return self._bag(item, depth)
            case model.ListOf(item):
                return st.lists(self.value(item, depth + 1), max_size=max(0, 2 - depth)).map(tuple)
            case model.MapOf(key, value):
                pairs = st.dictionaries(self.value(key, depth), self.value(value, depth + 1), max_size=2)
                return pairs.map(lambda found: tuple(sorted(found.items())))
            case model.RowOf(table):
                return self.row(self.schema.tables[table], depth)
            case model.Scalar(name):
                return self.scalar(name)
            case model.CaseOf(union, case):
                definition = self.schema.types[union]
                assert isinstance(definition, model.UnionType)
                return self._case(next(it for it in definition.cases if it.name == case), depth)
            case model.Named(name):
                found = self._known.get((name, depth))
                if found is None:  # types may be within themselves: one strategy for each depth
                    found = self._known[name, depth] = self._named(self.schema.types[name], depth)
                return found
        raise AssertionError(f"{type_} is not stored")

    def fields(self, fields: Sequence[model.Field], depth: int = 0) -> dict[str, st.SearchStrategy[Any]]:
        """Values of fields, by their names."""
        return {names.field(field.name): self.value(field.type, depth) for field in fields}

    def _named(self, definition: model.TypeDef, depth: int) -> st.SearchStrategy[Any]:
        match definition:
            case model.IdType(base=base):
                return self.scalar(base.name)
            case model.PackedId():
                return self.packed(definition)
            case model.EnumType(name):
                return st.sampled_from(list(getattr(self.types, names.type_class(name))))
            case model.FlagsType():
                return self.flags(definition)
            case model.RecordType(name, fields):
                return self.struct(getattr(self.types, names.type_class(name)), fields, depth + 1)
            case model.UnionType(cases=cases):
                return st.one_of([self._case(case, depth) for case in cases])
            case model.PatchType(name):
                return st.builds(getattr(self.types, names.type_class(name)))

    def flags(self, definition: model.FlagsType) -> st.SearchStrategy[Any]:
        """Flags, as numbers."""
        return self.scalar(definition.base.name)

    def _case(self, case: model.UnionCase, depth: int) -> st.SearchStrategy[Any]:
        return self.struct(getattr(self.types, names.type_class(case.name)), case.fields, depth + 1)

    def _bag(self, item: model.Type, depth: int) -> st.SearchStrategy[Any]:
        """Values of different cases, in the order of the cases' numbers."""
        values = st.lists(self.value(item, depth + 1), max_size=max(0, 2 - depth), unique_by=type)
        return values.map(lambda found: tuple(sorted(found, key=_tag)))


def _tag(case: Any) -> int:
    """The number of a union's case, one of a newer schema included."""
    found: int = case.tag if isinstance(case, Unknown) else case.__struct_config__.tag
    return found
