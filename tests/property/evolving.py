"""A schema that changes: what stored rows may outlive, each change for itself, and what opening then says.

Depends on: the generator.  Never on: how layouts are compared, and on what opening does.

A version is the set of what was added to the first one, the rule of one table, and perhaps a break: what
stored bytes cannot outlive. `outcome` says by these alone what becomes of a box that one version wrote and
another opens.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal

from hypothesis import strategies as st
from tests.unit.codegen_ops import making

NAME: Final = "pillarbox_evolving"

#: What a later version may have more; `removed` is that a field is gone, whose number is kept out of use,
#: `given_up` the same of a table and of its index, and `renumbered` that a sequence has another id.
GROWTH: Final = (
    "field",
    "packed_field",
    "nested_field",
    "case_field",
    "removed",
    "given_up",
    "renumbered",
    "value",
    "case",
    "table",
    "index",
    "count",
    "join",
)
_FOR_GOOD: Final = {"removed", "given_up", "renumbered"}
#: One thing more, which nobody has by chance: it depends on the rows whether a box may have it.
UNIQUE: Final = "unique"
#: What stored bytes cannot outlive.
BREAKS: Final = ("size", "key", "layout")
Outcome = Literal["created", "same", "upgraded", "newer", "refused"]
Row = dict[str, Any]


@dataclass(frozen=True)
class Version:
    """One state of the schema."""

    grown: frozenset[str] = frozenset()
    rule: int = 0
    broken: str | None = None
    #: Whether everything is called otherwise, which nothing stored knows.
    renamed: bool = False


def outcome(box: Version, package: Version) -> Outcome:
    """What opening a box of one version by the package of another says."""
    more, less = package.grown - box.grown, box.grown - package.grown
    if box.broken != package.broken or less & _FOR_GOOD:
        return "refused"
    is_other = box.rule != package.rule
    if less:
        return "refused" if more or is_other else "newer"
    return "upgraded" if more or is_other else "same"


def versions_near(box: Version) -> st.SearchStrategy[Version]:
    """Mostly ones that have more than this one, or less."""
    some = st.frozensets(st.sampled_from(GROWTH), max_size=4)
    grown = st.one_of(some.map(lambda it: box.grown | it), some.map(lambda it: box.grown - it), some)
    return st.builds(
        Version,
        st.one_of(grown, some.map(lambda it: box.grown | it)),
        st.sampled_from((box.rule, box.rule, box.rule, 1 - box.rule)),
        st.sampled_from((*[box.broken] * 9, *BREAKS)),
        st.booleans(),
    )


#: What is grown by `join`.
_CARDS: Final = """\
  cards:
    id: 22
    join:
      by: [shelf, number]
      rows: items
      with: {held: {row: boxes(shelf), via: items}, crowd: {row: per_shelf(shelf), via: items}}
      when: held is present
      row: {size: held.size, name: name, loud: crowd.loud // 0}
"""


def text_of(version: Version) -> str:
    """The schema, as it is written."""

    def on(name: str, text: str, other: str = "") -> str:
        return text if name in version.grown else other

    size = "int64" if version.broken == "size" else "int32"
    label = "uint16" if version.broken == "key" else "uint8"
    layout = "record" if version.broken == "layout" else "packed"
    loud = f"if kind {'!=' if version.rule else '=='} bold then 1 else 0"
    text = f"""\
schema: {{name: evolving, reserved: [99{on("given_up", ", 30, 31")}{on("renumbered", ", 40")}]}}
sequences: {{serials: {{id: {on("renumbered", "41", "40")}, type: int32, per: {{}}}}}}
types:
  Kind: {{enum: {{plain: 0, bold: 1{on("value", ", wide: 2")}}}}}
  Note:
    record:
      body: [1, text]
{on("nested_field", "      urgent: {number: 2, type: bool, default: true}")}
  Media:
    union:
      Photo: [1, {{width: [1, int32]{on("case_field", ", height: {number: 2, type: int32, default: 4}")}}}]
      Sound: [2, {{seconds: [1, int32]}}]
{on("case", "      Film: [3, {title: [1, text]}]")}
tables:
  items:
    id: 1
    key: {{shelf: uint8, number: uint8}}
    record:
      name: [1, text]
      kind: [2, Kind]
      media: [3, list<Media>]
      note: [4, opt<Note>]
{on("field", "      rank: {number: 5, type: int32, default: 7}")}
  boxes:
    id: 2
    key: {{box: uint8}}
    record:
      size: [1, {size}]
{on("removed", "", "      old: [2, int32]")}
      serial: {{number: 3, type: int32, fill: serials}}
{on("removed", "    reserved: [2]")}
  labels:
    id: 3
    key: {{label: {label}}}
    record: {{weight: [1, int32]{on("packed_field", ", colour: {number: 2, type: int32, default: 5}")}}}
    layout: {layout}
{on("table", "  extra: {id: 4, key: {n: uint8}, record: {at: [1, int64]}}")}
  by_name: {{id: 10, index: {{from: items, key: [name, shelf, number], value: {{kind: kind}}}}}}
  newest: {{id: 11, top: {{of: by_name, group: [name], value: {{kind: kind}}}}}}
  per_shelf: {{id: 12, count: {{from: items, group: [shelf], sum: {{n: 1, loud: {loud}}}}}}}
  busy: {{id: 13, index: {{from: per_shelf, key: [{{loud: {{of: loud, desc: true}}}}, shelf]}}}}
{on("index", "  by_weight: {id: 20, index: {from: labels, key: [weight, label]}}")}
{on("unique", "  by_size: {id: 23, index: {from: boxes, unique: true, key: [size], value: {box: box}}}")}
{on("given_up", "", "  spare: {id: 30, key: {n: uint8}, record: {at: [1, int64]}}")}
{on("given_up", "", "  by_spare: {id: 31, index: {from: spare, key: [at, n]}}")}
{on("count", "  heavy: {id: 21, count: {from: labels, group: [weight], sum: {n: 1}}}")}
"""
    if "join" in version.grown:
        text += _CARDS
    if version.renamed:
        text = text.replace("per_shelf", "of_shelf").replace("wide", "broad").replace("Sound", "Noise")
    return text


@cache
def package_of(version: Version) -> ModuleType:
    """The generated package of a version, under a name of its own; of its files only the layout stays."""
    alias = f"{NAME}_{package_of.cache_info().misses}"
    folder = Path(tempfile.mkdtemp())
    try:
        return making.version(folder, text_of(version), alias)
    finally:
        for path in [it for it in folder.rglob("*") if it.is_file() and it.name != "layout.py"]:
            path.unlink()


def folder_of(version: Version) -> Path:
    """Where the package of a version was made, for tools that read its layout."""
    return Path(str(package_of(version).__file__)).parent
