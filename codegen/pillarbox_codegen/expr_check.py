"""Expressions with types: syntax in, `model.Expr` out, every name resolved.

Depends on: context, expr_calls, expr_make, expr_parse, expr_scope, type_rules.  Never on: what holds it.

Law: what `check` returns fits the expected type; what it refuses has one finding, at the token at fault.
"""

from __future__ import annotations

from dataclasses import replace

from pillarbox_codegen import expr_calls
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_constants import adapt, bit_of, constant, literal, named_value
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
    Binary,
    Call,
    Constant,
    EnumType,
    Expr,
    FlagsType,
    Has,
    If,
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
    Unary,
    UnionType,
)
from pillarbox_codegen.type_rules import (
    BOOL,
    INT64,
    assignable,
    comparable,
    is_int,
    optional,
    ordered,
    plain_list,
    present,
    show,
    unify,
)
from pillarbox_codegen.yaml_nodes import YamlNode


def check_node(context: Context, node: YamlNode, expected: Type | None, scope: Scope) -> Expr:
    """Parse and check a YAML node. `expected` None: any type will do. Raises Invalid after a finding."""
    return check(context, parse_node(node, context.findings), expected, scope)


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
        raise self.context.add(at, "type", text, self._fit_hint(expr.type, expected))

    def _fit_hint(self, found: Type, expected: Type) -> str | None:
        definition = self.context.definition(present(expected))
        match definition:
            case EnumType(values=values):
                return f"write a name: {one_of([name for name, _ in values[:6]])}"
            case UnionType(cases=cases):
                return f"make a case of it: `make({cases[0].name}, field: value)`"
            case None if expected == BOOL:
                return "a condition is a comparison, `is present`, `has`, or a bool"
            case None:
                return None
            case _ if is_int(present(found)):
                return f"give the field, parameter or column it comes from the type {show(present(expected))}"
            case _:
                return None

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
                return self._unary(syntax, hint)
            case BinaryNode():
                return self._binary(syntax, hint)
            case IsNode():
                return self._is(syntax)
            case HasNode():
                return self._has(syntax)
            case IfNode():
                return self._if(syntax, hint)

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

    def narrowed(self, expr: Expr, field: str) -> Expr:
        """The value as the case that a condition has shown it to be, where that has the field."""
        case = self.scope.narrowed.get(path_of(expr) or "")
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
            return bag_of(self, items, wanted, node) if isinstance(wanted, BagOf) else Tuple_(items, wanted)
        if not node.items:
            raise self.context.add(node.at, "type", "the type of an empty list cannot be told here")
        found = [self.infer(item) for item in node.items]
        type: Type | None = found[0].type
        for expr in found[1:]:
            type = None if type is None else unify(type, expr.type, self.context.types)
        if type is None:
            kinds = " and ".join(sorted({show(expr.type) for expr in found}))
            raise self.context.add(node.at, "type", f"a list of {kinds} has no one type")
        items = tuple(adapt(self.context, expr, type, node.at) for expr in found)
        return Tuple_(items, ListOf(type))

    # ---------------------------------------------------------------------------------- operators

    def _unary(self, node: UnaryNode, hint: Type | None) -> Expr:
        if node.op == "not":
            return Unary("not", self.check(node.operand, BOOL), BOOL)
        if isinstance(node.operand, ConstNode) and type(node.operand.value) is int:
            return literal(self.context, ConstNode(-node.operand.value, node.at), hint)
        return Unary("-", self._integer(node.operand), INT64)

    def _integer(self, syntax: Syntax) -> Expr:
        expr = self.infer(syntax)
        if is_int(expr.type):
            return expr
        return (
            self.fit(expr, INT64, syntax.at) if is_int(present(expr.type)) else self._refuse_sum(expr, syntax)
        )

    def _refuse_sum(self, expr: Expr, syntax: Syntax) -> Expr:
        text = f"`+` and `-` take numbers, flags or lists, found {show(expr.type)}"
        raise self.context.add(syntax.at, "type", text)

    def _binary(self, node: BinaryNode, hint: Type | None) -> Expr:
        match node.op:
            case "and" | "or":
                left = self.check(node.left, BOOL)
                scope = self.scope.assume(left, truth=node.op == "and")
                return Binary(node.op, left, self.within(scope).check(node.right, BOOL), BOOL)
            case "//":
                return self._coalesce(node, hint)
            case "+" | "-":
                return self._sum(node, hint)
            case "in":
                return self._in(node)
            case _:
                return self._compare(node)

    def _coalesce(self, node: BinaryNode, hint: Type | None) -> Expr:
        left = self.infer(node.left, None if hint is None else optional(hint))
        if path_of(left) in self.scope.proven:
            self.infer(node.right, left.type)
            return left
        if not isinstance(left.type, Optional | NoneType):
            text = f"the left side of `//` is never absent, it is {show(left.type)}"
            raise self.context.add(node.left.at, "never-none", text, "leave `//` and what follows it out")
        right = self.infer(node.right, present(left.type))
        type = unify(present(left.type), right.type, self.context.types)
        if type is None:
            text = f"the sides of `//` are {show(left.type)} and {show(right.type)}"
            raise self.context.add(node.right.at, "type", text)
        return Binary("//", left, right, type)

    def _sum(self, node: BinaryNode, hint: Type | None) -> Expr:
        left, right = self._pair(node.left, node.right, hint)
        if isinstance(left.type, ListOf) and isinstance(right.type, ListOf) and node.op == "+":
            type = unify(plain_list(left.type), plain_list(right.type), self.context.types)
            if type is None:
                text = f"cannot join {show(left.type)} and {show(right.type)}"
                raise self.context.add(node.at, "type", text)
            return Binary("+", left, right, type)
        if left.type == right.type and isinstance(self.context.definition(left.type), FlagsType):
            return Binary("+" if node.op == "+" else "-", left, right, left.type)
        for expr, syntax in ((left, node.left), (right, node.right)):
            if is_int(present(expr.type)):
                self.fit(expr, INT64, syntax.at)
            else:
                self._refuse_sum(expr, syntax)
        return Binary("+" if node.op == "+" else "-", left, right, INT64)

    def _pair(self, left: Syntax, right: Syntax, hint: Type | None = None) -> tuple[Expr, Expr]:
        """Both sides, the one that can be typed by itself first, so that it tells what the other is."""
        if self._needs_hint(left) and not self._needs_hint(right):
            second = self.infer(right, hint)
            first = self.infer(left, present(second.type))
        else:
            first = self.infer(left, hint)
            second = self.infer(right, present(first.type))
        first = adapt(self.context, first, present(second.type), left.at)
        return first, adapt(self.context, second, present(first.type), right.at)

    def _needs_hint(self, node: Syntax) -> bool:
        match node:
            case NameNode(name=name):
                return name not in self.scope.names
            case ListNode(items=items):
                return not items or any(self._needs_hint(item) for item in items)
            case ConstNode():
                return True
            case AttrNode(of=NameNode(name="seeds")):
                return "seeds" not in self.scope.names
            case CallNode(function="flags"):
                return True
            case _:
                return False

    def _compare(self, node: BinaryNode) -> Expr:
        left, right = self._pair(node.left, node.right)
        types = self.context.types
        if isinstance(left.type, NoneType) or isinstance(right.type, NoneType):
            text = "a comparison with none is never true"
            raise self.context.add(node.at, "type", text, "ask `is none` or `is present`")
        if not comparable(left.type, right.type, types):
            text = f"cannot compare {show(left.type)} with {show(right.type)}"
            raise self.context.add(node.at, "type", text)
        if node.op not in ("==", "!=") and not ordered(left.type, types):
            raise self.context.add(node.at, "type", f"values of {show(left.type)} have no order")
        return Binary(node.op, left, right, BOOL)

    def _in(self, node: BinaryNode) -> Expr:
        if self._needs_hint(node.left) and not self._needs_hint(node.right):
            right = self.infer(node.right)
            item = right.type.item if isinstance(right.type, ListOf) else None
            left = self.infer(node.left, item)
        else:
            left = self.infer(node.left)
            right = self.infer(node.right, ListOf(present(left.type)))
        if isinstance(right.type, Optional):
            self.fit(right, right.type.item, node.right.at)
        if not isinstance(right.type, ListOf):
            text = f"the right side of `in` must be a list, found {show(right.type)}"
            raise self.context.add(node.right.at, "type", text)
        left = adapt(self.context, left, right.type.item, node.left.at)
        if not comparable(left.type, right.type.item, self.context.types):
            text = f"{show(left.type)} is never in {show(right.type)}"
            raise self.context.add(node.at, "type", text)
        return Binary("in", left, right, BOOL)

    def _if(self, node: IfNode, hint: Type | None) -> Expr:
        condition = self.check(node.condition, BOOL)
        then = self.within(self.scope.assume(condition)).infer(node.then, hint)
        otherwise = self.within(self.scope.assume(condition, truth=False)).infer(node.otherwise, hint)
        then = adapt(self.context, then, present(otherwise.type), node.then.at)
        otherwise = adapt(self.context, otherwise, present(then.type), node.otherwise.at)
        type = unify(then.type, otherwise.type, self.context.types)
        if type is None:
            text = f"the branches are {show(then.type)} and {show(otherwise.type)}"
            raise self.context.add(node.at, "type", text, "both must give values of one type")
        return If(condition, then, otherwise, type)

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
        return Is(of, "case", node.what, BOOL)

    def union_case(self, of: Expr, case: str, of_at: At, case_at: At) -> UnionType:
        """The union that `of` is of and that has the case."""
        definition = self.context.definition(present(of.type))
        if not isinstance(definition, UnionType):
            raise self.context.add(of_at, "type", f"{show(of.type)} is not a union")
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
            raise self.context.add(node.of.at, "type", f"`has` tests flags, found {show(of.type)}")
        return Has(of, bit_of(self.context, definition, node.flag, node.flag_at), node.flag, BOOL)
