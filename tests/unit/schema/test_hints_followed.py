"""Who writes what a hint proposes is rid of the finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.unit.schema.cases import BASE, MARK, Case, findings, marked, write

from pillarbox_codegen.diagnostics import Diagnostic

HERE: Final = Path(__file__).parent
_MEANT: Final = re.compile(r"did you mean `([\w.]+)`\?")
_WORD: Final = re.compile(r"\w+")
_PATH: Final = re.compile(r"[\w.]+")
#: A count of two tables, each of which has the name that the other one lacks.
_OF_SEVERAL: Final = "sum: {n: «number}"


def cases() -> Iterator[tuple[str, str]]:
    """The base and the text of the schemas of the modules beside this one in which a name is not known."""
    for file in sorted(HERE.glob("test_findings_of_*.py")):
        module = import_module(f"{__package__}.{file.stem}")
        lists = [held for held in vars(module).values() if isinstance(held, list | tuple)]
        for case in [one for held in lists for one in held if isinstance(one, Case)]:
            if case.code.startswith("unknown-") and case.text.count(MARK) == 1:
                yield getattr(module, "BASE", BASE), case.text


def found_in(folder: Path, text: str, base: str) -> tuple[Diagnostic, ...]:
    write(folder, text, base)
    return findings(folder)


def test_the_name_that_is_proposed_is_there(tmp_path: Path) -> None:
    followed, left = 0, []
    for base, text in cases():
        plain, line, column = marked(text)
        found = [it for it in found_in(tmp_path, plain, base) if (it.line, it.column) == (line, column)]
        meant = _MEANT.fullmatch(found[0].suggestion or "") if len(found) == 1 else None
        place = text.index(MARK)
        word = (_PATH if meant and "." in meant[1] else _WORD).match(plain, place)
        if meant is None or word is None or _OF_SEVERAL in text:
            continue
        followed += 1
        after = found_in(tmp_path, plain[:place] + meant[1] + plain[word.end() :], base)
        told = [it.text for it in after if (it.line, it.column, it.code) == (line, column, found[0].code)]
        left += [(found[0].text, meant[1], one) for one in told]

    assert left == []
    assert followed > 100
