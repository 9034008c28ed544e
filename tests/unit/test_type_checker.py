"""The cache of the type checker hides nothing: packages of one name and of other texts follow each other."""

from __future__ import annotations

from pathlib import Path

from tests.type_checker import type_errors

USER = "from of_several_texts import told\n\nSHOWN: str = told(1)\n"


def test_what_is_wrong_is_found_after_what_was_right_and_the_other_way_round(tmp_path: Path) -> None:
    for place, kind in enumerate(("int", "bytes", "int", "bytes")):
        package = tmp_path / str(place) / "of_several_texts"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(f"def told(of: {kind}) -> str:\n    return str(of)\n")
        (package / "user.py").write_text(USER)

        for found in (type_errors("-p", package.name, path=package.parent), type_errors(str(package))):
            if kind == "int":
                assert found == ""
            else:
                assert "user.py:3: error:" in found
                assert "[arg-type]" in found


def test_rules_are_strict(tmp_path: Path) -> None:
    (tmp_path / "untyped.py").write_text("def told(of):\n    return of\n")

    assert "[no-untyped-def]" in type_errors("-m", "untyped", path=tmp_path)


def test_a_package_that_is_nowhere_is_no_package_without_errors() -> None:
    assert "can't find package" in type_errors("-p", "nowhere_to_be_found").lower()
