"""What an element of `messages` looks like, as typed structs, and which decoder takes which member.

Depends on: msgspec.  Never on: any generated package, what becomes of a member.

Law: what a strict shape takes, it holds completely; whatever else there is makes it fail.

A strict shape fails on a member that it does not know, and on a null where null means nothing to it, so that
the careful path (see `telegram_members`) can keep what stands there. Its loose base takes what it knows.
Numbers may stand in strings everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

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
    document_id: str = ABSENT
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
    document_id: str = ABSENT
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


def _decoders(*types: Any) -> tuple[msgspec.json.Decoder[Any], ...]:
    return tuple(msgspec.json.Decoder(shape, strict=False) for shape in types)


#: By the member's name: its field in Message, and its decoders, the strict one first.
MEMBERS: Final[Mapping[str, tuple[str, tuple[msgspec.json.Decoder[Any], ...]]]] = {
    field.encode_name: (field.name, _decoders(field.type)) for field in msgspec.structs.fields(Message)
} | {
    "text": ("text", _decoders(Text, str | list[str | LooseEntity], str | list[str | BareEntity])),
    "text_entities": ("text_entities", _decoders(list[Entity], list[LooseEntity], list[BareEntity])),
    "reactions": ("reactions", _decoders(list[Reaction], list[LooseReaction])),
    "contact_information": ("contact_information", _decoders(Contact, LooseContact)),
    "location_information": ("location_information", _decoders(Place, LoosePlace)),
    "invoice_information": ("invoice_information", _decoders(Invoice, LooseInvoice)),
    "poll": ("poll", _decoders(Poll, LoosePoll)),
}
