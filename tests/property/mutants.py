"""Planted faults: one line of the real code, changed for as long as a `with` block lasts.

A fault names the line that it changes, so a fault whose line is gone fails loudly instead of testing
nothing.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from hypothesis import Phase, settings

from pillarbox import transaction as transaction_module
from pillarbox.box import Box
from pillarbox.box import box as box_module
from pillarbox.box.others import Others
from pillarbox.box.writing import Writing
from pillarbox.bulk import ShardBuilder
from pillarbox.bulk.merge import _Merger
from pillarbox.maintainers import Count, Identity, Index, IndexGroup, SequenceTable, Top, UniqueIndex
from pillarbox.tables import LateTable, TableWriter
from pillarbox.tables import change as change_module
from pillarbox.tables.flushed import FlushedTable
from pillarbox.transaction import Transaction

#: How hard a law looks for a planted fault: always at the same examples, and no longer once it is found.
HARD: Final = settings(
    max_examples=1_000,
    stateful_step_count=40,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    print_blob=False,
    report_multiple_bugs=False,
)


@dataclass(frozen=True)
class Fault:
    """`old` in the source of `owner.function` becomes `new`; it must be there exactly once."""

    name: str
    owner: type[Any] | ModuleType
    function: str
    old: str
    new: str

    def __str__(self) -> str:
        return self.name

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Run with the fault in place."""
        real = vars(self.owner)[self.function]
        source = textwrap.dedent(inspect.getsource(real))
        assert source.count(self.old) == 1, f"{self.name}: {self.old!r} is not once in {self.function}"
        text = "from __future__ import annotations\n" + source.replace(self.old, self.new)
        globals_ = real.__globals__
        namespace: dict[str, Any] = {}
        if isinstance(self.owner, type):
            # Code outside of its class body has no class of its own for a bare super().
            text = text.replace("super()", f"super({self.owner.__name__}, self)")
        exec(compile(text, sys.modules[real.__module__].__file__ or "", "exec"), globals_, namespace)
        setattr(self.owner, self.function, namespace[self.function])
        try:
            yield
        finally:
            setattr(self.owner, self.function, real)


MAINTAINER_FAULTS = (
    Fault("index forgets rows that go", Index, "apply", "put(key, was, None)", "pass"),
    Fault("index forgets rows that come", Index, "apply", "put(key, was, cell)", "pass"),
    Fault("index keeps a row whose value changed", Index, "apply", "was != cell", "was is None"),
    Fault(
        "index takes a repeated key for a new one",
        Index,
        "apply",
        "after.items()",
        "rows_of([new for _, _, new in net if new is not None])",
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
    Fault("indexes together forget changes", IndexGroup, "settle", "index.apply(step.net)", "pass"),
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
        TableWriter,
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

TABLE_FAULTS = (
    Fault("an unread cell was absent", TableWriter, "put_cell", "cells.get(key, UNKNOWN)", "cells.get(key)"),
    Fault(
        "new cells are old where one is", TableWriter, "put_new", "self.put_known(key, None, cell)", "pass"
    ),
    Fault("rows that are gone are fresh", TableWriter, "fresh", "NoneType in", "int in"),
    Fault("replaced rows are fresh", TableWriter, "fresh", "!= ALL_NONE", "is None"),
    Fault("a replaced row is written as new", FlushedTable, "_new_rows", "_ALL_NEW.issuperset(", "bool("),
    Fault("nothing is written as new rows", FlushedTable, "_new_rows", "not before or", ""),
    Fault("what nobody read is not there", FlushedTable, "flush", "self._read_began()", "pass"),
    Fault(
        "what nobody read is written over",
        FlushedTable,
        "flush",
        "and self._engine.add_many(",
        "and not set(",
    ),
    Fault("old cells are never read", FlushedTable, "changes", "self._read_began()", "pass"),
    Fault(
        "rows are told without what they replaced", FlushedTable, "all_changes", "self._read_began()", "pass"
    ),
    Fault(
        "what was settled unread is taken for read", TableWriter, "end_settle", "False, True", "False, False"
    ),
    Fault("a removed row is written as new", FlushedTable, "_new_rows", "NoneType in", "int in"),
    Fault("new cells leave the order", TableWriter, "put_new", "self._order.extend(new)", "pass"),
    Fault("new cells lie last", TableWriter, "put_new", "self._order.sort()", "pass"),
    Fault("a scan counts what is gone", TableWriter, "_written_between", "cells[order[at]] is not None", "1"),
    Fault("a scan leaves out a row", TableWriter, "_written_between", "order[at:end]", "order[at + 1 : end]"),
    Fault("a scan leaves out the last row", TableWriter, "_written_between", "at + 1]", "at]"),
    Fault("new cells are not written", TableWriter, "put_new", "self._touched.update(", "set("),
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
        "{*self._touched, *self._before}",
        "{*self._touched}",
    ),
    Fault(
        "settling loses what was before",
        TableWriter,
        "end_settle",
        "before.setdefault(key, old)",
        "before[key] = old",
    ),
    Fault("settling reads nothing", TableWriter, "end_settle", "self._resolve()", "pass"),
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
        "if not self.spec.differ(old, cell):",
        "if False:",
    ),
    Fault("new rows are told as old ones", change_module, "_new", "(None, cell)", "(cell, cell)"),
    Fault(
        "equal rows are a net change",
        TableWriter,
        "_net_cells",
        "and (old is None or differ(old, new))",
        "",
    ),
    Fault(
        "removals stay in the file",
        FlushedTable,
        "write",
        "self._engine.remove_many(self.spec.layout, batch.removes)",
        "pass",
    ),
    Fault("the order outlives the transaction", TableWriter, "forget", "self._order = None", "pass"),
    Fault(
        "settled cells outlive the transaction",
        TableWriter,
        "forget",
        "self._before.clear()",
        "pass",
    ),
)

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
        "if (did := table.flush())",
        "if table.spec.role == 'primary' and (did := table.flush())",
    ),
)

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
