"""The header, its copy for cffi and the numbers in Python are one thing."""

from __future__ import annotations

import re

from pillarbox.native.build import SOURCES
from pillarbox.native.interface import DECLARATIONS, Status
from pillarbox.native.json_ranges import DEPTH_MAX, PATHS_MAX, SEGMENTS_MAX, RangeKind
from pillarbox.native.layouts import PARTS_MAX

HEADER = (SOURCES / "pillarbox_native.h").read_text()


def numbers(prefix: str) -> dict[str, int]:
    """The enumerators of the header that begin with this, without it."""
    found = re.findall(rf"\b{prefix}(\w+) = (\d+)", HEADER)
    return {name: int(value) for name, value in found}


def test_cffi_reads_what_the_header_declares() -> None:
    between = HEADER.split("/* interface begins */\n")[1].split("/* interface ends */")[0]

    assert between == DECLARATIONS, "copy the lines between the marks into interface.py"


def test_each_status_has_one_number() -> None:
    c_names = numbers("PBX_")

    assert {status.name: int(status) for status in Status}.items() <= c_names.items()


def test_kinds_of_ranges_and_limits_have_the_same_numbers() -> None:
    c_names = numbers("PBX_")

    assert {kind.name: int(kind) for kind in RangeKind}.items() <= c_names.items()
    assert (c_names["PATHS_MAX"], c_names["SEGMENTS_MAX"]) == (PATHS_MAX, SEGMENTS_MAX)
    assert (c_names["JSON_DEPTH_MAX"], c_names["PARTS_MAX"]) == (DEPTH_MAX, PARTS_MAX)
