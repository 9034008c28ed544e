"""What a schema is made of, in numbers: its tables by word, its types, operations, views and lines.

Depends on: model, walk.  Never on: YAML, templates, the runtime.

Law: every word that the schema uses is counted, and one that no schema beside it uses is told with the
reason that the schema gives, or with none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.outbox_names import enqueue_of
from pillarbox_codegen.walk import nodes

_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_KINDS: Final = {
    model.IdType: "id",
    model.PackedId: "packed id",
    model.EnumType: "enum",
    model.FlagsType: "flags",
    model.RecordType: "record",
    model.UnionType: "union",
    model.PatchType: "patch",
}
#: What classes of the model are called in a schema, where it is not their own name; none: a part of a word.
_WORDS: Final = {"ItemList": "list", "Places": None, "SeedMarks": None, "AnchoredCount": "anchored count"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word that stands for behaviour: `kind` is maintainer, step or part."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Lone:
    """A word that no other schema uses; `reason` is none where the schema gives none."""

    word: Word
    reason: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    name: str
    #: How many tables there are of each role: primary, derived, sequence, cursor, ..
    roles: dict[str, int]
    #: How many tables each maintainer keeps.
    maintainers: dict[str, int]
    #: How many types there are of each kind: record, union, enum, flags, id, packed.
    types: dict[str, int]
    cases: int
    fields: int
    operations: int
    steps: dict[str, int]
    updates: int
    views: int
    parts: dict[str, int]
    items: int
    lines: int
    #: None where there was no other schema to compare with.
    lone: tuple[Lone, ...] | None

    @property
    def tables(self) -> int:
        return sum(self.roles.values())

    @property
    def records(self) -> int:
        """Types with fields of their own, each case of a union counted."""
        return self.types.get("record", 0) + self.cases


def words_of(schema: model.Schema) -> Counter[Word]:
    """How often each word is used."""
    found: Counter[Word] = Counter()
    for table in schema.tables.values():
        name = type(table.rule).__name__
        rule = "sequence" if table.role == "sequence" else _WORDS.get(name, name.lower())
        if rule is not None and (table.rule is not None or rule == "sequence"):
            found[Word("maintainer", rule)] += 1
        for option in ("owned", "bound", "upsert"):
            if getattr(table, option, None):
                found[Word("maintainer", option)] += 1
    for node in _behaviour(schema):
        name = type(node).__name__
        if isinstance(node, model.RangeStep):
            found[Word("step", "add_range" if node.adds else "cut_range")] += 1
        elif isinstance(node, model.ShareStep):
            found[Word("step", node.word)] += 1
        elif name.endswith("Step"):
            found[Word("step", _word(name, "Step"))] += 1
        elif name.endswith("Part") and hasattr(node, "common"):
            found[Word("part", _word(name, "Part"))] += 1
    return found


def _behaviour(schema: model.Schema) -> Iterator[object]:
    yield from nodes(tuple(table.rule for table in schema.tables.values() if table.rule is not None))
    # Nobody writes the operations that put wishes into the outbox.
    made = {enqueue_of(entry.name) for entry in schema.outbox.entries} if schema.outbox is not None else ()
    written = tuple(one for name, one in schema.operations.items() if name not in made)
    yield from nodes(written, own=True)
    for group in (schema.updates, schema.views, schema.sources):
        yield from nodes(tuple(group.values()))
    yield from nodes(schema.box_seed)


def _word(name: str, ending: str) -> str:
    """`GetEachPart` -> `get_each`."""
    return _HUMP.sub("_", name.removesuffix(ending)).lower()


def summarize(schema: model.Schema, lines: int, others: Iterable[model.Schema] = ()) -> Summary:
    """The summary of a schema of so many lines; `others` are the schemas beside it."""
    used = words_of(schema)
    beside = [set(words_of(other)) for other in others]
    lone = sorted(
        (word for word in used if not any(word in known for known in beside)),
        key=lambda word: (word.kind, word.name),
    )
    types = Counter(_KINDS[type(one)] for one in schema.types.values())
    cases = [case for one in schema.types.values() if isinstance(one, model.UnionType) for case in one.cases]
    records = [one for one in schema.types.values() if isinstance(one, model.RecordType)]
    return Summary(
        name=schema.name,
        roles=dict(Counter(table.role for table in schema.tables.values())),
        maintainers=_of_kind(used, "maintainer"),
        types=dict(types),
        cases=len(cases),
        fields=sum(len(one.fields) for one in cases) + sum(len(one.fields) for one in records),
        operations=len(schema.operations),
        steps=_of_kind(used, "step"),
        updates=len(schema.updates),
        views=len(schema.views),
        parts=_of_kind(used, "part"),
        items=len(schema.items),
        lines=lines,
        lone=tuple(Lone(word, schema.alone.get(word.name)) for word in lone) if beside else None,
    )


def _of_kind(used: Counter[Word], kind: str) -> dict[str, int]:
    found = [(word.name, count) for word, count in used.items() if word.kind == kind]
    return dict(sorted(found, key=lambda item: (-item[1], item[0])))
