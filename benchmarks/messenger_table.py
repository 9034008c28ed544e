"""One message into the full messenger schema beside 1,000 views of every kind: how long, and where it goes.

A view is live for each kind that the schema has: those without parameters once, the others for one chat
after the other. What a commit takes is from its start until the last subscriber was called; the parts are
measured in a second pass, for a stopwatch in every part takes longer than some of the parts.
"""

from __future__ import annotations

import enum
import gc
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from benchmarks.aims import at_share, print_aim
from benchmarks.stopwatch import Stopwatch
from pillarbox.box.box import Box
from pillarbox.box.rounds import Rounds
from pillarbox.maintainers import AnchoredCountTable, IndexGroup, MarkerTable
from pillarbox.storage import SqliteEngine
from pillarbox.storage.sqlite_file import SqliteFile
from pillarbox.tables import Hearing
from pillarbox.tables.flushed import FlushedTable
from pillarbox.views import Interests, Tracker
from pillarbox.views.view import View
from pillarbox_messenger import open_box
from pillarbox_messenger import views as all_views
from pillarbox_messenger.operations import AddMessages
from pillarbox_messenger.types import (
    Message,
    MessageFlags,
    MessageNamespace,
    PeerId,
    PeerNamespace,
    Peers,
    UserData,
    peer_id,
)

CHATS: Final = 500
STORED: Final = 20_000
VIEWS: Final = 1_000
P50_MS: Final = 0.2
P99_MS: Final = 1.0
#: Rows of the table of parts.
SHOWN: Final = 24


def main(quick: bool) -> None:
    """Print p50 and p99 of commits of one message, without views and with, and where the time goes."""
    times = 400 if quick else 2_000
    with tempfile.TemporaryDirectory(prefix="pillarbox-bench-") as folder:
        path = Path(folder) / "messenger.box"
        with open_box(path, durability="relaxed") as box:
            numbers = iter(range(1, 1 << 30))
            _fill(box, numbers)
            print("one message into the full messenger schema, every derived table, file-backed, relaxed")
            bare = _times(box, numbers, times)
            counts = Counter[str]()
            kinds = _subscribe(box, counts)
            counts.clear()
            found = _times(box, numbers, times)
            told = sum(counts.values()) / times
            print(f"{'':<34}{'p50 ms':>9}{'p99 ms':>9}{'views told':>12}")
            print(f"{'no view':<34}{at_share(bare, 0.5):>9.3f}{at_share(bare, 0.99):>9.3f}{0:>12}")
            name = f"{VIEWS:,} views of {kinds} kinds"
            print(f"{name:<34}{at_share(found, 0.5):>9.3f}{at_share(found, 0.99):>9.3f}{told:>12.1f}")
            print_aim(f"p50 beside {VIEWS:,} views, ms", at_share(found, 0.5), most=P50_MS)
            print_aim(f"p99 beside {VIEWS:,} views, ms", at_share(found, 0.99), most=P99_MS)
            _print_parts(box, numbers, times)


def _fill(box: Any, numbers: Iterator[int]) -> None:
    """Chats that a server has told of, and messages in them."""
    with box.transaction() as tx:
        for n in range(CHATS):
            tx.peers.put(Peers(peer_id=_chat(n), name=f"Peer {n}", data=UserData()))
            tx.read_states.anchor(
                _chat(n), MessageNamespace.CLOUD, read_in=0, read_out=0, known_to=0, count=0, marked=False
            )
    for _ in range(STORED // 1_000):
        box.replay([_added(next(numbers)) for _ in range(1_000)])


def _chat(n: int) -> PeerId:
    return peer_id(PeerNamespace.USER, 1 + n % CHATS)


def _added(number: int) -> AddMessages:
    random_ = random.Random(number)
    return AddMessages(
        messages=(
            Message(
                peer_id=_chat(random_.randrange(CHATS)),
                namespace=MessageNamespace.CLOUD,
                timestamp=1_700_000_000 + number,
                id=number,
                stable_id=0,
                flags=MessageFlags.INCOMING,
                tags=1 << random_.randrange(4) if number % 5 == 0 else 0,
                author_id=_chat(random_.randrange(CHATS)),
                text="lorem ipsum dolor sit amet " * random_.randrange(1, 5),
            ),
        )
    )


def _times(box: Any, numbers: Iterator[int], times: int) -> list[float]:
    """Milliseconds of that many commits, in order of size."""
    spent = []
    gc.collect()
    for _ in range(times):
        operations = [_added(next(numbers))]
        begin = time.perf_counter()
        box.replay(operations)
        spent.append((time.perf_counter() - begin) * 1e3)
    return sorted(spent)


# --------------------------------------------------------------------------------------------- views


def _subscribe(box: Any, counts: Counter[str]) -> int:
    """Watch views of all kinds in turn, until there are enough; how many kinds there are."""
    kinds = {kind: get_type_hints(kind, vars(all_views)) for kind in all_views.VIEWS}
    kinds = {kind: fields for kind, fields in kinds.items() if all(map(_is_known, fields.values()))}
    keys: dict[Any, None] = {}
    place = 0
    while len(keys) < VIEWS:
        for kind, fields in kinds.items():
            keys[kind(*(_value(name, hint, place) for name, hint in fields.items()))] = None
        place += 1
    for key in list(keys)[:VIEWS]:
        name = type(key).__name__
        box.watch(key).listen(lambda _, name=name: counts.update((name,)))
    return len(kinds)


def _is_known(hint: Any) -> bool:
    try:
        _value("", hint, 0)
    except TypeError:
        return False
    return True


def _value(name: str, hint: Any, place: int) -> Any:
    """What stands for a parameter of a view that is about the chat at a place."""
    if hint is PeerId:
        return _chat(place)
    if hint is MessageNamespace:
        return MessageNamespace.CLOUD
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return list(hint)[place % len(hint)]
    if get_origin(hint) is tuple:
        return tuple(_value(name, get_args(hint)[0], place + n) for n in range(3))
    if type(None) in get_args(hint) or get_origin(hint) is Union:
        return None
    plain = getattr(hint, "__supertype__", hint)
    if plain is int:
        if name in ("limit", "before", "after", "count"):
            return 50
        return {"timestamp": 1_700_000_000 + STORED, "thread_id": 0}.get(name, 1 + place)
    if plain in (str, bool, bytes):
        return {str: "lorem", bool: False, bytes: b""}[plain]
    raise TypeError(f"no value for {name}: {hint}")


# ----------------------------------------------------------------------------------- where it goes


def _print_parts(box: Any, numbers: Iterator[int], times: int) -> None:
    watch = Stopwatch()
    with watch.running():
        _watch_parts(watch, box)
        _times(box, numbers, times)
    total = sum(seconds for _, seconds in watch.charges.values())
    print(f"{'where it goes (own time)':<50}{'us/commit':>11}{'share':>8}{'calls':>8}")
    by_size = sorted(watch.charges.items(), key=lambda charge: -charge[1][1])
    for label, (calls, seconds) in by_size[:SHOWN]:
        print(f"{label:<50}{seconds / times * 1e6:>11.1f}{seconds / total:>8.1%}{calls / times:>8.1f}")
    rest = by_size[SHOWN:]
    if rest:
        seconds = sum(charge[1] for _, charge in rest)
        calls = sum(charge[0] for _, charge in rest)
        label = f"{len(rest)} more"
        print(f"{label:<50}{seconds / times * 1e6:>11.1f}{seconds / total:>8.1%}{calls / times:>8.1f}")


def _watch_parts(watch: Stopwatch, box: Any) -> None:
    watch.watch(Box, "replay", "begin, end and steps of the operation")
    watch.watch(Box, "_finish", "seal: change record")
    for method in ("begin", "commit", "data_version"):
        watch.watch(SqliteFile, method, f"storage: {method}")
    for method in ("get", "get_many", "scan"):
        watch.watch(SqliteEngine, method, "storage: reads")
    for method in ("put_one", "add_one", "remove_one", "put_many", "add_many", "remove_many"):
        watch.watch(SqliteEngine, method, "storage: writes")
    watch.watch(FlushedTable, "flush", "encode what differs")
    watch.watch(IndexGroup, "settle", lambda group: f"settle indexes of {group.source.spec.name}")
    for kind in {type(rule) for rule in box._tx._settled} - {IndexGroup}:
        owner = next(each for each in kind.__mro__ if "settle" in vars(each))
        if ("settle", owner) not in [(name, each) for each, name, _ in watch._wrapped]:
            watch.watch(
                owner, "settle", lambda rule: f"settle {type(rule).__name__.lower()} {rule.target.spec.name}"
            )
    watch.watch(Hearing, "catch_up", "settle: what kept words hear")
    for kept in (MarkerTable, AnchoredCountTable):
        watch.watch(kept, "follow", lambda table: f"settle {table.spec.name}")
    watch.watch(Interests, "route", "views: routing")
    watch.watch(Tracker, "replay", "views: emissions")
    watch.watch(View, "replay", lambda view: f"views: replay {type(view.key).__name__}")
    watch.watch(Rounds, "drain", "delivery")
