"""Whether rules of derived tables say the same in two layouts, whatever what they name is called in each.

Depends on: nothing.  Never on: storage or tables; a layout is plain data, as the generator prints it.

Law: two rules that are alike make the same rows of the same stored bytes.

A rule names fields, parts of keys, cases, values and flags; what is stored knows their numbers. No name is
resolved where it stands: each must stand for the same in all tables and types that the rule could mean, its
own table included. That is too strict where a name means something else besides, and never too lax.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = Any
#: What each name stands for.
_Names: TypeAlias = Mapping[str, Json]
#: The names of one thing, as one layout has them and as the other.
_Spaces: TypeAlias = Sequence[tuple[_Names, _Names]]
#: Where a word begins in the name of a case, which paths name in snake_case.
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def make_alike(
    number: str, stored: Mapping[str, Json], wanted: Mapping[str, Json], types: Collection[tuple[str, str]]
) -> bool:
    """Whether the rules of a derived table are alike; `types`: pairs of the types that values are of."""
    old_tables, new_tables = stored["tables"], wanted["tables"]
    old, new = old_tables[number]["rule"], new_tables[number]["rule"]
    if "default" not in old or "default" not in new:  # of which nothing was said once
        old, new = ({word: rule[word] for word in rule.keys() - {"default"}} for rule in (old, new))
    tables, names = _within_reach(stored, [number, *_tables_of(old), *_tables_of(new)])
    if _encodes(new) and _held(stored, tables, names) != _held(wanted, tables, names):
        return False  # bytes made of a value hold all of its fields
    pairs = [(old_tables.get(one, {}), new_tables.get(one, {})) for one in {number, *tables}]
    pairs += [(stored["types"][one], wanted["types"][other]) for one, other in types if one in names]
    spaces, values = [], []
    for one, other in pairs:
        before, after = _spaces(one), _spaces(other)
        spaces += [(before[kind], after[kind]) for kind in before.keys() & after.keys()]
        values += [(one[kind], other[kind]) for kind in ("enum", "flags") if kind in one and kind in other]
    return _say_alike(old, new, spaces, values)


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


def _encodes(rule: Json) -> bool:
    """Whether a rule makes bytes of a value."""
    if isinstance(rule, dict):
        return any(map(_encodes, rule.values()))
    return isinstance(rule, list) and (rule[:2] == ["Call", "encoded"] or any(map(_encodes, rule)))


def _held(layout: Mapping[str, Json], tables: Collection[str], types: Collection[str]) -> list[Json]:
    """What rows of these tables and values of these types hold."""
    rows = [layout["tables"].get(number, {}).get("fields") for number in sorted(tables)]
    return [rows, {name: layout["types"].get(name) for name in types}]


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
    fields = {"fields": key | _numbered(held.get("fields", held.get("record", ())))}
    return fields | {"places": _places(held.get("rule") or {})}


def _places(rule: Json) -> _Names:
    """What a marker keeps places under: of a position of several parts no field is called so."""
    names = [*rule.get("marks", ()), rule.get("known")]
    return {name: place for place, name in enumerate(names) if name is not None}


def _numbered(fields: Json) -> dict[str, Json]:
    return {field["name"]: field["number"] for field in fields}


def _say_alike(one: Json, other: Json, spaces: _Spaces, values: _Spaces) -> bool:
    """Whether two trees are the same but for names, which stand for the same.

    `values` are those of enums and flags, which only constants and calls name.
    """
    if isinstance(one, str) and isinstance(other, str):
        stands = _stands(one, other, spaces)
        return all(old == new for old, new in stands) and (
            one == other or any(old is not None for old, _ in stands)
        )
    if isinstance(one, list) and isinstance(other, list):
        if one[:1] == ["Literal_"]:
            return bool(one == other)
        if one[:1] == ["Constant"]:
            return bool(one == other) and all(
                old == new for name in _texts(one[1]) for old, new in _stands(name, name, values)
            )
        if one[:1] == other[:1] == ["Facet"]:  # of which less was said once
            shared = min(len(one), len(other))
            one, other = (_by_case(facet[:shared]) for facet in (one, other))
        if one[:1] == ["Call"]:  # a function, what it is called with, and names
            if one[:2] != other[:2]:
                return False
            return _say_alike(one[2], other[2], spaces, values) and _say_alike(
                one[3], other[3], [*spaces, *values], values
            )
        return len(one) == len(other) and all(
            _say_alike(left, right, spaces, values) for left, right in zip(one, other, strict=True)
        )
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            _say_alike(one[key], other[key], spaces, values) for key in one
        )
    return bool(one == other)


def _by_case(facet: Json) -> Json:
    """A facet with its answers by the numbers of the cases: a layout has them in the order of the names."""
    return [*facet[:2], sorted(facet[2], key=lambda answer: answer[0]), *facet[3:]]


def _stands(one: str, other: str, spaces: _Spaces) -> list[tuple[Json, Json]]:
    """What two names stand for, in each pair of spaces."""
    return [(old.get(one), new.get(other)) for old, new in spaces]


def _texts(value: Json) -> list[str]:
    """The texts of a constant, which may be values of an enum by their names."""
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]
