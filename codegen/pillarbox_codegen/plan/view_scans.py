"""The word `scan` as Python: what is scanned, from where to where, and how much of it.

Depends on: model, expr_python, view_pieces.  Never on: other words of views.

Law: a scan over a list of values has a lane for each; what differs from row to row is in the arguments that
rows share a scan by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import compile_loop, compile_parts
from pillarbox_codegen.plan.view_pieces import Pieces, where_there
from pillarbox_codegen.python_code import FALSE, Code, both
from pillarbox_codegen.type_rules import present


@dataclass(frozen=True, slots=True)
class ScanTerms:
    """`word(spec, name=lambda: text, ..)`; `stretch` is the first of these, and says what is scanned."""

    word: str
    stretch: tuple[str, str]
    bounds: tuple[tuple[str, str], ...]
    limit: str | None


def has_lanes(part: model.ScanPart) -> bool:
    """Whether it is over a list of values."""
    return any(isinstance(present(expr.type), model.ListOf) for expr in part.prefix)


def read_by(part: model.ScanPart) -> tuple[model.Expr, ...]:
    """The terms of what is scanned, besides the condition on rows."""
    more = [expr for expr in (part.starts_with, part.limit) if expr is not None]
    return (*part.prefix, *part.low, *part.high, *more)


def terms_of_scan(pieces: Pieces, part: model.ScanPart) -> ScanTerms:
    """The texts of a scan."""
    limit = None if part.limit is None else pieces.number(part, part.limit, "None")
    if has_lanes(part):
        return ScanTerms("LaneScan", ("prefixes", _prefixes(pieces, part)), (), limit)
    bounds = [
        (word, _bound(pieces, part, exprs))
        for word, exprs in (("low", part.low), ("high", part.high))
        if exprs
    ]
    return ScanTerms("Scan", ("prefix", _prefix(pieces, part)), tuple(bounds), limit)


def scan_call(pieces: Pieces, part: model.ScanPart, terms: ScanTerms, rest: Iterable[str]) -> str:
    """The part; `rest` are the arguments that go beyond what is scanned."""
    arguments = [
        pieces.spec(part.table),
        *[f"{name}=lambda: {text}" for name, text in (terms.stretch, *terms.bounds)],
        *pieces.source(part.table, part.rows),
        *(["chain=True"] if part.chain else []),
        *(["newest_first=True"] if part.newest_first else []),
        *([] if terms.limit is None else [f"limit=lambda: {terms.limit}"]),
        *rest,
    ]
    return pieces.call(terms.word, arguments)


def _prefix(pieces: Pieces, part: model.ScanPart) -> str:
    table = pieces.schema.tables[part.table]
    if part.starts_with is None:
        return pieces.prefix(part.common.when, table, part.prefix)
    there, texts = compile_parts([*part.prefix, part.starts_with], pieces.plain)
    condition = both((pieces.when(part.common.when), there))
    if condition == FALSE:
        return "None"
    return where_there(Code(_begun(pieces, table, texts)), condition)


def _begun(pieces: Pieces, table: model.Table, texts: Sequence[str]) -> str:
    """A prefix, and the beginning of the part that follows, which is the last of `texts`."""
    *prefix, start = texts
    options = ", descending=True" if table.key[len(prefix)].desc else ""
    beginning = f"{pieces.imports.use('pillarbox.codec', 'beginning')}({start}{options})"
    return f"{pieces.key_text(table, prefix)} + {beginning}" if prefix else beginning


def _prefixes(pieces: Pieces, part: model.ScanPart) -> str:
    """A tuple of prefixes, since rows share a scan by it."""
    table = pieces.schema.tables[part.table]
    exprs = [*part.prefix, *([] if part.starts_with is None else [part.starts_with])]
    named = [(key.name, expr) for key, expr in zip(table.key, exprs, strict=False)]

    def text(texts: list[str]) -> str:
        return pieces.key_text(table, texts) if part.starts_with is None else _begun(pieces, table, texts)

    there, code = compile_loop(named, pieces.plain, text)
    return where_there(Code(f"tuple({code.text})"), both((pieces.when(part.common.when), there)))


def _bound(pieces: Pieces, part: model.ScanPart, exprs: Sequence[model.Expr]) -> str:
    """A key or the beginning of some; None where a part of it is absent."""
    return pieces.key(part.common.when, pieces.schema.tables[part.table], (*part.prefix, *exprs))
