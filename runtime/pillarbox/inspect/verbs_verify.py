"""The verbs that check a box and mend what follows from the rest of it: verify, repair.

Depends on: click; everything else when it runs.  Never on: any generated package, which is found by name.

Law: `verify` writes nothing; `repair` writes pure tables alone.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click

from pillarbox.errors import DataError, UsageError

if TYPE_CHECKING:
    from pillarbox.inspect.findings import Findings
    from pillarbox.inspect.verify import Level

_BOX: Final = click.argument("box", type=click.Path(readable=False))
_PACKAGE: Final = click.option(
    "--package", metavar="NAME", help="The generated package; by default pillarbox_ and the box's schema."
)
_LEVELS: Final = ("quick", "records", "derived")


@click.command()
@_BOX
@click.option("--level", type=click.Choice(_LEVELS), default="records", show_default=True)
@_PACKAGE
@click.pass_context
def verify(ctx: click.Context, box: str, level: Level, package: str | None) -> None:
    """Check a box, and print what is wrong with it.

    `quick`: SQLite's own check, and the stored layout. `records`: and every key and record reads. `derived`:
    and every pure table is what its sources make it, by the generated package. Ends with 1 when something is
    wrong.
    """
    from pillarbox.inspect.findings import Findings
    from pillarbox.inspect.packages import package_of
    from pillarbox.inspect.stored import opened, stored
    from pillarbox.inspect.verify import verify as check

    findings = Findings(lambda finding: click.echo(str(finding)))
    with opened(box) as engine:
        found = None
        if level == "derived":
            with suppress(DataError):  # a layout that cannot be read is a finding, as one is that was changed
                whose = stored(engine)
                found = package_of(whose, package) if whose.is_whole else None
        check(engine, level, found, findings)
        path = engine.path
    _tell_untold(findings, err=False)
    if findings.total:
        click.echo(f"{path}: {findings.total:,} finding{'s' if findings.total > 1 else ''} ({level})")
        ctx.exit(1)
    click.echo(f"{path}: nothing wrong ({level})")


@click.command()
@_BOX
@click.option(
    "--derived", is_flag=True, help="Make the pure tables what their sources make them. Has to be given."
)
@_PACKAGE
@click.pass_context
def repair(ctx: click.Context, box: str, derived: bool, package: str | None) -> None:
    """Put right what follows from the rest of a box, in one transaction.

    Tables that follow from nothing are never touched. A file whose pages are damaged is refused. Ends with 1
    when a table could not be made anew, or anything else is wrong with the box, which is told.
    """
    from pillarbox.inspect.findings import Findings
    from pillarbox.inspect.packages import package_of
    from pillarbox.inspect.repair import repair_derived
    from pillarbox.inspect.stored import opened, stored
    from pillarbox.inspect.verify import verify as check
    from pillarbox.storage import open_engine

    if not derived:
        raise UsageError("nothing else than `--derived` can be repaired; what is lost elsewhere, fetch again")
    with opened(box) as engine:
        found = package_of(stored(engine), package)
        path = engine.path
    writing = open_engine(path, durability="durable")
    try:
        outcome = repair_derived(writing, found)
    finally:
        writing.close()
    for table in outcome.repaired:
        click.echo(f"table {table.table}: {table.written:,} rows written, {table.removed:,} removed")
    if not outcome.repaired:
        click.echo(f"{path}: nothing to repair")
    for name, reason in outcome.failed.items():
        click.echo(f"table {name}: it cannot be made anew: {reason}", err=True)
    left = Findings(lambda finding: click.echo(f"{finding} (a repair leaves this as it is)", err=True))
    with opened(path) as engine:
        check(engine, "derived", found, left, made_anew=True)
    _tell_untold(left, err=True)
    if outcome.failed or left.total:
        ctx.exit(1)


def _tell_untold(findings: Findings, *, err: bool) -> None:
    for table, count in findings.untold():
        click.echo(f"{'the file' if table is None else f'table {table}'}: and {count:,} more", err=err)
