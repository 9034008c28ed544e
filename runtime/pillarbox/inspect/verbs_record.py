"""The verbs for sessions of the sync engine: record one, show a record, replay it.

Depends on: click; everything else when it runs.  Never on: any generated package, which is found by name.

Law: `record show` writes nothing; `replay` writes what the session wrote, or says at which entry it cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from pillarbox.errors import UsageError

if TYPE_CHECKING:
    from pillarbox.inspect.packages import Synced

_FILE: Final = click.argument("file", type=click.Path(readable=False))
_INTO: Final = click.option(
    "--into", "box", metavar="BOX", required=True, help="The box; made if it is missing."
)
_PACKAGE: Final = click.option(
    "--package", metavar="NAME", help="The generated package; by default pillarbox_ and the record's schema."
)


@click.group()
def record() -> None:
    """Write down a session of the sync engine, or show one."""


@record.command("run")
@_FILE
@_INTO
@click.option("--package", metavar="NAME", required=True, help="The generated package.")
@click.option(
    "--transport", metavar="MODULE:NAME", required=True, help="What makes the transport, called bare."
)
@click.option("--seconds", type=click.FloatRange(min=0), help="How long; by default until it is interrupted.")
def run(file: str, box: str, package: str, transport: str, seconds: float | None) -> None:
    """Keep BOX in step with a server, and append all that happens to FILE."""
    import anyio

    from pillarbox.box import Box
    from pillarbox.inspect.packages import named, synced
    from pillarbox.sync.engine import Engine

    found = synced(package)
    make = named(transport, "--transport")

    async def main() -> None:
        carrier = make()  # here, as it may need the event loop
        if not all(callable(getattr(carrier, name, None)) for name in ("send", "listen")):
            raise UsageError(
                f"--transport {transport}: it makes {type(carrier).__name__!r}, which has no `send` and "
                f"`listen`; name what makes a transport"
            )
        with Box(box, found.package) as opened, anyio.move_on_after(seconds):
            await Engine(opened, found.protocol, carrier, record=file).run()

    anyio.run(main)


@record.command("show")
@_FILE
@_PACKAGE
def show(file: str, package: str | None) -> None:
    """Print what is in FILE.

    An entry a line: seconds since it began, what, and its contents.
    """
    from pillarbox.inspect.sessions import lines
    from pillarbox.sync.record_entries import read_record

    found = read_record(file)
    for line in lines(found, _synced(package, found.header.package)):
        click.echo(line)
    if found.torn:
        click.echo(f"{file}: {found.torn} bytes at the end are no whole entry")


@click.command()
@_FILE
@_INTO
@_PACKAGE
def replay(file: str, box: str, package: str | None) -> None:
    """Run the sessions in FILE again, into a box as it was when the first of them began.

    It needs no server. What others wrote to the box, the program too, is in no record; it is told where
    that began.
    """
    from pillarbox.box import Box
    from pillarbox.sync.record_entries import read_record
    from pillarbox.sync.replaying import replay_record

    found = read_record(file)
    with_ = _synced(package, found.header.package)
    with Box(box, with_.package) as opened:
        done = replay_record(found, opened, with_.protocol)
    click.echo(
        f"{box}: {done.sessions} session{'' if done.sessions == 1 else 's'}, {done.entries:,} entries, "
        f"{done.commits:,} commits, {done.events:,} events"
    )
    if done.left_out:
        click.echo(f"{done.left_out} of the program's own transactions are in no record, and were left out")
    if done.beside:
        click.echo(
            f"others wrote {done.beside} times, the program or another process, first before entry "
            f"{done.first_beside}: that is in no record, and from there on this box may be another"
        )
    if found.torn:
        click.echo(f"{file}: {found.torn} bytes at the end are no whole entry, and were left out")


def _synced(name: str | None, schema: str) -> Synced:
    from pillarbox.inspect.packages import synced

    if name is None and not schema.isidentifier():
        raise UsageError(f"{schema!r} names no package; name one by --package")
    return synced(f"pillarbox_{schema}" if name is None else name)
