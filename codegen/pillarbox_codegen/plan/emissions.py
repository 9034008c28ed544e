"""What an update, a row of a source or an answer becomes: operations and questions, made of its fields.

Depends on: model, expr_python, statements, step_match, steps (how operations are called), names.  Never on:
other steps.

Law: what comes out is in the order of `emits`, that of one `each` in the order of its list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TypeAlias

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_items, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.step_match import choice
from pillarbox_codegen.plan.steps import arguments_text
from pillarbox_codegen.printing import literal
from pillarbox_codegen.python_code import TRUE
from pillarbox_codegen.statements import Line, Statement, branch, comprehension, lines_of, loop, with_lines

#: What is done with the text of one thing that comes out.
Put: TypeAlias = Callable[[str], str]


def listed(emits: Sequence[model.Emitted], scope: Scope, of: str | None = None) -> list[str]:
    """The lines of a function that gives them as a list; `of` is the text of their type, else `Operation`."""
    emitted = scope.fresh("emitted")
    always = list(takewhile(is_always, emits))
    first = ", ".join(lines_of(statements_of(always, scope, str)))
    rest = emits[len(always) :]
    if not rest:
        return [f"return [{first}]"]
    if any(isinstance(entry, model.SwitchEntry) for entry in rest):
        added = statements_of(rest, scope, lambda text: f"{emitted}.append({text})")
    else:
        plain = statements_of(rest, scope, str)
        inside = None if always else comprehension(plain)
        if inside is not None:
            return [f"return [{inside}]"]
        added = list(with_lines(plain, lambda text: f"{emitted}.append({text})"))
    kind = of or scope.imports.use(".operations", "Operation")
    return [f"{emitted}: list[{kind}] = [{first}]", *lines_of(added), f"return {emitted}"]


def is_always(entry: model.Emitted) -> bool:
    """Whether it is one thing, whatever the fields say."""
    return entry.each is None and entry.when is None and not isinstance(entry, model.SwitchEntry)


def yielded(emits: Sequence[model.Emitted], scope: Scope) -> list[str]:
    """The lines of a generator of them."""
    return lines_of(statements_of(emits, scope, lambda text: f"yield {text}")) or ["yield from ()"]


def statements_of(emits: Sequence[model.Emitted], scope: Scope, put: Put) -> list[Statement]:
    """What makes them, each on a line of its own."""
    return [statement for entry in emits for statement in _entry(entry, scope, put)]


def _entry(entry: model.Emitted, scope: Scope, put: Put) -> Sequence[Statement]:
    each = entry.each
    if each is None:
        return _conditional(entry, scope, put)
    items = compile_items(each.items, scope)
    name = scope.of_loop(each.name, each.items.type)
    return loop(name, items, _conditional(entry, scope.bind(**{each.name: name}), put))


def _conditional(entry: model.Emitted, scope: Scope, put: Put) -> Sequence[Statement]:
    when = TRUE if entry.when is None else compile_test(entry.when, scope)
    if isinstance(entry, model.SwitchEntry):
        cases = [(case.name, tuple(statements_of(case.emits, scope, put))) for case in entry.cases]
        other = None if entry.other is None else tuple(statements_of(entry.other, scope, put))
        return branch(when, choice(entry.of, cases, other, scope))
    return branch(when, [Line(put(_made(entry, scope)))])


def _made(entry: model.Emission | model.PollEntry | model.ResetEntry, scope: Scope) -> str:
    match entry:
        case model.Emission():
            class_name = scope.imports.use(".operations", names.class_name(entry.operation))
            return f"{class_name}({arguments_text(entry.arguments, scope)})"
        case model.PollEntry():
            poll = scope.imports.use("pillarbox.sync", "Poll")
            arguments = [str(scope.schema.tables[entry.cursor].id)]
            if entry.key:
                arguments.append(key_text(entry.cursor, entry.key, scope))
            if entry.hint is not None:
                hint = compile_expr(entry.hint, scope)
                arguments.append(hint if entry.key else f"hint={hint}")
            return f"{poll}({', '.join(arguments)})"
        case model.ResetEntry():
            reset = scope.imports.use("pillarbox.sync", "ResetAsk")
            key = f", {key_text(entry.cursor, entry.key, scope)}" if entry.key else ""
            return f"{reset}({literal(entry.reset)}{key})"


def key_text(table: str, key: Sequence[model.Expr], scope: Scope) -> str:
    """The stored key of a row, or of one instance of a cursor."""
    function = scope.imports.use(".keys", names.key_function(table))
    return f"{function}({', '.join(compile_expr(part, scope) for part in key)})"
