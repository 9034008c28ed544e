"""The source `chitchat`: of a damaged archive all the rest is read, and what is refused is told."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.sources.reading import check, index, read, reasons
from tests.unit.sources.test_chitchat import ARCHIVES, CONVERSATIONS, NAME, SAID, archive_of, written

from pillarbox_spark.adapters import Refused
from pillarbox_spark.sources import chitchat_places
from pillarbox_spark.sources.chitchat import ADAPTER


@given(turns=ARCHIVES.filter(any), data=st.data())
def test_an_archive_that_breaks_off_is_read_until_there_and_the_rest_is_one_record(
    tmp_path_factory: pytest.TempPathFactory,
    turns: dict[str, list[list[dict[str, object]]]],
    data: st.DataObject,
) -> None:
    path = written(tmp_path_factory.mktemp("cut"), archive_of(turns))
    whole, text = read(ADAPTER, path), path.read_bytes()
    cut = data.draw(st.integers(0, len(text) - 1))
    path.write_bytes(text[:cut])

    *before, refused = check(ADAPTER, path, 1)

    assert before == whole[: len(before)]
    assert isinstance(refused, Refused)
    assert refused.reason == "damaged"
    assert refused.raw == text[refused.begin : cut]


def lines_of(*said: str) -> str:
    """The text of an archive of one conversation, of one turn."""
    return f'{{"{NAME}": {{"messages": [[{", ".join(said)}]], "prompt": "{{"}}}}'


NO_JSON = {
    "an_escape": r'{"text": "a\xb", "sender": 7}',
    "half_a_character": r'{"text": "\ud800", "sender": 7}',
    "a_control_character": '{"text": "a\x01b", "sender": 7}',
    "a_quote": '{"text": "say "hi", "sender": 7, "timestamp": null}',
    "quotes": '{"text": "say "hi" now", "sender": 7, "timestamp": null}',
    "a_word": "nope",
    "a_number": "01",
    "a_name_without_quotes": "{text: 7}",
    "no_colon": '{"text" "x"}',
    "no_value": '{"text": }',
    "a_bracket_missing": '{"text": "x"',
    "a_bracket_too_many": '{"text": "x"}}',
    "other_brackets": '{"text": ["x"}',
    "too_deep": "[" * 9_000 + "]" * 9_000,
    "brackets_that_stay_open": "[" * 9_000,
}


@pytest.mark.parametrize("bad", NO_JSON.values(), ids=NO_JSON)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_an_utterance_that_is_no_json_is_refused_alone(tmp_path: Path, bad: str, at: int) -> None:
    good = json.dumps(SAID)
    said = [good, good]
    said.insert(at, bad)
    other = json.dumps({"messages": [[SAID]]})
    path = tmp_path / "dataset.json"
    path.write_text(f'{lines_of(*said)[:-1]}, "{CONVERSATIONS[1]}": {other}}}', encoding="utf-8")

    taken = check(ADAPTER, path, 1)

    rows = [one for one in taken if not isinstance(one, Refused)]
    refused = [one for one in taken if isinstance(one, Refused)]
    assert [row["n"] for row in rows[-1:]] == [1]
    assert len(rows) == 3, taken
    assert refused[0].raw.decode().startswith(bad.rstrip("}"))
    assert path.read_bytes()[refused[0].begin :].startswith(refused[0].raw)
    assert all(one.reason in ("bad-json", "wrong-shape") for one in refused)


def test_an_utterance_that_is_no_utf_8_is_refused_alone(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    good = json.dumps(SAID)
    path.write_bytes(
        lines_of(good, "bad", good).encode().replace(b"bad", b'{"text": "\\x\xff", "sender": 7}')
    )

    first, refused, last = check(ADAPTER, path, 1)

    assert isinstance(refused, Refused)
    assert refused.raw == b'{"text": "\\x\xff", "sender": 7}'
    assert (first["n"], last["n"]) == (1, 3)


SAID_TEXT, LATER = json.dumps(SAID), json.dumps({**SAID, "text": "later"})


@pytest.mark.parametrize(
    "conversation",
    [
        f'{{"messages": [[]], "prompt": "?" {SAID_TEXT}, {LATER}]]}}',
        f'{{"\\messages": [[{SAID_TEXT}]], "prompt": {{"messages": [[{LATER}]]}}',
    ],
    ids=["behind", "before"],
)
def test_an_utterance_that_stands_somewhere_else_is_read(tmp_path: Path, conversation: str) -> None:
    path = tmp_path / "dataset.json"
    other = json.dumps({"messages": []})
    path.write_text(f'{{"{NAME}": {conversation}, "{CONVERSATIONS[1]}": {other}}}')

    taken = check(ADAPTER, path, 1)

    found = [one.raw.decode() if isinstance(one, Refused) else one["text"] for one in taken]
    assert sum(one.count(str(SAID["text"])) for one in found) == 1


@pytest.mark.parametrize(
    ("conversation", "n"),
    [
        (f'{{"mess"text": "hi", "sender": 7}}, {SAID_TEXT}]]}}', 2),
        (f'{{"messages": [[{SAID_TEXT}]], "prompt": "?", "text": "hi"}}', 1),
    ],
)
def test_what_is_left_of_an_utterance_is_refused(tmp_path: Path, conversation: str, n: int) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(f'{{"{NAME}": {conversation}}}')

    left, row = sorted(check(ADAPTER, path, 1), key=lambda it: isinstance(it, dict))

    assert isinstance(left, Refused)
    assert '"text": "hi"' in left.raw.decode()
    assert row["n"] == n


def test_a_conversation_that_breaks_off_before_its_first_turn_is_one_record(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    other = json.dumps({"messages": [[SAID]]})
    path.write_text(f'{{"{NAME}": {{"messages": [, "{CONVERSATIONS[1]}": {other}}}')

    refused, row = check(ADAPTER, path, 1)

    assert isinstance(refused, Refused)
    assert refused.raw == b'{"messages": ['
    assert row["n"] == 1


def test_what_is_no_json_beside_the_utterances_keeps_none_out(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(lines_of(json.dumps(SAID)).replace('"{"', r'"\x07"'))

    (row,) = check(ADAPTER, path, 1)

    assert row["n"] == 1


@pytest.mark.parametrize(
    ("was", "became"),
    [('a \\"}', 'a x"}'), (', "timestamp"', '{ "timestamp"'), (', "timestamp"', ',{"timestamp"')],
    ids=["a text that seems to end", "a comma that opens", "a blank that opens"],
)
def test_the_rest_of_an_utterance_is_none_of_its_own(tmp_path: Path, was: str, became: str) -> None:
    said = {"sender": SAID["sender"], "text": 'a "}]{', "timestamp": SAID["timestamp"]}
    path = written(tmp_path, archive_of({NAME: [[said, said]]}))
    text = path.read_text()
    assert was in text
    path.write_text(text.replace(was, became, 1))

    refused, row = sorted(check(ADAPTER, path, 1), key=lambda it: isinstance(it, dict))

    assert isinstance(refused, Refused)
    assert row["n"] == 2


@given(turns=ARCHIVES.filter(lambda found: any(map(any, found.values()))), data=st.data())
def test_one_byte_that_changes_loses_one_record_at_most(
    tmp_path_factory: pytest.TempPathFactory,
    turns: dict[str, list[list[dict[str, object]]]],
    data: st.DataObject,
) -> None:
    path = written(tmp_path_factory.mktemp("changed"), archive_of(turns))
    whole, text = read(ADAPTER, path), bytearray(path.read_bytes())
    places = [place for piece in index(ADAPTER, path)[0] for place in ADAPTER.raws(path, piece)]
    begin, raw = data.draw(st.sampled_from(places))
    text[begin + data.draw(st.integers(1, len(raw) - 2))] = data.draw(st.sampled_from(b'\x01\xff"\\x}]{[,:'))
    path.write_bytes(text)

    taken = check(ADAPTER, path, 1)

    lost = [one for one in whole if one not in taken]
    assert len([one for one in lost if not isinstance(one, Refused)]) <= 1


@pytest.mark.parametrize("conversation", [7, {}, {"messages": None}, {"messages": 7}])
def test_a_conversation_that_cannot_be_cut_is_one_record(tmp_path: Path, conversation: object) -> None:
    path = written(tmp_path, {NAME: conversation, str(CONVERSATIONS[1]): {"messages": [[SAID]]}})

    refused, row = check(ADAPTER, path, 1)

    assert isinstance(refused, Refused)
    assert (refused.reason, json.loads(refused.raw)) == ("wrong-shape", conversation)
    assert row["n"] == 1


@pytest.mark.parametrize(
    "text", ["", "[]", "7", "{", '{"a": 1} {}', '{"a": 1,}', "{} x", '{"a" 1}', "{a: 1}"]
)
def test_another_kind_of_file_is_damaged(tmp_path: Path, text: str) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(text)

    assert reasons(check(ADAPTER, path, 1))[-1] == "damaged"


def test_errors_of_the_parser_look_for_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would be a walk from the beginning of the text: many take time in the square of them."""
    lines: list[int] = []
    real = chitchat_places._VALUE

    class Told:
        @staticmethod
        def raw_decode(text: str, at: int) -> tuple[object, int]:
            try:
                return real.raw_decode(text, at)
            except json.JSONDecodeError as error:
                lines.append(error.lineno)
                raise

    monkeypatch.setattr(chitchat_places, "_VALUE", Told)
    said = '{"messages": [\n\n{"text": x},\n{"text": y}]}'
    assert len(chitchat_places.utterances(said)) == 2
    list(chitchat_places.members(f'{{\n"{UUID(int=1)}": {said}}}'))

    assert lines == [1, 1, 1]
