"""Steps of histories of `base_machine`, all of one group, and how a history is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from tests.property.answering_server import Gone, Post, Put, Read
from tests.property.base_machine import BaseMachine

History: TypeAlias = Callable[[BaseMachine], None]
GROUP: Final = 1


def add(m: BaseMachine, *numbers: int, **fields: Any) -> None:
    """The server gets posts; each has the first tag and is somebody else's, unless `fields` say otherwise."""
    for number in numbers:
        m.server.happen(Put(Post(GROUP, number, 100 + number, **{"tags": 1, **fields})))


def change(m: BaseMachine, number: int, **fields: Any) -> None:
    m.server.happen(Put(replace(m.server.now.posts[GROUP, number], **fields)))


def delete(m: BaseMachine, number: int) -> None:
    m.server.happen(Gone(GROUP, number))


def read(m: BaseMachine, number: int) -> None:
    m.server.happen(Read(GROUP, number, 100 + number))


def hear(m: BaseMachine) -> None:
    """The client applies everything."""
    m.begin()
    m.follow_to(m.server.clock)


def jump(m: BaseMachine) -> None:
    m.jump(holes_first=False, bases=False)


def refresh(m: BaseMachine) -> None:
    m.refresh(group=GROUP)


def refresh_asked(m: BaseMachine) -> None:
    """There is a doubt, and a base is asked for."""
    for word, table in m.begin().stale.items():
        for key in m.keys(word, GROUP):
            table.mark_key(key)
    m.ask_base(group=GROUP)


def fetch(m: BaseMachine, low: int, high: int) -> None:
    m.fetch(group=GROUP, low=low, width=high - low, look=True)


def lie(m: BaseMachine, count: int) -> None:
    """The server says something wrong, of now, and nobody doubts it."""
    tx, key = m.begin(), bytes((GROUP,))
    tx.seen.anchor_at(key, {0: (0,)}, count, (9,))
    tx.talked.anchor_at(key, {0: count}, {0: 9})
    assert not m.is_stale("seen", key)
    assert not m.is_stale("talked", key)


def told(m: BaseMachine, *words: str) -> None:
    """That something is wrong has shown; what is wrong is of no interest here."""
    assert all(m.is_stale(word, bytes((GROUP,))) for word in words)
    refresh(m)


def run(machine: type[BaseMachine], history: History) -> None:
    """Play one history, and look at its end."""
    m = machine()
    try:
        m.begin()
        history(m)
        m.check()
        m.commit()
    finally:
        m.teardown()


def name_of(history: History) -> str:
    return history.__name__
