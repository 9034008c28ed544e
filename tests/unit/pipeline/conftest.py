"""Nothing here loses power: no test waits for a disk."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest


@pytest.fixture(autouse=True, scope="package")
def _no_waiting_for_disks() -> Iterator[None]:
    with patch("os.fsync"):
        yield
