"""Empty boxes of both packages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import pillarbox_messenger as messenger
import pillarbox_tracker as tracker


@pytest.fixture
def box() -> Iterator[tracker.Box]:
    with tracker.open_box(":memory:") as opened:
        yield opened


@pytest.fixture
def post() -> Iterator[messenger.Box]:
    with messenger.open_box(":memory:") as opened:
        yield opened
