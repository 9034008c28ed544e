"""Generated words with a base follow their rows, from the schema to the box."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.bases.conftest import THREAD, Forum
from tests.unit.codegen_ops.making import Package


def test_a_group_that_was_left_has_no_base_when_one_comes_back(forum: Forum) -> None:
    forum.add(1, 2)
    forum.answer(seen=1, unseen=1)
    forum.add(1, 2, shelf=forum.local)
    assert (forum.seen().seen, forum.seen(forum.local).unseen, forum.asked) == (1, 2, None)

    forum.apply(forum.o.Leave(thread=THREAD))

    assert (forum.seen(), forum.seen(forum.local)) == (None, None)
    was = forum.asked.version
    forum.add(3)
    assert forum.seen() is None
    assert forum.asked.version > was


def test_what_a_server_counted_of_a_group_that_was_left_is_not_trusted(forum: Forum) -> None:
    """Most of it was never fetched: what is left of the number, once the rows have gone, means nothing."""
    o, loud = forum.o, forum.t.Marks.LOUD
    forum.add(1, 2)
    forum.apply(o.AnswerTagged(thread=THREAD, shelf=forum.open, mark=loud, posts=500, upto=2, rev=0))
    place = THREAD, forum.open, loud
    with forum.box.transaction() as tx:
        tx.stale_tagged.confirm(*place)
    assert forum.row("tagged", *place).posts == 500

    forum.apply(o.Leave(thread=THREAD))

    assert forum.row("tagged", *place) is None
    was = forum.row("stale_tagged", *place).version
    forum.add(3)
    assert forum.row("tagged", *place).posts == 1
    assert forum.row("stale_tagged", *place).version > was


def test_a_group_without_a_base_is_asked_for(forum: Forum) -> None:
    forum.add(1)

    assert forum.seen() is None
    assert forum.asked.version == 1
    assert forum.asked.how == forum.t.How.CHECK


def test_a_base_follows_its_rows(forum: Forum) -> None:
    forum.answer(seen=2, at=102, unseen=3, known=5)

    forum.add(4, 6, 7)  # the base has 4
    forum.add(8, mine=True)
    forum.apply(forum.o.Drop(thread=THREAD, shelf=forum.open, at=107, post=7))

    assert forum.seen().unseen == 4
    assert forum.asked is None


def test_seeing_moves_on_and_takes_the_flag_off(forum: Forum) -> None:
    forum.answer()
    forum.add(1, 2, 3)
    forum.apply(forum.o.Tell(thread=THREAD, shelf=forum.open, post=2))
    assert (forum.seen().told, forum.seen().pinned, forum.seen().unseen) == (2, True, 3)

    forum.apply(forum.o.See(thread=THREAD, shelf=forum.open, at=102, post=2))

    assert (forum.seen().seen, forum.seen().pinned, forum.seen().unseen) == (2, False, 1)
    assert forum.asked is None


def test_an_older_word_of_what_is_seen_changes_nothing(forum: Forum) -> None:
    forum.answer()
    forum.add(1, 2, 3)
    forum.apply(forum.o.See(thread=THREAD, shelf=forum.open, at=103, post=3))

    forum.apply(forum.o.See(thread=THREAD, shelf=forum.open, at=101, post=1))

    assert (forum.seen().seen, forum.seen().unseen) == (3, 0)
    assert forum.asked is None


def test_what_is_seen_to_the_end_counts_nothing_and_a_surprise_is_asked_about(forum: Forum) -> None:
    forum.answer(unseen=9, known=2)
    forum.add(3)

    forum.apply(forum.o.See(thread=THREAD, shelf=forum.open, at=103, post=3))

    assert forum.seen().unseen == 0
    assert forum.asked is not None


def test_a_group_that_stands_at_zero_needs_no_base(forum: Forum) -> None:
    forum.add(1, 2, shelf=forum.local)

    assert forum.seen(forum.local).unseen == 2
    assert forum.asked is None


def test_a_group_that_is_left_out_has_no_row(forum: Forum) -> None:
    forum.add(1, shelf=forum.kept)

    assert forum.seen(forum.kept) is None
    assert forum.asked is None


def test_a_position_of_two_parts_counts_by_both(forum: Forum) -> None:
    forum.answer(seen=5, at=50)
    forum.add(4, at=50)
    forum.add(6, at=50)
    forum.add(1, at=51)

    assert (forum.seen_at().seen_at, forum.seen_at().seen_post) == (50, 5)
    assert forum.seen_at().unseen == 2

    forum.apply(forum.o.See(thread=THREAD, shelf=forum.open, at=50, post=6))
    assert forum.seen_at().unseen == 1


def test_a_row_that_moves_is_one_change(forum: Forum) -> None:
    forum.answer(seen=5, at=50)
    forum.add(6, at=40)
    assert forum.seen_at().unseen == 0

    forum.add(6, at=60)

    assert forum.seen_at().unseen == 1
    assert (forum.seen().unseen, forum.row("stale_seen_at", THREAD, forum.open)) == (1, None)


def test_a_row_that_enters_an_index_by_a_change_counts(forum: Forum) -> None:
    forum.add(6, at=60, hidden=True)
    forum.answer(seen=5, at=50)

    forum.add(6, at=60)

    assert forum.seen_at().unseen == 1


def test_sums_follow_the_base_where_there_is_one(forum: Forum) -> None:
    o = forum.o
    forum.apply(o.AnswerTagged(thread=THREAD, shelf=forum.open, mark=1, posts=9, upto=5, rev=0))
    forum.add(4, 6)
    forum.add(6, 7, shelf=forum.local)

    here = forum.row("tagged", THREAD, forum.open, 1)
    there = forum.row("tagged", THREAD, forum.local, 1)

    assert (here.posts, here.others, here.upto) == (10, 2, 5)
    assert (there.posts, there.others, there.upto) == (2, 2, 0)
    assert forum.row("stale_tagged", THREAD, forum.open, 1) is None


def test_sums_without_a_base_count_what_is_here_and_are_asked_for(forum: Forum) -> None:
    forum.add(4, 6)

    assert forum.row("tagged", THREAD, forum.open, 1).posts == 2
    assert forum.row("stale_tagged", THREAD, forum.open, 1) is not None


@pytest.mark.parametrize("high", [5, 6])
def test_sums_ask_about_a_hole_that_the_base_does_not_cover(forum: Forum, high: int) -> None:
    forum.apply(forum.o.AnswerTagged(thread=THREAD, shelf=forum.open, mark=3, posts=9, upto=5, rev=0))

    forum.apply(forum.o.Lose(thread=THREAD, shelf=forum.open, low=1, high=high))

    with forum.box.reading() as tables:
        stale = [row.mark for row in tables.stale_tagged.all()]
    assert stale == ([1, 2] if high == 6 else [])


def test_a_count_over_a_join_follows_when_it_settles(forum: Forum) -> None:
    with forum.box.transaction() as tx:
        tx.busy_counts.anchor(THREAD, shelves=1, posts=2)
    forum.answer(unseen=2, known=2)  # first seen here: the base may have it

    row = forum.row("busy_counts", THREAD)
    assert (row.shelves, row.posts) == (1, 2)
    assert forum.row("stale_busy", THREAD) is not None

    forum.add(3)
    assert forum.row("busy_counts", THREAD).posts == 3


def test_a_step_that_anchors_a_part_of_nothing_is_in_doubt(forum: Forum) -> None:
    with forum.box.transaction() as tx:
        tx.seen.anchor(THREAD, forum.open, pinned=True)

    assert (forum.seen().pinned, forum.seen().unseen) == (True, 0)
    assert forum.asked is not None


def test_a_base_below_nothing_is_nothing_and_asked_about(forum: Forum) -> None:
    forum.answer(unseen=-1, known=9)
    forum.apply(forum.o.AnswerTagged(thread=THREAD, shelf=forum.open, mark=1, posts=-3, upto=5, rev=0))

    assert (forum.seen().unseen, forum.row("tagged", THREAD, forum.open, 1).posts) == (0, 0)
    assert forum.asked is not None
    assert forum.row("stale_tagged", THREAD, forum.open, 1) is not None


def test_a_rollback_leaves_nothing(forum: Forum) -> None:
    forum.answer(unseen=1, known=1)
    counted = []

    def fail() -> None:
        with forum.box.transaction() as tx:
            tx.posts.put(forum.post(2))
            counted.append(tx.seen.get(THREAD, forum.open).unseen)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert counted == [2]
    assert forum.seen().unseen == 1
    forum.add(3)
    assert forum.seen().unseen == 2


def test_groups_without_parts_and_positions_of_an_enum_are_like_others(lag: Package, tmp_path: Path) -> None:
    """A mark at zero stands at no value of the enum; a key may be a number, or nothing."""
    o, t = lag.operations, lag.types
    rows = (t.Audit(entry=5, x=1), t.Audit(entry=6, x=1))
    posts = tuple(t.Posts(thread=1, shelf=shelf, at=1, post=2) for shelf in t.Shelf)
    with lag.box.open_box(tmp_path / "a.box") as box:
        box.replay([o.PutPosts(posts=posts, rows=rows), o.See(thread=1, shelf=t.Shelf.OPEN, at=9, post=9)])
        box.replay([o.Catch(to=5)])
        with box.reading() as tables:
            seen, lagging = tables.seen.get(1), tables.lag.get()
            assert (seen.seen_shelf, seen.seen_at, seen.unseen, seen.known_shelf) == (3, 9, 1, 0)
            assert (lagging.read, lagging.behind, tables.late.get()) == (5, 1, None)
            assert (tables.sums.get().n, tables.late_sums.get().version) == (2, 1)

        box.replay([o.Base(n=7, upto=5), o.Lose(low=1, high=5)])
        with box.reading() as tables:
            assert (tables.sums.get().n, tables.sums.get().upto, tables.late_sums.get().version) == (7, 5, 1)

        box.replay([o.Lose(low=3, high=6), o.Drop(entry=99)])
        with box.reading() as tables:
            assert tables.late_sums.get().version == 3
            assert tables.late.get().version == 1
