"""Updates, rows and wishes that may come twice: what they become has to bear it.

Depends on: context, outbox_entries, repeats.  Never on: steps, expressions.

Law: what no counter guards, and what a wish did at once and does again with its answer, are operations of
which it is shown, or said, that a second time does nothing. And nothing is guarded so that it never comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.model import (
    Binary,
    ClaimRule,
    CursorPart,
    Expr,
    If,
    Literal_,
    Make,
    Operation,
    Tuple_,
    UpdateOf,
)
from pillarbox_codegen.outbox_entries import entries_of
from pillarbox_codegen.repeats import Doubt, Fault, doubt
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

_UNCLAIMED: Final = "no counter guards `{}`, so it may come twice, and `{}` {}"
_UNGUARDED: Final = "no counter guards `{}` in `%s`, so it may come twice, and `{}` {}"
_BESIDE: Final = "what is missing of `%s` brings `{}` besides, so it may come twice, and `{}` {}"
_UNMOVED: Final = "what is pushed moves no watermark, so `{}` may come twice, and `{}` {}"
_EMPTY: Final = "a claim of `{}` may be of no length, so it may come twice, and `{}` {}"
_TWICE: Final = "what `{}` comes in claims `{}` as well, and of two that claim the same the second is old"
_SIDE: Final = "the side of `{}` comes with each part of it that applies, and `{}` {}"
_LOCAL: Final = "what is local to `{}` is done again with its answer, and `{}` {}"
_COUNTLESS: Final = "`%s` may count nothing, so what follows on it may be done twice by `{}`, and `{}` {}"
_SAY: Final = "let its steps set, put and remove alone, claim a counter, or say `idempotent: true` of it"
_SAY_WHY: Final = "let an update claim a counter, or say of it `idempotent: true` and `because:`"
_SAY_APART: Final = (
    "let the update claim a counter itself, leave it out by `only:`, or say `idempotent: true` of it"
)
_SAY_ZERO: Final = "say `zero: refused` of the part, or of the operation `idempotent: true`"
_SAY_ONCE: Final = "leave `claims` out here, or let the container claim something else"
_SAY_COUNTED: Final = "write what the answer counts in place of `local`, or say of it `idempotent: true`"


def check_repeats(context: Context) -> None:
    """After operations, updates and containers."""
    doubts: dict[str, Doubt | None] = {}
    for name, entry in context.sound("operations"):
        operation = context.operations.get(name)
        if operation is not None:
            doubts[name] = _undone(context, entry, operation)
    # What an answer brings is done once: it is written only where the cursor stands that was asked about.
    pushing = [name for name, entry in context.sound("containers") if "items" in entry.body.values]
    for name, entry in context.sound("updates"):
        update = context.updates.get(name)
        within = [container for container in pushing if _may_hold(context, container, name)]
        if update is None or not within:
            continue
        claim, emits = update.claim, entry.body.values.get("emits")
        bare = next((container for container in within if not _is_counted(context, container)), None)
        if claim is None:
            # It shares the fate of its container; what is beside a counter is checked by none.
            if update.beside is not None:
                _check(context, emits, _UNCLAIMED, name, doubts)
            elif bare is not None:
                _check(context, emits, _UNGUARDED % bare, name, doubts)
            elif (other := _beside(context, name, within)) is not None:
                _check(context, emits, _BESIDE % other, name, doubts, _SAY_APART)
        elif claim.unless is not None or update.when_old:
            _check(context, emits, _UNCLAIMED, name, doubts)
        elif _part(context, claim).kind == "watermark":
            _check(context, emits, _UNMOVED, name, doubts)
        elif _may_be_empty(context, claim):
            _check(context, emits, _EMPTY, name, doubts, _SAY_ZERO)
        elif bare is None and _shared(context, within) == (claim.cursor, claim.part):
            text = _TWICE.format(name, f"{claim.cursor}.{claim.part}")
            context.findings.add(entry.body.keys["claims"], "claim", text, _SAY_ONCE)
    for name, entry in context.sound("containers"):
        _check(context, entry.body.values.get("side"), _SIDE, name, doubts)
    for name, entry in entries_of(context).items():
        answers = entry.body.values.get("answers") if entry.sound else None
        meant = answers.values.values() if isinstance(answers, YamlMap) else ()
        if any(isinstance(one, YamlScalar) for one in meant):
            _check(context, entry.body.values.get("local"), _LOCAL, name, doubts, _SAY_COUNTED)
        for key, node in answers if isinstance(answers, YamlMap) else ():
            if isinstance(node, YamlList) and _may_count_nothing(context, key.value):
                _check(context, node, _COUNTLESS % key.value, name, doubts)


def _may_count_nothing(context: Context, name: str) -> bool:
    """Whether none of the steps of a container is there, or the first that is may move nothing."""
    rule = context.protocol.opened.get(name)
    if rule is None or not rule.steps:
        return False  # What follows on it is done with the end of the wish, or has a finding.
    for step in rule.steps:
        if _may_be_empty(context, step) or _part(context, step).kind == "watermark":
            return True
        if step.unless is None:
            return False
    return True


def _is_counted(context: Context, name: str) -> bool:
    """Whether all that is in a container, and has no claim of its own, applies once."""
    rule = context.protocol.opened.get(name)
    if rule is None:
        return True  # what is wrong with it is told already
    claim = rule.claim
    if claim is None or claim.unless is not None or _part(context, claim).kind == "watermark":
        return False
    return not _may_be_empty(context, claim)


def _shared(context: Context, names: Sequence[str]) -> tuple[str, str] | None:
    """What all these containers claim, if it is one and the same."""
    claims = [rule.claim for name in names if (rule := context.protocol.opened.get(name)) is not None]
    found = {(claim.cursor, claim.part) for claim in claims if claim is not None}
    return found.pop() if len(found) == 1 else None


def _may_hold(context: Context, name: str, update: str) -> bool:
    """Whether such an update can be among the items of a container."""
    rule = context.protocol.opened.get(name)
    made = None if rule is None or rule.items is None else _made(rule.items)
    return made is None or update in made


def _made(items: Expr) -> frozenset[str] | None:
    """The updates that an expression makes, where it takes none from a field; None where it may."""
    match items:
        case Make(UpdateOf(name)):
            return frozenset({name})
        case Tuple_(parts):
            found = [_made(part) for part in parts]
        case If(_, then, otherwise):
            found = [_made(then), _made(otherwise)]
        case Binary("+", left, right):
            found = [_made(left), _made(right)]
        case _:
            return None
    known = [one for one in found if one is not None]
    return frozenset().union(*known) if len(known) == len(found) else None


def _beside(context: Context, update: str, within: Sequence[str]) -> str | None:
    """A cursor whose difference brings the update, while containers that it comes in claim another one."""
    opened = [container for name in within if (container := context.protocol.opened.get(name)) is not None]
    counting = {container.claim.cursor for container in opened if container.claim is not None}
    for name, cursor in context.protocol.cursors.items():
        if cursor.difference is None or not counting - {name}:
            continue
        told = {answer.body for answer in cursor.difference.answers}
        bodies = [body for body in context.protocol.bodies.values() if body.name in told]
        for one in (one for body in bodies for one in body.lists):
            if update in ((one.update,) if one.update else one.only or context.updates):
                return name
    return None


def _undone(context: Context, entry: Entry, operation: Operation) -> Doubt | None:
    """What speaks against doing it again, and is not answered by what is said of it."""
    found = doubt(operation, context.tables)
    values, keys = entry.body.values, entry.body.keys
    because = "because" in values
    if because and not operation.idempotent:
        text = "it is not said to be `idempotent`"
        context.findings.add(
            keys["because"], "repeat", text, "add `idempotent: true`, or leave `because` out"
        )
    elif because and found is None and not _has_faulty_steps(entry, operation):
        text = f"the steps of `{operation.name}` show that a second time does nothing"
        context.findings.add(keys["because"], "repeat", text, "leave `because` out")
    elif operation.idempotent and isinstance(found, Fault) and not because:
        text = f"`{operation.name}` is said to be idempotent, but it {found}"
        hint = "leave `idempotent` out, or say why that does no harm: `because: TEXT`"
        context.findings.add(keys["idempotent"], "repeat", text, hint)
    return None if operation.idempotent else found


def _has_faulty_steps(entry: Entry, operation: Operation) -> bool:
    """Whether it is known without its steps, since these have findings of their own."""
    steps = entry.body.values["steps"]
    return not operation.steps and isinstance(steps, YamlList) and bool(steps.items)


def _may_be_empty(context: Context, claim: ClaimRule) -> bool:
    """Whether it may cover nothing: then it is due as long as its counter stands where it is."""
    part = _part(context, claim)
    said = claim.count if claim.first is None else claim.first
    always = said is None or (isinstance(claim.count, Literal_) and claim.count.value != 0)
    return not part.zero_refused and (part.kind == "token" or (part.kind == "counter" and not always))


def _part(context: Context, claim: ClaimRule) -> CursorPart:
    return next(part for part in context.cursors[claim.cursor].parts if part.name == claim.part)


def _check(
    context: Context,
    node: YamlNode | None,
    text: str,
    name: str,
    doubts: dict[str, Doubt | None],
    hint: str | None = None,
) -> None:
    for place in _named(node):
        found = doubts.get(place.value)
        if found is not None:
            because = " and `because:`" if isinstance(found, Fault) else ""
            said = f"{hint}{because}" if hint else _SAY_WHY if because else _SAY
            context.findings.add(place, "repeat", text.format(name, place.value, found), said)


def _named(node: YamlNode | None) -> Iterator[YamlScalar]:
    """Where the operations of entries are named."""
    for item in node.items if isinstance(node, YamlList) else ():
        if not isinstance(item, YamlMap):
            continue
        if "switch" not in item.values:
            yield from item.keys.values()
            continue
        cases = item.values.get("cases")
        for inner in (
            *(cases.values.values() if isinstance(cases, YamlMap) else ()),
            item.values.get("other"),
        ):
            yield from _named(inner)
