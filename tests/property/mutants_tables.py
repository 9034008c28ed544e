"""Planted faults of tables within a transaction: what is read, what was written, and what is scanned."""

from __future__ import annotations

from tests.property.mutants import Fault

from pillarbox.tables import TableWriter
from pillarbox.tables import change as change_module
from pillarbox.tables.flushed import FlushedTable

TABLE_FAULTS = (
    Fault("an unread cell was absent", TableWriter, "put_cell", "cells.get(key, UNKNOWN)", "cells.get(key)"),
    Fault(
        "new cells are old where one is", TableWriter, "put_new", "self.put_known(key, None, cell)", "pass"
    ),
    Fault("rows that are gone are fresh", TableWriter, "fresh", "NoneType in", "int in"),
    Fault("replaced rows are fresh", TableWriter, "fresh", "!= ALL_NONE", "is None"),
    Fault("a replaced row is written as new", FlushedTable, "_new_rows", "_ALL_NEW.issuperset(", "bool("),
    Fault(
        "what nobody read is not there",
        FlushedTable,
        "flush",
        "old = TableReader.cell(self, key)\n        if old != cell",
        "old = None\n        if old != cell",
    ),
    Fault(
        "what nobody read is not removed",
        FlushedTable,
        "flush",
        "old = TableReader.cell(self, key)\n            if old is not",
        "old = None\n            if old is not",
    ),
    Fault(
        "what nobody read is written over row by row",
        FlushedTable,
        "flush",
        "if engine.add_one(layout, key, value):",
        "if engine.put_one(layout, key, value) is None:",
    ),
    Fault(
        "what nobody read is written over",
        FlushedTable,
        "_flush_many",
        "self._engine.add_many(self.spec.layout, new.puts, new.values):",
        "self._engine.put_many(self.spec.layout, new.puts, new.values) is None:",
    ),
    Fault("old cells are never read", FlushedTable, "changes", "self._read_began()", "pass"),
    Fault(
        "rows are told without what they replaced", FlushedTable, "all_changes", "self._read_began()", "pass"
    ),
    Fault(
        "what was settled unread is taken for read",
        FlushedTable,
        "end_settle",
        "False, True",
        "False, False",
    ),
    Fault("a removed row is written as new", FlushedTable, "_new_rows", "NoneType in", "int in"),
    Fault("new cells leave the order", TableWriter, "put_new", "self._order.extend(new)", "pass"),
    Fault("new cells lie last", TableWriter, "put_new", "self._order.sort()", "pass"),
    Fault("a scan counts what is gone", TableWriter, "_written_between", "cells[order[at]] is not None", "1"),
    Fault("a scan leaves out a row", TableWriter, "_written_between", "order[at:end]", "order[at + 1 : end]"),
    Fault("a scan leaves out the last row", TableWriter, "_written_between", "at + 1]", "at]"),
    Fault("new cells are not written", TableWriter, "put_new", "self.unsettled.update(", "set("),
    Fault("a known cell replaces what was read", TableWriter, "put_known", "cells.get(key, old)", "cell"),
    Fault("a second write is the first", TableWriter, "put_cell", "if key not in touched:", "if True:"),
    Fault(
        "removed rows are read again",
        TableWriter,
        "cell",
        "if key in cells:",
        "if cells.get(key) is not None:",
    ),
    Fault("preloading reads over what was written", TableWriter, "preload", "if key not in cells", ""),
    Fault(
        "a scan shows rows that are removed",
        TableWriter,
        "scan_cells",
        "entry[0] not in hidden",
        "cells.get(entry[0], 0) is None or entry[0] not in hidden",
    ),
    Fault("a scan shows stored cells", TableWriter, "scan_cells", "hidden = set(written)", "hidden = set()"),
    Fault("a scan asks for too few", TableWriter, "scan_cells", "limit + len(written)", "limit"),
    Fault(
        "a scan gives written rows last",
        TableWriter,
        "scan_cells",
        "merged.sort(key=_first, reverse=newest_first)",
        "pass",
    ),
    Fault(
        "the order of written keys goes stale", TableWriter, "put_cell", "insort(self._order, key)", "pass"
    ),
    Fault(
        "the low bound is left out",
        TableWriter,
        "_written_between",
        "0 if low is None else bisect_left(order, low)",
        "0",
    ),
    Fault(
        "the high bound is left out",
        TableWriter,
        "_written_between",
        "len(order) if high is None else bisect_left(order, high)",
        "len(order)",
    ),
    Fault(
        "settled keys are no part of a scan",
        TableWriter,
        "_written_between",
        "{*self.unsettled, *self.began}",
        "{*self.unsettled}",
    ),
    Fault(
        "settling loses what was before",
        FlushedTable,
        "end_settle",
        "before.setdefault(key, old)",
        "before[key] = old",
    ),
    Fault("settling reads nothing", FlushedTable, "end_settle", "self._resolve()", "pass"),
    Fault(
        "equal cells are a change",
        FlushedTable,
        "changes",
        "and (old is None or differ(old, new))",
        "",
    ),
    Fault(
        "an equal cell alone is a change",
        FlushedTable,
        "flush",
        "if old != cell or spec.differ(old, cell):",
        "if True:",
    ),
    Fault("new rows are told as old ones", change_module, "_new", "(None, cell)", "(cell, cell)"),
    Fault(
        "equal rows are a net change",
        TableWriter,
        "_net_cells",
        "and (old is None or old != new or differ(old, new))",
        "",
    ),
    Fault(
        "removals stay in the file",
        FlushedTable,
        "write",
        "self._engine.remove_many(self.spec.layout, batch.removes)",
        "pass",
    ),
    Fault(
        "removals of few stay in the file", FlushedTable, "flush", "engine.remove_one(layout, key)", "pass"
    ),
    Fault("what is unsettled stays unwritten", FlushedTable, "flush", "self.began = self.unsettled", "pass"),
    Fault("what was settled is forgotten", FlushedTable, "flush", "self.began or self._is_unread", "False"),
    Fault("one row stays unwritten", FlushedTable, "flush", "engine.put_one(layout, key, value)", "pass"),
    Fault(
        "the order outlives the transaction",
        TableWriter,
        "forget",
        "self.unsettled, self.began, self._order = {}, {}, None",
        "self.unsettled, self.began = {}, {}",
    ),
    Fault(
        "settled cells outlive the transaction",
        TableWriter,
        "forget",
        "self.unsettled, self.began, self._order = {}, {}, None",
        "self.unsettled, self._order = {}, None",
    ),
)
