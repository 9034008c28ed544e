"""Rows are whole for every reader, and a value lies in the row of its one user, or outside of its many.

The model gives every number one value; what lies where is looked at in the stored bytes.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from tests.property.law_machine import LawMachine, Rows, package_of
from tests.property.mutants import HARD, Fault

from pillarbox.codec import Unknown
from pillarbox.errors import PillarboxError, UsageError
from pillarbox.maintainers import Refs, SharedTable, SharingTable
from pillarbox.tables import SharedPart, TableReader

few = st.integers(0, 2)
numbers = st.integers(1, 3)
faces = st.sampled_from(("cat", "dog"))
stamps = st.one_of(
    st.tuples(st.just("Printed"), numbers, faces),
    st.tuples(st.just("Printed"), numbers, faces),
    st.tuples(st.just("Engraved"), numbers, faces, few),
    st.tuples(st.just("Drawn"), faces),
)


def number_of(stamp: Any) -> int | None:
    return getattr(stamp, "number", None)


class Model:
    def __init__(self) -> None:
        #: (box, n) -> (at, text, stamps)
        self.letters: dict[tuple[int, int], tuple[int, str, tuple[Any, ...]]] = {}
        self.held: dict[int, Any] = {}
        #: Makes a row of the shared table.
        self.shared: Any = None

    def copy(self) -> Model:
        other = Model()
        other.letters, other.held, other.shared = dict(self.letters), dict(self.held), self.shared
        return other

    def users(self, number: int) -> list[tuple[int, int]]:
        return sorted(key for key, it in self.letters.items() if number in map(number_of, it[2]))

    def value(self, number: int, *, without: tuple[int, int] | None = None) -> Any:
        """What a number stands for; None where nobody says."""
        if number in self.held:
            return self.held[number]
        for key in self.users(number):
            if key != without:
                return next(stamp for stamp in self.letters[key][2] if number_of(stamp) == number)
        return None

    def put(self, box: int, at: int, n: int, text: str, given: list[Any]) -> tuple[Any, ...]:
        known: dict[int, Any] = {}
        kept = []
        for stamp in given:
            number = number_of(stamp)
            if number is not None:
                known.setdefault(number, self.value(number, without=(box, n)) or stamp)
                stamp = known[number]
            kept.append(stamp)
        self.letters[box, n] = (at, text, tuple(kept))
        return tuple(kept)

    def is_shared(self, number: int | None) -> bool:
        return number is not None and (number in self.held or len(self.users(number)) > 1)

    def rows(self) -> Rows:
        shared = [number for number in (1, 2, 3) if self.is_shared(number)]
        return {
            "letters": {(box, at, n, text, found) for (box, n), (at, text, found) in self.letters.items()},
            "letter_ids": {(box, n, at) for (box, n), (at, _, _) in self.letters.items()},
            "stamps": {(number, self.value(number), number in self.held) for number in shared},
            "stamps_users": {
                (number, box, at, n)
                for (box, n), (at, _, found) in self.letters.items()
                for number in map(number_of, found)
                if number is not None
            },
            "replies": set(),
            "by_text": {(text, box, at, n) for (box, n), (at, text, _) in self.letters.items()},
            "per_box": {
                (box, times, sum(len(it[2]) for key, it in self.letters.items() if key[0] == box))
                for box, times in Counter(box for box, _ in self.letters).items()
            },
        }


class RefsMachine(LawMachine):
    schema = "refs"
    model_class = Model

    def stamps_of(self, given: list[tuple[Any, ...]]) -> list[Any]:
        return [self.made(kind, *fields) for kind, *fields in given]

    @rule(
        letters=st.lists(
            st.tuples(few, few, few, st.sampled_from(("", "hi")), st.lists(stamps, max_size=3)),
            min_size=1,
            max_size=3,
        ),
        probe=st.booleans(),
    )
    def put(self, letters: list[Any], probe: bool) -> None:
        self.begin()
        rows = [self.made("Letters", *rest, tuple(self.stamps_of(given))) for *rest, given in letters]
        if probe:
            self.tx.letters.probe(rows)
        for row in rows:
            was = self.model.letters.get((row.box, row.n))
            put = self.tx.letters.put_was(row)
            kept = self.model.put(row.box, row.at, row.n, row.text, row.stamps)
            assert put.row == self.made("Letters", row.box, row.at, row.n, row.text, kept)
            assert (put.was is None) == (was is None)

    @rule(box=few, at=few, n=few)
    def remove(self, box: int, at: int, n: int) -> None:
        self.begin()
        self.tx.letters.remove(box, at, n)
        if self.model.letters.get((box, n), (None,))[0] == at:
            del self.model.letters[box, n]

    @rule(numbers=st.tuples(numbers, numbers), face=faces)
    def put_two_and_commit(self, numbers: tuple[int, int], face: str) -> None:
        """So that there mostly is something stored: two letters with the same stamps."""
        given = [("Printed", number, face) for number in numbers]
        self.put([(box, 0, 0, "", given) for box in (0, 1)], False)
        self.commit()

    @rule(box=few)
    def remove_box(self, box: int) -> None:
        self.begin()
        gone = [key for key in self.model.letters if key[0] == box]
        assert self.tx.letters.remove_of_box(box) == len(gone)
        for key in gone:
            del self.model.letters[key]

    @rule(number=numbers, face=faces, gone=st.booleans())
    def rewrite(self, number: int, face: str, gone: bool) -> None:
        self.begin()
        value = None if gone else self.made("Printed", number, face)
        self.package.replay.replay(self.tx, [self.package.operations.ChangeStamp(number=number, stamp=value)])
        if number in self.model.held:
            if value is None:
                del self.model.held[number]
            else:
                self.model.held[number] = value
        for key in self.model.users(number):
            at, text, found = self.model.letters[key]
            others = (value if number_of(stamp) == number else stamp for stamp in found)
            self.model.letters[key] = (at, text, tuple(stamp for stamp in others if stamp is not None))

    @rule(number=numbers, face=faces, gone=st.booleans())
    def hold(self, number: int, face: str, gone: bool) -> None:
        self.begin()
        value = None if gone else self.made("Printed", number, face)
        self.package.replay.replay(self.tx, [self.package.operations.KeepStamp(number=number, stamp=value)])
        if value is None:
            self.model.held.pop(number, None)
        else:
            self.model.held[number] = self.model.value(number) or value

    def check(self) -> None:
        """As always; and each value lies where it must, also for a reader of its own."""
        super().check()
        letters = self.package.specs.LETTERS
        for _, raw in self.engine.scan(letters.layout, None, None):
            row = letters.decode(raw)
            whole = self.committed.letters[row.box, row.n][2]
            away = [isinstance(item, Unknown) for item in row.stamps]
            assert away == [self.committed.is_shared(number_of(stamp)) for stamp in whole]
        reader = self.engine.reader()
        seen = self.package.transaction.Tables(reader).letters
        for (box, n), (at, text, found) in self.committed.letters.items():
            assert seen.get(box, at, n) == self.made("Letters", box, at, n, text, found)
        reader.close()


class FileMachine(RefsMachine):
    in_file = True


TestInMemory = RefsMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=30)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=30, max_examples=30)


def test_a_value_with_another_id_or_none_is_refused() -> None:
    machine = RefsMachine()
    machine.begin()

    for step in (machine.tx.stamps.hold, machine.tx.stamps.rewrite):
        with pytest.raises(
            UsageError,
            match=r"^the value for StampsKey\(ref=1\) of 'stamps' has another id, StampsKey\(ref=2\)",
        ):
            step(1, machine.made("Printed", 2, "cat"))
        with pytest.raises(
            UsageError, match=r"^the value for StampsKey\(ref=1\) of 'stamps' has no id; give"
        ):
            step(1, machine.made("Drawn", "cat"))
    machine.teardown()


def test_a_shared_value_survives_one_of_its_two_users() -> None:
    machine = RefsMachine()
    machine.put([(0, 0, 0, "", [("Printed", 1, "cat")]), (0, 0, 1, "", [("Printed", 1, "dog")])], False)
    machine.commit()
    machine.begin()
    machine.remove(0, 0, 0)
    machine.commit()

    (left,) = package_of("refs").transaction.Tables(machine.engine).letters.all()
    assert left.stamps == (machine.made("Printed", 1, "cat"),)
    machine.teardown()


FAULTS = (
    Fault(
        "rows are read when it is too late",
        Refs,
        "_write_anew",
        "TableWriter.preload(self.source, users)",
        "pass",
    ),
    Fault(
        "the last value wins", Refs, "first", "known[ref] = self._first(ref, item, own)", "known[ref] = item"
    ),
    Fault("a row is another user", Refs, "_first", "if user not in own:", "if True:"),
    Fault("what is held is not first", Refs, "_first", "if held is not None", "if False"),
    Fault("a user that goes stays", Refs, "hear", "[key] = False", "[key] = True"),
    Fault("a user that comes is not seen", Refs, "hear", "[key] = True", "[key] = False"),
    Fault(
        "users are as of the last commit", Refs, "_users", "heard = self._heard.get(ref, {})", "heard = {}"
    ),
    Fault("one user shares", Refs, "_decide", "len(users) < 2", "len(users) < 1"),
    Fault("what is held is let go", Refs, "_decide", "and not held", ""),
    Fault("a value moves in nowhere", Refs, "_decide", "self._write_anew(users)", "pass"),
    Fault("a value moves out of one row", Refs, "_decide", "self._write_anew(self._users(ref))", "pass"),
    Fault(
        "a shared value is the first ever", Refs, "_decide", "if not identical(row, was):", "if was is None:"
    ),
    Fault("a held value is not moved out", Refs, "hold", "self._write_anew(users)", "pass"),
    Fault("holding gives a value", Refs, "hold", "elif users:", "elif False:"),
    Fault(
        "letting go does nothing",
        Refs,
        "hold",
        "self._part.value_of(row), False",
        "self._part.value_of(row), True",
    ),
    Fault("a rewrite leaves what is held", Refs, "rewrite", "if cell is not None and", "if False and"),
    Fault(
        "a rewrite leaves users",
        Refs,
        "rewrite",
        "for user in self._users(ref):",
        "for user in self._users(ref)[1:]:",
    ),
    Fault("changes outlive a rollback", Refs, "forget", "self._heard.clear()", "pass"),
    Fault("users are written by themselves", SharedTable, "write", "self._refs.write()", "pass"),
    Fault(
        "a move is not heard",
        SharingTable,
        "move_cell",
        "self._refs.hear(old_key, self.cell(old_key), None)",
        "pass",
    ),
    Fault("a put is not heard", SharingTable, "put_known", "self._refs.hear(key, old, cell)", "pass"),
    Fault("rows are stored whole", SharedPart, "stored", "if not any(", "if True or not any("),
    Fault("rows are read as they lie", SharedPart, "whole", "if not keys:", "if True:"),
    Fault("a row alone is read as it lies", TableReader, "cell", "if self.SHARED is None", "if True"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    failures = (AssertionError, PillarboxError, StopIteration, AttributeError, TypeError, KeyError)
    with fault.planted(), pytest.raises(failures):
        run_state_machine_as_test(RefsMachine, settings=HARD)
