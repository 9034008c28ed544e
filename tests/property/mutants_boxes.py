"""Planted faults of a box's transactions: how they end, and who is told."""

from __future__ import annotations

from tests.property.mutants import Fault

from pillarbox.box import Box
from pillarbox.box import box as box_module
from pillarbox.box.others import Others
from pillarbox.box.writing import Writing
from pillarbox.tables import TableWriter
from pillarbox.transaction import Transaction

BOX_FAULTS = (
    Fault("a failed commit never lands", box_module, "landed", "return True", "return False"),
    Fault("a failed commit always lands", box_module, "landed", "return False", "return True"),
    Fault(
        "views stay ahead of a failed commit",
        Others,
        "tell",
        "= self._seen, _STALE",
        "= self._seen, self._seen",
    ),
    Fault("views do not see commits", Box, "_finish", "self._tracker.replay(record)", "[]"),
    Fault(
        "what is emitted comes before the commit",
        Box,
        "_finish",
        "deliveries = self._tracker.replay(record)",
        "deliveries = self._tracker.replay(record); self._rounds.add((), record.events)",
    ),
    Fault("events without changes are lost", Box, "_finish", "self._rounds.add((), record.events)", "pass"),
    Fault("a transaction that fails stays open", Box, "_abandon", "if self._tx.is_open:", "if False:"),
    Fault(
        "an exception commits",
        Writing,
        "_run",
        "self._abandon()",
        "self._tx.is_open and self._finish(self._tx)",
    ),
    Fault("events outlive a rollback", Transaction, "_forget", "self._events.clear()", "pass"),
    Fault("caches outlive a rollback", Transaction, "_forget", "table.forget()", "pass"),
    Fault("what is undone is remembered", TableWriter, "undo", "self._cells.pop(key, None)", "pass"),
    Fault("a failed settle is forgotten", Transaction, "settle", "self._refused is not None", "False"),
    Fault(
        "derived tables are not written",
        Transaction,
        "seal",
        "did = table.flush()",
        "did = table.flush() if table.spec.role == 'primary' else {}",
    ),
)
