"""Sync: staying in step with a server through counters: the engine, and the machine in it.

Depends on: box and below.  Never on: generated code, which is handed in as a `SyncProtocol`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pillarbox.sync.claims import Claim, Gap, Instance, Plan, Position, Verdict, check, plan
from pillarbox.sync.limits import DriverLimits, Limits
from pillarbox.sync.machine import Machine
from pillarbox.sync.optimiser import Merges, optimise
from pillarbox.sync.outbox_specs import OutboxKind, OutboxRow, OutboxSpec
from pillarbox.sync.protocol import Absent, Act, Around, Need, Poll, ResetAsk, SyncProtocol, Unhandled
from pillarbox.sync.signals import (
    Failure,
    Flood,
    Refusal,
    Refused,
    SessionChanged,
    SessionLost,
    Transient,
    Untaken,
)
from pillarbox.sync.told import Told

if TYPE_CHECKING:
    from pillarbox.sync.engine import Engine
    from pillarbox.sync.threaded import EngineThread, in_thread
    from pillarbox.sync.transport import Clock, Transport

__all__ = [
    "Absent",
    "Act",
    "Around",
    "Claim",
    "Clock",
    "DriverLimits",
    "Engine",
    "EngineThread",
    "Failure",
    "Flood",
    "Gap",
    "Instance",
    "Limits",
    "Machine",
    "Merges",
    "Need",
    "OutboxKind",
    "OutboxRow",
    "OutboxSpec",
    "Plan",
    "Poll",
    "Position",
    "Refusal",
    "Refused",
    "ResetAsk",
    "SessionChanged",
    "SessionLost",
    "SyncProtocol",
    "Told",
    "Transient",
    "Transport",
    "Unhandled",
    "Untaken",
    "Verdict",
    "check",
    "in_thread",
    "optimise",
    "plan",
]

#: What runs on an event loop: imported when it is asked for, for most programs that open a box have none.
_LAZY = {
    "Clock": "transport",
    "Engine": "engine",
    "EngineThread": "threaded",
    "Transport": "transport",
    "in_thread": "threaded",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
