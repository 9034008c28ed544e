"""Makes random expressions of a type, typed as the schema's checker types them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from tests.property.expr_leaves import Leaves, Made
from tests.property.expr_world import (
    BAG,
    BOOL,
    COLOUR,
    DOT,
    FLOAT,
    ID,
    INT,
    LEAF,
    LINE,
    LOGIN,
    MARKS,
    PAIR,
    ROW,
    SHAPE,
    SPOT,
    TEXT,
    TREE,
    fields_of,
)

from pillarbox_codegen import model
from pillarbox_codegen.expr_copies import ITEM
from pillarbox_codegen.model import BagOf, ListOf, Local, Optional, Path, Type
from pillarbox_codegen.type_rules import present

_OWNERS: tuple[Type, ...] = (ROW, PAIR, TREE, LEAF, SPOT, DOT, LINE, SHAPE)
_COMPARED: tuple[Type, ...] = (BOOL, INT, TEXT, FLOAT, ID, LOGIN, COLOUR, MARKS, SPOT, LEAF, ListOf(INT))
_ORDERED: tuple[Type, ...] = (INT, TEXT, FLOAT, ID, LOGIN, COLOUR, SPOT)
_MAYBE: tuple[Type, ...] = (BOOL, INT, TEXT, COLOUR, MARKS, LEAF, TREE, SHAPE, ROW)
_LISTS: tuple[Type, ...] = (INT, TEXT, COLOUR, BOOL, Optional(INT), TREE)
#: Types of which there is a value without any name in scope.
_ATOMS: tuple[Type, ...] = (BOOL, INT, TEXT, FLOAT, ID, LOGIN, COLOUR, MARKS)


class Maker(Leaves):
    """Makes expressions of a type."""

    def make(self, want: Type, depth: int) -> model.Expr:
        ways: list[Made] = [
            self._way(self._local, name) for name, type_ in self.names.items() if type_ == want
        ]
        ways += [self._way(self._of_case, name) for name, case in self.narrowed.items() if case == want]
        if want in _ATOMS:
            ways.append(lambda: self._constant(want))
        if isinstance(want, Optional):
            ways.append(lambda: self.make(want.item, depth))
        if depth > 0:
            deeper = depth - 1
            ways += self._paths(want, deeper)
            ways += self._operations(want, deeper)
            ways.append(lambda: self._if(want, deeper))
            if not isinstance(want, ListOf):
                ways.append(lambda: self.coalesced(want, deeper))
        elif not ways:
            ways = (
                [lambda: model.Tuple_((), want)] if isinstance(want, ListOf) else [lambda: self._atom(want)]
            )
        return self._one_of(ways)

    # ---------------------------------------------------------------------------------------- paths

    def _paths(self, want: Type, depth: int) -> list[Made]:
        found: list[Made] = []
        for owner in _OWNERS:
            for name, type_ in fields_of(owner).items():
                found += self._paths_through(owner, name, type_, want, depth)
        for name, case in (("dot", DOT), ("line", LINE)):
            if want == Optional(case):
                found.append(self._in_bag(name, want, depth))
        if want == ListOf(INT):
            found.append(lambda: Path(self.make(BAG, depth), self._pick("size", "far"), want, mapped=True))
            found.append(lambda: self.measured(want, depth))
        return found

    def _in_bag(self, name: str, want: Type, depth: int) -> Made:
        return self._seen(
            lambda: Path(self.make(self._pick(BAG, Optional(BAG)), depth), name, want, lifted=True)
        )

    def measured(self, want: Type, depth: int) -> model.Expr:
        """An end, or a part of the group, of each span over a list."""
        n, maybe = Local("n", "field", INT), Local("maybe", "field", Optional(INT))
        leaf = Path(Local("leaf", "field", Optional(LEAF)), "n", Optional(INT), lifted=True)
        less = model.Binary("-", n, model.Literal_(1, INT), INT)
        by = (("spot", Local("spot", "field", SPOT)), ("n", self._pick(n, less)))
        of = self._pick(n, maybe, leaf, model.Binary("//", maybe, n, INT))
        span = model.SpanOf((("spot", SPOT), ("n", INT)), INT)
        spans = model.Spans(self.make(ListOf(TREE), depth), by, of, ListOf(span))
        return Path(spans, self._pick("least", "greatest", "n"), want, mapped=True)

    def _paths_through(self, owner: Type, name: str, type_: Type, want: Type, depth: int) -> list[Made]:
        inner = type_.item if isinstance(type_, Optional) else type_
        found: list[Made] = []
        if type_ == want:
            found.append(lambda: Path(self.make(owner, depth), name, want))
        if isinstance(want, Optional) and inner == want.item:
            found.append(lambda: Path(self.make(Optional(owner), depth), name, want, lifted=True))
        if (
            want == ListOf(inner)
            and not isinstance(inner, ListOf)
            and owner in (TREE, LEAF, ROW, SPOT, SHAPE)
        ):
            items = self._pick_item(owner)
            found.append(lambda: Path(self.make(ListOf(items), depth), name, want, mapped=True))
        if want == Optional(ListOf(inner)) and owner in (TREE, LEAF):
            of = Optional(ListOf(owner))
            found.append(lambda: Path(self.make(of, depth), name, want, lifted=True, mapped=True))
        return [self._seen(way) for way in found]

    def _pick_item(self, owner: Type) -> Type:
        return Optional(LEAF) if owner == LEAF and self.draw(st.booleans()) else owner

    @staticmethod
    def _seen(way: Made) -> Made:
        """A path through an optional whose value cannot be absent is not lifted, as the checker sees it."""

        def made() -> model.Expr:
            path = way()
            assert isinstance(path, Path)
            if path.lifted and not isinstance(path.of.type, Optional):
                declared = fields_of(path.of.type.item if isinstance(path.of.type, ListOf) else path.of.type)
                type_ = declared[path.field]
                if path.mapped:
                    type_ = ListOf(type_.item if isinstance(type_, Optional) else type_)
                return replace(path, lifted=False, type=type_)
            return path

        return made

    # ----------------------------------------------------------------------------------- operations

    def _if(self, want: Type, depth: int) -> model.Expr:
        condition, yes, no = self._proving(depth)
        then, otherwise = yes.make(want, depth), no.make(want, depth)
        return model.If(condition, then, otherwise, _common(then.type, otherwise.type, want))

    def _proving(self, depth: int) -> tuple[model.Expr, Maker, Maker]:
        """A condition, and what may be said where it holds and where it does not."""
        if not self.draw(st.booleans()):
            return self.make(BOOL, depth), self, self
        shapes = [name for name, type_ in self.names.items() if type_ in (SHAPE, Optional(SHAPE))]
        if shapes and self._pick(0, 1, 2) == 0:
            return self._narrowing(self._pick(*shapes))
        maybe = [name for name, type_ in self.names.items() if isinstance(type_, Optional)]
        if not maybe:
            return self.make(BOOL, depth), self, self
        name = self._pick(*maybe)
        type_ = self.names[name]
        assert isinstance(type_, Optional)
        known = replace(self, names={**self.names, name: type_.item})
        local = Local(name, "param", type_)
        if self.draw(st.booleans()):
            return model.Is(local, "present", None, BOOL), known, self
        return model.Is(local, "none", None, BOOL), self, known

    def _narrowing(self, name: str) -> tuple[model.Expr, Maker, Maker]:
        """A condition that a union is of a case."""
        case = self._pick(DOT, LINE)
        condition = model.Is(self._local(name), "case", case.case, BOOL)
        names = {**self.names, name: SHAPE}
        return condition, replace(self, names=names, narrowed={**self.narrowed, name: case}), self

    def coalesced(self, want: Type, depth: int) -> model.Expr:
        item = want.item if isinstance(want, Optional) else want
        left, right = self.make(Optional(item), depth), self.make(want, depth)
        if not isinstance(left.type, Optional | model.NoneType):
            return left
        return model.Binary("//", left, right, right.type if isinstance(left.type, model.NoneType) else want)

    def _operations(self, want: Type, depth: int) -> list[Made]:
        found: list[Made] = []
        if want == INT:
            found += [
                lambda: model.Binary(self._pick("+", "-"), self.make(INT, depth), self.make(INT, depth), INT),
                lambda: self._product(depth),
                lambda: self._parted(depth),
                lambda: model.Unary("-", self.make(INT, depth), INT),
                lambda: model.Call("size", (self.make(self._pick(TEXT, *map(ListOf, _LISTS)), depth),), INT),
            ]
        if want == ID:
            found.append(lambda: model.Call("number", (self.make(INT, depth),), ID, ("Id",)))
        if want in _ORDERED and want != FLOAT:
            found.append(lambda: self._extreme(want, depth))
        if want == BOOL:
            found += self._conditions(depth)
        if want == TEXT:
            found.append(lambda: model.Call("concat", self._several(TEXT, depth), TEXT))
            found.append(lambda: model.Call("concat", (self.make(ListOf(TEXT), depth),), TEXT))
        if want == MARKS:
            found.append(lambda: self._flags(depth))
            found.append(
                lambda: model.Binary(
                    self._pick("+", "-"), self.make(MARKS, depth), self.make(MARKS, depth), MARKS
                )
            )
        if isinstance(want, BagOf):
            found.append(lambda: model.Tuple_(self._several(DOT, depth)[:1], want))
        elif isinstance(want, ListOf):
            found += self._list_operations(want, depth)
        if isinstance(want, Optional):
            found += self._maybe_operations(want, depth)
        if want in (LEAF, SPOT, PAIR):
            found.append(lambda: model.Make(want, self._fields(want, depth), want))
        if want in (LEAF, PAIR):
            found.append(lambda: self._changed(want, depth))
        return found

    def _fields(self, of: Type, depth: int) -> tuple[tuple[str, model.Expr], ...]:
        return tuple((name, self.make(type_, depth)) for name, type_ in fields_of(of).items())

    def _several(self, of: Type, depth: int, least: int = 1) -> tuple[model.Expr, ...]:
        return tuple(self.make(of, depth) for _ in range(self.draw(st.integers(least, 3))))

    def _product(self, depth: int) -> model.Expr:
        of, times = self.make(INT, depth), model.Literal_(self._pick(-2, 0, 1, 3, 1_000), INT)
        if self.draw(st.booleans()):
            return model.Binary("*", of, times, INT)
        return model.Binary("*", times, of, INT)

    def _parted(self, depth: int) -> model.Expr:
        by = model.Literal_(self._pick(1, 2, 7, 1_000), INT)
        return model.Call(self._pick("div", "mod"), (self.make(INT, depth), by), INT)

    def _extreme(self, want: Type, depth: int) -> model.Expr:
        return model.Call(self._pick("min", "max"), self._several(want, depth, least=2), want)

    def _flags(self, depth: int) -> model.Expr:
        names = self.draw(st.lists(st.sampled_from("abc"), unique=True, max_size=3))
        return model.Call("flags", tuple(self.make(BOOL, depth) for _ in names), MARKS, tuple(names))

    def _changed(self, want: Type, depth: int) -> model.Expr:
        fields = self.draw(st.lists(st.sampled_from(self._fields(want, depth)), min_size=1, unique=True))
        values = tuple(value for _, value in fields)
        return model.Call(
            "changed", (self.make(want, depth), *values), want, tuple(name for name, _ in fields)
        )

    def _chosen(self, want: ListOf, depth: int) -> model.Expr:
        """Items of a list by one of their fields."""
        names = [name for name, type_ in fields_of(want.item).items() if present(type_) in _COMPARED]
        name = self._pick(*names)
        type_ = fields_of(want.item)[name]
        field_ = Path(Local(ITEM, "local", want.item), name, type_)
        condition = model.Binary("==", field_, self.make(Optional(present(type_)), depth), BOOL)
        return model.Call(self._pick("having", "without"), (self.make(want, depth), condition), want)

    def _list_operations(self, want: ListOf, depth: int) -> list[Made]:
        found: list[Made] = [
            lambda: model.Tuple_(self._several(want.item, depth), want),
            lambda: model.Binary(self._pick("+", "-"), self.make(want, depth), self.make(want, depth), want),
            lambda: model.Call("join", self._several(want, depth), want),
        ]
        if want == ListOf(TEXT):
            found.append(lambda: model.Call("tokens", (self.make(TEXT, depth),), want))
        if want.item in (LEAF, PAIR, TREE):
            found.append(lambda: self._chosen(want, depth))
        if want == ListOf(PAIR):
            found.append(lambda: model.Scan("pairs", (self.make(ID, depth),), want))
        if want == ListOf(MARKS):
            found.append(lambda: model.Call("bits", (self.make(MARKS, depth),), want))
        return found

    def _maybe_operations(self, want: Optional, depth: int) -> list[Made]:
        found: list[Made] = []
        if want.item in _LISTS:
            of = self._pick(ListOf(want.item), ListOf(want)) if want.item == INT else ListOf(want.item)
            found.append(lambda: model.Call(self._pick("first", "last"), (self.make(of, depth),), want))
        if want.item in (DOT, LINE):
            assert isinstance(want.item, model.CaseOf)
            name = want.item.case
            found.append(
                lambda: model.Call(
                    "case", (self.make(self._pick(SHAPE, Optional(SHAPE)), depth),), want, (name,)
                )
            )
        if want.item == ROW:
            found.append(lambda: model.Lookup("things", (self.make(Optional(ID), depth),), want))
        if want.item == PAIR:
            found.append(lambda: self.near(want, depth))
            found.append(
                lambda: model.Lookup(
                    "pairs", (self.make(Optional(ID), depth), self.make(Optional(INT), depth)), want
                )
            )
        return found

    def near(self, want: Type, depth: int) -> model.Expr:
        """One of the rows under a prefix."""
        end = self._pick("first", "last", "floor", "ceiling")
        at = (self.make(INT, depth),) if end in ("floor", "ceiling") else ()
        return model.Scan("pairs", (self.make(ID, depth),), want, end, at)

    # ----------------------------------------------------------------------------------- conditions

    def _conditions(self, depth: int) -> list[Made]:
        return [
            lambda: model.Unary("not", self.make(BOOL, depth), BOOL),
            lambda: self._joined(depth),
            lambda: self.comparison(depth),
            lambda: self.comparison(depth),
            lambda: self.contained(depth),
            lambda: self._is(depth),
            lambda: self._case(depth),
            lambda: self._has(depth),
            lambda: model.Call("any", (self.make(ListOf(BOOL), depth),), BOOL),
        ]

    def _joined(self, depth: int) -> model.Expr:
        condition, yes, no = self._proving(depth)
        if self.draw(st.booleans()):
            return model.Binary("and", condition, yes.make(BOOL, depth), BOOL)
        return model.Binary("or", condition, no.make(BOOL, depth), BOOL)

    def comparison(self, depth: int) -> model.Expr:
        if self.draw(st.booleans()):
            op, of = self._pick("==", "!="), self._pick(*_COMPARED)
        else:
            op, of = self._pick("<", "<=", ">", ">="), self._pick(*_ORDERED)
        one, other = (self.make(self._pick(of, Optional(of)), depth) for _ in range(2))
        if model.NoneType() in (one.type, other.type):
            return model.Literal_(False, BOOL)
        return model.Binary(op, one, other, BOOL)

    def contained(self, depth: int) -> model.Expr:
        item = self._pick(INT, TEXT, COLOUR)
        left = self.make(self._pick(item, Optional(item)), depth)
        right = self.make(
            self._pick(ListOf(item), ListOf(Optional(item)) if item == INT else ListOf(item)), depth
        )
        constant = model.Constant("list", ("red", "blue"), ListOf(COLOUR))
        if left.type == model.NoneType():
            return model.Literal_(True, BOOL)
        return model.Binary("in", left, self._pick(right, constant) if item == COLOUR else right, BOOL)

    def _is(self, depth: int) -> model.Expr:
        of = self.make(Optional(self._pick(*_MAYBE)), depth)
        if not isinstance(of.type, Optional):
            return model.Literal_(True, BOOL)
        return model.Is(of, self._pick("present", "none"), None, BOOL)

    def _has(self, depth: int) -> model.Expr:
        bit, name = self._pick((0, "a"), (1, "b"), (5, "c"))
        return model.Has(self.make(self._pick(MARKS, Optional(MARKS)), depth), bit, name, BOOL)

    def _case(self, depth: int) -> model.Expr:
        return model.Is(
            self.make(self._pick(SHAPE, Optional(SHAPE)), depth), "case", self._pick("Dot", "Line"), BOOL
        )


def _common(one: Type, other: Type, want: Type) -> Type:
    """The type of a choice: absent only if a branch may be."""
    if isinstance(want, Optional) and one == other == want.item:
        return want.item
    if one == other == model.NoneType():
        return one
    return want
