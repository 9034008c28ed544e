"""How operations that follow one another are merged, as checked.

Depends on: nothing.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class BatchMerge:
    """The lists `items` of several become one, where their other parameters `by` are equal."""

    items: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TailMerge:
    """Of several with equal parameters `keys` only the last is applied."""

    keys: tuple[str, ...]


Merge: TypeAlias = BatchMerge | TailMerge


@dataclass(frozen=True, slots=True)
class RowFold:
    """An operation is done in the list of the batch `into`, to the row at the key of its parameters `at`."""

    into: str
    #: The parts of the key of such rows.
    key: tuple[str, ...]
    at: tuple[str, ...]
    #: (field, parameter) of what is changed; none: the row leaves the list, and the operation stays.
    set: tuple[tuple[str, str], ...] | None
