"""What stored bytes mean: the layout a box was written under, held against the one a package expects.

Depends on: layout_types, rule_names, numbered, doubts.  Never on: storage or tables; a layout is plain data,
as the generator prints it.

Law: `compare(a, b)` says *same* exactly when each reads what the other wrote; it never says so of two
layouts that would read the same bytes as different values, nor of two whose rules would make other rows.
Docs, views and the names of tables, fields and types are not part of it: numbers are. What has no number
but its place has another name, or another place: one that is known from elsewhere is another order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pillarbox.doubts import begun_anew, counts_on, word_of
from pillarbox.layout_types import (
    base_of,
    by_number,
    default_of,
    is_optional,
    kind_of,
    may_be_left_out,
    split,
    with_article,
)
from pillarbox.numbered import Renumbered, misread, renumbered
from pillarbox.rule_names import make_alike

Json: TypeAlias = Any
FORMAT = 1
#: Nesting of stored types; the checker allows less.
_DEPTH_MAX = 64
#: Said of who has a number that is given up: an older package, or one that gives it to something else.
_RESERVED = (
    "takes a number that the box holds as reserved, since a newer package has given it up or it was another's"
)


@dataclass(slots=True)
class Difference:
    """How a stored layout differs from the wanted one. Each entry is a sentence about one place."""

    #: The wanted layout knows these, the stored one does not: the box is older.
    adds: list[str] = field(default_factory=list)
    #: The stored layout knows these, the wanted one does not: the box is newer.
    lacks: list[str] = field(default_factory=list)
    #: Neither can read the other's bytes.
    conflicts: list[str] = field(default_factory=list)
    #: Tables to create.
    create: list[int] = field(default_factory=list)
    #: Tables that the package has given up.
    drop: list[int] = field(default_factory=list)
    #: Derived tables to fill from their sources: new ones, and those whose rule or shape changed.
    rebuild: list[int] = field(default_factory=list)
    #: Tables that count on from what a server gave, and did so by another rule.
    doubt: list[int] = field(default_factory=list)
    #: Tables of ranges that went from another point, or to another, and may go beyond those of now.
    clip: list[int] = field(default_factory=list)
    #: Sequences that come to rows with numbers that they did not give.
    renumbered: list[Renumbered] = field(default_factory=list)
    #: Tables of the package, and those that it drops, by their numbers, for who reads.
    names: dict[int, str] = field(default_factory=dict, compare=False)

    def reasons(self) -> list[str]:
        """Why the box cannot be opened: conflicts, or both sides having moved on."""
        if self.conflicts:
            return self.conflicts
        if self.adds and self.lacks:
            return [
                *(f"the box has {it}" for it in self.lacks),
                *(f"the package has {it}" for it in self.adds),
            ]
        if self.lacks and self.rebuild:
            # It may only be read, and then nobody makes these tables anew for this package.
            return [
                *(f"the box has {it}" for it in self.lacks),
                *(f"the package keeps {self._name(number)} by another rule" for number in self.rebuild),
            ]
        return []

    def _name(self, number: int) -> str:
        return f"derived table {self.names.get(number, '?')!r} ({number})"

    @property
    def same(self) -> bool:
        """Whether nothing at all is to be done."""
        tables = self.create or self.drop or self.rebuild or self.renumbered or self.doubt or self.clip
        return not (self.adds or self.lacks or self.conflicts or tables)


def compare(stored: Mapping[str, Json], wanted: Mapping[str, Json]) -> Difference:
    """Hold the layout a box was written under against the one of the package that opens it."""
    found = Difference()
    if stored.get("format") != wanted.get("format"):
        found.conflicts.append(
            f"the box uses layout format {stored.get('format')}, the package {wanted.get('format')}"
        )
        return found
    if stored["schema"] != wanted["schema"]:
        found.conflicts.append(
            f"the box belongs to schema {stored['schema']!r}, the package to {wanted['schema']!r}"
        )
        return found
    comparison = _Comparison(stored, wanted, found)
    old_tables: Mapping[str, Json] = stored["tables"]
    new_tables: Mapping[str, Json] = wanted["tables"]
    found.names = {int(number): table["name"] for number, table in new_tables.items()}
    old_reserved, new_reserved = set(stored.get("reserved", ())), set(wanted.get("reserved", ()))
    for number, table in new_tables.items():
        old = old_tables.get(number)
        if old is None and int(number) in old_reserved:
            found.conflicts.append(f"table {table['name']!r} ({number}) {_RESERVED}")
        elif old is None:
            found.adds.append(f"table {table['name']!r} ({number})")
            found.create.append(int(number))
            if table["role"] == "derived":
                found.rebuild.append(int(number))
        else:
            comparison.table(number, old, table)
    for number, table in old_tables.items():
        if number in new_tables:
            continue
        if int(number) in new_reserved:
            found.adds.append(f"table {table['name']!r} ({number}) as reserved")
            found.drop.append(int(number))
            found.names[int(number)] = table["name"]
        else:
            found.lacks.append(f"table {table['name']!r} ({number})")
    comparison.apart()
    numbers = {int(number) for number in (*old_tables, *new_tables)}
    _reserve(found, "tables", old_reserved - numbers, new_reserved - numbers)
    found.doubt += begun_anew(stored, wanted)
    comparison.rules()
    found.rebuild.sort()
    found.renumbered += renumbered(stored, wanted)
    found.conflicts += misread(stored, wanted)
    return found


class _Comparison:
    """Walks two layouts side by side; names of types are resolved in their own layout."""

    def __init__(self, stored: Mapping[str, Json], wanted: Mapping[str, Json], found: Difference) -> None:
        self._stored = stored
        self._wanted = wanted
        self._old_types: Mapping[str, Json] = stored["types"]
        self._new_types: Mapping[str, Json] = wanted["types"]
        self._found = found
        #: Pairs of type names already compared: recursion ends, and each difference is told once.
        self._seen: set[tuple[str, str]] = set()
        #: Those that derived tables are of, whatever there is to tell of them.
        self._made: set[tuple[str, str]] = set()

    def table(self, number: str, old: Json, new: Json) -> None:
        place = f"table {new['name']!r} ({number})"
        if old["role"] != new["role"]:
            self._found.conflicts.append(f"{place} was {old['role']} and is {new['role']} now")
            return
        if new["role"] == "kept" and word_of(old) != word_of(new):
            self._found.conflicts.append(
                f"{place} is kept by another word than in the box: give it another id"
            )
            return
        if new["role"] == "derived":
            if _essence(old) != _essence(new) or self._moved(old, new):
                self._found.rebuild.append(int(number))
            return
        for what in ("layout", "storage"):
            if old[what] != new[what]:
                self._found.conflicts.append(f"{place} has {what} {new[what]!r}, the box wrote {old[what]!r}")
        self._key(place, old["key"], new["key"])
        is_packed = new["layout"] == "packed"
        if new["role"] == "kept":  # most of its fields are numbered by their places
            self._places("field", place, old["fields"], new["fields"])
            self.fields(place, old, new, packed=is_packed, mend="give the table another id")
            if _ends(old) != _ends(new):
                self._found.clip.append(int(number))
        else:
            self.fields(place, old, new, packed=is_packed)

    def rules(self) -> None:
        """Find the tables whose rules make other rows; once all other tables are compared."""
        if self._stored == self._wanted:
            return
        for number, new in self._wanted["tables"].items():
            old = self._stored["tables"].get(number)
            if old is None or old["role"] != new["role"]:
                continue
            differing = self._found.rebuild if new["role"] == "derived" else self._found.doubt
            if not (new["role"] == "derived" or counts_on(new)) or int(number) in differing:
                continue
            if not make_alike(number, self._stored, self._wanted, self._seen | self._made):
                differing.append(int(number))

    def apart(self) -> None:
        """Find what lies apart from its table, in another where the package does not look for it."""
        old_tables, new_tables = self._stored["tables"], self._wanted["tables"]
        for number, table in old_tables.items():
            held = _lies_in(old_tables, number)
            if held is None or held == _lies_in(new_tables, number):
                continue
            of = f"{old_tables[held[0]]['name']!r} ({held[0]})"
            is_missed = held[0] in new_tables and held[1] != "seedmarks"  # no group needs its mark
            if is_missed or number in new_tables:
                self._found.conflicts.append(
                    f"what is of table {of} lies in table {table['name']!r} ({number}), "
                    f"and the package does not look for it there"
                )

    def _moved(self, old: Json, new: Json) -> bool:
        """Whether a type that a derived table stores changed its bytes; its rows are then made anew."""
        aside = Difference()
        walk = _Comparison(self._stored, self._wanted, aside)
        walk._key("", old["key"], new["key"])
        walk.fields("", old, new, packed=True)
        self._made |= walk._seen
        return bool(aside.conflicts)

    def _key(self, place: str, old: Json, new: Json) -> None:
        if len(old) != len(new):
            self._found.conflicts.append(f"{place} has {len(new)} key parts, the box wrote {len(old)}")
            return
        self._places("key part", place, old, new)
        for before, after in zip(old, new, strict=True):
            if bool(before["desc"]) != bool(after["desc"]):
                self._found.conflicts.append(f"key part {after['name']!r} of {place} changed its direction")
            self.type(f"key part {after['name']!r} of {place}", before["type"], after["type"])

    def _places(self, what: str, place: str, old: Json, new: Json) -> None:
        """A name that the box knows from another place would be read as what stands here."""
        were = {item["name"]: item.get("number", at) for at, item in enumerate(old, 1)}
        for at, item in enumerate(new, 1):
            name, number = item["name"], item.get("number", at)
            if (was := were.get(name, number)) != number:
                self._found.conflicts.append(
                    f"{what} {name!r} of {place} is number {number}, the box wrote it as number {was}"
                )

    def fields(
        self, place: str, old: Json, new: Json, *, packed: bool = False, mend: str = "give it one"
    ) -> None:
        old_fields = {item["number"]: item for item in old["fields"]}
        new_fields = {item["number"]: item for item in new["fields"]}
        old_reserved, new_reserved = set(old.get("reserved", ())), set(new.get("reserved", ()))
        for number, item in new_fields.items():
            where = f"field {item['name']!r} ({number}) of {place}"
            if number in old_fields:
                self.type(where, old_fields[number]["type"], item["type"])
                if packed:
                    self._left_out(where, old, old_fields[number], new, item)
                else:
                    self._default(where, old_fields[number], item)
                self._kind(where, old_fields[number], item)
            elif number in old_reserved:
                self._found.conflicts.append(f"{where} {_RESERVED}")
            elif "default" not in item or number in new.get("whole", ()):
                self._found.conflicts.append(
                    f"{where} is new and has no default for the rows already stored: {mend}"
                )
            elif packed and is_optional(item) and item["default"] is not None:
                self._found.conflicts.append(
                    f"{where} is new, and packed rows without it have nothing there: leave its default out"
                )
            else:
                self._found.adds.append(where)
        for number, item in old_fields.items():
            where = f"field {item['name']!r} ({number}) of {place}"
            if number in new_fields:
                continue
            if number not in new_reserved:
                self._found.lacks.append(where)
            elif packed:
                self._found.conflicts.append(f"{where} is reserved now, but packed rows cannot skip it")
            else:
                self._found.adds.append(f"{where} as reserved")
        numbers = old_fields.keys() | new_fields.keys()
        _reserve(self._found, place, old_reserved - numbers, new_reserved - numbers)

    def _kind(self, where: str, old: Json, new: Json) -> None:
        """Of parts of cursors, as far as layouts say it. What counts is read alike, with gaps or without."""
        was, now = old.get("kind"), new.get("kind")
        if None not in (was, now) and was != now and {was, now} != {"counter", "watermark"}:
            kinds = f"is {with_article(now)}, the box wrote {with_article(was)}"
            self._found.conflicts.append(f"{where} {kinds}: give the cursor another id")

    def _left_out(self, where: str, old: Json, was: Json, new: Json, now: Json) -> None:
        """Packed rows lack what is absent, and what is the default of a field that may be left out."""
        if is_optional(was) and is_optional(now):
            return  # what they lack is absent, whatever the default is
        lacked, lacks = may_be_left_out(old, was), may_be_left_out(new, now)
        if lacked is False and (lacks or (lacks is None and "default" not in was)):
            self._found.conflicts.append(f"{where} has a default now, which moves it in a packed row")
        elif lacked and lacks is False:
            self._found.conflicts.append(f"{where} lost its default, and stored rows may lack the field")
        elif lacked is not False or lacks is not False:
            self._default(where, was, now)

    def _default(self, where: str, old: Json, new: Json) -> None:
        """Rows may lack a field that has a default, and then its value is in the layout alone."""
        if "default" in old and "default" in new:
            was, now = default_of(old, self._old_types), default_of(new, self._new_types)
            if was != now:
                self._found.conflicts.append(f"{where} has the default {now!r}, the box left out {was!r}")
        elif "default" in old:
            self._found.conflicts.append(f"{where} lost its default, and stored rows may lack the field")

    def type(self, place: str, old: str, new: str, depth: int = 0) -> None:
        """Compare two type texts such as `opt<list<Forward>>`."""
        old_head, old_args = split(old)
        new_head, new_args = split(new)
        if depth > _DEPTH_MAX or len(old_args) != len(new_args):
            self._found.conflicts.append(f"{place} is {new}, the box wrote {old}")
            return
        old_named, new_named = self._old_types.get(old_head), self._new_types.get(new_head)
        if old_named is None or new_named is None:
            old_base, new_base = base_of(old_head, old_named), base_of(new_head, new_named)
            if old_base != new_base:
                self._found.conflicts.append(f"{place} is {new}, the box wrote {old}")
            for before, after in zip(old_args, new_args, strict=True):
                self.type(place, before, after, depth + 1)
            return
        if (old_head, new_head) not in self._seen:
            self._seen.add((old_head, new_head))
            self._named(f"type {new_head!r}", old_named, new_named)

    def _named(self, place: str, old: Json, new: Json) -> None:
        kind = kind_of(new)
        if kind_of(old) != kind:
            was, now = with_article(kind_of(old)), with_article(kind)
            self._found.conflicts.append(f"{place} was {was} and is {now} now")
        elif kind == "record":
            self.fields(place, {"fields": old["record"], **old}, {"fields": new["record"], **new})
        elif kind == "union":
            self._numbers(place, "case", old["union"], new["union"])
            for number in old["union"].keys() & new["union"].keys():
                case = new["union"][number]
                self.fields(f"case {case['name']!r} of {place}", old["union"][number], case)
        elif kind == "enum":
            self._same_base(place, old, new)
            self._numbers(place, "value", by_number(old["enum"]), by_number(new["enum"]))
        elif kind == "flags":
            self._same_base(place, old, new)
        elif kind == "packed":
            self._parts(place, old["packed"], new["packed"])
        elif old["id"] != new["id"]:
            self._found.conflicts.append(f"{place} stands for {new['id']}, the box wrote {old['id']}")

    def _parts(self, place: str, old: Json, new: Json) -> None:
        if [part["bits"] for part in old] != [part["bits"] for part in new]:
            self._found.conflicts.append(f"{place} changed how its parts are packed")
            return
        self._places("part", place, old, new)
        for before, after in zip(old, new, strict=True):
            self.type(f"part {after['name']!r} of {place}", before["type"], after["type"])

    def _same_base(self, place: str, old: Json, new: Json) -> None:
        if old["base"] != new["base"]:
            self._found.conflicts.append(f"{place} is stored as {new['base']}, the box wrote {old['base']}")

    def _numbers(self, place: str, what: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> None:
        self._found.adds += [f"{what} {number} of {place}" for number in new if number not in old]
        self._found.lacks += [f"{what} {number} of {place}" for number in old if number not in new]


def _reserve(found: Difference, of: str, old: set[int], new: set[int]) -> None:
    """Numbers that are reserved on one side, where nothing has them on the other."""
    found.adds += [f"number {number} of {of} as reserved" for number in sorted(new - old)]
    found.lacks += [f"number {number} of {of} as reserved" for number in sorted(old - new)]


def _ends(table: Json) -> Json:
    """From where to where the ranges of a table go."""
    return [table["rule"].get(end) for end in ("start", "end")] if word_of(table) == "ranges" else None


def _lies_in(tables: Mapping[str, Json], number: str) -> tuple[str, Json] | None:
    """The number of the table that has something in this one, and what it is; None if this is for itself."""
    rule = tables.get(number, {}).get("rule") or {}
    word = rule.get("word")
    if word == "refs":
        source = str(rule["source"])
        numbers = {item["name"]: item["number"] for item in tables[source]["fields"]}
        return source, numbers[rule["field"]]
    if word in ("places", "seedmarks"):
        return {table["name"]: other for other, table in tables.items()}[rule["of"]], word
    return None


def _essence(table: Json) -> tuple[Json, ...]:
    """What of a derived table decides its rows: names aside, and types, which are compared by meaning."""
    key = [bool(part["desc"]) for part in table["key"]]
    fields = [item["number"] for item in table["fields"]]
    return (key, fields, table["layout"], table["storage"])
