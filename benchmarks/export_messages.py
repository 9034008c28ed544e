"""Messages of generated exports: one chat's, in order, as dictionaries whose keys are in the writer's order.

Depends on: export_chats, export_media, export_texts.  Never on: how they are written.

Law: equal chat, pools and random numbers give equal messages; ids and times ascend within a chat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from benchmarks import export_media as media
from benchmarks.export_chats import CHANNELS, SUPERGROUPS, Author, Chat
from benchmarks.export_media import EMOJI, PLACEHOLDER, Medium, Message, date
from benchmarks.export_texts import EMPTY, Pools, Text

#: When the account was made and when it was exported, in seconds since 1970.
BEGIN: Final = 1_520_000_000
END: Final = 1_735_000_000
#: What the writer takes off the ids that a supergroup had as a group.
MIGRATED: Final = -1_000_000_000


def messages(chat: Chat, pools: Pools, random: Random) -> Iterator[Message]:
    """The messages of a chat, oldest first."""
    begin = random.randint(BEGIN, (BEGIN + 3 * END) // 4)
    step = (random.randint((begin + 3 * END) // 4, END) - begin) / max(chat.size, 1)
    makers = _makers(chat)
    draw = random.random
    id_ = 0
    for n in range(chat.size):
        at = int(begin + step * (n + draw()))
        id_ = _next_id(chat, id_, n, at, draw)
        if n == 0:
            yield _first(chat, id_, at, random)
        else:
            yield makers[int(draw() * len(makers))](chat, id_, at, pools, random)


def _next_id(chat: Chat, last: int, n: int, at: int, draw: Callable[[], float]) -> int:
    """Channels count for themselves, deleted messages leave gaps; all else shares the account's counter."""
    if chat.type in SUPERGROUPS and chat.number % 8 == 1:
        migrated = min(50, chat.size // 4)
        if n < migrated:
            return MIGRATED + 1000 + 3 * n
        last = 0 if n == migrated else last
    if chat.type in CHANNELS or chat.type in SUPERGROUPS:
        return last + (1 if draw() > 0.04 else 2 + int(draw() * 5))
    return max(last + 1, int((at - BEGIN) / (END - BEGIN) * 2**30))


# ----------------------------------------------------------------------------------------- heads


def _author(chat: Chat, random: Random) -> Author:
    """The first half of the people write three quarters of the messages, and so on."""
    draw = random.random()
    return chat.authors[int(draw * draw * len(chat.authors))]


def _head(chat: Chat, id_: int, at: int, random: Random) -> Message:
    """What stands before media and text."""
    message: Message = {"id": id_, "type": "message", "date": date(at), "date_unixtime": str(at)}
    channel = chat.type in CHANNELS
    draw = random.random
    if draw() < (0.1 if channel else 0.03):
        edited = at + int(draw() * 5000)
        message["edited"] = date(edited)
        message["edited_unixtime"] = str(edited)
    message["from"], message["from_id"] = _author(chat, random)
    if channel and chat.id % 3 == 0:
        message["author"] = "The editors"
    if (chance := draw()) < 0.06:
        message["forwarded_from"] = "Some channel" if chance < 0.05 else None
        if chance < 0.02:
            message["forwarded_from_id"] = f"channel{1_100_000_000 + int(chance * 1e8)}"
    elif chance < 0.24 and not channel:
        message["reply_to_message_id"] = max(1, id_ - 1 - int(draw() * 40))
        if chance < 0.062:
            message["reply_to_peer_id"] = "channel1000000007"
    if chat.type == "saved_messages" and chance > 0.5:
        message["saved_from"] = "Some channel"
    if chance > 0.995:
        message["via_bot"] = "@gif"
    return message


def _finish(message: Message, text: Text, chat: Chat, random: Random) -> Message:
    """Add what stands after the media."""
    message["text"], message["text_entities"] = text
    channel = chat.type in CHANNELS
    draw = random.random
    if draw() < (0.3 if chat.type == "bot_chat" else 0.03 if channel else 0):
        message["inline_bot_buttons"] = BUTTONS[int(draw() * len(BUTTONS))]
    if draw() < (0.55 if channel else 0.03 if chat.type == "personal_chat" else 0.12):
        message["reactions"] = _reactions(chat, message["date"], random)
    return message


BUTTONS: Final = [
    [[{"type": "url", "text": "Open", "data": "https://example.org/"}]],
    [
        [{"type": "callback", "text": "👍 12", "dataBase64": "bGlrZTox", "data": ""}],
        [{"type": "callback", "text": "Next", "dataBase64": "bmV4dDoy", "data": ""}],
    ],
    [[{"type": "switch_inline", "text": "Share", "data": "share 7", "button_id": 0}]],
]


def _reactions(chat: Chat, when: str, random: Random) -> list[dict[str, Any]]:
    first = int(random.random() * len(EMOJI))
    if chat.type in CHANNELS:
        count = int(random.expovariate(1 / 300)) + 2
        found: list[dict[str, Any]] = [
            {"type": "emoji", "count": count // (n + 1) + 1, "emoji": EMOJI[first - n]}
            for n in range(1 + first // 2)
        ]
        if first == 0:
            found.append({"type": "custom_emoji", "count": 1, "document_id": PLACEHOLDER})
            found.append({"type": "paid", "count": 5})
        return found
    name, author_id = _author(chat, random)
    recent = [{"from": name, "from_id": author_id, "date": when}]
    return [{"type": "emoji", "count": 1, "emoji": EMOJI[first], "recent": recent}]


# --------------------------------------------------------------------------------------- service


def _service(id_: int, at: int, author: Author, action: str, **members: Any) -> Message:
    """A service message; the writer puts a call's end, a message's id and so on after the action."""
    return {
        "id": id_,
        "type": "service",
        "date": date(at),
        "date_unixtime": str(at),
        "actor": author.name,
        "actor_id": author.id,
        "action": action,
        **members,
        "text": "",
        "text_entities": [],
    }


def _first(chat: Chat, id_: int, at: int, random: Random) -> Message:
    """What a chat begins with."""
    author = chat.authors[0]
    if chat.type in CHANNELS:
        return _service(id_, at, author, "create_channel", title=chat.name)
    if chat.type in SUPERGROUPS and id_ > 0:
        return _service(id_, at, author, "migrate_from_group", title=chat.name)
    if chat.type in ("private_group", *SUPERGROUPS):
        members = [person.name for person in chat.authors[:8]]
        return _service(id_, at, author, "create_group", title=chat.name, members=members)
    return _service(id_, at, author, "joined_telegram" if chat.id % 2 else "clear_history")


def _private_action(chat: Chat, id_: int, at: int, pools: Pools, random: Random) -> Message:
    author = _author(chat, random)
    n = id_ % 10
    if n < 6:
        end = (
            {"discard_reason": "missed"}
            if n < 2
            else {"duration_seconds": 7 * (id_ % 300), "discard_reason": "hangup"}
        )
        return _service(id_, at, author, "phone_call", **end)
    if n < 8:
        return _service(id_, at, author, "pin_message", message_id=max(1, id_ - 9))
    if n < 9:
        return _service(id_, at, author, "set_messages_ttl", period=86_400)
    return _service(id_, at, author, "edit_chat_theme", emoticon="🌷")


def _group_action(chat: Chat, id_: int, at: int, pools: Pools, random: Random) -> Message:
    author = _author(chat, random)
    other = _author(chat, random).name
    n = id_ % 16
    if n < 5:
        return _service(id_, at, author, "invite_members", members=[other])
    if n < 9:
        return _service(id_, at, author, "join_group_by_link", inviter=other)
    if n < 12:
        return _service(id_, at, author, "pin_message", message_id=max(1, id_ - 9))
    if n < 13:
        return _service(id_, at, author, "remove_members", members=[other, None])
    if n < 14:
        return _service(id_, at, author, "edit_group_title", title=chat.name)
    if n < 15:
        return _service(id_, at, author, "edit_group_photo", **media.photo(chat, id_, date(at), random))
    return _service(id_, at, author, "group_call", duration=60 * (id_ % 90))


# ------------------------------------------------------------------------------------ which kind

#: Makes one message: (chat, id, time, pools, random numbers).
Maker = Callable[[Chat, int, int, Pools, Random], Message]


def _plain(chat: Chat, id_: int, at: int, pools: Pools, random: Random) -> Message:
    pool = pools.posts if chat.type in CHANNELS else pools.talk
    return _finish(_head(chat, id_, at, random), pool[int(random.random() * len(pool))], chat, random)


def _with(medium: Medium, captioned: float = 0.0) -> Maker:
    """A message with a medium, with a text beside it as often as `captioned` says."""

    def make(chat: Chat, id_: int, at: int, pools: Pools, random: Random) -> Message:
        message = _head(chat, id_, at, random)
        message.update(medium(chat, abs(id_), message["date"], random))
        pool = pools.posts if chat.type in CHANNELS else pools.talk
        text = pool[int(random.random() * len(pool))] if random.random() < captioned else EMPTY
        return _finish(message, text, chat, random)

    return make


def _unsupported(chat: Chat, id_: int, at: int, pools: Pools, random: Random) -> Message:
    return {"id": id_, "type": "unsupported"}


PHOTO: Final = _with(media.photo, 0.4)
VIDEO: Final = _with(media.VIDEO, 0.4)
ANIMATION: Final = _with(media.ANIMATION, 0.1)
DOCUMENT: Final = _with(media.DOCUMENT, 0.3)
MUSIC: Final = _with(media.MUSIC, 0.1)
RARE: Final = (
    (_with(media.contact), 8),
    (_with(media.place), 15),
    (_with(media.poll), 10),
    (_with(media.game), 1),
    (_with(media.invoice), 1),
    (_unsupported, 1),
)

#: How many of about 10,000 messages are of which kind, without those that are only text.
TALKED: Final = (
    (PHOTO, 900),
    (_with(media.sticker), 600),
    (_with(media.VOICE), 350),
    (VIDEO, 250),
    (ANIMATION, 200),
    (DOCUMENT, 150),
    (_with(media.ROUND), 100),
    (MUSIC, 50),
    *RARE,
)
PUBLISHED: Final = ((PHOTO, 4000), (VIDEO, 1000), (ANIMATION, 150), (DOCUMENT, 200), (MUSIC, 100), *RARE)


def _makers(chat: Chat) -> list[Maker]:
    """10,000 makers to draw from evenly."""
    grouped = chat.type in ("private_group", *SUPERGROUPS)
    action = _group_action if grouped or chat.type in CHANNELS else _private_action
    kinds = PUBLISHED if chat.type in CHANNELS else TALKED
    makers: list[Maker] = [action] * (300 if grouped else 20 if chat.type in CHANNELS else 100)
    for maker, share in kinds:
        makers += [maker] * share
    return makers + [_plain] * (10_000 - len(makers))
