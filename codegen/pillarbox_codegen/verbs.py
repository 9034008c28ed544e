"""The verbs that work on schemas: `pillarbox init` and `pillarbox check`.

Depends on: click; the checks when they run.  Never on: the runtime, generated code.

Law: a verb ends with 0 when all is well, 1 when there are findings, 2 when it was used wrongly.
"""

from __future__ import annotations

import os
from importlib.resources import files
from os import PathLike
from pathlib import Path

import click

from pillarbox_codegen.model import Schema

STARTER = "starter"
SCHEMA_FILE = "pillarbox.schema.json"


class Folder(click.Path):
    """A folder to write into. No name, as of a variable that is not set, is not the current one."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(
        self,
        value: str | PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | PathLike[str]:
        if not os.fspath(value):
            self.fail("a folder has a name; write . for the current one", param, ctx)
        return super().convert(value, param, ctx)


@click.command()
@click.argument("folder", metavar="DIR", type=Folder())
def init(folder: Path) -> None:
    """Write a small commented schema to start from into DIR."""
    package = files("pillarbox_codegen")
    sources = [entry for entry in package.joinpath(STARTER).iterdir() if entry.name.endswith(".yaml")]
    try:
        if folder.exists() and any(folder.iterdir()):
            raise click.UsageError(
                f"{folder} is not empty; name a folder that is, or that does not exist yet"
            )
        folder.mkdir(parents=True, exist_ok=True)
        for source in sorted([*sources, package.joinpath(SCHEMA_FILE)], key=lambda entry: entry.name):
            (folder / source.name).write_bytes(source.read_bytes())
            click.echo(f"wrote {folder / source.name}")
    except OSError as error:
        text = f"cannot write into {folder}: {error.strerror}; name a folder that you may write to"
        raise click.UsageError(text) from error
    click.echo(f"next: pillarbox check {folder}")


@click.command()
@click.argument("folder", metavar="SCHEMA_DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.pass_context
def check(context: click.Context, folder: Path) -> None:
    """Check the schema in SCHEMA_DIR and tell everything that is wrong with it."""
    from pillarbox_codegen.check import load_schema
    from pillarbox_codegen.collecting import kept_to_the_end
    from pillarbox_codegen.diagnostics import SchemaErrors

    try:
        schema = load_schema(folder)
        kept_to_the_end()
    except SchemaErrors as errors:
        click.echo(errors.render())
        context.exit(1)
    click.echo(f"{folder}: {summary(schema)}: fine")


def summary(schema: Schema) -> str:
    """`tracker: 31 tables, 19 operations, ..`."""
    primary = sum(table.role == "primary" for table in schema.tables.values())
    derived = sum(table.role == "derived" for table in schema.tables.values())
    kept = sum(table.role == "kept" for table in schema.tables.values())
    counts = [
        (primary, "table"), (derived, "derived table"), (kept, "kept table"),
        (len(schema.operations), "operation"), (len(schema.updates), "update"), (len(schema.views), "view"),
    ]  # fmt: skip
    shown = [f"{count} {noun}{'s' if count != 1 else ''}" for count, noun in counts if count]
    return f"{schema.name}: {', '.join(shown) or 'nothing yet'}"
