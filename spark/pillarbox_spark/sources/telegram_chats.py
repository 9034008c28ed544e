"""A chat of an export: what encloses its messages, as it goes through the context of a piece.

Depends on: telegram_members, telegram_schema.  Never on: files, messages.

Law: chats of one kind and bare id are one group, and no others are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from pillarbox_spark.adapters import Row
from pillarbox_spark.sources.telegram_members import Undecodable, members_of, object_of, readable
from pillarbox_spark.sources.telegram_schema import BROADCASTS, CHAT_KINDS, NAMES, Records
from pillarbox_spark.sources.telegram_shapes import BareId

#: Chats whose other side is one user, who is not us.
_ONE_TO_ONE: Final = frozenset({"personal_chat", "bot_chat"})
_TEXT: Final = msgspec.json.Decoder(str | None)
_ID: Final = msgspec.json.Decoder(BareId, strict=False)


class Owner(Struct, frozen=True):
    """Who exported, as far as the export says."""

    id: int | None = None
    name: str | None = None


class Chat(Struct, frozen=True, omit_defaults=True):
    """What is known of a chat. `begin` and `end`: where it is in the file, up to its messages."""

    begin: int
    end: int
    #: None: it has none that can be used, so its messages cannot be told from those of another chat.
    id: int | None = None
    type: str | None = None
    #: None: left out, or null.
    name: str | None = None
    #: The name is null, as that of a deleted account.
    deleted: bool = False
    left: bool = False
    #: Who exported.
    self_id: int | None = None
    #: The piece begins with the chat itself.
    opens: bool = False
    #: The piece may hold messages that are nested too deep.
    deep: bool = False
    #: Why the chat's own members cannot be read.
    broken: str | None = None
    #: Members without a meaning, as a JSON object.
    kept: str | None = None

    @property
    def kind(self) -> str:
        """The name of its kind of id."""
        return CHAT_KINDS.get(self.type, "UNKNOWN")

    @property
    def group(self) -> str:
        """What its messages share with no others; all that must be refused share one."""
        return f"{self.kind.lower()} {self.id}" if self.id is not None else "refused"

    @property
    def one_to_one(self) -> bool:
        return self.type in _ONE_TO_ONE


def chat_of(text: bytes, begin: int, end: int, *, left: bool, owner: Owner) -> Chat:
    """The chat that a JSON object describes, its messages left out."""
    try:
        members = members_of(readable(text))  # whatever is wrong in its name: its messages are worth more
    except Undecodable as error:
        return Chat(begin, end, broken=str(error))
    used: dict[str, Any] = {}
    kept = []
    for name, value in members:
        try:
            if name in ("name", "type"):
                used[name] = _TEXT.decode(value)
            elif name == "id":
                used[name] = _ID.decode(value)
            elif name != "messages":
                kept.append((name, value))
        except Undecodable:
            kept.append((name, value))
    json = object_of(kept)
    self_id = owner.id
    deleted = "name" in used and used["name"] is None
    if used.get("type") == "saved_messages":  # with oneself
        self_id = used.get("id", self_id)
        used["name"] = used.get("name") or owner.name
    kept_json = json.decode() if json else None
    return Chat(begin, end, **used, deleted=deleted, left=left, self_id=self_id, kept=kept_json)


def row_of(chat: Chat, row: Callable[..., Row], records: Records) -> Row:
    """The row of the chat itself, which has an id."""
    assert chat.id is not None
    flags = records.types.PeerFlags
    peer_id = records.peer_id(chat.kind, chat.id)
    return row(
        peer_id,
        is_chat=True,
        id=0,
        timestamp=0,
        incoming=False,
        local_time=False,
        tags=0,
        global_tags=0,
        text="",
        who_flags=(flags.BOT if chat.type == "bot_chat" else 0)
        | (flags.BROADCAST if chat.type in BROADCASTS else 0)
        | (flags.LEFT if chat.left else 0)
        | (flags.DELETED if chat.deleted else 0),
        who_id=peer_id,
        who_name=chat.name if chat.name is not None else NAMES.get(chat.type or "", ""),
        kept=chat.kept.encode() if chat.kept else None,
        chat_type=chat.type,
    )


class _Personal(Struct):
    user_id: BareId | None = None
    first_name: str = ""
    last_name: str = ""


def owner_of(text: bytes) -> Owner:
    """What the section `personal_information` says; nothing, where it cannot be read."""
    try:
        personal = msgspec.json.decode(readable(text), type=_Personal, strict=False)
    except Undecodable:
        return Owner()
    name = f"{personal.first_name} {personal.last_name}".strip()
    return Owner(personal.user_id, name or None)
