"""The server is told how far a counter moved once that is committed, once, and where it wants to know."""

from __future__ import annotations

from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import ACCOUNT, Tables, U, push, qts, rev


def test_a_move_is_confirmed_after_its_commit_and_once() -> None:
    """G-10, E-8."""
    rig = Rig().start().receive(push(U("6", qts(6))))
    assert rig.asked == [("confirm", 6)]

    rig.fail("confirm").receive(push(U("11", rev(11)), U("6", qts(6))))

    assert rig.asked == [("confirm", 6)]


def test_nothing_is_confirmed_that_was_not_written() -> None:
    """G-10, E-8."""
    rig = Rig().start().receive(push(U("!", qts(6))))

    assert rig.waiting("confirm") == []
    assert rig.events == []


def test_a_confirmation_can_have_a_condition() -> None:
    """G-10: only while it is wanted."""
    rig = Rig(Tables({(ACCOUNT, b""): (10, 76, 7, 0)})).start().receive(push(U("77", qts(77))))

    assert rig.waiting("confirm") == []
