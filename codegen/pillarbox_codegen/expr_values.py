"""Calls, and what is made of named values, as Python: the larger pieces of the compiler.

Depends on: model, python_code, expr_conditions, plan (names, hints).  Never on: paths, operators.

Law: as of the compiler: a value is its code where all its guards hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pillarbox_codegen import model
from pillarbox_codegen.expr_conditions import condition_of
from pillarbox_codegen.expr_copies import ITEM
from pillarbox_codegen.expr_python_scope import HELPERS, gone_over
from pillarbox_codegen.plan import hints
from pillarbox_codegen.plan import names as naming
from pillarbox_codegen.python_code import (
    FALSE,
    TRUE,
    Code,
    Condition,
    Level,
    Value,
    as_test,
    is_cheap,
    is_path,
    printed,
)

if TYPE_CHECKING:
    from pillarbox_codegen.expr_compiler import Compiler


def make(compiler: Compiler, expr: model.Make) -> Value:
    """What is made of named values."""
    given = dict(expr.fields)
    definition = compiler.schema.types[expr.target.name] if isinstance(expr.target, model.Named) else None
    if isinstance(definition, model.PackedId):
        guards, codes = compiler.parts(given[part.name] for part in definition.parts)
        function = compiler.imports.use(".types", naming.pack_function(definition.name))
        return Value(Code(f"{function}({_commas(codes)})"), guards)
    if isinstance(definition, model.PatchType):
        return _patch(compiler, definition, given)
    order = [field.name for field in compiler.fields_of(expr.target) if field.name in given]
    guards, codes = compiler.parts(given[name] for name in order)
    texts = [f"{naming.field(name)}={code.text}" for name, code in zip(order, codes, strict=True)]
    made = hints.annotation(compiler.schema, compiler.imports, expr.target)
    return Value(Code(f"{made}({', '.join(texts)})"), guards)


def _patch(compiler: Compiler, patch: model.PatchType, given: Mapping[str, model.Expr]) -> Value:
    """A patch; a change whose value is absent is left out where the field cannot be."""
    texts = []
    for field in patch.fields:
        change = given.get(field.name)
        if not isinstance(change, model.Call):
            continue
        (how,) = change.names
        made = compiler.imports.use("pillarbox.codec", f"Patch{how.capitalize()}")
        if how == "set" and isinstance(field.type, model.Optional):
            value = Value(compiler.whole(change.arguments[0]))
        else:
            guards, codes = _solids(compiler, change.arguments)
            value = Value(Code(_commas(codes)), guards)
        code = compiler.closed(Value(Code(f"{made}({value.code.text})"), value.guards))
        texts.append(f"{naming.field(field.name)}={code.text}")
    made = hints.annotation(compiler.schema, compiler.imports, model.Named(patch.name))
    return Value(Code(f"{made}({', '.join(texts)})"))


def _solids(compiler: Compiler, exprs: Iterable[model.Expr]) -> tuple[tuple[Condition, ...], list[Code]]:
    """Values, and the conditions under which all of them are there."""
    values = [compiler.solid(compiler.value(expr)) for expr in exprs]
    return tuple(guard for value in values for guard in value.guards), [value.code for value in values]


def call(compiler: Compiler, expr: model.Call) -> Value:
    """A function of the language."""
    arguments = expr.arguments
    match expr.function:
        case "case":
            name = compiler.imports.use(".types", naming.type_class(expr.names[0]))
            value = compiler.value(arguments[0])
            if isinstance(expr.type, model.Optional) or compiler.scope.declared is not None:
                return _narrowed(compiler, value, name)
            if is_path(value.code):
                return Value(value.code, value.guards)
            text = f"{compiler.imports.use(HELPERS, 'as_case')}({value.code.text}, {name})"
            return Value(Code(text), value.guards)
        case "changed":
            return _changed(compiler, expr)
        case "having" | "without":
            return _chosen(compiler, expr)
        case "cases":
            return _cases(compiler, expr)
        case "flags":
            return Value(_flags(compiler, expr))
        case "concat":
            return _concat(compiler, arguments)
        case "div" | "mod":
            return _parted(compiler, expr.function, arguments)
        case "min" | "max":
            guards, codes = compiler.parts(arguments)
            return Value(Code(f"{expr.function}({_commas(codes)})"), guards)
        case "number":
            guards, codes = compiler.parts(arguments)
            name = compiler.imports.use(".types", naming.type_class(expr.names[0]))
            return Value(Code(f"{name}({_commas(codes)})"), guards)
        case "encoded":
            guards, codes = compiler.parts(arguments)
            function = compiler.imports.use("pillarbox.codec", "encoded")
            return Value(Code(f"{function}({_commas(codes)})"), guards)
        case "size":
            value = compiler.items(arguments[0])
            return Value(Code(f"len({value.code.text})"), value.guards)
    values = [compiler.items(argument) for argument in arguments]
    guards = tuple(guard for value in values for guard in value.guards)
    function = compiler.imports.use(HELPERS, expr.function)
    text = f"{function}({_commas(value.code for value in values)})"
    return Value(Code(text), guards, nullable=isinstance(expr.type, model.Optional))


def _changed(compiler: Compiler, expr: model.Call) -> Value:
    """A copy with other fields, or a bag with other cases."""
    of = compiler.solid(compiler.value(expr.arguments[0]))
    guards, codes = compiler.parts(expr.arguments[1:])
    if isinstance(expr.type, model.BagOf):
        text = of.code.text
        for code in codes:
            text = f"{compiler.imports.use('pillarbox.codec', 'with_case')}({text}, {code.text})"
        return Value(Code(text), (*of.guards, *guards))
    function = compiler.imports.use("msgspec.structs", "replace")
    texts = [f"{naming.field(name)}={code.text}" for name, code in zip(expr.names, codes, strict=True)]
    return Value(Code(f"{function}({of.code.text}, {', '.join(texts)})"), (*of.guards, *guards))


def _chosen(compiler: Compiler, expr: model.Call) -> Value:
    """The items of a list that answer a condition, or those that do not."""
    of, condition = compiler.items(expr.arguments[0]), expr.arguments[1]
    assert isinstance(expr.type, model.ListOf)
    item = compiler.scope.fresh("item")
    inner = compiler.naming(ITEM, item, expr.type.item)
    asked = condition if expr.function == "having" else model.Unary("not", condition, condition.type)
    test = printed(condition_of(inner, asked)).at(Level.OR)
    code = gone_over(
        compiler.scope, of.code.text, lambda items: f"tuple([{item} for {item} in {items} if {test}])", "()"
    )
    return Value(code, of.guards)


def left_over(compiler: Compiler, left: model.Expr, right: model.Expr) -> Value:
    """The items of a list that are not in another."""
    of, gone = compiler.items(left), compiler.items(right)
    item, rest = compiler.scope.fresh("item"), compiler.scope.fresh("rest")
    guards = (*of.guards, *gone.guards)
    if ":=" not in of.code.text and ":=" not in gone.code.text:
        loops = f"for {rest} in [{gone.code.text}] for {item} in {of.code.at(Level.OR)}"
        return Value(Code(f"tuple([{item} {loops} if {item} not in {rest}])"), guards)
    items = compiler.scope.fresh("items")  # what gives a name cannot stand in a comprehension
    found = f"lambda {items}: tuple([{item} for {item} in {items}[0] if {item} not in {items}[1]])"
    let = compiler.imports.use(HELPERS, "let")
    return Value(Code(f"{let}(({of.code.text}, {gone.code.text}), {found})"), guards)


def _cases(compiler: Compiler, expr: model.Call) -> Value:
    """The items of a list that are of one class."""
    value = compiler.items(expr.arguments[0])
    name = compiler.imports.use(".types", naming.type_class(expr.names[0]))
    function = compiler.imports.use(HELPERS, "of_cases")
    return Value(Code(f"{function}({value.code.text}, {name})"), value.guards)


def _narrowed(compiler: Compiler, value: Value, name: str) -> Value:
    """The value where it is of the class `name`."""
    code = value.code
    if is_cheap(code):
        return Value(code, (*value.guards, as_test(Code(f"isinstance({code.text}, {name})"))))
    named = Code(compiler.scope.fresh("case"))
    found = as_test(Code(f"isinstance({named.text} := {code.text}, {name})"))
    return Value(named, (*value.guards, found))


def _flags(compiler: Compiler, expr: model.Call) -> Code:
    assert isinstance(expr.type, model.Named)
    definition = compiler.schema.types[expr.type.name]
    assert isinstance(definition, model.FlagsType)
    numbers = {flag: 1 << bit for flag, bit in definition.bits}
    pieces = []
    for name, argument in zip(expr.names, expr.arguments, strict=True):
        condition = condition_of(compiler, argument)
        if condition == TRUE:
            pieces.append(Code(str(numbers[name])))
        elif condition != FALSE:
            text = f"{numbers[name]} if {printed(condition).at(Level.OR)} else 0"
            pieces.append(Code(text, Level.TERNARY))
    if len(pieces) < 2:
        return pieces[0] if pieces else Code("0")
    return Code(" | ".join(piece.at(Level.BIT_OR) for piece in pieces), Level.BIT_OR)


def _parted(compiler: Compiler, name: str, arguments: Iterable[model.Expr]) -> Value:
    """Python's `//` and `%` round as the language does: down, below 0 as well."""
    number, by = (compiler.solid(compiler.value(argument)) for argument in arguments)
    sign = "//" if name == "div" else "%"
    text = f"{number.code.at(Level.PRODUCT)} {sign} {by.code.at(Level.UNARY)}"
    return Value(Code(text, Level.PRODUCT), (*number.guards, *by.guards))


def _concat(compiler: Compiler, arguments: Iterable[model.Expr]) -> Value:
    """Texts one behind the other; those of a list are parted by blanks."""
    guards: list[Condition] = []
    codes = []
    for argument in arguments:
        if isinstance(argument.type, model.ListOf):
            value = compiler.items(argument)
            codes.append(Code(f'" ".join({value.code.text})'))
        else:
            value = compiler.solid(compiler.value(argument))
            codes.append(value.code)
        guards += value.guards
    text = " + ".join(code.at(Level.SUM) for code in codes)
    return Value(Code(text, Level.SUM if len(codes) > 1 else codes[0].level), tuple(guards))


def scan(compiler: Compiler, expr: model.Scan) -> Value:
    """Rows under a prefix, or one of them."""
    assert compiler.scope.table is not None, "scans were refused here"
    guards, codes = _solids(compiler, (*expr.prefix, *expr.at))
    table = compiler.scope.table(expr.table)
    length = len(expr.prefix)
    under = _beginning(compiler, expr.table, codes[:length])
    if expr.end == "all":
        rows = f"{table}.rows_under({under})" if length else f"{table}.all()"
        return Value(Code(rows), guards)
    method = "first_row" if expr.end in ("first", "ceiling") else "last_row"
    near = f", {_beginning(compiler, expr.table, codes)}" if expr.at else ""
    return Value(Code(f"{table}.{method}({under}{near})"), guards, nullable=True)


def _beginning(compiler: Compiler, table: str, codes: list[Code]) -> str:
    """What stored keys begin with, or a whole one."""
    if not codes:
        return 'b""'
    whole = len(codes) == len(compiler.schema.tables[table].key)
    function = naming.key_function(table) if whole else naming.prefix_function(table, len(codes))
    return f"{compiler.imports.use('.keys', function)}({_commas(codes)})"


def spans(compiler: Compiler, expr: model.Spans) -> Value:
    """The least and the greatest of each group."""
    rows = compiler.items(expr.rows)
    assert isinstance(expr.rows.type, model.ListOf)
    item = compiler.scope.fresh("item")
    inner = compiler.within(compiler.fields_of(expr.rows.type.item), item)
    parts = [inner.whole(part).text for _, part in expr.by]
    group = f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    function = compiler.imports.use(HELPERS, "spans")
    measured = inner.whole(expr.of).text
    return Value(
        Code(f"{function}({rows.code.text}, lambda {item}: {group}, lambda {item}: {measured})"), rows.guards
    )


def of_span(of: Code, span: model.SpanOf, name: str) -> tuple[Code, model.Type]:
    """A part of a span's group, or one of its ends."""
    for place, (part, type_) in enumerate(span.by):
        if part == name:
            return Code(f"{of.at(Level.ATOM)}.key[{place}]"), type_
    return Code(f"{of.at(Level.ATOM)}.{name}"), span.of


def _commas(codes: Iterable[Code]) -> str:
    return ", ".join(code.text for code in codes)
