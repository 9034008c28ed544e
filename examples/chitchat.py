"""The adapter of the source `chitchat`: an archive of real conversations, as rows of the messenger schema.

The archive is the file `dataset.json` of the Python package `chitchat-dataset` (MIT): 258,145 utterances of
7,168 conversations between 1,315 people, known by random UUIDs. Our ids are 64-bit integers, so each
conversation and each sender gets its number in the order of first appearance in the file, from 1. The file
does not change, so neither do they. Times are those of the file, in seconds since 1970.

Depends on: the generated `pillarbox_messenger`.  Never on: a box.

Law: the same archive gives the same rows, and within a conversation `n` counts from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from typing import Final, Protocol

import msgspec

from pillarbox_messenger.sources import ChitchatRow

PACKAGE: Final = "chitchat_dataset"
FILE: Final = "dataset.json"


class Archive(Protocol):
    """A file: a path, or a file inside an installed package."""

    def read_bytes(self) -> bytes: ...


class Utterance(msgspec.Struct, frozen=True, gc=False):
    """What somebody sent with one press of a key."""

    text: str
    sender: str
    timestamp: datetime


class Conversation(msgspec.Struct, frozen=True, gc=False):
    """Turns of one or more utterances each; what else the file knows (a prompt, ratings) is left out."""

    messages: tuple[tuple[Utterance, ...], ...]


def installed_archive() -> Archive:
    """The file in the installed package. Raises ModuleNotFoundError without it (extra `demo`)."""
    return files(PACKAGE).joinpath(FILE)


def rows(archive: Archive) -> Iterator[ChitchatRow]:
    """Every utterance, conversation by conversation. Raises msgspec.MsgspecError for another kind of file."""
    conversations = msgspec.json.decode(archive.read_bytes(), type=dict[str, Conversation])
    sender_ids: dict[str, int] = {}
    for conversation_id, conversation in enumerate(conversations.values(), 1):
        utterances = (utterance for turn in conversation.messages for utterance in turn)
        for n, utterance in enumerate(utterances, 1):
            yield ChitchatRow(
                conversation_id=conversation_id,
                sender_id=sender_ids.setdefault(utterance.sender, len(sender_ids) + 1),
                n=n,
                timestamp=int(utterance.timestamp.timestamp()),
                text=utterance.text,
            )
