"""The source `chitchat`: both forms of an archive give the same rows; what is no row is refused alone."""

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
from pillarbox_spark.sources import chitchat
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


def test_messages_that_are_there_twice_are_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    turns = json.dumps([[SAID]])
    path.write_text(f'{{"{NAME}": {{"messages": {turns}, "prompt": "messages", "messages": {turns}}}}}')

    assert [row["n"] for row in check(ADAPTER, path, 1)] == [1, 2]


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
