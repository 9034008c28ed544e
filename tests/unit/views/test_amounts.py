"""How many rows a view key or a row asks for: numbers below 0, and what is no number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pillarbox.errors import UsageError
from pillarbox.views.parts.amounts import amount
from pillarbox_tracker import open_box
from pillarbox_tracker.box import Box
from pillarbox_tracker.types import ProjectId, State, UserId
from pillarbox_tracker.views import Activity, Attention, Discussion, Find, Triage

PROJECT, USER = ProjectId(2), UserId(7)

#: A scan, a window, a scan of lanes, a window of lanes, a search.
KEYS: list[tuple[str, Any]] = [
    ("limit", Attention(user_id=USER, limit=2)),
    ("limit", Triage(projects=(PROJECT,), watcher=None, limit=2)),
    ("before", Discussion(project_id=PROJECT, number=1, posted_at=1, comment=1, before=2, after=2)),
    ("after", Discussion(project_id=PROJECT, number=1, posted_at=1, comment=1, before=2, after=2)),
    ("count", Activity(project_ids=(PROJECT,), state=State.OPEN, count=2, whole=True)),
    ("limit", Find(words="a", project_id=None, limit=2)),
]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with open_box(tmp_path / "a.box", durability="relaxed") as box:
        yield box


@pytest.mark.parametrize(
    ("field", "key"), KEYS, ids=lambda it: it if isinstance(it, str) else type(it).__name__
)
@pytest.mark.parametrize(("wrong", "told"), [("5", r"'5' \(str\)"), (1.5, r"1\.5 \(float\)")], ids=str)
def test_what_is_no_number_of_rows_is_refused(box: Box, field: str, key: Any, wrong: Any, told: str) -> None:
    bad = replace(key, **{field: wrong})
    with pytest.raises(
        UsageError, match=rf"the `\w+` that the key of this view gives is {told}; pass an int"
    ):
        box.get(bad)
    with pytest.raises(UsageError, match=told):
        box.watch(bad)
    assert box.view_counters() == ()


def test_who_moves_to_no_number_stays_where_it_is(box: Box) -> None:
    with box.watch(Attention(user_id=USER, limit=2)) as subscription:
        with pytest.raises(UsageError, match=r"'5' \(str\)"):
            subscription.move(replace(subscription.key, limit="5"))

        assert subscription.key.limit == 2
        subscription.move(Attention(user_id=USER, limit=0))


@pytest.mark.parametrize(("field", "key"), KEYS)
def test_a_number_below_0_shows_what_0_does(box: Box, field: str, key: Any) -> None:
    """Rows may give one too, and a view that is live does not end for what a row holds."""
    assert box.get(replace(key, **{field: -1})) == box.get(replace(key, **{field: 0}))
    assert [amount("limit", given) for given in (-3, 0, 3)] == [0, 0, 3]
