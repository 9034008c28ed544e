"""The live benchmark's adapter for Pillarbox: a box over `schema/live.yaml`, file-backed, relaxed.

Variants: "" relaxed, "full" durable, "mem" in memory. Snapshots are handed over as sequences that turn
a row into a tuple when it is looked at, so that the timed part holds no conversion of whole windows.

It prints a line of its own beside those of the harness: what the first subscription of the box took, which
registers with other processes and starts to look for their commits.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pillarbox_codegen.generate import generate

Rows = Sequence[tuple[Any, ...]]
#: Rows put per transaction while the box is filled.
_FILL_ROWS = 10_000


def load_package() -> Any:
    """Generate the benchmark's package from its schema and import it."""
    folder = Path(tempfile.mkdtemp(prefix="pillarbox-live-"))
    for path, text in generate(Path(__file__).parent / "schema").items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    sys.path.insert(0, str(folder))
    package = importlib.import_module("pillarbox_live")
    for module in ("keys", "types", "operations", "views"):
        importlib.import_module(f"pillarbox_live.{module}")
    return package


class LazyRows(Sequence[tuple[Any, ...]]):
    """Rows of a snapshot, turned into tuples one by one when asked for."""

    __slots__ = ("_rows", "_tuple")

    def __init__(self, rows: Sequence[Any], as_tuple: Callable[[Any], tuple[Any, ...]]) -> None:
        self._rows = rows
        self._tuple = as_tuple

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._tuple(row) for row in self._rows[index]]
        return self._tuple(self._rows[index])

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return map(self._tuple, self._rows)


def _history(snapshot: Any) -> Rows:
    authors = snapshot.authors
    return LazyRows(
        snapshot.messages,
        lambda row: (row.message_id, row.sent_at, row.text, authors[row.author_id].name),
    )


def _peer(row: Any) -> tuple[Any, ...]:
    return (row.peer_id, row.name, row.last_at, row.last_text, row.unread)


class Adapter:
    """What `run.py` drives."""

    def __init__(self, folder: str, variant: str) -> None:
        self._package = load_package()
        path = ":memory:" if variant == "mem" else str(Path(folder) / "live.box")
        durability = "durable" if variant == "full" else "relaxed"
        self._box = self._package.open_box(path, durability=durability)
        self._subscriptions: list[Any] = []
        self.meta = {
            "version": "pillarbox",
            "persist": "none" if variant == "mem" else f"file, WAL, {durability}",
            "mechanism": "replay of the change record into views found by interest",
        }

    def open(self, users: list[Any], peers: list[Any], messages: list[Any]) -> None:
        """Fill the box."""
        package = self._package
        with self._box.transaction() as tx:
            for user_id, name in users:
                tx.users.put(package.types.Users(user_id=user_id, name=name))
            for peer_id, name, last_at, last_text, unread in peers:
                tx.peers.put(
                    package.types.Peers(
                        peer_id=peer_id, name=name, last_at=last_at, last_text=last_text, unread=unread
                    )
                )
        for start in range(0, len(messages), _FILL_ROWS):
            with self._box.transaction() as tx:
                for row in messages[start : start + _FILL_ROWS]:
                    tx.messages.put(self._message(row))

    def subscribe(self, kind: str, peer: int, callback: Callable[[Rows], None]) -> None:
        """Watch one of the four views; `callback` gets the first snapshot at once."""
        views = self._package.views
        key, rows = {
            "history": (views.History(peer), _history),
            "chatlist": (views.ChatList(), lambda snapshot: LazyRows(snapshot.peers, _peer)),
            "peer": (views.Peer(peer), lambda snapshot: LazyRows((snapshot.peer,), _peer)),
            "unread": (
                views.Unread(peer),
                lambda snapshot: LazyRows((snapshot.peer,), lambda row: (row.unread,)),
            ),
        }[kind]
        began = time.perf_counter()
        subscription = self._box.watch(key)
        subscription.listen(lambda emission: callback(rows(emission.snapshot)))
        if not self._subscriptions:
            spent = (time.perf_counter() - began) * 1e3
            print(json.dumps({"phase": "first", "ms": round(spent, 4)}), flush=True)
        self._subscriptions.append(subscription)

    def tx(self, messages: list[Any]) -> None:
        """Store messages and count them, in one transaction."""
        added = tuple(self._message(row) for row in messages)
        self._box.replay([self._package.operations.AddMessages(messages=added)])

    def poll(self) -> None:
        """Nothing is pending once `tx` has returned."""
        raise RuntimeError("not delivered")

    def settle(self, done: Callable[[], bool]) -> None:
        """Nothing to wait for."""

    def close(self) -> None:
        """Close the box."""
        self._box.close()

    def _message(self, row: Any) -> Any:
        message_id, peer_id, author_id, sent_at, text = row
        return self._package.types.Messages(
            peer_id=peer_id, sent_at=sent_at, message_id=message_id, author_id=author_id, text=text
        )
