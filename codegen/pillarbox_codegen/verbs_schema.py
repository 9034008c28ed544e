"""The verbs `pillarbox schema ..`: what a schema is made of.

Depends on: click; the checks when they run.  Never on: the runtime, generated code.

Law: a verb ends with 0 when all is well, 1 when there are findings, 2 when it was used wrongly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pillarbox_codegen.model import Schema
    from pillarbox_codegen.summary import Lone, Summary

NO_REASON = "no reason given; say it in the schema: `schema: {.., alone: {WORD: why}}`"


@click.group()
def schema() -> None:
    """Tell what a schema is made of."""


@schema.command("summary")
@click.argument("folder", metavar="SCHEMA_DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.pass_context
def summary(context: click.Context, folder: Path, as_json: bool) -> None:
    """Count what is in the schema in SCHEMA_DIR.

    That is tables, maintainers, types, operations, views and lines. A word that none of the schemas beside it
    uses is told, with the reason that the schema gives.
    """
    from pillarbox_codegen.check import load_schema
    from pillarbox_codegen.diagnostics import SchemaErrors
    from pillarbox_codegen.summary import summarize

    try:
        found = summarize(load_schema(folder), _lines(folder), _beside(folder))
    except SchemaErrors as errors:
        click.echo(errors.render())
        context.exit(1)
    click.echo(json.dumps(_plain(found), indent=2) if as_json else "\n".join(_text(found)))


def _lines(folder: Path) -> int:
    files = sorted(folder.rglob("*.yaml"))
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def _beside(folder: Path) -> list[Schema]:
    """The schemas in the folders next to this one; those that have findings are passed over."""
    from pillarbox_codegen.check import load_schema
    from pillarbox_codegen.diagnostics import SchemaErrors

    found = []
    for other in sorted(folder.resolve().parent.iterdir()):
        if other == folder.resolve() or not other.is_dir() or not any(other.glob("*.yaml")):
            continue
        try:
            found.append(load_schema(other))
        except SchemaErrors:
            continue
    return found


def _plain(found: Summary) -> dict[str, object]:
    return {**asdict(found), "tables": found.tables, "records": found.records}


def _text(found: Summary) -> Iterator[str]:
    rows = (
        ("tables", found.tables, _listed(found.roles)),
        ("maintainers", sum(found.maintainers.values()), _listed(found.maintainers)),
        ("types", sum(found.types.values()), _listed(found.types)),
        ("records", found.records, f"{found.cases} of them cases of unions; {found.fields} fields"),
        ("operations", found.operations, _listed(found.steps)),
        ("updates", found.updates, ""),
        ("views", found.views, _listed(found.parts)),
        ("items", found.items, ""),
        ("lines of YAML", found.lines, ""),
    )
    yield f"{found.name}:"
    for name, count, detail in rows:
        yield f"  {name:<14}{count:>6,}  {detail}".rstrip()
    yield from _told(found.lone)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def _told(lone: tuple[Lone, ...] | None) -> Iterator[str]:
    if lone is None:
        yield "  no schema beside it to compare words with"
    elif not lone:
        yield "  every word is used by another schema, too"
    else:
        yield "  words that no schema beside it uses:"
        for one in lone:
            if one.reason:
                yield f"    {one.word.kind} {one.word.name}: {one.reason}"
        bare = [one.word for one in lone if not one.reason]
        for kind in dict.fromkeys(word.kind for word in bare):
            names = [word.name for word in bare if word.kind == kind]
            yield f"    {kind} {', '.join(names)}: {NO_REASON}"
