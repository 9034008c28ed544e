"""What came of a run, for people and for programs.

Depends on: msgspec, pillarbox.errors.  Never on: how a run works.

Law: read = written + quarantined, in records; a Report of anything else cannot be made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from pillarbox.errors import DataError

_MIB = 1 << 20
#: Characters of what adapters say that stand in a line for people: of a reason, and of what was skipped.
_REASON_MAX: Final = 60
_SKIPPED_MAX: Final = 300


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of one run."""

    package: str
    source: str
    #: `inline` or `spark`; which Java that ran on, where it needs one.
    engine: str
    java: str | None
    #: Of the input, as it lies on disk.
    files: int
    input_bytes: int
    #: Records. What was written was so as a whole.
    read: int
    written: int
    #: Records by reason.
    quarantined: Mapping[str, int]
    #: What the index left out on purpose, and why; how often.
    skipped: Mapping[str, int]
    #: Rows of each primary table.
    tables: Mapping[str, int]
    #: By stage, in the order they ran.
    seconds: Mapping[str, float]
    shards: int
    #: Where it is: the folder of the manifest, and the box that its shards were merged into.
    out: str
    into: str | None

    def __post_init__(self) -> None:
        """Refuse figures that do not add up."""
        quarantined = sum(self.quarantined.values())
        if self.read != self.written + quarantined:
            raise DataError(
                f"{self.out}: {self.read:,} records were read, but {self.written:,} written and "
                f"{quarantined:,} quarantined; nothing was committed. Please report this with the input"
            )

    @property
    def seconds_all(self) -> float:
        """Of all stages."""
        return sum(self.seconds.values())

    @property
    def records_a_second(self) -> float:
        """Of all stages too."""
        return self.read / self.seconds_all if self.seconds_all else 0.0

    def to_tree(self) -> dict[str, object]:
        """As plain data: the fields, and `records_a_second`."""
        seconds = {stage: round(value, 3) for stage, value in self.seconds.items()}
        tree: dict[str, object] = msgspec.to_builtins(self)
        return {**tree, "seconds": seconds, "records_a_second": round(self.records_a_second)}

    def to_json(self) -> str:
        """As ASCII, indented."""
        return json.dumps(self.to_tree(), indent=2) + "\n"

    def to_text(self) -> str:
        """As a table for people."""
        lines = list(self._lines())
        width = max(len(name) for name, _, _ in lines)
        digits = max(len(figure) for _, figure, _ in lines)
        return "".join(
            f"{name:<{width}}  {figure:>{digits}}  {rest}".rstrip() + "\n" if name or figure else "\n"
            for name, figure, rest in lines
        )

    def _lines(self) -> Iterator[tuple[str, str, str]]:
        """(name, figure, what is beside it); all empty: a blank line."""
        blank = ("", "", "")
        where = f"{self.engine}, Java {self.java}" if self.java else self.engine
        yield (f"{self.package}.{self.source}", "", where)
        yield ("files", f"{self.files:,}", f"{self.input_bytes / _MIB:,.1f} MiB")
        yield blank
        yield ("read", f"{self.read:,}", "records")
        yield ("written", f"{self.written:,}", "")
        yield ("quarantined", f"{sum(self.quarantined.values()):,}", "")
        for reason, count in self.quarantined.items():
            yield (f"  {_brief(reason, _REASON_MAX)}", f"{count:,}", "")
        for what, count in self.skipped.items():
            yield ("skipped", f"{count:,}", _brief(what, _SKIPPED_MAX))
        yield blank
        for table, rows in self.tables.items():
            if rows:
                yield (table, f"{rows:,}", "rows")
        yield blank
        for stage, seconds in self.seconds.items():
            yield (stage, f"{seconds:.2f}", "s")
        yield ("all", f"{self.seconds_all:.2f}", f"s, {self.records_a_second:,.0f} records/s")
        yield blank
        yield ("shards", f"{self.shards:,}", f"in {self.out}")
        if self.into is not None:
            yield ("box", "", self.into)


def _brief(text: str, most: int) -> str:
    """A text in one line, and not all of a long one. The JSON and the quarantine file have it whole."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[: 2 * most])
    line = " ".join(line.split())
    return line if len(line) <= most and len(text) <= 2 * most else f"{line[:most].rstrip()}..."
