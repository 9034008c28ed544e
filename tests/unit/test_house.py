"""The rules of the house that no compiler holds: words, import directions, paths."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.committed import ROOT, committed_files

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())

# ---------------------------------------------------------------------------------------- words

NEUTRAL_ROOTS = ("runtime", "codegen", "native", "spark")
#: Adapters of foreign formats speak the words of those formats.
ADAPTERS = "spark/pillarbox_spark/sources"
DOMAIN_WORDS = frozenset(
    f"{word}{ending}"
    for word in ("message", "peer", "chat", "dialog", "sticker", "story", "storie", "pts", "qts", "telegram")
    for ending in ("", "s")
)
#: The text of an error that a library raised has no other name.
ERROR_TEXT = re.compile(r"\berror\.message\b")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def domain_words(root: Path) -> Iterator[str]:
    """`path:line: word` for each domain word in the neutral folders of a repository, paths included."""
    for folder in NEUTRAL_ROOTS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if (
                not path.is_file()
                or "__pycache__" in name
                or ".egg-info" in name
                or name.startswith(ADAPTERS)
            ):
                continue
            try:
                lines = [name, *path.read_text(encoding="utf-8").splitlines()]
            except UnicodeDecodeError:
                continue
            for number, line in enumerate(lines):
                for word in WORD.findall(ERROR_TEXT.sub("", line)):
                    if word.lower() in DOMAIN_WORDS:
                        yield f"{name}:{number}: {word}"


def test_no_domain_word_is_in_the_neutral_folders() -> None:
    assert list(domain_words(ROOT)) == []


@pytest.mark.parametrize(
    "line",
    [
        "peer_id: int",
        "class ChatList:",
        "top-message",
        "MAX_PTS = 1",
        "readPTSValue(x)",
        "see Telegram",
        "two stories",
        "error.messages",
    ],
)
def test_a_planted_domain_word_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "native").mkdir()
    (tmp_path / "native" / "notes.txt").write_text(f"fine\n{line}\n")

    assert len(list(domain_words(tmp_path))) == 1


@pytest.mark.parametrize(
    "line", ["error.message", "opts, attempts, scripts", "history", "a chitchat archive"]
)
def test_a_word_that_only_contains_a_domain_word_is_none(tmp_path: Path, line: str) -> None:
    (tmp_path / "native").mkdir()
    (tmp_path / "native" / "notes.txt").write_text(line)

    assert list(domain_words(tmp_path)) == []


def test_a_domain_word_in_a_file_name_is_found_but_not_in_an_adapter(tmp_path: Path) -> None:
    for name in ("runtime/peers.py", f"{ADAPTERS}/chats.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()

    assert list(domain_words(tmp_path)) == ["runtime/peers.py:0: peers"]


# ----------------------------------------------------------------------------- import directions

FLOORS = (
    "cli verbs doctor inspect sync bulk box transaction maintainers views tables storage"
    " native codec layout errors"
)
SKELETON = {
    "pillarbox": f"__main__ {FLOORS}",
    "pillarbox_codegen": "verbs",
    "pillarbox_spark": "types",
    "pillarbox_messenger": "records spark jobs",
    "pillarbox_tracker": "records spark jobs",
}
PLANTED = [
    ("floors", "pillarbox/tables.py", "from pillarbox import box"),
    ("floors", "pillarbox/views.py", "import pillarbox.maintainers"),
    ("floors", "pillarbox/helpers.py", ""),
    ("runtime", "pillarbox/box.py", "import pillarbox_messenger.records"),
    ("sqlite", "pillarbox/tables.py", "import apsw"),
    ("event-loop", "pillarbox/box.py", "import anyio"),
    ("codegen", "pillarbox_codegen/verbs.py", "import pillarbox.errors"),
    ("spark", "pillarbox_spark/types.py", "import pillarbox_tracker"),
    ("generated", "pillarbox_tracker/records.py", "import pillarbox_codegen.verbs"),
    ("strangers", "pillarbox_tracker/records.py", "import pillarbox_messenger.records"),
    ("generated-spark", "pillarbox_tracker/records.py", "import pyspark.sql"),
    ("without-spark", "pillarbox_tracker/records.py", "import pillarbox_tracker.spark"),
]


def plant_skeleton(root: Path) -> None:
    """A house with every package and floor in it, and the imports that are allowed at its edges."""
    for package, modules in SKELETON.items():
        (root / package).mkdir()
        for module in ["__init__", *modules.split()]:
            (root / package / f"{module}.py").touch()
    (root / "pillarbox/storage.py").write_text("import apsw\nimport pillarbox.codec\n")
    (root / "pillarbox_tracker/spark.py").write_text(
        "import pyspark.sql.types\nimport pillarbox_spark.types\n"
    )
    (root / "pillarbox_tracker/jobs.py").write_text("import pyspark\nimport pillarbox_tracker.spark\n")


def broken_contracts(root: Path) -> list[str]:
    """The names of the contracts that import-linter finds broken in a house."""
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", lint, "--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    report = " ".join(done.stdout.split())
    assert " kept, " in report, done.stdout + done.stderr
    return [
        contract["id"]
        for contract in PROJECT["tool"]["importlinter"]["contracts"]
        if f"{contract['name']} BROKEN" in report
    ]


def test_the_skeleton_of_the_house_breaks_no_contract(tmp_path: Path) -> None:
    plant_skeleton(tmp_path)

    assert broken_contracts(tmp_path) == []


@pytest.mark.parametrize(("contract", "path", "line"), PLANTED, ids=lambda value: str(value) or "stray")
def test_a_planted_import_breaks_its_contract(tmp_path: Path, contract: str, path: str, line: str) -> None:
    plant_skeleton(tmp_path)
    (tmp_path / path).write_text(f"{line}\n")

    assert broken_contracts(tmp_path) == [contract]


def test_every_contract_has_a_planted_import() -> None:
    contracts = {contract["id"] for contract in PROJECT["tool"]["importlinter"]["contracts"]}

    assert {contract for contract, _, _ in PLANTED} == contracts


# -------------------------------------------------------------------- what committed files say

MACHINE_PATH = re.compile(r"""(?<![\w.$}<>*-])/(?:work|root|tmp|home)/[\w.]""")
LATER = re.compile(r"\b(?:TODO|FIXME|XXX)\b(?!\([^)]+\))")
#: These name what they look for.
EXEMPT = {"tests/unit/test_house.py"}


def lines_matching(pattern: re.Pattern[str], root: Path, files: list[Path]) -> list[str]:
    """`path:line: text` of each line of a text file that holds the pattern."""
    found = []
    for path in files:
        name = path.relative_to(root).as_posix()
        if name in EXEMPT:
            continue
        text = path.read_bytes().decode("utf-8", errors="ignore")
        found += [
            f"{name}:{number}: {line.strip()}"
            for number, line in enumerate(text.splitlines(), 1)
            if pattern.search(line)
        ]
    return found


@pytest.mark.parametrize("pattern", [MACHINE_PATH, LATER], ids=["path of one machine", "left for later"])
def test_no_committed_file_holds(pattern: re.Pattern[str]) -> None:
    assert lines_matching(pattern, ROOT, committed_files()) == []


def test_a_planted_machine_path_and_a_planted_reminder_are_found(tmp_path: Path) -> None:
    planted = tmp_path / "notes.md"
    planted.write_text("open('/work/x')\n# TODO: later\nhttps://example.org/work/x\n# TODO(why): known\n")

    assert lines_matching(MACHINE_PATH, tmp_path, [planted]) == ["notes.md:1: open('/work/x')"]
    assert lines_matching(LATER, tmp_path, [planted]) == ["notes.md:2: # TODO: later"]
