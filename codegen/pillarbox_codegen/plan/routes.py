"""How the operations of a source are routed, and which repetitions of a row change nothing.

Depends on: model, reaches, touches, expr_python, names.  Never on: templates.

Law: emissions that the schema keeps in order with each other have one route function. Rows with equal memos
make equal operations, of which the second in a row does nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr
from pillarbox_codegen.plan import names
from pillarbox_codegen.reaches import reach, shared
from pillarbox_codegen.touches import origins, touched
from pillarbox_codegen.walk import names_in, nodes

#: A function is named after the columns that it reads, up to this many characters.
_NAME_MAX: Final = 60


@dataclass
class Routes:
    """The route functions of one source: name -> text of what is returned."""

    source: model.Source
    scope: Scope
    #: Names of the module.
    taken: set[str]
    functions: dict[str, str] = field(default_factory=dict)
    _by: dict[tuple[model.Expr, ...], str] = field(default_factory=dict)

    def group(self) -> str:
        """The route function of the group; `None` where the source has none."""
        if not self.source.group:
            return "None"
        columns = [self.scope.names[name] for name in self.source.group]
        return self._function(f"_{self.source.name}_group", columns)

    def of(self, emission: model.Emission) -> str | None:
        """The route function of an emission; none where it goes with the group."""
        by = emission.by
        if by is None:
            return None
        if by not in self._by:
            values = [compile_expr(value, self.scope) for value in by]
            self._by[by] = self._function(f"_{self.source.name}_{_told_by(by)}", values)
        return self._by[by]

    def _function(self, name: str, values: Sequence[str]) -> str:
        name = names.fresh(name, self.taken)
        route_of = self.scope.imports.use("pillarbox.bulk", "route_of")
        self.functions[name] = f"{route_of}({', '.join(values)})"
        return name


def _told_by(by: Sequence[model.Expr]) -> str:
    """`by_project_id_user_id`: the columns that are read, in order."""
    read = dict.fromkeys(node.name for node in nodes(tuple(by)) if isinstance(node, model.Local))
    name = "_".join(["by", *read])
    return name if read and len(name) <= _NAME_MAX else "route" if read else "in_one_order"


def memo(schema: model.Schema, scope: Scope, source: model.Source, emission: model.Emission) -> str | None:
    """The text of the function that gives what the operations of a row depend on.

    None where a repetition might do something: the operation is not declared idempotent, takes numbers of a
    sequence, or touches what another emission of the source writes (or the other way round). None where rows
    that are there may keep out what it writes: then each repetition is refused, and is to be told. None too
    where a column is a fraction: 0.0 and -0.0 are equal, and yet two values.
    """
    operation = schema.operations[emission.operation]
    tables = schema.tables
    own, reached = touched(operation, tables), reach(operation.steps, tables)
    others = [schema.operations[other.operation] for other in source.emits if other is not emission]
    met = any(shared(reached, reach(other.steps, tables), tables) for other in others)
    if not operation.idempotent or own.sequences or met or _kept_out(own.written, tables):
        return None
    read = names_in((emission.when, emission.each, emission.arguments))
    columns = [column for column in source.columns if column.name in read]
    if any(has_fractions(schema, column.type) for column in columns):
        return None
    if not columns:
        return "lambda _row: None"
    attributes = ", ".join(f'"{names.field(column.name)}"' for column in columns)
    return f"{scope.imports.use('operator', 'attrgetter')}({attributes})"


def _kept_out(written: Set[str], tables: Mapping[str, model.Table]) -> bool:
    """Whether rows of these tables must differ from each other by more than their keys."""
    rules = [table.rule for table in tables.values()]
    unique = [rule.source for rule in rules if isinstance(rule, model.Index) and rule.unique != "no"]
    return any(origins(source, tables) & written for source in unique)


def has_fractions(schema: model.Schema, type_: model.Type) -> bool:
    """Whether a value of the type may hold a float64."""
    seen: set[str] = set()
    pending: list[object] = [type_]
    while pending:
        for node in nodes(pending.pop()):
            if node == model.Scalar("float64"):
                return True
            if isinstance(node, model.Named) and node.name not in seen:
                seen.add(node.name)
                pending.append(schema.types[node.name])
            if isinstance(node, model.RowOf) and node.table not in seen:
                seen.add(node.table)
                pending.append((schema.tables[node.table].key, schema.tables[node.table].fields))
    return False
