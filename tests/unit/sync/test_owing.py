"""Debts that stand by themselves: written down once the store works again, and no sooner heaped up."""

from __future__ import annotations

from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import CURSORS, PROJECT, Tables, U, keyed, protocol, push

from pillarbox.sync.signals import Commit, Started, Ticked


def fails(rig: Rig, milliseconds: int) -> int:
    """How many commits are tried while the store writes nothing and time passes."""
    until, tried = rig.now + milliseconds, 0
    while True:
        while rig.store:
            tried += isinstance(rig.store[0], Commit)
            rig.work_one(failure="the disk is full" if isinstance(rig.store[0], Commit) else None)
        due = [it for it in rig.timers.items() if it[1] <= until]
        if not due:
            rig.now = until
            return tried
        found, at = min(due, key=lambda it: (it[1], it[0]))
        del rig.timers[found]
        rig.now = max(rig.now, at)
        rig.step(Ticked(rig.now, found))


def followed() -> Rig:
    """A server that counts by projects alone, so that no poll shows what was dropped."""
    rig = Rig(Tables({(PROJECT, 1): (0,), (PROJECT, 2): (0,)}), protocol(cursors={PROJECT: CURSORS[PROJECT]}))
    rig.step(Started(rig.now, 99))
    rig.work()
    return rig


def test_what_is_dropped_while_the_store_fails_is_owed_once_and_asked_for_at_the_end() -> None:
    """Q7, K-13: one commit at a time says so, however much was pushed and however long it takes."""
    rig = followed()
    for end in range(1, 41):
        rig.push(push(U("a", keyed(PROJECT, 1 + end % 2, (end + 1) // 2))))
        fails(rig, 10)

    tried = fails(rig, 10_000)

    assert tried <= 12, "each time later"
    assert len(rig.timers) == 1
    rig.wait(10_000)
    assert set(rig.tables.debts) == {(PROJECT, 1), (PROJECT, 2)}
    assert sorted(it[2] for it in rig.sent.values()) == [1, 2]
    assert rig.commits == 1
