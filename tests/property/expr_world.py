"""A small world for random expressions: a schema with a bit of everything, names in scope, their values."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from tests.unit.codegen.builders import field, part, schema, table
from tests.unit.codegen.loading import key_modules, loaded

from pillarbox_codegen import model
from pillarbox_codegen.generate import frame_of
from pillarbox_codegen.model import BagOf, CaseOf, ListOf, Local, Named, Optional, RowOf, Scalar, Type
from pillarbox_codegen.plan import facets
from pillarbox_codegen.plan.structs import row_fields

BOOL, INT, TEXT, FLOAT = Scalar("bool"), Scalar("int64"), Scalar("text"), Scalar("float64")
ID, LOGIN, COLOUR, MARKS, SPOT = Named("Id"), Named("Login"), Named("Colour"), Named("Marks"), Named("Spot")
LEAF, TREE, SHAPE = Named("Leaf"), Named("Tree"), Named("Shape")
DOT, LINE = CaseOf("Shape", "Dot"), CaseOf("Shape", "Line")
ROW, PAIR = RowOf("things"), RowOf("pairs")
BAG = BagOf(SHAPE)

SCHEMA = schema(
    "world",
    types=(
        model.IdType("Id", INT),
        model.IdType("Login", TEXT),
        model.EnumType("Colour", Scalar("uint8"), (("red", 0), ("green", 1), ("blue", 5))),
        model.FlagsType("Marks", Scalar("uint8"), (("a", 0), ("b", 1), ("c", 5))),
        model.PackedId(
            "Spot",
            (
                model.PackedPart("colour", COLOUR, 7, 56, signed=False),
                model.PackedPart("n", INT, 56, 0, signed=True),
            ),
        ),
        model.RecordType("Leaf", (field(1, "n", INT), field(2, "far", Optional(TEXT)))),
        model.RecordType(
            "Tree",
            (
                field(1, "n", INT),
                field(2, "text", TEXT),
                field(3, "maybe", Optional(INT)),
                field(4, "leaf", Optional(LEAF)),
                field(5, "marks", MARKS),
                field(6, "spot", SPOT),
                field(7, "kind", Optional(COLOUR)),
                field(8, "leaves", ListOf(LEAF)),
                field(9, "on", BOOL),
            ),
        ),
        model.UnionType(
            "Shape",
            (
                model.UnionCase(1, "Dot", (field(1, "n", INT),)),
                model.UnionCase(2, "Line", (field(1, "n", INT), field(2, "end", Optional(INT)))),
            ),
            facets=(
                model.Facet("size", INT, (("Dot", Local("n", "field", INT)),)),
                model.Facet("far", Optional(INT), (("Line", Local("end", "field", Optional(INT))),)),
            ),
        ),
    ),
    tables=(
        table(
            "things",
            1,
            [part("id", ID)],
            [
                field(1, "n", INT),
                field(2, "name", Optional(TEXT)),
                field(3, "colour", COLOUR),
                field(4, "tree", Optional(TREE)),
                field(5, "on", Optional(BOOL)),
                field(6, "tags", ListOf(INT)),
                field(7, "shape", SHAPE),
            ],
        ),
        table("pairs", 2, [part("id", ID), part("n", INT)], [field(1, "other", Optional(ID))]),
    ),
)

_SINGLE: tuple[Type, ...] = (BOOL, INT, TEXT, FLOAT, ID, LOGIN, COLOUR, MARKS, SPOT, LEAF, TREE, SHAPE, ROW)
_LISTED: tuple[Type, ...] = (INT, TEXT, BOOL, COLOUR, LEAF, TREE, ROW, SHAPE, Optional(INT), Optional(LEAF))


def _named(type_: Type) -> str:
    match type_:
        case Scalar(name) | Named(name) | RowOf(name):
            return f"a_{name.lower()}"
        case Optional(item):
            return _named(item).replace("a_", "maybe_", 1)
        case BagOf():
            return "a_bag"
        case ListOf(item):
            return f"list_of_{_named(item)}"
    raise TypeError(type_)


#: Name -> type of everything in scope: each single type, present and maybe not, and lists.
NAMES: dict[str, Type] = {
    _named(type_): type_
    for type_ in (
        *_SINGLE,
        *(Optional(type_) for type_ in _SINGLE),
        *(ListOf(type_) for type_ in _LISTED),
        *(Optional(ListOf(type_)) for type_ in (INT, LEAF, TREE)),
        BAG,
        Optional(BAG),
    )
}


def fields_of(type_: Type) -> dict[str, Type]:
    """Field -> type of what has fields."""
    match type_:
        case RowOf(name):
            return {one.name: one.type for one in row_fields(SCHEMA.tables[name])}
        case CaseOf(_, name):
            union = SCHEMA.types["Shape"]
            assert isinstance(union, model.UnionType)
            return next({f.name: f.type for f in case.fields} for case in union.cases if case.name == name)
        case Named(name):
            definition = SCHEMA.types[name]
            if isinstance(definition, model.RecordType):
                return {one.name: one.type for one in definition.fields}
            if isinstance(definition, model.PackedId):
                return {one.name: one.type for one in definition.parts}
            if isinstance(definition, model.UnionType):
                found: dict[str, Type] = {one.name: one.type for one in definition.facets}
                return {**found, "dot": Optional(DOT), "line": Optional(LINE)}
    return {}


@cache
def classes() -> SimpleNamespace:
    """The generated classes and functions of the types."""
    texts = key_modules(SCHEMA) | facets.outputs(SCHEMA, frame_of(SCHEMA))
    with loaded(SCHEMA, texts) as modules:
        found = {**vars(modules.keys), **vars(modules.types), **vars(modules.facets)}
        return SimpleNamespace(**{name: one for name, one in found.items() if not name.startswith("_")})


def values(type_: Type) -> SearchStrategy[Any]:
    """Values of a type; few of each, so that some are equal."""
    made = classes()
    match type_:
        case Optional(item):
            return st.none() | values(item)
        case BagOf():
            both = st.tuples(st.none() | values(DOT), st.none() | values(LINE))
            return both.map(lambda cases: tuple(case for case in cases if case is not None))
        case ListOf(item):
            return st.lists(values(item), max_size=3).map(tuple)
        case Scalar("bool"):
            return st.booleans()
        case Scalar("text") | Named("Login"):
            return st.sampled_from(["", "a", "b"])
        case Scalar("float64"):
            return st.sampled_from([0.0, -0.0, -1.5, 2.0, float("nan")])
        case Named("Colour"):
            return st.sampled_from(list(made.Colour))
        case Named("Marks"):
            return st.sampled_from([0, 1, 2, 32, 33, 35])
        case Named("Spot"):
            return st.builds(made.spot, values(COLOUR), st.integers(-2, 2))
        case Named("Id"):
            return st.integers(-2, 2)
        case Named("Shape"):
            return values(DOT) | values(LINE)
        case Named(name) | model.CaseOf(_, name):
            return _structs(getattr(made, name), type_)
        case RowOf(name):
            return _structs(getattr(made, name.capitalize()), type_)
        case _:
            return st.integers(-2, 2)


def _structs(made: Any, type_: Type) -> SearchStrategy[Any]:
    fields = st.fixed_dictionaries({name: values(one) for name, one in fields_of(type_).items()})
    return fields.map(lambda given: made(**given))
