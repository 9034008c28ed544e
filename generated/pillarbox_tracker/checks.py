# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""Refuses integers out of the ranges that the schema 'tracker' gives them."""

from __future__ import annotations

from struct import Struct
from struct import error as StructError
from typing import Final

from pillarbox.codec import key_range_error
from pillarbox_tracker.types import (
    Attachment,
    Audit,
    Change,
    CommentRef,
    Comments,
    Document,
    Issues,
    Milestones,
    Notices,
    Picture,
    Projects,
    Reference,
    Relabelled,
    Users,
)

_PACK_IqqhqqI: Final = Struct("<IqqhqqI").pack
_PACK_i: Final = Struct("<i").pack
_PACK_q: Final = Struct("<q").pack
_PACK_qH: Final = Struct("<qH").pack
_PACK_qHH: Final = Struct("<qHH").pack
_PACK_qi: Final = Struct("<qi").pack
_PACK_qii: Final = Struct("<qii").pack
_PACK_qiq: Final = Struct("<qiq").pack
_PACK_qq: Final = Struct("<qq").pack


def check_comment_ref(row: CommentRef) -> None:
    """Refuse integers out of range in `CommentRef`. Raises RangeError."""
    try:
        _PACK_qii(row.project_id, row.number, row.comment)
    except StructError:
        raise key_range_error(
            "CommentRef",
            (
                ("project_id", "int64", row.project_id),
                ("number", "int32", row.number),
                ("comment", "int32", row.comment),
            ),
        ) from None


def check_picture(row: Picture) -> None:
    """Refuse integers out of range in `Picture`. Raises RangeError."""
    try:
        _PACK_qHH(row.file, row.width, row.height)
    except StructError:
        raise key_range_error(
            "Picture",
            (("file", "int64", row.file), ("width", "uint16", row.width), ("height", "uint16", row.height)),
        ) from None


def check_document(row: Document) -> None:
    """Refuse integers out of range in `Document`. Raises RangeError."""
    try:
        _PACK_q(row.file)
    except StructError:
        raise key_range_error("Document", (("file", "int64", row.file),)) from None


def check_reference(row: Reference) -> None:
    """Refuse integers out of range in `Reference`. Raises RangeError."""
    try:
        _PACK_qi(row.project_id, row.number)
    except StructError:
        raise key_range_error(
            "Reference",
            (("project_id", "int64", row.project_id), ("number", "int32", row.number)),
        ) from None


def check_attachment(value: Attachment) -> None:
    """Refuse integers out of range in `Attachment`. Raises RangeError."""
    match value:
        case Picture():
            check_picture(value)
        case Document():
            check_document(value)
        case Reference():
            check_reference(value)


def check_relabelled(row: Relabelled) -> None:
    """Refuse integers out of range in `Relabelled`. Raises RangeError."""
    try:
        for item in row.added:
            _PACK_i(item)
        for item_2 in row.taken:
            _PACK_i(item_2)
    except StructError:
        raise key_range_error(
            "Relabelled",
            (
                *(("added", "int32", item) for item in row.added),
                *(("taken", "int32", item_2) for item_2 in row.taken),
            ),
        ) from None


def check_change(value: Change) -> None:
    """Refuse integers out of range in `Change`. Raises RangeError."""
    match value:
        case Relabelled():
            check_relabelled(value)


def check_issues(row: Issues) -> None:
    """Refuse integers out of range in `Issues`. Raises RangeError."""
    try:
        _PACK_IqqhqqI(
            row.flags,
            row.author_id,
            row.assignee_id or 0,
            row.milestone or 0,
            row.created_at,
            row.updated_at,
            row.comments,
        )
        for item in row.labels:
            _PACK_i(item)
    except StructError:
        raise key_range_error(
            "issues",
            (
                ("flags", "uint32", row.flags),
                ("author_id", "int64", row.author_id),
                ("assignee_id", "int64", row.assignee_id or 0),
                *(("labels", "int32", item) for item in row.labels),
                ("milestone", "int16", row.milestone or 0),
                ("created_at", "int64", row.created_at),
                ("updated_at", "int64", row.updated_at),
                ("comments", "uint32", row.comments),
            ),
        ) from None


def check_comments(row: Comments) -> None:
    """Refuse integers out of range in `Comments`. Raises RangeError."""
    try:
        _PACK_qq(row.author_id, row.edited_at or 0)
        for _, item_2 in row.reactions:
            _PACK_i(item_2)
    except StructError:
        raise key_range_error(
            "comments",
            (
                ("author_id", "int64", row.author_id),
                ("edited_at", "int64", row.edited_at or 0),
                *(("reactions", "int32", item_2) for _, item_2 in row.reactions),
            ),
        ) from None
    for item in row.attachments:
        check_attachment(item)


def check_audit(row: Audit) -> None:
    """Refuse integers out of range in `Audit`. Raises RangeError."""
    try:
        _PACK_qiq(row.project_id, row.number, row.at)
    except StructError:
        raise key_range_error(
            "audit",
            (
                ("project_id", "int64", row.project_id),
                ("number", "int32", row.number),
                ("at", "int64", row.at),
            ),
        ) from None
    check_change(row.what)


def check_projects(row: Projects) -> None:
    """Refuse integers out of range in `Projects`. Raises RangeError."""
    try:
        _PACK_qH(row.owner_id, row.board_limit)
    except StructError:
        raise key_range_error(
            "projects",
            (("owner_id", "int64", row.owner_id), ("board_limit", "uint16", row.board_limit)),
        ) from None


def check_users(row: Users) -> None:
    """Refuse integers out of range in `Users`. Raises RangeError."""
    try:
        _PACK_qq(row.avatar or 0, row.seen_at)
    except StructError:
        raise key_range_error(
            "users",
            (("avatar", "int64", row.avatar or 0), ("seen_at", "int64", row.seen_at)),
        ) from None


def check_milestones(row: Milestones) -> None:
    """Refuse integers out of range in `Milestones`. Raises RangeError."""
    try:
        _PACK_q(row.due_at or 0)
    except StructError:
        raise key_range_error("milestones", (("due_at", "int64", row.due_at or 0),)) from None


def check_notices(row: Notices) -> None:
    """Refuse integers out of range in `Notices`. Raises RangeError."""
    try:
        for _, item in row.counters:
            _PACK_i(item)
    except StructError:
        raise key_range_error(
            "notices",
            (*(("counters", "int32", item) for _, item in row.counters),),
        ) from None
