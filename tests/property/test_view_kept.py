"""Views of tables that steps keep: lists by position, marks of a server, what is in doubt.

Law. After each commit a view of them shows what one freshly loaded shows, and was told of exactly if that
differs; and what a limit or an anchor cuts out of a list is a piece of the whole list.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.box import Box
from pillarbox.errors import PillarboxError
from pillarbox.storage import MEMORY
from pillarbox.views.lane import Lane
from pillarbox.views.parts import WindowAt
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.operations import (
    AddComments,
    AnswerTotals,
    AnswerUnseen,
    DoubtTotals,
    DoubtUnseen,
    MoveCard,
    Mute,
    PutCard,
    PutIssue,
    SeeComments,
    SetColumn,
    TakeCard,
)
from pillarbox_tracker.types import Comments, Issues, ProjectId, UserId
from pillarbox_tracker.views import Column, Counted

_PROJECT: Final = ProjectId(2)
_KEYS: Final = tuple(Counted(_PROJECT, 1, position) for position in (0, 1, 3))

_projects = st.just(_PROJECT)
_columns = st.integers(1, 2)
_numbers = st.integers(1, 4)
_users = st.integers(1, 2).map(UserId)
_issues = st.builds(
    Issues,
    project_id=_projects,
    number=_numbers,
    title=st.sampled_from("ab"),
    author_id=_users,
    created_at=st.just(0),
    updated_at=st.just(0),
)
_comments = st.builds(
    Comments,
    project_id=_projects,
    number=_numbers,
    posted_at=st.just(0),
    comment=st.integers(1, 4),
    author_id=_users,
    body=st.just("x"),
)
_operations: st.SearchStrategy[Any] = st.one_of(
    st.builds(PutIssue, _issues),
    st.builds(PutCard, _projects, _columns, _numbers, st.sampled_from("ab")),
    st.builds(MoveCard, _projects, _columns, _numbers, _columns, st.integers(0, 3)),
    st.builds(TakeCard, _projects, _columns, _numbers),
    st.builds(
        SetColumn, _projects, _columns, st.permutations((1, 2, 3, 4)).map(lambda order: tuple(order[:3]))
    ),
    st.builds(AddComments, st.lists(_comments, max_size=2).map(tuple)),
    st.builds(SeeComments, _projects, _numbers, st.integers(0, 4)),
    st.builds(Mute, _projects, _numbers, st.booleans()),
    st.builds(AnswerUnseen, *(_projects, _numbers, *(st.integers(0, 3),) * 3, st.just(0))),
    st.builds(DoubtUnseen, _projects, _numbers),
    st.builds(DoubtTotals, _projects, st.booleans()),
    st.builds(AnswerTotals, _projects, st.integers(0, 3), st.integers(0, 3), st.just(0)),
)
_start = st.permutations((1, 2, 3, 4)).map(
    lambda order: [
        *(
            PutIssue(
                Issues(
                    project_id=_PROJECT, number=n, title="a", author_id=UserId(1), created_at=0, updated_at=0
                )
            )
            for n in order
        ),
        SetColumn(_PROJECT, 1, tuple(order[:3])),
    ]
)
_histories = st.tuples(_start, st.lists(st.lists(_operations, min_size=1, max_size=3), max_size=8))


def check_history(history: tuple[list[Any], list[list[Any]]]) -> None:
    """Every law, over one history."""
    box = Box(MEMORY, PACKAGE)
    _play(box, history[0])
    told: dict[Any, list[Any]] = {key: [] for key in _KEYS}
    for key in _KEYS:
        box.watch(key, every=True).listen(told[key].append)
    shown = {key: told[key].pop().snapshot for key in _KEYS}
    for operations in history[1]:
        _play(box, operations)
        cards = box.get(Column(_PROJECT, 1)).cards
        for key in _KEYS:
            fresh = box.get(key)
            assert len(told[key]) == (fresh != shown[key])
            if told[key]:
                shown[key] = told[key].pop().snapshot
            assert shown[key] == fresh
            _check_pieces(shown[key], key, cards)
    box.close()


def _check_pieces(snapshot: Any, key: Counted, cards: tuple[Any, ...]) -> None:
    assert [card.position for card in cards] == list(range(len(cards)))
    assert [entry.row for entry in snapshot.front] == list(cards[:2])
    assert list(snapshot.back) == list(cards[-1:])
    before = [card for card in cards if card.position <= key.position][-1:]
    after = [card for card in cards if card.position > key.position][:1]
    assert [entry.row for entry in snapshot.around.entries] == [*before, *after]
    assert sorted((place.number, place.position) for place in snapshot.places) == sorted(
        (card.number, card.position) for card in cards
    )


def _play(box: Box[Any, Any], operations: list[Any]) -> None:
    """Apply them all, or none if one is refused."""
    with suppress(PillarboxError), box.transaction() as tx:
        PACKAGE.replay(tx, operations)


@given(_histories)
def test_views_of_kept_tables_are_as_if_loaded_after_every_commit(
    history: tuple[list[Any], list[list[Any]]],
) -> None:
    check_history(history)


FAULTS: Final = (
    Fault("a place shows who was there", Lane, "fold", "items[at] = item", "pass"),
    Fault("a removed place is held", Lane, "fold", "del keys[at], items[at]", "pass"),
    Fault("a place beyond the anchor is not followed", WindowAt, "replay", "delta[0] >= boundary", "False"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    law = settings(HARD)(given(_histories)(check_history))

    with fault.planted(), pytest.raises(AssertionError):
        law()
