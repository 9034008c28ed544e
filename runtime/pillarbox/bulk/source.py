"""What a source is: records of another format, as operations, and which of them belong together.

Depends on: msgspec.  Never on: how records are read, where operations are applied.

Law: operations of different routes touch different rows, so that each route may be replayed by itself.
The schema's checker holds it as far as it sees (`group` and `by` of a source); merging shards sees the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

_ENCODER: Final = msgspec.msgpack.Encoder()


@dataclass(frozen=True, slots=True)
class Emit:
    """One emission of a source: what becomes of a row, and with what it is kept in order."""

    #: The operations of one row, in order; often one, perhaps none.
    make: Callable[[Any], Iterable[Any]]
    #: The route of a row's operations; None: that of the row's group.
    route: Callable[[Any], bytes] | None = None
    #: What `make` reads of a row, where applying equal operations twice running is the same as once, no other
    #: emission touches their tables, and no other rows keep theirs out (`unique`): a repetition within a
    #: route may then be left out. Else None.
    memo: Callable[[Any], Hashable] | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One source of a schema, generated."""

    name: str
    #: `module:name` of what reads the format.
    adapter: str
    #: The struct of one row.
    row: type
    #: The route of a row's group. None: the source has no groups, and each emission a route of its own.
    group: Callable[[Any], bytes] | None
    emits: tuple[Emit, ...]


def route_of(*values: object) -> bytes:
    """The route that these values name; equal values give equal bytes."""
    return _ENCODER.encode(values)
