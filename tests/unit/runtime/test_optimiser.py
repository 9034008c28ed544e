"""What is left of operations when they are merged; the messenger's own rules."""

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
