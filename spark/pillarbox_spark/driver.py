"""One run, stage by stage: index, read, gather, merge, commit.

Depends on: every part of the pipeline but its door.  Never on: Spark, formats, what a task does.

Laws. Nothing of a run can be read before the manifest names it. A manifest is written only where each
task has told one result, the figures add up, and every file is what its task told.
"""

from __future__ import annotations

import shutil
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import Final
from uuid import uuid4

from pillarbox.bulk import merge
from pillarbox.errors import DataError, PillarboxError, UsageError
from pillarbox.storage import open_engine
from pillarbox.storage.places import refuse_lone_log, resolved
from pillarbox_spark.adapters import Adapter, Piece, Refused
from pillarbox_spark.engines import Engine, Progress
from pillarbox_spark.files import (
    BOXES,
    QUARANTINE,
    TABLES,
    WORK,
    Attempt,
    errors_of_store,
    figures_of,
    rename,
    sync,
    write_whole,
)
from pillarbox_spark.job import Job
from pillarbox_spark.manifest import (
    Manifest,
    ShardFile,
    TableSum,
    clear,
    commit,
    read_manifest,
    settle,
    sweep,
)
from pillarbox_spark.parquet import TableWriter, seeds_of
from pillarbox_spark.plan import Input, Load, Plan, PlanOptions, check_unchanged, make_plan
from pillarbox_spark.quarantine import NO_RECORD, Refusals, gather
from pillarbox_spark.report import Report
from pillarbox_spark.tally import Results, check_spills, count, lost_seeds, rows_by_table
from pillarbox_spark.task import PLAN
from pillarbox_spark.wire import AnyTask, GatherTask, ReadTask, Result, decode_result, encode

#: What SQLite keeps beside a box.
_BESIDE: Final = ("-wal", "-shm", "-journal")
_QUARANTINE_FILE: Final = "ndjson"


@dataclass(frozen=True, slots=True)
class Into:
    """The box that shards are merged into, and whether it may be there already."""

    box: Path
    replace: bool


class Driver:
    """Does one run. The caller holds the lock of `out`."""

    def __init__(self, job: Job, adapter: Adapter, out: Path, engine: Engine, progress: Progress) -> None:
        self._job = job
        self._adapter = adapter
        self._out = out.resolve()
        self._run = self._out / _new_run()
        self._engine = engine
        self._progress = progress
        self._seconds: dict[str, float] = {}

    def run(
        self,
        files: Sequence[Input],
        cut: PlanOptions,
        *,
        left: Mapping[str, int],
        parquet: bool,
        into: Into | None,
    ) -> Report:
        """All of it; `left`: what is skipped before any file is looked at.

        After an error nothing is left of this run; what was committed before still is. Where the error
        came of the commit itself, or of what follows it, the manifest tells whether the run landed. The
        merged box takes its place last: when it cannot, the rest is there and whole.
        """
        made = None if into is None else _Merged(into, self._out)
        try:
            with errors_of_store(self._run):
                clear(self._out)
                if made:
                    made.remove()
                for folder in (WORK, BOXES, TABLES, QUARANTINE):
                    (self._run / folder).mkdir(parents=True)
            with self._stage("index", 0, sum(file.bytes for file in files)):
                plan, refused = self._index(files, cut, left)
            read = self._tasks("read", self._read_tasks(plan, parquet), sum(map(_bytes_of, plan.tasks)))
            gathered = self._tasks("gather", self._gather_tasks(read, parquet), 0)
            check_spills(read, gathered)
            results = [*read, *gathered]
            rows = self._merge(results, made) if made else {}
            manifest, report = self._manifest(plan, refused, results, rows, parquet, into)
            commit(self._out, manifest)
            write_whole(self._out / "report.json", report.to_json().encode())
            write_whole(self._out / "report.txt", report.to_text().encode())
            sweep(self._out, manifest)
            if made:
                made.land()
        except BaseException as error:
            landed = self._landed()
            if not landed:
                self._take_away()
            if made:
                stands = made.stands() if landed else ""
                made.remove()
                if stands and isinstance(error, KeyboardInterrupt):
                    raise KeyboardInterrupt(stands) from error
            raise
        return report

    def _take_away(self) -> None:
        """Remove the folder of this run, under a name that no task knows: who still writes cannot."""
        gone = self._out / _new_run()
        try:
            self._run.rename(gone)
        except OSError:
            gone = self._run
        shutil.rmtree(gone, ignore_errors=True)

    def _landed(self) -> bool:
        try:
            return read_manifest(self._out).run == self._run.name
        except PillarboxError:
            return False

    # ---------------------------------------------------------------------------------------- stages

    @contextmanager
    def _stage(self, name: str, tasks: int, of_bytes: int) -> Iterator[None]:
        self._progress.stage(name, tasks, of_bytes)
        begin = time.perf_counter()
        yield
        self._seconds[name] = time.perf_counter() - begin

    def _index(
        self, files: Sequence[Input], cut: PlanOptions, left: Mapping[str, int]
    ) -> tuple[Plan, Sequence[Path]]:
        """The plan, left for tasks too, and the spill of what the index refused."""
        refusals = Refusals(Attempt(self._run, "index", 0), "index")

        def refuse(file: int, refused: Refused) -> None:
            refusals.add(files[file].path, file, NO_RECORD, refusals.count, refused)

        def tell(piece: Piece) -> None:
            self._progress.task_done(max(piece.records, 0), piece.end - piece.begin)

        try:
            found = make_plan(self._adapter, files, cut, refuse, tell)
            plan = replace(found, skipped={**left, **found.skipped})
            refused = refusals.publish()
        finally:
            refusals.close()
        write_whole(self._run / PLAN, plan.to_json().encode())
        return plan, [self._run / path for path in refused]

    def _read_tasks(self, plan: Plan, parquet: bool) -> list[tuple[ReadTask, int]]:
        """What each task reads, and how many bytes that is; the greatest first, to end together."""
        tasks = []
        for number, loads in enumerate(plan.tasks):
            files = {load.piece.file for load in loads}
            task = ReadTask(
                task=number,
                job=self._job.module,
                run=str(self._run),
                parquet=parquet,
                loads=loads,
                paths={file: plan.inputs[file].path for file in files},
                buckets=plan.buckets,
            )
            tasks.append((task, _bytes_of(loads)))
        return sorted(tasks, key=lambda it: -it[1])

    def _gather_tasks(self, read: Sequence[Result], parquet: bool) -> list[tuple[GatherTask, int]]:
        """One for each bucket that has anything; one that makes an empty shard where there is no other."""
        buckets = sorted({bucket for result in read for bucket in result.spills})
        if not buckets and not any(result.shard for result in read):
            buckets = [0]
        tasks = []
        for bucket in buckets:
            spills = [result.spills[bucket] for result in read if bucket in result.spills]
            task = GatherTask(
                task=bucket,
                job=self._job.module,
                run=str(self._run),
                parquet=parquet,
                spills=tuple(spill.path for spill in spills),
            )
            tasks.append((task, sum(spill.entries for spill in spills)))
        return [(task, 0) for task, _ in sorted(tasks, key=lambda it: -it[1])]

    def _tasks(self, stage: str, tasks: Sequence[tuple[AnyTask, int]], of_bytes: int) -> list[Result]:
        """Run the tasks of a stage; their results by number."""
        sizes = {task.task: size for task, size in tasks}
        results = Results(sizes)

        def on_result(text: str) -> None:
            result = decode_result(text)
            if results.add(result):
                self._progress.task_done(result.read + result.gathered, sizes[result.task])

        with self._stage(stage, len(tasks), of_bytes):
            self._engine.run([encode(task) for task, _ in tasks], on_result)
            return results.all()

    def _merge(self, results: Sequence[Result], made: _Merged) -> Mapping[int, int]:
        shards = [self._run / result.shard.box for result in results if result.shard]
        with self._stage("merge", 1, 0):
            return made.make(self._job, shards)

    # ---------------------------------------------------------------------------------------- commit

    def _manifest(
        self,
        plan: Plan,
        refused: Sequence[Path],
        results: Sequence[Result],
        merged: Mapping[int, int],
        parquet: bool,
        into: Into | None,
    ) -> tuple[Manifest, Report]:
        """Check the whole run, and tell what there is of it."""
        with self._stage("commit", 1, 0):
            check_unchanged(plan.inputs)
            quarantine, reasons = self._quarantine([*refused, *self._refusals(results)])
            counts = count(plan, results, reasons)
            rows, tables = self._tables(results, parquet)
            self._check_merged(rows, merged)
            files = {path: told for result in results for path, told in result.files.items()}
            lasting = [*quarantine, *(path for paths in tables.values() for path in paths)]
            files |= {path: figures_of(self._run / path) for path in lasting if path not in files}
            named = {self._named(path): told for path, told in files.items()}
            settle(self._out, self._run.name, named)
        shards = [result.shard for result in results if result.shard]
        report = Report(
            package=self._job.package.name,
            source=self._job.source.name,
            engine=self._engine.name,
            java=self._engine.java,
            files=len(plan.inputs),
            input_bytes=sum(file.bytes for file in plan.inputs),
            read=counts.read,
            written=counts.written,
            quarantined=reasons,
            skipped=plan.skipped,
            tables=rows,
            seconds=self._seconds,
            shards=len(shards),
            out=str(self._out),
            into=None if into is None else str(into.box),
        )
        manifest = Manifest(
            package=self._job.package.name,
            source=self._job.source.name,
            layout_hash=self._job.package.layout_hash,
            run=self._run.name,
            inputs=plan.inputs,
            shards=tuple(
                ShardFile(
                    self._named(it.box), {number: TableSum(*sums) for number, sums in it.tables.items()}
                )
                for it in shards
            ),
            parquet={table: [self._named(path) for path in paths] for table, paths in tables.items()},
            quarantine=[self._named(path) for path in quarantine],
            files=named,
            report=report.to_tree(),
        )
        return manifest, report

    def _named(self, path: str) -> str:
        """A path from the run's folder on, from `out` on."""
        return f"{self._run.name}/{path}"

    def _refusals(self, results: Sequence[Result]) -> list[Path]:
        return [self._run / path for result in results for path in result.quarantine]

    def _quarantine(self, spills: Sequence[Path]) -> tuple[list[str], Mapping[str, int]]:
        """The file of all quarantined records, if there are any, and how many by reason."""
        if not spills:
            return [], {}
        attempt = Attempt(self._run, "quarantine", 0)
        reasons = gather(spills, attempt.part(_QUARANTINE_FILE))
        return [attempt.publish(_QUARANTINE_FILE, QUARANTINE, lasting=True)], reasons

    def _tables(
        self, results: Sequence[Result], parquet: bool
    ) -> tuple[dict[str, int], dict[str, list[str]]]:
        """Rows and Parquet files by table; the rows of the seed that no shard changed are added here."""
        rows = rows_by_table(results, [table.name for table in self._job.parquet])
        files: dict[str, list[str]] = {}
        seeds = seeds_of(self._job.package)
        attempt = Attempt(self._run, "seed", 0)
        for table in self._job.parquet:
            told = [result.tables[table.name].paths for result in results if table.name in result.tables]
            files[table.name] = [path for paths in told for path in paths]
            lost = lost_seeds(results, table.name)
            kept = [row for number, row in enumerate(seeds.get(table.id, ())) if number not in lost]
            rows[table.name] += len(kept)
            if parquet:
                file = TableWriter(table, attempt)
                file.add(kept)
                files[table.name] += file.publish()
        return rows, {name: paths for name, paths in files.items() if paths}

    def _check_merged(self, rows: Mapping[str, int], merged: Mapping[int, int]) -> None:
        for table in self._job.parquet:
            if merged and merged[table.id] != rows[table.name]:
                raise DataError(
                    f"table {table.name!r} has {rows[table.name]:,} rows in the shards and "
                    f"{merged[table.id]:,} in the merged box; nothing was committed. Please report this"
                )


class _Merged:
    """The merged box under its first name, beside the one that it is to have."""

    def __init__(self, into: Into, out: Path) -> None:
        self._box = Path(resolved(str(into.box)))
        self._out = out
        self._replace = into.replace
        # The same for every run from `out`, which there is but one of: so what a killed one left is found.
        self._made = self._box.with_name(f".{self._box.name}.{zlib.crc32(bytes(out)):08x}")

    def make(self, job: Job, shards: Sequence[Path]) -> Mapping[int, int]:
        """Merge; rows by table id."""
        self.remove()
        return merge(job.package, shards, self._made)

    def remove(self) -> None:
        """Remove it, whole or in part."""
        for path in self._made.parent.glob(f"{escape(self._made.name)}*"):
            path.unlink(missing_ok=True)

    def stands(self) -> str:
        """What there is of a run that ends behind its commit; empty where the box has its name by then."""
        if not self._made.exists():
            return ""
        box = f"{self._box} is as it was" if self._box.exists() else f"there is no {self._box} yet"
        return f"the shards are committed in {self._out}, and {box}; run again for the one box"

    def land(self) -> None:
        """Give it its name. Raises UsageError when somebody else was faster, DataError beside a lone log."""
        with errors_of_store(self._box):
            if self._box.exists():
                if not self._replace:
                    raise UsageError(
                        f"{self._box} was made by somebody else meanwhile, and was left as it is. The shards "
                        f"are committed in {self._out}; for the one box name a new file, and run again"
                    )
                self._settle_old()
                for ending in _BESIDE:
                    # The log of the old box must never be taken for one of the new box.
                    self._box.with_name(self._box.name + ending).unlink(missing_ok=True)
            else:
                refuse_lone_log(str(self._box))
            rename(self._made, self._box)
            sync(self._box.parent)

    def _settle_old(self) -> None:
        """Move the log of the old box into it: a kill before the new one has its name must leave it whole."""
        with suppress(PillarboxError):  # a damaged one is replaced, too
            old = open_engine(str(self._box), durability="durable")
            try:
                old.checkpoint()
            finally:
                old.close()


def _bytes_of(loads: Sequence[Load]) -> int:
    return sum(load.piece.end - load.piece.begin for load in loads)


def _new_run() -> str:
    return f"run-{uuid4().hex[:12]}"
