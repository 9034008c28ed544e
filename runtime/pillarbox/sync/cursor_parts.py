"""What a schema says of the parts of a cursor, and of instances of it that somebody looks at or nobody knows.

Depends on: nothing of the engine.  Never on: boxes, transports, clocks; the rest of a protocol.

Law: how a value may move is said by its kind alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any


class PartKind(Enum):
    """How the value of a part may move."""

    COUNTER = "counter"
    STAMP = "stamp"
    #: Sparse: not above it is old, above it is new; pushes apply and only answers move it.
    WATERMARK = "watermark"
    #: Opaque text: a claim that begins with the one that is held moves it (see `links`).
    TOKEN = "token"


class Unknown(Enum):
    """What a claim of an instance does that has no position yet."""

    POLL = "poll"
    #: The claim's end becomes the position.
    ADOPT = "adopt"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Confirm:
    """A request after the commit that moved a part, never before it (sync.md G-10)."""

    request: Callable[[Any], Any]
    when: Callable[[Any], bool] | None = None


@dataclass(frozen=True, slots=True)
class PartSpec:
    """One counter of a cursor."""

    name: str
    kind: PartKind = PartKind.COUNTER
    #: How long a gap may wait for what closes it; 0: it is asked for at once (sync.md G-14).
    hold_ms: int = 0
    #: Whether a claim of no length is malformed.
    zero_refused: bool = False
    confirm: Confirm | None = None


def leads_on(parts: Sequence[PartSpec], here: Sequence[Any] | None, sets: Mapping[int, Any]) -> bool:
    """Whether what is set is another place than this one; a stamp is none, as it may be what time it is."""
    if here is None:
        return bool(sets)
    return any(here[part] != value for part, value in sets.items() if parts[part].kind is not PartKind.STAMP)


@dataclass(frozen=True, slots=True)
class OpenPoll:
    """How an instance that somebody looks at is asked about, again and again (sync.md K-9)."""

    first_ms: int
    #: From the last answer.
    every_ms: Callable[[Any], int]
    #: Where the instance or a box-wide cursor has no position yet.
    missing_ms: int
