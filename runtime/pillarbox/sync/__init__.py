"""Sync: staying in step with a server through counters: the pure check, merging, and a follower.

Depends on: box and below.  Never on: generated code, which is handed in as an `UpdateProtocol`.
"""

from pillarbox.sync.claims import Claim, Gap, Instance, Plan, Position, Verdict, check, plan
from pillarbox.sync.follower import Follower, Outcome, UpdateProtocol
from pillarbox.sync.optimiser import Merges, optimise

__all__ = [
    "Claim",
    "Follower",
    "Gap",
    "Instance",
    "Merges",
    "Outcome",
    "Plan",
    "Position",
    "UpdateProtocol",
    "Verdict",
    "check",
    "optimise",
    "plan",
]
