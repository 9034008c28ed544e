"""The word `window`, as checked.

Depends on: model_exprs.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr

if TYPE_CHECKING:
    from pillarbox_codegen.model_views import PartCommon


@dataclass(frozen=True, slots=True)
class Lane:
    """The rows of a table under a prefix; with `each` a lane for each value, which `prefix` calls `item`."""

    table: str
    each: Expr | None
    prefix: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class KeysLane:
    """Source rows of a table in the order of `keys`: their own, or those of rows of `via` that have theirs.

    `keys` are as those of a `GetEachPart`.
    """

    table: str
    keys: tuple[Expr, ...]
    via: str | None


@dataclass(frozen=True, slots=True)
class WindowCase:
    """Where the rows come from while `when` holds; None: if no case before does."""

    when: Expr | None
    lanes: tuple[Lane | KeysLane, ...]


@dataclass(frozen=True, slots=True)
class WindowAnchor:
    """Where a window begins while `when` holds; None: if no anchor before does.

    `key` is what follows the prefix of a lane, in a chain a whole key (`at`), or a key of `ids` (`id`).
    """

    when: Expr | None
    at: Literal["newest", "oldest", "at", "id"]
    key: tuple[Expr, ...]
    unread: bool


@dataclass(frozen=True, slots=True)
class RangeHoles:
    """`at` is the group and space in the table of ranges, which are over the fields `by` of a row."""

    table: str
    at: tuple[Expr, ...]
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkerHoles:
    """Rows of `table` stand where below them rows are unknown; its key is `prefix`, then as in a lane."""

    table: str
    prefix: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class BoundaryHole:
    """Nothing is known below this key of a lane, without its prefix."""

    key: tuple[Expr, ...]


WindowHoles: TypeAlias = RangeHoles | MarkerHoles | BoundaryHole


@dataclass(frozen=True, slots=True)
class WindowExpand:
    """While `when` holds, each row stands for at most `limit` rows: those of `table` under `prefix`.

    `prefix` is over `row`; of an index its source rows are shown. `limit` is a constant.
    """

    table: str
    prefix: tuple[Expr, ...]
    limit: Expr
    when: Expr | None


@dataclass(frozen=True, slots=True)
class Want:
    """The name under which holes are wanted, while `when` holds, and how many rows at a time."""

    name: str
    when: Expr | None
    count: Expr


@dataclass(frozen=True, slots=True)
class WindowPart:
    """Rows of `rows` around an anchor. The last case and the last anchor hold without a condition.

    `chain`: lane after lane, else in one order. `before` and `after` are counts.
    """

    common: PartCommon
    rows: str
    cases: tuple[WindowCase, ...]
    chain: bool
    anchors: tuple[WindowAnchor, ...]
    before: Expr
    after: Expr
    #: Table of (lane, id) -> what follows the prefix of a lane.
    ids: str | None
    holes: WindowHoles | None
    clip: Expr | None
    where: Expr | None
    #: Field of which each value is shown once.
    distinct: str | None
    expand: WindowExpand | None
    rank: Expr | None
    want: Want | None

    @property
    def shows_gaps(self) -> bool:
        """Whether markers may stand among the rows."""
        return isinstance(self.holes, MarkerHoles) and self.clip is not None

    @property
    def lanes(self) -> tuple[Lane | KeysLane, ...]:
        """Those of all cases."""
        return tuple(lane for case in self.cases for lane in case.lanes)
