"""Updates of people, chats, calls, stories, collections and the account, and what each becomes.

Depends on: told, the generated `pillarbox_messenger`.  Never on: how it comes about.
"""

from __future__ import annotations

from typing import Final

from tests.unit.messenger_updates.told import (
    ANN,
    BOB,
    DATE,
    LATE,
    NEWS,
    SECRET,
    TEAM,
    Case,
    case,
)

from pillarbox.codec import encoded
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import updates as u

HASH: Final = t.AccessHash(5)
LOUD: Final = t.PeerSettings(mute=t.MuteState.UNMUTED)
MUTE: Final = t.PeerSettings(mute=t.MuteState.MUTED, show_previews=t.Choice.HIDE)
WRITTEN: Final = t.TranslatedText("Hel", (t.TextEntity(0, 3, t.EntityKind.BOLD),))
DRAFT: Final = t.Draft(text="Hello", date=900)
FOLDER: Final = t.Folder(title="Work", categories=0)
PINNED: Final = (t.DialogPeer(BOB), t.DialogFolder(1), t.DialogPeer(ANN))
SEALED: Final = t.EncryptedMessage(random_id=9, chat_id=SECRET, date=900, data=b"?", service=False)
REQUESTED: Final = t.EncryptedChatRequested(
    id=SECRET, access_hash=HASH, date=900, admin_id=ANN, participant_id=BOB, key=b"k"
)
GROUP_CALL: Final = t.CallReference(3, HASH)
RUNNING: Final = t.GroupCallRunning(
    id=3,
    access_hash=HASH,
    flags=t.GroupCallFlags.SUBSCRIBED,
    participants=2,
    title="Tea",
    videos_limit=1,
    version=1,
)
SPEAKER: Final = t.Speaker(peer_id=ANN, flags=0, date=900, source=1)
STORY: Final = t.StoryItem(
    timestamp=900, expires=1900, media=t.Unsupported(), text="", flags=t.StoryFlags.CLOSE_FRIENDS
)
HEART: Final = t.Reaction("❤")
PACK: Final = t.Pack(
    t.CollectionKind.EMOJI_PACKS,
    t.CollectionId(4),
    t.CollectionInfo("Cats", "cats", 1),
    (t.CollectionItems(t.CollectionKind.EMOJI_PACKS, t.CollectionId(4), 0, 1, t.Unsupported()),),
)
IDS: Final = (t.CollectionId(4), t.CollectionId(5))
STEALTH: Final = t.StealthMode(1500)
THEME: Final = t.Theme(
    id=6, access_hash=HASH, slug="sea", title="Sea", creator=False, standard=False, for_chat=True
)
ENGLISH: Final = t.LanguageDifference("en", 3, 5, (t.PlainText("yes", "Yes"), t.DeletedText("no")))
STARS: Final = t.StarsAmount(12)
REVENUE: Final = t.Revenue(current=STARS, available=STARS, overall=STARS, withdrawal=True)
AUCTION: Final = t.AuctionFinished(start_date=1, end_date=2, average_price=3)
BID: Final = t.OwnAuctionState(acquired=1, returned=False)
SITE: Final = t.WebException("example.org", "Example", None, "https://example.org/")


def draft(
    peer_id: t.PeerId, thread_id: int, author_id: t.PeerId, written: t.TranslatedText
) -> o.AddTypingDraft:
    row = t.TypingDrafts(
        peer_id=peer_id,
        thread_id=thread_id,
        draft_id=8,
        author_id=author_id,
        timestamp=DATE,
        text=written.text,
        entities=written.entities,
    )
    return o.AddTypingDraft(row)


def global_settings(subject: t.GlobalSubject) -> o.PutGlobalSettings:
    return o.PutGlobalSettings(subject, t.KindSettings(enabled=False, previews=False))


PEERS: Final[tuple[Case, ...]] = (
    # Typing counts for a minute.
    case(u.UpdateUserTyping(ANN, None, t.Typing()), o.AddActivity(ANN, None, ANN, t.Typing())),
    case(u.UpdateUserTyping(ANN, 4), o.AddActivity(ANN, 4, ANN)),
    case(u.UpdateUserTyping(ANN, None, t.Typing()), around=LATE),
    case(u.UpdateUserTyping(ANN, 4, t.WritingText(8, WRITTEN)), draft(ANN, 4, ANN, WRITTEN)),
    case(u.UpdateUserTyping(ANN, 4, t.WritingText(8, WRITTEN)), around=LATE),
    case(u.UpdateChatUserTyping(TEAM, ANN, t.PlayingGame()), o.AddActivity(TEAM, None, ANN, t.PlayingGame())),
    case(u.UpdateChatUserTyping(TEAM, ANN, t.PlayingGame()), around=LATE),
    case(
        u.UpdateChannelUserTyping(channel_id=NEWS, top_msg_id=4, from_id=ANN, action=t.UploadingFile(60)),
        o.AddActivity(NEWS, 4, ANN, t.UploadingFile(60)),
    ),
    case(
        u.UpdateChannelUserTyping(channel_id=NEWS, from_id=ANN, action=t.WritingText(8, WRITTEN)),
        draft(NEWS, 0, ANN, WRITTEN),
    ),
    case(
        u.UpdateChannelUserTyping(
            channel_id=NEWS, top_msg_id=4, from_id=ANN, action=t.WritingPage(8, b"page")
        ),
        o.AddTypingDraft(
            t.TypingDrafts(
                peer_id=NEWS, thread_id=4, draft_id=8, author_id=ANN, timestamp=DATE, text="", rich=b"page"
            )
        ),
    ),
    case(u.UpdateEncryptedChatTyping(SECRET), o.AddActivity(SECRET, activity=t.Typing())),
    case(u.UpdateEncryptedChatTyping(SECRET), around=LATE),
    case(
        u.UpdateUserStatus(ANN, t.UserStatus(t.PresenceStatus.PRESENT, 1200)),
        o.MergePresences(presences=(t.PresenceUpdate(ANN, t.PresenceStatus.PRESENT, 1200),), explicit=True),
    ),
    case(
        u.UpdateUserName(ANN, "Ann", "Lee", (t.Username("ann", 0),)),
        o.SetUsernames(ANN, (t.Username("ann", 0),)),
    ),
    case(u.UpdateUserPhone(ANN, "123"), o.SetPhone(ANN, "123")),
    case(
        u.UpdateUserEmojiStatus(ANN, t.EmojiStatus(t.FileId(7))),
        o.SetEmojiStatus(ANN, t.EmojiStatus(t.FileId(7))),
    ),
    case(u.UpdateUserEmojiStatus(ANN), o.SetEmojiStatus(ANN)),
    case(u.UpdateNotifySettings(t.NotifyPeer(ANN), LOUD), o.PutSettings(ANN, LOUD)),
    case(u.UpdateNotifySettings(t.NotifyTopic(NEWS, 4), LOUD), o.PutThreadSettings(NEWS, 4, LOUD)),
    case(u.UpdateNotifySettings(t.NotifyUsers(), MUTE), global_settings(t.GlobalSubject.PRIVATE)),
    case(u.UpdateNotifySettings(t.NotifyGroups(), MUTE), global_settings(t.GlobalSubject.GROUPS)),
    case(u.UpdateNotifySettings(t.NotifyBroadcasts(), MUTE), global_settings(t.GlobalSubject.CHANNELS)),
    case(u.UpdateNotifySettings(t.NotifyCommunity(3), MUTE)),
    case(u.UpdatePeerSettings(ANN, t.StatusSettings(0)), o.SetPeerStatus(ANN, t.StatusSettings(0))),
    case(u.UpdatePeerBlocked(True, False, ANN), o.SetBlocked(ANN, True, False)),
    case(u.UpdatePeerHistoryTtl(ANN, 60), o.SetAutoremove(ANN, 60)),
    case(
        u.UpdatePeerWallpaper(False, ANN, t.EmojiWallpaper("🌊")), o.SetWallpaper(ANN, t.EmojiWallpaper("🌊"))
    ),
    case(
        u.UpdateBotCommands(TEAM, BOB, (t.BotCommand("go", "Goes."),)),
        o.SetBotCommands(TEAM, BOB, (t.BotCommand("go", "Goes."),)),
    ),
    case(u.UpdateBotMenuButton(BOB, t.CommandsMenu()), o.SetBotMenu(BOB, t.CommandsMenu())),
)

CHATS: Final[tuple[Case, ...]] = (
    case(u.UpdateDraftMessage(ANN, draft=DRAFT), o.SetDraft(ANN, DRAFT)),
    case(u.UpdateDraftMessage(NEWS, 4, draft=DRAFT), o.SetDraft(NEWS, DRAFT, 4)),
    case(u.UpdateDraftMessage(NEWS, None, BOB), o.SetDraft(NEWS, None, BOB)),
    case(u.UpdateDialogPinned(pinned=True, peer=t.DialogPeer(ANN)), o.UpdatePins(0, t.ChatPinned(ANN))),
    case(
        u.UpdateDialogPinned(pinned=False, folder_id=1, peer=t.DialogPeer(ANN)),
        o.UpdatePins(1, t.ChatUnpinned(ANN)),
    ),
    case(u.UpdateDialogPinned(pinned=True, peer=t.DialogFolder(1))),
    case(u.UpdatePinnedDialogs(None, PINNED), o.UpdatePins(0, t.PinsReordered((BOB, ANN)))),
    case(u.UpdatePinnedDialogs(1), o.UpdatePins(1, t.PinsUnknown())),
    case(
        u.UpdateFolderPeers(folder_peers=(t.FolderPeer(ANN, 1), t.FolderPeer(BOB, 0)), pts=70, pts_count=3),
        o.SetInclusion(ANN, 1),
        o.SetInclusion(BOB, 0),
    ),
    case(u.UpdateDialogFilter(2, FOLDER), o.PutFolder(2, FOLDER)),
    case(u.UpdateDialogFilter(2), o.PutFolder(2)),
    case(u.UpdateDialogFilterOrder((2, 1)), o.OrderFolders((2, 1))),
    case(u.UpdateDialogFilters(), o.SyncFolders()),
    case(u.UpdateSavedDialogPinned(True, t.DialogPeer(ANN)), o.UpdateSavedPins(t.ChatPinned(ANN))),
    case(u.UpdateSavedDialogPinned(False, t.DialogPeer(ANN)), o.UpdateSavedPins(t.ChatUnpinned(ANN))),
    case(u.UpdatePinnedSavedDialogs(PINNED), o.UpdateSavedPins(t.PinsReordered((BOB, ANN)))),
    case(u.UpdatePinnedSavedDialogs(), o.UpdateSavedPins(t.PinsUnknown())),
)

SECRETS_AND_CALLS: Final[tuple[Case, ...]] = (
    case(
        u.UpdateNewEncryptedMessage(SEALED, 70),
        o.AddSecretMessages((t.SecretEntry(SECRET, encoded(SEALED)),)),
    ),
    case(u.UpdateEncryption(REQUESTED, 900), o.UpdateSecretChat(SECRET, REQUESTED, 900)),
    case(u.UpdateEncryptedMessagesRead(SECRET, 800, 900), o.ReadSecretOutbox(SECRET, 800, 900)),
    case(u.UpdatePhoneCall(t.CallNone(3)), o.ReportCall(3, t.CallNone(3))),
    case(u.UpdatePhoneCallSignalingData(3, b"s"), o.ReportSignaling(3, b"s")),
    case(
        u.UpdateGroupCallParticipants(call=GROUP_CALL, participants=(SPEAKER,), version=2),
        o.ReportParticipants(call_id=3, access_hash=HASH, participants=(SPEAKER,), version=2),
    ),
    case(
        u.UpdateGroupCall(live_story=False, peer=TEAM, call=RUNNING),
        o.SetGroupCall(
            peer_id=TEAM, call_id=3, active=t.ActiveCall(3, HASH, "Tea", subscribed=True), call=RUNNING
        ),
    ),
    case(
        u.UpdateGroupCall(live_story=False, peer=TEAM, call=t.GroupCallEnded(3, HASH, 60)),
        o.SetGroupCall(peer_id=TEAM, call_id=3, call=t.GroupCallEnded(3, HASH, 60)),
    ),
    case(
        u.UpdateGroupCallChainBlocks(call=GROUP_CALL, sub_chain_id=1, blocks=(b"b",), next_offset=2),
        o.ReportChainBlocks(call_id=3, access_hash=HASH, chain_id=1, blocks=(b"b",), next_offset=2),
    ),
    case(
        u.UpdateGroupCallMessage(
            GROUP_CALL, t.CallMessage(id=4, from_id=ANN, date=900, text=WRITTEN, stars=7, from_admin=True)
        ),
        o.ReportCallMessage(3, ANN, True, 4, WRITTEN, 900, 7),
    ),
    case(u.UpdateGroupCallEncryptedMessage(GROUP_CALL, ANN, b"e"), o.ReportOpaqueMessage(3, ANN, b"e")),
)

STORIES_AND_COLLECTIONS: Final[tuple[Case, ...]] = (
    case(
        u.UpdateStory(ANN, t.ToldStory(3, STORY)),
        o.PutStory(story_id=t.StoryId(ANN, 3), body=STORY, expires=1900, close_friends=True),
    ),
    case(
        u.UpdateStory(ANN, t.ToldStory(3, t.StoryPlaceholder(900, 1900))),
        o.PutStory(
            story_id=t.StoryId(ANN, 3),
            body=t.StoryPlaceholder(900, 1900),
            expires=1900,
            close_friends=False,
        ),
    ),
    case(
        u.UpdateStory(ANN, t.ToldStory(3, STORY, is_min=True)),
        o.PutStory(story_id=t.StoryId(ANN, 3), body=STORY, expires=1900, close_friends=True, is_min=True),
    ),
    case(u.UpdateStory(ANN, t.ToldStory(3)), o.PutStory(story_id=t.StoryId(ANN, 3), close_friends=False)),
    case(u.UpdateReadStories(ANN, 3), o.ReadStories(ANN, 3)),
    case(u.UpdateStoriesStealthMode(STEALTH), o.SetStealth(encoded(STEALTH))),
    case(u.UpdateSentStoryReaction(ANN, 3, HEART), o.ReactToStory(t.StoryId(ANN, 3), HEART)),
    case(
        u.UpdateNewStickerSet(PACK),
        o.UpdatePacks(t.PackAdded(PACK.kind, PACK.collection_id, PACK.info)),
        o.ReplaceCollectionItems(PACK.kind, PACK.collection_id, PACK.items),
    ),
    case(
        u.UpdateStickerSetsOrder(False, False, IDS),
        o.UpdatePacks(t.PacksReordered(t.CollectionKind.STICKER_PACKS, IDS)),
    ),
    case(
        u.UpdateStickerSetsOrder(True, False, IDS),
        o.UpdatePacks(t.PacksReordered(t.CollectionKind.MASK_PACKS, IDS)),
    ),
    case(u.UpdateStickerSets(False, True), o.UpdatePacks(t.PacksChanged())),
    case(
        u.UpdateMoveStickerSetToTop(False, True, IDS[0]),
        o.UpdatePacks(t.PacksRaised(t.CollectionKind.EMOJI_PACKS, IDS[:1])),
    ),
    case(u.UpdateSavedGifs(), o.RefreshGifs()),
)

ACCOUNT: Final[tuple[Case, ...]] = (
    case(
        u.UpdateNewAuthorization(True, 9, 900, "Phone", "Here"),
        o.ReviewSession(encoded(9), encoded(t.SessionReview(9, 900, "Phone", "Here")), True),
    ),
    case(u.UpdateConfig(), o.ReportConfig()),
    case(u.UpdateLangPackTooLong("en"), o.ForgetLanguage("en")),
    case(u.UpdateLangPack(ENGLISH), o.UpdateLanguage("en", 3, 5, ENGLISH.texts)),
    case(u.UpdateTheme(THEME), o.PutTheme(encoded(6), encoded(THEME))),
    case(u.UpdateAttachMenuBots(), o.RefreshMenuBots()),
    case(u.UpdateWebViewResultSent(3), o.EndWebView(3)),
    case(
        u.UpdateStarsBalance(t.Balance(t.Currency.TON, STARS)),
        o.ReportBalance(currency=t.Currency.TON, amount=STARS),
    ),
    case(u.UpdateStarsRevenueStatus(NEWS, REVENUE), o.ReportRevenue(NEWS, REVENUE)),
    case(
        u.UpdatePaidReactionPrivacy(t.PaidReactionPrivacy(t.PaidPrivacy.AS_PEER, NEWS)),
        o.SetPaidPrivacy(encoded(t.PaidReactionPrivacy(t.PaidPrivacy.AS_PEER, NEWS))),
    ),
    case(u.UpdateStarGiftAuctionState(3, AUCTION), o.ReportAuction(3, AUCTION)),
    case(u.UpdateStarGiftAuctionUserState(3, BID), o.ReportOwnAuction(3, BID)),
    case(u.UpdateEmojiGameInfo(t.NoEmojiGame()), o.PutEmojiGame(encoded(t.NoEmojiGame()))),
    case(
        u.UpdateNewBotConnection(False, BOB, 900),
        o.ReviewBot(encoded(BOB), encoded(t.BotReview(BOB, 900)), False),
    ),
    case(u.UpdateWebBrowserSettings(True, False), o.SetWebBrowser(encoded(t.WebBrowser(True, False)))),
    case(
        u.UpdateWebBrowserException(delete=False, open_external_browser=True, exception=SITE),
        o.SetWebException(
            t.WebExceptions("example.org", "Example", True, None, "https://example.org/"), False
        ),
    ),
    case(
        u.UpdateWebBrowserException(delete=True, exception=SITE),
        o.SetWebException(
            t.WebExceptions("example.org", "Example", False, None, "https://example.org/"), True
        ),
    ),
)

OTHERS: Final = (*PEERS, *CHATS, *SECRETS_AND_CALLS, *STORIES_AND_COLLECTIONS, *ACCOUNT)
