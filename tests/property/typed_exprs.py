"""Random expressions, typed as the schema's checker types them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from tests.property.expr_maker import Maker
from tests.property.expr_world import (
    BOOL,
    COLOUR,
    DOT,
    FLOAT,
    ID,
    INT,
    LEAF,
    LINE,
    MARKS,
    NAMES,
    PAIR,
    ROW,
    SPOT,
    TEXT,
)

from pillarbox_codegen import model
from pillarbox_codegen.model import ListOf, Optional, Type

WANTED: tuple[Type, ...] = (
    *(BOOL, BOOL, INT, TEXT, COLOUR, MARKS, ID, SPOT, LEAF),
    *(ListOf(INT), ListOf(TEXT), ListOf(MARKS)),
    *(Optional(type_) for type_ in (BOOL, INT, TEXT, COLOUR, LEAF, ROW, PAIR, DOT, LINE, ListOf(INT))),
    *(ListOf(type_) for type_ in (PAIR,)),
)


@st.composite
def exprs(draw: DrawFn, wanted: tuple[Type, ...] = WANTED, depth: int = 4) -> model.Expr:
    """An expression over `NAMES`, of one of these types."""
    return Maker(draw, NAMES).make(draw(st.sampled_from(wanted)), draw(st.integers(1, depth)))


@st.composite
def comparisons(draw: DrawFn) -> model.Expr:
    """A comparison of shallow expressions."""
    return Maker(draw, NAMES).comparison(draw(st.integers(0, 1)))


@st.composite
def containments(draw: DrawFn) -> model.Expr:
    """A question whether something is in a list."""
    return Maker(draw, NAMES).contained(draw(st.integers(0, 1)))


@st.composite
def coalesced(draw: DrawFn) -> model.Expr:
    """A value with another for the case that it is absent."""
    return Maker(draw, NAMES).coalesced(draw(st.sampled_from([INT, TEXT, FLOAT])), draw(st.integers(0, 1)))


@st.composite
def nears(draw: DrawFn) -> model.Expr:
    """A row under a prefix."""
    return Maker(draw, NAMES).near(Optional(PAIR), 0)


@st.composite
def measures(draw: DrawFn) -> model.Expr:
    """Ends of spans over a list."""
    return Maker(draw, NAMES).measured(ListOf(INT), 0)
