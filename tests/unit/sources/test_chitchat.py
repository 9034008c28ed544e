"""The source `chitchat`: both forms of an archive give the same rows, and what is broken is refused."""

from __future__ import annotations

import json
import os
from operator import attrgetter
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.sources.reading import Taken, check, index, read, reasons, rows

from pillarbox.errors import UsageError
from pillarbox_messenger.sources import ChitchatRow
from pillarbox_spark.adapters import Refused
from pillarbox_spark.sources import chitchat, chitchat_places
from pillarbox_spark.sources.chitchat import ADAPTER, id_of, installed_archive

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("PILLARBOX_SHARED", ROOT.parent / "shared"))
MESSAGES = SHARED / "data/chitchat/messages.ndjson.gz"

CONVERSATIONS = [UUID(int=number << 100, version=4) for number in range(1, 5)]
PEOPLE = [UUID(int=number << 110, version=4) for number in range(1, 4)]

UTTERANCES = st.fixed_dictionaries(
    {
        "text": st.sampled_from(["", "hi", 'a "}]{', "ёж\\ \U0001f600", "\u2028"]),
        "sender": st.sampled_from(PEOPLE).map(str),
        "timestamp": st.sampled_from(["2018-05-02T19:38:15Z", "2018-05-02T21:38:15+02:00", None]),
    }
)
TURNS = st.lists(st.lists(UTTERANCES, max_size=3), max_size=3)
ARCHIVES = st.dictionaries(st.sampled_from(CONVERSATIONS).map(str), TURNS, max_size=4)


def archive_of(turns: dict[str, list[list[dict[str, object]]]]) -> dict[str, object]:
    return {name: {"start": None, "messages": found, "prompt": "{"} for name, found in turns.items()}


def written(folder: Path, archive: object, indent: int | None = None, ascii_only: bool = True) -> Path:
    path = folder / "dataset.json"
    path.write_text(json.dumps(archive, indent=indent, ensure_ascii=ascii_only), encoding="utf-8")
    return path


def meaning(taken: Taken) -> list[object]:
    """What does not depend on where a record stands in its file."""
    return [one.reason if isinstance(one, Refused) else one for one in taken]


# ------------------------------------------------------------------------------------------------- laws


@given(turns=ARCHIVES, indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
def test_both_forms_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory,
    turns: dict[str, list[list[dict[str, object]]]],
    indent: int | None,
    ascii_only: bool,
) -> None:
    folder = tmp_path_factory.mktemp("archive")
    lines = folder / "messages.ndjson"
    lines.write_text(
        "".join(
            json.dumps({"conversation": name, "n": n, **said}) + "\n"
            for name, found in turns.items()
            for n, said in enumerate((said for turn in found for said in turn), 1)
        )
    )

    of_archive = check(ADAPTER, written(folder, archive_of(turns), indent, ascii_only), 1)
    of_lines = check(ADAPTER, lines, 100)

    assert meaning(of_archive) == meaning(of_lines)
    assert set(reasons(of_lines)) <= {"no-date"}


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


# --------------------------------------------------------------------------------------------- what is said

SAID: dict[str, object] = {"text": "hi", "sender": str(PEOPLE[0]), "timestamp": "2018-05-02T19:38:15Z"}
NAME = str(CONVERSATIONS[0])


def test_an_utterance_is_a_row_with_ids_and_names_from_its_uuids(tmp_path: Path) -> None:
    person = UUID("720840be-e522-47ba-9e9f-143f66372673")
    conversation = UUID("a07edb12-6b91-4138-b11e-02421888d699")
    path = written(tmp_path, archive_of({str(conversation): [[SAID], [{**SAID, "sender": str(person)}]]}))

    _, row = read(ADAPTER, path, row=ChitchatRow)

    assert row == ChitchatRow(id_of(conversation), "a07edb", id_of(person), "720840", 2, 1525289895, "hi")


def test_dates_before_1970_are_seconds_before_it(tmp_path: Path) -> None:
    said = {**SAID, "timestamp": "1969-12-31T23:59:58.5Z"}

    (row,) = read(ADAPTER, written(tmp_path, {NAME: {"messages": [[said]]}}), row=ChitchatRow)

    assert row.timestamp == -2


def test_ids_fit_into_what_ids_are_made_of() -> None:
    assert id_of(UUID(int=0)) == 0
    assert id_of(UUID(int=2**128 - 1)) == 2**55 - 1


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({**SAID, "timestamp": None}, "no-date"),
        ({**SAID, "timestamp": "2018-05-02T19:38:15"}, "wrong-shape"),
        ({**SAID, "sender": "ada"}, "wrong-shape"),
        ({**SAID, "text": None}, "wrong-shape"),
        (7, "wrong-shape"),
        ([SAID], "wrong-shape"),
    ],
)
def test_an_utterance_that_cannot_be_taken_is_refused_alone(
    tmp_path: Path, said: object, reason: str
) -> None:
    path = written(tmp_path, {NAME: {"messages": [[SAID, said], [SAID]]}})

    first, refused, last = check(ADAPTER, path, 1)

    assert isinstance(refused, Refused)
    assert (refused.reason, json.loads(refused.raw)) == (reason, said)
    assert (first["n"], last["n"]) == (1, 3)


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


def test_messages_that_are_there_twice_are_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    turns = json.dumps([[SAID]])
    path.write_text(f'{{"{NAME}": {{"messages": {turns}, "prompt": "messages", "messages": {turns}}}}}')

    assert [row["n"] for row in check(ADAPTER, path, 1)] == [1, 2]


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


def test_of_a_conversation_without_a_uuid_every_utterance_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"c-1": {"messages": [[SAID, SAID]]}})

    assert reasons(check(ADAPTER, path, 1)) == ["wrong-shape", "wrong-shape"]


def test_a_name_that_comes_twice_is_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    conversation = json.dumps({"messages": [[SAID]]})
    path.write_text(f'{{"{NAME}": {conversation}, "{NAME.upper()}": {conversation}}}')

    pieces, _ = index(ADAPTER, path)

    assert len(read(ADAPTER, path)) == 2
    assert pieces[0].group == pieces[1].group == str(id_of(CONVERSATIONS[0]))


@pytest.mark.parametrize(
    "text", ["", "[]", "7", "{", '{"a": 1} {}', '{"a": 1,}', "{} x", '{"a" 1}', "{a: 1}"]
)
def test_another_kind_of_file_is_damaged(tmp_path: Path, text: str) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(text)

    assert reasons(check(ADAPTER, path, 1))[-1] == "damaged"


@pytest.mark.parametrize("text", ["{}", " { }\n", "\ufeff{}"])
def test_an_archive_of_nothing_is_none_the_worse(tmp_path: Path, text: str) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(text, encoding="utf-8")

    assert read(ADAPTER, path) == []


# ----------------------------------------------------------------------------------------------- inputs


def test_of_a_folder_both_forms_are_read(tmp_path: Path) -> None:
    for name in ("dataset.json", "LICENSE", "messages.ndjson.gz", "other.json"):
        (tmp_path / name).touch()

    assert [path.name for path in ADAPTER.inputs(tmp_path)] == ["dataset.json", "messages.ndjson.gz"]


def test_a_folder_with_neither_is_told(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").touch()

    with pytest.raises(UsageError, match=r"neither dataset\.json nor"):
        ADAPTER.inputs(tmp_path)


def test_the_installed_archive_is_found_and_told_of_where_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed_archive().name == "dataset.json"
    monkeypatch.setattr(chitchat, "PACKAGE", "no_such_package")
    with pytest.raises(UsageError, match="install it: pip install"):
        installed_archive()


@pytest.mark.skipif(not MESSAGES.is_file(), reason=f"the real conversations are not at {MESSAGES}")
def test_both_forms_of_the_real_archive_give_the_same_rows_and_no_two_uuids_one_id() -> None:
    of_archive = rows(ADAPTER, installed_archive(), ChitchatRow)
    of_lines = rows(ADAPTER, MESSAGES, ChitchatRow)

    by_place = attrgetter("conversation_id", "n")
    assert sorted(of_archive, key=by_place) == sorted(of_lines, key=by_place)
    assert len(of_archive) == 258_145
    assert len({row.conversation_id for row in of_archive}) == 7_168
    assert len({row.sender_id for row in of_archive}) == 1_315


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
