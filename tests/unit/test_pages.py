"""What the pages promise is there: links, paths, names, options, targets, verbs, packages, floors."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tests.sim.mutants import MUTANTS
from tests.unit.committed import ROOT, committed_files

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())

# -------------------------------------------------------------------------------- links and paths

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
IN_TICKS = re.compile(r"`([^`]+)`")
#: What a path in backticks may be relative to, besides its page.
ROOTS = (ROOT, *(ROOT / name for name in ("runtime/pillarbox", "codegen")))


def dead_links(page: Path, text: str) -> Iterator[str]:
    """The links of a page that lead to no file, or to no heading of that file."""
    for link, heading in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", FENCED.sub("", text)):
        if "://" in link:
            continue
        there = page.parent / link if link else page
        if not there.exists() or (heading and heading not in anchors(there)):
            yield f"{link}#{heading}"


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links, as GitHub does it."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_paths(page: Path, text: str) -> Iterator[str]:
    """Paths in backticks that nothing has; capitals in them stand for a name of the reader's."""
    made = set(re.findall(r"^.*`([\w./-]+)`[^`\n]*:$", text, re.MULTILINE))  # the page tells to write it
    for told in IN_TICKS.findall(FENCED.sub("", text)):
        is_path = re.fullmatch(r"\w[\w.-]*/[\w./-]*", told) and not re.search(r"[A-Z]{2}", told)
        if is_path and told not in made and not any((root / told).exists() for root in (*ROOTS, page.parent)):
            yield told


@each_page
def test_every_link_on_a_page_leads_somewhere(page: Path) -> None:
    assert list(dead_links(page, page.read_text())) == []


@each_page
def test_every_path_on_a_page_is_there(page: Path) -> None:
    assert list(dead_paths(page, page.read_text())) == []


def lost_pages(pages: list[Path], start: Path) -> set[Path]:
    """The pages to which no way leads from another one: by links to them, or to the folder they lie in."""
    found, ways = {start}, [start]
    while ways:
        page = ways.pop()
        for link, _ in re.findall(r"\]\(([^)#]+)(?:#([^)]*))?\)", FENCED.sub("", page.read_text())):
            there = (page.parent / link).resolve()
            fresh = {one for one in pages if one not in found and there in (one, one.parent)}
            found |= fresh
            ways += fresh
    return set(pages) - found


def test_every_page_is_found_from_the_readme() -> None:
    assert lost_pages(PAGES, ROOT / "README.md") == set()


def test_a_lost_page_is_found(tmp_path: Path) -> None:
    texts = {
        "README.md": "[a](a.md#x) `c.md` [d](d/)",
        "a.md": "[b](b.md)",
        "b.md": "",
        "c.md": "",
        "d/e.md": "",
    }
    (tmp_path / "d").mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text)

    assert lost_pages([tmp_path / name for name in texts], tmp_path / "README.md") == {tmp_path / "c.md"}


def test_a_dead_link_and_a_dead_path_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    text = "# One `two`\n[a](page.md#one-two) [b](#one) [c](gone.md) `box/box.py` `box/gone.py` `run-ID/x`\n"
    page.write_text(text)

    assert list(dead_links(page, text)) == ["#one", "gone.md#"]
    assert list(dead_paths(page, text)) == ["box/gone.py"]


# --------------------------------------------------------------------------------- names and options

NAME = re.compile(r"(?<![\w\\])[A-Za-z_][A-Za-z0-9_]{2,}")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
#: Names in the examples of a page, and those of other people's tools.
NOT_OURS = {
    "CONTRIBUTING.md": {"test_x"},
    "docs/decisions/0002-storage-statements.md": {"mmap_size"},
    "docs/decisions/0028-a-journal-while-somebody-listens.md": {"t65536"},
    "docs/ingest.md": {"DS_Store", "conda", "nestedSchemaPruning", "optimizer"},
    "docs/schema/fetching.md": {"event_id"},
    "docs/schema/protocol.md": {"wait_seconds"},
    "docs/schema/refs.md": {"pictures_users"},
    "docs/schema/seeds.md": {"holes_seeded"},
    "docs/schema/sources.md": {"ScrobblesRow"},
    "docs/schema/types.md": {"media_title", "medias"},
    "docs/sync.md": {"mailbox_gone"},
    "docs/tutorial.md": {"activate"},
}
#: Options of Spark's own command.
OF_SPARK = {"--py-files", "--archives"}


@cache
def known() -> tuple[set[str], set[str]]:
    """Each name and each option in what is committed, pages left out."""
    names: set[str] = set()
    options: set[str] = set()
    for path in committed_files():
        names.update(NAME.findall(path.relative_to(ROOT).as_posix()))
        if path.suffix != ".md" and path != Path(__file__):  # which says what is gone
            text = path.read_bytes().decode("utf-8", errors="ignore")
            names.update(NAME.findall(text))
            options.update(OPTION.findall(text))
    return names, options


def unknown_names(text: str) -> set[str]:
    """Names in the backticks of a page that neither the code nor an example of the page has.

    Capitals stand for a name of the reader's, and `name_` is what `name` is called where that is taken.
    """
    told = set(NAME.findall(" ".join(IN_TICKS.findall(FENCED.sub("", text)))))
    shown = set(NAME.findall(" ".join(FENCED.findall(text))))
    told = {name if name.startswith("__") else name.removesuffix("_") for name in told}
    return {name for name in told - shown - known()[0] if not re.search(r"(?:^|_)[A-Z]+$", name)}


@each_page
def test_every_name_on_a_page_is_one_of_the_code(page: Path) -> None:
    unknown = unknown_names(page.read_text()) - NOT_OURS.get(page.relative_to(ROOT).as_posix(), set())

    assert not unknown, "nothing is called so any more; or, of an example, it belongs into NOT_OURS"


@each_page
def test_every_option_on_a_page_is_one_of_the_code(page: Path) -> None:
    assert set(OPTION.findall(page.read_text())) - known()[1] - OF_SPARK == set()


def test_a_name_that_is_gone_is_found() -> None:
    assert unknown_names("`box.replay_of_old()`, `emit_TABLE`, `0x00ff` and `open_box`") == {"replay_of_old"}


# ------------------------------------------------------------------------------------- the rest of it

TARGETS = re.findall(r"^([a-z-]+):[^=]", (ROOT / "Makefile").read_text(), re.MULTILINE)


@each_page
def test_every_make_target_on_a_page_exists(page: Path) -> None:
    commands = re.findall(r"(?:^    |`)make ((?:[a-z-]+ ?)+)(?=[`\s#]|$)", page.read_text(), re.MULTILINE)
    named = {target for command in commands for target in command.split()}

    assert named - {*TARGETS, "gcc", "python"} == set()


def test_make_help_has_a_line_for_every_target_but_those_of_setup() -> None:
    printed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    helped = set(re.findall(r"^make ([a-z-]+) +\S", printed, re.MULTILINE))

    assert helped == {*TARGETS} - {"java", "installed"}


def test_the_first_screen_of_the_readme_holds_the_commands() -> None:
    first_screen = (ROOT / "README.md").read_text().splitlines()[:20]

    assert any("apt-get install make gcc python3-venv git" in line for line in first_screen)
    assert {line.split("  ")[2] for line in first_screen if line.startswith("    ")} == {
        "make run",
        "make test",
    }


def test_the_readme_names_every_verb() -> None:
    verbs = PROJECT["project"]["entry-points"]["pillarbox.verbs"]

    named = set(re.findall(r"^    pillarbox (\w+) ", (ROOT / "README.md").read_text(), re.MULTILINE))

    assert named == set(verbs)


def test_the_page_of_dependencies_has_every_package() -> None:
    page = (ROOT / "docs/decisions/0001-dependencies.md").read_text().lower()
    project = PROJECT["project"]
    requirements = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    names = {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in requirements}

    assert {name for name in names if name not in page and not name.startswith("types-")} == set()


def test_the_page_of_the_house_draws_the_floors_that_are_checked() -> None:
    drawing = (ROOT / "docs/architecture.md").read_text()
    floors = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    drawn = [floor.replace("(", "").replace(")", "") for floor in floors if floor != "__main__"]

    positions = [drawing.find(f"\n    {floor} ") for floor in drawn]

    assert -1 not in positions
    assert positions == sorted(positions)


def test_the_page_of_the_simulator_lists_the_faults_that_are_planted() -> None:
    page = (ROOT / "docs/simulator.md").read_text()
    listed = {(int(number), name.strip()) for number, name in re.findall(r"\| (\d+) \| ([^|]+)(?= \|)", page)}

    assert listed == {(mutant.number, mutant.fault.name) for mutant in MUTANTS}
    assert f"Faults planted in the engine, {len(MUTANTS)} of them" in page


# ------------------------------------------------------------------------------- the rules by their numbers

RULES = ROOT / "docs/sync-rules.md"
RULE = re.compile(r"\b(?:[ACDEGHKLPSU]-\d{1,2}|Q\d{1,2})\b")
LAW = re.compile(r"\bN-\d{1,2}\b")
#: `sync.md 6.4, 6.5, E-1` in a docstring; and what a line of the log begins with.
CHAPTERS = re.compile(r"\bsync\.md ((?:[A-Z]?-?[\d.]+\b,? ?)+)|log\(\s*\"(\d+(?:\.\d)?)\"")


def rows_of_rules(text: str) -> dict[str, list[str]]:
    """What the page says by number: the other cells of its row. Of chapters several may share one."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for number in cells[0].split(", ") if line.startswith("| ") else ():
            if re.fullmatch(r"[A-Z]-?\d+|\d+(?:\.\d)?", number):
                assert number not in found, f"{number} stands there twice"
                found[number] = cells[1:]
    return found


def rules_named(text: str) -> set[str]:
    """Rules and chapters that a text names by their numbers."""
    chapters = chain(*(found.groups(default="") for found in CHAPTERS.finditer(text)))
    return {*RULE.findall(text), *re.findall(r"(?<![-\w.])\d+(?:\.\d)?(?![\w.])", " ".join(chapters))}


def files_that_name_rules() -> list[Path]:
    """Code, with what it writes into the log, and pages."""
    roots = ("runtime/", "codegen/", "generated/", "spark/", "native/", "schema/", "docs/", "README.md")
    return [path for path in committed_files() if path.relative_to(ROOT).as_posix().startswith(roots)]


def test_every_rule_that_code_log_or_pages_name_stands_on_the_page_of_rules() -> None:
    rules = rows_of_rules(RULES.read_text()).keys()

    without = {
        f"{path.relative_to(ROOT)}: {number}"
        for path in files_that_name_rules()
        for number in rules_named(path.read_bytes().decode("utf-8", errors="ignore")) - rules
    }

    assert without == set()


def test_every_law_of_the_simulator_that_is_named_stands_on_its_page() -> None:
    laws = set(re.findall(r"\| (N-\d+) \|", (ROOT / "docs/simulator.md").read_text()))
    tests = [path for path in committed_files() if "tests" in path.parts]

    named = chain(
        *(
            LAW.findall(path.read_text())
            for path in (*tests, *files_that_name_rules())
            if path.suffix == ".py"
        )
    )

    assert set(named) == laws


def test_a_test_that_the_page_of_rules_names_names_the_rule() -> None:
    tests: dict[str, str] = {}
    for path in ROOT.glob("tests/**/test_*.py"):
        tests[path.stem] = tests.get(path.stem, "") + path.read_text()
    cells = {number: row[2] for number, row in rows_of_rules(RULES.read_text()).items() if len(row) == 3}

    without = {
        f"{number}: {name}"
        for number, cell in cells.items()
        for name in IN_TICKS.findall(cell)
        if number not in RULE.findall(tests[name])
    }

    assert without == set()
    assert [number for number, cell in cells.items() if not cell] == ["D-5"]


def test_a_rule_without_a_row_is_found() -> None:
    text = '"""Law (sync.md 6.4, 8.9, E-1): as Q77 says."""\nself._log("A-98", "no")\nself._log("9.9", "no")'

    assert rules_named(text) == {"6.4", "8.9", "E-1", "Q77", "A-98", "9.9"}
    assert rules_named("UTF-8, 8.4 GB, AES-5, sync.md, G-X") == set()
    assert rows_of_rules("| | about |\n|---|---|\n| 6.4, 6.5 | what |\n| Q7 | after |") == {
        "6.4": ["what"],
        "6.5": ["what"],
        "Q7": ["after"],
    }
