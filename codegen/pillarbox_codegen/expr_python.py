"""Expressions as Python text that a careful person could have written.

Depends on: expr_compiler, expr_conditions, expr_python_scope, python_code.  Never on: templates, the
statement around it.

Laws. The text evaluates to the expression's value under the schema language's rules: a comparison with
none is false, a path from none is none, a path over a list leaves absent values out, a lookup with an
absent key part is none. Nothing is computed twice. Strict type checking accepts the text wherever the
schema's checker accepted the expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pillarbox_codegen import model
from pillarbox_codegen.expr_compiler import Compiler
from pillarbox_codegen.expr_conditions import condition_of
from pillarbox_codegen.expr_python_scope import USED, Scope, named_before
from pillarbox_codegen.python_code import Code, Condition, Level, Value, both, negated, printed
from pillarbox_codegen.type_rules import present

__all__ = [
    "USED",
    "Scope",
    "compile_clause",
    "compile_code",
    "compile_condition",
    "compile_expr",
    "compile_items",
    "compile_loop",
    "compile_parts",
    "compile_test",
    "compile_value",
]


def compile_expr(expr: model.Expr, scope: Scope) -> str:
    """The value. May stand as an argument, an item or on the right of `=`."""
    return Compiler(scope).whole(expr).text


def compile_code(expr: model.Expr, scope: Scope) -> Code:
    """The value, to be put into a larger expression."""
    return Compiler(scope).whole(expr)


def compile_value(expr: model.Expr, scope: Scope) -> Value:
    """The value with the conditions under which it is there, which stand before it."""
    return Compiler(scope).value(expr)


def compile_condition(expr: model.Expr, scope: Scope, *, opposite: bool = False) -> str:
    """What may stand after `if`: only whether it is true counts."""
    condition = compile_test(expr, scope)
    return printed(negated(condition) if opposite else condition).text


def compile_clause(expr: model.Expr, scope: Scope) -> str:
    """The condition as it stands after `if` inside an expression, where an `if` of its own needs brackets."""
    return printed(compile_test(expr, scope)).at(Level.OR)


def compile_test(expr: model.Expr, scope: Scope) -> Condition:
    """The condition, to be joined with others before it is printed."""
    return condition_of(Compiler(scope), expr)


def compile_items(expr: model.Expr, scope: Scope) -> str:
    """What may stand after `for .. in` of a statement: the items of a list."""
    compiler = Compiler(scope)
    return compiler.closed(compiler.items(expr)).text


def compile_parts(exprs: Iterable[model.Expr], scope: Scope) -> tuple[Condition, list[str]]:
    """Several values, and the condition under which all of them are there."""
    compiler = Compiler(scope)
    values = [compiler.solid(compiler.value(expr)) for expr in exprs]
    return both(guard for value in values for guard in value.guards), [value.code.text for value in values]


def compile_loop(
    named: Iterable[tuple[str, model.Expr]], scope: Scope, element: Callable[[list[str]], str]
) -> tuple[Condition, Code]:
    """A list over all combinations: each expression is one value or a list of them.

    `element` gives the text of one combination; the condition says whether there is anything to go through.
    """
    compiler = Compiler(scope)
    guards: list[Condition] = []
    clauses, texts, outer = "", [], []
    for name, expr in named:
        value = compiler.solid(compiler.value(expr))
        guards += value.guards
        type_ = present(expr.type)
        if not isinstance(type_, model.ListOf):
            texts.append(value.code.text)
            continue
        items = value.code
        if ":=" in items.text:  # which Python does not allow there
            outer.append((scope.fresh("items"), items.text))
            items = Code(outer[-1][0])
        item = scope.fresh(name)
        texts.append(item)
        clauses += f" for {item} in {items.at(Level.OR)}"
        if isinstance(type_.item, model.Optional):
            clauses += f" if {item} is not None"
    text = f"[{element(texts)}{clauses}]"
    return both(guards), named_before(scope, outer, text, "[]") if outer else Code(text)
