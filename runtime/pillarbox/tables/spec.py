"""What the runtime knows of one table: how its rows become keys, cells and bytes.

Depends on: storage (the layout it stores under), codec.  Never on: transactions, views, generated code.

A *cell* is what caches and change records hold for one row. In a table of `record` layout it is the
row struct itself; in a `packed` or `empty` table it is the value bytes, because such rows are mostly
written by maintainers, which never need the object.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from pillarbox.codec import refuse_altered
from pillarbox.storage import StoredKey, TableLayout

Row = TypeVar("Row")
#: Held per row by caches and change records: the row struct (`record` layout) or its value bytes.
Cell: TypeAlias = Any
#: `derived`: a function of other tables, which can be made again. `kept`: it has a base that steps set.
Role: TypeAlias = Literal["primary", "derived", "kept", "sequence", "cursor"]

EMPTY: Final = b""
#: Rows made of bytes that a table keeps: rules, indexes and views ask for one a dozen times in a commit.
_ROWS_MAX: Final = 512


def identical(one: object, other: object) -> bool:
    """Whether two rows, or what is read of them, are equal and also look so: 0.0 and -0.0 do not."""
    return one == other and repr(one) == repr(other)


@dataclass(frozen=True, eq=False)
class TableSpec(Generic[Row]):
    """One table of a schema.

    `key_of` and `row` are inverse: `row(key_of(r), cell_of(r)) == r`. `encode` and `decode` translate a
    cell, which is the row, to and from stored bytes. They are None where the cell already is bytes; `row` is
    then the same object for the same bytes, as long as it is among the last. What takes a stored key is
    typed Any there: the functions of one table take bytes, those of another ints.
    """

    layout: TableLayout
    role: Role
    key_of: Callable[[Row], StoredKey]
    cell_of: Callable[[Row], Cell]
    row: Callable[[Any, Cell], Row]
    encode: Callable[[Row], bytes] | None = None
    decode: Callable[[bytes], Row] | None = None
    #: As `decode` of each.
    decode_many: Callable[[Sequence[bytes]], list[Row]] | None = None
    #: The key's field values, in order: for errors, tools and window edges.
    key_fields: Callable[[Any], tuple[Any, ...]] = field(default=lambda key: (key,))
    #: The stored key of these values: `key(*key_fields(k)) == k`. Raises RangeError.
    key: Callable[..., StoredKey] = field(default=lambda value: value)

    #: The permanent number, the schema's name, and whether stored keys are ints: those of the layout.
    id: int = field(init=False)
    name: str = field(init=False)
    int_key: bool = field(init=False)

    def __post_init__(self) -> None:
        """Take over what is asked for at every step."""
        for name in ("id", "name", "int_key"):
            object.__setattr__(self, name, getattr(self.layout, name))
        decode = self.decode
        if decode is None:
            object.__setattr__(self, "row", lru_cache(_ROWS_MAX)(self.row))
        elif self.decode_many is None:
            object.__setattr__(self, "decode_many", lambda values: list(map(decode, values)))

    def cell_from(self, value: bytes) -> Cell:
        """The cell of stored bytes. Raises RecordCorrupt when they are torn."""
        return value if self.decode is None else self.decode(value)

    def differ(self, one: Cell | None, other: Cell | None) -> bool:
        """Whether two cells, None where there is no row, are stored differently: so are 0.0 and -0.0."""
        if one is other:
            return False
        return (
            one is None
            or one != other
            or (self.encode is not None and self.encode(one) != self.encode(other))
        )

    def bytes_of(self, cell: Cell) -> bytes:
        """The stored bytes of a cell."""
        value: bytes = cell if self.encode is None else self.encode(cell)
        return value


def refuse_cell(spec: TableSpec[Any], cell: Cell) -> None:
    """Raise RangeError for a cell that would not read as what it is; bytes tell nothing."""
    if spec.encode is not None and spec.decode is not None:
        refuse_altered(spec.name, cell, spec.decode(spec.encode(cell)))
