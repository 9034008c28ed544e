"""How tests are dealt out to the processes of `pytest -n`: each once, and what is done is forgotten."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from tests import conftest

TOGETHER = {
    f"tests/{file}::test_{number}": scope
    for file, scope in {
        "golden/test_b.py": "golden",
        "spark/test_c.py": "spark",
        "spark/test_d.py": "spark",
        "unit/test_e.py": "a file",
        "unit/test_f.py": "another file",
    }.items()
    for number in range(7)
}
FREE = [f"tests/{kind}/test_a.py::test_{number}" for kind in ("property", "sim") for number in range(250)]
NAMES = [*FREE, *TOGETHER]


class Node:
    """Stands for a process: what it was given to do, and has not done yet."""

    def __init__(self, number: int) -> None:
        self.gateway = SimpleNamespace(id=str(number))
        self.waiting: list[int] = []
        self.shutting_down = False

    def send_runtest_some(self, indices: list[int]) -> None:
        self.waiting.extend(indices)

    def shutdown(self) -> None:
        self.shutting_down = True


@pytest.fixture
def nodes() -> list[Node]:
    return [Node(0), Node(1)]


def dealt(nodes: list[Node]) -> Any:
    """The one that deals, when it has given each process its first tests."""
    config = SimpleNamespace(
        getvalue=lambda name: ["popen"] * len(nodes), option=SimpleNamespace(loadscopereorder=True)
    )
    scheduler = conftest.pytest_xdist_make_scheduler(config, None)  # type: ignore[arg-type]
    for node in nodes:
        scheduler.add_node(node)
        scheduler.add_node_collection(node, NAMES)
    scheduler.schedule()
    return scheduler


def test_each_test_is_done_once_and_what_is_done_is_forgotten(nodes: list[Node]) -> None:
    scheduler = dealt(nodes)
    done: list[tuple[str, str]] = []

    while any(node.waiting for node in nodes):
        for node in [node for node in nodes if node.waiting]:
            index = node.waiting.pop(0)
            done.append((NAMES[index], node.gateway.id))
            scheduler.mark_test_complete(node, index)
            assert len(scheduler.assigned_work[node]) <= 4, "each test is counted again after each other"

    assert Counter(name for name, _ in done) == Counter(NAMES)
    assert len({(TOGETHER[name], by) for name, by in done if name in TOGETHER}) == len({*TOGETHER.values()})
    assert {name for name, _ in done[: len(FREE)]} == {*FREE}, "what takes long comes first"
    assert scheduler.tests_finished
    assert not scheduler.has_pending


def test_the_test_in_which_a_process_died_is_told(nodes: list[Node]) -> None:
    scheduler = dealt(nodes)
    for _ in range(3):
        scheduler.mark_test_complete(nodes[0], nodes[0].waiting.pop(0))

    assert scheduler.remove_node(nodes[0]) == NAMES[nodes[0].waiting[0]]
