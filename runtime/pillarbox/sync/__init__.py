"""Sync: staying in step with a server through counters. Thin for now: the pure check and a follower.

Depends on: box and below.  Never on: generated code, which is handed in as an `UpdateProtocol`.
"""

from pillarbox.sync.claims import Claim, Gap, Instance, Plan, Position, Verdict, check, plan
from pillarbox.sync.follower import Follower, Outcome, UpdateProtocol

__all__ = [
    "Claim",
    "Follower",
    "Gap",
    "Instance",
    "Outcome",
    "Plan",
    "Position",
    "UpdateProtocol",
    "Verdict",
    "check",
    "plan",
]
