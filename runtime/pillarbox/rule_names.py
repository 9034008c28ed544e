"""Whether rules of derived tables say the same in two layouts, whatever what they name is called in each.

Depends on: nothing.  Never on: storage or tables; a layout is plain data, as the generator prints it.

Law: two rules that are alike make the same rows of the same stored bytes.

A rule names fields, parts of keys and cases; what is stored knows their numbers. No name is resolved where it
stands: each must stand for the same in all tables and types that the rule could mean, its own table
included. That is too strict where a name means something else besides, and never too lax.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = Any
#: What each name stands for.
_Names: TypeAlias = Mapping[str, Json]
#: Where a word begins in the name of a case, which paths name in snake_case.
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def make_alike(
    number: str, stored: Mapping[str, Json], wanted: Mapping[str, Json], types: Collection[tuple[str, str]]
) -> bool:
    """Whether the rules of a derived table are alike; `types`: pairs of the types that values are of."""
    old_tables, new_tables = stored["tables"], wanted["tables"]
    old, new = old_tables[number]["rule"], new_tables[number]["rule"]
    tables, names = _within_reach(stored, [*_tables_of(old), *_tables_of(new)])
    pairs = [(old_tables.get(one, {}), new_tables.get(one, {})) for one in {number, *tables}]
    pairs += [(stored["types"][one], wanted["types"][other]) for one, other in types if one in names]
    spaces = []
    for one, other in pairs:
        before, after = _spaces(one), _spaces(other)
        spaces += [(before[kind], after[kind]) for kind in before.keys() & after.keys()]
    return _say_alike(old, new, spaces)


def _within_reach(layout: Mapping[str, Json], numbers: list[str]) -> tuple[set[str], set[str]]:
    """These tables, those whose rows their fields hold, and the types that values of all these are of."""
    all_tables, all_types = layout["tables"], layout["types"]
    named = {table["name"]: number for number, table in all_tables.items()}
    tables: set[str] = set()
    types: set[str] = set()
    words: set[str] = set()
    while numbers:
        tables |= {*numbers}
        words |= _words([all_tables.get(number, {}) for number in numbers])
        while found := words & all_types.keys() - types:
            types |= found
            words |= _words([all_types[name] for name in found])
        numbers = [named[word] for word in words & named.keys() if named[word] not in tables]
    return tables, types


def _tables_of(rule: Json) -> Iterator[str]:
    """The numbers of the tables that a rule reads."""
    parts: Iterable[Json] = ()
    if isinstance(rule, list):
        parts = rule
        if rule[:1] == ["With"]:
            yield from (str(number) for number in rule[1:3] if number is not None)
    elif isinstance(rule, dict):
        parts = rule.values()
        yield from (str(number) for number in (rule.get("source"), *rule.get("drivers", ())) if number)
    for part in parts:
        yield from _tables_of(part)


def _words(held: Json) -> set[str]:
    """The words in the types of what tables or types hold."""
    if isinstance(held, dict):
        told = held.get("type")
        inner = set(re.findall(r"\w+", told)) if isinstance(told, str) else set()
        return inner.union(*map(_words, held.values()))
    return set().union(*map(_words, held)) if isinstance(held, list) else set()


def _spaces(held: Json) -> dict[str, _Names]:
    """The names in a table or type, each kind of them by itself."""
    if "packed" in held:
        return {"parts": {part["name"]: place for place, part in enumerate(held["packed"])}}
    if "union" in held:
        spaces: dict[str, _Names] = {
            number: _numbered(case["fields"]) for number, case in held["union"].items()
        }
        names = {case["name"]: number for number, case in held["union"].items()}
        return spaces | {"cases": names | {_WORD.sub("_", name).lower(): it for name, it in names.items()}}
    key = {part["name"]: f"key {place}" for place, part in enumerate(held.get("key", ()))}
    return {"fields": key | _numbered(held.get("fields", held.get("record", ())))}


def _numbered(fields: Json) -> dict[str, Json]:
    return {field["name"]: field["number"] for field in fields}


def _say_alike(one: Json, other: Json, spaces: Sequence[tuple[_Names, _Names]]) -> bool:
    """Whether two trees are the same but for names, which stand for the same."""
    if isinstance(one, str) and isinstance(other, str):
        stands = [(old.get(one), new.get(other)) for old, new in spaces]
        return all(old == new for old, new in stands) and (
            one == other or any(old is not None for old, _ in stands)
        )
    if isinstance(one, list) and isinstance(other, list):
        if one[:1] in (["Literal_"], ["Constant"]):
            return one == other
        return len(one) == len(other) and all(
            _say_alike(left, right, spaces) for left, right in zip(one, other, strict=True)
        )
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_say_alike(one[key], other[key], spaces) for key in one)
    return bool(one == other)
