"""Plans `outbox.py`: how what waits is told to the server, and what follows on the answer.

Depends on: model, asks, emissions, expr_python, names, hints, frame.  Never on: how rows are written, which
operations do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope
from pillarbox_codegen.outbox_names import TABLE, VIEW, case_of
from pillarbox_codegen.plan import emissions, hints, names
from pillarbox_codegen.plan.asks import asked_text
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.steps import taken_names


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """What follows on one type of answer."""

    class_name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KindPlan:
    """One kind of wish: its functions, and the arguments of its `OutboxKind`."""

    name: str
    code: int
    payload: str
    request: str
    asked: str
    answers: tuple[AnswerPlan, ...]
    refused: tuple[str, ...]
    arguments: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """The module, where anything is kept to be told."""
    if schema.outbox is None:
        return {}
    imports = frame.imports(".outbox")
    imports.use("typing", "Final")
    imports.use_all("pillarbox.sync", ["OutboxKind", "OutboxSpec"])
    imports.use(".types", names.row_class(TABLE))
    imports.use(".transaction", "Transaction")
    imports.use(".transaction", "Tables")
    imports.use("msgspec.structs", "replace")
    imports.use_all(".views", [names.class_name(VIEW), names.snapshot_class(VIEW)])
    kinds = [_plan_kind(schema, imports, entry) for entry in schema.outbox.entries]
    text = frame.module(
        doc=f"What is wanted done on the server of {schema.name!r}: how it is told, and what follows.",
        imports=imports,
        template="outbox.py.j2",
        kinds=kinds,
        row=names.row_class(TABLE),
        table=names.table_attribute(TABLE),
        view=names.class_name(VIEW),
        snapshot=names.snapshot_class(VIEW),
        meets=any(entry.met for entry in schema.outbox.entries),
        limit=max(entry.limit for entry in schema.outbox.entries),
        shown=printing.tuple_text([f"*snapshot.{names.field(it.name)}" for it in schema.outbox.entries]),
        follows=_follows(schema, imports),
    )
    return {"outbox.py": text}


def _follows(schema: model.Schema, imports: Imports) -> str:
    """The type of what follows on an answer."""
    assert schema.outbox is not None
    emits = [emits for entry in schema.outbox.entries for emits in (entry.refused, *_of_answers(entry))]
    if not any(emits):
        return ""
    imports.use("typing", "TypeAlias")
    kinds = [imports.use(".operations", "Operation")]
    kinds += [imports.use("pillarbox.sync", "Poll"), imports.use("pillarbox.sync", "ResetAsk")]
    return " | ".join(kinds)


def _of_answers(entry: model.OutboxEntry) -> list[Sequence[model.Emitted]]:
    return [emits for _, emits in entry.answers]


def _plan_kind(schema: model.Schema, imports: Imports, entry: model.OutboxEntry) -> KindPlan:
    fields = {field.name: f"payload.{names.field(field.name)}" for field in entry.payload}

    def scope(**more: str) -> Scope:
        taken = taken_names(schema) | {"answer", "code", "payload"}
        return Scope(schema, imports, {**fields, **more}, taken)

    answers = tuple(
        AnswerPlan(
            hints.annotation(schema, imports, answer),
            tuple(emissions.listed(emits, scope(answer="answer"), "Follows")),
        )
        for answer, emits in entry.answers
        if emits
    )
    if answers:
        imports.use(".answers", "Answer")
    refused = emissions.listed(entry.refused, scope(code="code"), "Follows") if entry.refused else []
    return KindPlan(
        name=entry.name,
        code=entry.code,
        payload=imports.use(".types", names.type_class(case_of(entry.name))),
        request=imports.use(".requests", names.wire_class(entry.ask.request)),
        asked=asked_text(entry.ask, scope()),
        answers=answers,
        refused=tuple(refused),
        arguments=", ".join(_arguments(schema, imports, entry, bool(answers))),
    )


def _arguments(schema: model.Schema, imports: Imports, entry: model.OutboxEntry, answers: bool) -> list[str]:
    """Its name, its limit, and what else differs from the defaults."""
    given = [f"name={printing.literal(entry.name)}", f"request=_{entry.name}_request"]
    if entry.delay_ms:
        given.append(f"delay_ms={entry.delay_ms}")
    given.append(f"limit={entry.limit}")
    if entry.containers:
        kinds = [hints.annotation(schema, imports, one) for one in entry.containers]
        given.append(f"containers={printing.tuple_text(kinds)}")
    if answers:
        given.append(f"answered=_{entry.name}_answered")
    if entry.refused:
        given.append(f"refused=_{entry.name}_refused")
    if entry.retry_codes:
        codes = ", ".join(map(printing.literal, sorted(entry.retry_codes)))
        given.append(f"retry=frozenset({{{codes}}})")
    if entry.cancels:
        given.append("marks=True")
    if entry.met:
        classes = [imports.use(".operations", names.class_name(name)) for name in entry.met]
        given.append(f"met={printing.tuple_text(classes)}")
    if entry.retry is not None:
        given += [f"step_ms={entry.retry.step_ms}", f"cap_ms={entry.retry.cap_ms}"]
    return given
