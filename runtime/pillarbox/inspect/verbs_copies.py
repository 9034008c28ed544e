"""The verbs for boxes beside a box: diff, backup.

Depends on: click; everything else when it runs.  Never on: generated packages; the layout is in the box.

Law: no box that is there is changed, and no file replaced.
"""

from __future__ import annotations

import os

import click

from pillarbox.inspect.findings import SHOWN_MAX


@click.command()
@click.argument("one", type=click.Path(readable=False))
@click.argument("other", type=click.Path(readable=False))
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(0),
    default=SHOWN_MAX,
    show_default=True,
    help="Rows that are told of each table; the rest is counted.",
)
@click.option("--bytes", "by_bytes", is_flag=True, help="Tell also of rows that say the same by other bytes.")
@click.pass_context
def diff(ctx: click.Context, one: str, other: str, limit: int, by_bytes: bool) -> None:
    """Tell where two boxes differ, table by table and row by row.

    Rows that only one of them has, and of the others each field that differs, as `field ONE -> OTHER`. Ends
    with 1 when they differ.
    """
    from pillarbox.inspect.differing import differ
    from pillarbox.inspect.findings import Findings
    from pillarbox.inspect.stored import looked_at

    findings = Findings(lambda finding: click.echo(str(finding)), shown_max=limit)
    with looked_at(one) as first, looked_at(other) as second:
        differ(first, second, findings, (one, other), by_bytes=by_bytes)
    for table, count in findings.untold():
        click.echo(f"table {table}: and {count:,} more")
    if findings.total:
        ctx.exit(1)
    click.echo("no difference")


@click.command()
@click.argument("box", type=click.Path(readable=False))
@click.argument("to", type=click.Path(readable=False))
@click.pass_context
def backup(ctx: click.Context, box: str, to: str) -> None:
    """Copy a box as of its last commit into a new file, while others write.

    The file has its name only once it is whole and on the disk, and everything in it reads. One that is there
    is never replaced. Ends with 1, and without a file, where `verify` would find something wrong.
    """
    from pillarbox.inspect.copying import copied
    from pillarbox.inspect.findings import Findings
    from pillarbox.inspect.stored import looked_at

    findings = Findings(lambda finding: click.echo(str(finding), err=True))
    with looked_at(box) as stored:
        done = copied(stored, to, findings)
    for table, count in findings.untold():
        click.echo(f"{'the file' if table is None else f'table {table}'}: and {count:,} more", err=True)
    if not done:
        click.echo(
            f"{box}: there is something wrong with it, so it was not copied; put an earlier backup in its "
            f"place, or copy its files as they are",
            err=True,
        )
        ctx.exit(1)
    click.echo(f"{to}: {os.path.getsize(to):,} bytes")
