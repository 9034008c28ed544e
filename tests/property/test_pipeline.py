"""However the input is cut: what a run writes equals replay in canonical order.

`oracle` replays each part of each record by itself. Faults are planted in the pipeline one by one, and
a few histories, cut in a few ways, must show each of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import ADAPTER, ASIDE, JOB, UNLUCKY, line

from pillarbox.bulk import builder, differences
from pillarbox.errors import PillarboxError
from pillarbox_spark import driver, parquet, plan, quarantine, reading, shard, spill, tally, task
from pillarbox_spark.adapters import Piece
from pillarbox_spark.manifest import read_manifest
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.plan import Load, Plan, PlanOptions, find_inputs, make_plan
from pillarbox_spark.spill import SpillTorn, SpillWriter, merged, read_spill
from pillarbox_tracker.box import PACKAGE

#: A number that fits no int32; one that fits no int64; one that fits no integer of msgpack.
BIG, BIGGER, BIGGEST = 2**40, 2**63, 2**70

happened = st.tuples(
    st.sampled_from((1, 1, 2, 2, 3, 3, BIGGER, BIGGEST)),
    st.sampled_from((0, 1, 1, 2, 2, 3, BIG)),
    st.sampled_from((1, 1, 2, 2, 3, BIGGER, BIGGEST)),
    st.sampled_from("ab"),
    st.sampled_from((0, 1, 2, UNLUCKY)),
    st.sampled_from(("", "x", "yy", "rename", ASIDE)),
).map(lambda row: json.dumps(row) + "\n")
short = st.just(json.dumps([1, 1]) + "\n")
marked = st.sampled_from("!?#").map(lambda mark: f"{mark} nothing\n")
lines = st.lists(st.one_of(happened, happened, happened, short, marked), max_size=12)
histories = st.lists(st.tuples(st.sampled_from(("lines", "loose")), lines), min_size=1, max_size=3)
cuts = st.builds(
    Options,
    shard_bytes=st.sampled_from((1, 60, 200, 1 << 20)),
    piece_bytes=st.sampled_from((1, 60, 1 << 20)),
    whole_bytes=st.sampled_from((1, 100, 1 << 20)),
    buckets=st.integers(1, 4),
)
History = list[tuple[str, list[str]]]


@pytest.fixture(autouse=True, scope="module")
def _no_waiting_for_disks() -> Iterator[None]:
    with patch("os.fsync"):
        yield


def written(history: History, folder: Path) -> list[Path]:
    """A history as files, in canonical order."""
    files = []
    for number, (ending, texts) in enumerate(history):
        files.append(folder / f"{number}.{ending}")
        files[-1].write_text("".join(texts))
    return files


def check_run(history: History, cut: Options, slice_records: int = 1, group_rows: int = 2) -> None:
    """The law: box, quarantine, Parquet and report are those of replay in canonical order."""
    with (
        TemporaryDirectory() as name,
        patch.object(shard, "_SLICE_RECORDS", slice_records),
        patch.object(parquet, "_GROUP_ROWS", group_rows),
    ):
        folder = Path(name)
        files, out, into = written(history, folder), folder / "out", folder / "one.box"
        expected = oracle.replayed(files, folder / "replayed.box")

        report = run(JOB, files, out, replace(cut, into=into))

        assert differences(PACKAGE, folder / "replayed.box", into) == []
        found = [(told["file"], told["record"], told["reason"]) for told in oracle.quarantine_of(out)]
        assert found == expected.quarantined
        assert (report.read, report.quarantined) == (expected.read, oracle.reasons_of(expected))
        assert report.written == expected.read - len(expected.quarantined)
        assert sum(report.skipped.values()) == expected.skipped
        for table in JOB.parquet:
            rows = oracle.box_rows(into, table.name)
            assert oracle.parquet_rows(out, table.name) == rows
            assert report.tables[table.name] == len(rows)
        assert oracle.left_over(out, read_manifest(out)) == []


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(histories, cuts, st.integers(1, 9), st.integers(1, 5))
def test_a_run_equals_replay_in_canonical_order_however_it_is_cut(
    history: History, cut: Options, slice_records: int, group_rows: int
) -> None:
    check_run(history, cut, slice_records, group_rows)


@given(histories, cuts)
def test_a_quarantine_line_holds_the_bytes_at_its_position(history: History, cut: Options) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = written(history, folder)

        run(JOB, files, folder / "out", replace(cut, parquet=False))

        for told in oracle.quarantine_of(folder / "out"):
            data = Path(told["file"]).read_bytes()
            begin = told["begin"]
            assert data[begin : begin + told["bytes"]] == told["raw"].encode()
            assert told["bytes"] > 0
            assert told["raw"].endswith("\n")


# -------------------------------------------------------------------------------------------- plans

plan_options = st.builds(
    PlanOptions,
    shard_bytes=st.integers(1, 300),
    parallel=st.integers(1, 5),
    piece_bytes=st.integers(1, 100),
    whole_bytes=st.integers(1, 300),
    buckets=st.integers(1, 4) | st.none(),
)


@given(histories, plan_options)
def test_a_plan_is_the_same_twice_and_deals_out_each_piece_once(
    history: History, options: PlanOptions
) -> None:
    with TemporaryDirectory() as name:
        inputs = find_inputs(ADAPTER, written(history, Path(name)))
        pieces: list[Piece] = []

        plan = make_plan(ADAPTER, inputs, options, lambda file, refused: None, pieces.append)
        again = make_plan(ADAPTER, inputs, options, lambda file, refused: None)
        alone = make_plan(ADAPTER, inputs, replace(options, parallel=1), lambda file, refused: None)

    assert plan.to_json() == again.to_json()
    assert Plan.from_json(plan.to_json()) == plan
    dealt = [load.piece for loads in plan.tasks for load in loads]
    assert sorted(dealt, key=_place) == pieces
    assert all(loads == tuple(sorted(loads, key=lambda load: _place(load.piece))) for loads in plan.tasks)
    groups = {piece.group for piece in pieces}
    for group in groups:
        check_group(group, plan.tasks, spills=None in groups, whole_bytes=options.whole_bytes or 0)
    check_sizes(plan.tasks, alone.tasks, options)


def check_group(
    group: str | None, tasks: Sequence[Sequence[Load]], *, spills: bool, whole_bytes: int
) -> None:
    """A group is whole in one task, or it spills, because it is large or because all do."""
    homes = {number for number, loads in enumerate(tasks) for load in loads if load.piece.group == group}
    loads = [load for loads in tasks for load in loads if load.piece.group == group]
    size = sum(load.piece.end - load.piece.begin for load in loads)
    spills = spills or size > whole_bytes
    assert {load.spills for load in loads} == {spills}
    assert len(homes) == 1 or spills


def check_sizes(
    tasks: Sequence[Sequence[Load]], alone: Sequence[Sequence[Load]], options: PlanOptions
) -> None:
    """No task has more than a shard, but of one group; more tasks than need be only fill the last round."""
    for loads in tasks:
        size = sum(load.piece.end - load.piece.begin for load in loads)
        is_one = len(loads) == 1 or len({load.piece.group for load in loads if not load.spills}) == 1
        assert size <= options.shard_bytes or is_one
    assert len(alone) <= len(tasks) < len(alone) + options.parallel


def _place(piece: Piece) -> tuple[int, int]:
    return piece.file, piece.first


# ------------------------------------------------------------------------------------------- spills

positions = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-1, 300), st.integers(0, 1)), unique=True, max_size=30
)


@given(positions, st.integers(1, 3), st.integers(1, 4))
def test_merged_spills_give_every_entry_in_order(
    found: list[tuple[int, int, int]], spills: int, block: int
) -> None:
    with TemporaryDirectory() as name, patch.object(spill, "_BLOCK_ENTRIES", block):
        paths = [Path(name) / str(number) for number in range(spills)]
        for number, path in enumerate(paths):
            with SpillWriter(path) as writer:
                for position in sorted(found[number::spills]):
                    writer.add((*position, [repr(position).encode(), b""]))
                writer.finish()

        entries = list(merged(paths))

    assert entries == [(*position, [repr(position).encode(), b""]) for position in sorted(found)]


@given(st.data())
def test_a_spill_with_a_byte_cut_off_or_changed_is_known_as_torn(data: st.DataObject) -> None:
    with TemporaryDirectory() as name:
        path = Path(name) / "spill"
        entries: list[spill.Entry] = [(0, number, 0, [b"x" * number]) for number in range(5)]
        with patch.object(spill, "_BLOCK_ENTRIES", 2), SpillWriter(path) as writer:
            for entry in entries:
                writer.add(entry)
            writer.finish()
        whole = path.read_bytes()
        at = data.draw(st.integers(0, len(whole) - 1))
        changed = whole[:at] + bytes((whole[at] ^ data.draw(st.integers(1, 255)),)) + whole[at + 1 :]
        path.write_bytes(data.draw(st.sampled_from((whole[:at], changed))))

        with pytest.raises(SpillTorn):
            list(read_spill(path))


# ---------------------------------------------------------------------------------------- planted faults


HISTORIES: tuple[History, ...] = (
    # Two projects that come back in a second file, what is refused when it is read, made, encoded and
    # applied, and rows of the seed that change.
    [
        (
            "lines",
            [
                line(1, 1, 1, "a", 0, "x"),
                line(1, 1, 2, "b", 1, "yy"),
                line(2, 1, 1, "b", 1, "rename"),
                "? lost\n",
                line(2, 2, 1, "b", 2, "x"),
                line(1, 3, 1, "a", 2, "x"),
                line(1, BIG, 1, "b", 2, "yy"),
                "! torn\n",
                line(1, 3, BIGGER, "b", 2, "yy"),
            ],
        ),
        (
            "lines",
            [
                line(1, 1, 1, "a", 0, "x"),
                line(1, 3, 2, "a", UNLUCKY, "yy"),
                line(1, 3, 2, "b", 1, ""),
                line(2, 1, 1, "a", 1, "yy"),
                line(1, BIG, BIG, "a", 2, "x"),
                json.dumps([1]) + "\n",
            ],
        ),
    ],
    # Somebody is called one thing, another, and the first again: in one stretch, and with a second project
    # between that another task may read.
    [("lines", [line(1, 1, 1, name, 0, "x") for name in "aba"])],
    [
        ("lines", [line(1, 1, 1, "a", 0, "x"), line(2, 1, 1, "b", 0, "x")]),
        ("lines", [line(1, 1, 1, "a", 1, "x")]),
    ],
    # Comments that stand before their issue, in another file, in the same one, and alone in their record.
    [
        ("lines", [line(1, 1, 1, "a", 0, ASIDE), line(1, 1, 1, "a", 1, "x"), line(1, 1, 1, "a", 2, ASIDE)]),
        ("loose", [line(2, 1, 1, "a", 0, ASIDE), line(2, BIG, BIG, "a", 1, ASIDE)]),
    ],
    # A file that does not tell of which project its lines are.
    [("lines", [line(2, 1, 1, "a", 0, "x")]), ("loose", [line(2, 1, 1, "b", 0, "yy"), "# why\n"])],
)
CUTS = (
    Options(),
    Options(shard_bytes=60, piece_bytes=60, whole_bytes=1 << 20, buckets=1),
    Options(shard_bytes=1, piece_bytes=1, whole_bytes=1 << 20, buckets=3),
    Options(shard_bytes=100, piece_bytes=40, whole_bytes=1, buckets=2),
)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("history", HISTORIES)
def test_each_of_the_histories_equals_its_replay(history: History, cut: Options) -> None:
    check_run(history, cut)


def _patched(owner: Any, name: str, make: Callable[[Any], Any]) -> AbstractContextManager[Any]:
    """A name with a fault in it, made from what it is."""
    return patch.object(owner, name, make(getattr(owner, name)))


def _without_last(entries: Iterator[Any]) -> list[Any]:
    return list(entries)[:-1]


#: For a fault that has no sense of routes.
TURNS = count()


def _never_ended(piece: Any) -> Any:
    def read(self: Any, load: Load) -> None:
        self._end = _place(load.piece)
        piece(self, load)

    return read


def _taken_again(take: Any) -> Any:
    def taken(self: Any, number: int, rows: Sequence[Any], gone: bool) -> None:
        take(self, number, rows, gone)
        if number in self._gone:
            self._files[number].add(rows)

    return taken


FAULTS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "memos outlive what lies between pieces": lambda: _patched(reading.Reading, "piece", _never_ended),
    "memos are of the first, not the last": lambda: patch.object(
        reading.Reading, "_remember", lambda self, key, facts: self._seen.setdefault(key, facts)
    ),
    "buckets are dealt out by turns": lambda: patch.object(
        reading, "bucket_of", lambda route, buckets: next(TURNS) % buckets
    ),
    "spills are read one after the other": lambda: patch.object(
        task, "merged", lambda paths: (entry for path in reversed(paths) for entry in read_spill(path))
    ),
    "the last entry of a bucket is lost": lambda: _patched(
        task, "merged", lambda whole: lambda paths: _without_last(whole(paths))
    ),
    "groups are cut as if they were not": lambda: _patched(
        plan, "Load", lambda whole: lambda piece, spills: whole(piece, False)
    ),
    "pieces are read backwards": lambda: patch.object(
        plan, "_in_order", lambda loads: tuple(reversed(loads))
    ),
    "quarantine forgets what was left out": lambda: patch.object(
        builder, "tell_orphans", lambda tx, told: None
    ),
    "quarantine forgets what came of applying": lambda: patch.object(task, "_unapplied", lambda *_: ()),
    "quarantine has a line for each part": lambda: patch.object(
        quarantine, "_one_a_record", lambda entries: (text for _, _, _, (text,) in entries)
    ),
    "a record's number is that in its piece": lambda: _patched(
        quarantine.Refusals,
        "add",
        lambda add: (
            lambda self, path, file, record, *rest, **partly: add(
                self, path, file, max(record - 1, 0), *rest, **partly
            )
        ),
    ),
    "what the seed put there is written by every shard": lambda: patch(
        "pillarbox_spark.parquet.seeds_of", lambda package: {}
    ),
    "what the seed put there is never written": lambda: patch.object(driver, "seeds_of", lambda package: {}),
    "rows stay in Parquet that a later slice has changed": lambda: _patched(
        parquet.ShardTables,
        "_take",
        lambda take: lambda self, table, rows, gone: take(self, table, rows, False),
    ),
    "rows before a change are in Parquet twice": lambda: patch.object(
        parquet.TableWriter, "close", lambda self: None
    ),
    "rows with nothing in a list are not in Parquet": lambda: patch.object(
        parquet, "sorted", lambda parts, reverse: filter(any, sorted(parts, reverse=reverse)), create=True
    ),
    "rows after a change are in Parquet twice": lambda: _patched(parquet.ShardTables, "_take", _taken_again),
    "changed rows of the seed are written as they were": lambda: patch.object(
        driver, "lost_seeds", lambda results, table: set()
    ),
    "the index's refusals are not counted": lambda: _patched(
        driver, "make_plan", lambda make: lambda *values: replace(make(*values), refused=0)
    ),
    "a shard is forgotten": lambda: _patched(
        driver, "merge", lambda merge: lambda package, shards, into: merge(package, shards[1:], into)
    ),
    "a twin's result is counted too": lambda: _patched(
        tally.Results, "all", lambda whole: lambda self: [*whole(self), *whole(self)[:1]]
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_seen(fault: str) -> None:
    with FAULTS[fault](), pytest.raises((AssertionError, PillarboxError, KeyError, IndexError)):  # noqa: PT012
        for history, cut in product(HISTORIES, CUTS):
            check_run(history, cut)
