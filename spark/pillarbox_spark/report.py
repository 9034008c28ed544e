"""What came of a run, for people and for programs.

Depends on: nothing of ours.  Never on: how a run works.

Law: read = written + quarantined, in records; a Report of anything else cannot be made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
    #: Records.
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
