"""Histories of a messenger's box: operations on two chats, ids from 1 to 6, few times and tags.

Depends on: the operation structs of the messenger schema.  Never on: what is tested with them.

An answer to a question of an earlier transaction carries the version 0; who plays it puts in the right one.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from hypothesis import strategies as st
from tests.property.messenger_model import COUNTED, LAST_ID

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t

CLOUD, LOCAL = t.MessageNamespace.CLOUD, t.MessageNamespace.LOCAL
ANN = t.peer_id(t.PeerNamespace.USER, 1)
NEWS = t.peer_id(t.PeerNamespace.CHANNEL, 2)
PEERS: Final = (ANN, NEWS)
GROUPS: Final = (0, 1)

Operations: TypeAlias = list[Any]
#: What a transaction does, whether it is kept, whether the file is opened anew after it.
Step: TypeAlias = tuple[Operations, bool, bool]

peers = st.sampled_from(PEERS)
groups = st.sampled_from(GROUPS)
ids = st.integers(1, 6)
marks = st.integers(0, 6)
counts = st.integers(0, 3)
times = st.integers(1, 4)
few_ids = st.lists(ids, min_size=1, max_size=2, unique=True).map(tuple)
few_peers = st.lists(peers, max_size=3).map(tuple)
message_tags = st.sampled_from((0, t.TagFlags.PINNED, t.TagFlags.UNSEEN_MENTION, 1024 + 32))
counted_tags = st.sampled_from(COUNTED)
hole_tags = st.sampled_from((0, 0, t.TagFlags.PINNED))
lowers = st.integers(0, 7)
uppers = st.sampled_from((0, 1, 2, 3, 4, 5, 6, LAST_ID))


messages = st.builds(
    t.Message,
    peer_id=peers,
    namespace=st.just(CLOUD),
    timestamp=times,
    id=ids,
    flags=st.sampled_from((0, t.MessageFlags.INCOMING)),
    tags=message_tags,
    text=st.sampled_from("abc"),
)


def doing(operation: Any, *arguments: Any, **named: Any) -> st.SearchStrategy[Any]:
    """Operations of one kind; some take their arguments by name only."""
    by_place = dict(zip(operation.__struct_fields__, arguments, strict=False))
    return st.builds(operation, **by_place, **named)


pages = st.lists(messages, min_size=1, max_size=3).map(tuple)
#: Only ours wait here to be sent.
unsent = st.builds(
    t.Message,
    peer_id=peers,
    namespace=st.just(LOCAL),
    timestamp=times,
    id=st.integers(1, 2),
    text=st.just("d"),
)
names = st.builds(t.MessageId, peers, st.just(CLOUD), ids)
bases = st.builds(t.ReadBase, peers, st.just(CLOUD), marks, marks, marks, counts, st.booleans())
changes = st.one_of(
    st.builds(t.ChatPinned, peers), st.builds(t.ChatUnpinned, peers), st.builds(t.PinsReordered, few_peers)
)
drafts = st.none() | st.builds(t.Draft, text=st.just("soon"), date=st.integers(0, 5))
cloud, no_thread, no_label = st.just(CLOUD), st.just(0), st.just(0)
space = {
    "peer_id": peers,
    "thread_id": no_thread,
    "namespace": cloud,
    "label": no_label,
    "tag": hole_tags,
    "lower": lowers,
    "upper": uppers,
}
spans_of_time = st.one_of(
    st.just((None, None)), st.tuples(times, times).map(lambda pair: (min(pair), max(pair)))
)


def clearing(peer: t.PeerId, span: tuple[int | None, int | None], local: bool) -> o.ClearHistory:
    return o.ClearHistory(peer, (CLOUD, LOCAL) if local else (CLOUD,), None, *span)


def told_read(base: t.ReadBase) -> Operations:
    """What the server answers to who asked before this transaction."""
    return [o.ConfirmReadState(base.peer_id, CLOUD, 0), o.PutReadStates((base,))]


def told_tag(peer: t.PeerId, tag: int, count: int, valid_to: int) -> Operations:
    return [
        o.ConfirmTagCount(peer, CLOUD, tag, 0, 0, 0),
        o.PutTagCount(peer, CLOUD, tag, 0, 0, count, valid_to),
    ]


def told_all(base: t.ReadBase, count: int, valid_to: int) -> Operations:
    """The server is asked of all that it counts in a chat."""
    answers = [told_tag(base.peer_id, tag, count, valid_to) for tag in COUNTED]
    return told_read(base) + [operation for answer in answers for operation in answer]


single: st.SearchStrategy[Any] = st.one_of(
    doing(o.AddMessages, pages, st.sampled_from(t.MessagePlace)),
    st.builds(lambda it: o.AddMessages((it,)), unsent),
    doing(o.EditMessage, messages),
    doing(o.ReplaceMessage, names, messages),
    doing(o.SentMessage, peers, st.integers(1, 2), messages),
    doing(o.DeleteMessages, st.lists(names, min_size=1, max_size=2).map(tuple)),
    st.builds(clearing, peers, spans_of_time, st.booleans()),
    doing(o.DeleteRange, peers, cloud, lowers, marks),
    doing(o.DeleteOfAuthor, peers, peers, cloud),
    doing(o.RaiseMinAvailable, names),
    doing(o.PinMessages, peers, few_ids, st.booleans()),
    doing(o.SeeMentions, st.lists(names, max_size=2).map(tuple)),
    doing(o.AddHole, **space),
    doing(o.CutHole, **space),
    doing(o.FillHole, messages=pages, **space),
    doing(o.CloseGap, peers, cloud, lowers, uppers),
    doing(
        o.AddHolesEverywhere,
        kinds=st.sets(st.sampled_from((t.PeerNamespace.USER, t.PeerNamespace.CHANNEL))).map(tuple),
        namespace=cloud,
    ),
    doing(o.ReadInbox, peers, cloud, marks),
    doing(o.ReadHere, peers, cloud, marks),
    doing(o.ReadOutbox, peers, cloud, marks),
    doing(o.MarkUnread, peers, st.booleans()),
    st.builds(lambda base: o.PutReadStates((base,)), bases),
    doing(o.ResetReadState, bases, st.booleans()),
    doing(o.ResetIncomingRead, peers, cloud, marks, counts, st.sampled_from((4, 5, 5, 6))),
    doing(o.CountUnseen, names),
    doing(o.WantReadState, peers, cloud),
    doing(o.ResetTagCount, peers, cloud, counted_tags, counts, marks),
    doing(o.WantTagCount, peers, cloud, counted_tags, no_thread, no_label),
    doing(o.SetInclusion, peers, st.sampled_from((None, 0, 1)), st.none() | times),
    doing(o.SetPins, groups, few_peers),
    doing(o.UpdatePins, groups, changes),
    doing(o.ClearChatList, groups, st.sampled_from((None, t.PeerNamespace.USER, t.PeerNamespace.CHANNEL))),
    doing(o.SetDraft, peers, drafts),
)
operations: st.SearchStrategy[Operations] = st.one_of(
    single.map(lambda it: [it]),
    single.map(lambda it: [it]),
    st.builds(told_read, bases),
    st.builds(told_tag, peers, counted_tags, counts, marks),
    st.builds(told_all, bases, counts, marks),
)
steps: st.SearchStrategy[Step] = st.tuples(
    st.lists(operations, min_size=1, max_size=4).map(lambda lists: [it for each in lists for it in each]),
    st.integers(0, 5).map(bool),
    st.integers(0, 9).map(lambda n: n == 0),
)


def plain(timestamp: int, number: int) -> t.Message:
    incoming = t.MessageFlags.INCOMING
    return t.Message(peer_id=ANN, namespace=CLOUD, timestamp=timestamp, id=number, flags=incoming, text="")


#: What chance seldom meets: messages between two marks, with no hole there and nobody in doubt.
READ_ON: Final[list[Step]] = [
    ([o.CutHole(ANN, 0, CLOUD, 0, 0, 0, LAST_ID), o.AddMessages((plain(1, 1), plain(2, 2)))], True, False),
    (told_read(t.ReadBase(ANN, CLOUD, 0, 0, 2, 2, False)), True, False),
    ([o.ReadInbox(ANN, CLOUD, 1)], True, False),
]
