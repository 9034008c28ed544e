"""Bags, patches and unions with facets: what was encoded is what is decoded, here and by older packages."""

from __future__ import annotations

import pickle
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.property.law_machine import package_of
from tests.property.test_upsert import bags, few, flags, items, numbers, texts, things

from pillarbox.codec import (
    PatchAdd,
    PatchFlags,
    PatchMax,
    PatchMin,
    PatchSet,
    PatchUnset,
    RecordCodec,
    Unknown,
    patched,
)

#: Cases that only a newer package writes.
unknown = st.tuples(st.integers(50, 60), texts).map(
    lambda case: Unknown(case[0], msgspec.msgpack.encode(case))
)


def package() -> Any:
    return package_of("upsert")


@st.composite
def rows(draw: st.DrawFn) -> Any:
    item = draw(items())
    given_fields = {name: getattr(item, name) for name in item.__dataclass_fields__}
    row = package().types.Stock(shelf=draw(few), item=draw(few), **given_fields)
    if draw(st.booleans()):
        row = msgspec.structs.replace(row, notes=(*row.notes, draw(unknown)), thing=draw(unknown))
    return row


@st.composite
def patches(draw: st.DrawFn) -> Any:
    def of(*changes: st.SearchStrategy[Any]) -> Any:
        return draw(st.none() | st.one_of(*changes))

    unset, add = st.just(PatchUnset()), st.builds(PatchAdd, numbers)
    return package().types.PatchStock(
        thing=of(st.builds(PatchSet, things() | unknown)),
        marks=of(st.builds(PatchSet, flags), unset, st.builds(PatchFlags, flags, flags)),
        count=of(
            st.builds(PatchSet, st.none() | numbers), unset, add,
            st.builds(PatchMax, numbers), st.builds(PatchMin, numbers),
        ),
        notes=of(st.builds(PatchSet, bags()), unset),
        things=of(st.builds(PatchSet, st.lists(things(), max_size=2).map(tuple)), unset),
        tag=of(st.builds(PatchSet, st.none() | texts), unset),
    )  # fmt: skip


@given(rows())
def test_rows_come_back_as_they_were(row: Any) -> None:
    codec = RecordCodec(package().types.Stock, "stock")

    assert codec.decode(codec.encode(row)) == row
    assert pickle.loads(pickle.dumps(row)) == row


@given(patches(), st.booleans())
def test_patches_come_back_as_they_were(patch: Any, in_operation: bool) -> None:
    codec = RecordCodec(package().types.PatchStock, "patch")
    operations = package().operations

    if in_operation:
        operation = operations.Given(shelf=1, item=2, changes=patch)
        assert operations.decode_operation(operations.encode_operation(operation)) == operation
    assert codec.decode(codec.encode(patch)) == patch
    assert pickle.loads(pickle.dumps(patch)) == patch


@given(rows(), patches())
def test_a_patch_that_was_sent_does_what_it_did_before(row: Any, patch: Any) -> None:
    codec = RecordCodec(package().types.PatchStock, "patch")

    sent = codec.decode(codec.encode(patch))

    assert patched(row, sent) == patched(row, patch)
    for name in patch.__struct_fields__:
        if getattr(patch, name) is None:
            assert getattr(patched(row, sent), name) == getattr(row, name)
