"""Expressions with types: syntax in, `model.Expr` out, every name resolved.

Depends on: context, expr_calls, expr_operators, expr_make, expr_parse, expr_scope, type_rules.  Never on:
what holds it.

Law: what `check` returns fits the expected type; what it refuses has one finding, at the token at fault.
"""

from __future__ import annotations

from dataclasses import replace

from pillarbox_codegen import expr_calls, expr_operators
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_constants import adapt, bit_of, constant, literal, named_value, texts_hint
from pillarbox_codegen.expr_fits import fit_hint, shadowed_hint
from pillarbox_codegen.expr_make import bag_of, make_mapping
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope, path_of
from pillarbox_codegen.expr_syntax import (
    At,
    AttrNode,
    BinaryNode,
    CallNode,
    ConstNode,
    HasNode,
    IfNode,
    IsNode,
    ListNode,
    MapNode,
    NameNode,
    Syntax,
    UnaryNode,
)
from pillarbox_codegen.model import (
    BagOf,
    Call,
    CaseOf,
    Constant,
    Expr,
    FlagsType,
    Has,
    Is,
    ListOf,
    Literal_,
    Local,
    Named,
    NoneType,
    Optional,
    Path,
    Tuple_,
    Type,
    UnionType,
)
from pillarbox_codegen.type_rules import (
    BOOL,
    INT64,
    assignable,
    optional,
    present,
    show,
    unify,
)
from pillarbox_codegen.yaml_nodes import YamlNode


def check_node(context: Context, node: YamlNode, expected: Type | None, scope: Scope) -> Expr:
    """Parse and check a YAML node. `expected` None: any type will do. Raises Invalid after a finding."""
    return check(context, parse_node(node, context.findings), expected, scope)


def check_condition(context: Context, node: YamlNode | None, scope: Scope) -> Expr | None:
    """What must hold; None where nothing is said. Raises Invalid after a finding."""
    return None if node is None else check_node(context, node, BOOL, scope)


def check_amount(context: Context, node: YamlNode, scope: Scope) -> Expr:
    """How many: an integer, which is not negative where it is a constant. Raises Invalid after a finding."""
    found = check_node(context, node, INT64, scope)
    if isinstance(found, Literal_ | Constant) and isinstance(found.value, int) and found.value < 0:
        raise context.findings.add(node, "range", f"{found.value} is no number of rows", "write 0 or more")
    return found


def check(context: Context, syntax: Syntax, expected: Type | None, scope: Scope) -> Expr:
    """The typed expression; it fits `expected` where that is given."""
    checker = ExprChecker(context, scope)
    expr = checker.infer(syntax, expected)
    return expr if expected is None else checker.fit(expr, expected, syntax.at)


class ExprChecker:
    """Checks one expression in one scope; conditions inside it open scopes of their own."""

    def __init__(self, context: Context, scope: Scope) -> None:
        self.context = context
        self.scope = scope

    def within(self, scope: Scope) -> ExprChecker:
        return ExprChecker(self.context, scope)

    def check(self, syntax: Syntax, expected: Type) -> Expr:
        return self.fit(self.infer(syntax, expected), expected, syntax.at)

    def fit(self, expr: Expr, expected: Type, at: At) -> Expr:
        """The expression where `expected` is wanted, or a finding."""
        types = self.context.types
        expr = adapt(self.context, expr, present(expected), at)
        if assignable(expr.type, expected, types):
            return expr
        text = f"expected {show(expected)}, found {show(expr.type)}"
        if assignable(present(expr.type), expected, types):
            hint = "give a value for that case with `//`, or ask `is present` in `when`, `if` or `require`"
            raise self.context.add(at, "maybe-none", text + ", which may be absent", hint)
        for type in (expected, expr.type):
            self.context.definition(present(type))
        shadowed = shadowed_hint(expr, expected, types) or texts_hint(self.context, expr.type, expected)
        raise self.context.add(at, "type", text, shadowed or fit_hint(expr.type, expected, types))

    # -------------------------------------------------------------------------------------- dispatch

    def infer(self, syntax: Syntax, hint: Type | None = None) -> Expr:
        """The typed expression; `hint` types literals, names of enum values, lists and mappings."""
        match syntax:
            case ConstNode():
                return literal(self.context, syntax, hint)
            case NameNode():
                return self._name(syntax, hint)
            case AttrNode():
                return self._path(syntax, hint)
            case CallNode():
                return expr_calls.call(self, syntax, hint)
            case ListNode():
                return self._list(syntax, hint)
            case MapNode():
                return make_mapping(self, syntax, hint)
            case UnaryNode():
                return expr_operators.unary(self, syntax, hint)
            case BinaryNode():
                return expr_operators.binary(self, syntax, hint)
            case IsNode():
                return self._is(syntax)
            case HasNode():
                return self._has(syntax)
            case IfNode():
                return expr_operators.branches(self, syntax, hint)

    # ----------------------------------------------------------------------------------- names, paths

    def _name(self, node: NameNode, hint: Type | None) -> Expr:
        if node.name in self.scope.lost:
            raise self.context.findings.silent()
        local = self.scope.names.get(node.name)
        if local is None:
            return named_value(self.context, node.name, hint, node.at, self.scope)
        return self._proven(local)

    def _proven(self, expr: Expr) -> Expr:
        """The expression without its `opt` where a condition has shown it to be present."""
        if isinstance(expr.type, Optional) and path_of(expr) in self.scope.proven:
            return replace(expr, type=expr.type.item)
        return expr

    def _path(self, node: AttrNode, hint: Type | None) -> Expr:
        if isinstance(node.of, NameNode) and node.of.name not in self.scope.names:
            if node.of.name == "seeds":
                return constant(self.context, node.name, hint, node.name_at)
            if node.of.name in self.context.entries("types"):
                return named_value(self.context, node.name, Named(node.of.name), node.name_at, None)
            if node.of.name in self.scope.lookups:  # of one row: `account.rev` is `account([]).rev`
                key = CallNode(node.of.name, (ListNode((), node.of.at),), (), node.of.at)
                return self._path(replace(node, of=key), hint)
        of = self.narrowed(self.infer(node.of), node.name)
        hangs = isinstance(of, Local) and of.name in ("row", "item") and node.name in self.scope.names
        way_out = f"write `{node.name}`" if hangs else None
        type = self.context.field_type(of.type, node.name, node.name_at, way_out)
        lifted, mapped = isinstance(of.type, Optional), self._maps(of.type, node.name)
        if mapped:
            if isinstance(present(type), ListOf):
                text = f"`{node.name}` is a list in every element of a list"
                raise self.context.add(node.name_at, "type", text, "choose one element, or use `each`")
            type = ListOf(present(type))
        return self._proven(Path(of, node.name, optional(type) if lifted else type, lifted, mapped))

    def known_case(self, expr: Expr) -> CaseOf | None:
        """The case that the value is of here, where a condition or a branch has shown it."""
        return self.scope.narrowed.get(path_of(expr) or "")

    def narrowed(self, expr: Expr, field: str) -> Expr:
        """The value as the case that a condition has shown it to be, where that has the field."""
        case = self.known_case(expr)
        if case is None or field not in {item.name for item in self.context.case(case).fields}:
            return expr
        return Call("case", (expr,), case, (case.case,))

    def _maps(self, of: Type, name: str) -> bool:
        """Whether the path is of every element of a list; that of a bag may be of its one such case."""
        of = present(of)
        return isinstance(of, ListOf) and not (
            isinstance(of, BagOf) and name in self.context.case_types(of.item)
        )

    # -------------------------------------------------------------------------------------- lists

    def _list(self, node: ListNode, hint: Type | None) -> Expr:
        wanted = present(hint) if hint is not None else None
        if isinstance(wanted, ListOf):
            items = tuple(self.check(item, wanted.item) for item in node.items)
            if isinstance(wanted, BagOf):
                return bag_of(self, items, wanted, node)
            some = items and not any(isinstance(item.type, Optional | NoneType) for item in items)
            return Tuple_(items, ListOf(present(wanted.item)) if some else wanted)
        if not node.items:
            text = "the type of an empty list cannot be told here"
            raise self.context.add(node.at, "type", text, "name a list, or put a value into it")
        found = [self.infer(item) for item in node.items]
        type: Type | None = found[0].type
        for expr in found[1:]:
            type = None if type is None else unify(type, expr.type, self.context.types)
        if type is None:
            kinds = " and ".join(sorted({show(expr.type) for expr in found}))
            text = f"a list of {kinds} has no one type"
            raise self.context.add(node.at, "type", text, "nothing is converted: give values of one type")
        items = tuple(adapt(self.context, expr, type, node.at) for expr in found)
        return Tuple_(items, ListOf(type))

    # ----------------------------------------------------------------------------------- is, has

    def _is(self, node: IsNode) -> Expr:
        of = self.infer(node.of)
        if node.what in ("present", "none"):
            if path_of(of) in self.scope.proven:  # asked before; the answer is known
                return Literal_(node.what == "present", BOOL)
            if not isinstance(of.type, Optional):
                text = f"{show(of.type)} is never absent"
                raise self.context.add(node.of.at, "never-none", text, "leave the test out")
            return Is(of, "present" if node.what == "present" else "none", None, BOOL)
        self.union_case(of, node.what, node.of.at, node.what_at)
        known = self.known_case(of)
        if known is not None:
            return Literal_(known.case == node.what, BOOL)
        return Is(of, "case", node.what, BOOL)

    def union_case(self, of: Expr, case: str, of_at: At, case_at: At) -> UnionType:
        """The union that `of` is of and that has the case."""
        definition = self.context.definition(present(of.type))
        if not isinstance(definition, UnionType):
            hint = "compare with `==`; `is` asks of a union, or `is none` and `is present`"
            raise self.context.add(of_at, "type", f"{show(of.type)} is not a union", hint)
        names = [known.name for known in definition.cases]
        if case not in names:
            hint = did_you_mean(case, names) or f"it has {one_of(names)}"
            raise self.context.add(
                case_at, "unknown-name", f"{definition.name} has no case `{case[:60]}`", hint
            )
        return definition

    def _has(self, node: HasNode) -> Expr:
        of = self.infer(node.of)
        definition = self.context.definition(present(of.type))
        if not isinstance(definition, FlagsType):
            text = f"`has` tests flags, found {show(of.type)}"
            hint = "compare with `==`; whether a list holds a value is `VALUE in LIST`"
            raise self.context.add(node.of.at, "type", text, hint)
        return Has(of, bit_of(self.context, definition, node.flag, node.flag_at), node.flag, BOOL)
