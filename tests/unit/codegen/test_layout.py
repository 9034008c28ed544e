"""The layout: what changes stored bytes changes it, and nothing else does."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.unit.codegen.builders import NOWHERE, field, part, schema, table

from pillarbox.layout import compare
from pillarbox_codegen import model
from pillarbox_codegen.generate import frame_of
from pillarbox_codegen.plan import layout

STATE = model.EnumType("State", model.Scalar("uint8"), (("open", 0), ("closed", 2)))
LINK = model.RecordType("Link", (field(1, "url", "text"),))
UNUSED = model.IdType("Unused", model.Scalar("int64"))


def make(
    *,
    doc: str = "",
    state: model.EnumType = STATE,
    link: model.RecordType = LINK,
    desc: bool = False,
    storage: str = "clustered",
    when: model.Expr | None = None,
    unused: model.IdType = UNUSED,
) -> model.Schema:
    issues = table(
        "issues",
        7,
        [part("at", "int64", desc=desc), part("n", "int32")],
        [
            field(1, "state", model.Named("State"), default="open"),
            field(3, "links", model.ListOf(model.Named("Link"))),
        ],
        reserved=(2,),
        doc=doc,
        storage="heap" if storage == "heap" else "clustered",
    )
    rule = model.Index(
        "issues",
        (),
        when,
        tuple(
            model.NamedExpr(name, model.Local(name, "field", model.Scalar("int64"))) for name in ("n", "at")
        ),
        (),
        "no",
    )
    by_n = table("by_n", 8, [part("n", "int32"), part("at", "int64")], role="derived", rule=rule)
    return schema("probe", types=[state, link, unused], tables=[issues, by_n])


def is_state(value: str) -> model.Expr:
    local = model.Local("state", "field", model.Named("State"))
    return model.Binary(
        "==", local, model.EnumValue("State", value, model.Named("State")), model.Scalar("bool")
    )


def test_the_module_holds_the_canonical_text_and_its_hash() -> None:
    declared = make(when=is_state("closed"))
    module = layout.outputs(declared, frame_of(declared))["layout.py"]

    names: dict[str, str] = {}
    exec(compile(ast.parse(module), "layout.py", "exec"), names)

    assert names["LAYOUT"] == layout.canonical(layout.layout_tree(declared))
    assert names["LAYOUT_HASH"] == hashlib.sha256(names["LAYOUT"].encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    "other",
    [
        lambda: make(doc="A doc."),
        lambda: make(unused=model.IdType("Unused", model.Scalar("text"))),
    ],
    ids=["docs", "a type that no table holds"],
)
def test_what_changes_no_stored_byte_is_not_in_it(other: Callable[[], model.Schema]) -> None:
    assert layout.layout_tree(other()) == layout.layout_tree(make())


@pytest.mark.parametrize(
    "other",
    [
        lambda: make(desc=True),
        lambda: make(storage="heap"),
        lambda: make(state=model.EnumType("State", model.Scalar("uint16"), STATE.values)),
        lambda: make(state=model.EnumType("State", model.Scalar("uint8"), (("open", 0), ("closed", 3)))),
        lambda: make(
            link=model.RecordType("Link", (field(1, "url", "text"), field(2, "size", "int8", default=1)))
        ),
        lambda: make(when=is_state("open")),
    ],
    ids=["direction", "storage", "base", "number of a value", "field of a record", "condition of an index"],
)
def test_what_changes_stored_bytes_or_rows_is_in_it(other: Callable[[], model.Schema]) -> None:
    assert layout.layout_tree(other()) != layout.layout_tree(make())


def test_constants_of_a_rule_are_in_it_by_value() -> None:
    def condition(value: int) -> model.Expr:
        local = model.Local("n", "field", model.Scalar("int32"))
        return model.Binary(
            "<", local, model.Constant("limit", value, model.Scalar("int32")), model.Scalar("bool")
        )

    assert layout.layout_tree(make(when=condition(1))) != layout.layout_tree(make(when=condition(2)))


def test_places_are_not_in_it() -> None:
    assert NOWHERE.file not in layout.canonical(layout.layout_tree(make()))


def test_defaults_are_stored_values() -> None:
    fields = layout.layout_tree(make())["tables"]["7"]["fields"]

    assert fields == [
        {"number": 1, "name": "state", "type": "State", "default": 0},
        {"number": 3, "name": "links", "type": "list<Link>", "default": []},
    ]


def test_an_upgrade_that_makes_a_table_again_is_another_rule_of_it_alone() -> None:
    upgraded = replace(make(), rebuilds={"by_n": 4})

    before, after = layout.layout_tree(make()), layout.layout_tree(upgraded)

    changed = compare(before, after)
    assert [before["tables"][str(number)]["name"] for number in changed.rebuild] == ["by_n"]
    assert not changed.reasons()
