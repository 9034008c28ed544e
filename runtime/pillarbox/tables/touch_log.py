"""Which tables of the open transaction hold something, and whom their writes wake.

Depends on: errors; what it lists are writers.  Never on: maintainers and transactions, which read it.

Law: a table is entered once, when it first holds something; while no transaction is open none is, and
whoever tries is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pillarbox.errors import UsageError

if TYPE_CHECKING:
    from pillarbox.tables.writer import TableWriter


class TouchLog(list["TableWriter[Any]"]):
    """The tables that hold something, in the order they were first touched.

    Closed between transactions, so that a table used outside of one says so instead of losing a write: who
    enters looks whether it is `open`.
    """

    __slots__ = ("every", "open", "woken")

    def __init__(self) -> None:
        super().__init__()
        self.open = False
        #: All tables that may be entered.
        self.every: list[TableWriter[Any]] = []
        #: Bits of whoever is to look at what was written since the last settle; see `TableWriter.wakes`.
        self.woken = 0

    def clear(self) -> None:
        """Nothing is touched, and so nobody is woken."""
        super().clear()
        self.woken = 0

    def closed(self, what: str) -> UsageError:
        """The error for using `what` when no transaction is open."""
        return UsageError(
            f"{what} was used through a transaction that is over; open a new one with `box.transaction()`"
        )
