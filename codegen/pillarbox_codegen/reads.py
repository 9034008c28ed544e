"""Which names a piece of generated Python reads, found much faster than by `ast`.

Depends on: outer_tokens.  Never on: the model, plans.

Law: a name is found where `ast` finds it read; so attributes, names of arguments, variables that are set,
types and words in texts do not count. Targets of loops, parameters of lambdas and what is set with others do.
It is asked of the statements that are printed in the end, and not noted while expressions are compiled: what
stands under conditions that never hold is compiled as well, and goes.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from pillarbox_codegen.outer_tokens import STRING

#: What is passed over, texts, the types of variables and the words that begin a statement, or a name that is
#: no attribute, and is neither set nor that of an argument.
_NAME: Final = re.compile(
    rf"(?<!\w)[bBrR]{{0,2}}{STRING}|^ *\w++: .*?(?= = )|^ *(?:match|case) (?=.*:$)"
    r"|(?<![\w.])(?P<name>[^\W\d]\w*+)(?! ?[-+|:]?=(?!=))"
)
_KEYWORDS: Final = frozenset({*keyword.kwlist, "_"})


def reads(lines: Sequence[str]) -> Counter[str]:
    """name -> how often these statements read it."""
    found = Counter(match["name"] for line in lines for match in _NAME.finditer(line))
    return Counter({name: often for name, often in found.items() if name and name not in _KEYWORDS})


def is_read(name: str, lines: Sequence[str]) -> bool:
    """Whether these statements read the name."""
    return name in reads([line for line in lines if name in line])


def parameter(name: str, lines: Sequence[str]) -> str:
    """The name of a parameter or loop above these statements: `_name` where they do not read it."""
    return name if is_read(name, lines) else f"_{name}"
