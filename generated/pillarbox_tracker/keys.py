# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The keys of the schema 'tracker': as their fields, and as they are stored.

Stored keys compare as their fields do, in order: numbers are big-endian with the sign bit flipped, descending
parts are inverted, text and bytes are escaped and ended.
"""

from __future__ import annotations

from struct import Struct
from struct import error as StructError
from typing import Final, NamedTuple

from pillarbox.codec import INT16_BIAS, INT32_BIAS, INT64_BIAS, escape, key_corrupt, key_range_error, unescape
from pillarbox_tracker.types import Digest, Login, Priority, ProjectId, State, UserId

_PACK_I: Final = Struct(">I").pack
_PACK_IQ: Final = Struct(">IQ").pack
_PACK_IQI: Final = Struct(">IQI").pack
_PACK_Q: Final = Struct(">Q").pack
_PACK_QB: Final = Struct(">QB").pack
_PACK_QBQ: Final = Struct(">QBQ").pack
_PACK_QBQI: Final = Struct(">QBQI").pack
_PACK_QH: Final = Struct(">QH").pack
_PACK_QHI: Final = Struct(">QHI").pack
_PACK_QHIB: Final = Struct(">QHIB").pack
_PACK_QHIBI: Final = Struct(">QHIBI").pack
_PACK_QHQ: Final = Struct(">QHQ").pack
_PACK_QHQI: Final = Struct(">QHQI").pack
_PACK_QI: Final = Struct(">QI").pack
_PACK_QII: Final = Struct(">QII").pack
_PACK_QIQ: Final = Struct(">QIQ").pack
_PACK_QIQI: Final = Struct(">QIQI").pack
_PACK_QQ: Final = Struct(">QQ").pack
_PACK_QQH: Final = Struct(">QQH").pack
_PACK_QQQ: Final = Struct(">QQQ").pack
_PACK_QQQI: Final = Struct(">QQQI").pack
_PACK_QQQII: Final = Struct(">QQQII").pack
_PACK_q: Final = Struct(">q").pack
_UNPACK_IQI: Final = Struct(">IQI").unpack
_UNPACK_QB: Final = Struct(">QB").unpack
_UNPACK_QBQI: Final = Struct(">QBQI").unpack
_UNPACK_QH: Final = Struct(">QH").unpack
_UNPACK_QHIBI: Final = Struct(">QHIBI").unpack
_UNPACK_QHQI: Final = Struct(">QHQI").unpack
_UNPACK_QI: Final = Struct(">QI").unpack
_UNPACK_QII: Final = Struct(">QII").unpack
_UNPACK_QIQ: Final = Struct(">QIQ").unpack
_UNPACK_QIQI: Final = Struct(">QIQI").unpack
_UNPACK_QQ: Final = Struct(">QQ").unpack
_UNPACK_QQH: Final = Struct(">QQH").unpack
_UNPACK_QQQI: Final = Struct(">QQQI").unpack
_UNPACK_QQQII: Final = Struct(">QQQII").unpack
_TAKE_Q: Final = Struct(">Q").unpack_from
_TAKE_QQ: Final = Struct(">QQ").unpack_from


class IssuesKey(NamedTuple):
    """Key of `issues`: 12 bytes, ordered as the fields are."""

    project_id: ProjectId
    number: int


def issues_key(project_id: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "issues",
            (("project_id", "int64", project_id), ("number", "int32", number)),
        ) from None


def issues_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("issues", (("project_id", "int64", project_id),)) from None


def issues_key_fields(key: bytes) -> IssuesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, number = _UNPACK_QI(key)
        return IssuesKey(project_id - INT64_BIAS, number - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("issues", key, str(error)) from None


class ByStateKey(NamedTuple):
    """Key of `by_state`: 21 bytes, ordered as the fields are."""

    project_id: ProjectId
    state: State
    updated_at: int
    number: int


def by_state_key(project_id: int, state: int, updated_at: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QBQI(project_id + INT64_BIAS, state, updated_at + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_state",
            (
                ("project_id", "int64", project_id),
                ("state", "uint8", state),
                ("updated_at", "int64", updated_at),
                ("number", "int32", number),
            ),
        ) from None


def by_state_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("by_state", (("project_id", "int64", project_id),)) from None


def by_state_prefix_2(project_id: int, state: int) -> bytes:
    """What the stored keys with this `state` begin with. Raises RangeError."""
    try:
        return _PACK_QB(project_id + INT64_BIAS, state)
    except (StructError, TypeError):
        raise key_range_error(
            "by_state",
            (("project_id", "int64", project_id), ("state", "uint8", state)),
        ) from None


def by_state_prefix_3(project_id: int, state: int, updated_at: int) -> bytes:
    """What the stored keys with this `updated_at` begin with. Raises RangeError."""
    try:
        return _PACK_QBQ(project_id + INT64_BIAS, state, updated_at + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_state",
            (
                ("project_id", "int64", project_id),
                ("state", "uint8", state),
                ("updated_at", "int64", updated_at),
            ),
        ) from None


def by_state_key_fields(key: bytes) -> ByStateKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, state, updated_at, number = _UNPACK_QBQI(key)
        return ByStateKey(project_id - INT64_BIAS, State(state), updated_at - INT64_BIAS, number - INT32_BIAS)
    except (StructError, ValueError) as error:
        raise key_corrupt("by_state", key, str(error)) from None


class ByLabelKey(NamedTuple):
    """Key of `by_label`: 24 bytes, ordered as the fields are."""

    project_id: ProjectId
    label: int
    updated_at: int
    number: int


def by_label_key(project_id: int, label: int, updated_at: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QIQI(
            project_id + INT64_BIAS,
            label + INT32_BIAS,
            updated_at + INT64_BIAS,
            number + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "by_label",
            (
                ("project_id", "int64", project_id),
                ("label", "int32", label),
                ("updated_at", "int64", updated_at),
                ("number", "int32", number),
            ),
        ) from None


def by_label_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("by_label", (("project_id", "int64", project_id),)) from None


def by_label_prefix_2(project_id: int, label: int) -> bytes:
    """What the stored keys with this `label` begin with. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, label + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_label",
            (("project_id", "int64", project_id), ("label", "int32", label)),
        ) from None


def by_label_prefix_3(project_id: int, label: int, updated_at: int) -> bytes:
    """What the stored keys with this `updated_at` begin with. Raises RangeError."""
    try:
        return _PACK_QIQ(project_id + INT64_BIAS, label + INT32_BIAS, updated_at + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_label",
            (
                ("project_id", "int64", project_id),
                ("label", "int32", label),
                ("updated_at", "int64", updated_at),
            ),
        ) from None


def by_label_key_fields(key: bytes) -> ByLabelKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, label, updated_at, number = _UNPACK_QIQI(key)
        return ByLabelKey(
            project_id - INT64_BIAS,
            label - INT32_BIAS,
            updated_at - INT64_BIAS,
            number - INT32_BIAS,
        )
    except StructError as error:
        raise key_corrupt("by_label", key, str(error)) from None


class ByPriorityKey(NamedTuple):
    """Key of `by_priority`: 22 bytes, ordered as the fields are; created_at descending."""

    project_id: ProjectId
    priority: Priority
    created_at: int
    number: int


def by_priority_key(project_id: int, priority: int, created_at: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QHQI(project_id + INT64_BIAS, priority, INT64_BIAS + ~created_at, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_priority",
            (
                ("project_id", "int64", project_id),
                ("priority", "uint16", priority),
                ("created_at", "int64", created_at),
                ("number", "int32", number),
            ),
        ) from None


def by_priority_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("by_priority", (("project_id", "int64", project_id),)) from None


def by_priority_prefix_2(project_id: int, priority: int) -> bytes:
    """What the stored keys with this `priority` begin with. Raises RangeError."""
    try:
        return _PACK_QH(project_id + INT64_BIAS, priority)
    except (StructError, TypeError):
        raise key_range_error(
            "by_priority",
            (("project_id", "int64", project_id), ("priority", "uint16", priority)),
        ) from None


def by_priority_prefix_3(project_id: int, priority: int, created_at: int) -> bytes:
    """What the stored keys with this `created_at` begin with. Raises RangeError."""
    try:
        return _PACK_QHQ(project_id + INT64_BIAS, priority, INT64_BIAS + ~created_at)
    except (StructError, TypeError):
        raise key_range_error(
            "by_priority",
            (
                ("project_id", "int64", project_id),
                ("priority", "uint16", priority),
                ("created_at", "int64", created_at),
            ),
        ) from None


def by_priority_key_fields(key: bytes) -> ByPriorityKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, priority, created_at, number = _UNPACK_QHQI(key)
        return ByPriorityKey(
            project_id - INT64_BIAS,
            Priority(priority),
            INT64_BIAS + ~created_at,
            number - INT32_BIAS,
        )
    except (StructError, ValueError) as error:
        raise key_corrupt("by_priority", key, str(error)) from None


class ByAssigneeKey(NamedTuple):
    """Key of `by_assignee`: 28 bytes, ordered as the fields are."""

    assignee_id: UserId
    updated_at: int
    project_id: ProjectId
    number: int


def by_assignee_key(assignee_id: int, updated_at: int, project_id: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQQI(
            assignee_id + INT64_BIAS,
            updated_at + INT64_BIAS,
            project_id + INT64_BIAS,
            number + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "by_assignee",
            (
                ("assignee_id", "int64", assignee_id),
                ("updated_at", "int64", updated_at),
                ("project_id", "int64", project_id),
                ("number", "int32", number),
            ),
        ) from None


def by_assignee_prefix_1(assignee_id: int) -> bytes:
    """What the stored keys with this `assignee_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(assignee_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("by_assignee", (("assignee_id", "int64", assignee_id),)) from None


def by_assignee_prefix_2(assignee_id: int, updated_at: int) -> bytes:
    """What the stored keys with this `updated_at` begin with. Raises RangeError."""
    try:
        return _PACK_QQ(assignee_id + INT64_BIAS, updated_at + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_assignee",
            (("assignee_id", "int64", assignee_id), ("updated_at", "int64", updated_at)),
        ) from None


def by_assignee_prefix_3(assignee_id: int, updated_at: int, project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_QQQ(assignee_id + INT64_BIAS, updated_at + INT64_BIAS, project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_assignee",
            (
                ("assignee_id", "int64", assignee_id),
                ("updated_at", "int64", updated_at),
                ("project_id", "int64", project_id),
            ),
        ) from None


def by_assignee_key_fields(key: bytes) -> ByAssigneeKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        assignee_id, updated_at, project_id, number = _UNPACK_QQQI(key)
        return ByAssigneeKey(
            assignee_id - INT64_BIAS,
            updated_at - INT64_BIAS,
            project_id - INT64_BIAS,
            number - INT32_BIAS,
        )
    except StructError as error:
        raise key_corrupt("by_assignee", key, str(error)) from None


class ByFlagKey(NamedTuple):
    """Key of `by_flag`: 16 bytes, ordered as the fields are."""

    flag: int
    project_id: ProjectId
    number: int


def by_flag_key(flag: int, project_id: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_IQI(flag, project_id + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_flag",
            (("flag", "uint32", flag), ("project_id", "int64", project_id), ("number", "int32", number)),
        ) from None


def by_flag_prefix_1(flag: int) -> bytes:
    """What the stored keys with this `flag` begin with. Raises RangeError."""
    try:
        return _PACK_I(flag)
    except (StructError, TypeError):
        raise key_range_error("by_flag", (("flag", "uint32", flag),)) from None


def by_flag_prefix_2(flag: int, project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_IQ(flag, project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_flag",
            (("flag", "uint32", flag), ("project_id", "int64", project_id)),
        ) from None


def by_flag_key_fields(key: bytes) -> ByFlagKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        flag, project_id, number = _UNPACK_IQI(key)
        return ByFlagKey(flag, project_id - INT64_BIAS, number - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("by_flag", key, str(error)) from None


class BoardCellsKey(NamedTuple):
    """Key of `board_cells`: 19 bytes, ordered as the fields are."""

    project_id: ProjectId
    column: int
    label: int
    loud: bool
    number: int


def board_cells_key(project_id: int, column: int, label: int, loud: bool, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QHIBI(
            project_id + INT64_BIAS,
            column + INT16_BIAS,
            label + INT32_BIAS,
            loud,
            number + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "board_cells",
            (
                ("project_id", "int64", project_id),
                ("column", "int16", column),
                ("label", "int32", label),
                ("loud", "bool", loud),
                ("number", "int32", number),
            ),
        ) from None


def board_cells_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("board_cells", (("project_id", "int64", project_id),)) from None


def board_cells_prefix_2(project_id: int, column: int) -> bytes:
    """What the stored keys with this `column` begin with. Raises RangeError."""
    try:
        return _PACK_QH(project_id + INT64_BIAS, column + INT16_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "board_cells",
            (("project_id", "int64", project_id), ("column", "int16", column)),
        ) from None


def board_cells_prefix_3(project_id: int, column: int, label: int) -> bytes:
    """What the stored keys with this `label` begin with. Raises RangeError."""
    try:
        return _PACK_QHI(project_id + INT64_BIAS, column + INT16_BIAS, label + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "board_cells",
            (("project_id", "int64", project_id), ("column", "int16", column), ("label", "int32", label)),
        ) from None


def board_cells_prefix_4(project_id: int, column: int, label: int, loud: bool) -> bytes:
    """What the stored keys with this `loud` begin with. Raises RangeError."""
    try:
        return _PACK_QHIB(project_id + INT64_BIAS, column + INT16_BIAS, label + INT32_BIAS, loud)
    except (StructError, TypeError):
        raise key_range_error(
            "board_cells",
            (
                ("project_id", "int64", project_id),
                ("column", "int16", column),
                ("label", "int32", label),
                ("loud", "bool", loud),
            ),
        ) from None


def board_cells_key_fields(key: bytes) -> BoardCellsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, column, label, loud, number = _UNPACK_QHIBI(key)
        return BoardCellsKey(
            project_id - INT64_BIAS,
            column - INT16_BIAS,
            label - INT32_BIAS,
            (False, True)[loud],
            number - INT32_BIAS,
        )
    except (IndexError, StructError) as error:
        raise key_corrupt("board_cells", key, str(error)) from None


class StateCountsKey(NamedTuple):
    """Key of `state_counts`: 9 bytes, ordered as the fields are."""

    project_id: ProjectId
    state: State


def state_counts_key(project_id: int, state: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QB(project_id + INT64_BIAS, state)
    except (StructError, TypeError):
        raise key_range_error(
            "state_counts",
            (("project_id", "int64", project_id), ("state", "uint8", state)),
        ) from None


def state_counts_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("state_counts", (("project_id", "int64", project_id),)) from None


def state_counts_key_fields(key: bytes) -> StateCountsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, state = _UNPACK_QB(key)
        return StateCountsKey(project_id - INT64_BIAS, State(state))
    except (StructError, ValueError) as error:
        raise key_corrupt("state_counts", key, str(error)) from None


class LabelCountsKey(NamedTuple):
    """Key of `label_counts`: 12 bytes, ordered as the fields are."""

    project_id: ProjectId
    label: int


def label_counts_key(project_id: int, label: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, label + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "label_counts",
            (("project_id", "int64", project_id), ("label", "int32", label)),
        ) from None


def label_counts_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("label_counts", (("project_id", "int64", project_id),)) from None


def label_counts_key_fields(key: bytes) -> LabelCountsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, label = _UNPACK_QI(key)
        return LabelCountsKey(project_id - INT64_BIAS, label - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("label_counts", key, str(error)) from None


class NewestActiveKey(NamedTuple):
    """Key of `newest_active`: stored as the integer it is."""

    project_id: ProjectId


def newest_active_key(project_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(project_id)
    except (StructError, TypeError):
        raise key_range_error("newest_active", (("project_id", "int64", project_id),)) from None
    return project_id


def newest_active_key_fields(key: int) -> NewestActiveKey:
    """The key's one field, by its name."""
    return NewestActiveKey(ProjectId(key))


class FrontKey(NamedTuple):
    """Key of `front`: stored as the integer it is."""

    project_id: ProjectId


def front_key(project_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(project_id)
    except (StructError, TypeError):
        raise key_range_error("front", (("project_id", "int64", project_id),)) from None
    return project_id


def front_key_fields(key: int) -> FrontKey:
    """The key's one field, by its name."""
    return FrontKey(ProjectId(key))


class CommentsKey(NamedTuple):
    """Key of `comments`: 24 bytes, ordered as the fields are."""

    project_id: ProjectId
    number: int
    posted_at: int
    comment: int


def comments_key(project_id: int, number: int, posted_at: int, comment: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QIQI(
            project_id + INT64_BIAS,
            number + INT32_BIAS,
            posted_at + INT64_BIAS,
            comment + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "comments",
            (
                ("project_id", "int64", project_id),
                ("number", "int32", number),
                ("posted_at", "int64", posted_at),
                ("comment", "int32", comment),
            ),
        ) from None


def comments_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("comments", (("project_id", "int64", project_id),)) from None


def comments_prefix_2(project_id: int, number: int) -> bytes:
    """What the stored keys with this `number` begin with. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "comments",
            (("project_id", "int64", project_id), ("number", "int32", number)),
        ) from None


def comments_prefix_3(project_id: int, number: int, posted_at: int) -> bytes:
    """What the stored keys with this `posted_at` begin with. Raises RangeError."""
    try:
        return _PACK_QIQ(project_id + INT64_BIAS, number + INT32_BIAS, posted_at + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "comments",
            (
                ("project_id", "int64", project_id),
                ("number", "int32", number),
                ("posted_at", "int64", posted_at),
            ),
        ) from None


def comments_key_fields(key: bytes) -> CommentsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, number, posted_at, comment = _UNPACK_QIQI(key)
        return CommentsKey(
            project_id - INT64_BIAS,
            number - INT32_BIAS,
            posted_at - INT64_BIAS,
            comment - INT32_BIAS,
        )
    except StructError as error:
        raise key_corrupt("comments", key, str(error)) from None


class CommentIdsKey(NamedTuple):
    """Key of `comment_ids`: 16 bytes, ordered as the fields are."""

    project_id: ProjectId
    number: int
    comment: int


def comment_ids_key(project_id: int, number: int, comment: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QII(project_id + INT64_BIAS, number + INT32_BIAS, comment + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "comment_ids",
            (("project_id", "int64", project_id), ("number", "int32", number), ("comment", "int32", comment)),
        ) from None


def comment_ids_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("comment_ids", (("project_id", "int64", project_id),)) from None


def comment_ids_prefix_2(project_id: int, number: int) -> bytes:
    """What the stored keys with this `number` begin with. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "comment_ids",
            (("project_id", "int64", project_id), ("number", "int32", number)),
        ) from None


def comment_ids_key_fields(key: bytes) -> CommentIdsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, number, comment = _UNPACK_QII(key)
        return CommentIdsKey(project_id - INT64_BIAS, number - INT32_BIAS, comment - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("comment_ids", key, str(error)) from None


class ByAuthorKey(NamedTuple):
    """Key of `by_author`: 32 bytes, ordered as the fields are."""

    author_id: UserId
    posted_at: int
    project_id: ProjectId
    number: int
    comment: int


def by_author_key(author_id: int, posted_at: int, project_id: int, number: int, comment: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQQII(
            author_id + INT64_BIAS,
            posted_at + INT64_BIAS,
            project_id + INT64_BIAS,
            number + INT32_BIAS,
            comment + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "by_author",
            (
                ("author_id", "int64", author_id),
                ("posted_at", "int64", posted_at),
                ("project_id", "int64", project_id),
                ("number", "int32", number),
                ("comment", "int32", comment),
            ),
        ) from None


def by_author_prefix_1(author_id: int) -> bytes:
    """What the stored keys with this `author_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(author_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("by_author", (("author_id", "int64", author_id),)) from None


def by_author_prefix_2(author_id: int, posted_at: int) -> bytes:
    """What the stored keys with this `posted_at` begin with. Raises RangeError."""
    try:
        return _PACK_QQ(author_id + INT64_BIAS, posted_at + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_author",
            (("author_id", "int64", author_id), ("posted_at", "int64", posted_at)),
        ) from None


def by_author_prefix_3(author_id: int, posted_at: int, project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_QQQ(author_id + INT64_BIAS, posted_at + INT64_BIAS, project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "by_author",
            (
                ("author_id", "int64", author_id),
                ("posted_at", "int64", posted_at),
                ("project_id", "int64", project_id),
            ),
        ) from None


def by_author_prefix_4(author_id: int, posted_at: int, project_id: int, number: int) -> bytes:
    """What the stored keys with this `number` begin with. Raises RangeError."""
    try:
        return _PACK_QQQI(
            author_id + INT64_BIAS,
            posted_at + INT64_BIAS,
            project_id + INT64_BIAS,
            number + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "by_author",
            (
                ("author_id", "int64", author_id),
                ("posted_at", "int64", posted_at),
                ("project_id", "int64", project_id),
                ("number", "int32", number),
            ),
        ) from None


def by_author_key_fields(key: bytes) -> ByAuthorKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        author_id, posted_at, project_id, number, comment = _UNPACK_QQQII(key)
        return ByAuthorKey(
            author_id - INT64_BIAS,
            posted_at - INT64_BIAS,
            project_id - INT64_BIAS,
            number - INT32_BIAS,
            comment - INT32_BIAS,
        )
    except StructError as error:
        raise key_corrupt("by_author", key, str(error)) from None


class LatestCommentKey(NamedTuple):
    """Key of `latest_comment`: 12 bytes, ordered as the fields are."""

    project_id: ProjectId
    number: int


def latest_comment_key(project_id: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "latest_comment",
            (("project_id", "int64", project_id), ("number", "int32", number)),
        ) from None


def latest_comment_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("latest_comment", (("project_id", "int64", project_id),)) from None


def latest_comment_key_fields(key: bytes) -> LatestCommentKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, number = _UNPACK_QI(key)
        return LatestCommentKey(project_id - INT64_BIAS, number - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("latest_comment", key, str(error)) from None


class WatchersKey(NamedTuple):
    """Key of `watchers`: 20 bytes, ordered as the fields are."""

    project_id: ProjectId
    number: int
    user_id: UserId


def watchers_key(project_id: int, number: int, user_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QIQ(project_id + INT64_BIAS, number + INT32_BIAS, user_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "watchers",
            (("project_id", "int64", project_id), ("number", "int32", number), ("user_id", "int64", user_id)),
        ) from None


def watchers_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("watchers", (("project_id", "int64", project_id),)) from None


def watchers_prefix_2(project_id: int, number: int) -> bytes:
    """What the stored keys with this `number` begin with. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "watchers",
            (("project_id", "int64", project_id), ("number", "int32", number)),
        ) from None


def watchers_key_fields(key: bytes) -> WatchersKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, number, user_id = _UNPACK_QIQ(key)
        return WatchersKey(project_id - INT64_BIAS, number - INT32_BIAS, user_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("watchers", key, str(error)) from None


class WatchingKey(NamedTuple):
    """Key of `watching`: 28 bytes, ordered as the fields are."""

    user_id: UserId
    since: int
    project_id: ProjectId
    number: int


def watching_key(user_id: int, since: int, project_id: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQQI(
            user_id + INT64_BIAS,
            since + INT64_BIAS,
            project_id + INT64_BIAS,
            number + INT32_BIAS,
        )
    except (StructError, TypeError):
        raise key_range_error(
            "watching",
            (
                ("user_id", "int64", user_id),
                ("since", "int64", since),
                ("project_id", "int64", project_id),
                ("number", "int32", number),
            ),
        ) from None


def watching_prefix_1(user_id: int) -> bytes:
    """What the stored keys with this `user_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(user_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("watching", (("user_id", "int64", user_id),)) from None


def watching_prefix_2(user_id: int, since: int) -> bytes:
    """What the stored keys with this `since` begin with. Raises RangeError."""
    try:
        return _PACK_QQ(user_id + INT64_BIAS, since + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "watching",
            (("user_id", "int64", user_id), ("since", "int64", since)),
        ) from None


def watching_prefix_3(user_id: int, since: int, project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_QQQ(user_id + INT64_BIAS, since + INT64_BIAS, project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "watching",
            (("user_id", "int64", user_id), ("since", "int64", since), ("project_id", "int64", project_id)),
        ) from None


def watching_key_fields(key: bytes) -> WatchingKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        user_id, since, project_id, number = _UNPACK_QQQI(key)
        return WatchingKey(
            user_id - INT64_BIAS,
            since - INT64_BIAS,
            project_id - INT64_BIAS,
            number - INT32_BIAS,
        )
    except StructError as error:
        raise key_corrupt("watching", key, str(error)) from None


class AuditKey(NamedTuple):
    """Key of `audit`: stored as the integer it is."""

    entry: int


def audit_key(entry: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(entry)
    except (StructError, TypeError):
        raise key_range_error("audit", (("entry", "int64", entry),)) from None
    return entry


def audit_key_fields(key: int) -> AuditKey:
    """The key's one field, by its name."""
    return AuditKey(key)


class AuditByIssueKey(NamedTuple):
    """Key of `audit_by_issue`: 20 bytes, ordered as the fields are."""

    project_id: ProjectId
    number: int
    entry: int


def audit_by_issue_key(project_id: int, number: int, entry: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QIQ(project_id + INT64_BIAS, number + INT32_BIAS, entry + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "audit_by_issue",
            (("project_id", "int64", project_id), ("number", "int32", number), ("entry", "int64", entry)),
        ) from None


def audit_by_issue_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("audit_by_issue", (("project_id", "int64", project_id),)) from None


def audit_by_issue_prefix_2(project_id: int, number: int) -> bytes:
    """What the stored keys with this `number` begin with. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "audit_by_issue",
            (("project_id", "int64", project_id), ("number", "int32", number)),
        ) from None


def audit_by_issue_key_fields(key: bytes) -> AuditByIssueKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, number, entry = _UNPACK_QIQ(key)
        return AuditByIssueKey(project_id - INT64_BIAS, number - INT32_BIAS, entry - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("audit_by_issue", key, str(error)) from None


class ProjectsKey(NamedTuple):
    """Key of `projects`: stored as the integer it is."""

    project_id: ProjectId


def projects_key(project_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(project_id)
    except (StructError, TypeError):
        raise key_range_error("projects", (("project_id", "int64", project_id),)) from None
    return project_id


def projects_key_fields(key: int) -> ProjectsKey:
    """The key's one field, by its name."""
    return ProjectsKey(ProjectId(key))


class ProjectSlugsKey(NamedTuple):
    """Key of `project_slugs`: bytes of any length, ordered as the fields are."""

    slug: str


def project_slugs_key(slug: str) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return escape(slug.encode())
    except (AttributeError, TypeError, UnicodeEncodeError):
        raise key_range_error("project_slugs", (("slug", "text", slug),)) from None


def project_slugs_key_fields(key: bytes) -> ProjectSlugsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        slug, end = unescape(key, 0)
        if end != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end}")
        return ProjectSlugsKey(slug.decode())
    except ValueError as error:
        raise key_corrupt("project_slugs", key, str(error)) from None


class UsersKey(NamedTuple):
    """Key of `users`: stored as the integer it is."""

    user_id: UserId


def users_key(user_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(user_id)
    except (StructError, TypeError):
        raise key_range_error("users", (("user_id", "int64", user_id),)) from None
    return user_id


def users_key_fields(key: int) -> UsersKey:
    """The key's one field, by its name."""
    return UsersKey(UserId(key))


class UsersByLoginKey(NamedTuple):
    """Key of `users_by_login`: bytes of any length, ordered as the fields are."""

    login: Login


def users_by_login_key(login: str) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return escape(login.encode())
    except (AttributeError, TypeError, UnicodeEncodeError):
        raise key_range_error("users_by_login", (("login", "text", login),)) from None


def users_by_login_key_fields(key: bytes) -> UsersByLoginKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        login, end = unescape(key, 0)
        if end != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end}")
        return UsersByLoginKey(Login(login.decode()))
    except ValueError as error:
        raise key_corrupt("users_by_login", key, str(error)) from None


class UsersByNameKey(NamedTuple):
    """Key of `users_by_name`: bytes of any length, ordered as the fields are."""

    name: str
    user_id: UserId


def users_by_name_key(name: str, user_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return escape(name.encode()) + _PACK_Q(user_id + INT64_BIAS)
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "users_by_name",
            (("name", "text", name), ("user_id", "int64", user_id)),
        ) from None


def users_by_name_prefix_1(name: str) -> bytes:
    """What the stored keys with this `name` begin with. Raises RangeError."""
    try:
        return escape(name.encode())
    except (AttributeError, TypeError, UnicodeEncodeError):
        raise key_range_error("users_by_name", (("name", "text", name),)) from None


def users_by_name_key_fields(key: bytes) -> UsersByNameKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        name, end = unescape(key, 0)
        (user_id,) = _TAKE_Q(key, end)
        if end + 8 != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end + 8}")
        return UsersByNameKey(name.decode(), user_id - INT64_BIAS)
    except (StructError, ValueError) as error:
        raise key_corrupt("users_by_name", key, str(error)) from None


class LabelsKey(NamedTuple):
    """Key of `labels`: 12 bytes, ordered as the fields are."""

    project_id: ProjectId
    label: int


def labels_key(project_id: int, label: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, label + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "labels",
            (("project_id", "int64", project_id), ("label", "int32", label)),
        ) from None


def labels_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("labels", (("project_id", "int64", project_id),)) from None


def labels_key_fields(key: bytes) -> LabelsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, label = _UNPACK_QI(key)
        return LabelsKey(project_id - INT64_BIAS, label - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("labels", key, str(error)) from None


class MilestonesKey(NamedTuple):
    """Key of `milestones`: 10 bytes, ordered as the fields are."""

    project_id: ProjectId
    milestone: int


def milestones_key(project_id: int, milestone: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QH(project_id + INT64_BIAS, milestone + INT16_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "milestones",
            (("project_id", "int64", project_id), ("milestone", "int16", milestone)),
        ) from None


def milestones_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("milestones", (("project_id", "int64", project_id),)) from None


def milestones_key_fields(key: bytes) -> MilestonesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, milestone = _UNPACK_QH(key)
        return MilestonesKey(project_id - INT64_BIAS, milestone - INT16_BIAS)
    except StructError as error:
        raise key_corrupt("milestones", key, str(error)) from None


class MilestonesDueKey(NamedTuple):
    """Key of `milestones_due`: 18 bytes, ordered as the fields are."""

    due_at: int
    project_id: ProjectId
    milestone: int


def milestones_due_key(due_at: int, project_id: int, milestone: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQH(due_at + INT64_BIAS, project_id + INT64_BIAS, milestone + INT16_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "milestones_due",
            (
                ("due_at", "int64", due_at),
                ("project_id", "int64", project_id),
                ("milestone", "int16", milestone),
            ),
        ) from None


def milestones_due_prefix_1(due_at: int) -> bytes:
    """What the stored keys with this `due_at` begin with. Raises RangeError."""
    try:
        return _PACK_Q(due_at + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("milestones_due", (("due_at", "int64", due_at),)) from None


def milestones_due_prefix_2(due_at: int, project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_QQ(due_at + INT64_BIAS, project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "milestones_due",
            (("due_at", "int64", due_at), ("project_id", "int64", project_id)),
        ) from None


def milestones_due_key_fields(key: bytes) -> MilestonesDueKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        due_at, project_id, milestone = _UNPACK_QQH(key)
        return MilestonesDueKey(due_at - INT64_BIAS, project_id - INT64_BIAS, milestone - INT16_BIAS)
    except StructError as error:
        raise key_corrupt("milestones_due", key, str(error)) from None


class StarsKey(NamedTuple):
    """Key of `stars`: 16 bytes, ordered as the fields are."""

    user_id: UserId
    project_id: ProjectId


def stars_key(user_id: int, project_id: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQ(user_id + INT64_BIAS, project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "stars",
            (("user_id", "int64", user_id), ("project_id", "int64", project_id)),
        ) from None


def stars_prefix_1(user_id: int) -> bytes:
    """What the stored keys with this `user_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(user_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("stars", (("user_id", "int64", user_id),)) from None


def stars_key_fields(key: bytes) -> StarsKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        user_id, project_id = _UNPACK_QQ(key)
        return StarsKey(user_id - INT64_BIAS, project_id - INT64_BIAS)
    except StructError as error:
        raise key_corrupt("stars", key, str(error)) from None


class StarCountsKey(NamedTuple):
    """Key of `star_counts`: stored as the integer it is."""

    project_id: ProjectId


def star_counts_key(project_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(project_id)
    except (StructError, TypeError):
        raise key_range_error("star_counts", (("project_id", "int64", project_id),)) from None
    return project_id


def star_counts_key_fields(key: int) -> StarCountsKey:
    """The key's one field, by its name."""
    return StarCountsKey(ProjectId(key))


class PreferencesKey(NamedTuple):
    """Key of `preferences`: bytes of any length, ordered as the fields are."""

    user_id: UserId
    name: str


def preferences_key(user_id: int, name: str) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_Q(user_id + INT64_BIAS) + escape(name.encode())
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "preferences",
            (("user_id", "int64", user_id), ("name", "text", name)),
        ) from None


def preferences_prefix_1(user_id: int) -> bytes:
    """What the stored keys with this `user_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(user_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("preferences", (("user_id", "int64", user_id),)) from None


def preferences_key_fields(key: bytes) -> PreferencesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        (user_id,) = _TAKE_Q(key, 0)
        name, end = unescape(key, 8)
        if end != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end}")
        return PreferencesKey(user_id - INT64_BIAS, name.decode())
    except (StructError, ValueError) as error:
        raise key_corrupt("preferences", key, str(error)) from None


class NoticesKey(NamedTuple):
    """Key of `notices`: bytes of any length, ordered as the fields are; at descending."""

    user_id: UserId
    at: int
    digest: Digest


def notices_key(user_id: int, at: int, digest: str) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QQ(user_id + INT64_BIAS, INT64_BIAS + ~at) + escape(digest.encode())
    except (AttributeError, StructError, TypeError, UnicodeEncodeError):
        raise key_range_error(
            "notices",
            (("user_id", "int64", user_id), ("at", "int64", at), ("digest", "text", digest)),
        ) from None


def notices_prefix_1(user_id: int) -> bytes:
    """What the stored keys with this `user_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(user_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("notices", (("user_id", "int64", user_id),)) from None


def notices_prefix_2(user_id: int, at: int) -> bytes:
    """What the stored keys with this `at` begin with. Raises RangeError."""
    try:
        return _PACK_QQ(user_id + INT64_BIAS, INT64_BIAS + ~at)
    except (StructError, TypeError):
        raise key_range_error("notices", (("user_id", "int64", user_id), ("at", "int64", at))) from None


def notices_key_fields(key: bytes) -> NoticesKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        user_id, at = _TAKE_QQ(key, 0)
        digest, end = unescape(key, 16)
        if end != len(key):
            raise ValueError(f"it has {len(key)} bytes, its parts end at {end}")
        return NoticesKey(user_id - INT64_BIAS, INT64_BIAS + ~at, Digest(digest.decode()))
    except (StructError, ValueError) as error:
        raise key_corrupt("notices", key, str(error)) from None


class IssueNumbersKey(NamedTuple):
    """Key of `issue_numbers`: stored as the integer it is."""

    project_id: ProjectId


def issue_numbers_key(project_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(project_id)
    except (StructError, TypeError):
        raise key_range_error("issue_numbers", (("project_id", "int64", project_id),)) from None
    return project_id


def issue_numbers_key_fields(key: int) -> IssueNumbersKey:
    """The key's one field, by its name."""
    return IssueNumbersKey(ProjectId(key))


class CommentNumbersKey(NamedTuple):
    """Key of `comment_numbers`: 12 bytes, ordered as the fields are."""

    project_id: ProjectId
    number: int


def comment_numbers_key(project_id: int, number: int) -> bytes:
    """Encode so that comparing stored keys compares keys. Raises RangeError."""
    try:
        return _PACK_QI(project_id + INT64_BIAS, number + INT32_BIAS)
    except (StructError, TypeError):
        raise key_range_error(
            "comment_numbers",
            (("project_id", "int64", project_id), ("number", "int32", number)),
        ) from None


def comment_numbers_prefix_1(project_id: int) -> bytes:
    """What the stored keys with this `project_id` begin with. Raises RangeError."""
    try:
        return _PACK_Q(project_id + INT64_BIAS)
    except (StructError, TypeError):
        raise key_range_error("comment_numbers", (("project_id", "int64", project_id),)) from None


def comment_numbers_key_fields(key: bytes) -> CommentNumbersKey:
    """Take a stored key apart. Raises KeyCorrupt."""
    try:
        project_id, number = _UNPACK_QI(key)
        return CommentNumbersKey(project_id - INT64_BIAS, number - INT32_BIAS)
    except StructError as error:
        raise key_corrupt("comment_numbers", key, str(error)) from None


class AuditEntriesKey(NamedTuple):
    """Key of `audit_entries`, which has at most one row: no bytes."""


def audit_entries_key() -> bytes:
    """The stored key of the one row."""
    return b""


def audit_entries_key_fields(key: bytes) -> AuditEntriesKey:
    """The empty key. Raises KeyCorrupt when there are bytes."""
    if key:
        raise key_corrupt("audit_entries", key, "the key of the only row has no bytes")
    return AuditEntriesKey()


class AccountKey(NamedTuple):
    """Key of `account`, which has at most one row: no bytes."""


def account_key() -> bytes:
    """The stored key of the one row."""
    return b""


def account_key_fields(key: bytes) -> AccountKey:
    """The empty key. Raises KeyCorrupt when there are bytes."""
    if key:
        raise key_corrupt("account", key, "the key of the only row has no bytes")
    return AccountKey()


class ProjectKey(NamedTuple):
    """Key of `project`: stored as the integer it is."""

    project_id: ProjectId


def project_key(project_id: int) -> int:
    """The stored key. Raises RangeError."""
    try:
        _PACK_q(project_id)
    except (StructError, TypeError):
        raise key_range_error("project", (("project_id", "int64", project_id),)) from None
    return project_id


def project_key_fields(key: int) -> ProjectKey:
    """The key's one field, by its name."""
    return ProjectKey(ProjectId(key))
