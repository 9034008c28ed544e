"""A patch sets lists that are made of others, of choices, and of what is left of a list."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported

SCHEMA = """
schema: {name: patched_lists, doc: Mails in boxes with links in them.}
types:
  BoxId: {id: int32}
  Link: {record: {url: [1, text], title: {number: 2, type: text, default: ""}}}
tables:
  mails:
    id: 1
    key: {mail: int32}
    record: {boxes: [1, list<BoxId>], links: [2, list<Link>], size: {number: 3, type: int32, default: 0}}
operations:
  move:
    code: 1
    params: {mail: [1, int32], away: [2, list<BoxId>], into: [3, BoxId]}
    steps:
      - let: {old: mails(mail)}
      - require: old is present
      - {patch: {table: mails, at: mail, set: {boxes: "old.boxes - away - [into] + [into]"}}}
  take_out:
    code: 2
    params: {mail: [1, int32], box: [2, BoxId]}
    steps:
      - let: {old: mails(mail)}
      - require: old is present
      - {patch: {table: mails, at: mail, set: {boxes: "old.boxes - [box]"}}}
  choose:
    code: 3
    params: {mail: [1, int32], ok: [2, bool]}
    steps:
      - patch: {table: mails, at: mail, set: {boxes: "[if ok then 7 else 8]", size: if ok then 1 else 2}}
  attach:
    code: 4
    params: {mail: [1, int32], link: [2, Link]}
    steps:
      - let: {old: mails(mail)}
      - require: old is present
      - {patch: {table: mails, at: mail, set: {links: "without(old.links, url: link.url) + [link]"}}}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(Path(tmp_path_factory.mktemp("patched_lists")), SCHEMA)


@pytest.fixture
def bench(package: Package) -> Bench:
    bench, t = Bench(package), package.types
    links = (t.Link("a", "old"), t.Link("b"))
    bench.tx.mails.put(t.Mails(mail=1, boxes=(1, 2, 3, 2), links=links))
    bench.commit()
    return bench


@pytest.mark.parametrize(
    ("name", "given", "boxes"),
    [
        ("Move", {"away": (2, 9), "into": 1}, (3, 1)),
        ("Move", {"away": (), "into": 4}, (1, 2, 3, 2, 4)),
        ("TakeOut", {"box": 2}, (1, 3)),
        ("TakeOut", {"box": 5}, (1, 2, 3, 2)),
        ("Choose", {"ok": True}, (7,)),
        ("Choose", {"ok": False}, (8,)),
    ],
)
def test_a_list_is_what_its_expression_says(
    bench: Bench, name: str, given: dict[str, object], boxes: tuple[int, ...]
) -> None:
    bench.replay(getattr(bench.package.operations, name)(mail=1, **given))
    assert bench.tx.mails.get(1).boxes == boxes


def test_items_are_left_out_before_another_is_added(bench: Bench) -> None:
    t = bench.package.types
    bench.replay(bench.package.operations.Attach(mail=1, link=t.Link("a", "new")))
    assert bench.tx.mails.get(1).links == (t.Link("b"), t.Link("a", "new"))
