"""Decoding a record piece by piece, for the rows that hold a union case nobody here knows.

Depends on: unknown, msgspec.  Never on: tables, errors; the caller knows the place and the remedy.

Law: what msgspec's own decoder accepts, a walk decodes to the same value; where that one refuses, a walk
answers only if unknown cases were the one reason.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, Union, get_args, get_origin

import msgspec

from pillarbox.codec.unknown import Unknown

#: Any msgpack value, as the bytes it lies in.
Encoded: TypeAlias = bytes | msgspec.Raw
Walk: TypeAlias = Callable[[Encoded], Any]

_NIL: Final = b"\xc0"
_items: Final = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_tag: Final = msgspec.msgpack.Decoder(int).decode


class WrongBytes(Exception):
    """The bytes are not of the type. Says where, from the outside in."""


def has_union(annotation: Any) -> bool:
    """Whether a tagged struct is somewhere in the type."""
    return _has_union(annotation, set())


def _has_union(annotation: Any, seen: set[Any]) -> bool:
    if _is_struct(annotation):
        if _tag_of(annotation) is not None:
            return True
        if annotation in seen:
            return False
        seen.add(annotation)
        return any(_has_union(field.type, seen) for field in msgspec.structs.fields(annotation))
    return any(_has_union(part, seen) for part in get_args(annotation))


def walk_of(annotation: Any) -> Walk:
    """The walk of a type made of structs, unions of tagged structs, tuples, and what holds no union."""
    return _walk_of(annotation, {})


def _walk_of(annotation: Any, known: dict[Any, Walk]) -> Walk:
    if not has_union(annotation):
        decode: Walk = msgspec.msgpack.Decoder(annotation).decode
        return decode
    if _is_struct(annotation) and _tag_of(annotation) is None:
        return _struct_walk(annotation, known)
    if get_origin(annotation) is tuple:
        return _tuple_walk(get_args(annotation), known)
    members = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
    present = [member for member in members if member is not types.NoneType]
    is_case = _is_struct(present[0]) and _tag_of(present[0]) is not None
    walk = _union_walk(present, known) if is_case else _walk_of(present[0], known)
    if len(present) == len(members):
        return walk
    return lambda data: None if bytes(data) == _NIL else walk(data)


def _struct_walk(struct: Any, known: dict[Any, Walk]) -> Walk:
    if struct in known:
        return known[struct]
    fields: list[tuple[str, Walk]] = []
    places = enumerate(msgspec.structs.fields(struct), start=1)
    required = max((place for place, field in places if field.required), default=0)

    def walk(data: Encoded) -> Any:
        items = _items(data)[1:] if _tag_of(struct) is not None else _items(data)
        if len(items) < required:
            raise WrongBytes(f"{_name_of(struct)} has {len(items)} fields, it needs {required}")
        values = {}
        for (name, field), item in zip(fields, items, strict=False):  # either side may know more fields
            try:
                values[name] = field(item)
            except (WrongBytes, ValueError) as error:
                raise WrongBytes(f"{_name_of(struct)}.{name}: {error}") from error
        return struct(**values)

    known[struct] = walk  # before its fields, for one of them may hold the struct again
    fields += [(field.name, _walk_of(field.type, known)) for field in msgspec.structs.fields(struct)]
    return walk


def _tuple_walk(parts: tuple[Any, ...], known: dict[Any, Walk]) -> Walk:
    if parts[1:] == (Ellipsis,):
        each = _walk_of(parts[0], known)
        return lambda data: tuple(map(each, _items(data)))
    walks = [_walk_of(part, known) for part in parts]

    def walk(data: Encoded) -> Any:
        items = _items(data)
        if len(items) != len(walks):
            raise WrongBytes(f"an array of {len(items)}, where {len(walks)} belong")
        return tuple(one(item) for one, item in zip(walks, items, strict=True))

    return walk


def _union_walk(members: Sequence[Any], known: dict[Any, Walk]) -> Walk:
    cases = {_tag_of(member): _struct_walk(member, known) for member in members}

    def walk(data: Encoded) -> Any:
        items = _items(data)
        if not items:
            raise WrongBytes("a union case without its number")
        tag = _tag(items[0])
        case = cases.get(tag)
        return Unknown(tag, bytes(data)) if case is None else case(data)

    return walk


def _is_struct(annotation: Any) -> bool:
    """Whether it is a struct, or one of a type parameter such as `PatchSet[str]`."""
    struct = get_origin(annotation) or annotation
    return isinstance(struct, type) and issubclass(struct, msgspec.Struct)


def _tag_of(struct: Any) -> Any:
    return (get_origin(struct) or struct).__struct_config__.tag


def _name_of(struct: Any) -> str:
    return str((get_origin(struct) or struct).__name__)
