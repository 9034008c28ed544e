"""Rows, records, union cases and packed ids made of named fields, and `case`.

Depends on: context, expr_syntax, findings.  Never on: operators, other functions.

Law: what is made has every field that has no default, each of its type, and no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pillarbox_codegen.context import Context, is_required
from pillarbox_codegen.diagnostics import all_of, did_you_mean, left_out, one_of
from pillarbox_codegen.expr_patches import make_patch
from pillarbox_codegen.expr_syntax import At, CallNode, ListNode, MapNode, NamedNode, NameNode, Syntax
from pillarbox_codegen.findings import Invalid
from pillarbox_codegen.model import (
    BagOf,
    Call,
    CaseOf,
    Expr,
    IdType,
    Make,
    Named,
    Optional,
    PackedId,
    PatchType,
    RecordType,
    RowOf,
    Tuple_,
    Type,
    UnionType,
    UpdateOf,
)
from pillarbox_codegen.type_rules import base, present, show

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker


def count_arguments(checker: ExprChecker, node: CallNode, low: int, high: int | None, usage: str) -> None:
    given = len(node.arguments)
    if given < low or (high is not None and given > high):
        text = f"`{node.function}` has {given} argument{'s' if given != 1 else ''}"
        raise checker.context.add(node.at, "arguments", text, f"write `{usage}`")


def refuse_repeats(context: Context, named: Sequence[NamedNode]) -> None:
    for index, argument in enumerate(named):
        if argument.name in {earlier.name for earlier in named[:index]}:
            raise context.add(
                argument.at, "arguments", f"`{argument.name}` is given twice", "keep one of the two"
            )


def case(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    count_arguments(checker, node, 2, 2, "case(value, Case)")
    of, name = checker.infer(node.arguments[0]), node.arguments[1]
    if not isinstance(name, NameNode):
        raise checker.context.add(
            name.at, "arguments", "expected the name of a case", "write `case(value, Case)`"
        )
    union = checker.union_case(of, name.name, node.arguments[0].at, name.at)
    known = checker.known_case(of)
    if known is None:
        return Call("case", (of,), Optional(CaseOf(union.name, name.name)), (name.name,))
    if known.case != name.name:
        text = f"it is `{known.case}` here, and never `{name.name}`"
        raise checker.context.add(name.at, "type", text, "leave it out")
    return Call("case", (of,), known, (name.name,))


def make(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    if len(node.arguments) == 2 and not node.named and isinstance(node.arguments[0], NameNode):
        return _out_of_number(checker, node.arguments[0], node.arguments[1])
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], NameNode):
        text = "`make` takes a type, union case or table, then named fields"
        raise checker.context.add(node.at, "arguments", text, "write `make(Type, field: value, ..)`")
    target = _make_target(checker.context, node.arguments[0], hint)
    return _make_fields(checker, target, node.named, node.at)


def _out_of_number(checker: ExprChecker, name: NameNode, number: Syntax) -> Expr:
    """`make(Id, number)`: an id as it is stored."""
    context = checker.context
    definition = context.definition(Named(name.name)) if name.name in context.entries("types") else None
    if not isinstance(definition, IdType | PackedId):
        text = f"`{name.name[:60]}` is no id"
        raise context.add(name.at, "arguments", text, "write `make(Type, field: value, ..)`")
    stored = base(Named(name.name), context.types)
    assert stored is not None
    return Call("number", (checker.check(number, stored),), Named(name.name), (name.name,))


def _make_target(context: Context, node: NameNode, hint: Type | None) -> Type:
    name = node.name
    if isinstance(hint, UpdateOf) and name in context.entries("updates"):
        return UpdateOf(name)
    if name in context.entries("types"):
        definition = context.definition(Named(name))
        if isinstance(definition, RecordType | PackedId | PatchType):
            return Named(name)
        if isinstance(definition, UnionType):
            names = one_of([case.name for case in definition.cases[:8]])
            raise context.add(node.at, "arguments", f"{name} is a union", f"make one of its cases: {names}")
        raise context.add(node.at, "arguments", f"{name} has no fields", "write the value itself")
    if name in context.case_unions:
        return CaseOf(context.case_unions[name], name)
    if context.is_table(name):
        return RowOf(context.table(name, node.at).name)
    if context.is_faulty_case(name):
        raise Invalid
    known = [*context.entries("types"), *context.case_unions, *context.table_names()]
    if isinstance(hint, UpdateOf):
        known += context.entries("updates")
    told = did_you_mean(name, known) or "name a record, a case, a packed id, a table or a patch"
    raise context.add(node.at, "unknown-type", f"there is no type `{name[:60]}` to make", told)


def make_mapping(checker: ExprChecker, node: MapNode, hint: Type | None) -> Expr:
    """A YAML mapping where a row, record or packed id is expected."""
    expected = present(hint) if hint is not None else None
    definition = checker.context.definition(expected) if expected is not None else None
    if expected is None or not (
        isinstance(expected, RowOf | CaseOf) or isinstance(definition, RecordType | PackedId | PatchType)
    ):
        wanted = "something else" if expected is None else show(expected)
        hint_text = "write one expression; a text with `: ` in it stands in quotes"
        if isinstance(definition, UnionType):
            hint_text = f"choose a case in text: `make({definition.cases[0].name}, ..)`"
        raise checker.context.add(node.at, "type", f"found a mapping, expected {wanted}", hint_text)
    return _make_fields(checker, expected, node.fields, node.at)


def _make_fields(checker: ExprChecker, target: Type, named: Sequence[NamedNode], at: At) -> Make:
    context = checker.context
    refuse_repeats(context, named)
    patch = context.definition(target)
    if isinstance(patch, PatchType):
        return make_patch(checker, patch, named)
    members = context.members(target)
    assert members is not None
    with context.findings.together() as block:
        found = [(field.name, block.attempt(_make_field, checker, target, field, members)) for field in named]
        missing = left_out(sorted(required_names(context, target)), [field.name for field in named], members)
        if missing:
            text = f"{show(target)} needs {all_of(missing)}"
            raise context.add(at, "missing-key", text, "give every field that has no default")
    return Make(target, tuple((name, expr) for name, expr in found if expr is not None), target)


def _make_field(checker: ExprChecker, target: Type, field: NamedNode, members: dict[str, Type]) -> Expr:
    if field.name not in members:
        hint = did_you_mean(field.name, members) or (
            f"it has {one_of(members)}" if members else "it has none"
        )
        text = f"{show(target)} has no field `{field.name[:60]}`"
        raise checker.context.add(field.at, "unknown-field", text, hint)
    return checker.check(field.value, members[field.name])


def bag_of(checker: ExprChecker, items: tuple[Expr, ...], bag: BagOf, node: ListNode) -> Expr:
    """A bag of values whose cases are told apart here, in the order of their numbers."""
    definition = checker.context.definition(bag.item)
    assert isinstance(definition, UnionType)
    numbers = {case.name: case.number for case in definition.cases}
    found: dict[int, Expr] = {}
    for item, syntax in zip(items, node.items, strict=True):
        if not isinstance(item.type, CaseOf):
            text = f"of which case of {definition.name} this is cannot be told here"
            raise checker.context.add(syntax.at, "type", text, "make it here: `make(Case, ..)`")
        if numbers[item.type.case] in found:
            text = f"the bag has another {item.type.case} already"
            raise checker.context.add(syntax.at, "arguments", text, "keep one of the two")
        found[numbers[item.type.case]] = item
    return Tuple_(tuple(found[number] for number in sorted(found)), bag)


def required_names(context: Context, target: Type) -> set[str]:
    """The fields that have neither a default nor a sequence to fill them."""
    match target:
        case RowOf(name):
            table = context.tables[name]
            keys = {part.name for part in table.key if part.fill is None}
            return keys | {field.name for field in table.fields if is_required(field)}
        case CaseOf():
            return {field.name for field in context.case(target).fields if is_required(field)}
        case UpdateOf(name):
            return {field.name for field in context.updates[name].fields if is_required(field)}
        case _:
            match context.definition(target):
                case RecordType(fields=fields):
                    return {field.name for field in fields if is_required(field)}
                case PackedId(parts=parts):
                    return {part.name for part in parts}
                case _:
                    return set()
