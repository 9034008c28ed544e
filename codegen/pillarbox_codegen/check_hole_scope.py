"""What expressions of `holes` name: the parts of a hole, its edges, and how much is asked for.

Depends on: context, expr_scope, hole_names.  Never on: requests, answers.

Law: only a request may depend on what is stored, besides what a hole tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context, row_types
from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.hole_names import WAYS, edge_names
from pillarbox_codegen.model import KeyPart, Local, Ranges, Scalar, Table, Type
from pillarbox_codegen.type_rules import BOOL
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap

NO_LOOKUPS: Final = "only `ask` may read tables"
#: The least and the greatest id of a range, and how many rows are asked for on one side, or on both.
_EDGES: Final = ("lo", "hi")
_COUNTS: Final = ("limit", "half")


@dataclass(frozen=True, slots=True)
class Holed:
    """The holes of one name. `width`: how many parts of a mark's key are its group; none of ranges."""

    table: Table
    width: int | None
    #: What ids are numbered within, and the space.
    group: tuple[KeyPart, ...]
    #: Types of an id; () of marks.
    over: tuple[Type, ...]
    scope: Scope

    @property
    def group_scope(self) -> Scope:
        """The parts of the group alone."""
        names = {part.name: self.scope.names[part.name] for part in self.group}
        return Scope(names, no_lookups=NO_LOOKUPS)


def holed(context: Context, body: YamlMap, table: Table) -> Holed:
    """What the holes are of. Raises Invalid after a finding."""
    node = body.values.get("group")
    types: dict[str, Type]
    if isinstance(table.rule, Ranges):
        if node is not None:
            text = f"the group is that of `{table.name}`"
            raise context.findings.add(node, "fetching", text, "leave `group` out")
        if any(part.desc for part in table.key[-len(table.rule.over) :]):
            text = f"the ranges of `{table.name}` run downwards, which cannot be fetched"
            raise context.findings.add(body.values["table"], "fetching", text, "leave `desc` out of `over`")
        size = len(table.rule.over)
        group, over = table.key[:-size], tuple(part.type for part in table.key[-size:])
        names = edge_names(table)
        types = {part.name: part.type for part in group}
        edges = {f"{edge}{name}": type for edge in _EDGES for name, type in zip(names, over, strict=True)}
        _refuse_taken(context, body, table, types, edges, "an end of what is asked for")
        _refuse_taken(context, body, table, types, WAYS, "a way in which a range is asked for")
        types |= edges | dict.fromkeys(WAYS, BOOL)
        width = None
    elif table.rule is None and table.role == "primary":
        width = _width(context, body, table)
        group, over, types = table.key[:width], (), row_types(table)
    else:
        text = f"`{table.name}` is neither a table of ranges nor one of marks"
        hint = "what lies behind a boundary tells not of what it is; use `ranges` or `markers` in the window"
        raise context.findings.add(body.values["table"], "fetching", text, hint)
    _refuse_taken(context, body, table, types, _COUNTS, "how many rows are asked for")
    types |= dict.fromkeys(_COUNTS, Scalar("int32"))
    scope = Scope({name: Local(name, "local", type) for name, type in types.items()}, no_lookups=NO_LOOKUPS)
    return Holed(table, width, group, over, scope)


def _refuse_taken(
    context: Context, body: YamlMap, table: Table, parts: Iterable[str], given: Iterable[str], what: str
) -> None:
    """A part of the table that is called as what is given beside the parts."""
    taken = set(given)
    for name in parts:
        if name in taken:
            text = f"`{table.name}` has a part called `{name}`, which is {what}"
            raise context.findings.add(body.values["table"], "name-taken", text, "rename that part")


def _width(context: Context, body: YamlMap, table: Table) -> int:
    node = body.values.get("group")
    if not isinstance(node, YamlList):
        names = one_of([part.name for part in table.key])
        text = f"which parts of a mark's key are its group is not said, it has {names}"
        raise context.findings.add(body, "missing-key", text, "add `group: [part, ..]`")
    given = [text_value(item) for item in node.items]
    parts = [part.name for part in table.key]
    if not given or given != parts[: len(given)] or len(given) == len(parts):
        text = f"the group of a mark is the beginning of its key, which is [{', '.join(parts)}]"
        raise context.findings.add(
            node, "key-parts", text, "leave the rest out, by which the rows are ordered"
        )
    return len(given)


def asking_scope(of: Holed, named: Mapping[str, Type]) -> Scope:
    """With the values that each way names, and with tables."""
    scope = replace(of.scope, no_lookups=None, is_step=True)
    for name, type in named.items():
        scope = scope.bind(name, "local", type)
    return scope
