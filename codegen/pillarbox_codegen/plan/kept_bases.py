"""Plans the tables of markers, anchored counts and what is stale: typed steps, and how they are connected.

Depends on: model, kept_base, following, rule_base_of, names, hints.  Never on: other words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.following import route_to
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.kept_base import KEPT, KeptPlan, kept_plan
from pillarbox_codegen.plan.rule_base_of import stale_key_function
from pillarbox_codegen.plan.structs import default_text


@dataclass(frozen=True, slots=True)
class SetPlan:
    """A parameter of `anchor`, and the statement where it is given."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class AdvancePlan:
    method: str
    mark: int
    doc: str
    parameters: str
    to: str


@dataclass(frozen=True, slots=True)
class BasePlan:
    """What the methods of a table with a base are made of."""

    #: `, project_id: ProjectId, number: int`
    at: str
    key: str
    #: Marks, or sums; then what the base says besides, of a count.
    first: tuple[SetPlan, ...]
    second: tuple[SetPlan, ...]
    #: The parameters of `anchor`.
    sets: str
    #: Of a marker: what is handed on for count, known and flag.
    rest: str
    advances: tuple[AdvancePlan, ...] = ()
    flag: bool = False


@dataclass(frozen=True, slots=True)
class StalePlan:
    at: str
    key: str
    #: `, *, kind: Kind = Kind.PUSH`, and the values, of a record.
    record: str
    values: str


#: What the methods of these tables call their own.
_OWN: Final = {"base", "dict", "flag", "marks", "sums"}


def _parameter(table: model.Table, name: str) -> str:
    """The parameter of a method that takes a part of this name."""
    return names.safe(names.parameter(name, table.name), _OWN)


def _at(schema: model.Schema, imports: Imports, table: model.Table) -> str:
    """`, project_id: ProjectId, number: int`: the parts of the key."""
    annotations = [hints.annotation(schema, imports, part.type) for part in table.key]
    parts = [_parameter(table, part.name) for part in table.key]
    return "".join(f", {part}: {type_}" for part, type_ in zip(parts, annotations, strict=True))


def _key(imports: Imports, table: model.Table) -> str:
    function = imports.use(".keys", names.key_function(table.name))
    return f"{function}({', '.join(_parameter(table, part.name) for part in table.key)})"


def _constants(imports: Imports, table: model.Table) -> tuple[str, ...]:
    packed, rules = imports.use_module(".packed"), imports.use_module(".rules")
    constant = names.constant(table.name)
    return (f"PACKED = {packed}.{constant}", f"SHAPE = {rules}.{constant}")


def _parameters(table: model.Table, found: Sequence[str]) -> dict[str, str]:
    """Name -> a parameter that no part of the key has."""
    taken = {_parameter(table, part.name) for part in table.key}
    return {name: names.fresh(_parameter(table, name), taken) for name in found}


def called_for_anchor(table: model.Table) -> dict[str, str]:
    """What a step sets of a row -> the parameter that takes it."""
    match table.rule:
        case model.Marker() as rule:
            optional = [name for name in (rule.known, rule.flag) if name is not None]
            return _parameters(table, [*rule.marks, rule.count, *optional, "current"])
        case model.AnchoredCount() as rule:
            return _parameters(table, [*rule.given, *rule.base, "current"])
        case _:
            return _parameters(table, [field.name for field in table.fields[1:]])


def _plan_marker(schema: model.Schema, imports: Imports, table: model.Table) -> KeptPlan:
    rule = table.rule
    assert isinstance(rule, model.Marker)
    at = _at(schema, imports, table)
    places = schema.tables[rule.over].key[len(rule.group) :]
    types = [hints.annotation(schema, imports, part.type) for part in places]
    whole = types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"
    called = called_for_anchor(table)
    kinds = dict.fromkeys((*rule.marks, *([] if rule.known is None else [rule.known])), whole)
    kinds[rule.count] = "int"
    if rule.flag is not None:
        kinds[rule.flag] = "bool"
    lone = len(types) == 1

    def position(name: str) -> str:
        return f"({called[name]},)" if lone else called[name]

    rest = [f"count={called[rule.count]}"]
    if rule.known is not None:
        text = f"None if {called[rule.known]} is None else {position(rule.known)}"
        rest.append(f"known={text if lone else called[rule.known]}")
    if rule.flag is not None:
        rest.append(f"flag={called[rule.flag]}")
    word = BasePlan(
        at=at,
        key=_key(imports, table),
        first=tuple(
            SetPlan(called[mark], f"marks[{place}] = {position(mark)}")
            for place, mark in enumerate(rule.marks)
        ),
        second=(),
        sets="".join(f", {called[name]}: {kind} | None = None" for name, kind in kinds.items())
        + f", {called['current']}: bool = True",
        rest=", ".join([*rest, f"current={called['current']}"]),
        advances=tuple(
            _advance(table, rule, mark, [part.name for part in places], types) for mark in rule.marks
        ),
        flag=rule.flag is not None,
    )
    return kept_plan(
        imports, table, template="table_marker.j2", base="MarkerTable",
        constants=_constants(imports, table), word=word,
    )  # fmt: skip


def _advance(
    table: model.Table, rule: model.Marker, mark: str, by: Sequence[str], types: Sequence[str]
) -> AdvancePlan:
    wanted = ["to"] if len(by) == 1 else [f"to_{part}" for part in by]
    called = _parameters(table, wanted)
    counted = "; what it passes over is no longer counted" if mark == rule.counted else ""
    return AdvancePlan(
        method=advance_method(mark),
        mark=rule.marks.index(mark),
        doc=printing.docstring(f"Move `{mark}` forward{counted}.", 8),
        parameters="".join(f", {called[name]}: {kind}" for name, kind in zip(wanted, types, strict=True)),
        to=printing.tuple_text(list(called.values())),
    )


def advance_method(mark: str) -> str:
    """`advance_seen(..)`"""
    return f"advance_{mark}"


def _plan_anchored(schema: model.Schema, imports: Imports, table: model.Table) -> KeptPlan:
    rule = table.rule
    assert isinstance(rule, model.AnchoredCount)
    called = called_for_anchor(table)
    sums = [item.name for item in rule.sums]
    imports.use("typing", "Any")
    word = BasePlan(
        at=_at(schema, imports, table),
        key=_key(imports, table),
        first=tuple(
            SetPlan(called[name], f"sums[{sums.index(name)}] = {called[name]}") for name in rule.given
        ),
        second=tuple(
            SetPlan(called[name], f"base[{place}] = {called[name]}") for place, name in enumerate(rule.base)
        ),
        sets="".join(f", {called[name]}: int | None = None" for name in (*rule.given, *rule.base))
        + f", {called['current']}: bool = True",
        rest=f"current={called['current']}",
    )
    return kept_plan(
        imports, table, template="table_anchored.j2", base="AnchoredCountTable",
        constants=_constants(imports, table), word=word,
    )  # fmt: skip


def _plan_stale(schema: model.Schema, imports: Imports, table: model.Table) -> KeptPlan:
    record = table.fields[1:]
    called = called_for_anchor(table)
    blanks = {field.name: _blank(schema, imports, field) for field in record}
    typed = [
        f"{called[field.name]}: {hints.annotation(schema, imports, field.type)} = {blanks[field.name]}"
        for field in record
    ]
    constants = [f"PACKED = {imports.use_module('.packed')}.{names.constant(table.name)}"]
    if record:
        constants.append(f"BLANK = {printing.tuple_text(list(blanks.values()))}")
    word = StalePlan(
        at=_at(schema, imports, table),
        key=_key(imports, table),
        record=f", *, {', '.join(typed)}" if typed else "",
        values=printing.tuple_text(list(called.values())) if typed else "",
    )
    return kept_plan(
        imports, table, template="table_stale.j2", base="StaleTable",
        constants=tuple(constants), word=word,
    )  # fmt: skip


def _blank(schema: model.Schema, imports: Imports, field: model.Field) -> str:
    """The default of a field, as text."""
    text = default_text(schema, imports, field)
    assert text is not None, f"{field.name} has a default"
    return text


KEPT[model.Marker] = _plan_marker
KEPT[model.AnchoredCount] = _plan_anchored
KEPT[model.Stale] = _plan_stale


# ------------------------------------------------------------------------------------- connections


def is_late(schema: model.Schema, table: model.Table) -> bool:
    """Whether a word with a base follows its source only when the transaction settles."""
    rule = table.rule
    return isinstance(rule, model.Marker | model.AnchoredCount) and (
        route_to(schema, rule.sources[0]) is None
    )


def connections(schema: model.Schema, imports: Imports) -> list[str]:
    """Statements that tell words with a base where to look, and what to mark."""
    lines = []
    followers: dict[str, list[str]] = {}
    for table in schema.tables.values():
        rule = table.rule
        if not isinstance(rule, model.Marker | model.AnchoredCount):
            continue
        own = _self(table.name)
        rules = imports.use_module(".rules")
        doubt = imports.use("pillarbox.maintainers", "Doubt")
        made = f"{doubt}({_self(rule.stale)}, {rules}.{stale_key_function(table.name)})"
        if isinstance(rule, model.Marker):
            holes = "None" if rule.holes is None else _self(rule.holes.table)
            lines.append(f"{own}.connect({_self(rule.over)}, {made}, {holes})")
        else:
            lines.append(f"{own}.connect({made})")
        if rule.holes is not None:
            followers.setdefault(rule.holes.table, []).append(own)
    lines += [f"{_self(name)}.holes_followed_by([{', '.join(found)}])" for name, found in followers.items()]
    return lines


def followers_of_bases(schema: model.Schema, imports: Imports) -> list[str]:
    """Who hears of writes: `(self.comments, Through(.., self.watch))`."""
    found = []
    for table in schema.tables.values():
        rule = table.rule
        if not isinstance(rule, model.Marker | model.AnchoredCount):
            continue
        route = route_to(schema, rule.sources[0])
        if route is None:
            continue
        follower = _self(table.name)
        for name in reversed(route.indexes):
            follower = _through(schema, imports, name, follower)
        found.append(f"({_self(route.primary)}, {follower})")
    return found


def _through(schema: model.Schema, imports: Imports, name: str, follower: str) -> str:
    """The text of a follower behind an index."""
    rules = imports.use_module(".rules")
    rule = schema.tables[name].rule
    if isinstance(rule, model.Index) and rule.unique == "identity":
        functions = ", ".join(f"{rules}.{names.identity_function(name, what)}" for what in ("key", "row"))
        return f"{imports.use('pillarbox.maintainers', 'ThroughIdentity')}({functions}, {follower})"
    spec = f"{imports.use_module('.specs')}.{names.constant(name)}"
    through = imports.use("pillarbox.maintainers", "Through")
    return f"{through}({rules}.{names.rows_function(name)}, {spec}, {follower})"


def late_rule(imports: Imports, table: model.Table) -> str:
    """What follows a table when the transaction settles."""
    assert table.rule is not None
    word = imports.use("pillarbox.maintainers", "SettledFollower")
    own = _self(table.name)
    return f"{word}({_self(table.rule.sources[0])}, {own}, {own})"


def _self(name: str) -> str:
    return f"self.{names.table_attribute(name)}"
