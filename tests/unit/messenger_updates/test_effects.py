"""What updates do to a box, where an operation is theirs alone: small stories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.unit.messenger_updates.told import ANN, AROUND, BOB, CLOUD, NEWS, SECRET, TEAM, cloud, message

from pillarbox.codec import RecordCodec
from pillarbox.sync import Poll, Unhandled
from pillarbox_messenger import Box, open_box
from pillarbox_messenger import events as e
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import updates as u

EVE = t.peer_id(t.PeerNamespace.USER, 3)
SERVER = t.peer_id(t.PeerNamespace.USER, 777_000)
MEMBER = t.GroupMember(peer_id=ANN, invited_by=EVE, invited_at=700)
CREATOR = t.GroupCreator(peer_id=EVE)
QUICK = t.MessageNamespace.QUICK_REPLY
SCHEDULED = t.MessageNamespace.SCHEDULED


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(":memory:") as found:
        found.replay(
            [
                o.UpdatePeers(
                    (
                        t.Peers(peer_id=ANN, name="Ann", data=t.UserData()),
                        t.Peers(peer_id=TEAM, name="Team", data=t.GroupData(participants=2, version=3)),
                        t.Peers(peer_id=NEWS, name="News", data=t.ChannelData(created_at=1)),
                        t.Peers(peer_id=SECRET, name="Ann", data=t.UnknownData(), associated_id=ANN),
                    )
                )
            ]
        )
        yield found


def follow(box: Box, *updates: u.Update) -> tuple[Any, ...]:
    """Apply what the updates become; the events of it."""
    emitted = [one for update in updates for one in u.emit(update, AROUND)]
    return box.replay([one for one in emitted if not isinstance(one, Poll | Unhandled)]).events


def profile(box: Box, peer_id: t.PeerId) -> Any:
    with box.reading() as tables:
        found = tables.cached_peers.get(peer_id)
    return None if found is None else found.data


def known_as(box: Box, peer_id: t.PeerId) -> Any:
    with box.reading() as tables:
        return tables.peers.get(peer_id)


def members(box: Box) -> Any:
    return profile(box, TEAM).participants.members


def preference(box: Box, item: t.PreferenceItem, type_: Any) -> Any:
    with box.reading() as tables:
        found = tables.preferences.get(item, 0)
    assert found is not None
    return RecordCodec(type_, "preference").decode(found.value)


# ------------------------------------------------------------------------------------------------ groups


@pytest.fixture
def team(box: Box) -> Box:
    known = t.Participants(members=(CREATOR, MEMBER), version=1)
    follow(box, u.UpdateChatParticipants(t.GroupParticipants(TEAM, known)))
    return box


def test_who_comes_and_goes_is_in_the_list_once(team: Box) -> None:
    came = u.UpdateChatParticipantAdd(TEAM, BOB, ANN, 800, 2)

    follow(team, came, came)
    assert [member.peer_id for member in members(team)] == [EVE, ANN, BOB]

    follow(team, u.UpdateChatParticipantDelete(TEAM, ANN, 3))
    assert [member.peer_id for member in members(team)] == [EVE, BOB]


def test_a_member_becomes_an_admin_and_back_with_a_rank(team: Box) -> None:
    follow(
        team,
        u.UpdateChatParticipantRank(TEAM, ANN, "boss", 2),
        u.UpdateChatParticipantAdmin(TEAM, ANN, True, 2),
    )
    assert members(team) == (CREATOR, t.GroupAdmin(peer_id=ANN, invited_by=EVE, invited_at=700, rank="boss"))

    follow(
        team, u.UpdateChatParticipantAdmin(TEAM, ANN, False, 2), u.UpdateChatParticipantRank(TEAM, ANN, "", 2)
    )
    assert members(team) == (CREATOR, MEMBER)


def test_a_list_that_is_not_known_does_not_begin_with_one(box: Box) -> None:
    follow(
        box,
        u.UpdateChatParticipantAdd(TEAM, BOB, ANN, 800, 2),
        u.UpdateChatParticipantDelete(TEAM, BOB, 3),
        u.UpdateChatParticipantAdmin(TEAM, ANN, True, 4),
        u.UpdateChatParticipantRank(TEAM, ANN, "boss", 5),
    )

    assert profile(box, TEAM) is None


def test_rights_of_an_older_version_are_too_late(box: Box) -> None:
    new, old = t.BannedRights(t.BannedFlags.POLLS, 0), t.BannedRights(t.BannedFlags.LINKS, 0)

    follow(box, u.UpdateChatDefaultBannedRights(TEAM, new, 5), u.UpdateChatDefaultBannedRights(TEAM, old, 4))
    follow(box, u.UpdateChatDefaultBannedRights(NEWS, new, 0))

    assert known_as(box, TEAM).data == t.GroupData(participants=2, version=5, default_banned=new)
    assert known_as(box, NEWS).data.default_banned == new


def test_commands_are_those_of_their_bot(team: Box) -> None:
    go = (t.BotCommand("go", "Goes."),)
    bots = (t.BotDescription(description="a", peer_id=BOB), t.BotDescription(description="b", peer_id=EVE))
    data = t.CachedGroup(bots=bots)
    team.replay([o.PutCachedPeer(TEAM, data, 1)])

    follow(team, u.UpdateBotCommands(TEAM, EVE, go), u.UpdateBotCommands(TEAM, ANN, go))

    assert {bot.peer_id: bot.commands for bot in profile(team, TEAM).bots} == {BOB: (), EVE: go}


def test_requests_to_join_are_in_the_profile(team: Box) -> None:
    follow(team, u.UpdatePendingJoinRequests(TEAM, 2, (BOB,)))

    assert (profile(team, TEAM).requests, profile(team, TEAM).recent_requesters) == (2, (BOB,))


# ------------------------------------------------------------------------------------------------- people


def test_a_user_has_other_names_phone_and_status(box: Box) -> None:
    names = (t.Username("ann", t.UsernameFlags.ACTIVE), t.Username("lee", 0))
    status = t.EmojiStatus(t.FileId(7))

    follow(
        box,
        u.UpdateUserName(ANN, "Ann", "Lee", names),
        u.UpdateUserPhone(ANN, "123"),
        u.UpdateUserEmojiStatus(ANN, status),
    )

    known = known_as(box, ANN)
    assert (known.name, known.usernames) == ("Ann", ("ann", "lee"))
    assert known.data == t.UserData(usernames=names, phone="123", look=t.Look(status=status))

    follow(box, u.UpdateUserEmojiStatus(ANN), u.UpdateUserPhone(ANN, ""))
    assert known_as(box, ANN).data == t.UserData(usernames=names, look=t.Look())


def test_who_is_blocked_has_a_profile(box: Box) -> None:
    follow(box, u.UpdatePeerBlocked(True, True, ANN), u.UpdatePeerSettings(ANN, t.StatusSettings(3)))
    assert profile(box, ANN).blocked
    assert profile(box, ANN).flags == t.CachedUserFlags.BLOCKED_STORIES
    assert profile(box, ANN).status == t.StatusSettings(3)

    follow(box, u.UpdatePeerBlocked(False, False, ANN))
    assert (profile(box, ANN).blocked, profile(box, ANN).flags) == (False, 0)


def test_a_menu_is_taken_over_where_the_bot_is_known(box: Box) -> None:
    follow(box, u.UpdateBotMenuButton(ANN, t.CommandsMenu()))
    assert profile(box, ANN) is None

    box.replay(
        [o.PutCachedPeer(ANN, t.CachedUser(common_groups=0, bot=t.BotDescription(description="x")), 1)]
    )
    follow(box, u.UpdateBotMenuButton(ANN, t.CommandsMenu()))
    assert profile(box, ANN).bot.menu == t.CommandsMenu()


def test_in_a_secret_chat_it_is_the_other_who_types(box: Box) -> None:
    assert follow(box, u.UpdateEncryptedChatTyping(SECRET)) == (
        e.ActivitySeen(peer_id=SECRET, author_id=ANN, activity=t.Typing()),
    )


def test_a_topic_has_settings_of_its_own(box: Box) -> None:
    box.replay([o.PutThreads((t.Threads(peer_id=NEWS, thread_id=4, title="Tea", created_at=1),))])
    loud = t.PeerSettings(mute=t.MuteState.UNMUTED)

    follow(box, u.UpdateNotifySettings(t.NotifyTopic(NEWS, 4), loud))

    with box.reading() as tables:
        thread = tables.threads.get(NEWS, 4)
        assert thread is not None
        assert thread.settings == loud
        assert tables.notification_settings.get(NEWS) is None


# ----------------------------------------------------------------------------------------------- messages


def test_a_notice_of_the_server_comes_once(box: Box) -> None:
    notice = u.UpdateServiceNotification(
        popup=True, invert_media=False, inbox_date=900, type="auth", message="Hello"
    )

    told, again = follow(box, notice), follow(box, notice)

    assert [type(event).__name__ for event in told] == ["AlertRaised", "MessageAdded", "Noticed"]
    assert [type(event).__name__ for event in again] == ["AlertRaised"]
    with box.reading() as tables:
        found = [row for row in tables.message.all() if row.peer_id == SERVER]
    assert [(row.namespace, row.timestamp, row.text) for row in found] == [
        (t.MessageNamespace.LOCAL, 900, "Hello")
    ]
    assert known_as(box, SERVER) is not None


def test_a_channel_message_carries_the_position_of_its_channel(box: Box) -> None:
    """C-5."""
    follow(box, u.UpdateNewChannelMessage(message(NEWS), 70, 3))

    with box.reading() as tables:
        (found,) = tables.message.all()
        channel = tables.channel.get(NEWS)
    assert found.attributes == (t.ChannelVersion(77),)
    assert channel is not None
    assert channel.synchronized == 5


def test_scheduled_messages_and_quick_replies_are_deleted_where_they_stand(box: Box) -> None:
    box.replay(
        [
            o.SetAccount(t.AccountState(account=0, peer_id=BOB, datacenter=2)),
            o.AddMessages(
                (message(ANN, 5), message(ANN, 5, namespace=SCHEDULED), message(BOB, 5, namespace=QUICK))
            ),
        ]
    )

    events = follow(
        box, u.UpdateDeleteScheduledMessages(ANN, (5,), (6,)), u.UpdateDeleteQuickReplyMessages(3, (5,))
    )

    with box.reading() as tables:
        assert [(row.peer_id, row.namespace) for row in tables.message.all()] == [(ANN, CLOUD)]
    assert events == (
        e.MessagesDeleted((t.MessageId(ANN, SCHEDULED, 5),)),
        e.ScheduledSent(ANN, (6,)),
        e.MessagesDeleted((t.MessageId(BOB, QUICK, 5),)),
    )


def test_contents_that_were_read_begin_to_end_in_any_chat(box: Box) -> None:
    ends = message(ANN, 5, attributes=(t.Autoclear(60), t.Consumable(False)))
    box.replay([o.AddMessages((ends,))])

    follow(box, u.UpdateReadMessagesContents(messages=(5,), pts=70, pts_count=3, date=900))

    with box.reading() as tables:
        (found,) = tables.message.all()
    assert found.attributes == (t.Autoclear(60, 900), t.Consumable(True))


def test_what_a_channel_took_away_is_said_in_its_profile(box: Box) -> None:
    box.replay(
        [o.AddMessages((message(NEWS, 5), message(NEWS, 6))), o.PutCachedPeer(NEWS, t.CachedChannel(), 1)]
    )

    follow(box, u.UpdateChannelAvailableMessages(NEWS, 5))

    with box.reading() as tables:
        assert [row.id for row in tables.message.all()] == [6]
    assert profile(box, NEWS).min_available_id == cloud(NEWS, 5)


def reactions(box: Box) -> dict[str, t.ReactionCount]:
    with box.reading() as tables:
        (found,) = tables.message.all()
    return {
        count.value: count
        for attribute in found.attributes
        if isinstance(attribute, t.Reactions)
        for count in attribute.counts
    }


def reacted(*counts: t.ReactionCount, is_min: bool = False) -> u.UpdateMessageReactions:
    told = t.MessageReactions(counts=counts, is_min=is_min)
    return u.UpdateMessageReactions(peer=NEWS, msg_id=5, reactions=told)


def test_reactions_that_do_not_say_whose_they_are_leave_ours(box: Box) -> None:
    """The first of ours is not the only one that stays, as it is in the reference."""
    ours = (
        t.ReactionCount("a", 1, chosen=True, chosen_order=0),
        t.ReactionCount("b", 1, chosen=True, chosen_order=1),
        t.ReactionCount("c", 4),
    )
    box.replay([o.AddMessages((message(NEWS, 5),))])

    first = follow(box, reacted(*ours))
    follow(
        box, reacted(t.ReactionCount("a", 2), t.ReactionCount("b", 3), t.ReactionCount("c", 5), is_min=True)
    )

    assert first == (e.ReactionsChanged(cloud(NEWS, 5), 1_000),)
    assert reactions(box) == {
        "a": t.ReactionCount("a", 2, chosen=True, chosen_order=0),
        "b": t.ReactionCount("b", 3, chosen=True, chosen_order=1),
        "c": t.ReactionCount("c", 5),
    }

    follow(box, reacted(t.ReactionCount("c", 6)))
    assert reactions(box) == {"c": t.ReactionCount("c", 6)}


def test_a_story_that_does_not_say_what_is_ours_leaves_it(box: Box) -> None:
    body = t.StoryItem(
        timestamp=900,
        expires=1900,
        media=t.Unsupported(),
        text="now",
        reaction=t.Reaction("a"),
        views=t.StoryViews(3),
        flags=t.StoryFlags.MINE,
    )
    told = t.StoryItem(
        timestamp=900, expires=1900, media=t.Unsupported(), text="later", flags=t.StoryFlags.EDITED
    )

    follow(
        box, u.UpdateStory(ANN, t.ToldStory(3, body)), u.UpdateStory(ANN, t.ToldStory(3, told, is_min=True))
    )

    with box.reading() as tables:
        (found,) = tables.story_items.all()
        (single,) = tables.stories.all()
    assert found.body == single.body
    assert found.body == t.StoryItem(
        timestamp=900,
        expires=1900,
        media=t.Unsupported(),
        text="later",
        reaction=t.Reaction("a"),
        views=t.StoryViews(3),
        flags=t.StoryFlags.MINE | t.StoryFlags.EDITED,
    )


# ------------------------------------------------------------------------------------------------ account


def language(box: Box) -> tuple[int, dict[str, str]]:
    with box.reading() as tables:
        state = tables.language.get("en")
        return 0 if state is None else state.version, {
            row.entry: row.value for row in tables.language_entries.all()
        }


def test_texts_of_a_language_follow_their_versions(box: Box) -> None:
    forms = t.PluralForms(one="1 cup", other="cups")
    first = t.LanguageDifference("en", 0, 3, (t.PlainText("yes", "Yes"), t.PluralText("cups", forms)))
    second = t.LanguageDifference("en", 3, 4, (t.DeletedText("yes"),))

    follow(box, u.UpdateLangPack(first), u.UpdateLangPack(second))
    assert language(box) == (4, {"cups": "cups"})

    wanted = e.SyncWanted(t.Wanted.LANGUAGES, 0)
    assert follow(box, u.UpdateLangPack(first)) == (wanted,)
    assert language(box) == (0, {"cups": "cups"})
    assert follow(box, u.UpdateLangPackTooLong("en")) == (wanted,)


def test_what_a_table_keeps_as_bytes_is_of_the_type_that_the_update_had(box: Box) -> None:
    stealth = t.StealthMode(1500)
    privacy = t.PaidReactionPrivacy(t.PaidPrivacy.AS_PEER, NEWS)
    game = t.DiceGame(hash="h", stake=1, streak=2, params=(3,))

    follow(
        box,
        u.UpdateStoriesStealthMode(stealth),
        u.UpdatePaidReactionPrivacy(privacy),
        u.UpdateEmojiGameInfo(game),
        u.UpdateWebBrowserSettings(True, False),
        u.UpdateNewAuthorization(True, 9, 900, "Phone", "Here"),
    )

    assert preference(box, t.PreferenceItem.STORIES, t.StealthMode) == stealth
    assert preference(box, t.PreferenceItem.REACTION, t.PaidReactionPrivacy) == privacy
    assert preference(box, t.PreferenceItem.EMOJI_GAME, t.EmojiGame) == game
    assert preference(box, t.PreferenceItem.WEB_BROWSER, t.WebBrowser) == t.WebBrowser(True, False)
    with box.reading() as tables:
        (review,) = tables.ordered_items.all()
    read = RecordCodec(t.SessionReview, "review").decode(review.contents)
    assert read == t.SessionReview(9, 900, "Phone", "Here")


def test_a_session_that_was_confirmed_is_not_to_be_looked_at(box: Box) -> None:
    follow(box, u.UpdateNewAuthorization(True, 9, 900), u.UpdateNewAuthorization(False, 9))

    with box.reading() as tables:
        assert list(tables.ordered_items.all()) == []


def test_balances_are_those_of_the_account(box: Box) -> None:
    stars = u.UpdateStarsBalance(t.Balance(t.Currency.STARS, t.StarsAmount(5)))
    assert follow(box, stars) == ()

    box.replay([o.SetAccount(t.AccountState(account=0, peer_id=BOB, datacenter=2))])
    assert follow(box, stars) == (e.BalanceChanged(BOB, t.Currency.STARS, t.StarsAmount(5)),)
