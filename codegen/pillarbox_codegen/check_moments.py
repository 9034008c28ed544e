"""What of a view belongs to a moment: `changes` of one commit, what is `wanted` now, values that are held.

Depends on: check_view_parts (common pieces), context.  Never on: views, which hold parts.

Law: what is there for one emission only, or is no state of tables, is read by no other part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_view_parts import common_of, flag_of, prefix_of, table_of, where_of
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    ChangesPart,
    Expr,
    ListOf,
    NoneType,
    Part,
    RowOf,
    Type,
    View,
    WantedPart,
    WindowPart,
)
from pillarbox_codegen.yaml_nodes import YamlMap


def check_changes(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    """As `Check`."""
    table = table_of(context, node.values["changes"])
    common = common_of(context, name, node, when, table)
    if common.show == ():
        text = "what a commit did is there for who is told of it, and for no other part"
        raise context.findings.add(node.values["show"], "part", text, "leave `show: none` out")
    with context.findings.together() as block:
        prefix = block.attempt(prefix_of, context, node.values["prefix"], table, scope) or ()
        where = block.attempt(where_of, context, node, table.name, scope)
    kind = cast(
        'Literal["inserted", "removed", "updated", "any"]', text_value(node.values.get("kind")) or "any"
    )
    return ChangesPart(common, table.name, prefix, kind, where), ListOf(RowOf(table.name))


def check_wanted(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    """As `Check`."""
    common = common_of(context, name, node, when, None)
    return WantedPart(common, text_value(node.values["wanted"])), NoneType()


def check_held(context: Context, node: YamlMap, part: Part, *, is_child: bool) -> Part:
    """The part, held if it says so."""
    if not flag_of(node, "hold"):
        return part
    if is_child:
        text = "rows come and go, so what hangs on them is not of the moment in which a view is opened"
        raise context.findings.add(node.keys["hold"], "part", text, "hold a part of the view")
    return replace(part, common=replace(part.common, held=True))


def is_readable(part: Part) -> bool:
    """Whether later parts may read it."""
    return not isinstance(part, ChangesPart | WantedPart)


def check_wanted_names(context: Context, views: Mapping[str, View]) -> None:
    """What is wanted is wanted by a window of another view."""
    names = frozenset[str]().union(*(view.wants for view in views.values()))
    for view_name, view in views.items():
        parts = context.entries("views")[view_name].body.values["parts"]
        assert isinstance(parts, YamlMap)
        own = {part.common.name for part in view.parts if isinstance(part, WindowPart) and part.want}
        for part in view.parts:
            if not isinstance(part, WantedPart):
                continue
            body = parts.values[part.common.name]
            assert isinstance(body, YamlMap)
            place = body.values["wanted"]
            if own:
                text = f"`{min(own)}` of the same view wants something, and would have to come first"
                context.findings.add(place, "part", text, "make a view of its own for what is wanted")
            elif part.want not in names and len(views) == len(context.entries("views")):
                # Else it may be wanted by a view that has findings of its own.
                hint = did_you_mean(part.want, names) or (
                    f"windows want {one_of(names)}" if names else "give a window `want: {name, count}`"
                )
                text = f"no window wants anything under the name `{part.want[:60]}`"
                context.findings.add(place, "unknown-name", text, hint)
