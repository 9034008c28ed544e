"""Law: what a clean clone installs is what pyproject.toml allows, each package in one release."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
#: Installed only where there is no Java, and pinned to a line of releases by pyproject.toml itself.
NOT_PINNED = {"java"}


def pins() -> dict[str, str]:
    lines = (ROOT / ".ci/versions.txt").read_text().splitlines()
    found = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in found}


def requirements() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [of for extra, of in project["optional-dependencies"].items() if extra not in NOT_PINNED]
    return [Requirement(line) for of in (project["dependencies"], *extras) for line in of]


def test_every_package_that_is_asked_for_is_pinned_to_a_release_that_is_allowed() -> None:
    pinned = pins()

    unlike = {
        str(asked): pinned.get(canonicalize_name(asked.name))
        for asked in requirements()
        if not asked.specifier.contains(pinned.get(canonicalize_name(asked.name), "0"))
    }

    assert len(requirements()) > 15
    assert unlike == {}


@pytest.mark.parametrize(
    ("name", "version"),
    [("msgspec", "0.20.0"), ("click", "8.1.8"), ("trio", "0.30.0")],
    ids=["what does not read is no ValueError", "no verb is no wrong use", "anyio 4.11 has no use for it"],
)
def test_no_release_is_allowed_with_which_something_breaks(name: str, version: str) -> None:
    asked = [it for it in requirements() if it.name == name]

    assert asked != []
    assert not any(it.specifier.contains(version) for it in asked)


def test_every_line_pins_one_package() -> None:
    lines = (ROOT / ".ci/versions.txt").read_text().splitlines()

    assert len(pins()) == sum(not line.startswith("#") for line in lines)
