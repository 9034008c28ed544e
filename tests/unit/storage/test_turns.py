"""Whose turn it is, by itself, by a clock that stands still but where somebody sleeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pillarbox.storage import turns as turns_module
from pillarbox.storage.presence import Presence
from pillarbox.storage.turns import Turns


class Clock:
    """What `turns` takes for the time."""

    def __init__(self) -> None:
        self.now = 100.0
        #: What happens while it sleeps.
        self.meanwhile: Callable[[], None] = lambda: None

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.meanwhile()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(turns_module, "monotonic", lambda: clock.now)
    monkeypatch.setattr(turns_module, "sleep", clock.sleep)
    return clock


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Presence, Presence]]:
    """Two handles beside one box."""
    found = Presence.meet(str(tmp_path / "a.box")), Presence.meet(str(tmp_path / "a.box"))
    one, other = found
    assert one is not None
    assert other is not None
    yield one, other
    one.close()
    other.close()


def paused(clock: Clock, turns: Turns) -> float:
    """How long it gives way now."""
    began = clock.now
    turns.give_way()
    return clock.now - began


def test_nobody_gives_way_while_nobody_waits(clock: Clock, two: tuple[Presence, Presence]) -> None:
    one, other = two

    with Turns(one).waiting():
        assert not paused(clock, Turns(one)), "it does not wait for itself"
    assert not paused(clock, Turns(other)), "who waited waits no more"
    assert not paused(clock, Turns())


def test_the_lock_is_left_to_who_waits_until_that_one_has_it(
    clock: Clock, two: tuple[Presence, Presence]
) -> None:
    one, other = two
    other.wait()

    def get_it() -> None:
        if clock.now > 100.002:
            other.wait_no_more()

    clock.meanwhile = get_it
    assert 0.002 < paused(clock, Turns(one)) < 0.004


def test_it_is_looked_now_and_then_and_ever_more_seldom_where_nobody_comes(
    clock: Clock, two: tuple[Presence, Presence]
) -> None:
    one, other = two
    turns, writes = Turns(one), []
    other.wait()

    for _ in range(100_000):  # transactions of a tenth of a millisecond
        if paused(clock, turns):
            writes.append(0)
        clock.now += 0.0001
        writes[-1] += 1

    assert writes[:6] == [200, 600, 1400, 3000, 6200, 9800], "from the end of a pause, which takes 20 ms"
    assert set(writes[6:-1]) == {9800}, "at most a second lies between two"


def test_it_is_looked_as_often_as_before_once_somebody_comes(
    clock: Clock, two: tuple[Presence, Presence]
) -> None:
    one, other = two
    turns = Turns(one)
    other.wait()
    for _ in range(5):
        clock.now += 1
        assert paused(clock, turns)

    clock.now += 0.5
    assert not paused(clock, turns)
    with turns.waiting():
        pass  # who came has the lock

    assert paused(clock, turns)
    clock.now += 0.05
    assert paused(clock, turns)

    clock.now += 1
    other.wait_no_more()
    assert not paused(clock, turns)
    other.wait()
    clock.now += 0.03
    assert paused(clock, turns)


def test_an_interrupt_leaves_nobody_waiting(clock: Clock, two: tuple[Presence, Presence]) -> None:
    one, other = two

    with pytest.raises(KeyboardInterrupt), Turns(one).waiting():
        raise KeyboardInterrupt

    assert not other.somebody_waits()


def test_who_has_gone_neither_waits_nor_sees_anybody_wait(two: tuple[Presence, Presence]) -> None:
    one, other = two
    one.wait()
    assert other.somebody_waits()

    one.close()

    assert not other.somebody_waits()
    other.wait()
    assert not one.somebody_waits()
    with Turns(one).waiting():
        pass
