"""Plans the word `refs`: the functions of its shape, its table, and what its source needs.

Depends on: model, kept_base, ranges_of, names, hints, frame.  Never on: other words.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.kept_base import KEPT, KeptPlan, kept_plan
from pillarbox_codegen.plan.ranges_of import range_of
from pillarbox_codegen.plan.refs_of import part_constant
from pillarbox_codegen.plan.rule_base import Planner


@dataclass(frozen=True, slots=True)
class RefsPlan:
    """A RefsShape, the SharedPart in it, and the functions that both name."""

    template: str
    table: str
    part: str
    part_class: str
    shape: str
    shape_class: str
    spec: str
    row_class: str
    shared_class: str
    field: str
    id_lines: tuple[str, ...]
    key_type: str
    from_key: str
    users_range: str
    user_of: str
    replace: str


def plan_refs(planner: Planner, rule: model.Refs) -> RefsPlan:
    """The shape of shared values."""
    schema, imports, table = planner.schema, planner.imports, planner.table
    users = schema.tables[model.users_of(rule.name)]
    imports.use_all("typing", ["Any", "Final"])
    key_function = imports.use(".keys", names.key_function(table.name))
    fields = imports.use(".keys", names.key_fields_function(table.name))
    scope = Scope(schema, imports, {rule.variable: "item"}, {"item", "ref"})
    optional = isinstance(rule.id.type, model.Optional)
    ref = compile_expr(rule.id, scope)
    call = f"{key_function}(ref)"
    (part,) = table.key
    return RefsPlan(
        template="rule_refs.j2",
        table=table.name,
        part=part_constant(table),
        part_class=imports.use("pillarbox.tables", "SharedPart"),
        shape=shape_constant(table),
        shape_class=imports.use("pillarbox.maintainers", "RefsShape"),
        spec=f"{imports.use_module('.specs')}.{names.constant(table.name)}",
        row_class=planner.row_class,
        shared_class=imports.use(".types", names.row_class(table.name)),
        field=names.field(rule.field),
        id_lines=(
            f"ref = {ref}",
            f"return None if ref is None else {call}" if optional else f"return {call}",
        ),
        key_type=f"{planner.key_type} | None" if optional else planner.key_type,
        from_key=f"{fields}(key).{names.key_field(part.name)}",
        users_range=range_of(imports, users, [f"{fields}(key).{names.key_field(part.name)}"]),
        user_of=names.source_key_function(users.name),
        replace=imports.use("msgspec.structs", "replace"),
    )


def shape_constant(table: model.Table) -> str:
    """`media` -> `MEDIA_REFS`, in rules."""
    return f"{table.name.upper()}_REFS"


@dataclass(frozen=True, slots=True)
class SharedSteps:
    """The steps of a table of shared values, typed."""

    ref: str
    value: str
    key: str
    key_type: str


def _plan_table(schema: model.Schema, imports: Imports, table: model.Table) -> KeptPlan:
    key_function = imports.use(".keys", names.key_function(table.name))
    steps = SharedSteps(
        ref=hints.annotation(schema, imports, table.key[0].type),
        value=hints.annotation(schema, imports, table.fields[0].type),
        key=f"{key_function}(ref)",
        key_type="int" if hints.is_int_key(schema, table) else "bytes",
    )
    return kept_plan(imports, table, template="table_refs.j2", base="SharedTable", word=steps)


def made_refs(imports: Imports, table: model.Table) -> str:
    """`Refs(self.letters, self.stamps_users, self.stamps, rules.STAMPS_REFS)`."""
    assert isinstance(table.rule, model.Refs), f"{table.name} holds shared values"
    attributes = [names.table_attribute(name) for name in (*table.rule.sources, table.name)]
    made = imports.use("pillarbox.maintainers", "Refs")
    rules = imports.use_module(".rules")
    tables = ", ".join(f"self.{attribute}" for attribute in attributes)
    return f"{made}({tables}, {rules}.{shape_constant(table)})"


KEPT[model.Refs] = _plan_table
