"""The steps that change a part of a row: `patch` and `set_cursor`.

Depends on: model, expr_python, statements, structs, names.  Never on: other steps.

Law: the row at the key becomes what the changes make of it, each of them of the row as it was; a row that
is absent stays so, or starts from what the step creates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pillarbox_codegen import model
from pillarbox_codegen.expr_compiler import Compiler
from pillarbox_codegen.expr_python import Scope, compile_code
from pillarbox_codegen.names import snake
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.following import missed_text, missing_tables
from pillarbox_codegen.plan.structs import has_default
from pillarbox_codegen.plan.upserts import keeps
from pillarbox_codegen.python_code import (
    Code,
    Condition,
    Level,
    as_test,
    is_cheap,
    is_path,
    is_there,
    negated,
    printed,
)
from pillarbox_codegen.statements import Line, Statement, branch


def patch(step: model.PatchStep, scope: Scope, old: str) -> list[Statement]:
    """The statements; `old` is the variable for the row as it was."""
    table = scope.schema.tables[step.table]
    read = scope.rows.get((step.table, step.by, step.at)) if step.create is None else None
    if read is not None:
        old = scope.names[read]
    asked = step.create is None and read not in scope.there and step.table in missing_tables(scope.schema)
    writer = _Changes(table, scope, old, used_twice=step.create is not None or asked)
    writer.by = step.by
    found_by = table if step.by is None else scope.schema.tables[step.by]
    at = [writer.value(part, found_by.key[place].name) for place, part in enumerate(step.at)]
    if asked:
        parts = dict(zip((part.name for part in found_by.key), at, strict=True))
        writer.missed = (Line(f"{writer.text}.{missed_text(found_by, parts)}"),)
    changes = writer.changes(step.changes)
    if step.given is not None:
        writer.given = writer.value(step.given, "patch", twice=True)
    if read is not None and read in scope.there:
        return [*writer.before, *writer.inside, writer.put_changed(changes)]
    if step.create is None:
        return writer.existing(() if read is not None else (writer.look(at),), changes)
    created = {name: compile_code(expr, scope) for name, expr in step.create.fields}
    needed = {field.name for field in table.fields if not has_default(field)} - set(created)
    return writer.any(at, created | {name: changes[name] for name in changes if name in needed}, changes)


def set_cursor(step: model.SetCursorStep, scope: Scope, old: str) -> list[Statement]:
    """The statements; `old` is the variable for the row as it was."""
    table = scope.schema.tables[step.cursor]
    every = sets_every_part(step, table)
    writer = _Changes(table, scope, old, used_twice=not every)
    at = [writer.value(part, table.key[place].name) for place, part in enumerate(step.at)]
    changes = {named.name: compile_code(named.expr, scope) for named in step.set}
    if every:
        return [*writer.before, writer.put(writer.made(at, changes))]
    return writer.any(at, {}, changes)


def sets_every_part(step: model.SetCursorStep, table: model.Table) -> bool:
    """Whether the row need not be read before it is written."""
    return {named.name for named in step.set} == {field.name for field in table.fields}


class _Changes:
    """Writes the statements of one step."""

    def __init__(self, table: model.Table, scope: Scope, old: str, *, used_twice: bool) -> None:
        self.table, self.scope, self.old, self.used_twice = table, scope, old, used_twice
        #: Statements that name values which would be computed twice.
        self.before: list[Statement] = []
        #: The text of a patch that is data.
        self.given: str | None = None
        #: The identity that the row is found by, if not by its key.
        self.by: str | None = None
        #: What is done where there is no row.
        self.missed: tuple[Statement, ...] = ()
        #: Statements that come after the row is found, and before it is changed.
        self.inside: list[Statement] = []

    # -------------------------------------------------------------------------------------- values

    def value(self, expr: model.Expr, name: str, *, twice: bool | None = None) -> str:
        """The text of a value, which may be used more than once where `used_twice` says so."""
        return self.code(expr, name, twice=self.used_twice if twice is None else twice).text

    def code(self, expr: model.Expr, name: str, *, twice: bool) -> Code:
        code = compile_code(expr, self.scope)
        if not twice or is_cheap(code) or isinstance(expr, model.Literal_ | model.EnumValue | model.Constant):
            return code
        local = self.scope.fresh(name)
        self.before.append(Line(f"{local} = {code.text}"))
        return Code(local)

    def changes(self, changes: Sequence[model.PatchField]) -> dict[str, Code]:
        """Field -> its new value, out of the row as it was."""
        found: dict[str, Code] = {}
        for change in changes:
            type_ = next(field.type for field in self.table.fields if field.name == change.field)
            if change.field in found:  # another part of the same field
                local = found[change.field]
                if local.text not in self.scope.taken:
                    local = Code(self.scope.fresh(change.field))
                    self.inside.append(Line(f"{local.text} = {found[change.field].text}"))
                changed = self.part(change, local, type_, change.path)
                self.inside.append(Line(f"{local.text} = {changed.text}"))
                found[change.field] = local
            else:
                old = Code(f"{self.old}.{names.field(change.field)}")
                found[change.field] = self.part(change, old, type_, change.path)
        return found

    def part(self, change: model.PatchField, of: Code, type_: model.Type, path: Sequence[str]) -> Code:
        """A value of which the part at the end of the path is changed."""
        if not path:
            return self.changed(change, of.text, type_)
        name, rest = path[0], path[1:]
        if isinstance(type_, model.Optional):
            found, there = self.named(of, is_there)
            return self.choice(self.part(change, found, type_.item, path), there, Code("None"))
        if isinstance(type_, model.BagOf):
            return self.in_bag(change, of, type_, name, rest)
        definition = self.scope.schema.types[type_.name] if isinstance(type_, model.Named) else None
        if isinstance(definition, model.UnionType):
            case, class_name = self.case(definition, name)
            found, there = self.named(
                of, lambda code: as_test(Code(f"isinstance({code.text}, {class_name})"))
            )
            return self.choice(self.part(change, found, case, rest), there, found)
        inner = next(field.type for field in Compiler(self.scope).fields_of(type_) if field.name == name)
        field = Code(f"{of.at(Level.ATOM)}.{names.field(name)}")
        replace = self.scope.imports.use("msgspec.structs", "replace")
        return Code(f"{replace}({of.text}, {names.field(name)}={self.part(change, field, inner, rest).text})")

    def in_bag(
        self, change: model.PatchField, of: Code, bag: model.BagOf, name: str, rest: Sequence[str]
    ) -> Code:
        """A bag of which one case is changed."""
        assert isinstance(bag.item, model.Named)
        case, class_name = self.case(self.scope.schema.types[bag.item.name], name)
        imports = self.scope.imports
        if rest:
            found = Code(self.scope.fresh("found"))
            look = f"{imports.use('pillarbox.expr', 'in_bag')}({of.text}, {class_name})"
            there = is_there(Code(f"({found.text} := {look})"))
            changed = self.part(change, found, case, rest).text
            with_ = Code(f"{imports.use('pillarbox.codec', 'with_case')}({of.text}, {changed})")
            return self.choice(with_, there, of)
        if isinstance(change.value.type, model.NoneType):
            return Code(f"{imports.use('pillarbox.codec', 'without_case')}({of.text}, {class_name})")
        value = self.code(change.value, name, twice=True)
        with_ = Code(f"{imports.use('pillarbox.codec', 'with_case')}({of.text}, {value.text})")
        if not isinstance(change.value.type, model.Optional):
            return with_
        without = Code(f"{imports.use('pillarbox.codec', 'without_case')}({of.text}, {class_name})")
        return self.choice(with_, is_there(value), without)

    def case(self, union: model.TypeDef, name: str) -> tuple[model.CaseOf, str]:
        """A case by its name in paths, and its class."""
        assert isinstance(union, model.UnionType)
        case = next(case.name for case in union.cases if snake(case.name) == name)
        return model.CaseOf(union.name, case), self.scope.imports.use(".types", names.type_class(case))

    def named(self, of: Code, test: Callable[[Code], Condition]) -> tuple[Code, Condition]:
        """A value under a name that a type checker follows, and the test of it."""
        if is_path(of):
            return of, test(of)
        found = Code(self.scope.fresh("found"))
        return found, test(Code(f"({found.text} := {of.text})"))

    def choice(self, then: Code, condition: Condition, otherwise: Code) -> Code:
        asked = printed(condition).at(Level.OR)
        return Code(f"{then.at(Level.OR)} if {asked} else {otherwise.text}", Level.TERNARY)

    def changed(self, change: model.PatchField, old: str, type_: model.Type) -> Code:
        """The new value of what was `old`."""
        may_lack = isinstance(type_, model.Optional)
        match change.how:
            case "set":
                return self.code(change.value, change.field, twice=self.used_twice)
            case "add":
                start = f"({old} or 0)" if may_lack else old
                more = self.code(change.value, change.field, twice=False)
                return Code(f"{start} + {more.at(Level.PRODUCT)}", Level.SUM)
            case "max" | "min" as function:
                value = self.code(change.value, change.field, twice=may_lack)
                chosen = Code(f"{function}({old}, {value.text})")
                return self.choice(value, negated(is_there(Code(old))), chosen) if may_lack else chosen
            case "flags":
                return self.flagged(change, old)

    def flagged(self, change: model.PatchField, old: str) -> Code:
        """What is both set and cleared ends up clear."""
        code = Code(old)
        if change.value != model.Literal_(0, change.value.type):
            value = compile_code(change.value, self.scope).at(Level.BIT_OR)
            code = Code(f"{old} | {value}", Level.BIT_OR)
        if change.clear is None:
            return code
        clear = compile_code(change.clear, self.scope).at(Level.UNARY)
        return Code(f"{code.at(Level.BIT_AND)} & ~{clear}", Level.BIT_AND)

    # ---------------------------------------------------------------------------------- statements

    def existing(self, look: Sequence[Line], changes: Mapping[str, Code]) -> list[Statement]:
        """Change the row if there is one, once it is read."""
        there = is_there(Code(self.old))
        put = self.put_changed(changes)
        return [*self.before, *look, *branch(there, [*self.inside, put], self.missed)]

    def any(
        self, at: Sequence[str], created: Mapping[str, Code], changes: Mapping[str, Code]
    ) -> list[Statement]:
        """Change the row, a new one if there is none."""
        made = self.made(at, created)
        if not changes and self.given is None:
            absent = negated(is_there(Code(self.got(at))))
            return [*self.before, *branch(absent, [self.put(made)])]
        absent = negated(is_there(Code(self.old)))
        make = branch(absent, [Line(f"{self.old} = {made}")])
        return [*self.before, self.look(at), *make, *self.inside, self.put_changed(changes)]

    def look(self, at: Sequence[str]) -> Line:
        return Line(f"{self.old} = {self.got(at)}")

    def got(self, at: Sequence[str]) -> str:
        get = "get" if self.by is None else names.get_by(self.by)
        return f"{self.text}.{get}({', '.join(at)})"

    def put(self, row: str) -> Line:
        """A patch says what becomes of the row: nothing is kept beside it."""
        return Line(f"{self.text}.put({row}{', keep=False' if keeps(self.table) else ''})")

    @property
    def text(self) -> str:
        """The table inside the transaction."""
        assert self.scope.table is not None, "steps have tables"
        return self.scope.table(self.table.name)

    def put_changed(self, changes: Mapping[str, Code]) -> Line:
        if self.given is not None:
            patched = self.scope.imports.use("pillarbox.codec", "patched")
            return self.put(f"{patched}({self.old}, {self.given})")
        replace = self.scope.imports.use("msgspec.structs", "replace")
        texts = ", ".join(f"{names.field(name)}={code.text}" for name, code in changes.items())
        return self.put(f"{replace}({self.old}, {texts})")

    def made(self, at: Sequence[str], values: Mapping[str, Code]) -> str:
        """The text of a new row."""
        key = {part.name: text for part, text in zip(self.table.key, at, strict=True)}
        order = [field.name for field in self.table.fields if field.name in values]
        texts = [f"{names.field(name)}={text}" for name, text in key.items()]
        texts += [f"{names.field(name)}={values[name].text}" for name in order]
        row_class = self.scope.imports.use(".types", names.row_class(self.table.name))
        return f"{row_class}({', '.join(texts)})"
