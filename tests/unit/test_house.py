"""The rules of the house that no compiler holds: words, import directions, paths."""

from __future__ import annotations

import ast
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


# ------------------------------------------------------------------- what a module says of itself

SOURCES = tuple(ROOT / name for name in ("runtime", "codegen", "spark"))
#: What docstrings call things that are no modules beside them.
STRANGERS = {
    "clocks": ("time", "datetime"),
    "wall clock": ("time", "datetime"),
    "randomness": ("random", "secrets"),
    "threads": ("threading", "concurrent"),
    "event loops": ("asyncio", "anyio"),
    "networks": ("socket", "ssl"),
    "SQLite": ("apsw", "sqlite3"),
    "Python's sqlite3": ("sqlite3",),
    "Spark": ("pyspark",),
    "Spark session": ("pyspark.sql.session",),
    "YAML": ("yaml",),
    "templates": ("jinja2",),
    "runtime": ("pillarbox",),
    "generated": ("pillarbox_tracker", "pillarbox_messenger"),
}


def modules(roots: tuple[Path, ...]) -> dict[str, Path]:
    """Each module by its dotted name."""
    found = {}
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def said(docstring: str, word: str) -> list[str]:
    """What a docstring lists behind a word, up to the end of the sentence, without what is in brackets."""
    found = re.search(rf"{word}:\s*(.*?)(?:\.(?=\s|$)|\n\n|$)", docstring, re.DOTALL)
    text = re.sub(r"\([^)]*\)", "", " ".join(found.group(1).split())) if found else ""
    parts = (part.strip() for part in re.split(r"[,;]| and | or ", text))
    return [re.sub(r"^(?:the|an?|any|other)\s+", "", part) for part in parts if part and " but " not in part]


def meant(thing: str, name: str, known: dict[str, Path]) -> tuple[str, ...]:
    """The modules that a docstring of `name` calls so: the nearest one, in its own folder or above it."""
    if thing in STRANGERS or thing.split(" ")[0] == "generated":
        return STRANGERS[thing if thing in STRANGERS else "generated"]
    package = name if known[name].name == "__init__.py" else name.rpartition(".")[0]
    while package:
        for word in (thing, thing.removesuffix("es"), thing.removesuffix("s")):
            # Within the folder of views, "views" are what these modules make, and not the folder.
            if (found := f"{package}.{word}") in known and not f"{name}.".startswith(f"{found}."):
                return (found,)
        package = package.rpartition(".")[0]
    return (thing,) if re.fullmatch(r"[a-z_.0-9]+", thing) else ()


def imported(tree: ast.AST) -> Iterator[str]:
    """Each module that is imported anywhere, and each name out of it; but for names of types."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):  # in which no statement stands, and which are most of a tree
            continue
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        yield from imported(node)


def broken_words(roots: tuple[Path, ...]) -> Iterator[str]:
    """`module: import` for what a module imports although it says that it leans on nothing of that kind.

    What it says to depend on, by name, is the exception that it makes.
    """
    known = modules(roots)
    for name, path in known.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstring = ast.get_docstring(tree) or ""
        depends = said(docstring, "Depends on")
        own = name.split(".")[0]
        never = [module for thing in said(docstring, "Never on") for module in meant(thing, name, known)]
        if depends and depends[0] in ("nothing", "nothing of ours"):
            never.append(own)
        for line in imported(tree):
            excused = any(f".{thing}." in f".{line}." for thing in depends)
            if not excused and any(f"{line}.".startswith(f"{module}.") for module in never):
                yield f"{name}: {line}"


def test_no_module_imports_what_it_says_to_lean_on_never() -> None:
    assert list(broken_words(SOURCES)) == []


PLANTED_WORDS = [
    ("Depends on: b.  Never on: the queue, clocks.", "from house.queue import Queue", True),
    ("Depends on: b.  Never on: the queue, clocks.", "def f():\n    import time", True),
    ("Never on: jobs; they are handed in.", "from house import jobs", True),
    ("Never on: any generated package.", "import pillarbox_tracker.keys", True),
    ("Depends on: nothing.  Never on: how it was found.", "import house.queue", True),
    ("Depends on: parts.ranges (bounds).  Never on: parts.", "from house.parts.other import x", True),
    ("Depends on: parts.ranges (bounds).  Never on: other parts.", "from house.parts.ranges import x", False),
    ("Depends on: nothing.  Never on: clocks.", "import struct", False),
    ("Never on: what the queue does, boxes.", "import house.queue", False),
    ("Never on: the queue.", "if TYPE_CHECKING:\n    from house.queue import Queue", False),
]


@pytest.mark.parametrize(("says", "line", "breaks"), PLANTED_WORDS)
def test_a_module_that_breaks_its_word_is_found(tmp_path: Path, says: str, line: str, breaks: bool) -> None:
    (tmp_path / "house" / "parts").mkdir(parents=True)
    for module in ("__init__", "queue", "jobs", "parts/__init__", "parts/ranges", "parts/other"):
        (tmp_path / "house" / f"{module}.py").touch()
    (tmp_path / "house" / "a.py").write_text(f'"""What it is.\n\n{says}\n"""\n\n{line}\n')

    assert bool(list(broken_words((tmp_path,)))) is breaks


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


# ------------------------------------------------------------------------------- schemas of tests

SCHEMA_NAME = re.compile(r"\bschema: *\{ *name: *([a-z]\w*)")


def schemas_named_twice(root: Path) -> list[str]:
    """Names of `tests/data/schemas` that the text of another test has too.

    A process has one package of a name, and which tests share a process changes from run to run.
    """
    folders = root / "data/schemas"
    ours = {match for path in folders.rglob("*.yaml") for match in SCHEMA_NAME.findall(path.read_text())}
    return [
        f"{path.relative_to(root).as_posix()}: {name}"
        for path in sorted(root.rglob("*.py"))
        for name in SCHEMA_NAME.findall(path.read_text())
        if name in ours
    ]


def test_a_schema_that_tests_share_has_its_name_alone() -> None:
    assert schemas_named_twice(ROOT / "tests") == []


def test_a_planted_second_schema_of_a_name_is_found(tmp_path: Path) -> None:
    (tmp_path / "data/schemas/halls").mkdir(parents=True)
    (tmp_path / "data/schemas/halls/schema.yaml").write_text("schema: {name: halls, doc: Halls.}\n")
    (tmp_path / "test_some.py").write_text('A = "schema: {name: halls}"\nB = "schema: {name: rooms}"\n')

    assert schemas_named_twice(tmp_path) == ["test_some.py: halls"]
