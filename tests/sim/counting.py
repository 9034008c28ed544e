"""Histories whose updates are counted by a log and folded by plain dicts.

Depends on: pillarbox.testing.  Never on: a schema.
"""

from __future__ import annotations

from abc import ABC
from random import Random
from typing import Any, Protocol

from pillarbox.sync.protocol import Update
from pillarbox.testing import Domain, Server


class Folding(Protocol):
    """What is true because of what happened."""

    def apply(self, update: Any, /) -> None:
        """It has happened."""


class Counting(Server, ABC):
    """A server that folds what it counts. `make` makes an update, of the counter's value after it."""

    fold: Folding

    @property
    def _is_sure(self) -> bool:
        """Whether everything arrives in order; else what counts nothing must change nothing."""
        return self.knobs.is_calm and not self.knobs.overtakes and not self.knobs.hinted

    def _counts_nothing(self, random: Random, domain: Domain) -> bool:
        """Whether something is told that counts nothing; once at a place, for these have no order."""
        entries = self.log(domain).entries
        last_counts = not entries or entries[-1].end > entries[-1].start
        return last_counts and random.random() < self.knobs.zeros

    def _log(self, domain: Domain, count: int, make: Any) -> Update:
        update = make(self.log(domain).end + count, count)
        mark = self.mark(update)
        assert mark is not None
        self.logged(domain, count, update, (mark,))
        self.fold.apply(update)
        return update

    def _uncounted(self, domain: Domain, make: Any) -> Update:
        update = make(self.log(domain).end)
        self.logged(domain, 0, update, ())
        self.fold.apply(update)
        return update
