"""Literals, names of enum values and flags, and the constants of `seeds`, typed by where they stand.

Depends on: context, expr_syntax, type_rules.  Never on: operators, calls.

Law: a literal that gets a type fits its range.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from pillarbox_codegen.context import ConstantValue, Context
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import At, ConstNode
from pillarbox_codegen.findings import Invalid
from pillarbox_codegen.model import (
    Constant,
    EnumType,
    EnumValue,
    Expr,
    FlagsType,
    ListOf,
    Literal_,
    Named,
    NoneType,
    RowOf,
    Tuple_,
    Type,
)
from pillarbox_codegen.type_rules import (
    BOOL,
    FLOAT64,
    INT64,
    INT_RANGES,
    TEXT,
    base,
    is_int,
    present,
    show,
    takes_integer,
)


def literal(context: Context, node: ConstNode, hint: Type | None) -> Expr:
    """A literal with its own type, or with the hinted one where it can stand for that."""
    match node.value:
        case None:
            return Literal_(None, NoneType())
        case bool():
            return Literal_(node.value, BOOL)
        case int():
            expr = Literal_(node.value, INT64)
        case str():
            expr = Literal_(node.value, TEXT)
    typed = expr if hint is None else adapt(context, expr, present(hint), node.at)
    if typed.type == INT64 and isinstance(node.value, int):
        check_range(context, node.value, INT64, node.at)
    return typed


def adapt(context: Context, expr: Expr, type: Type, at: At) -> Expr:
    """A literal as a value of `type` where it can be one; everything else as it is."""
    if isinstance(expr, Tuple_) and isinstance(expr.type, ListOf) and isinstance(type, ListOf):
        items = tuple(adapt(context, item, present(type.item), at) for item in expr.items)
        return (
            replace(expr, items=items, type=type) if all(item.type == type.item for item in items) else expr
        )
    if not isinstance(expr, Literal_) or isinstance(expr.value, bool | None):
        return expr
    if isinstance(expr.value, int):
        if takes_integer(type, context.types):
            check_range(context, expr.value, type, at)
            return replace(expr, type=type)
        return replace(expr, type=FLOAT64) if type == FLOAT64 else expr
    return replace(expr, type=type) if base(type, context.types) == TEXT else expr


def check_range(context: Context, value: int, type: Type, at: At) -> None:
    scalar = base(type, context.types)
    if scalar is None or scalar.name not in INT_RANGES:
        return
    low, high = INT_RANGES[scalar.name]
    if not low <= value <= high:
        text = f"{value} does not fit {show(type)}"
        raise context.add(at, "range", text, f"it holds {low} to {high}")


def named_value(context: Context, name: str, hint: Type | None, at: At, scope: Scope | None) -> Expr:
    """The enum value or flag `name` where `hint` is expected. `scope` None: written as `Type.name`."""
    expected = present(hint) if hint is not None else None
    definition = context.definition(expected) if expected is not None else None
    names: list[str] = []
    match definition:
        case EnumType(values=pairs) | FlagsType(bits=pairs):
            names = [known for known, _ in pairs]
            if name in names:
                return EnumValue(definition.name, name, Named(definition.name))
    known = [*names, *(scope.names if scope is not None else ())]
    hint_text = (None if names else _enum_hint(context, name)) or did_you_mean(name, known)
    if hint_text is None and names:
        hint_text = f"{definition.name if definition else ''} has {one_of(names[:8])}"
    elif hint_text is None and name in ("null", "None", "nil"):
        hint_text = "write `none`"
    elif hint_text is None:
        hint_text = _field_hint(context, name, scope) or _other_hint(context, name, scope)
    raise context.add(at, "unknown-name", f"there is no `{name[:60]}` here", hint_text)


def _field_hint(context: Context, name: str, scope: Scope | None) -> str | None:
    """A value in scope that has a field of this name: the one that was named last, as the row at hand."""
    for known, local in reversed(list(scope.names.items())) if scope is not None else ():
        with suppress(Invalid):  # of what has a finding of its own nothing is known
            if name in (context.members(present(local.type)) or {}):
                return f"did you mean `{known}.{name}`?"
    return None


def _enum_hint(context: Context, name: str) -> str | None:
    """Of which enum it is a value."""
    for type, definition in context.types.items():
        if isinstance(definition, EnumType) and name in dict(definition.values):
            return f"`{name}` is a value of {type}, which is not expected here: write `{type}.{name}`"
    return None


def _other_hint(context: Context, name: str, scope: Scope | None) -> str:
    """What the name is elsewhere."""
    if name in context.case_unions:
        return f"it is a case of {context.case_unions[name]}: ask `is {name}`"
    if name in context.cursors:
        parts = [part.name for part in context.cursors[name].parts if scope and part.name in scope.names]
        if parts:
            return f"here its parts have their bare names: {one_of(parts)}"
        row = f"{name}({'KEY' if context.cursors[name].per else '[]'})"
        return f"where the cursor stands is read as `{row}`, in steps"
    if name in context.tables:
        for known, local in scope.names.items() if scope is not None else ():
            if present(local.type) == RowOf(name):
                return f"of the table `{name}` its row is called `{known}` here"
        if scope is not None and scope.no_lookups is not None and name not in scope.lookups:
            return f"of the table `{name}` no rows are looked up here; {scope.no_lookups}"
        return f"of the table `{name}` rows are read as `{name}(KEY)`, or `{name}.prefix([..])`"
    if name == "old":
        return "give the row that stands a name in a step before: `let: {old: TABLE(KEY)}`"
    there = [*scope.names][:8] if scope is not None else []
    hints = [f"there is {all_of(there)}"] if there else []
    if name.isalpha():
        hints.append(f"a text has quotes of its own: \"'{name}'\"")
    return "; ".join(hints) or "nothing has a name here: write the value"


def bit_of(context: Context, flags: FlagsType, name: str, at: At) -> int:
    """The number of the named bit."""
    bits = dict(flags.bits)
    if name not in bits:
        hint = did_you_mean(name, bits) or f"{flags.name} has {one_of(list(bits)[:8])}"
        raise context.add(at, "unknown-name", f"{flags.name} has no flag `{name[:60]}`", hint)
    return bits[name]


def constant(context: Context, name: str, hint: Type | None, at: At) -> Expr:
    """`seeds.NAME`, typed by `hint`; all uses must agree."""
    if name not in context.constants:
        entry = context.entries("seeds").get("constants")
        if entry is not None and (not entry.sound or name in entry.body.values):
            raise Invalid  # what is wrong with the constants is told where they stand
        hint_text = did_you_mean(name, context.constants) or "declare it in `seeds: {constants: {..}}`"
        raise context.add(at, "unknown-constant", f"there is no constant `{name[:60]}` in `seeds`", hint_text)
    value = context.constants[name]
    type = _typed(context, value, hint, at)
    first = context.constant_uses.setdefault(name, (type, at))
    if first[0] != type and not (_is_number(context, first[0]) and _is_number(context, type)):
        place = f"{first[1].node.file.path}:{first[1].node.line}"
        text = f"`seeds.{name}` is {show(type)} here and {show(first[0])} in {place}"
        raise context.add(at, "constant-type", text, "use two constants")
    return Constant(name, value, type)


def texts_hint(context: Context, *types: Type) -> str | None:
    """What to do where names of an enum or of flags are texts and should not be, as a constant holds them of
    which nothing was expected.
    """
    found = [present(of.item) if isinstance(of, ListOf) else of for of in map(present, types)]
    for definition in map(context.definition, found) if TEXT in found else ():
        match definition:
            case EnumType(name=type, values=pairs) | FlagsType(name=type, bits=pairs):
                names = {known for known, _ in pairs}
                for constant, value in context.constants.items():
                    texts = value if isinstance(value, tuple) else (value,)
                    uses = context.constant_uses.get(constant)
                    if uses and uses[0] in (TEXT, ListOf(TEXT)) and names.issuperset(texts):
                        told = ", ".join(f"{type}.{text}" for text in texts)
                        told = f"[{told}]" if isinstance(value, tuple) else told
                        return f"`seeds.{constant}` is of texts where no {type} is expected: write `{told}`"
    return None


def _is_number(context: Context, type: Type) -> bool:
    item = type.item if isinstance(type, ListOf) else type
    return takes_integer(item, context.types)


def _typed(context: Context, value: ConstantValue, hint: Type | None, at: At) -> Type:
    expected = present(hint) if hint is not None else None
    if isinstance(value, tuple):
        item = expected.item if isinstance(expected, ListOf) else None
        types = {_typed(context, one, item, at) for one in value}
        if len(types) > 1:
            text = f"the constant holds {' and '.join(sorted(map(show, types)))}"
            raise context.add(at, "type", text, "give a list values of one type, or make it two constants")
        return ListOf(types.pop() if types else item or INT64)
    natural = BOOL if isinstance(value, bool) else INT64 if isinstance(value, int) else TEXT
    if expected is None or isinstance(expected, ListOf):
        return natural
    definition = context.definition(expected)
    if isinstance(definition, EnumType | FlagsType) and isinstance(value, str):
        known = definition.values if isinstance(definition, EnumType) else definition.bits
        names = [name for name, _ in known]
        if value not in names:
            told = f"the constant holds it; values of {definition.name} are {all_of(names[:8])}"
            raise context.add(at, "unknown-name", f"there is no `{value[:60]}` here", told)
        return expected
    fitted = adapt(context, Literal_(value, natural), expected, at)
    return fitted.type if not (is_int(fitted.type) and is_int(expected)) else expected
