"""What the plans of kept tables share: the class inside a transaction, and what it has of a reader.

Depends on: model, names, hints, frame.  Never on: any word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """What a word adds to the reader of its table: another base, class variables, and a template."""

    base: str = ""
    #: `EDGES = Edges(..)`
    constants: tuple[str, ...] = ()
    template: str = ""
    word: Any = None


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """The class of a kept table inside a transaction; `word` is what its template prints."""

    template: str
    name: str
    doc: str
    base: str
    row_class: str
    reader: str
    constants: tuple[str, ...] = ()
    word: Any = None
    reading: ReadingPlan | None = None


PlanKept: TypeAlias = Callable[[model.Schema, Imports, model.Table], KeptPlan]

#: Kind of rule -> what plans its table. Filled by the modules of the words.
KEPT: Final[dict[type, PlanKept]] = {}


def kept_plan(
    imports: Imports,
    table: model.Table,
    *,
    template: str,
    base: str,
    constants: tuple[str, ...] = (),
    word: Any = None,
    reading: ReadingPlan | None = None,
) -> KeptPlan:
    """The plan, with what follows from the table."""
    return KeptPlan(
        template=template,
        name=names.table_class(table),
        doc=printing.docstring(f"`{table.name}` inside a transaction.", 4),
        # By the module: a table may well be called `places` or `ranges`.
        base=f"{imports.use_module('pillarbox.maintainers')}.{base}",
        row_class=imports.use(".types", names.row_class(table.name)),
        reader=names.reader_class(table.name),
        constants=constants,
        word=word,
        reading=reading,
    )


#: What methods of lists and ranges call their own.
_OWN: Final = {"at", "each", "items", "kept", "list", "places", "rows", "rules", "same_set", "spaces"}


def parameter_of(table: model.Table, name: str) -> str:
    """The parameter of a method of a list or of ranges that takes a part of this name."""
    functions = {f"{table.name}_{what}" for what in ("edge", "places_key", "spaces")}
    return names.safe(names.parameter(name, table.name), _OWN | functions)


def typed(schema: model.Schema, imports: Imports, table: model.Table, parts: Any) -> list[str]:
    """`project_id: ProjectId`, .. of key parts or fields."""
    return [
        f"{parameter_of(table, part.name)}: {hints.annotation(schema, imports, part.type)}" for part in parts
    ]


def prefix_text(imports: Imports, table: model.Table, length: int, values: Sequence[str]) -> str:
    """The bytes that the keys of the first `length` parts begin with."""
    if not length:
        return 'b""'
    function = imports.use(".keys", names.prefix_function(table.name, length))
    return f"{function}({', '.join(values[:length])})"


def handed_to(table: model.Table) -> tuple[str, ...]:
    """The tables that this one is handed: those that it writes besides itself."""
    match table.rule:
        case model.ItemList():
            return (model.places_of(table.name),)
        case model.Ranges(seeded=True):
            return (model.marks_of(table.name),)
        case _:
            return ()
