"""What is owed, as rows of the box, and who wrote them.

Depends on: claims, storage (key types only).  Never on: boxes, transports, clocks.

Law: of one instance, and of one recipe of a box-wide cursor, there is one row at most; who pays for it says
which row it was (sync.md K-13, E-13).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Instance


class Author(NamedTuple):
    """Who writes debts: a run of a process, and the how manieth of its drafts. No other draft has it."""

    #: The marker of its Started.
    run: int
    draft: int

    @property
    def number(self) -> int:
        """Both in one, which no other draft has either."""
        return (self.run + self.draft) % (1 << 63)


#: The marker of none.
NO_RUN: Final = 0


class Debt(NamedTuple):
    """What is not to be trusted until it is repaired; a row of the box (sync.md K-13, K-14)."""

    cursor: int
    #: Of a cursor that is one in the box: the name of the recipe that was asked for.
    key: StoredKey
    #: The least that is known to be missing; None: not known. Of such a recipe: the draft that asked last.
    hint: int | None = None
    #: The recipe that repairs it; "": the cursor's difference.
    cure: str = ""
    #: The run of a process that found it; of several none.
    run: int = NO_RUN
    #: The number of the draft that it is owed since. What is forgotten and owed anew is another debt.
    since: int = 0

    @property
    def instance(self) -> Instance:
        """The cursor row that it is about, or which recipe of a box-wide cursor."""
        return self.cursor, self.key


@dataclass(frozen=True)
class DebtTable:
    """Where debts stand."""

    all: Callable[[Any], Sequence[Debt]]
    #: Writes over the one of the same instance.
    owe: Callable[[Any, Debt], None]
    pay: Callable[[Any, Instance], None]
