"""What a name may be: names become code, so they are words of two narrow alphabets and of no other meaning.

Depends on: nothing.  Never on: where the name stands.

Law: a name that passes is a Python identifier, and no word of Python, YAML or the expressions.
"""

from __future__ import annotations

import builtins
import keyword
import re
from typing import Final

NAME_MAX: Final = 60

_SNAKE: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_CAMEL: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_YAML_WORDS: Final = frozenset({"on", "off", "yes", "no", "null"})

#: Words of expressions; a field of that name could not be read in one.
EXPRESSION_WORDS: Final = frozenset({"then", "has", "true", "false", "none", "seeds"})

#: Functions of expressions; `name(` is a call of one, so no table may have the name.
FUNCTIONS: Final = frozenset(
    {"min", "max", "bits", "flags", "size", "first", "last", "any", "concat", "join", "make", "case",
     "count", "sum", "every", "floor", "ceiling", "spans", "tokens", "cases", "matches",
     "div", "encoded", "changed", "having", "mod", "without"}
)  # fmt: skip

#: Names that read like a digit; linters refuse them where something is defined.
AMBIGUOUS: Final = frozenset({"l", "I", "O"})

#: The generated code could not name these classes of Python any more.
TAKEN_CLASSES: Final = frozenset(name for name in dir(builtins) if name[0].isupper())


def snake_problem(name: str) -> tuple[str, str] | None:
    """(what is wrong, what to do) of a name in snake_case, or none."""
    if len(name) > NAME_MAX:
        return f"the name is {len(name)} characters long, at most {NAME_MAX} are read", "choose a shorter one"
    if not _SNAKE.fullmatch(name):
        text = f"`{name}` is not a name in snake_case"
        return text, "use a-z, 0-9 and single underscores between them, beginning with a letter"
    if name in _YAML_WORDS:
        return f"YAML readers take `{name}` for a value", "choose another name"
    if keyword.iskeyword(name) or name in EXPRESSION_WORDS:
        return f"`{name}` is a word of the language", f"choose another name, such as `{name}_value`"
    return None


def camel_problem(name: str) -> tuple[str, str] | None:
    """(what is wrong, what to do) of a type's or union case's name in CamelCase, or none."""
    if len(name) > NAME_MAX:
        return f"the name is {len(name)} characters long, at most {NAME_MAX} are read", "choose a shorter one"
    if not _CAMEL.fullmatch(name):
        text = f"`{name}` is not a name in CamelCase"
        return text, "use A-Z, a-z and 0-9, beginning with a capital letter"
    if name in TAKEN_CLASSES:
        return f"`{name}` is a class of Python", "choose another name"
    return None


def class_name(name: str) -> str:
    """The class generated for a name in snake_case: `by_label` -> `ByLabel`."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def snake(name: str) -> str:
    """`FileId` -> `file_id`, `HTTPLink2` -> `http_link2`."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return split.lower()
