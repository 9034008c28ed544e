"""What the server has of box-wide cursors, as far as is known, and the box has not.

Depends on: signals.  Never on: the queue, jobs, clocks.

Law: a cursor that is asked about is behind until that ends. One that the server refuses to speak of for good
stays so, whoever asks anew, until an answer about it is no such refusal (sync.md Q6, D-4).
"""

from __future__ import annotations

from pillarbox.sync.signals import Refusal


class Behind:
    """The cursors that are behind, and those that are refused."""

    def __init__(self) -> None:
        #: Why asking was given up; None: it is asked.
        self._cursors: dict[int, str | Refusal | None] = {}
        self._refused: dict[int, Refusal] = {}

    @property
    def may_be_told(self) -> bool:
        """Whether one is behind that the server may speak of."""
        return not self._cursors.keys() <= self._refused.keys()

    @property
    def refusal(self) -> Refusal | None:
        """Of the one that was refused first."""
        return next(iter(self._refused.values()), None)

    @property
    def is_asked(self) -> bool:
        """Whether any is asked about."""
        return None in self._cursors.values()

    @property
    def errors(self) -> str | None:
        """Why asking was given up, for all of them."""
        errors = {it.code if isinstance(it, Refusal) else it for it in self._cursors.values()}
        return "; ".join(sorted(filter(None, errors))) or None

    def why(self, cursor: int) -> str | Refusal | None:
        """Why asking was given up, if it was."""
        return self._cursors.get(cursor)

    def ask(self, cursor: int) -> None:
        """It is asked about, or will be."""
        self._cursors[cursor] = None

    def answered(self, cursor: int) -> None:
        """The server says something about it, whatever it is."""
        self._refused.pop(cursor, None)

    def over(self, cursor: int, error: str | Refusal | None) -> None:
        """It is asked about no more: all is there, or it was given up."""
        if isinstance(error, Refusal):
            self._refused[cursor] = error
        else:
            self.answered(cursor)
        if error is None:
            self._cursors.pop(cursor, None)
        else:
            self._cursors[cursor] = error
