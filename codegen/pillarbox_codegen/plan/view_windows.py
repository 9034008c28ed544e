"""The word `window` as Python: one constructor call.

Depends on: model, names, view_pieces.  Never on: other words of views.

Law: a window names as its dependencies exactly the earlier parts that its terms read.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.plan.view_pieces import Pieces


def window(view: Pieces, part: model.WindowPart) -> str:
    """`WindowAt(..)`"""
    (lane,), (anchor,) = part.lanes, part.anchors
    assert isinstance(lane, model.Lane)
    table = view.schema.tables[lane.table]
    arguments = [
        view.spec(table.name),
        f"prefix=lambda: {view.prefix(part.common.when, table, lane.prefix)}",
        *view.source(lane.table, part.rows),
    ]
    if anchor.at == "at":
        arguments.append(f"anchor=lambda: {view.key(None, table, (*lane.prefix, *anchor.key))}")
    else:
        arguments.append(f'anchor="{anchor.at}"')
    arguments.append(f"before_max=lambda: {view.number(part, part.before, '0')}")
    arguments.append(f"after_max=lambda: {view.number(part, part.after, '0')}")
    read = (*lane.prefix, *anchor.key, part.before, part.after)
    return view.call(
        "WindowAt", [*arguments, *view.shown(part), *view.after("after", part.common.when, read)]
    )
