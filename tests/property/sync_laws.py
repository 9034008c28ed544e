"""What holds of the engine after every step, and when nothing more comes.

Depends on: sync_world, sync_server.  Never on: how the engine does it, but for its queue.
"""

from __future__ import annotations

from tests.property.sync_server import COUNTERS, KEYED
from tests.property.sync_world import Recording, World
from tests.unit.sync.engine_world import (
    ACCOUNT,
    HOLD_MS,
    REV,
    SEQ,
)

from pillarbox.sync import Limits, Machine
from pillarbox.sync.claims import Instance
from pillarbox.sync.job_process import Collect


def folded(done: list[str]) -> dict[Instance, int]:
    """Where each counter stands by what happened. E-2, E-3: each counted one once, and in its order."""
    at: dict[Instance, int] = dict.fromkeys(COUNTERS, 0)
    keys = {f"{cursor}:{key!r}": (cursor, key) for cursor, key in COUNTERS}
    for name in done:
        parts = name.split(":")
        if parts[0] == "reset":
            at[keys[":".join(parts[1:3])]] = int(parts[3])
        elif parts[0] != "free":
            instance, start, end = keys[":".join(parts[:2])], int(parts[2]), int(parts[3])
            if start < end:
                assert at[instance] == start, f"E-2: {name} happened at {at[instance]}"
                at[instance] = end
    return at


def check(world: World) -> None:
    """What holds after every step."""
    rig, tables = world.rig, world.rig.tables
    at = folded(tables.done)
    for instance in COUNTERS:
        stands = tables.positions.get(instance)
        assert (0 if stands is None else stands[0]) == at[instance], f"E-1: {instance} stands at {stands}"
    frees = [name for name in tables.done if name.startswith("free")]
    assert len(frees) == len(set(frees)), "E-19: something without a counter happened twice"
    _check_evidence(world)
    _check_queue(world)
    _check_events(rig)
    _check_deadlines(rig)


def _check_evidence(world: World) -> None:
    """E-13: what a container showed before seq moved past it is applied, or owed."""
    tables = world.rig.tables
    passed = world.server.moments[: tables.positions[ACCOUNT, b""][SEQ]]
    for update in (it for moment in passed for it in moment):
        claim = update.claim
        if claim is not None and claim.cursor != ACCOUNT:
            stands = (tables.positions.get(claim.instance) or (0,))[0]
            assert claim.end <= stands or claim.instance in tables.debts, f"E-13: nothing shows {update.name}"


def _check_queue(world: World) -> None:
    rig = world.rig
    running = [place for place, job in enumerate(rig.machine.queue.jobs) if job.running]
    assert running in ([], [0]), "E-5: one job runs, the head"
    head = rig.machine.queue.jobs[0] if running == [] and rig.machine.queue.jobs else None
    if isinstance(head, Collect) and not head.fresh and not rig.stray:  # Of others' commits nobody told.
        for claim in (piece.claim for piece in head.pieces):
            stands = rig.tables.positions[ACCOUNT, b""]
            assert claim is None or claim.start != stands[claim.part], "G-15: it follows, and is held"
    if not rig.sent and not rig.store and not [it for it in rig.timers if it.owner != "idle"]:
        assert rig.machine.is_resting, "E-20: nothing is in flight, and something waits"
        assert rig.machine.held == 0, "E-20: something is held, and nothing would bring it on"


def _check_events(rig: Recording) -> None:
    """E-8, E-9: events are told in the order of commits, each once, never before it."""
    own = [name for name in rig.tables.done[rig.first :] if name not in rig.stray]
    told = [event for event in rig.events if event not in rig.stray]
    assert told == own[: len(told)], "E-9: events are not told as they were written"


def _check_deadlines(rig: Recording) -> None:
    """E-7: a deadline is given once."""
    held: dict[str, int] = {}
    for job in rig.machine.queue.jobs:
        if isinstance(job, Collect):
            for piece in job.pieces:
                if piece.deadline is not None:
                    for update in (*piece.updates, *(it.update for it in piece.keyed)):
                        held[f"{update.name} {id(piece.origin)}"] = piece.deadline
    for name, deadline in held.items():
        assert deadline <= rig.watched.deadlines.get(name, deadline), "E-7: a deadline moved"
        assert deadline <= rig.now + HOLD_MS
    rig.watched.deadlines = held


def check_rest(world: World) -> None:
    """What holds when nothing more comes (N-1, N-3)."""
    rig, server = world.rig, world.server
    stands = rig.tables.positions[ACCOUNT, b""]
    assert (stands[REV], stands[SEQ]) == (server.ends[ACCOUNT, b""], len(server.moments)), "N-1"
    for instance in KEYED[:2]:  # Of the third, a whisper may be lost for ever.
        assert (rig.tables.positions.get(instance) or (0,))[0] == server.ends[instance], f"N-1: {instance}"
    assert rig.tables.debts == {}, "N-3: something is owed"
    assert rig.machine.is_resting, "N-3: a job is stuck"
    assert rig.machine.held == 0, "N-3: something is held"
    assert not rig.machine.updating, "D-4"
    assert rig.machine.stopped is None, "Q6"
    assert set(rig.settled) == world.asked, "E-18"
    own = [name for name in rig.tables.done[rig.first :] if name not in rig.stray]
    assert [event for event in rig.events if event not in rig.stray] == own, "E-9: events are missing"


def check_told(world: World) -> None:
    """E-6: every gap ended in application or in a poll, so all that was shown is there."""
    for (instance, part), end in world.told.items():
        stands = world.rig.tables.positions.get(instance)
        assert stands is not None, f"E-6: {instance} was shown, and is not known"
        assert stands[part] >= end, f"E-6: {end} was shown, {instance} stands at {stands}"
    assert world.rig.tables.debts == {}, "N-3: something is owed"
    assert not world.rig.machine.updating, "D-4"
    assert world.rig.machine.is_resting, "N-3: a job is stuck"


def check_again(world: World) -> None:
    """E-11: the same inputs again give the same outputs."""
    again = Machine(world.rig.protocol, Limits(debt_tries_max=2))
    for given, outputs in zip(world.rig.watched.inputs, world.rig.watched.outputs, strict=True):
        assert again.step(given) == outputs, "E-11"
