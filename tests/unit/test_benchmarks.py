"""What benchmarks put a stopwatch on is there, and is as before once they are done."""

from __future__ import annotations

from pathlib import Path

from benchmarks import messenger_table
from benchmarks.stopwatch import Stopwatch

from pillarbox.box.box import Box
from pillarbox_messenger import open_box


def test_where_the_time_of_a_commit_goes_is_found(tmp_path: Path) -> None:
    watch, before = Stopwatch(), Box.replay
    with open_box(tmp_path / "a.box", durability="relaxed") as box:
        with watch.running():
            messenger_table._watch_parts(watch, box)
            box.replay([messenger_table._added(1)])
        charged = dict(watch.charges)
        box.replay([messenger_table._added(2)])

    calls = {label: calls for label, (calls, _) in charged.items()}
    assert (calls["begin, end and steps of the operation"], calls["storage: commit"]) == (1, 1)
    assert min(calls["storage: writes"], calls["encode what differs"]) > 1, "of each table that differs"
    assert Box.replay is before
    assert dict(watch.charges) == charged
