"""Any history of boxes that share a file, held against the model in `shared_world`; and faults planted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.property.mutants import HARD, Fault
from tests.property.one_file import play_all
from tests.property.shared_world import SharedWorld, Step, histories, small_journals

from pillarbox.box.others import Others
from pillarbox.errors import StoreMissing
from pillarbox.storage import sqlite_file
from pillarbox.storage.journal import Journal
from pillarbox.storage.presence import Presence
from pillarbox.tables import journaled

FAULTS = (
    Fault("an entry is passed over", journaled, "_unite", "(earlier[0], change[1])", "earlier"),
    Fault("before is that of the last", journaled, "_unite", "(earlier[0], change[1])", "change"),
    Fault("before and after are swapped", journaled, "_stored", "for key, (old, new)", "for key, (new, old)"),
    Fault("what ended as it began is told", journaled, "_cells", "if change[0] != change[1]", ""),
    Fault("the last entry is left out", Journal, "since", "return entries if", "return entries[:-1] if"),
    Fault("entries that are gone are not missed", Journal, "since", "len(entries) == behind and", ""),
    Fault(
        "the mark is passed over",
        Journal,
        "since",
        "return entries if len(entries) == behind and REFRESH not in entries",
        "return [it for it in entries if it != REFRESH] if len(entries) == behind",
    ),
    Fault(
        "a journal that does not reach is an empty one",
        Others,
        "_followed",
        "journal.since(version)",
        "journal.since(version) or []",
    ),
    Fault(
        "an own commit is replayed again",
        Others,
        "_catch_up",
        "self._journal.head\n",
        "max(self._journal.head - 1, 0)\n",
    ),
    Fault(
        "an old entry is kept for ever", Journal, "append", "self._remove_to(version - ENTRIES_KEPT)", "pass"
    ),
    Fault(
        "nobody is there, and it is journaled",
        Presence,
        "somebody_listens",
        "return self._others",
        "return True",
    ),
    Fault(
        "an arrival is not seen",
        Presence,
        "somebody_listens",
        "or token != self._token",
        "or not self._token",
    ),
    Fault(
        "nobody ever leaves",
        Presence,
        "somebody_listens",
        "self._others = _is_locked",
        "self._others |= _is_locked",
    ),
    Fault("who was about to commit is forgotten", Others, "listen", "nobody_writes(self._engine)", "True"),
    Fault(
        "it is never certain", Others, "meet", "self._is_certain or self._was_registered", "self._is_certain"
    ),
    Fault("views that are ahead replay", Others, "meet", "or self._seen == _STALE", ""),
    Fault(
        "a commit that others made is not met by a new view",
        Others,
        "listen",
        "if self._presence",
        "self._seen = self._engine.data_version()\n    if self._presence",
    ),
    Fault("who cannot see others takes them for gone", Others, "tell", "if self._is_blind:", "if False:"),
    Fault(
        "a mark needs a journal",
        Journal,
        "mark",
        "self.append(REFRESH)",
        "self._is_there and self.append(REFRESH)",
    ),
    Fault("who comes by a link is not seen", sqlite_file, "resolved", "os.path.realpath", ""),
)


def boxes_that_share_a_file_agree(hard: settings) -> None:
    """The law."""

    @hard
    @given(history=histories)
    def law(history: list[Step]) -> None:
        with small_journals():
            play_all(SharedWorld, history)

    law()


def test_boxes_that_share_a_file_agree() -> None:
    boxes_that_share_a_file_agree(settings())


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    # A link that is not followed is no box.
    with fault.planted(), pytest.raises((AssertionError, StoreMissing)):
        boxes_that_share_a_file_agree(settings(HARD, max_examples=400))
