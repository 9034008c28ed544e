"""How a server is followed, as checked: what goes over the wire, and what the engine makes of it.

Depends on: model_types, model_exprs, model_rules, model_tables, model_operations.  Never on: YAML, templates,
the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_operations import Bring, Emitted
from pillarbox_codegen.model_rules import EachVar, NamedExpr
from pillarbox_codegen.model_tables import ClaimRule
from pillarbox_codegen.model_types import Field, WireKind, WireOf

#: Part of a cursor -> its new value.
PartValues: TypeAlias = tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Wire:
    """An answer, request or container: a struct with a code.

    Answers and containers share their codes, because an own request may be answered with a container.
    """

    kind: WireKind
    name: str
    code: int
    doc: str
    fields: tuple[Field, ...]
    reserved: tuple[int, ...] = ()
    #: Of a request: what it is answered with, containers included.
    answers: tuple[WireOf, ...] = ()
    #: Of an answer: the body that it brings where an update needed it.
    body: str | None = None
    #: Of a request: the list that grows when several become one, and how long it may be.
    gather: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A request and what it is made of."""

    request: str
    arguments: tuple[NamedExpr, ...]


@dataclass(frozen=True, slots=True)
class ContainerRule:
    """How a container is taken apart."""

    items: Expr | None
    claim: ClaimRule | None
    steps: tuple[ClaimRule, ...]
    #: (cursor, part) -> what it is set to.
    stamps: tuple[tuple[str, str, Expr], ...]
    side: tuple[Emitted, ...]
    brings: tuple[Bring, ...]
    date: Expr | None
    acts: tuple[Emitted, ...]


@dataclass(frozen=True, slots=True)
class BodyList:
    """A list of an answer whose elements are updates, or become a field of one.

    `update` "": they are updates already. `only`: others are left out; empty: none is.
    """

    items: Expr
    update: str
    field: str | None
    others: tuple[NamedExpr, ...]
    only: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Body:
    """What an answer brings; the expressions are over the fields of the answer, and the cursor's key."""

    name: str
    doc: str
    of: WireOf
    #: Of which key parts are read; "" where none can be.
    cursor: str
    side: tuple[Emitted, ...]
    lists: tuple[BodyList, ...]
    tail: tuple[Emitted, ...]
    brings: tuple[Bring, ...]
    covered: tuple[tuple[str, str], ...]
    acts: tuple[Emitted, ...]


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """What one answer to a difference does; `slice_when` makes one that is full a slice."""

    answer: str
    kind: Literal["empty", "full", "slice", "too_long"]
    slice_when: Expr | None
    set: PartValues | None
    body: str | None
    reset: str | None
    again: Expr | None


@dataclass(frozen=True, slots=True)
class Remedy:
    """What follows on a refusal; of `poll` and `reset` the name of a cursor or recipe."""

    what: Literal["retry", "done", "stop", "poll", "reset"]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Retry:
    step_ms: int
    cap_ms: int


@dataclass(frozen=True, slots=True)
class Difference:
    ask: Asked
    answers: tuple[AnswerRule, ...]
    errors: tuple[tuple[str, Remedy], ...]
    retry: Retry | None


@dataclass(frozen=True, slots=True)
class First:
    ask: Asked
    #: Answer -> the parts.
    set: tuple[tuple[str, PartValues], ...]


@dataclass(frozen=True, slots=True)
class OpenPoll:
    """`every_ms` is a number, or one expression an answer."""

    first_ms: int
    every_ms: int | tuple[tuple[str, Expr], ...]
    missing_ms: int


@dataclass(frozen=True, slots=True)
class Confirm:
    ask: Asked
    when: Expr | None


@dataclass(frozen=True, slots=True)
class CursorRule:
    """What the engine knows of a cursor besides its table."""

    name: str
    difference: Difference | None
    first: First | None
    unknown: Literal["poll", "adopt", "drop"]
    travels: tuple[str, str] | None
    inside: str | None
    #: A number, or one expression an answer.
    idle_poll_ms: int | tuple[tuple[str, Expr], ...]
    #: The request of the difference, as the server keeps it until there is something.
    loop: Asked | None
    open_poll: OpenPoll | None
    #: Part -> its confirmation.
    confirms: tuple[tuple[str, Confirm], ...]


@dataclass(frozen=True, slots=True)
class Fetch:
    """A step of a recipe; with `more` its name stands for the list of pages."""

    name: str
    ask: Asked
    answer: WireOf
    more: Expr | None


@dataclass(frozen=True, slots=True)
class BodyEntry:
    """What a body makes of the answer that `of` names, once for each of `each`."""

    body: str
    answer: WireOf
    of: Expr
    each: EachVar | None
    when: Expr | None


@dataclass(frozen=True, slots=True)
class Reset:
    name: str
    doc: str
    cursor: str
    fetch: tuple[Fetch, ...]
    commit: tuple[Emitted | BodyEntry, ...]
    set: PartValues
    retries: bool
    retry: Retry | None


@dataclass(slots=True)
class Protocol:
    """What goes over the wire, and the rules; `rules` is none where nothing can be followed."""

    answers: dict[str, Wire] = field(default_factory=dict)
    requests: dict[str, Wire] = field(default_factory=dict)
    containers: dict[str, Wire] = field(default_factory=dict)
    opened: dict[str, ContainerRule] = field(default_factory=dict)
    #: (body, answer, cursor) -> the body of that answer; the cursor is "" unless it has a key.
    bodies: dict[tuple[str, str, str], Body] = field(default_factory=dict)
    cursors: dict[str, CursorRule] = field(default_factory=dict)
    resets: dict[str, Reset] = field(default_factory=dict)
    #: The table of what is owed.
    debts: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said: cursors alone say nothing."""
        said = (self.answers, self.requests, self.containers, self.bodies, self.resets, self.debts)
        return not any(said)

    def wires(self, kind: WireKind) -> dict[str, Wire]:
        return {"answer": self.answers, "request": self.requests, "container": self.containers}[kind]

    def wire(self, of: WireOf) -> Wire:
        return self.wires(of.kind)[of.name]
