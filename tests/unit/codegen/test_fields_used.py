"""What of a looked-up row an expression uses."""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.walk import fields_used

INT = model.Scalar("int32")
ROW = model.Optional(model.RowOf("things"))
THING = model.Local("thing", "local", ROW)
OTHER = model.Local("other", "local", INT)
FLAG = model.Scalar("bool")


def test_a_field_of_the_row_is_used() -> None:
    assert fields_used(model.Path(THING, "size", INT), "thing") == {"size"}


def test_fields_are_collected_however_deep() -> None:
    name = model.Path(model.Path(THING, "owner", ROW), "name", INT)
    exprs = (model.Path(THING, "size", INT), (name, OTHER))

    assert fields_used(exprs, "thing") == {"size", "owner"}


def test_whether_there_is_a_row_uses_no_field() -> None:
    assert fields_used(model.Is(THING, "present", None, FLAG), "thing") == set()
    assert fields_used(model.Is(THING, "none", None, FLAG), "thing") == set()


def test_a_row_as_a_whole_uses_all_of_it() -> None:
    assert fields_used(THING, "thing") is None
    assert fields_used((model.Path(THING, "size", INT), THING), "thing") is None
    assert fields_used(model.Is(THING, "case", "Big", FLAG), "thing") is None


def test_other_names_use_nothing() -> None:
    assert fields_used((OTHER, model.Path(OTHER, "size", INT)), "thing") == set()
