"""Made-up exports of a whole account, as Telegram Desktop writes JSON, and the same rows a line each.

    python -m benchmarks.export_generator 1000000 result.json [--lines messages.ndjson] [--seed 1]

Depends on: export_chats, export_media, export_messages, export_texts, msgspec.  Never on: pillarbox.

Law: equal count, seed and pools give equal bytes, and reading either file back gives equal messages.

Chats are skewed as in a real account: the n-th largest has 1/n of the largest one's messages, which has
about a seventh of a million. Written in one pass; memory is the pools' whatever the count.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec

from benchmarks.export_chats import ME, Chat, chats
from benchmarks.export_media import Message
from benchmarks.export_messages import messages
from benchmarks.export_texts import Pools, pools

FLUSH_BYTES: Final = 1 << 20


class Written(NamedTuple):
    """What a call wrote."""

    messages: int
    chats: int
    export_bytes: int
    lines_bytes: int


def main() -> None:
    """Write the files that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", type=int, help="how many messages")
    parser.add_argument("export", type=Path, help="the result.json to write")
    parser.add_argument("--lines", type=Path, help="also write the same messages as newline JSON")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    written = write(options.count, options.export, options.lines, seed=options.seed)
    print(f"{written.messages:,} messages of {written.chats:,} chats, {written.export_bytes / 1e6:,.1f} MB")


def write(
    count: int, export: Path, lines: Path | None = None, *, seed: int = 1, texts: Pools | None = None
) -> Written:
    """Write `count` messages as an account's export, and as lines where `lines` says."""
    texts = texts or pools(seed)
    made = chats(count, seed)
    with ExitStack() as files:
        out = _Output(files.enter_context(export.open("wb")))
        beside = _Output(files.enter_context(lines.open("wb"))) if lines else None
        out.add(_opening())
        for section, left, about in SECTIONS:
            out.add(f' "{section}": {{\n  "about": {_string(about)},\n  "list": [')
            comma = ""
            for chat in made:
                if chat.left == left:
                    out.add(comma)
                    _write_chat(chat, messages(chat, texts, Random(f"{seed} {chat.number}")), out, beside)
                    comma = ","
            out.add("\n  ]\n }" + ("\n}" if left else ",\n"))
        out.flush()
        if beside:
            beside.flush()
    return Written(count, len(made), out.size, beside.size if beside else 0)


SECTIONS: Final = (
    ("chats", False, "This page lists all chats from this export."),
    ("left_chats", True, "This page lists all supergroups and channels that were left."),
)


class _Output:
    """A file written in large blocks."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._parts = bytearray()
        self.size = 0

    def add(self, text: str) -> None:
        self._parts += text.encode()

    def add_block(self, block: bytes) -> None:
        self._parts += block
        if len(self._parts) > FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        self._file.write(self._parts)
        self.size += len(self._parts)
        self._parts.clear()


# ---------------------------------------------------------------------------------------- layout

ENCODER: Final = msgspec.json.Encoder()
#: The start of a message, indented as an account's export is.
INDENT: Final = b"\n     "
REACTIONS: Final = b'\n "reactions": [\n'
#: A control character as JSON escapes it; the backslash before it is none that is escaped itself.
CONTROL: Final = re.compile(rb"(?<!\\)((?:\\\\)*)\\(?:u00([01])([0-9a-f])|([bf]))")
SHORT: Final = {b"b": b"\\x08", b"f": b"\\x0C"}


def _write_chat(chat: Chat, found: Iterator[Message], out: _Output, beside: _Output | None) -> None:
    """The chat as an element of its list; each message as a line."""
    name = "" if chat.type == "saved_messages" else f'    "name": {_string(chat.name)},\n'
    out.add(f'\n   {{\n{name}    "type": "{chat.type}",\n    "id": {chat.id},\n    "messages": [')
    head = ENCODER.encode({"chat_id": chat.id, "chat_type": chat.type, "chat_name": chat.name})[:-1] + b","
    comma = b""
    encode = ENCODER.encode
    for message in found:
        encoded = encode(message)
        out.add_block(comma + laid_out(encoded))
        if beside:
            beside.add_block(head + encoded[1:] + b"\n")
        comma = b","
    out.add("\n    ]\n   }")


def laid_out(encoded: bytes) -> bytes:
    """One message, after a line break, from compact JSON: as the writer lays it out and escapes it."""
    laid = msgspec.json.format(encoded, indent=1)
    at = laid.find(REACTIONS)
    if at >= 0:  # The writer indents what is in this array by one level more than all else.
        begin = at + len(REACTIONS) - 1
        laid = laid[:begin] + laid[begin:-2].replace(b"\n", b"\n ") + laid[-2:]
    if b"\\u00" in laid or b"\\b" in laid or b"\\f" in laid:
        laid = CONTROL.sub(_control, laid)
    return INDENT + laid.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029").replace(
        b"\n", INDENT
    )


def _control(match: re.Match[bytes]) -> bytes:
    before, high, low, short = match.groups()
    return bytes(before) + (SHORT[short] if short else b"\\x" + high + low.upper())


def _string(text: str | None) -> str:
    return ENCODER.encode(text).decode()


def _opening() -> str:
    """The sections that stand before the chats; every person and number is made up."""
    sections: Mapping[str, Any] = {
        "about": "Here is the data you requested.",
        "personal_information": {
            "user_id": int(ME.id[4:]),
            "first_name": "Olga",
            "last_name": "Petrova",
            "phone_number": "+1 555 0100",
            "username": "@olga_example",
            "bio": "",
        },
        "profile_pictures": [
            {
                "date": "2020-01-12T10:00:05",
                "date_unixtime": "1578812405",
                "photo": "profile_pictures/photo_1@12-01-2020_10-00-05.jpg",
            }
        ],
        "contacts": {
            "about": "A list of your contacts.",
            "list": [
                {
                    "user_id": 500_001_000 + n,
                    "first_name": "Ana",
                    "last_name": f"N{n}",
                    "phone_number": f"+1 555 01{n:02}",
                    "date": "2020-01-12T10:00:05",
                    "date_unixtime": "1578812405",
                }
                for n in range(20)
            ],
        },
    }
    return msgspec.json.format(ENCODER.encode(sections), indent=1).decode()[:-2] + ",\n"


if __name__ == "__main__":
    main()
