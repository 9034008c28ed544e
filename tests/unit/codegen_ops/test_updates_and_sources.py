"""What updates claim and stand for, how cursors move, and what rows of sources become."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.codegen_ops.lab import lab
from tests.unit.codegen_ops.making import Bench

from pillarbox.errors import DataError, UsageError
from pillarbox.sync import Around, Claim, Unhandled


def job(n: int, group: int = 1) -> Any:
    return lab().types.Jobs(group=group, n=n, text="t")


def op(name: str, **params: Any) -> Any:
    return getattr(lab().operations, name)(**params)


def came(*jobs: Any, rev: int = 9, count: int = 2) -> Any:
    return lab().updates.JobsCame(group=1, jobs=jobs, rev=rev, count=count)


def looked(*, silent: bool = False) -> Any:
    return lab().updates.Looked(group=1, n=None, silent=silent, seq=5)


def test_a_claim_is_a_span_of_the_part_of_a_cursor_row() -> None:
    # Parts count in the order of their numbers: `rev` comes before `at`.
    assert came().claim() == Claim(111, lab().keys.stream_key(1), 0, 7, 9)


def test_a_claim_without_a_count_covers_one() -> None:
    assert looked().claim() == Claim(112, b"", 0, 4, 5)


def test_no_claim_where_unless_holds_and_where_there_is_none() -> None:
    assert looked(silent=True).claim() is None
    assert lab().updates.Nothing(text="x").claim() is None


def test_emissions_come_in_order_for_each_element_that_passes() -> None:
    emitted = lab().updates.emit(came(job(1), job(2, group=3), job(3)), Around())

    assert emitted == [
        op("PutJob", job=job(1)),
        op("PutJob", job=job(3)),
        op("SetBoth", group=1, rev=0, at=7),
    ]


def test_an_update_of_which_nothing_is_said_is_told_as_it_is() -> None:
    nothing = lab().updates.Nothing(text="x")

    assert lab().updates.emit(nothing, Around()) == [Unhandled(nothing)]


def test_updates_survive_their_bytes() -> None:
    updates = lab().updates

    assert updates.decode_update(updates.encode_update(came(job(1)))) == came(job(1))


@pytest.mark.parametrize(
    "data", [b"", b"\x91\xcc\xc8", b"\x92\x01", b"\xff"], ids=["empty", "code", "torn", "junk"]
)
def test_bytes_that_are_no_update_are_refused(data: bytes) -> None:
    with pytest.raises(DataError, match="no update of this schema"):
        lab().updates.decode_update(data)


def test_a_cursor_is_read_and_moved_by_the_id_of_its_table() -> None:
    bench, sync = Bench(lab()), lab().sync
    key = lab().keys.stream_key(1)

    before = sync.position(bench.tx, 111, key)
    sync.advance(bench.tx, 111, key, {0: 5})
    sync.advance(bench.tx, 111, key, {1: 70})
    sync.advance(bench.tx, 112, b"", {0: 3})

    assert before is None
    assert sync.position(bench.tx, 111, key) == (5, 70)
    assert sync.position(bench.tx, 112, b"") == (3,)


def test_an_id_of_no_cursor_is_refused() -> None:
    bench = Bench(lab())

    with pytest.raises(UsageError, match="no cursor of this schema has the id 1"):
        lab().sync.position(bench.tx, 1, b"")
    with pytest.raises(UsageError, match="no cursor of this schema has the id 1"):
        lab().sync.advance(bench.tx, 1, b"", {})


def test_a_row_of_a_source_becomes_operations() -> None:
    sources = lab().sources

    operations = list(sources.sheet_operations(sources.SheetRow(group=1, ns=(4, 5), owner=None)))

    assert operations == [
        op("OwnJob", group=1, n=4, owner=None, text="sheet"),
        op("OwnJob", group=1, n=5, owner=None, text="sheet"),
        op("MakeJob", group=1, n=0),
    ]


def test_a_source_may_stand_for_nothing() -> None:
    sources = lab().sources

    assert list(sources.empty_operations(sources.EmptyRow(n=1))) == []
