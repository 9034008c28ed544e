"""All 165 updates of the service: which counter each claims, and what it becomes.

The table is docs/messenger-coverage.yaml, section `updates`, which is compared with the reference where that
is there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, get_args

import pytest
import yaml
from msgspec.structs import replace
from tests.unit.messenger_updates.others import OTHERS
from tests.unit.messenger_updates.samples import struct
from tests.unit.messenger_updates.streams import STREAMS
from tests.unit.messenger_updates.told import (
    ACCOUNT_CURSOR,
    ANN,
    AROUND,
    CHANNEL_CURSOR,
    NEWS,
    TEAM,
    Case,
    message,
)

from pillarbox.sync import Absent, Around, Claim, Need, Poll, Unhandled
from pillarbox.sync.gathering import gathered
from pillarbox_codegen.check import load_schema
from pillarbox_messenger import types as t
from pillarbox_messenger import updates as u
from pillarbox_messenger.keys import account_key, channel_key, notification_settings_key, peers_key
from pillarbox_messenger.protocol import PROTOCOL
from pillarbox_messenger.requests import GetMessages, GetPeerDialogs

ROOT: Final = Path(__file__).resolve().parents[3]
TABLE: Final[dict[int, dict[str, Any]]] = yaml.safe_load(
    (ROOT / "docs/messenger-coverage.yaml").read_text(encoding="utf-8")
)["updates"]
REFERENCE: Final = ROOT.parent / "shared/reference/updates.md"
CASES: Final = (*STREAMS, *OTHERS)
CLASSES: Final[tuple[Any, ...]] = get_args(u.Update)
#: Where the counters are among the parts of their cursors.
PTS, QTS = 0, 1
#: The table that knows a chat, as `notification_settings`.
SETTINGS_TABLE: Final = 19
#: The reference ignores it; G-18 takes its word.
OBEYED_HERE: Final = "updatePtsChanged"


def snake(constructor: str) -> str:
    """`updateBotWebhookJSONQuery` -> `update_bot_webhook_json_query`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", constructor).lower()


def class_of(constructor: str) -> Any:
    name = "".join(word.capitalize() for word in snake(constructor).split("_"))
    return getattr(u, name)


def handled(row: dict[str, Any]) -> bool:
    return "by" in row


ROWS: Final = [pytest.param(row, id=row["name"]) for row in TABLE.values()]


# --------------------------------------------------------------------------------------- the table itself


def test_there_are_165_updates_and_106_of_them_become_something() -> None:
    """The one more here is G-18's."""
    domains = [row["domain"] for row in TABLE.values()]
    become = [row["name"] for row in TABLE.values() if handled(row)]

    assert list(TABLE) == list(range(1, 166))
    assert {name: domains.count(name) for name in dict.fromkeys(domains)} == {
        "account.pts": 9,
        "none": 132,
        "account.qts": 17,
        "beside channel.pts": 2,
        "channel.pts": 5,
    }
    assert len(set(become) - {OBEYED_HERE}) == 106
    assert OBEYED_HERE in become
    assert len(TABLE) - 106 == 59


def test_the_table_says_of_each_what_it_becomes_or_why_nothing() -> None:
    assert {tuple(sorted(row.keys() & {"by", "why"})) for row in TABLE.values()} <= {
        ("by",),
        ("why",),
        ("by", "why"),
    }
    assert [row["name"] for row in TABLE.values() if row.keys() >= {"by", "why"}] == [OBEYED_HERE]


def test_every_update_of_the_schema_is_one_constructor_under_its_number() -> None:
    assert {class_.__name__ for class_ in CLASSES} == {
        class_of(row["name"]).__name__ for row in TABLE.values()
    }
    assert {number: class_of(row["name"]).__struct_config__.tag for number, row in TABLE.items()} == {
        number: number for number in TABLE
    }


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference is not here")
def test_the_table_is_that_of_the_reference() -> None:
    """Names, numbers, domains, fields, and whether there is a branch for it."""
    schema = load_schema(ROOT / "schema/messenger")
    domains = {"pts": "account.pts", "qts": "account.qts", "channel pts": "channel.pts", "none": "none"}
    line = re.compile(r"\| (\d+) \| `(update\w+)` \| \w+ \| (.*?) \| ([\w ()]+) \| (.*) \|")
    rows = [found.groups() for found in map(line.fullmatch, REFERENCE.read_text().splitlines()) if found]

    assert len(rows) == 165
    for number, name, fields, domain, result in rows:
        row = TABLE[int(number)]
        declared = [] if fields == "-" else [field.split(":")[0].strip() for field in fields.split(";")]
        ours = [field.name for field in schema.updates[snake(name)].fields]
        assert row["name"] == name
        assert row["domain"] == domains.get(domain, "beside channel.pts")
        assert handled(row) == (result.strip() != "-") or name == OBEYED_HERE
        assert ours == [field for field in declared if field != "flags"]


# ------------------------------------------------------------------------------------- what it becomes


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_update_becomes_what_the_reference_does(case: Case) -> None:
    assert u.emit(case.update, case.around) == list(case.becomes)


@pytest.mark.parametrize("row", ROWS)
def test_what_the_table_says_of_an_update_is_what_its_cases_show(row: dict[str, Any]) -> None:
    """Every operation in `by` is seen in a case, and no other; what has no `by` is told as it is."""
    class_ = class_of(row["name"])
    shown = {
        f"cursors.{'account' if becomes.cursor == ACCOUNT_CURSOR else 'channel'}"
        if isinstance(becomes, Poll)
        else f"operations.{snake(type(becomes).__name__)}"
        for case in CASES
        if isinstance(case.update, class_)
        for becomes in case.becomes
    }

    assert shown == set(row.get("by", []))
    if not handled(row):
        update = struct(class_)
        assert u.emit(update, AROUND) == [Unhandled(update)]


# ------------------------------------------------------------------------------------ what it claims


def claimed(class_: Any) -> Any:
    """A sample that stands at 70 and counts 3, or 1 of those that are counted one by one."""
    given: dict[str, Any] = {"pts": 70, "pts_count": 3, "qts": 70, "channel_id": NEWS}
    if class_ in (u.UpdateNewChannelMessage, u.UpdateEditChannelMessage):
        given["message"] = message(NEWS)
    update = struct(class_)
    return replace(update, **{name: given[name] for name in class_.__struct_fields__ if name in given})


EXPECTED: Final = {
    "account.pts": Claim(ACCOUNT_CURSOR, account_key(), PTS, 67, 70),
    "account.qts": Claim(ACCOUNT_CURSOR, account_key(), QTS, 69, 70),
    "channel.pts": Claim(CHANNEL_CURSOR, channel_key(NEWS), PTS, 67, 70),
}


@pytest.mark.parametrize("row", ROWS)
def test_an_update_claims_the_counter_of_its_domain(row: dict[str, Any]) -> None:
    """U-2, U-3, U-4 and G-9: the count of qts is always 1."""
    update = claimed(class_of(row["name"]))

    assert u.claim(update) == EXPECTED.get(row["domain"])


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["name"]) for row in TABLE.values() if row["domain"] == "account.qts"]
)
def test_a_qts_of_zero_is_none(row: dict[str, Any]) -> None:
    """U-3."""
    assert u.claim(replace(claimed(class_of(row["name"])), qts=0)) is None


def test_folders_of_no_count_claim_nothing() -> None:
    """U-2."""
    assert u.claim(replace(claimed(u.UpdateFolderPeers), pts_count=0)) is None


def test_what_is_sorted_with_a_channel_is_beside_it() -> None:
    """K-1, K-3 and K-4: these are sorted with their channel, are not checked and move nothing."""
    beside = {
        class_.__name__
        for class_ in CLASSES
        if (update := struct(class_)).beside() is not None and update.claim() is None
    }

    assert u.beside(u.UpdateChannelTooLong(NEWS)) == (CHANNEL_CURSOR, channel_key(NEWS))
    assert u.beside(claimed(u.UpdateReadChannelInbox)) == (CHANNEL_CURSOR, channel_key(NEWS))
    assert u.beside(u.UpdatePinnedForumTopic(True, TEAM, 4)) == (CHANNEL_CURSOR, channel_key(TEAM))
    assert beside == {
        "UpdateChannelTooLong",
        "UpdateReadChannelInbox",
        "UpdatePinnedForumTopic",
        "UpdatePinnedForumTopics",
        "UpdateChannelAvailableMessages",
    }


def test_a_page_is_taken_over_late() -> None:
    """G-5."""
    assert frozenset({u.UpdateWebPage}) == u.WHEN_OLD


def chat_info(peer_id: t.PeerId) -> Need:
    """What a chat that is not in a list yet is asked for; without an answer it goes on."""
    row = (SETTINGS_TABLE, notification_settings_key(peer_id))
    return Need(row, Absent.IGNORE, GetPeerDialogs((peer_id,)))


def test_a_message_needs_its_chat() -> None:
    """U-10, A-9: without it the batch is discarded and the stream asked for. A-4: the rest is asked for."""
    for update, peer_id in (
        (u.UpdateNewMessage(message(ANN), 70, 3), ANN),
        (u.UpdateNewChannelMessage(message(NEWS), 70, 3), NEWS),
    ):
        assert u.needs(update) == [Need((2, peers_key(peer_id)), Absent.DISCARD), chat_info(peer_id)]


def test_what_is_about_a_chat_asks_for_it() -> None:
    """A-4, in the cases of 6.1."""
    folders = (t.FolderPeer(ANN, 1), t.FolderPeer(NEWS, 0))
    draft = t.Draft(text="Hello", date=900)

    assert [*u.needs(u.UpdateFolderPeers(folder_peers=folders, pts=70, pts_count=3))] == [
        chat_info(ANN),
        chat_info(NEWS),
    ]
    assert u.needs(claimed(u.UpdateReadChannelInbox)) == [chat_info(NEWS)]
    assert u.needs(u.UpdateDraftMessage(ANN, draft=draft)) == [chat_info(ANN)]
    assert u.needs(u.UpdateDraftMessage(ANN)) == []
    assert {class_.__name__ for class_ in CLASSES if struct(class_).needs()} == {
        "UpdateChannel",
        "UpdateNewMessage",
        "UpdateNewChannelMessage",
        "UpdateReadHistoryInbox",
        "UpdateReadChannelInbox",
        "UpdateFolderPeers",
        "UpdateDraftMessage",
    }


@pytest.mark.parametrize(
    ("synchronized", "membership", "asked"),
    [
        (9, t.Membership.MEMBER, False),
        (9, t.Membership.LEFT, True),
        (9, t.Membership.REMOVED, True),
        (9, None, False),
        (0, t.Membership.MEMBER, True),
        (None, None, True),
    ],
)
def test_a_channel_that_was_just_joined_is_asked_about(
    synchronized: int | None, membership: t.Membership | None, asked: bool
) -> None:
    """K-5: it was no member before, or nothing of it is known to be its newest."""
    update = u.UpdateChannel(NEWS)
    (need,) = u.needs(update)
    row = (
        None
        if membership is None
        else t.Peers(peer_id=NEWS, name="N", data=t.ChannelData(created_at=1, membership=membership))
    )
    position = None if synchronized is None else (50, 0, synchronized)

    emitted = u.emit(update, Around(position=lambda _cursor, _key: position, row={need.row: row}.get))

    assert need.absent is Absent.IGNORE
    assert (Poll(CHANNEL_CURSOR, channel_key(NEWS)) in emitted) is asked


@pytest.mark.parametrize("kind", [u.UpdateNewMessage, u.UpdateNewChannelMessage])
def test_what_is_answered_to_is_asked_for_with_others(kind: Any) -> None:
    """A-3: one request for all that a batch answers to; what comes with it is not asked for."""

    def answer(id: int, to: int) -> Any:
        reply = t.Reply(to=t.MessageId(peer_id=NEWS, namespace=t.MessageNamespace.CLOUD, id=to))
        told = replace(message(NEWS), id=id, attributes=(reply,))
        return kind(message=told, pts=id, pts_count=1)

    told = [answer(11, 7), answer(12, 8), answer(13, 11)]
    needs = [need for update in told for need in u.needs(update) if need.row[0] == 4]
    brought = {row for update in told for row in u.brings(update)}

    asked = [need.request for need in needs if need.row not in brought]
    assert {need.absent for need in needs} == {Absent.IGNORE}
    assert list(gathered(PROTOCOL, asked)) == [GetMessages(peer_id=NEWS, ids=(7, 8))]


# ------------------------------------------------------------------------------------------- on the wire


@pytest.mark.parametrize("class_", CLASSES, ids=lambda class_: class_.__name__)
def test_an_update_survives_the_wire(class_: Any) -> None:
    for number in range(5):
        update = struct(class_, number)

        assert u.decode_update(u.encode_update(update)) == update
        assert u.decode_update_json(u.encode_update_json(update)) == update


def test_ids_of_the_service_fit() -> None:
    """Peers are one number with their kind, ids of secret chats may be negative."""
    secret = t.peer_id(t.PeerNamespace.SECRET_CHAT, 2**31 - 1)
    update = u.UpdateEncryptedChatTyping(secret)

    assert u.decode_update(u.encode_update(update)) == update
