"""docs/messenger-coverage.yaml answers all of the published store, and by what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import Struct

from pillarbox_codegen.check import load_schema
from pillarbox_messenger import Box, views

ROOT = Path(__file__).resolve().parents[3]
COVERAGE: dict[str, dict[Any, dict[str, Any]]] = yaml.safe_load(
    (ROOT / "docs/messenger-coverage.yaml").read_text(encoding="utf-8")
)
#: The numbers of its 78 tables.
TABLES = """
    0-4 6-22 24-49 52 54-56 58-65 67-73 75-85
"""
#: Its 82 operations, in order.
OPERATIONS = """
    AddMessages AddScheduledMessages AddQuickReplyMessages DeleteMessagesWithGlobalIds
    DeleteMessages EditMessage UpdateMessagePoll UpdateMessageReactions UpdateMedia ReadInbox
    ReadOutbox ResetReadState ResetIncomingReadState UpdatePeerChatUnreadMark ResetMessageTagSummary
    ReadGroupFeedInbox UpdateState UpdateChannelState UpdateChannelInvalidationPts
    UpdateChannelSynchronizedUntilMessage UpdateNotificationSettings
    UpdateGlobalNotificationSettings MergeApiChats UpdatePeer UpdateIsContact UpdateCachedPeerData
    UpdateMessagesPinned MergeApiUsers MergePeerPresences UpdateSecretChat AddSecretMessages
    ReadSecretOutbox AddPeerInputActivity AddPeerLiveTypingDraftUpdate UpdatePinnedItemIds
    UpdatePinnedSavedItemIds UpdatePinnedTopic UpdatePinnedTopicOrder ReadMessageContents
    UpdateMessageImpressionCount UpdateMessageForwardsCount UpdateInstalledStickerPacks
    UpdateRecentGifs UpdateChatInputState UpdateCall AddCallSignalingData UpdateLangPack
    UpdateMinAvailableMessage UpdatePeerChatInclusion UpdateTheme SyncChatListFilters
    UpdateChatListFilterOrder UpdateChatListFilter UpdateReadThread UpdateGroupCallParticipants
    UpdateGroupCall UpdateGroupCallChainBlocks UpdateGroupCallMessage UpdateGroupCallOpaqueMessage
    UpdateAutoremoveTimeout UpdateAttachMenuBots UpdateAudioTranscription UpdateConfig
    UpdateExtendedMedia ResetForumTopic UpdateStory UpdateReadStories UpdateStoryStealthMode
    UpdateStorySentReaction UpdateNewAuthorization UpdateNewBotConnection UpdateWebBrowserSettings
    UpdateWebBrowserException UpdateWallpaper UpdateStarsBalance UpdateStarsRevenueStatus
    UpdateStarsReactionsDefaultPrivacy ReportMessageDelivery UpdateMonoForumNoPaidException
    UpdateStarGiftAuctionState UpdateStarGiftAuctionMyState UpdateEmojiGameInfo
"""
#: Its 210 transaction methods, in order.
METHODS = """
    keychainEntryForKey setKeychainEntry getState setState getPeerChatState setPeerChatState
    getGlobalNotificationSettings addMessages messageExists countIncomingMessage updateMessage
    offsetPendingMessagesTimestamps updateMessageGroupingKeysAtomically deleteMessages
    deleteMessagesInRange deleteMessagesWithGlobalIds clearHistory removeAllMessagesWithAuthor
    removeAllMessagesWithGlobalTag removeAllMessagesWithForwardAuthor withAllMessages updateMedia
    storeMediaIfNotPresent replaceGlobalMessageTagsHole getMessage getMessageGroup
    getMessageForwardedGroup getMessageFailedGroup getMedia findMessageIdByTimestamp
    findClosestMessageIdByTimestamp findMessageAtAbsoluteIndex findRandomMessage firstMessageInRange
    filterStoredMessageIds filterStoredMediaIds storedMessageId messageIdsForGlobalIds
    failedMessageIds messageIdForGloballyUniqueMessageId getTopPeerMessageId getTopPeerMessageIndex
    getTopPeerMessageIndex getMessageIndicesWithTag getMessagesWithThreadId scanMessages
    scanTopMessages scanMessageAttributes enumerateMediaMessages enumerateMedia
    getMessagesHistoryViewState searchMessages addHole removeHole getHole getHoles
    getThreadIndexHoles getThreadIndexHole holeLowerBoundForTopValidRange getThreadMessageCount
    addHolesEverywhere resetCustomTagHoles resetIncomingReadStates
    setNeedsIncomingReadStateSynchronization confirmSynchronizedIncomingReadState
    applyIncomingReadMaxId applyOutgoingReadMaxId applyInteractiveReadMaxIndex
    applyOutgoingReadMaxIndex applyMarkUnread getPeerReadStates getCombinedPeerReadState
    resetPeerGroupSummary setNeedsPeerGroupMessageStatsSynchronization
    confirmSynchronizedPeerGroupMessageStats recalculateChatListGroupStats reindexUnreadCounters
    globalNotificationSettingsUpdated getTotalUnreadState getPeer updatePeersInternal
    getAssociatedPeerIds updatePeerCachedData getPeerCachedData updatePeerPresencesInternal
    updatePeerPresenceInternal getPeerPresence getPeerNotificationSettings
    getAllPeerNotificationSettings getPendingPeerNotificationSettings
    updateCurrentPeerNotificationSettings updatePendingPeerNotificationSettings
    resetAllPeerNotificationSettings
    getPeerIdsAndNotificationSettingsWithBehaviorTimestampLessThanOrEqualTo getContactPeerIds
    isPeerContact replaceContactPeerIds getRemoteContactCount replaceRemoteContactCount
    getRecentPeerIds replaceRecentPeerIds searchPeers searchSubPeers getPeerChatInterfaceState
    setPeerChatInterfaceState getPeerChatThreadInterfaceState setPeerChatThreadInterfaceState
    removePeerTimeoutAttributeEntry getPeerChatListInclusion updatePeerChatListInclusion
    getPeerChatListIndex getChatListPeers getUnreadChatListPeerIds removeAllChatListEntries
    chatListGetAllPeerIds getPinnedItemIds setPinnedItemIds replaceChatListHole addChatListHole
    allChatListHoles doesChatListGroupContainHoles getChatCountMatchingPredicate
    getRelativeUnreadChatListIndex getChatListNamespaceEntries getTopChatListEntries
    getAdditionalChatListItems replaceAdditionalChatListItems replaceItemCollections
    replaceItemCollectionInfos replaceItemCollectionItems removeItemCollection
    getItemCollectionsInfos getItemCollectionInfo getItemCollectionItems getCollectionsItems
    getItemCollectionInfoItems searchItemCollection replaceOrderedItemListItems
    addOrMoveToFirstPositionOrderedItemListItem getOrderedListItemIds getOrderedListItems
    getOrderedItemListItem updateOrderedItemListItem removeOrderedItemListItem unorderedItemListScan
    unorderedItemListDifference unorderedItemListApplyDifference putItemCacheEntry
    removeItemCacheEntry retrieveItemCacheEntry clearItemCacheCollection
    operationLogGetNextEntryLocalIndex operationLogResetIndices operationLogAddEntry
    operationLogRemoveEntry operationLogRemoveAllEntries operationLogRemoveEntries
    operationLogUpdateEntry operationLogEnumerateEntries enumeratePreferencesEntries
    getPreferencesEntry setPreferencesEntry updatePreferencesEntry getAllNoticeEntries
    getNoticeEntry setNoticeEntry clearNoticeEntries getDeviceContactImportInfo
    setDeviceContactImportInfo getDeviceContactImportInfoIdentifiers
    clearDeviceContactImportInfoIdentifiers enumerateDeviceContactImportInfoItems
    setPendingMessageAction getPendingMessageAction getPendingMessageActionsSummary
    getMessageTagSummary replaceMessageTagSummary invalidateMessageHistoryTagsSummary
    removeInvalidatedMessageHistoryTagsSummaryEntry
    removeInvalidatedMessageHistoryTagsSummaryEntriesWithCustomTags
    reindexSavedMessagesCustomTagsWithTagsIfNeeded clearTimestampBasedAttribute
    getMessageHistoryThreadIndex getMessageHistoryThreadTopMessage getMessageHistoryThreadInfo
    setMessageHistoryThreadInfo setMessageHistoryThreads getPeerThreadCombinedState
    setPeerThreadCombinedState getPeerPinnedThreads setPeerPinnedThreads getAllStorySubscriptions
    storySubscriptionsContains replaceAllStorySubscriptions getSubscriptionsStoriesState
    setSubscriptionsStoriesState getLocalStoryState setLocalStoryState getPeerStoryState
    setPeerStoryState setStoryItems setStoryItemsInexactMaxId clearStoryItemsInexactMaxId
    getStoryItems setStory getStory getExpiredStoryIds getPeerStoryStats addChatHidden
    removeChatHidden
"""
#: The 24 fields of its configuration, in order.
SEEDS = """
    globalMessageIdsPeerIdNamespaces initializeChatListWithHole messageHoles upgradedMessageHoles
    messageThreadHoles existingMessageTags messageTagsWithSummary messageTagsWithThreadSummary
    existingGlobalMessageTags peerNamespacesRequiringMessageTextIndex peerSummaryCounterTags
    peerSummaryIsThreadBased additionalChatListIndexNamespace
    messageNamespacesRequiringGroupStatsValidation defaultMessageNamespaceReadStates
    chatMessagesNamespaces getGlobalNotificationSettings defaultGlobalNotificationSettings
    mergeMessageAttributes decodeMessageThreadInfo decodeAutoremoveTimeout
    decodeDisplayPeerAsRegularChat customTagsFromAttributes
    displaySavedMessagesAsTopicListPreferencesKey
"""
#: Its 48 keyed views and the four that came later (with letters), by their numbers.
KEYED = """
    1 itemCollectionInfos 2 itemCollectionIds 3 itemCollectionInfo 4 peerChatState 5 orderedItemList
    6 preferences 6b preferencesPrefix 7 globalMessageTags 8 peer 9 pendingMessageActions
    10 invalidatedMessageHistoryTagSummaries 11 pendingMessageActionsSummary 12 historyTagSummaryView
    12b historyCustomTagSummariesView 13 cachedPeerData 14 unreadCounts 15 combinedReadState
    16 peerNotificationSettings 17 pendingPeerNotificationSettings 18 messageOfInterestHole
    19 localMessageTag 20 messages 21 additionalChatListItems 22 cachedItem 23 peerPresences
    24 synchronizeGroupMessageStats 25 peerNotificationSettingsBehaviorTimestampView 26 peerChatInclusion
    27 basicPeer 28 allChatListHoles 29 historyTagInfo 30 topChatMessage 31 contacts 32 deletedMessages
    33 notice 34 messageGroup 35 isContact 36 chatListIndex 37 peerTimeoutAttributes
    38 messageHistoryThreadIndex 39 messageHistoryThreadInfo 40 storySubscriptions 41 storiesState
    42 storyItems 43 storyExpirationTimeItems 44 peerStoryStats 45 story 46 savedMessagesIndex
    46b savedMessagesStats 47 chatInterfaceState 48 historyView 48b historyView_parameters
"""
#: The histories and lists of chats, the 11 other dedicated views, the 6 singletons and the 6 streams of
#: several accounts.
OTHERS = """
    h MessageHistoryView c ChatListView d1 stateView d2 contactPeerIdsView d3 peerView
    d4 multiplePeersView d5 unreadMessageCountsView d6 messageView d7 preferencesView
    d8 itemCollectionsView d9 mergedOperationLogView d10 timestampBasedMessageAttributesView
    d11 failedMessageIdsView s1 unsentMessageIds s2 synchronizePeerReadStates s3 messageHistoryHoles
    s4 externalMessageHistoryHoles s5 chatListHoles s6 forumTopicListHoles a1 accountRecords
    a2 currentAccountRecord a3 allocatedTemporaryAccountId a4 sharedData a5 noticeEntry
    a6 accessChallengeData
"""
#: Views that the reference has no single one for.
OWN_VIEWS = {
    "views.chat_list",
    "views.collections",
    "views.folders",
    "views.found",
    "views.history",
    "views.history_around",
    "views.latest",
    "views.missing",
    "views.peer",
    "views.stories",
    "views.tagged",
    "views.tags_of_chat",
    "views.thread",
    "views.thread_list",
    "views.unread",
    "views.unsent",
    "views.wanted_tagged",
}
#: What answers besides the kinds of a schema.
SEED_PARTS = {"box", "group", "upgrade"}


#: Operations that the reference has no single one for.
OWN = {
    "operations.add_notice",
    "operations.begin_channel",
    "operations.begin_chat_list",
    "operations.doubt_newer",
    "operations.close_gap",
    "operations.decide_join",
    "operations.end_chat_list",
    "operations.end_web_view",
    "operations.fill_hole",
    "operations.forget_channel",
    "operations.forget_history",
    "operations.identify_message",
    "operations.open_history",
    "operations.put_history",
    "operations.raise_alert",
    "operations.rename_peer",
    "operations.replace_folders",
    "operations.replace_saved_pins",
    "operations.report_scheduled_sent",
    "operations.saw_activity",
    "operations.see_mentions",
    "operations.sent_message",
    "operations.set_contact",
    "operations.set_message_flags",
    "operations.touch_peer",
}


def numbers(text: str) -> list[int]:
    found: list[int] = []
    for item in text.split():
        first, _, last = item.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def numbered(text: str) -> dict[int, str]:
    return dict(enumerate(text.split(), 1))


def names(kind: str) -> dict[Any, str]:
    return {number: entry["name"] for number, entry in COVERAGE[kind].items()}


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Everything that `by` may name."""
    schema = load_schema(ROOT / "schema/messenger")
    kinds: dict[str, Any] = {
        "tables": [name for name, table in schema.tables.items() if table.role not in ("sequence", "cursor")],
        "types": schema.types,
        "sequences": schema.sequences,
        "cursors": schema.cursors,
        "events": schema.events,
        "operations": schema.operations,
        "updates": schema.updates,
        "views": schema.views,
        "seeds": [*schema.constants, *SEED_PARTS],
        "box": [name for name in dir(Box) if not name.startswith("_")],
    }
    return {f"{kind}.{name}" for kind, found in kinds.items() for name in found}


def test_there_are_78_tables_and_each_is_answered() -> None:
    assert len(numbers(TABLES)) == 78
    assert list(COVERAGE["tables"]) == numbers(TABLES)


@pytest.mark.parametrize(
    ("kind", "text", "count"),
    [("operations", OPERATIONS, 82), ("methods", METHODS, 210), ("seeds", SEEDS, 24)],
)
def test_every_one_of_the_reference_is_answered(kind: str, text: str, count: int) -> None:
    assert len(numbered(text)) == count
    assert names(kind) == numbered(text)


@pytest.mark.parametrize("kind", ["tables", "operations", "methods", "seeds", "updates"])
def test_no_row_is_empty(kind: str) -> None:
    empty = [entry["name"] for entry in COVERAGE[kind].values() if not entry.keys() & {"by", "why"}]

    assert empty == []


def test_rows_have_no_other_keys() -> None:
    found = {key for rows in COVERAGE.values() for entry in rows.values() for key in entry}

    assert list(COVERAGE) == ["tables", "operations", "methods", "seeds", "views", "updates"]
    assert found <= {"name", "by", "why", "domain"}


def test_every_name_in_by_exists(known: set[str]) -> None:
    named = {name for rows in COVERAGE.values() for entry in rows.values() for name in entry.get("by", [])}

    assert named - known == set()


def test_every_operation_of_the_schema_answers_something_or_is_named_here(known: set[str]) -> None:
    """That an update becomes it answers nothing of the store."""
    stored = [rows for kind, rows in COVERAGE.items() if kind != "updates"]
    named = {name for rows in stored for entry in rows.values() for name in entry.get("by", [])}

    assert {name for name in known if name.startswith("operations.")} - named <= OWN


def by_number(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def test_every_view_of_the_reference_is_answered() -> None:
    keyed, others = by_number(KEYED), by_number(OTHERS)

    assert (len([number for number in keyed if number.isdigit()]), len(keyed), len(others)) == (48, 52, 25)
    assert names("views") == keyed | others


def test_only_streams_of_several_accounts_have_no_view() -> None:
    unanswered = {number for number, entry in COVERAGE["views"].items() if "by" not in entry}

    assert unanswered == {"a1", "a2", "a3", "a4", "a5", "a6"}


def test_every_view_of_the_schema_answers_one_of_the_reference_or_is_named_here(known: set[str]) -> None:
    named = {name for entry in COVERAGE["views"].values() for name in entry.get("by", [])}

    assert {name for name in known if name.startswith("views.")} - named == OWN_VIEWS


@pytest.mark.parametrize(("number", "name"), sorted((by_number(KEYED) | by_number(OTHERS)).items()))
def test_a_view_of_the_reference_is_in_the_factory_with_its_types(number: str, name: str) -> None:
    """`VIEWS` has its key, which names its snapshot; both say what they are."""
    by_name = {key.__name__: key for key in views.VIEWS}

    for answer in COVERAGE["views"][number].get("by", []):
        key = by_name["".join(word.capitalize() for word in answer.removeprefix("views.").split("_"))]
        structs: list[Any] = [key, getattr(views, f"{key.__name__}Snapshot")]
        for made in structs:
            assert issubclass(made, Struct)
            assert made.__struct_config__.frozen
            assert made.__doc__, f"{name} is answered by {made.__name__}, which says nothing"
        assert structs[1].__struct_fields__
        assert not str(key.__doc__).startswith("The view"), f"{key.__name__} has no `doc`"
