"""Which rows of an outbox are sent, when, and as what."""

from __future__ import annotations

from tests.unit.sync.outbox_bench import MARKED, SLOW, Bench, Row, only

from pillarbox.sync.signals import Cancel, Commit, CommitFailed, DropTimer, Load, RoleChanged, Send, SetTimer


def test_a_row_is_read_again_and_sent() -> None:
    """L-3."""
    bench = Bench()

    read = only(bench.wish(Row(1, "a")), Load)
    bench.put(Row(1, "b", revision=1))
    sent = bench.work([read])

    assert [it.request for it in sent if isinstance(it, Send)] == ["B"]


def test_a_row_that_is_gone_when_it_is_read_is_not_sent() -> None:
    """L-3: it goes on only if the row still exists."""
    bench = Bench()
    read = only(bench.wish(Row(1)), Load)

    bench.rows.clear()

    assert bench.work([read]) == ()
    assert bench.poke() == ()


def test_one_row_of_a_group_is_on_its_way_the_lowest() -> None:
    """L-3."""
    bench = Bench()

    outputs = bench.wish(Row(3, "c"), Row(1, "a"), Row(2, "b", group=b"h"))
    sent = [only(bench.work([output]), Send).request for output in outputs]

    assert sorted(sent) == ["A", "B"]
    assert bench.poke() == ()


def test_the_next_of_a_group_follows_when_the_one_before_it_is_done() -> None:
    """L-3: whether the poke that shows so comes before or after the removal is told."""
    late, early = Bench(), Bench()

    removal = late.answer(late.sent(Row(1, "a"), Row(2, "b")).id)
    late.work(removal)
    read = late.poke()
    removal = early.answer(early.sent(Row(1, "a"), Row(2, "b")).id)
    early.rows.pop((1, 1))
    early.poke()
    early.rows[1, 1] = Row(1, "a")

    assert only(late.work(read), Send).request == "B"
    assert only(early.work(early.work(removal)), Send).request == "B"


def test_the_first_rows_of_a_kind_are_looked_at() -> None:
    """L-2, L-5: the limit here is 3; a row behind them waits, though nothing of its group is on its way."""
    bench = Bench()

    first = bench.wish(Row(1), Row(2), Row(3), Row(4, group=b"h"))
    removal = bench.answer(only(bench.work(first), Send).id)
    bench.work(removal)
    then = bench.poke()

    assert len(first) == 1
    assert len(then) == 2


def test_a_row_that_left_the_selection_is_let_go() -> None:
    """L-3: a request is cancelled, a timer dropped."""
    bench = Bench()
    asked = bench.sent(Row(1))
    timer = only(bench.wish(Row(2, kind=SLOW)), SetTimer)

    bench.rows.clear()
    outputs = bench.poke()

    assert set(outputs) == {Cancel(asked.id), DropTimer(timer.id)}
    assert bench.answer(asked.id) == ()


def test_quick_changes_are_one_request() -> None:
    """L-5, L-1: the row is read after the delay, in its newest revision."""
    bench = Bench()

    timer = only(bench.wish(Row(1, "a", SLOW)), SetTimer)
    changed = bench.wish(Row(1, "b", SLOW, revision=1))
    sent = bench.work(bench.tick(timer))

    assert timer.due == 2_000
    assert changed == ()
    assert only(sent, Send).request == "B"


def test_a_row_is_marked_before_it_is_sent() -> None:
    """An opposite wish takes back only what was never sent."""
    bench = Bench()

    mark = only(bench.wish(Row(1, kind=MARKED)), Commit)
    assert bench.marked == []
    sent = bench.work([mark])

    assert bench.marked == [1]
    assert only(sent, Send).request == "A"


def test_a_read_that_fails_is_done_again() -> None:
    """L-4, E-20."""
    bench = Bench()
    read = only(bench.wish(Row(1)), Load)

    timer = only(bench.step(CommitFailed(0, read.id, "busy", stale=False)), SetTimer)

    assert only(bench.work(bench.tick(timer)), Send).request == "A"


def test_only_the_master_sends() -> None:
    """P-3: who is it no more lets go of all, who becomes it begins."""
    bench = Bench()
    asked = bench.sent(Row(1))

    lost = bench.step(RoleChanged(0, master=False))
    unheard = bench.poke()
    bench.step(RoleChanged(0, master=True))

    assert lost == (Cancel(asked.id),)
    assert unheard == ()
    assert only(bench.work(bench.poke()), Send).request == "A"


def test_what_is_being_removed_when_the_role_goes_is_not_sent_by_this_process_again() -> None:
    """P-3, L-4."""
    bench = Bench()
    removal = bench.answer(bench.sent(Row(1, "a"), Row(2, "b")).id)

    assert bench.step(RoleChanged(0, master=False)) == ()
    assert bench.work(removal) == ()
    assert list(bench.rows) == [(1, 2)]
