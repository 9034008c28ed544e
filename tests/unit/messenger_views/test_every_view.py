"""No view of the messenger is without a story that touches it and one that misses it."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from tests.unit.messenger_views import (
    test_account,
    test_chat_lists,
    test_chats,
    test_collections,
    test_counts,
    test_history,
    test_message_history,
    test_messages,
    test_moments,
    test_peers,
    test_profiles,
    test_stories,
    test_threads,
)
from tests.unit.messenger_views.cases import Case

from pillarbox_messenger import views as v

MODULES: Final[tuple[ModuleType, ...]] = (
    test_account,
    test_chat_lists,
    test_chats,
    test_collections,
    test_counts,
    test_history,
    test_message_history,
    test_messages,
    test_moments,
    test_peers,
    test_profiles,
    test_stories,
    test_threads,
)


def test_every_view_has_its_pair() -> None:
    cases: list[Case] = [case for module in MODULES for case in module.CASES]

    assert [str(case) for case in cases if not case.touch or not case.misses] == []
    assert {type(case.key) for case in cases} | test_moments.TOLD == set(v.VIEWS)
