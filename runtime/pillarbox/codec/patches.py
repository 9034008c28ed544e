"""Patches: the changes of a row or record as data, one for each field that changes.

Depends on: records, msgspec.  Never on: which row; the structs that hold the changes are generated.

Law: each change is a function of the field as it was; a field without one stays as it is. What a patch
makes is whole or, where its values do not fit, refused when it is stored.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Generic, TypeVar

from msgspec import NODEFAULT, Struct, structs

from pillarbox.codec.records import refuse_mistyped
from pillarbox.errors import MISTYPED

T = TypeVar("T")
Row = TypeVar("Row", bound=Struct)


class PatchSet(Struct, Generic[T], frozen=True, array_like=True, gc=False, tag=1):
    """The field becomes this."""

    value: T

    def of(self, _old: Any, _default: Any) -> Any:
        """The new value of a field that was `_old`."""
        return self.value


class PatchUnset(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """The field becomes what it is when nothing is given: none, empty, or its default."""

    def of(self, _old: Any, default: Any) -> Any:
        """The new value of a field that was `_old`."""
        return default


class PatchMax(Struct, Generic[T], frozen=True, array_like=True, gc=False, tag=3):
    """The field becomes this, unless it is greater."""

    value: T

    def of(self, old: Any, _default: Any) -> Any:
        """The new value of a field that was `old`."""
        return self.value if old is None else max(old, self.value)


class PatchMin(Struct, Generic[T], frozen=True, array_like=True, gc=False, tag=4):
    """The field becomes this, unless it is less."""

    value: T

    def of(self, old: Any, _default: Any) -> Any:
        """The new value of a field that was `old`."""
        return self.value if old is None else min(old, self.value)


class PatchAdd(Struct, frozen=True, array_like=True, gc=False, tag=5):
    """The field grows by this; one that is none counts as 0."""

    amount: int

    def of(self, old: Any, _default: Any) -> Any:
        """The new value of a field that was `old`."""
        return (old or 0) + self.amount


class PatchFlags(Struct, frozen=True, array_like=True, gc=False, tag=6):
    """Flags are set and cleared; what is both ends up clear."""

    set: int = 0
    clear: int = 0

    def of(self, old: Any, _default: Any) -> Any:
        """The new value of a field that was `old`."""
        return (old | self.set) & ~self.clear


def patched(row: Row, patch: Struct) -> Row:
    """The row or record with the changes of a patch; itself where there are none.

    Raises RangeError for a change that the patch does not offer for the field, or of another type.
    """
    struct: Any = type(row)
    changes, defaults = {}, _defaults(struct)
    try:
        for name in patch.__struct_fields__:
            change = getattr(patch, name)
            if change is not None:
                changes[name] = change.of(getattr(row, name), defaults.get(name))
    except MISTYPED:
        refuse_mistyped([patch, row])
        raise
    return structs.replace(row, **changes) if changes else row


@cache
def _defaults(struct: Any) -> dict[str, Any]:
    """What the fields are that are not given, where they may be left out."""
    return {field.name: field.default for field in structs.fields(struct) if field.default is not NODEFAULT}
