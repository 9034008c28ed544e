"""What is wrong with a schema: every finding at once, each with its place, its code and a way out.

Depends on: nothing.  Never on: YAML, the checker.

Law: a finding without a place in a file cannot be made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

#: More findings than this are counted, not shown: they are nearly always echoes of the first ones.
DIAGNOSTICS_MAX: Final = 200

#: Nobody mistypes a name longer than this.
WORD_MAX: Final = 60

#: A line of the file is shown up to this many characters.
SHOWN_LINE_MAX: Final = 160


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding; `line` and `column` count from 1, columns in characters."""

    file: str
    line: int
    column: int
    code: str
    text: str
    suggestion: str | None = None

    def headline(self, prefix: str = "") -> str:
        """One line in the form editors and terminals can jump to."""
        return f"{prefix}{self.file}:{self.line}:{self.column}: [{self.code}] {self.text}"


class SchemaErrors(Exception):
    """A schema folder has findings. Fix the YAML; nothing was generated.

    `diagnostics` is sorted by file, line and column and never empty; `left_out` counts those above the cap.
    """

    def __init__(
        self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], folder: str = ""
    ) -> None:
        every = sorted(set(diagnostics), key=lambda found: (*_order(found), found.suggestion or ""))
        self.diagnostics = tuple(every[:DIAGNOSTICS_MAX])
        self.left_out = len(every) - len(self.diagnostics)
        self._sources = dict(sources)
        self._folder = folder
        super().__init__(self.render())

    def render(self) -> str:
        """All findings for a terminal: place, sentence, the line with a caret, what to do."""
        prefix = f"{self._folder.rstrip('/')}/" if self._folder else ""
        blocks = [self._block(found, prefix) for found in self.diagnostics]
        total = len(self.diagnostics) + self.left_out
        blocks.append(f"{total} finding{'s' if total != 1 else ''}" + self._tail())
        return "\n".join(blocks)

    def _tail(self) -> str:
        return f", the first {len(self.diagnostics)} are shown" if self.left_out else ""

    def _block(self, found: Diagnostic, prefix: str) -> str:
        lines = [found.headline(prefix), *_excerpt(self._sources.get(found.file, ""), found)]
        if found.suggestion:
            lines.append(f"    {found.suggestion}")
        return "\n".join(lines)


def _order(found: Diagnostic) -> tuple[str, int, int, str, str]:
    return found.file, found.line, found.column, found.code, found.text


def _excerpt(source: str, found: Diagnostic) -> list[str]:
    lines = source.split("\n")
    if not source or found.line > len(lines):
        return []
    line = lines[found.line - 1].rstrip("\r")
    start = max(0, found.column - 1 - SHOWN_LINE_MAX // 2) if len(line) > SHOWN_LINE_MAX else 0
    shown = line[start : start + SHOWN_LINE_MAX].replace("\t", " ")
    return [f"    {shown}", "    " + " " * (found.column - 1 - start) + "^"]


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A sentence with the nearest known word, or none when nothing is near."""
    near = nearest(word, known)
    return f"did you mean `{near}`?" if near is not None else None


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was meant, as far as its spelling tells."""
    if len(word) > WORD_MAX:  # comparing costs the product of the lengths
        return None
    words = sorted({one for one in known if len(one) <= WORD_MAX})
    near = [one for one in words if one.lower() == word.lower()]
    near = near or get_close_matches(word, words, n=1, cutoff=0.6)
    return near[0] if near else None


def left_out(required: Iterable[str], given: Iterable[str], known: Collection[str]) -> list[str]:
    """What is required and not given. Under another spelling it is, and is told where it stands."""
    words = set(given)
    meant = {nearest(word, known) for word in words if word not in known}
    return [word for word in required if word not in words and word not in meant]


def all_of(words: Iterable[str]) -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def one_of(words: Iterable[str]) -> str:
    """`a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
