"""How many rows a part shows.

Depends on: arguments.  Never on: parts, which ask.

Law: a number below 0 is refused where the view key alone gave it, when the view is opened or moved; of rows,
which anybody may write while it is live, it shows none.
"""

from __future__ import annotations

from pillarbox.arguments import refuse_no_number


def amount(name: str, given: int, depends: int) -> int:
    """The number `given`, which rows had a say in where `depends` is not 0. Raises UsageError."""
    if depends and isinstance(given, int):
        return max(0, given)
    refuse_no_number(f"the `{name}` that the key of this view gives", given, 0)
    return given
