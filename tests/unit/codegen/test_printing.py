"""Schema text in generated code: one literal, one docstring or one comment, whatever it says."""

from __future__ import annotations

import ast
import io
import tokenize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pillarbox_codegen import printing

HOSTILE = [
    '"""', "'''", "\\", '\\"', 'ends in "', '"begins', "a\nb", "a\r\nb\x00c", "*/ -->", "# noqa",
    "{{ x }} {% endif %} {# #}", "# type: ignore", "\u202e reversed \u2066", "\ud800", "é 中文 \U0001f600",
    "\N{BULLET}", "%s {0} $x",
]  # fmt: skip
texts = (
    st.text(max_size=40)
    | st.sampled_from(HOSTILE)
    | st.lists(st.sampled_from(HOSTILE), max_size=4).map(" ".join)
)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
    | st.binary(),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
)


@given(value=values)
def test_a_literal_evaluates_to_its_value(value: object) -> None:
    text = printing.literal(value)

    assert ast.literal_eval(text) == value
    assert "\n" not in text


def test_a_value_without_a_literal_is_refused() -> None:
    with pytest.raises(TypeError):
        printing.literal([1])


@given(text=texts.filter(str.strip), indent=st.sampled_from([0, 4, 8]))
@example(text='"""', indent=0)
@example(text="\\", indent=4)
def test_a_docstring_is_one_docstring_and_says_every_word(text: str, indent: int) -> None:
    margin = " " * indent
    heads = "".join(f"{' ' * at}class C:\n" for at in range(0, indent, 4))

    source = f"{heads}{margin}{printing.docstring(text, indent)}\n{margin}x = 1\n"

    tree = ast.parse(source.encode("utf-8", "surrogatepass"))
    body: list[ast.stmt] = tree.body
    for _ in range(indent // 4):
        assert isinstance(body[0], ast.ClassDef)
        body = body[0].body
    assert len(body) == 2
    assert isinstance(body[0], ast.Expr)
    assert isinstance(body[0].value, ast.Constant)
    assert all(
        printing.width(line) <= printing.WIDTH or " " not in line.strip() for line in source.split("\n")
    )
    if text.isprintable() and '"""' not in text:
        assert str(body[0].value.value).split() == text.split()


@given(text=texts.filter(str.strip), indent=st.sampled_from([0, 4]))
def test_comment_lines_are_comments_and_give_no_orders(text: str, indent: int) -> None:
    lines = printing.comment(text, indent, mark="#:")

    source = "\n".join([*lines, " " * indent + "pass"])
    found = list(tokenize.generate_tokens(io.StringIO(source.encode("utf-8", "replace").decode()).readline))
    assert sum(token.type == tokenize.COMMENT for token in found) == len(lines)
    assert not any("# noqa" in line or "# type:" in line for line in lines)


def test_numbers_within_names_sort_as_numbers() -> None:
    names = ["a_10", "a_2", "INT16_BIAS", "INT8_BIAS", "Zebra", "apple", "T", "Apple"]

    ordered = sorted(names, key=printing.member_order)

    assert ordered == ["INT8_BIAS", "INT16_BIAS", "Apple", "T", "Zebra", "a_2", "a_10", "apple"]
