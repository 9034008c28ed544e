"""How many rows a part shows.

Depends on: arguments.  Never on: parts, which ask.

Law: a number below 0 shows none, whoever gave it: a row may, and a live view does not end for what rows hold.
"""

from __future__ import annotations

from pillarbox.arguments import misused


def amount(name: str, given: int) -> int:
    """The number `given`, or 0. Raises UsageError for what is no int, which only a view key can give."""
    if not isinstance(given, int):
        raise misused(f"the `{name}` that the key of this view gives", given, "an int of 0 or more")
    return max(0, given)
