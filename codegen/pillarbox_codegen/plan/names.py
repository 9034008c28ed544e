"""Every name the generated code uses.

Depends on: model, reserved.  Never on: templates.

Law: two different things of one module never get one name. A schema name that the generated code needs
for itself gets a trailing underscore, as Python does it; schema names have none, so that is never taken.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

from pillarbox_codegen import model
from pillarbox_codegen.names import TAKEN_CLASSES
from pillarbox_codegen.names import class_name as camel
from pillarbox_codegen.names import snake as snake
from pillarbox_codegen.plan import reserved


def safe(name: str, taken: Iterable[str]) -> str:
    """The name, or the name with an underscore where it is taken."""
    return f"{name}_" if name in taken else name


def fresh(name: str, taken: set[str]) -> str:
    """The name, or the first of `name_2`, `name_3`, .. that is not taken; taken from now on."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


# ----------------------------------------------------------------------------------------- classes


def class_name(name: str) -> str:
    """`by_label` -> `ByLabel`: the struct of an operation, an event, an update, a view key."""
    return safe(camel(name), reserved.CLASSES | TAKEN_CLASSES)


def row_class(table: str) -> str:
    """`by_label` -> `ByLabel`: the struct of a table's row, in types."""
    return safe(camel(table), reserved.TYPES | TAKEN_CLASSES)


def type_class(name: str) -> str:
    """The Python name of a type or union case, which is CamelCase already, in types."""
    return safe(name, reserved.TYPES | reserved.CONSTANTS)


def wire_class(name: str) -> str:
    """`get_changes` -> `GetChanges`: an answer, request or container, beside the union of all of them."""
    return safe(class_name(name), {"Answer", "Container", "Request"})


def _class_beside(name: str, suffix: str) -> str:
    """The class of something that a thing of this name has; of a table called `table`, `TableReader_`."""
    return safe(class_name(name).rstrip("_") + suffix, reserved.BESIDE)


def key_class(table: str) -> str:
    """`issues` -> `IssuesKey`."""
    return _class_beside(table, "Key")


def reader_class(table: str) -> str:
    """`issues` -> `IssuesReader`."""
    return _class_beside(table, "Reader")


def table_class(table: model.Table) -> str:
    """The class of a table inside a transaction: `IssuesTable`, `ByLabelDerived`, `IssueNumbersSequence`."""
    suffix = {"derived": "Derived", "sequence": "Sequence"}.get(table.role, "Table")
    return _class_beside(table.name, suffix)


def snapshot_class(view: str) -> str:
    """`board` -> `BoardSnapshot`."""
    return _class_beside(view, "Snapshot")


def source_class(source: str) -> str:
    """`issue_export` -> `IssueExportRow`."""
    return _class_beside(source, "Row")


def source_constant(source: str) -> str:
    """`issue_export` -> `ISSUE_EXPORT`; it stands beside the constants of a job."""
    return safe(source.upper(), reserved.CONSTANTS | {"JOB"})


def operations_function(source: str) -> str:
    """`issue_export_operations(row)`, in sources."""
    return f"{source}_operations"


# --------------------------------------------------------------------------- functions and constants


def key_function(table: str) -> str:
    """`issues_key(project_id, number)`: the stored key."""
    return f"{table}_key"


def key_fields_function(table: str) -> str:
    """`issues_key_fields(stored_key)`: the key's fields as `IssuesKey`."""
    return f"{table}_key_fields"


def prefix_function(table: str, length: int) -> str:
    """`issues_prefix_1(project_id)`: what the stored keys of these rows begin with."""
    return f"{table}_prefix_{length}"


def key_of_function(table: str) -> str:
    """`issues_key_of(row)`, in specs."""
    return f"{table}_key_of"


def cell_of_function(table: str) -> str:
    """`watchers_cell_of(row)`, in specs; only of packed tables."""
    return f"{table}_cell_of"


def row_function(table: str) -> str:
    """`watchers_row(stored_key, cell)`, in specs; only of packed and empty tables."""
    return f"{table}_row"


def rows_function(table: str) -> str:
    """`by_label_rows(row)`, in rules: the index rows of a source row."""
    return f"{table}_rows"


def sums_function(table: str) -> str:
    """`state_counts_sums(row)`, in rules: what a source row adds to its groups."""
    return f"{table}_sums"


def key_parts(table: str) -> str:
    """`_ISSUES_PARTS`, in keys: the parts of the key, as errors tell them."""
    return f"_{table.upper()}_PARTS"


def edge_function(table: str) -> str:
    """`gaps_edge(upper)`, in keys: the bytes of one edge of a range."""
    return f"{table}_edge"


def between_function(table: str) -> str:
    """`posts_between(thread, shelf, at)`, in keys: as `key_function`, also where there can be no row."""
    return f"{table}_between"


def rest_function(table: str, start: int) -> str:
    """`comments_rest_2(posted_at, comment)`, in keys: what follows a prefix of so many parts."""
    return f"{table}_rest_{start}"


def spaces_function(table: str) -> str:
    """`gaps_spaces(project_id, label)`, in rules: the spaces that a step is about."""
    return f"{table}_spaces"


def due_function(table: str) -> str:
    """`gaps_due(key, version)`, in rules: what the seed owes to a group."""
    return f"{table}_due"


def place_function(table: str) -> str:
    """`board_place_of(row)`, in rules: the key of a list's row in the table of places."""
    return f"{table}_place_of"


def limit_function(table: str) -> str:
    """`board_limit(project_id)`, in rules: how long a list may be."""
    return f"{table}_limit"


def text_function(table: str) -> str:
    """`find_text(row)`, in rules: what a source row is found by."""
    return f"{table}_text"


def identity_function(table: str, what: str) -> str:
    """`comment_ids_identity_key(row)`, in rules: `what` is key, cell, row or owner."""
    return f"{table}_identity_{what}"


def source_key_function(table: str) -> str:
    """`by_label_source_key(row)`, in rules: the stored key of the source row that an index row stands for."""
    return f"{table}_source_key"


def rule_functions(table: str) -> Iterable[str]:
    """All that rules may hold of a table."""
    of_table = (
        rows_function, sums_function, spaces_function, due_function, place_function, limit_function,
        text_function, source_key_function,
    )  # fmt: skip
    yield from (name(table) for name in of_table)
    yield from (identity_function(table, what) for what in ("key", "cell", "row", "owner"))


def check_function(name: str) -> str:
    """`check_issues(row)`, in checks: refuses integers out of range. `name` is snake_case."""
    return f"check_{name}"


def pack_function(packed_id: str) -> str:
    """`FileId` -> `file_id(store, number)`, in types."""
    name = snake(packed_id)
    taken = keyword.iskeyword(name) or hasattr(builtins, name) or name == "annotations"
    return f"{name}_" if taken else name


def part_function(packed_id: str, part: str) -> str:
    """`FileId`, `store` -> `file_id_store(value)`, in types."""
    return f"{snake(packed_id)}_{part}"


def facet_function(union: str, facet: str) -> str:
    """`Shape`, `area` -> `shape_area(value)`, in facets."""
    return f"{snake(union)}_{facet}"


def constant(name: str) -> str:
    """`issues` -> `ISSUES`: a spec in specs, a `Packed` in packed. Of `t` the class is `T` already: `T_`."""
    return safe(name.upper(), reserved.CONSTANTS | {row_class(name)})


def member(value: str) -> str:
    """The Python name of an enum value or a flag."""
    return value.upper()


def members(enum: str) -> str:
    """`Kind` -> `KIND__OF`: the members of an enum by number, in types. No table's constant is named so."""
    return f"{snake(enum).upper()}__OF"


# ---------------------------------------------------------------------------- fields and attributes


def field(name: str) -> str:
    """The attribute of a row, record, operation, event, update, view key or snapshot."""
    return safe(name, reserved.FIELDS)


def key_field(name: str) -> str:
    """The attribute of a Key NamedTuple."""
    return safe(name, reserved.KEY_FIELDS)


def parameter(name: str, owner: str = "") -> str:
    """The parameter of a generated function that takes a field of this name.

    `owner` is the table (or packed id, in snake_case) whose own functions the body calls.
    """
    called = owner and re.fullmatch(rf"{owner}_(key|edge|(prefix|rest)_\d+)", name)
    return f"{name}_" if called else safe(name, reserved.PARAMETERS)


def local(name: str) -> str:
    """A local variable of a generated function that stands for something of the schema."""
    return safe(name, reserved.PARAMETERS)


def table_attribute(table: str) -> str:
    """`tx.issues`, `box.data.issues`."""
    return safe(table, reserved.TABLES)


def prefix_methods(table: model.Table) -> tuple[str, ...]:
    """`of_project`, `of_number`, ..: one for each proper prefix of the key, shortest first."""
    parts = [part.name for part in table.key[:-1]]
    short = [part.removesuffix("_id") or part for part in parts]
    return tuple(
        f"of_{brief if short.count(brief) == 1 and brief not in parts[:i] + parts[i + 1 :] else part}"
        for i, (part, brief) in enumerate(zip(parts, short, strict=True))
    )


def get_by(identity: str) -> str:
    """`get_by_order_ids(..)`: the row that its identity names so."""
    return f"get_by_{identity}"


def remove_by(identity: str) -> str:
    """`remove_by_order_ids(..)`"""
    return f"remove_by_{identity}"


def preload_by(identity: str) -> str:
    """`preload_by_order_ids(keys)`: reads the rows that these identities name."""
    return f"preload_by_{identity}"


def remove_methods(table: model.Table) -> tuple[str, ...]:
    """`remove_of_project`, ..: the removing twins of `prefix_methods`."""
    return tuple(f"remove_{method}" for method in prefix_methods(table))


def replace_methods(table: model.Table) -> tuple[str, ...]:
    """`replace_of_project`, ..: the replacing twins of `prefix_methods`."""
    return tuple(f"replace_{method}" for method in prefix_methods(table))
