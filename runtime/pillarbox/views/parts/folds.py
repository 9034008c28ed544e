"""The folds of `Aggregate`.

Depends on: nothing.  Never on: parts, tables.

Law: after any adds and removes, unless it is `lost`, a fold's value is that of the rows that are left.
Terms that give None count for nothing. Sums are of ints: floats would drift.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")
Value = TypeVar("Value")
T = TypeVar("T")


class Fold(Generic[Row, Value]):
    """A value that rows are added to and removed from. One belongs to one part."""

    __slots__ = ("lost", "value")

    value: Value
    #: The value is not known any more: clear it and add all rows again.
    lost: bool

    def clear(self) -> None:
        """As over no rows."""
        raise NotImplementedError

    def add(self, row: Row) -> None:
        """One row more."""
        raise NotImplementedError

    def remove(self, row: Row) -> None:
        """One row less."""
        raise NotImplementedError


class Count(Fold[Any, int]):
    """How many rows."""

    __slots__ = ()

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Zero."""
        self.value, self.lost = 0, False

    def add(self, row: Any) -> None:
        """One row more."""
        self.value += 1

    def remove(self, row: Any) -> None:
        """One row less."""
        self.value -= 1


class Sum(Fold[Row, int]):
    """The sum of an int term; 0 over no rows."""

    __slots__ = ("_term",)

    def __init__(self, term: Callable[[Row], int | None]) -> None:
        self._term = term
        self.clear()

    def clear(self) -> None:
        """Zero."""
        self.value, self.lost = 0, False

    def add(self, row: Row) -> None:
        """One row more."""
        self.value += self._term(row) or 0

    def remove(self, row: Row) -> None:
        """One row less."""
        self.value -= self._term(row) or 0


class AnyOf(Fold[Row, bool]):
    """Whether the term holds for some row; False over no rows."""

    __slots__ = ("_hits", "_term")

    def __init__(self, term: Callable[[Row], bool | None]) -> None:
        self._term = term
        self.clear()

    def clear(self) -> None:
        """No hit."""
        self._hits, self.value, self.lost = 0, False, False

    def add(self, row: Row) -> None:
        """One row more."""
        if self._term(row):
            self._hits += 1
            self.value = True

    def remove(self, row: Row) -> None:
        """One row less."""
        if self._term(row):
            self._hits -= 1
            self.value = self._hits > 0


class EveryOf(Fold[Row, bool]):
    """Whether the term holds for all rows; True over no rows."""

    __slots__ = ("_misses", "_term")

    def __init__(self, term: Callable[[Row], bool | None]) -> None:
        self._term = term
        self.clear()

    def clear(self) -> None:
        """No miss."""
        self._misses, self.value, self.lost = 0, True, False

    def add(self, row: Row) -> None:
        """One row more."""
        if not self._term(row):
            self._misses += 1
            self.value = False

    def remove(self, row: Row) -> None:
        """One row less."""
        if not self._term(row):
            self._misses -= 1
            self.value = self._misses == 0


class Min(Fold[Row, "T | None"], Generic[Row, T]):
    """The least value of a term; None over no rows."""

    __slots__ = ("_equals", "_term")

    value: Any

    def __init__(self, term: Callable[[Row], T | None]) -> None:
        self._term = term
        self.clear()

    def clear(self) -> None:
        """Nothing yet."""
        #: How many rows share the extreme.
        self._equals, self.value, self.lost = 0, None, False

    def add(self, row: Row) -> None:
        """One row more."""
        term = self._term(row)
        if term is None:
            return
        known = self._equals > 0 or self.lost
        if known and term == self.value:
            self._equals += 1
            self.lost = False
        elif not known or self._beats(term, self.value):
            # Beating the extreme that was lost is enough: no other row did.
            self._equals, self.value, self.lost = 1, term, False

    def remove(self, row: Row) -> None:
        """One row less. The fold is lost when the last row with the extreme goes."""
        term = self._term(row)
        if term is None or term != self.value:
            return
        self._equals -= 1
        if not self._equals:
            self.lost = True

    def _beats(self, term: Any, value: Any) -> bool:
        return bool(term < value)


class Max(Min[Row, T]):
    """The greatest value of a term; None over no rows."""

    __slots__ = ()

    def _beats(self, term: Any, value: Any) -> bool:
        return bool(term > value)
