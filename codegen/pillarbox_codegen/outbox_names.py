"""What the word `outbox` calls the declarations that it stands for.

Depends on: names.  Never on: what is declared.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen.names import class_name

#: The entry that tells where rows stand; all others are kinds of wishes.
TABLE_WORD: Final = "table"
TABLE: Final = "outbox"
GROUPS: Final = "outbox_groups"
NUMBERS: Final = "outbox_numbers"
VIEW: Final = "outbox_rows"
#: Its parameter.
LIMIT: Final = "limit"
#: The union of all payloads.
PAYLOAD: Final = "Outgoing"
CANCEL: Final = "cancel_outgoing"
#: Variables of the operations that write rows.
VARIABLES: Final = ("group", "newest", "old")


def case_of(entry: str) -> str:
    """`set_state` -> `OutgoingSetState`: the payload's case."""
    return f"{PAYLOAD}{class_name(entry)}"


def enqueue_of(entry: str) -> str:
    """`set_state` -> `enqueue_set_state`: the operation that writes a row."""
    return f"enqueue_{entry}"
