"""Planted faults of builds: shards that are written, and merged."""

from __future__ import annotations

from tests.property.mutants import Fault

from pillarbox.bulk import ShardBuilder
from pillarbox.bulk.merge import _Merger
from pillarbox.maintainers import Count, SequenceTable
from pillarbox.transaction import Transaction

BULK_FAULTS = (
    Fault("a refused record gives numbers", SequenceTable, "forget", "self._next.clear()", "pass"),
    Fault(
        "what came before a refused record is lost",
        ShardBuilder,
        "_write",
        "size = at",
        "begin += at",
    ),
    Fault("half a slice is lost", ShardBuilder, "_write", "size = len(some) // 2", "begin += len(some) // 2"),
    Fault("a refused record ends its slice", ShardBuilder, "_write", "begin += 1", "return"),
    Fault("uniqueness is looked at once a slice", Transaction, "end_record", "self.settle()", "pass"),
    Fault("a slice is written unsettled", Transaction, "pour", "self.settle()", "pass"),
    Fault("seeded sums are added again", Count, "total", "minus is not None", "False"),
    Fault("sums of two shards are those of one", _Merger, "_add", "(here, there)", "(here,)"),
    Fault("sums of nothing stay", _Merger, "_put", "if cell is None", "if False"),
    Fault(
        "groups that are gone come back",
        _Merger,
        "_add",
        "self._engine.remove_many(layout, sorted(gone))",
        "pass",
    ),
    Fault("what follows added sums stays", _Merger, "_take_table", "- {spec.id}", "& {spec.id}"),
    Fault(
        "a top of two shards is that of one",
        _Merger,
        "_take_table",
        "self._stale |= self._tx.followers_of({spec.id})\n    return True",
        "return True",
    ),
    Fault("a top of seeded rows is copied", _Merger, "__init__", "and self._seed[id_]", "and False"),
    Fault("changed seeds are forgotten", _Merger, "_compare_seed", "changed[key] = (path, found)", "pass"),
    Fault("removed seeds stay", _Merger, "complete", "engine.remove_many(layout,", "list("),
    Fault("stale rows stay", _Merger, "complete", "engine.clear(", "id("),
)
