"""The tutorial is true: its files and commands, run in order in an empty folder, print what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.pages import blocks, commands, follow

TUTORIAL = Path(__file__).resolve().parents[2] / "docs/tutorial.md"

PAGE = """\
Put this into `greet/hello.txt`:

```text
hello
```

```console
$ cat greet/hello.txt
hello
$ true
$ echo one; echo two
one
two
```
"""


def test_the_tutorial_prints_what_it_shows(tmp_path: Path) -> None:
    differences = follow(TUTORIAL.read_text(encoding="utf-8"), tmp_path)

    assert not differences, "\n\n".join(differences)


def test_the_tutorial_goes_through_every_verb_it_needs() -> None:
    page = TUTORIAL.read_text(encoding="utf-8")
    run = [
        command.text for block in blocks(page) if block.language == "console" for command in commands(block)
    ]

    for verb in ("init", "check", "generate"):
        assert any(text.startswith(f"pillarbox {verb}") for text in run), verb


def test_a_true_page_has_no_differences(tmp_path: Path) -> None:
    assert follow(PAGE, tmp_path) == []


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("\nhello\n```\n\n", "\nhullo\n```\n\n", "line 8: `cat greet/hello.txt` printed:\nhullo\n"),
        ("$ true\n", "$ true\ntrue\n", "line 10: `true` printed:"),
        ("$ true\n", "$ exit 3\n", "line 10: `exit 3` ended with 3"),
        ("one\ntwo\n", "one\n", "printed:\none\ntwo\n"),
        ("Put this into `greet/hello.txt`:", "Hello:", "line 3: neither commands nor a named file"),
    ],
)
def test_a_page_that_is_not_true_is_found_out(tmp_path: Path, was: str, now: str, told: str) -> None:
    assert was in PAGE

    differences = follow(PAGE.replace(was, now, 1), tmp_path)

    assert any(told in text for text in differences), differences


def test_output_without_a_command_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="line 1: a console block begins with a command"):
        follow("```console\nhello\n```\n", tmp_path)
