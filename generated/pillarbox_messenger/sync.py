# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""What a follower of the schema 'messenger' works with: `Follower(box, PROTOCOL)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pillarbox.errors import UsageError
from pillarbox.storage import StoredKey
from pillarbox.sync import Position, UpdateProtocol
from pillarbox_messenger.operations import Operation
from pillarbox_messenger.replay import replay
from pillarbox_messenger.transaction import Transaction
from pillarbox_messenger.types import Account, Channel
from pillarbox_messenger.updates import Update, claim, emit


def position(tx: Transaction, cursor: int, key: StoredKey) -> Position:
    """The parts of a cursor row, in the schema's order; None where there is no row yet."""
    if cursor == 310:
        account = tx.account.row_at(key)
        return None if account is None else (account.pts, account.qts, account.seq, account.date)
    if cursor == 13:
        channel = tx.channel.row_at(key)
        return None if channel is None else (channel.pts,)
    raise UsageError(f"no cursor of this schema has the id {cursor}; take it from the claim of an update")


def advance(tx: Transaction, cursor: int, key: StoredKey, parts: Mapping[int, int]) -> None:
    """Set some parts of a cursor row: place in the schema's order -> value."""
    if cursor == 310:
        account = tx.account.row_at(key) or Account()
        tx.account.put(
            replace(
                account,
                pts=parts.get(0, account.pts),
                qts=parts.get(1, account.qts),
                seq=parts.get(2, account.seq),
                date=parts.get(3, account.date),
            ),
        )
        return
    if cursor == 13:
        channel = tx.channel.row_at(key) or Channel(*tx.channel.spec.key_fields(key))
        tx.channel.put(replace(channel, pts=parts.get(0, channel.pts)))
        return
    raise UsageError(f"no cursor of this schema has the id {cursor}; take it from the claim of an update")


PROTOCOL: Final = UpdateProtocol[Transaction, Update, Operation](
    claim=claim,
    emit=emit,
    replay=replay,
    position=position,
    advance=advance,
)
