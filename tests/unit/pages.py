"""Does what a page of the docs tells its reader to do, and compares what comes out with what the page shows.

Depends on: waiting.  Never on: what the commands do.

Law: every fenced block of a page is a file, or commands, or it is refused; none is skipped.

    `path/of/file.py`:        a line that ends with a path in backticks and a colon, then a fenced block:
                              the block is the file
    ```console                each line that begins with `$ ` is run; the lines under it are its whole output
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import SECONDS_MAX

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMES_FILE = re.compile(r"`([\w./-]+)`[^`\n]*:\n\n?\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block, and the file that the line before it names."""

    line: int
    language: str
    text: str
    file: str | None


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a console block and all that it is shown to print."""

    line: int
    text: str
    shown: str


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a markdown text, in order."""
    for fence in _FENCE.finditer(page):
        before = page[: fence.start()]
        named = _NAMES_FILE.search(before)
        file = named.group(1) if named and fence.group(1) != "console" else None
        yield Block(before.count("\n") + 1, fence.group(1), fence.group(2), file)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block. Raises ValueError for lines that belong to none."""
    head, *rest = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    if head:
        raise ValueError(f"line {block.line}: a console block begins with a command")
    line = block.line + 1
    for entry in rest:
        text, _, shown = entry.partition("\n")
        yield Command(line, text, shown)
        line += entry.count("\n")


def follow(page: str, folder: Path) -> list[str]:
    """Do what the page says in an empty folder; what differs from what it shows, one text each."""
    differences: list[str] = []
    for block in blocks(page):
        if block.language == "console":
            differences += [found for command in commands(block) for found in _run(command, folder)]
        elif block.file is not None:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        else:
            differences.append(f"line {block.line}: neither commands nor a named file")
    return differences


def _run(command: Command, folder: Path) -> Iterator[str]:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-c", command.text],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    if done.returncode:
        yield f"line {command.line}: `{command.text}` ended with {done.returncode}:\n{done.stdout}"
    elif done.stdout != command.shown:
        yield f"line {command.line}: `{command.text}` printed:\n{done.stdout}\nnot:\n{command.shown}"
