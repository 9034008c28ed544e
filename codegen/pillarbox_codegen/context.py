"""What the checks know so far: declared names, checked types and tables, constants.

Depends on: model, findings, expr_scope, yaml_nodes.  Never on: how any of it is checked.

Law: a lookup of something declared but faulty raises Invalid without a finding: its own place has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import At
from pillarbox_codegen.findings import Findings, Invalid
from pillarbox_codegen.model import (
    BagOf,
    CaseOf,
    Cursor,
    Event,
    Field,
    ListOf,
    Local,
    MapOf,
    Named,
    Operation,
    Optional,
    PackedId,
    Protocol,
    PutResult,
    RecordType,
    RowOf,
    Sequence,
    ShownOf,
    SpanOf,
    Table,
    Type,
    TypeDef,
    UnionCase,
    UnionType,
    Update,
    UpdateOf,
    WireOf,
    marks_of,
    places_of,
    users_of,
)
from pillarbox_codegen.names import snake
from pillarbox_codegen.type_rules import present, show
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

#: What a word keeps besides its own table, whose declaration says nothing of it.
#: What to do where somebody reads a sequence.
UNREAD: Final = "read the table whose field it fills"
_BESIDE: Final = {"list": places_of, "ranges": marks_of, "refs": users_of}

ConstantValue: TypeAlias = int | str | bool | tuple[int | str | bool, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One declaration: the node of its name and the mapping below it. `sound`: its shape is right."""

    name: YamlScalar
    body: YamlMap
    sound: bool


@dataclass(slots=True)
class Context:
    findings: Findings
    #: kind -> name -> declaration, faulty ones included.
    declared: dict[str, dict[str, Entry]]
    types: dict[str, TypeDef] = field(default_factory=dict)
    #: case -> its union; filled before types are checked.
    case_unions: dict[str, str] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    sequences: dict[str, Sequence] = field(default_factory=dict)
    cursors: dict[str, Cursor] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    operations: dict[str, Operation] = field(default_factory=dict)
    #: Whether what is checked are steps of an operation.
    in_operation: bool = False
    updates: dict[str, Update] = field(default_factory=dict)
    protocol: Protocol = field(default_factory=Protocol)
    #: Recipes that something asks for, and where the first does.
    asked_recipes: dict[str, YamlNode] = field(default_factory=dict)
    constants: dict[str, ConstantValue] = field(default_factory=dict)
    #: The type and place of the first use of each constant.
    constant_uses: dict[str, tuple[Type, At]] = field(default_factory=dict)

    def entries(self, kind: str) -> dict[str, Entry]:
        return self.declared.get(kind, {})

    def sound(self, kind: str) -> Iterable[tuple[str, Entry]]:
        return ((name, entry) for name, entry in self.entries(kind).items() if entry.sound)

    def add(self, at: At, code: str, text: str, hint: str | None = None) -> Invalid:
        return self.findings.add(at.node, code, text, hint, at.offset)

    # ------------------------------------------------------------------------------------- names

    def table_names(self) -> list[str]:
        """Those that are declared, and those that a word keeps besides."""
        declared = [*self.entries("tables"), *self.entries("sequences"), *self.entries("cursors")]
        return list(dict.fromkeys((*declared, *self.tables)))

    def is_table(self, name: str) -> bool:
        """Whether there is a table of that name, or would be if another one had no findings of its own.

        Whose words are not what a table may say may be meant to keep anything beside it.
        """
        faulty = [(owner, it) for owner, it in self.entries("tables").items() if owner not in self.tables]
        return name in self.table_names() or any(
            beside(owner) == name and (word in it.body.values or not it.sound)
            for owner, it in faulty
            for word, beside in _BESIDE.items()
        )

    def table(self, name: str, at: At) -> Table:
        table = self.tables.get(name)
        if table is not None:
            return table
        if self.is_table(name):
            raise Invalid
        hint = did_you_mean(name, self.table_names()) or "declare it in `tables:`"
        raise self.add(at, "unknown-table", f"there is no table `{name[:60]}`", hint)

    def has_faulty_identity(self, table: str) -> bool:
        """Whether an identity of the table is declared, and has findings of its own."""
        return any(
            _says(index, "from", table) and _says(index, "unique", "identity")
            for name, it in self.entries("tables").items()
            if name not in self.tables
            for index in it.body.values.values()
        )

    def is_faulty_case(self, name: str) -> bool:
        """Whether a type whose words are not what a type may say has something of that name below one."""
        return any(
            isinstance(below, YamlMap) and name in below.values
            for it in self.entries("types").values()
            if not it.sound
            for below in it.body.values.values()
        )

    def interns(self, table: Table) -> bool:
        """Whether it is of a sequence that gives numbers to values, and so is read as well."""
        sequence = self.sequences.get(table.name)
        return sequence is not None and sequence.intern is not None

    def declared_one(self, kind: str, name: str, at: At, code: str, noun: str) -> Entry:
        """The declaration of that name; an unknown name is a finding, a faulty declaration ends quietly."""
        entry = self.entries(kind).get(name)
        if entry is None:
            hint = did_you_mean(name, self.entries(kind)) or f"declare it in `{kind}:`"
            raise self.add(at, code, f"there is no {noun} `{name[:60]}`", hint)
        if not entry.sound:
            raise Invalid
        return entry

    def definition(self, type: Type) -> TypeDef | None:
        """The definition of a named type; ends quietly when that is faulty. None for other types."""
        if not isinstance(type, Named):
            return None
        definition = self.types.get(type.name)
        if definition is None:
            raise Invalid
        return definition

    # ------------------------------------------------------------------------------------- fields

    def case(self, type: CaseOf) -> UnionCase:
        union = self.definition(Named(type.union))
        assert isinstance(union, UnionType)
        return next(case for case in union.cases if case.name == type.case)

    def members(self, type: Type) -> dict[str, Type] | None:
        """Field -> type of what has fields, or none."""
        match type:
            case RowOf(table):
                return row_types(self._known(table))
            case CaseOf():
                return {item.name: item.type for item in self.case(type).fields}
            case PutResult(table):
                return {"was": Optional(RowOf(table)), "row": RowOf(table)}
            case ShownOf(members=members):
                return dict(members)
            case UpdateOf(name) if name:
                if name not in self.updates:
                    raise Invalid
                return {item.name: item.type for item in self.updates[name].fields}
            case WireOf(kind, name) if name:
                if name not in self.protocol.wires(kind):
                    raise Invalid
                return {item.name: item.type for item in self.protocol.wires(kind)[name].fields}
            case SpanOf(by, of):
                return {**dict(by), "least": of, "greatest": of}
            case Named():
                match self.definition(type):
                    case RecordType(fields=fields):
                        return {item.name: item.type for item in fields}
                    case PackedId(parts=parts):
                        return {part.name: part.type for part in parts}
                    case UnionType(facets=facets):
                        cases = {name: Optional(case) for name, case in self.case_types(type).items()}
                        return {**cases, **{facet.name: facet.type for facet in facets}}
        return None

    def _known(self, name: str) -> Table:
        if name not in self.tables:
            raise Invalid
        return self.tables[name]

    def field_type(self, of: Type, name: str, at: At, hint: str | None = None) -> Type:
        """The type of `of.name`, looking through lists and absence. Raises Invalid after a finding.

        `hint`: what to do where there is no such field, if the caller knows better.
        """
        inner = present(of)
        if isinstance(inner, BagOf):
            cases = self.case_types(inner.item)
            if name in cases:
                return Optional(cases[name])
        inner = present(inner.item) if isinstance(inner, ListOf) else inner
        members = self.members(inner)
        if members is None:
            hint = None
            if isinstance(inner, MapOf) and isinstance(inner.value, RowOf):
                scan = f"`{{scan: {inner.value.table}, prefix: [LIST], all: true}}`"
                hint = (
                    f"{scan} reads the rows of these keys into a list, of which `.{name[:60]}` can be named"
                )
            hint = hint or "name the value as it is"
            raise self.add(at, "unknown-field", f"{show(inner)} has no fields", hint)
        if name not in members:
            self._end_at_faulty_facet(inner, name)
            hint = hint or self._case_hint(inner, name) or did_you_mean(name, members)
            hint = hint or (f"it has {one_of(members)}" if members else "it has none")
            raise self.add(at, "unknown-field", f"there is no field `{name[:60]}`", hint)
        return members[name]

    def _end_at_faulty_facet(self, type: Type, name: str) -> None:
        """Ends quietly where a facet of that name is declared, and has findings of its own."""
        if isinstance(self.definition(type), UnionType) and isinstance(type, Named):
            declared = self.entries("types")[type.name].body.values.get("facets")
            if isinstance(declared, YamlMap) and name in declared.values:
                raise Invalid

    def _case_hint(self, type: Type, name: str) -> str | None:
        definition = self.definition(type)
        if isinstance(definition, UnionType):
            for case in definition.cases:
                if any(field.name == name for field in case.fields):
                    return (
                        f"it is a field of {case.name}: ask `is {case.name}` before, "
                        f"or write `.{snake(case.name)}.{name}`"
                    )
        return None

    def case_types(self, union: Type) -> dict[str, CaseOf]:
        """The cases of a union by the names that they have in paths: `edited` for `Edited`."""
        definition = self.definition(union)
        assert isinstance(definition, UnionType)
        return {snake(case.name): CaseOf(definition.name, case.name) for case in definition.cases}


def row_types(table: Table) -> dict[str, Type]:
    """Field -> type of a table's row struct: the key parts, then the fields."""
    return {part.name: part.type for part in table.key} | {item.name: item.type for item in table.fields}


def _says(node: YamlNode | None, key: str, value: str) -> bool:
    """Whether a mapping has this text under a key."""
    found = node.values.get(key) if isinstance(node, YamlMap) else None
    return isinstance(found, YamlScalar) and found.value == value


def row_scope(table: Table) -> Scope:
    """The fields of a source row by bare name; tables cannot be read."""
    names = {name: Local(name, "field", type) for name, type in row_types(table).items()}
    reason = "a derived table is made from the fields of one row; put what it needs into that row"
    return Scope(names, no_lookups=reason)


def is_required(item: Field) -> bool:
    return not item.has_default and item.fill is None and item.computed is None


def at_start(node: YamlNode) -> At:
    return At(node, 0)
