"""What a view takes while nothing happens: `python -m benchmarks.idle_views`, a JSON line a kind of view.

`rows` is what the very rows that the views hold take, read anew into lists: each with the key it is
stored under. Windows are full: fifty shown, and the slack that they hold behind those.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHATS = 500
MESSAGES_A_CHAT = 70
#: Rows that a window of fifty holds: a quarter more than it shows.
HELD = 62

sys.path.insert(0, str(Path(__file__).parent / "live"))


def main() -> None:
    """Print a line for each kind of view, and one for the mix of the live benchmark."""
    from a_pillarbox import load_package  # type: ignore[import-not-found]  # of the folder beside

    package = load_package()
    types, views = package.types, package.views
    with package.open_box(":memory:") as box:
        with box.transaction() as tx:
            for n in range(1, CHATS + 1):
                tx.users.put(types.Users(user_id=n, name=f"User {n} Surname"))
                tx.peers.put(
                    types.Peers(
                        peer_id=n, name=f"Peer {n}", last_at=n, last_text="lorem ipsum " * 5, unread=1
                    )
                )
                for place in range(MESSAGES_A_CHAT):
                    number = n * 1_000 + place
                    tx.messages.put(
                        types.Messages(
                            peer_id=n,
                            sent_at=number,
                            message_id=number,
                            author_id=1 + number % CHATS,
                            text=f"message #{number} lorem ipsum dolor sit amet consectetur adipiscing",
                        )
                    )
        chats = range(1, CHATS + 1)
        histories = [views.History(n) for n in chats]
        peers = [views.Peer(n) for n in chats]
        unread = [views.Unread(n) for n in chats]
        with box.reading() as tables:

            def window(key: Any) -> Any:
                bounds = _bounds(package, key.peer_id)
                return tables.messages.scan_cells(*bounds, newest_first=True, limit=HELD)

            def chat(key: Any) -> Any:
                return tables.peers.scan_cells(key.peer_id, key.peer_id + 1)

            fours = zip(histories[::2], histories[1::2], peers, unread, strict=False)
            mixed = [key for four in fours for key in four]
            rows_of = {views.History: window, views.Peer: chat, views.Unread: chat}
            for name, keys in (
                ("the last 50 messages, with authors", histories),
                ("one chat", peers),
                ("one number of a chat", unread),
                ("mixed as in the live benchmark", mixed),
            ):
                subscriptions = _bytes_of(lambda key: _subscribed(box, key), keys)
                rows = _bytes_of(lambda key: rows_of[type(key)](key), keys)
                print(
                    json.dumps({"views": name, "bytes": subscriptions, "rows": rows, "mixed": keys is mixed}),
                    flush=True,
                )
    os._exit(0)


def _bounds(package: Any, peer_id: int) -> tuple[bytes, bytes]:
    prefix = package.keys.messages_prefix_1
    return prefix(peer_id), prefix(peer_id + 1)


def _subscribed(box: Any, key: Any) -> Any:
    subscription = box.watch(key)
    next(subscription)
    return subscription


def _bytes_of(make: Callable[[Any], Any], keys: list[Any]) -> int:
    """How much is allocated for what is made of each key, once all of it is there."""
    gc.collect()
    tracemalloc.start()
    made = [make(key) for key in keys]
    gc.collect()
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    for each in made:
        if hasattr(each, "close"):
            each.close()
    return used // len(keys)


if __name__ == "__main__":
    main()
