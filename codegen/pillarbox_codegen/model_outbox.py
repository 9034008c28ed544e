"""What is wanted done on a server and kept until it is, as checked.

Depends on: model_operations, model_sync, model_types.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen.model_operations import Emitted
from pillarbox_codegen.model_sync import Asked, Retry
from pillarbox_codegen.model_types import Field, WireOf


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """One kind of wish. The expressions are over the fields of its payload."""

    name: str
    code: int
    doc: str
    payload: tuple[Field, ...]
    ask: Asked
    #: How long the first of a group waits for others that change it.
    delay_ms: int
    limit: int
    #: Of the answers to the request those that go where pushes go.
    containers: tuple[WireOf, ...]
    #: Other answers, and what follows on them; the answer is in scope as `answer`.
    answers: tuple[tuple[WireOf, tuple[Emitted, ...]], ...]
    #: What follows on a refusal, whose code is in scope as `code`.
    refused: tuple[Emitted, ...]
    #: Codes of refusals after which it is sent again.
    retry_codes: tuple[str, ...]
    retry: Retry | None
    #: Whether an opposite wish takes it back, for as long as it was not sent.
    cancels: bool
    #: Operations that may do what it does here: done by the engine they end that.
    met: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outbox:
    """All kinds, in the order of their declaration."""

    entries: tuple[OutboxEntry, ...]
