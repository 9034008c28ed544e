"""How a server is followed: everything that is said of it, and that it goes together.

Depends on: check_containers, check_bodies, check_cursor_rules, check_resets.  Never on: expressions.

Law: where a cursor with a key can be asked about, or something asks for a recipe, there is a table for what
is owed, and nowhere else.
"""

from __future__ import annotations

from pillarbox_codegen.check_bodies import check_body_of, check_unused_bodies
from pillarbox_codegen.check_containers import check_containers, check_unused_brings
from pillarbox_codegen.check_cursor_rules import check_cursor_rules
from pillarbox_codegen.check_resets import check_resets
from pillarbox_codegen.check_tables import id_of
from pillarbox_codegen.context import Context
from pillarbox_codegen.findings import place_of
from pillarbox_codegen.model import Field, KeyPart, Optional, Scalar, Table, WireOf
from pillarbox_codegen.type_rules import BYTES, INT64, TEXT

_DOC = "What is not to be trusted until it is repaired."
_HINT = "The least that is known to be missing; of a recipe of the box: how often it was asked for."


def check_debts(context: Context) -> None:
    """The table of what is owed, which a schema only gives a number."""
    for name, entry in context.sound("debts"):
        key = (KeyPart("cursor", Scalar("uint16")), KeyPart("at", BYTES))
        fields = (
            Field(1, "hint", Optional(INT64), _HINT, None, True),
            Field(2, "cure", TEXT, "The recipe that repairs it; empty: the cursor's difference."),
            Field(3, "run", INT64, "The run of a process that found it last."),
            Field(4, "since", INT64, "The number of the draft that it is owed since.", 0, True),
        )
        context.tables[name] = Table(
            name, id_of(entry), _DOC, key, fields, (), "record", "clustered", "primary", None,
            place_of(entry.name),
        )  # fmt: skip
        context.protocol.debts = name


def check_protocol(context: Context) -> None:
    """What containers, answers, recipes and cursors mean; operations and updates are checked."""
    check_containers(context)
    _check_fetched(context)
    check_resets(context)
    check_cursor_rules(context)
    check_unused_bodies(context)
    check_unused_brings(context)


def _check_fetched(context: Context) -> None:
    """The bodies of answers that updates may need."""
    for name, entry in context.sound("answers"):
        node = entry.body.values.get("body")
        if node is not None:
            context.findings.attempt(check_body_of, context, node, WireOf("answer", name))


def check_owed(context: Context) -> None:
    """The table of what is owed is there where it is needed; all that may ask for a recipe is checked."""
    owed = [
        entry
        for entry in context.entries("cursors").values()
        if "per" in entry.body.values and ("difference" in entry.body.values or "inside" in entry.body.values)
    ]
    debts = context.entries("debts").get("debts")
    if owed and debts is None:
        text = f"what is owed to `{owed[0].name.value[:60]}` while it is asked for is kept nowhere"
        context.findings.add(owed[0].name, "debts", text, "add `debts: {id: NUMBER}` to one file")
        return
    asked = next(iter(context.asked_recipes.items()), None)
    if asked is not None and debts is None:
        name, place = asked
        text = f"that the recipe `{name[:60]}` is asked for is kept nowhere until it has been followed"
        context.findings.add(place, "debts", text, "add `debts: {id: NUMBER}` to one file")
    if not owed and asked is None and debts is not None:
        text = "there is no cursor with a key of which anything could be asked, and no recipe is asked for"
        context.findings.add(debts.name, "debts", text, "leave `debts` out")
