"""Where in a window rows may be missing that were never fetched.

Depends on: tables (what a spec is).  Never on: parts and lanes.

Law: a hole lies where a row may be that is not stored; what of it is reported names the stretch to fetch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import msgspec

if TYPE_CHECKING:
    from pillarbox.tables import TableSpec

Row = TypeVar("Row")


class Hole(msgspec.Struct, frozen=True):
    """What a window would have fetched next.

    `name` and `count` are those of `want`, None without it. `table` is the table of holes (of the rows, for
    a boundary) and `at` the fields of its group and space. Of ranges, `start` and `end` are ids: from
    `start`, which is nearest to what is shown, to `end`, downwards if that is less; None: around `start`.
    Of markers and boundaries, `start` are the fields of a key, () for the newest end, and `end` is ():
    downwards to what is stored next.
    """

    name: str | None
    table: str
    at: tuple[Any, ...]
    start: Any
    end: Any
    count: int | None = None


def holes_as_bytes(holes: Iterable[Hole]) -> bytes:
    """A set of holes; the same bytes for the same set."""
    return msgspec.msgpack.encode(
        sorted(([it.name, it.table, it.at, it.start, it.end, it.count] for it in holes), key=repr)
    )


def holes_of_bytes(data: bytes) -> frozenset[Hole]:
    """What `holes_as_bytes` wrote. Raises ValueError."""
    return frozenset(Hole(*(_tuples(field) for field in fields)) for fields in msgspec.msgpack.decode(data))


def _tuples(field: Any) -> Any:
    return tuple(map(_tuples, field)) if isinstance(field, list) else field


class Gap(msgspec.Struct, frozen=True):
    """Stands among the entries of a window that does not clip: rows may be missing from `key` down.

    `key` are the fields of the marker.
    """

    key: tuple[Any, ...]


class Want:
    """Holes are reported under `name`, as long as `count()` says how many rows to fetch at once."""

    __slots__ = ("count", "name")

    def __init__(self, name: str, count: Callable[[], int | None]) -> None:
        self.name = name
        self.count = count


class RangeHoles(Generic[Row]):
    """Ranges of ids, under each lane's `holes`.

    `id_of(row shown)` gives an int or a tuple of ints, `edges(row of the ranges)` the (lower, upper) ids.
    """

    __slots__ = ("edges", "id_of", "spec")

    def __init__(
        self,
        spec: TableSpec[Row],
        *,
        id_of: Callable[[Any], Any],
        edges: Callable[[Row], tuple[Any, Any]],
    ) -> None:
        self.spec = spec
        self.id_of = id_of
        self.edges = edges


class MarkerHoles:
    """Rows among the rows, under each lane's `holes`: unknown from here down to the next row.

    The suffixes of their keys are those of the lanes. A row at the very place of a marker is known.
    """

    __slots__ = ("spec",)

    def __init__(self, spec: TableSpec[Any]) -> None:
        self.spec = spec


class Boundary:
    """Known down to a place, for all lanes: `suffix()`; None: nothing is known; b"": everything."""

    __slots__ = ("suffix",)

    def __init__(self, suffix: Callable[[], bytes | None]) -> None:
        self.suffix = suffix


Holes: TypeAlias = "RangeHoles[Any] | MarkerHoles | Boundary"
