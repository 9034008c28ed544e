"""The adapter of chat exports: what becomes of each service action."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.sources.exports import DATA, read_data

from pillarbox_messenger.types import (
    Call,
    CallOutcome,
    GlobalTagFlags,
    PeerNamespace,
    ServiceAction,
    peer_id,
)

BEN = peer_id(PeerNamespace.USER, 500000002)

ACCOUNT = read_data("account.json")


def _service(number: int) -> ServiceAction:
    (service,) = [media for media in ACCOUNT.message(number).media if isinstance(media, ServiceAction)]
    return service


def test_every_action_of_an_export_is_stored_by_its_name_with_all_its_members() -> None:
    text = (DATA / "account.json").read_bytes()
    (crew,) = [chat for chat in msgspec.json.decode(text)["chats"]["list"] if chat["id"] == 42]
    common = {"id", "type", "date", "date_unixtime", "actor", "actor_id", "action", "text", "text_entities"}

    for message in crew["messages"]:
        service = _service(message["id"])
        said = {name: value for name, value in message.items() if name not in common}
        if message.get("action") == "send_webview_data":
            said = {"text": "Pay the berth"}  # which a JSON object holds only once
        assert (service.kind, service.action) == (0, message.get("action"))
        assert msgspec.json.decode(service.kept or b"{}") == said
        assert service.title == said.get("title")


def test_who_acted_is_who_wrote() -> None:
    row = ACCOUNT.message(118)

    assert (row.who_id, row.who_name, row.incoming) == (BEN, "Ben Okafor", True)


def test_an_action_without_an_actor_has_no_author_and_keeps_whom_it_names() -> None:
    row = ACCOUNT.message(135)

    assert (row.who_id, row.who_name) == (None, None)
    assert msgspec.json.decode(_service(135).kept or b"")["from_id"] == "user500000001"


@pytest.mark.parametrize(
    ("number", "call", "tags"),
    [
        (124, Call(duration=33, outcome=CallOutcome.HUNG_UP), GlobalTagFlags.CALLS),
        (125, Call(outcome=CallOutcome.MISSED), GlobalTagFlags.CALLS | GlobalTagFlags.MISSED_CALLS),
        (126, Call(outcome=CallOutcome.BUSY), GlobalTagFlags.CALLS),
        (127, Call(outcome=CallOutcome.DISCONNECTED), GlobalTagFlags.CALLS),
        (128, Call(outcome=CallOutcome.UNKNOWN), GlobalTagFlags.CALLS),
    ],
)
def test_a_call_is_listed_among_calls(number: int, call: Call, tags: int) -> None:
    row = ACCOUNT.message(number)

    assert row.media[1:] == (call,)
    assert row.global_tags == tags
