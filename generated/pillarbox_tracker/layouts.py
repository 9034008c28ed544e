# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""How keys and packed values of the schema 'tracker' lie in bytes, to be read.

The modules `keys` and `packed` do the same and are fast; tests hold the two together, and tools take stored
bytes apart with these. Nothing imports this module when a box is used.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from construct import (
    Byte,
    Computed,
    Const,
    Construct,
    ExprAdapter,
    ExprValidator,
    GreedyBytes,
    IfThenElse,
    Int8ub,
    Int8ul,
    Int16ub,
    Int32sl,
    Int32ub,
    Int32ul,
    Int64sb,
    Int64sl,
    Int64ub,
    Mapping,
    PascalString,
    Prefixed,
    Rebuild,
    Struct,
    Terminated,
    stream_read,
    stream_write,
)

from pillarbox_tracker.types import Priority, State

if TYPE_CHECKING:
    _Base = Construct[bytes, bytes]
else:
    _Base = Construct


class _Ended(_Base):
    """Bytes in which 0x00 is written 0x00 0xFF, ended by 0x00 0x00; all inverted where the mask is 0xFF."""

    def __init__(self, mask: int) -> None:
        super().__init__()
        self.mask = mask

    def _parse(self, stream: Any, context: Any, path: Any) -> bytes:
        found = bytearray()
        while True:
            (byte,) = stream_read(stream, 1, path)
            if byte ^ self.mask == 0:
                (byte,) = stream_read(stream, 1, path)
                if byte ^ self.mask == 0:
                    return bytes(found)
                if byte ^ self.mask != 0xFF:
                    raise ValueError(f"0x00 0x{byte ^ self.mask:02x} is no escape")
                found.append(0)
            else:
                found.append(byte ^ self.mask)

    def _build(self, obj: bytes, stream: Any, context: Any, path: Any) -> Any:
        for byte in obj:
            stream_write(stream, bytes([byte ^ self.mask]), 1, path)
            if byte == 0:
                stream_write(stream, bytes([0xFF ^ self.mask]), 1, path)
        stream_write(stream, bytes([self.mask, self.mask]), 2, path)
        return obj


def _text(subcon: Construct[bytes, bytes]) -> Construct[str, str]:
    """Bytes that are UTF-8."""
    return ExprAdapter(subcon, lambda raw, _: raw.decode(), lambda text, _: text.encode())


def _signed(subcon: Construct[int, int], bits: int) -> Construct[int, int]:
    """A number with its sign bit flipped, so that negative ones come first."""
    bias = 1 << (bits - 1)
    return ExprAdapter(subcon, lambda raw, _: raw - bias, lambda number, _: number + bias)


def _falling(subcon: Construct[int, int], bits: int) -> Construct[int, int]:
    """A number counted down from the greatest, so that greater ones come first."""
    greatest = (1 << bits) - 1
    return ExprAdapter(subcon, lambda raw, _: greatest - raw, lambda number, _: greatest - number)


def _enum(subcon: Construct[int, int], enum: type[IntEnum]) -> Construct[Any, Any]:
    """A number that has a name."""
    return Mapping(subcon, {member: member.value for member in enum})


def _flags(count: int, present: Callable[[Any], list[bool]]) -> Construct[Any, Any]:
    """A byte of which each bit tells whether a field is written."""
    known = ExprValidator(Byte, lambda flags, _: flags < 1 << count)
    return Rebuild(known, lambda row: sum(there << bit for bit, there in enumerate(present(row))))


def _present(bit: int, subcon: Construct[Any, Any], default: object) -> Construct[Any, Any]:
    """A field that is written when it differs from its default, which a bit of the flags tells."""
    other = ExprValidator(subcon, lambda value, _: value != default)
    return IfThenElse(lambda row: row["_flags"] >> bit & 1, other, Computed(default))


_BOOL: Final = Mapping(Byte, {False: 0, True: 1})
_BOOL_FALLING: Final = Mapping(Byte, {False: 1, True: 0})

ISSUES_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
BY_STATE_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "state" / _enum(Int8ub, State),
    "updated_at" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
BY_LABEL_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "label" / _signed(Int32ub, 32),
    "updated_at" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
BY_PRIORITY_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "priority" / _enum(Int16ub, Priority),
    "created_at" / _signed(_falling(Int64ub, 64), 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
BY_ASSIGNEE_KEY: Final = Struct(
    "assignee_id" / _signed(Int64ub, 64),
    "updated_at" / _signed(Int64ub, 64),
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
BY_FLAG_KEY: Final = Struct(
    "flag" / Int32ub,
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
BOARD_CELLS_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "column" / _signed(Int16ub, 16),
    "label" / _signed(Int32ub, 32),
    "loud" / _BOOL,
    "number" / _signed(Int32ub, 32),
    Terminated,
)
STATE_COUNTS_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "state" / _enum(Int8ub, State),
    Terminated,
)
LABEL_COUNTS_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "label" / _signed(Int32ub, 32),
    Terminated,
)
NEWEST_ACTIVE_KEY: Final = Struct(
    "project_id" / Int64sb,
    Terminated,
)
FRONT_KEY: Final = Struct(
    "project_id" / Int64sb,
    Terminated,
)
COMMENTS_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    "posted_at" / _signed(Int64ub, 64),
    "comment" / _signed(Int32ub, 32),
    Terminated,
)
COMMENT_IDS_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    "comment" / _signed(Int32ub, 32),
    Terminated,
)
BY_AUTHOR_KEY: Final = Struct(
    "author_id" / _signed(Int64ub, 64),
    "posted_at" / _signed(Int64ub, 64),
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    "comment" / _signed(Int32ub, 32),
    Terminated,
)
LATEST_COMMENT_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
WATCHERS_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    "user_id" / _signed(Int64ub, 64),
    Terminated,
)
WATCHING_KEY: Final = Struct(
    "user_id" / _signed(Int64ub, 64),
    "since" / _signed(Int64ub, 64),
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
AUDIT_KEY: Final = Struct(
    "entry" / Int64sb,
    Terminated,
)
AUDIT_BY_ISSUE_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    "entry" / _signed(Int64ub, 64),
    Terminated,
)
PROJECTS_KEY: Final = Struct(
    "project_id" / Int64sb,
    Terminated,
)
PROJECT_SLUGS_KEY: Final = Struct(
    "slug" / _text(_Ended(0)),
    Terminated,
)
USERS_KEY: Final = Struct(
    "user_id" / Int64sb,
    Terminated,
)
USERS_BY_LOGIN_KEY: Final = Struct(
    "login" / _text(_Ended(0)),
    Terminated,
)
USERS_BY_NAME_KEY: Final = Struct(
    "name" / _text(_Ended(0)),
    "user_id" / _signed(Int64ub, 64),
    Terminated,
)
LABELS_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "label" / _signed(Int32ub, 32),
    Terminated,
)
MILESTONES_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "milestone" / _signed(Int16ub, 16),
    Terminated,
)
MILESTONES_DUE_KEY: Final = Struct(
    "due_at" / _signed(Int64ub, 64),
    "project_id" / _signed(Int64ub, 64),
    "milestone" / _signed(Int16ub, 16),
    Terminated,
)
STARS_KEY: Final = Struct(
    "user_id" / _signed(Int64ub, 64),
    "project_id" / _signed(Int64ub, 64),
    Terminated,
)
STAR_COUNTS_KEY: Final = Struct(
    "project_id" / Int64sb,
    Terminated,
)
PREFERENCES_KEY: Final = Struct(
    "user_id" / _signed(Int64ub, 64),
    "name" / _text(_Ended(0)),
    Terminated,
)
NOTICES_KEY: Final = Struct(
    "user_id" / _signed(Int64ub, 64),
    "at" / _signed(_falling(Int64ub, 64), 64),
    "digest" / _text(_Ended(0)),
    Terminated,
)
ISSUE_NUMBERS_KEY: Final = Struct(
    "project_id" / Int64sb,
    Terminated,
)
COMMENT_NUMBERS_KEY: Final = Struct(
    "project_id" / _signed(Int64ub, 64),
    "number" / _signed(Int32ub, 32),
    Terminated,
)
AUDIT_ENTRIES_KEY: Final = Struct(
    Terminated,
)
ACCOUNT_KEY: Final = Struct(
    Terminated,
)
PROJECT_KEY: Final = Struct(
    "project_id" / Int64sb,
    Terminated,
)
BY_LABEL_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "title" / PascalString(Int32ul, "utf8"),
    Terminated,
)
BY_PRIORITY_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "state" / Int8ul,
    "late" / _BOOL,
    "updated_at" / Int64sl,
    Terminated,
)
STATE_COUNTS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "issues" / Int64sl,
    "comments" / Int64sl,
    Terminated,
)
LABEL_COUNTS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "open" / Int64sl,
    "all" / Int64sl,
    Terminated,
)
NEWEST_ACTIVE_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "state" / Int8ul,
    "updated_at" / Int64sl,
    "number" / Int32sl,
    Terminated,
)
FRONT_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "waiting" / Int64sl,
    "newest" / Int64sl,
    "any_late" / _BOOL,
    "all_late" / _BOOL,
    "oldest" / Int64sl,
    Terminated,
)
COMMENT_IDS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "posted_at" / Int64sl,
    "author_id" / Int64sl,
    Terminated,
)
LATEST_COMMENT_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "posted_at" / Int64sl,
    "comment" / Int32sl,
    "at" / Int64sl,
    Terminated,
)
WATCHERS_VALUE: Final = Struct(
    "_flags" / _flags(2, lambda row: [row["muted_until"] is not None, row["wants"] != 128]),
    "since" / Int64sl,
    "muted_until" / _present(0, Int64sl, None),
    "wants" / _present(1, Int8ul, 128),
    Terminated,
)
PROJECT_SLUGS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "project_id" / Int64sl,
    Terminated,
)
USERS_BY_LOGIN_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "user_id" / Int64sl,
    Terminated,
)
USERS_BY_NAME_VALUE: Final = Struct(
    "_flags" / _flags(1, lambda row: [row["avatar"] is not None]),
    "avatar" / _present(0, Int64sl, None),
    Terminated,
)
LABELS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "colour" / Int32ul,
    "name" / PascalString(Int32ul, "utf8"),
    Terminated,
)
STAR_COUNTS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "stars" / Int64sl,
    Terminated,
)
PREFERENCES_VALUE: Final = Struct(
    "_flags" / _flags(1, lambda row: [row["raw"] is not None]),
    "value" / PascalString(Int32ul, "utf8"),
    "raw" / _present(0, Prefixed(Int32ul, GreedyBytes), None),
    Terminated,
)
ISSUE_NUMBERS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "next" / Int32sl,
    Terminated,
)
COMMENT_NUMBERS_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "next" / Int32sl,
    Terminated,
)
AUDIT_ENTRIES_VALUE: Final = Struct(
    "_flags" / Const(0, Byte),
    "next" / Int64sl,
    Terminated,
)
ACCOUNT_VALUE: Final = Struct(
    "_flags" / _flags(2, lambda row: [row["rev"] != 0, row["at"] != 0]),
    "rev" / _present(0, Int64sl, 0),
    "at" / _present(1, Int64sl, 0),
    Terminated,
)
PROJECT_VALUE: Final = Struct(
    "_flags" / _flags(1, lambda row: [row["rev"] != 0]),
    "rev" / _present(0, Int64sl, 0),
    Terminated,
)
