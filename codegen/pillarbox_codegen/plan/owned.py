"""Plans the options `owned` and `bound`: what a table's class and the transaction need for them.

Depends on: model, expr_python, ranges_of, names, hints, frame.  Never on: writers, the transaction.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_expr
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.ranges_of import range_of
from pillarbox_codegen.plan.refs_of import refs_of
from pillarbox_codegen.plan.structs import row_fields


@dataclass(frozen=True, slots=True)
class OwnedPlan:
    """The functions between rows and their owners."""

    template: str
    table: str
    row_class: str
    owner_class: str
    key_function: str
    key_type: str
    key: str
    range_function: str
    range: str
    #: With `via`: an owner's own key, by its function.
    self_function: str
    self_key: str


@dataclass(frozen=True, slots=True)
class BoundPlan:
    """A BoundShape and the functions it names."""

    template: str
    table: str
    constant: str
    shape: str
    row_class: str
    keep: int
    range: str
    order: str


def plan_options(schema: model.Schema, imports: Imports) -> list[OwnedPlan | BoundPlan]:
    """What `rules.py` says of the options of primary tables."""
    plans: list[OwnedPlan | BoundPlan] = []
    for table in schema.tables.values():
        if table.bound is not None:
            plans.append(_plan_bound(imports, table, table.bound))
        if table.owned is not None:
            plans.append(_plan_owned(schema, imports, table, table.owned))
    return plans


def _plan_bound(imports: Imports, table: model.Table, bound: model.Bound) -> BoundPlan:
    imports.use_all("typing", ["Any", "Final"])
    group = [f"row.{names.field(part)}" for part in bound.group]
    order = [f"row.{names.field(name)}" for name in bound.order]
    return BoundPlan(
        template="rule_bound.j2",
        table=table.name,
        constant=bound_constant(table),
        shape=imports.use("pillarbox.maintainers", "BoundShape"),
        row_class=imports.use(".types", names.row_class(table.name)),
        keep=bound.keep,
        range=range_of(imports, table, group),
        order=order[0] if len(order) == 1 else printing.tuple_text(order),
    )


def _plan_owned(schema: model.Schema, imports: Imports, table: model.Table, owned: model.Owned) -> OwnedPlan:
    imports.use("typing", "Any")
    owner = schema.tables[owned.by]
    heard = schema.tables[heard_owner(schema, owned)]
    key_function = imports.use(".keys", names.key_function(owner.name))
    parts = _owner_parts(schema, imports, owner, heard)
    found = table if owned.via is None else schema.tables[owned.via]
    return OwnedPlan(
        template="rule_owned.j2",
        table=table.name,
        row_class=imports.use(".types", names.row_class(table.name)),
        owner_class=imports.use(".types", names.row_class(heard.name)),
        key_function=owner_function(table, "key"),
        key_type="int" if hints.is_int_key(schema, owner) else "bytes",
        key=f"{key_function}({', '.join(f'row.{names.field(name)}' for name in owned.key)})",
        range_function=owner_function(table, "range"),
        range=range_of(imports, found, parts),
        self_function="" if owned.via is None else owner_function(table, "self"),
        self_key=f"{key_function}({', '.join(parts)})",
    )


def _owner_parts(schema: model.Schema, imports: Imports, owner: model.Table, heard: model.Table) -> list[str]:
    """The parts of an owner's key, out of `owner`, the row that is written."""
    if owner is heard:
        return [f"owner.{names.field(part.name)}" for part in owner.key]
    assert isinstance(owner.rule, model.Index)
    fields = {field.name: f"owner.{names.field(field.name)}" for field in row_fields(heard)}
    scope = Scope(schema, imports, fields, {"owner"})
    return [compile_expr(part.expr, scope) for part in owner.rule.key]


def heard_owner(schema: model.Schema, owned: model.Owned) -> str:
    """The table whose writes tell of owners: for an identity, the table that it identifies."""
    rule = schema.tables[owned.by].rule
    return rule.source if isinstance(rule, model.Index) else owned.by


def owner_function(table: model.Table, what: str) -> str:
    """`comments_owner_key(row)`, in rules: `what` is key, range or self."""
    return f"{table.name}_owner_{what}"


def bound_constant(table: model.Table) -> str:
    """`drafts` -> `DRAFTS_BOUND`, in rules."""
    return f"{table.name.upper()}_BOUND"


# -------------------------------------------------------------------------------------- the table


def option_bases(schema: model.Schema, imports: Imports, table: model.Table, row_class: str) -> list[str]:
    """What a table derives from because of its options; the row is said of each."""
    options = (("Owned", table.owned), ("Bound", table.bound), ("Sharing", refs_of(schema, table)))
    words = [word for word, option in options if option is not None]
    module = imports.use_module("pillarbox.maintainers") if words else ""
    return [f"{module}.{word}Table[{row_class}]" for word in words]


def option_slots(schema: model.Schema, table: model.Table) -> list[str]:
    """The attributes that those keep."""
    slots = {"_settle": table.owned, "_ranked": table.bound, "_refs": refs_of(schema, table)}
    return [name for name, option in slots.items() if option is not None]


def option_settings(imports: Imports, table: model.Table) -> tuple[str, ...]:
    """Statements of the class body."""
    if table.bound is None:
        return ()
    return (f"BOUND = {imports.use_module('.rules')}.{bound_constant(table)}",)


def orphans(table: model.Table) -> tuple[str, ...]:
    """Statements of `put_was` for a row without an owner."""
    if table.owned is None:
        return ()
    skip = table.owned.orphans == "skip"
    then = "return Put(None, row)" if skip else "raise self._owners.missing(row)"
    return ("self._settle()", "if not self._owners.has(row):", f"    {then}")


# ------------------------------------------------------------------------------------ the transaction


def owners_of(imports: Imports, table: model.Table) -> str | None:
    """What a table is handed that asks for owners: `Owners("comments", self.issues, ..)`."""
    if table.owned is None:
        return None
    rules = imports.use_module(".rules")
    owner = names.table_attribute(table.owned.by)
    made = imports.use("pillarbox.maintainers", "Owners")
    return f"{made}({printing.literal(table.name)}, self.{owner}, {rules}.{owner_function(table, 'key')})"


def followers_of(schema: model.Schema, imports: Imports) -> list[str]:
    """Who hears of owners: `(self.issues, Owned(self.comments, ..))`."""
    found = []
    for table in schema.tables.values():
        if table.owned is None:
            continue
        rules = imports.use_module(".rules")
        own = f"self.{names.table_attribute(table.name)}"
        if table.owned.via is None:
            made = imports.use("pillarbox.maintainers", "Owned")
            follower = f"{made}({own}, {rules}.{owner_function(table, 'range')})"
        else:
            made = imports.use("pillarbox.maintainers", "OwnedByIndex")
            functions = {
                "key_of": owner_function(table, "self"),
                "owner_of": owner_function(table, "key"),
                "range_of": owner_function(table, "range"),
                "row_key_of": names.source_key_function(table.owned.via),
            }
            given = ", ".join(f"{name}={rules}.{function}" for name, function in functions.items())
            follower = f"{made}({own}, self.{names.table_attribute(table.owned.via)}, {given})"
        heard = names.table_attribute(heard_owner(schema, table.owned))
        found.append(f"(self.{heard}, {follower})")
    return found


def owners_first(schema: model.Schema, tables: list[model.Table]) -> list[model.Table]:
    """The tables, each after that of its owners."""
    done: dict[str, model.Table] = {}

    def visit(table: model.Table) -> None:
        if table.name in done:
            return
        if table.owned is not None:
            owner = schema.tables[table.owned.by]
            if owner in tables:
                visit(owner)
        done[table.name] = table

    for table in tables:
        visit(table)
    return list(done.values())
