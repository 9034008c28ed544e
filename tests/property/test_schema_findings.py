"""Whatever is wrong in a schema is told, or it is not wrong: nothing of it is left out in silence.

Law. A schema in which one text is another is refused with a finding that has a place in a file of it, or all
that is declared is in the schema that is read.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.random_store import SCHEMAS

from pillarbox_codegen import shape
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.diagnostics import Diagnostic, SchemaErrors

#: What stands in the place of another text: no name, no number, a name of nothing, nothing.
ODD: Final = ("'No Name'", "No", "-1", "nobody", "''", "[]", "{}")
#: Kinds of which each entry is read under its name.
KINDS: Final = ("operations", "updates", "views", "items", "sources", "events")


class Place(NamedTuple):
    """A text of one file, between two offsets."""

    file: str
    begin: int
    end: int


@cache
def files() -> dict[str, str]:
    """The tracker, by path."""
    folder = SCHEMAS / "tracker"
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.yaml"))}


@cache
def places(*names: str) -> tuple[Place, ...]:
    """All texts of these files, keys and values."""
    return tuple(
        Place(name, event.start_mark.index, event.end_mark.index)
        for name in names or files()
        for event in yaml.parse(files()[name])
        if isinstance(event, yaml.ScalarEvent) and event.start_mark and event.end_mark
    )


def declared(texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(kind, name) of what is declared."""
    for text in texts.values():
        for kind, entries in (yaml.safe_load(text) or {}).items():
            if kind in KINDS:
                yield from ((kind, name) for name in entries)


def told_or_read(place: Place, odd: str) -> None:
    """The law."""
    texts = dict(files())
    text = texts[place.file]
    texts[place.file] = text[: place.begin] + odd + text[place.end :]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
        schema, found = read(folder)
    if schema is None:
        assert found, "refused, and nobody knows why"
        assert all(one.file in texts and one.line > 0 for one in found)
    else:
        lost = [one for one in declared(texts) if one[1] not in named(getattr(schema, one[0]))]
        assert not lost, f"left out in silence: {lost}"


def read(folder: Path) -> tuple[Any, tuple[Diagnostic, ...]]:
    """A schema, or what is wrong with it."""
    try:
        return load_schema(folder), ()
    except SchemaErrors as errors:
        return None, errors.diagnostics


def named(entries: Any) -> set[str]:
    """The names of what is read, of a mapping or of a sequence."""
    return set(entries) if isinstance(entries, dict) else {entry.name for entry in entries}


@settings(max_examples=max(40, settings().max_examples // 2))
@given(st.sampled_from(places()), st.sampled_from(ODD))
def test_what_is_wrong_is_told_and_nothing_is_left_out(place: Place, odd: str) -> None:
    told_or_read(place, odd)


FAULTS: Final = (
    Fault("names in values are not told", shape, "_report_word",
          "findings.add(node, \"name\", *found)", "pass"),
    Fault("unknown keys are not told", shape, "_report_keys", "if word in known:", "if True:"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    few = settings(HARD, max_examples=150)

    @few
    @given(st.sampled_from(places("schema.yaml", "items.yaml", "sources.yaml")), st.sampled_from(ODD[:2]))
    def law(place: Place, odd: str) -> None:
        told_or_read(place, odd)

    with fault.planted(), pytest.raises(AssertionError):
        law()
