"""Building: what it needs, what it leaves behind when it fails, and what it says."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.native_support import need_compiler

from pillarbox.native import build as building
from pillarbox.native import loader
from pillarbox.native.build import BuildFailed, build, cached_object, find_compiler, main, user_cache
from pillarbox.native.loader import load


def test_without_a_compiler_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BuildFailed, match="install gcc, or go on without the native path"):
        find_compiler()


def test_a_compiler_that_is_named_but_absent_is_named_in_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -m64")

    with pytest.raises(BuildFailed, match=r"\$CC names 'no-such-compiler'"):
        find_compiler()


def test_a_refused_source_leaves_nothing_behind(tmp_path: Path) -> None:
    need_compiler()
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "broken.c").write_text("int broken(void) { int unused; return nothing; }\n")
    target = tmp_path / "built" / "object.so"

    with pytest.raises(BuildFailed, match=r"broken\.c"):
        build(target, sources=sources)

    assert list(target.parent.iterdir()) == []


def test_a_failed_build_keeps_the_object_that_was_there(tmp_path: Path) -> None:
    need_compiler()
    target = tmp_path / "object.so"
    target.write_bytes(b"the old one")

    with pytest.raises(BuildFailed, match="holds no C files"):
        build(target, sources=tmp_path / "none")

    assert target.read_bytes() == b"the old one"


def test_without_the_header_of_sqlite_everything_else_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_compiler()
    monkeypatch.setattr(building, "_has_sqlite_header", lambda compiler: False)

    library, status = load(build(tmp_path / "object.so"))

    assert (library.name, status.has_table_function) == ("native", False)
    assert "without the table function" in str(status)


def test_other_sources_have_another_place_in_the_cache(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text("int one;\n")
    before = cached_object(tmp_path)

    (tmp_path / "one.c").write_text("int two;\n")

    assert cached_object(tmp_path) != before
    assert cached_object(tmp_path).parent == before.parent


def test_the_command_line_answers_with_exit_codes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert main(["--wrong"]) == 2
    assert main([]) == 3
    assert "no C compiler" in capsys.readouterr().err


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(BuildFailed, match=r"cannot be written: .*; name a cache by \$XDG_CACHE_HOME"):
        build(tmp_path / "file" / "native.so")


@pytest.mark.parametrize("named", [None, "", "cache", "./cache"])
def test_only_a_whole_path_names_a_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if named is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", named)

    assert user_cache() == tmp_path / ".cache" / "pillarbox"


def test_a_user_without_a_home_has_no_cache_and_no_object_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    homeless = patch.object(Path, "home", side_effect=RuntimeError("Could not determine home directory."))
    need_compiler()

    with homeless:
        assert cached_object().is_relative_to("/dev/null/pillarbox")
        with pytest.raises(BuildFailed, match=r"name a cache by \$XDG_CACHE_HOME"):
            build(cached_object())


def test_a_cache_that_may_not_be_entered_holds_no_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat, closed = os.stat, tmp_path / "closed" / "native.so"

    def refusing(path: str | Path, **how: bool) -> os.stat_result:
        if str(path) == str(closed):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, **how)

    monkeypatch.delenv(loader.SWITCH, raising=False)
    monkeypatch.setattr(loader, "HERE", tmp_path)
    monkeypatch.setattr(loader, "cached_object", lambda: closed)
    monkeypatch.setattr(os, "stat", refusing)

    status = loader._chosen.__wrapped__()[1]

    assert not status.active
    assert f"no object at {tmp_path}" in status.reason
