"""What the outbox reads and writes: a row again before it is sent, and its end together with what follows.

Depends on: drafts, outbox_specs, protocol.  Never on: timers, requests in flight.

Law: a row goes only when the payload that it holds is the one that was sent (E-17).
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.drafts import acts_owed, owe, run
from pillarbox.sync.outbox_specs import OutboxRow, OutboxSpec
from pillarbox.sync.protocol import Act, Operation, SyncProtocol, Tables


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """A row as it stands now, or None (sync.md L-3)."""

    kind: int
    number: int

    def read(self, tables: Tables, protocol: SyncProtocol) -> OutboxRow | None:
        """The row, or None."""
        return outbox_of(protocol).row(tables, self.kind, self.number)


@dataclass(frozen=True, slots=True)
class Mark:
    """The same, and from now on the row counts as sent."""

    kind: int
    number: int

    def apply(self, tx: Tables, protocol: SyncProtocol) -> OutboxRow | None:
        """The row, or None."""
        outbox = outbox_of(protocol)
        row = outbox.row(tx, self.kind, self.number)
        if row is not None:
            outbox.mark(tx, self.kind, self.number)
        return row


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a row whose request ended, and what follows on that, in one commit.

    A row that changed meanwhile stays. What follows on an answer is true of what was sent and is done
    nevertheless; a refusal of what nobody wants any more has no consequences.
    """

    row: OutboxRow
    operations: tuple[Operation, ...]
    acts: tuple[Act, ...]
    refused: bool
    #: Of what is owed.
    author: Author

    def apply(self, tx: Tables, protocol: SyncProtocol) -> Finished:
        """What became of the row."""
        outbox = outbox_of(protocol)
        kind, number = self.row.kind, self.row.number
        now = outbox.row(tx, kind, number)
        stands = now is not None and now.revision == self.row.revision
        if stands:
            outbox.remove(tx, kind, number)
        if self.refused and not stands:
            return Finished(now, happened=False)
        run(tx, protocol, self.operations)
        owe(tx, protocol, acts_owed(protocol, self.acts, self.author))
        return Finished(None if stands else now, happened=True)


@dataclass(frozen=True, slots=True)
class Finished:
    """`left`: the row, where it changed while its request ran. `happened`: what follows was done."""

    left: OutboxRow | None
    happened: bool


def outbox_of(protocol: SyncProtocol) -> OutboxSpec:
    """The outbox of a protocol that has one."""
    assert protocol.outbox is not None, "an outbox runs only where the protocol has one"
    return protocol.outbox
