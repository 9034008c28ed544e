"""Archives of every format, small and whole, and what damage does to their bytes.

Each text in them is a mark, which no other has: so one can ask for every text what became of it.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from hypothesis import strategies as st

from pillarbox_messenger.jobs import chitchat, news, telegram_export
from pillarbox_spark.job import Job
from pillarbox_tracker.jobs import issue_dump

#: A mark as a member of a record.
_MARKED: Final = re.compile(rb'("(?:text|body|name|topic)"): ?"(mark\d+end)"')

_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{\]}]', re.DOTALL)
_CONTAINER: Final = re.compile(rb'"([^"]*)": ?[\[{]')
_CONTAINERS: Final = {b"personal_information", b"contacts", b"chats", b"left_chats", b"list", b"messages"}


@dataclass(frozen=True, slots=True)
class Archive:
    """A file of some format."""

    name: str
    job: Job
    file: str
    whole: bytes
    #: Of what is packed places are of no use: what holds a mark is not to be seen in the file.
    packed: bool = False

    def __str__(self) -> str:
        return self.name


def marks_of(data: bytes) -> set[bytes]:
    """The marks that stand whole in a record, but those of members that the same object has once more."""
    return {found[2] for found in _MARKED.finditer(data) if not _comes_again(data, found.end(), found[1])}


def _comes_again(data: bytes, at: int, name: bytes) -> bool:
    """Whether the object that goes on there, as a parser sees it, has a member of that name."""
    depth = 0
    for token in _TOKEN.finditer(data, at):
        if token[0] in (b"[", b"{"):
            depth += 1
        elif token[0] in (b"]", b"}"):
            depth -= 1
        if depth < 0 or (depth == 0 and token[0] == name):
            return depth == 0
    return False


def is_renamed(data: bytes) -> bool:
    """Whether a list, or an object, of an export has another name, under which nobody looks for records."""
    return not {found[1] for found in _CONTAINER.finditer(data)} <= _CONTAINERS


def _mark(number: int) -> str:
    return f"mark{number}end"


def _people(number: int) -> str:
    return str(UUID(int=number << 110, version=4))


def _conversations() -> dict[str, Any]:
    said = [
        {"text": _mark(n), "sender": _people(n % 3), "timestamp": f"2018-05-02T19:38:{n:02}Z"}
        for n in range(9)
    ]
    turns: list[list[Any]] = [[], [said[:2], [], said[2:4]], [[]], [said[4:5], said[5:]]]
    return {
        str(UUID(int=number << 100, version=4)): {"messages": one, "prompt": "What?"}
        for number, one in enumerate(turns, 1)
    }


def _lines(make: Callable[[int], dict[str, Any]]) -> bytes:
    return "".join(json.dumps(make(number)) + "\n" for number in range(1, 9)).encode()


def _utterance(number: int) -> dict[str, Any]:
    talk = str(UUID(int=(number % 3 + 1) << 100, version=4))
    return {
        "conversation": talk,
        "n": number,
        "sender": _people(number % 2),
        "timestamp": "2018-05-02T19:38:15Z",
        "text": _mark(number),
    }


def _post(number: int) -> dict[str, Any]:
    return {
        "message_id": number,
        "sender_id": -1_001_000_000_000 - number % 3,
        "text": _mark(number),
        "date": "2024-07-19T09:42:10+00:00",
        "channel": "Harbour",
    }


def _issue(number: int) -> dict[str, Any]:
    date = "2024-11-01T10:00:00+00:00"
    ada = {"id": 1, "login": "ada", "name": "Ada"}
    return {
        "project": {"id": 1, "name": "Harbour", "slug": "harbour", "owner": 1},
        "number": number,
        "title": "It leaks",
        "author": ada,
        "created_at": date,
        "updated_at": date,
        "body": _mark(number),
        "comments": [{"user": ada, "created_at": date, "body": "Fine", "n": 1}],
    }


def _chat(number: int, messages: int) -> dict[str, Any]:
    def message(n: int) -> dict[str, Any]:
        date = {"id": n, "date": "2024-01-01T00:00:00", "date_unixtime": str(1_700_000_000 + n)}
        if n % 3:
            return {**date, "type": "message", "from_id": "user7", "text": _mark(100 * number + n)}
        return {**date, "type": "service", "actor_id": "user7", "action": "pin_message", "message_id": 1}

    said = {"messages": [message(n) for n in range(1, messages + 1)]}
    known = {"type": "personal_chat", "id": number}
    mark = _mark(100 * number)
    return {"name": mark, **known, **said} if number % 2 else {**known, **said, "topic": mark}


_ACCOUNT: Final = {
    "about": "An export",
    "personal_information": {"user_id": 7, "first_name": "Ada"},
    "contacts": {"list": [{"user_id": 1}]},
    "chats": {
        "about": "",
        "list": [_chat(1, 4), _chat(2, 0), {"id": 3, "type": "saved_messages"}, _chat(4, 2)],
    },
    "left_chats": {"about": "", "list": [_chat(5, 2)]},
}

ARCHIVES: Final = (
    Archive("dataset", chitchat.JOB, "dataset.json", json.dumps(_conversations()).encode()),
    Archive(
        "dataset, indented", chitchat.JOB, "dataset.json", json.dumps(_conversations(), indent=1).encode()
    ),
    Archive("utterances", chitchat.JOB, "talks.ndjson", _lines(_utterance)),
    Archive("posts", news.JOB, "posts.ndjson", _lines(_post)),
    Archive("packed posts", news.JOB, "p.ndjson.gz", gzip.compress(_lines(_post), mtime=0), packed=True),
    Archive("chat", telegram_export.JOB, "result.json", json.dumps(_chat(8, 5), indent=1).encode()),
    Archive("account", telegram_export.JOB, "result.json", json.dumps(_ACCOUNT).encode()),
    Archive("account, indented", telegram_export.JOB, "result.json", json.dumps(_ACCOUNT, indent=1).encode()),
    Archive("issues", issue_dump.JOB, "issues.ndjson", _lines(_issue)),
)

#: What mends or breaks JSON where it is put.
_PUT: Final = (
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b",",
    b":",
    b"\\",
    b"\n",
    b"\xff",
    b"\0",
    b"}, {",
    b"null",
    b"1e999",
)


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """The bytes after a few accidents, of which some happen to whole stretches of them."""
    data = whole
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        to = min(len(data), at + draw(st.sampled_from((1, 2, 8, 40, 200, 600))))
        match draw(st.sampled_from(("put", "put over", "flip", "lose", "repeat", "move", "cut"))):
            case "put":
                data = data[:at] + draw(st.sampled_from(_PUT)) + data[at:]
            case "put over":
                data = data[:at] + draw(st.sampled_from(_PUT)) + data[at + 1 :]
            case "flip" if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1 :]
            case "lose":
                data = data[:at] + data[to:]
            case "repeat":
                data = data[:to] + data[at:]
            case "move":
                rest = data[:at] + data[to:]
                other = draw(st.integers(0, len(rest)))
                data = rest[:other] + data[at:to] + rest[other:]
            case "cut":
                data = data[:at]
    return data
