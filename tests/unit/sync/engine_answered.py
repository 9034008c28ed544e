"""A wish that is on its way, and what of its answer lies in memory alone."""

from __future__ import annotations

from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_wishes import Wish, show, wishing
from tests.unit.sync.engine_world import (
    C,
    Tables,
    U,
    channel,
    push,
    rev,
)

from pillarbox.sync import Limits
from pillarbox.sync.claims import Claim
from pillarbox.sync.protocol import Opened, Poll


def wished(*done: str, tables: Tables | None = None, limits: Limits | None = None) -> Rig:
    """A wish is on its way; its answer goes where pushes go, and says that this is done."""
    rig = Rig(tables, wishing(*done, containers=(C,)), limits).start()
    show(rig, Wish())
    rig.work()
    return rig


def stands(rig: Rig) -> bool:
    """Whether the wish would be sent again after a crash."""
    outbox = rig.protocol.outbox
    assert outbox is not None
    return outbox.row(None, 1, 1) is not None


def go_on(rig: Rig) -> None:
    """One read, one write, or the timers that are due."""
    if rig.store:
        rig.work_one()
    else:
        rig.push()


def again(rig: Rig) -> Rig:
    """It is sent once more."""
    assert stands(rig)
    while not rig.waiting("wish"):
        rig.wait(100)
    return rig


def counts(claim: Claim) -> C:
    """A container that only counts."""
    return C(Opened(steps=(claim,)))


LOST = (
    push(U("it")),
    push(U("it", channel(51))),
    push(side=("it",)),
    push(U("it", rev(10, 0))),
    push(U("it", acts=(Poll(1),))),
)
