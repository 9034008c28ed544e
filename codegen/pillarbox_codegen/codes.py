"""The stable code of every finding, and what it means.

Depends on: nothing.  Never on: the checks that give them.

Law: a code keeps its meaning for ever; `docs/schema-errors.md` is this table.
"""

from __future__ import annotations

from typing import Final

CODES: Final[dict[str, str]] = {
    # reading files
    "folder": "The schema folder is missing, cannot be read or holds no `*.yaml` file.",
    "file-name": "A file looks like a schema file but is not read: the ending is `.yaml`.",
    "file-unreadable": "A file cannot be read; mostly its permissions.",
    "not-utf8": "A file is not UTF-8.",
    "too-big": "A file, the folder, or an expression is larger than anything a schema needs.",
    "too-deep": "Values or expressions are nested deeper than 40 levels.",
    "yaml": "A file is not YAML.",
    "yaml-alias": "Anchors and aliases are not read: what is written is what there is.",
    "yaml-tag": "Tags are not read: a schema holds words, never objects.",
    "yaml-document": "A file is one document.",
    "yaml-key": "A key of a mapping is not one word.",
    "cut-text": "A text without quotes ends at a comma of its own.",
    "duplicate-key": "A mapping gives the same key twice.",
    "control-character": "A text holds a character that cannot be seen, or that reorders what is seen.",
    # shape
    "wrong-shape": "A value is of another kind than its place asks for: a list, a mapping, a text, a number.",
    "unknown-key": "A mapping has a key that means nothing there.",
    "missing-key": "A mapping lacks a key that it cannot do without.",
    "one-of": "A mapping has several keys of which only one may stand there.",
    "unknown-word": "A value is not one of the few words its place allows.",
    "not-yet": "The word is kept for a later version of the language.",
    # names and numbers
    "name": "A name is not an identifier, or has a meaning already.",
    "name-taken": "Two things of one kind, or two names in one scope, are called the same.",
    "class-taken": "Two names give the same class in the generated code.",
    "constant-taken": "A class and the constant of a table would be called the same in the generated code.",
    "function-taken": "Two names give the same function in the generated code.",
    "ambiguous": "A name would be a lone `l`, `I` or `O` in the generated code, which reads like a digit.",
    "number-taken": "A permanent number is used twice, or is reserved.",
    "number-gap": "Numbers of fields run from 1 without gaps; what is gone is listed in `reserved`.",
    "range": "A number does not fit its type, or the place where it stands.",
    "schema-name": "There is not exactly one `schema` entry.",
    # types
    "type-syntax": "A type is not written as one.",
    "unknown-type": "There is no type of that name.",
    "unknown-table": "There is no table of that name.",
    "bad-type": "The type cannot stand here: in a key, in a map's key, in a packed layout, in an id.",
    "endless-type": "A record contains itself, so that no value of it could ever end.",
    "packed-id": "The parts of a packed id do not fit into 63 bits, or a value does not fit its part.",
    "default": "A default does not suit its field.",
    # tables and rules
    "layout": "The layout does not suit the fields.",
    "fill": "A field cannot be numbered by that sequence.",
    "unknown-update": "There is no update of that name.",
    "unknown-request": "There is no request of that name.",
    "unknown-answer": "There is no answer, and no container, of that name.",
    "unknown-sequence": "There is no sequence of that name.",
    "derived-source": "A derived table cannot be made from that.",
    "cycle": "Derived tables are made from each other in a circle.",
    "index-key": "The key or value of an index does not name its source row.",
    "identity": "An identity must give every source row exactly one key, and a table has only one.",
    "join-key": "The key of a join is not that of each of its drivers.",
    "via": "From a changed row that is looked up nothing leads back to the rows that are made with it.",
    "due": "The part of an index that is a time is not one.",
    "refs": "Values cannot be shared by rows of that table, or not that list of them.",
    "group-key": "A group is not the first parts of a key, or all of them.",
    "owner": "From a row its owner cannot be found in time, or from an owner its rows.",
    "bound": "Rows cannot be compared by that field.",
    "filter": "A filter of an index of words says something that means nothing there.",
    "glued": "Texts of an index of words run into each other.",
    "top-key": "A top does not fit the key order of the table it is of.",
    "marker-key": "A marker does not fit the key of the table it is over.",
    "holes": "What was never fetched is not told by ranges that fit the word.",
    "stale": "A table of what is stale does not fit the word that names it.",
    "anchor": "A base lacks what the server gives, or is given what it does not have.",
    "word": "A step, a seed or an upgrade is for tables that another word keeps.",
    "read-only": "Operations write primary tables; derived ones, sequences and cursors follow by themselves.",
    # expressions
    "syntax": "An expression is not written as one.",
    "unknown-name": "An expression uses a name that is not in scope.",
    "unknown-field": "There is no such field.",
    "unknown-function": "There is no such function or table to call.",
    "unknown-constant": "`seeds.NAME` is not among the constants.",
    "arguments": "A call has the wrong number or kind of arguments.",
    "type": "An expression has another type than its place asks for.",
    "maybe-none": "A value may be absent where it must not be.",
    "never-none": "A value is never absent, so the test or the `//` does nothing.",
    "constant-type": "One constant is used with two types.",
    "lookup": "Rows of tables cannot be looked up here.",
    "key-parts": "A key has another number of parts than the table's.",
    # operations, updates, views, sources
    "step": "A step is not complete, or a modifier does not suit it.",
    "merge": "Operations merged in that way would not do what they do one after the other.",
    "unknown-event": "There is no event of that name.",
    "unknown-operation": "There is no operation of that name.",
    "unknown-view": "There is no view of that name.",
    "unknown-cursor": "There is no cursor or part of that name.",
    "unknown-reset": "There is no recipe of that name.",
    "unknown-body": "There is no body of that name.",
    "unknown-bring": "There are no rows of that name that come along.",
    "difference": "What is asked for when something is missing is not complete, or its parts do not suit.",
    "repeat": "An operation may be applied twice, and nothing shows or says that this does no harm.",
    "recipe": "A recipe is not complete, or its parts do not suit.",
    "debts": "What is owed to cursors has no table, or there is nothing to owe.",
    "fetching": "What is said of fetching holes is not complete, or does not suit them.",
    "outbox": "What is said of wishes is not complete, or does not suit what they are made of.",
    "claim": "A claim does not name a counter and a span of it.",
    "part": "A view part is not complete, or its options do not suit it.",
    "unknown-part": "There is no earlier part of that name.",
    "no-default": "The row has a field without a zero value, so there is no row of zero values.",
    "adapter": "An adapter is not named as `module:name`.",
    "group": "The group of a source names columns, whose values could be parts of a key.",
    "by": "An emission of a source goes with the row's group, or says with `by` what its rows belong to.",
    "overlap": "Operations that are not kept in order with each other touch the same table.",
}


def as_markdown() -> str:
    """The text of `docs/schema-errors.md`."""
    lines = [
        "# Findings of `pillarbox check`",
        "",
        "Every finding has a place, a code, a sentence and a way out. Codes never change their meaning.",
        "Written from `pillarbox_codegen/codes.py`; a test holds the two equal.",
        "",
        "| code | means |",
        "|---|---|",
        *(f"| `{code}` | {text} |" for code, text in sorted(CODES.items())),
    ]
    return "\n".join(lines) + "\n"
