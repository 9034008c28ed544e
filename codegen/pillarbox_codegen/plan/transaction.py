"""Plans `transaction.py`: all tables together, inside a transaction and as readers.

Depends on: model, names, rules, writer_reads, frame.  Never on: what the tables hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.kept_base import handed_to
from pillarbox_codegen.plan.kept_bases import connections, followers_of_bases, is_late, late_rule
from pillarbox_codegen.plan.kept_refs import made_refs
from pillarbox_codegen.plan.lookups import lookups_of_index, lookups_of_join
from pillarbox_codegen.plan.owned import followers_of, owners_first, owners_of
from pillarbox_codegen.plan.rule_base import Planner
from pillarbox_codegen.plan.rule_count import sums_of
from pillarbox_codegen.plan.rule_join import join_function
from pillarbox_codegen.plan.rules import in_dependency_order
from pillarbox_codegen.plan.writer_reads import sequences_of
from pillarbox_codegen.touches import identity_of

#: Roles of the tables that are handed others: what identifies and numbers their rows.
_WRITTEN: Final = ("primary", "cursor")


@dataclass(frozen=True, slots=True)
class MemberPlan:
    """One table: its attribute, its classes, what its writer is made with."""

    attribute: str
    id: int
    reader: str
    table: str
    arguments: str


@dataclass(frozen=True, slots=True)
class IdentityPlan:
    """An identity: made after its target and before its source."""

    variable: str
    made: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`transaction.py`."""
    imports = frame.imports(".transaction")
    imports.use("collections.abc", "Mapping")
    imports.use("typing", "Any")
    imports.use("pillarbox", "transaction")
    imports.use("pillarbox.storage", "Engine")
    imports.use("pillarbox.tables", "TableReader")
    every = list(schema.tables.values())
    if every:
        imports.use_module(".tables")
    derived = in_dependency_order(schema)
    identities = [table for table in derived if _is_identity(table)]
    text = frame.module(
        doc=f"A transaction of the schema {schema.name!r}, and the readers of its tables.",
        imports=imports,
        template="transaction.py.j2",
        members=[_plan_member(schema, imports, table) for table in every],
        slots=_slots(every),
        reader_slots=_slots(every, "_by_id"),
        early=[
            _plan_member(schema, imports, table)
            # A table that is handed to another comes before it.
            for table in sorted(every, key=lambda table: bool(handed_to(table)))
            if table.role in ("sequence", "derived", "kept")
        ],
        late=[
            _plan_member(schema, imports, table)
            for table in owners_first(schema, [table for table in every if table.role in _WRITTEN])
        ],
        identities=[_plan_identity(imports, table) for table in identities],
        connections=connections(schema, imports),
        wire=_wire(schema, imports, every, derived),
    )
    return {"transaction.py": text}


def _wire(
    schema: model.Schema, imports: Imports, every: list[model.Table], derived: list[model.Table]
) -> str:
    """The statement that tells the runtime which tables hang together."""
    late = [table for table in derived if is_late(schema, table) or isinstance(table.rule, model.Refs)]
    settled = [
        table for table in derived if table in late or (table.role == "derived" and not _is_identity(table))
    ]
    arguments = {
        "identities": [
            f"({_source(table)}, {table.name}_identity)" for table in derived if _is_identity(table)
        ],
        "rules": [rule for table in settled for rule in _rules(schema, imports, table)],
        "sequences": [_self(table) for table in every if table.role == "sequence"],
        "derived": [_self(table) for table in settled],
    }
    kept = {"kept": [_self(table) for table in every if table.role == "kept" and table not in late]}
    arguments |= {name: items for name, items in kept.items() if items}
    bases = followers_of_bases(schema, imports)
    if bases:
        arguments.setdefault("followers", []).extend(bases)
    following = followers_of(schema, imports)
    if following:
        arguments.setdefault("followers", []).extend(following)
        arguments["owned"] = [_self(table) for table in every if table.owned is not None]
    lists = [f"{name}=[{', '.join(items)}]" for name, items in arguments.items()]
    return f"self._wire({', '.join(lists)})"


def _is_identity(table: model.Table) -> bool:
    return isinstance(table.rule, model.Index) and table.rule.unique == "identity"


def _self(table: model.Table) -> str:
    return f"self.{names.table_attribute(table.name)}"


def _source(table: model.Table) -> str:
    assert table.rule is not None, f"{table.name} is not derived"
    return f"self.{names.table_attribute(table.rule.sources[0])}"


def _slots(tables: list[model.Table], *more: str) -> str:
    attributes = [*more, *(names.table_attribute(table.name) for table in tables)]
    return printing.literal(tuple(sorted(attributes, key=printing.natural)))


def _plan_member(schema: model.Schema, imports: Imports, table: model.Table) -> MemberPlan:
    arguments = ["engine", "log"]
    if table.role in ("primary", "cursor"):
        identity = identity_of(table, schema.tables)
        if identity is not None:
            arguments.append(f"{identity.name}_identity")
        owners = owners_of(imports, table)
        arguments += [] if owners is None else [owners]
        arguments += [_self(schema.tables[sequence]) for sequence in sequences_of(table)]
    arguments += [_self(schema.tables[name]) for name in handed_to(table)]
    return MemberPlan(
        attribute=names.table_attribute(table.name),
        id=table.id,
        reader=names.reader_class(table.name),
        table=names.table_class(table),
        arguments=", ".join(arguments),
    )


def _plan_identity(imports: Imports, table: model.Table) -> IdentityPlan:
    rules = imports.use_module(".rules")
    imports.use("pillarbox.maintainers", "Identity")
    functions = ", ".join(
        f"{rules}.{names.identity_function(table.name, what)}" for what in ("key", "cell", "owner")
    )
    return IdentityPlan(
        variable=f"{table.name}_identity",
        made=f"Identity({_self(table)}, {functions})",
    )


def _rules(schema: model.Schema, imports: Imports, table: model.Table) -> list[str]:
    """The maintainers that keep a table, as they stand in a list; mostly one."""
    rules = imports.use_module(".rules")
    match table.rule:
        case model.Count(source=source, further=further):
            word, packed = imports.use("pillarbox.maintainers", "Count"), imports.use_module(".packed")
            functions = {source: names.sums_function(table.name)}
            functions |= {count.source: sums_of(table.name, count.source) for count in further}
            given = f"{packed}.{names.constant(table.name)}"
            return [
                f"{word}(self.{names.table_attribute(name)}, {_self(table)}, {rules}.{function}, {given})"
                for name, function in functions.items()
            ]
        case model.Index(lookups=lookups) as rule if lookups:
            made = lookups_of_index(Planner(schema, imports, table), rule).made((rule.source,))
            given = f"{_source(table)}, {_self(table)}, {made}"
            word = imports.use("pillarbox.maintainers", "LookingIndex")
            return [f"{word}({given}, {rules}.{names.rows_function(table.name)})"]
        case model.Refs():
            return [made_refs(imports, table)]
        case model.Join() as rule:
            made = lookups_of_join(Planner(schema, imports, table), rule).made(rule.drivers)
            drivers = printing.tuple_text([f"self.{names.table_attribute(name)}" for name in rule.drivers])
            given = f"{drivers}, {_self(table)}, {made}"
            word = imports.use("pillarbox.maintainers", "joined")
            return [f"*{word}({given}, {rules}.{join_function(table.name)})"]
        case model.Marker() | model.AnchoredCount():
            return [late_rule(imports, table)]
        case _:
            return [_rule(imports, table)]


def _rule(imports: Imports, table: model.Table) -> str:
    """The maintainer that keeps a table: `Index(self.issues, self.by_label, rules.by_label_rows)`."""
    rules = imports.use_module(".rules")
    match table.rule:
        case model.Index(unique=unique):
            word, given = "UniqueIndex" if unique == "yes" else "Index", names.rows_function(table.name)
        case model.Top() | model.Runs():
            word, given = type(table.rule).__name__, names.constant(table.name)
        case model.Text():
            word, given = "Text", names.text_function(table.name)
        case _:
            raise AssertionError(f"{table.name} is kept by no word of one source")
    return f"{imports.use('pillarbox.maintainers', word)}({_source(table)}, {_self(table)}, {rules}.{given})"
