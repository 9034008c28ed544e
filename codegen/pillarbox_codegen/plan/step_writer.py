"""Writes the Python function of a list of steps; each word's file says what its own step does.

Depends on: model, expr_python, statements, names.  Never on: templates, any one step.

Law: the statements stand in the order of their steps, each inside its loop and below its condition; what
one step names is seen by those after it only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import USED, Scope, compile_expr, compile_items, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.python_code import TRUE
from pillarbox_codegen.reads import reads
from pillarbox_codegen.statements import Line, Statement, branch, lines_of, loop, without_last_return
from pillarbox_codegen.walk import names_in

Body: TypeAlias = Callable[[Scope], Sequence[Statement]]

#: Kind of step -> what writes its statements, its `each` and `when` left aside. Filled by steps.py.
PLAIN: Final[dict[type, Callable[[StepWriter, Any, Scope], Sequence[Statement]]]] = {}

#: Kind of step -> what writes it whole, and gives the scope that the steps after it see.
BINDING: Final[dict[type, Callable[[StepWriter, Any, Scope], tuple[Sequence[Statement], Scope]]]] = {}


#: Functions that the modules import around the functions that are written; a variable would hide them.
_IMPORTED: Final = frozenset(
    {"always", "assert_never", "attrgetter", "beginning", "kept_in_bag", "kept_in_list", "mark", "packed_key",
     "patched", "route_of", "rows_under", "search_for", "spread", "stored_key"}
)  # fmt: skip


def write_lines(
    schema: model.Schema,
    imports: Imports,
    steps: Sequence[model.Step],
    *,
    params: Mapping[str, str],
    transaction: str,
) -> list[str]:
    """The body of the function that takes these steps; nothing where there is nothing to do.

    `params` maps parameters to Python text; `transaction` is the text of the open transaction.
    """

    unread: set[str] = set()

    def written(transaction: str, in_loops: Iterable[str]) -> tuple[StepWriter, list[Statement]]:
        writer = StepWriter(schema, imports, transaction, taken_names(schema), unread)
        return writer, writer.function(steps, params, in_loops)

    # What is used in loops and how often the transaction is named shows only once all is written, and so
    # does what is named for steps alone that are never taken.
    found, body = written("tx", ())
    while more := found.found_unread(lines_of(body)):
        unread |= more
        found, body = written("tx", ())
    in_loops = found.used_in_loops
    if in_loops:
        found, body = written("tx", in_loops)
    if transaction != "tx":
        often = reads(lines_of(body))["tx"] > 1
        body = [Line(f"tx = {transaction}"), *body] if often else written(transaction, in_loops)[1]
    return lines_of(body)


def taken_names(schema: model.Schema) -> set[str]:
    """What no variable of a generated function may be called: what it uses itself, and `l`, so like a 1."""
    return {*USED, *_IMPORTED, *functions_of(schema), "l", "operation", "replace", "self", "tx", "update"}


@lru_cache(maxsize=2)
def functions_of(schema: model.Schema) -> frozenset[str]:
    """The functions generated for a schema that expressions and keys are printed with."""
    found: set[str] = set()
    for definition in schema.types.values():
        if isinstance(definition, model.PackedId):
            found.add(names.pack_function(definition.name))
            found |= {names.part_function(definition.name, part.name) for part in definition.parts}
        elif isinstance(definition, model.UnionType):
            found |= {names.facet_function(definition.name, facet.name) for facet in definition.facets}
    return frozenset(found | {names.key_function(it) for it in (*schema.tables, *schema.sequences)})


@dataclass
class StepWriter:
    """Writes one function."""

    schema: model.Schema
    imports: Imports
    transaction: str
    taken: set[str]
    #: Names of `let` that nothing reads in the end.
    unread: set[str]
    #: table -> the variable it is held in.
    held: dict[str, str] = field(default_factory=dict)
    used_in_loops: dict[str, None] = field(default_factory=dict)
    olds: dict[str, str] = field(default_factory=dict)
    loops: int = 0
    used_names: set[str] = field(default_factory=set)
    #: name of a `let` -> its variable.
    lets: dict[str, str] = field(default_factory=dict)
    #: name in the schema -> (variable, type): a variable may be used again for the same.
    earlier: dict[str, tuple[str, model.Type]] = field(default_factory=dict)

    def function(
        self, steps: Sequence[model.Step], params: Mapping[str, str], in_loops: Iterable[str]
    ) -> list[Statement]:
        """The whole body; tables that are used in loops, and in some that are left, are held in variables."""
        self.used_names = names_in(tuple(steps))
        scope = Scope(self.schema, self.imports, params, self.taken, self.table)
        start = [(name, self.table(name)) for name in in_loops]
        self.held = {name: scope.fresh(names.table_attribute(name)) for name in in_loops}
        body = without_last_return(self.steps(steps, scope))
        read = reads(lines_of(body)) if start else {}
        return [*(Line(f"{self.held[it]} = {text}") for it, text in start if self.held[it] in read), *body]

    def found_unread(self, lines: Sequence[str]) -> set[str]:
        """The names of `let` whose variables these lines of the function do not read."""
        if not self.lets:
            return set()
        read = reads(lines)
        return {name for name, local in self.lets.items() if local not in read}

    # ------------------------------------------------------------------------------------- the box

    def table(self, name: str) -> str:
        """The text of a table of the transaction."""
        if name in self.held:
            return self.held[name]
        if self.loops:
            self.used_in_loops[name] = None
        return f"{self.transaction}.{names.table_attribute(name)}"

    def method(self, name: str) -> str:
        """The text of a method of the transaction itself."""
        return f"{self.transaction}.{name}"

    def old(self, table: str, scope: Scope) -> str:
        """The variable that holds a row of the table before it is changed."""
        if table not in self.olds:
            self.olds[table] = scope.fresh("old" if "old" not in self.taken else f"old_{table}")
        return self.olds[table]

    # -------------------------------------------------------------------------------------- scopes

    def steps(self, steps: Sequence[model.Step], scope: Scope) -> list[Statement]:
        """The statements of steps that a step holds, or of all of them."""
        found: list[Statement] = []
        for step in steps:
            statements, scope = self.step(step, scope)
            scope = scope.after(step)
            found += statements
        return found

    def step(self, step: model.Step, scope: Scope) -> tuple[Sequence[Statement], Scope]:
        if type(step) in BINDING and self.is_named(step):
            return BINDING[type(step)](self, step, scope)
        return self.modified(step.mods, scope, lambda inner: PLAIN[type(step)](self, step, inner)), scope

    def is_named(self, step: model.Step) -> bool:
        """Whether a later step may see a name that this one gives."""
        return isinstance(step, model.LetStep) or step.mods.result in self.used_names

    def bind(self, scope: Scope, name: str, type_: model.Type, *, again: bool = True) -> tuple[str, Scope]:
        """A variable for a name of the schema: that of an earlier such name, if it was of the same type."""
        local, before = self.earlier.get(name, ("", None))
        if not again or before != type_:
            local = scope.fresh(name)
            self.earlier[name] = (local, type_)
        return local, scope.bind(**{name: local})

    def modified(self, mods: model.Modifiers, scope: Scope, body: Body) -> tuple[Statement, ...]:
        """Statements inside their loop and below their condition."""
        if mods.each is None:
            when = TRUE if mods.when is None else compile_test(mods.when, scope)
            return branch(when, body(scope.proven(mods.when)))
        assert isinstance(mods.each.items.type, model.ListOf)
        items = compile_items(mods.each.items, scope)
        again = replace(scope, rows={})  # what a round writes is there in the next
        name, inner = self.bind(again, mods.each.name, mods.each.items.type.item)
        self.loops += 1
        when = TRUE if mods.when is None else compile_test(mods.when, inner)
        statements = branch(when, body(inner))
        self.loops -= 1
        return loop(name, items, statements)


def arguments_text(given: Iterable[model.NamedExpr], scope: Scope) -> str:
    """`name=value, ..`"""
    return ", ".join(f"{names.field(named.name)}={compile_expr(named.expr, scope)}" for named in given)
