"""When a generated word with a base asks the server: holes, missing rows, answers of another moment."""

from __future__ import annotations

import pytest
from tests.unit.bases.conftest import THREAD, Forum


def test_what_lies_in_a_hole_above_is_not_taken_for_seen(forum: Forum) -> None:
    """The newest row that is stored need not be the newest there is."""
    forum.add(1)
    forum.apply(forum.o.Lose(thread=THREAD, shelf=forum.open, low=2, high=9))
    forum.answer(unseen=5, known=9)

    forum.apply(forum.o.See(thread=THREAD, shelf=forum.open, at=101, post=1))

    assert forum.seen().unseen == 4
    assert forum.asked is None


def test_seeing_past_a_hole_is_asked_about(forum: Forum) -> None:
    forum.apply(forum.o.Lose(thread=THREAD, shelf=forum.open, low=2, high=4))
    forum.answer(unseen=5, known=9)
    forum.add(5, 9)

    forum.apply(forum.o.See(thread=THREAD, shelf=forum.open, at=105, post=5))

    assert forum.asked is not None


@pytest.mark.parametrize("high", [3, 5])
def test_only_a_hole_above_the_mark_is_asked_about(forum: Forum, high: int) -> None:
    forum.answer(seen=4, known=9)

    forum.apply(forum.o.Lose(thread=THREAD, shelf=forum.open, low=1, high=high))

    assert (forum.asked is not None) == (high > 4)


@pytest.mark.parametrize("number", [3, 5])
def test_only_a_missing_row_above_the_mark_is_asked_about(forum: Forum, number: int) -> None:
    forum.answer(seen=4, known=9)

    forum.apply(forum.o.Drop(thread=THREAD, shelf=forum.open, at=100 + number, post=number))

    assert (forum.asked is not None) == (number > 4)


def test_a_missing_row_that_was_to_be_changed_is_asked_about(forum: Forum) -> None:
    forum.answer(seen=4, known=9)

    forum.apply(forum.o.Hush(thread=THREAD, shelf=forum.open, at=109, post=9))

    assert forum.asked is not None


def test_rows_removed_under_a_prefix_may_be_more_than_are_stored(forum: Forum) -> None:
    forum.answer(unseen=3, known=9)

    with forum.box.transaction() as tx:
        tx.posts.remove_of_shelf(THREAD, forum.open)

    assert forum.asked is not None


@pytest.mark.parametrize("number", [3, 5])
def test_a_missing_row_is_asked_about_by_its_identity(forum: Forum, number: int) -> None:
    forum.answer(seen=4, known=9)

    forum.apply(forum.o.Forget(thread=THREAD, shelf=forum.open, post=number))

    assert (forum.asked is not None) == (number > 4)


def test_a_missing_row_that_only_an_old_one_may_replace_is_asked_about(forum: Forum) -> None:
    forum.answer(seen=4, known=9)

    forum.apply(forum.o.Renew(posts=(forum.post(9),)))

    assert forum.seen().unseen == 0
    assert forum.asked is not None


def test_rows_removed_in_a_range_may_be_more_than_are_stored(forum: Forum) -> None:
    forum.answer(unseen=3, known=9)

    forum.apply(forum.o.Sweep(thread=THREAD, shelf=forum.open, low=1, high=200))

    assert forum.asked is not None
    assert forum.row("stale_seen_at", THREAD, forum.open) is not None


@pytest.mark.parametrize("rev", [4, 5, 6])
def test_an_answer_of_another_moment_is_in_doubt(forum: Forum, rev: int) -> None:
    forum.apply(forum.o.Reach(thread=THREAD, rev=5))

    forum.answer(unseen=3, rev=rev)

    assert forum.seen().unseen == 3
    assert (forum.asked is None) == (rev == 5)


def test_an_answer_confirms_no_later_doubt(forum: Forum) -> None:
    forum.add(1)
    before = forum.asked.version
    forum.apply(forum.o.Wonder(thread=THREAD, again=True))

    forum.apply(forum.o.Answer(
        thread=THREAD, shelf=forum.open, seen=0, at=0, unseen=1, known=1, rev=0, version=before,
    ))  # fmt: skip

    assert (forum.asked.version, forum.asked.how, forum.asked.again) == (before + 1, forum.t.How.PUSH, True)


def test_a_doubt_of_a_word_keeps_the_record_of_a_step(forum: Forum) -> None:
    forum.apply(forum.o.Wonder(thread=THREAD, again=True))

    forum.add(1)

    assert (forum.asked.version, forum.asked.how, forum.asked.again) == (2, forum.t.How.PUSH, True)
