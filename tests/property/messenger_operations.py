"""What each operation of the messenger is to do, told to its model.

Depends on: the model, the operation structs of the messenger schema.  Never on: the runtime, or anything else
that was generated.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from tests.property.messenger_model import (
    APPLIED,
    CLOUD,
    LAST_ID,
    MENTION,
    PINNED,
    Inclusion,
    Known,
    MessengerModel,
    Read,
)

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t


@singledispatch
def apply(operation: object, model: MessengerModel) -> None:
    """Do what this operation is to do."""
    raise TypeError(f"nobody wrote down what {type(operation).__name__} does")


@apply.register
def _(op: o.AddMessages, model: MessengerModel) -> None:
    for message in op.messages:
        model.put(message)
    if op.place == t.MessagePlace.NEWEST:
        for peer in model.peers:
            ids = [it.id for it in op.messages if (it.peer_id, it.namespace) == (peer, CLOUD)]
            if ids:
                model.close_hole(peer, 0, min(ids), LAST_ID)


@apply.register
def _(op: o.EditMessage, model: MessengerModel) -> None:
    it = op.message
    old = model.messages.get((it.peer_id, it.namespace, it.id))
    if old is not None:
        known = Known(it.timestamp, old.incoming, it.tags, it.text)
        model.write((it.peer_id, it.namespace, it.id), known)


@apply.register
def _(op: o.ReplaceMessage, model: MessengerModel) -> None:
    old = (op.id.peer_id, op.id.namespace, op.id.id)
    if old in model.messages:
        if old != (op.message.peer_id, op.message.namespace, op.message.id):
            model.write(old, None)
        model.put(op.message)


@apply.register
def _(op: o.SentMessage, model: MessengerModel) -> None:
    model.remove(op.peer_id, t.MessageNamespace.LOCAL, op.local_id)
    model.put(op.message)


@apply.register
def _(op: o.DeleteMessages, model: MessengerModel) -> None:
    for it in op.ids:
        model.remove(it.peer_id, it.namespace, it.id)


@apply.register
def _(op: o.ClearHistory, model: MessengerModel) -> None:
    timed = op.first is not None and op.last is not None
    for namespace in op.namespaces:
        for name, it in model.of_chat(op.peer_id):
            inside = not timed or (op.first or 0) <= it.timestamp <= (op.last or 0)
            if name[1] == namespace and inside:
                model.write(name, None)
        model.miss(op.peer_id, namespace)
        if namespace == CLOUD and not timed:
            model.close_hole(op.peer_id, 0, 1, LAST_ID)


@apply.register
def _(op: o.DeleteRange, model: MessengerModel) -> None:
    for name, _ in model.of_chat(op.peer_id):
        if name[1] == op.namespace and op.first <= name[2] <= op.last:
            model.write(name, None)
    model.miss(op.peer_id, op.namespace)


@apply.register
def _(op: o.DeleteOfAuthor, model: MessengerModel) -> None:
    model.miss(op.peer_id, op.namespace)  # nobody is the author of what histories write


@apply.register
def _(op: o.RaiseMinAvailable, model: MessengerModel) -> None:
    kept = model.messages.get((op.id.peer_id, op.id.namespace, op.id.id))
    if kept is not None:
        said = model.inclusions.setdefault(op.id.peer_id, Inclusion(0))
        said.min_timestamp = max(said.min_timestamp or 0, kept.timestamp)
    for name, _ in model.of_chat(op.id.peer_id):
        if name[1] == op.id.namespace and name[2] <= op.id.id:
            model.write(name, None)
    model.miss(op.id.peer_id, op.id.namespace)


@apply.register
def _(op: o.PinMessages, model: MessengerModel) -> None:
    for number in op.ids:
        model.set_tags(op.peer_id, number, PINNED * op.pinned, PINNED * (not op.pinned))


@apply.register
def _(op: o.SeeMentions, model: MessengerModel) -> None:
    for it in op.ids:
        model.set_tags(it.peer_id, it.id, 0, MENTION)


@apply.register
def _(op: o.AddHole, model: MessengerModel) -> None:
    model.open_hole(op.peer_id, op.tag, op.lower, op.upper)


@apply.register
def _(op: o.CutHole, model: MessengerModel) -> None:
    model.close_hole(op.peer_id, op.tag, op.lower, op.upper)


@apply.register
def _(op: o.FillHole, model: MessengerModel) -> None:
    for message in op.messages:
        if message.peer_id == op.peer_id:
            model.put(message)
    model.close_hole(op.peer_id, op.tag, op.lower, op.upper)


@apply.register
def _(op: o.CloseGap, model: MessengerModel) -> None:
    model.open_hole(op.peer_id, 0, op.lower, op.upper)
    model.open_hole(op.peer_id, PINNED, 1, op.upper)


@apply.register
def _(op: o.AddHolesEverywhere, model: MessengerModel) -> None:
    for peer in model.peers:
        if model.group_of(peer) is not None and peer >> 56 in op.kinds:
            model.open_hole(peer, 0, 1, LAST_ID)


@apply.register
def _(op: o.ReadInbox, model: MessengerModel) -> None:
    model.read_to(op.peer_id, op.read_in)


@apply.register
def _(op: o.ReadHere, model: MessengerModel) -> None:
    model.read_to(op.peer_id, op.read_in)
    model.doubt_read(op.peer_id)


@apply.register
def _(op: o.ReadOutbox, model: MessengerModel) -> None:
    read = model.reads.get(op.peer_id)
    if read is None:
        model.doubt_read(op.peer_id)
    else:
        read.read_out = max(read.read_out, op.read_out)


@apply.register
def _(op: o.MarkUnread, model: MessengerModel) -> None:
    if op.peer_id not in model.reads:
        model.doubt_read(op.peer_id)
    model.reads.setdefault(op.peer_id, Read()).marked = op.marked


@apply.register
def _(op: o.PutReadStates, model: MessengerModel) -> None:
    for base in op.states:
        model.set_base(base)


@apply.register
def _(op: o.ResetReadState, model: MessengerModel) -> None:
    base = op.state
    old = model.reads.get(base.peer_id)
    if old is not None and (base.count > 0 or base.marked) and old.read_in > base.read_in:
        old.read_out, old.known_to = base.read_out, base.known_to
        model.doubt_read(base.peer_id)
        return
    model.set_base(base)
    if op.keep_mark:
        model.reads[base.peer_id].marked = old is not None and old.marked


@apply.register
def _(op: o.ResetIncomingRead, model: MessengerModel) -> None:
    if op.pts != APPLIED:
        model.doubt_read(op.peer_id)
    read = model.reads.setdefault(op.peer_id, Read())
    read.read_in = max(read.read_in, op.read_in)
    read.known_to = max(read.known_to, op.read_in)
    read.count = op.count


@apply.register
def _(op: o.CountUnseen, model: MessengerModel) -> None:
    read = model.reads.get(op.id.peer_id)
    if read is not None:
        read.count += 1
        read.known_to = max(read.known_to, op.id.id)


@apply.register
def _(op: o.WantReadState, model: MessengerModel) -> None:
    model.doubt_read(op.peer_id)


@apply.register
def _(op: o.ConfirmReadState, model: MessengerModel) -> None:
    if op.peer_id not in model.fresh_reads:
        model.doubted_reads.discard(op.peer_id)


@apply.register
def _(op: o.PutTagCount, model: MessengerModel) -> None:
    model.set_tag_base(op.peer_id, op.tag, op.count, op.valid_to)


@apply.register
def _(op: o.ResetTagCount, model: MessengerModel) -> None:
    if op.count == 0:
        model.close_hole(op.peer_id, op.tag, 1, LAST_ID)
        if op.tag == MENTION:
            for name, it in model.of_chat(op.peer_id):
                if name[1] == CLOUD and it.tags & MENTION:
                    model.set_tags(op.peer_id, name[2], 0, MENTION)
    model.set_tag_base(op.peer_id, op.tag, op.count, op.valid_to)


@apply.register
def _(op: o.WantTagCount, model: MessengerModel) -> None:
    model.doubt_tag(op.peer_id, op.tag)


@apply.register
def _(op: o.ConfirmTagCount, model: MessengerModel) -> None:
    if (op.peer_id, op.tag) not in model.fresh_tags:
        model.doubted_tags.discard((op.peer_id, op.tag))


@apply.register
def _(op: o.SetInclusion, model: MessengerModel) -> None:
    old = model.inclusions.get(op.peer_id, Inclusion(0))
    was = old.group or 0
    if op.group_id != was and op.peer_id in model.pins.get(was, ()):
        model.pins[was].remove(op.peer_id)
    kept = old.min_timestamp if op.min_timestamp is None else op.min_timestamp
    model.inclusions[op.peer_id] = Inclusion(op.group_id, kept)


@apply.register
def _(op: o.SetPins, model: MessengerModel) -> None:
    model.pins[op.group_id] = once(op.pins)
    for peer in op.pins:
        model.include(peer).group = op.group_id


@apply.register
def _(op: o.UpdatePins, model: MessengerModel) -> None:
    pins = model.pins.setdefault(op.group_id, [])
    match op.change:
        case t.ChatPinned(peer) if model.group_of(peer) == op.group_id:
            model.pins[op.group_id] = once([peer, *pins])
            model.include(peer).group = op.group_id
        case t.ChatUnpinned(peer) if peer in pins:
            pins.remove(peer)
        case t.PinsReordered(peers) if sorted(peers) == sorted(pins):
            model.pins[op.group_id] = list(peers)


@apply.register
def _(op: o.ClearChatList, model: MessengerModel) -> None:
    for peer in model.chats(op.group_id):
        if op.kind is None or peer >> 56 != op.kind:
            model.include(peer).group = None


@apply.register
def _(op: o.SetDraft, model: MessengerModel) -> None:
    model.drafts[op.peer_id] = 0 if op.draft is None else op.draft.date


def once(peers: Iterable[int]) -> list[int]:
    """Each thing once, where it came first."""
    return list(dict.fromkeys(peers))
