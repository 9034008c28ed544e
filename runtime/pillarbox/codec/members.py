"""The members of an enum by number, found as fast as anything in a dict.

Depends on: errors.  Never on: which enum.

Law: `members[number]` is `kind(number)` for every number; where that is a ValueError, it is one of ours.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

from pillarbox.errors import NotAMember

E = TypeVar("E", bound=IntEnum)


class Members(dict[int, E]):
    """Member by number."""

    __slots__ = ("_kind",)

    def __init__(self, kind: type[E]) -> None:
        super().__init__((member.value, member) for member in kind)
        self._kind = kind

    @property
    def enum(self) -> str:
        """The name of the enum."""
        return self._kind.__name__

    def __missing__(self, number: int) -> E:
        """Raises NotAMember."""
        raise NotAMember(number, self.enum)
