"""Plans `checks.py`: for every record that holds integers a function that refuses those out of range.

Bags and maps are looked at as well: two values of one case or key are refused, and what is not in order.

Depends on: model, names, hints, frame.  Never on: keys and packed values, whose encoders do it.

All plain integers of a record go into one `Struct.pack`, which tells nothing but costs next to nothing;
only when it refuses are the fields looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports

_FORMATS: Final = {
    "int8": "b", "int16": "h", "int32": "i", "int64": "q",
    "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q",
}  # fmt: skip
#: How many integers are packed by one call: its format is part of a name, which must fit in a line.
_TOGETHER_MAX: Final = 32


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """One function. `template` prints it."""

    template: str
    name: str
    class_name: str
    doc: str
    #: The formats of `struct` that it packs.
    formats: tuple[str, ...]
    #: What packs the integers; None counts as 0, which fits everything.
    statements: tuple[str, ...]
    #: Calls of other checks, for the records within.
    calls: tuple[str, ...]
    place: str
    #: (name, scalar, value) of every integer, as `range_error` takes them.
    parts: str
    #: Of a union: (class, check function) of its cases that need one, and the name of a table of these.
    cases: tuple[tuple[str, str], ...] = ()
    by_case: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """An integer somewhere in a record: `loops` lead to it from outside in."""

    loops: tuple[str, ...]
    format: str
    name: str
    scalar: str
    value: str


class _Checked:
    """Which types hold integers, bags or maps that need a look, straight or further in."""

    def __init__(self, schema: model.Schema) -> None:
        self._schema = schema
        self._names: set[str] = set()
        before = -1
        while len(self._names) != before:  # Records may hold each other in a circle.
            before = len(self._names)
            self._names |= {name for name, definition in schema.types.items() if self._holds(definition)}

    def _holds(self, definition: model.TypeDef) -> bool:
        match definition:
            case model.RecordType(_, fields):
                return self.any(fields)
            case model.UnionType(_, cases):
                return any(self.any(case.fields) for case in cases)
            case _:
                return False

    def any(self, fields: Iterable[model.Field]) -> bool:
        """Whether one of these fields holds what needs a look."""
        return any(self.type(field.type) for field in fields)

    def type(self, type_: model.Type) -> bool:
        """Whether a value of this type does."""
        match type_:
            case model.BagOf() | model.MapOf():
                return True
            case model.Optional(item) | model.ListOf(item):
                return self.type(item)
            case model.Named(name) if name in self._names:
                return True
            case _:
                return self.scalar(type_) is not None

    def scalar(self, type_: model.Type) -> str | None:
        """The scalar of an integer; enums are what they are."""
        if isinstance(type_, model.Named) and isinstance(self._schema.types[type_.name], model.EnumType):
            return None
        scalar = hints.base(self._schema, type_)
        return scalar.name if scalar is not None and scalar.name in _FORMATS else None


@lru_cache(maxsize=2)
def _checked(schema: model.Schema) -> _Checked:
    return _Checked(schema)


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`checks.py`."""
    imports = frame.imports(".checks", set(_functions(schema)))
    checked = _checked(schema)
    checks: list[CheckPlan] = []
    for definition in schema.types.values():
        match definition:
            case model.RecordType(name, fields) if checked.any(fields):
                checks.append(
                    _plan(schema, checked, imports, names.snake(name), names.type_class(name), fields)
                )
            case model.UnionType() if checked.type(model.Named(definition.name)):
                checks += _plan_union(schema, checked, imports, definition)
    for table in schema.tables.values():
        if needs_check(schema, table):
            class_name = names.row_class(table.name)
            checks.append(_plan(schema, checked, imports, table.name, class_name, table.fields))
    if any(check.cases for check in checks):
        imports.use_all("collections.abc", ["Callable", "Mapping"])
        imports.use_all("typing", ["Any", "Final"])
    formats = sorted({format_ for check in checks for format_ in check.formats})
    if formats:
        imports.use_all("struct", ["Struct", "error as StructError"])
        imports.use("typing", "Final")
        imports.use("pillarbox.codec", "range_error")
    text = frame.module(
        doc=f"Refuses integers, bags and maps that the schema {schema.name!r} does not allow.",
        imports=imports,
        template="checks.py.j2",
        checks=checks,
        formats=formats,
    )
    return {"checks.py": text}


def _functions(schema: model.Schema) -> Iterator[str]:
    """What the functions may be called, which are no names for what the module imports."""
    cases = (
        case for union in schema.types.values() if isinstance(union, model.UnionType) for case in union.cases
    )
    of_types = (names.snake(name) for name in (*schema.types, *(case.name for case in cases)))
    yield from map(names.check_function, (*of_types, *schema.tables))


def needs_check(schema: model.Schema, table: model.Table) -> bool:
    """Whether `put` of this table calls a check: its record holds what no encoder looks at."""
    writes = table.role in ("primary", "kept") and table.layout == "record"
    return writes and _checked(schema).any(table.fields)


def _plan_union(
    schema: model.Schema, checked: _Checked, imports: Imports, union: model.UnionType
) -> list[CheckPlan]:
    """A function for each case with integers, and one for the union that calls them."""
    held = [case for case in union.cases if checked.any(case.fields)]
    checks = [
        _plan(schema, checked, imports, names.snake(case.name), names.type_class(case.name), case.fields)
        for case in held
    ]
    cases = tuple((check.class_name, check.name) for check in checks)
    class_name = names.type_class(union.name)
    checks.append(
        CheckPlan(
            template="check_union.j2",
            name=names.check_function(names.snake(union.name)),
            class_name=imports.use(".types", class_name),
            doc=_doc(class_name),
            formats=(),
            statements=(),
            calls=(),
            place="",
            parts="",
            cases=cases,
            by_case=f"_{names.snake(union.name).upper()}_CHECKS",
        )
    )
    return checks


def _plan(
    schema: model.Schema,
    checked: _Checked,
    imports: Imports,
    name: str,
    class_name: str,
    fields: Sequence[model.Field],
) -> CheckPlan:
    walk = _Walk(checked, imports, name if name in schema.tables else class_name)
    for field in fields:
        walk.value(field.name, field.type, f"row.{names.field(field.name)}", ())
    found = walk.found
    flat = [each for each in found if not each.loops]
    looped = [each for each in found if each.loops]
    packed = [flat[start : start + _TOGETHER_MAX] for start in range(0, len(flat), _TOGETHER_MAX)]
    statements = []
    for some in packed:
        statements.append(f"_PACK_{_format(some)}({', '.join(each.value for each in some)})")
    for each in looped:
        statements += _nested(each.loops, f"_PACK_{each.format}({each.value})")
    parts = [_part(each) for each in found]
    return CheckPlan(
        template="check_record.j2" if found else "check_calls.j2",
        name=names.check_function(name),
        class_name=imports.use(".types", class_name),
        doc=_doc(class_name, walk),
        formats=tuple({*map(_format, packed), *(each.format for each in looped)}),
        statements=tuple(statements),
        calls=tuple(walk.calls),
        place=printing.literal(name if name in schema.tables else class_name),
        parts=", ".join(parts),
    )


def _format(some: Sequence[_Found]) -> str:
    return "".join(each.format for each in some)


def _doc(class_name: str, walk: _Walk | None = None) -> str:
    what = "integers out of range"
    if walk is not None and walk.ordered:
        of_more = bool(walk.found) or len(walk.calls) > walk.ordered
        what = f"{what}, bags and maps out of order" if of_more else "bags and maps out of order"
    return printing.docstring(f"Refuse {what} in `{class_name}`. Raises RangeError.", 4)


class _Walk:
    """Collects the integers of one record, and the calls of checks for what else is in it."""

    def __init__(self, checked: _Checked, imports: Imports, place: str) -> None:
        self._checked, self._imports, self._place = checked, imports, place
        self._variables = 0
        self.found: list[_Found] = []
        self.calls: list[str] = []
        #: How many of the lines in `calls` are about the order of bags and maps.
        self.ordered = 0

    def value(self, name: str, type_: model.Type, value: str, loops: tuple[str, ...]) -> None:
        """Look at a value; `loops` bind the variables in its text."""
        if not self._checked.type(type_):
            return
        optional = isinstance(type_, model.Optional)
        item = type_.item if isinstance(type_, model.Optional) else type_
        items = f"{value} or ()" if optional else value
        if isinstance(item, model.BagOf | model.MapOf):
            word = "check_bag" if isinstance(item, model.BagOf) else "check_map"
            check = self._imports.use("pillarbox.codec", word)
            lines = _nested(loops, f"{check}({items}, {printing.literal(f'{self._place}.{name}')})")
            self.calls += lines
            self.ordered += len(lines)
        match item:
            case model.ListOf(element):
                variable = self._variable(element)
                self.value(name, element, variable, (*loops, f"for {variable} in {items}:"))
            case model.MapOf(key, element):
                first, second = self._variable(key), self._variable(element)
                self.value(name, key, first, (*loops, f"for {first}, _ in {items}:"))
                self.value(name, element, second, (*loops, f"for _, {second} in {items}:"))
            case model.Named(record) if self._checked.scalar(item) is None:
                present = (f"if {value} is not None:",) if optional else ()
                check = names.check_function(names.snake(record))
                self.calls += _nested((*loops, *present), f"{check}({value})")
            case _:
                scalar = self._checked.scalar(item)
                assert scalar is not None, f"{name}: only integers are left"
                or_zero = f"{value} or 0" if optional else value
                self.found.append(_Found(loops, _FORMATS[scalar], name, scalar, or_zero))

    def _variable(self, type_: model.Type) -> str:
        """A fresh loop variable, or `_` where nothing looks at it."""
        if not self._checked.type(type_):
            return "_"
        self._variables += 1
        return "item" if self._variables == 1 else f"item_{self._variables}"


def _nested(loops: Sequence[str], statement: str) -> list[str]:
    return [" " * 4 * depth + line for depth, line in enumerate([*loops, statement])]


def _part(found: _Found) -> str:
    part = f"({printing.literal(found.name)}, {printing.literal(found.scalar)}, {found.value})"
    if not found.loops:
        return part
    return f"*({part} {' '.join(loop.removesuffix(':') for loop in found.loops)})"
