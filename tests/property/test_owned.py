"""Rows are gone as soon as their owner is, four tables deep, whatever comes under the owner's key later."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from tests.property.law_machine import LawMachine, Rows
from tests.property.mutants import HARD, Fault

from pillarbox.errors import OwnerMissing, PillarboxError
from pillarbox.maintainers import Owned, OwnedByIndex, Owners
from pillarbox.tables import FollowedTable, Hearing, LateTable
from pillarbox_tracker import open_box
from pillarbox_tracker.types import Comments, Issues, ProjectId, State, UserId

few = st.integers(0, 2)
pairs = st.tuples(few, few)


class Model:
    def __init__(self) -> None:
        self.trees: dict[int, int] = {}
        #: (tree, twig) -> (height, name)
        self.twigs: dict[tuple[int, int], tuple[int, str]] = {}
        self.leaves: dict[tuple[int, int, int], int] = {}
        self.next_leaf: dict[int, int] = {}
        self.tags: dict[tuple[int, int, int], str] = {}
        self.nests: dict[int, tuple[int, int]] = {}
        self.rings: set[tuple[int, int]] = set()

    def copy(self) -> Model:
        other = Model()
        for name, held in vars(self).items():
            setattr(other, name, held.copy())
        return other

    def follow(self) -> None:
        """Nothing is without its owner. Called after every write, so that what comes later is new."""
        self.twigs = {key: it for key, it in self.twigs.items() if key[0] in self.trees}
        self.leaves = {key: it for key, it in self.leaves.items() if key[:2] in self.twigs}
        self.tags = {key: it for key, it in self.tags.items() if key in self.leaves}
        self.nests = {key: it for key, it in self.nests.items() if it[0] in self.trees}
        self.rings = {key for key in self.rings if key[0] in self.trees}

    def rows(self) -> Rows:
        return {
            "trees": set(self.trees.items()),
            "twigs": {(tree, height, twig, name) for (tree, twig), (height, name) in self.twigs.items()},
            "twig_ids": {(tree, twig, height) for (tree, twig), (height, _) in self.twigs.items()},
            "leaves": {(*key, color) for key, color in self.leaves.items()},
            "leaf_numbers": set(self.next_leaf.items()),
            "colors": set(Counter(self.leaves.values()).items()),
            "tags": {(*key, word) for key, word in self.tags.items()},
            "nests": {(nest, *fields) for nest, fields in self.nests.items()},
            "nests_by_tree": {(tree, nest) for nest, (tree, _) in self.nests.items()},
            "rings": self.rings,
        }


class OwnedMachine(LawMachine):
    schema = "owned"
    model_class = Model

    @rule(tree=few, kind=few)
    def plant(self, tree: int, kind: int) -> None:
        self.begin()
        self.tx.trees.put(self.made("Trees", tree, kind))
        self.model.trees[tree] = kind

    @rule(kinds=st.tuples(few, few, few))
    def plant_all(self, kinds: tuple[int, int, int]) -> None:
        """So that there mostly is an owner."""
        for tree, kind in enumerate(kinds):
            self.plant(tree, kind)
            self.grow_twig(tree, kind, kind, "")
            self.put_leaves([(tree, kind, 0, kind)], False)

    @rule(tree=few, again=st.booleans())
    def fell(self, tree: int, again: bool) -> None:
        self.begin()
        self.tx.trees.remove(tree)
        self.model.trees.pop(tree, None)
        self.model.follow()
        if again:
            self.plant(tree, 1)

    @rule(tree=few, height=few, twig=few, name=st.sampled_from(("", "a")))
    def grow_twig(self, tree: int, height: int, twig: int, name: str) -> None:
        """A twig moves when it stands elsewhere; one without a tree is skipped."""
        self.begin()
        was = self.model.twigs.get((tree, twig))
        row = self.made("Twigs", tree, height, twig, name)

        put = self.tx.twigs.put_was(row)

        assert put.row == row
        assert put.was == (None if was is None else self.made("Twigs", tree, was[0], twig, was[1]))
        if tree in self.model.trees:
            self.model.twigs[tree, twig] = (height, name)

    @rule(tree=few, height=few, twig=few)
    def cut_twig(self, tree: int, height: int, twig: int) -> None:
        self.begin()
        self.tx.twigs.remove(tree, height, twig)
        if self.model.twigs.get((tree, twig), (None,))[0] == height:
            del self.model.twigs[tree, twig]
            self.model.follow()

    @rule(tree=few)
    def cut_all(self, tree: int) -> None:
        self.begin()
        gone = [key for key in self.model.twigs if key[0] == tree]
        assert self.tx.twigs.remove_of_tree(tree) == len(gone)
        for key in gone:
            del self.model.twigs[key]
        self.model.follow()

    @rule(
        leaves=st.lists(st.tuples(few, few, st.integers(0, 4), few), min_size=1, max_size=4),
        probe=st.booleans(),
    )
    def put_leaves(self, leaves: list[tuple[int, int, int, int]], probe: bool) -> None:
        self.begin()
        if probe:
            self.tx.leaves.probe([self.made("Leaves", *leaf) for leaf in leaves])
        for tree, twig, leaf, color in leaves:
            row = self.made("Leaves", tree, twig, leaf, color)
            if (tree, twig) not in self.model.twigs:
                with pytest.raises(OwnerMissing):
                    self.tx.leaves.put(row)
                continue
            if leaf == 0:
                leaf = self.model.next_leaf.get(tree, 1)
                while (tree, twig, leaf) in self.model.leaves:
                    leaf += 1
                self.model.next_leaf[tree] = leaf + 1
            assert self.tx.leaves.put(row) == self.made("Leaves", tree, twig, leaf, color)
            self.model.leaves[tree, twig, leaf] = color

    @rule(tree=few, twig=few, leaf=st.integers(1, 4))
    def pick(self, tree: int, twig: int, leaf: int) -> None:
        self.begin()
        self.tx.leaves.remove(tree, twig, leaf)
        self.model.leaves.pop((tree, twig, leaf), None)
        self.model.follow()

    @rule(which=st.integers(0, 9), tree=few, many=st.booleans())
    def fell_and_look_at_a_leaf(self, which: int, tree: int, many: bool) -> None:
        """One row, by its key: nothing else is read before."""
        there = sorted(self.committed.leaves)
        if not there or self.is_open:
            return
        self.fell(tree, False)
        leaf = there[which % len(there)]
        color = self.model.leaves.get(leaf)
        wanted = None if color is None else self.made("Leaves", *leaf, color)
        if many:
            assert self.tx.leaves.rows_at([self.package.keys.leaves_key(*leaf)]) == (
                [] if wanted is None else [wanted]
            )
        else:
            assert self.tx.leaves.get(*leaf) == wanted

    @rule(which=st.integers(0, 9), word=st.sampled_from(("x", "y")))
    def tag(self, which: int, word: str) -> None:
        self.begin()
        there = sorted(self.model.leaves)
        if not there:
            with pytest.raises(OwnerMissing) as caught:
                self.tx.tags.put(self.made("Tags", 1, 1, 1, word))
            assert (caught.value.table, caught.value.owner, caught.value.key) == ("tags", "leaves", (1, 1, 1))
            return
        leaf = there[which % len(there)]
        self.tx.tags.put(self.made("Tags", *leaf, word))
        self.model.tags[leaf] = word

    @rule(nest=few, tree=few, eggs=few)
    def nest(self, nest: int, tree: int, eggs: int) -> None:
        self.begin()
        if tree in self.model.trees:
            self.tx.nests.put(self.made("Nests", nest, tree, eggs))
            self.model.nests[nest] = (tree, eggs)
        else:
            with pytest.raises(OwnerMissing):
                self.tx.nests.put(self.made("Nests", nest, tree, eggs))

    @rule(tree=few, ring=few)
    def ring(self, tree: int, ring: int) -> None:
        self.begin()
        if tree in self.model.trees:
            self.tx.rings.put(self.made("Rings", tree, ring))
            self.model.rings.add((tree, ring))


class FileMachine(OwnedMachine):
    in_file = True


TestInMemory = OwnedMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=30)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=30, max_examples=30)

FAULTS = (
    Fault("every row has an owner", Owners, "has", "there = table.cell(key) is not None", "there = True"),
    Fault(
        "every row has an identity for its owner",
        Owners,
        "has",
        "TableWriter.cell(table, key) is not None",
        "True",
    ),
    Fault("rows stay", Owned, "follow", "owned.drop(key, cell)", "pass"),
    Fault("an owner that changes goes", Owned, "follow", "or range_of(new) != rows", "or True"),
    Fault(
        "identities of rows stay",
        Owned,
        "follow",
        "owned.drop(key, cell)",
        "owned.put_known(key, cell, None)",
    ),
    Fault("rows behind an index stay", OwnedByIndex, "_remove_rows", "owned.drop(key, cell)", "pass"),
    Fault(
        "rows written since are not found",
        OwnedByIndex,
        "_remove_rows",
        "keys.update(dict.fromkeys(owned.unsettled))",
        "pass",
    ),
    Fault("rows of any owner go", OwnedByIndex, "_remove_rows", "== gone", "is not None"),
    Fault("a row is read unfollowed", LateTable, "cell", "self._settle()", "pass"),
    Fault("rows are read unfollowed", LateTable, "cells_at", "self._settle()", "pass"),
    Fault("a scan is unfollowed", LateTable, "scan_cells", "self._settle()", "pass"),
    Fault(
        "a write that is known is not heard",
        FollowedTable,
        "put_known",
        "hearing.run.append(change)",
        "pass",
    ),
    Fault(
        "a write is not heard",
        FollowedTable,
        "put_cell",
        "self._hear(change)",
        "pass",
    ),
    Fault("what followers write is not followed", Hearing, "catch_up", "while self.runs:", "if self.runs:"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    failures = (AssertionError, PillarboxError, KeyError, pytest.fail.Exception)
    with fault.planted(), pytest.raises(failures):
        run_state_machine_as_test(OwnedMachine, settings=HARD)


def test_what_is_heard_does_not_outlive_a_rollback(tmp_path: Path) -> None:
    fault = Fault("what is heard outlives a rollback", Hearing, "forget", "self.runs.clear()", "pass")

    assert comments_after_a_rollback(tmp_path / "a.box") == 1
    with fault.planted():
        assert comments_after_a_rollback(tmp_path / "b.box") == 0, "the fault is none"


def comments_after_a_rollback(path: Path) -> int:
    """An issue with a comment is removed, but then it is not."""
    issue = Issues(
        project_id=ProjectId(1), number=1, title="", state=State.OPEN, author_id=UserId(1), created_at=1,
        updated_at=1,
    )  # fmt: skip
    comment = Comments(
        project_id=ProjectId(1), number=1, posted_at=1, comment=1, author_id=UserId(1), body=""
    )
    with open_box(path, durability="relaxed") as box:
        with box.transaction() as tx:
            tx.issues.put(issue)
            tx.comments.put(comment)
        with suppress(ZeroDivisionError), box.transaction() as tx:
            tx.issues.remove(ProjectId(1), 1)
            raise ZeroDivisionError
        with box.transaction() as tx:
            return len(tx.comments.all())
