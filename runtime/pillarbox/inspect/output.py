"""Rows and numbers on a terminal.

Depends on: nothing.  Never on: where they come from.

Law: columns are aligned whatever is in them; nothing is cut off without a mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

_CUT: Final = "..."


def columns(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: frozenset[int] = frozenset(),
    widest: int = 40,
) -> Iterator[str]:
    """Lines of a table under its head; the columns in `right` end together. Longer cells end in dots, but for
    those of the head: names may differ at their very end.
    """
    cut = [list(head), *([_cut(cell, widest) for cell in row] for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*cut, strict=True)]
    for row in cut:
        cells = [
            " " * (width - _width(cell)) + cell if at in right else cell + " " * (width - _width(cell))
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _cut(cell: str, widest: int) -> str:
    if _width(cell) <= widest:
        return cell
    kept = cell[:widest]
    while _width(kept) > widest - len(_CUT):
        kept = kept[:-1]
    return kept + _CUT


def _width(text: str) -> int:
    """Places on a terminal: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )
