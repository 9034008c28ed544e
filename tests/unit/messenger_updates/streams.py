"""Updates of messages, of what was read of them, of channels and of groups, and what each becomes.

Depends on: told, the generated `pillarbox_messenger`.  Never on: how it comes about.
"""

from __future__ import annotations

from typing import Final

from tests.unit.messenger_updates.told import (
    ANN,
    BOB,
    CHANNEL_CURSOR,
    CLAIM_END,
    CLOUD,
    DATE,
    NEWS,
    NOW,
    TEAM,
    UNDATED,
    Case,
    case,
    cloud,
    message,
)

from pillarbox.sync import Poll
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import updates as u
from pillarbox_messenger.keys import account_key, channel_key

PAGE: Final = t.WebPage(url="https://example.org/", webpage_id=t.FileId(9))
RESULTS: Final = t.PollResults(total=3)
POLL: Final = t.Poll(poll_id=t.FileId(8), question="Tea?", closed=False)
REACTIONS: Final = t.MessageReactions(
    counts=(t.ReactionCount("👍", 2),), recent=(t.RecentReaction("👍", t.ReactionKind.EMOJI),), can_list=True
)
NEWEST: Final = t.MessagePlace.NEWEST
WIPED: Final = message(media=(t.ActionMedia(t.HistoryWiped()),))
ASKS_REPORT: Final = message(attributes=(t.ReportDelivery(NOW // 1000 + 1),))
REPORT_IS_OVER: Final = message(attributes=(t.ReportDelivery(NOW // 1000),))
EDITED: Final = t.Edited(date=950)
#: What the stream of the channel stamps a message with (sync.md C-5).
STAMP: Final = t.ChannelVersion(CLAIM_END)
MEMBER: Final = t.GroupMember(peer_id=BOB, invited_by=ANN, invited_at=800)
RIGHTS: Final = t.BannedRights(t.BannedFlags.POLLS, 0)
POST: Final = t.peer_id(t.PeerNamespace.CHANNEL, 6)

MESSAGES: Final[tuple[Case, ...]] = (
    case(u.UpdateNewMessage(message(), 70, 3), o.AddMessages((message(),), NEWEST)),
    case(
        u.UpdateNewMessage(ASKS_REPORT, 70, 3),
        o.AddMessages((ASKS_REPORT,), NEWEST),
        o.ReportDeliveries((cloud(ANN, 5),)),
    ),
    case(u.UpdateNewMessage(REPORT_IS_OVER, 70, 3), o.AddMessages((REPORT_IS_OVER,), NEWEST)),
    case(u.UpdateMessageId(id=5, random_id=99), o.IdentifyMessage(random_id=99, id=5)),
    case(u.UpdateDeleteMessages(messages=(5, 6), pts=70, pts_count=3), o.DeleteByGlobalIds((5, 6))),
    case(
        u.UpdateServiceNotification(popup=True, invert_media=False, type="NEWS", message="Hello"),
        o.RaiseAlert("NEWS", t.TranslatedText("Hello")),
    ),
    case(
        u.UpdateServiceNotification(
            popup=False, invert_media=True, inbox_date=900, type="auth", message="Hello", media=PAGE
        ),
        o.AddNotice(kind="auth", date=900, text=t.TranslatedText("Hello"), media=PAGE, invert_media=True),
    ),
    case(u.UpdateWebPage(t.PageState(t.FileId(9), PAGE), 70, 3), o.RewriteMedia(t.FileId(9), PAGE)),
    case(u.UpdateWebPage(t.PageState(t.FileId(9)), 70, 3), o.RewriteMedia(t.FileId(9), None)),
    case(u.UpdateEditMessage(message(), 70, 3), o.EditMessage(message())),
    case(u.UpdateEditMessage(WIPED, 70, 3), o.EditMessage(WIPED), o.ReadInbox(ANN, CLOUD, 5)),
    case(
        u.UpdateMessagePoll(poll_id=t.FileId(8), poll=POLL, results=RESULTS),
        o.UpdatePoll(t.FileId(8), POLL, RESULTS),
    ),
    case(
        u.UpdateNewScheduledMessage(message(namespace=t.MessageNamespace.SCHEDULED)),
        o.AddScheduled((message(namespace=t.MessageNamespace.SCHEDULED),)),
    ),
    case(
        u.UpdateDeleteScheduledMessages(ANN, (5, 6)),
        o.DeleteIds(ANN, t.MessageNamespace.SCHEDULED, (5, 6)),
    ),
    case(
        u.UpdateDeleteScheduledMessages(ANN, (5,), (15,)),
        o.DeleteIds(ANN, t.MessageNamespace.SCHEDULED, (5,)),
        o.ReportScheduledSent(ANN, (15,)),
    ),
    case(
        u.UpdatePinnedMessages(pinned=True, peer=TEAM, messages=(5,), pts=70, pts_count=3),
        o.PinMessages(peer_id=TEAM, ids=(5,), pinned=True),
    ),
    case(
        u.UpdateMessageReactions(peer=NEWS, msg_id=5, reactions=REACTIONS),
        o.SetReactions(
            id=cloud(NEWS, 5),
            counts=REACTIONS.counts,
            recent=REACTIONS.recent,
            is_tags=False,
            can_list=True,
            at=DATE,
        ),
    ),
    case(
        u.UpdateMessageReactions(
            peer=NEWS, msg_id=5, reactions=t.MessageReactions(is_tags=True, is_min=True, filed_under=(b"x",))
        ),
        o.SetReactions(
            id=cloud(NEWS, 5), is_tags=True, can_list=False, filed_under=(b"x",), at=DATE, is_min=True
        ),
    ),
    case(
        u.UpdateMessageReactions(peer=NEWS, msg_id=5, reactions=t.MessageReactions()),
        o.SetReactions(id=cloud(NEWS, 5), is_tags=False, can_list=False),
        around=UNDATED,
    ),
    case(
        u.UpdateTranscribedAudio(pending=True, peer=ANN, msg_id=5, transcription_id=4, text="so"),
        o.PutTranscription(cloud(ANN, 5), 4, "so", True),
    ),
    case(
        u.UpdateMessageExtendedMedia(ANN, 5, (t.FullMedia(PAGE),)),
        o.PutExtendedMedia(cloud(ANN, 5), (t.FullMedia(PAGE),)),
    ),
    case(
        u.UpdateQuickReplyMessage(message(namespace=t.MessageNamespace.QUICK_REPLY)),
        o.AddQuickReplies((message(namespace=t.MessageNamespace.QUICK_REPLY),)),
    ),
    case(u.UpdateDeleteQuickReplyMessages(3, (5, 6)), o.DeleteQuickReplies((5, 6))),
)

READING: Final[tuple[Case, ...]] = (
    case(
        u.UpdateReadHistoryInbox(peer=ANN, max_id=9, still_unread_count=2, pts=70, pts_count=3),
        o.ResetIncomingRead(ANN, CLOUD, 9, 2, 70, 77),
    ),
    case(
        u.UpdateReadHistoryInbox(peer=ANN, top_msg_id=4, max_id=9, still_unread_count=2, pts=70, pts_count=3),
        o.ReadThread(ANN, 4, 9, True),
    ),
    case(u.UpdateReadHistoryOutbox(ANN, 9, 70, 3), o.ReadOutbox(ANN, CLOUD, 9, DATE)),
    case(u.UpdateReadHistoryOutbox(ANN, 9, 70, 3), o.ReadOutbox(ANN, CLOUD, 9), around=UNDATED),
    case(
        u.UpdateReadMessagesContents(messages=(5,), pts=70, pts_count=3, date=900),
        o.ReadContents(None, (5,), 900),
    ),
    case(
        u.UpdateReadChannelInbox(channel_id=NEWS, max_id=9, still_unread_count=2, pts=70),
        o.ResetIncomingRead(NEWS, CLOUD, 9, 2, 70, 50),
    ),
    case(u.UpdateReadChannelOutbox(NEWS, 9), o.ReadOutbox(NEWS, CLOUD, 9)),
    case(u.UpdateChannelReadMessagesContents(NEWS, messages=(5,)), o.ReadContents(NEWS, (5,))),
    case(u.UpdateDialogUnreadMark(True, t.DialogPeer(ANN)), o.MarkUnread(ANN, True)),
    case(u.UpdateDialogUnreadMark(False, t.DialogPeer(NEWS), BOB), o.MarkUnread(NEWS, False, BOB)),
    case(u.UpdateDialogUnreadMark(True, t.DialogFolder(1))),
    case(u.UpdateReadChannelDiscussionInbox(NEWS, 4, 9), o.ReadThread(NEWS, 4, 9, True)),
    case(
        u.UpdateReadChannelDiscussionInbox(NEWS, 4, 9, POST, 3),
        o.ReadThread(NEWS, 4, 9, True, cloud(POST, 3)),
    ),
    case(u.UpdateReadChannelDiscussionOutbox(NEWS, 4, 9), o.ReadThread(NEWS, 4, 9, False)),
    case(u.UpdateReadMonoForumInbox(NEWS, BOB, 9), o.ReadThread(NEWS, BOB, 9, True)),
    case(u.UpdateReadMonoForumOutbox(NEWS, BOB, 9), o.ReadThread(NEWS, BOB, 9, False)),
)

CHANNELS: Final[tuple[Case, ...]] = (
    # K-3: no poll where the channel is not known to be behind.
    case(u.UpdateChannelTooLong(NEWS), Poll(CHANNEL_CURSOR, channel_key(NEWS))),
    case(u.UpdateChannelTooLong(NEWS, 60), Poll(CHANNEL_CURSOR, channel_key(NEWS), 60)),
    case(u.UpdateChannelTooLong(NEWS, 50)),
    # K-5: it is asked about where nothing of it is known to be its newest.
    case(u.UpdateChannel(NEWS), o.TouchPeer(NEWS), Poll(CHANNEL_CURSOR, channel_key(NEWS))),
    case(
        u.UpdateNewChannelMessage(message(NEWS, attributes=(EDITED,)), 70, 3),
        o.AddMessages((message(NEWS, attributes=(EDITED, STAMP)),), NEWEST),
        o.SetChannelSynchronized(NEWS, 5),
    ),
    case(
        u.UpdateDeleteChannelMessages(channel_id=NEWS, messages=(5, 6), pts=70, pts_count=3),
        o.DeleteIds(NEWS, CLOUD, (5, 6)),
    ),
    case(u.UpdateChannelMessageViews(NEWS, 5, 900), o.CountViews(cloud(NEWS, 5), 900)),
    case(
        u.UpdateEditChannelMessage(message(NEWS, attributes=(t.ChannelVersion(1),)), 70, 3),
        o.EditMessage(message(NEWS, attributes=(STAMP,))),
    ),
    case(
        u.UpdateChannelWebPage(NEWS, t.PageState(t.FileId(9), PAGE), 70, 3), o.RewriteMedia(t.FileId(9), PAGE)
    ),
    case(u.UpdateChannelAvailableMessages(NEWS, 30), o.RaiseMinAvailable(cloud(NEWS, 30))),
    case(
        u.UpdatePinnedChannelMessages(pinned=False, channel_id=NEWS, messages=(5,), pts=70, pts_count=3),
        o.PinMessages(peer_id=NEWS, ids=(5,), pinned=False),
    ),
    case(u.UpdateMonoForumNoPaidException(True, NEWS, BOB), o.SetThreadFee(NEWS, BOB, True)),
    case(u.UpdatePinnedForumTopic(True, NEWS, 4), o.PinThread(NEWS, 4, True)),
    case(u.UpdatePinnedForumTopics(NEWS, (4, 2)), o.OrderPinnedThreads(NEWS, (4, 2))),
    case(u.UpdatePinnedForumTopics(NEWS), Poll(CHANNEL_CURSOR, channel_key(NEWS))),
)

GROUPS: Final[tuple[Case, ...]] = (
    case(
        u.UpdateChatParticipants(t.GroupParticipants(TEAM, t.Participants(members=(MEMBER,), version=2))),
        o.SetParticipants(TEAM, t.Participants(members=(MEMBER,), version=2)),
    ),
    case(u.UpdateChatParticipants(t.GroupParticipants(TEAM)), o.SetParticipants(TEAM)),
    case(u.UpdateChatParticipantAdd(TEAM, BOB, ANN, 800, 2), o.AddParticipant(TEAM, MEMBER)),
    case(u.UpdateChatParticipantDelete(TEAM, BOB, 2), o.RemoveParticipant(TEAM, BOB)),
    case(u.UpdateChatParticipantAdmin(TEAM, BOB, True, 2), o.SetParticipantAdmin(TEAM, BOB, True)),
    case(u.UpdateChatDefaultBannedRights(TEAM, RIGHTS, 2), o.SetDefaultRights(TEAM, RIGHTS, 2)),
    case(u.UpdateChat(TEAM), o.TouchPeer(TEAM)),
    case(u.UpdatePendingJoinRequests(TEAM, 2, (ANN, BOB)), o.SetJoinRequests(TEAM, 2, (ANN, BOB))),
    case(u.UpdateChatParticipantRank(TEAM, BOB, "boss", 2), o.SetParticipantRank(TEAM, BOB, "boss")),
    case(u.UpdateChatParticipantRank(TEAM, BOB, "", 2), o.SetParticipantRank(TEAM, BOB)),
    case(
        u.UpdateJoinChatWebViewDecision(NEWS, 3, t.JoinWebView("https://example.org/")),
        o.DecideJoin(NEWS, 3, t.JoinWebView("https://example.org/")),
    ),
    # G-18: the stream of the account is asked for.
    case(u.UpdatePtsChanged(), Poll(310, account_key())),
)

STREAMS: Final = (*MESSAGES, *READING, *CHANNELS, *GROUPS)
