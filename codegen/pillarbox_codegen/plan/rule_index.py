"""Plans the word `index`, and identities.

Depends on: model, rule_base, lookups.  Never on: other words.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import compile_expr
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.lookups import lookups_of_index
from pillarbox_codegen.plan.rule_base import EntriesPlan, Planner, SourceKeyPlan, source_names


@dataclass(frozen=True, slots=True)
class IdentityPlan:
    """The functions of an identity; the source key is part of it."""

    template: str
    table: str
    key_function: str
    cell_function: str
    row_function: str
    owner_function: str
    row_class: str
    #: The class of the identity's row, and what makes one.
    made_class: str
    made: str
    key_type: str
    key: str
    cell: str
    owner_key_type: str
    row: str
    source_key: SourceKeyPlan


def plan_index(planner: Planner, rule: model.Index) -> EntriesPlan | IdentityPlan:
    """The functions of an index."""
    if rule.unique == "identity":
        return _identity(planner, rule)
    planner.imports.use("pillarbox.tables", "Cell")
    planner.imports.use("pillarbox.storage", "StoredKey")
    lookups = lookups_of_index(planner, rule) if rule.lookups else None
    inner, prelude = (None, ()) if lookups is None else lookups.scope(rule)
    rows = "rows" if lookups is None else None
    scope, before, clauses = planner.clauses(rule.each, rule.when, inner, rows=rows)
    cell = planner.cell([compile_expr(value.expr, scope) for value in rule.value])
    entry = f"({planner.key(rule.key, scope)}, {cell})"
    return EntriesPlan(
        template="rule_entries.j2",
        function=names.rows_function(planner.table.name),
        doc=printing.docstring(
            f"The rows of `{planner.table.name}` that "
            + (f"rows of `{rule.source}` stand for." if rows else f"a row of `{rule.source}` stands for."),
            4,
        ),
        row_class=planner.row_class,
        entry="Cell",
        before=before,
        entries=f"[{entry}{clauses}]",
        source_key=_source_key(planner),
        parameters=_rows(planner) if lookups is None else lookups.parameters(),
        prelude=prelude,
        lookups=() if lookups is None else tuple(lookups.functions()),
    )


def _rows(planner: Planner) -> str:
    return f"rows: {planner.imports.use('collections.abc', 'Iterable')}[{planner.row_class}]"


def _source_key(planner: Planner) -> SourceKeyPlan | None:
    held = source_names(planner.schema, planner.table)
    if held is None:
        return None
    function = planner.imports.use(".keys", names.key_function(planner.source.name))
    return SourceKeyPlan(
        function=names.source_key_function(planner.table.name),
        doc=printing.docstring(
            f"The stored key of the row of `{planner.source.name}` that a row here stands for.",
            4,
        ),
        row_class=planner.imports.use(".types", names.row_class(planner.table.name)),
        key_type="int" if hints.is_int_key(planner.schema, planner.source) else "bytes",
        key=f"{function}({', '.join(f'row.{names.field(field)}' for field in held.values())})",
    )


def _identity(planner: Planner, rule: model.Index) -> IdentityPlan:
    scope = planner.scope()
    source_key = _source_key(planner)
    assert source_key is not None, f"{planner.table.name}: an identity names its source row"
    specs = planner.imports.use_module(".specs")
    made_class = planner.imports.use(".types", names.row_class(planner.table.name))
    given = [
        f"{names.field(part.name)}={compile_expr(part.expr, scope)}" for part in (*rule.key, *rule.value)
    ]
    return IdentityPlan(
        template="rule_identity.j2",
        table=planner.table.name,
        key_function=names.identity_function(planner.table.name, "key"),
        cell_function=names.identity_function(planner.table.name, "cell"),
        row_function=names.identity_function(planner.table.name, "row"),
        owner_function=names.identity_function(planner.table.name, "owner"),
        made_class=made_class,
        made=f"{made_class}({', '.join(given)})",
        row_class=planner.row_class,
        key_type=planner.key_type,
        key=planner.key(rule.key, scope),
        cell=planner.cell([compile_expr(value.expr, scope) for value in rule.value]),
        owner_key_type=source_key.key_type,
        row=f"{specs}.{names.row_function(planner.table.name)}(key, cell)",
        source_key=source_key,
    )
