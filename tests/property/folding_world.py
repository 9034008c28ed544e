"""A schema whose operations fold, with every word that may follow what they put; and some that must not fold.

Depends on: random_store, the generator.  Never on: the laws that run over it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Final
from unittest.mock import patch

from tests.property.random_store import RandomStore
from tests.unit.codegen_ops.making import loaded_schema, written

from pillarbox_codegen import check_folds

#: What follows a mark is put in place of it.
TEXT: Final = """
schema: {name: NAME, doc: What folds.}
sequences:
  numbers: {id: 101, type: int32, per: {}, start: 1}
tables:
  notes:
    id: 1
    key: {shelf: int32, note: int32}
    record:
      text: [1, text]
      weight: {number: 2, type: int32, default: 0}
      tags: [3, list<int32>]
      until: [4, opt<int32>]
      # FIELD
    # WORD
  shelves: {id: 2, key: {shelf: int32}, record: {seen: [1, int32]}}
  by_tag: {id: 3, index: {from: notes, each: {tag: tags}, key: [tag, shelf, note], value: {text: text}}}
  shelf_weight: {id: 4, count: {from: notes, group: [shelf], sum: {weight: weight, all: 1}}}
  by_weight: {id: 5, index: {from: notes, key: [shelf, weight, note], value: {until: until}}}
  heaviest: {id: 6, top: {of: by_weight, group: [shelf], order: [weight, note]}}
  alike: {id: 7, runs: {of: notes, group: [shelf], same: text, longest: 2}}
  words: {id: 8, text: {from: notes, of: text, filter: [shelf]}}
  labelled:
    id: 10
    join:
      by: [shelf]
      rows: shelves
      with: {note: "notes([shelf, 1])"}
      when: note is present
      row: {text: note.text, seen: rows.seen}
  # TABLE
events:
  told: {code: 1, fields: {shelf: [1, int32], text: [2, text]}}
operations:
  put_notes:
    code: 1
    params: {notes: [1, list<row<notes>>]}
    merge: {batch: notes}
    steps: [{put: {into: notes, row: n}, each: notes as n}]
  edit_note:
    code: 2
    params:
      {note: [1, int32], shelf: [2, int32], tags: [3, list<int32>], words: [4, text], till: [5, opt<int32>]}
    folds: put_notes
    steps: [{patch: {table: notes, at: "[shelf, note]", set: {text: words, tags: tags, until: till}}}]
  weigh_note:
    code: 3
    params: {shelf: [1, int32], note: [2, int32], weight: [3, int32]}
    folds: put_notes
    steps: [{patch: {table: notes, at: "[shelf, note]", set: {weight: weight, until: weight}}}]
  remove_note:
    code: 4
    params: {shelf: [1, int32], note: [2, int32]}
    folds: put_notes
    steps: [{remove: {from: notes, at: "[shelf, note]"}}]
  look_at:
    code: 5
    params: {shelf: [1, int32]}
    steps: [{emit: {event: told, shelf: n.shelf, text: n.text}, each: "notes.prefix([shelf]) as n"}]
  see_shelf:
    code: 6
    params: {shelf: [1, int32], seen: [2, int32]}
    steps: [{put: {into: shelves, row: {shelf: shelf, seen: seen}}}]
  clear_shelf:
    code: 7
    params: {shelf: [1, int32]}
    steps: [{remove: {from: notes, under: "[shelf]"}}]
  heave:
    code: 8
    params: {shelf: [1, int32], note: [2, int32], more: [3, int32]}
    steps: [{patch: {table: notes, at: "[shelf, note]", add: {weight: more}}}]
  # OPERATION
"""
FOLDING: Final = ("put_notes", "put_notes", "edit_note", "weigh_note", "remove_note")
OTHERS: Final = ("look_at", "see_shelf", "clear_shelf", "heave")


@dataclass(frozen=True)
class Unsound:
    """A change to the schema with which nothing of it may fold, and what the finding says."""

    name: str
    told: str
    changes: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        """The whole schema."""
        text = TEXT
        for old, new in self.changes:
            assert text.count(old) == 1, f"{self.name}: {old!r} is not there once"
            text = text.replace(old, new)
        return text


UNSOUND: Final = (
    Unsound(
        "event_lost",
        "does not only put each row of its list into `notes`, and reaches `event told`",
        (
            (
                "steps: [{put: {into: notes, row: n}, each: notes as n}]",
                "steps: [{if: true, each: notes as n, then: [{put: {into: notes, row: n}},"
                " {emit: {event: told, shelf: n.shelf, text: n.text}}]}]",
            ),
        ),
    ),
    Unsound(
        "number_taken",
        "`serial` may take a number",
        (("# FIELD", "serial: {number: 5, type: int32, fill: numbers}"),),
    ),
    Unsound(
        "row_pushed_out",
        "may push out another",
        (("# WORD", "bound: {group: [shelf], order: weight, keep: 1}"),),
    ),
    Unsound(
        "version_lost",
        "outlives a put",
        (
            ("# FIELD", "version: {number: 5, type: uint32, default: 0}"),
            ("# WORD", "upsert: [{bump: version}]"),
        ),
    ),
    Unsound(
        "kept_word",
        "`kept` hears of each write",
        (
            (
                "# TABLE",
                "kept: {id: 20, count: {from: notes, group: [shelf], sum: {all: 1}, anchor: {given: all,"
                " base: {upto: int32}, covers: note <= upto, stale: doubts}}}\n"
                "  doubts: {id: 21, stale: {of: kept}}",
            ),
            (
                "# OPERATION",
                "count_shelf:\n    code: 9\n"
                "    params: {shelf: [1, int32], all: [2, int32], upto: [3, int32]}\n"
                '    steps: [{anchor: {table: kept, at: "[shelf]", set: {all: all, upto: upto}}}]',
            ),
        ),
    ),
)


@contextmanager
def unchecked() -> Iterator[None]:
    """What a fold says is believed."""
    with (
        patch.object(check_folds, "_heard", lambda table, tables: None),
        patch.object(check_folds._Check, "_check_into", lambda self, table: None),
        patch.object(check_folds._Check, "_check_reach", lambda self, table: None),
    ):
        yield


@cache
def folding_store(name: str, text: str) -> RandomStore:
    """The strategies of the schema, which is generated once, as it is now checked."""
    folder = Path(mkdtemp(prefix="folding"))
    schema = loaded_schema(folder / "schema", text.replace("NAME", name))
    sys.path.insert(0, str(written(folder / "generated", schema)))
    try:
        for module in ("", ".operations", ".types", ".merges"):
            import_module(f"pillarbox_{name}{module}")
    finally:
        sys.path.pop(0)
    return RandomStore(schema)
