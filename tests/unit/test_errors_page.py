"""The page of errors is that of the module, and what a program may call is on some page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import pytest
from tests.unit.committed import ROOT

from pillarbox import errors
from pillarbox.box import Box
from pillarbox.cli import exit_code_of
from pillarbox.sync import Engine
from pillarbox.views import Subscription

#: What is called by the other parts of the runtime only.
INNER = {
    Box: {"load_together", "refuse_inside", "refuse_newer", "refuse_reading", "watch_over"},
    Subscription: {"receive", "shut", "tell_end"},
    Engine: {"owns_loop"},
}


def told_of(module: object) -> Iterator[str]:
    """The lines of the page, but for its first words."""
    for name, one in vars(module).items():
        if not isinstance(one, type) or not issubclass(one, errors.PillarboxError):
            continue
        doc = " ".join((inspect.getdoc(one) or "").split())
        if errors.PillarboxError in one.__bases__:
            yield from (f"## {name}", f"{doc} Exit code {exit_code_of(one()):d}.")
            yield from ("| error | says |", "|---|---|")
        elif one is not errors.PillarboxError:
            yield f"| `{name}` | {doc} |"


def test_the_page_of_errors_is_the_module() -> None:
    page = (ROOT / "docs/errors.md").read_text()

    assert [line for line in page[page.index("## ") :].split("\n") if line] == list(told_of(errors))


@pytest.mark.parametrize("of", INNER, ids=lambda of: of.__name__)
def test_what_a_program_may_call_is_on_a_page(of: type[object]) -> None:
    pages = "\n".join(path.read_text() for path in (ROOT / "README.md", *ROOT.glob("docs/**/*.md")))
    names = {name for name, _ in inspect.getmembers(of) if not name.startswith("_")}

    assert {name for name in names if not re.search(rf"\b{name}\b", pages)} == INNER[of]
