"""What programs call, with arguments of other types: each is told by its name, with what to pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pillarbox.errors import RangeError, UsageError
from pillarbox_tracker import open_box
from pillarbox_tracker.box import Box
from pillarbox_tracker.types import Profiles, UserId
from pillarbox_tracker.views import Attention

KEY = Attention(user_id=UserId(7), limit=2)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with open_box(tmp_path / "a.box", durability="relaxed") as box:
        yield box


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"path": None}, "path is None; pass a path"),
        ({"path": 5}, r"path is 5 \(int\); pass a path"),
        ({"path": b"a.box"}, r"path is b'a.box' \(bytes\); pass a path"),
        ({"busy_ms": "5"}, r"busy_ms is '5' \(str\); pass an int of 0 or more"),
        ({"busy_ms": 1.5}, r"busy_ms is 1\.5 \(float\); pass an int"),
        ({"busy_ms": -1}, r"busy_ms is -1 \(int\); pass an int"),
    ],
    ids=str,
)
def test_a_box_is_opened_by_a_path_and_a_number(tmp_path: Path, options: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        open_box(**{"path": tmp_path / "a.box", **options})

    assert list(tmp_path.iterdir()) == []


CALLS: list[tuple[str, Callable[[Any], object]]] = [
    ("work is None; pass a function of a transaction", lambda box: box.transact(None)),
    (r"work is 5 \(int\); pass a function of a transaction", lambda box: box.apply(5)),
    ("listener is None; pass a function of one event", lambda box: box.on_event(None)),
    ("path is None; pass a path", lambda box: box.backup(None)),
    (r"queue_max is 'a' \(str\); pass an int of 1 or more", lambda box: box.watch(KEY, queue_max="a")),
    ("callback is None; pass a function of one emission", lambda box: box.watch(KEY).listen(None)),
    (r"ended is 5 \(int\); pass a function", lambda box: box.watch(KEY).listen(print, ended=5)),
    (r"where to call is 5 \(int\); pass a loop", lambda box: box.watch(KEY).listen(print, loop=5)),
    (r"where to call is 'x' \(str\); pass a loop", lambda box: box.watch(KEY).listen(print, executor="x")),
]


@pytest.mark.parametrize(("told", "call"), CALLS, ids=lambda it: it if isinstance(it, str) else "")
def test_a_wrong_argument_is_told_by_its_name(box: Box, told: str, call: Callable[[Box], object]) -> None:
    with pytest.raises(UsageError, match=told):
        call(box)


def test_who_was_refused_can_still_be_listened_to(box: Box) -> None:
    told: list[object] = []
    with box.watch(KEY) as subscription:
        for wrong in ({"callback": None}, {"callback": print, "loop": 5}):
            with pytest.raises(UsageError, match="; pass "):
                subscription.listen(**wrong)
        subscription.listen(told.append)

    assert len(told) == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "issues is None, which is not .*its rows are of the class Issues"),
        ({"project_id": 1}, r"issues is \{'project_id': 1\}, which is not .* the class Issues"),
        (Profiles(user_id=UserId(1)), r"issues is Profiles\(.*, which is not .* the class Issues"),
    ],
    ids=["none", "dict", "other row"],
)
def test_what_is_no_row_of_a_table_is_shown_whole(box: Box, given: Any, told: str) -> None:
    with pytest.raises(RangeError, match=told), box.transaction() as tx:
        tx.issues.put(given)
