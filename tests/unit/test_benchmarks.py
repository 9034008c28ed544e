"""Each section of the benchmarks is there; what they put a stopwatch on is as before once they are done."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks import messenger_table, run
from benchmarks.stopwatch import Stopwatch
from tests.unit.committed import ROOT

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


def test_each_section_is_there_and_pages_name_no_other() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    named = {name for page in pages for name in re.findall(r"benchmarks\.run ([a-z]+)", page.read_text())}

    assert all(find_spec(module) for module in run.SECTIONS.values())
    assert {"processes", "sync"} <= named <= run.SECTIONS.keys()


def test_a_section_that_is_none_is_told_those_that_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["run", "liv"])

    with pytest.raises(SystemExit):
        run.main()

    assert "there is no section 'liv'; there are live, messenger, processes" in capsys.readouterr().err
