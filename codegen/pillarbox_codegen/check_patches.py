"""The type `patch`: changes of a row or record as data.

Depends on: context, check_fields.  Never on: steps; they apply patches.

Law: a patch has a field for each field that a step `patch` could change, under the same number.
"""

from __future__ import annotations

from dataclasses import replace

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.diagnostics import did_you_mean
from pillarbox_codegen.model import Named, PatchType, RecordType, RowOf, Table


def declare_patch(context: Context, name: str, entry: Entry) -> PatchType:
    """What it is a patch of; the fields come when tables are known. Raises Invalid after a finding."""
    node = entry.body.values["patch"]
    of, doc = text_value(node), text_value(entry.body.values.get("doc"))
    if of in context.entries("types"):
        if "record" not in context.entries("types")[of].body.values:
            text = f"`{of[:60]}` is no record"
            raise context.findings.add(node, "bad-type", text, "a patch is of a table or a record")
        return PatchType(name, Named(of), (), (), doc)
    table = context.entries("tables").get(of)
    if table is None:
        known = [*context.entries("tables"), *context.entries("types")]
        text = f"there is no table or record `{of[:60]}`"
        told = did_you_mean(of, known) or "declare it in `tables` or `types`"
        raise context.findings.add(node, "unknown-table", text, told)
    if "key" not in table.body.values:
        text = f"`{of[:60]}` is not written by steps"
        raise context.findings.add(node, "read-only", text, "a patch is of a primary table or a record")
    return PatchType(name, RowOf(of), (), (), doc)


def check_patches(context: Context) -> None:
    """Fill in the fields; types and tables are known."""
    for name, known in list(context.types.items()):
        if not isinstance(known, PatchType):
            continue
        of = _changed(context, known)
        if of is None:  # faulty itself
            del context.types[name]
        else:
            context.types[name] = replace(known, fields=of.fields, reserved=of.reserved)


def _changed(context: Context, patch: PatchType) -> Table | RecordType | None:
    if isinstance(patch.of, RowOf):
        return context.tables.get(patch.of.table)
    definition = context.types.get(patch.of.name) if isinstance(patch.of, Named) else None
    return definition if isinstance(definition, RecordType) else None
