"""What `folds:` of an operation may say.

Depends on: context, reaches, touches.  Never on: the runtime that folds.

Law: a fold that passes changes neither tables nor events. What the earlier operation does is a put of whole
rows into one table and nothing else; what this one does is a change, or the removal, of one row there; and
nothing but functions of the rows that are there in the end hears of that table.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.findings import Invalid
from pillarbox_codegen.model import (
    BatchMerge,
    Count,
    Expr,
    Index,
    Join,
    ListOf,
    Local,
    Operation,
    PatchStep,
    PutStep,
    RemoveStep,
    RowFold,
    RowOf,
    Runs,
    Step,
    Table,
    Text,
    Top,
)
from pillarbox_codegen.reaches import Reach, reach
from pillarbox_codegen.touches import origins, touched_by
from pillarbox_codegen.type_rules import present, show
from pillarbox_codegen.yaml_nodes import YamlNode, YamlScalar

_APART: Final = "leave `folds` out: both are then applied as they stand"
#: The words that are functions of the rows that are there in the end, however these came to be so.
_PURE: Final = (Index, Count, Top, Join, Runs, Text)


def check_fold(context: Context, node: YamlNode, operation: Operation, sound: Collection[str]) -> RowFold:
    """The fold into one of the `sound` operations. Raises Invalid after a finding, and for any other."""
    assert isinstance(node, YamlScalar)
    if node.value in context.entries("operations") and node.value not in context.operations:
        raise context.findings.silent()
    if node.value not in context.operations:
        known = sorted(context.operations)
        hint = did_you_mean(node.value, known) or _APART
        raise context.findings.add(node, "merge", f"there is no operation `{node.value[:60]}`", hint)
    if node.value not in sound:
        raise Invalid
    return _Check(context, node, operation, context.operations[node.value]).check()


class _Check:
    def __init__(self, context: Context, node: YamlNode, operation: Operation, into: Operation) -> None:
        self.context = context
        self.node = node
        self.operation = operation
        self.into = into

    def check(self) -> RowFold:
        step = self._step()
        table = self.context.tables[step.table]
        why = _heard(table, self.context.tables)
        if why is not None:
            raise self._refuse(f"rows of `{table.name}` do not fold: {why}")
        self._check_into(table)
        self._check_reach(table)
        at = tuple(self._param(part, f"the key of a row of `{table.name}`") for part in step.at)
        key = tuple(part.name for part in table.key)
        changes = self._changes(step, table) if isinstance(step, PatchStep) else None
        return RowFold(self.into.name, key, at, changes)

    def _step(self) -> PatchStep | RemoveStep:
        """The one step: it changes or removes the row at a key, and does nothing else."""
        if self.operation.merge is not None:
            text = (
                f"`{self.operation.name}` is merged with others of its kind, so that it is not one any more"
            )
            raise self._refuse(text, "leave `merge` or `folds` out")
        match self.operation.steps:
            case (PatchStep(create=None, given=None, by=None) as step,) if _is_plain(step):
                return step
            case (RemoveStep(whole=True, by=None, upper=None) as step,) if _is_plain(step):
                return step
        text = f"`{self.operation.name}` does not only change or remove the row at a key"
        raise self._refuse(
            text, f"fold one `patch` with `set`, or one `remove`, of a whole key; else {_APART}"
        )

    def _check_into(self, table: Table) -> None:
        """The earlier operation puts rows, whatever was there, and tells nobody."""
        name, merge = self.into.name, self.into.merge
        if not isinstance(merge, BatchMerge):
            text = f"`{name}` has no list that could hold what becomes of a row"
            raise self._refuse(
                text, f"let it put a list of rows, and give it `merge: {{batch: LIST}}`; else {_APART}"
            )
        if merge.by:
            text = f"`{name}` has more parameters than its list, so that lists of it stand beside one another"
            raise self._refuse(text, f"fold into one that has only `{merge.items}`; else {_APART}")
        match self.into.steps:
            case (PutStep(table=table.name, row=Local(name=row), only="any", keep=(), mods=mods),) if (
                mods.when is None and mods.each is not None and mods.each.name == row
            ):
                items = next(param.type for param in self.into.params if param.name == merge.items)
                if items == ListOf(RowOf(table.name)):
                    return
        more = sorted(reach(self.into.steps, self.context.tables).written - {table.name})
        does = f", and reaches {all_of(more)}" if more else ""
        text = f"`{name}` does not only put each row of its list into `{table.name}`{does}"
        step = f"{{put: {{into: {table.name}, row: x}}, each: {merge.items} as x}}"
        hint = f"let its one step be `{step}`; else {_APART}"
        raise self._refuse(text, hint)

    def _check_reach(self, table: Table) -> None:
        """What else is checked leaves nothing more to reach; a step that comes to do more ends here."""
        rows = Reach(frozenset(), frozenset({table.name}), frozenset())
        for one in (self.operation, self.into):
            if reach(one.steps, self.context.tables) != rows:
                raise self._refuse(f"`{one.name}` reaches more than rows of `{table.name}`")

    def _changes(self, step: PatchStep, table: Table) -> tuple[tuple[str, str], ...]:
        """(field, parameter) of what is set."""
        types = {field.name: field.type for field in table.fields}
        found = []
        for change in step.changes:
            if change.how != "set" or change.path:
                text = f"`{change.field}` is changed by what it was, not set"
                raise self._refuse(text, f"set whole fields; else {_APART}")
            param = self._param(change.value, f"what `{change.field}` is set to")
            given = next(one.type for one in self.operation.params if one.name == param)
            if given != types[change.field] and given != present(types[change.field]):
                text = f"`{param}` is {show(given)}, and `{change.field}` is {show(types[change.field])}"
                raise self._refuse(text, f"give the parameter the type of the field; else {_APART}")
            found.append((change.field, param))
        return tuple(found)

    def _param(self, expr: Expr, what: str) -> str:
        if isinstance(expr, Local) and expr.kind == "param":
            return expr.name
        names: Sequence[str] = [param.name for param in self.operation.params]
        hint = f"write a parameter as it is, {one_of(names)}; else {_APART}" if names else _APART
        raise self._refuse(f"{what} is not made of parameters as they are", hint)

    def _refuse(self, text: str, hint: str = _APART) -> Invalid:
        return self.context.findings.add(self.node, "merge", text, hint)


def _is_plain(step: Step) -> bool:
    """Whether it is always done, once."""
    return step.mods.each is None and step.mods.when is None


def _heard(table: Table, tables: dict[str, Table]) -> str | None:
    """Why it matters how often rows of the table were written, and when; none where it does not."""
    if table.role != "primary":
        return "they are not its own"
    if table.upsert:
        return "what was there outlives a put"
    if table.bound is not None:
        return "one that is put may push out another"
    if table.owned is not None:
        return f"they depend on rows of `{table.owned.by}`"
    filled = [part.name for part in table.key if part.fill is not None]
    filled += [field.name for field in table.fields if field.fill is not None]
    if filled:
        return f"{all_of(filled)} may take a number, which then is taken"
    for field in table.fields:
        if field.computed is not None:
            return f"`{field.name}` is computed when a row is put"
    for other in tables.values():
        why = _hears(other, table.name, tables)
        if why is not None:
            return why
    return None


def _hears(other: Table, name: str, tables: dict[str, Table]) -> str | None:
    """What is lost of another table where rows of the table of this name fold."""
    if other.owned is not None and name in origins(other.owned.by, tables):
        return f"rows of `{other.name}` go with them"
    rule = other.rule
    if rule is None:
        return None
    heard = {origin for source in rule.sources for origin in origins(source, tables)}
    if name not in heard | touched_by(rule, tables).read:
        return None
    if isinstance(rule, Index) and rule.unique != "no":
        return f"`{other.name}` has each key once, and that may be looked at in between"
    if other.role != "derived" or not isinstance(rule, _PURE):
        return f"`{other.name}` hears of each write"
    return None
