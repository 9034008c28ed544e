"""What a service element says: its action, by name, and the rest of its members as they stand.

Depends on: telegram_members, telegram_schema, telegram_shapes.  Never on: what an action means, calls apart.

Law: every member of an action is in the kept JSON, but for the action's name itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from pillarbox_spark.sources.telegram_members import Member, Undecodable, object_of
from pillarbox_spark.sources.telegram_schema import Records
from pillarbox_spark.sources.telegram_shapes import Int32

_OUTCOMES: Final = {"missed": "MISSED", "disconnect": "DISCONNECTED", "hangup": "HUNG_UP", "busy": "BUSY"}


def service_of(members: Sequence[Member], records: Records) -> tuple[tuple[Any, ...], int]:
    """The media that an action becomes, and its global tags."""
    types, named = records.types, dict(members)
    action = _value(named, "action", str)
    kept = [member for member in members if action is None or member[0] != "action"]
    service = types.ServiceAction(
        kind=0, title=_value(named, "title", str), action=action, kept=object_of(kept)
    )
    if action != "phone_call":
        return (service,), 0
    outcome = _OUTCOMES.get(_value(named, "discard_reason", str) or "", "UNKNOWN")
    call = types.Call(duration=_value(named, "duration_seconds", Int32), outcome=types.CallOutcome[outcome])
    tags = types.GlobalTagFlags.CALLS
    return (service, call), tags | types.GlobalTagFlags.MISSED_CALLS if outcome == "MISSED" else tags


def _value(named: dict[str, bytes], name: str, shape: Any) -> Any:
    try:
        return msgspec.json.decode(named.get(name, b"null"), type=shape, strict=False)
    except Undecodable:
        return None
