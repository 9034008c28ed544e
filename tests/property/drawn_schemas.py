"""Small schemas as data, with tables of every word; drawn.

Depends on: hypothesis.  Never on: the generator, the runtime, or how schemas are compared.

A schema is the tree that its YAML would be, and beside it under `names` what its words are called now. They
are none of the schema language, so they are found in texts by themselves, and only when they are written out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

Tree: TypeAlias = dict[str, Any]
Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]

NAME: Final = "drawnver"
#: Name of a field -> its type, and a default that it may have.
FIELDS: Final[dict[str, tuple[str, Any]]] = {
    "amount": ("int32", 1),
    "caption": ("text", "a"),
    "lit": ("bool", True),
    "mass": ("int64", -3),
    "sort": ("Sort", "bold"),
    "traits": ("Traits", "loud"),
    "keeper": ("Keeper", 2),
    "perhaps": ("opt<int32>", 1),
    "spot": ("Spot", None),
    "share": ("float64", 1.5),
    "blob": ("bytes", None),
    "remark": ("opt<Remark>", None),
    "digits": ("list<int32>", None),
    "clips": ("list<Clip>", None),
    "clip": ("Clip", None),
    "tallies": ("map<text, int32>", None),
}
#: Of types that packed rows do not hold.
_RICH: Final = frozenset({"remark", "digits", "clips", "clip", "tallies"})
#: Conditions on a field, whole numbers made of it, and what of it keys can have.
CONDITIONS: Final[dict[str, tuple[str, ...]]] = {
    "amount": ("amount > 0", "amount > 1", "amount != seeds.least", "amount in seeds.some"),
    "caption": ("caption == 'a'",),
    "lit": ("lit", "not lit"),
    "sort": ("sort == bold", "sort != bold", "sort in [plain, bold]"),
    "traits": ("traits has loud", "not (traits has calm)"),
    "perhaps": ("perhaps is present",),
    "spot": ("spot.deep == bold",),
    "remark": ("remark.body == 'a'", "remark is present"),
    "digits": ("1 in digits", "size(digits) > 1"),
    "clip": ("clip.weight > 1", "clip is Sound"),
    "clips": ("1 in clips.weight",),
}
NUMBERS: Final[dict[str, tuple[str, ...]]] = {
    "amount": ("amount", "amount + 1"),
    "sort": ("if sort == bold then 1 else 0",),
    "traits": ("if traits has loud then 2 else 1",),
    "perhaps": ("perhaps // 3",),
    "clip": ("clip.weight",),
    "digits": ("size(digits)",),
    "spot": ("if spot.deep == plain then 1 else 0",),
}
PARTS: Final[dict[str, tuple[str, ...]]] = {
    **{name: (name,) for name in ("amount", "caption", "lit", "mass", "sort", "traits", "keeper", "spot")},
    "perhaps": ("perhaps // 0",),
    "clip": ("clip.weight",),
}
PRIMARY: Final = ("papers", "crates", "leaves")


def pick(draw: Draw, items: Sequence[Any]) -> Any:
    """One of them."""
    return draw(st.sampled_from(items))


def chance(draw: Draw, of: int) -> bool:
    """Whether it is the one time of so many; never is the simplest."""
    return bool(draw(st.integers(0, of - 1)) == of - 1)


def mentions(tree: Any, name: str) -> bool:
    """Whether a text of it has the word."""
    return re.search(rf"\b{name}\b", json.dumps(tree)) is not None


def drawn_schema(draw: Draw, has: Collection[str] = ()) -> Tree:
    """A first version: three tables, and some that follow from them; `has`: those that are there for sure."""
    tree: Tree = {
        "names": {},
        "schema": {"name": NAME, "reserved": [999]},
        "types": _types(),
        "seeds": {"constants": {"least": 1, "some": [0, 2]}},
        "sequences": {"serials": {"id": 90, "type": "int32", "per": {}}},
        "tables": {},
        "operations": {},
    }
    tables = tree["tables"]
    tables["papers"] = {"id": 1, "key": {"board": "uint8", "slot": "uint8"}} | _record(draw, (2, 6))
    tables["crates"] = {"id": 2, "key": {"board": "uint8"}} | _record(draw, (1, 4))
    tables["leaves"] = {"id": 3, "key": {"board": "uint8", "twig": "int32"}} | _record(draw, (1, 3))
    if chance(draw, 4):
        tables["papers"]["key"]["slot"] = {"type": "uint8", "desc": True}
    if chance(draw, 2):
        numbered(tables["crates"], "serial", {"type": "int32", "default": 0, "fill": "serials"})
    if chance(draw, 3):
        tables["leaves"]["owned"] = {"by": "crates", "key": ["board"], "orphans": "skip"}
    for name in RULES:
        if name in has or chance(draw, 3):
            add_derived(draw, tree, name)
    for name in KEPT:
        if name in has or chance(draw, 3):
            add_kept(draw, tree, name)
    return tree


def _types() -> Tree:
    photo = {"width": [1, "int32"], "ref": [2, "int32"]}
    return {
        "Sort": {"enum": {"plain": 0, "bold": 1}},
        "Traits": {"flags": {"loud": 0, "calm": 1}, "type": "uint8"},
        "Keeper": {"id": "int32"},
        "Spot": {
            "packed": "int64",
            "parts": {"deep": {"type": "Sort", "bits": 7}, "far": {"type": "int64", "bits": 56}},
        },
        "Remark": {"record": {"body": [1, "text"], "urgent": {"number": 2, "type": "bool", "default": True}}},
        "Clip": {
            "union": {"Photo": [1, photo], "Sound": [2, {"seconds": [1, "int32"]}]},
            "facets": {
                "weight": {"type": "int32", "of": {"Photo": "width"}},
                "picture": {"type": "opt<int32>", "of": {"Photo": "ref"}},
            },
        },
    }


def _record(draw: Draw, least_most: tuple[int, int]) -> Tree:
    is_packed = chance(draw, 3)
    names = [name for name in FIELDS if not (is_packed and name in _RICH)]
    least, most = least_most
    chosen = draw(st.lists(st.sampled_from(names), min_size=least, max_size=most, unique=True))
    table: Tree = {"record": {}} | ({"layout": "packed"} if is_packed else {})
    for name in chosen:
        type_, default = FIELDS[name]
        has_default = default is not None and not type_.startswith("opt") and chance(draw, 4)
        numbered(table, name, {"type": type_} | ({"default": default} if has_default else {}))
    return table


def numbered(table: Tree, name: str, field: Tree) -> None:
    """Give a table one more field."""
    taken = [*table.get("reserved", ()), *(it["number"] for it in table["record"].values())]
    table["record"][name] = {"number": max(taken, default=0) + 1, **field}


# ------------------------------------------------------------------------------------------ expressions


def _of(pool: dict[str, tuple[str, ...]], table: Tree) -> list[str]:
    """The texts of a pool that the fields of a table allow."""
    return [text for name in table["record"] for text in pool.get(name, ())]


def _when(draw: Draw, table: Tree) -> Tree:
    texts = _of(CONDITIONS, table)
    return {"when": pick(draw, texts)} if texts and chance(draw, 2) else {}


def _part(draw: Draw, table: Tree) -> list[Any]:
    """Parts of a key, or none."""
    texts = _of(PARTS, table)
    if not texts:
        return []
    return [{"rung": {"of": pick(draw, texts), "desc": True} if chance(draw, 4) else pick(draw, texts)}]


def _number(draw: Draw, table: Tree) -> str:
    return str(pick(draw, [*_of(NUMBERS, table), "1", "2"]))


# ------------------------------------------------------------------------------------------ pure words


def _source(draw: Draw, tree: Tree) -> tuple[str, Tree]:
    name = pick(draw, [name for name in PRIMARY if name in tree["tables"]])
    return name, tree["tables"][name]


def _index(draw: Draw, tree: Tree) -> Tree:
    name, table = _source(draw, tree)
    key = [*_part(draw, table), *table["key"]]
    found = {"from": name, **_when(draw, table), "key": key}
    lists = [it for it in table["record"] if it == "digits"]
    if lists and chance(draw, 2):
        found |= {"each": {"one": lists[0]}, "key": ["one", *table["key"]]}
    elif chance(draw, 2):
        found["value"] = {"worth": _number(draw, table)}
    return {"index": found}


def _unique(draw: Draw, tree: Tree) -> Tree:
    name, table = _source(draw, tree)
    key, part = [*reversed(table["key"])], _part(draw, table)
    said = {"from": name, "unique": True, **_when(draw, table)}
    if part and chance(draw, 4):  # depends on rows whether it may be
        return {"index": {**said, "key": part, "value": {it: it for it in key}}}
    return {"index": {**said, "key": key}}


def _looking(draw: Draw, tree: Tree) -> Tree:
    """An index with a row looked up."""
    table, key = tree["tables"]["crates"], [*tree["tables"]["leaves"]["key"]]
    worth = [f"crate.{it}" for it in table["record"] if it in ("amount", "lit", "caption", "sort")]
    condition = {"when": "crate is present"}
    look = {"crate": {"row": f"crates([{key[0]}])", "via": "leaves"}}
    rung = [{"rung": pick(draw, worth)}] if worth and chance(draw, 2) else []
    return {"index": {"from": "leaves", "with": look, **condition, "key": [*rung, *key]}}


def _count(draw: Draw, tree: Tree) -> Tree:
    name, table = _source(draw, tree)
    parts = [*_of(PARTS, table), *table["key"]]
    group = [{"heap": pick(draw, parts)}] if chance(draw, 2) else []
    return {
        "count": {"from": name, **_when(draw, table), "group": group, "sum": {"total": _number(draw, table)}}
    }


def _several(draw: Draw, tree: Tree) -> Tree:
    """A count of rows of two tables."""
    names = ["papers", "leaves"]
    tables = [tree["tables"][name] for name in names]
    shared = [it for it in _of(NUMBERS, tables[0]) if it in _of(NUMBERS, tables[1])]
    board = next(iter(tables[0]["key"]))
    total = {"total": pick(draw, [*shared, "1"])}
    return {"count": {"from": names, "group": [board], "sum": total}}


def _top(draw: Draw, tree: Tree) -> Tree:
    name, table = _source(draw, tree)
    group = [*table["key"]][: len(table["key"]) - 1]
    if chance(draw, 2):
        number = _number(draw, table)
        fold = {"best": f"{pick(draw, ['sum', 'max', 'min'])}({number})"}
        if texts := _of(CONDITIONS, table):
            fold["odd"] = f"{pick(draw, ['count', 'any', 'every'])}({pick(draw, texts)})"
        return {"top": {"of": name, "group": group, "first": pick(draw, [1, 2, 3]), "fold": fold}}
    return {"top": {"of": name, "group": group, "value": {"worth": _number(draw, table)}}}


def _join(draw: Draw, tree: Tree) -> Tree:
    table, other = tree["tables"]["papers"], tree["tables"]["crates"]
    key = [*table["key"]]
    row: Tree = {"worth": _number(draw, table)}
    for name in other["record"]:
        if name in ("amount", "caption", "lit", "remark", "clip"):
            row |= {f"far_{name}": f"crate.{name}"}
    when = {"when": "crate is present"} if chance(draw, 2) else {}
    look = {"crate": {"row": f"crates([{key[0]}])", "via": "papers"}}
    return {"join": {"by": key, "rows": "papers", "with": look, **when, "row": row}}


def _runs(draw: Draw, tree: Tree) -> Tree:
    table = tree["tables"]["papers"]
    same = [it for it in _of(PARTS, table) if "//" not in it] or ["1"]
    board = next(iter(table["key"]))
    return {
        "runs": {"of": "papers", "group": [board], "same": pick(draw, same), "longest": pick(draw, [2, 9])}
    }


def _text(draw: Draw, tree: Tree) -> Tree:
    name, table = _source(draw, tree)
    texts = [it for it in table["record"] if it == "caption"] or ["'a b'"]
    keys = [*table["key"]]
    filters = {"filter": keys[:1]} if chance(draw, 2) else {}
    return {"text": {"from": name, **_when(draw, table), "of": texts[0], **filters}}


def _upon(draw: Draw, tree: Tree) -> Tree:
    """An index over another derived table."""
    over = [name for name, it in tree["tables"].items() if "count" in it and "anchor" not in it["count"]]
    if not over:
        return _index(draw, tree)
    name = pick(draw, over)
    group = tree["tables"][name]["count"]["group"]
    parts = [next(iter(it)) if isinstance(it, dict) else it for it in group]
    when = {"when": f"total > {pick(draw, [0, 1])}"} if chance(draw, 2) else {}
    return {"index": {"from": name, **when, "key": ["total", *parts]}}


#: By the name of a table: its number, and what draws its rule.
RULES: Final[dict[str, tuple[int, Callable[[Draw, Tree], Tree]]]] = {
    "ordered": (10, _index),
    "sorted_too": (11, _index),
    "lone": (12, _unique),
    "seeking": (13, _looking),
    "sums": (14, _count),
    "both_sums": (15, _several),
    "highest": (16, _top),
    "cards": (17, _join),
    "blocks": (18, _runs),
    "found_words": (19, _text),
    "by_total": (20, _upon),
}


def add_derived(draw: Draw, tree: Tree, name: str) -> None:
    """Give a table of a pure word a rule, another one if it has one; only if the tables for it are there."""
    number, rule = RULES[name]
    if "leaves" in tree["tables"] or name not in ("seeking", "both_sums"):
        tree["tables"][name] = {"id": number, **rule(draw, tree)}


# ------------------------------------------------------------------------------------------ kept words


def _seen(draw: Draw, tree: Tree) -> dict[str, Tree]:
    table = tree["tables"]["papers"]
    board, slot = table["key"]
    if isinstance(table["key"][slot], dict):
        return {}  # positions rise
    counts = _of(CONDITIONS, table)
    marker = {
        **{"over": "papers", "group": [board], "by": slot, "marks": ["gone"], "counted": "gone"},
        **({"counts": pick(draw, counts)} if counts else {}),
        **({"default": f"{board} > 0"} if chance(draw, 3) else {}),
        **({"when": f"{board} != 2"} if chance(draw, 3) else {}),
        **{"base": {"count": "unseen"}, "stale": "unsure"},
    }
    return {"seen": {"id": 40, "marker": marker}, "unsure": {"id": 41, "stale": {"of": "seen"}}}


def _told(draw: Draw, tree: Tree) -> dict[str, Tree]:
    name, table = _source(draw, tree)
    anchor = {"given": "said", "stale": "doubted"}
    board = next(iter(table["key"]))
    if chance(draw, 3):
        anchor["when"] = f"{board} != 2"
    sums = {"said": _number(draw, table), "here": "1"}
    count = {"from": name, **_when(draw, table), "group": [board], "sum": sums, "anchor": anchor}
    return {"told": {"id": 42, "count": count}, "doubted": {"id": 43, "stale": {"of": "told"}}}


def _pins(draw: Draw, tree: Tree) -> dict[str, Tree]:
    record = {"hint": {"number": 1, "type": "int32", "default": 0}}
    group = {"wall": "uint8"}
    said = {"group": group, "item": {"who": "uint8"}, "record": record, "places": {"id": 45}}
    return {"pins": {"id": 44, "list": said | ({"limit": 2} if chance(draw, 3) else {})}}


def _gaps(draw: Draw, tree: Tree) -> dict[str, Tree]:
    edges = {"from": 1, "to": pick(draw, [9, 12])} if chance(draw, 2) else {}
    return {"gaps": {"id": 46, "ranges": {"group": {"wall": "uint8"}, "over": {"at": "int32"}, **edges}}}


def _shared(draw: Draw, tree: Tree) -> dict[str, Tree]:
    for name in [it for it in PRIMARY if it in tree["tables"]]:
        fields = tree["tables"][name]["record"]
        if lists := [it for it in fields if it == "clips"]:
            refs = {"from": name, "each": f"{lists[0]} as one", "id": "one.picture", "users": {"id": 48}}
            return {"shared": {"id": 47, "refs": refs}}
    return {}


#: By the name of a table, with those that come with it.
KEPT: Final[dict[str, Callable[[Draw, Tree], dict[str, Tree]]]] = {
    "seen": _seen,
    "told": _told,
    "pins": _pins,
    "gaps": _gaps,
    "shared": _shared,
}


def add_kept(draw: Draw, tree: Tree, name: str) -> None:
    """Give a schema the tables of a kept word, or say their rules anew; they keep their numbers."""
    tree["tables"] |= KEPT[name](draw, tree)
