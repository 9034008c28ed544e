"""Plans `tables.py`: for every table a reader, and what it is inside a transaction.

Depends on: model, names, hints, writers, frame, and the modules of kept words.  Never on: transactions;
tables are handed their identities.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.diagnostics import all_of
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan import kept_bases as kept_bases  # registers its words, as the next ones do
from pillarbox_codegen.plan import kept_list as kept_list
from pillarbox_codegen.plan import kept_ranges as kept_ranges
from pillarbox_codegen.plan.due import plan_due
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.kept_base import KEPT, KeptPlan, ReadingPlan
from pillarbox_codegen.plan.refs_of import part_constant, refs_of
from pillarbox_codegen.plan.rule_text import plan_search
from pillarbox_codegen.plan.writer_plans import WriterPlan
from pillarbox_codegen.plan.writer_uses import Uses, uses_of
from pillarbox_codegen.plan.writers import plan_writer


@dataclass(frozen=True, slots=True)
class PrefixPlan:
    """Reading the rows whose keys begin alike: `of_project(project_id, ..)`."""

    name: str
    doc: str
    parameters: str
    prefix: str


@dataclass(frozen=True, slots=True)
class ReaderPlan:
    """The read side of one table."""

    name: str
    doc: str
    #: `OrderedReader[Issues, IssuesKey]`, behind the base that a word asks for.
    bases: str
    spec: str
    row_class: str
    #: `, project_id: ProjectId, number: int`
    parameters: str
    key: str
    #: How callers hold a key.
    key_type: str
    prefixes: tuple[PrefixPlan, ...]
    #: What a word adds to it.
    reading: ReadingPlan


@dataclass(frozen=True, slots=True)
class DerivedPlan:
    """A table that a maintainer writes."""

    name: str
    doc: str
    row_class: str
    reader: str
    base: str


@dataclass(frozen=True, slots=True)
class SequencePlan:
    """A table of numbers given out."""

    name: str
    doc: str
    row_class: str
    reader: str
    base: str
    packed: str
    start: int
    limit: int


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Both classes of one table; `template` prints the second."""

    template: str
    reader: ReaderPlan
    inner: WriterPlan | DerivedPlan | SequencePlan | KeptPlan


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`tables.py`."""
    readers = {names.reader_class(name) for name in schema.tables}
    imports = frame.imports(".tables", readers | {names.table_class(one) for one in schema.tables.values()})
    uses = uses_of(schema)
    tables = [_plan_table(schema, imports, table, uses) for table in schema.tables.values()]
    if tables:
        imports.use_module(".specs")
    if any(table.reader.prefixes for table in tables):
        imports.use("pillarbox.tables", "ReadOptions")
        imports.use("typing", "Unpack")
    text = frame.module(
        doc=(
            f"The tables of the schema {schema.name!r}.\n\n"
            f"A reader reads the last commit. Inside a transaction its table sees the transaction's own "
            f"writes as well; what derived tables hold is brought up to date when they are read."
        ),
        imports=imports,
        template="tables.py.j2",
        tables=tables,
    )
    return {"tables.py": text}


def _plan_table(schema: model.Schema, imports: Imports, table: model.Table, uses: Uses) -> TablePlan:
    if table.role == "kept" and type(table.rule) in KEPT:
        kept = KEPT[type(table.rule)](schema, imports, table)
        reading = kept.reading or _plan_reading(schema, imports, table)
        return TablePlan(kept.template, _plan_reader(schema, imports, table, reading), kept)
    reader = _plan_reader(schema, imports, table, _plan_reading(schema, imports, table))
    name = names.table_class(table)
    match table.role:
        case "derived":
            base = _derived_base(imports, table)
            doc = printing.docstring(f"`{table.name}` inside a transaction. Only the store writes it.", 4)
            inner = DerivedPlan(name, doc, reader.row_class, reader.name, base)
            return TablePlan("table_derived.j2", reader, inner)
        case "sequence":
            return TablePlan("table_sequence.j2", reader, _plan_sequence(schema, imports, table, reader))
        case _:
            writer = plan_writer(schema, imports, table, uses)
            return TablePlan(writer.template, reader, writer)


def _derived_base(imports: Imports, table: model.Table) -> str:
    if isinstance(table.rule, model.Text):
        return f"{imports.use_module('pillarbox.maintainers')}.TextTable"
    return imports.use("pillarbox.tables", "DerivedTable")


def _plan_sequence(
    schema: model.Schema, imports: Imports, table: model.Table, reader: ReaderPlan
) -> SequencePlan:
    sequence = schema.sequences[table.name]
    (field,) = table.fields
    stored = hints.base(schema, field.type)
    assert stored is not None, f"{table.name}: a sequence stores an integer"
    # The number after the last one is stored too, so it must fit the field.
    limit = min(_greatest(sequence.type), _greatest(stored) - 1)
    doc = f"Gives the numbers of `{table.name}`, from {sequence.start} to {limit}, each once."
    base = "SequenceTable" if sequence.intern is None else "InternTable"
    return SequencePlan(
        name=names.table_class(table),
        doc=printing.docstring(doc, 4),
        row_class=reader.row_class,
        reader=reader.name,
        base=imports.use("pillarbox.maintainers", base),
        packed=f"{imports.use_module('.packed')}.{names.constant(table.name)}",
        start=sequence.start,
        limit=limit,
    )


def _greatest(scalar: model.Scalar) -> int:
    bits = int(scalar.name.removeprefix("u").removeprefix("int"))
    return (1 << (bits if scalar.name.startswith("u") else bits - 1)) - 1


# ------------------------------------------------------------------------------------------- readers


def _plan_reader(
    schema: model.Schema, imports: Imports, table: model.Table, reading: ReadingPlan
) -> ReaderPlan:
    key_function = imports.use(".keys", names.key_function(table.name))
    parts = [names.parameter(part.name, table.name) for part in table.key]
    row_class = imports.use(".types", names.row_class(table.name))
    key_type = hints.key_annotation(schema, imports, table) if table.key else ""
    return ReaderPlan(
        name=names.reader_class(table.name),
        doc=printing.docstring(f"Reads `{table.name}`. {table.doc}", 4),
        bases=_bases(imports, reading, row_class, key_type),
        spec=f"specs.{names.constant(table.name)}",
        row_class=row_class,
        parameters="".join(f", {text}" for text in parameters(schema, imports, table, table.key)),
        key=f"{key_function}({', '.join(parts)})",
        key_type=key_type,
        prefixes=tuple(
            _plan_prefix(schema, imports, table, length, method)
            for length, method in enumerate(names.prefix_methods(table), start=1)
        ),
        reading=reading,
    )


def _bases(imports: Imports, reading: ReadingPlan, row_class: str, key_type: str) -> str:
    """The base classes, the one of a word first."""
    if key_type:
        own = f"{imports.use('pillarbox.tables', 'OrderedReader')}[{row_class}, {key_type}]"
    else:
        own = f"{imports.use('pillarbox.tables', 'TableReader')}[{row_class}]"
    return f"{reading.base}[{row_class}], {own}" if reading.base else own


def _plan_reading(schema: model.Schema, imports: Imports, table: model.Table) -> ReadingPlan:
    """What the word of a table adds to its reader."""
    match table.rule:
        case model.Text():
            return plan_search(schema, imports, table)
        case model.Index(due=due) as rule if due is not None:
            return plan_due(imports, table, rule)
        case _:
            shared = refs_of(schema, table)
            if shared is None:
                return ReadingPlan()
            part = f"{imports.use_module('.rules')}.{part_constant(shared)}"
            return ReadingPlan(constants=(f"SHARED = {part}",))


def parameters(
    schema: model.Schema, imports: Imports, table: model.Table, parts: tuple[model.KeyPart, ...]
) -> list[str]:
    """`project_id: ProjectId`, .."""
    return [
        f"{names.parameter(part.name, table.name)}: {hints.annotation(schema, imports, part.type)}"
        for part in parts
    ]


def _plan_prefix(
    schema: model.Schema, imports: Imports, table: model.Table, length: int, method: str
) -> PrefixPlan:
    parts = table.key[:length]
    function = imports.use(".keys", names.prefix_function(table.name, length))
    shared = all_of([part.name for part in parts])
    return PrefixPlan(
        name=method,
        doc=printing.docstring(f"The rows with this {shared}; the options are those of `all`.", 8),
        parameters="".join(f", {text}" for text in parameters(schema, imports, table, parts)),
        prefix=f"{function}({', '.join(names.parameter(part.name, table.name) for part in parts)})",
    )
