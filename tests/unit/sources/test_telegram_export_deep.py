"""The adapter of chat exports: what is nested deeper than a scan compares is refused alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.sources.exports import check

from pillarbox_spark.adapters import Refused


def _message(number: int) -> dict[str, Any]:
    return {"id": number, "type": "message", "date_unixtime": "1700000000", "text": ""}


DEEP = "[" * 100_000 + "]" * 100_000
CHAT = f'{{"type": "private_group", "id": 42, "messages": [{json.dumps(_message(1))}]}}'


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (f"[{DEEP}, {CHAT}]", ["odd-value"]),
        (f'{{"about": {DEEP}, "chats": {{"list": [{CHAT}]}}}}', ["broken-rest"]),
        (f'{{"contacts": {DEEP}, "chats": {{"list": [{CHAT}]}}}}', ["broken-section"]),
        (f'{{"contacts": {{"list": [{DEEP}]}}, "chats": {{"list": [{CHAT}]}}}}', ["broken-section"]),
        (f'{{"chats": {{"about": {DEEP}, "list": [{CHAT}]}}}}', ["broken-rest"]),
        (f'{{"chats": {{"list": [{DEEP}, {CHAT}]}}}}', ["odd-value"]),
        (f'{{"chats": {{"list": [{{"name": {DEEP}, "messages": []}}, {CHAT}]}}}}', ["chat-without-id"]),
        (f'{{"chats": {{"list": [{{"id": 1, "messages": [{DEEP}]}}, {CHAT}]}}}}', ["deep-message"]),
        (f'{{"chats": {{"list": [{{"id": 1, "messages": [], "name": {DEEP}}}, {CHAT}]}}}}', ["broken-chat"]),
    ],
    ids=["root", "unknown", "section", "in section", "list", "chat", "before", "message", "behind"],
)
def test_what_is_nested_too_deep_is_refused_alone(text: str, reasons: list[str], tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(text)

    export = check(path)

    assert export.reasons == reasons
    assert [row.id for row in export.messages] == ([1] if text.startswith("{") else [])


@pytest.mark.parametrize("piece_bytes", [1, 1 << 30])
@pytest.mark.parametrize("depth", [511, 600, 100_000])
def test_messages_beside_one_that_is_nested_too_deep_are_read(
    depth: int, piece_bytes: int, tmp_path: Path
) -> None:
    deep = '{"id": 4, "x": ' + "[" * depth + "]" * depth + "}"
    messages = ", ".join([json.dumps(_message(1)), deep, json.dumps(_message(2)), deep])
    path = tmp_path / "result.json"
    path.write_text(f'{{"type": "private_group", "id": 42, "messages": [{messages}]}}')

    export = check(path, piece_bytes)

    assert [row.id for row in export.messages] == [1, 2]
    assert export.reasons == ["deep-message", "deep-message"]
    assert [one.raw for one in export.taken if isinstance(one, Refused)] == [deep.encode()] * 2


def test_how_deep_a_message_may_be_nested_does_not_depend_on_what_encloses_its_chat(tmp_path: Path) -> None:
    deep = ['"x": ' + "[" * depth + "]" * depth for depth in (510, 511)]
    messages = [f'{{"id": 4, "type": "message", "date_unixtime": "1", {one}}}' for one in deep]
    chat = f'{{"type": "private_group", "id": 42, "messages": [{", ".join(messages)}]}}'
    for number, text in enumerate([chat, f'{{"chats": {{"list": [{chat}]}}}}']):
        path = tmp_path / f"result{number}.json"
        path.write_text(text)

        assert check(path).reasons == ["deep-message"]
