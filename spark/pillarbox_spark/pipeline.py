"""The door of the pipeline: from inputs to a committed folder of shards, and one box of them if asked for.

Depends on: driver, engines, plan, files, adapters, job, report, storage.  Never on: Spark, but by its engine.

Law: `out` holds the whole of one run or the whole of another, whatever is killed and whenever.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final, Literal

from pillarbox.errors import NotABox, PillarboxError, UsageError
from pillarbox.storage import open_engine
from pillarbox.storage.places import refuse_lone_log, resolved
from pillarbox_spark.adapters import resolve
from pillarbox_spark.driver import Driver, Into
from pillarbox_spark.engines import SILENT, Engine, InlineEngine, Progress
from pillarbox_spark.files import errors_of_store, locked, store_error
from pillarbox_spark.job import Job
from pillarbox_spark.manifest import MANIFEST, RUN, refuse_others
from pillarbox_spark.plan import Input, PlanOptions, find_inputs, left_out
from pillarbox_spark.report import Report

#: From so many bytes of input on, `auto` is Spark.
SPARK_BYTES: Final = 64 << 20
#: Files of `out` that are of no run alone; while they are written their names end in `.part`.
_OF_FOLDER: Final = frozenset({MANIFEST, "report.json", "report.txt", ".lock"})
#: The end of the name of a file that shows whether a box can be made beside it; that of a box is no longer.
_BEING_MADE: Final = ".if-it-can-be.part"


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is to be done."""

    #: `auto`: inline for less than 64 MiB of input, else Spark.
    engine: Literal["auto", "spark", "inline"] = "auto"
    #: A box to merge the shards into; `replace` an existing one, which is else an error.
    into: Path | None = None
    replace: bool = False
    #: Whether tables are written as Parquet too.
    parquet: bool = True
    #: About how much input makes one shard, at most, and about how much of it is read at once.
    shard_bytes: int = 32 << 20
    piece_bytes: int = 4 << 20
    #: A group of more than this is read by several tasks. None: of more than a shard, and more than each of
    #: the tasks that run at the same time would have if all had the same.
    whole_bytes: int | None = None
    #: How many tasks gather what was spilled; None: enough for shards of the size, up to 64.
    buckets: int | None = None
    #: Of Spark on this machine; None: what the machine has.
    cores: int | None = None
    memory: str | None = None


def run(
    job: Job,
    inputs: Sequence[Path],
    out: Path,
    options: Options | None = None,
    *,
    engine: Engine | None = None,
    progress: Progress = SILENT,
) -> Report:
    """Ingest `inputs` into the folder `out`, in the order given.

    Without an `engine` it is chosen by the options; Spark's is
    `spark_engine.local_engine(cores, memory)`, a context manager, imported only then.

    Raises UsageError where inputs, options or the job are wrong, DataError where the pieces do not fit
    together, StoreError where the disk fails or another run is writing to `out`. Nothing is committed then,
    unless all that failed is to put the merged box in its place.
    """
    options = options or Options()
    try:
        with errors_of_store(out):
            _check(out, options)
        adapter = resolve(job.source.adapter)
        files = find_inputs(adapter, inputs)
        _check_apart(files, out, options.into)
        into = options.into
        if into is not None and into.exists() and not _is_replaced(into):
            raise UsageError(f"{into} is no box, and only boxes are replaced; name another, or move it away")
        size = sum(file.bytes for file in files)
        with ExitStack() as stack:
            stack.enter_context(locked(out))
            refuse_others(out, job.package.name, job.source.name)
            chosen = stack.enter_context(_chosen(engine, options, size))
            driver = Driver(job, adapter, out, chosen, progress)
            return driver.run(
                files,
                PlanOptions(
                    shard_bytes=options.shard_bytes,
                    parallel=chosen.parallel,
                    piece_bytes=options.piece_bytes,
                    whole_bytes=options.whole_bytes or max(options.shard_bytes, size // chosen.parallel),
                    buckets=options.buckets,
                ),
                left=left_out(inputs, files),
                parquet=options.parquet,
                into=None if options.into is None else Into(options.into.absolute(), options.replace),
            )
    finally:
        progress.finished()


def _check(out: Path, options: Options) -> None:
    """Refuse before any work what would be refused after it."""
    if (out.exists() or out.is_symlink()) and not out.is_dir():
        what = "a file" if out.exists() else "a link that leads nowhere"
        raise UsageError(f"{out} is {what}; name a folder, which is made if need be")
    if RUN.fullmatch(out.name):  # which the next run into the folder around it sweeps away
        raise UsageError(f"{out} is called as a run calls a folder of its own; name another")
    into = options.into
    for path in (out, into):
        if path is not None and not _is_text(path.absolute()):
            raise UsageError(f"{str(path)!r} is not UTF-8, and SQLite opens no other names; name another")
    if into is None:
        return
    real = Path(resolved(str(into)))
    if _is_of_runs(Path(resolved(str(into.parent)), into.name), out) or _is_of_runs(real, out):
        raise UsageError(f"{into} is what a run writes of itself; name another file for the box")
    if into.is_dir():
        raise UsageError(f"{into} is a folder; name the file that the box is to be")
    if real.is_symlink():
        raise UsageError(f"{into} is a link that leads back to itself; name the file that the box is to be")
    if not real.parent.is_dir():
        raise UsageError(f"{real.parent}: there is no such folder for the box; make it first")
    if into.exists() and not options.replace:
        raise UsageError(f"{into} exists; name a new file, or have the old one replaced: `--replace`")
    refuse_lone_log(str(real))
    _check_writable(real)


def _is_of_runs(path: Path, out: Path) -> bool:
    """Whether it is what runs into `out` write over, or sweep away."""
    folder = Path(resolved(str(out)))
    if not path.is_relative_to(folder):
        return False
    name = Path(*path.relative_to(folder).parts[:1]).name
    return name.removesuffix(".part") in _OF_FOLDER or RUN.fullmatch(name) is not None


def _check_writable(into: Path) -> None:
    """Make a file beside it, of a name as long as that of a box that is being made; it goes at once."""
    try:
        NamedTemporaryFile(dir=into.parent, prefix=f".{into.name}.", suffix=_BEING_MADE).close()
    except OSError as error:
        raise store_error(into, OSError(error.errno, error.strerror)) from error


def _is_replaced(into: Path) -> bool:
    """Whether it is a box, also a damaged one; or an empty file, which a box may begin as."""
    if not into.is_file() or not into.stat().st_size:
        return into.is_file()
    try:
        open_engine(str(into), durability="relaxed", read_only=True).close()
    except NotABox:
        return False
    except PillarboxError:
        pass  # of a box that is damaged, or of a place that will be told of where it is written to
    with suppress(PillarboxError):  # only who may write takes away what SQLite lays beside it to read it
        open_engine(str(into), durability="relaxed").close()
    return True


def _is_text(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_apart(files: Sequence[Input], out: Path, into: Path | None) -> None:
    """Refuse to read what is going to be written over, or what an earlier run wrote."""
    folder, box = resolved(str(out)), None if into is None else resolved(str(into))
    for path in (Path(file.path) for file in files):
        real = path.resolve()
        if real.is_relative_to(folder):
            raise UsageError(f"{path} is in {out}, which holds what runs write; name another folder for that")
        if str(real) == box:
            raise UsageError(
                f"{path} is to be read, and the box would replace it; name another file for that"
            )


def _chosen(engine: Engine | None, options: Options, size: int) -> AbstractContextManager[Engine]:
    if engine is not None:
        return nullcontext(engine)
    if options.engine == "inline" or (options.engine == "auto" and size < SPARK_BYTES):
        return nullcontext(InlineEngine())
    from pillarbox_spark.spark_engine import local_engine  # only here: it needs Java

    return local_engine(options.cores, options.memory)
