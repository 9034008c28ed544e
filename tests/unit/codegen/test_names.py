"""Names of generated things: readable where they can be, never taken twice."""

from __future__ import annotations

import pytest
from tests.unit.codegen.builders import part, table

from pillarbox.transaction import Transaction
from pillarbox_codegen.plan import names, reserved


def methods(*parts: str) -> list[str]:
    return list(names.prefix_methods(table("t", 1, [part(name, "int64") for name in parts])))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["project_id", "number"], ["of_project"]),
        (["project_id", "number", "at", "n"], ["of_project", "of_number", "of_at"]),
        (["project_id", "project", "n"], ["of_project_id", "of_project"]),
        (["a_id", "b", "a_id_id", "n"], ["of_a", "of_b", "of_a_id_id"]),
        (["only"], []),
        ([], []),
    ],
)
def test_prefix_methods_are_named_by_their_last_part(parts: list[str], expected: list[str]) -> None:
    assert methods(*parts) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("FileId", "file_id"), ("HTTPLink", "http_link"), ("A", "a"), ("Link2Go", "link2_go"), ("ABC", "abc")],
)
def test_types_become_snake_case(name: str, expected: str) -> None:
    assert names.snake(name) == expected


def test_a_name_that_generated_code_needs_gets_an_underscore() -> None:
    assert names.class_name("cell") == "Cell_"
    assert names.class_name("index_error") == "IndexError_"
    assert names.type_class("SPEC") == "SPEC_"
    assert [names.pack_function(name) for name in ("FileId", "Import", "Tuple")] == [
        "file_id",
        "import_",
        "tuple_",
    ]
    assert names.type_class("VIEWS") == "VIEWS_"
    assert names.reader_class("cell") == "CellReader"
    assert names.reader_class("table") == "TableReader_"
    assert names.reader_class("ordered") == "OrderedReader_"
    assert names.key_class("stored") == "StoredKey_"
    assert names.field("self") == "self_"
    assert names.key_field("index") == "index_"
    assert names.field("index") == "index"
    assert names.table_attribute("commit") == "commit_"
    assert names.constant("all") == "ALL_"
    assert names.constant("int32_bias") == "INT32_BIAS_"
    assert names.parameter("limit") == "limit_"
    assert names.parameter("options") == "options_"
    assert names.parameter("notes_key", "notes") == "notes_key_"
    assert names.parameter("notes_key", "lines") == "notes_key"


def test_no_table_takes_a_name_of_the_transaction() -> None:
    assert {name for name in dir(Transaction) if not name.startswith("_")} <= reserved.TABLES
