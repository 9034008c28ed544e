"""Faults planted into searches of views, and the law that has to find each."""

from __future__ import annotations

from typing import Final

from tests.property.mutants_views import planted

from pillarbox.storage import Search, words
from pillarbox.views.found import FoundLane, RankedRows
from pillarbox.views.parts import Matches

SEARCH_FAULTS: Final = (
    planted(
        "search",
        "a changed text is always found",
        FoundLane,
        "_found",
        "if self.search.finds",
        "if True or self.search.finds",
    ),
    planted(
        "search",
        "a changed text is never found",
        FoundLane,
        "_found",
        "if self.search.finds",
        "if False and self.search.finds",
    ),
    planted(
        "search",
        "texts are not listened to",
        Matches,
        "reload",
        "self.interests.add_prefix(self._table, _WHOLE_TABLE, self)",
        "pass",
    ),
    planted(
        "search",
        "other words are not looked for",
        Matches,
        "replay",
        "self._search_of() != self._search",
        "False",
    ),
    planted(
        "search",
        "another limit is not asked for",
        Matches,
        "replay",
        "self._count() != self._limited_to",
        "False",
    ),
    planted(
        "search",
        "a search ends with its first commit",
        Matches,
        "replay",
        "stretch.fold(reads, deltas or (), routed)",
        "stretch.fold(reads, (), routed)",
    ),
    planted(
        "found",
        "the last word is whole",
        words,
        "_begins",
        "words[at + size].startswith(last)",
        "words[at + size] == last",
    ),
    planted("found", "marks are not asked for", Search, "finds", "not all(", "False and not all("),
    # By relevance.
    planted(
        "search", "a text that is found no more is ranked", RankedRows, "fold", "self._finds(before) or", ""
    ),
    planted(
        "search", "a text that is found now is not ranked", RankedRows, "fold", "or self._finds(after)", ""
    ),
    planted(
        "search", "a row that changed is not taken", RankedRows, "fold", "again or self in routed", "again"
    ),
    planted(
        "search",
        "rows walked stay listened to",
        RankedRows,
        "_listen",
        "self._interests.remove_all(table, [key for key in before if key not in walked], self)",
        "pass",
    ),
    planted("search", "a refresh makes rows anew", RankedRows, "_walk", "key in old and", "False and"),
    planted("found", "the least relevant is first", RankedRows, "_ranked", "-search", "search"),
    planted(
        "found",
        "rejected rows are shown by relevance",
        RankedRows,
        "_walk",
        "if row is not None and (where is None or where(row)):",
        "if row is not None:",
    ),
    planted("found", "whole words weigh nothing", Search, "weight", "return found +", "return"),
)
