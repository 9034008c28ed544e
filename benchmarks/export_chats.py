"""The chats of a generated export: of every kind, few large and many small, and who writes in them.

Depends on: nothing of ours.  Never on: what is written in them.

Law: equal count and seed give equal chats, and they hold `count` messages between them.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

CHANNELS: Final = ("private_channel", "public_channel")
SUPERGROUPS: Final = ("private_supergroup", "public_supergroup")


class Author(NamedTuple):
    """Who wrote: `name` is None for a deleted account; `id` has the kind before it."""

    name: str | None
    id: str


class Chat(NamedTuple):
    """What is known of a chat before its messages."""

    #: Position in the export, from 1; its media lie in a folder of that number.
    number: int
    type: str
    id: int
    name: str | None
    size: int
    left: bool
    #: Who writes in it, the busiest first.
    authors: tuple[Author, ...]


ME: Final = Author("Olga Petrova", "user500000001")

#: The kinds of the largest chats, so that every kind is in the smallest export; then drawn by share.
FIRST: Final = (
    "private_supergroup", "personal_chat", "public_channel", "private_group",
    "saved_messages", "public_supergroup", "bot_chat", "private_channel",
)  # fmt: skip
SHARES: Final = {
    "personal_chat": 45,
    "bot_chat": 6,
    "private_group": 13,
    "private_supergroup": 11,
    "public_supergroup": 9,
    "private_channel": 4,
    "public_channel": 12,
}
NAMES: Final = (
    "Ana", "Boris", "Chen", "Dina", "Émile", "Fatima", "Георгий", "Hana", "Igor", "Юлия", "Kofi", "Lena",
)  # fmt: skip
LAST_NAMES: Final = (
    "Adler", "Braun", "Costa", "Дмитриев", "Eze", "Fischer", "García", "Иванова", "Jensen", "Kim", "Lund",
)  # fmt: skip


def chats(count: int, seed: int) -> list[Chat]:
    """The chats that hold `count` messages between them, the largest first."""
    random = Random(f"chats {seed}")
    sizes = _sizes(count, max(len(FIRST), count // 1000))
    drawn = random.choices(list(SHARES), list(SHARES.values()), k=len(sizes))
    kinds = [*FIRST, *drawn][: len(sizes)]
    people = [_person(n, random) for n in range(max(50, len(sizes) * 5))]
    return [
        _chat(n, kind, size, people, random)
        for n, (kind, size) in enumerate(zip(kinds, sizes, strict=True), 1)
    ]


def _sizes(count: int, chats: int) -> list[int]:
    """`count` messages on chats, the n-th with about 1/n of the first one's."""
    shares = [1 / n for n in range(1, chats + 1)]
    sizes = [int(count * share / sum(shares)) for share in shares]
    sizes[0] += count - sum(sizes)
    return sizes


def _person(n: int, random: Random) -> Author:
    name = f"{random.choice(NAMES)} {random.choice(LAST_NAMES)}"
    return Author(None if random.random() < 0.03 else name, f"user{500_001_000 + n * 37}")


def _chat(number: int, kind: str, size: int, people: list[Author], random: Random) -> Chat:
    left = kind.startswith("public") and number > len(FIRST) and random.random() < 0.15
    if kind in CHANNELS:
        id_, name = 1_000_000_000 + number * 1009, f"Channel {number}: “news”"
        return Chat(number, kind, id_, name, size, left, (Author(name, f"channel{id_}"),))
    if kind == "saved_messages":
        return Chat(number, kind, int(ME.id[4:]), None, size, left, (ME,))
    if kind in ("personal_chat", "bot_chat"):
        other = people[number]
        return Chat(number, kind, int(other.id[4:]), other.name, size, left, (other, ME))
    members = tuple(random.sample(people, min(len(people), 6 + size // 100 % 200)))
    id_ = 1_000_000_000 + number * 1009 if kind in SUPERGROUPS else 400_000_000 + number * 101
    return Chat(number, kind, id_, f"Group {number} 🎈", size, left, (*members, ME))
