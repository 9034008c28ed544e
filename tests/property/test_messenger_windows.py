"""Histories, lists of chats and of threads of the messenger over any operations.

Law. After each commit a live window shows what one opened now shows, if its anchor is a place in the order
or an end of it, and was told of exactly if that differs from before.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.random_store import random_store
from tests.property.test_random_store import play

from pillarbox.box import Box
from pillarbox.storage import MEMORY
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

#: What was when a history was opened.
HELD: Final = ("line", "draft")
OPERATIONS: Final = (
    "add_messages",
    "delete_messages",
    "edit_message",
    "cut_hole",
    "add_hole",
    "fill_hole",
    "put_threads",
    "set_combined",
    "set_inclusion",
    "set_pins",
    "put_read_states",
    "read_inbox",
    "put_settings",
    "replace_chat_list_hole",
    "add_chat_list_hole",
    "hide_chat",
    "show_chat",
    "put_cached_peer",
    "update_peers",
    "set_contact",
    "replace_collection",
    "replace_ordered",
)
KEYS: Final = ("message_history", "chats", "thread_index", "saved_index", "item_collections")


def anchored(key: Any) -> bool:
    """Whether its anchor is one that is found when a view is opened."""
    return isinstance(getattr(key, "anchor", None), t.AtMessage | t.AtFirstUnread)


def shown(snapshot: Any, like: Any) -> Any:
    """A snapshot with what the other one holds."""
    held = {name: getattr(like, name) for name in HELD if isinstance(snapshot, v.MessageHistorySnapshot)}
    return msgspec.structs.replace(snapshot, **held)


STORE: Final = random_store("messenger")
HISTORIES: Final = st.lists(STORE.operations(OPERATIONS, 4), max_size=6)


@settings(max_examples=max(100, settings().max_examples))
@given(
    keys=st.lists(
        STORE.view_keys(KEYS).filter(lambda key: not anchored(key)), min_size=1, max_size=4, unique=True
    ),
    history=HISTORIES,
)
def test_live_windows_are_as_if_opened_now(keys: list[Any], history: list[list[Any]]) -> None:
    box = Box(MEMORY, STORE.package)
    told: dict[Any, list[Any]] = {key: [] for key in keys}
    for key in keys:
        box.watch(key, every=True).listen(told[key].append)
    last = {key: told[key].pop().snapshot for key in keys}
    for operations in history:
        play(STORE, box, operations, keep=True)
        for key in keys:
            fresh, emissions = shown(box.get(key), last[key]), told[key]
            assert len(emissions) == (fresh != last[key]), f"{key} was told {len(emissions)} times"
            now = emissions.pop().snapshot if emissions else last[key]
            assert now == fresh, f"{key} is not as if opened"
            last[key] = now
    box.close()
