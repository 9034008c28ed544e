"""Nothing is dropped silently, whatever happened to an archive: read = written + quarantined, and every text
that still stands in it is in a row, or in what is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.damaged_archives import ARCHIVES, Archive, damaged, is_renamed, marks_of
from tests.property.mutants import HARD, Fault

from pillarbox_spark.adapters import Piece, Refused, Skipped, resolve
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.rows import guarded
from pillarbox_spark.sources import json_lines, telegram_index
from pillarbox_spark.sources.telegram_scan import Scan

ALL = pytest.mark.parametrize("archive", ARCHIVES, ids=str)


@pytest.fixture(autouse=True, scope="module")
def _no_waiting_for_disks() -> Iterator[None]:
    with patch("os.fsync"):
        yield


def read(archive: Archive, path: Path) -> tuple[list[object], list[Refused], list[Skipped]]:
    """Rows, or what stands for one; what is refused; what is skipped."""
    adapter = resolve(archive.job.source.adapter)
    rows: list[object] = []
    refused: list[Refused] = []
    skipped: list[Skipped] = []
    for found in adapter.index(0, path, 300):
        if isinstance(found, Piece):
            for row in adapter.read(path, found, guarded(archive.job.source.row)):
                (refused if isinstance(row, Refused) else rows).append(row)
        else:
            skipped += [found] if isinstance(found, Skipped) else []
            refused += [found] if isinstance(found, Refused) else []
    return rows, refused, skipped


def left_out(archive: Archive, path: Path, skipped: list[Skipped]) -> set[bytes]:
    """Marks in what nobody loads, and the report says so: a section of something else, one nobody knows."""
    data = path.read_bytes()
    found = set()
    if archive.file == "result.json":
        renamed = archive is not CHAT and is_renamed(data)
        if renamed or any("not known" in one.what for one in skipped):
            return marks_of(data)
        with path.open("rb") as file:
            for section in Scan(file, 1 << 20).sections.values():
                text = data[section.begin : section.end]
                if _is_json(b"[%b]" % text):
                    found |= marks_of(text)
    return found


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text, strict=False)
    except ValueError:
        return False
    return True


def law_of_texts(archive: Archive, hard: settings) -> None:
    @hard
    @given(damaged(archive.whole))
    def law(data: bytes) -> None:
        with TemporaryDirectory() as name:
            path = Path(name) / archive.file
            path.write_bytes(data)

            rows, refused, skipped = read(archive, path)

            kept = repr(rows).encode() + b"".join(one.raw for one in refused)
            lost = {mark for mark in marks_of(data) if mark not in kept}
            assert lost <= left_out(archive, path, skipped)

    law()


@pytest.mark.parametrize("archive", [one for one in ARCHIVES if not one.packed], ids=str)
def test_every_text_of_a_damaged_archive_is_in_a_row_or_refused(archive: Archive) -> None:
    law_of_texts(archive, settings(max_examples=5 * settings().max_examples))


@ALL
@settings(max_examples=settings().max_examples // 3)
@given(data=st.data())
def test_every_record_of_a_damaged_archive_is_written_or_in_quarantine(
    archive: Archive, data: st.DataObject
) -> None:
    with TemporaryDirectory() as name:
        path, out = Path(name) / archive.file, Path(name) / "out"
        path.write_bytes(data.draw(damaged(archive.whole)))
        rows, refused, _ = read(archive, path)
        cut = data.draw(st.sampled_from((1, 400, 1 << 20)))

        report = run(
            archive.job, [path], out, Options("inline", parquet=False, shard_bytes=cut, piece_bytes=300)
        )

        lines = [line for file in out.glob("run-*/quarantine/*") for line in file.read_bytes().splitlines()]
        assert report.read == len(rows) + len(refused)
        assert report.read == report.written + len(lines)
        assert len(lines) == sum(report.quarantined.values())


# ------------------------------------------------------------------------------------ planted faults

INDEX = telegram_index._Export
LINES, CHAT, ACCOUNT = (ARCHIVES[number] for number in (2, 5, 6))
FAULTS = (
    (ACCOUNT, Fault("sections are left out unread", INDEX, "_skip_sections", "if self._reads", "if True or")),
    (
        CHAT,
        Fault(
            "what lies around is not told",
            INDEX,
            "_refuse_around",
            'self._refuse("broken-rest", detail, 0, self._size)',
            "pass",
        ),
    ),
    (
        CHAT,
        Fault("what is behind messages is lost", INDEX, "_chat_of", "and rest.strip", "and not rest.strip"),
    ),
    (
        ACCOUNT,
        Fault("a bracket that lacks hides chats", INDEX, "_refuse_around", "not _is_common", "not bool"),
    ),
    (LINES, Fault("a line that is cut is no line", json_lines, "_lines", "elif not text:", "else:")),
)


@pytest.mark.parametrize(("archive", "fault"), FAULTS, ids=str)
def test_planted_faults_are_found(archive: Archive, fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law_of_texts(archive, HARD)
