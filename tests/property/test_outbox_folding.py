"""Wishes of a group that both wait become what the schema says of them.

Law. After any sequence of wishes, tries and wishes taken back, what waits of a kind is what a plain list of
payloads per group says: all of them, the newest, one that every rule was applied to, or none where two cancel
each other out and nothing was tried. Numbers grow and are never given twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.property.folding_world import folding_store
from tests.property.fresh import fresh_box
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore
from tests.property.test_bulk import IN_MEMORY

from pillarbox_codegen import outbox_entries

_PAYLOAD: Final = (
    "{g: [1, int32], n: [2, int32], items: [3, list<int32>], more: [4, list<int32>], high: [5, int32], "
    "low: [6, int32], lit: [7, bool], was: [8, opt<int32>], had: {number: 9, type: opt<int32>}}"
)
_RULES: Final = {
    "added": "append",
    "set": "replace",
    "joined": "{fold: {n: first, items: union, more: concat, high: max, low: min, was: first, had: first}}",
    "switched": "{cancel: lit}",
    "turned": "{cancel: lit, fold: {was: first, had: first}}",
}
TEXT: Final = "\n".join(
    [
        "schema: {name: NAME, doc: What is wished.}",
        "tables:",
        "  lines: {id: 1, key: {a: int32}, record: {x: [1, int64]}}",
        "requests:",
        "  ask: {code: 1, fields: {n: [1, int32]}, answers: [done]}",
        "answers:",
        "  done: {code: 2}",
        "outbox:",
        "  table: {id: 140, groups: 141, numbers: 142, cancel: 90}",
        *(
            f"  {name}: {{code: {50 + place}, payload: {_PAYLOAD}, per: [g], same: {rule}, unique: none, "
            "request: ask, with: {n: n}}"
            for place, (name, rule) in enumerate(_RULES.items())
        ),
    ]
)
_few: Final = st.integers(0, 2)
payloads = st.fixed_dictionaries(
    {
        **dict.fromkeys(("g", "n", "high", "low"), _few),
        "items": st.lists(_few, max_size=2, unique=True).map(tuple),
        "more": st.lists(_few, max_size=2).map(tuple),
        "lit": st.booleans(),
        **dict.fromkeys(("was", "had"), st.none() | _few),
    }
)
#: One step of a history.
Steps: TypeAlias = st.SearchStrategy[tuple[str, Any]]
#: A kind and a payload; "try" and a row that waits; "take back" and one.
steps = st.one_of(
    st.tuples(st.sampled_from(tuple(_RULES)), payloads),
    st.tuples(st.sampled_from(tuple(_RULES)), payloads),
    st.tuples(st.sampled_from(("try", "take back")), st.integers(0, 5)),
)
#: Of one group, of which the kind that cancels has most to say.
switches = st.one_of(
    st.tuples(st.just("switched"), payloads.map(lambda it: {**it, "g": 0})),
    st.tuples(st.just("try"), st.just(0)),
)


@dataclass
class Wish:
    """What waits."""

    kind: str
    number: int
    payload: dict[str, Any]
    tried: bool = False


@dataclass
class Waiting:
    """The model: what waits, in order."""

    wishes: list[Wish] = field(default_factory=list)
    last: int = 0

    def wish(self, kind: str, payload: dict[str, Any]) -> None:
        """Add it, or let it become one with what waits of its group."""
        same = [it for it in self.wishes if it.kind == kind and it.payload["g"] == payload["g"]]
        if kind == "added" or not same:
            self.last += 1
            self.wishes.append(Wish(kind, self.last, payload))
        elif kind == "joined":
            same[-1].payload = joined(same[-1].payload, payload)
        elif (
            kind in ("switched", "turned")
            and same[-1].payload["lit"] != payload["lit"]
            and not same[-1].tried
        ):
            self.wishes.remove(same[-1])
        elif kind == "turned":
            same[-1].payload = {**payload, **{name: same[-1].payload[name] for name in ("was", "had")}}
        else:
            same[-1].payload = payload


def joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Each field by its rule; `lit` and `g` are the newer ones."""
    return {
        **new,
        **{name: old[name] for name in ("n", "was", "had")},
        "items": tuple(dict.fromkeys((*old["items"], *new["items"]))),
        "more": old["more"] + new["more"],
        "high": max(old["high"], new["high"]),
        "low": min(old["low"], new["low"]),
    }


def law_of(store: RandomStore, hard: settings, some: Steps = steps) -> None:
    """The law, for one printed schema."""
    name = f"pillarbox_{store.schema.name}"
    operations, views = import_module(f"{name}.operations"), import_module(f"{name}.views")

    @hard
    @given(st.lists(some, max_size=12))
    def law(history: Sequence[tuple[str, Any]]) -> None:
        model = Waiting()
        with (
            TemporaryDirectory(dir=IN_MEMORY) as folder,
            fresh_box(Path(folder, "a.box"), store.package) as box,
        ):
            for what, how in history:
                if what in _RULES:
                    model.wish(what, how)
                    box.replay([getattr(operations, f"Enqueue{what.title()}")(**how)])
                elif how < len(model.wishes):
                    one = model.wishes[how]
                    code = 50 + tuple(_RULES).index(one.kind)
                    if what == "try":
                        one.tried = True
                        with box.transaction() as tx:
                            tx.outbox.put(replace(tx.outbox.get(code, one.number), tried=True))
                    else:
                        model.wishes.remove(one)
                        box.replay([operations.CancelOutgoing(kind=code, number=one.number)])
                check(model, box.get(views.OutboxRows(limit=50)))

    law()


def check(model: Waiting, shown: Any) -> None:
    """What waits is what should."""
    for kind in _RULES:
        rows = getattr(shown, kind)
        waits = [it for it in model.wishes if it.kind == kind]
        assert [row.number for row in rows] == [it.number for it in waits], kind
        for row, one in zip(rows, waits, strict=True):
            assert {name: getattr(row.payload, name) for name in one.payload} == one.payload, kind


def test_wishes_that_wait_become_what_the_schema_says() -> None:
    store = folding_store("wished", TEXT)

    law_of(store, settings())
    law_of(store, settings(), switches)


# -------------------------------------------------------------------------------------- planted faults

#: Each with what it is found by soon.
FAULTS: Final = (
    (Fault("what is folded is the newer one", outbox_entries, "_folded",
           "found[key.value] = rule", "found[key.value] = key.value or rule"), steps),
    (Fault("one wish is folded with itself", outbox_entries, "_folded",
           "_FOLDS[word := text_value(value)]",
           "_FOLDS[word := text_value(value)].replace('{old} + ', '{new} + ')"), steps),
    (Fault("what was tried vanishes", outbox_entries, "_enqueue", " and not old.tried", ""), switches),
    (Fault("what is left out is not said first", outbox_entries, "_may_be_absent",
           'startswith("opt<")', "isdigit()"), steps),
    (Fault("tries are forgotten", outbox_entries, "_enqueue", '"old.tried // false"', '"false"'), switches),
    (Fault("each wish has a number of its own", outbox_entries, "_enqueue",
           '"old.number // 0"', '"0"'), steps),
)  # fmt: skip


def law_both(store: RandomStore, soon: Steps) -> None:
    """First where the fault is found soon."""
    law_of(store, HARD, soon)
    law_of(store, HARD, steps if soon is switches else switches)


@pytest.mark.parametrize(("fault", "soon"), FAULTS, ids=[str(it) for it, _ in FAULTS])
def test_a_planted_fault_is_found(fault: Fault, soon: Steps) -> None:
    with fault.planted():
        store = folding_store(f"wished_{[it for it, _ in FAULTS].index(fault)}", TEXT)

    with pytest.raises(AssertionError):
        law_both(store, soon)
