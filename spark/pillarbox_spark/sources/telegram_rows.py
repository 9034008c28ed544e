"""An element of `messages` as a row.

Depends on: telegram_members, telegram_shapes, telegram_texts, telegram_media, telegram_services,
telegram_schema.  Never on: files, where an element lies.

Law: every member of an element is in its row: in the column of its meaning, else in `kept`, else in the kept
JSON of its service action. Of members of one name, outside of a service, the last one counts.

The fast path decodes into a typed struct, which takes only what it can hold completely. What it does not
take goes the careful path: member by member, and one that cannot be used is kept as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from math import floor
from typing import Any, Final

from msgspec import UNSET, Raw, ValidationError

from pillarbox_spark.adapters import Row
from pillarbox_spark.sources.telegram_media import media_of
from pillarbox_spark.sources.telegram_members import (
    Member,
    Undecodable,
    members_of,
    object_of,
    repaired,
    repeated_members_of,
)
from pillarbox_spark.sources.telegram_schema import Records, Unusual
from pillarbox_spark.sources.telegram_services import service_of
from pillarbox_spark.sources.telegram_shapes import ELEMENT, MEMBERS, LooseReaction, Message
from pillarbox_spark.sources.telegram_texts import text_of

#: Members of a service element that mean what they mean in any other. The rest are its action's.
_SERVICE_MEMBERS: Final = {
    "id": "id",
    "date": "date",
    "date_unixtime": "date_unixtime",
    "edited": "edited",
    "edited_unixtime": "edited_unixtime",
    "actor": "from",
    "actor_id": "from_id",
    "reply_to_message_id": "reply_to_message_id",
    "text": "text",
    "text_entities": "text_entities",
    "reactions": "reactions",
}
#: Old exports give the epoch of an unknown zone for what was never edited.
_DAY_SECONDS: Final = 86_400
_TIME_MIN: Final = -(2**31)
_TIME_MAX: Final = 2**31 - 1
_NO_SUCH_DATE: Final = "its date is none, or not of 1901 .. 2038; correct the date"
_KINDS: Final = (b'"message"', b'"service"')


class Unfit(Exception):
    """An element that cannot be a row, and why."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class Rows:
    """Makes rows of one chat's elements.

    `self_id`: who exported, where that is known. `one_to_one`: the chat is with one other user, so what that
    one did not write, we wrote.
    """

    def __init__(
        self, row: Callable[..., Row], records: Records, chat_id: int, self_id: int | None, one_to_one: bool
    ) -> None:
        self._row, self._records, self._chat_id = row, records, chat_id
        self._self_id, self._one_to_one = self_id, one_to_one
        self._min: int = records.types.PeerFlags.MIN
        self._deleted: int = records.types.PeerFlags.DELETED
        self._web_page: int = records.types.TagFlags.WEB_PAGE

    def row(self, element: bytes | Raw) -> Row:
        """The row of an element, whose escapes are mended. Raises Unfit for what cannot be one."""
        try:
            message = ELEMENT.decode(element)
            if type(message) is Message:
                return self._row_of(message, [], service=False)
        except (*Undecodable, Unusual):
            pass
        return self._careful(bytes(element))

    def _row_of(self, message: Message, kept: list[Member], *, service: bool) -> Row:
        """Raises Unusual for a member that cannot be used, Unfit without an id or a date."""
        records = self._records
        if message.id == 0:
            raise Unfit("no-id", "its id is 0, which names nothing; correct the id")
        timestamp, edited, local_time = _times(message)
        text, entities, linked = text_of(message, records)
        media, tags = media_of(message, timestamp, records)
        if linked:
            tags |= self._web_page
        global_tags = 0
        if service:
            media, global_tags = service_of(kept, records)
            kept = []
        if message.inline_bot_buttons is not None:
            kept = [*kept, ("inline_bot_buttons", bytes(message.inline_bot_buttons))]
        who_id, who_name, who_flags = self._who(message)
        reply_peer_id = None
        if message.reply_to_peer_id is not None:
            if message.reply_to_message_id is None:
                raise Unusual("reply_to_peer_id")
            reply_peer_id = records.named_peer_id("reply_to_peer_id", message.reply_to_peer_id)
        if self._self_id is not None:
            incoming = who_id != self._self_id
        else:
            incoming = not self._one_to_one or who_id is None or who_id == self._chat_id
        counts, recent = self._reactions(message) if message.reactions is not None else ((), ())
        return self._row(
            self._chat_id,
            False,
            message.id,
            timestamp,
            incoming,
            local_time,
            tags,
            global_tags,
            text,
            who_flags,
            who_id,
            who_name,
            entities,
            media,
            object_of(kept) if kept else None,
            edited,
            message.reply_to_message_id,
            reply_peer_id,
            self._forward(message),
            message.author,
            message.via_bot,
            counts,
            recent,
            message.self_destruct_period_seconds,
        )

    def _who(self, message: Message) -> tuple[int | None, str | None, int]:
        """Who wrote it, the name as of the export ("" of a deleted account, None: not said), the flags."""
        name = message.name
        if message.from_id is None:
            if name is not UNSET:
                raise Unusual("from")
            return None, None, 0
        who_id = self._records.named_peer_id("from_id", message.from_id)
        if name is None:
            return who_id, "", self._min | self._deleted
        return who_id, None if name is UNSET else name, self._min

    def _forward(self, message: Message) -> Any:
        name, saved_from = message.forwarded_from, message.saved_from
        if name is UNSET and saved_from is None and message.forwarded_from_id is None:
            return None
        if name is None and (saved_from is not None or message.forwarded_from_id is not None):
            raise Unusual("forwarded_from")  # a forward whose name is null says nothing but that it is one
        author_id = None
        if message.forwarded_from_id is not None:
            author_id = self._records.named_peer_id("forwarded_from_id", message.forwarded_from_id)
        return self._records.types.Forward(
            author_id=author_id, date=0, name=None if name is UNSET else name, saved_from=saved_from
        )

    def _reactions(self, message: Message) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        types = self._records.types
        counts, recent = [], []
        for reaction in message.reactions:
            value, kind = self._reaction(reaction)
            counts.append(types.ReactionCount(value, reaction.count, False, kind))
            for one in reaction.recent:
                peer_id = date = None
                if one.from_id is not None:
                    peer_id = self._records.named_peer_id("reactions", one.from_id)
                if one.date is not None:
                    date, _ = _seconds(one.date, "reactions")
                recent.append(types.RecentReaction(value, kind, peer_id, one.name, date))
        return tuple(counts), tuple(recent)

    def _reaction(self, reaction: LooseReaction) -> tuple[str, Any]:
        kinds = self._records.reaction_kinds
        if reaction.emoji is not None and reaction.document_id is not None:
            raise Unusual("reactions")
        value = reaction.emoji if reaction.emoji is not None else reaction.document_id
        return str(value) if value is not None else "", kinds.get(reaction.type, kinds["unknown"])

    # --------------------------------------------------------------------------- the careful path

    def _careful(self, element: bytes) -> Row:
        members, service = _members(element)
        used: dict[str, Member] = {}
        fields: dict[str, Any] = {}
        kept: list[Member] = []
        for at, (name, value) in enumerate(members):
            if name == "type" and value in _KINDS:
                continue
            meaning = _SERVICE_MEMBERS.get(name, "") if service else name
            repeated = any(name == other for other, _ in members[at + 1 :])
            if meaning not in MEMBERS or repeated:
                kept.append((name, value))
                continue
            used[meaning] = name, value
            if not _decoded(meaning, value, fields):
                kept.append((name, value))
        if "id" not in fields:
            raise Unfit("no-id", "it has no id that is a number of 32 bits; correct the id")
        dated = used.keys() & {"date", "date_unixtime"}
        if fields.get("text_entities"):  # `text` says the same once more
            kept = [member for member in kept if member != used.get("text")]
        while True:
            try:
                return self._row_of(Message(**fields), kept, service=service)
            except Unfit as unfit:
                if dated and unfit.reason == "no-date":
                    raise Unfit("no-date", _NO_SUCH_DATE) from unfit
                raise
            except Unusual as unusual:
                del fields[MEMBERS[unusual.member].field]
                if used[unusual.member] not in kept:
                    kept.append(used[unusual.member])


def _members(element: bytes) -> tuple[list[Member], bool]:
    """The members of an element, and whether it is a service element."""
    try:
        element = repaired(element)
        members = members_of(element)
        service = ("type", b'"service"') in members
        return repeated_members_of(element) if service else members, service
    except ValidationError as error:
        raise Unfit("not-an-object", "a message is an object, and this is none; take it out") from error
    except Undecodable as error:
        raise Unfit("broken-json", f"{error}; mend it, or export again") from error


def _decoded(meaning: str, value: bytes, fields: dict[str, Any]) -> bool:
    """Put the value into its field, as far as some decoder takes it; tell whether one took it whole."""
    shapes = MEMBERS[meaning]
    for at, decoder in enumerate(shapes.whole + shapes.part):
        try:
            fields[shapes.field] = decoder.decode(value)
        except Undecodable:
            continue
        return at < len(shapes.whole)
    return False


def _times(message: Message) -> tuple[int, int | None, bool]:
    """When it was sent and edited, in seconds, and whether either was of an unknown zone."""
    timestamp, edited, local = message.date_unixtime, message.edited_unixtime, False
    if timestamp is None:
        if message.date is None:
            raise Unfit("no-date", "it has no date, as what an export does not support; nothing to do")
        timestamp, local = _seconds(message.date, "date")
    if edited is None and message.edited is not None:
        edited, of_no_zone = _seconds(message.edited, "edited")
        local = local or of_no_zone
    return timestamp, None if edited is None or abs(edited) < _DAY_SECONDS else edited, local


def _seconds(date: str, member: str) -> tuple[int, bool]:
    """A time in seconds since 1970, and whether it was taken as UTC for want of a zone."""
    try:
        time = datetime.fromisoformat(date)
    except ValueError as error:
        raise Unusual(member) from error
    local = time.tzinfo is None
    seconds = floor((time.replace(tzinfo=UTC) if local else time).timestamp())
    if not _TIME_MIN <= seconds <= _TIME_MAX:
        raise Unusual(member)
    return seconds, local
