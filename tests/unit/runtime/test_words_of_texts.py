"""Words of texts: folded, spelled in Latin letters, parted where scripts part nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbox.expr import tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("One one  ONE, two!", ("one", "two")),
        ("Crème BRÛLÉE", ("creme", "brulee")),
        ("straße ﬁne ½", ("strasse", "fine", "1", "2")),
        ("x_y 1st #tag", ("x", "y", "1st", "tag")),
        ("Привет, ёжик", ("привет", "privet", "ежик", "ezhik")),
        ("ψυχή", ("ψυχη", "psychi")),
        ("東京 タワー", ("東", "京", "タ", "ワ", "ー")),
        ("ガス", ("カ", "ス")),
        ("한국어", ("한국어",)),
        ("a東b", ("a", "東", "b")),
    ],
)
def test_words_are_folded_and_spelled(text: str, words: tuple[str, ...]) -> None:
    assert tokens(text) == words


@given(st.text())
def test_words_of_words_are_the_words(text: str) -> None:
    """Whoever looks for a word asks by the words of what was typed."""
    words = tokens(text)

    assert set(tokens(" ".join(words))) == set(words)


@given(st.text(), st.text())
def test_words_of_a_longer_text_hold_those_of_its_parts(one: str, other: str) -> None:
    assert set(tokens(one)) <= set(tokens(f"{one} {other}"))
    assert len(tokens(one)) == len(set(tokens(one)))
