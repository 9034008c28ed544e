"""What `merge:` of an operation may say.

Depends on: context, reaches, walk.  Never on: the runtime that merges.

Law: a merge that passes changes nothing but how often steps run: where operations that are merged follow one
another, or stand apart by others that do not meet them, tables and events are as without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.findings import Invalid
from pillarbox_codegen.model import (
    BagOf,
    BatchMerge,
    Expr,
    IfStep,
    LetStep,
    ListOf,
    Local,
    Make,
    Merge,
    Operation,
    PatchStep,
    PutStep,
    RemoveStep,
    RequireStep,
    SetCursorStep,
    Step,
    TailMerge,
)
from pillarbox_codegen.reaches import Reach, meeting, reach
from pillarbox_codegen.touches import identified
from pillarbox_codegen.type_rules import fits_key, present, show
from pillarbox_codegen.walk import lookups_in, names_in, nodes, scans_in
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

_ONCE: Final = (
    "put what is done for one of them into `{if: true, each: %s as x, then: [..]}`, or leave `merge` out"
)
_BARRIER: Final = "leave `merge` out: the operation is then applied as it stands"
#: A table, the key there, and the fields that are written whole; none: the row.
_Written: TypeAlias = tuple[str, tuple[Expr, ...], frozenset[str] | None]


def check_merge(context: Context, node: YamlNode | None, operation: Operation) -> Merge | None:
    """The merge of an operation whose steps are sound; none is a barrier. Raises Invalid after a finding."""
    if node is None:
        return None
    if isinstance(node, YamlScalar):
        word = node.value.strip()
        hints = {"batch": "write `{batch: LIST}`: the parameter that becomes longer",
                 "tail": "write `{tail: [KEYS]}`: the parameters that say what is written over"}  # fmt: skip
        text = f"`{word[:60]}` does not say how operations are merged"
        raise context.findings.add(node, "merge", text, hints.get(word, _BARRIER))
    assert isinstance(node, YamlMap)
    if "batch" in node.values:
        return _Batch(context, node.values["batch"], operation).check()
    return _Tail(context, node.values["tail"], operation).check()


def _param(context: Context, node: YamlNode, operation: Operation) -> str:
    assert isinstance(node, YamlScalar)
    known = [param.name for param in operation.params]
    if node.value not in known:
        text = f"`{operation.name}` has no parameter `{node.value[:60]}`"
        hint = did_you_mean(node.value, known) or (
            f"its parameters are {one_of(known)}" if known else _BARRIER
        )
        raise context.findings.add(node, "merge", text, hint)
    return node.value


def _check_key(context: Context, node: YamlNode, operation: Operation, name: str) -> None:
    """Whether two values of the parameter that are equal are one and the same."""
    type = next(param.type for param in operation.params if param.name == name)
    context.definition(present(type))
    if not fits_key(present(type), context.types):
        text = f"`{name}` is {show(type)}, by which operations cannot be told to belong together"
        hint = f"these are ints, ids, enums, text and bytes; else {_BARRIER}"
        raise context.findings.add(node, "merge", text, hint)


class _Check:
    """What both ways have in common: the operation, the place of findings, what its steps reach."""

    def __init__(self, context: Context, node: YamlNode, operation: Operation) -> None:
        self.context = context
        self.node = node
        self.operation = operation
        self.reach = reach(operation.steps, context.tables)

    def refuse(self, text: str, hint: str) -> Invalid:
        return self.context.findings.add(self.node, "merge", text, hint)

    def steady(self, things: object) -> bool:
        """Whether nothing that these read is written by the operation."""
        return not reach(things, self.context.tables).read & self.reach.written


# --------------------------------------------------------------------------------------------- batch


class _Batch(_Check):
    """Steps that run once for each item of the list, so that two lists may run as one.

    Where several steps do, the later ones for the first list come behind the earlier ones for the second:
    they must not meet.
    """

    def check(self) -> BatchMerge:
        name = _param(self.context, self.node, self.operation)
        type = next(param.type for param in self.operation.params if param.name == name)
        if not isinstance(type, ListOf) or isinstance(type, BagOf):
            hint = f"name a parameter that is a list; else {_BARRIER}"
            raise self.refuse(f"`{name}` is {show(type)}, and a batch makes a list longer", hint)
        by = tuple(param.name for param in self.operation.params if param.name != name)
        for other in by:
            _check_key(self.context, self.node, self.operation, other)
        self.hint = _ONCE % name
        #: The list, and what steps gave for each of it.
        self.lists = {name}
        self.list = name
        loops = [reach((step,), self.context.tables) for step in self._loops(self.operation.steps)]
        self._check_apart(loops)
        return BatchMerge(name, by)

    def _loops(self, steps: Sequence[Step]) -> Iterator[Step]:
        """The steps that run for each; refuses what is done, or decided, once for all of the list."""
        for step in steps:
            if step.mods.each is not None:
                yield self._loop(step)
                continue
            match step:
                case LetStep(names=found):
                    fixed: object = (tuple(one.expr for one in found), step.mods.when)
                case RequireStep(condition=condition, otherwise=()):
                    fixed = (condition, step.mods.when)
                case IfStep(condition=condition, then=then, otherwise=otherwise):
                    fixed = (condition, step.mods.when)
                    yield from self._loops(then)
                    yield from self._loops(otherwise)
                case _:
                    text = f"{_noun(step)} is not done for each of `{self.list}`"
                    raise self.refuse(text, self.hint)
            if names_in(fixed) & self.lists:
                text = f"{_noun(step)} looks at `{self.list}` as a whole, which is longer in a batch"
                raise self.refuse(text, self.hint)
            if not self.steady(fixed):
                text = f"{_noun(step)} reads what the operation writes, which is not the same in a batch"
                raise self.refuse(text, self.hint)

    def _loop(self, step: Step) -> Step:
        each = step.mods.each
        assert each is not None
        if not (isinstance(each.items, Local) and each.items.name in self.lists):
            text = f"{_noun(step)} is not done for each of `{self.list}`, but of something else"
            raise self.refuse(text, self.hint)
        # What another operation does it does with names of its own.
        own = [name for name in step.__dataclass_fields__ if name not in ("mods", "does")]
        inside = [getattr(step, name) for name in own]
        if names_in((*inside, step.mods.when)) & self.lists:
            text = f"{_noun(step)} looks at `{self.list}` as a whole, which is longer in a batch"
            raise self.refuse(text, self.hint)
        if any(isinstance(node, RequireStep) for node in nodes(tuple(inside), own=True)):
            text = f"a `require` inside of {_noun(step)} ends the operation, and so the rest of a batch"
            raise self.refuse(text, "write `if` instead of it")
        if step.mods.result is not None:
            self.lists.add(step.mods.result)
        return step

    def _check_apart(self, loops: Sequence[Reach]) -> None:
        for one, other in combinations(loops, 2):
            shared = meeting(one, other)
            if shared:
                text = (
                    f"two steps over `{self.list}` meet in {all_of(sorted(shared))}: in a batch one is done "
                    "for all items before the other begins"
                )
                raise self.refuse(text, self.hint)


# ---------------------------------------------------------------------------------------------- tail


class _Tail(_Check):
    """Steps that write the same whole values whenever they run, so that the last time is enough."""

    def check(self) -> TailMerge:
        assert isinstance(self.node, YamlList)
        keys: list[str] = []
        for item in self.node.items:
            name = _param(self.context, item, self.operation)
            _check_key(self.context, item, self.operation, name)
            if name in keys:
                raise self.context.findings.add(item, "merge", f"`{name}` is named twice", "name it once")
            keys.append(name)
        self.keys = frozenset(keys)
        #: Parameters, and what is known before anything is written.
        self.known = {param.name for param in self.operation.params}
        written = {one[0] for one in self._written(self.operation.steps)}
        more = sorted(self.reach.written - written)
        if more:
            text = f"the operation also reaches {all_of(more)}, which tells how often it was applied"
            raise self.refuse(text, f"name a list that becomes longer, `{{batch: LIST}}`, or {_BARRIER}")
        return TailMerge(tuple(keys))

    def _written(self, steps: Sequence[Step]) -> frozenset[_Written]:
        """What is written whole, whatever the parameters beside the keys are."""
        found: set[_Written] = set()
        for step in steps:
            if step.mods.each is not None:
                raise self._refuse(step, "is done for each of a list")
            if step.mods.when is not None and not self._is_key(step.mods.when):
                raise self._refuse(step, "is not always done", "let `if` and `else` write the same")
            match step:
                case LetStep(names=names):
                    if not self.steady(tuple(one.expr for one in names)):
                        raise self._refuse(step, "reads what the operation writes")
                    self.known |= {one.name for one in names}
                case IfStep(condition=condition, then=then, otherwise=otherwise):
                    found |= self._branches(step, condition, then, otherwise)
                case PutStep() | PatchStep() | RemoveStep() | SetCursorStep():
                    found.add(self._one(step))
                case _:
                    raise self._refuse(step, "does not write a whole value")
        return frozenset(found)

    def _branches(
        self, step: Step, condition: Expr, then: Sequence[Step], otherwise: Sequence[Step]
    ) -> frozenset[_Written]:
        yes, no = self._written(then), self._written(otherwise)
        if self._is_key(condition):
            return yes | no
        if yes != no:
            raise self._refuse(step, "writes one thing or another", "let both branches write the same")
        if not self.steady(condition):
            raise self._refuse(step, "reads what the operation writes")
        return yes

    def _one(self, step: PutStep | PatchStep | RemoveStep | SetCursorStep) -> _Written:
        """What one step writes."""
        name = step.cursor if isinstance(step, SetCursorStep) else step.table
        table = self.context.tables[name]
        given: tuple[object, ...]
        fields: frozenset[str] | None = None
        match step:
            case SetCursorStep(at=at, set=values):
                fields, given = frozenset(one.name for one in values), tuple(one.expr for one in values)
            case PatchStep(at=at, changes=changes, create=create, given=None, by=None):
                if any(change.how != "set" or change.path for change in changes):
                    raise self._refuse(step, "changes a value by what it was", "set whole fields")
                if create is not None and not self._is_key(create):
                    raise self._refuse(step, "creates a row of what is not in the keys")
                # Whether it creates one is the same each time; a put or another patch is no match for it.
                fields = frozenset(change.field for change in changes) | {f"create {create is not None}"}
                given = tuple(change.value for change in changes)
            case RemoveStep(at=at, whole=True, by=None, upper=None):
                given = ()
            case PutStep(row=Make(fields=values_of), only="any", keep=()):
                cells = dict(values_of)
                if any(part.name not in cells for part in table.key):
                    raise self._refuse(step, "takes a number for its key")
                at = tuple(cells[part.name] for part in table.key)
                given = tuple(cells.values())
            case _:
                raise self._refuse(step, "does not say in its keys what it writes over")
        if not self._is_key(at):
            text = (
                f"is at a key that is not made of {one_of(sorted(self.keys))}" if self.keys else "is at a key"
            )
            raise self._refuse(step, text, "name the parameters of the key in `tail`")
        if (
            table.owned
            or table.bound
            or table.upsert
            or table.rule
            or name in identified(self.context.tables)
        ):
            raise self._refuse(step, f"writes `{name}`, whose rows depend on what was there, or on others")
        if not (names_in(given) <= self.known and self.steady(given)):
            raise self._refuse(step, "makes its values of what was there")
        return name, at, fields

    def _is_key(self, thing: object) -> bool:
        """Whether it is the same for all operations of equal keys."""
        return names_in(thing) <= self.keys and not lookups_in(thing) and not scans_in(thing)

    def _refuse(self, step: Step, text: str, hint: str | None = None) -> Invalid:
        hint = hint or f"name a list that becomes longer, `{{batch: LIST}}`, or {_BARRIER}"
        return self.refuse(f"of a tail only the last is applied, but {_noun(step)} {text}", hint)


def _noun(step: Step) -> str:
    """How a step is called in a finding."""
    word = type(step).__name__.removesuffix("Step")
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in word).lstrip("_")
    table = getattr(step, "table", None) or getattr(step, "event", None) or getattr(step, "cursor", None)
    return f"the step `{words}`" + (f" of `{table}`" if table else "")
