"""Sync: staying in step with a server through counters: the pure check, merging, and a follower.

Depends on: box and below.  Never on: generated code, which is handed in as an `UpdateProtocol`.
"""

from pillarbox.sync.claims import Claim, Gap, Instance, Plan, Position, Verdict, check, plan
from pillarbox.sync.follower import Follower, Outcome, UpdateProtocol
from pillarbox.sync.limits import Limits
from pillarbox.sync.machine import Machine
from pillarbox.sync.optimiser import Merges, optimise
from pillarbox.sync.outbox_specs import OutboxKind, OutboxRow, OutboxSpec
from pillarbox.sync.protocol import Absent, Act, Around, Need, Poll, ResetAsk, Unhandled
from pillarbox.sync.told import Told

__all__ = [
    "Absent",
    "Act",
    "Around",
    "Claim",
    "Follower",
    "Gap",
    "Instance",
    "Limits",
    "Machine",
    "Merges",
    "Need",
    "OutboxKind",
    "OutboxRow",
    "OutboxSpec",
    "Outcome",
    "Plan",
    "Poll",
    "Position",
    "ResetAsk",
    "Told",
    "Unhandled",
    "UpdateProtocol",
    "Verdict",
    "check",
    "optimise",
    "plan",
]
