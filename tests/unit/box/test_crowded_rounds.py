"""Threads that commit faster than somebody listens: what waits is bounded, and everybody comes back."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.waiting import SECONDS_MAX

from pillarbox.box import rounds as rounds_module
from pillarbox.box.rounds import Rounds

WRITERS, COMMITS, ROOM = 3, 200, 20


class Told:
    """A listener of what `receive` does beside noting it, and in which thread."""

    def __init__(self, receive: Callable[[Any], object]) -> None:
        self.heard: list[Any] = []
        self.by: Counter[int] = Counter()
        self._receive = receive

    def receive(self, what: Any) -> None:
        self.heard.append(what)
        self.by[threading.get_ident()] += 1
        self._receive(what)


def tell(rounds: Rounds, told: Told, what: object) -> None:
    """What a commit does once it is done."""
    rounds._waiting += [(told, what)]
    rounds.drain()


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Rounds:
    monkeypatch.setattr(rounds_module, "_WAITING_MAX", ROOM)
    monkeypatch.setattr(rounds_module, "_PATIENCE_SECONDS", float(SECONDS_MAX))
    return Rounds()


def test_what_waits_is_bounded_and_nobody_tells_for_all(rounds: Rounds) -> None:
    told = Told(lambda what: time.sleep(0.0002))
    longest, most_told = [0], [0]

    def commit(writer: int) -> None:
        for number in range(COMMITS):
            before = told.by[threading.get_ident()]
            tell(rounds, told, (writer, number))
            longest[0] = max(longest[0], len(rounds._waiting))
            most_told[0] = max(most_told[0], told.by[threading.get_ident()] - before)

    writers = [threading.Thread(target=commit, args=(writer,)) for writer in range(WRITERS)]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join(SECONDS_MAX)

    assert rounds.is_idle
    assert len(told.heard) == len(set(told.heard)) == WRITERS * COMMITS
    for writer in range(WRITERS):
        assert [number for who, number in told.heard if who == writer] == list(range(COMMITS))
    assert longest[0] <= ROOM + WRITERS
    assert most_told[0] <= 4 * ROOM, "then who waits has taken over"


def test_who_is_told_may_commit_however_much_waits(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds_module, "sleep", None)  # it would wait for itself
    last = 5 * ROOM

    def commit(what: int) -> None:
        if what == 0:
            for number in range(1, last):
                tell(rounds, told, number)

    told = Told(commit)
    tell(rounds, told, 0)

    assert told.heard == list(range(last))


def test_who_is_told_may_wait_for_another_thread_that_commits(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds_module, "_PATIENCE_SECONDS", 0.01)

    def commit_all() -> None:
        for number in range(1, 30):
            tell(rounds, told, number)

    def have_committed(what: int) -> None:
        if what == 0:
            other = threading.Thread(target=commit_all)
            other.start()
            other.join(SECONDS_MAX)
            assert not other.is_alive()

    told = Told(have_committed)
    tell(rounds, told, 0)

    assert told.heard == list(range(30))
    assert rounds.is_idle
