"""How kept words hear of an index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import issue

from pillarbox.maintainers import Through, ThroughIdentity, kept
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, Heard


class Heeding:
    """Notes what it hears."""

    follows_new = True

    def __init__(self) -> None:
        self.heard: list[Heard[Any]] = []

    def follow(self, changes: Sequence[Heard[Any]]) -> None:
        """Changes of any kind."""
        self.heard += changes

    def follow_new(self, rows: Sequence[Any]) -> None:
        """New rows alone."""
        self.heard += [(t.SLUGS.key_of(row), None, row) for row in rows]


def test_rows_that_claim_one_key_for_a_moment_are_heard_each() -> None:
    """One of them may go before the transaction ends, and the other stays."""
    first, second = issue(1, 1, slug=7), issue(1, 2, slug=7)
    slugs = [(key, t.SLUGS.row(key, cell)) for key, cell in t.slugs_rows([first, second])]
    all_at_once, each = Heeding(), Heeding()

    Through(t.slugs_rows, t.SLUGS, all_at_once).follow_new([first, second])
    for row in (first, second):
        Through(t.slugs_rows, t.SLUGS, each).follow([(t.ISSUES.key_of(row), None, row)])

    assert all_at_once.heard == each.heard == [(key, None, row) for key, row in slugs]


def test_a_row_that_claims_one_key_twice_is_heard_once() -> None:
    def twice(rows: Iterable[t.Issue]) -> list[tuple[StoredKey, Cell]]:
        return [entry for row in rows for entry in (*t.slugs_rows([row]), *t.slugs_rows([row]))]

    rows = [issue(1, 1, slug=7), issue(1, 2, slug=8)]
    twice_each, once_each = Heeding(), Heeding()

    Through(twice, t.SLUGS, twice_each).follow_new(rows)
    Through(t.slugs_rows, t.SLUGS, once_each).follow_new(rows)

    assert len(twice_each.heard) == 2
    assert twice_each.heard == once_each.heard


class Asking(Heeding):
    """Notes what is missed, too."""

    def missed(self, fields: Mapping[str, Any]) -> None:
        """A row that nobody stores."""
        self.heard.append((b"", None, dict(fields)))


@pytest.mark.parametrize("word", ["index", "identity"])
def test_whoever_asks_about_missed_rows_is_known_from_the_start(
    monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """A write under a prefix may miss a row of each of many; what a follower can do stays the same."""

    def through(follower: Heeding) -> Through[Any] | ThroughIdentity[Any]:
        if word == "index":
            return Through(t.slugs_rows, t.SLUGS, follower)
        return ThroughIdentity(t.ISSUES.key_of, lambda row: row, follower)

    asking, heeding = Asking(), Heeding()
    between = through(asking), through(heeding)
    monkeypatch.delattr(kept, "Misser")

    for one in between:
        one.missed({"number": 7})

    assert asking.heard == [(b"", None, {"number": 7})]
    assert heeding.heard == []
