"""The messenger's PROTOCOL begins anew as the reference does, a channel or all of it, and keeps where it is.

What is expected here is written out by hand.
"""

from __future__ import annotations

from pathlib import Path

from tests.unit.sync.messenger_values import (
    ACCOUNT,
    ANNA,
    CHANNEL,
    CHAT,
    DATE,
    GROUP,
    NEWS,
    OWN,
    PTS,
    QTS,
    SECRET,
    SEQ,
    STATE,
    TOP,
    USER,
    dialog,
    holes,
    message,
)

from pillarbox.sync import Poll
from pillarbox.sync.debt_rows import Debt
from pillarbox_messenger import answers, box, operations, requests, types
from pillarbox_messenger.keys import account_key, channel_key
from pillarbox_messenger.protocol import PROTOCOL


def test_a_channel_is_reset_by_its_dialog(store: box.Box) -> None:
    """4.4, C-5: any error leaves everything as it is; its messages bear where it stands, others do not."""
    reset = PROTOCOL.resets["channel_reset"]
    (step,) = reset.fetch
    page = answers.Dialogs(
        dialogs=(dialog(NEWS, 8, 30), dialog(ANNA, 5)),
        messages=(message(NEWS, 8), message(NEWS, 6), message(ANNA, 5)),
    )

    with store.transaction() as tx:
        PROTOCOL.replay(tx, reset.commit(tx, NEWS, {"page": page}))

    assert step.request(NEWS, {}) == requests.GetPeerDialogs(peer_ids=(NEWS,))
    assert reset.set(NEWS, {"page": page}) == {PTS: 30}
    assert not reset.retry
    assert holes(store, NEWS) == [(1, 7)]
    with store.reading() as tables:
        stamps = {(row.peer_id, row.id): row.attributes for row in tables.message.all()}
    version = types.ChannelVersion(pts=30)
    assert stamps == {(NEWS, 8): (version,), (NEWS, 6): (version,), (ANNA, 5): ()}


def test_the_account_begins_anew_with_the_first_page(store: box.Box) -> None:
    """D-6, D-7: other chats leave the list and are not known to be whole; secret chats stay as they are."""
    reset = PROTOCOL.resets["account_reset"]
    secret = types.Message(
        peer_id=SECRET, namespace=types.MessageNamespace.SECRET_IN, timestamp=60, id=1, text="hush"
    )
    with store.transaction() as tx:
        for one in (USER, CHAT, types.Peers(peer_id=SECRET, name="S", data=types.UserData())):
            tx.peers.put(one)
        newest = types.MessagePlace.NEWEST
        old = (message(ANNA, 3), message(GROUP, 4))
        PROTOCOL.replay(tx, [operations.AddMessages(messages=old, place=newest)])
        PROTOCOL.replay(tx, [operations.AddMessages(messages=(secret,), place=newest)])

    fetched = {
        "state": answers.State(unread_count=0, **STATE),
        "page": answers.Dialogs(dialogs=(dialog(ANNA, 8),), messages=(message(ANNA, 8),)),
    }
    with store.transaction() as tx:
        made = reset.commit(tx, b"", fetched)
        PROTOCOL.replay(tx, [it for it in made if not isinstance(it, Poll)])

    assert [it for it in made if isinstance(it, Poll)] == [Poll(ACCOUNT)]
    # What was sent in secret chats is on no page: that stream goes on from where it is.
    assert reset.set(b"", fetched) == {PTS: 40, SEQ: 12, DATE: 70}
    assert [step.request(b"", fetched) for step in reset.fetch] == [
        requests.GetState(), requests.GetDialogs(folder_id=0, limit=100),
    ]  # fmt: skip
    assert reset.retry
    with store.reading() as tables:
        listed = {row.peer_id for row in tables.chat_state.all()}
    assert listed == {ANNA, SECRET}
    assert (holes(store, ANNA), holes(store, GROUP)) == ([(1, 7)], [(1, TOP)])


def test_what_an_account_is_stands_in_three_tables(tmp_path: Path) -> None:
    """C-1, C-2: who it is, where its streams stand, and which channels are not to be trusted."""
    state = types.AccountState(account=0, peer_id=OWN, datacenter=2, testing=True)
    debt = Debt(CHANNEL, channel_key(NEWS), 7, "channel_reset", 99)
    assert PROTOCOL.debts is not None
    with box.open_box(tmp_path / "account.box") as opened, opened.transaction() as tx:
        assert PROTOCOL.position(tx, ACCOUNT, account_key()) is None, "absent before the first sync"
        tx.account_state.put(state)
        PROTOCOL.advance(tx, ACCOUNT, account_key(), {PTS: 10, QTS: 2, SEQ: 3, DATE: 1_000})
        PROTOCOL.advance(tx, CHANNEL, channel_key(NEWS), {0: 50, 1: 40, 2: 8})
        PROTOCOL.debts.owe(tx, debt)

    with box.open_box(tmp_path / "account.box") as opened, opened.reading() as tables:
        assert tables.account_state.get(0) == state
        assert PROTOCOL.position(tables, ACCOUNT, account_key()) == (10, 2, 3, 1_000)
        assert PROTOCOL.position(tables, CHANNEL, channel_key(NEWS)) == (50, 40, 8)
        assert list(PROTOCOL.debts.all(tables)) == [debt]
