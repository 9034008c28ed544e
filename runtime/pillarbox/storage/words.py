"""Words: how texts are cut into them, and what a search asks for.

Depends on: errors, apsw (its cutter is the index's own).  Never on: engines and tables.

Law: a text is found by a `Search` exactly when every word of the search is in it, in the order within each
word's own pieces, the last one as the beginning of a word, and it has every mark asked for. Upper case,
accents and punctuation make no difference; no text of a search is an error.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import apsw

from pillarbox.errors import UsageError

#: The cutter of every index of words. What it cuts like is stored in boxes: it never changes.
TOKENIZER: Final = ("unicode61", "remove_diacritics", "2")
#: A text lies in a packed row of its own: behind the flags and the length.
TEXT_AT: Final = 5

#: Begins a mark. It is a letter to the cutter, and no text keeps it.
_MARK: Final = "\ue000"
_FORBIDDEN: Final = re.compile(f"[{_MARK}\0]")
#: Scripts written without spaces: each of their letters is a word, and a run of them a phrase.
_UNSPACED: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff])"
)
_cutters = threading.local()


def marked(text: str, marks: Sequence[str] = ()) -> str:
    """A text as it is stored for an index: its marks in front, then its words."""
    return " ".join((*(f"{_MARK}{mark}" for mark in marks), _spaced(text)))


def stored_text(value: bytes) -> str:
    """The text in a stored value."""
    return value[TEXT_AT:].decode("utf-8", "replace")


def mark(part: int, value: object) -> str:
    """What a filter's part says of a row, as one word: `part` counts the parts, a value is an int or text."""
    if isinstance(value, bytes | str):
        raw = value.encode() if isinstance(value, str) else value
        return f"{part}x{raw.hex()}"
    number = int(value)  # type: ignore[call-overload]  # a filter's parts are numbers and texts
    return f"{part}m{-number}" if number < 0 else f"{part}p{number}"


def words_of(text: str) -> list[str]:
    """The words that the index sees in a stored text."""
    cutter = getattr(_cutters, "cut", None)
    if cutter is None:
        _cutters.connection = apsw.Connection(":memory:")  # which the cutter belongs to
        cutter = _cutters.cut = _cutters.connection.fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))
    found: list[Any] = cutter(
        text.encode("utf-8", "replace"), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False
    )
    return [words[0] for words in found]


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for. Without phrases it finds nothing."""

    #: Words that stand beside each other; of the last phrase, the last word may go on.
    phrases: tuple[tuple[str, ...], ...]
    marks: tuple[str, ...] = ()

    def expression(self) -> str:
        """As the index takes it."""
        quoted = [f'"{_MARK}{mark}"' for mark in self.marks]
        quoted += [f'"{" ".join(phrase)}"' for phrase in self.phrases]
        return f"{' AND '.join(quoted)} *"

    def finds(self, text: str) -> bool:
        """Whether a stored text is found."""
        words = words_of(text)
        if not self.phrases or not all(f"{_MARK}{mark}" in words for mark in self.marks):
            return False
        *whole, last = self.phrases
        return all(_stands(phrase, words) for phrase in whole) and _begins(last, words)

    def weight(self, text: str) -> int:
        """At how many places of a stored text something begins that is looked for."""
        words = words_of(text)
        *whole, last = self.phrases
        tails = [words[at:] for at in range(len(words))]
        found = sum(_stands(phrase, tail[: len(phrase)]) for phrase in whole for tail in tails)
        return found + sum(_begins(last, tail[: len(last)]) for tail in tails)


def search_for(text: str, marks: Sequence[str] = ()) -> Search:
    """The search for any text. What is between spaces is looked for as it stands there.

    Raises UsageError for what is no text.
    """
    if not isinstance(text, str):
        raise UsageError(f"a search is for a text, and this is for {text!r}; give words as a str")
    cut = (words_of(_spaced(word)) for word in text.split())
    return Search(tuple(tuple(words) for words in cut if words), tuple(marks))


def _spaced(text: str) -> str:
    return _UNSPACED.sub(r" \1 ", _FORBIDDEN.sub(" ", text))


def _stands(phrase: Sequence[str], words: Sequence[str]) -> bool:
    size = len(phrase)
    return any(tuple(words[at : at + size]) == phrase for at in range(len(words) - size + 1))


def _begins(phrase: Sequence[str], words: Sequence[str]) -> bool:
    *before, last = phrase
    size = len(before)
    return any(
        words[at + size].startswith(last) and list(words[at : at + size]) == before
        for at in range(len(words) - size)
    )
