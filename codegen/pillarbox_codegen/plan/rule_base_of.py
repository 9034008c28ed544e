"""Plans what markers and anchored counts need in `rules.py`: their shapes, and the functions these name.

Depends on: model, expr_python, following, kept_base, rule_base, rule_count, names, hints.  Never on: tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_condition, compile_expr
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.following import route_to
from pillarbox_codegen.plan.kept_base import prefix_text
from pillarbox_codegen.plan.key_parts import mark_function, part_code, width
from pillarbox_codegen.plan.routes import has_fractions
from pillarbox_codegen.plan.rule_base import EntriesPlan, Planner
from pillarbox_codegen.plan.rule_count import plan_count
from pillarbox_codegen.plan.structs import row_fields
from pillarbox_codegen.reads import is_read
from pillarbox_codegen.walk import names_in


@dataclass(frozen=True, slots=True)
class FunctionPlan:
    """`def name(parameters) -> returns:` and its statements."""

    name: str
    parameters: str
    returns: str
    lines: tuple[str, ...]
    #: The docstring, of a function that others name.
    doc: str = ""


@dataclass(frozen=True, slots=True)
class ShapePlan:
    """A shape and its functions; of a count, what a row adds as well."""

    template: str
    entries: EntriesPlan | None
    functions: tuple[FunctionPlan, ...]
    constant: str
    shape: str
    arguments: tuple[str, ...]


class _Shape:
    """Collects the functions of one table."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.schema, self.imports, self.table = planner.schema, planner.imports, planner.table
        self.functions: list[FunctionPlan] = []
        self.fields = self.imports.use(".keys", names.key_fields_function(self.table.name))
        self.imports.use_all("typing", ["Any", "Final"])

    def use(self, name: str) -> str:
        return self.imports.use("pillarbox.maintainers", name)

    def function(self, what: str, parameters: str, returns: str, lines: Sequence[str]) -> str:
        name = f"_{self.table.name}_{what}"
        self.functions.append(FunctionPlan(name, parameters, returns, tuple(lines)))
        return name

    # -------------------------------------------------------------------------------------- groups

    def group_scope(self) -> Scope:
        """The parts of a key that is taken apart into `group`."""
        fields = {part.name: f"group.{names.key_field(part.name)}" for part in self.table.key}
        return Scope(self.schema, self.imports, fields, {"l", "key", "group", "prefix", "parts"})

    def _with_group(self, lines: Sequence[str]) -> list[str]:
        """The lines of a function of a key, which is taken apart where they read its parts."""
        return [*([f"group = {self.fields}(key)"] if is_read("group", lines) else []), *lines]

    def of_group(self, what: str, condition: model.Expr | None, otherwise: str) -> str:
        """A function that says whether a condition holds for a key."""
        if condition is None:
            return self.use(otherwise)
        text = compile_condition(condition, self.group_scope())
        return self.function(what, "key: Any", "bool", self._with_group([f"return {text}"]))

    def keys(self, table: model.Table) -> str:
        """`Keys(watch_key, watch_prefix_1)`"""
        functions = [self.imports.use(".keys", mark_function(self.schema, table))]
        if not table.key:
            functions.append("bare=True")
        functions += [
            self.imports.use(".keys", names.prefix_function(table.name, length))
            for length in range(1, len(table.key))
        ]
        return f"{self.use('Keys')}({', '.join(functions)})"

    def missed(self, key: Sequence[str | None], position: Sequence[str | None] = ()) -> str:
        parts = [printing.tuple_text([printing.literal(name) for name in each]) for each in (key, position)]
        return f"{self.use('MissedShape')}({', '.join(parts if position else parts[:1])})"

    def heard_names(self, name: str) -> dict[str, str]:
        """Field of the followed table -> the field of the table whose writes are heard."""
        route = route_to(self.schema, name)
        if route is None:
            return {}
        heard = self.schema.tables[route.primary]
        found = {field.name: field.name for field in row_fields(heard)}
        for index in route.indexes:
            rule = self.schema.tables[index].rule
            assert isinstance(rule, model.Index)
            found = {
                part.name: found[part.expr.name]
                for part in (*rule.key, *rule.value)
                if isinstance(part.expr, model.Local) and part.expr.name in found
            }
        return found

    # --------------------------------------------------------------------------------------- holes

    def hole_parts(self, holes: model.Holes) -> str:
        """A function from the encoded group and space of a hole to the parts that begin the word's keys."""
        table, held = self.schema.tables[holes.table], len(holes.at)
        self.imports.use_all("typing", ["Any"])
        if not held:
            return self.function("hole_parts", "prefix: bytes", "tuple[Any, ...] | None", ["return ()"])
        fields = self.imports.use(".keys", names.key_fields_function(table.name))
        size = width([part_code(self.schema, table, part) for part in table.key[held:]])
        own: dict[str, str] = {}
        others: list[str] = []
        for place, expr in enumerate(holes.at):
            if isinstance(expr, model.Local):
                own.setdefault(expr.name, f"parts[{place}]")
            else:
                others.append(f"parts[{place}] != {compile_expr(expr, self.group_scope())}")
        leading = []
        for part in self.table.key:
            if part.name not in own:
                break
            leading.append(own[part.name])
        lines = [f"parts = {fields}(prefix + bytes({size}))"]
        if others:
            lines += [f"if {' or '.join(others)}:", "    return None"]
        lines.append(f"return {printing.tuple_text(leading)}")
        return self.function("hole_parts", "prefix: bytes", "tuple[Any, ...] | None", lines)

    def holes(self, holes: model.Holes | None) -> str:
        """The HolesShape of a marker."""
        if holes is None:
            return "None"
        table, held = self.schema.tables[holes.table], len(holes.at)
        values = [compile_expr(expr, self.group_scope()) for expr in holes.at]
        text = prefix_text(self.imports, table, held, values)
        prefix = self.function("holes_of", "key: Any", "bytes", self._with_group([f"return {text}"]))
        edge = self.imports.use(".keys", names.edge_function(table.name))
        self.imports.use("collections.abc", "Sequence")
        place = ", ".join(f"position[{part}]" for part in holes.parts)
        point = self.function("hole_at", "position: Sequence[Any]", "bytes", [f"return {edge}({place})"])
        return f"{self.use('HolesShape')}({prefix}, {point}, {self.hole_parts(holes)})"

    def stale_key(self, stale: str) -> None:
        """The function from a key of the word to the key that it is asked for by."""
        table = self.schema.tables[stale]
        function = self.imports.use(".keys", names.key_function(stale))
        values = ", ".join(f"group.{names.key_field(part.name)}" for part in table.key)
        lines = [f"group = {self.fields}(key)"] if values else []
        key = "int" if hints.is_int_key(self.schema, table) else "bytes"
        name = stale_key_function(self.table.name)
        lines.append(f"return {function}({values})")
        doc = printing.docstring(f"What a group of `{self.table.name}` is asked for by in `{stale}`.", 4)
        self.functions.append(FunctionPlan(name, "key: Any", key, tuple(lines), doc))


def stale_key_function(table: str) -> str:
    """`watch_stale_key(key)`, in rules: what a group is asked for by."""
    return f"{table}_stale_key"


def plan_marker(planner: Planner, rule: model.Marker) -> ShapePlan:
    """The shape of a marker."""
    shape = _Shape(planner)
    over = planner.schema.tables[rule.over]
    row = planner.row_class
    scope = planner.scope()
    key = shape.imports.use(".keys", names.key_function(planner.table.name))
    held = ", ".join(f"row.{names.field(part)}" for part in rule.group)
    group: list[str] = []
    if rule.when is not None:
        group = [f"if {compile_condition(rule.when, scope, opposite=True)}:", "    return None"]
    group.append(f"return {key}({held})")
    optional = " | None" if rule.when is not None else ""
    position = printing.tuple_text([f"row.{names.field(part)}" for part in rule.by])
    counts = "True" if rule.counts is None else compile_expr(rule.counts, scope)
    heard = shape.heard_names(rule.over)
    arguments = [
        f"group_of={shape.function('group', f'row: {row}', planner.key_type + optional, group)}",
        f"position_of={shape.function('position', f'row: {row}', 'tuple[int, ...]', [f'return {position}'])}",
        f"counts={shape.function('counts', f'row: {row}', 'bool', [f'return {counts}'])}",
        f"keys={shape.keys(planner.table)}",
        f"stream={shape.keys(over)}",
        f"tracks={shape.of_group('tracks', rule.when, 'always')}",
        f"assumed={shape.of_group('assumed', rule.default, 'never')}",
        f"missed={shape.missed(*([heard.get(name) for name in some] for some in (rule.group, rule.by)))}",
        f"holes={shape.holes(rule.holes)}",
        f"marks={len(rule.marks)}",
        f"counted={rule.marks.index(rule.counted)}",
        f"width={len(rule.by)}",
        f"known={rule.known is not None}",
        f"flag={rule.flag is not None}",
    ]
    shape.stale_key(rule.stale)
    return ShapePlan(
        "rule_shape.j2", None, tuple(shape.functions), names.constant(planner.table.name),
        f"{shape.use('MarkerShape')}[{row}]", tuple(arguments),
    )  # fmt: skip


def plan_anchored(planner: Planner, rule: model.AnchoredCount) -> ShapePlan:
    """The shape of an anchored count."""
    shape = _Shape(planner)
    row = planner.row_class
    entries = plan_count(planner, rule)
    heard = shape.heard_names(rule.source)
    key = [heard.get(item.expr.name) if isinstance(item.expr, model.Local) else None for item in rule.group]
    bases = {name: f"base[{place}]" for place, name in enumerate(rule.base)}
    covers, guess = "None", rule.covers == "unknown"
    if rule.covers is not None and not isinstance(rule.covers, str):
        text = compile_condition(rule.covers, planner.scope("row", "base").bind(**bases))
        covers = shape.function("covers", f"row: {row}, base: tuple[int, ...]", "bool", [f"return {text}"])
    given = [str(item.name in rule.given) for item in rule.sums]
    arguments = [
        f"sums_of={entries.function}",
        f"anchored={shape.of_group('anchored', rule.anchored, 'always')}",
        f"covers={covers}",
        f"guess={guess}",
        f"given={printing.tuple_text(given)}",
        f"blank={printing.tuple_text(['0'] * len(rule.base))}",
        f"keys={shape.keys(planner.table)}",
        f"missed={shape.missed(key)}",
    ]
    facts = _facts_of(planner, rule)
    if facts is not None:
        arguments.append(f"facts_of={facts}")
    if rule.holes is not None:
        arguments.append(f"hole_parts={shape.hole_parts(rule.holes)}")
        if covers != "None":
            arguments.append(f"covers_hole={_covers_hole(shape, rule, rule.holes, bases)}")
    shape.stale_key(rule.stale)
    return ShapePlan(
        "rule_shape.j2", entries, tuple(shape.functions), names.constant(planner.table.name),
        f"{shape.use('AnchorShape')}[{row}]", tuple(arguments),
    )  # fmt: skip


def _facts_of(planner: Planner, rule: model.AnchoredCount) -> str | None:
    """What gives what a row adds by; None: it is nothing, or a fraction (0.0 and -0.0 are equal)."""
    read = names_in((rule.each, rule.when, rule.group, rule.sums))
    fields = [field for field in row_fields(planner.source) if field.name in read]
    if not fields or any(has_fractions(planner.schema, field.type) for field in fields):
        return None
    attributes = ", ".join(f'"{names.field(field.name)}"' for field in fields)
    return f"{planner.imports.use('operator', 'attrgetter')}({attributes})"


def _covers_hole(shape: _Shape, rule: model.AnchoredCount, holes: model.Holes, bases: dict[str, str]) -> str:
    """A function that says of the end of a hole whether the base has it."""
    assert rule.covers is not None
    assert not isinstance(rule.covers, str)
    table = shape.schema.tables[holes.table]
    fields = shape.imports.use(".keys", names.key_fields_function(table.name))
    raw = "prefix + high"
    if hints.is_int_key(shape.schema, table):
        raw = f"int.from_bytes({raw}) - {shape.imports.use('pillarbox.codec', 'INT64_BIAS')}"
    start = len(holes.at)
    edges = {name: f"parts[{start + place}]" for place, name in enumerate(holes.over)}
    scope = Scope(shape.schema, shape.imports, edges | bases, {"l", "prefix", "high", "base", "parts"})
    text = compile_condition(rule.covers, scope)
    parameters = "prefix: bytes, high: bytes, base: tuple[int, ...]"
    return shape.function("covers_hole", parameters, "bool", [f"parts = {fields}({raw})", f"return {text}"])
