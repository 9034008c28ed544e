"""Under the name of a backup is the whole box, or nothing, whatever is wrong with it and where it ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.ending import Ended, ended_at
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_damaged_pages import whole_box

from pillarbox.errors import PillarboxError
from pillarbox.inspect import copying
from pillarbox.inspect.differing import differ
from pillarbox.inspect.findings import Findings
from pillarbox.inspect.stored import looked_at
from pillarbox.inspect.verify import verify

#: What a copy asks of the system, and so where one may end.
_STEPS: Final = ("fsync", "link", "open", "unlink")


def told_of(box: Path, look: Callable[[Any, Findings], None]) -> list[str]:
    """What a look at a box finds."""
    found: list[str] = []
    with looked_at(str(box)) as stored:
        look(stored, Findings(lambda finding: found.append(str(finding))))
    return found


def law_of(hard: settings) -> None:
    whole = whole_box("tracker")
    used = [at for at, byte in enumerate(whole) if byte]
    changes = st.tuples(st.sampled_from(used), st.sampled_from((0, 1, 0x7F, 0xC1, 0xFF)))
    nothing: st.SearchStrategy[Any] = st.just(([], None, None))
    damaged: st.SearchStrategy[Any] = st.tuples(
        st.lists(changes, min_size=1, max_size=3), st.none(), st.none()
    )
    cut_off: st.SearchStrategy[Any] = st.tuples(st.just([]), st.integers(0, len(whole) - 1), st.none())
    ending: st.SearchStrategy[Any] = st.tuples(st.just([]), st.none(), st.integers(0, 14))

    @hard
    @given(nothing | damaged | cut_off | ending)
    def law(drawn: tuple[list[tuple[int, int]], int | None, int | None]) -> None:
        changed, cut, step = drawn
        data = bytearray(whole)
        for at, byte in changed:
            data[at] = byte
        with TemporaryDirectory(dir=IN_MEMORY) as name:
            box, copy = Path(name, "a.box"), Path(name, "b.box")
            box.write_bytes(data[:cut])
            before: set[str] = set()
            done = ended = False
            try:
                with looked_at(str(box)) as stored:
                    before = set(os.listdir(name))
                    try:
                        with ended_at(step, _STEPS):
                            done = copying.copied(stored, str(copy), Findings(lambda finding: None))
                    except Ended:
                        ended = True
            except PillarboxError:
                assert not ended

            assert done or ended or changed or cut is not None
            if done or copy.exists():
                assert told_of(box, lambda it, found: verify(it.engine, "quick", None, found)) == []
                assert told_of(copy, lambda it, found: verify(it.engine, "records", None, found)) == []
                with looked_at(str(box)) as one:
                    assert told_of(copy, lambda it, found: differ(one, it, found, ("", ""))) == []
            if not ended:
                mine = {"a.box", "a.box-wal", "a.box-shm"}
                assert set(os.listdir(name)) - before - mine == ({copy.name} if done else set())

    law()


def test_a_backup_is_the_box_or_there_is_none() -> None:
    law_of(settings())


FAULTS = (
    Fault(
        "a damaged box is copied", copying, "copied", 'verify(stored.engine, "quick", None, findings)', "pass"
    ),
    Fault(
        "nobody looks into the copy", copying, "copied", 'verify(engine, "records", None, findings)', "pass"
    ),
    Fault("it is called so before anybody looked", copying, "copied", "backup(part)", "backup(target)"),
    Fault("what is not whole stays", copying, "copied", "os.unlink(part + ending)", "pass"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law_of(HARD)
