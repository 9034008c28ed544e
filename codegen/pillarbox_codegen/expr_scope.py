"""Names in scope, and what conditions prove about them.

Depends on: model, type_rules.  Never on: syntax.

Law: a path is taken as present only below a condition that is false when it is absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from pillarbox_codegen.model import Binary, Call, CaseOf, Expr, Is, Local, Named, Path, Type, Unary
from pillarbox_codegen.type_rules import present

Kind: TypeAlias = Literal["param", "field", "local", "part", "row"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may name.

    `proven` holds the paths (`old`, `old.state`) known to be present, `narrowed` those of a union known to be
    of one case. `no_lookups` says why tables cannot be read here; none where they can. `lost` are names
    whose own declaration has a finding.
    """

    names: Mapping[str, Local]
    proven: frozenset[str] = frozenset()
    narrowed: Mapping[str, CaseOf] = field(default_factory=dict)
    no_lookups: str | None = None
    #: The tables whose rows can be looked up all the same.
    lookups: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    #: Whether a step asks, who has the tables of a transaction.
    is_step: bool = False

    def bind(self, name: str, kind: Kind, type: Type) -> Scope:
        kept = frozenset(path for path in self.proven if path.split(".")[0] != name)
        cases = {path: case for path, case in self.narrowed.items() if path.split(".")[0] != name}
        return replace(self, names={**self.names, name: Local(name, kind, type)}, proven=kept, narrowed=cases)

    def lose(self, names: Iterable[str]) -> Scope:
        """The scope after a declaration that failed: what uses these names fails without a finding."""
        return replace(self, lost=self.lost | (frozenset(names) - frozenset(self.names)))

    def assume(self, condition: Expr | None, truth: bool = True) -> Scope:
        """The scope where `condition` was true (or false)."""
        if condition is None:
            return self
        return replace(
            self,
            proven=self.proven | proven_by(condition, truth),
            narrowed={**self.narrowed, **narrowed_by(condition, truth)},
        )


def proven_by(condition: Expr, truth: bool) -> frozenset[str]:
    """The paths that are present whenever `condition` is `truth`."""
    match condition:
        case Is(of=of, what="present" | "case"):
            return _prefixes(of) if truth else frozenset()
        case Is(of=of, what="none"):
            return frozenset() if truth else _prefixes(of)
        case Unary(op="not", operand=operand):
            return proven_by(operand, not truth)
        case Binary(op="and" | "or" as op, left=left, right=right):
            both = (op == "and") == truth
            one, other = proven_by(left, truth), proven_by(right, truth)
            return one | other if both else one & other
        case _:
            return frozenset()


def narrowed_by(condition: Expr, truth: bool) -> dict[str, CaseOf]:
    """The paths that are of one case of their union whenever `condition` is `truth`."""
    match condition:
        case Is(of=of, what="case", case=str(case)) if truth:
            path, union = path_of(of), present(of.type)
            return {path: CaseOf(union.name, case)} if path and isinstance(union, Named) else {}
        case Unary(op="not", operand=operand):
            return narrowed_by(operand, not truth)
        case Binary(op="and" | "or" as op, left=left, right=right):
            one, other = narrowed_by(left, truth), narrowed_by(right, truth)
            if (op == "and") == truth:
                return {**one, **other}
            return {path: case for path, case in one.items() if other.get(path) == case}
        case _:
            return {}


def path_of(expr: Expr) -> str | None:
    """`a.b.c` of a plain path, or none for anything else."""
    match expr:
        case Local(name=name):
            return name
        case Path(of=of, field=name, mapped=False):
            start = path_of(of)
            return None if start is None else f"{start}.{name}"
        case Call(function="case", arguments=(of,), type=CaseOf()):  # the same value, told more of
            return path_of(of)
        case _:
            return None


def _prefixes(expr: Expr) -> frozenset[str]:
    path = path_of(expr)
    if path is None:
        return frozenset()
    words = path.split(".")
    return frozenset(".".join(words[: end + 1]) for end in range(len(words)))
