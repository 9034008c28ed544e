"""Tables, sequences and cursors, as checked.

Depends on: model_rules, model_upsert.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_rules import KeyPart, Rule
from pillarbox_codegen.model_types import Field, Place, Scalar, Type
from pillarbox_codegen.model_upsert import UpsertRule


@dataclass(frozen=True, slots=True)
class Owned:
    """Rows go with their owner, whose key the fields `key` are."""

    by: str
    key: tuple[str, ...]
    #: The index that leads from an owner to its rows; none where the key begins with the owner's.
    via: str | None
    orphans: Literal["refuse", "skip"]


@dataclass(frozen=True, slots=True)
class Bound:
    """At most `keep` rows with the same first key parts `group`, the greatest by the fields `order`."""

    group: tuple[str, ...]
    order: tuple[str, ...]
    keep: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table as stored: primary (`rule` is none), kept by a word, of a sequence or of a cursor.

    For a derived table `key` and `fields` are inferred from the rule; the fields are numbered in order.
    """

    name: str
    id: int
    doc: str
    key: tuple[KeyPart, ...]
    fields: tuple[Field, ...]
    reserved: tuple[int, ...]
    layout: Literal["record", "packed", "empty"]
    storage: Literal["clustered", "heap", "words"]
    #: `derived`: a function of other tables. `kept`: it has a base that steps set.
    role: Literal["primary", "derived", "kept", "sequence", "cursor"]
    rule: Rule | None
    place: Place
    owned: Owned | None = None
    bound: Bound | None = None
    #: What outlives a put over a row. Only of primary tables.
    upsert: tuple[UpsertRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Sequence:
    """`Schema.tables[name]` is its table: key = per, one field `next`.

    Of one that interns, key = per and `value`, one field `number`; that of the empty value, which has no
    number, is the next one.
    """

    name: str
    type: Scalar
    per: tuple[KeyPart, ...]
    start: int
    intern: Scalar | None = None


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """How an update names a span of a domain; `key` has one expression per key part of the cursor."""

    cursor: str
    part: str
    key: tuple[Expr, ...]
    end: Expr
    count: Expr | None
    unless: Expr | None
    #: The first of the span, where that is said instead of how many there are.
    first: Expr | None = None
    #: Of a token: the one that it follows on.
    after: Expr | None = None


@dataclass(frozen=True, slots=True)
class CursorPart:
    number: int
    name: str
    kind: Literal["counter", "stamp", "watermark", "token"]
    hold_ms: int = 0
    #: Whether a claim of no length is malformed.
    zero_refused: bool = False

    @property
    def type(self) -> Type:
        """What its field of the cursor's row holds."""
        return Scalar("text" if self.kind == "token" else "int64")


@dataclass(frozen=True, slots=True)
class Cursor:
    """`Schema.tables[name]` is its table: key = per, fields = parts."""

    name: str
    per: tuple[KeyPart, ...]
    parts: tuple[CursorPart, ...]
