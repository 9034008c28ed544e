"""The verb for a schema that changes: breaking.

Depends on: click; everything else when it runs.  Never on: generated packages; they are read, not imported.

Law: it writes nothing but its output.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pillarbox.inspect.versions import Foretold


@click.command()
@click.argument("package", metavar="PACKAGE_DIR", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--against",
    metavar="WHAT",
    required=True,
    help="A revision of git, the folder of another state of the package, or a box.",
)
@click.pass_context
def breaking(ctx: click.Context, package: Path, against: str) -> None:
    """Tell what a generated package makes of the boxes of an earlier state of it.

    PACKAGE_DIR is its folder, such as generated/pillarbox_shop. Ends with 1 where it would refuse such a box,
    or only read it.
    """
    from pillarbox.inspect.versions import foretold

    told = foretold(package, against)
    found = told.difference
    reasons = found.reasons()
    if reasons:
        _tell(f"a box of {against} is refused:", reasons)
    elif found.lacks:
        _tell(f"a box of {against} can be read and not written, since the package lacks:", found.lacks)
        click.echo("put that back into the schema (a table's id into its `reserved`, to drop it)")
    elif found.same:
        click.echo(f"a box of {against} opens as it is")
    else:
        _tell(f"a box of {against} is brought along when it is opened:", _steps(told))
    if reasons or found.lacks:
        ctx.exit(1)


def _steps(told: Foretold) -> list[str]:
    """What becomes of a box that is brought along."""
    return [
        *(f"the package has {it}" for it in told.difference.adds),
        *(
            f"table {told.difference.names[number]!r} ({number}) is dropped with all its rows"
            for number in told.difference.drop
        ),
        *(f"derived table {table} is made again" for table in told.again),
        *(f"all groups of table {table} are put in doubt" for table in told.doubtful),
        *told.beyond,
        *(
            f"table {told.difference.names[number]!r} ({number}) is clipped to its `from` and `to`"
            for number in told.difference.clip
        ),
        *(
            f"unique table {table} is filled: a box with rows that share a key is refused"
            for table in told.strict
        ),
    ]


def _tell(head: str, lines: list[str]) -> None:
    click.echo(head)
    for line in lines:
        click.echo(f"  {line}")
