"""Terms over many rows as Python: the first of them, and folds over what hangs on them.

Depends on: model, expr_python, folds, view_pieces.  Never on: other words of views.

Law: a value over no rows is that of `EMPTY`, and so is one whose part is not there.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_clause
from pillarbox_codegen.plan.folds import fold_text
from pillarbox_codegen.plan.view_pieces import Pieces
from pillarbox_codegen.python_code import TRUE, Level, printed
from pillarbox_codegen.walk import names_in

#: What a fold over no rows gives.
EMPTY: Final = {
    "count": "0", "sum": "0", "min": "None", "max": "None", "any": "False", "every": "True",
}  # fmt: skip


def over_rows(pieces: Pieces, part: model.AggregatePart, rows: str, scope: Scope, target: str = "row") -> str:
    """The value over `rows`, each of which is `target`: the row, or the row and what hangs on it."""
    if part.function == "first":
        text = _first(pieces, part, rows, scope, target)
        empty = "None" if part.of is None else "()"
    else:
        text = fold_text(part.function, part.of, part.where, scope, rows, target=target)
        empty = EMPTY[part.function]
    there = pieces.when(part.common.when)
    return text if there == TRUE else f"{text} if {printed(there).at(Level.OR)} else {empty}"


def over_entries(pieces: Pieces, part: model.AggregatePart, of: model.Part, entries: str) -> str:
    """The value over the entries of an earlier part, of which terms read some children."""
    subject = "item" if isinstance(of, model.EachPart) else "row"
    read = names_in((part.of, part.where)) if part.of is not None or part.where is not None else set()
    texts, numbers = {subject: subject}, []
    for number, child in enumerate(of.common.children):
        if child.common.name in read:
            texts[child.common.name] = pieces.scope.fresh(child.common.name)
            numbers.append(str(number))
    names = list(texts.values())
    target = ", ".join(names) if len(names) > 1 else f"({subject},)"
    return over_rows(
        pieces, part, f"{entries}.each({', '.join(numbers)})", pieces.plain.bind(**texts), target
    )


def _first(pieces: Pieces, part: model.AggregatePart, rows: str, scope: Scope, target: str) -> str:
    """The first row that counts or None, or a tuple of the first rows."""
    one = target.strip("(").split(",")[0]
    wanted = "" if part.where is None else f" if {compile_clause(part.where, scope)}"
    if part.of is None:
        return f"next(({one} for {target} in {rows}{wanted}), None)"
    count = pieces.number(part, part.of, "0")
    end = f":{count}" if isinstance(part.of, model.Literal_) else f": max(0, {count})"
    found = f"[{one} for {target} in {rows}{wanted}]" if wanted or one != target else f"list({rows})"
    return f"tuple({found}[{end}])"
