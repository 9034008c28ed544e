"""What happened in a run, and what it broke.

Depends on: nothing.

Law: the trace of a run is a function of its seed, to the letter.
"""

from __future__ import annotations

from collections import Counter


class Violation(Exception):
    """A law that did not hold, by the number it has in docs/simulator.md."""

    def __init__(self, rule: str, text: str) -> None:
        super().__init__(f"{rule}: {text}")
        self.rule = rule


class Trace:
    """Lines of (time, who, what); nothing is kept unless somebody wants to read it."""

    def __init__(self, *, keeps: bool) -> None:
        self.keeps = keeps
        self.lines: list[str] = []
        #: What happened -> how often.
        self.counts: Counter[str] = Counter()

    def say(self, now: int, who: str, what: str, *things: object) -> None:
        """Note something; `things` are shown one after the other."""
        self.counts[what] += 1
        if self.keeps:
            self.lines.append(f"{now:>8} {who:<8} {what} {' '.join(map(_short, things))}".rstrip())


def _short(thing: object) -> str:
    text = thing if isinstance(thing, str) else repr(thing)
    return text if len(text) <= 400 else f"{text[:397]}..."
