"""Law: at whatever moment a read is interrupted, or comes amid another one, the next one reads."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from tests.unit.box.moments import Interrupt, files_of
from tests.unit.box.test_closed_amid import Amid
from tests.unit.runtime.tracker_package import PACKAGE, One, PutIssue, TrackerBox, issue

from pillarbox.box import Box, read_side
from pillarbox.errors import UsageError
from pillarbox.storage import sqlite_file

FILES = files_of(read_side, sqlite_file)


@pytest.mark.parametrize("what", ["interrupt", "read"])
def test_a_read_follows_whatever_struck_the_one_before(path: Path, what: str) -> None:
    with Box(path, PACKAGE) as box:
        for moment in count(1):
            put = issue(1, 1, moment)
            box.replay([PutIssue(put)])

            def read(box: TrackerBox = box) -> None:
                with suppress(UsageError):  # another one is about to begin or to end
                    box.get(One(1, 1))

            strikes = Interrupt(moment, FILES) if what == "interrupt" else Amid(moment, read, FILES)
            with suppress(KeyboardInterrupt), strikes:
                assert box.get(One(1, 1)).issue == put

            assert box.get(One(1, 1)).issue == put
            if not strikes.came:
                assert moment > 10
                return
