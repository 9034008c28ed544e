"""What the messenger schema does, by small stories: holes, reading, the chat list, shared media, names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pillarbox_messenger import Box, open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

CLOUD = t.MessageNamespace.CLOUD
ANN = t.peer_id(t.PeerNamespace.USER, 1)
BOB = t.peer_id(t.PeerNamespace.USER, 2)
TEAM = t.peer_id(t.PeerNamespace.GROUP, 3)
LAST = 2**31 - 2


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(":memory:") as found:
        found.replay(
            [
                o.UpdatePeers(
                    tuple(t.Peers(peer_id=peer, name=name, data=t.UserData()) for peer, name in NAMES.items())
                )
            ]
        )
        yield found


NAMES = {ANN: "Ann Лисица", BOB: "Bob", TEAM: "Team"}


def message(peer: t.PeerId, id_: int, **fields: object) -> t.Message:
    given = {"flags": t.MessageFlags.INCOMING, "text": f"message {id_}", **fields}
    return t.Message(peer_id=peer, namespace=CLOUD, timestamp=1_000 + id_, id=id_, **given)  # type: ignore[arg-type]


def holes(box: Box, peer: t.PeerId, tag: int = 0) -> list[tuple[int, int]]:
    with box.reading() as tables:
        rows = tables.message_holes.all()
    return [
        (row.lower, row.upper)
        for row in rows
        if (row.peer_id, row.thread_id, row.namespace, row.label, row.tag) == (peer, 0, CLOUD, 0, tag)
    ]


def chats(box: Box) -> list[t.PeerId]:
    return [row.peer_id for row in box.get(v.ChatList(10)).chats]


def test_a_hole_is_split_where_pages_come_in(box: Box) -> None:
    def fill(lower: int, upper: int) -> None:
        page = (message(TEAM, lower), message(TEAM, upper))
        box.replay(
            [
                o.FillHole(
                    messages=page,
                    peer_id=TEAM,
                    thread_id=0,
                    namespace=CLOUD,
                    label=0,
                    tag=0,
                    lower=lower,
                    upper=upper,
                )
            ]
        )

    fill(500, 600)
    fill(200, 400)

    assert holes(box, TEAM) == [(1, 199), (401, 499), (601, LAST)]
    assert holes(box, TEAM, t.TagFlags.PINNED) == holes(box, TEAM)


def test_the_newest_messages_leave_nothing_missing_after_them(box: Box) -> None:
    box.replay([o.AddMessages((message(TEAM, 700), message(TEAM, 702)), t.MessagePlace.NEWEST)])

    assert holes(box, TEAM) == [(1, 699)]


def test_messages_from_anywhere_close_no_hole(box: Box) -> None:
    box.replay([o.AddMessages((message(TEAM, 700),))])

    missing = box.get(v.Missing(TEAM, 0))
    assert [(row.lower, row.upper) for row in missing.holes] == [(1, LAST)]
    assert not missing.whole


def test_pinned_chats_stand_above_the_others(box: Box) -> None:
    box.replay([o.AddMessages((message(ANN, 1), message(BOB, 5), message(TEAM, 3)))])
    assert chats(box) == [BOB, TEAM, ANN]

    box.replay([o.SetPins(0, (ANN,))])

    assert chats(box) == [ANN, BOB, TEAM]


def test_a_chat_that_is_in_no_list_is_not_shown(box: Box) -> None:
    box.replay([o.AddMessages((message(ANN, 1), message(BOB, 2)))])

    box.replay([o.SetInclusion(BOB, None, None)])

    assert chats(box) == [ANN]


def test_a_draft_lifts_its_chat(box: Box) -> None:
    box.replay([o.AddMessages((message(ANN, 1), message(BOB, 2)))])

    box.replay([o.SetDraft(ANN, t.Draft(text="soon", date=5_000))])

    assert chats(box) == [ANN, BOB]


def test_what_is_left_to_read_follows_the_server_and_what_comes(box: Box) -> None:
    box.replay([o.PutReadStates((t.ReadBase(TEAM, CLOUD, 10, 10, 12, 2),))])

    box.replay([o.AddMessages((message(TEAM, 13), message(TEAM, 14, flags=0)), t.MessagePlace.NEWEST)])
    with box.reading() as tables:
        state = tables.read_states.get(TEAM, CLOUD)
        totals = [(row.audible, row.kind.name, row.messages, row.chats) for row in tables.unread_totals.all()]
    assert state is not None
    assert (state.count, state.read_in) == (3, 10)
    assert totals == [(False, "GROUP", 3, 1), (True, "GROUP", 3, 1)]

    box.replay([o.ReadInbox(TEAM, CLOUD, 14)])
    with box.reading() as tables:
        state = tables.read_states.get(TEAM, CLOUD)
        assert tables.unread_totals.all() == []
    assert state is not None
    assert (state.count, state.read_in) == (0, 14)


def test_a_chat_marked_unread_counts_as_one_with_nothing_in_it(box: Box) -> None:
    box.replay([o.AddMessages((message(BOB, 1),)), o.PutReadStates((t.ReadBase(BOB, CLOUD, 1, 0, 1, 0),))])

    box.replay([o.MarkUnread(BOB, True)])

    with box.reading() as tables:
        state = tables.read_states.get(BOB, CLOUD)
        totals = [(row.messages, row.chats) for row in tables.unread_totals.all()]
    assert state is not None
    assert (state.count, state.marked, totals) == (0, True, [(1, 1), (1, 1)])


def test_an_answer_of_another_time_puts_the_count_in_doubt(box: Box) -> None:
    box.replay([o.SetState(100, 0, 0, 0)])

    box.replay([o.ResetIncomingRead(BOB, CLOUD, 5, 2, 120)])

    with box.reading() as tables:
        assert [row.peer_id for row in tables.read_sync.all()] == [BOB]


def test_shared_media_outlive_one_of_two_messages(box: Box) -> None:
    photo = t.Photo(t.FileId(77))
    box.replay([o.AddMessages((message(ANN, 1, media=(photo,)), message(BOB, 2, media=(photo,))))])
    with box.reading() as tables:
        assert len(tables.shared_media.all()) == 1

    box.replay([o.DeleteMessages((t.MessageId(ANN, CLOUD, 1),))])

    with box.reading() as tables:
        assert tables.shared_media.all() == []
        (left,) = tables.message.all()
    assert left.media == (photo,)


def test_a_medium_is_rewritten_wherever_it_is(box: Box) -> None:
    photo, other = t.Photo(t.FileId(77)), t.Photo(t.FileId(77), spoiler=True)
    box.replay([o.AddMessages((message(ANN, 1, media=(photo,)), message(BOB, 2, media=(photo,))))])

    box.replay([o.RewriteMedia(t.FileId(77), other)])

    with box.reading() as tables:
        assert [row.media for row in tables.message.all()] == [(other,), (other,)]


def test_an_edit_keeps_what_the_store_knows(box: Box) -> None:
    seen = t.Transcription(5, "heard")
    box.replay([o.AddMessages((message(ANN, 1, attributes=(seen,)),))])

    box.replay([o.EditMessage(message(ANN, 1, text="other", flags=0)), o.EditMessage(message(ANN, 9))])

    with box.reading() as tables:
        (row,) = tables.message.all()
    assert (row.text, row.flags, row.attributes) == ("other", t.MessageFlags.INCOMING, (seen,))


def test_reactions_replace_those_before_and_leave_the_rest(box: Box) -> None:
    box.replay([o.AddMessages((message(ANN, 1, attributes=(t.Views(3),)),))])
    id_ = t.MessageId(ANN, CLOUD, 1)

    box.replay(
        [
            o.SetReactions(id=id_, counts=(t.ReactionCount("+", 2),), is_tags=False, can_list=True),
            o.CountViews(id_, 9),
            o.CountViews(id_, 4),
        ]
    )

    with box.reading() as tables:
        (row,) = tables.message.all()
    assert row.attributes == (t.Reactions((t.ReactionCount("+", 2),), can_list=True), t.Views(9))


def test_names_are_found_by_their_words_in_their_letters_and_in_latin_ones(box: Box) -> None:
    box.replay([o.SetContact(ANN, True, False)])

    with box.reading() as tables:
        found = {row.token for row in tables.peer_tokens.all()}

    assert {"ann", "лисица"} <= found
    assert any(token.isascii() and token != "ann" for token in found)


def test_one_that_came_along_with_something_else_takes_nothing_away(box: Box) -> None:
    full = t.Peers(
        peer_id=ANN,
        name="Ann",
        usernames=("ann",),
        flags=t.PeerFlags.PREMIUM,
        access_hash=42,
        data=t.UserData("Ann"),
    )
    box.replay([o.MergeUsers((full,))])

    box.replay([o.MergeUsers((t.Peers(peer_id=ANN, name="A.", flags=t.PeerFlags.MIN, data=t.UserData()),))])

    with box.reading() as tables:
        assert tables.peers.get(ANN) == full


def test_album_and_pending_action_go_with_their_messages(box: Box) -> None:
    box.replay([o.AddMessages(tuple(message(ANN, n, grouping_key=8) for n in (1, 2, 3)))])
    box.replay([o.SetPendingAction(t.MessageId(ANN, CLOUD, 1), t.PendingKind.UPDATE_REACTION, b"x")])

    box.replay([o.DeleteMessages((t.MessageId(ANN, CLOUD, 1),))])

    with box.reading() as tables:
        assert {row.first_id for row in tables.albums.all()} == {2}
        assert tables.pending_actions.all() == []
        assert tables.pending_totals.all() == []


def test_votes_are_taken_into_a_poll_and_what_they_leave_out_stays(box: Box) -> None:
    before = t.PollResults(total=1, has_unseen=True)
    poll = t.Poll(poll_id=t.FileId(9), question="Where?", closed=False, results=before)
    box.replay([o.AddMessages((message(TEAM, 1, media=(poll,)),))])

    box.replay([o.UpdatePoll(t.FileId(9), None, t.PollResults(total=4))])

    with box.reading() as tables:
        (row,) = tables.message.all()
    (after,) = row.media
    assert isinstance(after, t.Poll)
    assert (after.question, after.voters) == ("Where?", 4)
    assert after.results == t.PollResults(total=4, has_unseen=True)


def test_a_thread_counts_what_comes_in_and_is_read_to_its_end(box: Box) -> None:
    thread = t.Threads(peer_id=TEAM, thread_id=5, title="Plans", created_at=1)
    box.replay([o.PutThreads((thread,))])
    box.replay(
        [o.AddMessages((message(TEAM, 6, thread_id=5), message(TEAM, 7, thread_id=5)), t.MessagePlace.NEWEST)]
    )

    with box.reading() as tables:
        (listed,) = tables.thread_list.all()
        (summary,) = tables.threads_summary.all()
    assert (listed.unread, summary.unread, summary.loud) == (2, 1, True)

    box.replay([o.ReadThread(TEAM, 5, 7, True)])
    with box.reading() as tables:
        assert [row.unread for row in tables.thread_list.all()] == [0]
