"""What the names in an expression are in Python, and which names are taken.

Depends on: model, plan.frame (imports), python_code.  Never on: the compiler.

Law: no two variables of one function share a name while both are in use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pillarbox_codegen import model
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.python_code import Code, Level, in_clause, looks_outside

#: Names that the texts printed for expressions use themselves.
USED = frozenset(
    {"any", "as_case", "bits", "encoded", "first", "in_bag", "isinstance", "join", "last", "len", "let",
     "max", "min", "of_case", "of_cases", "replace", "spans", "surely", "tokens", "tuple", "unreachable",
     "with_case"}
)  # fmt: skip

HELPERS = "pillarbox.expr"


@dataclass(frozen=True)
class Scope:
    """What the names in an expression are in Python.

    `names` maps the schema's names to Python text; `table` gives the text of a table that can be asked
    `.get(*key)`. `taken` holds every name of the function around it, and grows by the temporary ones:
    share it among all expressions of one function.

    Where `declared` gives the types of the names, nothing counts as proven by a condition further out.
    """

    schema: model.Schema
    imports: Imports
    names: Mapping[str, str]
    taken: set[str]
    table: Callable[[str], str] | None = None
    declared: Mapping[str, model.Type] | None = None
    #: What gives the text of a lookup, from the table and the text of its arguments, where it is no table's.
    lookup: Callable[[str, str], str] | None = None
    #: (table, identity or none, key) -> the name that holds the row there; nothing was written since.
    rows: Mapping[tuple[str, str | None, tuple[model.Expr, ...]], str] = field(default_factory=dict)
    #: The names whose values are known to be there.
    there: frozenset[str] = frozenset()
    #: Variables of loops that are over -> their types; shared as `taken` is.
    loops: dict[str, tuple[str, model.Type]] = field(default_factory=dict)

    def bind(self, /, **names: str) -> Scope:
        """The scope with more names."""
        return replace(self, names={**self.names, **names})

    def proven(self, condition: model.Expr | None) -> Scope:
        """The scope where a condition holds."""
        match condition:
            case model.Binary("and", left, right):
                return self.proven(left).proven(right)
            case model.Is(model.Local(name), "present"):
                return replace(self, there=self.there | {name})
            case _:
                return self

    def after(self, step: model.Step) -> Scope:
        """The scope behind a step: what rows are known to be, until something may be written."""
        match step:
            case model.LetStep(named):
                read = [(it.name, it.expr) for it in named if it.name in self.names]
                rows = {(of.table, of.by, of.key): name for name, of in read if isinstance(of, model.Lookup)}
                return replace(self, rows={**self.rows, **rows})
            case model.RequireStep(condition, mods=model.Modifiers(each=None, when=None)):
                return self.proven(condition)
            case model.RequireStep() | model.EmitStep():
                return self
            case _:
                return replace(self, rows={})

    def fresh(self, name: str) -> str:
        """A name that nothing in this function has yet, and that no text printed in it uses."""
        found = name
        number = 1
        while found in self.taken or found in USED:
            number += 1
            found = f"{name}_{number}"
        self.taken.add(found)
        return found

    def of_loop(self, name: str, type_: model.Type) -> str:
        """The variable of a loop in which none of the same name stands; loops behind each other share it."""
        found, known = self.loops.get(name, ("", None))
        if known != type_:
            found = self.fresh(name)
            self.loops[name] = (found, type_)
        return found


def gone_over(scope: Scope, items: str, made: Callable[[str], str], empty: str) -> Code:
    """What is made in a comprehension of the items of a list."""
    if ":=" not in items:
        return Code(made(in_clause(items)))
    local = scope.fresh("items")
    return named_before(scope, [(local, items)], made(local), empty)


def named_before(scope: Scope, named: Sequence[tuple[str, str]], made: str, empty: str) -> Code:
    """A comprehension over lists that give names by `:=`, which Python does not allow there.

    They are handed to a function; but inside of one a type checker has forgotten what was asked before. So
    where it looks at anything besides, they are named in a condition.
    """
    if looks_outside(made):
        given = " and ".join(f"({local} := {items})" for local, items in named)
        return Code(f"{made} if {given} else {empty}", Level.TERNARY)
    for local, items in named:
        made = f"{scope.imports.use(HELPERS, 'let')}({items}, lambda {local}: {made})"
    return Code(made)
