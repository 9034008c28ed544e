"""Generated exports are in the layout and the escapes of the real writer, and equal to their lines."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from benchmarks.export_chats import chats
from benchmarks.export_generator import laid_out, write
from benchmarks.export_messages import MIGRATED
from benchmarks.export_texts import EMPTY, Pools, Text, pools

COUNT = 4_000


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Pools:
    """Made-up texts, whatever lies beside the repository."""
    return pools(1, shared=tmp_path_factory.mktemp("nothing"))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, texts: Pools) -> Path:
    folder = tmp_path_factory.mktemp("export")
    write(COUNT, folder / "result.json", folder / "messages.ndjson", texts=texts)
    return folder


def read_export(path: Path) -> dict[str, Any]:
    """An export, its invalid escapes mended as a careful reader does."""
    mended = re.sub(r"(?<!\\)((?:\\\\)*)\\x([0-9A-F]{2})", r"\1\\u00\2", path.read_text(encoding="utf-8"))
    found: dict[str, Any] = json.loads(mended)
    return found


def all_chats(export: dict[str, Any]) -> list[dict[str, Any]]:
    return [*export["chats"]["list"], *export["left_chats"]["list"]]


def test_lines_hold_the_messages_of_the_export_in_its_order(written: Path) -> None:
    export = read_export(written / "result.json")

    lines = [json.loads(line) for line in (written / "messages.ndjson").read_bytes().splitlines()]

    assert len(lines) == COUNT
    assert lines == [
        {"chat_id": chat["id"], "chat_type": chat["type"], "chat_name": chat.get("name"), **message}
        for chat in all_chats(export)
        for message in chat["messages"]
    ]


def test_equal_seeds_write_equal_bytes(written: Path, texts: Pools, tmp_path: Path) -> None:
    write(COUNT, tmp_path / "same.json", texts=texts)
    write(COUNT, tmp_path / "other.json", texts=texts, seed=2)

    assert (tmp_path / "same.json").read_bytes() == (written / "result.json").read_bytes()
    assert (tmp_path / "other.json").read_bytes() != (written / "result.json").read_bytes()


def test_every_member_and_element_is_on_a_line_of_its_own(written: Path) -> None:
    lines = (written / "result.json").read_text(encoding="utf-8").split("\n")

    assert all(
        re.fullmatch(r' *("\w+": )?(".*"|[-\d.]+|true|false|null|\[\]|[\[{}\]]),?', line) for line in lines
    )
    assert sum(line == "     {" for line in lines) == COUNT
    assert lines[-1] == "}"


def test_ids_and_times_ascend_within_a_chat(written: Path) -> None:
    for chat in all_chats(read_export(written / "result.json")):
        ids = [message["id"] for message in chat["messages"]]
        times = [int(message["date_unixtime"]) for message in chat["messages"] if "date" in message]

        assert ids == sorted(set(ids))
        assert times == sorted(times)


def test_every_kind_of_chat_and_medium_and_of_trouble_is_there(texts: Pools, tmp_path: Path) -> None:
    write(60_000, tmp_path / "result.json", texts=texts)
    raw = (tmp_path / "result.json").read_bytes()
    chats = all_chats(read_export(tmp_path / "result.json"))
    messages = [message for chat in chats for message in chat["messages"]]
    members = Counter(member for message in messages for member in message)

    assert len({chat["type"] for chat in chats}) == 8
    assert len({(chat["type"], chat["id"]) for chat in chats}) == len(chats)
    assert {message.get("media_type") for message in messages} == {
        None, "sticker", "video_message", "voice_message", "animation", "video_file", "audio_file",
    }  # fmt: skip
    assert members.keys() >= {
        "photo", "file", "contact_information", "location_information", "place_name", "poll", "game_title",
        "invoice_information", "edited", "forwarded_from", "forwarded_from_id", "reply_to_message_id",
        "reply_to_peer_id", "saved_from", "via_bot", "author", "inline_bot_buttons", "reactions",
        "action", "title", "members",
    }  # fmt: skip
    assert {message["type"] for message in messages} == {"message", "service", "unsupported"}
    assert any(message["id"] < MIGRATED + 10**6 for message in messages)
    assert None in {message.get("from", "") for message in messages}
    assert b"\\x0B\\x1F" in raw
    assert b"\\u00" not in raw


def test_few_chats_hold_most_messages() -> None:
    made = chats(1_000_000, seed=1)

    assert len(made) == 1000
    assert sum(chat.size for chat in made) == 1_000_000
    assert 100_000 < made[0].size < 200_000
    assert sum(chat.size for chat in made[:100]) > 600_000
    assert min(chat.size for chat in made) > 0


def test_parts_of_a_text_joined_are_the_text(texts: Pools) -> None:
    for text, entities in texts.talk + texts.posts:
        runs = (
            [text]
            if isinstance(text, str)
            else [run if isinstance(run, str) else run["text"] for run in text]
        )

        assert "".join(runs) == "".join(entity["text"] for entity in entities)
    assert Text("", []) == EMPTY


def test_reactions_are_indented_by_one_level_more() -> None:
    message = {"id": 1, "reactions": [{"type": "paid", "count": 1}]}

    laid = laid_out(json.dumps(message).encode())

    assert laid.decode().split("\n") == [
        "",
        "     {",
        '      "id": 1,',
        '      "reactions": [',
        "        {",
        '         "type": "paid",',
        '         "count": 1',
        "        }",
        "       ]",
        "     }",
    ]


@pytest.mark.parametrize(
    ("escaped", "laid"),
    [
        (r"\u001f\b", r"\x1F\x08"),
        (r"\\u001f", r"\\u001f"),
        (r"\\\u0001", r"\\\x01"),
        (r"\n\r\t\"\\", r"\n\r\t\"\\"),
        ("\u2028", r"\u2028"),
        ("/é\x7f", "/é\x7f"),
    ],
)
def test_strings_are_escaped_as_the_writer_does(escaped: str, laid: str) -> None:
    assert laid_out(b'"%s"' % escaped.encode()) == b'\n     "%s"' % laid.encode()
