"""What random expressions are made of: names in scope and constants, and how one is drawn of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from tests.property.expr_world import BOOL, COLOUR, INT, LOGIN, MARKS, TEXT, fields_of

from pillarbox_codegen import model
from pillarbox_codegen.model import CaseOf, Local, Optional, Type

Made = Callable[[], model.Expr]


@dataclass(frozen=True)
class Leaves:
    """Draws leaves. `names` are in scope; one that is proven to be there is not optional."""

    draw: DrawFn
    names: Mapping[str, Type]
    #: Names of unions that are of one case.
    narrowed: Mapping[str, CaseOf] = field(default_factory=dict)

    def make(self, want: Type, depth: int) -> model.Expr:
        """An expression of this type, so many operations deep at most."""
        raise NotImplementedError

    def _one_of(self, ways: list[Made]) -> model.Expr:
        way: Made = self.draw(st.sampled_from(ways))
        return way()

    @staticmethod
    def _way(function: Callable[[str], model.Expr], name: str) -> Made:
        return lambda: function(name)

    def _pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def _local(self, name: str) -> model.Expr:
        return Local(name, "param", self.names[name])

    def _of_case(self, name: str) -> model.Expr:
        case = self.narrowed[name]
        return model.Call("case", (self._local(name),), case, (case.case,))

    def _atom(self, want: Type) -> model.Expr:
        if want == model.NoneType() or isinstance(want, Optional):
            return model.Literal_(None, model.NoneType())
        return model.Make(want, tuple((n, self.make(t, 0)) for n, t in fields_of(want).items()), want)

    def _constant(self, want: Type) -> model.Expr:
        if want == COLOUR:
            return model.EnumValue("Colour", self._pick("red", "green", "blue"), COLOUR)
        if want == MARKS:
            return model.EnumValue("Marks", self._pick("a", "b", "c"), MARKS)
        if want == BOOL:
            return model.Literal_(self._pick(False, True), BOOL)
        if want in (TEXT, LOGIN):
            return model.Literal_(self._pick("", "a", 'it\'s "quoted"'), want)
        value = self._pick(0, 1, 2) if want != INT else self._pick(-1, 0, 1, 2)
        return model.Constant("k", value, want) if self._pick(0, 1, 2) == 2 else model.Literal_(value, want)
