"""A draft of the program's own: what it does in a transaction while no cursor moves.

Depends on: protocol, box (packages).  Never on: engines.

Law: whatever the work raises is told to who asked for it, and ends nobody else, unless it ends the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from pillarbox.box.package import Tx
from pillarbox.errors import UsageError
from pillarbox.sync.protocol import SyncProtocol, Tables

R = TypeVar("R")


class OwnWork(Generic[Tx, R]):
    """What a `run_custom` was given."""

    #: Only there once it was applied.
    result: R

    def __init__(self, work: Callable[[Tx], R]) -> None:
        self._work = work
        self.error: Exception | None = None

    def apply(self, tx: Tables, protocol: SyncProtocol, /) -> R:
        """As `Draft.apply`."""
        try:
            self.result = self._work(tx)
        except (SystemExit, KeyboardInterrupt):
            raise
        except Exception as error:
            self.error = error
            raise
        except BaseException as error:  # as asyncio cancels with: who waits would end without a word
            name = type(error).__name__
            self.error = UsageError(f"the work of a run_custom raised {name}; let the work catch that")
            raise self.error from error
        return self.result
