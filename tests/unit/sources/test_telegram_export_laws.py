"""Laws of the adapter of chat exports: whatever the file, each record comes out once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.sources.exports import DATA, EXPORTS, WHOLE, check, read, read_data, records_of

from pillarbox_spark.adapters import Refused
from pillarbox_spark.sources.telegram_members import mended, repaired, repeated_members_of

#: Chats and messages that can be told apart, by the eye, and of these the refused; beyond them what the index
#: refuses. Every file of the folder is here.
COUNTS = {
    "account.json": (82, 0, 0),
    "account_cut_in_a_chat.json": (12, 0, 1),
    "account_cut_in_contacts.json": (0, 0, 1),
    "account_minified.json": (82, 0, 0),
    "broken_between.json": (3, 0, 1),
    "broken_inside.json": (4, 1, 0),
    "empty.json": (0, 0, 1),
    "hex_escapes.json": (7, 1, 0),
    "members_behind.json": (3, 0, 0),
    "mixed_text.json": (14, 0, 0),
    "negative_ids.json": (5, 0, 0),
    "no_export.json": (0, 0, 1),
    "no_messages.json": (1, 0, 0),
    "numbers_in_strings.json": (7, 2, 0),
    "odd_chats.json": (5, 1, 4),
    "odd_elements.json": (9, 6, 0),
    "old_dates.json": (9, 4, 0),
    "one_chat.json": (40, 1, 0),
    "one_chat_crlf.json": (40, 1, 0),
    "one_chat_cut_between.json": (20, 0, 1),
    "one_chat_minified.json": (40, 1, 0),
    "one_chat_reindented.json": (40, 1, 0),
    "one_chat_truncated.json": (20, 0, 1),
    "overlap_earlier.json": (4, 0, 0),
    "overlap_later.json": (4, 0, 0),
    "unknown.json": (14, 0, 0),
    "without_id.json": (3, 3, 0),
    "writer_traits.json": (24, 4, 0),
}


@pytest.mark.parametrize("piece_bytes", [1, 1000, WHOLE])
@pytest.mark.parametrize("name", EXPORTS)
def test_what_is_read_is_what_is_taken_and_what_is_refused(name: str, piece_bytes: int) -> None:
    records, refused, refused_by_index = COUNTS[name]

    export = check(DATA / name, piece_bytes)

    assert sum(piece.records for piece in export.pieces) == records
    assert len(export.rows) == records - refused
    assert len(export.refused_by_index) == refused_by_index
    assert len(export.reasons) == refused + refused_by_index


@pytest.mark.parametrize("name", EXPORTS)
def test_pieces_of_any_size_give_the_same_records(name: str) -> None:
    assert read_data(name, 1).taken == read_data(name, 700).taken == read_data(name).taken


#: What only a parser that forgives takes.
FORGIVEN = {"broken_inside.json", "hex_escapes.json", "writer_traits.json"}


@pytest.mark.parametrize("name", [name for name in EXPORTS if not COUNTS[name][2] and name not in FORGIVEN])
def test_as_many_records_as_a_plain_parser_sees(name: str) -> None:
    text = (DATA / name).read_bytes().removeprefix(b"\xef\xbb\xbf")

    assert sum(piece.records for piece in read_data(name).pieces) == records_of(text)


ONE = (DATA / "one_chat_minified.json").read_bytes()
ACCOUNT = (DATA / "account.json").read_bytes()
HEX = (DATA / "hex_escapes.json").read_bytes()


@settings(deadline=None)
@given(st.integers(0, len(ONE) - 1))
def test_a_file_cut_anywhere_gives_what_is_complete_and_one_refusal(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "result.json"
    path.write_bytes(ONE[:cut])
    head = ONE.index(b"[{") + 1
    complete = [at for at in _ends_of_messages(ONE) if at <= cut]

    export = check(path)

    assert [one.reason for one in export.refused_by_index] == ["truncated"]
    assert sum(piece.records for piece in export.pieces) == (len(complete) + 1 if cut >= head else 0)
    assert export.refused_by_index[0].raw == ONE[export.refused_by_index[0].begin : cut]


def _ends_of_messages(text: bytes) -> list[int]:
    ends, at = [], text.index(b"[{") + 1
    for message in json.loads(text)["messages"]:
        plain = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        at += len(plain.replace("\u2028", "\\u2028").encode())
        ends.append(at)
        at += 1
    assert text[at - 1 :] == b"]}"
    return ends


@settings(deadline=None)
@given(st.data())
def test_a_file_with_wrong_bytes_raises_nothing_and_counts_every_record(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("flipped") / "result.json"
    text = bytearray(data.draw(st.sampled_from([ONE, ACCOUNT, HEX])))
    for at, byte in data.draw(
        st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(0, 255)), min_size=1, max_size=4)
    ):
        text[at] = byte
    path.write_bytes(text)

    export = check(path, data.draw(st.sampled_from([1, 500, WHOLE])))

    try:
        expected = records_of(bytes(text))
    except (ValueError, KeyError, TypeError, AttributeError):
        return
    # An array under another name is no list of messages; then it is kept, or reported as left out.
    renamed = any("kept" in piece.context for piece in export.pieces) or any(
        "not known" in skipped.what for skipped in export.skipped
    )
    assert renamed or len(export.taken) == expected


@settings(deadline=None)
@given(st.lists(st.sampled_from([b"\\", b"x", b"0", b"7", b"f", b"G", b'"', b"u", b"\\x07"])))
def test_only_hex_escapes_are_mended(parts: list[bytes]) -> None:
    text = b"".join(parts)
    expected, at = bytearray(), 0
    while at < len(text):
        if text[at : at + 1] != b"\\":
            expected += text[at : at + 1]
            at += 1
        elif text[at + 1 : at + 2] == b"x" and _hexadecimal(text[at + 2 : at + 4]):
            expected += b"\\u00" + text[at + 2 : at + 4]
            at += 4
        else:
            expected += text[at : at + 2]
            at += 2

    assert mended(text) == bytes(expected)


def _hexadecimal(digits: bytes) -> bool:
    return len(digits) == 2 and all(digit in b"0123456789abcdefABCDEF" for digit in digits)


strings = st.lists(
    st.sampled_from(
        ['"document_id": ', "a", "(", "null", "\n", ",", "\\", '"', "\u2028", "\\u2028", "\x80\xa8"]
    )
).map("".join)
values = strings | st.sampled_from([None, True, 7, -1.5, [], {}, [7], {"document_id": "a"}])


@settings(deadline=None)
@given(st.dictionaries(st.just("document_id") | strings, values), st.sampled_from([None, 1]), st.booleans())
def test_what_is_json_needs_no_repair(
    element: dict[str, object], indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(element, indent=indent, ensure_ascii=ascii_only).encode()

    assert repaired(text) == text


def test_a_refusal_that_goes_missing_is_noticed(tmp_path: Path) -> None:
    """The count above is no tautology: of a file that lost a message's end, something is refused."""
    path = tmp_path / "result.json"
    path.write_bytes(ONE.replace(b'"id":20,', b'"id":20 20,'))

    export = read(path)

    assert len(export.taken) == records_of(ONE)
    assert export.reasons == ["broken-json", "no-date"]
    assert isinstance(export.taken[20], Refused)


_LIST = b'{"list":[{"id":%d,"type":"bot_chat","messages":[{"id":1,"type":"unsupported"}]},{"id":2}]}'
_OF_ROOT = st.sampled_from(
    [
        b'"id":9',
        b'"type":null',
        b'"type":"bot_chat"',
        b'"messages":[]',
        b'"messages":[{"id":3,"type":"unsupported"},{"id":4,"type":"unsupported"}]',
        b'"chats":' + _LIST % 5,
        b'"left_chats":' + _LIST % 6,
    ]
)


@example([b'"id":9', b'"chats":' + _LIST % 5])
@given(st.lists(_OF_ROOT, max_size=5))
def test_pieces_come_in_the_order_of_the_file_where_a_chat_is_around_others(
    tmp_path_factory: pytest.TempPathFactory, members: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("root") / "result.json"
    path.write_bytes(b"{%b}" % b",".join(members))

    assert check(path, 1).taken == check(path).taken


_NAMES = st.sampled_from(["text", "tex", "t", "title", "", "é", 'a"b', "back\\slash", "\n"])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | _NAMES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAMES, inner, max_size=2),
)


@example([("é", 1, True), ("é", 2, False)])
@given(st.lists(st.tuples(_NAMES, _VALUES, st.booleans()), max_size=5))
def test_every_member_of_a_name_is_read_however_it_is_written(
    members: list[tuple[str, object, bool]],
) -> None:
    text = ", ".join(
        f"{json.dumps(name, ensure_ascii=escaped)}: {json.dumps(value, ensure_ascii=escaped)}"
        for name, value, escaped in members
    )

    read = repeated_members_of(f"{{{text}}}".encode())

    assert [(name, json.loads(value)) for name, value in read] == [it[:2] for it in members]
