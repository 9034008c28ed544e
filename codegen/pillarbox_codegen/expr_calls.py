"""Calls in expressions: built-in functions, and lookups of rows.

Depends on: context, expr_make, expr_syntax, type_rules.  Never on: operators.

Law: the functions are the ones named in `names.FUNCTIONS`; anything else that is called is a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pillarbox_codegen.context import UNREAD
from pillarbox_codegen.diagnostics import all_of, did_you_mean
from pillarbox_codegen.expr_constants import adapt, bit_of
from pillarbox_codegen.expr_copies import changed, choose
from pillarbox_codegen.expr_folds import FOLDS
from pillarbox_codegen.expr_keys import row_key
from pillarbox_codegen.expr_lists import end_of_scan, near, prefix, spans, tokens
from pillarbox_codegen.expr_make import case, count_arguments, make, refuse_repeats
from pillarbox_codegen.expr_syntax import PREFIX, CallNode, ListNode
from pillarbox_codegen.expr_unions import cases, matches
from pillarbox_codegen.model import (
    Call,
    Constant,
    Expr,
    FlagsType,
    ListOf,
    Literal_,
    Lookup,
    MapOf,
    Named,
    Optional,
    RowOf,
    Scan,
    ShownOf,
    Type,
)
from pillarbox_codegen.names import FUNCTIONS
from pillarbox_codegen.type_rules import (
    BOOL,
    BYTES,
    INT64,
    NO_ORDER,
    TEXT,
    assignable,
    is_int,
    optional,
    ordered,
    present,
    show,
    unify,
)

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker


def call(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """The typed call of a function or table."""
    if node.function == PREFIX:
        return prefix(checker, node)
    function = _FUNCTIONS.get(node.function)
    if function is not None:
        if node.named and node.function not in ("flags", "make", "spans", "changed", "having", "without"):
            text = f"`{node.function}` takes no named arguments"
            remedy = "give what it takes without a name"
            raise checker.context.add(node.named[0].at, "arguments", text, remedy)
        return function(checker, node, hint)
    context = checker.context
    if node.function in ("count", "sum", "every"):
        text = f"`{node.function}` sums rows up; it stands first in a `fold` of a top"
        raise context.add(node.at, "unknown-function", text, "keep what it comes to in a table of that word")
    if not context.is_table(node.function):
        hint_text = _ELSEWHERE.get(node.function) or did_you_mean(
            node.function, [*_FUNCTIONS, *context.table_names()]
        )
        hint_text = hint_text or f"the functions are {all_of(sorted(_FUNCTIONS))}"
        text = f"there is no function or table `{node.function[:60]}`"
        raise context.add(node.at, "unknown-function", text, hint_text)
    return _lookup(checker, node)


def _lookup(checker: ExprChecker, node: CallNode) -> Expr:
    context = checker.context
    table = context.table(node.function, node.at)
    if checker.scope.no_lookups is not None and node.function not in checker.scope.lookups:
        raise context.add(node.at, "lookup", f"rows of `{node.function}` cannot be looked up here",
                          checker.scope.no_lookups)  # fmt: skip
    if table.role == "sequence" and not context.interns(table):
        text = "a sequence gives numbers where a field has `fill`, it is not read"
        raise context.add(node.at, "lookup", text, UNREAD)
    if len(node.arguments) != 1 or node.named:
        text = f"`{node.function}` is looked up with its key"
        raise context.add(
            node.at, "arguments", text, f"write `{_key_form(table.name, [p.name for p in table.key])}`"
        )
    key, by = row_key(checker, node.arguments[0], table, may_be_none=True)
    if by is not None and not checker.scope.is_step:
        text = f"only steps find rows of `{table.name}` by their identity"
        raise context.add(node.at, "lookup", text, f"look into `{by}` first")
    return Lookup(table.name, key, Optional(RowOf(table.name)), by)


def _key_form(table: str, parts: Sequence[str]) -> str:
    return f"{table}({parts[0]})" if len(parts) == 1 else f"{table}([{', '.join(parts)}])"


# ------------------------------------------------------------------------------------------ functions


def _least_greatest(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    count_arguments(checker, node, 2, None, f"{node.function}(a, b, ..)")
    arguments = [checker.infer(argument, hint) for argument in node.arguments]
    type = _common(checker, node, arguments)
    for expr, argument in zip(arguments, node.arguments, strict=True):
        if isinstance(expr.type, Optional):
            checker.fit(expr, expr.type.item, argument.at)
    if not ordered(type, checker.context.types):
        raise checker.context.add(node.at, "type", f"values of {show(type)} have no order", NO_ORDER)
    return Call(node.function, _adapted(checker, node, arguments, type), type)


def _common(checker: ExprChecker, node: CallNode, arguments: Sequence[Expr]) -> Type:
    # What has a type of its own decides: a literal beside an id is an id.
    types = checker.context.types
    decided = sorted(arguments, key=lambda expr: type(expr).__name__ == "Literal_")
    type_: Type | None = decided[0].type
    for expr in decided[1:]:
        fitted = adapt(checker.context, expr, present(type_), node.at) if type_ is not None else expr
        type_ = None if type_ is None else unify(type_, fitted.type, types)
    if type_ is None:
        kinds = " and ".join(sorted({show(expr.type) for expr in arguments}))
        text = f"`{node.function}` of {kinds} has no one type"
        raise checker.context.add(node.at, "type", text, "nothing is converted: give values of one type")
    return type_


def _adapted(checker: ExprChecker, node: CallNode, arguments: Sequence[Expr], type: Type) -> tuple[Expr, ...]:
    return tuple(adapt(checker.context, expr, present(type), node.at) for expr in arguments)


def _bits(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    count_arguments(checker, node, 1, 1, "bits(flags)")
    argument = checker.infer(node.arguments[0])
    if isinstance(argument.type, Optional):
        checker.fit(argument, argument.type.item, node.arguments[0].at)
    if not isinstance(checker.context.definition(argument.type), FlagsType):
        text = f"`bits` takes flags, found {show(argument.type)}"
        raise checker.context.add(node.arguments[0].at, "type", text, "name what is of a type of flags")
    return Call("bits", (argument,), ListOf(argument.type))


def _flags(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    context = checker.context
    expected = present(hint) if hint is not None else None
    definition = context.definition(expected) if expected is not None else None
    if not isinstance(definition, FlagsType):
        text = "`flags` makes a set of flags, which is not expected here"
        told = f"give a value of {show(hint)}" if hint is not None else "write `make(..)` of what holds them"
        raise context.add(node.at, "type", text, told)
    if node.arguments:
        raise context.add(
            node.at, "arguments", "every flag needs its name", "write `flags(name: condition, ..)`"
        )
    refuse_repeats(context, node.named)
    with context.findings.together() as block:
        for argument in node.named:
            block.attempt(bit_of, context, definition, argument.name, argument.at)
        conditions = [block.attempt(checker.check, argument.value, BOOL) for argument in node.named]
    names = tuple(argument.name for argument in node.named)
    return Call(
        "flags", tuple(expr for expr in conditions if expr is not None), Named(definition.name), names
    )


def _size(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    count_arguments(checker, node, 1, 1, "size(list)")
    argument = checker.infer(node.arguments[0])
    if isinstance(argument.type, Optional):
        checker.fit(argument, argument.type.item, node.arguments[0].at)
    is_mapping = isinstance(argument.type, ShownOf) and not argument.type.members
    if (
        not isinstance(argument.type, ListOf | MapOf)
        and not is_mapping
        and argument.type not in (TEXT, BYTES)
    ):
        text = f"`size` takes a list, map, text or bytes, found {show(argument.type)}"
        raise checker.context.add(node.arguments[0].at, "type", text, "name one of these")
    return Call("size", (argument,), INT64)


def _list_argument(checker: ExprChecker, node: CallNode, hint: Type | None) -> tuple[Expr, Type]:
    count_arguments(checker, node, 1, 1, f"{node.function}(list)")
    argument = checker.infer(node.arguments[0], hint)
    if isinstance(argument.type, Optional):
        checker.fit(argument, argument.type.item, node.arguments[0].at)
    if not isinstance(argument.type, ListOf):
        text = f"`{node.function}` takes a list, found {show(argument.type)}"
        raise checker.context.add(node.arguments[0].at, "type", text, "write a list, `[a, b]`, or name one")
    return argument, argument.type.item


def _end_of_list(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    wanted = ListOf(present(hint)) if hint is not None else None
    argument, item = _list_argument(checker, node, wanted)
    if isinstance(argument, Scan):
        return end_of_scan(node.function, argument)
    return Call(node.function, (argument,), optional(item))


def _any(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    argument, item = _list_argument(checker, node, ListOf(BOOL))
    if item != BOOL:
        text = f"`any` takes list<bool>, found list<{show(item)}>"
        told = "whether a list holds a value is `VALUE in LIST`, whether it holds anything `size(LIST) > 0`"
        raise checker.context.add(node.arguments[0].at, "type", text, told)
    return Call("any", (argument,), BOOL)


def _concat(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    count_arguments(checker, node, 1, None, "concat(text, ..)")
    found = []
    for argument in node.arguments:
        expr = checker.infer(argument, TEXT)
        texts = isinstance(expr.type, ListOf) and assignable(expr.type.item, TEXT, checker.context.types)
        found.append(expr if texts else checker.fit(expr, TEXT, argument.at))
    return Call("concat", tuple(found), TEXT)


def _join(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    count_arguments(checker, node, 1, None, "join(list, ..)")
    wanted = present(hint) if hint is not None and isinstance(present(hint), ListOf) else None
    for argument in node.arguments:  # the first list with a type of its own types the empty ones
        if wanted is None and not (isinstance(argument, ListNode) and not argument.items):
            wanted = checker.infer(argument).type
    arguments = [checker.infer(argument, wanted) for argument in node.arguments]
    for expr, argument in zip(arguments, node.arguments, strict=True):
        if isinstance(expr.type, Optional) and isinstance(expr.type.item, ListOf):
            checker.fit(expr, expr.type.item, argument.at)
        if not isinstance(expr.type, ListOf):
            text = f"`join` takes lists, found {show(expr.type)}"
            raise checker.context.add(argument.at, "type", text, "put one value into a list: `[a]`")
    type = _common(checker, node, arguments)
    return Call("join", tuple(arguments), type)


def _encoded(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    count_arguments(checker, node, 1, 1, "encoded(value)")
    value = checker.infer(node.arguments[0])
    if isinstance(value.type, Optional):
        checker.fit(value, value.type.item, node.arguments[0].at)
    return Call("encoded", (value,), BYTES)


def _parted(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """How often a written number fits, or what is left: never by 0, so it always has a value."""
    count_arguments(checker, node, 2, 2, f"{node.function}(number, by)")
    numbers = [checker.infer(argument, INT64) for argument in node.arguments]
    for expr, argument in zip(numbers, node.arguments, strict=True):
        if not is_int(expr.type):
            checker.fit(expr, INT64, argument.at)
    by = numbers[1]
    if not isinstance(by, Literal_ | Constant) or not isinstance(by.value, int) or by.value < 1:
        text = (
            f"`{node.function}` is by a number from 1 on that is written there, or a constant, `seeds.NAME`"
        )
        raise checker.context.add(node.arguments[1].at, "type", text, "write such a number")
    return Call(node.function, tuple(numbers), INT64)


_Function: TypeAlias = "Callable[[ExprChecker, CallNode, Type | None], Expr]"
#: What is called otherwise here, or not there at all.
_ELSEWHERE: dict[str, str] = {
    "len": "write `size`",
    "length": "write `size`",
    "now": "no expression asks a clock: whoever calls gives the time",
}

_FUNCTIONS: dict[str, _Function] = {
    "min": _least_greatest,
    "max": _least_greatest,
    "bits": _bits,
    "flags": _flags,
    "size": _size,
    "first": _end_of_list,
    "last": _end_of_list,
    "any": _any,
    "concat": _concat,
    "join": _join,
    "case": case,
    "cases": cases,
    "matches": matches,
    "make": make,
    "floor": near,
    "ceiling": near,
    "spans": spans,
    "tokens": tokens,
    "encoded": _encoded,
    "div": _parted,
    "mod": _parted,
    "changed": changed,
    "having": choose,
    "without": choose,
}
assert set(_FUNCTIONS) | set(FOLDS) == FUNCTIONS
