"""Names in scope, and what conditions prove about them.

Depends on: model.  Never on: syntax.

Law: a path is taken as present only below a condition that is false when it is absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from pillarbox_codegen.model import Binary, Expr, Is, Local, Path, Type, Unary

Kind: TypeAlias = Literal["param", "field", "local", "part", "row"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may name.

    `proven` holds the paths (`old`, `old.state`) known to be present. `no_lookups` says why tables cannot be
    read here; none where they can. `lost` are names whose own declaration has a finding.
    """

    names: Mapping[str, Local]
    proven: frozenset[str] = frozenset()
    no_lookups: str | None = None
    lost: frozenset[str] = frozenset()

    def bind(self, name: str, kind: Kind, type: Type) -> Scope:
        kept = frozenset(path for path in self.proven if path.split(".")[0] != name)
        return replace(self, names={**self.names, name: Local(name, kind, type)}, proven=kept)

    def lose(self, names: Iterable[str]) -> Scope:
        """The scope after a declaration that failed: what uses these names fails without a finding."""
        return replace(self, lost=self.lost | (frozenset(names) - frozenset(self.names)))

    def assume(self, condition: Expr | None, truth: bool = True) -> Scope:
        """The scope where `condition` was true (or false)."""
        if condition is None:
            return self
        return replace(self, proven=self.proven | proven_by(condition, truth))


def proven_by(condition: Expr, truth: bool) -> frozenset[str]:
    """The paths that are present whenever `condition` is `truth`."""
    match condition:
        case Is(of=of, what="present"):
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


def path_of(expr: Expr) -> str | None:
    """`a.b.c` of a plain path, or none for anything else."""
    match expr:
        case Local(name=name):
            return name
        case Path(of=of, field=field, mapped=False):
            start = path_of(of)
            return None if start is None else f"{start}.{field}"
        case _:
            return None


def _prefixes(expr: Expr) -> frozenset[str]:
    path = path_of(expr)
    if path is None:
        return frozenset()
    words = path.split(".")
    return frozenset(".".join(words[: end + 1]) for end in range(len(words)))
