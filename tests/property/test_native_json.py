"""The scanner of JSON finds what a parser finds, by whichever path and wherever the text is cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native_support import native, need_compiler, outcome, portable
from tests.property.native_worlds import PYTHON

from pillarbox.native.json_ranges import JsonPath, JsonRange, RangeKind, Splitter


@pytest.fixture(autouse=True)
def _compiler() -> None:
    need_compiler()


PATHS: list[tuple[JsonPath, ...]] = [
    (("a",),),
    ((),),
    (("a", "b"), ("b",)),
    (("a", None, "b"), ("b", None, "b"), ("aa",)),
    (("a", None),),
]
# Texts whose last backslashes and quote lie about where a block of 64 bytes ends.
edges = st.builds(lambda ahead, run: "x" * ahead + "\\" * run + '"', st.integers(40, 66), st.integers(0, 3))
strings = edges | st.sampled_from(["", "a", "b", "]}", '"', "\\", "{[" * 40, "é\n"])
leaves = st.none() | st.booleans() | st.integers(-1, 12) | strings
documents = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "aa", "c", ""]), inner, max_size=4)
    ),
    max_leaves=25,
)
chasms = st.builds(
    lambda deep, inside: b"[" * deep + inside + b"]" * deep,
    st.integers(508, 514),
    st.sampled_from([b"1", b'"]\\""', b"{]", b"{"]),
)
rooted = st.fixed_dictionaries({"a": documents, "b": documents}) | documents
tokens = st.sampled_from(
    [b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b" ", b"1", b'"a"', b'"b":[', b"\x1f"]
)


@st.composite
def texts_of_json(draw: st.DrawFn, *, whole: bool) -> bytes:
    """A document, minified or indented; unless `whole` with up to three tokens put in or bytes taken out.

    In some of those each null is a value that is nested about as deep as brackets are compared.
    """
    indent = draw(st.sampled_from([None, 1, 20]))
    text = json.dumps(draw(rooted), indent=indent, ensure_ascii=draw(st.booleans())).encode()
    for _ in range(0 if whole else draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(tokens | st.just(b"")) + text[at + draw(st.integers(0, 2)) :]
    return text if whole else text.replace(b"null", draw(st.just(b"null") | chasms))


def scan(splitter: Splitter, text: bytes, cuts: list[int]) -> object:
    """All ranges, the fault that stopped the scan, and how it ended."""
    found: list[JsonRange] = []
    for begin, end in pairwise([0, *sorted(cuts), len(text)]):
        found += splitter.feed(text[begin:end])
    ended = outcome(lambda: list(splitter.finish()))
    return found, splitter.fault and outcome(lambda: raise_(splitter.fault)), ended


def raise_(error: Exception | None) -> None:
    assert error is not None
    raise error


SPLITTERS: list[Callable[[tuple[JsonPath, ...]], Splitter]] = [
    lambda paths: PYTHON.splitter(paths),
    lambda paths: native().splitter(paths),
    lambda paths: portable().splitter(paths),
]


@given(st.data(), texts_of_json(whole=False), st.sampled_from(PATHS))
def test_ranges_do_not_depend_on_the_path_taken_nor_on_where_the_text_is_cut(
    data: st.DataObject, text: bytes, paths: tuple[JsonPath, ...]
) -> None:
    expected = scan(PYTHON.splitter(paths), text, [])

    for splitter in SPLITTERS:
        cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=4))
        assert scan(splitter(paths), text, cuts) == expected
        assert scan(splitter(paths), text, []) == expected


def elements(value: Any, path: JsonPath) -> list[Any]:
    """The elements that a path leads to, by the standard library's parser."""
    if not path:
        return value if isinstance(value, list) else []
    if path[0] is None:
        inner = value if isinstance(value, list) else []
        return [found for one in inner for found in elements(one, path[1:])]
    return elements(value[path[0]], path[1:]) if isinstance(value, dict) and path[0] in value else []


@given(texts_of_json(whole=True), st.sampled_from(PATHS))
def test_the_ranges_hold_the_elements_that_a_parser_finds(text: bytes, paths: tuple[JsonPath, ...]) -> None:
    for make in SPLITTERS:
        splitter = make(paths)
        ranges = [*splitter.feed(text), *splitter.finish()]
        for number, path in enumerate(paths):
            spans = [one for one in ranges if one.kind == RangeKind.ELEMENT and one.path == number]
            found = [json.loads(text[one.begin : one.end]) for one in spans]
            assert found == elements(json.loads(text), path)


@given(texts_of_json(whole=True), st.sampled_from(PATHS))
def test_an_object_without_its_array_is_what_owner_and_rest_hold(
    text: bytes, paths: tuple[JsonPath, ...]
) -> None:
    splitter = native().splitter(paths)

    ranges = [*splitter.feed(text), *splitter.finish()]

    owners = [one for one in ranges if one.kind == RangeKind.OWNER]
    rests = [one for one in ranges if one.kind == RangeKind.REST]
    assert len({one.begin for one in owners}) == len(rests)
    for owner, rest in zip(owners, rests, strict=False):
        if len(owners) == len(rests) == 1:
            kept = text[owner.begin : owner.end] + b"[]" + text[rest.begin : rest.end]
            assert isinstance(json.loads(kept), dict)
