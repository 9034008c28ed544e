"""Drawn schemas as text, with operations that write each of their tables.

Depends on: drawn_schemas.  Never on: the generator, the runtime.
"""

from __future__ import annotations

import json
import re

from tests.property.drawn_schemas import PRIMARY, Tree


def text_of(tree: Tree) -> str:
    """The schema as it is written, with operations for each of its tables."""
    told = json.dumps(_with_operations({word: it for word, it in tree.items() if word != "names"}))
    names: dict[str, str] = tree["names"]
    return re.sub(r"\b[A-Za-z]\w*\b", lambda found: names.get(found[0], found[0]), told)


def _with_operations(tree: Tree) -> Tree:
    """The same with operations that write each of its tables."""
    operations: Tree = {}

    def add(name: str, params: Tree, step: Tree) -> None:
        said = {word: [at, type_] for at, (word, type_) in enumerate(params.items(), 1)}
        operations[name] = {"code": len(operations) + 1, "params": said, "steps": [step]}

    for name, table in tree["tables"].items():
        if name in PRIMARY:
            add(f"put_{name}", {"it": f"row<{name}>"}, {"put": {"into": name, "row": "it"}})
            at = {f"k{place}": "int32" for place in range(len(table["key"]))}
            add(f"remove_{name}", at, {"remove": {"from": name, "at": f"[{', '.join(at)}]"}})
        elif name == "seen":
            base = {"gone": "p", "unseen": "n"}
            add(
                "tell_seen",
                {"g": "uint8", "p": "uint8", "n": "int64"},
                {"anchor": {"table": name, "at": "[g]", "set": base}},
            )
            move = {"table": name, "at": "[g]", "mark": "gone", "to": "p"}
            add("go_on", {"g": "uint8", "p": "uint8"}, {"advance": move})
        elif name == "told":
            add(
                "tell_sum",
                {"g": "uint8", "n": "int64"},
                {"anchor": {"table": name, "at": "[g]", "set": {"said": "n"}}},
            )
        elif name in ("unsure", "doubted"):
            add(f"settle_{name}", {"g": "uint8"}, {"confirm": {"table": name, "at": "[g]"}})
        elif name == "pins":
            step = {
                "place": {"list": name, "group": "[g]", "item": "w", "at": "end", "record": {"hint": "w"}}
            }
            add("pin", {"g": "uint8", "w": "uint8"}, step)
        elif name == "gaps":
            step = {"add_range": {"table": name, "at": "[g]", "range": "[low, high]"}}
            add("open_gap", {"g": "uint8", "low": "int32", "high": "int32"}, step)
    return tree | {"operations": operations}
