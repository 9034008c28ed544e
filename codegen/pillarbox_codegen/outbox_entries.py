"""The declarations that `outbox:` stands for: a table with its numbers, its index and its view, a union of
payloads, and the operations that write and remove rows.

Depends on: context, outbox_names, yaml_nodes.  Never on: how any of it is checked.

Law: what is declared here is checked and generated like what stands in a file; a place in it is one of the
entry that it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.findings import where
from pillarbox_codegen.names import snake
from pillarbox_codegen.outbox_names import (
    CANCEL,
    GROUPS,
    LIMIT,
    NUMBERS,
    PAYLOAD,
    TABLE,
    TABLE_WORD,
    VARIABLES,
    VIEW,
    case_of,
    enqueue_of,
)
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

#: How a field of two payloads becomes one, by the rule of `fold`; `old` is absent where there is but one.
_FOLDS: Final = {
    "union": "join({old} // {new}, {new})",
    "concat": "if {old} is present then {old} + {new} else {new}",
    "max": "max({old} // {new}, {new})",
    "min": "min({old} // {new}, {new})",
    "first": "{old} // {new}",
}
#: The same of a field that may be absent: that the older one leaves it out is what that one said.
_FIRST_OPT: Final = "if {before} is present then {old} else {new}"
_PATH: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")


def entries_of(context: Context) -> dict[str, Entry]:
    """The kinds of wishes, faulty ones included."""
    return {name: entry for name, entry in context.entries("outbox").items() if name != TABLE_WORD}


def declare_outbox(context: Context) -> None:
    """Declare what the outbox stands for, before anything is checked."""
    kinds = entries_of(context)
    table = context.entries("outbox").get(TABLE_WORD)
    if table is None and kinds:
        first = next(iter(kinds.values()))
        text = "nothing says where the outbox keeps its rows"
        hint = "add `table: {id: .., groups: .., numbers: .., cancel: ..}` to `outbox:`"
        context.findings.add(first.name, "outbox", text, hint)
    elif table is not None and not kinds:
        context.findings.add(table.name, "outbox", "nothing goes into this outbox", "add a kind of wish")
    elif table is not None and table.sound:
        sound = {
            name: entry
            for name, entry in kinds.items()
            if entry.sound and context.findings.attempt(_declare_operation, context, name, entry)
        }
        if sound:
            _declare_table(context, table, sound)
    operations = context.declared.setdefault("operations", {})
    for name, entry in kinds.items():  # who names that of a faulty kind is not at fault
        made = _scalar(enqueue_of(name), entry.name)
        operations.setdefault(
            made.value, Entry(made, YamlMap(made.file, made.line, made.column), sound=False)
        )


# ------------------------------------------------------------------------------------------- the table


#: What a row holds.
_RECORD: Final[dict[str, Any]] = {
    "group": {"number": 1, "type": "bytes", "doc": "At most one of a group is on its way."},
    "revision": {
        "number": 2,
        "type": "int32",
        "default": 0,
        "doc": "One more each time what is wanted changes while it waits.",
    },
    "tried": {
        "number": 3,
        "type": "bool",
        "default": False,
        "doc": "It may have been sent: an opposite wish cannot take it back.",
    },
    "payload": [4, PAYLOAD],
}


def _declare_table(context: Context, table: Entry, kinds: Mapping[str, Entry]) -> None:
    """The table with its numbers and index, the union of payloads, and what programs see and take back."""
    ids = table.body.values

    def declare(kind: str, name: str, doc: str, body: dict[str, Any]) -> None:
        _declare(context, table, kind, name, {"doc": doc, **body})

    doc = "Numbers of what waits in the outbox; none is given twice."
    numbers: dict[str, Any] = {"id": ids["numbers"], "type": "int64", "per": {}, "start": 1}
    declare("sequences", NUMBERS, doc, numbers)
    doc = "What is wanted done on the server, until it is done."
    key = {"kind": "uint16", "number": {"type": "int64", "fill": NUMBERS}}
    declare("tables", TABLE, doc, {"id": ids["id"], "key": key, "record": _RECORD})
    index = {"from": TABLE, "key": ["kind", "group", "number"]}
    declare("tables", GROUPS, "The rows of each group.", {"id": ids["groups"], "index": index})
    cases = {case_of(name): _case(name, entry) for name, entry in kinds.items()}
    declare("types", PAYLOAD, "What is wanted done on the server.", {"union": cases})
    doc = "What waits in the outbox: of each kind the first rows, in the order in which they are told."
    parts = {
        name: {"scan": TABLE, "prefix": [entry.body.values["code"]], "limit": LIMIT}
        for name, entry in kinds.items()
    }
    declare("views", VIEW, doc, {"key": {LIMIT: "int32"}, "parts": parts})
    doc = "Take back a wish of the outbox. If it is on its way it may have been done all the same."
    params = {"kind": [1, "uint16"], "number": [2, "int64"]}
    steps = [{"remove": {"from": TABLE, "at": ["kind", "number"]}}]
    cancel = {"code": ids["cancel"], "params": params, "idempotent": True, "steps": steps}
    declare("operations", CANCEL, doc, cancel)


def _case(name: str, entry: Entry) -> dict[str, Any]:
    """The case of the union that is the payload of a kind."""
    values = entry.body.values
    made = {"number": values["code"], "record": payload_of(entry), "doc": f"What `{name}` is told."}
    return made | ({"reserved": values["reserved"]} if "reserved" in values else {})


def payload_of(entry: Entry) -> YamlNode | dict[str, Any]:
    """The fields of a payload; a payload of one type is a field `payload` of that type."""
    node = entry.body.values["payload"]
    return node if isinstance(node, YamlMap) else {"payload": [1, node]}


# ---------------------------------------------------------------------------------------- the operation


def _declare_operation(context: Context, name: str, entry: Entry) -> bool:
    """The operation that writes a row, and before that does what is to be seen here at once."""
    values = entry.body.values
    if name == LIMIT:
        text = f"`{name}` is the parameter of the view `{VIEW}`, in which each kind has a part of its name"
        raise context.findings.add(entry.name, "name-taken", text, "choose another name")
    fields = _payload_fields(context, entry)
    doc = text_value(values.get("doc")) or f"What `{name}` wants is told to the server."
    made: dict[str, Any] = {"code": values["code"], "doc": doc, "params": payload_of(entry)}
    if "reserved" in values:
        made["reserved"] = values["reserved"]
    local = values.get("local")
    done = [{"do": item} for item in local.items] if isinstance(local, YamlList) else []
    made["steps"] = [{"wish": name, "then": [*done, *_enqueue(context, name, entry, fields)]}]
    _declare(context, entry, "operations", enqueue_of(name), made)
    return True


def _payload_fields(context: Context, entry: Entry) -> list[str]:
    node = entry.body.values["payload"]
    if not isinstance(node, YamlMap):
        return ["payload"]
    for key, _ in node:
        if key.value in VARIABLES:
            text = f"`{key.value}` has a meaning of its own where a payload becomes a row"
            raise context.findings.add(key, "name-taken", text, "choose another name")
    return list(node.values)


def _enqueue(context: Context, name: str, entry: Entry, fields: list[str]) -> list[dict[str, Any]]:
    """The steps that write the row."""
    values = entry.body.values
    code = values["code"]
    group = [f"encoded({path})" for path in _group(context, values.get("per"), fields)] or ["encoded(0)"]
    whole = group[0] if len(group) == 1 else f"encoded([{', '.join(group)}])"
    steps: list[dict[str, Any]] = [{"let": {"group": whole}}]
    row: dict[str, Any] = {"kind": code, "group": "group"}
    same = values.get("same")
    rule = same.values if isinstance(same, YamlMap) else {}
    given = {field: field for field in fields}
    if same is None or text_value(same) == "append":
        return [*steps, {"put": {"into": TABLE, "row": {**row, "payload": _made(name, given)}}}]
    number = text_value(code)
    steps.append({"let": {"newest": f"last({GROUPS}.prefix([{number}, group]))"}})
    steps.append({"let": {"old": f"{TABLE}([{number}, newest.number])"}})
    before = f"old.payload.{snake(case_of(name))}"
    if "fold" in rule:
        given |= _folded(context, entry, rule["fold"], fields, before)
    row |= {"number": "old.number // 0", "revision": "if old is present then old.revision + 1 else 0"}
    if "cancel" in rule:
        row["tried"] = "old.tried // false"
    put = {"put": {"into": TABLE, "row": {**row, "payload": _made(name, given)}}}
    if "cancel" not in rule:
        return [*steps, put]
    field = _field(context, rule["cancel"], fields)
    opposite = f"old is present and not old.tried and {before}.{field} != {field}"
    remove = {"remove": {"from": TABLE, "at": ["old.kind", "old.number"]}}
    return [*steps, {"if": opposite, "then": [remove], "else": [put]}]


def _made(name: str, fields: Mapping[str, str]) -> str:
    given = "".join(f", {field}: {text}" for field, text in fields.items())
    return f"make({case_of(name)}{given})"


def _group(context: Context, node: YamlNode | None, fields: Sequence[str]) -> list[str]:
    """Paths of the payload; none: all of a kind are one group."""
    items = [] if node is None else node.items if isinstance(node, YamlList) else [node]
    return [_path(context, item, fields) for item in items]


def _path(context: Context, node: YamlNode, fields: Sequence[str]) -> str:
    text = text_value(node)
    if not _PATH.fullmatch(text):
        hint = "name a field of the payload, or a part of one: `issue.number`"
        raise context.findings.add(node, "outbox", f"`{text[:60]}` is no field", hint)
    _known(context, node, text.split(".")[0], fields)
    return text


def _field(context: Context, node: YamlNode, fields: Sequence[str]) -> str:
    name = text_value(node)
    _known(context, node, name, fields)
    return name


def _known(context: Context, node: YamlNode, name: str, fields: Sequence[str]) -> None:
    if name not in fields:
        hint = did_you_mean(name, fields) or f"it has {one_of(fields)}"
        raise context.findings.add(node, "unknown-field", f"the payload has no `{name[:60]}`", hint)


def _may_be_absent(field: YamlNode) -> bool:
    """Whether the type of a field is written as one that may be absent."""
    type = field.values.get("type") if isinstance(field, YamlMap) else field
    if isinstance(field, YamlList) and len(field.items) > 1:
        type = field.items[1]
    return isinstance(type, YamlScalar) and type.value.replace(" ", "").startswith("opt<")


def _folded(
    context: Context, entry: Entry, node: YamlNode, fields: Sequence[str], before: str
) -> dict[str, str]:
    """Fields that become one out of both payloads; the others are those of the newer one."""
    assert isinstance(node, YamlMap)
    payload = entry.body.values["payload"]
    found = {}
    for key, value in node:
        _known(context, key, key.value, fields)
        rule = _FOLDS[word := text_value(value)]
        if _may_be_absent(payload.values[key.value] if isinstance(payload, YamlMap) else payload):
            if word in ("max", "min"):
                text = f"`{word}` does not fold what may be absent"
                raise context.findings.add(value, "type", text, "give the field a default in place of `opt`")
            rule = _FIRST_OPT if word == "first" else rule
        found[key.value] = rule.format(before=before, old=f"{before}.{key.value}", new=key.value)
    return found


# -------------------------------------------------------------------------------------------- the nodes


def _declare(context: Context, owner: Entry, kind: str, name: str, body: dict[str, Any]) -> None:
    taken = context.declared.setdefault(kind, {})
    if name in taken:
        text = f"`{name}` is what the outbox declares ({where(owner.name)})"
        context.findings.add(taken[name].name, "name-taken", text, "choose another name")
    node = node_of(body, owner.name)
    assert isinstance(node, YamlMap)
    taken[name] = Entry(_scalar(name, owner.name), node, sound=True)


def node_of(value: Any, at: YamlScalar) -> YamlNode:
    """Python data as a tree of YAML at one place; nodes in it keep theirs."""
    match value:
        case YamlScalar() | YamlMap() | YamlList():
            return value
        case dict():
            keys = {name: _scalar(name, at) for name in value}
            values = {name: node_of(item, at) for name, item in value.items()}
            return YamlMap(at.file, at.line, at.column, keys, values)
        case list():
            return YamlList(at.file, at.line, at.column, [node_of(item, at) for item in value])
        case bool():
            return _scalar("true" if value else "false", at)
        case _:
            return _scalar(str(value), at)


def _scalar(text: str, at: YamlScalar) -> YamlScalar:
    """A text that stands where another one does."""
    return YamlScalar(at.file, at.line, at.column, text, None, at.start, at.end)
