"""The text of a message, and what of it is more than plain.

Depends on: telegram_members, telegram_shapes, telegram_schema.  Never on: other members of a message.

Law: the runs' texts joined are the text, and offsets count UTF-16 units of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from msgspec import Raw

from pillarbox_spark.sources.telegram_members import Undecodable
from pillarbox_spark.sources.telegram_schema import Records, Unusual
from pillarbox_spark.sources.telegram_shapes import TEXT, BareEntity, LooseEntity, Message

Run: TypeAlias = str | LooseEntity | BareEntity

#: How the schema calls a type of run. What is not named here is plain.
KINDS: Final = {
    "unknown": "UNKNOWN",
    "mention": "MENTION",
    "hashtag": "HASHTAG",
    "cashtag": "CASHTAG",
    "bot_command": "BOT_COMMAND",
    "link": "URL",
    "text_link": "TEXT_URL",
    "email": "EMAIL",
    "phone": "PHONE",
    "bank_card": "BANK_CARD",
    "bold": "BOLD",
    "italic": "ITALIC",
    "underline": "UNDERLINE",
    "strikethrough": "STRIKETHROUGH",
    "spoiler": "SPOILER",
    "code": "CODE",
    "pre": "PRE",
    "blockquote": "BLOCK_QUOTE",
    "mention_name": "TEXT_MENTION",
    "custom_emoji": "CUSTOM_EMOJI",
}
#: What makes a message one with a link.
LINKS: Final = frozenset({"link", "text_link"})


def text_of(message: Message, records: Records) -> tuple[str, tuple[Any, ...], bool]:
    """The text, its entities, and whether a link is among them. Raises Unusual for what is no text."""
    runs: Sequence[Run] = message.text_entities
    if not runs:
        value = _decoded(message.text)
        if isinstance(value, str):
            return value, (), False
        runs = value
    elif len(runs) == 1 and message.text_entities[0].type == "plain":
        return message.text_entities[0].text, (), False
    parts: list[str] = []
    entities: list[Any] = []
    linked = False
    end = 0
    for run in runs:
        if isinstance(run, str):
            text, kind = run, None
        else:
            text, kind = run.text, KINDS.get(run.type)
        begin = end
        end += len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
        parts.append(text)
        if kind is not None and isinstance(run, LooseEntity):
            linked = linked or run.type in LINKS
            entities.append(_entity(begin, end, kind, run, records))
    return "".join(parts), tuple(entities), linked


def _decoded(text: Raw | str | list[Run] | None) -> str | list[Any]:
    if text is None:
        return ""
    if not isinstance(text, Raw):
        return text
    try:
        decoded: str | list[Any] = TEXT.decode(text)
        return decoded
    except Undecodable as error:
        raise Unusual("text") from error


def _entity(begin: int, end: int, kind: str, run: LooseEntity, records: Records) -> Any:
    peer_id = file = None
    if run.user_id is not None:
        peer_id = records.peer_id("USER", run.user_id)
    if isinstance(run.document_id, int):
        file = records.types.ExportedFile(note=str(run.document_id))
    elif run.document_id is not None:
        file = records.file(run.document_id, None)
    return records.types.TextEntity(
        begin,
        end,
        records.entity_kinds[kind],
        argument=run.href if run.href is not None else run.language,
        peer_id=peer_id,
        collapsed=bool(run.collapsed),
        file=file,
    )
