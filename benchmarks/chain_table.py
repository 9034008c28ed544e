"""A commit of one row under a chain of derived tables: what each further level costs.

The chain is index, top, join, index, top, join, index, count, each made from the one before it; beside it
stands the same commit without derived tables. Memory shows what the levels cost by themselves, a file what
a caller waits for (relaxed: without waiting for the disk).
"""

from __future__ import annotations

import importlib
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.generate import generate_package
from pillarbox_codegen.packages import write

GIVEN: Final = """\
schema: {{name: {name}}}
tables:
  teams: {{id: 1, key: {{team: int32}}, record: {{label: [1, text]}}}}
  people: {{id: 2, key: {{person: int64}}, record: {{team: [1, int32], level: [2, int32]}}}}
  tasks: {{id: 3, key: {{person: int64, n: int32}}, record: {{at: [1, int64], text: [2, text]}}}}
"""
LEVELS: Final = (
    "task_times: {id: 11, index: {from: tasks, key: [person, at, n]}}",
    "latest: {id: 12, top: {of: task_times, group: [person]}}",
    "cards: {id: 13, join: {by: [person], rows: people, with: {last: latest(person)}, when: last is present, "
    "row: {team: team, at: last.at, level: level}}}",
    "by_team: {id: 14, index: {from: cards, key: [team, at, person], value: {level: level}}}",
    "team_top: {id: 15, top: {of: by_team, group: [team], first: 20, "
    "fold: {at: max(at), levels: sum(level)}}}",
    "states: {id: 16, join: {by: [team], rows: teams, with: {top: team_top(team)}, "
    "row: {at: top.at // 0, levels: top.levels // 0}}}",
    "state_list: {id: 17, index: {from: states, key: [at, team], value: {levels: levels}}}",
    "totals: {id: 18, count: {from: state_list, group: [{kind: 'min(levels, 1)'}], "
    "sum: {teams: 1, levels: levels}}}",
)
PEOPLE: Final = 2_000
TEAMS: Final = 50
TASKS_EACH: Final = 10


def main(quick: bool) -> None:
    """Print one table."""
    commits = 200 if quick else 2_000
    rows = PEOPLE * TASKS_EACH
    print(f"one-row commit under derived tables: microseconds, median of {commits}; {rows:,} rows")
    print("levels  last one      memory  file, relaxed  statements")
    with tempfile.TemporaryDirectory(prefix="pillarbox-") as folder:
        sys.path.insert(0, folder)
        try:
            for levels in range(len(LEVELS) + 1):
                _print_row(Path(folder), levels, commits)
        finally:
            sys.path.remove(folder)


def _print_row(folder: Path, levels: int, commits: int) -> None:
    package = _package(folder, levels)
    last = LEVELS[levels - 1].partition(":")[0] if levels else "(none)"
    memory, _ = _measured(package, ":memory:", commits)
    in_file, statements = _measured(package, str(folder / f"{levels}.box"), commits)
    print(f"{levels:6}  {last:12} {memory:7.0f} {in_file:14.0f} {statements:11.1f}")


def _package(folder: Path, levels: int) -> Any:
    name = f"chain_of_{levels}"
    schema = folder / name
    schema.mkdir()
    body = GIVEN.format(name=name) + "".join(f"  {level}\n" for level in LEVELS[:levels])
    (schema / "schema.yaml").write_text(body)
    write(generate_package(load_schema(schema)), folder)
    return importlib.import_module(f"pillarbox_{name}")


def _measured(package: Any, path: str, commits: int) -> tuple[float, float]:
    """Microseconds of a commit, and how many statements one has."""
    types = importlib.import_module(f"{package.__name__}.types")
    random = Random(1)
    with package.open_box(path, durability="relaxed") as box:
        with box.transaction() as tx:
            for team in range(TEAMS):
                tx.teams.put(types.Teams(team, f"team {team}"))
            for person in range(PEOPLE):
                tx.people.put(types.People(person, person % TEAMS, person % 7))
                for n in range(TASKS_EACH):
                    tx.tasks.put(types.Tasks(person, n, random.randrange(1_000_000), "a task"))
        found = []
        statements = _Statements(box)
        for number in range(commits):
            task = types.Tasks(random.randrange(PEOPLE), 1_000 + number, 1_000_000 + number, "another task")
            begin = time.perf_counter()
            with box.transaction() as tx:
                tx.tasks.put(task)
            found.append(time.perf_counter() - begin)
        return median(found) * 1e6, statements.counted / commits


class _Statements:
    """Counts the calls of the engine that read or write rows."""

    def __init__(self, box: Any) -> None:
        self.counted = 0
        engine = box._engine
        for name in ("get", "get_many", "scan", "put_many", "remove_many"):
            setattr(engine, name, self._counting(getattr(engine, name)))

    def _counting(self, call: Any) -> Any:
        def counted(*arguments: Any, **options: Any) -> Any:
            self.counted += 1
            return call(*arguments, **options)

        return counted
