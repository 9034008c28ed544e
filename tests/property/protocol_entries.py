"""Random expressions and entries of `emits` as text, each beside what it means.

Depends on: hypothesis.  Never on: the generator, the runtime; operations and acts are tuples here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

#: Values of fields by name.
Env: TypeAlias = Mapping[str, Any]
#: ("set_row", a, b, x), ("drop", a), ("poll", cursor, key, hint), ("reset", name).
Told: TypeAlias = tuple[Any, ...]

#: What every update, container and answer has.
FIELDS: Final = (
    "{a: [1, int32], b: [2, int32], x: [3, int64], end: [4, int64], count: [5, int32], first: [6, int64], "
    "flag: [7, bool], many: [8, list<int32>], maybe: [9, opt<int32>], mode: [10, Mode], prev: [11, text], "
    "next: [12, text]"
)
MODES: Final = ("plain", "loud", "odd")
ACCOUNT, BOX = 110, 111


@dataclass(frozen=True)
class Expr:
    """An expression, and its value."""

    text: str
    value: Callable[[Env], Any]


@dataclass(frozen=True)
class Entry:
    """One of `emits`."""

    text: str
    told: Callable[[Env], Sequence[Told]]


def ints(names: tuple[str, ...]) -> st.SearchStrategy[Expr]:
    """Of fields, numbers, sums, and values for what may be absent."""
    leaf = st.sampled_from(names).map(lambda name: Expr(name, lambda env: env[name]))
    leaf |= st.integers(0, 3).map(lambda n: Expr(str(n), lambda _: n))
    some = leaf.map(
        lambda other: Expr(
            f"(maybe // {other.text})",
            lambda env: other.value(env) if env["maybe"] is None else env["maybe"],
        )
    )
    size = st.just(Expr("size(many)", lambda env: len(env["many"])))
    either = st.tuples(conditions(), leaf, leaf).map(
        lambda it: Expr(
            f"(if {it[0].text} then {it[1].text} else {it[2].text})",
            lambda env: it[1].value(env) if it[0].value(env) else it[2].value(env),
        )
    )
    return st.one_of(leaf, leaf, some, size, either)


def conditions() -> st.SearchStrategy[Expr]:
    plain = (
        Expr("flag", lambda env: env["flag"]),
        Expr("not flag", lambda env: not env["flag"]),
        Expr(
            "maybe is present and maybe > a", lambda env: env["maybe"] is not None and env["maybe"] > env["a"]
        ),
        Expr("a == 1 or b == 1", lambda env: env["a"] == 1 or env["b"] == 1),
        Expr("mode == loud", lambda env: env["mode"] == 1),
        Expr("size(many) > 0", lambda env: len(env["many"]) > 0),
    )
    return st.sampled_from(plain)


def guarded(text: str, when: Expr | None, told: Callable[[Env], Sequence[Told]]) -> Entry:
    if when is None:
        return Entry(f"{{{text}}}", told)
    return Entry(f'{{{text}, when: "{when.text}"}}', lambda env: told(env) if when.value(env) else ())


@st.composite
def operation(draw: st.DrawFn, names: tuple[str, ...] = ("a", "b")) -> Entry:
    """An operation, once or for each of a list."""
    when = draw(st.none() | conditions())
    each = draw(st.booleans())
    names = (*names, "m") if each else names
    a, b, x = (draw(ints(names)) for _ in range(3))
    text = f'set_row: {{a: "{a.text}", b: "{b.text}", x: "{x.text}"}}'

    def one(env: Env) -> Told:
        return "set_row", a.value(env), b.value(env), x.value(env)

    if not each:
        return guarded(text, when, lambda env: [one(env)])
    return guarded(f"{text}, each: many as m", when, lambda env: [one({**env, "m": m}) for m in env["many"]])


@st.composite
def act(draw: st.DrawFn, names: tuple[str, ...] = ("a", "b")) -> Entry:
    """A poll of one cursor or the other, or a recipe."""
    when = draw(st.none() | conditions())
    match draw(st.sampled_from(("poll", "poll keyed", "reset"))):
        case "poll":
            return guarded("poll: account", when, lambda _: [("poll", ACCOUNT, None, None)])
        case "reset":
            return guarded("reset: everything", when, lambda _: [("reset", "everything")])
    key, hint = draw(ints(names)), draw(st.none() | st.sampled_from(("end", "maybe")))
    text = f'poll: box, key: "{key.text}"' + ("" if hint is None else f", hint: {hint}")
    return guarded(
        text, when, lambda env: [("poll", BOX, key.value(env), None if hint is None else env[hint])]
    )


@st.composite
def switch(draw: st.DrawFn) -> Entry:
    """Entries by the value of an enum."""
    cases = {mode: draw(st.lists(operation() | act(), max_size=2)) for mode in MODES}
    left_out = draw(st.none() | st.sampled_from(MODES))
    other = draw(st.lists(operation(), max_size=1))
    inner = ", ".join(
        f"{mode}: [{', '.join(it.text for it in entries)}]"
        for mode, entries in cases.items()
        if mode != left_out
    )
    rest = "" if left_out is None else f", other: [{', '.join(it.text for it in other)}]"

    def told(env: Env) -> Sequence[Told]:
        mode = MODES[env["mode"]]
        entries = other if mode == left_out else cases[mode]
        return [one for entry in entries for one in entry.told(env)]

    return Entry(f"{{switch: mode, cases: {{{inner}}}{rest}}}", told)
