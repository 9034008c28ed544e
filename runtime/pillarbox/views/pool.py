"""The views that are live, by what makes them the same: their key, and the values that they hold.

Depends on: view.  Never on: trackers, subscriptions.

Law: `of(key)` are exactly the live views of a key; most keys have one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pillarbox.views.view import View, hashable


class Pool:
    """Live views by key. Several of one key hold different values."""

    __slots__ = ("_views",)

    def __init__(self) -> None:
        #: One is held bare, which is most of them by far.
        self._views: dict[Any, View[Any] | tuple[View[Any], ...]] = {}

    def of(self, key: Any) -> tuple[View[Any], ...]:
        """The views of a key."""
        found = self._views.get(key, ())
        return found if isinstance(found, tuple) else (found,)

    def lone(self, key: Any) -> View[Any] | None:
        """The view of a key whose views hold nothing. Raises UsageError for what cannot be a key."""
        found = self._views.get(hashable(key))
        return None if isinstance(found, tuple) or (found is not None and found.holds) else found

    def add(self, view: View[Any]) -> None:
        """A view lives."""
        others = self.of(view.key)
        self._views[view.key] = (*others, view) if others else view

    def remove(self, view: View[Any]) -> None:
        """It does so no more; one that did not is not missed."""
        rest = tuple([other for other in self.of(view.key) if other is not view])
        if rest:
            self._views[view.key] = rest if len(rest) > 1 else rest[0]
        else:
            self._views.pop(view.key, None)

    def __iter__(self) -> Iterator[View[Any]]:
        for key in tuple(self._views):
            yield from self.of(key)

    def __contains__(self, view: View[Any]) -> bool:
        return any(other is view for other in self.of(view.key))

    def __bool__(self) -> bool:
        return bool(self._views)
