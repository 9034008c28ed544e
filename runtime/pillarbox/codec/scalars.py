"""The scalars of the schema language: which values each takes.

Depends on: members, errors.  Never on: how keys, records and packed rows write them.

Law: `misfit(field, type, value)` is None exactly when the scalar takes the value; with `members`, when it
names one of them as well.
"""

from __future__ import annotations

from typing import Any, Final

from pillarbox.codec.members import Members
from pillarbox.errors import RangeError

#: Least and greatest value of each integer scalar.
INT_RANGES: Final[dict[str, tuple[int, int]]] = {
    **{f"int{bits}": (-(1 << bits - 1), (1 << bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, (1 << bits) - 1) for bits in (8, 16, 32, 64)},
}
#: Bytes that the length prefix of a text or bytes value can count.
TAIL_BYTES_MAX: Final = (1 << 32) - 1


def misfit(field: str, type_: str, value: object, members: Members[Any] | None = None) -> RangeError | None:
    """The error for a value that the scalar does not take, else None. `field` names the place."""
    if members is not None and isinstance(value, int) and value not in members:
        return RangeError(field, value, f"of the type that the schema declares (no member of {members.enum})")
    bounds = INT_RANGES.get(type_)
    if bounds is not None:
        low, high = bounds
        fits = isinstance(value, int) and low <= value <= high
        article = "a" if type_[0] == "u" else "an"
        return None if fits else RangeError(field, value, f"{article} {type_} ({low} .. {high})")
    if type_ == "bool":
        return None if isinstance(value, bool) else RangeError(field, value, "a bool")
    if type_ == "float64":
        return None if isinstance(value, (int, float)) else RangeError(field, value, "a float64")
    if type_ == "bytes":
        fits = isinstance(value, bytes) and len(value) <= TAIL_BYTES_MAX
        return None if fits else RangeError(field, value, "bytes of less than 4 GiB")
    if not isinstance(value, str):
        return RangeError(field, value, "a text")
    return (
        None if _fits(value) else RangeError(field, value, "text that UTF-8 can write (no lone surrogates)")
    )


def _fits(value: str) -> bool:
    try:
        return len(value.encode()) <= TAIL_BYTES_MAX
    except UnicodeEncodeError:
        return False
