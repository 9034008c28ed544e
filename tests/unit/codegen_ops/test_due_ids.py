"""Indexes whose times have a type of their own."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.unit.codegen_ops.making import Bench, imported, mypy

from pillarbox.errors import FileDamaged

SCHEMA = """
schema: {name: due_ids, doc: Times that are ids.}
types:
  Moment: {id: int64}
  Day: {id: uint16}
  Who: {id: text}
tables:
  jobs: {id: 1, key: {who: Who, n: int32}, record: {at: [1, Moment], day: [2, Day]}}
  next_jobs: {id: 2, index: {from: jobs, key: [who, at, n], due: at}}
  lone_jobs: {id: 3, index: {from: jobs, unique: true, key: [at], value: {who: who, n: n}, due: at}}
  days: {id: 4, index: {from: jobs, key: [day, who, n], due: day}}
operations:
  put: {code: 1, params: {jobs: [1, list<row<jobs>>]}, steps: [{put: {into: jobs, row: x}, each: jobs as x}]}
"""


@pytest.mark.parametrize("index", ["next_jobs", "lone_jobs", "days"])
def test_what_is_due_is_found_by_its_moment(tmp_path: Path, index: str) -> None:
    package = imported(tmp_path, SCHEMA)
    bench, t = Bench(package), package.types
    jobs = [
        t.Jobs(t.Who(who), n, t.Moment(at), t.Day(at))
        for n, (who, at) in enumerate([("b", 3), ("a", 9), ("b", 5)])
    ]
    bench.replay(package.operations.Put_(tuple(jobs)))
    bench.commit()

    found = getattr(bench.tx, index)

    assert found.next_due() == 3
    assert [row.n for row in found.due(5)] == [0, 2]
    assert [row.n for row in found.due(9, limit=1)] == [1 if index == "next_jobs" else 0]


def test_a_damaged_index_that_does_not_get_on_to_higher_groups_is_told(tmp_path: Path) -> None:
    package = imported(tmp_path, SCHEMA)
    t = package.types
    spec = package.tables.NextJobsReader.SPEC
    again = [(spec.key(t.Who("b"), t.Moment(3), n), b"") for n in range(3)]
    engine = Mock(path="a.box")
    engine.scan.side_effect = [[row] for row in again]

    with pytest.raises(FileDamaged, match=r"a\.box: table 'next_jobs' is damaged: the key .+ lies where"):
        package.tables.NextJobsReader(engine).next_due()


def test_a_type_checker_accepts_it(tmp_path: Path) -> None:
    imported(tmp_path, SCHEMA)

    assert mypy(tmp_path) == ""
