"""What a report says, and that it cannot be made of figures that do not add up."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pillarbox.errors import DataError
from pillarbox_spark.report import Report

REPORT = Report(
    package="tracker",
    source="history",
    engine="spark",
    java="17.0.9, machine",
    files=2,
    input_bytes=3 << 20,
    read=1_234_567,
    written=1_234_560,
    quarantined={"range-error": 5, "wrong-shape": 2},
    skipped={"remarks: nobody reads them": 3},
    tables={"users": 1_000, "issues": 0},
    seconds={"index": 0.51, "read": 9.5, "gather": 0.0},
    shards=4,
    out="out",
    into="one.box",
)


def test_the_text_is_one_table_that_people_can_read() -> None:
    assert REPORT.to_text() == (
        "tracker.history             spark, Java 17.0.9, machine\n"
        "files                    2  3.0 MiB\n"
        "\n"
        "read             1,234,567  records\n"
        "written          1,234,560\n"
        "quarantined              7\n"
        "  range-error            5\n"
        "  wrong-shape            2\n"
        "skipped                  3  remarks: nobody reads them\n"
        "\n"
        "users                1,000  rows\n"
        "\n"
        "index                 0.51  s\n"
        "read                  9.50  s\n"
        "gather                0.00  s\n"
        "all                  10.01  s, 123,333 records/s\n"
        "\n"
        "shards                   4  in out\n"
        "box                         one.box\n"
    )


def test_what_adapters_say_at_length_is_one_short_line_and_whole_in_the_json() -> None:
    long, lines = "x" * 5_000, "remarks\nof two\r\n\x1b[31mlines: \u2028nobody reads them"
    report = replace(REPORT, quarantined={long: 7}, skipped={lines: 1, long: 2})

    text = report.to_text().splitlines()

    assert len(text) == len(REPORT.to_text().splitlines())
    assert max(map(len, text)) < 400
    assert [line.split() for line in text if "xxx" in line] == [
        [f"{'x' * 60}...", "7"],
        ["skipped", "2", f"{'x' * 300}..."],
    ]
    assert any(line.endswith("1  remarks of two [31mlines: nobody reads them") for line in text)
    assert json.loads(report.to_json())["quarantined"] == {long: 7}
    assert json.loads(report.to_json())["skipped"] == {lines: 1, long: 2}


def test_the_json_has_every_field_and_how_fast_it_was() -> None:
    tree = json.loads(REPORT.to_json())

    assert tree["quarantined"] == {"range-error": 5, "wrong-shape": 2}
    assert tree["seconds"] == {"index": 0.51, "read": 9.5, "gather": 0.0}
    assert tree["records_a_second"] == 123_333
    assert tree.keys() == {*Report.__dataclass_fields__, "records_a_second"}


def test_a_report_without_java_box_and_time_is_one_too() -> None:
    report = replace(REPORT, engine="inline", java=None, into=None, seconds={})

    assert report.to_text().startswith("tracker.history             inline\n")
    assert "box" not in report.to_text()
    assert report.records_a_second == 0


@pytest.mark.parametrize("written", [1_234_559, 1_234_561])
def test_figures_that_do_not_add_up_make_no_report(written: int) -> None:
    with pytest.raises(DataError, match=r"1,234,567 records were read, but .* written and 7 quarantined"):
        replace(REPORT, written=written)
