"""The verbs of the command line: found by entry point, imported when used.

Depends on: click, installing.  Never on: any verb; each package adds its own
through the group `pillarbox.verbs`.
Law: listing the verbs imports none of them, so help costs the same however heavy a verb is.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

import click

from pillarbox.installing import install_line

GROUP = "pillarbox.verbs"

EPILOG = (
    "Exit codes: 0 fine, 1 findings, 2 wrong use, 3 store problem, 4 network, 130 interrupted, 141 unread."
)


def run(arguments: Sequence[str] | None) -> int:
    """Run one verb; the exit code it ended with. A verb ends with findings by `ctx.exit(1)`."""
    group = VerbGroup(name="pillarbox", help="A schema in, a typed store out.", epilog=EPILOG)
    click.version_option(package_name="pillarbox")(group)
    return run_command(group, arguments, "pillarbox")


def run_command(command: click.Command, arguments: Sequence[str] | None, called: str) -> int:
    """Run one command, `called` so in its help; the exit code it ended with.

    Raises BrokenPipeError where nobody reads its output any more, KeyboardInterrupt where it is interrupted.
    """
    output = sys.stdout
    try:
        result: object = command.main(arguments, prog_name=called, standalone_mode=False)
    except click.Abort as error:
        cause = error.__cause__
        told = cause.args if isinstance(cause, KeyboardInterrupt) else ()
        raise KeyboardInterrupt(*told) from error
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit as end:
        if sys.stdout is output:
            raise
        raise BrokenPipeError from end  # which click says so: by a stream that takes no more, and 1
    return result if isinstance(result, int) else 0


class VerbGroup(click.Group):
    """The top command. It knows its verbs by name; a verb's module is imported when the verb runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names; what they name is not looked at."""
        return sorted(_installed_verbs())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        verb = _installed_verbs().get(cmd_name)
        if verb is None:
            return None
        with _missing_module_explained(verb):
            command: object = verb.load()
        if not isinstance(command, click.Command):
            raise click.UsageError(
                f"the verb {verb.name!r} ({verb.value}) is no click command; tell that package's authors"
            )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; a verb that is not there is told with the one that may be meant."""
        known = _installed_verbs()
        if args and not args[0].startswith("-") and args[0] not in known:
            close = get_close_matches(args[0], known, n=1)
            ctx.fail(
                f"there is no verb {args[0]!r}; "
                + (f"did you mean {close[0]!r}?" if close else "`pillarbox --help` lists them")
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of verbs in `--help`; click's own would import each verb to ask for its help."""
        rows = [(name, first_doc_line(verb)) for name, verb in sorted(_installed_verbs().items())]
        with formatter.section("Verbs"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> object:
        """Run the verb. Verbs import what is heavy while they run, so it may be missing only then."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError:
            verb = _installed_verbs().get(ctx.invoked_subcommand or "")
            if verb is None:
                raise
            with _missing_module_explained(verb):
                raise


def first_doc_line(verb: EntryPoint) -> str:
    """The first line of the docstring of the function a verb names, read without importing its module.

    Empty when the source is not there to be read: help must not fail over one broken package.
    """
    try:
        spec = find_spec(verb.module)
        tree = ast.parse(Path(spec.origin).read_bytes()) if spec and spec.origin else None
    except (ImportError, OSError, SyntaxError, ValueError):
        return ""
    for node in tree.body if tree else []:
        if isinstance(node, ast.FunctionDef) and node.name == verb.attr:
            lines = (ast.get_docstring(node) or "").splitlines()
            return lines[0].rstrip(".") if lines else ""
    return ""


def _installed_verbs() -> dict[str, EntryPoint]:
    return {verb.name: verb for verb in entry_points(group=GROUP)}


@contextmanager
def _missing_module_explained(verb: EntryPoint) -> Iterator[None]:
    """Turn a missing library into what to install; a module missing from the verb's own package is a bug."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", _package(verb)):
            raise
        raise click.UsageError(
            f"`pillarbox {verb.name}` needs {missing}, which is not installed; "
            f"install it with `{_install_line(verb)}`"
        ) from error


def _package(verb: EntryPoint) -> str:
    return verb.module.partition(".")[0]


def _install_line(verb: EntryPoint) -> str:
    """What to type for a verb: our own packages keep their needs in the extra of their name."""
    if verb.dist is None:
        return install_line(_package(verb))
    extra = _package(verb).removeprefix("pillarbox_")
    known = verb.dist.metadata.get_all("Provides-Extra") or []
    return install_line(verb.dist.name, extra if extra in known else "")
