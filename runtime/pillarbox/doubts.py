"""Which tables count on from what a server gave, in layouts, and which of them are in doubt by a later one.

Depends on: nothing.  Never on: storage or tables; a layout is plain data, as the generator prints it.

Law: what counts on from a base is told to be in doubt unless what it counts, by which rule, and the table in
which its doubts stand are those of before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeAlias

Json: TypeAlias = Any


def counts_on(table: Json) -> bool:
    """Whether it goes on from a base that a server gave."""
    return word_of(table) in ("marker", "anchoredcount")


def word_of(table: Json) -> str | None:
    """What keeps a table; None where steps alone write it."""
    word: str | None = (table["rule"] or {}).get("word")
    return word


def counting(tables: Mapping[str, Json]) -> dict[int, int]:
    """The tables that count on from what a server gave, and the one whose rows each counts."""
    return {int(number): table["rule"]["source"] for number, table in tables.items() if counts_on(table)}


def doubtful(
    tables: Mapping[str, Json], doubt: Collection[int], create: Collection[int], filled: Collection[int]
) -> set[int]:
    """The tables that count on by another rule, which are told, or over tables that are `filled`."""
    over = {number for number, source in counting(tables).items() if source in filled}
    return {*doubt, *over.difference(create)}


def begun_anew(stored: Mapping[str, Json], wanted: Mapping[str, Json]) -> Iterator[int]:
    """The tables whose doubts stood in another table than now, if anywhere: which these were nobody knows."""
    for number, table in wanted["tables"].items():
        if word_of(table) != "stale":
            continue
        old = stored["tables"].get(number)
        known = _doubted(stored, old) if old is not None and word_of(old) == "stale" else set()
        if known is not None:
            of = _doubted(wanted, table) or set()
            yield from (one for one in sorted(of - known) if str(one) in stored["tables"])


def _doubted(layout: Mapping[str, Json], stale: Json) -> set[int] | None:
    """The tables whose doubts stand in this one; None where nobody can tell, since layouts said less once."""
    rule = stale["rule"]
    if "for" in rule:
        return {*rule["for"]}
    if rule["of"] is None:
        return None
    return {
        int(number)
        for number, table in layout["tables"].items()
        if table["name"] == rule["of"] and counts_on(table)
    }
