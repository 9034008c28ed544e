"""Interests: who is told of which change."""

from __future__ import annotations

from typing import Any

import pytest

from pillarbox.views import Interests
from pillarbox.views.interests import Sink

ADDED: tuple[Any, Any] = (None, "row")


def test_a_change_reaches_the_sinks_of_its_key_and_of_its_prefixes() -> None:
    interests = Interests()
    exact, short, long, whole, other = (Sink() for _ in range(5))
    interests.add(1, b"ab", exact)
    interests.add_prefix(1, b"a", short)
    interests.add_prefix(1, b"ab", long)
    interests.add_prefix(1, b"", whole)
    interests.add_prefix(1, b"b", other)
    interests.add(2, b"ab", other)

    routed = interests.route({1: {b"ab": ADDED}})

    assert routed == {sink: [(b"ab", None, "row")] for sink in (exact, short, long, whole)}


def test_a_key_shorter_than_a_prefix_does_not_begin_with_it() -> None:
    interests = Interests()
    interests.add_prefix(1, b"ab", Sink())

    assert interests.route({1: {b"a": ADDED}}) == {}


def test_a_key_may_have_many_sinks() -> None:
    interests = Interests()
    sinks = [Sink() for _ in range(3)]
    for sink in sinks:
        interests.add(1, 7, sink)
    interests.remove(1, 7, sinks[1])

    routed = interests.route({1: {7: ADDED, 8: ADDED}})

    assert routed == {sinks[0]: [(7, None, "row")], sinks[2]: [(7, None, "row")]}


def test_an_int_has_no_prefix_but_itself() -> None:
    interests = Interests()
    one, whole = Sink(), Sink()
    interests.add_prefix(1, 7, one)
    interests.add_prefix(1, b"", whole)

    routed = interests.route({1: {7: ADDED, 8: ADDED}})

    assert [key for key, _, _ in routed[one]] == [7]
    assert [key for key, _, _ in routed[whole]] == [7, 8]


@pytest.mark.parametrize("changed", [1, 50])
def test_changes_and_keys_meet_whichever_are_fewer(changed: int) -> None:
    interests = Interests()
    sinks = {key: Sink() for key in range(10)}
    for key, sink in sinks.items():
        interests.add(1, key, sink)

    routed = interests.route({1: dict.fromkeys(range(5, 5 + changed), ADDED)})

    assert set(routed) == {sinks[key] for key in range(5, 5 + changed) if key in sinks}


def test_nothing_is_left_after_everything_is_removed() -> None:
    interests = Interests()
    sinks = [Sink(), Sink()]
    for sink in sinks:
        interests.add(1, b"k", sink)
        interests.add_prefix(1, b"k", sink)
    assert interests

    for sink in sinks:
        interests.remove(1, b"k", sink)
        interests.remove_prefix(1, b"k", sink)

    assert not interests


def test_removing_what_was_not_registered_is_an_error() -> None:
    interests = Interests()
    interests.add(1, b"k", Sink())

    with pytest.raises(KeyError):
        interests.remove(1, b"k", Sink())
