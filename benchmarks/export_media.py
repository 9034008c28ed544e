"""Media of generated exports: what a photo, a file, a place and so on add to a message.

Depends on: export_chats.  Never on: pillarbox, what else is in a message.

Law: members come in the writer's order, and a file is a path or a sentence in brackets.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

from benchmarks.export_chats import Chat

Message = dict[str, Any]

EMOJI: Final = ("👍", "❤", "🔥", "😁", "🎉", "😢", "🤔", "👏")
#: What the exporting computer's zone adds to UTC, in seconds; exports write local times without a zone.
ZONE: Final = 3 * 3600

TIMES: Final = [time.strftime("T%H:%M:%S", time.gmtime(second)) for second in range(86_400)]
_days: Final[dict[int, str]] = {}


def date(at: int) -> str:
    """A time as exports write it."""
    day, second = divmod(at + ZONE, 86_400)
    found = _days.get(day)
    if found is None:
        found = _days[day] = time.strftime("%Y-%m-%d", time.gmtime(day * 86_400))
    return found + TIMES[second]


PLACEHOLDER: Final = "(File not included. Change data exporting settings to download.)"
TOO_LARGE: Final = "(File exceeds maximum size. Change data exporting settings to download.)"

#: (chat, number of the file, date, random numbers) to the members of a medium.
Medium = Callable[[Chat, int, str, Random], Message]


def _path(chat: Chat, folder: str, name: str) -> str:
    return f"chats/chat_{chat.number:04}/{folder}/{name}"


def _stamp(when: str) -> str:
    """`12-01-2024_10-00-05` of `2024-01-12T10:00:05`."""
    return f"{when[8:10]}-{when[5:7]}-{when[:4]}_{when[11:].replace(':', '-')}"


def photo(chat: Chat, n: int, when: str, random: Random) -> Message:
    there = random.random() < 0.5
    photo = _path(chat, "photos", f"photo_{n}@{_stamp(when)}.jpg") if there else PLACEHOLDER
    size = random.randrange(20_000, 400_000)
    found = {"photo": photo, "photo_file_size": size, "width": 1280, "height": 720 + n % 5 * 60}
    if n % 50 == 0:
        found["media_spoiler"] = True
    return found


def file(
    folder: str, name: str, kind: str | None, mime: str, seconds: int = 0, width: int = 0, **more: str
) -> Medium:
    """What makes members of a file: its folder, its name with a place for a number and a date."""

    def make(chat: Chat, n: int, when: str, random: Random) -> Message:
        there = random.random() < 0.4
        named = name.format(n=n, at=_stamp(when))
        found: Message = {
            "file": _path(chat, folder, named) if there else TOO_LARGE if n % 9 == 0 else PLACEHOLDER,
            "file_name": named,
            "file_size": random.randrange(5_000, 9_000_000),
        }
        if width and folder != "stickers":
            found["thumbnail"] = _path(chat, folder, named + "_thumb.jpg") if there else PLACEHOLDER
            found["thumbnail_file_size"] = random.randrange(2_000, 30_000)
        if kind is not None:
            found["media_type"] = kind
        found.update(more)
        if kind != "sticker":
            found["mime_type"] = mime
        if seconds:
            found["duration_seconds"] = 1 + int(random.expovariate(1 / seconds))
        if width:
            found["width"], found["height"] = width, width
        return found

    return make


def sticker(chat: Chat, n: int, when: str, random: Random) -> Message:
    found = STICKER(chat, n % 40, when, random)
    found["sticker_emoji"] = EMOJI[n % len(EMOJI)]
    found["width"], found["height"] = found.pop("width"), found.pop("height")
    return found


STICKER: Final = file("stickers", "sticker ({n}).webp", "sticker", "image/webp", width=512)
VIDEO: Final = file("video_files", "video_{n}@{at}.mp4", "video_file", "video/mp4", 60, 720)
ANIMATION: Final = file("video_files", "animation_{n}.mp4", "animation", "video/mp4", 5, 480)
VOICE: Final = file("voice_messages", "audio_{n}@{at}.ogg", "voice_message", "audio/ogg", 12)
ROUND: Final = file("round_video_messages", "file_{n}@{at}.mp4", "video_message", "video/mp4", 15, 384)
MUSIC: Final = file(
    "files", "song {n}.mp3", "audio_file", "audio/mpeg", 200, performer="Nobody", title="Song"
)
DOCUMENT: Final = file("files", "report-{n}.pdf", None, "application/pdf")


def contact(chat: Chat, n: int, when: str, random: Random) -> Message:
    return {
        "contact_information": {
            "first_name": "Ana",
            "last_name": "",
            "phone_number": f"+1 555 01{n % 100:02}",
        },
        "contact_vcard": _path(chat, "contacts", f"contact_{n}.vcard"),
        "contact_vcard_file_size": 120,
    }


def place(chat: Chat, n: int, when: str, random: Random) -> Message:
    """Odd last digits: exports write six decimals, and these need all of them."""
    place = {
        "latitude": (2 * random.randrange(25 * 10**6, 35 * 10**6) + 1) / 10**6,
        "longitude": (2 * random.randrange(5 * 10**6, 20 * 10**6) + 1) / 10**6,
    }
    if n % 3 == 0:
        return {"place_name": "Harbour", "address": "1 Quay Street", "location_information": place}
    found: Message = {"location_information": None if n % 17 == 0 else place}
    if n % 5 == 0:
        found["live_location_period_seconds"] = 900
    return found


def poll(chat: Chat, n: int, when: str, random: Random) -> Message:
    votes = [random.randrange(0, 60) for _ in range(2 + n % 4)]
    answers = [{"text": f"Answer {at}", "voters": count, "chosen": at == 1} for at, count in enumerate(votes)]
    return {
        "poll": {
            "question": "What next?",
            "closed": n % 2 == 0,
            "total_voters": sum(votes),
            "answers": answers,
        }
    }


def game(chat: Chat, n: int, when: str, random: Random) -> Message:
    return {
        "game_title": "Rows",
        "game_description": "Five in a row",
        "game_link": "https://example.org/game",
    }


def invoice(chat: Chat, n: int, when: str, random: Random) -> Message:
    """The writer puts this object into a string."""
    members = ('"title": "Tea"', '"description": "Green"', f'"amount": {n}', '"currency": "EUR"')
    return {"invoice_information": "{\n       " + ",\n       ".join(members) + "\n      }"}
