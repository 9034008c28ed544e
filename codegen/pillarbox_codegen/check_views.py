"""Views: key parameters, parts, and what hangs on the rows of parts.

Depends on: context, expr_check, check_view_parts, check_operations (scopes).  Never on: steps.

Law: a part reads by its key parameters and by earlier parts only, so the parts form a tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pillarbox_codegen.check_aggregates import check_aggregate
from pillarbox_codegen.check_back import ways_back
from pillarbox_codegen.check_fields import check_field_name, check_plain_fields, check_stored_type, text_value
from pillarbox_codegen.check_moments import (
    check_changes,
    check_held,
    check_wanted,
    check_wanted_names,
    is_readable,
)
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.check_scans import check_scan
from pillarbox_codegen.check_shapes import SHAPE, check_unused, shape_of, with_shape
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.check_view_lists import check_each, check_ranges, check_search
from pillarbox_codegen.check_view_parts import READING, Check, rows_of
from pillarbox_codegen.check_window_holes import check_wants
from pillarbox_codegen.check_windows import check_window
from pillarbox_codegen.context import Context, Entry, at_start
from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    AggregatePart,
    EachPart,
    Index,
    Named,
    Part,
    RecordType,
    RowOf,
    Scalar,
    ScanPart,
    SearchPart,
    Type,
    UnionType,
    View,
    WindowPart,
)
from pillarbox_codegen.type_rules import BOOL, present
from pillarbox_codegen.view_reads import children_read
from pillarbox_codegen.view_types import value_type
from pillarbox_codegen.walk import names_in
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

NO_LOOKUPS: Final = "a part reads the key and the parts before it: add a `get` part there, and use its name"
PARTS: Final[Mapping[str, Check]] = {
    **READING,
    "each": check_each,
    "ranges": check_ranges,
    "aggregate": check_aggregate,
    "scan": check_scan,
    "search": check_search,
    "window": check_window,
    "changes": check_changes,
    "wanted": check_wanted,
}
#: The parts whose `where` may read what hangs on a row.
_ASKING: Final = (ScanPart, WindowPart)
#: What may hang on a row.
_CHILDREN: Final = {
    word: check for word, check in PARTS.items() if word not in ("window", "changes", "wanted")
}


def check_views(context: Context) -> dict[str, View]:
    found: dict[str, View] = {}
    for name, entry in context.sound("views"):
        view = context.findings.attempt(_check_view, context, name, entry)
        if view is not None:
            found[name] = view
    check_wants(context, found)
    check_wanted_names(context, found)
    check_unused(context)
    return found


def _check_view(context: Context, name: str, entry: Entry) -> View:
    key = check_plain_fields(context, entry.body.values["key"], key_type)
    scope = param_scope(key, NO_LOOKUPS)
    parts = _check_parts(context, entry.body.values["parts"], scope, PARTS)
    return View(name, doc_of(entry), key, parts)


def _check_parts(
    context: Context,
    node: YamlNode,
    scope: Scope,
    words: Mapping[str, Check],
    holder: YamlMap | None = None,
) -> tuple[Part, ...]:
    """Parts in order, each of which may read those before it. Raises Invalid after findings.

    What does not stand in `holder` itself is of its shape.
    """
    assert isinstance(node, YamlMap)
    parts: list[Part] = []
    with context.findings.together() as block:
        for part_name, body in node:
            of_shape = holder is not None and part_name.value not in holder.values
            with context.findings.used_at(holder.values[SHAPE] if holder is not None and of_shape else None):
                found = block.attempt(_check_part, context, part_name, body, scope, parts, words)
            if found is None:
                scope = scope.lose([part_name.value])
            else:
                part, type = found
                if of_shape and holder is not None:
                    own = replace(part.common, of_shape=text_value(holder.values[SHAPE]))
                    part = replace(part, common=own)
                parts.append(part)
                if is_readable(part):
                    # Beside a row it is not known to what hangs on other rows.
                    scope = scope.bind(part_name.value, "row" if words is _CHILDREN else "part", type)
    return tuple(parts)


def key_type(context: Context, node: YamlNode) -> Type:
    """View keys are hashable values; records and lists are, being frozen."""
    type = check_stored_type(context, node)
    if isinstance(type, RowOf):
        text = "a view is named by what it shows, not by a row"
        raise context.findings.add(node, "bad-type", text, "take the parts of the row's key")
    return type


def _check_part(
    context: Context,
    name: YamlScalar,
    node: YamlNode,
    scope: Scope,
    earlier: list[Part],
    words: Mapping[str, Check],
) -> tuple[Part, Type]:
    assert isinstance(node, YamlMap)
    check_field_name(context.findings, name)
    if name.value == "row":
        text = "`row` is the row that `with`, `where` and `aggregate` look at"
        raise context.findings.add(name, "name", text, "choose another name")
    if name.value in scope.names:
        kind = "key parameter" if scope.names[name.value].kind == "param" else "part"
        text = f"`{name.value}` is a {kind} already"
        raise context.findings.add(name, "name-taken", text, "choose another name")
    word = next(word for word in PARTS if word in node.values)
    if word not in words:
        text = f"`{word}` cannot hang on a row"
        raise context.findings.add(node.keys[word], "part", text, f"the children of rows are {one_of(words)}")
    condition = check_condition(context, node.values.get("when"), scope)
    part, type = words[word](context, name.value, node, condition, scope.assume(condition), earlier)
    if "with" in node.values:
        part = _with_children(context, node, part, scope)
    part = check_held(context, node, part, is_child=words is _CHILDREN)
    if words is _CHILDREN:
        _check_child(context, node, part, earlier)
    elif "back" in node.values:
        text = "`back` leads from what hangs on a row to the row"
        raise context.findings.add(node.keys["back"], "part", text, "leave it out")
    return part, type


def _with_children(context: Context, node: YamlMap, part: Part, scope: Scope) -> Part:
    """The part with what hangs on each of its rows. Raises Invalid after findings."""
    given = node.values["with"]
    assert isinstance(given, YamlMap)
    holder = with_shape(context, given)
    if part.common.show == ():
        text = "nobody sees the entries of a part that is not shown"
        raise context.findings.add(node.keys["with"], "part", text, "leave out `with`, or `show: none`")
    # Names around an outer row are not those of its children's rows.
    names = {name: local for name, local in scope.names.items() if local.kind != "row"}
    inner = replace(scope, names=names)
    if isinstance(part, EachPart):
        inner = inner.bind("item", "row", part.item)
        children = _check_parts(context, holder, inner, _CHILDREN, given)
        ways_back(context, holder, children, None, "")
        return replace(part, common=replace(part.common, children=children, shape=shape_of(given)))
    rows = rows_of(part)
    inner = inner.bind("row", "row", RowOf(rows))
    children = _check_parts(context, holder, inner, _CHILDREN, given)
    where = node.values.get("where")
    condition = None
    if where is not None:
        around = {name: local for name, local in scope.names.items() if name not in ("row", "item")}
        inner = replace(inner, names={**around, **inner.names})
        for child in children:
            inner = inner.bind(child.common.name, "row", value_type(context.tables, child))
        condition = check_node(context, where, BOOL, inner.assume(part.common.when))
        if not isinstance(part, _ASKING) and children_read(children, condition):
            text = "what hangs on its rows cannot be asked here"
            raise context.findings.add(where, "part", text, "a `scan` or a `window` can")
    back = ways_back(context, holder, children, condition, rows)
    common = replace(part.common, children=children, back=back, shape=shape_of(given))
    part = replace(part, common=common)
    if condition is None:
        return part
    assert isinstance(part, ScanPart | SearchPart | WindowPart), "no other has a condition on rows"
    return replace(part, where=condition)


def _check_child(context: Context, node: YamlMap, part: Part, earlier: list[Part]) -> None:
    """Rows that look for the same share it, so what is read under a prefix follows from the prefix."""
    if isinstance(part, AggregatePart) and part.common.show:
        text = "the first rows of a child are shown whole"
        raise context.findings.add(node.keys["show"], "part", text, "leave `show` out, or write `show: none`")
    if isinstance(part, AggregatePart) and part.of_table is not None:
        if part.function == "first":
            text = "the first rows of a table are a `scan`"
            raise context.findings.add(node.values["aggregate"], "part", text, "write `scan` and `limit`")
        if isinstance(context.table(part.of_table, at_start(node)).rule, Index):
            text = f"`{part.of_table}` is an index, whose source rows would have to be held"
            raise context.findings.add(
                node.values["of"], "part", text, "add a `scan` of it, and go through that"
            )
    elif not isinstance(part, ScanPart | SearchPart):
        return
    around = {one.common.name for one in earlier} - {one.common.name for one in part.common.children}
    if isinstance(part, ScanPart):  # rows share it by such values
        around -= {one.common.name for one in earlier if _is_plain(context, value_type(context.tables, one))}
    terms = {
        "where": part.where,
        "limit": part.limit if isinstance(part, SearchPart) else None,
        "aggregate": part.of if isinstance(part, AggregatePart) else None,
    }
    for word, expr in terms.items():
        read = set() if expr is None else names_in(expr) & (around | ({"row"} if word == "limit" else set()))
        if read:
            text = f"`{word}` reads `{min(read)}`, which differs from row to row"
            hint = "it may read key parameters and parts of the view; put what differs into the prefix"
            if isinstance(part, ScanPart):
                hint = "take what it needs of it by a `value` before"
            raise context.findings.add(node.values[word], "part", text, hint)


def _is_plain(context: Context, type: Type) -> bool:
    """Whether it is a number, a text or the like, or none."""
    one = present(type)
    return isinstance(one, Scalar) or (
        isinstance(one, Named) and not isinstance(context.definition(one), RecordType | UnionType)
    )
