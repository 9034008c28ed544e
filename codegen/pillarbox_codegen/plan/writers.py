"""Plans the class of a table that operations write: putting, numbering, moving and removing rows.

Depends on: model, names, hints, checks, frame.  Never on: reading, which the table's reader does.

Two shapes. A plain table's `put` reads nothing. One with numbers to fill in or an identity to follow
reads first, so it also offers `probe`, which asks for many rows what their puts will ask, at once.
"""

from __future__ import annotations

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.checks import needs_check
from pillarbox_codegen.plan.following import followed_tables, missed_text, missing_tables
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.owned import option_bases, option_settings, option_slots, orphans
from pillarbox_codegen.plan.refs_of import refs_of
from pillarbox_codegen.plan.upserts import MethodPlan, keeps, plan_upsert
from pillarbox_codegen.plan.writer_plans import HandedPlan, KeepingPlan, NumberingPlan, WriterPlan
from pillarbox_codegen.plan.writer_reads import fills_of, put_reads, sequences_of
from pillarbox_codegen.plan.writer_under import parameter, parameters, removes, replaces
from pillarbox_codegen.plan.writer_uses import Uses, after_last, identified, replaced_under
from pillarbox_codegen.touches import identity_of
from pillarbox_codegen.walk import names_in


class _Writer:
    """Plans one writer; holds what its statements are made of."""

    def __init__(self, schema: model.Schema, imports: Imports, table: model.Table) -> None:
        self.schema, self.imports, self.table = schema, imports, table
        self.identity = identity_of(table, schema.tables)
        self.fills = fills_of(table)
        self.row_class = imports.use(".types", names.row_class(table.name))
        self.key_function = imports.use(".keys", names.key_function(table.name))
        parts = ", ".join(f"row.{names.field(part.name)}" for part in table.key)
        self.key = f"{self.key_function}({parts})"
        self._key_names = {part.name for part in table.key}
        named = self._key_names | self._fields_of_identity()
        #: Filled fields by which a row is found, and those that it merely keeps.
        self.naming = [field for field in self.fills if field in named]
        self.kept = [field for field in self.fills if field not in named]
        self.in_key = self._fields_of_identity() <= self._key_names
        #: Those without which nothing finds a row that is there.
        self.finding = [field for field in self.naming if not self._stands_at_its_key(field)]

    def _fields_of_identity(self) -> set[str]:
        """The fields of the row that its identity is made of."""
        if self.identity is None:
            return set()
        assert isinstance(self.identity.rule, model.Index)
        return {name for part in self.identity.rule.key for name in names_in(part.expr)}

    @property
    def cell(self) -> str:
        """The cell of `row`."""
        if self.table.layout == "record":
            return "row"
        if self.table.layout == "empty":
            return 'b""'
        packed = self.imports.use_module(".packed")
        values = ", ".join(f"row.{names.field(field.name)}" for field in self.table.fields)
        return f"{packed}.{names.constant(self.table.name)}.encode({values})"

    def at(self, key: str) -> str:
        """The row under a stored key; in a `record` table that is its cell."""
        return f"self.cell({key})" if self.table.layout == "record" else f"self.row_at({key})"

    def take(self, field: str, row: str = "row") -> tuple[str, str]:
        """(the group's key, the call that takes a number of it) for a filled field of `row`."""
        sequence = self.schema.sequences[self.fills[field]]
        function = self.imports.use(".keys", names.key_function(sequence.name))
        group = f"{function}({', '.join(f'{row}.{names.field(part.name)}' for part in sequence.per)})"
        return group, f"self._next_{sequence.name}.take"

    def next(self, field: str, row: str = "row") -> str:
        """The call that takes the next number for a filled field of `row`."""
        group, take = self.take(field, row)
        return f"{take}({group})"

    def unnumbered(self, fields: list[str]) -> str:
        return " or ".join(f"row.{names.field(field)} == 0" for field in fields)

    def numbering(self, field: str) -> NumberingPlan:
        group, take = self.take(field)
        return NumberingPlan(
            method=f"_numbered_{field}",
            doc=printing.docstring(self._numbering_doc(field), 8),
            field=names.field(field),
            take=take,
            group=group,
            own=self._own_number(field),
            free=" and ".join(self._free(field)),
        )

    def _numbering_doc(self, field: str) -> str:
        if self._is_told_otherwise(field):
            return f"The row under the `{field}` that its identity has already, else under the next free one."
        if self._stands_at_its_key(field):
            return f"The row under the `{field}` of the one at its key, else under the next free one."
        return f"The row under the next `{field}` that no other row has."

    def _is_told_otherwise(self, field: str) -> bool:
        """Whether the identity finds a row without `field`."""
        return self.identity is not None and field not in self._fields_of_identity()

    def _stands_at_its_key(self, field: str) -> bool:
        """Whether the key finds a row without `field`, and the identity does not."""
        return field in self._fields_of_identity() and field not in self._key_names

    def _own_number(self, field: str) -> tuple[str, ...]:
        """A row that is there keeps its number, unless it goes to another group of the sequence, or to where
        another row has that number.
        """
        groups = [part.name for part in self.schema.sequences[self.fills[field]].per]
        if self._stands_at_its_key(field):
            found = [f"was = {self.at(self.key)}"]
            naming, free = self._fields_of_identity(), f"self._identity.owner(row) in (None, {self.key})"
        elif self._is_told_otherwise(field):
            found = [
                "owner = self._identity.owner(row)",
                f"was = None if owner is None else {self.at('owner')}",
            ]
            naming, free = self._key_names, f"{self.key} == owner or {self.at(self.key)} is None"
        else:
            return ()
        same = "".join(f" and was.{names.field(group)} == row.{names.field(group)}" for group in groups)
        number = names.field(field)
        kept = [f"    return replace(row, {number}=was.{number})"]
        if field in naming and not naming <= {field, *groups}:
            kept = [
                f"    row = replace(row, {number}=was.{number})",
                f"    if {free}:",
                "        return row",
            ]
        return (*found, f"if was is not None{same}:", *kept)

    def _free(self, field: str) -> list[str]:
        """What must hold for `field` to name a row that is not there: in each name that it is part of."""
        in_identity = field in self._fields_of_identity()
        in_key = field in self._key_names
        return [
            # A key that holds the whole identity is taken only where the identity is.
            *([f"self.cell({self.key}) is None"] if in_key and not (in_identity and self.in_key) else []),
            *(["self._identity.owner(row) is None"] if in_identity else []),
        ]

    def keeping(self, field: str) -> KeepingPlan:
        return KeepingPlan(names.field(field), self.next(field))

    # ---------------------------------------------------------------------------------- statements

    def lookup(self) -> list[str]:
        if self.identity is None:
            return [f"was = {self.at('key')}"]
        if self.in_key:
            return [
                "identity = self._identity.key_of(row)",
                "owner = self._identity.owner_at(identity)",
                f"was = None if owner is None else {self.at('owner')}",
            ]
        return [
            "owner = self._identity.owner(row)",
            f"standing = {self.at('key')}",
            f"was = standing if owner is None else {self.at('owner')}",
        ]

    def changes(self, upserts: list[MethodPlan]) -> tuple[str, ...]:
        """What the row keeps, then the values that it shares, then what follows from it as it is by then."""
        calls = [plan.call for plan in upserts]
        if refs_of(self.schema, self.table) is not None:
            own = "key" if self.identity is None else "key, owner"
            calls.insert(1 if keeps(self.table) else 0, (f"row = self._refs.first(row, {own})",))
        return tuple(statement for call in calls for statement in call)

    def writes(self) -> list[str]:
        """First what may refuse the row, then what writes it."""
        if self.identity is None:
            return [f"self.put_cell(key, {self.cell})"]
        first, cell = ([], "row") if self.cell == "row" else ([f"cell = {self.cell}"], "cell")
        if self.in_key:
            return [
                *first,
                "self._identity.take_at(identity, row)",
                "if owner is None:",
                f"    self.put_known(key, None, {cell})",
                "elif owner == key:",
                f"    self.put_cell(key, {cell})",
                "else:",
                f"    self.move_cell(owner, key, {cell})",
            ]
        return [
            *first,
            "self._identity.take(row)",
            "if standing is not None and owner != key:",
            "    self._identity.release(standing)",
            "    if owner is not None:",
            "        self.put_cell(key, None)",
            "if owner is None or owner == key:",
            f"    self.put_cell(key, {cell})",
            "else:",
            f"    self.move_cell(owner, key, {cell})",
        ]

    def replaced(self) -> list[str]:
        """Statements of `replaced_by`; none where the row under the same key is the one."""
        told = [field for field in self.finding if self._is_told_otherwise(field)]
        fresh = [field for field in self.finding if field not in told]
        lines = [f"if {self.unnumbered(fresh)}:", "    return None"] if fresh else []
        if self.table.owned is not None and self.identity is not None:
            lines.append("self._settle()")
        if self.identity is None:
            return [*lines, f"return self.row_at({self.key})"] if lines else []
        lines.append("owner = self._identity.owner(row)")
        if self.in_key:
            return [*lines, "return None if owner is None else self.row_at(owner)"]
        if told:
            unnumbered = self.unnumbered(told)
            some = unnumbered if len(told) == 1 else f"({unnumbered})"
            lines += [f"if owner is None and {some}:", "    return None"]
        return [*lines, f"return self.row_at({self.key} if owner is None else owner)"]

    def remove(self, key: str) -> list[str]:
        missed = self.missed(self.table)
        if self.identity is None and not missed:
            return [f"self.put_cell({key}, None)"]
        return [
            f"key = {key}",
            "old = self.cell(key)",
            "if old is not None:",
            "    self.put_known(key, old, None)" if self.identity is None else "    self.drop(key, old)",
            *(line for text in missed for line in ("else:", f"    {text}")),
        ]

    def missed(self, named: model.Table, length: int | None = None) -> tuple[str, ...]:
        """The statement for a row that is not there, where somebody asks; `named` has its key or prefix."""
        if self.table.name not in missing_tables(self.schema):
            return ()
        parts = {part.name: parameter(named, part.name) for part in named.key[:length]}
        return (f"self.{missed_text(named, parts)}",)

    def release(self) -> str:
        """The row whose identity goes with `cell`; nothing where there is none."""
        if self.identity is None:
            return ""
        return "cell" if self.table.layout == "record" else "self.spec.row(key, cell)"

    def probe(self) -> list[str]:
        lines = []
        if self.finding:
            numbered = " and ".join(f"row.{names.field(field)} != 0" for field in self.finding)
            lines.append(f"named = [row for row in rows if {numbered}]")
        named = "named" if self.finding else "rows"
        keys = f"[{self.key} for row in {named}]"
        if self.identity is None:
            lines.append(f"self.preload({keys})")
        else:
            all_told = all(self._is_told_otherwise(field) for field in self.finding)
            owners = f"self._identity.preload({'rows' if all_told else named})"
            lines.append(
                f"self.preload({owners})" if self.in_key else f"self.preload([*{owners}, *({keys[1:-1]})])"
            )
        if self.table.owned is not None:
            lines.append("self._owners.preload(rows)")
        for field in self.fills:
            group, take = self.take(field)
            sequence = take.removesuffix(".take")
            if self.schema.sequences[self.fills[field]].per:
                lines.append(
                    f"{sequence}.preload([{group} for row in rows if row.{names.field(field)} == 0])"
                )
        return lines


def plan_writer(schema: model.Schema, imports: Imports, table: model.Table, uses: Uses) -> WriterPlan:
    """The class of a primary table or a cursor."""
    writer = _Writer(schema, imports, table)
    handed = _handed(schema, imports, table, writer.identity)
    reads = put_reads(schema, table)
    base = "FollowedTable" if table.name in followed_tables(schema) else "PrimaryWriter"
    replaced = replaced_under(table, uses)
    _use(schema, imports, table, writer, base, reads=reads, handed=bool(handed), replaced=bool(replaced))
    checks: tuple[str, ...] = ()
    if needs_check(schema, table):
        checks = (f"{imports.use('.checks', names.check_function(table.name))}(row)",)
    given = parameters(schema, imports, table)
    parts, annotated = given
    prefixes = range(1, len(table.key))
    attributes = [each.attribute for each in handed]
    upserts = plan_upsert(schema, imports, table, writer.next)
    return WriterPlan(
        template="table_reading.j2" if reads else "table_plain.j2",
        name=names.table_class(table),
        doc=printing.docstring(f"`{table.name}` inside a transaction.", 4),
        row_class=writer.row_class,
        reader=names.reader_class(table.name),
        slots=printing.literal(tuple(sorted([*attributes, *option_slots(schema, table)]))),
        base=", ".join([*option_bases(schema, imports, table, writer.row_class), base]),
        made=("self._ranked = {}",) if table.bound is not None else (),
        settings=option_settings(imports, table),
        orphans=orphans(table),
        changes=writer.changes(upserts),
        release=writer.release(),
        handed=handed,
        checks=checks,
        key=writer.key,
        cell=writer.cell,
        numberings=tuple(writer.numbering(field) for field in writer.naming),
        keepings=tuple(writer.keeping(field) for field in writer.kept),
        upserts=tuple(upserts),
        keep=(", *, keep: bool = True", ", keep=keep") if keeps(table) else ("", ""),
        lookup=tuple(writer.lookup()),
        writes=tuple(writer.writes()),
        replaced=tuple(writer.replaced()),
        remove_parameters="".join(f", {text}" for text in annotated),
        remove=tuple(writer.remove(f"{writer.key_function}({', '.join(parts)})")),
        removes=removes(imports, table, prefixes, given, missed=writer.missed),
        replaces=replaces(imports, table, replaced, given),
        probe=tuple(writer.probe()) if reads else (),
        identified=identified(schema, imports, table, uses, writer.identity, writer.missed),
        key_type="int" if hints.is_int_key(schema, table) else "bytes",
        after_last=after_last(schema, imports, table, uses),
    )


def _use(
    schema: model.Schema,
    imports: Imports,
    table: model.Table,
    writer: _Writer,
    base: str,
    *,
    reads: bool,
    handed: bool,
    replaced: bool,
) -> None:
    """Import what the templates print by themselves."""
    imports.use("pillarbox.tables", base)
    if handed or table.bound is not None:
        imports.use("pillarbox.storage", "Engine")
        imports.use("pillarbox.tables", "TouchLog")
    if writer.identity is not None:
        imports.use("pillarbox.storage", "StoredKey")
        imports.use("pillarbox.tables", "Cell")
    if writer.fills:
        imports.use("msgspec.structs", "replace")
    if reads or needs_check(schema, table):
        imports.use("pillarbox.errors", "MISTYPED")
    if reads:
        imports.use("pillarbox.tables", "Put")
        imports.use("collections.abc", "Sequence")
    if replaced:
        imports.use("collections.abc", "Iterable")


def _handed(
    schema: model.Schema, imports: Imports, table: model.Table, identity: model.Table | None
) -> tuple[HandedPlan, ...]:
    handed = []
    if identity is not None:
        row_class = imports.use(".types", names.row_class(table.name))
        kind = f"{imports.use('pillarbox.maintainers', 'Identity')}[{row_class}]"
        handed.append(HandedPlan("_identity", "identity", kind))
    if table.owned is not None:
        row_class = imports.use(".types", names.row_class(table.name))
        kind = f"{imports.use('pillarbox.maintainers', 'Owners')}[{row_class}]"
        handed.append(HandedPlan("_owners", "owners", kind))
    for sequence in sequences_of(table):
        kind = names.table_class(schema.tables[sequence])
        handed.append(HandedPlan(f"_next_{sequence}", f"next_{sequence}", kind))
    return tuple(handed)
