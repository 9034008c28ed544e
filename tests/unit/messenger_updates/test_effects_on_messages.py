"""What updates of messages, stories and the account do to a box, where an operation is theirs alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.unit.messenger_updates.followed import follow, known_as, known_chats, profile
from tests.unit.messenger_updates.told import ANN, BOB, CLOUD, NEWS, cloud, message

from pillarbox.codec import RecordCodec
from pillarbox_messenger import Box
from pillarbox_messenger import events as e
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import updates as u

SERVER = t.peer_id(t.PeerNamespace.USER, 777_000)
QUICK = t.MessageNamespace.QUICK_REPLY
SCHEDULED = t.MessageNamespace.SCHEDULED


@pytest.fixture
def box() -> Iterator[Box]:
    with known_chats() as found:
        yield found


def preference(box: Box, item: t.PreferenceItem, type_: Any) -> Any:
    with box.reading() as tables:
        found = tables.preferences.get(item, 0)
    assert found is not None
    return RecordCodec(type_, "preference").decode(found.value)


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
