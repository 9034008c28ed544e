"""The verbs that look into a box: stat, ls, get, scan, keys.

Depends on: click; everything else when it runs.  Never on: generated packages; the layout is in the box.

Law: they write nothing but their output; a box of a newer package reads as well as one's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from pillarbox.errors import UsageError

if TYPE_CHECKING:
    from pillarbox.inspect.shape import TableShape
    from pillarbox.inspect.stored import Row, Stored, Table

_BOX: Final = click.argument("box", type=click.Path(readable=False))
_TABLE: Final = click.argument("table")
_AS_JSON: Final = click.option("--json", "as_json", is_flag=True, help="One JSON object a line, nothing cut.")
#: So that a negative number is a value, not an option.
_NUMBERS: Final = {"ignore_unknown_options": True}


@click.command()
@_BOX
def stat(box: str) -> None:
    """Tell how much a box holds, table by table."""
    from pillarbox.inspect.journal import journal_text
    from pillarbox.inspect.output import columns
    from pillarbox.inspect.stored import looked_at
    from pillarbox.storage.journal import JOURNAL
    from pillarbox.storage.surveys import file_size, table_ids, table_size

    with looked_at(box) as stored:
        size = file_size(stored.engine)
        click.echo(f"schema   {stored.layout.schema}, layout {stored.layout_hash}")
        click.echo(f"file     {size.file_bytes:,} bytes, of which {size.free_bytes:,} are free")
        click.echo(f"log      {size.wal_bytes:,} bytes")
        present = table_ids(stored.engine)
        if JOURNAL.id in present:
            click.echo(f"journal  {journal_text(stored.engine)}")
        click.echo()
        rows = []
        for shape in stored.layout.tables.values():
            if shape.id not in present:
                rows.append([str(shape.id), shape.name, shape.kind, "missing", "", "", ""])
                continue
            held = table_size(stored.engine, shape.stored)
            numbers = [held.rows, held.key_bytes, held.value_bytes, held.page_bytes]
            texts = ["-" if number is None else f"{number:,}" for number in numbers]
            rows.append([str(shape.id), shape.name, shape.kind, *texts])
        head = ["id", "table", "word", "rows", "keys", "values", "on disk"]
        for line in columns(head, rows, right=frozenset({0, 3, 4, 5, 6}), widest=1 << 30):
            click.echo(line)


@click.command()
@_BOX
def ls(box: str) -> None:
    """List the tables of a box, with the shapes of their keys and records."""
    from pillarbox.inspect.stored import looked_at

    with looked_at(box) as stored:
        for shape in stored.layout.tables.values():
            click.echo(f"{shape.id:>5}  {shape.name}  ({shape.kind}, {shape.layout})")
            key = ", ".join(f"{part.name}: {part.type}{' desc' if part.desc else ''}" for part in shape.key)
            click.echo(f"       key     {{{key}}}")
            if shape.record.fields:
                fields = ", ".join(
                    f"{field.name}: [{field.number}, {field.type}]" for field in shape.record.fields
                )
                click.echo(f"       record  {{{fields}}}")


@click.command(context_settings=_NUMBERS)
@_BOX
@_TABLE
@click.argument("key", nargs=-1, type=click.UNPROCESSED)
@_AS_JSON
@click.pass_context
def get(ctx: click.Context, box: str, table: str, key: tuple[str, ...], as_json: bool) -> None:
    """Print the row under a key.

    KEY is a value for each part of the key: numbers, enums and flags by name or number, packed ids as
    `part:part`, bytes as 0x.., text as it is or as JSON, in quotes; behind `--` where one begins so. Ends
    with 1 when there is no such row.
    """
    from pillarbox.inspect.output import columns
    from pillarbox.inspect.stored import looked_at
    from pillarbox.inspect.verify import shown_key

    with looked_at(box) as stored:
        shape = stored.named(table)
        reading = stored.table(shape)
        parts = _parsed(stored, shape, key)
        if len(parts) != len(shape.key):
            missing = ", ".join(part.name for part in shape.key[len(parts) :])
            raise UsageError(f"{_key_of(shape)}; give {missing} as well")
        stored_key = reading.keys.encode(parts)
        value = stored.engine.get(shape.stored, stored_key)
        if value is None:
            told = shown_key(stored.values, shape, reading.keys, stored_key)
            click.echo(f"table {shape.name} has no row {told}", err=True)
            ctx.exit(1)
        row = reading.row(stored_key, value)
        if as_json:
            click.echo(_json_line(stored, shape, row))
            return
        names = [*(part.name for part in shape.key), *(field.name for field in shape.record.fields)]
        texts = _texts(stored, shape, row)
        for line in columns(["field", "value"], list(zip(names, texts, strict=True)), widest=1 << 30):
            click.echo(line)


@click.command()
@_BOX
@_TABLE
@click.option("--prefix", metavar="VALUE", multiple=True, help="Of the key's first part; again for the next.")
@click.option("--from", "from_", metavar="VALUE", multiple=True, help="Begin here, behind the prefix.")
@click.option("--to", metavar="VALUE", multiple=True, help="End before this, behind the prefix.")
@click.option("--newest-first", is_flag=True, help="From the last key to the first.")
@click.option("--limit", metavar="N", type=click.IntRange(0), help="At most so many rows.")
@_AS_JSON
def scan(
    box: str,
    table: str,
    prefix: tuple[str, ...],
    from_: tuple[str, ...],
    to: tuple[str, ...],
    newest_first: bool,
    limit: int | None,
    as_json: bool,
) -> None:
    """Print the rows of a table, in the order of their keys.

    `--from` is in, `--to` is out, both in the order of the stored keys: where a part is descending, the
    greater value comes first. Values are written as for `get`.
    """
    from pillarbox.inspect.scanning import Bounds, rows_within
    from pillarbox.inspect.stored import looked_at

    with looked_at(box) as stored:
        shape = stored.named(table)
        reading = stored.table(shape)
        begin = _parsed(stored, shape, (*prefix, *from_)) if from_ else None
        end = _parsed(stored, shape, (*prefix, *to)) if to else None
        bounds = Bounds.of(reading.keys, _parsed(stored, shape, prefix), begin, end)
        found = rows_within(stored.engine, shape, bounds, newest_first=newest_first, limit=limit)
        if as_json:
            for key, value in found:
                click.echo(_json_line(stored, shape, reading.row(key, value)))
        else:
            _print_table(stored, shape, reading, found)


@click.command()
@_BOX
@_TABLE
@click.option("--explain", metavar="HEX", required=True, help="A stored key, as errors show it.")
@click.pass_context
def keys(ctx: click.Context, box: str, table: str, explain: str) -> None:
    """Take a stored key apart, byte by byte.

    Ends with 1 when the bytes are no key of the table, having said which of them are wrong.
    """
    from pillarbox.inspect.output import columns
    from pillarbox.inspect.stored import looked_at

    try:
        key = bytes.fromhex(explain.removeprefix("0x"))
    except ValueError:
        raise UsageError(f"{explain!r} is no hex: two of 0-9a-f for each byte, as 0x80ff") from None
    with looked_at(box) as stored:
        shape = stored.named(table)
        parts, wrong = stored.table(shape).keys.explain(key)
        rows = [
            [
                f"{part.begin}..{part.end}",
                part.raw.hex(),
                part.shape.name,
                f"{part.shape.type}{' desc' if part.shape.desc else ''}",
                stored.values.text_of(part.shape.type, part.value),
            ]
            for part in parts
        ]
        for line in columns(["bytes", "hex", "part", "type", "value"], rows, widest=1 << 30):
            click.echo(line)
        if wrong is not None:
            click.echo(f"no key of table {shape.name}: {wrong}", err=True)
            ctx.exit(1)


def _parsed(stored: Stored, shape: TableShape, texts: tuple[str, ...]) -> list[Any]:
    """Values of the key's first parts. What is too many `encode` refuses."""
    if len(texts) > len(shape.key):
        given = "1 value was given" if len(texts) == 1 else f"{len(texts)} values were given"
        raise UsageError(f"{_key_of(shape)}; {given}")
    found = []
    for part, text in zip(shape.key, texts, strict=False):
        try:
            found.append(stored.values.parsed(part.type, text))
        except UsageError as error:
            raise UsageError(f"{shape.name}.{part.name}: {error}") from None
    return found


def _key_of(shape: TableShape) -> str:
    names = ", ".join(part.name for part in shape.key) or "nothing"
    return f"a key of table {shape.name!r} is {names}"


def _json_line(stored: Stored, shape: TableShape, row: Row) -> str:
    from pillarbox.inspect.values import as_json

    key = zip(shape.key, row.key, strict=True)
    fields = zip(shape.record.fields, row.fields, strict=True)
    line: dict[str, Any] = {part.name: stored.values.shown(part.type, value) for part, value in key}
    line |= {field.name: stored.values.shown(field.type, value) for field, value in fields}
    return as_json(line)


def _texts(stored: Stored, shape: TableShape, row: Row) -> list[str]:
    types = [*(part.type for part in shape.key), *(field.type for field in shape.record.fields)]
    values = [*row.key, *row.fields]
    return [stored.values.text_of(type_, value) for type_, value in zip(types, values, strict=True)]


def _print_table(stored: Stored, shape: TableShape, reading: Table, found: Any) -> None:
    """Page by page, so that a table of any size begins to come at once; columns fit their page."""
    from itertools import islice

    from pillarbox.inspect.output import columns

    head = [*(part.name for part in shape.key), *(field.name for field in shape.record.fields)]
    first = True
    while page := list(islice(found, 200)):
        rows = [_texts(stored, shape, reading.row(key, value)) for key, value in page]
        for number, line in enumerate(columns(head, rows)):
            if first or number:
                click.echo(line)
        first = False
