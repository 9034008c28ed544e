"""Changes between two versions of a drawn schema, each with what the docs say becomes of a box.

Depends on: drawn_schemas.  Never on: how schemas are compared, and on what opening does.

The fates are those of the table in docs/schema/tables.md, `When the schema changes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Final, Literal, TypeAlias

from hypothesis import strategies as st
from tests.property.drawn_schemas import (
    FIELDS,
    KEPT,
    PRIMARY,
    RULES,
    Draw,
    Tree,
    add_derived,
    add_kept,
    chance,
    mentions,
    numbered,
    pick,
)

#: What becomes of a box. `names`: opens as it is; `quiet`: brought along, and nothing that was there is made
#: again; `taken`: brought along; `newer`: read only; `refused`; `none`: there was nothing to change.
Fate: TypeAlias = Literal["names", "quiet", "taken", "newer", "refused", "none"]
Edit: TypeAlias = Callable[[Draw, Tree], Fate]

_WORDS: Final = (
    *FIELDS,
    *("papers", "crates", "leaves", "board", "slot", "twig", "serials", "seen", "told", "unsure", "pins"),
    *("Sort", "Traits", "Keeper", "Spot", "Remark", "Clip", "Photo", "Sound", "width", "ref", "deep", "body"),
    *("plain", "bold", "loud", "calm", "weight", "total", "worth", "rung", "ordered", "sums", "cards"),
)


def _a_table(draw: Draw, tree: Tree) -> Tree:
    found: Tree = tree["tables"][pick(draw, [name for name in PRIMARY if name in tree["tables"]])]
    return found


def _is_packed(table: Tree) -> bool:
    return table.get("layout") == "packed"


def _rules_again(draw: Draw, tree: Tree, word: str) -> bool:
    """Other rules for tables that name what is gone; whether there are none of them any more."""
    for _ in range(8):
        named = [name for name in (*RULES, *KEPT) if mentions(tree["tables"].get(name), word)]
        if not named:
            return True
        for name in named:
            (add_derived if name in RULES else add_kept)(draw, tree, name)
    return False


# ------------------------------------------------------------------------------------------------ fields


def add_field(draw: Draw, tree: Tree) -> Fate:
    """One more field, mostly with something for the rows that are there."""
    table = _a_table(draw, tree)
    names = [it for it in FIELDS if it not in table["record"]]
    if _is_packed(table):
        names = [it for it in names if FIELDS[it][0][0].islower() and "<" not in FIELDS[it][0]] + ["perhaps"]
    names = [it for it in names if it not in table["record"]]
    if not names:
        return "none"
    type_, default = FIELDS[name := pick(draw, names)]
    says_it = default is not None and not chance(draw, 5)
    if type_.startswith("opt"):
        says_it = says_it and chance(draw, 3)
    numbered(table, name, {"type": type_} | ({"default": default} if says_it else {}))
    if type_.startswith("opt"):
        return "refused" if says_it and _is_packed(table) else "quiet"
    return "quiet" if says_it or type_.startswith(("list", "map")) else "refused"


def drop_field(draw: Draw, tree: Tree) -> Fate:
    """A field less, its number reserved."""
    table = _a_table(draw, tree)
    names = [it for it in table["record"] if not (it == "clips" and "shared" in tree["tables"])]
    if len(table["record"]) < 2 or not names:
        return "none"
    gone = table["record"].pop(name := pick(draw, names))
    table.setdefault("reserved", []).append(gone["number"])
    if not _rules_again(draw, tree, name):
        return "none"
    return "refused" if _is_packed(table) else "taken"


def retype_field(draw: Draw, tree: Tree) -> Fate:
    """Another type under the same number; an id and what it stands for are one."""
    table = _a_table(draw, tree)
    others = {"amount": "int64", "mass": "uint8", "keeper": "int32", "sort": "int32", "perhaps": "int32"}
    others |= {"lit": "int8", "clip": "Remark"}
    names = [it for it in table["record"] if it in others]
    if not names:
        return "none"
    field = table["record"][name := pick(draw, names)]
    if field["type"] != FIELDS[name][0]:
        return "none"
    field["type"] = others[name]
    field.pop("default", None) if name != "keeper" else None
    return "taken" if name == "keeper" else "refused"


def make_optional(draw: Draw, tree: Tree) -> Fate:
    """What had to be there may be absent."""
    table = _a_table(draw, tree)
    field = table["record"][pick(draw, list(table["record"]))]
    if field["type"].startswith(("opt", "list", "map")) or "fill" in field:
        return "none"
    field.pop("default", None)
    field["type"] = f"opt<{field['type']}>"
    return "refused"


def change_default(draw: Draw, tree: Tree) -> Fate:
    """Another default, or none any more: rows may lack the field."""
    table = _a_table(draw, tree)
    others: Tree = {"amount": 5, "caption": "", "mass": 0, "lit": False, "share": 0.0, "sort": "plain"}
    names = [it for it, field in table["record"].items() if "default" in field and it in others]
    if not names:
        return "none"
    field = table["record"][name := pick(draw, names)]
    if chance(draw, 3):
        del field["default"]
    elif field["default"] == others[name]:
        return "none"
    else:
        field["default"] = others[name]
    return "refused"


def reorder_fields(draw: Draw, tree: Tree) -> Fate:
    """The same fields, written in another order."""
    table = _a_table(draw, tree)
    table["record"] = dict(reversed(table["record"].items()))
    return "names"


def change_key(draw: Draw, tree: Tree) -> Fate:
    """Another order, direction or type of key parts."""
    table = tree["tables"][pick(draw, [it for it in ("papers", "leaves") if it in tree["tables"]])]
    first, last = table["key"]
    how = pick(draw, ("order", "direction", "type"))
    if how == "order":
        table["key"] = {last: table["key"][last], first: table["key"][first]}
    elif how == "direction":
        part = table["key"][last]
        table["key"][last] = part["type"] if isinstance(part, dict) else {"type": part, "desc": True}
    else:
        table["key"][first] = "uint16"
    return "refused"


def change_layout(draw: Draw, tree: Tree) -> Fate:
    """Rows in other bytes, or another kind of table."""
    table = _a_table(draw, tree)
    if _is_packed(table):
        del table["layout"]
    else:
        table["storage"] = "heap"
    return "refused"


def fill_anew(draw: Draw, tree: Tree) -> Fate:
    """A field is numbered that was not, or no more, or by another sequence."""
    field = tree["tables"]["crates"]["record"].get("serial")
    if field is None:
        return "none"
    if "fill" not in field:
        field["fill"] = "serials"
    elif chance(draw, 2):
        del field["fill"]
    elif tree["sequences"]["serials"]["id"] == 90:
        tree["sequences"]["serials"]["id"] = 91
        tree["schema"]["reserved"].append(90)
    return "taken"


# ------------------------------------------------------------------------------------------------ types


def rename(draw: Draw, tree: Tree) -> Fate:
    """Other names, of which two may change places where a type has both."""
    names = tree["names"]
    if chance(draw, 4) and not any(it in names for it in ("bold", "plain")):
        names |= {"bold": "plain", "plain": "bold"}
        return "names"
    for word in draw(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4, unique=True)):
        names[word] = names.get(word, word) + "q"
    return "names"


def grow_type(draw: Draw, tree: Tree) -> Fate:
    """A value, bit, case or field more."""
    types = tree["types"]
    how = pick(draw, ("value", "bit", "case", "field", "case field"))
    if how == "value":
        types["Sort"]["enum"].setdefault("wide", 2)
    elif how == "bit":
        types["Traits"]["flags"].setdefault("rare", 5)
    elif how == "case":
        types["Clip"]["union"].setdefault("Film", [3, {"title": [1, "text"]}])
    elif how == "field":
        types["Remark"]["record"].setdefault("extra", {"number": 3, "type": "int32", "default": 4})
    else:
        new = {"number": 3, "type": "text", "default": "t"}
        types["Clip"]["union"]["Photo"][1].setdefault("tint", new)
    return "quiet"


def shrink_type(draw: Draw, tree: Tree) -> Fate:
    """A field of a record less, its number reserved."""
    remark = tree["types"]["Remark"]
    if "urgent" not in remark["record"] or not mentions(tree["tables"], "Remark"):
        return "none"
    del remark["record"]["urgent"]
    remark["reserved"] = [2]
    return "taken"


def lose_value(draw: Draw, tree: Tree) -> Fate:
    """A value or a case less, which rows may have."""
    types = tree["types"]
    if "wide" in types["Sort"]["enum"] and mentions(tree["tables"], "Sort"):
        del types["Sort"]["enum"]["wide"]
    elif "Film" in types["Clip"]["union"] and mentions(tree["tables"], "Clip"):
        del types["Clip"]["union"]["Film"]
    else:
        return "none"
    return "newer"


def swap_numbers(draw: Draw, tree: Tree) -> Fate:
    """Two names of a type stand for what the other stood for, and rules say what they said."""
    held = pick(draw, (tree["types"]["Sort"]["enum"], tree["types"]["Traits"]["flags"]))
    one, other = list(held)[:2]
    held[one], held[other] = held[other], held[one]
    fields = [field for name in PRIMARY if name in tree["tables"] for field in _fields(tree, name)]
    has_default = any(field.get("default") in (one, other) for field in fields)
    return "refused" if has_default else "taken"


def _fields(tree: Tree, name: str) -> list[Any]:
    return list(tree["tables"][name]["record"].values())


def change_facet(draw: Draw, tree: Tree) -> Fate:
    """Values answer otherwise."""
    facet = tree["types"]["Clip"]["facets"]["weight"]["of"]
    facet["Sound"] = "seconds"
    facet["Photo"] = pick(draw, ("width", "ref"))
    return "taken"


def change_constant(draw: Draw, tree: Tree) -> Fate:
    """Another number where rules name a constant."""
    tree["seeds"]["constants"] = {"least": draw(st.integers(0, 2)), "some": [0, draw(st.integers(1, 2))]}
    return "taken"


# ------------------------------------------------------------------------------------------------ tables


def another_rule(draw: Draw, tree: Tree) -> Fate:
    """Of a table that is there, as if it had just been thought of."""
    names = [it for it in RULES if it in tree["tables"]]
    if not names:
        return "none"
    add_derived(draw, tree, pick(draw, names))
    return "taken"


def another_count(draw: Draw, tree: Tree) -> Fate:
    """Another rule of what counts on from a server's base."""
    names = [it for it in ("seen", "told") if it in tree["tables"]]
    if not names:
        return "none"
    add_kept(draw, tree, pick(draw, names))
    return "taken"


def another_table(draw: Draw, tree: Tree) -> Fate:
    """One more, of any word."""
    given_up = tree["schema"]["reserved"]
    names = [it for it in RULES if it not in tree["tables"] and RULES[it][0] not in given_up]
    names += [it for it in KEPT if it not in tree["tables"] and KEPT_NUMBERS[it][0] not in given_up]
    if not names:
        return "none"
    name = pick(draw, names)
    (add_derived if name in RULES else add_kept)(draw, tree, name)
    return "taken" if name == "shared" else "quiet"  # rows are written anew


#: The numbers that a kept word takes.
KEPT_NUMBERS: Final = {
    "seen": (40, 41),
    "told": (42, 43),
    "pins": (44, 45),
    "gaps": (46,),
    "shared": (47, 48),
}


def give_up_table(draw: Draw, tree: Tree) -> Fate:
    """One less; its number is reserved, or else the box is that of a newer package."""
    tables = tree["tables"]
    names = [it for it in (*RULES, *KEPT) if it in tables and it != "shared"]
    if not names:
        return "none"
    name = pick(draw, names)
    numbers = KEPT_NUMBERS.get(name, (tables[name]["id"],))
    for each in [it for it, table in tables.items() if table["id"] in numbers]:
        del tables[each]
    if mentions(tables, name):
        for other in [it for it in RULES if mentions(tables.get(it), name)]:
            add_derived(draw, tree, other)
    if chance(draw, 4):
        return "newer"
    tree["schema"]["reserved"] += numbers
    return "taken"


def move_doubts(draw: Draw, tree: Tree) -> Fate:
    """The table of doubts has another number."""
    tables = tree["tables"]
    names = [it for it in ("unsure", "doubted") if it in tables and tables[it]["id"] < 50]
    if not names:
        return "none"
    table = tables[pick(draw, names)]
    tree["schema"]["reserved"].append(table["id"])
    table["id"] += 10
    return "taken"


def other_ends(draw: Draw, tree: Tree) -> Fate:
    """Ranges go elsewhere, a list is longer or shorter."""
    tables = tree["tables"]
    if "gaps" in tables:
        tables["gaps"]["ranges"] |= {"from": draw(st.integers(1, 3)), "to": draw(st.integers(4, 12))}
    if "pins" in tables:
        tables["pins"]["list"]["limit"] = draw(st.integers(1, 3))
    return "taken"


def own_no_more(draw: Draw, tree: Tree) -> Fate:
    """Rows may stay without their owner."""
    return "none" if tree["tables"]["leaves"].pop("owned", None) is None else "taken"


EDITS: Final[tuple[Edit, ...]] = (
    *(
        add_field,
        add_field,
        drop_field,
        drop_field,
        rename,
        rename,
        another_rule,
        another_rule,
        another_count,
    ),
    *(another_table, another_table, give_up_table, swap_numbers, change_facet, change_constant, grow_type),
    *(shrink_type, lose_value, reorder_fields, fill_anew, move_doubts, other_ends, own_no_more),
    *(retype_field, make_optional, change_default, change_key, change_layout),
)


def drawn_edit(draw: Draw, tree: Tree, edits: Sequence[Edit] = EDITS) -> tuple[Tree, Fate]:
    """Another version, and what becomes of a box of this one."""
    after = deepcopy(tree)
    return after, pick(draw, edits)(draw, after)
