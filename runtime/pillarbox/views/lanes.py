"""What a window looks at: its lanes, and the places that its anchor may be.

Depends on: tables, storage (what they are).  Never on: parts, and how lanes are read.

Law: all of it is data; two that are equal are looked at alike.

A lane's *suffix* is what follows `prefix` in a stored key; the lanes of one window share its meaning. In a
table with int keys, whose only prefix is b"", it is the key itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Row = TypeVar("Row")

End: TypeAlias = Literal["newest", "oldest"]


class LaneAt(NamedTuple):
    """The rows whose keys begin with `prefix`.

    With `source` the table is an index: `source_key(index_row)` is the stored key of the row shown. `holes`
    is the prefix of the lane's group and space in the table of holes, None where it can have none. `item`
    names the lane for anchors; it is what `each` goes over.
    """

    spec: TableSpec[Any]
    prefix: StoredKey
    source: TableSpec[Any] | None = None
    source_key: Callable[[Any], StoredKey] | None = None
    holes: bytes | None = None
    item: Hashable = None


class KeysAt(NamedTuple):
    """Some rows by name, in the order of a list; only in windows that chain their lanes.

    `keys` are stored keys of `via`; `source_key(row of it)` is that of the row shown, None: no row. Without
    `via` they are those of the rows shown. `source` is the table of the rows shown.
    """

    source: TableSpec[Any]
    keys: tuple[StoredKey, ...]
    via: TableSpec[Any] | None = None
    source_key: Callable[[Any], StoredKey | None] | None = None
    item: Hashable = None


AnyLane: TypeAlias = "LaneAt | KeysAt"


class Suffix(NamedTuple):
    """A place in the order of the lanes; no row need be there.

    In a chain `lane` is the `item` of the lane that it is in. With `id`, as `RangeHoles.id_of` gives, `lane`
    says of which lane that is the id. `unread`: the place is the first that was not read. `point` is what
    `RangeHoles.id_of` gives of any row at this place, where rows lie in the order of that.
    """

    suffix: StoredKey
    unread: bool = False
    lane: Hashable = None
    id: Any = None
    point: Any = None


class AtId(NamedTuple):
    """The place of the row with an id, looked up once.

    `key` is its key in the table `ids`, where all ids of its lane begin with `prefix`; `id` is what
    `RangeHoles.id_of` gives for it and `lane` the `item` of its lane. While it lies in one of the lane's
    holes the anchor is pending. Else it is the row's place, or that of the next id that is stored, or
    the newest end.
    """

    prefix: bytes
    key: StoredKey
    id: Any
    lane: Hashable = None
    unread: bool = False


class Ids(Generic[Row]):
    """The table that orders lanes by id; `suffix(row)` and `id(row)` are the place and the id of its row."""

    __slots__ = ("id", "spec", "suffix")

    def __init__(
        self, spec: TableSpec[Row], *, suffix: Callable[[Row], StoredKey], id: Callable[[Row], Any]
    ) -> None:
        self.spec = spec
        self.suffix = suffix
        self.id = id


#: What is asked for, and what it was found to be.
AnchorAt: TypeAlias = "End | Suffix | AtId"
Resolved: TypeAlias = "End | Suffix"
