"""Histories, lists of chats and of threads of the messenger, over few chats and messages.

Law. After each commit a live window shows what one opened now shows, if its anchor is a place in the order
or an end of it, and was told of exactly if that differs from before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.messenger_views.cases import (
    ANN,
    BOB,
    CLOUD,
    FORUM,
    LAST,
    LOCAL,
    PEOPLE,
    TEAM,
    add,
    delete,
    message,
    muted,
    rename,
    whole,
)

from pillarbox.views import lane
from pillarbox.views.lane import Lane
from pillarbox_messenger import open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

#: Every option of windows has its own laws, with their faults; this stands for "the schema would notice".
FAULT: Final = Fault("a lane has no refill", Lane, "fold", " and not self.complete:", " and False:")
GIF: Final = t.TagFlags.GIF
EVER: Final = 2**31 - 1
CHATS: Final = st.sampled_from((TEAM, TEAM, TEAM, FORUM, ANN))
IDS: Final = st.integers(1, 6)
THREADS: Final = st.sampled_from((0, 0, 0, 5))
TAGS: Final = st.sampled_from((0, 0, 0, GIF))
COUNTS: Final = st.integers(0, 2)
TIMES: Final = st.integers(999, 1_008)
MESSAGES: Final = st.builds(
    lambda chat, id_, tag, thread, local, author: message(
        chat, id_, tags=tag, thread_id=thread or None, namespace=LOCAL if local else CLOUD, author_id=author
    ),
    *(CHATS, IDS, TAGS, THREADS, st.booleans(), st.sampled_from((ANN, BOB))),
)
#: Else nearly nothing is ever shown.
KNOWN: Final = (
    *(whole(chat, thread) for chat in (TEAM, FORUM, ANN) for thread in (0, 5)),
    *(o.CutHole(chat, thread, CLOUD, 0, GIF, 1, LAST) for chat in (TEAM, FORUM, ANN) for thread in (0, 5)),
    *(o.ReplaceChatListHole(group, 0, EVER) for group in (0, 1)),
    add(*(message(chat, id_) for chat in (TEAM, FORUM) for id_ in range(1, 7))),
)
GROUPS: Final = st.sampled_from((0, 0, 1))
OPERATIONS: Final = st.one_of(
    st.lists(MESSAGES, min_size=1, max_size=3).map(lambda found: add(*found)),
    st.builds(delete, CHATS, IDS, IDS),
    st.builds(delete, CHATS, IDS, IDS, IDS),
    st.builds(
        lambda chat, thread, *ends: hole(o.CutHole, chat, thread, *ends), CHATS, THREADS, TAGS, IDS, IDS
    ),
    st.builds(
        lambda chat, thread, *ends: hole(o.AddHole, chat, thread, *ends), CHATS, THREADS, TAGS, IDS, IDS
    ),
    st.builds(whole, CHATS, THREADS),
    st.builds(rename, CHATS | st.just(BOB), st.sampled_from(("Zoë", "Al"))),
    st.builds(o.SetPins, GROUPS, st.lists(CHATS, max_size=2, unique=True).map(tuple)),
    st.builds(o.SetInclusion, CHATS, GROUPS, st.none()),
    st.builds(o.HideChat, CHATS, st.just(1)) | st.builds(o.ShowChat, CHATS, st.just(1)),
    st.builds(
        lambda chat, mute: o.PutSettings(chat, muted() if mute else t.PeerSettings()), CHATS, st.booleans()
    ),
    st.builds(o.ReplaceChatListHole, GROUPS, TIMES, st.just(EVER)),
    st.builds(o.AddChatListHole, GROUPS, TIMES, TIMES),
    st.builds(
        lambda thread: o.PutThreads((t.Threads(peer_id=FORUM, thread_id=thread, title="", created_at=1),)),
        THREADS,
    ),
    st.builds(
        lambda end: o.SetCombined(FORUM, b"", t.ThreadBoundary(1_000 + end, 5, end)), st.integers(0, 4)
    ),
)
HISTORIES: Final = st.builds(
    lambda chat, count, thread, tag, place, clip, ranks: v.MessageHistory(
        chat,
        count,
        None if place is None else t.AtOldest() if place == 0 else t.AtPlace(1_000 + place, place),
        thread_id=thread or None,
        tag=tag,
        clip=clip,
        ranks=ranks,
    ),
    *(CHATS, COUNTS, THREADS, TAGS, st.none() | st.integers(0, 6), st.booleans(), st.booleans()),
)
FILTERS: Final = st.sampled_from(
    (
        None,
        t.ChatFilter(kinds=t.ChatKinds.GROUPS | t.ChatKinds.CHANNELS, without_muted=True, groups=(1,)),
        t.ChatFilter(kinds=0, pinned_ids=(ANN,), include_ids=(ANN, TEAM)),
    )
)
KEYS: Final = st.one_of(
    HISTORIES,
    st.builds(
        lambda group, count, chosen, at: v.Chats(group, count, at and t.ChatPlace(at, TEAM), filter=chosen),
        *(GROUPS, COUNTS, FILTERS, st.none() | TIMES),
    ),
    st.builds(lambda count: v.ThreadIndex(FORUM, count), COUNTS),
)


def hole(made: Any, chat: t.PeerId, thread: int, tag: int, one: int, other: int) -> Any:
    """Ids of messages, up to the last one if both ends are the same."""
    lower, upper = min(one, other), max(one, other)
    return made(chat, thread, CLOUD, 0, tag, lower, LAST if lower == upper else upper)


def shown(snapshot: Any, like: Any) -> Any:
    """A snapshot with what the other one holds since it was opened."""
    if not isinstance(snapshot, v.MessageHistorySnapshot):
        return snapshot
    return msgspec.structs.replace(snapshot, line=like.line, draft=like.draft)


def windows_are_as_if_opened(hard: settings) -> None:
    """The law."""

    @hard
    @given(
        keys=st.lists(KEYS, min_size=1, max_size=3, unique=True),
        before=st.lists(OPERATIONS, max_size=6),
        history=st.lists(st.lists(OPERATIONS, min_size=1, max_size=2), min_size=3, max_size=8),
        slack_min=st.sampled_from((0, 1, 8)),
    )
    def law(keys: Sequence[Any], before: list[Any], history: list[list[Any]], slack_min: int) -> None:
        with patch.object(lane, "_SLACK_MIN", slack_min), open_box(":memory:") as box:
            box.replay([*PEOPLE, *KNOWN, *before])
            told: dict[Any, list[Any]] = {key: [] for key in keys}
            for key in keys:
                box.watch(key, every=True).listen(told[key].append)
            last = {key: told[key].pop().snapshot for key in keys}
            for operations in history:
                box.replay(operations)
                for key in keys:
                    fresh, emissions = shown(box.get(key), last[key]), told[key]
                    assert len(emissions) == (fresh != last[key]), f"{key} was told {len(emissions)} times"
                    now = emissions.pop().snapshot if emissions else last[key]
                    assert now == fresh, f"{key} is not as if opened"
                    last[key] = now

    law()


def test_live_windows_are_as_if_opened_now() -> None:
    windows_are_as_if_opened(settings())


def test_a_planted_fault_is_found() -> None:
    with FAULT.planted(), pytest.raises(AssertionError):
        windows_are_as_if_opened(HARD)
