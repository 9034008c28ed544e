"""Tables that a word keeps, in the order in which they are made from each other.

Depends on: context, check_tables, and a module for each word.  Never on: operations, views.

Law: such a table's key, fields and types follow from its rule; no table is made from itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from pillarbox_codegen.check_count import check_count
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_holes import check_doubts, holes_source
from pillarbox_codegen.check_index import check_identities, check_index
from pillarbox_codegen.check_items import Also, Derived
from pillarbox_codegen.check_join import check_join, join_sources
from pillarbox_codegen.check_list import check_list
from pillarbox_codegen.check_lookups import lookup_sources
from pillarbox_codegen.check_marker import check_marker
from pillarbox_codegen.check_ranges import check_ranges
from pillarbox_codegen.check_refs import check_refs
from pillarbox_codegen.check_runs import check_runs
from pillarbox_codegen.check_stale import check_stale
from pillarbox_codegen.check_tables import check_packed, doc_of, id_of
from pillarbox_codegen.check_text import check_text
from pillarbox_codegen.check_top import check_top
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.findings import place_of
from pillarbox_codegen.model import AnchoredCount, Refs, Rule, Table
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode


def check_derived(context: Context) -> None:
    """Add the derived tables to the context, sources before what is made from them."""
    for name in _in_order(context):
        entry = context.entries("tables")[name]
        table = context.findings.attempt(_check_derived, context, name, entry)
        if table is not None:
            context.tables[name] = table
    check_identities(context)
    check_doubts(context)


class Word(NamedTuple):
    """A word of the vocabulary, as the key of a table's declaration."""

    check: Callable[[Context, YamlMap], Derived]
    #: The names of the tables that are looked at first, with their places.
    sources: Callable[[YamlMap], Iterable[YamlNode]]
    role: Literal["derived", "kept"] = "derived"


def _from(body: YamlMap) -> Iterable[YamlNode]:
    node = body.values.get("from")
    named = () if node is None else node.items if isinstance(node, YamlList) else (node,)
    anchor = body.values.get("anchor")
    holes = holes_source(anchor) if isinstance(anchor, YamlMap) else ()
    return (*named, *lookup_sources(body), *holes)


def _over(body: YamlMap) -> Iterable[YamlNode]:
    return (body.values["over"], *holes_source(body))


def _of(body: YamlMap) -> Iterable[YamlNode]:
    node = body.values.get("of")
    return () if node is None else (node,)


def _nothing(_body: YamlMap) -> Iterable[YamlNode]:
    return ()


#: Every word, a line each.
WORDS: Final[dict[str, Word]] = {
    "index": Word(check_index, _from),
    "count": Word(check_count, _from),
    "top": Word(check_top, _of),
    "join": Word(check_join, join_sources),
    "runs": Word(check_runs, _of),
    "refs": Word(check_refs, _from, "kept"),
    "text": Word(check_text, _from),
    "list": Word(check_list, _nothing, "kept"),
    "ranges": Word(check_ranges, _nothing, "kept"),
    "marker": Word(check_marker, _over, "kept"),
    "stale": Word(check_stale, _of, "kept"),
}


def rule_of(entry: Entry) -> tuple[str, YamlMap] | None:
    """The word of a derived table and the mapping below it."""
    for word in WORDS:
        body = entry.body.values.get(word)
        if isinstance(body, YamlMap):
            return word, body
    return None


def _sources(entry: Entry) -> list[YamlNode]:
    rule = rule_of(entry)
    return [] if rule is None else list(WORDS[rule[0]].sources(rule[1]))


def _in_order(context: Context) -> Iterator[str]:
    """Derived tables, each after its sources; one finding for each circle."""
    entries = {name: entry for name, entry in context.sound("tables") if rule_of(entry) is not None}
    done: set[str] = set()
    path: list[str] = []

    def visit(name: str) -> Iterator[str]:
        path.append(name)
        for node in _sources(entries[name]):
            source = text_value(node)
            if source in path:
                circle = [*path[path.index(source) :], source]
                text = f"the table is made from itself: {' <- '.join(circle)}"
                context.findings.add(node, "cycle", text, "one of them must be of a table that is given")
                done.update(path)
            elif source in entries and source not in done:
                yield from visit(source)
        path.pop()
        if name not in done:
            done.add(name)
            yield name

    for name in entries:
        if name not in done:
            yield from visit(name)


def _check_derived(context: Context, name: str, entry: Entry) -> Table:
    found = rule_of(entry)
    assert found is not None
    word, body = found
    derived = WORDS[word].check(context, body)
    fields, layout = derived.fields, derived.layout
    rule = replace(derived.rule, name=name) if isinstance(derived.rule, Refs) else derived.rule
    role = "kept" if isinstance(derived.rule, AnchoredCount) else WORDS[word].role
    if layout == "packed":
        check_packed(context, fields, entry.body.keys[word])
    for also in derived.also:
        _add_second(context, entry, f"{name}_{also.suffix}", also.rule(name), also)
    return Table(
        name, id_of(entry), doc_of(entry), derived.key, fields, derived.reserved,
        layout if fields else "empty", derived.storage, role, rule, place_of(entry.name),
    )  # fmt: skip


def _add_second(context: Context, entry: Entry, name: str, rule: Rule, also: Also) -> None:
    """A table that a word keeps beside the one that is declared."""
    if name in context.table_names():
        text = f"`{name}` is what `{entry.name.value}` calls its second table"
        node = context.entries("tables").get(name, entry).name
        raise context.findings.add(node, "name-taken", text, "rename one of the two")
    context.tables[name] = Table(
        name, also.id, also.doc, also.key, also.fields, (), "packed" if also.fields else "empty", "clustered",
        also.role, rule, place_of(entry.name),
    )  # fmt: skip
