"""The verb that runs jobs: `pillarbox ingest`; and the options it shares with a job run by its own name.

Depends on: click, uris; everything else when it runs.  Never on: any generated package, which is found by
name.

Law: the same arguments do the same by `pillarbox ingest SOURCE`, `python -m PACKAGE.jobs.SOURCE` and
`spark-submit PACKAGE/jobs/SOURCE.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from pillarbox.errors import UsageError
from pillarbox_spark.uris import is_uri, local_path

if TYPE_CHECKING:
    from pillarbox_spark.job import Job

MEGABYTE: Final = 1 << 20
EPILOG: Final = (
    "What cannot be taken is put aside under DIR, with reason, place and raw text; the report counts it, and "
    "the exit code stays 0. Exit codes: 0 fine, 2 wrong use, 3 store problem, 130 interrupted."
)


class _Place(click.Path):
    """A path, or `file:` and one; but no empty one, which would be the folder that one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail("it is empty; give a name, or `.` for this folder", param, ctx)
        value = local_path(os.fsdecode(value))
        if is_uri(value):
            self.fail(f"{value!r} is no file of this machine; give a path, or file:///PATH", param, ctx)
        if self.exists and os.path.islink(value) and not os.path.exists(value):
            self.fail(f"{value!r} is a link that leads nowhere; mend it, or take it away", param, ctx)
        return super().convert(value, param, ctx)


_A_FILE: Final = _Place(dir_okay=False, path_type=Path)
_A_FOLDER: Final = _Place(file_okay=False, path_type=Path)
_AN_INPUT: Final = _Place(exists=True, path_type=Path)
_AN_ENGINE: Final = click.Choice(("auto", "spark", "inline"))

# fmt: off
_PARAMETERS: Final = (
    click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=_AN_INPUT),
    click.option("--out", metavar="DIR", required=True, type=_A_FOLDER,
                 help="Where shards, Parquet and the report go."),
    click.option("--into", metavar="BOX", type=_A_FILE, help="Merge the shards into one new box, too."),
    click.option("--replace", is_flag=True, help="With --into: replace a box that is already there."),
    click.option("--engine", type=_AN_ENGINE, default="auto", show_default=True,
                 help="Spark; or this process alone, without Java; or by the size of the input."),
    click.option("--cores", metavar="N", type=click.IntRange(1),
                 help="Of this machine, for Spark; all by default."),
    click.option("--no-parquet", is_flag=True, help="Write no tables as Parquet."),
    click.option("--shard-mb", metavar="N", type=click.IntRange(1, 1024), default=32, show_default=True,
                 help="About how much input makes one shard."),
    click.option("--json", "as_json", is_flag=True, help="Print the report as JSON."),
)
# fmt: on


def _with_parameters(function: Callable[..., None]) -> Callable[..., None]:
    for parameter in reversed(_PARAMETERS):
        function = parameter(function)
    return function


@click.command(epilog=EPILOG)
@click.argument("source")
@_with_parameters
@click.option("--package", metavar="NAME", help="The generated package; else it is found by its source.")
def ingest(source: str, package: str | None, **choices: Any) -> None:
    """Read archives into a box, by a job of a generated package.

    SOURCE is a source of a schema, as `news`, or its module, as `pillarbox_mine.jobs.news`. INPUT are
    files or folders; where they overlap, the later one wins.
    """
    from pillarbox_spark.job import load_job

    with suppress(OSError):  # this folder is gone, or may not be seen
        sys.path.append(os.getcwd())  # as `python -m` does, for packages and adapters that are not installed
    run(load_job(source if "." in source else find_job(source, package)), **choices)


def command_of(job: Job) -> click.Command:
    """The command of one job: `ingest` without its SOURCE."""

    @click.command(epilog=EPILOG, help=f"Read archives into a box, as the source `{job.source.name}` says.")
    @_with_parameters
    def command(**choices: Any) -> None:
        run(job, **choices)

    return command


def run(
    job: Job,
    *,
    inputs: Sequence[Path],
    out: Path,
    into: Path | None,
    replace: bool,
    engine: Literal["auto", "spark", "inline"],
    cores: int | None,
    no_parquet: bool,
    shard_mb: int,
    as_json: bool,
) -> None:
    """Run the job, telling its progress on standard error and its report on standard output."""
    from pillarbox_spark import pipeline
    from pillarbox_spark.progress import progress_on

    if replace and into is None:
        raise click.UsageError("--replace is about the box of --into; name one, or leave it out")
    options = pipeline.Options(
        engine=engine,
        into=into,
        replace=replace,
        parquet=not no_parquet,
        shard_bytes=shard_mb * MEGABYTE,
        cores=cores,
    )
    report = pipeline.run(job, inputs, out, options, progress=progress_on(sys.stderr))
    click.echo(report.to_json() if as_json else report.to_text(), nl=False)


# --------------------------------------------------------------------------------------- finding a job


def find_job(source: str, package: str | None = None) -> str:
    """The module of the job of that name: in `package`, else in the only generated package that has one.

    Raises UsageError for none, telling what there is, and for several.
    """
    packages = [package] if package else installed_packages()
    jobs = {name: jobs_of(name) for name in packages}
    found = [name for name in packages if source in jobs[name]]
    if len(found) == 1:
        return f"{found[0]}.jobs.{source}"
    if found:
        raise UsageError(
            f"several packages have a source {source!r}: {', '.join(found)}; name one by --package"
        )
    if package and _spec_of(package) is None:
        raise UsageError(f"there is no package {package!r}; install it, or run this where it lies")
    known = sorted({name for names in jobs.values() for name in names})
    if not known:
        where = package or "any generated package"
        raise UsageError(
            f"no source in {where}; add `sources` to the schema and generate it, run this where its package "
            f"lies, or name --package"
        )
    close = get_close_matches(source, known, 1)
    if close:
        raise UsageError(f"no source {source!r}; did you mean {close[0]!r}? There are: {', '.join(known)}")
    raise UsageError(
        f"no source {source!r} can be imported here, but {', '.join(known)}; run this where its package "
        f"lies, or install that"
    )


def installed_packages() -> list[str]:
    """The generated packages that could be imported; none of them is."""
    from pillarbox.doctor import generated_packages

    return [name for name, _ in generated_packages()]


def _spec_of(package: str) -> ModuleSpec | None:
    try:
        return find_spec(package)
    except (ImportError, ValueError):  # what it should be in is not there; or it is no whole name
        return None


def jobs_of(package: str) -> list[str]:
    """The names of the jobs in a package, which is not imported."""
    spec = _spec_of(package)
    folders = spec.submodule_search_locations if spec else None
    files = (file for folder in folders or () for file in Path(folder, "jobs").glob("*.py"))
    return sorted(file.stem for file in files if file.stem != "__init__")
