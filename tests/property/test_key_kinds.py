"""Keys of every kind of part, in a stranger's schema: what is read of them is what all rows together say.

Law. Whatever the parts of a key are (enums without a member 0, bools, text, bytes, ids, flags, packed ids,
any of them falling), a prefix, a range, an edge, a scan and a window show those of all rows, put in order by
their fields in Python, that lie there; in both directions, before and after a commit.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.box import Box
from pillarbox.tables import TableReader
from pillarbox.views.parts import window

#: Table -> its key parts: (type, whether it falls). No enum here has a member 0.
TABLES: Final[dict[str, tuple[tuple[str, bool], ...]]] = {
    "ranked": (("Rank", False), ("bool", True), ("text", True)),
    "worded": (("text", False), ("Rank", True), ("int64", False)),
    "sunk": (("bytes", False), ("Depth", True), ("uint64", True)),
    "single": (("int64", False),),
    "lone_wide": (("Wide", False),),
    "fallen_wide": (("Wide", True),),
    "flagged": (("bool", False), ("bytes", True), ("Marks", False)),
    "paired": (("Pair", False), ("Login", True)),
    "lone_pair": (("Pair", False),),
    "down": (("int64", True),),
    "small": (("int8", True), ("uint16", False), ("Depth", False)),
    "named": (("Login", True),),
    "raw": (("bytes", True), ("bytes", False)),
    "told": (("bool", False),),
}
_MAX: Final = {"int8": 127, "uint16": 65_535, "int64": (1 << 63) - 1, "uint64": (1 << 64) - 1}
_LEAST: Final = {"int8": -128, "uint16": 0, "int64": -(1 << 63), "uint64": 0}
_TEXTS: Final = ("", "\0", "\0\0", "a", "a\0", "ab", "é", "\U0010ffff")
_RAWS: Final = (b"", b"\0", b"\0\xff", b"\xff", b"\xff\xff", b"a")


class Part(NamedTuple):
    """One part of a key, and what is called so."""

    name: str
    type: str
    desc: bool


def parts_of(table: str) -> list[Part]:
    return [Part(f"p{at}", type_, desc) for at, (type_, desc) in enumerate(TABLES[table])]


def schema_text() -> str:
    """Every table with an index of its rows the other way round, and views of every prefix of both."""
    lines = [
        "schema: {name: keykinds, doc: Keys of every kind.}",
        "types:",
        "  Rank: {enum: {high: 200, low: 3, mid: 7}}",
        "  Depth: {enum: {under: -5, over: 300}, type: int16}",
        "  Wide: {enum: {most: 9223372036854775807, least: -9223372036854775808}, type: int64}",
        "  Marks: {flags: {first: 0, last: 7}, type: uint8}",
        "  Login: {id: text}",
        "  Pair: {packed: int64, parts: {rank: {type: Rank, bits: 8}, n: {type: int64, bits: 50}}}",
        "tables:",
    ]
    views = ["views:"]
    for number, table in enumerate(TABLES):
        parts = parts_of(table)
        key = ", ".join(f"{it.name}: {{type: {it.type}, desc: {str(it.desc).lower()}}}" for it in parts)
        lines.append(f"  {table}: {{id: {2 * number + 1}, key: {{{key}}}, record: {{v: [1, int32]}}}}")
        # The index has all parts the other way round, and in the other order.
        turned = ", ".join(
            f"{{{it.name}: {{of: {it.name}, desc: {str(not it.desc).lower()}}}}}" for it in reversed(parts)
        )
        lines.append(f"  i_{table}: {{id: {2 * number + 2}, index: {{from: {table}, key: [{turned}]}}}}")
        for name, order in ((table, parts), (f"i_{table}", list(reversed(parts)))):
            views += view_lines(name, order)
    return "\n".join([*lines, *views]) + "\n"


def view_lines(name: str, order: Sequence[Part]) -> Iterable[str]:
    for length in range(len(order)):
        prefix = "[" + ", ".join(it.name for it in order[:length]) + "]"
        rest = "[" + ", ".join(it.name for it in order[length:]) + "]"
        key = ", ".join(f"{it.name}: {it.type}" for it in order)
        first = order[length]
        ends = f"from: {first.name}, to: to_{first.name}"
        scan = f"scan: {name}, prefix: {prefix}"
        of = f"{{of: {name}, prefix: {prefix}}}"
        sides = "before: before, after: after"
        yield f"  {name}_{length}:"
        amounts = "limit: int32, before: int32, after: int32"
        yield f"    key: {{{key}, {amounts}, to_{first.name}: opt<{first.type}>}}"
        yield "    parts:"
        yield f"      up: {{{scan}, limit: limit}}"
        yield f"      down: {{{scan}, limit: limit, newest_first: true}}"
        yield f"      span: {{{scan}, {ends}, all: true}}"
        yield f"      span_down: {{{scan}, {ends}, limit: limit, newest_first: true}}"
        for anchor, word in (("newest", "newest"), ("oldest", "oldest"), ("at", f'{{at: "{rest}"}}')):
            yield f"      w_{anchor}: {{window: {of}, anchor: {word}, {sides}}}"
            yield f"      l_{anchor}: {{window: {of}, anchor: {word}, {sides}, where: row.v != 1}}"


@cache
def package() -> Package:
    return imported(Path(tempfile.mkdtemp()), schema_text())


# ------------------------------------------------------------------------------------------ the model


def least_first(type_: str, value: Any) -> Any:
    """What compares as a rising part does."""
    return value.encode() if isinstance(value, str) else bytes(value) if type_ == "bytes" else int(value)


class Falling:
    """What compares the other way round."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Falling) -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Falling) and bool(self.value == other.value)

    __hash__ = None  # type: ignore[assignment]


def placed(order: Sequence[Part], values: Iterable[Any]) -> tuple[Any, ...]:
    """The place of a key, or of what one begins with."""
    plain = [least_first(part.type, value) for part, value in zip(order, values, strict=False)]
    return tuple(Falling(it) if part.desc else it for part, it in zip(order, plain, strict=False))


def under(order: Sequence[Part], rows: Iterable[Any], prefix: Sequence[Any]) -> list[Any]:
    """The rows that begin so, in order."""

    def place(row: Any) -> tuple[Any, ...]:
        return placed(order, values_of(order, row))

    begins = placed(order, prefix)
    return sorted((row for row in rows if place(row)[: len(prefix)] == begins), key=place)


def values_of(order: Sequence[Part], row: Any) -> list[Any]:
    return [getattr(row, part.name) for part in order]


# ------------------------------------------------------------------------------------------ drawing


class Drawn:
    """Values by the number of a seed: few, and the least and the greatest there are."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self._types = package().types

    def value(self, type_: str) -> Any:
        types = self._types
        match type_:
            case "bool":
                choices: Sequence[Any] = (False, True)
            case "text" | "Login":
                choices = _TEXTS
            case "bytes":
                choices = _RAWS
            case "Rank" | "Depth" | "Wide":
                choices = list(getattr(types, type_))
            case "Marks":
                choices = (0, 1, 128, 129)
            case "Pair":
                return types.pair(self.value("Rank"), self.random.choice((0, 1, (1 << 49) - 1)))
            case _:
                least, most = _LEAST[type_], _MAX[type_]
                choices = sorted({least, least + 1, max(least, -1), 0, 1, most - 1, most})
        return self.random.choice(choices)

    def key(self, parts: Sequence[Part]) -> list[Any]:
        return [self.value(part.type) for part in parts]

    def row(self, table: str) -> Any:
        kind = getattr(self._types, table.title().replace("_", ""))
        return kind(*self.key(parts_of(table)), v=self.random.randint(0, 2))


# --------------------------------------------------------------------------------------------- laws


def check_table(tables: Any, table: str, order: Sequence[Part], rows: Sequence[Any], drawn: Drawn) -> None:
    """What is read by hand."""
    reader, random = getattr(tables, table), drawn.random
    key = values_of(order, random.choice(rows)) if rows and random.random() < 0.5 else drawn.key(order)
    length = random.randint(0, len(order) - 1)
    inside = under(order, rows, key[:length])
    low, high = (
        random.choice((None, drawn.key(order), [*key[:length], *drawn.key(order[length:])])) for _ in range(2)
    )
    between = [
        row
        for row in inside
        if (low is None or placed(order, low) < placed(order, values_of(order, row)))
        and (high is None or placed(order, values_of(order, row)) < placed(order, high))
    ]
    limit = random.choice((None, 0, 1, 2))

    def edge(values: list[Any] | None) -> Any:
        return values if values is None else values[0] if len(order) == 1 else tuple(values)

    def fields(found: Iterable[Any]) -> list[list[Any]]:
        return [values_of(order, row) for row in found]

    reads = [reader.all, *(getattr(reader, f"of_{part.name}") for part in order[:-1])]
    for newest_first in (False, True):
        found = reads[length](
            *key[:length], after=edge(low), before=edge(high), newest_first=newest_first, limit=limit
        )
        wanted = between[::-1] if newest_first else between
        assert fields(found) == fields(wanted[:limit]), (table, key[:length], low, high)
    stored = {tuple(values_of(order, row)) for row in rows}
    assert (reader.get(*key) is not None) == (tuple(key) in stored)


def check_view(shown: Any, asked: Any, order: Sequence[Part], length: int, rows: Sequence[Any]) -> None:
    """What a view shows."""
    key = [getattr(asked, part.name) for part in order]
    inside = under(order, rows, key[:length])
    first = order[length]
    start = placed([first], key[length : length + 1])
    to = getattr(asked, f"to_{first.name}")
    end = None if to is None else placed([first], [to])
    span = [
        row
        for row in inside
        if not placed([first], [getattr(row, first.name)]) < start
        and (end is None or placed([first], [getattr(row, first.name)]) < end)
    ]
    assert list(shown.up) == inside[: asked.limit]
    assert list(shown.down) == inside[::-1][: asked.limit]
    assert list(shown.span) == span
    assert list(shown.span_down) == span[::-1][: asked.limit]
    counted = [row for row in inside if row.v != 1]
    at = placed(order, key)
    for kind, found in (("w", inside), ("l", counted)):
        upto = [row for row in found if not at < placed(order, values_of(order, row))]
        beyond = found[len(upto) :]
        for anchor, one, other in (("newest", found, []), ("oldest", [], found), ("at", upto, beyond)):
            window = getattr(shown, f"{kind}_{anchor}")
            entries = [*one[len(one) - min(asked.before, len(one)) :], *other[: asked.after]]
            assert list(window.entries) == entries, (kind, anchor, key)


def check_all(box: Any, views: dict[Any, Any], drawn: Drawn, rows: dict[str, list[Any]]) -> None:
    for (name, length), (asked, subscription) in views.items():
        table = name.removeprefix("i_")
        order = turned(table) if name != table else parts_of(table)
        check_view(box.get(asked), asked, order, length, rows[table])
        check_view(subscription.live.snapshot, asked, order, length, rows[table])
    with box.reading() as tables:
        for table in TABLES:
            check_table(tables, table, parts_of(table), rows[table], drawn)
            check_table(tables, f"i_{table}", turned(table), rows[table], drawn)


def turned(table: str) -> list[Part]:
    """The key of the index."""
    return [part._replace(desc=not part.desc) for part in reversed(parts_of(table))]


def opened(box: Any, drawn: Drawn) -> dict[Any, Any]:
    """A view of each table and index, watched."""
    found = {}
    for table in TABLES:
        for name, order in ((table, parts_of(table)), (f"i_{table}", turned(table))):
            length = drawn.random.randint(0, len(order) - 1)
            kind = getattr(package().views, f"{name}_{length}".title().replace("_", ""))
            given: dict[str, Any] = dict(zip([part.name for part in order], drawn.key(order), strict=True))
            given |= {word: drawn.random.randint(0, 3) for word in ("limit", "before", "after")}
            given[f"to_{order[length].name}"] = drawn.random.choice((None, drawn.value(order[length].type)))
            asked = kind(**given)
            found[name, length] = asked, box.watch(asked)
    return found


seeds = st.integers(0, (1 << 32) - 1)


def check(seed: int) -> None:
    drawn = Drawn(seed)
    rows: dict[str, dict[tuple[Any, ...], Any]] = {table: {} for table in TABLES}
    with Box(":memory:", package().box.PACKAGE) as box:
        views = opened(box, drawn)
        for _ in range(3):
            with box.transaction() as tx:
                for table in TABLES:
                    for _ in range(drawn.random.randint(0, 4)):
                        row = drawn.row(table)
                        rows[table][tuple(values_of(parts_of(table), row))] = row
                        getattr(tx, table).put(row)
                    if rows[table] and drawn.random.random() < 0.3:
                        key = drawn.random.choice(list(rows[table]))
                        del rows[table][key]
                        getattr(tx, table).remove(*key)
            check_all(box, views, drawn, {table: list(held.values()) for table, held in rows.items()})


@settings(max_examples=max(10, settings().max_examples // 5), deadline=None)
@given(seed=seeds)
def test_what_is_read_of_keys_of_any_parts_is_what_all_rows_say(seed: int) -> None:
    check(seed)


FAULTS = (
    Fault(
        "an edge is not beyond itself",
        TableReader,
        "rows_under",
        'self._edge(after) + b"\\0"',
        "self._edge(after)",
    ),
    Fault("an edge may be beyond the prefix", TableReader, "rows_under", "min(edge, high)", "edge"),
    Fault("a key is above itself", window, "next_key", 'key + b"\\0"', "key"),
    Fault(
        "above the greatest number is a key",
        window,
        "next_key",
        "None if key == _INT64_MAX else",
        "key if key == _INT64_MAX else",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    law = settings(HARD, max_examples=60, deadline=None)(given(seed=seeds)(check))
    with fault.planted(), pytest.raises(AssertionError):
        law()
