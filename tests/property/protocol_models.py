"""A random protocol: its parts, what each means as plain functions, and its text.

Depends on: protocol_entries.  Never on: the generator, the runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.property import protocol_holes, protocol_marks, protocol_wishes
from tests.property.protocol_entries import (
    ACCOUNT,
    BOX,
    FIELDS,
    MODES,
    Entry,
    Env,
    Expr,
    Told,
)
from tests.property.protocol_holes import Pages
from tests.property.protocol_marks import Marked
from tests.property.protocol_wishes import Wish, text_of


@dataclass(frozen=True)
class Span:
    """A claim: the key of the counter's instance, and the two ends; None where nothing is claimed."""

    text: str
    of: Callable[[Env], tuple[int, Any, int, Any, Any] | None]


@dataclass(frozen=True)
class Rows:
    """Rows of `lines`: (a, b), what follows where one is absent, and the (a, b) of a request, if any."""

    text: str
    of: Callable[[Env], Sequence[tuple[tuple[int, int], str | None, tuple[int, int] | None]]]


@dataclass(frozen=True)
class Brings:
    """Rows that come along, and the cursor that is polled for each of which something was so."""

    text: str
    of: Callable[[Env], Sequence[tuple[int, int]]]
    #: For values, and the `x` of a row as it stood.
    asked: Callable[[Env, Callable[[tuple[int, int]], int | None]], Sequence[Told]]


@dataclass(frozen=True)
class Body:
    """What an answer brings."""

    text: str
    side: tuple[Entry, ...]
    tail: tuple[Entry, ...]
    acts: tuple[Entry, ...]
    brings: tuple[Brings, ...]


@dataclass(frozen=True)
class Reset:
    """What a recipe writes: entries over its two answers, and perhaps the body of the second among them."""

    text: str
    #: Over the values of the first answer and of the second.
    before: tuple[Callable[[Env, Env], Sequence[Told]], ...]
    has_body: bool
    after: tuple[Callable[[Env, Env], Sequence[Told]], ...]


@dataclass(frozen=True)
class Update:
    """An update; `relation` is a claim, or the instance that it is sorted behind."""

    name: str
    relation: str
    claim: Span | None
    beside: bool
    when_old: bool
    entries: tuple[Entry, ...]
    needs: tuple[Rows, ...]
    brings: tuple[Rows, ...]


@dataclass(frozen=True)
class Container:
    """What comes unasked, with the updates that are in it."""

    name: str
    text: str
    claim: Span | None
    steps: tuple[Span, ...]
    side: tuple[Entry, ...]
    acts: tuple[Entry, ...]
    has_items: bool
    brings: tuple[Brings, ...]


@dataclass(frozen=True)
class Answer:
    """An answer to the difference of a cursor."""

    name: str
    text: str
    kind: Callable[[Env], str]
    set: Callable[[Env], dict[int, Any]] | None
    #: How long the cursor may be silent from then on.
    pause: Expr | None


@dataclass(frozen=True)
class Model:
    """A whole protocol."""

    text: str
    counters: int
    updates: tuple[Update, ...]
    containers: tuple[Container, ...]
    answers: tuple[Answer, ...]
    body: Body
    reset: Reset
    wishes: tuple[Wish, ...]
    pages: Pages
    below: Marked


def protocol_text(
    name: str,
    counters: int,
    updates: Sequence[Update],
    containers: Sequence[Container],
    answers: Sequence[Answer],
    body: Body,
    reset: Reset,
    wishes: Sequence[Wish],
    fetched: Pages,
    below: Marked,
) -> str:
    pauses = [f'{it.name}: "{it.pause.text}"' for it in answers if it.pause is not None]
    parts = ", ".join(f"c{it}: {{kind: counter, number: {it + 1}}}" for it in range(counters))
    parts += f", place: {{kind: token, number: {counters + 1}}}"
    lines = [
        f"schema: {{name: {name}, doc: A protocol that nobody wrote.}}",
        f"types: {{Mode: {{enum: {{{', '.join(f'{it}: {n}' for n, it in enumerate(MODES))}}}}}}}",
        "tables:",
        "  lines: {id: 1, key: {a: int32, b: int32}, record: {x: [1, int64]}}",
        protocol_holes.TABLE,
        protocol_marks.TABLE,
        "operations:",
        "  set_row:",
        "    code: 1",
        "    params: {a: [1, int32], b: [2, int32], x: [3, int64]}",
        "    steps: [{put: {into: lines, row: {a: a, b: b, x: x}}}]",
        "debts: {id: 112}",
        "cursors:",
        "  account:",
        f"    id: {ACCOUNT}",
        f"    parts: {{{parts}}}",
        *([f"    idle_poll_ms: {{{', '.join(pauses)}}}"] if pauses else []),
        "    difference:",
        "      request: get_all",
        "      with: {since: c0 // 0}",
        "      answers:",
        *(f"        {it.name}: {it.text}" for it in answers),
        "  box:",
        f"    id: {BOX}",
        "    per: {a: int32}",
        "    parts: {rev: {kind: counter, number: 1}, spot: {kind: token, number: 2}}",
        "    difference:",
        "      request: get_one",
        "      with: {a: a, since: rev // 0}",
        "      answers: {one: {kind: empty, set: {rev: end}}}",
        "requests:",
        "  get_all:",
        "    code: 1",
        "    fields: {since: [1, int64]}",
        f"    answers: [{', '.join(it.name for it in answers)}]",
        "  get_one: {code: 2, fields: {a: [1, int32], since: [2, int64]}, answers: [one]}",
        "  get_end: {code: 3, answers: [one]}",
        "  get_row: {code: 4, fields: {a: [1, int32], b: [2, int32]}, answers: [found]}",
        protocol_wishes.REQUEST,
        protocol_holes.REQUEST,
        protocol_marks.REQUEST,
        "answers:",
        *(f"  {it.name}: {{code: {20 + place}, fields: {FIELDS}}}}}" for place, it in enumerate(answers)),
        f"  one: {{code: 30, fields: {FIELDS}}}}}",
        f"  found: {{code: 31, fields: {FIELDS}, updates: [13, list<update>]}}, body: bring}}",
        protocol_holes.ANSWER,
        protocol_marks.ANSWER,
        f"bodies: {{bring: {body.text}}}",
        "resets:",
        "  everything:",
        "    of: account",
        "    failure: retry",
        "    fetch:",
        "      - {name: standing, request: get_end}",
        '      - {name: page, request: get_row, with: {a: standing.a, b: "standing.b"}}',
        f"    commit: {reset.text}",
        "    set: {" + "".join(f"c{it}: standing.end, " for it in range(counters)) + "place: standing.next}",
        *text_of(wishes),
        protocol_holes.VIEW,
        "holes:",
        fetched.text,
        below.text,
        "containers:",
        protocol_wishes.COUNTED,
        *(f"  {it.name}: {it.text}" for it in containers),
        "updates:",
    ]
    for place, update in enumerate(updates):
        lines += [f"  {update.name}:", f"    code: {place + 1}", f"    fields: {FIELDS}}}"]
        lines += [f"    {update.relation}"] if update.relation else []
        lines += ["    emits:" if update.entries else "    emits: []"]
        lines += [f"      - {entry.text}" for entry in update.entries]
        for word, rows in (("needs", update.needs), ("brings", update.brings)):
            lines += [f"    {word}: [{', '.join(it.text for it in rows)}]"] if rows else []
    return "\n".join(lines) + "\n"
