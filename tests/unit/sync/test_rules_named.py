"""Every rule of following a server is named by a test that holds it.

A test names a rule by its number, in its docstring, its name or beside it: G-3, Q7.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[2]
#: These say what there is, and hold nothing of it.
LISTS: Final = {"test_rules_named.py", "test_pages.py"}
PAGE: Final = TESTS.parent / "docs" / "sync-rules.md"
NUMBER: Final = re.compile(r"\b([ACDGHKLPSU]-\d{1,2}|Q\d{1,2})\b")

#: Letter -> how many rules there are.
COUNTS: Final = {"C": 7, "U": 11, "G": 20, "K": 14, "D": 7, "A": 14, "Q": 12, "H": 4, "S": 3, "L": 6, "P": 5}
RULES: Final = tuple(
    f"{letter}{number}" if letter == "Q" else f"{letter}-{number}"
    for letter, count in COUNTS.items()
    for number in range(1, count + 1)
)

#: Rules without a test of their own, and why.
WITHOUT: Final = {
    "D-5": "a poll that keeps the stored date is for apps that are woken for a moment; it differs in nothing"
    " else from a poll, and what it answers `Engine.updating` tells",
}


@cache
def named() -> dict[str, set[str]]:
    """Rule -> the files whose tests name it."""
    found: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        if path.name not in LISTS:
            for rule in NUMBER.findall(path.read_text(encoding="utf-8")):
                found.setdefault(rule, set()).add(path.name)
    return found


def test_each_rule_is_named_by_a_test_or_says_why_not() -> None:
    without = [rule for rule in RULES if rule not in named()]
    assert sorted(without) == sorted(WITHOUT), "rules that no test names"


def test_no_test_names_a_rule_that_there_is_not() -> None:
    assert {rule: files for rule, files in named().items() if rule not in RULES} == {}


def test_the_list_is_that_of_the_page() -> None:
    rows = re.findall(r"^\| ([A-Z]-?\d{1,2}) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [rule for rule in rows if not rule.startswith("E-")] == list(RULES)
