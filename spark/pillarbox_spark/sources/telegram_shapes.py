"""What an element of `messages` looks like, as typed structs, and which decoder takes which member.

Depends on: msgspec, telegram_members.  Never on: any generated package, what becomes of a member.

Law: what a strict shape takes, it holds completely; whatever else there is makes it fail.

A strict shape fails on a member that it does not know, and on a null where null means nothing to it, so that
the careful path (see `telegram_members`) can keep what stands there. Its loose base takes what it knows.
Numbers may stand in strings everywhere, and where the writer is known to do so, objects and lists in more
than they should: a member then has several shapes that take it whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, Protocol, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from pillarbox_spark.sources.telegram_members import mended

Int32: TypeAlias = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Int64: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]

#: A bare id, as much of it as an id that holds its kind as well has room for.
BareId: TypeAlias = Annotated[int, Meta(ge=-(2**55), le=2**55 - 1)]

#: What a member holds that is not there. None is not of the members' types, so a null is never taken for it.
ABSENT: Final[Any] = None

EntityType: TypeAlias = Literal[
    "plain",
    "unknown",
    "mention",
    "hashtag",
    "cashtag",
    "bot_command",
    "link",
    "text_link",
    "email",
    "phone",
    "bank_card",
    "bold",
    "italic",
    "underline",
    "strikethrough",
    "spoiler",
    "code",
    "pre",
    "blockquote",
    "mention_name",
    "custom_emoji",
]
ReactionType: TypeAlias = Literal["emoji", "custom_emoji", "paid"]


class BareEntity(Struct, gc=False):
    """A run of text, and nothing that needs to be understood."""

    text: str
    type: str = "plain"


class LooseEntity(Struct, gc=False):
    type: str
    text: str
    href: str = ABSENT
    user_id: BareId = ABSENT
    #: A path, or what stands in its place; once it was the number of a document.
    document_id: str | int = ABSENT
    language: str = ABSENT
    collapsed: bool = ABSENT


class Entity(LooseEntity, gc=False, forbid_unknown_fields=True):
    type: EntityType


#: The member `text`, which mixes types.
Text: TypeAlias = str | list[str | Entity]


class LooseRecent(Struct, gc=False):
    """Who reacted lately."""

    name: str | None = msgspec.field(default=None, name="from")
    from_id: str | int | None = None
    date: str | None = None


class Recent(LooseRecent, gc=False, forbid_unknown_fields=True):
    pass


class LooseReaction(Struct, gc=False):
    type: str
    count: Int32
    emoji: str = ABSENT
    document_id: str | int = ABSENT
    recent: Sequence[LooseRecent] = ()


class Reaction(LooseReaction, gc=False, forbid_unknown_fields=True):
    type: ReactionType
    recent: Sequence[Recent] = ()


class LooseContact(Struct, gc=False):
    first_name: str = ""
    last_name: str = ""
    phone_number: str = ""


class Contact(LooseContact, gc=False, forbid_unknown_fields=True):
    pass


class LoosePlace(Struct, gc=False):
    latitude: float
    longitude: float


class Place(LoosePlace, gc=False, forbid_unknown_fields=True):
    pass


class LooseInvoice(Struct, gc=False):
    title: str = ""
    description: str = ABSENT
    amount: Int64 = ABSENT
    currency: str = ABSENT
    receipt_message_id: Int32 = ABSENT


class Invoice(LooseInvoice, gc=False, forbid_unknown_fields=True):
    pass


class LooseAnswer(Struct, gc=False):
    text: str
    voters: Int32 = ABSENT
    chosen: bool = False


class Answer(LooseAnswer, gc=False, forbid_unknown_fields=True):
    pass


class LoosePoll(Struct, gc=False):
    question: str
    closed: bool = False
    total_voters: Int32 = ABSENT
    answers: Sequence[LooseAnswer] = ()


class Poll(LoosePoll, gc=False, forbid_unknown_fields=True):
    answers: Sequence[Answer] = ()


class Message(Struct, gc=False, forbid_unknown_fields=True, tag_field="type", tag="message"):
    """An element of `messages` that somebody wrote. Members from `photo` on are media."""

    id: Int32
    date: str = ABSENT
    date_unixtime: Int32 = ABSENT
    edited: str = ABSENT
    edited_unixtime: Int32 = ABSENT
    name: str | UnsetType | None = msgspec.field(default=UNSET, name="from")
    from_id: str | int = ABSENT
    author: str = ABSENT
    forwarded_from: str | UnsetType | None = UNSET
    forwarded_from_id: str | int = ABSENT
    saved_from: str = ABSENT
    reply_to_message_id: Int32 = ABSENT
    reply_to_peer_id: str | int = ABSENT
    via_bot: str = ABSENT
    #: As it stands, as long as `text_entities` says the same. Decoded by the careful path.
    text: Raw = ABSENT
    text_entities: list[Entity] = ABSENT
    inline_bot_buttons: Raw = ABSENT
    reactions: list[Reaction] = ABSENT

    photo: str = ABSENT
    photo_file_size: Int64 = ABSENT
    width: Int32 = ABSENT
    height: Int32 = ABSENT
    media_spoiler: bool = ABSENT
    self_destruct_period_seconds: Int32 = ABSENT
    file: str = ABSENT
    file_name: str = ABSENT
    file_size: Int64 = ABSENT
    thumbnail: str = ABSENT
    thumbnail_file_size: Int64 = ABSENT
    media_type: str = ABSENT
    mime_type: str = ABSENT
    duration_seconds: float = ABSENT
    performer: str = ABSENT
    title: str = ABSENT
    sticker_emoji: str = ABSENT
    contact_information: Contact = ABSENT
    contact_vcard: str = ABSENT
    contact_vcard_file_size: Int64 = ABSENT
    location_information: Place = ABSENT
    live_location_period_seconds: Int32 = ABSENT
    place_name: str = ABSENT
    address: str = ABSENT
    game_title: str = ABSENT
    game_description: str = ABSENT
    game_link: str = ABSENT
    invoice_information: Invoice = ABSENT
    poll: Poll = ABSENT
    giveaway_information: Raw = ABSENT
    giveaway_results: Raw = ABSENT
    paid_stars_amount: Int64 = ABSENT


class Service(Struct, gc=False, tag_field="type", tag="service"):
    """An element that says what happened. Its members differ by action, and the careful path takes them."""


#: Of one element.
ELEMENT: Final = msgspec.json.Decoder(Message | Service, strict=False)
TEXT: Final = msgspec.json.Decoder(Text, strict=False)


class Decoder(Protocol):
    """Raises Undecodable for what is not of its shape."""

    def decode(self, text: bytes, /) -> Any: ...


class _Quoted:
    """Of an object that stands as JSON in a text."""

    def __init__(self, shape: Any) -> None:
        self._inner = msgspec.json.Decoder(shape, strict=False)

    def decode(self, text: bytes, /) -> Any:
        return self._inner.decode(mended(_QUOTE.decode(text).encode()))


class _Nested:
    """Of a list in a list, or of some."""

    def __init__(self, shape: Any) -> None:
        self._lists = msgspec.json.Decoder(list[list[shape]], strict=False)

    def decode(self, text: bytes, /) -> Any:
        return [one for inner in self._lists.decode(text) for one in inner]


_QUOTE: Final = msgspec.json.Decoder(str)


class Shapes(NamedTuple):
    """The field that a member goes into, and what takes the member: whole, or what is known of it."""

    field: str
    whole: tuple[Decoder, ...]
    part: tuple[Decoder, ...] = ()


def _decoder(shape: Any) -> Decoder:
    return msgspec.json.Decoder(shape, strict=False)


def _shapes(field: str, strict: Any, *loose: Any) -> Shapes:
    return Shapes(field, (_decoder(strict),), tuple(map(_decoder, loose)))


def _also(shapes: Shapes, whole: Decoder, part: Decoder) -> Shapes:
    return Shapes(shapes.field, (*shapes.whole, whole), (*shapes.part, part))


#: By the member's name.
MEMBERS: Final[Mapping[str, Shapes]] = {
    field.encode_name: _shapes(field.name, field.type) for field in msgspec.structs.fields(Message)
} | {
    "text": _shapes("text", Text, str | list[str | LooseEntity], str | list[str | BareEntity]),
    "text_entities": _shapes("text_entities", list[Entity], list[LooseEntity], list[BareEntity]),
    "reactions": _also(
        _shapes("reactions", list[Reaction], list[LooseReaction]), _Nested(Reaction), _Nested(LooseReaction)
    ),
    "contact_information": _shapes("contact_information", Contact, LooseContact),
    "location_information": _shapes("location_information", Place, LoosePlace),
    "invoice_information": _also(
        _shapes("invoice_information", Invoice, LooseInvoice), _Quoted(Invoice), _Quoted(LooseInvoice)
    ),
    "poll": _shapes("poll", Poll, LoosePoll),
}
