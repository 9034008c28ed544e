"""Windows whose condition reads what hangs on their rows: after every commit as if loaded now."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.views.lane_rows import LaneRows
from pillarbox.views.lane_set import LaneSet

VIEW = """
    key: {rooms: list<int32>, picked: list<int32>, at: opt<int32>, count: int32, ranked: bool}
    parts:
      limit: {get: people, at: 0, show: none}
      merged:
        window: {of: KIND, each: rooms, prefix: [item]}
        anchor: [{when: at is present, at: REST}, newest]
        around: count
        rank: ranked
        where: person.age > row.least and (limit is none or person.age < limit.age)
        with: {person: {get: people, at: row.who, show: [age], back: [by_who]}}
      chained:
        window: {lanes: [{of: jobs, keys: picked}, {of: KIND, each: rooms, prefix: [item]}]}
        combine: chain
        anchor: oldest
        around: count
        where: person is present
        with: {person: {get: people, at: row.who, back: [by_who]}}
"""


def schema() -> str:
    """Two equal views over an index and two over a table, of which one is watched and one read."""
    views = ""
    for name in ("seen", "fresh"):
        views += f"  indexed_{name}:{VIEW.replace('KIND', 'by_room').replace('REST', '[at, 0]')}"
        plain = VIEW.replace("{of: jobs, keys: picked}", "{of: visits, keys: '[rooms, picked]'}")
        plain = plain.replace("back: [by_who]", "back: [visits_of]")
        views += f"  plain_{name}:{plain.replace('KIND', 'visits').replace('REST', '[at]')}"
    return f"""
schema: {{name: lab_of_conditions}}
tables:
  jobs: {{id: 1, key: {{job: int32}}, record: {{room: [1, int32], who: [2, int32], least: {{number: 3, type: int32, default: 0}}}}}}
  by_room: {{id: 2, index: {{from: jobs, key: [room, least, job]}}}}
  by_who: {{id: 3, index: {{from: jobs, key: [who, job]}}}}
  people: {{id: 4, key: {{who: int32}}, record: {{age: [1, int32]}}}}
  visits: {{id: 5, key: {{room: int32, job: int32}}, record: {{who: [1, int32], least: {{number: 2, type: int32, default: 0}}}}}}
  visits_of: {{id: 6, index: {{from: visits, key: [who, room, job]}}}}
operations:
  put_job: {{code: 1, params: {{row: [1, row<jobs>]}}, steps: [{{put: {{into: jobs, row: row}}}}]}}
  remove_job: {{code: 2, params: {{job: [1, int32]}}, steps: [{{remove: {{from: jobs, at: job}}}}]}}
  put_person: {{code: 3, params: {{row: [1, row<people>]}}, steps: [{{put: {{into: people, row: row}}}}]}}
  remove_person: {{code: 4, params: {{who: [1, int32]}}, steps: [{{remove: {{from: people, at: who}}}}]}}
  put_visit: {{code: 5, params: {{row: [1, row<visits>]}}, steps: [{{put: {{into: visits, row: row}}}}]}}
  remove_visit: {{code: 6, params: {{room: [1, int32], job: [2, int32]}}, steps: [{{remove: {{from: visits, at: "[room, job]"}}}}]}}
views:
{views}"""  # noqa: E501  # as a schema is written


@cache
def lab() -> Package:
    return imported(Path(mkdtemp()), schema())


SMALL, FEW = st.integers(0, 2), st.integers(1, 3)
OPERATION = st.one_of(
    st.builds(lambda job, room, who, least: lab().operations.PutJob(
        lab().types.Jobs(job=job, room=room, who=who, least=least)), FEW, SMALL, SMALL, SMALL),
    st.builds(lambda job: lab().operations.RemoveJob(job), FEW),
    st.builds(lambda who, age: lab().operations.PutPerson(
        lab().types.People(who=who, age=age)), SMALL, SMALL),
    st.builds(lambda who: lab().operations.RemovePerson(who), SMALL),
    st.builds(lambda room, job, who, least: lab().operations.PutVisit(
        lab().types.Visits(room=room, job=job, who=who, least=least)), SMALL, FEW, SMALL, SMALL),
    st.builds(lambda room, job: lab().operations.RemoveVisit(room, job), SMALL, FEW),
)  # fmt: skip
KEY = st.fixed_dictionaries(
    {
        "rooms": st.lists(SMALL, min_size=1, max_size=2, unique=True).map(tuple),
        "picked": st.lists(FEW, max_size=3).map(tuple),
        "at": st.none() | SMALL,
        "count": st.integers(1, 2),
        "ranked": st.booleans(),
    }
)
COMMITS = st.lists(st.lists(OPERATION, min_size=1, max_size=3), min_size=1, max_size=8)


def dense() -> list[Any]:
    """What there is at first: with little, few lists are full."""
    operations, types = lab().operations, lab().types
    return [
        *[operations.PutJob(types.Jobs(job=job, room=job % 3, who=job % 3)) for job in (1, 2, 3)],
        *[operations.PutPerson(types.People(who=who, age=1)) for who in (0, 1)],
    ]


def follows(commits: Sequence[Sequence[Any]], key: dict[str, Any]) -> bool:
    """Whether after each commit what is watched is what a view loaded now shows, told if it differs."""
    views = lab().views
    with lab().box.open_box(":memory:") as box:
        box.replay(dense())
        pairs = [(views.IndexedSeen, views.IndexedFresh), (views.PlainSeen, views.PlainFresh)]
        watched = [(box.watch(seen(**key)), fresh(**key)) for seen, fresh in pairs]
        for commit in commits:
            before = [subscription.latest.snapshot for subscription, _ in watched]
            box.replay(commit)
            for (subscription, fresh), was in zip(watched, before, strict=True):
                now, wanted = subscription.latest.snapshot, box.get(fresh)
                # Classes of two views are never equal, but for their names they are the same.
                if repr(now) != repr(wanted).replace("Fresh", "Seen"):
                    return False
                if (now is not was) != (now != was):
                    return False
    return True


@given(COMMITS, KEY)
def test_a_window_with_a_condition_on_children_is_as_if_loaded_now(
    commits: list[list[Any]], key: dict[str, Any]
) -> None:
    assert follows(commits, key)


FAULTS = (
    Fault("nothing is asked again", LaneSet, "fold", "self._where.again(reads, routed)", "()"),
    Fault("nothing is listened to", LaneSet, "arrange", "self._where.listen()", "pass"),
    Fault("it is asked as of an earlier commit", LaneSet, "fold", "self._where.begin(reads)", "pass"),
    Fault("a lane without changes asks nothing", LaneRows, "fold", "and not again", ""),
    Fault("a lane forgets what is to be asked again", LaneRows, "fold", "routed, again)", "routed, ())"),
    Fault("listed rows are taken as they were", LaneSet, "fold", "bool(again)", "False"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    hard = settings(
        max_examples=5_000,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )

    @hard
    @given(COMMITS, KEY)
    def law(commits: list[list[Any]], key: dict[str, Any]) -> None:
        assert follows(commits, key)

    with fault.planted(), pytest.raises(AssertionError):
        law()
