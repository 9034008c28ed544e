"""Short histories of `base_machine`, one for each way in which a base goes wrong when a rule is missing.

Random histories find most planted faults in time; these find each at once, and say what a rule is for.
"""

from __future__ import annotations

from typing import Final

from tests.property.answered_client import ASSUMED_GROUP
from tests.property.answering_server import Post, Put, Read
from tests.property.base_machine import BaseMachine
from tests.property.base_steps import (
    GROUP,
    add,
    change,
    delete,
    fetch,
    hear,
    jump,
    lie,
    read,
    refresh,
    refresh_asked,
    run,
    told,
)


def rows_come_and_go(m: BaseMachine) -> None:
    refresh(m)
    add(m, 1, 2, 3)
    hear(m)
    m.check()
    delete(m, 2)
    hear(m)


def rows_that_differ_come_together(m: BaseMachine) -> None:
    refresh(m)
    add(m, 1)
    add(m, 2, tags=2, mine=True)
    add(m, 3, 4, tags=3)
    hear(m)


def a_row_changes(m: BaseMachine) -> None:
    add(m, 1)
    hear(m)
    refresh(m)
    change(m, 1, mine=True, tags=2, hidden=True)
    hear(m)


def a_row_stops_to_count(m: BaseMachine) -> None:
    add(m, 1)
    hear(m)
    refresh(m)
    change(m, 1, mine=True)
    hear(m)


def a_row_never_counts(m: BaseMachine) -> None:
    refresh(m)
    add(m, 1, mine=True)
    hear(m)


def a_covered_row_begins_to_count(m: BaseMachine) -> None:
    """A change is no news, whatever the base covers."""
    add(m, 1, mine=True)
    hear(m)
    refresh(m)
    change(m, 1, mine=False)
    hear(m)


def a_covered_row_is_shown(m: BaseMachine) -> None:
    """Nor is entering an index by a change."""
    add(m, 1, hidden=True)
    add(m, 2)
    hear(m)
    refresh(m)
    change(m, 1, hidden=False)
    hear(m)


def a_seen_row_begins_to_count(m: BaseMachine) -> None:
    add(m, 1, mine=True)
    read(m, 1)
    hear(m)
    refresh(m)
    change(m, 1, mine=False)
    hear(m)


def a_seen_row_goes(m: BaseMachine) -> None:
    add(m, 1, 2)
    read(m, 1)
    hear(m)
    refresh(m)
    delete(m, 1)
    hear(m)


def a_row_of_the_base_is_fetched(m: BaseMachine) -> None:
    add(m, 1)
    jump(m)
    refresh(m)
    fetch(m, 1, 1)


def a_row_of_the_base_goes_unseen(m: BaseMachine) -> None:
    add(m, 1)
    jump(m)
    refresh(m)
    delete(m, 1)
    hear(m)


def a_row_of_the_base_changes_unseen(m: BaseMachine) -> None:
    add(m, 1)
    jump(m)
    refresh(m)
    change(m, 1, mine=True, tags=0, hidden=True)
    hear(m)


def found_and_gone_in_one_commit(m: BaseMachine) -> None:
    add(m, 1, 2)
    jump(m)
    refresh(m)
    m.commit()
    fetch(m, 1, 2)
    delete(m, 1)
    hear(m)
    m.commit()


def rows_are_missed(m: BaseMachine) -> None:
    refresh(m)
    add(m, 1)
    jump(m)


def rows_are_missed_across_the_mark(m: BaseMachine) -> None:
    refresh(m)
    add(m, 1, 2)
    read(m, 1)
    jump(m)


def rows_are_missed_across_the_base(m: BaseMachine) -> None:
    add(m, 1)
    hear(m)
    refresh(m)
    add(m, 2)
    m.client.holes.add_range(GROUP, 1, 2)
    m.cursor = m.server.clock


def there_never_was_a_base(m: BaseMachine) -> None:
    add(m, 1)
    jump(m)
    add(m, 2)
    hear(m)


def rows_are_seen(m: BaseMachine) -> None:
    add(m, 1, 2)
    hear(m)
    refresh(m)
    read(m, 1)
    hear(m)


def missed_rows_are_seen(m: BaseMachine) -> None:
    add(m, 1, 2)
    jump(m)
    refresh(m)
    add(m, 3)
    read(m, 2)
    hear(m)


def an_old_word_of_what_is_seen(m: BaseMachine) -> None:
    add(m, 1, 2, 3)
    hear(m)
    refresh(m)
    read(m, 2)
    read(m, 1)
    hear(m)
    delete(m, 2)
    hear(m)


def a_base_says_what_is_seen(m: BaseMachine) -> None:
    add(m, 1, 2)
    hear(m)
    m.server.happen(Read(GROUP, 1, 101))
    m.cursor += 1  # this one is not heard
    refresh(m)
    delete(m, 1)
    hear(m)


def an_old_base_counts_too_little(m: BaseMachine) -> None:
    m.ask_base(group=GROUP)
    add(m, 1, 2)
    hear(m)
    m.take_base(which=0, patient=False)
    m.check()
    read(m, 1)
    delete(m, 2)
    delete(m, 1)
    for _ in range(3):
        m.follow(events=1, look=True)


def an_old_base_is_passed_over(m: BaseMachine) -> None:
    m.ask_base(group=GROUP)
    add(m, 1, 2)
    hear(m)
    m.take_base(which=0, patient=False)
    read(m, 1)
    hear(m)


def a_base_of_the_past(m: BaseMachine) -> None:
    """It lacks what was applied since it was made."""
    refresh(m)
    m.ask_base(group=GROUP)
    add(m, 1)
    hear(m)
    m.take_base(which=0, patient=False)


def a_base_of_the_future(m: BaseMachine) -> None:
    refresh(m)
    add(m, 1)
    m.ask_base(group=GROUP)
    m.take_base(which=0, patient=False)
    m.check()
    hear(m)


def a_page_of_the_future(m: BaseMachine) -> None:
    add(m, 1)
    hear(m)
    refresh(m)
    change(m, 1, mine=True, tags=0, hidden=True)
    m.ask_page(group=GROUP, low=1, width=0)
    m.take_page(which=0)


def a_page_of_the_future_after_the_question(m: BaseMachine) -> None:
    add(m, 1, 2)
    hear(m)
    m.begin().holes.add_range(GROUP, 2, 3)
    refresh_asked(m)
    change(m, 2, mine=True, tags=0, hidden=True)
    m.ask_page(group=GROUP, low=1, width=2)
    m.take_page(which=0)
    m.take_base(which=0, patient=False)
    m.check()
    hear(m)


def more_goes_than_there_was(m: BaseMachine) -> None:
    add(m, 1, 2)
    hear(m)
    refresh(m)
    lie(m, 0)
    delete(m, 2)
    hear(m)
    told(m, "seen", "talked")


def more_is_passed_than_there_was(m: BaseMachine) -> None:
    add(m, 1, 2)
    hear(m)
    refresh(m)
    lie(m, 0)
    read(m, 1)
    hear(m)
    told(m, "seen")


def all_is_seen_and_some_are_left(m: BaseMachine) -> None:
    add(m, 1, 2)
    hear(m)
    refresh(m)
    lie(m, 5)
    read(m, 2)
    hear(m)
    state = m.client.seen.state(bytes((GROUP,)))
    assert state is not None
    assert state.count == 0
    told(m, "seen")


def nobody_ever_asked(m: BaseMachine) -> None:
    add(m, 1)
    hear(m)
    told(m, "seen", "seen_late", "seen_at", "talked")


def a_part_of_a_base(m: BaseMachine) -> None:
    key = bytes((GROUP,))
    m.client.seen.anchor_at(key, {}, flag=True)
    m.client.talked.anchor_at(key, {}, {0: 9})
    told(m, "seen", "talked")


def what_was_said_is_forgotten(m: BaseMachine) -> None:
    add(m, 1, 2)
    hear(m)
    refresh(m)
    key = bytes((GROUP,))
    m.client.seen.remove_at(key)
    assert m.client.seen.row_at(key) is None
    assert not m.is_stale("seen", key)
    add(m, 3)
    hear(m)
    told(m, "seen")


def what_was_said_of_rows_that_count_by_default_is_forgotten(m: BaseMachine) -> None:
    m.server.happen(Put(Post(ASSUMED_GROUP, 1, 101, tags=1)))
    hear(m)
    m.refresh(group=ASSUMED_GROUP)
    m.client.seen.remove_at(bytes((ASSUMED_GROUP,)))
    assert m.is_stale("seen", bytes((ASSUMED_GROUP,)))
    m.refresh(group=ASSUMED_GROUP)


def what_was_counted_is_forgotten(m: BaseMachine) -> None:
    add(m, 1)
    hear(m)
    refresh(m)
    keys = {"tagged": bytes((GROUP, 0)), "talked": bytes((GROUP,))}
    m.client.tagged.remove_at(keys["tagged"])
    assert m.is_stale("tagged", keys["tagged"]), "a row of it is here"
    delete(m, 1)
    hear(m)
    refresh(m)
    for word, key in keys.items():
        table = getattr(m.client, word)
        table.remove_at(key)
        assert table.row_at(key) is None
        assert not m.is_stale(word, key)
    add(m, 2)
    hear(m)
    assert m.is_stale("tagged", keys["tagged"])
    told(m, "talked")


HISTORIES: Final = (
    rows_come_and_go,
    rows_that_differ_come_together,
    a_row_changes,
    a_row_stops_to_count,
    a_row_never_counts,
    a_covered_row_begins_to_count,
    a_covered_row_is_shown,
    a_seen_row_begins_to_count,
    a_seen_row_goes,
    a_row_of_the_base_is_fetched,
    a_row_of_the_base_goes_unseen,
    a_row_of_the_base_changes_unseen,
    found_and_gone_in_one_commit,
    rows_are_missed,
    rows_are_missed_across_the_mark,
    rows_are_missed_across_the_base,
    there_never_was_a_base,
    rows_are_seen,
    missed_rows_are_seen,
    an_old_word_of_what_is_seen,
    a_base_says_what_is_seen,
    an_old_base_counts_too_little,
    an_old_base_is_passed_over,
    a_base_of_the_past,
    a_base_of_the_future,
    a_page_of_the_future,
    a_page_of_the_future_after_the_question,
    more_goes_than_there_was,
    more_is_passed_than_there_was,
    all_is_seen_and_some_are_left,
    nobody_ever_asked,
    a_part_of_a_base,
    what_was_said_is_forgotten,
    what_was_said_of_rows_that_count_by_default_is_forgotten,
    what_was_counted_is_forgotten,
)


def run_all(machine: type[BaseMachine]) -> None:
    """Play all histories, as far as they hold."""
    for history in HISTORIES:
        run(machine, history)
