"""Whether operations can be applied at all.

Depends on: pillarbox.box, pillarbox.maintainers.  Never on: what other operations there are.

Law: nothing stays of what was tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pillarbox.box import Box, Package
from pillarbox.errors import OwnerMissing
from pillarbox.maintainers import tell_orphans


class Trial:
    """An empty box to try them in; there is one once it is asked. Not for two threads."""

    def __init__(self, package: Package[Any, Any]) -> None:
        self._package = package
        self._box: Box[Any, Any] | None = None
        #: Rows that the operations at hand have put without their owners.
        self._orphans: list[OwnerMissing] = []

    def takes(self, operations: Sequence[Any]) -> bool:
        """Whether a box that holds nothing else would take all of them, as far as their steps tell.

        What follows from the rows is not worked out: that would take ten times as long.
        """
        if self._box is None:
            self._box = Box(":memory:", self._package)
            with self._box.transaction() as tx:
                tell_orphans(tx, self._orphans.append)
        self._orphans.clear()
        try:
            with self._box.transaction() as tx:
                self._package.replay(tx, operations)
                raise _Undone
        except _Undone:
            return not self._orphans
        except Exception:  # of any kind: whoever applies them for good will tell
            return False

    def close(self) -> None:
        if self._box is not None:
            self._box.close()


class _Undone(Exception):
    """Leaves a transaction without committing it."""
