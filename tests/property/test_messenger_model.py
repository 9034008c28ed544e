"""After every transaction a messenger's box says what its model says, which shares no code with it.

Law. Holes as sets of points, the newest message of each chat, the marks of reading, what is in doubt, and the
order of each list of chats are those of the model; counts of what is left to read and of tags are, too, as
long as nobody doubts them. Rollbacks and reopening change nothing.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.messenger_histories import ANN, GROUPS, NEWS, PEERS, READ_ON, Operations, Step, steps
from tests.property.messenger_model import APPLIED, HOLE_TAGS, POINTS, MessengerModel
from tests.property.messenger_operations import apply
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY

from pillarbox.maintainers import (
    AnchoredCountTable,
    Index,
    Join,
    ListTable,
    MarkerTable,
    RangesTable,
    StaleTable,
    Top,
    anchored_count,
    marker,
)
from pillarbox.tables import TableWriter
from pillarbox_messenger import Box, open_box
from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t

CLOUD: Final = t.MessageNamespace.CLOUD


class _Changed(Exception):
    """Somebody changed their mind."""


class Pair:
    """A box and its model."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.box = self.opened()
        self.model = MessengerModel(PEERS)
        #: How often each count was looked at, and how often nobody doubted it.
        self.looks: Counter[str] = Counter()
        #: What is asked of the server: (chat, tag or None) -> version.
        self.versions: dict[tuple[Any, ...], int] = {}
        people = (
            t.Peers(peer_id=ANN, name="Ann", data=t.UserData()),
            t.Peers(peer_id=NEWS, name="News", data=t.ChannelData(1)),
        )
        self.box.replay(
            [o.UpdatePeers(people), o.SetState(APPLIED, 0, 0, 0), o.SetChannelState(NEWS, APPLIED)]
        )
        # A space that nobody touched has no rows yet.
        self.box.replay([o.CutHole(peer, 0, CLOUD, 0, 64, 1, 1) for peer in PEERS])
        self.box.replay([o.AddHole(peer, 0, CLOUD, 0, 64, 1, 1) for peer in PEERS])

    def opened(self) -> Box:
        return open_box(self.path, durability="relaxed")

    def play(self, step: Step) -> None:
        """Apply a transaction to both, and compare them."""
        given_, keep, reopen = step
        model = self.model.begin()
        try:
            with self.box.transaction() as tx:
                done = self.asked(given_)
                self.box.package.replay(tx, done)
                if not keep:
                    raise _Changed
        except _Changed:
            pass
        else:
            for operation in done:
                apply(operation, model)
            self.model = model
        if reopen and self.path != ":memory:":
            self.box.close()
            self.box = self.opened()
        self.compare()

    def asked(self, given_: Operations) -> Operations:
        """Answers carry the version of their question, asked before the transaction; one a key."""
        done: Operations = []
        answered: set[tuple[Any, ...]] = set()
        for operation in given_:
            if isinstance(operation, o.ConfirmReadState | o.ConfirmTagCount):
                key = (operation.peer_id, getattr(operation, "tag", None))
                version = self.versions.get(key)
                if version is None or key in answered:
                    continue
                answered.add(key)
                operation = replaced(operation, version)
            done.append(operation)
        return done

    def compare(self) -> None:
        """Whatever may be known is the same in both."""
        with self.box.reading() as tables:
            reads = {row.peer_id: row for row in tables.read_states.all() if row.namespace == CLOUD}
            read_doubts = {row.peer_id: row.version for row in tables.read_sync.all()}
            tags = {(row.peer_id, row.tag): row for row in tables.tag_counts.all() if row.namespace == CLOUD}
            tag_doubts = {(row.peer_id, row.tag): row.version for row in tables.stale_tag_counts.all()}
            holes = tables.message_holes.all()
            tops = {row.peer_id: row for row in tables.chat_top.all()}
            chats = tables.chat_list.all()
        self.versions = {(peer, None): version for peer, version in read_doubts.items()} | dict(tag_doubts)
        self.compare_holes(holes)
        self.compare_reads(reads, set(read_doubts))
        self.compare_tags(tags, set(tag_doubts))
        self.compare_chats(tops, chats)

    def compare_holes(self, rows: list[t.MessageHoles]) -> None:
        found = {(peer, tag): frozenset[int]() for peer in PEERS for tag in HOLE_TAGS}
        for row in rows:
            assert (row.thread_id, row.namespace, row.label) == (0, CLOUD, 0)
            points = frozenset(point for point in POINTS if row.lower <= point <= row.upper)
            assert points
            assert points.isdisjoint(found[row.peer_id, row.tag])
            found[row.peer_id, row.tag] |= points
        assert found == self.model.holes

    def compare_reads(self, rows: dict[Any, t.ReadStates], doubted: set[t.PeerId]) -> None:
        model = self.model
        assert doubted == model.doubted_reads
        assert rows.keys() == model.reads.keys()
        for peer, row in rows.items():
            it = model.reads[peer]
            assert (row.read_in, row.read_out, row.known_to, row.marked) == (
                it.read_in,
                it.read_out,
                it.known_to,
                it.marked,
            )
            self.looks["reads"] += 1
            assert row.count >= 0
            if peer not in doubted:
                self.looks["sure reads"] += 1
                assert row.count == it.count

    def compare_tags(self, rows: dict[Any, t.TagCounts], doubted: set[tuple[t.PeerId, int]]) -> None:
        model = self.model
        assert doubted == model.doubted_tags
        assert rows.keys() == model.tagged.keys()
        for (peer, tag), row in rows.items():
            it = model.tagged[peer, tag]
            assert (row.valid_to, row.incoming) == (it.valid_to, model.incoming(peer, tag))
            self.looks["tags"] += 1
            assert row.count >= 0
            if (peer, tag) not in doubted:
                self.looks["sure tags"] += 1
                assert row.count == it.count

    def compare_chats(self, tops: dict[Any, t.ChatTop], rows: list[t.ChatList]) -> None:
        model = self.model
        for peer in PEERS:
            top = tops.get(peer)
            found = None if top is None else (top.timestamp, top.namespace, top.id, top.text)
            assert found == model.newest(peer)
        for group in GROUPS:
            assert [row.peer_id for row in rows if row.group_id == group] == model.chats(group)
        for row in rows:
            read = model.reads.get(row.peer_id)
            assert row.marked == (read is not None and read.marked)
            if row.peer_id not in model.doubted_reads:
                assert row.unread == (read.count if read else 0)


def replaced(operation: Any, version: int) -> Any:
    """The same answer, to the question of this version."""
    fields = {name: getattr(operation, name) for name in operation.__struct_fields__}
    return type(operation)(**{**fields, "version": version})


def play_all(history: list[Step], path: str = ":memory:") -> Pair:
    """All of a history, compared after each transaction."""
    pair = Pair(path)
    try:
        for step in history:
            pair.play(step)
    finally:
        pair.box.close()
    return pair


LAW_FAULTS: Final = (
    Fault("a cut takes the rest above", RangesTable, "_cut", "if upper > high:", "if False:"),
    Fault(
        "steps do not spread",
        RangesTable,
        "_clipped",
        "tuple(dict.fromkeys(prefixes))",
        "tuple(prefixes)[:1]",
    ),
    Fault("holes of a chat come unheard", RangesTable, "_add", "follower.hole_added(prefix, *added)", "pass"),
    Fault(
        "what the base of a chat has is counted again",
        marker._Work,
        "more",
        "position <= state.known:",
        "False:",
    ),
    Fault(
        "what is passed over stays counted",
        MarkerTable,
        "_pass",
        "state.count - self.",
        "state.count - 0 * self.",
    ),
    Fault("holes of a chat are passed over", MarkerTable, "_pass", " or self._is_hole(key, start, to)", ""),
    Fault("unknown rows go unnoticed", MarkerTable, "missed", "self.doubt(stale)", "pass"),
    Fault("a mark moves back", MarkerTable, "advance_at", "max(state.marks[mark], to)", "to"),
    Fault("an answer from elsewhere is trusted", MarkerTable, "anchor_at", "current and whole", "whole"),
    Fault(
        "tags of the base are counted again",
        anchored_count._Work,
        "news",
        "known = self._known(rows, group.base, covered, first=first)",
        "pass",
    ),
    Fault(
        "a change takes no tag away",
        AnchoredCountTable,
        "follow",
        "before.get(key, nothing)",
        "nothing",
    ),
    Fault("a doubt stays", StaleTable, "confirm_key", "self.put_cell(key, None)", "pass"),
    Fault("lookups are not followed", Join, "settle", "dirty.update(self._lookups.dependents(nets))", "pass"),
    Fault("the list forgets chats that go", Index, "exchange", "put(key, was, None)", "pass"),
    Fault("a deleted message stays the newest", Top, "apply", "reread[group] = old", "pass"),
    Fault("a hole is left among pins", ListTable, "_unplace", "rows, rows[1:]", "rows, []"),
    Fault(
        "a rolled back transaction stays in memory",
        TableWriter,
        "undo",
        "self._cells.pop(key, None)",
        "pass",
    ),
)


@settings(max_examples=settings().max_examples * 2)
@given(history=st.lists(steps, min_size=5, max_size=30))
def test_the_box_says_what_the_model_says(history: list[Step]) -> None:
    play_all(history)


@settings(max_examples=max(10, settings().max_examples // 4))
@given(history=st.lists(steps, max_size=15))
def test_so_does_a_file_that_is_opened_again(history: list[Step]) -> None:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        play_all(history, str(Path(folder, "a.box")))


def test_much_of_the_time_nobody_doubts() -> None:
    """Else the law would be of nothing."""
    looks: Counter[str] = Counter()

    @settings(HARD, max_examples=100)
    @given(history=st.lists(steps, min_size=5, max_size=15))
    def look(history: list[Step]) -> None:
        looks.update(play_all(history).looks)

    look()

    assert all(looks[f"sure {word}"] > 0.12 * looks[word] for word in ("reads", "tags")), looks


@pytest.mark.parametrize("fault", LAW_FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    @settings(HARD)
    @given(history=st.lists(steps, min_size=5, max_size=15))
    def law(history: list[Step]) -> None:
        play_all(history)

    def look() -> None:
        play_all(READ_ON)
        law()

    with fault.planted(), pytest.raises(AssertionError):
        look()


def test_the_history_that_chance_seldom_meets_is_no_fault() -> None:
    assert play_all(READ_ON).looks["sure reads"] >= 1
