"""What is left of operations when they are merged and folded; the rules of the shipped schemas."""

from __future__ import annotations

from pillarbox.sync import optimise
from pillarbox_messenger.merges import MERGES
from pillarbox_messenger.operations import (
    AddMessages,
    MergePresences,
    Operation,
    SetChannelInvalidation,
    SetChannelState,
    SetMetadata,
    SetPresence,
    SetState,
    UpdatePeers,
)
from pillarbox_messenger.types import (
    MessagePlace,
    MetadataItem,
    PeerId,
    PeerNamespace,
    Peers,
    UserData,
    peer_id,
)
from pillarbox_tracker import merges as tracker
from pillarbox_tracker.operations import NameLabels, PutLabels, RemoveLabel, RenameLabel, Star
from pillarbox_tracker.types import Labels, ProjectId, UserId

ANN: PeerId = peer_id(PeerNamespace.USER, 1)
BEN: PeerId = peer_id(PeerNamespace.USER, 2)
ELSEWHERE = SetMetadata(MetadataItem.VERSION, 1, None)


def update(*peers: PeerId) -> UpdatePeers:
    return UpdatePeers(tuple(Peers(peer_id=one, name="A", data=UserData()) for one in peers))


def left(*operations: Operation) -> list[Operation]:
    return optimise(operations, MERGES)


def test_lists_of_a_batch_become_one_where_the_first_stood() -> None:
    assert left(update(ANN), ELSEWHERE, update(BEN), update(ANN)) == [update(ANN, BEN, ANN), ELSEWHERE]


def test_a_batch_ends_with_one_whose_other_parameters_differ() -> None:
    newest = AddMessages((), MessagePlace.NEWEST)

    assert left(AddMessages(()), newest, newest, AddMessages(())) == [
        AddMessages(()),
        newest,
        AddMessages(()),
    ]


def test_a_batch_ends_where_another_operation_meets_it() -> None:
    met = SetPresence(())
    one = MergePresences(presences=(), explicit=False)

    assert left(one, met, one) == [one, met, one]


def test_only_the_last_of_a_tail_is_applied_for_each_key() -> None:
    found = left(SetChannelState(ANN, 1), SetChannelState(BEN, 2), ELSEWHERE, SetChannelState(ANN, 3))

    assert found == [SetChannelState(BEN, 2), ELSEWHERE, SetChannelState(ANN, 3)]


def test_a_tail_without_keys_is_written_over_by_any_of_its_kind() -> None:
    assert left(SetState(1, 1, 1, 1), SetState(2, 2, 2, 2)) == [SetState(2, 2, 2, 2)]


def test_tails_of_different_parts_of_a_cursor_pass_each_other() -> None:
    found = left(SetChannelState(ANN, 1), SetChannelInvalidation(ANN, 5), SetChannelState(ANN, 2))

    assert found == [SetChannelInvalidation(ANN, 5), SetChannelState(ANN, 2)]


def test_operations_that_are_given_stay_as_they_are() -> None:
    given = [update(ANN), update(BEN)]

    optimise(given, MERGES)

    assert given == [update(ANN), update(BEN)]


def test_nothing_becomes_nothing() -> None:
    assert left() == []


HOME = ProjectId(1)


def labels(*names: str) -> PutLabels:
    """Labels 1, 2, .. of one project."""
    rows = [Labels(HOME, number, name=name, colour=0) for number, name in enumerate(names, 1)]
    return PutLabels(tuple(rows))


def renamed(label: int, name: str) -> RenameLabel:
    return RenameLabel(HOME, label, name, 0)


def folded(*operations: object) -> list[object]:
    return optimise(operations, tracker.MERGES)


def test_a_row_is_put_as_it_was_changed_last() -> None:
    star = Star(UserId(1), HOME)

    assert folded(labels("a", "b"), star, renamed(2, "c"), renamed(2, "d")) == [labels("a", "d"), star]


def test_more_rows_are_put_behind_a_change() -> None:
    assert folded(labels("a"), renamed(1, "b"), labels("c", "d")) == [labels("c", "d")]


def test_a_row_that_is_removed_is_not_put_and_is_removed() -> None:
    gone = RemoveLabel(HOME, 1)

    assert folded(labels("a"), gone) == [gone]


def test_what_is_put_after_a_removal_stays_behind_it() -> None:
    gone = RemoveLabel(HOME, 1)

    assert folded(labels("a"), gone, labels("b"), renamed(1, "c")) == [gone, labels("c")]


def test_a_change_of_a_row_that_is_not_in_the_batch_stays_and_ends_it() -> None:
    given = [labels("a"), renamed(2, "b"), renamed(1, "c")]

    assert folded(*given) == given


def test_nothing_folds_past_what_meets_the_table() -> None:
    given = [labels("a"), NameLabels(HOME, ()), renamed(1, "c"), RemoveLabel(HOME, 1)]

    assert folded(*given) == given
