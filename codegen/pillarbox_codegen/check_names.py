"""The names of everything that is declared: identifiers that do not meet in the generated code.

Depends on: context, names.  Never on: what is declared.

Law: no two declarations give one class, one function, or a class and a constant of one name, in one
generated module.
"""

from __future__ import annotations

from pillarbox_codegen.check_fields import check_clear, check_name, text_value
from pillarbox_codegen.context import Context
from pillarbox_codegen.findings import where
from pillarbox_codegen.names import AMBIGUOUS, FUNCTIONS, camel_problem, class_name, snake, snake_problem
from pillarbox_codegen.yaml_nodes import YamlMap, YamlScalar

_TABLE_KINDS = ("tables", "sequences", "cursors", "debts")
_OTHER_KINDS = (
    "events", "operations", "updates", "shapes", "views", "items", "sources",
    "answers", "requests", "containers",
)  # fmt: skip
#: What comes behind `pillarbox_` in packages that are installed beside generated ones.
_OWN = frozenset({"codegen", "spark"})
#: What names functions only, each kind with words around it.
_PLAIN_KINDS = ("brings", "bodies", "resets")


def check_names(context: Context) -> None:
    """Report every name that cannot be one; what has such a name is checked all the same."""
    head = context.entries("schema").get("schema")
    if head is not None and head.sound:
        name = head.body.values["name"]
        if isinstance(name, YamlScalar):
            context.findings.attempt(check_name, context.findings, name, snake_problem)
            if name.value in _OWN:
                text = f"`pillarbox_{name.value}` is a package of Pillarbox itself"
                context.findings.add(name, "name", text, "choose another name")
    for entry in context.entries("types").values():
        context.findings.attempt(check_name, context.findings, entry.name, camel_problem)
        context.findings.attempt(check_clear, context.findings, entry.name, entry.name.value)
    for kind in (*_TABLE_KINDS, *_OTHER_KINDS, *_PLAIN_KINDS):
        for entry in context.entries(kind).values():
            context.findings.attempt(check_name, context.findings, entry.name, snake_problem)
    for kind in (*_TABLE_KINDS, *_OTHER_KINDS):
        for word, entry in context.entries(kind).items():
            printed = word if word in AMBIGUOUS and kind in _OTHER_KINDS else class_name(word)
            context.findings.attempt(check_clear, context.findings, entry.name, printed)
    _check_tables(context)
    _check_classes(context)
    _check_functions(context)


def _check_tables(context: Context) -> None:
    first: dict[str, YamlScalar] = {}
    for kind in _TABLE_KINDS:
        for name, entry in context.entries(kind).items():
            if name in first:
                text = f"`{name[:60]}` is a table already ({where(first[name])})"
                hint = "tables, sequences and cursors share their names"
                context.findings.add(entry.name, "name-taken", text, hint)
            elif name in FUNCTIONS:
                text = f"`{name}(..)` is a function of expressions"
                context.findings.add(entry.name, "name", text, "choose another name")
            first.setdefault(name, entry.name)


def _check_classes(context: Context) -> None:
    """Types, union cases and rows share a module; what is declared besides them also names them."""
    rows: dict[str, YamlScalar] = {}
    for name, entry in context.entries("types").items():
        _claim(context, rows, name, entry.name)
        cases = entry.body.values.get("union")
        for key, _ in cases if isinstance(cases, YamlMap) else ():
            _claim(context, rows, key.value, key)
    for kind in _TABLE_KINDS:
        for name, entry in context.entries(kind).items():
            _claim(context, rows, class_name(name), entry.name)
    for kind in _TABLE_KINDS:
        for name, entry in context.entries(kind).items():
            _check_constant(context, entry.name, rows.get(name.upper()))
    for kind in _OTHER_KINDS:
        taken = {name: node for name, node in rows.items() if node.value == name}
        for name, entry in context.entries(kind).items():
            _claim(context, taken, class_name(name), entry.name)


def _check_constant(context: Context, name: YamlScalar, taken: YamlScalar | None) -> None:
    """The constant of a table stands beside classes of types and rows."""
    if taken is not None and taken is not name:
        text = (
            f"the constant of `{name.value[:60]}` would be called like the class {name.value.upper()[:60]} "
            f"({where(taken)})"
        )
        context.findings.add(name, "constant-taken", text, "rename one of the two")


def _check_functions(context: Context) -> None:
    """Functions that put packed ids together and take them apart, and those that check rows and records."""
    packing: dict[str, YamlScalar] = {}
    numbered: dict[str, YamlScalar] = {}
    checking: dict[str, YamlScalar] = {}
    for name, entry in context.entries("types").items():
        if "packed" in entry.body.values:
            _claim_function(context, packing, snake(name), entry.name)
            parts = entry.body.values.get("parts")
            for key, _ in parts if isinstance(parts, YamlMap) else ():
                _claim_function(context, packing, f"{snake(name)}_{key.value}", key)
        if "enum" in entry.body.values:
            _check_members(context, entry.name, numbered.setdefault(snake(name), entry.name))
        facets = entry.body.values.get("facets")
        for key, _ in facets if isinstance(facets, YamlMap) else ():
            _claim_function(context, packing, f"{snake(name)}_{key.value}", key)
        cases = entry.body.values.get("union")
        if "record" in entry.body.values or cases is not None:
            _claim_function(context, checking, f"check_{snake(name)}", entry.name)
        for key, _ in cases if isinstance(cases, YamlMap) else ():
            _claim_function(context, checking, f"check_{snake(key.value)}", key)
    for name, entry in context.entries("tables").items():
        if "record" in entry.body.values:
            _claim_function(context, checking, f"check_{name}", entry.name)


def _check_members(context: Context, name: YamlScalar, first: YamlScalar) -> None:
    """The members of an enum by number are a constant, in which capitals of its name are not told apart."""
    if first is not name:
        text = f"`{name.value[:60]}` and `{first.value[:60]}` ({where(first)}) differ in capitals alone"
        context.findings.add(name, "constant-taken", text, "rename one of the two")


def _claim_function(context: Context, taken: dict[str, YamlScalar], function: str, node: YamlScalar) -> None:
    first = taken.setdefault(function, node)
    if first is not node and class_name(first.value) != class_name(node.value):  # else the class is told
        text = f"`{node.value[:60]}` and `{first.value[:60]}` ({where(first)}) both give `{function}(..)`"
        context.findings.add(node, "function-taken", text, "rename one of the two")


def _claim(context: Context, taken: dict[str, YamlScalar], name: str, node: YamlScalar) -> None:
    first = taken.setdefault(name, node)
    if first is not node and first.value != node.value:
        text = (
            f"`{text_value(node)[:60]}` and `{text_value(first)[:60]}` ({where(first)}) are both class {name}"
        )
        context.findings.add(node, "class-taken", text, "rename one of the two")
    elif first is not node:
        text = f"`{name[:60]}` is declared already ({where(first)})"
        context.findings.add(node, "name-taken", text, "rename one of the two")
