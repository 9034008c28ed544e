"""What a message holds besides its text: one record for each case whose leading member is there.

Depends on: telegram_members, telegram_schema, telegram_shapes.  Never on: texts, chats, services.

Law: each media member of a message is in a record, or Unusual names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import compress
from operator import is_not
from typing import Any, Final, NamedTuple

import msgspec

from pillarbox_spark.sources.telegram_members import compact
from pillarbox_spark.sources.telegram_schema import Records, Unusual
from pillarbox_spark.sources.telegram_shapes import Message

_FIELDS: Final = Message.__struct_fields__
#: Where the members that are media begin among the fields of a Message, and their names.
FIRST: Final = _FIELDS.index("photo")
NAMES: Final = _FIELDS[FIRST:]
NONE: Final = (None,) * len(NAMES)

_TIME_MAX: Final = 2**31 - 1

#: The tags of a `media_type`; of a plain file it is absent.
_FILE_TAGS: Final[Mapping[str | None, tuple[str, ...]]] = {
    None: ("FILE",),
    "video_file": ("PHOTO_OR_VIDEO", "VIDEO"),
    "audio_file": ("MUSIC",),
    "voice_message": ("VOICE",),
    "video_message": ("VOICE",),
    "animation": ("GIF",),
}


class Found(NamedTuple):
    """The media of a message, and the tags that it is listed under."""

    media: tuple[Any, ...]
    tags: int


def media_of(message: Message, timestamp: int, records: Records) -> Found:
    """Raises Unusual for a member that belongs to no case that is there."""
    values = msgspec.structs.astuple(message)[FIRST:]
    if values == NONE:
        return _NOTHING
    cases, left = _cases_of(tuple(compress(NAMES, map(is_not, values, NONE))))
    if left is not None:
        raise Unusual(left)
    made, tags = [], 0
    for case in cases:
        made.append(case.make(message, timestamp, records))
        tags |= records.tags(case.tags(message))
    return Found(tuple(made), tags)


@lru_cache(maxsize=1000)
def _cases_of(names: tuple[str, ...]) -> tuple[tuple[_Case, ...], str | None]:
    """The cases that members of these names make, and one that is of none of them."""
    cases = tuple(_CASES[name] for name in names if name in _CASES)
    left = frozenset(names).difference(*(case.members for case in cases))
    return cases, min(left, default=None)


_NOTHING: Final = Found((), 0)


def _photo(message: Message, timestamp: int, records: Records) -> Any:
    types = records.types
    sizes: tuple[Any, ...] = ()
    if message.width is not None and message.height is not None:
        sizes = (types.PhotoSize(message.width, message.height, 0),)
    elif message.width is not None or message.height is not None:
        raise Unusual("height" if message.width is None else "width")
    file = records.file(message.photo, message.photo_file_size)
    return types.Photo(0, sizes, bool(message.media_spoiler), file)


def _document(message: Message, timestamp: int, records: Records) -> Any:
    return records.types.Document(
        file_id=0,
        mime_type=message.mime_type if message.mime_type is not None else "",
        size=message.file_size,
        name=message.file_name,
        duration=message.duration_seconds,
        kind=message.media_type,
        file=records.file(message.file, None),
        thumbnail_file=records.file(message.thumbnail, message.thumbnail_file_size),
        width=message.width,
        height=message.height,
        spoiler=bool(message.media_spoiler),
        performer=message.performer,
        title=message.title,
        emoji=message.sticker_emoji,
    )


def _contact(message: Message, timestamp: int, records: Records) -> Any:
    contact = message.contact_information
    card = records.file(message.contact_vcard, message.contact_vcard_file_size)
    return records.types.ContactCard(contact.first_name, contact.last_name, contact.phone_number, card=card)


def _place(message: Message, timestamp: int, records: Records) -> Any:
    place, period = message.location_information, message.live_location_period_seconds
    # A place that is shared for ever has the greatest period there is.
    return records.types.GeoPoint(
        place.latitude,
        place.longitude,
        live_until=min(timestamp + period, _TIME_MAX) if period is not None else None,
        place=message.place_name,
        address=message.address,
    )


def _game(message: Message, timestamp: int, records: Records) -> Any:
    return records.types.Game(message.game_title, message.game_description, message.game_link)


def _invoice(message: Message, timestamp: int, records: Records) -> Any:
    invoice = message.invoice_information
    return records.types.Invoice(
        invoice.title, invoice.description, invoice.amount, invoice.currency, invoice.receipt_message_id
    )


def _poll(message: Message, timestamp: int, records: Records) -> Any:
    poll, types = message.poll, records.types
    options = tuple(types.PollOption(it.text, b"", it.voters, it.chosen) for it in poll.answers)
    return types.Poll(
        poll_id=0, question=poll.question, options=options, closed=poll.closed, voters=poll.total_voters
    )


def _kept(name: str) -> Callable[[Message, int, Records], Any]:
    def make(message: Message, timestamp: int, records: Records) -> Any:
        return records.types.KeptMedia(name, compact(getattr(message, name)))

    return make


class _Case(NamedTuple):
    make: Callable[[Message, int, Records], Any]
    members: frozenset[str]
    tags: Callable[[Message], tuple[str, ...]]


def _case(
    make: Callable[[Message, int, Records], Any],
    members: str,
    tags: Callable[[Message], tuple[str, ...]] = lambda message: (),
) -> _Case:
    return _Case(make, frozenset(members.split()), tags)


#: By the member that leads it. Spoiler and self-destruction may come with a photo or a file.
_CASES: Final = {
    "photo": _case(
        _photo,
        "photo photo_file_size width height media_spoiler self_destruct_period_seconds",
        lambda message: ("PHOTO_OR_VIDEO", "PHOTO"),
    ),
    "file": _case(
        _document,
        "file file_name file_size thumbnail thumbnail_file_size media_type mime_type duration_seconds"
        " performer title sticker_emoji width height media_spoiler self_destruct_period_seconds",
        lambda message: _FILE_TAGS.get(message.media_type, ()),
    ),
    "contact_information": _case(_contact, "contact_information contact_vcard contact_vcard_file_size"),
    "location_information": _case(
        _place,
        "location_information live_location_period_seconds place_name address",
        lambda message: ("LIVE_LOCATION",) if message.live_location_period_seconds is not None else (),
    ),
    "game_title": _case(_game, "game_title game_description game_link"),
    "invoice_information": _case(_invoice, "invoice_information"),
    "poll": _case(_poll, "poll", lambda message: ("POLL",)),
    "giveaway_information": _case(_kept("giveaway_information"), "giveaway_information"),
    "giveaway_results": _case(_kept("giveaway_results"), "giveaway_results"),
}
