# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""What a follower of the schema 'tracker' works with: `Follower(box, PROTOCOL)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pillarbox.errors import UsageError
from pillarbox.storage import StoredKey
from pillarbox.sync import Position, UpdateProtocol
from pillarbox_tracker.operations import Operation
from pillarbox_tracker.replay import replay
from pillarbox_tracker.transaction import Transaction
from pillarbox_tracker.types import Account, Project
from pillarbox_tracker.updates import Update, claim, emit


def position(tx: Transaction, cursor: int, key: StoredKey) -> Position:
    """The parts of a cursor row, in the schema's order; None where there is no row yet."""
    if cursor == 110:
        account = tx.account.row_at(key)
        return None if account is None else (account.rev, account.at)
    if cursor == 111:
        project = tx.project.row_at(key)
        return None if project is None else (project.rev,)
    raise UsageError(f"no cursor of this schema has the id {cursor}; take it from the claim of an update")


def advance(tx: Transaction, cursor: int, key: StoredKey, parts: Mapping[int, int]) -> None:
    """Set some parts of a cursor row: place in the schema's order -> value."""
    if cursor == 110:
        account = tx.account.row_at(key) or Account()
        tx.account.put(replace(account, rev=parts.get(0, account.rev), at=parts.get(1, account.at)))
        return
    if cursor == 111:
        project = tx.project.row_at(key) or Project(*tx.project.spec.key_fields(key))
        tx.project.put(replace(project, rev=parts.get(0, project.rev)))
        return
    raise UsageError(f"no cursor of this schema has the id {cursor}; take it from the claim of an update")


PROTOCOL: Final = UpdateProtocol[Transaction, Update, Operation](
    claim=claim,
    emit=emit,
    replay=replay,
    position=position,
    advance=advance,
)
