"""What expressions of a schema need where plain Python would be long or would compute something twice.

Depends on: nothing.  Never on: tables, rows; generated code calls these with plain values.

Law: total and pure: every call ends, with a value that depends on its arguments alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Generic, NamedTuple, Never, TypeVar

T = TypeVar("T")
R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")

_UINT64_MAX: Final = (1 << 64) - 1


@lru_cache(maxsize=4096)
def bits(flags: int) -> tuple[int, ...]:
    """The flags that are set, each alone, lowest first: 13 gives (1, 4, 8). Flags have up to 64 bits."""
    left = flags & _UINT64_MAX
    found = []
    while left:
        lowest = left & -left
        found.append(lowest)
        left ^= lowest
    return tuple(found)


def first(items: Sequence[T]) -> T | None:
    """The first item, or None."""
    return items[0] if items else None


def last(items: Sequence[T]) -> T | None:
    """The last item, or None."""
    return items[-1] if items else None


def join(*lists: Iterable[T]) -> tuple[T, ...]:
    """The items of all lists in order, each where it comes first. Items are hashable."""
    return tuple(dict.fromkeys(chain.from_iterable(lists)))


def surely(value: T | None) -> T:
    """The value, which a condition has shown to be there where a type checker could not follow."""
    assert value is not None
    return value


def unreachable() -> Never:
    """What stands where a condition has shown a value to be there, in its place if it were not."""
    raise AssertionError("a condition has shown that a value is there, and it is not")


def as_case(value: object, case: type[T]) -> T:
    """The value of a union, which a condition has shown to be of this case."""
    assert isinstance(value, case)
    return value


def of_case(value: object, case: type[T]) -> T | None:
    """The value of a union where it is of this case, or None."""
    return value if isinstance(value, case) else None


def of_cases(values: Iterable[object], case: type[T]) -> tuple[T, ...]:
    """The values of a union that are of this case, in order."""
    return tuple([value for value in values if isinstance(value, case)])


def in_bag(bag: Iterable[object], case: type[T]) -> T | None:
    """The value of this case in a bag, or None."""
    for value in bag:
        if isinstance(value, case):
            return value
    return None


def kept_in_list(old: Iterable[T], new: Iterable[T], case: type[T]) -> tuple[T, ...]:
    """The new list with the old one's values of this case in place of its own, the first for the first."""
    kept = iter([value for value in old if isinstance(value, case)])
    return tuple(next(kept, value) if isinstance(value, case) else value for value in new)


class Span(NamedTuple, Generic[K, V]):
    """The least and the greatest value of one group."""

    key: K
    least: V
    greatest: V


def spans(rows: Iterable[T], key: Callable[[T], K], of: Callable[[T], V | None]) -> tuple[Span[K, V], ...]:
    """A span for each group of the rows, in the order of their first; values that are None do not count."""
    found: dict[K, Span[K, V]] = {}
    for row in rows:
        value: Any = of(row)
        if value is None:
            continue
        group = key(row)
        span = found.get(group)
        if span is None:
            found[group] = Span(group, value, value)
        else:
            found[group] = Span(group, min(span.least, value), max(span.greatest, value))
    return tuple(found.values())


# --------------------------------------------------------------------------------------------- words

#: Scripts that part no words: each of their letters is one.
_LONE: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD: Final = re.compile(f"[{_LONE}]|[^\\W_{_LONE}]+")

#: How letters are spelled in Latin ones; they come folded, so without marks and in lower case.
_LATIN: Final = str.maketrans(
    dict(
        zip(
            "абвгдезиклмнопрстуфыэєіґαβγδεζηικλμνξοπρστυφω",
            "abvgdeziklmnoprstufyeeigavgdeziiklmnxoprstyfo",
            strict=True,
        )
    )
    | {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "", "ю": "yu"}
    | {"я": "ya", "θ": "th", "χ": "ch", "ψ": "ps"}
)


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text, each once: without case and marks, and in Latin letters beside others.

    What is written without blanks between words gives a word for each letter.
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    found: dict[str, None] = {}
    for word in _WORD.findall(unicodedata.normalize("NFC", plain)):
        found[word] = None
        if not word.isascii() and (latin := word.translate(_LATIN)):
            found[latin] = None
    return tuple(found)


def let(value: T, body: Callable[[T], R]) -> R:
    """`body(value)`: names a value where Python allows no assignment."""
    return body(value)
