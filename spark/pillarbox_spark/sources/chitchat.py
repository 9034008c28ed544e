"""The source `chitchat`: conversations of two people, from the Chit-Chat Challenge (MIT).

There are two forms of them. `dataset.json`, as the Python package `chitchat-dataset` holds it, is one object
of conversations, each of turns, each of utterances. Newline JSON has an utterance a line, with its
conversation and its number there. What else is known (prompts, ratings) is left out.

People and conversations are known by random UUIDs, and our ids are integers. An id is the first 55 bits of
its UUID, so it is the same in both forms, whose orders differ, in every piece and in every later archive;
counting would have to see all of them in one order. 51 of those bits are random: no two of the archive's
8,483 UUIDs share them, and the odds of that were one in 60 million. In a name the first 6 digits do.

An utterance without a date is refused (no-date): it has no place in a history, which goes by dates.

Depends on: adapters, json_lines, packing, msgspec, pyarrow.  Never on: Spark, any generated package.

Law: both forms of a conversation give the same rows, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from importlib.resources import files
from math import floor
from pathlib import Path
from typing import Annotated, Final, NamedTuple
from uuid import UUID

import msgspec
import pyarrow as pa
from msgspec import UNSET, UnsetType

from pillarbox.errors import UsageError
from pillarbox.installing import install_line
from pillarbox_spark.adapters import Adapter, Found, Piece, Refused, Row, files_of, opened
from pillarbox_spark.sources.chitchat_places import members, utterances
from pillarbox_spark.sources.json_lines import ENDINGS, JsonLines, Unfit, decoded, refused
from pillarbox_spark.sources.packing import refuse_packed

PACKAGE: Final = "chitchat_dataset"
FILE: Final = "dataset.json"

#: Of JSON that may be no UTF-8, so that places in it are those of its bytes.
_A_CHARACTER_A_BYTE: Final = "latin-1"

ID_BITS: Final = 55
NAME_DIGITS: Final = 6


def installed_archive() -> Path:
    """The file in the installed package. Raises UsageError without it."""
    try:
        return Path(str(files(PACKAGE).joinpath(FILE)))
    except ModuleNotFoundError as error:
        raise UsageError(f"{error}; install it: {install_line('pillarbox', 'demo')}") from error


def id_of(uuid: UUID) -> int:
    """The id that stands for a UUID, never negative."""
    return uuid.int >> (128 - ID_BITS)


# --------------------------------------------------------------------------------------------- utterances

_Date = Annotated[datetime, msgspec.Meta(tz=True)]


class Utterance(msgspec.Struct, frozen=True, gc=False):
    """What somebody sent with one press of a key."""

    text: str
    sender: UUID
    timestamp: _Date | None


class Line(Utterance, frozen=True, gc=False):
    """The same, with its conversation and its number there, from 1."""

    conversation: UUID
    n: Annotated[int, msgspec.Meta(ge=1, lt=2**31)]


def _row(conversation: UUID, n: int, said: Utterance, row: Callable[..., Row]) -> Row | Unfit:
    if said.timestamp is None:
        return Unfit("no-date", "`timestamp` is null, so it has no place in the history; give it one")
    return row(
        conversation_id=id_of(conversation),
        conversation=conversation.hex[:NAME_DIGITS],
        sender_id=id_of(said.sender),
        sender=said.sender.hex[:NAME_DIGITS],
        n=n,
        timestamp=floor(said.timestamp.timestamp()),
        text=said.text,
    )


LINES: Final = JsonLines(Line, lambda line, row: _row(line.conversation, line.n, line, row))


# ------------------------------------------------------------------------------ one object of conversations


class _Conversation(msgspec.Struct, frozen=True):
    messages: list[list[msgspec.Raw]]
    #: Of an utterance that lost its brackets.
    text: msgspec.Raw | UnsetType = UNSET
    sender: msgspec.Raw | UnsetType = UNSET
    timestamp: msgspec.Raw | UnsetType = UNSET

    @property
    def strays(self) -> bool:
        """Whether there is something of an utterance outside of the list."""
        return not (self.text is self.sender is self.timestamp is UNSET)


_CONVERSATION: Final = msgspec.json.Decoder(_Conversation)
_UTTERANCE: Final = msgspec.json.Decoder(Utterance)


_UUID: Final = msgspec.json.Decoder(UUID)


class Archive:
    """An Adapter of `dataset.json`: each conversation is a piece.

    What is no utterance is a record of its own, refused, and so is a conversation without any. From where the
    file is no object of conversations any more, all the rest is one record, refused by the index (damaged).
    """

    def inputs(self, path: Path) -> Sequence[Path]:
        """The file, or the one of this name in the folder."""
        found = files_of(path, FILE)
        refuse_packed(found)
        return found

    def index(self, file: int, path: Path, piece_bytes: int) -> Iterator[Found]:
        """Conversations that have anything in them; `context` is a conversation's name, as JSON."""
        with opened(path) as whole:
            data, first = whole.read(), 0
        for name, begin, end in members(data.decode(_A_CHARACTER_A_BYTE)):
            if name is None:
                yield Refused("damaged", _BROKEN, begin, data[begin:])
            elif records := len(_cut(data[begin:end], begin)):
                conversation = decoded(_UUID, name.encode(_A_CHARACTER_A_BYTE))
                group = name if isinstance(conversation, Unfit) else str(id_of(conversation))
                yield Piece(file, begin, end, first, records, group, name)
                first += records

    def read(self, path: Path, piece: Piece, row: Callable[..., Row]) -> Iterator[Row | Refused]:
        """Rows, and what is refused: bad-json, wrong-shape, no-date."""
        conversation = decoded(_UUID, piece.context.encode(_A_CHARACTER_A_BYTE))
        for n, cut in enumerate(_cut(_text(path, piece), piece.begin), 1):
            made = cut.fault or _made(conversation, n, cut.text, row)
            yield refused(made, cut.begin, cut.text) if isinstance(made, Unfit) else made

    def raws(self, path: Path, piece: Piece) -> Iterator[tuple[int, bytes]]:
        """Where each utterance begins, and the utterance."""
        return ((cut.begin, cut.text) for cut in _cut(_text(path, piece), piece.begin))


def _made(conversation: UUID | Unfit, n: int, text: bytes, row: Callable[..., Row]) -> Row | Unfit:
    if isinstance(conversation, Unfit):
        return conversation
    said = decoded(_UTTERANCE, text)
    return said if isinstance(said, Unfit) else _row(conversation, n, said, row)


_BROKEN: Final = "from here on this is no object of conversations; get the file again"


class _Cut(NamedTuple):
    """An utterance in the file, or a stretch where none can be told from the other."""

    begin: int
    text: bytes
    fault: Unfit | None = None


def _text(path: Path, piece: Piece) -> bytes:
    with opened(path) as file:
        file.seek(piece.begin)
        return file.read(piece.end - piece.begin)


def _cut(text: bytes, begin: int) -> list[_Cut]:
    """The utterances of a conversation, which begins at `begin` of the file."""
    found = decoded(_CONVERSATION, text)
    if isinstance(found, Unfit):
        places = utterances(text.decode(_A_CHARACTER_A_BYTE))
        return [_Cut(begin + at, text[at:end]) for at, end in places] or [_Cut(begin, text, found)]
    if found.strays or text.count(b'"messages"') > 1:  # of members of one name a decoder takes the last
        places = utterances(text.decode(_A_CHARACTER_A_BYTE))
        return [_Cut(begin + at, text[at:end]) for at, end in places]
    origin = pa.py_buffer(text).address - begin  # msgspec.Raw is a view of the text, not a copy
    return [
        _Cut(pa.py_buffer(said).address - origin, bytes(said)) for turn in found.messages for said in turn
    ]


# ------------------------------------------------------------------------------------------------ both forms


class Chitchat:
    """The Adapter of the source: a file that ends as newline JSON does is that, any other is an archive."""

    def inputs(self, path: Path) -> Sequence[Path]:
        """The file, or of a folder the files of both forms by name."""
        found = files_of(path)
        if path.is_dir():
            found = tuple(file for file in found if file.name == FILE or _is_lines(file))
        if not found:
            raise UsageError(f"{path}: neither {FILE} nor a file that ends in {', '.join(ENDINGS)} is in it")
        for file in found:
            _form(file).inputs(file)
        return found

    def index(self, file: int, path: Path, piece_bytes: int) -> Iterator[Found]:
        """As the form does."""
        return _form(path).index(file, path, piece_bytes)

    def read(self, path: Path, piece: Piece, row: Callable[..., Row]) -> Iterator[Row | Refused]:
        """As the form does."""
        return _form(path).read(path, piece, row)

    def raws(self, path: Path, piece: Piece) -> Iterator[tuple[int, bytes]]:
        """As the form does."""
        return _form(path).raws(path, piece)


def _is_lines(path: Path) -> bool:
    return path.name.lower().endswith(ENDINGS)


def _form(path: Path) -> Adapter:
    return LINES if _is_lines(path) else ARCHIVE


ARCHIVE: Final = Archive()
ADAPTER: Final = Chitchat()
