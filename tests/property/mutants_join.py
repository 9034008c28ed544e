"""Planted faults of joins, of indexes with lookups, and of what leads back from a looked-up row."""

from __future__ import annotations

from tests.property.mutants import Fault

from pillarbox.maintainers import All, ByKey, Join, LookingIndex, OneSource, Via
from pillarbox.maintainers.join import FurtherDriver
from pillarbox.maintainers.lookups import Lookup, Lookups
from pillarbox.tables import DueReader, TableWriter
from pillarbox.transaction import Transaction

JOIN_FAULTS = (
    Fault("lookups are not followed", Join, "settle", "dirty.update(self._lookups.dependents(nets))", "pass"),
    Fault("drivers are not followed", Join, "settle", "for driver in self._drivers:", "for driver in ():"),
    Fault("one driver is followed", Join, "settle", "in self._drivers:", "in self._drivers[:1]:"),
    Fault("a dirty key is dropped", Join, "settle", "self.make(list(dirty))", "self.make(list(dirty)[1:])"),
    Fault("a row outlives its condition", Join, "_make", "if differ(", "if cell is not None and differ("),
    Fault("rows are written once", Join, "_make", "if differ(", "if target.cell(key) is None and differ("),
    Fault("a row needs every driver", Join, "_calls", "rows != nothing", "None not in rows"),
    Fault("the last lookup leads nowhere", Lookups, "dependents", "self._every:", "self._every[:-1]:"),
    Fault("the first lookup leads nowhere", Lookups, "dependents", "self._every:", "self._every[1:]:"),
    Fault(
        "one key depends on a table",
        Lookups,
        "dependents",
        "lookup.dependents.keys(net)",
        "list(lookup.dependents.keys(net))[:1]",
    ),
    Fault(
        "what is used is not looked at",
        Lookup,
        "net",
        "not identical(uses(change[1]), uses(change[2]))",
        "False",
    ),
    Fault(
        "rows that come concern nobody",
        Lookup,
        "net",
        "change[1] is None or change[2] is None or",
        "change[1] is not None and change[2] is not None and",
    ),
    Fault("a lone row is looked up as it was", Lookup, "row_at", "if settled else", "if True else"),
    Fault("nobody is woken", TableWriter, "enter", "log.woken |= wakes", "pass"),
    Fault("who is woken wakes nobody", Transaction, "_wake_rules", "log.woken &= ~first", "log.woken = 0"),
    Fault("rows are looked up as they were", Lookups, "_rows", "settled=settled", "settled=True"),
    Fault(
        "a row that is gone leads nowhere",
        ByKey,
        "keys",
        "for _, old, new in net:",
        "for _, old, new in (it for it in net if it[2]):",
    ),
    Fault(
        "what leads back leads to one row",
        Via,
        "keys",
        "rows_between(low, _end(low))",
        "rows_between(low, _end(low), limit=1)",
    ),
    Fault(
        "what leads back is not read", Via, "keys", "rows_between(low, _end(low))", "rows_between(low, low)"
    ),
    Fault("settings of all concern nobody", All, "keys", "in self.drivers:", "in ():"),
    Fault("a further driver fills nothing", FurtherDriver, "add", "self._join.make(", "list("),
    Fault("an index forgets its lookups", LookingIndex, "settle", "if key not in changed", "if False"),
    Fault("an index forgets its source", LookingIndex, "settle", "in nets.net(self.source)", "in ()"),
    Fault("an index reads old rows anew", LookingIndex, "_apply", "settled=True", "settled=False"),
    Fault(
        "an index forgets rows that go", LookingIndex, "_apply", "if cell != was:", "if cell != was and cell:"
    ),
    Fault("an index forgets rows that come", LookingIndex, "_apply", "if at not in going:", "if False:"),
    Fault("an index keeps values", LookingIndex, "_apply", "if cell != was:", "if cell is None:"),
    Fault("an index fills nothing", LookingIndex, "add", "self.target.put_new(", "list("),
    Fault(
        "what was settled is what is",
        TableWriter,
        "settled_cells",
        "touched[key] if key in touched else cells[key]",
        "cells[key]",
    ),
    Fault(
        "counts of two tables are those of one",
        OneSource,
        "settle",
        "if self.source.unsettled:",
        "if self.source.unsettled and self.source.spec.name != 'errands':",
    ),
    Fault(
        "the next time is that of the first group",
        DueReader,
        "_first_keys",
        "low = successor(",
        "return; low = successor(",
    ),
    Fault(
        "the group after the last is none", DueReader, "_first_keys", "if self.DUE.group is None:", "if True:"
    ),
    Fault("what is due later is due", DueReader, "due", "_behind(shape.time(*group, now))", "None"),
    Fault(
        "what is due now is not",
        DueReader,
        "due",
        "_behind(shape.time(*group, now))",
        "shape.time(*group, now)",
    ),
    Fault("each group has its limit", DueReader, "due", "limit - len(found)", "limit"),
)
