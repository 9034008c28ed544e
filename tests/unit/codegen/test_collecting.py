"""Garbage is not looked for while a schema is read and printed, and afterwards as before."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from pillarbox_codegen.collecting import kept_to_the_end, uncollected


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    gc.enable()
    gc.unfreeze()


def test_nothing_is_collected_while_it_works() -> None:
    assert uncollected(gc.isenabled)() is False
    assert gc.isenabled()


def test_an_error_leaves_collection_on() -> None:
    def fails() -> None:
        raise LookupError("no such table")

    with pytest.raises(LookupError):
        uncollected(fails)()

    assert gc.isenabled()


def test_who_has_turned_it_off_finds_it_off() -> None:
    gc.disable()

    assert uncollected(lambda: 7)() == 7

    assert not gc.isenabled()


def test_what_is_inside_another_ends_nothing() -> None:
    def outer() -> bool:
        uncollected(lambda: None)()
        return gc.isenabled()

    assert uncollected(outer)() is False


def test_what_stays_to_the_end_is_not_looked_through() -> None:
    made: list[list[int]] = [[] for _ in range(1_000)]
    before = gc.get_freeze_count()

    kept_to_the_end()

    assert gc.get_freeze_count() >= before + len(made)
