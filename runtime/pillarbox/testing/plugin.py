"""Fixtures for pytest: `pytest_plugins = ["pillarbox.testing.plugin"]` in a conftest makes them known.

Depends on: run, images, pytest.  Never on: any schema.

Law: a seed that fails in a test fails alike on the command line that the failure names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from pillarbox.testing.images import Images
from pillarbox.testing.knobs import Knobs
from pillarbox.testing.run import play, replay_line, trace_of
from pillarbox.testing.world import Report, Run, ServerClass


class Simulator:
    """Runs servers by seed; what the fixture `simulator` gives."""

    def __init__(self, images: Images) -> None:
        self._images = images

    def play(
        self, server: ServerClass, seed: int, knobs: Knobs | None = None, *, trace: bool = False
    ) -> Report:
        """One run, and what became of it; without knobs the seed draws them."""
        return play(Run(seed, knobs), server, self._images, keeps_trace=trace)

    def check(self, server: ServerClass, seeds: Iterable[int], knobs: Knobs | None = None) -> None:
        """Run these seeds; the first that breaks a law fails the test, with the end of its trace."""
        for seed in seeds:
            if self.play(server, seed, knobs).violation is None:
                continue
            lines = list(trace_of(self.play(server, seed, knobs, trace=True)))
            path = f"{server.__module__}:{getattr(server, '__qualname__', server)}"
            pytest.fail("\n".join([replay_line(seed, path), *lines[:1], *lines[1:][-60:]]), pytrace=False)


@pytest.fixture(scope="session")
def simulator() -> Iterator[Simulator]:
    """Runs of simulated servers; boxes lie in a folder that goes at the end of the session."""
    with Images() as images:
        yield Simulator(images)
