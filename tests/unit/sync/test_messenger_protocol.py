"""The messenger's PROTOCOL does what the reference says of containers and differences.

What is expected here is written out by hand.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace
from tests.unit.sync.messenger_values import (
    ACCOUNT,
    ANNA,
    CHANNEL,
    CHAT,
    DATE,
    GROUP,
    NEWS,
    OWN,
    PEERS,
    PTS,
    QTS,
    SECRET,
    SEQ,
    STATE,
    TOP,
    USER,
    chat,
    dialog,
    holes,
    message,
)

from pillarbox.sync import Around, Claim, Poll, Position
from pillarbox.sync.cursor_parts import PartKind
from pillarbox.sync.protocol import AnswerKind, Opened, Remedy, Row, Stamp
from pillarbox_messenger import answers, bodies, box, containers, operations, requests, types, updates
from pillarbox_messenger.keys import channel_key, peers_key
from pillarbox_messenger.protocol import PROTOCOL

SHORT: Final[dict[str, Any]] = {"id": 8, "message": "hello", "pts": 40, "pts_count": 1, "date": 70}


def test_more_than_is_sent_is_asked_for() -> None:
    """U-11."""
    assert PROTOCOL.open(containers.UpdatesTooLong()) == Opened(acts=(Poll(ACCOUNT),))


@pytest.mark.parametrize(("out", "author", "flags"), [(False, ANNA, 4), (True, OWN, 0)])
def test_a_short_message_is_a_whole_one(out: bool, author: types.PeerId, flags: int) -> None:
    """U-7: the author is whose session it is where the message is `out`."""
    short = containers.UpdateShortMessage(
        out=out, mentioned=True, media_unread=True, user_id=ANNA, own_id=OWN, **SHORT
    )  # fmt: skip

    taken = PROTOCOL.open(short)

    whole = message(ANNA, 8, author_id=author, flags=flags, tags=32)
    assert taken == Opened(updates=(updates.UpdateNewMessage(message=whole, pts=40, pts_count=1),), date=70)
    assert PROTOCOL.updates.claim(taken.updates[0]) == Claim(ACCOUNT, b"", PTS, 39, 40)


def test_a_short_message_of_a_group_names_its_author() -> None:
    """U-8."""
    short = containers.UpdateShortChatMessage(
        out=False, mentioned=False, media_unread=False, from_id=ANNA, chat_id=GROUP, **SHORT
    )  # fmt: skip

    whole = message(GROUP, 8, author_id=ANNA, flags=4)
    assert PROTOCOL.open(short).updates == (updates.UpdateNewMessage(message=whole, pts=40, pts_count=1),)


def test_a_single_update_has_a_date_only() -> None:
    """U-10."""
    told = updates.UpdateConfig()

    assert PROTOCOL.open(containers.UpdateShort(update=told, date=70)) == Opened(updates=(told,), date=70)


Made = Callable[[int], Any]


@pytest.mark.parametrize(
    ("made", "start"),
    [
        (lambda seq: containers.Updates(users=(USER,), chats=(CHAT,), date=70, seq=seq), 11),
        (
            lambda seq: containers.UpdatesCombined(
                users=(USER,), chats=(CHAT,), date=70, seq_start=10 if seq else 0, seq=seq
            ),
            9,
        ),
    ],
)
def test_updates_claim_their_seq_and_bring_their_peers(made: Made, start: int) -> None:
    """U-5, G-6, G-11, G-12."""
    taken, unclaimed = PROTOCOL.open(made(12)), PROTOCOL.open(made(0))

    assert dataclasses.replace(taken, brought=None) == Opened(
        claim=Claim(ACCOUNT, b"", SEQ, start, 12),
        stamps=(Stamp(ACCOUNT, b"", DATE, 70),),
        side=(operations.MergeChats(chats=(CHAT,)), operations.MergeUsers(users=(USER,))),
        brings=frozenset({(PEERS, peers_key(ANNA)), (PEERS, peers_key(GROUP))}),
        date=70,
    )
    assert unclaimed.claim is None


@pytest.mark.parametrize("pushed", [True, False])
@pytest.mark.parametrize(
    ("position", "was", "now", "asked"),
    [
        ((50, 0, 8), None, "member", False),
        ((50, 0, 8), "member", "member", False),
        (None, None, "member", True),
        (None, "member", "member", True),
        ((50, 0, 8), "left", "member", True),
        ((50, 0, 8), "removed", "member", True),
        (None, "member", "left", False),
        ((50, 0, 8), "left", "left", False),
    ],
)
def test_a_channel_that_comes_along_is_asked_about(
    pushed: bool, position: Position, was: str | None, now: str, asked: bool
) -> None:
    """K-5: one whose member we just became, and one that was never asked about; in differences as well."""
    chats = (chat(now), CHAT)
    if pushed:
        brought = PROTOCOL.open(containers.Updates(users=(), chats=chats, date=70, seq=0)).brought
    else:
        answer = answers.Difference(
            new_messages=(), new_encrypted_messages=(), other_updates=(), chats=chats, users=(), presences=(),
            pts=1, qts=1, date=70, seq=1,
        )  # fmt: skip
        brought = bodies.body_all_changes(answer, b"").brought
    rows: dict[Row, Any] = {} if was is None else {(PEERS, peers_key(NEWS)): chat(was)}
    places: dict[Row, Position] = {(CHANNEL, channel_key(NEWS)): position}
    assert brought is not None

    found = brought(Around(position=lambda cursor, key: places[cursor, key], row=rows.get))

    assert found == ([Poll(CHANNEL, channel_key(NEWS))] if asked else [])


def test_own_requests_move_counters_without_an_update() -> None:
    """U-9, G-19: of the account, or of the channel that they were about."""
    sent = containers.UpdateShortSentMessage(out=True, id=8, pts=40, pts_count=1, date=70)
    account, channel = Claim(ACCOUNT, b"", PTS, 38, 40), Claim(CHANNEL, NEWS, PTS, 38, 40)
    affected = containers.AffectedMessages(pts=40, pts_count=2)
    history = containers.AffectedHistory(channel_id=NEWS, pts=40, pts_count=2, offset=0)
    found = containers.AffectedFoundMessages(channel_id=NEWS, pts=0, pts_count=0, offset=0)

    assert PROTOCOL.open(sent).steps == (Claim(ACCOUNT, b"", PTS, 39, 40),)
    assert [PROTOCOL.open(one).steps for one in (affected, history, found)] == [(account,), (channel,), ()]


def test_the_account_is_asked_about_as_the_reference_does() -> None:
    """C-7: the date is at least 1. G-10: what is kept of the queue is confirmed, where there is any."""
    account = PROTOCOL.cursors[ACCOUNT]
    assert account.difference is not None
    assert account.first is not None
    confirm = account.parts[QTS].confirm
    assert confirm is not None
    assert confirm.when is not None

    assert account.difference.request(b"", (3, 4, 5, 0)) == requests.GetDifference(pts=3, date=1, qts=4)
    assert account.difference.errors == {"AUTH_KEY_DUPLICATED": Remedy.STOP}
    assert account.first.request() == requests.GetState()
    assert (confirm.request(4), confirm.when(0)) == (requests.ReceivedQueue(max_qts=4), False)
    assert [(part.name, part.kind, part.hold_ms) for part in account.parts] == [
        ("pts", PartKind.COUNTER, 2_000), ("qts", PartKind.COUNTER, 2_000),
        ("seq", PartKind.COUNTER, 2_000), ("date", PartKind.STAMP, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "kind", "set"),
    [
        (answers.DifferenceEmpty(date=70, seq=12), AnswerKind.EMPTY, {SEQ: 12, DATE: 70}),
        (answers.Difference(**STATE), AnswerKind.FULL, {PTS: 40, QTS: 6, SEQ: 12, DATE: 70}),
        (answers.DifferenceSlice(**STATE), AnswerKind.SLICE, {PTS: 40, QTS: 6, SEQ: 12, DATE: 70}),
        (answers.DifferenceTooLong(pts=90), AnswerKind.TOO_LONG, None),
    ],
)
def test_each_answer_about_the_account(answer: Any, kind: AnswerKind, set: dict[int, int] | None) -> None:
    """C-4, D-6: parts that an answer does not name stay; what is too long needs the recipe."""
    difference = PROTOCOL.cursors[ACCOUNT].difference
    assert difference is not None
    rule = difference.answers[type(answer)]

    assert rule.kind(answer) is kind
    assert (None if rule.set is None else rule.set(answer)) == set
    assert rule.reset == ("account_reset" if kind is AnswerKind.TOO_LONG else None)


def test_what_a_difference_brings_is_updates_in_order() -> None:
    """D-1: chats, users, new messages, encrypted ones, then the other updates; all of it is covered."""
    difference = PROTOCOL.cursors[ACCOUNT].difference
    assert difference is not None
    rule = difference.answers[answers.Difference]
    assert rule.body is not None
    secret = types.EncryptedMessage(random_id=1, chat_id=SECRET, date=70, data=b"x", service=False)
    told = updates.UpdateConfig()

    body = rule.body(
        answers.Difference(
            new_messages=(message(ANNA, 8),), new_encrypted_messages=(secret,), other_updates=(told,),
            chats=(CHAT,), users=(USER,), **STATE,
        ),
        b"",
    )  # fmt: skip

    assert body.side[:2] == (operations.MergeChats(chats=(CHAT,)), operations.MergeUsers(users=(USER,)))
    assert body.updates == (
        updates.UpdateNewMessage(message=message(ANNA, 8), pts=40, pts_count=0),
        updates.UpdateNewEncryptedMessage(message=secret, qts=6),
        told,
    )
    assert body.covered == {(ACCOUNT, PTS), (ACCOUNT, QTS), (ACCOUNT, SEQ)}


@pytest.mark.parametrize(("position", "pts"), [(None, 1), ((0, 0, 0), 1), ((30, 0, 0), 30)])
def test_a_channel_is_asked_about_from_1_where_it_is_unknown(position: Any, pts: int) -> None:
    """4.3, K-10."""
    difference = PROTOCOL.cursors[CHANNEL].difference
    assert difference is not None

    asked = requests.GetChannelDifference(channel_id=NEWS, pts=pts, limit=100)
    assert difference.request(NEWS, position) == asked
    assert difference.errors == {
        "CHANNEL_PRIVATE": Poll(ACCOUNT), "CHANNEL_INVALID": Poll(ACCOUNT), "NO_INPUT_PEER": Remedy.DONE,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (answers.ChannelDifferenceEmpty(final=True, pts=30, timeout_ms=5_000), AnswerKind.EMPTY),
        (answers.ChannelDifference(final=False, pts=30), AnswerKind.FULL),
        (answers.ChannelDifferenceTooLong(final=True, dialog=dialog(NEWS, 8, 30)), AnswerKind.TOO_LONG),
    ],
)
def test_each_answer_about_a_channel(answer: Any, kind: AnswerKind) -> None:
    """K-8, K-9."""
    channel = PROTOCOL.cursors[CHANNEL]
    assert channel.difference is not None
    assert channel.open_poll is not None
    rule = channel.difference.answers[type(answer)]
    assert rule.set is not None
    assert rule.again is not None

    assert (rule.kind(answer), rule.set(answer)) == (kind, {PTS: 30})
    assert rule.again(answer) is not answer.final
    assert channel.open_poll.every_ms(answer) == (answer.timeout_ms or 30_000)


def test_of_other_updates_of_a_channel_seven_are_understood() -> None:
    difference = PROTOCOL.cursors[CHANNEL].difference
    assert difference is not None
    rule = difference.answers[answers.ChannelDifference]
    assert rule.body is not None
    views = updates.UpdateChannelMessageViews(channel_id=NEWS, id=8, views=3)
    told = (updates.UpdateConfig(), views)

    body = rule.body(
        answers.ChannelDifference(final=True, pts=30, new_messages=(message(NEWS, 8),), other_updates=told),
        NEWS,
    )

    came = updates.UpdateNewChannelMessage(message=message(NEWS, 8), pts=30, pts_count=0)
    assert (body.updates, body.covered) == ((came, views), frozenset({(CHANNEL, PTS)}))


def test_a_channel_anew_keeps_its_history_behind_a_hole(store: box.Box) -> None:
    """K-11, C-2, C-5: what lies between the last message known before and the new top was never seen."""
    difference = PROTOCOL.cursors[CHANNEL].difference
    assert difference is not None
    rule = difference.answers[answers.ChannelDifferenceTooLong]
    assert rule.body is not None
    with store.transaction() as tx:
        PROTOCOL.replay(
            tx, [operations.AddMessages(messages=(message(NEWS, 3),), place=types.MessagePlace.NEWEST)]
        )
        PROTOCOL.replay(
            tx,
            [
                operations.CutHole(
                    peer_id=NEWS,
                    thread_id=0,
                    namespace=types.MessageNamespace.CLOUD,
                    label=0,
                    tag=0,
                    lower=1,
                    upper=TOP,
                )
            ],
        )
        PROTOCOL.replay(tx, [operations.SetChannelSynchronized(peer_id=NEWS, id=3)])

    answer = answers.ChannelDifferenceTooLong(
        final=True,
        dialog=replace(dialog(NEWS, 8, 30), settings=types.PeerSettings()),
        messages=(message(NEWS, 8), message(NEWS, 6)),
    )
    with store.transaction() as tx:
        PROTOCOL.replay(tx, rule.body(answer, NEWS).tail)

    assert holes(store, NEWS) == [(4, 7)]
    with store.reading() as tables:
        newest = tables.message.get(NEWS, types.MessageNamespace.CLOUD, 70, 8)
        assert newest is not None
        assert types.ChannelVersion(pts=30) in newest.attributes
        assert PROTOCOL.position(tables, CHANNEL, NEWS) == (0, 30, 8)
        # what is pushed next asks for no settings.
        assert tables.notification_settings.get(NEWS) is not None


@pytest.mark.parametrize(("top", "left"), [(8, []), (6, [(7, 8)]), (0, [(1, 8)])])
def test_what_stands_above_the_servers_newest_message_is_not_known(
    store: box.Box, top: int, left: list[tuple[int, int]]
) -> None:
    """H-1, D-6: it was deleted there, or is not there yet."""
    with store.transaction() as tx:
        known = operations.AddMessages(messages=(message(ANNA, 8),), place=types.MessagePlace.NEWEST)
        whole = operations.CutHole(
            peer_id=ANNA,
            thread_id=0,
            namespace=types.MessageNamespace.CLOUD,
            label=0,
            tag=0,
            lower=1,
            upper=TOP,
        )

        PROTOCOL.replay(tx, [known, whole, operations.DoubtNewer(peer_id=ANNA, top=top)])

    assert holes(store, ANNA) == left
