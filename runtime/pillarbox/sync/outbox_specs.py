"""What a schema says of wishes: what is wanted done on the server, and how it is told and taken out.

Depends on: nothing of the engine.  Never on: boxes, transports, clocks; the rest of a protocol.

Law: a number is never given twice, so what stands under a number is what was put there (sync.md 10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class OutboxRow(Protocol):
    """Something that is wanted done on the server (sync.md 10)."""

    @property
    def kind(self) -> int:
        """How it is told to the server."""

    @property
    def number(self) -> int:
        """Grows over the whole box and is never given twice: the order of all, and so of each group."""

    @property
    def group(self) -> bytes:
        """At most one of a group is on its way."""

    @property
    def revision(self) -> int:
        """One more each time what is wanted changes while it waits."""

    @property
    def payload(self) -> Any:
        """What is wanted."""


@dataclass(frozen=True, slots=True)
class OutboxKind:
    """How one kind of wish is told to the server."""

    name: str
    #: Of a payload.
    request: Callable[[Any], Any]
    #: How long the first of a group waits for others that change it (sync.md L-5).
    delay_ms: int = 0
    #: Of so many, the oldest ones, those are sent that are the first of their groups (sync.md L-2).
    limit: int = 10
    #: Answers of these types go where pushes go.
    containers: tuple[type[Any], ...] = ()
    #: Operations and acts that follow on the other answers: of a payload and an answer. Of a container: the
    #: operations that its first counter counts.
    answered: Callable[[Any, Any], Sequence[Any]] | None = None
    #: The same of a refusal: of a payload and the refusal's code.
    refused: Callable[[Any, str], Sequence[Any]] | None = None
    #: Codes of refusals after which it is sent again; all others are for good (sync.md L-4).
    retry: frozenset[str] = frozenset()
    #: Whether the row is marked before it is sent, so that nobody takes it back after that.
    marks: bool = False
    #: Operations that may do what it does here: where the engine does one, what waits counts as sent, since
    #: what an opposite wish would bring back is not what stood before.
    met: tuple[type[Any], ...] = ()
    #: Each try waits `step_ms` more than the one before, at most `cap_ms` (sync.md 12).
    step_ms: int = 200
    cap_ms: int = 5_000


@dataclass(frozen=True)
class OutboxSpec:
    """What waits to be told to the server, and where it stands."""

    kinds: Mapping[int, OutboxKind]
    #: The key of the view that shows the first rows of each kind, and what such a snapshot shows.
    view: Any
    shown: Callable[[Any], Sequence[OutboxRow]]
    #: By kind and number; None: it is gone. Reads in `Box.reading` too.
    row: Callable[[Any, int, int], OutboxRow | None]
    #: From now on it is not taken back any more.
    mark: Callable[[Any, int, int], None]
    remove: Callable[[Any, int, int], None]
    #: Of the rows of a kind that are not marked; as far as kinds have `met`.
    numbers: Callable[[Any, int], Iterable[int]] = lambda _tables, _kind: ()

    def meet(self, tx: Any, operations: Sequence[Any]) -> None:
        """The engine does these."""
        for code, kind in self.kinds.items():
            if kind.met and any(isinstance(it, kind.met) for it in operations):
                for number in list(self.numbers(tx, code)):
                    self.mark(tx, code, number)
