"""The compiler behind `expr_python`: values that know under which conditions they are there.

Depends on: model, python_code, expr_conditions, plan.  Never on: the statement around an expression.

Law: a value is its code where all its guards hold, in order, and none where one does not. Names that a
guard gives with `:=` are used behind it only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pillarbox_codegen import model
from pillarbox_codegen.expr_conditions import condition_of
from pillarbox_codegen.expr_python_scope import HELPERS, Scope
from pillarbox_codegen.expr_values import call, left_over, make, of_span, scan, spans
from pillarbox_codegen.names import snake
from pillarbox_codegen.plan import names as naming
from pillarbox_codegen.plan.structs import row_fields, value_text
from pillarbox_codegen.python_code import (
    FALSE,
    TRUE,
    Code,
    Condition,
    Level,
    Value,
    both,
    is_cheap,
    is_path,
    is_there,
    printed,
)
from pillarbox_codegen.type_rules import FLOAT64, present


@dataclass(frozen=True, slots=True)
class Mapped:
    """A path over a list: `element clauses`, such as `row.name for row in rows`, where all `guards` hold."""

    element: Code
    clauses: str
    guards: tuple[Condition, ...]
    #: What it runs over, where that cannot stand in a comprehension and must be named before.
    named: tuple[str, Code] | None


class Compiler:
    """Compiles expressions of one scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.schema = scope.schema
        self.imports = scope.imports

    def within(self, fields: Iterable[model.Field], of: str) -> Compiler:
        """The compiler of expressions that see the fields of `of` only."""
        held = list(fields)
        names = {field.name: f"{of}.{naming.field(field.name)}" for field in held}
        declared = None if self.scope.declared is None else {field.name: field.type for field in held}
        return type(self)(replace(self.scope, names=names, declared=declared))

    def naming(self, name: str, text: str, type_: model.Type) -> Compiler:
        """The compiler of expressions that see one name more."""
        declared = self.scope.declared
        declared = None if declared is None else {**declared, name: type_}
        return type(self)(replace(self.scope.bind(**{name: text}), declared=declared))

    # ------------------------------------------------------------------------------------- wholes

    def whole(self, expr: model.Expr) -> Code:
        """One piece, None where the value is absent."""
        if expr.type == model.Scalar("bool"):
            return printed(condition_of(self, expr), as_value=True)
        return self.closed(self.value(expr))

    def closed(self, value: Value) -> Code:
        """The value with its guards inside."""
        if not value.guards:
            return value.code
        condition = both(value.guards)
        if condition == FALSE:
            return Code("None")
        text = f"{value.code.at(Level.OR)} if {printed(condition).at(Level.OR)} else None"
        return Code(text, Level.TERNARY)

    def solid(self, value: Value) -> Value:
        """The same value, of which the code is never None where the guards hold."""
        if not value.nullable:
            return value
        if value.code.text == "None":
            return Value(value.code, (FALSE,))
        if is_cheap(value.code):
            return Value(value.code, (*value.guards, is_there(value.code)))
        named = Code(self.scope.fresh("found"))
        return Value(named, (*value.guards, is_there(Code(f"({named.text} := {value.code.text})"))))

    def items(self, expr: model.Expr) -> Value:
        """A list of which each item is taken once, in order."""
        if isinstance(expr, model.Path) and expr.mapped:
            return self.looped(self.mapped(expr), "[", "]")
        return self.solid(self.value(expr))

    def parts(self, exprs: Iterable[model.Expr]) -> tuple[tuple[Condition, ...], list[Code]]:
        """What a larger value is made of; absent where one of these is that may not be."""
        guards: list[Condition] = []
        codes = []
        for expr in exprs:
            if isinstance(expr.type, model.Optional | model.NoneType):
                codes.append(self.whole(expr))
            else:
                value = self.solid(self.value(expr))
                guards += value.guards
                codes.append(value.code)
        return tuple(guards), codes

    # -------------------------------------------------------------------------------------- values

    def value(self, expr: model.Expr) -> Value:
        match expr:
            case model.Literal_(value, type_):
                return Value(self._literal(type_, value), nullable=value is None)
            case model.EnumValue(_, name, type_):
                return Value(self._literal(type_, name))
            case model.Constant(_, value, type_):
                return Value(self._constant(type_, value))
            case model.Local(name, _, type_):
                declared = type_ if self.scope.declared is None else self.scope.declared[name]
                return Value(Code(self.scope.names[name]), nullable=isinstance(declared, model.Optional))
            case model.Path(mapped=True):
                return self._mapped_value(expr)
            case model.Path():
                return self._path(expr)
            case model.Lookup():
                return self._lookup(expr)
            case model.Tuple_(items):
                guards, codes = self.parts(items)
                return Value(_tuple(codes), guards)
            case model.If():
                return self._if(expr)
            case model.Make():
                return make(self, expr)
            case model.Unary("-", operand):
                return self._minus(operand)
            case model.Binary("//", left, right):
                return self._coalesce(left, right)
            case model.Binary("-", left, right) if isinstance(expr.type, model.ListOf):
                return left_over(self, left, right)
            case model.Binary("+") if isinstance(expr.type, model.ListOf):
                guards, codes = self._spread(expr)
                return Value(_tuple(codes), guards)
            case model.Binary("+" | "-" as op, left, right) if isinstance(expr.type, model.Named):
                one, other = self.solid(self.value(left)), self.solid(self.value(right))
                guards = (*one.guards, *other.guards)
                if op == "+":
                    text = f"{one.code.at(Level.BIT_OR)} | {other.code.at(Level.BIT_AND)}"
                    return Value(Code(text, Level.BIT_OR), guards)
                text = f"{one.code.at(Level.BIT_AND)} & ~{other.code.at(Level.UNARY)}"
                return Value(Code(text, Level.BIT_AND), guards)
            case model.Binary("+" | "-" as op, left, right):
                one, other = self.solid(self.value(left)), self.solid(self.value(right))
                text = f"{one.code.at(Level.SUM)} {op} {other.code.at(Level.PRODUCT)}"
                return Value(Code(text, Level.SUM), (*one.guards, *other.guards))
            case model.Binary("*", left, right):
                one, other = self.solid(self.value(left)), self.solid(self.value(right))
                text = f"{one.code.at(Level.PRODUCT)} * {other.code.at(Level.UNARY)}"
                return Value(Code(text, Level.PRODUCT), (*one.guards, *other.guards))
            case model.Call(function) if function != "any":
                return call(self, expr)
            case model.Scan():
                return scan(self, expr)
            case model.Spans():
                return spans(self, expr)
            case _:
                return Value(printed(condition_of(self, expr), as_value=True))

    def _literal(self, type_: model.Type, value: int | str | bool | None) -> Code:
        text = value_text(self.schema, self.imports, type_, value)
        return Code(text, Level.UNARY if text.startswith("-") else Level.ATOM)

    def _constant(self, type_: model.Type, value: object) -> Code:
        if isinstance(type_, model.ListOf) and isinstance(value, tuple):
            return _tuple([self._constant(type_.item, item) for item in value])
        assert isinstance(value, int | str | bool)
        return self._literal(type_, value)

    def _minus(self, operand: model.Expr) -> Value:
        if isinstance(operand, model.Unary) and operand.op == "-":
            return self.value(operand.operand)
        value = self.solid(self.value(operand))
        if value.code.level == Level.UNARY:  # a negative number
            return replace(value, code=Code(value.code.text[1:]))
        return replace(value, code=Code(f"-{value.code.at(Level.ATOM)}", Level.UNARY))

    def _coalesce(self, left: model.Expr, right: model.Expr) -> Value:
        value, other = self.value(left), self.value(right)
        if left.type == model.NoneType():
            return other
        if not value.guards and _is_empty(right):
            # Whatever counts as false on the left equals the right side.
            return Value(Code(f"{value.code.at(Level.NOT)} or {other.code.text}", Level.OR))
        value = self.solid(value)
        return self._choice(both(value.guards), Value(value.code), other)

    def _if(self, expr: model.If) -> Value:
        condition = condition_of(self, expr.condition)
        then, otherwise = self.value(expr.then), self.value(expr.otherwise)
        if condition in (TRUE, FALSE):
            return then if condition == TRUE else otherwise
        return self._choice(condition, then, otherwise)

    def _choice(self, condition: Condition, then: Value, otherwise: Value) -> Value:
        one, other = self.closed(then), self.closed(otherwise)
        text = f"{one.at(Level.OR)} if {printed(condition).at(Level.OR)} else {other.text}"
        absent = any(value.nullable or value.guards for value in (then, otherwise))
        return Value(Code(text, Level.TERNARY), nullable=absent)

    def _spread(self, expr: model.Expr) -> tuple[tuple[Condition, ...], list[Code]]:
        """The items of a sum of lists, as they stand in a tuple's brackets."""
        match expr:
            case model.Binary("+", left, right):
                (one, first), (other, rest) = self._spread(left), self._spread(right)
                return (*one, *other), [*first, *rest]
            case model.Tuple_(items):
                return self.parts(items)
            case _:
                value = self.items(expr)
                return value.guards, [Code(f"*{value.code.at(Level.BIT_OR)}")]

    def _lookup(self, expr: model.Lookup) -> Value:
        parts = [self.solid(self.value(part)) for part in expr.key]
        guards = tuple(guard for part in parts for guard in part.guards)
        arguments = ", ".join(part.code.text for part in parts)
        if self.scope.lookup is not None:
            return Value(Code(self.scope.lookup(expr.table, arguments)), guards, nullable=True)
        assert self.scope.table is not None, "lookups were refused here"
        get = "get" if expr.by is None else naming.get_by(expr.by)
        return Value(Code(f"{self.scope.table(expr.table)}.{get}({arguments})"), guards, nullable=True)

    # --------------------------------------------------------------------------------------- paths

    def _path(self, expr: model.Path) -> Value:
        of = self.solid(self.value(expr.of))
        code, declared = self._field(of.code, present(expr.of.type), expr.field)
        if not isinstance(declared, model.Optional):
            return Value(code, of.guards)
        proven = self.scope.declared is None and not isinstance(expr.type, model.Optional)
        if proven and not is_path(code):  # which a type checker does not follow
            code = self._shown(code, declared.item)
        return Value(code, of.guards, nullable=not proven)

    def _shown(self, code: Code, type_: model.Type) -> Code:
        """A value that a condition has shown to be there."""
        if isinstance(type_, model.Named) and isinstance(self.schema.types[type_.name], model.UnionType):
            # Of what is of several classes a type checker would say that a helper gives any object.
            found, otherwise = self.scope.fresh("found"), self.imports.use(HELPERS, "unreachable")
            return Code(f"{found} if ({found} := {code.text}) is not None else {otherwise}()", Level.TERNARY)
        return Code(f"{self.imports.use(HELPERS, 'surely')}({code.text})")

    def _field(self, of: Code, type_: model.Type, name: str) -> tuple[Code, model.Type]:
        """The text of a field of something that is there, and its declared type."""
        definition = self.schema.types[type_.name] if isinstance(type_, model.Named) else None
        if isinstance(definition, model.PackedId):
            function = self.imports.use(".types", naming.part_function(definition.name, name))
            part = next(part for part in definition.parts if part.name == name)
            return Code(f"{function}({of.text})"), part.type
        if isinstance(type_, model.BagOf):
            assert isinstance(type_.item, model.Named)
            return self._case_in(of, self.schema.types[type_.item.name], name, "in_bag")
        if isinstance(definition, model.UnionType):
            facet = next((facet for facet in definition.facets if facet.name == name), None)
            if facet is None:
                return self._case_in(of, definition, name, "of_case")
            function = self.imports.use(".facets", naming.facet_function(definition.name, name))
            return Code(f"{function}({of.text})"), facet.type
        if isinstance(type_, model.SpanOf):
            return of_span(of, type_, name)
        if isinstance(type_, model.PutResult):
            row = model.RowOf(type_.table)
            return Code(f"{of.at(Level.ATOM)}.{name}"), model.Optional(row) if name == "was" else row
        declared = self.type_of(type_, name)
        return Code(f"{of.at(Level.ATOM)}.{naming.field(name)}"), declared

    def _case_in(self, of: Code, union: model.TypeDef, name: str, helper: str) -> tuple[Code, model.Type]:
        """A union's value, or that of a bag, where it is of the case of this name."""
        assert isinstance(union, model.UnionType)
        case = next(case.name for case in union.cases if snake(case.name) == name)
        class_name = self.imports.use(".types", naming.type_class(case))
        code = Code(f"{self.imports.use(HELPERS, helper)}({of.text}, {class_name})")
        return code, model.Optional(model.CaseOf(union.name, case))

    def type_of(self, type_: model.Type, name: str) -> model.Type:
        """The declared type of a field."""
        if isinstance(type_, model.RowOf):
            table = self.schema.tables[type_.table]
            types = [part.type for part in table.key if part.name == name]
            return types[0] if types else next(field.type for field in table.fields if field.name == name)
        return next(field.type for field in self.fields_of(type_) if field.name == name)

    def fields_of(self, type_: model.Type) -> Iterable[model.Field]:
        match type_:
            case model.RowOf(table):
                return row_fields(self.schema.tables[table])
            case model.CaseOf(union, name):
                definition = self.schema.types[union]
                assert isinstance(definition, model.UnionType)
                return next(case.fields for case in definition.cases if case.name == name)
            case model.UpdateOf(name):
                return self.schema.updates[name].fields
            case model.WireOf():
                assert self.schema.protocol is not None
                return self.schema.protocol.wire(type_).fields
            case model.ShownOf(members=members):
                return [model.Field(0, name, member) for name, member in members]
            case model.Named(name):
                record = self.schema.types[name]
                assert isinstance(record, model.RecordType)
                return record.fields
            case _:
                raise TypeError(f"{type_} has no fields")

    def _mapped_value(self, expr: model.Path) -> Value:
        return self.looped(self.mapped(expr), "tuple([", "])")

    def mapped(self, expr: model.Path) -> Mapped:
        """The loop of a path over a list; of a path over such a path, one loop for both."""
        list_type = present(expr.of.type)
        assert isinstance(list_type, model.ListOf)
        if isinstance(expr.of, model.Path) and expr.of.mapped:
            loop = self.mapped(expr.of)
        else:
            source = self.solid(self.value(expr.of))
            item = Code(self.scope.fresh("item"))
            source_code, named = source.code, None
            if ":=" in source_code.text:
                named = (self.scope.fresh("items"), source_code)
                source_code = Code(named[0])
            loop = Mapped(item, f"for {item.text} in {source_code.at(Level.OR)}", source.guards, named)
            if isinstance(list_type.item, model.Optional):
                loop = replace(loop, clauses=f"{loop.clauses} if {item.text} is not None")
        code, declared = self._field(loop.element, present(list_type.item), expr.field)
        clauses = loop.clauses
        if isinstance(declared, model.Optional):
            if not is_cheap(code):  # `:=` cannot stand in a loop's items
                found = self.scope.fresh("found")
                clauses += f" for {found} in ({code.text},)"
                code = Code(found)
            for guard in self.solid(Value(code, nullable=True)).guards:
                clauses += f" if {printed(guard).at(Level.OR)}"
        return replace(loop, element=code, clauses=clauses)

    def looped(self, loop: Mapped, opening: str, closing: str) -> Value:
        """The loop inside brackets, or inside a call."""
        text = f"{opening}{loop.element.text} {loop.clauses}{closing}"
        if loop.named is not None:
            let = self.imports.use(HELPERS, "let")
            text = f"{let}({loop.named[1].text}, lambda {loop.named[0]}: {text})"
        return Value(Code(text), loop.guards)


def listed(codes: Iterable[Code]) -> str:
    return ", ".join(code.text for code in codes)


def _tuple(items: list[Code]) -> Code:
    return Code(f"({items[0].text},)" if len(items) == 1 else f"({listed(items)})")


def _is_empty(expr: model.Expr) -> bool:
    """Whether it is 0, '' or [], which are equal to all that counts as false of their type."""
    match expr:
        case model.Tuple_(items):
            return not items
        case model.Literal_(value, type_):
            return value is not None and not value and type_ != FLOAT64
        case _:
            return False
