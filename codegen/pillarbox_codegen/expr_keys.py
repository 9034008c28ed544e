"""Keys in expressions: one value a part, or one value that has all parts by name.

Depends on: context, expr_syntax, type_rules.  Never on: what is found under a key.

Law: what comes back has one expression a part, each of its part's type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pillarbox_codegen.expr_syntax import AttrNode, ListNode, NameNode, Syntax
from pillarbox_codegen.model import CaseOf, Expr, ListOf, RecordType, RowOf, Table, Type
from pillarbox_codegen.touches import identity_of
from pillarbox_codegen.type_rules import assignable, optional, present, show

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker


class RowKey(NamedTuple):
    """`by`: the identity that the key is of; none where it is the table's own."""

    parts: tuple[Expr, ...]
    by: str | None


def row_key(checker: ExprChecker, syntax: Syntax, table: Table, *, may_be_none: bool) -> RowKey:
    """The key of a row, or its identity: told apart by how many parts there are, or by their names."""
    parts = _parts(table)
    identity = identity_of(table, checker.context.tables)
    if identity is not None and not _spreads(checker, syntax, parts):
        own = _parts(identity)
        items = syntax.items if isinstance(syntax, ListNode) else (syntax,)
        if _spreads(checker, syntax, own) or (len(items) != len(parts) and len(items) == len(own)):
            return RowKey(key_parts(checker, syntax, own, may_be_none=may_be_none), identity.name)
        if len(own) == len(parts) and isinstance(syntax, ListNode):
            _refuse_identity(checker, syntax, parts, own)
    elif identity is None and checker.context.has_faulty_identity(table.name):
        items = syntax.items if isinstance(syntax, ListNode) else (syntax,)
        others = len(items) != len(parts) or _members(checker, syntax)
        if others and not _spreads(checker, syntax, parts):  # it is the identity, then, of which is told
            raise checker.context.findings.silent()
    return RowKey(key_parts(checker, syntax, parts, may_be_none=may_be_none), None)


def _refuse_identity(
    checker: ExprChecker, syntax: ListNode, parts: Sequence[tuple[str, Type]], own: Sequence[tuple[str, Type]]
) -> None:
    """A finding where the values of a list are those of an identity that is as long as the key."""
    types = checker.context.types
    if len(syntax.items) != len(own) or not all(_is_named(checker, item) for item in syntax.items):
        return
    found = [present(checker.infer(item).type) for item in syntax.items]

    def fit(wanted: Sequence[tuple[str, Type]]) -> bool:
        return all(assignable(type, part, types) for type, (_, part) in zip(found, wanted, strict=True))

    if fit(own) and not fit(parts):
        key, identity = (f"[{', '.join(name for name, _ in of)}]" for of in (parts, own))
        text = (
            f"a list of {len(parts)} is the key {key}; the identity {identity} is as long, and told by names"
        )
        raise checker.context.add(syntax.at, "type", text, _by_names(checker, own))


def _is_named(checker: ExprChecker, syntax: Syntax) -> bool:
    """Whether it is a path, whose type hangs on nothing that is expected of it."""
    while isinstance(syntax, AttrNode):
        syntax = syntax.of
    return isinstance(syntax, NameNode) and syntax.name in checker.scope.names


def _by_names(checker: ExprChecker, parts: Sequence[tuple[str, Type]]) -> str:
    """How to name the parts: by a record that has them, and nothing else that must be given."""
    wanted = dict(parts)
    made = ", ".join(f"{name}: .." for name in wanted)
    for record in checker.context.types.values():
        if isinstance(record, RecordType) and {it.name: it.type for it in record.fields} == wanted:
            return f'write `let: {{it: "make({record.name}, {made})"}}` before, and `it` here'
    fields = ", ".join(f"{name}: [{n}, {show(type)}]" for n, (name, type) in enumerate(parts, 1))
    before = f'`let: {{it: "make(Named, {made})"}}` before'
    return f"declare a type `Named: {{record: {{{fields}}}}}`, and write {before} and `it` here"


def _parts(table: Table) -> list[tuple[str, Type]]:
    return [(part.name, part.type) for part in table.key]


def key_parts(
    checker: ExprChecker, syntax: Syntax, parts: Sequence[tuple[str, Type]], *, may_be_none: bool,
    prefix: bool = False, lists: bool = False,
) -> tuple[Expr, ...]:  # fmt: skip
    """One expression a key part. A lone part needs no brackets; a prefix may be shorter than the key.
    With `lists` a part may be given as a list of values.

    A value that has all the parts as fields stands for them.
    """
    items: Sequence[Syntax] = syntax.items if isinstance(syntax, ListNode) else (syntax,)
    if _spreads(checker, syntax, parts):
        items = [AttrNode(syntax, name, syntax.at, syntax.at) for name, _ in parts]
    if len(items) > len(parts) or (len(items) < len(parts) and not prefix):
        wanted = f"[{', '.join(name for name, _ in parts)}]"
        count = f"{'at most ' if prefix else ''}{len(parts)} part{'s' if len(parts) != 1 else ''}"
        text = f"the key has {count}, {len(items)} given"
        raise checker.context.add(syntax.at, "key-parts", text, f"the parts are {wanted}")
    check = partial(_list_or_one, checker) if lists else checker.check
    with checker.context.findings.together() as block:
        found = [
            block.attempt(check, item, optional(type) if may_be_none else type)
            for item, (_, type) in zip(items, parts, strict=False)
        ]
    return tuple(expr for expr in found if expr is not None)


def _list_or_one(checker: ExprChecker, syntax: Syntax, type: Type) -> Expr:
    """One value of the type, or a list of such."""
    expr = checker.infer(syntax, present(type))
    if isinstance(present(expr.type), ListOf):
        return checker.fit(expr, optional(ListOf(type)), syntax.at)
    return checker.fit(expr, type, syntax.at)


def _spreads(checker: ExprChecker, syntax: Syntax, parts: Sequence[tuple[str, Type]]) -> bool:
    """Whether it is a path to a row or record that has all the parts by name."""
    members = _members(checker, syntax)
    return bool(parts and members) and all(name in members for name, _ in parts)


def _members(checker: ExprChecker, syntax: Syntax) -> Mapping[str, Type]:
    """What a path to a row or record has by name; nothing of anything else."""
    root = syntax
    while isinstance(root, AttrNode):
        root = root.of
    if not isinstance(root, NameNode) or root.name not in checker.scope.names:
        return {}
    type = present(checker.infer(syntax).type)
    if not isinstance(type, RowOf | CaseOf) and not isinstance(checker.context.definition(type), RecordType):
        return {}
    return checker.context.members(type) or {}
