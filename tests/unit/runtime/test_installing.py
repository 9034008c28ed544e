"""What to type is told by where a distribution came from, as an installer wrote it down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pillarbox.installing import install_line


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        (None, "pip install 'mine[cli]'"),
        ({"url": "file:///a%20b/mine", "dir_info": {}}, "pip install '/a b/mine[cli]'"),
        (
            {"url": "file:///src/mine", "dir_info": {"editable": True}},
            "pip install --editable '/src/mine[cli]'",
        ),
        (
            {"url": "https://host/mine.git", "vcs_info": {"vcs": "git", "commit_id": "4f2a"}},
            "pip install 'mine[cli] @ git+https://host/mine.git@4f2a'",
        ),
        (
            {"url": "file:///src/mine.whl", "archive_info": {}},
            "pip install 'mine[cli] @ file:///src/mine.whl'",
        ),
    ],
)
def test_an_extra_is_installed_from_where_the_rest_came(
    origin: Any, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "mine-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    if origin is not None:
        (info / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.syspath_prepend(tmp_path)

    assert install_line("mine", "cli") == told


def test_what_is_not_installed_comes_from_the_index() -> None:
    assert install_line("no-such-package", "", "--upgrade") == "pip install --upgrade no-such-package"
