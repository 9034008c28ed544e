"""Values that belong to the moment in which a view was opened: `hold`.

Depends on: parts, interests, reads.  Never on: views, trackers.

Law: what a held part shows, and what other parts read of it, stays as it was when it was taken, whatever
is committed, refreshed or read later. A part that was given a state is as the part that it was taken from.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, Final

from pillarbox.views.interests import Interests
from pillarbox.views.parts import Each, Entries, Part
from pillarbox.views.reads import Reads

#: All that the snapshot and other parts read of a part.
_READ: Final = ("row", "rows", "items", "value")


def state_of(part: Part) -> tuple[Any, ...]:
    """What is read of a part. Frozen; equal states are as good as each other."""
    return tuple([getattr(part, name) for name in _READ if hasattr(type(part), name)])


def give(part: Part, state: Sequence[Any]) -> None:
    """Make a part that was never opened be as the one that `state` is of."""
    names = [name for name in _READ if hasattr(type(part), name)]
    for name, value in zip(names, state, strict=True):
        setattr(part, name, value)
    part.rest()


def take(
    parts: Sequence[Part],
    held: Sequence[Part],
    anchored: Sequence[Part],
    interests: Interests,
    reads: Reads,
    opened: list[Part],
) -> None:
    """Load the `held` ones of `parts` and let them go again, so that they stay as they are.

    Those that are `anchored` find where they are. Opens what both read besides, and appends that to `opened`;
    nothing else is read.
    """
    needed = _needed(parts, {*held, *anchored})
    for part in parts:
        if part in held:
            try:
                part.open(interests, reads)
            except Exception:
                part.close()
                raise
            part.close()
        elif part in needed:
            opened.append(part)
            part.open(interests, reads)
        elif part in anchored:
            part.find(interests, reads)


def _needed(parts: Sequence[Part], held: Set[Part]) -> set[Part]:
    """What these parts read, and what that reads in turn."""
    needed: set[Part] = set()
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        if part in held or part in needed:
            needed.update(part.after, part.row_after)
            if isinstance(part, Entries | Each):
                needed.update(parts[:at])  # The children of rows read any of them.
    return needed
