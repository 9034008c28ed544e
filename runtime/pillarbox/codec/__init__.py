"""How keys, records and packed rows become bytes. No I/O.

Depends on: errors.  Never on: storage, tables; what a row means is generated.
"""

from __future__ import annotations

from pillarbox.codec.bags import bag, check_bag, check_map, kept_in_bag, number_of, with_case, without_case
from pillarbox.codec.keys import (
    INT8_BIAS,
    INT16_BIAS,
    INT32_BIAS,
    INT64_BIAS,
    KeyParts,
    beginning,
    escape,
    invert,
    key_corrupt,
    keys_under,
    one_key,
    range_error,
    successor,
    unescape,
)
from pillarbox.codec.members import Members
from pillarbox.codec.packed import Packed, PackedField
from pillarbox.codec.patches import (
    PatchAdd,
    PatchFlags,
    PatchMax,
    PatchMin,
    PatchSet,
    PatchUnset,
    patched,
)
from pillarbox.codec.records import RecordCodec, encoded, refuse_altered, refuse_mistyped
from pillarbox.codec.scalars import INT_RANGES, misfit
from pillarbox.codec.tagged import TaggedCodec
from pillarbox.codec.unknown import Unknown

__all__ = [
    "INT8_BIAS",
    "INT16_BIAS",
    "INT32_BIAS",
    "INT64_BIAS",
    "INT_RANGES",
    "KeyParts",
    "Members",
    "Packed",
    "PackedField",
    "PatchAdd",
    "PatchFlags",
    "PatchMax",
    "PatchMin",
    "PatchSet",
    "PatchUnset",
    "RecordCodec",
    "TaggedCodec",
    "Unknown",
    "bag",
    "beginning",
    "check_bag",
    "check_map",
    "encoded",
    "escape",
    "invert",
    "kept_in_bag",
    "key_corrupt",
    "keys_under",
    "misfit",
    "number_of",
    "one_key",
    "patched",
    "range_error",
    "refuse_altered",
    "refuse_mistyped",
    "successor",
    "unescape",
    "with_case",
    "without_case",
]
