"""The classes of a schema that rows of an export are made of, found through the row itself.

Depends on: pillarbox.errors.  Never on: any generated package by name.

Law: an id says its kind, so that a user, a basic group and a channel of one bare number stay three.

Columns of a row hold records of the schema (`list<TextEntity>`, say). This package imports no schema, so it
takes their classes from where the row's own `peer_id` is defined.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any, Final, get_type_hints

from pillarbox.errors import UsageError

#: The columns that a row is made of, in order.
COLUMNS: Final = (
    "peer_id",
    "is_chat",
    "id",
    "timestamp",
    "incoming",
    "local_time",
    "tags",
    "global_tags",
    "text",
    "who_flags",
    "who_id",
    "who_name",
    "entities",
    "media",
    "kept",
    "edited",
    "reply_to",
    "reply_peer_id",
    "forward",
    "signature",
    "via_bot",
    "reactions",
    "recent_reactions",
    "self_destruct",
    "chat_type",
)

#: The kind of chat that a `type` names. Any other, and none, is UNKNOWN: told apart, and not lost.
CHAT_KINDS: Final[Mapping[str | None, str]] = {
    "saved_messages": "USER",
    "replies": "USER",
    "verification_codes": "USER",
    "personal_chat": "USER",
    "bot_chat": "USER",
    "private_group": "GROUP",
    "private_supergroup": "CHANNEL",
    "public_supergroup": "CHANNEL",
    "private_channel": "CHANNEL",
    "public_channel": "CHANNEL",
}
BROADCASTS: Final = frozenset({"private_channel", "public_channel"})
#: What a client calls the chats whose name is left out.
NAMES: Final = {
    "saved_messages": "Saved Messages",
    "replies": "Replies",
    "verification_codes": "Verification Codes",
}
#: The words before the number of a `from_id`.
ID_KINDS: Final = {"user": "USER", "chat": "GROUP", "channel": "CHANNEL"}

_ID: Final = re.compile(r"(user|chat|channel)(-?[0-9]{1,18})")
#: Exports before 2021 give plain numbers, of which some builds put the kind above the lowest 32 bits.
_OLD_KIND_BITS: Final = 32
#: How many different ids are remembered.
_KNOWN_MAX: Final = 100_000


class Unusual(Exception):
    """A member that cannot be used as it is: it is kept instead."""

    def __init__(self, member: str) -> None:
        super().__init__(member)
        self.member = member


class Records:
    """Makes ids and small records of one schema."""

    def __init__(self, types: ModuleType) -> None:
        self.types: Any = types
        self.entity_kinds: dict[str, Any] = dict(types.EntityKind.__members__)
        self.namespaces: dict[str, Any] = dict(types.PeerNamespace.__members__)
        self.reaction_kinds: dict[str, Any] = {
            name.lower(): kind for name, kind in types.ReactionKind.__members__.items()
        }
        self._tags: dict[tuple[str, ...], int] = {}
        self._pack: Callable[[Any, int], int] = types.peer_id
        self._known: dict[str | int, int] = {}

    def peer_id(self, kind: str, number: int) -> int:
        """The id of a bare number. Raises RangeError for one beyond 55 bits."""
        return self._pack(self.namespaces[kind], number)

    def named_peer_id(self, member: str, name: str | int) -> int:
        """The id that `from_id` and its like name. Raises Unusual, naming the member, for no such name."""
        found = self._known.get(name)
        if found is None:
            found = self._named(member, name)
            if len(self._known) < _KNOWN_MAX:
                self._known[name] = found
        return found

    def _named(self, member: str, name: str | int) -> int:
        if isinstance(name, str) and not name.isdecimal():
            match = _ID.fullmatch(name)
            if match is None:
                raise Unusual(member)
            kind, number = ID_KINDS[match[1]], int(match[2])
        else:
            kind, number = _old_id(int(name))
        if not -(2**55) <= number < 2**55:
            raise Unusual(member)
        return self.peer_id(kind, number)

    def tags(self, names: tuple[str, ...]) -> int:
        """The tags of these names, as bits."""
        bits = self._tags.get(names)
        if bits is None:
            bits = self._tags[names] = sum(getattr(self.types.TagFlags, name) for name in names)
        return bits

    def file(self, path: str | None, size: int | None) -> Any:
        """A file that an export names; a sentence in brackets says why it is not there, and is no path."""
        if path is None and size is None:
            return None
        if path is not None and path.startswith("("):
            return self.types.ExportedFile(note=path, size=size)
        return self.types.ExportedFile(path=path, size=size)


def _old_id(number: int) -> tuple[str, int]:
    if number >> _OLD_KIND_BITS == 1:
        return "USER", number & ((1 << _OLD_KIND_BITS) - 1)
    return ("USER" if number >> _OLD_KIND_BITS == 0 else "UNKNOWN"), number


@lru_cache(maxsize=8)
def records_of(row: type[Any]) -> Records:
    """The records of the schema that a class of rows is of. Raises UsageError for one with other columns."""
    columns = getattr(row, "__struct_fields__", ())
    if columns != COLUMNS:
        wrong = sorted(set(columns) ^ set(COLUMNS)) or list(columns)
        raise UsageError(
            f"{row.__name__} has other columns than an export of chats is read into: {', '.join(wrong)}; "
            f"copy the source telegram_export of the schema messenger"
        )
    return Records(sys.modules[get_type_hints(row)["peer_id"].__module__])
