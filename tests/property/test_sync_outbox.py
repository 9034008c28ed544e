"""The outbox held against a server that loses, repeats and delays, and against crashes between any two steps.

N-6: each wish took effect exactly once where the server knows it by a token, else at least once, and the
last one of a group won. L-3, L-4, E-17, P-3 are held at every step, by `outbox_world`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.outbox_world import ACTIONS, World, run

from pillarbox.sync import outbox as outbox_module
from pillarbox.sync.outbox import Outbox
from pillarbox.sync.outbox_drafts import Finish
from pillarbox_tracker import open_box
from pillarbox_tracker.replay import Replay

Script = list[tuple[str, int]]
_COUNT: Final = count()

#: How far a wish gets before the next thing happens: it is known, its delay is over, it is read, sent.
STEPS: Final[Script] = [("poke", 0), ("tick", 0), ("work", 0), ("reply", 0)]
#: What may then become of it.
ENDS: Final = ("answer", "lose", "fail", "hold", "refuse", "take back", "crash", "role", "work fails")
KINDS: Final = ("comment", "label", "star", "prefer", "see")
actions = st.tuples(st.sampled_from(sorted(ACTIONS)), st.integers(0, 5))


@st.composite
def scripts(draw: st.DrawFn, of: tuple[str, ...] = KINDS) -> Script:
    """Histories in which wishes of few kinds meet, each of them somewhere on its way."""
    kinds = draw(st.lists(st.sampled_from(of), min_size=1, max_size=2))
    script: Script = []
    for _ in range(draw(st.integers(1, 6))):
        script.append((draw(st.sampled_from(kinds)), draw(st.sampled_from((0, 0, 1)))))
        script += STEPS[: draw(st.sampled_from((0, 1, 3, 4, 4, 4)))]
        ends = st.tuples(st.sampled_from(ENDS), st.integers(0, 3))
        script += draw(st.lists(ends, max_size=1))
        script += draw(st.lists(actions, max_size=2))
    return script


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty box, to be copied."""
    path = tmp_path_factory.mktemp("outbox") / "empty.box"
    open_box(path).close()
    return path


@pytest.fixture(scope="module")
def places(template: Path) -> Iterator[Path]:
    """Copies of the empty box."""

    def copies() -> Iterator[Path]:
        for number in _COUNT:
            yield Path(shutil.copy(template, template.parent / f"{number}.box"))

    return copies()


def check(places: Iterator[Path], script: Script) -> None:
    path = next(places)
    try:
        run(World(path), script)
    finally:
        for one in path.parent.glob(f"{path.name}*"):
            one.unlink()


@given(script=scripts())
@example(script=[("comment", 0), ("work", 0), ("refuse", 0)])  # what is refused asks for a poll
def test_wishes_are_done_whatever_happens(places: Iterator[Path], script: Script) -> None:
    """N-6, L-3, L-4, E-17, P-3."""
    check(places, script)


@given(script=st.lists(actions, max_size=60))
def test_any_history_comes_to_rest(places: Iterator[Path], script: Script) -> None:
    """N-3, N-6: actions in any order, also such as make no sense."""
    check(places, script)


FAULTS = (
    Fault(
        "removed before its request ended",
        Outbox,
        "_was_read",
        "self._out.append(Send(",
        "self._finish(job, (), False); self._out.append(Send(",
    ),
    Fault(
        "removal ignores a payload replaced meanwhile",
        Finish,
        "apply",
        "now.revision == self.row.revision",
        "True",
    ),
    Fault(
        "what was replaced while it ran is not sent again",
        Outbox,
        "_ended",
        "if left is not None:",
        "if False:",
    ),
    Fault(
        "two of a group at once",
        outbox_module,
        "first_of_lanes",
        "row.group)",
        "row.group + bytes([row.number % 250]))",
    ),
    Fault(
        "the newest of a group goes first",
        outbox_module,
        "first_of_lanes",
        "key=lambda it: it.number",
        "key=lambda it: -it.number",
    ),
    Fault("a refusal is retried for ever", Outbox, "_failed", "if code not in kind.retry", "if False"),
    Fault("any refusal is for good", Outbox, "_failed", "if code not in kind.retry", "if True"),
    Fault(
        "a failure counts as done",
        Outbox,
        "_failed",
        "self._rest(given.now, job, Phase.RESTING)",
        "self._finish(job, (), False)",
    ),
    Fault(
        "not read again before it is sent",
        Outbox,
        "_was_read",
        "job.row, job.phase, job.id = row, ",
        "row, job.phase, job.id = job.row, ",
    ),
    Fault(
        "another token each time",
        Outbox,
        "_was_read",
        "request(row.payload)",
        "request(job.row.payload if not job.tries or not hasattr(row.payload, 'token') else "
        "type(row.payload)(1, 1, row.payload.token + 1000, row.payload.body))",
    ),
    Fault("nothing is waited for after a failure", Outbox, "_rest", "self._out.append(SetTimer", "(SetTimer"),
    Fault("a failed removal is forgotten", Outbox, "_commit_failed", "self._rest(", "(lambda *_: None)("),
    Fault(
        "the next of a group waits for a poke that came already",
        Outbox,
        "_ended",
        "elif first is not None:",
        "elif False:",
    ),
    Fault("sends without being the master", Outbox, "_role_changed", "self._stop(lane)", "pass"),
    Fault(
        "what left the selection goes on",
        Outbox,
        "_select",
        "row is None or row.number",
        "row and row.number",
    ),
    Fault(
        "an opposite wish takes back what was sent", Outbox, "_read", "if self._kind(job).marks:", "if False:"
    ),
    Fault(
        "a replaced wish has the revision of the old one",
        Replay,
        "enqueue_save_preference",
        "old.revision + 1",
        "old.revision",
    ),
    Fault(
        "a replaced wish is a second one",
        Replay,
        "enqueue_save_preference",
        "number=old.number if old is not None else 0",
        "number=0",
    ),
    Fault(
        "a folded wish forgets the first",
        Replay,
        "enqueue_see_issues",
        "numbers=join(",
        "numbers=(lambda _, it: it)(",
    ),
)


#: Faults that show in wishes of one kind.
KIND_OF: Final = {
    "any refusal is for good": "comment",
    "another token each time": "comment",
    "two of a group at once": "comment",
    "the newest of a group goes first": "comment",
    "the next of a group waits for a poke that came already": "comment",
    "what left the selection goes on": "comment",
    "an opposite wish takes back what was sent": "star",
    "a replaced wish has the revision of the old one": "prefer",
    "a replaced wish is a second one": "prefer",
    "a folded wish forgets the first": "see",
}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(places: Iterator[Path], fault: Fault) -> None:
    """Mutants 21 and 22, and others of their kind."""

    kind = KIND_OF.get(fault.name)

    @HARD
    @given(script=scripts(KINDS if kind is None else (kind,)))
    def laws(script: Script) -> None:
        check(places, script)

    with fault.planted(), pytest.raises((AssertionError, KeyError)):
        laws()
