"""The base of generated updates: what is not said of an update.

Depends on: claims, protocol, msgspec.  Never on: what it becomes.

Law: an update that says nothing else claims nothing, is beside nothing and needs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pillarbox.sync.claims import Claim, Instance
from pillarbox.sync.protocol import Need, Row


class Told(Struct, frozen=True, array_like=True, gc=False):
    """What a server tells. It has no fields of its own."""

    def claim(self) -> Claim | None:
        """The span of a counter that it covers."""
        return None

    def beside(self) -> Instance | None:
        """The keyed cursor behind whose claims it is sorted."""
        return None

    def brings(self) -> Sequence[Row]:
        """The rows that it writes itself."""
        return ()

    def needs(self) -> Sequence[Need]:
        """The rows that must stand before it is applied."""
        return ()
