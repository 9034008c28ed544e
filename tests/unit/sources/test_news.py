"""The source `news`: real posts go through its adapter and its generated mapping into a box."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.unit.sources.reading import check, reasons, rows

from pillarbox_messenger import open_box
from pillarbox_messenger.sources import NewsRow, news_operations
from pillarbox_messenger.types import Category, MessageNamespace, PeerNamespace, peer_id
from pillarbox_messenger.views import Latest
from pillarbox_spark.sources.news import ADAPTER

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("PILLARBOX_SHARED", ROOT.parent / "shared"))
POSTS = SHARED / "data/telegram-news/posts.ndjson.gz"

LINES = """\
{"message_id":7,"sender_id":-1001000724666,"text":"one","date":"2024-07-19T09:42:43+00:00","channel":"A","category":"it"}
{"message_id":9,"sender_id":-1001000724666,"text":"two","date":"2024-07-19T12:42:43+03:00","channel":"A"}
"""


def test_posts_become_rows_with_the_channel_as_their_chat(tmp_path: Path) -> None:
    file = tmp_path / "posts.ndjson"
    file.write_text(LINES)

    with open_box(":memory:") as box:
        for row in rows(ADAPTER, file, NewsRow):
            box.replay([*news_operations(row)])
        channel = peer_id(PeerNamespace.CHANNEL, 1_000_724_666)
        posts = box.get(Latest(channel, MessageNamespace.CLOUD, 10)).messages

    assert [(post.id, post.timestamp, post.text) for post in posts] == [
        (9, 1_721_382_163, "two"),
        (7, 1_721_382_163, "one"),
    ]
    assert posts[1].attributes == (Category(name="it"),)


@pytest.mark.parametrize(
    ("was", "now", "reason"),
    [
        ('"two"', '"two', "bad-json"),
        ('"text":"two",', "", "wrong-shape"),
        ("-100", "", "wrong-shape"),
        ("-100", "-100" + "0" * 9, "wrong-shape"),
        (":9", ":0", "wrong-shape"),
        (":9", ":2147483648", "wrong-shape"),
        ("+03:00", "", "wrong-shape"),
    ],
)
def test_a_line_that_is_no_post_is_refused_alone(tmp_path: Path, was: str, now: str, reason: str) -> None:
    one, two = LINES.splitlines()
    file = tmp_path / "posts.ndjson"
    file.write_text(f"{one}\n{two.replace(was, now)}\n{two}\n")

    taken = check(ADAPTER, file, 1)

    assert reasons(taken) == [reason]
    assert len(taken) == 3


@pytest.mark.parametrize(
    ("date", "timestamp"),
    [
        ("1970-01-01T00:00:00.9Z", 0),
        ("1969-12-31T23:59:59.5Z", -1),
        ("1960-02-29T12:00:00+03:00", -310_489_200),
        ("1901-12-13T20:45:52Z", -(2**31)),
        ("1901-12-13T20:45:51.9Z", -(2**31) - 1),
        ("0001-01-01T00:00:00Z", -62_135_596_800),
    ],
)
def test_dates_before_1970_are_seconds_before_it(tmp_path: Path, date: str, timestamp: int) -> None:
    file = tmp_path / "posts.ndjson"
    file.write_text(LINES.replace("2024-07-19T09:42:43+00:00", date))

    assert rows(ADAPTER, file, NewsRow)[0].timestamp == timestamp


@pytest.mark.skipif(not POSTS.is_file(), reason=f"the real posts are not at {POSTS}")
def test_real_posts_are_all_stored() -> None:
    expected = rows(ADAPTER, POSTS, NewsRow)[:3_000]

    with open_box(":memory:") as box:
        box.replay([operation for row in expected for operation in news_operations(row)])
        with box.reading() as tables:
            stored = tables.message.all()

    assert len(stored) == 3_000
    assert {(post.id, post.text) for post in stored} == {(row.message_id, row.text) for row in expected}
