"""A folder of YAML in, a checked `model.Schema` out, or every finding at once.

Depends on: all of the checks.  Never on: templates, plans, the runtime.

Law: for any bytes in the folder the answer is a Schema or `SchemaErrors`, never another exception.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from pillarbox_codegen.check_computed import check_computed
from pillarbox_codegen.check_facets import check_facets, declare_facets
from pillarbox_codegen.check_fields import reserved_numbers, text_value
from pillarbox_codegen.check_names import check_names
from pillarbox_codegen.check_operations import check_box_seed, check_constants, check_events, check_operations
from pillarbox_codegen.check_outbox import check_outbox
from pillarbox_codegen.check_owned import check_options
from pillarbox_codegen.check_patches import check_patches
from pillarbox_codegen.check_protocol import check_debts, check_owed, check_protocol
from pillarbox_codegen.check_repeats import check_repeats
from pillarbox_codegen.check_rules import check_derived
from pillarbox_codegen.check_seeds import check_group_seeds
from pillarbox_codegen.check_sources import check_sources
from pillarbox_codegen.check_sync_holes import check_sync_holes
from pillarbox_codegen.check_tables import check_tables
from pillarbox_codegen.check_types import check_endless, check_rows_held, check_types
from pillarbox_codegen.check_updates import check_updates
from pillarbox_codegen.check_upsert import check_upserts
from pillarbox_codegen.check_view_items import check_view_items
from pillarbox_codegen.check_views import check_views
from pillarbox_codegen.check_wire import check_wire
from pillarbox_codegen.collecting import uncollected
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.diagnostics import Diagnostic, SchemaErrors
from pillarbox_codegen.findings import Findings, TooMany, where
from pillarbox_codegen.model import Schema, Table
from pillarbox_codegen.outbox_entries import declare_outbox
from pillarbox_codegen.shape import check_shape
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar
from pillarbox_codegen.yaml_source import Folder, load_folder

#: In the order in which they are named in `Schema.files`.
KINDS: Final = (
    "schema", "types", "sequences", "tables", "cursors", "events", "operations", "updates", "shapes", "views",
    "items", "seeds", "sources", "debts", "answers", "requests", "containers", "brings", "bodies", "resets",
    "outbox", "holes",
)  # fmt: skip

_NAMED_ONCE: Final = "keep `schema:` in one file; of two schemas each has a folder, outside that of the other"


@uncollected
def load_schema(folder: Path) -> Schema:
    """Read and check the schema in `folder`. Raises SchemaErrors with everything that was found."""
    source = load_folder(folder)
    findings = Findings()
    schema = None
    with suppress(TooMany):
        for found in source.findings:
            findings.add_diagnostic(found)
        if not findings.diagnostics:  # of half a schema, everything would be said to be unknown
            schema = _checked(Context(findings, _merged(source, findings)), min(source.files))
    if findings.diagnostics or schema is None:
        raise _errors(findings, source, folder)
    return schema


def _errors(findings: Findings, source: Folder, folder: Path) -> SchemaErrors:
    sources = {name: file.text for name, file in source.files.items()}
    return SchemaErrors(findings.diagnostics, sources, folder.as_posix())


def _merged(source: Folder, findings: Findings) -> dict[str, dict[str, Entry]]:
    """kind -> name -> declaration, over all files in the order of their paths."""
    merged: dict[str, dict[str, Entry]] = {kind: {} for kind in KINDS}
    shapes = [(tree, check_shape(tree, findings)) for tree in source.trees.values()]
    _check_one_schema(source, findings)
    unread = False
    for tree, misshapen in shapes:
        for kind, node in tree if isinstance(tree, YamlMap) else ():
            if kind.value in merged and isinstance(node, YamlMap):
                _merge_kind(kind, node, merged[kind.value], misshapen, findings)
            else:
                unread = True
        unread = unread or not isinstance(tree, YamlMap)
    if unread:  # what stands there would be said to be unknown wherever it is used
        raise TooMany
    return merged


def _check_one_schema(source: Folder, findings: Findings) -> None:
    """Where there are two, each name that both have would be said to be taken."""
    trees = [tree for tree in source.trees.values() if isinstance(tree, YamlMap)]
    heads = [tree.keys["schema"] for tree in trees if "schema" in tree.keys]
    for head in heads[1:]:
        text = f"the schema is named already ({where(heads[0])})"
        findings.add(head, "schema-name", text, _NAMED_ONCE)
    if len(heads) > 1:
        raise TooMany


def _merge_kind(
    kind: YamlScalar,
    node: YamlMap,
    known: dict[str, Entry],
    misshapen: set[tuple[str, str]],
    findings: Findings,
) -> None:
    if kind.value == "schema":
        sound = ("schema", "name") not in misshapen and "name" in node.values
        known["schema"] = Entry(kind, node, sound)
        return
    if kind.value == "debts":
        _merge_debts(kind, node, known, not any(where == "debts" for where, _ in misshapen), findings)
        return
    for key, value in node:
        first = known.get(key.value)
        if first is not None and kind.value == "seeds" and isinstance(value, YamlMap):
            sound = first.sound and (kind.value, key.value) not in misshapen
            known[key.value] = Entry(first.name, _both(first.body, value, findings), sound)
            continue
        if first is not None:
            text = f"`{key.value[:60]}` is declared already ({where(first.name)})"
            hint = "remove or rename one of the two"
            if kind.value == "seeds":
                hint = f"keep all of `{key.value[:60]}` in one list, whose order counts"
            findings.add(key, "name-taken", text, hint)
            continue
        body = value if isinstance(value, YamlMap) else YamlMap(value.file, value.line, value.column)
        if kind.value == "seeds" and isinstance(value, YamlList):  # kept beside its name
            body = YamlMap(value.file, value.line, value.column, {key.value: key}, {key.value: value})
        known[key.value] = Entry(key, body, (kind.value, key.value) not in misshapen)


def _both(first: YamlMap, second: YamlMap, findings: Findings) -> YamlMap:
    """What two files say under one word, such as the constants of each."""
    keys, values = dict(first.keys), dict(first.values)
    for key, value in second:
        if key.value in keys:
            text = f"`{key.value[:60]}` is declared already ({where(keys[key.value])})"
            findings.add(key, "name-taken", text, "remove or rename one of the two")
        else:
            keys[key.value], values[key.value] = key, value
    return YamlMap(first.file, first.line, first.column, keys, values)


def _merge_debts(
    kind: YamlScalar, node: YamlMap, known: dict[str, Entry], sound: bool, findings: Findings
) -> None:
    first = known.get("debts")
    if first is not None:
        text = f"the table of debts is declared already ({where(first.name)})"
        findings.add(kind, "name-taken", text, "keep `debts:` in one file")
        return
    known["debts"] = Entry(kind, node, sound)


def _checked(context: Context, file: str) -> Schema | None:
    """`file` is any of the schema: where that is told which none of them says."""
    head = context.entries("schema").get("schema")
    if head is None:
        text = "no file says what the schema is called"
        hint = "add `schema: {name: my_schema, doc: What it is for.}` to one file"
        first = _first_file(context, file)
        context.findings.add_diagnostic(Diagnostic(first, 1, 1, "schema-name", text, hint))
    declare_outbox(context)
    check_names(context)
    check_types(context)
    declare_facets(context)
    check_constants(context)
    check_tables(context)
    check_debts(context)
    check_derived(context)
    check_patches(context)
    check_facets(context)
    check_options(context)
    check_computed(context)
    check_upserts(context)
    check_endless(context)
    check_rows_held(context)
    check_events(context)
    check_operations(context)
    check_wire(context)
    check_updates(context)
    check_protocol(context)
    context.findings.tell_shared()
    check_repeats(context)
    outbox = check_outbox(context)
    views = check_views(context)
    holes = check_sync_holes(context, views)
    check_owed(context)
    items = check_view_items(context, views)
    box = check_box_seed(context, _box_steps(context))
    group_seeds, rebuilds = check_group_seeds(context)
    sources = check_sources(context)
    if head is None or not head.sound:
        return None
    return Schema(
        name=text_value(head.body.values["name"]),
        doc=text_value(head.body.values.get("doc")),
        types=context.types,
        tables=_in_file_order(context),
        sequences=context.sequences,
        cursors=context.cursors,
        events=context.events,
        operations=context.operations,
        updates=context.updates,
        views=views,
        constants=context.constants,
        box_seed=box,
        sources=sources,
        files=_files(context),
        group_seeds=group_seeds,
        rebuilds=rebuilds,
        alone=_alone(head),
        reserved=tuple(sorted(reserved_numbers(head.body))),
        items=items,
        protocol=None if context.protocol.is_empty else context.protocol,
        outbox=outbox,
        holes=holes,
    )


def _alone(head: Entry) -> dict[str, str]:
    node = head.body.values.get("alone")
    return {key.value: text_value(value) for key, value in node} if isinstance(node, YamlMap) else {}


def _first_file(context: Context, otherwise: str) -> str:
    files = [entry.name.file.path for kind in KINDS for entry in context.entries(kind).values()]
    return min(files, default=otherwise)


def _box_steps(context: Context) -> YamlNode | None:
    entry = context.entries("seeds").get("box")
    return entry.body.values["box"] if entry is not None and entry.sound else None


def _in_file_order(context: Context) -> dict[str, Table]:
    return {name: context.tables[name] for name in context.table_names() if name in context.tables}


def _files(context: Context) -> dict[str, str]:
    return {
        (kind if kind == "schema" else f"{kind}.{name}"): entry.name.file.path
        for kind in KINDS
        for name, entry in context.entries(kind).items()
    }
