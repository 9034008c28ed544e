"""One ingestion job: a source of a generated package, and all that its tasks need.

Depends on: pillarbox.bulk, pillarbox.box, columns, needs.  Never on: any generated package, which makes jobs.

Law: `import_module(job.module).JOB` is the job, so that a task in another process finds it by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from pillarbox_spark.needs import missing

try:
    from pyspark.sql.types import StructType
except ModuleNotFoundError:
    raise ModuleNotFoundError(missing(), name="pyspark") from None

from pillarbox.box import Package
from pillarbox.bulk import Source
from pillarbox.errors import UsageError
from pillarbox_spark.columns import Fields

_AS_IT_IS_NAMED: Final = (
    "give a source first, as `news`, or its module, as `pillarbox_mine.jobs.news`, and the inputs behind it; "
    "a package that lacks it is generated again"
)


@dataclass(frozen=True, slots=True, eq=False)
class ParquetTable:
    """How the rows of one table become columns."""

    id: int
    name: str
    schema: StructType
    #: The shape of the rows, with the fields of `schema`.
    rows: Fields


@dataclass(frozen=True, slots=True)
class Job:
    """A source, ready to run."""

    module: str
    package: Package[Any, Any]
    source: Source
    parquet: tuple[ParquetTable, ...]
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]


def has_parts(source: Source) -> bool:
    """Whether what a record becomes is applied in several parts: one that is refused keeps out no other."""
    alone = sum(1 for emit in source.emits if emit.route or emit.memo)
    return alone > 1 or 0 < alone < len(source.emits)


def load_job(module: str) -> Job:
    """The job of a module `PACKAGE.jobs.SOURCE`. Raises UsageError where there is none."""
    if module.startswith("."):
        raise UsageError(f"no job {module!r}: no module is called so; {_AS_IT_IS_NAMED}")
    try:
        job = getattr(import_module(module), "JOB", None)
    except ModuleNotFoundError as error:
        raise UsageError(f"no job {module!r}: {error}; {_AS_IT_IS_NAMED}") from error
    if not isinstance(job, Job):
        raise UsageError(f"{module!r} holds no job; {_AS_IT_IS_NAMED}")
    return job
