"""Instances that are asked about together, and when what was brought is all that was seen to be missing.

Depends on: inquiry, drafts, decide.  Never on: the queue, jobs, clocks.

Law: of two debts of one instance that which asks for more stands for both (sync.md K-13).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pillarbox.sync.claims import Instance
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft, lower
from pillarbox.sync.inquiry import Found, Inquiry


class Round:
    """Instances that are asked about together."""

    def __init__(self, debts: Iterable[Owed], since: Mapping[Instance, int]) -> None:
        self.owed = {owed.debt.instance: owed for owed in debts}
        #: Since which draft each of them is owed, 0: nobody knows. A row of another draft is another debt.
        self.since = {instance: since.get(instance, 0) for instance in self.owed}
        self.inquiries: dict[Instance, Inquiry] = {}
        self.found: dict[Instance, Found] = {}
        #: Of these what was refused in this session; the round may end in another one.
        self.stopped: set[Instance] = set()
        #: Owed once more since it is asked about.
        self.again: dict[Instance, Owed] = {}
        #: Of these such as are not to be asked about at once.
        self.put_off: set[Instance] = set()
        #: Forgotten since it is asked about: the answer is to a question that nobody has.
        self.forgotten: set[Instance] = set()
        #: Whether its answers are being written.
        self.is_over = False


def both(first: Owed | None, second: Owed) -> Owed:
    """The lower hint, the farther top."""
    if first is None:
        return second
    top = None
    if first.top is not None and second.top is not None and first.top[0] == second.top[0]:
        top = max(first.top, second.top)
    return Owed(lower(first.debt, second.debt), top)


def reaches(found: Found, owed: Owed) -> bool:
    """Whether what was brought goes as far as what was seen to be missing."""
    if found.draft is None or owed.top is None:
        return False
    part, value = owed.top
    draft = found.draft
    try:
        sets = (
            draft.sets.get(found.instance, {})
            if isinstance(draft, BatchDraft)
            else draft.spec.set(draft.key, draft.answers)
        )
        return sets.get(part) is not None and bool(sets[part] >= value)
    except Exception:  # The transaction reads the same answers, and says what is wrong with them.
        return False
