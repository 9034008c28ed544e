"""An outbox for the protocol of `engine_world`: rows of a dict, which is no part of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import protocol

from pillarbox.sync.outbox import OWNER
from pillarbox.sync.outbox_specs import OutboxKind, OutboxSpec
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.signals import Poke


class Wish(NamedTuple):
    """A row of an outbox."""

    number: int = 1
    payload: str = "a"
    kind: int = 1
    group: bytes = b"g"
    revision: int = 0


def wishing(
    *entries: Any,
    wishes: Sequence[Wish] = (Wish(),),
    containers: tuple[type[Any], ...] = (),
    rows: dict[tuple[int, int], Wish] | None = None,
) -> SyncProtocol:
    """On the answer to a wish these follow; answers of some types go where pushes go.

    `rows`: what stands, in the place of `wishes`, for who goes on wishing.
    """
    rows = {(wish.kind, wish.number): wish for wish in wishes} if rows is None else rows
    kind = OutboxKind(
        "wish", lambda it: ("wish", it), answered=lambda _payload, _answer: entries, containers=containers
    )
    outbox = OutboxSpec(
        {1: kind},
        view="rows",
        shown=lambda it: it,
        row=lambda _, *at: rows.get(at),
        mark=lambda *_: None,
        remove=lambda _, *at: rows.__delitem__(at),
    )
    return replace(protocol(), outbox=outbox)


def show(rig: Rig, *wishes: Wish) -> None:
    """The view of the outbox shows these; what follows on that waits for the store."""
    rig.step(Poke(rig.now, OWNER, wishes))
