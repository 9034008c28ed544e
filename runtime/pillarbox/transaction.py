"""One transaction: the unit of atomicity, from the first read to the sealed change record.

Depends on: tables, maintainers, storage.  Never on: views, boxes, sync.

Laws. Either everything that was written is stored, derived tables included, or nothing is; the change
record says exactly what. After a rollback the caches hold nothing of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from pillarbox.errors import MISTYPED, NotAMember, RangeError, UsageError
from pillarbox.maintainers import (
    Filler,
    Identity,
    Index,
    IndexGroup,
    Nets,
    OwnedTable,
    Refs,
    Rule,
    SequenceTable,
    UniqueIndex,
    grouped,
)
from pillarbox.storage import Engine, StoredKey
from pillarbox.tables import (
    Batch,
    Cell,
    ChangeRecord,
    DerivedTable,
    FollowedTable,
    Follower,
    Hearing,
    KeptTable,
    TableWriter,
    TouchLog,
    Written,
)

#: Shared values that are looked at at a time.
_UNITED = 1_000
#: Bound on what one transaction may publish; a batch that emits more is split by its caller.
_MAX_EVENTS = 1_000_000


class Poured(NamedTuple):
    """What `pour` wrote of one table."""

    table: TableWriter[Any]
    batch: Batch
    #: (key, cell) of the rows that were replaced or removed.
    gone: list[tuple[StoredKey, Cell]]


class Transaction:
    """What `box.transaction()` yields. Generated classes add one attribute per table.

    One object serves all transactions of a box, one after the other: nothing but its tables' caches
    lives in it, and those are emptied at the end.
    """

    __slots__ = (
        "_engine",
        "_events",
        "_hearing",
        "_identities",
        "_is_landed",
        "_is_undone",
        "_log",
        "_refused",
        "_remembers",
        "_rules",
        "_sequences",
        "_settled",
        "_settling",
        "_strict",
        "_trusted",
        "data_version",
    )

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        #: Tables that hold something, in the order they were first touched.
        self._log = TouchLog()
        self._events: list[object] = []
        self._identities: tuple[Identity[Any], ...] = ()
        self._rules: tuple[Rule, ...] = ()
        #: The rules as they are woken: some of them together.
        self._settled: tuple[Rule | IndexGroup, ...] = ()
        #: Writes that kept words have yet to follow.
        self._hearing = Hearing()
        self._sequences: tuple[SequenceTable[Any], ...] = ()
        #: Tables from which a unique index is made, near or far.
        self._strict: tuple[TableWriter[Any], ...] = ()
        #: Whether tables remember cells from one transaction to the next.
        self._remembers = False
        #: The version of the store that tables remember.
        self._trusted = -1
        #: The data version that the open transaction stands on; only where tables remember.
        self.data_version = -1
        self._settling = False
        #: What went wrong while settling. Derived tables are then half done: only a rollback is left.
        self._refused: BaseException | None = None
        #: The engine has committed, or rolled back, and what is known of it is yet to be put away.
        self._is_landed = self._is_undone = False

    def _wire(
        self,
        *,
        identities: Sequence[tuple[TableWriter[Any], Identity[Any]]],
        rules: Sequence[Rule],
        sequences: Sequence[SequenceTable[Any]],
        derived: Sequence[DerivedTable[Any]],
        kept: Sequence[KeptTable[Any]] = (),
        followers: Sequence[tuple[FollowedTable[Any], Follower]] = (),
        owned: Sequence[OwnedTable[Any]] = (),
    ) -> None:
        """Called once by the generated class. `rules` come in dependency order."""
        for source, identity in identities:
            identity.source = source
            if isinstance(source, OwnedTable):
                identity.target.settle_with(self._hearing.catch_up)
        self._identities = tuple(identity for _, identity in identities)
        self._rules = tuple(rules)
        self._settled = tuple(grouped(rules))
        for place, rule in enumerate(self._settled):
            # A kept word also looks at what steps wrote to its own table.
            for table in rule.sources:
                table.wakes |= 1 << place
            if not isinstance(rule, IndexGroup) and not rule.pure:
                rule.target.wakes |= 1 << place
        self._sequences = tuple(sequences)
        strict: dict[int, TableWriter[Any]] = {}
        for rule in reversed(self._rules):
            if isinstance(rule, UniqueIndex) or rule.target.spec.id in strict:
                strict.update((source.spec.id, source) for source in rule.sources)
        self._strict = tuple(strict.values())
        for table in (*derived, *sequences):
            table.settle_with(self.settle)
        for kept_table in kept:
            kept_table.settle_with(self._hearing.catch_up)
        for owned_table in owned:
            owned_table.settle_with(self._hearing.catch_up)
        for followed, follower in followers:
            followed.followed_by(self._hearing, (follower,))

    # ------------------------------------------------------------------------------ for operations

    def emit(self, event: object) -> None:
        """Publish an event once this transaction has committed."""
        if not self._log.open:
            raise self._log.closed("`emit`")
        if len(self._events) >= _MAX_EVENTS:
            raise UsageError(
                f"one transaction emitted more than {_MAX_EVENTS:,} events; commit smaller batches"
            )
        self._events.append(event)

    # ------------------------------------------------------------------------------------ lifetime

    def remember(self) -> None:
        """Let tables remember cells from one transaction to the next, from now on.

        Only for a connection whose every write is made by this object, and whose `data_version` tells of
        those of others.
        """
        self._remembers = True
        unread = {rule.target for rule in self._rules if isinstance(rule, Index)}  # written, but never read
        for table in self._log.every:
            table.remembers = table not in unread

    @property
    def is_open(self) -> bool:
        """Whether reads and writes of its tables belong to a transaction."""
        return self._log.open

    def begin(self) -> None:
        """Take the write lock of the file. Raises StoreBusy when another process keeps it."""
        self._engine.begin()
        try:
            self._log.open = True
            if self._remembers:
                self._look_for_others()
        except BaseException:
            self.rollback()
            raise

    def _look_for_others(self) -> None:
        """Forget what tables remember, if another connection has committed."""
        version = self.data_version = self._engine.data_version()
        if version != self._trusted:
            for table in self._log.every:
                table.distrust()
            self._trusted = version

    def settle(self, *, last: bool = False) -> None:
        """Bring derived tables up to date with what was written so far.

        After the `last` time nothing is left but to flush, which ends the settle of each table.
        """
        if self._settling:
            return
        if self._refused is not None:
            raise UsageError(
                "this transaction has failed already and can only be rolled back: let the error leave the "
                "`with` block, then repeat it"
            ) from self._refused
        try:
            if self._hearing.runs:
                self._hearing.catch_up()
            self._settling = True
            for sequence in self._sequences:
                sequence.write_back()
            if self._log.woken:
                self._wake_rules()
            if not last:
                for table in self._log:
                    if table.unsettled:
                        table.end_settle()
        except BaseException as error:
            self._refused = error
            if isinstance(error, (*MISTYPED, RangeError)):
                for table in self._log:
                    table.refuse_mistyped()
            raise
        finally:
            self._settling = False

    def _wake_rules(self) -> None:
        """Settle the rules that something was written for, in order; those that they wake come later."""
        log, rules = self._log, self._settled
        nets = Nets()
        while woken := log.woken:
            first = woken & -woken
            log.woken = woken ^ first
            rule = rules[first.bit_length() - 1]
            try:
                rule.settle(nets)
            except NotAMember as error:  # of a packed id, which is no more than a number until it is asked
                raise error.put_into(rule.source.spec.name) from error
            log.woken &= ~first  # what it wrote itself is no news to it

    def seal(self) -> ChangeRecord:
        """Settle, and write every change to the engine: all that is left is to commit it."""
        self.settle(last=True)
        written: dict[int, Written] = {}
        for table in self._log:
            if table.unsettled or table.began:
                did = table.flush()
                if did:
                    written[table.spec.id] = did
        return ChangeRecord(written, tuple(self._events))

    def end_record(self) -> None:
        """What may fail by itself ends here, in a transaction of many such: see that uniqueness holds.

        Events are forgotten: this is for builds, which nobody listens to.
        """
        self._events.clear()
        for table in self._strict:
            if table.unsettled:
                self.settle()
                return

    @property
    def settle_failed(self) -> bool:
        """Whether an error came from settling, so that what was written before may be the cause."""
        return self._refused is not None

    def keep_replaced(self, keep: bool) -> None:
        """Whether `pour` refuses as well what was written and is replaced by then; before `begin`."""
        for table in self._log.every:
            table.replaced = [] if keep else None

    def pour(self) -> list[Poured]:
        """As `seal`, without a change record. Nothing reaches the engine before all of it is known to fit."""
        self.settle()
        for table in self._log:
            table.refuse_replaced()
        poured = [Poured(table, *table.all_changes()) for table in self._log]
        for table, batch, _ in poured:
            table.refuse_too_long(batch)
        for table, batch, _ in poured:
            table.write(batch)
        return poured

    def unite(self, among: set[int] | None = None, anew: Collection[int] = ()) -> None:
        """Share the values that stored rows have in common, of these shared tables or all of them.

        For rows that were not put here; a slice at a time, without a change record. `anew`: tables of users
        that were made again, by ids that are perhaps others; what these share is shared again as well.
        """
        for rule in self._rules:
            if not isinstance(rule, Refs):
                continue
            is_among = among is None or rule.target.spec.id in among
            if is_again := not is_among and rule.users.spec.id in anew:
                rule.take_in()
            if is_among or is_again:
                refs = rule.stored_refs()
                while some := list(islice(refs, _UNITED)):
                    rule.unite(some, within=among is not None)
                    self._pour_away()

    def table_at(self, number: int) -> TableWriter[Any]:
        """The table with this permanent number."""
        return next(table for table in self._log.every if table.spec.id == number)

    def stored_slices(self, number: int, rows: int) -> Iterator[list[tuple[StoredKey, Cell]]]:
        """The stored rows of a table, so many at a time.

        What is written over a slice goes to the engine before the next one, without a change record.
        """
        for found in self.table_at(number).slices(rows, stored=True):
            yield found
            self._pour_away()

    def _pour_away(self) -> None:
        self.pour()
        for table in self._log:
            table.forget()
        self._log.clear()

    def rules_for(self, targets: set[int]) -> list[Filler]:
        """The rules that keep these tables, in dependency order."""
        every: tuple[Filler, ...] = (*self._identities, *(rule for rule in self._rules if rule.pure))
        return [rule for rule in every if rule.target.spec.id in targets]

    def followers_of(self, targets: set[int]) -> set[int]:
        """These derived tables and all that are made from them, near or far."""
        found = set(targets)
        for rule in self._rules:
            if rule.pure and any(source.spec.id in found for source in rule.sources):
                found.add(rule.target.spec.id)
        return found

    def fill(self, rule: Filler, rows: Sequence[Any]) -> None:
        """Feed one rule and write what it made to the engine, without a change record and without others.

        For filling empty derived tables from sources of any size, a slice at a time.
        """
        self._settling = True  # so that the rule's reads do not set off those that come after it
        try:
            rule.add(rows)
            for table in self._log:
                table.end_settle()
                table.flush()
                table.forget()
        finally:
            self._settling = False
        self._log.clear()

    def commit(self) -> None:
        """Make the sealed changes durable. On an error the transaction is still open: roll it back."""
        self._engine.commit()
        self._is_landed = True
        self._forget()

    def rollback(self) -> None:
        """Undo everything, caches included. Of who was interrupted behind a commit nothing is undone.

        Who is interrupted in it leaves the transaction open, to be rolled back once more.
        """
        if not (self._is_landed or self._is_undone):
            try:
                self._engine.rollback()
            except Exception:
                self._forget()
                raise
            self._is_undone = True
        self._forget()

    def carried(self) -> None:
        """See `storage.forked`. What another thread had begun is its own, and nothing here."""
        self._forget()

    def _forget(self) -> None:
        if not self._is_landed:  # or nobody knows
            for table in self._log:
                table.undo()
        for table in self._log:
            table.forget()
        self._log.clear()
        self._hearing.forget()
        self._events.clear()
        self._refused = None
        self._log.open = self._is_landed = self._is_undone = False
