"""Ranges inside one JSON value: shapes, broken texts, and what is said about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from tests.native_support import native, portable

from pillarbox.errors import UsageError
from pillarbox.native.faults import JsonCorrupt
from pillarbox.native.interface import Status
from pillarbox.native.json_ranges import JsonPath, RangeKind, Splitter
from pillarbox.native.loader import PythonLibrary

Make = Callable[[Sequence[JsonPath]], Splitter]


@pytest.fixture(params=["python", "native", "portable"])
def splitter(request: pytest.FixtureRequest) -> Make:
    """Each path in turn."""
    if request.param == "python":
        return PythonLibrary().splitter
    return native().splitter if request.param == "native" else portable().splitter


def pieces(scan: Splitter, text: bytes, kind: RangeKind = RangeKind.ELEMENT) -> list[bytes]:
    """The bytes of all ranges of one kind. The scan must end well."""
    return [text[one.begin : one.end] for one in [*scan.feed(text), *scan.finish()] if one.kind == kind]


@pytest.mark.parametrize("indent", [None, 1, 4, "\t"])
def test_elements_are_found_however_the_text_is_indented(splitter: Make, indent: int | str | None) -> None:
    items = [{"id": 1, "notes": [[], {}]}, {"id": 2, "title": 'a "]}" \\'}, [3], "four", 5, None]
    text = json.dumps({"name": "x", "items": items}, indent=indent).encode()

    found = pieces(splitter([("items",)]), text)

    assert [json.loads(piece) for piece in found] == items


def test_arrays_of_many_owners_are_found_with_what_their_owners_say(splitter: Make) -> None:
    text = b'{"projects": {"list": [{"id": 1, "issues": [10, 11], "open": true}, {"id": 2, "issues": []}]}}'
    scan = splitter([("projects", "list", None, "issues")])

    ranges = [*scan.feed(text), *scan.finish()]

    assert [(RangeKind(one.kind).name, text[one.begin : one.end]) for one in ranges] == [
        ("OWNER", b'{"id": 1, "issues": '),
        ("ELEMENT", b"10"),
        ("ELEMENT", b"11"),
        ("REST", b', "open": true}'),
        ("OWNER", b'{"id": 2, "issues": '),
        ("REST", b"}"),
    ]


def test_an_escape_that_no_parser_takes_spoils_nothing_but_its_element(splitter: Make) -> None:
    text = rb'{"items": [{"a": "\x1F"}, {"b": "\\"}, {"c": "\\\" ] }"}]}'

    assert pieces(splitter([("items",)]), text) == [rb'{"a": "\x1F"}', rb'{"b": "\\"}', rb'{"c": "\\\" ] }"}']


@pytest.mark.parametrize("value", [b"null", b"{}", b'"x"', b"1"])
def test_a_value_that_is_not_the_array_is_handed_out(splitter: Make, value: bytes) -> None:
    text = b'{"items": ' + value + b"}"

    assert pieces(splitter([("items",)]), text, RangeKind.OTHER) == [value]


def test_a_value_that_is_not_the_object_on_the_way_is_handed_out(splitter: Make) -> None:
    text = b'{"projects": {"list": [[], 7, {"issues": [1]}]}}'

    assert pieces(splitter([("projects", "list", None, "issues")]), text, RangeKind.OTHER) == [b"[]", b"7"]


def test_a_lone_scalar_ends_with_the_text(splitter: Make) -> None:
    assert pieces(splitter([()]), b" 12", RangeKind.OTHER) == [b"12"]


def test_more_ranges_than_one_answer_holds_are_all_handed_out(splitter: Make) -> None:
    text = b"[" + b",".join(b"%d" % number for number in range(10_000)) + b"]"

    assert len(pieces(splitter([()]), text)) == 10_000


def test_a_name_that_comes_in_pieces_is_still_the_name(splitter: Make) -> None:
    text = b'{"items": [1], "items2": [2], "item": [3]}'

    for size in range(1, len(text)):
        scan = splitter([("items",)])
        found = [one for at in range(0, len(text), size) for one in scan.feed(text[at : at + size])]
        assert [text[one.begin : one.end] for one in found if one.kind == RangeKind.ELEMENT] == [b"1"]
        assert list(scan.finish()) == []


@pytest.mark.parametrize(
    ("text", "status", "offset", "elements"),
    [
        (b"", Status.JSON_TRUNCATED, 0, 0),
        (b'{"items": [1, {"a": [', Status.JSON_TRUNCATED, 14, 1),
        (b'{"items": [1, 2', Status.JSON_TRUNCATED, 14, 1),
        (b'{"items": [1, 2, ', Status.JSON_TRUNCATED, 17, 2),
        (b'{"items": [1, "x', Status.JSON_TRUNCATED, 14, 1),
        (b'{"items": [1]', Status.JSON_TRUNCATED, 13, 1),
        (b'{"items": [1, {"a": ]}]}', Status.JSON_MISMATCH, 20, 1),
        (b'{"items": [1, 2}}', Status.JSON_MISMATCH, 15, 2),
        (b'{"items": [1,, 2]}', Status.JSON_SYNTAX, 13, 1),
        (b'{"items": [1,]}', Status.JSON_SYNTAX, 13, 1),
        (b'{"items": [1 2]}', Status.JSON_SYNTAX, 13, 1),
        (b'{"items" [1]}', Status.JSON_SYNTAX, 9, 0),
        (b'{"items": [1]} {}', Status.JSON_SYNTAX, 15, 1),
        (b"{items: [1]}", Status.JSON_SYNTAX, 1, 0),
        (b"\xef\xbb\xbf{}", Status.JSON_SYNTAX, 3, 0),
        (b'{"items": [1, ' + b"[" * 511, Status.JSON_TRUNCATED, 14, 1),
    ],
)
def test_a_broken_text_is_told_where_it_breaks_behind_what_was_found(
    splitter: Make, text: bytes, status: Status, offset: int, elements: int
) -> None:
    scan = splitter([("items",)])

    found = [one for one in scan.feed(text) if one.kind == RangeKind.ELEMENT]

    assert len(found) == elements
    with pytest.raises(JsonCorrupt) as caught:
        scan.finish()
    assert (caught.value.status, caught.value.offset) == (status, offset)


def test_nothing_is_read_behind_a_fault(splitter: Make) -> None:
    scan = splitter([("items",)])
    scan.feed(b'{"items": [1,,')

    assert list(scan.feed(b"2]}")) == []
    assert scan.fault is not None


def test_containers_up_to_the_limit_are_skipped(splitter: Make) -> None:
    deep = b"[" * 510 + b"]" * 510

    assert pieces(splitter([("items",)]), b'{"items": [' + deep + b"]}") == [deep]


@pytest.mark.parametrize("inside", [b"", b"7", b'"]\\""', b'{"a": []}, []'])
@pytest.mark.parametrize("depth", [511, 512, 600, 70_000])
def test_what_is_nested_too_deep_is_handed_out_alone(splitter: Make, depth: int, inside: bytes) -> None:
    deep = b"[" * depth + inside + b"]" * depth
    text = b'{"items": [1, ' + deep + b', {"a": 2}], "rest": ' + deep + b"}"

    for size in (len(text), 61):
        scan = splitter([("items",)])
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        ranges = [*(one for chunk in chunks for one in scan.feed(chunk)), *scan.finish()]
        found = [(RangeKind(one.kind).name, text[one.begin : one.end]) for one in ranges[1:-1]]
        assert found == [("ELEMENT", b"1"), ("DEEP", deep), ("ELEMENT", b'{"a": 2}')]


def test_brackets_beyond_the_limit_are_only_counted(splitter: Make) -> None:
    deep = b"[" * 510 + b"{[{" + b"]}]" + b"]" * 510

    assert pieces(splitter([("items",)]), b'{"items": [' + deep + b", 1]}", RangeKind.DEEP) == [deep]


def test_brackets_up_to_the_limit_are_compared_behind_those_beyond_it(splitter: Make) -> None:
    scan = splitter([("items",)])
    text = b'{"items": [1, ' + b"[" * 511 + b"]}"

    scan.feed(text)

    assert scan.fault is not None
    assert (scan.fault.status, scan.fault.offset) == (Status.JSON_MISMATCH, len(text) - 1)


@pytest.mark.parametrize("run", range(60, 70))
def test_runs_of_backslashes_over_the_edges_of_blocks_are_counted(splitter: Make, run: int) -> None:
    text = b'[["' + b"\\\\" * run + b'", 1], ["' + b"x" * run + b'\\""], 2]'

    found = pieces(splitter([()]), text)

    assert [json.loads(piece) for piece in found] == json.loads(text)


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        ([], "0 paths"),
        ([("a",)] * 2, "is the beginning of"),
        ([("a",), ("a", None, "b")], "is the beginning of"),
        ([(), ("a",)], "is the beginning of"),
        ([("a",) * 9], "at most 8 names"),
        ([("a", "")], "none of them empty"),
        ([(f"a{number}",) for number in range(33)], "33 paths"),
    ],
)
def test_paths_that_no_scan_takes_are_refused(splitter: Make, paths: list[JsonPath], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        splitter(paths)


def test_the_state_is_the_same_after_any_cut(splitter: Make) -> None:
    text = rb'{"a": "\\", "items": [{"n": [1, "\"]"]}, [true], "z\\\"" , 12 ], "b": {"items": [0]}} '
    scan = splitter([("items",)])
    whole = [*scan.feed(text), *scan.finish()]

    for first in range(len(text) + 1):
        scan = splitter([("items",)])
        found = [one for begin, end in pairwise([0, first, len(text)]) for one in scan.feed(text[begin:end])]
        assert found + list(scan.finish()) == whole
