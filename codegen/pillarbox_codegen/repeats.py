"""Whether an operation that is applied twice does what it does once, as far as its steps show.

Depends on: model, reaches, touches, walk.  Never on: findings, plans.

Law: where no doubt is found, a second time with the same parameters, right behind the first, changes no
table. What it tells it may tell again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pillarbox_codegen.model import (
    Binary,
    Bump,
    DoStep,
    Expr,
    IfStep,
    Is,
    LetStep,
    Local,
    Lookup,
    Make,
    MarkStep,
    MatchStep,
    Operation,
    PatchStep,
    Path,
    PlaceStep,
    PutStep,
    RemoveStep,
    Renumber,
    ReorderStep,
    ReplaceStep,
    RequireStep,
    RowOf,
    Scan,
    Step,
    Table,
    UnplaceStep,
)
from pillarbox_codegen.reaches import reach
from pillarbox_codegen.touches import gone_with, identified, touched_by
from pillarbox_codegen.walk import names_in, nodes

#: What may make a row come or go, so that what was done only where there is one is done elsewhere.
_COMING_OR_GOING = (PutStep, RemoveStep, ReplaceStep)
#: What writes rows.
_WRITES = (PutStep, PatchStep, ReplaceStep)


class Doubt(str):
    """What a second time might do, in words that follow on `it`."""


class Fault(Doubt):
    """What a second time does, whatever there is."""


def doubt(operation: Operation, tables: Mapping[str, Table]) -> Doubt | None:
    """None: a second time does nothing, as the steps show."""
    return _Doubt(operation, tables).of(operation.steps)


class _Doubt:
    """Looks through the steps of one operation, in order."""

    def __init__(self, operation: Operation, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        found = reach(operation.steps, tables)
        self.written = found.written | found.settled
        self.writing = Counter(node.table for node in nodes(operation.steps) if isinstance(node, _WRITES))
        self.going = self._going(operation.steps)
        #: Names of what puts gave -> what of it tells that the row was not there before.
        self.puts: dict[str, set[tuple[str, str]]] = {}
        #: Tables of which rows were changed only where there are any.
        self.changed: set[str] = set()

    def of(self, steps: Sequence[Step]) -> Doubt | None:
        """The first doubt in them."""
        return next((found for step in steps if (found := self._step(step)) is not None), None)

    def _step(self, step: Step) -> Doubt | None:
        if step.mods.when is not None and self._is_first(step.mods.when):
            return None
        if isinstance(step, PutStep) and step.mods.result is not None:
            self.puts[step.mods.result] = self._telling(step)
        if isinstance(step, IfStep) and not step.otherwise and self._is_first(step.condition):
            return None
        said = [getattr(step, name) for name in step.__dataclass_fields__ if name not in _STEPS]
        return self._reading(tuple(said)) or self._doing(step)

    def _is_first(self, condition: Expr) -> bool:
        """Whether it holds only where a row was put that was not there: the second time it was."""
        if isinstance(condition, Binary) and condition.op == "and":
            return self._is_first(condition.left) or self._is_first(condition.right)
        match condition:
            case Is(of=Path(of=Local(name=name), field=field), what=what):
                return (field, what) in self.puts.get(name, ())
        return False

    def _telling(self, step: PutStep) -> set[tuple[str, str]]:
        """What is so of a put the first time alone: of a row that may go again, nothing."""
        if step.table in self.going:
            return set()
        row = {("row", "present")} if step.only == "new" else set()
        # Of what is not put, or only over another row, it is always said that none was there.
        was = {("was", "none")} if step.only != "old" and step.mods.when is None else set()
        return row | was

    def _reading(self, said: object) -> Doubt | None:
        """Whether what it does hangs on what it writes."""
        if found := names_in(said) & self.puts.keys():
            return Doubt(f"does more than once what hangs on `{min(found)}`")
        both = reach(said, self.tables).read & self.written
        if both:
            reads = {node.table for node in nodes(said) if isinstance(node, Lookup | Scan)}
            return Doubt(f"looks at `{min(reads & both or reads or both)}`, and what it writes changes that")
        return None

    def _doing(self, step: Step) -> Doubt | None:
        match step:
            case LetStep():
                return None
            case RequireStep(otherwise=inner):
                return self.of(inner)
            case IfStep(then=then, otherwise=otherwise):
                return self.of(then) or self.of(otherwise)
            case MatchStep(branches=branches, other=other):
                bodies = [*(branch.steps for branch in branches), other or ()]
                return next((found for body in bodies if (found := self.of(body)) is not None), None)
            case DoStep(does=inner):
                return self.of(inner)
            case UnplaceStep(otherwise=inner) if inner:
                return Doubt(f"does something else where `{step.table}` has the item no more")
            case ReorderStep(otherwise=inner):
                return self.of(inner)
            case MarkStep(table=table):
                return Fault(f"counts in `{table}` how often it was marked")
            case PlaceStep(table=table, at=at, mods=mods) if (
                not isinstance(at, str) and mods.each is not None
            ):
                return Doubt(f"moves several items of `{table}` to places that are counted")
        return self._writing(step)

    def _writing(self, step: Step) -> Doubt | None:
        name = getattr(step, "table", None)
        if name is None:
            return None
        table = self.tables[name]
        if isinstance(step, PatchStep):
            if step.given is not None:
                return Doubt(f"changes `{name}` by a patch, which may add")
            if (adds := next((one.field for one in step.changes if one.how == "add"), None)) is not None:
                return Fault(f"adds to `{name}.{adds}`")
        if isinstance(step, _COMING_OR_GOING) and name in self.changed:
            return Doubt(f"changes rows of `{name}` before it puts or removes some")
        if isinstance(step, PatchStep) or (isinstance(step, PutStep) and step.only != "any"):
            self.changed.add(name)
        if isinstance(step, _WRITES):
            return self._counting(table) or self._numbering(step, table)
        return None

    def _counting(self, table: Table) -> Doubt | None:
        """Whether rows count writes that the next step takes back."""
        counts = (rule.field for rule in table.upsert if isinstance(rule, Bump | Renumber))
        field = next(counts, None)
        if field is None or self.writing[table.name] == 1:
            return None
        return Doubt(f"writes rows of `{table.name}` in several steps, which `{field}` counts")

    def _going(self, steps: Sequence[Step]) -> set[str]:
        """Tables of which the steps may take rows away, those among them that they put."""
        going = {node.table for node in nodes(steps) if isinstance(node, RemoveStep | ReplaceStep)}
        going |= {name for name in self.writing if self.tables[name].bound is not None}
        going |= {name for name in identified(self.tables) if self.writing[name] > 1}
        return gone_with(going, self.tables)

    def _numbering(self, step: PutStep | ReplaceStep | PatchStep, table: Table) -> Doubt | None:
        """Whether rows count how often they were written."""
        if table.name in identified(self.tables):
            return None  # A row that is known keeps its numbers.
        given = step.row if isinstance(step, PutStep) else None
        if isinstance(given, Local | Path) and isinstance(given.type, RowOf):
            return None  # A whole row has its key, and what is there keeps its other numbers.
        said = dict(given.fields) if isinstance(given, Make) else {}
        missing = {part.fill for part in table.key if part.name not in said}
        if touched_by((step,), self.tables).sequences & missing:
            return Fault(f"takes a number for `{table.name}`")
        return None


#: Fields of steps that hold other steps, which are looked through by themselves.
_STEPS = frozenset({"then", "otherwise", "branches", "other", "does", "given"})
