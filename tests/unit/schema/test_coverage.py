"""docs/messenger-coverage.yaml answers all of the published store, and by what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pillarbox_codegen.check import load_schema
from pillarbox_messenger import Box

ROOT = Path(__file__).resolve().parents[3]
COVERAGE: dict[str, dict[int, dict[str, Any]]] = yaml.safe_load(
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
#: What answers besides the kinds of a schema.
SEED_PARTS = {"box", "group", "upgrade"}


#: Operations that the reference has no single one for.
OWN = {
    "operations.close_gap",
    "operations.fill_hole",
    "operations.rename_peer",
    "operations.replace_folders",
    "operations.replace_saved_pins",
    "operations.saw_activity",
    "operations.see_mentions",
    "operations.sent_message",
    "operations.set_contact",
    "operations.set_message_flags",
}


def numbers(text: str) -> list[int]:
    found: list[int] = []
    for item in text.split():
        first, _, last = item.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def numbered(text: str) -> dict[int, str]:
    return dict(enumerate(text.split(), 1))


def names(kind: str) -> dict[int, str]:
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


@pytest.mark.parametrize("kind", ["tables", "operations", "methods", "seeds"])
def test_no_row_is_empty(kind: str) -> None:
    empty = [entry["name"] for entry in COVERAGE[kind].values() if not entry.keys() & {"by", "why"}]

    assert empty == []


def test_rows_have_no_other_keys() -> None:
    found = {key for rows in COVERAGE.values() for entry in rows.values() for key in entry}

    assert list(COVERAGE) == ["tables", "operations", "methods", "seeds", "views"]
    assert found <= {"name", "by", "why"}


def test_every_name_in_by_exists(known: set[str]) -> None:
    named = {name for rows in COVERAGE.values() for entry in rows.values() for name in entry.get("by", [])}

    assert named - known == set()


def test_every_operation_of_the_schema_answers_something_or_is_named_here(known: set[str]) -> None:
    named = {name for rows in COVERAGE.values() for entry in rows.values() for name in entry.get("by", [])}

    assert {name for name in known if name.startswith("operations.")} - named <= OWN
