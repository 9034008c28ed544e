"""Ranges of keys for what queries ask of key parts: what passes is within, and as far as it goes no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from operator import ge, gt, le, lt
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql.datasource import (
    EqualNullSafe,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    IsNotNull,
    LessThan,
    LessThanOrEqual,
    Not,
    StringStartsWith,
)
from tests.property.mutants import HARD, Fault
from tests.property.test_keys import SCALARS, bounds, raws, texts

from pillarbox.codec import misfit
from pillarbox.inspect.keys import KeyCodec
from pillarbox.inspect.shape import StoredLayout
from pillarbox.layout import FORMAT
from pillarbox_spark import key_ranges
from pillarbox_spark.key_ranges import KeyRange, ranges_of

COMPARE: Final[dict[type[Filter], Callable[[Any, Any], bool]]] = {
    GreaterThan: gt, GreaterThanOrEqual: ge, LessThan: lt, LessThanOrEqual: le,
}  # fmt: skip


def layout_of(parts: Sequence[tuple[str, bool]]) -> StoredLayout:
    key = [{"name": f"p{at}", "type": type_, "desc": desc} for at, (type_, desc) in enumerate(parts)]
    table = {"name": "probe", "role": "primary", "layout": "empty", "rule": None, "storage": "tree",
             "key": key, "fields": []}  # fmt: skip
    return StoredLayout({"format": FORMAT, "schema": "probe", "types": {}, "tables": {"1": table}})


def values(scalar: str) -> st.SearchStrategy[Any]:
    """Few, so that filters meet keys."""
    match scalar:
        case "bool":
            return st.booleans()
        case "text":
            return texts
        case "bytes":
            return raws
    low, high = bounds(scalar)
    return st.sampled_from(sorted({low, low + 1, max(low, -1), 0, 1, high - 1, high}))


def asked(scalar: str) -> st.SearchStrategy[Any]:
    """What a filter may compare a part of this scalar with, as Spark tells it."""
    match scalar:
        case "bool" | "text":
            return values(scalar) | st.none()
        case "bytes":
            return raws | raws.map(bytearray) | st.none()
        case "uint64":
            return (values(scalar) | st.just(1 << 64)).map(Decimal) | st.just(Decimal("0.5")) | st.none()
    low, high = bounds(scalar)
    return values(scalar) | st.sampled_from([low - 1, high + 1]) | st.none()


@st.composite
def filters(draw: st.DrawFn, parts: Sequence[tuple[str, bool]]) -> Filter:
    at = draw(st.integers(0, len(parts) - 1))
    column, one = (f"p{at}",), asked(parts[at][0])
    kind = draw(st.sampled_from((EqualTo, EqualNullSafe, In, *COMPARE, None)))
    if kind is None:
        return draw(
            st.sampled_from((IsNotNull(column), Not(EqualTo(column, 1)), StringStartsWith(column, "a")))
        )
    make: Callable[..., Filter] = kind
    return make(column, draw(st.lists(one, max_size=3).map(tuple) if kind is In else one))


def passes(it: Any, key: Sequence[Any]) -> bool:
    """Whether Spark lets a row with this key pass."""
    if isinstance(it, Not):
        child: Any = it.child
        return bool(key[int(child.attribute[0][1:])] != 1)
    value = key[int(it.attribute[0][1:])]
    match it:
        case EqualTo(_, other) | EqualNullSafe(_, other):
            return bool(value == other)
        case In(_, others):
            return value in others
        case StringStartsWith(_, begin):
            return isinstance(value, str) and value.startswith(begin)
        case IsNotNull():
            return True
    other = it.value
    return other is not None and COMPARE[type(it)](value, other)


def telling(parts: Sequence[tuple[str, bool]], asked_for: Sequence[Filter]) -> Iterator[Filter]:
    """The filters that a range of keys can say: values of the first parts, and ends of that behind them."""
    for at, (scalar, _) in enumerate(parts):
        own = [it for it in asked_for if getattr(it, "attribute", None) == (f"p{at}",)]
        named = [it for it in own if isinstance(it, (EqualTo, EqualNullSafe, In))]
        if not named:
            yield from (
                it
                for it in own
                if type(it) in COMPARE and misfit("", scalar, key_ranges._stored(it.value)) is None  # type: ignore[attr-defined]
            )
            return
        yield min(named, key=lambda it: len(it.value) if isinstance(it, In) else 1)


@st.composite
def queries(draw: st.DrawFn) -> tuple[Sequence[tuple[str, bool]], list[Filter], list[tuple[Any, ...]]]:
    """The parts of a key, filters on them, and keys."""
    parts = draw(st.lists(st.tuples(st.sampled_from(SCALARS), st.booleans()), min_size=1, max_size=3))
    keys = st.tuples(*(values(scalar) for scalar, _ in parts))
    return parts, draw(st.lists(filters(parts), max_size=4)), draw(st.lists(keys, max_size=8))


def is_within(it: KeyRange, key: Any) -> bool:
    return (it.low is None or it.low <= key) and (it.high is None or key < it.high)


def check(query: tuple[Sequence[tuple[str, bool]], list[Filter], list[tuple[Any, ...]]]) -> None:
    parts, asked_for, rows = query
    layout = layout_of(parts)
    keys = KeyCodec(layout, layout.tables[1])

    found = ranges_of(keys, layout.tables[1].key, asked_for)

    told = list(telling(parts, asked_for))
    for row in rows:
        ways = sum(1 for it in found if is_within(it, keys.encode(row)))
        assert ways == all(passes(it, row) for it in told)
        assert ways or not all(passes(it, row) for it in asked_for)
    assert all(one.high <= other.low for one, other in pairwise(found))


@settings(max_examples=500)
@given(query=queries())
def test_a_range_holds_what_passes_the_filters_that_it_can_say(query: Any) -> None:
    check(query)


FAULTS = (
    Fault(
        "no end is beyond what it names",
        key_ranges,
        "_narrowed",
        "is_beyond = isinstance",
        "is_beyond = False and isinstance",
    ),
    Fault(
        "the order of a part is not turned around",
        key_ranges,
        "_narrowed",
        "is_low = not part.desc",
        "is_low = True",
    ),
    Fault("what lies above everything is unbounded", key_ranges, "_narrowed", "elif is_low:", "elif False:"),
    Fault(
        "ends are those of all prefixes", key_ranges, "_narrowed", "_under(keys, prefix)", "_under(keys, ())"
    ),
    Fault("the longest list is taken", key_ranges, "_values", "min(named", "max(named"),
    Fault(
        "decimals are no numbers",
        key_ranges,
        "_stored",
        "isinstance(value, Decimal)",
        "isinstance(value, complex)",
    ),
    Fault("null is a value", key_ranges, "_stored", "else value", "else value or 0"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    law = HARD(given(query=queries())(check))
    with fault.planted(), pytest.raises(AssertionError):
        law()


def test_of_too_many_ranges_that_of_what_they_have_in_common_is_taken() -> None:
    layout = layout_of([("int32", False), ("int32", False)])
    keys = KeyCodec(layout, layout.tables[1])
    many = In(("p1",), tuple(range(1_001)))

    (found,) = ranges_of(keys, layout.tables[1].key, [EqualTo(("p0",), 7), many])

    assert found == KeyRange(keys.encode((7,)), keys.encode((8,)))


def test_a_value_that_is_named_twice_is_one_range() -> None:
    layout = layout_of([("int32", False)])

    (found,) = ranges_of(KeyCodec(layout, layout.tables[1]), layout.tables[1].key, [In(("p0",), (7, 7))])

    assert found.high is not None
