"""A union case that this package does not know.

Depends on: nothing.  Never on: how it was found.

Law: it encodes to the bytes it was decoded from.
"""

from __future__ import annotations

from typing import NoReturn


class Unknown:
    """Stands where a newer package wrote a case with the number `tag`; `raw` is all of its msgpack.

    Immutable and hashable, as the cases themselves are. No Struct and no dataclass: msgspec would write
    those by itself, as something else.
    """

    __slots__ = ("raw", "tag")
    tag: int
    raw: bytes

    def __init__(self, tag: int, raw: bytes) -> None:
        object.__setattr__(self, "tag", tag)
        object.__setattr__(self, "raw", raw)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Unknown is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Unknown is immutable: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unknown) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return f"Unknown(tag={self.tag}, raw=0x{self.raw.hex()})"

    def __reduce__(self) -> tuple[type[Unknown], tuple[int, bytes]]:
        return Unknown, (self.tag, self.raw)
