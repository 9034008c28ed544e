"""Whether an operation that is applied twice does what it does once, as far as its steps show.

Depends on: model, reaches, touches, walk.  Never on: findings, plans.

Law: where no doubt is found, a second time with the same parameters, right behind the first, changes no
table. What it tells it may tell again, and what is in doubt may be in doubt once more (`stale`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pillarbox_codegen.keeps_again import kept_otherwise
from pillarbox_codegen.model import (
    AdvanceStep,
    AnchoredCount,
    AnchorStep,
    Binary,
    Bump,
    Call,
    DoStep,
    Expr,
    IfStep,
    Is,
    LetStep,
    Local,
    Lookup,
    Make,
    Marker,
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
from pillarbox_codegen.touches import gone_with, identified, origins, touched_by
from pillarbox_codegen.walk import names_in, nodes

#: What may make a row come or go, so that what was done only where there is one is done elsewhere.
_COMING_OR_GOING = (PutStep, RemoveStep, ReplaceStep)
#: What writes rows.
_WRITES = (PutStep, PatchStep, ReplaceStep)
#: What moves items of a list.
_MOVES = (PlaceStep, UnplaceStep, ReorderStep)
#: What sets the base of a word.
_BASES = (AnchorStep, AdvanceStep)


class Doubt(str):
    """What a second time might do, in words that follow on `it`."""


class Fault(Doubt):
    """What a second time does, whatever there is."""


def doubt(operation: Operation, tables: Mapping[str, Table]) -> Doubt | None:
    """None: a second time does nothing, as the steps show."""
    return _Doubt(operation.steps, tables).whole()


class _Doubt:
    """Looks through the steps of one operation, in order."""

    def __init__(self, steps: Sequence[Step], tables: Mapping[str, Table]) -> None:
        self.steps, self.tables = steps, tables
        self.nodes = [*nodes(steps)]
        found = reach(steps, tables)
        self.written = found.written | found.settled
        #: How often steps write to each table; what is done for each item of a list counts twice.
        self.writing = _writing(steps, 1)
        self.going = self._going(self.nodes)
        #: Names of what puts gave -> what of it tells that the row was not there before.
        self.puts: dict[str, set[tuple[str, str]]] = {}
        #: Tables of which rows were changed only where there are any.
        self.changed: set[str] = set()
        #: Tables whose rows decided whether a row was put at all.
        self.asked: set[str] = set()

    def whole(self) -> Doubt | None:
        """The first doubt in all of them."""
        return self.of(self.steps) or self._counted()

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
        found = self._reading(tuple(said)) or self._doing(step)
        if found is None and step.mods.each is not None and any(_inner(step)):
            found = self._doing(step)  # What is done for one item comes before and behind the others.
        return found

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
        owned = self.tables[step.table].owned
        if step.table in self.going or (owned is not None and owned.orphans == "skip"):
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
                outer, self.puts = self.puts, {}  # Its names are others.
                found = self.of(inner)
                self.puts = outer
                return found
            case UnplaceStep(otherwise=inner) if inner:
                return Doubt(f"does something else where `{step.table}` has the item no more")
            case ReorderStep(otherwise=inner):
                return self._moving(step) or self.of(inner)
            case PlaceStep() | UnplaceStep():
                return self._moving(step)
            case AnchorStep() | AdvanceStep():
                return self._basing(step)
        return self._writing(step)

    def _moving(self, step: PlaceStep | UnplaceStep | ReorderStep) -> Doubt | None:
        if self.writing[step.table] == 1:
            return None
        counted = isinstance(step, PlaceStep) and not isinstance(step.at, str)
        if counted or (isinstance(step, ReorderStep) and step.same_set):
            return Doubt(f"moves several items of `{step.table}`, to places that hang on the others")
        return None

    def _basing(self, step: AnchorStep | AdvanceStep) -> Doubt | None:
        """A base counts what is written behind it, and is counted on by what moves a mark."""
        name = step.table
        if self._heard(name) & self.written and not self._is_left(step):
            return Doubt(f"writes what `{name}` follows beside what it sets")
        if {type(one) for one in self.nodes if isinstance(one, _BASES) and one.table == name} == set(_BASES):
            return Doubt(f"sets `{name}` and moves its marks")
        return None

    def _is_left(self, step: AnchorStep | AdvanceStep) -> bool:
        """Whether it forgets a group behind rows of it that go, and none comes: the next time all is gone."""
        if not isinstance(step, AnchorStep) or step.set or not any(one is step for one in self.steps):
            return False
        heard = self._heard(step.table)
        place = next(place for place, one in enumerate(self.steps) if one is step)
        behind = reach(self.steps[place + 1 :], self.tables)
        writers = (one for one in self.nodes if getattr(one, "table", None) in heard)
        return not heard & (behind.written | behind.settled) and all(
            isinstance(one, RemoveStep) for one in writers
        )

    def _heard(self, name: str) -> set[str]:
        """The tables whose rows a word with a base follows; its holes, too."""
        rule = self.tables[name].rule
        assert isinstance(rule, Marker | AnchoredCount)
        return origins(rule.sources[0], self.tables) | (set() if rule.holes is None else {rule.holes.table})

    def _counted(self) -> Doubt | None:
        """Whether rows go and come again, each time: a base that has them counts the one, not the other."""
        going = self._going(one for one in self.nodes if self._takes(one)) & {*self.writing}
        for table in self.tables.values() if going else ():
            if isinstance(table.rule, Marker | AnchoredCount) and (both := self._heard(table.name) & going):
                return Doubt(f"takes away and puts rows of `{min(both)}`, which `{table.name}` counts")
        return None

    def _takes(self, node: object) -> bool:
        """Whether rows go that the steps may have put: one `replace` alone leaves those that stay."""
        return not isinstance(node, ReplaceStep) or self.writing[node.table] > 2

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
        coming = isinstance(step, _COMING_OR_GOING) or (
            isinstance(step, PatchStep) and step.create is not None
        )
        if coming and name in self.changed:
            return Doubt(f"changes rows of `{name}` before it puts or removes some")
        if coming and name in self.asked:
            return Doubt(f"puts rows of `{name}` behind those that need them")
        if isinstance(step, PatchStep) or (isinstance(step, PutStep) and step.only == "old"):
            self.changed.add(name)
        if isinstance(step, PutStep | ReplaceStep) and table.owned is not None:
            self.asked |= origins(table.owned.by, self.tables)
        if isinstance(step, _WRITES):
            return self._counting(table) or self._numbering(step, table) or self._keeping(step, table)
        return None

    def _keeping(self, step: PutStep | ReplaceStep | PatchStep, table: Table) -> Doubt | None:
        """Whether what outlives a write hangs on what the write changes."""
        if isinstance(step, PatchStep) or (isinstance(step, PutStep) and step.only == "new"):
            return None
        own = step.keep if isinstance(step, PutStep) else ()
        writers = [one for one in self.nodes if isinstance(one, _WRITES) and one.table == table.name]
        puts = all(isinstance(one, PutStep) and one.keep == own for one in writers)
        field = kept_otherwise(
            table,
            own,
            several=self.writing[table.name] > 1,
            versions=puts and table.name not in self.going,
        )
        if field is None:
            return None
        return Doubt(f"keeps fields of `{table.name}` by what `{field}` was, which it changes")

    def _counting(self, table: Table) -> Doubt | None:
        """Whether rows count writes that the next step takes back."""
        counts = (rule.field for rule in table.upsert if isinstance(rule, Bump | Renumber))
        field = next(counts, None)
        if field is None or self.writing[table.name] == 1:
            return None
        return Doubt(f"writes rows of `{table.name}` in several steps, which `{field}` counts")

    def _going(self, among: Iterable[object]) -> set[str]:
        """Tables of which these steps may take rows away, those among them that they put."""
        going = {node.table for node in among if isinstance(node, RemoveStep | ReplaceStep)}
        going |= {name for name in self.writing if self.tables[name].bound is not None}
        going |= {name for name in identified(self.tables) if self.writing[name] > 1}
        return gone_with(going, self.tables)

    def _numbering(self, step: PutStep | ReplaceStep | PatchStep, table: Table) -> Doubt | None:
        """Whether rows count how often they were written."""
        if table.name in identified(self.tables) and self.writing[table.name] == 1:
            return None  # A row that is known keeps its numbers.
        given = step.row if isinstance(step, PutStep) else None
        if isinstance(given, Call) and given.function == "changed":
            given = given.arguments[0]
        if isinstance(given, Local | Path) and isinstance(given.type, RowOf):
            return None  # A whole row has its key, and what is there keeps its other numbers.
        said = dict(given.fields) if isinstance(given, Make) else {}
        missing = {part.fill for part in table.key if part.name not in said}
        if touched_by((step,), self.tables).sequences & missing:
            return Fault(f"takes a number for `{table.name}`")
        return None


def _writing(steps: Sequence[Step], weight: int) -> Counter[str]:
    """How often they write to each table; of branches that exclude each other the one with the most."""
    found: Counter[str] = Counter()
    for step in steps:
        many = weight if step.mods.each is None else 2
        if isinstance(step, _WRITES + _MOVES + _BASES):
            # The rows of one `replace` may be of one key as well.
            found[step.table] += 2 if isinstance(step, ReplaceStep) else many
        branches: Counter[str] = Counter()
        for inner in _inner(step):
            branches |= _writing(inner, many)
        found += branches
    return found


def _inner(step: Step) -> Iterator[Sequence[Step]]:
    """The steps that it holds, branch by branch."""
    match step:
        case IfStep(then=then, otherwise=otherwise):
            yield from (then, otherwise)
        case MatchStep(branches=branches, other=other):
            yield from (branch.steps for branch in branches)
            yield other or ()
        case DoStep(does=does):
            yield does
        case RequireStep(otherwise=otherwise) | UnplaceStep(otherwise=otherwise):
            yield otherwise
        case ReorderStep(otherwise=otherwise):
            yield otherwise


#: Fields of steps that hold other steps, which are looked through by themselves.
_STEPS = frozenset({"then", "otherwise", "branches", "other", "does", "given"})
