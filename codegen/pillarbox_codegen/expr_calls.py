"""Calls in expressions: built-in functions, lookups of rows, `make`, `case`, and the folds of `top`.

Depends on: context, expr_parse, type_rules.  Never on: operators.

Law: the functions are the ones named in `names.FUNCTIONS`; anything else that is called is a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from pillarbox_codegen.context import Context, is_required
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_constants import adapt, bit_of
from pillarbox_codegen.expr_parse import (
    At,
    CallNode,
    ConstNode,
    ListNode,
    MapNode,
    NamedNode,
    NameNode,
    Syntax,
)
from pillarbox_codegen.model import (
    Call,
    CaseOf,
    Expr,
    FlagsType,
    Fold,
    ListOf,
    Lookup,
    Make,
    MapOf,
    Named,
    Optional,
    PackedId,
    RecordType,
    RowOf,
    Type,
    UnionType,
)
from pillarbox_codegen.names import FUNCTIONS
from pillarbox_codegen.type_rules import (
    BOOL,
    BYTES,
    INT64,
    TEXT,
    is_int,
    optional,
    ordered,
    present,
    show,
    unify,
)

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker

FoldName: TypeAlias = Literal["count", "sum", "min", "max", "any", "every"]
FOLDS: dict[str, FoldName] = {
    "count": "count", "sum": "sum", "min": "min", "max": "max", "any": "any", "every": "every",
}  # fmt: skip


def call(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """The typed call of a function or table."""
    function = _FUNCTIONS.get(node.function)
    if function is not None:
        if node.named and node.function not in ("flags", "make"):
            text = f"`{node.function}` takes no named arguments"
            raise checker.context.add(node.named[0].at, "arguments", text)
        return function(checker, node, hint)
    context = checker.context
    if node.function in ("count", "sum", "every"):
        text = f"`{node.function}` sums rows up; it stands first in a `fold` of a top"
        raise context.add(node.at, "unknown-function", text)
    if node.function not in context.table_names():
        hint_text = did_you_mean(node.function, [*_FUNCTIONS, *context.table_names()])
        text = f"there is no function or table `{node.function[:60]}`"
        raise context.add(node.at, "unknown-function", text, hint_text)
    return _lookup(checker, node)


def _lookup(checker: ExprChecker, node: CallNode) -> Expr:
    context = checker.context
    if checker.scope.no_lookups is not None:
        raise context.add(node.at, "lookup", f"rows of `{node.function}` cannot be looked up here",
                          checker.scope.no_lookups)  # fmt: skip
    table = context.table(node.function, node.at)
    if table.role == "sequence":
        text = "a sequence gives numbers where a field has `fill`, it is not read"
        raise context.add(node.at, "lookup", text)
    if len(node.arguments) != 1 or node.named:
        text = f"`{node.function}` is looked up with its key"
        raise context.add(
            node.at, "arguments", text, f"write `{_key_form(table.name, [p.name for p in table.key])}`"
        )
    parts = [(part.name, part.type) for part in table.key]
    key = key_parts(checker, node.arguments[0], parts, may_be_none=True)
    return Lookup(table.name, key, Optional(RowOf(table.name)))


def _key_form(table: str, parts: Sequence[str]) -> str:
    return f"{table}({parts[0]})" if len(parts) == 1 else f"{table}([{', '.join(parts)}])"


def key_parts(
    checker: ExprChecker, syntax: Syntax, parts: Sequence[tuple[str, Type]], *, may_be_none: bool,
    prefix: bool = False,
) -> tuple[Expr, ...]:  # fmt: skip
    """One expression a key part. A lone part needs no brackets; a prefix may be shorter than the key."""
    items = syntax.items if isinstance(syntax, ListNode) else (syntax,)
    if len(items) > len(parts) or (len(items) < len(parts) and not prefix):
        wanted = f"[{', '.join(name for name, _ in parts)}]"
        count = f"{'at most ' if prefix else ''}{len(parts)} part{'s' if len(parts) != 1 else ''}"
        text = f"the key has {count}, {len(items)} given"
        raise checker.context.add(syntax.at, "key-parts", text, f"the parts are {wanted}")
    with checker.context.findings.together() as block:
        found = [
            block.attempt(checker.check, item, optional(type) if may_be_none else type)
            for item, (_, type) in zip(items, parts, strict=False)
        ]
    return tuple(expr for expr in found if expr is not None)


# ------------------------------------------------------------------------------------------ functions


def _count_arguments(checker: ExprChecker, node: CallNode, low: int, high: int | None, usage: str) -> None:
    given = len(node.arguments)
    if given < low or (high is not None and given > high):
        text = f"`{node.function}` has {given} argument{'s' if given != 1 else ''}"
        raise checker.context.add(node.at, "arguments", text, f"write `{usage}`")


def _least_greatest(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    _count_arguments(checker, node, 2, None, f"{node.function}(a, b, ..)")
    arguments = [checker.infer(argument, hint) for argument in node.arguments]
    type = _common(checker, node, arguments)
    for expr, argument in zip(arguments, node.arguments, strict=True):
        if isinstance(expr.type, Optional):
            checker.fit(expr, expr.type.item, argument.at)
    if not ordered(type, checker.context.types):
        raise checker.context.add(node.at, "type", f"values of {show(type)} have no order")
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
        raise checker.context.add(node.at, "type", f"`{node.function}` of {kinds} has no one type")
    return type_


def _adapted(checker: ExprChecker, node: CallNode, arguments: Sequence[Expr], type: Type) -> tuple[Expr, ...]:
    return tuple(adapt(checker.context, expr, present(type), node.at) for expr in arguments)


def _bits(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    _count_arguments(checker, node, 1, 1, "bits(flags)")
    argument = checker.infer(node.arguments[0])
    if isinstance(argument.type, Optional):
        checker.fit(argument, argument.type.item, node.arguments[0].at)
    if not isinstance(checker.context.definition(argument.type), FlagsType):
        text = f"`bits` takes flags, found {show(argument.type)}"
        raise checker.context.add(node.arguments[0].at, "type", text)
    return Call("bits", (argument,), ListOf(argument.type))


def _flags(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    context = checker.context
    expected = present(hint) if hint is not None else None
    definition = context.definition(expected) if expected is not None else None
    if not isinstance(definition, FlagsType):
        text = "`flags` makes a set of flags, which is not expected here"
        raise context.add(node.at, "type", text)
    if node.arguments:
        raise context.add(
            node.at, "arguments", "every flag needs its name", "write `flags(name: condition, ..)`"
        )
    _refuse_repeats(context, node.named)
    with context.findings.together() as block:
        for argument in node.named:
            block.attempt(bit_of, context, definition, argument.name, argument.at)
        conditions = [block.attempt(checker.check, argument.value, BOOL) for argument in node.named]
    names = tuple(argument.name for argument in node.named)
    return Call(
        "flags", tuple(expr for expr in conditions if expr is not None), Named(definition.name), names
    )


def _refuse_repeats(context: Context, named: Sequence[NamedNode]) -> None:
    for index, argument in enumerate(named):
        if argument.name in {earlier.name for earlier in named[:index]}:
            raise context.add(
                argument.at, "arguments", f"`{argument.name}` is given twice", "keep one of the two"
            )


def _size(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    _count_arguments(checker, node, 1, 1, "size(list)")
    argument = checker.infer(node.arguments[0])
    if isinstance(argument.type, Optional):
        checker.fit(argument, argument.type.item, node.arguments[0].at)
    if not isinstance(argument.type, ListOf | MapOf) and argument.type not in (TEXT, BYTES):
        text = f"`size` takes a list, map, text or bytes, found {show(argument.type)}"
        raise checker.context.add(node.arguments[0].at, "type", text)
    return Call("size", (argument,), INT64)


def _list_argument(checker: ExprChecker, node: CallNode, hint: Type | None) -> tuple[Expr, Type]:
    _count_arguments(checker, node, 1, 1, f"{node.function}(list)")
    argument = checker.infer(node.arguments[0], hint)
    if isinstance(argument.type, Optional):
        checker.fit(argument, argument.type.item, node.arguments[0].at)
    if not isinstance(argument.type, ListOf):
        text = f"`{node.function}` takes a list, found {show(argument.type)}"
        raise checker.context.add(node.arguments[0].at, "type", text)
    return argument, argument.type.item


def _end_of_list(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    wanted = ListOf(present(hint)) if hint is not None else None
    argument, item = _list_argument(checker, node, wanted)
    return Call(node.function, (argument,), optional(item))


def _any(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    argument, item = _list_argument(checker, node, ListOf(BOOL))
    if item != BOOL:
        raise checker.context.add(
            node.arguments[0].at, "type", f"`any` takes list<bool>, found list<{show(item)}>"
        )
    return Call("any", (argument,), BOOL)


def _concat(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    _count_arguments(checker, node, 1, None, "concat(text, ..)")
    return Call("concat", tuple(checker.check(argument, TEXT) for argument in node.arguments), TEXT)


def _join(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    _count_arguments(checker, node, 1, None, "join(list, ..)")
    wanted = present(hint) if hint is not None and isinstance(present(hint), ListOf) else None
    for argument in node.arguments:  # the first list with a type of its own types the empty ones
        if wanted is None and not (isinstance(argument, ListNode) and not argument.items):
            wanted = checker.infer(argument).type
    arguments = [checker.infer(argument, wanted) for argument in node.arguments]
    for expr, argument in zip(arguments, node.arguments, strict=True):
        if not isinstance(expr.type, ListOf):
            raise checker.context.add(argument.at, "type", f"`join` takes lists, found {show(expr.type)}")
    type = _common(checker, node, arguments)
    return Call("join", tuple(arguments), type)


# ---------------------------------------------------------------------------------- make and case


def _case(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    _count_arguments(checker, node, 2, 2, "case(value, Case)")
    of, name = checker.infer(node.arguments[0]), node.arguments[1]
    if not isinstance(name, NameNode):
        raise checker.context.add(
            name.at, "arguments", "expected the name of a case", "write `case(value, Case)`"
        )
    union = checker.union_case(of, name.name, node.arguments[0].at, name.at)
    return Call("case", (of,), Optional(CaseOf(union.name, name.name)), (name.name,))


def _make(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], NameNode):
        text = "`make` takes a type, union case or table, then named fields"
        raise checker.context.add(node.at, "arguments", text, "write `make(Type, field: value, ..)`")
    target = _make_target(checker.context, node.arguments[0])
    return _make_fields(checker, target, node.named, node.at)


def _make_target(context: Context, node: NameNode) -> Type:
    name = node.name
    if name in context.entries("types"):
        definition = context.definition(Named(name))
        if isinstance(definition, RecordType | PackedId):
            return Named(name)
        if isinstance(definition, UnionType):
            names = one_of([case.name for case in definition.cases[:8]])
            raise context.add(node.at, "arguments", f"{name} is a union", f"make one of its cases: {names}")
        raise context.add(node.at, "arguments", f"{name} has no fields", "write the value itself")
    if name in context.case_unions:
        return CaseOf(context.case_unions[name], name)
    if name in context.table_names():
        return RowOf(context.table(name, node.at).name)
    known = [*context.entries("types"), *context.case_unions, *context.table_names()]
    raise context.add(
        node.at, "unknown-type", f"there is no type `{name[:60]}` to make", did_you_mean(name, known)
    )


def make_mapping(checker: ExprChecker, node: MapNode, hint: Type | None) -> Expr:
    """A YAML mapping where a row, record or packed id is expected."""
    expected = present(hint) if hint is not None else None
    definition = checker.context.definition(expected) if expected is not None else None
    if expected is None or not (
        isinstance(expected, RowOf | CaseOf) or isinstance(definition, RecordType | PackedId)
    ):
        wanted = "something else" if expected is None else show(expected)
        hint_text = None
        if isinstance(definition, UnionType):
            hint_text = f"choose a case in text: `make({definition.cases[0].name}, ..)`"
        raise checker.context.add(node.at, "type", f"found a mapping, expected {wanted}", hint_text)
    return _make_fields(checker, expected, node.fields, node.at)


def _make_fields(checker: ExprChecker, target: Type, named: Sequence[NamedNode], at: At) -> Make:
    context = checker.context
    _refuse_repeats(context, named)
    members = context.members(target)
    assert members is not None
    with context.findings.together() as block:
        found = [(field.name, block.attempt(_make_field, checker, target, field, members)) for field in named]
        missing = sorted(required_names(context, target) - {field.name for field in named})
        if missing:
            text = f"{show(target)} needs {one_of(missing).replace(' or ', ' and ')}"
            raise context.add(at, "missing-key", text, "give every field that has no default")
    return Make(target, tuple((name, expr) for name, expr in found if expr is not None), target)


def _make_field(checker: ExprChecker, target: Type, field: NamedNode, members: dict[str, Type]) -> Expr:
    if field.name not in members:
        hint = did_you_mean(field.name, members) or (f"it has {one_of(members)}" if members else None)
        text = f"{show(target)} has no field `{field.name[:60]}`"
        raise checker.context.add(field.at, "unknown-field", text, hint)
    return checker.check(field.value, members[field.name])


def required_names(context: Context, target: Type) -> set[str]:
    """The fields that have neither a default nor a sequence to fill them."""
    match target:
        case RowOf(name):
            table = context.tables[name]
            keys = {part.name for part in table.key if part.fill is None}
            return keys | {field.name for field in table.fields if is_required(field)}
        case CaseOf():
            return {field.name for field in context.case(target).fields if is_required(field)}
        case _:
            match context.definition(target):
                case RecordType(fields=fields):
                    return {field.name for field in fields if is_required(field)}
                case PackedId(parts=parts):
                    return {part.name for part in parts}
                case _:
                    return set()


_Function: TypeAlias = "Callable[[ExprChecker, CallNode, Type | None], Expr]"
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
    "case": _case,
    "make": _make,
}
assert set(_FUNCTIONS) | set(FOLDS) == FUNCTIONS

# -------------------------------------------------------------------------------------------- folds


def fold(checker: ExprChecker, name: str, syntax: Syntax) -> Fold:
    """`count(cond)`, `sum(e)`, `min(e)`, `max(e)`, `any(c)` or `every(c)` over rows."""
    if not isinstance(syntax, CallNode) or syntax.function not in FOLDS or syntax.named:
        text = "a fold is a call of `count`, `sum`, `min`, `max`, `any` or `every`"
        raise checker.context.add(syntax.at, "syntax", text, "write `count(condition)` or `max(field)`")
    _count_arguments(checker, syntax, 1, 1, f"{syntax.function}(expression)")
    function = FOLDS[syntax.function]
    of, type = folded(checker, function, syntax.arguments[0])
    return Fold(name, function, of, type)


def folded(checker: ExprChecker, function: FoldName, syntax: Syntax) -> tuple[Expr, Type]:
    """The expression of each row, and the type of the fold over rows of which there is at least one."""
    if function in ("count", "any", "every"):
        return checker.check(syntax, BOOL), INT64 if function == "count" else BOOL
    of = checker.infer(syntax)
    if function == "sum":
        of = of if is_int(of.type) else checker.fit(of, INT64, syntax.at)
        return of, INT64
    if not ordered(of.type, checker.context.types):
        raise checker.context.add(syntax.at, "type", f"values of {show(of.type)} have no order")
    return of, of.type


def literal_true(at: At) -> ConstNode:
    return ConstNode(True, at)
