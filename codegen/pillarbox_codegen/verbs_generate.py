"""The verb `pillarbox generate`.

Depends on: click, verbs (what a folder is); the generator when it runs.  Never on: the runtime, generated
code.

Law: it ends with 0 when the package is what the schema says (or was made so), 1 when there are findings
in the schema or, under `--check`, in the folder, 2 when it was used wrongly.
"""

from __future__ import annotations

from pathlib import Path

import click

from pillarbox_codegen.verbs import Folder


@click.command()
@click.argument("folder", metavar="SCHEMA_DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--out", required=True, metavar="DIR", type=Folder(),
    help="Where the package goes, as DIR/pillarbox_NAME.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Write nothing; list the files that are not what they should be.")
@click.pass_context
def generate(context: click.Context, folder: Path, out: Path, check: bool) -> None:
    """Turn the schema in SCHEMA_DIR into a typed Python package."""
    from pillarbox_codegen import packages
    from pillarbox_codegen.collecting import kept_to_the_end
    from pillarbox_codegen.diagnostics import SchemaErrors
    from pillarbox_codegen.generate import generate as generate_folder

    try:
        outputs = generate_folder(folder)
        kept_to_the_end()
        difference = packages.compare(outputs, out) if check else packages.write(outputs, out)
        beside = (*difference.stale, *difference.orphans) if check else ()
        foreign = [out / name for name in beside if not packages.is_ours(out / name)]
    except SchemaErrors as errors:
        click.echo(errors.render())
        context.exit(1)
    except packages.ForeignFile as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        text = f"cannot write into {out}: {error.strerror}; name a folder that you may write to"
        raise click.UsageError(text) from error
    package = out / next(iter(outputs)).partition("/")[0]
    lines = difference.lines()
    if check and lines:
        for line in lines:
            click.echo(line)
        click.echo(f"{package} is not what {folder} says; run `pillarbox generate {folder} --out {out}`")
        for path in foreign:  # which that leaves as they are
            click.echo(f"{path} was not generated; move it away before")
        context.exit(1)
    written, removed = len(difference.missing) + len(difference.stale), len(difference.orphans)
    told = f", {written} written, {removed} removed" if lines else ", nothing to change"
    click.echo(f"{package}: {len(outputs)} files{told}")
