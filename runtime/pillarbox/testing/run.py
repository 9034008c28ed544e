"""Many runs: on every core, with progress; a failing one is told by one line that replays it.

Depends on: world, images.  Never on: any schema; servers come by dotted path.

Law: what a seed does depends on the seed alone, not on the runs before it or beside it.
"""

from __future__ import annotations

import importlib
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from pillarbox.errors import UsageError
from pillarbox.testing.images import Images
from pillarbox.testing.world import Report, Run, ServerClass, World

#: Seeds that a process works on before it tells.
_CHUNK = 25


def server_class(path: str) -> ServerClass:
    """What `package.module:Name` names. Raises UsageError."""
    module, _, name = path.partition(":")
    try:
        found: ServerClass = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(
            f"the server {path!r} cannot be imported ({error}); name it package.module:Class"
        ) from error
    return found


def play(run: Run, make: ServerClass, images: Images, *, keeps_trace: bool = False) -> Report:
    """One run."""
    return World(run, make, images, keeps_trace=keeps_trace).play()


def shrunk(run: Run, make: ServerClass, images: Images, *, seconds: float = 20.0) -> Run:
    """The same failure with fewer actions; as few as are found in the time."""
    report = play(run, make, images)
    if report.violation is None:
        return run
    rule, kept = report.violation.rule, list(range(report.actions) if run.keep is None else run.keep)
    deadline, size = time.monotonic() + seconds, max(1, len(kept) // 2)
    while time.monotonic() < deadline:
        before = len(kept)
        for start in range(len(kept) - 1, -1, -size):
            fewer = kept[: max(0, start - size + 1)] + kept[start + 1 :]
            found = play(Run(run.seed, run.knobs, fewer), make, images).violation
            if found is not None and found.rule == rule:
                kept = fewer
            if time.monotonic() > deadline:
                break
        if size == 1 and len(kept) == before:
            break
        size = max(1, size // 2)
    return Run(run.seed, run.knobs, kept)


@dataclass
class Outcome:
    """Of many runs."""

    runs: int = 0
    #: seed -> what it broke.
    broken: dict[int, str] = field(default_factory=dict)
    #: What took place in them -> how often.
    figures: Counter[str] = field(default_factory=Counter)

    def add(self, other: Outcome) -> None:
        """Both together."""
        self.runs += other.runs
        self.broken.update(other.broken)
        self.figures.update(other.figures)


def play_some(path: str, seeds: Sequence[int]) -> Outcome:
    """These seeds, in this process."""
    make, outcome = server_class(path), Outcome()
    with Images() as images:
        for seed in seeds:
            report = play(Run(seed), make, images)
            outcome.runs += 1
            outcome.figures.update(report.figures)
            if report.violation is not None:
                outcome.broken[seed] = str(report.violation)
    return outcome


def play_all(path: str, seeds: range, *, jobs: int, say: Callable[[str], None] = print) -> Outcome:
    """These seeds, in `jobs` processes; tells how it goes."""
    began, total = time.monotonic(), Outcome()
    chunks = [seeds[at : at + _CHUNK] for at in range(0, len(seeds), _CHUNK)]
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        for done in as_completed([pool.submit(play_some, path, chunk) for chunk in chunks]):
            outcome = done.result()
            total.add(outcome)
            for seed, text in sorted(outcome.broken.items()):
                say(f"seed {seed} broke {text}\n    {replay_line(seed, path)}")
            if total.runs % (_CHUNK * 8) == 0 or total.runs == len(seeds):
                seconds = time.monotonic() - began
                pace = f"{total.runs / seconds:.0f} a second"
                say(f"{total.runs:>6} of {len(seeds)} runs, {len(total.broken)} broken, {pace}")
    return total


def replay_line(seed: int, path: str) -> str:
    """What to type to see it again."""
    return f"python -m pillarbox.testing --seed {seed} --server {path}"


def trace_of(report: Report) -> Iterator[str]:
    """What happened, line by line, and what it broke."""
    yield f"seed {report.seed}: {report.knobs.turned()}"
    yield from report.trace.lines
    yield "every law held" if report.violation is None else f"broke {report.violation}"


def default_jobs() -> int:
    """One for each core."""
    return multiprocessing.cpu_count()
