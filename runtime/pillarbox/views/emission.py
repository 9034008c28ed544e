"""What a subscriber gets: a snapshot, why it came, and what differs.

Depends on: touched.  Never on: views, trackers, subscriptions.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

from pillarbox.views.touched import Touched

S = TypeVar("S")


class Why(enum.Enum):
    """What a snapshot is emitted for."""

    #: The first one of a subscription.
    INITIAL = "initial"
    #: The first one, of a window that stands where reading stopped: `Emission.at` says where.
    INITIAL_UNREAD = "initial_unread"
    #: Rows changed.
    GENERIC = "generic"
    #: A hole that a window looks at was filled or moved.
    FILL_HOLE = "fill_hole"
    #: What a window looks at changed: its anchor, its counts or its lanes.
    UPDATE_VISIBLE = "update_visible"


#: The later it stands here, the more a reason weighs.
_WEIGHTS: Final = (Why.GENERIC, Why.FILL_HOLE, Why.UPDATE_VISIBLE)


class Emission(msgspec.Struct, Generic[S], frozen=True, gc=False):
    """A snapshot, why it came, and the names of the parts that differ from the one before.

    `parts` is empty in the first one, where it is not known what differs, and in a move that shows the same.
    `at` is the key of the anchor, as a tuple of its fields, of an INITIAL_UNREAD one, and of a move to what
    was not read. Nothing that it holds leads back to it.
    """

    snapshot: S
    why: Why
    parts: tuple[str, ...] = ()
    at: tuple[Any, ...] | None = None
    touched: Touched | None = None

    @property
    def keys(self) -> Mapping[str, tuple[tuple[Any, ...], ...]] | None:
        """Part -> the keys of the rows that came, went or changed in it since the emission before.

        Keys are tuples of their fields; a row counts as changed if what hangs on it differs. A part that has
        no rows has no keys. None where it is not known: in the first emission, of items, and after many that
        were not taken in time.
        """
        return None if self.touched is None else self.touched.keys


def weightiest(whys: Iterable[Why]) -> Why:
    """One reason for all that is emitted at once."""
    return max(whys, key=_WEIGHTS.index, default=Why.GENERIC)


def merged(missed: Emission[S], latest: Emission[S]) -> Emission[S]:
    """One emission for two: the latest snapshot, the weightier reason, the parts of both."""
    is_moved = latest.why is Why.UPDATE_VISIBLE and latest.touched is None  # items stand nowhere
    at = latest.at if is_moved else missed.at
    if missed.why is Why.INITIAL or missed.why is Why.INITIAL_UNREAD:
        moved = Why.INITIAL if at is None else Why.INITIAL_UNREAD
        return Emission(latest.snapshot, moved if is_moved else missed.why, at=at)
    both = missed.touched is not None and latest.touched is not None
    return Emission(
        latest.snapshot,
        weightiest((missed.why, latest.why)),
        tuple(dict.fromkeys((*missed.parts, *latest.parts))),
        at,
        missed.touched.and_then(latest.touched) if both else None,  # type: ignore[union-attr,arg-type]
    )


def last_of(
    before: Emission[S] | Exception | None, after: Emission[S] | Exception
) -> Emission[S] | Exception:
    """What is told at last to who did not hear of what was before."""
    return merged(before, after) if isinstance(before, Emission) and isinstance(after, Emission) else after
