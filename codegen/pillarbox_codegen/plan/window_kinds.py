"""What kinds of windows there are, and which of them encode ends of keys.

Depends on: model.  Never on: the text of any.

Law: a window that speaks of places has the keys of one lane to tell them by.
"""

from __future__ import annotations

from pillarbox_codegen import model


def is_plain(part: model.WindowPart) -> bool:
    """Whether it is of one lane, without options."""
    lane, anchor = part.lanes[0], part.anchors[0]
    options = (part.ids, part.holes, part.where, part.distinct, part.expand, part.rank)
    return (
        len(part.lanes) == len(part.anchors) == 1
        and isinstance(lane, model.Lane)
        and lane.each is None
        and not anchor.unread
        and all(option is None for option in options)
    )


def speaks_of_places(part: model.WindowPart) -> bool:
    """Whether it is told where, in the order of its rows, it stands."""
    return isinstance(part.holes, model.BoundaryHole) or any(one.at in ("at", "id") for one in part.anchors)


def first_lane(part: model.WindowPart) -> model.Lane:
    """The lane whose order is that of all lanes of which places are told."""
    return next(lane for lane in part.lanes if isinstance(lane, model.Lane))


def rests(schema: model.Schema) -> set[tuple[str, int]]:
    """The tables of which a window encodes what follows a prefix of so many parts."""
    found = set()
    for view in schema.views.values():
        for part in view.parts:
            if isinstance(part, model.WindowPart) and not is_plain(part) and speaks_of_places(part):
                lane = first_lane(part)
                found.add((lane.table, len(lane.prefix)))
    return found
