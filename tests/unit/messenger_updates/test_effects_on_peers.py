"""What updates of groups and people do to a box, where an operation is theirs alone: small stories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.unit.messenger_updates.followed import follow, known_as, known_chats, profile
from tests.unit.messenger_updates.told import ANN, BOB, NEWS, SECRET, TEAM

from pillarbox_messenger import Box
from pillarbox_messenger import events as e
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import updates as u

EVE = t.peer_id(t.PeerNamespace.USER, 3)
MEMBER = t.GroupMember(peer_id=ANN, invited_by=EVE, invited_at=700)
CREATOR = t.GroupCreator(peer_id=EVE)


@pytest.fixture
def box() -> Iterator[Box]:
    with known_chats() as found:
        yield found


def members(box: Box) -> Any:
    return profile(box, TEAM).participants.members


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
