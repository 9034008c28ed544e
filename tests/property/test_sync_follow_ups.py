"""All that refusals ask for is asked for, each instance after a rest, whatever ends meanwhile.

The model is a list: what was given and is not asked for yet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, protocol

from pillarbox.sync.build import polled
from pillarbox.sync.claims import Instance
from pillarbox.sync.follow_ups import FollowUps
from pillarbox.sync.protocol import Act, Poll, ResetAsk

REST_MS: Final = 10
PROTOCOL: Final = protocol()


@dataclass
class Core:
    """A clock with timers, and what was asked for, when."""

    protocol: Any = PROTOCOL
    limits: Any = field(default_factory=lambda: SimpleNamespace(debt_rest_ms=REST_MS))
    now: int = 0
    timers: dict[int, tuple[int, Callable[[object], None]]] = field(default_factory=dict)
    made: int = 0
    asked: list[Act] = field(default_factory=list)

    @property
    def flight(self) -> Core:
        return self

    def timer(self, _owner: str, due: int, then: Callable[[object], None]) -> int:
        self.made += 1
        self.timers[self.made] = due, then
        return self.made

    def forget(self, found: int) -> None:
        del self.timers[found]

    def ask(self, act: Act) -> None:
        self.asked.append(act)

    def wait(self, ms: int) -> None:
        for _ in range(ms):
            self.now += 1
            for found, (due, then) in list(self.timers.items()):
                if due <= self.now:
                    del self.timers[found]
                    then(None)


acts: Final[st.SearchStrategy[Act]] = st.sampled_from(
    (Poll(ACCOUNT), Poll(CHANNEL, 7), ResetAsk("everything"), ResetAsk("channel", 7))
)
instances: Final[st.SearchStrategy[Instance]] = st.sampled_from(((CHANNEL, 5), (CHANNEL, 6)))
steps: Final = st.lists(
    st.tuples(st.just("follow"), instances, st.lists(acts, max_size=2, unique=True))
    | st.tuples(st.just("wait"), st.integers(1, REST_MS + 2))
    | st.just(("session",))
    | st.just(("hand_over",)),
    max_size=14,
)


def check(taken: list[tuple[Any, ...]]) -> None:
    core = Core()
    follow_ups: Any = FollowUps(core)  # type: ignore[arg-type]  # all of it that is used
    waiting: list[tuple[Instance, Act]] = []
    last: dict[Instance, int] = {}

    def see(*, early: bool = False, dropped: tuple[int, ...] = ()) -> None:
        """What was asked for was waiting for it, and of each instance all at once."""
        nonlocal waiting
        asked, core.asked = core.asked, []
        due = {one for one, _ in waiting if early or last.get(one, -REST_MS) + REST_MS <= core.now}
        wanted = [
            act for one, act in waiting if one in due if not (isinstance(act, Poll) and act.cursor in dropped)
        ]
        assert sorted(map(repr, asked)) == sorted(map(repr, wanted))
        last.update(dict.fromkeys(due, core.now))
        waiting = [(one, act) for one, act in waiting if one not in due]

    for step in taken:
        match step:
            case ("follow", instance, given_acts):
                follow_ups.follow(SimpleNamespace(instance=instance, acts=tuple(given_acts)))
                waiting += [(instance, act) for act in given_acts if (instance, act) not in waiting]
                see()
            case ("wait", ms):
                for _ in range(ms):
                    core.wait(1)
                    see()
            case ("session",):
                follow_ups.session()
                last.clear()
                see(early=True, dropped=polled(PROTOCOL))
            case _:
                follow_ups.hand_over()
                see(early=True)
    core.wait(REST_MS)
    see()
    assert (waiting, core.timers) == ([], {}), "something waits for ever"


@given(steps)
def test_what_refusals_ask_for_is_asked_for_once_and_after_a_rest(taken: list[tuple[Any, ...]]) -> None:
    check(taken)


FAULTS: Final = (
    Fault("what waits goes with the role", FollowUps, "hand_over", "self._ask_now()", "self._waiting = {}"),
    Fault(
        "what waits goes with the session", FollowUps, "session", "self._ask_now(", "self._waiting = {}; ("
    ),
    Fault("a timer is left", FollowUps, "_ask_now", "self._core.flight.forget(timer)", "pass"),
    Fault("nothing rests", FollowUps, "_ask", "self._asked[instance] = self._core.flight.now", "pass"),
    Fault("what comes later is dropped", FollowUps, "follow", ".update(dict.fromkeys(found.acts))", ""),
    Fault("a poll comes twice", FollowUps, "_ask_now", "act.cursor not in but", "True"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, KeyError)):
        HARD(given(steps)(check))()
