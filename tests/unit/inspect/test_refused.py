"""What verbs say where they may not read, where their folder is gone, and to what is no transport."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.unit.inspect.conftest import Run


@pytest.mark.parametrize("verb", ["stat", "ls", "verify"])
def test_a_box_that_may_not_be_read_is_a_store_problem(
    path: Path, run: Run, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda name, mode: mode != os.R_OK and allowed(name, mode))

    ran = run(verb, path)

    assert (ran.code, ran.out) == (3, "")
    assert ran.err == (
        f"pillarbox: {path}: this user may not read it; have its owner allow that (`chmod`), or run this as "
        f"its owner\n"
    )


def test_a_link_to_nothing_is_told_as_such(tmp_path: Path, run: Run) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")

    ran = run("stat", tmp_path / "link")

    assert ran.code == 3
    assert "/link: this is a link to what is not there; check the path" in ran.err


def test_a_box_is_verified_from_a_folder_that_is_gone_or_hidden(
    path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hidden() -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "getcwd", hidden)

    assert run("verify", path, "--level", "derived").code == 0


def test_what_makes_no_transport_is_wrong_use(tmp_path: Path, run: Run) -> None:
    options = ("--package", "pillarbox_tracker", "--transport", "os:getpid", "--seconds", 0)

    ran = run("record", "run", tmp_path / "a.rec", "--into", tmp_path / "a.box", *options)

    assert ran.code == 2
    assert "--transport os:getpid: it makes 'int', which has no `send` and `listen`; name" in ran.err
    assert not list(tmp_path.iterdir())
