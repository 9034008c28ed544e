"""Plans the tables of the word `list`: typed steps, and the table that finds an item.

Depends on: model, kept_base, expr_python, names, hints.  Never on: other words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_expr
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.checks import needs_check
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.kept_base import KEPT, KeptPlan, kept_plan, parameter_of, prefix_text, typed
from pillarbox_codegen.plan.rule_base import Planner
from pillarbox_codegen.plan.writer_plans import RemovePlan
from pillarbox_codegen.plan.writer_under import removes

_EMPTYING: Final = "Empty the lists with this {}; gives how many items there were."


@dataclass(frozen=True, slots=True)
class ListPlan:
    """What the methods of a list are made of."""

    place_of: str
    checks: tuple[str, ...]
    #: Of a row's group, and of the group's parameters.
    row_prefix: str
    row_limit: str
    group: str
    prefix: str
    limit: str
    #: `, number: int` and the key of its place; an item of an iterable.
    item: str
    place: str
    item_type: str
    item_place: str
    #: The row of an item whose record is all defaults; empty where there is no such row, or no record.
    new_row: str
    removes: tuple[RemovePlan, ...]


@dataclass(frozen=True, slots=True)
class ListRulePlan:
    """The functions of `rules.py`: where the place of a row is, and how long a list may be."""

    template: str
    function: str
    doc: str
    row_class: str
    key_type: str
    key: str
    limit_function: str
    limit_doc: str
    parameters: str
    limit: str


def _plan_list(schema: model.Schema, imports: Imports, table: model.Table) -> KeptPlan:
    rule = table.rule
    assert isinstance(rule, model.ItemList)
    places = schema.tables[model.places_of(table.name)]
    place_key = imports.use(".keys", names.key_function(places.name))
    rules = imports.use_module(".rules")
    count = len(rule.group)
    group_parts, item_parts = table.key[:count], table.fields[: len(rule.item)]
    group = typed(schema, imports, table, group_parts)
    values = [parameter_of(table, part.name) for part in group_parts]
    of_row = [f"row.{names.field(part.name)}" for part in group_parts]
    items = [parameter_of(table, part.name) for part in item_parts]
    row_class = imports.use(".types", names.row_class(table.name))
    types = [hints.annotation(schema, imports, part.type) for part in item_parts]
    lone = len(item_parts) == 1
    imports.use("collections.abc", "Iterable")
    record = table.fields[len(rule.item) :]
    new_row = ""
    if record and all(field.has_default for field in record):
        given = [(part.name, value) for part, value in zip(group_parts, values, strict=True)]
        given += [("position", "0")]
        given += [(part.name, value) for part, value in zip(item_parts, items, strict=True)]
        new_row = f"{row_class}({', '.join(f'{names.field(name)}={value}' for name, value in given)})"
    checks: tuple[str, ...] = ()
    if needs_check(schema, table):
        checks = (f"{imports.use('.checks', names.check_function(table.name))}(row)",)
    word = ListPlan(
        place_of=f"{rules}.{names.place_function(table.name)}",
        checks=checks,
        row_prefix=prefix_text(imports, table, count, of_row),
        row_limit=_limit(rule, f"{rules}.{names.limit_function(table.name)}", of_row),
        group="".join(f", {text}" for text in group),
        prefix=prefix_text(imports, table, count, values),
        limit=_limit(rule, f"{rules}.{names.limit_function(table.name)}", values),
        item="".join(f", {text}" for text in typed(schema, imports, table, item_parts)),
        place=f"{place_key}({', '.join((*values, *items))})",
        item_type=types[0] if lone else f"tuple[{', '.join(types)}]",
        item_place=f"{place_key}({', '.join((*values, 'each' if lone else '*each'))})",
        new_row=new_row,
        removes=removes(imports, table, range(1, count + 1), (values, group), doc=_EMPTYING),
    )
    constants = (f"PLACE_OF = staticmethod({word.place_of})",)
    return kept_plan(
        imports, table,
        template="table_list.j2", base="ListTable", constants=constants, word=word,
    )  # fmt: skip


def _limit(rule: model.ItemList, function: str, values: list[str]) -> str:
    match rule.limit:
        case None:
            return "0"
        case model.Literal_(value=value):
            return str(value)
        case _:
            return f"{function}({', '.join(values)})"


def _plan_places(schema: model.Schema, imports: Imports, table: model.Table) -> KeptPlan:
    packed = imports.use_module(".packed")
    constants = (f"PACKED = {packed}.{names.constant(table.name)}",)
    return kept_plan(imports, table, template="table_kept.j2", base="PlacesTable", constants=constants)


KEPT[model.ItemList] = _plan_list
KEPT[model.Places] = _plan_places


def plan_list(planner: Planner, rule: model.ItemList) -> ListRulePlan:
    """The functions of a list in `rules.py`."""
    schema, imports, table = planner.schema, planner.imports, planner.table
    places = schema.tables[model.places_of(table.name)]
    function = imports.use(".keys", names.key_function(places.name))
    group = table.key[: len(rule.group)]
    values = [parameter_of(table, part.name) for part in group]
    scope = Scope(
        schema, imports, {part.name: value for part, value in zip(group, values, strict=True)},
        {"l", *values},
    )  # fmt: skip
    reckoned = rule.limit is not None and not isinstance(rule.limit, model.Literal_)
    return ListRulePlan(
        template="rule_list.j2",
        function=names.place_function(table.name),
        doc=printing.docstring(f"Where `{places.name}` tells the position of a row.", 4),
        row_class=planner.row_class,
        key_type="int" if hints.is_int_key(schema, places) else "bytes",
        key=f"{function}({', '.join(f'row.{names.field(part)}' for part in (*rule.group, *rule.item))})",
        limit_function=names.limit_function(table.name) if reckoned else "",
        limit_doc=printing.docstring(f"The most items of a list of `{table.name}`; 0 is any number.", 4),
        parameters=", ".join(typed(schema, imports, table, group)),
        limit=compile_expr(rule.limit, scope) if reckoned and rule.limit is not None else "",
    )
