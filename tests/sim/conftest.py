"""The fixtures that users of the simulator have."""

from __future__ import annotations

from pillarbox.testing.plugin import simulator

__all__ = ["simulator"]
