"""Planted faults of the words that keep derived tables, of sequences, and of when they settle."""

from __future__ import annotations

from tests.property.mutants import Fault

from pillarbox import transaction as transaction_module
from pillarbox.maintainers import Count, Identity, Index, IndexGroup, SequenceTable, Top, UniqueIndex
from pillarbox.tables import LateTable, TableWriter
from pillarbox.tables.flushed import FlushedTable
from pillarbox.transaction import Transaction

MAINTAINER_FAULTS = (
    Fault("index forgets rows that go", Index, "exchange", "put(key, was, None)", "pass"),
    Fault("index forgets rows that come", Index, "exchange", "put(key, was, cell)", "pass"),
    Fault("index keeps a row whose value changed", Index, "exchange", "was != cell", "was is None"),
    Fault(
        "index takes a repeated key for a new one",
        Index,
        "exchange",
        "after.items()",
        "rows_of(new)",
    ),
    Fault("unique index does not look", UniqueIndex, "_put", "target.cell(key) is not None", "False"),
    Fault(
        "unique index forgets rows that go", UniqueIndex, "apply", "put_known(key, cell, None)", "cell(key)"
    ),
    Fault(
        "unique index gives before it takes",
        UniqueIndex,
        "apply",
        "for key, cell in going:",
        "for key, cell in going[:1]:",
    ),
    Fault(
        "identity is not released",
        Identity,
        "release",
        "self.target.put_cell(self.key_of(row), None)",
        "pass",
    ),
    Fault(
        "identity is not taken",
        Identity,
        "take_at",
        "self.target.put_cell(key, self._cell_of(row))",
        "pass",
    ),
    Fault("count adds what goes", Count, "apply", "map(sub,", "map(add,"),
    Fault(
        "count keeps rows of zeros",
        Count,
        "_move",
        "encode(*total) if any(total) else None",
        "encode(*total)",
    ),
    Fault("count forgets what was there", Count, "_move", "if was is not None:", "if False:"),
    Fault("count sees one row of a group", Count, "apply", "sums if held is None else", "sums or"),
    Fault("index forgets new rows", Index, "add", "self.target.put_new", "list"),
    Fault("indexes together forget new rows", IndexGroup, "settle", "index.add(step.fresh)", "pass"),
    Fault("indexes together forget changes", IndexGroup, "settle", "index.exchange(old, new)", "pass"),
    Fault(
        "indexes together are the first", transaction_module, "grouped", "indexes[rule.source].append(", "id("
    ),
    Fault("unique index takes two rows for one", UniqueIndex, "add", "self._put(", "dict("),
    Fault("count takes equal rows for one", Count, "add", "times * part", "part"),
    Fault("count forgets equal groups", Count, "add", "more if held is None else", "more or"),
    Fault("top keeps what arrives first of new rows", Top, "add", "or order > newest[0]", ""),
    Fault("top does not read again for new rows", Top, "add", "reread[group] = row", "pass"),
    Fault("top ignores removal", Top, "apply", "reread[group] = old", "pass"),
    Fault("top looks at one sub-prefix only", Top, "_read_again", "in prefixes:", "in prefixes[:1]:"),
    Fault("top does not order sub-prefixes", Top, "_read_again", "if len(prefixes) > 1:", "if False:"),
    Fault(
        "top reads a row too few", Top, "_read_again", "limit=shape.first", "limit=max(1, shape.first - 1)"
    ),
    Fault("top folds a row too many", Top, "_read_again", "rows[: shape.first]", "rows"),
    Fault(
        "top keeps the row of an empty group",
        Top,
        "_read_again",
        "if rows else None",
        "if rows else self.target.cell(group)",
    ),
    Fault(
        "top takes what arrives last",
        Top,
        "_compare",
        "order > shape.stored_order(group, was)",
        "True",
    ),
    Fault(
        "top keeps what arrives first",
        Top,
        "apply",
        "or order > newest[0]",
        "",
    ),
    Fault("sequence forgets nothing on rollback", SequenceTable, "forget", "self._next.clear()", "pass"),
    Fault(
        "sequence is not written",
        SequenceTable,
        "write_back",
        "self.put_cell(group, self.PACKED.encode(number))",
        "pass",
    ),
    Fault(
        "sequence writes past the transaction",
        SequenceTable,
        "write_back",
        "self.put_cell(group, self.PACKED.encode(number))",
        "self._engine.put_many(self.spec.layout, [group], [self.PACKED.encode(number)])",
    ),
    Fault("sequence begins anew", SequenceTable, "_stored", "if cell is None:", "if True:"),
    Fault(
        "settling loses what was before",
        FlushedTable,
        "end_settle",
        "before.setdefault(key, old)",
        "before[key] = old",
    ),
    Fault("an unread cell was absent", TableWriter, "put_cell", "cells.get(key, UNKNOWN)", "cells.get(key)"),
    Fault(
        "caches outlive the transaction",
        TableWriter,
        "forget",
        "self._cells.clear()",
        "pass",
    ),
    Fault("a settle is repeated", Transaction, "settle", "table.end_settle()", "pass"),
    Fault("a derived table is read unsettled", LateTable, "scan_cells", "self._settle()", "pass"),
)
