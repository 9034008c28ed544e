"""Texts of generated exports: real ones where the shared data is there, made up otherwise; cut into entities.

Depends on: msgspec.  Never on: pillarbox.

Law: equal folder and seed give equal pools, and the parts of a text, joined, are that text.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

ROOT: Final = Path(__file__).resolve().parents[1]
SHARED: Final = Path(os.environ.get("PILLARBOX_SHARED", ROOT.parent / "shared"))

TALK: Final = 40_000
POSTS: Final = 10_000

#: What clients recognise by themselves, as `text_entities` names it.
FOUND: Final = re.compile(
    r"(?P<email>[\w.+-]+@[\w-]+\.[\w.]+)|(?P<link>https?://\S+)|(?P<mention>@\w{4,})|(?P<hashtag>#\w+)"
)
STYLES: Final = ("bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre", "blockquote")
#: One text in so many holds a control character, which exports write as `\xHH`.
CONTROL_EVERY: Final = 4_000

Entity = dict[str, Any]


class Text(NamedTuple):
    """A text as the two members of a message hold it."""

    #: "" or the string where it is one plain run, else strings and entities mixed.
    text: str | list[str | Entity]
    #: Every run, plain ones included.
    entities: list[Entity]


EMPTY: Final = Text("", [])


class Pools(NamedTuple):
    """Texts to draw from."""

    #: What people write to each other: short.
    talk: list[Text]
    #: What channels publish: long, half of it styled.
    posts: list[Text]
    real: bool


def pools(seed: int, shared: Path = SHARED) -> Pools:
    """Both pools; from `shared`/data where it is there."""
    random = Random(seed)
    talk = shared / "data" / "chitchat" / "messages.ndjson.gz"
    posts = shared / "data" / "telegram-news" / "posts.ndjson.gz"
    real = talk.is_file() and posts.is_file()
    lines = list(_read(talk, TALK)) if real else [_made_up(random, 2, 22) for _ in range(TALK // 4)]
    columns = list(_read(posts, POSTS)) if real else [_made_up(random, 30, 160) for _ in range(POSTS // 4)]
    return Pools([_talk(text, random) for text in lines], [_post(text, random) for text in columns], real)


def _read(path: Path, limit: int) -> Iterator[str]:
    """The texts of newline JSON, taken evenly from the whole file."""
    with gzip.open(path, "rb") as lines:
        found = [line for line in lines if line.strip()]
    decode = msgspec.json.Decoder().decode
    for line in found[:: max(1, len(found) // limit)][:limit]:
        if text := decode(line)["text"]:
            yield text


SYLLABLES: Final = (
    "ka",
    "lo",
    "mi",
    "ren",
    "tas",
    "vo",
    "ши",
    "на",
    "ре",
    "дом",
    "li",
    "qua",
    "bri",
    "sto",
    "ñe",
    "ün",
)
MARKS: Final = (
    ".",
    ".",
    "!",
    "?",
    "...",
    " 🙂",
    " 👍🏽",
    "\n\n#news",
    " https://example.org/a?b=1",
    " @somebody",
)


def _made_up(random: Random, low: int, high: int) -> str:
    words = [
        "".join(random.choices(SYLLABLES, k=random.randint(1, 4))) for _ in range(random.randint(low, high))
    ]
    return " ".join(words) + random.choice(MARKS)


def _talk(text: str, random: Random) -> Text:
    if random.randrange(CONTROL_EVERY) == 0:
        text += "\x0b\x1f"
    runs = list(_found(text))
    if random.random() < 0.05:
        runs = _styled(runs, random)
    return _text(runs)


def _post(text: str, random: Random) -> Text:
    runs = list(_found(text))
    if random.random() < 0.5 and runs[0]["type"] == "plain":
        title, newline, rest = runs[0]["text"].partition("\n")
        runs[:1] = [{"type": "bold", "text": title}]
        if newline:
            runs.insert(1, {"type": "plain", "text": newline + rest})
    if random.random() < 0.3:
        runs.append({"type": "plain", "text": "\n\n"})
        runs.append(
            {"type": "text_link", "text": "Read on", "href": f"https://example.org/{random.getrandbits(40)}"}
        )
    return _text(runs)


def _found(text: str) -> Iterator[Entity]:
    """The runs of a text: what clients recognise, and the plain ones between."""
    at = 0
    for match in FOUND.finditer(text):
        if match.start() > at:
            yield {"type": "plain", "text": text[at : match.start()]}
        yield {"type": match.lastgroup, "text": match.group()}
        at = match.end()
    if at < len(text):
        yield {"type": "plain", "text": text[at:]}


def _styled(runs: list[Entity], random: Random) -> list[Entity]:
    """The same runs, one plain one of them in a style or made a mention of somebody without a name."""
    chosen = random.randrange(len(runs))
    text = runs[chosen]["text"]
    if runs[chosen]["type"] != "plain":
        return runs
    style = random.choice((*STYLES, "mention_name", "custom_emoji"))
    extras: dict[str, Entity] = {
        "pre": {"language": random.choice(("", "python"))},
        "blockquote": {"collapsed": random.random() < 0.5},
        "mention_name": {"user_id": random.randint(1, 10**9)},
        "custom_emoji": {"document_id": "(File not included. Change data exporting settings to download.)"},
    }
    return [*runs[:chosen], {"type": style, "text": text, **extras.get(style, {})}, *runs[chosen + 1 :]]


def _text(runs: list[Entity]) -> Text:
    if not runs:
        return EMPTY
    if len(runs) == 1 and runs[0]["type"] == "plain":
        return Text(runs[0]["text"], runs)
    return Text([run["text"] if run["type"] == "plain" else run for run in runs], runs)
